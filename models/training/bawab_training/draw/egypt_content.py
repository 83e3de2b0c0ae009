"""Invented holders of Egyptian documents, and what is printed on each document about them.

Every person, number and address is put together by chance; no value comes from a document of a living person.
Strings are in logical order as printed; `fields` of each content are the values that the service answers for it
(digits Western, dates ISO, vocabulary words in their dictionary spelling, free text as printed).
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import egypt_words as lists
from .content import pick

EASTERN = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
WEIGHTS = (2, 7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)  # of the advisory check digit over digits 1 to 13
PLACES = lists.places()
TODAY = datetime.date(2026, 11, 1)  # no document was issued later
# Governorates in which more people are registered are drawn more often, but none is rare.
SHARES = {"01": 5, "21": 5, "12": 4, "13": 4, "18": 4, "02": 3, "24": 3, "16": 3, "26": 3, "25": 3, "14": 3, "17": 3, "23": 2, "15": 2, "27": 2}
MEN, MEN_PAIRS = lists.words(lists.MEN), lists.phrases(lists.MEN_COMPOUND)
WOMEN, WOMEN_PAIRS = lists.words(lists.WOMEN), lists.phrases(lists.WOMEN_COMPOUND)
COPTIC_MEN, COPTIC_WOMEN = lists.words(lists.COPTIC_MEN), lists.words(lists.COPTIC_WOMEN)
FAMILIES, JOBS, WORKPLACES = lists.words(lists.FAMILIES), lists.phrases(lists.JOBS), lists.phrases(lists.WORKPLACES)
STREETS, VILLAGES, QUARTERS = lists.phrases(lists.STREETS), lists.phrases(lists.VILLAGES), lists.phrases(lists.QUARTERS)
PROSE = lists.PROSE.split()
LETTERS = "ابتثجحخدذرزسشصضطظعغفقكلمنهوي"
RELIGIONS = {("M", 0): "مسلم", ("F", 0): "مسلمة", ("M", 1): "مسيحي", ("F", 1): "مسيحية", ("M", 2): "يهودي", ("F", 2): "يهودية"}
MARITAL = {"M": ("أعزب", "متزوج", "مطلق", "أرمل"), "F": ("آنسة", "متزوجة", "مطلقة", "أرملة")}
SEX_WORD = {"M": "ذكر", "F": "أنثى"}
GENDER = {"M": "Male", "F": "Female"}


@dataclass(frozen=True)
class Spelling:
    """The habits of one registry's typist: ى for final ي, ه for ة, bare alef for أ إ آ, compounds joined (shares 0 to 1)."""

    yeh: float
    heh: float
    alef: float
    joined: float

    def apply(self, rng: np.random.Generator, text: str) -> str:
        """Spell a text in these habits; every word is decided for itself, since typists are not steady either."""
        spelt = []
        for word in text.split(" "):
            if word.endswith("ي") and len(word) > 2 and rng.random() < self.yeh:
                word = word[:-1] + "ى"
            if word.endswith("ة") and rng.random() < self.heh:
                word = word[:-1] + "ه"
            if rng.random() < self.alef:
                word = word.replace("أ", "ا").replace("إ", "ا").replace("آ", "ا")
            spelt.append(word)
        return " ".join(spelt)

    def compound(self, rng: np.random.Generator, name: str) -> str:
        """Join the two words of a compound name as often as this typist does."""
        if " " in name and rng.random() < self.joined:
            return name.replace(" ", "")
        return name


def spelling(rng: np.random.Generator) -> Spelling:
    """Draw a typist: most print ى for final ي, few the other variants."""
    yeh = rng.choice([1.0, 0.8, 0.5, 0.0], p=[0.4, 0.2, 0.1, 0.3])
    heh = rng.choice([0.0, 0.15, 0.8], p=[0.7, 0.2, 0.1])
    alef = rng.choice([0.0, 0.3, 1.0], p=[0.5, 0.25, 0.25])
    return Spelling(float(yeh), float(heh), float(alef), float(rng.choice([0.0, 0.4, 1.0])))


def invented_word(rng: np.random.Generator) -> str:
    """A word that no list holds but whose shape is Arabic: a root of three letters in one of the usual patterns."""
    a, b, c = (pick(rng, LETTERS[1:]) for _ in range(3))
    shape = pick(rng, ["{a}ا{b}{c}", "م{a}{b}و{c}", "{a}{b}ي{c}", "{a}{b}ا{c}", "ت{a}{b}ي{c}", "{a}{b}{c}ي", "{a}{b}{c}اوي", "{a}{b}و{c}ة", "أ{a}{b}{c}",
                       "{a}{b}{c}ان", "م{a}{b}{c}", "است{a}{b}ا{c}", "{a}ي{b}{c}", "{a}{b}{c}ية", "{a}وا{b}{c}", "{a}{b}ّ{c}".replace("ّ", "")])
    word = shape.format(a=a, b=b, c=c)
    return "ال" + word if rng.random() < 0.35 else word


def _given(rng: np.random.Generator, sex: str, coptic: bool) -> str:
    if rng.random() < 0.03:
        return invented_word(rng)
    if coptic and rng.random() < 0.75:
        return pick(rng, COPTIC_MEN if sex == "M" else COPTIC_WOMEN)
    names, pairs, share = (MEN, MEN_PAIRS, 0.22) if sex == "M" else (WOMEN, WOMEN_PAIRS, 0.05)
    if rng.random() < 0.2:
        return pick(rng, names[:60])
    return pick(rng, pairs if rng.random() < share else names)


def _family(rng: np.random.Generator) -> str:
    if rng.random() < 0.1:
        return invented_word(rng)
    if rng.random() < 0.12:
        return "آل " + pick(rng, MEN) if rng.random() < 0.1 else "ال" + pick(rng, MEN[40:])
    if rng.random() < 0.1:
        return "أبو " + pick(rng, FAMILIES).removeprefix("أبو")
    return pick(rng, FAMILIES)


def name_chain(rng: np.random.Generator, sex: str, coptic: bool = False, style: Spelling | None = None) -> tuple[str, list[str]]:
    """(first name, list of the other names) in the order of printing: father, grandfather, family and so on."""
    style = style or spelling(rng)
    count = int(rng.choice([2, 3, 4, 5], p=[0.12, 0.5, 0.28, 0.1]))
    rest = [_given(rng, "M", coptic) for _ in range(count - 1)]
    rest.append(_family(rng) if rng.random() < 0.6 else _given(rng, "M", coptic))
    names = [style.apply(rng, style.compound(rng, name)) for name in [_given(rng, sex, coptic)] + rest]
    return names[0], names[1:]


def eastern(text: str) -> str:
    """The text with Arabic-Indic digits."""
    return text.translate(EASTERN)


def check_digit(body: str, rng: np.random.Generator) -> str:
    """The advisory digit of thirteen digits; where the sources disagree (10 and 11) one of their readings by chance."""
    rest = 11 - sum(w * int(d) for w, d in zip(WEIGHTS, body)) % 11
    return str(rest) if rest < 10 else str(int(rng.integers(0, 2)))


def national_number(rng: np.random.Generator, sex: str, birth: datetime.date, born: str) -> str:
    """Fourteen digits for a sex, a birth date and a governorate code; one in ten breaks the advisory check digit."""
    sequence = int(rng.integers(0, 500)) * 20 + int(rng.integers(0, 5)) * 2 + (sex == "M")
    if rng.random() < 0.6:  # most sequences are low, because they count the births of one day
        sequence = int(rng.integers(0, 120)) * 10 + sequence % 10
    body = f"{2 if birth.year < 2000 else 3}{birth:%y%m%d}{born}{sequence:04d}"
    last = check_digit(body, rng)
    return body + (last if rng.random() < 0.9 else str(int(rng.integers(0, 10))))


def governorate(rng: np.random.Generator, exclude_abroad: bool = False) -> str:
    """A governorate code, populous ones more often; 88 (born abroad) now and then."""
    if not exclude_abroad and rng.random() < 0.012:
        return lists.ABROAD[0]
    codes = sorted(PLACES)
    shares = np.array([SHARES.get(code, 1.3) for code in codes], float)
    return codes[int(rng.choice(len(codes), p=shares / shares.sum()))]


def governorate_name(code: str) -> str:
    """The Arabic name that belongs to digits 8 and 9 of a number."""
    return lists.ABROAD[1] if code == lists.ABROAD[0] else PLACES[code][0]


def day_between(rng: np.random.Generator, first: int, last: int) -> datetime.date:
    """A day from the first of January of year first to the end of year last."""
    low, high = datetime.date(first, 1, 1).toordinal(), datetime.date(last, 12, 31).toordinal()
    return datetime.date.fromordinal(int(rng.integers(low, high + 1)))


def _house(rng: np.random.Generator) -> str:
    number = str(int(rng.integers(1, 200)))
    draw = rng.random()
    if draw < 0.06:
        number += pick(rng, [" أ", " ب", "أ", "ب", " مكرر", " م"])
    elif draw < 0.11:
        number += "/" + str(int(rng.integers(1, 30)))
    return eastern(number) if rng.random() < 0.97 else number


def _street(rng: np.random.Generator) -> str:
    if rng.random() < 0.07:
        return " ".join(invented_word(rng) for _ in range(int(rng.integers(1, 3))))
    if rng.random() < 0.25:
        chain = [_given(rng, "M", False) for _ in range(int(rng.integers(1, 4)))]
        return (pick(rng, ["", "", "", "الشيخ ", "الشهيد ", "الدكتور ", "الحاج "]) + " ".join(chain)).strip()
    return eastern(pick(rng, STREETS))


def _small(rng: np.random.Generator, low: int = 1, high: int = 60) -> str:
    return eastern(str(int(rng.integers(low, high))))


def _town_line(rng: np.random.Generator) -> str:
    word = pick(rng, ["شارع", "ش", "شارع", "ش", "حارة", "درب", "عطفة", "زقاق", "طريق", "ش."])
    line = f"{_house(rng)} {word} {_street(rng)}"
    extras = [
        lambda: f"شقة {_small(rng)}", lambda: f"ش {_small(rng)}", lambda: f"الدور {_small(rng, 1, 12)}", lambda: f"بجوار {pick(rng, ['مسجد', 'مدرسة', 'جامع', 'صيدلية', 'مستشفى'])} {_street(rng)}",
        lambda: pick(rng, QUARTERS), lambda: f"من ش {_street(rng)}", lambda: f"متفرع من {_street(rng)}", lambda: f"({pick(rng, QUARTERS)})", lambda: f"خلف {pick(rng, ['القسم', 'المدرسة', 'النادي', 'السنترال', 'البنك'])}",
    ]
    if rng.random() < 0.3:
        line += " " + pick(rng, ["", "", "- ", "، "]) + pick(rng, extras)()
    return line


def _estate_line(rng: np.random.Generator) -> str:
    block, flat = _small(rng, 1, 400), _small(rng, 1, 60)
    quarter = eastern(pick(rng, QUARTERS))
    return pick(rng, [
        f"عمارة {block} شقة {flat} {quarter}", f"ع {block} ش {flat} {quarter}", f"بلوك {block} مدخل {_small(rng, 1, 5)} {quarter}", f"{quarter} عمارة {block}",
        f"قطعة {block} {quarter}", f"فيلا {block} {quarter}", f"عمارة {block} - {quarter}", f"{block} عمارات {_street(rng)}", f"ق {block} م {_small(rng, 1, 30)} {quarter}", f"م {block} ع {flat} ش {_small(rng)} {quarter}",
    ])


def _village_line(rng: np.random.Generator) -> str:
    village = pick(rng, VILLAGES) if rng.random() < 0.8 else invented_word(rng)
    return pick(rng, [village, f"قرية {village}", village, f"{village} - {pick(rng, VILLAGES)}", f"عزبة {pick(rng, MEN)}", f"ش {_street(rng)} {village}", f"نجع {pick(rng, FAMILIES)}", f"كفر {pick(rng, FAMILIES)}",
                      f"{village} ({pick(rng, VILLAGES)})", f"عزبة {pick(rng, FAMILIES)} - {village}", f"{village} بجوار {pick(rng, ['المسجد الكبير', 'الجمعية', 'المدرسة', 'الوحدة الصحية'])}", f"{_house(rng)} {village}"])


def address_lines(rng: np.random.Generator, code: str, style: Spelling) -> tuple[str, str]:
    """The two printed address lines for a governorate of residence."""
    name, centres = PLACES[code]
    centre, city = centres[int(rng.integers(len(centres)))]
    draw = rng.random()
    if city:
        first = _town_line(rng) if draw < 0.72 else _estate_line(rng)
        word = pick(rng, ["قسم", "", "قسم", "حى", "ق", "قسم"])
    else:
        first = _village_line(rng) if draw < 0.6 else (_town_line(rng) if draw < 0.93 else _estate_line(rng))
        word = pick(rng, ["مركز", "", "مركز", "مدينة", "مركز"])
    place = eastern(f"{word} {centre}".strip())
    dash = rng.choice([" - ", " ", "-", " / ", " – "], p=[0.72, 0.14, 0.06, 0.05, 0.03])
    return style.apply(rng, first), style.apply(rng, place + dash + name)


def serial(rng: np.random.Generator) -> str:
    """The card's own serial: two letters and seven digits; one in seven follows another habit."""
    letters, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "".join(str(d) for d in rng.integers(0, 10, 8))
    draw = rng.random()
    if draw < 0.86:
        return pick(rng, letters) + pick(rng, letters) + digits[:7]
    return digits[7] + pick(rng, letters) + digits[:7] if draw < 0.93 else pick(rng, letters) + digits


@dataclass
class Person:
    """An invented holder. first and rest are the names as printed, number the 14 Western digits, home a governorate code."""

    sex: str
    birth: datetime.date
    born: str
    number: str
    first: str
    rest: list[str]
    coptic: bool
    home: str
    address: tuple[str, str]
    style: Spelling


def person(rng: np.random.Generator) -> Person:
    """Draw a holder of at least sixteen years."""
    sex = "F" if rng.random() < 0.46 else "M"
    birth = day_between(rng, 1938, 2009)
    born, coptic, style = governorate(rng), rng.random() < 0.14, spelling(rng)
    first, rest = name_chain(rng, sex, coptic, style)
    home = born if rng.random() < 0.65 and born in PLACES else governorate(rng, True)
    return Person(sex, birth, born, national_number(rng, sex, birth, born), first, rest, coptic, home, address_lines(rng, home, style), style)


@dataclass
class Content:
    """What one document prints: lines is [(role, text)] in printed order, fields the service's values, extra what layouts ask for."""

    kind: str
    lines: list[tuple[str, str]]
    fields: dict[str, str | None]
    person: Person | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    def text(self, role: str) -> str:
        """The printed text of a role, "" where the document leaves it blank."""
        return next((text for name, text in self.lines if name == role), "")


def _name_lines(rng: np.random.Generator, holder: Person) -> list[str]:
    """The name block in two or three lines: the first name alone, then the others."""
    rest = list(holder.rest)
    if len(rest) >= 3 and rng.random() < 0.18:
        cut = int(rng.integers(1, len(rest)))
        return [holder.first, " ".join(rest[:cut]), " ".join(rest[cut:])]
    return [holder.first, " ".join(rest)]


def id_front(rng: np.random.Generator, holder: Person) -> Content:
    """The front of the national ID."""
    names = _name_lines(rng, holder)
    first_line, second_line = holder.address
    lines = [("header_1", "جمهورية مصر العربية"), ("header_2", pick(rng, ["بطاقة تحقيق الشخصية", "بطاقة تحقيق شخصية", "بطاقة تحقيق الشخصيه", "بطاقة تحقيق الشخصية"]))]
    lines += [(f"name_{row + 1}", name) for row, name in enumerate(names)]
    lines += [("address_1", first_line), ("address_2", second_line), ("number", eastern(holder.number))]
    key = serial(rng)
    birth = rng.random() < 0.85  # the date shares its place with an image that depends on the angle
    if birth:
        lines.append(("birth", eastern(f"{holder.birth:%Y/%m/%d}")))
    if rng.random() < 0.97:
        lines.append(("serial", key))
    else:
        key = ""
    last = " ".join(names[1:])
    fields: dict[str, str | None] = {
        "first_name": holder.first, "last_names": last, "name": f"{holder.first} {last}", "address_1": first_line, "address_2": second_line,
        "address": f"{first_line} {second_line}", "idNumber": holder.number, "dateOfBirth": holder.birth.isoformat(), "gender": GENDER[holder.sex],
        "govern": governorate_name(holder.born), "idKey": key,
    }
    return Content("national_id_front", lines, fields, holder)


def _occupation(rng: np.random.Generator, holder: Person, age: int) -> tuple[str, str]:
    """(job, title or workplace): both printed lines, the second often blank."""
    style = holder.style
    if rng.random() < 0.3:
        job = pick(rng, lists.FREQUENT_JOBS)
    elif age < 24 and rng.random() < 0.6:
        job = "طالب" if holder.sex == "M" else "طالبة"
    else:
        job = pick(rng, JOBS)
    if rng.random() < 0.04:
        job = f"{pick(rng, lists.HONOURS)} {pick(rng, PROSE)}"
    if holder.sex == "M":
        job = {"ربة منزل": "عامل", "طالبة": "طالب"}.get(job, job).replace("حاصلة", "حاصل")
    draw = rng.random()
    if job in ("ربة منزل", "بدون عمل", "لا يعمل"):
        title = "" if draw < 0.85 else pick(rng, JOBS[-40:])
    elif draw < 0.34:
        title = ""
    elif draw < 0.86:
        title = pick(rng, WORKPLACES)
        if rng.random() < 0.2:
            title += " " + pick(rng, ["ب" + PLACES[holder.home][0], "- " + PLACES[holder.home][0], pick(rng, STREETS), "فرع " + PLACES[holder.home][0]])
    else:
        title = " ".join(pick(rng, PROSE) for _ in range(int(rng.integers(1, 4)))) if rng.random() < 0.3 else pick(rng, JOBS)
    return style.apply(rng, eastern(job)), style.apply(rng, eastern(title))


def printed_word(rng: np.random.Generator, word: str) -> str:
    """A vocabulary word in one of the spellings that cards show."""
    variants = {"أنثى": ["انثى", "أنثي", "انثي"], "مسيحي": ["مسيحى"], "يهودي": ["يهودى"], "آنسة": ["أنسة", "انسه", "آنسه", "انسة"], "أعزب": ["اعزب"], "أرمل": ["ارمل"], "أرملة": ["ارملة", "ارمله"],
                "مسلمة": ["مسلمه"], "متزوجة": ["متزوجه"], "مطلقة": ["مطلقه"], "مسيحية": ["مسيحيه"]}
    return pick(rng, variants[word]) if word in variants and rng.random() < 0.4 else word


def day_of_issue(rng: np.random.Generator, first: int) -> datetime.date:
    """A day from the year first on that is not to come."""
    day = day_between(rng, first, TODAY.year)
    return day if day < TODAY else TODAY - datetime.timedelta(days=int(rng.integers(1, 300)))


def validity(rng: np.random.Generator, birth: datetime.date) -> tuple[datetime.date, datetime.date | None]:
    """(issue date, expiry date or None): sevens of years, none on cards before 2009, the first card at sixteen."""
    first = max(2002, birth.year + 16)
    issued = day_of_issue(rng, min(max(first, 2013 if rng.random() < 0.85 else 2002), TODAY.year))
    if issued.year < 2009:
        return issued, None
    last = issued.replace(year=issued.year + 7, day=min(issued.day, 28))
    return issued, last - datetime.timedelta(days=int(rng.integers(0, 3)))


def id_back(rng: np.random.Generator, holder: Person) -> Content:
    """The back of the national ID; new cards leave out religion now and then."""
    issued, expiry = validity(rng, holder.birth)
    age = issued.year - holder.birth.year
    job, title = _occupation(rng, holder, age)
    state = 0 if age < 20 or rng.random() < 0.28 else int(rng.choice([1, 1, 1, 1, 2, 3]))
    marital = MARITAL[holder.sex][state] if rng.random() < 0.97 else ""
    faith = RELIGIONS[holder.sex, 2 if rng.random() < 0.004 else int(holder.coptic)]
    draw = rng.random()
    religion, printed = (faith, printed_word(rng, faith)) if draw < 0.9 else (("", "-") if draw < 0.93 else ("", ""))
    husband = ""
    if holder.sex == "F" and marital == "متزوجة" and rng.random() < 0.85:
        first, rest = name_chain(rng, "M", holder.coptic, holder.style)
        husband = " ".join([first] + rest[: int(rng.integers(1, 4))])
    lines = [("number", eastern(holder.number)), ("issued", eastern(f"{issued:%Y/%m}")), ("job_1", job)]
    lines += [("job_2", title)] * bool(title) + [("sex", printed_word(rng, SEX_WORD[holder.sex]))]
    lines += [("religion", printed)] * bool(printed) + [("marital", printed_word(rng, marital))] * bool(marital)
    label = pick(rng, ["اسم الزوج", "الزوج :", "اسم الزوج :", "", "", ""])
    lines += [("husband_label", label)] * bool(husband and label) + [("husband", husband)] * bool(husband)
    if expiry:
        lines += [("expiry_label", pick(rng, ["البطاقة سارية حتى", "البطاقة سارية حتى", "البطاقة ساريه حتى", "البطاقه سارية حتي", "البطاقة صالحة حتى"])), ("expiry", eastern(f"{expiry:%Y/%m/%d}"))]
    fields: dict[str, str | None] = {
        "job": job, "jobTitle": title, "religion": religion, "maritalStatus": marital, "husbandName": husband, "idNumber": holder.number,
        "gender": GENDER[holder.sex], "releaseDate": f"{issued:%Y-%m}-01", "idExpiry": expiry.isoformat() if expiry else None,
    }
    return Content("national_id_back", lines, fields, holder, {"expired": bool(expiry and expiry < TODAY)})


def digit_line(rng: np.random.Generator) -> str:
    """A printed number or date with its group gaps as spaces: what the digit network reads, Arabic-Indic mostly."""
    draw = rng.random()
    sex, birth = pick(rng, "MF"), day_between(rng, 1930, 2012)
    if draw < 0.62:
        text = national_number(rng, sex, birth, governorate(rng))
        if rng.random() < 0.04:  # numbers that break the grammar are read as they stand
            text = "".join(str(d) for d in rng.integers(0, 10, int(rng.choice([13, 14, 14, 15]))))
        text = grouped(rng, text)
    elif draw < 0.88:
        day = day_between(rng, 1935, 2034)
        text = pick(rng, [f"{day:%Y/%m/%d}", f"{day:%Y/%m/%d}", f"{day:%Y/%m}", f"{day:%d/%m/%Y}", f"{day:%Y-%m-%d}", f"{day:%Y/%m}", f"{day.year}/{day.month}/{day.day}", f"{day:%Y / %m / %d}"])
    else:
        text = "".join(str(d) for d in rng.integers(0, 10, int(rng.integers(1, 17))))
        if rng.random() < 0.3:
            text = grouped(rng, text)
    return eastern(text) if rng.random() < 0.82 else text


def grouped(rng: np.random.Generator, digits: str) -> str:
    """Digits with blanks between groups in the manners of cards: none, century-date-place-sequence, or any."""
    draw = rng.random()
    cuts: Sequence[int]
    if draw < 0.35 or len(digits) < 5:
        return digits
    if draw < 0.6 and len(digits) == 14:
        cuts = pick(rng, [(1, 7, 9), (1, 7, 9, 13), (1, 3, 5, 7, 9, 13), (7,), (1, 7), (3, 7, 11), (2, 4, 6, 8, 10, 12)])
    elif draw < 0.75:
        return (" " * int(rng.integers(1, 3))).join(digits)
    else:
        cuts = sorted(rng.permutation(np.arange(1, len(digits)))[: int(rng.integers(1, 6))])
    gap = " " * int(rng.choice([1, 1, 2, 2, 3]))
    parts = [digits[a:b] for a, b in zip((0, *cuts), (*cuts, len(digits)))]
    return gap.join(parts)
