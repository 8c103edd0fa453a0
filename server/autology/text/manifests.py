"""What a folder of sources is called by those that import it: go.mod, package.json, Cargo.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from autology.model.code import Facts

_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_CRATE = re.compile(r"^\[package\][^\[]*?^name\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE | re.DOTALL)


def go_mod(text: str) -> Facts:
    """Return the module that go.mod names."""
    found = _MODULE.search(text)
    return Facts(packages=(found[1],) if found else ())


def package_json(text: str) -> Facts:
    """Return the name of the package."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return Facts()
    name = told.get("name") if isinstance(told, dict) else None
    return Facts(packages=(name,) if isinstance(name, str) and name else ())


def cargo_toml(text: str) -> Facts:
    """Return the crate's name as it stands in paths."""
    found = _CRATE.search(text)
    return Facts(packages=(found[1].replace("-", "_"),) if found else ())


PARSERS: Mapping[str, Callable[[str], Facts]] = {
    "go.mod": go_mod,
    "package.json": package_json,
    "Cargo.toml": cargo_toml,
}
"""By the names of the files."""
