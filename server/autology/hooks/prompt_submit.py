"""With a prompt: what it asks of the past, found and fenced; else a line where it comes close to past work."""

from __future__ import annotations

from autology.ranking.moment import IMPLEMENTATION, moment, narrowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.past import Found
    from autology.hooks.project import Project
    from autology.hooks.when import When
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
    from autology.hooks.when import when
    from autology.text.spoken import own_words

    time = when(own_words(prompt))
    if time is not None:
        asked = narrowed(asked, prompt, time.rest)
    found, nodes = _said(asked, project, time), _known(asked, project)
    of_then = time is not None and bool(found)
    if time is not None and not found:
        found = _said(asked, project, None)
    if not found and not nodes:
        return None
    from autology.hooks import notes, recalled
    from autology.hooks.speech import context

    text, shown = recalled.told(asked, found, nodes, time, of_then)
    notes.add(project, "recalled", ids=shown, nodes=[id for id, *_ in nodes])
    return context("UserPromptSubmit", text)


def _said(asked: Moment, project: Project, time: When | None) -> list[Found]:
    """Return what was said of it, at that *time* if one is given."""
    from autology import wire

    look = wire.recollection()
    if look is None:
        return []
    from autology.hooks.past import Past
    from autology.ranking.nearness import RELEVANT

    with look:
        past = Past(project, look, time.since, time.until) if time else Past(project, look)
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
        drifted = {**look.drifted(), **look.changed()}
        return [
            (id, type, title, f"needs_review: {drifted[id]}" if id in drifted else status, path)
            for id, type, title, status, path in look.about(query_terms(asked.about), _NODES)
        ]
