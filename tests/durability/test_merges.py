"""Branches merged and rebased by git itself: nothing is lost, and only what both changed is asked about."""

from __future__ import annotations

import random
import subprocess
import time
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from autology.model.node import Node, NodeType, Relation, RelationType
from autology.text.notes.node_file import edit_node, read_node, write_node
from autology.vcs.merge_driver import GitMergeDriver
from tests.plugin.fronts import command, environment
from tests.unit.cli_kit import PERSON, git

PAIRS = 200
A_BRANCH = 25
"""Notes that one pair of branches edits: git asks the driver for each."""
WORDS = "index search note branch merge paragraph relation query cache writer reader lock page token rule table".split()
TAGS = ["storage", "speed", "search", "team", "release", "security", "ui"]
FILES = ["src/a.py", "src/b.py", "src/c/d.py", "README.md"]
IDS = [str(uuid.UUID(int=0x4000_8000_0000_0000_0000 + at, version=4)) for at in range(6)]
BASE_TIME, EARLY, LATE = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"


@dataclass
class Edited:
    """What a branch did to a note."""

    node: Node
    reworded: dict[int, str] = field(default_factory=dict)
    removed: set[int] = field(default_factory=set)
    added: dict[int, str] = field(default_factory=dict)  # below the paragraph of that number


def sentence(rng: random.Random) -> str:
    return f"{' '.join(rng.choices(WORDS, k=rng.randint(6, 14)))} {rng.randrange(10**6)}."


def a_note(rng: random.Random) -> Node:
    paragraphs = [sentence(rng) for _ in range(rng.randint(3, 8))]
    return Node(
        id=str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        type=NodeType.DECISION,
        title=f"Note {rng.randrange(10**6)}",
        content="\n\n".join(paragraphs),
        created=BASE_TIME,
        modified=BASE_TIME,
        tags=tuple(rng.sample(TAGS, rng.randint(0, 4))),
        relations=tuple(relation(rng, id) for id in rng.sample(IDS, rng.randint(0, 3))),
        references=tuple(rng.sample(FILES, rng.randint(0, 3))),
    )


def relation(rng: random.Random, target: str) -> Relation:
    return Relation(rng.choice(list(RelationType)), target, round(rng.random(), 2))


def edited(rng: random.Random, node: Node, moment: str) -> Edited:
    """Change some of everything, as a person and the tools do."""
    paragraphs = node.content.split("\n\n")
    done = Edited(node)
    for at in range(len(paragraphs)):
        roll = rng.random()
        if roll < 0.12:
            done.reworded[at] = f"{paragraphs[at]} {sentence(rng)}"
        elif roll < 0.17 and len(done.removed) + 1 < len(paragraphs):
            done.removed.add(at)
        if rng.random() < 0.1:
            done.added[at] = sentence(rng)
    texts = []
    for at, text in enumerate(paragraphs):
        texts += [done.reworded.get(at, text)] * (at not in done.removed)
        texts += filter(None, [done.added.get(at)])
    tags = {tag for tag in node.tags if rng.random() < 0.8} | {tag for tag in TAGS if rng.random() < 0.15}
    kept = [r for r in node.relations if rng.random() < 0.8]
    kept = [replace(r, confidence=0.99) if rng.random() < 0.2 else r for r in kept]
    new = [relation(rng, id) for id in IDS if rng.random() < 0.15]
    known = {r.key for r in kept}
    files = {name for name in node.references if rng.random() < 0.8} | {n for n in FILES if rng.random() < 0.15}
    done.node = replace(
        node,
        title=f"{node.title} {rng.randrange(100)}" if rng.random() < 0.2 else node.title,
        confidence=round(rng.random(), 2) if rng.random() < 0.2 else node.confidence,
        content="\n\n".join(texts),
        modified=moment,
        tags=tuple(sorted(tags)),
        relations=(*kept, *(r for r in {r.key: r for r in new}.values() if r.key not in known)),
        references=tuple(sorted(files)),
    )
    return done


def in_conflict(node: Node, one: Edited, other: Edited) -> bool:
    """Whether both changed the same paragraph, or added one at the same place."""
    count = len(node.content.split("\n\n"))
    touched = [set(side.reworded) | side.removed for side in (one, other)]
    same = any(
        one.reworded.get(at) != other.reworded.get(at) or (at in one.removed) != (at in other.removed)
        for at in touched[0] & touched[1]
    )
    # One that both removed, and one of them wrote something in its place: which of the two is meant?
    gone = one.removed & other.removed
    replaced = any(gone & places(side, count) for side in (one, other))
    return same or replaced or bool(places(one, count) & places(other, count))


def places(side: Edited, count: int) -> set[int]:
    """Where a side added: paragraphs that it removed below do not tell one place from the next."""
    result = set(side.added)
    for at in range(count):
        # What stands at a removed paragraph's place touches the places on both sides of it.
        if at in side.removed and (at in result or at - 1 in result):
            result |= {at, at - 1}
    return result


def check(text: str, node: Node, one: Edited, other: Edited, newer: Node) -> bool:
    """Check the merged note; return whether it holds a conflict."""
    conflict = "<<<<<<< " in text
    if conflict:
        assert in_conflict(node, one, other), text
    assert 'confidence: "' not in text  # a number stays one for other readers
    merged = read_node(text)
    for field_ in ("tags", "references"):
        sets = [set(getattr(each, field_)) for each in (node, one.node, other.node)]
        assert set(getattr(merged, field_)) == three_way(*sets)
    keys = [{r.key for r in each.relations} for each in (node, one.node, other.node)]
    changed = {r.key for side in (one, other) for r in side.node.relations if r not in node.relations}
    assert {r.key for r in merged.relations} == three_way(*keys) | (changed & keys[0])
    for name in ("title", "confidence"):
        values = [getattr(each, name) for each in (one.node, other.node) if getattr(each, name) != getattr(node, name)]
        wanted = values[0] if len(values) == 1 else getattr(newer, name)
        assert getattr(merged, name) == wanted
    assert merged.modified == LATE
    for at, paragraph in enumerate(node.content.split("\n\n")):
        sides = [side.reworded.get(at) for side in (one, other)]
        for side in (one, other):
            assert side.added.get(at, "") in text
        for reworded in filter(None, sides):
            assert reworded in text
        untouched = not any(sides) and not any(at in side.removed for side in (one, other))
        gone = any(at in side.removed for side in (one, other)) and not any(sides)
        assert paragraph in text or not untouched
        assert not gone or conflict or paragraph not in text
    return conflict


def three_way(base: set[str], one: set[str], other: set[str]) -> set[str]:
    return {item for item in base | one | other if (item in one) + (item in other) + (item not in base) >= 2}


def tried(project: Path, *arguments: str) -> int:
    return subprocess.run(["git", *arguments], cwd=project, env=quick(), capture_output=True, timeout=300).returncode


def quick() -> dict[str, str]:
    """What git is started with: what was compiled once stays compiled, as it does for people."""
    return {name: value for name, value in (environment() | PERSON).items() if name != "PYTHONDONTWRITEBYTECODE"}


def put(project: Path, node: Node, text: str) -> None:
    path = project / node.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / ".autology").mkdir()
    GitMergeDriver(str(tmp_path)).register(command())
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "begin")
    return tmp_path


def test_two_hundred_pairs_of_branches_are_merged_and_rebased_without_a_loss(project: Path) -> None:
    rng = random.Random(20260208)
    conflicts = {"merge": 0, "rebase": 0}
    expected = 0
    for batch in range(PAIRS // A_BRANCH):
        nodes = [a_note(rng) for _ in range(A_BRANCH)]
        texts = {node.id: write_node(node, {}) for node in nodes}
        one = {node.id: edited(rng, node, EARLY if batch % 2 else LATE) for node in nodes}
        other = {node.id: edited(rng, node, LATE if batch % 2 else EARLY) for node in nodes}
        for node in nodes:
            put(project, node, texts[node.id])
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", f"notes {batch}")
        git(project, "branch", f"base-{batch}")
        for name, side in (("one", one), ("other", other)):
            git(project, "checkout", "-q", "-b", f"{name}-{batch}", f"base-{batch}")
            for node in nodes:
                put(project, node, edit_node(texts[node.id], side[node.id].node, {}))
            git(project, "commit", "-q", "-a", "-m", f"{name} {batch}")
        newer = other if batch % 2 else one
        expected += sum(in_conflict(node, one[node.id], other[node.id]) for node in nodes)
        for how, start in (("merge", f"one-{batch}"), ("rebase", f"other-{batch}")):
            git(project, "checkout", "-q", start)
            with_ = f"other-{batch}" if how == "merge" else f"one-{batch}"
            code = tried(project, how, *(["-q", "--no-edit"] if how == "merge" else ["-q"]), with_)
            result = 0
            for node in nodes:
                text = (project / node.path).read_bytes().decode()
                result += check(text, node, one[node.id], other[node.id], newer[node.id].node)
            assert bool(code) == bool(result)
            conflicts[how] += result
            if result:
                git(project, how, "--abort")
        git(project, "checkout", "-q", "main")
    assert conflicts["merge"] == conflicts["rebase"]
    assert 10 < conflicts["merge"] <= expected < PAIRS / 2
    print(f"{PAIRS} pairs: {conflicts['merge']} with conflicts, {expected} expected")


def test_a_driver_that_cannot_start_leaves_the_merge_to_git(project: Path) -> None:
    GitMergeDriver(str(project)).register(["/no/such/python", "/no/such/autology.pyz"])
    node = a_note(random.Random(1))
    text = write_node(node, {})
    ours, theirs = text.replace("# Note", "# A note"), text + "\nMore.\n"
    clashing = text.replace("# Note", "# Our note")
    put(project, node, text)
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "note")
    for name, changed in (("ours", ours), ("theirs", theirs), ("clashing", clashing)):
        git(project, "checkout", "-q", "-b", name, "main")
        put(project, node, changed)
        git(project, "commit", "-q", "-a", "-m", name)
    git(project, "checkout", "-q", "ours")
    assert tried(project, "merge", "-q", "--no-edit", "theirs") == 0
    assert (project / node.path).read_text(encoding="utf-8") == ours + "\nMore.\n"
    assert tried(project, "merge", "-q", "--no-edit", "clashing") == 1
    assert "=======" in (project / node.path).read_text(encoding="utf-8")


def test_files_that_cannot_be_read_are_merged_as_any_text_and_binary_ones_stay_ours(project: Path) -> None:
    name = project / ".autology" / "nodes" / "broken.md"
    name.parent.mkdir(parents=True)
    for base, ours, theirs, code, merged in (
        ("---\n: [\n---\na\n\nb\n", "---\n: [\n---\nA\n\nb\n", "---\n: [\n---\na\n\nB\n", 0, "---\n: [\n---\nA\n\nB\n"),
        ("\0 a\n", "\0 b\n", "\0 c\n", 1, "\0 b\n"),
    ):
        git(project, "checkout", "-q", "main")
        name.write_bytes(base.encode())
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", "base")
        for branch, text in (("ours", ours), ("theirs", theirs)):
            git(project, "checkout", "-q", "-B", branch, "main")
            name.write_bytes(text.encode())
            git(project, "commit", "-q", "-a", "-m", branch)
        git(project, "checkout", "-q", "ours")
        assert tried(project, "merge", "-q", "--no-edit", "theirs") == code
        assert name.read_bytes().decode() == merged
        if code:
            git(project, "merge", "--abort")


@pytest.mark.parametrize("count", [1_000, 10_000, 100_000])
def test_alternating_changes_of_many_lines_are_merged_and_rebased_soon_and_without_a_loss(
    project: Path, count: int
) -> None:
    def text(gap: str, *words: str) -> str:
        return gap.join(f"{words[at % 2]}" for at in range(count)) + "\n"

    rng = random.Random(count)
    shuffled = ["\n".join(rng.choices("abc", k=count)) + "\n" for _ in range(3)]
    cases = {
        "apart": [text("\n\n", *words) for words in (("x", "y"), ("x", "z"), ("w", "y"))],
        "touching": [text("\n", *words) for words in (("x", "y"), ("x", "z"), ("w", "y"))],
        "shuffled": shuffled,
    }
    head = write_node(replace(a_note(rng), content=""), {})
    folder = project / ".autology" / "nodes" / "decisions"
    folder.mkdir(parents=True)
    for at, branch in enumerate(("base", "ours", "theirs")):
        git(project, "checkout", "-q", "-b", branch, *(["base"] if at else []))
        for name, versions in cases.items():
            (folder / f"{name}.md").write_bytes((head + versions[at]).encode())
        git(project, "add", "-A")
        git(project, "commit", "-q", "-m", branch)
    for how, start, other in (("merge", "ours", "theirs"), ("rebase", "theirs", "ours")):
        git(project, "checkout", "-q", start)
        begun = time.monotonic()
        assert tried(project, how, "-q", other) == 1
        assert time.monotonic() - begun < 60  # 3 s on an idle machine
        merged = {name: (folder / f"{name}.md").read_bytes().decode() for name in cases}
        assert merged["apart"] == head + text("\n\n", "w", "z")
        sides = resolved(merged["touching"])
        assert sorted(sides) == sorted(head + version for version in cases["touching"][1:])
        assert "<<<<<<< " in merged["shuffled"]
        if count > 1_000:  # too much for us, so that it is as git merges it
            assert merged["shuffled"] == by_git(project, ["ours", "base", "theirs"], folder / "shuffled.md")
        git(project, how, "--abort")


def by_git(project: Path, branches: list[str], file: Path) -> str:
    """Return what git alone makes of *file* as it is on our branch, the base and theirs."""
    name = file.relative_to(project).as_posix()
    for branch in branches:
        shown = subprocess.run(["git", "show", f"{branch}:{name}"], cwd=project, capture_output=True, check=True)
        (project / f"{branch}.version").write_bytes(shown.stdout)
    labels = ["-L", "ours", "-L", "base", "-L", "theirs"]
    files = [f"{branch}.version" for branch in branches]
    done = subprocess.run(["git", "merge-file", "-p", *labels, *files], cwd=project, capture_output=True)
    return done.stdout.decode()


def resolved(text: str) -> tuple[str, str]:
    """Return *text* with each conflict decided for the one side, and with each decided for the other."""
    sides: tuple[list[str], list[str]] = ([], [])
    taken = [0, 1]
    for line in text.splitlines(keepends=True):
        if line.startswith(("<<<<<<< ", ">>>>>>> ", "=======")):
            taken = {"<": [0], "=": [1], ">": [0, 1]}[line[0]]
        else:
            for side in taken:
                sides[side].append(line)
    return "".join(sides[0]), "".join(sides[1])


def test_a_worktree_merges_as_its_repository_does_and_registering_twice_changes_nothing(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = (project / ".autology" / ".gitattributes").read_bytes(), (project / ".git" / "config").read_bytes()
    other = tmp_path_factory.mktemp("worktrees") / "other"
    git(project, "worktree", "add", "-q", str(other))
    GitMergeDriver(str(other)).register(command())
    state = GitMergeDriver(str(other)).state()
    assert state is not None
    assert state.complete
    after = (other / ".autology" / ".gitattributes").read_bytes(), (project / ".git" / "config").read_bytes()
    assert before == after
