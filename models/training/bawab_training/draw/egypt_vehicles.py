"""What Egyptian driving and vehicle licences and plates print: contents in the manner of egypt_content."""

import datetime
from collections.abc import Iterable

import numpy as np

from . import egypt_words as lists
from .content import MEN as SPELT_MEN
from .content import WOMEN as SPELT_WOMEN
from .content import pick, table
from .egypt_content import PLACES, Content, Person, day_between, day_of_issue, eastern, person, serial

PLATE_LETTERS = "أبجدرسصطعفقلمنهوى"  # the seventeen that plates carry; zero is never used
LAST_LETTER = {"02": "س", "14": "ق", "13": "ر", "17": "م", "18": "ب", "12": "د", "16": "ع", "15": "ل", "23": "ف", "22": "و", "24": "ن", "25": "ى", "26": "ه"}
BANDS = (("private", (120, 190, 230)), ("taxi", (240, 140, 30)), ("goods", (215, 40, 45)), ("police", (25, 45, 120)), ("diplomatic", (30, 140, 70)),
         ("tourist", (205, 180, 140)), ("tourist", (120, 80, 50)), ("bus", (150, 150, 150)), ("customs", (240, 210, 40)))
_LATIN = dict(zip("ابتثجحخدذرزسشصضطظعغفقكلمنهويىأإآؤئةء", "a b t th g h kh d z r z s sh s d t z a gh f k k l m n h w y a a e a o e a a".split()))
_SPELT = {arabic: latin for arabic, latin in table(SPELT_MEN) + table(SPELT_WOMEN)}


def latin_name(rng: np.random.Generator, names: Iterable[str]) -> str:
    """A Latin spelling of Arabic names in capitals, as holders write them: known names as usual, others letter by letter."""
    parts = []
    for name in " ".join(names).split():
        known = _SPELT.get(name) or _SPELT.get(name.replace("ى", "ي"))
        letters = "".join(_LATIN.get(sign, "") for sign in name.removeprefix("ال"))
        parts.append(known or ("El" + letters if name.startswith("ال") and len(name) > 4 else letters or "Al"))
    return " ".join(parts).upper()


def plate(rng: np.random.Generator, code: str | None = None) -> tuple[list[str], str]:
    """(letters in reading order, digits) under the rules of the governorates."""
    code = code or pick(rng, sorted(PLACES))
    digits = "".join(str(d) for d in rng.integers(1, 10, 3 if code == "01" else 4))
    count = 2 if code == "21" else 3
    letters = [pick(rng, PLATE_LETTERS) for _ in range(count)]
    if code in LAST_LETTER:
        letters[-1] = LAST_LETTER[code]
    return letters, digits


def plate_result(letters: Iterable[str], digits: str) -> str:
    """The service's form of a plate: letters apart, then the number."""
    return " ".join(letters) + " " + digits


def printed_date(rng: np.random.Generator, day: datetime.date, eastern_digits: bool = True) -> str:
    """A licence date in one of the two orders that are printed."""
    text = pick(rng, [f"{day:%Y/%m/%d}", f"{day:%d/%m/%Y}", f"{day:%Y/%m/%d}", f"{day:%Y-%m-%d}", f"{day.year}/{day.month}/{day.day}"])
    return eastern(text) if eastern_digits else text


def _unit_lines(rng: np.random.Generator, holder: Person) -> tuple[str, str]:
    office = pick(rng, ["إدارة مرور", "ادارة مرور", "ادارة مرور", "إداره مرور"])
    unit = pick(rng, ["وحدة مرور", "وحده مرور", "وحدة مرور", "وحدة تراخيص"])
    place = pick(rng, lists.phrases(lists.TRAFFIC)) if rng.random() < 0.5 else pick(rng, PLACES[holder.home][1])[0]
    return holder.style.apply(rng, f"{office} {PLACES[holder.home][0]}"), holder.style.apply(rng, eastern(f"{unit} {place}"))


def _some_labels(rng: np.random.Generator, lines: list[tuple[str, str]], labels: dict[str, str]) -> list[tuple[str, str]]:
    """Labels before those values on a third of the cards, none on the others."""
    if rng.random() < 0.65:
        return []
    colon = pick(rng, ["", "", " :", ":"])
    return [(role + "_label", label + colon) for role, label in labels.items() if any(name == role for name, _ in lines)]


def driving_licence(rng: np.random.Generator, holder: Person | None = None) -> Content:
    """The front of a driving licence."""
    holder = holder or person(rng)
    issued = day_of_issue(rng, 2015)
    expiry = issued.replace(year=issued.year + int(rng.choice([1, 3, 10])), day=min(issued.day, 28))
    department, unit = _unit_lines(rng, holder)
    kind = pick(rng, lists.phrases(lists.LICENCES))
    head = pick(rng, ["رخصة قيادة", "رخصه قياده", "رخصة قياده"])
    names, address = [holder.first, *holder.rest], " - ".join(holder.address) if rng.random() < 0.4 else " ".join(holder.address)
    latin = latin_name(rng, names) if rng.random() < 0.92 else ""
    job = holder.style.apply(rng, pick(rng, lists.phrases(lists.JOBS)))
    nation = "مصرى" if rng.random() < 0.6 else "مصري"
    nation = nation if holder.sex == "M" or rng.random() < 0.4 else "مصرية"
    condition = pick(rng, lists.phrases(lists.CONDITIONS)) if rng.random() < 0.4 else ""
    eastern_dates = rng.random() < 0.85
    lines = [("department", department), ("unit", unit), ("licence_type", f"{head} {kind}"), ("number", eastern(holder.number)), ("name_ar", " ".join(names))]
    lines += [("name_en", latin)] * bool(latin) + [("address", address), ("nationality_ar", nation)]
    english = "EGYPTIAN" if rng.random() < 0.7 else ("Egyptian" if rng.random() < 0.3 else "")
    lines += [("nationality_en", english)] * bool(english) + [("job", job)]
    lines += [("issued_label", pick(rng, ["تاريخ التحرير", "تاريخ الإصدار", "تاريخ الاصدار", "تاريخ التحرير :"])), ("issued", printed_date(rng, issued, eastern_dates))]
    lines += [("expiry_label", pick(rng, ["نهاية الترخيص", "نهايه الترخيص", "تاريخ الانتهاء", "صالحة حتى", "انتهاء الترخيص"])), ("expiry", printed_date(rng, expiry, eastern_dates))]
    lines += [("condition", condition)] * bool(condition)
    if rng.random() < 0.4:
        lines.append(("category", pick(rng, "ABCDE")))
    lines += _some_labels(rng, lines, {"name_ar": "الاسم", "address": "العنوان", "nationality_ar": "الجنسية", "job": "المهنة"})
    fields: dict[str, str | None] = {
        "address": address, "job": job, "licenseType": kind, "nameArabic": " ".join(names), "nameEnglish": latin, "nationalID": holder.number, "nationalityArabic": nation,
        "nationalityEnglish": english, "trafficUnit1": department, "trafficUnit2": unit, "special1": condition, "expiryDate": expiry.isoformat(), "issuenceDate": issued.isoformat(),
    }
    return Content("driving_license", lines, fields, holder)


def car_front(rng: np.random.Generator, holder: Person | None = None) -> Content:
    """The front of a vehicle licence."""
    holder = holder or person(rng)
    issued = day_of_issue(rng, 2018)
    expiry = issued.replace(year=issued.year + int(rng.choice([1, 3])), day=min(issued.day, 28))
    _, unit = _unit_lines(rng, holder)
    letters, digits = plate(rng, holder.home)
    use = holder.style.apply(rng, pick(rng, lists.phrases(lists.USES)))
    address = " - ".join(holder.address) if rng.random() < 0.5 else " ".join(holder.address)
    nation = pick(rng, ["مصرى", "مصري", "مصر"])
    remark = eastern(pick(rng, lists.phrases(lists.REMARKS))) if rng.random() < 0.45 else ""
    rest = " ".join(holder.rest)
    lines = [("header_1", "جمهورية مصر العربية"), ("header_2", pick(rng, ["رخصة تسيير مركبة", "رخصة تسيير", "رخصة تسيير سيارة", "رخصه تسيير", "وزارة الداخلية"])), ("unit", unit)]
    lines += [("plate", " ".join(letters) + "  " + eastern(digits)), ("use", use), ("name_1", holder.first), ("name_2", rest), ("nationality", nation), ("address", address)]
    lines += [("issued_label", pick(rng, ["تاريخ التحرير", "تاريخ الإصدار", "تحريرا في"])), ("issued", printed_date(rng, issued)), ("expiry_label", pick(rng, ["نهاية الترخيص", "نهايه الترخيص", "انتهاء الترخيص"])),
              ("expiry", printed_date(rng, expiry))] + [("remark", remark)] * bool(remark)
    lines += _some_labels(rng, lines, {"name_1": "الاسم", "address": "العنوان", "nationality": "الجنسية", "use": "نوع الترخيص"})
    fields: dict[str, str | None] = {
        "traffic_unit": unit, "license_number": plate_result(letters, digits), "license_type": use, "name": holder.first, "name_2": rest, "nationality": nation, "address": address,
        "front_special": remark, "expiry": expiry.isoformat(), "issuance": issued.isoformat(),
    }
    return Content("car_license_front", lines, fields, holder)


def _chassis(rng: np.random.Generator) -> str:
    signs = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"
    return "".join(pick(rng, signs) for _ in range(17)) if rng.random() < 0.8 else "".join(pick(rng, signs) for _ in range(int(rng.integers(6, 13))))


def _motor(rng: np.random.Generator) -> str:
    return "".join(pick(rng, "ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(int(rng.integers(0, 5)))) + str(int(rng.integers(1000, 10**8)))


_CAR_LABELS = {
    "chassis": ["رقم الشاسيه", "الشاسيه", "شاسيه", "رقم الشاسية"], "motor": ["رقم الموتور", "الموتور", "موتور"], "make": ["الماركة", "ماركه", "النوع"], "model": ["الموديل", "الطراز", "موديل"],
    "year": ["سنة الصنع", "سنه الصنع", "موديل سنة", "السنة"], "colour": ["اللون"], "fuel": ["الوقود", "نوع الوقود"], "cylinders": ["عدد السلندرات", "السلندرات"], "volume": ["السعة اللترية", "سعة المحرك"],
    "examined": ["تاريخ الفحص", "تاريخ الفحص الفنى", "الفحص"], "body": ["الشكل", "شكل المركبة"],
}


def car_back(rng: np.random.Generator, holder: Person | None = None) -> Content:
    """The back of a vehicle licence: the vehicle."""
    make, models = pick(rng, lists.makes())
    style = (holder or person(rng)).style
    western = rng.random() < 0.5

    def figures(text: str) -> str:
        return text if western else eastern(text)

    examined = day_between(rng, 2018, 2027)
    values = {
        "chassis": _chassis(rng), "motor": _motor(rng), "make": style.apply(rng, make), "model": figures(pick(rng, models)), "body": style.apply(rng, eastern(pick(rng, lists.phrases(lists.BODIES)))),
        "year": str(int(rng.integers(1975, 2027))), "colour": pick(rng, lists.phrases(lists.COLOURS)), "fuel": pick(rng, lists.phrases(lists.FUELS)), "cylinders": str(int(rng.choice([1, 2, 3, 4, 4, 4, 6, 8]))),
        "volume": str(int(rng.choice([150, 800, 999, 1000, 1197, 1300, 1498, 1500, 1591, 1598, 1600, 1800, 1999, 2000, 2400, 2500, 3000, 4250]))), "examined": printed_date(rng, examined),
    }
    free = [eastern(pick(rng, lists.phrases(lists.REMARKS))) for _ in range(int(rng.integers(0, 3)))]
    free += [pick(rng, lists.phrases(lists.INSURERS))] * (rng.random() < 0.5)
    labels = {name: pick(rng, words) for name, words in _CAR_LABELS.items() if name != "body" or rng.random() < 0.6}
    lines = []
    for name, value in values.items():
        if name in labels:
            lines.append((name + "_label", labels[name]))
        lines.append((name, figures(value) if name in ("year", "cylinders", "volume") else value))
    lines += [(f"special_{row + 1}", text) for row, text in enumerate(free)]
    lines += [("serial", serial(rng))] * (rng.random() < 0.7)
    special = dict(zip(("special_1", "special_2", "special_3", "special_4"), free + [""] * 4))
    fields: dict[str, str | None] = {
        "model_year": values["year"], "type": values["make"], "sub_type": values["model"], "sub_type_2": values["body"], "chasis": values["chassis"], "volume": values["volume"], "motor": values["motor"],
        "color": values["colour"], "fuel": values["fuel"], "cylinder": values["cylinders"], "examination_dt": examined.isoformat(), **special,
    }
    return Content("car_license_back", lines, fields, holder)


def plate_content(rng: np.random.Generator) -> Content:
    """A licence plate: letters, digits, band colour and category."""
    letters, digits = plate(rng)
    category, colour = BANDS[0] if rng.random() < 0.5 else pick(rng, BANDS)
    lines = [("country_en", "POLICE" if category == "police" and rng.random() < 0.5 else "EGYPT"), ("country_ar", "مصر"), ("digits", eastern(digits)), ("letters", " ".join(letters))]
    return Content("license_plate", lines, {"result": plate_result(letters, digits)}, None, {"category": category, "band": colour})
