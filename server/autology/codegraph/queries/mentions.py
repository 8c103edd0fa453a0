"""Names in source that no link explains: on objects of unknown type, in strings, settings and templates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from autology.codegraph.expressions import ATTRIBUTE, NAME, Expr
from autology.codegraph.facts import METHOD, Definition, FileFacts, Import, Use
from autology.codegraph.file_endings import is_python
from autology.codegraph.graph import CodeMap, LinkType, Symbol

_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"""[=(,+\[]\s*\w{0,2}(\"{3}|'{3})(.*?)\1|(["'])((?:\\.|(?!\3)[^\\\n])*)\3""", re.DOTALL)
_CODE = re.compile(r"(?<=\.)\w+|\w+(?=\()")
"""Names in a string of several words that are written as code, which may be run."""
_EXPORTED = re.compile(r"__all__\s*(?::[^=\n]+)?(?:\+?=|\.(?:extend|append)\()\s*[\[(]?([^\])]*)")
_REFLECTION = re.compile(r"getattr\(|globals\(\)|vars\(|methodcaller\(|__dict__|import_module\(")
_PREFIX = re.compile(r"""["']([^\W\d]\w+_)(?:["'{]|%s)""")
_SUFFIX = re.compile(r"""(?:\}|%s|\+\s*["'])(_\w{2,})["']""")
_HEAD_LINES = 4
"""Lines of a definition in which its name may be: after annotations, templates, the return type."""
Locations = dict[str, set[tuple[str, int]]]
"""The files and lines of each name."""


def _locations() -> Locations:
    return defaultdict(set)


@dataclass(slots=True)
class Mentions:
    """Where the names of definitions are written, whatever they refer to there.

    *attributes* are written after a dot; so are *methods*, which are known to refer to a method. *strings* are quoted,
    or written in settings and templates. *exported* names are offered to other projects; names with one of *prefixes*
    or *suffixes* may be composed at run time. *heads* are the lines above definitions in other languages than Python.
    """

    names: Locations = field(default_factory=_locations)
    attributes: Locations = field(default_factory=_locations)
    methods: Locations = field(default_factory=_locations)
    strings: Locations = field(default_factory=_locations)
    exported: set[str] = field(default_factory=set)
    prefixes: set[str] = field(default_factory=set)
    suffixes: set[str] = field(default_factory=set)
    heads: dict[tuple[str, int], str] = field(default_factory=dict)

    def may_be_composed(self, name: str) -> bool:
        """Whether *name* may be put together at run time."""
        return name.startswith(tuple(self.prefixes)) or name.endswith(tuple(self.suffixes))


class MentionScanner:
    """Looks for the names of *wanted* definitions in a project's facts and texts."""

    def __init__(self, wanted: Mapping[Symbol, Definition], graph: CodeMap, facts: Mapping[str, FileFacts]) -> None:
        self._mentions = Mentions()
        self._facts = facts
        self._python_names = frozenset(symbol.last for symbol in wanted if is_python(symbol.path))
        self._other_names = frozenset(symbol.last for symbol in wanted if not is_python(symbol.path))
        self._names = self._python_names | self._other_names
        self._lines: dict[str, set[int]] = defaultdict(set)
        for symbol, definition in wanted.items():
            self._lines[symbol.path].add(definition.line)
        self._roots = {part for path in facts for part in path.removesuffix(".py").split("/")}
        self._explained: dict[str, set[tuple[int, str]]] = defaultdict(set)
        self._method_uses: dict[str, set[tuple[int, str]]] = defaultdict(set)
        for link in graph.links:
            name = link.target.last
            if name in self._names and link.type not in (LinkType.DEFINES, LinkType.IMPORTS, LinkType.OVERRIDES):
                target = graph.symbols.get(link.target)
                several = target is not None and target.kind == METHOD  # it may be that of another class as well
                (self._method_uses if several else self._explained)[link.source.path].add((link.line, name))

    def is_own_import(self, import_: Import) -> bool:
        """Whether an import may be of this project."""
        return import_.level > 0 or import_.module.partition(".")[0] in self._roots

    def scan(self, texts: Iterable[tuple[str, str]]) -> Mentions:
        """Return where the names are written in *texts*, pairs of a path and a text."""
        for path, text in texts:
            facts = self._facts.get(path)
            if facts is None or facts.fault:
                for line, name in _occurrences(text, self._names):
                    self._mentions.strings[name].add((path, line))
            elif is_python(path):
                self._scan_python(path, facts, text)
            else:
                self._scan_lines(path, facts, text)
        return self._mentions

    # ---- Python, of which every use is known -----------------------------------------------------

    def _scan_python(self, path: str, facts: FileFacts, text: str) -> None:
        imports = {import_.local: import_ for import_ in facts.imports}
        bound = {(binding.owner, binding.name) for binding in facts.bindings}
        starred = any(import_.name == "*" for import_ in facts.imports)
        defined = {definition.name.rpartition(".")[2] for definition in facts.definitions}
        for use in facts.uses:
            name = use.value[-1]
            if name not in self._python_names or (use.line, name) in self._explained[path]:
                continue
            if use.value[0] == NAME:
                own = name in defined or starred or (name in imports and self.is_own_import(imports[name]))
                if own and not any((scope, name) in bound for scope in _enclosing(use)):
                    self._mentions.names[name].add((path, use.line))
            elif (use.line, name) in self._method_uses[path]:
                self._mentions.methods[name].add((path, use.line))
            elif not self._is_external(use.value[1], imports):
                self._mentions.attributes[name].add((path, use.line))
        self._scan_imports(path, facts)
        self._scan_strings(path, text)

    def _scan_imports(self, path: str, facts: FileFacts) -> None:
        is_package = path.rpartition("/")[2] == "__init__.py"
        for import_ in facts.imports:
            if not self.is_own_import(import_):
                continue
            if is_package:
                self._mentions.exported.add(import_.name)
            elif import_.name in self._python_names:
                self._mentions.names[import_.name].add((path, import_.line))

    def _is_external(self, owner: Expr, imports: Mapping[str, Import]) -> bool:
        """Whether *owner* is a module of another library, or something in one."""
        while owner[0] == ATTRIBUTE:
            owner = owner[1]
        return owner[0] == NAME and owner[1] in imports and not self.is_own_import(imports[owner[1]])

    def _scan_strings(self, path: str, text: str) -> None:
        for block in _EXPORTED.finditer(text):
            self._mentions.exported.update(_WORD.findall(block[1]))
        for string in _STRING.finditer(text):
            content = string[2] or string[4] or ""
            words = (_CODE if " " in content or "\n" in content else _WORD).findall(content)
            for name in self._names.intersection(words):
                self._mentions.strings[name].add((path, text.count("\n", 0, string.start()) + 1))
        if _REFLECTION.search(text):
            prefixes = (match[1] for match in _PREFIX.finditer(text))
            self._mentions.prefixes.update(prefix for prefix in prefixes if not prefix.startswith("__"))
            self._mentions.suffixes.update(match[1] for match in _SUFFIX.finditer(text))

    # ---- other languages, by their lines ---------------------------------------------------------

    def _scan_lines(self, path: str, facts: FileFacts, text: str) -> None:
        heads = {
            (line, definition.name.rpartition(".")[2])
            for definition in facts.definitions
            for line in range(definition.line, min(definition.end, definition.line + _HEAD_LINES) + 1)
        }
        explained = heads | self._explained[path]
        for line, name in _occurrences(text, self._other_names):
            if (line, name) not in explained:
                self._mentions.names[name].add((path, line))
        self._scan_strings(path, text)
        if self._lines[path]:
            lines = text.splitlines()
            for line in self._lines[path]:
                self._mentions.heads[path, line] = "\n".join(lines[max(0, line - 2) : line])


def _occurrences(text: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of *text* in which one of *names* is written, and the name."""
    if not names.isdisjoint(_WORD.findall(text)):
        for number, line in enumerate(text.splitlines(), 1):
            for name in names.intersection(_WORD.findall(line)):
                yield number, name


def _enclosing(use: Use) -> Iterator[str]:
    """Yield the functions and classes around *use*, but not the file."""
    scope = use.scope
    while scope:
        yield scope
        scope = scope.rpartition(".")[0]
