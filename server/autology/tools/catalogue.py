"""The tools: one for every module of this package that defines a TOOL."""

from __future__ import annotations

import pkgutil
import sys
from importlib import import_module
from typing import Any

from autology.settings import TOOL_GROUPS
from autology.tools.tool import Tool

ORDER = (
    "capture query context analyze status update delete relate unrelate search_documents read_node_content "
    "explore_links list_directory_structure inject_tags create_document update_document delete_document graph_stats "
    "find_path cluster_analysis unified_memory_search recall_previous_discussions find_similar_problems "
    "search_code_history retrieve_memory_chunk memory_store memory_find system_status"
).split()
"""The order in which modules list their tools, the most useful first; any others come last in their group."""
NOT_TOOLS = ("catalogue", "server", "stdio")
"""Modules that import this one."""


def tools() -> tuple[Tool[Any], ...]:
    """Return every tool, by group."""
    listed: list[Tool[Any]] = []
    names = {module.name for module in pkgutil.iter_modules(sys.modules[__package__].__path__)}
    for name in sorted(names.difference(NOT_TOOLS), key=lambda name: ([*ORDER, name].index(name), name)):
        module = import_module(f"{__package__}.{name}")
        listed += [module.TOOL, *getattr(module, "ALIASES", ())] if hasattr(module, "TOOL") else []
    return tuple(sorted(listed, key=lambda tool: TOOL_GROUPS.index(tool.group)))
