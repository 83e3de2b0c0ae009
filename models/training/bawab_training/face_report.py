"""Figures of the whole path from photograph to decision: detector, second look, alignment, embedder.

    python -m bawab_training.face_report lfw      --faces FACES.tflite --embedder EMBEDDER.tflite --data LFW --limit COSINE
    python -m bawab_training.face_report draw     --data LFW --cards CARDS --count N [--hard]
    python -m bawab_training.face_report cards    --faces FACES.tflite --embedder EMBEDDER.tflite --data LFW --cards CARDS
    python -m bawab_training.face_report faceless --faces FACES.tflite --data FOLDER ...
    python -m bawab_training.face_report limits   --embedder EMBEDDER.tflite --pool POOL
    python -m bawab_training.face_report groups   --faces FACES.tflite --embedder EMBEDDER.tflite --pool POOL

FACES and EMBEDDER may also be folders of checkpoints (float). LFW is a folder with pairs.csv (a, b, same); with --teachers its
photographs are also aligned by the teachers' landmarks, which tells what the detector costs. Intervals are Wilson's of 95 %.
"""

import argparse
import csv
import glob
import json
import os
from dataclasses import dataclass

import cv2
import numpy as np

from . import documents, egypt_cards, face_embed, face_network, face_pool, face_scenes, face_teachers as teachers, face_views, faces
from .faces import Found

LOOK = 2.0  # sides of the second look, in sizes of the face
RATES = (0.01, 0.001, 0.0001)
SAME = 0.5  # the teacher's cosine above which two held-out photographs may show one person


def fit(image):
    """A picture's planes in the square, top left, and by how much it was scaled."""
    scale = face_scenes.SIDE / max(image.shape[:2])
    size = tuple(max(1, round(v * scale)) for v in image.shape[1::-1])
    square = np.zeros((face_scenes.SIDE, face_scenes.SIDE, 3), np.uint8)
    square[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    return face_scenes.planes(square, size), scale


@dataclass
class Path:
    """Photograph to embedding: detect maps planes to answers, embed crops to vectors."""

    detect: object
    embed: object
    threshold: float = 0.5

    def faces(self, image):
        """The faces of an RGB picture by the first look, best first, in its pixels; a pixel's middle at an integer and a half."""
        planes, scale = fit(image)
        return [_moved(face, scale, np.zeros(2)) for face in faces.decode(self.detect(planes), self.threshold)]

    def closer(self, image, face):
        """The same face by a second look, or as it was where that finds nothing near."""
        side = max(8, round(LOOK * face.size))
        corner = np.round((face.box[:2] + face.box[2:]) / 2 - side / 2).astype(int)
        cut = np.zeros((side, side, 3), np.uint8)
        low, high = np.maximum(corner, 0), np.minimum(corner + side, image.shape[1::-1])
        if (high <= low).any():
            return face
        cut[low[1] - corner[1] : high[1] - corner[1], low[0] - corner[0] : high[0] - corner[0]] = image[low[1] : high[1], low[0] : high[0]]
        planes, scale = fit(cut)
        again = [_moved(f, scale, corner) for f in faces.decode(self.detect(planes), 0.6 * self.threshold)]
        middle = (face.box[:2] + face.box[2:]) / 2
        near = [f for f in again if np.linalg.norm((f.box[:2] + f.box[2:]) / 2 - middle) < 0.5 * face.size]
        return max(near, key=lambda f: f.score) if near else face

    def vectors(self, images, points):
        """Embeddings of the faces at points (5 x 2 each) of RGB pictures."""
        crops = [face_views.even(teachers.aligned(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), p - 0.5, face_views.SIDE)) for image, p in zip(images, points)]
        return self.embed(np.stack(crops))


def _moved(face, scale, corner):
    box = face.box / scale + np.tile(corner, 2)
    return Found(face.score, face.size / scale, box, face.points / scale + corner, face.quality)


def central(found, image):
    """Of the faces found in a portrait photograph, the one that matters: large and near the middle."""
    middle = np.array(image.shape[1::-1]) / 2
    return max(found, key=lambda f: f.size - np.linalg.norm((f.box[:2] + f.box[2:]) / 2 - middle), default=None)


def wilson(hits, count):
    """[share, low, high] of hits in count, 95 %."""
    if not count:
        return [0.0, 0.0, 1.0]
    share, z = hits / count, 1.96
    centre, half = share + z * z / 2 / count, z * np.sqrt(share * (1 - share) / count + z * z / 4 / count**2)
    return [round(float(v), 4) for v in (share, (centre - half) / (1 + z * z / count), (centre + half) / (1 + z * z / count))]


def curve(same, other):
    """Thresholds and TAR at the false match RATES; pairs without a face count as not matched."""
    result = {}
    for rate in RATES:
        threshold = float(np.quantile(other, 1 - rate))
        result[f"FMR {rate:.2%}"] = {"threshold": round(threshold, 4), "TAR": wilson(int((same > threshold).sum()), len(same))}
    return result


def accuracy(scores, same):
    """Accuracy over ten folds, each decided by the best threshold of the other nine; interval of the whole."""
    order, right = np.random.default_rng(0).permutation(len(scores)), 0
    for fold in np.array_split(order, 10):
        rest = np.setdiff1d(order, fold)
        grid = np.unique(scores[rest])
        best = grid[np.argmax([((scores[rest] >= t) == same[rest]).sum() for t in grid])]
        right += int(((scores[fold] >= best) == same[fold]).sum())
    return wilson(right, len(scores))


def _pairs(folder):
    with open(os.path.join(folder, "pairs.csv"), encoding="utf-8") as source:
        rows = [(r["a"], r["b"], int(r["same"])) for r in csv.DictReader(source)]
    return rows, sorted({name for row in rows for name in row[:2]})


def _read(*parts):
    return np.ascontiguousarray(cv2.imread(os.path.join(*parts))[..., ::-1])


def _verification(names, vectors, rows, limit):
    """Accuracy and TAR of pairs, also at the cosine limit; impostors are all pictures of different people (the folder is the person)."""
    index = {name: k for k, name in enumerate(names)}
    there = np.array([v is not None for v in vectors])
    made = np.stack([v if v is not None else np.zeros(face_network.VECTOR, np.float32) for v in vectors])
    scores = made @ made.T
    scores[~there] = scores[:, ~there] = -1
    who = np.array([os.path.dirname(name) for name in names])
    other = scores[np.triu(who[:, None] != who[None], 1)]
    values = np.array([scores[index[a], index[b]] for a, b, _ in rows])
    same = np.array([s for _, _, s in rows])
    fixed = {"accuracy": wilson(int(((values > limit) == same).sum()), len(rows)), "TAR": wilson(int((values[same == 1] > limit).sum()), int(same.sum())),
             "FMR": wilson(int((other > limit).sum()), int(other.size))}
    return {"pairs": len(rows), "accuracy": accuracy(values, same), f"at {limit}": fixed, "impostor pairs": int(other.size), **curve(values[same == 1], other)}


def lfw(path, args):
    """Verification on the photographs of LFW, detection, and landmarks against the teachers'."""
    rows, names = _pairs(args.data[0])
    images = [_read(args.data[0], name) for name in names]
    found = [central(path.faces(image), image) for image in images]
    near = [f and path.closer(image, f) for image, f in zip(images, found)]
    result = {"photographs": len(names), "found": wilson(sum(f is not None for f in found), len(names)), "missed": [n for n, f in zip(names, found) if f is None]}

    def verified(points):
        vectors = [None if p is None else path.vectors([image], [p])[0] for image, p in zip(images, points)]
        return _verification(names, vectors, rows, args.limit)

    result["whole path"] = verified([f and f.points for f in near])
    if args.teachers:
        label = teachers.Landmarks(args.teachers)
        truth = [label(image, side=0.68 * max(image.shape[:2])) for image in images]
        for name, looks in (("first look", found), ("second look", near)):
            errors = [np.linalg.norm(f.points - 0.5 - t.points, axis=1).mean() / np.linalg.norm(t.points[1] - t.points[0]) for f, t in zip(looks, truth) if f and t and t.difference < teachers.DISAGREE]
            result[f"landmarks by {name}, off by (eyes' distances) 50 / 90 / 99 %"] = [round(float(v), 4) for v in np.percentile(errors, (50, 90, 99))]
        result["teachers' landmarks"] = verified([t and t.points + 0.5 for t in truth])
    return result


def _card(rng, portrait, difficulty):
    """A front with that portrait, photographed; returns the picture and the card's quad, or None."""
    page = egypt_cards.front(rng, documents.SCALE, portrait, True)
    rules = documents.DIFFICULTIES[difficulty]
    shot = documents.photograph_of(page, rng, documents.pick(rng, documents.SIZES[:33]), rules, True)
    return shot and (shot[0], documents.outline(shot[1], page.corners))


def upright(picture, quad):
    """The card cut out by its corners at about the photograph's resolution, at least 480 wide."""
    quad = np.asarray(quad, np.float32)
    width = int(np.clip(np.linalg.norm(quad[1] - quad[0]), 480, 1400))
    height = round(width * egypt_cards.HEIGHT / egypt_cards.WIDTH)
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    return cv2.warpPerspective(picture, cv2.getPerspectiveTransform(quad, target), (width, height), flags=cv2.INTER_AREA)


def draw(_, args):
    """Draw cards with one photograph of each pair of a person and photograph them, into args.cards with a truth.jsonl; goes on where it stopped."""
    os.makedirs(args.cards, exist_ok=True)
    rows, _ = _pairs(args.data[0])
    genuine, truth = [row[:2] for row in rows if row[2]][: args.count], os.path.join(args.cards, "truth.jsonl")
    done = sum(1 for _ in open(truth, encoding="utf-8")) if os.path.exists(truth) else 0
    with open(truth, "a", encoding="utf-8") as lines:
        for number in range(done, len(genuine)):
            rng, shot = np.random.default_rng([31, number]), None
            portrait = _read(args.data[0], genuine[number][0])[15:235, 42:208]
            while shot is None:
                shot = _card(rng, portrait, "hard" if args.hard else "normal")
            documents.save(os.path.join(args.cards, f"{number:04d}.jpg"), shot[0], rng.integers(60, 96))
            row = {"file": f"{number:04d}.jpg", "portrait": genuine[number][0], "live": genuine[number][1], "quad": documents.rounded(shot[1])}
            lines.write(json.dumps(row) + "\n")
            lines.flush()
    return {"cards": len(genuine)}


def cards(path, args):
    """Portraits on the cards of draw against other photographs of the same people."""
    with open(os.path.join(args.cards, "truth.jsonl"), encoding="utf-8") as source:
        rows = [json.loads(line) for line in source]
    portraits, live, eyes, elsewhere = [], [], [], 0
    for row in rows:
        card = upright(_read(args.cards, row["file"]), row["quad"])
        seen = path.faces(card)
        left = [f for f in seen if (f.box[0] + f.box[2]) / 2 < 0.42 * card.shape[1]]
        elsewhere += len(seen) - len(left)
        best = max(left, key=lambda f: f.score, default=None)
        near = best and path.closer(card, best)
        portraits.append(path.vectors([card], [near.points])[0] if near else None)
        eyes += [float(np.linalg.norm(near.points[1] - near.points[0]))] if near else []
        image = _read(args.data[0], row["live"])
        face = central(path.faces(image), image)
        live.append(path.vectors([image], [path.closer(image, face).points])[0] if face else None)
    scores = np.array([[-1.0 if a is None or b is None else float(a @ b) for b in live] for a in portraits])
    who = np.array([os.path.dirname(row["live"]) for row in rows])
    other = scores[who[:, None] != who[None]]
    return {"cards": len(rows), "portraits found": wilson(len(eyes), len(rows)), "faces elsewhere on the cards": elsewhere,
            "pixels between the eyes, 5 / 50 / 95 %": [round(float(v), 1) for v in np.percentile(eyes, (5, 50, 95))],
            "impostor pairs": int(other.size), **curve(np.diag(scores), other)}


def faceless(path, args):
    """False faces in pictures without any."""
    files = [name for folder in args.data for name in sorted(glob.glob(os.path.join(folder, "**", "*.[jp][pn]g"), recursive=True))]
    files = [files[k] for k in np.random.default_rng(0).permutation(len(files))[: args.count]]
    best = sorted(((max((f.score for f in path.faces(_read(name))), default=0.0), name) for name in files), reverse=True)
    return {"pictures": len(files), "false": sum(score >= path.threshold for score, _ in best), "highest": best[:8]}


def _far(path, wholes, rng):
    """Which of these photographs surrounds one that is cut too near (face_views.surrounded), or -1 where that is whole.

    UTKFace is cut so: without surroundings all its foreheads would be streaks, and its people alike by them.
    """
    return -1 if "lfw" in path else int(rng.choice(wholes))


def limits(path, args):
    """Thresholds of the false match RATES: drawn portraits of documents and live pictures against live pictures of other held-out people."""
    pool, views, rng = face_pool.Pool(args.pool, held=True), face_views.Views(11), np.random.default_rng(12)
    wholes, greys = [k for k, name in enumerate(pool.path) if "lfw" in name], []
    around = np.array([_far(name, wholes, rng) for name in pool.path])
    for k, second in enumerate(around):
        crop = pool.crop(k) if second < 0 else face_views.surrounded(pool.crop(k), pool.quad(k), pool.crop(second))
        greys.append(cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY))
    portraits, live = (path.embed(np.stack([view(rng, grey) for grey in greys])) for view in (views.document, views.live))
    around = np.where(around < 0, np.arange(len(pool)), around)
    # UTKFace may show one person twice; the teacher knows.
    other = (pool.vector[:, 0] @ pool.vector[:, 0].T < SAME) & (around[:, None] != around)
    scores = np.concatenate([(portraits @ live.T)[other], (live @ live.T)[np.triu(other)]])
    return {"people": len(pool), "pairs": int(scores.size), **{f"fmr_{100 * rate:g}": round(float(np.quantile(scores, 1 - rate)), 4) for rate in RATES}}


def _enclosed(image, margin, face, second):
    """The embedder's crop of a face in a photograph cut too near, which has that margin around it, with the surroundings of another crop."""
    matrix = teachers.similarity(face.points - 0.5, teachers.template(teachers.CROP, face_pool.MARGIN))
    corners = margin + np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (face_pool.PHOTOGRAPH - 1)
    crop = teachers.aligned(image, face.points - 0.5, teachers.CROP, face_pool.MARGIN)
    crop = face_views.surrounded(crop, corners @ matrix[:, :2].T + matrix[:, 2], second)
    return face_embed.clean(None, cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY))


def groups(path, args):
    """Held-out photographs of UTKFace by the labels in their names: detection, and false matches within the group at one cosine for all."""
    pool, rng, margin = face_pool.Pool(args.pool, held=True, sure=np.inf), np.random.default_rng(13), 40
    wholes = [k for k, name in enumerate(pool.path) if "lfw" in name]
    rows = [k for k, name in enumerate(pool.path) if "lfw" not in name][: args.count]
    labels, around, vectors = {}, {}, {}
    for row in rows:
        age, sex, group = (int(v) for v in os.path.basename(pool.path[row]).split("_")[:3])
        for name in (f"age {min(age // 20 * 20, 60)}+", ("men", "women")[sex % 2], f"group {group}"):
            labels.setdefault(name, []).append(row)
        image = cv2.copyMakeBorder(_read(pool.path[row]), *[margin] * 4, cv2.BORDER_REPLICATE)
        face = central(path.faces(image), image)
        if face:
            around[row] = _far(pool.path[row], wholes, rng)
            vectors[row] = path.embed(_enclosed(image, margin, path.closer(image, face), pool.crop(around[row]))[None])[0]

    def apart(members):
        """Cosines of pairs of different people among those found."""
        made = [row for row in members if row in vectors]
        inner, known, near = (np.stack([of[row] for row in made]) for of in (vectors, pool.vector[:, 0], around))
        return (inner @ inner.T)[np.triu((known @ known.T < SAME) & (near[:, None] != near), 1)]

    threshold = args.limit or float(np.quantile(apart(rows), 0.999))
    result = {"threshold": round(threshold, 4), "false matches over all": round(float((apart(rows) > threshold).mean()), 5)}
    for name, members in sorted(labels.items()):
        inside = apart(members)
        result[name] = {"photographs": len(members), "found": wilson(sum(row in vectors for row in members), len(members)),
                        "pairs": int(inside.size), "false matches within": round(float((inside > threshold).mean()), 5)}
    return result


def main():
    """Parse the command line and print one report."""
    parser = argparse.ArgumentParser(prog="bawab_training.face_report")
    parser.add_argument("verb", choices=("lfw", "draw", "cards", "faceless", "limits", "groups"))
    parser.add_argument("--faces", help=".tflite file or folder of a checkpoint")
    parser.add_argument("--embedder", help=".tflite file or folder of a checkpoint")
    parser.add_argument("--data", nargs="+", help="folders of pictures")
    parser.add_argument("--cards", help="draw, cards: folder of photographed cards")
    parser.add_argument("--pool", help="limits, groups: folder of face_pool")
    parser.add_argument("--teachers", help="lfw: folder of the teachers' files")
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=0.0, help="lfw, groups: cosine above which two faces match; 0 in groups is that of FMR 0.1 %%")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--hard", action="store_true", help="draw: hard photographs")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    faces.torch.set_num_threads(1)

    def reader(module, path):
        if not path:
            return None
        return module.int8_reader(path) if path.endswith(".tflite") else module.float_reader(module.load(path))

    path = Path(reader(faces, args.faces), reader(face_embed, args.embedder), args.threshold)
    verbs = {"lfw": lfw, "draw": draw, "cards": cards, "faceless": faceless, "limits": limits, "groups": groups}
    print(json.dumps(verbs[args.verb](path, args), indent=1))


if __name__ == "__main__":
    main()
