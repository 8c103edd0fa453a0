"""``autology memory store``: store an item, or many from a JSON file; change or delete one by its id."""

from __future__ import annotations

import argparse
import json
from typing import Any

from autology.cli import input_text, tag_options
from autology.cli.json_keys import snake_case
from autology.cli.project import announce_creation, project_of
from autology.cli.screen import Screen
from autology.cli.usage_error import UsageError
from autology.model.argument_limits import LIFETIMES
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
WRITES = True
PARTS = ("org", "project", "branch")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the fields of an item."""
    parser.add_argument("words", nargs="*", metavar="TEXT", help="the fact to remember; default: standard input")
    parser.add_argument("--kind", choices=list(Kind), metavar="KIND", help=f"one of {', '.join(Kind)}")
    parser.add_argument(
        "--items", metavar="FILE", help="a JSON file with an array of 1-100 items; - for standard input"
    )
    parser.add_argument("--data", metavar="JSON", help="the kind's own fields, as an object")
    parser.add_argument("--metadata", metavar="JSON", help="further fields, as an object")
    parser.add_argument("--tags", action="extend", nargs="+", metavar="TAG")
    parser.add_argument(
        "--scope", action="extend", nargs="+", metavar="PART=NAME", help="the item's scope: org=, project=, branch="
    )
    parser.add_argument("--id", metavar="ID", help="the item's id; that of a stored item changes it")
    parser.add_argument("--merge", choices=MERGES, help="how to merge a change with the stored item")
    parser.add_argument(
        "--lifetime", choices=tuple(LIFETIMES), help="30, 90 or 365 days, or never expires (default: by kind)"
    )
    parser.add_argument("--key", metavar="KEY", help="idempotency key: store the item only once per key")
    parser.add_argument("--dedupe", choices=DEDUPES, help="how to treat duplicates")
    parser.add_argument("--delete", metavar="ID", help="move this item to the trash")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Store the items; return 1 if one was refused."""
    from autology.render import memory_items

    items = _items(args) if args.items is not None else [_deletion(args) if args.delete else _item(args)]
    project = project_of(args)
    if args.items is None and not args.delete and "org" not in scope_of(args.scope):
        announce_creation(project.root, args, screen)
    try:
        result, call = project.audited_memories.store(items, args.dedupe or project.settings.memory_dedupe)
    except InputError as error:
        step = 'Give an array, as [{"kind": "observation", "content": "…"}].'
        raise UsageError("--items", f"invalid input: {error.problem}", step) from None
    data = memory_items.stored(result, call)
    if screen.json:
        screen.data(snake_case(data))
    else:
        _show(data, screen)
    return 1 if data["errors"] else 0


def scope_of(entries: list[str] | None) -> dict[str, str]:
    """Return the scope from entries such as ``org=acme``. Raises UsageError."""
    parts = dict(word.partition("=")[::2] for word in entries or [])
    for name, value in parts.items():
        if name not in PARTS or not value:
            raise UsageError("--scope", f"invalid part '{name[:40]}'", "Give org=…, project=… or branch=….")
    return parts


def _item(args: argparse.Namespace) -> dict[str, Any]:
    content = " ".join(args.words) or input_text.read(None, None, edit=False)
    if content is None and args.id is None:
        raise UsageError("TEXT", "is missing", "Give it as an argument, or pipe it in.")
    if args.kind is None and args.id is None:
        raise UsageError("--kind", "is missing", f"Add one of: {', '.join(Kind)}. Usually --kind observation.")
    item = {
        "kind": args.kind,
        "content": content,
        "id": args.id,
        "scope": scope_of(args.scope) or None,
        "data": _object("--data", args.data),
        "metadata": _object("--metadata", args.metadata),
        "tags": args.tags and list(tag_options.tags(args)),
        "merge": args.merge,
        "ttl_policy": args.lifetime,
        "idempotency_key": args.key,
    }
    return {name: value for name, value in item.items() if value is not None}


def _deletion(args: argparse.Namespace) -> dict[str, Any]:
    if args.words or args.kind or args.id:
        raise UsageError("--delete", "cannot be combined with other fields of an item", "Give one or the other.")
    return {"id": args.delete, "delete": True}


def _items(args: argparse.Namespace) -> Any:
    if args.words or args.kind or args.delete:
        raise UsageError("--items", "cannot be combined with a single item", "Give either one.")
    data = _json("--items", input_text.read(None, args.items, edit=False) or "")
    return data["items"] if isinstance(data, dict) and "items" in data else data


def _object(name: str, text: str | None) -> dict[str, Any] | None:
    if text is None:
        return None
    value = _json(name, text)
    if not isinstance(value, dict):
        raise UsageError(name, "is not an object", 'Give an object such as {"title": "…"}.')
    return value


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(name, f"is not valid JSON: {error}", "Check the quotes and commas.") from None


def _show(data: dict[str, Any], screen: Screen) -> None:
    for item in data["stored_items"]:
        changed = item["status"] in ("stored", "updated", "deleted")
        sign, style = ("✓", "green") if changed else ("–", "yellow")
        labels = {"stored": "Stored", "updated": "Updated", "deleted": "Moved to the trash"}
        label = labels.get(item["status"], item["status"])
        screen.line(f"{sign} {label}: {item['kind']} {screen.safe(item['id'])}", style)
        if "reason" in item:
            screen.line(f"  {screen.safe(item['reason'], 500)}")
        if item["status"] == "deleted":
            screen.line(f"  `autology restore {screen.safe(item['id'])}` restores it.")
    for problem in data["errors"]:
        message = screen.safe(problem["message"], 500)
        screen.line(f"✗ item {problem['index']}: {problem['error_code']}: {message}", "red")
    if data["total"] > 1:
        counts = [f"{name} {count}" for name, count in data["summary"].items() if count and name != "total"]
        screen.line(f"{data['total']} items: {', '.join(counts)}.")
    screen.notes(data.get("degraded", []))
