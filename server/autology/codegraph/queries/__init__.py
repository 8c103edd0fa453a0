"""Answers from the code graph: callers, users, effects of a change, structure, overrides and unused code."""
