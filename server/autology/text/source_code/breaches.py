"""Whether an edit goes against a rule: literal code, a value, a command in a script; and where a rule holds."""

from __future__ import annotations

import re

from autology.text.source_code import edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from autology.text.source_code.edits import Edited

_TESTS = "@tests"
_METHOD = 6
"""Letters from which a bare `name()` is also recognised as a method: `unwrap()` is, `text()` may be another's."""
_SCRIPTS = (
    "sh bash zsh fish ps1 bat cmd yml yaml mk toml json makefile dockerfile justfile jenkinsfile procfile".split()
)
_SQL = re.compile(r"[A-Z]{3,}\Z")
_BETWEEN = r"\s+(?:-\S+\s+)*"
_TOKEN = re.compile(r"\w+|[^\w\s]")


def holds(places: str, path: str) -> bool:
    """Whether a rule that is limited to *places* holds in the file *path*."""
    wanted = [place for place in places.split() if not place.startswith("!")]
    exempt = [place[1:] for place in places.split() if place.startswith("!")]
    return not any(_covers(place, path) for place in exempt) and (
        not wanted or any(_covers(place, path) for place in wanted)
    )


def brings_literal(change: Edited, written: str) -> bool:
    """Whether an edit adds the code *written* once more."""
    pattern = _literal(written)
    in_texts = "'" in written or '"' in written or bool(_SQL.match(written))

    def count(lines: Sequence[str]) -> int:
        return sum(
            len(
                pattern.findall(
                    line if in_texts or change.manifest or edits.imports_line(line) else edits.unquoted(line)
                )
            )
            for line in lines
        )

    added = [*change.come, *change.logged]
    if _SQL.match(written) and len(re.findall(r"\b[A-Z]{4,}\b", " ".join(added))) < 2:
        return False  # the word alone is not SQL
    return count(added) > count(change.gone)


def changes_value(change: Edited, decided: str) -> str:
    """Return what an edit sets the *decided* `name=value` to; "" if it stays."""
    name, _, value = decided.partition("=")
    setting = re.compile(
        rf"(?<![\w$.-]){re.escape(name)}[\"']?(?:\s*:\s*[\w\[\].| ]+?\s*=|\s*[:=])\s*"
        r"(?P<value>\"[^\"]*\"|'[^']*'|[^\s,;)}#]+)"
    )
    before = [match["value"].strip("\"'") for line in change.gone for match in setting.finditer(line)]
    after = [match["value"].strip("\"'") for line in change.come for match in setting.finditer(line)]
    value = value.strip("\"'")
    if value in before and after and value not in after:
        return after[0]
    return ""


def adds_command(change: Edited, path: str, words: Sequence[str]) -> bool:
    """Whether an edit adds a command line that begins with *words* to a script, a build or a CI file."""
    name = path.rpartition("/")[2].lower()
    if name.rpartition(".")[2] not in _SCRIPTS:
        return False
    spelled = _BETWEEN.join(map(re.escape, words))
    pattern = re.compile(rf"(?<![\w./-]){spelled}(?![\w-])(?!\.\w)")
    return sum(map(len, map(pattern.findall, change.come))) > sum(map(len, map(pattern.findall, change.gone)))


def _covers(place: str, path: str) -> bool:
    if place == _TESTS:
        return edits.is_test(path)
    place = place.strip("/").removeprefix("./")
    if "*" in place:
        from fnmatch import fnmatch

        return fnmatch(path, place) or fnmatch(path.rpartition("/")[2], place)
    inside = f"/{path}/"
    return inside.startswith(f"/{place}/") or ("/" not in place and f"/{place}/" in inside)


def _literal(written: str) -> re.Pattern[str]:
    """Return the pattern of *written*, whose spaces and quotes may differ; `name()` may have arguments."""
    called = written.endswith("()")
    bare = written.removesuffix("()").removeprefix(".")
    tokens = ["[\"'`]" if mark in "\"'`" else re.escape(mark) for mark in _TOKEN.findall(bare)]
    is_method = called and re.fullmatch(r"\w+", bare) and len(bare) >= _METHOD
    before = r"(?<![\w$])" if is_method or written.startswith(".") else r"(?<![\w$.])"
    if not re.match(r"\w", bare):
        before = ""
    after = r"\s*\(" if called else r"(?![\w$])" if re.search(r"\w\Z", bare) else ""
    return re.compile(before + r"\s*".join(tokens) + after)
