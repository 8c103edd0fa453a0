"""The forms of a name in code by which a rule about it is stored."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.language.rule_kinds import CALL, IMPORT, NAME

DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|_|\w[.-]\w|::|\(\)|[A-Za-z]\d")
_DOING = re.compile(r"\w{4,}ing\Z|\w{3,}ed\Z")
SQL = frozenset(
    "OFFSET SELECT DELETE TRUNCATE DROP CASCADE TRIGGER UNION HAVING ILIKE LIKE NOLOCK MERGE RETURNING".split()
)
OPENERS = frozenset(
    "a an the no none one two each every all some any more less keep use using do doing make making stay leave nothing"
    " something same another other both either plain simple fixed full only just our we it its they their this that"
    " what how why when where there here with without through over by for from to in on at as of and or not never"
    " considered rejected chosen option options alternative alternatives good bad neutral because pros cons yes".split()
)
EVERYWHERE = frozenset(
    "json http https xml api rest sql csv yaml toml html css url uri id db orm cli ui os io tcp udp ip utf ascii cpu"
    " ram true false null none self this".split()
)
"""Names that are common in any code."""


def terms(written: str, *, quoted: bool) -> Iterator[tuple[str, str]]:
    """Yield the forms of the name *written*."""
    if quoted and (written.endswith("()") or "." in written.strip(".") or "/" in written):
        yield written.lower(), NAME
        return
    term = plain(written)
    short_name = len(term) == 2 and written.isupper() and term not in EVERYWHERE
    if len(term) < 3 and not short_name:
        return
    if not quoted and (term in OPENERS or term in EVERYWHERE or _DOING.match(term)):
        return
    if short_name:
        yield term, IMPORT
        return
    distinct = bool(DISTINCT.search(written))
    yield term, NAME if distinct else CALL if quoted else IMPORT
    short = term.removesuffix("js").removesuffix("db")
    if distinct and short != term and len(short) > 4:
        yield short, NAME if term.endswith("db") else IMPORT


def is_literal(written: str) -> bool:
    """Whether code is matched as it is written, rather than by its name."""
    if written.upper() == written and written in SQL:
        return True
    return not re.fullmatch(r"[@\w][\w+#-]*", written) and bool(key(written))


def key(written: str) -> str:
    """Return the word by which literal code is looked up: its last name, in lower case."""
    words = re.findall(r"[A-Za-z_$][\w$]*", re.sub(r"'[^']*'|\"[^\"]*\"", "", written)) or re.findall(
        r"[A-Za-z_$][\w$]*", written
    )
    return words[-1].lower() if words else ""


def plain(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())
