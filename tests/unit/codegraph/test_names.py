"""Asking the code graph by a name: bare, with what is around it, by file; of several, and of none."""

from __future__ import annotations

from pathlib import Path

import pytest

from autology.codegraph.queries.answering import missing_note
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.queries.questions import QuestionKind, parse_question
from autology.wire.project import Project
from tests.unit.cli_kit import autology, run_json

PARAMS = """
class Param: ...


class File(Param):
    def read(self): ...
    def size(self): ...


def upload(file: File):
    return file.read()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in {
        "web/__init__.py": "from .params import File\n",
        "web/params.py": PARAMS,
        "web/inner/deep.py": "from web.params import File\n\n\nclass Image(File): ...\n\n\ndef save(): ...\n",
        "web/forms.py": "class Form:\n    def save(self): ...\n\n\nclass Method: ...\n\n\ndef forms(): ...\n",
        "tests/test_params.py": "def save(): ...\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / ".autology").mkdir()
    return tmp_path


def code_answer(project: Path, query: str, usual: QuestionKind | None = None) -> CodeAnswer:
    hits = Project(str(project)).code.answer(query, usual)
    assert hits is not None
    return hits


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("File", "web/params.py:File"),
        ("the class File", "web/params.py:File"),
        ("Method", "web/forms.py:Method"),
        ("web.params.File", "web/params.py:File"),
        ("web.File", "web/params.py:File"),
        ("params.py:File", "web/params.py:File"),
        ("web/params.py::File::read", "web/params.py:File.read"),
        ("File#read", "web/params.py:File.read"),
        ("File::read", "web/params.py:File.read"),
        ("file.read", "web/params.py:File.read"),
        ("Image.read", "web/params.py:File.read"),
        ("inner/deep.py:Image.read", "web/params.py:File.read"),
        ("upload()", "web/params.py:upload"),
        ("web.params", "web/params.py"),
        ("web/params", "web/params.py"),
        ("web/params.py", "web/params.py"),
        ("web", "web/__init__.py"),
        ("inner.deep", "web/inner/deep.py"),
    ],
)
def test_a_name_may_be_bare_qualified_or_a_file(project: Path, name: str, wanted: str) -> None:
    assert [str(each) for each in code_answer(project, name, QuestionKind.STRUCTURE).about] == [wanted]


def test_a_question_may_name_the_kind_of_code_beside_its_name(project: Path) -> None:
    result = code_answer(project, "what uses the File class?")
    assert [str(each) for each in result.about] == ["web/params.py:File"]
    assert {str(each.link.source) for each in result.links} == {"web/params.py:upload", "web/inner/deep.py:Image"}
    small = parse_question("what uses this file")
    assert small is not None
    assert small.names == ("file",)
    several = parse_question("what uses the class MemoryIndex")
    assert several is not None
    assert several.names == ("MemoryIndex",)


def test_several_of_a_name_are_answered_for_and_files_of_that_name_are_listed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [str(each) for each in code_answer(project, "what calls save").about] == [
        "web/inner/deep.py:save",
        "web/forms.py:Form.save",
        "tests/test_params.py:save",
    ]
    result = run_json(capsys, "graph", "--code", "forms", project=project)
    assert [each["name"] for each in result["about"]] == ["web/forms.py:forms"]
    assert result["others"] == [{"name": "web/forms.py", "type": "file", "line": 1}]
    assert autology("graph", "--code", "forms", project=project) == 0
    assert "- of that name, too: web/forms.py" in capsys.readouterr().out


def test_all_of_many_definitions_with_one_name_are_listed(tmp_path: Path) -> None:
    text = "".join(f"class C{n}:\n    def go(self): ...\n" for n in range(9))
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    result = code_answer(tmp_path, "what calls go")
    assert len(result.about) == 5
    assert [each.symbol.name for each in result.others] == [f"C{n}.go" for n in range(5, 9)]
    assert any(note.startswith("9 pieces of code have that name") for note in result.notes)


@pytest.mark.parametrize(
    ("query", "near"),
    [
        ("Flie", "web/params.py:File"),
        ("Form.svae", "web/forms.py:Form.save"),
        ("what calls uplaod", "web/params.py:upload"),
        ("web/parms.py", "web/params.py"),
    ],
)
def test_a_name_that_nothing_has_is_answered_with_the_nearest(
    project: Path, capsys: pytest.CaptureFixture[str], query: str, near: str
) -> None:
    assert autology("graph", "--code", query, project=project) == 1
    error = capsys.readouterr().err
    assert "nothing in the source is called" in error
    assert "Did you mean " in error
    assert near in error
    assert "what calls" not in error


def test_a_name_of_nothing_alike_says_what_to_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "--code", "quarrel", project=project) == 1
    assert "Name a function, class or file" in capsys.readouterr().err


def test_only_names_written_as_code_are_reported_missing(project: Path) -> None:
    code = Project(str(project)).code
    assert missing_note(code.current().graph, "what calls Form.svae?") == (
        "the code graph has nothing called 'Form.svae'. Did you mean web/forms.py:Form.save?"
    )
    for query in ("who calls me at night", "how does water work", "what uses the hub"):
        assert missing_note(code.current().graph, query) == ""
