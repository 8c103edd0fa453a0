"""LoCoMo by MemPalace's protocol (benchmarks/locomo_bench.py, --granularity session --top-k 10).

An index for each of the ten conversations, a document for each session: its turns as ``Speaker said, "text"``, without
a date. All 1,986 questions, the adversarial too. Recall@10 is the share of a question's evidence sessions among the
first ten; the four questions without evidence count as 1. There are 19 to 32 sessions in a conversation.

Ours: the engine over the same documents, and the tool recall_previous_discussions over the same turns as transcripts
of Claude Code, which have the dates of the sessions.
Our ranking was developed with the first five conversations, so the two halves have rows of their own.
Theirs: read from the result files in their repository; raw is ChromaDB's default model, tuned is hybrid v5, whose
boosts were made on this set.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autology.core import benchmark
from autology.core.hybrid_search import rank
from autology.model.query import Filter
from autology.wire import user
from bench.published._checkouts import checkout, circumstances
from bench.published._locomo import DEVELOPED_ON, Conversation, Search, Session, conversations, recalled, scratch

MOST = 10
RESULTS = {
    "MemPalace, raw": "results_locomo_raw_session_top10_20260414_1634.json",
    "MemPalace, tuned": "results_locomo_hybrid_session_top10_20260414_1649.json",
}
CATEGORIES = {1: "single-hop", 2: "temporal", 3: "inference", 4: "open-domain", 5: "adversarial"}
"""Their names."""

Scores = Mapping[int, Sequence[float]]


def main() -> int:
    sets = conversations()
    published = checkout("MemPalace/mempalace", *(f"benchmarks/{name}" for name in RESULTS.values()))
    rows = {name: theirs(published / "benchmarks" / file) for name, file in RESULTS.items()}
    halves = [measured(part, by_words=False) for part in (sets[:DEVELOPED_ON], sets[DEVELOPED_ON:])]
    rows["Autology, their documents"] = {name: [*halves[0][name], *halves[1][name]] for name in CATEGORIES}
    rows |= {f"Autology, conversations {name}": half for name, half in zip(("1 to 5", "6 to 10"), halves, strict=True)}
    rows["Autology, their documents, words alone"] = measured(sets, by_words=True)
    rows["Autology, transcripts and recall"] = through_recall(sets)
    print(f"{circumstances()}\n")
    print(f"| recall@10, mean | {' | '.join(CATEGORIES.values())} | all |\n|{'---|' * (len(CATEGORIES) + 2)}")
    for name, scores in rows.items():
        cells = [mean(scores[category]) for category in CATEGORIES] + [mean([*flat(scores)])]
        print(f"| {name} | {' | '.join(f'{cell:.3f}' for cell in cells)} |")
    return 0


def theirs(file: Path) -> Scores:
    scores: dict[int, list[float]] = defaultdict(list)
    for each in json.loads(file.read_text(encoding="utf-8")):
        scores[each["category"]].append(each["recall"])
    return scores


def measured(sets: Sequence[Conversation], by_words: bool) -> Scores:
    scores: dict[int, list[float]] = defaultdict(list)
    for conversation in sets:
        with scratch() as folder:
            index = user.scratch_index(folder)
            documents = [benchmark.LabelledDocument(each.number, "", document(each)) for each in conversation.sessions]
            benchmark.fill(index, documents)
            with index.keep_open():
                for question in conversation.questions:
                    hits = rank(index, question.text, Filter(), MOST, not by_words)
                    numbers = [hit.source.id for hit in hits]
                    scores[question.category].append(recall(numbers, question.evidence))
    return scores


def through_recall(sets: Sequence[Conversation]) -> Scores:
    scores: dict[int, list[float]] = defaultdict(list)
    for conversation in sets:
        with scratch() as folder:
            search: Search = recalled(conversation.sessions, Path(folder), turns)
            for question in conversation.questions:
                scores[question.category].append(recall(search(question.text), question.evidence))
    return scores


def recall(numbers: Sequence[str], evidence: Sequence[str]) -> float:
    due = {turn[1:].partition(":")[0] for turn in evidence if turn.startswith("D") and ":" in turn}
    return len(due & set(numbers[:MOST])) / len(due) if due else 1.0


def document(session: Session) -> str:
    return "\n".join(f'{speaker} said, "{text}"' for speaker, text in session.turns)


def turns(session: Session) -> Iterator[str]:
    yield from (f'{speaker} said, "{text}"' for speaker, text in session.turns if text)


def flat(scores: Scores) -> Iterator[float]:
    for each in scores.values():
        yield from each


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
