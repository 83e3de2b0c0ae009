"""The reader of the signs of a licence plate: network, training, and what its answers say; figures and export are those of export.plate_export.

    python -m bawab_training.train.plate_reader train --real DIR --pool FILE... --out DIR --minutes M [--resume | --start plates.tflite]

Input [1, 96, 192, 1], the plate with a margin of MARGIN of the view on every side, contrast drawn apart (plate_data.stretch). Output
[1, 24, 48, 28], one cell for 4 x 4 pixels: the logit that a sign's middle lies there, then the logits of its classes: plate_data.SIGNS
and any other sign.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from ..photograph import plate_data as data
from ..networks import training, warmstart
from .finder import Block, Conv, Up

THRESHOLD = 0.3  # least value of a middle


class Network(nn.Module):
    """The reader, about 143 MMAC. forward maps N x 1 x 96 x 192 in 0..1 to logits N x 28 x 24 x 48."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.quarter = Conv(1, 16, stride=2), Conv(16, 32, stride=2)
        self.eighth = nn.Sequential(Conv(32, 64, stride=2), Block(64), Block(64))
        self.deep = nn.Sequential(Conv(64, 80, stride=2), Block(80), Block(80, 2), Block(80))
        self.up8, self.up4 = Up(80, 64, 40), Up(40, 32, 32)
        self.fine = nn.Sequential(Block(32), Block(32))
        self.head = nn.Conv2d(32, 1 + data.CLASSES, 1)
        nn.init.constant_(self.head.bias, 0.0)
        with torch.no_grad():
            self.head.bias[0] = -3.0

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        return self.head(self.fine(self.up4(self.up8(self.deep(eighth), eighth), quarter)))

    def added(self) -> list[Block]:
        """The blocks that the network before 25 November 2026 lacked."""
        return [self.eighth[-1], self.deep[-1], *self.fine]


def loss(logits: torch.Tensor, heat: torch.Tensor, classes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Focal loss of the middles plus cross entropy of the classes."""
    guess = logits[:, 0].sigmoid().clamp(1e-5, 1 - 1e-5)
    middle = heat > 0.999
    near = torch.where(middle, -((1 - guess) ** 2) * guess.log(), -((1 - heat) ** 4) * guess**2 * (1 - guess).log())
    count = middle.sum().clamp(min=1)
    kinds = functional.cross_entropy(logits[:, 1:], classes, ignore_index=-1)
    return near.sum() / count + kinds, kinds


class _Stream(torch.utils.data.IterableDataset):
    """Endless batches of (views, heats, classes)."""

    def __init__(self, args: argparse.Namespace, seed: int) -> None:
        self.args, self.seed = args, seed

    def __iter__(self) -> Iterator[list[np.ndarray]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, 3, worker.id if worker else 0])
        samples = data.Samples(data.real(self.args.real, ("train",)), data.read_pool(self.args.pool))
        while True:
            yield [np.stack(column) for column in zip(*(samples.sample(rng) for _ in range(self.args.batch)))]


def train(args: argparse.Namespace) -> None:
    """Train for args.minutes of wall time, of which the rate rises for a fiftieth."""
    torch.set_num_threads(1)
    device = training.device()

    def network(resumed: bool) -> Network:
        if resumed or not args.start:
            return Network()
        views = np.concatenate([batch[0] for batch, _ in zip(_Stream(args, 0), range(20))])
        large, found = Network(), list(warmstart.kernels(args.start))
        lacking = len(found) < sum(isinstance(m, nn.Conv2d) for m in large.modules())
        return warmstart.begin(large, found, training.grey(views), large.added() if lacking else ())

    def losses(network: Network, batch: Sequence[np.ndarray | torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        views, heat, classes = (torch.as_tensor(part).to(device) for part in batch)
        with training.halved(device.type):
            logits = network(training.grey(views))
        total, kinds = loss(logits.float(), heat, classes)
        return total, [total - kinds, kinds]

    training.timed(args, network, lambda seed: _Stream(args, seed), losses, warm=1.2 * args.minutes, decay=1e-3, where=device, workers=args.workers)


def load(out: str) -> Network:
    """The network of a checkpoint folder, ready to answer."""
    network = Network()
    network.load_state_dict(torch.load(os.path.join(out, "state.pt"), weights_only=True, map_location="cpu")["weights"])
    return network.eval()


def answers(network: Network, view: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Float logits [24, 48, 28] of a uint8 view: what the exported file answers."""
    with torch.no_grad():
        return network(training.grey(view[None]))[0].permute(1, 2, 0).numpy()


def decode(logits: npt.NDArray[np.float32]) -> tuple[str, float]:
    """The result that a one-row answer says by its best signs, and the least probability of one; the service weighs more."""
    heat = 1 / (1 + np.exp(-logits[..., 0]))
    peak = cv2.dilate(heat, np.ones((5, 3), np.uint8))
    found, least = [], 1.0
    for row, column in zip(*np.nonzero((heat >= peak) & (heat > THRESHOLD))):
        kinds = np.exp(logits[row, column, 1:] - logits[row, column, 1:].max())
        kinds /= kinds.sum()
        found.append([kinds.argmax(), column, row, column, row])
        least = min(least, float(heat[row, column] * kinds.max()))
    return data.result(np.array(found, np.float32).reshape(-1, 5)), least


def figures(answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], sources: Sequence[data.Source]) -> dict[str, Any]:
    """How many of the sources, each cut as its outline says, are read whole; the failures."""
    square = data.corners_of(np.random.default_rng(0), 0.0)
    exact, digits, failures = 0, 0, []
    for source in sources:
        text, least = decode(answer(data.stretch(data.view(source, square)[0])))
        exact += text == source.text
        digits += text.split(" ")[-1] == source.text.split(" ")[-1]
        if text != source.text:
            failures.append((source.name, source.text, text, round(least, 3)))
    return {"plates": len(sources), "exact": round(exact / len(sources), 4), "digits": round(digits / len(sources), 4), "failures": failures}


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(prog="bawab_training.train.plate_reader")
    parser.add_argument("verb", choices=("train",))
    parser.add_argument("--real", required=True, help="folder of real plates (plate_data)")
    parser.add_argument("--pool", nargs="+", required=True, help="files of drawn plates (plate_data pool)")
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="plates.tflite to begin with")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--workers", type=int, default=1, help="processes that draw views")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
