"""Secrets as others write them: labels made from the requirement alone, by people who had not seen a rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from autology.text.redaction import redact

LABELS = Path(__file__).resolve().parents[3] / "labelled" / "secrets"


def labels() -> list[dict[str, Any]]:
    files = sorted(LABELS.glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def test_labelled_secrets_are_taken_out() -> None:
    secrets = [label for label in labels() if label["secrets"]]
    assert len(secrets) == 600
    missed = []
    for label in secrets:
        text = redact(label["text"])[0]
        if any(secret in text for secret in label["secrets"]):
            missed.append((label["form"], label["text"]))
    assert missed == []


def test_texts_that_only_look_like_it_stay_as_they_are() -> None:
    harmless = [label["text"] for label in labels() if not label["secrets"]]
    assert len(harmless) == 600
    assert [text for text in harmless if redact(text)[0] != text] == []
