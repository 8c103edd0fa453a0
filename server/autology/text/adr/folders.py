"""Which folders are named for decision records, and which files are by their names no records."""

from __future__ import annotations

import re
from functools import lru_cache

from autology.text.adr.titles import file_name
from autology.text.slug import MARKDOWN

_NAMES = {"decision-records", "architecture-decision-records", "architecture-decisions", "decision-log"}
_WORDS = frozenset("adr adrs madr decisions rfc rfcs rfd rfds otep oteps keps".split())
"""Words in the names of such folders."""
_PAIRS = {("doc", "arch"), ("docs", "arch")}
"""A folder's parent and the folder: early adr-tools kept records in doc/arch."""
_IGNORED = frozenset(
    "node_modules bower_components vendor third_party site-packages venv .venv .git .hg .autology template"
    " templates".split()
)
_NUMBERED_TEMPLATE = re.compile(r"(?:(?:adr|rfc|record|decision|proposal)[-_ ])?template\Z", re.IGNORECASE)
"""0000-template.md; but 0014-project-templates.md is a decision on templates."""
_NO_RECORD = re.compile(
    r"(?:read-?me|_?index|contents|toc|table-of-contents|summary|overview|glossary|guide(?:lines?)?"
    r"|how-?to|contributing|changelog|log"
    r"|_?category_?|home|license)\Z|templates?(?:[-_. ].*)?\Z"
    r"|.*[-_. ]templates?(?:[-_. ](?:v?\d+|\w{2}|adr|bare|example|full|kep|long|madr|minimal|nygard|rfc|short|simple))?"
    r"\Z",
    re.IGNORECASE,
)


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
    folders = [folder.lower() for folder in path.split("/")[:-1]]
    return any(map(_is_named_for_records, ("", *folders), folders))


def _is_named_for_records(parent: str, folder: str) -> bool:
    name = folder.replace("_", "-").replace(" ", "-")
    return name in _NAMES or (parent, name) in _PAIRS or not _WORDS.isdisjoint(name.split("-"))
