"""Adapter: files, the source of truth."""
