"""Simulated attacks for `bawab eval liveness`: photographs of faces on screens and prints, and the same faces through the same camera.

    python -m bawab_training.photograph.liveness_unseen --photographs DIR --teachers TEACHERS --count 40 --seed 1 --out DIR

The screens, printers and the camera are those of recapture_unseen.py. Nothing trains on them. Writes OUT/KIND/NNN/0.jpg to 2.jpg, about 640 x
480: three exposures of one scene. live is the photograph itself before the camera, and no living person.
"""

from __future__ import annotations

import argparse
import glob
import os

import cv2
import numpy as np
import numpy.typing as npt

from . import recapture_unseen
from ..networks import face_teachers

FRAME = (640, 480)
BURST = 3
KINDS = ("live", "lcd", "oled", "phone", "clustered", "diffused", "laser")
AROUND = (0.6, 0.65, 0.6, 0.65)  # of a face's size, left, top, right and bottom of its middle: the least that is shown of a photograph
MORE = (1.05, 1.1, 1.05, 1.2)  # and the most


def faces(folder: str, teachers: str, rng: np.random.Generator, count: int) -> list[tuple[npt.NDArray[np.uint8], np.ndarray, float]]:
    """(picture RGB, middle, size) of as many photographs in folder that show one face well."""
    landmarks = face_teachers.Landmarks(teachers)
    paths = sorted(glob.glob(os.path.join(folder, "**", "*.jpg"), recursive=True))
    found = []
    for index in rng.permutation(len(paths)):
        image = np.ascontiguousarray(cv2.imread(paths[index])[..., ::-1])
        face = landmarks(image)
        if face is not None and face.difference < face_teachers.DISAGREE:
            found.append((image, (face.box[:2] + face.box[2:]) / 2, float(np.sqrt(np.prod(face.box[2:] - face.box[:2])))))
        if len(found) == count:
            break
    return found


def _shown(rng: np.random.Generator, image: npt.NDArray[np.uint8], middle: np.ndarray, size: float) -> tuple[npt.NDArray[np.uint8], float]:
    """The part of a photograph that is shown, 400 pixels wide, and the size of its face there."""
    reach = rng.uniform(AROUND, MORE) * size
    left, top = np.maximum(middle - reach[:2], 0).astype(int)
    right, bottom = np.minimum(middle + reach[2:], image.shape[1::-1]).astype(int)
    zoom = 400 / (right - left)
    return cv2.resize(image[top:bottom, left:right], None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), size * zoom


def _scene(
    rng: np.random.Generator, kind: str, image: npt.NDArray[np.uint8], middle: np.ndarray, size: float
) -> tuple[npt.NDArray[np.float32], recapture_unseen.Lattice | None]:
    """What the camera sees in linear light, and the lattice of a display."""
    face = rng.uniform(90, 170)
    if kind == "live":
        k = face / size
        matrix = np.column_stack([np.eye(2) * k, np.array(FRAME) / 2 + rng.normal(0, 12, 2) - k * middle])
        return recapture_unseen._light(cv2.warpAffine(image, matrix, FRAME, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)), None
    card, size = _shown(rng, image, middle, size)
    share = face * card.shape[1] / size / FRAME[0]
    while True:
        if kind in ("lcd", "oled", "phone"):
            picture, quad, lattice = recapture_unseen._display(rng, card, FRAME, share, kind)
        else:
            picture, quad, lattice = recapture_unseen._paper(rng, card, FRAME, share, "clustered" if kind == "laser" else kind, kind == "laser")
        if quad[0][1] < quad[3][1]:  # now and then a document lies upside down there
            return picture.astype(np.float32), lattice


def main() -> None:
    """Parse the command line and write the bursts."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.liveness_unseen")
    parser.add_argument("--photographs", required=True, help="folder of photographs with one face each")
    parser.add_argument("--teachers", required=True, help="folder of the teachers' files")
    parser.add_argument("--count", type=int, default=40, help="bursts of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    people = faces(args.photographs, args.teachers, np.random.default_rng([args.seed, 54]), args.count)
    for number, (image, middle, size) in enumerate(people):
        for kind in KINDS:
            rng = np.random.default_rng([args.seed, number, KINDS.index(kind), 55])
            picture, lattice = _scene(rng, kind, image, middle, size)
            folder = os.path.join(args.out, kind, f"{number:03d}")
            os.makedirs(folder, exist_ok=True)
            for exposure in range(BURST):
                code, _ = recapture_unseen._photographed(rng, picture, lattice)
                with open(os.path.join(folder, f"{exposure}.jpg"), "wb") as file:
                    file.write(code)


if __name__ == "__main__":
    main()
