"""What the names of files and folders say about whether they are records."""

from __future__ import annotations

import pytest

from autology.text.adr.folders import could_be_record, in_record_folder


@pytest.mark.parametrize(
    "folder",
    [
        "adr",
        "adrs",
        "docs/adr",
        "doc/adr",
        "docs/ADRs",
        "doc/arch",
        "docs/decisions",
        "docs/architecture/decisions",
        "decisions",
        "docs/rfcs",
        "rfc",
        "packages/api/docs/adr",
        "docs/architecture-decision-records",
        "a/b/c/d/adr",
        "docs/adr/backend",
    ],
)
def test_files_in_a_folder_of_that_name_and_below_it_are_records(folder: str) -> None:
    assert in_record_folder(f"{folder}/0001-a.md")


@pytest.mark.parametrize("path", ["docs/0001-a.md", "blog/2024-01-01-post.md", "src/adr.py", "arch/0001-a.md", "adr"])
def test_files_in_other_folders_may_be_anything(path: str) -> None:
    assert not in_record_folder(path)


@pytest.mark.parametrize("name", ["README.md", "template.md", "adr-template.md", "diagram.png", "process-guide.txt"])
def test_what_surrounds_records_is_no_record(name: str) -> None:
    assert not could_be_record(f"docs/adr/{name}")
    assert could_be_record("docs/adr/0001-a.md")


@pytest.mark.parametrize("ignored", ["node_modules/x", "vendor", ".git", "templates", ".autology/nodes"])
def test_dependencies_and_templates_are_no_records(ignored: str) -> None:
    assert not could_be_record(f"{ignored}/docs/adr/0001-a.md")
    assert not could_be_record(f"docs/adr/{ignored}/0001-a.md")
