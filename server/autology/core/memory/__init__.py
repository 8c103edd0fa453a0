"""Memories: stored with kinds, scopes and lifetimes, found again by words and meaning."""
