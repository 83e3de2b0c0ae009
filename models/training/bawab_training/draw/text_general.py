"""What lines of general text say beyond those of documents: numbers with separators, vowel signs, drawn out words.

Between Arabic-Indic digits the language tells nothing: only its size and place tell a full stop from a zero. So these lines
draw every separator among every digit, in lists, dates, sums and sentences. Labels stay those of text_content: what a font
prints in another form (Persian digits, the decimal and the thousands separator) is labelled as the alphabet's sign.
"""

import re

import numpy as np

from . import text_content
from .content import ARABIC_DIGITS, pick

# How often a line is of a kind; what is left is half prose and half drawn as for documents.
_SHARES = (("separated", 0.34), ("vowelled", 0.18), ("stretched", 0.08))
_WESTERN = 0.12  # share of the numbers in Western digits
_POINTS = "....,,،"
_UNITS = "جنيه كجم متر سم لتر طن دولار ريال درهم كم ساعة يوم شهر سنة قطعة مليون ألف درجة فدان".split()
_PERSIAN = str.maketrans("٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹")
_BETWEEN = re.compile(r"(?<=[٠-٩۰-۹])[,،](?=[٠-٩۰-۹])")


def _digits(rng: np.random.Generator, least: int, most: int) -> str:
    return "".join(str(d) for d in rng.integers(0, 10, int(rng.integers(least, most + 1))))


def _decimal(rng: np.random.Generator) -> str:
    """A decimal, now and then with thousands set off."""
    whole = _digits(rng, 1, 4)
    if rng.random() < 0.25:
        whole = f"{int(rng.integers(1000, 10_000_000)):,}".replace(",", pick(rng, "،،,"))
    return whole + pick(rng, _POINTS) + pick(rng, ["00", "05", "50", "0", _digits(rng, 1, 3), _digits(rng, 1, 2)])


def _date(rng: np.random.Generator) -> str:
    day, month, year = int(rng.integers(1, 32)), int(rng.integers(1, 13)), int(rng.integers(1900, 2045))
    parts = [f"{day:02d}", f"{month:02d}", str(year)]
    if rng.random() < 0.3:
        parts = [str(day), str(month), pick(rng, [str(year), f"{year % 100:02d}"])]
    return pick(rng, "...//--،").join(parts if rng.random() < 0.8 else parts[::-1])


def _section(rng: np.random.Generator) -> str:
    return pick(rng, "....-/").join(_digits(rng, 1, 2) for _ in range(int(rng.integers(2, 5))))


def _sum(rng: np.random.Generator) -> str:
    parts = [_decimal(rng) if rng.random() < 0.5 else _digits(rng, 1, 4) for _ in range(3)]
    signs = [pick(rng, "+-+x*"), "="]
    blank = pick(rng, [" ", " ", ""])
    return parts[0] + "".join(blank + sign + blank + part for sign, part in zip(signs, parts[1:]))


def _other(rng: np.random.Generator) -> str:
    """A time, share, range, telephone number, count of hundreds, or plain number."""
    return pick(rng, [
        lambda: f"{int(rng.integers(0, 24))}:{int(rng.integers(0, 60)):02d}",
        lambda: (_decimal(rng) if rng.random() < 0.5 else _digits(rng, 1, 2)) + pick(rng, ["٪", "%", " %"]),
        lambda: _digits(rng, 1, 4) + pick(rng, ["-", " - ", "–", "/", ":"]) + _digits(rng, 1, 4),
        lambda: _digits(rng, 1, 4) + pick(rng, ["-", "-", "/"]) + _digits(rng, 1, 4),
        lambda: _digits(rng, 1, 2) + "0" * int(rng.integers(1, 7)),
        lambda: "01" + _digits(rng, 9, 9),
        lambda: "01" + _digits(rng, 1, 1) + pick(rng, "-- .") + _digits(rng, 8, 8),
        lambda: _digits(rng, 1, 14),
        lambda: str(int(rng.integers(1900, 2045))),
    ])()


def _number(rng: np.random.Generator) -> str:
    text = pick(rng, [_decimal, _decimal, _decimal, _date, _date, _section, _section, _sum, _other, _other, _other])(rng)
    return text if rng.random() < _WESTERN else text.translate(ARABIC_DIGITS)


def _item(rng: np.random.Generator) -> str:
    """The number of an item with its sign."""
    number = _digits(rng, 1, 2) if rng.random() < 0.8 else _section(rng)
    return number.translate(ARABIC_DIGITS) + pick(rng, [".", ".", ".", ".", "-", " -", ")", "/", ":", "،"])


def _separated(rng: np.random.Generator) -> str:
    """Numbers with separators: alone, in a sentence, or as an item of a list."""
    kind = rng.random()
    if kind < 0.22:
        return _number(rng)
    if kind < 0.3:
        return " ".join(_number(rng) for _ in range(int(rng.integers(2, 4))))
    if kind < 0.46:
        return _item(rng) + pick(rng, [" ", " ", ""]) + text_content.prose(rng, 1, 4)
    words = text_content.prose(rng, 1, 4).split()
    at = int(rng.integers(0, len(words) + 1))
    number = _number(rng)
    if rng.random() < 0.3:
        number += " " + pick(rng, _UNITS)
    if rng.random() < 0.08:
        number = f"({number})"
    words.insert(at, number)
    return " ".join(words) + pick(rng, ["", "", "", "", ".", "،", "؛", ":", " ."])


def _words(rng: np.random.Generator) -> str:
    return pick(rng, [text_content.prose, text_content.prose, text_content.name, text_content.mixed])(rng)


ROLES = {"separated": _separated, "vowelled": _words, "stretched": _words}


def text(rng: np.random.Generator, role: str) -> str:
    """Draw the clean text of a line of one of the roles separated, vowelled and stretched."""
    return text_content.clean(ROLES[role](rng))


def line(rng: np.random.Generator) -> tuple[str, str]:
    """Draw the text of one line: its role and clean text in logical order."""
    value = rng.random()
    for role, share in _SHARES:
        value -= share
        if value < 0:
            return role, text(rng, role)
    return text_content.line(rng) if rng.random() < 0.5 else ("prose", text_content.clean(text_content.prose(rng, 3, 11)))


def vowelled(rng: np.random.Generator, words: str) -> str:
    """words with vowel signs as careful print has them: on most letters, doubled letters with two, nunation at the end."""
    share = pick(rng, [0.4, 0.7, 0.9, 1.0])
    out = []
    for index, sign in enumerate(words):
        last = not words[index + 1 : index + 2].strip()
        if sign == "ا" and last and index and words[index - 1] in text_content.ARABIC and rng.random() < 0.3 * share:
            out.append("ً" + sign)
            continue
        out.append(sign)
        if sign not in text_content.ARABIC or sign in "اآى" or rng.random() > share:
            continue
        if rng.random() < 0.14 and index and words[index - 1] in text_content.ARABIC and sign not in "ءأإؤئ":
            out.append("ّ")
        if last:
            out.append(pick(rng, "ََُُِِْْ" + "ًٌٍ"))
        elif sign == "إ":
            out.append("ِ")
        else:
            out.append(pick(rng, "ََََُُِِْْْ"))
    return "".join(out)


def stretched(rng: np.random.Generator, words: str) -> str:
    """words, some of them drawn out by tatweel."""
    parts = words.split()
    for at, word in enumerate(parts):
        places = [i + 1 for i in range(len(word) - 1) if _drawable(word[i : i + 2])]
        if places and rng.random() < 0.5:
            for place in sorted({pick(rng, places) for _ in range(int(rng.integers(1, 3)))}, reverse=True):
                word = word[:place] + text_content.TATWEEL * int(rng.integers(1, 9)) + word[place:]
            parts[at] = word
    return " ".join(parts)


def _drawable(pair: str) -> bool:
    """Whether two letters may stand apart on a drawn out stroke."""
    return text_content.joins(pair[0]) and pair[1] in text_content.ARABIC and not (pair[0] == "ل" and pair[1] in "اأإآ")


def printed(rng: np.random.Generator, words: str, known: frozenset[int]) -> str:
    """words as a printer that knows the code points known may set them: the same signs in other forms, one for one."""
    if rng.random() < 0.1 and all(ord(sign) in known for sign in "۰۱۲۳۴۵۶۷۸۹"):
        words = words.translate(_PERSIAN)
    forms = {",": "٫", "،": "٬"}
    usable = {sign: form for sign, form in forms.items() if ord(form) in known and rng.random() < 0.6}
    return _BETWEEN.sub(lambda found: usable.get(found[0], found[0]), words)
