"""Physically modelled recapture: a document shown by a screen or printed on paper, and photographed a second time.

A scene is light: float32 H x W x 3, linear, RGB, about 0..1, `fine` samples per pixel of the sensor. A Shot holds what
one photograph fixes for the genuine card and both attacks alike (where the camera stands, lens, sensor, tone, coding), so that
a network cannot tell them by the camera. Two cameras, two screens and two printers; a third of each is recapture_devices.py, and
another, which only tests use, recapture_unseen.py. In the makers of attacks, first is what the attacker does with the card before he shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

CARD_MM = 85.6  # width of a card
First = Callable[[np.random.Generator, npt.NDArray[np.uint8], float], npt.NDArray[np.uint8]]


def linear(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """uint8 sRGB to linear light."""
    table = np.power(np.arange(256, dtype=np.float32) / 255, 2.2)
    return table[picture]


@dataclass
class Shot:
    """The second photograph: geometry and camera, drawn once and used for every kind of scene.

    width is the card's width in pixels of the sensor, out the factor from the sensor to the delivered picture.
    """

    width: float
    out: float
    angle: float
    skew: np.ndarray
    fine: int
    camera: str
    blur: float
    noise: float
    sharpen: float
    smooth: float
    gains: np.ndarray
    exposure: float
    gamma: float
    curve: float
    quality: int
    motion: tuple[float, float]
    light: np.ndarray
    seed: int


def shot(rng: np.random.Generator, width: float | None = None) -> Shot:
    """Draw a Shot; width is the card's width in the delivered picture, log-uniform over what documents have when not given."""
    width = width or np.exp(rng.uniform(np.log(450), np.log(2400)))
    out = 1.0 if rng.random() < 0.5 else rng.uniform(0.55, 1.0)
    level = rng.random() ** 1.5
    return Shot(
        width=width / out, out=out, angle=rng.uniform(-np.pi, np.pi) if rng.random() < 0.2 else rng.normal(0, 0.12), skew=np.eye(2) + rng.normal(0, 0.06, (2, 2)), fine=3 if out > 0.8 else 2,
        camera=("mosaic", "plain")[int(rng.random() < 0.4)], blur=rng.uniform(0.35, 0.6 + 0.7 * level) / out, noise=rng.uniform(0.002, 0.012 + 0.03 * level),
        sharpen=rng.uniform(0, 1.3) if rng.random() < 0.5 else 0.0, smooth=rng.uniform(0.5, 1.5) if rng.random() < 0.4 else 0.0,
        gains=1 + rng.uniform(-0.12, 0.12, 3), exposure=rng.uniform(0.65, 1.15), gamma=rng.uniform(1.9, 2.5), curve=rng.uniform(0, 0.5),
        quality=int(rng.integers(55, 97)), motion=(rng.uniform(1, 1.5 + 2 * level), rng.uniform(0, np.pi)) if rng.random() < 0.25 else (0, 0),
        light=rng.uniform(-0.2, 0.2, 2), seed=int(rng.integers(2**31)),
    )


def places(s: Shot, shape: tuple[int, int]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Where the samples of a tile lie: x and y in sensor pixels about its middle, turned and skewed onto the card; shape is that of the fine grid."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    x, y = (x - shape[1] / 2) / s.fine, (y - shape[0] / 2) / s.fine
    turn = np.array([[np.cos(s.angle), -np.sin(s.angle)], [np.sin(s.angle), np.cos(s.angle)]]) @ s.skew
    turn = (turn / np.sqrt(abs(np.linalg.det(turn)))).astype(np.float32)
    return turn[0, 0] * x + turn[0, 1] * y, turn[1, 0] * x + turn[1, 1] * y


def content(
    card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, u: np.ndarray, v: np.ndarray, pitch: float,
    method: int = cv2.INTER_LINEAR,
) -> npt.NDArray[np.uint8]:
    """Sample card (uint8 RGB, its whole width) at (u, v) in units of which pitch make the width, about middle (share of width, height)."""
    factor = card.shape[1] / pitch
    x, y = u * np.float32(factor) + np.float32(middle[0] * card.shape[1]), v * np.float32(factor) + np.float32(middle[1] * card.shape[0])
    return cv2.remap(card, x, y, method, borderMode=cv2.BORDER_REFLECT_101)


def _reduced(card: npt.NDArray[np.uint8], pitch: float) -> npt.NDArray[np.uint8]:
    """The card no finer than pitch samples a width, so that sampling it does not alias."""
    if card.shape[1] <= 1.2 * pitch:
        return card
    return cv2.resize(card, (int(pitch), max(2, int(card.shape[0] * pitch / card.shape[1]))), interpolation=cv2.INTER_AREA)


def _lamp(s: Shot, scene: np.ndarray) -> np.ndarray:
    """Light that falls off across a tile."""
    height, width = scene.shape[:2]
    fall = 1 + s.light[0] * np.linspace(-0.5, 0.5, width, dtype=np.float32)[None] + s.light[1] * np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    return scene * fall[..., None].astype(np.float32)


def genuine(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int]
) -> np.ndarray:
    """The card itself under a lamp."""
    u, v = places(s, shape)
    return _lamp(s, linear(content(_reduced(card, s.width), middle, u, v, s.width)))


def _first(rng: np.random.Generator, card: npt.NDArray[np.uint8], pitch: float) -> npt.NDArray[np.uint8]:
    """What the attacker has of the card at pitch samples a width: a digital picture, or a first photograph with blur, noise, coding."""
    picture = _reduced(card, pitch)
    if picture.shape[1] < pitch:
        picture = cv2.resize(picture, (int(pitch), int(picture.shape[0] * pitch / picture.shape[1])), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.0))
        noise = rng.standard_normal((256, 256, 3), dtype=np.float32) * np.float32(rng.uniform(0.5, 6))
        tiles = (-(-picture.shape[0] // 256), -(-picture.shape[1] // 256), 1)
        picture = cv2.add(picture, np.tile(noise, tiles)[: picture.shape[0], : picture.shape[1]], dtype=cv2.CV_8U)
        _, code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 96))])
        picture = cv2.imdecode(code, cv2.IMREAD_COLOR)
    return picture


def _pulse(x: np.ndarray, centre: float, half: float, soft: float) -> np.ndarray:
    """1 within half of centre (period 1), with edges of width soft: the share of a sample that a bar covers."""
    distance = np.abs((x - np.float32(centre) + np.float32(0.5)) % 1 - np.float32(0.5))
    return np.clip((np.float32(half) - distance) / np.float32(soft) + np.float32(0.5), 0, 1)


@dataclass
class Screen:
    """A display: pixels per card width, layout of its sub-pixels, how much of each they fill, gamma, and what its glass reflects."""

    pitch: float
    layout: str
    fill: tuple[float, float]
    gamma: float
    black: float
    tint: np.ndarray
    flicker: tuple[float, float, float]
    reflection: float
    offset: np.ndarray = field(default_factory=lambda: np.zeros(2))


def screen(rng: np.random.Generator, layouts: Sequence[str]) -> Screen:
    """Draw a Screen of one of the layouts; a card shown 45 to 200 mm wide at 90 to 460 pixels an inch has 380 to 1700 pixels."""
    pitch = np.exp(rng.uniform(np.log(380), np.log(1700)))
    return Screen(
        pitch=pitch, layout=layouts[int(rng.integers(len(layouts)))], fill=(rng.uniform(0.55, 0.95), rng.uniform(0.7, 0.95)), gamma=rng.uniform(1.9, 2.4), black=rng.uniform(0.0, 0.02),
        tint=np.array([rng.uniform(0.85, 1.05), 1, rng.uniform(0.95, 1.25)]), flicker=(rng.uniform(0.02, 0.15) if rng.random() < 0.25 else 0, rng.uniform(60, 600), rng.uniform(0, 6.28)),
        reflection=rng.uniform(0, 0.05), offset=rng.random(2),
    )


def _emission(
    display: Screen, s: Shot, shown: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int], turn: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(u, v) in display pixels and the light of the display pixel there; the display is turned against the card by turn."""
    u, v = places(s, shape)
    scale = np.float32(display.pitch / s.width)
    u, v = u * scale, v * scale
    c, n = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    u, v = c * u - n * v + np.float32(display.offset[0]), n * u + c * v + np.float32(display.offset[1])
    value = content(shown, middle, np.floor(u), np.floor(v), display.pitch, cv2.INTER_NEAREST)
    light = np.power(np.arange(256, dtype=np.float32) / 255, display.gamma)[value] * (1 - display.black) + display.black
    return u, v, light


def screen_stripes(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    first: First = _first,
) -> np.ndarray:
    """A liquid crystal display: stripes of the three colours in a black matrix, every area covered exactly, rolling flicker, a glossy pane."""
    display = screen(rng, ("rgb", "bgr", "vertical"))
    u, v, light = _emission(display, s, first(rng, card, display.pitch), middle, shape, 0.0)
    soft = max(0.05, display.pitch / s.width / s.fine)
    if display.layout == "vertical":
        u, v = v, u
    order = (2, 1, 0) if display.layout == "bgr" else (0, 1, 2)
    rows = _pulse(v, 0.5, display.fill[1] / 2, soft)
    out = np.empty_like(light)
    for channel in range(3):
        bar = _pulse(u, (order[channel] + 0.5) / 3, display.fill[0] / 6, soft)
        out[..., channel] = light[..., channel] * bar * rows * np.float32(display.tint[channel] * 3 / (display.fill[0] * display.fill[1]))
    if display.flicker[0]:
        wave = 1 + display.flicker[0] * np.sin(np.arange(shape[0]) / s.fine * 2 * np.pi / display.flicker[1] + display.flicker[2])
        out *= wave[:, None, None].astype(np.float32)
    return out + np.float32(display.reflection * rng.random())


def screen_dots(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    first: First = _first,
) -> np.ndarray:
    """An OLED: round sub-pixels, green at every pixel, red and blue in turn between them (or a delta), each a soft bump; no flicker but a dimming wave."""
    display = screen(rng, ("pentile", "delta", "stripe"))
    u, v, light = _emission(display, s, first(rng, card, display.pitch), middle, shape, rng.normal(0, 0.02))
    # A sample of the sensor wider than a dot sees it smeared: narrower bumps lose height first.
    spread = (display.pitch / s.width / s.fine) ** 2
    sharp = 1 / (1 / rng.uniform(1.0, 4.0) + spread)
    two = np.float32(2 * np.pi)

    def bump(x: np.ndarray, y: np.ndarray, period: float) -> np.ndarray:
        wave = np.cos(two * x / period) + np.cos(two * y / period)
        value = np.exp(np.float32(sharp) * (wave - 2))
        return value / value.mean()

    out = np.empty_like(light)
    if display.layout == "pentile":
        a, b = u + v, u - v
        masks = (bump(a - 0.5, b - 0.5, 2), bump(u, v, 1), bump(a - 1.5, b - 0.5, 2))
    elif display.layout == "delta":
        shifted = u + np.floor(v) * np.float32(0.5)
        masks = tuple(bump(shifted - c / 3, v, 1) for c in range(3))
    else:
        masks = tuple(bump(u - c / 3, v * np.float32(0.5) + np.float32(0.5) * (c == 2), 1) for c in range(3))
    for channel in range(3):
        out[..., channel] = light[..., channel] * masks[channel] * np.float32(display.tint[channel])
    dim = rng.uniform(0, 0.08)
    out *= (1 + dim * np.sin(np.linspace(0, rng.uniform(2, 20), shape[0])))[:, None, None].astype(np.float32)
    return out + np.float32(display.reflection * rng.random())


def _separations(picture: npt.NDArray[np.uint8], rng: np.random.Generator, black_only: bool) -> np.ndarray:
    """Shares of cyan, magenta, yellow and black ink (H x W x 4, 0..1) for a uint8 RGB picture."""
    rgb = picture.astype(np.float32) / 255
    if black_only:
        grey = rgb @ np.array([0.3, 0.59, 0.11], np.float32)
        return np.concatenate([np.zeros((*grey.shape, 3), np.float32), (1 - grey)[..., None]], 2)
    cmy = 1 - rgb
    black = cmy.min(2, keepdims=True) * np.float32(rng.uniform(0.4, 1.0))
    return np.concatenate([(cmy - black) / np.maximum(1 - black, 0.05), black], 2)


def _inked(shares: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Linear reflectance of paper under inks whose local cover is shares (H x W x 4, 0..1): inks filter one another."""
    paper = np.array([rng.uniform(0.8, 0.95)] * 3) * (1 + rng.uniform(-0.04, 0.05, 3))
    inks = np.array([[0.12, 0.45, 0.75], [0.62, 0.09, 0.28], [0.88, 0.75, 0.08], [0.05, 0.05, 0.05]]) * rng.uniform(0.8, 1.3, (4, 1))
    light = np.broadcast_to(paper.astype(np.float32), (*shares.shape[:2], 3)).copy()
    for index in range(4):
        light *= 1 - shares[..., index : index + 1] * (1 - np.clip(inks[index], 0.02, 0.98)).astype(np.float32)
    return light


def _paper(rng: np.random.Generator, shape: tuple[int, int], scale: float) -> npt.NDArray[np.float32]:
    """Fibres and unevenness of office paper: a field about 1; scale is samples per millimetre."""
    field_ = np.ones(shape, np.float32)
    for size, amount in ((0.15, 0.015), (0.6, 0.015), (3.0, 0.02)):
        grain = rng.standard_normal((max(2, int(shape[0] / scale / size)), max(2, int(shape[1] / scale / size))), dtype=np.float32)
        field_ += np.float32(amount * rng.uniform(0.2, 1.2)) * cv2.resize(grain, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return field_[..., None]


def print_screened(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    black_only: bool = False, first: First = _first,
) -> np.ndarray:
    """A laser or offset print: clustered dots on four turned screens of 75 to 200 lines an inch, dot gain, paper."""
    shown = first(rng, card, rng.uniform(600, 1400))
    u, v = places(s, shape)
    shares = _separations(content(shown, middle, u, v, s.width), rng, black_only)
    cell = 25.4 / np.exp(rng.uniform(np.log(75), np.log(200))) * s.width / CARD_MM
    soft = np.float32(min(max(0.15, 2.2 / s.fine / cell), 1.0))  # cells finer than the samples melt into the tone that they make
    turns = np.radians(np.array([15, 75, 0, 45]) + rng.uniform(-4, 4, 4) + rng.choice([0, 0, 30]))
    lines, gain = rng.random() < 0.3, rng.uniform(0, 0.12)
    for index in range(4):
        if black_only and index < 3:
            continue
        c, n = np.float32(2 * np.pi * np.cos(turns[index]) / cell), np.float32(2 * np.pi * np.sin(turns[index]) / cell)
        spot = np.cos(c * u + n * v)
        if not lines:
            spot = (spot + np.cos(c * v - n * u)) / 2
        # The share of a cell below a level of this spot function is near to linear in the arcsine of the level.
        level = 0.5 + np.arcsin(spot) / np.float32(np.pi) if lines else 0.5 + 0.5 * np.sign(spot) * np.abs(spot) ** np.float32(0.8)
        cover = shares[..., index]
        shares[..., index] = np.clip((cover + np.float32(gain) * 4 * cover * (1 - cover) - level) / soft + 0.5, 0, 1) * (cover > 0.015)
    mix = np.float32(rng.uniform(0, 0.15))  # toner beside its dots
    light = _inked(shares * (1 - mix) + mix * cv2.blur(shares, (2 * s.fine + 1, 2 * s.fine + 1)), rng)
    return _lamp(s, light * _paper(rng, shape, s.width / CARD_MM * s.fine))


def grains(rng: np.random.Generator, size: int = 128, rounds: int = 3) -> npt.NDArray[np.float32]:
    """A size x size threshold map whose equal levels lie apart: white noise made even and high-passed in turn."""
    field_ = rng.random((size, size)).astype(np.float32)
    for _ in range(rounds):
        wide = cv2.GaussianBlur(np.tile(field_, (3, 3)), (0, 0), 1.5)[size : 2 * size, size : 2 * size]
        order = np.argsort((field_ - wide).ravel())
        field_.ravel()[order] = np.linspace(0, 1, size * size, dtype=np.float32)
    return field_


def print_scattered(
    rng: np.random.Generator, s: Shot, card: npt.NDArray[np.uint8], middle: Sequence[float] | np.ndarray, shape: tuple[int, int],
    black_only: bool = False, first: First = _first,
) -> np.ndarray:
    """An inkjet: drops scattered on a grid of 150 to 600 an inch by a map of thresholds, soaked a little, with bands of the print head."""
    dots = np.exp(rng.uniform(np.log(150), np.log(600))) / 25.4 * CARD_MM  # drops per card width
    shown = _reduced(first(rng, card, rng.uniform(600, 1400)), dots)
    u, v = places(s, shape)
    ratio = np.float32(dots / s.width)
    u, v = u * ratio, v * ratio
    reach = int(np.ceil(max(np.abs(u).max(), np.abs(v).max()))) + 4
    grid = np.arange(-reach, reach, dtype=np.float32)
    gu, gv = np.meshgrid(grid, grid)
    shares = _separations(content(shown, middle, gu, gv, dots), rng, black_only)
    bands = 1 + rng.uniform(0, 0.06) * np.sin(grid * 2 * np.pi / rng.uniform(6, 60))
    drops = np.empty_like(shares)
    thresholds = grains(rng)
    for index in range(4):
        tile = np.roll(thresholds, tuple(rng.integers(0, 128, 2)), (0, 1))
        times = -(-2 * reach // 128)
        drops[..., index] = shares[..., index] * bands[:, None] > np.tile(tile, (times, times))[: 2 * reach, : 2 * reach]
    drops = cv2.GaussianBlur(drops, (0, 0), rng.uniform(0.35, 0.7))
    shares = cv2.remap(drops, u + reach, v + reach, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return _lamp(s, _inked(np.minimum(1, shares * rng.uniform(1, 1.25)), rng) * _paper(rng, shape, s.width / CARD_MM * s.fine))


def _tone(s: Shot, light: np.ndarray) -> npt.NDArray[np.uint8]:
    """Linear light to 8 bits: exposure, white balance, gamma, a curve that deepens the dark and lifts the bright."""
    value = np.power(np.clip(light * (s.exposure * s.gains).astype(np.float32), 0, 1), np.float32(1 / s.gamma))
    bent = value * value * (3 - 2 * value)
    return np.clip(255 * (value + np.float32(s.curve) * (bent - value)) + 0.5, 0, 255).astype(np.uint8)


def _mosaic(rng: np.random.Generator, s: Shot, light: np.ndarray) -> np.ndarray:
    """A sensor behind colour filters: shot and read noise, then the colours of neighbours."""
    raw = np.empty(light.shape[:2], np.float32)
    for y, x, channel in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        raw[y::2, x::2] = light[y::2, x::2, channel]
    raw += rng.standard_normal(raw.shape, dtype=np.float32) * np.sqrt(np.maximum(raw, 0) * np.float32(s.noise**2 * 4) + np.float32(s.noise**2 * 0.3))
    code = np.clip(raw * 40000 + 2000, 0, 65535).astype(np.uint16)
    method = cv2.COLOR_BayerBG2RGB_EA if rng.random() < 0.5 else cv2.COLOR_BayerBG2RGB
    return (cv2.cvtColor(code, method).astype(np.float32) - 2000) / 40000


def camera(s: Shot, scene: np.ndarray) -> npt.NDArray[np.uint8]:
    """Photograph a scene with a Shot; returns the delivered uint8 RGB picture."""
    rng = np.random.default_rng(s.seed)
    light = cv2.GaussianBlur(scene, (0, 0), s.blur * s.fine)
    size = (scene.shape[1] // s.fine, scene.shape[0] // s.fine)
    light = cv2.resize(light, size, interpolation=cv2.INTER_AREA if s.camera == "mosaic" else cv2.INTER_NEAREST)
    if s.camera == "mosaic":
        light = _mosaic(rng, s, light)
    else:
        light = light + rng.standard_normal(light.shape, dtype=np.float32) * np.sqrt(np.maximum(light, 0.02)) * np.float32(s.noise)
    picture = _tone(s, light)
    if s.smooth:
        ycc = cv2.cvtColor(picture, cv2.COLOR_RGB2YCrCb)
        ycc[..., 1:] = cv2.GaussianBlur(ycc[..., 1:], (0, 0), s.smooth)
        ycc[..., 0] = cv2.bilateralFilter(ycc[..., 0], 5, 8 * s.smooth, 1.2)
        picture = cv2.cvtColor(ycc, cv2.COLOR_YCrCb2RGB)
    if s.motion[0] > 1.2:
        kernel = np.zeros((7, 7), np.float32)
        for t in np.linspace(-s.motion[0] / 2, s.motion[0] / 2, 15):
            kernel[int(round(3 + t * np.sin(s.motion[1]))), int(round(3 + t * np.cos(s.motion[1])))] += 1
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    if s.sharpen:
        picture = cv2.addWeighted(picture, 1 + s.sharpen, cv2.GaussianBlur(picture, (0, 0), 1.2), -s.sharpen, 0)
    if s.out < 1:
        size = (max(2, round(size[0] * s.out)), max(2, round(size[1] * s.out)))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if rng.random() < 0.6 else cv2.INTER_LINEAR)
    return picture


def coded(picture: npt.NDArray[np.uint8], quality: int) -> npt.NDArray[np.uint8]:
    """Through a JPEG encoder; returns uint8 YCbCr planes (H x W x 3) as a decoder gives them."""
    _, code = cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
    return cv2.cvtColor(cv2.imdecode(code, cv2.IMREAD_COLOR), cv2.COLOR_BGR2YCrCb)[..., [0, 2, 1]]


SCREENS = (screen_stripes, screen_dots)
PRINTS = (print_screened, print_scattered)
