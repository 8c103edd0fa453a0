"""Adapter: what git knows."""
