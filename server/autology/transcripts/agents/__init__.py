"""The agents other than Claude Code whose sessions are read: a module each, with a function ``agent``."""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import cast

from autology.transcripts.agent import Agent, Surroundings


def all_agents(surroundings: Surroundings) -> list[Agent]:
    """Return every agent that has a module here."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [cast(Agent, import_module(f"{__name__}.{name}").agent(surroundings)) for name in names]
