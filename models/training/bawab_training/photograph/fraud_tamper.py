"""Tampered photographs: another portrait, or a field with other signs, put into pictures of genuine cards.

    python -m bawab_training.photograph.fraud_tamper --photographs DIR --portraits DIR --way pasted|blended --count 80 --seed 1 --out DIR

Two simulators of the attack in a picture that was taken already. *pasted* calibrates: a digital portrait or newly drawn signs,
laid on with a soft rim and coded again. *blended* only tests: the portrait of another photograph made to fit by Poisson's equation and noise of the
picture's strength, signs copied from elsewhere in the line. truth.jsonl has file, kind, attack, and the documents of the photograph.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import arabic_fonts, canvas

PORTRAIT = (0.045, 0.12, 0.3, 0.64)  # left, top, right, bottom on the front of an ID: covers the portraits of most cards
ROLES = ("number", "name_1", "birth", "issued", "expiry")
DIGITS = "٠١٢٣٤٥٦٧٨٩"


def _rectangle(quad: npt.ArrayLike, box: tuple[float, float, float, float]) -> npt.NDArray[np.float32]:
    """The corners in the picture of a box in shares of a quad."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    h = cv2.getPerspectiveTransform(unit, np.array(quad, np.float32))
    left, top, right, bottom = box
    return cv2.perspectiveTransform(np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], np.float32), h)[0]


def _lay(
    picture: npt.NDArray[np.uint8], patch: npt.NDArray[np.uint8], corners: npt.NDArray[np.float32], feather: float
) -> npt.NDArray[np.uint8]:
    """Warp a patch onto four corners of the picture with a rim of feather pixels."""
    height, width = patch.shape[:2]
    h = cv2.getPerspectiveTransform(np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32), corners.astype(np.float32))
    size = picture.shape[1::-1]
    warped = cv2.warpPerspective(patch, h, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    mask = cv2.warpPerspective(np.full((height, width), 255, np.uint8), h, size)
    if feather > 0:
        mask = cv2.GaussianBlur(cv2.erode(mask, None, iterations=int(np.ceil(feather))), (0, 0), feather)
    share = mask[..., None].astype(np.float32) / 255
    return np.clip(picture * (1 - share) + warped * share + 0.5, 0, 255).astype(np.uint8)


def portrait_pasted(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], quad: npt.ArrayLike, faces: Sequence[str]
) -> npt.NDArray[np.uint8]:
    """A digital portrait over the old one, its brightness brought near."""
    face = cv2.imread(faces[int(rng.integers(len(faces)))])
    corners = _rectangle(quad, PORTRAIT)
    old = picture[tuple(slice(max(0, int(v.min())), int(v.max()) + 1) for v in (corners[:, 1], corners[:, 0]))]
    if rng.random() < 0.7:
        face = np.repeat(cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
    face = np.clip((face - face.mean()) * rng.uniform(0.7, 1.0) + old.mean((0, 1)), 0, 255).astype(np.uint8)
    return _lay(picture, face, corners, rng.uniform(0, 2))


def portrait_blended(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], quad: npt.ArrayLike, faces: Sequence[str]
) -> npt.NDArray[np.uint8]:
    """A portrait that was photographed before (soft, noisy, coded), fitted in its gradients, with noise as the picture has it."""
    face = cv2.imread(faces[int(rng.integers(len(faces)))])
    face = cv2.GaussianBlur(face, (0, 0), rng.uniform(0.4, 1.6))
    face = np.clip(face + rng.normal(0, rng.uniform(1, 5), face.shape), 0, 255).astype(np.uint8)
    corners = _rectangle(quad, PORTRAIT)
    laid = _lay(picture, face, corners, 0)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [corners.astype(np.int32)], 255)
    box = cv2.boundingRect(mask)
    inside = (slice(max(0, box[1]), box[1] + box[3]), slice(max(0, box[0]), box[0] + box[2]))
    centre = (box[0] + box[2] // 2, box[1] + box[3] // 2)
    try:
        out = cv2.seamlessClone(laid[inside], picture, mask[inside], centre, cv2.NORMAL_CLONE)
    except cv2.error:
        out = laid
    noise = rng.normal(0, rng.uniform(0.5, 3), out.shape) * (mask[..., None] > 0)
    return np.clip(out + noise, 0, 255).astype(np.uint8)


def _segment(rng: np.random.Generator, line: Mapping[str, Any], share: float) -> tuple[npt.NDArray[np.float32], float]:
    """Four corners of a piece of a line, share of its length, a little higher than its signs."""
    quad = np.array(line["quad"], np.float64)
    start = rng.uniform(0, 1 - share)
    def at(t: float, v: float) -> np.ndarray:
        upper, lower = quad[0] * (1 - t) + quad[1] * t, quad[3] * (1 - t) + quad[2] * t
        return upper * (1 - v) + lower * v
    return np.array([at(start, -0.35), at(start + share, -0.35), at(start + share, 1.35), at(start, 1.35)], np.float32), start


def _flat(picture: npt.NDArray[np.uint8], corners: npt.NDArray[np.float32], height: int = 48) -> npt.NDArray[np.uint8]:
    """The piece of the picture under corners, laid flat; and its size."""
    wide = np.linalg.norm(corners[1] - corners[0]) / max(np.linalg.norm(corners[3] - corners[0]), 1) * height
    size = (max(8, int(wide)), height)
    h = cv2.getPerspectiveTransform(corners, np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32))
    return cv2.warpPerspective(picture, h, size, flags=cv2.INTER_AREA)


def text_pasted(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], line: Mapping[str, Any], share: float | None = None
) -> npt.NDArray[np.uint8]:
    """Signs of a line painted over with the paper's colour and drawn anew in another font; share of its length, drawn when not given."""
    corners, _ = _segment(rng, line, share or rng.uniform(0.12, 0.4))
    piece = _flat(picture, corners)
    paper = np.percentile(piece, 85, axis=(0, 1))
    ink = np.percentile(piece, 4, axis=(0, 1))
    patch = np.tile(paper.astype(np.uint8), (*piece.shape[:2], 1))
    digits = "".join(DIGITS[int(d)] for d in rng.integers(0, 10, max(1, round(piece.shape[1] / 22))))
    sheet = canvas.Image.fromarray(np.ascontiguousarray(patch))
    files = arabic_fonts.paths()
    font = canvas.ImageFont.truetype(str(files[int(rng.integers(len(files)))]), int(rng.integers(26, 38)))
    draw = canvas.ImageDraw.Draw(sheet)
    draw.text((piece.shape[1] / 2, 24), digits, font=font, fill=tuple(int(v) for v in ink), anchor="mm")
    return _lay(picture, np.asarray(sheet), corners, rng.uniform(0, 1.2))


def text_blended(rng: np.random.Generator, picture: npt.NDArray[np.uint8], line: Mapping[str, Any]) -> npt.NDArray[np.uint8]:
    """Signs copied from elsewhere in the line, or from another size, over a piece of it."""
    share = rng.uniform(0.1, 0.3)
    corners, start = _segment(rng, line, share)
    for _ in range(10):
        source, other = _segment(rng, line, share)
        if abs(other - start) > share:
            break
    piece = _flat(picture, source, int(max(12, np.linalg.norm(source[3] - source[0]))))
    if rng.random() < 0.5:
        piece = np.clip(piece.astype(np.float32) + rng.normal(0, 4, 3), 0, 255).astype(np.uint8)
    return _lay(picture, piece, corners, rng.uniform(0.3, 1.5))


WAYS = {"pasted": (portrait_pasted, text_pasted), "blended": (portrait_blended, text_blended)}


def main() -> None:
    """Parse the command line and write tampered photographs: portraits and texts in turn."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.fraud_tamper")
    parser.add_argument("--photographs", required=True)
    parser.add_argument("--portraits", required=True)
    parser.add_argument("--way", choices=sorted(WAYS), required=True)
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    faces = sorted(glob.glob(os.path.join(args.portraits, "*.png")))
    with open(os.path.join(args.photographs, "truth.jsonl"), encoding="utf-8") as source:
        truths = [json.loads(line) for line in source]
    portrait, text = WAYS[args.way]
    done = 0
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as out:
        for index, truth in enumerate(truths):
            rng = np.random.default_rng([args.seed, index])
            document = truth["documents"][0]
            lines = [line for line in document["lines"] if line["role"] in ROLES]
            face = document["kind"] == "national_id_front" and done % 2 == 0
            if done >= args.count or not face and not lines:
                continue
            picture = cv2.imread(os.path.join(args.photographs, truth["file"]))
            if face:
                picture, cue = portrait(rng, picture, document["quad"], faces), "portrait_replaced"
            else:
                picture, cue = text(rng, picture, lines[int(rng.integers(len(lines)))]), "text_altered"
            name = f"{done:04d}.jpg"
            cv2.imwrite(os.path.join(args.out, name), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(75, 97))])
            out.write(json.dumps({"file": name, "kind": document["kind"], "attack": f"{cue}/{args.way}", "documents": [document]}, ensure_ascii=False) + "\n")
            done += 1


if __name__ == "__main__":
    main()
