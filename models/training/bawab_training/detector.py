"""The text-line and zone detector: network, training, figures, export.

    python -m bawab_training.detector train --pool POOL --out DIR --minutes M [--resume]
    python -m bawab_training.detector eval  --pool POOL [--weights FILE] [--tflite FILE [--photographs DIR]]
    python -m bawab_training.detector export --pool POOL --weights FILE --out lines.tflite

Input [1, 512, 512, 1] grey 0..1, output [1, 128, 128, 4]: text core, zone, cos and sin of the reading direction.
Training runs on Keras' torch backend, export on its TensorFlow backend (KERAS_BACKEND says which).
"""

import argparse
import json
import os
import time

import cv2
import keras
import numpy as np
from keras import layers

from . import scenes


def _conv(x, filters, kernel=3, stride=1, dilation=1):
    x = layers.Conv2D(filters, kernel, stride, "same", dilation_rate=dilation, use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.97, epsilon=1e-3)(x)
    return layers.ReLU(max_value=6)(x)


def _block(x, dilation=1):
    """Two convolutions around a shortcut."""
    y = _conv(x, x.shape[-1])
    y = layers.Conv2D(x.shape[-1], 3, 1, "same", dilation_rate=dilation, use_bias=False)(y)
    y = layers.BatchNormalization(momentum=0.97, epsilon=1e-3)(y)
    return layers.ReLU(max_value=6)(layers.Add()([x, y]))


def _up(x, skip, filters):
    x = layers.UpSampling2D(2, interpolation="bilinear")(_conv(x, filters, 1))
    return layers.Add()([x, _conv(skip, filters, 1)])


def build(batch=None):
    """The network, 0.53 GMAC and 0.58 M weights; batch 1 fixes the shape for export, None takes any multiple of 32."""
    image = keras.Input((scenes.SIDE, scenes.SIDE, 1) if batch else (None, None, 1), batch_size=batch)
    x = _conv(image, 8, stride=2)
    quarter = _conv(x, 24, stride=2)
    eighth = _block(_conv(quarter, 32, stride=2))
    sixteenth = _block(_block(_conv(eighth, 56, stride=2)))
    deep = _conv(sixteenth, 80, stride=2)
    for dilation in (1, 2, 4):
        deep = _block(deep, dilation)
    x = _conv(_up(deep, sixteenth, 40), 40)
    x = _conv(_up(x, eighth, 32), 32)
    x = _conv(_up(x, quarter, 24), 24)
    masks = layers.Conv2D(2, 1, activation="sigmoid", bias_initializer=keras.initializers.Constant(-2.5), name="masks")(x)
    direction = layers.Conv2D(2, 1, activation="tanh", name="direction")(x)
    return keras.Model(image, layers.Concatenate(name="maps")([masks, direction]))


def _torch_loss(output, target):
    """Mean loss of a batch [B, h, w, 4] against [B, h, w, 6]; returns (loss, parts)."""
    import torch

    core, zone, cosine, sine, sure, directed = target.unbind(-1)
    parts = []
    for index, (truth, weight, boost) in enumerate(((core, sure, 3.0), (zone, torch.ones_like(zone), 3.0))):
        guess = output[..., index].clamp(1e-4, 1 - 1e-4)
        entropy = -(truth * guess.log() * boost + (1 - truth) * (1 - guess).log()) * weight
        # Hard negatives: the worst twentieth of the background counts again.
        background = (entropy * (truth < 0.05)).flatten(1)
        hard = background.topk(background.shape[1] // 20, dim=1).values.mean()
        overlap = (truth * guess * weight).sum((1, 2))
        total = ((truth + guess) * weight).sum((1, 2))
        dice = (1 - (2 * overlap + 8) / (total + 8)).mean()
        parts += [entropy.mean() * 2 + hard * 0.5, dice * 0.5]
    error = (output[..., 2] - cosine) ** 2 + (output[..., 3] - sine) ** 2
    parts.append((error * directed).sum() / (directed.sum() + 1))
    return sum(parts), parts


class _Batches:
    """Endless batches for torch's loader: strips, or cuts of strips, which cost half and hold nearly all of the text."""

    def __init__(self, folder, batch, seed):
        self.folder, self.batch, self.seed = folder, batch, seed

    def __iter__(self):
        import torch

        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([self.seed, info.id if info else 0])
        pool = scenes.Pool(self.folder)
        while True:
            pairs, cut = [], rng.random() < 0.75
            while len(pairs) < self.batch:
                pair = scenes.strip(rng, pool)
                pairs += scenes.cuts(*pair, rng) if cut else [pair]
            images = np.stack([image for image, _ in pairs])[..., None].astype(np.float32) / 255
            yield images, np.stack([maps for _, maps in pairs])


def _loader(folder, batch, seed, workers):
    import torch

    class Stream(_Batches, torch.utils.data.IterableDataset):
        pass

    return torch.utils.data.DataLoader(Stream(folder, batch, seed), batch_size=None, num_workers=workers, prefetch_factor=4)


def _rate(spent, minutes, peak):
    """Learning rate after that share of the time: warm-up, plateau, cosine from 40 % on."""
    share = min(spent / (60 * minutes), 1.0)
    if spent < 60:
        return peak * max(spent / 60, 0.05)
    return peak if share < 0.4 else peak * (0.01 + 0.99 * 0.5 * (1 + np.cos(np.pi * (share - 0.4) / 0.6)))


def train(args):
    """Train for args.minutes of wall time, with a checkpoint every 150 seconds."""
    import torch

    torch.set_num_threads(args.threads)
    os.makedirs(args.out, exist_ok=True)
    model = build()
    state_path = os.path.join(args.out, "state.pt")
    optimiser = torch.optim.AdamW(list(model.parameters()), lr=args.rate, weight_decay=1e-4)
    seen, spent = 0, 0.0
    if args.resume and os.path.exists(state_path):
        state = torch.load(state_path, weights_only=False)
        model.set_weights(state["weights"])
        optimiser.load_state_dict(state["optimiser"])
        seen, spent = state["seen"], state["spent"]
    begin, saved, logged, totals = time.time() - spent, time.time(), time.time(), []
    for images, target in _loader(args.pool, args.batch, args.seed + seen, args.workers):
        spent = time.time() - begin
        if spent > args.minutes * 60:
            break
        for group in optimiser.param_groups:
            group["lr"] = _rate(spent, args.minutes, args.rate)
        loss, parts = _torch_loss(model(images, training=True), target)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        seen += len(images)
        totals.append([p.item() for p in parts])
        if time.time() - logged > 30:
            print(f"{spent:7.0f} s {seen:7d} pictures loss {np.sum(np.mean(totals, 0)):.4f}", np.round(np.mean(totals, 0), 4), flush=True)
            logged, totals = time.time(), []
        if time.time() - saved > 150:
            _save(model, optimiser, args.out, seen, spent)
            saved = time.time()
    _save(model, optimiser, args.out, seen, spent)


def _save(model, optimiser, folder, seen, spent):
    """Write the resumable state, then weights.npz, each replaced whole."""
    import torch

    weights = [np.asarray(w) for w in model.get_weights()]
    state = {"weights": weights, "optimiser": optimiser.state_dict(), "seen": seen, "spent": spent}
    torch.save(state, os.path.join(folder, "state.pt.part"))
    os.replace(os.path.join(folder, "state.pt.part"), os.path.join(folder, "state.pt"))
    np.savez(os.path.join(folder, "weights.part.npz"), *weights)
    os.replace(os.path.join(folder, "weights.part.npz"), os.path.join(folder, "weights.npz"))


def load(path, batch=None):
    """The network with the weights of a weights.npz."""
    model = build(batch)
    with np.load(path) as stored:
        model.set_weights([stored[f"arr_{i}"] for i in range(len(stored.files))])
    return model


def main():
    """Parse the command line and run one verb."""
    parser = argparse.ArgumentParser(prog="bawab_training.detector")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("train", "eval", "export"):
        sub = verbs.add_parser(verb)
        sub.add_argument("--pool", required=True)
        sub.add_argument("--out", default=".")
        sub.add_argument("--weights")
        sub.add_argument("--tflite")
        sub.add_argument("--photographs", help="eval: a folder of photographs with truth.jsonl instead of scenes")
        sub.add_argument("--minutes", type=float, default=90)
        sub.add_argument("--resume", action="store_true")
        sub.add_argument("--batch", type=int, default=12)
        sub.add_argument("--rate", type=float, default=2e-3)
        sub.add_argument("--threads", type=int, default=1)
        sub.add_argument("--workers", type=int, default=1)
        sub.add_argument("--seed", type=int, default=1)
        sub.add_argument("--count", type=int, default=200)
    args = parser.parse_args()
    if args.verb == "train":
        train(args)
        return
    from . import detector_report

    print(json.dumps(detector_report.run(args), indent=1))


if __name__ == "__main__":
    main()
