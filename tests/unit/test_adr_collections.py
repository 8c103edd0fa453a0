"""Real collections of decision records are read whole: every text rebuilt, every supersession found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
import yaml

from autology.text.adr.folders import find_record_folders
from autology.text.adr.record import Record, original, parse
from autology.text.adr.resolve import resolve

SHARED = Path(os.environ.get("AUTOLOGY_SHARED") or Path(__file__).parents[3] / "shared")
CORPORA = SHARED / "bench" / "corpora"


def front(text: str) -> Mapping[str, object]:
    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


@cache
def everything() -> dict[str, tuple[str, Record]]:
    """Every markdown file of the collections: its text and what was read from it, by path."""
    assert CORPORA.is_dir(), f"{CORPORA} is missing: set AUTOLOGY_SHARED to the folder that holds bench/corpora"
    found = {}
    for file in sorted(CORPORA.rglob("*.md")):
        path = file.relative_to(CORPORA).as_posix()
        text = file.read_bytes().decode("utf-8")
        found[path] = (text, parse(text, path, front))
    assert len(found) > 200
    return found


def collection(name: str) -> dict[str, Record]:
    return {path: record for path, (_, record) in everything().items() if path.startswith(name + "/")}


def test_every_text_is_rebuilt_and_every_title_fits() -> None:
    for path, (text, record) in everything().items():
        assert original(record.frontmatter, record.lead, record.content) == text, path
        assert 1 <= len(record.title) <= 100, path


@pytest.mark.parametrize(
    ("name", "count"), [("arachne-adrs", 17), ("content-publisher-adrs", 16), ("madr", 19), ("otel-oteps", 68)]
)
def test_the_records_are_told_from_the_other_documents(name: str, count: int) -> None:
    assert sum(record.is_record for record in collection(name).values()) == count


def test_few_documents_of_a_handbook_are_taken_for_records() -> None:
    assert sum(record.is_record for record in collection("foam-docs").values()) <= 1


def test_numbers_are_those_of_the_files() -> None:
    numbered = [record for _, record in everything().values() if record.is_record and record.number is not None]
    assert len(numbered) >= 120
    assert all(f"{record.number}" in record.path for record in numbered)
    assert not any(
        record.title[0].isdigit() or record.title.startswith(("ADR", "Architecture Dec")) for record in numbered
    )


def supersessions(name: str) -> set[tuple[str, str]]:
    """The (newer, older) pairs of a collection, by file number."""
    known = {path: record for path, record in collection(name).items() if record.is_record}
    pairs = set()
    for path, record in known.items():
        for link in record.links:
            other = resolve(link, path, known)
            if other and link.kind in ("supersedes", "superseded_by"):
                pair = (path, other) if link.kind == "supersedes" else (other, path)
                pairs.add((Path(pair[0]).name[:4], Path(pair[1]).name[:4]))
    return pairs


def test_every_supersession_is_found_and_none_made_up() -> None:
    assert supersessions("content-publisher-adrs") == {("0014", "0006")}
    assert supersessions("otel-oteps") == {("0072", "0008")}
    assert supersessions("madr") == set()
    assert supersessions("arachne-adrs") == set()  # "supersedes some aspects of" leaves both standing.


def test_partial_supersession_relates_with_its_sentence() -> None:
    record = collection("arachne-adrs")["arachne-adrs/adr-017-simplify-chimera-model.md"]
    assert {(link.kind, link.target[:7]) for link in record.links} == {
        ("relates_to", "adr-015"),
        ("relates_to", "adr-016"),
    }
    assert all("supersedes some aspects" in link.text for link in record.links)


def test_links_between_records_lead_to_them() -> None:
    for name, least in (("arachne-adrs", 14), ("content-publisher-adrs", 5), ("otel-oteps", 25)):
        known = {path: record for path, record in collection(name).items() if record.is_record}
        found = [resolve(link, path, known) for path, record in known.items() for link in record.links]
        assert sum(path is not None for path in found) >= least, name


def test_statuses_and_dates_are_read() -> None:
    publisher = [record for record in collection("content-publisher-adrs").values() if record.is_record]
    assert all(record.date and record.stated_status for record in publisher)
    assert sum(record.decision_status == "superseded" for record in publisher) == 1
    assert sum(record.decision_status == "proposed" for record in collection("arachne-adrs").values()) == 16
    assert collection("otel-oteps")["otel-oteps/metrics/0008-metric-observer.md"].decision_status == "superseded"


def test_the_folders_are_found() -> None:
    assert find_record_folders(everything()) == ("arachne-adrs", "content-publisher-adrs", "madr", "otel-oteps")
