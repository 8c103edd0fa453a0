"""The processor time of graph algorithms: a path, a neighbourhood, communities, measures, the projection.

A graph of 100,000 nodes and 500,000 links, some linked far more than others; communities in one of 20,000 nodes.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "server"))

from autology.graphs import communities, importance, paths, shape  # noqa: E402
from autology.graphs.network import Network, network  # noqa: E402

NODES, LINKS = 100_000, 500_000
GROUPED = 20_000
CALLS = 300
BUDGETS = {"find_path p95": 5.0, "neighbourhood p95": 2.0, "communities of 20,000": 2_000.0}
"""Milliseconds."""


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--projection", type=int, default=2_000, help="documents to project, 8 links each")
    chosen = options.parse_args()
    chance = random.Random(1)
    times: dict[str, float] = {}
    told = list(scattered(chance, NODES, LINKS))
    graph, times["building 100,000 nodes"] = taken(lambda: network(told, map(name, range(NODES))))
    measured(times, graph, chance)
    grouped = network(gathered(chance, GROUPED, 5 * GROUPED), map(name, range(GROUPED)))
    found, times["communities of 20,000"] = taken(lambda: communities.communities(grouped))
    print(f"{len(found)} communities, modularity {communities.modularity(grouped, found):.3f}")
    times["projection of an index"] = projected(chosen.projection)
    return report(times, chosen.projection)


def measured(times: dict[str, float], graph: Network, chance: random.Random) -> None:
    ways, near = [], []
    lengths = []
    for _ in range(CALLS):
        start, goal = chance.randrange(len(graph)), chance.randrange(len(graph))
        way, took = taken(lambda start=start, goal=goal: paths.shortest(graph, start, goal, 20))
        lengths.append(len(way or ()))
        ways.append(took)
        near.append(taken(lambda start=start: paths.around(graph, start, 2, 1_000))[1])
    print(f"{graph.arcs:,} links; paths of {statistics.mean(lengths):.1f} steps, the longest {max(lengths)}")
    times["find_path p50"], times["find_path p95"] = statistics.median(ways), sorted(ways)[int(CALLS * 0.95)]
    times["neighbourhood p50"], times["neighbourhood p95"] = statistics.median(near), sorted(near)[int(CALLS * 0.95)]
    for measure in (shape.components, shape.density, shape.bridges, importance.pagerank, importance.betweenness):
        times[f"{measure.__name__} of 100,000"] = taken(lambda measure=measure: measure(graph))[1]


def projected(documents: int) -> float:
    """Return the milliseconds for putting the graph of that many documents together from their index."""
    from autology.core.atlas.atlas import chart
    from autology.wire.project import Project

    chance = random.Random(2)
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as folder:
        docs = Path(folder) / "docs"
        docs.mkdir()
        for number in range(documents):
            links = " ".join(f"[[page-{chance.randrange(documents)}]]" for _ in range(8))
            (docs / f"page-{number}.md").write_text(
                f"# Page {number}\n\n{links} #tag-{number % 40}\n", encoding="utf-8"
            )
        library = Project(folder).library
        library.refresh()
        return taken(lambda: chart(library.graph.index))[1]


def scattered(chance: random.Random, size: int, links: int) -> Iterator[tuple[str, str, str]]:
    for _ in range(links):
        yield name(chance.randrange(size)), chance.choice("abcdef"), name(int(size * chance.random() ** 2))


def gathered(chance: random.Random, size: int, links: int) -> Iterator[tuple[str, str, str]]:
    """Yield links seven of ten of which stay within a group of a hundred."""
    for _ in range(links):
        group = 100 * chance.randrange(size // 100)
        inside = chance.random() < 0.7
        one, other = ((group + chance.randrange(100)) if inside else chance.randrange(size) for _ in range(2))
        yield name(one), "a", name(other)


def name(number: int) -> str:
    return f"n{number:06}"


def taken(act: Callable[[], object]) -> tuple[object, float]:
    begun = time.process_time()
    done = act()
    return done, (time.process_time() - begun) * 1000


def report(times: dict[str, float], documents: int) -> int:
    print(f"the index held {documents:,} documents\n| what | ms | budget |\n|---|---|---|")
    for what, took in times.items():
        print(f"| {what} | {took:,.2f} | {BUDGETS.get(what, '')} |")
    missed = [what for what, budget in BUDGETS.items() if times[what] > budget]
    for what in missed:
        print(f"missed: {what} takes {times[what]:.2f} ms; the budget is {BUDGETS[what]:g}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
