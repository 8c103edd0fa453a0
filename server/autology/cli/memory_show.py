"""``autology memory show``: print an item."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from autology.cli.project import project_of
from autology.cli.screen import Screen
from autology.core.content.codec import Stored
from autology.core.memory.index_entry import title_of
from autology.core.memory.memories import Memories
from autology.model.memory import Memory
from autology.text.notes.secret_markers import marked

EXAMPLES = """\
autology memory show 171a8767
autology memory show 171a8767 --raw > item.md"""
JSON = """\
{memory: {id, kind, title, path, content, scope, data, metadata, tags, created_at, updated_at, expires_at, expired,
  …}}"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the item and the format."""
    parser.add_argument("id", help="the item's id, or its first eight characters or more")
    parser.add_argument("--raw", action="store_true", help="print the file unchanged")


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the item."""
    memories = project_of(args).memories
    memories.refresh(walk=True)
    show(memories, memories.find(args.id), args.raw, screen)
    return 0


def show(memories: Memories, stored: Stored[Memory], raw: bool, screen: Screen) -> None:
    """Print an item: as JSON, as its unchanged file, or for people."""
    memory = stored.entry
    if screen.json:
        from autology.render import memory_items

        shown = memory_items.memory(memory, memories.stamp())
        screen.data({"memory": {**shown, "title": title_of(memory), "path": stored.path}})
    elif raw:
        screen.raw(stored.data)
    else:
        _print(memories, stored, screen)


def _print(memories: Memories, stored: Stored[Memory], screen: Screen) -> None:
    memory = stored.entry
    screen.line(screen.safe(title_of(memory)), "bold")
    expired = " · expired" if memory.expired(memories.stamp()) else ""
    screen.line(f"{memory.kind.value}{expired}", "cyan")
    fields = {
        "id": memory.id,
        "file": stored.path,
        "scope": _pairs(memory.scope.set_parts()),
        "tags": ", ".join(memory.tags),
        "created": memory.created_at,
        "updated": memory.updated_at,
        "expires": memory.expires_at or "never",
        "data": _pairs(memory.data),
        "metadata": _pairs(memory.metadata),
        "near": ", ".join(memory.near_duplicate_of),
    }
    screen.fields(fields)
    screen.line()
    screen.block(marked(memory.content).text)


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())
