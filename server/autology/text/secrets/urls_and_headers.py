"""Secrets by their place: between privacy marks, in armour, in addresses, headers, cookies and commands."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.near_words import administrators, codes, locks, near, one_time, pins
from autology.text.secrets.value_tests import placeholder, random

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    Look = Callable[[str, str], Iterator[Secret]]

_EXPRESSIONS = {
    "private": r"<(?P<close>/)?private(?:\s[^<>]{0,80})?>",
    # An opening that only mentions the mark: `<private>`, the <private> tag.
    "mention": r"[\"'`]|[ \t]?(?:tags?|elements?|marks?|marker|blocks?|sections?)\b",
    "address": r"://([^\s/:@\"'`<>\[\]]{0,128})(?::([^\s/\"'`<>]{1,256}))?@",
    "webhook": r"://[^\s\"'<>]{0,100}?hook[^\s\"'<>]{0,120}?/([A-Za-z0-9_~-]{20,200}+)(?![\w/.])",
    "public": r"/(?:commit|blob|tree|pull|compare|raw)s?/",
    "signature": r"[?&;](?:x-amz-|x-goog-)?(?:sig|signature|security-token)=([a-z0-9%+/_=.-]{24,2000}+)",
    "header": r"(?<![a-z0-9])authorization\\?[\"']?\)?[ \t]{0,3}[:=,][ \t]{0,3}(?:f(?=[\"']))?\\?[\"']?"
    r"(?:(?:bearer|basic|token|ssws|apikey|api-key|key|digest)[ \t]{1,3})?([a-z0-9._~+/=|-]{8,4000}+)",
    "bearer": r"bearer[ \t]{1,4}([a-z0-9._~+/=-]{12,4000}+)",
    "basic": r"basic[ \t]{1,4}([a-z0-9._~+/=-]{12,4000}+)",
    "cookie": r"cookie2?\\?[\"']?[ \t]{0,2}[:=,][ \t]{0,3}\\?[\"']?([^\r\n\"']{8,4000}+)",
    "cookie named": r"cookies?[ \t]{1,3}[\w.-]{3,80}[ \t]{0,2}[=:][ \t]{0,2}(\S{16,2000}+)",
    "cookie file": r"(?m)^\S{1,200}\t(?:TRUE|FALSE)\t/\S{0,100}\t(?:TRUE|FALSE)\t\d{1,12}\t\S{1,100}\t(\S{8,4000})$",
    "crumb": r"([\w.-]{1,60})=([^;\s]{16,2000}+)",
    "pass": r"pass(?:wd|word(?:-stdin|[ (]{1,2}'| = n'| [05789] )|phrase-fd|phrase |:|(?<=sshpass)|(?<=requirepass))",
    "kind": r"(?m)^[ \t]{0,8}kind:[ \t]{0,3}[\"']?secret[\"']?[ \t]{0,3}$",
    "data": r"(?m)^([ \t]{0,8})data:[ \t]{0,3}\r?\n((?:\1[ \t]{1,8}\S[^\n]{0,20000}(?:\n|\Z)){1,200})",
    "entry": r"(?m)^[ \t]{1,16}[\w.-]{1,99}:[ \t]{1,4}([A-Za-z0-9+/]{8,20000}={0,2})[ \t\r]{0,3}$",
}
_BULLETS = " \t>*-+#0123456789."
"""What may precede the first word of a line."""
_PATTERNS = Patterns(_EXPRESSIONS)


def placed(text: str, low: str, letters: Iterable[str]) -> Iterator[Secret]:
    """Yield the contents of *text* in places for secrets, near *letters*; *low* is the text in lower case."""
    for letter in letters:
        for look in _LOOKS.get(letter, ()):
            yield from look(text, low)
        if letter in _COMMANDS and _commanded(letter, low):
            from autology.text.secrets.commands import commanded

            yield from commanded(letter, text, low)
        if letter in _CODES:
            from autology.text.secrets.recovery_codes import LOOKS

            for look in LOOKS[letter]:
                yield from look(text, low)


def _private(_: str, low: str) -> Iterator[Secret]:
    """Text that a person marked as private, up to the closing mark, or else to the end.

    An unclosed mark inside a sentence may be a mere mention: only its paragraph is redacted.
    """
    depth = start = 0
    opened: re.Match[str] | None = None
    for mark in _PATTERNS["private"].finditer(low):
        if not mark["close"]:
            if depth == 0:
                start, opened = mark.start(), mark
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield ("private", start, mark.end())
    if depth and opened and not _PATTERNS["mention"].match(low, opened.end()):
        spaced = low[:start].rpartition("\n")[2].strip(_BULLETS) and low[opened.end() : opened.end() + 1] == " "
        stop = low.find("\n\n", start) if spaced else -1
        yield ("private", start, stop if stop >= 0 else len(low))


def _addresses(text: str, _: str) -> Iterator[Secret]:
    """Passwords in connection strings, and tokens in place of a user."""
    if "@" not in text:
        return
    for match in _PATTERNS["address"].finditer(text):
        user, password = match[1], match[2]
        if password is not None:
            if not placeholder(password):
                yield ("password-in-url", match.start(2), match.end(2))
        elif len(user) >= 20 and random(user, 16):
            yield ("token-in-url", match.start(1), match.end(1))


def _webhooks(text: str, low: str) -> Iterator[Secret]:
    """Webhook addresses, which are secret themselves."""
    if "://" not in low:
        return
    for match in _PATTERNS["webhook"].finditer(text):
        if not _PATTERNS["public"].search(match[0]) and random(match[1], 16):
            yield ("webhook", *match.span(1))


def _signatures(text: str, low: str) -> Iterator[Secret]:
    for match in _PATTERNS["signature"].finditer(low):
        if random(text[match.start(1) : match.end(1)], 24):
            yield ("signature", *match.span(1))


def _random_after(form: str, kind: str, least: int, letters: str = "") -> Look:
    """A random value after a word; skipped if none of *letters* occurs."""

    def look(text: str, low: str) -> Iterator[Secret]:
        if letters not in low:
            return
        careful = 500 + len(text) // 256
        for match in _PATTERNS[form].finditer(low):
            start, stop = match.span(1)
            careful -= 1
            if careful < 0 or (random(text[start:stop], least) and not placeholder(text[start:stop])):
                yield (kind, start, stop)

    return look


def _cookies(text: str, low: str) -> Iterator[Secret]:
    for match in _PATTERNS["cookie named"].finditer(low):
        if random(text[match.start(1) : match.end(1)], 16):
            yield ("cookie", *match.span(1))
    for line in _PATTERNS["cookie"].finditer(low):
        for crumb in _PATTERNS["crumb"].finditer(text, line.start(1), line.end(1)):
            if random(crumb[2], 16) and not crumb[1].startswith("_g"):
                yield ("cookie", *crumb.span(2))


def _cookie_files(text: str, _: str) -> Iterator[Secret]:
    for line in _PATTERNS["cookie file"].finditer(text):
        if random(line[1], 16):
            yield ("cookie", *line.span(1))


def _settings(text: str, low: str) -> Iterator[Secret]:
    """The values of a Kubernetes Secret: base64, which conceals nothing."""
    if "kind:" not in low or not _PATTERNS["kind"].search(low):
        return
    for block in _PATTERNS["data"].finditer(text):
        for entry in _PATTERNS["entry"].finditer(text, block.start(2), block.end(2)):
            yield ("kubernetes-secret", *entry.span(1))


def _commanded(letters: str, low: str) -> bool:
    """Whether *low* has further signs of a command besides the *letters* that it is searched by."""
    if letters == "pass":
        return _PATTERNS["pass"].search(low) is not None
    return any(needed in low for needed in _COMMANDS[letters])


def _keys(text: str, low: str) -> Iterator[Secret]:
    if "-----" in text or "private-lines:" in low:
        from autology.text.secrets.private_keys import armoured

        yield from armoured(text, low)
    if "setup key" in low:
        from autology.text.secrets.recovery_codes import seeds

        yield from seeds(text, low)


_LOOKS: dict[str, tuple[Look, ...]] = {
    "<private": (_private,),
    "://": (_addresses,),
    "sig": (_signatures,),
    "bearer": (_random_after("bearer", "bearer-token", 12),),
    "basic ": (_random_after("basic", "basic-credentials", 12),),
    "cookie": (_cookies,),
    # Under the strings of names, which are searched anyway.
    "auth": (_random_after("header", "authorization", 12, "authorization"),),
    "key": (_keys,),
    "secret": (_settings, near("secret")),
    "pass": (near("pass"),),
    "pw": (near("pw"),),
    "cred": (near("cred"),),
    " login": (near("login"),),
    "login ": (near("login"),),
    "otp": (one_time,),
    "code": (codes,),
    "pin": (pins,),
    **dict.fromkeys(("keypad", "host key", " opens "), (locks,)),
    " / ": (administrators,),
    **{words: (near(words),) for words in ("log in", "logged in", "sign in")},
    **{
        word: (near(word),)
        for word in "zugang mdp wifi wlan ssid kennwort senha wachtwoord haslo heslo парол schlüssel".split()
    },
    **dict.fromkeys(("contraseñ", "contrasen"), (near("contrase"),)),
    "\ttrue\t": (_cookie_files,),
    "hook": (_webhooks,),
}
"""The patterns to search if certain strings occur."""
_COMMANDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys("curl mysql mariadb redis-cli ldap smbclient sqlcmd 7z zip mongo lftp sqlplus".split(), (" ",)),
    **dict.fromkeys(("sudo", "| sudo"), (" ",)),
    **dict.fromkeys((" p:", " p="), ("u",)),
    **dict.fromkeys("useradd usermod htpasswd identified /p:".split(), (" ",)),
    "login": (" ", "("),
    "net user": (" ",),
    "auth": ("masterauth", " priv="),
    "token": ("--with-token",),
    "key": ("ssh-keygen",),
    "wifi:": (" ", ":"),
    "-asplaintext": ("-",),
    **dict.fromkeys(("userpwd", " -a ", "thin:", "user =", "tochararray", "connect(", "snmp", 'eap "'), ("",)),
    **dict.fromkeys(("mysqli", "pdo("), ("(",)),
    "pass": ("pass",),
}
"""Strings of commands, and others that must occur for one to be searched."""
_CODES = frozenset("$ {s @ recovery 2fa mfa totp seed mnemonic bitlocker code root: admin: :5432: *:*:".split())
