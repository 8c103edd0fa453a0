"""Servers killed at random moments of thousands of writes: what was acknowledged is there, once, and nothing else."""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.durability.model import Note, State, leftovers, on_disk
from tests.plugin.fronts import command, environment
from tests.plugin.served import PATIENCE, Served, text

WRITES = int(os.environ.get("AUTOLOGY_SOAK_WRITES", "80"))
"""Acknowledged writes; the full size is 2,000."""
KILLED = 1 / 8
"""Share of the writes during which, or after which, the process that does it is killed."""
WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll larch marsh north otter plume".split()
KINDS = ("uses", "affects", "relates_to", "depends_on")
posix = pytest.mark.skipif(os.name == "nt", reason="a process that is killed there takes its pipes with it otherwise")

Act = Callable[[], "Attempt"]


class Attempt:
    """A write that was begun: *after* returns the state once it is done, given what was answered."""

    def __init__(self, by: Killable, begin: Callable[[], object], after: Callable[[State, Any], State], name: str):
        self.by, self.begin, self.after, self.name = by, begin, after, name


class Killable:
    """A process that writes when asked to: asked, killed, and begun again. A write *took* so many seconds lately."""

    took = 0.02

    def answer(self, begun: object, seconds: float = PATIENCE) -> Any:
        """Return what was answered, None if the process was killed before that. A refusal is a failure."""
        raise NotImplementedError

    def kill(self) -> None:
        """End it as `kill -9` does."""
        raise NotImplementedError

    def again(self) -> None:
        """Begin it again."""
        raise NotImplementedError


class Tools(Killable):
    """The MCP server."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.again()

    def again(self) -> None:
        self.server = Served(self._root, {**os.environ, "AUTOLOGY_DETACH": "off"})
        self.server.greet()

    def begin(self, tool: str, **arguments: object) -> int:
        return self.server.begin_call(tool, **arguments)

    def answer(self, begun: object, seconds: float = PATIENCE) -> Any:
        try:
            # Of one that was killed, all that it said was read as it ended.
            message = self.server.answer(begun, seconds if self.server.process.poll() is None else 0)
        except AssertionError:
            if self.server.process.poll() is None:
                raise
            return None
        result = message["result"]
        content = text(result)
        assert not result.get("isError"), content
        if "structuredContent" in result:
            results = result["structuredContent"]
            assert not results.get("errors"), results
            return results
        return content

    def kill(self) -> None:
        self.server.process.kill()
        self.server.ended()
        if self.server.process.stdin:
            self.server.process.stdin.close()


class Page(Killable):
    """The local page's server, the only one that restores and merges nodes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.again()

    def again(self) -> None:
        self.process = subprocess.Popen(
            command("web", "--no-open", "--json"),
            cwd=self._root,
            env={**environment(), "AUTOLOGY_DETACH": "off"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self.process.stdout
        url = json.loads(self.process.stdout.readline())["url"]
        place, _, token = url.partition("/#enter=")
        self._place = place.removeprefix("http://")
        self._key = ""
        self._key = self._ask("enter", {"token": token})["key"]

    def begin(self, call: str, **given: object) -> list[Any]:
        done: list[Any] = []

        def ask() -> None:
            try:
                done.append(self._ask(call, given))
            except (OSError, http.client.HTTPException, ValueError):
                done.append(None)

        thread = threading.Thread(target=ask)
        thread.start()
        return [thread, done]

    def answer(self, begun: object, seconds: float = PATIENCE) -> Any:
        assert isinstance(begun, list)
        thread, done = begun
        thread.join(seconds)
        answer = done[0]
        assert answer is not None or self.process.poll() is not None, "it answered nothing"
        if answer is not None:
            assert "error" not in answer, answer
        return answer

    def ask(self, call: str, **given: object) -> Any:
        return self._ask(call, given)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(PATIENCE)
        if self.process.stdout:
            self.process.stdout.close()

    def _ask(self, call: str, given: dict[str, Any]) -> Any:
        link = http.client.HTTPConnection(self._place, timeout=PATIENCE)
        headers = {"Origin": f"http://{self._place}", "Content-Type": "application/json"}
        link.request("POST", f"/api/{call}", json.dumps(given), {**headers, "Authorization": f"Bearer {self._key}"})
        try:
            return json.loads(link.getresponse().read())
        finally:
            link.close()


class Commands(Killable):
    """One command after another: restoring documents and memories."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._running: subprocess.Popen[bytes] | None = None

    def again(self) -> None:
        self._running = None

    def begin(self, *words: str) -> subprocess.Popen[bytes]:
        env = {**environment(), "AUTOLOGY_DETACH": "off"}
        self._running = subprocess.Popen(
            command(*words, "--json"), cwd=self._root, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        return self._running

    def answer(self, begun: object, seconds: float = PATIENCE) -> Any:
        assert isinstance(begun, subprocess.Popen)
        out, complaints = begun.communicate(timeout=seconds)
        if begun.returncode == -9:
            return None
        assert begun.returncode == 0, (out, complaints)
        return json.loads(out)

    def kill(self) -> None:
        if self._running:
            self._running.kill()


# ---- what is written -----------------------------------------------------------------------------------------


class Work:
    """Writes of all kinds, chosen at random among those that the state allows."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root, self.dice = root, dice
        self.tools, self.page, self.commands = Tools(root), Page(root), Commands(root)
        self.state = State()
        self._number = 0

    def end(self) -> None:
        for each in (self.tools, self.page, self.commands):
            each.kill()

    def attempt(self) -> Attempt:
        s = self.state
        acts: list[tuple[Callable[[], Attempt], float, bool]] = [
            (self._capture, 4, len(s.notes) < 60),
            (self._update, 3, bool(s.notes)),
            (self._relate, 4, len(s.notes) > 1),
            (self._unrelate, 2, any(note.relations for note in s.notes.values())),
            (self._delete, 2, len(s.notes) > 4),
            (self._restore, 2, bool(s.gone_notes)),
            (self._combine, 2, len(s.notes) > 4),
            (self._create, 3, len(s.documents) < 40),
            (self._edit, 3, bool(s.documents)),
            (self._rename, 2, bool(s.documents)),
            (self._tag, 2, bool(s.documents)),
            (self._discard, 1, len(s.documents) > 3),
            (self._bring_back, 0.7, bool(s.gone_documents)),
            (self._remember, 4, len(s.memories) < 60),
            (self._change, 2, bool(s.memories)),
            (self._forget, 2, len(s.memories) > 3),
            (self._recall, 0.7, bool(s.gone_memories)),
        ]
        open_acts = [(act, weight) for act, weight, possible in acts if possible]
        [act] = self.dice.choices([act for act, _ in open_acts], [weight for _, weight in open_acts])
        return act()

    # ---- nodes -----------------------------------------------------------------------------------

    def _capture(self) -> Attempt:
        title, content, tags = self._title("Note"), self._words(), self._tags()
        note = Note(title, content, frozenset(tags))
        return self._by_tool(
            "autology_capture",
            lambda state, told: state.captured(told["id"] if told else self._id_of(title), note),
            title=title, content=content, type="concept", tags=tags,
        )  # fmt: skip

    def _update(self) -> Attempt:
        id, content, tags = self._one(self.state.notes), self._words(), self._tags()
        after = lambda state, told: state.updated(id, content, frozenset(tags))  # noqa: E731
        return self._by_tool("autology_update", after, id=id, content=content, tags=tags)

    def _relate(self) -> Attempt:
        source, target = self.dice.sample(sorted(self.state.notes), 2)
        kind = self.dice.choice(KINDS)
        after = lambda state, told: state.related(source, kind, target)  # noqa: E731
        return self._by_tool("autology_relate", after, source=source, target=target, type=kind)

    def _unrelate(self) -> Attempt:
        source = self._one({id: note for id, note in self.state.notes.items() if note.relations})
        kind, target = self.dice.choice(sorted(self.state.notes[source].relations))
        after = lambda state, told: state.unrelated(source, kind, target)  # noqa: E731
        return self._by_tool("autology_unrelate", after, source=source, target=target, type=kind)

    def _delete(self) -> Attempt:
        id = self._one(self.state.notes)
        return self._by_tool("autology_delete", lambda state, told: state.deleted(id), id=id)

    def _restore(self) -> Attempt:
        id = self._one(self.state.gone_notes)
        begin = lambda: self.page.begin("restore", id=id)  # noqa: E731
        return Attempt(self.page, begin, lambda state, told: state.restored(id), "restore")

    def _combine(self) -> Attempt:
        kept, other = self.dice.sample(sorted(self.state.notes), 2)
        versions = [self.page.ask("opened", id=id)["version"] for id in (kept, other)]
        begin = lambda: self.page.begin("combine", target=kept, source=other, versions=versions)  # noqa: E731
        return Attempt(self.page, begin, lambda state, told: state.combined(kept, other), "combine")

    # ---- documents -------------------------------------------------------------------------------

    def _create(self) -> Attempt:
        path = f"docs/{self.dice.choice(WORDS)}-{self._next()}.md"
        content = f"# {self._title('Document')}\n\n{self._words()}\n"
        after = lambda state, told: state.written(path, content)  # noqa: E731
        return self._by_tool("create_document", after, path=path, content=content)

    def _edit(self) -> Attempt:
        path, content = self._one(self.state.documents), f"# {self._title('Document')}\n\n{self._words()}\n"
        after = lambda state, told: state.written(path, content)  # noqa: E731
        return self._by_tool("update_document", after, id=path, content=content)

    def _rename(self) -> Attempt:
        path, new = self._one(self.state.documents), f"docs/deep/{self.dice.choice(WORDS)}-{self._next()}.md"
        after = lambda state, told: state.renamed(path, new)  # noqa: E731
        return self._by_tool("update_document", after, id=path, rename_to=new)

    def _tag(self) -> Attempt:
        path, tag = self._one(self.state.documents), f"tag-{self._next()}"

        def after(state: State, told: object) -> State:
            # Where in the file tags are put is told by another test; here it counts that all the rest stays.
            now = (self.root / path).read_bytes().decode()
            body = state.documents[path].partition("<!--")[0].rstrip("\n")
            assert now.startswith(body), now
            return state.written(path, now) if tag in now else state.written(path, "without the tag")

        return self._by_tool("inject_tags", after, file_path=path, tags=[tag])

    def _discard(self) -> Attempt:
        path = self._one(self.state.documents)
        return self._by_tool("delete_document", lambda state, told: state.discarded(path), id=path)

    def _bring_back(self) -> Attempt:
        path = self._one(self.state.gone_documents)
        begin = lambda: self.commands.begin("restore", path)  # noqa: E731
        return Attempt(self.commands, begin, lambda state, told: state.brought_back(path), "restore a document")

    # ---- memories --------------------------------------------------------------------------------

    def _remember(self) -> Attempt:
        id, content = f"memory-{self._next()}", self._words()
        item = {"kind": "observation", "id": id, "content": content}
        return self._by_tool("memory_store", lambda state, told: state.remembered(id, content), items=[item])

    def _change(self) -> Attempt:
        id, content = self._one(self.state.memories), self._words()
        after = lambda state, told: state.remembered(id, content)  # noqa: E731
        return self._by_tool("memory_store", after, items=[{"id": id, "content": content}])

    def _forget(self) -> Attempt:
        id = self._one(self.state.memories)
        after = lambda state, told: state.forgotten(id)  # noqa: E731
        return self._by_tool("memory_store", after, items=[{"id": id, "delete": True}])

    def _recall(self) -> Attempt:
        id = self._one(self.state.gone_memories)
        begin = lambda: self.commands.begin("restore", id)  # noqa: E731
        return Attempt(self.commands, begin, lambda state, told: state.recalled(id), "restore a memory")

    # ---- helpers ---------------------------------------------------------------------------------

    def _by_tool(self, tool: str, after: Callable[[State, Any], State], **arguments: object) -> Attempt:
        if tool == "memory_store":
            arguments["dedupe"] = "off"
        return Attempt(self.tools, lambda: self.tools.begin(tool, **arguments), after, tool)

    def _id_of(self, title: str) -> str:
        result = on_disk(self.root)["notes"]
        assert isinstance(result, dict)
        return next((id for id, note in result.items() if note.title == title), "not there")

    def _one(self, among: Any) -> str:
        return self.dice.choice(sorted(among))

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _title(self, what: str) -> str:
        return f"{what} {self._next()} {self.dice.choice(WORDS)}"

    def _words(self) -> str:
        return " ".join(self.dice.choices(WORDS, k=self.dice.randint(3, 200))) + f" {self._next()}."

    def _tags(self) -> list[str]:
        return sorted(self.dice.sample(WORDS, self.dice.randint(0, 3)))


# ---- the test ------------------------------------------------------------------------------------------------


@contextmanager
def working(root: Path, dice: random.Random) -> Iterator[Work]:
    (root / "docs").mkdir(parents=True)
    (root / ".autology").mkdir()
    # A relation that a title makes by itself would be one that the model knows nothing of.
    (root / ".autology" / "config.yaml").write_text("relations_automatic: 1\n", encoding="utf-8")
    work = Work(root, dice)
    try:
        yield work
    finally:
        work.end()


@posix
def test_servers_killed_at_random_lose_and_double_nothing_that_was_acknowledged(
    quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTOLOGY_MEMORY_PURGE", "false")
    monkeypatch.setenv("AUTOLOGY_AUDIT", "true")
    dice = random.Random(20260208)
    acknowledged = between = within = undone = 0
    with working(quick_path / "project", dice) as work:
        while acknowledged < WRITES:
            attempt = work.attempt()
            killed = dice.random() < KILLED
            before, begun = work.state, time.monotonic()
            request = attempt.begin()
            if not killed:
                results = attempt.by.answer(request)
                attempt.by.took = 0.8 * attempt.by.took + 0.2 * (time.monotonic() - begun)
                work.state = attempt.after(before, results)
                acknowledged += 1
                continue
            if dice.random() < 0.2:  # right behind the answer
                results = attempt.by.answer(request)
                attempt.by.kill()
            else:
                time.sleep(dice.uniform(0, attempt.by.took))
                attempt.by.kill()
                results = attempt.by.answer(request)
            attempt.by.again()
            healed(work)
            result = on_disk(work.root)
            if results is not None:
                work.state = attempt.after(before, results)
                acknowledged += 1
                between += 1
            else:
                within += 1
                undone += result == before.seen
                work.state = before if result == before.seen else attempt.after(before, None)
            assert result == work.state.seen, f"after {acknowledged} writes, {attempt.name} killed"
        healed(work)
        assert on_disk(work.root) == work.state.seen
        assert leftovers(work.root) == []
        assert_told(work)
    print(f"{acknowledged} writes; killed {between} times behind an answer, {within} before: {undone} of them undone")
    assert between + within > 2


def healed(work: Work) -> None:
    """Ask the server for what makes it look at everything, as any session does."""
    for tool in ("autology_status", "search_documents", "memory_find"):
        arguments = {} if tool == "autology_status" else {"query": "amber"}
        work.tools.answer(work.tools.begin(tool, **arguments))


def assert_told(work: Work) -> None:
    """Check that the server tells of what there is, not only that the files hold it."""
    status = work.tools.answer(work.tools.begin("autology_status"))
    relations = sum(len(note.relations) for note in work.state.notes.values())
    assert (status["totalNodes"], status["totalRelations"]) == (len(work.state.notes), relations)
    assert status["unreadable"] == []
    stats = work.tools.answer(work.tools.begin("system_status", operation="stats"))
    assert (stats["total"], stats["in_trash"]) == (len(work.state.memories), len(work.state.gone_memories))
    for id, note in work.state.notes.items():
        result = work.tools.answer(work.tools.begin("autology_query", query=note.title, limit=5, detail="full"))
        assert id in {hit["node"]["id"] for hit in result["results"]}, note.title
    for path, content in work.state.documents.items():
        assert content.strip() in work.tools.answer(work.tools.begin("read_node_content", id=path)), path
