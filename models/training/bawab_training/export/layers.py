"""The layers of finder, line detector and plate reader as TensorFlow operations that XNNPACK knows in int8."""

from collections.abc import Iterable

from ..train.finder import Block, Conv, Up
from . import convert
from .convert import tf


def conv(x: tf.Tensor, layer: Conv) -> tf.Tensor:
    """A finder.Conv as TensorFlow operations."""
    kernel, bias = convert._folded(layer)
    x = tf.nn.conv2d(x, kernel, layer.stride, "SAME", dilations=layer.dilation) + bias
    return tf.nn.relu6(x) if layer.active else x


def body(x: tf.Tensor, layers: Iterable[Conv | Block]) -> tf.Tensor:
    """A sequence of finder.Conv and finder.Block."""
    for layer in layers:
        if isinstance(layer, Block):
            x = tf.nn.relu6(x + conv(conv(x, layer.first), layer.second))
        else:
            x = conv(x, layer)
    return x


def up(x: tf.Tensor, skip: tf.Tensor, layer: Up) -> tf.Tensor:
    """A finder.Up."""
    x = conv(x, layer.coarse)
    x = tf.compat.v1.image.resize_bilinear(x, [2 * x.shape[1], 2 * x.shape[2]], half_pixel_centers=True)
    return conv(x + conv(skip, layer.fine), layer.out)
