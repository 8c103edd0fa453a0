"""The parsers of other languages than Python that the user has installed, by file name ending."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from autology.codegraph.facts import FileFacts
from autology.codegraph.file_endings import LANGUAGES, Language
from autology.codegraph.parsing.treesitter import TreeSitter, manifest_parser
from autology.extras import ELSEWHERE, MARKER, Extras, Installation, attempt, fetch, tag
from autology.model.errors import ParsingError
from autology.model.next_step import Action, Sentence, do

NAME = "tree-sitter"
REQUIREMENTS = os.path.join(os.path.dirname(__file__), "parsers.txt")
MEGABYTES = 25
"""On the disk; 3 are fetched."""
Parser = Callable[[str], FileFacts]
"""Returns the facts of a text, or facts with a fault; it never runs the text.

Raises:
    ParsingError: the parser does not run here, whatever the text is.
"""
MANIFEST_PARSERS: Mapping[str, Parser] = {one.manifest: manifest_parser(one) for one in LANGUAGES if one.manifest}


class Languages:
    """The parsers in a *folder* of the user's."""

    def __init__(self, folder: str, requirements: str = REQUIREMENTS) -> None:
        self.folder = folder
        self.catalogue: tuple[Language, ...] = LANGUAGES
        self.megabytes = MEGABYTES
        self._requirements = requirements
        self._extras = Extras(folder, "Python is read without it")
        self._loaded: tuple[int, Mapping[str, Parser]] | None = None

    @property
    def place(self) -> Installation:
        """Where the parsers are, or would be."""
        return self._extras.installation(NAME)

    def parsers(self) -> Mapping[str, Parser]:
        """Return the parsers by file name ending, those of manifests by file name; none if not installed."""
        folder = os.path.join(self.folder, NAME, tag())
        try:
            installed_at = os.stat(os.path.join(folder, MARKER)).st_mtime_ns
        except OSError:
            return {}
        if self._loaded is None or self._loaded[0] != installed_at:
            tree_sitter = TreeSitter(os.path.join(folder, "packages"))
            parsers = {ending: tree_sitter.parser(language) for language in LANGUAGES for ending in language.endings}
            self._loaded = (installed_at, {**parsers, **MANIFEST_PARSERS})
        return self._loaded[1]

    def names(self) -> Mapping[str, str]:
        """Return the names of the languages by file name ending, installed or not."""
        return {ending: language.name for language in LANGUAGES for ending in language.endings}

    def missing(self) -> Sentence:
        """Return why other languages are not parsed, and what installs their parsers."""
        others = self.place.others
        reason = f"their parsers are installed for another Python ({others[0]}), not for {tag()}: " if others else ""
        return Sentence(reason, do(Action.INSTALL_PARSERS), " has them read")

    def check(self) -> None:
        """Try what is installed. Raises ParsingError."""
        for language in LANGUAGES:
            if parser := self.parsers().get(language.endings[0]):
                parser("")

    def install(self, wheels: str | None = None) -> Installation:
        """Fetch and try the parsers for this Python; with *wheels*, out of that folder alone.

        Raises:
            ParsingError: they could not be fetched, or do not run.
            StorageError: the disk refused.
        """

        def fill(staged: str) -> None:
            packages = os.path.join(staged, "packages")
            fetch(self._requirements, packages, wheels, do(Action.INSTALL_PARSERS, wheels="wheels"), ParsingError)
            modules = sorted({f"{language.package} {language.function}" for language in LANGUAGES})
            printed, failed = attempt(_TRIAL, packages, *modules)
            if failed or printed != str(len(modules)):
                raise ParsingError(f"were fetched and do not run here: {failed}", ELSEWHERE)

        return self._extras.install(NAME, fill, {"parsers": NAME})

    def remove(self) -> bool:
        """Remove the parsers for every Python; return whether there were any. Raises StorageError."""
        return self._extras.remove(NAME)


_TRIAL = """\
import importlib, sys
sys.path.insert(0, sys.argv[1])
import tree_sitter
done = 0
for argument in sys.argv[2:]:
    module, function = argument.split()
    language = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    done += tree_sitter.Parser(language).parse(b"x").root_node.end_byte
print(done)
"""
