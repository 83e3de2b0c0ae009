"""The digit line recogniser: network and training; figures and export are those of report.digit_report.

    python -m bawab_training.train.digits train --out DIR --minutes 90 [--resume] [--start FILE] [--photographs FOLDER ...]
"""

from __future__ import annotations

import argparse
import functools
from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..draw import digit_text
from ..photograph import digit_lines, digit_photographs
from ..networks import ctc, training, warmstart
from ..networks.training import Recogniser

# Seeds of the three splits; a training adds its step number to the first.
TRAIN_SEED, VALIDATION_SEED, TEST_SEED = 2_000_000_000, 11, 600_000

_KEPT = 500  # samples that wait to be shown again
_PHOTOGRAPHED = 0.4  # share of a batch that is cut out of photographs, where there are any

# The network as training.Recogniser builds it. Context tells which script the line is in, which decides whether a circle
# is a five or a zero.
LAYERS = (
    ("conv", 16, (3, 3), (2, 2)),
    ("conv", 32, (3, 3), (2, 2)),
    ("res", 32, (3, 3), (1, 1)),
    ("conv", 48, (3, 3), (2, 1)),
    ("res", 48, (3, 3), (1, 1)),
    ("fold", 96, (4, 1), (1, 1)),
    ("res", 96, (1, 5), (1, 1)),
    ("context", 96, (1, 1), (1, 1)),
    ("res", 96, (1, 5), (1, 2)),
)


def build() -> Recogniser:
    """The untrained network, from N x 1 x 32 x 512 strips in 0..1 to N x 128 x 13 logits."""
    return training.Recogniser(LAYERS, digit_text.CLASSES)


def _begun(start: str) -> Recogniser:
    """The network with the weights of the .tflite file start."""
    strips = np.stack([s.strip for s in samples(TRAIN_SEED - 1, 0.3, 300)])[:, None]
    return warmstart.begin(build(), warmstart.kernels(start), torch.from_numpy(strips).float() / 255)


_unsure = np.full(digit_lines.COLUMNS, ctc.IGNORE, np.int64)  # labels of a strip in which the signs' places are not known


def _batch(
    samples: Sequence[digit_lines.Sample]
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return strips, column labels, padded texts and lengths as arrays."""
    strips = np.stack([s.strip for s in samples])[:, None]
    columns = np.stack([digit_lines.column_labels(s) if len(s.spans) == len(s.text) else _unsure for s in samples])
    lengths = np.array([len(s.text) for s in samples])
    texts = np.zeros((len(samples), lengths.max()), np.int64)
    for row, sample in zip(texts, samples):
        row[: len(sample.text)] = digit_text.encode(sample.text)
    return strips, columns, texts, lengths


def _batches(
    seed: int, size: int, photographs: Sequence[str] = ()
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Yield training batches without end: of what is drawn, a third anew, the rest a while ago, since drawing is the slow part.

    With folders of photographs a part of each batch is cut out of them, anew at every use.
    """
    generator, rng = digit_lines.Generator(seed), np.random.default_rng(seed)
    kept = [generator.sample() for _ in range(_KEPT)]
    found = [cutting for folder in photographs for cutting in digit_photographs.cuttings(folder)]
    if found:
        print(f"{len(found)} lines of photographs", flush=True)
    taken = round(size * _PHOTOGRAPHED) if found else 0
    while True:
        fresh = [generator.sample() for _ in range((size - taken) // 3)]
        places = rng.choice(_KEPT, size - taken - len(fresh), replace=False)
        cut = [found[i].sample(rng) for i in rng.integers(len(found), size=taken)] if found else []
        yield _batch(fresh + cut + [kept[i] for i in places])
        for place, sample in zip(places, fresh):  # so that each is shown about three times
            kept[place] = sample


def samples(seed: int, hard: float | None, count: int, content: str | None = None, held_out: bool = False) -> list[digit_lines.Sample]:
    """Return count samples of a split: its seed, difficulty, kind of line and fonts."""
    generator = digit_lines.Generator(seed, hard, content, held_out)
    return [generator.sample() for _ in range(count)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["train"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="the .tflite file whose weights to begin with, where there is nothing to resume")
    parser.add_argument("--photographs", nargs="*", default=[], help="folders of photographs with truth.jsonl, whose lines of digits are shown, too")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    network = _begun(arguments.start) if arguments.start else build()
    # One that goes on needs no first steps by columns alone, and draws other lines than those that it began with.
    seed, peak, alone = (TRAIN_SEED + 7, 1e-3, 0) if arguments.start else (TRAIN_SEED, 2e-3, 300)
    batches = functools.partial(_batches, photographs=arguments.photographs)
    training.fit(network, batches, seed, arguments.out, arguments.minutes, arguments.resume, peak=peak, alone=alone)


if __name__ == "__main__":
    main()
