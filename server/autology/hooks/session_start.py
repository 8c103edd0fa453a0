"""At a session's start: what the project knows, in a few lines, and how to ask it."""

from __future__ import annotations

import os
import time

from autology import places, wire
from autology.hooks import notes
from autology.hooks.session import uncaptured
from autology.hooks.speech import context, count, node_line, quoted, some, weight
from autology.text.fence import fenced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project
    from autology.hooks.session import Look

BUDGET = 1_400
"""Quarters of a token: at most 400 tokens may be said, and ids and names take more than prose."""

_COUNTED = 1_000
_RECALLED = 4
"""Chunks named that were recalled before a compaction: the latest, some 35 tokens each."""
_TYPES = ("decision", "component", "convention", "concept", "pattern", "issue", "session")
_REBUILD = "the notes are safe; the first autology_query or autology_status makes it anew"
_STATES = {
    "missing": f"there is no index yet: {_REBUILD}.",
    "old": f"the index is of an older version: {_REBUILD}.",
    "newer": "the index is of a newer version of Autology: update the plugin, or remove .autology/cache/index.sqlite.",
    "damaged": f"the index cannot be read: {_REBUILD}.",
}
_HERE = "This project keeps its knowledge in Autology"
_NOTHING = "; nothing is captured yet."
_COMPACTED = "The conversation was just compacted: suggest /autology:capture to the user for what was decided before."
_ASK = (
    "Before you explain why something is as it is, or change how it is done, ask autology_query; /autology:explore"
    " shows what is there. When a decision is made, suggest /autology:capture."
)


def answer(given: dict[str, object], project: Project) -> dict[str, object]:
    """Return what a session is told at its beginning, and after a compaction again."""
    source = given.get("source")
    _remember_session(project)
    if source == "startup":
        notes.forget_old(project)
    message = _tip(project, source)
    look = wire.glance(project.root)
    if look is None:
        recalled = _recalled_before(project) if source == "compact" else []
        return context("SessionStart", _without_index(project, wire.glance_state(project.root), recalled), message)
    with look:
        after = _after_compaction(project, look) if source == "compact" else ([], "")
        told = _told(look, after)
    if source == "compact":
        message = "Autology: /autology:capture keeps what was decided before this compaction."
    return context("SessionStart", told, message)


# ---- what is known -------------------------------------------------------------------------------


def _told(look: Look, after: tuple[list[str], str]) -> str:
    counts: dict[str, int] = {}
    waiting = 0
    for type, status, number in look.counts():
        waiting += number if status == "needs_review" else 0
        if status != "superseded":
            counts[type] = counts.get(type, 0) + number
    drifted = look.drifted()
    changed = look.changed()
    unreadable = look.unreadable(_COUNTED)
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    memories = look.memories(now, os.environ.get("CORTEX_ORG", "").strip())
    before, then = after
    if not counts and not unreadable and not before and not memories:
        return f"{_HERE}{_NOTHING} {then or _ASK}"
    what = "the knowledge and the past of this project" if before else "the knowledge of this project"
    for size in (5, 4, 3, 2, 1, 0):
        lines = [*before[: 3 * size], *_lines(look, counts, waiting, drifted, unreadable, size)]
        lines += _changed(look, changed, size) if changed else []
        if memories:
            lines.append(f"{count(memories, 'memory')}: memory_find")
        text = f"{_HERE}.\n{fenced(what, lines)}\n{_ASK} {then}".rstrip()
        if look.failed:
            text += f"\nIncomplete: {_STATES['damaged']}"
        if weight(text) <= BUDGET:
            break
    return text


def _lines(
    look: Look,
    counts: dict[str, int],
    waiting: int,
    drifted: dict[str, str],
    unreadable: list[tuple[str, str]],
    size: int,
) -> list[str]:
    lines = [", ".join(count(counts[type], type) for type in _TYPES if counts.get(type)) or "no nodes"]
    if size and (decisions := look.newest_decisions(size)):
        lines.append("newest decisions:")
        for id, title, status, created in decisions:
            about = f"{status}, {created[:10]}" if status else created[:10]
            lines.append(f"  {node_line(id, '', title, about).strip()}")
    if waiting:
        lines.append(f"{count(waiting, 'node')} to review:")
        nodes = [node_line(*row) for row in look.to_review(_few(size - 2, size))]
        lines += [f"  {line}" for line in some(nodes, len(nodes), waiting)]
    if drifted:
        lines.append(f"{count(len(drifted), 'node')} to review, for what they refer to was changed:")
        nodes = [
            node_line(id, type, title, drifted[id])
            for id, type, title in look.titles(list(drifted)[: _few(size - 2, size)])
        ]
        lines += [f"  {line}" for line in some(nodes, len(nodes), len(drifted))]
    if unreadable:
        number = f"{len(unreadable):,}" if len(unreadable) < _COUNTED else f"{_COUNTED:,} or more"
        lines.append(f"{number} unreadable, so not found by any search:")
        lines += [f"  {quoted(path, 80)}: {quoted(reason, 80)}" for path, reason in unreadable[: _few(size - 3, size)]]
    return lines


def _changed(look: Look, changed: dict[str, str], size: int) -> list[str]:
    """Return the accepted decisions whose text or status is not the one that was accepted."""
    few = look.titles(list(changed)[: _few(size - 2, size)])
    nodes = [node_line(id, type, title, changed[id]) for id, type, title in few]
    about = "changed outside of Autology since it was accepted"
    return [
        f"{count(len(changed), 'decision')} {about}:",
        *(f"  {line}" for line in some(nodes, len(nodes), len(changed))),
    ]


def _few(number: int, size: int) -> int:
    """Return how many are named: at least one, unless there is no room at all."""
    return max(min(size, 1), number)


def _without_index(project: Project, state: str, recalled: list[str]) -> str:
    found = _files(project)
    state = f": {count(found, 'node')}. But {_STATES.get(state, _STATES['damaged'])}" if found else _NOTHING
    told = [f"{_HERE}{state}", *([fenced("past conversations", recalled, "what was said then")] if recalled else [])]
    return ("\n" if found or recalled else " ").join([*told, _ASK])


def _files(project: Project) -> int:
    nodes = os.path.join(project.root, ".autology", "nodes")
    found = 0
    for type in _TYPES:
        try:
            found += sum(name.endswith(".md") for name in os.listdir(os.path.join(nodes, f"{type}s")))
        except OSError:
            continue
    return found


def _after_compaction(project: Project, look: Look) -> tuple[list[str], str]:
    """Return what was said in this session before it was compacted, and what is to be done now."""
    left, _ = uncaptured(project, look)
    named: list[str] = []
    for note in notes.of_session(project, "commit"):
        named += notes.ids(note, "nodes")
    lines = []
    if left:
        lines.append("before the compaction, its reasons captured nowhere:")
        lines += [f"  {line}" for line in some([quoted(note.get("subject"), 100) for note in reversed(left)], 3)]
    recalled = notes.of_session(project, "recalled")
    named += [id for note in recalled for id in notes.ids(note, "nodes")]
    if named and (rows := look.titles(list(dict.fromkeys(named))[-6:])):
        lines.append("spoken of before the compaction:")
        lines += [f"  {node_line(*row)}" for row in rows]
    return [*lines, *_recalled_before(project)], _COMPACTED


def _recalled_before(project: Project) -> list[str]:
    """Return what of the past was put beside the session's prompts before it was compacted, the latest first."""
    said = notes.of_session(project, "recalled", "suggested")
    ids = list(dict.fromkeys(id for note in reversed(said) for id in notes.ids(note, "ids")))[:_RECALLED]
    look = wire.recollection() if ids else None
    if look is None:
        return []
    from autology.hooks.recalled import in_a_line

    with look:
        found = look.named(ids)
    about = "recalled before the compaction; retrieve_memory_chunk reads a chunk again:"
    return [about, *(f"  {in_a_line(each)}" for each in found)] if found else []


# ---- the session ---------------------------------------------------------------------------------


def _tip(project: Project, source: object) -> str:
    """Return what the user is told once about the session before, if it left something."""
    if source == "compact" or os.environ.get("CLAUDE_CODE_SESSION_ATTENDED", "").lower() in ("0", "false", "no"):
        return ""
    tips = notes.take_tips(project)
    if not tips:
        return ""
    last = tips[0]
    number, session = last.get("count"), last["session"]
    subject = quoted(last.get("subject"), 80)
    what = count(number if isinstance(number, int) else 1, "change") + (f' (the last: "{subject}")' if subject else "")
    if session == project.session:
        return f"Autology: this session has made {what} and captured no reasons yet: /autology:capture."
    more = f" So did {count(len(tips) - 1, 'earlier session')}." if len(tips) > 1 else ""
    return (
        f"Autology: an earlier session ended with {what} whose reasons no node holds.{more}"
        f" `claude -r {session}` goes back to it; then /autology:capture."
    )


def _remember_session(project: Project) -> None:
    """Write which session the client's process is in now, for the server that it started."""
    client = os.environ.get("CLAUDE_PID", "")
    if not (project.session and client.isascii() and client.isdigit() and len(client) < 20):
        return
    folder = os.path.join(places.cache_dir(), "sessions")
    staged = os.path.join(folder, f".{client}.{os.getpid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(staged, "w", encoding="utf-8", newline="") as file:
            file.write(project.session)
        os.replace(staged, os.path.join(folder, client))
        _forget_clients(folder)
    except OSError:
        return


def _forget_clients(folder: str) -> None:
    names = os.listdir(folder)
    if len(names) < 100:
        return
    oldest = time.time() - notes.KEPT_DAYS * 86_400
    for name in names:
        path = os.path.join(folder, name)
        if os.stat(path).st_mtime < oldest:
            os.unlink(path)
