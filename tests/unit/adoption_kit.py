"""Projects with collections of records in several forms, adopted where they lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from autology.core.nodes.graph import Graph
from autology.model.node import Node
from autology.settings import adopt_records
from autology.wire.project import Project

TITLES = (
    "Keep orders in PostgreSQL",
    "Send mail through a queue",
    "Cache prices in memory",
    "Sign releases",
    "Log as JSON",
)
STATES = ("Accepted", "Accepted", "Proposed", "Accepted", "Rejected")


def nygard(number: int, title: str, state: str) -> str:
    return (
        f"# {number}. {title}\n\nDate: 2019-03-0{number}\n\n## Status\n\n{state}\n\n## Context\n\nWhy {title}.\n\n"
        f"## Decision\n\nWe do: {title}.\n\n## Consequences\n\nSome of them.\n"
    )


def madr(number: int, title: str, state: str) -> str:
    return (
        f"---\nstatus: {state.lower()}  # as voted\ndate: 2021-05-0{number}\n---\n# {title}\n\n"
        f"## Context and Problem Statement\n\nWhy {title}.\n\n## Considered Options\n\n* one\n* two\n\n"
        f"## Decision Outcome\n\nChosen option: one, for {title}.\n"
    )


def lines(number: int, title: str, state: str) -> str:
    return (
        f"# ADR-{number:04}: {title}\r\n\r\n* Status: {state.lower()}\r\n* Date: 2020-01-0{number}\r\n\r\n"
        f"## Context\r\n\r\nWhy {title}.\r\n\r\n## Decision\r\n\r\nWe do: {title}.\r\n"
    )


def pep(number: int, title: str, state: str) -> str:
    return (
        f"PEP: {number}\nTitle: {title}\nAuthor: Ada <ada@example.org>\nStatus: {state}\nType: Informational\n"
        f"Created: 0{number}-Jan-2015\n\n\nAbstract\n========\n\nWhy {title}.\n\n\nRationale\n=========\n\nBecause.\n"
    )


def asciidoc(number: int, title: str, state: str) -> str:
    return (
        f"= {number}. {title}\n\nDate: 2018-06-0{number}\n\n== Status\n\n{state}\n\n== Context\n\nWhy {title}.\n\n"
        f"== Decision\n\nWe do: {title}.\n\n== Consequences\n\nSome.\n"
    )


def table(number: int, title: str, state: str) -> str:
    return (
        f"# RFC {number}: {title}\n\n| Field | Value |\n|:--|:--|\n| **Status** | {state} |\n"
        "| **Author(s)** | Ada, Grace |\n"
        f"| **Updated** | 2022-02-0{number} |\n\n## Objective\n\n{title}.\n\n## Motivation\n\nWhy {title}.\n\n"
        "## Design Proposal\n\nThis way.\n"
    )


def kep(number: int, title: str, state: str) -> str:
    return f"# KEP-{number}: {title}\n\n## Summary\n\n{title}.\n\n## Motivation\n\nWhy.\n\n## Proposal\n\nThis way.\n"


def kep_yaml(number: int, title: str, state: str) -> str:
    word = {"Accepted": "implemented", "Proposed": "provisional", "Rejected": "withdrawn"}[state]
    lines = f'title: "{title}"\nkep-number: {number}\nauthors:\n  - "@ada"\n'
    return f"{lines}status: {word}\ncreation-date: 2020-04-0{number}\n"


Form = Callable[[int, str, str], str]
FORMS: Mapping[str, tuple[str, Form]] = {
    "nygard": ("docs/adr/{number:04}-{slug}.md", nygard),
    "madr": ("docs/decisions/{number:04}-{slug}.md", madr),
    "lines": ("adr/ADR-{number:04}-{slug}.md", lines),
    "pep": ("peps/pep-{number:04}.rst", pep),
    "asciidoc": ("doc/adr/{number:04}-{slug}.adoc", asciidoc),
    "table": ("rfcs/{number:04}-{slug}.md", table),
    "kep": ("keps/{number:04}-{slug}/README.md", kep),
}


def write(root: Path, *forms: str) -> list[str]:
    """Write a collection in each of *forms* below *root*; return the records' main paths."""
    paths = []
    for form in forms:
        for path, text in collection(form):
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode())
            if not path.endswith(".yaml"):
                paths.append(path)
    return paths


def collection(form: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each file of a collection."""
    pattern, make = FORMS[form]
    for number, (title, state) in enumerate(zip(TITLES, STATES, strict=True), 1):
        path = pattern.format(number=number, slug=title.lower().replace(" ", "-"))
        yield path, make(number, title, state)
        if form == "kep":
            yield path.replace("README.md", "kep.yaml"), kep_yaml(number, title, state)


def adopted(root: Path, *forms: str) -> Graph:
    """Return the graph of a new project at *root* with an adopted collection in each of *forms*."""
    write(root, *forms)
    return opened(root, sorted(map(folder_of, forms)))


def folder_of(form: str) -> str:
    """Return the folder of a collection."""
    return FORMS[form][0].partition("/{")[0].partition("/pep-")[0].partition("/ADR")[0]


def opened(root: Path, folders: list[str] | None = None) -> Graph:
    """Return the graph of the project at *root*, as another process would open it; *folders* are adopted first."""
    project = Project(str(root))
    project.graph.files.create()
    if folders:
        adopt_records(str(root), folders)
    project.graph.refresh()
    return project.graph


def node_at(graph: Graph, path: str) -> Node:
    """Return the node of the record at *path*, as the next answer has it."""
    assert graph.records is not None
    graph.refresh()
    return graph.stored(graph.source(graph.records.id_of(path))).entry


def texts(root: Path) -> dict[str, bytes]:
    """Return the bytes of every file outside ``.autology``."""
    files = (
        file
        for file in root.rglob("*")
        if file.is_file() and ".autology" not in file.parts and ".git" not in file.parts
    )
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files}
