"""Figures and int8 export of the document finder.

    python -m bawab_training.report.finder_report eval   --pool POOL (--weights FILE | --tflite FILE) [--held-out]
    python -m bawab_training.report.finder_report export --pool POOL --weights FILE --tflite documents.tflite
"""

import argparse
import json
from typing import Any

import cv2
import numpy as np
import torch

from ..photograph import finder_pool, finder_scenes as scenes
from ..train import finder
from ..export import convert
from ..export.convert import tf
from ..export.layers import body, conv, up


def _fine(x: tf.Tensor, layer: torch.nn.Conv2d) -> tf.Tensor:
    """The 1 x 1 head on each of 2 x 2 cells, written as one convolution with stride 2: its answers become channels."""
    weights, bias = layer.weight.detach().numpy()[:, :, 0, 0].T, layer.bias.detach().numpy()
    channels, filters = weights.shape
    kernel = np.zeros((2, 2, channels, 4 * filters), np.float32)
    for y in (0, 1):
        for x_ in (0, 1):
            kernel[y, x_, :, (2 * y + x_) * filters : (2 * y + x_ + 1) * filters] = weights
    return tf.nn.conv2d(x, kernel, 2, "VALID") + np.tile(bias, 4)


def _forward(network: finder.Network, x: tf.Tensor) -> tf.Tensor:
    """finder.maps as TensorFlow operations that XNNPACK knows in int8."""
    quarter = conv(conv(x, network.stem), network.quarter)
    eighth = body(quarter, network.eighth)
    sixteenth = body(eighth, network.sixteenth)
    x = up(up(body(sixteenth, network.deep), sixteenth, network.up16), eighth, network.up8)
    coarse = [convert._pointwise(x, network.kinds), finder.CALM * convert._pointwise(x, network.ways)]
    # Each part keeps its own range until the sigmoid, whose answers all lie in 0..1.
    return tf.concat([tf.sigmoid(part) for part in [_fine(up(x, quarter, network.up4), network.fine), *coarse]], -1)


def export(weights: str, pool: finder_pool.Pool, path: str, samples: int = 200, seed: int = 77) -> int:
    """Write the network of a checkpoint as a full-int8 file; ranges come from training scenes."""
    network, rng = finder.load(weights), np.random.default_rng(seed)
    shape = [1, scenes.SIDE, scenes.SIDE, 3]
    call = tf.function(lambda x: _forward(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    pictures = (scenes.scene(rng, pool)[0] for _ in range(samples))
    return convert.quantise(call.get_concrete_function(), shape, pictures, path)


def run(args: argparse.Namespace) -> dict[str, Any]:
    """The verbs eval and export of the command line; returns what to print."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    pool = finder_pool.Pool(args.pool, args.photos, held_out=args.held_out)
    if args.verb == "export":
        return {"file": args.tflite, "bytes": export(args.weights, pool, args.tflite)}
    result: dict[str, Any] = {}
    if args.weights:
        network = finder.load(args.weights)
        result["float"] = finder.figures(lambda images: finder.maps(network, images), pool, args.count, 5)
    if args.tflite:
        int8 = convert.Int8(args.tflite)
        result["int8"] = finder.figures(int8, pool, args.count, 5)
        result["milliseconds"] = int8.milliseconds()
    return result


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.report.finder_report")
    parser.add_argument("verb", choices=("eval", "export"))
    parser.add_argument("--pool", required=True, help="folder of pool files")
    parser.add_argument("--photos", default="", help="photographs of anything but documents, as backgrounds")
    parser.add_argument("--held-out", action="store_true", help="tables that training never sees")
    parser.add_argument("--weights", help="checkpoint of a training")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    parser.add_argument("--count", type=int, default=200, help="eval: scenes of each kind")
    print(json.dumps(run(parser.parse_args()), indent=1))


if __name__ == "__main__":
    main()
