"""The number of secrets of a labelled file that are missed, and of harmless texts that are altered.

    python bench/labelled_secrets.py LABELS.jsonl

A line of the file is ``{"text": …, "secrets": [what must not survive], "form": …}``; a harmless text has no secrets.
Without a file, the one that AUTOLOGY_SECRETS names is read.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server")]

from autology.text.redaction import redact  # noqa: E402

MISSED, ALTERED = 0.05, 0.01
"""Shares that may be missed, and altered."""
SHOWN = 100
"""Characters of a text that went wrong."""


def main() -> int:
    """Print the shares, and each text that went wrong; 1 if a share misses its budget, or there is nothing to read."""
    named = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("AUTOLOGY_SECRETS", "")
    if not named:
        print("nothing to read: name a file of labels, or set AUTOLOGY_SECRETS")
        return 1
    labels = [json.loads(line) for line in Path(named).read_text(encoding="utf-8").splitlines() if line.strip()]
    secrets = [label for label in labels if label["secrets"]]
    harmless = [label for label in labels if not label["secrets"]]
    missed = [label for label in secrets if any(secret in redact(label["text"])[0] for secret in label["secrets"])]
    altered = [label for label in harmless if redact(label["text"])[0] != label["text"]]
    for name, wrong, of, budget in (("missed", missed, secrets, MISSED), ("altered", altered, harmless, ALTERED)):
        print(f"{name:<8} {len(wrong)} of {len(of)} ({len(wrong) / max(len(of), 1):.1%}, budget {budget:.0%})")
        for label in wrong:
            print(f"  {label.get('form', '')}: {label['text'][:SHOWN]!r}")
    for form, count in Counter(label.get("form", "") for label in missed).most_common():
        print(f"  {count} missed of the form {form}")
    within = len(missed) <= MISSED * len(secrets) and len(altered) <= ALTERED * len(harmless)
    return 0 if labels and within else 1


if __name__ == "__main__":
    raise SystemExit(main())
