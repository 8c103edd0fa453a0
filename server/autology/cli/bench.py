"""``autology bench``: rank a labelled data set with this engine."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TypeVar

from autology.cli import outfile
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.core import benchmark
from autology.core.index.index import Index
from autology.wire import user

EXAMPLES = """\
autology bench rank data/cranfield --out cranfield.run.jsonl
autology bench rank data/locomo_session --pooled --out pooled.run.jsonl -k 10
autology bench rank data/cranfield --model minilm --out cranfield.run.jsonl"""
JSON = "{documents, questions, encoder, p50_ms, p95_ms}"

T = TypeVar("T")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the action and the data set."""
    parser.add_argument("what", choices=["rank"], help="rank: answer every question of a data set")
    parser.add_argument("set", metavar="DIR", help="a folder with corpus.jsonl and queries.jsonl")
    parser.add_argument(
        "--out", required=True, metavar="FILE", help='output: a line {"qid": …, "ids": [best first]} per question'
    )
    outfile.force(parser)
    parser.add_argument("-k", "--k", type=int, default=100, metavar="N", help="maximum ids per question (100)")
    parser.add_argument("--model", metavar="MODEL", help="use this installed model, which encodes all documents first")
    parser.add_argument("--pooled", action="store_true", help="use one index for all groups of the set")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Index the set in a temporary folder, answer its questions, write the results."""
    folder = Path(args.set)
    documents = list(_read(folder / "corpus.jsonl", benchmark.read, args.pooled))
    questions = list(_read(folder / "queries.jsonl", benchmark.read_question, args.pooled))
    if not 1 <= args.k <= 1_000:
        raise UsageError("--k", f"{args.k} is outside 1-1000", "Give a number from 1 to 1000.")
    outfile.check(args.out, args.force)
    model = user.models().encoder(args.model) if args.model and args.model != user.BUILT_IN else None
    times: list[float] = []
    encoder = ""
    with tempfile.TemporaryDirectory(prefix="autology-bench-", ignore_cleanup_errors=True) as scratch:
        numbers = count()

        def fresh() -> Index:
            return user.scratch_index(str(Path(scratch, str(next(numbers)))), lambda: model)

        with outfile.opened(args.out, args.force) as out, screen.progress("answering questions") as progress:
            for number, result in enumerate(benchmark.answers(documents, questions, fresh, args.k), 1):
                line = json.dumps({"qid": result.question, "ids": result.ids}, ensure_ascii=False)
                out.write(f"{line}\n".encode())
                times.append(result.seconds)
                encoder = result.encoder
                progress(number, len(questions))
    if args.out != outfile.STANDARD_OUTPUT:
        _summarize(len(documents), encoder, times, screen)
    return 0


def _summarize(documents: int, encoder: str, times: list[float], screen: Screen) -> None:
    times.sort()
    p50, p95 = (round(times[int(len(times) * share)] * 1000, 2) if times else 0.0 for share in (0.5, 0.95))
    counts = {"documents": documents, "questions": len(times), "encoder": encoder}
    line = f"✓ {len(times):,} questions over {documents:,} documents; p50 {p50} ms, p95 {p95} ms."
    screen.report({**counts, "p50_ms": p50, "p95_ms": p95}, line)


def _read(file: Path, parse: Callable[[dict[str, object]], T], pooled: bool) -> Iterator[T]:
    try:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    value = json.loads(line)
                    if pooled:
                        value.pop("group", None)
                    yield parse(value)
    except OSError as error:
        raise UsageError(
            "DIR", f"{file} cannot be read: {error.strerror}", "Give a folder with corpus.jsonl and queries.jsonl."
        ) from None
    except (ValueError, KeyError, AttributeError) as error:
        raise UsageError(
            "DIR", f"{file} has an invalid format: {error}", "Write an object with an id per line."
        ) from None
