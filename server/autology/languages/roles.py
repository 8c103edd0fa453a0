"""The parts that nodes play alike in many languages: names, members, calls, types around types."""

from __future__ import annotations

from collections.abc import Callable

from autology.languages.reader import ANYTHING, CLOSED, Node, Reader, Scope, part, text
from autology.model.code import Expr

Act = Callable[[Reader, Node, Scope], None]
Value = Callable[[Reader, Node, Scope, int], Expr]


# ---- nodes -------------------------------------------------------------------------------------------


def named(reader: Reader, node: Node, scope: Scope) -> None:
    """A name that is used where it stands."""
    reader.use(node, scope, ["n", text(node)], False)


def nothing(reader: Reader, node: Node, scope: Scope) -> None:
    """What says nothing of interest, and nothing in it."""


def member(owner: str) -> Act:
    """A member of what stands under *owner*, used and not called."""

    def act(reader: Reader, node: Node, scope: Scope) -> None:
        reader.use(node, scope, reader.value(node, scope), False)
        reader.go(scope, part(node, owner))

    return act


def call(function: str = "function", *rest: str) -> Act:
    """A call of what stands under *function*, with *rest* (its arguments)."""

    def act(reader: Reader, node: Node, scope: Scope) -> None:
        called = part(node, function)
        value = reader.value(called, scope)
        reader.use(node, scope, value, True)
        given = [part(node, each) for each in rest or ("arguments",)]
        for each in given:
            hand(reader, each, value)
        through(reader, called, scope, value)
        reader.go(scope, *given)

    return act


def hand(reader: Reader, given: Node | None, called: Expr) -> None:
    """Note that functions among what is *given* to a method are likely called with elements of what it is of."""
    if given is not None and called[0] == "a":
        reader.handed |= {each.id: ["i", called[1]] for each in (given, *given.named_children)}


def through(reader: Reader, called: Node | None, scope: Scope, value: Expr) -> None:
    """Look at what a thing that is called is taken from."""
    if called is None or value[0] == "n":
        return
    if value[0] == "q":
        around = value[1][:-1]
        reader.use(called, scope, ["q", around] if len(around) > 1 else ["n", *around], False) if around else None
        return
    if value[0] == "a":
        owner = next((found for name in OWNERS if (found := part(called, name))), None)
        reader.rest(scope, called, *(part(called, name) for name in NAMES)) if owner is None else reader.go(
            scope, owner
        )
    else:
        reader.go(scope, called)


OWNERS = "object operand value argument expression receiver path scope module qualifier".split()
NAMES = "name field property method".split()


def gives(reader: Reader, node: Node, scope: Scope) -> None:
    """``return value``."""
    for each in node.named_children[:1]:
        reader.gives(scope, reader.value(each, scope))
    reader.rest(scope, node)


# ---- values and types ----------------------------------------------------------------------------------


def name(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    """A name."""
    return ["n", text(node)]


def closed(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:  # noqa: ARG001 - as the others
    """What is of the language itself: text, numbers, primitive types."""
    return CLOSED


def of(owner: str, name: str) -> Value:
    """``owner.name``."""

    def found(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
        return ["a", reader.value(part(node, owner), scope, depth), text(part(node, name))]

    return found


def result(function: str = "function") -> Value:
    """What a call gives."""
    return lambda reader, node, scope, depth: ["c", reader.value(part(node, function), scope, depth)]


def made(type: str = "type") -> Value:
    """An object of a type: made new, or taken for one."""

    def found(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
        told = reader.typed(part(node, type), scope, depth)
        return told if told[0] == "l" else ["c", told[1] if told[0] == "g" else told]

    return found


def inner(field: str = "") -> Value:
    """What is the value of what stands under *field*, or first in it."""

    def found(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
        below = part(node, field) if field else next(iter(node.named_children), None)
        return reader.value(below, scope, depth)

    return found


def element(field: str = "") -> Value:
    """One of a collection."""
    below = inner(field)
    return lambda reader, node, scope, depth: ["i", below(reader, node, scope, depth)]


def collection(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """A collection of what is first in it."""
    return ["l", inner()(reader, node, scope, depth)]


def either(*fields: str) -> Value:
    """One of two values."""
    return lambda reader, node, scope, depth: ["u", [reader.value(part(node, each), scope, depth) for each in fields]]


def within(field: str = "", last: bool = False) -> Value:
    """The type that stands under *field*, or first in it: pointers, annotations, what may be missing."""

    def found(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
        below = part(node, field) if field else None
        if below is None and not field:
            inside = node.named_children
            below = inside[-1 if last else 0] if inside else None
        return reader.typed(below, scope, depth)

    return found


def many(field: str = "") -> Value:
    """A collection of a type."""
    below = within(field)
    return lambda reader, node, scope, depth: ["l", below(reader, node, scope, depth)]


def one_of(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
    """One of several types."""
    return ["u", [reader.typed(each, scope, depth) for each in node.named_children]]


def generic(base: str = "", arguments: str = "type_arguments") -> Value:
    """A type with arguments."""

    def found(reader: Reader, node: Node, scope: Scope, depth: int) -> Expr:
        own = part(node, base) if base else next(iter(node.named_children), None)
        given = part(node, arguments) or next((c for c in node.named_children if c.type == arguments), None)
        inside = [reader.typed(each, scope, depth) for each in given.named_children] if given is not None else []
        return ["g", reader.typed(own, scope, depth), inside or [ANYTHING]]

    return found
