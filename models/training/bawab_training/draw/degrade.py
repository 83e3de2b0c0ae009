"""Photometric degradations that a camera, a lamp and a printer bring to a document.

Every function takes a uint8 picture (grey H x W, or colour H x W x 3), whatever else it needs, and a
numpy Generator where chance is involved. It returns a new uint8 picture of the same shape and never
writes into its input. Geometry is nobody's business here: labels stay valid.
"""

import cv2
import numpy as np
import numpy.typing as npt


def _broadcast(field: np.ndarray, image: npt.NDArray[np.uint8]) -> np.ndarray:
    """Give an H x W field the channel axis of image where it has one."""
    return field[..., None] if image.ndim == 3 else field


def _to_bytes(values: np.ndarray) -> npt.NDArray[np.uint8]:
    return np.clip(values, 0, 255).astype(np.uint8)


def _grid(image: npt.NDArray[np.uint8]) -> tuple[int, int, int]:
    """(height, width, step): a smooth field over a large picture is computed at every step-th pixel and enlarged."""
    height, width = image.shape[:2]
    step = 4 if height * width > 400_000 else 1
    return -(-height // step), -(-width // step), step


def _enlarged(field: np.ndarray, image: npt.NDArray[np.uint8]) -> np.ndarray:
    if field.shape == image.shape[:2]:
        return field
    return cv2.resize(field, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)


def _lit(image: npt.NDArray[np.uint8], light: np.ndarray) -> npt.NDArray[np.uint8]:
    """The picture times an H x W field of about 0 to 2."""
    if image.size < 1_000_000:
        return _to_bytes(image * _broadcast(light, image))
    light = cv2.merge([light] * 3) if image.ndim == 3 else light
    return cv2.multiply(image, light, dtype=cv2.CV_8U)


def defocus(image: npt.NDArray[np.uint8], sigma: float) -> npt.NDArray[np.uint8]:
    """Blur with a Gaussian of sigma pixels."""
    if sigma < 0.2:
        return image.copy()
    return cv2.GaussianBlur(image, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)


def motion(image: npt.NDArray[np.uint8], length: float, angle: float) -> npt.NDArray[np.uint8]:
    """Smear along a straight path of length pixels at angle radians."""
    if length < 1.2:
        return image.copy()
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size, size), np.float32)
    centre = size / 2 - 0.5
    steps = np.linspace(-length / 2, length / 2, 4 * size)
    xs = np.clip(np.round(centre + steps * np.cos(angle)), 0, size - 1).astype(int)
    ys = np.clip(np.round(centre + steps * np.sin(angle)), 0, size - 1).astype(int)
    np.add.at(kernel, (ys, xs), 1)
    return cv2.filter2D(image, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def noise(image: npt.NDArray[np.uint8], sigma: float, rng: np.random.Generator, grain: float = 0) -> npt.NDArray[np.uint8]:
    """Add sensor noise of sigma grey levels; grain > 0 correlates it over that many pixels."""
    if sigma < 0.5:
        return image.copy()
    # Nothing that looks at a large picture sees all of it at once: one tile of noise serves everywhere.
    tile = (min(image.shape[0], 700), min(image.shape[1], 700), *image.shape[2:])
    field = rng.standard_normal(tile, dtype=np.float32)
    if grain > 0:
        field = cv2.GaussianBlur(field, (0, 0), grain)
        field /= max(float(field.std()), 1e-6)
    field *= np.float32(sigma)
    if tile == image.shape:
        return _to_bytes(image + field)
    noisy = np.empty_like(image)
    for top in range(0, image.shape[0], tile[0]):
        for left in range(0, image.shape[1], tile[1]):
            part = image[top : top + tile[0], left : left + tile[1]]
            patch = np.ascontiguousarray(field[: part.shape[0], : part.shape[1]])
            noisy[top : top + tile[0], left : left + tile[1]] = cv2.add(np.ascontiguousarray(part), patch, dtype=cv2.CV_8U)
    return noisy


def jpeg(image: npt.NDArray[np.uint8], quality: float) -> npt.NDArray[np.uint8]:
    """Encode and decode as JPEG at quality 1..100."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(quality)])
    flag = cv2.IMREAD_COLOR if image.ndim == 3 else cv2.IMREAD_GRAYSCALE
    return cv2.imdecode(data, flag)


def glare(image: npt.NDArray[np.uint8], strength: float, rng: np.random.Generator, spread: float | None = None) -> npt.NDArray[np.uint8]:
    """Lay one elliptical reflection on the picture.

    strength is the grey levels added at its centre (255 burns the print out); spread, the
    half-width as a share of the picture's longer side, is drawn from 0.04..0.25 when not given.
    """
    height, width, _ = _grid(image)
    longer = max(height, width)
    spread = spread or rng.uniform(0.04, 0.25)
    cx, cy = rng.uniform(0, width), rng.uniform(0, height)
    angle = rng.uniform(0, np.pi)
    long_axis = spread * longer
    short_axis = long_axis * rng.uniform(0.2, 1)
    ys = np.arange(height, dtype=np.float32)[:, None] - np.float32(cy)
    xs = np.arange(width, dtype=np.float32)[None] - np.float32(cx)
    along = (xs * np.cos(angle) + ys * np.sin(angle)) / long_axis
    across = (ys * np.cos(angle) - xs * np.sin(angle)) / short_axis
    field = np.exp(-((along**2 + across**2) ** rng.uniform(0.8, 2.5)).astype(np.float32))
    if field.shape == image.shape[:2]:
        return _to_bytes(image + _broadcast(field * np.float32(strength), image))
    glow = _enlarged(_to_bytes(field * np.float32(strength)), image)
    return cv2.add(image, cv2.merge([glow] * 3) if image.ndim == 3 else glow)


def shadow(image: npt.NDArray[np.uint8], depth: float, rng: np.random.Generator, softness: float | None = None) -> npt.NDArray[np.uint8]:
    """Darken one side of a random straight edge; depth 0..1 is the share of light taken away.

    softness is the half-width of the edge in pixels (drawn from 1..8 % of the longer side when
    not given).
    """
    height, width, step = _grid(image)
    longer = max(height, width)
    softness = softness / step if softness else longer * rng.uniform(0.01, 0.08)
    angle = rng.uniform(0, 2 * np.pi)
    cx, cy = rng.uniform(0, width), rng.uniform(0, height)
    ys = np.arange(height, dtype=np.float32)[:, None] - np.float32(cy)
    xs = np.arange(width, dtype=np.float32)[None] - np.float32(cx)
    side = (xs * np.cos(angle) + ys * np.sin(angle)) / softness
    light = 1 - depth * (0.5 + 0.5 * np.tanh(side))
    return _lit(image, _enlarged(light.astype(np.float32), image))


def uneven_light(image: npt.NDArray[np.uint8], amount: float, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Multiply by a smooth random light field; amount 0..1 is its peak deviation from one."""
    height, width = image.shape[:2]
    coarse = rng.uniform(-1, 1, (3, 4)).astype(np.float32)
    field = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)
    return _lit(image, 1 + amount * field)


def contrast(image: npt.NDArray[np.uint8], gain: float, offset: float = 0.0, gamma: float = 1.0) -> npt.NDArray[np.uint8]:
    """Scale about middle grey by gain, add offset grey levels, then apply gamma: by one table."""
    levels = np.clip((np.arange(256) - 127.5) * gain + 127.5 + offset, 0, 255) / 255
    table = _to_bytes(255 * levels**gamma)
    return cv2.LUT(image, table)


def ink_weight(image: npt.NDArray[np.uint8], pixels: float) -> npt.NDArray[np.uint8]:
    """Make dark strokes pixels heavier (or, below zero, lighter) in width.

    A pixel of the local minimum (maximum) is blended in for the fraction, so that the weight is
    continuous. Apply it to the clean print, before any blur.
    """
    size = abs(pixels)
    if size < 0.05:
        return image.copy()
    operation = cv2.erode if pixels > 0 else cv2.dilate
    kernel = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
    whole = int(size)
    below = operation(image, kernel, iterations=whole) if whole else image
    above = operation(below, kernel)
    return cv2.addWeighted(below, 1 - (size - whole), above, size - whole, 0)


def sharpen(image: npt.NDArray[np.uint8], amount: float) -> npt.NDArray[np.uint8]:
    """Unsharp masking as phone cameras do it; amount about 0..1.5."""
    soft = cv2.GaussianBlur(image, (0, 0), 1.2)
    return cv2.addWeighted(image, 1 + amount, soft, -amount, 0)


def resolution(image: npt.NDArray[np.uint8], factor: float) -> npt.NDArray[np.uint8]:
    """Lose detail by going down to factor (0..1) of the size and back up."""
    if factor >= 1:
        return image.copy()
    height, width = image.shape[:2]
    small = (max(2, round(width * factor)), max(2, round(height * factor)))
    reduced = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
    return cv2.resize(reduced, (width, height), interpolation=cv2.INTER_LINEAR)
