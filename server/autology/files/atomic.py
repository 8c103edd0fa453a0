"""Writing a file so that a crash leaves either the old text or the new."""

from __future__ import annotations

import os
import re
import stat

from autology import private_files

STAGED = ".tmp"
"""The suffix of a staged file."""
PAGE = 4_096
"""Bytes that occupy disk space on any file system: some store smaller files in the directory entry."""
_OWN = re.compile(r"[0-9]+-[0-9a-f]{8}")


def stage(path: str, data: bytes, durable: bool = True) -> str:
    """Write *data* durably to a temporary file next to *path*; return its path. Raises OSError."""
    mode = private_files.create_like_parent(os.path.dirname(path))
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
    """Whether *name* is that of a staged file."""
    return name.startswith(".") and name.endswith(STAGED)


def is_staged_for(name: str, staged: str) -> bool:
    """Whether *staged* is the name of a staged version of the file *name*."""
    own = staged.removeprefix(f".{name}.").removesuffix(STAGED)
    return len(own) + len(name) + len(STAGED) + 2 == len(staged) and _OWN.fullmatch(own) is not None


def keep(path: str) -> str | None:
    """Hard-link the file at *path* to a second name next to it; None if the file system has no hard links."""
    backup = _beside(path)
    try:
        os.link(path, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):
        return None
    return backup


def place(staged: str, path: str) -> None:
    """Rename a staged file to *path*, atomically."""
    os.replace(staged, path)


def write(path: str, data: bytes, durable: bool = True) -> None:
    """Replace *path* by *data* atomically, *durable* unless it can be regenerated. Raises OSError, with no change."""
    staged = stage(path, data, durable)
    try:
        place(staged, path)
    except OSError:
        discard(staged)
        raise
    if durable:
        settle(os.path.dirname(path))


def settle(folder: str) -> None:
    """Make renames and removals in *folder* survive a power failure, if the file system supports it."""
    if os.name == "nt":  # folders cannot be opened there; NTFS journals renames
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        return  # the rename cannot be undone, and some file systems do not support this
    finally:
        os.close(handle)


def refusal(folder: str) -> str:
    """Return why *folder* is not writable, or "": a page is written there and removed."""
    # Permissions reveal no full disk, quota or failing disk, and root always has them.
    try:
        staged = stage(os.path.join(folder, "writable"), os.urandom(PAGE))
        os.unlink(staged)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def discard(path: str) -> None:
    """Remove *path* if possible."""
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
    try:
        os.fchmod(handle, mode)
    except PermissionError:
        return  # the file system of a stick knows no modes
