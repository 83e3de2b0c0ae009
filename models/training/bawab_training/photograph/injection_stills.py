"""The stills that forgers of injected media begin with: one JSON line each, cards' portraits cut out and enlarged.

    python -m bawab_training.photograph.injection_stills --teachers TEACHERS --out DIR [--nuaa FOLDER] [--lfw FOLDER] \\
        [--samples ../samples] [--portraits DIR] [--seed 1]

DIR/stills.jsonl has path, person, kind (webcam, press, card) and others (stills of the same person at another moment); cut
portraits lie in DIR/cards. TEACHERS holds ultraface and mediapipe; --samples is a folder with pictures of cards, --portraits
one of bawab_training.draw.portraits, which are printed on cards of this module's own.
"""

from __future__ import annotations

import argparse
import csv
import glob
import json
import os
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import patterns
from . import camera_model
from .injection_face import Face, Finder


def webcam(folder: str) -> Iterator[dict[str, Any]]:
    """Living frames of nuaa-bursts-dev: the first of every burst, with frames of other bursts of the same sitting."""
    with open(os.path.join(folder, "bursts.csv"), encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines) if row["kind"] == "live"]
    sittings: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        sitting = os.path.basename(row["f1"]).rsplit("_", 1)[0]
        sittings.setdefault(sitting, []).append(row)
    for sitting, members in sittings.items():
        for row in members:
            others = [row["f2"], row["f3"]] + [m["f1"] for m in members if m is not row]
            others = [os.path.join(folder, o) for o in others]
            yield {"path": os.path.join(folder, row["f1"]), "person": "nuaa-" + row["person"], "kind": "webcam", "others": others}


def press(folder: str) -> Iterator[dict[str, Any]]:
    """LFW photographs, one a person, with the person's other photographs."""
    for person in sorted(os.listdir(folder)):
        files = sorted(glob.glob(os.path.join(folder, person, "*.jpg")))
        if files:
            yield {"path": files[0], "person": "lfw-" + person, "kind": "press", "others": files[1:4]}


def printed(rng: np.random.Generator, portrait: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A photograph of a card of this module's own that carries the portrait: RGB."""
    width, height = 1000, 630
    colours = [patterns.pastel(rng, 190), patterns.pastel(rng, 215)]
    card = patterns.blend(rng, (width, height), colours).astype(np.float32)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    for _ in range(3):
        wave = np.sin(x * rng.uniform(0.05, 0.3) + rng.uniform(4, 20) * np.sin(y * rng.uniform(0.01, 0.04)))
        card += rng.uniform(3, 9) * wave[..., None]
    high = int(rng.uniform(300, 400))
    wide = int(high * rng.uniform(0.72, 0.82))
    left, top = int(rng.uniform(30, 90)), int(rng.uniform(90, 180))
    tile = cv2.resize(portrait, (wide, high), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    grey = tile.mean(-1, keepdims=True)
    tile = grey + (tile - grey) * rng.uniform(0.25, 1)
    under = card[top:top + high, left:left + wide]
    card[top:top + high, left:left + wide] = tile * (0.55 + 0.45 * under / 255)
    for row in range(6):
        cv2.line(card, (int(rng.uniform(480, 700)), 150 + 70 * row), (930, 150 + 70 * row), (60, 60, 70), int(rng.integers(6, 14)))
    card = cv2.GaussianBlur(np.clip(card, 0, 255), (0, 0), rng.uniform(0.5, 1.2))
    return _photographed(rng, card)


def _photographed(rng: np.random.Generator, card: npt.NDArray[np.float32]) -> npt.NDArray[np.uint8]:
    """The card on a table under a phone's camera."""
    height, width = card.shape[:2]
    size = (1280, 960)
    table = np.full((size[1], size[0], 3), rng.uniform(30, 150, 3), np.float32)
    fill = rng.uniform(0.62, 0.9) * size[0] / width
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    target = (corners - [width / 2, height / 2]) * fill + np.array(size) / 2 + rng.normal(0, 14, (4, 2))
    matrix = cv2.getPerspectiveTransform(corners, target.astype(np.float32))
    cv2.warpPerspective(card, matrix, size, dst=table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    light = camera_model.light_of(table) * rng.uniform(0.75, 1.05)
    camera = camera_model.draw(rng, rng.uniform(0, 0.6))
    return camera_model.decoded(camera_model.jpeg(camera_model.expose(rng, camera, light), camera.quality, 2))


def _tint_corrected(rng: np.random.Generator, crop: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """What a forger does against a card's tint: levels and grey world, in part."""
    picture = crop.astype(np.float32)
    mean = picture.mean((0, 1))
    picture *= 1 + rng.uniform(0.2, 0.9) * (mean.mean() / np.maximum(mean, 1) - 1)
    low, high = np.percentile(picture, (1, 99))
    stretched = (picture - low) * 235 / max(high - low, 30) + 10
    picture += rng.uniform(0.3, 0.9) * (stretched - picture)
    hsv = cv2.cvtColor(np.clip(picture, 0, 255).astype(np.uint8), cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 1] *= rng.uniform(1.0, 1.6)
    return cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2RGB)


def cut(rng: np.random.Generator, picture: npt.NDArray[np.uint8], face: Face) -> npt.NDArray[np.uint8] | None:
    """The portrait of a card's picture, enlarged to a selfie, or None where it is too small."""
    unit, middle = face.across, face.middle
    if unit < 32:
        return None
    span = face.flat[263] - face.flat[33]
    level = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), float(np.degrees(np.arctan2(span[1], span[0]))), 1)
    picture = cv2.warpAffine(picture, level, picture.shape[1::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    reach = unit * np.array([rng.uniform(0.85, 1.0), rng.uniform(1.25, 1.4), rng.uniform(0.85, 1.0), rng.uniform(1.0, 1.15)])
    left, top = np.maximum(middle - reach[:2], 0).astype(int)
    right, bottom = np.minimum(middle + reach[2:], picture.shape[1::-1]).astype(int)
    crop = _tint_corrected(rng, picture[top:bottom, left:right])
    size = [(640, 480), (480, 640), (640, 480), (960, 1280)][int(rng.integers(4))]
    fill = rng.uniform(0.72, 0.98) * size[1] / crop.shape[0]
    if size[1] > size[0] and rng.random() < 0.35:
        fill = max(size[0] / crop.shape[1], size[1] / crop.shape[0])
    crop = cv2.resize(crop, None, fx=fill, fy=fill, interpolation=cv2.INTER_CUBIC)
    return _laid(rng, crop, size)


def _laid(rng: np.random.Generator, crop: npt.NDArray[np.uint8], size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """The enlarged crop in a picture of size, its rim faded into a wall of its own colour."""
    canvas = np.empty((size[1], size[0], 3), np.float32)
    rim = np.concatenate([crop[:6].reshape(-1, 3), crop[:, :4].reshape(-1, 3), crop[:, -4:].reshape(-1, 3)])
    canvas[:] = np.median(rim, 0)
    canvas += cv2.GaussianBlur(rng.normal(0, 400, canvas.shape).astype(np.float32), (0, 0), 45)
    left, top = (size[0] - crop.shape[1]) // 2, size[1] - crop.shape[0]
    if top < 0:
        crop, top = crop[-top // 2:][:size[1]], 0
    if left < 0:
        crop, left = crop[:, -left:-left + size[0]], 0
    height, width = crop.shape[:2]
    fade = max(4, width // 14)
    ramp = np.minimum(np.minimum(np.arange(width), np.arange(width)[::-1]) / fade, 1) if width < size[0] else np.ones(width)
    down = np.minimum(np.arange(height) / fade, 1) if height < size[1] else np.ones(height)
    mask = np.minimum(ramp[None], down[:, None]).astype(np.float32)[..., None]
    part = canvas[top:top + height, left:left + width]
    part[:] = crop * mask + part * (1 - mask)
    return np.clip(canvas, 0, 255).astype(np.uint8)


def cards(finder: Finder, seed: int, samples: str | None, portraits: str | None, out: str) -> Iterator[dict[str, Any]]:
    """Cut and write portraits of card pictures; yields their lines."""
    folder = os.path.join(out, "cards")
    os.makedirs(folder, exist_ok=True)
    files = sorted(glob.glob(os.path.join(samples, "**", "*.jpg"), recursive=True)) if samples else []
    files = [f for f in files if not {"burst", "face.jpg"} & set(f.split(os.sep))]
    files += sorted(glob.glob(os.path.join(portraits, "*.png"))) if portraits else []
    for index, path in enumerate(files):
        rng = np.random.default_rng([seed, index, 31])
        picture = cv2.imread(path)[..., ::-1].copy()
        if path.endswith(".png"):
            picture = printed(rng, picture)
        face = finder(picture)
        still = cut(rng, picture, face) if face else None
        if still is None or finder(still) is None:
            continue
        name = os.path.join(folder, f"{index:03d}.png")
        cv2.imwrite(name, still[..., ::-1])
        source = os.path.relpath(path, samples if path.endswith(".jpg") else portraits)
        yield {"path": name, "person": "card-" + os.path.splitext(source)[0], "kind": "card", "others": []}


def main() -> None:
    """Parse the command line and write the list."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.injection_stills")
    parser.add_argument("--teachers", required=True)
    parser.add_argument("--nuaa")
    parser.add_argument("--lfw")
    parser.add_argument("--samples")
    parser.add_argument("--portraits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    rows = list(webcam(args.nuaa)) if args.nuaa else []
    rows += list(press(args.lfw)) if args.lfw else []
    rows += list(cards(Finder(args.teachers), args.seed, args.samples, args.portraits, args.out))
    with open(os.path.join(args.out, "stills.jsonl"), "w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
