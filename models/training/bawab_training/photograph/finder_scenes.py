"""Training pictures of the document finder: small colour photographs of documents on tables, with what lies where."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade
from . import photograph, plate_scenes
from ..draw.content import pick
from .finder_held import fanned, heaped, pocketed, tucked
from .finder_pool import KINDS, PLATE, SIDE, UNKNOWN, Flat, Pool
from .finder_stage import CELL, MOST, Truth, any_size, any_turn, any_view, ground, in_sight, laid, lay, moved, room, sheets_below, strew
from .photograph import View


def single(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """One document, whole, at 6 to 95 % of the picture, among clutter or not."""
    size, flat = any_size(rng), pool.document(rng)
    picture, truth = ground(rng, pool, size, flat if rng.random() < 0.12 else None), Truth()
    sheets_below(rng, pool, picture, truth, 0.35)
    if rng.random() < 0.25:
        strew(rng, pool, picture, truth, 2)
    share, roll = np.exp(rng.uniform(np.log(0.06), np.log(0.95))), any_turn(rng)
    for _ in range(8):
        view, quad = any_view(rng, flat, size, share, roll)
        offset = room(rng, quad, size)
        if offset is not None:
            lay(rng, picture, truth, flat, moved(view, offset))
            break
        share *= 0.8
    return picture, truth


def stacked(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """One document that lies partly on another or on something else."""
    size, flat = any_size(rng), pool.document(rng)
    picture, truth = ground(rng, pool, size), Truth()
    share, roll = np.exp(rng.uniform(np.log(0.1), np.log(0.7))), any_turn(rng)
    for _ in range(8):
        view, quad = any_view(rng, flat, size, share, roll)
        offset = room(rng, quad, size)
        if offset is not None:
            break
        share *= 0.8
    else:
        return picture, truth
    sheets_below(rng, pool, picture, truth, 0.3)
    for _ in range(int(rng.integers(1, 3))):
        below = pool.clutter(rng) if rng.random() < 0.3 else pick(rng, pool.by_kind[UNKNOWN]) if rng.random() < 0.6 else pool.document(rng)
        under, _ = any_view(rng, below, size, share * rng.uniform(0.3, 1.6), any_turn(rng))
        reach = (quad.max(0) - quad.min(0)) * rng.uniform(-0.65, 0.65, 2)
        lay(rng, picture, truth, below, moved(under, offset + reach))
    lay(rng, picture, truth, flat, moved(view, offset))
    return picture, truth


def several(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """Two to five documents that do not cover each other, some of them touching."""
    size = any_size(rng)
    picture, truth = ground(rng, pool, size), Truth()
    placed: list[npt.NDArray[np.float32]] = []
    count = int(rng.integers(2, 6))
    for _ in range(count):
        flat, share, roll = pool.document(rng), rng.uniform(0.25, 1.1) / count, any_turn(rng)
        for _ in range(8):
            view, quad = any_view(rng, flat, size, share, roll)
            offset = room(rng, quad, size, 0.1)
            if offset is not None:
                there = (quad + offset).astype(np.float32)
                shared = max((cv2.intersectConvexConvex(there, other)[0] / cv2.contourArea(there) for other in placed), default=0)
                if shared < 0.04:
                    placed.append(lay(rng, picture, truth, flat, moved(view, offset)))
                    break
            share *= 0.85
    return picture, truth


def _beside(
    rng: np.random.Generator, placed: Sequence[tuple[np.ndarray, float, np.ndarray]], half: np.ndarray, lap: float
) -> tuple[np.ndarray, float]:
    """Where a document of half the extents half lies beside one of those placed on the table: its middle and turn."""
    middle, angle, other = placed[int(rng.integers(len(placed)))]
    quarter, side = int(rng.integers(4)) if rng.random() < 0.3 else 0, int(rng.integers(4))
    along = half[::-1] if quarter % 2 else half
    axis, sign = side % 2, 1 - 2 * (side // 2)
    gap = -lap * rng.random() * min(other[axis], along[axis]) if rng.random() < 0.5 else pick(rng, [0.0, 0.5, rng.uniform(0, 8)])
    offset = np.zeros(2)
    offset[axis] = sign * (other[axis] + along[axis] + gap)
    offset[1 - axis] = rng.normal(0, 0.25) * other[1 - axis]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return middle + turn @ offset, angle + np.pi / 2 * quarter + rng.normal(0, 0.04 if lap else 0.015)


def arranged(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """Two to nine documents laid down on one table to be photographed: apart, side by side, or a little on each other."""
    size, count = any_size(rng), int(rng.choice(np.arange(2, MOST + 1), p=(0.36, 0.34, 0.1, 0.07, 0.05, 0.04, 0.02, 0.02)))
    truth, flats = Truth(), [pool.document(rng) for _ in range(count)]
    picture = ground(rng, pool, size, flats[0] if rng.random() < 0.1 else None)
    if rng.random() < 0.06:
        flats[1] = flats[0]
    widths = [{KINDS.index("passport"): 125.0, UNKNOWN: rng.uniform(80, 150)}.get(flat.kind, 86.0) for flat in flats]  # millimetres
    area = sum(width**2 * 0.63 for width in widths)
    table = np.sqrt(area / np.exp(rng.uniform(np.log(0.2), np.log(0.8))) / (size[0] * size[1])) * np.array(size)
    plane = photograph.camera(rng, tuple(table), size[0], size, np.radians(38) * rng.random() ** 0.7, 0.0)
    sheets_below(rng, pool, picture, truth, 0.35, plane, table)
    common, lap = any_turn(rng), pick(rng, [0.0, 0.25, 0.25])
    placed: list[tuple[np.ndarray, float, np.ndarray]] = []
    views: list[tuple[Flat, View]] = []
    quads: list[npt.NDArray[np.float32]] = []
    for flat, width in sorted(zip(flats, widths), key=lambda pair: -pair[1]):
        extent = flat.corners[2] - flat.corners[0]
        half = extent / extent.max() * width / 2
        for _ in range(25):
            if placed and rng.random() < 0.6:
                middle, angle = _beside(rng, placed, half, lap)
            else:
                middle, angle = rng.random(2) * table, common + np.pi / 2 * int(rng.choice([0, 0, 0, 1, 2, 3])) + rng.normal(0, 0.09)
            view = laid(plane, flat, width, middle, angle)
            quad = view.forward(flat.corners).astype(np.float32)
            shared = max((cv2.intersectConvexConvex(quad, other)[0] / min(cv2.contourArea(quad), cv2.contourArea(other)) for other in quads), default=0)
            if view.in_front() and (quad > -4).all() and (quad < np.array(size) + 4).all() and shared <= lap:
                placed.append((middle, angle, half))
                views.append((flat, view))
                quads.append(quad)
                break
    for index in rng.permutation(len(views)):
        lay(rng, picture, truth, *views[index])
    return picture, truth


def street(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """A plate on a car, by day or at night."""
    size, flat = any_size(rng), pool.plate(rng)
    picture, truth = plate_scenes.car(rng, size) if rng.random() < 0.75 else ground(rng, pool, size), Truth()
    share = np.exp(rng.uniform(np.log(0.05), np.log(0.95)))
    for _ in range(8):
        view, quad = any_view(rng, flat, size, share, rng.normal(0, 0.09), np.radians(36) * rng.random() ** 0.7)
        offset = room(rng, quad, size, 0.02)
        if offset is not None:
            lay(rng, picture, truth, flat, moved(view, offset))
            break
        share *= 0.8
    return plate_scenes._lit(rng, picture, pick(rng, ["day", "day", "dusk", "night"])), truth


def filling(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """A document that fills the picture, its borders cut off on some sides or all."""
    size, flat = any_size(rng), pool.document(rng)
    picture, truth = ground(rng, pool, size, flat if rng.random() < 0.2 else None), Truth()
    roll = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.08)
    view, quad = any_view(rng, flat, size, rng.uniform(0.75, 1.5), roll)
    lay(rng, picture, truth, flat, moved(view, np.array(size) * rng.normal(0.5, 0.05, 2)))
    return picture, truth


def half(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """A document of which 30 to 90 % is in the picture."""
    size, flat = any_size(rng), pool.document(rng)
    picture, truth = ground(rng, pool, size), Truth()
    view, quad = any_view(rng, flat, size, rng.uniform(0.15, 1.0), any_turn(rng))
    for _ in range(12):
        offset = rng.uniform(-0.05, 1.05, 2) * size
        if 0.3 < in_sight((quad + offset).astype(np.float32), size) < 0.95:
            lay(rng, picture, truth, flat, moved(view, offset))
            break
    return picture, truth


def close(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """The second look: a document cut out by rough corners, upright unless the first look was wrong about that."""
    size, flat = (SIDE, SIDE), pool.document(rng)
    on_car = flat.kind == PLATE and rng.random() < 0.7
    picture, truth = plate_scenes.car(rng, size) if on_car else ground(rng, pool, size, flat if rng.random() < 0.1 else None), Truth()
    extent = flat.corners[2] - flat.corners[0]
    reach = SIDE * rng.uniform(0.76, 0.88) / extent.max()
    target = (flat.corners - flat.corners.mean(0)) * reach
    quarter = 0 if rng.random() < 0.85 else int(rng.integers(4))
    angle = np.pi / 2 * quarter + rng.normal(0, 0.03)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    target = target @ turn.T + SIDE / 2 + rng.normal(0, 0.025 * SIDE * np.sqrt(rng.random()), (4, 2))
    matrix = cv2.getPerspectiveTransform(flat.corners, target.astype(np.float32))
    if not on_car:
        sheets_below(rng, pool, picture, truth, 0.25)
    if rng.random() < 0.2:
        strew(rng, pool, picture, truth, 1)
    view = View(matrix, (flat.image.shape[1], flat.image.shape[0]))
    beside = rng.random()
    if beside < 0.4 and not on_car:
        _another(rng, pool, picture, truth, target)
    if view.in_front():
        lay(rng, picture, truth, flat, view)
    if 0.4 < beside < 0.5 and not on_car:
        _another(rng, pool, picture, truth, target)
    elif 0.5 < beside < 0.62 and not on_car:
        tucked(rng, picture, truth, target)
    if rng.random() < 0.2:
        _smear(rng, picture, truth)
    return picture, truth


def _another(rng: np.random.Generator, pool: Pool, picture: npt.NDArray[np.uint8], truth: Truth, beside: np.ndarray) -> None:
    """Lay another document or sheet so that it reaches far into a second look: anyhow, or side by side with the outline beside."""
    flat = pool.clutter(rng) if rng.random() < 0.15 else pick(rng, pool.by_kind[UNKNOWN]) if rng.random() < 0.4 else pool.document(rng)
    if rng.random() < 0.4:
        half, extent = (beside.max(0) - beside.min(0)) / 2, flat.corners[2] - flat.corners[0]
        width = 2 * half.max() * rng.uniform(0.8, 1.3)
        middle, angle = _beside(rng, [(beside.mean(0), 0.0, half)], extent / extent.max() * width / 2, 0.15)
        lay(rng, picture, truth, flat, laid(np.eye(3), flat, width, middle, angle))
        return
    view, _ = any_view(rng, flat, (SIDE, SIDE), rng.uniform(0.2, 1.3), any_turn(rng))
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.6) * SIDE
    lay(rng, picture, truth, flat, moved(view, SIDE / 2 + far * np.array([np.cos(angle), np.sin(angle)])))


def _smear(rng: np.random.Generator, picture: npt.NDArray[np.uint8], truth: Truth) -> None:
    """Continue the picture beyond one side from its last row, as cutting out beyond a photograph's edge does."""
    side, depth = int(rng.integers(4)), int(rng.uniform(4, 0.3 * SIDE))
    for plane in (picture, truth.core, truth.unsure):
        turned = np.rot90(plane, side)
        turned[:depth] = turned[depth] if plane is picture else 0
    np.rot90(truth.owner, side)[: depth // CELL] = 0


def empty(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], Truth]:
    """No document."""
    picture, truth = ground(rng, pool, any_size(rng)), Truth()
    strew(rng, pool, picture, truth, 3)
    if rng.random() < 0.2:
        # One sheet that fills the picture.
        picture = (picture * 0.1 + rng.uniform(180, 230)).clip(0, 255).astype(np.uint8)
    elif rng.random() < 0.2:  # a covered lens, or nothing but one tone
        picture = np.full_like(picture, rng.integers(0, 256) if rng.random() < 0.5 else rng.integers(0, 12))
    elif rng.random() < 0.4:
        picture[:] = _pattern(rng, picture.shape[:2])[..., None]
    return picture, truth


def _pattern(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Noise, bars, checks, or the rings that a raster makes of them: nothing that anybody would photograph."""
    y, x = np.mgrid[: size[0], : size[1]].astype(np.float32)
    kind = rng.integers(4)
    if kind == 0:
        grain = int(rng.integers(1, 9))
        noise = rng.integers(0, 256, (size[0] // grain + 1, size[1] // grain + 1), np.uint8)
        return cv2.resize(noise, (size[1], size[0]), interpolation=cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_LINEAR)
    if kind == 1:
        wave = rng.uniform(0, 60) * x + rng.uniform(0, 60) * y + rng.uniform(0, 3) * x * y + rng.uniform(0, 0.5) * x * x
        return (wave % 256).astype(np.uint8)
    bars = x // rng.integers(2, 20) + (y // rng.integers(2, 20) if kind == 3 else 0)
    return ((bars % 2) * rng.uniform(60, 255)).astype(np.uint8)


MAKERS = (single, stacked, several, arranged, street, filling, half, close, empty, fanned, heaped, pocketed)
ODDS = (0.09, 0.11, 0.02, 0.22, 0.09, 0.05, 0.04, 0.22, 0.05, 0.04, 0.03, 0.04)


def spoiled(rng: np.random.Generator, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The camera's share at this small scale, where most noise has been averaged away."""
    level = rng.random() ** 1.5
    if rng.random() < 0.6:
        picture = degrade.uneven_light(picture, rng.uniform(0.05, 0.15 + 0.35 * level), rng)
    if rng.random() < 0.35:
        picture = degrade.shadow(picture, rng.uniform(0.1, 0.2 + 0.45 * level), rng)
    if rng.random() < 0.35:
        picture = degrade.glare(picture, rng.uniform(20, 80 + 170 * level), rng)
    picture = photograph.white_balance(picture, rng, 0.05 + 0.2 * level)
    picture = degrade.contrast(picture, rng.uniform(1 - 0.5 * level, 1.1 + 0.2 * level), rng.uniform(-50, 40) * level, rng.uniform(1 - 0.35 * level, 1 + 0.6 * level))
    if rng.random() < 0.04:
        picture = degrade.resolution(picture, rng.uniform(0.25, 0.6))
    if rng.random() < 0.5:
        picture = degrade.defocus(picture, rng.uniform(0.2, 0.5 + 1.0 * level))
    if rng.random() < 0.15:
        picture = degrade.motion(picture, rng.uniform(1, 2 + 3 * level), rng.uniform(0, np.pi))
    if rng.random() < 0.3:
        picture = degrade.sharpen(picture, rng.uniform(0.2, 1.2))
    if rng.random() < 0.6:
        picture = degrade.noise(picture, rng.uniform(1, 2 + 7 * level), rng)
    if rng.random() < 0.2:
        picture = degrade.jpeg(picture, rng.integers(45, 96))
    return picture


def planes(picture: npt.NDArray[np.uint8], grey: bool = False) -> npt.NDArray[np.uint8]:
    """The network's input for an RGB picture of at most SIDE a side: uint8 SIDE x SIDE x 3, planes Y, Cb, Cr, zero beyond it."""
    square = np.zeros((SIDE, SIDE, 3), np.uint8)
    height, width = picture.shape[:2]
    square[:height, :width] = cv2.cvtColor(picture, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]
    if grey:
        square[:height, :width, 1:] = 128
    return square


def scene(
    rng: np.random.Generator, pool: Pool
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """A training picture: planes, then the arrays of Truth.arrays."""
    maker = MAKERS[int(rng.choice(len(MAKERS), p=ODDS))]
    picture, truth = maker(rng, pool)
    size = (picture.shape[1], picture.shape[0])
    picture = spoiled(rng, picture)
    return (planes(picture, rng.random() < 0.06), *truth.arrays(size))
