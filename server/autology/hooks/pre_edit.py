"""Before an edit: the decision or convention that it may undo, named once a session; nothing is ever held up."""

from __future__ import annotations

import os
import sys
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from autology.hooks.project import Project
    from autology.text.edited import Edited

    Row = tuple[str, str, str, str, str, str]

    class Look(Protocol):
        """What this hook asks of the index."""

        def governing(self, terms: Sequence[str]) -> list[Row]:
            """Return (what, term, id, type, title, trust)."""

        def changed(self) -> dict[str, str]:
            """Return what of each sealed decision is not as it was accepted, by node's id."""

        def drifted(self) -> dict[str, str]:
            """Return what drifted, by node's id."""

        def governed(self, id: str) -> list[tuple[str, str]]:
            """Return (what, term)."""


TOOLS = ("Edit", "Write", "MultiEdit", "NotebookEdit")
_SAID = 3
"""Nodes that are kept ready to be named: one is, the first that this session has not heard of."""
_RANK = ("name", "call", "import", "record", "symbol", "file", "scope")
"""Which of several to name: what brings back what was ruled out says most about an edit, the file by itself least."""

Governing = namedtuple("Governing", ("what", "term", "id", "type", "title", "trust"))
"""A node that governs an edit, and by what."""


def answer(given: dict[str, object], project: Project) -> dict[str, object] | None:
    """Return the line that names what governs an edit; None where nothing does, or it was named before."""
    change = edit(given, project)
    if change is None:
        return None
    from autology import wire

    look = wire.glance(project.root)
    if look is None:
        return None
    with look:
        found = governing(change, look)
        drifted = {**look.drifted(), **look.changed()} if found else {}
    if not found:
        return None
    from autology.hooks import notes

    for each in found[:_SAID]:
        if notes.first(project, "edit", f"{project.session}-{each.id}"):
            return _told(each, change[0], drifted.get(each.id, ""))
    return None


def edit(given: dict[str, object], project: Project) -> tuple[str, Edited] | None:
    """Return the file that a tool is about to change, as the project names it, and how; None if by its form only."""
    tool = given.get("tool_input")
    if given.get("tool_name") not in TOOLS or not isinstance(tool, dict):
        return None
    place = tool.get("notebook_path") or tool.get("file_path")
    path = _named(place, project.root) if isinstance(place, str) else ""
    if not path:
        return None
    from autology.text.edited import LONGEST, edited

    before = _held(os.path.join(project.root, path), LONGEST * 4)
    old, new = _replaced(tool, before)
    change = edited(f"{path}.py" if path.endswith(".ipynb") else path, old, new, before)
    return (path, change) if change else None


def governing(change: tuple[str, Edited], look: Look) -> list[Governing]:
    """Return the nodes that govern an edit, the one that says most about it first."""
    from autology.text import edited

    path, how = change
    places = _places(path)
    rows = look.governing([*places, *(() if how.prose else (*edited.names(how), *edited.terms(how)))])
    found = {}
    for row in sorted((Governing(*row) for row in rows), key=lambda row: _order(row, places)):
        if row.id not in found and _holds(row, path, how, look):
            found[row.id] = row
    return list(found.values())


def _holds(row: Governing, path: str, how: Edited, look: Look) -> bool:
    from autology.text import edited

    if row.what == "record":
        return row.term == path and bool(how.frozen)
    if row.what in ("file", "scope"):
        return row.term in _places(path) and _governs(row, path, how, look)
    if how.prose:
        return False
    if row.what == "symbol":
        return not how.tested and edited.touches(how, row.term)
    return edited.brings(how, row.term, row.what) and _near(row, path, how, look)


def _governs(row: Governing, path: str, how: Edited, look: Look) -> bool:
    """Whether a rule for a file or folder is one for this edit of it."""
    from autology.text import edited

    exact = row.term == path
    if not exact and (how.prose or (how.tested and not edited.is_test(f"{row.term}/"))):
        return False
    if how.is_new and not exact:
        return True
    rules = look.governed(row.id)
    named = [term for what, term in rules if what == "symbol"]
    if any(edited.touches(how, term) for term in named):
        return True
    # A text that names what it is about is about that in its file; one that does not is about the file.
    about_all = exact or (row.what == "file" and all(what in ("file", "scope", "record") for what, _ in rules))
    if named or how.manifest or (row.type == "decision" and how.around):
        about_all = False  # the last: inside of something that has a name of its own
    return about_all or edited.shares(how, f"{row.title} {' '.join(named)}", row.term)


def _near(row: Governing, path: str, how: Edited, look: Look) -> bool:
    """Whether what was ruled out is ruled out here: beside the files that the text is of, or in what it is about.

    A convention holds everywhere, unless it is of certain folders.
    """
    from autology.text import edited

    files = [term for what, term in look.governed(row.id) if what in ("file", "scope")]
    # What Python brings along is ruled out for something, never everywhere.
    built_in = not sys.stdlib_module_names.isdisjoint((row.term, f"{row.term}3"))
    if (how.manifest and not built_in) or any(path.startswith(_folder(file)) for file in files):
        return True
    if row.type == "convention":
        return not any("." not in file.rpartition("/")[2] for file in files)
    if how.tested or how.manifest:
        return False
    if row.what != "import" and not built_in and edited.imports(how, row.term):
        return True
    return (not files and not built_in) or edited.is_about(how, row.title, path)


def _folder(file: str) -> str:
    """Return the folder that a file lies in, or that is meant itself."""
    *folders, name = file.rstrip("/").split("/")
    return "".join(f"{part}/" for part in (folders if "." in name else [*folders, name]))


def _order(row: Governing, places: Sequence[str]) -> tuple[int, int, str, str]:
    return (
        _RANK.index(row.what) if row.what in _RANK else 9,
        places.index(row.term) if row.term in places else 0,
        row.title,
        row.id,
    )


def _places(path: str) -> list[str]:
    """Return how a text may name the file *path* or a folder around it, the nearest first."""
    parts = path.split("/")
    folders = ["/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1)]
    return [path, *(name for folder in folders for name in (folder, f"{folder}/"))]


def _named(place: str, root: str) -> str:
    """Return the file at *place* as the project names it; "" where it lies outside."""
    for top, file in ((root, place), (os.path.realpath(root), os.path.realpath(place))):
        if os.path.isabs(file) and (inside := os.path.normpath(file)).startswith(os.path.join(top, "")):
            return os.path.relpath(inside, top).replace(os.sep, "/")
    return ""


def _held(file: str, limit: int) -> str:
    """Return the text of *file* as it is, its first *limit* bytes; "" where there is none that could be read."""
    try:
        if not os.path.isfile(file):
            return ""
        with open(file, "rb") as opened:
            return opened.read(limit).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError:
        return ""


def _replaced(tool: dict[str, object], before: str) -> tuple[str, str]:
    """Return the text that goes and the text that comes."""
    pairs = list(_pairs(tool, before))
    return "\n".join(old for old, _ in pairs), "\n".join(new for _, new in pairs)


def _pairs(tool: dict[str, object], before: str) -> Iterator[tuple[str, str]]:
    edits = tool.get("edits")
    for each in edits if isinstance(edits, list) else [tool]:
        if not isinstance(each, dict):
            continue
        whole = each.get("content", each.get("new_source"))
        if isinstance(whole, str):
            yield before if "content" in each else "", whole
        else:
            old, new = each.get("old_string"), each.get("new_string")
            yield old if isinstance(old, str) else "", new if isinstance(new, str) else ""


def _told(row: Governing, path: str, drifted: str) -> dict[str, object]:
    from autology.hooks.speech import SHORT_ID, context
    from autology.text.fence import clean_line, fenced

    kind = "convention" if row.type == "convention" else "accepted decision"
    where, term = clean_line(path, 80), clean_line(row.term, 60)
    by = {
        "scope": f"governs {where if row.term == path else term}",
        "file": f"governs {where if row.term == path else term}",
        "symbol": f"decides on {term}",
        "record": "is what this file holds; it is accepted, and its text stays as it is",
    }.get(row.what, f"ruled out {term}")
    # No secret is looked for: none is let into the index.
    id, title = clean_line(row.id, 40)[:SHORT_ID], clean_line(row.title, 90)
    told = f'{kind} {id} "{title}" {by}{" (noted by the assistant)" if row.trust == "assistant" else ""}'
    told += f"; it needs review: {clean_line(drifted, 200)}" if drifted else ""
    text = (
        f"This edit may undo what was settled:\n{fenced('the knowledge of this project', [told])}\n"
        f'autology_query {{"query": "{id}"}} shows why. Keep to it, or propose to supersede it; this is said once.'
    )
    return context("PreToolUse", text, f"Autology: {told}.")
