"""With a prompt: what it asks of the past, found and fenced; else a line where it comes close to past work."""

from __future__ import annotations

from autology.ranking.moment import IMPLEMENTATION, moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.past import Found
    from autology.hooks.project import Project
    from autology.ranking.moment import Moment

    Node = tuple[str, str, str, str, str]

_SESSIONS, _NODES = 3, 3


def answer(given: dict[str, object], project: Project) -> dict[str, object] | None:
    """Return what is put beside a prompt; None where it asks for nothing that there is."""
    prompt = given.get("prompt")
    if not isinstance(prompt, str):
        return None
    asked = moment(prompt)
    if asked is None:
        from autology.hooks import suggestion

        return suggestion.answer(prompt, project)
    found, nodes = _said(asked, project), _known(asked, project)
    if not found and not nodes:
        return None
    from autology.hooks import notes, recalled
    from autology.hooks.speech import context

    text, shown = recalled.told(asked, found, nodes)
    notes.add(project, "recalled", ids=shown)
    return context("UserPromptSubmit", text)


def _said(asked: Moment, project: Project) -> list[Found]:
    """Return what was said of it."""
    from autology import wire

    look = wire.recollection()
    if look is None:
        return []
    from autology.hooks.past import Past
    from autology.ranking.nearness import RELEVANT

    with look:
        past = Past(project, look)
        if not asked.about:
            return past.latest(_SESSIONS)
        return past.speaking_of(asked.about, ("code",) if asked.wants == IMPLEMENTATION else (), RELEVANT)


def _known(asked: Moment, project: Project) -> list[Node]:
    """Return the nodes that speak of it."""
    from autology import wire

    look = wire.glance(project.root) if asked.about else None
    if look is None:
        return []
    from autology.text.tokens import query_terms

    with look:
        return look.about(query_terms(asked.about), _NODES)
