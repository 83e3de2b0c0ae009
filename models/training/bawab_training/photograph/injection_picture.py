"""Attack families that change what a still shows or how it is coded; those of injection_motion.py move it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import patterns
from . import camera_model
from . import injection_face as face_of
from .injection_motion import path, shaken


def _between(a: np.ndarray, b: np.ndarray, share: float | np.ndarray) -> npt.NDArray[np.uint8]:
    """Pictures mixed by a share, number or mask, of b."""
    return np.round(a * (1.0 - share) + b.astype(np.float32) * share).clip(0, 255).astype(np.uint8)


def _second(scene: face_of.Scene) -> tuple[npt.NDArray[np.uint8], face_of.Face]:
    """Another still of the person, with its face."""
    if scene.second is None:
        raise ValueError("the scene has no second still")
    return scene.second


def _aligned(scene: face_of.Scene) -> tuple[npt.NDArray[np.uint8], np.ndarray]:
    """Another still of the person brought to the scene's eyes and mouth, in tone too; and its landmarks there."""
    other, face = _second(scene)
    keep = [33, 133, 362, 263, 1, 61, 291, 152]
    matrix, _ = cv2.estimateAffinePartial2D(face.flat[keep], scene.face.flat[keep], method=cv2.LMEDS)
    warped = cv2.warpAffine(other, matrix, scene.image.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101).astype(np.float32)
    hull = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillConvexPoly(hull, cv2.convexHull(scene.face.flat.astype(np.int32)), 1)
    own, its = scene.image[hull > 0].astype(np.float32), warped[hull > 0]
    warped = (warped - its.mean(0)) * np.clip(own.std(0) / np.maximum(its.std(0), 4), 0.7, 1.4) + own.mean(0)
    return np.clip(warped, 0, 255).astype(np.uint8), cv2.transform(face.flat[None], matrix)[0]


def pasted_parts(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Eyes or mouth of another moment of the same person are pasted into one or two frames."""
    other, _ = _aligned(scene)
    parts = [[33, 133, 70, 107, 145, 159], [362, 263, 336, 300, 374, 386]] if rng.random() < 0.6 else [[61, 291, 0, 17, 13, 14]]
    changed = scene.image.copy()
    for part in parts:
        hull = cv2.convexHull(scene.face.flat[part].astype(np.int32))
        mask = np.zeros(changed.shape[:2], np.uint8)
        cv2.fillConvexPoly(mask, hull, 255)
        mask = cv2.dilate(mask, np.ones((3, 3)), iterations=max(1, int(0.05 * scene.face.across)))
        if force == 2:
            x, y, w, h = cv2.boundingRect(mask)
            changed = cv2.seamlessClone(other, changed, mask, (x + w // 2, y + h // 2), cv2.NORMAL_CLONE)
        else:
            soft = cv2.GaussianBlur(mask, (0, 0), 0.02 * scene.face.across + 0.7).astype(np.float32)[..., None] / 255
            changed = _between(changed, other, soft)
    order = [(0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0)][int(rng.integers(4))]
    frames = [changed if o else scene.image for o in order]
    if force:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.5, 3)))
    return frames, {"order": order, "parts": len(parts)}


def _head_mask(scene: face_of.Scene) -> np.ndarray:
    """The face with a soft rim: what a forger morphs where the rooms of two photographs differ."""
    ring = scene.face.flat[list(face_of.OVAL)]
    mask = np.zeros(scene.image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(ring.mean(0) + (ring - ring.mean(0)) * 1.02).astype(np.int32)], 255)
    return cv2.GaussianBlur(mask, (0, 0), 0.07 * scene.face.across).astype(np.float32)[..., None] / 255


def morph(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Three steps of a morph between two stills of the person."""
    other, points = _aligned(scene)
    rim, own = face_of.frame_points(scene.image.shape), scene.face.flat
    chosen = np.arange(0, 468, 3)
    span = float(rng.uniform(0.2, 0.9))
    start = float(rng.uniform(0, 1 - span))
    frames, within = [], _head_mask(scene) if scene.kind == "press" else 1.0
    for share in (start, start + span / 2, start + span):
        target = np.concatenate([(1 - share) * own[chosen] + share * points[chosen], rim])
        a, _ = face_of.piecewise(scene.image, np.concatenate([own[chosen], rim]), target, scene.image)
        b, _ = face_of.piecewise(other, np.concatenate([points[chosen], rim]), target, scene.image)
        frames.append(_between(a, b, share * within))
    return frames, {"from": start, "span": span}


def flow_interpolation(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Frames between two stills by dense optical flow."""
    other = _second(scene)[0]
    if other.shape != scene.image.shape or scene.kind != "webcam":
        other, _ = _aligned(scene)
    a, b = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY) for p in (scene.image, other))
    flow = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM).calc(a, b, None)
    flow = cv2.GaussianBlur(flow, (0, 0), rng.uniform(1, 4))
    span = float(rng.uniform(0.25, 0.7))
    frames = []
    for share in (0.0, span / 2, span):
        near = face_of.moved(scene.image, flow * share)
        if force:
            near = _between(near, face_of.moved(other, -flow * (1 - share)), share)
        frames.append(near)
    return frames, {"span": span}


def cutout(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Head and shoulders cut out and moved over the same background, repaired, blurred or moved the other way."""
    alpha, size = face_of.matte(scene.image, scene.face), float(rng.uniform(1.5, 7)) * scene.image.shape[1] / 640
    ground = face_of.behind(scene.image, alpha)
    blur = float(rng.uniform(1, 6)) if rng.random() < 0.5 else 0.0
    ground = cv2.GaussianBlur(ground, (0, 0), blur) if blur else ground
    return _laid_over(rng, scene, alpha, [ground] * 3, size, float(rng.uniform(0, 1.5)), force), {"pixels": size, "blur": blur}


def _laid_over(
    rng: np.random.Generator, scene: face_of.Scene, alpha: np.ndarray, grounds: Sequence[npt.NDArray[np.uint8]], size: float, drift: float,
    force: int,
) -> list[npt.NDArray[np.uint8]]:
    """The cut-out on its way over backgrounds that drift themselves."""
    height, width = scene.image.shape[:2]
    ways = [path(rng, s) for s in (size, 0.6 * size, drift, 0.5 * drift)]
    zoom, roll = 1.02 + np.abs(path(rng, size / width)), path(rng, 0.6 * size / width)
    yaw = path(rng, rng.uniform(0.4, 2.5) if force else 0)
    frames = []
    for k in range(3):
        picture = face_of.turned(scene.image, scene.face, yaw[k], 0.4 * yaw[k], 0) if force else scene.image
        matrix = cv2.getRotationMatrix2D((width / 2, height), float(np.degrees(roll[k])), float(zoom[k]))
        matrix[:, 2] += [ways[0][k], abs(ways[1][k])]
        over = cv2.warpAffine(picture, matrix, (width, height), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT_101)
        mask = cv2.warpAffine(alpha, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[..., None]
        shift = np.array([[1.02, 0, ways[2][k] - 0.01 * width], [0, 1.02, ways[3][k] - 0.01 * height]])
        under = cv2.warpAffine(grounds[k], shift, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
        frames.append(_between(under, over, mask))
    return frames


def new_background(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The person before another, unmoved room with noise of its own."""
    alpha, size = face_of.matte(scene.image, scene.face), float(rng.uniform(1, 5)) * scene.image.shape[1] / 640
    room = _room(rng, scene, force)
    grounds = [np.clip(room + rng.normal(0, rng.uniform(1, 4), room.shape), 0, 255).astype(np.uint8) for _ in range(3)]
    return _laid_over(rng, scene, alpha, grounds, size, 0.0, force), {"pixels": size}


def _room(rng: np.random.Generator, scene: face_of.Scene, force: int) -> npt.NDArray[np.float32]:
    """A wall, a patterned wall, or the repaired background of another still, out of focus."""
    height, width = scene.image.shape[:2]
    if force and scene.elsewhere is not None:
        room = cv2.resize(scene.elsewhere, (width, height), interpolation=cv2.INTER_AREA)
    elif rng.random() < 0.5:
        room = patterns.table(rng, (width, height))
    else:
        room = patterns.blend(rng, (width, height), [patterns.pastel(rng, 120), patterns.pastel(rng, 170)])
    return cv2.GaussianBlur(np.asarray(room, np.float32), (0, 0), rng.uniform(2, 7))


def flicker(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Light and white balance wander, as under a lamp or a processor that hunts."""
    size = float(rng.uniform(0.01, 0.07))
    gain, red, blue = (1 + path(rng, s * size, 0.6) for s in (1, 0.5, 0.5))
    light = camera_model.light_of(scene.image)
    height, width = light.shape[:2]
    band = rng.uniform(0, 0.6) * size if force else 0.0
    rows = np.arange(height)[:, None, None] / height
    frames = []
    for k in range(3):
        wave = 1 + band * np.sin(2 * np.pi * (rng.uniform(1, 4) * rows + rng.random()))
        frames.append(np.round(camera_model.picture_of(light * wave * gain[k] * np.array([red[k], 1, blue[k]], np.float32))).astype(np.uint8))
    if force == 2:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.3, 2)))
    return frames, {"size": size}


def denoised(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A still without its grain: bilateral or non-local means."""
    if rng.random() < 0.5 or image.shape[0] > 700:
        return cv2.bilateralFilter(image, 7, float(rng.uniform(14, 30)), 3)
    return cv2.fastNlMeansDenoisingColored(image, None, float(rng.uniform(3, 6)), float(rng.uniform(3, 8)), 5, 13)


def regrain(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The still without its grain, then new grain of a simulated sensor in every frame; nothing or little moves."""
    frames = [denoised(rng, scene.image)] * 3
    if force:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.3, 3)))
    camera = camera_model.draw(rng, rng.uniform(0.2, 0.9))
    frames = [camera_model.expose(rng, camera, camera_model.light_of(f)) for f in frames]
    return frames, {"electrons": camera.electrons}


def resample(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Every frame goes through another smaller or larger size and back, moved by parts of a pixel."""
    height, width = scene.image.shape[:2]
    methods = (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)
    scales = rng.uniform(0.45, 0.95, 3) if rng.random() < 0.7 else rng.uniform(1.2, 1.9, 3)
    frames = shaken(rng, scene, [scene.image] * 3, float(rng.uniform(0.5, 4))) if force else [scene.image] * 3
    result = []
    for frame, scale in zip(frames, scales):
        other = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=int(rng.choice(methods)))
        result.append(cv2.resize(other, (width, height), interpolation=int(rng.choice(methods[1:]))))
    return result, {"scales": [float(s) for s in scales]}


def recompress(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """JPEG rounds of other qualities, subsampling and block grids in every frame."""
    frames, rounds = [], []
    for k in range(3):
        picture, qualities = scene.image, []
        for _ in range(int(rng.integers(1, 4))):
            dx, dy = (int(v) for v in rng.integers(0, 8, 2)) if force else (0, 0)
            quality = int(rng.integers(35, 95))
            padded = cv2.copyMakeBorder(picture, dy, 8 - dy, dx, 8 - dx, cv2.BORDER_REFLECT_101)
            coded = camera_model.decoded(camera_model.jpeg(padded, quality, int(rng.integers(0, 3))))
            picture = coded[dy:dy + picture.shape[0], dx:dx + picture.shape[1]]
            qualities.append(quality)
        frames.append(np.ascontiguousarray(picture))
        rounds.append(qualities)
    if force == 2:
        frames = shaken(rng, scene, frames, float(rng.uniform(0.5, 4)))
    return frames, {"rounds": rounds}


def _transformed(plane: np.ndarray, step: float, block: int = 8) -> np.ndarray:
    """A plane whose block transforms are rounded to a step: a codec's coarse coding."""
    height, width = plane.shape
    grown = np.pad(plane, ((0, -height % block), (0, -width % block)), mode="edge").astype(np.float32)
    k = np.arange(block)
    basis = np.sqrt(2 / block) * np.cos(np.pi * (2 * k[None] + 1) * k[:, None] / (2 * block))
    basis[0] /= np.sqrt(2)
    tiles = grown.reshape(grown.shape[0] // block, block, -1, block).transpose(0, 2, 1, 3)
    turned = basis @ tiles @ basis.T
    steps = step * (1 + 0.12 * (k[:, None] + k[None]))
    turned = np.sign(turned) * np.floor(np.abs(turned) / steps + 0.33) * steps
    back = (basis.T @ turned @ basis).transpose(0, 2, 1, 3).reshape(grown.shape)
    return back[:height, :width]


def coded_video(frames: Sequence[npt.NDArray[np.uint8]], step: float, smooth: float) -> list[npt.NDArray[np.uint8]]:
    """A key frame and two predicted ones: what changed is coded as a rounded difference; edges of blocks are smoothed."""
    last, result = None, []
    for frame in frames:
        ycc = cv2.cvtColor(frame, cv2.COLOR_RGB2YCrCb).astype(np.float32)
        planes = []
        for channel in range(3):
            half = channel > 0
            plane = cv2.resize(ycc[..., channel], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) if half else ycc[..., channel]
            before = 128.0 if last is None else last[channel]
            planes.append(before + _transformed(plane - before, step * (1.3 if half else 1)))
        last = planes
        full = [planes[0]] + [cv2.resize(p, planes[0].shape[::-1], interpolation=cv2.INTER_LINEAR) for p in planes[1:]]
        picture = np.clip(np.dstack(full), 0, 255).astype(np.uint8)
        picture = cv2.bilateralFilter(picture, 5, smooth, 2) if smooth else picture
        result.append(cv2.cvtColor(picture, cv2.COLOR_YCrCb2RGB))
    return result


def video_codec(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A slowly moved still through a video coder."""
    frames = shaken(rng, scene, [scene.image] * 3, float(rng.uniform(0.8, 5)))
    if force:
        yaw = path(rng, rng.uniform(0.4, 2))
        frames = [face_of.turned(f, scene.face, yaw[k], 0, 0) for k, f in enumerate(frames)]
    step = float(rng.uniform(8, 30))
    return coded_video(frames, step, float(rng.uniform(0, 14))), {"step": step}


def video_call(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The picture of a video call at a low rate: small, coarse, enlarged and sharpened; the head moves a little."""
    height, width = scene.image.shape[:2]
    yaw, pitch = path(rng, rng.uniform(0.3, 2.5)), path(rng, rng.uniform(0.2, 1.2))
    frames = [face_of.turned(scene.image, scene.face, yaw[k], pitch[k], 0) for k in range(3)]
    if force:
        frames = [face_of.mouthed(f, scene.face, 0, float(o)) for f, o in zip(frames, np.abs(path(rng, 0.03)))]
    scale = float(rng.uniform(0.45, 0.8))
    small = [cv2.resize(f, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) for f in frames]
    step = float(rng.uniform(12, 32))
    coded = coded_video(small, step, float(rng.uniform(4, 16)))
    large = [cv2.resize(f, (width, height), interpolation=cv2.INTER_CUBIC) for f in coded]
    strong = [np.clip(2 * f.astype(np.float32) - cv2.GaussianBlur(f, (0, 0), 1.5), 0, 255) for f in large]
    return [_between(f, s, 0.4) for f, s in zip(large, strong)], {"scale": scale, "step": step}


def sharpened(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Enlarged as by a super-resolution tool, cropped a little differently in every frame, sharpened and reduced."""
    height, width = scene.image.shape[:2]
    amount, radius = float(rng.uniform(0.4, 1.6)), float(rng.uniform(0.8, 2.2))
    frames = shaken(rng, scene, [denoised(rng, scene.image) if force else scene.image] * 3, float(rng.uniform(0.5, 4)))
    result = []
    for frame in frames:
        large = cv2.resize(frame, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4).astype(np.float32)
        strong = large + amount * rng.uniform(0.85, 1.15) * (large - cv2.GaussianBlur(large, (0, 0), 2 * radius))
        result.append(cv2.resize(np.clip(strong, 0, 255).astype(np.uint8), (width, height), interpolation=cv2.INTER_AREA))
    return result, {"amount": amount, "radius": radius}


def face_swap(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The victim's face laid, triangle by triangle, over three real frames of another living person (the forger)."""
    frames = []
    for picture, face in zip(scene.driver_frames, scene.driver):
        warped, inside = face_of.piecewise(scene.image, scene.face.flat, face.flat, picture)
        hull = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillConvexPoly(hull, cv2.convexHull(face.flat.astype(np.int32)), 255)
        mask = cv2.erode(hull & (255 * inside), np.ones((3, 3)), iterations=max(1, int(0.04 * face.across)))
        tone = _toned(warped, picture, mask)
        if force == 2:
            x, y, w, h = cv2.boundingRect(mask)
            frames.append(cv2.seamlessClone(tone, picture, mask, (x + w // 2, y + h // 2), cv2.NORMAL_CLONE))
        else:
            soft = cv2.GaussianBlur(mask, (0, 0), 0.04 * face.across).astype(np.float32)[..., None] / 255
            frames.append(_between(picture, tone, soft))
    return frames, {}


def _toned(source: npt.NDArray[np.uint8], target: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Source with the colours' mean and spread that target has under the mask."""
    own, its = source[mask > 0].astype(np.float32), target[mask > 0].astype(np.float32)
    result = (source - own.mean(0)) * np.clip(its.std(0) / np.maximum(own.std(0), 4), 0.6, 1.6) + its.mean(0)
    return np.clip(result, 0, 255).astype(np.uint8)


def refilmed(rng: np.random.Generator, scene: face_of.Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """The still, sharp and enlarged, on a plane before a fully modelled camera in a hand: every frame is a true exposure of it."""
    height, width = scene.image.shape[:2]
    clean = denoised(rng, scene.image)
    large = cv2.resize(clean, None, fx=2, fy=2, interpolation=cv2.INTER_LANCZOS4)
    light = camera_model.light_of(large) * rng.uniform(0.8, 1.1) + rng.uniform(0, 0.02)
    camera = camera_model.draw(rng, rng.uniform(0.1, 0.8))
    centre, focal = np.array([width, height]) / 2, 1.1 * width
    tilts, shifts = [path(rng, rng.uniform(0.2, 1.2)) for _ in range(3)], [path(rng, rng.uniform(0.5, 5)) for _ in range(2)]
    base, frames = rng.normal(0, 3, 2), []
    for k in range(3):
        turn = cv2.Rodrigues(np.radians([base[0] + tilts[0][k], base[1] + tilts[1][k], tilts[2][k]]))[0]
        lens = np.array([[focal, 0, centre[0] + shifts[0][k]], [0, focal, centre[1] + shifts[1][k]], [0, 0, 1]])
        plane = np.column_stack([turn[:, 0], turn[:, 1], [0, 0, focal * 0.96]])
        matrix = lens @ plane @ np.array([[0.5, 0, -centre[0]], [0, 0.5, -centre[1]], [0, 0, 1]])
        seen = cv2.warpPerspective(light, matrix, (width, height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT_101)
        frames.append(camera_model.expose(rng, camera, seen, 1 + rng.normal(0, 0.01), rng.normal(0, 0.003), rng.normal(0, 0.7, 2)))
    return frames, {"electrons": camera.electrons}
