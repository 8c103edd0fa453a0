"""The command that resumes a conversation."""

from __future__ import annotations

import pytest

from autology.render.sessions import resume_command


@pytest.mark.parametrize(
    ("id", "folder", "is_windows", "command"),
    [
        ("1b4e28ba-2fa1", "/home/me/shop", False, "cd /home/me/shop && claude --resume 1b4e28ba-2fa1"),
        ("1b4e28ba-2fa1", "/home/me/a shop; rm", False, "cd '/home/me/a shop; rm' && claude --resume 1b4e28ba-2fa1"),
        ("1b4e28ba-2fa1", "", False, "claude --resume 1b4e28ba-2fa1"),
        ("1b4e28ba-2fa1", "C:\\me\\a shop", True, 'cd /d "C:\\me\\a shop" && claude --resume 1b4e28ba-2fa1'),
        ("1b4e28ba-2fa1", "C:\\%PATH%", True, ""),
        ("x; rm -r ~", "/home/me/shop", False, ""),
        ("-x", "/home/me/shop", False, ""),
    ],
)
def test_a_session_is_resumed_in_its_folder_and_nothing_else_is_run(
    id: str, folder: str, is_windows: bool, command: str
) -> None:
    assert resume_command(folder, ("claude", "--resume", id), is_windows) == command


def test_without_a_command_nothing_is_offered() -> None:
    assert resume_command("/home/me/shop", ()) == ""
