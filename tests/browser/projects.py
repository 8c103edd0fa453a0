"""Projects to be looked at: a small one with something of everything, and large ones."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autology.core.memory import store
from autology.core.nodes import capture, relate
from autology.model.node import Node, NodeType, Relation, RelationType
from autology.text.notes.node_file import write_node
from autology.wire.project import Project
from tests.fakes import talk

SECTIONS = "## Context\n\n{why}\n\n## Decision\n\n{what}\n\n## Alternatives\n\n- {other}\n\n## Consequences\n\n{then}\n"
HOSTILE = "<img src=x onerror=alert(1)><script>alert(1)</script> [x](javascript:alert(1)) **bold**"
NODES = (
    ("decision", "Keep orders in MySQL", "Orders need a home.", "orders storage"),
    ("decision", "Keep orders in PostgreSQL", "MySQL lost transactions twice; see `src/orders.py`.", "orders storage"),
    ("decision", "Send mail through a queue", "The web server waited for the mail server.", "mail queue"),
    ("component", "Order service", "Takes orders and keeps them. Uses [[Keep orders in PostgreSQL]].", "orders"),
    ("component", "Mail worker", "Takes mail from the queue and sends it.", "mail queue"),
    ("convention", "Errors end in the next step", "Whoever reads an error wants to go on.", "errors"),
    ("concept", "Order", "What a customer wants, until it is paid.", "orders"),
    ("pattern", "Outbox", "What is to be sent is written with what caused it.", "mail orders"),
    ("issue", "Mail is sent twice after a restart", "The worker acknowledges too late.", "mail"),
    ("convention", "Messages tell what to do next", "Whoever reads an error wants to go on.", "errors"),
    ("issue", f"Hostile {HOSTILE[:60]}", f"A note says {HOSTILE}\n\n> quoted\n\n```js\nlet x = '<b>'\n```\n", "errors"),
)


def small(root: Path, home: Path) -> dict[str, str]:
    """Make a project of a dozen nodes, two documents, a conversation and three memories; return ids by title."""
    (root / "docs").mkdir(parents=True)
    (root / "src").mkdir()
    (root / "src" / "orders.py").write_text("def take(order):\n    return order\n", encoding="utf-8")
    text = "---\ntags: [orders]\n---\n# Running the shop\n\nFirst read [[Order service]], then [mail](mail.md).\n"
    (root / "docs" / "shop.md").write_text(text, encoding="utf-8")
    (root / "docs" / "mail.md").write_text("# Mail\n\n| step | what |\n|---|---|\n| 1 | queue |\n", encoding="utf-8")
    session = str(uuid.UUID(int=7, version=4))
    message = [
        talk.Said("2026-11-02T10:00:00.000Z", "Where do we keep orders?", "In **PostgreSQL**: MySQL lost some."),
        talk.Said(
            "2026-11-02T10:05:00.000Z",
            "Write the outbox down",
            "Done, as a pattern.",
            [talk.Edit("src/outbox.py", "def put():\n    pass\n")],
            "2 passed",
        ),
    ]
    transcript = talk.write(home / ".claude", str(root), session, message)
    turn = talk.turns(transcript)[1]
    project = Project(str(root))
    graph = project.graph
    ids: dict[str, str] = {}
    for type, title, text, tags in NODES:
        parts = {"why": text, "what": f"We do: {title.lower()}.", "other": "Leave it.", "then": "A thing to run."}
        content = SECTIONS.format(**parts) if type == "decision" else text
        came = {"session": session, "turn": turn} if title == "Outbox" else {}
        references = ("src/orders.py",) if "orders" in text else ()
        made = capture.Material(title[:100], content, type, tuple(tags.split()), references, **came)
        ids[title] = capture.capture(graph, made).node.id
    for source, target, kind in (
        ("Keep orders in PostgreSQL", "Keep orders in MySQL", "supersedes"),
        ("Order service", "Keep orders in PostgreSQL", "implements"),
        ("Order service", "Order", "uses"),
        ("Mail worker", "Send mail through a queue", "implements"),
        ("Mail is sent twice after a restart", "Mail worker", "affects"),
        ("Outbox", "Mail worker", "relates_to"),
        ("Outbox", "Order service", "relates_to"),
    ):
        relate.relate(graph, ids[source], ids[target], kind)
    memories = project.memories
    items = [
        {"kind": "todo", "content": "Turn the mail worker's acknowledging around", "ttl_policy": "short"},
        {"kind": "runbook", "content": "Restart the worker: drain the queue first", "ttl_policy": "permanent"},
        {"kind": "risk", "content": "The queue's disk fills in a week of silence"},
    ]
    assert not store.store(memories, items).problems
    return ids


def large(root: Path, size: int) -> None:
    """Make a project of *size* nodes in groups of some thirty, each linked mostly within its own."""
    chance = random.Random(size)
    types = list(NodeType)
    begin = datetime(2024, 1, 1, tzinfo=UTC)
    ids = [str(uuid.UUID(int=chance.getrandbits(128), version=4)) for _ in range(size)]
    subjects = "orders mail search login billing reports export cache queue index layout theme deploy metrics".split()
    nodes = []
    for number, id in enumerate(ids):
        group = number // 30
        subject = subjects[group % len(subjects)]
        first = group * 30
        targets = {first + chance.randrange(min(30, size - first)) for _ in range(2)} - {number}
        if chance.random() < 0.15:
            targets.add(chance.randrange(size))
        at = (begin + timedelta(hours=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
        relations = tuple(Relation(RelationType.RELATES_TO, ids[target]) for target in sorted(targets - {number}))
        title = f"{subject.capitalize()} {types[number % 7].value} {number} of part {group}"
        text = f"How {subject} is done in part {group}, for reason {number}."
        nodes.append(Node(id, types[number % 7], title, text, at, at, (subject, f"part-{group % 40}"), relations))
    for type in types:
        (root / ".autology" / "nodes" / type.folder).mkdir(parents=True)
    for node in nodes:
        (root / node.path).write_text(write_node(node, {}), encoding="utf-8", newline="\n")
    Project(str(root)).graph.refresh(walk=True)
