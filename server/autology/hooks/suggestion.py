"""A hint for a prompt that resembles past work: that there is some, and the call that shows it."""

from __future__ import annotations

from autology.ranking.prompt_similarity import (
    ERROR,
    FEATURE,
    FILES,
    HOW_TO,
    NEAR,
    PROBLEM,
    SAME_FILES,
    is_of_form,
    kind,
)
from autology.text.user_words import by_machine, errors, files_in, named_inside, own_words, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project
    from autology.hooks.recall_search import ChunkHit

_TEMPLATES = {
    ERROR: "I found {} about similar errors in this project's past ({}).",
    HOW_TO: "This was asked before: I found {} in this project's past ({}).",
    FEATURE: "We've implemented similar features before: I found {} in this project's past ({}).",
    PROBLEM: "I found {} about similar work in this project's past ({}).",
    FILES: "I found {} in this project's past ({}) that worked on the same files.",
}
_FILES = 4
"""Maximum files of a prompt looked up; a prompt with more is not about any of them."""
_LONGEST = 4_000
"""Maximum characters of a prompt's own words; a longer text is a document and resembles everything."""


def answer(prompt: str, project: Project) -> dict[str, object] | None:
    """Return the hint, once per session for the same past work; None if nothing is near enough."""
    from autology import tool_switches

    what, chunks = near(prompt, project) if tool_switches.suggestions_on() else ("", [])
    if not chunks:
        return None
    from autology.hooks.project import withheld

    if "conversations" in withheld(project.root):
        return None  # the suggested tool is switched off
    from autology.hooks import notes
    from autology.hooks.recall_text import line
    from autology.hooks.wording import context

    if not notes.first(project, "near", f"{project.session}-{chunks[0].id}"):
        return None
    notes.add(project, "suggested", ids=[chunks[0].id])
    return context("UserPromptSubmit", line(_TEMPLATES[what], chunks))


def near(prompt: str, project: Project) -> tuple[str, list[ChunkHit]]:
    """Return the class of *prompt*, and the past work it resembles, closest first."""
    own, wrong = own_words(prompt), errors(prompt)
    what = kind(own, wrong)
    if by_machine(prompt) or not (own or wrong) or len(own) > _LONGEST:
        return what, []
    from autology import wire

    index = wire.recollection()
    if index is None:
        return what, []
    from autology.hooks.recall_search import Past

    words = " ".join(dict.fromkeys((own, *named_inside(prompt))))
    words_in_order = words_of(words) if "." in words else []
    files = files_in(words_in_order)[:_FILES]
    with index:
        past = Past(project, index)
        chunks = past.speaking_of(words, (), NEAR[what])
        if files and not (chunks and what == ERROR) and not is_of_form(own):
            rest = " ".join(word for word in words_in_order if not files_in((word,)))
            if same := past.touching(files, rest, SAME_FILES):
                return FILES, same
        return what, chunks
