"""Which texts share their wording with the labelled sets, so that training leaves them out.

    python overlap.py SHARED_BENCH/data TAUGHT_DIR

Writes TAUGHT_DIR/overlap.json: the positions of texts of which a tenth of the runs of twelve words
also stand in a document of a set.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

RUN = 12
SHARE = 0.1
_words = re.compile(r"[a-z0-9]+").findall


def main(sets: Path, taught: Path) -> None:
    held = {
        run
        for corpus in sorted(sets.glob("*/corpus.jsonl"))
        for line in corpus.open(encoding="utf-8")
        for run in _runs(json.loads(line)["text"])
    }
    found, at = [], -1
    for shard in sorted(taught.glob("shard-*.jsonl")):
        for line in shard.open(encoding="utf-8"):
            at += 1
            runs = list(_runs(json.loads(line)["text"]))
            if runs and sum(run in held for run in runs) > SHARE * len(runs):
                found.append(at)
    (taught / "overlap.json").write_text(json.dumps(found), encoding="utf-8")
    print(len(found), "of", at + 1, "texts left out")


def _runs(text: str) -> Iterator[int]:
    words = _words(text.lower())
    return (hash(tuple(words[at : at + RUN])) for at in range(len(words) - RUN + 1))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
