"""The languages that tree-sitter parses, each with its file name endings, the package of its parser and its rules."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """A language whose tables the *function* of the package *parser* returns; *rules* is the module beside this one."""

    name: str
    endings: tuple[str, ...]
    parser: str
    rules: str
    function: str = "language"


LANGUAGES = (
    Language("JavaScript", (".js", ".mjs", ".cjs", ".jsx"), "tree_sitter_javascript", "javascript"),
    Language("TypeScript", (".ts", ".mts", ".cts"), "tree_sitter_typescript", "javascript", "language_typescript"),
    Language("TSX", (".tsx",), "tree_sitter_typescript", "javascript", "language_tsx"),
    Language("Go", (".go",), "tree_sitter_go", "go"),
    Language("Rust", (".rs",), "tree_sitter_rust", "rust"),
    Language("Java", (".java",), "tree_sitter_java", "java"),
    Language("C", (".c",), "tree_sitter_c", "c"),
    Language("C++", (".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh", ".hxx", ".ipp", ".inl"), "tree_sitter_cpp", "c"),
    Language("C#", (".cs",), "tree_sitter_c_sharp", "csharp"),
    Language("Ruby", (".rb", ".rake"), "tree_sitter_ruby", "ruby"),
    Language("PHP", (".php",), "tree_sitter_php", "php", "language_php"),
)
