"""Checks of the project's knowledge: findings, each with its evidence and the call that fixes it."""
