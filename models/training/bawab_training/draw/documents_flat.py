"""Every kind of document as a flat page: which generator draws it, what its roles answer, how often it is drawn."""

import os
from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from . import egypt_cards, egypt_content, egypt_licences, egypt_vehicles, others, pages, patterns, plates
from .content import pick
from .egypt_content import Content
from .pages import Page

# How often a flat picture shows a kind; unknown are sheets and cards that are none of the contract's kinds.
SHARES = {
    "national_id_front": 0.24, "national_id_back": 0.19, "driving_license": 0.11, "car_license_front": 0.09, "car_license_back": 0.09, "license_plate": 0.06,
    "passport": 0.09, "unknown": 0.13,
}
# Roles that may be smaller in a picture than what must be read.
SMALL_ROLES = ("header_1", "header_2", "serial", "birth", "issued", "country_en", "country_ar", "category", "title")
_FRONT: dict[str, tuple[str, ...]] = {
    "name_1": ("first_name", "name"), "name_2": ("last_names", "name"), "name_3": ("last_names", "name"), "address_1": ("address_1", "address"),
    "address_2": ("address_2", "address"), "number": ("idNumber", "dateOfBirth", "gender", "govern"), "serial": ("idKey",),
}
_BACK: dict[str, tuple[str, ...]] = {
    "number": ("idNumber",), "issued": ("releaseDate",), "job_1": ("job",), "job_2": ("jobTitle",), "sex": ("gender",), "religion": ("religion",),
    "marital": ("maritalStatus",), "husband": ("husbandName",), "expiry": ("idExpiry",),
}
_DRIVING: dict[str, tuple[str, ...]] = {
    "department": ("trafficUnit1",), "unit": ("trafficUnit2",), "licence_type": ("licenseType",), "number": ("nationalID",), "name_ar": ("nameArabic",), "name_en": ("nameEnglish",),
    "address": ("address",), "nationality_ar": ("nationalityArabic",), "nationality_en": ("nationalityEnglish",), "job": ("job",), "issued": ("issuenceDate",), "expiry": ("expiryDate",),
    "condition": ("special1",),
}
_CAR_FRONT: dict[str, tuple[str, ...]] = {
    "unit": ("traffic_unit",), "plate": ("license_number",), "use": ("license_type",), "name_1": ("name",), "name_2": ("name_2",), "nationality": ("nationality",), "address": ("address",),
    "issued": ("issuance",), "expiry": ("expiry",), "remark": ("front_special",),
}
_CAR_BACK: dict[str, tuple[str, ...]] = {
    "chassis": ("chasis",), "motor": ("motor",), "make": ("type",), "model": ("sub_type",), "body": ("sub_type_2",), "year": ("model_year",), "colour": ("color",), "fuel": ("fuel",),
    "cylinders": ("cylinder",), "volume": ("volume",), "examined": ("examination_dt",), **{f"special_{n}": (f"special_{n}",) for n in (1, 2, 3, 4)},
}
ROLE_FIELDS: dict[str, dict[str, tuple[str, ...]]] = {
    "national_id_front": _FRONT, "national_id_back": _BACK, "driving_license": _DRIVING, "car_license_front": _CAR_FRONT, "car_license_back": _CAR_BACK,
    "license_plate": {"digits": ("result",), "letters": ("result",)},
}


def fields_of(kind: str, roles: Iterable[str]) -> list[str]:
    """The API fields that rest on the printed lines of roles, sorted."""
    table = ROLE_FIELDS.get(kind, {})
    return sorted({field for role in roles for field in table.get(role, ())})


def _silhouette(rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """A drawn head and shoulders before a wall, as specimens and mock-ups carry."""
    image = patterns.blend(rng, (120, 150), [patterns.pastel(rng, 150), patterns.pastel(rng, 170)])
    skin, cloth, hair = ([int(v) for v in rng.integers(low, high, 3)] for low, high in ((90, 235), (10, 220), (5, 130)))
    middle = int(60 + rng.normal(0, 4))
    cv2.ellipse(image, (middle, 152), (int(rng.uniform(42, 58)), int(rng.uniform(38, 52))), 0, 0, 360, cloth, -1, cv2.LINE_AA)
    wide, tall = int(rng.uniform(23, 30)), int(rng.uniform(32, 40))
    cv2.ellipse(image, (middle, 62), (wide + 5, tall + 5), 0, 170, 370, hair, -1, cv2.LINE_AA)
    cv2.ellipse(image, (middle, 70), (wide, tall), 0, 0, 360, skin, -1, cv2.LINE_AA)
    if rng.random() < 0.7:
        for side in (-1, 1):
            cv2.circle(image, (middle + side * wide // 2, 64), 3, hair, -1, cv2.LINE_AA)
        cv2.ellipse(image, (middle, 86), (9, 3), 0, 0, 180, hair, 2, cv2.LINE_AA)
    return image


def portrait(rng: np.random.Generator, faces: Sequence[str], sex: str) -> npt.NDArray[np.uint8] | None:
    """A portrait (RGB) of the sex out of files named *_M_* or *_F_*, a drawn one now and then; None without any."""
    if faces and rng.random() < 0.1:
        return _silhouette(rng)
    names = [name for name in faces if f"_{sex}_" in os.path.basename(name)] or faces
    return cv2.imread(pick(rng, names))[..., ::-1] if names else None


def _printed(page: Page, content: Content) -> dict[str, str | None]:
    """The fields of a licence, empty those for which its arrangement had no room: they are not to be read."""
    roles = {role for line in page.lines for role in line.role.split("+")}
    rests = {field for role, fields in ROLE_FIELDS[page.kind].items() if role in roles for field in fields}
    return {field: value if field in rests else "" for field, value in content.fields.items()}


def values(page: Page) -> dict[str, str | None]:
    """The fields that the service answers for a page, all dashes as "-"."""
    return {name: value.replace("–", "-") if isinstance(value, str) else value for name, value in _values(page).items()}


def _values(page: Page) -> dict[str, str | None]:
    holder = page.holder
    if isinstance(holder, Content):
        return _printed(page, holder) if page.kind in ("driving_license", "car_license_front", "car_license_back") else holder.fields
    if page.kind != "passport" or holder is None:
        return {}
    gender = {"M": "Male", "F": "Female"}.get(holder.sex, "X")
    code = holder.country.strip("<")
    return {
        "country_code": code, "nationality": code, "doc_Type": "P", "passport_no": holder.number, "name": f"{holder.given} {holder.surname}".strip(), "gender": gender,
        "Date_of_Birth": holder.birth.isoformat(), "Date_of_Expiry": holder.expiry.isoformat(),
    }


def _unknown(rng: np.random.Generator, scale: float, faces: Sequence[str], held_out: bool) -> Page:
    maker = pick(rng, [others.membership_card, others.membership_card, others.bank_card, others.text_page, others.code_page, others.codes, pages.zone_card, pages.zone_card])
    page = maker(rng, scale, portrait(rng, faces, pick(rng, "MF")), held_out)
    page.kind = "unknown"
    return page


def _passport(rng: np.random.Generator, scale: float, faces: Sequence[str], held_out: bool) -> Page:
    maker = pages.egyptian_passport if rng.random() < 0.55 else pages.foreign_passport
    return maker(rng, scale, portrait(rng, faces, pick(rng, "MF")), held_out)


def _front(rng: np.random.Generator, scale: float, faces: Sequence[str], held_out: bool) -> Page:
    holder = egypt_content.person(rng)
    return egypt_cards.front(rng, scale, portrait(rng, faces, holder.sex), held_out, egypt_content.id_front(rng, holder))


def _driving(rng: np.random.Generator, scale: float, faces: Sequence[str], held_out: bool) -> Page:
    holder = egypt_content.person(rng)
    return egypt_licences.driving(rng, scale, portrait(rng, faces, holder.sex), held_out, egypt_vehicles.driving_licence(rng, holder))


# Draws a page by generator, scale, files of portraits and whether it is held out.
_Maker = Callable[[np.random.Generator, float, Sequence[str], bool], Page]


def _sheet(maker: Callable[..., Page]) -> _Maker:
    return lambda rng, scale, faces, held_out: maker(rng, scale, None, held_out)


_MAKERS = {
    "national_id_front": _front, "national_id_back": _sheet(egypt_cards.back), "driving_license": _driving, "car_license_front": _sheet(egypt_licences.car_front),
    "car_license_back": _sheet(egypt_licences.car_back), "license_plate": _sheet(plates.plate), "passport": _passport, "unknown": _unknown,
}
_WIDTHS = {"passport": 125.0, "unknown": 90.0}


def scale_for(kind: str, width: float) -> float:
    """Pixels per millimetre at which a document of a kind comes out about width pixels wide."""
    return width / _WIDTHS.get(kind, egypt_cards.WIDTH)


def any_kind(rng: np.random.Generator, kinds: Sequence[str]) -> str:
    """Draw one of kinds by the shares."""
    shares = np.array([SHARES[kind] for kind in kinds])
    return kinds[int(rng.choice(len(kinds), p=shares / shares.sum()))]


def draw(rng: np.random.Generator, kind: str, scale: float, faces: Sequence[str] = (), held_out: bool = False) -> Page:
    """A flat page of a kind at scale pixels per millimetre; its holder carries the fields, its lines the roles."""
    return _MAKERS[kind](rng, scale, faces, held_out)
