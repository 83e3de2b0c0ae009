"""Synthetic strips of numbers of general text, as the service cuts them out of their lines.

The strip is that of text_lines with larger signs: the line's glyph box is HIGH rows high and its base line at row BASE, so that a full stop
still has a shape. Beside the number may stand the words that it was cut from, of which the label tells nothing.
"""

from __future__ import annotations

import functools

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ..draw import arabic_fonts, canvas, number_text, text_content
from ..draw.content import pick
from . import text_lines
from .text_lines import ABOVE, BELOW, CAP, SIDE

HIGH, BASE = 22, 30
_INDIC, _PERSIAN = 0.5, 0.37  # share of numbers in these digits, Persian ones where the face has them; the others are Western
_ANY = 0.5  # share of faces that are drawn as often as any other, so that rare shapes of digits are seen
_RINGS = 0.4  # share of Persian numbers whose zero is an open circle whatever the face has
_LOW = 0.25  # share of numbers whose separators are set lower than in most faces, partly below digits: their shape tells, not their place
_STROKES = "اأإآهةلTEN"  # what close beside a number is a digit as well


class Face:
    """A font at the size of the drawings, the code points that it knows, and how it prints the signs of numbers."""

    def __init__(self, font: ImageFont.FreeTypeFont, known: frozenset[int]) -> None:
        self.font, self.known = font, known
        self._shapes: dict[str, npt.NDArray[np.bool_]] = {}

    def label(self, sign: str) -> str:
        """The sign that one of a number is labelled as: a Persian digit only where it looks like no Arabic-Indic one."""
        value = number_text.PERSIAN.find(sign)
        if value < 0:
            return sign
        plain = number_text.ARABIC[value]
        if value == 0:
            return sign if _holes(self._shape(sign)) else plain
        return plain if value not in (4, 5, 6) or self._alike(sign, plain) else sign

    def _alike(self, left: str, right: str) -> bool:
        a, b = self._shape(left), self._shape(right)
        return a.shape == b.shape and bool((a != b).mean() < 0.03)

    def _shape(self, sign: str) -> npt.NDArray[np.bool_]:
        """The ink of a sign, cut out."""
        if sign not in self._shapes:
            picture = Image.new("L", (6 * CAP, ABOVE + BELOW))
            ImageDraw.Draw(picture).text((2 * CAP, ABOVE), sign, font=self.font, fill=255, anchor="ls")
            ink = np.asarray(picture) > 128
            rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
            self._shapes[sign] = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if rows.size else np.zeros((1, 1), bool)
        return self._shapes[sign]


def _holes(shape: npt.NDArray[np.bool_]) -> bool:
    _, tree = cv2.findContours(shape.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    return tree is not None and bool((tree[0][:, 3] >= 0).any())


@functools.lru_cache(maxsize=400)
def _face(path: str, reference: str) -> Face:
    known = arabic_fonts.signs(path) if reference == "ا" else frozenset(range(32, 127))
    return Face(text_lines.face(path, reference), known)


@functools.lru_cache(maxsize=4000)
def _resized(font: ImageFont.FreeTypeFont, percent: int) -> ImageFont.FreeTypeFont:
    return font.font_variant(size=font.size * percent / 100)


class Generator(text_lines.Generator):
    """Draws samples of numbers; one per process, deterministic in its seed. held_out prints in the fonts of test."""

    cap, base, errors = HIGH, BASE, 1.5

    def __init__(self, seed: int, hard: float | None = 0.0, held_out: bool = False) -> None:
        super().__init__(seed, hard, held_out, general=True)
        self._files = arabic_fonts.paths(held_out)
        self._latin = canvas.fonts("latin", held_out)
        self._held_out = held_out

    def _print(self) -> text_lines.Ink:
        rng = self._rng
        while True:
            path = pick(rng, self._files) if rng.random() < _ANY else arabic_fonts.draw(rng, self._held_out)
            digits, face = self._form(_face(path, "ا"))
            number = number_text.content(rng).translate(str.maketrans(number_text.WESTERN, digits))
            cover, label = self._set(face, number, digits)
            if label and cover.shape[1] * self.cap / CAP < 0.72 * text_lines.LONGEST:
                return text_lines.Ink(self._beside(cover, face), label, "separated")

    def _form(self, face: Face) -> tuple[str, Face]:
        """The digits of a number, and the face that has them."""
        share = self._rng.random() - _INDIC
        if share < 0:
            return number_text.ARABIC, face
        if share < _PERSIAN:
            return number_text.PERSIAN if all(ord(sign) in face.known for sign in number_text.PERSIAN) else number_text.ARABIC, face
        if ord("5") in face.known and self._rng.random() < 0.5:
            return number_text.WESTERN, face
        return number_text.WESTERN, _face(pick(self._rng, self._latin), "H")

    def _set(self, face: Face, number: str, digits: str) -> tuple[npt.NDArray[np.uint8], str]:
        """Draw a number sign by sign; returns its ink and its label."""
        rng = self._rng
        other = _face(pick(rng, self._files), "ا") if rng.random() < 0.12 else face  # of its separators
        ring = rng.uniform(0.45, 0.75) if digits == number_text.PERSIAN and rng.random() < _RINGS else 0.0
        tracking = self._tracking(number, digits)
        lowered, sized = (rng.uniform(0.05, 0.3) * CAP, int(rng.integers(75, 130))) if rng.random() < _LOW else (0.0, 100)
        picture = Image.new("L", (int((2.2 * CAP + max(0.0, tracking)) * len(number)) + 8 * SIDE, ABOVE + BELOW))
        pen, x, label = ImageDraw.Draw(picture), float(2 * SIDE), ""
        for sign in number:
            if sign == " ":
                x, label = x + rng.uniform(0.3, 0.9 if rng.random() < 0.7 else 2.5) * CAP + tracking, label + " "
                continue
            source = face if sign in digits else other
            shown = self._printed(sign, source)
            if ord(shown) not in source.known:
                source, shown = face, sign
            if ord(shown) not in source.known:
                continue
            if ring and sign == digits[0]:
                x, sign = self._ring(pen, face, x, ring), number_text.PERSIAN[0]
            else:
                font, low = source.font, lowered if sign in ".,،" else 0.0
                if low:
                    font, x = _resized(font, sized), x - rng.uniform(0, 1.2) * low
                pen.text((x, ABOVE + low), shown, font=font, fill=255, anchor="ls")
                x, sign = x + font.getlength(shown), source.label(sign)
            x, label = x + (tracking if sign in number_text.DIGITS else min(tracking, 0.2 * CAP)), label + sign
        cover = np.asarray(picture)
        ink = np.flatnonzero(cover.max(0) > 60)
        if ink.size == 0:
            return cover[:, : 2 * SIDE], ""
        return np.pad(cover[:, ink[0] : ink[-1] + 1], ((0, 0), (SIDE, SIDE))), label.strip()

    def _tracking(self, number: str, digits: str) -> float:
        """Room between signs beyond their own; digits are set far apart only where that cannot be taken for words."""
        rng, count = self._rng, sum(sign in digits for sign in number)
        if rng.random() < 0.6:
            return 0.0
        if " " not in number and count >= 3 and rng.random() < 0.5:
            return float(rng.uniform(0.3, 1.6)) * CAP
        return float(rng.uniform(-0.05, 0.25)) * CAP

    def _printed(self, sign: str, face: Face) -> str:
        """A sign as a printer may set it: the decimal and the thousands separator for the commas."""
        form = {",": "٫", "،": "٬"}.get(sign, sign)
        return form if form != sign and ord(form) in face.known and self._rng.random() < 0.4 else sign

    def _ring(self, pen: ImageDraw.ImageDraw, face: Face, x: float, high: float) -> float:
        """Print a zero that is an open circle, high beside the five of Arabic-Indic digits; returns where the next sign stands.

        Few faces that train have one: it is that five, smaller, or drawn.
        """
        rng, font = self._rng, _resized(face.font, round(100 * high))
        bottom = font.getbbox("٥", anchor="ls")[3]
        lift = rng.uniform(0, 0.3) * CAP
        if rng.random() < 0.5:
            pen.text((x, ABOVE - bottom - lift), "٥", font=font, fill=255, anchor="ls")
            return x + float(font.getlength("٥")) + 0.04 * CAP
        tall = 0.75 * high * CAP
        wide, stroke = tall * rng.uniform(0.75, 1.25), max(2, round(rng.uniform(0.13, 0.3) * tall))
        pen.ellipse((x + 0.06 * CAP, ABOVE - lift - tall, x + 0.06 * CAP + wide, ABOVE - lift), outline=255, width=stroke)
        return x + wide + float(rng.uniform(0.12, 0.25)) * CAP

    def _beside(self, cover: npt.NDArray[np.uint8], face: Face) -> npt.NDArray[np.uint8]:
        """Let the words stand beside a number that it was cut from."""
        rng = self._rng
        for side in (0, 1):
            if rng.random() < 0.45:
                continue
            word = text_content.clean(text_content.prose(rng, 1, 2)) if rng.random() < 0.85 else pick(rng, ["Total", "EGP", "No", "kg", "=", "+"])
            ink = self._word(word, face)
            near = word[-1] if side else word[0]  # of a word in Arabic
            gap = int(rng.uniform(0.8 if near in _STROKES else 0.2, 1.2) * CAP)
            if SIDE - gap < 4 or ink.shape[1] < 2:
                continue
            room = min(SIDE - gap, ink.shape[1])
            if side:
                place, part = cover[:, -SIDE + gap : cover.shape[1] - SIDE + gap + room], ink[:, :room]
            else:
                place, part = cover[:, SIDE - gap - room : SIDE - gap], ink[:, -room:]
            np.maximum(place, part, out=place)
        return cover

    def _word(self, word: str, face: Face) -> npt.NDArray[np.uint8]:
        """The ink of a word."""
        font, direction = face.font, "rtl" if any(sign in text_content.ARABIC for sign in word) else "ltr"
        if not all(ord(sign) in face.known for sign in word if sign != " "):
            font, direction, word = _face(pick(self._rng, self._latin), "H").font, "ltr", "No"
        picture = Image.new("L", (int(font.getlength(word, direction=direction)) + 4 * CAP, ABOVE + BELOW))
        ImageDraw.Draw(picture).text((CAP, ABOVE), word, font=font, fill=255, anchor="ls", direction=direction)
        cover = np.asarray(picture)
        ink = np.flatnonzero(cover.max(0) > 60)
        return cover[:, ink[0] : ink[-1] + 1] if ink.size else cover[:, :0]
