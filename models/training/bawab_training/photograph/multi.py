"""Photographs of several documents on one table, with the truth of all of them.

    python -m bawab_training.photograph.multi pictures --count 200 --seed 9602 --portraits DIR --out DIR [--difficulty normal] [--held-out]
    python -m bawab_training.photograph.multi sample --portraits DIR --out ../samples/multi.jpg

Every picture is NNNN.jpg and one JSON line of truth.jsonl as in bawab_training.photograph.documents, documents the largest first. Most
pictures show two or three documents, some up to nine: cards, passports and plates of one or several holders, front and back
of one card, now and then the same card twice. They lie on one plane under one camera, each turned for itself; in one picture
of three they overlap by up to 15 % of the smaller one, and what an upper one hides is under covered. One picture of twelve is
no photograph but a collage of flat documents.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, documents_flat, egypt_cards, egypt_content, egypt_licences, egypt_vehicles
from . import documents_golden, photograph
from ..draw.content import pick
from .documents import DIFFICULTIES, SCALE, Difficulty, _faint, _hidden, _table, document_truth, faces_of, glyph, outline, save
from ..draw.documents_flat import SMALL_ROLES
from ..draw.pages import Page

KINDS = ("national_id_front", "national_id_back", "driving_license", "car_license_front", "car_license_back", "license_plate", "passport")
KIND_SHARES = (0.24, 0.16, 0.14, 0.11, 0.11, 0.12, 0.12)
COUNTS, COUNT_SHARES = (2, 3, 4, 5, 6, 7, 8, 9), (0.4, 0.4, 0.07, 0.04, 0.03, 0.02, 0.02, 0.02)
OVERLAP = 0.15  # of the smaller document, at most
SIZES = ((1600, 1200),) * 12 + ((1200, 1600),) * 3 + ((1920, 1080),) * 3 + ((2048, 1536),) * 2 + ((2592, 1944),) * 2
MANY = ((2592, 1944), (2592, 1944), (3264, 2448))  # with more than three documents, whose text must be large enough


def _pages(rng: np.random.Generator, count: int, faces: Sequence[str], held_out: bool) -> list[Page]:
    """Flat pages of count documents."""
    pages: list[Page] = []
    if rng.random() < 0.25:
        pages.extend(documents_golden.sides(rng, faces, held_out))
    while len(pages) < count:
        if pages and rng.random() < 0.06:
            pages.append(pages[-1])
            continue
        pages.append(documents_flat.draw(rng, str(rng.choice(KINDS, p=KIND_SHARES)), SCALE, faces, held_out))
    order = rng.permutation(count)
    return [pages[i] for i in order]


def _shared(a: np.ndarray, b: np.ndarray) -> float:
    """The share of the smaller of two convex outlines that lies on the other."""
    area, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    return area / max(min(cv2.contourArea(a.astype(np.float32)), cv2.contourArea(b.astype(np.float32))), 1)


def _turn(rng: np.random.Generator, common: float) -> float:
    draw = rng.random()
    if draw < 0.6:
        return common + rng.normal(0, 0.09)
    return common + np.pi / 2 * rng.integers(1, 4) + rng.normal(0, 0.09) if draw < 0.8 else rng.uniform(0, 2 * np.pi)


def _inside(quad: np.ndarray, size: tuple[int, int], margin: float = 4) -> bool:
    return bool((quad >= margin).all() and (quad <= np.array(size) - margin).all())


def _arrange(
    rng: np.random.Generator, pages: Sequence[Page], size: tuple[int, int], rules: Difficulty, overlapping: bool, flat: bool, spread: float
) -> list[tuple[Page, photograph.View]] | None:
    """A view of each page so that all lie in the picture; None when they do not fit or their print gets too small.

    spread makes the table that the picture shows so many times as large.
    """
    tilt = 0.0 if flat else np.radians(rules.tilt) * rng.random() ** 0.7
    common = 0.0 if flat else pick(rng, [rng.normal(0, 0.1), rng.normal(0, 0.1), rng.uniform(0, 2 * np.pi)])
    area = sum(page.image.shape[0] * page.image.shape[1] for page in pages)
    fill = rng.uniform(0.4, 0.62) * (1.1 if overlapping else 1.0) / spread
    table = np.sqrt(area / fill / (size[0] * size[1])) * np.array(size, np.float64)  # of the plane, in page pixels
    plane = photograph.camera(rng, tuple(table), size[0], size, tilt, 0.0)
    views: list[tuple[Page, photograph.View]] = []
    quads: list[npt.NDArray[np.float32]] = []
    for page in sorted(pages, key=lambda p: -p.image.shape[0] * p.image.shape[1]):
        height, width = page.image.shape[:2]
        for _ in range(400):
            angle = 0.0 if flat else _turn(rng, common)
            cosine, sine = np.cos(angle), np.sin(angle)
            x, y = rng.random(2) * table
            lie = np.array([[cosine, -sine, x - cosine * width / 2 + sine * height / 2], [sine, cosine, y - sine * width / 2 - cosine * height / 2], [0, 0, 1]])
            view = photograph.View(plane @ lie, (width, height))
            quad = outline(view, page.corners)
            shares = [_shared(photograph.grown(quad, 0 if overlapping else 0.03), other) for other in quads]
            if _inside(quad, size) and view.in_front() and all(share <= (OVERLAP if overlapping else 0.0) for share in shares):
                break
        else:
            return None
        if glyph(view, page) < rules.glyph * (0.75 if len(pages) > 3 else 1.0):
            return None
        views.append((page, view))
        quads.append(quad)
    return views


def _covered(picture: npt.NDArray[np.uint8], views: Sequence[tuple[Page, photograph.View]], index: int, least: float) -> list[str]:
    """The fields of a document that those above it hide, or whose print is too faint."""
    page, view = views[index]
    mask = np.zeros(picture.shape[:2], np.uint8)
    for upper, above in views[index + 1 :]:
        cv2.fillPoly(mask, [np.round(outline(above, upper.corners)).astype(np.int32)], 255)
    roles = _hidden(mask, view, page, 0.03) + [role for role in _faint(picture, view, page, least) if role not in SMALL_ROLES]
    return documents_flat.fields_of(page.kind, roles)


def scene(
    rng: np.random.Generator, pages: Sequence[Page], size: tuple[int, int], rules: Difficulty, held_out: bool, spread: float = 1.0,
    style: str | None = None,
) -> tuple[npt.NDArray[np.uint8], list[dict[str, Any]], float] | None:
    """Photograph pages together, spread as _arrange says; returns (RGB picture, truths of the documents, level), or None when they do not fit.

    style is "apart", "overlapping" or "collage", drawn where it is None.
    """
    style = style or str(rng.choice(("apart", "overlapping", "collage"), p=(0.6, 0.32, 0.08)))
    flat = style == "collage"
    views = _arrange(rng, pages, size, rules, style == "overlapping", flat, spread)
    if views is None:
        return None
    order = rng.permutation(len(views))
    views = [views[i] for i in order]
    picture = np.full((size[1], size[0], 3), rng.integers(200, 256), np.uint8) if flat else _table(rng, size, held_out)
    for page, view in views:
        if not flat:
            photograph.drop_shadow(rng, picture, view)
        view.lay(page.image, photograph.sheet_alpha(page.image, (0.5 if flat else rng.uniform(1.5, 3.5)) * SCALE), picture)
    level = 0.0 if flat else rng.uniform(*rules.level)
    if not flat:
        if rng.random() < 0.2:
            picture = degrade.glare(picture, rng.uniform(15, 50), rng)
        picture = photograph.spoil(picture, rng, level, min(glyph(view, page) for page, view in views) / 22, glare=False)
    truths = []
    for index, (page, view) in enumerate(views):
        truth = document_truth(page, functools.partial(outline, view))
        covered = _covered(picture, views, index, rules.contrast)
        truths.append((cv2.contourArea(outline(view, page.corners)), {**truth, **({"covered": covered} if covered else {})}))
    truths.sort(key=lambda pair: -pair[0])
    return picture, [truth for _, truth in truths], level


def one(seed: int, index: int, difficulty: str, faces: Sequence[str], held_out: bool) -> tuple[npt.NDArray[np.uint8], dict[str, Any], int]:
    """(picture, truth without its file name, JPEG quality) of one scene; of documents that cannot be arranged one after the other stays away."""
    rules = DIFFICULTIES[difficulty]
    count = int(np.random.default_rng([seed, index]).choice(COUNTS, p=COUNT_SHARES))
    pages: list[Page] = []
    for attempt in range(80):
        rng = np.random.default_rng([seed, index, attempt // 8])
        pages = _pages(rng, max(2, count - attempt // 16), faces, held_out) if attempt % 8 == 0 else pages
        rng = np.random.default_rng([seed, index, attempt, 1])
        shot = scene(rng, pages, pick(rng, SIZES if count <= 3 and attempt < 40 else MANY), rules, held_out, 1 + attempt / 40)
        if shot is not None:
            picture, documents, level = shot
            truth = {"kind": documents[0]["kind"], "documents": documents, "difficulty": difficulty, "level": round(float(level), 2)}
            return picture, truth, rng.integers(95 - 45 * level, 96)
    raise RuntimeError(f"photograph {count} documents, picture {index}: no arrangement within the rules")


def pictures(count: int, difficulty: str, seed: int, faces: Sequence[str], out: str, held_out: bool) -> None:
    """Write count pictures and truth.jsonl into out; goes on where an earlier run stopped."""
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "truth.jsonl")
    done = sum(1 for _ in open(path, encoding="utf-8")) if os.path.exists(path) else 0
    with open(path, "a", encoding="utf-8") as lines:
        for index in range(done, count):
            picture, truth, quality = one(seed, index, difficulty, faces, held_out)
            name = f"{index:04d}.jpg"
            save(os.path.join(out, name), picture, quality)
            lines.write(json.dumps({"file": name, **truth}, ensure_ascii=False) + "\n")
            lines.flush()


def sample(faces: Sequence[str], path: str, seed: int = 47) -> dict[str, Any]:
    """Write a plain photograph of front, back and driving licence of one holder, below 300 kB, to path; returns its truth."""
    for attempt in range(4000):
        rng = np.random.default_rng([seed, attempt])
        holder = egypt_content.person(rng)
        front, back, licence = egypt_content.id_front(rng, holder), egypt_content.id_back(rng, holder), egypt_vehicles.driving_licence(rng, holder)
        if min(back.fields["idExpiry"] or "", licence.fields["expiryDate"] or "") < "2032-01-01" or not back.fields["religion"]:
            continue
        face = documents_flat.portrait(rng, faces, holder.sex)
        pages = [egypt_cards.front(rng, SCALE, face, False, front), egypt_cards.back(rng, SCALE, None, False, back), egypt_licences.driving(rng, SCALE, face, False, licence)]
        rules = Difficulty(9, 11.5, 50.0, (0.1, 0.12), 0.0, 0.0)
        shot = next(filter(None, (scene(rng, pages, (1600, 1200), rules, False, 1.0, "apart") for _ in range(20))), None)
        if shot is not None:
            picture, documents, _ = shot
            documents_golden.fitting(path, degrade.defocus(picture, 0.3), 295_000)
            return {"file": os.path.basename(path), "kind": documents[0]["kind"], "documents": documents}
    raise RuntimeError("draw sample: no arrangement within the rules")


def main() -> None:
    """Parse the command line and write pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.multi")
    parser.add_argument("what", choices=("pictures", "sample"))
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--difficulty", choices=sorted(DIFFICULTIES), default="normal")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--portraits", default="")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "sample":
        print(json.dumps(sample(faces_of(args.portraits), args.out, args.seed or 47), ensure_ascii=False))
    else:
        pictures(args.count, args.difficulty, args.seed, faces_of(args.portraits), args.out, args.held_out)


if __name__ == "__main__":
    main()
