"""Autology: the memory of a software project."""

__version__ = "0.1.0"
