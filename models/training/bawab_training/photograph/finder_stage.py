"""What a training picture of the document finder is put together from: tables, documents laid on them, and the truth of where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade
from . import photograph
from ..draw.content import pick
from .finder_pool import SIDE, Flat, Pool, twisted
from .photograph import View

CELL = 4  # pixels of the input a side
GRID = SIDE // CELL
MOST = 9  # documents in a scene


@dataclass
class Truth:
    """Where the documents of one scene lie, filled from the bottom up. Pixels are those of the input square."""

    core: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((SIDE, SIDE), np.uint8))
    unsure: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((SIDE, SIDE), np.uint8))
    owner: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros((GRID, GRID), np.uint8))
    quads: list[npt.NDArray[np.float32]] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)  # of each document before others covered it

    def cover(self, outline: np.ndarray) -> None:
        """Forget what an opaque thing covers."""
        fine = [np.round(outline * 16).astype(np.int32)]
        cv2.fillPoly(self.core, fine, 0, shift=4)
        cv2.fillPoly(self.unsure, fine, 0, shift=4)
        _fill(self.owner, outline, 0)

    def add(self, view: View, flat: Flat, size: tuple[int, int]) -> None:
        """Enter a document whose sheet was laid by view into a picture of size (width, height)."""
        low, high = flat.corners[0], flat.corners[2]
        outer = _outline(view, low, high)
        quad = view.forward(flat.corners)
        scale = np.sqrt(max(cv2.contourArea(quad), 1) / np.prod(high - low))
        inset = max(0.06 * (high - low).min(), 3.0 / scale)
        if (high - low).min() <= 3 * inset:
            cv2.fillPoly(self.unsure, [np.round(outer * 16).astype(np.int32)], 255, shift=4)
            return
        inner = _outline(view, low + inset, high - inset)
        if _seen(view, flat, size) < 0.3 or len(self.quads) == MOST:
            cv2.fillPoly(self.unsure, [np.round(outer * 16).astype(np.int32)], 255, shift=4)
            return
        cv2.fillPoly(self.core, [np.round(inner * 16).astype(np.int32)], 255, shift=4)
        self.quads.append(quad)
        self.kinds.append(flat.kind)
        _fill(self.owner, inner, len(self.quads))
        there = self.owner[: -(-size[1] // CELL), : -(-size[0] // CELL)]
        self.cells.append((there == len(self.quads)).sum())

    def arrays(
        self, size: tuple[int, int]
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        """core, sure (uint8 GRID x GRID), owner, quads (MOST x 4 x 2), kinds (MOST, -1 for none); nothing beyond size."""
        for plane in (self.core, self.unsure):
            plane[size[1] :] = 0
            plane[:, size[0] :] = 0
        self.owner[-(-size[1] // CELL) :] = 0
        self.owner[:, -(-size[0] // CELL) :] = 0
        core = cv2.resize(self.core, (GRID, GRID), interpolation=cv2.INTER_AREA)
        unsure = cv2.resize(self.unsure, (GRID, GRID), interpolation=cv2.INTER_AREA)
        quads, kinds = np.zeros((MOST, 4, 2), np.float32), np.full(MOST, -1, np.int64)
        owner = self.owner * (core > 100)
        for k, (quad, kind, cells) in enumerate(zip(self.quads, self.kinds, self.cells)):
            mine = owner == k + 1
            if mine.sum() < 0.5 * cells:
                # Too much of it is covered to say what it is.
                owner[mine] = 0
                unsure[mine] = 255
            else:
                quads[k], kinds[k] = quad + 0.5, kind
        return core, 255 - unsure, owner, quads, kinds


def _outline(view: View, low: np.ndarray, high: np.ndarray) -> npt.NDArray[np.float32]:
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    left, right = np.stack([corners[0], corners[3]]), np.stack([corners[1], corners[2]])
    upper, lower = view.edges(np.array([left[0], right[0], right[1], left[1]], np.float32))
    return np.concatenate([upper, lower[::-1]])


def _fill(plane: npt.NDArray[np.uint8], polygon: np.ndarray, value: float) -> None:
    # Pixel x lies at cell (x + 0.5) / CELL - 0.5.
    points = (polygon + 0.5) / CELL - 0.5
    cv2.fillPoly(plane, [np.round(points * 16).astype(np.int32)], value, shift=4)


def any_turn(rng: np.random.Generator) -> float:
    """Any turn, the four upright ones more often."""
    if rng.random() < 0.5:
        return rng.uniform(0, 2 * np.pi)
    return np.pi / 2 * rng.choice([0, 0, 1, 2, 3]) + rng.normal(0, 0.12)


def any_view(
    rng: np.random.Generator, flat: Flat, size: tuple[int, int] | np.ndarray, share: float, roll: float, tilt: float | None = None
) -> tuple[View, npt.NDArray[np.float32]]:
    """A view of a document at about that share of a picture of size, its middle at the picture's origin; and its quad."""
    low, high = flat.corners[0], flat.corners[2]
    sheet = (flat.image.shape[1], flat.image.shape[0])
    extent = high - low
    for _ in range(4):
        angle = rng.uniform(0, np.radians(38)) * np.sqrt(rng.random()) if tilt is None else tilt
        width = np.sqrt(share * size[0] * size[1] * extent[0] / extent[1]) * sheet[0] / extent[0]
        bend = photograph.random_bend(rng, sheet, rng.uniform(0, 0.02)) if rng.random() < 0.12 else (0.0,) * 4
        view = View(photograph.camera(rng, sheet, width, size, angle, roll), sheet, bend)
        if view.in_front():
            break
    quad = view.forward(flat.corners)
    view.homography = photograph.shifted(view.homography, -quad.mean(0))
    return view, quad - quad.mean(0)


def moved(view: View, offset: Sequence[float] | np.ndarray) -> View:
    """The view with its picture moved by offset pixels."""
    return View(photograph.shifted(view.homography, offset), view.size, view.bend)


def lay(rng: np.random.Generator, picture: npt.NDArray[np.uint8], truth: Truth, flat: Flat, view: View) -> npt.NDArray[np.float32]:
    """Print a document (or clutter) into the picture; returns its quad."""
    extent = (flat.corners[2] - flat.corners[0]).min()
    image = twisted(rng, flat.image, 0.6)
    if rng.random() < 0.5:
        image = degrade.contrast(image, rng.uniform(0.55, 1.15), rng.uniform(-35, 35), rng.uniform(0.7, 1.4))
    alpha = photograph.sheet_alpha(image, rng.uniform(0, 0.07) * extent)
    if rng.random() < 0.55:
        photograph.drop_shadow(rng, picture, view)
    view.lay(image, alpha, picture)
    whole = _outline(view, np.zeros(2), np.array(view.size))
    truth.cover(whole)
    if flat.kind >= 0:
        truth.add(view, flat, (picture.shape[1], picture.shape[0]))
    quad = view.forward(flat.corners)
    if rng.random() < 0.12:
        photograph.finger(rng, picture, quad)
    return quad


def any_size(rng: np.random.Generator) -> tuple[int, int]:
    """Width and height of a photograph in the square."""
    aspect = pick(rng, [0.75, 0.75, 0.75, 0.5625, 0.667, 1.0, rng.uniform(0.4, 1)])
    return (SIDE, round(SIDE * aspect)) if rng.random() < 0.6 else (round(SIDE * aspect), SIDE)


def _weave(rng: np.random.Generator, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Lay a regular weave over a table: cloth, a grid, ribs. Its lines run as straight as a card's sides."""
    height, width = picture.shape[:2]
    angle, period = rng.uniform(0, np.pi), rng.uniform(2.2, 14, 2)
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    along, across = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    wave = np.sin(2 * np.pi * along / period[0])
    if rng.random() < 0.7:
        wave = np.maximum(wave, np.sin(2 * np.pi * across / period[1])) if rng.random() < 0.5 else wave * np.sin(2 * np.pi * across / period[1])
    if rng.random() < 0.5:
        wave = np.tanh(4 * wave)
    tone = rng.uniform(6, 45) * wave[..., None] * rng.uniform(0.6, 1.0, 3)
    return np.clip(picture + tone, 0, 255).astype(np.uint8)


def ground(rng: np.random.Generator, pool: Pool, size: tuple[int, int], like: Flat | None = None) -> npt.NDArray[np.uint8]:
    """A table, now and then with a weave; with like, one in nearly the colour of that document."""
    picture = pool.table(rng, size)
    if rng.random() < 0.15:
        picture = _weave(rng, picture)
    if like is not None:
        tone = usual_tone(like) + rng.normal(0, 7, 3)
        share = rng.uniform(0.75, 1)
        picture = np.clip(picture * (1 - share) + tone * share, 0, 255).astype(np.uint8)
    return picture


def usual_tone(flat: Flat) -> npt.NDArray[np.float64]:
    """The median colour of a document."""
    return np.median(flat.image[:: max(1, flat.image.shape[0] // 9)].reshape(-1, 3), 0)


def strew(rng: np.random.Generator, pool: Pool, picture: npt.NDArray[np.uint8], truth: Truth, most: int) -> None:
    """Lay up to that many empty sheets and keyboards anywhere."""
    for _ in range(int(rng.integers(0, most + 1))):
        flat = pool.clutter(rng)
        view, _ = any_view(rng, flat, picture.shape[1::-1], rng.uniform(0.05, 0.6), any_turn(rng))
        lay(rng, picture, truth, flat, moved(view, rng.uniform(-0.1, 1.1, 2) * picture.shape[1::-1]))


def sheets_below(
    rng: np.random.Generator, pool: Pool, picture: npt.NDArray[np.uint8], truth: Truth, chance: float, plane: np.ndarray | None = None,
    table: np.ndarray | None = None,
) -> None:
    """With that chance, one to three sheets of print under all that follows: on a plane whose visible part has the size table in millimetres, or each tilted for itself."""
    if not pool.sheets or rng.random() > chance:
        return
    size = np.array(picture.shape[1::-1])
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        flat = pick(rng, pool.sheets)
        if plane is None:
            view, _ = any_view(rng, flat, size, np.exp(rng.uniform(np.log(0.4), np.log(6))), any_turn(rng))
            view = moved(view, rng.uniform(-0.1, 1.1, 2) * size)
        else:
            view = laid(plane, flat, rng.uniform(150, 480), rng.uniform(-0.1, 1.1, 2) * table, any_turn(rng))
        if view.in_front():
            lay(rng, picture, truth, flat if _seen(view, flat, size) > 0.3 else Flat(flat.image, -1, flat.corners), view)


def _seen(view: View, flat: Flat, size: tuple[int, int] | np.ndarray) -> float:
    """The share of a document that a picture of that size shows."""
    return in_sight(view.forward(flat.corners), size)


def in_sight(quad: npt.NDArray[np.float32], size: tuple[int, int] | np.ndarray) -> float:
    """The share of an outline (float32, 4 x 2) that a picture of that size shows."""
    frame = np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32)
    return cv2.intersectConvexConvex(quad, frame)[0] / max(cv2.contourArea(quad), 1)


def room(rng: np.random.Generator, quad: np.ndarray, size: tuple[int, int], slack: float = 0.0) -> np.ndarray | None:
    """Where to move a centred quad so that it lies inside size, or None; slack is the share that may hang over."""
    low, high = quad.min(0), quad.max(0)
    over = (high - low) * slack
    free = np.array(size) - (high - low) + 2 * over
    if (free < 0).any():
        return None
    return rng.random(2) * free - low - over


def laid(plane: np.ndarray, flat: Flat, width: float, middle: np.ndarray, angle: float) -> View:
    """The view of a document that lies on a plane, its longer side width units of the plane long."""
    extent = (flat.corners[2] - flat.corners[0]).max()
    cosine, sine, scale = np.cos(angle), np.sin(angle), width / extent
    at = flat.corners.mean(0)
    lie = np.array([[scale * cosine, -scale * sine, 0], [scale * sine, scale * cosine, 0], [0, 0, 1]])
    lie[:2, 2] = middle - lie[:2, :2] @ at
    return View(plane @ lie, (flat.image.shape[1], flat.image.shape[0]))
