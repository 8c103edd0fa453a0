"""LoCoMo by deja-vu's protocol (scripts/locomo/main.go).

For each of the ten conversations, its sessions are written as transcripts of Claude Code, every turn a message of the
user, ``Speaker: text``, a minute after the one before, on the day of the session. Each question with evidence, the
adversarial too, is asked as it is. Its rank is that of the first session, among the first twenty, that any evidence
stands in: R@1, R@5, and MRR. deja-vu's code counts 1,982 questions.

Our ranking was developed with the first five conversations, so the two halves have rows of their own.
Ours: the tool recall_previous_discussions, asked through its own code. Our transcripts name the project's folder and
an id of each message, as Claude Code writes them; deja-vu's do not.
Theirs: docs/guide/benchmarks.html of their repository.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from autology.text.language.calendar_spans import Clock
from autology.text.language.time_expressions import time_expression
from bench.published._checkouts import circumstances
from bench.published._locomo import DEVELOPED_ON, EVIDENCE, Session, conversations, recalled, scratch

DEPTH = 20
PUBLISHED = "| deja-vu | 1,982 | 0.696 | 0.857 | 0.766 |"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""deja-vu's names."""


def main() -> int:
    ranks: dict[int, list[int | None]] = defaultdict(list)
    halves: list[list[int | None]] = [[], []]
    timed: dict[bool, list[int | None]] = {True: [], False: []}
    for position, conversation in enumerate(conversations()):
        with scratch() as folder:
            search = recalled(conversation.sessions, Path(folder), turns)
            for question in conversation.questions:
                due = {number for turn in question.evidence for number in EVIDENCE.findall(turn)}
                if due:
                    rank = place(search(question.text), due)
                    ranks[question.category].append(rank)
                    halves[position >= DEVELOPED_ON].append(rank)
                    timed[names_a_time(question.text)].append(rank)
    print(f"{circumstances()}\n")
    print("| | questions | R@1 | R@5 | MRR |\n|---|---|---|---|---|")
    print(PUBLISHED)
    print(row("Autology", [rank for each in ranks.values() for rank in each]))
    for name, half in zip(("1 to 5", "6 to 10"), halves, strict=True):
        print(row(f"Autology, conversations {name}", half))
    for category, name in CATEGORIES.items():
        print(row(f"Autology, {name}", ranks[category]))
    print(row("Autology, questions that name a time", timed[True]))
    print(row("Autology, questions that name none", timed[False]))
    return 0


def names_a_time(question: str) -> bool:
    """Return whether *question* names a day, a month, a year or a span, as "in May 2023" and "last week" do."""
    return time_expression(question, Clock(datetime.now(UTC))) is not None


def turns(session: Session) -> Iterator[str]:
    yield from (f"{speaker}: {text}" for speaker, text in session.turns if text)


def place(numbers: Sequence[str], due: set[str]) -> int | None:
    return next((rank for rank, number in enumerate(numbers[:DEPTH], 1) if number in due), None)


def row(name: str, ranks: Sequence[int | None]) -> str:
    hits = [rank for rank in ranks if rank]
    shares = [sum(rank <= depth for rank in hits) / len(ranks) for depth in (1, 5)]
    values = [*shares, sum(1 / rank for rank in hits) / len(ranks)]
    return f"| {name} | {len(ranks):,} | {' | '.join(f'{value:.3f}' for value in values)} |"


if __name__ == "__main__":
    sys.exit(main())
