"""basic-memory's golden questions (test-int/semantic/corpus.py, test_reranker_quality.py): a right note for each.

Eighteen notes, three to a topic, so that neighbours share words, and a question for each; hit@1, hit@5 and MRR@10 of
the right note. Ours: the notes captured and searched through the built server, over MCP (autology_capture,
autology_query).

Theirs: no figures are published. Their test demands hit@5 of 1.0 with the reranker (SQLite, bge-small and a cross-
encoder), and no less than without it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.client import Server, apart, serving
from bench.published._checkouts import checkout, circumstances
from bench.published._locomo import scratch

CORPUS = "test-int/semantic/corpus.py"
MOST = 10


def main() -> int:
    text = (checkout("basicmachines-co/basic-memory", CORPUS) / CORPUS).read_text(encoding="utf-8")
    notes, questions = (constants(text, name) for name in ("GOLDEN_RANKING_DOCUMENTS", "GOLDEN_RANKING_QUERIES"))
    with scratch() as folder:
        ranks = answered(Path(folder), notes, questions)
    print(f"{circumstances()}\n\n{len(notes)} notes, {len(questions)} questions\n")
    print("| | hit@1 | hit@5 | MRR@10 |\n|---|---|---|---|\n| basic-memory, with its reranker | | 1.000 demanded | |")
    shares = [sum(bool(rank) and rank <= depth for rank in ranks) / len(ranks) for depth in (1, 5)]
    reciprocal = sum(1 / rank for rank in ranks if rank) / len(ranks)
    print(f"| Autology | {shares[0]:.3f} | {shares[1]:.3f} | {reciprocal:.3f} |")
    for question, rank in zip(questions, ranks, strict=True):
        if rank != 1:
            print(f"  {question['expected_permalink']} is {rank or 'not found'}: {question['text']}")
    return 0


def constants(text: str, name: str) -> list[dict[str, str]]:
    """Return the arguments of the calls that *name* is a tuple of; the module itself imports basic-memory."""
    assigned = (node for node in ast.parse(text).body if isinstance(node, ast.Assign))
    (value,) = (node.value for node in assigned if isinstance(node.targets[0], ast.Name) and node.targets[0].id == name)
    assert isinstance(value, ast.Tuple)
    calls = [call for call in value.elts if isinstance(call, ast.Call)]
    return [{word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg} for call in calls]


def answered(
    folder: Path, notes: Sequence[Mapping[str, str]], questions: Sequence[Mapping[str, str]]
) -> list[int | None]:
    """Return the rank of the right note for each question; None where it is not among the first ten."""
    project = folder / "project"
    (project / ".autology").mkdir(parents=True)
    with Server(serving(), project, {**apart(folder), "CLAUDE_PROJECT_DIR": str(project)}) as server:
        for note in notes:
            server.call("autology_capture", title=note["title"], content=note["content"])
        titles = {note["permalink"]: note["title"] for note in notes}
        return [place(server, question["text"], titles[question["expected_permalink"]]) for question in questions]


def place(server: Server, question: str, title: str) -> int | None:
    arguments = {"query": question, "limit": MOST, "detail": "brief"}
    answer = server.request("tools/call", {"name": "autology_query", "arguments": arguments})
    hits = answer["structuredContent"]["results"]  # type: ignore[index]
    return next((rank for rank, hit in enumerate(hits, 1) if hit["node"]["title"] == title), None)


if __name__ == "__main__":
    sys.exit(main())
