"""Code that nothing refers to: what is told and why, and what is left out because something may refer to it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from autology.codegraph.languages import python
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.queries.questions import QuestionKind, parse_question
from autology.codegraph.queries.unused import find_unused
from autology.codegraph.resolution.resolver import Resolver
from autology.wire.project import Project
from tests.fakes import parsers
from tests.fakes.sources import program
from tests.unit.cli_kit import autology, run_json


def unused(files: dict[str, str]) -> tuple[dict[str, str], dict[str, int]]:
    """What nothing refers to in *files*, with why; and how much was left out, by what it is."""
    texts = {path: dedent(text) for path, text in files.items()}
    read = {path: python.parse(text) for path, text in texts.items() if path.endswith(".py")}
    content = find_unused(Resolver().resolve(read), read, texts.items())
    return {str(each.symbol): each.reason for each in content.unused}, dict(content.left_out)


def names(**files: str) -> set[str]:
    """The names of what nothing refers to in files, by their names without ending."""
    content, _ = unused({f"{name}.py": text for name, text in files.items()})
    return {each.partition(":")[2] for each in content}


# ---- what is told ------------------------------------------------------------------------------------------


def test_unused_code_is_listed_private_definitions_first() -> None:
    result, _ = unused(
        {
            "a.py": """
            class Used:
                def called(self): ...
                def never(self): ...
            class Left:
                def inside(self): ...
            def go():
                Used().called()
                def within(): ...
            def _helper(): ...
            def again(): again()
            go()
            """
        }
    )
    assert result == {
        "a.py:_helper": "private, and nothing in the project names it",
        "a.py:again": "only it refers to itself",
        "a.py:Used.never": "nothing in the project names it; code outside of it could, as it is public",
        "a.py:Left": "nothing in the project names it; code outside of it could, as it is public",
        "a.py:go.within": "nothing in the project names it; code outside of it could, as it is public",
    }
    assert next(iter(result)) == "a.py:_helper"


def test_the_same_name_elsewhere_is_no_use_of_a_function() -> None:
    assert names(
        a="def close(): ...\ndef path(): ...\ndef remove(): ...\n",
        b="import os\ndef close(): ...\ndef run(path, remove=1):\n    close()\n    os.remove(path)\nrun(1, remove=2)\n",
    ) == {"close", "path", "remove"}


def test_comments_and_docstrings_are_no_uses() -> None:
    assert names(a='def go():\n    """As stop does."""  # and stop\ndef stop(): ...\ngo()\n') == {"stop"}


# ---- what is left out ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("exported", "__all__ = ['go']\ndef go(): ...\n"),
        ("exported", "__all__ = ['A']\nclass A:\n    def go(self): ...\nA()\n"),
        ("decorated, so that something may call them", "app = object()\n@app.get('/')\ndef go(): ...\n"),
        ("decorated, so that something may call them", "import click\n@click.command\ndef go(): ...\n"),
        ("called by the language", "class A:\n    def __enter__(self): ...\nA()\n"),
        ("called by the language", "def __getattr__(name): ...\n"),
        ("entry points", "def main(): ...\n"),
        ("tests", "def test_go(): ...\n"),
        ("overrides", "class A:\n    def go(self): ...\nclass B(A):\n    def go(self): ...\nB()\nA().go()\n"),
        (
            "methods that another library or the language may call",
            "import ast\nclass A(ast.NodeVisitor):\n    def visit_Name(self): ...\nA()\n",
        ),
        (
            "methods that another library or the language may call",
            "class A(dict):\n    def update(self): ...\nA()\n",
        ),
        ("methods that another library or the language may call", "class A:\n    def write(self): ...\nA()\n"),
        (
            "methods that a protocol asks for",
            "from typing import Protocol\nclass A(Protocol):\n    def go(self): ...\ndef run(a: A): ...\nrun(1)\n",
        ),
        ("classes that another library, or their base, may look up", "from orm import Table\nclass A(Table): ...\n"),
        (
            "classes that another library, or their base, may look up",
            "class P:\n    def __init_subclass__(cls): ...\nclass A(P): ...\n",
        ),
        (
            "classes that another library, or their base, may look up",
            "class M(type): ...\nclass P(metaclass=M): ...\nclass A(P): ...\n",
        ),
        (
            "classes that another library, or their base, may look up",
            "class P: ...\nclass A(P): ...\nprint(P.__subclasses__())\n",
        ),
        (
            "named where it is not known what is meant",
            "class A:\n    def go(self): ...\ndef run(it): it.go\nrun(A())\n",
        ),
        ("named in a string, settings or templates", "def go(): ...\nprint(globals()['go'])\n"),
        ("named in a string, settings or templates", "def go(): ...\nsource = 'x = go(1) + y'\n"),
        ("named in a string, settings or templates", "def go(): ...\nsource = '''\nx = go(1)\n'''\n"),
        (
            "may be named by a string that is put together",
            "class A:\n    def on_go(self): ...\n    def run(self, x): getattr(self, f'on_{x}')()\nA().run(1)\n",
        ),
        (
            "may be named by a string that is put together",
            "class A:\n    def go_now(self): ...\n    def run(self, x): getattr(self, x + '_now')()\nA().run(1)\n",
        ),
    ],
)
def test_possibly_referenced_code_is_left_out_of_unused_and_counted(reason: str, text: str) -> None:
    content, left_out = unused({"a.py": text})
    assert not content
    assert left_out[reason] >= 1


def test_settings_entry_points_templates_and_broken_files_name_code() -> None:
    text = "def run(): ...\ndef shown(): ...\ndef kept(): ...\ndef never(): ...\n"
    beside = {
        "pyproject.toml": "[project.scripts]\ntool = 'shop:run'\n",
        "page.html": "<p>{{ shown }}</p>\n",
        "broken.py": "from shop import kept\ndef (\n",
    }
    assert set(unused({"shop.py": text, **beside})[0]) == {"shop.py:never"}


def test_exported_definitions_are_never_listed_as_unused() -> None:
    files = {
        "shop/__init__.py": "from .store import Store, opened\n",
        "shop/store.py": """
        class Base:
            def load(self): ...
        class Store(Base):
            def save(self): ...
            def _hidden(self): ...
        def opened(): return Store()
        def other(): ...
        """,
    }
    result, left_out = unused(files)
    assert set(result) == {"shop/store.py:Store._hidden", "shop/store.py:other"}
    assert left_out == {"exported": 3}


def test_tests_folders_and_what_tools_read_by_name_are_left_out() -> None:
    text = "def go(): ...\n"
    files = {"tests/kit.py": text, "conftest.py": text, "docs/conf.py": text, "app/migrations/first.py": text}
    result, left_out = unused(files)
    assert not result
    assert left_out == {"tests": 2, "entry points": 2}


def test_properties_are_used_where_they_are_read_and_where_they_are_written() -> None:
    text = """
    class A:
        @property
        def read(self): ...
        @property
        def unread(self): ...
        @property
        def written(self): ...
        @written.setter
        def written(self, value): ...
    A().read
    """
    assert names(a=text) == {"A.unread"}


# ---- questions and fronts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("what is unused?", ()),
        ("unused code", ()),
        ("list all unused functions in src/shop.py", ("src/shop.py",)),
        ("which methods are never called in the class Store", ("Store",)),
        ("find dead code", ()),
        ("what code is not used anywhere", ()),
        ("which functions are unused in this project", ()),
    ],
)
def test_questions_for_unused_code_may_say_where(query: str, named: tuple[str, ...]) -> None:
    requests = parse_question(query)
    assert requests is not None
    assert (requests.kind, requests.names) == (QuestionKind.UNUSED, named)


def test_other_mentions_of_unused_code_do_not_ask_for_it() -> None:
    for query in ("why did we remove the unused code", "yesterday we talked about dead code", "what is used"):
        requests = parse_question(query)
        assert requests is None or requests.kind is not QuestionKind.UNUSED


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in {
        "src/shop.py": "def _left(): ...\ndef submit(): ...\nclass Store:\n    def never(self): ...\n",
        "src/web.py": "from shop import Store, submit\nsubmit(Store())\n\n\ndef other(): ...\n",
        "pyproject.toml": "[project]\nname = 'shop'\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    (tmp_path / ".autology").mkdir()
    return tmp_path


def code_answer(project: Path, query: str) -> CodeAnswer | None:
    return Project(str(project)).code.answer(query)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("what is unused", ["src/shop.py:_left", "src/shop.py:Store.never", "src/web.py:other"]),
        ("unused code in src", ["src/shop.py:_left", "src/shop.py:Store.never", "src/web.py:other"]),
        ("unused code in web.py", ["src/web.py:other"]),
        ("unused methods of Store", ["src/shop.py:Store.never"]),
        ("unused code in the class Store", ["src/shop.py:Store.never"]),
    ],
)
def test_unused_code_is_listed_for_everything_or_for_a_folder(project: Path, query: str, wanted: list[str]) -> None:
    hits = code_answer(project, query)
    assert hits is not None
    assert [str(each.symbol) for each in hits.unused] == wanted
    assert hits.links == ()


def test_unused_code_of_a_place_that_does_not_exist_is_no_answer(project: Path) -> None:
    assert code_answer(project, "unused code in the garden") is None


def test_the_command_line_lists_unused_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "--unused", project=project) == 0
    shown = capsys.readouterr().out
    assert "- src/shop.py:_left (function, line 1): private, and nothing in the project names it" in shown
    result = run_json(capsys, "graph", "--unused", "src/web.py", project=project)
    assert result["asked"] == "unused"
    assert result["about"] == [{"name": "src/web.py", "type": "file", "line": 1}]
    assert result["unused"] == [
        {
            "name": "src/web.py:other",
            "type": "function",
            "line": 5,
            "why": "nothing in the project names it; code outside of it could, as it is public",
        }
    ]
    assert autology("graph", "--unused", "wbe.py", project=project) == 1
    assert "Did you mean src/web.py?" in capsys.readouterr().err
    (project / "src" / "web.py").write_text("from shop import Store, submit\nsubmit(Store().never, _left)\n")
    assert run_json(capsys, "graph", "--unused", "src/web.py", project=project)["unused"] == []


def test_unused_code_of_other_languages_is_judged_by_mentions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_DATA_DIR", str(tmp_path / "data"))
    parsers.installed(tmp_path / "data")
    root = tmp_path / "project"
    files = {
        **program("Go"),
        "extra/extra.go": "package extra\n\nfunc left() {}\n\nfunc named() {}\n\n// named is for others\n",
        "web/a.ts": "export function offered() {}\n\nfunction hidden() {}\n\nfunction again() { again() }\n",
        "web/index.ts": "export function entrance() {}\n",
        "java/A.java": "class A {\n  @Handler\n  void handled() {}\n  private void lonely() {}\n}\nclass B { A a; }\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    (root / ".autology").mkdir()
    result = code_answer(root, "unused code")
    assert result is not None
    whys = {str(each.symbol): each.reason.partition(",")[0].partition(" ")[0] for each in result.unused}
    assert {"extra/extra.go:left", "web/a.ts:hidden", "web/a.ts:offered", "java/A.java:A.lonely"} <= set(whys)
    assert not {"extra/extra.go:named", "web/index.ts:entrance", "java/A.java:A.handled"} & set(whys)
    assert whys["web/a.ts:offered"] == "nothing"
    assert whys["web/a.ts:hidden"] == whys["java/A.java:A.lonely"] == whys["extra/extra.go:left"] == "private"
