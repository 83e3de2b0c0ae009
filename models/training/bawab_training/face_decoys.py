"""What has been taken for a face and is none: lamps and balls, single signs, seals, clouds of colour, faces in cartoons and signs of faces."""

import cv2
import numpy as np

from . import arabic_fonts, canvas, patterns
from .content import pick

SIGNS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي٠١٢٣٤٥٦٧٨٩"
LATIN = "ABCDEFGHJKLMNOPQRSTUVWXYZ0123456789&@%"


def _colour(rng):
    return tuple(int(v) for v in rng.integers(0, 256, 3))


def lamp(rng, picture, middle, size):
    """An ellipse of one colour, or one that goes over into another, in place."""
    axes = (max(2, int(size * rng.uniform(0.25, 0.6))), max(2, int(size * rng.uniform(0.25, 0.6))))
    angle, first, last = rng.uniform(0, 180), np.array(_colour(rng), float), np.array(_colour(rng), float)
    rings = int(rng.choice([1, 1, 2, 8]))
    for ring in range(rings):
        tone = first + (last - first) * ring / max(1, rings - 1)
        part = tuple(max(1, int(a * (1 - ring / rings))) for a in axes)
        cv2.ellipse(picture, middle, part, angle, 0, 360, tuple(int(v) for v in tone), -1, cv2.LINE_AA)


def sign(rng, picture, middle, size):
    """One or a few large letters or figures in place."""
    arabic = rng.random() < 0.7
    font = arabic_fonts.draw(rng, False) if arabic else pick(rng, canvas.fonts("latin"))
    text = "".join(pick(rng, SIGNS if arabic else LATIN) for _ in range(int(rng.integers(1, 4))))
    image = canvas.Image.fromarray(picture)
    face = canvas.ImageFont.truetype(font, max(8, int(size * rng.uniform(0.6, 1.3))))
    ink = _colour(rng) if rng.random() < 0.3 else (int(rng.integers(0, 70)),) * 3
    canvas.ImageDraw.Draw(image).text(middle, text, fill=ink, font=face, anchor="mm")
    picture[:] = np.asarray(image)


def seal(rng, picture, middle, size):
    """Rings, rays and an emblem, as stamps and cards carry them, in place."""
    tone, radius = _colour(rng), size / 2
    for share in rng.uniform(0.3, 1, int(rng.integers(1, 4))):
        cv2.circle(picture, middle, max(1, int(radius * share)), tone, max(1, int(size * 0.02)), cv2.LINE_AA)
    patterns.emblem(rng, picture, middle, max(3, int(radius * rng.uniform(0.4, 0.8))), tone)


def cloud(rng, picture, middle, size):
    """A smooth blend with a hard border: a portrait's place with no portrait in it, in place."""
    width, height = max(4, int(size * rng.uniform(0.6, 1.2))), max(4, int(size * rng.uniform(0.8, 1.4)))
    tile = patterns.blend(rng, (width, height), [_colour(rng) for _ in range(int(rng.integers(2, 5)))], int(rng.integers(1, 5)))
    left, top = middle[0] - width // 2, middle[1] - height // 2
    low, high = np.maximum([left, top], 0), np.minimum([left + width, top + height], picture.shape[1::-1])
    if (high > low).all():
        picture[low[1] : high[1], low[0] : high[0]] = tile[low[1] - top : high[1] - top, low[0] - left : high[0] - left]


def cartoon(rng, picture, middle, size):
    """A drawn head of one tone with discs for eyes and an arc for a mouth, in place."""
    x, y = middle
    wide, tall = size * rng.uniform(0.35, 0.5), size * rng.uniform(0.38, 0.55)
    thick = max(1, int(size * rng.uniform(0.01, 0.04)))
    ink = (int(rng.integers(0, 60)),) * 3
    skin = pick(rng, [(255, 205, 40), _colour(rng), (int(rng.integers(150, 250)), 200, 160), None])
    if skin is not None:
        cv2.ellipse(picture, middle, (max(1, int(wide)), max(1, int(tall))), 0, 0, 360, skin, -1, cv2.LINE_AA)
    if skin is None or rng.random() < 0.6:
        cv2.ellipse(picture, middle, (max(1, int(wide)), max(1, int(tall))), 0, 0, 360, ink, thick, cv2.LINE_AA)
    apart, level, eye = wide * rng.uniform(0.3, 0.55), y - tall * rng.uniform(0.05, 0.35), max(1, int(size * rng.uniform(0.02, 0.12)))
    for side in (-1, 1):
        at = (int(x + side * apart), int(level))
        if rng.random() < 0.4:
            cv2.circle(picture, at, int(eye * 1.6) + 1, (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(picture, at, eye, ink, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.line(picture, (x, int(level)), (x + int(size * rng.uniform(-0.06, 0.06)), int(y + 0.15 * tall)), ink, thick, cv2.LINE_AA)
    mouth = (max(1, int(wide * rng.uniform(0.2, 0.6))), max(1, int(tall * rng.uniform(0.03, 0.3))))
    turn = pick(rng, (0, 0, 180))
    cv2.ellipse(picture, (x, int(y + tall * rng.uniform(0.3, 0.55))), mouth, 0, turn, turn + 180, ink, thick, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.ellipse(picture, (x, int(y - 0.3 * tall)), (int(wide) + 1, int(0.75 * tall) + 1), 0, 180, 360, _colour(rng), max(1, int(size * rng.uniform(0.03, 0.15))), cv2.LINE_AA)


def any_decoy(rng, picture):
    """One of them anywhere in the picture, in place."""
    height, width = picture.shape[:2]
    size = np.exp(rng.uniform(np.log(14), np.log(190)))
    middle = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    pick(rng, (lamp, lamp, sign, sign, seal, cloud, cartoon))(rng, picture, middle, size)
