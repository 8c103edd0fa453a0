"""Every fix that a finding offers works: it is taken as it is printed, and the finding is gone."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autology.cli import main
from autology.core.analysis.analyze import CHECKS, analyze
from autology.core.analysis.finding import Finding
from autology.model.next_step import Sentence
from autology.render.next_steps import for_terminal, for_tools
from autology.web.health import executable, node_to_edit
from autology.wire.project import Project
from tests.unit.cli_kit import autology, git, repository, run_json

WHOLE = (
    "## Context\n\nThe disk is slow.\n\n## Decision\n\nWrite {0} once.\n\n## Alternatives\n\n- Write it twice.\n\n"
    "## Consequences\n\nLess to read of {0}.\n"
)
LOOKED_AT = ("hubs", "bridges", "unreadable")
"""Checks whose fix leads somewhere to look; what is to be done is for a person to see."""

# A connection that is still closing removes files of the index while a folder is copied.
DERIVED = shutil.ignore_patterns("cache")


class Place:
    """A project in which findings are made and settled, through the command line."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self._capsys = capsys

    def at(self, root: Path) -> Place:
        return Place(root, self._capsys)

    def node(self, title: str, content: str = "", kind: str = "concept", **options: str) -> str:
        text = content or f"{title} is spoken of here in words enough to be of use to a reader."
        flags = [word for name, value in options.items() for word in (f"--{name}", *value.split())]
        body = ("capture", "--title", title, "--content", text, "--type", kind, *flags)
        return str(run_json(self._capsys, *body, project=self.root)["id"])

    def decision(self, title: str = "Write once", about: str = "pages", **options: str) -> str:
        return self.node(title, WHOLE.format(about), "decision", **options)

    def file(self, id: str) -> Path:
        (file,) = (self.root / ".autology" / "nodes").rglob(f"{id}.md")
        return file

    def replace(self, id: str, old: str, new: str) -> None:
        text = self.file(id).read_text(encoding="utf-8")
        assert old in text
        self.file(id).write_text(text.replace(old, new), encoding="utf-8")

    def date(self, id: str) -> None:
        """Let a node be older than what is committed next."""
        text = re.sub(r"(created|modified): .*", r"\1: 2023-01-01T00:00:00Z", self.file(id).read_text(encoding="utf-8"))
        self.file(id).write_text(text, encoding="utf-8")

    def findings(self, check: str) -> list[Finding]:
        return list(analyze(Project(str(self.root)).graph, Project(str(self.root)).history, check).findings)

    def do(self, *arguments: str) -> int:
        return autology(*arguments, project=self.root)

    def commit(self, subject: str = "change") -> None:
        git(self.root, "add", "-A", "src")
        git(self.root, "commit", "-qm", subject, at="2024-01-01T00:00:00Z")


@pytest.fixture
def place(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Place:
    root = tmp_path / "project"
    (root / "src" / "auth").mkdir(parents=True)
    body = "".join(f"def check{number}(token):\n    return token.part({number})\n\n\n" for number in range(5))
    (root / "src" / "auth" / "token.py").write_text(body, encoding="utf-8")
    (root / "src" / "auth" / "other.py").write_text("pass\n", encoding="utf-8")
    (root / ".autology").mkdir()
    written = tmp_path / "written.md"
    written.write_text(WHOLE.format("what is asked for"), encoding="utf-8")
    editor = tmp_path / "editor.sh"
    editor.write_text(f'#!/bin/sh\ncp "{written}" "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(editor))
    monkeypatch.setenv("WRITTEN", str(written))
    return Place(repository(root), capsys)


def dangling(place: Place) -> None:
    one, other = place.node("One"), place.node("Other")
    place.do("relate", one, "uses", other)
    place.file(other).unlink()


def changed_by_hand(place: Place) -> None:
    place.replace(place.decision(), "slow", "fast")


def reopened_by_hand(place: Place) -> None:
    place.replace(place.decision(), "decision_status: accepted", "decision_status: proposed")


def sealed_though_proposed(place: Place) -> None:
    id = place.decision()
    place.replace(id, "## Context", "## Status\n\nProposed\n\n## Context")


def without_a_seal(place: Place) -> None:
    id = place.decision()
    lines = place.file(id).read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith("frozen")]
    place.file(id).write_text("".join(kept), encoding="utf-8")


def in_a_circle(place: Place) -> None:
    one, other = place.node("One"), place.node("Other")
    place.do("relate", one, "supersedes", other)
    back = f"relations:\n  - type: supersedes\n    target: {one}\n    confidence: 0.9\n"
    place.replace(other, "status: superseded\n", f"status: superseded\n{back}")


def superseded_by_nothing(place: Place) -> None:
    place.node("Newer")
    place.do("update", place.decision(), "--status", "superseded")


def superseded_and_active(place: Place) -> None:
    old, new = place.node("Old"), place.node("New")
    place.do("relate", new, "supersedes", old)
    place.replace(old, "status: superseded", "status: active")


def named_by_one_side(place: Place) -> None:
    old, new = place.node("Old"), place.node("New")
    place.do("relate", new, "supersedes", old)
    text = place.file(old).read_text(encoding="utf-8")
    place.file(old).write_text(re.sub(r"superseded_by:\n( +- .*\n)+", "", text), encoding="utf-8")


def incomplete(place: Place) -> None:
    place.node("Half decided", "## Decision\n\nWrite once, whatever it costs.\n", "decision")


def incomplete_record(place: Place) -> None:
    records = place.root / "docs" / "adr"
    records.mkdir(parents=True)
    text = "# 1. Write once\n\n## Status\n\nAccepted\n\n## Decision\n\nWe write once, whatever it costs.\n"
    (records / "0001-write-once.md").write_text(text, encoding="utf-8")
    place.do("import", "adr", str(records))


def short(place: Place) -> None:
    place.node("Short", "So.")


def short_and_long_ago_accepted(place: Place) -> None:
    incomplete_record(place)


def same_text(place: Place) -> None:
    text = "Requests are repeated after a pause that doubles each time, five times at most."
    place.node("How requests are repeated", text)
    place.node("Growing pauses", text)


def same_text_with_more(place: Place) -> None:
    text = "Requests are repeated after a pause that doubles each time, five times at most."
    place.node("How requests are repeated", text)
    place.node("Growing pauses", text, tags="retries")


def fix_again(place: Place) -> None:
    place.node("How requests are repeated", "The scheduler retries failed jobs.")
    place.node("Failing", "Failed jobs are retried by the scheduler.")


def same_title(place: Place) -> None:
    place.node("Token lifetime", "Access tokens live for fifteen minutes, then the client asks again.")
    place.node("token  LIFETIME", "Refresh tokens are kept for thirty days on the device of the user.")


def gone(place: Place) -> None:
    place.node("Tokens", references="src/auth/token.py src/auth/lost.py")


def moved(place: Place) -> None:
    place.node("Tokens", references="src/auth/token.py")
    (place.root / "src" / "login").mkdir()
    git(place.root, "mv", "src/auth/token.py", "src/login/tokens.py")
    place.commit("move")


def rewritten(place: Place) -> None:
    place.date(place.node("Tokens", references="src/auth/token.py"))
    (place.root / "src/auth/token.py").write_text("import vault\n\nvault.open()\n", encoding="utf-8")
    place.commit()


def rewritten_under_what_is_accepted(place: Place) -> None:
    place.date(place.decision(references="src/auth/token.py"))
    (place.root / "src/auth/token.py").write_text("import vault\n\nvault.open()\n", encoding="utf-8")
    place.commit()


def alone(place: Place) -> None:
    place.node("One", tags="storage")
    place.node("Two", tags="storage")


def two_spellings(place: Place) -> None:
    for title in ("One", "Two", "Three"):
        place.node(title, tags="unit-test")
    for title in ("Four", "Five"):
        place.node(title, tags="unit-tests policy")


def untagged(place: Place) -> None:
    place.node("One", tags="storage", references="src/auth/token.py")
    place.node("Two", references="src/auth/token.py")
    place.node("Three")


def not_covered(place: Place) -> None:
    folder = place.root / "src" / "-".join(["billing"] * 14)
    folder.mkdir()
    for number in range(6):
        (folder / f"part{number}.py").write_text("pass\n", encoding="utf-8")
    place.node("One")


def star(place: Place, name: str, kind: str) -> str:
    centre = place.node(f"{name} centre", kind=kind)
    for number in range(8):
        place.do("relate", place.node(f"{name} leaf {number}", kind="issue"), "affects", centre)
    return centre


def without_a_name(place: Place) -> None:
    place.do("relate", star(place, "Payment", "pattern"), "relates_to", star(place, "Storage", "pattern"))


CASES: list[tuple[str, Callable[[Place], None]]] = [
    ("dangling", dangling),
    ("frozen", changed_by_hand),
    ("frozen", reopened_by_hand),
    ("frozen", sealed_though_proposed),
    ("frozen", without_a_seal),
    ("chains", in_a_circle),
    ("chains", superseded_by_nothing),
    ("chains", superseded_and_active),
    ("chains", named_by_one_side),
    ("incomplete", incomplete),
    ("incomplete", incomplete_record),
    ("incomplete", short),
    ("duplicates", same_text),
    ("duplicates", same_text_with_more),
    ("duplicates", fix_again),
    ("duplicates", same_title),
    ("stale", gone),
    ("stale", moved),
    ("stale", rewritten),
    ("stale", rewritten_under_what_is_accepted),
    ("orphans", alone),
    ("tags", two_spellings),
    ("tags", untagged),
    ("coverage", not_covered),
    ("hubs", without_a_name),
    ("bridges", without_a_name),
    ("communities", without_a_name),
]


def test_every_check_that_can_be_settled_is_walked() -> None:
    assert {check for check, _ in CASES} | {"unreadable"} == set(CHECKS)


def alternatives(fix: Sentence) -> list[list[list[str]]]:
    """Return the commands of each way to settle a finding that *fix* names, as they are printed in a terminal."""
    ways = re.split(r", or (?=`)|; or (?=`)|; if ", for_terminal(fix))
    commands = [[shlex.split(each) for each in re.findall(r"`(autology [^`]*)`", way)] for way in ways]
    return [way for way in commands if way]


def filled(word: str, finding: Finding, place: Place) -> str:
    """Return *word* with what the fix leaves to the reader."""
    if word.startswith("the id of"):
        others = (place.root / ".autology" / "nodes").rglob("*.md")
        return next(file.stem for file in others if file.stem not in {subject.id for subject in finding.subjects})
    return {"…": "topic", "FILE": str(place.root.parent / "written.md")}.get(word, word)


@pytest.mark.parametrize(("check", "made"), CASES)
def test_every_printed_fix_resolves_its_finding(
    place: Place, tmp_path: Path, check: str, made: Callable[[Place], None], capsys: pytest.CaptureFixture[str]
) -> None:
    made(place)
    findings = place.findings(check)
    assert findings
    for number, finding in enumerate(findings):
        ways = alternatives(finding.fix)
        assert ways, finding.fix
        for at, way in enumerate(ways):
            copy = place.at(Path(shutil.copytree(place.root, tmp_path / f"{number}-{at}" / "project", ignore=DERIVED)))
            (copy.root.parent / "written.md").write_text(WHOLE.format("another thing"), encoding="utf-8")
            capsys.readouterr()
            for _, command, *words in way:
                sure = ["--yes"] if command == "delete" else []  # a terminal would ask
                values = [filled(word, finding, copy) for word in words]
                code = main([command, "--project", str(copy.root), *values, *sure])
                assert code == 0, (command, words, capsys.readouterr().err)
            if check not in LOOKED_AT:
                assert same(finding) not in [same(each) for each in copy.findings(check)], way


def same(finding: Finding) -> tuple[str, Any]:
    return finding.what, sorted(subject.id for subject in finding.subjects)


@pytest.mark.parametrize(("check", "made"), CASES)
def test_the_page_offers_no_act_and_no_edit_that_is_refused(
    place: Place, tmp_path: Path, check: str, made: Callable[[Place], None]
) -> None:
    from autology.web import editing
    from autology.web.project import PageProject

    made(place)
    for number, finding in enumerate(place.findings(check)):
        for at, act in enumerate(executable(finding.fix)):
            copy = place.at(Path(shutil.copytree(place.root, tmp_path / f"{number}-{at}" / "project", ignore=DERIVED)))
            getattr(editing, act["call"])(PageProject(str(copy.root)), **act["arguments"])
        if id := node_to_edit(finding.fix):
            editing.update(PageProject(str(place.root)), id, content=WHOLE.format("another thing"))


def test_equal_titles_alone_never_advise_deletion(place: Place) -> None:
    same_title(place)
    (finding,) = place.findings("duplicates")
    assert "autology_delete" not in for_tools(finding.fix)
    assert "supersedes" in for_tools(finding.fix)
    assert "relates_to" in for_tools(finding.fix)


def test_of_two_equal_notes_the_one_with_its_own_tags_is_not_deleted(place: Place) -> None:
    same_text_with_more(place)
    (finding,) = place.findings("duplicates")
    (tagged,) = [subject.id for subject in finding.subjects if subject.title == "Growing pauses"]
    assert f'autology_delete {{"id": "{tagged}"}}' not in for_tools(finding.fix)


def test_neither_of_two_nodes_is_deleted_that_bear_tags_of_their_own(place: Place) -> None:
    text = "Requests are repeated after a pause that doubles each time, five times at most."
    place.node("How requests are repeated", text, tags="http")
    place.node("Growing pauses", text, tags="retries")
    (finding,) = place.findings("duplicates")
    assert "autology_delete" not in for_tools(finding.fix)


def test_a_file_that_was_moved_on_disk_or_with_its_folder_is_followed(place: Place) -> None:
    place.node("Tokens", references="src/auth/token.py")
    place.node("Logging in", references="src/auth")
    git(place.root, "mv", "src/auth", "src/login")
    (on_disk,) = [each for each in place.findings("stale") if each.subjects[0].title == "Tokens"]
    assert on_disk.evidence == ("moved: src/auth/token.py → src/login/token.py",)
    place.commit("move")
    assert {each.evidence for each in place.findings("stale")} == {
        ("moved: src/auth/token.py → src/login/token.py",),
        ("moved: src/auth → src/login",),
    }
    (place.root / "src/login/token.py").rename(place.root / "src/tokens.py")
    (again,) = [each for each in place.findings("stale") if each.subjects[0].title == "Tokens"]
    assert again.evidence == ("moved: src/auth/token.py → src/tokens.py",)


def test_sections_that_were_missing_end_the_review_that_they_began(place: Place) -> None:
    id = place.node("Half decided", "## Decision\n\nWrite once, whatever it costs.\n", "decision")
    assert "status: needs_review" in place.file(id).read_text(encoding="utf-8")
    place.do("update", id, "--content", WHOLE.format("pages"))
    assert "status: active" in place.file(id).read_text(encoding="utf-8")
