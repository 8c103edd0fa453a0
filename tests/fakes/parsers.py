"""The parsers of other languages as a user has them: those of the development environment, or a few lines for none."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from autology.codegraph.file_endings import LANGUAGES
from autology.codegraph.parsing.installed import NAME
from autology.extras import MARKER, tag
from tests.fakes.models import wheel

FAKE = b"""
class Language:
    def __init__(self, told): self.told = told
class Parser:
    def __init__(self, language): pass
    def parse(self, data): return Tree(len(data))
class Tree:
    def __init__(self, size): self.root_node = Node(size)
class Node:
    def __init__(self, size): self.end_byte = size
"""


def installed(data: Path) -> Path:
    """Have the parsers of this environment be those of a user with that data folder; return where they are."""
    assert find_spec("tree_sitter"), "the development environment lacks the parsers: build.py brings it up to date"
    folder = data / "languages" / NAME / tag()
    (folder / "packages").mkdir(parents=True)
    (folder / MARKER).write_text(json.dumps({"parsers": NAME}), encoding="utf-8")
    return folder


def wheels(folder: Path, runs: bool = True) -> Path:
    """Make wheels of parsers that can be installed out of *folder*; return the file that requires them."""
    folder.mkdir(parents=True, exist_ok=True)
    modules: dict[str, list[str]] = {"tree_sitter": []}
    for each in LANGUAGES:
        modules.setdefault(each.package, []).append(each.function)
    made = []
    for module, functions in modules.items():
        text = FAKE if module == "tree_sitter" else b"".join(b"def %s(): return 1\n" % f.encode() for f in functions)
        made.append(wheel(folder, module, {f"{module}/__init__.py": text if runs else b"raise ImportError('no')\n"}))
    hashes = {each.name.split("-")[0].replace("_", "-"): hashlib.sha256(each.read_bytes()).hexdigest() for each in made}
    lines = [f"{name}==1.0 --hash=sha256:{digest}\n" for name, digest in hashes.items()]
    requirements = folder / "parsers.txt"
    requirements.write_text("".join(lines), encoding="utf-8", newline="\n")
    return requirements


@contextmanager
def apart(packages: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have *packages* be where the parsers are loaded from, and nothing loaded yet; as before afterwards."""
    loaded = [name for name in sys.modules if name.partition(".")[0].startswith("tree_sitter")]
    with monkeypatch.context() as patch:
        for name in loaded:
            patch.delitem(sys.modules, name)
        patch.syspath_prepend(str(packages))
        yield
