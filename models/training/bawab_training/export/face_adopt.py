"""The networks of faces: published weights, brought to int8 without further training.

    python -m bawab_training.export.face_adopt faces         --weights version-RFB-320.onnx --tflite ../faces.tflite
    python -m bawab_training.export.face_adopt landmarks     --weights face_landmark.tflite --tflite ../landmarks.tflite
    python -m bawab_training.export.face_adopt embedder      --weights fr_feature.onnx      --tflite ../embedder.tflite
    python -m bawab_training.export.face_adopt embedder_near --weights face-reidentification-retail-0095.xml --tflite ../embedder_near.tflite

Each takes Y, Cb, Cr; its first layer turns them into the colours that the weights know. The ranges of int8 come from the committed
sample pictures alone (artificial persons and drawn documents) under changes of light, colour, place, blur and noise, so that nobody's
photograph has a part in the files. What it prints compares int8 with float on other views of the same pictures.
"""

import argparse
import glob
import os
import pathlib
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt
import tensorflow as tf

from ..networks.face_teachers import similarity
from . import adopt, convert

SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "samples"
# The faces of the samples: left eye, right eye, tip of the nose, left and right corner of the mouth, in pixels.
FACES = {
    "documents/00.jpg": ((190, 380), (298, 377), (244, 442), (205, 479), (296, 475)),
    "documents/04.jpg": ((371, 558), (450, 549), (417, 597), (383, 644), (453, 635)),
    "documents/07.jpg": ((403, 181), (455, 190), (424, 219), (397, 236), (440, 243)),
    "documents/10.jpg": ((173, 265), (227, 256), (204, 294), (183, 319), (230, 311)),
    "documents/15.jpg": ((351, 196), (414, 194), (383, 232), (359, 260), (414, 257)),
    "face.jpg": ((272, 236), (366, 238), (320, 297), (275, 338), (360, 339)),
    "golden/00.jpg": ((177, 312), (287, 316), (234, 383), (177, 420), (279, 421)),
    "golden/05.jpg": ((285, 613), (363, 569), (352, 644), (340, 695), (405, 658)),
    "golden/07.jpg": ((380, 266), (465, 315), (383, 351), (335, 366), (401, 405)),
    "id_front.jpg": ((272, 499), (371, 509), (316, 563), (270, 594), (357, 603)),
    "id_front_read.jpg": ((272, 499), (371, 509), (316, 563), (270, 594), (357, 603)),
    "licences/00.jpg": ((146, 509), (243, 493), (208, 564), (177, 628), (252, 614)),
    "licences/03.jpg": ((326, 292), (394, 294), (359, 339), (325, 362), (393, 364)),
    "licences/06.jpg": ((374, 532), (463, 529), (421, 593), (390, 624), (464, 620)),
    "multi.jpg": ((442, 887), (496, 886), (473, 920), (444, 946), (495, 944)),
    "passport.jpg": ((128, 548), (214, 554), (169, 612), (127, 649), (207, 654)),
}

# Where fr_feature wants these five in its 112 pixels: the template that most published embedders share. A pixel's middle at an integer.
TEMPLATE = np.array([[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655], [70.7299, 92.2041]])
# Where face-reidentification-retail-0095 wants them, in sides of its square: it looks from nearer.
NEAR_TEMPLATE = np.array([[0.3156, 0.4616], [0.6826, 0.4616], [0.5003, 0.6405], [0.3495, 0.8247], [0.6534, 0.8233]])

# The mesh's points that are kept: both corners of each eye, the tip of the nose, the corners of the mouth; the rim of the face from the forehead
# clockwise. DEEP are those whose depth is kept: forehead, chin, the two cheeks.
FEATURES = [33, 133, 362, 263, 1, 61, 291]
RIM = [10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
       152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109]
DEEP = [10, 152, 234, 454]
MESH_POINTS = 468
PRESENCE = 32  # the logit of a face is given in these

# The detector's square, and for each of its maps the step from block to block and the sides of its anchors in pixels.
SQUARE = 320
MAPS = ((8, (10, 16, 24)), (16, (32, 48)), (32, (64, 96)), (64, (128, 192, 256)))
BOXES, SCORES = ("332", "378", "418", "448"), ("318", "364", "404", "436")  # nodes of the published graph
REACH = 8  # of the boxes' numbers, which come as x / REACH + 0.5


def planes(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Y, Cb, Cr of an RGB picture."""
    return cv2.cvtColor(image, cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]


def _read(name: str) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(cv2.imread(str(SAMPLES / name))[..., ::-1])


def _changed(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """An RGB picture in other light and colour, mirrored, grey, blurred, noisy."""
    x = image.astype(np.float32)
    x = x[:, ::-1] if rng.random() < 0.5 else x
    x = (128 + (x - 128) * rng.uniform(0.6, 1.4)) * rng.uniform(0.5, 1.6) * rng.uniform(0.85, 1.15, 3) + rng.uniform(-25, 25)
    if rng.random() < 0.5:
        x = x * np.linspace(*rng.uniform(0.5, 1.3, 2), x.shape[1])[None, :, None]
    if rng.random() < 0.3:
        x = np.repeat(x.mean(2, keepdims=True), 3, 2)
    if rng.random() < 0.4:
        x = cv2.GaussianBlur(x, (0, 0), rng.uniform(0.4, 2))
    if rng.random() < 0.5:
        x = x + rng.normal(0, rng.uniform(1, 10), x.shape)
    return np.clip(x, 0, 255).astype(np.uint8)


def _faces(rng: np.random.Generator, count: int) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]]:
    """Sample pictures and the points of their faces, in turn."""
    names, kept = list(FACES), {}
    for k in range(count):
        name = names[k % len(names)]
        if name not in kept:
            kept[name] = _read(name)
        yield kept[name], np.array(FACES[name], float)


def _square(
    image: npt.NDArray[np.uint8], middle: np.ndarray, side: float, angle: float, size: int, border: int = cv2.BORDER_CONSTANT
) -> npt.NDArray[np.uint8]:
    """A square of a picture, turned by angle radians, as size x size pixels."""
    c, s = np.cos(angle) * size / side, np.sin(angle) * size / side
    matrix = np.array([[c, s, 0], [-s, c, 0]])
    matrix[:, 2] = size / 2 - 0.5 - matrix[:, :2] @ middle
    if side > 1.5 * size:
        image = cv2.GaussianBlur(image, (0, 0), 0.4 * side / size)
    return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=border)


class Embedder:
    """Who a face is: 512 numbers of an aligned crop."""

    shape, template, count = [1, 112, 112, 3], TEMPLATE, 512

    def __init__(self, weights: str) -> None:
        self.network = adopt.Network(weights, ["Conv_94"])
        self.network.colours(np.eye(3)[::-1] / 128, np.full(3, -127 / 128))

    def answer(self, x: tf.Tensor) -> tf.Tensor:
        return tf.reshape(self.network.run(x)[0], [1, self.count])

    def views(self, rng: np.random.Generator, count: int) -> Iterator[npt.NDArray[np.uint8]]:
        for image, points in _faces(rng, count):
            across = np.linalg.norm(points[1] - points[0])
            matrix = similarity(points + rng.normal(0, 0.02 * across, points.shape), self.template)
            factor = max(1, int(0.67 / np.hypot(*matrix[:, 0])))
            small = cv2.resize(image, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
            matrix[:, :2] *= factor
            yield planes(_changed(rng, cv2.warpAffine(small, matrix, self.shape[2:0:-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)))

    def differ(self, answers: npt.NDArray[np.float32], truth: npt.NDArray[np.float32]) -> str:
        cosines = (answers * truth).sum(1) / np.linalg.norm(answers, axis=1) / np.linalg.norm(truth, axis=1)
        return f"cosine of int8 to float: median {np.median(cosines):.4f}, least {cosines.min():.4f}"


class EmbedderNear(Embedder):
    """The second opinion: 256 numbers of a crop from nearer."""

    shape, template, count = [1, 128, 128, 3], NEAR_TEMPLATE * 128 - 0.5, 256

    def __init__(self, weights: str) -> None:
        self.network = adopt.Network(weights)
        self.network.colours(np.eye(3)[::-1], np.zeros(3))  # the file brings blue, green, red in 0..255 to its own range itself


class Landmarks:
    """Points of a face and whether there is one: x and y of FEATURES and RIM, the depths of DEEP, all from the middle and in sides of the square; presence."""

    shape = [1, 192, 192, 3]

    def __init__(self, weights: str) -> None:
        self.network = adopt.Network(weights)
        self.network.colours(np.eye(3) / 255, np.zeros(3))
        steps = self.network.steps
        # The published file answers with the points and with the logit of a face.
        points = next(k for k in self.network.outputs if steps[k].arrays["bias"].size == 3 * MESH_POINTS)
        present = next(k for k in self.network.outputs if k != points)
        rows = [3 * p + c for p in FEATURES + RIM for c in (0, 1)] + [3 * p + 2 for p in DEEP]
        middle = np.where(np.arange(len(rows)) < 2 * len(FEATURES + RIM), 0.5, 0)
        a, side = steps[points].arrays, self.shape[1]
        a["kernel"], a["bias"] = (a["kernel"][..., rows] / side).astype(np.float32), (a["bias"][rows] / side - middle).astype(np.float32)
        a = steps[present].arrays
        a["kernel"], a["bias"] = a["kernel"] / np.float32(PRESENCE), a["bias"] / np.float32(PRESENCE)
        self.network.outputs, self.count = [points, present], len(rows) + 1

    def answer(self, x: tf.Tensor) -> tf.Tensor:
        return tf.reshape(tf.concat(self.network.run(x), 3), [1, self.count])

    def views(self, rng: np.random.Generator, count: int) -> Iterator[npt.NDArray[np.uint8]]:
        for k, (image, points) in enumerate(_faces(rng, count)):
            across = points[1] - points[0]
            span = np.linalg.norm(across)
            middle, side = points.mean(0) + rng.normal(0, 0.1 * span, 2), span * rng.uniform(2.6, 4.6)
            if k % 10 == 9:  # hardly a face in it
                middle, side = middle + side, 2.5 * side
            yield planes(_changed(rng, _square(image, middle, side, np.arctan2(across[1], across[0]) + rng.normal(0, 0.25), self.shape[1])))

    def differ(self, answers: npt.NDArray[np.float32], truth: npt.NDArray[np.float32]) -> str:
        there = truth[:, -1] * PRESENCE > 2
        a, b = (v[there][:, : 2 * len(FEATURES)].reshape(-1, len(FEATURES), 2) for v in (answers, truth))
        off = np.linalg.norm(a - b, axis=2).mean(1) / np.linalg.norm(b[:, 2] - b[:, 0], axis=1)
        return f"points of int8 off from float's by {np.median(off):.4f} of the eyes' distance in the median, {off.max():.4f} at most, in {there.sum()} views"


class Faces:
    """Where faces are: for each anchor a score, and its box as shift and growth of the anchor."""

    shape = [1, SQUARE, SQUARE, 3]

    def __init__(self, weights: str) -> None:
        self.network = adopt.Network(weights, BOXES + SCORES)
        self.network.colours(np.eye(3) / 128, np.full(3, -127 / 128))
        for number, k in enumerate(self.network.outputs):
            a = self.network.steps[k].arrays
            if number < len(MAPS):
                a["kernel"], a["bias"] = (a["kernel"] / REACH).astype(np.float32), (a["bias"] / REACH + 0.5).astype(np.float32)
            else:  # of two classes only the difference of their logits matters
                a["kernel"], a["bias"] = a["kernel"][..., 1::2] - a["kernel"][..., ::2], a["bias"][1::2] - a["bias"][::2]

    def answer(self, x: tf.Tensor) -> tf.Tensor:
        answers, parts = self.network.run(x), []
        for boxes, scores, (_, sides) in zip(answers, answers[len(MAPS) :], MAPS):
            count = boxes.shape[1] * boxes.shape[2] * len(sides)
            parts.append(tf.concat([tf.reshape(tf.sigmoid(scores), [1, count, 1]), tf.reshape(boxes, [1, count, 4])], 2))
        return tf.concat(parts, 1)

    def views(self, rng: np.random.Generator, count: int) -> Iterator[npt.NDArray[np.uint8]]:
        files = sorted(glob.glob(str(SAMPLES / "**" / "*.jpg"), recursive=True))
        near = _faces(rng, count)
        for k in range(count):
            if k % 3 == 0:
                image, points = next(near)
                side = np.linalg.norm(points[1] - points[0]) * rng.uniform(2.2, 12)
                border = cv2.BORDER_REPLICATE if rng.random() < 0.5 else cv2.BORDER_CONSTANT
                square = _square(image, points.mean(0) + rng.normal(0, 0.06 * side, 2), side, 0, SQUARE, border)
            else:
                square = fitted(_read(os.path.relpath(files[k % len(files)], SAMPLES)))[0]
            yield planes(_changed(rng, square))

    def differ(self, answers: npt.NDArray[np.float32], truth: npt.NDArray[np.float32]) -> str:
        best = truth[..., 0].argmax(1)
        pairs = [(a[k], t[k]) for a, t, k in zip(answers.reshape(truth.shape), truth, best) if t[k, 0] > 0.9]
        scores = [a[0] for a, _ in pairs]
        off = [np.abs(a[1:] - t[1:]).max() for a, t in pairs]
        return f"{len(pairs)} squares in which float's best score is above 0.9: int8 there {min(scores):.2f} at least, boxes' numbers off by {max(off):.3f} at most"


def fitted(image: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.uint8], float]:
    """An RGB picture in the upper left of the detector's square, and by how much it was scaled."""
    scale = SQUARE / max(image.shape[:2])
    size = [max(1, round(v * scale)) for v in image.shape[1::-1]]
    square = np.zeros((SQUARE, SQUARE, 3), np.uint8)
    square[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return square, scale


KINDS: dict[str, type[Embedder] | type[Landmarks] | type[Faces]] = {"faces": Faces, "landmarks": Landmarks, "embedder": Embedder, "embedder_near": EmbedderNear}


def export(kind: str, weights: str, path: str) -> None:
    """Write the int8 file, and print how it differs from float."""
    made = KINDS[kind](weights)
    views = list(made.views(np.random.default_rng(1), 200))
    made.network.level(np.stack(views[:48]).astype(np.float32) / 255)
    call = tf.function(made.answer, input_signature=[tf.TensorSpec(made.shape, tf.float32)]).get_concrete_function()
    print(f"{path}: {convert.quantise(call, made.shape, views, path)} bytes")
    int8, others = convert.Int8(path), list(made.views(np.random.default_rng(2), 60))
    truth = np.concatenate([call(tf.constant(v[None].astype(np.float32) / 255)).numpy() for v in others])
    print(made.differ(np.concatenate([int8(v) for v in others]), truth))


def main() -> None:
    """Parse the command line and export one network."""
    parser = argparse.ArgumentParser(prog="bawab_training.export.face_adopt")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--weights", required=True, help="the published file")
    parser.add_argument("--tflite", required=True, help="file to write")
    args = parser.parse_args()
    export(args.kind, args.weights, args.tflite)


if __name__ == "__main__":
    main()
