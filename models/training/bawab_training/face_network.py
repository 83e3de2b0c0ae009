"""The embedder's network: the teacher's own shape for one grey channel, begun from the teacher's weights.

The teacher is Open Model Zoo's face-reidentification-retail-0095 (Apache-2.0, Copyright 2019 Intel Corporation), a
MobileFaceNet with squeeze and excitation. Two changes leave its function as it is, so that int8 can hold it: every
activation gets a slope between -1 and 1, and the channels between two layers are scaled to like ranges.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from . import face_teachers, warmstart

VECTOR = 256
# Inputs, inner channels, outputs, stride, squeezed channels, whether the input is added to the output.
BLOCKS = (
    [(64, 128, 64, 2, 8, False)] + [(64, 128, 64, 1, 8, True)] * 4 + [(64, 256, 128, 2, 16, False)]
    + [(128, 256, 128, 1, 16, True)] * 6 + [(128, 512, 128, 2, 16, False)] + [(128, 256, 128, 1, 16, True)] * 2)
MIDDLE = 11  # the last block before the last step down
# The teacher's scale and shift of blue, green and red 0..255.
_GAIN = np.array([0.01437378, 0.0213623, 0.01864624], np.float32)
_SHIFT = np.array([-0.92626953, -1.4453125, -1.5302734], np.float32)


class _Straight(torch.autograd.Function):
    """x rounded to levels of int8; gradients pass as if it were not. Takes less than half of the time of PyTorch's own."""

    @staticmethod
    def forward(_, x, scale, zero):
        return x.div(scale).round_().clamp_(-128 - zero, 127 - zero).mul_(scale)

    @staticmethod
    def backward(_, slope):
        return slope, None, None


class Rounded(nn.Module):
    """Where int8 will round a tensor: its range so far, and, when on, the rounding, through which gradients pass."""

    KEEP = 0.98  # of the range, at each step

    def __init__(self):
        super().__init__()
        self.on = False
        self.register_buffer("range", torch.zeros(2))

    def forward(self, x):
        if not self.on:
            return x
        if self.training:
            seen = torch.stack([x.detach().amin().clamp(max=0), x.detach().amax().clamp(min=0)])
            self.range.copy_(seen if not self.range.any() else self.range.lerp(seen, 1 - self.KEEP))
        low, high = self.range.tolist()
        scale = max(high - low, 1e-6) / 255
        return _Straight.apply(x, scale, int(np.clip(round(-128 - low / scale), -128, 127)))


class Layer(nn.Module):
    """A convolution and, where it has one, its activation, which keeps x above 0 and multiplies it by a slope below."""

    def __init__(self, inputs, outputs, kernel, stride=1, groups=1, active=True, pad=None):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2 if pad is None else pad, groups=groups)
        # Stays as it begins: to learn it would take a third of the time of a step.
        self.register_buffer("slope", torch.zeros(1) if active else None)
        self.before, self.after, self.on = Rounded(), Rounded(), False

    def forward(self, x):
        weight = self.convolution.weight
        if self.on:
            scale = weight.detach().abs().amax((1, 2, 3)).clamp(min=1e-8) / 127
            weight = torch.fake_quantize_per_channel_affine(weight, scale, torch.zeros_like(scale, dtype=torch.int32), 0, -127, 127)
        x = self.before(self.convolution._conv_forward(x, weight, self.convolution.bias))
        return x if self.slope is None else self.after(functional.leaky_relu(x, self.slope.item()))


class Block(nn.Module):
    """Widen, look around, narrow, then weigh the channels by what all places show."""

    def __init__(self, inputs, inner, outputs, stride, squeezed, added):
        super().__init__()
        self.expand, self.depth = Layer(inputs, inner, 1), Layer(inner, inner, 3, stride, inner)
        self.project = Layer(inner, outputs, 1, active=False)
        self.squeeze, self.excite = Layer(outputs, squeezed, 1), Layer(squeezed, outputs, 1, active=False)
        self.mean, self.weighed, self.sum, self.added = Rounded(), Rounded(), Rounded(), added

    def forward(self, x):
        y = self.project(self.depth(self.expand(x)))
        y = self.weighed(y * torch.sigmoid(self.excite(self.squeeze(self.mean(y.mean((2, 3), keepdim=True))))))
        return self.sum(x + y) if self.added else y


class Network(nn.Module):
    """277 MMAC and 1.1 M weights."""

    def __init__(self):
        super().__init__()
        self.stem, self.depth = Layer(1, 64, 3, 2), Layer(64, 64, 3, 1, 64)
        self.blocks = nn.ModuleList(Block(*block) for block in BLOCKS)
        self.last, self.pool = Layer(128, 512, 1), Layer(512, 512, 8, groups=512, active=False, pad=0)
        self.vector = Layer(512, VECTOR, 1, active=False)

    def forward(self, x):
        """Vectors N x VECTOR of grey crops in 0..1, and what the two bottlenecks see that the teacher's maps show."""
        x = self.depth(self.stem(x))
        for number, block in enumerate(self.blocks):
            x = block(x)
            if number == MIDDLE:
                middle = x
        return self.vector(self.pool(self.last(x))).flatten(1), (x, middle)

    def round(self):
        """Round from now on as int8 will."""
        for module in self.modules():
            if isinstance(module, (Rounded, Layer)):
                module.on = True

    def pairs(self):
        """Layers that follow each other with nothing but an activation between them."""
        yield self.stem, self.depth
        yield self.depth, self.blocks[0].expand
        for block in self.blocks:
            yield block.expand, block.depth
            yield block.depth, block.project
            yield block.squeeze, block.excite
        yield self.last, self.pool
        yield self.pool, self.vector


def _constant(node):
    while node.get_type_name() == "Convert":
        node = node.input(0).get_source_output().get_node()
    return np.array(node.data, np.float32) if node.get_type_name() == "Constant" else None


def _teachers(folder):
    """The teacher's convolutions (kernel, bias) and slopes, in the order of its graph."""
    import openvino

    found = []
    for node in openvino.Core().read_model(face_teachers._find(folder, "face-reidentification-retail-0095.xml")).get_ordered_ops():
        kind = node.get_type_name()
        if kind in ("Constant", "Convert", "Parameter", "Result"):
            continue
        values = [v for v in (_constant(i.get_source_output().get_node()) for i in node.inputs()) if v is not None]
        if kind == "Convolution":
            found.append([values[0], np.zeros(len(values[0]), np.float32)])
        elif kind == "GroupConvolution":
            found.append([values[0][:, 0], np.zeros(len(values[0]), np.float32)])
        elif kind == "Add" and values and found:
            found[-1][1] = values[0].ravel()
        elif kind == "PRelu":
            found.append(float(values[0].ravel()[0]))
    return found


def begin(folder, crops):
    """A network that does on grey crops what the teacher does on colour; crops (N x 1 x side x side) give the channels' ranges."""
    network, parts = Network(), iter(_teachers(folder))
    with torch.no_grad():
        for layer in (m for m in network.modules() if isinstance(m, Layer)):
            kernel, bias = next(parts)
            if layer is network.stem:
                # Grey is all three colours alike.
                bias = bias + (kernel * _SHIFT[:, None, None]).sum((1, 2, 3))
                kernel = (kernel * _GAIN[:, None, None]).sum(1, keepdims=True) * 255
            layer.convolution.weight.copy_(torch.from_numpy(kernel))
            layer.convolution.bias.copy_(torch.from_numpy(bias))
            if layer.slope is not None:
                layer.slope.fill_(next(parts))
        if next(parts, None) is not None:
            raise ValueError("check the teacher's file: more layers than expected")
        for first, second in network.pairs():
            _turn(first, second)
        _level(network, crops)
    return network.eval()


def shipped(path):
    """The network of an exported .tflite file."""
    network, kernels, slopes = Network(), warmstart.kernels(path), iter(warmstart.slopes(path))
    with torch.no_grad():
        for layer, (kernel, bias) in zip((m for m in network.modules() if isinstance(m, Layer)), kernels, strict=True):
            layer.convolution.weight.copy_(torch.from_numpy(kernel.copy()))
            layer.convolution.bias.copy_(torch.from_numpy(bias.copy()))
            if layer.slope is not None:
                layer.slope.fill_(next(slopes))
    return network.eval()


def _turn(first, second):
    """A slope a beyond 1: x, or a x below 0, is -a times (-x, or -x / a below 0)."""
    if first.slope is None or abs(first.slope) <= 1:
        return
    second.convolution.weight.mul_(-first.slope)
    first.convolution.weight.neg_()
    first.convolution.bias.neg_()
    first.slope.copy_(1 / first.slope)


def _level(network, crops):
    """Scale the channels between two layers to like ranges; what follows looks at one channel only, or shares its weights' scale."""
    for first, second in network.pairs():
        seen = []
        hook = first.register_forward_hook(lambda _, inputs, answer: seen.append(first.convolution(inputs[0]).abs().amax((0, 2, 3))))
        network(crops)
        hook.remove()
        alone = second.convolution.groups > 1
        ranges = (seen[0] / seen[0].median()).clamp(1e-2, 1e2) ** (1.0 if alone else 0.6)
        ranges = ranges / ranges.log().mean().exp()
        first.convolution.weight.div_(ranges[:, None, None, None])
        first.convolution.bias.div_(ranges)
        second.convolution.weight.mul_(ranges[:, None, None, None] if alone else ranges[:, None, None])


def answer(network, x):
    """The vector of network for x (1 x side x side x 1), as TensorFlow operations."""
    import tensorflow as tf

    def layer(x, part):
        c = part.convolution
        kernel, bias = c.weight.detach().numpy(), c.bias.detach().numpy()
        padding = "VALID"
        if c.padding[0] and c.stride[0] == 1:
            padding = "SAME"
        elif c.padding[0]:
            x = tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]])
        if c.groups > 1:
            x = tf.nn.depthwise_conv2d(x, kernel.transpose(2, 3, 0, 1), [1, *c.stride, 1], padding) + bias
        else:
            x = tf.nn.conv2d(x, kernel.transpose(2, 3, 1, 0), c.stride[0], padding) + bias
        return x if part.slope is None else tf.nn.leaky_relu(x, part.slope.item())

    x = layer(layer(x, network.stem), network.depth)
    for block in network.blocks:
        y = layer(layer(layer(x, block.expand), block.depth), block.project)
        weights = layer(layer(tf.reduce_mean(y, [1, 2], keepdims=True), block.squeeze), block.excite)
        y = y * tf.sigmoid(weights)
        x = x + y if block.added else y
    x = layer(layer(layer(x, network.last), network.pool), network.vector)
    return tf.reshape(x, [1, VECTOR])
