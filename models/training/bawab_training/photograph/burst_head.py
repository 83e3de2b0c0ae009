"""The head of an artificial person in relief: colour, cover and depth, made of a blended portrait; and what its face and neck do.

A texture pixel is 1/UNIT of the distance between the outer corners of the eyes. The portrait gives the face; hair, ears, neck and
the grain of skin are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from . import injection_face as face_of

WIDTH, HEIGHT, UNIT = 760, 940, 220.0
EYES = np.array([WIDTH / 2, 430.0])  # the point between the eyes


@dataclass
class Head:
    """colour: RGB float 0..255; cover: 0..1; depth: pixels away from the camera; face: the mesh in the texture; skin and hair: RGB."""

    colour: np.ndarray
    cover: np.ndarray
    depth: np.ndarray
    face: face_of.Face
    skin: np.ndarray
    hair: np.ndarray
    long: bool


def _upright(portrait: npt.NDArray[np.uint8], face: face_of.Face) -> tuple[npt.NDArray[np.float32], face_of.Face]:
    """The portrait brought to the texture's scale, eyes level, and its mesh there."""
    left, right = face.flat[33], face.flat[263]
    across = right - left
    scale = UNIT / np.linalg.norm(across)
    angle = np.arctan2(across[1], across[0])
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    matrix = np.array([[c, s, 0], [-s, c, 0]])
    matrix[:, 2] = EYES - matrix[:, :2] @ ((left + right) / 2)
    image = cv2.warpAffine(portrait, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_LANCZOS4, borderMode=cv2.BORDER_REPLICATE)
    flat = face.flat @ matrix[:, :2].T + matrix[:, 2]
    return image.astype(np.float32), face_of.Face(np.column_stack([flat, face.points[:, 2] * scale]).astype(np.float32))


def _cleaned(image: npt.NDArray[np.float32], mesh: face_of.Face) -> np.ndarray:
    """Without the print of a card: thin lines and dots on the skin go, and what the print blurred is sharpened."""
    calm = cv2.medianBlur(image.astype(np.uint8), 15).astype(np.float32)
    thin = (np.abs(image - calm).max(-1) > 9).astype(np.float32)
    parts = np.zeros(thin.shape, np.uint8)
    eyes = [lid + brow for lid, brow in zip(face_of.UPPER_LIDS, face_of.BROWS)]
    for indices in (*eyes, face_of.UPPER_LIP + face_of.LOWER_LIP, (1, 48, 278, 97, 326)):
        cv2.fillConvexPoly(parts, cv2.convexHull(mesh.flat[list(indices)].astype(np.int32)), 1)
    parts = cv2.dilate(parts, np.ones((25, 25)))
    odd = (image - calm) @ np.array([-1.0, 0.0, 1.0], np.float32) > 14  # bluer than the skin around: a dot of the text
    dots = cv2.dilate(odd.astype(np.float32), np.ones((9, 9)))
    share = cv2.GaussianBlur(np.maximum(cv2.dilate(thin, np.ones((5, 5))) * (1 - parts), dots), (0, 0), 2)[..., None]
    plain = image * (1 - share) + calm * share
    return plain + 1.2 * (plain - cv2.GaussianBlur(plain, (0, 0), 5))


def _soft(shape_points: npt.ArrayLike, blur: float, feather: np.ndarray | None = None) -> np.ndarray:
    """A filled outline with a soft rim, 0..1."""
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.fillPoly(mask, [np.round(np.asarray(shape_points) * 16).astype(np.int32)], 1.0, cv2.LINE_AA, shift=4)
    if feather is not None:
        mask = np.clip(mask + feather, 0, 1) * (cv2.GaussianBlur(mask, (0, 0), 6) > 0.2)
    return cv2.GaussianBlur(mask, (0, 0), blur)


def strands(rng: np.random.Generator, colour: np.ndarray) -> np.ndarray:
    """Hair: noise drawn out along the way it falls, with a sheen. RGB."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    noise = rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32)
    total = np.zeros_like(noise)
    direction = (x - EYES[0]) / 300 + 0.25 * np.sin(x / 23 + rng.uniform(0, 6)) * 0.3
    for step in np.linspace(-14, 14, 15):
        total += cv2.remap(noise, np.float32(x + step * direction), np.float32(y + step), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    total = total / total.std()
    coarse = face_of.softened(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), 9) * 20
    sheen = np.exp(-(((y - EYES[1] + 1.05 * UNIT) / 60) ** 2)) * rng.uniform(5, 30)
    return np.clip(colour + (total * 7 + coarse * 3 + sheen)[..., None], 0, 255)


def _pores(rng: np.random.Generator) -> np.ndarray:
    """Fine relief of skin as a factor around 1."""
    noise = rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32)
    fine = cv2.GaussianBlur(noise, (0, 0), 1.1) - cv2.GaussianBlur(noise, (0, 0), 2.4)
    spots = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (0, 0), 6)
    return 1 + 0.022 * fine / fine.std() + 0.012 * spots / spots.std()


def _skull(flat: np.ndarray, grow_x: float, grow_y: float, bottom: float) -> np.ndarray:
    """An outline around the mesh: an ellipse above the ears, the cheeks below."""
    ring = flat[list(face_of.OVAL)]
    middle = np.array([ring[:, 0].mean(), EYES[1]])
    low = np.clip((ring[:, 1] - middle[1]) / (0.8 * UNIT), 0, 1)[:, None]
    result = middle + (ring - middle) * np.hstack([grow_x + (min(grow_x, 1.0) - grow_x) * low, np.ones_like(low)])
    above = result[:, 1] < middle[1]
    result[above, 1] = middle[1] + (result[above, 1] - middle[1]) * grow_y
    result[~above, 1] = middle[1] + (result[~above, 1] - middle[1]) * bottom
    return result


def _ear(picture: np.ndarray, cover: np.ndarray, centre: np.ndarray, skin: np.ndarray, side: int) -> None:
    """A simple ear, with the shade of its shell."""
    size = (int(0.085 * UNIT), int(0.25 * UNIT))
    at = (int(centre[0]), int(centre[1]))
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(mask, at, size, 12 * side, 0, 360, 1, -1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), 2)[..., None]
    shell = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(shell, (at[0] + 4 * side, at[1] - 4), (size[0] // 2, int(size[1] * 0.62)), 12 * side, 0, 360, 1, -1, cv2.LINE_AA)
    shell = cv2.GaussianBlur(shell, (0, 0), 4)[..., None]
    tone = skin * np.array([0.92, 0.82, 0.8]) * (1 - 0.3 * shell)
    picture[:] = picture * (1 - mask) + tone * mask
    cover[:] = np.maximum(cover, mask[..., 0])


def build(rng: np.random.Generator, portrait: npt.NDArray[np.uint8], face: face_of.Face, long: bool = False, grey: float = 0.0) -> Head:
    """The Head of a portrait (RGB, with its Face); long hair falls to the shoulders, grey is the share of white hair."""
    image, mesh = _upright(portrait, face)
    image, flat = _cleaned(image, mesh), mesh.flat
    places = flat[[50, 280, 151]].astype(int)  # cheeks and forehead
    skin = np.median(np.concatenate([image[y - 6:y + 6, x - 6:x + 6].reshape(-1, 3) for x, y in places]), 0)
    dark = np.array([[28, 24, 22], [44, 32, 26], [62, 44, 32]])[int(rng.integers(3))]
    hair = dark * (1 - grey) + np.array([150, 148, 145]) * grey
    thick = rng.uniform(1.65, 1.85)
    outline = _skull(flat, 1.13, thick, 1.0)
    head = _soft(outline, 1.5)
    bare = _soft(_skull(flat, 1.03, 1.05 + rng.uniform(0, 0.05), 1.0), 7, rng.normal(0, 0.05, (HEIGHT, WIDTH)).astype(np.float32))
    wisps = cv2.GaussianBlur(rng.normal(0, 1, (HEIGHT, WIDTH)).astype(np.float32), (5, 21), 0)
    cap = np.clip((_soft(_skull(flat, 1.15, thick + 0.03, 0.3 if not long else 0.9), 5) + 0.35 * wisps - 0.4) * 3, 0, 1)
    hairy = strands(rng, hair)
    picture = np.empty((HEIGHT, WIDTH, 3), np.float32)
    picture[:] = skin * 0.92
    cover = head.copy()
    if not long:
        for side, index in ((-1, 234), (1, 454)):
            _ear(picture, cover, flat[index] + [side * 0.06 * UNIT, -0.05 * UNIT], skin, side)
    top = (cap * (1 - bare))[..., None]
    inner = flat[list(face_of.OVAL)].mean(0) + (flat[list(face_of.OVAL)] - flat[list(face_of.OVAL)].mean(0)) * [0.97, 1.0]
    fade = cv2.GaussianBlur(_soft(inner, 4), (0, 0), 0.05 * UNIT)[..., None]
    picture = picture * (1 - fade) + image * fade
    picture = picture * (1 - top) + hairy * top
    cover = np.maximum(cover, cap)
    picture *= (_pores(rng) * (1 - top[..., 0]) + top[..., 0])[..., None]
    return Head(np.clip(picture, 0, 255), cover, _depth(mesh), mesh, skin, hair, long)


def _depth(mesh: face_of.Face) -> np.ndarray:
    """The relief: the mesh within the face, falling back to the skull's rim."""
    chosen = np.unique(np.r_[np.arange(0, 468, 6), face_of.OVAL])
    rim = _skull(mesh.flat, 1.3, 1.9, 1.12)
    level = mesh.points[list(face_of.OVAL), 2].mean()
    points = np.concatenate([mesh.flat[chosen], rim])
    values = np.concatenate([mesh.points[chosen, 2], np.full(len(rim), level + 0.35 * UNIT)])
    field = face_of.thin_plate((HEIGHT, WIDTH), points, np.column_stack([values, np.zeros(len(values))]))[..., 0]
    return cv2.GaussianBlur(np.clip(field, mesh.points[:, 2].min(), level + 0.6 * UNIT), (0, 0), 6)


def acted(head: Head, blink: float, gaze: Sequence[float] | np.ndarray, smile: float, opening: float) -> np.ndarray:
    """The face's colours when the lids close by blink (0..1), the gaze moves by parts of the eye distance, mouth smiles and opens."""
    picture = face_of.gazed(head.colour, head.face, gaze[0] * UNIT, gaze[1] * UNIT)
    picture = face_of.mouthed(picture, head.face, smile, opening).astype(np.float32)
    return face_of.blinked(picture, head.face, blink) if blink > 0.02 else picture


def _normals(depth: np.ndarray) -> np.ndarray:
    """Unit normals towards the camera."""
    dx, dy = cv2.Sobel(depth, cv2.CV_32F, 1, 0, ksize=5) / 128, cv2.Sobel(depth, cv2.CV_32F, 0, 1, ksize=5) / 128
    normal = np.dstack([dx, dy, -np.ones_like(depth)])
    return normal / np.linalg.norm(normal, axis=2, keepdims=True)


def posed(head: Head, colour: np.ndarray, lamp: npt.ArrayLike, turn: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(colour, cover) of the head turned by yaw, pitch and roll degrees under a fixed lamp (unit vector from the head): what is
    nearer moves more, and the light on the skin changes with the turn."""
    matrix = cv2.Rodrigues(np.radians([turn[1], turn[0], turn[2]]).astype(np.float64))[0].astype(np.float32)
    x, y = face_of.grid(head.depth.shape)
    pivot = np.array([EYES[0], EYES[1] + 0.6 * UNIT, head.depth.min() + 1.0 * UNIT], np.float32)
    points = np.dstack([x, y, head.depth]) - pivot
    moved = points @ matrix.T + pivot
    far = 7 * UNIT
    zoom = far / (far + moved[..., 2] - head.depth.min())
    rest = far / (far + head.depth - head.depth.min())
    centre = EYES.astype(np.float32)
    field = (moved[..., :2] - centre) * zoom[..., None] - (np.dstack([x, y]) - centre) * rest[..., None]
    normal = _normals(face_of.softened(head.depth, 24))
    lamp = np.asarray(lamp, np.float32)
    shade = 0.7 + 0.3 * np.clip((normal @ matrix.T) @ lamp, -0.3, 1)
    lit = colour * face_of.softened(shade, 9)[..., None]
    both = face_of.moved(np.dstack([lit, head.cover * 255]).astype(np.float32), field.astype(np.float32))
    return both[..., :3], np.clip(both[..., 3] / 255, 0, 1)
