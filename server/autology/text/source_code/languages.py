"""Programming languages by the info string of a fence or a file's name."""

from __future__ import annotations

_BY_ENDING = {
    "py": "python", "pyi": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript",
    "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "mts": "typescript", "rb": "ruby", "rs": "rust",
    "go": "go", "java": "java", "kt": "kotlin", "kts": "kotlin", "swift": "swift", "c": "c", "h": "c", "cc": "cpp",
    "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "cs": "csharp", "php": "php", "sh": "shell",
    "bash": "shell", "zsh": "shell", "fish": "shell", "ps1": "powershell", "sql": "sql", "html": "html",
    "htm": "html", "css": "css", "scss": "css", "less": "css", "json": "json", "jsonc": "json", "yaml": "yaml",
    "yml": "yaml", "toml": "toml", "ini": "ini", "xml": "xml", "md": "markdown", "markdown": "markdown", "r": "r",
    "scala": "scala", "ex": "elixir", "exs": "elixir", "erl": "erlang", "hs": "haskell", "lua": "lua", "pl": "perl",
    "dart": "dart", "vue": "vue", "svelte": "svelte", "tf": "terraform", "zig": "zig", "clj": "clojure",
    "ml": "ocaml", "proto": "protobuf", "graphql": "graphql", "gql": "graphql", "ipynb": "python", "gradle": "groovy",
    "groovy": "groovy", "diff": "diff", "patch": "diff",
}  # fmt: skip
_ALIASES = {
    "py3": "python", "python3": "python", "node": "javascript", "golang": "go", "c++": "cpp", "c#": "csharp",
    "console": "shell", "shell-session": "shell", "terminal": "shell", "docker": "dockerfile", "make": "makefile",
    "postgresql": "sql", "sqlite": "sql", "rust,no_run": "rust",
}  # fmt: skip
_BY_NAME = {"dockerfile": "dockerfile", "makefile": "makefile", "gemfile": "ruby", "rakefile": "ruby"}


def named(word: str) -> str | None:
    """Return the language for the first *word* of a fence, or of a user; None if unknown."""
    plain = word.strip().lower()
    return (_ALIASES.get(plain) or _BY_ENDING.get(plain) or plain[:20]) if plain else None


def of_file(path: str) -> str | None:
    """Return the language of a file with that name; None if unknown."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    _, dot, ending = name.rpartition(".")
    return _BY_ENDING.get(ending) if dot else _BY_NAME.get(name)
