"""Cards that stand on their short side: licences as other generators draw them, and badges, which are none of the contract's documents.

No source shows an Egyptian licence that is higher than wide, and none rules it out. Sizes in millimetres, y grows downwards.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from . import egypt_content, egypt_licences, egypt_vehicles
from .canvas import Canvas
from .content import pick
from .egypt_cards import Press, bound, colours, engrave, paper, press, stacked_code, write
from .pages import TD1, Page
from .patterns import blend

SIZE = WIDTH, HEIGHT = TD1[::-1]
_TITLES = {"driving_license": ["رخصة قيادة", "رخصة قيادة خاصة", "رخصه قياده"], "car_license_front": ["رخصة تسيير", "رخصة مركبة", "رخصة سيارة"], "car_license_back": ["بيانات المركبة", "رخصة تسيير"]}
_ROWS = {
    "driving_license": ("number", "nationality_ar", "job", "address", "licence_type", "department", "unit", "condition", "issued", "expiry"),
    "car_license_front": ("plate", "unit", "use", "name_1", "name_2", "nationality", "address", "issued", "expiry", "remark"),
    "car_license_back": ("chassis", "motor", "make", "model", "body", "year", "colour", "fuel", "cylinders", "volume", "examined"),
}
_BADGES = "كارنيه|تصريح دخول|بطاقة عمل|بطاقة طالب|زائر|VISITOR|STAFF|PRESS|STUDENT|EMPLOYEE".split("|")


def _blank(rng: np.random.Generator, scale: float, hues: Sequence[float]) -> tuple[Canvas, Press]:
    """A card with nothing on it, and how it will be printed: on a security print, on one colour or on one that runs into another."""
    style, share = press(rng, scale, False), rng.random()
    if share < egypt_licences.DARK:
        return Canvas(*SIZE, scale, egypt_licences.dark(rng, SIZE, scale, style)), style
    if share < 0.55:
        return Canvas(*SIZE, scale, paper(rng, SIZE, scale, hues, False)), style
    tones = colours(rng, hues)
    return Canvas(*SIZE, scale, blend(rng, (round(WIDTH * scale), round(HEIGHT * scale)), tones[:1] * 2 if rng.random() < 0.6 else tones[:2], 1)), style


def _box(sheet: Canvas, tone: Iterable[int], left: float, top: float, right: float, bottom: float) -> None:
    sheet.draw.rectangle([round(v * sheet.scale) for v in (left, top, right, bottom)], fill=tuple(int(v) for v in tone))


def _head(sheet: Canvas, rng: np.random.Generator, style: Press, titles: Sequence[str]) -> float:
    """Print one or two lines of titles, in a band of their own on most cards; returns the row below in mm."""
    deep, count = rng.uniform(5, 14), int(rng.integers(1, 3))
    tone = rng.integers(0, 256 if rng.random() < 0.3 else 120, 3)
    banded = rng.random() < 0.75
    if banded:
        _box(sheet, tone, 0, 0, WIDTH, deep)
    ink = (250, 250, 250) if banded and tone.mean() < 140 else style.ink
    x, anchor = pick(rng, [(WIDTH / 2, "m"), (WIDTH / 2, "m"), (WIDTH - 3, "r")])
    for row, text in enumerate(["جمهورية مصر العربية", pick(rng, titles)][-count:]):
        write(sheet, rng, style, "title", text, x, deep * (row + 0.7) / count, min(2.6, 0.45 * deep / count), anchor, WIDTH - 6, ink)
    return deep


def _picture(sheet: Canvas, rng: np.random.Generator, portrait: npt.NDArray[np.uint8] | None, top: float) -> float:
    """Lay the portrait below top, a code beside it now and then; returns the row below in mm."""
    wide = rng.uniform(15, 24)
    tall, top = wide * rng.uniform(1.15, 1.4), top + rng.uniform(1, 4)
    x = pick(rng, [(WIDTH - wide) / 2, (WIDTH - wide) / 2, 4, WIDTH - wide - 4])
    engrave(sheet, rng, portrait, x, top, wide, tall)
    if rng.random() < 0.4:
        side = rng.uniform(6, 11)
        stacked_code(sheet, rng, WIDTH - side - 3 if x < WIDTH / 2 else 3, top + 1, side, side)
    return top + tall


def licence(rng: np.random.Generator, scale: float, kind: str, portrait: npt.NDArray[np.uint8] | None = None) -> Page:
    """An upright licence of a kind: a head, on a driving licence the portrait and the names below it, then rows with labels."""
    content = {"driving_license": egypt_vehicles.driving_licence, "car_license_front": egypt_vehicles.car_front, "car_license_back": egypt_vehicles.car_back}[kind](rng)
    sheet, style = _blank(rng, scale, (0.55, 0.9, 0.33))
    row = _head(sheet, rng, style, _TITLES[kind])
    if kind == "driving_license":
        row = _picture(sheet, rng, portrait, row)
        for item in egypt_licences.items(content, ("name_ar", "name_en")):
            row += 3.6
            write(sheet, rng, style, item.role, item.text, WIDTH / 2, row, rng.uniform(1.6, 2.3), "m", WIDTH - 6)
    rows = egypt_licences.labelled(rng, content, _ROWS[kind])
    foot = HEIGHT - (rng.uniform(8, 14) if rng.random() < 0.3 else rng.uniform(2, 4))
    if sum(style.ink) < 500 and rng.random() < 0.35:  # the rows stand on another, light ground
        _box(sheet, rng.integers(200, 256, 3), *((0, row + 1, WIDTH, HEIGHT) if rng.random() < 0.5 else (2, row + 1, WIDTH - 2, foot + 1)))
    if rng.random() < 0.3:
        _box(sheet, style.pale, 2, row + 1, WIDTH - 2, row + 1.3)
    egypt_licences.stack(sheet, rng, style, rows, (3, row + 1.5, WIDTH - 3, foot), rng.uniform(1.3, 2.0), rng.uniform(11, 18) if rng.random() < 0.6 else None)
    if HEIGHT - foot > 6:
        stacked_code(sheet, rng, 5, foot + 2, WIDTH - 10, HEIGHT - foot - 4)
    return bound(sheet, rng, kind, content)


def badge(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None) -> Page:
    """A badge on a lanyard: a head, a portrait, a name and little more."""
    content = egypt_content.id_front(rng, egypt_content.person(rng))
    sheet, style = _blank(rng, scale, rng.random(3).tolist())
    row = _picture(sheet, rng, portrait, _head(sheet, rng, style, _BADGES))
    for text in [content.text("name_1"), pick(rng, egypt_content.JOBS), pick(rng, egypt_content.WORKPLACES), str(int(rng.integers(1000, 10**6)))][: int(rng.integers(1, 5))]:
        row += rng.uniform(4, 7)
        write(sheet, rng, style, "line", text, WIDTH / 2, row, rng.uniform(1.8, 3.2), "m", WIDTH - 6)
    if rng.random() < 0.4:
        _box(sheet, rng.integers(0, 256, 3), 0, HEIGHT - rng.uniform(3, 9), WIDTH, HEIGHT)
    return bound(sheet, rng, "unknown", content)


def draw(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None) -> Page:
    """An upright card: a driving licence in half of the cases, a vehicle licence, or a badge."""
    kind = pick(rng, ["driving_license"] * 5 + ["car_license_front", "car_license_back"] + ["unknown"] * 3)
    return badge(rng, scale, portrait) if kind == "unknown" else licence(rng, scale, kind, portrait)
