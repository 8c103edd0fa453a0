"""The version of the index's tables, apart from them so that a hook can ask without loading them."""

TABLES = 16
"""Raised whenever a table changes; an index of another version is rebuilt from the files."""
