"""A stand-in for a site: driving licences of one office as people there confirmed them, as a truth set for `bawab learn`.

    python -m bawab_training.draw.standin --out DIR --seed 1 [--fit 100 --test 100 --fresh 60]

It shares no code, list of words, layout or camera with the generators that the networks and readers were made with; its faces are of
the families held out there. A site prints its own units and jobs again and again; holders are invented. DIR gets the halves fit and
test, and, in the form that `bawab eval documents` reads, DIR-fresh: documents that no learning sees.
"""

import argparse
import pathlib
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from . import arabic_fonts, truth_set

WIDTH, HEIGHT = 1012, 638  # of the flat card, some 300 dots an inch
LATIN = "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf"

MEN = "حاتم وليد سيف عاصم رامز فؤاد شاكر عزمي نجيب توفيق راضي صفوت مدحت لؤي باهر جلال منير رشدي هاني كامل".split()
WOMEN = "رباب سناء غادة نيرمين ميرفت شيرين بسمة أميرة لبنى وفاء".split()
FAMILIES = "البحيري القاضي الجوهري عفيفي الدسوقي شلبي الفقي مرزوق الخولي بركات العطار السباعي".split()
LATIN_OF = dict(
    zip(
        "ا أ ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ظ ع غ ف ق ك ل م ن ه و ي ى ة ؤ ئ ء".split(),
        "A A B T TH G H KH D Z R Z S SH S D T Z A GH F K K L M N H W Y A A W Y".split() + [""],
        strict=True,
    )
)
UNITS = (
    "القطامية|التجمع الخامس|عين الصيرة|دار السلام|المقطم|البساتين|مصر القديمة|الوايلي|الزاوية الحمراء|حدائق القبة|الشرابية|منشأة ناصر|النزهة|السلام ثان|بدر"
).split("|")
STREETS = "النصر|الثورة|المحجر|الجزائر|الشهيد أحمد عصمت|سليم الأول|طومان باي|الخمسين|التسعين الجنوبي|كورنيش النيل".split("|")
QUARTERS = "المعادي|دار السلام|البساتين|الخليفة|عين شمس|المطرية|الزيتون|حلوان".split("|")
JOBS = "مهندس شبكات|محاسب قانوني|معلم خبير|سائق نقل|طبيب أسنان|صيدلي|فني تكييف|مندوب مبيعات|أمين مخازن|ضابط متقاعد|محام بالاستئناف|مبرمج".split("|")
TYPES = "خاصة|مهنية ثالثة|مهنية ثانية|مهنية أولى|دراجة نارية".split("|")
REMARKS = ["", "", "", "يرتدي نظارة طبية", "يستعمل سماعة"]

Box = tuple[float, float, float, float]


@dataclass
class Site:
    """What a site prints alike on all its cards."""

    units: list[str]
    shares: npt.NDArray[np.float64]
    body: str
    digits: str
    paper: tuple[int, int, int]
    ink: tuple[int, int, int]
    department: bool
    stacked: bool


@dataclass
class Card:
    """A flat card and what stands on it."""

    image: Image.Image
    fields: dict[str, str] = field(default_factory=dict)


def site_of(rng: np.random.Generator) -> Site:
    """Draw what one office prints: some units often, the others seldom, one face for words and another for figures."""
    families = {family.name: family.files[0] for family in arabic_fonts.families(held_out=True)}
    body, digits = rng.permutation(["kacst-one", "markazi", "alexandria", "free-farsi"])[:2]
    units = list(rng.permutation(UNITS)[:8])
    shares = 1 / np.arange(1, len(units) + 1)
    paper = tuple(int(v) for v in rng.integers(205, 246, 3))
    ink = tuple(int(v) for v in rng.integers(5, 60, 3))
    department, stacked = (bool(v) for v in rng.random(2) < 0.5)
    return Site(units, shares / shares.sum(), families[body], families[digits], paper, ink, department, stacked)  # type: ignore[arg-type]


def eastern(text: str) -> str:
    """The figures of a text as Arabic-Indic ones."""
    return text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))


def number_of(rng: np.random.Generator, man: bool) -> str:
    """A national number: century, day of birth, governorate, sex and check digit as they belong together."""
    year = int(rng.integers(1950, 2006))
    day = f"{2 + year // 2000}{year % 100:02d}{rng.integers(1, 13):02d}{rng.integers(1, 29):02d}"
    body = f"{day}01{rng.integers(0, 1000):03d}{2 * rng.integers(0, 5) + int(man)}"
    weights = (2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
    return body + str((11 - sum(int(d) * w for d, w in zip(body, weights, strict=True)) % 11) % 10)


def holder(rng: np.random.Generator, site: Site) -> dict[str, str]:
    """The values of one licence, by the names of the contract."""
    man = rng.random() < 0.7
    chain = [str(rng.choice(MEN if man else WOMEN)), *(str(v) for v in rng.choice(MEN, 2, replace=False)), str(rng.choice(FAMILIES))]
    latin = " ".join("".join(LATIN_OF[sign] for sign in word) for word in chain)
    issued = np.datetime64("2019-01-01") + int(rng.integers(0, 2600))
    expiry = issued.astype("datetime64[M]") + 12 * int(rng.choice([3, 10]))
    address = f"{rng.integers(2, 190)} شارع {rng.choice(STREETS)} - {rng.choice(QUARTERS)} - القاهرة"
    values = {
        "nameArabic": " ".join(chain),
        "nameEnglish": latin,
        "nationalID": number_of(rng, man),
        "address": eastern(address),
        "job": str(rng.choice(JOBS)),
        "licenseType": str(rng.choice(TYPES)),
        "nationalityArabic": "مصري" if man else "مصرية",
        "nationalityEnglish": "EGYPTIAN",
        "trafficUnit1": "إدارة مرور القاهرة" if site.department else "",
        "trafficUnit2": "وحدة مرور " + str(rng.choice(site.units, p=site.shares)),
        "special1": str(rng.choice(REMARKS)),
        "issuenceDate": str(issued),
        "expiryDate": f"{expiry}-{str(issued)[8:]}".replace("-31", "-28").replace("-30", "-28").replace("-29", "-28"),
    }
    return values


class Sheet:
    """Prints right-aligned words and figures on a flat card."""

    def __init__(self, rng: np.random.Generator, site: Site) -> None:
        self.rng, self.site = rng, site
        self.image = Image.new("RGB", (WIDTH, HEIGHT), site.paper)
        self.draw = ImageDraw.Draw(self.image)

    def text(self, right: float, top: float, text: str, size: int, label: bool = False) -> float:
        """Print a text whose right end and top are given; the left end comes back."""
        latin = text.isascii() and not text[:1].isdigit()
        figures = bool(text) and all(sign in "٠١٢٣٤٥٦٧٨٩/" for sign in text)
        face = ImageFont.truetype(LATIN if latin else self.site.digits if figures else self.site.body, size)
        width = face.getlength(text)
        ink = tuple(min(255, v + 70) for v in self.site.ink) if label else self.site.ink
        self.draw.text((right - width, top), text, font=face, fill=ink)
        return right - width

    def bust(self, box: Box) -> None:
        """A head and shoulders of nobody in the place of the portrait."""
        left, top, right, bottom = box
        skin = tuple(int(v) for v in self.rng.integers((150, 110, 80), (230, 190, 160)))
        self.draw.rectangle(box, fill=tuple(int(v) for v in self.rng.integers(170, 240, 3)))
        middle, w, h = (left + right) / 2, right - left, bottom - top
        self.draw.ellipse((middle - 0.45 * w, top + 0.68 * h, middle + 0.45 * w, bottom + 0.3 * h), fill=self.site.ink)
        self.draw.ellipse((middle - 0.26 * w, top + 0.14 * h, middle + 0.26 * w, top + 0.76 * h), fill=skin)
        self.draw.pieslice((middle - 0.28 * w, top + 0.1 * h, middle + 0.28 * w, top + 0.6 * h), 180, 360, fill=(30, 25, 22))
        for side in (-1, 1):
            self.draw.ellipse((middle + side * 0.1 * w - 6, top + 0.4 * h, middle + side * 0.1 * w + 6, top + 0.4 * h + 8), fill=(40, 30, 25))
        self.draw.rectangle((left, bottom, right, bottom + 0.3 * h), fill=self.site.paper)


def draw_card(rng: np.random.Generator, site: Site) -> Card:
    """Draw one card: a frame, a title at the left, the portrait at the right, the values between."""
    sheet, values = Sheet(rng, site), holder(rng, site)
    for x in range(0, WIDTH, 14):  # a ground of fine waves
        sheet.draw.arc((x - 60, 40, x + 60, HEIGHT - 30), 60, 300, fill=tuple(v - 12 for v in site.paper))
    sheet.draw.rectangle((14, 14, WIDTH - 14, HEIGHT - 14), outline=site.ink, width=3)
    sheet.text(WIDTH - 310, 26, "جمهورية مصر العربية", 30)
    sheet.text(WIDTH - 310, 64, "رخصة قيادة " + values["licenseType"], 34)
    if values["trafficUnit1"]:
        sheet.text(330, 26, values["trafficUnit1"], 26)
    sheet.text(330, 66, values["trafficUnit2"], 26)
    sheet.bust((WIDTH - 270, 40, WIDTH - 50, 320))
    rows = (
        ("الاسم كما في البطاقة", values["nameArabic"]),
        ("", values["nameEnglish"]),
        ("الرقم القومي", eastern(values["nationalID"])),
        ("يقيم في", values["address"]),
        ("المهنة", values["job"]),
    )
    top, right = 122.0, WIDTH - 300.0
    for label, value in rows:
        left = sheet.text(right, top + 6, label + (" :" if label else ""), 20, label=True) if label else right
        if site.stacked and label:
            top, left = top + 29, right
        sheet.text(left - 14 if not site.stacked and label else right, top, value, 31)
        top += 50
    sheet.text(WIDTH - 60, 352, values["nationalityArabic"], 30)
    sheet.text(WIDTH - 60, 396, values["nationalityEnglish"], 24)
    foot = HEIGHT - 104
    left = sheet.text(WIDTH - 60, foot + 4, "حررت في", 21, label=True)
    sheet.text(left - 12, foot, eastern(values["issuenceDate"].replace("-", "/")), 30)
    left = sheet.text(WIDTH / 2, foot + 4, "تنتهي في", 21, label=True)
    sheet.text(left - 12, foot, eastern(values["expiryDate"].replace("-", "/")), 30)
    sheet.text(WIDTH - 60, foot + 48, values["special1"], 27)
    return Card(sheet.image.filter(ImageFilter.GaussianBlur(0.5)), values)


def photograph(rng: np.random.Generator, card: Card) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Photograph a card on a table by the site's camera: 1600 x 1200, its corners come back."""
    size = np.array([1600, 1200])
    table = rng.normal(rng.integers(40, 150), 6, (1200, 1600, 1)) + rng.normal(0, 5, (1, 1600, 1)).cumsum(1) * 0.15 + rng.integers(-20, 20, 3)
    width = rng.uniform(0.58, 0.85) * size[0]
    flat = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float) * np.array([width, width * HEIGHT / WIDTH]) / 2
    turn = np.radians(rng.normal(0, 4))
    corners = flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners += size / 2 + rng.normal(0, 0.02, (4, 2)) * width + rng.uniform(-40, 40, 2)
    source = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    laid = cv2.warpPerspective(np.asarray(card.image, np.float32), matrix, (1600, 1200), flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((HEIGHT, WIDTH), np.float32), matrix, (1600, 1200))[..., None]
    scene = laid * mask + np.clip(table, 5, 250) * (1 - mask)
    y, x = np.mgrid[0:1200, 0:1600] / 1200
    at = rng.uniform(0, 1.3, 2)
    light = 1.12 - rng.uniform(0.05, 0.4) * np.hypot(x - at[0], y - at[1])
    scene = cv2.GaussianBlur(scene * light[..., None] * rng.uniform(0.93, 1.07, 3), (0, 0), rng.uniform(0.6, 1.5))
    scene += rng.normal(0, rng.uniform(1.5, 5), scene.shape)
    _, code = cv2.imencode(".jpg", np.clip(scene, 0, 255).astype(np.uint8)[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(72, 94))])
    return np.asarray(code, np.uint8), corners


def take(rng: np.random.Generator, site: Site, _: int) -> truth_set.Photograph:
    """Draw and photograph a document of the site."""
    card = draw_card(rng, site)
    return truth_set.Photograph(*photograph(rng, card), card.fields)


def main() -> None:
    """Draw a stand-in site."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    truth_set.draw(parser, "driving_license", site_of, take)


if __name__ == "__main__":
    main()
