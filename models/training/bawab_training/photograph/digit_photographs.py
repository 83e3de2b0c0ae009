"""Digit lines of the document photographs with truth, cut by their true places with the errors of a line detector: for measuring and for training."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import digit_text
from . import digit_lines

_FINEST = 32.0  # rows of a band in a Cutting at the most
_FOLD = {ord(sign): str(value) for value, sign in enumerate(digit_text.ARABIC)} | {ord("–"): "-", ord(" "): None}


def cut(grey: npt.NDArray[np.uint8], quad: npt.ArrayLike, jitter: np.random.Generator | None = None) -> tuple[npt.NDArray[np.uint8], float]:
    """Return the normalised strip of the line whose band (TL TR BR BL, picture pixels) is quad, and the strip column of its end.

    jitter, a numpy Generator, moves the quad as a detector's errors would.
    """
    quad = np.asarray(quad, np.float64)
    height = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    length = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    across, down = (quad[1] - quad[0]) / length, (quad[3] - quad[0]) / height
    if jitter is not None:
        grown = jitter.normal(0, 0.06) * height / 2
        shift = jitter.normal(0, 0.04) * height
        quad[:2] += (shift - grown) * down
        quad[2:] += (shift + grown) * down
        left, right = jitter.normal(0, 0.2, 2) * height
        quad[[0, 3]] += left * across
        quad[[1, 2]] += right * across
        quad += jitter.normal(0, 0.02, (4, 2)) * height
        length, height = length + right - left, height + 2 * grown
    span = min(digit_lines.BAND / height * length, digit_lines.LONGEST)
    top = (digit_lines.HEIGHT - digit_lines.BAND) / 2
    left, right, bottom = digit_lines.MARGIN, digit_lines.MARGIN + span, top + digit_lines.BAND
    target = np.float32([[left, top], [right, top], [right, bottom], [left, bottom]])
    fine = int(np.clip(np.ceil(height / digit_lines.BAND - 0.05), 1, 8))
    matrix = cv2.getPerspectiveTransform(np.float32(quad + 0.5), target * fine)
    shift = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]])
    matrix = shift @ matrix @ np.linalg.inv(shift)
    size = digit_lines.WIDTH * fine, digit_lines.HEIGHT * fine
    strip = cv2.warpPerspective(grey, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    strip = cv2.resize(strip, (digit_lines.WIDTH, digit_lines.HEIGHT), interpolation=cv2.INTER_AREA)
    return digit_lines.normalise(strip), right


def outside(shares: np.ndarray, ends: Sequence[float]) -> np.ndarray:
    """Return shares (N x T x C) with blanks for what stands right of the lines, which end at strip columns ends."""
    shares = shares.copy()
    for row, end in zip(shares, ends):
        first = int((end + digit_lines.MARGIN / 2) / digit_lines.COLUMN)
        row[first:] = 0
        row[first:, digit_text.BLANK] = 1
    return shares


@dataclass
class Line:
    """A line of digits of a photograph: normalised strip, column of its end, text by value, role, height in picture pixels, file."""

    strip: npt.NDArray[np.uint8]
    end: float
    text: str
    role: str
    height: float
    file: str


@dataclass
class Cutting:
    """The surroundings of a line of digits: a piece of a photograph, the line's quad in it, and its text by value."""

    picture: npt.NDArray[np.uint8]
    quad: np.ndarray
    text: str

    def sample(self, rng: np.random.Generator) -> digit_lines.Sample:
        """Cut the line anew, as a digit_lines.Sample whose signs' places are not known."""
        strip, _ = cut(self.picture, self.quad.copy(), rng)
        return digit_lines.Sample(strip, self.text, np.zeros((0, 2)), "")


def _height(quad: np.ndarray) -> float:
    return (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2


def lines(folder: str | pathlib.Path, seed: int) -> Iterator[Line]:
    """Yield every Line of digits in folder, which holds photographs and truth.jsonl of bawab_training.photograph.documents."""
    jitter, folder = np.random.default_rng(seed), pathlib.Path(folder)
    with open(folder / "truth.jsonl") as truth:
        for row in map(json.loads, truth):
            grey = None
            for document in row["documents"]:
                for line in document["lines"]:
                    text = line["text"].translate(_FOLD)
                    if not set("0123456789") & set(text) or set(text) - set(digit_text.LABELS):
                        continue
                    if grey is None:
                        grey = cv2.imread(str(folder / row["file"]), cv2.IMREAD_GRAYSCALE)
                    quad = np.array(line["quad"], np.float64)
                    yield Line(*cut(grey, quad, jitter), text, line["role"], _height(quad), row["file"])


def _alone(line: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> bool:
    """Whether no other line with digits stands in the row of line, whose strip would show them."""
    start, end = np.array(line["quad"][0]), np.array(line["quad"][1])
    across, height = (end - start) / np.linalg.norm(end - start), _height(np.array(line["quad"]))
    for other in others:
        away = np.mean(other["quad"], 0) - np.mean(line["quad"], 0)
        if other is not line and any(sign.isdigit() for sign in other["text"]) and abs(np.cross(across, away)) < 1.2 * height:
            return False
    return True


def _piece(grey: npt.NDArray[np.uint8], quad: np.ndarray, text: str) -> Cutting:
    """The Cutting of a line: three bands of it above and below, as many beside it as a strip may show."""
    height = _height(quad)
    around = height * np.array([digit_lines.WIDTH / digit_lines.BAND, 3.0])
    across = (quad[1] - quad[0]) / np.linalg.norm(quad[1] - quad[0])
    far = quad[0] + across * around[0]
    points = np.concatenate([quad, far[None]])
    low = np.clip(np.floor(points.min(0) - around[1]), 0, None).astype(int)
    high = np.ceil(points.max(0) + around[1]).astype(int)
    piece, shrink = grey[low[1] : high[1], low[0] : high[0]], min(1.0, _FINEST / height)
    if shrink < 1:
        piece = cv2.resize(piece, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return Cutting(piece.copy(), (quad - low) * shrink, text)


def cuttings(folder: str | pathlib.Path) -> list[Cutting]:
    """Every readable line of digits in folder, of which no other digits stand in its row, as a Cutting."""
    found, folder = [], pathlib.Path(folder)
    with open(folder / "truth.jsonl") as truth:
        for row in map(json.loads, truth):
            if row.get("covered") or any(document.get("covered") for document in row["documents"]):
                continue
            grey = None
            for document in row["documents"]:
                for line in document["lines"]:
                    text = line["text"].translate(_FOLD)
                    if not any(sign.isdigit() for sign in text) or set(text) - set(digit_text.LABELS) or not _alone(line, document["lines"]):
                        continue
                    if grey is None:
                        grey = cv2.imread(str(folder / row["file"]), cv2.IMREAD_GRAYSCALE)
                    found.append(_piece(grey, np.array(line["quad"], np.float64), text))
    return found
