"""Synthetic line strips for the MRZ recogniser: print, paper, camera, and an imperfect cut.

A sample goes through the stages a real line goes through. Glyphs, of OCR-B or of another face of one
width, are set at 32 pixels a character with the lines above and below; the print is brought to the
camera's scale and laid on patterned paper; the camera and the lamp degrade it; the strip is cut out
with the errors that the zone finder makes, and normalised exactly as the service does it.
"""

from __future__ import annotations

import glob
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ..draw import arabic_fonts, mrz_text
from . import strips

HEIGHT, WIDTH = 32, 768  # the strip, in pixels
COLUMN = 4  # pixels per output column
COLUMNS = WIDTH // COLUMN
PITCH = 16  # nominal pixels from character to character; the cap height is the same
MARGIN = 32  # nominal pixels left of the first character's cell

_CLEAN = 32  # pitch and cap height of the clean text
_ROWS = 160  # rows of the clean text, the line in the middle
_BORDER = 96  # clean paper left and right of the line
_SUPER = 4  # supersampling of glyphs
_CELL = (56, 48)  # rows and columns of a glyph picture
_WEIGHTS = (-9, -6, -3, 0, 3, 6, 10, 14)  # stroke growth, in supersampled pixels (a stroke is 18)
# Width and slant of the glyphs; the plain drawing twice, since most documents have it.
_SHAPES = ((1, 0), (1, 0), (0.95, 0), (1.06, 0), (0.98, 0.05), (1.02, -0.05))

_OTHER_WEIGHTS, _OTHER_SHAPES = (-4, 0, 5), ((1, 0), (0.92, 0), (1.04, 0.03))  # of faces that come in weights of their own

_FOLDERS = ("/usr/share/fonts", "/usr/share/texmf/fonts", str(arabic_fonts.cache()))
_OCR_B = ("OCRB.otf", "OCRBS.otf")  # Debian's fonts-ocr-b: round and square stroke ends
# Faces that an office's own printer sets a zone in, against the standard. A family is wholly in one of the two.
OTHERS = (
    "3270-Regular.ttf", "Anonymous Pro B.ttf", "Anonymous Pro.ttf", "FantasqueSansMono-Regular.ttf", "FiraCode-Regular.ttf",
    "FiraCode-SemiBold.ttf", "FreeMono.ttf", "FreeMonoBold.ttf", "GNUTypewriter.ttf", "Go-Mono-Bold.ttf", "Go-Mono.ttf",
    "Hermit-medium.otf", "Inconsolata.otf", "JetBrainsMono-Bold.ttf", "JetBrainsMono-Regular.ttf", "LeagueMono-NarrowRegular.otf",
    "OCRA.ttf", "agave-r-autohinted.ttf", "atkinson-hyperlegible-mono-400.ttf", "atkinson-hyperlegible-mono-700.ttf",
    "azeret-mono-400.ttf", "azeret-mono-700.ttf", "b612-mono-400.ttf", "b612-mono-700.ttf", "cascadia-mono-400.ttf",
    "cascadia-mono-700.ttf", "chivo-mono-400.ttf", "chivo-mono-700.ttf", "commit-mono-400.ttf", "commit-mono-700.ttf",
    "cutive-mono-400.ttf", "dm-mono-400.ttf", "geist-mono-400.ttf", "geist-mono-700.ttf", "google-sans-code-400.ttf",
    "google-sans-code-700.ttf", "ibm-plex-mono-400.ttf", "ibm-plex-mono-700.ttf", "intel-one-mono-400.ttf", "intel-one-mono-700.ttf",
    "lekton-400.ttf", "lekton-700.ttf", "libertinus-mono-400.ttf", "lilex-400.ttf", "lilex-700.ttf", "lmmono10-regular.otf",
    "lmmonolt10-bold.otf", "m-plus-1-code-400.ttf", "m-plus-1-code-700.ttf", "martian-mono-400.ttf", "martian-mono-700.ttf",
    "monaspace-neon-400.ttf", "monaspace-neon-700.ttf", "mononoki-Regular.ttf", "nova-mono-400.ttf", "overpass-mono-400.ttf",
    "overpass-mono-700.ttf", "oxygen-mono-400.ttf", "pt-mono-400.ttf", "red-hat-mono-400.ttf", "red-hat-mono-700.ttf",
    "reddit-mono-400.ttf", "reddit-mono-700.ttf", "roboto-mono-400.ttf", "roboto-mono-700.ttf", "share-tech-mono-400.ttf",
    "sometype-mono-400.ttf", "sometype-mono-700.ttf", "source-code-pro-400.ttf", "source-code-pro-700.ttf", "space-mono-400.ttf",
    "space-mono-700.ttf", "special-elite-400.ttf", "spline-sans-mono-400.ttf", "spline-sans-mono-700.ttf", "texgyrecursor-bold.otf",
    "texgyrecursor-regular.otf", "ubuntu-mono-400.ttf", "ubuntu-mono-700.ttf", "victor-mono-400.ttf", "victor-mono-700.ttf",
    "xanh-mono-400.ttf",
)
HELD_OUT = (
    "Courier Prime Bold.otf", "Courier Prime.otf", "DejaVuSansMono-Bold.ttf", "DejaVuSansMono.ttf", "LiberationMono-Bold.ttf",
    "LiberationMono-Regular.ttf", "NotoSansMono-Bold.ttf", "NotoSansMono-Regular.ttf",
)


@dataclass
class Sample:
    """One strip with its truth.

    strip is uint8 HEIGHT x WIDTH, normalised, dark on light; text its characters; edges the
    len(text)+1 cell borders from left to right, in strip pixels.
    """

    strip: npt.NDArray[np.uint8]
    text: str
    edges: npt.NDArray[np.float64]


def normalise(strip: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Stretch the grey levels between the 5th and the 95th percentile to 0..255.

    lo (hi) is the smallest level that at least 5 % (95 %) of the pixels do not exceed; hi is at
    least lo + 16, so that an empty strip does not turn its noise into print. The service does the
    same before it takes 128 off for the int8 input.
    """
    counts = np.cumsum(np.bincount(strip.ravel(), minlength=256))
    low = int(np.searchsorted(counts, 0.05 * strip.size))
    high = max(int(np.searchsorted(counts, 0.95 * strip.size)), low + 16)
    levels = np.clip(np.arange(256) - low, 0, high - low)
    table = (levels * 255 + (high - low) // 2) // (high - low)
    return table.astype(np.uint8)[strip]


def _glyph(font: ImageFont.FreeTypeFont, sign: str, weight: int, width: float, slant: float) -> npt.NDArray[np.uint8]:
    """Return the ink coverage of sign, its cell centred, as uint8 _CELL rows and columns.

    The middle of the capitals lies in the middle of the rows. weight is the stroke's growth, width
    scales the glyph within its cell, slant leans it (run per rise).
    """
    rows, columns = _CELL[0] * _SUPER, _CELL[1] * _SUPER
    picture = Image.new("L", (columns, rows), 0)
    left = columns / 2 - font.getlength(sign) / 2
    baseline = (rows - font.getbbox("H", anchor="ls")[1]) / 2
    ImageDraw.Draw(picture).text((left, baseline), sign, font=font, fill=255, anchor="ls")
    ink = np.asarray(picture)
    if width != 1 or slant:
        x, y = columns / 2, rows / 2
        matrix = np.float32([[width, -slant, x - width * x + slant * y], [0, 1, 0]])
        ink = cv2.warpAffine(ink, matrix, (columns, rows), flags=cv2.INTER_LINEAR)
    if weight:
        size = abs(weight) + 1
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
        ink = (cv2.dilate if weight > 0 else cv2.erode)(ink, kernel)
    return cv2.resize(ink, _CELL[::-1], interpolation=cv2.INTER_AREA)


def _glyphs(names: Sequence[str], weights: Sequence[int], shapes: Sequence[tuple[float, float]]) -> list[dict[str, npt.NDArray[np.uint8]]]:
    """The alphabet's glyphs in each of the fonts, weights and shapes, an advance of _CLEAN apart."""
    sets = []
    for name in names:
        found = [path for top in _FOLDERS for path in glob.glob(f"{top}/**/{name}", recursive=True)]
        if not found:
            raise FileNotFoundError(f"find font {name}: install the packages of apt.txt, then run arabic_fonts install")
        em = 1000
        font = ImageFont.truetype(found[0], _CLEAN * _SUPER * em / ImageFont.truetype(found[0], em).getlength("0"))
        for weight in weights:
            for width, slant in shapes:
                sets.append({s: _glyph(font, s, weight, width, slant) for s in mrz_text.ALPHABET})
    return sets


class Generator(strips.Stage):
    """Draws samples; one per process, deterministic in its seed.

    A zone is set in OCR-B, a share of them in one of the faces others.
    """

    def __init__(self, seed: int, hard: float | None = 0.0, share: float = 0.0, others: Sequence[str] = OTHERS) -> None:
        super().__init__(seed, hard)
        self._standard = _glyphs(_OCR_B, _WEIGHTS, _SHAPES)
        self._share = share
        self._others = _glyphs(others, _OTHER_WEIGHTS, _OTHER_SHAPES) if share else []
        self._pending: list[tuple[list[str], int]] = []

    def sample(self) -> Sample:
        """Return the next Sample."""
        rng = self._rng
        self._draw_reach()
        if not self._pending:
            lines = mrz_text.zone(rng)
            self._pending = [(lines, i) for i in range(len(lines))]
        lines, index = self._pending.pop()
        ink = self._print(lines, index)
        picture, scale = self._photograph(ink)
        strip, edges = self._cut(picture, scale, len(lines[index]))
        return Sample(normalise(strip), lines[index], edges)

    def _print(self, lines: Sequence[str], index: int) -> npt.NDArray[np.uint8]:
        """Return the clean ink coverage of the line and its neighbours."""
        rng = self._rng
        width = len(lines[index]) * _CLEAN + 2 * _BORDER
        ink = np.zeros((_ROWS, width), np.uint8)
        sets = self._others if self._share and rng.random() < self._share else self._standard
        glyphs = sets[int(rng.integers(len(sets)))]
        spacing = int(rng.uniform(1.55, 2.7) * _CLEAN)
        for other in range(len(lines)):
            top = _ROWS // 2 + (other - index) * spacing - _CELL[0] // 2
            self._set_line(ink, glyphs, lines[other], top)
        if rng.random() < 0.3:
            self._wear(ink)
        return ink

    def _set_line(self, ink: npt.NDArray[np.uint8], glyphs: Mapping[str, npt.NDArray[np.uint8]], text: str, top: int) -> None:
        rng = self._rng
        rows, columns = _CELL
        if top <= -rows or top >= _ROWS:
            return
        jitter = rng.choice([0, 0.4, 1.2], p=[0.5, 0.4, 0.1]) * min(self._reach, 1.3)
        dx = np.rint(rng.normal(0, jitter, len(text))).astype(int)
        dy = np.rint(rng.normal(0, jitter, len(text))).astype(int)
        fade = rng.choice([0, 0.1, 0.35], p=[0.6, 0.3, 0.1])
        strength = 1 - fade * rng.random(len(text))
        for i, sign in enumerate(text):
            left = _BORDER + i * _CLEAN - (columns - _CLEAN) // 2 + dx[i]
            y = top + dy[i]
            low, high = max(0, -y), min(rows, _ROWS - y)
            if high <= low:
                continue
            glyph = glyphs[sign][low:high]
            if fade:
                glyph = (glyph * strength[i]).astype(np.uint8)
            target = ink[y + low : y + high, left : left + columns]
            np.maximum(target, glyph, out=target)

    def _photograph(self, ink: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], float]:
        """Return the degraded picture of the line and its scale in pixels per character."""
        rng = self._rng
        low = 9.5 if self._hard is None else 6.5
        scale = np.exp(rng.uniform(np.log(low), np.log(26)))
        height, width = (max(8, round(s * scale / _CLEAN)) for s in ink.shape)
        small = cv2.resize(ink, (width, height), interpolation=cv2.INTER_AREA)
        paper = self._paper(height, width, scale)
        spread = rng.uniform(0, 0.09) * scale  # ink bleeding into the paper
        if spread > 0.25:
            small = cv2.GaussianBlur(small, (0, 0), spread)
        cover = small.astype(np.float32) * np.float32(rng.uniform(0.75, 1) / 255)
        ink_tone = np.minimum(rng.uniform(0, 95), paper.mean() - rng.uniform(35, 90))
        picture = np.clip(paper + (ink_tone - paper) * cover, 0, 255).astype(np.uint8)
        if self._chance(0.12):
            self._strokes(picture, scale)
        if rng.random() < 0.1:
            self._frame(picture, scale)
        return self._degrade(picture, scale), scale

    def _frame(self, picture: npt.NDArray[np.uint8], scale: float) -> None:
        """Draw a border or rule of the page just outside the line."""
        rng = self._rng
        height, width = picture.shape
        tone, thick = int(rng.integers(0, 140)), max(1, round(scale * rng.uniform(0.03, 0.15)))
        if rng.random() < 0.6:
            free = _BORDER * scale / _CLEAN
            x = rng.uniform(0, 0.75 * free)
            x = int(x if rng.random() < 0.4 else width - x)
            cv2.line(picture, (x, 0), (x, height), tone, thick)
        else:
            y = height / 2 + rng.choice([-1, 1]) * scale * rng.uniform(0.85, 1.4)
            cv2.line(picture, (0, int(y)), (width, int(y + rng.normal(0, 0.2) * scale)), tone, thick)

    def _cut(self, picture: npt.NDArray[np.uint8], scale: float, count: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
        """Cut the strip with crop errors; return it and the cell borders in strip pixels."""
        rng, reach = self._rng, self._reach
        height, width = picture.shape
        cap = PITCH * np.exp(np.clip(rng.normal(0, 0.09), -0.22, 0.22) * reach)
        stretch = np.exp(np.clip(rng.normal(0, 0.05), -0.15, 0.15) * reach)
        margin = MARGIN + np.clip(rng.normal(0, 13), -36, 28) * reach
        margin = max(margin, -4)
        stretch = min(stretch, (WIDTH + 3 - margin) / (PITCH * count))
        pitch = PITCH * stretch
        bow = np.clip(rng.normal(0, 0.012), -0.04, 0.04) * reach
        cells = np.arange(count + 1, dtype=np.float64)
        edges = margin + pitch * (cells + bow * cells * (count - cells) / count)
        # Cell coordinate of every strip column, past the ends by the pitch.
        columns = np.arange(WIDTH) + 0.5
        u = np.interp(columns, edges, cells)
        u += np.minimum(columns - edges[0], 0) / pitch + np.maximum(columns - edges[-1], 0) / pitch
        slack = (HEIGHT - cap) / 2 + 1
        middle = np.clip(rng.normal(0, 2.4), -7, 7) * reach
        slope = np.clip(rng.normal(0, 0.006), -0.02, 0.02) * reach * WIDTH / 2
        curve = rng.normal(0, 0.8) * reach if rng.random() < 0.4 else 0.0
        along = (u - count / 2) / 22
        centre = np.clip(middle, -slack, slack) + slope * along + curve * (along**2 - 0.3)
        centre = HEIGHT / 2 + np.clip(centre, -slack, slack)
        growth = 1 + np.clip(rng.normal(0, 0.02), -0.06, 0.06) * reach * along
        lean = rng.normal(0, 0.03) * reach
        offset = (np.arange(HEIGHT)[:, None] + 0.5 - centre[None]) / (cap * growth[None])
        left = _BORDER * scale / _CLEAN
        map_x = left + (u[None] + lean * offset) * scale - 0.5
        map_y = height / 2 + offset * scale - 0.5
        strip = cv2.remap(
            picture,
            map_x.astype(np.float32),
            map_y.astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        self._edge_of_document(strip, edges)
        return strip, edges

    def _edge_of_document(self, strip: npt.NDArray[np.uint8], edges: npt.NDArray[np.float64]) -> None:
        """Now and then let the desk begin right of the line, or the strip end in one level."""
        rng = self._rng
        free = WIDTH - edges[-1]
        if free > 12 and rng.random() < 0.25:
            start = int(edges[-1] + rng.uniform(6, free))
            strip[:, start:] = rng.uniform(0, 255) if rng.random() < 0.7 else strip[:, start - 1 : start]
        if edges[0] > 12 and rng.random() < 0.06:
            strip[:, : int(rng.uniform(1, edges[0] - 6))] = rng.uniform(0, 255)
