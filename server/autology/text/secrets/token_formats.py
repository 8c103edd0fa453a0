"""Keys and tokens that are recognised by their format, mostly a prefix chosen by the issuer.

Each is searched only in the long words of a text, and only if such a word has its prefix; patterns that are never
needed are not even compiled. A rule whose prefix is common in code requires a random rest as well.
"""

from __future__ import annotations

import os
from bisect import bisect_right

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import filler, random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from importlib.abc import SourceLoader

    _Rule = tuple[str, str, str, bool]
    """The kind of a token, its beginning, the pattern of its rest, and whether that has to be random."""


_END = r"(?![A-Za-z0-9_+/=])"
_DONE = r"(?![A-Za-z0-9_-])"
_NAMES = {
    "alnum": "[A-Za-z0-9]",
    "hex": "[0-9a-f]",
    "base64": "[A-Za-z0-9+/]",
    "base64url": "[A-Za-z0-9_-]",
    "uuid": "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    "end": _END,
    "done": _DONE,
}
"""What the names in the patterns of token_formats.txt stand for."""


def _formats() -> list[list[list[str]]]:
    """Return the words of each line in token_formats.txt: those of tokens by their prefixes, and of the others."""
    loader: SourceLoader = __loader__  # type: ignore[name-defined]  # hooks are loaded from an archive
    text = loader.get_data(os.path.join(os.path.dirname(__file__), "token_formats.txt")).decode()
    for name, pattern in _NAMES.items():
        text = text.replace(f"<{name}>", pattern)
    sections = text.split("[inner]")
    return [[line.split() for line in section.splitlines() if line and line[0] != "#"] for section in sections]


_BEGUN, _INNER = _formats()
_GLUED = tuple(
    "ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- xoxb- xoxp- xapp- sk_live_ sk_test_ rk_live_ whsec_ sk-ant- sk-proj-"
    " AKIA ASIA AIza npm_ hf_ dop_v1_ SG. shpat_ pypi-AgE ya29. GOCSPX- dckr_pat_ lin_api_ hvs. sk-or-v1- glsa_ figd_"
    " ntn_ rubygems_ AGE-SECRET-KEY-1 PMAK- tskey- gsk_ sq0atp- NRAK- eyJhbGciOi eyJ0eXAiOi".split()
)
"""Prefixes that are searched inside a word, too, if a random value follows."""
_PIECE = 8
"""Characters of a random piece of a word: of 36 with a sign in 16 of them all but one in 10,000 have one as long."""
_LONE = r"(?<![^ =:])(?=(?:[A-Za-z+/_-]{0,24}[0-9]{1,9}[A-Za-z]){2})([A-Za-z0-9+/_-]{16,200}+={0,2})(?= |\Z)"
"""A possibly random word, alone or after a name."""
_INNER_LEAST = 36
"""Characters of the shortest of them."""
_WRAPPED = (
    r"(?:=?\\?\r?\n[ \t]*|[\"'][ \t]*(?:[+\\.&_]"
    r"|\\n)?[ \t]*\r?\n[ \t]*(?:[+.][ \t]*)?[\"'])([A-Za-z0-9_+/=.-]{4,4000}+)"
)
"""Joins the parts of a token: a backslash or a soft line break of mail, strings one below the other."""
_FOLDED = r"\r?\n[ \t>|#]{0,20}([A-Za-z0-9_+/=.-]{8,4000}+)[ \t]*(?=\r?\n|\Z)"
_WIDTH = 60
"""Characters of the shortest line that a terminal or a mail wraps."""
_HEAD = 3
"""Characters by which a rule is looked up."""
_REMEMBERED, _REMEMBERED_LENGTH = 10_000, 80
"""Long words without any sign of a token that are remembered, paths and links for the most part, and their length."""


def _by_head() -> dict[str, list[_Rule]]:
    rules: dict[str, list[_Rule]] = {}
    for kind, *prefixes, rest in _BEGUN:
        for prefix in prefixes:
            beginning = prefix.removeprefix("?")
            word = beginning.translate(_TABLE).split()[0]
            rule = (kind, beginning, rest, prefix[0] == "?")
            if len(word) >= _HEAD or not beginning[-1].isalnum():
                heads = [word[:_HEAD]]
            else:  # two characters with the rest joined to them
                heads = [word + letter for letter in "0123456789abcdef"]
            for head in heads:
                rules.setdefault(head, []).append(rule)
    return rules


_TABLE = str.maketrans(dict.fromkeys("_-+/=.~:%|@", " "))
_BY_HEAD = _by_head()
_HEADS = frozenset(_BY_HEAD)
_PATTERNS = Patterns()
_known_clean: set[str] = set()
_BY_BEGINNING = {
    beginning: [rule for rules in _BY_HEAD.values() for rule in rules if rule[1] == beginning] for beginning in _GLUED
}


def shaped(text: str, words: Sequence[tuple[int, int]]) -> Iterator[Secret]:
    """Yield the keys and tokens among the long *words* of *text*, given by their positions."""
    long_words = [text[start:stop] for start, stop in words]
    if _known_clean.issuperset(long_words):
        return
    joined = " ".join(long_words)
    pieces = joined.translate(_TABLE).split()
    heads = {piece[:_HEAD] for piece in pieces} & _HEADS
    rules = {rule for head in heads for rule in _BY_HEAD[head] if rule[1] in joined} if heads else set()
    # If no piece has a digit among its letters, none is random.
    mixed = bool([0 for piece in pieces if len(piece) >= _PIECE and not piece.isalpha() and not piece.isdigit()])
    long = mixed and any(stop - start >= _INNER_LEAST for start, stop in words)
    lone = list(_PATTERNS[_LONE].finditer(joined)) if mixed else ()
    glued = [beginning for beginning in _GLUED if beginning in joined] if mixed else ()
    if not rules and not mixed:
        _remember(long_words)
    if not rules and not long and not lone and not glued:
        return
    starts = [0]
    for start, stop in words[:-1]:
        starts.append(starts[-1] + stop - start + 1)

    def shift(at: int) -> int:
        word = bisect_right(starts, at) - 1
        return words[word][0] - starts[word]

    if glued and "\n" in text:
        yield from _halved(text, joined, glued, shift)
    for kind, start, stop in (*_begun(joined, rules), *(_inner(joined) if long else ()), *_midst(joined, glued)):
        move = shift(start)
        yield kind, start + move, _to_the_end(text, kind, start + move, stop + move)
    if lone:
        from autology.text.secrets.neighbours import beside

        moved = ((match.start(1), match.end(1), shift(match.start(1))) for match in lone)
        yield from beside(text, ((start + move, stop + move) for start, stop, move in moved))


def _remember(words: Iterable[str]) -> None:
    """Remember *words* that neither begin like a token nor have a piece that may be random, whatever is beside them."""
    if len(_known_clean) >= _REMEMBERED:
        _known_clean.clear()
    _known_clean.update(word for word in words if len(word) <= _REMEMBERED_LENGTH)


def _to_the_end(text: str, kind: str, start: int, stop: int) -> int:
    """Return the end of a token in wrapped lines: with a sign that says so, or at the width of a terminal."""
    if kind == "private-key":
        from autology.text.secrets.private_keys import continued

        return continued(text, stop)
    while text[stop : stop + 1] in ("\\", '"', "'", "\n", "\r", "="):
        line = text.rfind("\n", 0, start) + 1
        marked = text[stop] != "\n" and text[stop] != "\r"
        more = _PATTERNS[_WRAPPED if marked else _FOLDED].match(text, stop)
        if not more or (not marked and (stop - line < _WIDTH or not random(more[1], 8))):
            break
        start, stop = more.span(1)
    return stop


def _begun(joined: str, rules: set[_Rule]) -> Iterator[Secret]:
    for kind, beginning, rest, doubted in sorted(rules):
        literal = beginning.replace(".", r"\.")
        # The distinctive string first: a search for it is fast, and the rest is only matched there. A letter, a digit,
        # a dash or an underscore before it means that it is the middle of something else.
        for match in _PATTERNS[rf"{literal}(?<![A-Za-z0-9_+-]{literal}){rest}"].finditer(joined):
            body = match[0][len(beginning) :]
            if not filler(body) and (not doubted or random(body, 12)):
                yield kind, match.start(), match.end()


def _midst(joined: str, glued: Iterable[str]) -> Iterator[Secret]:
    """Tokens joined to a word before or after them."""
    for beginning in glued:
        for kind, _, rest, _ in _BY_BEGINNING[beginning]:
            literal = beginning.replace(".", r"\.")
            bare = rest.removesuffix(_END).removesuffix(_DONE).replace(r"(?<![+/].{4})", "")
            end = "(?![A-Z0-9])" if beginning in ("AKIA", "ASIA") else ""
            for match in _PATTERNS[f"{literal}{bare}{end}"].finditer(joined):
                body = match[0][len(beginning) :]
                if not filler(body) and random(body[:100], 12):
                    yield kind, match.start(), match.end()


def _halved(text: str, joined: str, glued: Sequence[str], shift: Callable[[int], int]) -> Iterator[Secret]:
    """Tokens broken at the end of a line, whose rest is alone on the next."""
    for beginning in glued:
        literal = beginning.replace(".", r"\.")
        for match in _PATTERNS[rf"{literal}(?<![A-Za-z0-9_+-]{literal})[A-Za-z0-9_.-]{{2,250}}+(?= |\Z)"].finditer(
            joined
        ):
            move = shift(match.start())
            more = _PATTERNS[_FOLDED].match(text, match.end() + move)
            if not more:
                continue
            token = match[0] + more[1]
            for kind, _, rest, _ in _BY_BEGINNING[beginning]:
                if _PATTERNS[literal + rest].match(token) and random(token[len(beginning) :], 12):
                    yield kind, match.start() + move, more.end(1)


def _inner(joined: str) -> Iterator[Secret]:
    for kind, letters, token in _INNER:
        if letters in joined:
            for match in _PATTERNS[token].finditer(joined):
                if not filler(match[0][-_INNER_LEAST // 2 :]):
                    yield kind, match.start(), match.end()
