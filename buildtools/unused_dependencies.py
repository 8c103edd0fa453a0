"""Dependencies of the SDK that a stdio server never runs; they are left out of the executable.

They serve HTTP, authorisation and the client side, and were more than a third of the file. Where the SDK imports one of
them at its start, a stand-in module from server/absent is used. A test checks every import of everything that the
server loads.
"""

import re
import shutil
from pathlib import Path

PACKAGES = frozenset(
    {
        *("cryptography", "cffi", "pycparser", "pyjwt"),  # authorisation
        *("httpcore2", "h11", "truststore"),  # HTTP
        *("uvicorn", "click"),  # HTTP; sse-starlette, which imports it at its start, works without it
        *("jsonschema", "jsonschema-specifications", "referencing", "rpds-py", "attrs"),  # client validation
        "tzdata",  # names of time zones; the database driver reads times with offsets only
    }
)
MODULES = frozenset(
    {
        *("cffi", "_cffi_backend", "pycparser", "jwt", "httpcore2", "h11", "truststore", "uvicorn", "click"),
        *("jsonschema", "jsonschema_specifications", "referencing", "rpds", "attr", "attrs", "cryptography", "tzdata"),
    }
)
"""Their import names."""


def without(lock: str, names: frozenset[str]) -> str:
    """Return the text of *lock* without the packages *names*."""
    return "".join(block for name, block in blocks(lock) if name not in names)


def only(lock: str, names: frozenset[str]) -> str:
    """Return only the packages *names* of the text of *lock*."""
    return "".join(block for name, block in blocks(lock) if name in names)


def blocks(lock: str) -> list[tuple[str, str]]:
    """Return the packages of *lock*, each with its lines."""
    parts = re.split(r"(?m)^(?=[a-zA-Z0-9])", lock)
    return [(re.split(r"[=\s]", part, maxsplit=1)[0], part) for part in parts if part[:1].isalnum()]


def stand_in(absent: Path, site: Path) -> None:
    """Copy the stand-in modules into *site*."""
    shutil.copytree(absent, site, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
