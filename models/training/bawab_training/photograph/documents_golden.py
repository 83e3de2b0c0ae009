"""The committed pictures of documents: the golden set and the samples of the README, small enough for the repository.

    python -m bawab_training.photograph.documents_golden golden --portraits DIR --out ../samples/documents
    python -m bawab_training.photograph.documents_golden licences --portraits DIR --out ../samples/licences
    python -m bawab_training.photograph.documents_golden samples --portraits DIR --out ../samples

Holders, numbers and portraits are invented, fonts and tables those of training.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, documents_flat, egypt_cards, egypt_content, egypt_licences, egypt_vehicles
from . import photograph
from .documents import SCALE, Difficulty, document_truth, faces_of, glyph, outline, photograph_of, save
from ..draw.pages import Page

_KINDS = ("national_id_front", "national_id_back", "national_id_front", "driving_license", "national_id_front", "national_id_back", "car_license_front", "national_id_front",
          "national_id_back", "car_license_back", "national_id_front", "license_plate", "national_id_back", "national_id_front")
_VALID = "2032-01-01"  # samples stay valid for years


def fitting(path: str, picture: npt.NDArray[np.uint8], limit: int) -> None:
    """Write a JPEG of at most limit bytes."""
    for quality in range(90, 14, -4):
        save(path, picture, quality)
        if os.path.getsize(path) <= limit:
            return


def sides(rng: np.random.Generator, faces: Sequence[str], held_out: bool = False) -> tuple[Page, Page]:
    """Front and back of one holder's card that is valid for years, as pages."""
    while True:
        holder = egypt_content.person(rng)
        front, back = egypt_content.id_front(rng, holder), egypt_content.id_back(rng, holder)
        if (back.fields["idExpiry"] or "") > _VALID and front.text("birth") and front.text("serial") and back.fields["religion"]:
            break
    face = documents_flat.portrait(rng, faces, holder.sex)
    return egypt_cards.front(rng, SCALE, face, held_out, front), egypt_cards.back(rng, SCALE, None, held_out, back)


def together(
    rng: np.random.Generator, pages: Sequence[Page], size: tuple[int, int], tilt: float, level: float
) -> tuple[npt.NDArray[np.uint8], list[photograph.View]]:
    """Photograph two pages one above the other; returns (RGB picture, views)."""
    picture = photograph.background(rng, size)
    half = (size[0], size[1] // 2)
    views: list[photograph.View] = []
    for row, page in enumerate(pages):
        view = photograph.place(rng, page, half, rng.uniform(0.4, 0.6), tilt, rng.normal(0, 0.08), margin=6, must=page.corners)
        if view is None:
            raise RuntimeError(f"photograph {page.kind} beside another: no view")
        view.homography = photograph.shifted(view.homography, (0, row * half[1]))
        photograph.drop_shadow(rng, picture, view)
        view.lay(page.image, photograph.sheet_alpha(page.image, 2.5 * SCALE), picture)
        views.append(view)
    return photograph.spoil(picture, rng, level, 0.6, glare=False), views


def _placed(view: photograph.View) -> Callable[[np.ndarray], npt.NDArray[np.float32]]:
    return lambda quad: outline(view, quad)


def _pair(seed: int, index: int, faces: Sequence[str]) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
    """One picture of both sides of a card and its truth."""
    rng = np.random.default_rng([seed, index])
    pages = sides(rng, faces)
    picture, views = together(rng, pages, (1280, 960), 0.12, 0.2)
    documents = [document_truth(page, _placed(view)) for page, view in zip(pages, views)]
    documents.sort(key=lambda document: -cv2.contourArea(np.float32(document["quad"])))
    return picture, {"kind": documents[0]["kind"], "documents": documents, "level": 0.2, "glyph": round(float(min(map(glyph, views, pages))), 1)}


def _single(seed: int, index: int, kind: str, share: float, faces: Sequence[str]) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
    """One picture of a document, turned by its index, the more spoilt the larger share (0 to 1)."""
    level = 0.05 + 0.45 * share
    rules = Difficulty(6 + 16 * share, 13.0, 30.0, (level, level + 0.01), 0.2, 0.0)
    for attempt in range(80):
        rng = np.random.default_rng([seed, index, attempt])
        page = documents_flat.draw(rng, kind, SCALE, faces)
        shot = photograph_of(page, rng, (1280, 960), rules, False)
        if shot:
            picture, view, level, _ = shot
            return picture, {"kind": kind, "documents": [document_truth(page, _placed(view))], "level": round(float(level), 2), "glyph": round(float(glyph(view, page)), 1)}
    raise RuntimeError(f"draw golden picture {index}: no view within the rules")


def golden(faces: Sequence[str], out: str, seed: int = 4200) -> None:
    """Write the golden set: fourteen single documents from easy to hard and two pictures of both sides, each below 120 kB."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(len(_KINDS) + 2):
            if index < len(_KINDS):
                picture, truth = _single(seed, index, _KINDS[index], index / (len(_KINDS) - 1), faces)
            else:
                picture, truth = _pair(seed, index, faces)
            name = f"{index:02d}.jpg"
            fitting(os.path.join(out, name), picture, 118_000)
            lines.write(json.dumps({"file": name, **truth, "difficulty": "normal"}, ensure_ascii=False) + "\n")


def _licence(rng: np.random.Generator, index: int, faces: Sequence[str]) -> Page:
    """A licence as a page: of the holder of the samples for the first one, of anybody for the others."""
    holder = egypt_content.person(rng)
    if index == 0:
        holder.sex, holder.number, holder.first, holder.rest = "M", "25311022477412", "رجب", "حجازى أحمد دياب سعكاوى".split()
    face = documents_flat.portrait(rng, faces, holder.sex)
    if index % 3 == 0:
        return egypt_licences.driving(rng, SCALE, face, False, egypt_vehicles.driving_licence(rng, holder))
    if index % 3 == 1:
        return egypt_licences.car_front(rng, SCALE, None, False, egypt_vehicles.car_front(rng, holder))
    return egypt_licences.car_back(rng, SCALE, None, False)


def licences(faces: Sequence[str], out: str, seed: int = 4300) -> None:
    """Write nine photographs of licences from easy to fair, the three kinds in turn, each below 90 kB."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(9):
            level = 0.05 + 0.05 * (index // 3)
            rules = Difficulty(6 + 4 * (index // 3), 14.0, 40.0, (level, level + 0.01), 0.0, 0.0)
            for attempt in range(200):
                rng = np.random.default_rng([seed, index, attempt])
                page = _licence(rng, index, faces)
                shot = photograph_of(page, rng, (1280, 960), rules, False)
                if shot and abs(_turn(shot[1])) < (0.2 if index < 6 else 4):
                    break
            else:
                raise RuntimeError(f"draw licence {index}: no view within the rules")
            name = f"{index:02d}.jpg"
            fitting(os.path.join(out, name), shot[0], 88_000)
            truth = {"kind": page.kind, "documents": [document_truth(page, _placed(shot[1]))], "difficulty": "normal"}
            lines.write(json.dumps({"file": name, **truth}, ensure_ascii=False) + "\n")


def samples(faces: Sequence[str], out: str, seed: int = 43) -> list[dict[str, Any]]:
    """Write id_front.jpg and id_back.jpg, plain photographs of one valid card, each below 300 kB; returns their truth."""
    for attempt in range(200):
        rng = np.random.default_rng([seed, attempt])
        pages = sides(rng, faces)
        rules = Difficulty(9, 26.0, 60.0, (0.1, 0.12), 0.0, 0.0)
        shots = [shot for page in pages if (shot := photograph_of(page, rng, (1600, 1200), rules, False)) is not None]
        if len(shots) == len(pages) and all(abs(_turn(shot[1])) < 0.15 for shot in shots):
            break
    else:
        raise RuntimeError("draw samples: no views within the rules")
    truths = []
    for page, shot, name in zip(pages, shots, ("id_front.jpg", "id_back.jpg")):
        fitting(os.path.join(out, name), degrade.defocus(shot[0], 0.3), 295_000)
        truths.append({"file": name, "kind": page.kind, "documents": [document_truth(page, _placed(shot[1]))]})
    return truths


def _turn(view: photograph.View) -> float:
    """How far a view turns its page, in radians."""
    corners = outline(view, np.array([[0, 0], [view.size[0], 0]]))
    across = corners[1] - corners[0]
    return np.arctan2(across[1], across[0])


def main() -> None:
    """Parse the command line and write pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.documents_golden")
    parser.add_argument("what", choices=("golden", "licences", "samples"))
    parser.add_argument("--portraits", default="")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    faces = faces_of(args.portraits)
    if args.what == "golden":
        golden(faces, args.out)
    elif args.what == "licences":
        licences(faces, args.out)
    else:
        for truth in samples(faces, args.out):
            print(json.dumps(truth, ensure_ascii=False))


if __name__ == "__main__":
    main()
