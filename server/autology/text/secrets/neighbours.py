"""Random values whose context says that they are secret: an access key's id, a generator, a comment."""

from __future__ import annotations

from itertools import islice

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import placeholder, random, uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_BEFORE = 160
_EXPRESSIONS = {
    # The context before the value; the kind is the name of the group.
    "before": r"(?s)(?i:(?P<otp>(?:totp|hotp|\b2fa|\bmfa|\botp|authenticator|two-factor|setup key"
    r"|seed[:=])[^\n]{0,120}[^\w+/-])"
    r"|(?P<generated>(?:urandom|openssl rand|pwgen|token_(?:hex|urlsafe)\(|base64 (?:-d|--decode)|wg genkey"
    r"|get-secret-value|print-(?:access|identity)-token|create token|token create"
    r"|kv get)[^\n]{0,100}\r?\n[>|#$ \t]{0,12}['\"]?)"
    r"|(?P<argument>(?:fernet|secretbox|aesgcm|jwt\.(?:encode|decode|sign|verify)|hmac\.new"
    r"|createhmac)\([^\n;]{0,100}?[\"'])"
    r"|(?P<salt>salt[\"']?[ \t]{0,2}[=:][ \t]{0,2}[\"']?)"
    r"|(?P<crypt>crypt[\"']?[^\n]{0,20}\r?\n?[^\n]{0,20}\bkey[\"']?[ \t]{0,2}[=:]>?[ \t]{0,2}[\"'])"
    r"|(?P<accounts>\baccounts[\"']?[ \t]{0,2}[:=][ \t]{0,2}\[?[\"'])"
    r"|(?P<pair>twilio[^\n]{0,80}?\bAC[0-9a-f]{32}\W{1,6})"
    r"|(?P<session>(?:sess(?:ion)?_?id|\bsid)[\"']?[ \t]{0,2}[=: \t][ \t]{0,2}[\"']?)"
    r"|(?P<aws>(?:(?:AKIA|ASIA)[A-Z0-9]{16}|\[redacted:aws-access-key\])[^A-Za-z0-9].{0,100}?(?<![A-Za-z0-9+/]))"
    r")\Z",
    # A comment, or a name next to the value in a list, that says what it is.
    "after": r"(?i)[\"')\]}]{0,4}[,;]?[ \t]{1,8}(?:#|//|--|<!--|/\*|\^|<-+|←)[ \t]{0,3}[^\n]{0,40}?"
    r"(?:secret|token|passw|api[_ -]?key|private[_ -]?key|master[_ -]?key|access[_ -]?key|credential)",
    "below": r"(?i)[\"']?[ \t]{0,8}\r?\n[ \t]{0,8}(?:\^|#|//)[^\n]{0,60}?"
    r"\b(?:secret|token|password|api[_ -]?key|private key|master key|access key|signing key|encryption key"
    r"|credential)s?\b",
    "aws": r"[A-Za-z0-9+/]{40}",
    "otp": r"[A-Z2-7]{16,64}|[a-z2-7]{16,64}",
}
_TELLING = (
    "otp|2fa|mfa|authenticator|two-factor|setup key|urandom|openssl|pwgen|base64 -|wg genkey|secret-value|"
    "-token| token|kv get|seed|salt|crypt|accounts|token_|fernet|secretbox|aesgcm|jwt.|hmac|sess|sid|akia|"
    "asia|twilio|aws-access-key]"
).split("|")
"""Strings that must occur before a word for it to be examined further."""
_PATTERNS = Patterns(_EXPRESSIONS)


def beside(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Secret]:
    """Yield those of the long words at *spans* whose context says that they are secret.

    The number examined is proportional to the text's length; a list of checksums has more.
    """
    for start, stop in islice(spans, 200 + len(text) // 1_000):
        if kind := _kind(text, start, stop):
            value = text[start:stop]
            if random(value, 16) and not placeholder(value) and not uuid(value):
                yield (kind, start, stop)


def _kind(text: str, start: int, stop: int) -> str:
    around = text[max(0, start - _BEFORE) : start]
    low = around.lower()
    before = _PATTERNS["before"].search(around) if any(map(low.__contains__, _TELLING)) else None
    name = before.lastgroup if before else ""
    if name == "aws":
        return "aws-secret-key" if _PATTERNS["aws"].fullmatch(text, start, stop) else ""
    if name == "otp":
        return "otp-seed" if _PATTERNS["otp"].fullmatch(text, start, stop) else ""
    if name:
        return "session" if name == "session" else "secret"
    if _PATTERNS["after"].match(text, stop) or _PATTERNS["below"].match(text, stop):
        return "secret"
    return ""
