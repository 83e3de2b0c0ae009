"""Landmarks of faces by two published networks that must agree.

Both are Apache-2.0 files that stay outside the repository: MediaPipe's mesh of 468 points, and Open Model Zoo's
landmarks-regression-retail-0009. Points are x, y in pixels of the picture, a pixel's middle at an integer.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np
import numpy.typing as npt

from ..draw.portraits import Mesh

if TYPE_CHECKING:
    import openvino

# Where left eye, right eye, nose tip, left and right mouth corner lie in an upright face, in sides of its square.
TEMPLATE = np.array([[0.3156, 0.4616], [0.6826, 0.4616], [0.5003, 0.6405], [0.3495, 0.8247], [0.6534, 0.8233]], np.float32)
# Mesh points of the same five, and of the face's rim.
_EYES, _NOSE, _MOUTH = ((33, 133), (362, 263)), 1, (61, 291)
_TOP, _CHIN, _CHEEKS = 10, 152, (234, 454)
# Where the regression network puts the five, seen from the mesh's, in eyes' distances along and across the face.
_SHIFT = np.array([[0.015, -0.045], [-0.01, -0.045], [0, -0.02], [0, -0.02], [0, -0.02]])
DISAGREE = 0.09  # of the eyes' distance: two teachers that differ by more, on average, label nothing


@dataclass
class Face:
    """A labelled face: points 5 x 2, box (left, top, right, bottom) of the mesh, yaw and pitch in degrees, how far the teachers differ."""

    points: npt.NDArray[np.float32]
    box: npt.NDArray[np.float32]
    pose: npt.NDArray[np.float32]
    difference: float


def _pose(points: np.ndarray) -> npt.NDArray[np.float32]:
    """Yaw and pitch in degrees of mesh points 468 x 3: to the picture's right and down are positive."""
    across = points[_CHEEKS[1]] - points[_CHEEKS[0]]
    down = points[_CHIN] - points[_TOP]
    yaw = np.arctan2(across[2], np.hypot(across[0], across[1]))
    pitch = np.arctan2(down[2], np.hypot(down[0], down[1]))
    return np.degrees(np.array([yaw, pitch], np.float32))


def _network(path: str) -> openvino.CompiledModel:
    import openvino

    options = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False}
    return openvino.Core().compile_model(openvino.Core().read_model(path), "CPU", options)


def _find(folder: str, pattern: str) -> str:
    found = glob.glob(os.path.join(folder, "**", pattern), recursive=True)
    if not found:
        raise FileNotFoundError(f"no {pattern} under {folder}")
    return found[0]


def similarity(points: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The 2 x 3 similarity transform (no mirror) that brings points onto target with the least squares."""
    middle, goal = points.mean(0), target.mean(0)
    p, q = points - middle, target - goal
    a, b = (p * q).sum() / (p**2).sum(), (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]).sum() / (p**2).sum()
    turn = np.array([[a, -b], [b, a]])
    return np.concatenate([turn, (goal - turn @ middle)[:, None]], 1)


class Landmarks:
    """The two landmark teachers."""

    def __init__(self, folder: str) -> None:
        self.mesh = Mesh(_find(folder, "face_landmark.tflite"))
        self.five = _network(_find(folder, "landmarks-regression-retail-0009.xml"))

    def _mesh(self, image: npt.NDArray[np.uint8], middle: np.ndarray, side: float, angle: float) -> npt.NDArray[np.float64] | None:
        """Mesh points 468 x 3 of a square of the picture, turned by angle radians; None when there is no face."""
        cosine, sine = np.cos(angle) * 192 / side, np.sin(angle) * 192 / side
        matrix = np.array([[cosine, sine, 0], [-sine, cosine, 0]])
        matrix[:, 2] = 95.5 - matrix[:, :2] @ middle
        crop = cv2.warpAffine(image, matrix, (192, 192), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        points = self.mesh.points(crop)
        if points is None:
            return None
        turn = np.linalg.inv(matrix[:, :2])
        flat = (points[:, :2] - 0.5 - matrix[:, 2]) @ turn.T
        return np.concatenate([flat, points[:, 2:] * side / 192], 1)

    def __call__(self, image: npt.NDArray[np.uint8], middle: npt.ArrayLike | None = None, side: float | None = None) -> Face | None:
        """The Face near middle (default: the picture's) about side / 1.5 pixels high in an RGB picture, or None."""
        height, width = image.shape[:2]
        middle = np.array([width / 2, height / 2]) if middle is None else np.asarray(middle, np.float64)
        side, angle = side or max(height, width), 0.0
        for _ in range(2):
            found = self._mesh(image, middle, side, angle)
            if found is None:
                return None
            points = found
            eyes = [points[list(pair), :2].mean(0) for pair in _EYES]
            angle = np.arctan2(*(eyes[1] - eyes[0])[::-1])
            low, high = points[:, :2].min(0), points[:, :2].max(0)
            middle, side = (low + high) / 2, 1.5 * (high - low).max()
        first = np.stack([*eyes, points[_NOSE, :2], *points[list(_MOUTH), :2]])
        second, span = self._second(image, first), first[1] - first[0]
        across = max(np.linalg.norm(span), 1e-3)
        first = first + _SHIFT @ np.array([[span[0], span[1]], [-span[1], span[0]]])
        difference = float(np.linalg.norm(first - second, axis=1).mean() / across)
        return Face(((first + second) / 2).astype(np.float32), np.concatenate([low, high]).astype(np.float32), _pose(points), difference)

    def _second(self, image: npt.NDArray[np.uint8], points: np.ndarray) -> np.ndarray:
        """The five points by the regression network, on the square that its training's boxes suggest, upright."""
        target = TEMPLATE - [0.0, 0.1]
        matrix = similarity(points, target * 48 - 0.5)
        crop = cv2.warpAffine(image, matrix, (48, 48), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        answer = self.five(crop[..., ::-1].transpose(2, 0, 1)[None].astype(np.float32))[0].reshape(5, 2)
        return (answer * 48 - 0.5 - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T
