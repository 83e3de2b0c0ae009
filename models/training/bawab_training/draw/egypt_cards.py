"""The Egyptian national ID, front and back, as flat sheets: layouts that vary around the coordinates of open projects.

Nobody has confirmed these millimetres on specimens, so every position, size, face and colour is drawn from a range: what
learns from these sheets must not depend on one layout. Sizes in millimetres, y grows downwards.
"""

import colorsys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from . import arabic_fonts, canvas, degrade, egypt_content, patterns
from .canvas import Canvas
from .content import pick
from .egypt_content import Content
from .pages import TD1, Page, dark_ink, finished, hologram

WIDTH, HEIGHT = TD1


@dataclass
class Press:
    """How one card is printed: fonts of Arabic, figures and Latin, inks, stroke weight in pixels and glyph stretch."""

    held_out: bool
    arabic: str
    digits: str
    latin: str
    ink: tuple[int, ...]
    pale: tuple[int, ...]
    weight: int
    stretch: float

    def face(self, rng: np.random.Generator, text: str, figures: bool = False) -> str:
        """The card's Arabic font (or that of its figures), or another one where that lacks a sign of text."""
        font = self.digits if figures else self.arabic
        for _ in range(60):
            known = arabic_fonts.signs(font)
            if all(ord(sign) in known for sign in text if sign != " "):
                return font
            font = arabic_fonts.draw(rng, self.held_out)
        raise ValueError(f"print {text!r}: no font has all of its signs")


def press(rng: np.random.Generator, scale: float, held_out: bool) -> Press:
    """Draw the printing of one card at scale pixels per millimetre."""
    arabic = arabic_fonts.draw(rng, held_out)
    digits = arabic if rng.random() < 0.55 else arabic_fonts.draw(rng, held_out)
    latin = pick(rng, canvas.fonts("latin" if rng.random() < 0.7 else "mono", held_out))
    ink = dark_ink(rng, 5, 85) if rng.random() < 0.8 else pick(rng, [(20, 25, 80), (70, 20, 25), (25, 60, 40), (60, 40, 20)])
    pale = dark_ink(rng, 30, 130) if rng.random() < 0.5 else ink
    stretch = 1.0 if rng.random() < 0.6 else rng.uniform(0.82, 1.15)
    return Press(held_out, arabic, digits, latin, ink, pale, int(rng.random() < 0.15 and scale > 9), stretch)


def _tint(rng: np.random.Generator, hue: float, deep: float) -> tuple[int, ...]:
    """A light colour of about that hue; deep 0 to 1 makes it stronger."""
    saturation, value = rng.uniform(0.04, 0.15 + 0.45 * deep), rng.uniform(0.98 - 0.3 * deep, 1.0)
    return tuple(int(255 * v) for v in colorsys.hsv_to_rgb((hue + rng.normal(0, 0.05)) % 1, saturation, value))


def colours(rng: np.random.Generator, hues: Sequence[float]) -> list[tuple[int, ...]]:
    """Two to four light colours: of the card's usual hues (0 to 1) in a half of the cases, else of any."""
    if rng.random() < 0.5:
        hues = rng.random(3).tolist()
    deep = rng.random() ** 1.5
    return [_tint(rng, pick(rng, hues), deep) for _ in range(int(rng.integers(2, 5)))]


def _pyramids(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> None:
    """Draw two or three pyramids and, beside them, something that may be a sphinx, in place."""
    height, width = image.shape[:2]
    ground = rng.uniform(0.55, 0.95) * height
    tone = tuple(int(v) for v in rng.integers(90, 225, 3))
    for _ in range(int(rng.integers(1, 4))):
        x, half = rng.uniform(0.1, 0.9) * width, rng.uniform(0.08, 0.28) * width
        top = ground - half * rng.uniform(0.8, 1.3)
        side = tuple(int(v * 0.88) for v in tone)
        cv2.fillPoly(image, [np.array([[x - half, ground], [x, top], [x + half * 0.3, ground]], np.int32)], tone, cv2.LINE_AA)
        cv2.fillPoly(image, [np.array([[x + half * 0.3, ground], [x, top], [x + half, ground]], np.int32)], side, cv2.LINE_AA)
    if rng.random() < 0.7:
        x, size = rng.uniform(0.2, 0.8) * width, rng.uniform(0.08, 0.2) * height
        head, body = (int(x), int(ground - 1.4 * size)), (int(x + 1.2 * size), int(ground - 0.4 * size))
        cv2.ellipse(image, body, (int(1.6 * size), int(0.5 * size)), 0, 0, 360, side, -1, cv2.LINE_AA)
        cv2.ellipse(image, head, (int(0.55 * size), int(0.75 * size)), 0, 0, 360, tone, -1, cv2.LINE_AA)
        cv2.ellipse(image, head, (int(0.3 * size), int(0.45 * size)), 0, 0, 360, side, max(1, int(size / 12)), cv2.LINE_AA)


def _eagle(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> None:
    """Draw spread wings with a shield between them, in place."""
    height, width = image.shape[:2]
    x, y, size = rng.uniform(0.1, 0.9) * width, rng.uniform(0.2, 0.8) * height, rng.uniform(0.08, 0.3) * height
    tone = tuple(int(v) for v in rng.integers(90, 225, 3))
    for side in (-1, 1):
        for feather in range(6):
            tip = [x + side * size * (1 - 0.08 * feather), y - size * (0.7 - 0.28 * feather)]
            root = [x + side * size * 0.15, y - size * (0.2 - 0.05 * feather)]
            cv2.line(image, tuple(np.int32(root)), tuple(np.int32(tip)), tone, max(1, int(size * 0.09)), cv2.LINE_AA)
    cv2.ellipse(image, (int(x), int(y)), (int(size * 0.22), int(size * 0.45)), 0, 0, 360, tone, -1, cv2.LINE_AA)
    cv2.circle(image, (int(x), int(y - size * 0.55)), max(1, int(size * 0.15)), tone, -1, cv2.LINE_AA)


def _radial(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> None:
    """Draw a screen of rings and rays, the pattern that stays out of training, in place."""
    height, width = image.shape[:2]
    centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    tone = tuple(int(v) for v in rng.integers(110, 215, 3))
    step = rng.uniform(0.012, 0.03) * width
    for ring in range(int(1.3 * width / step)):
        cv2.circle(image, centre, int((ring + 1) * step), tone, 1, cv2.LINE_AA)
    for angle in np.arange(0, 2 * np.pi, rng.uniform(0.05, 0.2)):
        end = (int(centre[0] + 1.3 * width * np.cos(angle)), int(centre[1] + 1.3 * width * np.sin(angle)))
        cv2.line(image, centre, end, tone, 1, cv2.LINE_AA)


def paper(
    rng: np.random.Generator, size: tuple[float, float], scale: float, hues: Sequence[float], held_out: bool
) -> npt.NDArray[np.uint8]:
    """Printed paper of a card of size millimetres in about the given hues."""
    pixels = (round(size[0] * scale), round(size[1] * scale))
    chosen = colours(rng, hues)
    if rng.random() < 0.08:
        image = patterns.blend(rng, pixels, chosen[:2])
    else:
        image = patterns.security(rng, pixels, scale, chosen)
    layer = image.copy()
    for draw, share in ((_pyramids, 0.5), (_eagle, 0.4)):
        if rng.random() < share:
            draw(rng, layer)
    if held_out and rng.random() < 0.5:
        _radial(rng, layer)
    return cv2.addWeighted(image, 1 - (share := rng.uniform(0.15, 0.55)), layer, share, 0)


def engrave(
    sheet: Canvas, rng: np.random.Generator, portrait: npt.NDArray[np.uint8] | None, x: float, y: float, width: float, height: float
) -> None:
    """Lay a portrait (RGB or None) at (x, y) mm: engraved in grey through the print below, in colour now and then."""
    if portrait is None:
        portrait = patterns.blend(rng, (60, 76), [tuple(rng.integers(60, 220, 3)) for _ in range(3)])
    size = (max(2, round(width * sheet.scale)), max(2, round(height * sheet.scale)))
    box = (round(x * sheet.scale), round(y * sheet.scale))
    tile = cv2.resize(portrait, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.8:
        grey = cv2.cvtColor(tile, cv2.COLOR_RGB2GRAY)
        grey = degrade.contrast(grey, rng.uniform(0.7, 1.2), rng.uniform(-10, 25))
        below = np.asarray(sheet.image.crop((*box, box[0] + size[0], box[1] + size[1])))
        ink = np.array(dark_ink(rng, 0, 60), np.float32)
        light = (grey.astype(np.float32) / 255)[..., None]
        veil = below * (1 - (share := rng.uniform(0, 0.8))) + 250 * share
        tile = np.clip(ink * (1 - light) + veil * light, 0, 255).astype(np.uint8)
    sheet.image.paste(canvas.Image.fromarray(tile), box)
    if rng.random() < 0.3:
        frame = [box[0], box[1], box[0] + size[0], box[1] + size[1]]
        sheet.draw.rectangle(frame, outline=dark_ink(rng, 40, 160), width=max(1, round(0.15 * sheet.scale)))


def _bar_row(rng: np.random.Generator, words: int) -> list[int]:
    """One row of a stacked bar code: start, words of 17 modules in four bars and four gaps, stop."""
    def run(widths: Iterable[int]) -> list[int]:
        return [module for k, wide in enumerate(widths) for module in [1 - k % 2] * wide]

    row = run([8, 1, 1, 1, 1, 1, 1, 3])
    for _ in range(words):
        cuts = np.sort(rng.permutation(np.arange(1, 17))[:7])
        row += run(np.diff([0, *cuts, 17]))
    return row + run([7, 1, 1, 3, 1, 1, 1, 2, 1])


def stacked_code(sheet: Canvas, rng: np.random.Generator, x: float, y: float, width: float, height: float) -> None:
    """Print a two-dimensional bar code of stacked rows into a box in mm."""
    words, rows = int(rng.integers(6, 22)), int(rng.integers(8, 40))
    modules = np.array([_bar_row(rng, words) for _ in range(rows)], np.uint8)
    size = (max(2, round(width * sheet.scale)), max(2, round(height * sheet.scale)))
    dark = cv2.resize(modules * 255, size, interpolation=cv2.INTER_AREA if size[0] < modules.shape[1] else cv2.INTER_NEAREST)
    tile = canvas.Image.new("RGB", size, dark_ink(rng, 0, 60))
    box = (round(x * sheet.scale), round(y * sheet.scale))
    if rng.random() < 0.4:
        pad = round(rng.uniform(0.3, 1.2) * sheet.scale)
        sheet.draw.rectangle([box[0] - pad, box[1] - pad, box[0] + size[0] + pad, box[1] + size[1] + pad], fill=(240, 240, 238))
    sheet.image.paste(tile, box, canvas.Image.fromarray(dark))


def write(
    sheet: Canvas, rng: np.random.Generator, style: Press, role: str, text: str, x: float, y: float, height: float, anchor: str = "r",
    limit: float | None = None, colour: tuple[int, ...] | None = None,
) -> float:
    """Print an Arabic line of a role; a text too long for limit mm is set narrower first, then smaller."""
    font = style.face(rng, text)
    stretch = style.stretch
    natural = canvas.measure(text, font, height)
    if limit and natural * stretch > limit:
        stretch = max(0.72, limit / natural) if rng.random() < 0.6 else stretch
    return sheet.text(x, y, text, font, height, colour or style.ink, anchor, limit / stretch if limit else None, role=role, weight=style.weight, stretch=stretch)


def write_number(
    sheet: Canvas, rng: np.random.Generator, style: Press, text: str, x: float, y: float, height: float, limit: float, groups: bool = True
) -> None:
    """Print the fourteen digits, right end at x, in groups and with tracking by chance."""
    shown = egypt_content.grouped(rng, text) if groups else text
    tracking = rng.uniform(0, 0.25) * height if rng.random() < 0.6 else rng.uniform(0, 0.6) * height
    # However it is spaced, a number is no longer than about 22 of its heights.
    gaps = len(shown.split()) - 1
    gap = min(height * rng.uniform(0.35, 1.6), max(0.3 * height, (22 * height - 14 * (0.55 * height + tracking)) / max(1, gaps)))
    sheet.figures(x, y, shown, style.face(rng, shown, True), height, style.ink, tracking, gap, "r", limit, "number", style.weight)


def write_date(
    sheet: Canvas, rng: np.random.Generator, style: Press, role: str, text: str, x: float, y: float, height: float, anchor: str = "l",
    limit: float | None = None, colour: tuple[int, ...] | None = None,
) -> None:
    """Print a date of a role."""
    sheet.figures(x, y, text, style.face(rng, text, True), height, colour or style.ink, rng.uniform(0, 0.15) * height, height * 0.5, anchor, limit, role, style.weight)


def worn(rng: np.random.Generator, image: npt.NDArray[np.uint8], scale: float) -> npt.NDArray[np.uint8]:
    """Scratches, specks, rubbed ink and edges of a card that was carried for years; returns a new picture."""
    height, width = image.shape[:2]
    image = image.copy()
    layer = image.copy()
    for _ in range(int(rng.integers(0, 9))):
        start = np.array([rng.uniform(0, width), rng.uniform(0, height)])
        end = start + rng.normal(0, 0.25 * width, 2)
        tone = int(rng.integers(170, 256) if rng.random() < 0.7 else rng.integers(60, 150))
        cv2.line(layer, tuple(np.int32(start)), tuple(np.int32(end)), (tone,) * 3, max(1, round(scale * rng.uniform(0.02, 0.1))), cv2.LINE_AA)
    image = cv2.addWeighted(image, 1 - (share := rng.uniform(0.1, 0.5)), layer, share, 0)
    for _ in range(int(rng.integers(0, 30))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(image, centre, max(1, round(scale * rng.uniform(0.03, 0.15))), tuple(int(v) for v in rng.integers(60, 245, 3)), -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        field = patterns.smooth_field(rng, (width // 6, height // 6), int(rng.integers(3, 12)))
        rubbed = (np.clip((field - 0.6) * 3, 0, 1) * rng.uniform(0.05, 0.35) * 255).astype(np.uint8)
        veil = canvas.Image.fromarray(cv2.resize(rubbed, (width, height), interpolation=cv2.INTER_LINEAR))
        faded = canvas.Image.fromarray(image)
        faded.paste((235, 235, 235), (0, 0, width, height), veil)
        image = np.asarray(faded)
    return image


def bound(sheet: Canvas, rng: np.random.Generator, kind: str, content: Content) -> Page:
    """The finished page: a hologram over the print and traces of use by chance."""
    if rng.random() < 0.3:
        hologram(sheet, rng)
    page = finished(sheet, kind, content)
    if rng.random() < 0.5:
        page.image = worn(rng, page.image, sheet.scale)
    if rng.random() < 0.3:
        page.image = degrade.defocus(page.image, rng.uniform(0.3, 0.09 * sheet.scale))
    return page


def front(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The front of a national ID with a content of egypt_content.id_front, or a drawn one."""
    content = content or egypt_content.id_front(rng, egypt_content.person(rng))
    sheet = Canvas(*TD1, scale, paper(rng, TD1, scale, (0.58, 0.11, 0.55), held_out))
    style = press(rng, scale, held_out)
    engrave(sheet, rng, portrait, rng.uniform(0.03, 0.08) * WIDTH, rng.uniform(0.07, 0.2) * HEIGHT, rng.uniform(0.2, 0.27) * WIDTH, rng.uniform(0.42, 0.56) * HEIGHT)
    right, left = rng.uniform(0.925, 0.985) * WIDTH, rng.uniform(0.33, 0.42) * WIDTH
    centred = rng.random() < 0.08
    x, anchor, limit = ((left + right) / 2, "m", right - left) if centred else (right, "r", right - left)
    row = _headers(sheet, rng, style, content, (left, right))
    large = rng.uniform(1.9, 3.3)
    names = [line for line in content.lines if line[0].startswith("name_")]
    row = max(row + rng.uniform(1.5, 2.2) * large, rng.uniform(0.26, 0.33) * HEIGHT)
    step = min(rng.uniform(0.085, 0.13) * HEIGHT, (0.56 * HEIGHT - row) / len(names))
    for index, (role, text) in enumerate(names):
        write(sheet, rng, style, role, text, x, row + index * step, min(large * rng.uniform(0.95, 1.1), 0.72 * step), anchor, limit)
    row += (len(names) - 1) * step
    row = max(row + 1.05 * step, rng.uniform(0.52, 0.6) * HEIGHT)
    step = min(rng.uniform(0.085, 0.12) * HEIGHT, (0.75 * HEIGHT - row))
    small = min(large * rng.uniform(0.8, 1.05), 0.72 * step)
    for index, role in enumerate(("address_1", "address_2")):
        write(sheet, rng, style, role, content.text(role), x, row + index * step, small, anchor, limit)
    base = max(rng.uniform(0.82, 0.9) * HEIGHT, row + step + 4.5)
    write_number(sheet, rng, style, content.text("number"), rng.uniform(0.92, 0.98) * WIDTH, min(base, 0.95 * HEIGHT), rng.uniform(2.2, 3.5), rng.uniform(46, 50))
    _corner(sheet, rng, style, content)
    return bound(sheet, rng, "national_id_front", content)


def _headers(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float]) -> float:
    """Print the two title lines; returns the last base line."""
    size, row = rng.uniform(1.5, 2.7), rng.uniform(0.06, 0.1) * HEIGHT
    colour = style.pale if rng.random() < 0.5 else pick(rng, [(150, 20, 30), (20, 60, 120), (20, 90, 50), (10, 10, 10)])
    middle = rng.random() < 0.4
    x = (span[0] + span[1]) / 2 if middle else span[1]
    for role in ("header_1", "header_2"):
        if content.text(role):
            write(sheet, rng, style, role, content.text(role), x, row, size, "m" if middle else "r", span[1] - span[0], colour)
            last, row = row, row + size * rng.uniform(1.5, 2.2)
    return last


def _corner(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content) -> None:
    """Print birth date and serial at the left below the portrait, the date fainter where its image shows another thing."""
    left, row = rng.uniform(0.03, 0.09) * WIDTH, rng.uniform(0.78, 0.87) * HEIGHT
    if content.text("birth"):
        paler = tuple(int(v + (200 - v) * (rng.uniform(0, 0.6) if rng.random() < 0.4 else 0)) for v in style.ink)
        write_date(sheet, rng, style, "birth", content.text("birth"), left, row, rng.uniform(1.4, 2.3), "l", 0.3 * WIDTH, paler)
    if content.text("serial"):
        size = rng.uniform(1.3, 2.2)
        base = max(row + size + rng.uniform(1.2, 2.6), rng.uniform(0.91, 0.965) * HEIGHT)
        sheet.text(left + rng.normal(0, 1) ** 2, min(base, HEIGHT - 1.0), content.text("serial"), style.latin, size, style.ink, "l", 0.3 * WIDTH, role="serial", weight=style.weight)


def back(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The back of a national ID with a content of egypt_content.id_back, or a drawn one; it carries no portrait."""
    content = content or egypt_content.id_back(rng, egypt_content.person(rng))
    sheet = Canvas(*TD1, scale, paper(rng, TD1, scale, (0.14, 0.11, 0.16), held_out))
    style = press(rng, scale, held_out)
    right, left = rng.uniform(0.8, 0.97) * WIDTH, rng.uniform(0.05, 0.24) * WIDTH
    large, row = rng.uniform(1.8, 2.9), rng.uniform(0.075, 0.12) * HEIGHT
    size = large * rng.uniform(0.95, 1.25)
    dated = rng.uniform(0.03, 0.2) * WIDTH
    write_date(sheet, rng, style, "issued", content.text("issued"), dated, row + rng.normal(0, 0.25), size * rng.uniform(0.7, 1), "l", 0.2 * WIDTH)
    taken = sheet.lines[-1].quad[1, 0] / scale + 3
    write_number(sheet, rng, style, content.text("number"), rng.uniform(0.85, 0.975) * WIDTH, row, size, min(50, 0.85 * WIDTH - taken))
    step, closing = rng.uniform(0.08, 0.098) * HEIGHT, rng.random() < 0.4
    large = min(large, 0.68 * step)
    for role in ("job_1", "job_2"):
        row += 0 if closing and not content.text(role) else step
        if content.text(role):
            write(sheet, rng, style, role, content.text(role), right, row, large, "r", right - left)
    row += step
    _status(sheet, rng, style, content, (left, right), row, large)
    row += 0 if closing and not content.text("husband") else step
    if content.text("husband"):
        _husband(sheet, rng, style, content, right, row, large, right - left)
    row += step
    if content.text("expiry"):
        _expiry(sheet, rng, style, content, (left, right), row, large)
    if rng.random() < 0.93:
        top = max(row + rng.uniform(1, 3), rng.uniform(0.57, 0.65) * HEIGHT)
        start, end = rng.uniform(0.04, 0.15) * WIDTH, rng.uniform(0.85, 0.96) * WIDTH
        stacked_code(sheet, rng, start, top, end - start, rng.uniform(0.9, 0.96) * HEIGHT - top)
    return bound(sheet, rng, "national_id_back", content)


def _status(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float], row: float, size: float
) -> None:
    """Print sex, religion and marital status on one row from the right to the left."""
    left, right = span
    width = right - left
    places = (right, right - width * rng.uniform(0.26, 0.4), right - width * rng.uniform(0.56, 0.72))
    free = right
    for role, x in zip(("sex", "religion", "marital"), places):
        if content.text(role):
            x = min(x, free)
            wide = write(sheet, rng, style, role, content.text(role), x, row + rng.normal(0, 0.12), size, "r", 0.26 * width)
            free = x - wide - rng.uniform(1.2, 2.5) * size


def _husband(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, right: float, row: float, size: float, limit: float
) -> None:
    label, name = content.text("husband_label"), content.text("husband")
    if label:
        wide = write(sheet, rng, style, "husband_label", label, right, row, size * rng.uniform(0.8, 1), "r", limit / 3)
        gap = rng.uniform(0.8, 2.5)
        write(sheet, rng, style, "husband", name, right - wide - gap, row, size, "r", limit - wide - gap)
        join(sheet, gap, size)
    else:
        write(sheet, rng, style, "husband", name, right, row, size, "r", limit)


def _expiry(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float], row: float, size: float
) -> None:
    left, right = span
    wide = write(sheet, rng, style, "expiry_label", content.text("expiry_label"), right, row, size * rng.uniform(0.85, 1), "r", 0.55 * (right - left))
    gap = rng.uniform(1.0, 14.0)
    write_date(sheet, rng, style, "expiry", content.text("expiry"), right - wide - gap, row, size * rng.uniform(0.85, 1.1), "r", right - wide - gap - 2)
    join(sheet, gap, size)


def join(sheet: Canvas, gap: float, size: float) -> None:
    """Make one line of the last two, the first at the right, where the gap between them (mm) is no wider than a word space's."""
    if gap > 0.9 * size:
        return
    label, value = sheet.lines[-2:]
    label.role, label.text = f"{label.role}+{value.role}", f"{label.text} {value.text}"
    label.quad[0, 0] = label.quad[3, 0] = value.quad[0, 0]
    sheet.lines.pop()
