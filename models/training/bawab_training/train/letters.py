"""Which letters follow which in Arabic words: the table behind inference/text/letters.go.

    python -m bawab_training.train.letters --out ../../inference/text/letters.bin.gz

Counts the letters of the words of wordfreq (pip, see requirements.txt; its data are under CC BY-SA 4.0), each as often as
people write it, and smooths as Witten and Bell did: what followed the last four letters, and as far as that is open, what
followed the last three, and so on. What shorter beginnings say just as well is left out.

The file is compressed by gzip. It begins with the number of entries (4 bytes, little endian). Then come all keys, ascending,
each as the difference from the one before (7 bits a byte, the highest bit says that more follow); then a byte for each entry,
-16 times the natural logarithm of the probability; and one more, 128 + 16 times that of what counts for the shorter beginning
where the longer one with a letter is not listed. A key holds up to five letters, the last one lowest, six bits each: 1 for ء
and on to 42 for ي, 62 for the end of a word and 63 for its beginning.
"""

import argparse
import collections
import gzip
import math
import pathlib
import struct

FIRST, LAST = "ء", "ي"
END, BEGIN = 62, 63
SIGNS = 40  # letters and the end of a word, where nothing is known
STEP = 16.0  # of a natural logarithm

Key = tuple[int, ...]


def words() -> dict[str, float]:
    """Arabic words and how often each is written among a hundred million."""
    from wordfreq import get_frequency_dict

    return {word: 1e8 * share for word, share in get_frequency_dict("ar", "large").items() if all(FIRST <= sign <= LAST and sign != "ـ" for sign in word)}


def counted(often: dict[str, float], order: int) -> dict[Key, dict[int, float]]:
    """How often each letter followed up to order - 1 others."""
    seen: dict[Key, dict[int, float]] = collections.defaultdict(lambda: collections.defaultdict(float))
    for word, count in often.items():
        signs = [BEGIN, *(ord(sign) - ord(FIRST) + 1 for sign in word), END]
        for at in range(1, len(signs)):
            for reach in range(min(at, order - 1) + 1):
                seen[tuple(signs[at - reach : at])][signs[at]] += count
    return seen


def smoothed(seen: dict[Key, dict[int, float]]) -> dict[Key, dict[int, float]]:
    """The probability of each letter that followed others."""
    out: dict[Key, dict[int, float]] = {}
    for past in sorted(seen, key=len):
        counts = seen[past]
        total, different = sum(counts.values()), len(counts)
        shorter = out.get(past[1:], {}) if past else {}
        out[past] = {sign: (count + different * shorter.get(sign, 1 / SIGNS)) / (total + different) for sign, count in counts.items()}
    return out


class Table:
    """Probabilities of letters after others, those left out that shorter beginnings tell."""

    def __init__(self) -> None:
        self.kept: dict[Key, float] = {}
        self.open: dict[Key, float] = {}

    def probability(self, past: Key, sign: int) -> float:
        """The probability of a letter after others, as the reader of the file has it."""
        share = 1.0
        while past + (sign,) not in self.kept:
            if not past:
                return share / SIGNS
            share *= self.open.get(past, 1.0)
            past = past[1:]
        return share * self.kept[past + (sign,)]


def pruned(seen: dict[Key, dict[int, float]], least: float) -> Table:
    """The table without what changes less than so many nats over all words, each as often as it is written."""
    shares, table = smoothed(seen), Table()
    for past in sorted(seen, key=lambda past: (len(past), past)):
        for sign, share in shares[past].items():
            if not past or seen[past][sign] * abs(math.log(share / table.probability(past[1:], sign))) > least:
                table.kept[past + (sign,)] = share
        if past:
            listed = [sign for sign in shares[past] if past + (sign,) in table.kept]
            rest = 1 - sum(shares[past][sign] for sign in listed)
            shorter = 1 - sum(table.probability(past[1:], sign) for sign in listed)
            if listed:
                table.open[past] = max(rest, 1e-3) / max(shorter, 1e-3)
    return table


def packed(table: Table) -> bytes:
    """The file."""
    entries: dict[int, list[int]] = {}
    number = lambda key: sum(sign << 6 * place for place, sign in enumerate(reversed(key)))
    for key, share in table.kept.items():
        entries.setdefault(number(key), [255, 128])[0] = min(255, round(-STEP * math.log(share)))
    for key, share in table.open.items():
        entries.setdefault(number(key), [255, 128])[1] = max(0, min(255, 128 + round(STEP * math.log(share))))
    steps, before = bytearray(), 0
    for key_number in sorted(entries):
        rest, before = key_number - before, key_number
        while rest > 127:
            steps.append(rest & 127 | 128)
            rest >>= 7
        steps.append(rest)
    values = bytes(entries[key_number][column] for column in range(2) for key_number in sorted(entries))
    return gzip.compress(struct.pack("<I", len(entries)) + bytes(steps) + values, 9, mtime=0)


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--order", type=int, default=5)
    parser.add_argument("--least", type=float, default=100.0)
    args = parser.parse_args()
    table = pruned(counted(words(), args.order), args.least)
    content = packed(table)
    args.out.write_bytes(content)
    print(f"{len(table.kept)} entries, {len(content)} bytes")


if __name__ == "__main__":
    main()
