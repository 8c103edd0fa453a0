"""The allowed values and limits of the options of tools and commands, as the use cases check them."""

from __future__ import annotations

from autology.model.conversation import ChunkKind

RESULTS = 100
"""The maximum number of results of a search of notes, documents or memories."""
SEARCH_MODES = ("hybrid", "words", "exact")
DETAILS = BRIEF, NORMAL, FULL = "brief", "normal", "full"
"""How much is shown of a note's content."""
REFERENCES, RELATIONS = 200, 200
"""The maximum number of a note's files, and of relations created with it: each is looked up while writers wait."""
CONTEXT_NODES = 50
"""The maximum number of notes that are relevant to a file or task."""

PREVIEWS = PASSAGE, START = "passage", "start"
"""What is shown of a document."""
DIRECTIONS = OUT, IN, BOTH = "out", "in", "both"
LINK_DEPTH = 5
FOLDER_DEPTH = 20
DOCUMENT_TAGS = 100
"""The maximum number of tags that are added to a document at once."""
PATH_DEPTH, DEEPEST_PATH = 20, 100
"""Search depth by default, and at most: real graphs are rarely wider than ten."""
LOWEST_RESOLUTION, RESOLUTION, HIGHEST_RESOLUTION = 0.1, 1.0, 10.0
"""Resolutions of clusters: 1 is the default, below it clusters are few and large."""

RECALLED = 50
"""The maximum number of results of a search of conversations."""
RECALL_TYPES = ("all", *(kind.value for kind in ChunkKind))
RECALL_RANGES = ("all", "today", "week", "month")

MEMORY_MODES = FAST, AUTO, DEEP = "fast", "auto", "deep"
EXPANSIONS = EXPAND_RELATIONS, EXPAND_PARENTS, EXPAND_CHILDREN = "relations", "parents", "children"
"""The relations along which a search of memories is widened."""
LIFETIMES = {"short": 30, "default": 90, "long": 365, "permanent": None}
"""Days that a memory lives under each policy; None means for ever."""
MEMORY_BATCH = 100
"""The maximum number of memories stored at once."""
MEMORY_REPORTS = HEALTH, STATS, PREVIEW, SUMMARY = "health", "stats", "purge_preview", "audit_summary"
