"""Whether a name is a secret's: an API key, not a primary key; a password, not its hash."""

from __future__ import annotations

from autology.text.secrets.assignment_patterns import FORMS

SECRET_STEMS = frozenset(
    "secret token key auth cred chave clé schlüssel 令牌 密钥 密鑰 金鑰 キー トークン токен секрет ключ 토큰".split()
)
"""Stems of names for random secrets; all others are for passwords."""
ABOUT = frozenset(
    "hash digest sha1 sha256 sha512 md5 id ids name names file path dir url uri type count counts limit length len size"
    " expiry expires in expiration ttl field label hint policy arn ref regex pattern usage budget version header format"
    " endpoint kind scope scopes placeholder provider prefix fingerprint checksum env at age input timeout lifetime"
    " required".split()
)
"""A name with such an ending is about the secret, and not the secret."""
_PUBLIC = frozenset(
    "public pub publishable primary foreign partition sort cache idempotency row object unique index natural composite"
    " surrogate hot shard group dedup dedupe lock storage range hash registry translation i18n message event"
    " metric feature flag site host known object state query react map dict sort search lookup ssh turn mon don"
    " arrow function short press key answer low high dimension label annotation config tag".split()
)
"""Public keys, by the word before `key`."""
_KEYS = frozenset(
    "key keys b64 base64 b 64 hex raw value string str data pem content contents base prod production".split()
)
_JOINED = tuple("require db smtp store key root admin user mail ftp ldap bind sudo wifi".split())
"""Prefixes of `pass` and `pw` with which they mean a password: not bypass, compass."""
WIRELESS = frozenset("wifi wi-fi wpa wpa2 wpa3 wlan wep network wireless".split())
"""Words before `key` that make it one that a person chose."""
_NAME_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-"


def names_a_password(stem: str, before: str, suffix: str, whole_name: bool = False) -> bool:
    """Whether the name means a password: not bypass, passed, compass, HTTPPasswordMgr; *whole_name*: it ends so."""
    low = suffix.lower()
    if stem == "pass":
        word = FORMS["word"].match(low)
        if word:
            return word.end() == len(low) or not (whole_name or low[word.end()].isalpha())
        joined = before[-1:].isalpha() and not before.lower().endswith(_JOINED)
        return not joined and (low in ("", "e") or low.isdigit())
    if stem == "pw":
        return (not before[-1:].isalpha() or before.lower().endswith(_JOINED)) and low in ("", "d")
    if stem == "psk":
        return not before[-1:].isalpha() and not low[:1].isalpha()
    return True


def names_a_secret(stem: str, before: str, suffix: str, text: str, at: int) -> bool:
    """Whether the name, with *before* and *suffix* around *stem* at *at*, means a key or a token."""
    low = suffix.lower()
    if stem == "token":
        public = (
            (text[max(0, at - 24) : at] + before).lower().rstrip().endswith(("publickey", "public_key_", "public key"))
        )
        return (not public and not low[:1].isalpha()) or low.startswith(("s", "value", "secret"))
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
    words = [word.lower() for word in FORMS["parts"].findall(before)]
    word = previous(text, at) if not before else ""
    spaced = len(word) >= 3 and word.isalpha() and word not in _PUBLIC
    coded = low.endswith(("b64", "base64", "data"))
    if not (words or spaced) or (words and words[-1] in _PUBLIC and not coded) or "public" in words:
        return False
    return all(word.lower() in _KEYS or word.isdigit() for word in FORMS["parts"].findall(suffix))


def previous(text: str, at: int) -> str:
    """Return the word before *at*, in lower case; "" if there is none on its line."""
    preceding = text[max(0, at - 24) : at]
    if preceding[-1:] not in (" ", "\t", "-") or "\n" in preceding[-2:]:
        return ""
    return preceding.lower().rstrip(" \t-").rpartition("\n")[2].rpartition(" ")[2].strip("\"'`*_(")


def is_about(suffix: str) -> bool:
    """Whether a name with the ending *suffix* is about a secret: its length, its file, its hash."""
    parts = FORMS["parts"].findall(suffix)
    last = suffix.strip("_.-").replace("-", "_").replace(".", "_").rpartition("_")[2]
    return bool(parts) and (parts[-1].lower() in ABOUT or last.lower() in ABOUT)


def head(text: str, at: int, limit: int = 60) -> str:
    """Return the part of a name before *at*."""
    preceding = text[max(0, at - limit) : at]
    return preceding[len(preceding.rstrip(_NAME_LETTERS)) :]
