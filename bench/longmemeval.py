"""Recall of the sessions with the answer in a local file of LongMemEval.

The file is its own JSON: a list of questions, each with the sessions that may hold the answer
(``haystack_sessions``, ``haystack_session_ids``, ``haystack_dates``) and those that do (``answer_session_ids``).
Give it as the argument or in $AUTOLOGY_LONGMEMEVAL. Questions without an answer (``…_abs``) are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autology.core import benchmark
from autology.core.hybrid_search import rank
from autology.model.query import Filter
from autology.wire import user

DEPTHS = (5, 10)
BARS = {"recall_any@5": 0.984, "fraction@5": 0.864, "recall_all@5": 0.932}
"""The best that others have published, who mostly do not say at which depth."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("file", nargs="?", default=os.environ.get("AUTOLOGY_LONGMEMEVAL"), help="the file")
    options.add_argument("--limit", type=int, help="so many of its questions only")
    options.add_argument("--words", action="store_true", help="by words alone")
    chosen = options.parse_args()
    if not chosen.file:
        print("no file of LongMemEval: give one as the argument or in AUTOLOGY_LONGMEMEVAL")
        return 0
    every = json.loads(Path(chosen.file).read_text(encoding="utf-8"))
    questions = [question for question in every if not question["question_id"].endswith("_abs")]
    scores, seconds = [], []
    for question in questions[: chosen.limit]:
        found, took = answered(question, not chosen.words)
        scores.append(scored(found, set(map(str, question["answer_session_ids"]))))
        seconds.append(took)
    if not scores:
        print(f"{chosen.file} holds no question with an answer", file=sys.stderr)
        return 1
    print(report(scores, seconds))
    return 0


def answered(question: Mapping[str, Any], meant: bool) -> tuple[list[str], float]:
    """Return the question's sessions, best first, by an index of its own, and the seconds that took."""
    ids, dates = map(str, question["haystack_session_ids"]), question.get("haystack_dates") or []
    sessions = question["haystack_sessions"]
    dates = [*dates, *[""] * (len(sessions) - len(dates))]
    documents = [
        benchmark.LabelledDocument(id, f"Session of {date}", told(session))
        for id, date, session in zip(ids, dates, sessions, strict=True)
    ]
    with tempfile.TemporaryDirectory(prefix="autology-longmemeval-", ignore_cleanup_errors=True) as folder:
        index = user.scratch_index(folder)
        with index.keep_open():
            benchmark.fill(index, list({document.id: document for document in documents}.values()))
            begun = time.perf_counter()
            found = [hit.source.id for hit in rank(index, question["question"], Filter(), 100, meant)]
            return found, time.perf_counter() - begun


def told(session: Sequence[Mapping[str, str]]) -> str:
    """Return a session as a conversation is indexed, a turn a line."""
    return "\n".join(f"- **{turn['role']}:** {turn['content']}" for turn in session)


def scored(found: Sequence[str], due: set[str]) -> dict[str, float]:
    """Return, at every depth, whether any answer is there, which share, and whether all are."""
    scores = {}
    for depth in DEPTHS:
        share = len(due & set(found[:depth])) / len(due) if due else 0.0
        scores |= {
            f"recall_any@{depth}": float(share > 0),
            f"fraction@{depth}": share,
            f"recall_all@{depth}": float(share == 1),
        }
    return scores


def report(scores: Sequence[Mapping[str, float]], seconds: Sequence[float]) -> str:
    lines = [f"{len(scores)} questions, an index each", "", "| measure | value | best published |", "|---|---|---|"]
    for name in scores[0]:
        value = sum(each[name] for each in scores) / len(scores)
        lines.append(f"| {name} | {value:.4f} | {BARS.get(name, '')} |")
    ordered = sorted(seconds)
    lines.append(f"| median ms | {ordered[len(ordered) // 2] * 1000:.1f} | |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
