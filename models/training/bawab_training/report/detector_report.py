"""Figures and int8 export of the line detector.

    python -m bawab_training.report.detector_report eval   --pool POOL [--weights FILE] [--tflite FILE [--photographs DIR]]
    python -m bawab_training.report.detector_report export --pool POOL --weights FILE --tflite lines.tflite
"""

import argparse
import json
import os
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..photograph import scenes
from ..networks import training
from ..train import detector
from ..export import convert
from ..export.convert import tf
from ..export.layers import body, conv, up


def _forward(network: detector.Network, x: tf.Tensor) -> tf.Tensor:
    """detector.Network as TensorFlow operations that XNNPACK knows in int8."""
    quarter = conv(conv(x, network.stem), network.quarter)
    eighth = body(quarter, network.eighth)
    sixteenth = body(eighth, network.sixteenth)
    x = up(body(sixteenth, network.deep), sixteenth, network.up16)
    x = up(up(x, eighth, network.up8), quarter, network.up4)
    return tf.concat([tf.sigmoid(convert._pointwise(x, network.masks)), tf.tanh(convert._pointwise(x, network.direction))], -1)


def export(weights: str, pool_folder: str, path: str, samples: int = 200, seed: int = 77) -> int:
    """Write the network of a checkpoint as a full-int8 file; ranges come from training scenes."""
    network, rng, pool = detector.load(weights), np.random.default_rng(seed), scenes.Pool(pool_folder)
    shape = [1, scenes.SIDE, scenes.SIDE, 1]
    call = tf.function(lambda x: _forward(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    pictures = (scenes.scene(rng, pool)[0] for _ in range(samples))
    return convert.quantise(call.get_concrete_function(), shape, pictures, path)


def _blobs(plane: np.ndarray, threshold: float, least: int) -> list[npt.NDArray[np.bool_]]:
    """Boolean masks of the connected parts of a label plane, enlarged to twice its grid."""
    fine = cv2.resize(plane, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    count, marks, stats, _ = cv2.connectedComponentsWithStats((fine > threshold).astype(np.uint8))
    return [marks == k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] >= least]


def _overlap(one: npt.NDArray[np.bool_], other: npt.NDArray[np.bool_]) -> float:
    return (one & other).sum() / max(1, (one | other).sum())


def figures(
    predict: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], pool: scenes.Pool, count: int, seed: int
) -> dict[str, dict[str, float]]:
    """Run count scenes of each kind through predict (uint8 picture to maps) and count what it found."""
    result: dict[str, dict[str, float]] = {}
    for kind in (scenes.whole_picture, scenes.zone_crop, scenes.text_crop):
        rng = np.random.default_rng([seed, len(result)])
        tally: dict[str, float] = dict(zones=0, zones_found=0, zones_said=0, zones_right=0, lines=0, lines_found=0, turned=0)
        errors = []
        for _ in range(count):
            image, truth = kind(rng, pool)
            guess = predict(image)
            _count_zones(truth, guess, tally)
            lines, said = _blobs(truth[..., 0], 0.35, 12), _blobs(guess[..., 0] * (truth[..., 4] > 0), 0.35, 12)
            tally["lines"] += len(lines)
            tally["lines_found"] += sum(any(_overlap(a, b) > 0.4 for b in said) for a in lines)
            where = truth[..., 5] > 0
            if where.any():
                angle = np.arctan2(guess[..., 3], guess[..., 2]) - np.arctan2(truth[..., 3], truth[..., 2])
                angle = np.abs((angle[where] + np.pi) % (2 * np.pi) - np.pi)
                errors.append(np.degrees(np.median(angle)))
        tally["direction_median_degrees"] = round(float(np.median(errors)), 2)
        tally["direction_over_45_degrees"] = round(float(np.mean(np.array(errors) > 45)), 4)
        tally.pop("turned")
        tally["zone_recall"] = round(tally["zones_found"] / max(1, tally["zones"]), 4)
        tally["zone_precision"] = round(tally["zones_right"] / max(1, tally["zones_said"]), 4)
        tally["line_recall"] = round(tally["lines_found"] / max(1, tally["lines"]), 4)
        result[kind.__name__] = tally
    return result


def _count_zones(truth: npt.NDArray[np.float32], guess: npt.NDArray[np.float32], tally: dict[str, float]) -> None:
    zones, said = _blobs(truth[..., 1], 0.5, 16), _blobs(guess[..., 1], 0.5, 16)
    tally["zones"] += len(zones)
    tally["zones_said"] += len(said)
    tally["zones_found"] += sum(any(_overlap(a, b) > 0.5 for b in said) for a in zones)
    tally["zones_right"] += sum(any(_overlap(a, b) > 0.5 for b in zones) for a in said)


def photographs(predict: Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]], folder: str) -> dict[str, int]:
    """The first pass on the photographs of a truth.jsonl: zones found, false ones, direction within 20 degrees and turned over."""
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as source:
        rows = [json.loads(line) for line in source]
    tally = dict(pictures=len(rows), found=0, false=0, direction_within_20=0, turned_over=0)
    for row in rows:
        grey = cv2.imread(os.path.join(folder, row["file"]), cv2.IMREAD_GRAYSCALE)
        scale = scenes.SIDE / max(grey.shape)
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[: scenes.SIDE, : scenes.SIDE]
        square = np.zeros((scenes.SIDE, scenes.SIDE), np.uint8)
        square[: small.shape[0], : small.shape[1]] = small
        guess, quad = predict(square), np.array(row["mrz_quad"], np.float32) * scale
        fine = np.zeros((2 * scenes.GRID, 2 * scenes.GRID), np.uint8)
        cv2.fillPoly(fine, [np.round(quad / 2 * 16).astype(np.int32)], 1, shift=4)
        said = _blobs(guess[..., 1], 0.5, 16)
        right = [blob for blob in said if _overlap(blob, fine > 0) > 0.5]
        tally["found"] += bool(right)
        tally["false"] += len(said) - len(right)
        if right:
            where = cv2.resize(right[0].astype(np.uint8), (scenes.GRID, scenes.GRID), interpolation=cv2.INTER_AREA) > 0
            vector, truth = guess[where][:, 2:].sum(0), quad[1] - quad[0]
            cosine = vector @ truth / max(np.linalg.norm(vector) * np.linalg.norm(truth), 1e-6)
            tally["direction_within_20"] += bool(cosine > np.cos(np.radians(20)))
            tally["turned_over"] += bool(cosine < 0)
    return tally


def _answers(network: detector.Network) -> Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]:
    def predict(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        with torch.no_grad():
            return network(training.grey(image[None]))[0].numpy()

    return predict


def run(args: argparse.Namespace) -> dict[str, Any]:
    """The verbs eval and export of the command line; returns what to print."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if args.verb == "export":
        return {"file": args.tflite, "bytes": export(args.weights, args.pool, args.tflite)}
    if args.photographs:
        network = convert.Int8(args.tflite)
        return photographs(lambda picture: network(picture)[0], args.photographs)
    pool = scenes.Pool(args.pool)
    result: dict[str, Any] = {}
    if args.weights:
        result["float"] = figures(_answers(detector.load(args.weights)), pool, args.count, 5)
    if args.tflite:
        network = convert.Int8(args.tflite)
        result["int8"] = figures(lambda picture: network(picture)[0], pool, args.count, 5)
        result["milliseconds"] = network.milliseconds()
    return result


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.report.detector_report")
    parser.add_argument("verb", choices=("eval", "export"))
    parser.add_argument("--pool", required=True)
    parser.add_argument("--weights", help="checkpoint of a training")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    parser.add_argument("--photographs", help="eval: a folder of photographs with truth.jsonl instead of scenes")
    parser.add_argument("--count", type=int, default=200, help="eval: scenes of each kind")
    print(json.dumps(run(parser.parse_args()), indent=1))


if __name__ == "__main__":
    main()
