"""The share of lines kept that separates rewritten files from changed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from autology.text.source_code import rewritten_code
from bench import drift_syntax as syntax

LIKE = 0.6
"""The share of words that two definitions of one name have in common from which on one is the other, changed."""
REWRITTEN, CHANGED = 0.5, 0.2
"""Shares of what a file defines that are gone or no longer alike: from the one on it was rewritten, up to the other it
was changed; what lies between is left out."""
STEPS = [at / 20 for at in range(1, 20)]


def told(folder: str, many: bool) -> int:
    """Print, by the share of kept lines, how many rewritten files lie below it and how many changed ones above."""
    repositories = sorted(Path(folder).iterdir()) if many else [Path(folder)]
    halves: tuple[list[tuple[float, bool]], list[tuple[float, bool]]] = ([], [])
    for at, repository in enumerate(repositories):
        halves[at % 2].extend(_judged(str(repository)))
    print("| share kept | tuned on: rewritten, told | changed, passed over | unseen: rewritten | changed |")
    print("|---|---|---|---|---|")
    for step in STEPS:
        cells = [cell for half in halves for cell in _parted(half, step)]
        print(f"| {step:.2f} | {' | '.join(cells)} |")
    for name, half in zip(("tuned on", "unseen"), halves, strict=True):
        gone = sum(rewritten for _, rewritten in half)
        print(f"{name}: {gone} files rewritten, {len(half) - gone} changed")
    return 0


def _parted(files: list[tuple[float, bool]], step: float) -> tuple[str, str]:
    rewritten, changed = ([share for share, gone in files if gone is each] for each in (True, False))
    below = sum(share < step for share in rewritten) / max(1, len(rewritten))
    return f"{below:.3f}", f"{sum(share >= step for share in changed) / max(1, len(changed)):.3f}"


def _judged(repository: str) -> Iterator[tuple[float, bool]]:
    """Yield the share of lines kept, and whether it was rewritten, of each file that a release changed."""
    from bench.drift import every_pair, texts

    for base, later in every_pair(repository):
        then, now = dict(texts(repository, base)), dict(texts(repository, later))
        for path, before in then.items():
            after = now.get(path)
            if after is None or after == before or rewritten_code.says_the_same(before, after, path):
                continue
            lost = _lost(syntax.definitions(before, path), syntax.definitions(after, path))
            if lost is not None and not CHANGED < lost < REWRITTEN:
                yield rewritten_code.share_kept(before, after, path), lost >= REWRITTEN


def _lost(before: dict[str, str], after: dict[str, str]) -> float | None:
    """Return what share of the words of what was defined is gone, or reads quite otherwise; None of too little."""
    sizes = {name: len(tree.split()) for name, tree in before.items()}
    if len(before) < 2:
        return None
    gone = sum(size for name, size in sizes.items() if not _alike(before[name], after.get(name, "")))
    return gone / sum(sizes.values())


def _alike(one: str, other: str) -> bool:
    was, now = Counter(one.split()), Counter(other.split())
    return 2 * (was & now).total() >= LIKE * (was.total() + now.total())
