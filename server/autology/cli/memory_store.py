"""``autology memory store``: store an item, or many; change or delete one by its id."""

from __future__ import annotations

import argparse
import json
from typing import Any

from autology import wire
from autology.cli import founding, project, tagged, texts
from autology.cli.program import UsageError
from autology.cli.screen import Screen
from autology.model.errors import InputError
from autology.model.memory import DEDUPES, MERGES, Kind

EXAMPLES = """\
autology memory store --kind observation "The cache holds 40 entries."
autology memory store --kind todo --data '{"title": "Rotate keys", "status": "pending"}' < todo.md
autology memory store --items facts.json
autology memory store --delete 171a8767-1f09-40bd-ac91-b5ce29841de2"""
JSON = """\
{success, stored, stored_items: [{input_index, status, kind, id, created_at, reason?, existing_id?}],
 errors: [{index, error_code, message, details}], summary, autonomous_context, total, audit_metadata}"""
POLICIES = ("short", "default", "long", "permanent")
PARTS = ("org", "project", "branch")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what an item consists of."""
    parser.add_argument("words", nargs="*", metavar="TEXT", help="what is to be known; else standard input")
    parser.add_argument(
        "--kind", choices=[kind.value for kind in Kind], metavar="KIND", help=f"one of {', '.join(Kind)}"
    )
    parser.add_argument(
        "--items", metavar="FILE", help="a JSON file with an array of 1-100 items; - for standard input"
    )
    parser.add_argument("--data", metavar="JSON", help="the kind's own fields, an object")
    parser.add_argument("--metadata", metavar="JSON", help="whatever else belongs to it, an object")
    parser.add_argument("--tags", action="extend", nargs="+", metavar="TAG")
    parser.add_argument(
        "--scope", action="extend", nargs="+", metavar="PART=NAME", help="whom it is for: org=, project=, branch="
    )
    parser.add_argument("--id", metavar="ID", help="the item's id; of a stored one: changes that one")
    parser.add_argument("--merge", choices=MERGES, help="how a change meets what is stored")
    parser.add_argument("--lifetime", choices=POLICIES, help="30, 90 or 365 days, or for ever; else as its kind says")
    parser.add_argument("--key", metavar="KEY", help="the same key stores the same item once")
    parser.add_argument("--dedupe", choices=DEDUPES, help="what becomes of what is stored already")
    parser.add_argument("--delete", metavar="ID", help="move that item to the trash")


def run(asked: argparse.Namespace, screen: Screen) -> int:
    """Store; 1 if an item was refused."""
    from autology import remembered

    items = _many(asked) if asked.items is not None else [_deleting(asked) if asked.delete else _one(asked)]
    root = project.root(asked)
    if asked.items is None and not asked.delete and "org" not in scope_of(asked.scope):
        founding.check(root, asked, screen)
    try:
        result, done = project.ledger(asked).store(items, asked.dedupe or wire.settings(root).memory_dedupe)
    except InputError as unusable:
        step = 'Give an array, as [{"kind": "observation", "content": "…"}].'
        raise UsageError("--items", f"cannot be taken: {unusable.problem}", step) from None
    told = remembered.stored(result, done.id, done.audit_logged)
    if screen.json:
        screen.data(told)
    else:
        _show(told, screen)
    return 1 if told["errors"] else 0


def scope_of(given: list[str] | None) -> dict[str, str]:
    """Return the scope in words such as ``org=acme``. Raises UsageError."""
    parts = dict(word.partition("=")[::2] for word in given or [])
    for name, value in parts.items():
        if name not in PARTS or not value:
            raise UsageError("--scope", f"'{name[:40]}' does not fit", "Give org=…, project=… or branch=….")
    return parts


def _one(asked: argparse.Namespace) -> dict[str, Any]:
    content = " ".join(asked.words) or texts.given(None, None, edit=False)
    if content is None and asked.id is None:
        raise UsageError("TEXT", "is missing", "Give it, or pipe it in.")
    if asked.kind is None and asked.id is None:
        raise UsageError("--kind", "is missing", f"Add one of: {', '.join(Kind)}. Most often: --kind observation.")
    item = {
        "kind": asked.kind,
        "content": content,
        "id": asked.id,
        "scope": scope_of(asked.scope) or None,
        "data": _object("--data", asked.data),
        "metadata": _object("--metadata", asked.metadata),
        "tags": asked.tags and list(tagged.given(asked)),
        "merge": asked.merge,
        "ttl_policy": asked.lifetime,
        "idempotency_key": asked.key,
    }
    return {name: value for name, value in item.items() if value is not None}


def _deleting(asked: argparse.Namespace) -> dict[str, Any]:
    if asked.words or asked.kind or asked.id:
        raise UsageError("--delete", "takes an id and nothing of an item", "Give the one or the other.")
    return {"id": asked.delete, "delete": True}


def _many(asked: argparse.Namespace) -> Any:
    if asked.words or asked.kind or asked.delete:
        raise UsageError("--items", "stands for whole items", "Give the items in the file, or one on the command line.")
    read = _json("--items", texts.given(None, asked.items, edit=False) or "")
    return read["items"] if isinstance(read, dict) and "items" in read else read


def _object(name: str, text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    read = _json(name, text)
    if not isinstance(read, dict):
        raise UsageError(name, "is no object", 'Give one, as {"title": "…"}.')
    return read


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(name, f"is no JSON: {error}", "Check the quotes and commas.") from None


def _show(told: dict[str, Any], screen: Screen) -> None:
    for item in told["stored_items"]:
        done = item["status"] in ("stored", "updated", "deleted")
        sign, style = ("✓", "green") if done else ("–", "yellow")
        named = {"stored": "Stored", "updated": "Updated", "deleted": "Moved to the trash"}
        said = named.get(item["status"], item["status"])
        screen.line(screen.styled(f"{sign} {said}: {item['kind']} {screen.safe(item['id'])}", style))
        if "reason" in item:
            screen.line(f"  {screen.safe(item['reason'], 500)}")
        if item["status"] == "deleted":
            screen.line(f"  `autology restore {screen.safe(item['id'])}` brings it back.")
    for problem in told["errors"]:
        message = screen.safe(problem["message"], 500)
        screen.line(screen.styled(f"✗ item {problem['index']}: {problem['error_code']}: {message}", "red"))
    if told["total"] > 1:
        counts = [f"{name} {count}" for name, count in told["summary"].items() if count and name != "total"]
        screen.line(f"{told['total']} items: {', '.join(counts)}.")
    for note in told.get("degraded", []):
        screen.line(f"Note: {screen.safe(note, 500)}")
