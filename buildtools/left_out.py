"""What the SDK brings and a server on standard input and output never runs: it stays out of the executable.

It is for HTTP, authorisation and the client's side, and was more than a third of the file. Where the SDK imports a part
of it by name at its start, a module of that name in server/absent stands there instead. A test looks at every import of
all that the server loads.
"""

import re
import shutil
from pathlib import Path

PACKAGES = frozenset(
    {
        *("cryptography", "cffi", "pycparser", "pyjwt"),  # authorisation
        *("httpcore2", "h11", "truststore"),  # HTTP
        *("jsonschema", "jsonschema-specifications", "referencing", "rpds-py", "attrs"),  # the client's look at answers
    }
)
MODULES = frozenset(
    {
        *("cffi", "_cffi_backend", "pycparser", "jwt", "httpcore2", "h11", "truststore"),
        *("jsonschema", "jsonschema_specifications", "referencing", "rpds", "attr", "attrs", "cryptography"),
    }
)
"""What they are imported as."""


def without(lock: str, names: frozenset[str]) -> str:
    """Return the text of *lock* less the packages *names*."""
    return "".join(block for name, block in blocks(lock) if name not in names)


def only(lock: str, names: frozenset[str]) -> str:
    """Return what the text of *lock* says of the packages *names*."""
    return "".join(block for name, block in blocks(lock) if name in names)


def blocks(lock: str) -> list[tuple[str, str]]:
    """Return the packages of *lock*, each with its lines."""
    parts = re.split(r"(?m)^(?=[a-zA-Z0-9])", lock)
    return [(re.split(r"[=\s]", part, maxsplit=1)[0], part) for part in parts if part[:1].isalnum()]


def stand_in(absent: Path, site: Path) -> None:
    """Put what stands there instead into *site*."""
    shutil.copytree(absent, site, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
