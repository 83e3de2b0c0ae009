"""Gives the weights of a .tflite file scales with which every processor rounds alike.

    python -m bawab_training.export.settle FILE ...

A convolution multiplies its sums by input scale x weight scale / output scale. The runtime works this factor out in
float32, on arm64 in another order than on amd64, so that its last bit may differ, and with it, once in millions, the side to
which a sum between two levels is rounded: one level early in a network is another letter at its end. Weight scales that
differ from the best ones by some 1e-7 and give the same factor in every order take that difference away.
"""

import argparse

import numpy as np
import numpy.typing as npt

from ..networks import warmstart

_WEIGHED = ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED")
_REACH = 4000  # neighbouring float32 numbers that are tried on each side: 5e-4 of a scale at most


def _factors(source: np.float32, weights: npt.NDArray[np.float32], target: np.float32) -> npt.NDArray[np.float32]:
    """The factor of each channel in each order in which it can be worked out, orders x channels."""
    return np.stack([source * weights / target, source * (weights / target), weights * (source / target)])


def settled(source: float, weights: npt.ArrayLike, target: float) -> npt.NDArray[np.float32]:
    """The float32 weight scales nearest to weights with which all orders agree."""
    source, target = np.float32(source), np.float32(target)
    bits = np.asarray(weights, np.float32).view(np.int32)
    found, left = bits.copy(), np.ones(bits.shape, bool)
    for step in sorted(range(-_REACH, _REACH + 1), key=abs):
        factors = _factors(source, (bits + step).view(np.float32), target)
        fits = left & (factors == factors[0]).all(0)
        found[fits] = bits[fits] + step
        left &= ~fits
    if left.any():
        raise ValueError(f"settle: {left.sum()} of {left.size} channels have no scale in reach")
    return found.view(np.float32)


def settle(path: str) -> int:
    """Settle the weight scales of the file; returns how many channels it changed. Files that are settled stay as they are."""
    from tensorflow.lite.tools import flatbuffer_utils

    model, steps = warmstart.operators(path)
    tensors, changed = model.subgraphs[0].tensors, 0
    for name, operator in steps:
        if name not in _WEIGHED:
            continue
        source, kernel, bias = (tensors[index].quantization for index in operator.inputs[:3])
        target = tensors[operator.outputs[0]].quantization
        scales = settled(source.scale[0], kernel.scale, target.scale[0])
        changed += int((scales != np.asarray(kernel.scale, np.float32)).sum())
        kernel.scale, bias.scale = scales, scales * np.float32(source.scale[0])
    if changed:
        flatbuffer_utils.write_model(model, path)
    return changed


def main() -> None:
    """Settle files and print how many channels changed."""
    parser = argparse.ArgumentParser(prog="bawab_training.export.settle", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+")
    for path in parser.parse_args().files:
        print(path, settle(path))


if __name__ == "__main__":
    main()
