"""Pictures that no answer can be right for: what must get an honest code, or a flag, and never an invented value.

    python -m bawab_training.photograph.documents_bad --count 108 --seed 7501 --held-out --portraits DIR --out DIR

Every picture is NNNN.jpg and one JSON line of truth.jsonl in the form of documents, with the case beside: none (a table, no
document), white (an empty page), half (the picture ends within a card's number), burnt (a reflection over the number), mirrored,
foreign (a card of another country and script), thumbnail (64 x 64 pixels), blurred (beyond reading), tiny (a card of 1 to
2 % of the picture). covered names what cannot be read.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, documents_flat, others, pages
from . import photograph
from ..draw.content import pick
from .documents import SCALE, document_truth, faces_of, outline, save

# A picture, its page and where a quad of that lies in the picture, None where there is none, and the fields that cannot be read.
Shot = tuple[npt.NDArray[np.uint8], pages.Page | None, Callable[[np.ndarray], np.ndarray] | None, Sequence[str]]
SIZE = (1600, 1200)
ALL = ("first_name", "last_names", "name", "address_1", "address_2", "address", "idNumber", "dateOfBirth", "gender", "govern", "idKey",
       "job", "jobTitle", "religion", "maritalStatus", "husbandName", "releaseDate", "idExpiry")


def _card(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> pages.Page:
    kind = "national_id_front" if rng.random() < 0.6 else "national_id_back"
    return documents_flat.draw(rng, kind, SCALE, faces, held_out)


def _shot(
    rng: np.random.Generator, page: pages.Page, share: float, held_out: bool, must: np.ndarray | None = None
) -> tuple[npt.NDArray[np.uint8], photograph.View]:
    """A mild photograph of a page; returns (RGB picture, View)."""
    picture = photograph.background(rng, SIZE, held_out=held_out)
    view = photograph.place(rng, page, SIZE, share, np.radians(12) * rng.random(), rng.normal(0, 0.1), margin=4, must=page.corners if must is None else must)
    if view is None:
        raise RuntimeError(f"photograph {page.kind}: no view")
    photograph.drop_shadow(rng, picture, view)
    view.lay(page.image, photograph.sheet_alpha(page.image, 2.5 * SCALE), picture)
    return photograph.spoil(picture, rng, 0.15, 1.0, glare=False), view


def _number(page: pages.Page) -> np.ndarray:
    return next(line for line in page.lines if "number" in line.role).quad


def none(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A table, with a keyboard on it now and then."""
    picture = photograph.background(rng, SIZE, held_out=held_out)
    if rng.random() < 0.4:
        sheet = others.keyboard(rng, 5, None, held_out)
        view = photograph.place(rng, sheet, SIZE, 0.3, 0.2, rng.uniform(0, 6))
        if view is None:
            raise RuntimeError("photograph a keyboard: no view")
        view.lay(sheet.image, photograph.sheet_alpha(sheet.image, 8), picture)
    return photograph.spoil(picture, rng, 0.2, 1.0, glare=False), None, None, ()


def white(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """An empty white page that fills the picture."""
    tone = int(rng.integers(225, 256))
    picture = degrade.noise(np.full((SIZE[1], SIZE[0], 3), tone, np.uint8), rng.uniform(0, 4), rng)
    return degrade.uneven_light(picture, rng.uniform(0, 0.15), rng), None, None, ()


def half(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card of which the picture shows a part: the cut goes through the number."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, 0.5, held_out)
    number = outline(view, _number(page))
    cut = int(number[:, 0].min() + rng.uniform(0.25, 0.75) * np.ptp(number[:, 0]))
    keep_left = rng.random() < 0.5
    picture = picture[:, :cut] if keep_left else picture[:, cut:]
    moved = lambda quad: outline(view, quad) - (0 if keep_left else [cut, 0])
    return np.ascontiguousarray(picture), page, moved, ("idNumber",)


def burnt(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card whose number lies under a reflection."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, rng.uniform(0.25, 0.6), held_out)
    number = outline(view, _number(page))
    centre = number[0] + (number[2] - number[0]) * rng.uniform(0.3, 0.7)
    reach = np.linalg.norm(number[1] - number[0]) * rng.uniform(0.15, 0.35)
    glow = np.zeros(picture.shape[:2], np.uint8)
    cv2.ellipse(glow, tuple(int(v) for v in centre), (int(reach), int(reach * rng.uniform(0.4, 1))), rng.uniform(0, 180), 0, 360, 255, -1)
    glow = cv2.GaussianBlur(glow, (0, 0), reach * 0.12)
    return cv2.add(picture, cv2.cvtColor(glow, cv2.COLOR_GRAY2RGB)), page, lambda quad: outline(view, quad), ("idNumber",)


def mirrored(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card as a selfie camera shows it."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, rng.uniform(0.25, 0.6), held_out)
    width = picture.shape[1] - 1
    return np.ascontiguousarray(picture[:, ::-1]), page, lambda quad: (outline(view, quad) * [-1, 1] + [width, 0])[[1, 0, 3, 2]], ALL


def foreign(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card with a machine readable zone of another country, or a page of another script."""
    page = pages.zone_card(rng, SCALE, documents_flat.portrait(rng, faces, "M"), held_out) if rng.random() < 0.7 else others.text_page(rng, SCALE, None, held_out)
    page.kind = "unknown"
    picture, view = _shot(rng, page, rng.uniform(0.25, 0.6), held_out)
    return picture, page, lambda quad: outline(view, quad), ()


def thumbnail(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A whole photograph of 64 x 64 pixels."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, 0.5, held_out)
    scale = np.array([64 / SIZE[0], 64 / SIZE[1]])
    return cv2.resize(picture, (64, 64), interpolation=cv2.INTER_AREA), page, lambda quad: outline(view, quad) * scale, ALL


def blurred(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card out of focus beyond reading."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, rng.uniform(0.2, 0.5), held_out)
    quad = outline(view, _number(page))
    return degrade.defocus(picture, np.linalg.norm(quad[3] - quad[0]) * rng.uniform(0.45, 0.8)), page, lambda quad: outline(view, quad), ALL


def tiny(rng: np.random.Generator, faces: Sequence[str], held_out: bool) -> Shot:
    """A card far away."""
    page = _card(rng, faces, held_out)
    picture, view = _shot(rng, page, rng.uniform(0.008, 0.02), held_out)
    return picture, page, lambda quad: outline(view, quad), ALL


CASES = {"none": none, "white": white, "half": half, "burnt": burnt, "mirrored": mirrored, "foreign": foreign, "thumbnail": thumbnail, "blurred": blurred, "tiny": tiny}


def build(count: int, seed: int, faces: Sequence[str], out: str, held_out: bool) -> None:
    """Write count pictures of the cases in turn, and truth.jsonl, into out."""
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for index in range(count):
            case = list(CASES)[index % len(CASES)]
            rng = np.random.default_rng([seed, index])
            picture, page, placed, covered = CASES[case](rng, faces, held_out)
            documents = []
            if page is not None and placed is not None:
                document = document_truth(page, placed)
                documents = [{**document, "covered": sorted(set(covered) & set(document["fields"]))}]
            name = f"{index:04d}.jpg"
            save(os.path.join(out, name), picture, pick(rng, [75, 85, 92]))
            lines.write(json.dumps({"file": name, "case": case, "kind": page.kind if page else "", "documents": documents}, ensure_ascii=False) + "\n")


def main() -> None:
    """Parse the command line and write pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.documents_bad")
    parser.add_argument("--count", type=int, default=108)
    parser.add_argument("--seed", type=int, default=7501)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--portraits", default="")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    build(args.count, args.seed, faces_of(args.portraits), args.out, args.held_out)


if __name__ == "__main__":
    main()
