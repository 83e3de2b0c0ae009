"""Flat documents with exact truth: passports, cards, visas with a machine readable zone, and what is none.

Sizes in millimetres; pictures are RGB at scale pixels per millimetre.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from . import canvas, content, patterns
from .canvas import Canvas, Line
from .content import Holder, pick
from .egypt_content import Content
from .mrz_text import zone as random_zone

TD3, TD2, TD1, VISA = (125.0, 88.0), (105.0, 74.0), (85.6, 54.0), (120.0, 80.0)
PITCH = 2.54  # mm between characters of a machine readable zone


@dataclass
class Page:
    """A flat document: its picture, printed lines, the corners of the data page (TL TR BR BL, pixels) and its holder."""

    image: npt.NDArray[np.uint8]
    lines: list[Line]
    corners: npt.NDArray[np.float32]
    kind: str = "other"
    holder: Holder | Content | None = None

    @property
    def zone(self) -> list[Line]:
        """Lines of the machine readable zone, top first."""
        return [line for line in self.lines if line.kind == "mrz"]

    def zone_quad(self) -> npt.NDArray[np.float32] | None:
        """Corners of the whole zone, TL TR BR BL in pixels; None without one."""
        zone = self.zone
        if not zone:
            return None
        return np.array([zone[0].quad[0], zone[0].quad[1], zone[-1].quad[2], zone[-1].quad[3]], np.float32)


def dark_ink(rng: np.random.Generator, low: int = 10, high: int = 70) -> tuple[int, ...]:
    """A dark colour of about low to high."""
    base = rng.integers(low, high)
    return tuple(int(np.clip(base + rng.integers(-12, 13), 0, 255)) for _ in range(3))


def label_ink(rng: np.random.Generator) -> tuple[int, ...]:
    """The colour of labels, which issuers print in all sorts."""
    return pick(rng, [(30, 60, 130), (120, 40, 40), (60, 60, 60), (30, 90, 70), (100, 80, 40), (20, 20, 20), (110, 110, 120)])


def any_font(rng: np.random.Generator, held_out: bool, script: str = "latin") -> str:
    """Draw a font file of a script."""
    return pick(rng, canvas.fonts(script, held_out))


def paper(rng: np.random.Generator, size: tuple[float, float], scale: float) -> npt.NDArray[np.uint8]:
    """Security paper, or plain one now and then, for a sheet of size millimetres."""
    pixels = (round(size[0] * scale), round(size[1] * scale))
    if rng.random() < 0.12:
        return np.full((pixels[1], pixels[0], 3), rng.integers(215, 256), np.uint8)
    return patterns.security(rng, pixels, scale)


def finished(sheet: Canvas, kind: str, holder: Holder | Content | None = None) -> Page:
    """The Page of a printed Canvas."""
    w, h = sheet.size
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    return Page(sheet.array(), sheet.lines, corners, kind, holder)


def print_zone(sheet: Canvas, rng: np.random.Generator, texts: Sequence[str], size: tuple[float, float], font: str = canvas.OCR_B) -> None:
    """Print a machine readable zone where ICAO 9303 puts it, with the tolerance that issuers show."""
    pitch = PITCH * rng.uniform(0.97, 1.02)
    spacing = 6.35 * rng.uniform(0.95, 1.03)
    if len(texts) == 3:
        spacing = rng.uniform(4.4, 6.3)
    width = len(texts[0]) * pitch
    x = max(2.0, (size[0] - width) / 2 + rng.uniform(-2.0, 1.0))
    last = size[1] - (rng.uniform(8.6, 11) if len(texts) == 2 else rng.uniform(3.5, 6))
    if rng.random() < 0.35:
        band = last - spacing * (len(texts) - 1) - rng.uniform(4, 8)
        box = [0, round(band * sheet.scale), sheet.size[0], sheet.size[1]]
        tile = sheet.image.crop(box)
        veil = patterns.blend(rng, tile.size, [patterns.pastel(rng, 220), patterns.pastel(rng, 200)])
        share = rng.uniform(0.4, 1)
        sheet.image.paste(canvas.Image.fromarray(cv2.addWeighted(np.asarray(tile), 1 - share, veil, share, 0)), box[:2])
    weight = int(rng.random() < 0.15 and sheet.scale > 7)
    sheet.zone(x, last - spacing * (len(texts) - 1), texts, pitch, spacing, dark_ink(rng, 5, 75), font, weight)


def lay_portrait(
    sheet: Canvas, rng: np.random.Generator, portrait: npt.NDArray[np.uint8] | None, x: float, y: float, width: float, height: float
) -> None:
    """Lay a portrait (RGB, or None for a coloured patch) at (x, y) mm, with a faint second one on some documents."""
    if portrait is None:
        portrait = patterns.blend(rng, (60, 76), [tuple(rng.integers(60, 220, 3)) for _ in range(3)])
    if rng.random() < 0.25:
        portrait = np.repeat(cv2.cvtColor(portrait, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
    sheet.paste(portrait, x, y, width, height, rng.uniform(0.85, 1), rng.random() < 0.2)
    if rng.random() < 0.35:
        ghost = rng.uniform(0.3, 0.5)
        sheet.paste(portrait, rng.uniform(0.6, 0.8) * sheet.width, rng.uniform(0.25, 0.4) * sheet.height, width * ghost, height * ghost, 0.45, True)


def _signature(sheet: Canvas, rng: np.random.Generator, x: float, y: float) -> None:
    t = np.linspace(0, 1, 120)
    wave = sum(rng.uniform(0.2, 1) / k * np.sin(2 * np.pi * (k * rng.uniform(0.6, 1.4) * t * 3 + rng.random())) for k in (1, 2, 3, 5))
    points = np.stack([x + t * rng.uniform(15, 30) + 1.5 * wave, y + 2 * np.roll(wave, 11)], 1) * sheet.scale
    sheet.draw.line([tuple(p) for p in points], fill=dark_ink(rng, 0, 90), width=max(1, round(sheet.scale * 0.3)), joint="curve")


def hologram(sheet: Canvas, rng: np.random.Generator) -> None:
    """Lay a coloured, half-clear blob over a part of the print."""
    layer = np.asarray(sheet.image).copy()
    centre = (rng.uniform(0.15, 0.9) * sheet.size[0], rng.uniform(0.2, 0.8) * sheet.size[1])
    patterns.emblem(rng, layer, centre, rng.uniform(4, 14) * sheet.scale, patterns.pastel(rng, 120))
    share = rng.uniform(0.1, 0.4)
    sheet.image.paste(canvas.Image.fromarray(cv2.addWeighted(np.asarray(sheet.image), 1 - share, layer, share, 0)))


def _egyptian_rows(holder: Holder, rng: np.random.Generator) -> list[tuple[str, str, str, str]]:
    """The rows of the Egyptian data page: (English label, value, Arabic label, Arabic value)."""
    dates = [f"{day:%d/%m/%Y}" for day in (holder.birth, holder.issued, holder.expiry)]
    arabic = [f"{day:%Y/%m/%d}".translate(content.ARABIC_DIGITS) for day in (holder.birth, holder.issued, holder.expiry)]
    rows = [
        ("Full Name", f"{holder.given} {holder.surname}", "الاسم", holder.arabic_name),
        ("Date of Birth", dates[0], "تاريخ الميلاد", arabic[0]),
        ("Place of Birth", holder.place[1], "محل الميلاد", holder.place[0]),
        ("Nationality", "EGYPTIAN", "الجنسية", "مصري" if holder.sex == "M" else "مصرية"),
        ("Sex", holder.sex, "النوع", "ذكر" if holder.sex == "M" else "أنثى"),
        ("Date of Issue", dates[1], "تاريخ الإصدار", arabic[1]),
        ("Date of Expiry", dates[2], "تاريخ الانتهاء", arabic[2]),
        ("Issuing Office", holder.office[1], "جهة الإصدار", holder.office[0]),
    ]
    more = [("Profession", holder.job[1], "المهنة", holder.job[0]), ("", "", "العنوان", holder.address),
            ("", "", "الموقف التجنيدي", holder.military),
            ("", "", "الرقم القومي", holder.personal.translate(content.ARABIC_DIGITS))]
    return rows + [more[i] for i in sorted(rng.permutation(4)[: int(rng.integers(1, 5))]) if more[i][3]]


def egyptian_passport(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False
) -> Page:
    """The data page of an Egyptian passport: English on the left, Arabic on the right, TD3."""
    holder = content.egyptian(rng)
    sheet = Canvas(*TD3, scale, paper(rng, TD3, scale))
    latin, arabic = any_font(rng, held_out), any_font(rng, held_out, "arabic")
    ink, pale = dark_ink(rng), label_ink(rng)
    if rng.random() < 0.4:
        hologram(sheet, rng)
    x = rng.uniform(4, 7)
    photo = (rng.uniform(29, 36), rng.uniform(38, 45))
    lay_portrait(sheet, rng, portrait, x, rng.uniform(12, 18), *photo)
    top = rng.uniform(5.5, 8)
    sheet.text(120, top, "جمهورية مصر العربية", arabic, rng.uniform(2.2, 3.2), pale, "r", 42)
    sheet.text(rng.uniform(5, 40), top, "ARAB REPUBLIC OF EGYPT", latin, rng.uniform(1.8, 2.6), pale, "l", 42)
    left = x + photo[0] + rng.uniform(2, 5)
    small, large = rng.uniform(1.2, 1.6), rng.uniform(1.7, 2.3)
    row = top + rng.uniform(4.5, 6)
    sheet.text(left, row, "Type", latin, small, pale, limit=6)
    sheet.text(left + 8, row, "P", latin, large, ink)
    sheet.text(left + 13, row, "Country Code", latin, small, pale, limit=13)
    sheet.text(left + 28, row, "EGY", latin, large, ink, limit=8)
    sheet.text(left + 39, row, "Passport No", latin, small, pale, limit=11)
    sheet.text(left + 52, row, holder.number, latin, large, ink, limit=104 - left - 52)
    sheet.text(121, row, "رقم الجواز", arabic, small, pale, "r", 12)
    _egyptian_body(sheet, rng, holder, (left, row), (latin, arabic), (small, large), (ink, pale))
    if rng.random() < 0.7:
        _signature(sheet, rng, x, rng.uniform(58, 63))
    print_zone(sheet, rng, content.zone_text(holder), TD3)
    return finished(sheet, "passport", holder)


def _egyptian_body(
    sheet: Canvas, rng: np.random.Generator, holder: Holder, start: tuple[float, float], fonts: tuple[str, str],
    sizes: tuple[float, float], inks: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    left, row = start
    rows = _egyptian_rows(holder, rng)
    step = (64.5 - row) / (len(rows) + 0.5)
    stacked = step > 5.2 and rng.random() < 0.5
    offset = 0 if stacked else 15
    room = (106 - left - offset) / 2 - 0.7
    for english, value, label, arabic_value in rows:
        row += step
        if value:
            sheet.text(left, row - (step * 0.5 if stacked else 0), english, fonts[0], min(sizes[0], step * 0.3), inks[1], limit=14)
            sheet.text(left + offset, row, value, fonts[0], min(sizes[1], step * 0.5), inks[0], limit=room)
        sheet.text(121, row, label, fonts[1], min(sizes[0], step * 0.5), inks[1], "r", 14)
        sheet.text(106, row, arabic_value, fonts[1], min(sizes[1], step * 0.55), inks[0], "r", room if value else 40)


def foreign_passport(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """The data page of another country's passport in one of many arrangements, TD3."""
    holder = content.foreign(rng)
    sheet = Canvas(*TD3, scale, paper(rng, TD3, scale))
    ink, pale = dark_ink(rng, 5, 80), label_ink(rng)
    if rng.random() < 0.5:
        hologram(sheet, rng)
    right = rng.random() < 0.12
    photo = (rng.uniform(28, 38), rng.uniform(36, 48))
    x = 120 - photo[0] if right else rng.uniform(3, 7)
    lay_portrait(sheet, rng, portrait, x, rng.uniform(13, 19), *photo)
    own, own_font = holder.extra["own"], any_font(rng, held_out, canvas.script_of(holder.extra["own"]))
    latin, top = any_font(rng, held_out), rng.uniform(4.5, 7.5)
    sheet.text(62, top, own, own_font, rng.uniform(1.8, 3.4), pale, pick(rng, "lmr"), 58)
    sheet.text(rng.uniform(4, 9), top + rng.uniform(3.2, 4.5), pick(rng, ["PASSPORT", "PASSEPORT", "PASS"]), latin, rng.uniform(2, 4), pale, "l", 34)
    left = rng.uniform(4, 8) if right else x + photo[0] + rng.uniform(2, 4)
    _form(sheet, rng, holder, (left, top + 5.5, 78), held_out, (ink, pale))
    if rng.random() < 0.6:
        _signature(sheet, rng, rng.uniform(5, 90), rng.uniform(58, 64))
    if rng.random() < 0.3:
        sheet.text(rng.uniform(1.5, 2.5) if not right else 122, 14, holder.number, latin, rng.uniform(1.5, 2.2), pale, quarter=pick(rng, [1, 3]))
    print_zone(sheet, rng, content.zone_text(holder), TD3)
    return finished(sheet, "passport", holder)


def _form(
    sheet: Canvas, rng: np.random.Generator, holder: Holder, place: tuple[float, float, float], held_out: bool,
    inks: tuple[tuple[int, ...], tuple[int, ...]],
) -> None:
    """Fill a block of labelled values; place is (left, first base line, width) in mm."""
    left, row, width = place
    languages = holder.extra["languages"]
    values = [("surname", holder.surname), ("given", holder.given), ("nationality", holder.extra["english"]), ("birth", content.written(holder.birth, rng)),
              ("personal", holder.personal), ("sex", holder.sex), ("place", holder.place[1]), ("issued", content.written(holder.issued, rng)),
              ("expiry", content.written(holder.expiry, rng)), ("authority", "MINISTRY OF INTERIOR")]
    pairs = {"sex", "birth", "issued"}
    latin = any_font(rng, held_out)
    small, large = rng.uniform(0.8, 1.3), rng.uniform(1.7, 2.5)
    step, column = rng.uniform(5.0, 6.2), 0.0
    sheet.text(left, row, "P   " + holder.country.strip("<"), latin, large, inks[0], limit=16)
    sheet.text(left + width - 26, row, holder.number, latin, large, inks[0], limit=26)
    row += step
    for name, value in values:
        if not value or row > 66:
            continue
        text = "/".join(content.label(name, code) for code in (languages if rng.random() < 0.8 else languages[:1]))
        script = canvas.script_of(text)
        sheet.text(left + column, row - large - rng.uniform(0.5, 0.9), text, any_font(rng, held_out, script), small, inks[1], limit=width / 2 - 2)
        sheet.text(left + column, row, value, latin, large, inks[0], limit=width / 2 - 2 if name in pairs or column else width - 2)
        if name in pairs and not column and rng.random() < 0.85:
            column = width / 2
        else:
            row, column = row + step, 0.0


def zone_card(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A card or visa that carries a zone of TD1, TD2 or MRV size."""
    texts = random_zone(rng)
    size = TD1 if len(texts) == 3 else (TD2 if len(texts[0]) == 36 else VISA)
    sheet = Canvas(*size, scale, paper(rng, size, scale))
    if rng.random() < 0.3:
        hologram(sheet, rng)
    holder = content.foreign(rng)
    left = 5.0
    if rng.random() < 0.5:
        height = size[1] * rng.uniform(0.32, 0.42)
        lay_portrait(sheet, rng, portrait, 4, 8, height * 0.78, height)
        left += height * 0.8
    latin, ink, pale = any_font(rng, held_out), dark_ink(rng), label_ink(rng)
    row, limit = 6.0, size[1] - (26 if len(texts) == 3 else 24)
    while row < limit:
        text = pick(rng, [holder.surname, holder.given, holder.number, content.written(holder.birth, rng), content.sentence(rng, "latin", 4), holder.place[1]])
        sheet.text(left, row, text, latin, rng.uniform(1.2, 2.4), pick(rng, [ink, pale]), limit=size[0] - left - 4)
        row += rng.uniform(3, 5.5)
    if len(texts) == 3 and rng.random() < 0.3:
        barcode(sheet, rng, size[0] - 32, 4, 28, 9)
    # Some cards of the world print their zone in another typewriter face.
    odd = not held_out and rng.random() < 0.2
    print_zone(sheet, rng, texts, size, any_font(rng, held_out, "mono") if odd else canvas.OCR_B)
    return finished(sheet, "card", holder)


def barcode(sheet: Canvas, rng: np.random.Generator, x: float, y: float, width: float, height: float) -> None:
    """Print bars or a two-dimensional code into a box in mm."""
    cells = (int(rng.integers(40, 90)), int(rng.integers(1, 20) if rng.random() < 0.5 else 1))
    bars = (rng.random(cells[::-1]) < 0.5).astype(np.uint8) * 255
    sheet.paste(np.repeat(np.repeat(bars[..., None], 3, 2), 1, 0), x, y, width, height)
