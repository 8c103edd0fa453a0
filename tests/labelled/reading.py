"""What was labelled by hand, in the halves that were fixed before anything was tuned on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def halves(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the odd lines of a set, which are there to tune on, and the even ones, which stay unseen."""
    rows = rows_of(name)
    return rows[0::2], rows[1::2]


def rows_of(name: str) -> list[dict[str, Any]]:
    """Return all lines of a set."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
