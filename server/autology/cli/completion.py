"""``autology completion``: print a completion script for bash, zsh or fish."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from autology.cli import commands, parser, program
from autology.cli.screen import Screen

EXAMPLES = """\
autology completion bash > ~/.local/share/bash-completion/completions/autology
autology completion zsh > "${fpath[1]}/_autology"
autology completion fish > ~/.config/fish/completions/autology.fish"""
JSON = "{shell, script}"
SHELLS = ("bash", "zsh", "fish")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=SHELLS)


def run(args: argparse.Namespace, screen: Screen) -> int:
    """Print the script."""
    script = {"bash": _bash, "zsh": _zsh, "fish": _fish}[args.shell]()
    return screen.report({"shell": args.shell, "script": script}, script)


def _words() -> dict[str, tuple[str, list[str]]]:
    """Return every command with its description and the words that may follow it."""
    completions: dict[str, tuple[str, list[str]]] = {}
    for command in commands.commands():
        words: list[str] = []
        for action in _actions(parser.build(command)):
            words += [option for option in action.option_strings if option.startswith("--")]
            if not action.option_strings and action.choices:
                words += [str(choice) for choice in action.choices]
        completions[command.name] = (command.about, list(dict.fromkeys(words)))
    completions |= {name: (command.about, []) for name, command in program.CLIENT_COMMANDS.items()}
    return completions


def _actions(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a command and of its actions."""
    for action in command._actions:  # argparse has no public way to list them
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for part in action.choices.values():
                yield from _actions(part)


def _values() -> dict[str, list[str]]:
    """Return the choices of each option that has any, merged over all commands."""
    choices: dict[str, list[str]] = {}
    for command in commands.commands():
        for action in _actions(parser.build(command)):
            if action.choices and action.option_strings:
                values = choices.setdefault(action.option_strings[-1], [])
                values += [str(choice) for choice in action.choices if str(choice) not in values]
    return choices


def _bash() -> str:
    words = _words()
    values = "\n".join(f"    {option}) words='{' '.join(names)}' ;;" for option, names in _values().items())
    cases = "\n".join(f"    {name}) words='{' '.join(options)}' ;;" for name, (_, options) in words.items())
    return f"""\
# bash completion for autology
_autology() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words=''
  case ${{COMP_WORDS[COMP_CWORD-1]}} in
{values}
  esac
  if [ -n "$words" ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='{" ".join(words)} --help --version'; fi
  if [[ $word == -* || $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$(printf '%s\\n' $words | grep -v '^-')" -- "$word") $(compgen -f -- "$word"))
  fi
}}
complete -F _autology autology"""


def _zsh() -> str:
    words = _words()
    values = "\n".join(f"    {option}) compadd -- {' '.join(names)}; return ;;" for option, names in _values().items())
    listed = "\n".join(f"    '{name}:{about.replace(chr(39), '')}'" for name, (about, _) in words.items())
    cases = "\n".join(
        f"    {name}) compadd -- {' '.join(options)}; _files ;;" for name, (_, options) in words.items() if options
    )
    return f"""\
#compdef autology
_autology() {{
  local -a commands
  commands=(
{listed}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case ${{words[CURRENT-1]}} in
{values}
  esac
  case $words[2] in
{cases}
  esac
}}
# Loaded when it is first needed, this is itself the function; read at the start of a shell, it is not.
if [[ $funcstack[1] == _autology ]]; then
  _autology "$@"
else
  compdef _autology autology
fi"""


def _fish() -> str:
    values = _values()
    lines = ["# fish completion for autology", "complete -c autology -n __fish_use_subcommand -f"]
    for name, (about, options) in _words().items():
        description = about.replace("'", "")
        lines.append(f"complete -c autology -n __fish_use_subcommand -a {name} -d '{description}'")
        condition = f"complete -c autology -n '__fish_seen_subcommand_from {name}'"
        for option in options:
            if not option.startswith("--"):
                lines.append(f"{condition} -a {option}")
            elif option in values:
                lines.append(f"{condition} -l {option[2:]} -x -a '{' '.join(values[option])}'")
            else:
                lines.append(f"{condition} -l {option[2:]}")
    return "\n".join(lines)
