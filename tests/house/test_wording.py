"""The list of phrases to avoid is kept: where users read none stands, and in the code no more than before."""

from __future__ import annotations

from pathlib import Path

import pytest

from buildtools.wording import avoided_names, names_to_avoid, phrases, problems

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


NAMES = ["[names]", "told | reply, settings"]


def names_in(root: Path, file: str, text: str) -> list[str]:
    path = root / "server" / "autology" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return list(names_to_avoid(root, avoided_names(NAMES)))


@pytest.mark.parametrize(
    "code",
    [
        "told = read()\n",
        "self._told = read()\n",
        "for told in read(): pass\n",
        "def told(): pass\n",
        "def read(*, told): pass\n",
        "read(lambda told: 1)\n",
        "if told := read(): pass\n",
        "with read() as told: pass\n",
        "class Reply:\n    told: str\n",
    ],
)
def test_a_python_name_in_the_dialect_is_refused_with_its_line(root: Path, code: str) -> None:
    line = 2 if code.startswith("class") else 1
    assert names_in(root, "two.py", code) == [f"server/autology/two.py:{line}: the name 'told': write reply, settings"]


@pytest.mark.parametrize(
    "code",
    [
        "const told = await call()\n",
        "function told() {}\n",
        "call((told) => 1)\n",
        "const {told} = reply\n",
        "this.told = reply\n",
        "call(`${(told) => 1}`)\n",
        "/[`'\"]/.test(text); let told\n",
    ],
)
def test_a_javascript_name_in_the_dialect_is_refused_with_its_line(root: Path, code: str) -> None:
    found = names_in(root, "web/page/two.js", f"// first\n{code}")
    assert found == ["server/autology/web/page/two.js:2: the name 'told': write reply, settings"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("two.py", "retold = 'told'\nreply = read(told=1).told\n# told\n"),
        (
            "web/page/two.js",
            "// told\nlet retold = 'told' + \"told\" + `told ${reply.told}`\nread({told: 1}); /told/.test(x)\n",
        ),
    ],
)
def test_the_same_word_in_texts_comments_and_data_passes(root: Path, file: str, text: str) -> None:
    assert names_in(root, file, text) == []
