"""What one file says, put in order to be looked up in."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from autology.model.code import TYPES, Binding, Definition, Expr, Facts, Import


@dataclass(slots=True)
class File:
    """One file's facts, to be looked up in."""

    path: str
    facts: Facts
    definitions: dict[str, Definition] = field(default_factory=dict)
    bindings: dict[tuple[str, str], list[Binding]] = field(default_factory=lambda: defaultdict(list))
    imports: dict[tuple[str, str], Import] = field(default_factory=dict)
    stars: list[Import] = field(default_factory=list)
    given: dict[str, list[Expr]] = field(default_factory=lambda: defaultdict(list))
    more: dict[str, list[Definition]] = field(default_factory=lambda: defaultdict(list))
    members: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @classmethod
    def of(cls, path: str, facts: Facts) -> File:
        """Return *facts* put in order."""
        made = cls(path, facts)
        for definition in facts.definitions:
            made._define(definition)
            around, _, name = definition.name.rpartition(".")
            made.members[around].add(name)
        for binding in facts.bindings:
            made.bindings[binding.owner, binding.name].append(binding)
            made.members[binding.owner].add(binding.name)
        for told in facts.imports:
            if told.name == "*":
                made.stars.append(told)
            elif told.local:
                made.imports.setdefault((told.scope, told.local), told)
        for scope, value in facts.given:
            made.given[scope].append(value)
        return made

    def _define(self, definition: Definition) -> None:
        """Take in a definition: the first of a name, but what has a body before what is only declared."""
        if definition.declared and definition.kind in TYPES:  # it is told more of a class that is defined elsewhere
            self.more[definition.name].append(definition)
            return
        known = self.definitions.setdefault(definition.name, definition)
        if known.declared and not definition.declared:
            self.definitions[definition.name] = definition
        elif known is not definition and known.kind in TYPES:
            self.more[definition.name].append(definition)
