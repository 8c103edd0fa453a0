"""The code graph: what calls, uses and makes up what, read without running anything, and open where nobody can know."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from textwrap import dedent

import pytest

from autology.codegraph.code_graph import CodeGraph
from autology.codegraph.graph import CodeMap, LinkType
from autology.codegraph.languages import python
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.queries.questions import QuestionKind, parse_question
from autology.codegraph.resolution.resolver import Resolver
from autology.wire.project import Project
from tests.unit.cli_kit import autology, git, repository, run_json

POSIX_ONLY = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def code(**files: str) -> CodeMap:
    """The graph of files, by their names without ending."""
    return Resolver().resolve({f"{name}.py": python.parse(dedent(text)) for name, text in files.items()})


def calls(made: CodeMap, type: LinkType = LinkType.CALLS) -> set[tuple[str, str]]:
    return {(str(link.source), str(link.target)) for link in made.links if link.type is type}


# ---- what calls what -----------------------------------------------------------------------------------


def test_a_call_leads_to_the_same_file_first_then_to_what_is_imported() -> None:
    made = code(
        a="def go(): ...\ndef run():\n    go()\n",
        b="from a import go as start\nimport a\n\ndef go(): ...\ndef run():\n    start()\n    go()\n    a.go()\n",
    )
    assert calls(made) == {("a.py:run", "a.py:go"), ("b.py:run", "a.py:go"), ("b.py:run", "b.py:go")}
    assert {link.evidence for link in made.links if link.type is LinkType.CALLS} == {"same file", "imports"}
    assert calls(made, LinkType.IMPORTS) == {("b.py", "a.py")}


def test_parameters_and_local_names_shadow_names_of_the_file() -> None:
    made = code(
        a="def go(): ...\ndef one(go):\n    go()\ndef two():\n    go = print\n    go()\ndef three():\n    go()\n"
    )
    assert calls(made) == {("a.py:three", "a.py:go")}


def test_methods_are_found_by_annotations_by_what_made_an_object_and_by_what_a_function_returns() -> None:
    made = code(
        shop="""
        from __future__ import annotations
        from dataclasses import dataclass

        class Stock:
            def count(self) -> int: ...

        @dataclass
        class Shop:
            stock: Stock
            other: list[Stock] | None = None

            @property
            def own(self) -> Stock:
                return self.stock

        def opened() -> Shop: ...
        def plain():
            return Stock()

        def annotated(shop: "Shop"):
            shop.stock.count()
        def made():
            it = Stock()
            it.count()
        def returned():
            opened().own.count()
        def untyped():
            plain().count()
        def each(shop: Shop):
            for one in shop.other:
                one.count()
            return [one.count() for one in shop.other]
        def given(count: Stock, stocks: dict[str, Stock]):
            stocks["a"].count()
            stocks.get("b").count()
        """
    )
    wanted = {"annotated", "made", "returned", "untyped", "each", "given"}
    result = {source.removeprefix("shop.py:") for source, target in calls(made) if target == "shop.py:Stock.count"}
    assert result == wanted


def test_a_method_is_that_of_the_nearest_base_and_super_leads_past_the_own() -> None:
    made = code(
        base="class Top:\n    def go(self): ...\n    def stop(self): ...\n",
        low="""
        from base import Top
        class Low(Top):
            def go(self):
                super().go()
                self.stop()
        def run(low: Low):
            low.go()
            low.stop()
        """,
    )
    assert calls(made) == {
        ("low.py:Low.go", "base.py:Top.go"),
        ("low.py:Low.go", "base.py:Top.stop"),
        ("low.py:run", "low.py:Low.go"),
        ("low.py:run", "base.py:Top.stop"),
    }
    assert calls(made, LinkType.EXTENDS) == {("low.py:Low", "base.py:Top")}


def test_an_unknown_object_leads_to_the_only_method_of_that_name_and_several_stay_open() -> None:
    made = code(
        a="class A:\n    def alone(self): ...\n    def twice(self): ...\n    def append(self): ...\n",
        b="class B:\n    def twice(self): ...\n",
        c="def run(it):\n    it.alone()\n    it.twice()\n    it.append(1)\n",
    )
    assert calls(made) == {("c.py:run", "a.py:A.alone")}
    assert [link.evidence for link in made.links if link.type is LinkType.CALLS] == ["unique name"]
    assert [(str(each.source), each.name, each.line, each.candidates) for each in made.ambiguous] == [
        ("c.py:run", "twice", 3, 2)
    ]


def test_calls_into_other_libraries_resolve_to_nothing_here() -> None:
    made = code(
        a="import os\nfrom json import loads\ndef remove(): ...\ndef run():\n    os.remove('x')\n    loads('1')\n"
    )
    assert calls(made) == set()
    assert made.ambiguous == ()


def test_packages_are_imported_from_their_folder_from_the_root_and_relatively() -> None:
    files = {
        "src/pack/__init__.py": "from .inner import go\n",
        "src/pack/inner.py": "def go(): ...\n",
        "src/pack/near.py": "from . import inner\nfrom .inner import go\ndef run():\n    inner.go()\n    go()\n",
        "src/pack/sub/__init__.py": "",
        "src/pack/sub/deep.py": "from ..inner import go\ndef run():\n    go()\n",
        "tool.py": "import pack\nfrom pack import go\nimport src.pack.inner\ndef run():\n    pack.go()\n    go()\n",
    }
    made = Resolver().resolve({path: python.parse(text) for path, text in files.items()})
    target = "src/pack/inner.py:go"
    sources = {"src/pack/near.py:run", "src/pack/sub/deep.py:run", "tool.py:run"}
    assert calls(made) == {(source, target) for source in sources}
    assert ("tool.py", "src/pack/inner.py") in calls(made, LinkType.IMPORTS)


def test_a_class_implements_a_protocol_that_it_names_or_whose_every_method_it_has() -> None:
    made = code(
        a="""
        from typing import Protocol
        class Port(Protocol):
            def read(self): ...
            def write(self): ...
        class Said(Port):
            def read(self): ...
        class Shaped:
            def read(self): ...
            def write(self): ...
        class Half:
            def read(self): ...
        """
    )
    assert calls(made, LinkType.IMPLEMENTS) == {("a.py:Said", "a.py:Port"), ("a.py:Shaped", "a.py:Port")}


def test_a_name_that_is_not_called_is_a_use() -> None:
    made = code(a="class A: ...\ndef go(): ...\ndef run(it: A) -> None:\n    map(go, [])\n")
    assert calls(made, LinkType.USES) == {("a.py:run", "a.py:A"), ("a.py:run", "a.py:go")}
    assert calls(made) == set()


def test_the_same_files_give_the_same_graph_whatever_their_order() -> None:
    files = {"a.py": python.parse("from b import go\ngo()\n"), "b.py": python.parse("def go(): ...\n")}
    assert Resolver().resolve(files) == Resolver().resolve(dict(reversed(files.items())))


@pytest.mark.parametrize(
    "text",
    ["def broken(:\n", "x = '\0'\n", "(" * 300, "\u2028def", "class A(:", "def f():\nreturn", "if 1:\n\t x\n        y"],
)
def test_a_file_that_cannot_be_parsed_says_so_and_stops_nothing(text: str) -> None:
    content = python.parse(text)
    assert content.fault or not content.definitions
    made = Resolver().resolve(
        {"bad.py": python.parse("def broken(:\n"), "good.py": python.parse("def go(): ...\ngo()\n")}
    )
    assert list(made.faults) == ["bad.py"]
    assert "line 1" in made.faults["bad.py"]
    assert calls(made) == {("good.py", "good.py:go")}


def test_circles_of_names_imports_and_bases_end() -> None:
    made = code(
        a="from b import x\nclass A(B): ...\nclass B(A): ...\ny = z\nz = y\ndef f(): return f()\nf().go()\nx()\n",
        b="from a import x\n",
    )
    assert ("a.py", "a.py:f") in calls(made)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "1 + " * 20_000 + "1\n",
        "x = a" + ".b" * 3_000 + "()\n",
        "".join(f"class C{n}(C{n - 1}):\n    def go{n}(self): self.go0()\n" for n in range(300)),
        "class A:\n    def __init__(self):\n"
        + "".join(
            f"        self.x{n % 7} = self.x{n * 3 % 7}.x{n * 5 % 7}() or self.x{(n + 1) % 7}\n" for n in range(99)
        ),
        "".join(f"def f{n}(a):\n    return f{n * 7 % 200}(a) or f{n * 3 % 200}(a).b\n" for n in range(200)),
        "".join(f"x{n} = x{n - 1}\n" for n in range(3_000)) + "x2999.go()\n",
    ],
    ids=["sum", "attributes", "classes", "circles", "returns", "names"],
)
def test_generated_code_is_resolved_quickly(text: str) -> None:
    Resolver().resolve({"a.py": python.parse(text)})


def test_parsing_code_does_not_execute_it(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    assert not python.parse(f"open({str(mark)!r}, 'w')\n").fault
    assert not mark.exists()


# ---- questions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "wish", "name"),
    [
        ("what calls Graph.refresh?", QuestionKind.CALLERS, "Graph.refresh"),
        ("who calls `refresh()`", QuestionKind.CALLERS, "refresh"),
        ("which functions call the retry policy", QuestionKind.CALLERS, "retry_policy"),
        ("what does core/nodes/graph.py import", QuestionKind.DEPENDENCIES, "core/nodes/graph.py"),
        ("what does refresh call", QuestionKind.CALLS, "refresh"),
        ("what uses the class MemoryIndex", QuestionKind.USERS, "MemoryIndex"),
        ("what depends on sync.plan", QuestionKind.USERS, "sync.plan"),
        ("what is affected by changes to refresh in Graph", QuestionKind.AFFECTED, "refresh"),
        ("structure of core/nodes/graph.py", QuestionKind.STRUCTURE, "core/nodes/graph.py"),
        ("how does the memory index work", QuestionKind.STRUCTURE, "memory_index"),
    ],
)
def test_a_question_about_code_is_parsed_into_its_kind_and_names(query: str, wish: QuestionKind, name: str) -> None:
    requests = parse_question(query)
    assert requests is not None
    assert requests.kind is wish
    assert name in requests.names


def test_questions_not_about_code_are_recognised() -> None:
    for query in ("why did we choose PostgreSQL", "yesterday's errors", "show me the parser"):
        assert parse_question(query) is None


# ---- a project -----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for path, text in {
        "src/orders.py": "class Store:\n    def save(self): ...\n\n\ndef submit(store: Store):\n    store.save()\n",
        "src/web.py": "from orders import submit\n\n\ndef post():\n    submit(None)\n",
        "src/made.py": "from orders import submit\nsubmit(None)\n",
        ".gitignore": "made.py\n",
        "docs/orders.md": "# Orders\n\nHow orders are submitted.\n",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return repository(root)


def code_answer(code: CodeGraph, query: str) -> CodeAnswer:
    hits = code.answer(query)
    assert hits is not None
    return hits


def sources(code: CodeGraph, query: str) -> list[str]:
    return [str(each.link.source) for each in code_answer(code, query).links]


def test_ignored_files_are_not_listed_as_callers(project: Path) -> None:
    code = Project(str(project)).code
    assert sources(code, "what calls submit") == ["src/web.py:post"]
    git(project, "mv", "src/web.py", "src/api.py")
    assert sources(code, "what calls submit") == ["src/api.py:post"]
    (project / "src" / "api.py").write_text("def post(): ...\n", encoding="utf-8")
    assert sources(code, "what calls submit") == []
    assert code.answer("what calls nothing_of_that_name") is None


def test_effects_of_a_change_and_the_structure_of_a_file_are_listed(project: Path) -> None:
    code = Project(str(project)).code
    affected = code_answer(code, "what is affected by changes to Store.save")
    assert [(str(each.link.source), each.distance) for each in affected.links] == [
        ("src/orders.py:submit", 1),
        ("src/web.py:post", 2),
    ]
    made_up = code_answer(code, "structure of orders.py")
    assert {str(each.link.target) for each in made_up.links} == {
        "src/orders.py:Store", "src/orders.py:Store.save", "src/orders.py:submit",
    }  # fmt: skip


def test_calls_through_a_protocol_count_as_calls_of_what_implements_it(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from typing import Protocol\n\n\nclass Port(Protocol):\n    def go(self): ...\n    def stop(self): ...\n\n\n"
        "class Real:\n    def go(self): ...\n    def stop(self): ...\n\n\ndef run(port: Port):\n    port.go()\n",
        encoding="utf-8",
    )
    [result] = code_answer(Project(str(tmp_path)).code, "what calls Real.go").links
    assert (str(result.link.source), str(result.through)) == ("a.py:run", "a.py:Port.go")


def test_reading_source_code_reports_progress(project: Path) -> None:
    (project / ".autology").mkdir()
    received: list[tuple[int, int]] = []
    made = Project(str(project)).code.current(lambda done, total: received.append((done, total)))
    files = sum(not symbol.name for symbol in made.graph.symbols)
    assert files > 1
    assert received == [(files, files), *((done, files) for done in range(1, files + 1))]
    assert list(made.graph.links) == sorted(made.graph.links)


def test_parsed_code_is_cached_and_a_damaged_cache_is_rebuilt(project: Path) -> None:
    (project / ".autology").mkdir()
    first = Project(str(project)).code.current().graph
    kept = project / ".autology" / "cache" / "index-code.sqlite"
    assert kept.exists()
    (project / "src" / "web.py").touch()
    assert Project(str(project)).code.current().graph == first
    whole = kept.read_bytes()
    for broken in (b"", b"no database\n" * 500, whole[: len(whole) // 2], whole.replace(b"src/", b"\xff\xfe//")):
        kept.write_bytes(broken)
        assert Project(str(project)).code.current().graph == first
    with sqlite3.connect(kept) as db:
        db.execute("UPDATE file SET facts = x'00'")
    db.close()
    assert Project(str(project)).code.current().graph == first
    with sqlite3.connect(kept) as db:
        assert db.execute("SELECT count(*) FROM file").fetchone() == (2,)
        db.execute("PRAGMA user_version = 99")
    db.close()
    assert Project(str(project)).code.current().graph == first


def test_files_too_large_or_of_another_encoding_are_named(project: Path) -> None:
    (project / "src" / "big.py").write_bytes(b"x = 1\n" * 200_000)
    (project / "src" / "latin.py").write_bytes(b"# caf\xe9\n")
    faults = Project(str(project)).code.current().graph.faults
    assert faults == {"src/big.py": "is larger than 1 MB", "src/latin.py": "is not UTF-8 (byte 5)"}


@POSIX_ONLY
def test_a_link_out_of_the_project_is_not_followed(project: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("def secret(): ...\n", encoding="utf-8")
    (project / "src" / "linked.py").symlink_to(tmp_path / "outside.py")
    (project / "far").symlink_to(tmp_path)
    assert Project(str(project)).code.answer("what calls secret") is None


def test_the_graph_command_answers_questions_about_code(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "--code", "what calls submit", project=project) == 0
    assert "src/web.py:post —[CALLS]→ src/orders.py:submit (line 5, by imports)" in capsys.readouterr().out
    result = run_json(capsys, "graph", "--code", "Store", project=project)
    assert result["about"] == [{"name": "src/orders.py:Store", "type": "class", "line": 1}]
    assert {link["type"] for link in result["links"]} == {"DEFINES", "USES", "CALLS"}
    assert autology("graph", "--code", "nobody", project=project) == 1
    assert "Name a function, class or file" in capsys.readouterr().err
