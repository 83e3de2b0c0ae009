"""A published network (ONNX, OpenVINO or TensorFlow Lite) rebuilt so that int8 holds it and XNNPACK runs it whole.

OpenVINO reads all three forms into one graph. Here it becomes a list of steps in height x width x channels: convolutions with
everything folded into them that is linear, activations, sums. Three changes leave the function as it is:

- An activation whose slope is steeper below 0 than above is turned about (gentle): as a sum it would be the difference of two numbers that are
  much larger than itself, of which 8 bits keep too little.
- An activation with a slope of its own for each channel, which XNNPACK does not run in int8, is the sum of two convolutions of 1 x 1
  over single channels.
- The channels between two convolutions are scaled to like ranges (level), so that one scale for all of them wastes little.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

if TYPE_CHECKING:
    import openvino

# What turns Y, Cb, Cr in 0..1 (full range, BT.601) into red, green and blue in 0..255.
_TO_RGB = 255 * np.array([[1, 0, 1.402], [1, -0.344136, -0.714136], [1, 1.772, 0]])
_SHIFT = _TO_RGB @ np.array([0, -128 / 255, -128 / 255])


@dataclass
class Step:
    """One operation: of what kind, on which earlier steps, with which arrays (kernel, bias, slope) and options."""

    kind: str
    sources: list[int]
    arrays: dict[str, np.ndarray] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


def _constant(node: openvino.Node) -> npt.NDArray[np.float32]:
    return np.array(node.data, np.float32)


class Network:
    """The steps of a published network from its input to the named nodes."""

    def __init__(self, path: str, outputs: Sequence[str] = ()) -> None:
        import openvino
        from openvino.passes import ConstantFolding, Manager

        model = openvino.Core().read_model(path)
        manager = Manager()
        manager.register_pass(ConstantFolding())
        manager.run_passes(model)
        self.steps: list[Step] = []
        self.made: dict[str, int] = {}  # the step of each node by its name
        nodes = {node.get_friendly_name(): node for node in model.get_ordered_ops()}
        ends = [nodes[name] for name in outputs] or [r.input_value(0).get_node() for r in model.get_results()]
        self.outputs = [self._value(node) for node in ends]
        self._gentle()

    def _add(self, kind: str, sources: list[int], arrays: dict[str, np.ndarray] | None = None, **options: Any) -> int:
        self.steps.append(Step(kind, sources, arrays or {}, options))
        return len(self.steps) - 1

    def _value(self, node: openvino.Node) -> int:
        """The number of the step that makes what node does."""
        stack = [node]
        while stack:
            top = stack[-1]
            name = top.get_friendly_name()
            waiting = [s for s in self._inputs(top) if s.get_friendly_name() not in self.made]
            if name in self.made or not waiting:
                if name not in self.made:
                    self.made[name] = self._step(top)
                stack.pop()
            else:
                stack.extend(waiting)
        return self.made[node.get_friendly_name()]

    @staticmethod
    def _inputs(node: openvino.Node) -> list[openvino.Node]:
        return [v.get_node() for v in node.input_values() if Network._folded(v.get_node()) is None]

    @staticmethod
    def _folded(node: openvino.Node) -> npt.NDArray[np.float32] | None:
        """The value of a node that depends on constants alone, or None. Constant folding leaves some of half precision."""
        kind = node.get_type_name()
        if kind == "Constant":
            return _constant(node)
        if kind == "Convert":
            return Network._folded(node.input_value(0).get_node())
        if kind not in ("Transpose", "Reshape", "Unsqueeze"):
            return None
        value = Network._folded(node.input_value(0).get_node())
        if value is None:
            return None
        if kind == "Transpose":
            order = Network._folded(node.input_value(1).get_node())
            return None if order is None else value.transpose(order.astype(int))
        return value.reshape([int(d) for d in node.output(0).shape])

    def _step(self, node: openvino.Node) -> int:
        kind = node.get_type_name()
        sources = [self.made[s.get_friendly_name()] for s in self._inputs(node)]
        fixed = [c for c in (self._folded(v.get_node()) for v in node.input_values()) if c is not None]
        if kind == "Parameter":
            channels = min(int(d) for d in node.output(0).shape[1:])
            return self._add("convolution", [self._add("input", [])], {"kernel": np.eye(channels, dtype=np.float32)[None, None], "bias": np.zeros(channels, np.float32)},
                             stride=1, pads=[(0, 0)] * 2, dilation=1)  # takes what changes the colours
        if kind in ("Convolution", "GroupConvolution"):
            return self._convolution(node, sources, fixed[0])
        if kind in ("Add", "Multiply", "BatchNormInference") and fixed:
            return self._linear(kind, sources[0], fixed, node)
        if kind in ("Transpose", "Reshape") and len(node.output(0).shape) == 4 or kind == "Transpose":
            return sources[0]  # only names the dimensions anew: steps always have channels last
        attributes = node.get_attributes()
        options = {"Pad": lambda: {"after": int(fixed[1].max())}, "MaxPool": lambda: {"size": attributes["kernel"], "stride": attributes["strides"]},
                   "Interpolate": lambda: {"size": [int(d) for d in fixed[0]]}}
        arrays = {"slope": fixed[0].ravel()} if kind == "PRelu" else {}
        if kind not in ("Add", "Multiply", "Relu", "PRelu", "Sigmoid", "MaxPool", "AvgPool", "ReduceMean", "Pad", "Interpolate", "Concat"):
            raise ValueError(f"adopt: {kind} {node.get_friendly_name()} is not known")
        return self._add(kind, sources, arrays, **options.get(kind, dict)())

    def _convolution(self, node: openvino.Node, sources: list[int], kernel: np.ndarray) -> int:
        a, single = node.get_attributes(), node.get_type_name() == "GroupConvolution"
        if single:  # groups x 1 x 1 x height x width
            if kernel.shape[1:3] != (1, 1):
                raise ValueError(f"adopt: {node.get_friendly_name()} has groups of several channels")
            kernel = kernel[:, 0]
        pads = [tuple(v) for v in zip(a["pads_begin"], a["pads_end"])]
        kernel = kernel.transpose(2, 3, 0, 1) if single else kernel.transpose(2, 3, 1, 0)
        return self._add("single" if single else "convolution", sources, {"kernel": kernel.copy(), "bias": np.zeros(kernel.shape[2 if single else 3], np.float32)},
                         stride=a["strides"][0], pads=pads, dilation=a["dilations"][0])

    def _linear(self, kind: str, source: int, fixed: Sequence[np.ndarray], node: openvino.Node) -> int:
        """A sum with, or a product of, constants of the channels: into the convolution before it, which nothing else reads yet."""
        step = self.steps[source]
        if kind == "BatchNormInference":
            gamma, beta, mean, variance = fixed
            gain = gamma / np.sqrt(variance + node.get_attributes()["epsilon"])
            shift = beta - mean * gain
        else:
            gain, shift = (fixed[0].ravel(), 0) if kind == "Multiply" else (1, fixed[0].ravel())
        if step.kind not in ("convolution", "single"):
            count = int(np.prod(np.shape(gain))) if kind == "Multiply" else len(shift)
            source = self._add("single", [source], {"kernel": np.ones((1, 1, count, 1), np.float32), "bias": np.zeros(count, np.float32)}, stride=1, pads=[(0, 0)] * 2, dilation=1)
            step = self.steps[source]
        gain = np.broadcast_to(np.float32(gain), step.arrays["bias"].shape)
        step.arrays["kernel"] = step.arrays["kernel"] * (gain[:, None] if step.kind == "single" else gain)
        step.arrays["bias"] = step.arrays["bias"] * gain + shift
        return source

    def _gentle(self) -> None:
        """Make all slopes at most 1: with a slope s steeper than that, PRelu(x, s) is -s * PRelu(-x, 1 / s), and convolutions take both factors."""
        for k, step in enumerate(self.steps):
            if step.kind != "PRelu" or (np.abs(step.arrays["slope"]) <= 1).all():
                continue
            writer, readers = self.steps[step.sources[0]], [s for s in self.steps if k in s.sources]
            alone = [s for s in self.steps if step.sources[0] in s.sources] == [step] and k not in self.outputs
            if not alone or any(s.kind not in _WEIGHED for s in [writer, *readers]):
                continue
            slope = np.broadcast_to(step.arrays["slope"], writer.arrays["bias"].shape).astype(np.float32)
            steep = np.abs(slope) > 1
            _multiply(writer, np.where(steep, -1, 1))
            for reader in readers:
                reader.arrays["kernel"] = reader.arrays["kernel"] * np.where(steep, -slope, 1)[:, None].astype(np.float32)
            step.arrays["slope"] = np.where(steep, 1 / np.where(steep, slope, 1), slope).astype(np.float32)

    def colours(self, matrix: np.ndarray, shift: np.ndarray) -> None:
        """Let the input be Y, Cb, Cr in 0..1: matrix and shift make of red, green and blue in 0..255 what the network was trained on."""
        first = self.steps[1].arrays
        kernel = first["kernel"][0, 0].T
        first["bias"] = (kernel @ (matrix @ _SHIFT + shift) + first["bias"]).astype(np.float32)
        first["kernel"] = (kernel @ matrix @ _TO_RGB).T[None, None].astype(np.float32)

    def run(self, x: tf.Tensor) -> list[tf.Tensor]:
        """What the outputs are for x (batch x height x width x 3), as TensorFlow operations."""
        values = self.values(x)
        return [values[k] for k in self.outputs]

    def values(self, x: tf.Tensor) -> list[tf.Tensor]:
        """What each step makes of x."""
        values: list[tf.Tensor] = []
        for step in self.steps:
            values.append(x if step.kind == "input" else _operation(step, [values[s] for s in step.sources]))
        return values

    def level(self, pictures: npt.NDArray[np.float32]) -> None:
        """Scale the channels between convolutions to like ranges, as pictures (N x height x width x 3 in 0..1) show them.

        Sums, activations and the largest of several pass such a scale on, so that all tensors between which only these stand
        take the same.
        """
        values = [np.abs(v.numpy()).reshape(-1, v.shape[-1]).max(0) for v in self.values(tf.constant(pictures))]
        group = list(range(len(self.steps)))  # the least of the steps whose tensors take one scale

        def joined(k: int) -> int:
            while group[k] != k:
                k = group[k]
            return k

        for k, step in enumerate(self.steps):
            if step.kind in _PASSING:
                for s in step.sources:
                    a, b = joined(k), joined(s)
                    group[max(a, b)] = min(a, b)
        for first in sorted({joined(k) for k in range(len(self.steps))}):
            members = {k for k in range(len(self.steps)) if joined(k) == first}
            writers = [self.steps[k] for k in members if self.steps[k].kind not in _PASSING]
            readers = [s for k, s in enumerate(self.steps) if k not in members and members & set(s.sources)]
            if members & set(self.outputs) or not readers or any(s.kind not in _WEIGHED for s in writers + readers):
                continue
            _scale(writers, readers, np.max([values[k] for k in members], 0))


# Operations after which a scale of the channels is still one, and those whose weights can take it.
_PASSING, _WEIGHED = ("Add", "Relu", "PRelu", "MaxPool"), ("convolution", "single")


def _multiply(step: Step, factors: npt.ArrayLike) -> None:
    """Multiply the channels that a step of _WEIGHED makes."""
    factors = np.asarray(factors, np.float32)
    step.arrays["kernel"] = step.arrays["kernel"] * (factors[:, None] if step.kind == "single" else factors)
    step.arrays["bias"] = step.arrays["bias"] * factors


def _scale(writers: Sequence[Step], readers: Sequence[Step], seen: np.ndarray) -> None:
    """Divide the channels that writers make by what brings them to like ranges, and multiply what readers make of them."""
    alone = all(reader.kind == "single" for reader in readers)
    ranges = np.clip(seen / max(float(np.median(seen)), 1e-6), 1e-2, 1e2) ** (1.0 if alone else 0.6)
    ranges = (ranges / np.exp(np.log(ranges).mean())).astype(np.float32)
    for step in writers:
        _multiply(step, 1 / ranges)
    for step in readers:
        step.arrays["kernel"] = step.arrays["kernel"] * ranges[:, None]  # h x w x in x out, or h x w x channels x 1


def _single(x: tf.Tensor, values: npt.ArrayLike) -> tf.Tensor:
    """Each channel times its value, as a convolution of 1 x 1 over single channels."""
    return tf.nn.depthwise_conv2d(x, np.asarray(values, np.float32)[None, None, :, None], [1, 1, 1, 1], "VALID")


def _operation(step: Step, inputs: Sequence[tf.Tensor]) -> tf.Tensor:
    x = inputs[0]
    o = step.options
    if step.kind in ("convolution", "single"):
        return _convolved(x, step)
    if step.kind == "PRelu":
        return _sloped(x, step.arrays["slope"])
    if step.kind == "Pad":
        return tf.pad(x, [[0, 0], [0, 0], [0, 0], [0, o["after"]]])
    if step.kind == "MaxPool":
        return tf.nn.max_pool2d(x, o["size"], o["stride"], "VALID")
    if step.kind == "Interpolate":
        return tf.image.resize(x, o["size"])
    if step.kind in ("AvgPool", "ReduceMean"):
        return tf.reduce_mean(x, [1, 2], keepdims=True)
    if step.kind == "Concat":
        return tf.concat(inputs, 3)
    return {"Add": lambda: x + inputs[1], "Multiply": lambda: x * inputs[-1], "Relu": lambda: tf.nn.relu(x), "Sigmoid": lambda: tf.sigmoid(x)}[step.kind]()


def _convolved(x: tf.Tensor, step: Step) -> tf.Tensor:
    kernel, bias, o = step.arrays["kernel"], step.arrays["bias"], step.options
    size = [(k - 1) * o["dilation"] + 1 for k in kernel.shape[:2]]
    same = [_same(x.shape[1 + d], size[d], o["stride"]) for d in range(2)]
    if all(p == (0, 0) for p in o["pads"]):
        padding = "VALID"
    elif [tuple(p) for p in o["pads"]] == same:
        padding = "SAME"
    else:
        x, padding = tf.pad(x, [[0, 0], *[list(p) for p in o["pads"]], [0, 0]]), "VALID"
    if step.kind == "single":
        return tf.nn.depthwise_conv2d(x, kernel, [1, o["stride"], o["stride"], 1], padding, dilations=[o["dilation"]] * 2) + bias
    return tf.nn.conv2d(x, kernel, o["stride"], padding, dilations=o["dilation"]) + bias


def _same(length: int, size: int, stride: int) -> tuple[int, int]:
    """What TensorFlow's padding SAME adds before and after."""
    whole = max((-(-length // stride) - 1) * stride + size - length, 0)
    return whole // 2, whole - whole // 2


def _sloped(x: tf.Tensor, slope: np.ndarray) -> tf.Tensor:
    """x above 0 and slope * x below, by operations that XNNPACK runs in int8."""
    if np.ptp(slope) == 0 and abs(slope[0]) <= 1:
        return tf.nn.leaky_relu(x, float(slope[0]))
    slope = np.broadcast_to(slope, x.shape[-1:])
    if (slope <= 1).all():
        return tf.nn.relu(_single(x, 1 - slope)) + _single(x, slope)
    # An activation must follow an operation that feeds nothing else: alone, XNNPACK leaves it to the slow kernels.
    return _single(tf.nn.relu(_single(x, np.ones(len(slope)))), 1 - slope) + _single(x, slope)
