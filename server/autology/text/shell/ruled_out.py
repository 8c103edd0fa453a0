"""Whether a command line runs a command that was ruled out."""

from __future__ import annotations

from autology.text.shell.program_calls import calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.text.shell.program_calls import ProgramCall

_RUNNERS = frozenset(
    "npx pnpx bunx pnpm yarn npm bun uv uvx pipx poetry pipenv hatch pdm rye conda mamba python python3 py node deno"
    " bundle rake dotenv op direnv doppler docker docker-compose podman kubectl ssh watch entr mise asdf nix-shell nix"
    " make just task php artisan dotnet cargo tsx tox nox heroku fly flyctl infisical chamber aws-vault".split()
)
"""Programs that run another one which is named among their words."""
_SAME = {"pip3": "pip", "pip3.11": "pip", "pip3.12": "pip", "pip3.13": "pip", "nodejs": "node", "python3": "python"}
_ALIASES = {
    ("npm", "i"): "install",
    ("npm", "in"): "install",
    ("npm", "add"): "install",
    ("pnpm", "i"): "install",
    ("bun", "i"): "install",
    ("helm", "del"): "uninstall",
    ("kubectl", "remove"): "delete",
}
_SHORT = {
    "--force": "f",
    "--volumes": "v",
    "--all": "a",
    "--global": "g",
    "--recursive": "r",
    "--delete": "d",
    "--interactive": "i",
    "--yes": "y",
}
_PRETENDS = frozenset(["--help", "--dry-run", "--version"])


class _Variables(dict[str, str]):
    """Variables that stand for themselves, as a rule may name them: `psql $PROD_URL`."""

    def get(self, name: str, default: object = None) -> str:  # noqa: ARG002
        """Return `$NAME`."""
        return f"${name}"


def ruled_out(line: str, rules: Sequence[tuple[str, str]]) -> list[int]:
    """Return the positions of those *rules*, each a program and the words that follow it, that *line* goes against."""
    wanted = {_SAME.get(name, name) for name, _ in rules}
    programs = frozenset({*wanted, *(name for name, same in _SAME.items() if same in wanted)})
    starts = [call for call in calls(line, programs, _Variables()) if not call.starter or call.starter in _RUNNERS]
    return [
        at
        for at, (name, words) in enumerate(rules)
        if any(_is_against(call, _SAME.get(name, name), words.split()) for call in starts)
    ]


def _is_against(call: ProgramCall, name: str, words: Sequence[str]) -> bool:
    program = _SAME.get(call.words[0], call.words[0])
    if program != name or (call.starter == "uv" and program == "pip"):
        return False
    arguments = list(call.words[1:])
    if not _PRETENDS.isdisjoint(word.partition("=")[0] for word in arguments) and not _PRETENDS & set(words):
        return False
    if arguments and (program, arguments[0]) in _ALIASES:
        arguments[0] = _ALIASES[program, arguments[0]]
    options = [word for word in words if word.startswith("-")]
    plain = [word for word in words if not word.startswith("-")]
    return all(_has(arguments, option, plain) for option in options) and _begins(arguments, plain)


def _begins(arguments: Sequence[str], plain: Sequence[str]) -> bool:
    """Whether *arguments* begin with the words *plain*, but for options and their values between them."""
    left = list(plain)
    previous = ""
    for word in arguments:
        if not left:
            return True
        if word == left[0]:
            left.pop(0)
        elif not word.startswith("-") and not (previous.startswith("-") and "=" not in previous):
            return False
        previous = word
    return not left


def _has(arguments: Sequence[str], option: str, plain: Sequence[str]) -> bool:
    short = "n" if option == "--no-verify" and "commit" in plain else _SHORT.get(option, "")
    long = next((long for long, letter in _SHORT.items() if option == f"-{letter}"), "")
    letter = short or (option[1] if len(option) == 2 else "")
    for word in arguments:
        if word == "--":
            return False
        key = word.partition("=")[0]
        if key in (option, long):
            return True
        if letter and word[:1] == "-" and word[1:2] != "-" and 1 < len(word) < 5 and letter in word[1:]:
            return True
    return False
