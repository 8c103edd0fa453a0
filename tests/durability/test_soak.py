"""Two servers and a watcher on one project that is edited all the while: in the end all of them answer alike."""

from __future__ import annotations

import json
import os
import queue
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.plugin.fronts import command, environment
from tests.plugin.served import PATIENCE, Served, served, text
from tests.unit.cli_kit import git, repository

SECONDS = float(os.environ.get("AUTOLOGY_SOAK_SECONDS", "20"))
"""How long it is edited; ten minutes are 600."""
WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north otter plume".split()
TITLES = [f"{one} {other}".title() for one in WORDS[:8] for other in WORDS[8:]]
LEAST = 20
"""Times that each of them does something, however long it takes."""
MOST = 80
"""Documents at once, so that every answer holds all that there is to find."""
EXPECTED = ("not found", "Not found", "changed since", "exists", "already", "was removed", "File not found")
"""What a call may be refused with: somebody else was quicker."""
ACTS = ["search"] * 6 + "capture update relate delete create tag discard edit".split()


def test_two_servers_and_a_watcher_answer_alike_after_all_edits(quick_path: Path) -> None:
    root = quick_path / "project"
    (root / "docs").mkdir(parents=True)
    (root / ".autology").mkdir()
    repository(root)
    with ExitStack() as stack:
        servers = [stack.enter_context(served(root)) for _ in range(2)]
        for server in servers:
            server.greet()
        watcher = stack.enter_context(watching(root))
        watcher.begun(root)
        until = time.monotonic() + SECONDS
        work = [Editor(root, random.Random(1)).step]
        work += [Caller(server, random.Random(seed)).step for seed, server in enumerate(servers, 2)]
        steps = at_once(work, until)
        # This one is right by itself: it has seen nothing but the files as they are in the end.
        fresh = quick_path / "fresh"
        shutil.copytree(root, fresh, ignore=shutil.ignore_patterns("cache", "graph", ".git"))
        with served(fresh) as server:
            server.greet()
            expected = server_status(server, fresh)
        answers = [settled(partial(server_status, server, root), expected) for server in servers]
        result = settled(watcher.files, files_of(root))
        watcher.end()
    print(f"{SECONDS:.0f} s: {steps[0]} edits of files, {steps[1] + steps[2]} calls, {len(result)} files in the end")
    assert len(expected) > 30
    for question, answer in expected.items():
        assert answers[0][question] == answer, question
        assert answers[1][question] == answer, question
    assert result == files_of(root)


# ---- what is edited ----------------------------------------------------------------------------------------


class Editor:
    """A person with an editor and git: writes, saves over, renames and removes documents."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self._root, self._dice = root, dice
        self._name = 0

    def step(self) -> None:
        there = sorted((self._root / "docs").rglob("*.md"))
        if len(there) < 10:
            self._write(self._new())
        else:
            acts: list[Callable[[list[Path]], None]] = [
                self._add,
                self._save_in_place,
                self._save_beside,
                self._rename,
                self._remove,
                self._move_folder,
                self._checkout,
            ]
            self._dice.choices(acts, [4, 4, 4, 2, 2 + len(there) // 10, 1, 1])[0](there)
        time.sleep(self._dice.choice((0.0, 0.01, 0.1)))

    def _add(self, there: list[Path]) -> None:
        if len(there) < MOST:
            self._write(self._new())

    def _save_in_place(self, there: list[Path]) -> None:
        self._write(self._dice.choice(there))

    def _save_beside(self, there: list[Path]) -> None:
        path = self._dice.choice(there)
        beside = path.with_name(".beside.tmp")
        beside.write_text(self._text(), encoding="utf-8")
        if path.exists():
            beside.replace(path)

    def _rename(self, there: list[Path]) -> None:
        path = self._dice.choice(there)
        path.rename(self._new())

    def _remove(self, there: list[Path]) -> None:
        self._dice.choice(there).unlink()

    def _move_folder(self, there: list[Path]) -> None:
        folder = self._dice.choice(there).parent
        if folder != self._root / "docs":
            folder.rename(self._root / "docs" / f"moved-{self._number()}")

    def _checkout(self, there: list[Path]) -> None:
        """Commit what there is, remove half of it, and have git bring it back."""
        try:
            git(self._root, "add", "docs")
        except subprocess.CalledProcessError:  # a file went away while git looked at it
            return
        git(self._root, "commit", "-q", "--allow-empty", "-m", "so far")
        for path in self._dice.sample(there, len(there) // 2):
            path.unlink(missing_ok=True)
        git(self._root, "checkout", "-q", "--", "docs")

    def _new(self) -> Path:
        folder = self._dice.choice(["", "guides", f"deep/{self._dice.choice(WORDS)}"])
        path = self._root / "docs" / folder / f"{self._dice.choice(WORDS)}-{self._number()}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _number(self) -> int:
        self._name += 1
        return self._name

    def _write(self, path: Path) -> None:
        path.write_text(self._text(), encoding="utf-8")

    def _text(self) -> str:
        return f"# {self._dice.choice(TITLES)} {self._number()}\n\n{sentences(self._dice)}\n"


class Caller:
    """A session: captures, updates, relates and deletes nodes, makes and tags documents, and searches."""

    def __init__(self, server: Served, dice: random.Random) -> None:
        self._server, self._dice = server, dice

    def step(self) -> None:
        dice = self._dice
        act = dice.choice(
            ["search"] * 6 + ["capture", "update", "relate", "delete", "create", "tag", "discard", "edit"]
        )
        nodes = [hit["node"]["id"] for hit in self._call("autology_query", query=dice.choice(WORDS))["results"]]
        documents = self._documents()
        title = f"{dice.choice(TITLES)} {dice.randrange(1_000_000)}"
        if act == "search":
            self._call("autology_query", query=sentences(dice))
        elif act == "capture" and len(nodes) < 8:
            self._call("autology_capture", title=title, content=sentences(dice), type=dice.choice(["concept", "issue"]))
        elif act == "create" and len(documents) < 20:
            self._call("create_document", path=f"docs/made/{dice.randrange(1_000_000)}.md", content=f"# {title}\n")
        elif nodes and act == "update":
            self._call("autology_update", id=dice.choice(nodes), content=sentences(dice))
        elif len(nodes) > 1 and act == "relate":
            one, other = dice.sample(nodes, 2)
            self._call("autology_relate", source=one, target=other, type=dice.choice(["uses", "affects"]))
        elif len(nodes) > 3 and act == "delete":
            self._call("autology_delete", id=dice.choice(nodes))
        elif documents and act == "tag":
            self._call("inject_tags", file_path=f"docs/{dice.choice(documents)}.md", tags=[dice.choice(WORDS)])
        elif documents and act == "edit":
            self._call("update_document", id=dice.choice(documents), content=f"# {title}\n\n{sentences(dice)}\n")
        elif len(documents) > 8 and act == "discard":
            self._call("delete_document", id=dice.choice(documents))
        time.sleep(dice.choice((0.0, 0.02)))

    def _documents(self) -> list[str]:
        hits = self._call("search_documents", query=self._dice.choice(WORDS))
        return [hit["id"] for hit in hits if "-" not in hit["id"] or "/" in hit["id"]]

    def _call(self, tool: str, **arguments: object) -> Any:
        result = self._server.call(tool, **arguments)
        # What could not be read in passing is told beside the answer; in the end nothing of it may be left.
        content = result["content"][0]["text"]
        if result.get("isError"):
            assert any(sign in content for sign in EXPECTED), f"{tool} {arguments}: {content}"
            return {"results": []}
        if "structuredContent" in result:
            return result["structuredContent"]
        return json.loads(content) if content.startswith(("[", "{")) else content


def sentences(dice: random.Random) -> str:
    words = dice.choices(WORDS, k=dice.randrange(3, 60))
    return " ".join(words) + f" [[{dice.choice(WORDS)}-{dice.randrange(40)}]] [[{dice.choice(TITLES)}]]"


def at_once(work: list[Callable[[], None]], until: float) -> list[int]:
    """Do each of *work* again and again, side by side, until the time has come; return how often, `LEAST` at least."""
    steps = [0] * len(work)
    failed: list[BaseException] = []

    def again(number: int) -> None:
        try:
            while (time.monotonic() < until or steps[number] < LEAST) and not failed:
                work[number]()
                steps[number] += 1
        except FileNotFoundError as error:  # a call of the servers took the file away
            steps[number] += 1
            again(number)
            del error
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=again, args=(number,)) for number in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    return steps


def settled(look: Callable[[], Any], expected: Any) -> Any:
    """Return what *look* finds once that is what is *expected*, or else in the end."""
    until = time.monotonic() + PATIENCE
    while (result := look()) != expected and time.monotonic() < until:
        time.sleep(0.2)
    return result


# ---- what is told --------------------------------------------------------------------------------------------


def server_status(server: Served, root: Path) -> dict[str, Any]:
    """All that a server answers: every word by both searches, every document's links, the counts."""
    answers: dict[str, Any] = {}
    for query in [*WORDS, *TITLES[:8], "amber birch cedar delta", "where does the otter north of the marsh live"]:
        answer = server.call("search_documents", query=query, limit=100)
        answers[f"documents: {query}"] = json.loads(text(answer))
        answer = server.call("autology_query", query=query, limit=100, detail="full")
        answers[f"nodes: {query}"] = answer["structuredContent"]["results"]
    for path in files_of(root):
        if path.startswith("docs/"):
            answer = server.call("explore_links", id=path, direction="both")
            answers[f"links: {path}"] = json.loads(text(answer))
    status = server.call("autology_status")["structuredContent"]
    answers["status"] = {key: value for key, value in status.items() if key not in ("index", "degraded")}
    answers["structure"] = server.call("list_directory_structure", counts=True, depth=4)["content"]
    return answers


def files_of(root: Path) -> set[str]:
    """The project's documents and nodes."""
    folders = (root / "docs", root / ".autology" / "nodes")
    return {path.relative_to(root).as_posix() for folder in folders for path in folder.rglob("*.md")}


class Watcher:
    """``autology watch`` and what it has told."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self._there: set[str] = set()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def begun(self, root: Path) -> None:
        """Wait until it looks: what it finds in the beginning it does not tell."""
        until = time.monotonic() + PATIENCE
        first: list[Path] = []
        while not self.files():
            assert time.monotonic() < until, "it tells nothing"
            first.append(root / "docs" / f"first-{len(first)}.md")
            first[-1].write_text("# First\n", encoding="utf-8")
            time.sleep(0.5)
        for path in first:
            path.unlink()

    def files(self) -> set[str]:
        """Return the files that there are by what it told so far."""
        while not self._lines.empty():
            change = json.loads(self._lines.get())
            (self._there.discard if change["change"] == "removed" else self._there.add)(change["path"])
        return set(self._there)

    def end(self) -> None:
        """End it as Ctrl-C does."""
        self._process.send_signal(signal.SIGINT)
        assert self._process.wait(PATIENCE) == 0
        self._reader.join(PATIENCE)

    def _read(self) -> None:
        assert self._process.stdout
        with self._process.stdout as output:
            for line in output:
                self._lines.put(line)


@contextmanager
def watching(root: Path) -> Iterator[Watcher]:
    process = subprocess.Popen(
        command("watch", "--json", "--every", "0.5"),
        cwd=root,
        env=environment(),
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        yield Watcher(process)
    finally:
        process.kill()
        process.wait(PATIENCE)
