"""Finding a face's mesh in a picture, and the warps that forgers animate a still with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import portraits

UPPER_LIDS = ((33, 246, 161, 160, 159, 158, 157, 173, 133), (362, 398, 384, 385, 386, 387, 388, 466, 263))
LOWER_LIDS = ((33, 7, 163, 144, 145, 153, 154, 155, 133), (362, 382, 381, 380, 374, 373, 390, 249, 263))
BROWS = ((70, 63, 105, 66, 107), (336, 296, 334, 293, 300))
MOUTH_CORNERS = (61, 291)
UPPER_LIP, LOWER_LIP = (185, 40, 39, 37, 0, 267, 269, 270, 409), (146, 91, 181, 84, 17, 314, 405, 321, 375)
UPPER_INNER, LOWER_INNER = (78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308), (78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308)
OVAL = (10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400,
        377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109)
JAW = (397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172)


@dataclass
class Face:
    """468 mesh points in pixels (depth away from the camera too), and the distance between the outer corners of the eyes."""

    points: npt.NDArray[np.float32]

    @property
    def flat(self) -> npt.NDArray[np.float32]:
        """x and y."""
        return self.points[:, :2]

    @property
    def across(self) -> float:
        """Distance of the outer corners of the eyes, pixels: the unit of most amplitudes."""
        return float(np.linalg.norm(self.flat[33] - self.flat[263]))

    @property
    def middle(self) -> npt.NDArray[np.float32]:
        """The middle of the mesh's box."""
        return (self.flat.min(0) + self.flat.max(0)) / 2


@dataclass
class Scene:
    """A still with its face, and what some families of attacks want besides."""

    image: npt.NDArray[np.uint8]
    face: Face
    kind: str
    second: tuple[npt.NDArray[np.uint8], Face] | None = None  # another moment
    driver: tuple[Face, ...] = ()  # three moments of a living forger
    driver_frames: tuple[npt.NDArray[np.uint8], ...] = ()
    elsewhere: npt.NDArray[np.uint8] | None = None  # another room


class Finder:
    """The largest face of an RGB picture: a box by UltraFace RFB-320, then MediaPipe's mesh."""

    def __init__(self, teachers: str) -> None:
        self.net = cv2.dnn.readNetFromONNX(os.path.join(teachers, "ultraface", "version-RFB-320.onnx"))
        self.mesh = portraits.Mesh(os.path.join(teachers, "mediapipe", "face_landmark.tflite"))

    def box(self, image: npt.NDArray[np.uint8]) -> np.ndarray | None:
        """(left, top, right, bottom) of the largest sure face, or None."""
        height, width = image.shape[:2]
        self.net.setInput(cv2.dnn.blobFromImage(image, 1 / 128, (320, 240), (127, 127, 127)))
        scores, boxes = self.net.forward(["scores", "boxes"])
        sure = boxes[0][scores[0, :, 1] > 0.8]
        if len(sure) == 0:
            return None
        area = (sure[:, 2] - sure[:, 0]) * (sure[:, 3] - sure[:, 1])
        return sure[area.argmax()] * [width, height, width, height]

    def __call__(self, image: npt.NDArray[np.uint8]) -> Face | None:
        """The Face, or None."""
        box = self.box(image)
        if box is None:
            return None
        middle, side = (box[:2] + box[2:]) / 2, 1.5 * max(box[2:] - box[:2])
        for _ in range(2):
            scale = 192 / side
            matrix = np.array([[scale, 0, 96 - scale * middle[0]], [0, scale, 96 - scale * middle[1]]])
            crop = cv2.warpAffine(image, matrix, (192, 192), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
            seen = self.mesh.points(crop)
            if seen is None:
                return None
            points = np.column_stack([(seen[:, :2] - matrix[:, 2]) / scale, seen[:, 2] / scale])
            low, high = points[:, :2].min(0), points[:, :2].max(0)
            middle, side = (low + high) / 2, 1.5 * (high - low).max()
        return Face(points.astype(np.float32))


def grid(shape: Sequence[int]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Coordinates x, y of every pixel."""
    y, x = np.mgrid[0:shape[0], 0:shape[1]].astype(np.float32)
    return x, y


def sample(image: np.ndarray, x: np.ndarray, y: np.ndarray, method: int = cv2.INTER_CUBIC) -> np.ndarray:
    """The picture at coordinates x, y."""
    return cv2.remap(image, x.astype(np.float32), y.astype(np.float32), method, borderMode=cv2.BORDER_REFLECT_101)


def softened(image: np.ndarray, sigma: float) -> np.ndarray:
    """A Gaussian blur; a wide one is done on a smaller picture."""
    step = int(sigma // 3)
    if step < 2:
        return cv2.GaussianBlur(image, (0, 0), sigma)
    small = cv2.resize(image, (-(-image.shape[1] // step), -(-image.shape[0] // step)), interpolation=cv2.INTER_AREA)
    return cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / step), image.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def moved(image: np.ndarray, field: np.ndarray, method: int = cv2.INTER_CUBIC) -> np.ndarray:
    """The picture whose points move by field (height x width x 2, pixels). Two fixed-point steps turn the field round."""
    x, y = grid(image.shape)
    back = field
    for _ in range(2):
        back = cv2.remap(field, x - back[..., 0], y - back[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return sample(image, x - back[..., 0], y - back[..., 1], method)


def spread(shape: Sequence[int], points: np.ndarray, moves: np.ndarray, sigma: float, rest: float = 0.15) -> npt.NDArray[np.float32]:
    """A smooth field that carries points by moves and dies away beyond sigma pixels from them."""
    step = 8
    y, x = np.mgrid[0:shape[0] + step:step, 0:shape[1] + step:step].astype(np.float32)
    d2 = (x[..., None] - points[:, 0]) ** 2 + (y[..., None] - points[:, 1]) ** 2
    weight = np.exp(-d2 / (2 * sigma * sigma))
    field = (weight @ moves) / (weight.sum(-1, keepdims=True) + rest)
    full = cv2.resize(field.astype(np.float32), None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)
    return np.ascontiguousarray(full[step // 2:step // 2 + shape[0], step // 2:step // 2 + shape[1]])


def thin_plate(shape: Sequence[int], points: np.ndarray, moves: np.ndarray) -> npt.NDArray[np.float32]:
    """The thin-plate spline field through points with moves, exact at them."""
    def kernel(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        d2 = ((a[:, None] - b[None]) ** 2).sum(-1)
        return d2 * np.log(d2 + 1e-6)

    count = len(points)
    side = np.column_stack([np.ones(count), points])
    system = np.zeros((count + 3, count + 3))
    system[:count, :count], system[:count, count:], system[count:, :count] = kernel(points, points), side, side.T
    system[:count, :count] += 1e-3 * np.eye(count)
    answer = np.linalg.solve(system, np.concatenate([moves, np.zeros((3, 2))]))
    y, x = np.mgrid[0:shape[0]:8, 0:shape[1]:8]
    at = np.column_stack([x.ravel(), y.ravel()]).astype(np.float64)
    field = kernel(at, points.astype(np.float64)) @ answer[:count] + np.column_stack([np.ones(len(at)), at]) @ answer[count:]
    return cv2.resize(field.reshape(*x.shape, 2).astype(np.float32), shape[1::-1], interpolation=cv2.INTER_CUBIC)


def frame_points(shape: Sequence[int], count: int = 5) -> np.ndarray:
    """Points on the rim of a picture, to hold it in place."""
    height, width = shape[:2]
    along = np.linspace(0, 1, count)
    rim = [(a, 0) for a in along] + [(a, 1) for a in along] + [(0, a) for a in along[1:-1]] + [(1, a) for a in along[1:-1]]
    return np.array(rim, np.float32) * [width - 1, height - 1]


def triangles(points: np.ndarray, shape: Sequence[int]) -> list[np.ndarray]:
    """Index triples of a Delaunay triangulation of the points inside a picture."""
    division = cv2.Subdiv2D((-10, -10, shape[1] + 20, shape[0] + 20))
    index = {}
    for number, (px, py) in enumerate(points):
        key = (round(float(px), 2), round(float(py), 2))
        if key not in index and -9 < key[0] < shape[1] + 9 and -9 < key[1] < shape[0] + 9:
            index[key] = number
            division.insert(key)
    keys, numbers = np.array(list(index)), np.array(list(index.values()))
    result = []
    for corners in division.getTriangleList().reshape(-1, 3, 2):
        distance = ((keys[None] - corners[:, None]) ** 2).sum(-1)
        if distance.min(1).max() < 0.5:
            result.append(numbers[distance.argmin(1)])
    return result


def piecewise(
    source: npt.NDArray[np.uint8], source_points: np.ndarray, target_points: np.ndarray, onto: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Warp source so that source_points lie on target_points, triangle by triangle, over the picture onto; returns it and the mask."""
    x, y = grid(onto.shape)
    inside = np.zeros(onto.shape[:2], np.uint8)
    for corners in triangles(target_points, onto.shape):
        a, b = target_points[corners].astype(np.float32), source_points[corners].astype(np.float32)
        low = np.maximum(np.floor(a.min(0)).astype(int), 0)
        high = np.minimum(np.ceil(a.max(0)).astype(int) + 1, onto.shape[1::-1])
        if (high <= low).any() or abs(cv2.contourArea(a)) < 0.2:
            continue
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round((a - low) * 16).astype(np.int32), 1, shift=4)
        m = cv2.getAffineTransform(a, b)
        rows, columns = np.nonzero(mask)
        px, py = columns + low[0], rows + low[1]
        x[py, px], y[py, px] = m[0, 0] * px + m[0, 1] * py + m[0, 2], m[1, 0] * px + m[1, 1] * py + m[1, 2]
        inside[py, px] = 1
    return sample(source, x, y), inside


def turn_moves(face: Face, yaw: float, pitch: float, roll: float) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How the mesh moves in the picture when the head turns by these degrees about a pivot behind the face; and the points, with
    those of the skull around the mesh."""
    points = face.points.astype(np.float64)
    middle = points.mean(0)
    around = points[list(OVAL)]
    skull = np.column_stack([middle[:2] + (around[:, :2] - middle[:2]) * [1.22, 1.38], np.full(len(around), middle[2] + 0.75 * face.across)])
    neck = points[list(JAW)] + [0, 0.35 * face.across, 0.5 * face.across]
    every = np.concatenate([points, skull, neck])
    pivot = middle + [0, 0.55 * face.across, 0.85 * face.across]
    matrix = cv2.Rodrigues(np.radians([pitch, yaw, roll]).astype(np.float64))[0]
    turned = (every - pivot) @ matrix.T + pivot
    far = 6 * face.across
    seen = middle[:2] + (turned[:, :2] - middle[:2]) * far / (far + turned[:, 2:] - middle[2])
    rest = middle[:2] + (every[:, :2] - middle[:2]) * far / (far + every[:, 2:] - middle[2])
    moves = seen - rest
    moves[-len(neck):] *= 0.5
    return every[:, :2].astype(np.float32), moves.astype(np.float32)


def turned(image: npt.NDArray[np.uint8], face: Face, yaw: float, pitch: float, roll: float) -> npt.NDArray[np.uint8]:
    """The picture with its head turned; what is far from the head stays."""
    points, moves = turn_moves(face, yaw, pitch, roll)
    keep = np.r_[0:468:3, 468:len(points)]
    return moved(image, spread(image.shape, points[keep], moves[keep], 0.2 * face.across, 0.4))


def _curve(points: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A lid as a parabola over x."""
    return np.polyval(np.polyfit(points[:, 0], points[:, 1], 2), x)


def blinked(image: np.ndarray, face: Face, closing: float) -> np.ndarray:
    """Draw the upper lids down by a part 0..1 of the eyes' openings, over what is behind."""
    x, y = grid(image.shape)
    new = y.copy()
    for upper, lower, brow in zip(UPPER_LIDS, LOWER_LIDS, BROWS):
        u, l, b = face.flat[list(upper)], face.flat[list(lower)], face.flat[list(brow)]
        left, right = u[:, 0].min(), u[:, 0].max()
        centre, half = (left + right) / 2, (right - left) / 2
        near = np.clip(1.25 - np.abs(x - centre) / (half + 1e-3), 0, 0.25) / 0.25
        up = _curve(u, x)
        down = np.maximum(_curve(l, x), up + 0.1)
        top = np.minimum(b[:, 1].mean() + 0.3 * (up - b[:, 1].mean()), up - 1)
        shut = up + closing * near * (down - up)
        lid = (y > top) & (y < shut) & (near > 0)
        new[lid] = (top + (y - top) * (up - top) / np.maximum(shut - top, 1e-3))[lid]
    return sample(image, x, new)


def gazed(image: np.ndarray, face: Face, dx: float, dy: float) -> np.ndarray:
    """Shift the irises by dx, dy pixels within their lids."""
    x, y = grid(image.shape)
    field = np.zeros(image.shape[:2] + (2,), np.float32)
    for upper, lower in zip(UPPER_LIDS, LOWER_LIDS):
        u, l = face.flat[list(upper)], face.flat[list(lower)]
        cx, cy = (u[:, 0].mean() + l[:, 0].mean()) / 2, (u[:, 1].mean() + l[:, 1].mean()) / 2
        wide, high = (u[:, 0].max() - u[:, 0].min()) / 2, max((l[:, 1].max() - u[:, 1].min()) / 2, 1.5)
        weight = np.clip(1 - ((x - cx) / wide) ** 2, 0, 1) * np.clip(1.4 - ((y - cy) / high) ** 2, 0, 1)
        field += weight[..., None] * np.array([dx, dy], np.float32)
    return sample(image, x - field[..., 0], y - field[..., 1])


def mouthed(image: np.ndarray, face: Face, smile: float, opening: float) -> np.ndarray:
    """Smile (parts of the eye distance that the corners move by) and open the mouth (parts of the eye distance)."""
    unit, flat = face.across, face.flat
    points, moves = [], []

    def push(indices: Sequence[int], dx: float, dy: float) -> None:
        for index in indices:
            points.append(flat[index])
            moves.append((dx * unit, dy * unit))

    push((61, 76, 62), -smile, -0.7 * smile)
    push((291, 306, 292), smile, -0.7 * smile)
    push((50, 205, 187), -0.3 * smile, -0.4 * smile)
    push((280, 425, 411), 0.3 * smile, -0.4 * smile)
    push(LOWER_LIP, 0, 0.8 * opening)
    push(JAW[3:10], 0, 0.7 * opening)
    push(UPPER_LIP[2:7], 0, -0.1 * opening)
    push((4, 1, 197, 159, 386, 33, 263, 70, 300, 234, 454), 0, 0)
    result = moved(image, spread(image.shape, np.array(points, np.float32), np.array(moves, np.float32), 0.16 * unit, 0.25))
    if opening > 0.03:
        result = _mouth_gap(result, face, opening)
    return result


def _mouth_gap(image: np.ndarray, face: Face, opening: float) -> npt.NDArray[np.uint8]:
    """The dark inside of an open mouth."""
    upper, lower = face.flat[list(UPPER_INNER)].copy(), face.flat[list(LOWER_INNER)].copy()
    arch = np.sin(np.linspace(0, np.pi, len(lower)))
    lower[:, 1] += 0.75 * opening * face.across * arch
    outline = np.concatenate([upper, lower[::-1]])
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, shift=4)
    soft = cv2.GaussianBlur(mask, (0, 0), max(0.015 * face.across, 0.7)).astype(np.float32)[..., None] / 255
    lip = image[np.clip(int(face.flat[13][1]), 0, image.shape[0] - 1), np.clip(int(face.flat[13][0]), 0, image.shape[1] - 1)]
    return np.round(image * (1 - soft) + (0.28 * lip + [10, 3, 3]) * soft).clip(0, 255).astype(np.uint8)


def matte(image: npt.NDArray[np.uint8], face: Face) -> npt.NDArray[np.float32]:
    """The soft outline of head and shoulders, 0..1, by GrabCut on a small picture."""
    scale = 240 / image.shape[0]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    unit, (cx, cy) = face.across * scale, face.middle * scale
    mask = np.full((height, width), cv2.GC_BGD, np.uint8)
    cv2.ellipse(mask, (int(cx), int(cy - 0.3 * unit)), (int(1.15 * unit), int(1.7 * unit)), 0, 0, 360, cv2.GC_PR_FGD, -1)
    below = height + 9
    half = [(0.6 * unit, cy + 0.9 * unit), (2.1 * unit, cy + 2.0 * unit), (2.3 * unit, below)]
    shoulders = np.array([(cx + dx, y) for dx, y in half] + [(cx - dx, y) for dx, y in half[::-1]])
    cv2.fillPoly(mask, [shoulders.astype(np.int32)], cv2.GC_PR_FGD)
    cv2.fillConvexPoly(mask, cv2.convexHull((face.flat * scale).astype(np.int32)), cv2.GC_FGD)
    neck = cy + 0.9 * unit
    core = np.array([[cx - 0.35 * unit, neck], [cx + 0.35 * unit, neck], [cx + 1.1 * unit, below], [cx - 1.1 * unit, below]])
    cv2.fillPoly(mask, [core.astype(np.int32)], cv2.GC_FGD)
    cv2.setRNGSeed(1)
    cv2.grabCut(small, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    own = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    own = cv2.morphologyEx(cv2.morphologyEx(own, cv2.MORPH_OPEN, np.ones((3, 3))), cv2.MORPH_CLOSE, np.ones((5, 5)))
    soft = cv2.GaussianBlur(own.astype(np.float32), (0, 0), 1.0)
    return np.clip(cv2.resize(soft, image.shape[1::-1], interpolation=cv2.INTER_CUBIC), 0, 1)


def behind(image: npt.NDArray[np.uint8], alpha: np.ndarray) -> npt.NDArray[np.uint8]:
    """The background with the person painted out."""
    scale = 160 / image.shape[0]
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    hole = cv2.dilate((cv2.resize(alpha, small.shape[1::-1], interpolation=cv2.INTER_AREA) > 0.05).astype(np.uint8), np.ones((5, 5)))
    painted = cv2.resize(cv2.inpaint(small, hole, 3, cv2.INPAINT_TELEA), image.shape[1::-1], interpolation=cv2.INTER_CUBIC)
    edge = cv2.GaussianBlur(cv2.dilate((alpha > 0.05).astype(np.float32), np.ones((7, 7))), (0, 0), 2)[..., None]
    return np.round(painted * edge + image * (1 - edge)).astype(np.uint8)
