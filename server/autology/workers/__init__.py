"""Adapter: a pool of worker processes for large indexing."""
