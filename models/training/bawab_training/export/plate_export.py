"""Figures and int8 export of the plate reader, and what its probabilities are worth.

    python -m bawab_training.export.plate_export eval      --real DIR --out DIR [--tflite FILE] [--part val]
    python -m bawab_training.export.plate_export export    --real DIR --pool FILE... --out DIR --tflite plates.tflite
    python -m bawab_training.export.plate_export calibrate --real DIR --pool FILE... --out DIR --tflite plates.tflite
"""

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..photograph import plate_data
from ..train import plate_reader
from . import convert
from .convert import tf
from .layers import body, conv, up


def _forward(network: plate_reader.Network, x: tf.Tensor) -> tf.Tensor:
    """plate_reader.Network as TensorFlow operations that XNNPACK knows in int8."""
    quarter = conv(conv(x, network.stem), network.quarter)
    eighth = body(quarter, network.eighth)
    x = up(body(eighth, network.deep), eighth, network.up8)
    return convert._pointwise(body(up(x, quarter, network.up4), network.fine), network.head)


def export(out: str, real: str, pool: Sequence[str], path: str, samples: int = 300, seed: int = 77) -> int:
    """Write the network of a checkpoint as a full-int8 file; ranges come from training samples."""
    network, rng = plate_reader.load(out), np.random.default_rng(seed)
    shape = [1, plate_data.HEIGHT, plate_data.WIDTH, 1]
    call = tf.function(lambda x: _forward(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    drawn = plate_data.Samples(plate_data.real(real, ("train",)), plate_data.read_pool(pool))
    return convert.quantise(call.get_concrete_function(), shape, (drawn.sample(rng)[0] for _ in range(samples)), path)


def _peaks(logits: npt.NDArray[np.float32]) -> list[tuple[int, int]]:
    """(row, column) of the middles in an answer that are any evidence, as the service takes them."""
    heat = logits[..., 0]
    return list(zip(*np.nonzero((heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > -4))))


def evidence(
    answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], samples: plate_data.Samples, count: int, seed: int = 5
) -> tuple[npt.NDArray[np.float64], list[tuple[npt.NDArray[np.float32], int]]]:
    """(logit of a middle, whether a sign is there) of peaks, and (class logits, class) of those that are signs."""
    rng, middles, kinds = np.random.default_rng(seed), [], []
    for _ in range(count):
        view, heat, classes = samples.sample(rng)
        logits = answer(view)
        for row, column in _peaks(logits):
            there = heat[row, column] > 0.3 and classes[row, column] >= 0
            middles.append((logits[row, column, 0], there))
            if there:
                kinds.append((logits[row, column, 1:], classes[row, column]))
    return np.array(middles, float), kinds


def calibrate(
    answer: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], samples: plate_data.Samples, count: int
) -> dict[str, float]:
    """Slope and offset that turn the logit of a middle into one that can be believed, and the temperature of the classes."""
    middles, kinds = evidence(answer, samples, count)
    x, y = torch.tensor(middles[:, 0]), torch.tensor(middles[:, 1])
    z, k = torch.tensor(np.array([v for v, _ in kinds])).double(), torch.tensor([c for _, c in kinds])
    slope, offset, heat = (torch.tensor(v, dtype=torch.double, requires_grad=True) for v in (1.0, 0.0, 0.0))
    optimiser = torch.optim.LBFGS([slope, offset, heat], max_iter=200)

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        value = torch.nn.functional.binary_cross_entropy_with_logits(slope * x + offset, y) + torch.nn.functional.cross_entropy(z * heat.exp(), k)
        value.backward()
        return value

    optimiser.step(closure)
    wrong = float((z.argmax(1) != k).double().mean())
    return {"peaks": len(x), "signs": len(k), "slope": round(slope.item(), 3), "offset": round(offset.item(), 3), "scale": round(heat.exp().item(), 3), "class_errors": round(wrong, 4)}


def run(args: argparse.Namespace) -> dict[str, Any]:
    """The verbs eval, export and calibrate of the command line; returns what to print."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if args.verb == "export":
        return {"file": args.tflite, "bytes": export(args.out, args.real, args.pool, args.tflite)}
    if args.verb == "calibrate":
        network = convert.Int8(args.tflite)
        samples = plate_data.Samples(plate_data.real(args.real, ("val",)), plate_data.read_pool(args.pool))
        return calibrate(lambda view: network(view)[0], samples, 1000)
    sources = plate_data.real(args.real, (args.part,))
    if args.tflite:
        network = convert.Int8(args.tflite)
        return {**plate_reader.figures(lambda view: network(view)[0], sources), "milliseconds": network.milliseconds()}
    network = plate_reader.load(args.out)
    return plate_reader.figures(lambda view: plate_reader.answers(network, view), sources)


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.export.plate_export")
    parser.add_argument("verb", choices=("eval", "export", "calibrate"))
    parser.add_argument("--real", required=True, help="folder of real plates (plate_data)")
    parser.add_argument("--pool", nargs="+", help="files of drawn plates (plate_data pool)")
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate")
    parser.add_argument("--part", choices=("train", "val", "test"), default="val", help="eval: of the real plates")
    print(json.dumps(run(parser.parse_args()), indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
