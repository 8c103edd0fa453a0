"""A line for a prompt that comes close to past work: that there is some, and the call that shows it."""

from __future__ import annotations

from autology.ranking.nearness import ERROR, FEATURE, FILES, HOW_TO, NEAR, PROBLEM, SAME_FILES, is_of_form, kind
from autology.text.spoken import by_machine, errors, files_in, named_inside, own_words, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.past import Found
    from autology.hooks.project import Project

_SAID = {
    ERROR: "I found {} about similar errors in this project's past ({}).",
    HOW_TO: "This was asked before: I found {} in this project's past ({}).",
    FEATURE: "We've implemented similar features before: I found {} in this project's past ({}).",
    PROBLEM: "I found {} about similar work in this project's past ({}).",
    FILES: "I found {} in this project's past ({}) that worked on the same files.",
}
_FILES = 4
"""Files of a prompt that are looked for; a prompt of more is about none of them."""
_LONGEST = 4_000
"""Letters of a prompt's own words; more of them are a document, and near to everything."""


def answer(prompt: str, project: Project) -> dict[str, object] | None:
    """Return the line, once a session for the same past work; None where nothing is near enough."""
    from autology import switches

    what, found = near(prompt, project) if switches.suggestions_on() else ("", [])
    if not found:
        return None
    from autology.hooks.project import withheld

    if "conversations" in withheld(project.root):
        return None  # the line is of a call that cannot be made
    from autology.hooks import notes
    from autology.hooks.recalled import line
    from autology.hooks.speech import context

    if not notes.first(project, "near", f"{project.session}-{found[0].id}"):
        return None
    notes.add(project, "suggested", ids=[found[0].id])
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

    words = " ".join(dict.fromkeys((own, *named_inside(prompt))))
    each = words_of(words) if "." in words else []
    files = files_in(each)[:_FILES]
    with look:
        past = Past(project, look)
        found = past.speaking_of(words, (), NEAR[what])
        if files and not (found and what == ERROR) and not is_of_form(own):
            rest = " ".join(word for word in each if not files_in((word,)))
            if same := past.touching(files, rest, SAME_FILES):
                return FILES, same
        return what, found
