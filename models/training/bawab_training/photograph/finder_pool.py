"""The flat documents and tables that training pictures of the document finder are made of.

A pool is drawn once (build_pool, gather) and kept in files; every scene of finder_scenes lays some of its documents anew.
"""

from __future__ import annotations

import glob
import json
import os
import pickle
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import egypt_upright, kinds, others, pages, patterns
from . import sheets
from . import photograph
from ..draw.content import pick

SIDE = 256  # pixels of the network's input
WIDEST = 420  # pixels of the longer side of a flat document in the pool

# In the order of the network's classes; the last is no kind of the contract but any document seen in a mirror.
KINDS = (*kinds.NAMES, "unknown", "mirrored")
UNKNOWN, MIRRORED, PLATE = KINDS.index("unknown"), KINDS.index("mirrored"), KINDS.index("license_plate")
LICENCES = frozenset(("driving_license", "car_license_front", "car_license_back"))
SHARES = (0.20, 0.17, 0.10, 0.09, 0.09, 0.11, 0.10, 0.14, 0.0)
MOTORCYCLES = 0.3  # of the plates


@dataclass
class Flat:
    """A flat document: RGB picture, class (-1 for clutter) and the corners of the document in it, TL TR BR BL in pixels."""

    image: npt.NDArray[np.uint8]
    kind: int
    corners: npt.NDArray[np.float32]


_Record = tuple[npt.NDArray[np.uint8], int, npt.NDArray[np.float32]]  # a Flat whose picture is a JPEG file


def _record(image: npt.NDArray[np.uint8], kind: int, corners: npt.ArrayLike, widest: int = WIDEST) -> _Record:
    """A picture shrunk to the pool's size, coded, with its corners."""
    scale = widest / max(image.shape[:2])
    if scale < 1:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        corners = np.asarray(corners, np.float32) * scale
    _, data = cv2.imencode(".jpg", image[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 93])
    return data, kind, np.asarray(corners, np.float32)


def _drawn(rng: np.random.Generator, portrait: npt.NDArray[np.uint8] | None, held_out: bool) -> _Record:
    """One record from the generators of passports and of sheets that are none of the contract's kinds."""
    draw, scale = rng.random(), rng.choice([4.0, 5.0])
    if draw < 0.45:
        page = (pages.egyptian_passport if draw < 0.25 else pages.foreign_passport)(rng, scale, portrait, held_out)
        if rng.random() < 0.35:
            page = others.spread(rng, page, scale, held_out)
        return _record(page.image, KINDS.index("passport"), page.corners)
    if draw < 0.60:
        page = pages.zone_card(rng, scale, portrait, held_out)
    elif draw < 0.93:
        page = pick(rng, (others.text_page, others.code_page, others.bank_card, others.codes))(rng, scale, portrait, held_out)
    else:
        page = others.keyboard(rng, scale, portrait, held_out)
        return _record(page.image, -1, page.corners)
    return _record(page.image, UNKNOWN, page.corners)


def build_pool(path: str, count: int, seed: int, held_out: bool = False, portraits: str = "") -> None:
    """Draw count passports, other sheets and clutter into the pool file path."""
    faces, records = sorted(glob.glob(os.path.join(portraits, "*.[jp][pn]g"))) if portraits else [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        portrait = cv2.imread(pick(rng, faces))[..., ::-1] if faces else None
        records.append(_drawn(rng, portrait, held_out))
    _write(path, records)


def build_sheets(path: str, count: int, seed: int, photos: str = "") -> None:
    """Draw count sheets of print into the pool file path, some with a photograph of the folder photos on them."""
    names, records = sorted(glob.glob(os.path.join(photos, "*.jpg"))) if photos else [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        image = sheets.draw(rng, cv2.imread(pick(rng, names))[..., ::-1] if names else None)
        height, width = image.shape[:2]
        records.append(_record(image, UNKNOWN, [[0, 0], [width, 0], [width, height], [0, height]], sheets.LONG))
    _write(path, records)


def build_upright(path: str, count: int, seed: int, portraits: str = "") -> None:
    """Draw count licences and badges that are higher than wide into the pool file path."""
    faces, records = sorted(glob.glob(os.path.join(portraits, "*.[jp][pn]g"))) if portraits else [], []
    for index in range(count):
        rng = np.random.default_rng([seed, index])
        page = egypt_upright.draw(rng, 8.0, cv2.imread(pick(rng, faces))[..., ::-1] if faces else None)
        records.append(_record(page.image, KINDS.index(page.kind), page.corners))
    _write(path, records)


def gather(path: str, folder: str) -> None:
    """Bring the flat documents of a folder, which has a truth.jsonl with a line {"file", "kind"} each, into the pool file path."""
    records = []
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as source:
        for row in map(json.loads, source):
            image = cv2.imread(os.path.join(folder, row["file"]))
            height, width = image.shape[:2]
            records.append(_record(image[..., ::-1], KINDS.index(row["kind"]), [[0, 0], [width, 0], [width, height], [0, height]]))
    _write(path, records)


def _write(path: str, records: list[_Record]) -> None:
    with open(path + ".part", "wb") as out:
        pickle.dump(records, out)
    os.replace(path + ".part", path)


def _read(path: str) -> Iterator[Flat]:
    with open(path, "rb") as source:
        for data, kind, corners in pickle.load(source):
            yield Flat(np.ascontiguousarray(cv2.imdecode(data, cv2.IMREAD_COLOR)[..., ::-1]), kind, corners)


class Pool:
    """Flat documents by class, and the tables and sheets of print that they are laid on; all pictures in memory."""

    def __init__(self, folder: str, photos: str = "", tables: int = 160, held_out: bool = False) -> None:
        rng = np.random.default_rng(tables)
        side = SIDE * 5 // 4
        self.tables = [photograph.background(rng, (side, side), held_out=held_out) for _ in range(tables)]
        names = sorted(glob.glob(os.path.join(photos, "*.jpg"))) if photos else []
        self.photos = [cv2.imread(names[k])[..., ::-1] for k in rng.permutation(len(names))[:1500]]
        self.by_kind: dict[int, list[Flat]] = {}
        self.sheets: list[Flat] = []
        for path in sorted(glob.glob(os.path.join(folder, "*.pkl"))):
            below = os.path.basename(path).startswith("sheets")
            for flat in _read(path):
                (self.sheets if below else self.by_kind.setdefault(flat.kind, [])).append(flat)
        weights = np.array([share * bool(self.by_kind.get(kind)) for kind, share in enumerate(SHARES)])
        self.shares = weights / weights.sum()

    def table(self, rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        """A piece of a table, or of a photograph of something else, of size (width, height), turned and mirrored by chance."""
        if self.photos and rng.random() < 0.3:
            whole = pick(rng, self.photos)
            zoom = max(size) / min(whole.shape[:2]) * rng.uniform(1.0, 2.5)
            whole = cv2.resize(whole, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_LINEAR)
        else:
            whole = pick(rng, self.tables)
        whole = np.rot90(whole, int(rng.integers(4)))[:: int(rng.choice([1, -1]))]
        x, y = (int(rng.integers(0, whole.shape[1 - k] - v + 1)) for k, v in enumerate(size))
        return twisted(rng, np.ascontiguousarray(whole[y : y + size[1], x : x + size[0]]), 0.7)

    def document(self, rng: np.random.Generator) -> Flat:
        """A document of a drawn class; now and then one seen in a mirror."""
        kind = int(rng.choice(len(SHARES), p=self.shares))
        if kind == PLATE:
            return self.plate(rng)
        flat = pick(rng, self.by_kind[kind])
        if kind != UNKNOWN and rng.random() < 0.08:
            flat = Flat(_darkened(rng, flat.image), kind, flat.corners)
        elif KINDS[kind] in LICENCES and rng.random() < 0.35:
            flat = Flat(_banded(rng, flat.image), kind, flat.corners)
        if rng.random() < 0.09 and kind != UNKNOWN:
            corners = flat.corners * [-1, 1] + [flat.image.shape[1], 0]
            flat = Flat(np.ascontiguousarray(flat.image[:, ::-1]), MIRRORED, corners[[1, 0, 3, 2]].astype(np.float32))
        return flat

    def plate(self, rng: np.random.Generator) -> Flat:
        """A plate, of a motorcycle more often than in the streets."""
        small = rng.random() < MOTORCYCLES
        for _ in range(40):
            flat = pick(rng, self.by_kind[PLATE])
            if (flat.image.shape[1] < 1.7 * flat.image.shape[0]) == small:
                break
        return flat

    def clutter(self, rng: np.random.Generator) -> Flat:
        """A keyboard, or an empty sheet of any colour."""
        if self.by_kind.get(-1) and rng.random() < 0.35:
            return pick(rng, self.by_kind[-1])
        size = (int(rng.uniform(120, 400)), int(rng.uniform(120, 400)))
        tone = rng.integers(190, 256) + rng.integers(-12, 13, 3) if rng.random() < 0.6 else rng.integers(0, 256, 3)
        image = np.full((size[1], size[0], 3), np.clip(tone, 0, 255), np.uint8)
        if rng.random() < 0.3:
            image = patterns.blend(rng, size, [np.clip(tone, 0, 255), np.clip(tone * rng.uniform(0.7, 1.1), 0, 255)], 1)
        return Flat(image, -1, np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32))


def _banded(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """With one or two bands of a colour along its sides, over the print or with the print light on dark: the layouts of licences are not confirmed, and a band looks like the end of the card."""
    for _ in range(1 if rng.random() < 0.7 else 2):
        quarters = pick(rng, [0, 0, 0, 1, 2, 2, 3])
        turned = np.rot90(image, quarters).copy()
        deep, share = round(turned.shape[0] * rng.uniform(0.06, 0.32)), rng.uniform(0.4, 1.0)
        below = 255 - turned[:deep] if rng.random() < 0.5 else turned[:deep]
        tone = rng.integers(0, 256 if rng.random() < 0.4 else 110, 3)
        turned[:deep] = below * (1 - share) + tone * share
        image = np.ascontiguousarray(np.rot90(turned, -quarters))
    return image


def _darkened(rng: np.random.Generator, image: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """With light print on a dark ground; what is dark at large, such as a portrait or a bar code, stays as it is."""
    luma = image @ np.array([0.299, 0.587, 0.114])
    ground = cv2.blur(luma.astype(np.float32), (31, 31))
    share = np.clip((ground - rng.uniform(105, 135)) / 25, 0, 1)[..., None]
    tone = rng.uniform(8, 75) * rng.uniform(0.5, 1.6, 3)
    light = np.clip((ground - luma) * rng.uniform(1.0, 1.8), -20, 255)[..., None] * rng.uniform(0.85, 1.05, 3)
    return np.clip((tone + light) * share + image * (1 - share), 0, 255).astype(np.uint8)


def twisted(rng: np.random.Generator, image: npt.NDArray[np.uint8], chance: float) -> npt.NDArray[np.uint8]:
    """With that chance, another hue, saturation and brightness: what is read must not hang on the colours of one drawing."""
    if rng.random() > chance:
        return image
    angle = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.35)
    strength = 0.0 if rng.random() < 0.1 else rng.uniform(0.2, 1.6)
    luma = np.array([0.299, 0.587, 0.114])
    # Colour differences about grey, turned in the plane across the grey axis.
    axis = np.ones((3, 1)) / np.sqrt(3)
    turn, _ = cv2.Rodrigues(axis * angle)
    grey = np.ones((3, 1)) @ luma[None]
    matrix = grey + strength * turn @ (np.eye(3) - grey)
    matrix *= rng.uniform(0.75, 1.15)
    return np.clip(cv2.transform(image, matrix.astype(np.float32)), 0, 255).astype(np.uint8)
