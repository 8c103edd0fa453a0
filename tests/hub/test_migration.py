"""What a hub held before its words and vectors were kept apart is found afterwards, however often that was begun."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from autology.core.ports import Gone
from autology.hub import schema
from autology.hub.address import read
from autology.hub.index import PostgresIndex
from autology.hub.link import Link, Links
from autology.hub.writing import vector
from autology.model.entry import DOCUMENT
from autology.model.errors import HubError
from autology.model.query import Filter, Terms
from autology.ranking import bm25
from autology.text.tokens import index_tokens
from tests.hub.servers import DURABLE, Server
from tests.hub.test_scale import DIMS, Scattered, page

EVERY = schema.steps()
AT = next(at for at, step in enumerate(EVERY) if step.name == "scale")
SPACE = schema.space_id("acme", "old")
SAYS = {1: "quokka islands page 1", 5: "a quokka page 5", 9: "nothing of them page 9"}
FIND = Filter(kind=DOCUMENT)


@pytest.fixture
def old() -> Iterator[Server]:
    """A hub as it was before, with three documents; the last of them is of a branch."""
    server = Server(DURABLE)
    try:
        server.make()
        links = Links(read(server.dsn()))
        schema.migrate(links, all_steps=EVERY[:AT])
        schema.open_space(links, "acme", "old")
        links.write(lambda link: link.run(f"SET LOCAL autology.space = '{SPACE}'") or fill(link))
        links.close()
        yield server
    finally:
        server.gone()


def fill(link: Link) -> None:
    """Write rows as they were written then: lists of texts and of bytes for each word, and vectors beside the texts."""
    link.run(
        f"CREATE INDEX text_near_{DIMS} ON autology.text USING hnsw ((vector::halfvec({DIMS})) halfvec_ip_ops)"
        f" WHERE vector_dims(vector) = {DIMS}"
    )
    for number, says in SAYS.items():
        branch = "release" if number == 9 else None
        link.run(
            "INSERT INTO autology.source(space, number, id, kind, type, title, title_key, status, confidence, created,"
            " modified, path, size, mtime_ns, branch)"
            " VALUES ($1, $2, $3, 'document', 'usual', '', '', 'active', 0.8, $4, $4, $5, 1, 1, $6)",
            str(SPACE), number, f"d{number}", "2026-03-01T00:00:00Z", f"docs/{number}.md", branch,
        )  # fmt: skip
        tokens = index_tokens(says)
        found = Counter((*tokens.stems, *tokens.forms))
        length = found.total() + 1
        link.run(
            "INSERT INTO autology.text(space, number, source, field, kind, branch, start, stop, length, words, says,"
            " vector) VALUES ($1, $2, $3, 'body', 'document', $4, 0, 9, $5, decode($6, 'hex'), $7, $8::halfvec)",
            str(SPACE), number + 1, number, branch, length, tokens.order.hex(), says,
            vector(Scattered().encode([says])[0]),
        )  # fmt: skip
        size = bm25.length_bits(bm25.PASSAGES)[length]
        for word, times in found.items():
            code = bm25.times_bits(bm25.PASSAGES)[times] | size
            link.run(
                "INSERT INTO autology.posting VALUES ($1, 'body', 'document', $2, 0, $3, ARRAY[$4::integer],"
                " ARRAY[$5::smallint])",
                str(SPACE), word, number, number + 1, code,
            )  # fmt: skip
    link.run("UPDATE autology.space SET counter = 10, levels = '{3, 0, 0, 0}'")


def an_index(server: Server, branches: str = "*") -> tuple[PostgresIndex, Links]:
    links = Links(read(server.dsn()), f"-c autology.space={SPACE} -c autology.branches={branches}")
    return PostgresIndex(links, SPACE, Scattered), links  # type: ignore[arg-type]


def ids(index: PostgresIndex, word: str, every: bool = False) -> list[str]:
    return [hit.source.id for hit in index.words(Terms(((word,),)), FIND, every, 10)]


def test_what_was_there_is_found_and_written_on(old: Server) -> None:
    owner = Links(read(old.dsn()))
    assert schema.migrate(owner) == len(EVERY) - AT
    index, links = an_index(old)
    assert ids(index, "quokka") == ["d5", "d1"]  # the shorter one first
    assert sorted(ids(index, "page", every=True)) == ["d1", "d5", "d9"]
    assert {hit.source.id for hit in index.meaning("page 5", FIND, 1)} == {"d5"}
    index.apply([replace(page(21)), Gone("docs/5.md")])
    assert (ids(index, "quokka"), ids(index, "21")) == (["d1"], ["d21"])
    assert index.vectors() == 3
    made = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'autology' AND indexname = $1"
    assert "hnsw" in str(owner.read(lambda link: link.run(made, f"near_{DIMS}")))
    links.close()
    owner.close()


def test_words_stay_with_their_branch(old: Server) -> None:
    owner = Links(read(old.dsn()))
    schema.migrate(owner)
    lists = "SELECT branch, array_agg(DISTINCT term ORDER BY term) FROM autology.posting GROUP BY branch"
    told = dict(owner.read(lambda link: link.run(lists)))
    assert "noth" in told["release"] or "nothing" in told["release"]
    assert "quokka" not in told["release"]
    assert not {"9"} & set(told[""])
    owner.close()


def test_a_server_that_is_killed_half_way_has_lost_nothing(old: Server) -> None:
    links = Links(read(old.dsn()))
    slow = replace(EVERY[AT], sql=f"{EVERY[AT].sql}; SELECT pg_sleep(30)")
    failed: list[HubError] = []

    def migrate() -> None:
        try:
            schema.migrate(links, all_steps=[slow])
        except HubError as error:
            failed.append(error)

    going = threading.Thread(target=migrate)
    going.start()
    other = Links(read(old.dsn()))
    asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    until = time.monotonic() + 60
    while other.read(lambda link: link.run(asleep)) != [[1]] and time.monotonic() < until:
        time.sleep(0.02)
    old.kill()
    going.join(30)
    assert failed
    old.start()
    assert schema.state(other).step == EVERY[AT - 1].number
    before = "SELECT json_agg(number ORDER BY number) FROM autology.text WHERE vector IS NOT NULL"
    assert other.read(lambda link: link.run(before)) == [[[2, 6, 10]]]
    assert schema.migrate(other) == len(EVERY) - AT
    index, asked = an_index(old)
    assert ids(index, "quokka") == ["d5", "d1"]
    for each in (links, other, asked):
        each.close()
