"""What the encoder and the scan cost, and what the scan misses: python speed.py TEXTS.jsonl QUERIES.jsonl...

TEXTS holds {"text"} a line, at least 100,000 of them; QUERIES the same (the labelled sets' queries.jsonl).
Times are of the processor, so that a busy machine says nearly the same. Standard library alone.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))

MANY = 100_000


def main(texts: Path, queries: list[Path]) -> None:
    before = _resident()
    begun = time.process_time()
    from autology.embedding.static import StaticEncoder
    from autology.ranking.quantized_vectors import rescore, scan, sign_code

    imported = time.process_time()
    encoder = StaticEncoder()
    print(f"import {(imported - begun) * 1e3:.1f} ms, load {(time.process_time() - imported) * 1e3:.1f} ms")
    asked = [text for path in queries for text in random.Random(1).sample(_texts(path), 40)]
    spent = _median([_timed(lambda t=text: encoder.encode([t])) for text in asked])
    print(f"query {spent:.3f} ms; resident memory +{_resident() - before:.1f} MB")

    every = _texts(texts)[:MANY]
    words = " ".join(every).split()
    passages = [" ".join(words[at : at + 200]) for at in range(0, 200 * 2000, 200)]
    spent = _timed(lambda: encoder.encode(passages))
    print(f"{len(passages) / spent * 1e3:.0f} passages of 200 words a second, first time")
    spent = _timed(lambda: encoder.encode(passages))
    print(f"{len(passages) / spent * 1e3:.0f} the second time")

    rows = encoder.encode(every)
    codes = [int.from_bytes(sign_code(row), "big") for row in rows]
    asked_rows = encoder.encode(asked)
    exact = [_best(range(len(rows)), rescore(row, rows), 100) for row in asked_rows]
    for survivors in (200, 400, 1000, 2000):
        scans, scores, at_10, at_100 = [], [], 0, 0
        for row, (ten, hundred) in zip(asked_rows, ((one[:10], one) for one in exact), strict=True):
            begun = time.process_time()
            kept = scan(row, codes, survivors)
            middle = time.process_time()
            found = _best(kept, rescore(row, [rows[at] for at in kept]), 100)
            scans.append((middle - begun) * 1e3)
            scores.append((time.process_time() - middle) * 1e3)
            at_10 += len(set(ten) & set(found[:10]))
            at_100 += len(set(hundred) & set(found))
        print(
            f"{len(rows)} rows, {survivors} survivors: recall@10 {at_10 / 10 / len(exact):.4f}, "
            f"recall@100 {at_100 / 100 / len(exact):.4f}, scan {_median(scans):.1f} ms, exact {_median(scores):.1f} ms"
        )


def _best(positions: range | list[int], scores: list[int], count: int) -> list[int]:
    return [at for _, at in sorted(zip(scores, positions, strict=True), key=lambda pair: (-pair[0], pair[1]))[:count]]


def _texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line)["text"] for line in lines]


def _timed(call) -> float:
    begun = time.process_time()
    call()
    return (time.process_time() - begun) * 1e3


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _resident() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
