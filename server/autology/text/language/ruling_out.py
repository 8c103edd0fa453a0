"""What a text rules out: names, calls, imports, literal code, commands and files; and the values that it sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.language import ruled_commands
from autology.text.language.alternatives import not_chosen
from autology.text.language.code_names import SQL, is_literal, key, terms
from autology.text.language.rule_kinds import CALL, COMMAND, LITERAL, TESTS, UNTOUCHED, VALUE, Rule, detail
from autology.text.language.ruling_phrases import (
    AGAINST,
    COMMAND_ONLY,
    EDITING,
    FOR_TESTS,
    GONE,
    ITEM_TEXT,
    NOT_THERE,
    ONLY_IN,
    ONLY_ONE,
    PLACE,
    RUNNING,
    TAKES_NAMES,
)
from autology.text.language.sentences import sentences

_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[^\s\-*+>#|\d])")
_CLAUSES = re.compile(r";|,?\s+(?:and|but)\s+(?=(?:do not|don't|never|no|avoid)\b)")
_LANGUAGE = re.compile(
    r"\b[Ii]n (?:our |the |all )?(?P<name>Go|Rust|Python|TypeScript|JavaScript|Java|Ruby|Kotlin|Swift|PHP)"
    r" (?:code|files?|sources?|modules?|services?)\b"
)
_ENDINGS = {
    "Go": "*.go",
    "Rust": "*.rs",
    "Python": "*.py",
    "TypeScript": "*.ts *.tsx",
    "JavaScript": "*.js *.jsx *.mjs",
    "Java": "*.java",
    "Ruby": "*.rb",
    "Kotlin": "*.kt",
    "Swift": "*.swift",
    "PHP": "*.php",
}
_PATH = re.compile(r"\.?[\w@*][\w.@*{},-]*(?:/[\w.@*{},-]+)*/?\Z")
_ASSIGNMENT = re.compile(
    r"(?P<name>[A-Za-z_][\w.-]*)\s*[:=]\s*"
    r"(?P<value>['\"][^'\"]*['\"]|-?\d[\w.:]*|true|false|null|none|on|off|[\w./-]+:[\w.-]+)\s*[;,]?\Z",
    re.IGNORECASE,
)
_CALLABLE = frozenset(
    "print println printf eval exec sleep panic unwrap goto alert float input setTimeout assert any abort exit".split()
)
"""Functions that are ruled out by their bare names: "never print in `src/`"."""
_IN_TEXTS = re.compile(
    r"(?i)(?:\s+(?:or|and|nor)\s+[\w -]{2,30}?)?\s+in\s+(?:the\s+|our\s+)?(?:logs?|messages?|urls?|comments?|docs)\b"
)


def ruled_out(title: str, decided: str, alternatives: str) -> Iterator[Rule]:
    """Yield what the text rules out: by its sentences, then by its alternatives."""
    refused: dict[tuple[str, ...], Rule] = {}
    ruled: set[str] = set()
    for sentence in sentences(_WRAPPED.sub(" ", decided)):
        for clause in _CLAUSES.split(sentence):
            for kind, term, details in _of_clause(clause, title, sentence):
                known_as = kind if kind in (COMMAND, UNTOUCHED) else ""
                refused.setdefault((known_as, term, details.partition("\t")[0]), (kind, term, details))
                ruled.add(term)
    for match in GONE.finditer(alternatives):
        for term, kind in terms(match["what"].strip("`"), quoted=match["what"].startswith("`")):
            refused.setdefault(("", term, ""), (kind, term, detail(reason=match[0])))
            ruled.add(term)
    yield from refused.values()
    yield from not_chosen(title, decided, alternatives, ruled)


def values(decided: str, refused: frozenset[str]) -> Iterator[Rule]:
    """Yield the values that the text sets: `timeout = 10`; *refused* are pieces of code that it rules out."""
    for sentence in sentences(_WRAPPED.sub(" ", decided)):
        for code in _QUOTED.findall(sentence):
            match = _ASSIGNMENT.match(code.strip())
            if match and code not in refused:
                name = match["name"].rpartition(".")[2]
                yield VALUE, name, detail(f"{name}={match['value']}", reason=sentence)


def _of_clause(clause: str, title: str, sentence: str) -> Iterator[Rule]:
    """Yield the rules of one clause."""
    own = list(_exclusive(clause))
    if own:
        for what, place in own:
            yield from _rules_for(what, clause, f"!{place}", sentence, runs=False, after="")
        return
    untouched = _untouched(clause)
    yield from ((UNTOUCHED, path, detail(reason=sentence)) for path in untouched)
    if untouched:
        return
    for name, words in (*_only_by_others(clause), *ruled_commands.otherwise(clause, title)):
        yield COMMAND, name, detail(words, reason=sentence)
    places = _places(clause, sentence)
    for match in AGAINST.finditer(clause):
        yield from _of_negation(match, clause, places, sentence)
    for match in GONE.finditer(clause):
        for what in (*(f"`{code}`" for code in _QUOTED.findall(match["first"])), match["what"]):
            yield from _rules_for(what, clause, places, sentence, runs=False, after="")


def _only_by_others(clause: str) -> Iterator[ruled_commands.Command]:
    """Yield the commands that only a pipeline runs: "`terraform apply` is run only by CI"."""
    for match in COMMAND_ONLY.finditer(clause):
        what = (match["what"] or match["other"]).strip("`")
        if command := ruled_commands.command_of(what, quoted=True, runs=True, after="", clause=clause):
            yield command


def forbids_edits(title: str) -> bool:
    """Whether the *title* of a note says that its files are not edited: "Migrations are never changed"."""
    return EDITING.search(title) is not None


def _untouched(clause: str) -> list[str]:
    """Return the paths that a clause says are not edited: "nobody edits `gen/` by hand: run `make gen`"."""
    for part in clause.split(": "):
        codes = _QUOTED.findall(part)
        if codes and EDITING.search(part) and all("/" in code and _PATH.match(code) for code in codes):
            return codes
    return []


def _of_negation(match: re.Match[str], clause: str, places: str, sentence: str) -> Iterator[Rule]:
    what, verb, bare = match["what"], match["verb"] or match["short"] or match["cjk"], (match["bare"] or "").lower()
    if bare == "without" and re.search(r"(?i)\b(?:not|never|no|nobody)\b|n't", clause[: match.start()]):
        return  # what must not be left out
    if f"`{what.strip('`')}`" != what and _IN_TEXTS.match(clause, match.end("what")):
        return  # no card numbers in logs
    runs = bool(re.match(rf"(?i)(?:{RUNNING})\b", (match["use"] or "").strip()))
    end = match.end("what")
    if match["noun"]:
        what = f"`{what.strip('`')}`"
    is_name = what.startswith("`") or not _is_not_a_name(match, clause)
    if is_name or (verb and (what in _CALLABLE or _is_command(what, clause[end:]))):
        yield from _rules_for(what, clause, places, sentence, runs=runs, after=clause[end:])
    for item in re.findall(rf"{ITEM_TEXT}|[A-Za-z][\w.]+(?=\s|\Z)", match["more"] or ""):
        if item.startswith("`") or re.search(rf"\b{re.escape(item)}\s+(?:module|package|library)\b", clause[end:]):
            yield from _rules_for(f"`{item.strip('`')}`", clause, places, sentence, runs=runs, after="")


def _is_command(word: str, after: str) -> bool:
    return ruled_commands.command_of(word, quoted=False, runs=True, after=after, clause="") is not None


def _is_not_a_name(match: re.Match[str], text: str) -> bool:
    """Whether the words after a negation are not a name: `never edited`, `no lines that`."""
    name = match["what"]
    if not (name.isalpha() and name.islower()):
        return False
    if (match["verb"] or match["short"]) and not TAKES_NAMES.match(match["use"] or ""):
        return True
    rest = text[match.end("what") :]
    if name in _CALLABLE or match["more"]:
        return False
    return rest[:1] not in ("", ",", ".", ";", ":", ")", "\n")


def _rules_for(what: str, clause: str, places: str, sentence: str, *, runs: bool, after: str) -> Iterator[Rule]:
    """Yield the rules against *what*, a word or code in backticks."""
    written, quoted = what.strip("`").strip(), what.startswith("`")
    command = ruled_commands.command_of(written, quoted=quoted, runs=runs, after=after, clause=clause)
    if command:
        yield COMMAND, command[0], detail(command[1], reason=sentence)
        if command[1] or not ruled_commands.is_library(command[0]):
            return
    if quoted and is_literal(written):
        if written.endswith("()") and re.match(r"\s+without\b", after):
            written = f"{written[:-1]} )"  # without arguments
        yield LITERAL, key(written), detail(written, places, sentence)
        return
    if not quoted and written in SQL:
        yield LITERAL, written.lower(), detail(written, places, sentence)
        return
    if not quoted and written in _CALLABLE:
        yield CALL, written.lower(), detail("", places, sentence)
        return
    for term, kind in terms(written, quoted=quoted):
        yield kind, term, detail("", places, sentence)


def _exclusive(clause: str) -> Iterator[tuple[str, str]]:
    """Yield (item, the only place where it may be)."""
    for pattern in (ONLY_IN, FOR_TESTS, ONLY_ONE):
        for match in pattern.finditer(clause):
            place = match["place"].strip("`")
            place = TESTS if place.lower() in ("test", "tests") else place
            if (place == TESTS or ("/" in place or "." in place)) and (place == TESTS or _PATH.match(place)):
                yield match["what"], place


def _places(clause: str, sentence: str) -> str:
    """Return where a clause's rules hold: folders and files, those with `!` are exempt."""
    places: dict[str, None] = {}
    for match in PLACE.finditer(clause):
        mark = "!" if NOT_THERE.match(match["lead"]) else ""
        for place in (match["place"], *(f"`{code}`" for code in _QUOTED.findall(match["more"]))):
            name = place.strip("`")
            if name.lower() in ("test", "tests") and not place.startswith("`"):
                places[f"{mark}{TESTS}"] = None
            elif name.lower() == "production code":
                places[f"!{TESTS}"] = None
            elif _PATH.match(name) and (len(name) > 2) and not name.endswith("()"):
                places[f"{mark}{name}"] = None
    if language := _LANGUAGE.search(sentence):
        places |= dict.fromkeys(_ENDINGS[language["name"]].split())
    return " ".join(places)
