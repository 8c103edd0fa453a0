"""Before an edit: names the decision or convention that it may contradict, once per session."""

from __future__ import annotations

import os
import sys

from autology.hook_events import EVENTS
from autology.hooks.guarding import MAX_MATCHES, Governing, details, named, warning
from autology.text.sanitising import clean_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.guarding import Answer
    from autology.hooks.project import HookProject
    from autology.text.source_code.edits import Edited

_RANK = (*("literal", "name", "call", "import", "command", "value", "untouched", "record", "symbol", "file", "scope"),)
"""Priority of the reasons: a reintroduced, ruled out name is the strongest evidence, the file alone the weakest."""


def answer(event: dict[str, object], project: HookProject) -> Answer | None:
    """Return the warning about a node that an edit may contradict, else a line about one that governs its file."""
    change = edit(event, project)
    if change is None:
        return None
    from autology import wire

    index = wire.glance(project.root)
    if index is None:
        return None
    with index:
        matches, covering = governing(change, index)
        if matches:
            return warning(matches, project, index, clean_line(change[0], 80), "edit")
    return _quiet_line(covering, change[0], project) if covering else None


def edit(event: dict[str, object], project: HookProject) -> tuple[str, Edited] | None:
    """Return the project path of the file a tool is about to change, and the edit; None if only its form changes."""
    tool = event.get("tool_input")
    if event.get("tool_name") not in EVENTS["pre-edit"].tools.split("|") or not isinstance(tool, dict):
        return None
    place = tool.get("notebook_path") or tool.get("file_path")
    path = _project_path(place, project.root) if isinstance(place, str) else ""
    if not path:
        return None
    from autology.text.source_code.edits import LONGEST, edited

    before = _text_of(os.path.join(project.root, path), LONGEST * 4)
    pairs = list(_pairs(tool, before))
    old, new = "\n".join(removed for removed, _ in pairs), "\n".join(added for _, added in pairs)
    change = edited(f"{path}.py" if path.endswith(".ipynb") else path, old, new, before)
    return (path, change) if change else None


def governing(change: tuple[str, Edited], index: NodeLookup) -> tuple[list[Governing], list[Governing]]:
    """Return the nodes that an edit may contradict, most specific first, and those that merely govern the file."""
    from autology.text.source_code import edits

    path, edited = change
    names = _reference_names(path)
    rows = index.governing([*names, *(() if edited.prose else (*edits.names(edited), *edits.terms(edited)))])
    ordered = sorted((Governing(*row) for row in rows), key=lambda row: _order(row, names))
    contradicted: dict[str, Governing] = {}
    for row in ordered:
        if row.id not in contradicted and _applies(row, path, edited, index):
            contradicted[row.id] = row
    covering = {row.id: row for row in reversed(ordered) if row.kind in ("file", "scope") and row.term == path}
    return list(contradicted.values()), [row for id, row in covering.items() if id not in contradicted]


def _applies(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    from autology.text.source_code import breaches, edits

    if row.kind == "record":
        return row.term == path and bool(edited.frozen)
    if row.kind in ("file", "scope"):
        return row.term in _reference_names(path) and _undoes(row, path, edited, index)
    if row.kind == "untouched":
        return row.term in _reference_names(path) and not edited.is_new and not edited.prose
    if edited.prose:
        return False
    if row.kind == "symbol":
        return not edited.tested and edits.touches(edited, row.term)
    text, places, _ = details(row)
    if not breaches.holds(places, path):
        return False
    if row.kind == "command":
        return breaches.adds_command(edited, path, [row.term, *text.split()])
    if row.kind == "value":
        return bool(breaches.changes_value(edited, text)) and _near(row, path, edited, index)
    if row.kind == "literal":
        brings = breaches.brings_literal(edited, text)
    else:
        # In the very file that was decided on, a plain word is the thing itself.
        is_there = row.kind == "import" and any(term == path for _, term, _ in index.governed(row.id))
        brings = edits.brings(edited, row.term, "name" if is_there else row.kind)
    return brings and (bool(places) or _near(row, path, edited, index))


def _undoes(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    """Whether an edit of a governed file or folder changes what was decided: a name, or the decision's own words."""
    from autology.text.source_code import edits

    exact = row.term == path
    if not exact and (edited.prose or (edited.tested and not edits.is_test(f"{row.term}/"))):
        return False
    rules = index.governed(row.id)
    if any(kind == "symbol" and edits.touches(edited, term) for kind, term, _ in rules):
        return True
    words = " ".join(detail for kind, _, detail in rules if kind == "words")
    return edits.removes(edited, words, row.term)


def _near(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    """Whether something ruled out is ruled out here: near the node's files, or in code about the same subject.

    A convention applies everywhere, unless it is limited to folders.
    """
    from autology.text.source_code import edits

    files = [term for kind, term, _ in index.governed(row.id) if kind in ("file", "scope")]
    # Modules of the standard library are ruled out for a purpose, never everywhere.
    built_in = not sys.stdlib_module_names.isdisjoint((row.term, f"{row.term}3"))
    if (edited.manifest and not built_in) or any(path.startswith(_folder(file)) for file in files):
        return True
    if row.type == "convention":
        return not any("." not in file.rpartition("/")[2] for file in files)
    if edited.tested or edited.manifest:
        return False
    if not built_in and edits.imports(edited, row.term):
        return True
    return (not files and not built_in) or edits.is_about(edited, row.title, path)


def _folder(file: str) -> str:
    """Return the folder of a file, or the folder itself."""
    *folders, name = file.rstrip("/").split("/")
    return "".join(f"{part}/" for part in (folders if "." in name else [*folders, name]))


def _order(row: Governing, names: Sequence[str]) -> tuple[int, int, str, str]:
    return (
        _RANK.index(row.kind) if row.kind in _RANK else 9,
        names.index(row.term) if row.term in names else 0,
        row.title,
        row.id,
    )


def _reference_names(path: str) -> list[str]:
    """Return the names by which a text may refer to the file *path* or a parent folder, nearest first."""
    parts = path.split("/")
    folders = ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]
    return [path, *(name for folder in folders for name in (folder, f"{folder}/"))]


def _project_path(place: str, root: str) -> str:
    """Return the file at *place* as a project path; "" if it lies outside."""
    for top, file in ((root, place), (os.path.realpath(root), os.path.realpath(place))):
        if os.path.isabs(file) and (inside := os.path.normpath(file)).startswith(os.path.join(top, "")):
            return os.path.relpath(inside, top).replace(os.sep, "/")
    return ""


def _text_of(file: str, limit: int) -> str:
    """Return the first *limit* bytes of *file* as text; "" if it cannot be read."""
    try:
        if not os.path.isfile(file):
            return ""
        with open(file, "rb") as opened:
            return opened.read(limit).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        return ""


def _pairs(tool: dict[str, object], before: str) -> Iterator[tuple[str, str]]:
    """Yield the removed and the added text of each replacement."""
    edits = tool.get("edits")
    for edit in edits if isinstance(edits, list) else [tool]:
        if not isinstance(edit, dict):
            continue
        content = edit.get("content", edit.get("new_source"))
        if isinstance(content, str):
            yield before if "content" in edit else "", content
        else:
            old, new = edit.get("old_string"), edit.get("new_string")
            yield old if isinstance(old, str) else "", new if isinstance(new, str) else ""


def _quiet_line(covering: list[Governing], path: str, project: HookProject) -> Answer | None:
    """Return a line that names what governs the file *path*: at its second edit in the session, and once."""
    from autology.hooks import session_state

    key = path.replace("/", "-")[-60:]
    if session_state.first(project, "touched", f"{project.session}-{key}"):
        return None
    for row in covering[:MAX_MATCHES]:
        if session_state.first(project, "edit", f"{project.session}-{row.id}"):
            return named(row, clean_line(path, 80))
    return None
