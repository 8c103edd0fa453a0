r"""Secrets that a name calls so: `API_KEY=…`, `"password": "…"`, `setenv("TOKEN", "…")`, `the password is …`."""

from __future__ import annotations

from autology.text.secrets.likely import chosen, placeholder, random, strong, uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    Found = tuple[str, int, int]

PASSWORD, SECRET = "password", "secret"

_NAME_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"
_SECRETS = frozenset(["secret", "token", "key", "auth", "cred"])
_GOES_ON = {"key": "s", "token": "svd", "pass": "wpce", "cred": "es", "pw": "d", "auth": ""}
"""Letters that may follow these in a name that is given a secret: not `author`, `passed`, `keyword`."""
_QUOTED = (
    r"(?:[bru]{1,2}(?=[\"']))?(?:\"(?P<double>(?:[^\"\\\r\n]|\\[^\r\n]){1,512}+)"
    r"|'(?P<single>(?:[^'\\\r\n]|\\[^\r\n]){1,512}+)|`(?P<tick>[^`\r\n]{1,512}+)"
    r"|\\[\"'](?P<escaped>[^\"'\\\r\n]{1,512}+))"
)
_BARE = r"(?P<bare>[^\s\"'`,;<>(){}\[\]|]{1,512}+)"
_PATTERNS = {
    # NAME = value, "name": "value", name: type = value, name -> value, <name>value, - name: NAME\n  value: value
    "assigned": r"(?P<tail>[\w.-]{0,40}+)(?P<closed>\\?[\"'`])?[\])]?[ \t]{0,8}+"
    r"(?:(?P<sign>=>|->|:=|\?=|==?|:(?:[ \t]{0,3}[a-z_.\[\]|?]{1,30}+[ \t]{0,3}=(?![=>]))?)[ \t]{0,8}+"
    r"|(?P<marked>>)|\s{1,3}\s{0,16}value:[ \t]{1,4})" + f"(?:{_QUOTED}|{_BARE})",
    # "name", "value" and "name" value="value", set_name("value")
    "given": r"(?P<tail>[\w.-]{0,40}+)(?:\\?[\"'`](?:\)?[ \t]{0,3},[ \t]{0,4}|[ \t]{1,4}value[ \t]?=[ \t]?)"
    r"|[ \t]?\([ \t]{0,3})" + _QUOTED,
    # --name value, and setx NAME value
    "flag": r"(?P<tail>[\w-]{0,20}+)[ \t]{1,4}+(?:" + _QUOTED + "|" + _BARE + ")",
    # the password is value, password for her is value, set the password to value, password value
    "said": r"(?P<tail>[a-z]{0,6}+)[ \t]{1,4}+(?:(?:for|of|on|from)[ \t]{1,3}\S{1,30}[ \t]{1,3})?"
    r"(?P<verb>(?:is|was|to|are|be|it's)[ \t]{1,3}(?:now[ \t]{1,3}|set[ \t]{1,3}to[ \t]{1,3})?|)"
    r"(?:[\"'`](?P<double>[^\"'`\s]{1,512}+)|(?P<bare>[^\s\"'`<>()]{1,512}+))",
    # credentials: user / value
    "pair": r"(?P<tail>[a-z]{0,9}+)[ \t]{0,3}[:=]?[ \t]{1,4}[\w.@+-]{1,60}(?:[ \t]{1,3}/[ \t]{1,3}|[/:])"
    r"(?P<bare>[^\s\"'`,<>()]{1,512}+)",
    "word": r"[_-]?(?:words?|wd|wort|phrase|code)(?:_?(?:value|text|string))?",
    "salt": r"[!#$%^&*~?].*[!#$%^&*~?]",
    "blind": r"[\w.-]{0,40}+[\"'`]?[ \t]{0,4}+[:=]=?[ \t]{0,4}+[\"'`]?"
    r"((?=[^\s\"'`]{0,40}[0-9])[\w!#%&*+/=.~^?@-]{12,}+)",
    "call": r"[A-Za-z_][\w.]*[(\[]",
    "rest": r"[^\s\"'`,;<>(){}\[\]|]*+",
    "line": r"[^\s]*+",
    "parts": r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+",
}
_ABOUT = frozenset(
    "hash digest sha1 sha256 sha512 md5 id ids name names file path dir url uri type count counts limit length len size"
    " expiry expires in expiration ttl field label hint policy arn ref regex pattern usage budget version header format"
    " endpoint kind scope scopes placeholder provider prefix fingerprint checksum env at age input timeout lifetime"
    " required".split()
)
"""A name that goes on like this names something about the secret, not the secret."""
_PUBLIC = frozenset(
    "public pub publishable primary foreign partition sort cache idempotency row object unique index natural composite"
    " surrogate hot shard routing group dedup dedupe lock storage range hash registry translation i18n message event"
    " metric feature flag site host known object state query react map dict sort search lookup ssh turn mon don"
    " arrow function hot short press key answer low high dimension label annotation config tag".split()
)
"""Keys that anybody may know, by the word before `key`."""
_KEYS = frozenset("key keys b64 base64 hex raw value string str".split())


def named(text: str, low: str, stems: Sequence[str]) -> Iterator[Found]:
    """Yield what is given in *text* to names with one of *stems*; *low* is the text in lower case.

    So many candidates are looked at closely as code of its length may hold; where there are more, whatever is long
    and holds a digit is taken out.
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
            found = _found(text, low, stem, at)
            if found:
                yield found
                after = max(after, found[2])
            at = low.find(stem, after)


def _found(text: str, low: str, stem: str, at: int) -> Found | None:
    after = at + len(stem)
    for form in ("assigned", "given"):
        match = _pattern(form).match(low, after)
        if match:
            return _judged(text, stem, at, match, form)
    if "-" in low[max(0, at - 24) : at] and (match := _flag(low, at, after)):
        return _judged(text, stem, at, match, "flag")
    if stem == "cred":
        match = _pattern("pair").match(low, after)
        return _password(text, match, "bare", literal=True) if match else None
    if " " not in low[after : after + 24]:
        return None
    if "setx " in low[max(0, at - 40) : at]:
        match = _pattern("flag").match(low, after)
        return _judged(text, stem, at, match, "flag") if match else None
    match = _pattern("said").match(low, after)
    return _told(text, stem, at, match) if match else None


def _flag(low: str, at: int, after: int) -> re.Match[str] | None:
    """Return `--name value`, if *at* stands in the name of such a flag."""
    if not _head(low, at, 24).startswith("-"):
        return None
    return _pattern("flag").match(low, after)


def _blindly(low: str, stem: str, at: int) -> Iterator[Found]:
    import re

    for match in re.compile(stem + _PATTERNS["blind"]).finditer(low, at):
        yield (SECRET, *match.span(1))


def _judged(text: str, stem: str, at: int, match: re.Match[str], form: str) -> Found | None:
    """Return the finding if what a name is given looks like a secret."""
    group = next(name for name in ("double", "single", "tick", "escaped", "bare") if match.groupdict().get(name))
    tail = text[match.start("tail") : match.end("tail")]
    before = _head(text, at)
    whole = before + text[at : match.end("tail")]
    if match.groupdict().get("marked") and not text.startswith("</", match.end()):
        return None  # `Vec<Token>x`, `<password>@host`: no element with the value in it
    if _is_about(tail) or "arn:" in text[max(0, at - 80) : at].rpartition(" ")[2]:
        return None
    sign = match.groupdict().get("sign")
    if group == "bare" and sign == "==" and stem in _SECRETS:
        return None
    if stem not in _SECRETS:
        if not _names_a_password(stem, before, tail, whole_name=form == "given"):
            return None
        shouted = whole.isupper() and sign in ("=", ":", "==")
        return _password(text, match, group, group != "bare" or shouted, env=shouted)
    if not _names_a_secret(stem, before, tail, text, at):
        return None
    return _secret(text, stem, before, whole, match, group, form)


def _password(text: str, match: re.Match[str], group: str, literal: bool, env: bool = False) -> Found | None:
    start, stop = match.span(group)
    if group == "bare" and env and text[max(0, match.start() - 40) : match.start()].count('"') % 2 == 0:
        stop = _whole(text, start, stop, "line")
    elif group == "bare":
        stop = _whole(text, start, stop, "rest")
    value = text[start:stop]
    if group == "bare":
        value = value.rstrip(".:\\;,")
        stop = start + len(value)
        if _in_query(text, match.start()):
            value = value.partition("&")[0]
            stop = start + len(value)
        if value.endswith("=") and value[:-1].isidentifier():
            return None  # the next name
        if text[stop : stop + 1] in ("(", "[") or (env and _pattern("call").match(value)):
            return None
        # What ends its line is no expression: `password: falcon12` in a file of settings.
        literal = literal or (text[stop : stop + 1] in ("", "\n", "\r") and any(map(str.isdigit, value)))
    if len(value) < 6 or placeholder(value):
        return None
    if chosen(value, literal) or (env and value.isalpha() and value.islower()):
        return (PASSWORD, start, stop)
    return None


def _secret(text: str, stem: str, before: str, whole: str, match: re.Match[str], group: str, form: str) -> Found | None:
    start, stop = match.span(group)
    if group == "bare":
        stop = _whole(text, start, stop, "rest")
    value = text[start:stop]
    if group == "bare":
        value = value.rstrip(".:\\")
        if _in_query(text, match.start()):
            value = value.partition("&")[0]
        stop = start + len(value)
        if text[stop : stop + 1] in ("(", "["):
            return None
    if form == "given" and value.isalpha():
        return None
    if " " in value and (len(value) < 32 or not _pattern("salt").search(value)):
        return None
    if len(value) < 12 or placeholder(value) or not random(value, 12 if stem != "key" and stem != "auth" else 16):
        return None
    if uuid(value) and not (
        whole.lower().endswith("secret") or before.lower().endswith(("api", "api_")) or _env(whole)
    ):
        return None
    return (SECRET, start, stop)


def _env(whole: str) -> bool:
    """Whether a UUID that is given to this name is a secret: HEROKU_API_KEY, SNYK_TOKEN, _authToken."""
    return (whole.isupper() and "_" in whole) or whole.lower().endswith("_authtoken")


def _told(text: str, stem: str, at: int, match: re.Match[str]) -> Found | None:
    """Return the finding if a sentence says a secret: `the API key is …`."""
    group = "double" if match["double"] else "bare"
    start, stop = match.span(group)
    value = text[start:stop].rstrip(".,;:!?)") if group == "bare" else text[start:stop]
    stop = start + len(value)
    if not value or value[0] in "{<[$%(" or placeholder(value):
        return None
    if stem == "pass" and match["tail"] == "" and match["verb"] == "":
        return None  # to pass something on
    if stem not in _SECRETS:
        if not _names_a_password(stem, text[max(0, at - 1) : at], match["tail"]):
            return None
        alone = text[stop : stop + 1] in ("", "\n", "\r") and "\n" in text[max(0, at - 3) : at]
        return (PASSWORD, start, stop) if strong(value) or (alone and chosen(value, literal=True)) else None
    wanted = match["verb"] != "" and match["tail"] in ("", "s", "id")
    return (SECRET, start, stop) if wanted and random(value, 16) and not uuid(value) else None


def _names_a_password(stem: str, before: str, tail: str, whole_name: bool = False) -> bool:
    """Whether the name means a password: not bypass, passed, compass, HTTPPasswordMgr; *whole_name*: it ends so."""
    low = tail.lower()
    if stem == "pass":
        word = _pattern("word").match(low)
        if word:
            return word.end() == len(low) or not (whole_name or low[word.end()].isalpha())
        joined = before[-1:].isalpha() and not before.lower().endswith(("require", "db", "smtp"))
        return not joined and (low in ("", "e") or low.isdigit())
    if stem == "pw":
        return not before[-1:].isalpha() and low in ("", "d")
    return True


def _names_a_secret(stem: str, before: str, tail: str, text: str, at: int) -> bool:
    low = tail.lower()
    if stem == "token":
        return not low[:1].isalpha() or low.startswith(("s", "value", "secret"))
    if stem == "auth":
        return low == "" or low.strip("_-.").isdigit()
    if stem == "cred":
        return low.startswith(("ential", "s"))
    if stem == "secret":
        return (
            not low[:1].isalpha() or low.startswith(("key", "access", "value", "token", "text", "string")) or low == "s"
        )
    if stem != "key":
        return True
    words = [word.lower() for word in _pattern("parts").findall(before)]
    spaced = not before and text[max(0, at - 8) : at].lower().endswith(("api ", "secret ", "access ", "license "))
    if not (words or spaced) or (words and words[-1] in _PUBLIC) or "public" in words:
        return False
    return all(word.lower() in _KEYS or word.isdigit() for word in _pattern("parts").findall(tail))


def _is_about(tail: str) -> bool:
    parts = _pattern("parts").findall(tail)
    last = tail.strip("_.-").replace("-", "_").replace(".", "_").rpartition("_")[2]
    return bool(parts) and (parts[-1].lower() in _ABOUT or last.lower() in _ABOUT)


def _in_query(text: str, at: int) -> bool:
    """Whether the name that reaches to *at* stands in the query of an address."""
    before = at - len(_head(text, at)) - 1
    return before >= 0 and text[before] in "?&"


def _head(text: str, at: int, most: int = 60) -> str:
    """Return what of a name stands before *at*."""
    some = text[max(0, at - most) : at]
    return some[len(some.rstrip(_NAME_LETTERS)) :]


def _whole(text: str, start: int, stop: int, form: str) -> int:
    rest = _pattern(form).match(text, start if form == "line" else stop)
    return rest.end() if rest else stop


def _pattern(name: str) -> re.Pattern[str]:
    pattern = _compiled.get(name)
    if pattern is None:
        import re

        pattern = _compiled[name] = re.compile(_PATTERNS[name])
    return pattern


_compiled: dict[str, re.Pattern[str]] = {}
