"""The general text recogniser: network, training, evaluation, export.

    python -m bawab_training.train.text train  --out DIR --until 18:00 --anneal 25 [--books LINES] [--photographs DIR] [--start FILE] [--workers N --batch COLUMNS]
    python -m bawab_training.train.text export --out DIR --tflite FILE
    python -m bawab_training.train.text eval   --out DIR [--tflite FILE] [--books LINES] [--test]
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Sequence
from multiprocessing.queues import Queue
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from ..draw import arabic_fonts, number_text, text_content
from ..photograph import book_lines, number_lines, text_lines, text_photographs
from ..networks import ctc, training, warmstart
from ..networks.training import Recogniser

TRAIN_SEED, VALIDATION_SEED, TEST_SEED = 3_000_000_000, 11, 700_000

# The network as training.Recogniser builds it.
LAYERS = (
    ("conv", 16, (3, 3), (2, 2)),
    ("conv", 48, (3, 3), (2, 2)),
    ("res", 48, (3, 3), (1, 1)),
    ("conv", 72, (3, 3), (2, 1)),
    ("res", 72, (3, 3), (1, 1)),
    ("fold", 128, (5, 1), (1, 1)),
    ("res", 128, (1, 7), (1, 1)),
    ("res", 128, (1, 7), (1, 1)),
    ("res", 128, (1, 7), (1, 1)),
)
_SHORTER = 1  # residuals that the network of numbers, which are short, lacks at its end
# Widths of training batches, and the strip columns that one holds in all.
WIDTHS = (48, 72, 96, 128, 176, 224, 272, 320, 384, 448, 512, 640, 832)
BATCH = 10240  # on one core
BOOKS = 0.05  # share of book lines where there are any
PHOTOGRAPHED = 0.25  # share of lines out of photographs where there are any
AVERAGE = 0.998  # decay of the running average of the weights


def build(lines: str = "documents") -> Recogniser:
    """The untrained network, from N x 1 x 40 x W strips in 0..1 to N x W/4 x CLASSES logits.

    lines says what it reads: lines of "documents", of "general" text, or "numbers", of which the signs are others.
    """
    if lines == "numbers":
        return training.Recogniser(LAYERS[:-_SHORTER], number_text.CLASSES)
    return training.Recogniser(LAYERS, text_content.CLASSES)


def _generator(seed: int, lines: str, **options: Any) -> text_lines.Generator:
    return number_lines.Generator(seed) if lines == "numbers" else text_lines.Generator(seed, general=lines == "general", **options)


def _batch(
    samples: Sequence[text_lines.Sample], width: int, rng: np.random.Generator, lines: str
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return strips (uint8, N x 1 x 40 x width), padded texts and their lengths."""
    strips = np.stack([text_lines.padded(s.strip, width, rng) for s in samples])[:, None]
    lengths = np.array([len(s.label) for s in samples], np.int64)
    texts, encode = np.zeros((len(samples), lengths.max()), np.int64), (number_text if lines == "numbers" else text_content).encode
    for row, sample in zip(texts, samples):
        row[: len(sample.label)] = encode(sample.label)
    return strips, texts, lengths


def _produce(
    seed: int, size: int, books: Sequence[str], photographs: str, lines: str,
    queue: Queue[tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]],
) -> None:
    """Put batches of lines of like length, of size strip columns each, without end."""
    os.nice(2)
    cv2.setNumThreads(1)
    extra = [ink for folder in books for ink in book_lines.inks(folder)]
    cuttings = text_photographs.read(photographs) if photographs else []
    generator = _generator(seed, lines, extra=extra, share=BOOKS if extra else 0, cuttings=cuttings, photographed=PHOTOGRAPHED)
    rng = np.random.default_rng(seed + 2)
    waiting: dict[int, list[text_lines.Sample]] = {width: [] for width in WIDTHS}
    while True:
        sample = generator.sample()
        width = next(w for w in WIDTHS if w >= sample.strip.shape[1])
        group = waiting[width]
        group.append(sample)
        if len(group) * width >= size:
            queue.put(_batch(group, width, rng, lines))
            waiting[width] = []


def _rate(step: int, left: float, anneal: float, peak: float) -> float:
    """Return the learning rate: a warm-up, the peak, and a cosine over the last anneal seconds."""
    warm = min(1.0, 0.05 + step / 300)
    return peak * warm * (0.5 - 0.5 * math.cos(math.pi * min(1.0, max(0.0, left) / anneal)))


def _begun(start: str, lines: str = "documents") -> Recogniser:
    """The network before its first step: with the weights of the .tflite file start, a reader of lines, if any."""
    network = build(lines)
    if start:
        generator = _generator(TRAIN_SEED - 1, "numbers" if lines == "numbers" else "documents")
        windows = np.stack([text_lines.windows(generator.sample().strip)[0][1] for _ in range(400)])
        found = list(warmstart.kernels(start))
        if lines == "numbers":
            found = _of_numbers(found)
        warmstart.begin(network, found, torch.from_numpy(windows[:, None]).float() / 255)
    return network


def _of_numbers(
    found: list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]
) -> list[tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]:
    """The kernels of a reader of lines that its numbers need: without the last residuals, and of the head the signs of numbers."""
    kernel, bias = found[-1]
    if len(bias) == number_text.CLASSES:  # of numbers already
        return found
    plain = str.maketrans("۰۴۵۶", "٠٤٥٦")
    rows = [0, *text_content.encode(number_text.LABELS.translate(plain))]
    return found[: -1 - 2 * _SHORTER] + [(kernel[rows], bias[rows])]


def train(
    out: str, until: float, anneal: float, books: Sequence[str], photographs: str = "", start: str = "", peak: float = 2e-3,
    workers: int = 1, size: int = BATCH, uses: int = 1, kind: str = "documents",
) -> None:
    """Train until a moment (seconds since 1970), going on from the checkpoint in out, which is written every two minutes.

    Where there is none, the file start, if any, gives the first weights. The checkpoint also holds the running average of the
    weights, which is what is exported. workers processes draw the lines, in batches of size strip columns, of which each may serve
    uses times, varied a little, while they are slower than the steps. kind is that of the lines, as for build.
    """
    os.makedirs(out, exist_ok=True)
    path = training.checkpoint(out)
    fresh = not os.path.exists(path)
    device = training.device()
    network, average = (n.to(device, memory_format=torch.channels_last) for n in (_begun(start if fresh else "", kind), build(kind)))
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak, weight_decay=0.01)
    step = lines = 0
    if fresh:
        average.load_state_dict(network.state_dict())
    else:
        state = torch.load(path, map_location=device)
        network.load_state_dict(state["raw"])
        average.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        step, lines = state["step"], state["lines"]
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue(12 + 2 * workers)
    seeds = (TRAIN_SEED + 1000 * step + 10 * k for k in range(workers))
    producers = [spawn.Process(target=_produce, args=(seed, size, books, photographs, kind, queue), daemon=True) for seed in seeds]
    for producer in producers:
        producer.start()
    feed = training.Feed(queue, uses, 20 * workers)
    network.train()
    saved, began, mean = time.time(), time.time(), None
    while time.time() < until:
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, until - time.time(), anneal, peak)
        strips, texts, lengths = (torch.from_numpy(part).to(device) for part in feed.next())
        strips = strips.float() / 255
        value = _step(network, optimiser, strips if uses == 1 else _varied(strips), texts, lengths)
        training.follow(average, network, min(AVERAGE, 1 - 1 / (step + 2)))
        step, lines = step + 1, lines + len(lengths)
        mean = value if mean is None else 0.98 * mean + 0.02 * value
        if step % 50 == 0:
            took = time.time() - began
            print(f"step {step} lines {lines} minutes {took / 60:.1f} waiting {queue.qsize()} loss {mean:.4f}", flush=True)
        if time.time() - saved > 120:
            saved = time.time()
            _save(path, network, average, optimiser, step, lines)
    _save(path, network, average, optimiser, step, lines)
    for producer in producers:
        producer.terminate()


def _save(path: str, network: Recogniser, average: Recogniser, optimiser: torch.optim.Optimizer, step: int, lines: int) -> None:
    """Write the checkpoint."""
    state = {"raw": network.state_dict(), "network": average.state_dict(), "optimiser": optimiser.state_dict()}
    torch.save({**state, "step": step, "lines": lines}, path + ".new")
    os.replace(path + ".new", path)


def _varied(strips: torch.Tensor) -> torch.Tensor:
    """Strips in 0..1 moved by up to a row and three columns, with other contrast, brightness and noise, so that they do not look the same each time."""
    shape = (len(strips), 1, 1, 1)

    def uniform(low: float, high: float) -> torch.Tensor:
        return low + (high - low) * torch.rand(shape, device=strips.device)

    moved = torch.roll(strips, (int(torch.randint(-1, 2, ())), int(torch.randint(-3, 4, ()))), (2, 3))
    noise = torch.randn_like(moved) * uniform(-0.05, 0.05).clamp(min=0)
    return ((moved - 0.5) * uniform(0.8, 1.15) + 0.5 + uniform(-0.06, 0.06) + noise).clamp(0, 1)


def _step(network: Recogniser, optimiser: torch.optim.Optimizer, strips: torch.Tensor, texts: torch.Tensor, lengths: torch.Tensor) -> float:
    """Take one step on strips in 0..1 and return its loss per sign."""
    strips = strips.contiguous(memory_format=torch.channels_last)
    with training.halved(strips.device.type):
        logits = network(strips)
    scores = functional.log_softmax(logits.float(), -1).transpose(0, 1)
    steps = torch.full_like(lengths, scores.shape[0])
    value = functional.ctc_loss(scores, texts, steps, lengths, blank=text_content.BLANK, zero_infinity=True)
    optimiser.zero_grad(set_to_none=True)
    value.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2.0)
    optimiser.step()
    return value.item()


def load(out: str, lines: str = "documents") -> Recogniser:
    """Return the averaged network of the checkpoint in out, in evaluation mode."""
    return training.restore(build(lines), out)


def read(reader: Callable[[npt.NDArray[np.uint8]], np.ndarray], strips: Sequence[npt.NDArray[np.uint8]]) -> list[str]:
    """Return the labels that reader (uint8 N x 40 x 320 to logits) finds on strips, tiled as the service tiles them."""
    tiles = [text_lines.windows(strip) for strip in strips]
    logits = iter(reader(np.stack([window for tile in tiles for _, window in tile])))
    labels = []
    for strip, tile in zip(strips, tiles):
        columns = text_lines.stitched([start for start, _ in tile], [next(logits) for _ in tile], strip.shape[1])
        labels.append(" ".join(text_content.decode(columns.argmax(-1)).split()))
    return labels


def _figures(
    reader: Callable[[npt.NDArray[np.uint8]], np.ndarray], count: int, seed: int, hard: float | None, **options: Any
) -> dict[str, float]:
    """Return the figures of a reader on count lines of a text_lines.Generator."""
    generator = text_lines.Generator(seed, hard, held_out=True, **options)
    drawn = [generator.sample() for _ in range(count)]
    return ctc.report(read(reader, [s.strip for s in drawn]), [s.label for s in drawn])


def evaluate(reader: Callable[[npt.NDArray[np.uint8]], np.ndarray], seed: int, count: int) -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures of a reader in the held-out fonts: by difficulty and kind of text, and of names by family."""
    figures = {}
    for name, hard in (("normal", None), ("hard", 0.5)):
        roles = enumerate(("name", "address", "number", "latin", "prose", "mixed"))
        figures[name] = {role: _figures(reader, count, seed + 10 * k, hard, role=role) for k, role in roles}
    families = arabic_fonts.families(held_out=True)
    figures["families"] = {f.name: _figures(reader, count, seed + 100, None, role="name", family=f) for f in families}
    return figures


def _spelt(label: str) -> str:
    """A label with digits by value and without the dots of a final yeh, which many printers leave out."""
    return book_lines.fold(label).replace("ى", "ي")


def evaluate_books(
    reader: Callable[[npt.NDArray[np.uint8]], np.ndarray], folders: Sequence[str], count: int, beside: bool
) -> dict[str, dict[str, dict[str, float]]]:
    """Return the figures on book lines by folder: digits by value, diacritics left out; with Tesseract's if beside."""
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for folder in folders:
        lines = list(book_lines.read(folder, count))
        truths = [book_lines.fold(book_lines.label(text)) for _, text in lines]
        readings = {"text": read(reader, [book_lines.strip(picture) for picture, _ in lines])}
        if beside:
            readings["tesseract"] = [book_lines.label(book_lines.tesseract(picture)) for picture, _ in lines]
        for engine, labels in readings.items():
            labels = list(map(book_lines.fold, labels))
            entry = ctc.report(labels, truths)
            entry["cer_yeh"] = ctc.report(list(map(_spelt, labels)), list(map(_spelt, truths)))["cer"]
            figures.setdefault(engine, {})[os.path.basename(folder.rstrip("/"))] = entry
    return figures


def _drawn_back(network: Recogniser, start: str, share: float, lines: str) -> Recogniser:
    """Move a reader of lines towards the file that its training began with, of which it keeps 1 - share: it forgets less so."""
    first, state = _begun(start, lines).state_dict(), network.state_dict()
    for name, values in state.items():
        if values.dtype.is_floating_point:
            values.lerp_(first[name], 1 - share)
    return network


def export(out: str, path: str, lines: str = "documents", start: str = "", share: float = 1.0) -> None:
    """Write the averaged network as a full-int8 file; its ranges are those of such lines.

    share is that of the network in the mean with the file start.
    """
    from ..export import convert  # TensorFlow takes seconds to load and training does not need it

    generator = _generator(TRAIN_SEED - 1, lines)
    samples = [generator.sample() for _ in range(400)]
    for sample in samples:
        sample.strip = text_lines.windows(sample.strip)[0][1]
    network = load(out, lines)
    convert.export(network if share == 1 else _drawn_back(network, start, share, lines), samples, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["train", "eval", "export"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--until", default="18:00", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=25, help="minutes of falling learning rate before the end")
    parser.add_argument("--books", nargs="*", default=[], help="folders of book lines")
    parser.add_argument("--photographs", default="", help="folder of text_photographs that takes part in training")
    parser.add_argument("--start", default="", help="train: the .tflite file whose weights a training without checkpoint begins with")
    parser.add_argument("--peak", type=float, default=2e-3, help="train: learning rate")
    parser.add_argument("--workers", type=int, default=1, help="train: processes that draw lines")
    parser.add_argument("--batch", type=int, default=BATCH, help="train: strip columns of a step")
    parser.add_argument("--uses", type=int, default=1, help="train: how often a batch may serve")
    parser.add_argument("--general", action="store_true", help="train, export: lines of general text, half of them numbers, vowel signs and drawn out words")
    parser.add_argument("--numbers", action="store_true", help="train, export: the network of numbers")
    parser.add_argument("--share", type=float, default=1.0, help="export: share of the network in the mean with the file --start")
    parser.add_argument("--threads", type=int, default=1, help="train: threads that compute")
    parser.add_argument("--lines", type=int, default=300, help="lines per kind of text in eval, 0 for none")
    parser.add_argument("--book-lines", type=int, default=300, help="lines per book in eval")
    parser.add_argument("--tesseract", action="store_true", help="read the book lines with Tesseract too")
    parser.add_argument("--test", action="store_true", help="evaluate on the test seeds")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    arguments = parser.parse_args()
    training.one_core()
    torch.set_num_threads(arguments.threads)
    kind = "numbers" if arguments.numbers else "general" if arguments.general else "documents"
    if arguments.action == "train":
        until, anneal = training.moment(arguments.until), 60 * arguments.anneal
        train(arguments.out, until, anneal, arguments.books, arguments.photographs, arguments.start, arguments.peak, arguments.workers, arguments.batch, arguments.uses, kind)
    elif arguments.action == "export":
        export(arguments.out, arguments.tflite, kind, arguments.start, arguments.share)
    else:
        if arguments.tflite:
            from ..export import convert

            reader = convert.reader(arguments.tflite)
        else:
            reader = training.float_reader(load(arguments.out))
        seed = TEST_SEED if arguments.test else VALIDATION_SEED
        figures: dict[str, Any] = evaluate(reader, seed, arguments.lines) if arguments.lines else {}
        figures["books"] = evaluate_books(reader, arguments.books, arguments.book_lines, arguments.tesseract)
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
