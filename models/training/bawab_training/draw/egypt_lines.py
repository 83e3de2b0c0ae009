"""Single lines of text as often as documents and pages carry them: what a recogniser of lines must see."""

import numpy as np

from . import egypt_content, egypt_vehicles
from . import egypt_words as lists
from .content import PROSE as SCRIPT_PROSE
from .content import pick
from .egypt_content import PROSE, digit_line, eastern, invented_word

# How often a role is drawn as a line of its own: the free text of many words is what a recogniser must see most.
ROLE_WEIGHTS = {"name_1": 2, "name_2": 4, "name_3": 3, "address_1": 4, "address_2": 3, "address": 4, "name_ar": 4, "job_1": 3, "job_2": 3, "husband": 3, "unit": 2, "department": 2,
                "number": 0.2, "birth": 0.5, "issued": 0.4, "expiry": 0.4, "expiry_label": 0.6, "header_1": 0.15, "header_2": 0.15, "serial": 0.8}


def _amount(rng: np.random.Generator) -> str:
    text = pick(rng, ["{:,}", "{}%", "{}.50", "+{}", "{}", "#{}", "{}*", "{} & {}"])
    figures = text.format(*(int(v) for v in rng.integers(1, 99999, 2)))
    return eastern(figures) if rng.random() < 0.5 else figures


def _prose_line(rng: np.random.Generator) -> str:
    count = int(rng.integers(2, 8))
    chosen = [pick(rng, PROSE) if rng.random() < 0.9 else invented_word(rng) for _ in range(count)]
    for index in range(count):
        draw = rng.random()
        if draw < 0.05:
            chosen[index] = eastern(str(int(rng.integers(1, 30000))))
        elif draw < 0.07:
            chosen[index] = str(int(rng.integers(1, 30000)))
        elif draw < 0.09:
            chosen[index] = pick(rng, [_amount(rng), _amount(rng), "PDF", "Wi-Fi", "SMS", "Egypt", "No.", "Total", "Email", "A4", "km", "24/7", "Cairo", "TEL"])
        elif draw < 0.12:
            chosen[index] = pick(rng, ["({})", "({})", "«{}»", "\"{}\"", "[{}]"]).format(chosen[index])
        elif draw < 0.16:
            chosen[index] += pick(rng, ["،", ":", ".", "؟", " -", "!", "؛", "/"])
    return " ".join(chosen)


def _field_line(rng: np.random.Generator) -> tuple[str, str]:
    """A line of a document, drawn through the document that carries it."""
    holder = egypt_content.person(rng)
    draw = rng.random()
    if draw < 0.5:
        content = egypt_content.id_front(rng, holder)
    elif draw < 0.75:
        content = egypt_content.id_back(rng, holder)
    elif draw < 0.87:
        content = egypt_vehicles.driving_licence(rng, holder)
    else:
        content = pick(rng, [egypt_vehicles.car_front, egypt_vehicles.car_back])(rng, holder)
    weights = np.array([ROLE_WEIGHTS.get(role, 1.0) for role, _ in content.lines])
    return content.lines[int(rng.choice(len(weights), p=weights / weights.sum()))]


def line_text(rng: np.random.Generator) -> tuple[str, str]:
    """(role, text) of one printed line, as often as documents and pages carry it: names and addresses first."""
    draw = rng.random()
    if draw < 0.68:
        return _field_line(rng)
    if draw < 0.86:
        return "prose", _prose_line(rng)
    if draw < 0.89:
        return "invented", " ".join(invented_word(rng) for _ in range(int(rng.integers(1, 5))))
    if draw < 0.92:
        return "phrase", pick(rng, lists.phrases(lists.PHRASES))
    if draw < 0.95:
        return "latin", latin_line(rng)
    return "digits", digit_line(rng)


def latin_line(rng: np.random.Generator) -> str:
    """Words, codes and amounts in Latin letters, as forms and signs mix them in."""
    kind = int(rng.integers(6))
    signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    if kind == 0:
        return "".join(pick(rng, signs) for _ in range(int(rng.integers(4, 18))))
    if kind == 1:
        return f"{pick(rng, ['Tel', 'Fax', 'No', 'Ref', 'ID'])}: {int(rng.integers(10**5, 10**10))}"
    if kind == 2:
        return f"{int(rng.integers(1, 9999))}.{int(rng.integers(0, 100)):02d} {pick(rng, ['EGP', 'LE', 'USD', '%', 'kg', 'cc'])}"
    if kind == 3:
        return f"www.{pick(rng, ['nile', 'delta', 'misr', 'cairo'])}-{pick(rng, ['bank', 'care', 'shop'])}.{pick(rng, ['com', 'eg', 'org'])}"
    chosen = [pick(rng, SCRIPT_PROSE["latin"]) for _ in range(int(rng.integers(1, 6)))]
    text = " ".join(chosen)
    return text.upper() if kind == 4 else text.capitalize()
