"""Parsing a shell's command line into simple commands, in order, as words.

A parser for one question, "which programs would this run, and where", so it accepts what a shell would refuse and never
raises. It supports quotes, escapes, comments, lists, pipelines, groups, loops, functions, here-documents and
substitutions; what is only known at run time (the value of a variable, the output of a command) becomes :data:`UNKNOWN`
inside its word. Every character is read once, whatever the input.
"""

from __future__ import annotations

import re

UNKNOWN = "\0"
"""Stands in a word for a part that is only known at run time."""

_DEPTH = 40
"""Nesting that is followed; deeper is an attack or an accident, and what precedes it counts."""
_LENGTH = 200_000
"""Characters of a command line; the longest that a system passes to a program is of this order."""

_BLANK = re.compile(r"(?:[ \t\r]|\\\r?\n)*")
_PLAIN = re.compile(r"[^\s;&|()<>\"'\\$`\0]+")
_QUOTED = re.compile(r"[^\"\\$`\0]+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?\+?=")
_NO_PARAMETERS = re.compile(r"\(\s*\)")
_REDIRECTION = re.compile(r"[0-9]{0,4}(<<<|<<-?|<[(>&]?|>[(>&|]?|&>>?)")
_LEADING = frozenset("if then elif else while until do ! { coproc function fi done esac }".split())
_BLOCKS = dict.fromkeys("if while until for select case {".split(), 1) | dict.fromkeys("fi done esac }".split(), -1)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "v": "\v"}


class Pipeline:
    """The text between two separators: commands joined by bars, and the text fed to them."""

    __slots__ = ("commands", "fed")

    def __init__(self) -> None:
        self.commands: list[tuple[str, ...]] = []
        self.fed: list[str] = []  # here-strings; here-documents come after the line


class Shell:
    """Receives what the parser finds, in the order in which a shell would act."""

    def lookup(self, name: str) -> str | None:
        """Return a variable's value if it is known."""
        raise NotImplementedError

    def assign(self, name: str, value: str) -> None:
        """A stand-alone assignment."""

    def run(self, words: tuple[str, ...], assignments: dict[str, str], pipeline: Pipeline) -> None:
        """A simple command."""

    def feed(self, pipeline: Pipeline, text: str) -> None:
        """A here-document of a pipeline, read after the commands of its line."""

    def enter(self) -> None:
        """A subshell begins: its changes are undone at its end."""

    def leave(self) -> None:
        """A subshell ends."""

    def ended(self, pipelines: list[Pipeline]) -> None:
        """The line ends; the success of each of *pipelines* follows from the line's own."""


class _TooDeep(Exception):  # noqa: N818 - control flow, never seen outside
    pass


def read(text: str, shell: Shell, depth: int = 0) -> None:
    """Report to *shell* what the command line *text* runs; *depth* above 0: within another line."""
    reader = _CommandLineReader(text[:_LENGTH].replace(UNKNOWN, ""), shell, depth)
    try:
        reader.commands(closing="")
    except _TooDeep:
        return
    if not depth and not reader.chain_broken:
        shell.ended(reader.chain)


class _CommandLineReader:
    def __init__(self, text: str, shell: Shell, depth: int) -> None:
        self.text = text
        self.end = len(text)
        self.at = 0
        self.shell = shell
        self.depth = depth
        self.subs = 0
        self.blocks = 0
        self.waiting: list[tuple[str, bool, Pipeline]] = []
        self.chain: list[Pipeline] = []
        self.chain_broken = False
        self.chain_over = False
        self.pipeline = Pipeline()

    # ---- lists, pipelines, groups ---------------------------------------------------------------

    def commands(self, closing: str) -> None:
        """Parse commands up to the parenthesis that closes them, or the end."""
        self._deeper()
        cases = 0
        while True:
            self._blank()
            char = self.text[self.at : self.at + 1]
            if not char:
                break
            if char == ")":
                self.at += 1
                if closing and not cases:
                    break
            elif char in "\n;&|":
                self._separator(char)
            elif char == "#":
                self._comment()
            elif char == "(":
                self._begin()
                self._group()
            else:
                self._begin()
                cases = max(0, cases + self._simple())
        self.depth -= 1

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEPTH:
            raise _TooDeep

    def _separator(self, char: str) -> None:
        two = self.text[self.at : self.at + 2]
        self.at += 2 if two in ("&&", "||", "|&", ";;", ";&") else 1
        if not self.subs:
            # `a && b` succeeds as a whole; for `a; b` only b's success is known; for `a || b`, `a | b`, `a &` none.
            self.chain_broken = self.chain_broken or char == "|" or (char == "&" and two != "&&")
            self.chain_over = two not in ("&&", "||", "|&") and char != "|"
        if char != "|" or two == "||":
            self.pipeline = Pipeline()
        if char == "\n" and self.waiting:
            self._here_documents()

    def _begin(self) -> None:
        if self.chain_over and not self.subs:
            self.chain, self.chain_broken, self.chain_over = [], False, False

    def _group(self) -> None:
        if self.text.startswith("((", self.at):
            self._arithmetic()
            return
        self.at += 1
        self._subshell()

    def _subshell(self) -> None:
        outer = self.pipeline
        self.pipeline = Pipeline()
        self.shell.enter()
        self.subs += 1
        self.commands(closing=")")
        self.subs -= 1
        self.shell.leave()
        self.pipeline = outer

    def _arithmetic(self) -> None:
        """Skip `((…))`; a `<<` in it is a shift."""
        depth = 0
        while self.at < self.end:
            char = self.text[self.at]
            self.at += 1
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return

    def _comment(self) -> None:
        end = self.text.find("\n", self.at)
        self.at = self.end if end < 0 else end

    def _blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        if match:
            self.at = match.end()

    # ---- a simple command -----------------------------------------------------------------------

    def _simple(self) -> int:
        """Parse one simple command; return how many `case` it opens (or closes, below zero)."""
        words: list[str] = []
        assignments: dict[str, str] = {}
        pipeline = self.pipeline
        while self._word_begins(words, pipeline):
            bare = self.text[self.at] not in "\"'\\$"
            word = self._word()
            if bare and not words:
                if word in _LEADING:
                    return self._leading(word)
                if word == "case":
                    return self._case()
                if match := _ASSIGNMENT.match(word):
                    assignments[match[1]] = word[match.end() :]
                    continue
                self._count_block(word)
            words.append(word)
        self._finish(words, assignments, pipeline)
        return 0

    def _word_begins(self, words: list[str], pipeline: Pipeline) -> bool:
        """Read up to the next word of a simple command; return false if the command ends."""
        while True:
            self._blank()
            char = self.text[self.at : self.at + 1]
            if self._redirects():
                self._redirection(pipeline)
            elif char == "(":
                if len(words) == 1 and self._function():
                    words.clear()
                    return False
                self._group()
            elif char == "#":
                self._comment()
                return False
            else:
                return bool(char) and char not in "\n;&|)"

    def _leading(self, word: str) -> int:
        """Skip a word after which a new command begins."""
        self._count_block(word)
        if word == "!" and not self.subs:
            self.chain_broken = True
        if word == "function":
            self._blank()
            self._word()
        return -1 if word == "esac" else 0

    def _finish(self, words: list[str], assignments: dict[str, str], pipeline: Pipeline) -> None:
        if not words:
            for name, value in assignments.items():
                self.shell.assign(name, value)
            return
        command = tuple(words)
        pipeline.commands.append(command)
        if not self.subs and not self.blocks and not (self.chain and self.chain[-1] is pipeline):
            self.chain.append(pipeline)
        self.shell.run(command, assignments, pipeline)

    def _count_block(self, word: str) -> None:
        self.blocks = max(0, self.blocks + _BLOCKS.get(word, 0))

    def _case(self) -> int:
        """Skip `case WORD in`; its patterns end in a lone parenthesis each."""
        self._count_block("case")
        for _ in range(2):
            self._blank()
            if self.at < self.end and self.text[self.at] not in "\n;&|()<>":
                self._word()
        return 1

    def _function(self) -> bool:
        match = _NO_PARAMETERS.match(self.text, self.at)
        if match:
            self.at = match.end()
        return match is not None

    # ---- redirections ---------------------------------------------------------------------------

    def _redirects(self) -> bool:
        return _REDIRECTION.match(self.text, self.at) is not None

    def _redirection(self, pipeline: Pipeline) -> None:
        match = _REDIRECTION.match(self.text, self.at)
        assert match
        self.at = match.end()
        sign = match[1]
        if sign in ("<(", ">("):
            self._subshell()
            return
        self._blank()
        if sign in ("<<", "<<-"):
            start = self.at
            delimiter = self._word(plain=True)
            if self.at > start:
                self.waiting.append((delimiter, sign == "<<-", pipeline))
        elif self.at < self.end and self.text[self.at] not in "\n;&|()<>":
            target = self._word()
            if sign == "<<<":
                pipeline.fed.append(target)

    def _here_documents(self) -> None:
        waiting, self.waiting = self.waiting, []
        for delimiter, indented, pipeline in waiting:
            lines: list[str] = []
            while self.at < self.end:
                end = self.text.find("\n", self.at)
                end = self.end if end < 0 else end
                line = self.text[self.at : end]
                self.at = end + 1
                line = line.lstrip("\t") if indented else line
                if line.rstrip("\r") == delimiter:
                    break
                lines.append(line)
            self.at = min(self.at, self.end)
            self.shell.feed(pipeline, "\n".join(lines))

    # ---- words ----------------------------------------------------------------------------------

    def _word(self, plain: bool = False) -> str:
        """Parse one word and remove its quotes; *plain*: without expansions."""
        parts: list[str] = []
        while self.at < self.end:
            if match := _PLAIN.match(self.text, self.at):
                self.at = match.end()
                parts.append(match[0])
                continue
            char = self.text[self.at]
            if char == "(" and parts and parts[-1].endswith("=") and not plain:
                self.at += 1
                self._subshell()  # an array: read past its words
                parts.append(UNKNOWN)
            elif char in " \t\r\n;&|()<>":
                break
            elif char == "\\":
                parts.append(self.text[self.at + 1 : self.at + 2].replace("\n", ""))
                self.at += 2
            elif char == "'":
                parts.append(self._single())
            elif char == '"':
                parts.append(self._double(plain))
            elif char == "$":
                parts.append("$" if plain else self._dollar())
                self.at += plain
            elif char == "`":
                parts.append(self._backticks())
            else:
                parts.append(char)
                self.at += 1
        return "".join(parts)

    def _single(self) -> str:
        end = self.text.find("'", self.at + 1)
        end = self.end if end < 0 else end
        inside = self.text[self.at + 1 : end]
        self.at = end + 1
        return inside

    def _double(self, plain: bool) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < self.end:
            if match := _QUOTED.match(self.text, self.at):
                self.at = match.end()
                parts.append(match[0])
                continue
            char = self.text[self.at]
            if char == '"':
                self.at += 1
                break
            if char == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                parts.append({"\n": ""}.get(following, following if following in '$`"\\' else "\\" + following))
                self.at += 2
            elif char == "$" and not plain:
                parts.append(self._dollar(quoted=True))
            elif char == "`" and not plain:
                parts.append(self._backticks())
            else:
                parts.append(char)
                self.at += 1
        return "".join(parts)

    def _dollar(self, quoted: bool = False) -> str:
        following = self.text[self.at + 1 : self.at + 2]
        if self.text.startswith("$((", self.at):
            self.at += 1
            self._arithmetic()
            return UNKNOWN
        if following == "(":
            self.at += 2
            return self._substitution()
        if following == "{":
            return self._braces()
        if following == "'" and not quoted:
            self.at += 1
            return self._ansi()
        if following == '"' and not quoted:
            self.at += 1
            return self._double(plain=False)
        if match := _NAME.match(self.text, self.at + 1):
            self.at = match.end()
            return self._value(match[0])
        self.at += 1
        if following and following in "0123456789?!@*#$-":
            self.at += 1
            return UNKNOWN
        return "$"

    def _substitution(self) -> str:
        waiting, self.waiting = self.waiting, []
        self._subshell()
        self.waiting = waiting
        return UNKNOWN

    def _braces(self) -> str:
        """Parse `${…}`: a plain name has its value, anything else is only known at run time."""
        start = self.at + 2
        self.at = start
        self._deeper()
        while self.at < self.end:
            char = self.text[self.at]
            if char == "}":
                self.at += 1
                break
            if char == "'":
                self._single()
            elif char == '"':
                self._double(plain=False)
            elif char == "$":
                self._dollar(quoted=True)
            elif char == "`":
                self._backticks()
            else:
                self.at += 2 if char == "\\" else 1
        self.depth -= 1
        name = self.text[start : self.at - 1]
        return self._value(name) if _NAME.fullmatch(name) else UNKNOWN

    def _value(self, name: str) -> str:
        value = self.shell.lookup(name)
        return UNKNOWN if value is None else value

    def _ansi(self) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < self.end:
            char = self.text[self.at]
            self.at += 1
            if char == "'":
                break
            if char == "\\":
                char = self.text[self.at : self.at + 1]
                self.at += 1
                char = _ESCAPES.get(char, char)
            parts.append(char)
        return "".join(parts)

    def _backticks(self) -> str:
        parts: list[str] = []
        self.at += 1
        while self.at < self.end and self.text[self.at] != "`":
            if self.text[self.at] == "\\" and self.text[self.at + 1 : self.at + 2] in ("`", "\\", "$"):
                self.at += 1
            parts.append(self.text[self.at : self.at + 1])
            self.at += 1
        self.at += 1
        self.shell.enter()
        read("".join(parts), self.shell, self.depth + 1)
        self.shell.leave()
        return UNKNOWN
