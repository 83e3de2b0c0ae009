"""A flat sheet to print on: millimetres in, pixels and exact text geometry out."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from . import arabic_fonts

TRUETYPE = "/usr/share/fonts/truetype/"
OPENTYPE = "/usr/share/fonts/opentype/"
OCR_B = OPENTYPE + "ocr-b/OCRB.otf"
OCR_B_ADVANCE = 0.723  # of the em; the capital height is 0.713

# Families by script: the first entry of the pair is for training, the second is held out for test pictures.
# Arabic has a module of its own.
FONTS = {
    "latin": (
        """dejavu/DejaVuSans.ttf dejavu/DejaVuSans-Bold.ttf dejavu/DejaVuSerif.ttf dejavu/DejaVuSansCondensed-Bold.ttf
        noto/NotoSans-Regular.ttf noto/NotoSans-Bold.ttf noto/NotoSerif-Regular.ttf noto/NotoSerif-Bold.ttf
        crosextra/Carlito-Regular.ttf crosextra/Carlito-Bold.ttf liberation/LiberationSansNarrow-Regular.ttf
        liberation/LiberationSerif-Bold.ttf liberation/LiberationSans-Regular.ttf dejavu/DejaVuSansMono.ttf""",
        "lato/Lato-Regular.ttf lato/Lato-Bold.ttf freefont/FreeSans.ttf freefont/FreeSerifBold.ttf",
    ),
    "mono": (
        "dejavu/DejaVuSansMono.ttf dejavu/DejaVuSansMono-Bold.ttf liberation/LiberationMono-Regular.ttf liberation/LiberationMono-Bold.ttf",
        "freefont/FreeMono.ttf",
    ),
    "cyrillic": ("dejavu/DejaVuSans.ttf noto/NotoSans-Regular.ttf noto/NotoSerif-Regular.ttf", "freefont/FreeSans.ttf"),
    "greek": ("dejavu/DejaVuSans.ttf noto/NotoSans-Regular.ttf noto/NotoSerif-Regular.ttf", "freefont/FreeSans.ttf"),
    "hebrew": ("noto/NotoSansHebrew-Regular.ttf noto/NotoSerifHebrew-Regular.ttf", "freefont/FreeSans.ttf"),
    "devanagari": ("noto/NotoSansDevanagari-Regular.ttf", "noto/NotoSerifDevanagari-Regular.ttf"),
    "thai": ("noto/NotoSansThai-Regular.ttf noto/NotoSerifThai-Regular.ttf", "noto/NotoSerifThai-Bold.ttf"),
    "bengali": ("noto/NotoSansBengali-Regular.ttf", "noto/NotoSerifBengali-Regular.ttf"),
    "cjk": ("noto/NotoSansCJK-Regular.ttc noto/NotoSansCJK-Bold.ttc", "noto/NotoSansCJK-Bold.ttc"),
}
RIGHT_TO_LEFT = ("arabic", "hebrew")
_REFERENCE = {"arabic": "ا", "hebrew": "ה", "devanagari": "क", "thai": "ก", "bengali": "ক", "cjk": "国"}


def font_path(name: str) -> str:
    """The installed file of a font named 'family/file'."""
    folder = OPENTYPE if name.endswith(".ttc") or name.startswith("fonts-hosny") else TRUETYPE
    return folder + name


def fonts(script: str, held_out: bool = False) -> list[str]:
    """The font files of a script, of the training or of the held-out share."""
    if script == "arabic":
        return arabic_fonts.paths(held_out)
    return [font_path(name) for name in FONTS[script][held_out].split()]


@functools.lru_cache(maxsize=400)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


@functools.lru_cache(maxsize=200)
def _capital(path: str, script: str) -> float:
    """Height of the reference letter above the base line, in em."""
    return max(0.3, -_font(path, 400).getbbox(_REFERENCE.get(script, "H"), anchor="ls")[1] / 400)


def measure(text: str, path: str, height: float) -> float:
    """The natural width of text in a font, in the unit of height (that of its capitals)."""
    script = script_of(text)
    options = {"direction": "rtl"} if script in RIGHT_TO_LEFT else {}
    return _font(path, 100).getlength(text, **options) / (100 * _capital(path, script)) * height


def printable(text: str, path: str) -> str:
    """text with what the font at path cannot print left blank."""
    known = arabic_fonts.signs(path)
    return "".join(sign if ord(sign) in known else " " for sign in text).strip()


def script_of(text: str) -> str:
    """The script whose fonts can print text: that of its first letter beyond ASCII, else latin."""
    ranges = (("arabic", 0x600, 0x6FF), ("cyrillic", 0x400, 0x52F), ("greek", 0x370, 0x3FF), ("hebrew", 0x590, 0x5FF),
              ("devanagari", 0x900, 0x97F), ("bengali", 0x980, 0x9FF), ("thai", 0xE00, 0xE7F), ("cjk", 0x3000, 0x9FFF))
    for sign in text:
        for script, low, high in ranges:
            if low <= ord(sign) <= high:
                return script
    return "latin"


@dataclass
class Line:
    """One printed line: quad is its band from base line to capital height (TL TR BR BL of the upright text), in pixels.

    role names what a document prints there, "" where nobody asks.
    """

    text: str
    quad: npt.NDArray[np.float32]
    kind: str = "text"
    role: str = ""


class Canvas:
    """A sheet of width x height millimetres at scale pixels per millimetre, and what was printed on it."""

    def __init__(self, width: float, height: float, scale: float, background: npt.NDArray[np.uint8] | None = None) -> None:
        self.scale = scale
        self.size = (round(width * scale), round(height * scale))
        self.width, self.height = width, height
        if background is None:
            background = np.full((self.size[1], self.size[0], 3), 245, np.uint8)
        self.image = Image.fromarray(background)
        self.draw = ImageDraw.Draw(self.image)
        self.lines: list[Line] = []

    def text(
        self, x: float, y: float, text: str, font: str, height: float, colour: tuple[int, ...], anchor: str = "l",
        limit: float | None = None, quarter: int = 0, role: str = "", weight: int = 0, stretch: float = 1.0,
    ) -> float:
        """Print text with its base line at (x, y) mm and capitals height mm tall; returns its width in mm.

        anchor is l, m or r; a text wider than limit mm is set smaller. quarter turns it by that many times
        90 degrees counter-clockwise about (x, y). weight adds strokes of that many pixels around the glyphs, stretch
        sets them wider or narrower by that factor.
        """
        text = printable(text, font)
        if not text:
            return 0.0
        script = script_of(text)
        options = {"direction": "rtl"} if script in RIGHT_TO_LEFT else {}
        capital = _capital(font, script)
        face = _font(font, max(4, round(height * self.scale / capital)))
        length = face.getlength(text, **options)
        if limit and length > limit * self.scale:
            face = _font(font, max(4, int(face.size * limit * self.scale / length)))
            length = face.getlength(text, **options)
        left, top, right, _ = face.getbbox(text, anchor="ls", **options)
        band = capital * face.size
        shift = {"l": 0, "m": length / 2, "r": length}[anchor]
        if quarter:
            self._turned(x, y, text, face, colour, quarter, (left, right, band), options)
            return length / self.scale
        px, py = x * self.scale - shift * stretch, y * self.scale
        if stretch == 1.0:
            self.draw.text((px, py), text, font=face, fill=colour, anchor="ls", stroke_width=weight, stroke_fill=colour, **options)
        else:
            self._stretched(px, py, text, face, colour, stretch, weight, options)
        left, right = left * stretch, right * stretch
        quad = [[px + left, py - band], [px + right, py - band], [px + right, py], [px + left, py]]
        self.lines.append(Line(text, np.array(quad, np.float32), role=role))
        return length * stretch / self.scale

    def _stretched(
        self, px: float, py: float, text: str, face: ImageFont.FreeTypeFont, colour: tuple[int, ...], stretch: float, weight: int,
        options: dict[str, Any],
    ) -> None:
        left, top, right, bottom = face.getbbox(text, anchor="ls", stroke_width=weight, **options)
        left, top, margin = int(left) - 3, int(top) - 3, 6
        tile = Image.new("L", (int(right - left) + margin, int(bottom - top) + margin))
        ImageDraw.Draw(tile).text((-left, -top), text, font=face, fill=255, anchor="ls", stroke_width=weight, **options)
        tile = tile.resize((max(1, round(tile.size[0] * stretch)), tile.size[1]), Image.BILINEAR)
        self.image.paste(Image.new("RGB", tile.size, colour), (round(px + left * stretch), round(py + top)), tile)

    def figures(
        self, x: float, y: float, text: str, font: str, height: float, colour: tuple[int, ...], tracking: float, gap: float,
        anchor: str = "l", limit: float | None = None, role: str = "", weight: int = 0,
    ) -> float:
        """Print digits and separators one by one, tracking mm apart, gap mm wide where text has blanks; returns the width in mm.

        Digits keep their order from left to right in any script. The other arguments are those of text.
        """
        script = script_of(text)
        capital = _capital(font, script)
        signs = " ".join(text.split())
        for shrink in (1.0, 0.9, 0.8, 0.7, 0.6, 0.5):
            face = _font(font, max(4, round(height * shrink * self.scale / capital)))
            steps = [gap * shrink * self.scale if sign == " " else face.getlength(sign) + tracking * shrink * self.scale for sign in signs]
            length = sum(steps) - tracking * shrink * self.scale
            if not limit or length <= limit * self.scale:
                break
        px, py = x * self.scale - {"l": 0, "m": length / 2, "r": length}[anchor], y * self.scale
        place = px
        for sign, step in zip(signs, steps):
            if sign != " ":
                self.draw.text((place, py), sign, font=face, fill=colour, anchor="ls", stroke_width=weight, stroke_fill=colour)
            place += step
        band = capital * face.size
        quad = [[px, py - band], [px + length, py - band], [px + length, py], [px, py]]
        self.lines.append(Line(signs, np.array(quad, np.float32), role=role))
        return length / self.scale

    def _turned(
        self, x: float, y: float, text: str, face: ImageFont.FreeTypeFont, colour: tuple[int, ...], quarter: int,
        box: tuple[float, float, float], options: dict[str, Any],
    ) -> None:
        left, right, band = box
        tile = Image.new("L", (int(right - left) + 8, int(band * 2.2) + 8))
        base = int(band * 1.5) + 4
        ImageDraw.Draw(tile).text((4 - left, base), text, font=face, fill=255, anchor="ls", **options)
        tile = tile.rotate(90 * quarter, expand=True)
        length = right - left
        corners = np.array([[4, base - band], [4 + length, base - band], [4 + length, base], [4, base]], np.float32)
        wide, high = int(right - left) + 8, int(band * 2.2) + 8
        for _ in range(quarter % 4):
            corners = np.stack([corners[:, 1], wide - corners[:, 0]], 1)
            wide, high = high, wide
        offset = np.round([x * self.scale, y * self.scale]).astype(int)
        self.image.paste(Image.new("RGB", tile.size, colour), tuple(offset), tile)
        self.lines.append(Line(text, (corners + offset).astype(np.float32)))

    def zone(
        self, x: float, y: float, lines: Sequence[str], pitch: float, spacing: float, colour: tuple[int, ...], font: str = OCR_B,
        weight: int = 0,
    ) -> None:
        """Print a machine readable zone: first base line at (x, y), pitch between characters, spacing between lines (mm).

        weight adds strokes of that many pixels around the glyphs.
        """
        advance = OCR_B_ADVANCE if font == OCR_B else _font(font, 400).getlength("0") / 400
        size = pitch * self.scale / advance
        face = _font(font, max(4, round(size)))
        capital = _capital(font, "latin") * size
        for row, text in enumerate(lines):
            base = (y + row * spacing) * self.scale
            for column, sign in enumerate(text):
                middle = (x + (column + 0.5) * pitch) * self.scale
                self.draw.text((middle, base), sign, font=face, fill=colour, anchor="ms", stroke_width=weight, stroke_fill=colour)
            left, right = x * self.scale + 0.1 * size, (x + len(text) * pitch) * self.scale - 0.1 * size
            quad = [[left, base - capital], [right, base - capital], [right, base], [left, base]]
            self.lines.append(Line(text, np.array(quad, np.float32), "mrz"))

    def paste(
        self, picture: npt.NDArray[np.uint8], x: float, y: float, width: float, height: float, strength: float = 1.0, oval: bool = False
    ) -> None:
        """Lay an RGB array on the sheet at (x, y) mm, faded to strength, oval cuts soft corners."""
        box = (round(x * self.scale), round(y * self.scale))
        size = (max(2, round(width * self.scale)), max(2, round(height * self.scale)))
        tile = Image.fromarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        mask = np.full(size[::-1], 255 * strength, np.float32)
        if oval:
            shape = np.zeros(size[::-1], np.float32)
            cv2.ellipse(shape, (size[0] // 2, size[1] // 2), (size[0] * 46 // 100, size[1] * 48 // 100), 0, 0, 360, 1, -1)
            mask *= cv2.GaussianBlur(shape, (0, 0), size[0] / 20)
        self.image.paste(tile, box, Image.fromarray(mask.astype(np.uint8)))

    def array(self) -> npt.NDArray[np.uint8]:
        """The print as an RGB array."""
        return np.asarray(self.image)
