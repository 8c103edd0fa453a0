"""Finding whole sessions: by a description of their matter, or the latest; each with what a list shows of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from autology.core.conversations import past_sessions
from autology.core.conversations.session_facts import SessionFacts, session_facts
from autology.core.conversations.sources import ConversationSources
from autology.core.conversations.transcripts import Ends
from autology.core.likelihood import IndexedQuestions
from autology.core.recall.conversation_search import ConversationSearch
from autology.core.recall.discussions import NOTHING, POOL, answered, degraded
from autology.core.recall.request import ParsedRequest, RecallRequest, parsed
from autology.model.argument_limits import RECALLED
from autology.model.conversation import USER
from autology.model.entry import CONVERSATION
from autology.model.errors import ValidationError
from autology.model.query import Filter, Terms
from autology.ranking.evidence import words_of_subject
from autology.ranking.session_match import Description, Encode, SessionText, scores
from autology.text.conversation.chunks import SIGNS, without_edits
from autology.text.language.plural import counted
from autology.text.language.software_names import names_described_by
from autology.text.tokens import query_terms

MOST = 50
"""Sessions in one answer."""
CANDIDATES, COMPARED = 40, 50
"""The sessions of the best passages, and all, that are compared as a whole: of those in bench/sessions the right one is
among the first 30 of the best passages, or of none of them, but of five such ones each is among those named or near."""
NAMES, OF_A_NAME, NAMED = 64, 5, 10
"""Names of software that are looked up if a description fits them, passages of each, and sessions of all."""
PASSAGES = 12
"""Passages of a session that are compared, 24,000 characters: what it was about was said by then."""
READ, END_READ = 16_000_000, 200_000
"""Bytes of transcripts read for one answer, and of each end of a session that does not fit in what is left of them: a
megabyte takes 35 ms of the processor, and the ends of 50 sessions 0.7 s."""
SHORTEST_ID = 4
SESSIONS = "sessions"
EVERYTHING = "what"
"""The query of a request without a description: a word of asking, which describes no session."""


@dataclass(frozen=True, slots=True)
class FoundSessions:
    """Sessions, best or newest first, and messages about the search."""

    sessions: tuple[SessionFacts, ...]
    notes: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many were found."""
        return len(self.sessions)


class SessionSearch:
    """Search for sessions by the passages in an index; *encode* returns vectors of texts, without it words decide."""

    def __init__(self, search: ConversationSearch, conversations: ConversationSources, encode: Encode | None) -> None:
        self._search = search
        self._conversations = conversations
        self._encode = encode

    def find(self, request: RecallRequest) -> FoundSessions:
        """Return the sessions that *request* describes, best first; the latest if it has no words.

        Raises:
            ValidationError: the request is unusable.
        """
        if not 1 <= request.limit <= MOST:
            raise ValidationError("limit", f"{request.limit} is outside 1-{MOST}", f"Give a number from 1 to {MOST}.")
        return self._search.answer(SESSIONS, request.query, request.filters, lambda notes: self._find(request, notes))

    def called(self, beginning: str) -> str:
        """Return the id of the one session whose id begins with *beginning*.

        Raises:
            ValidationError: there is none, or more than one.
        """
        if len(beginning) < SHORTEST_ID:
            step = f"Give its first {SHORTEST_ID} characters or more."
            raise ValidationError("session", f"'{beginning}' is too short", step)
        sources = self._conversations
        names = (*sources.live.scan(), *sources.archive.scan())
        ids = {sources.live.session(name) for name in names if not sources.live.is_agent(name)}
        matches = sorted(id for id in ids if id.startswith(beginning))
        if beginning in matches:
            return beginning
        if not matches:
            raise ValidationError("session", f"'{beginning[:60]}' begins no session's id", "List the sessions first.")
        if len(matches) > 1:
            step = f"Give more of one: {', '.join(matches[:5])}."
            raise ValidationError("session", f"'{beginning}' begins the ids of {len(matches)} sessions", step)
        return matches[0]

    def _find(self, request: RecallRequest, notes: Sequence[str]) -> FoundSessions:
        search = self._search
        text = request.query.strip()
        with search.index.keep_open():
            wide = replace(request, query=text or EVERYTHING, limit=RECALLED)
            question = parsed(wide, search.now(), search.index.projects, search.in_sight())
            if text and question.words:
                question, sessions = self._described(question)
                notes = (*notes, *degraded(search, question))
            else:
                sessions = self._latest(question)
            return self._answer(sessions, request.limit, (*question.notes, *notes))

    def _described(self, question: ParsedRequest) -> tuple[ParsedRequest, list[str]]:
        questions = IndexedQuestions()
        question, ranked = answered(self._search, question, questions)
        best: dict[str, float] = {}
        for chunk, relevance in ranked:
            best.setdefault(chunk.session, relevance)
        sessions = list(best)[:CANDIDATES]
        if self._encode and sessions:
            index = self._search.index
            known = questions.of(index, question.words)
            # Only what is translated is put into other words; misspelt words are followed by what they mean.
            meaning = known.meaning if known.meaning != question.words else known.query
            others = (*self._of_names(meaning, question), *self._nearest(meaning, question))
            sessions = list(dict.fromkeys((*sessions, *others)))[:COMPARED]
            texts = [self._text(session, best.get(session, 0.0)) for session in sessions]
            description = Description(question.words, meaning)
            order = dict(zip(sessions, scores(description, texts, self._encode, index), strict=True))
            least = min(score for session, score in order.items() if session in best)
            sessions = sorted((one for one in sessions if order[one] >= least), key=lambda one: -order[one])
        return question, sessions

    def _of_names(self, meaning: str, question: ParsedRequest) -> list[str]:
        """Return the sessions that speak of software which *meaning* describes, of the rarest names first."""
        index = self._search.index
        terms = query_terms(" ".join(names_described_by([word for word, _ in words_of_subject(meaning)])[:NAMES]))
        counts = index.frequencies(terms)[1] if terms else ()
        held = sorted((count, term) for term, count in zip(terms, counts, strict=True) if count)
        sessions: list[str] = []
        for _, term in held:
            hits = index.lexical_candidates(Terms((term,)), question.where, False, OF_A_NAME)
            sessions += self._sessions_of([hit.source.id for hit in hits])
        return list(dict.fromkeys(sessions))[:NAMED]

    def _nearest(self, meaning: str, question: ParsedRequest) -> list[str]:
        """Return the sessions of the passages nearest to *meaning*, however far these are."""
        hits = self._search.index.semantic_candidates(meaning, question.where, POOL)
        return self._sessions_of([hit.source.id for hit in hits])

    def _sessions_of(self, ids: Sequence[str]) -> list[str]:
        chunks = self._search.index.chunks(ids)
        return [chunks[id].session for id in ids if id in chunks]

    def _latest(self, question: ParsedRequest) -> list[str]:
        index = self._search.index
        where = replace(question.where, kind=CONVERSATION)
        rows = index.listed(where, past_sessions.PASSAGES, "") if question.possible else ()
        newest: dict[str, str] = {}
        for source in rows:
            if source.session:
                newest[source.session] = max(newest.get(source.session, ""), source.modified)
        return sorted(newest, key=lambda session: newest[session], reverse=True)

    def _text(self, session: str, relevance: float) -> SessionText:
        index = self._search.index
        rows = index.listed(Filter(kind=CONVERSATION, session=session), past_sessions.PASSAGES, "")
        first = sorted(rows, key=lambda source: source.created)[:PASSAGES]
        text = "\n\n".join(
            without_edits(chunk.text) for chunk in index.chunks([source.id for source in first]).values()
        )
        prompts: list[str] = []
        exchanges: list[str] = []
        for part in filter(None, text.split("\n\n")):
            is_prompt = part.startswith(SIGNS[USER])
            if is_prompt:
                prompts.append(part)
            if is_prompt or not exchanges:
                exchanges.append(part)
            else:
                exchanges[-1] += f"\n\n{part}"
        return SessionText(relevance, text, "\n".join(prompts), exchanges, first[0].created if first else "")

    def _answer(self, sessions: Iterable[str], limit: int, notes: Sequence[str]) -> FoundSessions:
        shown: list[SessionFacts] = []
        unread = READ
        for session in sessions:
            if len(shown) == limit:
                break
            ends = Ends(END_READ, END_READ, whole=max(unread, 2 * END_READ))
            if facts := session_facts(self._conversations, session, ends):
                shown.append(facts)
                unread -= facts.read
        if cut := sum(facts.left_out > 0 for facts in shown):
            many = f"{counted(cut, 'long session', 'were')} read at the beginning and the end only"
            notes = (*notes, f"{many}: prompts and files in between are not counted")
        if not shown and not self._search.index.projects():
            notes = (*notes, NOTHING)
        return FoundSessions(tuple(shown), tuple(dict.fromkeys(notes)))
