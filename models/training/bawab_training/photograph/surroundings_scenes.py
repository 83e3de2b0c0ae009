"""Training pictures of what lies around a document: the table, the rim of a screen, the paper of a print.

A scene is a small photograph of a genuine document, of one that a display shows, or of a printed one, with the document's corners; `view` lays
it so that the document fills the middle. What attackers show is an earlier photograph with its own table around the card, or the
flat card alone. Genuine cards lie on mats, sheets, in trays and beside telephones, too: an edge around a card is no attack by itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade
from . import photograph
from ..draw.content import pick
from .finder_pool import twisted
from .photograph import View

WIDTH, HEIGHT = 160, 128  # pixels of the network's input
DOCUMENT = (40.0, 39.0, 120.0, 89.0)  # left, top, right, bottom of the document in it
LONGER = 512  # pixels of a scene's longer side
CLASSES = ("genuine", "screen", "print")
EXAMINED = ("national_id_front", "national_id_back", "car_license_front", "car_license_back", "passport", "driving_license")


def corners(width: float, height: float) -> npt.NDArray[np.float32]:
    """TL TR BR BL of a picture."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def view(picture: npt.NDArray[np.uint8], quad: np.ndarray) -> npt.NDArray[np.uint8]:
    """The network's input (uint8 HEIGHT x WIDTH x 3: Y, Cb, Cr) of an RGB picture and a document's corners in it; 0 beyond the picture."""
    left, top, right, bottom = DOCUMENT
    # Pixel x covers x to x + 1; the picture is shrunk first so that a sample stands for what lies about it.
    step = np.sqrt(cv2.contourArea(np.asarray(quad, np.float32)) / ((right - left) * (bottom - top)))
    factor = min(1.0, 1.25 / max(step, 1e-6))
    small = cv2.resize(picture, (max(2, round(picture.shape[1] * factor)), max(2, round(picture.shape[0] * factor))), interpolation=cv2.INTER_AREA)
    scale = np.array(small.shape[1::-1], np.float32) / picture.shape[1::-1]
    target = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) - 0.5
    h = cv2.getPerspectiveTransform((quad * scale - 0.5).astype(np.float32), target.astype(np.float32))
    planes = cv2.cvtColor(small, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]
    return cv2.warpPerspective(planes, h, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderValue=(0, 0, 0))


class Sources:
    """Flat documents, photographs of them with their corners, and tables; all in memory, RGB."""

    def __init__(self, flats: str, photographs: Sequence[str], tables: int = 200) -> None:
        self.flats = [_read(flats, row, 420)[0] for row in _rows(flats) if row["kind"] in EXAMINED]
        self.photographs = []
        for folder in photographs:
            for row in _rows(folder):
                image, factor = _read(folder, row, LONGER)
                self.photographs.append((image, np.array(row["documents"][0]["quad"], np.float32) * factor))
        rng = np.random.default_rng(tables)
        self.tables = [photograph.background(rng, (LONGER * 5 // 4,) * 2) for _ in range(tables)]

    def table(self, rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        """A piece of a table, or a plain ground, of size (width, height)."""
        if rng.random() < 0.2:
            return np.full((size[1], size[0], 3), np.clip(rng.integers(0, 256) + rng.integers(-20, 21, 3), 0, 255), np.uint8)
        whole = np.rot90(pick(rng, self.tables), int(rng.integers(4)))
        x, y = (int(rng.integers(0, whole.shape[1 - k] - v + 1)) for k, v in enumerate(size))
        return twisted(rng, np.ascontiguousarray(whole[y : y + size[1], x : x + size[0]]), 0.6)


def _rows(folder: str) -> list[dict[str, Any]]:
    """The lines of a folder's truth."""
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def _read(folder: str, row: dict[str, Any], longer: int) -> tuple[npt.NDArray[np.uint8], float]:
    """(RGB picture of a line of truth, at most longer pixels a side, factor of its pixels)."""
    image = cv2.imread(os.path.join(folder, row["file"]))[..., ::-1]
    factor = min(1.0, longer / max(image.shape[:2]))
    return np.ascontiguousarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)), factor


def _size(rng: np.random.Generator) -> tuple[int, int]:
    """Width and height of a scene."""
    short = round(LONGER * pick(rng, [0.75, 0.75, 0.75, 0.5625, 0.667]))
    return (LONGER, short) if rng.random() < 0.75 else (short, LONGER)


def _seen(rng: np.random.Generator, extent: tuple[int, int], inner: np.ndarray, size: tuple[int, int]) -> View:
    """A view of a sheet of extent (width, height) by which the part inner (4 x 2) has its share of the scene and lies in it."""
    share, lean = np.exp(rng.uniform(np.log(0.1), np.log(0.85))), np.radians(35) * rng.random() ** 1.5
    roll = rng.normal(0, 0.1) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    part = np.ptp(inner, 0)
    for attempt in range(8):
        width = np.sqrt(share * size[0] * size[1] * part[0] / part[1]) * 0.88**attempt * extent[0] / part[0]
        seen = View(photograph.camera(rng, extent, width, size, lean, roll), extent)
        if not seen.in_front():
            lean *= 0.7
            continue
        quad = seen.forward(inner)
        free = np.array(size) - np.ptp(quad, 0)
        if (free > 0).all():
            seen.homography = photograph.shifted(seen.homography, rng.random(2) * free - quad.min(0))
            break
    return seen


def _lay(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], image: npt.NDArray[np.uint8], seen: View, radius: float = 0.0,
    shadow: float = 0.6,
) -> None:
    """Lay a sheet with round corners (radius in its pixels) by a view into the picture in place."""
    if rng.random() < shadow:
        photograph.drop_shadow(rng, picture, seen)
    seen.lay(image, photograph.sheet_alpha(image, radius), picture)


def _thing(rng: np.random.Generator, sources: Sources, width: float) -> tuple[npt.NDArray[np.uint8], float]:
    """Something of about that width that lies about: (image, radius)."""
    aspect = rng.uniform(0.4, 1.6)
    size = (max(8, int(width)), max(8, int(width * aspect)))
    draw = rng.random()
    if draw < 0.35:  # paper
        tone = rng.integers(200, 256) + rng.integers(-10, 6, 3)
        return np.full((size[1], size[0], 3), np.clip(tone, 0, 255), np.uint8), 0
    if draw < 0.6:  # a mat, a wallet, the top of a box
        return np.full((size[1], size[0], 3), np.clip(rng.integers(5, 90) + rng.integers(-10, 11, 3), 0, 255), np.uint8), rng.uniform(0, 0.08) * width
    if draw < 0.8:  # another document
        return cv2.resize(pick(rng, sources.flats), size, interpolation=cv2.INTER_AREA), rng.uniform(0, 0.04) * width
    image = np.full((size[1], size[0], 3), rng.integers(5, 40), np.uint8)  # a telephone
    rim = max(1, int(rng.uniform(0.02, 0.08) * width))
    if rng.random() < 0.5:
        image[rim:-rim, rim:-rim] = cv2.resize(sources.table(rng, (64, 64)), (size[0] - 2 * rim, size[1] - 2 * rim))
    return image, rng.uniform(0.03, 0.12) * width


def _under(rng: np.random.Generator, sources: Sources, picture: npt.NDArray[np.uint8], seen: View, extent: tuple[int, int]) -> None:
    """Lay what a genuine card may lie on or in: a mat, a sheet, a tray with a rim; mostly turned a little against it."""
    part = 1 + rng.uniform(0.05, 0.9)
    width = int(extent[0] * part)
    image, radius = _thing(rng, sources, width)
    if rng.random() < 0.4:  # a tray: its bottom and its rim
        height = int(extent[1] + (part - 1) * extent[0])
        image = np.full((height, width, 3), np.clip(rng.integers(10, 240) + rng.integers(-15, 16, 3), 0, 255), np.uint8)
        rim = int(rng.uniform(0.1, 0.5) * (part - 1) / 2 * extent[0]) + 1
        cv2.rectangle(image, (0, 0), (width - 1, height - 1), tuple(int(v) for v in np.clip(image[0, 0] * rng.uniform(0.3, 1.4), 0, 255)), rim)
        radius = rng.uniform(0, 0.06) * width
    else:
        image = cv2.resize(image, (width, max(8, int(image.shape[0]))), interpolation=cv2.INTER_AREA)
    turn = rng.normal(0, 0.03) if rng.random() < 0.6 else rng.uniform(0, np.pi)
    c, n = np.cos(turn), np.sin(turn)
    slip = rng.normal(0, 0.08, 2) * extent
    back = np.array([[c, -n, extent[0] / 2 + slip[0]], [n, c, extent[1] / 2 + slip[1]], [0, 0, 1]]) @ np.array([[1, 0, -image.shape[1] / 2], [0, 1, -image.shape[0] / 2], [0, 0, 1.0]])
    below = View(seen.homography @ back, (image.shape[1], image.shape[0]))
    if below.in_front():
        _lay(rng, picture, image, below, radius)


def _clutter(rng: np.random.Generator, sources: Sources, picture: npt.NDArray[np.uint8]) -> None:
    size = picture.shape[1::-1]
    for _ in range(int(rng.integers(1, 4))):
        image, radius = _thing(rng, sources, rng.uniform(0.15, 0.7) * LONGER)
        seen = View(photograph.camera(rng, image.shape[1::-1], image.shape[1], size, np.radians(30) * rng.random(), rng.uniform(0, 2 * np.pi)), image.shape[1::-1])
        seen.homography = photograph.shifted(seen.homography, rng.uniform(-0.5, 0.5, 2) * size)
        if seen.in_front():
            _lay(rng, picture, image, seen, radius)


def _on_table(rng: np.random.Generator, sources: Sources, size: tuple[int, int]) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """A flat document on a table: (picture, quad)."""
    flat = twisted(rng, pick(rng, sources.flats), 0.4)
    extent = flat.shape[1::-1]
    picture, quad = sources.table(rng, size), corners(*extent)
    if rng.random() < 0.35:
        _clutter(rng, sources, picture)
    seen = _seen(rng, extent, quad, size)
    if rng.random() < 0.4:
        _under(rng, sources, picture, seen, extent)
    _lay(rng, picture, flat, seen, rng.uniform(0.0, 0.06) * extent[1] if rng.random() < 0.85 else 0)
    quad = seen.forward(quad)
    if rng.random() < 0.1:
        photograph.finger(rng, picture, quad)
    return picture, quad


def genuine(rng: np.random.Generator, sources: Sources) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """The document itself: (picture, quad)."""
    if rng.random() < 0.5:
        picture, quad = pick(rng, sources.photographs)
        return picture.copy(), quad
    return _on_table(rng, sources, _size(rng))


def _stolen(rng: np.random.Generator, sources: Sources) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """What an attacker shows: (picture, quad), with some of what lay around the card or nothing."""
    if rng.random() < 0.25:
        flat = pick(rng, sources.flats)
        return flat.copy(), corners(*flat.shape[1::-1])
    if rng.random() < 0.5:
        picture, quad = pick(rng, sources.photographs)
    else:
        picture, quad = _on_table(rng, sources, _size(rng))
    if rng.random() < 0.4:  # laid flat, as scanners for telephones do
        margin, width = rng.uniform(0, 0.5) if rng.random() < 0.7 else 0.0, 360
        height = int(width / 1.586)
        target = corners(width, height) + margin * width
        h = cv2.getPerspectiveTransform(quad.astype(np.float32), target.astype(np.float32))
        side = (int(width * (1 + 2 * margin)), int(height + 2 * margin * width))
        return cv2.warpPerspective(picture, h, side, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), target
    room = rng.uniform(0.0, 0.6, 4) * np.ptp(quad, 0).max()
    low = np.maximum(np.floor(quad.min(0) - room[:2]), 0).astype(int)
    high = np.minimum(np.ceil(quad.max(0) + room[2:]), picture.shape[1::-1]).astype(int)
    return np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]]), quad - low.astype(np.float32)


def _framed(rng: np.random.Generator, image: npt.NDArray[np.uint8], quad: np.ndarray) -> tuple[npt.NDArray[np.uint8], np.ndarray, float]:
    """The image on a display with the ground of its program around it, in the display's rim: (picture, quad, radius)."""
    height, width = image.shape[:2]
    bars = [int(v * max(width, height)) for v in rng.uniform(0, 0.5, 4) * (rng.random(4) < 0.35)]
    ground = (pick(rng, [0, 0, 0, 20, 40, 240, 255]),) * 3
    shown = cv2.copyMakeBorder(image, *bars, cv2.BORDER_CONSTANT, value=ground)
    rim = [max(1, int(v * max(shown.shape[:2]))) for v in rng.uniform(0.01, 0.04 if rng.random() < 0.5 else 0.14) * rng.uniform(0.7, 1.6, 4)]
    tone = rng.integers(0, 35) if rng.random() < 0.85 else rng.integers(35, 240)
    whole = cv2.copyMakeBorder(shown, *rim, cv2.BORDER_CONSTANT, value=(int(tone),) * 3)
    if rng.random() < 0.3:  # the housing around the glass
        case = [max(1, int(rng.uniform(0.01, 0.04) * max(whole.shape[:2])))] * 4
        whole = cv2.copyMakeBorder(whole, *case, cv2.BORDER_CONSTANT, value=tuple(int(v) for v in rng.integers(0, 256, 3)))
        rim = [a + b for a, b in zip(rim, case)]
    offset = np.array([bars[2] + rim[2], bars[0] + rim[0]], np.float32)
    return whole, quad + offset, rng.uniform(0, 0.09) * max(whole.shape[:2])


def screen(rng: np.random.Generator, sources: Sources) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """A display that shows a document, in a room: (picture, quad)."""
    image, quad = _stolen(rng, sources)
    device, quad, radius = _framed(rng, image, quad)
    lift, gain = rng.uniform(0, 0.08), rng.uniform(0.6, 1.1) * np.array([rng.uniform(0.85, 1.05), 1, rng.uniform(0.95, 1.2)])
    table = np.clip(255 * (((np.arange(256) / 255) ** rng.uniform(0.8, 1.3))[:, None] * gain * (1 - lift) + lift), 0, 255).astype(np.uint8)
    device = cv2.LUT(device, table[None])
    size = _size(rng)
    picture = sources.table(rng, size)
    if rng.random() < 0.3:
        _clutter(rng, sources, picture)
    seen = _seen(rng, device.shape[1::-1], quad, size)
    picture = cv2.convertScaleAbs(picture, alpha=rng.uniform(0.1, 1.0))
    pane = picture.copy()
    _lay(rng, pane, device, seen, radius, 0.4)
    if rng.random() < 0.5:  # what the pane mirrors: a lamp, a window
        glow = np.zeros(picture.shape[:2], np.float32)
        centre, spread = tuple(int(v) for v in rng.random(2) * size), rng.uniform(0.05, 0.4) * LONGER
        cv2.ellipse(glow, centre, (int(spread), int(spread * rng.uniform(0.2, 1))), rng.uniform(0, 180), 0, 360, rng.uniform(10, 90), -1)
        glow = cv2.GaussianBlur(glow, (0, 0), rng.uniform(2, 30))
        where = cv2.warpPerspective(np.full(device.shape[:2], 255, np.uint8), seen.homography, size) > 127
        pane[where] = np.clip(pane[where] + glow[where][:, None], 0, 255).astype(np.uint8)
    return pane, seen.forward(quad)


def print_(rng: np.random.Generator, sources: Sources) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """A printed document on a table: (picture, quad)."""
    image, quad = _stolen(rng, sources)
    margins = [int(v * max(image.shape[:2])) for v in rng.uniform(0, 0.5, 4)] if rng.random() < 0.6 else [int(rng.uniform(0, 0.06) * max(image.shape[:2])) for _ in range(4)]
    if rng.random() < 0.15:
        margins = [0] * 4
    sheet = cv2.copyMakeBorder(image, *margins, cv2.BORDER_CONSTANT, value=(255, 255, 255))
    quad = quad + np.array([margins[2], margins[0]], np.float32)
    ink, paper = rng.uniform(20, 70), rng.uniform(200, 252) + rng.uniform(-8, 8, 3)
    share = (sheet.astype(np.float32) / 255) ** np.float32(rng.uniform(0.8, 1.3))
    grey = share @ np.array([[0.299], [0.587], [0.114]], np.float32)
    share = grey + (share - grey) * np.float32(0 if rng.random() < 0.1 else rng.uniform(0.5, 1.0))
    sheet = np.clip(ink + share * (paper - ink).astype(np.float32), 0, 255).astype(np.uint8)
    size = _size(rng)
    picture = sources.table(rng, size)
    if rng.random() < 0.3:
        _clutter(rng, sources, picture)
    seen = _seen(rng, sheet.shape[1::-1], quad, size)
    if rng.random() < 0.4:
        seen.bend = photograph.random_bend(rng, seen.size, rng.uniform(0, 0.03))
    _lay(rng, picture, sheet, seen)
    return picture, seen.forward(quad)


def scene(rng: np.random.Generator, sources: Sources, kind: int) -> npt.NDArray[np.uint8]:
    """One input of the network for a class: planes uint8 HEIGHT x WIDTH x 3."""
    picture, quad = (genuine, screen, print_)[kind](rng, sources)
    level = rng.random()
    picture = photograph.spoil(picture, rng, level, 0.5)
    if rng.random() < 0.2:
        picture = degrade.contrast(picture, rng.uniform(0.6, 1.2), rng.uniform(-30, 30), 1.0)
    if rng.random() < 0.04:
        picture = np.repeat(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
    picture = photograph.coded(picture, rng, level)
    slack = 0.008 if rng.random() < 0.85 else 0.03
    return view(picture, quad + rng.normal(0, slack, (4, 2)).astype(np.float32) * np.ptp(quad, 0).max())
