"""Secrets in sentences: `the password is …`, `token for the build: …`, `login with ann/…`."""

from __future__ import annotations

from autology.text.secrets import Secret
from autology.text.secrets.assignment_patterns import FORMS
from autology.text.secrets.secret_names import (
    ABOUT,
    SECRET_STEMS,
    WIRELESS,
    head,
    names_a_password,
    names_a_secret,
    previous,
)
from autology.text.secrets.value_tests import (
    chosen,
    hard,
    jumbled,
    odd,
    passphrase,
    placeholder,
    random,
    strong,
    sure,
    uuid,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


PASSWORD, SECRET = "password", "secret"
_NEAR = 120
"""Characters within which a sentence states its password."""
_VERBS = tuple(f" {verb} " for verb in "is was to es est ist - – — lautet é è jest är".split())


def stated(text: str, low: str, stem: str, at: int) -> Secret | None:
    """Return the secret in the text after the name at *at*, if there is one."""
    after = at + len(stem)
    if stem == "cred" and (match := FORMS["pair"].match(low, after)):
        return _paired(text, match)
    if stem == "pass" and " as " in low[max(0, at - 24) : at] and (finding := _as(text, at)):
        return finding
    if " " not in low[after : after + 24] and "\t" not in low[after : after + 24]:
        return None
    match = FORMS["said"].match(low, after)
    if match and (finding := _stated(text, stem, at, match)):
        return finding
    near = low[after : after + _NEAR]
    if FORMS["digit"].search(near) is None and ":" not in near and not near.startswith(("phrase", "word")):
        return None
    if not (":" in near or "=" in near or any(verb in near for verb in _VERBS)):
        return None
    suffix = FORMS["letters"].match(low, after)
    if suffix is None or low[suffix.end() : suffix.end() + 1] not in " \t" or not _named(text, stem, at, suffix[0]):
        return None
    match = FORMS["gap"].match(low, after)
    return _separated(text, low, stem, at, match) if match else None


def _named(text: str, stem: str, at: int, suffix: str) -> bool:
    if stem in SECRET_STEMS:
        return names_a_secret(stem, head(text, at), suffix, text, at)
    return names_a_password(stem, "", suffix)


def _stated(text: str, stem: str, at: int, match: re.Match[str]) -> Secret | None:
    """Return the finding if a sentence states a secret: `the API key is …`."""
    start, stop, value = _value(text, match)
    if not value or value[0] in "{<[$%(" or placeholder(value):
        return None
    alone = text[stop : stop + 1] in ("", "\n", "\r") and "\n" in text[max(0, at - 3) : at]
    if stem == "pass" and match["suffix"] == "" and match["verb"] == "":
        # To pass something on, unless it is a line of its own.
        return (PASSWORD, start, stop) if alone and (jumbled(value) or hard(value)) else None
    before = head(text, at)
    if stem not in SECRET_STEMS:
        if not names_a_password(stem, text[max(0, at - 1) : at], match["suffix"]):
            return None
        if strong(value) or (alone and (chosen(value, literal=True) or jumbled(value))):
            return (PASSWORD, start, stop)
        if match["verb"] and sure(value):
            return (PASSWORD, start, stop)
        return _quoted(text, match) if match["verb"] else None
    if stem == "key" and match["verb"] and previous(text, at) in WIRELESS and sure(value):
        return (PASSWORD, start, stop)
    if uuid(value) or not random(value, 16):
        return None
    if match["verb"] != "":
        return (SECRET, start, stop) if match["suffix"] in ("", "s", "id") else None
    # NAME value: `ENV API_TOKEN …`, `aws configure set aws_secret_access_key …`, not `key 3f2a…` of a sentence.
    compound = before.strip("_.-") != "" and names_a_secret(stem, before, match["suffix"], text, at)
    # A hash next to a word `key` is a public key's.
    hashed = stem == "key" and value.islower() and len(value) >= 40
    alone = match["suffix"] == "" and len(value) >= 24 and not hashed
    return (SECRET, start, stop) if compound or (alone and names_a_secret(stem, before, "", text, at)) else None


def _separated(text: str, low: str, stem: str, at: int, match: re.Match[str]) -> Secret | None:
    """Return the finding if some words separate the name and its value: `password for the NAS: …`."""
    words = low[match.start("suffix") : match.end("gap")].replace("_", " ").replace("-", " ").split()
    if not ABOUT.isdisjoint(words) or text[max(0, at - 1) : at].isalpha():
        return None
    start, stop, value = _value(text, match)
    if not value or value[0] in "{<[$%(" or placeholder(value):
        return None
    if stem not in SECRET_STEMS:
        return (
            (PASSWORD, start, stop)
            if sure(value) or jumbled(value)
            else _quoted(text, match, phrase=match["suffix"].endswith("phrase"))
        )
    return (SECRET, start, stop) if random(value, 16) and not uuid(value) else None


def _as(text: str, at: int) -> Secret | None:
    """Return the value to be used *as the password*."""
    before = text[max(0, at - 120) : at]
    value = before.rpartition(" as ")[0].rpartition(" ")[2].strip("\"'`")
    if not sure(value):
        return None
    start = at - len(before) + before.rindex(value)
    return (PASSWORD, start, start + len(value))


def _value(text: str, match: re.Match[str]) -> tuple[int, int, str]:
    group = next((name for name in ("double", "curly", "bare") if match.groupdict().get(name)), "bare")
    start, stop = match.span(group)
    value = text[start:stop]
    if group == "bare":
        value = value.rstrip(".,;:?)。，、")
        value = value[:-1] if value.endswith("!") and text[stop : stop + 1] == " " and value[-2:-1].islower() else value
    return start, start + len(value), value


def _quoted(text: str, match: re.Match[str], phrase: bool = False) -> Secret | None:
    """Return several words that are stated to be a password: in quotes, or up to the end of the line."""
    group = "double" if match.groupdict().get("double") else "bare"
    start = match.start(group)
    quote = text[start - 1] if group != "bare" else ""
    end = text.find(quote if quote in "\"'`" and quote else "\n", start, start + 120)
    stop = end if end >= 0 else min(len(text), start + 120)
    value = text[start:stop].split("\n", 1)[0].rstrip(" \t\r.")
    stop = start + len(value)
    spelled = phrase or "phrase" in match["suffix"]
    if group == "bare" and not spelled and text[match.end("verb") - 1 : match.end("verb")] != ":":
        return None
    if passphrase(value, 4) or odd(value) or (group != "bare" and " " not in value and (sure(value) or jumbled(value))):
        return (PASSWORD, start, stop)
    return None


def _paired(text: str, match: re.Match[str]) -> Secret | None:
    """Return the password of `credentials: user / password`."""
    start, stop = match.span("bare")
    value = text[start:stop].rstrip(".:\\;,")
    if len(value) < 6 or placeholder(value) or not chosen(value, literal=True):
        return None
    return (PASSWORD, start, start + len(value))
