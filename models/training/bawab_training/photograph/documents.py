"""Photographs and flat pictures of the documents of the contract, with their truth.

    python -m bawab_training.photograph.documents photographs --kinds national_id_front,national_id_back --count 1000 --difficulty normal \\
        --seed 9401 [--held-out] --portraits DIR --out DIR
    python -m bawab_training.photograph.documents flat --count 1500 --seed 11 --portraits DIR --out DIR [--kinds ...] [--width 1000]

Every picture is NNNN.jpg and one JSON line of truth.jsonl: file; kind (of the largest document); documents, the largest
first, each with kind, quad (TL TR BR BL of the upright document, pixels), fields (the values that the service should
answer), lines (role, printed text in logical order, quad from base line to capital height) and covered (the fields whose
print a finger, a reflection or poor light hides), and for licences layout (the family of its arrangement); difficulty; level, from 0 (mild) to 1 (strong); glyph, the least height in pixels of
a line that must be read. A flat picture is the upright document alone, width pixels wide.

*Normal*: tilt to 20 degrees, glyphs of at least 13 pixels (base line to alef), no print hidden. *Hard*: tilt to 35 degrees,
9 pixels, stronger light, blur and noise, and a finger, a reflection or fading light may hide a field. A number's digits are 0.88 of a glyph.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, documents_flat, others
from . import photograph
from ..draw.content import pick
from ..draw.documents_flat import SMALL_ROLES
from ..draw.egypt_content import Content
from ..draw.canvas import Line
from ..draw.pages import Page

SCALE = 12  # printing resolution, pixels per millimetre
SIZES = ((1600, 1200),) * 20 + ((1200, 1600),) * 3 + ((1920, 1080),) * 4 + ((1280, 960),) * 3 + ((1280, 720),) * 3 + ((640, 480),) * 3 + (
    (800, 600), (1024, 768), (2048, 1536), (2592, 1944), (2592, 1944), (3264, 2448), (4000, 3000))


@dataclass(frozen=True)
class Difficulty:
    """Bounds of how a picture is taken: tilt in degrees, least glyph in pixels, range of spoiling level, shares of fingers and burnt reflections,
    and how many grey levels print must stand out by."""

    tilt: float
    glyph: float
    contrast: float
    level: tuple[float, float]
    fingers: float
    burnt: float


DIFFICULTIES = {"normal": Difficulty(20, 13.0, 28.0, (0.0, 0.55), 0.15, 0.0), "hard": Difficulty(35, 9.0, 14.0, (0.4, 1.0), 0.35, 0.2)}


def outline(view: photograph.View, quad: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """The corners of a page quad in the picture."""
    return view.forward(np.asarray(quad, np.float64))


def glyph(view: photograph.View, page: Page) -> float | np.float32:
    """The least height in the picture, in pixels, of a line that must be read; of a page without roles, the usual height."""
    def height(line: Line) -> np.float32:
        upper, lower = view.edges(line.quad)
        return np.linalg.norm(upper - lower, axis=1).min()

    heights = [height(line) for line in page.lines if line.role and line.role not in SMALL_ROLES]
    return min(heights) if heights else np.median([height(line) for line in page.lines])


def _roll(rng: np.random.Generator) -> float:
    draw = rng.random()
    if draw < 0.45:
        return rng.normal(0, 0.1)
    return np.pi / 2 * rng.integers(1, 4) + rng.normal(0, 0.1) if draw < 0.65 else rng.uniform(0, 2 * np.pi)


def _view(rng: np.random.Generator, page: Page, size: tuple[int, int], rules: Difficulty) -> photograph.View | None:
    """A view of the page within the rules; nearer and nearer until its glyphs are large enough, None when they cannot be."""
    tilt = np.radians(rules.tilt) * rng.random() ** 0.7
    share, roll = np.exp(rng.uniform(np.log(0.08), np.log(1.0))), _roll(rng)
    bend = rng.uniform(0, 0.015) if rng.random() < 0.25 else 0.0
    inset = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 1.0 * SCALE
    for _ in range(12):
        # A very near card may lose its rim, never its text.
        must = page.corners if share < 0.7 else page.corners - inset
        view = photograph.place(rng, page, size, share, tilt, roll, bend, margin=2, must=must.astype(np.float32))
        if view is None:
            return None
        if glyph(view, page) >= rules.glyph:
            return view
        share *= 1.2
    return None


def _lay(rng: np.random.Generator, picture: npt.NDArray[np.uint8], page: Page, view: photograph.View) -> npt.NDArray[np.float32]:
    photograph.drop_shadow(rng, picture, view)
    view.lay(page.image, photograph.sheet_alpha(page.image, rng.uniform(1.5, 3.5) * SCALE), picture)
    return outline(view, page.corners)


def _table(rng: np.random.Generator, size: tuple[int, int], held_out: bool) -> npt.NDArray[np.uint8]:
    """What the document lies on; it holds less detail than the document, so it is drawn smaller and enlarged."""
    factor = min(1.0, rng.uniform(550, 1200) / max(size))
    small = photograph.background(rng, tuple(max(2, round(v * factor)) for v in size), held_out=held_out)
    return cv2.resize(small, size, interpolation=cv2.INTER_LINEAR)


def _hidden(mask: npt.NDArray[np.uint8], view: photograph.View, page: Page, share: float) -> list[str]:
    """Roles of the lines of which a piece longer than share of its height lies under mask (uint8, 0 clear)."""
    roles = []
    for line in page.lines:
        upper, lower = view.edges(line.quad)
        band = np.concatenate([upper, lower[::-1]])
        area = np.zeros_like(mask)
        cv2.fillPoly(area, [np.round(band).astype(np.int32)], 1)
        height = np.linalg.norm(upper - lower, axis=1).mean()
        if line.role and (area & (mask > 0)).sum() > share * height**2:
            roles.extend(line.role.split("+"))
    return roles


def _fingers(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], page: Page, view: photograph.View, corners: np.ndarray, free: bool
) -> list[str]:
    """Lay a finger over an edge; returns the roles that it hides. Where free is set it hides none, or there is none."""
    for _ in range(4):
        trial = picture.copy()
        polygon = photograph.finger(rng, trial, corners)
        mask = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(mask, [polygon], 1)
        roles = _hidden(mask, view, page, 0.06)
        if not (free and roles):
            picture[:] = trial
            return roles
    return []


def _burn(rng: np.random.Generator, picture: npt.NDArray[np.uint8], view: photograph.View, page: Page) -> list[str]:
    """Burn a reflection into the picture near the document; returns the roles that it hides."""
    height, width = picture.shape[:2]
    centre = view.forward(rng.random((1, 2)) * page.corners[2])[0]
    reach = np.linalg.norm(outline(view, page.corners)[1] - outline(view, page.corners)[0]) * rng.uniform(0.03, 0.16)
    small = np.zeros((height // 4 + 1, width // 4 + 1), np.uint8)
    axes = (max(1, int(reach / 4)), max(1, int(reach * rng.uniform(0.25, 1) / 4)))
    cv2.ellipse(small, tuple(int(v / 4) for v in centre), axes, rng.uniform(0, 180), 0, 360, 255, -1)
    soft = cv2.GaussianBlur(small, (0, 0), max(1.0, reach / 4 * rng.uniform(0.1, 0.4)))
    glow = cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR)
    strength = rng.uniform(0.7, 1.3)
    cv2.add(picture, cv2.cvtColor(cv2.convertScaleAbs(glow, alpha=strength), cv2.COLOR_GRAY2RGB), picture)
    return _hidden((glow * strength > 90).astype(np.uint8), view, page, 0.06)


def _faint(picture: npt.NDArray[np.uint8], view: photograph.View, page: Page, least: float) -> list[str]:
    """Roles whose print stands out by less than least grey levels."""
    roles = []
    for line in page.lines:
        upper, lower = view.edges(line.quad)
        band = np.concatenate([upper, lower[::-1]])
        low = np.maximum(np.int32(np.floor(band.min(0))), 0)
        high = np.int32(np.ceil(band.max(0))) + 1
        part = picture[low[1] : high[1], low[0] : high[0]]
        if not line.role or part.shape[0] < 2 or part.shape[1] < 2:
            continue
        inside = np.zeros(part.shape[:2], np.uint8)
        cv2.fillPoly(inside, [np.round(band - low).astype(np.int32)], 1)
        height = np.linalg.norm(upper - lower, axis=1).mean()
        grey = cv2.GaussianBlur(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_RGB2GRAY), (0, 0), max(0.5, 0.07 * height))
        levels = grey[inside > 0]
        if len(levels) and np.subtract(*np.percentile(levels, (97, 3))) < least:
            roles.extend(line.role.split("+"))
    return roles


def photograph_of(
    page: Page, rng: np.random.Generator, size: tuple[int, int], rules: Difficulty, held_out: bool
) -> tuple[npt.NDArray[np.uint8], photograph.View, float, list[str]] | None:
    """Photograph a page; returns (RGB picture, View, level, hidden roles), or None when it does not fit the rules."""
    view = _view(rng, page, size, rules)
    if view is None:
        return None
    picture = _table(rng, size, held_out)
    if rng.random() < 0.25:
        sheet = others.other(rng, 5, None, held_out)
        beside = photograph.place(rng, sheet, size, rng.uniform(0.05, 0.4), 0.2, rng.uniform(0, 6.28))
        if beside:
            photograph.drop_shadow(rng, picture, beside)
            beside.lay(sheet.image, photograph.sheet_alpha(sheet.image, 5), picture)
    corners = _lay(rng, picture, page, view)
    hidden = _fingers(rng, picture, page, view, corners, rules.burnt == 0) if rng.random() < rules.fingers else []
    if rng.random() < rules.burnt:
        hidden += _burn(rng, picture, view, page)
    level = rng.uniform(*rules.level)
    unit = glyph(view, page) / 22
    if rng.random() < 0.25:
        picture = degrade.glare(picture, rng.uniform(15, 70), rng)
    picture = photograph.spoil(picture, rng, level, unit, glare=False)
    faint = [role for role in _faint(picture, view, page, rules.contrast) if role not in SMALL_ROLES]
    if faint and rules.burnt == 0:
        return None
    return picture, view, level, hidden + faint


def rounded(quad: np.ndarray) -> list[list[float]]:
    """A quad as JSON numbers."""
    return [[round(float(x), 2), round(float(y), 2)] for x, y in quad]


def document_truth(page: Page, place: Callable[[np.ndarray], np.ndarray]) -> dict[str, Any]:
    """The truth of one document; place maps a page quad to the picture."""
    extra = page.holder.extra if isinstance(page.holder, Content) else {}
    return {
        "kind": page.kind, "quad": rounded(place(page.corners)), "fields": documents_flat.values(page),
        "lines": [{"role": line.role, "text": line.text, "quad": rounded(place(line.quad))} for line in page.lines],
        **({"expired": True} if extra.get("expired") else {}),
        **({"layout": extra["layout"]} if "layout" in extra else {}),
    }


def save(path: str, picture: npt.NDArray[np.uint8], quality: float) -> None:
    """Write an RGB picture as JPEG."""
    cv2.imwrite(path, picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, int(quality)])


def faces_of(folder: str) -> list[str]:
    """The portrait files of a folder, none without a folder; ValueError where it holds none."""
    faces = sorted(glob.glob(os.path.join(folder, "*.png"))) if folder else []
    if folder and not faces:
        raise ValueError(f"{folder} holds no portraits")
    return faces


def one(
    seed: int, index: int, kind: str, difficulty: str, faces: Sequence[str], held_out: bool
) -> tuple[npt.NDArray[np.uint8], dict[str, Any], int]:
    """Photograph one document of a kind; returns (picture, truth without its file name, quality)."""
    rules = DIFFICULTIES[difficulty]
    for attempt in range(60):
        rng = np.random.default_rng([seed, index, attempt])
        size = pick(rng, SIZES)
        page = documents_flat.draw(rng, kind, SCALE, faces, held_out)
        shot = photograph_of(page, rng, size, rules, held_out)
        if shot is not None:
            break
    else:
        raise RuntimeError(f"photograph {kind} {index}: no view within the rules")
    picture, view, level, hidden = shot
    document = document_truth(page, lambda quad: outline(view, quad))
    if hidden:
        document["covered"] = documents_flat.fields_of(page.kind, hidden)
    truth = {"kind": page.kind, "documents": [document], "difficulty": difficulty, "level": round(float(level), 2), "glyph": round(float(glyph(view, page)), 1)}
    return picture, truth, rng.integers(95 - 55 * level, 96)


def photographs(count: int, kinds: Sequence[str], difficulty: str, seed: int, faces: Sequence[str], out: str, held_out: bool) -> None:
    """Write count photographs of the kinds in turn, and truth.jsonl, into out; goes on where an earlier run stopped."""
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "truth.jsonl")
    done = sum(1 for _ in open(path, encoding="utf-8")) if os.path.exists(path) else 0
    with open(path, "a", encoding="utf-8") as lines:
        for index in range(done, count):
            picture, truth, quality = one(seed, index, kinds[index % len(kinds)], difficulty, faces, held_out)
            name = f"{index:04d}.jpg"
            save(os.path.join(out, name), picture, quality)
            lines.write(json.dumps({"file": name, **truth}, ensure_ascii=False) + "\n")
            lines.flush()


def flat(count: int, kinds: Sequence[str], seed: int, faces: Sequence[str], out: str, held_out: bool, width: int) -> None:
    """Write count flat pictures of the kinds, drawn by their shares, and truth.jsonl into out; goes on where an earlier run stopped."""
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "truth.jsonl")
    done = sum(1 for _ in open(path, encoding="utf-8")) if os.path.exists(path) else 0
    with open(path, "a", encoding="utf-8") as lines:
        for index in range(done, count):
            rng = np.random.default_rng([seed, index])
            kind = documents_flat.any_kind(rng, kinds)
            page = documents_flat.draw(rng, kind, documents_flat.scale_for(kind, width), faces, held_out)
            name = f"{index:05d}.jpg"
            save(os.path.join(out, name), page.image, 92)
            document = document_truth(page, lambda quad: quad)
            lines.write(json.dumps({"file": name, "kind": page.kind, "documents": [document]}, ensure_ascii=False) + "\n")
            lines.flush()


def main() -> None:
    """Parse the command line and write pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.documents")
    parser.add_argument("what", choices=("photographs", "flat"))
    parser.add_argument("--kinds", default="")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--difficulty", choices=sorted(DIFFICULTIES), default="normal")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--portraits", default="")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    faces = faces_of(args.portraits)
    if args.what == "photographs":
        kinds = args.kinds.split(",") if args.kinds else ["national_id_front", "national_id_back"]
        photographs(args.count, kinds, args.difficulty, args.seed, faces, args.out, args.held_out)
    else:
        kinds = args.kinds.split(",") if args.kinds else sorted(documents_flat.SHARES)
        flat(args.count, kinds, args.seed, faces, args.out, args.held_out, args.width)


if __name__ == "__main__":
    main()
