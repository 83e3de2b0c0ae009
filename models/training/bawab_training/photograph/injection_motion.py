"""Attack families that move a still: the whole picture, the head, or parts of the face.

Every family is a function of (rng, scene, force) that returns three RGB pictures and the parameters it drew; force is 0 (weak), 1
(medium) or 2 (strong) and means how well the forger imitates a living person, not how far things move.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from . import injection_face as face_of


def path(rng: np.random.Generator, scale: float, tremor: float = 0.15) -> npt.NDArray[np.float64]:
    """Three positions along a smooth way of about scale: what a person who holds still does within half a second."""
    speed, bend = rng.normal(0, scale), rng.normal(0, 0.5 * scale)
    time = np.array([0.0, 1.0, 2.0]) + rng.uniform(-0.2, 0.2, 3)
    return speed * time / 2 + bend * (time / 2) ** 2 + rng.normal(0, tremor * scale + 1e-6, 3)


def _matrices(rng: np.random.Generator, scene: face_of.Scene, amount: float) -> list[np.ndarray]:
    """Three homographies near the identity; amount is the way in pixels at the rim of a 640 pixel picture."""
    height, width = scene.image.shape[:2]
    unit = amount * width / 640
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    centre = np.array([width, height]) / 2
    shift = np.stack([path(rng, unit), path(rng, 0.7 * unit)], 1)
    zoom, roll = 1 + path(rng, unit / width), path(rng, unit / width)
    tilt = np.stack([path(rng, 0.4 * unit) for _ in range(8)], 1).reshape(3, 4, 2) * (rng.random() < 0.5)
    result = []
    for k in range(3):
        c, s = np.cos(roll[k]) * zoom[k], np.sin(roll[k]) * zoom[k]
        target = (corners - centre) @ np.array([[c, s], [-s, c]]) + centre + shift[k] + tilt[k]
        result.append(cv2.getPerspectiveTransform(corners.astype(np.float32), target.astype(np.float32)))
    return result


def shaken(
    rng: np.random.Generator, scene: face_of.Scene, frames: list[npt.NDArray[np.uint8]], amount: float
) -> list[npt.NDArray[np.uint8]]:
    """The frames under a hand-held camera; each is enlarged a little so that no rim shows."""
    height, width = scene.image.shape[:2]
    method = int(rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)))
    grow = 1 + 3 * amount / 640
    wide = np.array([[grow, 0, (1 - grow) * width / 2], [0, grow, (1 - grow) * height / 2], [0, 0, 1]])
    ways = _matrices(rng, scene, amount)
    return [cv2.warpPerspective(f, wide @ w, (width, height), flags=method, borderMode=cv2.BORDER_REFLECT_101) for f, w in zip(frames, ways)]


def global_motion(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The whole still under a smooth similarity or projective motion."""
    amount = float(rng.uniform(1.5, 9))
    return shaken(rng, scene, [scene.image] * 3, amount), {"amount": amount}


def head_turn(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The head turns in 2.5 dimensions before a still or slightly moved background."""
    size = rng.uniform(0.8, 4.5)
    yaw, pitch, roll = path(rng, size), path(rng, 0.5 * size), path(rng, 0.3 * size)
    frames = [face_of.turned(scene.image, scene.face, yaw[k], pitch[k], roll[k]) for k in range(3)]
    if force and rng.random() < 0.5:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.5, 3)))
    return frames, {"degrees": float(size)}


def local_warp(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A thin-plate spline through a few landmarks that wander on their own."""
    size = float(rng.uniform(0.006, 0.025)) * scene.face.across
    chosen = rng.choice(468, int(rng.integers(8, 24)), replace=False)
    points = np.concatenate([scene.face.flat[chosen], face_of.frame_points(scene.image.shape)])
    ways = np.stack([np.stack([path(rng, size), path(rng, size)], 1) for _ in chosen], 1)
    hold = np.zeros((len(points) - len(chosen), 2))
    frames = [face_of.moved(scene.image, face_of.thin_plate(scene.image.shape, points, np.concatenate([w, hold]))) for w in ways]
    return frames, {"pixels": size, "points": len(chosen)}


def flow_warp(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A smooth random flow over the whole picture, as of water, evolving from frame to frame."""
    height, width = scene.image.shape[:2]
    size = float(rng.uniform(0.8, 3.5)) * width / 640
    cells = int(rng.integers(4, 10))
    ground = rng.normal(0, 1, (3, cells, cells + 1, 2)).astype(np.float32)
    frames = []
    for k in range(3):
        coarse = ground[0] * k / 2 + ground[1] * (k / 2) ** 2 + 0.3 * ground[2] * (k == 1)
        field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC) * size
        frames.append(face_of.moved(scene.image, field))
    return frames, {"pixels": size, "cells": cells}


def _over_motion(
    rng: np.random.Generator, scene: face_of.Scene, frames: list[npt.NDArray[np.uint8]], force: int
) -> list[npt.NDArray[np.uint8]]:
    """What a careful forger adds to a moving part: the head moves too, the camera is held in a hand."""
    if force == 0:
        return frames
    yaw, pitch = path(rng, rng.uniform(0.3, 1.6)), path(rng, rng.uniform(0.2, 1.0))
    if force == 2 or rng.random() < 0.5:
        frames = [face_of.turned(f, scene.face, yaw[k], pitch[k], 0.0) for k, f in enumerate(frames)]
    return shaken(rng, scene, frames, float(rng.uniform(0.4, 2.5)))


def eyelids(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The lids close, half or whole, in one or two frames."""
    peak = float(rng.uniform(0.35, 1.0))
    closing = [(0, peak, 0), (peak, 0.4 * peak, 0), (0, 0.3 * peak, peak), (0, peak, 0.6 * peak)][int(rng.integers(4))]
    frames = [face_of.blinked(scene.image, scene.face, c) if c else scene.image for c in closing]
    return _over_motion(rng, scene, frames, force), {"closing": [float(c) for c in closing]}


def gaze(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The irises wander."""
    size = float(rng.uniform(0.01, 0.035)) * scene.face.across
    dx, dy = path(rng, size, 0.4), path(rng, 0.4 * size, 0.4)
    frames = [face_of.gazed(scene.image, scene.face, dx[k], dy[k]) for k in range(3)]
    return _over_motion(rng, scene, frames, force), {"pixels": size}


def mouth(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A smile begins or ends, the mouth opens a little."""
    smile, opening = float(rng.uniform(0.0, 0.07)), float(rng.uniform(0.0, 0.12)) * (rng.random() < 0.6)
    course = np.clip(np.array([0, 0.5, 1.0]) + rng.normal(0, 0.1, 3), 0, 1)
    if rng.random() < 0.5:
        course = course[::-1]
    frames = [face_of.mouthed(scene.image, scene.face, smile * c, opening * c) for c in course]
    return _over_motion(rng, scene, frames, force), {"smile": smile, "opening": float(opening)}


def talking_head(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A talking-head generator's way: head, lids, gaze, mouth and shoulders at once, the face drawn at 256 pixels and pasted back."""
    turn, blink = rng.uniform(0.6, 3.5), float(rng.uniform(0, 1)) * (rng.random() < 0.6)
    yaw, pitch, roll = path(rng, turn), path(rng, 0.6 * turn), path(rng, 0.4 * turn)
    gx, speech = path(rng, 0.02 * scene.face.across, 0.3), np.abs(path(rng, rng.uniform(0.0, 0.05)))
    closing = np.roll([0.0, blink, 0.4 * blink], int(rng.integers(3)))
    frames = []
    for k in range(3):
        picture = face_of.gazed(scene.image, scene.face, gx[k], 0.0)
        picture = face_of.mouthed(picture, scene.face, 0.02 * np.sin(k), float(speech[k]))
        picture = face_of.blinked(picture, scene.face, closing[k]) if closing[k] > 0.05 else picture
        picture = face_of.turned(picture, scene.face, yaw[k], pitch[k], roll[k])
        frames.append(_drawn_small(picture, scene.face, int(rng.integers(220, 400)) if force < 2 else 512))
    if force and rng.random() < 0.6:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.3, 2)))
    return frames, {"degrees": float(turn), "blink": blink}


def _drawn_small(image: npt.NDArray[np.uint8], face: face_of.Face, side: int) -> npt.NDArray[np.uint8]:
    """The square around the face at side pixels, pasted back over its soft rim."""
    reach = 1.1 * face.across
    low = np.maximum(face.middle - reach, 0).astype(int)
    high = np.minimum(face.middle + reach, image.shape[1::-1]).astype(int)
    part = image[low[1]:high[1], low[0]:high[0]]
    if side >= max(part.shape[:2]):
        return image
    scale = side / max(part.shape[:2])
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    large = cv2.resize(small, part.shape[1::-1], interpolation=cv2.INTER_CUBIC).astype(np.float32)
    mask = np.zeros(part.shape[:2], np.float32)
    cv2.ellipse(mask, (part.shape[1] // 2, part.shape[0] // 2), (int(part.shape[1] * 0.42), int(part.shape[0] * 0.45)), 0, 0, 360, 1, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), 0.04 * part.shape[1])[..., None]
    result = image.copy()
    result[low[1]:high[1], low[0]:high[0]] = np.round(large * mask + part * (1 - mask))
    return result


def reenactment(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The landmarks' moves between three real frames of another living person drive the still, triangle by triangle."""
    driver, face = scene.driver, scene.face
    scale = face.across / driver[0].across
    gain = float(rng.uniform(0.6, 1.3))
    chosen = np.arange(0, 468, 2 if force else 4)
    rim = face_of.frame_points(scene.image.shape)
    frames = []
    for moment in driver:
        moves = (moment.flat - driver[0].flat) * scale * gain
        if force == 2:
            frames.append(face_of.moved(scene.image, face_of.spread(scene.image.shape, face.flat[chosen], moves[chosen], 0.12 * face.across, 0.3)))
            continue
        ring = face.middle + (face.flat[list(face_of.OVAL)] - face.middle) * 1.5
        held = np.concatenate([rim, ring])
        source = np.concatenate([face.flat[chosen], held])
        target = np.concatenate([face.flat[chosen] + moves[chosen], held])
        frames.append(face_of.piecewise(scene.image, source, target, scene.image)[0])
    return frames, {"gain": gain}
