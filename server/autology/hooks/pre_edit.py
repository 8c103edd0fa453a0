"""Before an edit: names the decision or convention it may violate, once per session; never blocks the edit."""

from __future__ import annotations

import os
import sys
from collections import namedtuple

from autology.hook_events import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.project import HookProject
    from autology.text.source_code.edits import Edited

_MAX_MATCHES = 3
"""Nodes considered per edit: the first not yet mentioned in this session is shown."""
_RANK = ("name", "call", "import", "record", "symbol", "file", "scope")
"""Priority of the reasons: a reintroduced, ruled out name is the strongest evidence, the file alone the weakest."""

Governing = namedtuple("Governing", ("kind", "term", "id", "type", "title", "trust"))
"""A node that governs an edit, and the rule that matched."""


def answer(event: dict[str, object], project: HookProject) -> tuple[str, str] | None:
    """Return the warning about a node that governs an edit; None if there is none or it was shown before."""
    change = edit(event, project)
    if change is None:
        return None
    from autology import wire

    index = wire.glance(project.root)
    if index is None:
        return None
    with index:
        matches = governing(change, index)
        drifted = {**index.drifted(), **index.changed()} if matches else {}
    if not matches:
        return None
    from autology.hooks import session_state

    for node in matches[:_MAX_MATCHES]:
        if session_state.first(project, "edit", f"{project.session}-{node.id}"):
            return _warning(node, change[0], drifted.get(node.id, ""))
    return None


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


def governing(change: tuple[str, Edited], index: NodeLookup) -> list[Governing]:
    """Return the nodes that govern an edit, most specific first."""
    from autology.text.source_code import edits

    path, edited = change
    names = _reference_names(path)
    rows = index.governing([*names, *(() if edited.prose else (*edits.names(edited), *edits.terms(edited)))])
    by_id = {}
    for row in sorted((Governing(*row) for row in rows), key=lambda row: _order(row, names)):
        if row.id not in by_id and _applies(row, path, edited, index):
            by_id[row.id] = row
    return list(by_id.values())


def _applies(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    from autology.text.source_code import edits

    if row.kind == "record":
        return row.term == path and bool(edited.frozen)
    if row.kind in ("file", "scope"):
        return row.term in _reference_names(path) and _governs(row, path, edited, index)
    if edited.prose:
        return False
    if row.kind == "symbol":
        return not edited.tested and edits.touches(edited, row.term)
    return edits.brings(edited, row.term, row.kind) and _near(row, path, edited, index)


def _governs(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    """Whether a rule for a file or folder applies to this edit of it."""
    from autology.text.source_code import edits

    exact = row.term == path
    if not exact and (edited.prose or (edited.tested and not edits.is_test(f"{row.term}/"))):
        return False
    if edited.is_new and not exact:
        return True
    rules = index.governed(row.id)
    symbols = [term for kind, term in rules if kind == "symbol"]
    if any(edits.touches(edited, term) for term in symbols):
        return True
    # A rule that names symbols applies to these in its file; one without symbols applies to the file.
    about_all = exact or (row.kind == "file" and all(kind in ("file", "scope", "record") for kind, _ in rules))
    if symbols or edited.manifest or (row.type == "decision" and edited.around):
        about_all = False  # the last case: inside a function or class with a name of its own
    return about_all or edits.shares(edited, f"{row.title} {' '.join(symbols)}", row.term)


def _near(row: Governing, path: str, edited: Edited, index: NodeLookup) -> bool:
    """Whether something ruled out is ruled out here: near the node's files, or in code about the same subject.

    A convention applies everywhere, unless it is limited to folders.
    """
    from autology.text.source_code import edits

    files = [term for kind, term in index.governed(row.id) if kind in ("file", "scope")]
    # Modules of the standard library are ruled out for a purpose, never everywhere.
    built_in = not sys.stdlib_module_names.isdisjoint((row.term, f"{row.term}3"))
    if (edited.manifest and not built_in) or any(path.startswith(_folder(file)) for file in files):
        return True
    if row.type == "convention":
        return not any("." not in file.rpartition("/")[2] for file in files)
    if edited.tested or edited.manifest:
        return False
    if row.kind != "import" and not built_in and edits.imports(edited, row.term):
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


def _warning(row: Governing, path: str, drifted: str) -> tuple[str, str]:
    from autology.hooks.messages import SHORT_ID
    from autology.text.fence import clean_line, fenced

    kind = "convention" if row.type == "convention" else "accepted decision"
    file, term = clean_line(path, 80), clean_line(row.term, 60)
    reason = {
        "scope": f"governs {file if row.term == path else term}",
        "file": f"governs {file if row.term == path else term}",
        "symbol": f"decides on {term}",
        "record": "is recorded in this file; it is accepted, so its text must not change",
    }.get(row.kind, f"ruled out {term}")
    # Not scanned for secrets: the index contains none.
    id, title = clean_line(row.id, 40)[:SHORT_ID], clean_line(row.title, 90)
    summary = f'{kind} {id} "{title}" {reason}{" (noted reason the assistant)" if row.trust == "assistant" else ""}'
    summary += f"; it needs review: {clean_line(drifted, 200)}" if drifted else ""
    text = (
        f"This edit may contradict something settled:\n{fenced('the knowledge of this project', [summary])}\n"
        f'autology_query {{"query": "{id}"}} shows why. Keep to it, or propose to supersede it; this is shown once.'
    )
    return text, f"Autology: {summary}."
