"""The cost of search, reading, links, folders and tags over MCP in a vault of 2,000 documents, or any number.

The budgets are medians at 10,000 documents with a server that is warm.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from client import EXECUTABLE, ROOT, Server, apart, serving
from knowledge import WORDS

VOCABULARY = 20_000
COMMON = 50
"""Words so frequent that nobody asks for them."""
DOCUMENTS, CALLS = 2_000, 100
BUDGETS = {
    "search_documents": 50.0,
    "read_node_content": 5.0,
    "explore_links": 5.0,
    "list_directory_structure": 1.0,
    "inject_tags": 10.0,
}
LINKS = 8


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--documents", type=int, default=DOCUMENTS, help=f"how many (default {DOCUMENTS})")
    options.add_argument("--calls", type=int, default=CALLS, help=f"calls of each tool (default {CALLS})")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="autology-bench-") as name:
        vault = Path(name) / "vault"
        names = write_vault(vault, chosen.documents)
        server = serve(vault, Path(name))
        begun = time.perf_counter()
        server.call("search_documents", query="first")
        print(f"first search, {chosen.documents:,} documents to index: {time.perf_counter() - begun:.1f} s")
        times = measure(server, names, chosen.calls)
        server.close()
    return report(times)


def text(chance: random.Random, words: int, rarest: bool = False) -> str:
    """Return words as they are spread in real text: the second half as often as the first, and so on."""
    low = COMMON if rarest else 1
    ranks = (int(low * (VOCABULARY / low) ** chance.random()) for _ in range(words))
    return " ".join(f"{WORDS[rank % len(WORDS)]}{WORDS[rank // len(WORDS)]}" for rank in ranks)


def write_vault(vault: Path, size: int) -> list[str]:
    """Write documents that link to each other; return their ids."""
    chance = random.Random(size)
    names = [f"area-{number % 100}/note-{number}" for number in range(size)]
    for number, name in enumerate(names):
        links = [f"[[note-{chance.randrange(size)}]]" for _ in range(LINKS)]
        paragraphs = [f"{text(chance, 50)} {link}." for link in links]
        front = f"---\ntags: [kind-{number % 7}]\n---\n"
        path = vault / "docs" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = f"{front}# {text(chance, 3)} {number}\n\n" + "\n\n".join(paragraphs) + "\n"
        path.write_text(whole, encoding="utf-8")
    return names


def serve(vault: Path, folder: Path) -> Server:
    """Return a server on a vault; from its source where nothing is built."""
    command = serving() if EXECUTABLE.exists() else [sys.executable, "-m", "autology", "serve"]
    return Server(
        command, vault, {**apart(folder), "CLAUDE_PROJECT_DIR": str(vault), "PYTHONPATH": str(ROOT / "server")}
    )


def measure(server: Server, names: list[str], calls: int) -> dict[str, list[float]]:
    chance = random.Random(1)
    times: dict[str, list[float]] = {}
    for number in range(calls + 5):
        name = chance.choice(names)
        took = {
            "search_documents": server.call("search_documents", query=text(chance, 3, rarest=True)),
            "read_node_content": server.call("read_node_content", id=name),
            "explore_links": server.call("explore_links", id=name, direction="both"),
            "list_directory_structure": server.call("list_directory_structure"),
            "inject_tags": server.call("inject_tags", file_path=f"docs/{name}.md", tags=[f"RUN: {number}"]),
        }
        if number >= 5:  # the first calls warm caches up
            for tool, milliseconds in took.items():
                times.setdefault(tool, []).append(milliseconds)
    return times


def report(times: dict[str, list[float]]) -> int:
    print("| call | p50 ms | p95 ms | budget p50 |\n|---|---|---|---|")
    missed = []
    for tool, taken in times.items():
        median = statistics.median(taken)
        print(f"| {tool} | {median:.2f} | {sorted(taken)[int(len(taken) * 0.95)]:.2f} | {BUDGETS[tool]:g} |")
        if median > BUDGETS[tool]:
            missed.append(f"{tool} takes {median:.2f} ms; the budget is {BUDGETS[tool]:g}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
