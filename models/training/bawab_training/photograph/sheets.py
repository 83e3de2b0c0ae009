"""Sheets of print that cards are laid on, as the document finder sees them: letters, forms, tables, newspapers, leaflets, notebooks.

So small a picture shows print as rows of strokes; half of the sheets are those of papers, whose rows are words. RGB arrays.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from . import papers
from ..draw import patterns
from ..draw.content import pick
from ..draw.pages import dark_ink

LONG = 560  # pixels of the longer side


def _row(
    rng: np.random.Generator, sheet: npt.NDArray[np.uint8], left: float, right: float, base: float, height: float, ink: tuple[int, ...]
) -> None:
    """A row of words, each a run of strokes of height pixels, ragged at its ends."""
    x, right = left + rng.uniform(0, 0.05) * (right - left), right - rng.exponential(0.08) * (right - left)
    while x < right:
        end = min(x + height * rng.uniform(1.2, 6), right)
        strokes = np.arange(x, end, max(1.0, height * rng.uniform(0.35, 0.7)))
        for stroke in strokes:
            low, high = base - height * rng.uniform(0.2, 1), base + height * rng.uniform(-0.1, 0.25)
            cv2.line(sheet, (round(stroke), round(low)), (round(stroke + height * rng.uniform(-0.3, 0.5)), round(high)), ink, 1, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.line(sheet, (round(x), round(base)), (round(end), round(base)), ink, max(1, round(height / 6)), cv2.LINE_AA)
        x = end + height * rng.uniform(0.4, 1.1)


def _paragraphs(
    rng: np.random.Generator, sheet: npt.NDArray[np.uint8], box: tuple[float, float, float, float], height: float, ink: tuple[int, ...]
) -> None:
    left, top, right, bottom = box
    step, base = height * rng.uniform(1.7, 2.8), top + 1.5 * height
    while base < bottom:
        _row(rng, sheet, left, right, base, height, ink)
        base += step * (1 if rng.random() < 0.88 else rng.uniform(1.4, 3))


def _table(
    rng: np.random.Generator, sheet: npt.NDArray[np.uint8], box: tuple[float, float, float, float], height: float, ink: tuple[int, ...]
) -> None:
    """Ruled rows and columns, most cells with a word."""
    left, top, right, bottom = box
    columns = np.sort(np.concatenate([[left, right], rng.uniform(left, right, int(rng.integers(1, 6)))]))
    rows = np.arange(top, bottom, height * rng.uniform(2.2, 4))
    line = tuple(int(v) for v in rng.integers(40, 180, 3))
    if rng.random() < 0.4 and len(rows) > 1:
        cv2.rectangle(sheet, (round(left), round(rows[0])), (round(right), round(rows[1])), tuple(int(v) for v in rng.integers(120, 245, 3)), -1)
    for y in rows:
        cv2.line(sheet, (round(left), round(y)), (round(right), round(y)), line, 1)
    for x in columns:
        cv2.line(sheet, (round(x), round(rows[0])), (round(x), round(rows[-1])), line, 1)
    for y in rows[1:]:
        for low, high in zip(columns, columns[1:]):
            if high - low > 4 * height and rng.random() < 0.8:
                _row(rng, sheet, low + height, low + (high - low) * rng.uniform(0.4, 0.95), y - 0.7 * height, height, ink)


def _picture(
    rng: np.random.Generator, sheet: npt.NDArray[np.uint8], box: tuple[float, float, float, float], photograph: npt.NDArray[np.uint8] | None
) -> None:
    """A photograph, or an area of colours."""
    left, top, right, bottom = (round(v) for v in box)
    size = (right - left, bottom - top)
    if photograph is not None and rng.random() < 0.7:
        image = cv2.resize(photograph, size, interpolation=cv2.INTER_AREA)
    else:
        image = patterns.blend(rng, size, [tuple(int(v) for v in rng.integers(0, 256, 3)) for _ in range(3)])
    sheet[top:bottom, left:right] = image


def _frame(
    rng: np.random.Generator, sheet: npt.NDArray[np.uint8], box: tuple[float, float, float, float], height: float, ink: tuple[int, ...]
) -> None:
    """A box with a word, or a row of boxes for a digit each."""
    left, top, right, _ = box
    count, side = int(rng.choice([1, 1, 10, 14])), height * rng.uniform(1.8, 3)
    wide = min((right - left) / count, side if count > 1 else right - left)
    for k in range(count):
        cv2.rectangle(sheet, (round(left + k * wide), round(top)), (round(left + (k + 1) * wide), round(top + side)), ink, 1)
    if rng.random() < 0.7:
        _row(rng, sheet, left + height / 2, left + count * wide - height / 2, top + 0.75 * side, 0.7 * height, ink)


def _composed(rng: np.random.Generator, photograph: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint8]:
    """Blocks of print in one to three columns."""
    size = (round(LONG * rng.uniform(0.62, 0.8)), LONG)
    if rng.random() < 0.25:
        size = size[::-1]
    tone = rng.integers(215, 256) - rng.integers(0, 26, 3) if rng.random() < 0.8 else rng.integers(120, 256, 3)
    sheet = patterns.blend(rng, size, [tuple(int(v) for v in tone), tuple(int(max(v - 8, 0)) for v in tone)])
    if rng.random() < 0.3:  # a band along one side
        deep = round(size[1] * rng.uniform(0.05, 0.2))
        sheet[:deep] = rng.integers(0, 256, 3)
    count, margin = int(rng.integers(1, 4)), size[0] * rng.uniform(0.03, 0.1)
    wide, height = (size[0] - 2 * margin) / count, rng.uniform(2.5, 7)
    ink = dark_ink(rng, 0, 110)
    for column in range(count):
        left, top = margin + column * wide + height, margin * rng.uniform(0.6, 2)
        right = left + wide - 2 * height
        while top < size[1] - margin - 4 * height:
            deep = min(rng.uniform(4, 30) * height, size[1] - margin - top)
            box, draw = (left, top, right, top + deep), rng.random()
            if draw < 0.5:
                _paragraphs(rng, sheet, box, height, ink)
            elif draw < 0.68:
                _table(rng, sheet, box, height, ink)
            elif draw < 0.82:
                _picture(rng, sheet, box, photograph)
            elif draw < 0.9:
                deep = 4 * height
                _frame(rng, sheet, box, height, ink)
            else:
                deep = 5 * height
                _row(rng, sheet, left, right, top + 3 * height, height * rng.uniform(1.5, 3), tuple(int(v) for v in rng.integers(0, 160, 3)))
            top += deep + height * rng.uniform(0.5, 3)
    return sheet


def _ruled(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """A page of a notebook: lines or squares, with writing on some of them."""
    size = (round(LONG * rng.uniform(0.62, 0.8)), LONG)
    sheet = np.full((size[1], size[0], 3), int(rng.integers(215, 256)), np.uint8)
    pitch, line = rng.uniform(8, 26), tuple(int(v) for v in rng.integers(110, 230, 3))
    ink, written = pick(rng, [(20, 30, 120), (30, 30, 30), (150, 20, 30), (70, 70, 80)]), rng.random() * 0.9
    if rng.random() < 0.4:
        for x in np.arange(0, size[0], pitch):
            cv2.line(sheet, (round(x), 0), (round(x), size[1]), line, 1)
    for y in np.arange(pitch * 2, size[1], pitch):
        cv2.line(sheet, (0, round(y)), (size[0], round(y)), line, 1)
        if rng.random() < written:
            _row(rng, sheet, size[0] * 0.1, size[0] * 0.9, y, pitch * rng.uniform(0.4, 0.7), ink)
    return sheet


def draw(rng: np.random.Generator, photograph: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
    """A sheet whose longer side has about LONG pixels; photograph, RGB, may stand on it."""
    kind = rng.random()
    if kind < 0.45:
        return _composed(rng, photograph)
    if kind < 0.6:
        return _ruled(rng)
    printed = pick(rng, [papers.prose, papers.columns, papers.mixed, papers.form])(rng, False).array()
    scale = LONG / max(printed.shape[:2])
    return cv2.resize(printed, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
