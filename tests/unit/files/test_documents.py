"""Which files of a project are its documents: by default what people wrote, by settings what they choose."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from autology.core.documents.exclusions import Rule
from autology.core.documents.sources import Choice
from autology.files.documents import DocumentFolder
from autology.vcs.git import Git
from tests.unit.cli_kit import git, repository

PROSE = "People wrote this text to be read by others.\nIt has whole sentences, one on each line.\n"


def write(root: Path, *paths: str, text: str = PROSE) -> Path:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def found(root: Path, choice: Choice | None = None) -> set[str]:
    return set(DocumentFolder(str(root), choice or Choice(), Git(str(root)).ignored).scan().files)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    repository(tmp_path)
    return tmp_path


def test_every_form_is_found_anywhere_by_default(project: Path) -> None:
    paths = {
        "README.md",
        "a/b/c/x.rst",
        "src/lib/notes.adoc",
        "x.asciidoc",
        "org/y.org",
        "site/z.mdx",
        "q.markdown",
        "t.txt",
    }
    write(project, *paths, "src/main.py", "data.json")
    git(project, "add", "README.md", "a")
    assert found(project) == paths


def test_what_an_ignore_file_names_is_not_found_unless_it_is_tracked(project: Path) -> None:
    write(project, "drafts/a.md", "drafts/b.md", "secret.md", "kept.md")
    write(project, ".gitignore", text="drafts/\nsecret.md\n")
    git(project, "add", "-f", "drafts/a.md")
    assert found(project) == {"drafts/a.md", "kept.md"}


def test_without_git_ignore_files_are_read(tmp_path: Path) -> None:
    write(tmp_path, "drafts/a.md", "kept.md", "sub/b.md", "sub/c.md", ".hidden/d.md", ".github/e.md")
    write(tmp_path, ".gitignore", text="drafts/\n")
    write(tmp_path, "sub/.gitignore", text="b.md\n")
    assert found(tmp_path) == {"kept.md", "sub/c.md", ".github/e.md"}


LEFT_OUT: Sequence[tuple[Rule, Sequence[str]]] = (
    (Rule.VENDORED, ["vendor/x/README.md", "vendor/x/CHANGELOG.md", "a/node_modules/b.md", "third_party/c.rst"]),
    (Rule.GENERATED, ["dist/a.md", "docs/_build/b.rst"]),
    (Rule.FIXTURES, ["tests/data/a.md", "pkg/testdata/b.md", "spec/fixtures/c.txt", "test/d.md"]),
    (Rule.LICENCES, ["LICENSE.md", "sub/licence.txt", "COPYING.rst", "NOTICE.txt", "LICENSES/MIT.txt"]),
    (
        Rule.TEMPLATES,
        ["templates/a.md", "docs/adr/template.md", "rfcs/0000-template.md", ".github/ISSUE_TEMPLATE/b.md"],
    ),
    (Rule.DATA, ["requirements.txt", "src/CMakeLists.txt", "docs/requirements-dev.txt", "robots.txt"]),
)


@pytest.mark.parametrize(("rule", "paths"), LEFT_OUT)
def test_a_rule_leaves_texts_out_is_counted_and_can_be_switched_off(
    project: Path, rule: Rule, paths: Sequence[str]
) -> None:
    write(project, "README.md", *paths)
    folder = DocumentFolder(str(project), Choice(), Git(str(project)).ignored)
    assert set(folder.scan().files) == {"README.md"}
    assert folder.left_out() == {rule: len(paths)}
    assert found(project, Choice(includes=[rule.value])) == {"README.md", *paths}


def test_texts_about_what_a_rule_names_are_found(project: Path) -> None:
    paths = {
        *(
            "docs/templates.md",
            "docs/0012-template-engine.md",
            "notes/how-to-apply-a-template.md",
            "docs/adr/0003-use-mit-license.md",
        ),
        *("tests/README.md", "docs/tests/intro.md", "docs/content/testing.rst", "build/README.md", "docs/vendoring.md"),
    }
    write(project, *paths, "tests/README/other.md", "tests/a/README.md")
    assert found(project) == paths


def test_a_pattern_includes_single_texts_that_a_rule_leaves_out(project: Path) -> None:
    write(project, "README.md", "tests/fixtures/a.md", "tests/fixtures/b.md", "vendor/x/docs/c.md")
    assert found(project, Choice(includes=["tests/fixtures/a.md", "vendor/x/docs/"])) >= {
        "README.md",
        "tests/fixtures/a.md",
    }
    assert "tests/fixtures/b.md" not in found(project, Choice(includes=["a.md"]))
    assert found(project, Choice(includes=["fixtures"], excludes=["b.md"])) == {"README.md", "tests/fixtures/a.md"}


def test_a_plain_text_is_found_only_if_it_holds_prose(project: Path) -> None:
    write(project, "mail.txt", "notes/漢字.txt")
    write(
        project, "notes/漢字.txt", text="このプロジェクトの目的を説明する文書です。\n次の章では設計について述べます。\n"
    )
    write(project, "words.txt", text="".join(f"word{n}\n" for n in range(500)))
    write(project, "table.txt", text="".join(f"{n}\t{n * 7}\t0x{n:04x}\tOK\n" for n in range(500)))
    (project / "binary.txt").write_bytes(b"\x00\x01\x02" * 500)
    assert found(project) == {"mail.txt", "notes/漢字.txt"}


def test_other_repositories_inside_a_project_are_theirs(project: Path) -> None:
    write(project, "README.md", "sub/README.md", "sub/docs/a.md")
    write(project, "sub/.git", text="gitdir: ../.git/modules/sub\n")
    folder = DocumentFolder(str(project), Choice(), Git(str(project)).ignored)
    assert set(folder.scan().files) == {"README.md"}
    assert folder.left_out() == {Rule.REPOSITORIES: 2}
    assert found(project, Choice(["sub"])) == {"sub/README.md", "sub/docs/a.md"}


def test_sources_of_settings_are_searched_whatever_the_rules_say(project: Path) -> None:
    write(project, "README.md", "docs/templates/a.md", "docs/LICENSE.md", "tests/x.md", "src/y.md")
    assert found(project, Choice(["docs"])) == {"docs/templates/a.md", "docs/LICENSE.md"}
    assert found(project, Choice(["**"])) == {
        "README.md",
        "docs/templates/a.md",
        "docs/LICENSE.md",
        "tests/x.md",
        "src/y.md",
    }
    assert found(project, Choice(["*", "tests"])) == {"README.md", "tests/x.md", "src/y.md"}


@pytest.mark.skipif(os.name == "nt", reason="links take rights on Windows")
def test_a_link_inside_the_project_does_not_double_its_target(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = write(tmp_path_factory.mktemp("outside"), "secret.md")
    write(project, "AGENTS.md", "website/docs/a.md")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    (project / "docs").symlink_to("website/docs")
    (project / "out.md").symlink_to(outside / "secret.md")
    folder = DocumentFolder(str(project), Choice(), Git(str(project)).ignored)
    readable = folder.scan().files.keys() - {"out.md"}  # reported: it leads out of the project
    assert readable == {"AGENTS.md", "website/docs/a.md"}


def test_adopted_texts_are_no_documents(project: Path) -> None:
    write(project, "README.md", "rfcs/1.md")
    folder = DocumentFolder(str(project), Choice(), Git(str(project)).ignored, adopted=lambda: {"rfcs/1.md"})
    assert folder.scan().files.keys() == {"README.md"}


def test_a_document_may_be_created_wherever_one_would_be_found(project: Path) -> None:
    folder = DocumentFolder(str(write(project, "README.md")), Choice(), Git(str(project)).ignored)
    folder.scan()
    assert folder.source_of("deep/inside/new.md") == "*"
    assert folder.source_of("vendor/new.md") is None
    assert folder.source_of(".git/new.md") is None
