"""Nodes whose files changed or are gone, and folders that no node refers to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from autology.core.analysis.finding import NOTICE, WARNING, Finding, rewriting
from autology.core.analysis.survey import Survey
from autology.model.next_step import PLACEHOLDER, Action, Sentence, do
from autology.model.node import TITLE_LIMIT, Node, NodeStatus, NodeType
from autology.text.slug import without_ending

FILES = 5
"""Minimum files of a folder for it to deserve a note."""
FOLDERS = 20
"""Folders reported, those with most files first."""
_PROSE = (".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc", ".org", ".lock", ".json", ".pdf")
_MEDIA = (
    *(".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".ico", ".avif"),
    *(".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp3", ".mp4", ".wav", ".webm"),
)


def stale(survey: Survey) -> Iterator[Finding]:
    """Yield nodes with a missing file, and those whose files changed since."""
    for node in survey.nodes.values():
        if node.status is NodeStatus.SUPERSEDED or node.type is NodeType.SESSION:
            continue
        gone = [path for path in node.references if not survey.graph.files.project_has(path)]
        if gone:
            yield _missing(survey, node, gone)
        yield from _drifted(survey, node)


def _missing(survey: Survey, node: Node, gone: Sequence[str]) -> Finding:
    """Return the finding about files that are not at their path; a moved file is followed."""
    moved = {path: survey.moved[path] for path in gone if path in survey.moved}
    lost = [path for path in gone if path not in moved]
    references = list(dict.fromkeys(moved.get(path, path) for path in node.references if path not in lost))
    return Finding(
        "stale",
        WARNING if lost else NOTICE,
        f"Refers to {'a missing file' if lost else 'a file that was moved'}: {node.title}",
        "It may describe code that was removed." if lost else "It is not shown to anyone who works on that file.",
        Sentence(do(Action.UPDATE, id=node.id, references=references)),
        (survey.subject(node.id, gone[0]),),
        tuple(f"moved: {path} → {moved[path]}" if path in moved else f"gone: {path}" for path in gone),
    )


def _drifted(survey: Survey, node: Node) -> Iterator[Finding]:
    stale = [one for one in survey.drifts.get(node.id, ()) if one.what or survey.graph.files.project_has(one.path)]
    matter = any(one.matters for one in stale)
    if stale:
        keep = do(Action.REVIEW, id=node.id[:8], keep=True)
        yield Finding(
            "stale",
            WARNING if matter else NOTICE,
            f"{'Mentions rewritten code' if matter else 'Older than what it refers to'}: {node.title}",
            "It may be out of date." if matter else "The files were changed after it was written.",
            Sentence(rewriting(node, "… as it is now"), ", or ", keep, " if it still holds"),
            (survey.subject(node.id, stale[0].path),),
            tuple(one.summary for one in stale),
        )


def coverage(survey: Survey) -> Iterator[Finding]:
    """Yield folders with many files that no node refers to."""
    named = {path for node in survey.nodes.values() for path in node.references}
    records = [node.record for node in survey.nodes.values() if node.record]
    folders = Counter(path.rpartition("/")[0] for path in survey.files or () if _is_code(path))
    without = [
        (folder, many) for folder, many in folders.items() if folder and many >= FILES and not _covered(folder, named)
    ]
    without = [(folder, many) for folder, many in without if not _is_attached(folder, records)]
    for folder, many in sorted(without, key=lambda item: (-item[1], item[0]))[:FOLDERS]:
        yield Finding(
            "coverage",
            NOTICE,
            f"No node refers to {folder}",
            "Nothing explains its design to anyone who works there.",
            Sentence(do(Action.CAPTURE, title=_purpose(folder), content=PLACEHOLDER, references=[folder])),
            (),
            (f"{many} files",),
        )


def _purpose(folder: str) -> str:
    """Return a title for a note about the purpose of *folder*."""
    room = TITLE_LIMIT - len("What  is for")
    return f"What {folder if len(folder) <= room else '…' + folder[1 - room :]} is for"


def _is_code(path: str) -> bool:
    return not path.lower().endswith(_PROSE + _MEDIA) and not any(part.startswith(".") for part in path.split("/"))


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


def _covered(folder: str, named: set[str]) -> bool:
    inside = any(path == folder or path.startswith(f"{folder}/") for path in named)
    return inside or any(folder.startswith(f"{path}/") for path in named)
