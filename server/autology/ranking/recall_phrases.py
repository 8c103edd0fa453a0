"""Phrases that refer to the past, with their weights as evidence, read from recall_phrases.txt."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.abc import SourceLoader

SORTS = ("act", "time", "again", "mind", "asks", "in sight")
"""The sorts of phrases; each sort counts once."""
_sections: dict[str, bytes] = {}


def _section(name: str) -> list[str]:
    """Return the lines of a section of the file, which is read on first use."""
    if not _sections:
        # By the loader, for hooks are loaded from an archive.
        loader: SourceLoader = __loader__  # type: ignore[name-defined]
        data = loader.get_data(os.path.join(os.path.dirname(__file__), "recall_phrases.txt"))
        for section in data.split(b"\n[")[1:]:
            title, _, lines = section.partition(b"]")
            _sections[title.decode()] = lines
    return [line for line in _sections[name].decode("utf-8").splitlines() if line and line[0] != "#"]


def lists() -> dict[str, str]:
    """Return the word lists, by the name that phrases use for them."""
    return dict(line.split(": ", 1) for line in "\n".join(_section("lists")).replace("\n ", "").split("\n"))


def evidence() -> dict[str, list[tuple[float, str]]]:
    """Return the phrases of each sort, with their weights."""
    by_sort = {}
    for sort in SORTS:
        lines = (line.split(" ", 1) for line in _section(sort))
        by_sort[sort] = [(float(weight), phrase) for weight, phrase in lines]
    return by_sort


def other_languages() -> list[list[str]]:
    """Return the phrases of other languages, each as the parts that must all occur."""
    return [line.replace("_", " ").split(" + ") for line in _section("elsewhere")]


# Prefilter: without one of these words only phrases for times and questions match, which are not sufficient. It rejects
# seven prompts of ten before the phrases are parsed, which takes 2 ms.
KEYS = frozenset(
    "again agreed agreement already alternatives anymore argument arguments asked back backlog before built"
    " came cause changed chat choice come compromise conclusion consensus continue conversation conversations d"
    " deal decided decision did didnt dig discussed discussion drafted earlier end ended ends ever explained"
    " finish fix fixed found gave go had happened history hit i idea isnt last left listed look made me"
    " measured memory mentioned met missing moved named notes occurred once open options our outcome past pick"
    " plan previous prior promised proposed quoted ran rationale reason reasoning reasons recall recap"
    " recommended record redo remember remind resolution resume roadmap rundown said same saw seen sent session"
    " showed shown sketched solved stand stands still stood story suggested summary todo told trace transcripts"
    " trick upshot us ve verdict warned was wasnt we were werent workaround wrote".split()
)
