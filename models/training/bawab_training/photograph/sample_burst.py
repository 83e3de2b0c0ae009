"""Simulated living bursts: an artificial person in relief moves before a room, and a camera takes three frames, each for itself.

    python -m bawab_training.photograph.sample_burst sample --teachers TEACHERS --card ../samples/id_front.jpg --out ../samples/burst
    python -m bawab_training.photograph.sample_burst set --teachers TEACHERS --portraits DIR --count 60 --seed 1 --out DIR

`sample` writes the burst of the holder of a card, whose face is the card's portrait. `set` writes DIR/live/NNNN/1.jpg to 3.jpg and
DIR/truth.jsonl, of persons, rooms, cameras and light drawn by the seed. No living person and no real room is seen: the bursts stand in for
living ones, to try the path of a transaction and to look for false refusals by other cameras; they say nothing of real people.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from . import burst_head, camera_model
from .burst_room import room
from .injection_face import Face, Finder, softened
from .injection_motion import path

SIZES = ((640, 480),) * 4 + ((480, 360), (800, 600), (1280, 960), (480, 640), (720, 960))


@dataclass
class Setting:
    """What stays the same in a burst. size: (width, height); across: eye distance in pixels of the frame; lamp: towards the light;
    lively: how much the person moves; held: way of a hand-held camera in pixels; cloth: RGB; exposure: of the room."""

    size: tuple[int, int]
    across: float
    lamp: np.ndarray
    lively: float
    held: float
    cloth: np.ndarray
    exposure: float
    camera: camera_model.Camera


def setting(rng: np.random.Generator) -> Setting:
    """A Setting drawn at random."""
    size = SIZES[int(rng.integers(len(SIZES)))]
    lamp = np.array([rng.uniform(-0.8, 0.8), rng.uniform(-0.8, -0.1), -1.0])
    camera = replace(camera_model.draw(rng), quality=int(rng.integers(60, 96)))
    cloth = np.array([rng.uniform(20, 220)] * 3) * rng.uniform(0.7, 1.1, 3)
    across, lively, held = min(size) * rng.uniform(0.15, 0.25), float(rng.choice((0.1, 0.4, 1.0, 2.0))), float(rng.choice((0, 0, 0.5, 2.0)))
    return Setting(size, across, lamp / np.linalg.norm(lamp), lively, held, np.clip(cloth, 5, 235), float(rng.uniform(0.7, 1.5)), camera)


def acts(rng: np.random.Generator, lively: float) -> list[dict[str, Any]]:
    """What face and head do in three frames: dictionaries of acted's and posed's numbers, and the way of head and body in eye distances."""
    base = rng.normal(0, 3, 3) * [1, 0.8, 0.6]
    turn = np.stack([path(rng, s * lively) for s in (1.6, 0.9, 0.5)], 1) + base
    look = np.stack([path(rng, 0.02 * lively, 0.5), path(rng, 0.008 * lively, 0.5)], 1)
    blink = np.roll([0.0, rng.uniform(0.3, 1), 0.1], int(rng.integers(3))) * (rng.random() < min(0.5 * lively, 0.6)) + 0.03 * rng.random(3) * lively
    smile = 0.01 + path(rng, 0.012 * lively)
    opening = np.abs(path(rng, 0.015 * lively))
    way = np.stack([path(rng, 0.025 * lively), path(rng, 0.012 * lively)], 1)
    breath, near = path(rng, 0.01 * min(lively, 1)), path(rng, 0.004 * lively)
    courses = {"turn": turn, "gaze": look, "blink": np.clip(blink, 0, 1), "smile": smile, "opening": opening, "way": way, "breath": breath, "near": near}
    return [{name: course[k] for name, course in courses.items()} for k in range(3)]


def _cloth(rng: np.random.Generator, size: tuple[int, int], colour: np.ndarray) -> np.ndarray:
    """Woven cloth with folds: RGB of a frame's size."""
    width, height = size
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    folds = softened(rng.normal(0, 1, (height // 2, width)).astype(np.float32), width / 22)
    folds = cv2.resize(folds, size, interpolation=cv2.INTER_LINEAR)
    weave = rng.normal(0, 1.0, (height, width)).astype(np.float32) + np.sin(x * 1.9) + np.sin(y * 2.1)
    picture = colour * (1 + 0.10 * folds / folds.std() + 0.02 * weave)[..., None]
    if rng.random() < 0.3:
        picture *= (1 - 0.25 * (np.sin((x + 0.15 * y + 30 * folds) * 2 * np.pi / (width / rng.uniform(15, 40))) > 0.3))[..., None]
    return np.clip(picture, 0, 255)


def _torso(
    head: burst_head.Head, where: np.ndarray, unit: float, breath: float, size: tuple[int, int]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Masks of neck, collar opening and shoulders below the head at where (the point between the eyes)."""
    x, y = where
    neck, cloth = np.zeros(size[::-1], np.float32), np.zeros(size[::-1], np.float32)
    lift = -breath

    def outline(points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        return np.round((np.array(points) * unit + [x, y]) * 16).astype(np.int32)

    cv2.fillPoly(neck, [outline([(-0.42, 0.5), (0.42, 0.5), (0.43, 1.25), (0.9, 1.45), (0.3, 2.1), (-0.3, 2.1), (-0.9, 1.45), (-0.43, 1.25)])], 1, cv2.LINE_AA, 4)
    ways = [(-0.47, 1.22 + lift), (-0.75, 1.36 + lift), (-1.3, 1.56 + lift), (-1.65, 1.8 + lift), (-1.85, 2.3), (-2.0, 3.2), (-2.2, 9)]
    right = [(-px, py) for px, py in ways[::-1]]
    cv2.fillPoly(cloth, [outline(ways + right + [(0.3, 1.55 + lift), (0.0, 1.68 + lift), (-0.3, 1.55 + lift)])], 1, cv2.LINE_AA, 4)
    round_off = np.clip((softened(cloth, 0.05 * unit) - 0.5) * 0.12 * unit + 0.5, 0, 1)
    return cv2.GaussianBlur(neck, (0, 0), 1.2), round_off


def _over(under: np.ndarray, over: np.ndarray, mask: np.ndarray) -> np.ndarray:
    return under * (1 - mask[..., None]) + over * mask[..., None]


class Scene:
    """A person and a room, rendered finer than the camera sees them, in light."""

    def __init__(self, rng: np.random.Generator, head: burst_head.Head, place: Setting) -> None:
        self.head, self.place, self.fine = head, place, 2.0 if max(place.size) <= 800 else 1.25
        self.size = (int(place.size[0] * self.fine), int(place.size[1] * self.fine))
        wide = (int(self.size[0] * 1.08), int(self.size[1] * 1.08))
        self.ground = softened(room(rng, wide), rng.uniform(0.8, 5) * self.size[0] / 1280)
        self.cloth = _cloth(rng, self.size, place.cloth)
        self.tail = burst_head.strands(rng, head.hair)
        self.where = np.array([self.size[0] * rng.uniform(0.42, 0.58), self.size[1] * rng.uniform(0.4, 0.48)])
        shade = cv2.GaussianBlur(rng.normal(0, 1, (32, 32)).astype(np.float32), (0, 0), 9)
        self.falloff = 1 + 0.25 * cv2.resize(shade / np.abs(shade).max(), self.size, interpolation=cv2.INTER_CUBIC)

    def light(self, act: dict[str, Any], sway: Sequence[float] | np.ndarray) -> np.ndarray:
        """Linear light of one moment; sway is the camera's way in pixels of the frame."""
        unit = self.fine * self.place.across * (1 + act["near"])
        body = self.where + self.fine * np.asarray(sway)
        middle = body + act["way"] * self.fine * self.place.across
        picture = self._behind(sway)
        if self.head.long:
            picture = self._hair_behind(picture, middle, unit)
        neck, cloth = _torso(self.head, body + 0.4 * (middle - body), unit, act["breath"], self.size)
        picture = _over(picture, self._neck(middle, unit), neck)
        picture = _over(picture, self.cloth, cloth)
        colour = burst_head.acted(self.head, act["blink"], act["gaze"], act["smile"], act["opening"])
        colour, cover = burst_head.posed(self.head, colour, self.place.lamp, act["turn"])
        scale = unit / burst_head.UNIT
        matrix = np.array([[scale, 0, 0], [0, scale, 0]])
        matrix[:, 2] = middle - scale * burst_head.EYES
        over = cv2.warpAffine(np.dstack([colour, cover * 255]).astype(np.float32), matrix, self.size, flags=cv2.INTER_AREA)
        shadow = cv2.warpAffine(cover, matrix + [[0, 0, 0], [0, 0, 0.12 * unit]], self.size)
        picture = picture * (1 - 0.35 * (softened(shadow, 0.12 * unit) * np.maximum(neck, cloth))[..., None])
        picture = _over(picture, over[..., :3], np.clip(over[..., 3] / 255, 0, 1))
        light = camera_model.light_of(np.clip(picture, 0, 255)) * self.falloff[..., None] * self.place.exposure
        return cv2.resize(light, self.place.size, interpolation=cv2.INTER_AREA)

    def _behind(self, sway: Sequence[float] | np.ndarray) -> np.ndarray:
        """The room: farther away, so that it moves less than the person when the camera does."""
        height, width = self.ground.shape[:2]
        shift = (np.array(self.size) - [width, height]) / 2 + 0.35 * self.fine * np.asarray(sway)
        matrix = np.column_stack([np.eye(2), shift])
        return cv2.warpAffine(self.ground, matrix, self.size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)

    def _neck(self, middle: np.ndarray, unit: float) -> np.ndarray:
        x = (np.arange(self.size[0], dtype=np.float32) - middle[0]) / (0.55 * unit)
        side = np.sign(self.place.lamp[0])
        shade = np.clip(0.88 - 0.22 * x * x + 0.12 * side * x, 0.35, 1)
        return np.broadcast_to(self.head.skin.astype(np.float32) * shade[None, :, None], (self.size[1], self.size[0], 3))

    def _hair_behind(self, picture: np.ndarray, middle: np.ndarray, unit: float) -> np.ndarray:
        mask = np.zeros(self.size[::-1], np.float32)
        points = np.array([(-0.85, -0.6), (0.85, -0.6), (0.98, 0.6), (1.0, 1.9), (0.5, 2.1), (-0.5, 2.1), (-1.0, 1.9), (-0.98, 0.6)]) * unit + middle
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 1, cv2.LINE_AA, 4)
        strands = cv2.resize(self.tail.astype(np.float32), self.size, interpolation=cv2.INTER_LINEAR)
        return _over(picture, strands, softened(mask, 0.05 * unit))


def burst(rng: np.random.Generator, head: burst_head.Head, place: Setting) -> tuple[list[bytes], list[dict[str, Any]]]:
    """Three JPEG codes of one person in one setting, and what was done."""
    scene, doings = Scene(rng, head, place), acts(rng, place.lively)
    sways = np.stack([path(rng, place.held), path(rng, 0.7 * place.held)], 1)
    codes = []
    for doing, sway in zip(doings, sways):
        smear = sway * 0.2 + rng.normal(0, 0.05, 2)
        frame = camera_model.expose(rng, place.camera, scene.light(doing, sway), 1 + rng.normal(0, 0.004), rng.normal(0, 0.002), smear)
        codes.append(camera_model.jpeg(frame, place.camera.quality, place.camera.subsampling))
    return codes, doings


def write(folder: str, codes: Sequence[bytes]) -> None:
    """The burst as 1.jpg to 3.jpg."""
    os.makedirs(folder, exist_ok=True)
    for number, code in enumerate(codes, 1):
        with open(os.path.join(folder, f"{number}.jpg"), "wb") as file:
            file.write(code)


def _face(finder: Finder, picture: npt.NDArray[np.uint8], path: str) -> Face:
    face = finder(picture)
    if face is None:
        raise ValueError(f"{path} shows no face")
    return face


def _read(path: str) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(cv2.imread(path)[..., ::-1])


def sample(finder: Finder, card: str, seed: int, out: str) -> None:
    """The sample burst: the holder of a card before an ordinary webcam."""
    rng = np.random.default_rng([seed, 7])
    picture = _read(card)
    head = burst_head.build(rng, picture, _face(finder, picture, card))
    camera = replace(camera_model.draw(rng, 0.25), quality=90, subsampling=2, warmth=0.02)
    lamp = np.array([0.5, -0.45, -1.0])
    place = Setting((640, 480), 104.0, lamp / np.linalg.norm(lamp), 0.9, 0.0, np.array([62.0, 84.0, 118.0]), 1.25, camera)
    codes, _ = burst(rng, head, place)
    write(out, codes)


def collection(finder: Finder, portraits: str, count: int, seed: int, out: str) -> None:
    """count bursts of the persons of a folder of bawab_training.draw.portraits, in turn."""
    files = sorted(glob.glob(os.path.join(portraits, "*.png")))
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(count):
            rng = np.random.default_rng([seed, index, 60])
            file = files[index % len(files)]
            _, sex, age = os.path.basename(file)[:-4].split("_")
            portrait = _read(file)
            long = sex == "F" and rng.random() < 0.8
            grey = float(np.clip((int(age) - 40) / 40 * rng.uniform(0, 1.3), 0, 0.95))
            head = burst_head.build(rng, portrait, _face(finder, portrait, file), long, grey)
            place = setting(rng)
            codes, _ = burst(rng, head, place)
            write(os.path.join(out, "live", f"{index:04d}"), codes)
            truth = {"burst": f"live/{index:04d}", "person": os.path.basename(file), "size": place.size, "lively": place.lively, "held": place.held}
            truth |= {"electrons": round(place.camera.electrons), "quality": place.camera.quality}
            lines.write(json.dumps(truth) + "\n")


def main() -> None:
    """Parse the command line and write bursts."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.sample_burst")
    parser.add_argument("what", choices=("sample", "set"))
    parser.add_argument("--teachers", required=True, help="folder with ultraface and mediapipe")
    parser.add_argument("--card", help="picture of the card whose holder is shown")
    parser.add_argument("--portraits", help="folder of bawab_training.draw.portraits")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    finder = Finder(args.teachers)
    if args.what == "sample":
        sample(finder, args.card, args.seed, args.out)
    else:
        collection(finder, args.portraits, args.count, args.seed, args.out)


if __name__ == "__main__":
    main()
