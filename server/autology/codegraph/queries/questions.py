"""Questions about code in plain words: what calls something, what it uses, what depends on it, how it is structured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class QuestionKind(StrEnum):
    """What a question about code is for."""

    CALLERS = "callers"
    CALLS = "calls"
    USERS = "users"
    DEPENDENCIES = "dependencies"
    AFFECTED = "affected"
    STRUCTURE = "structure"
    OVERRIDES = "overrides"
    OVERRIDDEN = "overridden by"
    UNUSED = "unused"


WRITTEN_AS_CODE = re.compile(r"[_./:#()]|[a-z][A-Z]")
"""What distinguishes an identifier from a word."""


@dataclass(frozen=True, slots=True)
class CodeQuestion:
    """The *kind* of question, and the names that it may be about, the likeliest first."""

    kind: QuestionKind
    names: tuple[str, ...]


def parse_question(query: str, default: QuestionKind | None = None) -> CodeQuestion | None:
    """Return the question about code in *query*; None where there is none, unless there is a *default* kind."""
    query = " ".join(query.split())
    for kind, pattern in _PATTERNS:
        if match := pattern.search(query):
            return CodeQuestion(kind, _names(match["what"] or "", kind))
    return CodeQuestion(default, _names(query, default)) if default else None


def _names(text: str, kind: QuestionKind) -> tuple[str, ...]:
    """Return what in *text* may name a symbol: quoted, then written as code, then words joined, then single words."""
    text = text.strip().rstrip("?.!,;: ")
    quoted = re.findall(r"[`\"'“]([^`\"'”]+)[`\"'”]", text)
    all_words = _WORD.findall(text)
    words = [word for word in all_words if word.strip("().").lower() not in (*_STOP_WORDS, *_KINDS)]
    if not words and kind is not QuestionKind.UNUSED:
        words = _named_like_a_kind(all_words)
    identifiers = [word for word in words if WRITTEN_AS_CODE.search(word)]
    joined = [separator.join(words) for separator in ("_", "")] if 1 < len(words) <= 4 else []
    names = (name.removesuffix("()").rstrip(".:") for name in (*quoted, *identifiers, *joined, *words))
    return tuple(dict.fromkeys(name for name in names if name))


def _named_like_a_kind(words: Sequence[str]) -> list[str]:
    """Return the kinds of code among *words* where they must be names themselves: a class called File."""
    kinds = [word for word in words if word.strip("().").lower() in _KINDS]
    return sorted(kinds, key=str.islower)  # File before file


_WHAT = r"(?P<what>.+)"
_SYMBOLS = r"(?:code|functions?|methods?|class(?:es)?|definitions?|symbols?)"
_LIST = r"(?:(?:find|list|show|me|what|which|where|is|are|there|any|all|the|of) )*"
_WITHIN = r"(?: anywhere)?(?: (?:in|of|within|below) (?P<what>.+))?"
_UNUSED = r"(?:unused|(?:never|not) (?:called|used|referred to))"
_CHANGES = r"(?:breaks|is affected) (?:if|when|by)(?: I| we)? (?:chang\w+)"
_USES = r"(?:uses?|depends? on|imports?|extends?|implements?)"
_PATTERNS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (QuestionKind.UNUSED, rf"^{_LIST}(?:unused|dead|unreferenced|uncalled) {_SYMBOLS}\b{_WITHIN}"),
        (QuestionKind.UNUSED, rf"^(?:what|which)(?: {_SYMBOLS})? (?:is|are) {_UNUSED}{_WITHIN}"),
        (QuestionKind.OVERRIDES, r"\b(?:what|which \w+) (?:does|do) (?P<what>.+?) override\b"),
        (QuestionKind.OVERRIDES, r"\b(?:what|which \w+) (?:is|are) (?P<what>.+?) an? override of\b"),
        (QuestionKind.OVERRIDDEN, rf"\b(?:what|who|which \w+) (?:else )?(?:overrides?|reimplements?) {_WHAT}"),
        (QuestionKind.OVERRIDDEN, rf"\boverrides? of {_WHAT}"),
        (QuestionKind.OVERRIDDEN, r"\b(?:where|by what|by which \w+) (?:is|are) (?P<what>.+?) overridden\b"),
        (QuestionKind.CALLS, r"\bwhat (?:functions |methods )?(?:does|do) (?P<what>.+?) call\b"),
        (QuestionKind.DEPENDENCIES, r"\bwhat (?:does|do) (?P<what>.+?) (?:depend on|use|import)\b"),
        (QuestionKind.DEPENDENCIES, rf"\bdependenc(?:ies|y graph) (?:of|for) {_WHAT}"),
        (QuestionKind.CALLERS, rf"\b(?:what|who|which \w+) (?:else )?calls? {_WHAT}"),
        (QuestionKind.CALLERS, rf"\bcallers? of {_WHAT}"),
        (QuestionKind.CALLERS, r"\bwhere (?:is|are) (?P<what>.+?) called\b"),
        (QuestionKind.AFFECTED, rf"\baffected by (?:\w+ )?changes? (?:to|in|of) {_WHAT}"),
        (QuestionKind.AFFECTED, rf"\b(?:what|who) (?:else )?{_CHANGES} {_WHAT}"),
        (QuestionKind.USERS, rf"\b(?:what|who|which \w+) (?:else )?{_USES} {_WHAT}"),
        (QuestionKind.USERS, r"\bwhere (?:is|are) (?P<what>.+?) used\b"),
        (QuestionKind.USERS, rf"\b(?:usages?|users?|subclasses) of {_WHAT}"),
        (QuestionKind.STRUCTURE, rf"\b(?:structure|architecture) of {_WHAT}"),
        (QuestionKind.STRUCTURE, r"\bhow (?:does|do) (?P<what>.+?) work\b"),
    )
)
_WORD = re.compile(r"[\w./:#]+(?:\(\))?")
_STOP_WORDS = frozenset("a an the this that our my its of in and or from here there it now".split())
_KINDS = frozenset(
    "function functions class classes method methods module modules file files code component property project"
    " repository codebase".split()
)
