"""Other projects' texts and labelled sets, which measurements read and which are not part of this repository.

They lie in $AUTOLOGY_SHARED, or in ../shared beside the checkout: markdown in bench/corpora, labelled sets in
bench/data with their reader and scorer beside it, prototypes of a server in bench/speed.
"""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "AUTOLOGY_SHARED"


@dataclass(frozen=True, slots=True)
class LabelledSets:
    """The labelled sets in a *folder*, their *reader*, the *scorer* of answers, and *baselines*, plain searches."""

    folder: Path
    reader: ModuleType
    scorer: Any
    baselines: Any

    def names(self) -> list[str]:
        names: list[str] = self.reader.list_sets(self.folder)
        return names

    def load(self, name: str, *, pooled: bool = False) -> Any:
        return self.reader.load(self.folder, name, pooled=pooled)


def corpora() -> Path:
    """Return the folder of other projects' markdown, and print which it is.

    Raises SystemExit, with the next step, if it is absent.
    """
    return _present("bench/corpora", "bench/corpora")


def prototypes() -> Path:
    """Return the folder of servers that do no more than needed, for comparison, and print which it is.

    Raises SystemExit, with the next step, if it is absent.
    """
    return _present("bench/speed", "bench/speed/proto_server.py")


def labelled_sets() -> LabelledSets:
    """Return the labelled sets, and print which folder holds them.

    Raises SystemExit, with the next step, if they are absent.
    """
    folder = _present("bench/data", "bench/evaluate.py")
    sys.path.insert(0, str(folder.parent))
    return LabelledSets(
        folder, importlib.import_module("data"), *map(importlib.import_module, ("evaluate", "baselines"))
    )


def prototype() -> Path:
    """Return the folder of the prototype of a store of notes, ``proto_server.py``, and of what makes its notes up.

    Raises SystemExit, with the next step, if it is absent.
    """
    return _present("bench/speed", "bench/speed/proto_server.py")


def _present(name: str, needed: str) -> Path:
    shared = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared")
    folder = shared / name
    if not folder.is_dir() or not (shared / needed).exists():
        raise SystemExit(f"{shared / needed} does not exist: set {VARIABLE} to the folder that holds {needed}")
    print(f"reading {folder.resolve()}", file=sys.stderr)
    return folder
