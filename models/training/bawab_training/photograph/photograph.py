"""Laying flat pages into a scene and photographing it, with the truth carried through the geometry.

Pictures are uint8, grey or RGB alike; points are x right, y down in pixels, pixel centres at whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, patterns
from ..draw.pages import Page

SEGMENTS = 8  # pieces along a line when a page may be bent


@dataclass
class View:
    """Where a page lies in a picture: a bend of the sheet, then a homography.

    bend is (amplitude across, phase, amplitude along, phase) in page pixels for a page of size (width, height).
    """

    homography: np.ndarray
    size: tuple[int, int]
    bend: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    def _sag(self, x: np.ndarray) -> np.ndarray:
        return self.bend[0] * np.sin(np.pi * x / self.size[0] + self.bend[1])

    def _sway(self, y: np.ndarray) -> np.ndarray:
        return self.bend[2] * np.sin(np.pi * y / self.size[1] + self.bend[3])

    def forward(self, points: npt.ArrayLike) -> npt.NDArray[np.float32]:
        """Map page points (N x 2) to the picture."""
        points = np.asarray(points, np.float64).reshape(-1, 2)
        y = points[:, 1] + self._sag(points[:, 0])
        x = points[:, 0] + self._sway(y)
        mapped = np.stack([x, y, np.ones_like(x)]) if len(x) else np.zeros((3, 0))
        mapped = self.homography @ mapped
        return (mapped[:2] / mapped[2]).T.astype(np.float32)

    def in_front(self) -> bool:
        """Whether the whole page lies well before the camera, so that no part of it is mapped through infinity."""
        corners = np.array([[0, 0, 1], [self.size[0], 0, 1], [self.size[0], self.size[1], 1], [0, self.size[1], 1]])
        depth = corners @ self.homography[2]
        return bool(depth.min() > 0.2 * depth.max())

    def _grid(self, box: tuple[int, int, int, int], scale: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        left, top, right, bottom = box
        x, y = np.meshgrid(np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32))
        h = np.linalg.inv(self.homography).astype(np.float32)
        w = h[2, 0] * x + h[2, 1] * y + h[2, 2]
        u, v = (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / w, (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / w
        u = u - self._sway(v).astype(np.float32)
        v = v - self._sag(u).astype(np.float32)
        return (u + 0.5) * scale - 0.5, (v + 0.5) * scale - 0.5

    def _box(self, picture: npt.NDArray[np.uint8]) -> tuple[int, int, int, int]:
        """The part of the picture (left, top, right, bottom) in which the page lies; the whole where it bulges out of sight."""
        width, height = self.size
        t = np.linspace(0, 1, SEGMENTS + 1)
        rim = np.concatenate([np.stack([t * width, k * height + 0 * t], 1) for k in (0, 1)] + [np.stack([k * width + 0 * t, t * height], 1) for k in (0, 1)])
        points = self.forward(rim)
        if not self.in_front():
            return 0, 0, picture.shape[1], picture.shape[0]
        low, high = np.floor(points.min(0)) - 4, np.ceil(points.max(0)) + 5
        left, top = (int(v) for v in np.clip(low, 0, [picture.shape[1] - 1, picture.shape[0] - 1]))
        right, bottom = (int(v) for v in np.clip(high, [left + 1, top + 1], [picture.shape[1], picture.shape[0]]))
        return left, top, right, bottom

    def lay(self, page: npt.NDArray[np.uint8], alpha: npt.NDArray[np.uint8], picture: npt.NDArray[np.uint8]) -> None:
        """Blend page (cut by alpha 0..255) into picture in place, averaging where the page shrinks."""
        outline = self.forward([[0, 0], [self.size[0], 0], list(self.size), [0, self.size[1]]])
        scale = np.sqrt(max(cv2.contourArea(outline), 1) / (self.size[0] * self.size[1])) * 1.25
        if scale < 0.8:
            small = (max(2, round(self.size[0] * scale)), max(2, round(self.size[1] * scale)))
            page = cv2.resize(page, small, interpolation=cv2.INTER_AREA)
            alpha = cv2.resize(alpha, small, interpolation=cv2.INTER_AREA)
        box = self._box(picture)
        size = (box[2] - box[0], box[3] - box[1])
        if any(self.bend):
            u, v = self._grid(box, page.shape[1] / self.size[0])
            warped = cv2.remap(page, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            share = cv2.remap(alpha, u, v, cv2.INTER_LINEAR, borderValue=0)
        else:
            fit = np.diag([page.shape[1] / self.size[0], page.shape[0] / self.size[1], 1.0])
            matrix = shifted(self.homography, (-box[0], -box[1])) @ np.linalg.inv(fit)
            warped = cv2.warpPerspective(page, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            share = cv2.warpPerspective(alpha, matrix, size, flags=cv2.INTER_LINEAR, borderValue=0)
        share = share.astype(np.float32) / 255
        part = picture[box[1] : box[3], box[0] : box[2]]
        part[:] = cv2.blendLinear(np.ascontiguousarray(part), warped, 1 - share, share)

    def edges(self, quad: np.ndarray) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Upper and lower edge of a page quad in the picture, SEGMENTS + 1 points each."""
        t = np.linspace(0, 1, SEGMENTS + 1)[:, None]
        upper, lower = quad[0] * (1 - t) + quad[1] * t, quad[3] * (1 - t) + quad[2] * t
        return self.forward(upper), self.forward(lower)


def camera(
    rng: np.random.Generator, page_size: tuple[float, float], width: float, picture: tuple[int, int] | np.ndarray, tilt: float,
    roll: float,
) -> npt.NDArray[np.float64]:
    """A homography of a pinhole camera that sees a page of page_size pixels at about width pixels across.

    picture is (width, height); tilt the angle between the page's normal and the optical axis, about a random axis;
    roll the turn in the picture plane (radians). The page's middle comes to the picture's middle.
    """
    focal = rng.uniform(0.8, 1.5) * max(picture)
    axis = rng.uniform(0, 2 * np.pi)
    lean, _ = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0.0]) * tilt)
    turn, _ = cv2.Rodrigues(np.array([0, 0, 1.0]) * roll)
    rotation = lean @ turn
    distance = focal * page_size[0] / width
    centre = np.array([[1, 0, -page_size[0] / 2], [0, 1, -page_size[1] / 2], [0, 0, 1]])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, distance]])
    lens = np.array([[focal, 0, picture[0] / 2], [0, focal, picture[1] / 2], [0, 0, 1.0]])
    return lens @ plane @ centre


def shifted(homography: np.ndarray, offset: Sequence[float] | np.ndarray) -> npt.NDArray[np.float64]:
    """The homography with its picture moved by offset pixels."""
    return np.array([[1, 0, offset[0]], [0, 1, offset[1]], [0, 0, 1.0]]) @ homography


def random_bend(rng: np.random.Generator, size: tuple[int, int], amount: float) -> tuple[float, float, float, float]:
    """Amplitudes and phases of a bend of at most amount of the page's height."""
    return (rng.uniform(-amount, amount) * size[1], rng.uniform(-0.6, 0.6), rng.uniform(-amount, amount) * size[1] * 0.4, rng.uniform(-0.6, 0.6))


def place(
    rng: np.random.Generator, page: Page, picture: tuple[int, int], share: float, tilt: float, roll: float, bend: float = 0.0,
    margin: float = 3, must: np.ndarray | None = None,
) -> View | None:
    """A View that shows page at about share of the picture's area with the quad must (or its zone, or its middle) inside.

    Returns None when no such place was found.
    """
    size = (page.image.shape[1], page.image.shape[0])
    if must is None:
        must = page.zone_quad()
    if must is None:
        must = np.array([[0.35, 0.35], [0.65, 0.35], [0.65, 0.65], [0.35, 0.65]]) * size
    for attempt in range(6):
        width = np.sqrt(share * picture[0] * picture[1] * size[0] / size[1]) * 0.9**attempt
        view = View(camera(rng, size, width, picture, tilt, roll), size, random_bend(rng, size, bend) if bend else (0.0,) * 4)
        whole = view.forward([[0, 0], [size[0], 0], list(size), [0, size[1]]])
        inner = np.concatenate(view.edges(must))
        low, high = inner.min(0) - margin, inner.max(0) + margin
        if (high - low > picture).any():
            continue
        # Prefer the whole page inside; where it does not fit, its zone.
        free = np.array(picture) - (whole.max(0) - whole.min(0))
        offset = np.where(free > 0, rng.random(2) * free - whole.min(0), (np.array(picture) - whole.max(0) - whole.min(0)) / 2 + rng.uniform(-0.5, 0.5, 2) * np.abs(free))
        offset = np.clip(offset, -low, np.array(picture) - high)
        view.homography = shifted(view.homography, offset)
        return view
    return None


def sheet_alpha(image: npt.NDArray[np.uint8], radius: float) -> npt.NDArray[np.uint8]:
    """Mask of a sheet with rounded corners of that many pixels."""
    height, width = image.shape[:2]
    alpha = np.zeros((height, width), np.uint8)
    r = int(min(radius, width / 4, height / 4))
    cv2.rectangle(alpha, (r, 0), (width - r, height), 255, -1)
    cv2.rectangle(alpha, (0, r), (width, height - r), 255, -1)
    for x in (r, width - r - 1):
        for y in (r, height - r - 1):
            cv2.circle(alpha, (x, y), r, 255, -1)
    return alpha


def drop_shadow(rng: np.random.Generator, picture: npt.NDArray[np.uint8], view: View) -> None:
    """Darken the table beside a sheet, as a sheet that lifts off it does; call before laying the sheet."""
    outline = view.forward([[0, 0], [view.size[0], 0], list(view.size), [0, view.size[1]]])
    reach = np.sqrt(max(cv2.contourArea(outline), 1)) * rng.uniform(0.005, 0.05)
    outline = outline + rng.uniform(-1, 1, 2) * reach
    depth, limit = rng.uniform(0.1, 0.6), (picture.shape[1], picture.shape[0])
    low = np.clip(np.int32(outline.min(0) - 2 * reach - 2), 0, limit)
    high = np.clip(np.int32(outline.max(0) + 2 * reach + 3), 0, limit)
    if (high - low < 2).any():
        return
    mask = np.zeros((high - low)[::-1], np.uint8)
    cv2.fillPoly(mask, [(outline - low).astype(np.int32)], 255)
    light = cv2.convertScaleAbs(cv2.blur(mask, (2 * int(reach) + 1,) * 2), alpha=-depth, beta=255.0)
    part = picture[low[1] : high[1], low[0] : high[0]]
    light = cv2.merge([light] * 3) if picture.ndim == 3 else light
    part[:] = cv2.multiply(np.ascontiguousarray(part), light, scale=1 / 255)


def finger(rng: np.random.Generator, picture: npt.NDArray[np.uint8], outline: np.ndarray) -> npt.NDArray[np.int32]:
    """Lay a finger over an edge of an outline (4 x 2 picture points) in place; returns its polygon."""
    edge = int(rng.integers(4))
    start, end = outline[edge], outline[(edge + 1) % 4]
    tip = start + (end - start) * rng.uniform(0.1, 0.9)
    middle = outline.mean(0)
    inward = (middle - tip) / max(np.linalg.norm(middle - tip), 1)
    length = np.linalg.norm(end - start)
    tip = tip + inward * length * rng.uniform(0.01, 0.08)
    thick, reach = length * rng.uniform(0.05, 0.1), length * rng.uniform(0.3, 0.6)
    angle = np.degrees(np.arctan2(inward[1], inward[0])) + rng.uniform(-40, 40)
    back = tip - reach * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    polygon = cv2.ellipse2Poly(tuple((int(v) for v in back)), (int(reach) + 1, int(thick) + 1), int(angle), 0, 360, 8)
    tone = np.array([rng.integers(90, 235), 0, 0], np.float64)
    tone[1], tone[2] = tone[0] * rng.uniform(0.65, 0.8), tone[0] * rng.uniform(0.5, 0.7)
    layer = picture.copy()
    colour = tuple(int(v) for v in tone) if picture.ndim == 3 else int(tone.mean())
    cv2.fillPoly(layer, [polygon], colour, cv2.LINE_AA)
    cv2.ellipse(layer, tuple(int(v) for v in back), (int(reach), int(thick * 0.5) + 1), angle, 0, 360, tuple(int(v * 1.08) % 256 for v in tone) if picture.ndim == 3 else min(255, int(tone.mean() * 1.08)), -1, cv2.LINE_AA)
    soft = cv2.GaussianBlur(layer, (0, 0), max(0.6, thick / 12))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [polygon], 255, cv2.LINE_AA)
    picture[mask > 127] = soft[mask > 127]
    return polygon


def grown(quad: np.ndarray, share: float) -> np.ndarray:
    """An outline (4 x 2) made larger by a share about its middle."""
    return quad.mean(0) + (quad - quad.mean(0)) * (1 + share)


def white_balance(picture: npt.NDArray[np.uint8], rng: np.random.Generator, amount: float) -> npt.NDArray[np.uint8]:
    """Tint an RGB picture by at most amount per channel; grey passes unchanged."""
    if picture.ndim == 2:
        return picture
    gains = 1 + rng.uniform(-amount, amount, 3)
    table = np.clip(np.arange(256)[:, None] * gains, 0, 255).astype(np.uint8)
    return cv2.LUT(picture, table[None])


def spoil(
    picture: npt.NDArray[np.uint8], rng: np.random.Generator, level: float, unit: float = 1.0, glare: bool = True
) -> npt.NDArray[np.uint8]:
    """The camera's share: light, blur, noise and coding. level 0 (studio) to 1 (hard); unit is pixels per blur step.

    glare says whether a reflection, which may burn print away, is among the chances.

    Returns a new picture of the same shape.
    """
    def chance(p: float) -> bool:
        return rng.random() < p * (0.4 + 0.6 * level)

    if chance(0.7):
        picture = degrade.uneven_light(picture, rng.uniform(0.05, 0.15 + 0.4 * level), rng)
    if chance(0.5):
        picture = degrade.shadow(picture, rng.uniform(0.1, 0.2 + 0.5 * level), rng)
    if glare and chance(0.35):
        picture = degrade.glare(picture, rng.uniform(20, 60 + 180 * level), rng)
    picture = white_balance(picture, rng, 0.04 + 0.12 * level)
    picture = degrade.contrast(picture, rng.uniform(1 - 0.5 * level, 1.1 + 0.2 * level), rng.uniform(-45, 35) * level, rng.uniform(1 - 0.3 * level, 1 + 0.5 * level))
    if chance(0.6):
        picture = degrade.defocus(picture, rng.uniform(0.2, 0.5 + 1.3 * level) * unit)
    if chance(0.35):
        picture = degrade.motion(picture, rng.uniform(1, 2 + 4 * level) * unit, rng.uniform(0, np.pi))
    if chance(0.3):
        picture = degrade.sharpen(picture, rng.uniform(0.2, 1.2))
    if chance(0.8):
        picture = degrade.noise(picture, rng.uniform(1, 3 + 10 * level), rng, rng.uniform(0, 0.9) if chance(0.5) else 0)
    return picture


def coded(picture: npt.NDArray[np.uint8], rng: np.random.Generator, level: float) -> npt.NDArray[np.uint8]:
    """Through a JPEG encoder of quality 40 to 95."""
    return degrade.jpeg(picture, rng.integers(int(85 - 45 * level), 96))


def background(rng: np.random.Generator, size: tuple[int, int], grey: bool = False, held_out: bool = False) -> npt.NDArray[np.uint8]:
    """A table for a picture of size (width, height)."""
    picture = patterns.table(rng, size, held_out)
    return cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) if grey else picture
