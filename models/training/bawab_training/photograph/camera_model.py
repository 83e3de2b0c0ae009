"""A digital camera from light to JPEG: lens, exposure, colour mosaic, sensor noise, image processor, coder.

Pictures are RGB uint8; light is linear RGB float32 in 0..1. Every call draws its own noise, so two frames of one scene share
the camera but no grain. It shares no code with recapture.py, recapture_unseen.py and degrade.py.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

_BAYER = ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2))  # row, column, channel of an RGGB cell
_FULL = 1023  # ten bits


@dataclass(frozen=True)
class Camera:
    """What stays the same in all frames of a burst. Sigmas are in pixels of the sensor, noise in parts of full scale."""

    electrons: float = 4000.0  # full well: the fewer, the stronger the shot noise
    read: float = 0.004
    pattern: float = 0.004  # gain differences of the pixels
    defocus: float = 0.5
    vignette: float = 0.15
    radial: float = 0.0  # distortion of the lens
    fringe: float = 0.0  # lateral colour, in parts of the radius
    warmth: float = 0.0  # colour temperature of the light, positive is warm
    chroma: float = 1.5  # smoothing of colour by the processor
    smooth: float = 0.3  # share of the denoised luma
    sharpen: float = 0.5
    saturation: float = 1.0
    contrast: float = 0.0
    quality: int = 88
    subsampling: int = 2
    seed: int = 0  # of the pattern


def draw(rng: np.random.Generator, level: float | None = None) -> Camera:
    """A camera between a good one (level 0) and a poor one in poor light (level 1)."""
    level = rng.uniform(0, 1) if level is None else level
    return Camera(
        electrons=float(12000 * 0.05 ** (level * rng.uniform(0.7, 1.1))), read=float(0.0015 + 0.01 * level * rng.uniform(0.3, 1)),
        pattern=float(rng.uniform(0.001, 0.006)), defocus=float(rng.uniform(0.35, 0.6 + 0.5 * level)), vignette=float(rng.uniform(0, 0.3)),
        radial=float(rng.uniform(-0.03, 0.02)), fringe=float(rng.uniform(0, 0.0012)), warmth=float(rng.normal(0, 0.06)),
        chroma=float(rng.uniform(0.8, 2.0 + 1.5 * level)), smooth=float(rng.uniform(0, 0.35 + 0.45 * level)),
        sharpen=float(rng.uniform(0.1, 0.9)), saturation=float(rng.uniform(0.85, 1.15)), contrast=float(rng.uniform(-0.05, 0.12)),
        quality=int(rng.integers(70, 96)), subsampling=int(rng.choice((0, 2, 2))), seed=int(rng.integers(1 << 30)))


def light_of(picture: np.ndarray) -> npt.NDArray[np.float32]:
    """Linear light of an sRGB picture."""
    value = picture.astype(np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def picture_of(light: np.ndarray) -> npt.NDArray[np.float32]:
    """sRGB values 0..255, float, of linear light."""
    value = np.clip(light, 0, 1)
    return 255 * np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055).astype(np.float32)


def _lens(light: np.ndarray, camera: Camera) -> np.ndarray:
    """Distortion, lateral colour, vignette and defocus."""
    height, width = light.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x - width / 2) / (width / 2), (y - height / 2) / (width / 2)
    radius = x * x + y * y
    result = light
    if camera.radial or camera.fringe:
        planes = []
        for channel, shift in enumerate((camera.fringe, 0.0, -camera.fringe)):
            k = 1 + camera.radial * radius + shift
            at = (x * k + 1) * width / 2, y * k * width / 2 + height / 2
            planes.append(cv2.remap(np.ascontiguousarray(light[..., channel]), *at, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))
        result = np.dstack(planes)
    result = result * (1 - camera.vignette * radius / radius.max())[..., None]
    return cv2.GaussianBlur(result, (0, 0), camera.defocus) if camera.defocus > 0.05 else result


def motion_blur(light: np.ndarray, dx: float, dy: float) -> np.ndarray:
    """Light smeared along a straight way during the exposure."""
    length = float(np.hypot(dx, dy))
    if length < 0.3:
        return light
    steps = max(3, int(np.ceil(2 * length)) | 1)
    size = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((size, size), np.float32)
    for part in np.linspace(-0.5, 0.5, steps):
        cx, cy = size // 2 + part * dx, size // 2 + part * dy
        x, y = int(np.floor(cx)), int(np.floor(cy))
        for i, wy in ((y, 1 - cy + y), (y + 1, cy - y)):
            for j, wx in ((x, 1 - cx + x), (x + 1, cx - x)):
                kernel[i, j] += wx * wy
    return cv2.filter2D(light, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def _sensor(rng: np.random.Generator, light: np.ndarray, camera: Camera, gains: tuple[float, float, float]) -> npt.NDArray[np.uint16]:
    """The mosaic's raw values, ten bits."""
    height, width = light.shape[:2]
    raw = np.empty((height, width), np.float32)
    for row, column, channel in _BAYER:
        raw[row::2, column::2] = light[row::2, column::2, channel] / gains[channel]
    fixed = np.random.default_rng(camera.seed).standard_normal((height, width), dtype=np.float32)
    raw = np.clip(raw * (1 + camera.pattern * fixed), 0, 1)
    variance = raw / camera.electrons + camera.read**2
    raw = raw + np.sqrt(variance) * rng.standard_normal((height, width), dtype=np.float32)
    return np.clip(np.round(raw * (_FULL - 64) + 64), 0, _FULL).astype(np.uint16)


def _process(raw: npt.NDArray[np.uint16], camera: Camera, gains: tuple[float, float, float]) -> np.ndarray:
    """Demosaicing, white balance, tone, denoising and sharpening: RGB float 0..255."""
    rgb = cv2.cvtColor(raw, cv2.COLOR_BayerRGGB2RGB).astype(np.float32)
    rgb = np.clip((rgb - 64) / (_FULL - 64), 0, 1) * np.asarray(gains, np.float32)
    tone = picture_of(rgb) / 255
    tone = tone + camera.contrast * (tone - 0.5) * (1 - np.abs(2 * tone - 1))
    ycc = cv2.cvtColor(np.clip(tone, 0, 1), cv2.COLOR_RGB2YCrCb)
    luma, colour = ycc[..., 0], (cv2.GaussianBlur(ycc[..., 1:], (0, 0), camera.chroma) - 0.5) * camera.saturation + 0.5
    if camera.smooth > 0.02:
        luma = (1 - camera.smooth) * luma + camera.smooth * cv2.bilateralFilter(luma, 5, 0.06, 1.6)
    luma = luma + camera.sharpen * (luma - cv2.GaussianBlur(luma, (0, 0), 1.1))
    return 255 * np.clip(cv2.cvtColor(np.dstack([luma, colour]), cv2.COLOR_YCrCb2RGB), 0, 1)


def expose(
    rng: np.random.Generator, camera: Camera, light: np.ndarray, gain: float = 1.0, tint: float = 0.0,
    smear: Sequence[float] | np.ndarray = (0.0, 0.0),
) -> npt.NDArray[np.uint8]:
    """One frame of a scene: RGB uint8. gain is the exposure, tint the wander of the white balance, smear the motion blur in pixels."""
    height, width = light.shape[:2]
    light = np.pad(light, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")
    light = _lens(motion_blur(light, *smear), camera)
    warmth = camera.warmth + tint
    light = light * np.array([1 + warmth, 1, 1 - warmth], np.float32) * gain
    gains = (1.9, 1.0, 1.6)  # red and blue pixels see less: their noise is the stronger
    rgb = _process(_sensor(rng, light, camera, gains), camera, gains)
    return np.round(rgb[:height, :width]).astype(np.uint8)


def jpeg(picture: npt.NDArray[np.uint8], quality: int, subsampling: int = 2) -> bytes:
    """JPEG bytes of an RGB picture; subsampling 0 is 4:4:4, 1 is 4:2:2, 2 is 4:2:0."""
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=int(quality), subsampling=int(subsampling))
    return buffer.getvalue()


def decoded(code: bytes) -> npt.NDArray[np.uint8]:
    """RGB picture of JPEG bytes."""
    return np.asarray(Image.open(io.BytesIO(code)).convert("RGB"))
