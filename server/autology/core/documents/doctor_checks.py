"""The problems of a project's documents, each with a fix."""

from __future__ import annotations

from autology.core.doctor import Diagnosis, Report
from autology.core.documents.exclusions import MEANING
from autology.core.documents.library import Library
from autology.core.documents.sources import DEFAULT, EVERYTHING, HERE
from autology.model.entry import DOCUMENT
from autology.text.language.plural import counted

FORMER_SOURCES = ("docs", "notes")
"""Folders that settings of before name, whether they are there or not."""
SHOWN_AS = {DEFAULT: "the project", EVERYTHING: "the project, with everything", HERE: "its root"}


def examine(library: Library) -> Report:
    """Return the number of documents, where they are, and their problems."""
    library.refresh(walk=True)
    index = library.graph.index
    unread = index.faults(DOCUMENT)
    missing = library.layout().missing
    count = len(index.stamps(DOCUMENT)) - len(unread)
    present = [SHOWN_AS.get(source, source) for source in library.files.sources if source not in missing]
    facts = [("documents", f"{count:,} in {', '.join(present) or 'no folder'}")]
    for rule, texts in sorted(library.files.left_out().items(), key=lambda item: (-item[1], item[0])):
        step = f"`documents_includes: {rule}` searches them"
        facts.append(("left out", f"{counted(texts, 'text')} by the rule {rule}: {MEANING[rule]}. {step}"))
    step = "Search does not find it. Correct the file by hand."
    findings = [Diagnosis("document", f"{path}: {reason}", step) for path, reason in unread]
    step = "Create the folder, or remove it from documents_sources in the settings."
    findings += [
        Diagnosis("documents", f"the folder {source}/, listed in documents_sources, does not exist", step)
        for source in missing
        if source not in FORMER_SOURCES
    ]
    return Report(tuple(facts), tuple(findings))
