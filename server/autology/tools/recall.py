"""What the tools that recall conversations have in common."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from autology.model.errors import ValidationError
from autology.tools.arguments import Schema, one_of

if TYPE_CHECKING:
    from autology.core.recall.recollection import Recalled
    from autology.tools.project import Project
    from autology.tools.tool import Answer

DATA, TEXT = "data", "text"
FORMATS = (DATA, TEXT)
LIMIT, USUAL = 50, 20
FORMAT: Schema = one_of(FORMATS)
FORMAT_TOLD = "data: results as JSON. text: prose to read, with previews."


def told(project: Project, found: Recalled, wanted: str) -> Answer:
    """Return what was recalled, as *wanted* asks for it."""
    from autology import retold

    return retold.recalled_text(found, project.memory.now().now) if wanted == TEXT else retold.recalled(found)


def check_format(wanted: str) -> None:
    """Raise ValidationError unless it is one of FORMATS."""
    if wanted not in FORMATS:
        raise ValidationError("format", f"'{wanted[:40]}' is none", f"Use one of: {', '.join(FORMATS)}.")


def folder(project: Project, given: str) -> str:
    """Return a project filter as it is looked for: paths from here or from ``~`` in full, anything else as it is."""
    if given.strip() in (".", "..") or given.startswith(("./", "../", ".\\", "..\\")):
        return os.path.abspath(os.path.join(project.root, given.strip()))
    return os.path.expanduser(given) if given.startswith("~") else given
