"""Tiles out of photographs of genuine cards, of screens and of prints, on which the texture network of fraud trains.

    python -m bawab_training.photograph.fraud_tiles --flats DIR [--real GLOB ...] --count 2000 --seed 1 --out DIR

Each trio shows one place of one document through one Shot: the card itself, on a screen, on paper. A file NNNNN.npz holds
`tiles` (uint8, 3 x SIDE x SIDE x 3, planes Y, Cb, Cr) and `makers` (the names of what drew them); classes are in the order of CLASSES.
"""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from . import recapture, recapture_devices
from ..draw.content import pick

SIDE = 128
MARGIN = 8
CLASSES = ("genuine", "screen", "print")
MAKERS = (
    (recapture.genuine, recapture_devices.genuine_surface),
    (*recapture.SCREENS, recapture_devices.screen_cells, recapture_devices.screen_cells),
    (*recapture.PRINTS, recapture_devices.print_bitmap),
)  # of each class


def tile(
    rng: np.random.Generator, s: recapture.Shot, maker: Callable[..., np.ndarray], card: npt.NDArray[np.uint8], middle: np.ndarray
) -> npt.NDArray[np.uint8]:
    """One SIDE x SIDE tile of a scene through the Shot s, coded."""
    side = int(np.ceil((SIDE + 2 * MARGIN) / s.out)) // 2 * 2 + 2
    picture = recapture.camera(s, maker(rng, s, card, middle, (side * s.fine, side * s.fine)))
    # The grid of the coder lies anywhere.
    offset = np.random.default_rng(s.seed).integers(0, 8, 2)
    planes = recapture.coded(np.ascontiguousarray(picture[offset[0] :, offset[1] :]), s.quality)
    return planes[MARGIN : MARGIN + SIDE, MARGIN : MARGIN + SIDE]


def trio(rng: np.random.Generator, card: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], list[str]]:
    """(tiles, names): one place as itself, on a screen, on paper."""
    s = recapture.shot(rng)
    middle = rng.uniform(0.1, 0.9, 2)
    makers = [pick(rng, makers) for makers in MAKERS]
    grey = rng.random() < 0.12
    tiles = []
    for maker in makers:
        options = {"black_only": True} if grey and maker in MAKERS[2] else {}
        tiles.append(tile(rng, s, lambda *a, maker=maker, options=options: maker(*a, **options), card, middle))
    return np.stack(tiles), [maker.__name__ for maker in makers]


def main() -> None:
    """Parse the command line and write trios."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.fraud_tiles")
    parser.add_argument("--flats", required=True)
    parser.add_argument("--real", nargs="*", default=[])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    flats = sorted(glob.glob(os.path.join(args.flats, "*.jpg")))
    real = sorted(name for pattern in args.real for name in glob.glob(pattern, recursive=True))
    for index in range(args.count):
        rng = np.random.default_rng([args.seed, index])
        names = real if real and rng.random() < 0.15 else flats
        card = cv2.imread(names[int(rng.integers(len(names)))])
        if card is None or min(card.shape[:2]) < 100:
            continue
        tiles, makers = trio(rng, np.ascontiguousarray(card[..., ::-1]))
        np.savez(os.path.join(args.out, f"{args.seed:03d}_{index:05d}.npz"), tiles=tiles, makers=makers)


if __name__ == "__main__":
    main()
