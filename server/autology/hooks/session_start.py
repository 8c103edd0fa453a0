"""At a session's start: a short summary of the project's knowledge, and how to query it."""

from __future__ import annotations

import os
import time

from autology import places, wire
from autology.hooks import session_state
from autology.hooks.messages import capped, count, node_line, quoted, weight
from autology.hooks.project import HookProject, withheld
from autology.hooks.uncaptured import beginning, changed_files, uncaptured
from autology.text.sanitising import fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.core.lookup_ports import NodeLookup
    from autology.hooks.mined_candidates import Offer

BUDGET = 1_400
"""In quarters of a token: at most 400 tokens, and ids and names cost more than prose."""

_COUNT_LIMIT = 1_000
_RECALLED_LIMIT = 4
"""Maximum chunks listed again after a compaction, latest first; some 35 tokens each."""
_TYPES = ("decision", "component", "convention", "concept", "pattern", "issue", "session")
_STATES = {
    "missing": "there is no index yet: {}.",
    "old": "the index has an older version: {}.",
    "newer": "the index has a newer version: update the plugin, or remove .autology/cache/index.sqlite.",
    "damaged": "the index cannot be read: {}.",
}
_REBUILT = "the notes are safe; the first autology_query or autology_status rebuilds it"
_REBUILT_BY_HAND = "the notes are safe; `autology sync` in a terminal rebuilds it"
_HEADING = "This project keeps its knowledge in Autology"
_EMPTY = "; nothing is captured yet."
_COMPACTED = "The conversation was just compacted: suggest /autology:capture to the user for what was decided before."
_COMPACTED_MESSAGE = "Autology: /autology:capture keeps what was decided before this compaction."
_ASK = (
    "Before you explain why something is as it is, or change it, ask autology_query (/autology:explore). When a"
    " decision is made, suggest /autology:capture."
)
_ASK_IN_A_TERMINAL = (
    "The knowledge tools are switched off in the settings, and the skills that need them do not work. Before you"
    " explain why something is as it is, look into the notes under .autology/nodes; `autology query` in a terminal"
    " searches them."
)


def answer(event: dict[str, object], project: HookProject) -> tuple[str, str]:
    """Return the context of a session at its start, and again after a compaction."""
    source = event.get("source")
    _remember_session(project)
    if source == "compact":
        _remember_compaction(project)
    if source == "startup":
        session_state.forget_old(project)
    disabled = withheld(project.root)
    index = wire.glance(project.root)
    if index is None:
        recalled = _recalled_before(project, disabled) if source == "compact" else []
        text = _without_index(project, wire.glance_state(project.root), recalled, disabled)
        return text, _tip(project, source, None, disabled)
    with index:
        message = _tip(project, source, index, disabled)
        offered = None if message or source != "startup" else _offer(project, disabled)
        message = offered.message if offered else message
        after: tuple[list[str], str] = ([], "")
        if source == "compact":
            lines, is_due = _after_compaction(project, index, event.get("transcript_path"), disabled)
            is_due = is_due and "knowledge" not in disabled
            after = (lines, _COMPACTED if is_due else "")
            message = _COMPACTED_MESSAGE if is_due else ""
        text = _summary(index, after, disabled, offered)
    return text, message


# ---- what is known -------------------------------------------------------------------------------


def _ask(disabled: frozenset[str]) -> str:
    return _ASK_IN_A_TERMINAL if "knowledge" in disabled else _ASK


def _state(name: str, disabled: frozenset[str]) -> str:
    return _STATES.get(name, _STATES["damaged"]).format(_REBUILT_BY_HAND if "knowledge" in disabled else _REBUILT)


def _summary(index: NodeLookup, after: tuple[list[str], str], disabled: frozenset[str], offered: Offer | None) -> str:
    counts: dict[str, int] = {}
    review_count = 0
    for type, status, number in index.counts():
        review_count += number if status == "needs_review" else 0
        if status != "superseded":
            counts[type] = counts.get(type, 0) + number
    drifted = index.drifted()
    changed = index.changed()
    unreadable = index.unreadable(_COUNT_LIMIT)
    now = session_state.utc_stamp(time.time())
    memories = index.memories(now, os.environ.get("CORTEX_ORG", "").strip())
    before, advice = after
    if not counts and not unreadable and not before and not memories and not offered:
        return f"{_HEADING}{_EMPTY} {advice or _ask(disabled)}"
    has_past = before or offered
    source = "the knowledge and the past of this project" if has_past else "the knowledge of this project"
    asks = f"{_ask(disabled)} {offered.ask if offered else advice}"
    for size in (5, 4, 3, 2, 1, 0):
        lines = [*before[: 3 * size], *_lines(index, counts, review_count, drifted, unreadable, size)]
        lines += _changed(index, changed, size) if changed else []
        if memories:
            lines.append(count(memories, "memory") + ("" if "memory" in disabled else ": memory_find"))
        if offered:
            lines += offered.lines(_few(size - 2, size))
        text = f"{_HEADING}.\n{fenced(source, lines)}\n{asks}".rstrip()
        if index.failed:
            text += f"\nIncomplete: {_state('damaged', disabled)}"
        if weight(text) <= BUDGET:
            break
    return text


def _lines(
    index: NodeLookup,
    counts: dict[str, int],
    review_count: int,
    drifted: dict[str, str],
    unreadable: list[tuple[str, str]],
    size: int,
) -> list[str]:
    lines = [", ".join(count(counts[type], type) for type in _TYPES if counts.get(type)) or "no nodes"]
    if size and (decisions := index.newest_decisions(size)):
        lines.append("newest decisions:")
        for id, title, status, created in decisions:
            about = f"{status}, {created[:10]}" if status else created[:10]
            lines.append(f"  {node_line(id, '', title, about).strip()}")
    if review_count:
        lines.append(f"{count(review_count, 'node')} to review:")
        nodes = [node_line(*row) for row in index.to_review(_few(size - 2, size))]
        lines += [f"  {line}" for line in capped(nodes, len(nodes), review_count)]
    if drifted:
        lines.append(f"{count(len(drifted), 'node')} to review, because what they refer to changed:")
        nodes = [
            node_line(id, type, title, drifted[id])
            for id, type, title in index.titles(list(drifted)[: _few(size - 2, size)])
        ]
        lines += [f"  {line}" for line in capped(nodes, len(nodes), len(drifted))]
    if unreadable:
        number = f"{len(unreadable):,}" if len(unreadable) < _COUNT_LIMIT else f"{_COUNT_LIMIT:,} or more"
        lines.append(f"{number} unreadable, so missing from all searches:")
        lines += [f"  {quoted(path, 80)}: {quoted(reason, 80)}" for path, reason in unreadable[: _few(size - 3, size)]]
    return lines


def _changed(index: NodeLookup, changed: dict[str, str], size: int) -> list[str]:
    """Return the lines about accepted decisions whose text or status was changed later."""
    titles = index.titles(list(changed)[: _few(size - 2, size)])
    nodes = [node_line(id, type, title, changed[id]) for id, type, title in titles]
    about = "changed outside of Autology since it was accepted"
    return [
        f"{count(len(changed), 'decision')} {about}:",
        *(f"  {line}" for line in capped(nodes, len(nodes), len(changed))),
    ]


def _few(number: int, size: int) -> int:
    """Return how many entries to list: at least one if there is any room."""
    return max(min(size, 1), number)


def _without_index(project: HookProject, state: str, recalled: list[str], disabled: frozenset[str]) -> str:
    nodes = _files(project)
    known = count(nodes, "node") if nodes else "its decision records" if _adopts_records(project) else ""
    state = f": {known}. But {_state(state, disabled)}" if known else _EMPTY
    parts = [
        f"{_HEADING}{state}",
        *([fenced("past conversations", recalled, "what was said then")] if recalled else []),
    ]
    return ("\n" if known or recalled else " ").join([*parts, _ask(disabled)])


def _adopts_records(project: HookProject) -> bool:
    """Whether the project's configuration adopts records: in a fresh clone they are known, and not indexed yet."""
    try:
        with open(os.path.join(project.root, ".autology", "config.yaml"), encoding="utf-8", errors="replace") as file:
            lines = file.read(100_000).splitlines()
    except OSError:
        return False
    values = [line.removeprefix("records:").strip().lower() for line in lines if line.startswith("records:")]
    return any(value not in ("false", "off", "no") for value in values)


def _files(project: HookProject) -> int:
    nodes = os.path.join(project.root, ".autology", "nodes")
    number = 0
    for type in _TYPES:
        try:
            number += sum(name.endswith(".md") for name in os.listdir(os.path.join(nodes, f"{type}s")))
        except OSError:
            continue
    return number


def _after_compaction(
    project: HookProject, index: NodeLookup, transcript: object, disabled: frozenset[str]
) -> tuple[list[str], bool]:
    """Return the context from before the compaction, and whether the session has uncaptured changes."""
    uncaptured_notes, captured = uncaptured(project, index, beginning(transcript))
    mentioned: list[str] = []
    for note in session_state.of_session(project, "commit"):
        mentioned += session_state.ids(note, "nodes")
    lines = []
    if uncaptured_notes:
        lines.append("before the compaction, reasons not captured:")
        lines += [
            f"  {line}" for line in capped([quoted(note.get("subject"), 100) for note in reversed(uncaptured_notes)], 3)
        ]
    recalled = session_state.of_session(project, "recalled")
    mentioned += [id for note in recalled for id in session_state.ids(note, "nodes")]
    if mentioned and (rows := index.titles(list(dict.fromkeys(mentioned))[-6:])):
        lines.append("mentioned before the compaction:")
        lines += [f"  {node_line(*row)}" for row in rows]
    idle = not captured and not session_state.of_session(project, "commit", "pull")
    is_due = bool(uncaptured_notes) or (idle and changed_files(transcript))
    return [*lines, *_recalled_before(project, disabled)], is_due


def _recalled_before(project: HookProject, disabled: frozenset[str]) -> list[str]:
    """Return the chunks recalled in this session before its compaction, latest first."""
    own_notes = session_state.of_session(project, "recalled", "suggested")
    ids = list(dict.fromkeys(id for note in reversed(own_notes) for id in session_state.ids(note, "ids")))[
        :_RECALLED_LIMIT
    ]
    index = wire.recollection() if ids else None
    if index is None:
        return []
    from autology.hooks.recall_text import in_a_line

    with index:
        chunks = index.named(ids)
    reads = "" if "conversations" in disabled else "; retrieve_memory_chunk reads a chunk again"
    about = f"recalled before the compaction{reads}:"
    return [about, *(f"  {in_a_line(chunk)}" for chunk in chunks)] if chunks else []


# ---- the session ---------------------------------------------------------------------------------


def _tip(project: HookProject, source: object, index: NodeLookup | None, disabled: frozenset[str]) -> str:
    """Return the message, shown once, about an earlier session's uncaptured changes."""
    if source == "compact" or "knowledge" in disabled or not _is_attended():
        return ""
    tips = [tip for tip in session_state.take_tips(project) if _is_due(tip, project, index)]
    if not tips:
        return ""
    last = tips[0]
    number, session = last.get("count"), last["session"]
    subject = quoted(last.get("subject"), 80)
    changes = count(number if isinstance(number, int) else 1, "change") + (
        f' (the last: "{subject}")' if subject else ""
    )
    if session == project.session:
        return f"Autology: this session has made {changes} and captured no reasons yet: /autology:capture."
    more = f" So did {count(len(tips) - 1, 'earlier session')}." if len(tips) > 1 else ""
    return (
        f"Autology: an earlier session ended with {changes} whose reasons were not captured.{more}"
        f" `claude -r {session}` reopens it; then /autology:capture."
    )


def _offer(project: HookProject, disabled: frozenset[str]) -> Offer | None:
    """Return what past sessions settled, if the user is there to agree that it is captured."""
    if "knowledge" in disabled or not _is_attended() or not os.path.exists(places.offered_candidates(project.root)):
        return None
    from autology.hooks import mined_candidates

    return mined_candidates.offer(project)


def _is_attended() -> bool:
    return os.environ.get("CLAUDE_CODE_SESSION_ATTENDED", "").lower() not in ("0", "false", "no")


def _is_due(tip: session_state.Note, project: HookProject, index: NodeLookup | None) -> bool:
    """Whether the changes of the *tip*'s session are still uncaptured."""
    if index is None:
        return True
    earlier = HookProject(project.root, {"session_id": tip["session"]})
    if not session_state.of_session(earlier, "commit", "pull"):
        return True
    uncaptured_notes, _ = uncaptured(earlier, index, str(tip.get("begun", "")))
    return bool(uncaptured_notes)


def _remember_session(project: HookProject) -> None:
    """Record which session the client's process is running, for the server it started."""
    client = os.environ.get("CLAUDE_PID", "")
    if project.session and client.isascii() and client.isdigit() and len(client) < 20:
        _write(client, project.session)


def _remember_compaction(project: HookProject) -> None:
    """Record the time of the compaction: from then on the session's tools may return earlier messages."""
    if project.session:
        _write(f"{project.session}.compacted", session_state.utc_stamp(time.time()))


def _write(name: str, text: str) -> None:
    folder = os.path.join(places.cache_dir(), "sessions")
    places.write_state(os.path.join(folder, name), text)
    try:
        _forget_clients(folder)
    except OSError:
        return


def _forget_clients(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) < 100:
        return
    oldest = time.time() - session_state.RETENTION_DAYS * 86_400
    for name in names:
        path = os.path.join(folder, name)
        if os.stat(path).st_mtime < oldest:
            os.unlink(path)
