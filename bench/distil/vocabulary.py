"""The words of the table: the model's own that are plain Latin, and whole words it only knows in pieces.

python vocabulary.py VOCAB.txt CORPUS.jsonl OUT.txt ROWS
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "server"))
from autology.embedding.wordpiece import HUMP, words

SOURCES = 3  # projects that must use a word, so that none brings its private names


def main(vocabulary: Path, corpus: Path, out: Path, rows: int) -> None:
    known = [piece for piece in vocabulary.read_text(encoding="utf-8").split("\n") if _plain(piece)]
    have = set(known)
    seen: Counter[str] = Counter()
    sources: dict[str, set[str]] = defaultdict(set)
    for line in corpus.open(encoding="utf-8"):
        item = json.loads(line)
        for candidate in {part.lower() for word in words(item["text"]) for part in (word, *HUMP.split(word))}:
            if candidate not in have and candidate.isascii() and candidate.isalpha() and 3 <= len(candidate) <= 24:
                seen[candidate] += 1
                sources[candidate].add(item["source"])
    more = [word for word, _ in seen.most_common() if len(sources[word]) >= SOURCES][: rows - len(known)]
    out.write_text("\n".join([*known, *more]), encoding="utf-8", newline="\n")
    print(len(known), "of the model,", len(more), "more, from", more[:12], "to", more[-12:], seen[more[-1]])


def _plain(piece: str) -> bool:
    core = piece.removeprefix("##")
    return core.isascii() and core.isalnum()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]), int(sys.argv[4]))
