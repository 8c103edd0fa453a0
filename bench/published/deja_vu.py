"""LoCoMo by deja-vu's protocol (scripts/locomo/main.go).

For each of the ten conversations, its sessions are written as transcripts of Claude Code, every turn a message of the
user, ``Speaker: text``, a minute after the one before, on the day of the session. Each question with evidence, the
adversarial too, is asked as it is. Its rank is that of the first session, among the first twenty, that any evidence
stands in: R@1, R@5, and MRR. deja-vu's code counts 1,982 questions.

Ours: the tool recall_previous_discussions, asked through its own code. Our transcripts name the project's folder and
an id of each message, as Claude Code writes them; deja-vu's do not.
Theirs: docs/guide/benchmarks.html of their repository.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.published._checkouts import circumstances
from bench.published._locomo import EVIDENCE, Session, conversations, recalled, scratch

DEPTH = 20
PUBLISHED = "| deja-vu | 1,982 | 0.696 | 0.857 | 0.766 |"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""deja-vu's names."""


def main() -> int:
    ranks: dict[int, list[int | None]] = defaultdict(list)
    for conversation in conversations():
        with scratch() as folder:
            search = recalled(conversation.sessions, Path(folder), turns)
            for question in conversation.questions:
                due = {number for turn in question.evidence for number in EVIDENCE.findall(turn)}
                if due:
                    ranks[question.category].append(place(search(question.text), due))
    print(f"{circumstances()}\n")
    print("| | questions | R@1 | R@5 | MRR |\n|---|---|---|---|---|")
    print(PUBLISHED)
    print(row("Autology", [rank for each in ranks.values() for rank in each]))
    for category, name in CATEGORIES.items():
        print(row(f"Autology, {name}", ranks[category]))
    return 0


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
