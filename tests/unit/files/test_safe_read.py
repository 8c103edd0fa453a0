"""A file is read whole, whatever the system gives at once and whatever is written meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from autology.files import safe_read


@pytest.mark.parametrize("size", [0, 1, 65_536, 200_000])
def test_a_file_is_read_to_its_end(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_bytes(bytes(range(256)) * (size // 256) + b"x" * (size % 256))
    data, facts = safe_read.read(str(tmp_path / "file"))
    assert data == (tmp_path / "file").read_bytes()
    assert facts.st_size == size


def test_a_file_that_is_given_in_parts_and_grows_meanwhile_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read, parts = tmp_path / "file", os.read, []
    path.write_bytes(b"first ")

    def part(handle: int, size: int) -> bytes:
        if len(parts) == 1:
            with path.open("ab") as file:
                file.write(b"and second")
        parts.append(read(handle, min(size, 3)))
        return parts[-1]

    monkeypatch.setattr(os, "read", part)
    assert safe_read.read(str(path))[0] == b"first and second"
