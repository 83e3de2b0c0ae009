"""Street pictures of plates with their truth, for `bawab eval plates`.

    python -m bawab_training.photograph.plate_scenes --count 300 --seed 7101 [--held-out] [--none 0.1] --out DIR

Every picture is NNNN.jpg and one JSON line of truth.jsonl: file, result, quad (TL TR BR BL of the plate, pixels), share (of the
picture that the plate covers), light ("day", "dusk" or "night") and motorcycle. The plate hangs on the back of a drawn car or
stands before any background, seen up to 35 degrees from the side, clean or dirty, sharp or not. With --none that share of the
pictures shows a foreign plate, a toy's or none: their result is "" and "none" says which.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, patterns, plates
from . import photograph, plate_data
from ..draw.content import pick
from .documents import outline, rounded, save
from ..draw.pages import Page

SCALE = 12  # pixels per quarter millimetre of the real plate
SIZES = ((1024, 768), (1280, 960), (1600, 1200), (1200, 1600), (1280, 720))
LEAST_SIGN = 13  # pixels that the tallest sign of a plate has at least


def _tone(rng: np.random.Generator) -> tuple[int, ...]:
    """A car's paint."""
    grey = int(rng.integers(10, 245))
    return pick(rng, [(grey, grey, grey), (grey, grey, grey), tuple(int(v) for v in rng.integers(10, 230, 3))])


def _shade(colour: Sequence[int], factor: float) -> tuple[int, ...]:
    return tuple(int(np.clip(v * factor, 0, 255)) for v in colour)


def car(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
    """The back or front of a car that fills a picture of size (width, height), its plate's recess about the middle."""
    paint = _tone(rng)
    image = patterns.blend(rng, size, [_shade(paint, rng.uniform(0.5, 1.3)), _shade(paint, rng.uniform(0.7, 1.2)), _shade(paint, 0.6)])
    width, height = size
    for _ in range(int(rng.integers(2, 6))):  # edges of panels, bumper and chrome
        y, thick = int(rng.uniform(0, height)), int(rng.uniform(1, 0.03 * height)) + 1
        tone = pick(rng, [_shade(paint, 0.35), _shade(paint, 1.5), (30, 30, 30), (215, 215, 220)])
        bow = int(rng.uniform(-0.08, 0.08) * height)
        points = np.array([[x, y + bow * (2 * x / width - 1) ** 2] for x in np.linspace(0, width, 20)], np.int32)
        cv2.polylines(image, [points], False, tone, thick, cv2.LINE_AA)
    for side in (0, 1):  # lamps
        if rng.random() < 0.7:
            centre = (int(width * (rng.uniform(0.02, 0.2) if side == 0 else rng.uniform(0.8, 0.98))), int(rng.uniform(0.1, 0.6) * height))
            colour = pick(rng, [(190, 20, 25), (230, 110, 20), (225, 225, 235)])
            cv2.ellipse(image, centre, (int(rng.uniform(0.04, 0.14) * width), int(rng.uniform(0.04, 0.15) * height)), rng.uniform(-20, 20), 0, 360, colour, -1, cv2.LINE_AA)
    if rng.random() < 0.5:  # a grille
        top = int(rng.uniform(0.05, 0.7) * height)
        for k in range(int(rng.integers(3, 9))):
            y = top + int(k * 0.03 * height)
            cv2.line(image, (int(0.25 * width), y), (int(0.75 * width), y), (25, 25, 25), max(1, int(0.012 * height)), cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 2.5))


def _dirty(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Dust and splashes of mud that leave the signs to be read."""
    height, width = image.shape[:2]
    mud, veil = np.array(pick(rng, [(120, 95, 70), (90, 80, 70), (150, 130, 105)])), patterns.smooth_field(rng, (width, height), 6)
    share = (np.clip(veil - rng.uniform(0.3, 0.7), 0, 1) * rng.uniform(0.3, 1.1))[..., None]
    image = (image * (1 - share) + mud * share).astype(np.uint8)
    for _ in range(int(rng.integers(0, 25))):
        centre = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
        cv2.circle(image, centre, max(1, int(rng.uniform(0.002, 0.012) * width)), tuple(int(v) for v in mud), -1, cv2.LINE_AA)
    return image


def _lit(rng: np.random.Generator, picture: npt.NDArray[np.uint8], light: str) -> npt.NDArray[np.uint8]:
    if light == "day":
        return degrade.contrast(picture, rng.uniform(0.75, 1.15), rng.uniform(-15, 20))
    gain = rng.uniform(0.4, 0.7) if light == "dusk" else rng.uniform(0.22, 0.42)
    picture = degrade.contrast(picture, gain, -127.5 * (1 - gain) + rng.uniform(0, 10))
    return degrade.noise(picture, rng.uniform(2, 5) if light == "dusk" else rng.uniform(4, 8), rng, 0.6)


def _surround(rng: np.random.Generator, size: tuple[int, int], held_out: bool) -> npt.NDArray[np.uint8]:
    if rng.random() < 0.7:
        return car(rng, size)
    factor = 600 / max(size)
    small = patterns.table(rng, (max(2, round(size[0] * factor)), max(2, round(size[1] * factor))), held_out)
    return cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)


def _sheet(rng: np.random.Generator, held_out: bool, none: str) -> tuple[Page, str, float, bool]:
    """(Page, result, box of the tallest sign's height in page pixels, motorcycle) of a plate, or of what is none."""
    if none == "foreign" or none == "toy":
        image, signs = plates.foreign(rng, SCALE, held_out, words=none == "toy")
        height, width = image.shape[:2]
        return Page(image, [], np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), "license_plate", None), "", 0.3 * height, False
    for _ in range(50):
        content = plate_data.content(rng)
        page, signs = plates.drawn(rng, SCALE, held_out, content)
        if all(plate_data.sign_class(sign) < plate_data.OTHER for sign, *_ in signs):
            motorcycle = page.image.shape[1] < 1.7 * page.image.shape[0]
            return page, plates.result_of(content), max(box[3] - box[1] for _, *box in signs), motorcycle
    raise RuntimeError("draw a plate of the rules: none in 50")


def scene(rng: np.random.Generator, held_out: bool = False, none: str = "") -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
    """(RGB picture, truth without its file name) of one plate, or of none of Egypt's: foreign, toy or nothing."""
    while True:
        size, light = pick(rng, SIZES), pick(rng, ["day", "day", "day", "dusk", "night"])
        picture = _surround(rng, size, held_out)
        share = np.exp(rng.uniform(np.log(0.08), np.log(0.9)))
        truth: dict[str, Any] = {"result": "", "none": none or None, "light": light}
        if none != "nothing":
            page, result, sign, motorcycle = _sheet(rng, held_out, none)
            if rng.random() < 0.3:
                page.image = _dirty(rng, page.image)
            tilt = np.radians(35) * rng.random() ** 0.7
            view = photograph.place(rng, page, size, share, tilt, rng.normal(0, 0.09), must=page.corners.astype(np.float32), margin=2)
            if view is None:
                continue
            corners = outline(view, page.corners)
            scale = np.sqrt(cv2.contourArea(corners) / (view.size[0] * view.size[1]))
            if sign * scale < LEAST_SIGN:
                continue
            photograph.drop_shadow(rng, picture, view)
            view.lay(page.image, photograph.sheet_alpha(page.image, rng.uniform(0.5, 3) * SCALE), picture)
            area = cv2.contourArea(corners) / (size[0] * size[1])
            truth |= {"result": result, "quad": rounded(corners), "share": round(float(area), 3), "motorcycle": motorcycle}
            unit = sign * scale / 40
        else:
            unit = 1.0
        picture = photograph.spoil(_lit(rng, picture, light), rng, rng.uniform(0, 0.6), min(unit, 2.5), glare=False)
        return picture, truth


def main() -> None:
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.plate_scenes")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--held-out", action="store_true", help="fonts and tables that training never sees")
    parser.add_argument("--none", type=float, default=0.0, help="share of pictures without a plate of Egypt's")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(args.count):
            rng = np.random.default_rng([args.seed, index])
            none = pick(rng, ["foreign", "toy", "nothing"]) if rng.random() < args.none else ""
            picture, truth = scene(rng, args.held_out, none)
            name = f"{index:04d}.jpg"
            save(os.path.join(args.out, name), picture, rng.integers(55, 96))
            lines.write(json.dumps({"file": name, **{k: v for k, v in truth.items() if v is not None}}, ensure_ascii=False) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
