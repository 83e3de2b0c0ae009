"""Egyptian licence plates of the design since 2008 as flat sheets.

Lengths are quarter millimetres of the real plate (350 x 170 mm), so that a sheet is as large as a card at the same scale.
Most plates keep to the proportions of real ones, the others vary them widely.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from . import arabic_fonts, canvas, degrade, egypt_cards, egypt_vehicles, patterns
from .canvas import Canvas
from .content import pick
from .egypt_content import Content
from .pages import Page, dark_ink, finished

CAR, MOTORCYCLE = (87.5, 42.5), (62.0, 46.0)
DIGITS = "١٢٣٤٥٦٧٨٩"
LETTERS = egypt_vehicles.PLATE_LETTERS
# Letters that no plate of the rules carries, though plates made to order do at times.
STRANGERS = "تثحخذزشضظغك"
Sign = tuple[str, int, int, int, int]  # a sign, and its left, top, right and bottom in pixels
_CLOSE = 0.3  # share of the groups whose signs do not stand in places of one width


@dataclass(frozen=True)
class Print:
    """How the signs of a plate are set: the font file, height of the alef (mm), stretch in width, strokes added (pixels)."""

    font: str
    height: float
    stretch: float
    weight: int
    slant: float = 0.0
    bulge: float = 1.0
    thin: int = 0


@functools.lru_cache(maxsize=600)
def _face(font: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font, size)


@functools.lru_cache(maxsize=400)
def _alef(font: str) -> float:
    return max(0.3, -_face(font, 400).getbbox("ا", anchor="ls")[1] / 400)


def _bent(tile: Image.Image, style: Print) -> Image.Image:
    """A mask with its strokes thinned, slanted, and its parts spread unevenly over its height."""
    mask = np.asarray(tile)
    if style.thin:
        thinner = cv2.erode(mask, np.ones((1 + style.thin,) * 2, np.uint8))
        mask = thinner if thinner.max() > 128 else mask
    height, width = mask.shape
    pad = round(abs(style.slant) * height) + 1
    y, x = np.mgrid[0:height, 0 : width + 2 * pad].astype(np.float32)
    source = ((y / max(1, height - 1)) ** style.bulge * (height - 1)).astype(np.float32)
    return Image.fromarray(cv2.remap(mask, (x - pad + style.slant * (y - height / 2)).astype(np.float32), source, cv2.INTER_LINEAR))


def _glyph(sign: str, style: Print, size: float) -> tuple[Image.Image, int]:
    """The ink of one sign as a mask cut tight, and how far its top lies above the base line, in pixels."""
    font, weight, stretch = style.font, style.weight, style.stretch
    face = _face(font, max(6, round(size / _alef(font))))
    options = {"direction": "rtl"} if sign[0] > "\u0600" and sign[0] not in DIGITS else {}
    left, top, right, bottom = (int(v) for v in face.getbbox(sign, anchor="ls", stroke_width=weight, **options))
    tile = Image.new("L", (max(1, right - left + 2), max(1, bottom - top + 2)))
    ImageDraw.Draw(tile).text((1 - left, 1 - top), sign, font=face, fill=255, anchor="ls", stroke_width=weight, **options)
    box = tile.getbbox() or (0, 0, 1, 1)
    tile = tile.crop(box)
    if style.thin or style.slant or style.bulge != 1:
        tile = _bent(tile, style)
        inner = tile.getbbox() or (0, 0, 1, 1)
        tile = tile.crop((inner[0], 0, inner[2], tile.size[1]))
    return tile.resize((max(2, round(tile.size[0] * stretch)), tile.size[1]), Image.BILINEAR), top - 1 + box[1]


def _shaped(rng: np.random.Generator, sign: str) -> str:
    """The form in which a plate carries a letter: he with two eyes, alef nearly always with its hamza."""
    if sign == "ه" and rng.random() < 0.85:
        return "هـ" if rng.random() < 0.35 else "ه\u200d"
    return "ا" if sign == "أ" and rng.random() < 0.08 else sign


def _inks(
    rng: np.random.Generator, sheet: Canvas, signs: Sequence[str], style: Print, most: float, room: float
) -> list[tuple[Image.Image, int]]:
    """(ink, top above the base line) of each sign, none wider than most and the row no taller than room pixels."""
    for shrink in (1.0, 0.9, 0.8, 0.7, 0.6):
        inks = [_glyph(_shaped(rng, sign), style, style.height * shrink * sheet.scale) for sign in signs]
        if max(rise + ink.size[1] for ink, rise in inks) - min(rise for _, rise in inks) <= room:
            break
    return [(ink.resize((max(2, round(most)), ink.size[1]), Image.BILINEAR) if ink.size[0] > most else ink, rise) for ink, rise in inks]


def _separate(
    sheet: Canvas, rng: np.random.Generator, signs: Sequence[str], box: tuple[float, float, float, float], style: Print,
    colour: tuple[int, ...], role: str, pitch: float = 99.0,
) -> list[Sign]:
    """Print signs apart, given from left to right, in the middle of box (left, top, right, bottom; mm), at most pitch mm apart.

    Returns (sign, left, top, right, bottom) of each in pixels.
    """
    left, top, right, bottom = box
    step = min((right - left) / len(signs), pitch)
    inks, boxes = _inks(rng, sheet, signs, style, 0.94 * step * sheet.scale, (bottom - top) * sheet.scale), []
    high, low = min(rise for _, rise in inks), max(rise + ink.size[1] for ink, rise in inks)
    base = (top + bottom) / 2 * sheet.scale - (high + low) / 2
    middles = (np.arange(len(signs)) + 0.5 - len(signs) / 2) * step * sheet.scale
    if rng.random() < _CLOSE:  # one behind the other as in a line of text, an alef close to an alef
        widths = np.array([ink.size[0] for ink, _ in inks])
        gap = min(rng.uniform(0.12, 0.4) * step * sheet.scale, ((right - left) * sheet.scale - widths.sum()) / max(1, len(signs) - 1))
        ends = np.cumsum(widths + gap)
        middles = ends - gap - widths / 2 - (ends[-1] - gap) / 2
    for sign, (ink, rise), middle in zip(signs, inks, middles + (left + right) / 2 * sheet.scale):
        x, y = round(middle - ink.size[0] / 2), round(base + rise)
        sheet.image.paste(Image.new("RGB", ink.size, colour), (x, y), ink)
        boxes.append((sign, x, y, x + ink.size[0], y + ink.size[1]))
    x0, y0, x1, y1 = (pick(k for k in column) for pick, column in zip((min, min, max, max), list(zip(*boxes))[1:]))
    text = " ".join(reversed(signs)) if role == "letters" else "".join(signs)
    sheet.lines.append(canvas.Line(text, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32), role=role))
    return boxes


def _metal(rng: np.random.Generator, size: tuple[float, float], scale: float) -> npt.NDArray[np.uint8]:
    pixels = (round(size[0] * scale), round(size[1] * scale))
    tone = rng.integers(215, 252)
    image = patterns.blend(rng, pixels, [(tone,) * 3, tuple(int(v) for v in tone - rng.integers(0, 25, 3))])
    if rng.random() < 0.3:  # dirt, or paint that has gone dull in spots
        spots = patterns.smooth_field(rng, pixels, int(rng.integers(6, 30)))[..., None]
        image = np.clip(image - spots * rng.uniform(5, 50), 0, 255).astype(np.uint8)
    return degrade.noise(image, rng.uniform(0, 4), rng, 0.8)


def _frame(
    sheet: Canvas, rng: np.random.Generator, band: float, content: Content, font: str, held_out: bool, ink: tuple[int, ...]
) -> float:
    """The coloured band with the country in two scripts, and the rim."""
    width = sheet.width
    colour = tuple(int(np.clip(v + rng.integers(-25, 26), 0, 255)) for v in content.extra["band"])
    sheet.draw.rectangle([0, 0, sheet.size[0], round(band * sheet.scale)], fill=colour)
    edge = max(1, round(rng.uniform(0.3, 0.9) * sheet.scale))
    sheet.draw.rectangle([0, 0, sheet.size[0] - 1, sheet.size[1] - 1], outline=ink, width=edge)
    if rng.random() < 0.7:
        sheet.draw.line([0, round(band * sheet.scale), sheet.size[0], round(band * sheet.scale)], fill=ink, width=edge)
    latin = pick(rng, canvas.fonts("latin", held_out))
    small = band * rng.uniform(0.38, 0.72)
    country = content.text("country_en")
    if rng.random() < 0.3:
        _emblem(sheet, rng, band)
    sheet.text(width * rng.uniform(0.05, 0.14), band * 0.78, country.capitalize() if rng.random() < 0.2 else country, latin, small, ink, "l", 0.36 * width, role="country_en", weight=1)
    sheet.text(width * rng.uniform(0.84, 0.93), band * 0.74, content.text("country_ar"), font, small, ink, "r", 0.3 * width, role="country_ar", weight=1)
    return edge


def _emblem(sheet: Canvas, rng: np.random.Generator, band: float) -> None:
    """A shield or an eagle in the middle of the band, hardly to be seen at the size of a sign."""
    x, y = sheet.width * rng.uniform(0.4, 0.6), band * rng.uniform(0.4, 0.6)
    high, wide = band * rng.uniform(0.2, 0.42), band * rng.uniform(0.15, 0.4)
    rim = [(-1, -0.6), (-0.6, -0.9), (-0.3, -0.4), (0, -1), (0.3, -0.4), (0.6, -0.9), (1, -0.6), (0.7, 0.3), (0.2, 0.7), (0, 1), (-0.2, 0.7), (-0.7, 0.3)]
    points = [((x + a * wide * rng.uniform(0.8, 1.1)) * sheet.scale, (y + b * high * rng.uniform(0.8, 1.1)) * sheet.scale) for a, b in rim]
    sheet.draw.polygon(points, fill=tuple(int(v) for v in rng.integers(30, 230, 3)))


def _bar(
    sheet: Canvas, rng: np.random.Generator, start: tuple[float, float], end: tuple[float, float], tone: tuple[int, ...], edge: float
) -> None:
    """A bar between groups of signs: a line, now and then one of dots or dashes."""
    if rng.random() < 0.75:
        sheet.draw.line([*start, *end], fill=tone, width=max(1, int(edge * rng.uniform(0.8, 2))))
        return
    parts = int(rng.integers(6, 20))
    radius = max(1, edge * rng.uniform(0.5, 1))
    for k in range(parts):
        x, y = (start[i] + (end[i] - start[i]) * (k + 0.5) / parts for i in (0, 1))
        sheet.draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=tone)


def _spelled(sheet: Canvas, rng: np.random.Generator, boxes: Sequence[Sign], bottom: float, ink: tuple[int, ...]) -> None:
    """Small Latin letters and Western digits below the signs that they stand for, as early plates have."""
    face = _face(pick(rng, canvas.fonts("latin", False)), max(8, round(rng.uniform(0.07, 0.12) * sheet.size[1])))
    for sign, x0, _, x1, _ in boxes:
        text = str(DIGITS.index(sign) + 1) if sign in DIGITS else pick(rng, "ABCDEFGHIJKLMNRSTWY")
        sheet.draw.text(((x0 + x1) / 2, bottom), text, font=face, fill=ink, anchor="ms")


def _one_row(
    sheet: Canvas, rng: np.random.Generator, band: float, edge: float, content: Content, style: Print, other: str, ink: tuple[int, ...]
) -> list[Sign]:
    """Digits at the left, letters at the right, these now and then in another font, often a bar between them."""
    width, height = sheet.width, sheet.height
    middle = width * rng.uniform(0.47, 0.56)
    if rng.random() < 0.75:
        tone = ink if rng.random() < 0.4 else (int(rng.integers(90, 190)),) * 3
        _bar(sheet, rng, (middle * sheet.scale, band * sheet.scale), (middle * sheet.scale, sheet.size[1]), tone, edge)
    room, margin = height - band, rng.uniform(1.5, 5)
    top, bottom = band + room * rng.uniform(0.03, 0.14), height - room * rng.uniform(0.05, 0.22)
    pitch = rng.uniform(0.095, 0.15) * width
    if rng.random() < 0.3:  # signs that stand low
        low = room * rng.uniform(0, 0.16)
        top, bottom = top + low, min(height - 0.02 * room, bottom + low)
    spelled = rng.random() < 0.08
    if spelled:
        bottom = min(bottom, height - 0.24 * room)
    digits = _separate(sheet, rng, list(content.text("digits")), (margin, top, middle - 2, bottom), style, ink, "digits", pitch)
    letters, shift = content.text("letters").split()[::-1], room * rng.uniform(-0.03, 0.05)
    if rng.random() < 0.3:  # letters lower than the digits
        style = replace(style, height=style.height * rng.uniform(0.5, 0.9))
    if rng.random() < 0.15:
        style = replace(style, font=other)
    signs = digits + _separate(sheet, rng, letters, (middle + 2, top + shift, width - margin, bottom + shift), style, ink, "letters", pitch * rng.uniform(1, 1.5))
    if spelled:
        _spelled(sheet, rng, signs, (height - 0.05 * room) * sheet.scale, ink)
    return signs


def _two_rows(sheet: Canvas, rng: np.random.Generator, band: float, content: Content, style: Print, ink: tuple[int, ...]) -> list[Sign]:
    """A motorcycle's plate: letters and digits in a row each."""
    room, margin = sheet.height - band, rng.uniform(4, 10)
    style = replace(style, height=room * rng.uniform(0.18, 0.42), stretch=style.stretch * 1.2)
    left, right, middle = margin, sheet.width - margin, band + room * rng.uniform(0.46, 0.54)
    rows = [(left, band + 0.04 * room, right, middle - 0.01 * room), (left, middle + 0.01 * room, right, band + 0.95 * room)]
    upper, lower = rows if rng.random() < 0.6 else rows[::-1]
    if rng.random() < 0.25:
        _bar(sheet, rng, (0, middle * sheet.scale), (sheet.size[0], middle * sheet.scale), ink, 0.3 * sheet.scale)
    boxes = _separate(sheet, rng, content.text("letters").split()[::-1], upper, style, ink, "letters", rng.choice([0.15, 0.2, 0.3]) * sheet.width)
    return boxes + _separate(sheet, rng, list(content.text("digits")), lower, style, ink, "digits", 0.2 * sheet.width)


def drawn(
    rng: np.random.Generator, scale: float, held_out: bool = False, content: Content | None = None, motorcycles: float = 0.12
) -> tuple[Page, list[Sign]]:
    """(Page of a plate, its signs as (sign, left, top, right, bottom) in pixels): a band with the country, digits and letters."""
    content = content or egypt_vehicles.plate_content(rng)
    size = MOTORCYCLE if rng.random() < motorcycles else CAR
    sheet = Canvas(*size, scale, _metal(rng, size, scale))
    standard = rng.random() < 0.55
    band = size[1] * (rng.uniform(0.33, 0.41) if standard else rng.uniform(0.24, 0.36))
    ink, font = dark_ink(rng, 5, 45), arabic_fonts.draw(rng, held_out)
    edge = _frame(sheet, rng, band, content, font, held_out, ink)
    tall = (size[1] - band) * (rng.uniform(0.5, 0.68) if standard else rng.uniform(0.22, 0.58))
    strokes = round(scale * rng.uniform(0.0, 0.35) * (rng.random() < 0.7))
    style = Print(font, tall, rng.uniform(0.7, 1.3) if standard else rng.uniform(0.7, 1.8), strokes)
    if rng.random() < 0.5 and not held_out:
        style = replace(style, slant=rng.uniform(-0.2, 0.2), bulge=rng.uniform(0.75, 1.35), thin=int(rng.integers(0, 2)) * (strokes == 0))
    if size == MOTORCYCLE:
        signs = _two_rows(sheet, rng, band, content, style, ink)
    else:
        signs = _one_row(sheet, rng, band, edge, content, style, arabic_fonts.draw(rng, held_out), ink)
    _screws(sheet, rng, band)
    if rng.random() < 0.4:
        _rounded(sheet, rng)
    page = finished(sheet, "license_plate", content)
    if rng.random() < 0.6:
        page.image = egypt_cards.worn(rng, page.image, scale)
    return page, signs


def foreign(
    rng: np.random.Generator, scale: float, held_out: bool = False, words: bool = False
) -> tuple[npt.NDArray[np.uint8], list[Sign]]:
    """(RGB picture, signs) of a sheet like a plate with Latin letters and digits; with words, of joined Arabic letters, which are no signs."""
    size = (rng.uniform(60, 100), rng.uniform(20, 44))
    sheet = Canvas(*size, scale, _metal(rng, size, scale))
    ink, font = dark_ink(rng, 5, 60), pick(rng, canvas.fonts("latin", held_out))
    if rng.random() < 0.5:
        sheet.draw.rectangle([0, 0, round(rng.uniform(4, 10) * scale), sheet.size[1]], fill=(20, 60, 160))
    if words:
        for row in range(int(rng.integers(1, 3))):
            text = "".join(pick(rng, "بتثجحسشصطعفقكلمنهي") for _ in range(rng.integers(3, 8)))
            sheet.text(size[0] / 2, size[1] * (0.5 + 0.35 * row), text, arabic_fonts.draw(rng, held_out), size[1] * rng.uniform(0.2, 0.4), ink, "m", 0.8 * size[0])
        return sheet.array(), []
    signs = [pick(rng, "ABCDEFGHIJKLMNOPQRSTUVWXYZ01234567890123456789") for _ in range(rng.integers(4, 9))]
    style = Print(font, size[1] * rng.uniform(0.35, 0.7), rng.uniform(0.7, 1.1), int(rng.integers(0, 2)))
    boxes = _separate(sheet, rng, signs, (8, 2, size[0] - 3, size[1] - 2), style, ink, "digits")
    return sheet.array(), boxes


def result_of(content: Content) -> str:
    """What the service should answer for a plate of that content."""
    digits = "".join(str(arabic_fonts.DIGITS.index(sign)) for sign in content.text("digits"))
    return egypt_vehicles.plate_result(content.text("letters").split(), digits)


def plate(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The Page of a plate."""
    return drawn(rng, scale, held_out, content)[0]


def _rounded(sheet: Canvas, rng: np.random.Generator) -> None:
    """Round the corners: beyond them is what the plate is fixed to."""
    inside = Image.new("L", sheet.size)
    ImageDraw.Draw(inside).rounded_rectangle([0, 0, sheet.size[0] - 1, sheet.size[1] - 1], round(rng.uniform(2, 7) * sheet.scale), fill=255)
    sheet.image.paste(tuple(int(v) for v in rng.integers(0, 256, 3)), (0, 0, *sheet.size), Image.eval(inside, lambda v: 255 - v))


def _screws(sheet: Canvas, rng: np.random.Generator, band: float) -> None:
    for _ in range(int(rng.choice([0, 2, 2, 4]))):
        x, y = pick(rng, [rng.uniform(0.03, 0.1), rng.uniform(0.9, 0.97)]) * sheet.size[0], pick(rng, [0.35 * band / sheet.height, 0.93]) * sheet.size[1]
        radius = rng.uniform(0.8, 1.6) * sheet.scale
        tone = int(rng.integers(60, 250))
        sheet.draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=(tone,) * 3, outline=(tone // 2,) * 3)
