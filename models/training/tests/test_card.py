"""A drawn card is what its truth says: a card of its proportions, each text within it, and ink where a line is said to be."""

import numpy as np
import pytest

from bawab_training.draw import egypt_cards, egypt_content, pages

SCALE = 10.0  # pixels a millimetre


def card(seed: int) -> tuple[pages.Page, egypt_content.Content]:
    """The front of an ID of an invented holder, and what it says."""
    rng = np.random.default_rng(seed)
    content = egypt_content.id_front(rng, egypt_content.person(rng))
    return egypt_cards.front(rng, SCALE, content=content), content


@pytest.mark.parametrize("seed", range(8))
def test_geometry(seed: int) -> None:
    """The sheet has the size of TD1; every line is an upright band within it."""
    page, _ = card(seed)
    height, width = page.image.shape[:2]
    assert (width, height) == tuple(round(side * SCALE) for side in pages.TD1)
    assert page.corners.tolist() == [[0, 0], [width, 0], [width, height], [0, height]]
    for line in page.lines:
        left, top = line.quad[0]
        right, bottom = line.quad[2]
        assert right > left and bottom > top, line
        assert -SCALE < left and right < width + SCALE and -SCALE < top and bottom < height + SCALE, line


@pytest.mark.parametrize("seed", range(8))
def test_truth(seed: int) -> None:
    """What the content says is on the card, under its role, once; the number has 14 digits, of which the first seven are the birth date."""
    page, content = card(seed)
    for role in ("name_1", "address_1", "number"):
        printed = [line.text for line in page.lines if line.role == role]
        assert len(printed) == 1, (role, printed)
    number = "".join(sign for sign in content.text("number") if sign.isdigit())
    western = "".join(str(int(sign)) for sign in number)
    assert len(western) == 14
    assert western[0] in "23" and 1 <= int(western[3:5]) <= 12 and 1 <= int(western[5:7]) <= 31
    line = next(line for line in page.lines if line.role == "number")
    left, top, right, bottom = (int(round(v)) for v in (*line.quad[0], *line.quad[2]))
    grey = page.image[top:bottom, max(left, 0):right].mean(2)
    assert grey.std() > 8, "there is no ink where the number is said to be"
