"""Rows of a phrase on a document's paper, paler and mostly smaller than its print: a ground, which the detector of lines must not take for lines."""

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from . import canvas, pages
from .content import pick

PHRASES = (
    "EGYPT", "ARAB REPUBLIC OF EGYPT", "TRAFFIC EGYPT", "MINISTRY OF INTERIOR", "MOI", "ARE", "ID CARD", "DRIVING LICENCE", "SPECIMEN", "EGY",
    "جمهورية مصر العربية", "مصر", "وزارة الداخلية", "الإدارة العامة للمرور", "المرور", "بطاقة تحقيق الشخصية", "قطاع الأحوال المدنية", "رخصة",
)  # fmt: skip
LARGE = 0.12  # of the grounds are of a few large words


def laid(rng: np.random.Generator, image: npt.NDArray[np.uint8], scale: float, held_out: bool = False) -> npt.NDArray[np.uint8]:
    """The RGB picture of a page, scale pixels per millimetre, as if such rows had been on its paper before; held_out for fonts that training never sees."""
    large = rng.random() < LARGE
    size = scale * (rng.uniform(3, 9) if large else _spread(rng, 0.5, 1.15))
    step = size * (rng.uniform(1.6, 4) if large else _spread(rng, 1.4, 8))
    ink = _rows(rng, image.shape[1::-1], size, step, held_out)
    depth = (rng.uniform(0.06, 0.22) if large else rng.uniform(0.1, 0.5)) * rng.uniform(0.4, 1, 3)
    return (image * (1 - ink[..., None] * depth.astype(np.float32))).astype(np.uint8)


def _spread(rng: np.random.Generator, low: float, high: float) -> float:
    return np.exp(rng.uniform(np.log(low), np.log(high)))


def _rows(rng: np.random.Generator, shape: tuple[int, int], size: float, step: float, held_out: bool) -> npt.NDArray[np.float32]:
    """Where the ink lies, 0..1, on a page of shape (width, height): letters about size pixels high, rows step pixels apart, at times turned."""
    phrase = pick(rng, PHRASES) if rng.random() < 0.85 else "".join(pick(rng, "ABCDEFGHKLMNOPRSTUWXYZ") for _ in range(rng.integers(3, 9)))
    face = ImageFont.truetype(pages.any_font(rng, held_out, canvas.script_of(phrase)), max(4, round(1.4 * size)))
    side = int(np.hypot(*shape)) + 2
    layer = Image.new("L", (side, side), 0)
    draw = ImageDraw.Draw(layer)
    phrase += " " * int(rng.integers(1, 8))
    span = max(4.0, draw.textlength(phrase, font=face))
    shift = pick(rng, (0.0, 0.5, 0.37)) * span
    for row, y in enumerate(np.arange(rng.uniform(0, step), side, step)):
        draw.text((-(row * shift) % span - span, y), phrase * (int(side / span) + 2), fill=255, font=face)
    angle = 0.0 if rng.random() < 0.65 else rng.uniform(-45, 45)
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1)
    turn[:, 2] += (shape[0] - side) / 2, (shape[1] - side) / 2
    return cv2.warpAffine(np.asarray(layer), turn, shape, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
