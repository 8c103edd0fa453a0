"""The ids of imported nodes: two people who import the same records get the same ids."""

from __future__ import annotations

import json
from hashlib import sha256
from uuid import UUID

from autology.core.importing.originals import Original


def imported_ids(original: Original, project: str | None) -> tuple[str, str]:
    """Return the id for *original* in the project whose first commit is *project*, and a second choice.

    It is derived from the path, and without version control from the text as well; so is the second choice, for when
    the first is taken, as by a record that was moved away from that path.
    """
    with_text = _uuid(project or "", original.path, original.hash)
    return _uuid(project, original.path, "") if project else with_text, with_text


def _uuid(*parts: str) -> str:
    digest = sha256(json.dumps(parts).encode("utf-8")).digest()
    return str(UUID(bytes=digest[:16], version=4))
