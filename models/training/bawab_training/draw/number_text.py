"""What numbers of general text say: every separator among digits of one form, set close or apart.

The digits are mostly uniform, so that the network reads ink and not dates. A number is wholly in Western, in Arabic-Indic or in Persian
digits; the Persian forms of 4, 5 and 6 and the zero that is an open circle are signs of their own. The decimal and the thousands separator
are labelled as the comma and the Arabic comma that they look like.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from .content import pick

WESTERN, ARABIC, PERSIAN = "0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹"
DIGITS = WESTERN + ARABIC + "۰۴۵۶"
LABELS = DIGITS + ".,،:/-–%٪() "
CLASSES = len(LABELS) + 1
_INDEX = {sign: i + 1 for i, sign in enumerate(LABELS)}


def encode(label: str) -> list[int]:
    """The classes of a label."""
    return [_INDEX[sign] for sign in label]


def decode(classes: npt.NDArray[np.integer[Any]]) -> str:
    """The label of a best path: repeats and blanks removed."""
    first = np.concatenate([[True], classes[1:] != classes[:-1]])
    return "".join(LABELS[c - 1] for c in classes[first & (classes != 0)])


def _digits(rng: np.random.Generator, least: int, most: int) -> str:
    """Digits: uniform, or of a few values only, now and then of those that look like circles."""
    count, share = int(rng.integers(least, most + 1)), rng.random()
    values = np.arange(10)
    if share < 0.12:
        values = np.array([0, 0, 5])
    elif share < 0.25:
        values = rng.choice(10, int(rng.integers(1, 4)), replace=False)
    return "".join(str(v) for v in rng.choice(values, count))


def _parts(rng: np.random.Generator) -> list[str]:
    return [_digits(rng, 1, 2) if rng.random() < 0.75 else _digits(rng, 3, 4) for _ in range(int(rng.integers(2, 5)))]


def _thousands(rng: np.random.Generator) -> str:
    first, rest = _digits(rng, 1, 3), [_digits(rng, 3, 3) for _ in range(int(rng.integers(1, 4)))]
    return pick(rng, ",,،،.").join([first, *rest])


def _decimal(rng: np.random.Generator) -> str:
    whole = _thousands(rng) if rng.random() < 0.3 else _digits(rng, 1, 5)
    return whole + pick(rng, "..,,،") + pick(rng, ["00", "05", "50", "0", _digits(rng, 1, 3), _digits(rng, 1, 2)])


def _date(rng: np.random.Generator) -> str:
    parts = [_digits(rng, 2, 2), _digits(rng, 2, 2), _digits(rng, 4, 4)]
    if rng.random() < 0.3:
        parts = [_digits(rng, 1, 1), _digits(rng, 1, 2), _digits(rng, 2, 4)]
    return pick(rng, "..///--–").join(parts if rng.random() < 0.6 else parts[::-1])


def _range(rng: np.random.Generator) -> str:
    return _digits(rng, 1, 4) + pick(rng, ["-", "-", " - ", "–", " – ", "/", ":"]) + _digits(rng, 1, 4)


def _share(rng: np.random.Generator) -> str:
    number, sign = _decimal(rng) if rng.random() < 0.5 else _digits(rng, 1, 3), pick(rng, "%٪٪")
    blank = " " if rng.random() < 0.15 else ""
    return number + blank + sign if rng.random() < 0.5 else sign + blank + number


def _item(rng: np.random.Generator) -> str:
    """The number of an item with its sign, which stands on either side."""
    number, sign = _digits(rng, 1, 2), pick(rng, "...-):/،")
    return number + sign if rng.random() < 0.5 else {")": "("}.get(sign, sign) + number


def _telephone(rng: np.random.Generator) -> str:
    between = pick(rng, ["", "", "-", " ", " "])
    return pick(rng, [
        lambda: _digits(rng, 3, 3) + between + _digits(rng, 8, 8),
        lambda: between.join([_digits(rng, 3, 4), _digits(rng, 3, 3), _digits(rng, 4, 4)]),
        lambda: between.join([_digits(rng, 4, 4) for _ in range(int(rng.integers(2, 5)))]),
    ])()


def _plain(rng: np.random.Generator) -> str:
    if rng.random() < 0.25:
        return _digits(rng, 1, 3) + "0" * int(rng.integers(1, 7))
    return _digits(rng, 1, 14) if rng.random() < 0.5 else _digits(rng, 2, 6)


def content(rng: np.random.Generator) -> str:
    """Draw a number in Western digits as it stands from left to right."""
    kinds = (_decimal, _decimal, _thousands, _date, _date, _sections, _time, _range, _share, _item, _telephone, _plain, _plain, _plain)
    number = pick(rng, kinds)(rng)
    if rng.random() < 0.06:
        number = f"({number})"
    if rng.random() < 0.06:  # the sign that ends a sentence stands left of a number in Arabic text
        number = pick(rng, ".،") + number if rng.random() < 0.7 else number + pick(rng, ".,")
    return number


def _sections(rng: np.random.Generator) -> str:
    return pick(rng, "....-/:").join(_parts(rng))


def _time(rng: np.random.Generator) -> str:
    return ":".join(_digits(rng, 1, 2) if k == 0 else _digits(rng, 2, 2) for k in range(2 if rng.random() < 0.8 else 3))
