"""Asking for what was said: discussions, like problems, code, and everything together."""
