"""Recall of labelled past conversations: read as transcripts, searched through the tool.

bench/material.py says where the sets and their scorer lie. Every conversation is an index of its own. For the set of
sessions the two speakers are user and assistant, and a session is as good as its best passage; for the set of turns
each turn is a message by itself.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from os import environ
from pathlib import Path
from typing import Any

from autology.text.language.calendar_spans import Clock
from autology.tools import recall_previous_discussions
from autology.tools.project import ServedProject
from bench.material import labelled_sets

ROOT = Path(__file__).resolve().parents[1]
BARS = {"locomo_session": (0.847, 0.945), "locomo_turn": (0.502, 0.648)}
"""nDCG@10 and recall@10."""
METRICS = ("recall@5", "recall@10", "ndcg@10", "mrr")
NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
PAUSE = {"locomo_session": timedelta(seconds=40), "locomo_turn": timedelta(minutes=10)}
MONTHS = "January February March April May June July August September October November December".split()

Search = Callable[[dict[str, Any], int], Sequence[str]]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sets", nargs="+", default=list(BARS), choices=list(BARS))
    chosen = options.parse_args()
    sets = labelled_sets()
    days = {each["id"]: began(each["title"]) for each in sets.load("locomo_session").docs}
    turns = sets.load("locomo_turn").docs
    print(f"| set | {' | '.join(METRICS)} | p50 ms | p95 ms |\n|{'---|' * (len(METRICS) + 3)}")
    missed = []
    for name in chosen.sets:
        labelled = sets.load(name)
        run, times = sets.scorer.run_factory(labelled, lambda docs, name=name: asked(name, docs, turns, days))
        scores = sets.scorer.M.mean(sets.scorer.score(labelled, run))
        values = " | ".join(f"{scores[metric]:.3f}" for metric in METRICS)
        print(f"| {name} | {values} | {times['p50_ms']:.1f} | {times['p95_ms']:.1f} |")
        for metric, bar in zip(("ndcg@10", "recall@10"), BARS[name], strict=True):
            if scores[metric] < bar:
                missed.append(f"{name}: {metric} is {scores[metric]:.4f}; the bar is {bar}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


def asked(name: str, docs: list[dict[str, Any]], turns: list[dict[str, Any]], days: dict[str, datetime]) -> Search:
    """Return a search that asks the tool for the conversation of *docs*, and tells the ids of what it returned."""
    folder = tempfile.TemporaryDirectory(prefix="autology-recall-", ignore_cleanup_errors=True)
    root = Path(folder.name)
    for variable, place in (
        ("CLAUDE_CONFIG_DIR", "claude"),
        ("AUTOLOGY_DATA_DIR", "data"),
        ("AUTOLOGY_CACHE_DIR", "c"),
    ):
        environ[variable] = str(root / place)
    (root / "project").mkdir()
    own = [each for each in turns if each["group"] == docs[0]["group"]]
    sessions = write(root, name, own, days)
    project = ServedProject(str(root / "project"))
    project.conversation_search.now = lambda: Clock(NOW, UTC)
    project.conversations.refresh()
    project.conversations.encode()
    texts = {each["id"]: " ".join(each["text"].split()) for each in own}

    def search(query: dict[str, Any], _: int) -> list[str]:
        given = recall_previous_discussions.Recall(query=query["text"])
        told = recall_previous_discussions.act(project, given)
        assert isinstance(told, dict)
        if name == "locomo_session":
            return list(dict.fromkeys(sessions[each["context"]["session_id"]] for each in told["results"]))
        return list(dict.fromkeys(id for each in told["results"] for id in said(each["content"], texts)))

    search.close = folder.cleanup  # type: ignore[attr-defined]
    return search


def said(content: str, texts: dict[str, str]) -> Iterator[str]:
    """Yield the turns that a result is, or is a sentence of."""
    line = " ".join(content.removeprefix("❯ ").removesuffix("…").split())
    for id, text in texts.items():
        if line in text or text in line:
            yield id


def write(root: Path, name: str, turns: list[dict[str, Any]], days: dict[str, datetime]) -> dict[str, str]:
    """Write a transcript for each session; return the labels of the sessions by the ids that they got."""
    sessions: dict[str, list[str]] = {}
    for each in turns:
        group, day, _ = each["id"].split(":")
        sessions.setdefault(f"{group}:s{day.removeprefix('D')}", []).append(each["text"])
    folder = root / "claude" / "projects" / "conversation"
    folder.mkdir(parents=True)
    named = {}
    for label, texts in sessions.items():
        session = str(uuid.uuid5(uuid.NAMESPACE_URL, label))
        named[session] = label
        lines = records(session, texts, days.get(label, NOW - timedelta(days=365)), name, str(root / "project"))
        (folder / f"{session}.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    return named


def records(session: str, texts: list[str], at: datetime, name: str, cwd: str) -> Iterator[str]:
    first = texts[0].partition(":")[0]
    for number, text in enumerate(texts):
        user = name == "locomo_turn" or text.partition(":")[0] == first
        role = "user" if user else "assistant"
        message = {"role": role, "content": text if user else [{"type": "text", "text": text}]}
        record = {
            "type": role,
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session} {number}")),
            "timestamp": (at + number * PAUSE[name]).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "sessionId": session,
            "cwd": cwd,
            "message": message,
        }
        yield json.dumps(record) + "\n"


def began(title: str) -> datetime:
    """Return when a session began, as its title says: ``Session 1 - 1:56 pm on 8 May, 2023``."""
    found = re.search(r"(\d+):(\d+) ([ap])m on (\d+) (\w+), (\d+)", title)
    assert found, title
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    return datetime(int(found[6]), MONTHS.index(found[5]) + 1, int(found[4]), hour, int(found[2]), tzinfo=UTC)


if __name__ == "__main__":
    sys.exit(main())
