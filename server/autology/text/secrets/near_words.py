"""Passwords near a word for one: in the next sentence, in the line above a comment, as a PIN."""

from __future__ import annotations

from itertools import islice

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import hard, passphrase, placeholder, unlikely_words, wordy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator


_REACH = 200
"""Characters after a word for a password in which the password is searched."""
_BACK = 100
"""Characters before such a word in which it is searched: `Tr4in!spot is the password`."""
_MANY = 60
"""Words for a password that are examined in a text; a text with more is documentation."""
_ALONE = r"(?![\w(=./\\-]|\[)"
_GROWN = "$/._"
"""The characters before a part of a name."""
_FOREIGN = ("kennwort", "senha", "contrase", "wachtwoord", "haslo", "heslo", "парол", "schlüssel")
_WIRELESS = ("wifi", "wlan", "ssid")
_EXPRESSIONS = {
    # The word alone: not a part of a name, nor called or given something.
    "pass": rf"pass(?:words?|wd|code|worte?|wörter|phrase|(?<!  pass)(?<!\tpass)){_ALONE}",
    "pw": rf"pw[ds]?{_ALONE}",
    "secret": rf"secrets?{_ALONE}",
    "cred": rf"cred(?:s|entials?)?{_ALONE}",
    "introduced": r"(?:[:=\"'`“„«]|[ ,:(](?:is|it's|es|est|ist|è|é|jest|to|auf|with|mit|and)"
    r"|[^:]//?)[ \t]{0,3}[\"'`“„«]?\Z",
    "after slash": r" / ([^\s\"'`,;]{6,64})",
    "mdp": rf"mdp{_ALONE}",
    "sign in": rf"sign in{_ALONE}",
    **{stem: rf"{stem}\w{{0,12}}(?!\w)" for stem in (*_FOREIGN, *_WIRELESS)},
    "login": rf"logins?{_ALONE}",
    "log in": rf"log in{_ALONE}",
    "logged in": rf"logged in{_ALONE}",
    "zugang": rf"zugang(?:sdaten|s)?{_ALONE}",
    "pair": r"(?m)^[ \t>*•-]{0,6}[\w.@-]{2,40}[ \t]{0,2}([/:→|])[ \t]{1,2}(\S{8,64})[ \t]{0,3}$",
    "token": r"[^\s\"'`<>()\[\]{},;|“”„«»‘’]{8,64}",
    "quoted": r"[\"'`]([^\s\"'`\\]{8,64})[\"'`]",
    "comment": r"(?://|#|--|/\*|<!--|;)[^\n\"'`]{0,60}\Z",
    "digits": r"(?:codes?|pin(?:[ -]code)?)(?:(?:[ \t][a-zéèàü'’-]{1,20}){0,7}[ \t](?:is|was|to|è|ist|est|es"
    r"|:)(?= ))?\W{1,4}(?:(?:is|was|to|now|è|ist|est|es|=)\W{1,3}){0,2}((?<![\d.])\d{2,5}(?:[ -]?\d{1,5}){1,2}[a-z]?)"
    r"(?![\d]|[.:/%-]\d|\s?(?:ms|s|px|kb|mb|%))",
    "one-time": r"otp[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?(\d{6,8})(?!\d)",
    "as pin": r"(?<![\w.])(\d{4,8})[ \t](?:as|is)[ \t](?:the[ \t]|its[ \t])?pin\b",
    "host key": r"host key[: \t]{1,3}(\d{6,10})(?!\d)",
    "sent": r"(?<![\w.])(?:g-)?(\d{4,8}) is (?:your|the|my) (?:[\w-]{1,20} ){0,4}code",
    "opens": r"(?:opens?[ \t](?:with|by)|keypad[:=]|keypad[ \t]is)[ \t]{0,3}([a-z*#]?\d{4,8}[#*]?)(?![\w.])",
    "pin": r"(?<![\w-])pin\b",
}
_LOCKED = (
    "unlock|locker|alarm|door|gate|garage|keypad|disarm|lockbox|key box|safe|vault|accès|porte|backup|"
    "recovery|rescue|access code|entry code|security code|2fa|mfa|sms|voicemail|verification|one-time|"
    "authenticat|pass|login"
).split("|")
"""What a code opens, other than an error's or country's code."""
_CLOSING = ".,;:!)\"'`”“»"
_BEFORE = 60
"""Characters before a code that say what it opens."""
_PATTERNS = Patterns(_EXPRESSIONS)


def near(stem: str) -> Callable[[str, str], Iterator[Secret]]:
    """Return a search for what can only be a password, near the words with *stem* that are alone."""

    def look(text: str, low: str) -> Iterator[Secret]:
        done = 0
        for word in islice(_standing(stem, stem, low), _MANY):
            yield from _commented(text, low, word.start())
            yield from _paired(text, word.start(), word.end())
            if word[0].startswith("pass"):
                yield from _word_list(text, word.end(), word[0] == "passphrase")
            start = max(done, word.start() - _BACK)
            done = word.end() + _REACH
            start = max(start, text.rfind("\n\n", start, word.start()) + 1)
            stop = text.find("\n\n", word.end(), done)
            # A blank line after a colon leads to what was announced.
            if stop >= 0 and text[max(0, stop - 3) : stop].rstrip()[-1:] != ":":
                done = stop
            for token in _PATTERNS["token"].finditer(text, start, min(done, len(text))):
                value, moved = _bare(token[0])
                introduced = _PATTERNS["introduced"].search(low, word.start(), token.start() + moved)
                if hard(value) or (introduced and (wordy(value) or (stem == "pass" and passphrase(value)))):
                    yield ("password", token.start() + moved, token.start() + moved + len(value))

    return look


def _standing(stem: str, name: str, low: str) -> Iterator[re.Match[str]]:
    """Yield the matches of the pattern *name* in *low* at a *stem* that is not part of a longer name."""
    at = low.find(stem)
    while at >= 0:
        before = low[at - 1] if at else " "
        if not before.isalnum() and before not in _GROWN and (match := _PATTERNS[name].match(low, at)):
            yield match
        at = low.find(stem, at + len(stem))


def administrators(text: str, low: str) -> Iterator[Secret]:
    """Yield the password after a slash after an administrator's name: `root / …`."""
    at = low.find(" / ")
    while at >= 0:
        for user in ("root", "admin", "administrator", "administrador", "ubnt", "oracle", "postgres"):
            if low.endswith(user, 0, at) and (match := _PATTERNS["after slash"].match(text, at)):
                value = match[1].rstrip(".:!?")
                if any(map(str.isdigit, value)) and not placeholder(value) and "/" not in value:
                    yield ("password", match.start(1), match.start(1) + len(value))
                break
        at = low.find(" / ", at + 3)


def codes(_: str, low: str) -> Iterator[Secret]:
    """Yield access codes of digits: `the alarm code is 4711`, `PIN: 0815`."""
    for match in _PATTERNS["sent"].finditer(low) if _is_a_number(low) else ():
        yield ("code", *match.span(1))
    for match in islice(_standing("code", "digits", low), _MANY):
        before = low[max(0, match.start() - _BEFORE) : match.start(1)].replace("; ", ". ").rpartition(". ")[2]
        if any(map(before.__contains__, _LOCKED)) or _PATTERNS["pin"].search(before):
            yield ("code", *match.span(1))


def _is_a_number(low: str) -> bool:
    """Whether a number is said to be something: this is seen in a tenth of the time of the pattern."""
    at = low.find(" is ")
    while at >= 0:
        if low[at - 1 : at].isdigit():
            return True
        at = low.find(" is ", at + 4)
    return False


def pins(_: str, low: str) -> Iterator[Secret]:
    """Yield PINs of persons and things."""
    for match in islice(_standing("pin", "digits", low), _MANY):
        yield ("code", *match.span(1))
    for match in _PATTERNS["as pin"].finditer(low) if " pin" in low or "\tpin" in low else ():
        yield ("code", *match.span(1))


def one_time(_: str, low: str) -> Iterator[Secret]:
    """Yield one-time passwords of digits, as logged requests contain them."""
    for match in _PATTERNS["one-time"].finditer(low):
        yield ("code", *match.span(1))


def locks(_: str, low: str) -> Iterator[Secret]:
    """Yield the codes of keypads and safes."""
    for match in (*_PATTERNS["opens"].finditer(low), *_PATTERNS["host key"].finditer(low)):
        yield ("code", *match.span(1))


def _paired(text: str, at: int, end: int) -> Iterator[Secret]:
    """Yield the passwords of lines with a user and a password, near the word from *at* to *end*."""
    for line in _PATTERNS["pair"].finditer(text, max(0, at - _REACH), min(len(text), end + _REACH)):
        value = line[2]
        inner = line[1] == "/" and any(map(str.isupper, value[1:])) and any(map(str.islower, value))
        likely = hard(value) or (inner and value.isalpha())
        if likely and not placeholder(value) and "/" not in value:
            yield ("password", *line.span(2))


def _word_list(text: str, at: int, phrase: bool) -> Iterator[Secret]:
    """Yield words that say nothing together, behind a colon on the line, or behind the word *phrase* itself."""
    line = text[at : at + _REACH].partition("\n")[0]
    colon = line.find(": ")
    starts = [colon + 2] if colon >= 0 else []
    for at_word in [1, *starts] if phrase else starts:
        start = at_word + len(line[at_word:]) - len(line[at_word:].lstrip("\"'`“„«"))
        words = line[start:].split(" ")
        count = unlikely_words(words)
        rest = words[count : count + 1]
        if rest and unlikely_words([rest[0].rstrip(_CLOSING)]) == 1:
            words[count], count = rest[0].rstrip(_CLOSING), count + 1
        if 4 <= count <= 12:
            yield ("password", at + start, at + start + len(" ".join(words[:count])))


def _commented(text: str, low: str, at: int) -> Iterator[Secret]:
    """Yield the literals of a line of code whose comment, with the word at *at* in it, calls one a password."""
    line = low.rfind("\n", max(0, at - 300), at) + 1
    comment = _PATTERNS["comment"].search(low, max(line, at - 80), at)
    if comment is None:
        return
    for literal in _PATTERNS["quoted"].finditer(text, line, comment.start()):
        if hard(literal[1]):
            yield ("password", *literal.span(1))


def _bare(token: str) -> tuple[str, int]:
    """Return *token* without surrounding punctuation and markdown, and the offset of its beginning."""
    value = token.lstrip("*_:=")
    moved = len(token) - len(value)
    value = value.rstrip(".:?!…+")
    if moved and token[0] in "*_":
        value = value.rstrip("*_")
    return value, moved
