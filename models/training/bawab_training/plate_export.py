"""Figures and int8 export of the plate reader."""

import cv2
import numpy as np
import torch

from . import convert, plate_data, plate_reader
from .convert import tf
from .finder_report import _body, _conv, _up


def _forward(network, x):
    """plate_reader.Network as TensorFlow operations that XNNPACK knows in int8."""
    quarter = _conv(_conv(x, network.stem), network.quarter)
    eighth = _body(quarter, network.eighth)
    x = _up(_body(eighth, network.deep), eighth, network.up8)
    return convert._pointwise(_up(x, quarter, network.up4), network.head)


def export(out, real, pool, path, samples=300, seed=77):
    """Write the network of a checkpoint as a full-int8 file; ranges come from training samples."""
    network, rng = plate_reader.load(out), np.random.default_rng(seed)
    shape = [1, plate_data.HEIGHT, plate_data.WIDTH, 1]
    call = tf.function(lambda x: _forward(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    drawn = plate_data.Samples(plate_data.real(real, ("train",)), plate_data.read_pool(pool))
    return convert.quantise(call.get_concrete_function(), shape, (drawn.sample(rng)[0] for _ in range(samples)), path)


def run(args):
    """The verbs eval and export of the command line; returns what to print."""
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if args.verb == "export":
        return {"file": args.tflite, "bytes": export(args.out, args.real, args.pool, args.tflite)}
    sources = plate_data.real(args.real, (args.part,))
    if args.tflite:
        network = convert.Int8(args.tflite)
        return {**plate_reader.figures(lambda view: network(view)[0], sources), "milliseconds": network.milliseconds()}
    network = plate_reader.load(args.out)
    return plate_reader.figures(lambda view: plate_reader.answers(network, view), sources)
