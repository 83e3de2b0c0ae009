"""Screens and prints by a third way of modelling, for training: cells of sub-pixels as pictures, and a printer's bitmap.

Where recapture.py describes a display by formulas, here its cell (two by two pixels) is drawn once, finely, averaged over what one sample
of the sensor covers, and looked up; programs zoom what they show, panels have a matte pane, six bits a colour, pulses. A print is a bitmap of
one or three drops a dot, by scattered thresholds or clustered cells, on matte or glossy stock, some with bands of the print head. The genuine card has a surface, too: grain of
laminate, fibres of paper, scratches, so that these tell nothing by themselves. The makers have the form of those in recapture.py.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..draw.content import pick
from .recapture import CARD_MM, First, Shot, _first, _inked, _lamp, _paper, _reduced, _separations, content, grains, linear, places

CELL = 64  # samples a side of a drawn cell, which is two by two display pixels
PANELS = ("stripe", "chevron", "split", "diamond", "white")


def _grain(rng: np.random.Generator, shape: tuple[int, int], scale: float, amount: float) -> npt.NDArray[np.float32]:
    """A field about 1 whose grains are scale samples wide."""
    small = (max(2, int(shape[0] / scale)), max(2, int(shape[1] / scale)))
    field = cv2.resize(rng.standard_normal(small, dtype=np.float32), (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return (1 + np.float32(amount) * field)[..., None]


def _bar(cell: np.ndarray, channel: int, left: float, right: float, top: float, bottom: float, lean: float = 0.0) -> None:
    """Light up a parallelogram of a cell in one colour; all in display pixels, periodic."""
    unit = CELL // 2
    ys = np.arange(int(top * unit), int(bottom * unit))
    for y in ys:
        shift = lean * (y / unit - (top + bottom) / 2)
        xs = np.arange(int((left + shift) * unit), int((right + shift) * unit))
        cell[y % CELL, xs % CELL, channel] = 1


def _dot(cell: np.ndarray, channel: int, x: float, y: float, radius: float, square: bool) -> None:
    """Light up a disc, or a diamond, of a cell in one colour."""
    yy, xx = (np.mgrid[0:CELL, 0:CELL] + 0.5) / (CELL // 2)
    dx, dy = np.abs((xx - x + 1) % 2 - 1), np.abs((yy - y + 1) % 2 - 1)
    cell[..., channel][(dx + dy if square else np.hypot(dx, dy)) < radius] = 1


def cell(rng: np.random.Generator, panel: str) -> np.ndarray:
    """One cell of a panel's lattice: CELL x CELL x 3, of mean 1 in each colour."""
    out = np.zeros((CELL, CELL, 3), np.float32)
    gap, low = rng.uniform(0.03, 0.14), rng.uniform(0.03, 0.2)
    if panel == "diamond":
        square, radius = rng.random() < 0.5, rng.uniform(0.2, 0.42)
        for x, y in ((0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.5, 1.5)):
            _dot(out, 1, x, y, radius * 0.8, square)
        for x, y, channel in ((0, 0, 0), (1, 1, 0), (1, 0, 2), (0, 1, 2)):
            _dot(out, channel, x, y, radius * rng.uniform(0.9, 1.2), square)
    else:
        order = (2, 1, 0) if rng.random() < 0.25 else (0, 1, 2)
        lean = rng.uniform(0.15, 0.5) if panel == "chevron" else 0.0
        count = 4 if panel == "white" else 3
        for row in (0, 1):
            for column in (0, 1):
                for place in range(count):
                    left, right = column + place / count + gap / 2, column + (place + 1) / count - gap / 2
                    rows = ((row + low / 2, row + 0.5 - low / 4), (row + 0.5 + low / 4, row + 1 - low / 2)) if panel == "split" else ((row + low / 2, row + 1 - low / 2),)
                    for top, bottom in rows:
                        for channel in (order[place],) if place < 3 else (0, 1, 2):
                            _bar(out, channel, left, right, top, bottom, lean * (1 - 2 * row))
    if rng.random() < 0.15:
        out = np.ascontiguousarray(out.transpose(1, 0, 2))
    return out / out.mean((0, 1))


def _averaged(lattice: np.ndarray, footprint: float) -> npt.NDArray[np.float32]:
    """The lattice as a sample sees it that covers footprint display pixels a side, in linear light."""
    side = max(1, int(round(footprint * CELL / 2)))
    spread = np.fft.fft2(lattice, axes=(0, 1))
    box = np.zeros(CELL)
    np.add.at(box, np.arange(side) % CELL, 1 / side)
    shift = np.fft.fft(box)
    shift = np.abs(shift) * np.sign(np.real(shift * np.exp(2j * np.pi * np.fft.fftfreq(CELL) * (side - 1) / 2)) + 1e-12)
    return np.real(np.fft.ifft2(spread * (shift[:, None] * shift[None])[..., None], axes=(0, 1))).astype(np.float32)


def _shown(rng: np.random.Generator, card: npt.NDArray[np.uint8], pitch: float, first: First) -> npt.NDArray[np.uint8]:
    """What a program shows of the stolen picture: zoomed, sharpened, with the display's own rendering of colours."""
    picture = first(rng, card, pitch * rng.uniform(0.5, 1.6) if rng.random() < 0.6 else pitch)
    size = (max(2, int(pitch)), max(2, int(pitch * picture.shape[0] / picture.shape[1])))
    picture = cv2.resize(picture, size, interpolation=pick(rng, (cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)))
    if rng.random() < 0.4:
        picture = cv2.addWeighted(picture, 1.5, cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 2)), -0.5, 0)
    if rng.random() < 0.5:  # "vivid"
        grey = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        more = rng.uniform(0.05, 0.4)
        picture = cv2.addWeighted(picture, 1 + more, grey, -more, 0)
    if rng.random() < 0.2:  # six bits a colour and dithering
        noise = rng.integers(0, 4, picture.shape[:2], dtype=np.uint8)[..., None]
        picture = cv2.add(picture, np.repeat(noise, 3, 2)) & 0xFC
    return picture


def screen_cells(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    first: First = _first,
) -> np.ndarray:
    """A panel as it is built: its lattice of cells, zoomed content, a matte or a glossy pane, dimming, uneven light."""
    pitch = np.exp(rng.uniform(np.log(380), np.log(1700)))
    shown = _shown(rng, card, pitch, first)
    u, v = places(s, shape)
    scale = np.float32(pitch / s.width)
    turn = rng.choice([0.0, rng.normal(0, 0.03)])
    c, n = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    u, v = (c * u - n * v) * scale + np.float32(rng.random() * 2), (n * u + c * v) * scale + np.float32(rng.random() * 2)
    gamma, black = rng.uniform(1.9, 2.5), rng.uniform(0.0, 0.03)
    tint = np.array([rng.uniform(0.8, 1.05), 1, rng.uniform(0.95, 1.3)], np.float32)
    light = np.power(np.arange(256, dtype=np.float32) / 255, np.float32(gamma))[content(shown, middle, np.floor(u), np.floor(v), pitch, cv2.INTER_NEAREST)]
    lattice = _averaged(cell(rng, pick(rng, PANELS)), pitch / s.width / s.fine)
    wrapped = np.pad(lattice, ((0, 1), (0, 1), (0, 0)), mode="wrap")
    masks = cv2.remap(wrapped, (u % 2) * np.float32(CELL / 2), (v % 2) * np.float32(CELL / 2), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    out = (light * np.float32(1 - black) + np.float32(black)) * np.maximum(masks, 0) * tint
    if rng.random() < 0.4:  # a matte pane sparkles
        out = out * _grain(rng, shape, s.fine * rng.uniform(0.6, 1.5), rng.uniform(0.02, 0.12))
    if rng.random() < 0.3:  # dimming in pulses under a rolling shutter
        period, depth = rng.uniform(20, 800) * s.fine, rng.uniform(0.02, 0.25)
        out = out * (1 + depth * np.sin(np.arange(shape[0], dtype=np.float32) * np.float32(2 * np.pi / period) + rng.uniform(0, 6)))[:, None, None]
    return _lamp(s, out).astype(np.float32) + np.float32(rng.uniform(0, 0.06) * rng.random())


def _levels(rng: np.random.Generator, shares: np.ndarray, levels: int, clustered: bool) -> np.ndarray:
    """Dots of 1..levels drops, by clustered or by scattered thresholds: shares H x W x 4."""
    out = np.empty_like(shares)
    for index in range(shares.shape[2]):
        value = shares[..., index]
        if clustered:
            k = int(rng.integers(3, 8))
            yy, xx = np.mgrid[0:k, 0:k] - (k - 1) / 2
            ranks = np.argsort(np.argsort((np.hypot(xx, yy * rng.uniform(0.7, 1.3)) + 0.01 * rng.random((k, k))).ravel()))
            tile, shift = ((ranks + 0.5) / (k * k)).reshape(k, k), int(rng.integers(0, k))
            rows, columns = np.arange(value.shape[0])[:, None], np.arange(value.shape[1])[None]
            threshold = tile[(rows + columns // k * shift) % k, (columns + rows // k * shift) % k].astype(np.float32)
        else:
            tile = np.roll(grains(rng, 64), tuple(rng.integers(0, 64, 2)), (0, 1))
            threshold = np.tile(tile, (value.shape[0] // 64 + 1, value.shape[1] // 64 + 1))[: value.shape[0], : value.shape[1]]
        out[..., index] = np.minimum(np.floor(value * levels + threshold), levels) / levels
    return out


def print_bitmap(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    black_only: bool = False, first: First = _first,
) -> np.ndarray:
    """A printer's bitmap of 300 to 1,200 dots an inch on matte or glossy stock; some printers have drops of several sizes."""
    dpi = np.exp(rng.uniform(np.log(300), np.log(1200)))
    dots = dpi / 25.4 * CARD_MM
    reduced = _reduced(first(rng, card, rng.uniform(600, 1400)), dots)
    u, v = places(s, shape)
    ratio = np.float32(dots / s.width)
    turn = rng.normal(0, 0.02)
    c, n = np.float32(np.cos(turn) * ratio), np.float32(np.sin(turn) * ratio)
    u, v = c * u - n * v, n * u + c * v
    reach = int(np.ceil(max(np.abs(u).max(), np.abs(v).max()))) + 4
    grid = np.arange(-reach, reach, dtype=np.float32)
    gu, gv = np.meshgrid(grid, grid)
    shares = np.clip(_separations(content(reduced, middle, gu, gv, dots), rng, black_only), 0, 1)
    shares = shares ** np.float32(rng.uniform(0.8, 1.2))
    photo = rng.random() < 0.35
    drops = _levels(rng, shares, int(pick(rng, (1, 1, 3))) if not photo else 3, not photo and rng.random() < 0.55)
    if rng.random() < 0.3:
        drops = drops * (1 + rng.uniform(0.03, 0.15) * np.sin(grid * 2 * np.pi / rng.uniform(8, 120)))[:, None, None].astype(np.float32)
    # What a sample covers of the bitmap, and how the ink spreads.
    drops = cv2.GaussianBlur(drops, (0, 0), float(np.hypot(rng.uniform(0.3, 0.8), 0.4 * ratio / s.fine)))
    shares = cv2.remap(drops, u + reach, v + reach, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    light = _inked(np.clip(shares * rng.uniform(1, 1.2), 0, 1), rng)
    stock = 1 if photo else _paper(rng, shape, s.width / CARD_MM * s.fine)
    return _lamp(s, (light * stock).astype(np.float32)) + np.float32(rng.uniform(0, 0.05) * rng.random())


def genuine_surface(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int]
) -> np.ndarray:
    """The card itself, with the surface that it has: laminate, woven or fibrous paper, scratches, gloss."""
    u, v = places(s, shape)
    light = linear(content(_reduced(card, s.width), middle, u, v, s.width))
    kind = rng.random()
    if kind < 0.3:
        light = light * _paper(rng, shape, s.width / CARD_MM * s.fine)
    elif kind < 0.6:
        light = light * _grain(rng, shape, s.fine * rng.uniform(0.6, 4), rng.uniform(0.005, 0.05))
    elif kind < 0.75:  # laminate pressed from a cloth
        period = np.float32(2 * np.pi / (rng.uniform(0.15, 0.8) * s.width / CARD_MM))
        turn = rng.uniform(0, np.pi)
        a, b = np.float32(np.cos(turn)) * u + np.float32(np.sin(turn)) * v, np.float32(np.cos(turn)) * v - np.float32(np.sin(turn)) * u
        light = light * (1 + np.float32(rng.uniform(0.003, 0.02)) * np.cos(period * a) * np.cos(period * b))[..., None]
    if rng.random() < 0.3:
        scratches = np.zeros(shape, np.float32)
        for _ in range(int(rng.integers(1, 12))):
            a, b = rng.integers(0, shape[1], 2), rng.integers(0, shape[0], 2)
            cv2.line(scratches, (int(a[0]), int(b[0])), (int(a[1]), int(b[1])), float(rng.uniform(-0.2, 0.3)), int(rng.integers(1, 3)))
        light = light * (1 + scratches)[..., None]
    return _lamp(s, np.maximum(light, 0).astype(np.float32)) + np.float32(rng.uniform(0, 0.06) * rng.random())
