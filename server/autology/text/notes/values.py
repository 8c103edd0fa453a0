"""Values of frontmatter: texts, lists and mappings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def texts(value: object) -> Iterator[str]:
    """Yield every non-empty text in *value*, without the keys of mappings."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, Sequence):
        for item in value:
            yield from texts(item)
