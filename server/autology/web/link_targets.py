"""What the links of a text lead to: notes, documents, and files of the project, as far as they exist."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from typing import Any

from autology.model.node import NODES, is_uuid4
from autology.text.adr.mentioned_paths import find_mentions
from autology.text.markdown.links import destinations
from autology.text.markdown.sections import ParsedText
from autology.wire.project import Project

Json = dict[str, Any]

LINKS = 300
"""Maximum links and paths of a text that are looked up: each takes some 20 µs."""
LONGEST = 300_000
"""Maximum characters read of a text."""
_UNSAFE = re.compile(r"[\x00-\x1f\\:]|//")


def targets(project: Project, text: str, path: str) -> Json:
    """Return the ids that links in the *text* of the file at *path* lead to, and the files that it names.

    Links are relative to the text's file, or to the project, as in a note.
    """
    text = text[:LONGEST]
    written = dict.fromkeys(link.target for link in destinations(text))
    notes, files = {}, {}
    for target in list(written)[:LINKS]:
        for place in _places(target, path):
            if id := _id_at(project, place):
                notes[target] = id
            elif _is_there(project.root, place):
                files[target] = place
            else:
                continue
            break
    for place in find_mentions(ParsedText.of(text), path)[:LINKS]:
        if id := _id_at(project, place):
            notes.setdefault(place, id)
        elif _is_there(project.root, place):
            files.setdefault(place, place)
    return {"notes": notes, "files": files}


def _places(target: str, path: str) -> Iterator[str]:
    """Yield the paths that *target* may be, inside the project."""
    if _UNSAFE.search(target):
        return
    folders = ("",) if target.startswith("/") else (posixpath.dirname(path), "")
    for folder in folders:
        place = posixpath.normpath(posixpath.join(folder, target.lstrip("/")))
        if place != "." and not place.startswith(".."):
            yield place


def _id_at(project: Project, place: str) -> str:
    """Return the id of the note, record or document whose file is at *place*, "" if it is another file."""
    if record := project.graph.record_at(place):
        return record
    stem = posixpath.basename(place).removesuffix(".md")
    id = stem if place.startswith(NODES) and is_uuid4(stem) else place
    return id if id in project.graph.index.by_ids([id]) else ""


def _is_there(root: str, place: str) -> bool:
    """Whether there is such a file or folder in the project, and not elsewhere through a link."""
    if _UNSAFE.search(place):
        return False
    top, full = os.path.realpath(root), os.path.realpath(os.path.join(root, *place.split("/")))
    return full.startswith(top + os.sep) and os.path.exists(full)
