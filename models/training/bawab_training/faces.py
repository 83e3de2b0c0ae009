"""The face detector: network, training, figures, export.

    python -m bawab_training.faces backdrops --count 300 --backdrops FILE
    python -m bawab_training.faces train  --pool POOL --backdrops FILE --cards FILE --out DIR --until 23:00 [--anneal MINUTES] [--start FILE]
    python -m bawab_training.faces eval   --pool POOL --backdrops FILE --cards FILE --out DIR [--tflite FILE]
    python -m bawab_training.faces export --pool POOL --backdrops FILE --cards FILE --out DIR --tflite ../faces.tflite

Input [1, 256, 256, 3] planes Y, Cb, Cr in 0..1; output [1, 32, 32, 20], one block for 8 x 8 pixels, all in 0..1: score, size, box,
five landmarks, quality; decode says what they mean.
"""

import argparse
import json
import os
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from . import face_scenes as scenes, training, warmstart
from .finder import Block, Conv, Up

CHANNELS = 20
SMALLEST, OCTAVES = 8.0, 5.0  # pixels, and doublings, of the size's range
REACH = 1.28  # sizes; from a block's middle to a side of the box at most
CALM = 0.25  # a place turns by much for a small change of its logit: this keeps the steps of training small
BATCH = 24


class Network(nn.Module):
    """The detector, 78 MMAC and 0.30 M weights; forward gives logits B x CHANNELS x 32 x 32."""

    def __init__(self):
        super().__init__()
        self.stem, self.quarter = Conv(3, 8, stride=2), Conv(8, 20, stride=2)
        self.eighth = nn.Sequential(Conv(20, 32, stride=2), Block(32))
        self.sixteenth = nn.Sequential(Conv(32, 52, stride=2), Block(52))
        self.deep = nn.Sequential(Conv(52, 64, stride=2), Block(64), Block(64))
        self.up16, self.up8 = Up(64, 52, 40), Up(40, 32, 32)
        self.score, self.rest = nn.Conv2d(32, 1, 1), nn.Conv2d(32, CHANNELS - 1, 1)
        nn.init.constant_(self.score.bias, -3.0)

    def forward(self, x):
        eighth = self.eighth(self.quarter(self.stem(x)))
        sixteenth = self.sixteenth(eighth)
        x = self.up8(self.up16(self.deep(sixteenth), sixteenth), eighth)
        return torch.cat([self.score(x), CALM * self.rest(x)], 1)


def places(values):
    """Size, box and points out of answers ... x 32 x 32 x CHANNELS in 0..1, numpy or torch: sizes (... x 1), boxes (... x 4), points (... x 10)."""
    library = torch if isinstance(values, torch.Tensor) else np
    at = (np.arange(scenes.GRID, dtype=np.float32) + 0.5) * scenes.BLOCK
    middle = np.stack(np.broadcast_arrays(at[None, :], at[:, None]), -1)
    middle = torch.from_numpy(middle.copy()) if library is torch else middle
    size = SMALLEST * 2.0 ** (OCTAVES * values[..., 1:2])
    near, far = values[..., 2:4] * REACH * size, values[..., 4:6] * REACH * size
    way = (2 * values[..., 6:16] - 1) * size
    join = torch.cat if library is torch else np.concatenate
    return size, join([middle - near, middle + far], -1), way + join([middle] * 5, -1)


def loss(logits, batch):
    """Loss of a batch and its parts: score, size, box, points, quality."""
    owner, boxes, points, qualities = (torch.as_tensor(a) for a in batch)
    values = logits.permute(0, 2, 3, 1)
    found, sure = ((owner > 0) & (owner < 255)).float(), (owner < 255).float()
    entropy = functional.binary_cross_entropy_with_logits(values[..., 0], found, reduction="none")
    wrong = torch.where(found > 0, 1 - values[..., 0].sigmoid(), values[..., 0].sigmoid()).detach()
    # What is surely told already counts little; a false face costs as much as four that are missed.
    score = (entropy * sure * (wrong**2 + 0.01) * torch.where(found > 0, 1.0, 4.0)).sum() / (found.sum() + 40)

    where = (owner > 0) & (owner < 255)
    if not where.any():
        return score, [score] + [torch.zeros(())] * 4
    picture, row, column = where.nonzero(as_tuple=True)
    index = owner[where].long() - 1
    box, point, quality = boxes[picture, index], points[picture, index].flatten(1), qualities[picture, index]
    truth = (box[:, 2:] - box[:, :2]).prod(1, keepdim=True).sqrt()
    answer = values.sigmoid()
    size, made, five = (part[picture, row, column] for part in places(answer))
    # Each face counts alike, whatever its size.
    owners = picture * scenes.MOST + index
    weight = (1.0 / torch.bincount(owners, minlength=int(owners.max()) + 1).float())[owners]
    weight = weight / weight.sum()

    def mean(error, beta):
        return (functional.smooth_l1_loss(error, torch.zeros_like(error), beta=beta, reduction="none").mean(1) * weight).sum()

    parts = [score, mean(torch.log2(size / truth), 0.05), 2 * mean((made - box) / truth, 0.05), 8 * mean((five - point) / truth, 0.02),
             mean(answer[picture, row, column][:, 17:] - quality[:, 1:], 0.05) + _hidden(values[picture, row, column][:, 16], quality[:, 0], weight)]
    return sum(parts), parts


def _hidden(logits, truth, weight):
    """How far the share that is hidden is off; it is nearly always 0, where a difference of sigmoids would teach no more."""
    least = functional.binary_cross_entropy(truth.clamp(0, 1), truth.clamp(0, 1), reduction="none")
    return ((functional.binary_cross_entropy_with_logits(logits, truth.clamp(0, 1), reduction="none") - least) * weight).sum()


def _produce(pool, backdrops, cards, seed, queue):
    os.nice(2)
    cv2.setNumThreads(1)
    maker, rng = scenes.Scenes(pool, backdrops, cards), np.random.default_rng(seed)
    while True:
        rows = []
        for _ in range(BATCH):
            square, size, faces = maker.scene(rng)
            rows.append((scenes.planes(square, size), *scenes.arrays(faces)))
        queue.put([np.stack(column) for column in zip(*rows)])


def begun(args):
    """The network before its first step: with the weights of the .tflite file args.start where there is no checkpoint to go on from."""
    if not args.start or os.path.exists(training.checkpoint(args.out)):
        return Network()
    maker, rng = scenes.Scenes(args.pool, args.backdrops, args.cards), np.random.default_rng(78)
    pictures = np.stack([scenes.planes(*maker.scene(rng)[:2]) for _ in range(128)])
    network = warmstart.begin(Network(), warmstart.kernels(args.start), training.inputs(pictures))
    with torch.no_grad():
        # The file has CALM folded into these.
        network.rest.weight.div_(CALM)
        network.rest.bias.div_(CALM)
    return network


def train(args):
    """Train until a time of day, going on from the checkpoint in args.out; where there is none, from args.start."""
    run = training.Averaged(begun(args), Network(), args.out, args.rate, args.decay)
    queue, producer = training.produced(_produce, args.pool, args.backdrops, args.cards, 2_000_000 + run.steps)
    feed = training.Feed(queue, uses=3, rest=24)

    def turn():
        images, *batch = feed.next()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = run.network(training.inputs(images))
        total, parts = loss(logits.float(), batch)
        return total, len(images), [part.item() for part in parts]

    run.until(args.until, args.anneal, turn, lambda: f"waiting {queue.qsize()} stock {len(feed.stock)}")
    producer.terminate()


@dataclass
class Found:
    """A face that was found: score, size, box (left, top, right, bottom), points 5 x 2, quality (hidden, blur, yaw, pitch) in 0..1."""

    score: float
    size: float
    box: np.ndarray
    points: np.ndarray
    quality: np.ndarray


def decode(answer, threshold):
    """The faces in maps [32, 32, CHANNELS], best first: neighbours that say the same face are averaged."""
    size, boxes, points = places(answer)
    order = [divmod(int(k), scenes.GRID) for k in np.argsort(-answer[..., 0], axis=None) if answer[..., 0].flat[k] >= threshold]
    groups = []
    for cell in order:
        middle = (boxes[cell][:2] + boxes[cell][2:]) / 2
        for group in groups:
            first = boxes[group[0]]
            if np.linalg.norm((first[:2] + first[2:]) / 2 - middle) < 0.4 * max(size[group[0]][0], size[cell][0]):
                if answer[cell][0] >= 0.5 * answer[group[0]][0]:
                    group.append(cell)
                break
        else:
            groups.append([cell])
    found = []
    for group in groups:
        share = np.array([answer[cell][0] for cell in group])
        share = share / share.sum()
        mean = [sum(s * part[cell] for s, cell in zip(share, group)) for part in (size, boxes, points, answer)]
        found.append(Found(float(answer[group[0]][0]), float(mean[0][0]), mean[1], mean[2].reshape(5, 2), mean[3][16:]))
    return found


def float_reader(network):
    """A function from planes [256, 256, 3] to maps [32, 32, CHANNELS]."""

    def read(image):
        with torch.no_grad():
            return network(training.inputs(image[None])).sigmoid()[0].permute(1, 2, 0).numpy()

    return read


def int8_reader(path):
    """The same by a .tflite file."""
    from . import convert

    network = convert.Int8(path)
    return lambda image: network(image)[0]


def evaluate(read, maker, count, threshold):
    """Figures on held-out faces in drawn scenes, by kind of scene: found, false, error of landmarks in eyes' distances."""
    figures = {}
    for number, kind in enumerate(("near", "people", "portrait", "card", "nobody")):
        rng, tally, errors = np.random.default_rng([9, number]), dict(faces=0, found=0, false=0), []
        for _ in range(count):
            square, size, faces = getattr(maker, kind)(rng)
            left = decode(read(scenes.planes(square, size)), threshold)
            for face in faces:
                middle = (face.box[:2] + face.box[2:]) / 2
                near = [f for f in left if np.linalg.norm((f.box[:2] + f.box[2:]) / 2 - middle) < 0.4 * face.size()]
                left = [f for f in left if f not in near[:1]]
                if np.isnan(face.quality).any():
                    continue
                tally["faces"] += 1
                tally["found"] += bool(near)
                if near:
                    across = np.linalg.norm(face.points[1] - face.points[0])
                    errors.append(np.linalg.norm(near[0].points - face.points, axis=1).mean() / across)
            tally["false"] += len(left)
        if errors:
            tally["landmark error, median and 95 %"] = [round(float(v), 4) for v in np.percentile(errors, (50, 95))]
        figures[kind] = tally
    return figures


def load(out):
    """The averaged network of the checkpoint in out, ready to answer."""
    return training.restore(Network(), out)


def export(network, maker, path):
    """Write the network as a full-int8 file; ranges come from training scenes."""
    from . import convert, finder_report
    from .convert import tf

    def forward(x):
        eighth = finder_report.body(finder_report.conv(finder_report.conv(x, network.stem), network.quarter), network.eighth)
        sixteenth = finder_report.body(eighth, network.sixteenth)
        x = finder_report.up(finder_report.body(sixteenth, network.deep), sixteenth, network.up16)
        x = finder_report.up(x, eighth, network.up8)
        # Each part keeps its own range until the sigmoid, whose answers all lie in 0..1.
        return tf.concat([tf.sigmoid(convert._pointwise(x, network.score)), tf.sigmoid(CALM * convert._pointwise(x, network.rest))], -1)

    shape, rng = [1, scenes.SIDE, scenes.SIDE, 3], np.random.default_rng(77)
    pictures = (scenes.planes(*maker.scene(rng)[:2]) for _ in range(250))
    call = tf.function(forward, input_signature=[tf.TensorSpec(shape, tf.float32)])
    return {"file": path, "bytes": convert.quantise(call.get_concrete_function(), shape, pictures, path)}


def main():
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.faces")
    parser.add_argument("verb", choices=("backdrops", "train", "eval", "export"))
    parser.add_argument("--pool", help="folder of face_pool")
    parser.add_argument("--backdrops", required=True, help="file of faceless pictures")
    parser.add_argument("--cards", help="file of face_cards")
    parser.add_argument("--out", help="folder of the checkpoint")
    parser.add_argument("--until", default="23:00", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=0, help="minutes of falling learning rate before the end, for an export")
    parser.add_argument("--start", help="train: the .tflite file whose weights to begin with, where there is no checkpoint")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=0.998, help="of the running average of the weights, a step")
    parser.add_argument("--count", type=int, default=300, help="backdrops to draw, or scenes of each kind in eval")
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    args = parser.parse_args()
    training.one_core()
    if args.verb == "backdrops":
        scenes.build_backdrops(args.backdrops, args.count, 5)
    elif args.verb == "train":
        train(args)
    elif args.verb == "export":
        print(json.dumps(export(load(args.out), scenes.Scenes(args.pool, args.backdrops, args.cards), args.tflite)))
    else:
        read = int8_reader(args.tflite) if args.tflite else float_reader(load(args.out))
        print(json.dumps(evaluate(read, scenes.Scenes(args.pool, args.backdrops, args.cards, held=True), args.count, args.threshold), indent=1))


if __name__ == "__main__":
    main()
