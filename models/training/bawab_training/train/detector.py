"""The text-line and zone detector: network and training; figures and export are those of report.detector_report.

    python -m bawab_training.train.detector train --pool POOL --out DIR --minutes M [--resume] [--start FILE]

Input [1, 512, 512, 1] grey 0..1, output [1, 128, 128, 4]: text core, zone, cos and sin of the reading direction. The manifest
describes the same file once more for pictures of 512 x 352, which is what a card laid flat takes (export.lowered).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from ..photograph import scenes
from ..networks import training, warmstart
from .finder import Block, Conv, Up

MASKS, DIRECTION = 2, 2


class Network(nn.Module):
    """The detector, 0.53 GMAC and 0.58 M weights: [B, 1, h, w] in 0..1, sides multiples of 32, to maps [B, h / 4, w / 4, 4]."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.quarter = Conv(1, 8, stride=2), Conv(8, 24, stride=2)
        self.eighth = nn.Sequential(Conv(24, 32, stride=2), Block(32))
        self.sixteenth = nn.Sequential(Conv(32, 56, stride=2), Block(56), Block(56))
        self.deep = nn.Sequential(Conv(56, 80, stride=2), *(Block(80, d) for d in (1, 2, 4)))
        self.up16, self.up8, self.up4 = Up(80, 56, 40), Up(40, 32, 32), Up(32, 24, 24)
        self.masks, self.direction = nn.Conv2d(24, MASKS, 1), nn.Conv2d(24, DIRECTION, 1)
        nn.init.constant_(self.masks.bias, -2.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        x = self.up4(self.up8(self.up16(self.deep(sixteenth), sixteenth), eighth), quarter)
        return torch.cat([self.masks(x).sigmoid(), self.direction(x).tanh()], 1).permute(0, 2, 3, 1)


def loss(output: torch.Tensor, target: torch.Tensor) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Mean loss of a batch [B, h, w, 4] against [B, h, w, 6]; returns (loss, parts)."""
    core, zone, cosine, sine, sure, directed = target.unbind(-1)
    parts = []
    for index, (truth, weight, boost) in enumerate(((core, sure, 3.0), (zone, torch.ones_like(zone), 3.0))):
        guess = output[..., index].clamp(1e-4, 1 - 1e-4)
        entropy = -(truth * guess.log() * boost + (1 - truth) * (1 - guess).log()) * weight
        # Hard negatives: the worst twentieth of the background counts again.
        background = (entropy * (truth < 0.05)).flatten(1)
        hard = background.topk(background.shape[1] // 20, dim=1).values.mean()
        overlap = (truth * guess * weight).sum((1, 2))
        total = ((truth + guess) * weight).sum((1, 2))
        dice = (1 - (2 * overlap + 8) / (total + 8)).mean()
        parts += [entropy.mean() * 2 + hard * 0.5, dice * 0.5]
    error = (output[..., 2] - cosine) ** 2 + (output[..., 3] - sine) ** 2
    parts.append((error * directed).sum() / (directed.sum() + 1))
    return sum(parts), parts


class _Stream(torch.utils.data.IterableDataset):
    """Endless batches: strips, or cuts of strips, which cost half and hold nearly all of the text."""

    def __init__(self, args: argparse.Namespace, seed: int) -> None:
        self.args, self.seed = args, seed

    def __iter__(self) -> Iterator[list[np.ndarray]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        pool = scenes.Pool(self.args.pool)
        while True:
            pairs: list[tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]] = []
            cut = rng.random() < 0.75
            while len(pairs) < self.args.batch:
                pair = scenes.strip(rng, pool)
                pairs += scenes.cuts(*pair, rng) if cut else [pair]
            yield [np.stack(column) for column in zip(*pairs)]


def _begun(path: str, args: argparse.Namespace) -> Network:
    """The network with the weights of a .tflite file."""
    images, _ = next(iter(_Stream(args, 0)))
    *found, one, other = warmstart.kernels(path)
    heads = sorted((one, other), key=lambda head: head[1].mean())  # of one shape, in any order: print is rare, so the masks' biases are low
    return warmstart.begin(Network(), [*found, *heads], training.grey(images))


def train(args: argparse.Namespace) -> None:
    """Train for args.minutes of wall time."""
    torch.set_num_threads(args.threads)

    def losses(network: Network, batch: Sequence[np.ndarray | torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        images, truth = batch
        with training.halved():
            output = network(training.grey(images))
        return loss(output.float(), truth)

    training.timed(args, lambda resumed: _begun(args.start, args) if args.start and not resumed else Network(), lambda seed: _Stream(args, seed), losses)


def load(path: str) -> Network:
    """The network of a checkpoint, ready to answer."""
    network = Network()
    network.load_state_dict(torch.load(path, weights_only=True)["weights"])
    return network.eval()


def main() -> None:
    """Parse the command line and train."""
    parser = argparse.ArgumentParser(prog="bawab_training.train.detector")
    parser.add_argument("verb", choices=("train",))
    parser.add_argument("--pool", required=True)
    parser.add_argument("--out", default=".")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="the .tflite file whose weights to begin with, where there is nothing to resume")
    parser.add_argument("--batch", type=int, default=12)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
