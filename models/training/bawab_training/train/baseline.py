"""The network that finds a line's base line and the height of its letters on a strip that was cut roughly.

    python -m bawab_training.train.baseline train  --photographs DIR --out DIR --until 18:00 --anneal 8
    python -m bawab_training.train.baseline export --photographs DIR --out DIR --tflite ../baseline.tflite
    python -m bawab_training.train.baseline eval   --tflite ../baseline.tflite

The strip is cut by the detector's idea of the line, whose glyph box is said to be BOX rows high with its middle at row CENTRE,
and is normalised as every recogniser's strip is. Where it is longer than WIDTH, its middle is shown; where it is shorter, its
median level follows. Output: for each of its columns, PITCH samples wide, how far below CENTRE the middle of the true glyph box
lies, in BOX rows, and the logarithm of its height over BOX, both times UNIT; and a logit by which the columns are weighed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.queues import Queue

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from ..photograph import text_lines, text_photographs
from ..networks import training
from ..photograph.mrz_lines import normalise
from ..networks.training import Recogniser

HEIGHT, WIDTH, PITCH, BOX, CENTRE = 40, 160, 8, 13, 19
UNIT = 10  # of the two measures, so that they use the range of the weights in int8
TRAIN_SEED, TEST_SEED = 4_000_000_000, 900_000
PHOTOGRAPHED = 0.5  # share of lines out of photographs
BATCH = 96

LAYERS = (
    ("conv", 12, (3, 3), (2, 2)),
    ("conv", 24, (3, 3), (2, 2)),
    ("res", 24, (3, 3), (1, 1)),
    ("conv", 40, (3, 3), (2, 2)),
    ("fold", 64, (5, 1), (1, 1)),
    ("res", 64, (1, 5), (1, 1)),
)


def build() -> Recogniser:
    """The untrained network."""
    return training.Recogniser(LAYERS, 3)


@dataclass
class Sample:
    """A strip, uint8 HEIGHT x WIDTH, and its true middle and height as the network says them."""

    strip: npt.NDArray[np.uint8]
    truth: npt.NDArray[np.float32]


class Generator(text_lines.Generator):
    """Endless roughly cut strips. Errors are spread as the detector's on photographs of cards, and a little wider."""

    def rough(self) -> Sample:
        """Return the next Sample."""
        _, _, *taken = self._taken()
        return self._rough(*taken)

    def _rough(self, picture: npt.NDArray[np.uint8], scale: float, squeeze: float, width: float) -> Sample:
        rng = self._rng
        higher, lower = np.clip(rng.normal(0, 0.22), -0.5, 0.5), np.clip(rng.normal(0, 0.18), -0.5, 0.5)
        picture, scale, zoom = text_lines.shrunk(picture, scale, BOX * np.exp(higher))
        unit = scale / text_lines.CAP  # picture pixels per pixel of the drawing
        text = (width - 2 * text_lines.SIDE) * unit * squeeze / zoom
        before, after = np.clip(rng.normal(12, 8, 2), -6, 36)
        length = max(PITCH, int(text + before + after))
        first = max(0, (length - WIDTH) // 2)
        xs = np.arange(first, min(length, first + WIDTH), dtype=np.float32) + 0.5 - np.float32(before)
        along = xs / max(text, 1) - 0.5
        bend = np.clip(rng.normal(0, 0.012), -0.04, 0.04) * along * text
        if rng.random() < 0.3:
            bend += rng.normal(0, 0.05) * BOX * (4 * along**2 - 0.5)
        slant = rng.normal(0, 0.06)
        rows = np.arange(HEIGHT, dtype=np.float32)[:, None] + 0.5 - (CENTRE + lower * BOX) - bend[None]  # from the middle of the box
        map_x = (text_lines.SIDE * unit * squeeze + (xs[None] - slant * rows) * zoom - 0.5).astype(np.float32)
        map_y = (text_lines.ABOVE * unit - scale / 2 + rows * zoom - 0.5).astype(np.float32)
        strip = normalise(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT))
        return Sample(text_lines.padded(strip, WIDTH), np.float32([UNIT * lower, UNIT * higher]))


def joined(answers: torch.Tensor) -> torch.Tensor:
    """What the columns say together: answers N x columns x 3 to N x 2."""
    shares = torch.softmax(answers[..., 2], -1)
    return (answers[..., :2] * shares[..., None]).sum(1)


def _produce(seed: int, photographs: str, queue: Queue[tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]]) -> None:
    """Put batches without end."""
    cv2.setNumThreads(1)
    generator = Generator(seed, cuttings=text_photographs.read(photographs), photographed=PHOTOGRAPHED)
    while True:
        drawn = [generator.rough() for _ in range(BATCH)]
        queue.put((np.stack([s.strip for s in drawn])[:, None], np.stack([s.truth for s in drawn])))


def train(args: argparse.Namespace) -> None:
    """Train until a moment, going on from the checkpoint in out."""
    model = training.Averaged(build(), build(), args.out, peak=3e-3)
    queue, producer = training.produced(_produce, TRAIN_SEED + 1000 * model.steps, args.photographs)
    feed = training.Feed(queue, uses=3, rest=40)

    def turn() -> tuple[torch.Tensor, int, np.ndarray]:
        strips, truth = map(torch.from_numpy, feed.next())
        with training.halved():
            answers = model.network((strips.float() / 255).contiguous(memory_format=torch.channels_last))
        off = joined(answers.float()) - truth
        value = functional.smooth_l1_loss(off, torch.zeros_like(off), beta=0.3)
        return value, len(strips), off.detach().abs().mean(0).numpy() / UNIT

    model.until(args.until, args.anneal, turn)
    producer.terminate()


def evaluate(reader: Callable[[npt.NDArray[np.uint8]], np.ndarray], count: int) -> None:
    """Print the errors of a reader in the held-out fonts, in glyph boxes."""
    generator = Generator(TEST_SEED, None, held_out=True)
    drawn = [generator.rough() for _ in range(count)]
    answers = torch.from_numpy(np.stack([reader(s.strip) for s in drawn]).reshape(count, -1, 3))
    truth = np.stack([s.truth for s in drawn])
    off = np.abs(joined(answers).numpy() - truth) / UNIT
    for name, k in (("middle", 0), ("height", 1)):
        before = np.abs(truth[:, k]) / UNIT
        print(name, "cut off by", np.percentile(before, [50, 90]).round(3), "found to", np.percentile(off[:, k], [50, 90, 99]).round(3))


def export(args: argparse.Namespace) -> None:
    """Write the averaged network as a full-int8 file."""
    from ..export import convert  # TensorFlow takes seconds to load and training does not need it

    generator = Generator(TRAIN_SEED - 1, cuttings=text_photographs.read(args.photographs), photographed=PHOTOGRAPHED)
    convert.export(training.restore(build(), args.out), [generator.rough() for _ in range(400)], args.tflite)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["train", "export", "eval"])
    parser.add_argument("--photographs", help="folder of text_photographs that takes part in training")
    parser.add_argument("--out", help="folder of the checkpoint")
    parser.add_argument("--until", default="18:00", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=8, help="minutes of falling learning rate before the end")
    parser.add_argument("--count", type=int, default=2000, help="lines in eval")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    args = parser.parse_args()
    training.one_core()
    if args.action == "eval":
        from ..export import convert

        evaluate(convert.Int8(args.tflite), args.count)
    else:
        {"train": train, "export": export}[args.action](args)


if __name__ == "__main__":
    main()
