"""Answering questions about code from the code graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autology.codegraph.facts import FILE
from autology.codegraph.graph import CodeMap, CodeState, NamedSymbol, Symbol
from autology.codegraph.queries.code_answer import CodeAnswer
from autology.codegraph.queries.questions import WRITTEN_AS_CODE, CodeQuestion, QuestionKind, parse_question
from autology.codegraph.queries.symbol_search import find_symbols, has_folder, similar_names
from autology.codegraph.queries.traversal import INCOMING, Traversal
from autology.codegraph.queries.unused import find_unused

MAX_SYMBOLS = 5
"""Symbols of one name that are answered for together; of more the question must say which."""
MAX_LINKS = 40
MAX_OTHERS = 20
MAX_UNUSED = 100
MAX_FAULTS = 3
Texts = Callable[[], Iterable[tuple[str, str]]]
"""Returns the project's files, and what else may name code, as paths and texts."""


def answer_question(state: CodeState, question: CodeQuestion, texts: Texts) -> CodeAnswer | None:
    """Return the answer to *question*; None where nothing has one of its names."""
    graph = state.graph
    faults = list(graph.faults.items())[:MAX_FAULTS]
    notes = [*state.notes, *(f"{path} is not looked into: {fault}" for path, fault in faults)]
    files = sum(not symbol.name for symbol in graph.symbols)
    if question.kind is QuestionKind.UNUSED:
        return _unused(state, question.names, files, notes, texts)
    symbols = _first_symbols(graph, question.names)
    if not symbols:
        return None
    about = [symbol for symbol in symbols if symbol.name][:MAX_SYMBOLS] or symbols[:MAX_SYMBOLS]
    if len(symbols) > len(about):
        notes.append(
            f"{len(symbols)} pieces of code have that name; these are {len(about)} of them: name the class or file too"
        )
    hits = list(Traversal(graph).hits(about, question.kind))
    names = {symbol.last for symbol in about if symbol.name}
    calls = [call for call in graph.ambiguous if call.name in names] if question.kind in INCOMING else []
    others = [symbol for symbol in symbols if symbol not in about]
    return CodeAnswer(
        question.kind,
        _named(graph, about),
        files,
        tuple(notes),
        links=tuple(hits[:MAX_LINKS]),
        more=max(0, len(hits) - MAX_LINKS),
        ambiguous=tuple(calls),
        others=_named(graph, others[:MAX_OTHERS]),
    )


def _first_symbols(graph: CodeMap, names: Iterable[str]) -> list[Symbol]:
    """Return the symbols with the first of *names* that any symbol has."""
    return next((symbols for name in names if (symbols := find_symbols(graph, name))), [])


def _named(graph: CodeMap, symbols: Iterable[Symbol]) -> tuple[NamedSymbol, ...]:
    definitions = [(symbol, graph.symbols[symbol]) for symbol in symbols]
    return tuple(
        NamedSymbol(symbol, definition.kind, definition.line) if definition else NamedSymbol(symbol, FILE, 1)
        for symbol, definition in definitions
    )


def _unused(
    state: CodeState, names: Sequence[str], files: int, notes: Sequence[str], texts: Texts
) -> CodeAnswer | None:
    """Return what is unused in the whole project, or in what has the first of *names* that anything has."""
    symbols = _first_symbols(state.graph, names)
    folder = next((name for name in names if has_folder(state.graph, name)), "")
    if names and not symbols and not folder:
        return None
    result = find_unused(state.graph, state.facts, texts())
    unused = [one for one in result.unused if not names or _is_within(one.symbol, symbols, folder)]
    return CodeAnswer(
        QuestionKind.UNUSED,
        _named(state.graph, symbols[:MAX_SYMBOLS]),
        files,
        tuple(notes),
        more=max(0, len(unused) - MAX_UNUSED),
        unused=tuple(unused[:MAX_UNUSED]),
        left_out=result.left_out,
    )


def _is_within(symbol: Symbol, outer: Sequence[Symbol], folder: str) -> bool:
    if folder and f"/{folder.strip('./')}/" in f"/{symbol.path}":
        return True
    return any(
        symbol.path == part.path and (not part.name or f"{symbol.name}.".startswith(f"{part.name}.")) for part in outer
    )


def missing_name(graph: CodeMap, query: str) -> tuple[str, list[str]]:
    """Return the name in *query* that no symbol has, and symbols with similar names."""
    question = parse_question(query)
    names = question.names if question else (query,)
    similar = next((similar for name in names if (similar := similar_names(graph, name))), [])
    return names[0] if names else query, similar


def missing_note(graph: CodeMap, query: str) -> str:
    """Return a note that no symbol has the name in *query*, with suggestions; "" where it may be an ordinary word."""
    question = parse_question(query)
    if not question or not question.names:
        return ""
    name = question.names[0]
    if name not in query or not WRITTEN_AS_CODE.search(name):
        return ""
    name, similar = missing_name(graph, query)
    suggestion = f" Did you mean {', '.join(similar)}?" if similar else ""
    return f"the code graph has nothing called '{name[:80]}'.{suggestion}"
