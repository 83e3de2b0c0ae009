"""Training pictures of documents of which much is hidden: fanned out in a hand, in pockets, sleeves and wallets, in heaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from . import photograph
from ..draw.content import pick
from .finder_pool import KINDS, PLATE, UNKNOWN, Flat, Pool
from .finder_stage import Truth, any_size, any_turn, ground, in_sight, laid, lay, sheets_below, usual_tone
from .photograph import View

CARD = 86.0  # millimetres of a card's longer side
LEAST = 0.5  # share of a document that is seen at least, or it is no document of the scene


def _cards(rng: np.random.Generator, pool: Pool, count: int) -> list[Flat]:
    """Documents that people carry with them: no plates."""
    flats: list[Flat] = []
    while len(flats) < count:
        flat = pool.document(rng)
        if flat.kind != PLATE:
            flats.append(flat)
    return flats


def _half(rng: np.random.Generator, flat: Flat) -> np.ndarray:
    """Half the extents of a document in millimetres."""
    extent = flat.corners[2] - flat.corners[0]
    longer = {KINDS.index("passport"): 125.0, UNKNOWN: rng.uniform(80, 110)}.get(flat.kind, CARD)
    return extent / extent.max() * longer / 2


def _turned(angle: float, point: np.ndarray) -> npt.NDArray[np.float64]:
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([cosine * point[0] - sine * point[1], sine * point[0] + cosine * point[1]])


def _table(rng: np.random.Generator, size: tuple[int, int], wide: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """A plane whose visible part is wide millimetres across the longer side of the picture; its extents with it."""
    table = wide * np.array(size) / max(size)
    return photograph.camera(rng, tuple(table), size[0], size, np.radians(38) * rng.random() ** 0.7, 0.0), table


def _free(quads: Sequence[npt.NDArray[np.float32]], size: tuple[int, int]) -> bool:
    """Whether of each outline, laid from the bottom up, enough is seen: on the picture and below the later ones."""
    for index, quad in enumerate(quads):
        area = max(cv2.contourArea(quad), 1)
        hidden = sum(cv2.intersectConvexConvex(quad, upper)[0] for upper in quads[index + 1 :])
        if hidden > (1 - LEAST) * area or in_sight(quad, size) < 0.9:
            return False
    return True


def _arrangement(
    rng: np.random.Generator, size: tuple[int, int], wide: float, flats: Sequence[Flat],
    places: Callable[[np.ndarray, list[np.ndarray]], Iterator[tuple[np.ndarray, float]]],
) -> tuple[npt.NDArray[np.float64], list[View]] | None:
    """A plane and the views of flats on it, of which enough is seen, or None; places(table) gives each a middle and an angle."""
    halves = [_half(rng, flat) for flat in flats]
    for _ in range(60):
        plane, table = _table(rng, size, wide)
        views = [laid(plane, flat, 2 * half.max(), *at) for flat, half, at in zip(flats, halves, places(table, halves))]
        if all(view.in_front() for view in views) and _free([view.forward(flat.corners).astype(np.float32) for flat, view in zip(flats, views)], size):
            return plane, views
        wide *= 1.015
    return None


def _skin(rng: np.random.Generator) -> npt.NDArray[np.float64]:
    tone = rng.uniform(70, 235)
    return np.array([tone, tone * rng.uniform(0.65, 0.85), tone * rng.uniform(0.48, 0.75)])


def _limb(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], start: np.ndarray, end: np.ndarray, thick: float, tone: np.ndarray
) -> None:
    """A finger or a palm from start to end in place: lighter along its middle, darker at its rim."""
    layer = picture.copy()
    start, end = (tuple(int(v) for v in np.clip(point, -2000, 2000)) for point in (start, end))
    for share, light in ((1.0, 0.82), (0.8, 0.95), (0.45, 1.05)):
        cv2.line(layer, start, end, tuple(float(v) for v in np.clip(tone * light, 0, 255)), max(1, int(thick * share)), cv2.LINE_AA)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.line(mask, start, end, 255, max(1, int(thick)), cv2.LINE_AA)
    soft = cv2.GaussianBlur(layer, (0, 0), max(0.5, thick / 10))
    share = (mask / 255.0)[..., None]
    picture[:] = (soft * share + picture * (1 - share)).astype(np.uint8)


def _unit(vector: np.ndarray) -> np.ndarray:
    return vector / max(np.linalg.norm(vector), 1e-6)


def fanned(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """One to four cards in a hand, fanned out about a place near one end."""
    size, flats = any_size(rng), _cards(rng, pool, int(rng.choice([1, 2, 3, 4], p=(0.15, 0.35, 0.35, 0.15))))
    picture, truth = ground(rng, pool, size, flats[0] if rng.random() < 0.15 else None), Truth()
    base = any_turn(rng)
    pivot: list[np.ndarray] = []

    def places(table: np.ndarray, halves: list[np.ndarray]) -> Iterator[tuple[np.ndarray, float]]:
        step, slip = rng.choice([-1, 1]) * np.radians(rng.uniform(9, 50)), rng.normal(0, 9, 2)
        hold = np.array([rng.choice([-1, 1]) * rng.uniform(0.3, 1.3), rng.uniform(0.0, 1.3)])
        pivot[:] = [table * rng.normal(0.5, 0.15, 2)]
        for index, half in enumerate(halves):
            angle = base + step * (index - (len(halves) - 1) / 2) + rng.normal(0, 0.05)
            yield pivot[0] - _turned(angle, hold * half) + index * slip, angle

    found = _arrangement(rng, size, rng.uniform(105, 230), flats, places)
    if found is None:
        return picture, truth
    plane, views = found
    at = View(plane, (1, 1)).forward(pivot).astype(float)[0]
    scale = np.sqrt(cv2.contourArea(views[0].forward(flats[0].corners)) / (CARD * 54))  # pixels a millimetre, roughly
    outward = _unit(at - np.mean([view.forward(flat.corners).mean(0) for flat, view in zip(flats, views)], 0))
    across, tone = np.array([-outward[1], outward[0]]), _skin(rng)
    _limb(rng, picture, at + outward * 130 * scale, at - outward * rng.uniform(0, 25) * scale, rng.uniform(45, 75) * scale, tone)
    for finger in range(int(rng.integers(0, 5))):
        root = at + across * (finger - 1.5) * 17 * scale
        _limb(rng, picture, root, root - outward * rng.uniform(20, 70) * scale + across * rng.normal(0, 8) * scale, rng.uniform(12, 19) * scale, tone)
    for flat, view in zip(flats, views):
        lay(rng, picture, truth, flat, view)
    if rng.random() < 0.8:  # the thumb
        side = across * rng.uniform(-22, 22) * scale
        _limb(rng, picture, at + outward * rng.uniform(25, 60) * scale + side, at - outward * rng.uniform(2, 22) * scale, rng.uniform(14, 21) * scale, tone * rng.uniform(0.9, 1.1))
    return picture, truth


def heaped(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """Two to four documents thrown or pushed onto each other, up to half of one hidden."""
    size, flats = any_size(rng), _cards(rng, pool, int(rng.choice([2, 3, 4], p=(0.45, 0.4, 0.15))))
    picture, truth = ground(rng, pool, size, pick(rng, flats) if rng.random() < 0.2 else None), Truth()
    base, loose = any_turn(rng), pick(rng, [0.06, 0.3, 3.0])

    def places(table: np.ndarray, halves: list[np.ndarray]) -> Iterator[tuple[np.ndarray, float]]:
        middle = table * rng.normal(0.5, 0.08, 2)
        near = rng.uniform(0.6, 1.5)
        for half in halves:
            angle = base + rng.normal(0, loose)
            yield middle, angle
            direction = rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else base + np.pi / 2 * rng.integers(4)
            middle = middle + near * rng.uniform(0.7, 1.4) * half.max() * np.array([np.cos(direction), np.sin(direction)])

    found = _arrangement(rng, size, rng.uniform(130, 300), flats, places)
    if found is not None:
        sheets_below(rng, pool, picture, truth, 0.25)
        for flat, view in zip(flats, found[1]):
            lay(rng, picture, truth, flat, view)
    return picture, truth


def leather(rng: np.random.Generator, width: float, height: float, like: Flat | None = None) -> Flat:
    """A slab of a wallet, a case or a bag as clutter; with like, nearly in the colour of that document."""
    tone = rng.uniform(12, 90) * rng.uniform(0.75, 1.25, 3) if rng.random() < 0.75 else rng.uniform(60, 240, 3)
    if like is not None:
        tone = usual_tone(like) + rng.normal(0, 9, 3)
    scale = 240 / max(width, height)
    shape = (max(8, round(height * scale)), max(8, round(width * scale)))
    grain = cv2.GaussianBlur(rng.normal(0, 1, shape).astype(np.float32), (0, 0), rng.uniform(0.6, 2.5))
    fold = cv2.resize(rng.normal(0, 1, (3, 3)).astype(np.float32), shape[::-1], interpolation=cv2.INTER_CUBIC)
    image = tone + (grain / max(grain.std(), 1e-6) * rng.uniform(0, 8) + fold * rng.uniform(0, 12))[..., None]
    image = np.ascontiguousarray(np.clip(image, 0, 255).astype(np.uint8))
    if rng.random() < 0.6:  # the seam
        away, light = int(rng.uniform(3, 9)), tuple(float(v) for v in np.clip(tone * rng.uniform(0.5, 1.9) + rng.uniform(-10, 40), 0, 255))
        for start in range(away, shape[1] - away, 6):
            cv2.line(image, (start, away), (start + 3, away), light, 1, cv2.LINE_AA)
    low, high = np.zeros(2), np.array(shape[::-1], np.float32)
    return Flat(image, -1, np.array([low, [high[0], 0], high, [0, high[1]]], np.float32))


def _film(rng: np.random.Generator, picture: npt.NDArray[np.uint8], outline: np.ndarray) -> None:
    """Transparent film over an outline in place: haze, a lighter rim, a streak of light."""
    layer, polygon = picture.astype(np.float32), [np.round(outline).astype(np.int32)]
    mask = np.zeros(picture.shape[:2], np.float32)
    cv2.fillPoly(mask, polygon, rng.uniform(0.03, 0.25), cv2.LINE_AA)
    cv2.polylines(mask, polygon, True, rng.uniform(0.1, 0.5), 1, cv2.LINE_AA)
    if rng.random() < 0.5:
        start, along = outline[0] + rng.random() * (outline[1] - outline[0]), outline[3] - outline[0]
        streak = np.zeros_like(mask)
        cv2.line(streak, tuple(int(v) for v in start), tuple(int(v) for v in start + along + rng.normal(0, 20, 2)), rng.uniform(0.1, 0.5), int(rng.uniform(2, 14)), cv2.LINE_AA)
        mask = np.maximum(mask, cv2.GaussianBlur(streak, (0, 0), 3) * (mask > 0))
    picture[:] = np.clip(layer + (rng.uniform(170, 255) - layer) * mask[..., None], 0, 255).astype(np.uint8)


def pocketed(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """One to three cards in a wallet, a case or a sleeve: a pocket, opaque or with a window, covers a side of each."""
    size, flats = any_size(rng), _cards(rng, pool, int(rng.choice([1, 2, 3], p=(0.45, 0.4, 0.15))))
    picture, truth = ground(rng, pool, size), Truth()
    base, quarter = any_turn(rng), np.pi / 2 * int(rng.choice([0, 0, 0, 1, 2, 3]))
    tuck, like = rng.uniform(0.08, 0.42), flats[0] if rng.random() < 0.25 else None
    starts: list[np.ndarray] = []

    def places(table: np.ndarray, halves: list[np.ndarray]) -> Iterator[tuple[np.ndarray, float]]:
        starts[:] = [table * rng.normal(0.5, 0.08, 2)]
        down = 0.0
        for half in halves:
            deep = half[::-1] if quarter % np.pi > 1 else half
            yield starts[0] + _turned(base, np.array([rng.normal(0, 3), down])), base + quarter + rng.normal(0, 0.03)
            down += 2 * deep[1] * rng.uniform(LEAST, 1.1)

    found = _arrangement(rng, size, rng.uniform(120, 280), flats, places)
    if found is None:
        return picture, truth
    plane, views = found
    upright = quarter % np.pi > 1
    wide, deep = (54.0, CARD) if upright else (CARD, 54.0)

    def slab(middle: tuple[float, float], extent: tuple[float, float], made: Flat) -> None:
        lay(rng, picture, truth, made, laid(plane, made, max(extent), starts[0] + _turned(base, np.array(middle)), base))

    breadth = wide + rng.uniform(4, 50)
    if rng.random() < 0.7:
        tall = deep * rng.uniform(1.2, 2.4)
        slab((rng.uniform(-0.4, 0.4) * (breadth - wide), tall / 2 - deep * rng.uniform(0.5, 0.8)), (breadth, tall), leather(rng, breadth, tall, like))
    opaque, mouth = rng.random() < 0.75, leather(rng, breadth, deep, like)
    for flat, view in zip(flats, views):
        lay(rng, picture, truth, flat, view)
        middle = np.linalg.inv(plane) @ np.append(view.forward(flat.corners).mean(0), 1)
        local = _turned(-base, middle[:2] / middle[2] - starts[0])
        if opaque:
            slab((rng.uniform(-0.3, 0.3) * (breadth - wide), local[1] + deep * (1.0 - tuck)), (breadth, deep), mouth)
        else:
            _film(rng, picture, photograph.grown(view.forward(flat.corners), rng.uniform(0.02, 0.2)))
    return picture, truth


def tucked(rng: np.random.Generator, picture: npt.NDArray[np.uint8], truth: Truth, quad: np.ndarray) -> None:
    """Cover a strip along one side of an outline (4 x 2) with something opaque, as a pocket, a clip or a hand does."""
    side, share = int(rng.integers(4)), rng.uniform(0.08, 0.42)
    a, b, c, d = (quad[(side + n) % 4] for n in range(4))
    along = b - a
    strip = np.array([a - 0.3 * rng.random() * along + 0.6 * (a - d), b + 0.3 * rng.random() * along + 0.6 * (b - c), b + share * (c - b), a + share * (d - a)], np.float32)
    strip[2:] += rng.normal(0, 0.02, (2, 1)) * (d - a) + 0.3 * rng.random() * along * np.array([[1], [-1]])
    flat = leather(rng, 80, 30)
    matrix = cv2.getPerspectiveTransform(flat.corners, strip[[3, 2, 1, 0]] if rng.random() < 0.5 else strip)
    view = View(matrix, (flat.image.shape[1], flat.image.shape[0]))
    if view.in_front():
        lay(rng, picture, truth, flat, view)
