"""The network that tells a presentation attack from a living face.

    python -m bawab_training.liveness train  --sources FILE --pool POOL --out DIR --until 02:15 [--anneal MINUTES]
    python -m bawab_training.liveness export --sources FILE --pool POOL --out DIR --tflite ../liveness.tflite

Input [1, 128, 128, 3] planes Y, Cb, Cr in 0..1: an upright square of two face sizes around a face; output [1, 2], logits of
live and of attack.
"""

import argparse
import json

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from . import degrade, liveness_pool, liveness_scenes as scenes, liveness_sources, training
from .finder import Block, Conv

BATCH = 48
REAL = 14  # of a batch: pictures of NUAA, half of them attacks


class Network(nn.Module):
    """40 MMAC and 0.31 M weights; forward gives logits B x 2."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            Conv(3, 16, stride=2), Conv(16, 24, stride=2), Block(24), Conv(24, 48, stride=2), Block(48),
            Conv(48, 80, stride=2), Block(80), Conv(80, 128, stride=2))
        self.drop, self.head = nn.Dropout(0.2), nn.Conv2d(128, 2, 1)

    def forward(self, x):
        return self.head(self.drop(self.body(x).mean((2, 3), keepdim=True)))[:, :, 0, 0]


def augmented(rng, planes, level):
    """A SIDE x SIDE piece of a stored picture as another camera, another light or a less exact detector would give it.

    level is how often it is spoilt: drawn pictures have been through a camera of their own.
    """
    zoom = np.exp(rng.normal(0, 0.06)) * (rng.uniform(1.05, 1.5) if rng.random() < 0.08 * level else 1.0)
    angle, flip = rng.normal(0, 0.05), 1 - 2 * int(rng.integers(2))
    turn = zoom * np.array([[flip * np.cos(angle), np.sin(angle)], [-flip * np.sin(angle), np.cos(angle)]])
    middle = scenes.SIDE / 2 + rng.normal(0, 3.0, 2)
    matrix = np.column_stack([turn, middle - turn @ np.full(2, scenes.STORED / 2)])
    out = cv2.warpAffine(planes, matrix, (scenes.SIDE,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    if rng.random() < 0.08:
        _cut(rng, out)
    if rng.random() < 0.15 * level:
        out = degrade.defocus(out, rng.uniform(0.3, 1.6))
    if rng.random() < 0.08 * level:
        out = degrade.resolution(out, rng.uniform(0.4, 0.8))
    if rng.random() < 0.1 * level:
        out = degrade.motion(out, rng.uniform(1.5, 6), rng.uniform(0, np.pi))
    if rng.random() < 0.15 * level:
        out = degrade.sharpen(out, rng.uniform(0.2, 1.2))
    luma = np.ascontiguousarray(out[..., 0])
    if rng.random() < 0.15:
        luma = degrade.uneven_light(luma, rng.uniform(0.05, 0.5), rng)
    luma = degrade.contrast(luma, np.exp(rng.normal(0, 0.15)), rng.normal(0, 12), np.exp(rng.normal(0, 0.25)))
    if rng.random() < 0.15 * level:
        luma = degrade.jpeg(luma, rng.integers(45, 95))
    out[..., 0] = luma
    if rng.random() < 0.25 * level:
        out = degrade.noise(out, rng.uniform(0.5, 8), rng, rng.uniform(0, 0.9) if rng.random() < 0.5 else 0)
    colour = 0.0 if rng.random() < 0.06 else np.exp(rng.normal(0, 0.25))
    for channel in (1, 2):
        out[..., channel] = np.clip((out[..., channel].astype(np.float32) - 128) * colour + 128 + (colour > 0) * rng.normal(0, 5), 0, 255)
    return out


def _cut(rng, out):
    """Let the picture end inside the square, in place: a face near the border of its frame."""
    reach = int(rng.uniform(0.03, 0.25) * scenes.SIDE)
    side = int(rng.integers(4))
    if side == 0:
        out[:, :reach] = out[:, reach : reach + 1]
    elif side == 1:
        out[:, -reach:] = out[:, -reach - 1 : -reach]
    elif side == 2:
        out[:reach] = out[reach : reach + 1]
    else:
        out[-reach:] = out[-reach - 1 : -reach]


def batch(rng, pool, real=REAL, size=BATCH):
    """(pictures size x SIDE x SIDE x 3 uint8, attack size x bool)."""
    attack = np.arange(size) % 2 == 1
    pictures = [augmented(rng, pool.taken(rng, a), 1.0) if k < real else augmented(rng, pool.drawn(rng, a), 0.4) for k, a in enumerate(attack)]
    return np.stack(pictures), attack


def train(args):
    """Train until a time of day, going on from the checkpoint in args.out; the pool may grow meanwhile."""
    run = training.Averaged(Network(), Network(), args.out, args.rate)
    pool, rng = liveness_pool.Pool(args.pool, liveness_sources.Sources(args.sources), args.real > 0), np.random.default_rng([40, run.steps])

    def turn():
        if run.steps % 50 == 0:
            pool.refresh()
        images, attack = batch(rng, pool, args.real)
        truth = torch.as_tensor(attack).long()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = run.network(training.inputs(images))
        entropy = functional.cross_entropy(logits.float(), truth, label_smoothing=0.02)
        right = (logits.argmax(1) == truth).float()
        return entropy, len(images), [entropy.item(), right[: args.real].mean().item() if args.real else 0, right[args.real :].mean().item()]

    run.until(args.until, args.anneal, turn, lambda: f"of {len(pool.live) + len(pool.attacks)} loss, right of real, of drawn")


def load(out):
    """The averaged network of the checkpoint in out, ready to answer."""
    return training.restore(Network(), out)


def export(network, pool, path):
    """Write the network as a full-int8 file; ranges come from training pictures."""
    from . import convert, finder_report
    from .convert import tf

    def forward(x):
        x = tf.reduce_mean(finder_report.body(x, network.body), [1, 2], keepdims=True)
        return tf.reshape(convert._pointwise(x, network.head), [1, 2])

    shape = [1, scenes.SIDE, scenes.SIDE, 3]
    pictures, _ = batch(np.random.default_rng(78), pool, 100, 300)
    call = tf.function(forward, input_signature=[tf.TensorSpec(shape, tf.float32)])
    size = convert.quantise(call.get_concrete_function(), shape, pictures, path)
    int8 = convert.Int8(path)
    with torch.no_grad():
        answers = network(training.inputs(pictures[:60])).numpy()
    off = [np.abs((int8(p)[0] - a) @ [-1, 1]) for p, a in zip(pictures[:60], answers)]
    return {"file": path, "bytes": size, "milliseconds": int8.milliseconds(), "log-odds off, median and worst": [round(float(v), 3) for v in (np.median(off), max(off))]}


def main():
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness")
    parser.add_argument("verb", choices=("train", "export"))
    parser.add_argument("--sources", required=True, help="file of liveness_sources")
    parser.add_argument("--pool", required=True, help="folder of liveness_pool")
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--until", default="02:15", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=0, help="minutes of falling learning rate before the end, for an export")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--real", type=int, default=REAL, help="pictures of NUAA in a batch; 0 leaves NUAA's attacks out")
    parser.add_argument("--tflite", help="file to write (export)")
    args = parser.parse_args()
    training.one_core()
    if args.verb == "train":
        train(args)
    else:
        print(json.dumps(export(load(args.out), liveness_pool.Pool(args.pool, liveness_sources.Sources(args.sources)), args.tflite)))


if __name__ == "__main__":
    main()
