"""With a prompt: what it asks about the past, found and fenced; else a hint if it resembles past work."""

from __future__ import annotations

from autology.ranking.recall_intent import IMPLEMENTATION, moment, narrowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project
    from autology.hooks.recall_search import ChunkHit
    from autology.hooks.time_question import When
    from autology.ranking.recall_intent import Moment

    Node = tuple[str, str, str, str, str]

_SESSIONS, _NODES = 3, 3


def answer(event: dict[str, object], project: Project) -> dict[str, object] | None:
    """Return the context for a prompt; None if there is nothing relevant."""
    prompt = event.get("prompt")
    if not isinstance(prompt, str):
        return None
    intent = moment(prompt)
    if intent is None:
        from autology.hooks import suggestion

        return suggestion.answer(prompt, project)
    from autology.hooks.time_question import when
    from autology.text.user_words import own_words

    time = when(own_words(prompt))
    if time is not None:
        intent = narrowed(intent, prompt, time.rest)
    chunks, nodes = _past_chunks(intent, project, time), _nodes_about(intent, project)
    of_then = time is not None and bool(chunks)
    if time is not None and not chunks:
        chunks = _past_chunks(intent, project, None)
    if not chunks and not nodes:
        return None
    from autology.hooks import notes, recall_text
    from autology.hooks.wording import context

    text, shown = recall_text.rendered(intent, chunks, nodes, time, of_then)
    notes.add(project, "recalled", ids=shown, nodes=[id for id, *_ in nodes])
    return context("UserPromptSubmit", text)


def _past_chunks(intent: Moment, project: Project, time: When | None) -> list[ChunkHit]:
    """Return past chunks about it, within *time* if set."""
    from autology import wire

    index = wire.recollection()
    if index is None:
        return []
    from autology.hooks.recall_search import Past
    from autology.ranking.prompt_similarity import RELEVANT

    with index:
        past = Past(project, index, time.since, time.until) if time else Past(project, index)
        if not intent.about:
            return past.latest(_SESSIONS)
        return past.speaking_of(intent.about, ("code",) if intent.wants == IMPLEMENTATION else (), RELEVANT)


def _nodes_about(intent: Moment, project: Project) -> list[Node]:
    """Return nodes about it."""
    from autology import wire

    glance = wire.glance(project.root) if intent.about else None
    if glance is None:
        return []
    from autology.text.tokens import query_terms

    with glance:
        drifted = {**glance.drifted(), **glance.changed()}
        return [
            (id, type, title, f"needs_review: {drifted[id]}" if id in drifted else status, path)
            for id, type, title, status, path in glance.about(query_terms(intent.about), _NODES)
        ]
