"""Text formats: parsing and writing, pure and round-tripping."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping


class Patterns(dict[str, "re.Pattern[str]"]):
    """Regular expressions by name, each compiled on first use: a hook pays for every one, and for loading `re`.

    A name without an expression is one itself.
    """

    def __init__(self, expressions: Mapping[str, str] | None = None) -> None:
        self._expressions = expressions or {}

    def __missing__(self, name: str) -> re.Pattern[str]:
        import re

        pattern = self[name] = re.compile(self._expressions.get(name, name))
        return pattern
