"""Exact decoding of digit lattices, and the figures and int8 export of a digit recogniser.

    python -m bawab_training.report.digit_report export --out DIR --tflite FILE
    python -m bawab_training.report.digit_report eval   --out DIR [--tflite FILE] [--test] [--lines 1000]
    python -m bawab_training.report.digit_report photographs --out DIR [--tflite FILE] --pictures FOLDER

A lattice is the matrix of column scores of one strip. Cells sums over every alignment, as the service does: what the n
digits are, given that there are n.
"""

import argparse
import datetime
import functools
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..draw import digit_text
from ..networks import ctc, training
from ..photograph import digit_photographs
from ..train import digits

DIGITS = 14
_TODAY = datetime.date(2026, 11, 1)  # no birth date lies behind this day


def probabilities(logits: npt.ArrayLike, temperature: float = 1.0) -> npt.NDArray[np.float64]:
    """Return softmax probabilities of N x T x C logits as float64."""
    scores = np.asarray(logits, np.float64) / temperature
    scores -= scores.max(-1, keepdims=True)
    shares = np.exp(scores)
    return shares / shares.sum(-1, keepdims=True)


def _emissions(shares: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return N x T x 11 probabilities: no digit (blank or separator), then the digits."""
    gap = shares[..., 0] + shares[..., 11:].sum(-1)
    return np.maximum(np.concatenate([gap[..., None], shares[..., 1:11]], -1), 1e-12)


def _step(alpha: npt.NDArray[np.float64], emitted: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.float64]:
    """Move N x (most+1) x 11 state masses one column on; state 0 is the gap, the others the digit last entered."""
    total = alpha.sum(-1)
    after = np.empty_like(alpha)
    after[..., 0] = total
    after[..., 1:] = alpha[..., 1:]
    after[:, 1:, 1:] += total[:, :-1, None] - alpha[:, :-1, 1:]
    return after * emitted[:, None]


def _step_back(beta: npt.NDArray[np.float64], emitted: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Move the masses of what follows one column back."""
    weighted = beta * emitted[:, None]
    stay = weighted[..., 0]
    enter = np.zeros_like(beta)
    enter[:, :-1, 1:] = weighted[:, 1:, 1:]
    any_digit = enter.sum(-1)
    before = np.empty_like(beta)
    before[..., 0] = stay + any_digit
    before[..., 1:] = stay[..., None] + weighted[..., 1:] + any_digit[..., None] - enter[..., 1:]
    return before


def cells(shares: npt.NDArray[np.float64], count: int = DIGITS, most: int = 18) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return (N x count x 10 probabilities of each digit at each place, N log-probabilities that count digits stand there).

    The masses are exact sums over all alignments; lines of more than most digits count as impossible.
    """
    emitted = _emissions(shares)
    lines, columns, _ = emitted.shape
    alpha = np.zeros((lines, most + 1, 11))
    alpha[:, 0, 0] = 1
    forward = [alpha]  # probabilities of prefixes: every column's shares sum to one, so nothing needs scaling
    for t in range(columns):
        forward.append(_step(forward[-1], emitted[:, t], most))
    length = np.log(np.maximum(forward[-1][:, count].sum(-1), 1e-300))
    beta = np.zeros_like(alpha)
    beta[:, count] = 1
    result = np.zeros((lines, count, 10))
    for t in range(columns - 1, -1, -1):
        before = forward[t]
        entering = before.sum(-1, keepdims=True) - before[..., 1:]
        reached = (beta * emitted[:, t, None])[..., 1:]
        result += entering[:, :count] * reached[:, 1 : count + 1]
        beta = _step_back(beta, emitted[:, t])
    return result / np.maximum(result.sum(-1, keepdims=True), 1e-300), length


@functools.lru_cache
def _days() -> npt.NDArray[np.int64]:
    """Return the digits of every birth date that a number can hold: D x 7 (century, year, month, day)."""
    day, last, rows = datetime.date(1900, 1, 1), _TODAY, []
    while day < last:
        rows.append([int(v) for v in f"{day.year // 100 - 17}{day:%y%m%d}"])
        day += datetime.timedelta(1)
    return np.array(rows)


@functools.lru_cache
def _places() -> npt.NDArray[np.int64]:
    return np.array([[int(v) for v in code] for code in digit_text.GOVERNORATES])


def national(shares: npt.NDArray[np.float64]) -> tuple[list[str], npt.NDArray[np.float64]]:
    """Decode national numbers under their grammar.

    Returns the numbers and their probabilities: that 14 digits stand there, times the share of the best number
    among all that the grammar allows.
    """
    marginals, length = cells(shares)
    numbers, chances = [], []
    for row, size in zip(np.log(np.maximum(marginals, 1e-9)), length):
        dates = row[np.arange(7), _days()].sum(1)
        places = row[np.arange(7, 9), _places()].sum(1)
        rest = row[9:]
        best = [*_days()[dates.argmax()], *_places()[places.argmax()], *rest.argmax(1)]
        score = size - sum(np.logaddexp.reduce(v - v.max()) for v in (dates, places, *rest))
        numbers.append("".join(map(str, best)))
        chances.append(np.exp(score))
    return numbers, np.array(chances)


def greedy(shares: npt.NDArray[np.float64]) -> list[str]:
    """Return the best-path texts."""
    return [digit_text.decode(row) for row in shares.argmax(-1)]


def reliability(
    chances: npt.NDArray[np.float64], right: npt.NDArray[np.bool_],
    bounds: Sequence[float] = (0, 0.5, 0.8, 0.9, 0.97, 0.99, 0.997, 1.0001),
) -> list[tuple[float, float, int, float, float]]:
    """Return rows (from, to, lines, mean probability, share right) of a reliability table."""
    rows = []
    for low, high in zip(bounds, bounds[1:]):
        inside = (chances >= low) & (chances < high)
        if inside.any():
            rows.append((low, high, int(inside.sum()), float(chances[inside].mean()), float(right[inside].mean())))
    return rows


def interval(hits: int, count: int) -> str:
    """Return hits / count with its 95 % Wilson interval as text."""
    low, high = ctc.wilson(hits, count)
    return f"{100 * hits / max(1, count):.2f} % ({100 * low:.2f} to {100 * high:.2f}) of {count}"


def confusion(texts: Sequence[str], truths: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return (truth, read, count) of the substituted digits, most frequent first, over lines of the right length."""
    seen: dict[tuple[str, str], int] = {}
    for text, truth in zip(texts, truths):
        if len(text) == len(truth):
            for a, b in zip(truth, text):
                if a != b:
                    seen[a, b] = seen.get((a, b), 0) + 1
    return sorted(((a, b, n) for (a, b), n in seen.items()), key=lambda row: -row[2])


def lines(shares: npt.NDArray[np.float64], truths: Sequence[str]) -> str:
    """Return the report of lines read without grammar, as text."""
    texts = greedy(shares)
    right = sum(a == b for a, b in zip(texts, truths))
    wrong = [(a, b) for a, b in zip(texts, truths) if a != b]
    errors = sum(ctc.edit_distance(a, b) for a, b in wrong)
    count = f"longer {sum(len(a) > len(b) for a, b in wrong)}, shorter {sum(len(a) < len(b) for a, b in wrong)}"
    result = [f"raw exact {interval(right, len(truths))}; character errors {100 * errors / sum(map(len, truths)):.3f} %; {count}"]
    result.append("confused (truth read count): " + ", ".join(f"{a} {b} {n}" for a, b, n in confusion(texts, truths)[:12]))
    return "\n".join(result)


def numbers(shares: npt.NDArray[np.float64], truths: Sequence[str]) -> str:
    """Return the report of national numbers under the grammar, as text."""
    read, chances = national(shares)
    right = np.array([a == b for a, b in zip(read, truths)])
    result = [f"with grammar exact {interval(int(right.sum()), len(right))}"]
    for limit in (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995):
        kept = chances >= limit
        wrong = int((kept & ~right).sum())
        result.append(f"  unflagged above {limit}: {interval(int(kept.sum()), len(kept))}, wrong and unflagged {interval(wrong, len(kept))}")
    result.append("  probability of the number: lines, mean probability, share right")
    result += [f"    {a:.3f} to {b:.3f}: {n} {p:.4f} {r:.4f}" for a, b, n, p, r in reliability(chances, right)]
    marginals, _ = cells(shares)
    best = marginals.max(-1).ravel()
    hit = (marginals.argmax(-1) == np.array([[int(v) for v in t] for t in truths])).ravel()
    result.append("  probability of one digit: digits, mean probability, share right")
    result += [f"    {a:.3f} to {b:.3f}: {n} {p:.4f} {r:.4f}" for a, b, n, p, r in reliability(best, hit)]
    return "\n".join(result)


def temperature(logits: npt.ArrayLike, truths: Sequence[str]) -> float:
    """Return the temperature that makes national numbers' probabilities most likely, by a search over a grid."""
    truth = np.array([[int(v) for v in t] for t in truths])
    best = (-np.inf, 1.0)
    for value in np.geomspace(0.6, 2.5, 25):
        marginals, length = cells(probabilities(logits, value))
        hit = np.take_along_axis(marginals, truth[..., None], -1)[..., 0]
        score = float((np.log(np.maximum(hit, 1e-12)).sum(1) + length).mean())
        if score > best[0]:
            best = score, float(value)
    return best[1]


def _evaluate(read: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], test: bool, count: int) -> None:
    """Print the figures on drawn strips: held-out fonts for a test, the training's fonts otherwise."""
    seed = digits.TEST_SEED if test else digits.VALIDATION_SEED
    for name, hard, offset in (("normal", None, 0), ("training", 0, 1), ("hard", 1, 2)):
        for kind in ("number", "date"):
            drawn = digits.samples(seed + 10 * offset + (kind == "date"), hard, count, kind, held_out=test)
            shares = probabilities(read(np.stack([s.strip for s in drawn])))
            _report(f"{name} {kind}", shares, [s.text for s in drawn])


def _report(title: str, shares: npt.NDArray[np.float64], truths: Sequence[str]) -> None:
    print(f"== {title}")
    print(lines(shares, truths))
    if all(len(t) == DIGITS for t in truths):
        print(numbers(shares, truths))


def _photographs(read: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], folder: str, seed: int) -> None:
    """Print the figures on photographs of documents with truth."""
    rows = list(digit_photographs.lines(folder, seed))
    shares = probabilities(read(np.stack([row.strip for row in rows])))
    shares = digit_photographs.outside(shares, [row.end for row in rows])
    for role in sorted({row.role for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row.role == role]
        _report(role, shares[chosen], [rows[i].text for i in chosen])


def _export(out: str, path: str) -> None:
    """Write the int8 file, its scores divided by the temperature that makes probabilities of whole numbers come true."""
    from ..export import convert  # TensorFlow takes seconds to load

    network = training.restore(digits.build(), out)
    drawn = digits.samples(digits.TRAIN_SEED - 2, 0, 800, "number")
    logits = training.float_reader(network)(np.stack([s.strip for s in drawn]))
    value = temperature(logits, [s.text for s in drawn])
    print(f"temperature {value:.3f}")
    with torch.no_grad():
        network.head.weight /= value
        network.head.bias /= value
    convert.export(network, digits.samples(digits.TRAIN_SEED - 1, 0, 300), path)


def _reader(arguments: argparse.Namespace) -> Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]:
    if arguments.tflite:
        from ..export import convert  # TensorFlow takes seconds to load

        return convert.reader(arguments.tflite)
    return training.float_reader(training.restore(digits.build(), arguments.out))


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.report.digit_report")
    parser.add_argument("action", choices=["export", "eval", "photographs"])
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--tflite", help="file to write (export) or to evaluate")
    parser.add_argument("--lines", type=int, default=1000, help="lines per condition in eval")
    parser.add_argument("--test", action="store_true", help="evaluate on the test split")
    parser.add_argument("--pictures", help="folder of photographs with truth.jsonl")
    parser.add_argument("--seed", type=int, default=1, help="of the cut errors on photographs")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cv2.setNumThreads(1)
    if arguments.action == "export":
        _export(arguments.out, arguments.tflite)
    elif arguments.action == "eval":
        _evaluate(_reader(arguments), arguments.test, arguments.lines)
    else:
        _photographs(_reader(arguments), arguments.pictures, arguments.seed)


if __name__ == "__main__":
    main()
