"""Scores in, scores out: pure functions."""
