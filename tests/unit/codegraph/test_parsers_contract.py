"""What every language's facts promise, Python's own parser's like the others': one program, told alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from autology.codegraph.expressions import PATH
from autology.codegraph.facts import FUNCTION, METHOD, TYPES, FileFacts
from autology.codegraph.file_endings import LANGUAGES
from autology.codegraph.graph import CodeMap, LinkType
from autology.codegraph.languages import python
from autology.codegraph.parsing import reader
from autology.codegraph.parsing.installed import MANIFEST_PARSERS
from autology.codegraph.parsing.treesitter import MAX_LINE, TreeSitter
from autology.codegraph.resolution.resolver import Resolver
from tests.fakes.sources import PROGRAMS, program

PARSERS = TreeSitter("nowhere: the development environment has them")
READERS: dict[str, Callable[[str], FileFacts]] = {
    "Python": python.parse,
    **{each.name: PARSERS.parser(each) for each in LANGUAGES},
}
NAMES = tuple(PROGRAMS)
ENDINGS = {".py": "Python", **{ending: each.name for each in LANGUAGES for ending in each.endings}}
languages = pytest.mark.parametrize("language", NAMES)


def read(files: dict[str, str]) -> dict[str, FileFacts]:
    """The facts of each file, by what reads it."""
    made = {}
    for path, text in files.items():
        by_name = MANIFEST_PARSERS.get(path.rpartition("/")[2])
        made[path] = (by_name or READERS[ENDINGS[path[path.rindex(".") :]]])(text)
    return made


def graph(language: str) -> CodeMap:
    return Resolver().resolve(read(program(language)))


def plain(name: str) -> str:
    """The last part of a name, as all languages have it."""
    return name.rpartition(".")[2].lower().replace("open_db", "open")


def links(made: CodeMap, type: LinkType) -> set[tuple[str, str]]:
    return {(plain(link.source.name), plain(link.target.name)) for link in made.links if link.type is type}


def test_every_language_has_the_program() -> None:
    assert set(NAMES) == set(READERS)


@languages
def test_callers_are_found_in_the_file_and_across_files(language: str) -> None:
    result = links(graph(language), LinkType.CALLS)
    assert {("save", "open"), ("save", "helper"), ("run", "save"), ("start", "save")} <= result
    if language != "C":
        assert ("save", "ping") in result


@languages
def test_ambiguous_calls_are_reported_and_not_resolved(language: str) -> None:
    made = graph(language)
    assert not [link for link in made.links if link.type is LinkType.CALLS and plain(link.target.name) == "twin"]
    assert [(plain(each.source.name), plain(each.name), each.candidates) for each in made.ambiguous] == [
        ("run", "twin", 2)
    ]


@languages
def test_base_types_and_interfaces_are_found(language: str) -> None:
    made = graph(language)
    extended, implemented = links(made, LinkType.EXTENDS), links(made, LinkType.IMPLEMENTS)
    if language != "C":
        assert ("store", "base") in extended | implemented
    if language not in ("C", "C++", "JavaScript"):
        assert ("store", "saver") in extended | implemented


@languages
def test_files_import_files_and_functions_use_types(language: str) -> None:
    made = graph(language)
    imports = {(link.source.path, link.target.path) for link in made.links if link.type is LinkType.IMPORTS}
    importer = next(path for path in program(language) if path.lower().rpartition("/")[2].startswith(("app.", "main.")))
    assert any(source == importer for source, _ in imports)
    assert ("run", "store") in links(made, LinkType.USES)


@languages
def test_everything_is_defined_somewhere_and_once(language: str) -> None:
    made = graph(language)
    defined = [link.target for link in made.links if link.type is LinkType.DEFINES]
    assert sorted(defined) == sorted({symbol for symbol in made.symbols if symbol.name})
    own = [symbol for symbol in made.symbols if plain(symbol.name) == "save" and "Saver" not in symbol.name]
    assert len(own) == 1
    assert "go.mod" not in {symbol.path for symbol in made.symbols}


@languages
def test_facts_are_of_one_form(language: str) -> None:
    for path, facts in read(program(language)).items():
        assert not facts.fault, path
        for each in facts.definitions:
            assert each.kind in (*TYPES, FUNCTION, METHOD)
            assert 1 <= each.line <= each.end
            assert each.name
            assert not each.name.startswith(".")
            assert not each.name.endswith(".")
        assert all(use.value[0] in ("n", "a", "q") and use.line >= 1 for use in facts.uses)


@languages
def test_the_same_files_give_the_same_graph_whatever_their_order(language: str) -> None:
    facts = read(program(language))
    assert Resolver().resolve(facts) == Resolver().resolve(dict(reversed(facts.items())))


@languages
@pytest.mark.parametrize("text", ["", "\n", "\ufeff", "\0", "}}}}((((", "class", "👋 ünï", "a" * 100, "\x1b[0m\r\r\n"])
def test_parsing_text_that_is_not_source_code_does_no_harm(language: str, text: str) -> None:
    facts = READERS[language](text)
    assert facts.fault or not facts.definitions


@languages
def test_a_file_cut_off_anywhere_is_read_as_far_as_it_makes_sense(language: str) -> None:
    for path, text in program(language).items():
        if path.rpartition("/")[2] not in MANIFEST_PARSERS:
            for at in range(0, len(text), 61):
                Resolver().resolve({path: READERS[language](text[:at])})
                Resolver().resolve({path: READERS[language](text[at:])})


@languages
@pytest.mark.parametrize(
    "text",
    ["(" * 5_000, "{" * 5_000, "a(" * 1_500, "x = " + "a." * 500 + "b\n", "if (a) " * 1_500, "[" * 1_500 + "]" * 1_500],
    ids=["brackets", "braces", "calls", "members", "ifs", "lists"],
)
def test_deeply_nested_code_is_parsed(language: str, text: str) -> None:
    Resolver().resolve({"a" + next(e for e, name in ENDINGS.items() if name == language): READERS[language](text)})


def test_a_qualified_type_of_rust_is_a_reference_and_read_once() -> None:
    facts = READERS["Rust"]("pub fn show(f: &mut fmt::Formatter, m: std::collections::HashMap<A, B>) {}\n")
    paths = sorted("::".join(use.value[1]) for use in facts.uses if use.value[0] == PATH)
    assert paths == ["fmt::Formatter", "std::collections", "std::collections::HashMap"]


@pytest.mark.parametrize("language", NAMES[1:])
def test_a_file_with_too_many_expressions_is_read_to_its_end(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def names() -> dict[str, list[str]]:
        return {path: [each.name for each in facts.definitions] for path, facts in read(program(language)).items()}

    whole = names()
    monkeypatch.setattr(reader, "MAX_STEPS", 3)
    assert names() == whole


@pytest.mark.parametrize("language", NAMES[1:])
def test_bundles_are_not_looked_into(language: str) -> None:
    assert "written by a program" in READERS[language]("a;" * MAX_LINE).fault


@pytest.mark.parametrize("language", NAMES[1:])
def test_unparsable_source_code_is_reported_as_such(language: str) -> None:
    if language not in ("Ruby", "PHP"):  # to which nearly every text is a program
        assert f"nothing in it is {language}" in READERS[language](")\n)\n").fault


@languages
def test_a_change_is_resolved_as_if_everything_were_new(language: str) -> None:
    kept = Resolver()
    files = program(language)
    facts = read(files)
    assert kept.resolve(facts) == Resolver().resolve(facts)
    for path, text in files.items():
        lines = text.splitlines(keepends=True)
        for at in range(len(lines)):
            other = "".join([*lines[:at], *lines[at + 1 :]])
            for changed in (read({path: other}), read({path: "\n" + text}), read({path: text})):
                facts = {**facts, **changed}
                assert kept.resolve(facts) == Resolver().resolve(facts)
