"""Calls: an image of the project that a text shows."""

from __future__ import annotations

import base64
from typing import Any

from autology.wire.project import Project

Json = dict[str, Any]

TRIED = 4
"""Maximum paths tried for one image: relative to the text's file, and to the project."""


def image(project: Project, paths: list[str]) -> Json:
    """Return the first image at one of *paths* in the project, as its type and base64; {} if there is none."""
    for path in paths[:TRIED]:
        if (content := project.images.read(path)) is not None:
            return {"type": content[0], "data": base64.b64encode(content[1]).decode("ascii")}
    return {}
