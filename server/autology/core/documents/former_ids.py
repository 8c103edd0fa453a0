"""The ids that documents had before their paths in the project became their ids: they stay valid.

An id was the path in the source, without extension and slugged; on a clash, with the source's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from autology.core.documents.sources import DEFAULT, EVERYTHING, HERE
from autology.model.node import is_uuid4
from autology.text.slug import MARKDOWN, slug, without_ending

ROOT = (HERE, EVERYTHING)
DEFAULT_SOURCES = ("docs", "notes", HERE)
"""The sources when there was no setting."""


def lookup_names(text: str) -> list[str]:
    """Return the names of the documents whose former id *text* may be: their files' names, slugged."""
    last = slug(text).rpartition("/")[2]
    return [last, re.sub(r"-\d+\Z", "", last)]


def former_ids(paths: Iterable[str], sources: Sequence[str]) -> Mapping[str, str]:
    """Return the former id of each document that had one, in a project that searches *sources*.

    The same paths always get the same ids, and only documents with names alike matter to each other. Documents of two
    sources with the same id both get their source's name as a prefix; those of one source get a number, in the order of
    their paths.
    """
    claims: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(path for path in paths if path.lower().endswith(MARKDOWN)):
        source = _source_of(path, sources)
        if source is None:
            continue
        claims.setdefault(_own(path, source), []).append((path, source))
    ids_by_path: dict[str, str] = {}
    crowded: dict[str, list[str]] = {}
    for id, claimants in claims.items():
        # An id in the form of a node's id would be mistaken for one.
        if len(claimants) == 1 and not is_uuid4(id):
            ids_by_path[claimants[0][0]] = id
        else:
            apart = len({source for _, source in claimants}) > 1 or is_uuid4(id)
            for path, source in claimants:
                crowded.setdefault(_prefixed(id, source) if apart else id, []).append(path)
    taken = set(ids_by_path.values())
    for id, claimants_of in sorted(crowded.items()):
        for path in claimants_of:
            ids_by_path[path] = _free(id, taken)
            taken.add(ids_by_path[path])
    return ids_by_path


def _source_of(path: str, sources: Sequence[str]) -> str | None:
    """Return the innermost source that contained *path*."""
    former = dict.fromkeys(
        source for chosen in sources for source in (DEFAULT_SOURCES if chosen == DEFAULT else [chosen])
    )
    inside = [
        source
        for source in former
        if source == EVERYTHING or (source == HERE and "/" not in path) or path.startswith(f"{source}/")
    ]
    return max(inside, key=lambda source: (source not in ROOT, source.count("/"), source == HERE), default=None)


def _own(path: str, source: str) -> str:
    inner = path if source in ROOT else path[len(source) + 1 :]
    return slug(without_ending(inner))


def _prefixed(id: str, source: str) -> str:
    if source not in ROOT:
        return f"{slug(source)}/{id}"
    return f"root/{id}" if is_uuid4(id) else id


def _free(id: str, taken: set[str]) -> str:
    number, free = 1, id
    while free in taken:
        number += 1
        free = f"{id}-{number}"
    return free
