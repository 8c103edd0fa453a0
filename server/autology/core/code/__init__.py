"""The project's own source as a graph: what is defined where, what calls, uses, imports and extends what."""
