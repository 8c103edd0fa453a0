"""Resolving a link to one of the known records."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping

from autology.text.adr.links import RecordLink
from autology.text.adr.record import Record
from autology.text.adr.record_references import link_path, looks_like_record
from autology.text.adr.titles import file_name
from autology.text.records.file_names import nearest
from autology.text.slug import without_fragment

_NUMBER = re.compile(r"(?:(?P<name>[A-Za-z]+)[\s_#.-]*|#)?0*(?P<number>\d{1,9})\Z")
_EXTENSIONS = ("", ".md", ".markdown")
_ANY_RECORD = ("adr", "adrs", "madr", "decision", "record")


def resolve(link: RecordLink, from_path: str, records: Mapping[str, Record]) -> str | None:
    """Return the path of the record that *link* means in *from_path*; None if ambiguous or unknown.

    In this order: the target of a relative link, a file of that name elsewhere, a file of the same number or the same
    words, the record of that number. Of several, the one nearest to *from_path* by folders; None if two are equally
    near.
    """
    number = _NUMBER.match(link.target)
    if number and not looks_like_record(link.target):
        return _by_number(int(number["number"]), (number["name"] or "").lower(), from_path, records)
    path = link_path(link.target)
    if path is None:
        name = without_fragment(link.target).rsplit("/", 1)[-1]
        return nearest(from_path, _where(records, from_path, lambda record: _name(record) == name.lower()))
    folder = "" if path.startswith("/") else posixpath.dirname(from_path)
    full = posixpath.normpath(posixpath.join(folder, path.lstrip("/")))
    for candidate in (full + extension for extension in _EXTENSIONS):
        if candidate in records and candidate != from_path:
            return candidate
    return _by_name(full, from_path, records)


def _by_name(full: str, from_path: str, records: Mapping[str, Record]) -> str | None:
    """Return the record whose file has the name of *full*: ignoring case, else by its number, else by its words."""
    wanted = posixpath.basename(full).lower()
    name = file_name(wanted)
    tests: list[Callable[[Record], bool]] = [lambda record: _name(record) in [wanted + end for end in _EXTENSIONS]]
    if name.number is not None:
        tests.append(lambda record: file_name(record.path).number == name.number)
    elif name.slug:
        tests.append(lambda record: file_name(record.path).slug.lower() == name.slug)
    for test in tests:
        path = _where(records, from_path, test)
        if path:
            return nearest(from_path, path)
    return None


def _by_number(number: int, name: str, from_path: str, records: Mapping[str, Record]) -> str | None:
    """Return the record of *number*; one called ``RFC 12`` must lie where files are called so."""
    plain_name = name in ("", *_ANY_RECORD)

    def fits(record: Record) -> bool:
        return record.number == number and (plain_name or name.rstrip("s") in record.path.lower())

    return nearest(from_path, _where(records, from_path, fits))


def _where(records: Mapping[str, Record], from_path: str, test: Callable[[Record], bool]) -> list[str]:
    return [path for path, record in records.items() if path != from_path and test(record)]


def _name(record: Record) -> str:
    return posixpath.basename(record.path).lower()
