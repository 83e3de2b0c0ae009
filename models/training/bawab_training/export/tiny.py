"""A network of a few kB, by which the Go side tests its plumbing.

    python -m bawab_training.export.tiny

Writes inference/testdata/tiny.tflite with its contract (tiny.json) and its
pinned answer (tiny.golden.json). The weights are random numbers of a fixed
seed: it recognises nothing, but it has what the product's networks have, an
int8 picture in, convolutions with their own scale per channel, an int8 map out.
"""

import json

import keras
import numpy as np
import tensorflow as tf

from . import manifest


def build() -> keras.Model:
    """The network: 16 x 16 RGB in, a map of 8 x 8 x 4 out."""
    keras.utils.set_random_seed(3)
    picture = keras.Input((16, 16, 3), batch_size=1, name="picture")
    x = keras.layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")(picture)
    y = keras.layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    return keras.Model(picture, keras.layers.Conv2D(4, 1)(keras.layers.Add()([x, y])))


def convert(model: keras.Model) -> bytes:
    """Full int8, calibrated on noise."""
    noise = np.random.default_rng(5)
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([noise.random((1, 16, 16, 3), np.float32)] for _ in range(64))
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def main() -> None:
    manifest.GOLDEN.mkdir(parents=True, exist_ok=True)
    target = manifest.GOLDEN / "tiny.tflite"
    target.write_bytes(convert(build()))
    (target.parent / "tiny.json").write_text(json.dumps(manifest.describe(target.stem, target, target.read_bytes(), {}, None), indent=2) + "\n")
    manifest.write_golden(target.stem, target.read_bytes(), target.parent)


if __name__ == "__main__":
    main()
