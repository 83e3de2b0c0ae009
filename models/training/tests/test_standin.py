"""A stand-in site is drawn alike from a seed, and its truth says what its pictures show."""

import json
import pathlib

import cv2
import numpy as np
import pytest
from bawab_training.draw import arabic_fonts, standin


def test_site_is_a_truth_set(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not all(pathlib.Path(f).exists() for family in arabic_fonts.families(held_out=True) for f in family.files):
        pytest.skip("the held-out fonts are not installed: python -m bawab_training.draw.arabic_fonts install")
    for name in ("one", "other"):
        monkeypatch.setattr("sys.argv", ["standin", "--out", str(tmp_path / name), "--seed", "3", "--fit", "2", "--test", "1", "--fresh", "1"])
        standin.main()
    persons = set()
    for folder, count in (("one/fit", 2), ("one/test", 1), ("one-fresh", 1)):
        lines = (tmp_path / folder / "truth.jsonl").read_text(encoding="utf-8")
        assert lines == (tmp_path / folder.replace("one", "other") / "truth.jsonl").read_text(encoding="utf-8")
        assert len(lines.splitlines()) == count
        for line in map(json.loads, lines.splitlines()):
            persons.add(line["person"])
            document = line["documents"][0]
            assert len(document["fields"]["nationalID"]) == 14
            assert document["fields"]["issuenceDate"] < document["fields"]["expiryDate"]
            image = cv2.imread(str(tmp_path / folder / line["file"]))
            inside = cv2.pointPolygonTest(np.array(document["quad"], np.float32), (800, 600), False)
            assert image is not None and image.shape == (1200, 1600, 3) and inside > 0
    assert len(persons) == 4
