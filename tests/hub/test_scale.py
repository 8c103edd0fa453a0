"""A space that is large is searched by an index of vectors, and finds what comparing all of them would."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.hub.postgres import field_query, schema, semantic
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.index import PostgresIndex
from autology.model.entry import DOCUMENT, Entry
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.ranking.quantized_vectors import row
from autology.ranking.relevance_feedback import SHARE
from tests.hub import fixtures
from tests.hub.servers import Server

DIMS = 64


class Scattered:
    """An encoder whose vectors are told by the seed in a text, scattered around twenty middles."""

    name, share, moves = "scattered", 0.3, SHARE

    def encode(self, texts: list[str]) -> list[bytes]:
        return [self._row(int(text.split()[-1])) for text in texts]

    def _row(self, seed: int) -> bytes:
        middle, own = random.Random(seed % 20), random.Random(seed)
        return row([middle.gauss(0, 1) + own.gauss(0, 0.6) for _ in range(DIMS)])


def page(number: int) -> Put:
    day = "2026-03-01T00:00:00Z"
    kind = "rare" if number % 50 == 0 else "usual"
    entry = Entry(f"d{number}", DOCUMENT, kind, "", day, day)
    return Put(f"docs/{number}.md", Stamp(1, 1), entry, (Passage(0, 9, "", f"page {number}"),))


WHERE = {"all": Filter(kind=DOCUMENT), "one in fifty": Filter(kind=DOCUMENT, type="rare")}


@pytest.mark.parametrize("which", WHERE)
def test_the_vector_index_finds_the_nearest_passages(
    server: Server, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    made, pool = fixtures.an_index(server, Scattered())  # type: ignore[arg-type]
    schema.create_vector_index(pool, DIMS)
    made.apply([page(number) for number in range(1, 1_201)])
    exact = [nearest(made, question, WHERE[which]) for question in range(2_000, 2_020)]
    pool.close()
    pool._primary._options += " -c enable_sort=off -c enable_seqscan=off"  # as it is where there are many
    monkeypatch.setattr(semantic, "EXACT", 100)
    monkeypatch.setattr(semantic, "BREAK_EVEN", 1)
    received: list[tuple[str, tuple[object, ...]]] = []
    run = Connection.run
    monkeypatch.setattr(
        Connection,
        "run",
        lambda connection, sql, *values: received.append((sql, values)) or run(connection, sql, *values),
    )
    result = [nearest(made, question, WHERE[which]) for question in range(2_000, 2_020)]
    sql, values = next(each for each in received if "<#>" in each[0])
    plan = pool.read(lambda connection: run(connection, f"EXPLAIN {sql}", *values))
    pool.close()
    assert f"near_{DIMS}" in str(plan)
    assert {len(each) for each in exact} == {10}
    shared = sum(len(one & other) for one, other in zip(exact, result, strict=True))
    assert shared >= 190, f"{shared} of 200 nearest were found"


def nearest(made: PostgresIndex, question: int, where: Filter) -> set[str]:
    return {hit.source.id for hit in made.semantic_candidates(f"page {question}", where, 10)}


def test_no_word_or_name_is_too_long_for_what_holds_it_to_be_taken_in(server: Server) -> None:
    made, pool = fixtures.an_index(server)
    long = random.Random(1).randbytes(4_000).hex()
    whole = page(1)
    entry = replace(whole.entry, title=long, tags=(long,), aliases=(long, f"{long}2"), references=(f"{long}.py",))
    made.apply([replace(whole, entry=entry, passages=(Passage(0, 9, long, f"{long} quokka"),)), page(2)])
    (result,) = made.lexical_candidates(Terms((("quokka",),)), Filter(kind=DOCUMENT), False, 9)
    assert (result.source.id, result.source.title) == ("d1", long)
    assert len(made.listed(Filter(kind=DOCUMENT), -1, "")) == 2
    made.apply([Gone(whole.path)])
    assert len(made.listed(Filter(kind=DOCUMENT), -1, "")) == 1
    pool.close()


def test_lists_of_words_are_put_together_as_they_become_many(server: Server) -> None:
    made, pool = fixtures.an_index(server)
    space = made._space
    for number in range(1, 41):
        made.apply([page(number)])
    ask = "SELECT count(DISTINCT batch) FROM autology.posting WHERE space = $1"
    assert pool.query(ask, space)[0][0] <= 2 + 40 % 16
    assert len(made.listed(Filter(kind=DOCUMENT), -1, "")) == 40
    result = made.lexical_candidates(Terms((("page",),)), Filter(kind=DOCUMENT), False, 50)
    assert len({hit.source.id for hit in result}) == 40
    made.apply([Gone(page(number).path) for number in range(1, 31)])
    places = "SELECT sum(cardinality(places)) FROM autology.posting WHERE space = $1 AND term = 'page'"
    assert pool.query(places, space) == [[10]]  # nothing is left of what went
    pool.close()


def test_a_filtered_search_finds_sources_with_very_common_words(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, pool = fixtures.an_index(server)
    made.apply([page(number) for number in range(1, 301)])
    monkeypatch.setattr(field_query, "POSTINGS", 20)
    monkeypatch.setattr(field_query, "SCORED", 20)
    rare = {f"d{number}" for number in range(50, 301, 50)}
    for few in (10, 1):  # all that passes is scored, or what the best places lead to
        monkeypatch.setattr(field_query, "FEW", few)
        result = made.lexical_candidates(Terms((("page",),)), Filter(kind=DOCUMENT, type="rare"), False, 10)
        assert {hit.source.id for hit in result} <= rare
        assert few == 1 or len(result) == len(rare)
    assert len(made.lexical_candidates(Terms((("page",), ("7",))), Filter(kind=DOCUMENT), False, 5)) == 5
    assert made.lexical_candidates(Terms((("page",), ("7",))), Filter(kind=DOCUMENT), False, 5)[0].source.id == "d7"
    pool.close()
