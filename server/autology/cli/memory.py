"""``autology memory``: store, find, show and purge memories: items with a kind, a scope and a lifetime."""

from __future__ import annotations

EXAMPLES = """\
autology memory store --kind observation "The cache holds 40 entries."
autology memory find cache size --type observation
autology memory show 171a8767
autology memory status
autology memory purge --yes"""
JSON = """\
the results of the tools memory_store and memory_find, for store and find; see each action's --help"""
