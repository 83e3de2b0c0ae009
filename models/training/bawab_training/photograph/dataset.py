"""Full-resolution photographs of synthetic passports with their truth, for `bawab eval` and the sample pictures.

    python -m bawab_training.photograph.dataset mrz --count 1000 --difficulty normal --seed 7 --portraits DIR --out DIR
    python -m bawab_training.photograph.dataset golden --portraits DIR --out DIR
    python -m bawab_training.photograph.dataset sample --portraits DIR --out FILE

Every picture is NNNN.jpg and one JSON line of truth.jsonl: file, kind, mrz (the printed lines), quad and mrz_quad
(TL TR BR BL of the upright page, pixels), mrz_lines (a quad per line, base line to capital height), fields, and how it was taken.
Portraits are artificial (see portraits); pictures of the test split use fonts and tables that no training picture has.
"""

from __future__ import annotations

import argparse
import datetime
import glob
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import content, others, pages
from . import photograph
from ..draw.content import pick
from ..draw.canvas import Line

SCALE = 12  # printing resolution, pixels per millimetre
SIZES = ((1600, 1200),) * 6 + ((1200, 1600), (1920, 1080), (1280, 960), (1280, 720), (2592, 1944), (800, 600), (640, 480))


@dataclass(frozen=True)
class Difficulty:
    """Bounds of how a picture is taken: degrees of tilt, least zone pitch in pixels, spoiling level range, share of fingers."""

    tilt: float
    pitch: float
    level: tuple[float, float]
    fingers: float
    share: tuple[float, float]


DIFFICULTIES = {
    "normal": Difficulty(20, 9.0, (0.0, 0.55), 0.15, (0.18, 1.0)),
    "hard": Difficulty(35, 6.0, (0.4, 1.0), 0.35, (0.08, 1.0)),
}


def _portrait(rng: np.random.Generator, portraits: Sequence[str], sex: str) -> npt.NDArray[np.uint8] | None:
    names = [n for n in portraits if f"_{sex}_" in os.path.basename(n)] or portraits
    return cv2.imread(pick(rng, names))[..., ::-1] if names else None


def _page(rng: np.random.Generator, portraits: Sequence[str], held_out: bool, egyptian: bool) -> pages.Page:
    """A passport page whose portrait fits the holder's sex: the page is drawn twice from one state."""
    maker = pages.egyptian_passport if egyptian else pages.foreign_passport
    state = rng.bit_generator.state
    holder = (content.egyptian if egyptian else content.foreign)(rng)
    rng.bit_generator.state = state
    portrait = _portrait(np.random.default_rng(state["state"]["state"] % 2**32), portraits, holder.sex)
    page = maker(rng, SCALE, portrait, held_out)
    return others.spread(rng, page, SCALE, held_out) if rng.random() < 0.35 else page


def _holder(page: pages.Page) -> content.Holder:
    """Who a passport is of."""
    if not isinstance(page.holder, content.Holder):
        raise TypeError(f"{page.kind} has no holder of a passport")
    return page.holder


def _pitch(view: photograph.View, line: Line) -> float:
    """Least distance between neighbouring characters of a zone line in the picture, in pixels."""
    upper, lower = view.edges(line.quad)
    steps = np.linalg.norm(np.diff((upper + lower) / 2, axis=0), axis=1)
    return steps.min() * photograph.SEGMENTS / len(line.text)


def _view(rng: np.random.Generator, page: pages.Page, size: tuple[int, int], rules: Difficulty, roll: float) -> photograph.View | None:
    """A view within the rules; nearer and nearer until the zone is large enough, None when it cannot be."""
    tilt = np.radians(rules.tilt) * rng.random() ** 0.7
    share = np.exp(rng.uniform(*np.log(rules.share)))
    bend = rng.uniform(0, 0.03) if rng.random() < 0.4 else 0.0
    for _ in range(14):
        view = photograph.place(rng, page, size, share, tilt, roll, bend, margin=8)
        if view is None:
            return None
        if min(_pitch(view, line) for line in page.zone) >= rules.pitch:
            return view
        share *= 1.25
    return None


def _lay(rng: np.random.Generator, picture: npt.NDArray[np.uint8], page: pages.Page, view: photograph.View) -> npt.NDArray[np.float32]:
    photograph.drop_shadow(rng, picture, view)
    view.lay(page.image, photograph.sheet_alpha(page.image, 3 * SCALE), picture)
    return view.forward([[0, 0], [view.size[0], 0], list(view.size), [0, view.size[1]]])


def _finger_clear_of(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], outline: np.ndarray, zone: np.ndarray
) -> npt.NDArray[np.uint8]:
    """A finger over an edge, unless it would touch the zone."""
    for _ in range(5):
        trial = picture.copy()
        polygon = photograph.finger(rng, trial, outline)
        touched = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(touched, [polygon], 1)
        zone_mask = np.zeros_like(touched)
        cv2.fillPoly(zone_mask, [zone.astype(np.int32)], 1)
        if not (touched & zone_mask).any():
            return trial
    return picture


def photograph_of(
    page: pages.Page, rng: np.random.Generator, size: tuple[int, int], rules: Difficulty, roll: float, held_out: bool
) -> tuple[npt.NDArray[np.uint8], photograph.View, float] | None:
    """Photograph a page; returns (RGB picture, View, level) or None when it does not fit the rules."""
    view = _view(rng, page, size, rules, roll)
    if view is None:
        return None
    picture = photograph.background(rng, size, held_out=held_out)
    if rng.random() < 0.3:
        sheet = others.other(rng, 6, None, held_out)
        beside = photograph.place(rng, sheet, size, rng.uniform(0.1, 0.5), 0.2, rng.uniform(0, 6.28))
        if beside:
            _lay(rng, picture, sheet, beside)
    outline = _lay(rng, picture, page, view)
    zone = _outline(view, page.zone_quad())
    if rng.random() < rules.fingers:
        picture = _finger_clear_of(rng, picture, outline, zone)
    level = rng.uniform(*rules.level)
    unit = min(_pitch(view, line) for line in page.zone) / 14
    return photograph.spoil(picture, rng, level, unit), view, level


def _outline(view: photograph.View, quad: np.ndarray) -> npt.NDArray[np.float32]:
    upper, lower = view.edges(quad)
    return np.stack([upper[0], upper[-1], lower[-1], lower[0]])


def truth(name: str, page: pages.Page, view: photograph.View, level: float) -> dict[str, Any]:
    """The truth of one picture as it goes into truth.jsonl."""
    def corners(quad: np.ndarray) -> list[list[float]]:
        return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]

    holder = _holder(page)
    return {
        "file": name, "kind": "passport", "mrz": [line.text for line in page.zone],
        "quad": corners(_outline(view, page.corners)), "mrz_quad": corners(_outline(view, page.zone_quad())),
        "mrz_lines": [corners(_outline(view, line.quad)) for line in page.zone],
        "fields": {
            "document_number": holder.number, "surname": holder.surname, "given_names": holder.given,
            "country_code": holder.country.strip("<"), "sex": holder.sex, "personal_number": holder.personal,
            "date_of_birth": holder.birth.isoformat(), "date_of_expiry": holder.expiry.isoformat(),
        },
        "level": round(float(level), 2), "pitch": round(float(min(_pitch(view, line) for line in page.zone)), 1),
    }


def _write(path: str, picture: npt.NDArray[np.uint8], quality: float) -> None:
    cv2.imwrite(path, picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(quality)])


def build(count: int, difficulty: str, seed: int, portraits: str, out: str, held_out: bool = True) -> None:
    """Write count photographs and truth.jsonl into out."""
    os.makedirs(out, exist_ok=True)
    faces = sorted(glob.glob(os.path.join(portraits, "*.png"))) if portraits else []
    rules = DIFFICULTIES[difficulty]
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(count):
            shot, attempt = None, 0
            while shot is None:
                rng = np.random.default_rng([seed, index, attempt])
                page = _page(rng, faces, held_out, rng.random() < 0.5)
                roll = rng.normal(0, 0.15) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
                shot = photograph_of(page, rng, pick(rng, SIZES), rules, roll, held_out)
                attempt += 1
            name = f"{index:04d}.jpg"
            _write(os.path.join(out, name), shot[0], rng.integers(95 - 55 * shot[2], 96))
            lines.write(json.dumps(truth(name, page, shot[1], shot[2]), ensure_ascii=False) + "\n")
            lines.flush()


def _fitting(path: str, picture: npt.NDArray[np.uint8], limit: int) -> None:
    """Write a JPEG of at most limit bytes."""
    for quality in range(90, 14, -4):
        _write(path, picture, quality)
        if os.path.getsize(path) <= limit:
            return


def golden(portraits: str, out: str, count: int = 12, seed: int = 4100) -> None:
    """The committed set: one picture for every 30 degrees of turn, from easy to hard, each below 120 kB."""
    os.makedirs(out, exist_ok=True)
    faces = sorted(glob.glob(os.path.join(portraits, "*.png")))
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(count):
            level = 0.6 * index / (count - 1)
            rules = Difficulty(8 + 2 * index, 9.0, (level, level + 0.01), 0.3, (0.3, 0.9))
            shot, attempt = None, 0
            while shot is None:
                rng = np.random.default_rng([seed, index, attempt])
                page = _page(rng, faces, False, index % 3 != 2)
                shot = photograph_of(page, rng, (1280, 960), rules, np.radians(30 * index * 7 % 360), False)
                attempt += 1
            name = f"{index:02d}.jpg"
            _fitting(os.path.join(out, name), shot[0], 118_000)
            lines.write(json.dumps(truth(name, page, shot[1], shot[2]), ensure_ascii=False) + "\n")


def sample(portraits: str, path: str, seed: int = 25) -> dict[str, Any]:
    """The picture of the README: a plain photograph of an Egyptian passport that is valid for years, below 300 kB."""
    faces = sorted(glob.glob(os.path.join(portraits, "*.png")))
    for attempt in range(500):
        rng = np.random.default_rng([seed, attempt])
        page = _page(rng, faces, False, True)
        if _holder(page).expiry < datetime.date(2032, 1, 1) or page.image.shape[0] > page.image.shape[1]:
            continue
        rules = Difficulty(10, 16.0, (0.1, 0.12), 0.0, (0.4, 0.5))
        shot = photograph_of(page, rng, (1600, 1200), rules, rng.uniform(-0.1, 0.1), False)
        if shot is not None:
            _fitting(path, shot[0], 295_000)
            return truth(os.path.basename(path), page, shot[1], shot[2])
    raise RuntimeError("no sample within the rules")


def main() -> None:
    """Parse the command line and write pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.dataset")
    parser.add_argument("what", choices=("mrz", "golden", "sample"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--difficulty", choices=sorted(DIFFICULTIES), default="normal")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--portraits", default="")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    chosen = {} if args.seed is None else {"seed": args.seed}
    if args.what == "mrz":
        build(args.count, args.difficulty, args.seed or 0, args.portraits, args.out)
    elif args.what == "golden":
        golden(args.portraits, args.out, **chosen)
    else:
        print(json.dumps(sample(args.portraits, args.out, **chosen), ensure_ascii=False))


if __name__ == "__main__":
    main()
