"""Collections of decision records are read whole: every text rebuilt, every supersession found."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath

import pytest

from autology.text.adr.record import Record
from tests.unit.collections_kit import COLLECTIONS, VAULT, assert_rebuilt, collection, links, read, supersessions

Files = Mapping[str, tuple[str, Record]]


@cache
def every_file() -> Files:
    files = read(COLLECTIONS)
    assert len(files) == 37
    return files


def records(name: str) -> dict[str, Record]:
    return {path: record for path, record in collection(every_file(), name).items() if record.is_record}


def test_every_text_is_rebuilt_and_every_title_fits() -> None:
    assert_rebuilt(every_file())
    assert_rebuilt(read(VAULT))


def test_the_collections_hold_the_line_ends_that_a_rebuilt_text_must_keep() -> None:
    texts = [text for text, _ in [*every_file().values(), *read(VAULT).values()]]
    assert sum("\r\n" in text for text in texts) == 2
    assert sum(not text.endswith("\n") for text in texts) == 2


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("hive-adrs", [1, 2, 3, 4, 5, 6]),
        ("library-adrs", [1, 2, 3, 4, 5, 6]),
        ("madr", [0, 1, 2, 3, 4, 5]),
        ("orchard-rfcs", [1, 2, 3, 4, 5, 6, 7]),
    ],
)
def test_records_are_distinguished_from_other_documents(name: str, numbers: list[int]) -> None:
    assert sorted(record.number or 0 for record in records(name).values()) == numbers


def test_templates_readmes_and_other_documents_are_no_records() -> None:
    others = {path for path, (_, record) in every_file().items() if not record.is_record}
    assert others == {
        *("library-adrs/opening-hours.md", "library-adrs/reservations.md", "library-adrs/user-roles.md"),
        *("madr/docs/README.md", "madr/docs/examples.md", "madr/docs/index.md"),
        *("madr/docs/decisions/adr-template.md", "madr/docs/decisions/index.md"),
        *("madr/template/0000-use-markdown-decision-records.md", "madr/template/README.md"),
        *("madr/template/adr-template-bare.md", "madr/template/adr-template.md"),
    }


def test_no_document_of_a_vault_is_taken_for_a_record() -> None:
    documents = read(VAULT)
    assert len(documents) == 12
    assert not any(record.is_record for _, record in documents.values())


def test_numbers_are_those_of_the_files() -> None:
    numbered = [record for _, record in every_file().values() if record.is_record]
    assert len(numbered) == 25
    assert all(f"{record.number:03}" in record.path for record in numbered)
    assert not any(
        record.title[0].isdigit() or record.title.startswith(("ADR", "Architecture Dec")) for record in numbered
    )


def test_titles_are_those_of_the_headings_without_number_and_name() -> None:
    titles = {path: record.title for path, (_, record) in every_file().items()}
    assert titles["hive-adrs/adr-003-radio-protocol.md"] == "Radio Protocol Between Hive and Gateway"
    assert titles["library-adrs/adr/0003-barcode-is-the-key.md"] == "The barcode is the key of a copy"
    assert titles["madr/docs/decisions/0004-cut-power-by-relay.md"] == "Cut the power by a relay"
    assert titles["orchard-rfcs/irrigation/0003-valve-timer.md"] == "Valve timer specification"


def test_every_supersession_is_found_and_none_made_up() -> None:
    assert supersessions(records("library-adrs")) == {("0005", "0002")}
    assert supersessions(records("orchard-rfcs")) == {("0007", "0003")}
    assert supersessions(records("madr")) == {("0004", "0002")}
    assert supersessions(records("hive-adrs")) == set()  # "supersedes some aspects of" leaves both standing.


def test_a_supersession_is_read_from_either_of_its_records() -> None:
    statements = {
        (PurePosixPath(path).name, kind)
        for name in ("library-adrs", "madr", "orchard-rfcs")
        for path, kind, _ in links(records(name))
        if kind != "relates_to"
    }
    assert statements == {
        ("0002-fines-by-the-day.md", "superseded_by"),  # ADR 5 merely links to it.
        ("0002-stop-at-door-contact.md", "superseded_by"),
        ("0004-cut-power-by-relay.md", "supersedes"),
        ("0003-valve-timer.md", "superseded_by"),
        ("0007-valve-by-moisture.md", "supersedes"),
    }


def test_partial_supersession_relates_with_its_sentence() -> None:
    record = records("hive-adrs")["hive-adrs/adr-006-quieter-radio.md"]
    assert {(link.kind, link.target[:7]) for link in record.links} == {
        ("relates_to", "adr-003"),
        ("relates_to", "adr-004"),
    }
    assert all("supersedes some aspects" in link.text for link in record.links)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hive-adrs", "2>1 3>2 4>2 4>3 6>3 6>4"),
        ("library-adrs", "2>5 3>1 4>2 5>2 6>3"),
        ("madr", "1>0 2>4 3>2 4>2"),
        ("orchard-rfcs", "2>1 3>2 3>7 4>3 5>2 6>5 7>3 7>4"),
    ],
)
def test_links_between_records_lead_to_them(name: str, expected: str) -> None:
    known = records(name)
    assert sorted(f"{known[path].number}>{known[other].number}" for path, _, other in links(known)) == expected.split()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("hive-adrs", "accepted proposed proposed proposed proposed proposed"),
        ("library-adrs", "accepted superseded accepted deprecated accepted proposed"),
        ("madr", "accepted accepted superseded rejected accepted proposed"),
        ("orchard-rfcs", "accepted accepted superseded accepted proposed rejected accepted"),
    ],
)
def test_statuses_are_read(name: str, expected: str) -> None:
    by_number = sorted(records(name).values(), key=lambda record: record.number or 0)
    assert [record.decision_status.value for record in by_number] == expected.split()


def test_the_words_of_a_status_are_kept() -> None:
    stated = {PurePosixPath(path).name[:8]: record.stated_status for path, (_, record) in every_file().items()}
    assert stated["adr-005-"] == "PROPOSED"
    assert stated["0004-rem"] == "Deprecated since 2024-05-02: the last readers without e-mail have one now"
    assert stated["0002-sto"] == "superseded by ADR-0004"
    assert stated["0003-val"] == "Superceded entirely by 0007-valve-by-moisture"
    assert stated["0007-val"] is None


def test_dates_and_tags_are_read() -> None:
    assert [record.date for record in records("library-adrs").values()] == [
        *("2022-01-17", "2022-02-03", "2022-03-28", "2022-09-05", "2023-11-20", "2024-02-12"),
    ]
    curves = records("madr")["madr/docs/decisions/0001-burn-curves-as-yaml.md"]
    assert (curves.date, curves.tags) == ("2024-03-11", ("firing", "file format"))
    assert records("madr")["madr/docs/decisions/0005-log-to-card.md"].date is None
