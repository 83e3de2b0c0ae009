"""Driving licences and vehicle licences as flat cards.

No source gives coordinates for them, so each card draws an arrangement of its own: where the portrait is, which rows carry
labels, how they are spaced. Only the label words and the values follow the reference. There are three families of
arrangements: *stacked* rows, of which most carry no label; *columns* of labels and values, with everything labelled and the rows in any order; and
a *grid*, with each label above its value. The grid is held out: only what is drawn for tests (held_out) shows it.
Sizes in millimetres, y grows downwards.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import canvas, egypt_vehicles, patterns
from .canvas import Canvas
from .content import pick
from .egypt_cards import HEIGHT, WIDTH, Press, bound, colours, engrave, join, paper, press, stacked_code, write, write_number
from .egypt_content import Content
from .pages import TD1, Page


@dataclass
class Item:
    """One row: the role and the printed text of a value and of the label before it, "" where there is none."""

    role: str
    text: str
    label: str = ""


def items(content: Content, roles: Iterable[str]) -> list[Item]:
    """The rows of a content for those of roles that it prints."""
    return [Item(role, content.text(role), content.text(role + "_label")) for role in roles if content.text(role)]


def _value(
    sheet: Canvas, rng: np.random.Generator, style: Press, role: str, text: str, x: float, y: float, size: float, anchor: str,
    limit: float,
) -> tuple[float, int]:
    """Print a value in the face of its script; a long one breaks into two lines. Returns (width, rows) in mm and lines."""
    if all(sign.isdigit() or sign in "/-" for sign in text):  # a date keeps its order, whatever its separators
        wide = sheet.figures(x, y, text, style.face(rng, text, True), size, style.ink, 0.05 * size, size, anchor, limit, role, style.weight)
        return wide, 1
    if canvas.script_of(text) == "latin":
        return sheet.text(x, y, text, style.latin, size * 0.92, style.ink, anchor, limit, role=role, weight=style.weight), 1
    if _breaks(rng, style, text, size, limit):
        words = text.split(" ")
        cut = len(words) // 2 if rng.random() < 0.5 else max(2, round(len(words) * 0.62))
        first = write(sheet, rng, style, role, " ".join(words[:cut]), x, y, size, anchor, limit)
        return max(first, write(sheet, rng, style, role, " ".join(words[cut:]), x, y + 1.55 * size, size, anchor, limit)), 2
    return write(sheet, rng, style, role, text, x, y, size, anchor, limit), 1


def _breaks(rng: np.random.Generator, style: Press, text: str, size: float, limit: float) -> bool:
    """Whether an Arabic text is so long that it takes two lines."""
    return text.count(" ") >= 3 and canvas.script_of(text) != "latin" and canvas.measure(text, style.face(rng, text), size) * style.stretch > 1.25 * limit


def row_of(
    sheet: Canvas, rng: np.random.Generator, style: Press, item: Item, right: float, y: float, size: float, limit: float,
    column: float | None = None,
) -> int:
    """Print an item from right to left, its value after its label or at column mm from the right; returns the lines it took."""
    if not item.label:
        return _value(sheet, rng, style, item.role, item.text, right, y, size, "r", limit)[1]
    small = size * rng.uniform(0.75, 1)
    wide = write(sheet, rng, style, item.role + "_label", item.label, right, y, small, "r", limit * 0.45, style.pale)
    gap = rng.uniform(0.4, 1.6) * size if column is None or wide + 1 > column else column - wide
    count = _value(sheet, rng, style, item.role, item.text, right - wide - gap, y, size, "r", max(8.0, limit - wide - gap))[1]
    if count == 1:
        join(sheet, gap, size)
    return count


def _ground(rng: np.random.Generator, scale: float, hues: Sequence[float], held_out: bool) -> npt.NDArray[np.uint8]:
    """The paper of a licence: a security print, on a third of them plain or with one colour running into another."""
    if rng.random() > 0.35:
        return paper(rng, TD1, scale, hues, held_out)
    tones = colours(rng, hues)[:2]
    return patterns.blend(rng, (round(TD1[0] * scale), round(TD1[1] * scale)), tones[:1] * 2 if rng.random() < 0.5 else tones, 1)


DARK = 0.15  # of the licences that are drawn for training


def dark(rng: np.random.Generator, size: tuple[float, float], scale: float, style: Press) -> npt.NDArray[np.uint8]:
    """The ground of a dark card of size millimetres, with the inks of style made light."""
    tones = [tuple(int(v) for v in rng.integers(0, 85, 3)) for _ in range(2)]
    style.ink = tuple(int(v) for v in rng.integers(190, 256, 3)) if rng.random() < 0.4 else (240, 240, 240)
    style.pale = tuple(int(v) for v in rng.integers(130, 256, 3)) if rng.random() < 0.5 else style.ink
    return patterns.blend(rng, (round(size[0] * scale), round(size[1] * scale)), tones[:1] * 2 if rng.random() < 0.5 else tones, 1)


def _blank(rng: np.random.Generator, scale: float, hues: Sequence[float], held_out: bool) -> tuple[Canvas, Press]:
    """A card with nothing on it, and how it will be printed: dark on light as a rule, on some cards for training light on dark."""
    ground, style = _ground(rng, scale, hues, held_out), press(rng, scale, held_out)
    if not held_out and rng.random() < DARK:
        ground = dark(rng, TD1, scale, style)
    return Canvas(*TD1, scale, ground), style


class _Table:
    """The rules of a table from left to right mm, or of none."""

    def __init__(self, sheet: Canvas, rng: np.random.Generator, style: Press, left: float, right: float) -> None:
        self.sheet, self.colour, self.left, self.right = sheet, style.pale, left - 1.0, min(right + 1.0, WIDTH - 0.5)
        self.drawn, self.wide = rng.random() < 0.35, max(1, round(rng.uniform(0.08, 0.25) * sheet.scale))

    def row(self, top: float, bottom: float, *places: float) -> None:
        """Draw the box of one row, with rules down at places."""
        if not self.drawn:
            return
        for y in (top, bottom):
            self._line(self.left, y, self.right, y)
        for x in (self.left, self.right, *places):
            self._line(x, top, x, bottom)

    def _line(self, *ends: float) -> None:
        self.sheet.draw.line([v * self.sheet.scale for v in ends], self.colour, self.wide)


def stack(
    sheet: Canvas, rng: np.random.Generator, style: Press, rows: Sequence[Item], box: tuple[float, float, float, float], size: float,
    fixed: float | None = None, table: _Table | None = None,
) -> None:
    """Print rows from the top of box (left, top, right, bottom mm) to its bottom, as far apart as they fit, in a table if one is given."""
    left, top, right, bottom = box
    longer = sum(_breaks(rng, style, item.text, size, right - left - (fixed or 0)) for item in rows)
    step = min((bottom - top) / max(1, len(rows) + longer), size * rng.uniform(1.9, 2.6))
    size, y = min(size, step * 0.62), top
    for item in rows:
        above, y = y, y + step
        if y > bottom + 0.2:
            return
        count = row_of(sheet, rng, style, item, right, y - 0.25 * step, size, right - left, fixed)
        y += (count - 1) * 1.55 * size
        if table:
            table.row(above, y, *[right - (fixed or 0) + 0.4] * bool(item.label))


_WORDS = {
    "number": ["الرقم القومى", "الرقم القومي", "رقم قومى"], "name_ar": ["الاسم", "اسم المرخص له"], "address": ["العنوان", "محل الإقامة"], "nationality_ar": ["الجنسية"], "job": ["المهنة", "الوظيفة"],
    "licence_type": ["نوع الرخصة", "درجة الرخصة"], "condition": ["الشروط", "شروط خاصة"], "plate": ["رقم اللوحة", "رقم المركبة", "رقم اللوحات"], "use": ["نوع الترخيص", "نوع الرخصة"],
    "name_1": ["الاسم", "اسم المالك"], "nationality": ["الجنسية"], "remark": ["ملاحظات"], "body": ["الشكل", "شكل المركبة", "نوع المركبة"],
}


def labelled(rng: np.random.Generator, content: Content, roles: Iterable[str]) -> list[Item]:
    """The rows of a content for those of roles that it prints, each with a label if there are words for it."""
    rows = items(content, roles)
    for item in rows:
        if not item.label and item.role in _WORDS:
            item.label = pick(rng, _WORDS[item.role])
        if item.role == "licence_type":
            item.text = content.fields["licenseType"] or ""
    return rows


def family(rng: np.random.Generator, held_out: bool, content: Content) -> str:
    """Draw a family of arrangements, and note it in the content's extra as its layout."""
    content.extra["layout"] = pick(rng, ["stacked", "columns", "grid"] if held_out else ["stacked", "stacked", "columns"])
    return content.extra["layout"]


def grid(
    sheet: Canvas, rng: np.random.Generator, style: Press, rows: Sequence[Item], box: tuple[float, float, float, float], size: float,
    across: Collection[str],
) -> None:
    """Print rows in box (left, top, right, bottom mm), each label above its value, two beside each other unless their role is in across."""
    left, top, right, bottom = box
    lines, waiting = [], []
    for item in rows:
        if item.role in across:
            lines.append([item])
            continue
        waiting.append(item)
        if len(waiting) == 2:
            lines.append(waiting)
            waiting = []
    lines += [waiting] * bool(waiting)
    step = (bottom - top) / max(1, len(lines))
    size = min(size, step * rng.uniform(0.36, 0.42))
    small, middle = size * rng.uniform(0.62, 0.8), right - (right - left) * rng.uniform(0.48, 0.56)
    table = _Table(sheet, rng, style, left, right)
    for line in lines:
        for item, x in zip(line, (right, middle)):
            limit = (right - left) if len(line) == 1 else (right - left) / 2 - 1.5
            if item.label:
                write(sheet, rng, style, item.role + "_label", item.label, x, top + small, small, "r", limit, style.pale)
            _single(sheet, rng, style, item.role, item.text, x, top + 1.25 * small + 1.45 * size, size, limit)
        table.row(top - 0.35, top + step - 0.35, *[middle + 0.7] * (len(line) - 1))
        top += step


def _single(
    sheet: Canvas, rng: np.random.Generator, style: Press, role: str, text: str, x: float, y: float, size: float, limit: float
) -> None:
    """Print a value on one line, smaller where it is long."""
    if all(sign.isdigit() or sign in "/-" for sign in text) or canvas.script_of(text) == "latin":
        _value(sheet, rng, style, role, text, x, y, size, "r", limit)
    else:
        write(sheet, rng, style, role, text, x, y, size, "r", limit)


def _driving_form(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, portrait: npt.NDArray[np.uint8] | None, layout: str
) -> Page:
    """The columns and the grid of a driving licence: title, rows with labels, the traffic units above or below them."""
    wide, tall = rng.uniform(0.19, 0.25) * WIDTH, rng.uniform(0.4, 0.52) * HEIGHT
    at_right = rng.random() < 0.35
    engrave(sheet, rng, portrait, rng.uniform(0.72, 0.77) * WIDTH if at_right else rng.uniform(0.02, 0.05) * WIDTH, rng.uniform(0.1, 0.4) * HEIGHT, wide, tall)
    left, right = (0.04 * WIDTH, 0.69 * WIDTH) if at_right else (rng.uniform(0.3, 0.33) * WIDTH, rng.uniform(0.94, 0.98) * WIDTH)
    size, row, foot = rng.uniform(1.5, 2.0), rng.uniform(0.06, 0.09) * HEIGHT, rng.uniform(0.93, 0.97) * HEIGHT
    write(sheet, rng, style, "title", pick(rng, ["رخصة قيادة", "رخصه قياده"]), right, row, size * 1.2, "r", right - left, style.pale)
    units = items(content, ("department", "unit"))
    if above := rng.random() < 0.5:
        for item in units:
            row += size * rng.uniform(1.7, 2.0)
            write(sheet, rng, style, item.role, item.text, right, row, size, "r", right - left)
    rows = labelled(rng, content, ("number", "name_ar", "name_en", "address", "nationality_ar", "job", "licence_type", "issued", "expiry", "condition"))
    if rng.random() < 0.5:  # the number stands below the person
        rows.insert(2 + sum(item.role == "name_en" for item in rows), rows.pop(0))
    bottom = foot if above else foot - 2.0 * size * len(units)
    if layout == "grid":
        grid(sheet, rng, style, rows, (left, row + 1.0, right, bottom), size, ("name_ar", "name_en", "address"))
    else:
        stack(sheet, rng, style, rows, (left, row + 0.5, right, bottom), size, rng.uniform(12, 15), _Table(sheet, rng, style, left, right))
    if not above:
        for place, item in enumerate(units):
            write(sheet, rng, style, item.role, item.text, right, bottom + size * (1.6 + 1.8 * place), size, "r", right - left)
    if content.text("nationality_en"):
        base = next((line.quad[2, 1] / sheet.scale for line in sheet.lines if "nationality_ar" in line.role.split("+")), 0.7 * HEIGHT)
        sheet.text(left, base, content.text("nationality_en"), style.latin, rng.uniform(1.3, 1.7), style.ink, "l", 13, role="nationality_en")
    return bound(sheet, rng, "driving_license", content)


def driving(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The front of a driving licence."""
    content = content or egypt_vehicles.driving_licence(rng)
    sheet, style = _blank(rng, scale, (0.55, 0.9, 0.33), held_out)
    if (layout := family(rng, held_out, content)) != "stacked":
        return _driving_form(sheet, rng, style, content, portrait, layout)
    mirrored = rng.random() < 0.15
    wide, tall, top = rng.uniform(0.2, 0.27) * WIDTH, rng.uniform(0.42, 0.58) * HEIGHT, rng.uniform(0.08, 0.34) * HEIGHT
    engrave(sheet, rng, portrait, rng.uniform(0.7, 0.76) * WIDTH if mirrored else rng.uniform(0.03, 0.06) * WIDTH, top, wide, tall)
    left, right = (0.04 * WIDTH, 0.67 * WIDTH) if mirrored else (rng.uniform(0.32, 0.36) * WIDTH, rng.uniform(0.93, 0.98) * WIDTH)
    size, row = rng.uniform(1.5, 2.2), rng.uniform(0.07, 0.1) * HEIGHT
    heads = items(content, ("department", "unit", "licence_type"))
    if rng.random() < 0.4:
        heads.reverse()
    for item in heads:
        title = item.role == "licence_type"
        write(sheet, rng, style, item.role, item.text, (left + right) / 2 if title and rng.random() < 0.4 else right, row, size * (rng.uniform(1, 1.3) if title else 1), "r", right - left, style.pale if title else None)
        row += size * rng.uniform(1.7, 2.1)
    _number_row(sheet, rng, style, content, (left, right), row + 0.6 * size, size)
    row += size * 2.2
    free = items(content, ("name_ar", "name_en", "address", "nationality_ar", "job"))
    if rng.random() < 0.3:
        free[-1], free[-2] = free[-2], free[-1]
    bottom = rng.uniform(0.78, 0.84) * HEIGHT
    stack(sheet, rng, style, free, (left, row, right, bottom - 1.0), rng.uniform(1.5, 2.3))
    _beside(sheet, rng, style, content, left)
    _dates(sheet, rng, style, content, (0.04 * WIDTH if rng.random() < 0.4 else left, right), bottom)
    return bound(sheet, rng, "driving_license", content)


def _number_row(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float], row: float, size: float
) -> None:
    left, right = span
    write_number(sheet, rng, style, content.text("number"), right, row, size * rng.uniform(0.95, 1.3), right - left, rng.random() < 0.3)


def _beside(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, left: float) -> None:
    """Print what stands alone: the English nationality, the category letter."""
    if content.text("nationality_en"):
        base = next((line.quad[2, 1] / sheet.scale for line in sheet.lines if line.role == "nationality_ar"), 0.7 * HEIGHT)
        sheet.text(left, base, content.text("nationality_en"), style.latin, rng.uniform(1.3, 1.8), style.ink, "l", 18, role="nationality_en")
    if content.text("category"):
        sheet.text(rng.uniform(0.03, 0.3) * WIDTH, rng.uniform(0.06, 0.09) * HEIGHT, content.text("category"), style.latin, rng.uniform(2.0, 3.2), style.ink, "l", role="category")


def _dates(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float], row: float) -> None:
    """Print the dates with their labels and the condition at the foot, beside each other or below."""
    left, right = span
    size = rng.uniform(1.4, 2.0)
    first, second = items(content, ("issued", "expiry"))
    if rng.random() < 0.6:
        row_of(sheet, rng, style, first, right, row + size, size, (right - left) / 2 - 1)
        row_of(sheet, rng, style, second, (left + right) / 2, row + size, size, (right - left) / 2 - 1)
        row += size * rng.uniform(2.4, 2.9)
    else:
        for item in (first, second):
            row_of(sheet, rng, style, item, right, row + size, size, right - left)
            row += size * rng.uniform(1.8, 2.0)
    if content.text("condition"):
        write(sheet, rng, style, "condition", content.text("condition"), pick(rng, [right, 0.3 * WIDTH]), min(row + size, HEIGHT - 1.2), size * 0.9, "r", 0.27 * WIDTH)


def _title(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, size: float) -> float:
    """Print the title lines of a vehicle licence; returns the row below."""
    row = rng.uniform(0.07, 0.1) * HEIGHT
    x, anchor = pick(rng, [(0.96 * WIDTH, "r"), (WIDTH / 2, "m")])
    for role in ("header_1", "header_2"):
        write(sheet, rng, style, role, content.text(role), x, row, size, anchor, 0.7 * WIDTH, style.pale)
        row += size * rng.uniform(1.6, 2.1)
    return row


def _car_front_form(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, layout: str) -> Page:
    """The columns and the grid of a vehicle licence's front."""
    size, left, right = rng.uniform(1.5, 2.0), rng.uniform(0.04, 0.1) * WIDTH, rng.uniform(0.92, 0.97) * WIDTH
    row, foot = _title(sheet, rng, style, content, size * rng.uniform(0.8, 1.0)), rng.uniform(0.92, 0.97) * HEIGHT
    rows = labelled(rng, content, ("plate", "unit", "use", "name_1", "name_2", "nationality", "address", "issued", "expiry", "remark"))
    if rng.random() < 0.4:  # the dates stand above
        rows[1:1] = [rows.pop(rows.index(item)) for item in [item for item in rows if item.role in ("issued", "expiry")]]
    if layout == "grid":
        grid(sheet, rng, style, rows, (left, row, right, foot), size, ("name_1", "name_2", "address", "unit", "remark"))
    else:
        stack(sheet, rng, style, rows, (left, row - 0.5, right, foot), size, rng.uniform(15, 20), _Table(sheet, rng, style, left, right))
    return bound(sheet, rng, "car_license_front", content)


def car_front(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The front of a vehicle licence: the plate, the owner and the validity."""
    content = content or egypt_vehicles.car_front(rng)
    sheet, style = _blank(rng, scale, (0.6, 0.45, 0.1), held_out)
    if (layout := family(rng, held_out, content)) != "stacked":
        return _car_front_form(sheet, rng, style, content, layout)
    size, left, right = rng.uniform(1.6, 2.2), rng.uniform(0.04, 0.1) * WIDTH, rng.uniform(0.92, 0.97) * WIDTH
    row = _title(sheet, rng, style, content, size * rng.uniform(0.8, 1.1))
    tall = size * rng.uniform(1.2, 1.7)
    plate = content.text("plate").replace("ه", "هـ") if rng.random() < 0.3 else content.text("plate")
    if rng.random() < 0.5:
        box = [v * sheet.scale for v in (left - 1, row - 0.2, left + 27, row + 2.2 * tall)]
        sheet.draw.rectangle(box, outline=style.pale, width=max(1, round(0.25 * sheet.scale)))
        write(sheet, rng, style, "plate", plate, left + 26, row + 1.5 * tall, tall, "r", 25)
        beside = left + 30
    else:
        write(sheet, rng, style, "plate", plate, right, row + tall, tall, "r", 40)
        row, beside = row + 1.9 * tall, left
    rows = items(content, ("unit", "use", "name_1", "name_2", "nationality", "address"))
    if rng.random() < 0.4:
        rows.insert(0, rows.pop(1))
    bottom = rng.uniform(0.76, 0.82) * HEIGHT
    half = [item for item in rows if item.role in ("unit", "use")]
    cut = row + len(half) * size * 2.0
    stack(sheet, rng, style, half, (beside, row, right, cut), size)
    stack(sheet, rng, style, [item for item in rows if item not in half], (left, cut, right, bottom), size)
    _dates(sheet, rng, style, content, (left, right), bottom)
    if content.text("remark"):
        write(sheet, rng, style, "remark", content.text("remark"), right, HEIGHT - rng.uniform(1.4, 2.2), size * 0.85, "r", 0.8 * WIDTH)
    return bound(sheet, rng, "car_license_front", content)


def _car_back_form(sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, layout: str) -> Page:
    """One long column, and the grid, of a vehicle licence's back."""
    size, left, right = rng.uniform(1.4, 1.8), rng.uniform(0.04, 0.1) * WIDTH, rng.uniform(0.92, 0.97) * WIDTH
    order = ["make", "model", "body", "year", "colour", "fuel", "cylinders", "volume", "examined", "chassis", "motor"]
    if rng.random() < 0.5:
        order = order[-2:] + order[:-2]
    rows, top = labelled(rng, content, order), rng.uniform(0.03, 0.08) * HEIGHT
    if layout == "grid":
        foot = rng.uniform(0.74, 0.8) * HEIGHT
        grid(sheet, rng, style, rows, (left, top, right, foot), size, ())
    else:
        foot = rng.uniform(0.8, 0.86) * HEIGHT
        left += rng.uniform(0, 20)
        stack(sheet, rng, style, rows, (left, top, right, foot), size, rng.uniform(16, 24), _Table(sheet, rng, style, left, right))
    _foot(sheet, rng, style, content, (left, right), foot, size * 0.95)
    return bound(sheet, rng, "car_license_back", content)


def car_back(
    rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False,
    content: Content | None = None,
) -> Page:
    """The back of a vehicle licence: the vehicle in two columns, long numbers across, free lines and a bar code."""
    content = content or egypt_vehicles.car_back(rng)
    sheet, style = _blank(rng, scale, (0.13, 0.6, 0.4), held_out)
    if (layout := family(rng, held_out, content)) != "stacked":
        return _car_back_form(sheet, rng, style, content, layout)
    size, left, right = rng.uniform(1.35, 1.9), rng.uniform(0.03, 0.08) * WIDTH, rng.uniform(0.93, 0.975) * WIDTH
    order = ["make", "model", "body", "year", "colour", "fuel", "cylinders", "volume", "examined"]
    if rng.random() < 0.5:
        order = order[3:4] + order[:3] + order[4:]
    rows, long = items(content, order), items(content, ("chassis", "motor"))
    row, foot = rng.uniform(0.03, 0.08) * HEIGHT, rng.uniform(0.76, 0.84) * HEIGHT
    fixed = rng.uniform(15, 20) if rng.random() < 0.5 else None
    high = len(long) * size * 2.2
    first = rng.random() < 0.6
    if first:
        stack(sheet, rng, style, long, (left, row, right, row + high), size, fixed)
        row += high
    middle, cut = (left + right) / 2 + rng.normal(0, 2), (len(rows) + 1) // 2
    bottom = foot if first else foot - high
    across = rng.random() < 0.5
    columns = (rows[0::2], rows[1::2]) if across else (rows[:cut], rows[cut:])
    stack(sheet, rng, style, columns[0], (middle + 1, row, right, bottom), size, fixed)
    stack(sheet, rng, style, columns[1], (left, row, middle - 1, bottom), size, fixed)
    if not first:
        stack(sheet, rng, style, long, (left, bottom, right, foot), size, fixed)
    _foot(sheet, rng, style, content, (left, right), foot, size)
    return bound(sheet, rng, "car_license_back", content)


def _foot(
    sheet: Canvas, rng: np.random.Generator, style: Press, content: Content, span: tuple[float, float], foot: float, size: float
) -> None:
    """Print the free lines, the serial and a bar code below foot."""
    left, right = span
    free = items(content, ("special_1", "special_2", "special_3", "special_4"))
    stack(sheet, rng, style, free, (left + 26, foot, right, HEIGHT - 1.0), size)
    if content.text("serial"):
        sheet.text(left, HEIGHT - rng.uniform(1.3, 2.0), content.text("serial"), style.latin, rng.uniform(1.3, 1.8), style.ink, "l", 22, role="serial")
    if rng.random() < 0.4:
        stacked_code(sheet, rng, left, foot + 0.5, rng.uniform(14, 22), max(2.0, HEIGHT - foot - 5))
