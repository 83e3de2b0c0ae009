"""Egyptian licence plates of the design since 2008 as flat sheets.

Lengths are quarter millimetres of the real plate (350 x 170 mm), so that a sheet is as large as a card at the same scale.
"""

import numpy as np

from . import arabic_fonts, canvas, degrade, egypt_cards, egypt_vehicles, patterns
from .canvas import Canvas
from .content import pick
from .pages import dark_ink, finished

CAR, MOTORCYCLE = (87.5, 42.5), (62.0, 46.0)


def _metal(rng, size, scale):
    pixels = (round(size[0] * scale), round(size[1] * scale))
    tone = rng.integers(215, 252)
    image = patterns.blend(rng, pixels, [(tone,) * 3, tuple(int(v) for v in tone - rng.integers(0, 25, 3))])
    return degrade.noise(image, rng.uniform(0, 4), rng, 0.8)


def _separate(sheet, rng, signs, span, base, height, font, colour, role, rtl):
    """Print signs apart over span (left, right), from the right where rtl; one line of text."""
    left, right = span
    step = (right - left) / len(signs)
    before = len(sheet.lines)
    for place, sign in enumerate(signs):
        slot = len(signs) - 1 - place if rtl else place
        sheet.text(left + (slot + 0.5) * step, base, sign, font, height, colour, "m", 0.92 * step, role=role, weight=int(rng.random() < 0.5))
    parts = np.array([line.quad for line in sheet.lines[before:]])
    quad = np.array([parts[:, :, 0].min(), parts[:, :, 1].min(), parts[:, :, 0].max(), parts[:, :, 1].max()])
    x0, y0, x1, y1 = quad
    sheet.lines[before:] = [canvas.Line(" ".join(signs) if rtl else "".join(signs), np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32), role=role)]


def plate(rng, scale, portrait=None, held_out=False, content=None):
    """A plate: a coloured band with the country in two scripts, digits at the left, letters at the right."""
    content = content or egypt_vehicles.plate_content(rng)
    size = MOTORCYCLE if rng.random() < 0.12 else CAR
    width, height = size
    sheet = Canvas(*size, scale, _metal(rng, size, scale))
    ink, band = dark_ink(rng, 5, 45), height * rng.uniform(0.24, 0.36)
    colour = tuple(int(np.clip(v + rng.integers(-25, 26), 0, 255)) for v in content.extra["band"])
    sheet.draw.rectangle([0, 0, sheet.size[0], round(band * scale)], fill=colour)
    edge = max(1, round(rng.uniform(0.3, 0.9) * scale))
    sheet.draw.rectangle([0, 0, sheet.size[0] - 1, sheet.size[1] - 1], outline=ink, width=edge)
    if rng.random() < 0.7:
        sheet.draw.line([0, round(band * scale), sheet.size[0], round(band * scale)], fill=ink, width=edge)
    font = arabic_fonts.draw(rng, held_out)
    latin = pick(rng, canvas.fonts("latin", held_out))
    small = band * rng.uniform(0.42, 0.6)
    sheet.text(width * rng.uniform(0.08, 0.14), band * 0.78, content.text("country_en"), latin, small, ink, "l", 0.36 * width, role="country_en", weight=1)
    sheet.text(width * rng.uniform(0.86, 0.93), band * 0.74, content.text("country_ar"), font, small, ink, "r", 0.3 * width, role="country_ar", weight=1)
    middle = width * rng.uniform(0.47, 0.56)
    if rng.random() < 0.7:
        sheet.draw.line([round(middle * scale), round(band * scale), round(middle * scale), sheet.size[1]], fill=ink, width=edge)
    tall, base = (height - band) * rng.uniform(0.42, 0.58), height - (height - band) * rng.uniform(0.22, 0.3)
    margin = rng.uniform(2.5, 6)
    _separate(sheet, rng, content.text("digits"), (margin, middle - 2.5), base, tall, font, ink, "digits", False)
    letters = content.text("letters").split()
    _separate(sheet, rng, letters, (middle + 2.5, width - margin), base - tall * rng.uniform(0, 0.12), tall * rng.uniform(0.8, 1), font, ink, "letters", True)
    _screws(sheet, rng)
    page = finished(sheet, "license_plate", content)
    if rng.random() < 0.6:
        page.image = egypt_cards.worn(rng, page.image, scale)
    return page


def _screws(sheet, rng):
    for _ in range(int(rng.choice([0, 2, 4]))):
        x, y = rng.uniform(0.06, 0.94) * sheet.size[0], pick(rng, [0.07, 0.93]) * sheet.size[1]
        radius = rng.uniform(0.6, 1.2) * sheet.scale
        tone = int(rng.integers(60, 200))
        sheet.draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=(tone,) * 3, outline=(tone // 2,) * 3)
