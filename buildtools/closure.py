"""The modules that run straight from the archive: their imports, followed through the source without running it."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from buildtools.run_programs import Failed


@dataclass(frozen=True, slots=True)
class Import:
    """A module's import of *name*; a lazy one is inside a function, or in a `try` and may fail."""

    name: str
    lazy: bool


def hook_modules(package: Path) -> dict[str, Path]:
    """Return the dotted names of the modules that hooks and the start of a server may import from *package*.

    Module-level imports must need the standard library only; Failed names the chain that does not. An import inside a
    function is followed unless it leads to a third-party module: hooks never reach those.
    """
    source = Source(package)
    modules: dict[str, Path] = {}
    roots = (f"{package.name}.hooks", f"{package.name}.startup")
    waiting = [name for name in source.modules if name.startswith(roots)]
    for root in waiting:
        chain = source.chain_to_third_party(root)
        if chain:
            raise Failed(
                f"a hook or the start of a server may need only the standard library, but: {' imports '.join(chain)}"
            )
    while waiting:
        name = waiting.pop()
        if name in modules or source.chain_to_third_party(name):
            continue
        modules[name] = source.modules[name]
        waiting += [other.name for other in source.imports(name) if other.name in source.modules]
    return dict(sorted(modules.items()))


class Source:
    """The modules of a package and the imports of each."""

    def __init__(self, package: Path) -> None:
        self.modules = {_dotted(file, package): file for file in sorted(package.rglob("*.py"))}
        self._root = package.name
        self.imports = cache(self._imports)

    def chain_to_third_party(self, name: str) -> list[str]:
        """Return the chain of modules by which importing *name* reaches a third-party one."""
        came_from = {name: ""}
        waiting = [name]
        while waiting:
            current = waiting.pop(0)
            for other in self.imports(current):
                if other.lazy or other.name in came_from:
                    continue
                came_from[other.name] = current
                if other.name in self.modules:
                    waiting.append(other.name)
                elif other.name.partition(".")[0] not in sys.stdlib_module_names:
                    return _walk_back(other.name, came_from)
        return []

    def _imports(self, name: str) -> list[Import]:
        """Return what the module *name* imports: its parent packages and the names in its import statements."""
        file = self.modules[name]
        parts = name.split(".")
        above = [Import(".".join(parts[:end]), lazy=False) for end in range(1, len(parts))]
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        tree = ast.parse(file.read_bytes(), str(file))
        explicit = [
            Import(full, lazy) for node, lazy in _import_nodes(tree, lazy=False) for full in _names(node, package)
        ]
        return above + [
            imported for imported in explicit if imported.name in self.modules or not self._is_ours(imported.name)
        ]

    def _is_ours(self, name: str) -> bool:
        return name.partition(".")[0] == self._root


def _import_nodes(node: ast.AST, lazy: bool) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child, lazy
        elif isinstance(child, ast.If) and _is_type_checking(child.test):
            for other in child.orelse:
                yield from _import_nodes(ast.Module([other], []), lazy)
        else:
            inner = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Try)
            yield from _import_nodes(child, lazy or inner)


def _names(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[str]:
    """Yield what a statement may import; for `from a import b` both a and a.b, as b may be a module."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        parts = package.split(".")
        base = ".".join([*parts[: len(parts) - node.level + 1], *([base] if base else [])])
    yield base
    if base.partition(".")[0] == package.partition(".")[0]:
        yield from (f"{base}.{alias.name}" for alias in node.names)


def _is_type_checking(test: ast.expr) -> bool:
    return ast.unparse(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _dotted(file: Path, package: Path) -> str:
    parts = [package.name, *file.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _walk_back(name: str, came_from: dict[str, str]) -> list[str]:
    chain = [name]
    while came_from[chain[-1]]:
        chain.append(came_from[chain[-1]])
    return chain[::-1]
