"""Filling a hub of made-up passages as its owner does who restores one: rows by COPY, the index of vectors afterwards."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from uuid import UUID

from autology.hub.link import Link, Links
from autology.hub.writing import BODY, Postings, Text, counts, places, vector
from autology.model.entry import NODE
from bench.passages import Maker

CHUNK = 25_000
"""Sources taken in at once; each has two passages."""
DAY = "2026-03-01T00:00:00Z"
LONG = 3_600.0
_SOURCE = "space, number, id, kind, type, title, title_key, status, confidence, created, modified, path, size, mtime_ns"
_TEXT = "space, number, source, field, kind, start, stop, length, words, says, vector, counts"
_POSTING = "space, field, kind, branch, term, level, batch, many, places"


def fill(links: Links, space: UUID, passages: int, maker: Maker) -> float:
    """Take so many *passages* into an empty space; return the seconds that the hub took, what was made up not counted."""
    took = 0.0
    number = batch = 0
    sources = passages // 2
    for at in range(0, sources, CHUNK):
        batch += 1
        rows, number = _made(str(space), number, min(CHUNK, sources - at), batch, maker)

        def write(link: Link, rows: dict[str, list[str]] = rows) -> None:
            for table, columns in (("source", _SOURCE), ("text", _TEXT), ("posting", _POSTING)):
                link.copy(f"COPY autology.{table}({columns}) FROM STDIN", iter(rows[table]))

        began = time.perf_counter()
        links.write(write, LONG)
        took += time.perf_counter() - began
        print(f"    {(at + len(rows['source'])) * 2:,} passages", flush=True)
    _counted(links, str(space), number, batch)
    return took


def copied(links: Links, of: UUID, space: UUID, chunks: Sequence[int]) -> None:
    """Take into another space what some chunks of one hold: a hub's spaces know nothing of each other."""
    a_chunk = CHUNK * 4
    lies = f"number > {(min(chunks) - 1) * a_chunk} AND number <= {max(chunks) * a_chunk}"
    tables = {"source": (_SOURCE, lies), "text": (_TEXT, lies), "posting": (_POSTING, f"batch BETWEEN {min(chunks)} AND {max(chunks)}")}
    for table, (columns, which) in tables.items():
        rest = columns.removeprefix("space, ")
        ask = f"INSERT INTO autology.{table}(space, {rest}) SELECT $1::uuid, {rest} FROM autology.{table} WHERE space = $2 AND {which}"
        links.write(lambda link, ask=ask: link.run(ask, str(space), str(of)), LONG)  # type: ignore[misc]
    _counted(links, str(space), max(chunks) * a_chunk, max(chunks))


def _counted(links: Links, space: str, number: int, batches: int) -> None:
    ask = "UPDATE autology.space SET counter = $2, levels = ARRAY[0, 0, $3::integer, 0] WHERE space = $1"
    links.write(lambda link: link.run(ask, space, number, batches))


def _made(space: str, number: int, sources: int, batch: int, maker: Maker) -> tuple[dict[str, list[str]], int]:
    rows: dict[str, list[str]] = defaultdict(list)
    posted: Postings = defaultdict(list)
    for _ in range(sources):
        one, words = maker.passage()
        two, _ = maker.passage()
        head, title = maker.title(words)
        own = number = number + 1
        title = _escaped(title)
        rows["source"].append(
            f"{space}\t{own}\tn{own}\tnode\tconcept\t{title}\t{title}\tactive\t0.8\t{DAY}\t{DAY}\tn/{own}.md\t1\t1\n"
        )
        for text in (head, one, two):
            number += 1
            rows["text"].append(_text(space, number, own, text))
            for word, place in places(text, number):
                posted[text.field, NODE, "", word].append(place)
    rows["posting"] = [
        f"{space}\t{name}\t{kind}\t\t{_escaped(word)}\t2\t{batch}\t{len(some)}\t{{{','.join(map(str, sorted(some, reverse=True)))}}}\n"
        for (name, kind, _, word), some in posted.items()
    ]
    return rows, number


def _text(space: str, number: int, own: int, text: Text) -> str:
    place = "\\N\t\\N" if text.field != BODY else f"{text.place[0]}\t{text.place[1]}"
    near = vector(text.vector) if text.vector else "\\N"
    says = _escaped(text.says) if text.says else "\\N"
    words = text.words.hex()
    return (
        f"{space}\t{number}\t{own}\t{text.field}\tnode\t{place}\t{text.length}\t\\\\x{words}\t{says}\t{near}\t{counts(text.times)}\n"
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\")


