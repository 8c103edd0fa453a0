"""What a small edit replaced is one line; longer edits write new code and have none."""

from __future__ import annotations

import pytest

from autology.text.source_code.replaced_lines import CHARACTERS, replaced_lines


@pytest.mark.parametrize(
    ("old", "new", "replaced"),
    [
        ("45 * time.Minute", "90 * time.Minute", "a.go: 45 * time.Minute → 90 * time.Minute"),
        ("def f():\n    limit = 60\n", "def f():\n    limit = 120\n", "a.go: limit = 60 → limit = 120"),
        ("import a\nimport b\n", "import a\n", "a.go: import b → (nothing)"),
        ("import a\n", "import a\nimport b\n", ""),
        ("", "everything", ""),
        ("same", "same", ""),
        ("one\ntwo", "three\nfour", ""),
        ("x" * (CHARACTERS + 1), "y", ""),
    ],
)
def test_only_a_line_that_is_replaced_by_another_is_told(old: str, new: str, replaced: str) -> None:
    assert replaced_lines("/src/a.go", old, new) == replaced


def test_the_file_is_named_as_windows_names_it_too() -> None:
    assert replaced_lines("C:\\src\\a.go", "1", "2") == "a.go: 1 → 2"


def test_a_files_name_is_one_word() -> None:
    assert replaced_lines("/src/the limit.go", "1", "2") == "the_limit.go: 1 → 2"
