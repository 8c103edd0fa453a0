"""What is asked of the code: who calls something, what it uses, what depends on it, how it is made up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Wish(StrEnum):
    """What a question about code asks for."""

    CALLERS = "callers"
    CALLS = "calls"
    USERS = "users"
    DEPENDENCIES = "dependencies"
    AFFECTED = "affected"
    STRUCTURE = "structure"
    OVERRIDES = "overrides"
    OVERRIDDEN = "overridden by"
    UNUSED = "unused"


WRITTEN = re.compile(r"[_./:#()]|[a-z][A-Z]")
"""What tells a name of code from a word."""


@dataclass(frozen=True, slots=True)
class CodeQuestion:
    """The *wish*, and what may be meant by it, the likeliest name first."""

    wish: Wish
    names: tuple[str, ...]


def question(query: str, usual: Wish | None = None) -> CodeQuestion | None:
    """Return what *query* asks of the code; None where it asks nothing, unless *usual* is told."""
    plain = " ".join(query.split())
    for wish, pattern in _PATTERNS:
        if found := pattern.search(plain):
            return CodeQuestion(wish, _names(found["what"] or "", wish))
    return CodeQuestion(usual, _names(plain, usual)) if usual else None


def _names(text: str, wish: Wish) -> tuple[str, ...]:
    """Return what in *text* may name a piece of code: as written in code first, then words put together, then words."""
    plain = text.strip().rstrip("?.!,;: ")
    quoted = re.findall(r"[`\"'“]([^`\"'”]+)[`\"'”]", plain)
    every = _WORD.findall(plain)
    words = [word for word in every if word.strip("().").lower() not in (*_SMALL, *_KINDS)]
    if not words and wish is not Wish.UNUSED:
        words = _called_as_a_kind(every)
    coded = [word for word in words if WRITTEN.search(word)]
    joined = [separator.join(words) for separator in ("_", "")] if 1 < len(words) <= 4 else []
    found = (name.removesuffix("()").rstrip(".:") for name in (*quoted, *coded, *joined, *words))
    return tuple(dict.fromkeys(name for name in found if name))


def _called_as_a_kind(words: Sequence[str]) -> list[str]:
    """Return the *words* that say of what kind something is, where they must be its name: a class called File."""
    kinds = [word for word in words if word.strip("().").lower() in _KINDS]
    return sorted(kinds, key=str.islower)  # File before file


_WHAT = r"(?P<what>.+)"
_PIECES = r"(?:code|functions?|methods?|class(?:es)?|definitions?|symbols?)"
_LISTING = r"(?:(?:find|list|show|me|what|which|where|is|are|there|any|all|the|of) )*"
_WITHIN = r"(?: anywhere)?(?: (?:in|of|within|below) (?P<what>.+))?"
_PATTERNS = tuple(
    (wish, re.compile(pattern, re.IGNORECASE))
    for wish, pattern in (
        (Wish.UNUSED, rf"^{_LISTING}(?:unused|dead|unreferenced|uncalled) {_PIECES}\b{_WITHIN}"),
        (
            Wish.UNUSED,
            rf"^(?:what|which)(?: {_PIECES})? (?:is|are) (?:unused|(?:never|not) (?:called|used|referred to)){_WITHIN}",
        ),
        (Wish.OVERRIDES, r"\b(?:what|which \w+) (?:does|do) (?P<what>.+?) override\b"),
        (Wish.OVERRIDES, r"\b(?:what|which \w+) (?:is|are) (?P<what>.+?) an? override of\b"),
        (Wish.OVERRIDDEN, rf"\b(?:what|who|which \w+) (?:else )?(?:overrides?|reimplements?) {_WHAT}"),
        (Wish.OVERRIDDEN, rf"\boverrides? of {_WHAT}"),
        (Wish.OVERRIDDEN, r"\b(?:where|by what|by which \w+) (?:is|are) (?P<what>.+?) overridden\b"),
        (Wish.CALLS, r"\bwhat (?:functions |methods )?(?:does|do) (?P<what>.+?) call\b"),
        (Wish.DEPENDENCIES, r"\bwhat (?:does|do) (?P<what>.+?) (?:depend on|use|import)\b"),
        (Wish.DEPENDENCIES, rf"\bdependenc(?:ies|y graph) (?:of|for) {_WHAT}"),
        (Wish.CALLERS, rf"\b(?:what|who|which \w+) (?:else )?calls? {_WHAT}"),
        (Wish.CALLERS, rf"\bcallers? of {_WHAT}"),
        (Wish.CALLERS, r"\bwhere (?:is|are) (?P<what>.+?) called\b"),
        (Wish.AFFECTED, rf"\baffected by (?:\w+ )?changes? (?:to|in|of) {_WHAT}"),
        (
            Wish.AFFECTED,
            rf"\b(?:what|who) (?:else )?(?:breaks|is affected) (?:if|when|by)(?: I| we)? (?:chang\w+) {_WHAT}",
        ),
        (
            Wish.USERS,
            rf"\b(?:what|who|which \w+) (?:else )?(?:uses?|depends? on|imports?|extends?|implements?) {_WHAT}",
        ),
        (Wish.USERS, r"\bwhere (?:is|are) (?P<what>.+?) used\b"),
        (Wish.USERS, rf"\b(?:usages?|users?|subclasses) of {_WHAT}"),
        (Wish.STRUCTURE, rf"\b(?:structure|architecture) of {_WHAT}"),
        (Wish.STRUCTURE, r"\bhow (?:does|do) (?P<what>.+?) work\b"),
    )
)
_WORD = re.compile(r"[\w./:#]+(?:\(\))?")
_SMALL = frozenset("a an the this that our my its of in and or from here there it now".split())
_KINDS = frozenset(
    "function functions class classes method methods module modules file files code component property project"
    " repository codebase".split()
)
