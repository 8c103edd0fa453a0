r"""Secrets identified by a name: `API_KEY=…`, `"password": "…"`, `setenv("TOKEN", "…")`, `the password is …`."""

from __future__ import annotations

from autology.text.secrets import Secret
from autology.text.secrets.assignment_patterns import FORMS
from autology.text.secrets.secret_names import (
    SECRET_STEMS,
    WIRELESS,
    head,
    is_about,
    names_a_password,
    names_a_secret,
    previous,
)
from autology.text.secrets.sentences import stated
from autology.text.secrets.value_tests import chosen, jumbled, odd, passphrase, placeholder, random, uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence


PASSWORD, SECRET = "password", "secret"

_GOES_ON = {"key": "s", "token": "svd", "pass": "wpceo", "cred": "es", "pw": "d", "auth": ""}
"""Letters that may follow these in the name of a secret: not `author`, `passed`, `keyword`."""
_FORMS_BY_SIGN = {
    **dict.fromkeys("=:", ("assigned", "inside")),
    **dict.fromkeys("?→⇒—–-", ("assigned",)),
    **dict.fromkeys(">&\r", ("assigned",)),
    **dict.fromkeys("|│\n[", ("assigned",)),
    **dict.fromkeys("(v),", ("argument",)),
    "<": ("listed",),
    "{": ("inside",),
}
"""The forms of assigning a value to a name, by the sign that follows it."""
_EAST_ASIAN = "\u2e80"
"""The first of the letters of scripts without spaces."""
_STATEMENT = 300
"""Characters from the beginning of a statement to one of the columns that it names."""
_COPULAS = frozenset("是为為はが")
_PARTING = frozenset("|│,;\t<")
_PARTED = frozenset("|│,;\t")
"""The characters after and before a name that is a column's heading."""
_OPENINGS = frozenset("=:({")
_GROUPS = ("double", "single", "tick", "escaped", "curly", "entity", "bare")


def named(text: str, low: str, stems: Sequence[str], headings: list[int]) -> Iterator[Secret]:
    """Yield the values in *text* of names with one of *stems*; *low* is the text in lower case.

    The number of candidates examined closely is proportional to the length of the code; beyond that, everything long
    with a digit is redacted. Positions of names that may be column headings are added to *headings*.
    """
    careful = 500 + len(text) // 256
    for stem in stems:
        goes_on = _GOES_ON.get(stem)
        at = low.find(stem)
        while at >= 0:
            after = at + len(stem)
            letter = low[after : after + 1]
            if letter.isalpha() and goes_on is not None and letter not in goes_on:
                at = low.find(stem, after)
                continue
            careful -= 1
            if careful < 0:
                yield from _blindly(low, stem, at)
                break
            for finding in _findings(text, low, stem, at, headings):
                yield finding
                after = max(after, finding[2])
            at = low.find(stem, after)


def _findings(text: str, low: str, stem: str, at: int, headings: list[int]) -> Iterable[Secret]:
    after = at + len(stem)
    name = FORMS["name"].match(low, after)
    stop = name.end() if name else after
    sign = low[stop : stop + 1]
    if low[after : after + 1] in _COPULAS:
        match = FORMS["copula"].match(low, after)
        return _one(_judged(text, stem, at, match, "copula") if match else None)
    if _heads(low, at, stop, sign):
        headings.append(at)
    matched = False
    for form in _FORMS_BY_SIGN.get(sign, ()):
        if match := FORMS[form].match(low, after):
            matched = True
            if finding := _judged(text, stem, at, match, form):
                return (finding,)
    if sign in _OPENINGS and (sign == "(" or not matched):
        from autology.text.secrets import yaml_blocks

        if several := list(yaml_blocks.values(text, low, stem, at, sign)):
            return several
    if matched and stem != "cred":
        return ()
    if sign in ("", "\n", "\r"):
        return _at_line_end(text, low, stem, at)
    return _one(_spoken(text, low, stem, at))


def _one(finding: Secret | None) -> tuple[Secret, ...]:
    return (finding,) if finding else ()


def _heads(low: str, at: int, stop: int, sign: str) -> bool:
    """Whether the name at *at*, which *sign* follows at *stop*, may be a column's heading, or one of several names."""
    if sign in _PARTING:
        return True
    if sign in ("", "\n", "\r"):
        start = at - len(head(low, at, 40))
        return low[max(0, start - 4) : start].strip(" \"'`*")[-1:] in _PARTED
    if sign == "=":
        return ", " in low[max(0, at - 24) : at]
    return low[stop - 1] == "\t" or (")" in low[at:stop] and low.find("insert", max(0, at - _STATEMENT), at) >= 0)


def _at_line_end(text: str, low: str, stem: str, at: int) -> Iterable[Secret]:
    """Return the secret that a name at the end of its line identifies, before it or some lines away."""
    if low.startswith("random_password", at - 7):
        from autology.text.secrets import yaml_blocks

        return list(yaml_blocks.drawn(text, at))
    if stem == "pass" and " as " in low[max(0, at - 24) : at]:
        return _one(_spoken(text, low, stem, at))
    return ()


def _spoken(text: str, low: str, stem: str, at: int) -> Secret | None:
    if "-" in low[max(0, at - 24) : at] and (match := _flag(low, at, at + len(stem))):
        return _judged(text, stem, at, match, "flag")
    return stated(text, low, stem, at)


def _flag(low: str, at: int, after: int) -> re.Match[str] | None:
    """Return `--name value`, if *at* is inside the name of such an option."""
    if not head(low, at, 24).startswith("-"):
        return None
    return FORMS["flag"].match(low, after)


def _blindly(low: str, stem: str, at: int) -> Iterator[Secret]:
    import re

    for match in re.compile(stem + FORMS["blind"].pattern).finditer(low, at):
        yield (SECRET, *match.span(1))


def _judged(text: str, stem: str, at: int, match: re.Match[str], form: str) -> Secret | None:
    """Return the finding if a name's value looks like a secret."""
    groups = match.groupdict()
    group = next(name for name in _GROUPS if groups.get(name))
    suffix = text[match.start("suffix") : match.end("suffix")]
    before = head(text, at)
    name = before + text[at : match.end("suffix")]
    if groups.get("marked") and not text.startswith(("</", ";/"), match.end()):
        return None  # `Vec<Token>x`, `<password>@host`: not an element with the value in it
    if is_about(suffix) or "arn:" in text[max(0, at - 80) : at].rpartition(" ")[2]:
        return None
    sign = groups.get("sign")
    if group == "bare" and sign == "==" and stem in SECRET_STEMS:
        return None
    if sign in ("|", "│") and not text[text.rfind("\n", 0, at) + 1 : at].lstrip().startswith(sign):
        return None  # `token | other`: only a row of a table has bars on both sides
    if stem not in SECRET_STEMS:
        if not names_a_password(stem, before, suffix, whole_name=form == "argument"):
            return None
        shouted = name.isupper() and sign in ("=", ":", "==")
        finding = _password(text, match, group, group != "bare" or shouted, env=shouted)
        return finding or (_phrase(text, stem, suffix, match, group) if suffix or stem != "pass" else None)
    if stem == "key" and not before and not suffix and previous(text, at) in WIRELESS:
        return _password(text, match, group, literal=True)
    if not names_a_secret(stem, before, suffix, text, at):
        return _lone_key(text, stem, before, suffix, match, group)
    if stem == "secret" and group != "bare" and passphrase(text[match.start(group) : match.end(group)]):
        return (SECRET, *match.span(group))
    return _secret(text, stem, before, name, match, group, form)


def _password(text: str, match: re.Match[str], group: str, literal: bool, env: bool = False) -> Secret | None:
    start, stop = match.span(group)
    if group == "bare" and env and text[max(0, match.start() - 40) : match.start()].count('"') % 2 == 0:
        stop = _extended(text, start, stop, "line")
    elif group == "bare":
        stop = _extended(text, start, stop, "rest")
        stop = _to_line_end(text, start, stop)
    value = text[start:stop]
    if group == "bare":
        value = value.rstrip(".:\\;,").removesuffix("&lt")
        stop = start + len(value)
        if _in_query(text, match.start()):
            value = value.partition("&")[0]
            stop = start + len(value)
        if value.endswith("=") and value[:-1].isidentifier():
            return None  # the next name
        if text[stop : stop + 1] in ("(", "[") or (env and FORMS["call"].match(value)):
            return None
        # Server=…;password=…;
        literal = literal or (text[stop : stop + 1] == ";" and ";" in text[max(0, match.start() - 24) : match.start()])
        # A value that ends its line is not an expression: `password: falcon12` in a settings file.
        ended = text[stop : stop + 1] in ("", "\n", "\r") or text.startswith((" │", " |", "&lt", "</"), stop)
        literal = literal or (ended and any(map(str.isdigit, value)))
    if len(value) < 6 or placeholder(value) or (group == "bare" and max(value) >= _EAST_ASIAN):
        return None
    if chosen(value, literal) or (env and value.isalpha() and value.islower()) or jumbled(value):
        return (PASSWORD, start, stop)
    return None


def _to_line_end(text: str, start: int, stop: int) -> int:
    """Return the end of a password with punctuation: the end of its line, unless that is code."""
    end = _extended(text, start, stop, "line")
    more = text[stop:end].rstrip(",;")
    if not more or text[end : end + 1] not in ("", "\n", "\r") or text[stop] in "\"'`)}]":
        return stop
    value = text[start:end]
    if FORMS["expression"].search(value) or not any(map(str.isdigit, value)):
        return stop
    return start + len(value.rstrip(",;"))


def _phrase(text: str, stem: str, suffix: str, match: re.Match[str], group: str) -> Secret | None:
    """Return a password of several words: the whole quoted text, or up to the end of the line."""
    start, stop = match.span(group)
    if group == "bare":
        if match.groupdict().get("sign") not in ("=", ":"):
            return None
        end = text.find("\n", start, start + 120)
        end = end if end >= 0 else min(len(text), start + 120)
        stop = start + len(text[start:end].rstrip(" \t\r|│\"'`"))
    value = text[start:stop]
    spelled = suffix.lower().endswith("phrase") or stem.startswith("phrase")
    if group != "bare" and "-" in value and all(len(word) > 4 for word in value.split("-")):
        spelled = True  # "glacier-raven-orbit", not "not-set-yet"
    if passphrase(value, 3 if spelled else 4) or odd(value):
        return (PASSWORD, start, stop)
    return None


def _secret(text: str, stem: str, before: str, name: str, match: re.Match[str], group: str, form: str) -> Secret | None:
    start, stop = match.span(group)
    if group == "bare":
        stop = _extended(text, start, stop, "rest")
        stop = _secret_end(text, start, stop) if name.isupper() else stop
    value = text[start:stop]
    if group == "bare":
        value = value.rstrip(".:\\")
        if _in_query(text, match.start()):
            value = value.partition("&")[0]
        stop = start + len(value)
        if text[stop : stop + 1] in ("(", "[") and (len(value) < 32 or "." in value):
            return None  # a call, or an item
    if form == "argument" and value.isalpha():
        return None
    if " " in value and (len(value) < 32 or not FORMS["salt"].search(value)):
        return None
    if len(value) < 12 or placeholder(value) or not random(value, 12 if stem != "key" and stem != "auth" else 16):
        return None
    return None if uuid(value) and not _takes_uuids(name, before) else (SECRET, start, stop)


def _lone_key(text: str, stem: str, before: str, suffix: str, match: re.Match[str], group: str) -> Secret | None:
    """Return the value of a `key` without further context, if it mixes all kinds of letters."""
    start, stop = match.span(group)
    value = text[start:stop].partition("&")[0]
    if stem != "key" or before or suffix or previous(text, match.start() - len(stem)):
        return None
    if not value.isalnum() or len(value) < 24:
        return None
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value)) and random(value, 24)
    in_query = _in_query(text, match.start()) and random(value, 24)
    return (SECRET, start, start + len(value)) if mixed or in_query else None


def _secret_end(text: str, start: int, stop: int) -> int:
    """Return the end of an environment variable's value: a key of letters and punctuation is not a call."""
    sign = text[stop : stop + 1]
    if sign == "(":
        return _extended(text, start, stop, "line") if FORMS["salt"].search(text, start, start + 100) else stop
    return stop if sign in ("", "\n", "\r", " ", '"', "'", ",") else _to_line_end(text, start, stop)


def _takes_uuids(name: str, before: str) -> bool:
    """Whether a UUID as the value of this name is a secret: client_secret, HEROKU_API_KEY, SNYK_TOKEN, _authToken."""
    low = name.lower()
    if low.endswith(("secret", "secret-key", "secret_key", "_authtoken")) or before.lower().endswith(("api", "api_")):
        return True
    return name.isupper() and "_" in name


def _in_query(text: str, at: int) -> bool:
    """Whether the name that ends at *at* is in the query of a URL."""
    before = at - len(head(text, at)) - 1
    return before >= 0 and text[before] in "?&"


def _extended(text: str, start: int, stop: int, form: str) -> int:
    rest = FORMS[form].match(text, start if form == "line" else stop)
    return rest.end() if rest else stop
