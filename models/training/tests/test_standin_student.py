"""A stand-in site of student cards is drawn alike from a seed, with two wordings that the description of the exercise lacks."""

import json
import pathlib

import cv2
import numpy as np
import pytest
from bawab_training.draw import arabic_fonts, standin_student


def test_site_of_students(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not all(pathlib.Path(f).exists() for family in arabic_fonts.families(held_out=True) for f in family.files):
        pytest.skip("the held-out fonts are not installed: python -m bawab_training.draw.arabic_fonts install")
    for name in ("one", "other"):
        monkeypatch.setattr("sys.argv", ["standin", "--out", str(tmp_path / name), "--seed", "3", "--fit", "2", "--test", "1", "--fresh", "1"])
        standin_student.main()
    numbers = set()
    for folder, count in (("one/fit", 2), ("one/test", 1), ("one-fresh", 1)):
        lines = (tmp_path / folder / "truth.jsonl").read_text(encoding="utf-8")
        assert lines == (tmp_path / folder.replace("one", "other") / "truth.jsonl").read_text(encoding="utf-8")
        assert len(lines.splitlines()) == count
        for line in map(json.loads, lines.splitlines()):
            document = line["documents"][0]
            numbers.add(document["fields"]["studentNumber"])
            image = cv2.imread(str(tmp_path / folder / line["file"]))
            assert image is not None
            middle = (image.shape[1] / 2, image.shape[0] / 2)
            assert cv2.pointPolygonTest(np.array(document["quad"], np.float32), middle, False) > 0
    assert len(numbers) == 4
    known = {word for words in standin_student.KNOWN.values() for word in words}
    for seed in range(9):
        wordings = standin_student.site_of(np.random.default_rng([seed, 0])).wordings
        assert sum(word not in known for word in wordings.values()) == 2
