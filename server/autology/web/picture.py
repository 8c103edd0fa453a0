"""Calls: which project this is, and its whole graph for the picture."""

from __future__ import annotations

import os
from typing import Any

from autology.drawn import data
from autology.web.project import Project

Json = dict[str, Any]


def overview(project: Project) -> Json:
    """Return what the project is called, and where it lies."""
    return {"name": os.path.basename(project.root) or project.root, "root": project.root}


def graph(project: Project) -> Json:
    """Return every node and document with what it is filtered by, and the links."""
    return data.whole(project.whole)
