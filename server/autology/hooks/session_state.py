"""State that hooks keep between calls: small files that may disappear at any time.

They are in the project's cache, which git ignores. Nothing here raises: failed writes are skipped, and malformed files
are ignored.
"""

from __future__ import annotations

import os
import time

from autology import places
from autology.hooks.project import is_safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import HookProject

RETENTION_DAYS = 30
_NOTES_LIMIT = 200_000
"""Maximum bytes of a session's notes: a commit takes some 200, and a thousand make a long session."""
_TIP_LIMIT = 4_000

Note = dict[str, object]


def first(project: HookProject, kind: str, name: str) -> bool:
    """Claim *name* for *kind*; return true for exactly one caller, across processes."""
    file = _file(project, "seen", _claim_name(kind, name), create=True)
    if file is None:
        return True  # Repeating a message is better than losing it.
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        pass
    return True


def known(project: HookProject, kind: str, name: str) -> bool:
    """Whether *name* was claimed for *kind*."""
    file = _file(project, "seen", _claim_name(kind, name))
    return file is not None and os.path.exists(file)


def add(project: HookProject, kind: str, **facts: object) -> None:
    """Append a note to the session's notes."""
    file = _own_file(project, "sessions", "jsonl", create=True)
    if file is None or os.path.islink(file):
        return
    import json

    line = json.dumps({"what": kind, "at": round(time.time(), 3), **facts})
    try:
        with open(file, "ab") as notes:  # A single write, so that concurrent hooks do not mix lines.
            notes.write(line.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def of_session(project: HookProject, *kinds: str) -> list[Note]:
    """Return the session's notes of *kinds*, oldest first; each has "what" and "at"."""
    file = _own_file(project, "sessions", "jsonl")
    notes = []
    for line in (_read(file, _NOTES_LIMIT) if file else b"").splitlines():
        note = read_object(line)
        if note.get("what") in kinds and isinstance(note.get("at"), (int, float)):
            notes.append(note)
    return notes


def ids(note: Note, name: str = "ids") -> list[str]:
    """Return the ids stored in a note under *name*."""
    stored = note.get(name)
    return [id for id in stored if isinstance(id, str)] if isinstance(stored, list) else []


def in_context(project: HookProject) -> tuple[str, set[str]]:
    """Return the stamp of the session's last compaction, "" for none, and the ids of the chunks recalled since."""
    notes = of_session(project, "compaction", "recalled")
    last = max((at for at, note in enumerate(notes) if note["what"] == "compaction"), default=-1)
    # A compaction removes what was said and recalled before it from the context.
    recalled = {id for note in notes[last + 1 :] for id in ids(note)}
    return stamp(notes[last]) if last >= 0 else "", recalled


def stamp(note: Note) -> str:
    """Return a note's time in the index's format."""
    at = note["at"]
    assert isinstance(at, (int, float))
    return utc_stamp(at)


def utc_stamp(seconds: float) -> str:
    """Return a time, as of `time.time`, in the index's format."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def leave_tip(project: HookProject, count: int, subject: str, session_start: str) -> None:
    """Leave a tip for the next session: this one, *session_start* at that stamp, left *count* changes uncaptured."""
    file = _own_file(project, "left", "json", create=True)
    if file is None:
        return
    import json

    facts = {"session": project.session, "begun": session_start, "count": count, "subject": subject[:300]}
    places.write_state(file, json.dumps({**facts, "at": time.time()}))


def drop_tip(project: HookProject) -> None:
    """Remove this session's tip."""
    file = _own_file(project, "left", "json")
    if file:
        _remove(file)


def take_tips(project: HookProject) -> list[Note]:
    """Return the tips of ended sessions, latest first, and remove them: each is shown once."""
    tips: list[tuple[float, Note]] = []
    for name in _names(project, "left"):
        file = _file(project, "left", name)
        note = read_object(_read(file, _TIP_LIMIT)) if file else {}
        if not file or not _remove(file):
            continue
        session, at = note.get("session"), note.get("at")
        if isinstance(session, str) and is_safe_name(session) and isinstance(at, (int, float)):
            tips.append((at, note))
    return [note for _, note in sorted(tips, key=lambda tip: tip[0], reverse=True)]


def forget_old(project: HookProject) -> None:
    """Remove outdated notes."""
    oldest = time.time() - RETENTION_DAYS * 86_400
    for kind in ("seen", "sessions", "left"):
        for name in _names(project, kind):
            file = _file(project, kind, name)
            try:
                if file and os.stat(file, follow_symlinks=False).st_mtime < oldest:
                    _remove(file)
            except OSError:
                continue


def _claim_name(kind: str, name: str) -> str:
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)[:100]
    return f"{kind}-{safe}"


def _own_file(project: HookProject, kind: str, ending: str, create: bool = False) -> str | None:
    """Return the path of the session's own file; None also for a session without a usable id."""
    return _file(project, kind, f"{project.session}.{ending}", create) if project.session else None


def _file(project: HookProject, kind: str, name: str, create: bool = False) -> str | None:
    """Return the path of a note, with *create* after creating its folder; None if that is unsafe or fails."""
    top = os.path.join(project.root, ".autology")
    cache = os.path.join(top, "cache")
    hooks_folder = os.path.join(cache, "hooks")
    folder = os.path.join(hooks_folder, kind)
    # A repository can contain links to anywhere; writes must stay inside it.
    if any(os.path.islink(part) for part in (top, cache, hooks_folder, folder)):
        return None
    if create and not os.path.isdir(folder):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(hooks_folder, ".gitignore"), "xb") as ignore:
                ignore.write(b"*\n")
        except FileExistsError:
            pass
        except OSError:
            return None
    return os.path.join(folder, name)


def _names(project: HookProject, kind: str) -> list[str]:
    folder = _file(project, kind, "")
    try:
        return sorted(os.listdir(folder)) if folder else []
    except OSError:
        return []


def _read(file: str, limit: int) -> bytes:
    if not os.path.isfile(file) or os.path.islink(file):
        return b""
    try:
        with open(file, "rb") as notes:
            size = notes.seek(0, os.SEEK_END)
            notes.seek(max(0, size - limit))
            return notes.read(limit)
    except OSError:
        return b""


def read_object(line: bytes) -> Note:
    """Return the JSON object in *line*; an empty one if it has none."""
    import json

    try:
        note = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return {}
    return note if isinstance(note, dict) else {}


def _remove(file: str) -> bool:
    try:
        os.unlink(file)
    except OSError:
        return False
    return True
