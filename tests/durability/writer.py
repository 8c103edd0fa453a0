"""One of several processes that work on one project: what it did, and what must be there in the end, as JSON."""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from autology.core.nodes import delete_restore, relate, search
from autology.core.nodes.capture import Material, RequestedRelation, capture
from autology.core.nodes.status import status
from autology.core.nodes.update import Fields, update
from autology.model.errors import AutologyError
from autology.wire.project import Project
from tests.durability import patient  # noqa: F401 - it does all there is to do

OF_OTHERS = "belongs to nobody"
FIELDS = ("title", "content", "tags", "confidence", "references", "status", "type", "title")
"""The field of the shared notes that each writer has to itself, by its number; beyond these it has none."""


class Writer:
    """Writes at random, and remembers what it wrote."""

    def __init__(self, root: str, number: int, shared: list[str]) -> None:
        self.graph = Project(root).graph
        self.number = number
        self.shared = shared
        self.dice = random.Random(number)
        self.notes: dict[str, dict[str, Any]] = {}
        self.relations: dict[tuple[str, str, str], float] = {}
        self.values: dict[str, object] = {}
        self.retried: list[str] = []
        self.failed: list[str] = []
        self.gone: list[str] = []

    def work(self, count: int) -> None:
        doings = (self.capture, self.update, self.share, self.relate, self.relate, self.unrelate, self.delete, self.ask)
        for at in range(count):
            doing = self.capture if at < 3 else self.dice.choice(doings)
            self.healed(doing)

    def healed(self, doing: Callable[[], None]) -> None:
        """Do it; what fails must not fail again."""
        before = self.dice.getstate()
        try:
            doing()
        except AutologyError as error:
            self.retried.append(f"{doing.__name__}: {error}")
            self.dice.setstate(before)
            time.sleep(0.05)
            try:
                doing()
            except AutologyError as again:
                self.failed.append(f"{doing.__name__}: {again}")

    def capture(self) -> None:
        at = len(self.notes) + len(self.gone)
        title = f"Writer {self.number} note {at}"
        target = self.dice.choice(self.shared)
        material = Material(
            title, f"content {at} of {self.number}", "concept", relations=(RequestedRelation("uses", target),)
        )
        made = capture(self.graph, material, automatic=2.0).node
        self.notes[made.id] = {"title": title, "content": made.content}
        self.relations[(made.id, "uses", target)] = 0.8

    def update(self) -> None:
        id = self.dice.choice(list(self.notes))
        content = f"changed to {self.dice.random()} by {self.number}\n" * self.dice.randint(1, 30)
        update(self.graph, id, Fields(content=content))
        self.notes[id]["content"] = content

    def share(self) -> None:
        """Change the one field of a shared note that nobody else changes."""
        if self.number >= len(FIELDS):
            return
        field, id = FIELDS[self.number], self.shared[self.number == 7]
        at = self.dice.randint(0, 99)
        values: dict[str, Any] = {
            "title": f"Shared title {at}",
            "content": f"Shared content {at}\n" * at + ".",
            "tags": (f"tag-{at}", "shared"),
            "confidence": at / 100,
            "references": (f"src/{at}.py",),
            "status": ("active", "needs_review")[at % 2],
            "type": ("issue", "pattern", "concept")[at % 3],
        }
        update(self.graph, id, Fields(**{field: values[field]}))
        self.values[f"{id} {field}"] = values[field]

    def relate(self) -> None:
        source, target = self.dice.choice(self.shared), self.dice.choice(list(self.notes))
        kind = self.dice.choice(("affects", "relates_to"))
        confidence = self.dice.randint(10, 99) / 100
        relate.relate(self.graph, source, target, kind, None, confidence)
        key = (source, kind, target)
        self.relations[key] = max(confidence, self.relations.get(key, 0.0))

    def unrelate(self) -> None:
        if self.relations:
            source, kind, target = self.dice.choice(sorted(self.relations))
            relate.unrelate(self.graph, source, target, kind)
            del self.relations[(source, kind, target)]

    def delete(self) -> None:
        if len(self.notes) > 2:
            id = self.dice.choice(list(self.notes))
            delete_restore.delete(self.graph, id)
            del self.notes[id]
            self.relations = {key: value for key, value in self.relations.items() if id not in (key[0], key[2])}
            self.gone.append(id)

    def ask(self) -> None:
        id = self.dice.choice(list(self.notes))
        answer = search.search(self.graph, search.NodeQuery(self.notes[id]["title"]))
        if id not in {hit.node.id for hit in answer.hits}:
            self.failed.append(f"ask: {self.notes[id]['title']} was not found")
        if self.dice.random() < 0.2 and not status(self.graph).exists:
            self.failed.append("status: the project is gone")

    def report(self) -> dict[str, object]:
        return {
            "notes": self.notes,
            "relations": [[*key, value] for key, value in self.relations.items()],
            "values": self.values,
            "gone": self.gone,
            "retried": self.retried,
            "failed": self.failed,
        }


def main() -> None:
    root, number, count, *shared = sys.argv[1:]
    writer = Writer(root, int(number), shared)
    writer.work(int(count))
    json.dump(writer.report(), sys.stdout)


if __name__ == "__main__":
    main()
