"""The ids of imported nodes: two people who import the same records get the same ones."""

from __future__ import annotations

import json
from collections.abc import Container
from hashlib import sha256
from uuid import UUID

from autology.core.importing.originals import Original


def imported_id(original: Original, project: str | None, taken: Container[str]) -> str:
    """Return the id for *original* in the project that began with the commit *project*.

    Its path tells it apart, and without version control its text as well; so it does when the
    id is *taken*, as by a record that was moved away from that path.
    """
    id = _uuid(project or "", original.path, "" if project else original.hash)
    return id if id not in taken else _uuid(project or "", original.path, original.hash)


def _uuid(*parts: str) -> str:
    digest = sha256(json.dumps(parts).encode("utf-8")).digest()
    return str(UUID(bytes=digest[:16], version=4))
