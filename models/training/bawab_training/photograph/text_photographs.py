"""Lines out of photographs of the factory's documents, as training lines of the word recogniser.

    python -m bawab_training.photograph.text_photographs --count 2400 --seed 5 --portraits FACES --out DIR

A drawn line (text_lines) has the print, paper and camera of one line; these have a card's: its security pattern, the
rows around them, tilt, shadow, lens and coder. They are kept upright but uncut: rows and ends reach as far around the
glyph box as those of an ink drawing, so that every use cuts them anew with the errors of a line finder.

A folder holds parts that several runs with different seeds may write side by side: NAME.npy, all lines of the part one
after the other, uint8, and NAME.json, one entry per line.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import documents_flat, text_content
from . import documents, text_lines
from ..draw.content import pick
from ..draw.pages import Page
from .photograph import View

KINDS = (
    ("national_id_front", 0.4), ("national_id_back", 0.24), ("driving_license", 0.12), ("car_license_front", 0.08), ("car_license_back", 0.08),
    ("passport", 0.05), ("unknown", 0.03),
)
SIZES = ((1024, 768), (1280, 960), (1280, 720), (960, 1280), (1600, 1200))
RULES = documents.Difficulty(tilt=32, glyph=9.0, contrast=16.0, level=(0.0, 0.9), fingers=0.1, burnt=0.05)
_LEAST, _MOST = 7.5, 30.0  # pixels of a glyph box: below, nobody reads a word; above, a strip shows no more of it
_NUMBERS = 0.25  # share of the lines without a letter that is kept: they have a network of their own
_PART = 60  # documents in a part


def upright(grey: npt.NDArray[np.uint8], quad: np.ndarray, scale: float) -> npt.NDArray[np.uint8]:
    """The surroundings of the line whose glyph box has the corners quad (TL TR BR BL), with a glyph box scale rows high."""
    unit = scale / text_lines.CAP
    length = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
    height = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    span = length * scale / height
    left, base = text_lines.SIDE * unit, text_lines.ABOVE * unit
    target = np.float32([[left, base - scale], [left + span, base - scale], [left + span, base], [left, base]]) - 0.5
    matrix = cv2.getPerspectiveTransform(np.float32(quad), target)
    size = round(span + 2 * left), round((text_lines.ABOVE + text_lines.BELOW) * unit)
    return cv2.warpPerspective(grey, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def _lines(
    rng: np.random.Generator, grey: npt.NDArray[np.uint8], page: Page, view: View, hidden: Sequence[str]
) -> Iterator[tuple[npt.NDArray[np.uint8], float, str]]:
    """Yield (upright picture, glyph box height, label) of the lines of a photographed page that can be read."""
    for line in page.lines:
        text = text_content.clean(line.text)
        label = " ".join(text_content.label(text).split())
        if line.kind == "mrz" or not label or set(line.role.split("+")) & set(hidden):
            continue
        # Digits that stand apart are printed one by one, in an order that the bidi rules do not tell.
        if not any(sign.isalpha() for sign in label) and (" " in label or rng.random() > _NUMBERS):
            continue
        quad = view.forward(line.quad)
        height = (np.linalg.norm(quad[3] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
        length = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2
        inside = (quad > 0).all() and (quad < [grey.shape[1], grey.shape[0]]).all()
        if inside and height >= _LEAST and length * text_lines.STRIP_CAP / height < 0.72 * text_lines.LONGEST:
            scale = min(height, _MOST)
            yield upright(grey, quad, scale), scale, label


def _photograph(seed: int, index: int, faces: Sequence[str]) -> list[tuple[npt.NDArray[np.uint8], float, str]]:
    """Draw and photograph one document; returns its lines."""
    kinds, shares = zip(*KINDS)
    for attempt in range(20):
        rng = np.random.default_rng([seed, index, attempt])
        page = documents_flat.draw(rng, kinds[int(rng.choice(len(kinds), p=shares))], documents.SCALE, faces)
        shot = documents.photograph_of(page, rng, pick(rng, SIZES), RULES, held_out=False)
        if shot is not None:
            break
    else:
        raise RuntimeError(f"photograph document {index}: no view within the rules")
    picture, view, level, hidden = shot
    quality = int(rng.integers(95 - 55 * level, 96))
    grey = cv2.imdecode(cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_GRAYSCALE)
    return list(_lines(rng, grey, page, view, hidden))


def write(count: int, seed: int, faces: Sequence[str], out: str) -> None:
    """Photograph count documents into out, in parts; goes on where an earlier run of the same seed stopped."""
    os.makedirs(out, exist_ok=True)
    for first in range(0, count, _PART):
        path = os.path.join(out, f"{seed}-{first:05d}")
        if os.path.exists(path + ".json"):
            continue
        found = [line for index in range(first, min(first + _PART, count)) for line in _photograph(seed, index, faces)]
        np.save(path + ".npy", np.concatenate([picture.ravel() for picture, _, _ in found]))
        entries = [{"shape": picture.shape, "scale": round(float(scale), 3), "label": label} for picture, scale, label in found]
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(entries, file, ensure_ascii=False)
        os.replace(path + ".new", path + ".json")
        print(f"{first + _PART} documents, {len(found)} lines in the last part", flush=True)


def read(folder: str) -> list[text_lines.Cutting]:
    """The lines of a folder as text_lines.Cutting; their pictures stay on disk until they are used."""
    found = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        store, start = np.load(path[:-5] + ".npy", mmap_mode="r"), 0
        with open(path, encoding="utf-8") as file:
            for entry in json.load(file):
                size = entry["shape"][0] * entry["shape"][1]
                found.append(text_lines.Cutting(store[start : start + size].reshape(entry["shape"]), entry["scale"], entry["label"]))
                start += size
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.text_photographs")
    parser.add_argument("--count", type=int, default=2400, help="documents to photograph")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--portraits", default="")
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    write(arguments.count, arguments.seed, documents.faces_of(arguments.portraits), arguments.out)


if __name__ == "__main__":
    main()
