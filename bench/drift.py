"""Precision and recall of drift detection on replayed histories, with a parser of the language as reference.

A note is made for every function and class of a commit, and for every file; what a later commit did to them is told by
comparing syntax trees, docstrings, comments and form left out: of Python by its own parser, of other languages by
tree-sitter's, where that is installed (`pip install tree-sitter tree-sitter-javascript …`). `--repository DIR` replays
another history than this project's, `--releases DIR` every one that `bench/histories/releases.py` made there, from each
release to the next. `--share` tells where files that lost none, some and all of their definitions part by the share of
lines that they keep.
"""

import argparse
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.nodes.drift import drifts  # noqa: E402
from autology.model.node import Node, NodeType  # noqa: E402
from autology.text.language.timestamps import parse_stamp  # noqa: E402
from autology.text.source_code import rewritten_code  # noqa: E402
from autology.vcs.git import Git  # noqa: E402
from bench import drift_shares as shares  # noqa: E402
from bench import drift_syntax as syntax  # noqa: E402

PAIRS, APART = 12, 12
"""Pairs of commits that are compared, and how many commits lie between the two of a pair."""
MOST = 200
"""Definitions asked after of each pair of releases, evenly taken."""
KINDS = ("file", "definition")


@dataclass(frozen=True, slots=True)
class Case:
    """A note of one definition ("": the whole file), and whether the later commit removed or rewrote that."""

    node: Node
    name: str
    path: str
    drifted: bool


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--repository", default=str(ROOT))
    options.add_argument("--releases", metavar="DIR")
    options.add_argument("--pairs", type=int, default=PAIRS)
    options.add_argument("--apart", type=int, default=APART)
    options.add_argument("--most", type=int, default=MOST, help="definitions of a pair, evenly taken; 0: all")
    options.add_argument("--show", action="store_true", help="print what is told wrongly")
    options.add_argument("--words", action="store_true", help="compare as in languages without a parser here")
    options.add_argument("--share", action="store_true", help="tell how the share of kept lines parts files")
    asked = options.parse_args()
    rewritten_code.PARSED = () if asked.words else rewritten_code.PARSED
    if asked.share:
        return shares.told(asked.releases or asked.repository, bool(asked.releases))
    print("| history | notes of | gone or rewritten: told | missed | the same: passed over | told wrongly |")
    print("|---|---|---|---|---|---|")
    if asked.releases:
        counts = [
            report(folder.name, counted(str(folder), asked.most, asked.show, *every_pair(str(folder))))
            for folder in sorted(Path(asked.releases).iterdir())
        ]
    else:
        pairs = some_pairs(asked.repository, asked.pairs, asked.apart)
        counts = [report(Path(asked.repository).name, counted(asked.repository, asked.most, asked.show, *pairs))]
    whole = {kind: [sum(each) for each in zip(*(one[kind] for one in counts), strict=True)] for kind in KINDS}
    if len(counts) > 1:
        report("all", whole)
    assert sum(whole["definition"]) > 20, "too little was compared"
    wrong = sum(each[1] + each[3] for each in whole.values())
    return 0 if wrong <= sum(map(sum, whole.values())) * 0.01 else 1


def some_pairs(repository: str, pairs: int, apart: int) -> list[tuple[str, str]]:
    commits = git(repository, "rev-list", "--reverse", "--first-parent", "HEAD").split()
    step = max(1, (len(commits) - apart) // pairs)
    return [(commits[at], commits[at + apart]) for at in range(step, len(commits) - apart, step)]


def every_pair(repository: str) -> list[tuple[str, str]]:
    return list(pairwise(git(repository, "rev-list", "--reverse", "--first-parent", "HEAD").split()))


def counted(repository: str, most: int, show: bool, *pairs: tuple[str, str]) -> dict[str, list[int]]:
    """Return (told, missed, passed over, told wrongly) by what the notes are of; at most *most* definitions a pair."""
    counts = {kind: [0, 0, 0, 0] for kind in KINDS}
    for base, later in pairs:
        cases = list(made(repository, base, later, most))
        told = drifts([case.node for case in cases], Git(repository, later))
        for case in cases:
            flagged = any(drift.matters for drift in told.get(case.node.id, ()))
            if not case.name:  # it is gone or not; how much of it was rewritten is a matter of degree
                flagged = any(drift.how == "removed" for drift in told.get(case.node.id, ()))
            one = counts["definition" if case.name else "file"]
            one[2 * (not case.drifted) + (flagged != case.drifted)] += 1
            if show and flagged != case.drifted:
                wrong = "wrongly" if flagged else "missed"
                print(f"  {wrong} {repository} {base[:8]}..{later[:8]} {case.path} {case.name}", file=sys.stderr)
    return counts


def report(name: str, counts: dict[str, list[int]]) -> dict[str, list[int]]:
    for kind, (hit, missed, passed, wrong) in counts.items():
        print(f"| {name} | a {kind} | {hit} | {missed} | {passed} | {wrong} |", flush=True)
    return counts


def made(repository: str, base: str, later: str, most: int) -> Iterator[Case]:
    """Yield a note for each definition, and each file, that the commits between may have changed."""
    at = parse_stamp(git(repository, "show", "-s", "--format=%cI", base).strip())
    changed = ("diff", "--no-renames", "--name-only", "--diff-filter=MD", base, later, "--", *syntax.GLOBS)
    names = git(repository, *changed).split("\n")
    now, then = (
        {path: syntax.definitions(text, path) for path, text in texts(repository, commit)} for commit in (later, base)
    )
    everywhere: dict[str, set[str]] = {}
    for definitions in now.values():
        for name, tree in definitions.items():
            everywhere.setdefault(name, set()).add(tree)
    come = [definitions for path, definitions in now.items() if path not in then]
    wanted = [(path, name, tree) for path in filter(None, names) for name, tree in then.get(path, {}).items()]
    step = max(1, -(-len(wanted) // most)) if most else 1
    whole = [(path, "", "") for path in filter(None, names) if then.get(path)]
    for number, (path, name, tree) in enumerate((*wanted[::step], *whole)):
        if name:
            gone = tree not in everywhere.get(name, ())
        else:
            gone = not now.get(path) and not any(_is_moved(then[path], held) for held in come)
        text = f"See `{name}`." if name else "It is as it is."
        id = f"{number:08x}-0000-4000-8000-000000000000"
        yield Case(Node(id, NodeType.CONCEPT, "x", text, at, at, references=(path,)), name, path, gone)


def _is_moved(before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    """Whether most of what a file defined is defined in another that was not there."""
    return 2 * len(before.keys() & now.keys()) > len(before)


def texts(repository: str, commit: str) -> Iterator[tuple[str, str]]:
    """Yield the files of a commit that are in a language with a parser, by path."""
    packed = subprocess.run(["git", "-C", repository, "archive", commit], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            held = archive.extractfile(member) if member.isfile() and syntax.parses(member.name) else None
            if held:
                yield member.name, held.read().decode("utf-8", "replace")


def git(repository: str, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
