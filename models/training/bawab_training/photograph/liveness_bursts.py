"""The layout that `bawab eval liveness` reads, out of a table of bursts.

    python -m bawab_training.photograph.liveness_bursts --bursts DIR/bursts.csv --out OUT [--persons 0001 0002 ...]

The table has the columns kind, person, f1, f2, f3 with files beside it, three frames of one recording in order. OUT/KIND/PERSON-NNN/ gets a
link to each.
"""

from __future__ import annotations

import argparse
import collections
import csv
import os


def main() -> None:
    """Parse the command line and make the links."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.liveness_bursts")
    parser.add_argument("--bursts", required=True, help="table of bursts")
    parser.add_argument("--persons", nargs="+", help="take these persons alone")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    base = os.path.dirname(os.path.abspath(args.bursts))
    count: collections.Counter[tuple[str, str]] = collections.Counter()
    with open(args.bursts, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if args.persons and row["person"] not in args.persons:
                continue
            count[row["kind"], row["person"]] += 1
            folder = os.path.join(args.out, row["kind"], f"{row['person']}-{count[row['kind'], row['person']]:03d}")
            os.makedirs(folder, exist_ok=True)
            for number, column in enumerate(("f1", "f2", "f3")):
                os.symlink(os.path.join(base, row[column]), os.path.join(folder, f"{number}.jpg"))
    for (kind, person), bursts in sorted(count.items()):
        print(kind, person, bursts)


if __name__ == "__main__":
    main()
