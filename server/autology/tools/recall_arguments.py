"""Code shared by the tools that recall conversations."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

from autology.model.errors import ValidationError
from autology.tools.arguments import field

if TYPE_CHECKING:
    from autology.core.recall.conversation_results import Recalled
    from autology.tools.tool import Answer
    from autology.wire.project import Project

DATA, TEXT = "data", "text"
FORMATS = (DATA, TEXT)
Format = Annotated[str, field(None, enum=FORMATS)]


def answer(project: Project, results: Recalled, kind: str) -> Answer:
    """Return the results in the format *kind*."""
    from autology.render import recall_results

    return (
        recall_results.recalled_text(results, project.conversation_search.now().now)
        if kind == TEXT
        else recall_results.recalled(results)
    )


def check_format(kind: str) -> None:
    """Raise ValidationError unless format *kind* is one of FORMATS."""
    if kind not in FORMATS:
        raise ValidationError("format", f"unknown format '{kind[:40]}'", f"Use one of: {', '.join(FORMATS)}.")


def folder(project: Project, name: str) -> str:
    """Return a project filter as it is matched: relative paths and ``~`` expanded, anything else unchanged."""
    if name.strip() in (".", "..") or name.startswith(("./", "../", ".\\", "..\\")):
        return os.path.abspath(os.path.join(project.root, name.strip()))
    return os.path.expanduser(name) if name.startswith("~") else name
