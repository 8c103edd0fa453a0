"""From the facts of all files to the code graph; where no other file can see a change, its file alone is resolved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from autology.codegraph.dialects import dialect_of
from autology.codegraph.facts import Definition, FileFacts
from autology.codegraph.file_endings import is_source
from autology.codegraph.graph import AmbiguousCall, CodeLink, CodeMap, Symbol
from autology.codegraph.resolution.evaluation import Evaluator
from autology.codegraph.resolution.structure_links import StructureLinks
from autology.codegraph.resolution.use_links import UseLinks
from autology.core.long_work import Progress


class Resolver:
    """Resolves the names in files, and keeps the result for the next time."""

    def __init__(self) -> None:
        self._files: dict[str, FileFacts] = {}
        self._parts: tuple[StructureLinks, UseLinks] | None = None
        self._uses: dict[str, tuple[set[CodeLink], list[AmbiguousCall]]] = {}

    def resolve(self, files: Mapping[str, FileFacts], progress: Progress | None = None) -> CodeMap:
        """Return the code graph of *files*: always the same for the same files, whatever was resolved before."""
        changed = [path for path in files if self._files.get(path) is not files[path]]
        if self._parts and files.keys() == self._files.keys() and not self._is_visible(changed, files):
            structure, calls = self._parts
            for path in changed:
                calls.replace(path, files[path])
        else:
            evaluator = Evaluator(files)
            structure = StructureLinks(evaluator)
            calls = UseLinks(evaluator, structure.definitions())
            self._parts, self._uses, changed = (structure, calls), {}, list(files)
        for done, path in enumerate(changed, 1):
            self._uses[path] = calls.uses(path)
            if progress:
                progress(done, len(changed))
        self._files = dict(files)
        uses = {link for links, _ in self._uses.values() for link in links}
        symbols: dict[Symbol, Definition | None] = {Symbol(path, ""): None for path in sorted(files) if is_source(path)}
        return CodeMap(
            symbols | dict(structure.definitions()),
            tuple(sorted({*structure.links(uses), *uses}, key=_sort_key)),
            tuple(call for path in sorted(self._uses) for call in self._uses[path][1]),
            {path: facts.fault for path, facts in sorted(files.items()) if facts.fault},
        )

    def _is_visible(self, changed: list[str], files: Mapping[str, FileFacts]) -> bool:
        """Whether other files can see one of the changes."""
        return any(_interface(path, self._files[path]) != _interface(path, files[path]) for path in changed)


def _sort_key(link: CodeLink) -> tuple[str | int, ...]:
    """The order of links: that of their fields, in a quarter of the time that comparing them as they are takes."""
    source, target = link.source, link.target
    return (source.path, source.name, link.type, target.path, target.name, link.line, link.evidence)


def _interface(path: str, facts: FileFacts) -> FileFacts:
    """Return what other files can see of a file: everything but its uses, and where in the file things are."""
    dialect = dialect_of(path)
    sized = dialect is not None and dialect.open_classes  # the longest part of a class is its main part
    definitions = (replace(one, line=0, end=one.end - one.line if sized else 0) for one in facts.definitions)
    imports = (replace(import_, line=0) for import_ in facts.imports)
    return replace(facts, definitions=tuple(definitions), imports=tuple(imports), uses=(), fault="")
