"""Flat documents for the scenes of the face detector: those with a place for a portrait, into which any face is then printed, and those without.

    python -m bawab_training.face_cards --count 600 --seed 21 --out FILE

Every document is drawn twice from one seed, with a black and with a white portrait. Where the two differ the portrait lies, under all
that was printed or scratched over it; any other portrait is the mean of the two by its own light, as the factory would have printed it.
"""

import argparse
import os
import pickle
from dataclasses import dataclass

import cv2
import numpy as np

from . import documents_flat, others, pages, papers, plates
from .content import pick

WIDTH = 560  # pixels of a document's longer side in the file
WITH = ("national_id_front", "national_id_front", "driving_license", "passport")
WITHOUT = ("national_id_back", "national_id_back", "car_license_front", "car_license_back", "license_plate")


@dataclass
class Card:
    """A flat document: RGB picture with a black portrait, the pieces (x, y, RGB) with a white one, the portrait first, then its ghosts."""

    image: np.ndarray
    pieces: list

    def printed(self, portrait):
        """(the document with a portrait, RGB of any size; the maps 3 x 3 from portrait to document, for itself and each ghost)."""
        image, maps = self.image.copy(), []
        for x, y, white in self.pieces:
            height, width = white.shape[:2]
            light = cv2.resize(portrait, (width, height), interpolation=cv2.INTER_AREA).astype(np.uint16)
            part = image[y : y + height, x : x + width]
            part[:] = (part * (255 - light) + white * light + 127) // 255
            maps.append(np.array([[width / portrait.shape[1], 0, x], [0, height / portrait.shape[0], y], [0, 0, 1]]))
        return image, maps


def _with(kind, seed):
    """(black, white) pictures of a document with a place for a portrait."""
    drawn = []
    for level in (0, 255):
        rng, portrait = np.random.default_rng(seed), np.full((152, 116, 3), level, np.uint8)
        scale = documents_flat.scale_for(kind, rng.uniform(WIDTH, 1.2 * WIDTH))
        if kind == "passport":
            page = (pages.egyptian_passport if rng.random() < 0.55 else pages.foreign_passport)(rng, scale, portrait)
        elif kind == "unknown":
            page = pick(rng, (others.membership_card, pages.zone_card))(rng, scale, portrait)
        else:
            maker = {"national_id_front": documents_flat.egypt_cards.front, "driving_license": documents_flat.egypt_licences.driving}[kind]
            page = maker(rng, scale, portrait)
        drawn.append(page.image)
    return drawn


def _without(kind, rng):
    """The picture of a document without a face, or of a plate or a page of print."""
    if kind == "license_plate":
        return plates.plate(rng, documents_flat.scale_for(kind, WIDTH), None, False).image
    if kind == "page":
        page = pick(rng, (papers.prose, papers.columns, papers.mixed, papers.form))(rng, False)
        image = np.asarray(getattr(page, "image", page))
        side = min(image.shape[:2])
        top = int(rng.integers(0, image.shape[0] - side + 1))
        return image[top : top + side, :side]
    if kind == "other":
        return pick(rng, (others.text_page, others.code_page, others.bank_card, others.codes, others.keyboard))(rng, 6.0).image
    return documents_flat.draw(rng, kind, documents_flat.scale_for(kind, WIDTH)).image


def _shrunk(image):
    scale = WIDTH / max(image.shape[:2])
    size = tuple(max(1, round(v * scale)) for v in image.shape[1::-1])
    return np.ascontiguousarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR))


def _pieces(black, white):
    """Where two drawings of one document differ: the largest area first."""
    change = (cv2.absdiff(black, white).max(2) > 24).astype(np.uint8)
    change = cv2.morphologyEx(change, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    count, _, boxes, _ = cv2.connectedComponentsWithStats(change)
    boxes = sorted((tuple(b) for b in boxes[1:count] if b[2] >= 20 and b[3] >= 24), key=lambda b: -b[4])
    return [(x, y, white[y : y + h, x : x + w].copy()) for x, y, w, h, _ in boxes[:2]]


def _coded(image):
    return cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 92])[1]


def build(count, seed, out):
    """Draw count documents into the file out: half of them with a place for a portrait."""
    rows = []
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        if number % 2:
            kind = pick(rng, WITHOUT + ("page", "other"))
            rows.append((_coded(_shrunk(np.asarray(_without(kind, rng)))), []))
            continue
        black, white = (_shrunk(image) for image in _with(pick(rng, WITH + ("unknown",)), [seed, number, 1]))
        pieces = _pieces(black, white) if black.shape == white.shape else []
        if pieces:
            rows.append((_coded(black), [(x, y, _coded(piece)) for x, y, piece in pieces]))
    with open(out + ".part", "wb") as file:
        pickle.dump(rows, file)
    os.replace(out + ".part", out)


def _decoded(data):
    return np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1])


def load(path, held):
    """(documents with a portrait's place, documents without) of a file of build; a tenth is for the figures alone."""
    with open(path, "rb") as file:
        rows = pickle.load(file)
    chosen = [row for number, row in enumerate(rows) if (number // 2 % 10 == 0) == held]
    cards = [Card(_decoded(image), [(x, y, _decoded(piece)) for x, y, piece in pieces]) for image, pieces in chosen]
    return [c for c in cards if c.pieces], [c for c in cards if not c.pieces]


def main():
    """Parse the command line and draw the documents."""
    parser = argparse.ArgumentParser(prog="bawab_training.face_cards")
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--seed", type=int, default=21)
    parser.add_argument("--out", required=True, help="file to write")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    build(args.count, args.seed, args.out)


if __name__ == "__main__":
    main()
