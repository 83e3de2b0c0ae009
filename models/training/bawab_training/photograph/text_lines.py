"""Synthetic line strips for the general text recogniser: print, paper, camera, and an imperfect cut.

The strip, which the service mirrors: STRIP_HEIGHT rows, and the line's glyph box (from the base line up to
the height of an alef, or of a capital where the line has no Arabic) STRIP_CAP rows high with the base line
at row BASE_LINE, counted from the top: rows 10 to 27. Above fit hamza and diacritics, below descenders and
their dots. Length keeps its proportion: one row is as long as one column. The strip begins and ends
about MARGIN columns outside the ink. It is normalised as every recogniser's strip is (mrz_lines.normalise),
by its own grey levels, and what lies beyond the line in a window is its paper: the median of the strip's
levels, or the paper that is really there.

A line is drawn once at CAP pixels of glyph box as ink only and used _REUSES times, each time with another
paper, camera, neighbouring rows and cut.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ..draw import arabic_fonts, canvas, degrade, text_content, text_general
from . import strips
from ..draw.content import pick
from .mrz_lines import normalise

STRIP_HEIGHT, STRIP_CAP, BASE_LINE = 40, 17, 27
WINDOW = 320  # columns that the service's network reads at once
COLUMN = 4  # strip columns per output column
MARGIN = 12
LONGEST = 832  # columns of the longest training strip
OVERLAP = 96  # columns that two windows of a long line share; each gives up the outer half of them

CAP = 30  # glyph box of the ink drawings
ABOVE, BELOW = 66, 39  # rows of an ink drawing above and below the base line
SIDE = 60  # empty columns left and right of the ink
_REUSES = 4
_SPOILT = 0.25  # share of the photographed lines that are degraded once more, so that they do not look the same each time
_POOL = 6000


_JOINER = "\u200d"
# In stacked text, where a letter before hah, meem, a last yeh, reh, a tooth before seen, and (7) one before a last noon
# stands: heights to the left, heights up, how often; and (5) a meem of its own, which is small, before what follows it.
_STACKS = {
    1: (0.42, 0.4, 0.9), 2: (0.22, 0.2, 0.75), 3: (0.3, 0.2, 0.65), 4: (0.18, 0.22, 0.5), 5: (0.06, 0.0, 1.0), 6: (0.2, 0.25, 0.6),
    7: (0.26, 0.24, 0.8),
}
_TEETH = "نبتثيئ"
Sign = tuple[str, int, int]  # of a line in visual order: sign, index in the text, level
Typeface = tuple[ImageFont.FreeTypeFont, frozenset[int]]  # a font, and the codes that it can print


@dataclass
class Ink:
    """A line's ink coverage, uint8 (ABOVE + BELOW) rows, its label, and what kind of text it is."""

    cover: npt.NDArray[np.uint8]
    label: str
    role: str


@dataclass
class Cutting:
    """A line out of a photograph with its surroundings, uncut: grey, laid out as the cover of an Ink whose CAP is scale pixels."""

    picture: npt.NDArray[np.uint8]
    scale: float
    label: str


@dataclass
class Sample:
    """One normalised strip, uint8 STRIP_HEIGHT x a multiple of COLUMN, with its label."""

    strip: npt.NDArray[np.uint8]
    label: str
    role: str


@functools.lru_cache(maxsize=1000)
def face(path: str, reference: str) -> ImageFont.FreeTypeFont:
    """The font at the size at which the reference letter is CAP pixels high."""
    options = {"direction": "rtl"} if reference == "ا" else {}
    height = -ImageFont.truetype(path, 400).getbbox(reference, anchor="ls", **options)[1]
    return ImageFont.truetype(path, CAP * 400 / max(height, 100))


@functools.lru_cache(maxsize=4000)
def _smaller(face: ImageFont.FreeTypeFont, percent: int) -> ImageFont.FreeTypeFont:
    return face.font_variant(size=face.size * percent / 100)


@functools.lru_cache(maxsize=4000)
def _stem(face: ImageFont.FreeTypeFont) -> tuple[float, float]:
    """How far the stem of a first lam stands from the right end of its advance, and how wide it is, in pixels."""
    picture = Image.new("L", (8 * CAP, ABOVE + BELOW))
    ImageDraw.Draw(picture).text((2 * CAP, ABOVE), "ل" + _JOINER, font=face, fill=255, anchor="ls", direction="rtl")
    ink = np.flatnonzero(np.asarray(picture)[ABOVE - CAP * 3 // 4 : ABOVE - CAP // 3].max(0) > 100)
    end = 2 * CAP + face.getlength("ل" + _JOINER, direction="rtl")
    return (end - ink[-1] - 1, min(float(ink[-1] - ink[0] + 1), 0.35 * CAP)) if ink.size else (0.0, 0.15 * CAP)


def _runs(signs: Sequence[Sign]) -> list[list[tuple[int, list[int]]]]:
    """Split the visual signs of a line into words, each a list of (level, sorted indices)."""
    words: list[list[tuple[int, list[int]]]] = []
    word: list[tuple[int, list[int]]] = []
    for sign, index, level in signs:
        if sign == " ":
            words.append(word)
            word = []
        elif word and word[-1][0] == level:
            word[-1][1].append(index)
        else:
            word.append((level, [index]))
    words.append(word)
    return [[(level, sorted(indices)) for level, indices in word] for word in words if word]


class Printer:
    """Sets lines of text; deterministic in its seed. held_out draws from the test fonts, Arabic ones of family if given."""

    def __init__(self, seed: int, held_out: bool = False, family: arabic_fonts.Family | None = None) -> None:
        self._rng = np.random.default_rng(seed)
        self._held_out = held_out
        self._family = family
        self._latin = canvas.fonts("latin", held_out) + ([] if held_out else canvas.fonts("mono"))

    def draw(self, role: str, text: str) -> Ink:
        """Return the Ink of clean text; what no font of the draw can print is left out."""
        rng = self._rng
        arabic = any(sign in text_content.ARABIC or "٠" <= sign <= "٩" for sign in text)
        companion = pick(rng, self._latin)
        main = companion
        if arabic or rng.random() < 0.15:
            main = pick(rng, self._family.files) if self._family else arabic_fonts.draw(rng, self._held_out)
        known = arabic_fonts.signs(main), arabic_fonts.signs(companion)
        text = " ".join("".join(sign for sign in text if any(ord(sign) in k for k in known)).split())
        if arabic:
            text = self._embellish(text, role, known[0])
        rtl = text_content.right_to_left(text)
        if rng.random() < 0.04:
            rtl = not rtl
        signs = text_content.visual(text, rtl)
        reference = "ا" if arabic else "H"
        faces = [(face(main, reference), known[0]), (face(companion, "H"), known[1])]
        if arabic and main != companion and rng.random() < 0.3:
            # Latin and Western digits of the companion although the Arabic font has its own.
            faces[0] = (faces[0][0], frozenset(code for code in known[0] if code > 127))
        cover = self._set(text_general.printed(rng, text, known[0]) if role in text_general.ROLES else text, signs, faces)
        label = text_content.plain("".join(sign for sign, _, _ in signs))
        return Ink(cover, " ".join(label.split()), role)

    def _embellish(self, text: str, role: str, known: frozenset[int]) -> str:
        rng = self._rng
        if role == "vowelled" and all(ord(mark) in known for mark in text_content.MARKS):
            return text_general.vowelled(rng, text)
        if role == "stretched" and ord(text_content.TATWEEL) in known:
            return text_general.stretched(rng, text)
        if role == "prose" and rng.random() < 0.25 and ord("َ") in known and ord("ّ") in known:
            text = text_content.vowelled(text, rng, pick(rng, [0.05, 0.1, 0.2, 0.5, 0.9]))
            text = "".join(sign for sign in text if ord(sign) in known or sign not in text_content.MARKS)
        if rng.random() < 0.06 and ord(text_content.TATWEEL) in known:
            text = text_content.stretched(text, rng)
        return text

    def _set(self, text: str, signs: Sequence[Sign], faces: Sequence[Typeface]) -> npt.NDArray[np.uint8]:
        """Draw the words from left to right; returns the ink coverage."""
        rng = self._rng
        picture = Image.new("L", (int(CAP * 1.9 * len(text)) + 8 * SIDE, ABOVE + BELOW))
        pen = ImageDraw.Draw(picture)
        gap = rng.uniform(0.24, 0.75) * CAP if rng.random() < 0.85 else rng.uniform(0.2, 2.5) * CAP
        tracking = rng.uniform(0, 0.5) * CAP if rng.random() < 0.12 else 0
        if tracking:
            gap = max(gap, 1.2 * tracking + 0.35 * CAP)
        bare = not any(sign in text_content.MARKS + text_content.TATWEEL for sign in text)
        style = "plain"
        if bare and not self._held_out:
            style = pick(rng, ["plain", "stacked", "wedged", "wedged"] if "لم" in text else ["plain", "plain", "plain", "stacked", "stacked"])
        x = float(SIDE)
        for word in _runs(signs):
            for level, indices in word:
                for face, part in self._parts(text, indices, level, faces):
                    x = self._put(pen, x, part, face, level, tracking, style)
            x += gap * rng.uniform(0.85, 1.15)
            if rng.random() < 0.01:
                x += rng.uniform(0, 4) * CAP
        cover = np.asarray(picture)[:, : int(x - gap) + SIDE]
        ink = np.flatnonzero(cover.max(0) > 60)
        if ink.size == 0:
            return cover[:, : 2 * SIDE]
        cover = cover[:, ink[0] : ink[-1] + 1]
        if style == "stacked":  # such faces are narrow, and small beside their alef
            high = rng.uniform(0.8, 1.0)
            matrix = np.float32([[high * rng.uniform(0.8, 1.0), 0, 0], [0, high, ABOVE * (1 - high)]])
            cover = cv2.warpAffine(cover, matrix, (int(cover.shape[1] * matrix[0, 0]) + 1, cover.shape[0]))
        return np.pad(cover, ((0, 0), (SIDE, SIDE)))

    def _parts(self, text: str, indices: Sequence[int], level: int, faces: Sequence[Typeface]) -> list[tuple[ImageFont.FreeTypeFont, str]]:
        """Split a run of one level into parts of one font, in the order of printing."""
        parts: list[tuple[ImageFont.FreeTypeFont, str]] = []
        for index in indices:
            sign = text[index]
            face = next((f for f, known in faces if ord(sign) in known), faces[0][0])
            if parts and parts[-1][0] is face:
                parts[-1] = (face, parts[-1][1] + sign)
            else:
                parts.append((face, sign))
        return parts[::-1] if level % 2 else parts

    def _put(
        self, pen: ImageDraw.ImageDraw, x: float, part: str, face: ImageFont.FreeTypeFont, level: int, tracking: float, style: str
    ) -> float:
        direction = "rtl" if level % 2 else "ltr"
        if style == "stacked" and level % 2:
            return self._stack(pen, x, part, face)
        if style == "wedged" and level % 2:
            return self._wedge(pen, x, part, face)
        pieces = list(part) if tracking and direction == "ltr" else [part]
        for piece in pieces:
            pen.text((x, ABOVE), piece, font=face, fill=255, anchor="ls", direction=direction)
            x += face.getlength(piece, direction=direction) + tracking
        return x

    def _stack(self, pen: ImageDraw.ImageDraw, x: float, part: str, face: ImageFont.FreeTypeFont) -> float:
        """Print a word the way of calligraphic faces: what comes before a hah, meem, reh or last yeh stands above its beginning.

        Few free fonts have such ligatures, and the test fonts are among them.
        """
        rng = self._rng
        pieces: list[str] = []
        kinds: list[int] = []  # of each piece: how it hangs on the one before, 0 not at all
        for index, sign in enumerate(part):
            joined = index > 0 and text_content.joins(part[index - 1])
            last = index + 1 == len(part)
            kind = 1 if sign in "حجخ" else 2 if sign == "م" else 3 if sign in "يى" and last else 4 if sign in "رز" else 0
            tooth = joined and part[index - 1] in _TEETH
            kind = 6 if sign in "سش" and tooth else 7 if sign == "ن" and last and tooth else kind
            if joined and pieces[-1] == "م" and kinds[-1] == 2 and rng.random() < 0.6:
                pieces.append(sign)
                kinds.append(5)
            elif joined and not (kind and rng.random() < _STACKS[kind][2]):
                pieces[-1] += sign
            else:
                pieces.append(sign)
                kinds.append(kind if joined else 0)
        y = ABOVE
        for number in range(len(pieces) - 1, -1, -1):
            hanging = number + 1 < len(pieces) and kinds[number + 1] > 0
            piece = (_JOINER if kinds[number] > 1 else "") + pieces[number] + (_JOINER if hanging else "")
            small = hanging and kinds[number + 1] == 5
            small = small or kinds[number] in (2, 4) and pieces[number] in "مرز" and rng.random() < 0.5
            used = _smaller(face, int(rng.integers(50, 85))) if small else face
            pen.text((x, y), piece, font=used, fill=255, anchor="ls", direction="rtl")
            x += used.getlength(piece, direction="rtl")
            y = y if kinds[number] else ABOVE
            if kinds[number]:
                across, up, _ = _STACKS[kinds[number]]
                x -= across * rng.uniform(0.5, 1.4) * CAP
                y -= up * rng.uniform(0.5, 1.6) * CAP * (rng.uniform(0.3, 1) if pieces[number - 1][-1] == "ل" else 1)
        return x

    def _wedge(self, pen: ImageDraw.ImageDraw, x: float, part: str, face: ImageFont.FreeTypeFont) -> float:
        """Print a word with the ligature of most book faces: a meem after a lam is a wedge at the foot of its stem, on the right."""
        rng = self._rng
        places = [i for i in range(len(part) - 2) if part[i : i + 2] == "لم" and not (i and text_content.joins(part[i - 1]))]
        for place in reversed(places):
            rest = part[place] + part[place + 2 :]
            pen.text((x, ABOVE), rest, font=face, fill=255, anchor="ls", direction="rtl")
            stem, stroke = _stem(face)
            x += face.getlength(rest, direction="rtl")
            foot, high, wide = x - stem, rng.uniform(0.2, 0.5) * CAP, rng.uniform(0.12, 0.34) * CAP
            low = rng.uniform(-0.15, 0.05) * CAP
            corners = [(foot - stroke, ABOVE), (foot, ABOVE - high), (foot + wide, ABOVE - rng.uniform(0, 0.6) * high), (foot + wide * rng.uniform(0.6, 1), ABOVE - low)]
            if rng.random() < 0.75:
                pen.polygon(corners, fill=255)
            else:  # a loop with an eye
                pen.ellipse([foot - stroke, ABOVE - high, foot + wide, ABOVE], outline=255, width=max(2, int(0.6 * stroke)))
            x += max(0.0, wide - stem) + rng.uniform(0, 0.1) * CAP
            part = part[:place]
        if part:
            pen.text((x, ABOVE), part, font=face, fill=255, anchor="ls", direction="rtl")
            x += face.getlength(part, direction="rtl")
        return x


class Generator(strips.Stage):
    """Draws samples; one per process, deterministic in its seed.

    hard as in strips.Stage; held_out prints in the test fonts (of one family, when given); role, when given, is the only
    kind of text; general draws the lines of text_general; extra is a list of Ink that takes part in training beside the printed lines (share of draws); cuttings is a
    list of Cutting for the share photographed of all samples.
    """

    cap, base = STRIP_CAP, BASE_LINE  # of the strip
    errors = 1.0  # of where the line is said to lie, beside those of lines of words

    def __init__(
        self, seed: int, hard: float | None = 0.0, held_out: bool = False, role: str | None = None,
        family: arabic_fonts.Family | None = None, extra: Sequence[Ink] = (), share: float = 0.0, cuttings: Sequence[Cutting] = (),
        photographed: float = 0.0, general: bool = False,
    ) -> None:
        super().__init__(seed, hard)
        self._printer = Printer(seed + 1, held_out, family)
        self._role, self._general = role, general
        self._extra, self._share = extra, share
        self._cuttings, self._photographed = cuttings, photographed
        self._pool: list[Ink] = []
        self._fresh = 0.0

    def _ink(self) -> Ink:
        """Return a line's Ink: a new one, or one of the pool."""
        rng = self._rng
        if self._extra and rng.random() < self._share:
            return pick(rng, self._extra)
        self._fresh += 1
        if len(self._pool) < 200 or self._fresh >= _REUSES:
            self._fresh = 0
            ink = self._print()
            if len(self._pool) < _POOL:
                self._pool.append(ink)
            else:
                self._pool[int(rng.integers(_POOL))] = ink
            return ink
        return pick(rng, self._pool)

    def _print(self) -> Ink:
        while True:
            if self._role:
                role, text = self._role, (text_general if self._role in text_general.ROLES else text_content).text(self._rng, self._role)
            else:
                role, text = (text_general if self._general else text_content).line(self._rng)
            ink = self._printer.draw(role, text)
            if ink.label and ink.cover.shape[1] * self.cap / CAP < 0.72 * LONGEST:
                return ink

    def sample(self) -> Sample:
        """Return the next Sample."""
        while True:
            label, role, *taken = self._taken()
            strip = self._cut(*taken)
            # A label needs a column for each sign and one between equal ones.
            need = len(label) + sum(a == b for a, b in zip(label, label[1:]))
            if strip.shape[1] >= COLUMN * need + COLUMN and strip.shape[1] <= LONGEST:
                return Sample(normalise(strip), label, role)

    def _taken(self) -> tuple[str, str, npt.NDArray[np.uint8], float, float, float]:
        """Return label and role of a line, its picture, the height of the glyph box there, and squeeze and width of its drawing."""
        rng = self._rng
        self._draw_reach()
        if self._cuttings and rng.random() < self._photographed:
            cutting = pick(rng, self._cuttings)
            picture = np.array(cutting.picture)
            if rng.random() < _SPOILT:  # by another lens and coder
                picture = self._degrade(picture, cutting.scale)
            return cutting.label, "photograph", picture, cutting.scale, 1.0, picture.shape[1] * CAP / cutting.scale
        ink = self._ink()
        squeeze = np.exp(np.clip(rng.normal(0, 0.1), -0.26, 0.24))
        picture, scale = self._photograph(self._wearing(ink.cover.copy(), ink.role), squeeze)
        return ink.label, ink.role, picture, scale, squeeze, ink.cover.shape[1]

    def _wearing(self, cover: npt.NDArray[np.uint8], role: str) -> npt.NDArray[np.uint8]:
        """Vary the strokes and let neighbouring rows, rules and other words stand near the line."""
        rng, whole = self._rng, role in text_general.ROLES  # a full stop that wears off would teach guessing
        if rng.random() < 0.35:
            size = int(rng.integers(2, 4))
            kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
            cover = (cv2.dilate if whole or rng.random() < 0.65 else cv2.erode)(cover, kernel)
        if not whole and rng.random() < 0.15:
            self._wear(cover)
        for side in (-1, 1):
            if self._pool and rng.random() < 0.3:
                self._row(cover, side)
        if rng.random() < 0.07:
            y = ABOVE + int(rng.uniform(0.12, 0.5) * CAP)
            cv2.line(cover, (0, y), (cover.shape[1], y), int(rng.uniform(100, 255)), int(rng.integers(1, 3)))
        if rng.random() < 0.03:
            y = ABOVE - int(rng.uniform(1.45, 1.9) * CAP)
            cv2.line(cover, (0, y), (cover.shape[1], y), int(rng.uniform(100, 255)), int(rng.integers(1, 3)))
        return cover

    def _row(self, cover: npt.NDArray[np.uint8], side: int) -> None:
        """Lay the row above (side -1) or below into the drawing, as far as it reaches."""
        rng = self._rng
        other = pick(rng, self._pool).cover
        shift = int(side * rng.uniform(1.55, 2.9) * CAP)
        start = int(rng.integers(-other.shape[1] // 2, cover.shape[1] // 2))
        left, right = max(0, start), min(cover.shape[1], start + other.shape[1])
        top, bottom = max(0, shift), min(cover.shape[0], cover.shape[0] + shift)
        if right <= left or bottom <= top:
            return
        part = other[top - shift : bottom - shift, left - start : right - start]
        target = cover[top:bottom, left:right]
        np.maximum(target, (part * rng.uniform(0.4, 1)).astype(np.uint8), out=target)

    def _photograph(self, cover: npt.NDArray[np.uint8], squeeze: float) -> tuple[npt.NDArray[np.uint8], float]:
        """Return the degraded picture of the line and its scale, glyph box height in pixels."""
        rng = self._rng
        low, high = (10, 36) if self._hard is None else (6 if self._general else 7, 40) if self._hard == 0 else (8, 26)
        scale = np.exp(rng.uniform(np.log(low), np.log(high)))
        ratio = scale / CAP
        size = max(8, round(cover.shape[1] * ratio * squeeze)), max(8, round(cover.shape[0] * ratio))
        small = cv2.resize(cover, size, interpolation=cv2.INTER_AREA if ratio < 1 else cv2.INTER_LINEAR)
        clean = rng.random() < (0.35 if self._general else 0.12)
        paper = np.full(size[::-1], rng.uniform(200, 255), np.float32) if clean else self._paper(size[1], size[0], scale)
        if not clean and self._chance(0.15):
            paper += self._ghost(cover.shape, size)
        spread = rng.uniform(0, 0.07) * scale
        if spread > 0.25:
            small = cv2.GaussianBlur(small, (0, 0), spread)
        ink = small.astype(np.float32) * np.float32(rng.uniform(0.75, 1) / 255)
        mean = paper.mean()
        tone = np.minimum(rng.uniform(0, 110), mean - rng.uniform(40, 110))
        # A pattern stronger than the text would teach guessing.
        paper = mean + (paper - mean) * min(1.0, 0.38 * (mean - tone) / max(float(paper.std()), 1.0))
        picture = np.clip(paper + (tone - paper) * ink, 0, 255).astype(np.uint8)
        if rng.random() < 0.06:
            picture = 255 - picture
        if self._chance(0.06):
            self._strokes(picture, scale)
        if clean and rng.random() < 0.5:
            return self._scanned(picture, scale), scale
        return self._degrade(picture, scale), scale

    def _scanned(self, picture: npt.NDArray[np.uint8], scale: float) -> npt.NDArray[np.uint8]:
        """As a scanner in two levels, or as a screen, shows print."""
        rng = self._rng
        if scale < 14 or rng.random() < 0.3:
            return picture
        rough = degrade.defocus(picture, rng.uniform(0.3, 0.06 * scale))
        rough = degrade.noise(rough, rng.uniform(2, 25), rng, rng.choice([0.7, 1.2]))
        return np.where(rough > picture.min() + rng.uniform(0.35, 0.65) * float(np.ptp(picture)), 255, 0).astype(np.uint8)

    def _ghost(self, shape: tuple[int, int], size: tuple[int, int]) -> npt.NDArray[np.float32]:
        """Faint print that shines through or lies in the security pattern."""
        rng = self._rng
        field = np.zeros(shape, np.uint8)
        if self._pool:
            other = pick(rng, self._pool).cover[:, SIDE : SIDE + shape[1]]
            field[:, : other.shape[1]] = np.roll(other, int(rng.integers(-40, 40)), 0)
        field = cv2.resize(field, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        return field * np.float32(rng.uniform(-0.2, 0.1))

    def _cut(self, picture: npt.NDArray[np.uint8], scale: float, squeeze: float, width: float) -> npt.NDArray[np.uint8]:
        """Cut the strip with the errors of a line finder, and end it in paper now and then."""
        rng, reach = self._rng, self._reach
        cap = self.cap * np.exp(np.clip(rng.normal(0, 0.07) * reach, -0.19, 0.17) * self.errors)
        picture, scale, zoom = shrunk(picture, scale, cap)
        unit = scale / CAP  # picture pixels per pixel of the drawing
        text = (width - 2 * SIDE) * unit * squeeze / zoom
        before, after = np.clip(rng.normal(MARGIN, 8, 2), 1, 32)
        length = int(np.ceil((text + before + after) / COLUMN)) * COLUMN
        xs = np.arange(length, dtype=np.float32) + 0.5 - np.float32(before)
        along = xs / max(text, 1) - 0.5
        slope = np.clip(rng.normal(0, 0.008), -0.025, 0.025) * reach
        lift = np.clip(rng.normal(0, 0.06), -0.15, 0.15) * reach * self.errors * self.cap
        bow = rng.normal(0, 0.05) * reach * self.cap if rng.random() < 0.3 else 0.0
        slant = rng.normal(0, 0.06) * reach + (rng.uniform(-0.25, 0.25) if rng.random() < 0.06 else 0)
        growth = 1 + np.clip(rng.normal(0, 0.03), -0.08, 0.08) * reach * along
        tilt = np.clip(slope * along * text, -2.5, 2.5)
        rows = np.arange(STRIP_HEIGHT, dtype=np.float32)[:, None] + 0.5 - self.base
        down = (rows - self.cap / -2) * growth[None] + self.cap / -2 + (tilt + lift + bow * (4 * along**2 - 0.5))[None]
        map_x = (SIDE * unit * squeeze + (xs[None] - slant * rows) * zoom - 0.5).astype(np.float32)
        map_y = (ABOVE * unit + down * zoom - 0.5).astype(np.float32)
        strip = cv2.remap(picture, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
        return self._edge(strip, int(before), int(after))

    def _edge(self, strip: npt.NDArray[np.uint8], before: int, after: int) -> npt.NDArray[np.uint8]:
        """Now and then let a photograph, a desk or a rule begin beside the line."""
        rng = self._rng
        if rng.random() < 0.08 and before > 10:
            strip[:, : int(rng.uniform(1, before - 6))] = rng.uniform(0, 255)
        if rng.random() < 0.08 and after > 10:
            strip[:, strip.shape[1] - int(rng.uniform(1, after - 6)) :] = rng.uniform(0, 255)
        return strip


def shrunk(picture: npt.NDArray[np.uint8], scale: float, cap: float) -> tuple[npt.NDArray[np.uint8], float, float]:
    """A picture whose glyph boxes are scale high, for a strip whose are cap high: shrunk to it unless it is hardly larger.

    Returns it, its scale, and how many of its pixels one of the strip is.
    """
    zoom = scale / cap
    if zoom <= 1.25:
        return picture, scale, zoom
    size = max(8, round(picture.shape[1] / zoom)), max(8, round(picture.shape[0] / zoom))
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cap, 1.0


def windows(strip: npt.NDArray[np.uint8]) -> list[tuple[int, npt.NDArray[np.uint8]]]:
    """Split a strip into its windows of the service: a list of (first column, WINDOW columns)."""
    length = strip.shape[1]
    if length <= WINDOW:
        return [(0, padded(strip, WINDOW))]
    count = -(-(length - OVERLAP) // (WINDOW - OVERLAP))
    starts = [round(k * (length - WINDOW) / (count - 1) / COLUMN) * COLUMN for k in range(count)]
    return [(start, padded(strip[:, start : start + WINDOW], WINDOW)) for start in starts]


def stitched(starts: Sequence[int], logits: Sequence[np.ndarray], length: int) -> np.ndarray:
    """Join the output columns of windows; between two, the seam lies in the middle of what they share."""
    ends = [(a + WINDOW + b) // 2 // COLUMN for a, b in zip(starts, starts[1:])] + [-(-length // COLUMN)]
    parts, done = [], 0
    for start, end, columns in zip(starts, ends, logits):
        parts.append(columns[done - start // COLUMN : end - start // COLUMN])
        done = end
    return np.concatenate(parts)


def padded(strip: npt.NDArray[np.uint8], width: int, rng: np.random.Generator | None = None) -> npt.NDArray[np.uint8]:
    """strip in the middle of width columns of its paper, as in a window of the service.

    Without rng it starts at the left and the rest is the median level; with one, place and level vary.
    """
    height, length = strip.shape
    if length >= width:
        return strip[:, :width]
    start, level = 0, np.median(strip)
    if rng is not None:
        start = int(rng.integers(0, width - length + 1)) if rng.random() < 0.5 else 0
        level = level if rng.random() < 0.6 else pick(rng, [255, float(strip[:, 0].mean()), float(strip.mean()), rng.uniform(150, 255)])
    window = np.full((height, width), level, np.uint8)
    window[:, start : start + length] = strip
    if rng is not None and rng.random() < 0.25:
        window[:, :start] = strip[:, :1]
        window[:, start + length :] = strip[:, -1:]
    return window
