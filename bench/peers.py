"""Writing and finding notes compared with prototypes, plain FTS5, server-memory and basic-memory.

The same notes and the same questions for each, over MCP as a client asks (FTS5: in process), taking turns call by call,
in stores that hold 100, 1,000 and 10,000 notes. What is measured:

  start    milliseconds from starting the program to its answer to the handshake, and to its first query; the store is
           indexed already
  capture  milliseconds until a note is acknowledged
  query    milliseconds of a search, back to back: for four words that stand side by side in a note, and for three of a
           note's twelve rarest words, in any order
  pause    milliseconds of a search after 3.5 s without a call, and how many times that is of one right after another
  found    the share of the searches for a phrase, and for words, whose note is among the first ten of the answer
  MB       megabytes that the program holds after all that, and held at most, without its children (Linux)

50 and 95 are the median and the 95th percentile; × is the median over the calls of the ratio to the prototype. A busy
machine stretches milliseconds: compare columns of one run. Last come our hooks against the bare interpreter.

Every program runs by its own defaults; what cannot be installed is said and left out. basic-memory takes seconds for a
note and is measured with 100 only; on a busy machine it takes minutes to start for the first time.
"""

import argparse
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knowledge import COMMON, text
from pauses import PAUSE, PAUSES
from peer_programs import PROGRAMS, PROTOTYPE, SHOWN, Note, Store, milliseconds
from start import Place, measure_hooks

NOTES, CAPTURES, QUESTIONS = (100, 1_000, 10_000), 40, 40
HOOK_ROUNDS, HOOK_CHUNKS = 25, 2_000
NUMBER = re.compile(r"n(\d+)x")
"""In a title; the other words have no digits."""


@dataclass
class Measured:
    """Milliseconds; each call of one program at the place of the same call of the others."""

    start: float = 0.0
    first: float = 0.0
    captures: list[float] = field(default_factory=list)
    queries: list[float] = field(default_factory=list)
    soon: list[float] = field(default_factory=list)
    paused: list[float] = field(default_factory=list)
    found: Counter[str] = field(default_factory=Counter)
    memory: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    query: str
    number: int


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--notes", type=int, nargs="+", default=NOTES)
    options.add_argument("--captures", type=int, default=CAPTURES)
    options.add_argument("--questions", type=int, default=QUESTIONS, help="of each kind")
    options.add_argument("--pauses", type=int, default=PAUSES, help=f"of {PAUSE} s (default {PAUSES})")
    options.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    options.add_argument("--hook-rounds", type=int, default=HOOK_ROUNDS, help="0 leaves the hooks out")
    chosen = options.parse_args()
    print(__doc__)
    for size in chosen.notes:
        with tempfile.TemporaryDirectory(prefix="autology-peers-", ignore_cleanup_errors=True) as folder:
            report(size, measure(Path(folder), size, chosen))
    if chosen.hook_rounds:
        with tempfile.TemporaryDirectory(prefix="autology-peers-", ignore_cleanup_errors=True) as folder:
            measure_hooks(Place(Path(folder), HOOK_CHUNKS), chosen.hook_rounds)
    return 0


def measure(folder: Path, size: int, chosen: argparse.Namespace) -> dict[str, Measured]:
    """Measure the programs, each with *size* notes."""
    chance = random.Random(size)
    notes = [Note(f"{text(chance, 4)} n{number}x", text(chance, 200, COMMON)) for number in range(size)]
    more = [Note(f"{text(chance, 4)} n{size + at}x", text(chance, 200, COMMON)) for at in range(chosen.captures)]
    queries = questions(notes, chosen.questions + 2 * chosen.pauses, chance)
    measured = {name: Measured() for name in chosen.programs}
    stores = started(folder, notes, measured, queries[0])
    for note in more:
        for name, store in stores.items():
            measured[name].captures.append(milliseconds(lambda: store.write(note)))  # noqa: B023 - called at once
    for question in queries[: 2 * chosen.questions]:
        for name, store in stores.items():
            measured[name].queries.append(milliseconds(lambda: store.search(question.query)))  # noqa: B023
            measured[name].found[question.kind] += among_first(question.number, store.answer)
    pause(stores, measured, queries[2 * chosen.questions :][: 3 * chosen.pauses])
    for name, store in stores.items():
        measured[name].memory = store.memory()
        store.close()
    return {name: measured[name] for name in stores}


def started(folder: Path, notes: Sequence[Note], measured: dict[str, Measured], question: Question) -> dict[str, Store]:
    """Fill and open the programs; leave out, and say so, which cannot be run."""
    stores = {}
    for number, name in enumerate(measured):
        print(f"{len(notes):,} notes: setting up {name} …", file=sys.stderr)
        try:
            store = PROGRAMS[name](folder / str(number) / "store")
            if store.most and len(notes) > store.most:
                raise RuntimeError(f"it is measured with {store.most} notes at most")
            store.fill(notes)
            store.open()
            store.search(question.query)  # compiled, set up and indexed: the next start is as every other
            store.settle()
            store.close()
            measured[name].start = milliseconds(store.open)
            measured[name].first = measured[name].start + milliseconds(lambda: store.search(question.query))  # noqa: B023
            if not NUMBER.search(store.answer):
                raise RuntimeError("it does not find what it was filled with")
            stores[name] = store
        except (RuntimeError, OSError, ValueError) as problem:  # The last: what it said is no JSON.
            print(f"{name} was not run with {len(notes):,} notes: {problem}\n")
    return stores


def pause(stores: dict[str, Store], measured: dict[str, Measured], queries: Sequence[Question]) -> None:
    """Ask right after a question, and after a pause."""
    for first, soon, later in zip(queries[::3], queries[1::3], queries[2::3], strict=False):
        for name, store in stores.items():
            store.search(first.query)
            measured[name].soon.append(milliseconds(lambda: store.search(soon.query)))  # noqa: B023 - called at once
        time.sleep(PAUSE)
        for name, store in stores.items():
            measured[name].paused.append(milliseconds(lambda: store.search(later.query)))  # noqa: B023


def questions(notes: Sequence[Note], pairs: int, chance: random.Random) -> list[Question]:
    """Return so many pairs of a phrase and of rare words of a note."""
    containing = Counter(word for note in notes for word in set(note.body.split()))
    queries = []
    for _ in range(pairs):
        number = chance.randrange(len(notes))
        words = notes[number].body.split()
        rare = sorted(set(words), key=lambda word: (containing[word], word))[:12]
        at = chance.randrange(len(words) - 4)
        queries.append(Question("phrase", " ".join(words[at : at + 4]), number))
        queries.append(Question("words", " ".join(chance.sample(rare, 3)), number))
    return queries


def among_first(number: int, answer: str) -> bool:
    """Return whether the note with this *number* is among the first ten that *answer* names, by title or file name."""
    return str(number) in list(dict.fromkeys(NUMBER.findall(answer)))[:SHOWN]


def report(size: int, measured: dict[str, Measured]) -> None:
    print(f"\n### {size:,} notes of 200 words\n")
    calls = "capture 50 / 95", "×", "query 50 / 95", "×", "after a pause, × without"
    heads = "start / first answer", *calls, "found: phrase / words", "MB now / at most"
    print(f"| | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
    base = measured.get(PROTOTYPE)
    for name, each in measured.items():
        found = " / ".join(f"{each.found[kind] * 2 / len(each.queries):.2f}" for kind in ("phrase", "words"))
        paused = statistics.median(each.paused) if each.paused else 0.0
        cells = [
            f"{each.start:,.0f} / {each.first:,.0f}",
            spread(each.captures),
            ratio(each, base, lambda of: of.captures),
            spread(each.queries),
            ratio(each, base, lambda of: of.queries),
            f"{paused:,.1f}, {paused / statistics.median(each.soon):.2f}" if each.paused else "",
            found,
            " / ".join(f"{megabytes:,.0f}" for megabytes in each.memory) if each.memory[0] else "",
        ]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def spread(values: list[float]) -> str:
    return f"{statistics.median(values):,.1f} / {sorted(values)[int(len(values) * 0.95)]:,.1f}"


def ratio(each: Measured, base: Measured | None, calls: Callable[[Measured], list[float]]) -> str:
    """Return the median over the calls of the ratio to those of *base*."""
    if base is None:
        return ""
    return f"{statistics.median(one / other for one, other in zip(calls(each), calls(base), strict=True)):.1f}"


if __name__ == "__main__":
    sys.exit(main())
