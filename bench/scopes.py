"""Queries in spaces of several sizes in one hub: time, recall of the nearest, and the index used.

What takes how long is told by the clock, and as processor time of either side, for a machine is seldom one's own.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autology.core.content.files import Stamp
from autology.core.hybrid_search import rank
from autology.core.index.changes import Put
from autology.core.index.retrieval import Encoder
from autology.hub.model import Space
from autology.hub.postgres import schema
from autology.hub.postgres.address import parse_dsn
from autology.hub.postgres.connection import Connection
from autology.hub.postgres.connection_pool import ConnectionPool
from autology.hub.postgres.index import PostgresIndex
from autology.hub.postgres.prepare import vector_literal
from autology.model.entry import NODE, Entry
from autology.model.passage import Passage
from autology.model.query import Filter, Terms
from autology.text.tokens import query_terms
from autology.wire import user
from bench import filling
from bench.passages import Maker
from tests.hub import fixtures
from tests.hub.servers import Server

SIZES = {"tiny": 100, "small": 10_000, "middle": 40_000}
"""Spaces that every hub has; half of its passages are in a large one, what is left in others."""
ASKED = 60
SOON = 30.0
"""Milliseconds that half of all questions take at most."""
TRUE = 0.95
"""Of the ten nearest, how many are to be found."""
GROWN = 2.0
"""How much longer a question may take in a scope of the same size when the hub is ten times as large."""
PUSHED = 1_000
OPTIONS = (
    "-c fsync=off -c full_page_writes=off -c shared_buffers=3GB -c max_wal_size=8GB -c maintenance_work_mem=3GB"
    " -c max_connections=20 -c autovacuum=off"
)


@dataclass(frozen=True, slots=True)
class Told:
    """What questions to one scope took, in milliseconds at the median, and how many of the ten nearest were found."""

    took: float
    ours: float
    theirs: float
    nearest: float


def compared(texts: Sequence[str], hubs: Sequence[int]) -> int:
    """Fill a hub of each size, ask it, and compare them; return how many aims were missed."""
    encoder = user.encoder()
    assert encoder is not None
    told = {passages: _one(texts, encoder, passages) for passages in hubs}
    missed = sum(not kept for scopes in told.values() for each in scopes.values() for kept in _kept(each))
    first, last = min(hubs), max(hubs)
    for name in SIZES if first < last else ():
        before, after = told[first][name], told[last][name]
        grown = (after.ours + after.theirs) / (before.ours + before.theirs)
        print(f"{name}: {grown:.2f} times the processor time at {last:,} that it takes at {first:,}")
        missed += grown > GROWN
    return missed


def _kept(told: Told) -> tuple[bool, bool]:
    return told.took <= SOON, told.nearest >= TRUE


def _one(texts: Sequence[str], encoder: Encoder, passages: int) -> dict[str, Told]:
    maker = Maker(texts, encoder, 7)
    with fixtures.running(OPTIONS) as server:
        made = filled(server, maker, passages)
        questions = [maker.question() for _ in range(ASKED)]
        pushed(server, maker)
        return {name: asked(server, name, questions, encoder) for name in made}


def filled(server: Server, maker: Maker, passages: int) -> list[str]:
    """Fill a hub of so many *passages*; return the names of the spaces that are asked."""
    pool = ConnectionPool(parse_dsn(server.dsn()))
    sizes = SIZES | {"large": max(passages // 2, filling.CHUNK * 2)}
    took = 0.0
    for name, size in sizes.items():
        schema.create_space(pool, "acme", name)
        own = min(size, filling.CHUNK * 2)
        took += filling.fill(pool, _space(name), own, maker)
        for at in range(1, size // (filling.CHUNK * 2)):
            took += filling.more(pool, _space(name), _space(name), at)
    left = (passages - sum(sizes.values())) // (filling.CHUNK * 2)
    for at in range(left):
        schema.create_space(pool, "acme", f"other{at // 4}")
        took += filling.more(pool, _space("large"), _space(f"other{at // 4}"), at % 4)
    there = pool.read(lambda connection: connection.run("SELECT count(*) FROM autology.near"), filling.LONG)[0][0]
    pool.read(lambda connection: connection.run("ANALYZE"), filling.LONG)
    print(f"{there:,} passages: rows in {took:.0f} s, {there / took:,.0f} a second", flush=True)
    began = time.perf_counter()
    schema.MIGRATION_SECONDS = filling.LONG
    schema.create_vector_index(pool, maker.dims)
    print(f"  index of vectors in {time.perf_counter() - began:.0f} s")
    size = "SELECT pg_size_pretty(pg_database_size(current_database())), pg_size_pretty(pg_relation_size($1::regclass))"
    whole, index = pool.query(size, f"autology.near_{maker.dims}")[0]
    print(f"  takes {whole}, of which the index of vectors {index}", flush=True)
    pool.close()
    return list(sizes)


def pushed(server: Server, maker: Maker) -> None:
    """Say how fast files come in as a project pushes them, every index there and in use."""
    hub = fixtures.a_hub(server, Space("acme", "pushed"), "writer", "writer")
    hub.index._encoder = user.encoder
    began, used = time.perf_counter(), time.process_time()
    for at in range(0, PUSHED, 200):
        hub.index.apply([_file(number, maker.passage()[0].says or "") for number in range(at, at + 200)])
    took, own = time.perf_counter() - began, time.process_time() - used
    print(f"  pushed {PUSHED:,} files: {PUSHED / took:,.0f} a second; {own:.1f} s of processor time here", flush=True)
    hub.close()


def _file(number: int, text: str) -> Put:
    entry = Entry(f"f{number}", NODE, "concept", f"Page {number}", filling.DAY, filling.DAY)
    return Put(f"f/{number}.md", Stamp(1, 1), entry, (Passage(0, len(text), "", text),))


def asked(server: Server, name: str, questions: Sequence[str], encoder: Encoder) -> Told:
    """Ask the space *name* as a reader of it does, under row-level security, and say what that took."""
    hub = fixtures.a_hub(server, Space("acme", name), "reader", "reader")
    hub.close()
    scope = f"-c autology.space={_space(name)} -c autology.branches=*"
    pool = ConnectionPool(parse_dsn(server.dsn("reader")), scope, 60)
    index = PostgresIndex(pool, _space(name), lambda: encoder)
    kinds: dict[str, Callable[[str], Any]] = {
        "words": lambda said: index.lexical_candidates(Terms(query_terms(said)), Filter(), False, 100),
        "meaning": lambda said: index.semantic_candidates(said, Filter(), 100),
        "all together": lambda said: rank(index, said, Filter(), 10),
    }
    with index.keep_open():
        process = int(pool.query("SELECT pg_backend_pid()")[0][0])
        for said in questions[:5]:
            rank(index, said, Filter(), 10)
        for kind, ask in kinds.items():
            taken = [_taken(process, ask, said) for said in questions]
            took, ours, theirs = (statistics.median(each) for each in zip(*taken, strict=True))
            most = sorted(each[0] for each in taken)[int(len(taken) * 0.95)]
            print(
                f"  {name}, {kind}: p50 {took:.1f} ms, p95 {most:.1f}; processor {ours:.1f} here, {theirs:.1f} there",
                flush=True,
            )
        nearest = _nearest(server, index, name, questions, encoder)
    leads = _leads(pool, index, questions[0])
    print(f"  {name}: {nearest:.3f} of the ten nearest; by {leads}", flush=True)
    pool.close()
    return Told(took, ours, theirs, nearest)


def _taken(process: int, ask: Callable[[str], Any], said: str) -> tuple[float, float, float]:
    began, used, there = time.perf_counter(), time.process_time(), _used(process)
    ask(said)
    return (
        (time.perf_counter() - began) * 1_000,
        (time.process_time() - used) * 1_000,
        _used(process) - there,
    )


def _used(process: int) -> float:
    """Return the milliseconds of processor time that a process of the server has used."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e6


def _nearest(server: Server, index: PostgresIndex, name: str, questions: Sequence[str], encoder: Encoder) -> float:
    """Return how many of the ten nearest passages lie in the sources that are found, compared one by one."""
    owner = ConnectionPool(parse_dsn(server.dsn()), "", 600)
    every = (
        "SELECT s.id FROM (SELECT source, vector <#> $1::halfvec AS far FROM autology.near WHERE space = $2 OFFSET 0) n"
        " JOIN autology.source s ON s.space = $2 AND s.number = n.source ORDER BY far LIMIT 10"
    )
    shares = []
    for said in questions:
        row = vector_literal(encoder.encode([said])[0])
        best = {id for (id,) in owner.query(every, row, str(_space(name)))}  # type: ignore[misc]
        found = {hit.source.id for hit in index.semantic_candidates(said, Filter(), 100)[: len(best)]}
        shares.append(len(best & found) / len(best))
    owner.close()
    return statistics.mean(shares)


def _leads(pool: ConnectionPool, index: PostgresIndex, said: str) -> str:
    """Return the names of the indexes that a question goes by, and of the tables that it reads whole."""
    seen: list[tuple[str, tuple[object, ...]]] = []
    run = Connection.run

    def noted(connection: Connection, sql: str, *values: object) -> list[list[Any]]:
        seen.append((sql, values))
        return run(connection, sql, *values)

    Connection.run = noted  # type: ignore[method-assign]
    try:
        rank(index, said, Filter(), 10)
    finally:
        Connection.run = run  # type: ignore[method-assign]
    some = [each for each in seen if "autology.near n" in each[0] or "candidates" in each[0]]
    plans = [pool.read(lambda connection, each=each: run(connection, f"EXPLAIN {each[0]}", *each[1])) for each in some]  # type: ignore[misc]
    lines = [line for plan in plans for (line,) in plan if "Scan" in line]
    whole = sorted({f"all of {line.split('Seq Scan on ')[1].split()[0]}" for line in lines if "Seq Scan on" in line})
    used = sorted({word for line in lines for word in line.split() if word.startswith(("near_", "text_"))})
    return ", ".join([*used, *whole])


def _space(name: str) -> Any:
    return schema.space_id("acme", name)
