"""Which methods override which: each leads to the nearest method of that name in every base of its class."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from autology.core.code.lineage import Lineage
from autology.core.code.parts import Parts
from autology.core.code.sources import Sources
from autology.model.code import METHOD, CodeEdge, CodeLink, Definition, Symbol


def overriding(
    sources: Sources, parts: Parts, lineage: Lineage, derived: Iterable[CodeLink], methods: Iterable[Symbol]
) -> Iterator[CodeLink]:
    """Yield what the *methods* of a project override; *derived* are the links from classes to what they come from.

    A link is known in the way that the one between the classes is.
    """
    bases: Mapping[Symbol, list[CodeLink]] = _by_class(derived)
    for method in methods:
        around, _, name = method.name.rpartition(".")
        owner = parts.owner(Symbol(method.path, around))
        if owner is None or owner not in bases or _private(name):
            continue
        definition = sources.definition(method)
        assert definition is not None
        for link in bases[owner]:
            target = lineage.member(link.target, name)
            if target and target != method and _is_method(sources.definition(target)):
                yield CodeLink(method, CodeEdge.OVERRIDES, target, definition.line, link.how)


def _by_class(derived: Iterable[CodeLink]) -> dict[Symbol, list[CodeLink]]:
    found: dict[Symbol, list[CodeLink]] = defaultdict(list)
    for link in derived:
        found[link.source].append(link)
    return found


def _private(name: str) -> bool:
    """Whether Python gives *name* another one in each class."""
    return name.startswith("__") and not name.endswith("__")


def _is_method(definition: Definition | None) -> bool:
    return definition is not None and definition.kind == METHOD
