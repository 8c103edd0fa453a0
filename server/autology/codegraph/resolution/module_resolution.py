"""Which files an import leads to, and which files' names a file sees without one, by the rules of each language."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from autology.codegraph.dialects import (
    CSHARP,
    GO,
    JAVA,
    JAVASCRIPT,
    PHP,
    PYTHON,
    RUBY,
    RUST,
    C,
    Dialect,
    without_ending,
)
from autology.codegraph.facts import Facts, Import

MAX_INCLUDED = 3_000
"""Files that one file includes, through others; in the largest projects some hundreds."""


@dataclass(frozen=True, slots=True)
class Module:
    """Files that are imported as one, identified by *key*."""

    key: str
    paths: tuple[str, ...]

    @classmethod
    def of(cls, paths: tuple[str, ...]) -> Module:
        """Return the module made up of the files at *paths*."""
        return cls(paths[0] if len(paths) == 1 else "\n".join(paths), paths)


class ModuleResolver:
    """Resolves the imports among *files* of one language; *packages* maps names in manifests to their folders."""

    imports_many_files = False
    """An import brings many files, of which those count whose names are then used."""
    imports_members = False
    """An import may name a member of a class, or of a module within a file."""

    def __init__(self, files: Mapping[str, Facts], packages: Mapping[str, str]) -> None:
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

    def visible(self, path: str) -> Sequence[Module]:
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


class PythonModules(ModuleResolver):
    """Modules by their folders.

    One in a package is named from the folder around the outermost package; any also from the project's root.
    """

    def prepare(self) -> None:
        self._packages = {posixpath.dirname(path) for path in self.facts if posixpath.basename(path) == "__init__.py"}
        self._named: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts):
            for name in self._names(path):
                self._named[name].append(path)
        self._roots = {name.partition(".")[0] for name in self._named}

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if level:
            folder = posixpath.dirname(importer)
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            module = ".".join(part for part in (*folder.split("/"), *module.split(".")) if part)
        return self.nearest(self._named.get(module, ()), importer)

    def submodule(self, path: str, name: str) -> tuple[str, ...]:
        if not path.endswith("/__init__.py"):
            return ()
        stem = path.removesuffix("__init__.py") + name
        return tuple(file for file in (f"{stem}.py", f"{stem}/__init__.py") if file in self.facts)[:1]

    def may_be_own(self, import_: Import) -> bool:
        return import_.module.partition(".")[0] in self._roots and import_.local == import_.module

    def _names(self, path: str) -> Iterable[str]:
        parts = path[: path.rindex(".")].split("/")
        if parts[-1] == "__init__":
            parts.pop()
        folder = posixpath.dirname(path)
        while folder in self._packages and folder:
            folder = posixpath.dirname(folder)
        depth = len(folder.split("/")) if folder else 0
        return sorted({".".join(parts), ".".join(parts[depth:])} - {""})


class JavaScriptModules(ModuleResolver):
    """Files by their paths, as bundlers and Node.js resolve them; packages of a workspace by their names."""

    def prepare(self) -> None:
        self._stems: dict[str, str] = {}
        self._tails: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts, key=lambda path: (path.endswith(".d.ts"), path)):
            stem = without_ending(path).removesuffix(".d")
            module = stem.removesuffix("/index")
            for name in (path, stem, module):
                self._stems.setdefault(name, path)
            self._tails[posixpath.basename(module)].append(module)
        if "index" in self._stems:
            self._stems.setdefault(".", self._stems["index"])

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(posixpath.dirname(importer), module)))
        if (name := self.package_of(module)) is not None:
            return self._in_package(self.packages[name], module[len(name) :].strip("/"))
        alias, _, rest = module.partition("/")
        if rest and alias in ("@", "~", "#", "src", "$lib", "app"):
            tails = self._tails.get(posixpath.basename(rest), ())
            near = self.nearest([stem for stem in tails if stem == rest or stem.endswith(f"/{rest}")], importer)
            return self._at(near[0]) if near else ()
        return ()

    def imported_submodule(self, import_: Import, importer: str) -> tuple[str, ...]:
        return ()  # a file is imported by its path

    def _in_package(self, folder: str, rest: str) -> tuple[str, ...]:
        if rest:
            stems: tuple[str, ...] = (f"src/{rest}", rest, f"lib/{rest}")
        else:
            stems = ("src/index", "index", "lib/index", "src/main", "main")
        return next((files for stem in stems if (files := self._at(posixpath.join(folder, stem)))), ())

    def _at(self, stem: str) -> tuple[str, ...]:
        source = without_ending(stem) if stem.endswith((".js", ".mjs", ".cjs", ".jsx")) else stem
        path = self._stems.get(stem) or self._stems.get(source)
        return (path,) if path else ()


class GoPackages(ModuleResolver):
    """Packages by their folders, below the names in go.mod."""

    imports_many_files = True

    def prepare(self) -> None:
        packages: dict[tuple[str, str], list[str]] = defaultdict(list)
        for path, facts in sorted(self.facts.items()):
            packages[posixpath.dirname(path), next(iter(facts.packages), "")].append(path)
        self._packages = {key: tuple(paths) for key, paths in packages.items()}
        self._folders: dict[str, list[str]] = defaultdict(list)
        for (folder, package), paths in self._packages.items():
            if not package.endswith("_test"):
                self._folders[folder] += [path for path in paths if not path.endswith("_test.go")]

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        if (name := self.package_of(module)) is not None:
            folder = posixpath.join(self.packages[name], module[len(name) :].strip("/")).rstrip("/")
            return tuple(self._folders.get(folder, ()))
        if not self.packages and "." in module.partition("/")[0]:  # before there was go.mod
            parts = module.split("/")
            tails = ("/".join(parts[start:]) for start in range(1, len(parts)))
            return next((tuple(self._folders[tail]) for tail in tails if tail in self._folders), ())
        return ()

    def visible(self, path: str) -> Sequence[Module]:
        folder, package = posixpath.dirname(path), next(iter(self.facts[path].packages), "")
        return (Module(f"{folder}:{package}", self._packages[folder, package]),)


class RustModules(ModuleResolver):
    """Modules by their files below the root of their crate."""

    imports_members = True

    def prepare(self) -> None:
        roots = {posixpath.dirname(path) for path in self.facts if posixpath.basename(path) in ("lib.rs", "main.rs")}
        self._modules: dict[str, tuple[str, str]] = {}
        self._files: dict[tuple[str, str], str] = {}
        for path in sorted(self.facts):
            folder = posixpath.dirname(path)
            root = next((parent for parent in _parents(folder) if parent in roots), folder)
            inner = without_ending(path)[len(root) :].strip("/").removesuffix("/mod")
            module = "" if inner in ("lib", "main", "mod") else inner.replace("/", ".")
            self._modules[path] = (root, module)
            self._files.setdefault((root, module), path)

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        root, own = self._modules[importer]
        first, _, rest = module.partition(".")
        while first == "super" and rest.partition(".")[0] == "super":
            own, (first, _, rest) = own.rpartition(".")[0], rest.partition(".")
        if first == "crate":
            return self._at(root, rest)
        if first in ("self", "super"):
            outer = own if first == "self" else own.rpartition(".")[0]
            return self._at(root, ".".join(part for part in (outer, rest) if part))
        if folder := self.packages.get(first):
            return self._at(posixpath.join(folder, "src"), rest) or self._at(folder, rest)
        return self._at(root, f"{own}.{module}" if own else module)

    def submodule(self, path: str, name: str) -> tuple[str, ...]:
        root, own = self._modules[path]
        return self._at(root, f"{own}.{name}" if own else name)

    def _at(self, root: str, module: str) -> tuple[str, ...]:
        path = self._files.get((root, module))
        return (path,) if path else ()


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

    def visible(self, path: str) -> Sequence[Module]:
        own = self.facts[path].packages or ("",)
        packages = [name for package in own for name in (_namespaces(package) if self.sees_outer else (package,))]
        present = (name for name in dict.fromkeys(packages) if name in self._packages)
        return [Module(f"package:{name}", self._packages[name]) for name in present]


class NestedNamespaces(DeclaredPackages):
    """Namespaces within namespaces."""

    sees_outer = True


class Includes(ModuleResolver):
    """Files that see whatever they include, and what that includes."""

    def prepare(self) -> None:
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts):
            self._by_name[posixpath.basename(path)].append(path)
        self._included: dict[str, Module] = {}

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if beside in self.facts:
            return (beside,)
        tail = module.lstrip("./")
        paths = self._by_name.get(posixpath.basename(module), ())
        return self.nearest([path for path in paths if path == tail or path.endswith(f"/{tail}")], importer)

    def visible(self, path: str) -> Sequence[Module]:
        if path not in self._included:
            included, waiting = {path: None}, [path]
            while waiting and len(included) < MAX_INCLUDED:
                file = waiting.pop()
                imports = self.facts[file].imports
                new = [p for import_ in imports for p in self.find(import_.module, file) if p not in included]
                included |= dict.fromkeys(new)
                waiting += new
            self._included[path] = Module(f"included:{path}", tuple(included)[1:])
        return (self._included[path],)


class RubyConstants(ModuleResolver):
    """One space of constants for all files."""

    def prepare(self) -> None:
        self._all = (Module("all", tuple(sorted(self.facts))),)

    def find(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        name = module if module.endswith(".rb") else f"{module}.rb"
        if module.startswith("."):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
            return (name,) if name in self.facts else ()
        for path in (name, f"lib/{name}", f"app/{name}"):
            if path in self.facts:
                return (path,)
        return tuple([path for path in self._all[0].paths if path.endswith(f"/lib/{name}")][:1])

    def visible(self, path: str) -> Sequence[Module]:
        return self._all


_RESOLVERS: Mapping[str, Callable[[Mapping[str, Facts], Mapping[str, str]], ModuleResolver]] = {
    PYTHON.name: PythonModules,
    JAVASCRIPT.name: JavaScriptModules,
    GO.name: GoPackages,
    RUST.name: RustModules,
    JAVA.name: DeclaredPackages,
    C.name: Includes,
    CSHARP.name: NestedNamespaces,
    RUBY.name: RubyConstants,
    PHP.name: DeclaredPackages,
}
_MANIFESTS = {"go.mod": GO.name, "package.json": JAVASCRIPT.name, "Cargo.toml": RUST.name}


def module_resolver(
    dialect: Dialect, files: Mapping[str, Facts], manifests: Iterable[tuple[str, Facts]]
) -> ModuleResolver:
    """Return what resolves imports among the *files* of *dialect*."""
    packages = {
        name: posixpath.dirname(path)
        for path, facts in manifests
        if _MANIFESTS.get(posixpath.basename(path)) == dialect.name
        for name in facts.packages
    }
    return _RESOLVERS[dialect.name](files, packages)


def _parents(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


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
