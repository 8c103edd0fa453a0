"""A project's records are found where projects keep them."""

from __future__ import annotations

import pytest

from autology.text.adr.folders import find_record_folders


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
    ],
)
def test_numbered_files_in_a_folder_of_that_name_are_records(folder: str) -> None:
    paths = [f"{folder}/{name}" for name in ("0001-a.md", "0002-b.md", "README.md", "template.md", "diagram.png")]
    assert find_record_folders(["src/a.py", "docs/guide.md", *paths]) == (folder,)


def test_folders_without_records_are_not_record_folders() -> None:
    paths = [
        "docs/0001-a.md",
        "blog/2024-01-01-post.md",
        "src/adr.py",
        "docs/adr/README.md",
        "docs/adr/adr-template.md",
        "0001-x.md",
    ]
    assert find_record_folders(paths) == ()


def test_a_folder_named_for_more_than_records_needs_most_files_numbered() -> None:
    some = ["docs/rfcs/0001-a.md", "docs/rfcs/about.md", "docs/rfcs/process.md"]
    assert find_record_folders(some) == ()
    assert find_record_folders([*some, "docs/rfcs/0002-b.md", "docs/rfcs/0003-c.md"]) == ("docs/rfcs",)
    assert find_record_folders(["docs/adr/use-redis.md"]) == ("docs/adr",)


@pytest.mark.parametrize("ignored", ["node_modules/x", "vendor/y", ".git", "templates", ".autology/nodes"])
def test_dependencies_and_templates_are_left_out(ignored: str) -> None:
    assert find_record_folders([f"{ignored}/docs/adr/0001-a.md", f"docs/adr/{ignored}/0001-a.md"]) == ()


def test_subfolders_belong_to_the_folder_found() -> None:
    paths = ["docs/adr/0001-a.md", "docs/adr/backend/0001-b.md", "docs/adr/decisions/0001-c.md", "lib/adr/0001-d.md"]
    assert find_record_folders(paths) == ("docs/adr", "lib/adr")
