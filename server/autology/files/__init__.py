"""Adapter: the files are the truth."""
