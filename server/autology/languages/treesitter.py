"""Parsing by tree-sitter, out of a folder of the user's; what is broken, huge or made by a program harms nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from autology.languages.catalogue import Language
from autology.languages.reader import Grammar, Node, Reader
from autology.model.code import Facts
from autology.model.errors import ParsingError

SECONDS = 5.0
"""For one file; one of a megabyte takes a quarter of a second, and ten times that where every second line is wrong."""
NODES = 400_000
"""Of one file; 1 MB of dense source has 350,000, which are walked in 3 s."""
LONGEST = 20_000
"""Characters of a line; those of bundles and of data have more, those that people wrote a thousand at most."""


class TreeSitter:
    """The parsers in the folder *packages*; nothing is loaded before the first file."""

    def __init__(self, packages: str) -> None:
        self._packages = packages
        self._parsers: dict[str, tuple[Any, Grammar]] = {}

    def parser(self, language: Language) -> Callable[[str], Facts]:
        """Return what reads files of *language*; it raises ParsingError where the folder is damaged."""

        def read(text: str) -> Facts:
            if max(map(len, text.splitlines()), default=0) > LONGEST:
                return Facts(fault="was written by a program: it has lines of thousands of characters")
            try:
                parser, grammar = self._loaded(language)
            except (ImportError, AttributeError, ValueError, OSError) as error:
                said = " ".join(str(error).split())[:200]
                raise ParsingError(f"do not run here: {type(error).__name__}: {said}") from error
            root = _parsed(parser, text.encode("utf-8", "replace"))
            if root is None:
                return Facts(fault=f"takes more than {SECONDS:g} s to parse")
            if root.descendant_count > NODES:
                return Facts(fault="has too many parts to be looked into")
            facts = Reader(grammar).read(root)
            if root.has_error and not (facts.definitions or facts.imports or facts.uses):
                return Facts(fault=f"line {_first_error(root)}: nothing in it is {language.name}")
            return facts

        return read

    def _loaded(self, language: Language) -> tuple[Any, Grammar]:
        if language.name not in self._parsers:
            if self._packages not in sys.path:
                sys.path.append(self._packages)  # at the end: what we came with comes first
            core, tables = import_module("tree_sitter"), import_module(language.parser)
            parser = core.Parser(core.Language(getattr(tables, language.function)()))
            grammar: Grammar = import_module(f"autology.languages.{language.grammar}").GRAMMAR
            self._parsers[language.name] = (parser, grammar)
        return self._parsers[language.name]


def _parsed(parser: Any, data: bytes) -> Node | None:
    """Return the root of what *data* says, or None where that takes too long."""
    until = time.monotonic() + SECONDS
    view = memoryview(data)
    try:
        tree = parser.parse(
            lambda at, _: bytes(view[at : at + 65_536]), progress_callback=lambda _, __: time.monotonic() > until
        )
    except ValueError:  # what was stopped
        parser.reset()
        return None
    # Once more, over the tree that is there, in no time: one that was made piece by piece asks for them at each name.
    return parser.parse(data, tree).root_node


def _first_error(root: Node) -> int:
    """The line of what first makes no sense."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            return int(node.start_point[0]) + 1
        waiting += [each for each in reversed(node.children) if each.has_error]
    return 1
