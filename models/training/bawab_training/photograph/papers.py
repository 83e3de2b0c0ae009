"""Pages for the general reader, with their lines in reading order: prose, two columns, forms, letters, signs; scanned or photographed.

    python -m bawab_training.photograph.papers --count 60 --seed 7401 [--held-out] --out DIR

Every picture is NNNN.jpg and one JSON line of truth.jsonl: file, kind (prose, columns, form, mixed, sign), lines in reading
order (text in logical order; quad TL TR BR BL from base line to capital height, pixels), scan (whether it lies flat and
upright), level and glyph, the usual height of a line in pixels. Columns are read one after the other, the right one first
on an Arabic page; a label and its value are one line where a blank separates them.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import arabic_fonts, canvas, degrade, egypt_content, patterns, text_content
from . import photograph
from ..draw.canvas import Canvas
from ..draw.content import pick
from .documents import glyph, outline, rounded, save
from ..draw.pages import Page, dark_ink, finished

SHEETS = ((210.0, 297.0), (210.0, 280.0), (148.0, 210.0), (170.0, 240.0))
WIDE = ((297.0, 210.0), (210.0, 148.0), (280.0, 200.0))
Style = tuple[bool, str, float, float, tuple[int, ...]]  # held out, Arabic font, height and leading of a row, ink
SCALE = 8  # printing resolution, pixels per millimetre


def _font(rng: np.random.Generator, held_out: bool, text: str, wanted: str | None = None) -> str:
    """A font that has every sign of text: wanted where it does."""
    font = wanted
    for _ in range(80):
        if font:
            known = arabic_fonts.signs(font)
            if all(ord(sign) in known for sign in text if sign != " "):
                return font
        arabic = canvas.script_of(text) == "arabic"
        font = arabic_fonts.draw(rng, held_out) if arabic else pick(rng, canvas.fonts("latin", held_out))
    raise ValueError(f"print {text!r}: no font has all of its signs")


def _words(rng: np.random.Generator, arabic: bool, count: int) -> list[str]:
    if not arabic:
        chosen = [pick(rng, text_content.english_words()) for _ in range(count)]
        return [word + pick(rng, ",.;:") if rng.random() < 0.08 else word for word in chosen]
    return text_content.clean(" ".join(text_content.prose(rng, 4, 12) for _ in range(count // 6 + 1))).split()[:count]


def _wrapped(words: Sequence[str], font: str, height: float, width: float) -> list[str]:
    """words broken into lines of at most width mm."""
    lines: list[str] = []
    line: list[str] = []
    for word in words:
        if line and canvas.measure(" ".join([*line, word]), font, height) > width:
            lines.append(" ".join(line))
            line = []
        line.append(word)
    return [*lines, " ".join(line)] if line else lines


def _paragraph(
    sheet: Canvas, rng: np.random.Generator, style: Style, box: tuple[float, float, float, float], arabic: bool, count: int
) -> float:
    """Print count words into box (left, top, right, bottom mm); returns the base line of the last line."""
    left, top, right, bottom = box
    held_out, wanted, height, leading, ink = style
    words = _words(rng, arabic, count)
    font = _font(rng, held_out, " ".join(words), wanted if arabic else None)
    row = top
    for text in _wrapped(words, font, height, right - left):
        if row + height * leading > bottom:
            break
        row += height * leading
        sheet.text(right if arabic else left, row, text, font, height, ink, "r" if arabic else "l", right - left, role="line")
    return row


def _style(rng: np.random.Generator, held_out: bool, height: float) -> Style:
    return held_out, arabic_fonts.draw(rng, held_out), height, rng.uniform(2.1, 2.9), dark_ink(rng, 0, 80)


def _blank(rng: np.random.Generator, size: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """An unprinted sheet: white, yellowish or recycled, seldom tinted."""
    pixels = (round(size[0] * SCALE), round(size[1] * SCALE))
    tone = rng.integers(225, 256)
    tint = (tone, tone - rng.integers(0, 12), tone - rng.integers(0, 30)) if rng.random() < 0.5 else (tone,) * 3
    image = patterns.blend(rng, pixels, [tint, tuple(int(v) - 6 for v in tint)])
    return degrade.noise(image, rng.uniform(0, 3), rng, 0.7)


def _heading(sheet: Canvas, rng: np.random.Generator, held_out: bool, row: float, height: float) -> float:
    """Print a title of a few words; returns its base line."""
    text = " ".join(_words(rng, True, int(rng.integers(2, 6))))
    row += height * 2
    sheet.text(sheet.width / 2, row, text, _font(rng, held_out, text), height, dark_ink(rng), "m", sheet.width - 30, role="line")
    return row


def prose(rng: np.random.Generator, held_out: bool) -> Canvas:
    """One column of Arabic paragraphs."""
    size = pick(rng, SHEETS)
    sheet = Canvas(*size, SCALE, _blank(rng, size))
    margin, style = rng.uniform(14, 26), _style(rng, held_out, size[0] / rng.uniform(70, 100))
    row = _heading(sheet, rng, held_out, margin, style[2] * rng.uniform(1.3, 1.9)) + 4 if rng.random() < 0.7 else margin
    while row < size[1] - margin - 12:
        row = _paragraph(sheet, rng, style, (margin, row, size[0] - margin, size[1] - margin), True, int(rng.integers(15, 70))) + style[2] * rng.uniform(0.6, 2)
        if rng.random() < 0.05:
            break
    return sheet


def columns(rng: np.random.Generator, held_out: bool) -> Canvas:
    """A heading above two columns of Arabic, the right one first."""
    size = pick(rng, SHEETS[:2] + WIDE)
    sheet = Canvas(*size, SCALE, _blank(rng, size))
    margin, gutter, style = rng.uniform(12, 20), rng.uniform(7, 14), _style(rng, held_out, size[0] / rng.uniform(95, 125))
    top = _heading(sheet, rng, held_out, margin, style[2] * 1.8) + 5 if rng.random() < 0.8 else margin
    middle = size[0] / 2
    if rng.random() < 0.4:
        sheet.draw.line([middle * SCALE, top * SCALE, middle * SCALE, (size[1] - margin) * SCALE], fill=(90, 90, 90), width=2)
    for left, right in ((middle + gutter / 2, size[0] - margin), (margin, middle - gutter / 2)):
        row, bottom = top, size[1] - margin - rng.uniform(0, 25)
        while row < bottom - 10:
            row = _paragraph(sheet, rng, style, (left, row, right, bottom), True, int(rng.integers(20, 60))) + style[2] * rng.uniform(0.4, 1.5)
    return sheet


def mixed(rng: np.random.Generator, held_out: bool) -> Canvas:
    """Paragraphs of Arabic and English in turn, numbers among them."""
    size = pick(rng, SHEETS)
    sheet = Canvas(*size, SCALE, _blank(rng, size))
    margin, style = rng.uniform(14, 24), _style(rng, held_out, size[0] / rng.uniform(75, 105))
    row, arabic = margin, rng.random() < 0.6
    while row < size[1] - margin - 12:
        row = _paragraph(sheet, rng, style, (margin, row, size[0] - margin, size[1] - margin), arabic, int(rng.integers(6, 40))) + style[2] * rng.uniform(0.8, 2.5)
        arabic = not arabic if rng.random() < 0.7 else arabic
    return sheet


def _entry(rng: np.random.Generator) -> tuple[str, str]:
    """(label, value) of one row of a form."""
    holder = egypt_content.person(rng)
    name, day = " ".join([holder.first, *holder.rest]), egypt_content.day_between(rng, 1960, 2026)
    return pick(rng, [
        ("الاسم", name), ("الاسم رباعي", name), ("العنوان", " - ".join(holder.address)), ("الرقم القومي", egypt_content.eastern(holder.number)), ("تاريخ الميلاد", egypt_content.eastern(f"{holder.birth:%Y/%m/%d}")),
        ("الوظيفة", pick(rng, egypt_content.JOBS)), ("جهة العمل", pick(rng, egypt_content.WORKPLACES)), ("رقم التليفون", "01" + "".join(str(d) for d in rng.integers(0, 10, 9))),
        ("البريد الإلكتروني", f"{pick(rng, text_content.english_words()).lower().replace(chr(39), '')}@mail.com"), ("المبلغ", egypt_content.eastern(f"{int(rng.integers(10, 99999)):,}") + " جنيه"),
        ("التاريخ", egypt_content.eastern(f"{day:%d/%m/%Y}")), ("رقم الطلب", f"{int(rng.integers(1000, 10**7))}"), ("ملاحظات", " ".join(_words(rng, True, 5))), ("المحافظة", egypt_content.governorate_name(holder.home)),
    ])


def form(rng: np.random.Generator, held_out: bool) -> Canvas:
    """Labels with values, in frames or on lines by chance."""
    size = pick(rng, SHEETS + WIDE[1:2])
    sheet = Canvas(*size, SCALE, _blank(rng, size))
    margin, style = rng.uniform(12, 24), _style(rng, held_out, size[0] / rng.uniform(65, 95))
    height, right = style[2], size[0] - margin
    row = _heading(sheet, rng, held_out, margin, height * 1.5) + 3
    framed, colon = rng.random() < 0.4, pick(rng, [" : ", ": ", " :  "])
    while row < size[1] - margin - 6:
        row += height * rng.uniform(2.3, 3.6)
        label, value = _entry(rng)
        text = text_content.clean(label + colon + value)
        sheet.text(right, row, text, _font(rng, held_out, text, style[1]), height, style[4], "r", right - margin, role="line")
        base = (row + height * 0.9) * SCALE
        if framed:
            sheet.draw.line([margin * SCALE, base, (right + 3) * SCALE, base], fill=(120, 120, 120), width=2)
    return sheet


def sign(rng: np.random.Generator, held_out: bool) -> Canvas:
    """A board of a few large lines, Arabic above English."""
    size = (rng.uniform(180, 320), rng.uniform(90, 200))
    pixels = (round(size[0] * SCALE), round(size[1] * SCALE))
    dark = rng.random() < 0.6
    ground = tuple(int(v) for v in (rng.integers(0, 110, 3) if dark else rng.integers(170, 256, 3)))
    sheet = Canvas(*size, SCALE, np.full((pixels[1], pixels[0], 3), ground, np.uint8))
    ink = (250, 250, 245) if dark else dark_ink(rng, 0, 60)
    if rng.random() < 0.5:
        sheet.draw.rectangle([10, 10, pixels[0] - 10, pixels[1] - 10], outline=ink, width=8)
    count = int(rng.integers(1, 5))
    step = size[1] / (count + 0.8)
    for row in range(count):
        arabic = rng.random() < 0.65
        text = " ".join(_words(rng, True, int(rng.integers(1, 4)))) if arabic else " ".join(word.strip(",.;:").upper() for word in _words(rng, False, int(rng.integers(1, 4))))
        sheet.text(size[0] / 2, step * (row + 0.95), text, _font(rng, held_out, text), step * rng.uniform(0.34, 0.5), ink, "m", size[0] * 0.85, role="line")
    return sheet


MAKERS = {"prose": prose, "columns": columns, "form": form, "mixed": mixed, "sign": sign}


def _scanned(rng: np.random.Generator, page: Page, level: float) -> tuple[npt.NDArray[np.uint8], photograph.View]:
    """A flat scan about 1200 to 2000 pixels high, slightly turned; returns (picture, View)."""
    width, height = page.image.shape[1], page.image.shape[0]
    scale = rng.uniform(1300, 2000) / max(width, height)
    size = (round(width * scale), round(height * scale))
    angle = np.radians(rng.normal(0, 0.5))
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    middle = np.array([[1, 0, size[0] / 2], [0, 1, size[1] / 2], [0, 0, 1.0]])
    view = photograph.View(middle @ turn @ np.diag([scale, scale, 1]) @ np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]]), (width, height))
    picture = np.full((size[1], size[0], 3), 250, np.uint8)
    view.lay(page.image, np.full((height, width), 255, np.uint8), picture)
    return degrade.noise(degrade.defocus(picture, rng.uniform(0.2, 0.9)), rng.uniform(0, 4 + 4 * level), rng), view


def _photographed(
    rng: np.random.Generator, page: Page, level: float, held_out: bool
) -> tuple[npt.NDArray[np.uint8], photograph.View] | None:
    """A photograph in which the page fills most of the picture; None where it does not fit; returns (picture, View)."""
    upright = page.image.shape[0] > page.image.shape[1]
    size = (1200, 1600) if upright else (1600, 1200)
    roll = rng.normal(0, 0.06) if rng.random() < 0.85 else np.pi / 2 * rng.integers(1, 4)
    points = np.concatenate([line.quad for line in page.lines])
    low, high = points.min(0) - 10, points.max(0) + 10
    must = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    bend = rng.uniform(0, 0.012) if rng.random() < 0.4 else 0.0
    view = photograph.place(rng, page, size, rng.uniform(0.55, 1.0), np.radians(18) * rng.random(), roll, bend, 4, must)
    if view is None:
        return None
    picture = cv2.resize(photograph.background(rng, (size[0] // 2, size[1] // 2), held_out=held_out), size, interpolation=cv2.INTER_LINEAR)
    photograph.drop_shadow(rng, picture, view)
    view.lay(page.image, photograph.sheet_alpha(page.image, 2), picture)
    return photograph.spoil(picture, rng, level, glyph(view, page) / 24, glare=False), view


def one(seed: int, index: int, held_out: bool) -> tuple[npt.NDArray[np.uint8], dict[str, Any], int]:
    """One page; returns (picture, truth without its file name, JPEG quality)."""
    for attempt in range(60):
        rng = np.random.default_rng([seed, index, attempt])
        kind = list(MAKERS)[index % len(MAKERS)]
        page = finished(MAKERS[kind](rng, held_out), kind)
        scan, level = kind != "sign" and rng.random() < 0.4, rng.uniform(0, 0.45)
        shot = _scanned(rng, page, level) if scan else _photographed(rng, page, level, held_out)
        if shot and glyph(shot[1], page) >= 11:
            break
    else:
        raise RuntimeError(f"draw page {index}: no view within the rules")
    picture, view = shot
    lines = [{"text": line.text, "quad": rounded(outline(view, line.quad))} for line in page.lines]
    return picture, {"kind": kind, "lines": lines, "scan": bool(scan), "level": round(float(level), 2), "glyph": round(float(glyph(view, page)), 1)}, rng.integers(60, 96)


def build(count: int, seed: int, out: str, held_out: bool) -> None:
    """Write count pages and truth.jsonl into out."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(count):
            picture, truth, quality = one(seed, index, held_out)
            name = f"{index:04d}.jpg"
            save(os.path.join(out, name), picture, quality)
            lines.write(json.dumps({"file": name, **truth}, ensure_ascii=False) + "\n")


def main() -> None:
    """Parse the command line and write pages."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.papers")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=7401)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    build(args.count, args.seed, args.out, args.held_out)


if __name__ == "__main__":
    main()
