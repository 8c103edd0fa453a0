"""The parsers of other languages, as the user has them: what reads which files, installing, removing."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from autology.extras import ELSEWHERE, MARKER, Extras, Place, attempt, fetch, tag
from autology.languages.catalogue import LANGUAGES, Language
from autology.languages.treesitter import TreeSitter
from autology.model.code import Facts
from autology.model.errors import ParsingError

NAME = "tree-sitter"
REQUIREMENTS = os.path.join(os.path.dirname(__file__), "parsers.txt")
MEGABYTES = 25
"""On the disk; 3 are fetched."""
COMMAND = "autology languages install"


class Languages:
    """The :class:`~autology.core.code.ports.Languages` whose parsers are in a *folder* of the user's."""

    def __init__(self, folder: str, requirements: str = REQUIREMENTS) -> None:
        self.folder = folder
        self.catalogue: tuple[Language, ...] = LANGUAGES
        self.megabytes = MEGABYTES
        self._requirements = requirements
        self._extras = Extras(folder, "Python is read without it")
        self._loaded: tuple[int, Mapping[str, Callable[[str], Facts]]] | None = None

    @property
    def place(self) -> Place:
        """Where the parsers are, or would be."""
        return self._extras.place(NAME)

    def parsers(self) -> Mapping[str, Callable[[str], Facts]]:
        """Return what reads files, by their endings; nothing where nothing is installed for this Python."""
        folder = os.path.join(self.folder, NAME, tag())
        try:
            at = os.stat(os.path.join(folder, MARKER)).st_mtime_ns
        except OSError:
            return {}
        if self._loaded is None or self._loaded[0] != at:
            made = TreeSitter(os.path.join(folder, "packages"))
            self._loaded = (at, {ending: made.parser(each) for each in LANGUAGES for ending in each.endings})
        return self._loaded[1]

    def named(self) -> Mapping[str, str]:
        """Return which language the files are in that could be read, by their endings."""
        return {ending: each.name for each in LANGUAGES for ending in each.endings}

    def missing(self) -> str:
        """Return why other languages are not read, and what changes it."""
        others = self.place.others
        reason = f"their parsers are installed for another Python ({others[0]}), not for {tag()}: " if others else ""
        return f"{reason}`{COMMAND}` has them read"

    def check(self) -> None:
        """Look whether what is installed runs. Raises ParsingError."""
        for each in LANGUAGES:
            if parser := self.parsers().get(each.endings[0]):
                parser("")

    def install(self, wheels: str | None = None) -> Place:
        """Fetch and try the parsers for this Python, out of the folder *wheels* alone if one is given.

        Raises:
            ParsingError: they could not be fetched, or do not run.
            StorageError: the disk refused.
        """

        def fill(staged: str) -> None:
            packages = os.path.join(staged, "packages")
            fetch(self._requirements, packages, wheels, COMMAND, ParsingError)
            modules = sorted({f"{each.parser} {each.function}" for each in LANGUAGES})
            printed, failed = attempt(_TRIAL, packages, *modules)
            if failed or printed != str(len(modules)):
                raise ParsingError(f"were fetched and do not run here: {failed}", ELSEWHERE)

        return self._extras.put(NAME, fill, {"parsers": NAME})

    def remove(self) -> bool:
        """Remove the parsers for every Python; return whether there were any. Raises StorageError."""
        return self._extras.remove(NAME)


_TRIAL = """\
import importlib, sys
sys.path.insert(0, sys.argv[1])
import tree_sitter
done = 0
for each in sys.argv[2:]:
    module, function = each.split()
    language = tree_sitter.Language(getattr(importlib.import_module(module), function)())
    done += tree_sitter.Parser(language).parse(b"x").root_node.end_byte
print(done)
"""
