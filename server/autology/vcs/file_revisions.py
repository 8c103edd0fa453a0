"""The commits that changed a single file, and its text in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from autology.core.nodes.revisions import FileRevisions, Revision
from autology.model.errors import StorageError
from autology.text.language.timestamps import stamp
from autology.vcs import git_process
from autology.vcs.git_process import NotRunError
from autology.vcs.git_queries import path_of

SIZE_LIMIT = 1_000_000
"""Maximum bytes of a text; notes are smaller."""
KNOWN = 50
"""Files whose commits are remembered until the next commit: each comparison needs them again."""
TIMEOUT = 8.0
"""Seconds that git may take: a reader waits. A history of 100,000 commits takes some 10, if few of them changed it."""
_FORMAT = "--format=%x01%H%x00%at%x00%an%x00%s"
_STATUS = re.compile(rb"[ACDMRTUX]\d{0,3}\Z")
_ID = re.compile(r"[0-9a-f]{40,64}\Z")


class GitRevisions:
    """The :class:`~autology.core.nodes.revisions.Revisions` of the project at *root*."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._known: dict[tuple[str, int, bytes], FileRevisions] = {}

    def of(self, path: str, limit: int) -> FileRevisions | None:
        """Return the last *limit* commits that changed the file at *path*, latest first; None without git.

        Renames are followed.

        Raises:
            StorageError: git takes too long.
        """
        shallow = self._output("rev-parse", "--is-shallow-repository")
        if shallow is None:
            return None
        head = self._output("rev-parse", "--verify", "--quiet", "HEAD")
        if head is None:  # nothing is committed
            return FileRevisions((), False, False)
        if known := self._known.get((path, limit, head)):
            return known
        arguments = ("--follow", "-M", "--name-status", "-z", _FORMAT, f"-{limit + 1}", "--", f":(literal){path}")
        revisions = tuple(_revisions(self._output("log", *arguments) or b""))
        history = FileRevisions(revisions[:limit], len(revisions) > limit, shallow.strip() == b"true")
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known[path, limit, head] = history
        return history

    def text(self, revision: Revision) -> str | None:
        """Return the file's text in *revision*; None if it was deleted there, is too large or not a text."""
        if not _ID.match(revision.id):
            return None
        blob = f"{revision.id}:{revision.path}"
        size = self._output("cat-file", "-s", blob)
        if size is None or int(size) > SIZE_LIMIT:
            return None
        data = self._output("cat-file", "blob", blob)
        if data is None or b"\0" in data:
            return None
        return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")

    def _output(self, command: str, *arguments: str) -> bytes | None:
        try:
            finished = git_process.git(command, arguments, self._root, TIMEOUT)
        except NotRunError as error:
            if git_process.executable("git") is None:
                return None
            raise StorageError("the history", str(error).rstrip("."), "`git log --follow FILE` lists it.") from None
        return finished.out if finished.code == 0 else None


def _revisions(out: bytes) -> Iterator[Revision]:
    """Yield the commits in a log with the format above, each with the file's path in it."""
    tokens = iter(out.split(b"\0"))
    revision: Revision | None = None
    for token in tokens:
        plain = token.strip(b"\n")
        if plain.startswith(b"\x01"):
            if revision is not None and revision.path:
                yield revision
            at, author, subject = next(tokens, b""), next(tokens, b""), next(tokens, b"")
            revision = Revision(path_of(plain[1:]), _stamp(at), _text(author), _text(subject), "")
        elif revision is not None and _STATUS.match(plain):
            path = next(tokens, b"")
            if plain[:1] in (b"R", b"C"):
                path = next(tokens, b"")
            revision = Revision(revision.id, revision.at, revision.author, revision.subject, path_of(path))
            if plain[:1] == b"C":  # what it was copied from, as a template, is another file
                break
    if revision is not None and revision.path:
        yield revision


def _stamp(seconds: bytes) -> str:
    try:
        return stamp(datetime.fromtimestamp(min(max(int(seconds), 0), 253402300799), UTC))
    except ValueError:
        return ""


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
