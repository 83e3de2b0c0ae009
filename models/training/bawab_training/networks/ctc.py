"""The losses and figures of a column-wise recogniser: CTC, column labels, greedy reading."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from ..draw import mrz_text

IGNORE = -100


def column_labels(text: str, edges: np.ndarray, columns: int, width: float) -> npt.NDArray[np.int64]:
    """Return a class per output column, IGNORE where the truth is unsure.

    The column over a cell's centre is the character, the column over a cell border is blank, and
    so is everything well outside the line. It teaches the network where the characters are long
    before CTC would find it out.
    """
    labels = np.full(columns, IGNORE, np.int64)
    per = width / columns
    borders = np.clip((edges / per).astype(int), 0, columns - 1)
    labels[borders] = mrz_text.BLANK
    labels[: max(0, borders[0] - 1)] = mrz_text.BLANK
    labels[borders[-1] + 2 :] = mrz_text.BLANK
    centres = np.clip(((edges[:-1] + edges[1:]) / 2 / per).astype(int), 0, columns - 1)
    labels[centres] = mrz_text.encode(text)
    return labels


def loss(logits: torch.Tensor, columns: torch.Tensor, texts: torch.Tensor, lengths: torch.Tensor, column_weight: float) -> torch.Tensor:
    """Return the CTC loss per character plus column_weight times the column cross-entropy.

    logits is N x T x C, columns N x T, texts N x L (padded), lengths N.
    """
    scores = functional.log_softmax(logits.float(), -1)
    total = functional.nll_loss(scores.flatten(0, 1), columns.flatten(), ignore_index=IGNORE)
    total = total * column_weight
    if column_weight < 1:
        steps = torch.full((logits.shape[0],), logits.shape[1], dtype=torch.long)
        total = total + (1 - column_weight) * functional.ctc_loss(
            scores.transpose(0, 1), texts, steps, lengths, blank=mrz_text.BLANK, zero_infinity=True
        )
    return total


def greedy(logits: npt.ArrayLike) -> list[str]:
    """Return the best-path texts of N x T x C logits."""
    return [mrz_text.decode(row) for row in np.asarray(logits).argmax(-1)]


def edit_distance(left: str, right: str) -> int:
    """Return the Levenshtein distance of two strings."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(right, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]


def wilson(hits: int, count: int, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % Wilson interval of hits out of count, as two shares."""
    if count == 0:
        return 0.0, 1.0
    share = hits / count
    middle = share + z * z / (2 * count)
    reach = z * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    scale = 1 + z * z / count
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def report(texts: Sequence[str], truths: Sequence[str]) -> dict[str, float]:
    """Return exact lines, their interval and the character error rate as one dictionary."""
    exact = sum(a == b for a, b in zip(texts, truths))
    errors = sum(edit_distance(a, b) for a, b in zip(texts, truths))
    low, high = wilson(exact, len(truths))
    return {
        "lines": len(truths),
        "exact": exact / len(truths),
        "exact_low": low,
        "exact_high": high,
        "cer": errors / sum(map(len, truths)),
    }
