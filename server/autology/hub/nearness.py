"""What is near in meaning, in a hub: every vector of a small scope is compared, in a large one an index leads."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

from autology.core.ports import Encoder
from autology.hub.link import Link
from autology.hub.questions import condition, kinds_of, numbered, of_kinds, packed
from autology.hub.words import Scored, by_source
from autology.hub.writing import BODY, vector
from autology.model.hit import Place
from autology.model.query import Filter
from autology.ranking.codes import SCALE
from autology.ranking.feedback import moved

EXACTLY = 10_000
"""Passages in scope up to which every vector is compared, whatever else the hub holds: an index of vectors loses a
third of the nearest where a filter leaves few."""
EVEN = 4_000
"""Where comparing all of a scope takes as long as the index over every space: the square of the passages in scope over
all that there are. 40,000 of 950,000 take 28 ms of processor one by one, and 50 by the index."""
PASSAGES = 4
"""Passages looked at for each source that is wanted: several of one source may come first."""

LESS = 2
"""Of an index half as many are asked for: one that is asked for 400 takes twice as long, and names the same ten."""

KEPT_NEAR = 500
"""Passages that the index keeps in view while it looks: of 500,000 in a hub of 950,000 it finds 95.5 in 100 of the ten
nearest, in 16 ms of processor; 94.0 with 250 in 12, 97.8 with 1,000 in 32."""


def found(
    link: Link, space: str, encoder: Encoder, own: bytes, where: Filter, limit: int, like: Sequence[Place]
) -> list[tuple[str, Scored]]:
    """Return the sources nearest to *own*, a question, moved towards passages that are *like* what is asked for."""
    kinds = kinds_of(where)
    likely, by_index = _looked_up(link, space, like, kinds)
    asked = moved(own, likely, encoder.moves)
    rows = _near(link, space, own, asked, where, limit * PASSAGES, by_index)
    named = []
    for scored, (start, stop, nearness) in by_source((row[0], row[1], row[2:]) for row in rows)[:limit]:
        scored.passage, scored.cosine = (start, stop), nearness
        named.append(("meaning", scored))
    return named


def _looked_up(
    link: Link, space: str, like: Sequence[Place], kinds: list[str] | None
) -> tuple[list[tuple[float, bytes]], bool]:
    """Return how well each passage of *like* answers, with its vector, and whether an index is to lead."""
    size = (
        f"SELECT v.many, greatest(c.reltuples, v.many), set_config('hnsw.ef_search', '{KEPT_NEAR}', false)"
        " FROM autology.volume_of($1, $2) v, pg_class c WHERE c.oid = 'autology.near'::regclass"
    )
    some = [place.id for place in like], [place.passage[0] for place in like]
    vectors = [("SELECT autology.vectors($1, $2, $3)", (space, *some))] if like else []
    ((many, every, _),), *found = link.together((size, (BODY, kinds)), *vectors)
    likely = [(like[at - 1].score, _bytes(numbers)) for ((rows,),) in found for at, numbers in rows]
    return likely, bool(many > max(EXACTLY, math.sqrt(EVEN * every)))


def _near(
    link: Link, space: str, own: bytes, asked: bytes, where: Filter, limit: int, by_index: bool
) -> list[list[Any]]:
    """Return (cosine, source, start, stop, cosine with *own*) of the passages nearest to *asked*."""
    dims = len(asked)
    passes, values = ("true", []) if of_kinds(where) else condition(space, where)
    source = "" if of_kinds(where) else f" JOIN autology.source s ON s.number = n.source AND {passes}"
    kinds = kinds_of(where)
    only = " AND n.kind = ANY(?)" if kinds else ""
    far = f"n.vector::halfvec({dims}) <#> ?::halfvec({dims})"
    ask = f"FROM autology.near n{source} WHERE n.space = ?{only} AND vector_dims(n.vector) = {dims}"
    given = [*values, space, *([kinds] if kinds else [])]
    if by_index:
        limit //= LESS
        ask = f"SELECT {far} AS far, n.source, n.start, n.stop, {far} AS own {ask} ORDER BY {far} LIMIT ?"
        given = [vector(asked), vector(own), *given, vector(asked), limit]
    else:
        # Both products for every passage: taking all vectors along until they are sorted takes longer than the second.
        each = f"SELECT {far} AS far, n.source, n.start, n.stop, {far} AS own {ask} OFFSET 0"
        ask = f"SELECT * FROM ({each}) n ORDER BY n.far LIMIT ?"
        given = [vector(asked), vector(own), *given, limit]
    ((rows,),) = link.run(numbered(packed(ask, "y.far, y.source, y.start, y.stop, y.own")), *given)
    return [[-far / SCALE**2, *rest, -near / SCALE**2] for far, *rest, near in rows]


def row(text: str) -> bytes:
    """Return a vector as a row of signed bytes."""
    return _bytes(json.loads(text))


def _bytes(numbers: Sequence[float]) -> bytes:
    return bytes([int(each) & 0xFF for each in numbers])
