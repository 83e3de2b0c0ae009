"""The networks that tell a presentation attack from a living face: MiniFASNet, rewritten, with its makers' weights.

Minivision published the weights under Apache-2.0 (Silent-Face-Anti-Spoofing), as ONNX files. There are two networks, for a
crop 2.7 and one 4.0 face boxes wide. Nothing is trained here. Each network is brought to a form that int8 holds and XNNPACK runs whole,
with the same function (liveness_export checks and writes it):

- The input is red, green, blue in 0..1, where the makers take blue, green, red in 0..255: the first kernel is turned and carries the factor.
- XNNPACK has no PReLU in int8. With a slope a of at most 1, PReLU(x) is x + ReLU((a - 1) x): a product and a sum.
- The two matrices at the end, with the batch norm between them, are one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

if TYPE_CHECKING:
    import openvino

SIDE = 80  # pixels of a crop
CLASSES = 3  # of a print, live, of a screen
LIVE = 1

Kind = tuple[str, Sequence[Sequence[int]], bool]

# The inner channels of the blocks, in four stages; SE marks a network whose stages end with a weighing of their channels.
NEAR = ("minifasnet-v2-2.7-80x80.onnx", ((103,) + (13,) * 4, (231, 231, 52, 26, 77, 26, 26), (308, 26, 26)), False)
WIDE = ("minifasnet-v1se-4.0-80x80.onnx", ((103, 13, 26, 13, 52), (231, 154, 52, 26, 52, 26, 26), (308, 26, 26)), True)
_STAGES = (64, 128, 128)  # outputs of a stage, whose first block halves the map
_SQUEEZE = 4


class Layer(nn.Module):
    """A convolution and, where it has slopes, a PReLU."""

    def __init__(
        self, inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1, active: bool = True, pad: int | None = None
    ) -> None:
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2 if pad is None else pad, groups=groups)
        self.register_buffer("slope", torch.zeros(outputs) if active else None)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.convolution(x)
        return x if self.slope is None else nn.functional.prelu(x, self.slope)


class Block(nn.Module):
    """Widen, look around, narrow; weigh the channels by what all places show, where squeezed."""

    def __init__(self, inputs: int, inner: int, outputs: int, halves: bool, squeezed: bool) -> None:
        super().__init__()
        self.expand, self.depth = Layer(inputs, inner, 1), Layer(inner, inner, 3, 2 if halves else 1, inner)
        self.project, self.added = Layer(inner, outputs, 1, active=False), not halves
        self.squeeze = nn.Conv2d(outputs, outputs // _SQUEEZE, 1) if squeezed else None
        self.excite = nn.Conv2d(outputs // _SQUEEZE, outputs, 1) if squeezed else None

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.project(self.depth(self.expand(x)))
        if self.squeeze is not None and self.excite is not None:
            y = y * self.excite(self.squeeze(y.mean((2, 3), keepdim=True)).relu()).sigmoid()
        return x + y if self.added else y


class Network(nn.Module):
    """About 40 MMAC and 0.4 M weights; forward gives logits N x 3 of crops N x 3 x 80 x 80, red first, in 0..1."""

    def __init__(self, stages: Sequence[Sequence[int]], squeezed: bool) -> None:
        super().__init__()
        self.stem, self.around = Layer(3, 32, 3, 2), Layer(32, 32, 3, 1, 32)
        blocks, inputs = [], 32
        for inner, outputs in zip(stages, _STAGES):
            for k, width in enumerate(inner):
                blocks.append(Block(inputs, width, outputs, k == 0, squeezed and k == len(inner) - 1))
                inputs = outputs
        self.blocks = nn.ModuleList(blocks)
        self.last, self.pool = Layer(128, 512, 1), Layer(512, 512, 5, 1, 512, active=False, pad=0)
        self.head = nn.Conv2d(512, CLASSES, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.around(self.stem(x))
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(self.last(x)))[:, :, 0, 0]


def _constant(source: openvino.Input) -> npt.NDArray[np.float32] | None:
    """What an input of a node holds, None where it is computed from the picture."""
    node = source.get_source_output().get_node()
    while node.get_type_name() in ("Convert", "Reshape"):
        node = node.input(0).get_source_output().get_node()
    return np.array(node.data, np.float32) if node.get_type_name() == "Constant" else None


def _parts(path: str) -> Iterator[tuple[str, list[npt.NDArray[np.float32]], dict[str, Any]]]:
    """The constants of an ONNX file by the operators that use them, in the order of its graph: (operator, [arrays])."""
    import openvino

    wanted = ("Convolution", "GroupConvolution", "Add", "PRelu", "MatMul", "BatchNormInference")
    for node in openvino.Core().read_model(path).get_ordered_ops():
        if node.get_type_name() in wanted:
            values = [v for v in map(_constant, node.inputs()) if v is not None]
            if values:
                yield node.get_type_name(), values, node.get_attributes()


def load(folder: str, kind: Kind) -> Network:
    """The network NEAR or WIDE with its makers' weights."""
    name, stages, squeezed = kind
    network = Network(stages, squeezed).eval()
    convolutions, matrices, slopes = [], [], []
    norm: tuple[Any, ...] = ()
    for operator, values, attributes in _parts(os.path.join(folder, name)):
        if operator in ("Convolution", "GroupConvolution"):
            convolutions.append([values[0], None])
        elif operator == "Add":
            convolutions[-1][1] = values[0].ravel()
        elif operator == "PRelu":
            slopes.append(values[0].ravel())
        elif operator == "MatMul":
            matrices.append(values[0])
        else:
            norm = (*values, attributes["epsilon"])
    layers = [m for m in network.modules() if isinstance(m, nn.Conv2d) and m is not network.head]
    active = [m for m in network.modules() if isinstance(m, Layer) and m.slope is not None]
    with torch.no_grad():
        for layer, (kernel, bias) in zip(layers, convolutions, strict=True):
            layer.weight.copy_(torch.from_numpy(kernel).reshape(layer.weight.shape))
            layer.bias.copy_(torch.from_numpy(bias))
        for layer, slope in zip(active, slopes, strict=True):
            if slope.max() > 1:
                raise ValueError(f"load {name}: a slope of {slope.max():.2f} is beyond 1")
            layer.slope.copy_(torch.from_numpy(slope))
        network.stem.convolution.weight.copy_(255 * network.stem.convolution.weight.flip(1))
        weight, bias = _joined(matrices, norm)
        network.head.weight.copy_(torch.from_numpy(weight.T[:, :, None, None].copy()))
        network.head.bias.copy_(torch.from_numpy(bias))
    return network


def _joined(matrices: Sequence[npt.NDArray[np.float32]], norm: tuple[Any, ...]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Two matrices with a batch norm between them as one, with its bias."""
    first, second = matrices
    gain, shift, mean, variance, epsilon = norm
    gain = gain / np.sqrt(variance + epsilon)
    return first * gain @ second, (shift - mean * gain) @ second
