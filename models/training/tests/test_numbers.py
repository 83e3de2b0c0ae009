"""What the generator of numbers must keep: labels that the network has, and digits that are labelled as the sign that they look like."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from bawab_training.draw import number_text
from bawab_training.photograph import number_lines


def test_numbers_have_labels() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        number = number_text.content(rng)
        assert len(number_text.encode(number)) == len(number) > 0


def test_label_is_read_back() -> None:
    label = "٤٤.۰۴"
    classes = [c for code in number_text.encode(label) for c in (code, 0)]
    assert number_text.decode(np.array(classes)) == label


@pytest.mark.parametrize("sign, label", [("۷", "٧"), ("٥", "٥"), ("٫", "٫"), ("3", "3")])
def test_signs_of_one_shape_have_one_label(sign: str, label: str) -> None:
    face = number_lines.Face.__new__(number_lines.Face)  # none of these looks at the font
    assert face.label(sign) == label


@pytest.mark.parametrize("same", [True, False])
def test_persian_digit_is_told_by_its_shape(monkeypatch: pytest.MonkeyPatch, same: bool) -> None:
    face = number_lines.Face(ImageFont.load_default(), frozenset())
    shapes = {"٤": np.eye(8, dtype=bool), "۴": np.eye(8, dtype=bool) if same else ~np.eye(8, dtype=bool)}
    monkeypatch.setattr(face, "_shape", shapes.__getitem__)
    assert face.label("۴") == ("٤" if same else "۴")


def test_zero_is_told_by_its_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    face, dot = number_lines.Face(ImageFont.load_default(), frozenset()), np.ones((9, 9), bool)
    ring = dot.copy()
    ring[3:6, 3:6] = False
    for shape, label in ((dot, "٠"), (ring, "۰")):
        monkeypatch.setattr(face, "_shape", lambda _, shape=shape: shape)
        assert face.label("۰") == label


@pytest.mark.parametrize("seed", range(20))
def test_large_full_stops_stand_lower_than_zeros(seed: int) -> None:
    rng = np.random.default_rng(seed)
    face = number_lines.Face(ImageFont.load_default(24), frozenset(range(32, 127)))
    dots = number_lines.Dots(rng, face, face, "0")  # this font has no Arabic-Indic zero
    middles, highs = [], []
    for put in (dots.zero, dots.stop):
        picture = Image.new("L", (200, number_lines.ABOVE + number_lines.BELOW))
        put(ImageDraw.Draw(picture), 60.0)
        rows = np.flatnonzero((np.asarray(picture) > 100).any(1))
        middles.append((rows[0] + rows[-1]) / 2)
        highs.append(rows[-1] - rows[0] + 1)
    assert middles[1] > middles[0] + 0.09 * number_lines.CAP
    assert 0.5 < highs[1] / highs[0] < 2


def test_numbers_are_set_as_words_are(monkeypatch: pytest.MonkeyPatch) -> None:
    # A face may have a full stop of its own among Arabic digits, which it prints where it sees a whole number alone.
    drawn: list[str] = []
    text, length = ImageDraw.ImageDraw.text, ImageFont.FreeTypeFont.getlength  # of a font that knows no direction

    def noted(pen: ImageDraw.ImageDraw, place: tuple[float, float], sign: str, **options: object) -> None:
        drawn.append(sign)
        text(pen, place, sign, **{**options, "direction": None})

    generator = number_lines.Generator.__new__(number_lines.Generator)
    face = number_lines.Face(ImageFont.load_default(24), frozenset(range(32, 127)))
    generator._files = ["font"]
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", noted)
    monkeypatch.setattr(ImageFont.FreeTypeFont, "getlength", lambda font, sign, **_: length(font, sign))
    monkeypatch.setattr(number_lines, "_face", lambda *_: face)
    monkeypatch.setattr(generator, "_tracking", lambda *_: 0.0)
    labels = set()
    for seed in range(30):
        generator._rng = np.random.default_rng(seed)
        labels.add(generator._set(face, "12.5/3", number_text.WESTERN, large=False)[1])
    assert "12.5" in drawn
    assert labels == {"12.5/3"}
