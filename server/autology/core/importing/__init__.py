"""Bringing records into the graph that a project already has: planned first, then done."""
