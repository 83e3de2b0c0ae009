"""The network that looks at what lies around a document: genuine card, screen or print.

    python -m bawab_training.train.surroundings train  --flats FLAT --photographs DIR ... --out DIR --until 18:00 --anneal 12
    python -m bawab_training.train.surroundings export --flats FLAT --photographs DIR ... --out DIR --tflite ../surroundings.tflite
    python -m bawab_training.train.surroundings score  --flats FLAT --photographs DIR ... --out DIR --tflite FILE --count 300

Input 1 x 128 x 160 x 3, planes Y, Cb, Cr, the document in the middle (surroundings_scenes.view); output 1 x 3 logits.
"""

from __future__ import annotations

import argparse
import os
import pickle
from multiprocessing.queues import Queue

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from ..photograph import surroundings_scenes as scenes
from ..networks import training
from ..networks.training import Convolution, Residual

BATCH = 32
CLASSES = scenes.CLASSES
SMOOTHING = 0.03  # of labels: some attacks show nothing of what they are


class Network(nn.Module):
    """50 MMAC. What lies where counts, so that the head sees the whole map and not its mean."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Convolution(3, 16, (5, 5), (2, 2)), nn.ReLU(), Convolution(16, 24, (3, 3), (2, 2)), nn.ReLU(), Residual(24, (3, 3)),
            Convolution(24, 48, (3, 3), (2, 2)), nn.ReLU(), Residual(48, (3, 3)), Convolution(48, 72, (3, 3), (2, 2)), nn.ReLU(), Residual(72, (3, 3)),
            Convolution(72, 16, (1, 1), (1, 1)), nn.ReLU(),
        )
        self.drop = nn.Dropout(0.2)
        self.head = nn.Conv2d(16, len(CLASSES), (8, 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.body(x)))[:, :, 0, 0]


def _sources(args: argparse.Namespace) -> scenes.Sources:
    """The sources, kept in the folder of the checkpoint since decoding them takes minutes."""
    path = os.path.join(args.out, "sources.pkl")
    if os.path.exists(path):
        with open(path, "rb") as file:
            return pickle.load(file)
    sources = scenes.Sources(args.flats, args.photographs)
    os.makedirs(args.out, exist_ok=True)
    with open(path, "wb") as file:
        pickle.dump(sources, file)
    return sources


def _produce(sources: scenes.Sources, seed: int, queue: Queue[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]]) -> None:
    """Put batches without end."""
    os.nice(2)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    while True:
        kinds = rng.integers(0, len(CLASSES), BATCH)
        queue.put((np.stack([scenes.scene(rng, sources, kind) for kind in kinds]), kinds))


def _relit(rng: np.random.Generator, pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Pictures mirrored and relit by chance, what lies beyond the photograph apart: so one drawing serves several times."""
    if rng.random() < 0.5:
        pictures = pictures[:, :, ::-1]
    if rng.random() < 0.3:
        pictures = pictures[:, ::-1]
    there, each = pictures.any(3, keepdims=True), (len(pictures), 1, 1, 1)
    gain, shift = rng.uniform(0.7, 1.25, each), rng.uniform(-20, 20, each)
    value = pictures.astype(np.float32)
    value[..., :1] = value[..., :1] * gain + shift
    value[..., 1:] = (value[..., 1:] - 128) * rng.uniform(0.5, 1.3, each) + 128 + rng.uniform(-8, 8, (len(pictures), 1, 1, 2))
    return np.where(there, np.clip(np.round(value), 0, 255), 0).astype(np.uint8)


def train(args: argparse.Namespace) -> None:
    """Train until a time of day, going on from the checkpoint in args.out."""
    run = training.Averaged(Network(), Network(), args.out, args.rate)
    queue, producer = training.produced(_produce, _sources(args), 3_000_000 + run.steps)
    feed, rng = training.Feed(queue, uses=4, rest=40), np.random.default_rng(run.steps)

    def turn() -> tuple[torch.Tensor, int, list[float]]:
        pictures, kinds = feed.next()
        classes = torch.from_numpy(kinds)
        with training.halved():
            logits = run.network(training.inputs(_relit(rng, pictures)))
        value = nn.functional.cross_entropy(logits.float(), classes, label_smoothing=SMOOTHING)
        return value, len(kinds), [value.item(), (logits.argmax(1) == classes).float().mean().item()]

    run.until(args.until, args.anneal, turn, lambda: f"waiting {queue.qsize()} stock {len(feed.stock)}")
    producer.terminate()


def export(args: argparse.Namespace) -> None:
    """Write the trained network as an int8 file."""
    from ..export import convert  # TensorFlow takes seconds to load

    network, sources, rng = training.restore(Network(), args.out), _sources(args), np.random.default_rng(5)
    pictures = np.stack([scenes.scene(rng, sources, k % len(CLASSES)) for k in range(200)])
    convert.classifier(network, pictures, args.tflite, pooled=False)


def score(args: argparse.Namespace) -> None:
    """Print what a file makes of fresh scenes of each class."""
    from ..export import convert

    network, sources = convert.Int8(args.tflite), _sources(args)
    for kind, name in enumerate(CLASSES):
        rng = np.random.default_rng([6, kind])
        answers = np.bincount([network(scenes.scene(rng, sources, kind))[0].argmax() for _ in range(args.count)], minlength=len(CLASSES))
        print(name, {other: int(n) for other, n in zip(CLASSES, answers)})


def main() -> None:
    """Parse the command line and train, export or score."""
    parser = argparse.ArgumentParser(prog="bawab_training.train.surroundings")
    parser.add_argument("what", choices=("train", "export", "score"))
    parser.add_argument("--flats", required=True, help="folder of flat documents (bawab_training.photograph.documents flat)")
    parser.add_argument("--photographs", nargs="*", default=[], help="folders of photographs of documents")
    parser.add_argument("--out", required=True, help="folder of the checkpoint and of the decoded sources")
    parser.add_argument("--until", default="18:00", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=12, help="minutes of falling learning rate before the end")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--tflite", default="")
    args = parser.parse_args()
    training.one_core()
    {"train": train, "export": export, "score": score}[args.what](args)


if __name__ == "__main__":
    main()
