"""The encoder over the shipped table."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.embedding import static
from autology.embedding.static import StaticEncoder, TableError
from autology.ranking.quantized_vectors import SCALE, rescore

SHIPPED = StaticEncoder()


def likeness(first: str, second: str) -> float:
    a, b = SHIPPED.encode([first, second])
    return rescore(a, [b])[0] / SCALE**2


def test_texts_that_mean_the_same_are_nearer_than_texts_that_share_nothing() -> None:
    assert likeness("the cat sat on the mat", "a kitten on a rug") > 0.2
    assert abs(likeness("the cat sat on the mat", "stock market falls")) < 0.15
    assert likeness("delete a file", "remove a directory") > likeness("delete a file", "bake a cake")


def test_a_name_in_code_means_what_its_words_mean() -> None:
    assert likeness("writeBoolean", "write boolean") > 0.99
    assert likeness("write_boolean", "write boolean") > 0.99


def test_the_table_stays_within_what_may_be_shipped() -> None:
    assert Path(SHIPPED.path).stat().st_size <= 8_000_000


def test_the_shipped_table_is_whole() -> None:
    SHIPPED.verify()
    assert SHIPPED.dims == 256
    assert len(SHIPPED.encode(["anything"])[0]) == SHIPPED.dims


@pytest.mark.parametrize("text", ["", "   \n", "Привет мир", "日本語のテキスト", "…!?", "\ud800"])
def test_a_text_without_a_known_word_is_a_row_of_zeros(text: str) -> None:
    assert SHIPPED.encode([text]) == [bytes(SHIPPED.dims)]


@given(st.lists(st.text(), max_size=4))
def test_the_encoder_returns_a_row_for_any_text(texts: list[str]) -> None:
    assert [len(row) for row in SHIPPED.encode(texts)] == [SHIPPED.dims] * len(texts)


def test_a_text_of_any_length_is_read_to_its_end() -> None:
    long = "the cat sat on the mat " * 5000
    assert likeness(long, "the cat sat on the mat") > 0.99
    half = "cat " * 1000 + "market " * 1000
    assert likeness(half, "market") == pytest.approx(likeness("cat market", "market"), abs=0.05)


def test_a_repeated_word_adds_less_weight_than_its_first_occurrence() -> None:
    once, often = likeness("cat market", "cat"), likeness("cat cat cat cat market", "cat")
    assert once < often < likeness("cat cat cat cat cat cat cat cat cat market", "cat")
    assert often == pytest.approx(likeness("cat " * 64 + "market " * 16, "cat"), abs=0.01), "by its square root"


def test_a_row_does_not_depend_on_what_was_encoded_before(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["sort a list of numbers", "embeddings of unforeseeable hyperparameters", "the quick brown fox"]
    expected = SHIPPED.encode(texts)
    monkeypatch.setattr(static, "REMEMBERED", 4)
    forgetful = StaticEncoder()
    assert [forgetful.encode([text])[0] for text in texts * 3] == expected * 3


def test_threads_can_share_the_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["sort a list of numbers", "embeddings of unforeseeable hyperparameters", "the quick brown fox"] * 4
    expected = SHIPPED.encode(texts)
    monkeypatch.setattr(static, "REMEMBERED", 4)
    forgetful = StaticEncoder()
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            text = list(threads.map(lambda _: forgetful.encode(texts), range(100)))
    finally:
        sys.setswitchinterval(usual)
    assert all(rows == expected for rows in text)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", static.MAGIC + b"{}\n", static.MAGIC])
def test_a_file_that_is_no_table_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "static.bin"
    broken.write_bytes(content)
    with pytest.raises(TableError, match="Install Autology again"):
        StaticEncoder(str(broken))


def test_a_missing_table_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="cannot be read"):
        StaticEncoder(str(tmp_path / "static.bin"))


def test_a_table_cut_short_is_refused_at_once(tmp_path: Path) -> None:
    cut = tmp_path / "static.bin"
    cut.write_bytes(Path(SHIPPED.path).read_bytes()[:-100])
    with pytest.raises(TableError, match="cut short"):
        StaticEncoder(str(cut))


def test_a_changed_byte_is_found_when_the_table_is_verified(tmp_path: Path) -> None:
    changed = bytearray(Path(SHIPPED.path).read_bytes())
    changed[-5] ^= 1
    damaged = tmp_path / "static.bin"
    damaged.write_bytes(changed)
    with pytest.raises(TableError, match="damaged"):
        StaticEncoder(str(damaged)).verify()


def test_a_word_of_many_pieces_is_the_sum_of_their_rows(tmp_path: Path) -> None:
    """A table of its own, whose first two pieces sum past the most that a row holds, and are cut there."""
    words = "\n".join(["ab", "##cd", "##ef"]).encode()
    rows = bytes([104, 64] + [64] * 6) + bytes([104, 66] + [64] * 6) + bytes([24, 67] + [64] * 6)
    about = {"name": "t", "model": "t", "dims": 8, "rows": 3, "words": len(words), "checksum": 0}
    table = tmp_path / "t.bin"
    table.write_bytes(static.MAGIC + json.dumps(about).encode() + b"\n" + words + rows)
    encoder = StaticEncoder(str(table))

    def lanes(word: str) -> list[int]:
        return [lane - static.SHIFT for lane in memoryview(encoder.word(word).to_bytes(16, "little")).cast("H")]

    assert lanes("ab")[:2] == [40, 0]
    assert lanes("abcd")[:2] == [63, 2]
    assert lanes("abef")[:2] == [0, 3]
    assert lanes("abcdef")[:2] == [40, 5]
    assert lanes("zz") == [0] * 8
