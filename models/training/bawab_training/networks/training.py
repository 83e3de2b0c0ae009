"""Building blocks and training loops: of the line recognisers, which read a strip column by column, and of the networks of faces."""

from __future__ import annotations

import argparse
import collections
import datetime
import math
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.context import SpawnProcess
from multiprocessing.queues import Queue
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional
from torch.utils.data import IterableDataset

from . import ctc

Module = TypeVar("Module", bound=nn.Module)
# Makes endless batches from a seed and the number of lines in each.
Batches = Callable[[int, int], Iterable[tuple[np.ndarray, ...]]]


class Convolution(nn.Module):
    """Convolution with TensorFlow's "same" padding (or none in height: fold), and batch norm."""

    def __init__(
        self, inputs: int, outputs: int, kernel: tuple[int, int], stride: tuple[int, int], fold: bool = False,
        dilation: tuple[int, int] = (1, 1),
    ) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, dilation=dilation, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        pads = []
        for size, step, spread in ((kernel[1], stride[1], dilation[1]), (kernel[0], stride[0], dilation[0])):
            total = max(0, spread * (size - 1) + 1 - step)
            pads += [total // 2, total - total // 2]
        if fold:
            pads[2:] = [0, 0]
        self.pads = pads

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.norm(self.convolution(functional.pad(x, self.pads)))


class Residual(nn.Module):
    """Two convolutions of stride 1 with a skip."""

    def __init__(self, channels: int, kernel: tuple[int, int], dilation: tuple[int, int] = (1, 1)) -> None:
        super().__init__()
        self.first = Convolution(channels, channels, kernel, (1, 1), dilation=dilation)
        self.second = Convolution(channels, channels, kernel, (1, 1), dilation=dilation)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.second(torch.relu(self.first(x))))


class Context(nn.Module):
    """Adds to every column what a 1x1 convolution makes of the mean over all of them: the line's script and size."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.mix = nn.Conv2d(channels, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(x + self.mix(x.mean((2, 3), keepdim=True)))


class Recogniser(nn.Module):
    """Maps N x 1 x height x width strips in 0..1 to N x columns x classes logits.

    layers is the network as data: (kind, channels, kernel, stride or dilation). "conv" is convolution, batch norm, ReLU;
    "res" two dilated convolutions with a skip; "fold" a convolution without padding in height; "context" a Context.
    """

    def __init__(self, layers: Sequence[tuple[str, int, tuple[int, int], tuple[int, int]]], classes: int) -> None:
        super().__init__()
        blocks, channels = [], 1
        for kind, outputs, kernel, step in layers:
            if kind == "res":
                blocks.append(Residual(channels, kernel, step))
            elif kind == "context":
                blocks.append(Context(channels))
            else:
                blocks += [Convolution(channels, outputs, kernel, step, kind == "fold"), nn.ReLU()]
            channels = outputs
        self.body = nn.Sequential(*blocks)
        self.drop = nn.Dropout2d(0.05)
        self.head = nn.Conv2d(channels, classes, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.drop(self.body(x)))[:, :, 0].transpose(1, 2)


def _produce(batches: Batches, seed: int, size: int, queue: Queue[Any]) -> None:
    cv2.setNumThreads(1)
    for batch in batches(seed, size):
        queue.put(batch)


def _rate(done: float, peak: float) -> float:
    """Return the learning rate at share done of the training: warm-up, half constant, half cosine."""
    if done < 0.01:
        return peak * (0.1 + 90 * done)
    return peak if done < 0.5 else peak * 0.5 * (1 + math.cos(math.pi * min(1, 2 * done - 1)))


def fit(
    network: nn.Module, batches: Batches, seed: int, out: str, minutes: float, resume: bool, size: int = 32, workers: int = 1,
    peak: float = 2e-3, alone: int = 800,
) -> None:
    """Train network for minutes of wall-clock time; the checkpoint in out is written every two minutes.

    batches(seed, size) yields without end, in a process of its own: strips (uint8, N x 1 x H x W), column
    labels, padded texts and lengths, as ctc.loss wants them. seed + 1000 * step + worker seeds it, so
    that a resumed training draws anew. For the first alone steps the column labels teach without CTC.
    """
    os.makedirs(out, exist_ok=True)
    path = checkpoint(out)
    network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=peak, weight_decay=0.01)
    step, lines, spent = 0, 0, 0.0
    if resume and os.path.exists(path):
        state = torch.load(path)
        network.load_state_dict(state["network"])
        optimiser.load_state_dict(state["optimiser"])
        step, lines, spent = state["step"], state["lines"], state["spent"]
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue(8)
    producers = [
        spawn.Process(target=_produce, args=(batches, seed + 1000 * step + i, size, queue), daemon=True)
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
        value = _step(network, optimiser, map(torch.from_numpy, queue.get()), 1.0 if step < alone else 0.5)
        step, lines = step + 1, lines + size
        mean = value if mean is None else 0.98 * mean + 0.02 * value
        if step % 50 == 0:
            took = time.time() - began
            print(f"step {step} lines {lines} minutes {took / 60:.1f} loss {mean:.4f}", flush=True)
        if time.time() - saved > 120:
            saved = time.time()
            _checkpoint(path, network, optimiser, step=step, lines=lines, spent=saved - began)
    _checkpoint(path, network, optimiser, step=step, lines=lines, spent=time.time() - began)
    for producer in producers:
        producer.terminate()


def _step(network: nn.Module, optimiser: torch.optim.Optimizer, batch: Iterable[torch.Tensor], column_weight: float) -> float:
    """Take one step and return its loss."""
    strips, columns, texts, lengths = batch
    strips = (strips.float() / 255).contiguous(memory_format=torch.channels_last)
    value = ctc.loss(network(strips), columns, texts, lengths, column_weight)
    optimiser.zero_grad(set_to_none=True)
    value.backward()
    nn.utils.clip_grad_norm_(network.parameters(), 2.0)
    optimiser.step()
    return value.item()


def checkpoint(out: str) -> str:
    """The path of the checkpoint in the folder out."""
    return os.path.join(out, "checkpoint.pt")


def _checkpoint(path: str, network: nn.Module, optimiser: torch.optim.Optimizer, **progress: float) -> None:
    state = {"network": network.state_dict(), "optimiser": optimiser.state_dict(), **progress}
    torch.save(state, path + ".new")
    os.replace(path + ".new", path)


class Averaged:
    """A network in training with the running average of its weights, which is what is exported; resumable.

    The checkpoint in out holds both, the optimiser and how many steps and pictures went in.
    """

    def __init__(self, network: nn.Module, average: nn.Module, out: str, peak: float, decay: float = 0.998) -> None:
        os.makedirs(out, exist_ok=True)
        self.network, self.average = (n.to(memory_format=torch.channels_last) for n in (network, average))
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=peak, weight_decay=0.01)
        self.path, self.decay, self.peak = checkpoint(out), decay, peak
        self.steps = self.seen = 0
        self.saved = time.time()
        self.average.load_state_dict(self.network.state_dict())
        if os.path.exists(self.path):
            state = torch.load(self.path)
            self.network.load_state_dict(state["raw"])
            self.average.load_state_dict(state["network"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.steps, self.seen = state["step"], state["seen"]
        self.network.train()

    def step(self, value: torch.Tensor, count: int, share: float = 1.0) -> None:
        """Take one step down the loss value of count pictures, at that share of the peak learning rate."""
        warm = min(1.0, 0.05 + self.steps / 300)
        for group in self.optimiser.param_groups:
            group["lr"] = self.peak * warm * share
        self.optimiser.zero_grad(set_to_none=True)
        value.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 2.0)
        self.optimiser.step()
        # Early on only the latest tenth counts: the first steps' weights would hold it back.
        follow(self.average, self.network, min(self.decay, (1 + self.steps) / (10 + self.steps)))
        self.steps, self.seen = self.steps + 1, self.seen + count
        if time.time() - self.saved > 120:
            self.save()

    def until(
        self, clock: str, anneal: float, turn: Callable[[], tuple[torch.Tensor, int, Sequence[float]]], note: Callable[[], str] = str
    ) -> None:
        """Train until the time of day clock, with a falling rate over the last anneal minutes, and save.

        turn() returns the loss of a batch, how many pictures it had and its figures, of which the means are printed
        every 50 steps, after note().
        """
        end, began, first, sums = moment(clock), time.time(), self.seen, []
        while time.time() < end:
            value, count, figures = turn()
            self.step(value, count, falling(end - time.time(), 60 * anneal))
            sums.append(figures)
            if self.steps % 50 == 0:
                rate = (self.seen - first) / (time.time() - began)
                print(f"step {self.steps} pictures {self.seen} ({rate:.0f}/s)", note(), np.round(np.mean(sums, 0), 4), flush=True)
                sums = []
        self.save()

    def save(self) -> None:
        """Write the checkpoint; step does it every two minutes."""
        self.saved = time.time()
        state = {"raw": self.network.state_dict(), "network": self.average.state_dict(), "optimiser": self.optimiser.state_dict()}
        torch.save({**state, "step": self.steps, "seen": self.seen}, self.path + ".new")
        os.replace(self.path + ".new", self.path)


def _risen(spent: float, warm: float, minutes: float, peak: float) -> float:
    """Learning rate after so many seconds: warm seconds of warm-up, plateau, cosine from half of the minutes on."""
    share = min(spent / (60 * minutes), 1.0)
    if spent < warm:
        return peak * max(spent / warm, 0.05)
    return peak if share < 0.5 else peak * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * (share - 0.5) / 0.5)))


def timed(
    args: argparse.Namespace, network: Callable[[bool], nn.Module], stream: Callable[[int], IterableDataset[Any]],
    loss: Callable[[nn.Module, Any], tuple[torch.Tensor, Sequence[torch.Tensor]]], warm: float = 60.0, decay: float = 1e-4,
    where: str | torch.device = "cpu", workers: int = 1,
) -> None:
    """Train a network for args.minutes of wall time, with the checkpoint args.out/state.pt every two minutes; args.resume goes on from there.

    network(resumed) makes the network, stream(seed) a torch dataset of endless batches, whose first part are the pictures;
    loss(network, batch) returns the loss and the parts of which it is the sum. The rate rises for warm seconds; decay is AdamW's;
    where is the device of the network; workers processes make the batches.
    """
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "state.pt")
    resumed = args.resume and os.path.exists(path)
    trained = network(resumed).to(where, memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(trained.parameters(), lr=args.rate, weight_decay=decay)
    seen, spent = 0, 0.0
    if resumed:
        state = torch.load(path, weights_only=True, map_location=where)
        trained.load_state_dict(state["weights"])
        optimiser.load_state_dict(state["optimiser"])
        seen, spent = state["seen"], state["spent"]
    loader = torch.utils.data.DataLoader(stream(args.seed + seen), batch_size=None, num_workers=workers, prefetch_factor=3)
    begin, saved, logged, sums = time.time() - spent, time.time(), time.time(), []
    for batch in loader:
        spent = time.time() - begin
        for group in optimiser.param_groups:
            group["lr"] = _risen(spent, warm, args.minutes, args.rate)
        total, parts = loss(trained, batch)
        optimiser.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(trained.parameters(), 5.0)
        optimiser.step()
        seen += len(batch[0])
        sums.append([part.item() for part in parts])
        if time.time() - logged > 30:
            print(f"{spent:7.0f} s {seen:7d} pictures, loss {np.sum(np.mean(sums, 0)):.4f}", np.round(np.mean(sums, 0), 4), flush=True)
            logged, sums = time.time(), []
        done = spent > args.minutes * 60
        if done or time.time() - saved > 120:
            torch.save({"weights": trained.state_dict(), "optimiser": optimiser.state_dict(), "seen": seen, "spent": spent}, path + ".part")
            os.replace(path + ".part", path)
            saved = time.time()
        if done:
            return


class Feed:
    """Batches of a producer; while it has none ready, earlier ones serve again, each at most uses times and not before rest others."""

    def __init__(self, queue: Queue[Any], uses: int, rest: int) -> None:
        self.queue, self.uses, self.rest, self.stock = queue, uses, rest, collections.deque[tuple[Any, int]]()

    def next(self) -> Any:
        """The next batch; waits for the producer only where no earlier batch may serve."""
        if self.queue.empty() and len(self.stock) > self.rest:
            batch, uses = self.stock.popleft()
        else:
            batch, uses = self.queue.get(), 0
        if uses + 1 < self.uses:
            self.stock.append((batch, uses + 1))
        return batch


def grey(images: npt.NDArray[np.uint8] | torch.Tensor) -> torch.Tensor:
    """What a network of one plane takes for uint8 pictures B x H x W."""
    return torch.as_tensor(images)[:, None].float().div(255).contiguous(memory_format=torch.channels_last)


def inputs(images: npt.NDArray[np.uint8] | torch.Tensor) -> torch.Tensor:
    """What a network of planes takes for uint8 pictures B x H x W x 3."""
    return torch.as_tensor(images).permute(0, 3, 1, 2).float().div(255).contiguous(memory_format=torch.channels_last)


def follow(average: nn.Module, network: nn.Module, decay: float) -> None:
    """Move the running average of weights and batch norm towards network."""
    for slow, fast in zip(average.state_dict().values(), network.state_dict().values()):
        if slow.dtype.is_floating_point:
            slow.lerp_(fast, 1 - decay)
        else:
            slow.copy_(fast)


def falling(left: float, anneal: float) -> float:
    """The share of the peak learning rate with left seconds to go: 1, and a cosine to 0 over the last anneal seconds, if any."""
    return 1.0 if anneal <= 0 else 0.5 - 0.5 * math.cos(math.pi * min(1.0, max(0.0, left) / anneal))


def moment(clock: str) -> float:
    """The next time of day HH:MM, UTC, in seconds since 1970."""
    now = datetime.datetime.now(datetime.timezone.utc)
    hour, minute = map(int, clock.split(":"))
    then = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return (then if then > now else then + datetime.timedelta(days=1)).timestamp()


def produced(target: Callable[..., None], *arguments: Any, depth: int = 8) -> tuple[Queue[Any], SpawnProcess]:
    """Start target(*arguments, queue) in a process of its own; returns the queue and the process, which the caller terminates."""
    # A training that is told to stop takes its producer along: only an orderly exit does.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    spawn = multiprocessing.get_context("spawn")
    queue = spawn.Queue(depth)
    process = spawn.Process(target=target, args=(*arguments, queue), daemon=True)
    process.start()
    return queue, process


def one_core() -> None:
    """Keep what this process computes on one core, and spare it the slow arithmetic of numbers near zero."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    cv2.setNumThreads(1)


def device() -> torch.device:
    """Where a training computes: on a GPU where there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def halved(kind: str = "cpu") -> torch.autocast:
    """The context of a forward pass in bfloat16 where a device of a kind has it; the weights stay float32.

    Nearly twice as fast where the processor has it. Where it has not, ten times as slow, so that float32 stays: 6.5 instead of
    0.6 seconds of a core for a step of the text recogniser, on an x86-64 with AVX2 alone.
    """
    native = kind != "cpu" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return torch.autocast(kind, dtype=torch.bfloat16, enabled=native)


def restore(network: Module, out: str) -> Module:
    """Load the checkpoint in out into network; returns it in evaluation mode."""
    network.load_state_dict(torch.load(checkpoint(out), map_location="cpu")["network"])
    return network.eval()


def float_reader(network: nn.Module) -> Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]:
    """Return a function from uint8 strips (N x H x W) to logits (N x columns x classes)."""

    def read(strips: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        with torch.no_grad():
            parts = torch.from_numpy(strips[:, None]).float().div(255).split(50)
            return torch.cat([network(part) for part in parts]).numpy()

    return read
