r"""Weights and thresholds of the cues of fraud, from what `bawab eval spoof --dump` measured.

    python -m bawab_training.report.fraud_calibrate weights CUE DUMP.csv ...
    python -m bawab_training.report.fraud_calibrate thresholds --normal N.csv ... --hard H.csv ... [--share 0.003] [--hard-share 0.006] \
        [--record "DATA SET"]

*weights* fits the logistic of a measured cue to its own attacks against genuine documents and prints what
inference/fraud/weights.go holds. *thresholds* prints for each cue the least score that refuses no more than a share of genuine
documents, the wanted one of the normal and of the hard ones, half way from the greatest score that is accepted to 1 where
the pictures are too few to tell. --record writes them to models/manifest.json with data set, date and budget; cues that the
dumps lack keep theirs.
"""

import argparse
import csv
import datetime
import json
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

# Thresholds are never lower: comparisons of what was read must be sure of it, however seldom drawn cards contradict
# themselves, 0.5 is the score of a picture that cannot tell a grey copy, and a second photograph must be likelier than none.
LEAST = {"grey_copy": 0.55, "mrz_visual_mismatch": 0.8, "number_inconsistent": 0.8, "printed_copy": 0.5, "screen_replay": 0.5}


def rows(names: Iterable[str]) -> list[dict[str, str]]:
    """All lines of some dumps."""
    out = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            out += list(csv.DictReader(file))
    return out


def fit(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], strength: float = 1.0, rounds: int = 60) -> npt.NDArray[np.float64]:
    """Weights (bias first) of a logistic on standardised measures, by Newton's method, both classes of equal weight."""
    middle, spread = x.mean(0), x.std(0) + 1e-6
    z = np.column_stack([np.ones(len(x)), (x - middle) / spread])
    weight = np.where(y > 0, 0.5 / max(1, (y > 0).sum()), 0.5 / max(1, (y == 0).sum())) * len(y)
    w = np.zeros(z.shape[1])
    penalty = np.diag([0.0] + [strength] * x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-z @ w))
        slope = z.T @ (weight * (p - y)) + penalty @ w
        w -= np.linalg.solve(z.T @ (z * (weight * p * (1 - p))[:, None]) + penalty + 1e-9 * np.eye(len(w)), slope)
    return np.concatenate([[w[0] - (w[1:] * middle / spread).sum()], w[1:] / spread])


def weights(cue: str, names: Iterable[str]) -> None:
    """Print the weights of a cue and how well they part its attacks."""
    of = [r for r in rows(names) if r["cue"] == cue and r["measures"] and (r["attack"] == "" or r["attack"].startswith(cue))]
    x = np.array([[float(v) for v in r["measures"].split()] for r in of])
    y = np.array([r["attack"] != "" for r in of], float)
    w = fit(x, y)
    score = x @ w[1:] + w[0]
    auc = (score[y > 0][:, None] > score[y == 0][None]).mean()
    print(f"{cue}: {int(y.sum())} attacks, {int((1 - y).sum())} genuine, AUC {auc:.3f}")
    print("return []float64{" + ", ".join(f"{v:.3g}" for v in w) + "}")


def threshold(scores: npt.NDArray[np.float64], share: float) -> float:
    """The least score that refuses at most share of scores."""
    scores = np.sort(scores)
    allowed = int(share * len(scores))
    top = scores[len(scores) - 1 - allowed]
    if allowed == 0:  # too few to know the tail
        top = 1 - (1 - top) * 0.5
    return float(np.nextafter(top, 2))


def thresholds(args: argparse.Namespace) -> None:
    """Print a threshold for every cue."""
    found = {}
    normal, hard = ([r for r in rows(names) if r["attack"] == ""] for names in (args.normal, args.hard))
    for cue in sorted({r["cue"] for r in normal}):
        sets = [(np.array([float(r["score"]) for r in part if r["cue"] == cue]), share) for part, share in ((normal, args.share), (hard, args.hard_share))]
        values = [threshold(scores, share) for scores, share in sets if len(scores)]
        found[cue] = max(LEAST.get(cue, 0.0), round(min(1.0, max(values)) + 5e-5, 4))
        print(f"{cue}={found[cue]:.4f}  normal and hard alone {['%.4f' % v for v in values]}, {[len(s) for s, _ in sets]} genuine")
    if args.record:
        from ..export import manifest  # TensorFlow takes seconds to load

        target = manifest.MODELS / "manifest.json"
        whole = json.loads(target.read_text())
        entry = next(model for model in whole["models"] if model["name"] == "fraud")
        today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        budget = f"{100 * args.share:g} % of genuine normal pictures, {100 * args.hard_share:g} % of hard ones"
        entry["thresholds"] |= {cue: {"value": value, "data_set": args.record, "date": today, "budget": budget} for cue, value in found.items()}
        manifest.write(target, whole)


def main() -> None:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="bawab_training.report.fraud_calibrate")
    kinds = parser.add_subparsers(dest="what", required=True)
    one = kinds.add_parser("weights")
    one.add_argument("cue")
    one.add_argument("dumps", nargs="+")
    two = kinds.add_parser("thresholds")
    two.add_argument("--normal", nargs="+", required=True)
    two.add_argument("--hard", nargs="+", required=True)
    two.add_argument("--share", type=float, default=0.003)
    two.add_argument("--hard-share", type=float, default=0.006)
    two.add_argument("--record", default="")
    args = parser.parse_args()
    if args.what == "weights":
        weights(args.cue, args.dumps)
    else:
        thresholds(args)


if __name__ == "__main__":
    main()
