"""A line for a prompt that comes close to past work: that there is some, and the call that shows it."""

from __future__ import annotations

from autology.ranking.nearness import ERROR, FEATURE, HOW_TO, NEAR, PROBLEM, kind
from autology.text.spoken import by_machine, errors, named_inside, own_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.past import Found
    from autology.hooks.project import Project

_SAID = {
    ERROR: "I found {} about similar errors in this project's past ({}).",
    HOW_TO: "This was asked before: I found {} in this project's past ({}).",
    FEATURE: "We've implemented similar features before: I found {} in this project's past ({}).",
    PROBLEM: "I found {} about similar work in this project's past ({}).",
}
_LONGEST = 4_000
"""Letters of a prompt's own words; more of them are a document, and near to everything."""


def answer(prompt: str, project: Project) -> dict[str, object] | None:
    """Return the line, once a session for the same past work; None where nothing is near enough."""
    from autology import switches

    what, found = near(prompt, project) if switches.suggestions_on() else ("", [])
    if not found:
        return None
    from autology.hooks import notes
    from autology.hooks.recalled import line
    from autology.hooks.speech import context

    if not notes.first(project, "near", f"{project.session}-{found[0].id}"):
        return None
    return context("UserPromptSubmit", line(_SAID[what], found))


def near(prompt: str, project: Project) -> tuple[str, list[Found]]:
    """Return what *prompt* is, and the past work that it comes close to, the closest first."""
    own, wrong = own_words(prompt), errors(prompt)
    what = kind(own, wrong)
    if by_machine(prompt) or not (own or wrong) or len(own) > _LONGEST:
        return what, []
    from autology import wire

    look = wire.recollection()
    if look is None:
        return what, []
    from autology.hooks.past import Past

    with look:
        words = " ".join(dict.fromkeys((own, *named_inside(prompt))))
        return what, Past(project, look).speaking_of(words, (), NEAR[what])
