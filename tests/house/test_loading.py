"""Modules are loaded by several threads at once: the server's calls, and what it does beside them, load what they need.

Where two modules load each other, or a package loads a module that loads the package, two threads can come to wait for
each other; Python breaks that off with an error that is nobody's fault and that nobody can repeat.
"""

from __future__ import annotations

from pathlib import Path

from buildtools.closure import Source

SERVER = Path(__file__).resolve().parents[2] / "server" / "autology"


def circles(source: Source) -> list[str]:
    """Return the chains of modules in which one, to be loaded, would need itself."""
    received: list[str] = []
    loading: list[str] = []
    loaded: set[str] = set()

    def load(name: str) -> None:
        if name in loading:
            received.append(" loads ".join([*loading[loading.index(name) :], name]))
        elif name not in loaded:
            loading.append(name)
            for other in source.imports(name):
                if other.name in source.modules and other.name != name and not other.lazy:
                    load(other.name)
            loaded.add(loading.pop())

    for name in source.modules:
        load(name)
    return received


def test_no_module_needs_itself_to_be_loaded() -> None:
    source = Source(SERVER)
    assert len(source.modules) > 500
    assert circles(source) == []


def test_a_package_that_loads_its_own_module_is_a_circle(tmp_path: Path) -> None:
    package = tmp_path / "made"
    package.mkdir()
    (package / "__init__.py").write_text("from made.inner import told\n", encoding="utf-8")
    (package / "inner.py").write_text("told = 1\n", encoding="utf-8")
    assert circles(Source(package)) == ["made loads made.inner loads made"]
