"""The programs that a command line really starts, and their folders: resolves `env`, `sudo`, `bash -c`."""

from __future__ import annotations

from autology.text.shell.parsing import UNKNOWN, Pipeline, Shell, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_NESTED = 8
"""Nesting of command lines (`bash -c "bash -c …"`) that is followed."""
_STARTS = 20
"""Chained starters (`sudo env nice …`) that are followed."""
_VARIABLES = 200
"""Assignments remembered; each subshell copies them."""
_PATH = 4096
"""Characters of a folder's path; no system accepts a longer one."""

# Programs that start the one named after their options -> their options that take a value.
_STARTERS: dict[str, str] = {
    **dict.fromkeys(
        "builtin busybox chronic command flatpak-spawn linux32 linux64 noglob nohup setsid unbuffer winpty".split(), ""
    ),
    "caffeinate": "-t -w",
    "chrt": "-T -P -D",
    "doas": "-u -C -a",
    "env": "-u --unset -C --chdir -S --split-string",
    "exec": "-a",
    "ionice": "-c -n -p -P --class --classdata",
    "nice": "-n --adjustment",
    "parallel": "-j --jobs -n -N -I",
    "stdbuf": "-i -o -e --input --output --error",
    "sudo": "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --chroot --role --type",
    "time": "-f -o --format --output",
    "timeout": "-k -s --kill-after --signal",
    "xargs": "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --replace --max-lines",
}
_SHELLS = frozenset("sh bash zsh dash ksh mksh ash fish su runuser script pwsh powershell cmd".split())
_COMMAND_OPTIONS = ("-command", "--command", "/c", "/k")
# What follows is plain text for these, whatever it looks like.
_WORDS_ONLY = frozenset(
    "echo printf cat grep egrep fgrep rg ack ag sed awk man which type whatis apropos help alias test [ [[".split()
)
_ASSIGNERS = frozenset("export declare typeset local readonly".split())


class ProgramCall:
    """One start of a searched program: its words, and its surroundings."""

    __slots__ = ("certain", "directory", "git_dir", "pipeline", "starter", "words")

    def __init__(
        self, words: tuple[str, ...], directory: str, git_dir: str, pipeline: Pipeline, starter: str = ""
    ) -> None:
        self.words = words  # the first is the program's bare name
        self.directory = directory  # by `cd` since the line began: "" is the initial folder; UNKNOWN parts
        self.git_dir = git_dir  # its GIT_DIR, "" if not set
        self.pipeline = pipeline
        self.starter = starter  # the program that may start it: `uv` in `uv run git …`; "" if it is started for sure
        self.certain = False  # the line's success implies this call's success


def calls(line: str, programs: frozenset[str], variables: Mapping[str, str]) -> list[ProgramCall]:
    """Return every start of one of *programs* in *line*; *variables* is the environment."""
    finder = _Finder(programs, variables)
    read(line, finder)
    return finder.starts


class _Finder(Shell):
    def __init__(self, programs: frozenset[str], variables: Mapping[str, str]) -> None:
        self.programs = programs
        self.outer = variables
        self.own: dict[str, str] = {}
        self.directory = ""
        self.previous = UNKNOWN
        self.pushed: list[str] = []
        self.saved: list[tuple[dict[str, str], str, str, list[str]]] = []
        self.starts: list[ProgramCall] = []
        self.nested = 0

    # ---- callbacks of the reader ----------------------------------------------------------------

    def lookup(self, name: str) -> str | None:
        """Return a variable's value: assigned on the line, else inherited."""
        if name == "PWD":
            return "."
        value = self.own.get(name)
        return self.outer.get(name) if value is None else value

    def assign(self, name: str, value: str) -> None:
        """Record an assignment for what follows."""
        if len(self.own) < _VARIABLES:
            self.own[name] = value

    def enter(self) -> None:
        """Save what a subshell must not change."""
        self.saved.append((dict(self.own), self.directory, self.previous, list(self.pushed)))

    def leave(self) -> None:
        """Restore what a subshell has changed."""
        self.own, self.directory, self.previous, self.pushed = self.saved.pop()

    def ended(self, pipelines: list[Pipeline]) -> None:
        """Mark the calls whose success follows from the line's."""
        sure = {id(pipeline) for pipeline in pipelines}
        for call in self.starts:
            call.certain = id(call.pipeline) in sure

    def feed(self, pipeline: Pipeline, text: str) -> None:
        """Read a here-document that a shell of its pipeline runs."""
        if any(_runs_its_input(words) for words in pipeline.commands):
            self._line(text)

    def run(self, words: tuple[str, ...], assignments: dict[str, str], pipeline: Pipeline) -> None:
        """Follow *words* to the program that they start."""
        if _runs_its_input(words):
            for text in (*pipeline.fed, *_printed(pipeline)):
                self._line(text)
        self._start(words, dict(assignments), pipeline)

    # ---- following starters ---------------------------------------------------------------------

    def _start(self, words: tuple[str, ...], variables: dict[str, str], pipeline: Pipeline) -> None:
        directory = self.directory
        for _ in range(_STARTS):
            if not words:
                break
            name = program(words[0])
            if name in self.programs:
                self._record(name, words[1:], directory, variables, pipeline)
                return
            if name in ("command", "type") and words[1:2] and words[1][:2] in ("-v", "-V"):
                return
            if name not in _STARTERS:
                break
            words, moved = _past_options(name, words[1:], variables)
            directory = _joined(directory, moved)
        if words:
            self._other(program(words[0]), words, directory, variables, pipeline)

    def _other(
        self, name: str, words: tuple[str, ...], directory: str, variables: dict[str, str], pipeline: Pipeline
    ) -> None:
        if name in ("cd", "chdir", "pushd", "popd", "Set-Location"):
            self._move(name, words[1:])
        elif name in _ASSIGNERS:
            self._assign_all(words[1:])
        elif name == "eval":
            self._line(" ".join(words[1:]), same=True)
        elif name in _SHELLS:
            self._shell(words, directory)
        elif name == "find":
            self._find(words, variables, pipeline)
        elif name not in _WORDS_ONLY:
            self._unknown(words, directory, variables, pipeline)

    def _unknown(self, words: tuple[str, ...], directory: str, variables: dict[str, str], pipeline: Pipeline) -> None:
        if UNKNOWN in words[0]:
            # `$GIT commit`: a program that is only known at run time may be any.
            for likely in self.programs:
                self._record(likely, words[1:], directory, variables, pipeline, UNKNOWN)
            return
        # An unknown starter (`uv run git …`, `op run -- git …`).
        for at, word in enumerate(words[1:12], 1):
            if program(word) in self.programs:
                self._record(program(word), words[at + 1 :], directory, variables, pipeline, program(words[0]))
                return

    def _assign_all(self, words: tuple[str, ...]) -> None:
        for word in words:
            key, sign, value = word.partition("=")
            if sign and key.isidentifier():
                self.assign(key, value)

    def _record(
        self,
        name: str,
        arguments: tuple[str, ...],
        directory: str,
        variables: dict[str, str],
        pipeline: Pipeline,
        starter: str = "",
    ) -> None:
        git_dir = variables.get("GIT_DIR") or self.lookup("GIT_DIR") or ""
        self.starts.append(ProgramCall((name, *arguments), directory, git_dir, pipeline, starter))

    def _move(self, name: str, arguments: tuple[str, ...]) -> None:
        to = [word for word in arguments if word == "-" or not word.startswith(("-", "+"))][:1]
        before = self.directory
        if name == "popd":
            self.directory = self.pushed.pop() if self.pushed else UNKNOWN
        elif to == ["-"]:
            self.directory = self.previous
        elif to or name != "pushd":
            self.directory = _joined(before, to[0] if to else "~")
            if name == "pushd":
                self.pushed.append(before)
        self.previous = before

    def _shell(self, words: tuple[str, ...], directory: str) -> None:
        for at, word in enumerate(words[1:], 1):
            short = word.startswith("-") and not word.startswith("--") and word.endswith("c") and len(word) < 8
            if short or word.lower() in _COMMAND_OPTIONS:
                # cmd and PowerShell take the rest of the line, a shell the next word; taking more is harmless.
                rest = words[at + 1 :]
                takes_rest = program(words[0]) in ("cmd", "powershell", "pwsh")
                self._line(" ".join(rest) if takes_rest else "".join(rest[:1]), directory=directory)
                return

    def _find(self, words: tuple[str, ...], variables: dict[str, str], pipeline: Pipeline) -> None:
        for at, word in enumerate(words):
            if word in ("-exec", "-execdir", "-ok", "-okdir"):
                self._start(words[at + 1 :], variables, pipeline)
                return

    def _line(self, text: str, same: bool = False, directory: str | None = None) -> None:
        """Read a nested command line; *same*: in the same shell, so that its `cd` persists."""
        if self.nested >= _NESTED:
            return
        self.nested += 1
        if not same:
            self.enter()
            self.directory = self.directory if directory is None else directory
        read(text, self, depth=1)
        if not same:
            self.leave()
        self.nested -= 1


def program(word: str) -> str:
    """Return the bare name of the program that *word* starts: `/usr/bin/git` and `git.exe` are `git`."""
    name = word.replace("\\", "/").rpartition("/")[2]
    return name[:-4].lower() if name[-4:].lower() in (".exe", ".cmd", ".bat") else name


def _past_options(name: str, words: tuple[str, ...], variables: dict[str, str]) -> tuple[tuple[str, ...], str]:
    """Return the words after the options of the starter *name*, and the folder that it changes to first."""
    with_value = _STARTERS[name].split()
    moved = ""
    at = 0
    while at < len(words):
        word = words[at]
        key, sign, value = word.partition("=")
        if word == "--":
            at += 1
            break
        if word.startswith("-") and len(word) > 1:
            takes_next = word in with_value
            argument = words[at + 1] if takes_next and at + 1 < len(words) else value
            if key in ("-C", "--chdir", "-D") and name in ("env", "sudo"):
                moved = argument
            if key in ("-S", "--split-string"):
                return (*argument.split(), *words[at + 1 + takes_next :]), moved
            at += 1 + takes_next
        elif sign and key.isidentifier() and name in ("env", "sudo", "doas"):
            variables[key] = value
            at += 1
        else:
            break
    return words[at + (name == "timeout") :], moved


def _joined(directory: str, to: str) -> str:
    if not to or to == ".":
        return directory
    if not directory or to[0] in "/\\~" or to[1:2] == ":":
        return to
    return f"{directory}/{to}" if len(directory) + len(to) < _PATH else UNKNOWN


def _runs_its_input(words: tuple[str, ...]) -> bool:
    """Whether this is a shell that reads its commands from its standard input."""
    names = [program(word) for word in words[:_STARTS] if not word.startswith("-") or word == "-"]
    while names and (names[0] in _STARTERS or "=" in names[0]):
        del names[0]
    return bool(names) and names[0] in _SHELLS and (len(names) == 1 or "-s" in words) and "-c" not in words


def _printed(pipeline: Pipeline) -> list[str]:
    """The output of the command before the last, if its words determine it."""
    before = pipeline.commands[-2:-1]
    return [" ".join(words[1:]) for words in before if program(words[0]) in ("echo", "printf")]
