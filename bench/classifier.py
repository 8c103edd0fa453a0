"""Accuracy of the guessed note type on labelled records: by structure, and by the 42 keywords alone.

Those of tests/labelled/records.jsonl were written and labelled before the classifier was run on them. The labels in
trials/types.tsv name records that real projects filed: files below bench/corpora (bench/material.py), and a heading
where the record is a part of one; the type is where and how its project files it. Files were cut into halves by a hash
of their path before anything was tuned: `seen` was tuned on, `unseen` was not looked into. The title of a record is its
first heading.

    build.py bench classifier [--errors seen]
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.nodes.classification import Classification  # noqa: E402
from autology.core.nodes.classify import classify  # noqa: E402
from autology.core.nodes.type_keywords import by_keywords  # noqa: E402
from autology.text.notes import frontmatter  # noqa: E402
from bench.material import corpora  # noqa: E402

OWN = ROOT / "tests" / "labelled" / "records.jsonl"
LABELS = ROOT / "trials" / "types.tsv"
LEAST_RECORDS, LEAST_ACCURACY, LEAST_LEAD = 300, 0.85, 0.25
"""What has to be reached, on the unseen half."""
Classify = Callable[[str, str], Classification]
_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Record:
    """A labelled record."""

    half: str
    type: str
    path: str
    heading: str
    title: str
    content: str


def own_records() -> list[Record]:
    """Return the labelled records that are part of this repository."""
    rows = [json.loads(line) for line in OWN.read_text(encoding="utf-8").splitlines()]
    return [Record("own", row["type"], OWN.name, "", row["title"], row["content"]) for row in rows]


def filed_records(folder: Path) -> list[Record]:
    """Return the labelled records that real projects filed, from the collections in *folder*.

    Raises:
        FileNotFoundError: a file is missing.
    """
    rows = [line.split("\t") for line in LABELS.read_text(encoding="utf-8").splitlines()[1:]]
    return [Record(half, type, path, heading, *_taken(folder / path, heading)) for half, type, path, heading in rows]


def _taken(file: Path, heading: str) -> tuple[str, str]:
    text = file.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
    parts = frontmatter.split(text)
    body = parts.body if parts else text
    headings = list(_HEADING.finditer(body))
    if not heading:
        first = headings[0] if headings else None
        return (first[2].strip(), body[first.end() :]) if first else (file.stem, body)
    (found,) = [each for each in headings if each[2].strip() == heading and len(each[1]) > 1]
    behind = (each.start() for each in headings if each.start() > found.start() and len(each[1]) <= len(found[1]))
    return heading, body[found.end() : next(behind, len(body))]


def accuracy(some: Sequence[Record], by: Classify) -> float:
    """Return the share of *some* whose type is guessed right."""
    return sum(by(record.title, record.content).type == record.type for record in some) / len(some)


def main() -> int:
    """Print the figures; 1 if one misses what has to be reached."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--errors", choices=["seen"], help="list what was guessed wrong, of the half to tune on")
    options = parser.parse_args()
    try:
        every = filed_records(corpora())
    except FileNotFoundError as error:
        print(f"{error.filename} is missing: the labels need the whole of bench/corpora", file=sys.stderr)
        return 1
    reached = {}
    for half, some in (
        ("own", own_records()),
        *((half, [record for record in every if record.half == half]) for half in ("seen", "unseen")),
    ):
        form, words = accuracy(some, classify), accuracy(some, by_keywords)
        untitled = accuracy(some, lambda _, content: classify("", content))
        reached[half] = (form, form - words)
        print(f"{half:<7} {len(some)} records: {form:.3f} by form, {words:.3f} by words alone, {untitled:.3f} untitled")
        _by_type(some)
    if options.errors:
        _errors([record for record in every if record.half == options.errors])
    form, lead = reached["unseen"]
    met = len(every) >= LEAST_RECORDS and form >= LEAST_ACCURACY and lead >= LEAST_LEAD
    print(f"{'met' if met else 'MISSED'}: {len(every)} records, {form:.3f} unseen, {lead * 100:+.1f} points")
    return 0 if met else 1


def _by_type(some: Sequence[Record]) -> None:
    guessed = Counter((record.type, classify(record.title, record.content).type.value) for record in some)
    sure = [r for r in some if classify(r.title, r.content).confident]
    for type in sorted({record.type for record in some}):
        count = sum(n for (true, _), n in guessed.items() if true == type)
        others = ", ".join(f"{n} {g}" for (true, g), n in guessed.most_common() if true == type and g != type)
        print(f"  {type:<11} {guessed[type, type]:3} of {count:3}{f'   else {others}' if others else ''}")
    print(f"  confident of {len(sure)}, and right in {accuracy(sure, classify):.3f} of these")


def _errors(some: Sequence[Record]) -> None:
    for record in some:
        done = classify(record.title, record.content)
        if done.type != record.type:
            told = "; ".join(f"{g.type} {g.score} {list(g.words)}" for g in done.alternatives)
            print(f"{record.type}: {record.path} {record.heading} [{record.title}]\n    {told}")


if __name__ == "__main__":
    sys.exit(main())
