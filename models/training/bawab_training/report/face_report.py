"""Pictures and lists for `bawab eval faces`, and what its list of cosines says of thresholds and of groups of people.

    python -m bawab_training.report.face_report draw   --data LFW --out CARDS --count 200 [--hard]
    python -m bawab_training.report.face_report crops  --cards CARDS --out CROPS
    python -m bawab_training.report.face_report pairs  --data PHOTOGRAPHS --out SET --every 3
    python -m bawab_training.report.face_report groups --data UTKFACE --out SET --count 300
    bawab eval faces --dump COSINES.csv SET
    python -m bawab_training.report.face_report limits --cosines COSINES.csv
    python -m bawab_training.report.face_report shares --cosines COSINES.csv --limit 0.34 0.38

LFW is a folder with pairs.csv (a, b, same). CARDS, CROPS and SET are folders that `bawab eval faces` takes; SET holds links to PHOTOGRAPHS. UTKFACE's
names begin with age, sex and group.
"""

import argparse
import collections
import csv
import glob
import itertools
import json
import os
from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import egypt_cards
from ..photograph import documents

RATES = (0.01, 0.001, 0.0001)
ONE_PERSON = 0.5  # pictures linked by cosines above it may show one person: where nobody is named, such pairs say nothing


def _read(*parts: str) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(cv2.imread(os.path.join(*parts))[..., ::-1])


def _card(
    rng: np.random.Generator, portrait: npt.NDArray[np.uint8], difficulty: str
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]] | None:
    """A front with that portrait, photographed; returns the picture and the card's quad, or None."""
    page = egypt_cards.front(rng, documents.SCALE, portrait, True)
    rules = documents.DIFFICULTIES[difficulty]
    shot = documents.photograph_of(page, rng, documents.pick(rng, documents.SIZES[:33]), rules, True)
    return shot and (shot[0], documents.outline(shot[1], page.corners))


def _listed(folder: str, rows: Iterable[tuple[str, str, int, str]]) -> None:
    """Write what `bawab eval faces` reads: rows of a, b, same, kind of the document in a."""
    with open(os.path.join(folder, "pairs.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("a", "b", "same", "kind"), *rows])


def _link(source: str, target: str) -> None:
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if not os.path.lexists(target):
        os.symlink(os.path.abspath(source), target)


def draw(args: argparse.Namespace) -> None:
    """Cards with one photograph of each pair of a person, photographed, beside the other photograph; truth.jsonl has their corners."""
    with open(os.path.join(args.data, "pairs.csv"), encoding="utf-8") as source:
        genuine = [(r["a"], r["b"]) for r in csv.DictReader(source) if int(r["same"])][: args.count]
    rows = []
    os.makedirs(args.out, exist_ok=True)
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as lines:
        for number, (printed, live) in enumerate(genuine):
            rng, shot, person = np.random.default_rng([31, number]), None, os.path.dirname(live)
            while shot is None:
                shot = _card(rng, _read(args.data, printed)[15:235, 42:208], "hard" if args.hard else "normal")
            name = os.path.join(person, f"card_{number:04d}.jpg")
            _link(os.path.join(args.data, live), os.path.join(args.out, live))
            documents.save(os.path.join(args.out, name), shot[0], rng.integers(60, 96))
            lines.write(json.dumps({"file": name, "portrait": printed, "live": live, "quad": documents.rounded(shot[1])}) + "\n")
            rows.append((name, live, 1, "national_id_front"))
    _listed(args.out, rows)


# Where draw's cards carry the portrait, in their width and height.
_PORTRAIT = ((0.02, 0.22), (0.36, 0.95))


def crops(args: argparse.Namespace) -> None:
    """The portraits of draw's cards cut out of their photographs, enlarged, noised and coded anew, each beside its card."""
    rows, rng = [], np.random.default_rng(4)
    with open(os.path.join(args.cards, "truth.jsonl"), encoding="utf-8") as source:
        truth = [json.loads(line) for line in source]
    for number, row in enumerate(truth[::2]):
        width, height = 856, 540
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        matrix = cv2.getPerspectiveTransform(np.array(row["quad"], np.float32), corners)
        flat = cv2.warpPerspective(_read(args.cards, row["file"]), matrix, (width, height), flags=cv2.INTER_CUBIC)
        (left, top), (right, bottom) = _PORTRAIT
        cut = flat[int(top * height) : int(bottom * height), int(left * width) : int(right * width)]
        scale = rng.uniform(1.5, 3.5)
        cut = cv2.resize(cut, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        cut = np.clip(cut + rng.normal(0, rng.uniform(0, 4), cut.shape), 0, 255).astype(np.uint8)
        _link(os.path.join(args.cards, row["file"]), os.path.join(args.out, str(number), "card.jpg"))
        documents.save(os.path.join(args.out, str(number), "crop.jpg"), cut, rng.integers(70, 95))
        rows.append((f"{number}/card.jpg", f"{number}/crop.jpg", 1, "national_id_front"))
    _listed(args.out, rows)


def pairs(args: argparse.Namespace) -> None:
    """All pairs of every n-th picture of a folder."""
    files = sorted(glob.glob(os.path.join(args.data, "**", "*.jpg"), recursive=True))[:: args.every]
    names = [f"{number:05d}.jpg" for number in range(len(files))]
    for file, name in zip(files, names):
        _link(file, os.path.join(args.out, name))
    _listed(args.out, ((a, b, 0, "") for a, b in itertools.combinations(names, 2)))


def groups(args: argparse.Namespace) -> None:
    """All pairs within each group of UTKFace, of as many pictures of each group and sex."""
    found, rng, rows = collections.defaultdict(list), np.random.default_rng(5), []
    for file in sorted(glob.glob(os.path.join(args.data, "**", "*.jpg"), recursive=True)):
        parts = os.path.basename(file).split("_")
        if len(parts) == 4:
            found[parts[2], parts[1]].append(file)
    taken = collections.defaultdict(list)
    for (group, sex), files in sorted(found.items()):
        for k in rng.permutation(len(files))[: args.count]:
            name = os.path.basename(files[k])
            _link(files[k], os.path.join(args.out, name))
            taken[group].append(name)
    for names in taken.values():
        rows += [(a, b, 0, "") for a, b in itertools.combinations(names, 2)]
    _listed(args.out, rows)


def _cosines(path: str) -> tuple[list[str], int, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Names, and for each pair the numbers of both and the cosine, without those of people who may be one."""
    numbers: dict[str, int] = {}
    a, b, values = [], [], []
    with open(path, encoding="utf-8") as source:
        for row in csv.DictReader(source):
            if row["cosine"]:
                a.append(numbers.setdefault(row["a"], len(numbers)))
                b.append(numbers.setdefault(row["b"], len(numbers)))
                values.append(float(row["cosine"]))
    a, b, values, person = np.array(a), np.array(b), np.array(values), np.arange(len(numbers))
    near = np.flatnonzero(values > ONE_PERSON)
    while True:  # the least number of those who are linked
        before = person.copy()
        least = np.minimum(person[a[near]], person[b[near]])
        np.minimum.at(person, a[near], least)
        np.minimum.at(person, b[near], least)
        if (before == person).all():
            break
    apart = person[a] != person[b]
    return list(numbers), len(set(person)), a[apart], b[apart], values[apart]


def limits(args: argparse.Namespace) -> None:
    """The cosines of the false match RATES."""
    names, people, _, _, values = _cosines(args.cosines)
    print(f"{len(names)} pictures in {people} clusters, {len(values)} pairs")
    for rate in RATES:
        print(f"fmr_{100 * rate:g} {np.quantile(values, 1 - rate):.4f}")


def shares(args: argparse.Namespace) -> None:
    """The false matches within each group, sex and both at cosines."""
    names, _, a, b, values = _cosines(args.cosines)
    labels = np.array([[int(v) for v in name.split("_")[1:3]] for name in names])
    for title, key in (("group", labels[:, 1]), ("sex", labels[:, 0]), ("group and sex", 10 * labels[:, 1] + labels[:, 0])):
        for value in sorted(set(key)):
            inside = values[(key[a] == value) & (key[b] == value)]
            print(title, value, len(inside), *(f"{limit:g}: {100 * (inside > limit).mean():.3f} %" for limit in args.limit))


def main() -> None:
    """Parse the command line and run one verb."""
    verbs = {verb.__name__: verb for verb in (draw, crops, pairs, groups, limits, shares)}
    parser = argparse.ArgumentParser(prog="bawab_training.report.face_report")
    parser.add_argument("verb", choices=verbs)
    parser.add_argument("--data", help="folder of pictures")
    parser.add_argument("--cards", help="crops: folder of draw")
    parser.add_argument("--out", help="folder to write")
    parser.add_argument("--cosines", help="limits, shares: list of bawab eval faces --dump")
    parser.add_argument("--limit", type=float, nargs="+", default=[], help="shares: cosines")
    parser.add_argument("--count", type=int, default=200, help="draw: cards; groups: pictures of each group and sex")
    parser.add_argument("--every", type=int, default=1, help="pairs: take every n-th picture")
    parser.add_argument("--hard", action="store_true", help="draw: hard photographs")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    verbs[args.verb](args)


if __name__ == "__main__":
    main()
