"""How near a prompt is to encoded passages, from the rows of its words alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.embedding.static import StaticEncoder
from autology.embedding.word_rows import cosines
from autology.ranking.quantized_vectors import SCALE, rescore

SHIPPED = StaticEncoder()
TABLES = (SHIPPED.path,)
PASSAGES = SHIPPED.encode(["a kitten sleeps on a rug", "the stock market falls", "remove the directory"])


def near(text: str, tables: tuple[str, ...] = TABLES, encoder: str = SHIPPED.name) -> list[float]:
    return cosines(text, encoder, PASSAGES, tables)


@pytest.mark.parametrize("text", ["The cat sat: on a mat", "delete a directory?", "why did markets fall"])
def test_the_cosines_are_those_of_the_whole_encoder(text: str) -> None:
    (row,) = SHIPPED.encode([text])
    exact = [product / SCALE**2 for product in rescore(row, PASSAGES)]
    assert near(text) == pytest.approx(exact, abs=0.05)


def test_words_that_the_table_does_not_list_are_left_out() -> None:
    assert near("cat zarquonblenk") == near("cat")
    assert near("zarquonblenk") == []


@given(st.text())
def test_any_text_has_a_cosine_to_each_passage_or_none(text: str) -> None:
    assert len(near(text)) in (0, len(PASSAGES))


def test_the_rows_of_another_encoder_are_not_compared() -> None:
    assert near("cat", encoder="another") == []
    assert cosines("cat", SHIPPED.name, [b"\1\2\3"], TABLES) == []
    assert cosines("cat", SHIPPED.name, [], TABLES) == []


def test_a_table_that_is_missing_or_broken_is_passed_over_for_the_next_one(tmp_path: Path) -> None:
    whole = Path(SHIPPED.path).read_bytes()
    for number, broken in enumerate(
        (b"", b"\n", b"no table\n{}\n", b"a\n{\n", whole[:100], whole[:100_000], b"\0" * 4_000)
    ):
        (tmp_path / f"{number}.bin").write_bytes(broken)
    tables = (str(tmp_path / "none.bin"), str(tmp_path), *map(str, sorted(tmp_path.iterdir())))
    assert near("the cat sat on the mat", tables) == []
    copy = shutil.copy(SHIPPED.path, tmp_path / "whole.bin")
    assert near("the cat sat on the mat", (*tables, str(copy))) == near("the cat sat on the mat")
