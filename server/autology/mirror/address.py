"""Where a mirror lies: a folder, or ``ssh:HOST:PATH``."""

from __future__ import annotations

import os
import re

from autology.mirror.folder import LocalFolder
from autology.mirror.ports import SharedFolder
from autology.model.errors import ValidationError

SSH = "ssh:"
DEFAULT_PATH = "autology-mirror"
# No "-" at the beginning: ssh would take it for an option. No white space, no quotes, nothing for a shell.
_HOST = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._+-]*@)?(?:[A-Za-z0-9][A-Za-z0-9._-]*|\[[0-9A-Fa-f:.%a-z]+\])")


def normalised(target: str, here: str) -> str:
    """Return *target* in the form in which it is remembered: an absolute path, or ``ssh:HOST:PATH``.

    Raises:
        ValidationError: it is neither.
    """
    if target.startswith(SSH):
        host, path = _host_and_path(target)
        return f"{SSH}{host}:{path}"
    if not target.strip() or "\0" in target:
        raise ValidationError("target", "is empty", "Give a folder, or ssh:HOST:PATH.")
    return os.path.normpath(os.path.join(here, os.path.expanduser(target)))


def opened(target: str, private_folder: str, is_known: bool) -> SharedFolder:
    """Return the shared folder at a *target* of :func:`normalised`; one that *is_known* must still be there.

    Raises:
        ValidationError: it cannot be one: it lies in *private_folder*, this machine's own, or nowhere.
    """
    if target.startswith(SSH):
        from autology.mirror.ssh import SshFolder

        return SshFolder(*_host_and_path(target))
    if _is_within(target, private_folder):
        problem = f"'{target}' lies in Autology's own data folder"
        raise ValidationError("target", problem, "Give a folder that the other machine sees too.")
    if os.path.lexists(target) and not os.path.isdir(target):
        raise ValidationError("target", f"'{target}' is not a folder", "Give a folder, or ssh:HOST:PATH.")
    if not os.path.isdir(os.path.dirname(target)) or (is_known and not os.path.isdir(target)):
        step = "Connect the disk or start the program that syncs it, or create the folder yourself."
        raise ValidationError("target", f"'{target}' does not exist", step)
    return LocalFolder(target)


def _host_and_path(target: str) -> tuple[str, str]:
    rest = target.removeprefix(SSH).removeprefix("//")
    end = rest.find("]:") + 1 if "[" in rest.partition(":")[0] else rest.find(":")
    host, path = (rest[:end], rest[end + 1 :]) if end > 0 else (rest, "")
    if not _HOST.fullmatch(host):
        step = "Give ssh:HOST or ssh:USER@HOST:PATH, with a host of your ssh configuration."
        raise ValidationError("target", f"'{host[:60]}' is not a host's name", step)
    path = path.removeprefix("~/") or DEFAULT_PATH
    if not path.isprintable() or path.startswith("~"):
        raise ValidationError("target", "the path is not valid", "Give a path relative to the home folder there.")
    return host, path


def _is_within(path: str, folder: str) -> bool:
    inside, outside = os.path.realpath(path), os.path.realpath(folder)
    return inside == outside or inside.startswith(os.path.join(outside, ""))
