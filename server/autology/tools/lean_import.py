"""Importing the SDK's low-level server without the rest of the SDK, and its models without their validators."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec

PACKAGES = ("mcp", "mcp.server")
"""Packages whose own code imports the client, the high-level server and HTTP: a tenth of a start and 5 MB."""


@contextmanager
def lean_import() -> Iterator[None]:
    """Import only the modules of the SDK that are named, and build each model's validator on first use.

    For a process that does nothing but serve: the packages stay without their usual names. Building the validators of
    all models of all versions of the protocol takes a fifth of a start; a session uses some of one version.
    """
    for name in PACKAGES:
        _leave_empty(name)
    from pydantic import BaseModel

    BaseModel.model_config["defer_build"] = True  # inherited by every model that is defined meanwhile
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]


def _leave_empty(name: str) -> None:
    """Make the package *name* importable as the parent of its modules, without running its code."""
    if name in sys.modules or not (spec := find_spec(name)):
        return
    package = sys.modules[name] = module_from_spec(spec)
    parent, _, child = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], child, package)
