"""A stand-in for a site whose cards a description reads: student cards of one university, as a truth set for `bawab learn`.

    python -m bawab_training.draw.standin_student --out DIR --seed 1 [--fit 100 --test 100 --fresh 60]

It shares no layout, camera or list of words with what the document engine was fitted on, and its faces are of the families held out there.
A site has a layout, two label wordings that no description knows, a face for figures and a camera of its own. DIR gets the halves fit
and test, and DIR-fresh documents that no learning sees.
"""

import argparse
import pathlib
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from . import arabic_fonts, truth_set

WIDTH, HEIGHT = 1000, 630
KIND = "student_card"
# The wordings of each label: those that the description of the exercise knows, and those of sites that it does not.
KNOWN = {"name": ["الاسم", "اسم الطالب"], "studentNumber": ["الرقم الجامعي", "كود الطالب"], "validUntil": ["صالحة حتى", "سارية حتى"]}
OWN = {
    "name": ["صاحب البطاقة", "المقيد باسم", "حامل الكارنيه"],
    "studentNumber": ["مسلسل الكلية", "رقم الملف", "الكود الموحد"],
    "validUntil": ["ينتهي العمل بها", "آخر موعد", "نهاية الصلاحية"],
}
MEN = "حازم مروان سليم عاطف نبيل رأفت ثروت ممدوح حمدي مجدي عصام أسامة بلال زياد كريم مازن نادر وجيه شادي فادي".split()
WOMEN = "رنا داليا إنجي هايدي مروة آية ندى ريهام نورهان سلمى".split()
FAMILIES = "الصاوي البنا الليثي حجازي الطويل زيدان عبدالله الشامي النمر قنديل الحداد سرحان".split()
PLACES = "المنوفية|بني سويف|دمياط|السويس|الفيوم|سوهاج|كفر الشيخ|الزقازيق".split("|")
FACULTIES = "الطب البيطري|الفنون التطبيقية|الألسن|الزراعة|التمريض|السياحة والفنادق|التربية النوعية|العلوم|الآثار|دار العلوم".split("|")
YEARS = "الأولى|الثانية|الثالثة|الرابعة".split("|")


@dataclass
class Site:
    """What a site prints alike on all its cards, and how its camera sees them."""

    university: str
    faculties: list[str]
    wordings: dict[str, str]
    body: str
    figures: str
    eastern: bool
    stacked: bool
    portrait_right: bool
    issued: bool
    order: list[str]
    paper: tuple[int, ...]
    ink: tuple[int, ...]
    tint: npt.NDArray[np.float64]
    blur: float
    size: tuple[int, int]


def site_of(rng: np.random.Generator) -> Site:
    """Draw a site."""
    faces = {family.name: family.files[0] for family in arabic_fonts.families(held_out=True)}
    body, figures = rng.permutation(["free-farsi", "kacst-one", "markazi", "alexandria", "al-arabiya"])[:2]
    new = set(rng.permutation(list(OWN))[:2])
    wordings = {name: str(rng.choice((OWN if name in new else KNOWN)[name])) for name in OWN}
    flags = [bool(v) for v in rng.random(4) < 0.5]
    return Site(
        university="جامعة " + str(rng.choice(PLACES)),
        faculties=["كلية " + str(v) for v in rng.permutation(FACULTIES)[:5]],
        wordings=wordings,
        body=faces[str(body)],
        figures=faces[str(figures)],
        eastern=flags[0],
        stacked=flags[1],
        portrait_right=flags[2],
        issued=flags[3],
        order=[str(v) for v in rng.permutation(list(OWN))],
        paper=tuple(int(v) for v in rng.integers(200, 250, 3)),
        ink=tuple(int(v) for v in rng.integers(5, 70, 3)),
        tint=rng.uniform(0.88, 1.1, 3),
        blur=float(rng.uniform(0.6, 1.4)),
        size=((1024, 768), (1152, 864), (1280, 960))[int(rng.integers(0, 3))],
    )


def values_of(rng: np.random.Generator, site: Site, number: int) -> dict[str, str]:
    """The values of one card."""
    first = str(rng.choice(MEN if rng.random() < 0.55 else WOMEN))
    chain = [first, *(str(v) for v in rng.choice(MEN, int(rng.integers(2, 4)), replace=False)), str(rng.choice(FAMILIES))]
    until = np.datetime64("2027-01-15") + int(rng.integers(0, 1300))
    return {
        "university": site.university,
        "faculty": str(rng.choice(site.faculties, p=np.array([8, 4, 3, 2, 1]) / 18)),
        "studentNumber": f"{rng.integers(2019, 2027)}{number:04d}",
        "name": " ".join(chain),
        "validUntil": str(until),
    }


class Card:
    """A flat card on which words are printed from the right."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.image = Image.new("RGB", (WIDTH, HEIGHT), site.paper)
        self.draw = ImageDraw.Draw(self.image)

    def text(self, right: float, middle: float, text: str, size: int, faint: bool = False) -> float:
        """Print a text that ends at the right about a height; its left end comes back."""
        figures = all(sign in "0123456789٠١٢٣٤٥٦٧٨٩/" for sign in text)
        face = ImageFont.truetype(self.site.figures if figures else self.site.body, size)
        ink = tuple(min(255, v + 60) for v in self.site.ink) if faint else self.site.ink
        self.draw.text((right, middle), text, font=face, fill=ink, anchor="rm", direction=None if figures else "rtl")
        return right - face.getlength(text)

    def head(self, rng: np.random.Generator, left: float, top: float) -> None:
        """Draw a head of nobody in the place of the portrait."""
        skin = tuple(int(v) for v in rng.integers((150, 110, 80), (230, 190, 160)))
        wall = tuple(int(v) for v in rng.integers(170, 240, 3))
        self.draw.rectangle((left, top, left + 200, top + 250), fill=wall, outline=self.site.ink)
        self.draw.ellipse((left + 20, top + 170, left + 180, top + 330), fill=self.site.ink)
        self.draw.ellipse((left + 55, top + 45, left + 145, top + 180), fill=skin)
        self.draw.rectangle((left, top + 251, left + 200, top + 335), fill=self.site.paper)


def figures_of(site: Site, text: str) -> str:
    """A number as the site prints figures."""
    return text.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")) if site.eastern else text


def draw_card(rng: np.random.Generator, site: Site, values: dict[str, str]) -> Image.Image:
    """Draw one card: its issuer and title above, the portrait at a side, the labelled values beside it."""
    card = Card(site)
    for y in range(0, HEIGHT, 9):
        card.draw.line((0, y, WIDTH, y + 40), fill=tuple(v - 7 for v in site.paper))
    card.draw.rectangle((0, 0, WIDTH, 12), fill=site.ink)
    right = WIDTH - (290 if site.portrait_right else 50)
    card.head(rng, WIDTH - 250 if site.portrait_right else 45, 165)
    card.text(WIDTH - 50, 56, values["university"], 44)
    card.text(WIDTH - 50, 112, values["faculty"], 38)
    card.text(330, 84, "بطاقة طالب", 40)
    day = values["validUntil"]
    printed = {"name": values["name"], "studentNumber": figures_of(site, values["studentNumber"])}
    printed["validUntil"] = figures_of(site, "/".join(day.split("-") if site.stacked else day.split("-")[::-1]))
    top = 205.0
    for name in site.order:
        label = site.wordings[name]
        if site.stacked:
            card.text(right, top - 16, label, 24, faint=True)
            card.text(right, top + 26, printed[name], 36)
        else:
            left = card.text(right, top, label + " :", 30, faint=True)
            card.text(left - 16, top, printed[name], 36)
        top += 96 if site.stacked else 74
    if site.issued:
        left = card.text(right, 520, "حررت في", 26, faint=True)
        issued = f"{int(day[:4]) - 4}/{rng.integers(8, 11):02d}/{rng.integers(1, 29):02d}"
        card.text(left - 14, 520, figures_of(site, issued), 28)
    card.text(WIDTH - 50, 586, "الفرقة " + str(rng.choice(YEARS)), 30)
    return card.image


def photograph(rng: np.random.Generator, site: Site, flat: Image.Image) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Photograph a card on a desk by the site's camera; its corners come back."""
    width, height = site.size
    side = rng.uniform(0.62, 0.86) * min(width, height * WIDTH / HEIGHT)
    turn = np.radians(rng.normal(0, 3.5))
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([side, side * HEIGHT / WIDTH]) / 2
    corners = box @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    corners += np.array([width, height]) / 2 + rng.normal(0, 0.018, (4, 2)) * side + rng.uniform(-30, 30, 2)
    source = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    matrix = cv2.getPerspectiveTransform(source, corners.astype(np.float32))
    laid = cv2.warpPerspective(np.asarray(flat, np.float32), matrix, site.size, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.ones((HEIGHT, WIDTH), np.float32), matrix, site.size)[..., None]
    grain = cv2.resize(rng.normal(0, 9, (height // 8, width // 8)).astype(np.float32), site.size, interpolation=cv2.INTER_CUBIC)
    desk = rng.uniform(50, 130, 3).astype(np.float32) + grain[..., None]
    light = (1.05 - rng.uniform(0.1, 0.35) * np.linspace(0, 1, width)).astype(np.float32)[None, :, None] * site.tint.astype(np.float32)
    scene = cv2.GaussianBlur((laid * mask + desk * (1 - mask)) * light, (0, 0), site.blur * rng.uniform(0.8, 1.3))
    scene += np.float32(rng.uniform(2, 6)) * rng.standard_normal(scene.shape, np.float32)
    shown = np.clip(scene, 0, 255).astype(np.uint8)[..., ::-1]
    _, code = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(65, 92))])
    return np.asarray(code, np.uint8), corners


def take(rng: np.random.Generator, site: Site, number: int) -> truth_set.Photograph:
    """Draw and photograph the card of a number."""
    values = values_of(rng, site, number)
    return truth_set.Photograph(*photograph(rng, site, draw_card(rng, site, values)), values)


def main() -> None:
    """Draw a stand-in site."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    truth_set.draw(parser, KIND, site_of, take)


if __name__ == "__main__":
    main()
