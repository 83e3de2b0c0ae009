"""Drawn pictures of living faces and attacks, in parts on disk, for a training that takes up new parts while it runs.

    python -m bawab_training.liveness_pool --sources FILE --out POOL --until 02:10 [--seed S] [--validation]

Each part part-SEED-N.npz holds planes (Y, Cb, Cr; N x STORED x STORED x 3 uint8) and kind (index into liveness_scenes.KINDS).
"""

import argparse
import glob
import os
import time

import cv2
import numpy as np

from . import liveness_scenes as scenes, liveness_sources, training

PART = 250


def write(sources, out, seed, until, parts):
    """Draw at most that many parts until a time; a finished part appears at once as a whole."""
    kinds, shares = list(scenes.KINDS), np.array(list(scenes.KINDS.values()))
    for number in range(parts):
        path = os.path.join(out, f"part-{seed}-{number}.npz")
        rng = np.random.default_rng([31, seed, number])
        if os.path.exists(path) or time.time() > until:
            continue
        kind = rng.choice(len(kinds), PART, p=shares / shares.sum())
        planes = np.stack([scenes.draw(rng, sources, kinds[k]) for k in kind])
        np.savez(path + ".new.npz", planes=planes, kind=kind.astype(np.uint8))
        os.replace(path + ".new.npz", path)


def cropped(image, middle, size):
    """The square around a face of a photograph (uint8 RGB) as the pool stores pictures: planes STORED x STORED x 3."""
    k = scenes.STORED / (scenes.SPAN * size)
    matrix = np.array([[k, 0, scenes.STORED / 2 - k * middle[0]], [0, k, scenes.STORED / 2 - k * middle[1]]])
    if k < 0.7:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / k)
    crop = cv2.warpAffine(image, matrix, (scenes.STORED,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return cv2.cvtColor(crop, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]


def booth(sources, rows):
    """Crops of NUAA as the pool stores pictures: planes N x STORED x STORED x 3."""
    return np.stack([cropped(sources.image(index), sources.middle[index], sources.size[index]) for index in rows])


class Pool:
    """The parts that lie on disk so far, and the training persons of NUAA."""

    def __init__(self, folder, sources, real=True):
        self.folder, self.known = folder, set()
        self.planes, self.kinds, self.live, self.attacks = [], [], [], []
        self.real = {kind: booth(sources, sources.faces[kind]) for kind in ("live", "print")} if real else {}
        # Each of the recordings counts alike, however many pictures it has.
        self.recordings = {kind: _recordings(sources, kind) for kind in self.real}
        self.refresh()

    def refresh(self):
        """Take up the parts that were written since."""
        for path in sorted(set(glob.glob(os.path.join(self.folder, "part-*[0-9].npz"))) - self.known):
            with np.load(path) as part:
                at = len(self.planes)
                self.planes.append(part["planes"])
                self.kinds.append(part["kind"])
                for row, kind in enumerate(part["kind"]):
                    (self.attacks if kind else self.live).append((at, row))
            self.known.add(path)

    def drawn(self, rng, attack):
        """A drawn picture."""
        rows = self.attacks if attack else self.live
        part, row = rows[int(rng.integers(len(rows)))]
        return self.planes[part][row]

    def taken(self, rng, attack):
        """A picture of NUAA."""
        kind = "print" if attack else "live"
        rows = self.recordings[kind][int(rng.integers(len(self.recordings[kind])))]
        return self.real[kind][int(rng.choice(rows))]


def _recordings(sources, kind):
    """The rows of each recording within sources.faces[kind]."""
    names = [liveness_sources.number(sources.path[index])[0] for index in sources.faces[kind]]
    return [np.array([row for row, name in enumerate(names) if name == one]) for one in sorted(set(names))]


def main():
    """Parse the command line and draw."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness_pool")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--until", required=True, help="time of day, UTC")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=1000, help="parts to draw at most")
    parser.add_argument("--validation", action="store_true", help="of NUAA the persons for validation")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    write(liveness_sources.Sources(args.sources, args.validation), args.out, args.seed, training.moment(args.until), args.parts)


if __name__ == "__main__":
    main()
