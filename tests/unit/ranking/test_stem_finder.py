"""Stems are found as if every word were looked at."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.ranking.prompt_similarity import StemFinder, words_between
from autology.text.stemmer import stem

ROOT = Path(__file__).resolve().parents[3]
WORDS = (
    "PgBouncer",
    "pgbouncer",
    "pools",
    "pooling",
    "Pool",
    "HTTPServer",
    "http2",
    "naïve",
    "replicas",
    "İzmir",
    "データ",
)
SIGNS = (" ", "_", ", ", "\n", "-", "\u00a0", "…")
TEXTS = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SIGNS))).map(
    lambda parts: "".join(map("".join, parts))
)
STEMS = st.frozensets(
    st.sampled_from(("pgbouncer", "bouncer", "pool", "http", "server", "http2", "replica", "デー")), min_size=1
)


def looked_at(stems: frozenset[str], text: str) -> list[tuple[int, int, str]]:
    """Return the position, the offset and the stem of each word of *text* that has one of *stems*."""
    found = []
    for position, match in enumerate(re.finditer(r"[^\W_]+", text)):
        word = match[0]
        parts = re.split(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", word) if word.isascii() else []
        whole = [word] if word.isascii() and (len(parts) > 1 or word.isupper()) else []
        roots = [stem(part.lower()) for part in (*whole, *parts)]
        roots += [wanted for wanted in sorted(stems) if not word.isascii() and not wanted.isascii() and wanted in word]
        found += [(position, match.start(), root) for root in roots if root in stems]
    return found


@given(stems=STEMS, text=TEXTS)
def test_every_word_with_a_stem_is_found_at_its_position(stems: frozenset[str], text: str) -> None:
    found = StemFinder(stems).positions(text)
    assert sorted(set(found)) == sorted({(position, root) for position, _, root in looked_at(stems, text)})


@given(stems=STEMS, text=TEXTS)
def test_the_first_word_with_each_stem_is_found_at_its_offset(stems: frozenset[str], text: str) -> None:
    first: dict[str, int] = {}
    for _, at, root in looked_at(stems, text):
        first.setdefault(root, at)
    assert StemFinder(stems).first(text) == first


def test_a_finder_finds_the_same_again() -> None:
    finder = StemFinder({"pool", "bouncer"})
    for text in ("the pools of PgBouncer", "a pool", "the pools of PgBouncer"):
        assert finder.positions(text) == StemFinder({"pool", "bouncer"}).positions(text)


def test_a_word_begins_as_its_stem_does_but_for_the_last_letter() -> None:
    texts = [file.read_text(encoding="utf-8").lower() for file in (ROOT / "docs").rglob("*.md")]
    words = {word for text in texts for word in re.findall(r"[a-z0-9]+", text)}
    assert len(words) > 3_000
    assert [word for word in words if not word.startswith(stem(word)[:-1] or word)] == []


@pytest.mark.parametrize(("first", "last", "words"), [(0, 8, 2), (0, 0, 0), (4, 8, 1)])
def test_words_between_two_offsets_are_counted(first: int, last: int, words: int) -> None:
    assert words_between("the old pool", first, last) == words


def test_a_long_run_of_capitals_is_searched_once() -> None:
    text = "AB" * 200_000
    assert StemFinder({"abab"}).first(text) == {}  # walked back from each capital, it would take minutes
