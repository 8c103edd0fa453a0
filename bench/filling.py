"""Fills a hub with generated passages as a restore would: rows by COPY, the vector index afterwards."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from uuid import UUID

from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.ingest import Postings
from autology.hub.postgres.prepare import BODY, IndexedText, postings_of, sparse_counts, vector_literal
from autology.model.entry import NODE
from bench.passages import Maker

CHUNK = 25_000
"""Sources taken in at once; each has two passages."""
NUMBERS = 4
"""Rows that are numbered for a source: its own, its title's, its passages'."""
DAY = "2026-03-01T00:00:00Z"
LONG = 7_200.0
_COLUMNS = {
    "source": "space, number, id, kind, type, title, title_key, status, confidence, created, modified, path, size"
    ", mtime_ns",
    "text": "space, number, source, field, kind, start, stop, length, words, says, counts",
    "near": "space, text, source, kind, start, stop, vector",
    "posting": "space, field, kind, branch, term, level, batch, many, places",
}


def fill(pool: ConnectionPool, space: UUID, passages: int, maker: Maker) -> float:
    """Take so many *passages* into an empty space; return the seconds that took, making them up not counted."""
    took = 0.0
    number = batch = 0
    sources = passages // 2
    for at in range(0, sources, CHUNK):
        batch += 1
        rows, number = _made(str(space), number, min(CHUNK, sources - at), batch, maker)

        def copy(connection: Connection, rows: dict[str, list[str]] = rows) -> None:
            for table, columns in _COLUMNS.items():
                connection.copy(f"COPY autology.{table}({columns}) FROM STDIN", iter(rows[table]))

        took += _timed(pool, copy)
    return took + _timed(pool, lambda connection: _counted(connection, str(space), number, batch))


def more(pool: ConnectionPool, of: UUID, space: UUID, at: int) -> float:
    """Take a chunk of one space into another as its chunk *at*: the same words, and vectors moved towards others'.

    No two chunks are moved alike, for of equals it is chance which are the nearest. Making up a million passages one by
    one takes longer than all that is measured with them.
    """
    last, add = CHUNK * NUMBERS, at * CHUNK * NUMBERS
    ours = f"space = '{of}' AND"
    other = f"coalesce(lag(vector, {7 + 12 * at}) OVER by_text, lead(vector, {7 + 12 * at}) OVER by_text)"
    toward = f"{other} * array_fill(0.6::real, ARRAY[vector_dims(vector)])::halfvec"
    near = f"l2_normalize(vector + {toward}) * array_fill(400::real, ARRAY[vector_dims(vector)])::halfvec"
    shifted = {
        "source": ("number", {"id": f"'n' || number + {add}", "path": f"'n/' || number + {add} || '.md'"}),
        "text": ("number", {"source": f"source + {add}"}),
        "near": ("text", {"source": f"source + {add}", "vector": near}),
        "posting": ("batch", {"batch": f"{at + 1}", "places": f"ARRAY(SELECT p + {add} FROM unnest(places) p)"}),
    }
    asks = []
    for table, columns in _COLUMNS.items():
        key, others = shifted[table]
        told = {"space": f"'{space}'", key: f"{key} + {add}"} | others
        few = "batch = 1" if table == "posting" else f"{key} <= {last}"
        listed = ", ".join(told.get(name, name) for name in columns.split(", "))
        window = " WINDOW by_text AS (ORDER BY text)" if table == "near" else ""
        asked = f"SELECT {listed} FROM autology.{table} WHERE {ours} {few}{window}"
        asks.append(f"INSERT INTO autology.{table}({columns}) {asked}")

    def copy(connection: Connection) -> None:
        for ask in asks:
            connection.run(ask)
        _counted(connection, str(space), last + add, at + 1)

    return _timed(pool, copy)


def _timed(pool: ConnectionPool, write: Callable[[Connection], None]) -> float:
    began = time.perf_counter()
    pool.write(write, LONG)
    return time.perf_counter() - began


def _counted(connection: Connection, space: str, number: int, batches: int) -> None:
    ask = "UPDATE autology.space SET counter = $2, levels = ARRAY[0, 0, $3::integer, 0] WHERE space = $1"
    connection.run(ask, space, number, batches)


def _made(space: str, number: int, sources: int, batch: int, maker: Maker) -> tuple[dict[str, list[str]], int]:
    rows: dict[str, list[str]] = defaultdict(list)
    posted: Postings = defaultdict(list)
    for _ in range(sources):
        one, words = maker.passage()
        two, _ = maker.passage()
        head, title = maker.title(words)
        own = number = number + 1
        about = (space, own, f"n{own}", NODE, "concept", title, title, "active", 0.8, DAY, DAY, f"n/{own}.md", 1, 1)
        rows["source"].append(_line(*about))
        for text in (head, one, two):
            number += 1
            _add(rows, space, number, own, text)
            for word, place in postings_of(text, number):
                posted[text.field, NODE, "", word].append(place)
    for (name, kind, branch, word), some in posted.items():
        listed = ",".join(map(str, sorted(some, reverse=True)))
        rows["posting"].append(_line(space, name, kind, branch, word, 2, batch, len(some), f"{{{listed}}}"))
    return rows, number


def _add(rows: dict[str, list[str]], space: str, number: int, own: int, text: IndexedText) -> None:
    start, stop, _ = text.place
    told = (text.length, f"\\x{text.words.hex()}", text.says, sparse_counts(text.counts))
    rows["text"].append(_line(space, number, own, text.field, NODE, start, stop, *told))
    if text.field == BODY:
        rows["near"].append(_line(space, number, own, NODE, start, stop, vector_literal(text.vector)))


def _line(*values: object) -> str:
    told = ("\\N" if value is None else str(value).replace("\\", "\\\\") for value in values)
    return "\t".join(told) + "\n"
