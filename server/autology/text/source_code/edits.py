"""What an edit changes: the lines of code that differ beyond formatting, and the names that are added and removed."""

from __future__ import annotations

import re
from collections import namedtuple
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 200_000
"""Characters of a text that are examined; a longer file is not edited by hand."""
_NAMES = 400
"""Names of an edit that are looked up, the first ones: with more, the file is rewritten."""
_SHORTEST = 5
"""Letters from which the beginning or end of a name may be a name, as `mysql` in `mysqlclient`."""

_HASH = (
    "py pyi sh bash zsh rb yml yaml toml tf r pl jl ex exs nim mk cmake conf cfg ini env dockerfile makefile gemfile"
)
_SLASH = (
    "js mjs cjs jsx ts mts cts tsx go java kt kts c h cc cpp hpp cs rs swift scala php dart proto groovy gradle css"
    " scss less vue svelte zig mod"
)
_DASH = "sql lua hs elm"
_PROSE = "md markdown mdx txt rst adoc org html htm xml svg"
_MANIFESTS = (
    "package.json pyproject.toml setup.py setup.cfg pipfile environment.yml go.mod cargo.toml gemfile composer.json"
    " pom.xml build.gradle build.gradle.kts pubspec.yaml mix.exs dockerfile docker-compose.yml docker-compose.yaml"
    " compose.yml compose.yaml chart.yaml"
)

_STRING = r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`'
_ESCAPED = r"\\."
"""Begins no string: otherwise a text of escaped quotes that are never closed would be scanned for each of them."""
_WRITTEN = rf"{_ESCAPED}|{_STRING}"
_COMMENTS = {
    "hash": rf'^[ \t]*(?:"""[\s\S]*?(?:"""|\Z)|\'\'\'[\s\S]*?(?:\'\'\'|\Z))|(?P<kept>{_WRITTEN})|(?<![\w$&])#[^\n]*',
    "slash": rf"(?P<kept>{_WRITTEN})|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|^[ \t]*\*(?:[ /][^\n]*)?$",
    "dash": rf"(?P<kept>{_WRITTEN})|--[^\n]*|/\*[\s\S]*?(?:\*/|\Z)",
    "prose": r"(?P<kept>\A\b)|<!--[\s\S]*?(?:-->|\Z)",
}
_LOGGING = (
    r"(?:self\.)?_?(?:log|logger|logging|console|slog|LOG|LOGGER|Log)\w{0,8}[.!]\w+[!(]|(?:println|eprintln|NSLog)!?\("
)
_IMPORT = (
    r"(?:from\b.*\bimport\b|import\b|#\s*include\b|@import\b|use\s+[\w:]+|using\s+[\w.]+;|require\b|package\b)"
    r"|.*\b(?:require|import)\s*\(|.*\bfrom\s+['\"]|[\"'][\w./@-]+[\"']\Z"
)
_DEFINING = (
    r"(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|const|inline|unsafe)\s+)*"
    r"(?:def|class|function\*?|func|fn|interface|struct|enum|trait|impl|module|type|const|let|var|val)\s+"
    r"(?:\([^)]*\)\s*)?(?P<name>[A-Za-z_$][\w$]*)"
)
_ASSIGNED = r"(?P<name>[A-Za-z_$][\w$]*)\s*(?::[^=\n]+)?=(?!=)"

Edited = namedtuple("Edited", ("gone", "come", "logged", "around", "is_new", "manifest", "tested", "prose", "frozen"))
"""An edit: the removed and added lines, without comments and log lines; the added log lines; the names of their
enclosing definitions; whether the file is created; whether it lists the project's dependencies, is a test, is prose, or
changes a frozen part of a record."""


def edited(path: str, old: str, new: str, before: str) -> Edited | None:
    """Return what replacing *old* with *new* changes in *path*, whose text was *before*; None if it only formats."""
    form = form_of(path)
    was, logged_before = _lines(stripped(old[:LONGEST], form))
    now, logged_now = _lines(stripped(new[:LONGEST], form))
    gone, come = _difference(was, now), _difference(now, was)
    logged = [line for line in logged_now if line not in logged_before]
    name = path.rpartition("/")[2].lower()
    prose = form == "prose"
    if not prose and tokens(gone) == tokens(come):
        gone, come = [], []
    if not gone and not come and not logged:
        return None
    if gone and sorted(gone) == sorted(come) and all(map(_pattern(_IMPORT).match, gone)):
        return None
    manifest = name in _MANIFESTS.split() or _lists_requirements(path)
    around = [] if prose else _enclosing(before, old, [*gone, *come])
    is_prose = prose and not manifest
    frozen = is_prose and _is_frozen(before, gone)
    return Edited(gone, come, logged, around, not before and not old, manifest, is_test(path), is_prose, frozen)


def names(change: Edited) -> list[str]:
    """Return the names in the changed lines and their enclosing definitions, whole and in dotted parts."""
    result: dict[str, None] = dict.fromkeys(change.around)
    for line in (*change.gone, *change.come):
        for name in _pattern(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*").findall(line):
            dotted = name.replace("::", ".")
            result[dotted] = None
            result.update(dict.fromkeys(dotted.split(".")))
    return list(result)[:_NAMES]


def terms(change: Edited) -> list[str]:
    """Return the lower-case forms in which a ruled-out thing may occur in the added lines."""
    forms: dict[str, None] = {}
    for word in dict.fromkeys(_words("\n".join((*change.come, *change.logged)))):
        if len(forms) > 20 * _NAMES:
            break
        for form in _forms(word):
            forms[form] = None
            for cut in range(_SHORTEST, min(len(form), 20)):
                forms[form[:cut]] = forms[form[-cut:]] = None
    return list(forms)[: 20 * _NAMES]


def touches(change: Edited, symbol: str) -> bool:
    """Whether an edit changes *symbol*: its definition, its body, or a use of it."""
    last = symbol.rpartition(".")[2]
    if symbol in change.around or (last in change.around and symbol.rpartition(".")[0] in (*change.around, "")):
        return True
    name = _pattern(rf"(?<![\w$]){re.escape(symbol)}(?![\w$])")
    less = sum(len(name.findall(line)) for line in change.gone) - sum(len(name.findall(line)) for line in change.come)
    if less > 0:
        return True
    return any(defined(line) == last for line in (*change.gone, *change.come) if name.search(line))


def brings(change: Edited, term: str, mention: str) -> bool:
    """Whether an edit introduces the ruled-out *term*: recognised by its `name`, by its `call`, or by `import`."""
    here = _holding([*change.come, *change.logged], term)
    before = _holding(change.gone, term)
    if len(here) <= len(before):
        return False
    if change.manifest or imports(change, term):
        return True
    here = [line for line in here if not _pattern(_IMPORT).match(line)]
    if mention == "name":
        return any(_occurs(unquoted(line), term) or f"{term}://" in line.lower() for line in here)
    if mention == "import":
        return any(f"{term}://" in line.lower() or _in_a_type(line, term) for line in here)
    word = re.escape(term)
    if any(_pattern(rf"(?i)(?<![\w$.]){word}\s*(?:=[^=]|=>|,|\)|in\b|of\b)").search(line) for line in change.come):
        return False  # defined by the edit itself
    used = _pattern(rf"(?i)(?<![\w$.]){word}(?:\(|\.\w|::)|(?::|->|\bnew)\s*{word}\b|<{word}[>,]")
    return any(used.search(unquoted(line)) or _in_a_type(line, term) for line in here)


def unquoted(line: str) -> str:
    """Return *line* with its strings emptied."""
    return _pattern(rf"(?P<kept>{_ESCAPED})|{_STRING}").sub(lambda match: match["kept"] or '""', line)


def imports(change: Edited, term: str) -> bool:
    """Whether the added lines import *term*."""
    return any(_is_of(name, term) for line in change.come for name in _imported(line))


def removes(change: Edited, words: str, path: str) -> bool:
    """Whether an edit removes one of the *words* of a decision, apart from those of the path."""
    left = _stems(change.gone, 3) - _stems(change.come, 3)
    return bool((_stems([words], 3) - _stems([path.lower()]) - _SAYING_NOTHING) & left)


def is_about(change: Edited, title: str, path: str) -> bool:
    """Whether an edit of the file *path* is about *title*: half of its significant words occur in names there."""
    stems = _stems([title], 4) - _SAYING_NOTHING
    there = stems & _stems([path, *change.around])
    return bool(there) and 2 * len(there) >= len(stems)


def _stems(texts: Iterable[str], shortest: int = 1) -> set[str]:
    """Return the prefixes by which the words of *texts* and their parts are compared."""
    forms = {form for text in texts for word in _words(text) for form in _forms(word)}
    return {form.rstrip("s")[:5] for form in forms if len(form) >= shortest}


def is_test(path: str) -> bool:
    """Whether the file *path* tests other code, by its name."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    return (
        not {"test", "tests", "__tests__", "spec", "testdata", "fixtures"}.isdisjoint(folders)
        or stem.startswith("test_")
        or stem.endswith(("_test", "_spec"))
        or ".test." in name
        or ".spec." in name
    )


_SAYING_NOTHING = frozenset(
    word[:5] for word in "with from that this they their have when what which instead never into onto them than".split()
)


_PARTS_LEFT_OPEN = (
    r"(?i)(?:status|consequence|date|link|more information|reference|related|note|outcome of|follow|history)"
)


def _is_frozen(before: str, gone: list[str]) -> bool:
    """Whether an edit changes a frozen part of the record *before*."""
    part, opened, fences = "", False, 0
    for line in before[:LONGEST].splitlines():
        plain = " ".join(line.split())
        fences += plain == "---" and fences < 2
        if plain.startswith("#"):
            part = plain.lstrip("# ")
            opened = _pattern(_PARTS_LEFT_OPEN).match(part) is not None
        if plain in gone and not opened and not (before.startswith("---") and fences < 2):
            return True
    return False


def form_of(path: str) -> str:
    """Return the comment style of the file *path*: `hash`, `slash`, `dash`, `prose`, or "" if it has none."""
    name = path.rpartition("/")[2].lower()
    ending = name.rpartition(".")[2]
    if _lists_requirements(path) or name == "pipfile":
        return "hash"
    for form, endings in (("hash", _HASH), ("slash", _SLASH), ("dash", _DASH), ("prose", _PROSE)):
        if ending in endings.split():
            return form
    return "" if "." in name else "prose"


def _lists_requirements(path: str) -> bool:
    folder, _, name = path.lower().rpartition("/")
    return name.endswith((".txt", ".in")) and (name.startswith("requirements") or folder.endswith("requirements"))


def stripped(text: str, form: str) -> str:
    if not form:
        return text
    return _pattern(_COMMENTS[form], re.MULTILINE).sub(lambda match: match["kept"] or "", text)


def _lines(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of code in *text*, and the log lines."""
    lines = [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]
    logged = [line for line in lines if _pattern(_LOGGING).match(line)]
    return [line for line in lines if line not in logged] if logged else lines, logged


def _difference(lines: list[str], others: list[str]) -> list[str]:
    """Return those *lines* that are not among *others*, as a multiset difference."""
    left: dict[str, int] = {}
    for line in others:
        left[line] = left.get(line, 0) + 1
    remaining = []
    for line in lines:
        if left.get(line):
            left[line] -= 1
        else:
            remaining.append(line)
    if not remaining and lines != others and len(lines) == len(others):
        return [line for line, other in zip(lines, others, strict=True) if line != other]  # reordered only
    return remaining


def tokens(lines: Iterable[str]) -> list[str]:
    """Return the tokens of *lines* without formatting: quotes, ends of statements, commas before a bracket."""
    text = "\n".join(lines).replace("'", '"').replace(";", " ")
    text = _pattern(r",(?=\s*[)\]}])").sub("", text)
    return _pattern(r"\w+|[^\w\s]").findall(text)


def _enclosing(before: str, old: str, changed: list[str]) -> list[str]:
    """Return the names of the definitions that enclose the changed lines, innermost first."""
    text = before if old and old in before else old
    if not text:
        return []
    lines = text[:LONGEST].splitlines()
    first = text.count("\n", 0, text.find(old)) if old else 0
    at = next((n for n in range(first, len(lines)) if " ".join(lines[n].split()) in changed), None)
    if at is None:
        return []
    depth = indent(lines[at])
    enclosing = []
    for line in reversed(lines[:at]):
        if line.strip() and indent(line) < depth:
            depth = indent(line)
            name = defined(line.strip())
            if name:
                enclosing.append(name)
    return enclosing


def indent(line: str) -> int:
    """Return the width of the white space before *line*."""
    return len(line) - len(line.lstrip())


def defined(line: str) -> str:
    """Return the name that *line* defines, if any."""
    match = _pattern(_DEFINING).match(line.strip()) or _pattern(_ASSIGNED).match(line.strip())
    return match["name"] if match else ""


def _words(text: str) -> list[str]:
    return _pattern(r"[A-Za-z_$@][\w$@]*(?:[.-][A-Za-z_$][\w$]*)*").findall(text)


def _forms(word: str) -> set[str]:
    """Return a name in lower case: whole, without punctuation, and each of its parts."""
    forms = {word.lower()}
    for name in word.split("."):
        parts = _pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+").findall(name)
        forms.update(part.lower() for part in parts)
        forms.update("".join(parts[at : at + 2]).lower() for at in range(len(parts) - 1))
        forms.update(("".join(parts).lower(), *_pattern(r"[\-_$@]+").split(name.lower())))
    return forms - {""}


def _imported(line: str) -> list[str]:
    """Return the names that a line imports from other packages; the project's own modules are left out."""
    if not _pattern(_IMPORT).match(line):
        return []
    quoted = [text for text in _pattern(r"[\"'<]([@\w][\w./@:-]*)[\"'>]").findall(line) if text[0] != "."]
    if quoted:
        return [part for text in quoted for part in text.split("/")]
    dotted = _pattern(r"(?:from|import|use|using|package)\s+(?:static\s+)?([\w.:, ]+)").match(line)
    modules: list[str] = []
    for name in dotted[1].split(",") if dotted else ():
        parts = _pattern(r"[.:]+").split(name.strip().partition(" ")[0])
        modules += parts if parts[0] in _DOMAINS else [".".join(parts)] if parts[0] else []
    return modules


_DOMAINS = ("com", "org", "net", "io", "de", "dev", "fr", "uk", "edu", "java", "javax", "jakarta")


def imports_line(line: str) -> bool:
    """Whether *line* is an import, in which strings name modules."""
    return _pattern(_IMPORT).match(line) is not None


def _is_of(name: str, term: str) -> bool:
    """Whether importing *name* imports *term*: a module by its top-level package, a dotted name as a whole."""
    return _occurs(name, term) if not term.isalnum() else _occurs(name.partition(".")[0], term)


def _holding(lines: list[str], term: str) -> list[str]:
    return [line for line in lines if _occurs(line, term)]


def _occurs(line: str, term: str) -> bool:
    """Whether *term* occurs in *line*: as a name, or as the beginning or end of one if it is long enough."""
    if not term.isalnum():
        return _pattern(rf"(?<![\w$.]){re.escape(term)}(?![\w$])").search(line.lower()) is not None or (
            "/" in term and term in line.lower()
        )
    if term not in line.lower().replace("-", "").replace("_", "").replace(".", ""):
        return False
    forms = {form for word in _words(line) for form in _forms(word)}
    long = len(term) >= _SHORTEST
    return term in forms or (long and any(form.startswith(term) or form.endswith(term) for form in forms))


def _in_a_type(line: str, term: str) -> bool:
    """Whether *term* begins a compound name in *line*, as Kafka does in KafkaProducer."""
    return _pattern(rf"\b{re.escape(term.capitalize())}[A-Z]\w").search(line) is not None


@cache
def _pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(text, flags)
