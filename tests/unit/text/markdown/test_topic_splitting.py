"""Chunks are offsets into a text: joined they are the text, and they end where it pauses."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autology.text.markdown.topic_splitting import BY_MEANING, LONGEST, TARGET, WHOLE, Boundaries, Cut, cut, windows
from autology.text.markdown.units import CODE, HEADING, SENTENCE, units

PIECES = (
    "A sentence about caches. ", "Is it? ", "Dr. Who came at 3.5 p.m. and left. ", "\n\n", "\n", "\r\n", "# Heading\n",
    "```py\nx = 1.  # Not. A. Sentence.\n\ny = 2\n```\n", "~~~\nopen\n", "- an item. With two sentences.\n", "1. one\n",
    "设计。实现！", "    indented\n", "> quoted. Twice.\n", "\x0b", "\u2028", "no end", "x" * 500, " ",
)  # fmt: skip
long_texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=120).map(lambda some: "".join(some) * 3)
BOUNDS = Boundaries(0.3, 0.5, 0.7)


def pieces(text: str, found: Cut) -> list[str]:
    return [text[chunk.start : chunk.stop] for chunk in found.chunks]


@settings(max_examples=100)
@given(long_texts)
def test_units_joined_are_the_text(text: str) -> None:
    assert "".join(text[unit.start : unit.stop] for unit in units(text)) == text


@settings(max_examples=100)
@given(long_texts, st.lists(st.floats(0, 1), min_size=1, max_size=7))
def test_chunks_joined_are_the_text_however_it_is_cut(text: str, values: list[float]) -> None:
    def alike(sentences: list[str]) -> list[float]:
        return [values[at % len(values)] for at in range(len(sentences) - 1)]

    for result in (cut(text), cut(text, alike, BOUNDS)):
        assert "".join(pieces(text, result)) == text
        assert all(chunk.stop > chunk.start for chunk in result.chunks)


@settings(max_examples=60)
@given(long_texts)
def test_no_chunk_begins_inside_a_sentence_or_a_block_of_code_unless_it_is_too_long(text: str) -> None:
    content = units(text)
    starts = {unit.start for unit in content}
    spans = [(unit.start, unit.stop) for unit in content if unit.size > LONGEST]
    for chunk in cut(text).chunks:
        assert chunk.start in starts or any(start < chunk.start < stop for start, stop in spans)


def kinds(text: str) -> list[tuple[str, str]]:
    return [(unit.kind, text[unit.start : unit.stop]) for unit in units(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", 3),
        ("See e.g. the docs. Then go.", 2),
        ("Version 1.10.2 is out. Use it.", 2),
        ('He said "stop." Then left.', 2),
        ("Ask J. Smith. Now.", 2),
        ("设计。实现！测试", 3),
        ("- one\n- two\n", 2),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, sentences: int) -> None:
    assert [kind for kind, _ in kinds(text)] == [SENTENCE] * sentences


def test_headings_and_code_are_units_of_their_own() -> None:
    text = "# T\n\nA sentence.\n```py\nx = 1. \n\n# no heading\n```\n\nAnother.\n"
    assert [kind for kind, _ in kinds(text)] == [HEADING, SENTENCE, CODE, SENTENCE]


def test_an_unclosed_code_fence_ends_with_the_text() -> None:
    assert kinds("```\na. b\n\nc. d\n") == [(CODE, "```\na. b\n\nc. d\n")]


def test_a_short_text_stays_whole_and_an_empty_one_has_no_chunks() -> None:
    assert len(cut("A sentence. " * (WHOLE // 12)).chunks) == 1
    assert cut("").chunks == ()


def paragraphs(count: int, sentence: str = "This sentence says a little about caches and queues. ") -> str:
    return "".join(f"{sentence * 6}\n\n" for _ in range(count))


def test_chunks_are_near_their_target_and_end_with_paragraphs() -> None:
    text = paragraphs(12)
    content = pieces(text, cut(text))
    assert all(piece.endswith("\n\n") for piece in content)
    assert all(0.5 * TARGET <= len(piece) <= 1.6 * TARGET for piece in content[:-1])


def test_a_heading_goes_with_what_it_heads() -> None:
    text = "".join(f"## Part {number}\n\n{paragraphs(2)}" for number in range(8))
    for one, other in pairwise(pieces(text, cut(text))):
        assert not one.rstrip().splitlines()[-1].startswith("##")
        assert other.strip()


def test_a_block_of_code_that_fits_is_never_cut() -> None:
    code = "```sh\n" + "echo one. two. three\n\n" * 60 + "```\n"
    text = paragraphs(3) + code + paragraphs(3)
    assert any(code in piece for piece in pieces(text, cut(text)))


def test_a_long_text_is_cut_where_its_subject_changes() -> None:
    about = [
        "The cache keeps pages for an hour in memory. " * 25,
        "Salaries are paid on the last day of a month. " * 55,
    ]
    text = "".join(about)
    assert len(text) > BY_MEANING

    def alike(sentences: list[str]) -> list[float]:
        return [1.0 if one[:5] == other[:5] else 0.1 for one, other in pairwise(sentences)]

    content = cut(text, alike, BOUNDS)
    assert len(about[0]) in {chunk.start for chunk in content.chunks}
    assert content.shifts == (len(about[0]),)
    assert len(content.coherence) == len(content.chunks)


def test_windows_compare_the_sums_of_what_stands_before_and_behind() -> None:
    assert windows([(1.0, 0.0), (1.0, 0.0), (0.0, 1.0)]) == pytest.approx([0.7071, 0.0], abs=1e-4)
    assert windows([(0.0, 0.0), (1.0, 0.0)]) == [1.0]
