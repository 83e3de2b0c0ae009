"""Procedural surfaces: security printing under documents, and the tables, cloths and papers they lie on.

All pictures are uint8 RGB arrays.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from .content import pick


def smooth_field(rng: np.random.Generator, size: tuple[int, int], cells: int) -> npt.NDArray[np.float32]:
    """Smooth noise in 0..1 of size (width, height) with about that many cells along the width."""
    rows = max(2, round(cells * size[1] / size[0]) + 1)
    coarse = rng.random((rows, cells + 1), dtype=np.float32)
    return np.clip(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), 0, 1)


def blend(rng: np.random.Generator, size: tuple[int, int], colours: Sequence[tuple[int, ...]], cells: int = 2) -> npt.NDArray[np.uint8]:
    """A smooth rainbow of the given colours over size (width, height)."""
    stops = np.array(colours, np.float32)
    # So smooth a picture is drawn small and enlarged.
    small = (max(2, size[0] // 6), max(2, size[1] // 6)) if min(size) > 120 else size
    position = smooth_field(rng, small, cells) * (len(stops) - 1)
    low = np.minimum(position.astype(int), len(stops) - 2)
    share = (position - low)[..., None]
    mixed = (stops[low] * (1 - share) + stops[low + 1] * share).astype(np.uint8)
    return mixed if small is size else cv2.resize(mixed, size, interpolation=cv2.INTER_LINEAR)


def pastel(rng: np.random.Generator, low: int = 190) -> tuple[int, ...]:
    """A light colour."""
    return tuple(int(v) for v in rng.integers(low, 256, 3))


def _curves(rng: np.random.Generator, size: tuple[int, int], count: int) -> Iterator[npt.NDArray[np.int32]]:
    """Families of waves that interleave, as guilloche machines draw them; yields integer polylines in 1/8 pixel."""
    width, height = size
    along = np.linspace(-0.1, 1.1, 90)
    waves, swing = rng.uniform(1, 9), rng.uniform(0.02, 0.25) * height
    second, drift = rng.uniform(3, 25), rng.uniform(0, 0.08) * height
    angle = rng.uniform(-0.5, 0.5) if rng.random() < 0.7 else rng.uniform(0, np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    for k in range(count):
        phase = 2 * np.pi * k / count
        y = (k / count * 1.6 - 0.3) * height + swing * np.sin(2 * np.pi * waves * along + phase)
        y += drift * np.sin(2 * np.pi * second * along + 3 * phase)
        points = np.stack([(along - 0.5) * width * 1.4, y - height / 2], 1) @ turn.T + [width / 2, height / 2]
        yield np.round(points * 8).astype(np.int32)


def _rosette(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.int32]:
    """One hypotrochoid at a random place."""
    width, height = size
    turns, lobes = int(rng.integers(5, 30)), rng.uniform(0.2, 0.9)
    t = np.linspace(0, 2 * np.pi, 900)
    radius = rng.uniform(0.08, 0.45) * height
    r = radius * (1 - lobes / 2 + lobes / 2 * np.cos(turns * t))
    centre = np.array([rng.uniform(0, width), rng.uniform(0, height)])
    points = np.stack([r * np.cos(t * int(rng.integers(1, 4))), r * np.sin(t)], 1) + centre
    return np.round(points * 8).astype(np.int32)


def _microtext(rng: np.random.Generator, image: npt.NDArray[np.uint8], scale: float) -> None:
    """Rows of letters too small to read: texture, not a labelled line."""
    for _ in range(int(rng.integers(1, 5))):
        y = int(rng.uniform(0, image.shape[0]))
        colour = tuple(int(v) for v in rng.integers(120, 210, 3))
        cv2.putText(image, "BAWAB" * 80, (0, y), cv2.FONT_HERSHEY_PLAIN, max(0.25, scale / 30), colour, 1, cv2.LINE_AA)


def security(
    rng: np.random.Generator, size: tuple[int, int], scale: float, colours: Sequence[tuple[int, ...]] | None = None
) -> npt.NDArray[np.uint8]:
    """Security paper of size (width, height) pixels at scale pixels per millimetre, of colours where they are given."""
    low = int(rng.integers(150, 235))
    image = blend(rng, size, colours or [pastel(rng, low) for _ in range(int(rng.integers(2, 5)))])
    layer = image.copy()
    for _ in range(int(rng.integers(1, 4))):
        colour = tuple(int(v) for v in rng.integers(60, 215, 3))
        cv2.polylines(layer, list(_curves(rng, size, int(rng.integers(15, 70)))), False, colour, 1, cv2.LINE_AA, 3)
    for _ in range(int(rng.integers(0, 4))):
        colour = tuple(int(v) for v in rng.integers(60, 215, 3))
        cv2.polylines(layer, [_rosette(rng, size)], True, colour, 1, cv2.LINE_AA, 3)
    if rng.random() < 0.5:
        _microtext(rng, layer, scale)
    if rng.random() < 0.6:
        emblem(rng, layer, (rng.uniform(0.2, 0.8) * size[0], rng.uniform(0.2, 0.8) * size[1]), rng.uniform(0.1, 0.4) * size[1])
    return cv2.addWeighted(image, 1 - (share := rng.uniform(0.15, 0.7)), layer, share, 0)


def emblem(
    rng: np.random.Generator, image: npt.NDArray[np.uint8], centre: tuple[float, float], radius: float,
    colour: tuple[int, ...] | None = None,
) -> None:
    """Draw a heraldic-looking blob: a ring, wings or a star, in place."""
    colour = colour or tuple(int(v) for v in rng.integers(80, 220, 3))
    points = int(rng.integers(4, 14))
    t = np.arange(2 * points) * np.pi / points
    reach = np.where(np.arange(2 * points) % 2, rng.uniform(0.3, 0.8), 1) * rng.uniform(0.6, 1, 2 * points) * radius
    star = np.stack([centre[0] + reach * np.cos(t), centre[1] + reach * np.sin(t)], 1)
    cv2.fillPoly(image, [np.round(star * 8).astype(np.int32)], colour, cv2.LINE_AA, 3)
    place = (int(centre[0]), int(centre[1]))
    cv2.circle(image, place, int(radius * 1.1), colour, max(1, int(radius * 0.06)), cv2.LINE_AA)
    cv2.circle(image, place, int(radius * 0.4), pastel(rng), max(1, int(radius * 0.1)), cv2.LINE_AA)


def _wood(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    field = smooth_field(rng, size, 3) * 6 + np.linspace(0, rng.uniform(4, 30), size[1], dtype=np.float32)[:, None]
    grain = 0.5 + 0.5 * np.sin(field * 2 * np.pi) * smooth_field(rng, size, 40)
    dark, light = rng.integers(20, 120, 3), rng.integers(100, 220, 3)
    return (dark + (light - dark) * grain[..., None]).astype(np.uint8)


def _weave(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    period, angle = rng.uniform(2.5, 14), rng.uniform(0, np.pi)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    wave = np.sin(u * 2 * np.pi / period)
    if rng.random() < 0.6:
        wave = wave * np.sin(v * 2 * np.pi / (period * rng.uniform(0.7, 3)))
    base, swing = rng.integers(20, 230, 3), rng.uniform(5, 70)
    return np.clip(base + (wave * swing)[..., None], 0, 255).astype(np.uint8)


def _marble(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    veins = sum(np.abs(smooth_field(rng, size, 4 * 2**k) - 0.5) / 2**k for k in range(4))
    colours = np.array([rng.integers(0, 256, 3), rng.integers(120, 256, 3)], np.float32)
    share = np.clip(veins * rng.uniform(1.5, 5), 0, 1)[..., None]
    return (colours[0] * (1 - share) + colours[1] * share).astype(np.uint8)


def _plain(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    return blend(rng, size, [tuple(rng.integers(0, 256, 3)), tuple(rng.integers(0, 256, 3))], 1)


def _patches(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    image = blend(rng, size, [tuple(rng.integers(0, 256, 3)) for _ in range(3)])
    for _ in range(int(rng.integers(4, 30))):
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        centre = (int(rng.uniform(0, size[0])), int(rng.uniform(0, size[1])))
        radii = (int(rng.uniform(2, size[0] / 4)), int(rng.uniform(2, size[0] / 6)))
        if rng.random() < 0.5:
            cv2.ellipse(image, centre, radii, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((centre, (2.0 * radii[0], 2.0 * radii[1]), float(rng.uniform(0, 180))))
            cv2.fillPoly(image, [box.astype(np.int32)], colour, cv2.LINE_AA)
    return image


def _stripes(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """Regular bars at any angle, in groups: what a zone of text looks like from afar."""
    image = _plain(rng, size)
    for _ in range(int(rng.integers(1, 4))):
        direction = rng.uniform(0, np.pi)
        along = np.array([np.cos(direction), np.sin(direction)]) * rng.uniform(30, 300)
        step = np.array([-np.sin(direction), np.cos(direction)]) * rng.uniform(4, 30)
        start = rng.uniform(0, 1, 2) * size
        colour, thick = tuple(int(v) for v in rng.integers(0, 256, 3)), int(rng.integers(1, 7))
        for k in range(int(rng.integers(2, 25))):
            a, b = start + k * step, start + k * step + along
            cv2.line(image, tuple(a.astype(int).tolist()), tuple(b.astype(int).tolist()), colour, thick, cv2.LINE_AA)
    return image


def table(rng: np.random.Generator, size: tuple[int, int], held_out: bool = False) -> npt.NDArray[np.uint8]:
    """A background of size (width, height); the held-out share is for test pictures. Of its two textures the weave trains, too."""
    makers = [_marble, _weave] if held_out else [_wood, _plain, _patches, _weave, _stripes, _plain]
    image = pick(rng, makers)(rng, size)
    # Things that documents lie on are rarely as gaudy as random colours.
    grey, dull = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)[..., None], rng.uniform(0.3, 1)
    image = (image * (1 - dull) + grey * dull).astype(np.uint8)
    if rng.random() < 0.6:
        light = smooth_field(rng, size, 3)[..., None] * rng.uniform(0, 0.6) + rng.uniform(0.4, 0.9)
        image = np.clip(image * light, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        grain = rng.standard_normal(size[::-1]).astype(np.float32) * rng.uniform(2, 18)
        grain = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.4, 1.5))
        image = np.clip(image + grain[..., None], 0, 255).astype(np.uint8)
    return image
