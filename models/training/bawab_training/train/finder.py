"""The document finder: network, training, and what its answers say; figures and export are those of report.finder_report.

    python -m bawab_training.train.finder pool   --out POOL [--flat DIR ...] [--drawn N] [--sheets N] [--upright N] [--seed S] [--held-out] [--portraits FACES] [--photos DIR]
    python -m bawab_training.train.finder train  --pool POOL --out DIR --minutes M [--resume] [--photos DIR] [--start FILE]
    python -m bawab_training.train.finder mean   --weights FILE --other FILE --out DIR

Input [1, 256, 256, 3] planes Y, Cb, Cr in 0..1; output [1, 32, 32, 37], one block for 8 x 8 pixels: for each of its
four cells of 4 x 4 (row by row) the core of a document and its four corners; then the classes of finder_pool.KINDS
(p / (1 - p) are their odds) and the way from the block's middle to the document's four corners (see REACH).
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

from ..photograph import finder_pool, finder_scenes as scenes, finder_stage
from ..networks import training, warmstart

CORNERS, WAYS = 4, 8
FINE = 4 * (1 + CORNERS)
CLASSES = slice(FINE, FINE + len(finder_pool.KINDS))
CHANNELS = FINE + len(finder_pool.KINDS) + WAYS
BLOCK = 2 * finder_stage.CELL
REACH = 320.0  # input pixels; a way of w pixels along one axis is written (w / REACH + 1) / 2
CALM = 0.25  # a way turns by much for a small change of its logit: this keeps the steps of training small
SPREAD = 1.2  # cells; standard deviation of a corner's mark


class Conv(nn.Module):
    """Convolution padded as TensorFlow's SAME, batch norm, ReLU6 unless last in a block."""

    def __init__(self, channels: int, filters: int, kernel: int = 3, stride: int = 1, dilation: int = 1, active: bool = True) -> None:
        super().__init__()
        self.stride, self.dilation, self.active = stride, dilation, active
        padding = 0 if stride == 2 else dilation * (kernel // 2)
        self.convolution = nn.Conv2d(channels, filters, kernel, stride, padding, dilation, bias=False)
        self.norm = nn.BatchNorm2d(filters, eps=1e-3, momentum=0.03)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if self.stride == 2:
            x = functional.pad(x, (0, 1, 0, 1))
        x = self.norm(self.convolution(x))
        return functional.relu6(x) if self.active else x


class Block(nn.Module):
    """Two convolutions around a shortcut."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = Conv(channels, channels, dilation=dilation)
        self.second = Conv(channels, channels, dilation=dilation, active=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu6(x + self.second(self.first(x)))


class Up(nn.Module):
    """The coarse map at twice its size plus the fine one, each brought to filters channels, then a convolution."""

    def __init__(self, coarse: int, fine: int, filters: int) -> None:
        super().__init__()
        self.coarse, self.fine = Conv(coarse, filters, 1), Conv(fine, filters, 1)
        self.out = Conv(filters, filters)

    def forward(self, x: torch.Tensor, skip: torch.Tensor) -> torch.Tensor:
        x = functional.interpolate(self.coarse(x), scale_factor=2, mode="bilinear", align_corners=False)
        return self.out(x + self.fine(skip))


class Network(nn.Module):
    """The finder, 0.14 GMAC and 0.58 M weights. forward gives logits: fine [B, 5, 64, 64], classes and ways [B, n, 32, 32]."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.quarter = Conv(3, 8, stride=2), Conv(8, 24, stride=2)
        self.eighth = nn.Sequential(Conv(24, 36, stride=2), Block(36))
        self.sixteenth = nn.Sequential(Conv(36, 64, stride=2), Block(64), Block(64))
        self.deep = nn.Sequential(Conv(64, 64, stride=2), *(Block(64, d) for d in (1, 2, 4, 1)))
        self.up16, self.up8, self.up4 = Up(64, 64, 48), Up(48, 36, 36), Up(36, 24, 16)
        self.fine = nn.Conv2d(16, 1 + CORNERS, 1)
        self.kinds, self.ways = nn.Conv2d(36, len(finder_pool.KINDS), 1), nn.Conv2d(36, WAYS, 1)
        nn.init.constant_(self.fine.bias, -2.5)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        x = self.up8(self.up16(self.deep(sixteenth), sixteenth), eighth)
        return self.fine(self.up4(x, quarter)), self.kinds(x), CALM * self.ways(x)


def maps(network: Network, images: npt.NDArray[np.uint8] | torch.Tensor) -> npt.NDArray[np.float32]:
    """Float maps [B, 32, 32, CHANNELS] for uint8 planes [B, 256, 256, 3]: what the exported file answers."""
    with torch.no_grad():
        fine, kinds, ways = network(training.inputs(images))
        count, channels, height, width = fine.shape
        fine = fine.view(count, channels, height // 2, 2, width // 2, 2).permute(0, 2, 4, 3, 5, 1).flatten(3)
        return torch.cat([fine, kinds.permute(0, 2, 3, 1), ways.permute(0, 2, 3, 1)], -1).sigmoid().numpy()


def _heat(quads: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
    """Corner marks [B, 4, 64, 64]; corners beyond the square leave none."""
    at = torch.arange(finder_stage.GRID) + 0.5
    there = (kinds >= 0).float()[:, :, None, None]
    dx = torch.exp(-((at - quads[..., 0, None] / finder_stage.CELL) ** 2) / (2 * SPREAD**2))
    dy = torch.exp(-((at - quads[..., 1, None] / finder_stage.CELL) ** 2) / (2 * SPREAD**2))
    return torch.einsum("bdcx,bdcy->bdcyx", dx * there, dy).amax(1)


def _per_document(values: torch.Tensor, owner: torch.Tensor, count: int) -> torch.Tensor:
    """Mean over documents of the mean of values [B, h, w] over each document's cells."""
    index = (owner + (torch.arange(len(owner)) * (count + 1))[:, None, None]).flatten()
    size = torch.zeros(len(owner) * (count + 1)).index_add_(0, index, torch.ones(index.shape))
    total = torch.zeros(size.shape).index_add(0, index, values.flatten())
    mean = (total / size.clamp(min=1)).view(len(owner), count + 1)[:, 1:]
    there = (size.view(len(owner), count + 1)[:, 1:] > 0).float()
    return (mean * there).sum() / there.sum().clamp(min=1)


def loss(output: Sequence[torch.Tensor], batch: Sequence[np.ndarray | torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """Loss of a batch of scenes; returns (total, parts: core, overlap, corners, class, ways)."""
    fine, kind_logits, ways = output
    core, sure, owner, quads, kinds = (torch.as_tensor(a) for a in batch)
    core, sure = core.float() / 255, sure.float() / 255
    # The rim counts more: where it is missed, documents that cover each other run together.
    rim = 1 + 3 * (functional.max_pool2d(core[:, None], 3, 1, 1)[:, 0] - core)
    entropy = functional.binary_cross_entropy_with_logits(fine[:, 0], core, reduction="none") * sure * rim
    guess = fine[:, 0].sigmoid() * sure
    overlap = 1 - (2 * (guess * core).sum((1, 2)) + 8) / ((guess + core * sure).sum((1, 2)) + 8)
    heat = _heat(quads, kinds) * (sure > 0.5)[:, None]
    marks = functional.binary_cross_entropy_with_logits(fine[:, 1:], heat, reduction="none") * (1 + 25 * heat) * sure[:, None]

    coarse = owner[:, ::2, ::2].long()
    picked = torch.gather(kinds, 1, (coarse - 1).clamp(min=0).flatten(1)).view(coarse.shape).clamp(min=0)
    # Odds against each other decide, but each class alone must lie where the answer's range is finest.
    single = functional.binary_cross_entropy_with_logits(kind_logits, functional.one_hot(picked, len(finder_pool.KINDS)).permute(0, 3, 1, 2).float(), reduction="none")
    classes = functional.cross_entropy(kind_logits, picked, reduction="none") + 0.3 * single.sum(1)
    index = (coarse - 1).clamp(min=0).flatten(1)[..., None].expand(-1, -1, 8)
    target = torch.gather(quads.flatten(2), 1, index).view(*coarse.shape, 8)
    at = (torch.arange(finder_stage.GRID // 2) + 0.5) * BLOCK
    origin = torch.stack([at[None, :].expand(len(at), -1), at[:, None].expand(-1, len(at))], -1).repeat(1, 1, 4)
    way = (ways.sigmoid().permute(0, 2, 3, 1) * 2 - 1) * REACH
    truth = (target - origin).clamp(-REACH, REACH)
    span = (target.view(*coarse.shape, 4, 2) - target.view(*coarse.shape, 4, 2).roll(1, 3)).norm(dim=-1).mean(-1).clamp(min=8)[..., None]
    turned = torch.stack([functional.smooth_l1_loss(way / span, truth.roll(2 * turn, -1) / span, beta=0.02, reduction="none").mean(-1) for turn in range(4)])
    # Many other sheets look the same from two or four sides: there any turn is right.
    error = torch.where(picked == finder_pool.UNKNOWN, turned.amin(0), turned[0])
    count = quads.shape[1]
    parts = [2 * entropy.mean(), 0.5 * overlap.mean(), 6 * marks.mean(), _per_document(classes, coarse, count),
             2 * _per_document(error, coarse, count)]
    return sum(parts), parts


class _Stream(torch.utils.data.IterableDataset):
    """Endless batches of scenes."""

    def __init__(self, args: argparse.Namespace, seed: int, size: int | None = None) -> None:
        self.args, self.seed, self.size = args, seed, size or args.batch

    def __iter__(self) -> Iterator[list[np.ndarray]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        pool = finder_pool.Pool(self.args.pool, self.args.photos)
        while True:
            yield [np.stack(column) for column in zip(*(scenes.scene(rng, pool) for _ in range(self.size)))]


def begun(path: str, images: npt.NDArray[np.uint8] | torch.Tensor) -> Network:
    """The network with the weights of a .tflite file; images are planes of training scenes."""
    found = list(warmstart.kernels(path))
    for index, (kernel, bias) in enumerate(found):
        if kernel.shape[2] == 2:  # the fine head, written for 2 x 2 cells
            found[index] = kernel[: 1 + CORNERS, :, :1, :1], bias[: 1 + CORNERS]
        elif len(kernel) == WAYS and kernel.shape[1] == 36:
            found[index] = kernel / CALM, bias / CALM
    return warmstart.begin(Network(), found, training.inputs(images))


def train(args: argparse.Namespace) -> None:
    """Train for args.minutes of wall time."""
    torch.set_num_threads(args.threads)

    def network(resumed: bool) -> Network:
        if resumed or not args.start:
            return Network()
        images, *_ = next(iter(_Stream(args, 0, size=192)))
        return begun(args.start, images)

    def losses(network: Network, batch: Sequence[np.ndarray | torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        images, *truth = batch
        with training.halved():
            output = network(training.inputs(images))
        return loss([part.float() for part in output], truth)

    training.timed(args, network, lambda seed: _Stream(args, seed), losses)


def load(path: str) -> Network:
    """The network of a checkpoint, ready to answer."""
    network = Network()
    network.load_state_dict(torch.load(path, weights_only=True)["weights"])
    return network.eval()


def mean(first: str, second: str, out: str) -> None:
    """Write the checkpoint out/mean.pt whose weights are the means of two: of one and of what a further training made of it."""
    states = [torch.load(path, weights_only=True) for path in (first, second)]
    one, other = (state["weights"] for state in states)
    weights = {name: (value + other[name]) / 2 if value.is_floating_point() else other[name] for name, value in one.items()}
    torch.save({**states[1], "weights": weights}, os.path.join(out, "mean.pt"))


def decode(answer: npt.NDArray[np.float32]) -> list[tuple[np.ndarray, np.ndarray]]:
    """Documents of maps [32, 32, CHANNELS], for figures: list of (class probabilities, quad in input pixels), largest first."""
    core = answer[..., 0:FINE:1 + CORNERS].mean(-1)
    count, marks = cv2.connectedComponents((core > 0.5).astype(np.uint8), connectivity=4)
    found = []
    for k in range(1, count):
        rows, columns = np.nonzero(marks == k)
        if len(rows) < 5:
            continue
        cells = answer[rows, columns]
        ways = (cells[:, -WAYS:] * 2 - 1) * REACH
        quad = np.median(ways.reshape(-1, 4, 2) + (np.stack([columns, rows], 1)[:, None] + 0.5) * BLOCK, 0)
        odds = cells[:, CLASSES].clip(0.002, 0.998)
        odds = odds / (1 - odds)
        found.append(((odds / odds.sum(1, keepdims=True)).mean(0), quad, len(rows)))
    return [(kinds, quad) for kinds, quad, _ in sorted(found, key=lambda f: -f[2])]


def figures(
    predict: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], pool: finder_pool.Pool, count: int, seed: int
) -> dict[str, dict[str, Any]]:
    """Run count scenes of each maker through predict (planes [1, 256, 256, 3] to maps) and count."""
    result = {}
    for number, maker in enumerate(scenes.MAKERS):
        rng = np.random.default_rng([seed, number])
        tally: dict[str, Any] = dict(documents=0, found=0, false=0, kind=0, upright=0)
        errors: list[float] = []
        for _ in range(count):
            picture, truth = maker(rng, pool)
            size = (picture.shape[1], picture.shape[0])
            picture = scenes.spoiled(rng, picture)
            _, _, _, quads, kinds = truth.arrays(size)
            found = decode(predict(scenes.planes(picture)[None])[0])
            _compare(found, [(k, q) for k, q in zip(kinds, quads) if k >= 0], tally, errors)
        tally["median_error"] = round(float(np.median(errors)), 4) if errors else None
        result[maker.__name__] = tally
    return result


def _compare(
    found: Sequence[tuple[np.ndarray, np.ndarray]], truth: Sequence[tuple[int, np.ndarray]], tally: dict[str, Any], errors: list[float]
) -> None:
    """Count one picture; a document is found when a found one's middle lies within a quarter of its size of its own."""
    tally["documents"] += len(truth)
    left = list(found)
    for kind, quad in truth:
        span = np.linalg.norm(quad - np.roll(quad, 1, 0), axis=1).mean()
        near = [f for f in left if np.linalg.norm(f[1].mean(0) - quad.mean(0)) < span / 4]
        if not near:
            continue
        left = [f for f in left if f is not near[0]]
        kinds, guess = near[0]
        turns = [np.linalg.norm(np.roll(guess, r, 0) - quad, axis=1).mean() / span for r in range(4)]
        tally["found"] += 1
        tally["kind"] += int(kinds.argmax() == kind)
        tally["upright"] += int(np.argmin(turns) == 0)
        errors.append(min(turns))
    tally["false"] += len(left)


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.train.finder")
    parser.add_argument("verb", choices=("pool", "train", "mean"))
    parser.add_argument("--pool", help="folder of pool files")
    parser.add_argument("--out", default=".")
    parser.add_argument("--flat", nargs="*", default=[], help="pool: folders of flat documents with truth.jsonl")
    parser.add_argument("--drawn", type=int, default=0, help="pool: passports and other sheets to draw")
    parser.add_argument("--sheets", type=int, default=0, help="pool: sheets of print to draw that documents are laid on")
    parser.add_argument("--upright", type=int, default=0, help="pool: licences and badges to draw that are higher than wide")
    parser.add_argument("--portraits", default="")
    parser.add_argument("--photos", default="", help="photographs of anything but documents, as backgrounds and on sheets")
    parser.add_argument("--held-out", action="store_true", help="fonts and tables that training never sees")
    parser.add_argument("--weights", help="mean: the first checkpoint")
    parser.add_argument("--other", help="mean: the second checkpoint")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="train: the .tflite file whose weights to begin with, where there is nothing to resume")
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.verb == "pool":
        os.makedirs(args.out, exist_ok=True)
        if args.drawn:
            finder_pool.build_pool(os.path.join(args.out, f"drawn-{args.seed}.pkl"), args.drawn, args.seed, args.held_out, args.portraits)
        if args.sheets:
            finder_pool.build_sheets(os.path.join(args.out, f"sheets-{args.seed}.pkl"), args.sheets, args.seed, args.photos)
        if args.upright:
            finder_pool.build_upright(os.path.join(args.out, f"upright-{args.seed}.pkl"), args.upright, args.seed, args.portraits)
        for folder in args.flat:
            finder_pool.gather(os.path.join(args.out, os.path.basename(os.path.normpath(folder)) + ".pkl"), folder)
    elif args.verb == "train":
        train(args)
    else:
        mean(args.weights, args.other, args.out)


if __name__ == "__main__":
    main()
