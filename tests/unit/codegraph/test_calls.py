"""What counts as a call, wherever it stands, and which methods override which."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from autology.codegraph.graph import CodeMap, LinkType
from autology.codegraph.languages import python
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.resolution.resolver import Resolver
from autology.wire.project import Project
from tests.unit.cli_kit import autology, run_json


def code(**files: str) -> CodeMap:
    """The graph of files, by their names without ending."""
    return Resolver().resolve({f"{name}.py": python.parse(dedent(text)) for name, text in files.items()})


def links(made: CodeMap, type: LinkType = LinkType.CALLS) -> set[tuple[str, str]]:
    return {(link.source.name, link.target.name) for link in made.links if link.type is type}


# ---- wherever a call stands ----------------------------------------------------------------------------


def test_defaults_and_decorators_are_calls_of_the_function_that_they_belong_to() -> None:
    made = code(
        web="""
        def Depends(call): ...
        def session(): ...
        def traced(call): ...
        class App:
            def get(self, path): ...
        app = App()

        @app.get("/")
        @traced
        def index(x=Depends(session), *, y=Depends(session)): ...

        class View:
            @traced
            def show(self, x=Depends(session)): ...
        """
    )
    wanted = {("index", "App.get"), ("index", "traced"), ("index", "Depends")}
    wanted |= {("View.show", "traced"), ("View.show", "Depends"), ("", "App")}
    assert links(made) == wanted
    assert {("index", "session"), ("View.show", "session")} <= links(made, LinkType.USES)


def test_the_names_in_defaults_and_decorators_are_those_outside_of_the_function() -> None:
    made = code(
        a="""
        def go(): ...
        class A:
            def make(): ...
            def run(self, go=go(), own=make()): ...
            @make
            def other(self, make): ...
        def one(go=go()):
            go()
        """
    )
    assert links(made) == {("A.run", "go"), ("A.run", "A.make"), ("A.other", "A.make"), ("one", "go")}


def test_calls_in_annotations_class_bodies_comprehensions_lambdas_and_f_strings_are_calls() -> None:
    made = code(
        a="""
        from typing import Annotated, Literal
        def go(it=None): ...
        def stop(): ...
        class A:
            field: int = go()
            other = go()
        def annotated(x: Annotated[int, go(stop)]): ...
        def quoted(x: "Annotated[int, go()]", y: list["A"], z: Literal["stop"]): ...
        def listed(): return [go(x) for x in range(3) if go()]
        def lazy(): return lambda x=go(): stop()
        def said(): return f"{go()!r:>{stop()}}"
        def based():
            class B(list[go()], metaclass=stop()): ...
        """
    )
    wanted = {("A", "go"), ("annotated", "go"), ("quoted", "go"), ("listed", "go"), ("lazy", "go"), ("lazy", "stop")}
    wanted |= {("said", "go"), ("said", "stop"), ("based.B", "go"), ("based.B", "stop")}
    assert links(made) == wanted
    uses = links(made, LinkType.USES)
    assert {("annotated", "stop"), ("quoted", "A")} <= uses
    assert ("quoted", "stop") not in uses


def test_reading_a_property_calls_it() -> None:
    made = code(
        shop="""
        from functools import cached_property
        import functools
        class Shop:
            @property
            def name(self): return self.title
            @cached_property
            def title(self): ...
            @functools.cached_property
            def open(self): ...
            @name.setter
            def name(self, value): ...
            def plain(self): ...
        class Corner(Shop): ...
        def one(shop: Shop): return shop.name.upper()
        def two(shop: Corner): return [shop.title for _ in range(3)]
        def three(shop: Shop): return f"{shop.open}"
        def four(shop: Shop): shop.plain
        """
    )
    wanted = {("Shop.name", "Shop.title"), ("one", "Shop.name"), ("two", "Shop.title"), ("three", "Shop.open")}
    assert links(made) == wanted
    assert ("four", "Shop.plain") in links(made, LinkType.USES)


# ---- overriding -------------------------------------------------------------------------------------------

BASE = """
from typing import Protocol

class Port(Protocol):
    def read(self): ...
    def write(self): ...

class Top:
    def go(self): ...
    def stop(self): ...
    def __hidden(self): ...
    def __len__(self): ...

class Middle(Top):
    def stop(self): ...

class Other:
    def go(self): ...
"""
LOW = """
from base import Middle, Other, Port, Top

class Low(Middle, Other):
    def go(self): ...
    def stop(self): ...
    def __hidden(self): ...
    def __len__(self): ...
    go_on = 1

class Lowest(Low):
    def go(self): ...

class Shaped:
    def read(self): ...
    def write(self): ...

def use(top: Top):
    top.go()

def own(low: Lowest):
    low.go()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".autology").mkdir()
    (tmp_path / "base.py").write_text(BASE, encoding="utf-8")
    (tmp_path / "low.py").write_text(LOW, encoding="utf-8")
    return tmp_path


def code_answer(project: Path, query: str) -> CodeAnswer:
    hits = Project(str(project)).code.answer(query)
    assert hits is not None
    return hits


def test_a_method_overrides_the_nearest_of_its_name_in_each_base_in_other_files_too() -> None:
    assert links(code(base=BASE, low=LOW), LinkType.OVERRIDES) == {
        ("Middle.stop", "Top.stop"),
        ("Low.go", "Top.go"),
        ("Low.go", "Other.go"),
        ("Low.stop", "Middle.stop"),
        ("Low.__len__", "Top.__len__"),
        ("Lowest.go", "Low.go"),
        ("Shaped.read", "Port.read"),
        ("Shaped.write", "Port.write"),
    }


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("what overrides Top.go?", {("Low.go", "Top.go", 1), ("Lowest.go", "Low.go", 2)}),
        ("who overrides `Middle.stop`", {("Low.stop", "Middle.stop", 1)}),
        ("overrides of Top.stop", {("Middle.stop", "Top.stop", 1), ("Low.stop", "Middle.stop", 2)}),
        ("which methods override Port.read", {("Shaped.read", "Port.read", 1)}),
        (
            "what does Lowest.go override",
            {("Lowest.go", "Low.go", 1), ("Low.go", "Top.go", 2), ("Low.go", "Other.go", 2)},
        ),
        ("where is Other.go overridden", {("Low.go", "Other.go", 1), ("Lowest.go", "Low.go", 2)}),
        ("what overrides Lowest.go", set()),
    ],
)
def test_overriding_and_overridden_methods_are_listed(
    project: Path, query: str, wanted: set[tuple[str, str, int]]
) -> None:
    hits = code_answer(project, query)
    assert {(each.link.source.name, each.link.target.name, each.distance) for each in hits.links} == wanted


def test_callers_of_an_overridden_method_are_callers_of_its_overrides(project: Path) -> None:
    result = code_answer(project, "what calls Lowest.go")
    assert {(each.link.source.name, each.through and each.through.name) for each in result.links} == {
        ("own", None),
        ("use", "Top.go"),
    }
    assert {each.link.source.name for each in code_answer(project, "what calls Top.go").links} == {"use"}


def test_the_command_line_tells_overrides_both_ways(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert autology("graph", "--code", "Low.go", project=project) == 0
    shown = capsys.readouterr().out
    assert "low.py:Low.go —[OVERRIDES]→ base.py:Top.go (line 5, by imports)" in shown
    assert "low.py:Lowest.go —[OVERRIDES]→ low.py:Low.go (line 12, by same file)" in shown
    result = run_json(capsys, "graph", "--code", "what overrides Top.go", project=project)
    assert result["asked"] == "overridden by"
    assert [(link["type"], link.get("distance", 1)) for link in result["links"]] == [("OVERRIDES", 1), ("OVERRIDES", 2)]


def test_users_of_a_class_leave_out_other_overrides_of_its_base(tmp_path: Path) -> None:
    text = "class A:\n    def go(self): ...\nclass B(A):\n    def go(self): ...\nclass C(A):\n    def go(self): ...\n"
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    assert code_answer(tmp_path, "what uses B").links == ()
