"""Values as frontmatter holds them: texts, lists and mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def texts(value: object) -> Iterator[str]:
    """Yield every text in *value* that is not empty, the keys of mappings left out."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts(item)
