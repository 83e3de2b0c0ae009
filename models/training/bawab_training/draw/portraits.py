"""Artificial persons: every portrait is a blend of at least eight faces, brought to their common shape first.

    python -m bawab_training.draw.portraits --faces DIR --landmarks face_landmark.tflite --count 200 --seed 1 --out DIR

The faces are pictures named age_sex_*.jpg (sex 0 man, 1 woman) that hold one face each; the landmark file is
MediaPipe's mesh of 468 points (192 x 192 RGB in 0..1).
"""

import argparse
import glob
import os
from collections.abc import Sequence

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import cv2
import numpy as np
import numpy.typing as npt

from . import patterns

BLEND = 8  # faces in one portrait, at least
WIDTH, HEIGHT = 240, 300
LEFT_EYE, RIGHT_EYE, MOUTH = (33, 133), (362, 263), (61, 291)  # mesh points: corners
EYES = np.array([[78, 134], [162, 134]], np.float32)  # where they come to lie in a portrait
MOUTH_Y = 224.0


class Mesh:
    """The landmark network as a function from an RGB face crop to 468 points in its pixels, or None when unsure."""

    def __init__(self, path: str) -> None:
        import tensorflow as tf

        self.interpreter = tf.lite.Interpreter(model_path=path, num_threads=1)
        self.interpreter.allocate_tensors()

    def __call__(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32] | None:
        points = self.points(image)
        return None if points is None else points[:, :2]

    def points(self, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32] | None:
        """All three coordinates; the depth is in the crop's pixels too, away from the camera."""
        source = self.interpreter.get_input_details()[0]
        side = source["shape"][1]
        small = cv2.resize(image, (side, side), interpolation=cv2.INTER_AREA).astype(np.float32)[None] / 255
        self.interpreter.set_tensor(source["index"], small)
        self.interpreter.invoke()
        outputs = sorted((self.interpreter.get_tensor(o["index"]).ravel() for o in self.interpreter.get_output_details()), key=len)
        points, presence = outputs[-1].reshape(468, 3), float(outputs[0][0])
        if presence < 2.0:
            return None
        return points * np.array([image.shape[1], image.shape[0], image.shape[1]], np.float32) / side


def _aligned(image: npt.NDArray[np.uint8], points: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]] | None:
    """Turn and scale a face so that eyes and mouth come to their places; None for a face turned aside or cut off."""
    eyes = np.stack([points[list(LEFT_EYE)].mean(0), points[list(RIGHT_EYE)].mean(0)])
    mouth = points[list(MOUTH)].mean(0)
    middle = eyes.mean(0)
    across = np.linalg.norm(eyes[1] - eyes[0])
    if abs(np.dot(mouth - middle, eyes[1] - eyes[0])) > 0.25 * across**2:
        return None
    source = np.stack([eyes[0], eyes[1], mouth]).astype(np.float32)
    target = np.array([EYES[0], EYES[1], [WIDTH / 2, MOUTH_Y]], np.float32)
    matrix, _ = cv2.estimateAffinePartial2D(source, target)
    warped = cv2.warpAffine(image, matrix, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return warped, cv2.transform(points[None], matrix)[0]


def _triangles(points: np.ndarray) -> list[np.ndarray]:
    """Indices of a Delaunay triangulation of points within the portrait."""
    division = cv2.Subdiv2D((-200, -200, WIDTH + 400, HEIGHT + 400))
    for point in points:
        division.insert((float(point[0]), float(point[1])))
    result = []
    for triangle in division.getTriangleList().reshape(-1, 3, 2):
        distance = np.linalg.norm(points[None] - triangle[:, None], axis=2)
        if distance.min(1).max() < 0.5:
            result.append(distance.argmin(1))
    return result


def _reshape(
    image: npt.NDArray[np.float32], points: np.ndarray, target: np.ndarray, triangles: Sequence[np.ndarray]
) -> npt.NDArray[np.float32]:
    """Warp image piecewise so that points come to lie on target."""
    grid = np.zeros((HEIGHT, WIDTH, 2), np.float32)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    for corners in triangles:
        matrix = cv2.getAffineTransform(target[corners].astype(np.float32), points[corners].astype(np.float32))
        mask = np.zeros((HEIGHT, WIDTH), np.uint8)
        cv2.fillConvexPoly(mask, np.round(target[corners]).astype(np.int32), 1)
        inside = mask > 0
        grid[inside, 0] = matrix[0, 0] * x[inside] + matrix[0, 1] * y[inside] + matrix[0, 2]
        grid[inside, 1] = matrix[1, 0] * x[inside] + matrix[1, 1] * y[inside] + matrix[1, 2]
    return cv2.remap(image, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def _frame() -> npt.NDArray[np.float32]:
    return np.array([[x, y] for x in (0, WIDTH / 2, WIDTH - 1) for y in (0, HEIGHT / 2, HEIGHT - 1) if (x, y) != (WIDTH / 2, HEIGHT / 2)], np.float32)


def blend(faces: Sequence[tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """One portrait of aligned (image, points) pairs, at least BLEND of them; uint8 RGB HEIGHT x WIDTH."""
    if len(faces) < BLEND:
        raise ValueError(f"a portrait wants {BLEND} faces, got {len(faces)}")
    weights = rng.uniform(0.6, 1.4, len(faces))
    weights /= weights.sum()
    shapes = [np.concatenate([points[::4], _frame()]) for _, points in faces]
    target = sum(w * shape for w, shape in zip(weights, shapes))
    triangles = _triangles(target)
    level = np.mean([image.mean((0, 1)) for image, _ in faces], 0)
    mixed = np.zeros((HEIGHT, WIDTH, 3), np.float32)
    for weight, (image, _), shape in zip(weights, faces, shapes):
        even = np.clip(image * (level / np.maximum(image.mean((0, 1)), 20)), 0, 255)
        mixed += weight * _reshape(even.astype(np.float32), shape, target, triangles)
    sharp = mixed + 0.6 * (mixed - cv2.GaussianBlur(mixed, (0, 0), 2))
    return _before_wall(np.clip(sharp, 0, 255), rng)


def _before_wall(image: npt.NDArray[np.float32], rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Fade the corners around the head into the light wall of a passport photograph."""
    wall = patterns.blend(rng, (WIDTH, HEIGHT), [patterns.pastel(rng, 205), patterns.pastel(rng, 215)]).astype(np.float32)
    mask = np.zeros((HEIGHT, WIDTH), np.float32)
    cv2.ellipse(mask, (WIDTH // 2, HEIGHT // 2 + 8), (WIDTH * 46 // 100, HEIGHT * 46 // 100), 0, 0, 360, 1, -1)
    cv2.ellipse(mask, (WIDTH // 2, HEIGHT + 20), (WIDTH * 60 // 100, 62), 0, 0, 360, 1, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), 9)[..., None]
    return (image * mask + wall * (1 - mask)).astype(np.uint8)


def _similar(names: Sequence[str], rng: np.random.Generator) -> tuple[list[str], int, int]:
    """Thirty names of one sex and within eight years of age."""
    first = names[int(rng.integers(len(names)))]
    age, sex = (int(v) for v in os.path.basename(first).split("_")[:2])
    near = [n for n in names if abs(int(os.path.basename(n).split("_")[0]) - age) <= 8 and os.path.basename(n).split("_")[1] == str(sex)]
    return [near[i] for i in rng.permutation(len(near))[:30]], age, sex


def build(faces_folder: str, landmarks: str, count: int, seed: int, out: str) -> None:
    """Write count portraits as PNG named index_sex_age.png into out."""
    mesh, names = Mesh(landmarks), sorted(glob.glob(os.path.join(faces_folder, "*.jpg")))
    names = [n for n in names if os.path.basename(n).split("_")[1] in "01" and int(os.path.basename(n).split("_")[0]) < 75]
    os.makedirs(out, exist_ok=True)
    made = 0
    for attempt in range(4 * count):
        rng = np.random.default_rng([seed, attempt])
        chosen, age, sex = _similar(names, rng)
        faces = []
        for name in chosen:
            image = cv2.imread(name)[..., ::-1].copy()
            points = mesh(image)
            aligned = _aligned(image, points) if points is not None else None
            if aligned:
                faces.append(aligned)
            if len(faces) == BLEND + 2:
                break
        if len(faces) < BLEND:
            continue
        cv2.imwrite(os.path.join(out, f"{made:04d}_{'MF'[sex]}_{age}.png"), blend(faces, rng)[..., ::-1])
        made += 1
        if made == count:
            return


def main() -> None:
    """Parse the command line and build portraits."""
    parser = argparse.ArgumentParser(prog="bawab_training.draw.portraits")
    parser.add_argument("--faces", required=True)
    parser.add_argument("--landmarks", required=True)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    build(args.faces, args.landmarks, args.count, args.seed, args.out)


if __name__ == "__main__":
    main()
