"""What the generator of numbers must keep: labels that the network has, and digits that are labelled as the sign that they look like."""

import numpy as np
import pytest
from PIL import ImageFont

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
