"""Where in history a file said what somebody had seen in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from autology.core.ports import Pin
from autology.text.contents import content_id
from autology.vcs import asking
from autology.vcs.asking import Ask

READ = 20
"""Contents of one file that are read where its blobs do not tell whether it is the one that was seen."""
_FILTERS = ("filter", "ident", "working-tree-encoding")


def changed(ask: Ask, head: str, pins: Sequence[Pin]) -> Sequence[Pin]:
    """Return those of *pins* whose files do not say at the commit *head* what was seen in them."""
    now = asking.blobs(ask, head, sorted({pin.path for pin in pins}))
    return [pin for pin in pins if not _is_same(ask, now.get(pin.path, ""), pin.saw)]


def bases(ask: Ask, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[str, Pin]]:
    """Yield *pins*, which are not as they were at *head*, each after the commit since which that is to be seen.

    *base* is the last commit that surely was there before them, "" for none. A content that was never committed
    is taken for that of the file's first commit after it.
    """
    there = asking.blobs(ask, base, sorted({pin.path for pin in pins})) if base else {}
    waiting = []
    for pin in pins:
        if _is_same(ask, there.get(pin.path, ""), pin.saw):
            yield base, pin
        else:
            waiting.append(pin)
    if waiting:
        yield from _committed(ask, base, head, waiting)


def _committed(ask: Ask, base: str, head: str, pins: Sequence[Pin]) -> Iterator[tuple[str, Pin]]:
    paths = sorted({pin.path for pin in pins})
    entered = _entered(ask, f"{base}..{head}" if base else head, paths)
    filtered: set[str] | None = None
    for pin in pins:
        entries = entered.get(pin.path, [])
        commit = next((commit for commit, blob in entries if blob.startswith(pin.saw)), "")
        if not commit and entries and _may_differ(ask, entries[0][1]):
            commit = next((commit for commit, blob in entries[:READ] if _is_same(ask, blob, pin.saw)), "")
        if not commit and base:
            filtered = _filtered(ask, paths) if filtered is None else filtered
            commit = base if pin.path in filtered else ""
        if not commit:
            rest = (f"{base}..{head}" if base else head, "--", f":(literal){pin.path}")
            first = (ask("log", "--first-parent", "--format=%H", *rest) or b"").split()
            commit = first[-1].decode("ascii") if first else ""
        if commit:
            yield commit, pin


def _entered(ask: Ask, commits: str, paths: Sequence[str]) -> Mapping[str, list[tuple[str, str]]]:
    """Return with which of *commits* which contents of *paths* came, as (commit, blob), the newest first."""
    found: dict[str, list[tuple[str, str]]] = {}
    how = ("-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
    for some in asking.literal(paths):
        out = ask("log", "--full-history", *how, "--format=%x01%H", commits, "--", *some)
        for commit, path, (_, _, after) in asking.changes(out):
            if after.strip("0"):  # not where it was removed
                found.setdefault(path, []).append((commit, after))
    return found


def _is_same(ask: Ask, blob: str, saw: str) -> bool:
    """Whether *blob* holds what was seen; one with the line ends of Windows, or of another kind of id, is read."""
    if blob.startswith(saw):
        return True
    if not blob:
        return False
    data = ask("cat-file", "blob", blob)
    return data is not None and (len(blob) != SHA1 or b"\r\n" in data) and content_id(data) == saw


SHA1 = 40
"""Characters of a blob's id in most repositories; in the others ids are made in another way."""


def _may_differ(ask: Ask, blob: str) -> bool:
    """Whether the file has contents whose ids do not tell what was seen."""
    return len(blob) != SHA1 or b"\r\n" in (ask("cat-file", "blob", blob) or b"")


def _filtered(ask: Ask, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git commits otherwise than they lie there: nothing tells what was seen in them."""
    found = set()
    for some in asking.literal(paths):
        names = [name.removeprefix(":(literal)") for name in some]
        told = (ask("check-attr", "-z", *_FILTERS, "--", *names) or b"").split(b"\0")
        values = zip(told[::3], told[2::3], strict=False)
        found |= {asking.path(name) for name, value in values if value not in (b"unspecified", b"unset")}
    return found
