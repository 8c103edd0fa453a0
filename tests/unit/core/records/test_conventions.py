"""How a collection's convention is inferred, and its records read by it."""

from __future__ import annotations

import re

import pytest

from autology.core.records.collection import Correction, Location
from autology.core.records.corrections import corrections
from autology.model.node import DecisionStatus
from autology.text.records.outline import Place
from tests.unit.core.records.records_kit import adr, adrs, located, records

PEP = (
    "PEP: {0}\nTitle: {1}\nAuthor: Ada Miller <ada@example.org>,\n        Bo Weaver <bo@example.org>\nStatus: {2}\n"
    "Type: Process\nCreated: 0{0}-Mar-2019\n{3}\n\n"
    "Abstract\n========\n\nText.\n\nRationale\n=========\n\nText.\n"
)


def peps(*more: str) -> dict[str, str]:
    states = ("Final", "Draft", "Withdrawn")
    return {
        f"peps/pep-000{at}.rst": PEP.format(
            at, f"On wheel {at}", states[at - 1], more[at - 1] if at <= len(more) else ""
        )
        for at in range(1, 4)
    }


def test_a_header_block_gives_number_title_status_date_and_authors() -> None:
    (collection,) = located(peps()).collections
    first = collection.records[0]
    assert (first.number, first.title, first.status, first.date) == (1, "On wheel 1", "accepted", "2019-03-01")
    assert first.authors == ("Ada Miller <ada@example.org>", "Bo Weaver <bo@example.org>")
    assert collection.form == "rst"
    assert collection.convention.places["status"][0].location == Location(Place.HEADER, "Status")
    assert [(one.count, one.of) for one in collection.convention.places["date"]] == [(3, 3)]


def test_a_value_is_found_at_its_exact_place_with_any_line_ends() -> None:
    files = {path: text.replace("\n", "\r\n") for path, text in adrs().items()}
    for path, record in records(files).items():
        for name in ("status", "date"):
            found_at = record.located[name]
            assert files[path][found_at.start : found_at.stop] == found_at.value
        assert files[path][record.located["status"].start :].startswith("Accepted")


def test_headings_that_most_records_have_are_sections_and_not_titles() -> None:
    form = "# Summary\n\nx\n\n# Motivation\n\nx\n\n# Drawbacks\n\nx\n\n# Unresolved questions\n"
    files = {f"text/000{at}-{name}-gates.md": form for at, name in enumerate(("sluice", "weir", "race"), 1)}
    assert [record.title for record in records(files).values()] == ["Sluice gates", "Weir gates", "Race gates"]


@pytest.mark.parametrize(
    ("heading", "name", "title"),
    [
        ("RFC {0}: Grind by {1}", "{0:04}-{1}.md", "Grind by water"),
        ("RFD {0} Grind by {1}", "{0:04}-{1}.md", "Grind by water"),
        ("{0}. Grind by {1}", "{0:04}-{1}.md", "Grind by water"),
        ("A{0}: Grind by {1}", "A{0}-{1}.md", "Grind by water"),
        ("Mill RFC #{0} - 2020-02-03 - Grind by {1}", "2020-02-03-{0:04}-{1}.md", "Grind by water"),
        ("{0} wheels of {1}", "adr-{1}.md", "1 wheels of water"),
        ("Proposal: Grind by {1}", "{0:04}-{1}.md", "Grind by water"),
    ],
)
def test_a_title_loses_the_number_that_its_collection_writes(heading: str, name: str, title: str) -> None:
    body = "\n\n## Status\n\nAccepted\n\n## Context\n\n## Decision\n\n## Consequences\n"
    words = ("water", "wind", "steam", "oxen")
    files = {
        f"docs/adr/{name.format(at, word)}": f"# {heading.format(at, word)}{body}" for at, word in enumerate(words, 1)
    }
    assert title in {record.title for record in records(files).values()}


def test_a_collection_that_never_states_a_status_counts_as_accepted() -> None:
    form = "# Grind by {0}\n\n- Start Date: 2020-01-02\n\n## Motivation\n\n## Drawbacks\n\n## Alternatives\n"
    files = {f"rfcs/000{at}-{name}.md": form.format(name) for at, name in enumerate(("water", "wind", "oxen"), 1)}
    assert {(record.status, record.status_word) for record in records(files).values()} == {("accepted", None)}


def test_an_unknown_word_is_kept_and_means_nothing() -> None:
    files = {**adrs(), "docs/adr/0004-odd.md": adr(4, "Odd", "Fermenting")}
    odd = records(files)["docs/adr/0004-odd.md"]
    assert (odd.status, odd.status_word) == (None, "Fermenting")


def test_a_word_that_projects_use_differently_means_what_the_collection_says() -> None:
    files = {
        f"keps/000{at}-{name}.md": f"# {name}\n\n- Status: implementable\n\n## Motivation\n\n## Goals\n"
        for at, name in enumerate(("water", "wind", "oxen"), 1)
    }
    assert {record.status for record in records(files).values()} == {DecisionStatus.PROPOSED}
    files["keps/README.md"] = (
        "# States\n\n- `implementable`: the owners have approved it.\n- `provisional`: under discussion.\n"
    )
    (collection,) = located(files).collections
    assert {record.status for record in collection.records} == {DecisionStatus.ACCEPTED}
    assert collection.convention.states[0].source == "keps/README.md"


@pytest.mark.parametrize(
    ("labels", "statuses"),
    [
        (("Status", "Kontext", "Entscheidung", "Konsequenzen"), ("Akzeptiert", "Vorgeschlagen", "Ersetzt durch ADR-1")),
        (("Statut", "Contexte", "Décision", "Conséquences"), ("Acceptée", "Proposée", "Remplacée par ADR-1")),
        (("Estado", "Contexto", "Decisión", "Consecuencias"), ("Aceptada", "Propuesta", "Reemplazada por ADR-1")),
        (("Estado", "Contexto", "Decisão", "Consequências"), ("Aceito", "Proposto", "Substituído por ADR-1")),
        (("Статус", "Контекст", "Решение", "Последствия"), ("Принято", "Предложено", "Заменено ADR-1")),
        (("状态", "背景", "决策", "后果"), ("已接受", "提议", "已被取代")),
        (("ステータス", "背景", "決定", "影響"), ("承認済み", "提案", "置き換え")),
        (("상태", "맥락", "결정", "결과"), ("승인됨", "제안됨", "대체됨")),
    ],
)
def test_records_are_read_in_eight_more_languages(labels: tuple[str, ...], statuses: tuple[str, ...]) -> None:
    status, *sections = labels
    files = {
        f"docs/adr/000{at}-mill.md": f"# {at}. Mill {at}\n\n## {status}\n\n{word}\n\n"
        + "".join(f"## {one}\n\nx\n\n" for one in sections)
        for at, word in enumerate(statuses, 1)
    }
    assert [record.status for record in records(files).values()] == ["accepted", "proposed", "superseded"]


@pytest.mark.parametrize("kind", ["Meta", "Organizational"])
def test_nothing_is_missing_from_a_record_about_the_process_nor_an_abstract_from_any(kind: str) -> None:
    head = "---\ntitle: {0}\nnumber: {1}\nstatus: accepted\ntype: {2}\n---\n\n"
    text = f"{head}{{3}}## Motivation\n\nx\n\n## Drawbacks\n\nSlow, all.\n"
    files = {f"sips/sip-{at}.md": text.format(f"Stone {at}", at, "Core", "## Abstract\n\nx\n\n") for at in range(1, 8)}
    files["sips/sip-8.md"] = text.format("Stone 8", 8, "Core", "")
    process = text.format("How to propose", 9, kind, "").replace("## Drawbacks\n\nSlow, all.\n", "")
    read = records({**files, "sips/sip-9.md": process})
    assert len(read) == 9
    assert {record.missing for record in read.values()} == {()}
    core = records({**files, "sips/sip-9.md": process.replace(kind, "Core")})
    assert core["sips/sip-9.md"].missing == ("Drawbacks",)


def test_sections_of_most_accepted_records_are_the_schema_and_missing_ones_are_named() -> None:
    files = {**adrs(), "docs/adr/0004-bare.md": "# 4. Bare\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n"}
    (collection,) = located(files).collections
    assert collection.convention.schema == ("Context", "Decision", "Consequences")
    assert collection.records[-1].missing == ("Consequences",)


def test_the_configuration_corrects_places_states_and_sections() -> None:
    files = {
        path: text.replace("Accepted", "Baked").replace("Date:", "Reviewed: 2024-05-06\n\nDate:")
        for path, text in adrs().items()
    }
    valid, problems = corrections({"docs/adr": {"states": {"baked": "accepted"}, "sections": ["Context"]}})
    assert problems == []
    (collection,) = located(files, valid).collections
    assert {record.status for record in collection.records} == {DecisionStatus.ACCEPTED}
    assert collection.convention.schema == ("Context",)


def test_a_correction_that_is_not_valid_is_named_with_what_would_be() -> None:
    valid, problems = corrections({"docs/adr": {"status": "nowhere"}, "docs/rfcs": "off"})
    assert valid == [Correction("docs/adr"), Correction("docs/rfcs", adopt=False)]
    assert problems == ["records: docs/adr: place: 'nowhere' is not one. Begin with one of: " + ", ".join(Place) + "."]


@pytest.mark.parametrize(
    ("value", "status"),
    [
        ("discontinued # FIXME: really? It doesn't look so.", "rejected"),
        ('"accepted" # since the vote', "accepted"),
        ("proposed", "proposed"),
    ],
)
def test_a_comment_behind_a_value_of_frontmatter_says_nothing(value: str, status: str) -> None:
    form = "---\nstage: {}\nstart-date: 2020-01-0{}\n---\n\n# Grind by {}\n\n## Motivation\n"
    files = {
        f"rfcs/000{at}-{name}.md": form.format(value, at, name) for at, name in enumerate(("water", "wind", "oxen"), 1)
    }
    assert {record.status for record in records(files).values()} == {status}


@pytest.mark.parametrize(
    "stamp", ["202405{0:02}132303", "202405{0:02}-132303", "2024-05-{0:02}T13-23-03", "202405{0:02}1323"]
)
def test_a_time_stamp_in_a_name_is_a_date_and_no_number(stamp: str) -> None:
    words = ("water", "wind", "oxen")
    body = "## Context and Problem Statement\n\nx\n\n## Considered Options\n\n## Decision Outcome\n\nx\n"
    files = {
        f"docs/decisions/{stamp.format(at)}-grind-by-{word}.md": f"# Grind by {word}\n\n{body}"
        for at, word in enumerate(words, 1)
    }
    assert [(record.number, record.date) for record in records(files).values()] == [
        (None, f"2024-05-{at:02}") for at in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("written", "date"),
    [("03.04.2019", "2019-04-03"), ("3.4.2019", "2019-04-03"), ("04.23.2019", "2019-04-23"), ("03/04/2019", None)],
)
def test_the_day_comes_first_in_a_date_with_dots(written: str, date: str | None) -> None:
    files = {path: re.sub(r"Date: .*", f"Datum: {written}", text) for path, text in adrs().items()}
    assert {record.date for record in records(files).values()} == {date}


def test_a_changelogs_first_entry_dates_a_record_without_a_date() -> None:
    log = "## Changelog\n\n- 2020-08-11: Reworded\n- 2020 Jul 9: Initial draft\n\n## Status"
    files = {path: re.sub(r"Date: .*\n\n## Status", log, text) for path, text in adrs().items()}
    assert {record.date for record in records(files).values()} == {"2020-07-09"}


def test_words_before_the_colons_of_a_few_titles_belong_to_the_titles() -> None:
    files = {
        path: re.sub(r"(?m)^# \d+\. ", "# Mill: " if at == 0 else "# ", text)
        for at, (path, text) in enumerate(adrs().items())
    }
    assert records(files)["docs/adr/0001-grind-by-water.md"].title == "Mill: Grind by water"


def test_a_name_field_that_says_that_there_is_none_is_no_title() -> None:
    head = "- Feature Name: {0}\n- Start Date: 2020-01-0{1}\n- RFC PR: #{1}\n\n# Summary\n\nx\n\n# Motivation\n\nx\n\n"
    names = ("not applicable", "N/A (unstable)", "To be determined")
    files = {
        f"text/000{at}-grind-more.md": head.format(name, at) + "# Drawbacks\n\nx\n" for at, name in enumerate(names, 1)
    }
    assert [record.title for record in records(files).values()] == ["Grind more"] * 3
