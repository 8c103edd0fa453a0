"""Secrets by where they stand: between marks of privacy, in armour, in addresses, headers, cookies and commands."""

from __future__ import annotations

from autology.text.secrets.likely import chosen, placeholder, random

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    Found = tuple[str, int, int]
    Look = Callable[[str, str], Iterator[Found]]

_VALUE = r"(?:\"([^\"\r\n]{1,512})\"|'([^'\r\n]{1,512})'|([^\s\"'`|;<>]{1,512}+))"
_PATTERNS = {
    "private": r"<(?P<close>/)?private(?:\s[^<>]{0,80})?>",
    # An opening that only speaks of the mark: `<private>`, the <private> tag.
    "mention": r"[\"'`]|[ \t]?(?:tags?|elements?|marks?|marker|blocks?|sections?)\b",
    "armour": r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    "armour end": r"-----END [A-Z0-9 ]{0,40}-----",
    "armoured": r"[A-Za-z0-9+/=\s\\:,.>|-]*+",
    "letters": r"[A-Za-z0-9+/=]{16}",
    "address": r"://([^\s/:@\"'`<>\[\]]{0,128})(?::([^\s/\"'`<>]{1,256}))?@",
    "signature": r"[?&;](?:x-amz-|x-goog-)?(?:sig|signature|security-token)=([a-z0-9%+/_=.-]{24,2000}+)",
    "header": r"(?<![a-z0-9])authorization\\?[\"']?\)?[ \t]{0,3}[:=,][ \t]{0,3}\\?[\"']?"
    r"(?:(?:bearer|basic|token|ssws|apikey|api-key|key|digest)[ \t]{1,3})?([a-z0-9._~+/=|-]{8,4000}+)",
    "bearer": r"bearer[ \t]{1,4}([a-z0-9._~+/=-]{12,4000}+)",
    "basic": r"basic[ \t]{1,4}([a-z0-9._~+/=-]{12,4000}+)",
    "cookie": r"cookie2?\\?[\"']?[ \t]{0,2}[:=,][ \t]{0,3}\\?[\"']?([^\r\n\"']{8,4000}+)",
    "crumb": r"([\w.-]{1,60})=([^;\s]{16,2000}+)",
    "curl": r"curl[^\n]{0,250}?\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,64}:([^\s\"']{4,512}+)",
    "mysql": r"(?:mysql|mariadb)\w{0,12}[ \t][^\n|;&]{0,100}?(?<=\s)-p"
    r"(?:\"([^\"\n]{4,99})\"|'([^'\n]{4,99})'|([^\s\"';|&]{4,99}+))",
    "login": rf"login[^\n|]{{0,100}}?\s(?:-p|-t)[ =]?{_VALUE}",
    "requirepass": r"requirepass[ \t]{1,4}[\"']?([^\s\"']{6,512}+)",
    "masterauth": r"masterauth[ \t]{1,4}[\"']?([^\s\"']{6,512}+)",
    "sshpass": rf"sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}{_VALUE}",
    "redis": rf"redis-cli[^\n|]{{0,100}}?\s-a[ \t]{{1,4}}{_VALUE}",
    "piped": r"(?:echo|printf)[ \t]{1,4}(?:-n[ \t]{1,4})?[\"']?([^\s\"'|]{6,512}+)[\"']?[ \t]{0,4}\|"
    r"[^\n|]{0,120}?--(?:password-stdin|with-token)",
    "pgpass": r"(?m)^[\w.*-]{1,99}:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(\S{4,200}+)$",
    "kind": r"(?m)^[ \t]{0,8}kind:[ \t]{0,3}[\"']?secret[\"']?[ \t]{0,3}$",
    "data": r"(?m)^([ \t]{0,8})data:[ \t]{0,3}\r?\n((?:\1[ \t]{1,8}\S[^\n]{0,20000}(?:\n|\Z)){1,200})",
    "entry": r"(?m)^[ \t]{1,16}[\w.-]{1,99}:[ \t]{1,4}([A-Za-z0-9+/]{8,20000}={0,2})[ \t\r]{0,3}$",
}
_BULLETS = " \t>*-+#0123456789."
"""What may stand before the first word of a line."""
_LONGEST_KEY = 20_000
"""Letters of the longest private key: RSA of 16,384 bits has 13,000."""
_compiled: dict[str, re.Pattern[str]] = {}


def placed(text: str, low: str, letters: Iterable[str]) -> Iterator[Found]:
    """Yield what stands in *text* where secrets stand: beside *letters*; *low* is the text in lower case."""
    for found in letters:
        for look in _LOOKS.get(found, ()):
            yield from look(text, low)


def _private(_: str, low: str) -> Iterator[Found]:
    """What a person marked as private, to the mark that closes it, or else to the end.

    A mark that is never closed and stands between the words of a sentence may only be spoken of: its paragraph goes.
    """
    depth = start = 0
    opened: re.Match[str] | None = None
    for mark in _pattern("private").finditer(low):
        if not mark["close"]:
            if depth == 0:
                start, opened = mark.start(), mark
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield ("private", start, mark.end())
    if depth and opened and not _pattern("mention").match(low, opened.end()):
        spaced = low[:start].rpartition("\n")[2].strip(_BULLETS) and low[opened.end() : opened.end() + 1] == " "
        stop = low.find("\n\n", start) if spaced else -1
        yield ("private", start, stop if stop >= 0 else len(low))


def _armours(text: str, _: str) -> Iterator[Found]:
    """Private keys in their armour; one that is cut off reaches as far as its letters do."""
    at = text.find("-----BEGIN ")
    end = 0  # of the armour: found once for all heads before it
    while at >= 0:
        head = _pattern("armour").match(text, at)
        stop = head.end() if head else at + 11
        # The marks alone stand in programs that read keys.
        close = text.find("-----", stop, stop + 400) if head else -1
        if head and _pattern("letters").search(text, stop, close if close >= 0 else stop + 400):
            if 0 <= end < stop:
                end = text.find("-----END ", stop)
            tail = _pattern("armour end").match(text, end) if 0 <= end - stop < _LONGEST_KEY else None
            body = tail or _pattern("armoured").match(text, stop)
            stop = body.end() if body else stop
            yield ("private-key", at, stop)
        at = text.find("-----BEGIN ", stop)


def _addresses(text: str, _: str) -> Iterator[Found]:
    """Passwords in connection strings, and tokens that stand for a user."""
    if "@" not in text:
        return
    for match in _pattern("address").finditer(text):
        user, password = match[1], match[2]
        if password is not None:
            if not placeholder(password):
                yield ("password-in-url", match.start(2), match.end(2))
        elif len(user) >= 20 and random(user, 16):
            yield ("token-in-url", match.start(1), match.end(1))


def _signatures(text: str, low: str) -> Iterator[Found]:
    for match in _pattern("signature").finditer(low):
        if random(text[match.start(1) : match.end(1)], 24):
            yield ("signature", *match.span(1))


def _random_after(form: str, kind: str, least: int) -> Look:
    def look(text: str, low: str) -> Iterator[Found]:
        careful = 500 + len(text) // 256
        for match in _pattern(form).finditer(low):
            start, stop = match.span(1)
            careful -= 1
            if careful < 0 or (random(text[start:stop], least) and not placeholder(text[start:stop])):
                yield (kind, start, stop)

    return look


def _cookies(text: str, low: str) -> Iterator[Found]:
    for line in _pattern("cookie").finditer(low):
        for crumb in _pattern("crumb").finditer(text, line.start(1), line.end(1)):
            if random(crumb[2], 16) and not crumb[1].startswith("_g"):
                yield ("cookie", *crumb.span(2))


def _commands(form: str, letters: str = "") -> Look:
    """What is given to an option that takes a password, or a token; without *letters* nothing is."""

    def look(text: str, low: str) -> Iterator[Found]:
        if letters not in low:
            return
        careful = 500 + len(text) // 256
        for match in _pattern(form).finditer(low):
            start, stop = match.span(match.lastindex or 0)
            value = text[start:stop]
            careful -= 1
            likely = careful < 0 or chosen(value, literal=True) or random(value, 16)
            if likely and not placeholder(value):
                yield ("password", start, stop)

    return look


def _settings(text: str, low: str) -> Iterator[Found]:
    """What a Secret of Kubernetes holds: base64, which hides nothing."""
    if "kind:" not in low or not _pattern("kind").search(low):
        return
    for block in _pattern("data").finditer(text):
        for entry in _pattern("entry").finditer(text, block.start(2), block.end(2)):
            yield ("kubernetes-secret", *entry.span(1))


_LOOKS: dict[str, tuple[Look, ...]] = {
    "<private": (_private,),
    "://": (_addresses,),
    "sig": (_signatures,),
    "bearer": (_random_after("bearer", "bearer-token", 12),),
    "basic ": (_random_after("basic", "basic-credentials", 12),),
    "cookie": (_cookies,),
    ":5432:": (_commands("pgpass"),),
    "curl": (_commands("curl"),),
    "mysql": (_commands("mysql"),),
    "mariadb": (_commands("mysql"),),
    "login": (_commands("login"),),
    "redis-cli": (_commands("redis"),),
    # Under the letters of names, which are looked for anyway.
    "auth": (_random_after("header", "authorization", 12), _commands("masterauth", "masterauth")),
    "key": (_armours,),
    "pass": (
        _commands("sshpass", "sshpass"),
        _commands("piped", "password-stdin"),
        _commands("requirepass", "requirepass"),
    ),
    "token": (_commands("piped", "--with-token"),),
    "secret": (_settings,),
}
"""What to look for where certain letters occur."""


def _pattern(name: str) -> re.Pattern[str]:
    pattern = _compiled.get(name)
    if pattern is None:
        import re

        pattern = _compiled[name] = re.compile(_PATTERNS[name])
    return pattern
