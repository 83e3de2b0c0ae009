"""Training pictures of the line detector: 512 x 512 grey scenes with their label maps.

    python -m bawab_training.photograph.scenes --count 2200 --seed 1 [--held-out] [--portraits FACES] --out POOL

A pool of flat pages is drawn once (build_pool); every scene lays pages of it anew.
"""

from __future__ import annotations

import argparse
import glob
import os
import pickle
from collections.abc import Iterator

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import degrade, documents_flat, ground_words, others, pages
from . import photograph
from ..draw.content import pick
from .photograph import View

SIDE, CELL = 512, 4  # input side, pixels per label cell
GRID = SIDE // CELL
STRIP = 384  # rows of a training picture
CARDS = frozenset(("membership-card", "free-card", "national_id_front", "national_id_back", "driving_license", "car_license_front", "car_license_back"))
WORDED, WORDED_OTHERS = 0.25, 0.05  # of the cards, and of other pages, have rows of words on their paper
Record = tuple[npt.NDArray[np.uint8], list[tuple[str, np.ndarray, str]], np.ndarray, str]  # of a pool: a page as JPEG, its lines, its corners, its kind
MINIMUM = 3.0  # a band lower than this many input pixels is neither text nor background to the loss


def core_share(height: float) -> float:
    """The share of a band's height (input pixels) that its label core keeps: one half, more where a core would vanish."""
    return float(np.clip(5.0 / max(height, 1e-3), 0.5, 0.75))


class Labels:
    """Label maps of one scene, filled object by object from the bottom up."""

    def __init__(self) -> None:
        self.core = np.zeros((SIDE, SIDE), np.uint8)
        self.zone = np.zeros((SIDE, SIDE), np.uint8)
        self.unsure = np.zeros((GRID, GRID), np.float32)
        self.cosine = np.zeros((GRID, GRID), np.float32)
        self.sine = np.zeros((GRID, GRID), np.float32)
        self.directed = np.zeros((GRID, GRID), np.float32)

    def hide(self, polygon: np.ndarray) -> None:
        """Forget what an opaque thing covers."""
        fine = [np.round(polygon * 16).astype(np.int32)]
        for plane in (self.core, self.zone):
            cv2.fillPoly(plane, fine, 0, shift=4)
        for plane in (self.unsure, self.cosine, self.sine, self.directed):
            _fill(plane, polygon, 0)

    def add(self, view: View, page: pages.Page) -> None:
        """Draw the lines and the zone of a page."""
        zone = page.zone_quad()
        if zone is not None:
            upper, lower = view.edges(zone)
            polygon = np.concatenate([upper, lower[::-1]])
            cv2.fillPoly(self.zone, [np.round(polygon * 16).astype(np.int32)], 255, shift=4)
            self._direct(upper, lower, polygon)
        for line in page.lines:
            self._line(*view.edges(line.quad))

    def _direct(self, upper: np.ndarray, lower: np.ndarray, polygon: np.ndarray) -> None:
        vector = (upper[-1] - upper[0]) + (lower[-1] - lower[0])
        vector = vector / max(np.linalg.norm(vector), 1e-6)
        _fill(self.cosine, polygon, float(vector[0]))
        _fill(self.sine, polygon, float(vector[1]))
        _fill(self.directed, polygon, 1.0)

    def _line(self, upper: np.ndarray, lower: np.ndarray) -> None:
        height = float(np.median(np.linalg.norm(upper - lower, axis=1)))
        middle, half = (upper + lower) / 2, (upper - lower) / 2
        band = np.concatenate([upper, lower[::-1]])
        if height < MINIMUM:
            _fill(self.unsure, band, 1.0)
            return
        half = half * core_share(height)
        polygon = np.concatenate([middle + half, (middle - half)[::-1]])
        cv2.fillPoly(self.core, [np.round(polygon * 16).astype(np.int32)], 255, shift=4)
        self._direct(upper, lower, band)

    def crop(self, width: int, height: int) -> None:
        """Forget what lies beyond the picture of width x height."""
        for plane, cell in ((self.core, 1), (self.zone, 1), (self.unsure, CELL), (self.directed, CELL)):
            plane[-(-height // cell) :] = 0
            plane[:, -(-width // cell) :] = 0

    def maps(self) -> npt.NDArray[np.float32]:
        """float32 [GRID, GRID, 6]: core, zone, cos, sin, weight of core, weight of direction."""
        core = cv2.resize(self.core, (GRID, GRID), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        zone = cv2.resize(self.zone, (GRID, GRID), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
        sure = 1 - self.unsure * (core < 0.05)
        directed = self.directed * np.maximum(core > 0.2, zone > 0.5)
        return np.stack([core, zone, self.cosine, self.sine, sure, directed], -1)


def _fill(plane: np.ndarray, polygon: np.ndarray, value: float) -> None:
    # A label cell covers CELL pixels, so pixel x lies at cell (x + 0.5) / CELL - 0.5.
    points = (polygon + 0.5) / CELL - 0.5
    cv2.fillPoly(plane, [np.round(points * 16).astype(np.int32)], value, shift=4)


def build_pool(folder: str, count: int, seed: int, held_out: bool = False, portraits: str = "") -> None:
    """Draw count flat pages into folder as grey pictures with their lines; skips those already there."""
    os.makedirs(folder, exist_ok=True)
    faces = sorted(glob.glob(os.path.join(portraits, "*.[jp][pn]g"))) if portraits else []
    for index in range(count):
        path = os.path.join(folder, f"{seed:04d}-{index:05d}.pkl")
        if os.path.exists(path):
            continue
        rng = np.random.default_rng([seed, index])
        portrait = cv2.imread(pick(rng, faces))[..., ::-1] if faces else None
        page = random_page(rng, rng.choice([6.0, 8.0, 8.0, 11.0]), portrait, held_out)
        if rng.random() < (WORDED if page.kind in CARDS else WORDED_OTHERS):
            scale = page.image.shape[1] / pages.TD1[0] if page.kind in CARDS else 6.0
            page.image = ground_words.laid(rng, page.image, scale, held_out)
        grey = cv2.cvtColor(page.image, cv2.COLOR_RGB2GRAY)
        _, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, 93])
        record = (data, [(line.text, line.quad, line.kind) for line in page.lines], page.corners, page.kind)
        with open(path + ".part", "wb") as out:
            pickle.dump(record, out)
        os.replace(path + ".part", path)


def random_page(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None, held_out: bool) -> pages.Page:
    """Draw a page of the training mixture, with the facing page above it in a third of the passports."""
    if rng.random() < 0.45:
        kind = pick(rng, ["national_id_front", "national_id_back"] + ["driving_license", "car_license_back"] * 3 + ["car_license_front"])
        return documents_flat.draw(rng, kind, scale, held_out=held_out)
    if rng.random() < 0.25:
        return others.free_card(rng, scale, portrait, held_out)
    draw = rng.random()
    if draw < 0.36:
        page = pages.egyptian_passport(rng, scale, portrait, held_out)
    elif draw < 0.60:
        page = pages.foreign_passport(rng, scale, portrait, held_out)
    elif draw < 0.72:
        return pages.zone_card(rng, scale, portrait, held_out)
    else:
        return others.other(rng, scale, portrait, held_out)
    if rng.random() < 0.35:
        page = others.spread(rng, page, scale, held_out)
    return page


class Pool:
    """Flat pages kept in memory as JPEG, and the tables that they are laid on."""

    def __init__(self, folder: str, tables: int = 150) -> None:
        rng = np.random.default_rng(tables)
        side = SIDE * 5 // 4
        self.tables = [photograph.background(rng, (side, side), grey=True) for _ in range(tables)]
        self.records = []
        for path in sorted(glob.glob(os.path.join(folder, "*.pkl"))):
            with open(path, "rb") as source:
                self.records.append(pickle.load(source))
        self.with_zone = [r for r in self.records if any(line[2] == "mrz" for line in r[1])]
        self.without = [r for r in self.records if not any(line[2] == "mrz" for line in r[1])]
        self.cards = [r for r in self.records if r[3] in CARDS]

    def table(self, rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.uint8]:
        """A piece of a table of size (width, height), turned and mirrored by chance."""
        whole = np.rot90(pick(rng, self.tables), int(rng.integers(4)))[:: int(rng.choice([1, -1]))]
        x, y = (int(rng.integers(0, whole.shape[1] - v + 1)) for v in size)
        return np.ascontiguousarray(whole[y : y + size[1], x : x + size[0]])

    def page(self, record: Record) -> pages.Page:
        """Decode one record."""
        data, lines, corners, kind = record
        return pages.Page(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), [pages.canvas.Line(*line) for line in lines], corners, kind)


def _lay(rng: np.random.Generator, picture: npt.NDArray[np.uint8], labels: Labels, page: pages.Page, view: View) -> npt.NDArray[np.float32]:
    alpha = photograph.sheet_alpha(page.image, rng.uniform(0, 0.05) * page.image.shape[0])
    image = page.image
    if rng.random() < 0.5:
        image = degrade.contrast(image, rng.uniform(0.6, 1.15), rng.uniform(-30, 30), rng.uniform(0.7, 1.4))
    if rng.random() < 0.6:
        photograph.drop_shadow(rng, picture, view)
    view.lay(image, alpha, picture)
    size = view.size
    upper, lower = view.edges(np.array([[0, 0], [size[0], 0], list(size), [0, size[1]]], np.float32))
    labels.hide(np.concatenate([upper, lower[::-1]]))
    labels.add(view, page)
    return np.stack([upper[0], upper[-1], lower[-1], lower[0]])


def whole_picture(rng: np.random.Generator, pool: Pool, low: bool = False) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """A photograph scaled into the square: a document, or none, on a table among other things; low keeps to STRIP rows."""
    aspect = pick(rng, [0.75, 0.75, 0.75, 0.5625, 0.667] + ([] if low else [1.0]))
    size = (SIDE, round(SIDE * aspect)) if low or rng.random() < 0.5 else (round(SIDE * aspect), SIDE)
    picture = pool.table(rng, size)
    labels = Labels()
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.3, 0.1]))):
        page = pool.page(pick(rng, pool.without))
        view = photograph.place(rng, page, size, rng.uniform(0.05, 0.5), rng.uniform(0, 0.6), rng.uniform(0, 2 * np.pi))
        if view:
            _lay(rng, picture, labels, page, view)
    draw = rng.random()
    if draw < 0.90:
        page = pool.page(pick(rng, pool.with_zone if draw < 0.76 else pool.without))
        share = np.exp(rng.uniform(np.log(0.08), np.log(1.1)))
        tilt = rng.uniform(0, np.radians(38)) * np.sqrt(rng.random())
        bend = rng.uniform(0, 0.05) if rng.random() < 0.4 else 0.0
        view = photograph.place(rng, page, size, share, tilt, _roll(rng), bend)
        if view:
            outline = _lay(rng, picture, labels, page, view)
            if rng.random() < 0.2:
                labels.hide(photograph.finger(rng, picture, outline).astype(np.float32))
    return _finished(rng, picture, labels)


def _roll(rng: np.random.Generator) -> float:
    """Any turn, the four upright ones more often."""
    if rng.random() < 0.5:
        return rng.uniform(0, 2 * np.pi)
    return np.pi / 2 * rng.choice([0, 0, 1, 2, 3]) + rng.normal(0, 0.12)


def _finished(
    rng: np.random.Generator, picture: npt.NDArray[np.uint8], labels: Labels
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    level = rng.random() ** 1.5
    picture = photograph.spoil(picture, rng, level, 0.8)
    if rng.random() < 0.4:
        picture = photograph.coded(picture, rng, level)
    height, width = picture.shape[:2]
    square = np.zeros((SIDE, SIDE), np.uint8)
    square[:height, :width] = picture
    labels.crop(width, height)
    return square, labels.maps()


def zone_crop(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """The second pass: a square about a zone, nearly upright, the zone filling most of its width."""
    page = pool.page(pick(rng, pool.with_zone))
    zone = page.zone_quad()
    if zone is None:
        raise ValueError(f"the {page.kind} has no zone")
    size = (page.image.shape[1], page.image.shape[0])
    share = rng.uniform(0.55, 0.9) if rng.random() < 0.85 else rng.uniform(0.35, 0.6)
    width = share * SIDE * size[0] / (zone[1, 0] - zone[0, 0])
    roll = rng.normal(0, 0.07) + (np.pi if rng.random() < 0.12 else 0)
    tilt = rng.uniform(0, np.radians(30)) * np.sqrt(rng.random())
    bend = random_small_bend(rng, size)
    view = View(photograph.camera(rng, size, width, (SIDE, SIDE), tilt, roll), size, bend)
    if not view.in_front():
        view = View(photograph.camera(rng, size, width, (SIDE, SIDE), 0.0, roll), size, bend)
    upper, lower = view.edges(zone)
    centre = np.concatenate([upper, lower]).mean(0)
    target = np.array([SIDE / 2, SIDE / 2]) + rng.normal(0, 14, 2)
    view.homography = photograph.shifted(view.homography, target - centre)
    return _close_up(rng, pool, page, view)


def random_small_bend(rng: np.random.Generator, size: tuple[int, int]) -> tuple[float, float, float, float]:
    """The bend of a page that does not lie quite flat, none in half of the cases."""
    if rng.random() < 0.5:
        return (0.0, 0.0, 0.0, 0.0)
    return photograph.random_bend(rng, size, rng.uniform(0, 0.03))


def text_crop(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """A close look at lines of any page, one of them 12 to 40 pixels tall."""
    page = pool.page(pick(rng, pool.records))
    if not page.lines:
        return zone_crop(rng, pool)
    line = pick(rng, page.lines)
    size = (page.image.shape[1], page.image.shape[0])
    height = np.linalg.norm(line.quad[3] - line.quad[0])
    width = min(rng.uniform(12, 40) / max(height, 2) * size[0], 4 * size[0], 6 * SIDE)
    roll = rng.normal(0, 0.1) if rng.random() < 0.5 else rng.uniform(0, 2 * np.pi)
    bend, tilt = random_small_bend(rng, size), rng.uniform(0, 0.4)
    view = View(photograph.camera(rng, size, width, (SIDE, SIDE), tilt, roll), size, bend)
    if not view.in_front():
        view = View(photograph.camera(rng, size, width, (SIDE, SIDE), 0.0, roll), size, bend)
    centre = view.forward(line.quad.mean(0)[None])[0]
    view.homography = photograph.shifted(view.homography, rng.uniform(0.2, 0.8, 2) * SIDE - centre)
    return _close_up(rng, pool, page, view)


def card_view(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """A card as the reader rectifies it: hardly turned, its edges a little off, at times upside down; as wide as the square, or a piece of one up to 2.7 times as wide."""
    page = pool.page(pick(rng, pool.cards))
    size = (page.image.shape[1], page.image.shape[0])
    near = rng.uniform(1.2, 2.7) if rng.random() < 0.5 else 1.0
    square = (SIDE, SIDE if near > 1 else min(SIDE, round(SIDE * size[1] / size[0] * rng.uniform(0.97, 1.03))))
    roll = rng.normal(0, 0.015) + (np.pi if rng.random() < 0.15 else 0)
    width = near * SIDE * rng.normal(1.0, 0.02)
    view = View(photograph.camera(rng, size, width, square, rng.uniform(0, 0.06), roll), size, random_small_bend(rng, size))
    room = np.maximum(width * np.array([1, size[1] / size[0]]) - square, 0) / 2
    view.homography = photograph.shifted(view.homography, rng.uniform(-room, room) + rng.normal(0, 5, 2))
    picture, labels = pool.table(rng, square), Labels()
    outline = _lay(rng, picture, labels, page, view)
    if rng.random() < 0.1:
        labels.hide(photograph.finger(rng, picture, outline).astype(np.float32))
    return _finished(rng, picture, labels)


def _close_up(rng: np.random.Generator, pool: Pool, page: pages.Page, view: View) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    picture = pool.table(rng, (SIDE, SIDE))
    labels = Labels()
    _lay(rng, picture, labels, page, view)
    if rng.random() < 0.15:
        # The crop reaches beyond the picture: black on one side.
        edge, side = int(rng.integers(0, 90)), int(rng.integers(4))
        box = [(0, 0, SIDE, edge), (0, SIDE - edge, SIDE, SIDE), (0, 0, edge, SIDE), (SIDE - edge, 0, SIDE, SIDE)][side]
        picture[box[1] : box[3], box[0] : box[2]] = 0
        labels.hide(np.array([[box[0], box[1]], [box[2], box[1]], [box[2], box[3]], [box[0], box[3]]], np.float32) - 0.5)
    return _finished(rng, picture, labels)


def scene(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """One picture of the mixture: uint8 [512, 512], float32 [128, 128, 6]."""
    draw = rng.random()
    if draw < 0.30:
        return whole_picture(rng, pool)
    if draw < 0.54:
        return zone_crop(rng, pool) if draw < 0.44 else text_crop(rng, pool)
    return card_view(rng, pool)


def strip(rng: np.random.Generator, pool: Pool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """One training pair of STRIP rows: uint8 [384, 512], float32 [96, 128, 6].

    Every turn occurs, so upright pictures teach nothing that lying ones do not, and the empty quarter is saved.
    """
    draw = rng.random()
    if draw < 0.30:
        image, maps = whole_picture(rng, pool, low=True)
    elif draw < 0.54:
        image, maps = zone_crop(rng, pool) if draw < 0.43 else text_crop(rng, pool)
        first = int(rng.integers(0, (SIDE - STRIP) // CELL + 1))
        return image[first * CELL : first * CELL + STRIP], maps[first : first + STRIP // CELL]
    else:
        image, maps = card_view(rng, pool)
    return image[:STRIP], maps[: STRIP // CELL]


def cuts(
    image: npt.NDArray[np.uint8], maps: npt.NDArray[np.float32], rng: np.random.Generator, side: int = 320, count: int = 3
) -> Iterator[tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]]:
    """Squares of side pixels out of a training pair, each about a text cell where there is one, each turned by some quarters."""
    rows, columns = np.nonzero(maps[..., 5] > 0)
    cells = side // CELL
    for _ in range(count):
        if len(rows) and rng.random() < 0.9:
            chosen = int(rng.integers(len(rows)))
            centre = np.array([rows[chosen], columns[chosen]]) + rng.integers(-30, 31, 2)
        else:
            centre = rng.integers(0, maps.shape[:2])
        y, x = np.clip(centre - cells // 2, 0, np.array(maps.shape[:2]) - cells)
        part = image[y * CELL : y * CELL + side, x * CELL : x * CELL + side]
        yield _quarter_turned(part, maps[y : y + cells, x : x + cells], int(rng.integers(4)))


def _quarter_turned(
    image: npt.NDArray[np.uint8], maps: npt.NDArray[np.float32], quarters: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """A square pair turned counter-clockwise by quarters of a turn, the directions with it."""
    image, maps = np.rot90(image, quarters), np.rot90(maps, quarters).copy()
    for _ in range(quarters):
        maps[..., 2], maps[..., 3] = maps[..., 3].copy(), -maps[..., 2]
    return image, maps


def main() -> None:
    """Parse the command line and draw a pool."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.scenes")
    parser.add_argument("--count", type=int, default=2200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true", help="fonts that training never sees")
    parser.add_argument("--portraits", default="", help="folder of portraits; without it pages show none")
    parser.add_argument("--out", required=True, help="folder of the pool")
    args = parser.parse_args()
    build_pool(args.out, args.count, args.seed, args.held_out, args.portraits)


if __name__ == "__main__":
    main()
