"""Rooms behind an artificial person: a wall with what stands and hangs there, drawn."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from .injection_face import softened


def _grain(rng: np.random.Generator, size: tuple[int, int], sigma: float) -> np.ndarray:
    noise = softened(rng.normal(0, 1, (size[1], size[0])).astype(np.float32), sigma)
    return noise / noise.std()


def _box(picture: npt.NDArray[np.float32], left: float, top: float, right: float, bottom: float, colour: np.ndarray) -> None:
    cv2.rectangle(picture, (int(left), int(top)), (int(right), int(bottom)), tuple(float(c) for c in colour), -1)


def _frame(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> None:
    """A picture on the wall."""
    height, width = picture.shape[:2]
    w, h = rng.uniform(0.1, 0.22) * width, rng.uniform(0.14, 0.3) * height
    left, top = rng.uniform(0, width - w), rng.uniform(0.02, 0.35) * height
    _box(picture, left + 6, top + 8, left + w + 8, top + h + 10, picture[int(top), int(left)] * 0.8)
    _box(picture, left, top, left + w, top + h, rng.uniform(20, 120) * np.array([1, 0.85, 0.7]))
    inner = 0.09 * w
    l, t, r, b = (int(v) for v in (left + inner, top + inner, left + w - inner, top + h - inner))
    paint = rng.uniform(60, 190) + rng.normal(0, 12, 3) + rng.normal(0, 10, (6, 6, 3)) + rng.normal(0, 35, (6, 6, 1))
    patch = cv2.resize(np.clip(paint, 10, 240).astype(np.float32), (max(r - l, 2), max(b - t, 2)), interpolation=cv2.INTER_CUBIC)
    part = picture[t:t + patch.shape[0], l:l + patch.shape[1]]
    part[:] = patch[:part.shape[0], :part.shape[1]]


def _shelf(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> None:
    """A shelf with backs of books."""
    height, width = picture.shape[:2]
    left, top = rng.choice((0.0, 0.62)) * width, rng.uniform(0.05, 0.2) * height
    right = left + rng.uniform(0.25, 0.38) * width
    row = rng.uniform(0.16, 0.24) * height
    for level in range(4):
        base = top + (level + 1) * row
        _box(picture, left, base - row, right, base, rng.uniform(50, 90) * np.array([1, 0.85, 0.7]))
        x = left + 6
        while x < right - 12:
            wide = rng.uniform(0.008, 0.025) * width
            if rng.random() < 0.88:
                colour = rng.uniform(40, 180) + rng.normal(0, 28, 3)
                _box(picture, x, base - row * rng.uniform(0.6, 0.88), min(x + wide, right), base, colour)
                middle, title = int(x + wide / 2), tuple(float(c) for c in np.clip(255 - colour, 0, 255))
                cv2.line(picture, (middle, int(base - row * 0.5)), (middle, int(base - row * 0.3)), title, 2)
            x += wide + 1
        _box(picture, left, base, right, base + 8, np.array([110.0, 85, 60]))


def _door(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> None:
    """A door or a cupboard."""
    height, width = picture.shape[:2]
    left, wide = rng.uniform(0, 0.75) * width, rng.uniform(0.2, 0.3) * width
    colour = rng.uniform(90, 210) * np.array([1, rng.uniform(0.8, 1), rng.uniform(0.6, 0.95)])
    top = rng.uniform(0.0, 0.15) * height
    _box(picture, left - 10, top - 10, left + wide + 10, height, colour * 0.8)
    _box(picture, left, top, left + wide, height, colour)
    for part in (0.08, 0.55):
        _box(picture, left + 0.15 * wide, top + part * height, left + 0.85 * wide, top + (part + 0.38) * height, colour * 0.92)
    cv2.circle(picture, (int(left + 0.93 * wide), int(0.6 * height)), 9, (60.0, 55.0, 40.0), -1)


def _window(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> None:
    """A bright window with its bars."""
    height, width = picture.shape[:2]
    left, top = rng.uniform(0, 0.7) * width, rng.uniform(0.0, 0.1) * height
    w, h = rng.uniform(0.2, 0.32) * width, rng.uniform(0.35, 0.55) * height
    _box(picture, left - 12, top - 12, left + w + 12, top + h + 12, np.array([215.0, 212, 205]))
    sky = np.linspace(rng.uniform(215, 255), rng.uniform(170, 235), max(int(h), 2))[:, None, None] * np.array([0.96, 0.99, 1.0])
    part = picture[int(top):int(top) + len(sky), int(left):int(left + w)]
    part[:] = sky[:part.shape[0]]
    for share in (0.33, 0.66):
        _box(picture, left + share * w - 5, top, left + share * w + 5, top + h, np.array([200.0, 198, 190]))


def _plant(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> None:
    """Leaves of a plant in a corner."""
    height, width = picture.shape[:2]
    x, y = rng.choice((0.08, 0.9)) * width, rng.uniform(0.6, 0.9) * height
    for _ in range(int(rng.integers(40, 90))):
        angle, reach = rng.uniform(-np.pi, 0), rng.uniform(0.05, 0.26) * height
        tip = (int(x + np.cos(angle) * reach), int(y + np.sin(angle) * reach))
        colour = rng.uniform(0.6, 1.2) * np.array([45.0, 95, 40])
        cv2.ellipse(picture, tip, (int(reach * 0.3) + 2, int(reach * 0.06) + 2), float(np.degrees(angle)), 0, 360, tuple(float(c) for c in colour), -1, cv2.LINE_AA)


def room(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """RGB float of size (width, height)."""
    width, height = size
    wall = rng.uniform(95, 235) * np.array([1, rng.uniform(0.92, 1.0), rng.uniform(0.82, 1.0)])
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = wall
    side = np.linspace(rng.uniform(0.7, 1.05), rng.uniform(0.7, 1.05), width)[None, :, None]
    picture *= side
    kinds = [_frame, _shelf, _door, _window, _plant, _frame]
    for index in rng.permutation(len(kinds))[: int(rng.integers(1, 5))]:
        kinds[index](rng, picture)
    rough = 1 + 0.012 * _grain(rng, size, 1.2) + 0.025 * _grain(rng, size, width / 12)
    return np.clip(picture * rough[..., None], 0, 255)
