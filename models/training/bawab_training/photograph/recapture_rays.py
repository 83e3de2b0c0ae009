"""A fifth way of modelling recapture, for tests only: every sample of the sensor is a fixed set of rays to points of what lies there.

    python -m bawab_training.photograph.recapture_rays --flats DIR --count 240 --seed 1 --out DIR

Nothing of it trains or calibrates, and it shares no code with the other simulators. At a point a display shines or does not,
and an ink lies or does not: no lattice is averaged beforehand, so what a lens and a mosaic make of it follows from the rays alone.
Genuine cards may have a press's raster and fine lines. truth.jsonl has file, kind, attack ("" for genuine) and documents with kind and quad.
"""

from __future__ import annotations

import argparse
import io
import json
import os
from collections.abc import Callable
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

WAYS = (
    "", "screen_replay/stripe", "printed_copy/screened", "", "screen_replay/pentile", "printed_copy/scattered", "", "screen_replay/delta",
    "printed_copy/photograph", "grey_copy/copier",
)
Plane: TypeAlias = npt.NDArray[np.float32]
# Light of one colour (0, 1, 2) at points (x, y), in widths of the card from its upper left corner.
Matter: TypeAlias = Callable[[Plane, Plane, int], Plane]


def _picked(picture: npt.NDArray[np.float32], x: Plane, y: Plane, colour: int, nearest: bool = False) -> Plane:
    """A colour of a picture whose width is 1 at points of it; its edge goes on."""
    method = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
    plane, width = np.ascontiguousarray(picture[..., colour]), picture.shape[1]
    columns, rows = x * np.float32(width) - np.float32(0.5), y * np.float32(width) - np.float32(0.5)
    return cv2.remap(plane, columns, rows, method, borderMode=cv2.BORDER_REPLICATE)


def _stolen(rng: np.random.Generator, flat: npt.NDArray[np.uint8], width: int) -> npt.NDArray[np.uint8]:
    """The attacker's picture of the card, width pixels wide: digital, or photographed and coded before."""
    image = Image.fromarray(flat).resize((width, round(width * flat.shape[0] / flat.shape[1])), Image.Resampling.LANCZOS)
    if rng.random() < 0.75:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(0.2, 0.9)))
        noisy = np.asarray(image, np.float32) + rng.normal(0, rng.uniform(0.5, 5), (image.height, image.width, 1))
        store = io.BytesIO()
        Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8)).save(store, "JPEG", quality=int(rng.integers(60, 95)))
        image = Image.open(store).convert("RGB")
    return np.asarray(image)


def _display(rng: np.random.Generator, flat: npt.NDArray[np.uint8], layout: str) -> Matter:
    """A display: one colour shines at a point, or none."""
    across = int(rng.uniform(380, 900) if layout == "stripe" else rng.uniform(650, 1600))
    value = (_stolen(rng, flat, across).astype(np.float32) / 255) ** np.float32(rng.uniform(2, 2.4))
    black, pane = rng.uniform(0, 0.015), rng.uniform(0, 0.04)
    gap, low = rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.25)
    size = rng.uniform(0.22, 0.36)
    cover = (1 - gap) / 3 * (1 - low)

    def shine(x: Plane, y: Plane, colour: int) -> Plane:
        u, v = x * np.float32(across), y * np.float32(across)
        column, row = np.floor(u) + np.float32(0.5), np.floor(v) + np.float32(0.5)
        light = _picked(value, column / np.float32(across), row / np.float32(across), colour, True)
        if layout == "pentile":  # diamonds; green at each pixel, red and blue in turn
            step, reach = (1, size) if colour == 1 else (2, size * 1.4)
            across_, down = (u, v) if colour == 1 else (u + np.float32(0.5 * colour), v + np.float32(0.5))
            lit = np.abs(across_ % step - step / 2) + np.abs(down % step - step / 2) < reach
            share = 2 * (reach / step) ** 2
        else:
            odd = np.floor(v) % 2 * np.float32(0.5) if layout == "delta" else np.float32(0)
            lit = (np.abs((u + odd - colour / 3) % 1 - np.float32(1 / 6)) < (1 - gap) / 6) & (np.abs(v % 1 - 0.5) < (1 - low) / 2)
            share = cover
        return (light * np.float32(1 - black) + np.float32(black)) * lit.astype(np.float32) / np.float32(share) + np.float32(pane)

    return shine


def _inks(picture: npt.NDArray[np.uint8], grey: bool) -> npt.NDArray[np.float32]:
    """Shares of cyan, magenta, yellow and black, by which a print is about as light as what it copies."""
    value = (picture.astype(np.float32) / 255) ** np.float32(1.9)
    if grey:
        return np.dstack([np.zeros((*value.shape[:2], 3), np.float32), 1 - value @ np.array([0.25, 0.65, 0.1], np.float32)])
    black = (1 - value.max(2)) ** np.float32(1.2)
    return np.dstack([np.clip((1 - value - black[..., None]) / np.maximum(1 - black[..., None], 0.08), 0, 1), black])


def _print(rng: np.random.Generator, flat: npt.NDArray[np.uint8], way: str) -> Matter:
    """Ink on paper: dots of clustered screens, scattered drops, or a copier's lines."""
    grey = way == "copier"
    shares = _inks(_stolen(rng, flat, int(rng.uniform(700, 1300))), grey)
    per = np.float32(85.6 / 25.4 * (rng.uniform(85, 180) if way != "scattered" else rng.choice([300, 360, 600, 720])))
    turns = np.radians(np.array([15, 75, 0, 45]) + rng.uniform(-3, 3))
    absorbed = np.array([[0.9, 0.45, 0.2], [0.35, 0.9, 0.6], [0.08, 0.2, 0.9], [0.95, 0.95, 0.94]]) * rng.uniform(0.85, 1.0)
    paper = rng.uniform(0.75, 0.92) * np.array([1, 1, rng.uniform(0.93, 1.06)])
    spread, gain = rng.uniform(0.25, 0.6), rng.uniform(0, 0.1)
    noise = rng.random((256, 256)).astype(np.float32)
    for _ in range(4):  # thresholds that lie apart
        high = noise - cv2.GaussianBlur(noise, (0, 0), 1.3, borderType=cv2.BORDER_REFLECT)
        noise = (np.argsort(np.argsort(high.ravel())) / high.size).reshape(high.shape).astype(np.float32)

    def lie(x: Plane, y: Plane, colour: int) -> Plane:
        light = np.full(x.shape, paper[colour], np.float32)
        for ink in (3,) if grey else range(4):
            share = _picked(shares, x, y, ink)
            share = share + np.float32(gain) * 4 * share * (1 - share)
            if way == "scattered":
                column, row = np.floor(x * per).astype(np.int32) + 61 * ink, np.floor(y * per).astype(np.int32) + 17 * ink
                limit = noise[row % 256, column % 256]
            else:
                c, n = np.float32(2 * np.pi * np.cos(turns[ink])) * per, np.float32(2 * np.pi * np.sin(turns[ink])) * per
                wave = np.cos(c * x + n * y) if grey else (np.cos(c * x + n * y) + np.cos(c * y - n * x)) / 2
                limit = 0.5 + np.arcsin(np.clip(wave, -1, 1)) / np.float32(np.pi)
            lit = np.float32(spread) * share + np.float32(1 - spread) * (share > limit)
            light *= 1 - np.clip(lit, 0, 1) * np.float32(absorbed[ink][colour])
        return light

    return lie


def _glossy(rng: np.random.Generator, flat: npt.NDArray[np.uint8]) -> Matter:
    """A photograph on glossy paper that bends: no dots at all, but a lamp's reflection where the paper leans."""
    picture = _stolen(rng, flat, int(rng.uniform(500, 1050)))
    value = (picture.astype(np.float32) / 255) ** np.float32(2.2)
    value = value * np.float32(rng.uniform(0.75, 0.95)) + np.float32(rng.uniform(0.01, 0.04))
    depth, across = rng.uniform(0, 0.012), rng.uniform(0, np.pi)
    place, wide, much = rng.uniform(-0.2, 1.2), rng.uniform(0.08, 0.3), rng.uniform(0, 0.35)

    def reflect(x: Plane, y: Plane, colour: int) -> Plane:
        s = np.float32(np.cos(across)) * x + np.float32(np.sin(across)) * y
        moved = np.float32(depth) * np.sin(np.float32(5) * s)
        gloss = np.float32(much) * np.exp(-(((s - np.float32(place)) / np.float32(wide)) ** 2))
        return _picked(value, x + moved, y, colour) + gloss

    return reflect


def _genuine(rng: np.random.Generator, flat: npt.NDArray[np.uint8]) -> Matter:
    """The card: solid colours, and now and then the raster of a press, fine lines and a shine of its laminate."""
    value = (flat.astype(np.float32) / 255) ** np.float32(2.2) * np.float32(0.9)
    press = np.float32(2 * np.pi * 85.6 / 25.4 * rng.uniform(200, 350)) if rng.random() < 0.4 else np.float32(0)
    lines, deep = np.float32(0), np.float32(0)
    if rng.random() < 0.4:
        lines, deep = np.float32(2 * np.pi * rng.uniform(120, 400)), np.float32(rng.uniform(0.03, 0.2))
    place, much = rng.uniform(-0.3, 1.3), rng.uniform(0, 0.3) if rng.random() < 0.4 else 0.0

    def reflect(x: Plane, y: Plane, colour: int) -> Plane:
        light = _picked(value, x, y, colour)
        if press:
            dot = np.cos(press * (x + y * np.float32(0.3 * colour))) * np.cos(press * (y - x * np.float32(0.3 * colour)))
            light = light * (1 + np.float32(0.5) * dot * (1 - light))
        if lines:
            light = light * (1 - deep * (np.cos(lines * (y + np.float32(0.01) * np.sin(20 * x))) > 0.6))
        return light + np.float32(much) * np.exp(-(((x - np.float32(place)) / np.float32(0.15)) ** 2))

    return reflect


def _ground(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """What lies below everything: cloth, boards, a plain top; linear light of the whole picture."""
    colour = rng.uniform(0.03, 0.7, 3) * np.array([1, rng.uniform(0.7, 1), rng.uniform(0.5, 1)])
    yy, xx = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    kind, tone = rng.random(), np.ones((size[1], size[0]), np.float32)
    if kind < 0.3:
        pitch = rng.uniform(4, 14)
        tone += 0.15 * np.sin(2 * np.pi * xx / pitch) * np.sin(2 * np.pi * yy / pitch)
    elif kind < 0.65:
        rough = cv2.resize(rng.standard_normal((size[1] // 4, 12)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC)
        tone += 0.12 * rough + 0.08 * np.sin(rough * 8 + yy / 15)
    return (np.maximum(tone * (1 + 0.3 * (xx / size[0] - 0.5)), 0.02)[..., None] * colour).astype(np.float32)


def _pose(rng: np.random.Generator, aspect: float, size: tuple[int, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """(homography of pixels to card widths, corners of the card in pixels)."""
    wide = rng.uniform(0.5, 0.85) * size[0]
    box = np.array([[0, 0], [wide, 0], [wide, wide * aspect], [0, wide * aspect]])
    roll = rng.normal(0, 0.06)
    box = (box - box.mean(0)) @ np.array([[np.cos(roll), np.sin(roll)], [-np.sin(roll), np.cos(roll)]]) + np.array(size) / 2
    box += rng.uniform(-0.035, 0.035, (4, 2)) * wide
    card = np.array([[0, 0], [1, 0], [1, aspect], [0, aspect]], np.float32)
    return cv2.getPerspectiveTransform(box.astype(np.float32), card), box


def _rays(
    rng: np.random.Generator, matter: Matter, outer: tuple[float, float, float, float], rim: float, ground: npt.NDArray[np.float32],
    back: npt.NDArray[np.float64],
) -> npt.NDArray[np.float32]:
    """The mosaic's light: 16 rays a sample, spread as a lens does; rim is the light of what frames a sheet beyond the card."""
    height, width = ground.shape[:2]
    spread = rng.uniform(0.5, 1.0)
    steps = np.array([-1.24, -0.36, 0.36, 1.24]) * spread  # of a bell, and of the sample's own area
    raw = np.empty((height, width), np.float32)
    for row, column, colour in ((0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 2)):
        gx, gy = np.meshgrid(np.arange(column, width, 2, dtype=np.float32), np.arange(row, height, 2, dtype=np.float32))
        below, total = ground[row::2, column::2, colour], np.zeros(gx.shape, np.float32)
        for i, dx in enumerate(steps):
            for j, dy in enumerate(steps):
                px, py = gx + np.float32(dx + 0.07 * j), gy + np.float32(dy - 0.07 * i)
                w = back[2, 0] * px + back[2, 1] * py + back[2, 2]
                x, y = (((row_[0] * px + row_[1] * py + row_[2]) / w).astype(np.float32) for row_ in back[:2])
                card = (x >= 0) & (x <= 1) & (y >= 0) & (y <= outer[3])
                sheet = (x > -outer[0]) & (x < 1 + outer[0]) & (y > -outer[1]) & (y < outer[3] + outer[2])
                total += np.where(card, matter(x, y, colour), np.where(sheet, np.float32(rim), below))
        raw[row::2, column::2] = total / np.float32(len(steps) ** 2)
    return raw


def _developed(rng: np.random.Generator, raw: npt.NDArray[np.float32]) -> tuple[bytes, float]:
    """Noise, colours of a mosaic by gradients, a filmic tone, shrinking of weak detail, sharpening, scaling, coding: (JPEG, factor)."""
    raw = raw * np.float32(rng.uniform(0.7, 1.0) / max(float(np.percentile(raw, 98)), 0.05))
    level = rng.uniform(0.004, 0.02)
    raw = np.clip(raw + rng.standard_normal(raw.shape, dtype=np.float32) * np.sqrt(np.maximum(raw, 0.01)) * np.float32(level), 0, 1)
    code = (raw * 16000 + 0.5).astype(np.uint16)
    way = cv2.COLOR_BayerRG2RGB_EA if rng.random() < 0.5 else cv2.COLOR_BayerRG2RGB
    rgb = cv2.demosaicing(code, way)[..., ::-1].astype(np.float32) / 16000
    rgb *= (1 + rng.uniform(-0.07, 0.07, 3)).astype(np.float32)
    toned = np.clip(rgb * (rgb * 2.51 + 0.25) / (rgb * (rgb * 2.2 + 0.7) + 0.1), 0, 1) ** np.float32(1 / 2.0)
    soft = toned
    for radius in (0.8, 1.8):
        wide = cv2.GaussianBlur(soft, (0, 0), radius)
        detail, limit = soft - wide, np.float32(rng.uniform(0, 2.5) * level)
        soft = wide + np.sign(detail) * np.maximum(np.abs(detail) - limit, 0)
    soft = soft + np.float32(rng.uniform(0, 1.2)) * (soft - cv2.GaussianBlur(soft, (0, 0), rng.uniform(0.8, 1.6)))
    image = Image.fromarray(np.clip(soft * 255 + 0.5, 0, 255).astype(np.uint8))
    factor = 1.0
    for _ in range(int(rng.integers(1, 3))):
        if rng.random() < 0.4:
            step = rng.uniform(0.75, 1.15)
            size = (round(image.width * step), round(image.height * step))
            factor, image = factor * step, image.resize(size, Image.Resampling.BICUBIC)
        store = io.BytesIO()
        image.save(store, "JPEG", quality=int(rng.integers(68, 96)), subsampling=int(rng.choice([0, 2, 2])))
        image = Image.open(io.BytesIO(store.getvalue()))
    return store.getvalue(), factor


def one(seed: int, index: int, flats: list[tuple[str, str]]) -> tuple[bytes, dict[str, Any]]:
    """One photograph: (JPEG bytes, truth without its file name)."""
    rng = np.random.default_rng([seed, index, 5])
    attack = WAYS[index % len(WAYS)]
    cue, _, way = attack.partition("/")
    name, kind = flats[int(rng.integers(len(flats)))]
    flat = np.ascontiguousarray(cv2.imread(name)[..., ::-1])
    aspect, size = flat.shape[0] / flat.shape[1], ((1280, 960), (1440, 1080), (1600, 1200))[int(rng.integers(3))]
    margin = rng.uniform(0, 0.25, 3) if rng.random() < 0.6 and cue else np.zeros(3)
    back, box = _pose(rng, aspect, size)
    if cue == "":
        matter, rim = _genuine(rng, flat), 0.0
    elif cue == "screen_replay":
        matter, rim = _display(rng, flat, way), float(rng.choice([0.004, 0.02, 0.6]))
    else:
        matter, rim = (_glossy(rng, flat) if way == "photograph" else _print(rng, flat, way)), 0.82
    raw = _rays(rng, matter, (margin[0], margin[1], margin[2], aspect), rim, _ground(rng, size), back)
    code, factor = _developed(rng, raw)
    quad = [[round(float(v + 0.5) * factor, 1) for v in point] for point in box]
    return code, {"kind": kind, "attack": attack, "documents": [{"kind": kind, "quad": quad}]}


def main() -> None:
    """Parse the command line and write photographs."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.recapture_rays")
    parser.add_argument("--flats", required=True)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.flats, "truth.jsonl"), encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    flats = [(os.path.join(args.flats, row["file"]), row["kind"]) for row in rows]
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(args.count):
            code, truth = one(args.seed, index, flats)
            name = f"{index:04d}.jpg"
            with open(os.path.join(args.out, name), "wb") as file:
                file.write(code)
            lines.write(json.dumps({"file": name, **truth}) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
