"""Which files an import leads to, and which files' names a file sees without one: what languages have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from autology.codegraph.facts import FileFacts, Import


@dataclass(frozen=True, slots=True)
class SourceModule:
    """Files that are imported as one, identified by *key*."""

    key: str
    paths: tuple[str, ...]

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> SourceModule:
        """Return the module made up of the files at *paths*."""
        return cls(paths[0] if len(paths) == 1 else "\n".join(paths), paths)


class ModuleResolver:
    """Resolves the imports among *files* of one language; *packages* maps names in manifests to their folders."""

    imports_many_files = False
    """An import brings many files, of which those count whose names are then used."""
    imports_members = False
    """An import may name a member of a class, or of a module within a file."""

    def __init__(self, files: Mapping[str, FileFacts], packages: Mapping[str, str]) -> None:
        self.facts = files
        self.packages = packages
        self.prepare()

    def prepare(self) -> None:
        """Index the files once."""

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        """Return the files of *module* as named in the file *importer*; none where it is external."""
        return ()

    def imported(self, import_: Import, importer: str) -> tuple[str, ...]:
        """Return the files that an import names as its module."""
        return self.find(import_.module, importer, import_.level)

    def imported_submodule(self, import_: Import, importer: str) -> tuple[str, ...]:
        """Return the files of what an import brings, where that is not a name in a file but a file itself."""
        return self.find(f"{import_.module}.{import_.name}".strip("."), importer, import_.level)

    def submodule(self, path: str, name: str) -> tuple[str, ...]:
        """Return the files of *name* below the module at *path*."""
        return ()

    def visible(self, path: str) -> Sequence[SourceModule]:
        """Return the files whose names the one at *path* sees without an import, nearest first."""
        return ()

    def may_be_own(self, import_: Import) -> bool:
        """Whether an import that leads to no file may be of this project all the same."""
        return False

    def nearest(self, paths: Sequence[str], importer: str) -> tuple[str, ...]:
        """Return the one of *paths* that lies nearest to *importer*, if there is any."""
        return (min(paths, key=lambda path: (-_common_folders(path, importer), path)),) if paths else ()

    def package_of(self, module: str) -> str | None:
        """Return the longest name in a manifest that *module* begins with."""
        names = (name for name in self.packages if module == name or module.startswith(f"{name}/"))
        return max(names, key=len, default=None)


class DeclaredPackages(ModuleResolver):
    """Files by the package or namespace that they declare."""

    imports_many_files = True
    imports_members = True
    sees_outer = False
    """A namespace sees the names of those around it."""

    def prepare(self) -> None:
        packages: dict[str, list[str]] = defaultdict(list)
        for path, facts in sorted(self.facts.items()):
            for package in facts.packages or ("",):
                packages[package].append(path)
        self._packages = {package: tuple(paths) for package, paths in packages.items()}

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        return self._packages.get(module, ())

    def visible(self, path: str) -> Sequence[SourceModule]:
        own = self.facts[path].packages or ("",)
        packages = [name for package in own for name in (_namespaces(package) if self.sees_outer else (package,))]
        present = (name for name in dict.fromkeys(packages) if name in self._packages)
        return [SourceModule(f"package:{name}", self._packages[name]) for name in present]


def _namespaces(package: str) -> Iterable[str]:
    """Yield a namespace and those around it."""
    while package:
        yield package
        package = package.rpartition(".")[0]
    yield ""


def _common_folders(path: str, other: str) -> int:
    """Return how many of their folders, from the root on, two files have in common."""
    pairs = list(zip(path.split("/")[:-1], other.split("/")[:-1], strict=False))
    return next((number for number, (one, two) in enumerate(pairs) if one != two), len(pairs))
