"""What digit lines say: national numbers, dates and short groups, how they are spaced, and words beside them.

The digits are mostly uniform, so that the network reads ink and learns no grammar: knowing that a month is
at most 12 is the decoder's part.
"""

import numpy as np
import numpy.typing as npt

from . import egypt_content

LABELS = "0123456789/-"
BLANK = 0  # class of the CTC blank; the signs are classes 1..12 in the order of LABELS
CLASSES = len(LABELS) + 1
WESTERN = "0123456789"
ARABIC = "٠١٢٣٤٥٦٧٨٩"

# Governorates of the national number, with those born abroad.
GOVERNORATES = (*sorted(egypt_content.PLACES), egypt_content.lists.ABROAD[0])

_LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهويةىأإآئؤء"
_WORDS = """
الرقم القومي تاريخ الميلاد تاريخ الإصدار البطاقة سارية حتى جمهورية مصر العربية وزارة الداخلية بطاقة تحقيق الشخصية
رقم الرخصة محافظة القاهرة الجيزة الإسكندرية شارع عمارة شقة مركز قسم ذكر أنثى مسلم مسيحي أعزب متزوج طالب مهندس
رخصة قيادة خاصة تسيير ملاكي مرور صادرة بتاريخ تنتهي في محمد أحمد محمود فاطمة عبدالله السيد إبراهيم
""".split()
_LATIN = "NAME DATE OF BIRTH EXPIRY ISSUE EGYPT ARAB REPUBLIC PASSPORT Number Card Valid until Place Sex Nationality".split()

_GROUPS = (
    (2, 2, 2, 2, 2, 2, 2), (1, 2, 2, 2, 2, 4, 1), (1, 6, 2, 5), (7, 7), (1, 6, 2, 4, 1), (3, 2, 2, 2, 5), (4, 4, 4, 2), (1, 6, 7),
)


def encode(text: str) -> list[int]:
    """Return the classes of text, one per sign."""
    return [LABELS.index(sign) + 1 for sign in text]


def decode(classes: npt.ArrayLike) -> str:
    """Return the text of the best class per column: repeats collapsed, blanks dropped."""
    classes = np.asarray(classes)
    first = np.concatenate([[True], classes[1:] != classes[:-1]])
    return "".join(LABELS[c - 1] for c in classes[first & (classes != BLANK)])


def number(rng: np.random.Generator) -> str:
    """Draw a national number within its grammar."""
    sex, birth = "MF"[int(rng.integers(2))], egypt_content.day_between(rng, 1930, 2023)
    return egypt_content.national_number(rng, sex, birth, egypt_content.governorate(rng))


def digits(rng: np.random.Generator, count: int) -> str:
    """Draw count digits: uniform, or now and then of a few values only, so that runs occur."""
    values = np.arange(10)
    if rng.random() < 0.15:
        values = rng.choice(10, int(rng.integers(1, 4)), replace=False)
    return "".join(str(v) for v in rng.choice(values, count))


def date(rng: np.random.Generator) -> str:
    """Draw the form of a date, one in five with digits that are one."""
    join = "-" if rng.random() < 0.15 else "/"
    year, month, day = digits(rng, 4), digits(rng, 2), digits(rng, 2)
    if rng.random() < 0.2:
        year, month, day = str(rng.integers(1930, 2040)), f"{rng.integers(1, 13):02}", f"{rng.integers(1, 32):02}"
    if rng.random() < 0.1:
        month, day = month.lstrip("0") or "1", day.lstrip("0") or "1"
    shape = rng.random()
    if shape < 0.6:
        return join.join((year, month, day))
    return join.join((day, month, year)) if shape < 0.8 else join.join((year, month))


def content(rng: np.random.Generator, kind: str | None = None) -> list[str]:
    """Draw what a line says: a list of groups from left to right with wide space between them.

    kind is "number" or "date" (one group), or None for the mixture of the training, in which numbers have no grammar:
    a network that learns that 2 is the usual first digit is sure of it where a 3 is printed.
    """
    if kind:
        return [number(rng) if kind == "number" else date(rng)]
    share = rng.random()
    if share < 0.44:
        return [digits(rng, 14)]
    if share < 0.70:
        return [date(rng)]
    if share < 0.89:
        return [digits(rng, int(rng.integers(1, 17)))]
    if share < 0.93:
        return [date(rng), digits(rng, int(rng.choice([14, 14, 6, 8])))]
    if share < 0.97:
        return [digits(rng, int(rng.integers(1, 6))) for _ in range(int(rng.integers(2, 4)))]
    return []


def word(rng: np.random.Generator) -> tuple[str, bool]:
    """Draw a word and whether it is Arabic: of documents, or of random letters."""
    arabic = rng.random() < 0.75
    if arabic and rng.random() < 0.5:
        return _WORDS[int(rng.integers(len(_WORDS)))], True
    if arabic:
        return "".join(rng.choice(list(_LETTERS), int(rng.integers(2, 8)))), True
    if rng.random() < 0.5:
        return _LATIN[int(rng.integers(len(_LATIN)))], False
    text = "".join(rng.choice(list("ABCDEFGHJKLMNPQRSTUVWXYZ"), int(rng.integers(2, 8))))
    return (text if rng.random() < 0.6 else text.capitalize()), False


def gaps(rng: np.random.Generator, text: str) -> npt.NDArray[np.float64]:
    """Return the space after each sign of text (but the last) beyond its natural advance, in heights of the line."""
    count = max(0, len(text) - 1)
    style = rng.random()
    if style < 0.3:
        base = rng.uniform(-0.04, 0.1)
    elif style < 0.65:
        base = rng.uniform(0.1, 0.5)
    else:
        base = rng.uniform(0.5, 1.25)
    result = base + rng.normal(0, rng.choice([0, 0.03, 0.15], p=[0.4, 0.35, 0.25]), count)
    if count >= 4 and rng.random() < 0.4 and text.isdigit():
        result += _between_groups(rng, count + 1)
    for i in range(count):
        if not text[i : i + 2].isdigit():  # beside a separator
            result[i] = rng.uniform(-0.05, 0.15) if rng.random() < 0.6 else min(result[i], 0.6)
    room = 36.0 - 0.7 * len(text)  # heights that a squeezed window holds beside the signs
    return result * min(1.0, room / max(1.0, result.sum()))


def _between_groups(rng: np.random.Generator, count: int) -> npt.NDArray[np.float64]:
    extra = np.zeros(count - 1)
    if count == 14 and rng.random() < 0.8:
        ends = np.cumsum(_GROUPS[int(rng.integers(len(_GROUPS)))])[:-1]
    else:
        ends = np.cumsum(rng.integers(1, 5, count))
    extra[ends[ends < count] - 1] = rng.uniform(0.2, 1.6) if rng.random() < 0.7 else rng.uniform(1.2, 3)
    return extra
