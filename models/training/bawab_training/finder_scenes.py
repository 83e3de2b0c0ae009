"""Training pictures of the document finder: small colour photographs of documents on tables, with what lies where."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from . import degrade, photograph, plate_scenes
from .content import pick
from .finder_pool import KINDS, PLATE, SIDE, UNKNOWN, Flat, twisted
from .photograph import View

CELL = 4  # pixels of the input a side
GRID = SIDE // CELL
MOST = 9  # documents in a scene


@dataclass
class Truth:
    """Where the documents of one scene lie, filled from the bottom up. Pixels are those of the input square."""

    core: np.ndarray = field(default_factory=lambda: np.zeros((SIDE, SIDE), np.uint8))
    unsure: np.ndarray = field(default_factory=lambda: np.zeros((SIDE, SIDE), np.uint8))
    owner: np.ndarray = field(default_factory=lambda: np.zeros((GRID, GRID), np.uint8))
    quads: list = field(default_factory=list)
    kinds: list = field(default_factory=list)
    cells: list = field(default_factory=list)  # of each document before others covered it

    def cover(self, outline):
        """Forget what an opaque thing covers."""
        fine = [np.round(outline * 16).astype(np.int32)]
        cv2.fillPoly(self.core, fine, 0, shift=4)
        cv2.fillPoly(self.unsure, fine, 0, shift=4)
        _fill(self.owner, outline, 0)

    def add(self, view, flat, size):
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

    def arrays(self, size):
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


def _outline(view, low, high):
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    left, right = np.stack([corners[0], corners[3]]), np.stack([corners[1], corners[2]])
    upper, lower = view.edges(np.array([left[0], right[0], right[1], left[1]], np.float32))
    return np.concatenate([upper, lower[::-1]])


def _fill(plane, polygon, value):
    # Pixel x lies at cell (x + 0.5) / CELL - 0.5.
    points = (polygon + 0.5) / CELL - 0.5
    cv2.fillPoly(plane, [np.round(points * 16).astype(np.int32)], value, shift=4)


def _roll(rng):
    """Any turn, the four upright ones more often."""
    if rng.random() < 0.5:
        return rng.uniform(0, 2 * np.pi)
    return np.pi / 2 * rng.choice([0, 0, 1, 2, 3]) + rng.normal(0, 0.12)


def _view(rng, flat, size, share, roll, tilt=None):
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


def _moved(view, offset):
    return View(photograph.shifted(view.homography, offset), view.size, view.bend)


def _lay(rng, picture, truth, flat, view):
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


def _size(rng):
    """Width and height of a photograph in the square."""
    aspect = pick(rng, [0.75, 0.75, 0.75, 0.5625, 0.667, 1.0, rng.uniform(0.4, 1)])
    return (SIDE, round(SIDE * aspect)) if rng.random() < 0.6 else (round(SIDE * aspect), SIDE)


def _weave(rng, picture):
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


def _ground(rng, pool, size, like=None):
    """A table, now and then with a weave; with like, one in nearly the colour of that document."""
    picture = pool.table(rng, size)
    if rng.random() < 0.15:
        picture = _weave(rng, picture)
    if like is not None:
        edge = like.image[:: max(1, like.image.shape[0] // 9)].reshape(-1, 3)
        tone = np.median(edge, 0) + rng.normal(0, 7, 3)
        share = rng.uniform(0.75, 1)
        picture = np.clip(picture * (1 - share) + tone * share, 0, 255).astype(np.uint8)
    return picture


def _clutter(rng, pool, picture, truth, most):
    for _ in range(int(rng.integers(0, most + 1))):
        flat = pool.clutter(rng)
        view, _ = _view(rng, flat, picture.shape[1::-1], rng.uniform(0.05, 0.6), _roll(rng))
        _lay(rng, picture, truth, flat, _moved(view, rng.uniform(-0.1, 1.1, 2) * picture.shape[1::-1]))


def _sheets(rng, pool, picture, truth, chance, plane=None, table=None):
    """With that chance, one to three sheets of print under all that follows: on a plane whose visible part has the size table in millimetres, or each tilted for itself."""
    if not pool.sheets or rng.random() > chance:
        return
    size = np.array(picture.shape[1::-1])
    for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
        flat = pick(rng, pool.sheets)
        if plane is None:
            view, _ = _view(rng, flat, size, np.exp(rng.uniform(np.log(0.4), np.log(6))), _roll(rng))
            view = _moved(view, rng.uniform(-0.1, 1.1, 2) * size)
        else:
            view = _laid(plane, flat, rng.uniform(150, 480), rng.uniform(-0.1, 1.1, 2) * table, _roll(rng))
        if view.in_front():
            _lay(rng, picture, truth, flat if _seen(view, flat, size) > 0.3 else Flat(flat.image, -1, flat.corners), view)


def _seen(view, flat, size):
    """The share of a document that a picture of that size shows."""
    quad, frame = view.forward(flat.corners), np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32)
    return cv2.intersectConvexConvex(quad, frame)[0] / max(cv2.contourArea(quad), 1)


def _inside(rng, quad, size, slack=0.0):
    """Where to move a centred quad so that it lies inside size, or None; slack is the share that may hang over."""
    low, high = quad.min(0), quad.max(0)
    over = (high - low) * slack
    free = np.array(size) - (high - low) + 2 * over
    if (free < 0).any():
        return None
    return rng.random(2) * free - low - over


def single(rng, pool):
    """One document, whole, at 6 to 95 % of the picture, among clutter or not."""
    size, flat = _size(rng), pool.document(rng)
    picture, truth = _ground(rng, pool, size, flat if rng.random() < 0.12 else None), Truth()
    _sheets(rng, pool, picture, truth, 0.35)
    if rng.random() < 0.25:
        _clutter(rng, pool, picture, truth, 2)
    share, roll = np.exp(rng.uniform(np.log(0.06), np.log(0.95))), _roll(rng)
    for _ in range(8):
        view, quad = _view(rng, flat, size, share, roll)
        offset = _inside(rng, quad, size)
        if offset is not None:
            _lay(rng, picture, truth, flat, _moved(view, offset))
            break
        share *= 0.8
    return picture, truth


def stacked(rng, pool):
    """One document that lies partly on another or on something else."""
    size, flat = _size(rng), pool.document(rng)
    picture, truth = _ground(rng, pool, size), Truth()
    share, roll = np.exp(rng.uniform(np.log(0.1), np.log(0.7))), _roll(rng)
    for _ in range(8):
        view, quad = _view(rng, flat, size, share, roll)
        offset = _inside(rng, quad, size)
        if offset is not None:
            break
        share *= 0.8
    else:
        return picture, truth
    _sheets(rng, pool, picture, truth, 0.3)
    for _ in range(int(rng.integers(1, 3))):
        below = pool.clutter(rng) if rng.random() < 0.3 else pick(rng, pool.by_kind[UNKNOWN]) if rng.random() < 0.6 else pool.document(rng)
        under, _ = _view(rng, below, size, share * rng.uniform(0.3, 1.6), _roll(rng))
        reach = (quad.max(0) - quad.min(0)) * rng.uniform(-0.65, 0.65, 2)
        _lay(rng, picture, truth, below, _moved(under, offset + reach))
    _lay(rng, picture, truth, flat, _moved(view, offset))
    return picture, truth


def several(rng, pool):
    """Two to five documents that do not cover each other, some of them touching."""
    size = _size(rng)
    picture, truth, placed = _ground(rng, pool, size), Truth(), []
    count = int(rng.integers(2, 6))
    for _ in range(count):
        flat, share, roll = pool.document(rng), rng.uniform(0.25, 1.1) / count, _roll(rng)
        for _ in range(8):
            view, quad = _view(rng, flat, size, share, roll)
            offset = _inside(rng, quad, size, 0.1)
            if offset is not None:
                there = (quad + offset).astype(np.float32)
                shared = max((cv2.intersectConvexConvex(there, other)[0] / cv2.contourArea(there) for other in placed), default=0)
                if shared < 0.04:
                    placed.append(_lay(rng, picture, truth, flat, _moved(view, offset)))
                    break
            share *= 0.85
    return picture, truth


def _beside(rng, placed, half, lap):
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


def _laid(plane, flat, width, middle, angle):
    """The view of a document that lies on a plane, its longer side width units of the plane long."""
    extent = (flat.corners[2] - flat.corners[0]).max()
    cosine, sine, scale = np.cos(angle), np.sin(angle), width / extent
    at = flat.corners.mean(0)
    lie = np.array([[scale * cosine, -scale * sine, 0], [scale * sine, scale * cosine, 0], [0, 0, 1]])
    lie[:2, 2] = middle - lie[:2, :2] @ at
    return View(plane @ lie, (flat.image.shape[1], flat.image.shape[0]))


def arranged(rng, pool):
    """Two to nine documents laid down on one table to be photographed: apart, side by side, or a little on each other."""
    size, count = _size(rng), int(rng.choice(np.arange(2, MOST + 1), p=(0.36, 0.34, 0.1, 0.07, 0.05, 0.04, 0.02, 0.02)))
    truth, flats = Truth(), [pool.document(rng) for _ in range(count)]
    picture = _ground(rng, pool, size, flats[0] if rng.random() < 0.1 else None)
    if rng.random() < 0.06:
        flats[1] = flats[0]
    widths = [{KINDS.index("passport"): 125.0, UNKNOWN: rng.uniform(80, 150)}.get(flat.kind, 86.0) for flat in flats]  # millimetres
    area = sum(width**2 * 0.63 for width in widths)
    table = np.sqrt(area / np.exp(rng.uniform(np.log(0.2), np.log(0.8))) / (size[0] * size[1])) * np.array(size)
    plane = photograph.camera(rng, tuple(table), size[0], size, np.radians(38) * rng.random() ** 0.7, 0.0)
    _sheets(rng, pool, picture, truth, 0.35, plane, table)
    common, lap = _roll(rng), pick(rng, [0.0, 0.25, 0.25])
    placed, views, quads = [], [], []
    for flat, width in sorted(zip(flats, widths), key=lambda pair: -pair[1]):
        extent = flat.corners[2] - flat.corners[0]
        half = extent / extent.max() * width / 2
        for _ in range(25):
            if placed and rng.random() < 0.6:
                middle, angle = _beside(rng, placed, half, lap)
            else:
                middle, angle = rng.random(2) * table, common + np.pi / 2 * int(rng.choice([0, 0, 0, 1, 2, 3])) + rng.normal(0, 0.09)
            view = _laid(plane, flat, width, middle, angle)
            quad = view.forward(flat.corners).astype(np.float32)
            shared = max((cv2.intersectConvexConvex(quad, other)[0] / min(cv2.contourArea(quad), cv2.contourArea(other)) for other in quads), default=0)
            if view.in_front() and (quad > -4).all() and (quad < np.array(size) + 4).all() and shared <= lap:
                placed.append((middle, angle, half))
                views.append((flat, view))
                quads.append(quad)
                break
    for index in rng.permutation(len(views)):
        _lay(rng, picture, truth, *views[index])
    return picture, truth


def street(rng, pool):
    """A plate on a car, by day or at night."""
    size, flat = _size(rng), pool.plate(rng)
    picture, truth = plate_scenes.car(rng, size) if rng.random() < 0.75 else _ground(rng, pool, size), Truth()
    share = np.exp(rng.uniform(np.log(0.05), np.log(0.95)))
    for _ in range(8):
        view, quad = _view(rng, flat, size, share, rng.normal(0, 0.09), np.radians(36) * rng.random() ** 0.7)
        offset = _inside(rng, quad, size, 0.02)
        if offset is not None:
            _lay(rng, picture, truth, flat, _moved(view, offset))
            break
        share *= 0.8
    return plate_scenes._lit(rng, picture, pick(rng, ["day", "day", "dusk", "night"])), truth


def filling(rng, pool):
    """A document that fills the picture, its borders cut off on some sides or all."""
    size, flat = _size(rng), pool.document(rng)
    picture, truth = _ground(rng, pool, size, flat if rng.random() < 0.2 else None), Truth()
    roll = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.08)
    view, quad = _view(rng, flat, size, rng.uniform(0.75, 1.5), roll)
    _lay(rng, picture, truth, flat, _moved(view, np.array(size) * rng.normal(0.5, 0.05, 2)))
    return picture, truth


def half(rng, pool):
    """A document of which 30 to 90 % is in the picture."""
    size, flat = _size(rng), pool.document(rng)
    picture, truth = _ground(rng, pool, size), Truth()
    view, quad = _view(rng, flat, size, rng.uniform(0.15, 1.0), _roll(rng))
    frame = np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32)
    for _ in range(12):
        offset = rng.uniform(-0.05, 1.05, 2) * size
        seen = cv2.intersectConvexConvex((quad + offset).astype(np.float32), frame)[0] / max(cv2.contourArea(quad), 1)
        if 0.3 < seen < 0.95:
            _lay(rng, picture, truth, flat, _moved(view, offset))
            break
    return picture, truth


def close(rng, pool):
    """The second look: a document cut out by rough corners, upright unless the first look was wrong about that."""
    size, flat = (SIDE, SIDE), pool.document(rng)
    on_car = flat.kind == PLATE and rng.random() < 0.7
    picture, truth = plate_scenes.car(rng, size) if on_car else _ground(rng, pool, size, flat if rng.random() < 0.1 else None), Truth()
    extent = flat.corners[2] - flat.corners[0]
    reach = SIDE * rng.uniform(0.76, 0.88) / extent.max()
    target = (flat.corners - flat.corners.mean(0)) * reach
    quarter = 0 if rng.random() < 0.85 else int(rng.integers(4))
    angle = np.pi / 2 * quarter + rng.normal(0, 0.03)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    target = target @ turn.T + SIDE / 2 + rng.normal(0, 0.025 * SIDE * np.sqrt(rng.random()), (4, 2))
    matrix = cv2.getPerspectiveTransform(flat.corners, target.astype(np.float32))
    if not on_car:
        _sheets(rng, pool, picture, truth, 0.25)
    if rng.random() < 0.2:
        _clutter(rng, pool, picture, truth, 1)
    view = View(matrix, (flat.image.shape[1], flat.image.shape[0]))
    beside = rng.random()
    if beside < 0.4 and not on_car:
        _another(rng, pool, picture, truth, target)
    if view.in_front():
        _lay(rng, picture, truth, flat, view)
    if 0.4 < beside < 0.5 and not on_car:
        _another(rng, pool, picture, truth, target)
    if rng.random() < 0.2:
        _smear(rng, picture, truth)
    return picture, truth


def _another(rng, pool, picture, truth, beside):
    """Lay another document or sheet so that it reaches far into a second look: anyhow, or side by side with the outline beside."""
    flat = pool.clutter(rng) if rng.random() < 0.15 else pick(rng, pool.by_kind[UNKNOWN]) if rng.random() < 0.4 else pool.document(rng)
    if rng.random() < 0.4:
        half, extent = (beside.max(0) - beside.min(0)) / 2, flat.corners[2] - flat.corners[0]
        width = 2 * half.max() * rng.uniform(0.8, 1.3)
        middle, angle = _beside(rng, [(beside.mean(0), 0.0, half)], extent / extent.max() * width / 2, 0.15)
        _lay(rng, picture, truth, flat, _laid(np.eye(3), flat, width, middle, angle))
        return
    view, _ = _view(rng, flat, (SIDE, SIDE), rng.uniform(0.2, 1.3), _roll(rng))
    angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 0.6) * SIDE
    _lay(rng, picture, truth, flat, _moved(view, SIDE / 2 + far * np.array([np.cos(angle), np.sin(angle)])))


def _smear(rng, picture, truth):
    """Continue the picture beyond one side from its last row, as cutting out beyond a photograph's edge does."""
    side, depth = int(rng.integers(4)), int(rng.uniform(4, 0.3 * SIDE))
    for plane in (picture, truth.core, truth.unsure):
        turned = np.rot90(plane, side)
        turned[:depth] = turned[depth] if plane is picture else 0
    np.rot90(truth.owner, side)[: depth // CELL] = 0


def empty(rng, pool):
    """No document."""
    picture, truth = _ground(rng, pool, _size(rng)), Truth()
    _clutter(rng, pool, picture, truth, 3)
    if rng.random() < 0.2:
        # One sheet that fills the picture.
        picture = (picture * 0.1 + rng.uniform(180, 230)).clip(0, 255).astype(np.uint8)
    elif rng.random() < 0.2:  # a covered lens, or nothing but one tone
        picture = np.full_like(picture, rng.integers(0, 256) if rng.random() < 0.5 else rng.integers(0, 12))
    elif rng.random() < 0.4:
        picture[:] = _pattern(rng, picture.shape[:2])[..., None]
    return picture, truth


def _pattern(rng, size):
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


MAKERS = (single, stacked, several, arranged, street, filling, half, close, empty)
ODDS = (0.10, 0.14, 0.02, 0.26, 0.10, 0.05, 0.04, 0.24, 0.05)


def spoiled(rng, picture):
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


def planes(picture, grey=False):
    """The network's input for an RGB picture of at most SIDE a side: uint8 SIDE x SIDE x 3, planes Y, Cb, Cr, zero beyond it."""
    square = np.zeros((SIDE, SIDE, 3), np.uint8)
    height, width = picture.shape[:2]
    square[:height, :width] = cv2.cvtColor(picture, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]
    if grey:
        square[:height, :width, 1:] = 128
    return square


def scene(rng, pool):
    """A training picture: planes, then the arrays of Truth.arrays."""
    maker = MAKERS[int(rng.choice(len(MAKERS), p=ODDS))]
    picture, truth = maker(rng, pool)
    size = (picture.shape[1], picture.shape[0])
    picture = spoiled(rng, picture)
    return (planes(picture, rng.random() < 0.06), *truth.arrays(size))
