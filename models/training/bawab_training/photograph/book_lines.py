"""Pictures of printed book lines with their text (NAME.png, NAME.gt.txt), as ink drawings and as strips.

The pictures are cut close to the ink and say nothing about the base line, so it is found here: the row with
the most ink in the lower part, and the height above it that tall strokes reach.
"""

from __future__ import annotations

import glob
import os
import subprocess
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import text_content
from . import text_lines

_WESTERN = str.maketrans("٠١٢٣٤٥٦٧٨٩", "0123456789")


def read(folder: str, limit: int | None = None) -> Iterator[tuple[npt.NDArray[np.uint8], str]]:
    """Yield pairs of a grey picture and its text in logical order, without diacritics, by name."""
    for path in sorted(glob.glob(os.path.join(folder, "*.png")))[:limit]:
        with open(path[:-4] + ".gt.txt", encoding="utf-8") as file:
            text = text_content.clean(file.read())
        yield cv2.imread(path, cv2.IMREAD_GRAYSCALE), text_content.plain(text)


def glyph_box(picture: npt.NDArray[np.uint8]) -> tuple[int, float]:
    """The base line's row and the height of an alef, in pixels of a picture of dark print."""
    ink = (picture < 140).astype(np.uint8)
    rows = ink.sum(1).astype(np.float32)
    height = len(rows)
    soft = cv2.GaussianBlur(rows[:, None], (1, 5), 0)[:, 0]
    low = height // 3
    peak = low + int(np.argmax(soft[low:]))
    # The joining stroke ends where the ink falls to half.
    base = peak
    while base < height - 1 and soft[base] > 0.5 * soft[peak]:
        base += 1
    count, _, boxes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    tops = [base - top for _, top, _, high, area in boxes[1:count] if top + high > peak - 2 and top < peak and area > 8]
    return base, float(np.percentile(tops, 75)) if tops else 0.5 * height


def fold(text: str) -> str:
    """text with digits by value and single spaces, as both engines are judged."""
    return " ".join(text_content.clean(text).translate(_WESTERN).split())


def label(text: str) -> str:
    """The label of a book line: its digits, Western in the text, are printed as Arabic-Indic ones."""
    return text_content.label(text.translate(text_content.ARABIC_DIGITS), rtl=True)


def inks(folder: str) -> list[text_lines.Ink]:
    """The lines of a folder as Ink for training."""
    found = []
    for picture, text in read(folder):
        base, tall = glyph_box(picture)
        zoom = text_lines.CAP / tall
        rows = text_lines.ABOVE + text_lines.BELOW
        matrix = np.float32([[zoom, 0, text_lines.SIDE], [0, zoom, text_lines.ABOVE - base * zoom]])
        size = int(picture.shape[1] * zoom) + 2 * text_lines.SIDE, rows
        cover = cv2.warpAffine(255 - picture, matrix, size, flags=cv2.INTER_AREA)
        found.append(text_lines.Ink(cover, label(text), "book"))
    return found


def strip(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The strip of a line picture, as the service would cut it from a known glyph box."""
    base, tall = glyph_box(picture)
    zoom = text_lines.STRIP_CAP / tall
    width = int(np.ceil((picture.shape[1] * zoom + 2 * text_lines.MARGIN) / text_lines.COLUMN)) * text_lines.COLUMN
    small = cv2.resize(picture, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
    matrix = np.float32([[1, 0, text_lines.MARGIN], [0, 1, text_lines.BASE_LINE - base * zoom]])
    cut = cv2.warpAffine(small, matrix, (width, text_lines.STRIP_HEIGHT), flags=cv2.INTER_CUBIC, borderValue=255)
    return text_lines.normalise(cut)


def tesseract(picture: npt.NDArray[np.uint8]) -> str:
    """What Tesseract's Arabic model (Debian's tesseract-ocr-ara) reads on a line picture, in logical order, without diacritics."""
    framed = cv2.copyMakeBorder(picture, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255)
    _, data = cv2.imencode(".png", framed)
    command = ["tesseract", "stdin", "stdout", "-l", "ara", "--psm", "7"]
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    result = subprocess.run(command, input=data.tobytes(), capture_output=True, check=True, env=environment)
    return text_content.plain(text_content.clean(result.stdout.decode("utf-8")))
