"""Folders of source code that nothing written mentions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from autology.core.analysis.finding import NOTICE, Finding
from autology.core.analysis.survey import Survey
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import TITLE_LIMIT
from autology.text.slug import without_ending
from autology.text.source_code import languages

FILES = 5
"""Minimum files of a folder for it to deserve a note."""
FOLDERS = 5
"""Folders reported, those with most files first: of 20 in each of eight public repositories, a reader found 6 of
83 of use."""
SHORTEST_NAME = 10
"""Letters from which a name that is one word is distinctive enough: ``checkout`` is said of anything, ``blocksync``
of one folder."""
MODULE = 1
"""Depth of the outermost folder whose README counts for what lies below it: the root's is about the whole project."""
LONGEST_PATH = 6
"""Parts of a path or of a dotted name that are looked for as one name."""
_DATA = frozenset("json yaml toml ini xml markdown html css diff protobuf sql graphql terraform".split())
_NOT_DESIGNED = re.compile(
    r"(?:.*[-_.])?(?:tests?|testing|specs?|__tests__|test[-_]?(?:data|support|utils?|fixtures?)|(?:integration|unit|e2e)"
    r"[-_]?tests?|e2e|bench(?:marks?)?|examples?|samples?|demos?|fixtures?|mocks?|stubs|snapshots|playground|scripts?"
    r"|vendor|third[-_]party|node_modules|generated|gen|proto|migrations?|locales?|i18n|translations|static|assets"
    r"|resources|public|docs?|documentation|tools?|models?|dto|types|events)(?:[-_.].*)?",
    re.IGNORECASE,
)
"""Folders whose files explain themselves or are explained where they are used."""
_GENERAL = frozenset(
    "api app application apps base client cmd common components config core data domain impl infra infrastructure"
    " internal kernel lib libs main modules package packages persistence pkg plugin plugins repository server"
    " service services shared source src store ui usecase usecases util utils web".split()
)
"""Names of folders that say nothing without the folder above."""
_NAME = re.compile(r"[^\W\d_][\w.@/-]*")
_JOINTS = re.compile(r"[\W_]+")


def is_expected(survey: Survey) -> bool:
    """Whether the project has notes of its own about code: adopted records were not written to cover its folders.

    In 29 repositories with nothing but adopted records, a reader found none of 17 such findings of use.
    """
    return any(node.references for node in survey.nodes.values() if not node.record)


def coverage(survey: Survey) -> Iterator[Finding]:
    """Yield folders with many files of source code that no node refers to, and that no text of a node mentions."""
    folders = Counter[str]()
    stems: dict[str, set[str]] = {}
    with_readme: set[str] = set()
    for path in survey.files or ():
        folder, _, name = path.rpartition("/")
        if name.lower().startswith("readme"):
            with_readme.add(folder)
        elif _is_code(path):
            folders[folder] += 1
            stems.setdefault(folder, set()).add(name.partition(".")[0])
    many = {folder: count for folder, count in folders.items() if folder and count >= FILES}
    if not many:
        return
    mentions = _Mentions(survey)
    records = [node.record for node in survey.nodes.values() if node.record]
    without = [
        (folder, count)
        for folder, count in many.items()
        if not with_readme.intersection(_module_of(folder))
        and not any(_NOT_DESIGNED.fullmatch(part) for part in folder.split("/"))
        and not _is_attached(folder, records)
        and not mentions.of_folder(folder, stems[folder])
    ]
    for folder, count in sorted(without, key=lambda item: (-item[1], item[0]))[:FOLDERS]:
        yield Finding(
            "coverage",
            NOTICE,
            f"No node refers to {folder}",
            "Nothing explains its design to anyone who works there.",
            Sentence(do(Action.CAPTURE, title=_purpose(folder), content=PLACEHOLDER, references=[folder])),
            (),
            (f"{count} files",),
        )


def _module_of(folder: str) -> Iterator[str]:
    """Yield *folder*, and the folders above it whose README is about a module and not about the whole project."""
    yield folder
    parts = folder.split("/")
    for depth in range(len(parts) - 1, MODULE - 1, -1):
        yield "/".join(parts[:depth])


class _Mentions:
    """The files that nodes refer to, and the names in their texts: words, dotted names, paths, without their joints."""

    def __init__(self, survey: Survey) -> None:
        self._references = {path for node in survey.nodes.values() for path in node.references}
        written = {
            name for node in survey.nodes.values() for name in _NAME.findall(f"{node.title}\n{node.content}".lower())
        }
        self._names: set[str] = set()
        for name in written:
            parts = re.split(r"[./]", name)
            for at in range(len(parts)):
                for end in range(at + 1, min(len(parts), at + LONGEST_PATH) + 1):
                    self._names.add(_JOINTS.sub("", "".join(parts[at:end])))

    def of_folder(self, folder: str, stems: set[str]) -> bool:
        """Whether a node refers to *folder*, or its text names it, or what a file in it is called after."""
        inside = any(path == folder or path.startswith(f"{folder}/") for path in self._references)
        if inside or any(folder.startswith(f"{path}/") for path in self._references):
            return True
        parts = folder.lower().split("/")
        telling = next((part for part in reversed(parts) if part not in _GENERAL), parts[-1])
        if _JOINTS.sub("", telling) in self._names:
            return True
        return any(_is_distinctive(stem) and _JOINTS.sub("", stem.lower()) in self._names for stem in stems)


def _is_distinctive(stem: str) -> bool:
    """Whether a file's name is likely that of one class or module: ``InjectionPoint``, ``block_sync``."""
    compound = "_" in stem.strip("_") or any(letter.isupper() for letter in stem[1:])
    return len(stem) >= SHORTEST_NAME and (compound or stem.isalpha())


def _purpose(folder: str) -> str:
    """Return a title for a note about the purpose of *folder*."""
    room = TITLE_LIMIT - len("What  is for")
    return f"What {folder if len(folder) <= room else '…' + folder[1 - room :]} is for"


def _is_code(path: str) -> bool:
    language = languages.of_file(path)
    return language is not None and language not in _DATA and not any(part.startswith(".") for part in path.split("/"))


def _is_attached(folder: str, records: Sequence[str]) -> bool:
    """Whether *folder* belongs to one of *records*: it lies in the record's own folder, or in one named like it."""
    for record in records:
        home, _, name = record.rpartition("/")
        stem = without_ending(name).lower()
        if stem in ("readme", "index"):
            if home and f"{folder}/".startswith(f"{home}/"):
                return True
        elif folder.startswith(f"{home}/" if home else ""):
            first = folder[len(home) + 1 if home else 0 :].partition("/")[0].lower()
            if first and f"{stem}-".startswith(f"{first}-") and any(letter.isdigit() for letter in first):
                return True
    return False
