"""The words of the commands that notes rule out, beside the index: what the hook's entry point reads before anything.

One line a command; a command line that lacks a word of each line goes against none. Without the file, the hook before
commands stays silent.
"""

from __future__ import annotations

import os
import sqlite3

NAME = "ruled-out-commands"
"""The file's name, which the entry point knows, too."""
_ALIASED = frozenset(["install", "uninstall", "delete"])
"""Words that are often abbreviated: `npm i`."""


def _words(db: sqlite3.Connection) -> str:
    """Return the content of the file for the index *db*."""
    rows = db.execute("SELECT DISTINCT term, detail FROM rule WHERE what = 'command' ORDER BY term, detail LIMIT 2000")
    return "".join(sorted({f"{_line(term, detail)}\n" for term, detail in rows}))


def save(db: sqlite3.Connection) -> None:
    """Write the words beside the index *db*, if they differ from those there and it is in its project."""
    index = str(db.execute("PRAGMA database_list").fetchone()[2])
    if not index.endswith(os.path.join(".autology", "cache", "index.sqlite")):
        return
    file, words = os.path.join(os.path.dirname(index), NAME), _words(db)
    try:
        with open(file, encoding="utf-8") as stored:
            if stored.read() == words:
                return
    except (OSError, ValueError):
        if not words:
            return
    if os.path.islink(file):
        return
    staged = f"{file}.{os.getpid()}"
    try:
        with open(staged, "w", encoding="utf-8", newline="") as new:
            new.write(words)
        os.replace(staged, file)
    except OSError:
        return  # the hook stays silent, or knows the words of before


def _line(term: str, detail: str) -> str:
    first = next((word for word in detail.partition("\t")[0].split() if not word.startswith("-")), "")
    plain = first.isascii() and first.replace("-", "").isalnum() and first not in _ALIASED
    return f"{term} {first}" if plain else term
