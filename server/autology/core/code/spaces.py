"""Which files an import leads to, and which names a file sees without one: a language's own affair."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from autology.core.code.dialects import CSHARP, GO, JAVA, PHP, PYTHON, RUBY, RUST, SCRIPT, C, Dialect, without_ending
from autology.core.code.modules import Modules, shared
from autology.model.code import Facts, Import

INCLUDED = 3_000
"""Files that one file includes, through others; the largest projects' have some hundreds."""


@dataclass(frozen=True, slots=True)
class Mod:
    """Files of the project that are imported as one, known by their *key*."""

    key: str
    paths: tuple[str, ...]


class Space:
    """The files of one language; *manifests* say what folders are called by those that import them."""

    wide = False
    """Whether an import brings many files, of which those count that are then used."""

    nested = False
    """Whether an import may name what is in a class, or in a module within a file."""

    def __init__(self, files: Mapping[str, Facts], manifests: Mapping[str, str]) -> None:
        self.facts = files
        self.manifests = manifests
        self.prepare()

    def prepare(self) -> None:
        """Look at the files once."""

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        """Return the files that *module* means in the file *importer*; none where it is not of this project."""
        return ()

    def led(self, told: Import, importer: str) -> tuple[str, ...]:
        """Return the files that an import names."""
        return self.files(told.module, importer, told.level)

    def inside(self, path: str, name: str) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        """Return the files of what lies below the module in *path* under *name*."""
        return ()

    def below(self, told: Import, importer: str) -> tuple[str, ...]:
        """Return the files of what an import names, where that is no name in a file but a file itself."""
        return self.files(f"{told.module}.{told.name}".strip("."), importer, told.level)

    def siblings(self, path: str) -> Sequence[Mod]:  # noqa: ARG002 - as the others
        """Return the files whose names are seen in the one at *path* without an import, nearest first."""
        return ()

    def ours(self, told: Import) -> bool:  # noqa: ARG002 - as the others
        """Whether an import that leads to no file may be of this project all the same."""
        return False

    def packages(self) -> Mapping[str, tuple[str, ...]]:
        """Return the files by the namespaces that they say."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, facts in sorted(self.facts.items()):
            for package in facts.packages or ("",):
                found[package].append(path)
        return {package: tuple(paths) for package, paths in found.items()}


class PythonSpace(Space):
    """Modules and packages by their folders."""

    def prepare(self) -> None:
        self._modules = Modules(self.facts)

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:
        found = self._modules.file(self._modules.imported(Import("", "", module, "", level, 0), importer), importer)
        return (found,) if found else ()

    def inside(self, path: str, name: str) -> tuple[str, ...]:
        below = path.removesuffix("__init__.py") + name if path.endswith("/__init__.py") else ""
        return tuple(p for p in (f"{below}.py", f"{below}/__init__.py") if below and p in self.facts)[:1]

    def ours(self, told: Import) -> bool:
        return self._modules.knows(told.module) and told.local == told.module


class ScriptSpace(Space):
    """Files by their paths, as bundlers and Node.js find them; packages of a workspace by their names."""

    def prepare(self) -> None:
        self._stems: dict[str, str] = {}
        self._tails: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts, key=lambda path: (path.endswith(".d.ts"), path)):
            stem = without_ending(path).removesuffix(".d")
            for name in (path, stem, stem.removesuffix("/index") if stem.endswith("/index") else stem):
                self._stems.setdefault(name, path)
            self._tails[posixpath.basename(stem.removesuffix("/index"))].append(stem.removesuffix("/index"))
        if "index" in self._stems:
            self._stems.setdefault(".", self._stems["index"])

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        if module.startswith("."):
            return self._at(posixpath.normpath(posixpath.join(posixpath.dirname(importer), module)))
        name = max((n for n in self.manifests if module == n or module.startswith(f"{n}/")), key=len, default=None)
        if name is not None:
            return self._of_package(self.manifests[name], module[len(name) :].strip("/"))
        alias, _, rest = module.partition("/")
        if rest and alias in ("@", "~", "#", "src", "$lib", "app"):
            near = [s for s in self._tails.get(posixpath.basename(rest), ()) if s == rest or s.endswith(f"/{rest}")]
            if near:
                return self._at(min(near, key=lambda stem: (-shared(stem, importer), stem)))
        return ()

    def below(self, told: Import, importer: str) -> tuple[str, ...]:  # noqa: ARG002 - a file is imported by its path
        return ()

    def _of_package(self, folder: str, rest: str) -> tuple[str, ...]:
        tries = (
            (f"src/{rest}", rest, f"lib/{rest}") if rest else ("src/index", "index", "lib/index", "src/main", "main")
        )
        return next((found for each in tries if (found := self._at(posixpath.join(folder, each)))), ())

    def _at(self, stem: str) -> tuple[str, ...]:
        plain = without_ending(stem) if stem.endswith((".js", ".mjs", ".cjs", ".jsx")) else stem
        found = self._stems.get(stem) or self._stems.get(plain)
        return (found,) if found else ()


class GoSpace(Space):
    """Packages by their folders, under the names that go.mod gives."""

    wide = True

    def prepare(self) -> None:
        packages: dict[tuple[str, str], list[str]] = defaultdict(list)
        for path, facts in sorted(self.facts.items()):
            packages[posixpath.dirname(path), next(iter(facts.packages), "")].append(path)
        self._packages = {key: tuple(paths) for key, paths in packages.items()}
        self._folders: dict[str, list[str]] = defaultdict(list)
        for (folder, package), paths in self._packages.items():
            if not package.endswith("_test"):
                self._folders[folder] += [path for path in paths if not path.endswith("_test.go")]

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        name = max((n for n in self.manifests if module == n or module.startswith(f"{n}/")), key=len, default=None)
        if name is not None:
            folder = posixpath.join(self.manifests[name], module[len(name) :].strip("/")).rstrip("/")
            return tuple(self._folders.get(folder, ()))
        if not self.manifests and "." in module.partition("/")[0]:  # of a time before go.mod
            parts = module.split("/")
            tails = ("/".join(parts[at:]) for at in range(1, len(parts)))
            return next((tuple(self._folders[tail]) for tail in tails if tail in self._folders), ())
        return ()

    def siblings(self, path: str) -> Sequence[Mod]:
        folder, package = posixpath.dirname(path), next(iter(self.facts[path].packages), "")
        return (Mod(f"{folder}:{package}", self._packages[folder, package]),)


class RustSpace(Space):
    """Modules by their files below the root of their crate."""

    nested = True

    def prepare(self) -> None:
        roots = {posixpath.dirname(p) for p in self.facts if posixpath.basename(p) in ("lib.rs", "main.rs")}
        self._where: dict[str, tuple[str, str]] = {}
        self._named: dict[tuple[str, str], str] = {}
        for path in sorted(self.facts):
            folder = posixpath.dirname(path)
            root = next((each for each in _upwards(folder) if each in roots), folder)
            inner = without_ending(path)[len(root) :].strip("/").removesuffix("/mod")
            module = "" if inner in ("lib", "main", "mod") else inner.replace("/", ".")
            self._where[path] = (root, module)
            self._named.setdefault((root, module), path)

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        root, own = self._where[importer]
        first, _, rest = module.partition(".")
        while first == "super" and rest.partition(".")[0] == "super":
            own, (first, _, rest) = own.rpartition(".")[0], rest.partition(".")
        if first == "crate":
            return self._at(root, rest)
        if first in ("self", "super"):
            around = own if first == "self" else own.rpartition(".")[0]
            return self._at(root, ".".join(part for part in (around, rest) if part))
        if folder := self.manifests.get(first):
            return self._at(posixpath.join(folder, "src"), rest) or self._at(folder, rest)
        return self._at(root, f"{own}.{module}" if own else module)

    def inside(self, path: str, name: str) -> tuple[str, ...]:
        root, own = self._where[path]
        return self._at(root, f"{own}.{name}" if own else name)

    def _at(self, root: str, module: str) -> tuple[str, ...]:
        found = self._named.get((root, module))
        return (found,) if found else ()


class PackageSpace(Space):
    """Files by the package or namespace that they say."""

    wide = True
    nested = True
    around = False
    """Whether a namespace sees the names of those around it."""

    def prepare(self) -> None:
        self._packages = self.packages()

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        return self._packages.get(module, ())

    def siblings(self, path: str) -> Sequence[Mod]:
        own = self.facts[path].packages or ("",)
        every = [each for package in own for each in (_outwards(package) if self.around else (package,))]
        return [Mod(f"package:{each}", self._packages[each]) for each in dict.fromkeys(every) if each in self._packages]


class NestedPackageSpace(PackageSpace):
    """Namespaces within namespaces."""

    around = True


class IncludeSpace(Space):
    """Files that see whatever they include, and what that includes."""

    def prepare(self) -> None:
        self._tails: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.facts):
            self._tails[posixpath.basename(path)].append(path)
        self._reached: dict[str, Mod] = {}

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        near = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if near in self.facts:
            return (near,)
        plain = module.lstrip("./")
        found = [p for p in self._tails.get(posixpath.basename(module), ()) if p == plain or p.endswith(f"/{plain}")]
        return (min(found, key=lambda path: (-shared(path, importer), path)),) if found else ()

    def siblings(self, path: str) -> Sequence[Mod]:
        if path not in self._reached:
            found, waiting = {path: None}, [path]
            while waiting and len(found) < INCLUDED:
                last = waiting.pop()
                new = [p for told in self.facts[last].imports for p in self.files(told.module, last) if p not in found]
                found |= dict.fromkeys(new)
                waiting += new
            self._reached[path] = Mod(f"included:{path}", tuple(found)[1:])
        return (self._reached[path],)


class RubySpace(Space):
    """One space of constants for all files."""

    def prepare(self) -> None:
        self._all = (Mod("all", tuple(sorted(self.facts))),)

    def files(self, module: str, importer: str, level: int = 0) -> tuple[str, ...]:  # noqa: ARG002 - as the others
        name = module if module.endswith(".rb") else f"{module}.rb"
        if module.startswith("."):
            name = posixpath.normpath(posixpath.join(posixpath.dirname(importer), name))
            return (name,) if name in self.facts else ()
        tries = (name, f"lib/{name}", f"app/{name}")
        found = [each for each in tries if each in self.facts]
        return tuple(found[:1] or [path for path in self._all[0].paths if path.endswith(f"/lib/{name}")][:1])

    def siblings(self, path: str) -> Sequence[Mod]:  # noqa: ARG002 - as the others
        return self._all


_SPACES: Mapping[str, Callable[[Mapping[str, Facts], Mapping[str, str]], Space]] = {
    PYTHON.name: PythonSpace,
    SCRIPT.name: ScriptSpace,
    GO.name: GoSpace,
    RUST.name: RustSpace,
    JAVA.name: PackageSpace,
    C.name: IncludeSpace,
    CSHARP.name: NestedPackageSpace,
    RUBY.name: RubySpace,
    PHP.name: PackageSpace,
}
_MANIFESTS = {"go.mod": GO.name, "package.json": SCRIPT.name, "Cargo.toml": RUST.name}


def space_of(dialect: Dialect, files: Mapping[str, Facts], manifests: Iterable[tuple[str, Facts]]) -> Space:
    """Return the space of the *files* that speak *dialect*."""
    told = {
        name: posixpath.dirname(path)
        for path, facts in manifests
        if _MANIFESTS.get(posixpath.basename(path)) == dialect.name
        for name in facts.packages
    }
    return _SPACES[dialect.name](files, told)


def _upwards(folder: str) -> Iterable[str]:
    while folder:
        yield folder
        folder = posixpath.dirname(folder)
    yield ""


def _outwards(package: str) -> Iterable[str]:
    while package:
        yield package
        package = package.rpartition(".")[0]
    yield ""
