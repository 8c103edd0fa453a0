"""Detecting secrets in text and replacing them, before the text is stored or shown.

Known formats of keys and tokens are found anywhere; anything else only as the value of a name that says so
(``API_KEY=…``, ``"password": "…"``) or in a place for passwords (``://user:…@host``, ``Authorization: …``). Hashes,
UUIDs, images, checksums of lock files and placeholders are not secrets and stay.

Linear time: all of the text is searched only for strings without which there is no secret, what follows them is bounded
or consumed, and a pattern whose strings do not occur is not even compiled.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

Finding = namedtuple("Finding", ("kind", "start", "stop"))
"""One secret: its kind, and its position in the text."""

_LONG = 16
"""Characters of the shortest recognisable token."""
_SHORT = 300
"""Characters of a title or a line: for such a short text a hook must not load and compile unneeded patterns."""
_SIGNS = ("=", ":", '"', "'", "`", "<", ">", "(", " -", "/")
_TOKEN_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~:%|@"
_HIDDEN = bytes(code for code in (*range(32), *range(0x7F, 0xA0), 0xAD) if code not in b"\t\n\v\f\r")
_MASK = bytes(120 if code in _TOKEN_LETTERS else 0 if code in _HIDDEN else 32 for code in range(256))
_RUN = b"x" * _LONG
_STEMS = ("secret", "token", "pass", "key", "auth", "cred", "pw")
_FOREIGN_STEMS = (
    *("senha", "contrasen", "kennwort", "wachtwoord", "clave", "parol", "haslo", "heslo", "adgangskode", "salasana"),
    *("chave", "psk", "keymaterial"),
)
"""Words in ASCII spelling. A long text in ASCII is in none of these languages: they are not searched."""
_BRIEF = 600
"""Characters of a text that is searched for everything: 15 words cost 4 µs in it, and 15 in a passage of 2,000."""
_STEMS_BY_LETTER = {
    "о": ("парол", "токен"),
    "е": ("секрет", "ключ"),
    "码": ("密码",),
    "碼": ("密碼",),
    "口": ("口令",),
    "令": ("令牌",),
    "密": ("密钥", "密鑰"),
    "金": ("金鑰",),
    "ー": ("パスワード", "キー", "トークン"),
    "호": ("비밀번호", "암호"),
    "토": ("토큰",),
    "ا": ("كلمة المرور", "كلمة السر"),
    "ס": ("סיסמ",),
    "ा": ("पासवर्ड",),
    "κ": ("κωδικ",),
    "ร": ("รหัสผ่าน",),
    "é": ("clé",),
    "ü": ("schlüssel",),
    "ñ": ("contraseñ",),
    "ł": ("hasło",),
    "ş": ("şifre",),
    "ö": ("lösenord",),
    "ó": ("jelszó",),
    "ậ": ("mật khẩu",),
}
"""Words for passwords and keys, by the letter that is searched first."""
_PLACES = ("code", "hook", "bearer", "basic ", "recovery", "identified", ":5432:", "log in")
_RARE_PLACES = (
    *("keypad", " opens ", " / ", "mdp", "sign in", "wifi", "wlan", "ssid", "userpwd", "user =", "tochararray", "otp"),
    *("connect(", "snmp", " login", "login ", 'eap "', "logged in", "zugang", "\ttrue\t", "bitlocker"),
)
"""Searched in short texts, and in those that mention a secret somewhere."""
_BY_SIGN = (
    *(("@", "://"), ("@", "@"), ("?", "sig"), ("&", "sig"), ("$", "$"), ("|", "| sudo")),
    *(("<", "<private"), ("=", "cookie")),
)
"""Patterns that only match next to a sign that is found fast."""
_BRIEF_PLACES = (
    *("{s", "login", "pin", "2fa", "mfa", "totp", "seed", "mnemonic", "net user", "/p:", "root:", "admin:"),
    *("*:*:", " p:", " p=", "wifi:", "-asplaintext", "mysqli", "pdo(", "sqlplus"),
)
_OPTION = "-(?<= -)(?:[utpawbs]|-user)"
_compiled: list[re.Pattern[str]] = []
_OPTIONS = (
    *("curl", "mysql", "mariadb", "login", "redis-cli", "ldap", "smbclient", "sqlcmd", "7z", "zip", "mongo", "lftp"),
    *("sudo", "useradd", "usermod", "htpasswd", "sqlplus"),
)


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Return *text* with each secret replaced by ``[redacted:<kind>]``, and the secrets, in order."""
    secrets = secrets_in(text)
    return (without(text, secrets), secrets) if secrets else (text, ())


def secrets_in(text: str) -> tuple[Finding, ...]:
    """Return the secrets in *text*, in order; of two that overlap, the one that begins first, then the longer."""
    findings = sorted(_candidates(text), key=lambda finding: (finding[1], -finding[2]))
    settled: list[Finding] = []
    done = 0
    for kind, start, stop in findings:
        if start >= done:
            settled.append(Finding(kind, start, stop))
            done = stop
    return tuple(settled)


def without(text: str, findings: Sequence[Finding], start: int = 0, stop: int | None = None) -> str:
    """Return *text*, or its part from *start* to *stop*, with the secrets *findings* in all of it replaced.

    A part that begins or ends inside a secret has its marker, and nothing of the secret.
    """
    end = len(text) if stop is None else stop
    parts = []
    at = start
    for finding in findings:
        if finding.stop <= start or finding.start >= end:
            continue
        parts += [text[at : max(at, finding.start)], f"[redacted:{finding.kind}]"]
        at = min(finding.stop, end)
    parts.append(text[at:end])
    return "".join(parts)


def _candidates(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets in *text* as it is, and in its visible form."""
    mask = text.encode("latin-1", "replace").translate(_MASK)
    controls = b"\0" in mask
    if controls or not text.isascii() or ("\\" in text and ("\\\n" in text or "\\\r\n" in text)) or "=3D" in text:
        from autology.text.secrets.veiled import unveiled

        if (read := unveiled(text, controls)) is not None:
            plain, places = read
            for kind, start, stop in _as_it_stands(plain, plain.encode("latin-1", "replace").translate(_MASK)):
                yield kind, places[start], places[stop - 1] + 1
    yield from _as_it_stands(text, mask)


def _as_it_stands(text: str, mask: bytes) -> Iterator[tuple[str, int, int]]:
    words = _long_words(text, mask)
    low = ""
    if words:
        from autology.text.secrets.shapes import shaped

        yield from shaped(text, words)
    if len(text) < _SHORT and not words and not _tells(text):
        return
    low = _lowered(text)
    if stems := _stems(text, low):
        from autology.text.secrets.names import named

        headings: list[int] = []
        yield from named(text, low, stems, headings)
        if headings:
            from autology.text.secrets.columns import tabled

            yield from tabled(text, low, headings)
    if places := [*stems, *_places(low, bool(stems))]:
        from autology.text.secrets.places import placed

        yield from placed(text, low, places)


def _stems(text: str, low: str) -> list[str]:
    """Return the name parts for secrets that occur in *low*."""
    stems = [stem for stem in _STEMS if stem in low]
    if not text.isascii():
        for letter, words in _STEMS_BY_LETTER.items():
            if letter in low:
                stems += [word for word in words if word in low]
    elif len(low) > _BRIEF:
        return stems
    return stems + [stem for stem in _FOREIGN_STEMS if stem in low]


def _tells(text: str) -> bool:
    """Whether *text* may assign something to a name: it has a sign of that, or a digit."""
    return any(sign in text for sign in _SIGNS) or any(map(str.isdigit, text)) or "phrase" in text


def _places(low: str, named: bool) -> Iterator[str]:
    """Yield the strings next to secrets that occur in *low*, the cheapest first."""
    for sign, letters in _BY_SIGN:
        if sign in low and letters in low:
            yield letters
    yield from [letters for letters in _PLACES if letters in low]
    if named or len(low) <= _BRIEF:
        yield from [letters for letters in _RARE_PLACES if letters in low]
    if len(low) <= _BRIEF:
        yield from [letters for letters in _BRIEF_PLACES if letters in low]
    if _option(low):
        yield from [letters for letters in _OPTIONS if letters in low]


def _option(low: str) -> bool:
    """Whether *low* has an option that takes a password: -p, -u, --user."""
    at = low.find("-")
    if at >= 0 and not _compiled:
        import re

        _compiled.append(re.compile(_OPTION))
    return at >= 0 and _compiled[0].search(low) is not None


def _long_words(text: str, mask: bytes) -> list[tuple[int, int]]:
    """Return the positions of words that are long enough for a token; inline images are skipped."""
    words = []
    at = mask.find(_RUN)
    while at >= 0:
        stop = mask.find(b" ", at)
        stop = len(mask) if stop < 0 else stop
        if stop - at < 400 or not text.endswith(";base64,", 0, at):
            words.append((at, stop))
        at = mask.find(_RUN, stop)
    return words


def _lowered(text: str) -> str:
    """Return *text* in lower case with the same offsets: the one letter that would grow is left out."""
    return (text if text.isascii() else text.replace("\u0130", "I")).lower()
