"""Adapter: git."""
