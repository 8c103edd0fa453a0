"""Calls: the project's name, its whole graph, similar texts, and the part of the graph around a note."""

from __future__ import annotations

import os
from typing import Any

from autology.core.atlas import display
from autology.render.graph import data
from autology.web.project import PageProject

Json = dict[str, Any]

MOST_AROUND = 80
"""Notes of a neighbourhood, nearest first: more are unreadable in the margin of a note."""
STEPS = 2
"""Links from the note to the farthest of its neighbourhood."""


def overview(project: PageProject) -> Json:
    """Return the project's name and folder."""
    return {"name": os.path.basename(project.root) or project.root, "root": project.root}


def graph(project: PageProject, similar: str = "") -> Json:
    """Return every node and document with its filterable properties, and the links.

    With the pairs of similar ones if *similar* is "1", or if it is "" and few nodes are linked; *waiting* says that
    :func:`compare` makes more of them.
    """
    whole = project.whole
    if similar == "0" or not (similar or whole.is_sparse):
        return {**data.whole(whole), "waiting": False}
    return {**data.whole(project.with_similar(whole)), "waiting": project.graph.index.encoder_state().unencoded > 0}


def compare(project: PageProject) -> Json:
    """Make the vectors that texts still lack, so that all can be compared; 1,000 passages take half a second."""
    return {"left": project.graph.encode()}


def around(project: PageProject, id: str) -> Json:
    """Return the notes and documents around *id*, which is the first; none if it is not in the graph."""
    part, is_cut = display.neighbourhood(project.whole, id, STEPS, MOST_AROUND)
    return {**data.whole(part), "cut": is_cut}
