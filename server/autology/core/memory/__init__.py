"""Memories: stored with kinds, scopes and lifetimes, found lexically and semantically."""
