"""Secrets in columns: under such a heading in tables, CSV, HTML and SQL, and in lists of names and values."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import chosen, jumbled, placeholder, random, technique, uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Cell = tuple[int, int]
    Table = tuple[list[Secret], int]

_HEADING = 1_000
"""Characters of the longest header line."""
_COLUMNS = 40
_ROWS = 10_000
_TABLES = 2_000
_LINE = 60
"""Tables and lines of them that are examined, and some more of a long text; and characters of a line."""
_EXPRESSIONS = {
    # A complete heading that marks a column as secret.
    "password": r"(?:[\w-]{1,20}[ _.-])?(?:pass(?:word|wd|phrase|wort|code)?|pwd?|kennwort|psk|senha|contrase(?:ñ"
    r"|n)a|clave"
    r"|mot[ _]de[ _]passe|wachtwoord|парол[а-я]*|密码|密碼|パスワード|비밀번호|hasło|şifre|parola)",
    "secret": r"(?:[\w-]{1,30}[ _.-])?(?:secret(?:[ _.-]?(?:key|value|token))?|tokens?|(?:api|access|private|master"
    r"|secret|auth|account|app)"
    r"[ _.-]?(?:keys?|tokens?)|credentials?)(?:[ _.-]value)?",
    "heading": r"[^\W\d][\w .()/-]{0,40}\Z",
    "rule": r"[-+:|=─┼├┤═╪ \t]*[-─═]{2}[-+:|=─┼├┤═╪ \t]*\Z",
    "insert": r"insert\s+(?:\w+\s+)?into\s+[\w.\"`\[\]]{1,80}\s*\Z",
    "values": r"\s*values\s*",
    "item": r"(?s)\s*(?:[NnBbRrUu]?'((?:[^'\\\r\n]|\\.|''){0,512})'|[bruBRU]?\"((?:[^\"\\\r\n]|\\.){0,512})\""
    r"|([^\s,()'\"\[\];]{1,200}+))"
    r"\s*",
    "cells": r"(?s)<t[hd][^>]{0,200}>(.{0,600}?)</t[hd]>",
}
_PATTERNS = Patterns(_EXPRESSIONS)


def tabled(text: str, low: str, positions: Iterable[int]) -> Iterator[Secret]:
    """Yield the secrets of *text* in columns; *positions* are words that may be headings. *low*: in lower case.

    Each line is used as a header once at most, and not inside another's table.
    """
    done = 0
    careful = _TABLES + len(text) // 1_000
    for at in sorted(positions):
        if at < done:
            continue
        careful -= 1
        if careful < 0:
            return
        start = text.rfind("\n", max(0, at - _HEADING), at) + 1
        stop = text.find("\n", at, at + _HEADING)
        stop = len(text) if stop < 0 else stop
        if stop - start > _HEADING:
            continue
        done = stop
        for findings, end in _read(text, low, start, stop, at):
            careful -= max(0, end - stop) // _LINE
            if findings or end > stop:
                yield from findings
                done = max(done, end)
                break


def _read(text: str, low: str, start: int, stop: int, at: int) -> Iterator[Table]:
    """Yield the secrets below the header line around *at*, and the end of that table, in each known format."""
    yield _lines(text, low, start, stop)
    if "=" in text[at:stop]:
        yield _unpacked(text, start, stop)
    yield _inserted(text, low, at)
    if "</t" in low[at : at + 60]:
        yield _marked(text, low, at)


# ---- lines of cells ------------------------------------------------------------------------------


def _lines(text: str, low: str, start: int, stop: int) -> Table:
    """Parse a header and the lines below it, their cells separated by the same sign."""
    line = _barred(text[start:stop])
    sign = next((sign for sign in "|\t;," if sign in line), "")
    # A separator at the end belongs to a list with an item a line.
    if not sign or line.count(sign) >= _COLUMNS or "(" in line or (sign != "|" and line.rstrip().endswith(sign)):
        return [], 0
    below = _barred(text[stop + 1 : stop + 1 + _HEADING].partition("\n")[0])
    if below.count(sign) != line.count(sign) and (sign != "|" or not _PATTERNS["rule"].match(below)):
        return [], 0
    wanted = _headings(low, _cells(line, start, sign))
    return _rows(text, stop, sign, line.count(sign) + 1, wanted) if wanted else ([], 0)


def _rows(text: str, end: int, sign: str, count: int, wanted: Mapping[int, str]) -> Table:
    """Parse lines of *count* cells from *end* on; the *wanted* ones contain secrets of a kind."""
    findings: list[Secret] = []
    ruled = False
    for _ in range(_ROWS):
        start, stop = end + 1, text.find("\n", end + 1)
        stop = len(text) if stop < 0 else stop
        row = _barred(text[start : min(stop, start + 20_000)])
        if start >= len(text):
            break
        if sign == "|" and _PATTERNS["rule"].match(row):
            ruled, end = True, stop
            continue
        cells = _cells(row, start, sign)
        if len(cells) != count or (sign == "," and not _rowlike(text, cells)):
            break
        for column, kind in wanted.items():
            findings += _judged(text, kind, cells[column], loose=sign != "|" or ruled)
        end = stop
    return findings, end


def _barred(line: str) -> str:
    """Return *line* with the bars of box-drawn tables as plain ones."""
    return line if line.isascii() else line.replace("│", "|").replace("║", "|")


def _cells(line: str, start: int, sign: str) -> list[Cell]:
    """Return the positions of the cells of *line*; quoted separators do not count."""
    cells = []
    at = 0
    while at <= len(line):
        stop = line.find(sign, at)
        if sign != "|" and line[at : at + 1] == '"':
            close = line.find('"', at + 1)
            stop = line.find(sign, close) if close >= 0 else stop
        stop = len(line) if stop < 0 else stop
        cells.append((start + at, start + stop))
        at = stop + 1
    return cells


def _headings(low: str, cells: Sequence[Cell]) -> dict[int, str]:
    """Return which columns contain secrets; empty, if one of the headings does not look like one."""
    wanted = {}
    for column, (start, stop) in enumerate(cells):
        name = low[start:stop].strip(" \t\r\"'`*_#")
        if not name:
            if 0 < column < len(cells) - 1:
                return {}
            continue
        if not _PATTERNS["heading"].match(name) or name.count(" ") > 3:
            return {}
        if kind := _kind(name):
            wanted[column] = kind
    return wanted if len(cells) > 1 else {}


def _kind(name: str) -> str:
    if _PATTERNS["password"].fullmatch(name):
        return "password"
    return "secret" if _PATTERNS["secret"].fullmatch(name) else ""


def _rowlike(text: str, cells: Sequence[Cell]) -> bool:
    """Whether *cells* may be a line of CSV: neither code nor prose."""
    return all(
        text[start:stop].count(" ") <= 4 and not text[start:stop].rstrip().endswith(("(", "{", ":"))
        for start, stop in cells
    )


def _judged(text: str, kind: str, cell: Cell, loose: bool) -> list[Secret]:
    """Return the content of a *cell*, if it looks like a secret; *loose*: the context allows nothing but values."""
    raw = text[cell[0] : cell[1]]
    value = raw.strip(" \t\r\"'`")
    if not value or " " in value or len(value) < 4 or placeholder(value):
        return []
    start = cell[0] + raw.index(value)
    span = start, start + len(value)
    if kind == "secret":
        return [(kind, *span)] if random(value, 12) or (uuid(value) and loose) else []
    if len(value) >= 6 and not technique(value) and (chosen(value, literal=loose) or jumbled(value)):
        return [(kind, *span)]
    return []


# ---- names and values in parentheses -------------------------------------------------------------


def _unpacked(text: str, start: int, stop: int) -> Table:
    """Parse `user, password = "ann", "…"`: the value at the name's position."""
    names, equals, rest = text[start:stop].partition("=")
    if not equals or "," not in names or rest[:1] == "=":
        return [], 0
    before = max(names.rfind(sign) for sign in "([{;:") + 1
    if names[:before].strip(" \t([{") not in ("", "const", "let", "var", "my", "local"):
        return [], 0  # arguments of a call
    parts = names[before:].strip(" \t)]}:").split(",")
    items = list(_items(text, start + len(names) + 1, stop))
    findings: list[Secret] = []
    for column, part in enumerate(parts):
        words = part.split()
        kind = _kind(words[-1].lower()) if words else ""
        if kind and len(items) == len(parts) and text[items[column][0] - 1] in "\"'":
            findings += _judged(text, kind, items[column], loose=True)
    return findings, stop


def _inserted(text: str, low: str, at: int) -> Table:
    """Parse `INSERT INTO users (name, password) VALUES ('ann', '…'), …`."""
    open_ = text.rfind("(", max(0, at - _HEADING), at)
    if open_ < 1 or low.find("insert", max(0, open_ - 120), open_) < 0:
        return [], 0
    close = text.find(")", at, at + _HEADING)
    values = _PATTERNS["values"].match(low, close + 1) if close >= 0 else None
    if values is None or not _PATTERNS["insert"].search(low, max(0, open_ - 120), open_):
        return [], 0
    names = [name.strip(" \t\r\n\"'`[]").lower() for name in text[open_ + 1 : close].split(",")]
    wanted = {column: kind for column, name in enumerate(names[:_COLUMNS]) if (kind := _kind(name))}
    findings: list[Secret] = []
    end = values.end()
    for _ in range(_ROWS):
        row = text.find("(", end, end + 5)
        if not wanted or row < 0:
            break
        items = list(_items(text, row, row + 20_000))
        for column, kind in wanted.items():
            if column < len(items):
                findings += _judged(text, kind, items[column], loose=True)
        end = text.find(")", items[-1][1] if items else row, row + 20_000) + 1
        if end <= row:
            break
    return findings, end


def _items(text: str, start: int, stop: int) -> Iterator[Cell]:
    """Yield the positions of a list's values, without quotes."""
    at = start
    while at < stop and text[at : at + 1] in " \t([{\n\r":
        at += 1
    for _ in range(_COLUMNS):
        item = _PATTERNS["item"].match(text, at, stop)
        if not item:
            return
        yield item.span(item.lastindex or 0)
        at = item.end()
        if text[at : at + 1] != ",":
            return
        at += 1


# ---- tables of HTML ------------------------------------------------------------------------------


def _marked(text: str, low: str, at: int) -> Table:
    """Parse the rows of an HTML table below the headings."""
    open_ = low.rfind("<tr", max(0, at - _HEADING), at)
    close = low.find("</tr>", at, at + _HEADING)
    if open_ < 0 or close < 0:
        return [], 0
    heads = [match.span(1) for match in _PATTERNS["cells"].finditer(low, open_, close)]
    wanted = {column: kind for column, (a, b) in enumerate(heads) if (kind := _kind(low[a:b].strip()))}
    findings: list[Secret] = []
    end = close + 5
    for _ in range(_ROWS):
        row = low.find("<tr", end, end + 400)
        last = low.find("</tr>", row, row + 20_000) if row >= 0 else -1
        if not wanted or last < 0:
            break
        cells = [match.span(1) for match in _PATTERNS["cells"].finditer(low, row, last)]
        for column, kind in wanted.items():
            if column < len(cells):
                findings += _judged(text, kind, cells[column], loose=True)
        end = last + 5
    return findings, end
