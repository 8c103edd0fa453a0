"""How well drift is told: a repository's own history replayed, with Python's own parser to say what is the same.

A note is made for every function and class of a commit, and for every file; what a later commit did to them is told by
comparing syntax trees, docstrings left out. `--repository DIR` replays another history than this project's.
"""

import argparse
import ast
import io
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT)]

from autology.core.drift import drifts  # noqa: E402
from autology.model.node import Node, NodeType  # noqa: E402
from autology.text import drifted  # noqa: E402
from autology.text.times import parse_stamp  # noqa: E402
from autology.vcs.git import Git  # noqa: E402

PAIRS, APART = 12, 12
"""Pairs of commits that are compared, and how many commits lie between the two of a pair."""
LONG = 3
"""Lines from which a definition is asked after."""


@dataclass(frozen=True, slots=True)
class Case:
    """A note of one definition ("": the whole file), and whether the later commit removed or rewrote that."""

    node: Node
    name: str
    path: str
    drifted: bool


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repository", default=str(ROOT))
    options.add_argument("--pairs", type=int, default=PAIRS)
    options.add_argument("--apart", type=int, default=APART)
    options.add_argument("--show", action="store_true", help="print what is told wrongly")
    options.add_argument("--words", action="store_true", help="compare as in languages without a parser here")
    asked = options.parse_args()
    drifted.PARSED = () if asked.words else drifted.PARSED
    commits = git(asked.repository, "rev-list", "--reverse", "--first-parent", "HEAD").split()
    step = max(1, (len(commits) - asked.apart) // asked.pairs)
    counts = {"file": [0, 0, 0, 0], "definition": [0, 0, 0, 0]}
    for at in range(step, len(commits) - asked.apart, step):
        base, later = commits[at], commits[at + asked.apart]
        cases = list(made(asked.repository, base, later))
        told = drifts([case.node for case in cases], Git(asked.repository, later))
        for case in cases:
            flagged = any(drift.matters for drift in told.get(case.node.id, ()))
            if not case.name:  # it is gone or not; how much of it was rewritten is a matter of degree
                flagged = any(drift.how == "removed" for drift in told.get(case.node.id, ()))
            counted = counts["definition" if case.name else "file"]
            counted[2 * (not case.drifted) + (flagged != case.drifted)] += 1
            if asked.show and flagged != case.drifted:
                print(f"  {base[:8]}..{later[:8]} {case.path} {case.name}: {told.get(case.node.id)}", file=sys.stderr)
    print("| notes of | gone or rewritten: told | missed | the same: passed over | told wrongly |")
    print("|---|---|---|---|---|")
    for what, (hit, missed, passed, wrong) in counts.items():
        print(f"| a {what} | {hit} | {missed} | {passed} | {wrong} |")
    assert sum(counts["definition"]) > 20, "too little was compared"
    wrong = sum(each[1] + each[3] for each in counts.values())
    return 0 if wrong <= sum(map(sum, counts.values())) * 0.01 else 1


def made(repository: str, base: str, later: str) -> Iterator[Case]:
    """Yield a note for each definition, and each file, that the commits between may have changed."""
    at = parse_stamp(git(repository, "show", "-s", "--format=%cI", base).strip())
    changed = ("diff", "--no-renames", "--name-only", "--diff-filter=MD", base, later, "--", "*.py")
    names = git(repository, *changed).split("\n")
    now, then = ({path: trees(text) for path, text in texts(repository, commit)} for commit in (later, base))
    everywhere: dict[str, set[str]] = {}
    for definitions in now.values():
        for name, tree in definitions.items():
            everywhere.setdefault(name, set()).add(tree)
    wholes = {tuple(sorted(definitions.values())) for definitions in now.values()}
    number = 0
    for path in filter(None, names):
        before = then.get(path)
        if not before:
            continue
        for name, tree in (*before.items(), ("", "")):
            number += 1
            same = tuple(sorted(before.values())) in wholes if not name else tree in everywhere.get(name, ())
            drifted = not same if name else not now.get(path) and not same
            text = f"See `{name}`." if name else "It is as it is."
            node = Node(
                f"{number:08x}-0000-4000-8000-000000000000", NodeType.CONCEPT, "x", text, at, at, references=(path,)
            )
            yield Case(node, name, path, drifted)


def texts(repository: str, commit: str) -> Iterator[tuple[str, str]]:
    """Yield the Python files of a commit, by path."""
    packed = subprocess.run(["git", "-C", repository, "archive", commit], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            held = archive.extractfile(member) if member.isfile() and member.name.endswith(".py") else None
            if held:
                yield member.name, held.read().decode("utf-8", "replace")


def trees(text: str) -> Mapping[str, str]:
    """Return the syntax trees of what a file defines at its top once, without docstrings, by name."""
    try:
        module = ast.parse(text)
    except SyntaxError:
        return {}
    found: dict[str, str] = {}
    twice = set()
    for each in module.body:
        if (
            isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            and (each.end_lineno or 0) - each.lineno >= LONG
        ):
            twice |= {each.name} & found.keys()
            found[each.name] = ast.dump(without_docstrings(each))
    return {name: tree for name, tree in found.items() if name not in twice}


def without_docstrings(tree: ast.AST) -> ast.AST:
    for each in ast.walk(tree):
        body = getattr(each, "body", None)
        if (
            isinstance(body, list)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body[:] = body[1:] or [ast.Pass()]
    return tree


def git(repository: str, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True, text=True, check=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
