"""What the general text recogniser learns to read: its alphabet, the visual order of labels, and the text of lines.

A label holds the signs of a line from left to right as printed. A right-to-left run stands reversed, so
that the alef of a lam-alef ligature comes before its lam; digits and Latin keep their direction, brackets
are the ones seen. Diacritics and tatweel are printed now and then and never part of a label. Blanks
between words are one space however wide.
"""

import functools
import subprocess
import unicodedata
from collections.abc import Iterable

import numpy as np
from bidi import algorithm

from . import content, egypt_lines
from .content import ARABIC_DIGITS, pick

ARABIC = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچڤگ"
SYMBOLS = "".join(map(chr, range(0x20, 0x7F))) + ARABIC + "٠١٢٣٤٥٦٧٨٩" + "،؛؟«»–٪"
CLASSES = len(SYMBOLS) + 1
BLANK = 0
MARKS = "ًٌٍَُِّْٰ"
TATWEEL = "ـ"

_FOLDS = str.maketrans({
    "—": "–", "‐": "-", "‑": "-", "−": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "…": ".", "ٱ": "ا", "ک": "ك",
    "ی": "ي", "﴾": "(", "﴿": ")", "٬": "،", "٫": ",", "\u00a0": " ", "\t": " ",
})
_INDEX = {sign: i + 1 for i, sign in enumerate(SYMBOLS)}
_PRINTED = frozenset(SYMBOLS + MARKS + TATWEEL)
# Letters that do not join to the next one.
_ENDS = frozenset("ءآأؤإادذرزوىة")


def clean(text: str) -> str:
    """text with other forms of a sign folded into the alphabet's, the rest left out, single spaces."""
    folded = unicodedata.normalize("NFC", text).translate(_FOLDS)
    return " ".join("".join(sign for sign in folded if sign in _PRINTED).split())


def encode(label: str) -> list[int]:
    """The classes of a label."""
    return [_INDEX[sign] for sign in label]


def decode(classes: Iterable[int]) -> str:
    """The label of a best path: repeats and blanks removed."""
    out, last = [], BLANK
    for value in classes:
        if value not in (last, BLANK):
            out.append(SYMBOLS[value - 1])
        last = value
    return "".join(out)


def right_to_left(text: str) -> bool:
    """Whether the first letter of text is Arabic (or it has none, but Arabic-Indic digits)."""
    for sign in text:
        if sign.isalpha():
            return sign >= "\u0600"
    return any("٠" <= sign <= "٩" for sign in text)


def visual(text: str, rtl: bool) -> list[tuple[str, int, int]]:
    """The signs of text from left to right: triples of the sign as seen, its index in text, its bidi level."""
    storage = algorithm.get_empty_storage()
    storage["base_level"] = int(rtl)
    storage["base_dir"] = "LR"[int(rtl)]
    algorithm.get_embedding_levels(text, storage)
    for index, item in enumerate(storage["chars"]):
        item["index"] = index
    algorithm.explicit_embed_and_overrides(storage)
    algorithm.resolve_weak_types(storage)
    algorithm.resolve_neutral_types(storage, False)
    algorithm.resolve_implicit_levels(storage, False)
    algorithm.reorder_resolved_levels(storage, False)
    algorithm.apply_mirroring(storage, False)
    return [(item["ch"], item["index"], item["level"]) for item in storage["chars"]]


def label(text: str, rtl: bool | None = None) -> str:
    """The label of a clean text; rtl is the direction of the paragraph, guessed when None."""
    rtl = right_to_left(text) if rtl is None else rtl
    return plain("".join(sign for sign, _, _ in visual(text, rtl)))


def plain(text: str) -> str:
    """text without diacritics and tatweel."""
    return "".join(sign for sign in text if sign not in MARKS and sign != TATWEEL)


def vowelled(text: str, rng: np.random.Generator, share: float) -> str:
    """text with diacritics on about that share of the letters."""
    out = []
    for index, sign in enumerate(text):
        out.append(sign)
        if sign in ARABIC and sign not in "ءآأإا" and rng.random() < share:
            out.append(pick(rng, "َََُُِِّّْ") if rng.random() < 0.93 or text[index + 1 : index + 2].strip() else pick(rng, "ًٌٍ"))
    return "".join(out)


def joins(sign: str) -> bool:
    """Whether a letter joins to the next one."""
    return sign in ARABIC and sign != "" and sign not in _ENDS


def stretched(text: str, rng: np.random.Generator) -> str:
    """text with one word drawn out by tatweel, as printers fill a line."""
    places = [i + 1 for i in range(len(text) - 1) if joins(text[i]) and text[i + 1] in ARABIC]
    if not places:
        return text
    at = pick(rng, places)
    return text[:at] + TATWEEL * int(rng.integers(1, 5)) + text[at:]


@functools.lru_cache
def arabic_words() -> list[str]:
    """The words of Debian's aspell-ar."""
    listed = subprocess.run(["aspell", "-d", "ar", "dump", "master"], check=True, capture_output=True, text=True).stdout
    return [word for word in listed.split() if 2 <= len(word) <= 14 and all(sign in ARABIC for sign in word)]


@functools.lru_cache
def english_words() -> list[str]:
    """The words of Debian's wamerican."""
    with open("/usr/share/dict/american-english", encoding="utf-8") as file:
        return [word for word in file.read().split() if word.isascii() and len(word) <= 13]


# The commonest words of any Arabic page, which a word list does not weigh.
_COMMON = """في من على إلى عن أن إن لا ما هذا هذه ذلك التي الذي كان كانت قال قد لم لن كل بعض بين عند بعد قبل حتى إذا ثم أو و هو هي هم
كما غير مع أي به له فيه عليه منه إليه لها بها فيها وقد ولا وما وهو وهي فإن فقال وقال يقول يكون ابن بن أبو أبي أبا عبد الله رسول يوم
سنة شهر رقم تاريخ اسم محمد أحمد علي حسن مصر القاهرة الدولة الجمهورية العربية وزارة الداخلية مدينة شارع محافظة مركز قسم قرية بموجب الآن
أول ثاني ثلاثة أربعة خمسة مائة ألف جنيه مليون العام الماضي القانون المادة لسنة بشأن عليها الأول اليوم ليس لأن لو إلا أما هناك نحو""".split()
_LABELS = """الاسم|العنوان|تاريخ الميلاد|محل الميلاد|الرقم القومي|رقم المحمول|الجنسية|النوع|المهنة|الديانة|الحالة الاجتماعية|فصيلة الدم|جهة الإصدار
تاريخ الإصدار|تاريخ الانتهاء|صالحة حتى|رقم اللوحة|رقم الشاسيه|رقم الموتور|الماركة|الطراز|سنة الصنع|اللون|الوقود|المبلغ|الإجمالي|فقط وقدره|توقيع
ملاحظات|البريد الإلكتروني|التليفون|رقم الملف|كود العميل|رقم الحساب|السعر|الكمية|الضريبة|بطاقة تحقيق شخصية|جمهورية مصر العربية|وزارة الداخلية
قطاع الأحوال المدنية|رخصة قيادة خاصة|رخصة تسيير|إدارة مرور|وحدة مرور|تنتهي في""".replace("\n", "|").split("|")
_LATIN_LABELS = """Name Date Address Phone Email Total Invoice No Tel Fax Passport Nationality Issue Expiry Class Type Model Colour Chassis Engine VAT
Street City Country Page Ref Code ID Account IBAN Signature Amount Due Balance Price Qty Tax""".split()


def _digits(rng: np.random.Generator, count: int) -> str:
    return "".join(str(d) for d in rng.integers(0, 10, count))


def _either(rng: np.random.Generator, text: str, arabic: float = 0.6) -> str:
    return text.translate(ARABIC_DIGITS) if rng.random() < arabic else text


def number(rng: np.random.Generator) -> str:
    """A number, amount, date, time, serial or telephone number in either set of digits."""
    day, month, year = int(rng.integers(1, 32)), int(rng.integers(1, 13)), int(rng.integers(1930, 2045))
    kind = rng.random()
    if kind < 0.3:
        sign = pick(rng, "//--. ")
        parts = [f"{day:02d}", f"{month:02d}", str(year)] if rng.random() < 0.7 else [str(day), str(month), str(year)]
        text = sign.join(parts if rng.random() < 0.5 else parts[::-1])
    elif kind < 0.55:
        text = _digits(rng, int(rng.integers(1, 15)))
    elif kind < 0.65:
        text = f"{int(rng.integers(0, 10 ** int(rng.integers(1, 7)))):,}" + (f".{_digits(rng, 2)}" if rng.random() < 0.5 else "")
    elif kind < 0.72:
        text = f"{int(rng.integers(0, 100))}{pick(rng, ['%', '٪', ' %'])}"
    elif kind < 0.8:
        text = pick(rng, ["01", "02", "+20", "002"]) + _digits(rng, int(rng.integers(7, 10)))
    elif kind < 0.86:
        text = f"{int(rng.integers(0, 24)):02d}:{int(rng.integers(0, 60)):02d}"
    elif kind < 0.93:
        text = pick(rng, "/-/-. ").join(_digits(rng, int(rng.integers(1, 5))) for _ in range(int(rng.integers(2, 4))))
    else:
        text = "(" + _digits(rng, int(rng.integers(1, 4))) + ")"
    return _either(rng, text)


def latin(rng: np.random.Generator) -> str:
    """Latin words, capitals, names, electronic addresses, serial numbers and the like."""
    kind = rng.random()
    if kind < 0.3:
        words = [pick(rng, english_words()) for _ in range(int(rng.integers(1, 6)))]
        text = " ".join(words)
        text = text.upper() if rng.random() < 0.25 else text.title() if rng.random() < 0.3 else text
    elif kind < 0.5:
        chain = content.table(content.MEN)
        words = [pick(rng, chain)[1] for _ in range(int(rng.integers(1, 5)))]
        if rng.random() < 0.4:
            words = [pick(rng, content.GIVEN), pick(rng, content.FAMILY)]
        text = " ".join(words)
        text = text.upper() if rng.random() < 0.6 else text.title()
    elif kind < 0.6:
        host = pick(rng, english_words()).lower().replace("'", "")
        user = pick(rng, english_words()).lower().replace("'", "")
        text = pick(rng, [f"{user}@{host}.com", f"www.{host}.com", f"{user}.{host}@gmail.com", f"https://{host}.org/{user}", f"{user}_{_digits(rng, 2)}@{host}.eg"])
    elif kind < 0.78:
        letters = "".join(pick(rng, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") for _ in range(int(rng.integers(1, 4))))
        text = letters + pick(rng, ["", " ", "-", "/"]) + _digits(rng, int(rng.integers(2, 10)))
    elif kind < 0.84:
        text = "".join(pick(rng, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789") for _ in range(int(rng.integers(6, 18))))
    elif kind < 0.92:
        text = pick(rng, _LATIN_LABELS) + pick(rng, [": ", " : ", ":", " "]) + pick(rng, [_digits(rng, 5), pick(rng, content.FAMILY).title(), pick(rng, english_words())])
    else:
        signs = SYMBOLS[1:95]
        text = " ".join("".join(pick(rng, signs) for _ in range(int(rng.integers(1, 8)))) for _ in range(int(rng.integers(1, 4))))
    return text


def _document(rng: np.random.Generator, kind: str) -> str:
    """A line of Egyptian documents whose role begins with kind."""
    while True:
        role, text = egypt_lines.line_text(rng)
        if role.startswith(kind):
            return text


def name(rng: np.random.Generator) -> str:
    """A chain of Egyptian names, or a part of one."""
    return _document(rng, "name")


def address(rng: np.random.Generator) -> str:
    """An Egyptian address, or half of one."""
    return _document(rng, "address")


def _prose_words(rng: np.random.Generator, count: int) -> list[str]:
    return [pick(rng, _COMMON) if rng.random() < 0.35 else pick(rng, arabic_words()) for _ in range(count)]


def prose(rng: np.random.Generator, least: int = 2, most: int = 10) -> str:
    """A line of running Arabic text with the punctuation of books and letters."""
    words = _prose_words(rng, int(rng.integers(least, most)))
    for index, word in enumerate(words):
        kind = rng.random()
        if kind < 0.10:
            words[index] = word + pick(rng, ["،", "،", " ،", ".", " .", ":", " :", "؛", "؟", "!", " -", "،"])
        elif kind < 0.13:
            words[index] = pick(rng, ["({})", "«{}»", "« {} »", '"{}"', "[{}]", "( {} )", "{}("]).format(word)
        elif kind < 0.16:
            words[index] = number(rng)
        elif kind < 0.18:
            words[index] = word + _either(rng, f"({int(rng.integers(1, 30))})")
    return " ".join(words)


def scattered(rng: np.random.Generator) -> str:
    """Words that no list knows, from random letters: the recogniser must read what is printed."""
    letters = ARABIC[:-4] if rng.random() < 0.8 else ARABIC
    words = ["".join(pick(rng, letters) for _ in range(int(rng.integers(1, 8)))) for _ in range(int(rng.integers(1, 5)))]
    return " ".join(words)


def mixed(rng: np.random.Generator) -> str:
    """A label with its value, Arabic with Latin and numbers."""
    kind = rng.random()
    if kind < 0.5:
        value = pick(rng, [number, name, latin, prose, number])(rng)
        return pick(rng, _LABELS) + pick(rng, [" : ", ": ", " ", ":", " / "]) + value
    if kind < 0.7:
        return pick(rng, _LABELS)
    parts = [pick(rng, [number, latin, lambda r: prose(r, 1, 4), name])(rng) for _ in range(int(rng.integers(2, 4)))]
    return pick(rng, [" ", " ", " - ", " / ", ", "]).join(parts)


ROLES = {"name": name, "address": address, "number": number, "latin": latin, "prose": prose, "mixed": mixed, "scattered": scattered}


def text(rng: np.random.Generator, role: str) -> str:
    """Draw the clean text of a line of one role."""
    return clean(ROLES[role](rng))


# How often a line is of a role beyond what documents print.
_SHARES = (("number", 0.08), ("latin", 0.13), ("prose", 0.2), ("mixed", 0.09), ("scattered", 0.06))


def _sprinkled(rng: np.random.Generator, text: str) -> str:
    """text with one of the signs that lines seldom have, or a Persian letter in the place of its Arabic neighbour."""
    if rng.random() < 0.2:
        swapped = text
        for arabic, persian in ("بپ", "جچ", "فڤ", "كگ"):
            swapped = swapped.replace(arabic, persian) if rng.random() < 0.5 else swapped
        return swapped
    words = text.split()
    at = int(rng.integers(0, len(words) + 1))
    sign = pick(rng, "#$&*+;<=>?\\^`{|}~–٪!@_%'\"[]")
    if rng.random() < 0.5 or at == len(words):
        words.insert(at, sign)
    else:
        words[at] = sign + words[at] if rng.random() < 0.5 else words[at] + sign
    return " ".join(words)


def _tied(rng: np.random.Generator, text: str) -> str:
    """text with a stroke, a dash or a comma in the place of one of its blanks, close to both words or to one."""
    words = text.split()
    if len(words) < 2:
        return text
    at = int(rng.integers(1, len(words)))
    return " ".join(words[:at]) + pick(rng, ["/", "/", "-", "-", "،", "/ ", " /", "- ", " -", "، ", "\\"]) + " ".join(words[at:])


def line(rng: np.random.Generator) -> tuple[str, str]:
    """Draw the text of one line: its role and clean text in logical order."""
    role, text = _line(rng)
    draw = rng.random()
    return role, clean(_sprinkled(rng, text) if draw < 0.05 else _tied(rng, text) if draw < 0.09 else text)


def _line(rng: np.random.Generator) -> tuple[str, str]:
    value = rng.random()
    for role, share in _SHARES:
        value -= share
        if value < 0:
            return role, ROLES[role](rng)
    return egypt_lines.line_text(rng)
