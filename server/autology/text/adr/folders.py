"""Where a project keeps its decision records, and which files are not records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from autology.text.adr.titles import file_name
from autology.text.slug import MARKDOWN

_SURE = frozenset(
    "adr adrs madr decision-records architecture-decision-records architecture-decisions decision-log".split()
)
"""Folders that contain only records."""
_LIKELY = {"decisions", "rfc", "rfcs", "rfd", "rfds", "otep", "oteps", "keps"}
"""Folders that contain records if most of their files are numbered."""
_PAIRS = {("doc", "arch"), ("docs", "arch")}
"""The same, by the folder and its parent: early adr-tools kept records in doc/arch."""
_IGNORED = frozenset(
    "node_modules bower_components vendor third_party site-packages venv .venv .git .hg .autology template"
    " templates".split()
)
_NUMBERED_TEMPLATE = re.compile(r"(?:(?:adr|rfc|record|decision|proposal)[-_ ])?template\Z", re.IGNORECASE)
"""0000-template.md; but 0014-project-templates.md is a decision on templates."""
_NO_RECORD = re.compile(
    r"(?:read-?me|_?index|contents|toc|table-of-contents|summary|overview|glossary|guide(?:lines?)?"
    r"|how-?to|contributing|changelog|log"
    r"|_?category_?|home|license)\Z|(?:.*[-_. ])?templates?(?:[-_. ].*)?\Z",
    re.IGNORECASE,
)


def find_record_folders(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the folders among a project's file *paths* that contain decision records, sorted.

    Folders called adr, adrs and the like need one markdown file besides README, index and templates; those called
    decisions, rfcs or doc/arch need most of theirs numbered. Subfolders belong to their folder. Dependencies and
    templates are left out.
    """
    files: Counter[str] = Counter()
    numbered: Counter[str] = Counter()
    sure: set[str] = set()
    for path in paths:
        if not could_be_record(path):
            continue
        is_numbered = file_name(path).number is not None
        for folder, is_sure in _record_folders(path):
            files[folder] += 1
            numbered[folder] += is_numbered
            if is_sure:
                sure.add(folder)
    folders = {folder for folder in files if folder in sure or numbered[folder] * 2 > files[folder]}
    return tuple(sorted(folder for folder in folders if not any(parent in folders for parent in _parents(folder))))


def could_be_record(path: str) -> bool:
    """Whether the file at *path* may be a record by its name: not a README, index, guide or template."""
    *folders, name = path.split("/")
    stem, dot, extension = name.rpartition(".")
    if dot + extension.lower() not in MARKDOWN or any(folder.lower() in _IGNORED for folder in folders):
        return False
    return not is_surrounding(stem)


@lru_cache(maxsize=65_536)
def is_surrounding(stem: str) -> bool:
    """Whether a file called *stem*, without extension, is by its name a README, index, guide or template."""
    numbered = file_name(stem)
    return bool(_NO_RECORD.match(stem) if numbered.number is None else _NUMBERED_TEMPLATE.match(numbered.slug))


def in_record_folder(path: str) -> bool:
    """Whether the file at *path* lies in a folder, or a subfolder of one, that is named for records."""
    return any(_is_named_for_records(path.split("/")[:-1]))


def _record_folders(path: str) -> list[tuple[str, bool]]:
    """Return (folder, whether its name is enough) for each folder above *path* that is named for records."""
    folders = path.split("/")[:-1]
    verdicts = _is_named_for_records(folders)
    return [("/".join(folders[: depth + 1]), verdict == 2) for depth, verdict in enumerate(verdicts) if verdict]


def _is_named_for_records(folders: list[str]) -> list[int]:
    """Return for each folder 2 if its name is enough, 1 if its files decide, else 0."""
    verdicts = []
    for depth, folder in enumerate(folders):
        name = folder.lower().replace("_", "-").replace(" ", "-")
        words = set(name.split("-"))
        parent = folders[depth - 1].lower() if depth else ""
        if name in _SURE or words & {"adr", "adrs", "madr"}:
            verdicts.append(2)
        elif words & _LIKELY or (parent, name) in _PAIRS:
            verdicts.append(1)
        else:
            verdicts.append(0)
    return verdicts


def _parents(folder: str) -> list[str]:
    parts = folder.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]
