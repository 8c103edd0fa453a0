"""Finding symbols by name: a class, function, method, file or module, by as much of its name as the user wrote."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

from autology.codegraph.file_endings import is_source, without_ending
from autology.codegraph.graph import INHERITANCE, CodeMap, Symbol

MAX_SUGGESTIONS = 5
SIMILARITY = 0.75
"""How much of a name must be alike. Of some 175 names from three libraries with one slip each, all are suggested,
among two names; at 0.77 98 % among 1.6. Of 20 words of other fields one in twenty gets a suggestion, at 0.7 two."""
_TEST_FILE = re.compile(r"(_test|\.test|\.spec|Tests?|_spec)\.\w+\Z")


def find_symbols(graph: CodeMap, name: str) -> list[Symbol]:
    """Return the symbols with *name*, code before its tests: ``save``, ``Store.save``, ``core/store.py:Store.save``.

    ``Store::save`` and ``Store#save`` are understood, too. Where nothing ends in *name*, parts may be left out:
    ``shop.Store`` finds ``shop.inner.Store``, and ``Store.save`` a method that a base of the class defines.
    """
    path, inner = _split(name)
    if is_source(path):
        ending = f"/{path.lstrip('./')}"
        symbols = [s for s in graph.symbols if f"/{s.path}".endswith(ending) and s.name == inner]
        if symbols:  # else it is a method: Store.go
            return sorted(symbols, key=_order)
    dotted = (f"{without_ending(path)}.{inner}" if inner else path).replace("/", ".").strip(".")
    return _ending_in(graph, dotted) or _inherited(graph, dotted) or sorted(_with_parts(graph, dotted), key=_order)


def similar_names(graph: CodeMap, name: str) -> list[str]:
    """Return the symbols whose names are most like *name*, as a full or in its last part."""
    path, inner = _split(name)
    wanted = (inner or path).lower()
    spellings: dict[str, Symbol] = {}
    for symbol in sorted(graph.symbols, key=_order):
        full = symbol.name or symbol.path
        for spelling in (full, full.rpartition("/")[2], _qualified(symbol).rpartition(".")[2]):
            spellings.setdefault(spelling.lower(), symbol)
    last = wanted.rpartition(".")[2].rpartition("/")[2]
    near = difflib.get_close_matches(wanted, spellings, MAX_SUGGESTIONS, SIMILARITY)
    near = near or difflib.get_close_matches(last, spellings, MAX_SUGGESTIONS, SIMILARITY)
    return [str(symbol) for symbol in dict.fromkeys(spellings[spelling] for spelling in near)]


def has_folder(graph: CodeMap, folder: str) -> bool:
    """Whether a source file of the project lies in *folder*."""
    inside = f"/{folder.strip('./')}/"
    return any(inside in f"/{symbol.path}" for symbol in graph.symbols)


def _split(name: str) -> tuple[str, str]:
    """Return *name* as a file and what is in it; without a file, as it is and ""."""
    name = name.replace("::", ":").replace("#", ".").strip()
    path, _, inner = name.partition(":")
    if not is_source(path):
        return name.replace(":", "."), ""
    return path, inner.replace(":", ".")


def _ending_in(graph: CodeMap, name: str) -> list[Symbol]:
    """Return the symbols whose names end in *name*, in any case if none match exactly; code in files before files."""
    symbols = [s for s in graph.symbols if f".{_qualified(s)}".endswith(f".{name}")]
    if not symbols:
        ending = f".{name.casefold()}"
        symbols = [s for s in graph.symbols if f".{_qualified(s)}".casefold().endswith(ending)]
    return sorted(symbols, key=lambda symbol: (not symbol.name, _order(symbol)))


def _inherited(graph: CodeMap, name: str) -> list[Symbol]:
    """Return the method that the class with the first parts of *name* inherits."""
    owner, _, method = name.rpartition(".")
    classes = [symbol for symbol in _ending_in(graph, owner) if symbol.name] if owner else []
    visited = set(classes)
    bases: dict[Symbol, list[Symbol]] = {}
    for link in graph.links if classes else ():
        if link.type in INHERITANCE:
            bases.setdefault(link.source, []).append(link.target)
    for symbol in classes:
        if (own := Symbol(symbol.path, f"{symbol.name}.{method}")) in graph.symbols:
            return [own]
        new = [base for base in bases.get(symbol, ()) if base not in visited]
        visited.update(new)
        classes += new
    return []


def _with_parts(graph: CodeMap, name: str) -> Iterator[Symbol]:
    """Yield the symbols that have every part of *name*, in its order, and end in the last."""
    *outer, last = name.split(".")
    for symbol in graph.symbols if outer else ():
        parts = _qualified(symbol).split(".")
        if symbol.name and parts[-1] == last and _is_subsequence(outer, parts[:-1]):
            yield symbol


def _is_subsequence(parts: Sequence[str], full: Iterable[str]) -> bool:
    rest = iter(full)
    return all(part in rest for part in parts)


def _qualified(symbol: Symbol) -> str:
    file = without_ending(symbol.path).removesuffix("/__init__").replace("/", ".")
    return f"{file}.{symbol.name}" if symbol.name else file


def _order(symbol: Symbol) -> tuple[bool, int, Symbol]:
    """Code before its tests, the outermost first."""
    in_tests = any(part.startswith(("test", "__tests__", "spec")) for part in symbol.path.split("/"))
    return in_tests or bool(_TEST_FILE.search(symbol.path)), symbol.name.count("."), symbol
