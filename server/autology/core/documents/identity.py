"""The ids of documents: their paths in their source; on a clash, with the source's name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from autology.model.node import is_uuid4
from autology.text.slug import slug, without_ending

ROOT = (".", "**")


def ids(paths: Iterable[str], source_of: Callable[[str], str | None]) -> Mapping[str, str]:
    """Return the id of each document; the same paths always get the same ids.

    Documents of two sources with the same id both get their source's name as a prefix; those of one source get a
    number, in the order of their paths.
    """
    claims: dict[str, list[tuple[str, str]]] = {}
    for path in sorted(paths):
        source = source_of(path) or "."
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
