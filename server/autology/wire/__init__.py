"""The composition root: the only package that names adapters. Here is what hooks use: one module for them to load."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from autology.index.readonly_conversations import ConversationLookup
    from autology.index.readonly_lookup import IndexLookup

# Imports stand inside the functions: a hook pays for what it uses and nothing else.


def glance(root: str) -> IndexLookup | None:
    """Return a read-only look into the project's index at *root*, or None without a usable one."""
    from autology import places
    from autology.index import readonly_lookup

    return readonly_lookup.open(places.readable_index(root))


def glance_state(root: str) -> str:
    """Return `ready`, or why :func:`glance` gives none: `missing`, `old`, `newer`, `damaged`."""
    from autology import places
    from autology.index import readonly_lookup

    return readonly_lookup.state(places.readable_index(root))


def recollection() -> ConversationLookup | None:
    """Return a read-only look into the index of conversations, or None without a usable one."""
    from autology import places
    from autology.index import readonly_conversations

    return readonly_conversations.open(places.conversation_index())


def cosines(text: str, encoder: str, rows: Sequence[bytes]) -> list[float]:
    """Return the cosine of *text* and of each of *rows* of an *encoder*; empty where its table is not unpacked."""
    import os

    from autology import places
    from autology.embedding import word_rows

    beside = os.path.join(os.path.dirname(word_rows.__file__), "static.bin")
    return word_rows.cosines(text, encoder, rows, [beside, *places.word_tables()])


def known_names(folder: str) -> tuple[str, ...]:
    """Return the identities of *folder*'s project that are registered: no process is started to find others."""
    from autology import places
    from autology.vcs.project_identity import recognised

    return recognised(folder, places.project_registry())[0]


def reflog() -> ModuleType:
    """Return the reader of a repository's reflog: `repository`, `commits`, `changed_files`."""
    from autology.vcs import reflog

    return reflog
