"""The photographs of faces that the networks learn from: labelled by the teachers, once, into arrays on disk.

    python -m bawab_training.face_pool --teachers TEACHERS --faces UTKFACE OTHERS --out POOL [--part K/N]

Each part writes crops-K.npy (aligned RGB crops, N x SIDE x SIDE x 3 with MARGIN around the teacher's 128), maps-K.npy (what the
teacher's bottlenecks see in the crop and in its mirror image, N x 2 x 2 x 128 x 7 x 7 float16) and labels-K.npz.
A twentieth of the photographs is held out: they are chosen by number in blocks, so that
pictures of one person that stand together stay together.
"""

import argparse
import glob
import os
import zlib

import cv2
import numpy as np

from . import face_teachers as teachers

MARGIN = 16
SIDE = teachers.CROP + 2 * MARGIN
GRID = 7  # cells of the kept maps
PHOTOGRAPH = 152  # pixels of a side of the photographs
BLOCK = 50  # files in a row that are held out together


def held_out(folder, number):
    """Whether the picture at that place of the sorted folder is held out."""
    return zlib.crc32(f"{os.path.basename(os.path.normpath(folder))} {number // BLOCK}".encode()) % 20 == 0


def names(folders):
    """Every picture of the folders, sorted within each, with whether it is held out: list of (path, bool)."""
    found = []
    for folder in folders:
        files = sorted(glob.glob(os.path.join(folder, "**", "*.jpg"), recursive=True))
        found += [(path, held_out(folder, number)) for number, path in enumerate(files)]
    return found


def shares(side):
    """How much of each of side cells in a row falls into each of GRID cells, GRID x side."""
    edges, fine = np.arange(GRID + 1) * side / GRID, np.arange(side)
    overlap = np.minimum(edges[1:, None], fine + 1) - np.maximum(edges[:-1, None], fine)
    return (overlap.clip(0) * GRID / side).astype(np.float32)


def small(maps):
    """The teacher's maps on GRID x GRID cells: 2 x 128 x 7 x 7 float16."""
    return np.stack([shares(m.shape[1]) @ m @ shares(m.shape[2]).T for m in maps]).astype(np.float16)


def inner(crop):
    """The teacher's part of a pool crop."""
    return crop[MARGIN:-MARGIN, MARGIN:-MARGIN]


def label(folder, paths, out, part):
    """Label paths and write one part; faces on which the landmark teachers disagree are left out."""
    find, embed = teachers.Landmarks(folder), teachers.Embedder(folder)
    crops, maps, rows = [], [], []
    for path, held in paths:
        image = np.ascontiguousarray(cv2.imread(path)[..., ::-1])
        face = find(image)
        if face is None or face.difference > 1.6 * teachers.DISAGREE:
            continue
        crop = teachers.aligned(image, face.points, teachers.CROP, MARGIN)
        both = [embed(inner(view)) for view in (crop, crop[:, ::-1])]
        crops.append(crop)
        maps.append(np.stack([small(answer[1:]) for answer in both]))
        rows.append((path, held, face, np.stack([answer[0] for answer in both])))
    np.save(os.path.join(out, f"crops-{part}.npy"), np.stack(crops))
    np.save(os.path.join(out, f"maps-{part}.npy"), np.stack(maps))
    np.savez(
        os.path.join(out, f"labels-{part}.npz"), path=np.array([r[0] for r in rows]), held=np.array([r[1] for r in rows]),
        points=np.stack([r[2].points for r in rows]), box=np.stack([r[2].box for r in rows]), pose=np.stack([r[2].pose for r in rows]),
        difference=np.array([r[2].difference for r in rows]), vector=np.stack([r[3] for r in rows]).astype(np.float32))


class Pool:
    """All parts of a pool folder; the arrays stay on disk. held selects the held-out photographs, or the others.

    crop(i) and maps(i) are of face i; path, points, box, pose, difference and vector (N x 2 x 256: as it is, mirrored) are arrays.
    """

    def __init__(self, folder, held=False, sure=teachers.DISAGREE):
        parts = sorted(glob.glob(os.path.join(folder, "labels-*.npz")))
        self._crops = [np.load(p.replace("labels", "crops")[:-1] + "y", mmap_mode="r") for p in parts]
        self._maps = [np.load(p.replace("labels", "maps")[:-1] + "y", mmap_mode="r") for p in parts]
        loaded = [dict(np.load(p)) for p in parts]
        values = {key: np.concatenate([part[key] for part in loaded]) for key in loaded[0]}
        where = np.concatenate([np.stack([np.full(len(c), k), np.arange(len(c))], 1) for k, c in enumerate(self._crops)])
        chosen = (values["held"] == held) & (values["difference"] <= sure)
        self._where = where[chosen]
        self.path, self.points, self.box, self.pose = (values[key][chosen] for key in ("path", "points", "box", "pose"))
        self.vector = values["vector"][chosen]

    def __len__(self):
        return len(self._where)

    def crop(self, index):
        """The aligned crop of a face, uint8 RGB SIDE x SIDE."""
        part, row = self._where[index]
        return self._crops[part][row]

    def quad(self, index):
        """The corners of a face's photograph in its crop, 4 x 2: UTKFace cuts so near that some of the crop lies outside."""
        matrix = teachers.similarity(self.points[index], teachers.template(teachers.CROP, MARGIN))
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (PHOTOGRAPH - 1)
        return corners @ matrix[:, :2].T + matrix[:, 2]

    def maps(self, index, mirrored):
        """The teacher's maps of a face or of its mirror image, 2 x 128 x 7 x 7."""
        part, row = self._where[index]
        return self._maps[part][row, int(mirrored)]


def main():
    """Parse the command line and label one part."""
    parser = argparse.ArgumentParser(prog="bawab_training.face_pool")
    parser.add_argument("--teachers", required=True)
    parser.add_argument("--faces", nargs="+", required=True, help="folders of photographs with one face each")
    parser.add_argument("--part", default="0/1", help="K/N: the K-th of N equal parts")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    part, count = map(int, args.part.split("/"))
    label(args.teachers, names(args.faces)[part::count], args.out, part)


if __name__ == "__main__":
    main()
