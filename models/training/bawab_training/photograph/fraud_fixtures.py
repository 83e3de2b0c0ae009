"""The pictures by which the Go tests see each cue of fraud at work: one invented card, genuine and under each attack.

    python -m bawab_training.photograph.fraud_fixtures --portraits DIR --out ../../inference/fraud/testdata

genuine.jpg, screen.jpg (a coarse display), print.jpg, grey.jpg; noisy.jpg, the genuine card in poor light, and out of it portrait.jpg (another
portrait pasted) and text.jpg (the whole number drawn anew), without that noise; truth.jsonl has file, kind, attack and documents, whose lines the
tests take for fields. The attacks of recapture are those of the simulator that training never saw. All are plain cases.
"""

from __future__ import annotations

import argparse
import io
import json
import os
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from ..draw import documents_flat
from . import documents, fraud_tamper, recapture_unseen
from ..draw.pages import Page

SEED, SIZE, SHARE = 41, (1120, 840), 0.8
COARSE = 300  # pixels of the display in the card's width
NOISE = 9.0  # grey levels


def _write(folder: str, name: str, picture: npt.NDArray[np.uint8]) -> None:
    cv2.imwrite(os.path.join(folder, name), picture, [cv2.IMWRITE_JPEG_QUALITY, 85])


def main() -> None:
    """Parse the command line and write the pictures."""
    parser = argparse.ArgumentParser(prog="bawab_training.photograph.fraud_fixtures")
    parser.add_argument("--portraits", required=True)
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    os.makedirs(args.out, exist_ok=True)
    faces = documents.faces_of(args.portraits)
    kind = "national_id_front"
    page = documents_flat.draw(np.random.default_rng(SEED), kind, documents_flat.scale_for(kind, 1000), faces, False)
    flat = page.image
    lines: list[dict[str, Any]] = []
    makers: dict[str, tuple[str, Callable[[np.random.Generator], recapture_unseen.Scene]]] = {
        "genuine.jpg": ("", lambda rng: recapture_unseen._card(rng, flat, SIZE, SHARE)),
        "screen.jpg": ("screen_replay", lambda rng: recapture_unseen._display(rng, flat, SIZE, SHARE, "lcd", COARSE)),
        "print.jpg": ("printed_copy", lambda rng: recapture_unseen._paper(rng, flat, SIZE, SHARE, "clustered")),
        "grey.jpg": ("grey_copy", lambda rng: recapture_unseen._paper(rng, flat, SIZE, SHARE, "clustered", True)),
    }
    for name, (attack, make) in makers.items():
        rng = np.random.default_rng(SEED)
        picture, quad, lattice = make(rng)
        code, factor = recapture_unseen._photographed(rng, picture.astype(np.float32), lattice)
        decoded = cv2.imdecode(np.frombuffer(io.BytesIO(code).getvalue(), np.uint8), cv2.IMREAD_COLOR)
        _write(args.out, name, decoded)
        lines.append({"file": name, "kind": kind, "attack": attack, "documents": [_truth(page, quad * factor)]})
        if not attack:
            genuine, document = decoded, lines[0]["documents"][0]
    rng = np.random.default_rng(SEED)
    noisy = np.clip(genuine + rng.normal(0, NOISE, genuine.shape), 0, 255).astype(np.uint8)
    number = next(line for line in document["lines"] if line["role"] == "number")
    _write(args.out, "portrait.jpg", fraud_tamper.portrait_pasted(rng, noisy, document["quad"], faces))
    _write(args.out, "text.jpg", fraud_tamper.text_pasted(rng, noisy, number, 0.95))
    _write(args.out, "noisy.jpg", noisy)
    for name, attack in (("noisy.jpg", ""), ("portrait.jpg", "portrait_replaced"), ("text.jpg", "text_altered")):
        lines.append({"file": name, "kind": kind, "attack": attack, "documents": [document]})
    with open(os.path.join(args.out, "truth.jsonl"), "w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False) + "\n")


def _truth(page: Page, quad: np.ndarray) -> dict[str, Any]:
    corners = np.array([[0, 0], [page.image.shape[1], 0], [page.image.shape[1], page.image.shape[0]], [0, page.image.shape[0]]], np.float32)
    h = cv2.getPerspectiveTransform(corners, np.array(quad, np.float32))
    return documents.document_truth(page, lambda q: cv2.perspectiveTransform(np.array(q, np.float32)[None], h)[0])


if __name__ == "__main__":
    main()
