"""Injected media by a generator that nothing trains or calibrates on: three frames made of one still, by families of attacks.

    python -m bawab_training.photograph.injection_unseen --stills STILLS.jsonl --teachers TEACHERS --out DIR --count 25 --seed 1 [--families a,b]

--stills is a list of bawab_training.photograph.injection_stills, or a folder of pictures, one person each. Writes DIR/FAMILY/NNNN/1.jpg, 2.jpg,
3.jpg, as `bawab eval liveness` reads them, and DIR/truth.jsonl. Families are weak, medium or strong in turn. Three want other
material than one still: morph, flow_interpolation and pasted_parts a second still of the person, reenactment the landmarks and face_swap the
frames of a living forger. refilmed is a still before a camera, whose figures stand apart.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from . import camera_model, injection_motion, injection_picture
from .injection_face import Finder, Scene, behind, matte

FORCES = ("weak", "medium", "strong")
SHARES = {"webcam": 0.6, "press": 0.2, "card": 0.2}  # of the triples
SECOND = ("morph", "flow_interpolation", "pasted_parts")
ONLY = {"card_portrait": ("card",), "morph": ("webcam", "press"), "pasted_parts": ("webcam", "press"), "flow_interpolation": ("webcam",)}


def card_portrait(rng: np.random.Generator, scene: Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """A card's portrait as a selfie: the crop moves, turns and blinks."""
    family = FAMILIES[("global_motion", "head_turn", "eyelids", "mouth", "local_warp", "talking_head", "regrain")[int(rng.integers(7))]]
    frames, drawn = family(rng, scene, force)
    return frames, {"by": family.__name__, **drawn}


def combined(rng: np.random.Generator, scene: Scene, force: int) -> tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]:
    """Two to four other families, one after another, frame by frame."""
    chosen = [str(rng.choice(s)) for s, take in zip(STEPS, rng.random(4) < (0.8, 0.8, 0.5, 0.5)) if take] or ["head_turn"]
    seeds = [int(rng.integers(1 << 31)) for _ in chosen]
    frames = [scene.image] * 3
    for name, seed in zip(chosen, seeds):
        result = []
        for k in range(3):
            step = Scene(frames[k], scene.face, scene.kind, elsewhere=scene.elsewhere)
            result.append(FAMILIES[name](np.random.default_rng(seed), step, force)[0][k])
        frames = result
    return frames, {"steps": chosen}


FAMILIES: dict[str, Callable[[np.random.Generator, Scene, int], tuple[list[npt.NDArray[np.uint8]], dict[str, Any]]]] = {f.__name__: f for f in (
    injection_motion.global_motion, injection_motion.head_turn, injection_motion.local_warp, injection_motion.flow_warp, injection_motion.eyelids,
    injection_motion.gaze, injection_motion.mouth, injection_motion.talking_head, injection_motion.reenactment,
    injection_picture.pasted_parts, injection_picture.morph, injection_picture.flow_interpolation, injection_picture.cutout,
    injection_picture.new_background, injection_picture.flicker, injection_picture.regrain, injection_picture.resample, injection_picture.recompress,
    injection_picture.video_codec, injection_picture.video_call, injection_picture.sharpened, card_portrait, combined, injection_picture.face_swap,
    injection_picture.refilmed)}
OWN_GRAIN = ("regrain", "refilmed")
STEPS = (  # of combined
    ("mouth", "eyelids", "gaze"), ("head_turn", "local_warp", "cutout", "new_background"), ("flow_warp", "global_motion"),
    ("flicker", "resample", "video_codec", "recompress"))


def framed(rng: np.random.Generator, picture: npt.NDArray[np.uint8], kind: str) -> npt.NDArray[np.uint8]:
    """The still as a webcam's or a telephone's picture: a press photograph is cut around its middle and enlarged."""
    method = int(rng.choice((cv2.INTER_CUBIC, cv2.INTER_LANCZOS4)))
    if kind == "press":
        width = rng.uniform(165, 248)
        height = width * 0.75 if rng.random() < 0.7 else min(width / 0.75, 248)
        width = min(width, height / 0.75 if height < width else height * 0.75)
        size = ((640, 480) if height < width else (480, 640)) if rng.random() < 0.8 else ((1280, 960) if height < width else (720, 960))
        crop = cv2.getRectSubPix(picture, (int(width), int(height)), (125.0, 125.0))
        return cv2.resize(crop, size, interpolation=method)
    if kind == "webcam" and rng.random() < 0.2:
        left = int(np.clip(rng.normal(140, 20), 60, 220))
        crop = picture[:, left:left + 360] if rng.random() < 0.5 else picture
        return cv2.resize(crop, (960, 1280) if crop.shape[1] < 400 else (1280, 960), interpolation=method)
    return picture


def delivered(rng: np.random.Generator, frames: Sequence[npt.NDArray[np.uint8]], force: int, own_grain: bool) -> list[bytes]:
    """JPEG bytes of the frames under the forger's grain: none or white (weak), fine correlated (medium), a simulated camera's (strong)."""
    quality, subsampling, result = int(rng.integers(72, 97)), int(rng.choice((0, 2, 2))), []
    camera = camera_model.draw(rng, rng.uniform(0.05, 0.7))
    sigma, soft = rng.uniform(0, 4), rng.uniform(0.4, 0.8)
    for frame in frames:
        if not own_grain and force == 2:
            frame = camera_model.expose(rng, camera, camera_model.light_of(frame), 1 + rng.normal(0, 0.006), rng.normal(0, 0.002), rng.normal(0, 0.3, 2))
        elif not own_grain and (force == 1 or rng.random() < 0.6):
            noise = rng.normal(0, sigma, frame.shape).astype(np.float32)
            if force == 1:
                noise = 1.8 * cv2.GaussianBlur(noise, (0, 0), soft) * np.sqrt(0.3 + frame.mean(-1, keepdims=True) / 180)
            frame = np.clip(frame + noise, 0, 255).astype(np.uint8)
        result.append(camera_model.jpeg(frame, quality if force else rng.integers(65, 97), subsampling))
    return result


class Stills:
    """The list, drawn from so that persons come evenly."""

    def __init__(self, path: str, finder: Finder) -> None:
        self.finder = finder
        self.rows: dict[str, dict[str, list[dict[str, Any]]]] = {}
        if os.path.isdir(path):
            files = sorted(glob.glob(os.path.join(path, "**", "*.[jp][pn]g"), recursive=True))
            rows: list[dict[str, Any]] = [{"path": f, "person": os.path.basename(os.path.dirname(f)), "kind": "webcam", "others": []} for f in files]
        else:
            with open(path, encoding="utf-8") as lines:
                rows = [json.loads(line) for line in lines]
        for row in rows:
            self.rows.setdefault(row["kind"], {}).setdefault(row["person"], []).append(row)

    def pick(self, rng: np.random.Generator, family: str, index: int) -> dict[str, Any]:
        """A row of a family's index-th triple."""
        shares = {k: SHARES[k] for k in ONLY.get(family, SHARES) if k in self.rows}
        kind = str(rng.choice(list(shares), p=np.array(list(shares.values())) / sum(shares.values())))
        people = {p: [r for r in rows if r["others"] or family not in SECOND] for p, rows in self.rows[kind].items()}
        names = sorted(p for p in people if people[p])
        turn = np.random.default_rng([index // len(names), len(family), len(names)]).permutation(len(names))
        person = names[turn[index % len(names)]]
        return people[person][int(rng.integers(len(people[person])))]

    def scene(self, rng: np.random.Generator, row: dict[str, Any], family: str) -> Scene | None:
        """The Scene of a row, or None where no face is found."""
        state = int(rng.integers(1 << 31))
        image = framed(np.random.default_rng(state), _read(row["path"]), row["kind"])
        face = self.finder(image)
        if face is None:
            return None
        scene = Scene(image, face, row["kind"])
        if family in SECOND:
            other = framed(np.random.default_rng(state), _read(str(rng.choice(row["others"]))), row["kind"])
            there = self.finder(other)
            if there is None:
                return None
            scene.second = (other, there)
        if family in ("reenactment", "face_swap") and not self._drive(rng, scene, row["person"]):
            return None
        if family in ("new_background", "combined"):
            scene.elsewhere = self._room(rng, row["person"])
        return scene

    def _other(self, rng: np.random.Generator, person: str) -> dict[str, Any]:
        names = sorted(p for p in self.rows["webcam"] if p != person)
        rows = self.rows["webcam"][names[int(rng.integers(len(names)))]]
        return rows[int(rng.integers(len(rows)))]

    def _drive(self, rng: np.random.Generator, scene: Scene, person: str) -> bool:
        """Give the scene a forger; whether each of its frames shows a face."""
        row = self._other(rng, person)
        scene.driver_frames = tuple(_read(p) for p in [row["path"], *row["others"][:2]])
        scene.driver = tuple(face for p in scene.driver_frames if (face := self.finder(p)) is not None)
        return len(scene.driver) == len(scene.driver_frames)

    def _room(self, rng: np.random.Generator, person: str) -> npt.NDArray[np.uint8] | None:
        image = _read(self._other(rng, person)["path"])
        face = self.finder(image)
        return behind(image, matte(image, face)) if face else None


def _read(path: str) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(cv2.imread(path)[..., ::-1])


def triple(stills: Stills, family: str, seed: int, index: int) -> tuple[list[bytes], dict[str, Any]]:
    """(three JPEG codes, truth) of a family's index-th triple; stills whose face is lost, or frames without one, are drawn anew."""
    force = index % 3
    for attempt in range(20):
        rng = np.random.default_rng([seed, sorted(FAMILIES).index(family), index, attempt, 48])
        row = stills.pick(rng, family, index)
        scene = stills.scene(rng, row, family)
        if scene is None:
            continue
        if force == 2 and family not in OWN_GRAIN and rng.random() < 0.7:
            scene.image = injection_picture.denoised(rng, scene.image)
        frames, drawn = FAMILIES[family](rng, scene, force)
        codes = delivered(rng, frames, force, family in OWN_GRAIN)
        if all(stills.finder.box(camera_model.decoded(c)) is not None for c in codes):
            origin = {"still": row["path"], "person": row["person"], "kind": row["kind"]}
            return codes, {"family": family, "index": index, "seed": seed, "force": FORCES[force], **origin, "parameters": drawn}
    raise RuntimeError(f"make {family} {index}: no still with a face")


def main() -> None:
    """Parse the command line and write the triples."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.injection_unseen")
    parser.add_argument("--stills", required=True)
    parser.add_argument("--teachers", required=True, help="folder with ultraface and mediapipe")
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=25, help="triples of each family")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--families", default=",".join(FAMILIES))
    args = parser.parse_args()
    cv2.setNumThreads(1)
    stills = Stills(args.stills, Finder(args.teachers))
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "truth.jsonl"), "a", encoding="utf-8") as lines:
        for index in range(args.count):
            for family in args.families.split(","):
                folder = os.path.join(args.out, family, f"{index:04d}")
                codes, truth = triple(stills, family, args.seed, index)
                os.makedirs(folder, exist_ok=True)
                for number, code in enumerate(codes, 1):
                    with open(os.path.join(folder, f"{number}.jpg"), "wb") as file:
                        file.write(code)
                lines.write(json.dumps(truth) + "\n")
                lines.flush()


if __name__ == "__main__":
    main()
