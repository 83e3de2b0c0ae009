"""The MRZ line recogniser: network, training, evaluation, export.

    python -m bawab_training.train.recogniser train --out DIR --minutes 90 [--resume | --start mrz.tflite]
    python -m bawab_training.train.recogniser eval --out DIR [--tflite FILE] [--lines 2000]
    python -m bawab_training.train.recogniser export --out DIR --tflite FILE
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..draw import mrz_text
from ..photograph import mrz_lines
from ..networks import ctc, training, warmstart
from ..networks.training import Recogniser

# Seeds of the three splits; a worker adds its number and the epoch to the first.
TRAIN_SEED, VALIDATION_SEED, TEST_SEED = 1_000_000_000, 1, 500_000
OTHERS = 0.35  # the share of training lines that are not in OCR-B

# The network as training.Recogniser builds it.
LAYERS = (
    ("conv", 16, (3, 3), (2, 2)),
    ("conv", 32, (3, 3), (2, 2)),
    ("res", 32, (3, 3), (1, 1)),
    ("conv", 48, (3, 3), (2, 1)),
    ("res", 48, (3, 3), (1, 1)),
    ("fold", 96, (4, 1), (1, 1)),
    ("res", 96, (1, 5), (1, 1)),
    ("res", 96, (1, 5), (1, 1)),
)


def build() -> Recogniser:
    """The untrained network, from N x 1 x 32 x 768 strips in 0..1 to N x 192 x 38 logits."""
    return training.Recogniser(LAYERS, mrz_text.CLASSES)


def _begun(start: str) -> Recogniser:
    """The network with the weights of the .tflite file start."""
    strips = np.stack([s.strip for s in samples(TRAIN_SEED - 1, 0, 300)])[:, None]
    return warmstart.begin(build(), warmstart.kernels(start), torch.from_numpy(strips).float() / 255)


def _batch(
    samples: Sequence[mrz_lines.Sample]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return strips, column labels, padded texts and lengths as arrays."""
    strips = np.stack([s.strip for s in samples])[:, None]
    columns = np.stack(
        [ctc.column_labels(s.text, s.edges, mrz_lines.COLUMNS, mrz_lines.WIDTH) for s in samples]
    )
    lengths = np.array([len(s.text) for s in samples])
    texts = np.zeros((len(samples), lengths.max()), np.int64)
    for row, sample in zip(texts, samples):
        row[: len(sample.text)] = mrz_text.encode(sample.text)
    return strips, columns, texts, lengths


def _batches(
    seed: int, size: int
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Yield training batches without end."""
    generator = mrz_lines.Generator(seed, share=OTHERS)
    while True:
        yield _batch([generator.sample() for _ in range(size)])


def samples(
    seed: int, hard: float | None, count: int, share: float = 0.0, others: Sequence[str] = mrz_lines.OTHERS
) -> list[mrz_lines.Sample]:
    """Return count samples of a split: its seed, its difficulty, and what share of it is not in OCR-B but in one of others."""
    generator = mrz_lines.Generator(seed, hard, share, others)
    return [generator.sample() for _ in range(count)]


def evaluate(read: Callable[[npt.NDArray[np.uint8]], np.ndarray], seed: int, count: int) -> dict[str, dict[str, float]]:
    """Return the figures of a reader on the normal, training-like and hard conditions, and on faces that taught no reader."""
    figures: dict[str, dict[str, float]] = {}
    for name, hard, share in (("normal", None, 0.0), ("training", 0, 0.0), ("hard", 1, 0.0), ("other faces", None, 1.0)):
        drawn = samples(seed + len(figures), hard, count, share, mrz_lines.HELD_OUT)
        texts = ctc.greedy(read(np.stack([s.strip for s in drawn])))
        figures[name] = ctc.report(texts, [s.text for s in drawn])
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["train", "eval", "export"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="the .tflite file whose weights to begin with, where there is nothing to resume")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", type=int, default=1000, help="lines per condition in eval")
    parser.add_argument("--test", action="store_true", help="evaluate on the test split")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    if arguments.action == "train":
        network = _begun(arguments.start) if arguments.start else build()
        # One that goes on needs no first steps by columns alone, and draws other lines than those that it began with.
        seed, peak, alone = (TRAIN_SEED + 7, 1e-3, 0) if arguments.start else (TRAIN_SEED, 2e-3, 800)
        training.fit(network, _batches, seed, arguments.out, arguments.minutes, arguments.resume, peak=peak, alone=alone)
        return
    from ..export import convert  # TensorFlow takes seconds to load and training does not need it

    if arguments.action == "export":
        convert.export(training.restore(build(), arguments.out), samples(TRAIN_SEED - 1, 0, 300, OTHERS), arguments.tflite)
        return
    if arguments.tflite:
        read = convert.reader(arguments.tflite)
    else:
        read = training.float_reader(training.restore(build(), arguments.out))
    seed = TEST_SEED if arguments.test else VALIDATION_SEED
    print(json.dumps(evaluate(read, seed, arguments.lines), indent=1))


if __name__ == "__main__":
    main()
