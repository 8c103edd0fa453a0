"""Writing a file so that a crash leaves either the old text or the new."""

from __future__ import annotations

import os
import re
import stat

from autology import private

STAGED = ".tmp"
"""What the name of a file that is not in place yet ends in."""
PAGE = 4_096
"""Bytes that take up room on any file system: some keep fewer beside the name."""
_OWN = re.compile(r"[0-9]+-[0-9a-f]{8}")


def stage(path: str, data: bytes, durable: bool = True) -> str:
    """Write *data* beside *path*, durable but not yet in place; return where. Raises OSError."""
    mode = private.made_like(os.path.dirname(path))
    staged = _beside(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(staged, flags, mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            _keep_mode(path, file.fileno(), mode)
            if durable:
                os.fsync(file.fileno())
    except BaseException:
        discard(staged)
        raise
    return staged


def is_staged(name: str) -> bool:
    """Whether a file of that name is one that is not in place yet."""
    return name.startswith(".") and name.endswith(STAGED)


def is_staged_for(name: str, staged: str) -> bool:
    """Whether *staged* is the name of a file that is not in place yet of the file called *name*."""
    own = staged.removeprefix(f".{name}.").removesuffix(STAGED)
    return len(own) + len(name) + len(STAGED) + 2 == len(staged) and _OWN.fullmatch(own) is not None


def keep(path: str) -> str | None:
    """Give the file at *path* a second name beside it; None where file systems have no such thing."""
    kept = _beside(path)
    try:
        os.link(path, kept, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return None
    return kept


def place(staged: str, path: str) -> None:
    """Put a staged file in place of *path* in one step."""
    os.replace(staged, path)


def write(path: str, data: bytes, durable: bool = True) -> None:
    """Replace *path* by *data*, whole; *durable* unless it can be made anew. Raises OSError, having changed nothing."""
    staged = stage(path, data, durable)
    try:
        place(staged, path)
    except OSError:
        discard(staged)
        raise
    if durable:
        settle(os.path.dirname(path))


def settle(folder: str) -> None:
    """Make what was renamed or removed in *folder* survive a power cut, where the file system can."""
    if os.name == "nt":  # a folder cannot be opened there; its journal does this
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return  # what is in place cannot be taken back, and some file systems know no such thing
    finally:
        os.close(handle)


def refusal(folder: str) -> str:
    """Return why the system lets no file be kept in *folder*, "" if it does: a page is written there and removed."""
    # Permission alone tells nothing of a full disk, a quota or a disk that fails; and root is never refused it.
    try:
        staged = stage(os.path.join(folder, "writable"), os.urandom(PAGE))
        os.unlink(staged)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def discard(path: str) -> None:
    """Remove *path* if it is there and can be removed."""
    try:
        os.unlink(path)
    except OSError:
        return


def _beside(path: str) -> str:
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.{os.getpid()}-{os.urandom(4).hex()}{STAGED}")


def _keep_mode(path: str, handle: int, otherwise: int) -> None:
    if not hasattr(os, "fchmod"):
        return
    try:
        mode = stat.S_IMODE(os.lstat(path).st_mode)
    except FileNotFoundError:
        mode = otherwise
    os.fchmod(handle, mode)
