"""Importing records into an existing graph: planned first, then applied."""
