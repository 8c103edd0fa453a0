"""Where names are written that no link explains: on unknown objects, in strings, settings and templates."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from autology.core.code.dialects import PYTHON, dialect_of
from autology.core.code.resolve import CodeMap
from autology.model.code import METHOD, CodeEdge, Definition, Expr, Facts, Import, Symbol, Use

_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"""[=(,+\[]\s*\w{0,2}(\"{3}|'{3})(.*?)\1|(["'])((?:\\.|(?!\3)[^\\\n])*)\3""", re.DOTALL)
_CODE = re.compile(r"(?<=\.)\w+|\w+(?=\()")
"""What is written as code in a string of several words: it may be run."""
_EXPORTED = re.compile(r"__all__\s*(?::[^=\n]+)?(?:\+?=|\.(?:extend|append)\()\s*[\[(]?([^\])]*)")
_DYNAMIC = re.compile(r"getattr\(|globals\(\)|vars\(|methodcaller\(|__dict__|import_module\(")
_BEGINS = re.compile(r"""["']([^\W\d]\w+_)(?:["'{]|%s)""")
_ENDS = re.compile(r"""(?:\}|%s|\+\s*["'])(_\w{2,})["']""")
_HEAD = 4
"""Lines of a definition in which its name may stand: after annotations, templates, the type that it gives."""
Places = dict[str, set[tuple[str, int]]]
"""Where each name is written: files and lines."""


def _places() -> Places:
    return defaultdict(set)


@dataclass(slots=True)
class Mentions:
    """Where the names of definitions are written, whatever is meant there.

    *attributes* are written after a dot, *methods* too, but those are known to mean a method; *strings* are written
    in quotes, in settings and templates. Files offer what is *exported*, and names that *begins* or *ends* so are put
    together while the program runs. *heads* are the lines above definitions in other languages than Python.
    """

    names: Places = field(default_factory=_places)
    attributes: Places = field(default_factory=_places)
    methods: Places = field(default_factory=_places)
    strings: Places = field(default_factory=_places)
    exported: set[str] = field(default_factory=set)
    begins: set[str] = field(default_factory=set)
    ends: set[str] = field(default_factory=set)
    heads: dict[tuple[str, int], str] = field(default_factory=dict)

    def put_together(self, name: str) -> bool:
        """Whether *name* may be one that is made while the program runs."""
        return any(name.startswith(each) for each in self.begins) or any(name.endswith(each) for each in self.ends)


class Reading:
    """Looks for the names of *wanted* definitions in a project's facts and texts."""

    def __init__(self, wanted: Mapping[Symbol, Definition], known: CodeMap, facts: Mapping[str, Facts]) -> None:
        self.found = Mentions()
        self._facts = facts
        self._python_names = frozenset(_last(each.name) for each in wanted if dialect_of(each.path) is PYTHON)
        self._other_names = frozenset(_last(each.name) for each in wanted if dialect_of(each.path) is not PYTHON)
        self._wanted = self._python_names | self._other_names
        self._heads: dict[str, set[int]] = defaultdict(set)
        for symbol, definition in wanted.items():
            self._heads[symbol.path].add(definition.line)
        self._tops = {part for path in facts for part in path.removesuffix(".py").split("/")}
        self._explained: dict[str, set[tuple[int, str]]] = defaultdict(set)
        self._methods: dict[str, set[tuple[int, str]]] = defaultdict(set)
        for link in known.links:
            name = _last(link.target.name)
            if name in self._wanted and link.type not in (CodeEdge.DEFINES, CodeEdge.IMPORTS, CodeEdge.OVERRIDES):
                target = known.symbols.get(link.target)
                several = target is not None and target.kind == METHOD  # it may be that of another class as well
                (self._methods if several else self._explained)[link.source.path].add((link.line, name))

    def ours(self, told: Import) -> bool:
        """Whether an import may be of this project."""
        return told.level > 0 or told.module.partition(".")[0] in self._tops

    def take_in(self, texts: Iterable[tuple[str, str]]) -> Mentions:
        """Return where the names are written in the files with these *texts*."""
        for path, text in texts:
            facts = self._facts.get(path)
            if facts is None or facts.fault:
                self._words(path, text)
            elif dialect_of(path) is PYTHON:
                self._python(path, facts, text)
            else:
                self._lines(path, facts, text)
        return self.found

    # ---- Python, of which every use is known -------------------------------------------------------

    def _python(self, path: str, facts: Facts, text: str) -> None:
        imports = {told.local: told for told in facts.imports}
        bound = {(binding.owner, binding.name) for binding in facts.bindings}
        starred = any(told.name == "*" for told in facts.imports)
        defined = {_last(definition.name) for definition in facts.definitions}
        for use in facts.uses:
            name = use.value[-1]
            if name not in self._python_names or (use.line, name) in self._explained[path]:
                continue
            if use.value[0] == "n":
                own = name in defined or starred or (name in imports and self.ours(imports[name]))
                if own and not any((scope, name) in bound for scope in _around(use)):
                    self.found.names[name].add((path, use.line))
            elif (use.line, name) in self._methods[path]:
                self.found.methods[name].add((path, use.line))
            elif not self._foreign(use.value[1], imports):
                self.found.attributes[name].add((path, use.line))
        self._imported(path, facts)
        self._strings(path, text)

    def _imported(self, path: str, facts: Facts) -> None:
        package = path.rpartition("/")[2] == "__init__.py"
        for told in facts.imports:
            if package and self.ours(told):
                self.found.exported.add(told.name)
            elif told.name in self._python_names and self.ours(told):
                self.found.names[told.name].add((path, told.line))

    def _foreign(self, owner: Expr, imports: Mapping[str, Import]) -> bool:
        """Whether *owner* is a module of another library, or what one offers."""
        while owner[0] == "a":
            owner = owner[1]
        return owner[0] == "n" and owner[1] in imports and not self.ours(imports[owner[1]])

    def _strings(self, path: str, text: str) -> None:
        for block in _EXPORTED.finditer(text):
            self.found.exported.update(_WORD.findall(block[1]))
        for string in _STRING.finditer(text):
            content = string[2] or string[4] or ""
            words = (_CODE if " " in content or "\n" in content else _WORD).findall(content)
            for name in self._wanted.intersection(words):
                self.found.strings[name].add((path, text.count("\n", 0, string.start()) + 1))
        if _DYNAMIC.search(text):
            self.found.begins.update(each[1] for each in _BEGINS.finditer(text) if not each[1].startswith("__"))
            self.found.ends.update(each[1] for each in _ENDS.finditer(text))

    # ---- other languages, by their lines -----------------------------------------------------------

    def _lines(self, path: str, facts: Facts, text: str) -> None:
        heads = {
            (line, _last(definition.name))
            for definition in facts.definitions
            for line in range(definition.line, min(definition.end, definition.line + _HEAD) + 1)
        }
        known = heads | self._explained[path]
        for number, name in _written(text, self._other_names):
            if (number, name) not in known:
                self.found.names[name].add((path, number))
        self._strings(path, text)
        if self._heads[path]:
            lines = text.splitlines()
            for line in self._heads[path]:
                self.found.heads[path, line] = "\n".join(lines[max(0, line - 2) : line])

    def _words(self, path: str, text: str) -> None:
        for number, name in _written(text, self._wanted):
            self.found.strings[name].add((path, number))


def _written(text: str, names: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield the *names* that are written in *text*, with their lines."""
    if not names.isdisjoint(_WORD.findall(text)):
        for number, line in enumerate(text.splitlines(), 1):
            for name in names.intersection(_WORD.findall(line)):
                yield number, name


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _around(use: Use) -> Iterator[str]:
    """Yield the functions and classes that *use* is in, but not the file."""
    scope = use.scope
    while scope:
        yield scope
        scope = scope.rpartition(".")[0]
