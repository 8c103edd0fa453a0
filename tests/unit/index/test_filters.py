"""What passes a filter is remembered: whatever changes in between, the next answer is as if nothing was."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from autology.core.content.files import Stamp
from autology.core.index.changes import Gone, Put
from autology.index import filter_cache
from autology.index.open_index import OpenIndex
from autology.index.sqlite import SqliteIndex
from autology.model.entry import MEMORY, Entry, Link
from autology.model.memory import Scope
from autology.model.passage import Passage
from autology.model.query import Filter, Terms

ASKED = Terms((("cache",), ("index",), ("lock",)))
WORDS = "cache index lock page store read write token".split()
ORGS = ("acme", "bolt", None)
FILTERS = (
    Filter(kind=MEMORY, scope=Scope(org="acme")),
    Filter(kind=MEMORY, types=("todo",)),
    Filter(kind=MEMORY, tags=("urgent",)),
    Filter(kind=MEMORY, scope=Scope(org="bolt"), alive_at="2026-06-01T00:00:00Z"),
    Filter(kind=MEMORY, alive_at="2026-07-01T00:00:00Z"),
    Filter(kind=MEMORY, related_to="m1"),
    Filter(kind=MEMORY, ids=("m1", "m2", "m3", "m30")),
)


def memory(number: int, dice: random.Random) -> Put:
    text = " ".join(dice.choices(WORDS, k=dice.randrange(2, 30)))
    entry = Entry(
        f"m{number}",
        MEMORY,
        dice.choice(("todo", "issue")),
        "",
        "2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z",
        tags=dice.choice(((), ("urgent",))),
        org=dice.choice(ORGS),
        expires_at=dice.choice((None, None, "2026-05-01T00:00:00Z", "2026-06-15T00:00:00Z")),
        links=dice.choice(((), (Link("uses", "m1"),))),
    )
    return Put(f"{number}.md", Stamp(len(text), number), entry, (Passage(0, len(text), "", text),))


def ranked_hits(index: SqliteIndex, every: bool = False) -> list[list[tuple[str, str, float]]]:
    answers = [index.lexical_candidates(ASKED, where, every, 40) for where in FILTERS]
    return [sorted((hit.source.id, hit.field, round(hit.score, 9)) for hit in hits) for hits in answers]


def passed(where: Filter, puts: Sequence[Put]) -> set[str]:
    """Return the ids of *puts* that pass, told from what was put."""
    return {
        put.entry.id
        for put in puts
        if (not where.scope or put.entry.org == where.scope.org)
        and (not where.types or put.entry.type in where.types)
        and set(where.tags) <= set(put.entry.tags)
        and (not where.alive_at or not put.entry.expires_at or put.entry.expires_at > where.alive_at)
        and (where.ids is None or put.entry.id in where.ids)
    }


def test_cached_filter_results_follow_every_change(tmp_path: Path) -> None:
    dice = random.Random(3)
    lasting = SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
    known: dict[int, Put] = {}
    for step in range(60):
        number = dice.randrange(1, 40)
        if number in known and dice.random() < 0.3:
            lasting.apply([Gone(known.pop(number).path)])
        else:
            known[number] = memory(number, dice)
            lasting.apply([known[number]])
        if step % 5 == 0:
            afresh = SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
            assert ranked_hits(lasting) == ranked_hits(afresh)
            assert ranked_hits(lasting, every=True) == ranked_hits(afresh, every=True)
            for where, hits in zip(FILTERS, ranked_hits(lasting), strict=True):
                if where.related_to is None:
                    assert {id for id, *_ in hits} <= passed(where, list(known.values()))


def test_results_are_the_same_when_there_are_too_many_sources_to_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(4)
    index = SqliteIndex(lambda: str(tmp_path / "index.sqlite"))
    index.apply([memory(number, dice) for number in range(1, 900)])
    few = ranked_hits(index)
    assert all(few)
    monkeypatch.setattr(filter_cache, "MAX_SOURCES", 0)
    assert ranked_hits(index) == few


def test_a_rebuilt_index_drops_cached_filter_results(tmp_path: Path) -> None:
    place, dice = tmp_path / "index.sqlite", random.Random(5)
    index = SqliteIndex(lambda: str(place))
    index.apply([memory(number, dice) for number in range(1, 60)])
    ranked_hits(index)
    place.unlink()
    again = [memory(number, random.Random(6)) for number in range(1, 60)]
    index.apply(again)
    for where, hits in zip(FILTERS[:3], ranked_hits(index), strict=False):
        assert {id for id, *_ in hits} <= passed(where, again)


def test_filter_caches_of_an_old_and_a_rebuilt_index_do_not_mix(tmp_path: Path) -> None:
    """Both begin to count their rows at one: what passes in one says nothing of the other."""
    where = Filter(kind=MEMORY, scope=Scope(org="acme"))
    dice = random.Random(3)
    old, new = (SqliteIndex(lambda name=name: str(tmp_path / name)) for name in ("old.sqlite", "new.sqlite"))  # type: ignore[misc]
    old.apply([memory(number, dice) for number in range(1, 40)])
    new.apply([memory(number, dice) for number in range(1, 40)])
    remembered = OpenIndex(lambda: "", lambda: None, lambda: None)
    with (
        closing(sqlite3.connect(tmp_path / "old.sqlite")) as one,
        closing(sqlite3.connect(tmp_path / "new.sqlite")) as two,
    ):
        before = remembered.cache("old").filters
        assert remembered.cache("old").filters is before
        after = remembered.cache("new").filters  # while the other has not asked yet
        was = before.rows(one, where)
        expected = filter_cache.FilterBitmaps().rows(two, where)
        assert was != expected
        assert after.rows(two, where) == expected
        assert remembered.cache("new").filters.rows(two, where) == expected
        assert remembered.cache("old").filters.rows(one, where) == was
