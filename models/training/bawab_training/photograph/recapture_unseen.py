"""Another simulator of recapture, for tests only: nothing of it trains or calibrates, and it shares no code with recapture.py and recapture_devices.py.

    python -m bawab_training.photograph.recapture_unseen --flats DIR --count 240 --seed 1 --out DIR

Whole photographs by another physics: a screen is the Fourier series of its lattice, each order weakened by the lens and folded
by the sensor; a print is a bitmap of the device's dots (digital clustered cells, or Knuth's dot diffusion) under inks after
Yule and Nielsen. The camera has its own mosaic, tone curve and coder. Attacks come in turn with genuine cards through the same
camera; truth.jsonl has file, kind, attack ("" for genuine) and documents with kind and quad.
"""

from __future__ import annotations

import argparse
import io
import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from ..draw import kinds, patterns

ATTACKS = ("", "screen_replay/lcd", "printed_copy/clustered", "", "screen_replay/oled", "printed_copy/diffused", "", "screen_replay/phone", "printed_copy/clustered", "grey_copy/laser")
# A display's name, where in it each sample of the sensor lies (x, y), how that changes from sample to sample, and its size.
Lattice = tuple[str, np.ndarray, np.ndarray, np.ndarray, tuple[int, ...]]
Scene = tuple[np.ndarray, np.ndarray, Lattice | None]  # linear light, the card's corners in it, and the lattice of a display


def _flats(folder: str) -> list[tuple[str, str]]:
    """(file, kind) of the flat pictures whose kind is examined for screens and prints."""
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as lines:
        truths = [json.loads(line) for line in lines]
    return [(os.path.join(folder, t["file"]), t["kind"]) for t in truths if t["kind"] in kinds.EXAMINED]


def _pose(
    rng: np.random.Generator, card: tuple[float, float], size: tuple[int, int], share: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Homography from card pixels to a picture of size, seen at up to 20 degrees, and the card's quad there."""
    tilt, axis = np.radians(20) * rng.random(), rng.uniform(0, 2 * np.pi)
    roll = rng.normal(0, 0.07) + (np.pi if rng.random() < 0.1 else 0)
    k = np.array([np.cos(axis), np.sin(axis), 0]) * tilt
    turn = cv2.Rodrigues(k)[0] @ cv2.Rodrigues(np.array([0, 0, roll]))[0]
    focal = 1.2 * max(size)
    depth = focal * card[0] / (share * size[0])
    middle = np.array(size) / 2 + rng.normal(0, 0.02, 2) * size
    lens = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1]])
    h = lens @ np.column_stack([turn[:, 0], turn[:, 1], [0, 0, depth]]) @ np.array([[1, 0, -card[0] / 2], [0, 1, -card[1] / 2], [0, 0, 1]])
    corners = np.array([[0, 0], [card[0], 0], [card[0], card[1]], [0, card[1]]], np.float64)
    return h, cv2.perspectiveTransform(corners[None], h)[0]


def _light(picture: np.ndarray) -> npt.NDArray[np.float32]:
    value = picture.astype(np.float32) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4).astype(np.float32)


def _warped(picture: np.ndarray, h: np.ndarray, size: tuple[int, int], outside: float = 0.0) -> np.ndarray:
    """picture through h with an area average: drawn at twice the size and halved."""
    double = np.diag([2.0, 2.0, 1.0]) @ h
    big = cv2.warpPerspective(picture, double, (size[0] * 2, size[1] * 2), flags=cv2.INTER_LINEAR, borderValue=(outside,) * 3)
    return cv2.resize(big, size, interpolation=cv2.INTER_AREA)


def _table(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    return _light(cv2.resize(patterns.table(rng, (size[0] // 2, size[1] // 2), True), size, interpolation=cv2.INTER_LINEAR))


def _onto(
    rng: np.random.Generator, picture: np.ndarray, sheet: np.ndarray, h: np.ndarray, size: tuple[int, int], radius: float = 0.0
) -> np.ndarray:
    """Lay a sheet of linear light (H x W x 3) through h onto a picture."""
    mask = np.ones(sheet.shape[:2], np.float32)
    r = int(radius * sheet.shape[1])
    if r:
        mask[:] = 0
        cv2.rectangle(mask, (r, 0), (mask.shape[1] - r, mask.shape[0]), 1, -1)
        cv2.rectangle(mask, (0, r), (mask.shape[1], mask.shape[0] - r), 1, -1)
        for x in (r, mask.shape[1] - r - 1):
            for y in (r, mask.shape[0] - r - 1):
                cv2.circle(mask, (x, y), r, 1, -1)
    share = _warped(mask, h, size)[..., None]
    shade = cv2.GaussianBlur(share, (0, 0), size[0] * 0.006)[..., None]
    return picture * (1 - 0.4 * shade * (1 - share)) * (1 - share) + _warped(sheet, h, size) * share


def _card(rng: np.random.Generator, flat: npt.NDArray[np.uint8], size: tuple[int, int], share: float) -> Scene:
    h, quad = _pose(rng, (flat.shape[1], flat.shape[0]), size, share)
    return _onto(rng, _table(rng, size), _light(flat), h, size, 0.035), quad, None


def _stolen(rng: np.random.Generator, flat: npt.NDArray[np.uint8], pitch: float) -> tuple[npt.NDArray[np.uint8], int, tuple[int, int]]:
    """What the attacker shows: the card on a ground, with the traces of a first camera; returns (uint8 picture, card's corners in it)."""
    height = int(pitch * flat.shape[0] / flat.shape[1])
    small = cv2.resize(flat, (int(pitch), height), interpolation=cv2.INTER_AREA if flat.shape[1] > pitch else cv2.INTER_CUBIC)
    pad = int(pitch * rng.uniform(0.05, 0.4))
    ground = patterns.table(rng, (small.shape[1] + 2 * pad, height + 2 * pad), True) if rng.random() < 0.7 else np.full((height + 2 * pad, small.shape[1] + 2 * pad, 3), int(rng.choice([0, 30, 255])), np.uint8)
    ground[pad : pad + height, pad : pad + small.shape[1]] = small
    if rng.random() < 0.8:
        ground = cv2.blur(ground, (2, 2)) if rng.random() < 0.5 else ground
        ground = np.clip(ground + rng.normal(0, rng.uniform(1, 4), ground.shape), 0, 255).astype(np.uint8)
        store = io.BytesIO()
        Image.fromarray(ground).save(store, "JPEG", quality=int(rng.integers(70, 95)))
        ground = np.asarray(Image.open(store))
    return ground, pad, small.shape[1::-1]


def _lattice(
    rng: np.random.Generator, name: str, x: np.ndarray, y: np.ndarray, jacobian: np.ndarray, blur: float, channel: np.ndarray
) -> np.ndarray:
    """The factor by which a display's lattice changes the light at display coordinates (x, y) for the colour channel of each sample."""
    wide, tall = (rng.uniform(0.6, 0.95), rng.uniform(0.65, 0.95))
    total = np.ones_like(x)
    orders = [(m, n) for m in range(-2, 3) for n in range(-2, 3) if (m, n) > (0, 0)]
    for m, n in orders:
        if name == "oled":  # dots on two crossed lattices: only orders of even sum where all pixels shine
            size = np.exp(-((m * 0.33) ** 2 + (n * 0.33) ** 2) * 2) * (1.0 if (m + n) % 2 == 0 else 0.6)
            shift = channel * np.float32(np.pi * 0.5) * (m + n)
        else:
            size = np.sinc(m * wide / 3) * np.sinc(n * tall)
            shift = channel * np.float32(2 * np.pi / 3) * m
        frequency = np.linalg.norm(jacobian.T @ np.array([m, n]))  # cycles per sample of the sensor
        size *= np.exp(-2 * (np.pi * blur * frequency) ** 2) * np.sinc(min(frequency, 3.0) * 0.85)
        if abs(size) > 0.004:
            total += np.float32(2 * size) * np.cos(np.float32(2 * np.pi) * (np.float32(m) * x + np.float32(n) * y) - shift)
    return np.maximum(total, 0)


def _display(
    rng: np.random.Generator, flat: npt.NDArray[np.uint8], size: tuple[int, int], share: float, name: str, pitch: float | None = None
) -> Scene:
    """A display in the room, its rim now and then in sight; pitch is its pixels in a card's width, drawn when not given."""
    pitch = pitch or (rng.uniform(420, 800) if name == "lcd" else rng.uniform(700, 1500))
    shown, pad, inner = _stolen(rng, flat, pitch)
    frame = int(rng.uniform(0.02, 0.15) * pitch)
    glass = np.full((shown.shape[0] + 2 * frame, shown.shape[1] + 2 * frame, 3), 0.012, np.float32)
    value = (shown.astype(np.float32) / 255) ** np.float32(rng.uniform(2.0, 2.4))
    glass[frame : frame + shown.shape[0], frame : frame + shown.shape[1]] = value * np.array([rng.uniform(0.8, 1), 0.95, rng.uniform(0.95, 1.2)], np.float32) + rng.uniform(0.001, 0.02)
    corner = frame + pad
    h, quad = _pose(rng, inner, size, share)
    h = h @ np.array([[1, 0, -corner], [0, 1, -corner], [0, 0, 1.0]])
    picture = _onto(rng, _table(rng, size) * rng.uniform(0.1, 0.7), glass, h, size)
    back = np.linalg.inv(h)
    gx, gy = np.meshgrid(np.arange(size[0], dtype=np.float32), np.arange(size[1], dtype=np.float32))
    w = back[2, 0] * gx + back[2, 1] * gy + back[2, 2]
    x, y = ((back[0, 0] * gx + back[0, 1] * gy + back[0, 2]) / w).astype(np.float32), ((back[1, 0] * gx + back[1, 1] * gy + back[1, 2]) / w).astype(np.float32)
    cy, cx = size[1] // 2, size[0] // 2
    jacobian = np.array([[x[cy, cx + 1] - x[cy, cx], x[cy + 1, cx] - x[cy, cx]], [y[cy, cx + 1] - y[cy, cx], y[cy + 1, cx] - y[cy, cx]]])
    return picture, quad, (name, x, y, jacobian, glass.shape)


def _cells(rng: np.random.Generator, dpi: int) -> npt.NDArray[np.float32]:
    """A digital clustered-dot threshold cell: k x k device dots, dark from its middle outwards, its rows shifted to turn the screen."""
    k = int(rng.integers(4, 8)) if dpi > 500 else int(rng.integers(3, 5))
    yy, xx = np.mgrid[0:k, 0:k] - (k - 1) / 2
    order = np.argsort((xx**2 * rng.uniform(0.8, 1.3) + yy**2 + 0.01 * rng.random((k, k))).ravel())
    cell = np.empty(k * k, np.float32)
    cell[order] = (np.arange(k * k) + 0.5) / (k * k)
    return cell.reshape(k, k)


def _clustered(rng: np.random.Generator, cover: np.ndarray, dpi: int, ink: int) -> npt.NDArray[np.float32]:
    cell, (height, width) = _cells(rng, dpi), cover.shape
    k = len(cell)
    shift = (0, 1, k // 2, 2)[ink]
    rows, columns = np.arange(height)[:, None], np.arange(width)[None]
    return (cover > cell[(rows + (columns // k) * shift) % k, (columns + (rows // k) * shift * (1 if ink % 2 else -1)) % k]).astype(np.float32)


def _diffused(rng: np.random.Generator, cover: np.ndarray) -> npt.NDArray[np.float32]:
    """Knuth's dot diffusion: dots of 64 classes decide in turn and pass their error to neighbours of later classes."""
    order = rng.permutation(64).reshape(8, 8)
    height, width = (s // 8 * 8 for s in cover.shape)
    value, out = np.pad(cover[:height, :width], 8, mode="edge").astype(np.float32), np.zeros((height, width), np.float32)
    for step in range(64):
        r, c = (int(v[0]) for v in np.where(order == step))
        here = value[8 + r : 8 + height : 8, 8 + c : 8 + width : 8]
        dot = (here > 0.5).astype(np.float32)
        out[r::8, c::8] = dot
        later = [(dy, dx, 2 - abs(dy * dx)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if order[(r + dy) % 8, (c + dx) % 8] > step]
        total = sum(weight for _, _, weight in later)
        for dy, dx, weight in later:
            value[8 + r + dy : 8 + height + dy : 8, 8 + c + dx : 8 + width + dx : 8] += (here - dot) * np.float32(weight / total)
    return np.pad(out, ((0, cover.shape[0] - height), (0, cover.shape[1] - width)), mode="edge")


def _sheet(
    rng: np.random.Generator, flat: npt.NDArray[np.uint8], way: str, grey: bool
) -> tuple[npt.NDArray[np.float32], float, tuple[float, float]]:
    """A printed sheet as linear light at the device's dots, and the card's corner and size on it."""
    dpi = int(rng.choice([300, 360, 600])) if way == "diffused" else int(rng.choice([400, 600]))
    wide = int(85.6 / 25.4 * dpi)
    shown, pad, inner = _stolen(rng, flat, rng.uniform(700, 1300))
    margin = int(pad * rng.uniform(0, 0.5))
    shown = shown[pad - margin : pad + inner[1] + margin, pad - margin : pad + inner[0] + margin]
    factor = wide / inner[0]
    big = cv2.resize(shown, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC).astype(np.float32) / 255
    border = int(wide * rng.uniform(0.0, 0.25)) if rng.random() < 0.7 else 0
    big = cv2.copyMakeBorder(big, border, border, border, border, cv2.BORDER_CONSTANT, value=(1, 1, 1))
    if grey:
        inks = [1 - big @ np.array([0.299, 0.587, 0.114], np.float32)]
        colours = [np.array([0.035, 0.035, 0.04])]
    else:
        cmy = 1 - big
        key = np.clip(cmy.min(2) * 1.3 - 0.3, 0, 1)
        inks = [np.clip((cmy[..., i] - key) / np.maximum(1 - key, 0.1), 0, 1) for i in range(3)] + [key]
        colours = [np.array([0.06, 0.38, 0.68]), np.array([0.55, 0.06, 0.22]), np.array([0.8, 0.72, 0.05]), np.array([0.035, 0.035, 0.04])]
    root = np.full((*big.shape[:2], 3), np.sqrt(rng.uniform(0.78, 0.92)), np.float32) * np.array([1, 0.995, 0.98 + rng.uniform(-0.03, 0.03)], np.float32)
    for index, (cover, colour) in enumerate(zip(inks, colours)):
        dots = _clustered(rng, cover, dpi, index) if way == "clustered" else _diffused(rng, cover)
        dots = cv2.GaussianBlur(dots, (0, 0), rng.uniform(0.4, 0.9))[..., None]
        root *= 1 - np.clip(dots * rng.uniform(0.95, 1.15), 0, 1) * (1 - np.sqrt(colour)).astype(np.float32)
    grain = cv2.GaussianBlur(rng.standard_normal(root.shape[:2], dtype=np.float32), (0, 0), dpi / 150)
    light = root**2 * (1 + 0.03 * grain / grain.std())[..., None]
    corner = border + margin * factor
    return light.astype(np.float32), corner, (inner[0] * factor, inner[1] * factor)


def _paper(
    rng: np.random.Generator, flat: npt.NDArray[np.uint8], size: tuple[int, int], share: float, way: str, grey: bool = False
) -> Scene:
    sheet, corner, inner = _sheet(rng, flat, way, grey)
    h, quad = _pose(rng, inner, size, share)
    h = h @ np.array([[1, 0, -corner], [0, 1, -corner], [0, 0, 1.0]])
    return _onto(rng, _table(rng, size), sheet, h, size), quad, None


def _photographed(rng: np.random.Generator, picture: np.ndarray, lattice: Lattice | None) -> tuple[bytes, float]:
    """The sensor, its tone and coder: linear light to JPEG bytes. Orders of a lattice are folded at the sensor's own samples."""
    height, width = picture.shape[:2]
    blur = rng.uniform(0.35, 0.75)
    picture = cv2.GaussianBlur(picture, (0, 0), blur)
    yy, xx = np.mgrid[0:height, 0:width]
    channel = ((yy % 2) + (xx % 2)).astype(np.float32)  # red, green, green, blue
    if lattice:
        name, x, y, jacobian, glass = lattice
        factor = _lattice(rng, name, x, y, jacobian, blur, channel)
        on = (x > 0) & (y > 0) & (x < glass[1]) & (y < glass[0])
        glow = np.exp(-(((xx - rng.uniform(0, width)) / (0.3 * width)) ** 2 + ((yy - rng.uniform(0, height)) / (0.3 * height)) ** 2)) * rng.uniform(0, 0.06)
        picture = picture * np.where(on, factor, 1)[..., None] + glow[..., None].astype(np.float32)
    gain = rng.uniform(0.75, 1.05) / max(np.percentile(picture, 97), 0.05)
    index = channel.astype(int)
    raw = np.take_along_axis(picture, index[..., None], 2)[..., 0] * gain
    raw = np.clip(raw + rng.standard_normal(raw.shape) * np.sqrt(rng.uniform(2e-5, 2e-4) + rng.uniform(1e-4, 8e-4) * np.maximum(raw, 0)), 0, 1.2).astype(np.float32)
    planes = []
    for c, kernel in ((0, [[1, 2, 1], [2, 4, 2], [1, 2, 1]]), (1, [[0, 1, 0], [1, 4, 1], [0, 1, 0]]), (2, [[1, 2, 1], [2, 4, 2], [1, 2, 1]])):
        planes.append(cv2.filter2D(np.where(index == c, raw, 0).astype(np.float32), -1, np.array(kernel, np.float32) / 4))
    rgb = np.stack(planes, 2) * (1 + rng.uniform(-0.08, 0.08, 3)).astype(np.float32)
    toned = np.clip(rgb * (1 + rgb * 0.3) / (1 + rgb * 0.35), 0, 1) ** np.float32(1 / 2.3)
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(toned, (0, 0), 1.0)
        toned = toned + rng.uniform(0.2, 0.9) * (toned - soft)
    image = Image.fromarray(np.clip(toned * 255 + 0.5, 0, 255).astype(np.uint8))
    if rng.random() < 0.4:
        factor = rng.uniform(0.6, 0.95)
        image = image.resize((int(width * factor), int(height * factor)), Image.LANCZOS if rng.random() < 0.5 else Image.BILINEAR)
    else:
        factor = 1.0
    store = io.BytesIO()
    image.save(store, "JPEG", quality=int(rng.integers(72, 96)), subsampling=int(rng.choice([0, 2, 2, 2])))
    return store.getvalue(), factor


def one(seed: int, index: int, flats: Sequence[tuple[str, str]], attacks: Sequence[str] = ATTACKS) -> tuple[bytes, dict[str, Any]]:
    """One photograph: (JPEG bytes, truth without its file name)."""
    rng = np.random.default_rng([seed, index, 77])
    attack = attacks[index % len(attacks)]
    name, kind = flats[int(rng.integers(len(flats)))]
    flat = np.ascontiguousarray(cv2.imread(name)[..., ::-1])
    size = ((1600, 1200), (1280, 960), (1920, 1440), (1600, 1200))[int(rng.integers(4))]
    share = rng.uniform(0.45, 0.85)
    way = attack.partition("/")[2]
    if attack == "":
        picture, quad, lattice = _card(rng, flat, size, share)
    elif attack.startswith("screen"):
        picture, quad, lattice = _display(rng, flat, size, share, way)
    else:
        picture, quad, lattice = _paper(rng, flat, size, share, "clustered" if way == "laser" else way, attack.startswith("grey"))
    code, factor = _photographed(rng, picture.astype(np.float32), lattice)
    quad = [[round(float(v) * factor, 1) for v in point] for point in quad]
    return code, {"kind": kind, "attack": attack, "documents": [{"kind": kind, "quad": quad}]}


def main() -> None:
    """Parse the command line and write photographs."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.recapture_unseen")
    parser.add_argument("--flats", required=True)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    flats = _flats(args.flats)
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
