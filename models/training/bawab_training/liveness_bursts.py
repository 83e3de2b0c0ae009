"""Bursts for `bawab eval liveness` out of the crops of NUAA's persons that never train.

    python -m bawab_training.liveness_bursts --nuaa NUAA --persons test --out DIR [--scene]

DIR/KIND/RECORDING-NN/ holds three pictures that follow each other in one recording. Their times are not known: the numbers in
their names, about four apart, count frames of a webcam of some 20 a second, so that a burst lasts some 0.4 s; the recordings of prints
that are turned and bent keep only every 18th frame, and their bursts, of about 2 s, are a kind of their own, print_slow. Each crop was cut
around a face that had been found, so that the face hardly moves from picture to picture even where it did before the camera: a burst's
motion is that of the cutting as much as the person's. With --scene each picture is laid into a grey frame of 640 x 480.
"""

import argparse
import glob
import os
import shutil

import cv2
import numpy as np

from . import liveness_sources

BURST = 3
GAP, SLOW = 10, 45  # frames between two pictures of a burst, and of a slow one, at most


def bursts(folder):
    """The bursts of one person's folder: (whether it is slow, list of BURST paths), no picture in two of them."""
    recordings = {}
    for path in glob.glob(os.path.join(folder, "*.jpg")):
        recording, frame = liveness_sources.number(path)
        recordings.setdefault(recording, []).append((frame, path))
    for _, frames in sorted(recordings.items()):
        frames, run = sorted(frames), []
        slow = np.median(np.diff([frame for frame, _ in frames])) > GAP
        for frame, path in frames:
            if run and frame - run[-1][0] > (SLOW if slow else GAP):
                run = []
            run.append((frame, path))
            if len(run) == BURST:
                yield slow, [path for _, path in run]
                run = []


def main():
    """Parse the command line and write the folders."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness_bursts")
    parser.add_argument("--nuaa", required=True, help="folder with live/PERSON and print/PERSON")
    parser.add_argument("--persons", choices=("test", "validation", "training"), default="test")
    parser.add_argument("--scene", action="store_true", help="frames of 640 x 480")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    chosen = {"test": liveness_sources.TEST, "validation": liveness_sources.VALIDATION}
    for kind in ("live", "print"):
        count = 0
        for folder in sorted(glob.glob(os.path.join(args.nuaa, kind, "*"))):
            person = os.path.basename(folder)
            wanted = person in chosen[args.persons] if args.persons in chosen else person not in sum(chosen.values(), ())
            for slow, paths in bursts(folder) if wanted else ():
                recording = "-".join(liveness_sources.number(paths[0])[0])
                out = os.path.join(args.out, kind + ("_slow" if slow else ""), f"{recording}-{count:03d}")
                os.makedirs(out, exist_ok=True)
                count += 1
                for number, path in enumerate(paths):
                    _copy(path, os.path.join(out, f"{number}.jpg"), args.scene)
        print(kind, count)


def _copy(path, name, scene):
    """Copy a picture, into a frame where scene says so."""
    if not scene:
        shutil.copy(path, name)
        return
    crop = cv2.imread(path)
    frame = np.full((480, 640, 3), 128, np.uint8)
    top, left = (480 - crop.shape[0]) // 2, (640 - crop.shape[1]) // 2
    frame[top : top + crop.shape[0], left : left + crop.shape[1]] = crop
    cv2.imwrite(name, frame, [cv2.IMWRITE_JPEG_QUALITY, 95])


if __name__ == "__main__":
    main()
