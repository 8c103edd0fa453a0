"""How long a query or change waits for the index to be updated, before it answers with what is indexed."""

from __future__ import annotations

SECONDS = 0.8
"""Seconds that one call waits for indexing, of all collections together: with a walk over 30,000 files, its start and
the search itself, it is answered within 1.5."""
LEAST = 0.1
"""Seconds that each collection may take even if others took all; chosen, not measured: a few edited files take less."""
CALL = 2.0
"""Seconds after which a thread's next wait belongs to another call; chosen above what a call takes, 1.5."""
REST = 1.0
"""Seconds for which queries are answered without indexing, after one that did not finish: the next steps of a call do
not wait again for what the first left over. Chosen above SECONDS, so that half of the time at least is left to answers.
"""
BESIDE_ANOTHER = 0.5
"""Seconds that a query or change waits for another thread that updates the index."""
