"""A training of two minutes lowers the loss, and its int8 file answers as the float network does."""

import pathlib
import time

import numpy as np
import pytest
import torch

from bawab_training.networks import ctc, training
from bawab_training.train import recogniser

SECONDS, STEPS, LINES = 120, 80, 8


@pytest.fixture(scope="module")
def trained() -> tuple[torch.nn.Module, list[float]]:
    """The MRZ recogniser after at most two minutes from nothing, and the loss of each step."""
    training.one_core()
    torch.manual_seed(1)
    network = recogniser.build()
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.01)
    network.train()
    losses: list[float] = []
    end = time.monotonic() + SECONDS
    for batch in recogniser._batches(recogniser.TRAIN_SEED, LINES):
        losses.append(training._step(network, optimiser, map(torch.from_numpy, batch), 1.0))
        if len(losses) == STEPS or time.monotonic() > end:
            break
    return network.eval(), losses


def test_loss_falls(trained: tuple[torch.nn.Module, list[float]]) -> None:
    """The mean loss of the last fifth of the steps is below half of that of the first three."""
    _, losses = trained
    assert len(losses) >= 15, "the machine is too slow to say anything"
    first, last = np.mean(losses[:3]), np.mean(losses[-len(losses) // 5 :])
    print(f"{len(losses)} steps, loss {first:.3f} to {last:.3f}")
    assert last < 0.5 * first


def test_export(trained: tuple[torch.nn.Module, list[float]], tmp_path: pathlib.Path) -> None:
    """The int8 file says what the float network says: probabilities within 0.05 in the mean, the same sign in 95 of 100 columns."""
    from bawab_training.export import convert

    network, _ = trained
    file = str(tmp_path / "mrz.tflite")
    convert.export(network, recogniser.samples(recogniser.TRAIN_SEED - 1, 0, 60), file)
    strips = np.stack([s.strip for s in recogniser.samples(recogniser.VALIDATION_SEED, 0, 20)])
    wanted, got = training.float_reader(network)(strips), convert.reader(file)(strips)
    assert wanted.shape == got.shape

    def softmax(logits: np.ndarray) -> np.ndarray:
        """Probabilities of the classes."""
        e = np.exp(logits - logits.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    apart = np.abs(softmax(wanted) - softmax(got)).max(-1).mean()
    same = (wanted.argmax(-1) == got.argmax(-1)).mean()
    print(f"probabilities {apart:.4f} apart, {same:.4f} of the columns alike")
    assert apart < 0.05 and same > 0.95
    assert len(ctc.greedy(got)) == 20
