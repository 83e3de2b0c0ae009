"""The face embedder: network, distillation, export.

    python -m bawab_training.face_embed train  --pool POOL --teachers TEACHERS --out DIR --until 23:00 [--anneal MINUTES]
    python -m bawab_training.face_embed eval   --pool POOL --out DIR [--tflite FILE]
    python -m bawab_training.face_embed export --pool POOL --out DIR --tflite ../embedder.tflite

Input [1, 128, 128, 1], an evened grey crop (face_views) in 0..1; output [1, 256], whose direction is the face. The network
starts from the teacher's own weights (face_network). It learns the teacher's embedding of the clean colour crop from
degraded grey views of it, the angles between the faces of a batch, and what the teacher's bottlenecks see.
"""

import argparse
import json
import os

import cv2
import numpy as np
import torch
from torch.nn import functional

from . import face_network, face_pool, face_views, training
from .face_network import Network

DOUBLE = 0.33  # share of a batch's faces that are in it twice: live and on a document
DOCUMENT = 0.5  # share of the others that are seen on a document
WIDE = 0.45  # share of faces from the photographs that are wide enough for the whole crop, and of these, of those taken as they are
PLAIN = 0.4
HINT = 0.5  # weight of the teacher's maps


class _Stream:
    """Endless batches: uint8 crops, the teacher's vectors and maps."""

    def __init__(self, folder, teachers, seed):
        from . import face_teachers

        self.pool, self.views = face_pool.Pool(folder), face_views.Views(7)
        self.judge, self.rng = face_teachers.Embedder(teachers), np.random.default_rng(seed)
        # LFW's photographs hold the whole crop, UTKFace's are cut too near: those are set into the former's surroundings.
        wide = np.array(["lfw" in path for path in self.pool.path])
        self.wide, self.near = np.flatnonzero(wide), np.flatnonzero(~wide)

    def _any(self, chance):
        return int(self.rng.choice(self.wide if self.rng.random() < chance else self.near))

    def face(self):
        """A face's grey crop, the teacher's vector and maps of it."""
        rng, index, mirrored = self.rng, self._any(WIDE), self.rng.random() < 0.5
        crop = self.pool.crop(index)
        if "lfw" in self.pool.path[index] and rng.random() < PLAIN:
            crop = crop[:, ::-1] if mirrored else crop
            vector, maps = self.pool.vector[index, int(mirrored)], self.pool.maps(index, mirrored)
        else:
            crop = face_views.invention(rng, crop, self.pool.quad(index), self.pool.crop(self._any(1)))
            crop = np.ascontiguousarray(crop[:, ::-1]) if mirrored else crop
            vector, *maps = self.judge(face_pool.inner(crop))
            maps = face_pool.small(maps)
        return cv2.cvtColor(np.ascontiguousarray(crop), cv2.COLOR_RGB2GRAY), vector, maps

    def batch(self, count):
        """count views of fewer faces."""
        crops, vectors, maps = [], [], []
        while len(crops) < count:
            grey, vector, seen = self.face()
            document, twice = self.rng.random() < DOCUMENT, self.rng.random() < DOUBLE and len(crops) < count - 1
            for kind in (True, False) if twice else (document,):
                crops.append((self.views.document if kind else self.views.live)(self.rng, grey))
                vectors.append(vector)
                maps.append(seen)
        return np.stack(crops), np.stack(vectors), np.stack(maps)


def _produce(folder, teachers, seed, count, queue):
    os.nice(3)
    cv2.setNumThreads(1)
    stream = _Stream(folder, teachers, seed)
    while True:
        queue.put(stream.batch(count))


def loss(vectors, hints, truth, maps, norms):
    """Loss and its parts: angle to the teacher, angles within the batch, maps (zero mean and unit spread by norms)."""
    made = functional.normalize(vectors, dim=1)
    angle = (1 - (made * truth).sum(1)).mean()
    apart = 1 - torch.eye(len(truth))
    between = truth @ truth.T
    relations = (((made @ made.T - between) ** 2 + (made @ truth.T - between) ** 2) * apart).sum() / apart.sum()
    # One face against all others of the batch, as sharply as the teacher separates them.
    soft = functional.kl_div(functional.log_softmax(made @ truth.T / 0.07, 1), functional.softmax(between / 0.07, 1), reduction="batchmean")
    seen = functional.smooth_l1_loss((hints - norms[0]) / norms[1], (maps - norms[0]) / norms[1])
    parts = [angle, 10 * relations, 0.3 * soft, HINT * seen]
    return sum(parts), parts


def _small(maps):
    """What the bottlenecks see on the cells of the kept maps, N x 2 x 128 x 7 x 7."""
    shares = [torch.from_numpy(face_pool.shares(m.shape[2])) for m in maps]
    return torch.stack([share @ m @ share.T for share, m in zip(shares, maps)], 1)


def _begin(args):
    """The network to begin with: that of a file, or the teacher's, which has learnt nothing here yet."""
    if args.start:
        return face_network.shipped(args.start)
    pool, views, rng = face_pool.Pool(args.pool), face_views.Views(9), np.random.default_rng(4)
    return face_network.begin(args.teachers, training.grey(np.stack(list(_samples(pool, views, rng, 40)))))


def _samples(pool, views, rng, count):
    """Views of the training distribution, live and on documents in turn."""
    for k, row in enumerate(rng.choice(len(pool), count)):
        yield (views.live if k % 2 else views.document)(rng, cv2.cvtColor(pool.crop(int(row)), cv2.COLOR_RGB2GRAY))


def _norms(folder):
    """Mean and spread of the teacher's maps by channel, each 1 x 2 x 128 x 1 x 1."""
    pool = face_pool.Pool(folder)
    rng = np.random.default_rng(1)
    maps = np.stack([pool.maps(int(i), False) for i in rng.choice(len(pool), 400)]).astype(np.float32)
    mean, spread = maps.mean((0, 3, 4), keepdims=True), maps.std((0, 3, 4), keepdims=True)
    return torch.from_numpy(mean), torch.from_numpy(spread + 1e-3)


def train(args):
    """Train until a time of day, going on from the checkpoint in args.out."""
    run = training.Averaged(_begin(args), Network(), args.out, args.rate)
    if args.round:
        run.network.round()
    norms = _norms(args.pool)
    queue, producer = training.produced(_produce, args.pool, args.teachers, 1_000_000 + run.steps, args.batch)

    def turn():
        crops, vectors, maps = queue.get()
        made, seen = run.network(training.grey(crops))
        total, parts = loss(made, _small(seen), torch.from_numpy(vectors), torch.from_numpy(maps).float(), norms)
        return total, len(crops), [part.item() for part in parts]

    run.until(args.until, args.anneal, turn, lambda: f"waiting {queue.qsize()}")
    producer.terminate()


def float_reader(network):
    """A function from uint8 crops N x 128 x 128 to vectors of length 1."""

    def read(crops):
        with torch.no_grad():
            parts = [network(training.grey(part))[0] for part in np.array_split(crops, max(1, len(crops) // 50))]
            return functional.normalize(torch.cat(parts), dim=1).numpy()

    return read


def int8_reader(path):
    """The same by a .tflite file."""
    from . import convert

    network = convert.Int8(path)

    def read(crops):
        vectors = np.stack([network(crop)[0] for crop in crops])
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    return read


def evaluate(read, folder, count):
    """Mean cosine to the teacher on held-out photographs, by kind of view; and of two views of one face to each other."""
    pool, views, rng = face_pool.Pool(folder, held=True), face_views.Views(8), np.random.default_rng(3)
    rows = rng.choice(len(pool), min(count, len(pool)), replace=False)
    greys = [cv2.cvtColor(pool.crop(i), cv2.COLOR_RGB2GRAY) for i in rows]
    truth, made, figures = pool.vector[rows, 0], {}, {"faces": len(rows)}
    for name, view in (("clean", clean), ("live", views.live), ("document", views.document)):
        made[name] = read(np.stack([view(rng, grey) for grey in greys]))
        figures[name] = round(float((made[name] * truth).sum(1).mean()), 4)
    figures["document to live"] = round(float((made["document"] * made["live"]).sum(1).mean()), 4)
    return figures


def clean(_, grey):
    """The view without any change."""
    matrix = face_views.teachers.similarity(
        face_views.teachers.template(face_views.teachers.CROP, face_pool.MARGIN), face_views.teachers.template(face_views.SIDE))
    return face_views.even(cv2.warpAffine(grey, matrix, (face_views.SIDE, face_views.SIDE), flags=cv2.INTER_LINEAR))


def load(out):
    """The averaged network of the checkpoint in out, ready to answer."""
    return training.restore(Network(), out)


def export(args):
    """Write the averaged network as a full-int8 file."""
    from . import convert
    from .convert import tf

    network = load(args.out)
    shape, pool = [1, face_views.SIDE, face_views.SIDE, 1], face_pool.Pool(args.pool)
    pictures = _samples(pool, face_views.Views(9), np.random.default_rng(4), 120)
    call = tf.function(lambda x: face_network.answer(network, x), input_signature=[tf.TensorSpec(shape, tf.float32)])
    return {"file": args.tflite, "bytes": convert.quantise(call.get_concrete_function(), shape, pictures, args.tflite)}


def main():
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.face_embed")
    parser.add_argument("verb", choices=("train", "eval", "export"))
    parser.add_argument("--pool", required=True, help="folder of face_pool")
    parser.add_argument("--teachers", help="folder of the teachers' files")
    parser.add_argument("--out", required=True, help="folder of the checkpoint")
    parser.add_argument("--until", default="23:00", help="time of day, UTC, at which training ends")
    parser.add_argument("--anneal", type=float, default=0, help="minutes of falling learning rate before the end, for an export")
    parser.add_argument("--start", default="", help="train: the .tflite file with which a training without checkpoint begins, in place of the teacher")
    parser.add_argument("--batch", type=int, default=48, help="views of a step")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--round", action="store_true", help="train: round as int8 will, for the last part")
    parser.add_argument("--count", type=int, default=600, help="held-out faces in eval")
    parser.add_argument("--tflite", help="file to write (export) or to evaluate (eval)")
    args = parser.parse_args()
    training.one_core()
    if args.verb == "train":
        train(args)
        return
    if args.verb == "export":
        print(json.dumps(export(args)))
        return
    read = int8_reader(args.tflite) if args.tflite else float_reader(load(args.out))
    print(json.dumps(evaluate(read, args.pool, args.count), indent=1))


if __name__ == "__main__":
    main()
