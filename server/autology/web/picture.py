"""Calls: the project's name and its whole graph."""

from __future__ import annotations

import os
from typing import Any

from autology.render.graph import data
from autology.web.project import PageProject

Json = dict[str, Any]


def overview(project: PageProject) -> Json:
    """Return the project's name and folder."""
    return {"name": os.path.basename(project.root) or project.root, "root": project.root}


def graph(project: PageProject) -> Json:
    """Return every node and document with its filterable properties, and the links."""
    return data.whole(project.whole)
