"""Expressions of source code, reduced to what tells which definition they refer to.

An expression is a list: its kind, then its parts. It is as JSON stores it, because millions are loaded again: making an
object of each takes a fifth longer. The kinds are single letters because Python keeps one copy of each string of one
character.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

Expr = list[Any]

NAME = "n"
"""``[NAME, identifier]``."""
ATTRIBUTE = "a"
"""``[ATTRIBUTE, owner, identifier]``: ``owner.identifier``."""
CALL = "c"
"""``[CALL, callee]``: what a call returns, or an instance of the class that is called."""
GENERIC = "g"
"""``[GENERIC, type, arguments]``: a type with a list of type arguments."""
UNION = "u"
"""``[UNION, alternatives]``: one of a list of expressions."""
ITEM = "i"
"""``[ITEM, collection]``: one element, by an index or in a loop."""
CONTEXT = "w"
"""``[CONTEXT, manager]``: what a ``with`` statement binds."""
COLLECTION = "l"
"""``[COLLECTION, element]``."""
INSTANCE = "o"
"""``[INSTANCE, class]``: an instance of a class, named from the top of the same file on."""
CLASS_OBJECT = "k"
"""``[CLASS_OBJECT, class]``: the class itself, named likewise."""
SUPER = "s"
"""``[SUPER, class]``: what the bases of a class have, as ``super()`` returns it."""
PATH = "q"
"""``[PATH, identifiers]``: a qualified name, of which the first parts may be files or namespaces."""
UNKNOWN: Expr = ["p"]
"""Anything."""
EXTERNAL: Expr = ["x"]
"""A literal, a built-in type or something else that the project does not define."""

REFERENCES = (NAME, ATTRIBUTE, PATH)
"""The kinds that name a definition."""


def without_arguments(type: Expr) -> Expr:
    """Return a *type* without its type arguments."""
    unparameterized: Expr = type[1] if type[0] == GENERIC else type
    return unparameterized


def last_name(value: Expr, through: Collection[str] = ()) -> str:
    """Return the last identifier of a name or an attribute, "" for another kind; kinds in *through* are unwrapped."""
    while value[0] in through:
        value = value[1]
    return str(value[-1]) if value[0] in (NAME, ATTRIBUTE) else ""
