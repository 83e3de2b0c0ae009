"""What lines of general text say is what their labels say, in whatever form a font prints it."""

import numpy as np
import pytest

from bawab_training.draw import text_content, text_general

PERSIAN = "۰۱۲۳۴۵۶۷۸۹"
ALL = frozenset(map(ord, PERSIAN + "٫٬"))


@pytest.mark.parametrize("role", text_general.ROLES)
def test_texts(role: str) -> None:
    """Every text is of signs that the network has classes for."""
    rng = np.random.default_rng(3)
    for _ in range(300):
        text = text_general.text(rng, role)
        assert len(text_content.encode(text_content.label(text))) == len(text)


def test_printed() -> None:
    """Another form stands in the place of its own sign and of no other: separators between digits alone, digits by value."""
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(200):
        printed = text_general.printed(rng, "بند، ١,٥ و٣٠،١٩", ALL)
        seen.add(printed)
        assert printed.startswith("بند، ") and len(printed) == 15
        assert [int(sign) for sign in printed if sign.isdigit()] == [1, 5, 3, 0, 1, 9]
    assert any("٫" in p and "٬" in p for p in seen) and any(set(PERSIAN) & set(p) for p in seen) and "بند، ١,٥ و٣٠،١٩" in seen
    assert text_general.printed(rng, "١,٥", frozenset()) == "١,٥", "a font that lacks a form prints the sign itself"


def test_marks() -> None:
    """Vowel signs and drawn out strokes leave the letters as they are; a lam-alef is not torn."""
    rng = np.random.default_rng(5)
    words = "السلام عليكم ورحمة الله إلى الأبد 12"
    for _ in range(100):
        assert text_content.plain(text_general.vowelled(rng, words)) == words
        drawn = text_general.stretched(rng, words)
        assert text_content.plain(drawn) == words
        assert "لـا" not in drawn and "لـأ" not in drawn
