"""How long a query or change waits for the index to be updated, before it answers with what is indexed."""

from __future__ import annotations

SECONDS = 0.8
"""Seconds that one call waits for indexing, of all collections together: with a walk over 30,000 files, its start and
the search itself, it is answered within 1.5."""
LEAST = 0.1
"""Seconds that each collection may take even if others took all: a few edited files."""
CALL = 2.0
"""Seconds after which another call has begun."""
REST = 1.0
"""Seconds for which queries are answered without indexing, after one that did not finish: the next steps of a call do
not wait again for what the first has left over."""
BESIDE_ANOTHER = 0.5
"""Seconds that it waits for another thread that updates the index."""
