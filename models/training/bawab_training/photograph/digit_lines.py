"""Synthetic strips of digit lines: national numbers, dates and short digit groups, Arabic-Indic or Western.

A sample goes through what a real line goes through: glyphs of one font are set with narrow, wide or
uneven gaps, between words and under neighbouring lines that must not be read; the print is brought
to the camera's scale and laid on patterned paper; camera and lamp degrade it; and the strip is cut
out with the errors of a line detector, and normalised exactly as the service does it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ..draw import arabic_fonts, canvas, digit_text, egypt_cards, patterns
from . import strips
from ..networks import ctc
from .mrz_lines import normalise
from ..draw.content import pick
from ..draw.pages import TD1

HEIGHT, WIDTH = 32, 512  # the strip, in pixels
COLUMN = 4  # pixels per output column
COLUMNS = WIDTH // COLUMN
BAND = 20  # height of the line (base line to alef or capital) in strip pixels; digits are 0.88 of it
MARGIN = 16  # strip pixels left of the line's start
LONGEST = WIDTH - 2 * MARGIN  # a longer line is squeezed to this length

_CLEAN = 32  # the band in pixels of the clean text
_ROWS = 96  # rows of the clean text, the line's band in the middle
_LEFT = 128  # clean paper left of the line's start
_SUPER = 4  # supersampling of glyphs
_CELL = (80, 96)  # rows and columns of a glyph picture
_BASE = 56  # row of the base line in it
_TILE_SCALE = 12  # pixels per millimetre of the prepared papers
_DIGIT = 0.88  # height of a digit as a share of the band, in the middle of the fonts
_WEIGHTS = (-5, -3, 0, 0, 0, 3, 6, 10)  # stroke growth, in supersampled pixels
_FACES, _WORDS, _TILES = 250, 250, 24  # prepared faces, words and security papers; renewed one by one


@dataclass
class Sample:
    """One strip with its truth.

    strip is uint8 HEIGHT x WIDTH, normalised, dark on light; text the digits and separators from left to
    right, by value; spans their ink, N x 2 in strip pixels; face says which font file drew them.
    """

    strip: npt.NDArray[np.uint8]
    text: str
    spans: np.ndarray
    face: str


@dataclass
class _Glyph:
    """Ink coverage on _CELL's rows, trimmed to its columns; advance in clean pixels."""

    ink: npt.NDArray[np.uint8]
    advance: float


@dataclass
class _Face:
    """The twelve signs of one font in one script; ratio is the digits' height as a share of the band."""

    path: str
    glyphs: dict[str, _Glyph]
    ratio: float


def column_labels(sample: Sample) -> npt.NDArray[np.int64]:
    """Return a class per output column, ctc.IGNORE where the truth is unsure.

    The column over the middle of a sign's ink is the sign; the column in the middle between two signs and
    all that is clear of ink are blank.
    """
    labels = np.zeros(COLUMNS, np.int64)
    for low, high in sample.spans / COLUMN:
        labels[max(0, int(low - 0.75)) : max(0, int(high + 1.75))] = ctc.IGNORE
    between = (sample.spans[:-1, 1] + sample.spans[1:, 0]) / 2
    labels[np.clip(between / COLUMN, 0, COLUMNS - 1).astype(int)] = digit_text.BLANK
    middles = np.clip(sample.spans.mean(1) / COLUMN, 0, COLUMNS - 1).astype(int)
    labels[middles] = digit_text.encode(sample.text)
    return labels


@functools.lru_cache(maxsize=300)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def _glyph(font: ImageFont.FreeTypeFont, sign: str, weight: int, width: float, slant: float) -> _Glyph | None:
    """Draw sign; weight is the stroke's growth, width scales it, slant leans it (run per rise)."""
    rows, columns = _CELL[0] * _SUPER, _CELL[1] * _SUPER
    picture = Image.new("L", (columns, rows), 0)
    advance = font.getlength(sign)
    draw = ImageDraw.Draw(picture)
    draw.text((columns / 2 - advance / 2, _BASE * _SUPER), sign, font=font, fill=255, anchor="ls")
    ink = np.asarray(picture)
    if width != 1 or slant:
        x, y = columns / 2, rows / 2
        matrix = np.float32([[width, -slant, x - width * x + slant * y], [0, 1, 0]])
        ink = cv2.warpAffine(ink, matrix, (columns, rows), flags=cv2.INTER_LINEAR)
    if weight:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (abs(weight) + 1, abs(weight) + 1))
        changed = (cv2.dilate if weight > 0 else cv2.erode)(ink, kernel)
        ink = changed if changed.max() > 200 else ink  # hairlines are not worn away
    ink = cv2.resize(ink, _CELL[::-1], interpolation=cv2.INTER_AREA)
    filled = np.flatnonzero(ink.max(0) > 32)
    if not len(filled):
        return None
    return _Glyph(ink[:, filled[0] : filled[-1] + 1], advance * width / _SUPER)


def _alef(path: str) -> float:
    """Height of the letter that measures a line's band, in em."""
    sign = "ا" if 0x627 in arabic_fonts.signs(path) else "H"
    return max(0.3, -_font(path, 400).getbbox(sign, anchor="ls")[1] / 400)


def _draw_face(rng: np.random.Generator, held_out: bool) -> _Face:
    """Draw a face: any Arabic font, mostly with its Arabic-Indic digits, or a Latin font."""
    latin = rng.random() < 0.1
    while True:
        if latin:
            files = canvas.fonts("latin", held_out)
            path = files[int(rng.integers(len(files)))]
        else:
            path = arabic_fonts.draw(rng, held_out)
        western = latin or rng.random() < 0.13
        signs = digit_text.WESTERN if western else digit_text.ARABIC
        known = arabic_fonts.signs(path)
        if all(ord(sign) in known for sign in signs):
            break
    font = _font(path, round(_CLEAN * _SUPER / _alef(path)))
    weight = int(rng.choice(_WEIGHTS))
    width = 1.0 if rng.random() < 0.5 else rng.uniform(0.82, 1.15)
    slant = 0.0 if rng.random() < 0.75 else rng.uniform(-0.08, 0.18)
    glyphs = {value: _glyph(font, sign, weight, width, slant) for value, sign in zip(digit_text.LABELS, signs + "/-")}
    spare = _font(canvas.fonts("latin", held_out)[0], round(_CLEAN * _SUPER / 0.73))
    for sign in digit_text.LABELS[10:]:
        if ord(sign) not in known:
            glyphs[sign] = _glyph(spare, sign, weight, width, slant)
        elif rng.random() < 0.1 and sign == "-":
            glyphs[sign] = _glyph(spare, "–", weight, width, slant)
    whole = {value: glyph for value, glyph in glyphs.items() if glyph is not None}
    if len(whole) < len(glyphs):
        return _draw_face(rng, held_out)
    tall = [np.flatnonzero(whole[v].ink.max(1) > 32)[0] for v in "123469"]
    return _Face(path, whole, (_BASE - float(np.median(tall))) / _CLEAN)


def _draw_word(rng: np.random.Generator, held_out: bool) -> npt.NDArray[np.uint8]:
    """Draw a word that is no number, as ink on _CELL's rows."""
    text, arabic = digit_text.word(rng)
    if arabic:
        path, options = arabic_fonts.draw(rng, held_out), {"direction": "rtl"}
    else:
        files = canvas.fonts("latin", held_out)
        path, options = files[int(rng.integers(len(files)))], {}
    size = round(_CLEAN * 2 / _alef(path) * np.exp(rng.normal(0, 0.15)))
    font = _font(path, size)
    left, _, right, _ = font.getbbox(text, anchor="ls", **options)
    picture = Image.new("L", (max(8, right - left + 8), _CELL[0] * 2), 0)
    draw = ImageDraw.Draw(picture)
    draw.text((4 - left, _BASE * 2), text, font=font, fill=255, anchor="ls", **options)
    ink = np.asarray(picture)
    weight = int(rng.choice([0, 0, 1, 2]))
    if weight:
        ink = cv2.dilate(ink, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (weight + 1, weight + 1)))
    return cv2.resize(ink, (max(4, ink.shape[1] // 2), _CELL[0]), interpolation=cv2.INTER_AREA)


def _draw_tile(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Draw the paper of a whole card at _TILE_SCALE pixels per millimetre, or a table, as a grey field for print to lie on."""
    if rng.random() < 0.85:
        picture = egypt_cards.paper(rng, TD1, _TILE_SCALE, rng.random(3).tolist(), False)
    else:
        picture = patterns.table(rng, (round(TD1[0] * _TILE_SCALE), round(TD1[1] * _TILE_SCALE)))
    return cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)


class _Plan:
    """How the strip will be cut: where each place of the line comes to lie.

    Places are in heights of the line's band, from the line's start. start is the strip column of place 0,
    pitch and band the strip pixels of one such height along and across, offset the strip's middle below
    the band's middle; end is the last place that the strip shows.
    """

    def __init__(self, rng: np.random.Generator, reach: float, ratio: float, length: float, last: float) -> None:
        # A line is measured by its letters' band, or, where only digits stand, by what they show.
        ruler = 1.0 if rng.random() < 0.6 else ratio / _DIGIT
        grown = np.exp(np.clip(rng.normal(0, 0.1), -0.22, 0.22) * reach)
        self.band = np.clip(BAND / ruler * grown, 11 / ratio, 26 / ratio)
        self.offset = (1 - ruler) / 2
        spread = rng.normal(0, 0.1) * reach if rng.random() < 0.7 else np.log(rng.uniform(0.6, 1.3))
        self.pitch = self.band * np.exp(np.clip(spread, -0.5, 0.3))
        self.start = max(-6.0, MARGIN + np.clip(rng.normal(0, 6), -18, 22) * reach)
        if length * self.pitch > LONGEST:
            self.pitch = LONGEST / length * np.exp(np.clip(rng.normal(0, 0.02), -0.06, 0.02))
        if last:
            self.pitch = min(self.pitch, (WIDTH - 6 - self.start) / last)
        self.bow = np.clip(rng.normal(0, 0.015), -0.05, 0.05) * reach
        self.length = max(length, 4.0)
        self.end = (WIDTH - self.start) / self.pitch * 1.03 + 1
        self.ratio = ratio

    def forward(self, places: np.ndarray) -> np.ndarray:
        """The strip columns of places (an array)."""
        inside = np.clip(places, 0, self.length)
        return self.start + self.pitch * (places + self.bow * inside * (self.length - inside) / self.length)

    def backward(self) -> np.ndarray:
        """The place under the middle of every strip column."""
        places = np.linspace(-6, self.end + 2, 400)
        return np.interp(np.arange(WIDTH) + 0.5, self.forward(places), places)


class Generator(strips.Stage):
    """Draws samples; one per process, deterministic in its seed.

    content is a kind of digit_text.content, or None for all of them; held_out takes the fonts of the test
    split.
    """

    def __init__(self, seed: int, hard: float | None = 0.0, content: str | None = None, held_out: bool = False) -> None:
        super().__init__(seed, hard)
        self._content, self._held_out = content, held_out
        rng = self._rng
        self._faces = [_draw_face(rng, held_out) for _ in range(_FACES)]
        self._words = [_draw_word(rng, held_out) for _ in range(_WORDS)]
        self._tiles = [_draw_tile(rng) for _ in range(_TILES)]

    def sample(self) -> Sample:
        """Return the next Sample."""
        rng = self._rng
        self._draw_reach()
        self._renew()
        face = pick(rng, self._faces)
        text, marks, words, length = self._compose(face)
        last = (marks[-1][1] + marks[-1][0].shape[1]) / _CLEAN if marks else 0
        plan = _Plan(rng, self._reach, face.ratio, length, last)
        ink = self._print(face, marks, words, plan.end)
        spans = np.array([(x, x + ink.shape[1]) for ink, x in marks]).reshape(-1, 2) / _CLEAN
        picture, scale, aspect = self._photograph(ink)
        strip = self._cut(picture, scale, scale * aspect, plan)
        spans = plan.forward(spans)
        self._surroundings(strip, spans)
        return Sample(normalise(strip), text, spans, face.path)

    def _renew(self) -> None:
        """Exchange a few of the prepared things."""
        rng = self._rng
        for things, draw, often in (
            (self._faces, lambda: _draw_face(rng, self._held_out), 0.08),
            (self._words, lambda: _draw_word(rng, self._held_out), 0.15),
            (self._tiles, lambda: _draw_tile(rng), 0.012),
        ):
            if rng.random() < often:
                things[int(rng.integers(len(things)))] = draw()

    def _compose(
        self, face: _Face
    ) -> tuple[str, list[tuple[npt.NDArray[np.uint8], float]], list[tuple[npt.NDArray[np.uint8], float]], float]:
        """Set digits and words along the line.

        Returns the text, the digits' and the words' ink as (ink, left clean pixel) and the length of the line
        as a detector would see it, in heights.
        """
        rng = self._rng
        groups = digit_text.content(rng, self._content)
        marks: list[tuple[npt.NDArray[np.uint8], float]] = []
        words: list[tuple[npt.NDArray[np.uint8], float]] = []
        x = 0.0
        if not groups or rng.random() < 0.14:
            x = self._add_words(words, x, int(rng.integers(1, 3))) + rng.uniform(0.4, 3) * _CLEAN
            if groups and rng.random() < 0.5:  # the strip begins within the word
                shift = rng.uniform(0, x)
                words, x = [(ink, left - shift) for ink, left in words], x - shift
        for i, group in enumerate(groups):
            if i:
                x += rng.uniform(1.5, 5) * _CLEAN
            x = self._add_digits(marks, face, group, x)
        length = x
        if rng.random() < 0.35:
            far = rng.uniform(0.45, 4) * _CLEAN
            after = self._add_words(words, x + far, int(rng.integers(1, 4)))
            length = after if rng.random() < 0.4 else x
        first = min((left for _, left in marks + words), default=0)
        if first > 0:
            marks = [(ink, left - first) for ink, left in marks]
            words = [(ink, left - first) for ink, left in words]
            length -= first
        return "".join(groups), marks, words, max(1.0, length / _CLEAN)

    def _add_words(self, words: list[tuple[npt.NDArray[np.uint8], float]], x: float, count: int) -> float:
        for _ in range(count):
            ink = pick(self._rng, self._words)
            words.append((ink, x))
            x += ink.shape[1] + self._rng.uniform(0.25, 0.8) * _CLEAN
        return x

    def _add_digits(self, marks: list[tuple[npt.NDArray[np.uint8], float]], face: _Face, group: str, x: float) -> float:
        """Set group from clean pixel x on; returns where it ends."""
        rng = self._rng
        space = np.append(digit_text.gaps(rng, group), 0) * _CLEAN
        advance = max(g.advance for g in face.glyphs.values()) if rng.random() < 0.5 else 0  # equal or natural
        free = x
        for sign, after in zip(group, space):
            glyph = face.glyphs[sign]
            step = advance if advance and sign.isdigit() else max(glyph.advance, glyph.ink.shape[1] * 0.9)
            left = max(x + (step - glyph.ink.shape[1]) / 2, free)
            marks.append((glyph.ink, left))
            free = left + glyph.ink.shape[1] + 0.05 * _CLEAN
            x += step + after
        return max(free, x)

    def _print(
        self, face: _Face, marks: list[tuple[npt.NDArray[np.uint8], float]], words: list[tuple[npt.NDArray[np.uint8], float]], end: float
    ) -> npt.NDArray[np.uint8]:
        """Return the clean ink coverage: the line in the middle, its neighbours above and below, and dirt."""
        rng = self._rng
        ink = np.zeros((_ROWS, _LEFT + int((end + 1) * _CLEAN)), np.uint8)
        jitter = rng.choice([0, 0.4, 1.2], p=[0.5, 0.35, 0.15]) * self._reach
        fade = rng.choice([0, 0.1, 0.35], p=[0.6, 0.3, 0.1])
        for glyph, left in marks:
            _stamp(ink, glyph, left + _LEFT, rng.normal(0, jitter), 1 - fade * rng.random())
        for word, left in words:
            _stamp(ink, word, left + _LEFT, rng.normal(0, 2), rng.uniform(0.6, 1))
        for side in (-1, 1):
            if rng.random() < 0.45:
                self._neighbour(ink, face, side * rng.uniform(1.35, 2.6) * _CLEAN)
        if rng.random() < 0.3:
            self._wear(ink)
        if rng.random() < 0.4:
            self._dirt(ink, face)
        return ink

    def _neighbour(self, ink: npt.NDArray[np.uint8], face: _Face, down: float) -> None:
        """Print another line, down clean pixels below."""
        rng = self._rng
        x = rng.uniform(-4, 6) * _CLEAN + _LEFT
        strength = rng.uniform(0.5, 1)
        gap = rng.uniform(0.1, 0.8) * _CLEAN
        digits = rng.random() < 0.3
        stop = min(ink.shape[1], x + rng.uniform(3, 30) * _CLEAN)
        while x < stop:
            word = face.glyphs[pick(rng, "0123456789")].ink if digits else pick(rng, self._words)
            _stamp(ink, word, x, down, strength)
            x += word.shape[1] + gap

    def _dirt(self, ink: npt.NDArray[np.uint8], face: _Face) -> None:
        """Drop specks that are no zeros: small, or faint, or off the middle of the line."""
        rng = self._rng
        dot = face.glyphs["0"].ink
        size = min(_CLEAN * 0.35, float((dot > 127).sum()) ** 0.5)
        layer = np.zeros_like(ink)
        for _ in range(int(rng.integers(1, 14))):
            kind = rng.random()
            y, radius, tone = rng.uniform(0, _ROWS), size * rng.uniform(0.08, 0.25), int(rng.integers(60, 256))
            if kind < 0.3:
                radius, tone = size * rng.uniform(0.2, 0.8), int(rng.integers(15, 60))
            elif kind < 0.5:
                y, radius = _ROWS / 2 + rng.choice([-1, 1]) * rng.uniform(0.7, 1.3) * _CLEAN, size * rng.uniform(0.2, 0.6)
            centre = (int(rng.uniform(0, ink.shape[1]) * 8), int(y * 8))
            cv2.circle(layer, centre, max(4, int(radius * 8)), tone, -1, cv2.LINE_AA, 3)
        np.maximum(ink, layer, out=ink)

    def _photograph(self, ink: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], float, float]:
        """Return the degraded picture of the line, its pixels per height, and how much wider it is than high."""
        rng = self._rng
        low = 13.0 if self._hard is None else 7.0
        scale = np.exp(rng.uniform(np.log(low), np.log(46)))
        aspect = np.exp(np.clip(rng.normal(0, 0.12), -0.4, 0.2) * self._reach)
        size = max(16, round(ink.shape[1] * scale * aspect / _CLEAN)), max(8, round(_ROWS * scale / _CLEAN))
        way = cv2.INTER_AREA if scale < _CLEAN else cv2.INTER_LINEAR
        small = cv2.resize(ink, size, interpolation=way)
        paper = self._ground(size[1], size[0], scale)
        spread = rng.uniform(0, 0.06) * scale  # ink bleeding into the paper
        if spread > 0.25:
            small = cv2.GaussianBlur(small, (0, 0), spread)
        cover = small.astype(np.float32) * np.float32(rng.uniform(0.7, 1) / 255)
        tone = np.minimum(rng.uniform(0, 95), paper.mean() - rng.uniform(35, 90))
        picture = np.clip(paper + (tone - paper) * cover, 0, 255).astype(np.uint8)
        if self._chance(0.12):
            self._strokes(picture, scale)
        return self._degrade(picture, scale), scale, aspect

    def _ground(self, height: int, width: int, scale: float) -> npt.NDArray[np.float32]:
        """Return float32 paper: drawn security printing, or that of the line strips."""
        rng = self._rng
        if rng.random() < 0.45:
            return self._paper(height, width, scale)
        tile = pick(rng, self._tiles)[:: int(rng.choice([1, -1])), :: int(rng.choice([1, -1]))]
        rows = int(rng.uniform(1.6, 4.2) * _TILE_SCALE * _ROWS / _CLEAN)  # a line is 1.6 to 4.2 mm high
        columns = round(rows * width / height)
        top, left = int(rng.integers(0, tile.shape[0] - rows + 1)), int(rng.integers(0, max(1, tile.shape[1] - columns)))
        piece = tile[top : top + rows, left : left + columns]
        if piece.shape[1] < columns:
            piece = np.hstack([piece, piece[:, ::-1]] * (1 + columns // (2 * piece.shape[1])))[:, :columns]
        piece = cv2.resize(piece, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)
        return (piece - piece.mean()) * np.float32(rng.uniform(0.3, 1.3) * self._reach**0.5) + np.float32(rng.uniform(110, 235))

    def _cut(self, picture: npt.NDArray[np.uint8], scale: float, across: float, plan: _Plan) -> npt.NDArray[np.uint8]:
        """Cut the strip with the errors of a line detector; scale and across are picture pixels per height down and along."""
        rng, reach = self._rng, self._reach
        places = plan.backward()
        slack = max(1.0, (HEIGHT - plan.band * plan.ratio) / 2 + 0.5)
        middle = np.clip(np.clip(rng.normal(0, 1.5), -3.4, 3.4) * reach, -slack, slack)
        along = (places - plan.length / 2) / plan.length  # -0.5 to 0.5 over the line
        half = plan.length * plan.pitch / 2
        slope = np.clip(np.tan(np.radians(np.clip(rng.normal(0, 0.7), -2, 2))) * half * reach, -slack, slack)
        curve = rng.normal(0, 0.8) * reach if rng.random() < 0.3 else 0.0
        centre = HEIGHT / 2 + middle + 2 * along * slope * 0.8 + curve * (4 * along**2 - 0.3)
        centre = np.clip(centre, HEIGHT / 2 - slack - 1, HEIGHT / 2 + slack + 1)
        growth = 1 + np.clip(rng.normal(0, 0.02), -0.06, 0.06) * reach * 2 * along
        lean = rng.normal(0, 0.04) * reach
        fine = int(np.clip(np.ceil(scale / plan.band - 0.05), 1, 3)) if rng.random() < 0.85 else 1
        down = (np.arange(HEIGHT * fine)[:, None] + 0.5) / fine
        if fine > 1:
            columns = (np.arange(WIDTH * fine) + 0.5) / fine - 0.5
            places, centre, growth = (np.interp(columns, np.arange(WIDTH), v) for v in (places, centre, growth))
        offset = (down - centre[None]) / (plan.band * growth[None])
        map_x = (places[None] + lean * offset + _LEFT / _CLEAN) * across - 0.5
        map_y = (offset + plan.offset + _ROWS / 2 / _CLEAN) * scale - 0.5
        map_x, map_y = map_x.astype(np.float32), map_y.astype(np.float32)
        strip = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return strip if fine == 1 else cv2.resize(strip, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)

    def _surroundings(self, strip: npt.NDArray[np.uint8], spans: np.ndarray) -> None:
        """Now and then let the desk begin beside the line, or continue the picture's edge."""
        rng = self._rng
        first, last = (spans[0, 0], spans[-1, 1]) if len(spans) else (40, 60)
        if WIDTH - last > 16 and rng.random() < 0.3:
            start = int(rng.uniform(last + 8, WIDTH))
            kind = rng.random()
            if kind < 0.35:
                strip[:, start:] = strip[:, start - 1 : start]
            elif kind < 0.65:
                strip[:, start:] = rng.uniform(0, 255)
            else:
                tile = pick(rng, self._tiles)
                strip[:, start:] = cv2.resize(tile[:HEIGHT, : max(8, WIDTH - start)], (WIDTH - start, HEIGHT))
        if first > 12 and rng.random() < 0.06:
            strip[:, : int(rng.uniform(1, first - 6))] = rng.uniform(0, 255)


def _stamp(target: npt.NDArray[np.uint8], ink: npt.NDArray[np.uint8], left: float, down: float, strength: float) -> None:
    """Lay ink (on _CELL's rows) with its base line on the line's, at clean pixel left, down pixels lower."""
    top, left = _ROWS // 2 + _CLEAN // 2 - _BASE + round(down), round(left)
    low, high = max(0, -top), min(ink.shape[0], target.shape[0] - top)
    first, last = max(0, -left), min(ink.shape[1], target.shape[1] - left)
    if low >= high or first >= last:
        return
    piece = ink[low:high, first:last]
    if strength < 1:
        piece = (piece * strength).astype(np.uint8)
    place = target[top + low : top + high, left + first : left + last]
    np.maximum(place, piece, out=place)
