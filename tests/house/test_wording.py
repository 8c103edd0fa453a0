"""The list of phrases to avoid is kept: where users read none stands, and in the code no more than before."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildtools.wording import phrases, problems

ROWS = [r"# a comment", "", r"\banew\b | again | 1"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "server" / "autology").mkdir(parents=True)
    (tmp_path / "server" / "autology" / "one.py").write_text('"""Read again."""\n# anew\n', encoding="utf-8")
    (tmp_path / "README.md").write_text("Read it again.\n", encoding="utf-8")
    return tmp_path


def findings_in(root: Path) -> list[str]:
    return list(problems(root, phrases(ROWS)))


def test_phrases_within_their_allowed_number_pass(root: Path) -> None:
    assert findings_in(root) == []


def test_a_phrase_where_users_read_is_named_with_its_line(root: Path) -> None:
    (root / "README.md").write_text("Read it.\nRead it Anew.\n", encoding="utf-8")
    assert findings_in(root) == ["README.md:2: 'Anew': write again"]


def test_a_phrase_that_comes_back_in_the_code_is_refused(root: Path) -> None:
    (root / "server" / "autology" / "two.py").write_text("# anew\n", encoding="utf-8")
    [problem] = findings_in(root)
    assert "occurs 2 times, 1 allowed" in problem
    assert "server/autology/one.py:2, server/autology/two.py:1" in problem


def test_a_phrase_that_went_lowers_its_number(root: Path) -> None:
    (root / "server" / "autology" / "one.py").write_text("", encoding="utf-8")
    [problem] = findings_in(root)
    assert "lower its number" in problem


def test_a_check_that_looked_at_nothing_fails(tmp_path: Path) -> None:
    assert "nothing to check" in findings_in(tmp_path)[0]
