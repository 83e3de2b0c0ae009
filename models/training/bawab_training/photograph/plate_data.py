"""What the plate reader learns from: real plates with labelled signs, a pool of drawn ones, and views of both.

    python -m bawab_training.photograph.plate_data pool --count 6000 --seed 1 --out POOL
    python -m bawab_training.photograph.plate_data truth --real DIR --part test --out DIR    # the plates of one part, for bawab eval plates
    python -m bawab_training.photograph.plate_data spotted --pictures DIR --count 250 --seed 1 --out DIR    # such pictures with a sign of each plate hidden

Real plates come in the layout of EALPR: plates/NAME.jpg, labels/NAME.txt (class, box or polygon in shares of the picture;
0 to 16 the letters, 18 to 26 the digits 1 to 9) and characters/NAME-LETTER-I.jpg. They are split by what the plate says, so that
no plate, however often photographed, stands in two parts. A plate whose boxes and characters disagree is left out.
"""

from __future__ import annotations

import argparse
import collections
import glob
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import arabic_fonts, degrade, egypt_vehicles, patterns, plates
from ..draw.content import pick
from ..draw.egypt_content import Content

HEIGHT, WIDTH, STRIDE = 96, 192, 4
MARGIN = 0.05  # of the view, around the plate, on every side
MOTORCYCLES = 0.25  # of the drawn plates: no real plate to learn from has two rows
COVERED = 0.28  # of the samples have something on them
ASTRAY = 0.12  # of the views show the band with the country where signs should be, or a part of the plate
SIGNS = "123456789" + plates.LETTERS
LABELS = SIGNS + "?"
OTHER = len(SIGNS)  # the class of any sign that no plate carries
CLASSES = OTHER + 1


@dataclass
class Source:
    """A plate to take views of: a grey picture whose whole is the plate, and rows of (class, left, top, right, bottom) in pixels."""

    image: npt.NDArray[np.uint8]
    signs: npt.NDArray[np.float32]
    text: str = ""
    name: str = ""


def part_of(text: str) -> str:
    """The part in which a plate with that result belongs: train 70, val 10 and test 20 of a hundred."""
    share = int(hashlib.md5(text.encode()).hexdigest(), 16) % 100
    return "train" if share < 70 else "val" if share < 80 else "test"


def result(signs: npt.NDArray[np.float32]) -> str:
    """The service's form of what rows of signs in a single row say; "" when they break the rules of a plate."""
    rows = sorted(signs.tolist(), key=lambda row: row[1] + row[3])
    digits = "".join(SIGNS[int(row[0])] for row in rows if row[0] < 9)
    letters = [SIGNS[int(row[0])] for row in rows[::-1] if 9 <= row[0] < OTHER]
    if not (1 <= len(digits) <= 4 and 1 <= len(letters) <= 3):
        return ""
    return egypt_vehicles.plate_result(letters, digits)


def _boxes(path: str, size: Sequence[int]) -> npt.NDArray[np.float32]:
    rows = []
    for line in open(path, encoding="utf-8"):
        first, *rest = line.split()
        kind, values = int(first), np.array(rest, float)
        if len(values) == 4:
            x, y, w, h = values
            box = [x - w / 2, y - h / 2, x + w / 2, y + h / 2]
        else:
            box = [values[::2].min(), values[1::2].min(), values[::2].max(), values[1::2].max()]
        if kind != 17:
            rows.append([kind - 18 if kind > 17 else kind + 9, *(np.array(box) * (*size, *size))])
    return np.array(rows, np.float32).reshape(-1, 5)


def _listed(folder: str, name: str) -> collections.Counter[str]:
    """The signs of a plate by the names of its character pictures."""
    signs = (os.path.basename(path)[len(name) + 1 :].split("-")[0] for path in glob.glob(os.path.join(folder, "characters", glob.escape(name) + "-*")))
    return collections.Counter(arabic_western(sign) for sign in signs)


def arabic_western(sign: str) -> str:
    """A sign of a file name as the service writes it."""
    at = arabic_fonts.DIGITS.find(sign)
    return str(at) if at >= 0 else {"ھ": "ه"}.get(sign, sign)


def real(folder: str, parts: Sequence[str]) -> list[Source]:
    """The Sources of those parts; left out are plates that were labelled in part."""
    sources = []
    for path in sorted(glob.glob(os.path.join(folder, "labels", "*.txt"))):
        name = os.path.basename(path)[:-4]
        picture = os.path.join(folder, "plates", name + ".jpg")
        if not os.path.exists(picture):  # the list of classes lies among the labels
            continue
        image = cv2.imread(picture, cv2.IMREAD_GRAYSCALE)
        signs = _boxes(path, image.shape[::-1])
        text, listed = result(signs), _listed(folder, name)
        if not text or part_of(text) not in parts:
            continue
        if listed and listed != collections.Counter(text.replace(" ", "")):
            continue
        sources.append(Source(image, signs, text, name))
    return sources


def content(rng: np.random.Generator) -> Content:
    """What a drawn plate says: as issued, or chosen by its owner; sometimes with a sign that no plate carries."""
    issued = egypt_vehicles.plate_content(rng)
    if rng.random() < 0.3:
        return issued
    digits = [pick(rng, plates.DIGITS) for _ in range(rng.integers(1, 5))]
    letters = [pick(rng, plates.LETTERS) for _ in range(rng.integers(1, 4))]
    digits, letters = (([row[0]] * len(row) if rng.random() < 0.25 else row) for row in (digits, letters))
    if rng.random() < 0.12:
        letters[rng.integers(len(letters))] = pick(rng, plates.STRANGERS)
    if rng.random() < 0.04:
        digits[rng.integers(len(digits))] = "٠"
    issued.lines = [line for line in issued.lines if line[0] not in ("digits", "letters")] + [("digits", "".join(digits)), ("letters", " ".join(letters))]
    return issued


def sign_class(sign: str) -> int:
    """The network's class of a printed sign. Western digits are no sign of these plates: a foreign plate must not read as one."""
    at = -1 if sign.isascii() else SIGNS.find(arabic_western(sign))
    return at if at >= 0 else OTHER


def drawn(rng: np.random.Generator, held_out: bool = False) -> Source:
    """A drawn Source, 260 pixels wide: a plate, or now and then a foreign one, or joined words."""
    kind = rng.random()
    if kind < 0.87:
        page, rows = plates.drawn(rng, rng.uniform(3, 6), held_out, content(rng), motorcycles=MOTORCYCLES)
        image = page.image
    else:
        image, rows = plates.foreign(rng, rng.uniform(3, 6), held_out, words=kind > 0.94)
    signs = np.array([[sign_class(sign), *box] for sign, *box in rows], np.float32).reshape(-1, 5)
    factor = 260 / image.shape[1]
    image = cv2.resize(image, (260, round(image.shape[0] * factor)), interpolation=cv2.INTER_AREA)
    signs[:, 1:] *= factor
    return Source(np.ascontiguousarray(image @ np.array([0.299, 0.587, 0.114])).astype(np.uint8), signs)


def write_pool(count: int, seed: int, out: str) -> None:
    """Draw count Sources into the file out."""
    sources = [drawn(np.random.default_rng([seed, index])) for index in range(count)]
    rows = np.concatenate([s.signs for s in sources])
    heights, counts = [s.image.shape[0] for s in sources], [len(s.signs) for s in sources]
    with open(out, "wb") as file:  # of a path numpy would make one that ends with .npz, which nobody asked for
        np.savez(file, heights=heights, counts=counts, pixels=np.concatenate([s.image for s in sources]), rows=rows)


def read_pool(paths: Sequence[str]) -> list[Source]:
    """The Sources of files that write_pool wrote."""
    sources = []
    for path in paths:
        with np.load(path) as stored:
            images = np.split(stored["pixels"], np.cumsum(stored["heights"])[:-1])
            signs = np.split(stored["rows"], np.cumsum(stored["counts"])[:-1])
        sources += [Source(image, rows) for image, rows in zip(images, signs)]
    return sources


def _erase(image: npt.NDArray[np.uint8], box: Sequence[int] | np.ndarray) -> None:
    """Fill a box with what stands left and right of it, in place."""
    left, top, right, bottom = box
    rows = slice(max(0, top), min(image.shape[0], bottom))
    left, right = max(1, left), min(image.shape[1] - 1, right)
    a, b = image[rows, left - 1].astype(np.float32), image[rows, right].astype(np.float32)
    bright = np.percentile(image[rows, left:right], 85) if right > left else 0
    a, b = np.maximum(a, bright * 0.9), np.maximum(b, bright * 0.9)
    share = np.linspace(0, 1, right - left, dtype=np.float32)[None]
    image[rows, left:right] = (a[:, None] * (1 - share) + b[:, None] * share).astype(np.uint8)


def _paste(
    image: npt.NDArray[np.uint8], donor: npt.NDArray[np.uint8], box: np.ndarray, place: tuple[float, float], width: int, height: int
) -> bool:
    """Print the ink of the donor's box into image at place (its middle), width x height pixels, in the image's own tones."""
    left, top, right, bottom = np.round(box + np.array([-1, -1, 1, 1])).astype(int)
    patch = donor[max(0, top) : bottom, max(0, left) : right]
    low, high = np.percentile(patch, (4, 90))
    if high - low < 12:
        return False
    share = np.clip((high - cv2.resize(patch, (width, height), interpolation=cv2.INTER_AREA).astype(np.float32)) / (high - low), 0, 1)
    x, y = round(place[0] - width / 2), round(place[1] - height / 2)
    if x < 0 or y < 0 or x + width > image.shape[1] or y + height > image.shape[0]:
        return False
    target = image[y : y + height, x : x + width]
    ink = np.percentile(image, 4)
    target[:] = (target * (1 - share) + ink * share).astype(np.uint8)
    return True


def shuffled(rng: np.random.Generator, source: Source, donors: Sequence[Sequence[tuple[Source, np.ndarray]]]) -> Source:
    """source with some of its signs replaced by those of other plates, or erased; donors: by class, (Source, row) of each."""
    image, kept = source.image.copy(), []
    for row in source.signs:
        draw = rng.random()
        if draw < 0.4:
            kept.append(row)
            continue
        x0, y0, x1, y1 = row[1:]
        grow = np.array([-0.12 * (x1 - x0), -0.06 * (y1 - y0), 0.12 * (x1 - x0), 0.06 * (y1 - y0)])
        _erase(image, np.round(row[1:] + grow).astype(int))
        if draw < 0.5:
            continue
        kind = int(rng.integers(9)) if row[0] < 9 else int(rng.integers(9, OTHER))
        donor, box = pick(rng, donors[kind]) if donors[kind] else (source, row)
        scale = source.image.shape[0] / donor.image.shape[0]
        width, height = (max(3, round(float(v) * scale)) for v in (box[3] - box[1] + 2, box[4] - box[2] + 2))
        width = min(width, round(1.25 * float(x1 - x0)) + 4)
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        if not _paste(image, donor.image, box[1:], middle, width, height):
            return source
        kept.append(np.array([kind, middle[0] - width / 2, middle[1] - height / 2, middle[0] + width / 2, middle[1] + height / 2], np.float32))
    return Source(image, np.array(kept, np.float32).reshape(-1, 5)) if kept else source


def _blot(rng: np.random.Generator, size: tuple[int, int], middle: np.ndarray, reach: np.ndarray) -> npt.NDArray[np.float32]:
    """A mask 0..1 of what lies about middle, reach (across, up) to its sides: a spot, a sticker or burning light."""
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    angle = rng.uniform(-0.4, 0.4)
    dx, dy = x - middle[0], y - middle[1]
    u, v = (dx * np.cos(angle) + dy * np.sin(angle)) / reach[0], (dy * np.cos(angle) - dx * np.sin(angle)) / reach[1]
    if rng.random() < 0.25:
        mask = (np.maximum(np.abs(u), np.abs(v)) < 1).astype(np.float32)
    else:
        turn = np.arctan2(v, u)
        rim = 1 + sum(rng.normal(0, 0.08) * np.cos(k * turn + rng.uniform(0, 6.3)) for k in (2, 3, 5))
        mask = (np.hypot(u, v) < rim).astype(np.float32)
    return cv2.GaussianBlur(mask, (0, 0), max(0.6, reach[0] * rng.uniform(0.02, 0.35)))


def covered(rng: np.random.Generator, source: Source) -> Source:
    """source with dirt, a sticker or burnt light on it: a sign of which most is hidden is one that nobody can name."""
    image, signs = source.image.astype(np.float32), source.signs.copy()
    height, width = source.image.shape
    for _ in range(1 if rng.random() < 0.8 else 2):
        _, x0, y0, x1, y1 = pick(rng, signs)
        wide, high = max(x1 - x0, 0.3 * (y1 - y0)), y1 - y0
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) + rng.normal(0, 0.1, 2) * (wide, high)
        if rng.random() < 0.3:  # beside the signs, or on the edge of one
            middle = rng.uniform(0, 1, 2) * (width, height)
        mask = _blot(rng, (width, height), middle, rng.uniform(0.45, 0.95, 2) * (wide, high)) * rng.uniform(0.85, 1.0)
        ground = np.percentile(image, 80)
        tone = rng.uniform(5, 0.8 * ground) if rng.random() < 0.6 else min(255.0, ground + rng.uniform(5, 90))
        grain = cv2.GaussianBlur(rng.normal(0, 1, image.shape).astype(np.float32), (0, 0), rng.uniform(0.5, 3)) * rng.uniform(0, 25)
        image = image * (1 - mask) + (tone + grain) * mask
        for row in signs:
            left, top, right, bottom = np.round(row[1:]).astype(int)
            box = mask[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            if box.size and (box > 0.6).mean() > 0.45:
                row[0] = OTHER
    return Source(np.clip(image, 0, 255).astype(np.uint8), signs, source.text, source.name)


def _spoil(rng: np.random.Generator, image: npt.NDArray[np.uint8], level: float) -> npt.NDArray[np.uint8]:
    """What light, lens, distance and coding do to a view."""
    if rng.random() < 0.5:
        image = degrade.uneven_light(image, rng.uniform(0.05, 0.5), rng)
    if rng.random() < 0.35:
        image = degrade.shadow(image, rng.uniform(0.1, 0.7), rng)
    if rng.random() < 0.25:
        image = degrade.glare(image, rng.uniform(20, 200), rng)
    image = degrade.contrast(image, rng.uniform(0.35, 1.25), rng.uniform(-50, 40), rng.uniform(0.6, 1.6))
    if rng.random() < 0.6 * level:
        image = degrade.resolution(image, rng.uniform(0.24, 0.9))
    if rng.random() < 0.5 * level:
        image = degrade.defocus(image, rng.uniform(0.3, 2.2))
    if rng.random() < 0.3 * level:
        image = degrade.motion(image, rng.uniform(2, 9), rng.uniform(0, np.pi))
    if rng.random() < 0.25:
        image = degrade.sharpen(image, rng.uniform(0.2, 1.5))
    if rng.random() < 0.6:
        image = degrade.noise(image, rng.uniform(1, 14), rng, rng.uniform(0, 1.2))
    if rng.random() < 0.5:
        image = degrade.jpeg(image, rng.integers(25, 95))
    return image


def stretch(view: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The view with its 2nd and 98th percentile drawn apart to 0 and 255, at most fourfold; the service does the same."""
    low, high = np.percentile(view, (2, 98), method="lower")
    gain = 255 / max(float(high) - float(low), 64.0)
    return np.clip((view.astype(np.float32) - float(low)) * gain, 0, 255).astype(np.uint8)


def corners_of(rng: np.random.Generator, jitter: float) -> npt.NDArray[np.float32]:
    """Where the corners of a plate come to lie in the view when its outline is known that badly."""
    left, top = MARGIN * WIDTH, MARGIN * HEIGHT
    square = np.array([[left, top], [WIDTH - left, top], [WIDTH - left, HEIGHT - top], [left, HEIGHT - top]])
    middle = square.mean(0)
    scale = np.exp(rng.normal(0, 0.8 * jitter, 2) + rng.normal(0, jitter))
    angle = rng.normal(0, 1.2 * jitter)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved = (square - middle) * scale @ turn.T + middle + rng.normal(0, jitter, 2) * (0.8 * WIDTH, 0.8 * HEIGHT)
    return (moved + rng.normal(0, 0.35 * jitter, (4, 2)) * (WIDTH, HEIGHT)).astype(np.float32)


def astray(rng: np.random.Generator, corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """corners of a plate whose outline has lost its way: the band comes to lie where signs should be, or the plate goes on beyond the view."""
    middle = corners.mean(0)
    shift = np.array([rng.normal(0, 0.12) * WIDTH, (rng.uniform(0.12, 0.5) if rng.random() < 0.7 else rng.uniform(-0.4, -0.1)) * HEIGHT])
    return ((corners - middle) * np.exp(rng.uniform(-0.1, 0.5)) + middle + shift).astype(np.float32)


def view(
    source: Source, corners: npt.NDArray[np.float32], background: npt.NDArray[np.uint8] | None = None
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """(view, signs) of a source whose outline comes to lie at corners; around it background, or its own rim drawn out."""
    height, width = source.image.shape
    outline = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    homography = cv2.getPerspectiveTransform(outline, corners.astype(np.float32))
    homography = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1]]) @ homography @ np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    image = source.image
    if width > 1.6 * WIDTH:
        image = cv2.blur(image, (2, 2))
    border = cv2.BORDER_REPLICATE if background is None else cv2.BORDER_TRANSPARENT
    target = None if background is None else background.copy()
    out = cv2.warpPerspective(image, homography, (WIDTH, HEIGHT), dst=target, flags=cv2.INTER_LINEAR, borderMode=border)
    if not len(source.signs):
        return out, source.signs
    boxes = source.signs[:, 1:].reshape(-1, 2, 2)
    four = np.stack([boxes[:, 0], np.stack([boxes[:, 1, 0], boxes[:, 0, 1]], 1), boxes[:, 1], np.stack([boxes[:, 0, 0], boxes[:, 1, 1]], 1)], 1)
    mapped = cv2.perspectiveTransform(four.reshape(1, -1, 2), homography).reshape(-1, 4, 2)
    return out, np.concatenate([source.signs[:, :1], mapped.min(1), mapped.max(1)], 1)


def targets(signs: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """(heat, classes) on the answer's grid: how much a cell is a sign's middle, 0..1, and its class there, -1 elsewhere."""
    rows, columns = HEIGHT // STRIDE, WIDTH // STRIDE
    heat, classes = np.zeros((rows, columns), np.float32), np.full((rows, columns), -1, np.int64)
    y, x = (np.mgrid[:rows, :columns] + 0.5) * STRIDE
    for kind, left, top, right, bottom in signs:
        cx, cy, w, h = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
        if not (0 <= cx < WIDTH and 0 <= cy < HEIGHT):
            continue
        spread = (max(0.2 * w, 2.6), max(0.16 * h, 2.6))
        bump = np.exp(-(((x - cx) / spread[0]) ** 2 + ((y - cy) / spread[1]) ** 2) / 2).astype(np.float32)
        at = (int(cy / STRIDE), int(cx / STRIDE))
        bump[at] = 1.0
        classes[(bump > 0.45) & (bump > heat)] = int(kind)
        heat = np.maximum(heat, bump)
    return heat, classes


def background(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """What stands around a plate, or where none is."""
    size = (WIDTH, HEIGHT)
    if rng.random() < 0.5:
        tone = rng.integers(0, 256, 2)
        return patterns.blend(rng, size, [(int(t),) * 3 for t in tone])[..., 0].copy()
    return cv2.cvtColor(patterns.table(rng, size), cv2.COLOR_RGB2GRAY)


class Samples:
    """Draws training samples from real plates and a pool: (view, heat, classes)."""

    def __init__(self, reals: Sequence[Source], pool: Sequence[Source]) -> None:
        self.reals, self.pool = reals, pool
        self.donors: list[list[tuple[Source, np.ndarray]]] = [[] for _ in range(CLASSES)]
        for source in reals:
            for row in source.signs:
                if row[4] - row[2] >= 14:
                    self.donors[int(row[0])].append((source, row))
        self.backgrounds = [background(np.random.default_rng([7, i])) for i in range(300)]

    def sample(self, rng: np.random.Generator) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """One sample."""
        draw = rng.random()
        around = pick(rng, self.backgrounds)
        if draw < 0.03:
            out, signs = degrade.contrast(around, rng.uniform(0.5, 2)), np.zeros((0, 5), np.float32)
        elif draw < 0.45 or not self.reals:
            out, signs = view(self._covered(rng, pick(rng, self.pool)), self._corners(rng), around)
        else:
            source = pick(rng, self.reals)
            if rng.random() < 0.6:
                source = shuffled(rng, source, self.donors)
            out, signs = view(self._covered(rng, source), self._corners(rng), around if rng.random() < 0.4 else None)
        out = stretch(_spoil(rng, out, 1.0 if draw < 0.45 else 0.45))
        return (out, *targets(signs))

    def _corners(self, rng: np.random.Generator) -> npt.NDArray[np.float32]:
        corners = corners_of(rng, 0.045)
        return astray(rng, corners) if rng.random() < ASTRAY else corners

    def _covered(self, rng: np.random.Generator, source: Source) -> Source:
        return covered(rng, source) if len(source.signs) and rng.random() < COVERED else source


def write_truth(folder: str, part: str, out: str) -> None:
    """Write the plates of one part, each in the middle of a grey surround, and truth.jsonl with the outline of the plate."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for source in real(folder, (part,)):
            image = cv2.imread(os.path.join(folder, "plates", source.name + ".jpg"))
            height, width = image.shape[:2]
            x, y = max(width // 2, 32), max(height // 2, 32)
            cv2.imwrite(os.path.join(out, source.name + ".png"), cv2.copyMakeBorder(image, y, y, x, x, cv2.BORDER_CONSTANT, value=(96, 96, 96)))
            quad = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
            lines.write(json.dumps({"file": source.name + ".png", "result": source.text, "quad": quad}, ensure_ascii=False) + "\n")


def spot(rng: np.random.Generator, image: npt.NDArray[np.uint8], quad: npt.ArrayLike, result: str) -> npt.NDArray[np.uint8]:
    """Hide one sign of the plate of one row at quad in a colour picture by an ellipse of mud, tar or light; training spots plates otherwise (covered)."""
    digits = sum(sign.isdigit() for sign in result)
    letters = len(result.replace(" ", "")) - digits
    count, middle = (digits, 0.58) if rng.random() < digits / (digits + letters) else (letters, 1.456)
    place = middle + (rng.integers(count) - (count - 1) / 2) * 0.235, 0.63
    quad = np.array(quad, np.float32)
    homography = cv2.getPerspectiveTransform(np.array([[0, 0], [2, 0], [2, 1], [0, 1]], np.float32), quad)
    turn = np.linspace(0, 2 * np.pi, 40)
    rim = np.stack([place[0] + 0.14 * np.cos(turn), place[1] + 0.30 * np.sin(turn)], 1).astype(np.float32)
    mask = np.zeros(image.shape[:2], np.float32)
    cv2.fillPoly(mask, [cv2.perspectiveTransform(rim[None], homography)[0].astype(np.int32)], 1)
    kind = pick(rng, ("mud", "tar", "light"))
    size = np.linalg.norm(quad[1] - quad[0]) / 40
    mask = cv2.GaussianBlur(mask, (0, 0), max(0.8, size * (1.2 if kind == "light" else 0.4)))[..., None]
    if kind == "light":
        (left, top), (right, bottom) = np.maximum(quad.min(0), 0).astype(int), quad.max(0).astype(int)
        colour = np.percentile(image[top:bottom, left:right].reshape(-1, 3), 97, axis=0)
    else:
        colour = np.array((60, 80, 100) if kind == "mud" else (30, 30, 32))
    return np.clip(image * (1 - mask) + colour * mask, 0, 255).astype(np.uint8)


def write_spotted(folder: str, count: int, seed: int, out: str) -> None:
    """Write pictures of a folder with one sign of each plate hidden, and truth.jsonl: what the plate says without the spot."""
    os.makedirs(out, exist_ok=True)
    rng = np.random.default_rng([seed, 11])
    truths = [json.loads(line) for line in open(os.path.join(folder, "truth.jsonl"), encoding="utf-8")]
    truths = [truth for truth in truths if truth["result"] and not truth.get("motorcycle")]
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in rng.permutation(len(truths))[:count]:
            truth = truths[index]
            image = spot(rng, cv2.imread(os.path.join(folder, truth["file"])), truth["quad"], truth["result"])
            name = os.path.splitext(truth["file"])[0] + ".jpg"
            cv2.imwrite(os.path.join(out, name), image, [cv2.IMWRITE_JPEG_QUALITY, 92])
            lines.write(json.dumps({**truth, "file": name}, ensure_ascii=False) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.plate_data")
    parser.add_argument("what", choices=("pool", "truth", "spotted"))
    parser.add_argument("--pictures", help="folder of pictures to spot")
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--real")
    parser.add_argument("--part", choices=("train", "val", "test"), default="val")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "pool":
        write_pool(args.count, args.seed, args.out)
    elif args.what == "spotted":
        write_spotted(args.pictures, args.count, args.seed, args.out)
    else:
        write_truth(args.real, args.part, args.out)


if __name__ == "__main__":
    main()
