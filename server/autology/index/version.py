"""The version of the index schema, separate so that a hook can check it without loading the schema."""

TABLES = 16
"""Raised whenever a table changes; an index of another version is rebuilt from the files."""
