"""Turns a trained recogniser into an int8 TensorFlow Lite file, and runs such a file.

Batch norm is folded into the convolutions first, so that the file holds convolutions, additions
and ReLU only, which XNNPACK runs whole. Shapes are static with batch 1: XNNPACK refuses others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt
import torch

from ..networks import training
from . import settle

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import tensorflow as tf

if TYPE_CHECKING:
    from tensorflow.types.experimental import ConcreteFunction


class Strip(Protocol):
    """A sample of a recogniser of lines; its strip is uint8 height x width."""

    @property
    def strip(self) -> npt.NDArray[np.uint8]: ...


def _folded(block: torch.nn.Module) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the kernel (H x W x in x out) and bias of a convolution with its batch norm."""
    norm = block.norm
    gain = norm.weight / (norm.running_var + norm.eps).sqrt()
    kernel = block.convolution.weight * gain[:, None, None, None]
    bias = norm.bias - norm.running_mean * gain
    return kernel.detach().permute(2, 3, 1, 0).numpy(), bias.detach().numpy()


def _convolution(x: tf.Tensor, block: torch.nn.Module, fold: bool = False) -> tf.Tensor:
    kernel, bias = _folded(block)
    padding = "VALID" if fold else "SAME"
    dilations = list(block.convolution.dilation)
    return tf.nn.conv2d(x, kernel, list(block.convolution.stride), padding, dilations=dilations) + bias


def _pointwise(x: tf.Tensor, layer: torch.nn.Conv2d) -> tf.Tensor:
    """Return a 1x1 convolution of PyTorch without batch norm, on x."""
    kernel = layer.weight.detach().permute(2, 3, 1, 0).numpy()
    return tf.nn.conv2d(x, kernel, 1, "VALID") + layer.bias.detach().numpy()


def body(blocks: Iterable[torch.nn.Module], x: tf.Tensor) -> tf.Tensor:
    """Return what the blocks of training (convolutions, residuals, contexts) make of x, as TensorFlow operations."""
    for block in blocks:
        if hasattr(block, "second"):
            inner = tf.nn.relu(_convolution(x, block.first))
            x = tf.nn.relu(x + _convolution(inner, block.second))
        elif hasattr(block, "mix"):
            x = tf.nn.relu(x + _pointwise(tf.reduce_mean(x, [1, 2], keepdims=True), block.mix))
        elif hasattr(block, "convolution"):
            x = tf.nn.relu(_convolution(x, block, fold=block.pads[2:] == [0, 0]))
    return x


def _forward(network: torch.nn.Module, x: tf.Tensor) -> tf.Tensor:
    """Return the logits (1 x 1 x columns x classes) of network on x (1 x height x width x 1 in 0..1), as TensorFlow operations.

    Nothing here fixes the width: the file can be resized to narrower strips.
    """
    return _pointwise(body(network.body, x), network.head)


def classifier(network: torch.nn.Module, pictures: npt.NDArray[np.uint8], path: str, pooled: bool) -> None:
    """Write a network that tells classes of pictures (uint8 N x H x W x 3, of the training distribution) as a full-int8 file.

    pooled tells that its head takes the mean over the map. Prints size, time, and how far the logits of both are apart.
    """
    shape = [1, *pictures.shape[1:]]

    def forward(x: tf.Tensor) -> tf.Tensor:
        x = body(network.body, x)
        if pooled:
            x = tf.reduce_mean(x, [1, 2], keepdims=True)
        return tf.reshape(_pointwise(x, network.head), [1, network.head.out_channels])

    call = tf.function(forward, input_signature=[tf.TensorSpec(shape, tf.float32)]).get_concrete_function()
    size = quantise(call, shape, pictures, path)
    int8, some = Int8(path), pictures[:60]
    with torch.no_grad():
        answers = network(training.inputs(some)).numpy()
    worst = max(np.abs(int8(picture)[0] - answer).max() for picture, answer in zip(some, answers))
    print(f"{path}: {size} bytes, {int8.milliseconds()} ms, logits differ by at most {worst:.2f}")


def export(network: torch.nn.Module, representative: Sequence[Strip], path: str) -> None:
    """Write network as a full-int8 file to path; representative are samples for the ranges."""
    shape = [1, *representative[0].strip.shape, 1]
    function = tf.function(
        lambda x: _forward(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)]
    ).get_concrete_function()
    quantise(function, shape, (sample.strip for sample in representative), path)


def quantise(function: ConcreteFunction, shape: Sequence[int], pictures: Iterable[npt.NDArray[np.uint8]], path: str) -> int:
    """Write a concrete function of an input of that shape in 0..1 as a full-int8 file; returns its size in bytes.

    pictures yields uint8 inputs of the training distribution, for the ranges.
    """

    def feed() -> Iterator[list[npt.NDArray[np.float32]]]:
        for number, picture in enumerate(pictures):
            x = (picture.astype(np.float32) / 255).reshape(shape)
            if number == 0:
                # Both ends of the range, so that the input's scale is exactly 1/255 and its zero point -128: a dark and a light corner of the first
                # picture. A picture of its own for that, unlike all others, would widen the ranges of the layers.
                x[..., 0, 0, 0], x[..., -1, -1, 0] = 0, 1
            yield [x]

    converter = tf.lite.TFLiteConverter.from_concrete_functions([function])
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = feed
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    model = converter.convert()
    with open(path + ".new", "wb") as file:
        file.write(model)
    settle.settle(path + ".new")
    os.replace(path + ".new", path)
    interpreter = tf.lite.Interpreter(model_path=path)
    scale, zero = interpreter.get_input_details()[0]["quantization"]
    if zero != -128 or abs(scale * 255 - 1) > 1e-4:
        raise ValueError(f"check input quantisation: scale {scale}, zero point {zero}")
    return os.path.getsize(path)


class Int8:
    """A .tflite file as a function from a uint8 picture of its input's shape to float answers, batch included."""

    def __init__(self, path: str) -> None:
        self.interpreter = tf.lite.Interpreter(model_path=path, num_threads=1)
        self.interpreter.allocate_tensors()
        self.source, self.target = self.interpreter.get_input_details()[0], self.interpreter.get_output_details()[0]

    def __call__(self, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        values = (picture.astype(np.int16) - 128).astype(np.int8)
        self.interpreter.set_tensor(self.source["index"], values.reshape(self.source["shape"]))
        self.interpreter.invoke()
        scale, zero = self.target["quantization"]
        return (self.interpreter.get_tensor(self.target["index"]).astype(np.float32) - zero) * scale

    def milliseconds(self, runs: int = 60) -> float:
        """Median time of one inference on one thread."""
        times = []
        for _ in range(runs):
            begin = time.perf_counter()
            self.interpreter.invoke()
            times.append(time.perf_counter() - begin)
        return round(1000 * float(np.median(times)), 2)


def reader(path: str) -> Callable[[npt.NDArray[np.uint8]], npt.NDArray[np.float32]]:
    """Return a function from uint8 strips (N x height x width) to logits (N x columns x classes) by the file."""
    network = Int8(path)
    columns_classes = tuple(network.target["shape"][-2:])
    return lambda strips: np.stack([network(strip).reshape(columns_classes) for strip in strips])
