"""Which piece of code a name stands for: a class, function, method, file or module, by as much of it as is given."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from autology.core.code.dialects import dialect_of, without_ending
from autology.core.code.resolve import CodeMap
from autology.model.code import DERIVING, Symbol

NEAREST = 5
"""Names that are offered where nothing has the one that was looked for."""
ALIKE = 0.75
"""How much of a name must be written alike. Of some 175 names from three libraries with one slip each, all are offered,
among two names; at 0.77 98 % among 1.6. Of 20 words of other fields one in twenty is offered something, at 0.7 two."""
_TESTED = re.compile(r"(_test|\.test|\.spec|Tests?|_spec)\.\w+\Z")


def find(known: CodeMap, name: str) -> list[Symbol]:
    """Return what *name* names, code before its tests: ``save``, ``Store.save``, ``core/store.py:Store.save``.

    ``Store::save`` and ``Store#save`` are read, too. Where nothing ends as *name* does, steps may be left out:
    ``shop.Store`` for ``shop.inner.Store``, and ``Store.save`` for a method that a base of the class defines.
    """
    path, inner = _parted(name)
    if dialect_of(path):
        files = [s for s in known.symbols if f"/{s.path}".endswith(f"/{path.lstrip('./')}") and s.name == inner]
        if files:  # else it is a method: Store.go
            return sorted(files, key=_order)
    dotted = (f"{without_ending(path)}.{inner}" if inner else path).replace("/", ".").strip(".")
    return _ending_in(known, dotted) or _inherited(known, dotted) or sorted(_skipping(known, dotted), key=_order)


def nearest(known: CodeMap, name: str) -> list[str]:
    """Return what is written most like *name*: the whole of it, else its last part."""
    path, inner = _parted(name)
    wanted = (inner or path).lower()
    last = wanted.rpartition(".")[2].rpartition("/")[2]
    found: dict[str, Symbol] = {}
    for symbol in sorted(known.symbols, key=_order):
        whole = symbol.name or symbol.path
        for spelled in (whole, whole.rpartition("/")[2], _dotted(symbol).rpartition(".")[2]):
            found.setdefault(spelled.lower(), symbol)
    near = difflib.get_close_matches(wanted, found, NEAREST, ALIKE)
    near = near or difflib.get_close_matches(last, found, NEAREST, ALIKE)
    return [str(each) for each in dict.fromkeys(found[spelled] for spelled in near)][:NEAREST]


def below(known: CodeMap, folder: str) -> bool:
    """Whether a file of the project lies in *folder*."""
    inside = f"/{folder.strip('./')}/"
    return any(inside in f"/{symbol.path}" for symbol in known.symbols)


def _parted(name: str) -> tuple[str, str]:
    """Return *name* as a file and what is in it, if it says both; else it and nothing."""
    plain = name.replace("::", ":").replace("#", ".").strip()
    path, _, inner = plain.partition(":")
    if not dialect_of(path):
        return plain.replace(":", "."), ""
    return path, inner.replace(":", ".")


def _ending_in(known: CodeMap, name: str) -> list[Symbol]:
    """Return what ends as *name* does, in capitals or not where it has to be; code in files before the files."""
    found = [s for s in known.symbols if f".{_dotted(s)}".endswith(f".{name}")]
    if not found:
        folded = name.casefold()
        found = [s for s in known.symbols if f".{_dotted(s)}".casefold().endswith(f".{folded}")]
    return sorted(found, key=lambda symbol: (not symbol.name, _order(symbol)))


def _inherited(known: CodeMap, name: str) -> list[Symbol]:
    """Return the method that a class called as *name* begins has from what it comes from."""
    around, _, last = name.rpartition(".")
    waiting = [symbol for symbol in _ending_in(known, around) if symbol.name] if around else []
    seen = set(waiting)
    bases: dict[Symbol, list[Symbol]] = {}
    for link in known.links if waiting else ():
        if link.type in DERIVING:
            bases.setdefault(link.source, []).append(link.target)
    for symbol in waiting:
        if (own := Symbol(symbol.path, f"{symbol.name}.{last}")) in known.symbols:
            return [own]
        more = [each for each in bases.get(symbol, ()) if each not in seen]
        seen.update(more)
        waiting += more
    return []


def _skipping(known: CodeMap, name: str) -> Iterator[Symbol]:
    """Yield what has every part of *name* in its order, and ends in the last."""
    parts = name.split(".")
    for symbol in known.symbols if len(parts) > 1 else ():
        whole = _dotted(symbol).split(".")
        if symbol.name and whole[-1] == parts[-1] and _in_order(parts[:-1], whole[:-1]):
            yield symbol


def _in_order(parts: Sequence[str], whole: Iterable[str]) -> bool:
    left = iter(whole)
    return all(part in left for part in parts)


def _dotted(symbol: Symbol) -> str:
    file = without_ending(symbol.path).removesuffix("/__init__").replace("/", ".")
    return f"{file}.{symbol.name}" if symbol.name else file


def _order(symbol: Symbol) -> tuple[bool, int, Symbol]:
    """Code before its tests, what stands alone before what is within."""
    tested = any(part.startswith(("test", "__tests__", "spec")) for part in symbol.path.split("/"))
    return tested or bool(_TESTED.search(symbol.path)), symbol.name.count("."), symbol
