"""What hooks remember from one call to the next: small files that may vanish at any time.

They lie in the project's cache, which git ignores. Nothing here fails: where nothing can be
written nothing is remembered, and where something strange was written it is passed over.
"""

from __future__ import annotations

import os
import time

from autology.hooks.project import is_safe_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from autology.hooks.project import Project

KEPT_DAYS = 30
_NOTES_LIMIT = 200_000
"""Bytes of one session's notes that are read: a commit is some 200, and a thousand make a long session."""
_TIP_LIMIT = 4_000

Note = dict[str, object]


def first(project: Project, kind: str, name: str) -> bool:
    """Claim *name* among *kind*; true for the first who asks, whichever process that is."""
    safe = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)[:100]
    file = _file(project, "seen", f"{kind}-{safe}", make=True)
    if file is None:
        return True  # Said twice is better than never.
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def add(project: Project, what: str, **facts: object) -> None:
    """Add a note to the session's."""
    file = _file(project, "sessions", f"{project.session}.jsonl", make=True) if project.session else None
    if file is None or os.path.islink(file):
        return
    import json

    line = json.dumps({"what": what, "at": round(time.time(), 3), **facts})
    try:
        with open(file, "ab") as notes:  # One write: notes of hooks that run at once stay whole.
            notes.write(line.encode("utf-8", "replace") + b"\n")
    except OSError:
        return


def of_session(project: Project, *kinds: str) -> list[Note]:
    """Return the session's notes of these *kinds*, oldest first; each has "what" and "at"."""
    file = _file(project, "sessions", f"{project.session}.jsonl") if project.session else None
    notes = []
    for line in (_read(file, _NOTES_LIMIT) if file else b"").splitlines():
        note = _object(line)
        if note.get("what") in kinds and isinstance(note.get("at"), (int, float)):
            notes.append(note)
    return notes


def ids(note: Note, name: str = "ids") -> list[str]:
    """Return the ids that a note keeps under *name*."""
    found = note.get(name)
    return [id for id in found if isinstance(id, str)] if isinstance(found, list) else []


def leave_tip(project: Project, count: int, subject: str, begun: str) -> None:
    """Leave word for the session that starts next: this one, *begun* at that stamp, left *count* things uncaptured."""
    file = _file(project, "left", f"{project.session}.json", make=True) if project.session else None
    if file is None:
        return
    import json

    facts = {"session": project.session, "begun": begun, "count": count, "subject": subject[:300]}
    text = json.dumps({**facts, "at": time.time()})
    try:
        with open(f"{file}.{os.getpid()}", "wb") as tip:
            tip.write(text.encode("utf-8", "replace"))
        os.replace(f"{file}.{os.getpid()}", file)
    except OSError:
        return


def drop_tip(project: Project) -> None:
    """Take back what :func:`leave_tip` left for this session."""
    file = _file(project, "left", f"{project.session}.json") if project.session else None
    if file:
        _remove(file)


def take_tips(project: Project) -> list[Note]:
    """Return what ended sessions left, the latest first; whoever takes it is the only one."""
    tips: list[tuple[float, Note]] = []
    for name in _names(project, "left"):
        file = _file(project, "left", name)
        note = _object(_read(file, _TIP_LIMIT)) if file else {}
        if not file or not _remove(file):
            continue
        session, at = note.get("session"), note.get("at")
        if isinstance(session, str) and is_safe_name(session) and isinstance(at, (int, float)):
            tips.append((at, note))
    return [note for _, note in sorted(tips, key=lambda tip: tip[0], reverse=True)]


def forget_old(project: Project) -> None:
    """Remove what nobody will ask for any more."""
    oldest = time.time() - KEPT_DAYS * 86_400
    for kind in ("seen", "sessions", "left"):
        for name in _names(project, kind):
            file = _file(project, kind, name)
            try:
                if file and os.stat(file, follow_symlinks=False).st_mtime < oldest:
                    _remove(file)
            except OSError:
                continue


def _file(project: Project, kind: str, name: str, make: bool = False) -> str | None:
    """Return the path of a note; *make*: with its folder there. None where it must not or cannot be."""
    top = os.path.join(project.root, ".autology")
    cache = os.path.join(top, "cache")
    own = os.path.join(cache, "hooks")
    folder = os.path.join(own, kind)
    # A repository can hold links to anywhere; what is written must stay in it.
    if any(os.path.islink(part) for part in (top, cache, own, folder)):
        return None
    if make and not os.path.isdir(folder):
        try:
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(own, ".gitignore"), "xb") as ignore:
                ignore.write(b"*\n")
        except FileExistsError:
            pass
        except OSError:
            return None
    return os.path.join(folder, name)


def _names(project: Project, kind: str) -> list[str]:
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


def _object(line: bytes) -> Note:
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
