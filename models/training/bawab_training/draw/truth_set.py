"""Writes the documents of a stand-in site as people there would have confirmed them: a truth set for `bawab learn`."""

import argparse
import json
import pathlib
import uuid
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

Site = TypeVar("Site")


class Photograph(NamedTuple):
    """A photograph of a document as a file of JPEG, the document's corners in it and its values by their fields."""

    code: npt.NDArray[np.uint8]
    corners: npt.NDArray[np.float64]
    fields: dict[str, str]


def write(rng: np.random.Generator, kind: str, take: Callable[[int], Photograph], folder: pathlib.Path, count: int, half: int) -> None:
    """Take photographs into a folder with their truth, as three clerks confirmed them on days of this half."""
    (folder / "pictures").mkdir(parents=True)
    with (folder / "truth.jsonl").open("w", encoding="utf-8") as lines:
        for i in range(count):
            photograph = take(1000 * half + i)
            name = f"pictures/{uuid.UUID(int=int(rng.integers(1, 2**62)))}.jpg"
            (folder / name).write_bytes(photograph.code.tobytes())
            truth = {
                "file": name,
                "documents": [{"kind": kind, "quad": photograph.corners.round(1).tolist(), "fields": photograph.fields}],
                "review": str(uuid.UUID(int=half * 10**6 + i)),
                "transaction": str(uuid.UUID(int=half * 10**6 + 500_000 + i)),
                "person": f"{half}{i:011d}",
                "day": f"2026-11-{1 + half * 9 + i % 9:02d}",
                "release": "stand-in",
                "people": [f"clerk{i % 3}"],
                "flagged": False,
                "read": {},
            }
            print(json.dumps(truth, ensure_ascii=False), file=lines)


def draw(
    parser: argparse.ArgumentParser,
    kind: str,
    site_of: Callable[[np.random.Generator], Site],
    take: Callable[[np.random.Generator, Site, int], Photograph],
) -> None:
    """Draw the stand-in site that the command line asks for: both halves, and fresh documents beside them.

    `parser` knows --out and --seed, and gets how many documents each part has. `take` photographs the document of a number, which no other one of the site has.
    """
    for name, documents in (("fit", 100), ("test", 100), ("fresh", 60)):
        parser.add_argument("--" + name, type=int, default=documents)
    args = parser.parse_args()
    site = site_of(np.random.default_rng([args.seed, 0]))
    args.out.mkdir()
    (args.out / "truth.json").write_text('{"form": "bawab-truth/1", "releases": ["stand-in"]}\n', encoding="utf-8")
    fresh = args.out.with_name(args.out.name + "-fresh")
    for half, (folder, count) in enumerate(((args.out / "fit", args.fit), (args.out / "test", args.test), (fresh, args.fresh))):
        rng = np.random.default_rng([args.seed, 1 + half])
        write(rng, kind, partial(take, rng, site), folder, count, half)
