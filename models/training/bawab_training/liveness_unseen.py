"""Attacks by simulators that never train, and living faces through the same camera: for figures alone.

    python -m bawab_training.liveness_unseen --pool POOL --sources FILE --count 40 --seed 1 --out DIR

The screens, printers and the camera are those of recapture_unseen.py, which shares no code with what trains. The faces are held-out
photographs of a face_pool and NUAA's test persons. Writes JPEG frames of 640 x 480 and truth.jsonl: file, kind, middle, size (of the face in pixels).
"""

import argparse
import json
import os

import cv2
import numpy as np

from . import face_pool, liveness_sources, recapture_unseen

FRAME = (640, 480)
KINDS = ("live", "lcd", "oled", "phone", "clustered", "diffused", "laser")


def portraits(pool, sources):
    """Faces that no training saw, of photographs and of NUAA: lists of (path, middle, size)."""
    wild, booth = [], []
    held = face_pool.Pool(pool, held=True)
    for index in np.flatnonzero(["lfw" in path for path in held.path])[1::2]:  # liveness_sources has the others
        box = held.box[index] + 0.5
        wild.append((str(held.path[index]), (box[:2] + box[2:]) / 2, float(np.sqrt(np.prod(box[2:] - box[:2])))))
    with np.load(sources) as data:
        for path, middle, size in zip(data["path"], data["middle"], data["size"]):
            if liveness_sources.kind_of(str(path)) == "live" and liveness_sources.person_of(str(path)) in liveness_sources.TEST:
                booth.append((str(path), middle, float(size)))
    return wild, booth


def _card(rng, image, middle, size):
    """What is shown, and where its face is."""
    reach = rng.uniform([0.6, 0.65, 0.6, 0.65], [1.05, 1.1, 1.05, 1.2]) * size
    left, top = np.maximum(middle - reach[:2], 0).astype(int)
    right, bottom = np.minimum(middle + reach[2:], image.shape[1::-1]).astype(int)
    zoom = 400 / (right - left)
    return cv2.resize(image[top:bottom, left:right], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), (middle - [left, top]) * zoom, size * zoom


def frame(rng, kind, image, middle, size):
    """One frame: (JPEG bytes, middle, size)."""
    face = rng.uniform(90, 170)
    if kind == "live":
        k = face / size
        at = np.array(FRAME) / 2 + rng.normal(0, 12, 2)
        matrix = np.column_stack([np.eye(2) * k, at - k * middle])
        tile = cv2.warpAffine(image, matrix, FRAME, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        code, factor = recapture_unseen._photographed(rng, recapture_unseen._light(tile), None)
        return code, at * factor, face * factor
    card, middle, size = _card(rng, image, middle, size)
    share = face * card.shape[1] / size / FRAME[0]
    while True:
        if kind in ("lcd", "oled", "phone"):
            picture, quad, lattice = recapture_unseen._display(rng, card, FRAME, share, kind)
        else:
            picture, quad, lattice = recapture_unseen._paper(rng, card, FRAME, share, "clustered" if kind == "laser" else kind, kind == "laser")
        if quad[0][1] < quad[3][1]:  # now and then a document lies upside down there
            break
    code, factor = recapture_unseen._photographed(rng, picture.astype(np.float32), lattice)
    corners = np.array([[0, 0], [card.shape[1], 0], card.shape[1::-1], [0, card.shape[0]]], np.float32)
    h = cv2.getPerspectiveTransform(corners, (quad * factor).astype(np.float32))
    around = middle + size / 2 * np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])
    seen = cv2.perspectiveTransform(around[None].astype(np.float64), h)[0]
    return code, seen[0], float(np.sqrt(np.linalg.norm(seen[2] - seen[1]) * np.linalg.norm(seen[4] - seen[3])))


def main():
    """Parse the command line and write the frames."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness_unseen")
    parser.add_argument("--pool", required=True, help="folder of face_pool")
    parser.add_argument("--sources", required=True, help="file of liveness_sources")
    parser.add_argument("--count", type=int, default=40, help="frames of each kind; of living faces four times as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    wild, booth = portraits(args.pool, args.sources)
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(args.count * (len(KINDS) + 3)):
            kind = KINDS[max(0, index % (len(KINDS) + 3) - 3)]
            rng = np.random.default_rng([args.seed, index, 55])
            rows = booth if rng.random() < 0.4 else wild
            path, middle, size = rows[int(rng.integers(len(rows)))]
            image = np.ascontiguousarray(cv2.imread(path)[..., ::-1])
            code, middle, size = frame(rng, kind, image, np.asarray(middle, np.float64), size)
            name = f"{index:04d}-{kind}.jpg"
            with open(os.path.join(args.out, name), "wb") as file:
                file.write(code)
            lines.write(json.dumps({"file": name, "kind": kind, "middle": [float(v) for v in middle], "size": float(size)}) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
