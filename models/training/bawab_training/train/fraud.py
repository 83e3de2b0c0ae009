"""The texture network of document fraud: patches at a picture's own resolution as genuine card, screen or print.

    python -m bawab_training.train.fraud train --tiles DIR --photographs DIR ... [--real GLOB ...] --minutes 45 --out DIR [--resume] [--start FILE --rate 1e-3]
    python -m bawab_training.train.fraud export --tiles DIR --out DIR --tflite ../fraud.tflite
    python -m bawab_training.train.fraud score --tflite ../fraud.tflite --tiles DIR

Input 1 x 96 x 96 x 3, planes Y, Cb, Cr; output 1 x 3 logits in the order of fraud_tiles.CLASSES. Tiles come from fraud_tiles;
photographs (of bawab_training.photograph.documents) and real pictures are genuine. Training watches for new tiles while it runs.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import time
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from ..networks import warmstart
from ..photograph.fraud_tiles import CLASSES, SIDE
from ..networks.training import Convolution, Residual, _checkpoint, _rate, checkpoint, halved, restore

PATCH = 96


class Network(nn.Module):
    """21 MMAC: what repeats within a few pixels shows before the first pooling, so the first kernels are wide."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            Convolution(3, 16, (5, 5), (2, 2)), nn.ReLU(), Convolution(16, 24, (3, 3), (2, 2)), nn.ReLU(), Residual(24, (3, 3)),
            Convolution(24, 48, (3, 3), (2, 2)), nn.ReLU(), Residual(48, (3, 3)), Convolution(48, 96, (3, 3), (2, 2)), nn.ReLU(),
        )
        self.drop = nn.Dropout(0.1)
        self.head = nn.Conv2d(96, len(CLASSES), 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.body(x).mean((2, 3), keepdim=True)))[:, :, 0, 0]


class Pool:
    """Tiles and genuine pictures in memory, and batches of patches out of them."""

    def __init__(self, folder: str, photographs: Sequence[str] = (), real: Sequence[str] = (), seed: int = 1) -> None:
        self.folder = folder
        self.tiles: list[npt.NDArray[np.uint8]] = []
        self.known: set[str] = set()
        self.rng = np.random.default_rng(seed)
        self.extra: list[npt.NDArray[np.uint8]] = []
        for directory in photographs:
            self._photographs(directory)
        for pattern in real:
            self.extra += [planes for name in sorted(glob.glob(pattern, recursive=True))[:400] if (planes := _planes(name)) is not None]
        self.refresh()

    def _photographs(self, directory: str) -> None:
        """Square pieces of the documents in photographs."""
        with open(os.path.join(directory, "truth.jsonl"), encoding="utf-8") as lines:
            for line in lines:
                truth = json.loads(line)
                planes = _planes(os.path.join(directory, truth["file"]))
                quad = np.array(truth["documents"][0]["quad"])
                if planes is None:
                    continue
                for _ in range(5):
                    share = self.rng.dirichlet(np.ones(4))
                    corner = np.clip(share @ quad - SIDE / 2, 0, np.array(planes.shape[1::-1]) - SIDE).astype(int)
                    self.extra.append(planes[corner[1] : corner[1] + SIDE, corner[0] : corner[0] + SIDE].copy())

    def refresh(self) -> None:
        """Take up tiles that were written since."""
        for name in sorted(set(glob.glob(os.path.join(self.folder, "*.npz"))) - self.known):
            try:
                with np.load(name) as data:
                    self.tiles.append(data["tiles"])
                self.known.add(name)
            except (OSError, ValueError, EOFError, KeyError):  # still being written
                continue

    def batch(self, trios: int, extra: int) -> tuple[torch.Tensor, torch.Tensor]:
        """(patches N x 3 x PATCH x PATCH in 0..1, classes): trios of tiles, and extra genuine pieces."""
        patches, classes = [], []
        for index in self.rng.integers(0, len(self.tiles), trios):
            for label, tile in enumerate(self.tiles[index]):
                patches.append(_augmented(self.rng, tile))
                classes.append(label)
        for index in self.rng.integers(0, len(self.extra), extra) if self.extra else ():
            patches.append(_augmented(self.rng, self.extra[index]))
            classes.append(0)
        return torch.from_numpy(np.stack(patches)).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last), torch.tensor(classes)


def _planes(name: str) -> npt.NDArray[np.uint8] | None:
    picture = cv2.imread(name)
    if picture is None or min(picture.shape[:2]) < SIDE:
        return None
    return cv2.cvtColor(picture, cv2.COLOR_BGR2YCrCb)[..., [0, 2, 1]]


def _augmented(rng: np.random.Generator, tile: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """A PATCH x PATCH piece, turned in eighths, a little lighter or darker, more or less colourful, now and then softer or noisier."""
    y, x = (int(rng.integers(0, size - PATCH + 1)) for size in tile.shape[:2])
    patch = tile[y : y + PATCH, x : x + PATCH].astype(np.float32)
    if rng.random() < 0.5:
        patch = patch.transpose(1, 0, 2)
    patch = np.ascontiguousarray(patch[:: 1 - 2 * int(rng.integers(2)), :: 1 - 2 * int(rng.integers(2))])
    if rng.random() < 0.15:
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.3, 0.9))
    if rng.random() < 0.2:
        patch += rng.standard_normal(patch.shape, dtype=np.float32) * np.float32(rng.uniform(1, 6))
    colour = 0.0 if rng.random() < 0.05 else rng.uniform(0.6, 1.3)
    patch[..., 0] = patch[..., 0] * np.float32(rng.uniform(0.7, 1.15)) + np.float32(rng.uniform(-15, 15))
    patch[..., 1:] = (patch[..., 1:] - 128) * np.float32(colour) + 128 + rng.uniform(-6, 6, 2).astype(np.float32)
    return np.clip(np.round(patch), 0, 255) / np.float32(255)


def train(args: argparse.Namespace) -> None:
    """Train for args.minutes of wall-clock time; the checkpoint in out is written every two minutes."""
    os.makedirs(args.out, exist_ok=True)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    path = checkpoint(args.out)
    pool = Pool(args.tiles, args.photographs, args.real, seed=int(time.time()))
    network, resumed = Network(), args.resume and os.path.exists(path)
    if args.start and not resumed:
        warmstart.begin(network, warmstart.kernels(args.start), pool.batch(40, 40)[0])
    network.to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=args.rate, weight_decay=0.02)
    step, spent = 0, 0.0
    if resumed:
        state = torch.load(path)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
    began, saved, mean, right = time.time() - spent, time.time(), 1.1, 0.4
    while (took := time.time() - began) < args.minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = _rate(took / (args.minutes * 60), args.rate)
        patches, classes = pool.batch(16, 16)
        with halved():
            logits = network(patches)
        loss = nn.functional.cross_entropy(logits.float(), classes, label_smoothing=0.02)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        step += 1
        mean, right = 0.98 * mean + 0.02 * loss.item(), 0.98 * right + 0.02 * (logits.argmax(1) == classes).float().mean().item()
        if step % 50 == 0:
            print(f"step {step} tiles {len(pool.tiles)} extra {len(pool.extra)} minutes {took / 60:.1f} loss {mean:.4f} right {right:.4f}", flush=True)
        if time.time() - saved > 120:
            saved = time.time()
            pool.refresh()
            _checkpoint(path, network, optimiser, step=step, spent=saved - began)
    _checkpoint(path, network, optimiser, step=step, spent=time.time() - began)


def settled(args: argparse.Namespace, batches: int = 40) -> tuple[Network, Pool]:
    """The trained network with the statistics of its norms taken anew from the training distribution.

    The mean of the input is far from zero, so that running statistics lag behind the weights as long as these move.
    """
    network = restore(Network(), args.out)
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # the plain average
    pool = Pool(args.tiles, args.photographs, args.real, seed=5)
    network.train()
    with torch.no_grad():
        for _ in range(batches):
            network(pool.batch(16, 16)[0])
    return network.eval(), pool


def export(args: argparse.Namespace) -> None:
    """Write the trained network as an int8 file."""
    from ..export import convert  # TensorFlow takes seconds to load

    network, pool = settled(args)
    patches, _ = pool.batch(60, 60)
    convert.classifier(network, (patches.permute(0, 2, 3, 1).numpy() * 255).round().astype(np.uint8), args.tflite, pooled=True)


def score(args: argparse.Namespace) -> None:
    """Print how single tiles are told apart by a file: accuracy for each maker."""
    from ..export import convert

    network = convert.Int8(args.tflite)
    counts: dict[str, list[bool]] = {}
    for name in sorted(glob.glob(os.path.join(args.tiles, "*.npz"))):
        with np.load(name) as data:
            for label, (tile, maker) in enumerate(zip(data["tiles"], data["makers"])):
                margin = (SIDE - PATCH) // 2
                answer = network(tile[margin : margin + PATCH, margin : margin + PATCH])[0].argmax()
                counts.setdefault(str(maker), []).append(answer == label)
    for maker, right in sorted(counts.items()):
        print(f"{maker}: {100 * np.mean(right):.1f} % of {len(right)}")


def main() -> None:
    """Parse the command line and train, export or score."""
    parser = argparse.ArgumentParser(prog="bawab_training.train.fraud")
    parser.add_argument("what", choices=("train", "export", "score"))
    parser.add_argument("--tiles", required=True)
    parser.add_argument("--photographs", nargs="*", default=[])
    parser.add_argument("--real", nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=45)
    parser.add_argument("--out", default="")
    parser.add_argument("--rate", type=float, default=3e-3, help="train: the highest learning rate")
    parser.add_argument("--start", help="train: the .tflite file whose weights to begin with")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--tflite", default="")
    args = parser.parse_args()
    {"train": train, "export": export, "score": score}[args.what](args)


if __name__ == "__main__":
    main()
