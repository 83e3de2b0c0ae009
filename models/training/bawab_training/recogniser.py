"""The MRZ line recogniser: network, training, evaluation, export.

    python -m bawab_training.recogniser train --out DIR --minutes 90 [--resume]
    python -m bawab_training.recogniser eval --out DIR [--tflite FILE] [--lines 2000]
    python -m bawab_training.recogniser export --out DIR --tflite FILE
"""

import argparse
import json
import math
import multiprocessing
import os
import time

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from . import ctc, mrz_lines, mrz_text

# Seeds of the three splits; a worker adds its number and the epoch to the first.
TRAIN_SEED, VALIDATION_SEED, TEST_SEED = 1_000_000_000, 1, 500_000

# The network as data, so that training and conversion build the same one. Each entry is
# (kind, channels, kernel, stride): "conv" is convolution, batch norm, ReLU; "res" two convolutions
# with a skip; "fold" a convolution without padding in height.
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


class _Convolution(nn.Module):
    """Convolution with TensorFlow's "same" padding (or none in height), and batch norm."""

    def __init__(self, inputs, outputs, kernel, stride, fold=False):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        pads = []
        for size, step in ((kernel[1], stride[1]), (kernel[0], stride[0])):
            total = size - step if size > step else 0
            pads += [total // 2, total - total // 2]
        if fold:
            pads[2:] = [0, 0]
        self.pads = pads

    def forward(self, x):
        return self.norm(self.convolution(functional.pad(x, self.pads)))


class _Residual(nn.Module):
    def __init__(self, channels, kernel):
        super().__init__()
        self.first = _Convolution(channels, channels, kernel, (1, 1))
        self.second = _Convolution(channels, channels, kernel, (1, 1))

    def forward(self, x):
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class Recogniser(nn.Module):
    """Maps N x 1 x 32 x 768 strips in 0..1 to N x 192 x 38 logits."""

    def __init__(self):
        super().__init__()
        blocks, channels = [], 1
        for kind, outputs, kernel, stride in LAYERS:
            if kind == "res":
                blocks.append(_Residual(channels, kernel))
            else:
                blocks += [_Convolution(channels, outputs, kernel, stride, kind == "fold"), nn.ReLU()]
            channels = outputs
        self.body = nn.Sequential(*blocks)
        self.drop = nn.Dropout2d(0.05)
        self.head = nn.Conv2d(channels, mrz_text.CLASSES, 1)

    def forward(self, x):
        return self.head(self.drop(self.body(x)))[:, :, 0].transpose(1, 2)


def _batch(samples):
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


def _produce(seed, size, queue):
    os.nice(2)
    cv2.setNumThreads(1)
    generator = mrz_lines.Generator(seed)
    while True:
        queue.put(_batch([generator.sample() for _ in range(size)]))


def _rate(done, peak):
    """Return the learning rate at share done of the training: warm-up, half constant, half cosine."""
    if done < 0.01:
        return peak * (0.1 + 90 * done)
    return peak if done < 0.5 else peak * 0.5 * (1 + math.cos(math.pi * min(1, 2 * done - 1)))


def train(out, minutes, resume, size=32, workers=1, peak=2e-3):
    """Train for minutes of wall-clock time; the checkpoint in out is written every two minutes."""
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "checkpoint.pt")
    network = Recogniser()
    network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak, weight_decay=0.01)
    step, lines, spent = 0, 0, 0.0
    if resume and os.path.exists(path):
        state = torch.load(path)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        step, lines, spent = state["step"], state["lines"], state["spent"]
    queue = multiprocessing.get_context("spawn").Queue(8)
    producers = [
        multiprocessing.get_context("spawn").Process(
            target=_produce, args=(TRAIN_SEED + 1000 * step + i, size, queue), daemon=True
        )
        for i in range(workers)
    ]
    for producer in producers:
        producer.start()
    budget, began, saved, mean = minutes * 60.0, time.time() - spent, time.time(), None
    network.train()
    while time.time() - began < budget:
        done = (time.time() - began) / budget
        for group in optimiser.param_groups:
            group["lr"] = _rate(done, peak)
        strips, columns, texts, lengths = map(torch.from_numpy, queue.get())
        strips = (strips.float() / 255).contiguous(memory_format=torch.channels_last)
        weight = 1.0 if step < 800 else 0.5
        value = ctc.loss(network(strips), columns, texts, lengths, weight)
        optimiser.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 2.0)
        optimiser.step()
        step, lines = step + 1, lines + size
        mean = value.item() if mean is None else 0.98 * mean + 0.02 * value.item()
        if step % 50 == 0:
            took = time.time() - began
            print(f"step {step} lines {lines} minutes {took / 60:.1f} loss {mean:.4f}", flush=True)
        if time.time() - saved > 120:
            saved = time.time()
            _checkpoint(path, network, optimiser, step=step, lines=lines, spent=saved - began)
    _checkpoint(path, network, optimiser, step=step, lines=lines, spent=time.time() - began)
    for producer in producers:
        producer.terminate()


def _checkpoint(path, network, optimiser, **progress):
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), **progress}
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


def load(out):
    """Return the network of the checkpoint in out, in evaluation mode."""
    network = Recogniser()
    network.load_state_dict(torch.load(os.path.join(out, "checkpoint.pt"))["network"])
    return network.eval()


def samples(seed, hard, count):
    """Return count samples of a split: its seed and its difficulty."""
    generator = mrz_lines.Generator(seed, hard)
    return [generator.sample() for _ in range(count)]


def float_reader(network):
    """Return a function from uint8 strips (N x 32 x 768) to logits (N x 192 x 38)."""

    def read(strips):
        with torch.no_grad():
            parts = torch.from_numpy(strips[:, None]).float().div(255).split(50)
            return torch.cat([network(part) for part in parts]).numpy()

    return read


def evaluate(read, seed, count):
    """Return the figures of a reader on the normal, training-like and hard conditions."""
    figures = {}
    for name, hard, offset in (("normal", None, 0), ("training", 0, 1), ("hard", 1, 2)):
        drawn = samples(seed + offset, hard, count)
        texts = ctc.greedy(read(np.stack([s.strip for s in drawn])))
        figures[name] = ctc.report(texts, [s.text for s in drawn])
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["train", "eval", "export"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--lines", type=int, default=1000, help="lines per condition in eval")
    parser.add_argument("--test", action="store_true", help="evaluate on the test split")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    if arguments.action == "train":
        train(arguments.out, arguments.minutes, arguments.resume)
        return
    from . import convert  # TensorFlow takes seconds to load and training does not need it

    if arguments.action == "export":
        convert.export(load(arguments.out), samples(TRAIN_SEED - 1, 0, 300), arguments.tflite)
        return
    read = convert.reader(arguments.tflite) if arguments.tflite else float_reader(load(arguments.out))
    seed = TEST_SEED if arguments.test else VALIDATION_SEED
    print(json.dumps(evaluate(read, seed, arguments.lines), indent=1))


if __name__ == "__main__":
    main()
