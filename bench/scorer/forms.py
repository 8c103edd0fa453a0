"""Texts that give a secret away, and texts that only look like it, by the form in which people write them.

A slot in capitals is a secret, one in small letters is harmless: `%{P}` a password, `%{user}` a name.
"""

from __future__ import annotations

import json
from pathlib import Path

FOLDER = Path(__file__).parent


def _forms(name: str) -> dict[str, list[str]]:
    forms: dict[str, list[str]] = {}
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        forms.setdefault(label["form"], []).append(label["text"])
    return forms


GIVING = _forms("giving.jsonl")
"""Texts in which each slot in capitals is a secret, by form."""
HARMLESS = _forms("harmless.jsonl")
"""Texts without a secret, by form."""
