"""Calls: what there is, and the whole graph for its picture."""

from __future__ import annotations

import os
from typing import Any

from autology.core.status import status
from autology.drawn import data
from autology.web.project import Project

Json = dict[str, Any]


def overview(project: Project) -> Json:
    """Return the project's name, its counts, and what is degraded."""
    from autology import render

    told = render.status(status(project.graph))
    return {"name": os.path.basename(project.root) or project.root, "root": project.root, **told}


def graph(project: Project) -> Json:
    """Return every node and document with what it is filtered by, and the links."""
    return data.whole(project.whole)
