"""Passwords in commands and statements: after the option that takes one, piped into a program, in SQL."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import chosen, jumbled, passphrase, placeholder, random, sure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


_VALUE = r"(?:\"([^\"\r\n]{1,512})\"|'([^'\r\n]{1,512})'|([^\s\"'`|;<>]{1,512}+))"
_QUOTED = r"n?(?:'((?:[^'\r\n]|''){1,200})'|\"([^\"\r\n]{1,200}+)\")"
_USER = r"[\w.@$-]{1,64}"
_EXPRESSIONS = {
    "curl": r"curl[^\n]{0,250}?\s(?:-u|-U|--user|--proxy-user)[ =]?[\"']?[^\s:\"']{1,64}:[\"']?([^\s\"']{4,512}+)",
    "jar": r"curl[^\n]{0,80}?\s(?:-b|--cookie)[ =]?[\"']?[\w.-]{1,60}=([^\s\"';]{12,2000}+)",
    "mysql": r"(?:mysql|mariadb)\w{0,12}[ \t][^\n|;&]{0,100}?(?<=\s)-p"
    r"(?:\"([^\"\n]{4,99})\"|'([^'\n]{4,99})'|([^\s\"';|&]{4,99}+))",
    "login": rf"login[^\n|]{{0,100}}?\s(?:-p|-t)[ =]?{_VALUE}",
    "logged": r"log(?:in|s? in|ged[ -]in)[: \t]{1,3}(?:(?:with|as|is|using|via|:)[ \t]{1,3})?[\"'`]?"
    rf"{_USER}[ \t]?[/:][ \t]?([^\s\"'`]{{8,200}}+)",
    "snmp": r"\bauth[=: ]{1,2}\S{8,64}[ \t,;]{1,3}priv(?:acy)?[=: ]{1,2}([^\s\"',;]{8,64}+)",
    "snmp auth": r"\bauth[=: ]{1,2}([^\s\"',;]{8,64}+)(?=[ \t,;]{1,3}priv)",
    "userpwd": r"userpwd[ \t]{0,3},[ \t]{0,3}\"[^\":\n]{1,64}:([^\"\n]{4,200})\"",
    "curlrc": r"(?:proxy-)?user[ \t]{0,3}=[ \t]{0,3}\"[^\":\n]{1,64}:([^\"\n]{4,200})\"",
    "eap": r"(?:eap|xauth)[ \t]{1,3}\"([^\"\n]{6,64})\"",
    "chars": r"\"([^\"\n]{6,64})\"\.tochararray\(\)",
    "connection": r"connect\([ \t]{0,3}[\"'][^\"'\n]{3,200}[\"'],\s{0,20}[\"'][^\"'\n]{1,64}[\"'],\s{0,20}" + _QUOTED,
    "device": r"(?:password|secret)[ \t]{1,3}[05789][ \t]{1,3}([^\s\"']{4,200}+)",
    "snmp a": rf"snmp\w{{2,10}}\b[^\n|]{{0,200}}?\s-a[ \t]{{1,3}}(?!sha|md5){_VALUE}",
    "snmp x": rf"snmp\w{{2,10}}\b[^\n|]{{0,200}}?\s-x[ \t]{{1,3}}(?!aes|des|3des){_VALUE}",
    "httpie": r"https?[ \t][^\n|]{0,80}?-a[ \t]{1,3}[\"']?[^\s:\"']{1,64}:([^\s\"']{4,200}+)",
    "thin": r"thin:[^\s/@]{1,40}/([^\s@\"']{4,100})@",
    "requirepass": r"requirepass[ \t]{1,4}[\"']?([^\s\"']{6,512}+)",
    "masterauth": r"masterauth[ \t]{1,4}[\"']?([^\s\"']{6,512}+)",
    "sshpass": rf"sshpass[ \t]{{1,4}}-p[ \t]{{0,4}}{_VALUE}",
    "redis": rf"redis-cli[^\n|]{{0,100}}?\s-a[ \t]{{1,4}}{_VALUE}",
    "piped": r"(?:echo|printf)[ \t]{1,4}(?:-[ne]{1,2}[ \t]{1,4})?[\"']?([^\s\"'|]{6,512}+)[\"']?[ \t]{0,4}\|"
    r"[^\n|]{0,120}?(?:--(?:password-stdin|with-token|passphrase-fd|stdin)|sudo[ \t][^\n|]{0,40}?-s\b|passwd\b)",
    "here": r"sudo[ \t][^\n|]{0,80}?-s\b[^\n|]{0,120}?<<<[ \t]{0,3}" + _VALUE,
    "chpasswd": rf"(?m)(?:^|[\"'\s-]|\\n){_USER}:([^\s\"'`|:<>]{{6,200}}+)(?=[\"'\s|]|\\n|\Z)",
    "htpasswd": rf"htpasswd[ \t]{{1,3}}(?:-\w{{1,12}}[ \t]{{1,3}}){{1,4}}"
    rf"[^\s|;&]{{1,200}}[ \t]{{1,3}}{_USER}[ \t]{{1,3}}{_VALUE}",
    "useradd": rf"user(?:add|mod)\b[^\n|]{{0,120}}?\s-p[ \t]{{1,3}}{_VALUE}",
    "net user": rf"net[ \t]{{1,3}}user[ \t]{{1,3}}{_USER}[ \t]{{1,3}}{_VALUE}",
    "ldap": rf"ldap\w{{2,12}}\b[^\n|]{{0,200}}?\s-w[ \t]{{0,3}}{_VALUE}",
    "smbclient": r"(?:smbclient|rpcclient|net[ \t]rpc)\b"
    r"[^\n|]{0,160}?\s-u[ \t]{0,3}[\"']?[^\s%\"']{1,64}%([^\s\"']{4,200}+)",
    "sqlcmd": rf"(?:sqlcmd|bcp|isql)\b[^\n|]{{0,200}}?\s-p[ \t]{{0,3}}{_VALUE}",
    "7z": rf"7z[az]?\b[^\n|]{{0,120}}?\s-p{_VALUE}",
    "zip": rf"(?:un)?zip\b[^\n|]{{0,120}}?\s-p[ \t]{{1,3}}{_VALUE}",
    "mongo": rf"mongo\w{{0,8}}\b[^\n|]{{0,160}}?\s-p[ \t]{{1,3}}{_VALUE}",
    "lftp": r"lftp\b[^\n|]{0,120}?\s-u[ \t]{0,3}[\"']?[^\s,\"']{1,64},([^\s\"']{4,200}+)",
    "sqlplus": r"sqlplus[^\n|]{0,40}?\s[\w.]{1,40}/([^\s@/\"']{4,100})@",
    "keygen": rf"ssh-keygen\b[^\n|]{{0,160}}?\s-p[ \t]{{1,3}}(?!-){_VALUE}",
    "keygen new": rf"ssh-keygen\b[^\n|]{{0,160}}?\s-n[ \t]{{1,3}}(?!-){_VALUE}",
    "signed in": rf"login\([ \t]{{0,3}}[\"'][^\"'\n]{{1,64}}[\"'],[ \t]{{0,3}}{_QUOTED}",
    "pair": r"(?<![\w-])u(?:ser(?:name)?|sr|id)?[ \t]?[:=][ \t]{0,3}\S{1,64}[ \t,;/|]{1,4}"
    r"p(?:w|wd|ass)?[ \t]?[:=][ \t]{0,3}([^\s\"'`]{4,100}+)",
    "wifi": r"wifi:(?=[^\n]{0,80}?\bs:)[^\n]{0,120}?[:;]p:((?:[^;\\\n]|\\.){6,63})",
    "plain": rf"{_QUOTED}[ \t]{{1,4}}-asplaintext",
    "wpa": rf"wpa_passphrase[ \t]{{1,3}}[^\s]{{1,40}}[ \t]{{1,3}}{_VALUE}",
    "connect": rf"(?:mysqli(?:_connect)?"
    rf"|pdo)\([^\n]{{0,120}}?,[ \t]{{0,3}}[\"'][^\"'\n]{{1,64}}[\"'],[ \t]{{0,3}}{_QUOTED}",
    "/p:": rf"\s/p:{_VALUE}",
    "identified": r"identified[ \t]{1,3}(?:with[ \t]{1,3}[\"'`]?[\w-]{1,40}[\"'`]?[ \t]{1,3})?(?:by"
    r"|as)[ \t\n]{1,3}(?:password[ \t]{1,3})?" + _QUOTED,
    "with password": rf"(?:with|encrypted|user|role|login"
    rf"|\b\w{{1,60}})[ \t\n]{{1,3}}password[ \t]{{0,3}}=?[ \t\n]{{0,3}}(?:\(?{_QUOTED}\)?)",
    "passin": r"pass:([^\s\"'`]{6,200}+)",
}
_SURE = frozenset(["logged", "passin", "jar"])
"""Patterns that also match ordinary text: only unmistakable values are taken."""
_LITERAL = frozenset(
    ("thin|identified|with password|chpasswd|keygen|keygen new|chars|eap|device|userpwd|curlrc|connection").split("|")
)
"""Statements in which the value can only be a password."""
_BY_LETTERS: dict[str, tuple[tuple[str, str], ...]] = {
    "curl": (("curl", ""), ("jar", " -b")),
    "mysql": (("mysql", ""),),
    "mariadb": (("mysql", ""),),
    "login": (("login", " -"), ("logged", ""), ("signed in", "login(")),
    " p:": (("pair", ""),),
    " p=": (("pair", ""),),
    "redis-cli": (("redis", ""),),
    "ldap": (("ldap", " -w"),),
    "smbclient": (("smbclient", " -u"),),
    "sqlcmd": (("sqlcmd", " -p"),),
    "7z": (("7z", " -p"),),
    "zip": (("zip", " -p"),),
    "mongo": (("mongo", " -p"),),
    "lftp": (("lftp", " -u"),),
    "sudo": (("here", "<<<"),),
    "| sudo": (("piped", ""),),
    "useradd": (("useradd", " -p"),),
    "usermod": (("useradd", " -p"),),
    "htpasswd": (("htpasswd", ""),),
    "sqlplus": (("sqlplus", "@"),),
    "wifi:": (("wifi", ""),),
    "-asplaintext": (("plain", ""),),
    "mysqli": (("connect", ""),),
    " -a ": (("httpie", "http"),),
    "thin:": (("thin", "@"),),
    "userpwd": (("userpwd", ""),),
    "user =": (("curlrc", ""),),
    'eap "': (("eap", ""),),
    "tochararray": (("chars", ""),),
    "connect(": (("connection", ""),),
    "snmp": (("snmp a", " -a"), ("snmp x", " -x")),
    "pdo(": (("connect", ""),),
    "net user": (("net user", ""),),
    "/p:": (("/p:", " /"),),
    "identified": (("identified", ""),),
    # Under the strings of names, which are searched anyway.
    "auth": (("masterauth", "masterauth"), ("snmp", " priv="), ("snmp auth", " priv=")),
    "pass": (
        ("sshpass", "sshpass"),
        ("piped", "password-stdin"),
        ("piped", "passphrase-fd"),
        ("piped", "passwd"),
        ("requirepass", "requirepass"),
        *(("device", f" {number} ") for number in "05789"),
        ("chpasswd", "chpasswd"),
        ("with password", " password '"),
        ("with password", " password = n'"),
        ("with password", " password('"),
        ("passin", "pass:"),
        ("wpa", "wpa_passphrase "),
    ),
    "key": (("keygen", "ssh-keygen"), ("keygen new", "ssh-keygen")),
    "token": (("piped", "--with-token"),),
}
_PATTERNS = Patterns(_EXPRESSIONS)


def commanded(letters: str, text: str, low: str) -> Iterator[Secret]:
    """Yield the values of password options in *text*, where *letters* occur; *low* is it in lower case.

    A pattern is only searched if its second strings occur too.
    """
    for name, needed in _BY_LETTERS.get(letters, ()):
        if needed in low:
            yield from _values(name, text, low)


def _values(name: str, text: str, low: str) -> Iterator[Secret]:
    careful = 500 + len(text) // 256
    for match in _PATTERNS[name].finditer(low):
        start, stop = match.span(match.lastindex or 0)
        value = text[start:stop]
        careful -= 1
        if careful >= 0 and (not value or placeholder(value) or not _likely(name, value)):
            continue
        yield ("password", start, stop)


def _likely(name: str, value: str) -> bool:
    if name in _SURE:
        return sure(value.rstrip(".,;:)"))
    if name in _LITERAL and len(value) >= 6:
        return not value.isupper() and value[0] not in ":?$%@"
    return chosen(value, literal=True) or jumbled(value) or random(value, 16) or (" " in value and passphrase(value))
