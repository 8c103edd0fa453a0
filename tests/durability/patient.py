"""What a process that works beside many others does first: wait for them as long as a busy machine takes."""

from __future__ import annotations

from autology.files import lock
from autology.index import index_file

lock.PATIENCE = 300.0
index_file.PATIENCE_MS = 300_000
