"""A record that replaces another says so, and is named by the older one, as the records of its collection do."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.relate import relate, unrelate
from autology.core.nodes.undo import Undo
from autology.model.node import DecisionStatus
from tests.unit.adoption_kit import node_at, opened, texts

TITLES = (
    "Keep orders in PostgreSQL",
    "Send mail through a queue",
    "Cache prices in memory",
    "Sign releases",
    "Log as JSON",
    "Use Kafka for mail",
)


class Form(NamedTuple):
    """A collection in which record 3 replaces record 4, and what is written when 6 is said to replace 2."""

    name: str
    head: str
    """The head of a record with ``{status}``; ``{own}`` stands for the lines of the two that are linked."""
    states: Mapping[int, str]
    own: Mapping[int, str]
    older: list[str]
    newer: list[str]
    body: str = "{s} Context\n\nWhy {title}.\n\n{s} Decision\n\nWe do: {title}.\n\n{s} Consequences\n\nSome.\n"
    ending: str = "md"
    section: str = "##"


def name(number: int, ending: str = "md") -> str:
    return f"{number:04}-{TITLES[number - 1].lower().replace(' ', '-')}.{ending}"


N2, N3, N4, N6 = (name(number) for number in (2, 3, 4, 6))
NYGARD = "# {n}. {title}\n\nDate: 2019-03-0{n}\n\n## Status\n\n{status}\n\n"
MADR = "---\nstatus: {status}\ndate: 2021-05-0{n}\n{own}---\n# {title}\n\n"
LINES = "# ADR-{n:04}: {title}\n\n* Status: {status}\n{own}* Date: 2020-01-0{n}\n\n"
PEP = "PEP: {n}\nTitle: {title}\nAuthor: Ada <ada@example.org>\nStatus: {status}\nCreated: 0{n}-Jan-2015\n{own}\n\n"
TABLE = "# RFC {n}: {title}\n\n| Field | Value |\n|:--|:--|\n| **Status** | {status} |\n{own}| **Author** | Ada |\n\n"
EIP = "---\neip: {n}\ntitle: {title}\nauthor: Ada\nstatus: {status}\ncreated: 2020-01-0{n}\n{own}---\n\n"
ADOC = "= {n}. {title}\n\nDate: 2018-06-0{n}\n\n== Status\n\n{status}\n\n"
SECTION = "# {title}\n\n## Status\n\n{status}\n\n## Supersedes\n\n{own}\n\n"
LINKS = "\n## Links\n\n* [Talk](https://example.org/)\n{own}"
FORMS = [
    Form(
        "in the status section, as adr-tools does",
        NYGARD,
        {3: f"Accepted\n\nSupercedes [4. Sign releases]({N4})", 4: f"Superceded by [3. Cache prices in memory]({N3})"},
        {},
        ["-Accepted", f"+Superceded by [6. Use Kafka for mail]({N6})"],
        ["+", f"+Supercedes [2. Send mail through a queue]({N2})"],
    ),
    Form(
        "by numbers",
        NYGARD,
        {3: f"Accepted. Supersedes [ADR-4]({N4}).", 4: f"Superseded by [ADR-3]({N3})"},
        {},
        ["-Accepted", f"+Superseded by [ADR-6]({N6})"],
        ["-Accepted", f"+Accepted. Supersedes [ADR-2]({N2})."],
    ),
    Form(
        "on the older side only, in a frontmatter's status",
        MADR,
        {4: f'"superseded by [ADR-0003]({N3})"'},
        {},
        ["-status: accepted", f'+status: "superseded by [ADR-0006]({N6})"'],
        [],
    ),
    Form(
        "in fields of the frontmatter",
        MADR,
        {4: "superseded"},
        {4: "superseded_by: ADR-0003\n", 3: "supersedes: [ADR-0004]\n"},
        ["-status: accepted", "+status: superseded", "+superseded_by: ADR-0006"],
        ["+supersedes: [ADR-0002]"],
    ),
    Form(
        "as a labelled line",
        LINES,
        {4: "superseded"},
        {4: f"* Superseded by: [ADR-0003]({N3})\n", 3: f"* Supersedes: [ADR-0004]({N4})\n"},
        ["-* Status: accepted", "+* Status: superseded", f"+* Superseded by: [ADR-0006]({N6})"],
        [f"+* Supersedes: [ADR-0002]({N2})"],
    ),
    Form(
        "after the state",
        LINES,
        {4: f"superseded by [ADR-0003]({N3})", 3: f"accepted (supersedes [ADR-0004]({N4}))"},
        {},
        ["-* Status: accepted", f"+* Status: superseded by [ADR-0006]({N6})"],
        ["-* Status: accepted", f"+* Status: accepted (supersedes [ADR-0002]({N2}))"],
    ),
    Form(
        "in the header of a PEP",
        PEP,
        {4: "Superseded"},
        {4: "Superseded-By: 3\n", 3: "Replaces: 4\n"},
        ["-Status: Accepted", "+Status: Superseded", "+Superseded-By: 6"],
        ["+Replaces: 2"],
        "Abstract\n========\n\nWhy {title}.\n\nRationale\n=========\n\nBecause.\n",
        "rst",
    ),
    Form(
        "in the frontmatter of an EIP",
        EIP,
        {4: "Superseded"},
        {4: "superseded-by: 3\n", 3: "replaces: 4\n"},
        ["-status: Accepted", "+status: Superseded", "+superseded-by: 6"],
        ["+replaces: 2"],
    ),
    Form(
        "as a row",
        TABLE,
        {4: "Superseded"},
        {4: "| **Superseded by** | RFC 3 |\n", 3: "| **Supersedes** | RFC 4 |\n"},
        ["-| **Status** | Accepted |", "+| **Status** | Superseded |", "+| **Superseded by** | RFC 6 |"],
        ["+| **Supersedes** | RFC 2 |"],
    ),
    Form(
        "in AsciiDoc",
        ADOC,
        {
            3: f"Accepted\n\nSupersedes xref:{name(4, 'adoc')}[4. Sign releases]",
            4: f"Superseded by xref:{name(3, 'adoc')}[3. Cache prices in memory]",
        },
        {},
        ["-Accepted", f"+Superseded by xref:{name(6, 'adoc')}[6. Use Kafka for mail]"],
        ["+", f"+Supersedes xref:{name(2, 'adoc')}[2. Send mail through a queue]"],
        ending="adoc",
        section="==",
    ),
    Form(
        "in a section of its own",
        SECTION,
        {4: "Superseded by ADR-0003"},
        {number: "* ADR-0004" if number == 3 else "None" for number in range(1, 7)},
        ["-Accepted", "+Superseded by ADR-0006"],
        ["-None", "+* ADR-0002"],
    ),
    Form(
        "in a list of links",
        "# {title}\n\n* Status: {status}\n* Date: 2020-01-0{n}\n\n",
        {4: f"superseded by [ADR-0003]({N3})"},
        {3: f"* Supersedes [ADR-0004]({N4})\n"},
        ["-* Status: accepted", f"+* Status: superseded by [ADR-0006]({N6})"],
        [f"+* Supersedes [ADR-0002]({N2})"],
        f"## Context\n\nWhy {{title}}.\n\n## Decision\n\nWe do: {{title}}.\n{LINKS}",
    ),
    Form(
        "nowhere yet",
        NYGARD,
        {},
        {},
        ["-Accepted", f"+Superseded by [6. Use Kafka for mail]({N6})"],
        [],
    ),
]


def written(root: Path, form: Form) -> list[str]:
    """Write the collection, and return its records' paths."""
    paths = []
    lower = "status: {status}" in form.head.replace("eip: {n}", "{status}") or "* Status" in form.head
    lower = lower and "eip" not in form.head
    for number, title in enumerate(TITLES, 1):
        state = form.states.get(number, "accepted" if lower else "Accepted")
        values = {"n": number, "title": title, "status": state, "own": form.own.get(number, ""), "s": form.section}
        path = f"peps/pep-{number:04}.rst" if form.ending == "rst" else f"docs/adr/{name(number, form.ending)}"
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text((form.head + form.body).format(**values), encoding="utf-8")
        paths.append(path)
    return paths


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes], path: str) -> list[str]:
    """Return the lines that differ."""
    old, new = (some[path].decode().splitlines() for some in (before, after))
    return [line for line in list(difflib.unified_diff(old, new, n=0, lineterm=""))[2:] if line[:1] in "+-"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_both_records_say_it_and_no_longer_once_that_is_taken_back(tmp_path: Path, form: Form) -> None:
    paths = written(tmp_path, form)
    graph = opened(tmp_path, [paths[0].rpartition("/")[0]])
    before = texts(tmp_path)
    older, newer = node_at(graph, paths[1]), node_at(graph, paths[5])
    relate(graph, newer.id, older.id, "supersedes")
    after = texts(tmp_path)
    assert changed(before, after, paths[1]) == form.older
    assert changed(before, after, paths[5]) == form.newer
    expected = {path for path, lines in ((paths[1], form.older), (paths[5], form.newer)) if lines}
    assert {path for path in after if before[path] != after[path]} == expected
    again = opened(tmp_path)
    assert node_at(again, paths[1]).decision_status is DecisionStatus.SUPERSEDED
    assert [r.target for r in node_at(again, paths[5]).relations if r.type == "supersedes"] == [older.id]
    assert again.records is not None
    relate(again, newer.id, older.id, "supersedes", "once more")
    assert texts(tmp_path) == after
    unrelate(again, newer.id, older.id, "supersedes")
    assert texts(tmp_path) == before
    last = opened(tmp_path)
    assert [r for r in node_at(last, paths[5]).relations if r.type == "supersedes"] == []
    assert node_at(last, paths[1]).decision_status is DecisionStatus.ACCEPTED


def keps(root: Path) -> list[str]:
    paths = []
    for number, title in enumerate(TITLES, 1):
        folder = f"keps/sig-x/{name(number)[:-3]}"
        own = {
            3: f'replaces:\n  - "/keps/sig-x/{N4[:-3]}"\n',
            4: f'superseded-by:\n  - "/keps/sig-x/{N3[:-3]}"\n',
        }.get(number, "replaces: []\n")
        status = "replaced" if number == 4 else "implemented (1.2)"
        head = f'title: "{title}"\nkep-number: {number}\nauthors:\n  - "@ada"\nstatus: {status}\n'
        files = {
            "kep.yaml": f"{head}creation-date: 2020-04-0{number}\n{own}\n# The target\nstage: stable\n",
            "README.md": f"# KEP-{number}: {title}\n\n## Summary\n\n{title}.\n\n## Motivation\n\nWhy.\n",
        }
        (root / folder).mkdir(parents=True)
        for file, text in files.items():
            (root / folder / file).write_text(text, encoding="utf-8")
        paths.append(f"{folder}/README.md")
    return paths


def test_a_list_in_the_file_beside_the_text_is_filled_and_emptied_again(tmp_path: Path) -> None:
    paths = keps(tmp_path)
    graph = opened(tmp_path, ["keps"])
    before = texts(tmp_path)
    older, newer, first = (node_at(graph, paths[at]) for at in (1, 5, 0))
    relate(graph, newer.id, older.id, "supersedes")
    after = texts(tmp_path)
    second = [path.replace("README.md", "kep.yaml") for path in paths]
    assert changed(before, after, second[5]) == ["-replaces: []", "+replaces:", f'+  - "/keps/sig-x/{N2[:-3]}"']
    assert changed(before, after, second[1]) == [
        "-status: implemented (1.2)",
        "+status: replaced (1.2)",
        "+superseded-by:",
        f'+  - "/keps/sig-x/{N6[:-3]}"',
    ]
    relate(graph, newer.id, first.id, "supersedes")
    both = changed(before, texts(tmp_path), second[5])
    assert both[-2:] == [f'+  - "/keps/sig-x/{N2[:-3]}"', f'+  - "/keps/sig-x/{name(1)[:-3]}"']
    unrelate(graph, newer.id, first.id, "supersedes")
    assert texts(tmp_path) == after
    unrelate(graph, newer.id, older.id, "supersedes")
    assert texts(tmp_path) == before


def test_a_captured_record_names_what_it_replaces_and_undo_takes_all_back(tmp_path: Path) -> None:
    form = FORMS[0]
    paths = written(tmp_path, form)
    graph = opened(tmp_path, ["docs/adr"])
    before, undo = texts(tmp_path), Undo(graph)
    older = node_at(graph, paths[0])
    content = "## Context\n\nSlow.\n\n## Decision\n\nWe use SQLite.\n\n## Alternatives\n\nNone.\n"
    relations = (RequestedRelation("supersedes", older.id),)
    material = Material("Keep orders in SQLite", content, type="decision", relations=relations)
    _, step = undo.recorded(lambda: capture(graph, material, into="docs/adr"), lambda _: "")
    new = "docs/adr/0007-keep-orders-in-sqlite.md"
    text = (tmp_path / new).read_text(encoding="utf-8")
    assert f"\n## Status\n\nAccepted\n\nSupercedes [1. Keep orders in PostgreSQL]({name(1)})\n\n## " in text
    named = ["-Accepted", "+Superceded by [7. Keep orders in SQLite](0007-keep-orders-in-sqlite.md)"]
    assert changed(before, texts(tmp_path), paths[0]) == named
    assert step is not None
    undo.take_back(step.number)
    assert texts(tmp_path) == before


def test_what_a_person_wrote_stays_when_the_relation_is_removed(tmp_path: Path) -> None:
    paths = written(tmp_path, FORMS[0])
    graph = opened(tmp_path, ["docs/adr"])
    before = texts(tmp_path)
    third, fourth = node_at(graph, paths[2]), node_at(graph, paths[3])
    unrelate(graph, third.id, fourth.id, "supersedes")
    assert texts(tmp_path)[paths[2]] == before[paths[2]]
    assert [r for r in node_at(opened(tmp_path), paths[2]).relations if r.type == "supersedes"] == []
