"""What importers call a folder of source files, as its manifest says: go.mod, package.json, Cargo.toml."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from autology.codegraph.facts import Facts

_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
_CRATE = re.compile(r"^\[package\][^\[]*?^name\s*=\s*[\"']([^\"']+)[\"']", re.MULTILINE | re.DOTALL)


def go_mod(text: str) -> Facts:
    """Return the path of the module."""
    match = _MODULE.search(text)
    return Facts(packages=(match[1],) if match else ())


def package_json(text: str) -> Facts:
    """Return the name of the package."""
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return Facts()
    name = manifest.get("name") if isinstance(manifest, dict) else None
    return Facts(packages=(name,) if isinstance(name, str) and name else ())


def cargo_toml(text: str) -> Facts:
    """Return the name of the crate, as paths in the source write it."""
    match = _CRATE.search(text)
    return Facts(packages=(match[1].replace("-", "_"),) if match else ())


PARSERS: Mapping[str, Callable[[str], Facts]] = {
    "go.mod": go_mod,
    "package.json": package_json,
    "Cargo.toml": cargo_toml,
}
"""By the names of the files."""
