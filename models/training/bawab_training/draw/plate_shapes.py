"""Where the letters of plates stand beside the digits of a plate: the table of inference/documents/egypt/shapes.txt.

    python -m bawab_training.draw.plate_shapes ../../inference/documents/egypt/shapes.txt

Of each letter, in the forms in which it is printed, it measures how high its upper and its lower edge stand over the lower edge
of the digits, and how wide it is, in heights of a digit, in every font of the training families that a document printer sets.
"""

import argparse
import pathlib

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from bawab_training.draw import arabic_fonts

STYLES = ("book", "naskh", "sans", "kufi")
FORMS = {letter: (letter,) for letter in "بجدرسصطعفقلمنو"} | {"أ": ("أ", "ا"), "ه": ("ه", "هـ"), "ى": ("ى", "ي")}
DIGITS = "١٢٣٤٥٦٧٨٩"
SIZE, LEAST = 120, 0.02
HEAD = """# Letters of plates as they stand beside the digits of a plate: the letter, then the median and the spread over faces of how high its
# upper and its lower edge stand over the lower edge of the digits, and of its width, in heights of a digit. A letter in two forms has
# two lines. Made by bawab_training.draw.plate_shapes of {count} training fonts; spread is half of what four in five are apart.
"""


def edges(font: ImageFont.FreeTypeFont, text: str) -> tuple[int, int, int]:
    """The upper and the lower edge of a text, downwards, and its width, in pixels."""
    image = Image.new("L", (5 * SIZE, 5 * SIZE))
    ImageDraw.Draw(image).text((SIZE, SIZE), text, font=font, fill=255)
    left, top, right, bottom = image.point(lambda value: 255 * (value > 100)).getbbox() or (0, 0, 0, 0)
    return top, bottom, right - left


def measured(path: str) -> dict[tuple[str, str], tuple[float, float, float]]:
    """The shape of each form of each letter in a font."""
    font = ImageFont.truetype(path, SIZE)
    digits = [edges(font, digit) for digit in DIGITS]
    top, line = (float(np.median([digit[at] for digit in digits])) for at in (0, 1))
    high = line - top
    out = {}
    for letter, forms in FORMS.items():
        for form in forms:
            upper, lower, width = edges(font, form)
            out[letter, form] = ((line - upper) / high, (line - lower) / high, width / high)
    return out


def spread(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Half of what four in five values are apart."""
    return np.maximum(LEAST, (np.quantile(values, 0.9, axis=0) - np.quantile(values, 0.1, axis=0)) / 2)


def main() -> None:
    """Write the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=pathlib.Path)
    out = arguments.parse_args().out
    needed = {ord(sign) for form in FORMS.values() for text in form for sign in text} | set(map(ord, DIGITS))
    files = [path for family in arabic_fonts.families() if family.style in STYLES for path in family.files]
    fonts = [measured(path) for path in files if needed <= arabic_fonts.signs(path)]
    lines = [HEAD.format(count=len(fonts))]
    for letter, forms in FORMS.items():
        for form in forms:
            values = np.array([font[letter, form] for font in fonts])
            numbers = [f"{number:.2f}" for pair in zip(np.median(values, axis=0), spread(values), strict=True) for number in pair]
            lines.append(" ".join([letter, *numbers]) + "\n")
    out.write_text("".join(lines))


if __name__ == "__main__":
    main()
