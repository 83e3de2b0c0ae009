"""Figures of the network that tells presentation attacks: errors of each kind, by picture and by burst, at a threshold.

    python -m bawab_training.liveness_report --tflite FILE|--run DIR --sources FILE --validation POOL --unseen DIR [--threshold P] [--sheet PNG]

Validation decides about thresholds, the test persons and the unseen simulators about nothing. A burst's score is the logistic of the mean of its
three log-odds, as in the service. APCER is the share of attacks below the threshold, BPCER that of living persons from it on, with Wilson's
intervals of 95 %.
"""

import argparse
import json
import os

import cv2
import numpy as np

from . import liveness, liveness_bursts, liveness_pool, liveness_scenes as scenes, liveness_sources

MARGIN = (scenes.STORED - scenes.SIDE) // 2


def reader(tflite, run):
    """A function from stored pictures (N x STORED x STORED x 3) to log-odds of an attack."""
    if tflite:
        from . import convert

        network = convert.Int8(tflite)
        odds = lambda picture: float(network(np.ascontiguousarray(picture))[0] @ [-1, 1])
    else:
        network = liveness.load(run)
        odds = lambda picture: float(network(liveness.training.inputs(picture[None])).detach()[0] @ liveness.torch.tensor([-1.0, 1.0]))
    return lambda pictures: np.array([odds(p[MARGIN:-MARGIN, MARGIN:-MARGIN]) for p in pictures])


def wilson(wrong, count, z=1.96):
    """Interval of 95 % of a share."""
    if count == 0:
        return 0.0, 1.0
    share, extra = wrong / count, z * z / count
    middle, half = share + extra / 2, z * np.sqrt(share * (1 - share) / count + extra / count / 4)
    return max(0.0, (middle - half) / (1 + extra)), min(1.0, (middle + half) / (1 + extra))


def persons(sources, chosen):
    """The stored pictures of NUAA's persons by path."""
    rows = np.flatnonzero(np.isin(sources.person, chosen))
    return dict(zip(sources.path[rows], liveness_pool.booth(sources, rows)))


def booth_odds(read, sources, chosen):
    """Of NUAA's persons: {name: log-odds} of single pictures and of bursts, log-odds by path, pictures by path."""
    planes = persons(sources, chosen)
    odds = dict(zip(planes, read(planes.values())))
    out = {}
    for path, value in odds.items():
        recording, _ = liveness_sources.number(path)
        name = f"{liveness_sources.kind_of(path)} session {recording[3]}"
        out.setdefault(f"frames {name}", []).append(value)
    for folder in sorted({os.path.dirname(path) for path in odds}):
        for slow, paths in liveness_bursts.bursts(folder):
            if all(path in odds for path in paths):
                kind = liveness_sources.kind_of(paths[0])
                out.setdefault(f"bursts {kind}" + (" slow" if slow else ""), []).append(float(np.mean([odds[path] for path in paths])))
    return out, odds, planes


def drawn_odds(read, folder):
    """{kind: log-odds} of a pool of drawn pictures."""
    pool, kinds, out = liveness_pool.Pool(folder, None, real=False), list(scenes.KINDS), {}
    for part, planes in zip(pool.kinds, pool.planes):
        for kind, value in zip(part, read(planes)):
            out.setdefault(kinds[kind], []).append(value)
    return out


def unseen_odds(read, folder):
    """{kind: log-odds} of the frames of liveness_unseen, and their planes."""
    out, pictures = {}, []
    with open(os.path.join(folder, "truth.jsonl"), encoding="utf-8") as lines:
        for line in lines:
            truth = json.loads(line)
            image = np.ascontiguousarray(cv2.imread(os.path.join(folder, truth["file"]))[..., ::-1])
            planes = liveness_pool.cropped(image, np.array(truth["middle"]), truth["size"])
            value = read([planes])[0]
            out.setdefault(truth["kind"], []).append(value)
            pictures.append((truth["kind"], value, planes))
    return out, pictures


def table(odds, threshold):
    """Print one line for each kind."""
    level = np.log(threshold / (1 - threshold))
    for name, values in sorted(odds.items()):
        values, living = np.array(values), "live" in name
        wrong = int((values >= level).sum() if living else (values < level).sum())
        low, high = wilson(wrong, len(values))
        middle = np.percentile(values, (1, 5, 50, 95, 99))
        print(f"  {name:28s} {'BPCER' if living else 'APCER'} {100 * wrong / len(values):6.2f} % ({wrong} of {len(values)}; {100 * low:.1f} to {100 * high:.1f})  log-odds 1, 5, 50, 95, 99 %: {np.round(middle, 1)}")


def sheet(path, worst):
    """Write the pictures of the worst errors: rows of 12."""
    tiles = [cv2.cvtColor(np.ascontiguousarray(planes[..., [0, 2, 1]]), cv2.COLOR_YCrCb2BGR) for _, planes in worst]
    for tile, (text, _) in zip(tiles, worst):
        cv2.putText(tile, text, (2, 12), cv2.FONT_HERSHEY_PLAIN, 0.8, (0, 255, 255), 1)
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 12)
    cv2.imwrite(path, np.vstack([np.hstack(tiles[i : i + 12]) for i in range(0, len(tiles), 12)]))


def main():
    """Parse the command line and print the figures."""
    parser = argparse.ArgumentParser(prog="bawab_training.liveness_report")
    parser.add_argument("--tflite")
    parser.add_argument("--run")
    parser.add_argument("--sources", required=True)
    parser.add_argument("--validation", help="pool of drawn pictures for validation")
    parser.add_argument("--unseen", help="folder of liveness_unseen")
    parser.add_argument("--threshold", type=float, default=0.5)
    parser.add_argument("--sheet", help="picture of the worst errors to write")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    read, sources, worst = reader(args.tflite, args.run), liveness_sources.Sources(args.sources), []

    def note(kind, value, planes):
        worst.append(((value if "live" in kind else -value), f"{kind[:9]} {value:.1f}", planes))

    for title, chosen in (("validation persons", liveness_sources.VALIDATION), ("test persons", liveness_sources.TEST)):
        print(title)
        out, odds, planes = booth_odds(read, sources, chosen)
        table(out, args.threshold)
        for path in odds:
            note(liveness_sources.kind_of(path), odds[path], planes[path])
    if args.validation:
        print("drawn, validation")
        table(drawn_odds(read, args.validation), args.threshold)
    if args.unseen:
        print("unseen simulators")
        out, pictures = unseen_odds(read, args.unseen)
        table(out, args.threshold)
        for picture in pictures:
            note(*picture)
    if args.sheet:
        worst.sort(key=lambda row: -row[0])
        sheet(args.sheet, [row[1:] for row in worst[:60]])


if __name__ == "__main__":
    main()
