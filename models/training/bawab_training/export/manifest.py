"""The manifest of the model files, and pinned answers to test them by.

    python -m bawab_training.export.manifest [--check]
    python -m bawab_training.export.manifest --threshold mrz reject=0.8 \\
        --data-set "synthetic pages, seed 7" --budget "1 wrong in 1,000"
    python -m bawab_training.export.manifest --provenance mrz clean

Reads every models/*.tflite with the TFLite interpreter and writes
models/manifest.json: SHA-256, tensor contracts, multiply-accumulates.
Thresholds and provenance are kept from the manifest that is there; the second
form sets a threshold, the third the provenance (PROVENANCES).
A model that is the same network
for pictures of another size (LOWERED) is named with the bytes in which it
differs from the file. For each model it also writes inference/testdata/NAME.golden.json: every n-th
value of the answer to a fixed input, by which the Go side proves that its
runtime computes the same network. --check writes nothing and fails if the
manifest is not the one that it would write.
"""

import argparse
import datetime
import hashlib
import json
import pathlib
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import tensorflow as tf

from ..draw import digit_text, number_text, text_content
from ..photograph import plate_data
from .lowered import lowered

MODELS = pathlib.Path(__file__).resolve().parents[3]
GOLDEN = MODELS.parent / "inference" / "testdata"
GOLDEN_VALUES = 1024

# The order of colour that each model was trained with: a tensor does not know.
CHANNELS = {"baseline": "grey", "digits": "grey", "documents": "ycbcr", "embedder": "ycbcr", "embedder_near": "ycbcr", "faces": "ycbcr", "fraud": "ycbcr", "landmarks": "ycbcr", "lines": "grey", "lines_wide": "grey", "liveness": "rgb", "liveness_wide": "rgb", "mrz": "grey", "numbers": "grey", "plates": "grey", "surroundings": "ycbcr", "text": "grey", "text_general": "grey", "tiny": "rgb"}

# The symbols of the CTC networks' classes after the blank, where they are no fixed part of the code.
LABELS = {"digits": digit_text.LABELS, "numbers": number_text.LABELS, "plates": plate_data.LABELS, "text": text_content.SYMBOLS, "text_general": text_content.SYMBOLS}

_TEXT_WIDTHS = [112, 144, 176, 208, 240, 272, 304, 384, 448, 512, 640]
# The other widths of its input that a network takes as well; the files of the others fix their shapes.
WIDTHS = {"text": _TEXT_WIDTHS, "text_general": _TEXT_WIDTHS, "numbers": _TEXT_WIDTHS, "digits": [320, 384, 448]}

# What a network was made from. It is clean where the licence of every training picture, teacher and starting weight allows
# commercial use, or they were drawn.
PROVENANCES = ("clean", "research data")

# Operators that multiply nothing worth counting. One that is neither here nor
# in count_macs stops the script: better than a wrong figure.
FREE = {
    "ADD", "AVERAGE_POOL_2D", "CONCATENATION", "DEQUANTIZE", "HARD_SWISH", "LEAKY_RELU", "LOGISTIC", "MAX_POOL_2D", "MEAN", "MUL",
    "PACK", "PAD", "QUANTIZE", "RELU", "RESHAPE", "RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR", "SHAPE", "SOFTMAX",
    "SQUEEZE", "STRIDED_SLICE", "SUB", "TANH", "TRANSPOSE",
}


# Models that are the file of another for pictures of another height: that file, and the height.
LOWERED = {"lines_wide": ("lines", 352)}


def contents() -> dict[str, tuple[pathlib.Path, bytes]]:
    """The models by name: their file, and their bytes."""
    found = {path.stem: (path, path.read_bytes()) for path in MODELS.glob("*.tflite")}
    found.update({name: (found[base][0], lowered(found[base][1], height)) for name, (base, height) in LOWERED.items()})
    return dict(sorted(found.items()))


def open_model(content: bytes) -> tf.lite.Interpreter:
    """An interpreter without delegate, so that every operator can be seen."""
    resolver = tf.lite.experimental.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = tf.lite.Interpreter(model_content=content, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    return interpreter


def count_macs(interpreter: tf.lite.Interpreter) -> int:
    """Multiply-accumulates of one inference, from the shapes of the weights."""
    shapes = {t["index"]: t["shape"] for t in interpreter.get_tensor_details()}
    total = 0
    for op in interpreter._get_ops_details():  # noqa: SLF001 - there is no public way
        name = op["op_name"]
        if name in FREE:
            continue
        if name not in {"CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "TRANSPOSE_CONV"}:
            sys.exit(f"manifest: do not know how much work {name} is")
        weights, output = shapes[op["inputs"][1]], shapes[op["outputs"][0]]
        if name == "CONV_2D":  # weights: out, height, width, in
            total += int(np.prod(output)) * int(np.prod(weights[1:]))
        elif name == "DEPTHWISE_CONV_2D":  # weights: 1, height, width, out
            total += int(np.prod(output)) * int(weights[1] * weights[2])
        elif name == "FULLY_CONNECTED":  # weights: out, in
            total += int(np.prod(output)) * int(weights[1])
        else:  # TRANSPOSE_CONV, weights: out, height, width, in
            total += int(np.prod(shapes[op["inputs"][2]])) * int(np.prod(weights[:3]))
    return total


def contract(detail: dict[str, Any], channels: str = "") -> dict[str, Any]:
    """What a tensor must be, in the manifest's words."""
    scale, zero_point = detail["quantization"]
    entry = {
        "name": detail["name"],
        "shape": [int(d) for d in detail["shape"]],
        "type": np.dtype(detail["dtype"]).name,
        "scale": float(np.float32(scale)),
        "zero_point": int(zero_point),
    }
    if channels:
        entry["channels"] = channels
    return entry


def describe(name: str, path: pathlib.Path, content: bytes, thresholds: dict[str, Any], provenance: str | None) -> dict[str, Any]:
    """The manifest's entry for a model with that content, read from a file."""
    interpreter = open_model(content)
    (source,), (result,) = interpreter.get_input_details(), interpreter.get_output_details()
    entry = {
        "name": name,
        "file": path.name,
        "sha256": hashlib.sha256(content).hexdigest(),
        "input": contract(source, CHANNELS.get(name, "")),
        "output": contract(result),
        "macs": count_macs(interpreter),
        "thresholds": thresholds,
    }
    if name in LABELS:
        entry["labels"] = LABELS[name]
    if name in WIDTHS:
        entry["widths"] = WIDTHS[name]
    if changes := {str(at): new for at, (old, new) in enumerate(zip(path.read_bytes(), content, strict=True)) if old != new}:
        entry["changes"] = changes
    if provenance:
        entry["provenance"] = provenance
    return entry


def pattern(shape: Iterable[int]) -> npt.NDArray[np.int8]:
    """The fixed input: a bright sheet with dark broken rows on a dark ground, and a little noise of a linear congruential generator."""
    _, height, width, channels = shape
    values, state = np.empty((height, width, channels), np.int8), 1
    for y in range(height):
        for x in range(width):
            inside = height // 4 <= y < height - height // 4 and width // 8 <= x < width - width // 8
            printed = y // max(1, height // 32) % 3 == 1 and x // 3 % 3 != 0
            level = (-60 if printed else 90) if inside else -100
            for channel in range(channels):
                state = (state * 1664525 + 1013904223) % 2**32
                values[y, x, channel] = level + (state >> 28)
    return values[None]


def golden(content: bytes) -> dict[str, Any]:
    """Every n-th value of the answer to the fixed input."""
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    source, result = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    interpreter.set_tensor(source["index"], pattern(source["shape"]))
    interpreter.invoke()
    answer = interpreter.get_tensor(result["index"]).ravel()
    step = max(1, -(-answer.size // GOLDEN_VALUES)) | 1  # odd: an even one would see some of the channels alone
    return {"step": step, "values": [int(v) for v in answer[::step]]}


def next_version(old: int) -> int:
    """The number of a model set: the day of its making and a count, YYYYMMDDnn."""
    today = int(datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d")) * 100
    return max(old, today) + 1


def write(path: pathlib.Path, value: dict[str, Any]) -> None:
    """JSON as a person would lay it out. A manifest that changes gets a new version."""
    before = json.loads(path.read_text()) if path.exists() else None
    if value != before:
        value = {**value, "version": next_version((before or {}).get("version", 0))}
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_golden(name: str, content: bytes, folder: pathlib.Path) -> None:
    """The pinned answer of one model."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.golden.json").write_text(json.dumps(golden(content)) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    parser.add_argument("--threshold", nargs=2, metavar=("MODEL", "NAME=VALUE"))
    parser.add_argument("--data-set", help="what the threshold was calibrated on")
    parser.add_argument("--budget", help="the error that the threshold accepts")
    parser.add_argument("--provenance", nargs=2, metavar=("MODEL", "WHAT"), help="what a model was made from: " + " or ".join(PROVENANCES))
    options = parser.parse_args()

    target = MODELS / "manifest.json"
    before = json.loads(target.read_text()) if target.exists() else {"models": []}
    thresholds = {m["name"]: m["thresholds"] for m in before["models"]}
    if options.threshold:
        if not (options.data_set and options.budget):
            parser.error("a threshold needs --data-set and --budget")
        model, (name, value) = options.threshold[0], options.threshold[1].split("=")
        thresholds.setdefault(model, {})[name] = {
            "value": float(value),
            "data_set": options.data_set,
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
            "budget": options.budget,
        }
    provenances = {m["name"]: m["provenance"] for m in before["models"] if "provenance" in m}
    if options.provenance:
        model, what = options.provenance
        if what not in PROVENANCES:
            parser.error(f"provenance is one of {', '.join(PROVENANCES)}")
        provenances[model] = what
    models = contents()
    described = [describe(name, path, content, thresholds.get(name, {}), provenances.get(name)) for name, (path, content) in models.items()]
    after = {"version": before.get("version", 0), "models": described}
    if options.check:
        sys.exit(0 if after == before else "manifest: models/manifest.json is stale: run python -m bawab_training.export.manifest")
    write(target, after)
    for entry in described:
        name, content = entry["name"], models[entry["name"]][1]
        write_golden(name, content, GOLDEN)
        print(f"{name}: {entry['macs'] / 1e6:.1f} MMAC, {len(content)} bytes")


if __name__ == "__main__":
    main()
