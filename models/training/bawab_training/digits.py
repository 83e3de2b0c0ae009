"""The digit line recogniser: network, training, evaluation, export.

    python -m bawab_training.digits train  --out DIR --minutes 90 [--resume]
    python -m bawab_training.digits export --out DIR --tflite FILE
    python -m bawab_training.digits eval   --out DIR [--tflite FILE] [--test] [--lines 1000]
    python -m bawab_training.digits photographs --out DIR [--tflite FILE] --pictures FOLDER
"""

import argparse

import cv2
import numpy as np
import torch
from torch import nn

from . import digit_lines, digit_text, training

# Seeds of the three splits; a training adds its step number to the first.
TRAIN_SEED, VALIDATION_SEED, TEST_SEED = 2_000_000_000, 11, 600_000

# The network as data: (kind, channels, kernel, stride or dilation). "conv" is convolution, batch norm, ReLU;
# "res" two convolutions with a skip; "fold" a convolution without padding in height; "context" adds
# what the whole line looks like: which script it is in decides whether a circle is a five or a zero.
LAYERS = (
    ("conv", 16, (3, 3), (2, 2)),
    ("conv", 32, (3, 3), (2, 2)),
    ("res", 32, (3, 3), (1, 1)),
    ("conv", 48, (3, 3), (2, 1)),
    ("res", 48, (3, 3), (1, 1)),
    ("fold", 96, (4, 1), (1, 1)),
    ("res", 96, (1, 5), (1, 1)),
    ("context", 96, None, None),
    ("res", 96, (1, 5), (1, 2)),
)


class Digits(nn.Module):
    """Maps N x 1 x 32 x 512 strips in 0..1 to N x 128 x 13 logits."""

    def __init__(self):
        super().__init__()
        blocks, channels = [], 1
        for kind, outputs, kernel, step in LAYERS:
            if kind == "res":
                blocks.append(training.Residual(channels, kernel, step))
            elif kind == "context":
                blocks.append(training.Context(channels))
            else:
                blocks += [training.Convolution(channels, outputs, kernel, step, kind == "fold"), nn.ReLU()]
            channels = outputs
        self.body = nn.Sequential(*blocks)
        self.drop = nn.Dropout2d(0.05)
        self.head = nn.Conv2d(channels, digit_text.CLASSES, 1)

    def forward(self, x):
        return self.head(self.drop(self.body(x)))[:, :, 0].transpose(1, 2)


def _batch(samples):
    """Return strips, column labels, padded texts and lengths as arrays."""
    strips = np.stack([s.strip for s in samples])[:, None]
    columns = np.stack([digit_lines.column_labels(s) for s in samples])
    lengths = np.array([len(s.text) for s in samples])
    texts = np.zeros((len(samples), lengths.max()), np.int64)
    for row, sample in zip(texts, samples):
        row[: len(sample.text)] = digit_text.encode(sample.text)
    return strips, columns, texts, lengths


def _batches(seed, size):
    """Yield training batches without end."""
    generator = digit_lines.Generator(seed)
    while True:
        yield _batch([generator.sample() for _ in range(size)])


def samples(seed, hard, count, content=None, held_out=False):
    """Return count samples of a split: its seed, difficulty, kind of line and fonts."""
    generator = digit_lines.Generator(seed, hard, content, held_out)
    return [generator.sample() for _ in range(count)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["train", "export"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tflite", help="file to write (export) or to evaluate")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    if arguments.action == "train":
        training.fit(Digits(), _batches, TRAIN_SEED, arguments.out, arguments.minutes, arguments.resume)
        return
    from . import convert  # TensorFlow takes seconds to load and training does not need it

    convert.export(training.restore(Digits(), arguments.out), samples(TRAIN_SEED - 1, 0, 300), arguments.tflite)


if __name__ == "__main__":
    main()
