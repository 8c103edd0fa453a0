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

# Words that ask for the past without saying what about.
ASKING = frozenset(
    "remember recall remind again before previously earlier last time discussed discuss talked talk decide"
    " decided agreed agree said say told tell mentioned suggested used use using way same similar like approach"
    " trick conversation conversations session sessions memory history search look find check ago week month"
    " yesterday while back already ever once settled end ended pick left off continue where were worked work"
    " working happen happening happened please can could hey ok okay just lets let need want now thing stuff"
    " something one some up did done had get got make made do it its im ive id youre weve cant dont didnt"
    " havent there here very exact exactly really think sure pretty maybe no not yes was been being am re ve ll"
    " m d s t u outcome conclusion reason reasoning reject rejected choose chose chosen picked went go going"
    " explain summarise summarize fixed fix solved solve any anything all about also still then than too out"
    " over under down only give gave bring revisit decision prior art us our ours march may june july january"
    " february april august september october november december monday tuesday wednesday thursday friday"
    " saturday sunday today wrote write walk through what which why how when who whose whats a an the and or of"
    " in on for to at by from with into as but if so that this those these i you he she we they me my your"
    " their his her has have does is are leave leaves stand stands catch caught resume recap summary few weeks"
    " days months years times bit lot thanks".split()
)
