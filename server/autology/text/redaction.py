"""Finding secrets in text and taking them out, before the text is kept or shown.

Known shapes of keys and tokens are found wherever they stand; anything else only where it is
given to a name that says so (``API_KEY=…``, ``"password": "…"``) or stands where passwords
do (``://user:…@host``, ``Authorization: …``). What no rule knows is found by a score, learned from labelled texts, of a
word and of what stands around it, where a word for a secret is near. Hashes, UUIDs, images, checksums of lock files
and placeholders are nobody's secret and stay.

Linear in the text: all of it is searched only for letters without which there is no secret, what
follows them is bounded or consumed, and a shape whose letters do not occur is not even compiled.
"""

from __future__ import annotations

from collections import namedtuple

from autology.text import Patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
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
_PLACES = "code|hook|bearer|basic |recovery|identified|:5432:|log in".split("|")
_RARE_PLACES = (
    "keypad|host key| -a |thin:| opens | / |mdp|sign in|wifi|wlan|ssid|userpwd|user =|tochararray|otp|"
    'connect(|snmp| login|login |eap "|logged in|zugang|\ttrue\t|bitlocker'
).split("|")
"""Searched in short texts, and in those that mention a secret somewhere."""
_BY_SIGN = (
    *(("@", "://"), ("@", "@"), ("?", "sig"), ("&", "sig"), ("$", "$"), ("|", "| sudo")),
    *(("<", "<private"), ("=", "cookie")),
)
"""Patterns that only match next to a sign that is found fast."""
_BRIEF_PLACES = (
    "{s|login|pin|2fa|mfa|totp|seed|mnemonic|net user|/p:|root:|admin:|*:*:| p:| p=|wifi:|-asplaintext|"
    "mysqli|pdo(|sqlplus"
).split("|")
_NEAR = (
    "unlock|alarm|door|gate|garage|safe|voicemail|combination|wallet|luks|encrypt|rdp|vpn|admin|user|account|"
    "session|opens|verif|konto|benutzer|disarm|wpa|root|ssh|sql|kinit|protect|member|remote|locker|license|"
    "anmeld|logon"
).split("|")
"""Words that stand near a secret, too, but say less: in a brief text they let words be scored."""
_KINDS = bytes(
    (48 if chr(code).isdigit() else 65 if chr(code).isupper() else 97 if chr(code).islower() else 33)
    if chr(code).isalnum() or code in b"!#$%&*?@^~"
    else 32
    for code in range(128)
) + bytes(128)
"""Maps digits to 0, capitals to A, small letters to a and the signs in secrets to an exclamation mark."""
_ODD = r"\d|[A-Za-z][!#$%&*?@^~]|[a-z][A-Z][a-z]{0,20}[A-Z]"
_OPTION = "-(?<= -)(?:[utpawbs]|-user)"
_REPEATING, _REMEMBERED = 600, 4_096
"""Characters and number of texts without secrets that are remembered: tags, commands and results of tools repeat."""
_known_clean: set[str] = set()
_patterns = Patterns()
_OPTIONS = (
    "curl|mysql|mariadb|login|redis-cli|ldap|smbclient|sqlcmd|7z|zip|mongo|lftp|sudo|useradd|usermod|htpasswd|sqlplus"
).split("|")


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Return *text* with each secret replaced by ``[redacted:<kind>]``, and the secrets, in order."""
    if text in _known_clean:
        return text, ()
    findings = secrets_in(text)
    if findings:
        return without(text, findings), findings
    if len(text) <= _REPEATING:
        if len(_known_clean) >= _REMEMBERED:
            _known_clean.clear()
        _known_clean.add(text)
    return text, ()


def secrets_in(text: str, scores: bool = True) -> tuple[Finding, ...]:
    """Return the secrets in *text*, in order; of two that overlap, the one that begins first, then the longer.

    Without *scores*, only rules look for them.
    """
    candidates = sorted(_candidates(text, scores), key=lambda candidate: (candidate[1], -candidate[2]))
    settled: list[Finding] = []
    done = 0
    for kind, start, stop in candidates:
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


def _candidates(text: str, scores: bool) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets in *text* as it is, and in its visible form."""
    mask = text.encode("latin-1", "replace").translate(_MASK)
    controls = b"\0" in mask
    if controls or not text.isascii() or ("\\" in text and ("\\\n" in text or "\\\r\n" in text)) or "=3D" in text:
        from autology.text.secrets.hidden_characters import unveiled

        if (visible := unveiled(text, controls)) is not None:
            plain, positions = visible
            for kind, start, stop in _as_it_stands(plain, plain.encode("latin-1", "replace").translate(_MASK), scores):
                yield kind, positions[start], positions[stop - 1] + 1
    yield from _as_it_stands(text, mask, scores)


def _as_it_stands(text: str, mask: bytes, scores: bool) -> list[tuple[str, int, int]]:
    """Return what the rules find in *text*, and then what a score takes for a secret."""
    words = _long_words(text, mask)
    matches: list[tuple[str, int, int]] = []
    if words:
        from autology.text.secrets.token_formats import shaped

        matches += shaped(text, words)
    if len(text) < _SHORT and not words and not _tells(text):
        return matches
    low = _lowered(text)
    if stems := _stems(text, low):
        from autology.text.secrets.named_values import named

        headings: list[int] = []
        matches += named(text, low, stems, headings)
        if headings:
            from autology.text.secrets.tables import tabled

            matches += tabled(text, low, headings)
    if places := [*stems, *_places(low, bool(stems))]:
        from autology.text.secrets.urls_and_headers import placed

        matches += placed(text, low, places)
    if scores and (places if len(low) > _BRIEF else (places or any(map(low.__contains__, _NEAR))) and _odd(text)):
        from autology.text.secrets.classifier import scored

        matches += scored(text, low, places, matches)
    return matches


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
    return at >= 0 and _patterns[_OPTION].search(low) is not None


def _odd(text: str) -> bool:
    """Whether *text* may hold a word that is worth a score: there is a digit in it, or a sign or capitals in a word."""
    if text.isascii():
        kinds = text.encode("ascii").translate(_KINDS)
        if b"0" in kinds or b"a!" in kinds or b"A!" in kinds:
            return True
        if b"aA" not in kinds:
            return False
    return _patterns[_ODD].search(text) is not None


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
