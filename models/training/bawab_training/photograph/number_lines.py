"""Synthetic strips of numbers of general text, as the service cuts them out of their lines.

The strip is that of text_lines with larger signs: the line's glyph box is HIGH rows high and its base line at row BASE, so that a full stop
still has a shape. Beside the number may stand the words that it was cut from, of which the label tells nothing.
"""

from __future__ import annotations

import functools
import re

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
_SHAPED = 0.6  # share of numbers that are set as words are, where nothing else is done: faces have a full stop of their own among Arabic digits
_OWN = 0.18  # share of draws of a face that has a full stop of its own among Arabic digits, which are few
_LARGE = 0.35  # share of numbers whose full stops are as large as their zeros, so that the height alone tells them
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


@functools.lru_cache(maxsize=20000)
def _ink(font: ImageFont.FreeTypeFont, sign: str) -> tuple[int, int, int, int]:
    """Where the ink of a sign lies: left, top, right and bottom of where it begins on the base line."""
    picture = Image.new("L", (8 * CAP, 2 * (ABOVE + BELOW)))
    ImageDraw.Draw(picture).text((3 * CAP, ABOVE + BELOW), sign, font=font, fill=255, anchor="ls")
    left, top, right, bottom = picture.point(lambda v: 255 * (v > 100)).getbbox() or (3 * CAP, ABOVE + BELOW, 3 * CAP + 1, ABOVE + BELOW + 1)
    return left - 3 * CAP, top - ABOVE - BELOW, right - 3 * CAP, bottom - ABOVE - BELOW


@functools.lru_cache
def own_stops(held_out: bool) -> tuple[str, ...]:
    """The font files that print a full stop between Arabic digits in another form than one that stands alone."""

    def differs(path: str) -> bool:
        font, number = _face(path, "ا").font, "٧.٧"
        pictures = [Image.new("L", (8 * CAP, ABOVE + BELOW)) for _ in range(2)]
        ImageDraw.Draw(pictures[0]).text((CAP, ABOVE), number, font=font, fill=255, anchor="ls", direction="ltr")
        x = float(CAP)
        for sign in number:
            ImageDraw.Draw(pictures[1]).text((x, ABOVE), sign, font=font, fill=255, anchor="ls")
            x += font.getlength(sign)
        whole, single = (np.asarray(picture) > 128 for picture in pictures)
        return bool((whole != single).sum() > 0.03 * CAP * CAP)

    return tuple(path for path in arabic_fonts.paths(held_out) if ord(".") in arabic_fonts.signs(path) and differs(path))


class Dots:
    """How a number prints full stops that are as large as its zeros, which stand higher."""

    def __init__(self, rng: np.random.Generator, face: Face, other: Face, zero: str = number_text.ARABIC[0]) -> None:
        self._rng, self._zero = rng, zero
        _, top, _, bottom = _ink(face.font, self._zero)
        high = bottom - top
        source, self._stop = (other, ".") if rng.random() < 0.35 and ord(".") in other.known else (face, self._zero)
        _, above, _, below = _ink(source.font, self._stop)
        self._stops = _resized(source.font, max(10, min(400, round(100 * rng.uniform(0.75, 1.4) * high / max(1, below - above)))))
        tall = _ink(self._stops, self._stop)[3] - _ink(self._stops, self._stop)[1]
        self._foot = round(rng.uniform(-0.06, 0.12) * CAP)  # of a full stop, below the base line
        self._zeros = _resized(face.font, int(rng.integers(80, 120)) if rng.random() < 0.5 else 100)
        middle = (top + bottom) / 2 - (rng.uniform(-0.08, 0.15) * CAP if rng.random() < 0.6 else 0)
        self._middle = min(middle, self._foot - tall / 2 - rng.uniform(0.11, 0.2) * CAP)
        self._near = rng.uniform(0.02, 0.12) * CAP if rng.random() < 0.8 else rng.uniform(0.1, 0.3) * CAP
        self._apart = 0.0 if rng.random() < 0.5 else rng.uniform(0, 0.2) * CAP

    def stop(self, pen: ImageDraw.ImageDraw, x: float) -> float:
        """Print a full stop at x; returns where the next sign stands."""
        left, _, right, bottom = _ink(self._stops, self._stop)
        pen.text((x + self._near - left, ABOVE + self._foot - bottom), self._stop, font=self._stops, fill=255, anchor="ls")
        return x + right - left + self._near * self._rng.uniform(1.5, 2.5)

    def zero(self, pen: ImageDraw.ImageDraw, x: float) -> float:
        """Print a zero at x; returns where the next sign stands."""
        _, top, _, bottom = _ink(self._zeros, self._zero)
        pen.text((x + self._apart / 2, ABOVE + self._middle - (top + bottom) / 2), self._zero, font=self._zeros, fill=255, anchor="ls")
        return x + float(self._zeros.getlength(self._zero)) + self._apart


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
            own = not self._held_out and rng.random() < _OWN
            digits, face = self._form(_face(pick(rng, own_stops(False)) if own else path, "ا"))
            large = not own and digits != number_text.WESTERN and rng.random() < _LARGE
            number = number_text.content(rng)
            for _ in range(8 if (own or large) and rng.random() < 0.7 else 0):
                number = number if "." in number else number_text.content(rng)
            number = number.translate(str.maketrans(number_text.WESTERN, digits))
            cover, label = self._set(face, number, digits, large, own)
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

    def _set(self, face: Face, number: str, digits: str, large: bool, own: bool = False) -> tuple[npt.NDArray[np.uint8], str]:
        """Draw a number sign by sign, or as words are; returns its ink and its label. large tells that its full stops are as large as its zeros,
        own that its face has one of its own.
        """
        rng = self._rng
        own = own and rng.random() < 0.85
        other = _face(pick(rng, self._files), "ا") if rng.random() < 0.12 and not own else face  # of its separators
        ring = rng.uniform(0.45, 0.75) if digits == number_text.PERSIAN and rng.random() < _RINGS and not (large or own) else 0.0
        tracking = 0.0 if own else self._tracking(number, digits)
        lowered, sized = (rng.uniform(0.05, 0.3) * CAP, int(rng.integers(75, 160 if large else 130))) if rng.random() < _LOW and not own else (0.0, 100)
        picture = Image.new("L", (int((2.2 * CAP + max(0.0, tracking)) * len(number)) + 8 * SIDE, ABOVE + BELOW))
        pen, x, label = ImageDraw.Draw(picture), float(2 * SIDE), ""
        dots = Dots(rng, face, _face(pick(rng, self._files), "ا")) if large and face.label(digits[0]) == number_text.ARABIC[0] else None
        whole = not (tracking or lowered or ring or dots) and other is face and (own or rng.random() < _SHAPED)
        for run in re.findall(r"[\d.,،]+|.", number) if whole else number:
            if len(run) > 1:
                shown = "".join(self._printed(sign, face) for sign in run)
                if all(ord(sign) in face.known for sign in shown):
                    pen.text((x, ABOVE), shown, font=face.font, fill=255, anchor="ls", direction="ltr")
                    x, label = x + face.font.getlength(shown, direction="ltr"), label + "".join(map(face.label, run))
                    continue
            for sign in run:
                if sign == " ":
                    x, label = x + rng.uniform(0.3, 0.9 if rng.random() < 0.7 else 2.5) * CAP + tracking, label + " "
                    continue
                x, sign = self._sign(pen, x, sign, (face, other), digits, dots, ring, (lowered, sized))
                if not sign:
                    continue
                x, label = x + (tracking if sign in number_text.DIGITS else min(tracking, 0.2 * CAP)), label + sign
        cover = np.asarray(picture)
        ink = np.flatnonzero(cover.max(0) > 60)
        if ink.size == 0:
            return cover[:, : 2 * SIDE], ""
        return np.pad(cover[:, ink[0] : ink[-1] + 1], ((0, 0), (SIDE, SIDE))), label.strip()

    def _sign(
        self, pen: ImageDraw.ImageDraw, x: float, sign: str, faces: tuple[Face, Face], digits: str, dots: Dots | None, ring: float,
        low: tuple[float, int],
    ) -> tuple[float, str]:
        """Print a sign at x in one of faces, the number's and that of its separators; returns where the next one stands, and its label."""
        face = faces[0]
        if dots and sign == ".":
            return dots.stop(pen, x), sign
        if dots and sign == digits[0]:
            return dots.zero(pen, x), number_text.ARABIC[0]
        if ring and sign == digits[0]:
            return self._ring(pen, face, x, ring), number_text.PERSIAN[0]
        source = face if sign in digits else faces[1]
        shown = self._printed(sign, source)
        if ord(shown) not in source.known:
            source, shown = face, sign
        if ord(shown) not in source.known:
            return x, ""
        font, lowered = source.font, low[0] if sign in ".,،" else 0.0
        if lowered:
            font, x = _resized(font, low[1]), x - self._rng.uniform(0, 1.2) * lowered
        pen.text((x, ABOVE + lowered), shown, font=font, fill=255, anchor="ls")
        return x + font.getlength(shown), source.label(sign)

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
