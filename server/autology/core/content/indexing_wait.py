"""How long a query or change waits for the index to be updated, before it answers with what is indexed."""

from __future__ import annotations

SECONDS = 1.0
"""Seconds of indexing: it is answered within two, on a busy machine."""
BESIDE_ANOTHER = 0.5
"""Seconds that it waits for another thread that updates the index."""
