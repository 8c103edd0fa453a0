"""Codes, seeds and hashes: recovery codes, seed phrases, one-time seeds, password hashes, logins in lines of files."""

from __future__ import annotations

from itertools import islice

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import chosen, jumbled, placeholder, random, sure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_EXPRESSIONS = {
    # $2b$12$…, $6$salt$…, $argon2id$v=19$…, {SSHA}…, pbkdf2_sha256$600000$salt$…
    "hash": r"\$(?:2[abxy]?|apr1|[156y7]|sha1|md5|argon2(?:id|[id])|scrypt|bcrypt-sha256"
    r"|pbkdf2[\w-]{0,12})\$[./A-Za-z0-9$=,+-]{20,400}+",
    "labelled": r"\{(?:S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,10})\}[A-Za-z0-9+/=.$]{20,400}+"
    r"|(?:pbkdf2_sha\d{1,3}|bcrypt_sha256|scrypt)\$[A-Za-z0-9./$=,+_-]{20,400}+",
    "codes": r"code(?<=[ _-]code)s?\b(?:(?:[ \t][a-z-]{1,20}){1,7}[ \t](?:is|are)\b)?",
    "code": r"(?:[\s,;:=|•*`\"'\[\]-]"
    r"|\d{1,2}[.)][ \t]){0,40}(\d{3,6}(?: \d{3,6}){1,3}(?!\d)"
    r"|(?=[a-z0-9-]{0,40}\d)[a-z0-9]{4,12}(?:-[a-z0-9]{3,12}){0,7})(?![\w@/:-]|\.\w)",
    "bitlocker": r"(?<![\d-])\d{6}(?:-\d{6}){7}(?![\d-])",
    "column": r"(?m)(?:^|[,;\t\"])([A-Z2-7]{16,64})(?=[\",;\t\r]|$)",
    "pair of five": r"[\s,;|•*`\"'-]{1,8}([a-z0-9]{5}-[a-z0-9]{5})(?![\w-])",
    "date": r"(?:19|20)\d\d(?:-\d\d){0,2}",
    "mnemonic": r"mnemonic[\"']?[ \t]{0,2}[:=][ \t]{0,2}[\"']?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})\b",
    "phrase": r"(?:recovery|seed|mnemonic|wallet|secret|backup)[ _-](?:[a-z]{1,12}[ _-])?(?:phrase|words?|mnemonic"
    r"|seed)\b[^\n:=]{0,80}[:=]?\s{0,8}[\"'`]?"
    r"((?:\d{1,2}[.)][ \t]?)?[a-z]{3,8}(?:(?:[ \t,]{1,3}"
    r"|[ \t]{0,3}\r?\n[ \t]{0,8})(?:\d{1,2}[.)][ \t]?)?[a-z]{3,8}){7,23})\b",
    "seed": r"(?:totp|otp|2fa|mfa|hotp|setup key|authenticator|two-factor)[^\n]{0,120}?[^a-z0-9+/_=-]"
    r"([a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15})(?![a-z0-9+/_=-])",
    "mail": r"(?m)@[\w-]{1,60}(?:\.[\w-]{1,30}){1,4}[:;|]([^\s:/@]{6,64})[ \t]*$",
    "parting": r"\]\Z|[\s/@\"'`<>]",
    "host": r"@(?:tcp\(|unix\(|localhost\b|[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}\b|[\w-]{1,60}:\d{2,5}\b|[\w-]{1,60}/)",
    "user": r"(?m)^[ \t>*#+|-]{0,8}(?:root|admin|administrator|ops|deploy|postgres|guest|test"
    r"|svc\w{0,12}):([^\s:\"'`]{6,64})[ \t]*$",
    "pgpass": r"(?m)^[\w.*-]{1,99}:(?:\d{2,5}|\*):[\w*-]{1,64}:[\w*.-]{1,64}:(\S{4,200}+)$",
}
_LONGEST = 64
"""Characters of a password before a host."""
_RECOVERY = ("recovery", "backup", "scratch", "rescue", "emergency", "2fa", "mfa")
_PATTERNS = Patterns(_EXPRESSIONS)


def hashes(text: str, low: str) -> Iterator[Secret]:
    """Yield password hashes in the formats of operating systems: weak passwords can be guessed from them."""
    for match in _PATTERNS["hash"].finditer(text):
        yield ("password-hash", *match.span())
    if "{s" in low or any(map(low.__contains__, ("pbkdf2_", "bcrypt_", "scrypt$"))):
        for match in _PATTERNS["labelled"].finditer(text):
            yield ("password-hash", *match.span())


def recovery(text: str, low: str) -> Iterator[Secret]:
    """Yield the codes that are listed after words such as "recovery codes"."""
    for head in islice(_PATTERNS["codes"].finditer(low), _careful(text)):
        if not any(map(low[max(0, head.start() - 24) : head.start()].__contains__, _RECOVERY)):
            continue
        first = _PATTERNS["code"].search(low, head.end(), head.end() + 80)
        at = first.start() if first else len(low)
        for _ in range(40):
            code = _PATTERNS["code"].match(low, at)
            if not code or len(code[1]) < 6 or _PATTERNS["date"].fullmatch(code[1]):
                break
            yield ("recovery-code", *code.span(1))
            at = code.end()
            # Codes of one list look alike; some hold no digit by chance.
            like = _PATTERNS["pair of five"]
            alike = like.match(low, at) if like.fullmatch(f" {code[1]}") else None
            while alike:
                yield ("recovery-code", *alike.span(1))
                at = alike.end()
                alike = like.match(low, at)


def bitlocker(_: str, low: str) -> Iterator[Secret]:
    """Yield the keys that unlock a disk: eight groups of six digits."""
    if "bitlocker" not in low and "recovery key" not in low:
        return
    for match in _PATTERNS["bitlocker"].finditer(low):
        yield ("recovery-code", *match.span())


def phrases(_: str, low: str) -> Iterator[Secret]:
    """Yield the seed phrases of wallets."""
    if "phrase" not in low and "words" not in low and "mnemonic" not in low and "seed:" not in low:
        return
    for match in (*_PATTERNS["phrase"].finditer(low), *_PATTERNS["mnemonic"].finditer(low)):
        yield ("seed-phrase", *match.span(1))


def seeds(text: str, low: str) -> Iterator[Secret]:
    """Yield the seeds of one-time passwords: base32, in groups of four."""
    for match in _PATTERNS["seed"].finditer(low):
        value = text[match.start(1) : match.end(1)]
        if any(map(str.isdigit, value)) and (value.isupper() or value.islower()):
            yield ("otp-seed", *match.span(1))
    if "totp" in low and "," in low:
        for match in _PATTERNS["column"].finditer(text):
            if any(map(str.isdigit, match[1])):
                yield ("otp-seed", *match.span(1))


def _values(name: str, kind: str, likely: Callable[[str], bool]) -> Callable[[str, str], Iterator[Secret]]:
    def look(text: str, low: str) -> Iterator[Secret]:
        for match in islice(_PATTERNS[name].finditer(low), _careful(text)):
            start, stop = match.span(match.lastindex or 0)
            if not placeholder(text[start:stop]) and likely(text[start:stop]):
                yield (kind, start, stop)

    return look


def hosts(text: str, _: str) -> Iterator[Secret]:
    """Yield passwords before a host without a scheme: `app:…@tcp(db:3306)/`."""
    careful = _careful(text)
    at = text.find("@", 1)
    while at > 0 and careful > 0:
        colon = text.rfind(":", max(0, at - _LONGEST), at)
        value = text[colon + 1 : at]
        if colon > 0 and len(value) >= 6 and text[colon - 1].isalnum() and not _PATTERNS["parting"].search(value):
            careful -= 1
            host = _PATTERNS["host"].match(text, at)
            named = host is not None and host[0].endswith("(")
            if host and not placeholder(value) and (named or sure(value)):
                yield ("password", colon + 1, at)
        at = text.find("@", at + 1)


def _careful(text: str) -> int:
    """The number of places examined closely: more than an ordinary text of that length has."""
    return 200 + len(text) // 1_000


def _literal(value: str) -> bool:
    return chosen(value, literal=True) or jumbled(value) or random(value, 16)


LOOKS: dict[str, tuple[Callable[[str, str], Iterator[Secret]], ...]] = {
    "$": (hashes,),
    "{s": (hashes,),
    "@": (_values("mail", "password", sure), hosts),
    "recovery": (phrases, bitlocker),
    "code": (recovery,),
    "bitlocker": (bitlocker,),
    "2fa": (seeds,),
    "mfa": (seeds,),
    "totp": (seeds,),
    "seed": (phrases,),
    "mnemonic": (phrases,),
    "setup key": (seeds,),
    "root:": (_values("user", "password", sure),),
    "admin:": (_values("user", "password", sure),),
    ":5432:": (_values("pgpass", "password", _literal),),
    "*:*:": (_values("pgpass", "password", _literal),),
}
"""The patterns to search if certain strings occur."""
