"""The languages, and how they differ in what names mean.

Each has a module in :mod:`autology.codegraph.languages` with its ``DIALECT``, the ``RULES`` by which its syntax trees
are read, and ``read_manifest`` if it has manifests. A module is loaded when the first file of its language is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from autology.codegraph.facts import FileFacts
from autology.codegraph.file_endings import MANIFESTS, MODULES, file_ending
from autology.codegraph.resolver_base import ModuleResolver


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """One language, or several that share their files and their rules of name resolution."""

    name: str
    module_resolver: Callable[[Mapping[str, FileFacts], Mapping[str, str]], ModuleResolver]
    """Resolves imports among the files of the language, given the folders of the packages that manifests name."""
    builtins: frozenset[str] = frozenset()
    """Names that the language itself defines."""
    common_methods: frozenset[str] = frozenset()
    """Methods of the language's own objects: a call of one on an unknown object tells nothing."""
    explicit_imports: bool = True
    """Every name of the project is defined in the file or imported; any other is external."""
    implicit_this: bool = False
    """A method refers to members of its class without naming an object."""
    wrapper_types: frozenset[str] = frozenset()
    """Generic types that are treated as their argument: ``Optional[Store]`` as ``Store``."""
    passthrough_methods: frozenset[str] = frozenset()
    """Methods of wrappers that return what is wrapped."""
    open_classes: bool = False
    """A class may be defined in several files."""
    structural_types: bool = False
    """A class implements an interface by having its methods, without naming it."""
    global_types: bool = False
    """A type name that cannot be resolved means the only type of that name in the project."""
    parentheses: bool = True
    """A call needs parentheses; else naming a method calls it."""
    calls_convert: bool = False
    """A call of a type converts a value."""
    modules_are_callable: bool = False
    """A module may stand for its default export."""
    interfaces_merge: bool = False
    """An interface may add to another of its name."""
    capitals_are_public: bool = False
    """A name is public if it begins with a capital."""
    exported_kinds: tuple[str, ...] = ()
    """Kinds of definition that are private without a keyword such as ``export``."""
    hiding_keyword: str = "private"
    """Makes a definition private."""


def names(language: str, field: str) -> frozenset[str]:
    """Return the names in known_names.txt for that *field* of the dialect of a *language*."""
    return _known_names()[f"{language} {field}"]


@cache
def _known_names() -> Mapping[str, frozenset[str]]:
    with open(os.path.join(os.path.dirname(__file__), "known_names.txt"), encoding="utf-8") as file:
        text = file.read().replace("\n  ", " ")
    entries = (line.partition(": ") for line in text.splitlines() if line[0] != "#")
    return {key: frozenset(listed.split()) for key, _, listed in entries}


@cache
def _dialect(module: str) -> Dialect:
    dialect: Dialect = import_module(f"autology.codegraph.languages.{module}").DIALECT
    return dialect


def dialect_of(path: str) -> Dialect | None:
    """Return the dialect of a file by its name; None where it is not source code."""
    module = MODULES.get(file_ending(path))
    return _dialect(module) if module else None


def is_manifest_of(path: str, dialect: Dialect) -> bool:
    """Whether the file at *path* names the package of a folder with files of *dialect*."""
    return MANIFESTS.get(path.rpartition("/")[2]) == dialect.name
