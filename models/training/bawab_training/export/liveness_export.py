"""The networks of presentation attacks (minifasnet) as int8 files, and how far they are from their makers' files.

    python -m bawab_training.export.liveness_export check  --weights DIR --pictures PICTURES
    python -m bawab_training.export.liveness_export export --weights DIR --pictures PICTURES --near ../liveness.tflite --wide ../liveness_wide.tflite

DIR holds the makers' ONNX files; the pictures give the ranges of the layers alone.
"""

import argparse
import glob
import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import torch

from ..networks import training
from ..networks.minifasnet import CLASSES, NEAR, SIDE, WIDE, Kind, Layer, Network, load
from . import convert
from .convert import tf


def answer(network: Network, x: tf.Tensor) -> tf.Tensor:
    """The logits of a network for x (1 x 80 x 80 x 3 in 0..1), as TensorFlow operations."""

    def convolved(x: tf.Tensor, c: torch.nn.Conv2d) -> tf.Tensor:
        kernel, bias = c.weight.detach().numpy(), c.bias.detach().numpy()
        padding = "SAME" if c.padding[0] and c.stride[0] == 1 else "VALID"
        if c.padding[0] and c.stride[0] == 2:
            x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]])
        if c.groups > 1:
            return tf.nn.depthwise_conv2d(x, kernel.transpose(2, 3, 0, 1), [1, *c.stride, 1], padding) + bias
        return tf.nn.conv2d(x, kernel.transpose(2, 3, 1, 0), c.stride[0], padding) + bias

    def layer(x: tf.Tensor, part: Layer) -> tf.Tensor:
        x = convolved(x, part.convolution)
        return x if part.slope is None else x + tf.nn.relu(x * (part.slope.numpy() - 1))

    x = layer(layer(x, network.stem), network.around)
    for block in network.blocks:
        y = layer(layer(layer(x, block.expand), block.depth), block.project)
        if block.squeeze is not None:
            weights = convolved(tf.nn.relu(convolved(tf.reduce_mean(y, [1, 2], keepdims=True), block.squeeze)), block.excite)
            y = y * tf.sigmoid(weights)
        x = x + y if block.added else y
    return tf.reshape(convolved(layer(layer(x, network.last), network.pool), network.head), [1, CLASSES])


def ranges(folders: Sequence[str], count: int = 300, seed: int = 5) -> npt.NDArray[np.uint8]:
    """Crops (count x 80 x 80 x 3 uint8, red first) that show what ranges the layers take: parts of the pictures in folders, relit and recoloured."""
    paths = [sorted(glob.glob(os.path.join(folder, "**", "*.jpg"), recursive=True)) for folder in folders]
    images, rng, crops = [[cv2.imread(path)[..., ::-1] for path in group] for group in paths], np.random.default_rng(seed), []
    for k in range(count):
        group = images[k % len(images)]
        image = group[k // len(images) % len(group)]
        limits = np.array(image.shape[:2])
        size = np.minimum(rng.uniform(0.3, 1) * limits.min() * rng.uniform(0.85, 1.15, 2), limits).astype(int)
        top, left = rng.integers(limits - size + 1)
        crop = cv2.resize(image[top : top + size[0], left : left + size[1]], (SIDE, SIDE)).astype(np.float32) / 255
        crop = rng.uniform(0.6, 1.15) * crop ** np.exp(rng.normal(0, 0.3)) * np.exp(rng.normal(0, 0.06, 3))
        crop += rng.normal(0, rng.uniform(0, 0.02), crop.shape)
        crops.append((np.clip(crop, 0, 1) * 255).astype(np.uint8))
    return np.stack(crops)


def batch(crops: npt.NDArray[np.uint8]) -> torch.Tensor:
    """Crops as the network takes them."""
    return torch.from_numpy(crops.transpose(0, 3, 1, 2).astype(np.float32) / 255)


def export(kind: Kind, args: argparse.Namespace, path: str) -> dict[str, Any]:
    """Write a network as a full-int8 file; returns what to print."""
    crops, shape, network = ranges(args.pictures), [1, SIDE, SIDE, 3], load(args.weights, kind)
    call = tf.function(lambda x: answer(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    size, int8 = convert.quantise(call.get_concrete_function(), shape, crops, path), convert.Int8(path)
    with torch.no_grad():
        logits = network(batch(crops)).numpy()
    off = np.abs(np.stack([int8(crop)[0] for crop in crops]) - logits).max(1)
    return {"file": path, "bytes": size, "milliseconds": int8.milliseconds(), "logits off, median and worst": [round(float(v), 3) for v in (np.median(off), off.max())]}


def check(kind: Kind, args: argparse.Namespace) -> dict[str, Any]:
    """How far the rewritten network is from its makers' file on the pictures; returns what to print."""
    import openvino

    name, crops = kind[0], ranges(args.pictures)
    original = openvino.Core().compile_model(os.path.join(args.weights, name), "CPU", {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1})
    answers = np.stack([original(crop[..., ::-1].transpose(2, 0, 1)[None].astype(np.float32))[0][0] for crop in crops])
    with torch.no_grad():
        off = np.abs(load(args.weights, kind)(batch(crops)).numpy() - answers).max()
    return {"file": name, "crops": len(crops), "logits differ at most": float(off)}


def main() -> None:
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.export.liveness_export")
    parser.add_argument("verb", choices=("check", "export"))
    parser.add_argument("--weights", required=True, help="folder of the makers' ONNX files")
    parser.add_argument("--pictures", required=True, nargs="+", help="folders of pictures for the ranges of the layers")
    parser.add_argument("--near", help="file to write: the network for the crop of 2.7 boxes")
    parser.add_argument("--wide", help="file to write: the network for the crop of 4.0 boxes")
    args = parser.parse_args()
    training.one_core()
    for kind, path in ((NEAR, args.near), (WIDE, args.wide)):
        print(json.dumps(check(kind, args) if args.verb == "check" else export(kind, args, path)))


if __name__ == "__main__":
    main()
