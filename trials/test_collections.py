"""Real collections of decision records are read whole: every text rebuilt, every supersession found."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from autology.text.adr.record import Record
from tests.unit import collections_kit
from tests.unit.collections_kit import assert_rebuilt, links, read, supersessions
from trials.texts import CORPORA


@cache
def every_file() -> Mapping[str, tuple[str, Record]]:
    files = read(CORPORA)
    assert len(files) > 200
    return files


def collection(name: str) -> dict[str, Record]:
    return collections_kit.collection(every_file(), name)


def test_every_text_is_rebuilt_and_every_title_fits() -> None:
    assert_rebuilt(every_file())


@pytest.mark.parametrize(
    ("name", "count"), [("arachne-adrs", 17), ("content-publisher-adrs", 16), ("madr", 19), ("otel-oteps", 68)]
)
def test_records_are_distinguished_from_other_documents(name: str, count: int) -> None:
    assert sum(record.is_record for record in collection(name).values()) == count


def test_few_documents_of_a_handbook_are_taken_for_records() -> None:
    assert sum(record.is_record for record in collection("foam-docs").values()) <= 1


def test_numbers_are_those_of_the_files() -> None:
    numbered = [record for _, record in every_file().values() if record.is_record and record.number is not None]
    assert len(numbered) >= 120
    assert all(f"{record.number}" in record.path for record in numbered)
    assert not any(
        record.title[0].isdigit() or record.title.startswith(("ADR", "Architecture Dec")) for record in numbered
    )


def test_every_supersession_is_found_and_none_made_up() -> None:
    assert supersessions(collection("content-publisher-adrs")) == {("0014", "0006")}
    assert supersessions(collection("otel-oteps")) == {("0072", "0008")}
    assert supersessions(collection("madr")) == set()
    assert supersessions(collection("arachne-adrs")) == set()  # "supersedes some aspects of" leaves both standing.


def test_partial_supersession_relates_with_its_sentence() -> None:
    record = collection("arachne-adrs")["arachne-adrs/adr-017-simplify-chimera-model.md"]
    assert {(link.kind, link.target[:7]) for link in record.links} == {
        ("relates_to", "adr-015"),
        ("relates_to", "adr-016"),
    }
    assert all("supersedes some aspects" in link.text for link in record.links)


@pytest.mark.parametrize(("name", "least"), [("arachne-adrs", 14), ("content-publisher-adrs", 5), ("otel-oteps", 25)])
def test_links_between_records_lead_to_them(name: str, least: int) -> None:
    assert len(links(collection(name))) >= least


def test_statuses_and_dates_are_read() -> None:
    publisher = [record for record in collection("content-publisher-adrs").values() if record.is_record]
    assert all(record.date and record.stated_status for record in publisher)
    assert sum(record.decision_status == "superseded" for record in publisher) == 1
    assert sum(record.decision_status == "proposed" for record in collection("arachne-adrs").values()) == 16
    assert collection("otel-oteps")["otel-oteps/metrics/0008-metric-observer.md"].decision_status == "superseded"
