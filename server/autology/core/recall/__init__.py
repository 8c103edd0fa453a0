"""Searching past sessions: discussions, similar problems, code, and everything together."""
