"""Secrets at some distance from their name: in YAML blocks, user/password pairs, and objects around a value."""

from __future__ import annotations

from autology.text.secrets import Secret
from autology.text.secrets.assignment_patterns import FORMS
from autology.text.secrets.secret_names import SECRET_STEMS, head, is_about, names_a_password, names_a_secret
from autology.text.secrets.value_tests import chosen, jumbled, odd, passphrase, placeholder, random, sure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


PASSWORD, SECRET = "password", "secret"
_LONGEST = 20_000
"""Characters of the longest block that may be a secret: a private key of 16,384 bits has 13,000."""
_DEEPEST = 400
"""Characters of a line before the name in it."""
_AROUND = 600
"""Characters from a resource's type to its generated value."""
_PAIRS = 200


def values(text: str, low: str, stem: str, at: int, sign: str) -> Iterator[Secret]:
    """Yield the block or pair value of the name at *at*; *sign* follows the name."""
    after = at + len(stem)
    if sign == ":" and (match := FORMS["block"].match(low, after)):
        yield from _block(text, stem, at, text[match.start("suffix") : match.end("suffix")], match.end())
        return
    if stem in ("auth", "cred", "pass") and (match := FORMS["pairs"].match(low, after)):
        yield from _pairs(text, match.end())


def _block(text: str, stem: str, at: int, suffix: str, start: int) -> Iterator[Secret]:
    """A YAML block scalar: the lines indented deeper than the name."""
    lines = _further_in(text, at, start)
    if not lines or is_about(suffix):
        return
    first, last = lines[0][0], lines[-1][1]
    values = [text[a:b] for a, b in lines]
    before = head(text, at)
    if stem == "cred":
        for (start, stop), value in zip(lines, values, strict=True):
            if sure(value):
                yield (PASSWORD, start, stop)
    elif stem in SECRET_STEMS:
        if names_a_secret(stem, before, suffix, text, at) and _keylike(values, 12):
            yield (SECRET, first, last)
    elif names_a_password(stem, before, suffix) and (_keylike(values, 8) or _password(" ".join(values), suffix)):
        yield (PASSWORD, first, last)


def _further_in(text: str, at: int, start: int) -> list[tuple[int, int]]:
    """Return the range of lines from *start* on that are indented deeper than the line of *at*."""
    line = text.rfind("\n", max(0, at - _DEEPEST), at) + 1
    indent = len(text[line:at]) - len(text[line:at].lstrip(" -"))
    lines: list[tuple[int, int]] = []
    limit = min(len(text), start + _LONGEST)
    while start < limit:
        end = text.find("\n", start, limit)
        end = end if end >= 0 else limit
        row = text[start:end]
        inner = start + len(row) - len(row.lstrip())
        if row.strip():
            if inner - start <= indent:
                break
            lines.append((inner, inner + len(row.strip())))
        start = end + 1
    return lines


def _keylike(values: list[str], least: int) -> bool:
    """Whether each line is one word, and one of them is random."""
    if any(" " in value or placeholder(value) for value in values):
        return False
    return any(random(value, least) for value in values)


def _password(value: str, suffix: str) -> bool:
    if " " in value:
        return passphrase(value, 3 if suffix.lower().endswith("phrase") else 4) or odd(value)
    return len(value) >= 6 and not placeholder(value) and (chosen(value, literal=True) or jumbled(value))


def drawn(text: str, at: int) -> Iterator[Secret]:
    """Terraform's result for a `random_password` whose type is at *at*: one of its attributes."""
    begun = max(0, at - _AROUND)
    for match in FORMS["result"].finditer(text, begun, at + _AROUND):
        yield (PASSWORD, *match.span(1))


def _pairs(text: str, start: int) -> Iterator[Secret]:
    """Pairs of a user and a password, as client libraries take them: `auth=("ann", "…")`."""
    for _ in range(_PAIRS):
        match = FORMS["two"].match(text, start)
        if not match:
            return
        value = match[3]
        if not placeholder(value) and "<" not in match[1] and _password(value, ""):
            yield (PASSWORD, *match.span(3))
        start = match.end()
