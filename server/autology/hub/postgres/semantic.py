"""Semantic retrieval: an exact scan of small scopes, the HNSW index for large ones."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from autology.core.index.retrieval import Encoder
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.filters import condition, kinds_of, numbered, only_kinds, packed
from autology.hub.postgres.lexical import ScoredSource, best_per_source
from autology.hub.postgres.prepare import BODY, vector_literal
from autology.model.hit import Place
from autology.model.query import Filter
from autology.ranking.quantized_vectors import SCALE
from autology.ranking.relevance_feedback import moved

EXACT = 10_000
"""Maximum passages in scope for an exact scan: with a selective filter, HNSW misses a third of the
nearest."""
BREAK_EVEN = 4_000
"""Where an exact scan costs as much as the index: the square of the passages in scope over all passages. 40,000 of
950,000 take 28 ms of CPU time exactly, and 50 by the index."""
PASSAGES = 4
"""Passages retrieved per requested source, because the best may belong to the same sources."""
INDEX_SHARE = 2
"""The index returns one INDEX_SHARE-th of these: a search for 400 takes twice as long and returns the same ten."""
EF_SEARCH = 500
"""The size of HNSW's candidate list: among 500,000 passages of 950,000, recall@10 is 0.955 in 16 ms of CPU time;
0.940 with 250 in 12 ms, 0.978 with 1,000 in 32 ms."""


def search(
    connection: Connection,
    space: str,
    encoder: Encoder,
    query: bytes,
    where: Filter,
    limit: int,
    like: Sequence[Place],
) -> list[ScoredSource]:
    """Return the sources nearest to the vector *query* after moving it towards the passages *like*, best first."""
    kinds = kinds_of(where)
    feedback, use_index = _feedback(connection, space, like, kinds)
    target = moved(query, feedback, encoder.moves)
    rows = _nearest(connection, space, query, target, where, limit * PASSAGES, use_index)
    sources = []
    for scored, (start, stop, similarity) in best_per_source((row[0], row[1], row[2:]) for row in rows)[:limit]:
        scored.passage, scored.query_score = (start, stop), similarity
        sources.append(scored)
    return sources


def _feedback(
    connection: Connection, space: str, like: Sequence[Place], kinds: list[str] | None
) -> tuple[list[tuple[float, bytes]], bool]:
    """Return the scores and vectors of the passages *like*, and whether to search with the index."""
    size = (
        f"SELECT v.many, greatest(c.reltuples, v.many), set_config('hnsw.ef_search', '{EF_SEARCH}', false)"
        " FROM autology.volume_of($1, $2) v, pg_class c WHERE c.oid = 'autology.near'::regclass"
    )
    passages = [place.id for place in like], [place.passage[0] for place in like]
    vectors = [("SELECT autology.vectors($1, $2, $3)", (space, *passages))] if like else []
    ((in_scope, total, _),), *results = connection.pipeline((size, (BODY, kinds)), *vectors)
    feedback = [(like[at - 1].score, _bytes(numbers)) for ((rows,),) in results for at, numbers in rows]
    return feedback, bool(in_scope > max(EXACT, math.sqrt(BREAK_EVEN * total)))


def _nearest(
    connection: Connection, space: str, query: bytes, target: bytes, where: Filter, limit: int, use_index: bool
) -> list[list[Any]]:
    """Return (cosine, source, start, stop, cosine with *query*) of the passages nearest to *target*."""
    dims = len(target)
    filtered, filter_values = ("true", ()) if only_kinds(where) else condition(space, where)
    join = "" if only_kinds(where) else f" JOIN autology.source s ON s.number = n.source AND {filtered}"
    kinds = kinds_of(where)
    of_kinds = " AND n.kind = ANY(?)" if kinds else ""
    distance = f"n.vector::halfvec({dims}) <#> ?::halfvec({dims})"
    columns = f"SELECT {distance} AS far, n.source, n.start, n.stop, {distance} AS own"
    rows = f"FROM autology.near n{join} WHERE n.space = ?{of_kinds} AND vector_dims(n.vector) = {dims}"
    vectors = [vector_literal(target), vector_literal(query)]
    values = [*vectors, *filter_values, space, *([kinds] if kinds else [])]
    if use_index:
        sql = f"{columns} {rows} ORDER BY {distance} LIMIT ?"
        values += [vectors[0], limit // INDEX_SHARE]
    else:
        # Both products for every passage: carrying the vectors through the sort takes longer than the second product.
        sql = f"SELECT * FROM ({columns} {rows} OFFSET 0) n ORDER BY n.far LIMIT ?"
        values += [limit]
    ((hits,),) = connection.run(numbered(packed(sql, "y.far, y.source, y.start, y.stop, y.own")), *values)
    return [[-far / SCALE**2, *rest, -own / SCALE**2] for far, *rest, own in hits]


def vector_row(text: str) -> bytes:
    """Return a vector in the server's text format as a row of signed bytes."""
    return _bytes(json.loads(text))


def _bytes(numbers: Sequence[float]) -> bytes:
    return bytes([int(number) & 0xFF for number in numbers])
