"""With a prompt: adds the past work that it asks about, fenced; else a hint if it resembles past work."""

from __future__ import annotations

import os

from autology.hooks.project import not_excluded
from autology.ranking.recall_intent import IMPLEMENTATION, by_phrase, narrowed, recall_intent
from autology.text.user_words import by_machine, own_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.core.lookup_ports import ChunkHit, ChunkLookup, NodeRow, SharedLookup
    from autology.core.prompt_notes import KnownNote
    from autology.core.prompt_recall import PastConversations, Subject, TimeSpan
    from autology.hooks.project import HookProject
    from autology.ranking.recall_gate import Knowledge
    from autology.ranking.recall_intent import RecallIntent

_SESSIONS, _NODES = 3, 3
_COMPARED = 6
"""Notes whose text is compared with a prompt, some 0.1 ms each."""
_NOTES = 2
"""Maximum notes whose text is shown."""
_NEARLY = 0.6
"""What a note must know of a prompt, relative to the best chunk, to be shown beside it."""
_RARE = 2
"""Rare words of a question that past work must have before it is compared further: a hint needs as many."""

_HOW_TO = ("how do i ", "how do we ", "how to ", "how can ", "how should ")
"""Beginnings of a prompt that asks how something is done in general."""


def answer(event: dict[str, object], project: HookProject) -> tuple[str, str] | None:
    """Return the context for a prompt; None if there is nothing relevant."""
    try:
        return _answer(event, project)
    finally:
        while _opened:
            _opened.pop().close()


_opened: list[SharedLookup] = []
"""The index of conversations, which the steps of an answer share: opening it takes as long as a search."""


def _recollection() -> SharedLookup | None:
    """Return the index of conversations; it stays open until the prompt is answered."""
    if not _opened:
        from autology import wire

        index = wire.recollection()
        if index is None:
            return None
        index.is_shared = True
        _opened.append(index)
    return _opened[0]


def _answer(event: dict[str, object], project: HookProject) -> tuple[str, str] | None:
    prompt = event.get("prompt")
    if not isinstance(prompt, str) or by_machine(prompt):
        return None
    intent = recall_intent(prompt)
    if intent is None:
        return _elsewhere(prompt, project) or _suggested(prompt, project)
    recalled, rare = _recalled(prompt, intent, project)
    recalled = recalled or _elsewhere(prompt, project, intent)
    return recalled if recalled or by_phrase(intent) or rare < _RARE else _suggested(prompt, project)


def _recalled(prompt: str, intent: RecallIntent, project: HookProject) -> tuple[tuple[str, str] | None, int]:
    """Return the past that the prompt asks for, and how many of its rare words the best chunk has."""
    from autology.core.prompt_recall import time_span

    own = own_words(prompt)
    time = time_span(own)
    if time is not None:
        intent = narrowed(intent, prompt, time.rest)
    past = _past_chunks(intent, own, project, time)
    matches_time = time is not None and bool(past.chunks)
    if time is not None and not past.chunks:
        past = _past_chunks(intent, own, project, None)
    chunks = not_excluded(past.chunks, project.root)
    about = intent._replace(about=past.subject.words) if past.subject and chunks else intent
    nodes = _nodes_about(intent, about, project, bool(past.subject))
    notes: list[KnownNote] = []
    if nodes and past.subject:
        known = _known_notes(past.subject, nodes, project)
        about_it = [note for note in known if note.knowledge.rare >= _RARE]
        notes = _that_answer(known, intent, past) or ([] if chunks else about_it[:_NOTES])
        nodes = [note.node for note in known if note in notes or note in about_it][:_NODES]
    if not chunks and not by_phrase(intent):
        notes = [note for note in notes if _is_worth(note.knowledge, intent)]
        nodes = [note.node for note in notes]
    if not chunks and not nodes:
        return None, past.knowledge.rare
    from autology.hooks import recall_text, session_state

    text, shown = recall_text.rendered(
        about, chunks, nodes, time, matches_time, past.amended, notes, past.knowledge.weight
    )
    session_state.add(project, "recalled", ids=shown, nodes=[id for id, *_ in nodes])
    return (text, ""), past.knowledge.rare


class _Talk:
    """Past *chunks* about a *subject* that are worth an answer, and what the best one has of it: its *knowledge*.

    *amended* has the days on which chunks were amended, by their ids.
    """

    __slots__ = ("amended", "chunks", "knowledge", "subject")

    def __init__(
        self,
        chunks: Sequence[ChunkHit] = (),
        knowledge: Knowledge | None = None,
        amended: dict[str, str] | None = None,
        subject: Subject | None = None,
    ) -> None:
        from autology.ranking.recall_gate import NOTHING

        self.chunks, self.knowledge, self.amended = list(chunks), knowledge or NOTHING, amended or {}
        self.subject = subject


def _past_chunks(intent: RecallIntent, own: str, project: HookProject, time: TimeSpan | None) -> _Talk:
    """Return past chunks about the subject of *intent*, within *time* if set, if they are worth an answer."""
    index = _recollection() if intent.about or by_phrase(intent) else None
    if index is None:
        return _Talk()
    with index:
        past = _past(project, index, time)
        if not intent.about:
            return _Talk(past.latest(_SESSIONS))
        from autology.ranking.recall_gate import is_worth_answering

        subject = past.subject(intent.about, own, intent.form.language)

        def is_worth(knowledge: Knowledge) -> bool:
            return is_worth_answering(intent.wording, intent.form.language, knowledge, time is not None)

        return _Talk(*past.answering(subject, intent.wants == IMPLEMENTATION, is_worth), subject)


def _known_notes(subject: Subject, nodes: Sequence[NodeRow], project: HookProject) -> list[KnownNote]:
    """Return what each of *nodes* knows of *subject*."""
    from autology.core.prompt_notes import READ, known_notes

    def read(path: str) -> str:
        note = os.path.join(project.root, path)
        try:
            if os.path.islink(note) or not os.path.isfile(note):  # a pipe would block
                return ""
            with open(note, encoding="utf-8", errors="replace") as file:
                return file.read(READ)
        except (OSError, ValueError):
            return ""

    return known_notes(subject, nodes, read)


def _that_answer(notes: Sequence[KnownNote], intent: RecallIntent, past: _Talk) -> list[KnownNote]:
    """Return those of *notes* that answer by themselves, or nearly as well as the chunks of the *past*."""
    enough = _NEARLY * past.knowledge.weight if past.chunks else float("inf")
    return [note for note in notes if note.knowledge.weight >= enough or _is_worth(note.knowledge, intent)][:_NOTES]


def _is_worth(knowledge: Knowledge, intent: RecallIntent) -> bool:
    """Whether a note with this *knowledge* is worth an answer: among few notes, one rare word alone tells nothing."""
    if knowledge.unknown and knowledge.rare < _RARE:
        return False
    from autology.ranking.recall_gate import is_note_worth_answering

    return is_note_worth_answering(intent.wording, intent.form.language, knowledge)


def _past(project: HookProject, index: ChunkLookup, time: TimeSpan | None = None) -> PastConversations:
    from functools import cache

    from autology import wire
    from autology.core.prompt_recall import PastConversations
    from autology.hooks import session_state

    identities = cache(lambda: wire.known_names(project.root))
    return PastConversations(
        index, identities, project.session, *session_state.in_context(project), time, cosines=wire.cosines
    )


def _elsewhere(prompt: str, project: HookProject, intent: RecallIntent | None = None) -> tuple[str, str] | None:
    """Return what another project of the user's knows of a question that names what only that one knows."""
    from autology.ranking.asking_form import ASK, WHY, asking_form
    from autology.ranking.recall_intent import DISCUSSION, RecallIntent, about

    own = own_words(prompt)
    form = intent.form if intent else asking_form(own)
    if not form.is_question and not form.sorts & {ASK, WHY}:
        return None
    words = intent.about if intent else about(prompt, own, form.language)
    if not words:
        return None
    general = form.asks_how or own.lower().startswith(_HOW_TO)
    from autology import wire

    index = _recollection()
    if index is None:
        return None
    with index:
        names = wire.known_names(project.root)
        if not index.has_others(names):
            return None
        from autology.core.prompt_other_projects import elsewhere
        from autology.hooks import session_state

        _, recalled = session_state.in_context(project)
        name, chunks = elsewhere(index, words, names, project.session, recalled, general)
    chunks = not_excluded(chunks, project.root)
    if not chunks:
        return None
    from autology.hooks import recall_text

    text, shown = recall_text.rendered(
        RecallIntent(DISCUSSION, words, 0.0, form, 0.0), chunks, [], reserved=recall_text.OF_PROJECT
    )
    session_state.add(project, "recalled", ids=shown, nodes=[])
    return recall_text.of_project(name, text), ""


def _nodes_about(intent: RecallIntent, known: RecallIntent, project: HookProject, any_word: bool) -> list[NodeRow]:
    """Return nodes about the subject of *intent*, or about that as the conversations spell it, as *known* has it.

    With *any_word* one of its words is enough.
    """
    from autology import wire

    index = wire.glance(project.root) if intent.about else None
    if index is None:
        return []
    from autology.text.tokens import query_terms

    with index:
        words = " ".join(dict.fromkeys((*known.about.split(), *intent.about.split())))
        nodes = index.about(query_terms(words), _COMPARED if any_word else _NODES, int(any_word))
        drifted = {**index.drifted(), **index.changed()} if nodes else {}
        return [
            (id, type, title, f"needs_review: {drifted[id]}" if id in drifted else status, path)
            for id, type, title, status, path in nodes
        ]


# ---- a prompt that asks for nothing ----------------------------------------------------------------


def _suggested(prompt: str, project: HookProject) -> tuple[str, str] | None:
    """Return the hint, once per session for the same past work; None if no past work is similar enough."""
    request, chunks = near(prompt, project) if _suggests() else ("", [])
    chunks = not_excluded(chunks, project.root)
    if not chunks:
        return None
    from autology.hooks.project import withheld

    if "conversations" in withheld(project.root):
        return None  # the suggested tool is switched off
    from autology.hooks import recall_text, session_state

    if not session_state.first(project, "near", f"{project.session}-{chunks[0].id}"):
        return None
    session_state.add(project, "suggested", ids=[chunks[0].id])
    return recall_text.suggestion(request, chunks), ""


def _suggests() -> bool:
    """Whether the user wants to hear of past work without asking for it."""
    from autology.hook_events import suggestions_on

    return suggestions_on()


def near(prompt: str, project: HookProject) -> tuple[str, list[ChunkHit]]:
    """Return the class of *prompt*, and the past work it resembles, closest first."""
    from autology.core.prompt_recall import request_in, resembling

    request = request_in(prompt)
    if request is None:
        return "", []
    from autology import wire

    index = wire.recollection()
    if index is None:
        return "", []
    with index:
        return resembling(prompt, request, _past(project, index))
