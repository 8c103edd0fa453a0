"""The project's own source as a graph: what is defined where, what calls, uses, imports and extends what."""

from autology.core.code.code import Code, CodeState

__all__ = ["Code", "CodeState"]
