"""Importing from the MCP project's server-memory: entities with observations, and relations, one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Mapping

from autology.core.importing.originals import Original
from autology.core.importing.other_tool_data import ForeignData, ForeignItem, ForeignLink
from autology.core.importing.relation_names import relation_of
from autology.model.errors import StorageError
from autology.model.node import NodeType

KIND = "server-memory"
_TYPES: Mapping[str, NodeType] = {
    **{type.value: type for type in NodeType},
    **dict.fromkeys(("adr", "choice"), NodeType.DECISION),
    **dict.fromkeys(("service", "module", "library", "package", "tool", "system", "api", "file"), NodeType.COMPONENT),
    **dict.fromkeys(("rule", "guideline", "preference", "standard"), NodeType.CONVENTION),
    **dict.fromkeys(("person", "organization", "organisation", "team", "project", "term"), NodeType.CONCEPT),
    **dict.fromkeys(("template", "technique"), NodeType.PATTERN),
    **dict.fromkeys(("bug", "problem", "defect", "risk", "limitation"), NodeType.ISSUE),
    **dict.fromkeys(("meeting", "event"), NodeType.SESSION),
}
"""Common entity types; for others the text decides."""


def read(original: Original) -> ForeignData:
    """Return the contents of the file; lines that are neither entity nor relation are kept in a note of their own.

    Raises:
        StorageError: no line is either: it is another kind of file.
    """
    entities: dict[str, tuple[str, list[str]]] = {}
    links: dict[str, list[ForeignLink]] = {}
    unread: list[str] = []
    for line in original.text.split("\n"):
        if not line.strip():
            continue
        entry = _object(line)
        if (entity := _entity(entry)) is not None:
            name, type, observations = entity
            stored = entities.setdefault(name, (type, []))
            stored[1].extend(observation for observation in observations if observation not in stored[1])
        elif (relation := _relation(entry)) is not None:
            source, target, word = relation
            links.setdefault(source, []).append(ForeignLink(target, *relation_of(word)))
        else:
            unread.append(line)
    if unread and not entities and not links:
        step = "Give the file that server-memory writes, by default memory.jsonl."
        raise StorageError(original.path, "has neither entities nor relations", step)
    for source in [name for name in links if name not in entities]:
        # The source of a relation without an entity of that name: nothing else is known about it.
        entities[source] = ("", [])
    file = original.path.rpartition("/")[2]
    items = [_item(name, *entities[name], tuple(links.get(name, ())), original, file) for name in entities]
    remarks = []
    if unread:
        remarks.append(f"{len(unread)} of its lines are neither an entity nor a relation; they are kept in a note")
        items.append(_rest(unread, original, file))
    return ForeignData(KIND, tuple(items), remarks=tuple(remarks))


def _object(line: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _entity(entry: Mapping[str, object]) -> tuple[str, str, list[str]] | None:
    name, type, observations = entry.get("name"), entry.get("entityType", ""), entry.get("observations", [])
    if entry.get("type") != "entity" or not isinstance(name, str) or not name or not isinstance(type, str):
        return None
    if not isinstance(observations, list) or not all(isinstance(observation, str) for observation in observations):
        return None
    return name, type, observations


def _relation(entry: Mapping[str, object]) -> tuple[str, str, str] | None:
    source, target, word = entry.get("from"), entry.get("to"), entry.get("relationType")
    if entry.get("type") != "relation" or not isinstance(source, str) or not isinstance(target, str):
        return None
    return (source, target, word) if isinstance(word, str) and source and target else None


def _item(
    name: str, type: str, observations: list[str], links: tuple[ForeignLink, ...], original: Original, file: str
) -> ForeignItem:
    content = "\n".join("- " + observation.replace("\n", "\n  ") for observation in observations)
    return ForeignItem(
        key=f"{file}#{name}",
        names=(name,),
        title=name,
        content=content or (f"Of the kind “{type}”." if type else ""),
        moment=original.changed,
        type=_TYPES.get(type.strip().lower()),
        tags=(type,) if type else (),
        links=links,
        extra={"entity_name": name, **({"entity_type": type} if type else {})},
    )


def _rest(lines: list[str], original: Original, file: str) -> ForeignItem:
    fence = "`" * (max((len(run) for line in lines for run in line.split() if set(run) == {"`"}), default=2) + 1)
    return ForeignItem(
        key=f"{file}#",
        title=f"What could not be read of {file}",
        content=f"Lines that are neither an entity nor a relation:\n\n{fence}\n" + "\n".join(lines) + f"\n{fence}",
        moment=original.changed,
        type=NodeType.ISSUE,
    )
