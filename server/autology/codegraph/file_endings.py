"""Which language a file is written in, by its ending; a language is added to ``LANGUAGES``."""

from __future__ import annotations

from dataclasses import dataclass

PYTHON_ENDING = ".py"


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the parser in *package* parses; *module* has its rules.

    *manifest* is the file that says what importers call a folder of source files.
    """

    name: str
    endings: tuple[str, ...]
    module: str
    package: str
    function: str = "language"
    manifest: str = ""


LANGUAGES = (
    Language("JavaScript", (".js", ".mjs", ".cjs", ".jsx"), "javascript", "tree_sitter_javascript",
             manifest="package.json"),
    Language("TypeScript", (".ts", ".mts", ".cts"), "javascript", "tree_sitter_typescript", "language_typescript"),
    Language("TSX", (".tsx",), "javascript", "tree_sitter_typescript", "language_tsx"),
    Language("Go", (".go",), "go", "tree_sitter_go", manifest="go.mod"),
    Language("Rust", (".rs",), "rust", "tree_sitter_rust", manifest="Cargo.toml"),
    Language("Java", (".java",), "java", "tree_sitter_java"),
    Language("C", (".c",), "c", "tree_sitter_c"),
    Language("C++", (".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh", ".hxx", ".ipp", ".inl"), "c", "tree_sitter_cpp"),
    Language("C#", (".cs",), "csharp", "tree_sitter_c_sharp"),
    Language("Ruby", (".rb", ".rake"), "ruby", "tree_sitter_ruby"),
    Language("PHP", (".php",), "php", "tree_sitter_php", "language_php"),
)  # fmt: skip
"""Every language but Python, which is parsed without tree-sitter."""
MODULES = {PYTHON_ENDING: "python"} | {ending: one.module for one in LANGUAGES for ending in one.endings}
MANIFESTS = {one.manifest: one.module for one in LANGUAGES if one.manifest}


def file_ending(path: str) -> str:
    """Return the file name extension of *path*, with its dot."""
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :] if "." in name else ""


def is_source(path: str) -> bool:
    """Whether the file at *path* is source code."""
    return file_ending(path) in MODULES


def is_python(path: str) -> bool:
    """Whether the file at *path* is Python source code."""
    return path.endswith(PYTHON_ENDING)


def without_ending(path: str) -> str:
    """Return *path* without the file name extension of its language."""
    return path.removesuffix(file_ending(path)) if is_source(path) else path
