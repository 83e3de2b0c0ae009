"""Training pictures of the face detector: photographs of faces laid into scenes, with what is where.

Faces are those of a face_pool with the teachers' landmarks; they lie before tables and faceless documents, as
people do and as portraits do, are printed into whole documents, or fill the picture as in the service's second look. Points are
x, y in pixels of the picture; the middle of the first pixel is 0.5.
"""

import pickle
from dataclasses import dataclass

import cv2
import numpy as np

from . import degrade, documents_flat, face_cards, face_decoys, face_pool, patterns, photograph
from .content import pick
from .finder_pool import twisted

SIDE, BLOCK = 256, 8
GRID = SIDE // BLOCK
MOST = 6  # faces in a scene
SEEN, HIDDEN = 0.55, 0.72  # a face of which less lies in the picture, or more is hidden, is neither right nor wrong
BACKDROP = 384
LEAST = 9.0  # pixels of the smallest face that counts
UPRIGHT = 8.0  # degrees of pitch that the mesh gives to a face that looks straight ahead
FLAT = 5.0  # levels; of a face with less deviation nothing can be told
TURNED, UPSIDE = 0.95, 1.3  # radians; a face turned further than the one is neither right nor wrong, further than the other none


def build_backdrops(path, count, seed):
    """Draw count faceless pictures, documents and tables, into the file path."""
    rng, made = np.random.default_rng(seed), []
    kinds = list(documents_flat.SHARES)
    for number in range(count):
        if number % 3 == 2:
            picture = photograph.background(rng, (BACKDROP, BACKDROP))
        else:
            kind = kinds[number % len(kinds)]
            picture = documents_flat.draw(rng, kind, documents_flat.scale_for(kind, rng.uniform(280, 700))).image
            if max(picture.shape[:2]) > 2 * BACKDROP:
                continue
            picture = cv2.copyMakeBorder(picture, *[max(0, -(-(BACKDROP - s) // 2)) for s in (picture.shape[0],) * 2 + (picture.shape[1],) * 2], cv2.BORDER_REFLECT_101)
        made.append(cv2.imencode(".jpg", np.ascontiguousarray(picture[..., ::-1]), [cv2.IMWRITE_JPEG_QUALITY, 92])[1])
    with open(path, "wb") as out:
        pickle.dump(made, out)


@dataclass
class Truth:
    """One face: middle and size of its box, the box (left, top, right, bottom), points 5 x 2, quality (hidden, blur, yaw, pitch) in 0..1."""

    box: np.ndarray
    points: np.ndarray
    quality: np.ndarray

    def size(self):
        """Square root of the box's area."""
        return float(np.sqrt(np.prod(np.maximum(self.box[2:] - self.box[:2], 1e-3))))

    def roll(self):
        """By how much the line of the eyes is turned, 0 to pi."""
        return float(abs(np.arctan2(*(self.points[1] - self.points[0])[::-1])))


class Scenes:
    """Draws scenes; all photographs are read into memory."""

    def __init__(self, folder, backdrops, cards, held=False):
        self.pool = face_pool.Pool(folder, held)
        self.photographs = [open(path, "rb").read() for path in self.pool.path]
        with open(backdrops, "rb") as source:
            coded = pickle.load(source)
        # A tenth of the backdrops is for the figures alone.
        chosen = [c for k, c in enumerate(coded) if (k % 10 == 0) == held]
        self.backdrops = [np.ascontiguousarray(cv2.imdecode(c, cv2.IMREAD_COLOR)[..., ::-1]) for c in chosen]
        self.cards, self.sheets = face_cards.load(cards, held)
        self.wide = np.array(["lfw" in path for path in self.pool.path])
        self.rows = np.flatnonzero(self.wide), np.flatnonzero(~self.wide)

    def ground(self, rng, size):
        """A faceless picture of size (width, height), turned about in place and colour."""
        whole = self.backdrops[int(rng.integers(len(self.backdrops)))]
        if rng.random() < 0.5:
            whole = np.rot90(whole, int(rng.integers(4)))
        zoom = np.exp(rng.uniform(np.log(max(size[0] / whole.shape[1], size[1] / whole.shape[0])), np.log(2.2)))
        across, down = (max(2, min(k, round(v / zoom))) for k, v in zip(whole.shape[1::-1], size))
        x, y = int(rng.integers(0, whole.shape[1] - across + 1)), int(rng.integers(0, whole.shape[0] - down + 1))
        piece = cv2.resize(np.ascontiguousarray(whole[y : y + down, x : x + across]), size, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
        piece = twisted(rng, piece, 0.5)
        if rng.random() < 0.2:
            self.sheet(rng, piece)
        return piece

    def sheet(self, rng, picture):
        """Lay a faceless document into the picture in place: flat as the service cuts it out, a part of it, or anyhow."""
        if rng.random() < 0.7:
            flat = self.sheets[int(rng.integers(len(self.sheets)))].image
        else:
            flat = self.cards[int(rng.integers(len(self.cards)))].printed(self.blank(rng))[0]
        height, width = flat.shape[:2]
        flat, middle, draw = twisted(rng, flat, 0.3), rng.uniform(0, 1, 2) * [width, height], rng.random()
        if draw < 0.3:
            mapping = _flat_view(rng, flat, picture.shape[1::-1], [width / 2, height / 2], width * rng.uniform(0.95, 1.15))
        elif draw < 0.5:
            mapping = _flat_view(rng, flat, picture.shape[1::-1], middle, width * np.exp(rng.uniform(np.log(0.15), np.log(0.9))))
        else:
            mapping = _table_view(rng, flat, picture.shape[1::-1])
        _lay_flat(rng, picture, flat, mapping)

    def blank(self, rng):
        """What documents without a portrait show in its place: nothing, a cloud of colour, a silhouette, a cartoon, a spoilt face."""
        draw = rng.random()
        if draw < 0.5:
            image, truth = self.face(rng, 0.3)
            _spoilt(rng, image, truth)
            return _printed(rng, _portrait(rng, image, truth)[0])
        image = patterns.blend(rng, (100, 128), [rng.integers(30, 256, 3) for _ in range(3)])
        if draw > 0.75:
            pick(rng, (face_decoys.cartoon, face_decoys.lamp, face_decoys.sign))(rng, image, (50, 60), 90)
        return image

    def face(self, rng, wide):
        """(photograph, its Truth) of a face, mirrored by chance; wide ones have surroundings."""
        rows = self.rows[0] if rng.random() < wide else self.rows[1]
        index = int(rng.choice(rows if len(rows) else self.rows[1 - int(wide > 0)]))
        image = cv2.imdecode(np.frombuffer(self.photographs[index], np.uint8), cv2.IMREAD_COLOR)[..., ::-1]
        points, box, (yaw, pitch) = self.pool.points[index] + 0.5, self.pool.box[index] + 0.5, self.pool.pose[index]
        if rng.random() < 0.5:
            width = image.shape[1]
            image = image[:, ::-1]
            points = (points * [-1, 1] + [width, 0])[[1, 0, 2, 4, 3]]
            box, yaw = np.array([width - box[2], box[1], width - box[0], box[3]]), -yaw
        quality = np.array([0.0, 0.0, 0.5 + yaw / 180, 0.5 + (pitch - UPRIGHT) / 180])
        return np.ascontiguousarray(image), Truth(box, points, quality)

    def scene(self, rng):
        """(picture RGB SIDE x SIDE with nothing beyond its photograph, list of Truth)."""
        draw = rng.random()
        if draw < 0.42:
            return self.near(rng)
        if draw < 0.56:
            return self.people(rng)
        if draw < 0.64:
            return self.portrait(rng)
        if draw < 0.84:
            return self.card(rng)
        return self.nobody(rng)

    def near(self, rng):
        """The second look: one face near the middle, twice its size wide, or more."""
        image, truth = self.face(rng, 0.7)
        picture = self.ground(rng, (SIDE, SIDE))
        size = SIDE / np.exp(rng.normal(np.log(2.0), 0.22))
        middle = np.array([SIDE / 2, SIDE / 2]) + rng.normal(0, 0.05, 2) * SIDE
        return _finished(rng, picture, [_lay(rng, picture, image, truth, size, middle, whole=rng.random() < 0.7)])

    def people(self, rng):
        """One to four people in a photograph of any shape, far or near."""
        width, height = _shape(rng)
        picture, faces = self.ground(rng, (width, height)), []
        if rng.random() < 0.5:
            image, truth = self.face(rng, 1)
            size = np.exp(rng.uniform(np.log(14), np.log(150)))
            at = np.array([width, height]) * rng.uniform(0.2, 0.8, 2)
            faces.append(_lay(rng, picture, image, truth, size, at, whole=size > 60 and rng.random() < 0.6))
        for _ in range(int(rng.integers(0 if faces else 1, 4))):
            image, truth = self.face(rng, 0.5)
            size = np.exp(rng.uniform(np.log(9), np.log(90)))
            at = np.array([width, height]) * rng.uniform(0.02, 0.98, 2)
            if all(np.linalg.norm((f.box[:2] + f.box[2:]) / 2 - at) > 0.9 * (f.size() + size) for f in faces):
                faces.append(_lay(rng, picture, image, truth, size, at))
        return _finished(rng, picture, faces)

    def portrait(self, rng):
        """A portrait on a document, at times with its ghost beside it, far or near."""
        width, height = _shape(rng) if rng.random() < 0.7 else (SIDE, SIDE)
        picture, faces = self.ground(rng, (width, height)), []
        size = np.exp(rng.uniform(np.log(11), np.log(60 if rng.random() < 0.7 else 140)))
        image, truth = self.face(rng, 0.4)
        at = np.array([width, height]) * rng.uniform(0.1, 0.9, 2)
        faces.append(_lay(rng, picture, _printed(rng, image), truth, size, at, document=True))
        if rng.random() < 0.15:
            at = np.array([width, height]) * rng.uniform(0.1, 0.9, 2)
            other, small = faces[0], size * rng.uniform(0.3, 0.8)
            if small > LEAST and np.linalg.norm((other.box[:2] + other.box[2:]) / 2 - at) > 1.2 * size:
                faces.append(_lay(rng, picture, _printed(rng, image), truth, small, at, document=True))
        return _finished(rng, picture, faces)

    def card(self, rng):
        """A document with its portrait: flat as the service cuts it out, its left part, the second look at the portrait, or on a table."""
        image, truth = self.face(rng, 0.4)
        portrait, there = _portrait(rng, image, truth)
        card = self.cards[int(rng.integers(len(self.cards)))]
        flat, fits = card.printed(_printed(rng, portrait))
        width, draw, blur = flat.shape[1], rng.random(), 0.5
        if rng.random() < 0.6:
            share = np.exp(rng.uniform(np.log(0.33), 0))
            flat, blur = degrade.resolution(flat, share), 0.5 / share
        flat, faces = twisted(rng, flat, 0.3), [_moved(truth, fit @ there, blur) for fit in fits]
        middle, size = (faces[0].box[:2] + faces[0].box[2:]) / 2, faces[0].size()
        extent = (SIDE, SIDE)
        if draw < 0.4:
            extent = (SIDE, min(SIDE, round(SIDE * flat.shape[0] / width) + int(rng.integers(0, 12))))
            mapping = _flat_view(rng, flat, extent, [width / 2, flat.shape[0] / 2], width * rng.uniform(0.97, 1.12))
        elif draw < 0.5:
            mapping = _flat_view(rng, flat, extent, [width * rng.normal(0.3, 0.03), flat.shape[0] * rng.normal(0.5, 0.05)], width * rng.uniform(0.5, 0.8))
        elif draw < 0.75:
            mapping = _flat_view(rng, flat, extent, middle + rng.normal(0, 0.1, 2) * size, 2 * size * np.exp(rng.normal(0, 0.22)))
        else:
            extent = _shape(rng)
            mapping = _table_view(rng, flat, extent)
        picture = self.ground(rng, extent)
        _lay_flat(rng, picture, flat, mapping)
        faces = [_moved(face, mapping, face.quality[1]) for face in faces]
        for face in faces[1:]:
            face.quality[:] = np.nan  # a ghost may be seen or not
        return _finished(rng, picture, faces)

    def nobody(self, rng):
        """No face: documents, tables, hands, decoys, people whose face is scrambled or cut out, who lie or stand on their heads."""
        if rng.random() < 0.12:
            square, size, _ = self.near(rng) if rng.random() < 0.6 else self.people(rng)
            turned = np.zeros_like(square)
            piece = np.rot90(square[: size[1], : size[0]], int(rng.integers(1, 4)))
            turned[: piece.shape[0], : piece.shape[1]] = piece
            return turned, piece.shape[1::-1], []
        width, height = _shape(rng)
        picture, draw = self.ground(rng, (width, height)), rng.random()
        if draw < 0.4:
            self.sheet(rng, picture)
        if draw > 0.3:
            for _ in range(int(rng.integers(0, 4))):
                face_decoys.any_decoy(rng, picture)
        for _ in range(int(rng.integers(0, 3)) if draw > 0.5 else 0):
            image, truth = self.face(rng, 0.7)
            _spoilt(rng, image, truth)
            size = np.exp(rng.uniform(np.log(12), np.log(150)))
            _lay(rng, picture, image, truth, size, np.array([width, height]) * rng.uniform(0.1, 0.9, 2), whole=rng.random() < 0.3)
        for _ in range(int(rng.integers(0, 3))):
            _blob(rng, picture)
        if rng.random() < 0.3:
            corners = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]) * [width, height]
            photograph.finger(rng, picture, corners.astype(np.float32))
        return _finished(rng, picture, [])



def _shape(rng):
    """Width and height of a photograph in the square."""
    aspect = rng.choice([0.75, 0.75, 0.5625, 0.667, 1.0, rng.uniform(0.5, 1)])
    return (SIDE, round(SIDE * aspect)) if rng.random() < 0.65 else (round(SIDE * aspect), SIDE)


def _flat_view(rng, flat, extent, middle, across):
    """The map 3 x 3 from a flat document to a picture of size extent that shows across pixels of it around middle, nearly straight."""
    scale, angle = extent[0] / across, rng.normal(0, 0.03)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shift = np.array(extent) / 2 - turn @ np.asarray(middle)
    mapping = np.vstack([np.column_stack([turn, shift]), [0, 0, 1]])
    # Corners found a little beside the true ones.
    mapping[2, :2] = rng.normal(0, 0.03, 2) / max(flat.shape)
    return mapping / (mapping[2] @ [*middle, 1])


def _table_view(rng, flat, extent):
    """The map 3 x 3 of a document that lies on a table, seen from any side and mostly upright."""
    height, width = flat.shape[:2]
    roll = rng.uniform(-np.pi, np.pi) if rng.random() < 0.3 else rng.normal(0, 0.25)
    across = extent[0] * np.exp(rng.uniform(np.log(0.3), np.log(1.2)))
    mapping = photograph.camera(rng, (width, height), across, extent, rng.uniform(0, 0.5), roll)
    return photograph.shifted(mapping, rng.normal(0, 0.12, 2) * extent)


def _lay_flat(rng, picture, flat, mapping):
    """Lay a flat document into the picture in place by a map 3 x 3, which counts from a pixel's corner."""
    view = photograph.View(mapping, flat.shape[1::-1])
    if not view.in_front():
        return
    if rng.random() < 0.6:
        photograph.drop_shadow(rng, picture, view)
    alpha = np.full(flat.shape[:2], 255, np.uint8)
    radius = int(rng.uniform(0, 0.06) * flat.shape[1])
    for x, y in ((0, 0), (1, 0), (0, 1), (1, 1)):
        corner = alpha[(flat.shape[0] - radius if y else 0) :, (flat.shape[1] - radius if x else 0) :][:radius, :radius]
        corner[:] = 0
        cv2.circle(corner, (0 if x else radius, 0 if y else radius), radius, 255, -1)
    scale = min(1.0, 1.25 * np.sqrt(abs(np.linalg.det(mapping)) / abs(mapping[2] @ [flat.shape[1] / 2, flat.shape[0] / 2, 1]) ** 3))
    size = tuple(max(2, round(v * scale)) for v in flat.shape[1::-1])
    fit = np.diag([size[0] / flat.shape[1], size[1] / flat.shape[0], 1.0])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
    drawn, extent = np.linalg.inv(half) @ mapping @ np.linalg.inv(fit) @ half, picture.shape[1::-1]
    flat, alpha = (cv2.resize(a, size, interpolation=cv2.INTER_AREA) for a in (flat, alpha))
    laid = cv2.warpPerspective(flat, drawn, extent, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    cover = cv2.warpPerspective(alpha, drawn, extent, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
    picture[:] = cv2.blendLinear(picture, laid, 1 - cover, cover)


def _portrait(rng, image, truth):
    """(a photograph cut to a document's portrait, the map 3 x 3 from the photograph to it)."""
    size, middle = truth.size(), (truth.box[:2] + truth.box[2:]) / 2
    width = size * rng.uniform(1.2, 2.0)
    height = width * rng.uniform(1.15, 1.45)
    left, top = (int(v) for v in middle + rng.normal(0, 0.06, 2) * size - [width / 2, height * rng.uniform(0.45, 0.55)])
    right, bottom = left + int(width), top + int(height)
    pad = max(0, -left, -top, right - image.shape[1], bottom - image.shape[0])
    wide = cv2.copyMakeBorder(image, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return wide[top + pad : bottom + pad, left + pad : right + pad], np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1.0]])


def _moved(truth, mapping, blur):
    """A face's Truth under a map 3 x 3, with a blur of that many pixels before it."""

    def to(points):
        mapped = np.column_stack([points, np.ones(len(points))]) @ mapping.T
        return mapped[:, :2] / mapped[:, 2:]

    middle, half = (truth.box[:2] + truth.box[2:]) / 2, (truth.box[2:] - truth.box[:2]) / 2
    around = to(middle + np.array([[0, 0], [1, 0], [0, 1]]))
    turn = (around[1:] - around[0]).T
    reach = np.sqrt(((turn * half) ** 2).sum(1))
    quality = truth.quality.copy()
    quality[1] = blur * np.sqrt(abs(np.linalg.det(turn)))
    return Truth(np.concatenate([around[0] - reach, around[0] + reach]), to(truth.points), quality)


def _printed(rng, image):
    """As laser or press bring a portrait onto a document."""
    if rng.random() < 0.65:
        image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        if rng.random() < 0.4:
            tint = rng.uniform(0.75, 1.0, 3).astype(np.float32)
            image = np.clip(image * tint + 255 * (1 - tint) * rng.random(), 0, 255).astype(np.uint8)
    image = degrade.contrast(image, rng.uniform(0.45, 1.2), rng.uniform(-30, 50), rng.uniform(0.6, 1.5))
    if rng.random() < 0.35:
        screen = rng.normal(0, rng.uniform(10, 60), image.shape[:2]).astype(np.float32)
        image = np.clip(image + screen[..., None], 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        lines = patterns.security(rng, image.shape[1::-1], rng.uniform(3, 9))
        share = rng.uniform(0.1, 0.45)
        image = cv2.addWeighted(image, 1 - share, lines, share, 0)
    return image


def _spoilt(rng, image, truth):
    """Take the face out of a photograph in place: its parts in the wrong order, or something over them."""
    left, top, right, bottom = (int(v) for v in np.clip(truth.box, 0, image.shape[0] - 1))
    part = image[top:bottom, left:right]
    draw = rng.random()
    if draw < 0.45:
        rows = np.array_split(part.copy(), int(rng.integers(4, 7)))
        rng.shuffle(rows)
        part[:] = np.concatenate(rows)[: part.shape[0]]
        columns = np.array_split(part.copy(), int(rng.integers(3, 6)), axis=1)
        rng.shuffle(columns)
        part[:] = np.concatenate(columns, 1)
    elif draw < 0.75:
        part[:] = cv2.GaussianBlur(part, (0, 0), 0.22 * max(part.shape[:2]))
    else:
        part[:] = rng.integers(0, 256, 3)


def _blob(rng, picture):
    """A hand, a ball, a fist: skin that is no face."""
    height, width = picture.shape[:2]
    middle = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    axes = (int(rng.uniform(6, 70)), int(rng.uniform(6, 70)))
    tone = rng.uniform(50, 240)
    colour = tuple(int(v) for v in (tone, tone * rng.uniform(0.6, 0.85), tone * rng.uniform(0.45, 0.75)))
    cv2.ellipse(picture, middle, axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)


def _mask(rng, image, mask, truth):
    """Put a mask or a scarf over nose and mouth in place, with its folds, and mark it in mask."""
    left, _, right, bottom = truth.box
    span, nose = truth.size(), truth.points[2]
    wide, rim = rng.uniform(0.38, 0.55) * span, nose[1] - rng.uniform(0.02, 0.22) * span
    side, low = rim + rng.uniform(0, 0.15) * span, rng.uniform(0.85, 1.1)
    bend = np.linspace(-1, 1, 9)
    upper = np.stack([nose[0] + wide * bend, rim + (side - rim) * bend**2], 1)
    lower = np.stack([nose[0] + wide * bend[::-1], bottom - (0.3 * bend[::-1] ** 2 + 1 - low) * (bottom - rim)], 1)
    cv2.fillPoly(mask, [np.round(np.concatenate([upper, lower])).astype(np.int32)], 255, cv2.LINE_AA)
    tone = np.array(pick(rng, [(150, 195, 220), (225, 228, 230), (40, 40, 45), (170, 200, 190), tuple(rng.integers(10, 250, 3))]), np.float32)
    rows = np.arange(image.shape[0], dtype=np.float32)[:, None, None]
    folds = rng.uniform(0, 18) * np.sin(rows * rng.uniform(2, 14) / span * np.pi + rng.uniform(0, 6))
    cloth = np.clip(tone * rng.uniform(0.6, 1.1) + folds, 0, 255) * np.ones(image.shape, np.float32)
    share = mask[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - share) + cloth * share).astype(np.uint8)


def _hide(rng, image, truth):
    """Hide part of a face in its photograph in place; returns the share that is hidden."""
    left, top, right, bottom = truth.box
    span, draw = truth.size(), rng.random()
    mask = np.zeros(image.shape[:2], np.uint8)
    if draw < 0.3:
        for point in truth.points[:2]:
            cv2.ellipse(mask, tuple(int(v) for v in point), (int(0.22 * span), int(0.15 * span)), 0, 0, 360, 255, -1)
    elif draw < 0.75:
        _mask(rng, image, mask, truth)
    else:
        middle = tuple(int(v) for v in rng.uniform([left, top], [right, bottom]))
        cv2.ellipse(mask, middle, (int(rng.uniform(0.12, 0.4) * span), int(rng.uniform(0.12, 0.4) * span)), rng.uniform(0, 180), 0, 360, 255, -1)
    if not 0.3 <= draw < 0.75:
        image[mask > 0] = rng.integers(10, 245, 3) if draw > 0.3 else rng.integers(5, 60, 3)
    inner = np.zeros_like(mask)
    cv2.ellipse(inner, (int((left + right) / 2), int((top + bottom) / 2)), (max(1, int((right - left) / 2)), max(1, int((bottom - top) / 2))), 0, 0, 360, 255, -1)
    return float(((mask > 0) & (inner > 0)).sum() / max((inner > 0).sum(), 1))


def _alpha(rng, image, truth, document):
    """How a photograph is cut out before it is laid: as a rectangle, or around the head."""
    mask = np.full(image.shape[:2], 255, np.uint8)
    if document or rng.random() < 0.35:
        left, top, right, bottom = truth.box
        span = truth.size()
        inset = np.maximum(0, np.array([left, top, image.shape[1] - right, image.shape[0] - bottom]) - span * rng.uniform(0.05, 0.6, 4)).astype(int)
        mask[: inset[1]], mask[:, : inset[0]] = 0, 0
        mask[image.shape[0] - inset[3] :], mask[:, image.shape[1] - inset[2] :] = 0, 0
        return mask
    mask[:] = 0
    middle = ((truth.box[:2] + truth.box[2:]) / 2).astype(int)
    wide, tall = (truth.box[2:] - truth.box[:2]) * rng.uniform(0.55, 0.8)
    cv2.ellipse(mask, tuple(int(v) for v in middle), (int(wide), int(tall)), 0, 0, 360, 255, -1)
    if rng.random() < 0.6:
        cv2.rectangle(mask, (int(middle[0] - wide * 0.5), int(middle[1])), (int(middle[0] + wide * 0.5), image.shape[0]), 255, -1)
    return cv2.blur(mask, (7, 7))


def _lay(rng, picture, image, truth, size, middle, document=False, whole=False):
    """Lay a photograph into the picture in place so that its face comes out at about size around middle; returns the Truth there.

    whole lets the photograph's rim go on to the picture's border, as if it were all of it.
    """
    hidden = _hide(rng, image, truth) if rng.random() < 0.28 else 0.0
    angle = rng.uniform(-0.8, 0.8) if rng.random() < 0.15 else rng.normal(0, 0.16)
    scale = size / truth.size()
    stretch = 1 + rng.normal(0, 0.04)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) @ np.diag([stretch, 1 / stretch])
    old = (truth.box[:2] + truth.box[2:]) / 2
    matrix = np.concatenate([turn, (middle - turn @ old)[:, None]], 1)
    share = None if whole else _alpha(rng, image, truth, document)
    blur = 0.8 * scale
    if scale < 0.7:
        # Averaging down; the rest of the way is bilinear.
        small = max(4, round(image.shape[1] * scale * 1.2))
        shrunk = small / image.shape[1]
        image = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        share = None if share is None else cv2.resize(share, (small, small), interpolation=cv2.INTER_AREA)
        drawn, blur = np.concatenate([matrix[:, :2] / shrunk, matrix[:, 2:]], 1), 0.4
    else:
        drawn = matrix.copy()
    # The truth counts from a pixel's corner, OpenCV from its middle.
    drawn[:, 2] += drawn[:, :2] @ [0.5, 0.5] - 0.5
    extent = picture.shape[1::-1]
    border = cv2.BORDER_REFLECT_101 if whole and rng.random() < 0.3 else cv2.BORDER_REPLICATE
    warped = cv2.warpAffine(image, drawn, extent, flags=cv2.INTER_LINEAR, borderMode=border)
    if share is None:
        picture[:] = warped
    else:
        cover = cv2.warpAffine(share, drawn, extent, flags=cv2.INTER_LINEAR).astype(np.float32) / 255
        picture[:] = cv2.blendLinear(picture, warped, 1 - cover, cover)
    half = (truth.box[2:] - truth.box[:2]) / 2
    reach = np.sqrt(((turn * half) ** 2).sum(1))
    quality = truth.quality.copy()
    quality[:2] = hidden, blur
    return Truth(np.concatenate([middle - reach, middle + reach]), truth.points @ matrix[:, :2].T + matrix[:, 2], quality)


def _finished(rng, picture, faces):
    """Spoil the photograph as cameras do, pad it to the square, and settle each face's quality; faces hardly seen stay with quality NaN."""
    height, width = picture.shape[:2]
    sigma = 0.0
    if rng.random() < 0.4:
        picture = degrade.uneven_light(picture, rng.uniform(0.05, 0.5), rng)
    if rng.random() < 0.5:
        picture = degrade.contrast(picture, rng.uniform(0.4, 1.2), rng.uniform(-50, 40), rng.uniform(0.6, 1.6))
    if rng.random() < 0.3:
        picture = photograph.white_balance(picture, rng, 0.15)
    if rng.random() < 0.3:
        sigma = np.exp(rng.uniform(np.log(0.3), np.log(4)))
        picture = degrade.defocus(picture, sigma)
    if rng.random() < 0.12:
        length = rng.uniform(2, 9)
        picture, sigma = degrade.motion(picture, length, rng.uniform(0, np.pi)), np.hypot(sigma, length / 4)
    if rng.random() < 0.4:
        picture = degrade.noise(picture, rng.uniform(1, 14), rng, rng.uniform(0, 0.9) if rng.random() < 0.5 else 0)
    if rng.random() < 0.18:
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
    if rng.random() < 0.4:
        picture = degrade.jpeg(picture, rng.integers(30, 95))
    for face in faces:
        seen = np.minimum(face.box[2:], [width, height]) - np.maximum(face.box[:2], 0)
        share = np.prod(np.maximum(seen, 0)) / np.prod(face.box[2:] - face.box[:2])
        face.quality[0] = 1 - (1 - face.quality[0]) * share
        face.quality[1] = min(1.0, np.hypot(face.quality[1], sigma) / face.size() / 0.06)
        if share < SEEN or face.quality[0] > HIDDEN or face.roll() > TURNED or face.size() < LEAST or _contrast(picture, face.box) < FLAT:
            face.quality[:] = np.nan
    square = np.zeros((SIDE, SIDE, 3), np.uint8)
    square[:height, :width] = picture
    return square, (width, height), [face for face in faces if face.roll() < UPSIDE]


def _contrast(picture, box):
    """Deviation of the levels of a part of the picture."""
    left, top, right, bottom = (int(v) for v in np.clip(np.round(box), 0, [*picture.shape[1::-1]] * 2))
    part = picture[top:bottom, left:right]
    return float(part.mean(2).std()) if part.size else 0.0


def planes(square, size):
    """Y, Cb and Cr of a padded picture of size (width, height); the rest stays 0."""
    width, height = size
    out = np.zeros_like(square)
    out[:height, :width] = cv2.cvtColor(square[:height, :width], cv2.COLOR_RGB2YCrCb)[..., [0, 2, 1]]
    return out


def arrays(faces):
    """What the loss wants: owner of each block (0 none, 255 neither right nor wrong), boxes, points and qualities of MOST faces."""
    owner = np.zeros((GRID, GRID), np.uint8)
    boxes, points, qualities = np.zeros((MOST, 4), np.float32), np.zeros((MOST, 5, 2), np.float32), np.zeros((MOST, 4), np.float32)
    at = (np.arange(GRID) + 0.5) * BLOCK
    for number, face in enumerate(faces[:MOST]):
        middle, size = (face.box[:2] + face.box[2:]) / 2, face.size()
        far = np.hypot(at[None, :] - middle[0], at[:, None] - middle[1])
        owner[(far < 0.42 * size) & (owner == 0)] = 255
        if np.isnan(face.quality).any():
            continue
        owner[(far < max(0.2 * size, 0.75 * BLOCK)) & ((owner == 0) | (owner == 255))] = number + 1
        boxes[number], points[number], qualities[number] = face.box, face.points, face.quality
    return owner, boxes, points, qualities
