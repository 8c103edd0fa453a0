"""Transcripts with odd names and times: what is sound beside them is found all the same."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.plugin.fronts import command, environment


def recalled(home: Path, *lines: tuple[str, dict[str, object]]) -> tuple[int, str, str]:
    folder = home / ".claude" / "projects" / "-p"
    folder.mkdir(parents=True)
    for number, (name, facts) in enumerate(lines):
        message = {"role": "user", "content": f"beryllium words {number}"}
        record = {"type": "user", "sessionId": f"s{number}", "cwd": "/p", "uuid": str(number), "message": message}
        (folder / name).write_text(json.dumps({**record, **facts}) + "\n", encoding="utf-8")
    env = {**environment(), "HOME": str(home), "USERPROFILE": str(home), "AUTOLOGY_DATA_DIR": str(home / "data")}
    env = {name: value for name, value in env.items() if name not in ("CLAUDE_CONFIG_DIR", "AUTOLOGY_CLAUDE_DIR")}
    done = subprocess.run(command("recall", "beryllium"), cwd=home, env=env, capture_output=True, timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


SOUND = ("sound.jsonl", {"timestamp": "2026-11-01T10:00:00Z"})


@pytest.mark.parametrize(
    "time",
    ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", "0000-00-00T00:00:00Z", "", "x", None, 7],
)
def test_a_record_whose_time_cannot_be_read_is_found_with_the_others(tmp_path: Path, time: object) -> None:
    code, out, err = recalled(tmp_path, SOUND, ("odd.jsonl", {"timestamp": time}))
    assert (code, err) == (0, "")
    assert "words 0" in out
    assert "words 1" in out


@pytest.mark.skipif(os.name == "nt", reason="names of any bytes are POSIX's")
def test_a_transcript_whose_name_is_not_utf_8_stops_no_other(tmp_path: Path) -> None:
    code, out, err = recalled(tmp_path, SOUND, (os.fsdecode(b"caf\xe9.jsonl"), {}))
    assert (code, err) == (0, "")
    assert "words 0" in out
