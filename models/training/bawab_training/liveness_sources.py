"""The faces with surroundings that the simulators of presentation attacks draw on, and the crops of NUAA by person.

    python -m bawab_training.liveness_sources --pool POOL --nuaa NUAA --finder ../faces.tflite --out FILE [--held]

Where the face lies comes from the teachers (photographs of a face_pool) or, in NUAA, from the detector that ships, as the service
will see it. A rough matte of the person (GrabCut) lets a simulator change the background.

Persons of NUAA are split for good: TEST and VALIDATION ones never train, neither as faces nor as pieces of a background.
"""

import argparse
import glob
import os
import re
from dataclasses import dataclass

import cv2
import numpy as np

TEST, VALIDATION = ("0004", "0009"), ("0002", "0008")
MATTE = 76  # side of the stored matte


@dataclass
class Portrait:
    """A photograph: uint8 RGB; middle (x, y) and size (root of the box's area) of its face in pixels; matte H x W uint8, 255 is the person."""

    image: np.ndarray
    middle: np.ndarray
    size: float
    matte: np.ndarray


def number(path):
    """Place of a crop of NUAA in its recording, and the recording (person, spectacles, place, session)."""
    *recording, frame = re.fullmatch(r"(\d+)_(\d+)_(\d+)_(\d+)_(\d+)\.jpg", os.path.basename(path)).groups()
    return tuple(recording), int(frame)


def matte(image, middle, size):
    """The person in a photograph, by colours: MATTE x MATTE uint8."""
    k = MATTE / np.array([image.shape[1], image.shape[0]])
    small = cv2.resize(image, (MATTE, MATTE), interpolation=cv2.INTER_AREA)
    (x, y), half = middle * k, size * k.mean() / 2
    mask = np.full((MATTE, MATTE), cv2.GC_PR_BGD, np.uint8)
    cv2.rectangle(mask, (int(x - 1.7 * half), int(y + 1.5 * half)), (int(x + 1.7 * half), MATTE), cv2.GC_PR_FGD, -1)
    cv2.ellipse(mask, (int(x), int(y - 0.1 * half)), (int(1.15 * half), int(1.6 * half)), 0, 0, 360, cv2.GC_PR_FGD, -1)
    cv2.ellipse(mask, (int(x), int(y)), (int(0.8 * half), int(1.1 * half)), 0, 0, 360, cv2.GC_FGD, -1)
    cv2.rectangle(mask, (int(x - 0.5 * half), int(y)), (int(x + 0.5 * half), MATTE), cv2.GC_FGD, -1)
    mask[:3], mask[: int(max(y, 3)), :2], mask[: int(max(y, 3)), -2:] = cv2.GC_BGD, cv2.GC_BGD, cv2.GC_BGD
    cv2.grabCut(small, mask, None, np.zeros((1, 65)), np.zeros((1, 65)), 2, cv2.GC_INIT_WITH_MASK)
    person = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8) * 255
    return cv2.medianBlur(person, 5)


def _found(read, image):
    """Middle and size of the face in a crop by the detector, or None."""
    from . import face_scenes, faces

    side = face_scenes.SIDE
    scale = side / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)[:side, :side]
    square = np.zeros((side, side, 3), np.uint8)
    square[: small.shape[0], : small.shape[1]] = small
    found = faces.decode(read(face_scenes.planes(square, small.shape[1::-1])), 0.4)
    if not found:
        return None
    best = max(found, key=lambda f: f.size)
    return (best.box[:2] + best.box[2:]) / 2 / scale, best.size / scale


def build(pool, nuaa, finder, out, count, held):
    """Write the file of all sources: path, middle, size, matte (empty for prints); of the pool's held-out photographs only every second one."""
    from . import face_pool, faces

    rows, read = [], faces.int8_reader(finder)
    for path in sorted(glob.glob(os.path.join(nuaa, "*", "*", "*.jpg"))):
        image = cv2.imread(path)[..., ::-1]
        found = _found(read, np.ascontiguousarray(image))
        if found is None:
            print("no face:", path)
            continue
        live = path.split(os.sep)[-3] == "live"
        rows.append((path, *found, matte(np.ascontiguousarray(image), *found) if live else np.zeros((MATTE, MATTE), np.uint8)))
    photographs = face_pool.Pool(pool, held)
    wide = np.flatnonzero(["lfw" in path for path in photographs.path])[:: 1 + held]
    for index in np.random.default_rng(3).permutation(wide)[:count]:
        image, box = np.ascontiguousarray(cv2.imread(str(photographs.path[index]))[..., ::-1]), photographs.box[index] + 0.5
        middle, size = (box[:2] + box[2:]) / 2, float(np.sqrt(np.prod(box[2:] - box[:2])))
        rows.append((str(photographs.path[index]), middle, size, matte(image, middle, size)))
    path, middle, size, mattes = zip(*rows)
    np.savez(out, path=np.array(path), middle=np.stack(middle).astype(np.float32), size=np.array(size, np.float32), matte=np.stack(mattes))


class Sources:
    """The portraits of a file of sources with their pictures in memory as they were coded: of NUAA the persons that train, or those for validation."""

    def __init__(self, file, validation=False):
        with np.load(file) as data:
            self.path, self.middle, self.size, self.matte = (data[key] for key in ("path", "middle", "size", "matte"))
        self.kind = np.array([kind_of(path) for path in self.path])
        self.person = np.array([person_of(path) for path in self.path])
        chosen = np.isin(self.person, VALIDATION) if validation else ~np.isin(self.person, TEST + VALIDATION)
        self.faces = {kind: np.flatnonzero((self.kind == kind) & (chosen | (kind == "wild"))) for kind in ("wild", "live", "print")}
        self.coded = {}

    def image(self, index):
        """The picture of a source, uint8 RGB."""
        if index not in self.coded:
            with open(self.path[index], "rb") as file:
                self.coded[index] = np.frombuffer(file.read(), np.uint8)
        return np.ascontiguousarray(cv2.imdecode(self.coded[index], cv2.IMREAD_COLOR)[..., ::-1])

    def portrait(self, rng, booth=0.35):
        """A living person's photograph, mirrored by chance; booth is the share of those that sat before a webcam."""
        rows = self.faces["live" if rng.random() < booth else "wild"]
        index = int(rows[rng.integers(len(rows))])
        image, middle = self.image(index), self.middle[index].astype(np.float64)
        alpha = cv2.resize(self.matte[index], image.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.5:
            image, alpha, middle = np.ascontiguousarray(image[:, ::-1]), np.ascontiguousarray(alpha[:, ::-1]), np.array([image.shape[1] - middle[0], middle[1]])
        return _extended(Portrait(image, middle, float(self.size[index]), alpha))


def _extended(p):
    """The portrait with a blurred rim, where its photograph is cut nearer than the network looks."""
    height, width = p.image.shape[:2]
    (x, y), reach = p.middle, 1.25 * p.size
    left, top, right, bottom = (max(0, int(v)) for v in (reach - x, reach - y, x + reach - width, y + reach - height))
    if max(left, top, right, bottom) < 3:
        return p
    wide = cv2.copyMakeBorder(p.image, top, bottom, left, right, cv2.BORDER_REPLICATE)
    soft = cv2.blur(cv2.blur(wide, (15, 15)), (15, 15))
    soft[top : top + height, left : left + width] = p.image
    return Portrait(soft, p.middle + [left, top], p.size, cv2.copyMakeBorder(p.matte, top, bottom, left, right, cv2.BORDER_REPLICATE))


def kind_of(path):
    """wild, live or print: where a source comes from."""
    return "wild" if "lfw" in path else path.split(os.sep)[-3]


def person_of(path):
    """The person of a crop of NUAA, "" for others."""
    return "" if "lfw" in path else path.split(os.sep)[-2]


def main():
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness_sources")
    parser.add_argument("--pool", required=True, help="folder of face_pool")
    parser.add_argument("--nuaa", required=True, help="folder with live/PERSON and print/PERSON")
    parser.add_argument("--finder", required=True, help="faces.tflite")
    parser.add_argument("--held", action="store_true", help="the pool's held-out photographs: for validation")
    parser.add_argument("--count", type=int, default=4000, help="photographs of the pool at most")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    build(args.pool, args.nuaa, args.finder, args.out, args.count, args.held)


if __name__ == "__main__":
    main()
