"""Flat sheets without a machine readable zone: membership cards, letters, receipts, bank cards, keyboards, screens.

They teach the detector text of every script and what a zone is not. Sizes in millimetres.
"""

import numpy as np
import numpy.typing as npt

from . import canvas, content, egypt_content, patterns
from .canvas import Canvas
from .content import pick
from .pages import TD1, Page, any_font, barcode, dark_ink, finished, foreign_passport, label_ink, lay_portrait, paper


_ISSUERS = """جامعة القاهرة|جامعة المنصورة|كلية الهندسة|نقابة المعلمين|نادي الصيد|نادي الزمالك|شركة النيل للنقل|الهيئة العامة للتأمين الصحي|مركز شباب الجزيرة|وزارة الشباب|مكتبة مصر العامة
بنك الدلتا|نقابة التجاريين|مستشفى السلام|اتحاد طلاب الجامعات|جمعية الكشافة""".replace("\n", "|").split("|")
_CARDS = "بطاقة طالب|كارنيه عضوية|بطاقة عمل|بطاقة تأمين صحي|كارنيه نقابة|بطاقة اشتراك|تصريح دخول|بطاقة زائر|STUDENT ID|MEMBERSHIP CARD|VISITOR PASS".split("|")


def membership_card(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A student, club, company or insurance card: a person's card that is none of the contract's kinds."""
    holder = egypt_content.person(rng)
    sheet = Canvas(*TD1, scale, paper(rng, TD1, scale))
    font, ink, latin = any_font(rng, held_out, "arabic"), dark_ink(rng), any_font(rng, held_out)
    band = rng.uniform(7, 14)
    if rng.random() < 0.7:
        box = [0, 0, sheet.size[0], round(band * scale)] if rng.random() < 0.7 else [0, sheet.size[1] - round(band * scale), *sheet.size]
        sheet.draw.rectangle(box, fill=tuple(int(v) for v in rng.integers(0, 256, 3)))
    side = rng.random() < 0.5
    if rng.random() < 0.85:
        lay_portrait(sheet, rng, portrait, 5 if side else 60, rng.uniform(13, 18), 19, 24)
    for row, text in enumerate((pick(rng, _ISSUERS), pick(rng, _CARDS))):
        face = latin if canvas.script_of(text) == "latin" else font
        sheet.text(TD1[0] / 2, 5 + row * 4, text, face, rng.uniform(1.6, 2.6), label_ink(rng), "m", 60)
    right, row, large = (82 if side else 56), rng.uniform(15, 18), rng.uniform(1.5, 2.4)
    rows = [("الاسم", " ".join([holder.first, *holder.rest])), ("الكلية", pick(rng, egypt_content.WORKPLACES)), ("الوظيفة", pick(rng, egypt_content.JOBS)), ("رقم العضوية", str(int(rng.integers(1000, 10**6)))),
            ("العام الجامعي", egypt_content.eastern("2025/2026")), ("صالح حتى", egypt_content.eastern("2027/10/01")), ("العنوان", holder.address[0])]
    labelled = rng.random() < 0.6
    for label, text in (rows[i] for i in sorted(rng.permutation(7)[: int(rng.integers(2, 6))])):
        sheet.text(right, row, f"{label} : {text}" if labelled else text, font, large, ink, "r", 50)
        row += rng.uniform(4.2, 6.5)
    if rng.random() < 0.4:
        barcode(sheet, rng, rng.uniform(5, 40), 44, rng.uniform(20, 36), 6)
    return finished(sheet, "membership-card")


_LABELS = """الاسم|العنوان|الجنسية|المهنة|رقم اللوحة|رقم الشاسيه|رقم الموتور|الماركة|الموديل|اللون|الوقود|تاريخ الإصدار|تاريخ الانتهاء|نوع الرخصة|وحدة المرور|السعة اللترية|سنة الصنع|ملاحظات|فصيلة الدم|المحافظة
Name|Address|Nationality|Job|Plate No|Chassis No|Engine No|Make|Model|Colour|Fuel|Issued|Valid Until|Class|Serial""".replace("\n", "|").split("|")


def _value(rng: np.random.Generator) -> str:
    """Something that a card says: a name, an address, a word, a number or a date."""
    holder, day = egypt_content.person(rng), egypt_content.day_between(rng, 1960, 2030)
    number = str(int(rng.integers(1, 10 ** int(rng.integers(1, 15)))))
    return pick(rng, [
        " ".join([holder.first, *holder.rest]), holder.first, " - ".join(holder.address), holder.address[0], pick(rng, egypt_content.JOBS), pick(rng, egypt_content.WORKPLACES),
        egypt_content.eastern(number), number, egypt_content.eastern(f"{day:%Y/%m/%d}"), f"{day:%d/%m/%Y}", "".join(pick(rng, "ABCDEFGHJKLMNPRSTUVWXYZ0123456789") for _ in range(17)),
    ])


def _entry(
    rng: np.random.Generator, sheet: Canvas, place: tuple[float, float], width: float, faces: tuple[str, str], small: float, large: float,
    inks: tuple[tuple[int, ...], tuple[int, ...]],
) -> float:
    """Print a label and its value, beside or above it, in the box whose upper right corner is place; returns its height in mm."""
    (x, y), value = place, _value(rng)
    arabic, latin = faces
    label = pick(rng, _LABELS)
    face = lambda text: latin if canvas.script_of(text) == "latin" else arabic
    above = rng.random() < 0.5
    if above:
        sheet.text(x, y + 1.3 * small, label, face(label), small, inks[0], "r", width)
        sheet.text(x, y + 1.3 * small + large * rng.uniform(1.5, 2.1), value, face(value), large, inks[1], "r", width)
        return 1.6 * small + 2.4 * large
    base, share = y + 1.6 * large, rng.uniform(0.2, 0.4)
    sheet.text(x, base, label, face(label), min(small * 1.2, large), inks[0], "r", width * share)
    right = x - width * (share + rng.uniform(0.02, 0.2))
    wide = sheet.text(right, base, value, face(value), large, inks[1], "r", width * (0.95 - share) - (x - width * share - right))
    if rng.random() < 0.4:  # rows of dots are no text
        for dot in np.arange(x - width * 0.97, x - width * (share + 0.01), large * rng.uniform(0.35, 0.6)):
            if not right - wide - 0.5 < dot < right + 0.3:
                sheet.draw.ellipse([v * sheet.scale for v in (dot, base - 0.15, dot + 0.22, base + 0.07)], fill=inks[0])
    return large * rng.uniform(2.1, 3)


def free_card(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A card of any arrangement: entries in one to three columns, labels above or beside their values, rules, frames, pictures."""
    sheet = Canvas(*TD1, scale, paper(rng, TD1, scale))
    faces, inks = (any_font(rng, held_out, "arabic"), any_font(rng, held_out)), (label_ink(rng), dark_ink(rng))
    top = rng.uniform(2, 13)
    if rng.random() < 0.4:
        sheet.draw.rectangle([0, 0, sheet.size[0], round(top * scale)], fill=tuple(int(v) for v in rng.integers(0, 256, 3)))
    elif top > 7:
        text = pick(rng, _ISSUERS + _CARDS + ["جمهورية مصر العربية"])
        sheet.text(pick(rng, [TD1[0] / 2, 82, 45]), top - 2, text, faces[canvas.script_of(text) == "latin"], rng.uniform(1.4, 2.4), inks[1], "m", 50)
    left = rng.uniform(2, 8)
    if portrait is not None and rng.random() < 0.5:
        left = 27 + rng.uniform(0, 4)
        lay_portrait(sheet, rng, portrait, rng.uniform(3, 6), top + rng.uniform(1, 5), 19, 24)
    count, small, large = int(rng.integers(1, 4)), rng.uniform(0.75, 1.5), rng.uniform(1.1, 2.1)
    width, room, ruled = (TD1[0] - 3 - left) / count, rng.uniform(0, 1.8), rng.random() < 0.25
    for column in range(count):
        x, y = TD1[0] - rng.uniform(2, 4) - column * width, top + rng.uniform(0, 3)
        while y < TD1[1] - 2.6 * large - 1.6 * small:
            if rng.random() < 0.9:
                y += _entry(rng, sheet, (x, y), width - 2, faces, small, large, inks) + room
            else:
                y += 4 * large
            if ruled:
                sheet.draw.line([v * scale for v in (x + 1, y, x + 2 - width, y)], fill=inks[0], width=max(1, round(scale / 8)))
        if ruled:
            sheet.draw.line([v * scale for v in (x + 1, top, x + 1, TD1[1] - 2)], fill=inks[0], width=max(1, round(scale / 8)))
    return finished(sheet, "free-card")


def text_page(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """Paragraphs in one or two scripts, headings, a code block now and then."""
    size = (rng.uniform(90, 150), rng.uniform(90, 170))
    pixels = (round(size[0] * scale), round(size[1] * scale))
    paper = np.full((pixels[1], pixels[0], 3), int(rng.integers(200, 256)), np.uint8)
    sheet = Canvas(*size, scale, paper)
    scripts = [pick(rng, ["latin", "arabic", "arabic"] if rng.random() < 0.6 else list(content.PROSE)) for _ in range(2)]
    row, ink = rng.uniform(5, 15), dark_ink(rng, 0, 100)
    while row < size[1] - 6:
        script = pick(rng, scripts)
        font, height = any_font(rng, held_out, script), rng.uniform(1.3, 3.2)
        step, margin = height * rng.uniform(1.7, 2.8), rng.uniform(5, 15)
        rtl = script in canvas.RIGHT_TO_LEFT
        for _ in range(int(rng.integers(1, 9))):
            row += step
            if row > size[1] - 4:
                break
            words = max(1, int((size[0] - 2 * margin) / height / 5.5 * rng.uniform(0.6, 1)))
            sheet.text(size[0] - margin if rtl else margin, row, content.sentence(rng, script, words), font, height, ink, "r" if rtl else "l", size[0] - 2 * margin)
        row += rng.uniform(2, 7)
    return finished(sheet, "text")


def code_page(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """Monospaced rows of equal length without a zone's grammar or place: listings, receipts, terminals, tickets."""
    size = (rng.uniform(60, 140), rng.uniform(60, 160))
    dark = rng.random() < 0.35
    pixels = (round(size[0] * scale), round(size[1] * scale))
    sheet = Canvas(*size, scale, np.full((pixels[1], pixels[0], 3), int(rng.integers(10, 60) if dark else rng.integers(200, 256)), np.uint8))
    ink = tuple(int(v) for v in rng.integers(150, 256, 3)) if dark else dark_ink(rng)
    font, height = any_font(rng, held_out, "mono"), rng.uniform(1.2, 2.8)
    columns, row = int(size[0] / height / 0.95), 5.0
    signs = pick(rng, ["0123456789", "ABCDEFGHIJ  ", "abcdefgh()[]{};= ", "-=*#", "01 "])
    while row < size[1] - 5:
        row += height * rng.uniform(1.6, 2.4)
        if rng.random() < 0.12:
            row += rng.uniform(2, 8)
            signs = pick(rng, ["0123456789", "ABCDEFGHIJ  ", "abcdefgh()[]{};= ", "TOTAL 0123.", "01 "])
        count = max(3, int(columns * (rng.uniform(0.2, 0.9) if rng.random() < 0.5 else 0.8)))
        text = "".join(pick(rng, signs) for _ in range(count)).strip()
        sheet.text(5, row, text, font, height, ink, limit=size[0] - 10)
    return finished(sheet, "code")


def bank_card(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A payment card: sixteen wide digits, a name, a chip."""
    pixels = (round(TD1[0] * scale), round(TD1[1] * scale))
    sheet = Canvas(*TD1, scale, patterns.blend(rng, pixels, [tuple(rng.integers(0, 256, 3)) for _ in range(3)]))
    ink = pick(rng, [(235, 235, 235), (30, 30, 30), (200, 180, 120)])
    font = any_font(rng, held_out, pick(rng, ["latin", "mono"]))
    digits = "".join(str(d) for d in rng.integers(0, 10, 16))
    sheet.text(8, 31, " ".join(digits[i : i + 4] for i in range(0, 16, 4)), font, 3.4, ink, limit=70)
    sheet.text(8, 47, f"{pick(rng, content.GIVEN)} {pick(rng, content.FAMILY)}", font, 2.4, ink, limit=50)
    sheet.text(40, 39, "VALID THRU 12/29", font, 1.6, ink)
    sheet.text(50, 9, pick(rng, ["NILE BANK", "DELTA CREDIT", "بنك النيل"]), canvas.fonts("arabic", held_out)[-1], 3.4, ink, limit=30)
    chip = patterns.blend(rng, (40, 30), [(190, 160, 90), (230, 210, 150)])
    sheet.paste(chip, 9, 16, 11, 9)
    return finished(sheet, "bank-card")


def keyboard(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """Rows of keys with a letter each."""
    size = (rng.uniform(140, 200), rng.uniform(55, 75))
    pixels = (round(size[0] * scale), round(size[1] * scale))
    tone = int(rng.integers(10, 240))
    sheet = Canvas(*size, scale, np.full((pixels[1], pixels[0], 3), tone, np.uint8))
    face, ink = (tone + 40) % 256, 255 if (tone + 40) % 256 < 128 else 10
    pitch = size[1] / 4.4
    for row, letters in enumerate(["1234567890-=", "QWERTYUIOP[]", "ASDFGHJKL;'", "ZXCVBNM,./"]):
        for column, letter in enumerate(letters):
            x, y = 3 + (column + row * 0.4) * pitch * 0.95, 3 + row * pitch
            box = [v * scale for v in (x, y, x + pitch * 0.82, y + pitch * 0.85)]
            sheet.draw.rounded_rectangle(box, scale * 1.5, fill=(face,) * 3)
            sheet.text(x + pitch * 0.2, y + pitch * 0.5, letter, canvas.fonts("latin", held_out)[0], pitch * 0.25, (ink,) * 3)
    return finished(sheet, "keyboard")


def codes(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A label with bar codes and a few words."""
    size = (rng.uniform(60, 120), rng.uniform(40, 80))
    pixels = (round(size[0] * scale), round(size[1] * scale))
    sheet = Canvas(*size, scale, np.full((pixels[1], pixels[0], 3), int(rng.integers(210, 256)), np.uint8))
    for _ in range(int(rng.integers(1, 4))):
        barcode(sheet, rng, rng.uniform(3, size[0] / 2), rng.uniform(3, size[1] - 22), rng.uniform(20, size[0] / 2), rng.uniform(6, 16))
    sheet.text(5, size[1] - 4, content.sentence(rng, "latin", 5), any_font(rng, held_out), 2, dark_ink(rng), limit=size[0] - 10)
    return finished(sheet, "codes")


def bare_passport(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """A passport page whose zone is cut away: everything but what the zone detector looks for."""
    page = foreign_passport(rng, scale, portrait, held_out)
    top = int(page.zone[0].quad[0, 1] - 2.5 * scale)
    page.image = page.image[:top]
    page.lines = [line for line in page.lines if line.quad[:, 1].max() < top]
    page.corners[2:, 1] = top
    page.kind = "no-zone"
    return page


MAKERS = (membership_card, text_page, text_page, code_page, bank_card, keyboard, codes, bare_passport, membership_card)


def other(rng: np.random.Generator, scale: float, portrait: npt.NDArray[np.uint8] | None = None, held_out: bool = False) -> Page:
    """Draw any sheet without a zone."""
    return pick(rng, MAKERS)(rng, scale, portrait, held_out)


def spread(rng: np.random.Generator, page: Page, scale: float, held_out: bool = False) -> Page:
    """The open booklet: the page that faces a data page above it, a fold between them; the corners stay the data page's."""
    height, width = page.image.shape[:2]
    size = (width / scale, height / scale)
    sheet = Canvas(*size, scale, patterns.security(rng, (width, height), scale))
    if rng.random() < 0.7:
        font, ink = any_font(rng, held_out, pick(rng, ["latin", "arabic"])), dark_ink(rng, 20, 120)
        script = "arabic" if font in canvas.fonts("arabic", held_out) else "latin"
        row = rng.uniform(8, 30)
        while row < size[1] - 10 and rng.random() < 0.92:
            sheet.text(size[0] / 2, row, content.sentence(rng, script, int(rng.integers(2, 9))), font, rng.uniform(1.4, 2.6), ink, "m", size[0] - 16)
            row += rng.uniform(4, 9)
    both = np.concatenate([sheet.array(), page.image]).astype(np.float32)
    distance = np.abs(np.arange(2 * height) - height) / (scale * rng.uniform(1.5, 7))
    both *= (1 - rng.uniform(0.1, 0.5) * np.exp(-distance))[:, None, None]
    for line in page.lines:
        line.quad = line.quad + np.array([0, height], np.float32)
    page.image, page.corners = both.astype(np.uint8), page.corners + np.array([0, height], np.float32)
    page.lines = sheet.lines + page.lines
    return page
