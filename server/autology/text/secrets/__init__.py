"""The formats of keys, tokens and passwords, and the places where they occur."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

Secret = tuple[str, int, int]
"""The kind of a secret, and the positions at which it begins and ends."""


class Patterns(dict[str, "re.Pattern[str]"]):
    """Regular expressions, each compiled when it is first used: few of them occur in a text.

    The key of one is its name in *forms*, or else the expression itself.
    """

    def __init__(self, forms: Mapping[str, str] | None = None) -> None:
        self._forms = forms or {}

    def __missing__(self, name: str) -> re.Pattern[str]:
        import re

        pattern = self[name] = re.compile(self._forms.get(name, name))
        return pattern
