"""Metadata blocks that several forms share: header blocks, YAML and TOML lines, labelled lines, and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.adr.fields import labelled_spans
from autology.text.records.field_labels import is_known, key_of
from autology.text.records.outline import Field, Place

HEAD = 8_000
"""Characters from the beginning in which metadata lies; the longest header of the sampled collections ends at 5,100."""
LONGEST_LINE = 1_000
"""Characters of a value from which it is kept with its comment."""
FEWEST = 2
"""Lines of a header block; one labelled line alone is a labelled line."""

_YAML_KEY = re.compile(
    r"^(?P<key>[A-Za-z_][\w .-]{0,60}?)[ \t]*[:=](?:[ \t]+(?P<value>[^\r\n]*))?(?=\r?$)", re.MULTILINE
)
_NESTED_KEY = re.compile(
    r"^(?P<margin>[ \t]+)(?P<key>[A-Za-z_][\w .-]{0,60}?)[ \t]*:(?:[ \t]+(?P<value>[^\r\n]*))?(?=\r?$)", re.MULTILINE
)
_COMMENT = re.compile(r"(?:^|[ \t])#.*$")
_COMMENT_OUTSIDE_QUOTES = re.compile(r"(?:^|[ \t])#(?![^\"']*[\"'][^\"']*$).*$")
_QUOTED = re.compile(r"(?:-[ \t]+)?[\"'\[{]")
"""Beginnings of values in which a number sign may be text; in any other it begins a comment, whatever quotes follow."""
_HEADER_KEY = re.compile(
    r"^[ \t]{0,4}(?P<key>[A-Z][\w /-]{0,30}?(?:\(s\))?)[ \t]*:(?:[ \t]+(?P<value>[^\r\n]*)|(?=\r?$))", re.MULTILINE
)
_BOXED = re.compile(
    r"^[ \t]*(?:(?P<fence>`{3,}|~{3,})[^\r\n`]*|<pre>[ \t]*)\r?\n(?P<block>.*?)^[ \t]*(?:(?P=fence)|</pre>)",
    re.MULTILINE | re.DOTALL,
)
_ROW = re.compile(r"^[ \t]*\|(?P<cells>[^\r\n]*)\|[ \t]*\r?$", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+\Z")
_CELL = re.compile(r"(?:[^|\\`]|\\.|`[^`\r\n]*`|`)+")
_HTML_CELL = re.compile(r"<t[dh][^<>]*>(?P<cell>.{0,2000}?)</t[dh]>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{1,200}>")
_INDENTED = re.compile(r"\r?\n(?=[ \t]+\S)[^\r\n]*")
_MORE = 30
"""Lines of a value that continues on indented ones; the longest list of reviewers in the sampled collections has 24."""
_MARKS = "*_`~ \t"


def yaml_fields(text: str, start: int, stop: int, place: Place) -> Iterator[Field]:
    """Yield the top-level keys between *start* and *stop*, YAML's or TOML's; a list's items are lines of its value.

    Read line by line: a block that is not valid YAML (``author: @me``) is clear to people, too.
    """
    keys = list(_YAML_KEY.finditer(text, start, stop))
    for at, match in enumerate(keys):
        end = keys[at + 1].start() if at + 1 < len(keys) else stop
        if match["value"] is not None and match["value"].strip() not in ("", "|", ">", "|-", ">-", "["):
            value, begin = match["value"], match.start("value")
            rest = text[match.end() : end]
            bare = _uncommented(value)
            more = rest.strip() if rest.lstrip("\r\n")[:1] in (" ", "\t") else ""
            shown = bare.strip("\"'") if not more else f"{bare}\n{more}"
            yield Field(place, match["key"].strip(), shown, begin, begin + len(value.rstrip()))
        elif nested := _nested_fields(text, match, end, place):
            yield from nested
        else:
            value = text[match.end() : end]
            lines = (_uncommented(line) for line in value.splitlines())
            shown = "\n".join(line for line in lines if line)
            yield Field(place, match["key"].strip(), shown, match.end(), match.end() + len(value.rstrip()))


def _nested_fields(text: str, parent: re.Match[str], end: int, place: Place) -> list[Field]:
    """Return the keys one level below *parent* if they are the record's own, with its title or status: ``adr:``.

    A key that is known by itself has them as its value.
    """
    if is_known(parent["key"]) or parent["value"]:
        return []
    keys = list(_NESTED_KEY.finditer(text, parent.end(), end))
    margins = {len(match["margin"]) for match in keys}
    own = [match for match in keys if len(match["margin"]) == min(margins)]
    known = {key_of(match["key"]) for match in own} - {""}
    if len(known) < FEWEST or not known & {"title", "status"}:
        return []
    fields = []
    for match in own:
        value = match["value"] or ""
        begin = match.start("value") if value else match.end()
        shown = _uncommented(value).strip("\"'")
        fields.append(Field(place, match["key"].strip(), shown, begin, begin + len(value.rstrip())))
    return fields


def _uncommented(line: str) -> str:
    plain = line.strip()
    if len(line) > LONGEST_LINE:
        return plain
    return (_COMMENT_OUTSIDE_QUOTES if _QUOTED.match(plain) else _COMMENT).sub("", plain).strip()


def bare_header(text: str, start: int) -> tuple[list[Field], int]:
    """Return the fields of the header block that begins at *start*, and where it ends; none without one.

    ``Key: value`` lines up to the first blank one, long values continued on indented lines.
    """
    blank = re.compile(r"^[ \t]*\r?$", re.MULTILINE).search(text, start)
    stop = blank.start() if blank else len(text)
    if not _HEADER_KEY.match(text, start):
        return [], start
    fields = _header_fields(text, start, stop)
    return (fields, stop) if len(fields) >= FEWEST else ([], start)


def boxed_header(text: str, start: int, stop: int) -> tuple[list[Field], int]:
    """Return the fields of the header block in a code block or ``<pre>``, and where it ends; none without one."""
    match = _BOXED.search(text, start, stop)
    if match:
        fields = _header_fields(text, match.start("block"), match.end("block"))
        if len(fields) > FEWEST and sum(is_known(field.label) for field in fields) >= FEWEST:
            return fields, match.end()
    return [], start


def _header_fields(text: str, start: int, stop: int) -> list[Field]:
    """Return the header lines between *start* and *stop*; none if most lines there are something else."""
    margin = re.compile(r"[ \t]*").match(text, start)
    indent = len(margin[0]) if margin else 0
    fields: list[Field] = []
    lines = strays = 0
    for line in re.compile(r"[^\r\n]+").finditer(text, start, stop):
        lines += 1
        key = _HEADER_KEY.match(text, line.start(), line.end())
        depth = len(line[0]) - len(line[0].lstrip())
        if key and (depth <= indent or not fields):
            value = key["value"] or ""
            begin = key.start("value") if key["value"] is not None else key.end()
            fields.append(Field(Place.HEADER, key["key"], value.strip(), begin, begin + len(value.rstrip())))
        elif fields and depth > indent:
            last = fields[-1]
            joined = f"{last.value}\n{line[0].strip()}".lstrip("\n")
            fields[-1] = Field(last.place, last.label, joined, last.start, line.end())
        else:
            strays += 1
    return fields if strays * 4 <= lines else []


def labelled_fields(text: str, start: int, stop: int) -> Iterator[Field]:
    """Yield the labelled lines and vertical table rows between *start* and *stop*, and the tables with a head row."""
    region = text[start:stop]
    across = list(_head_row_tables(region))
    spans = [span for _, span in across]
    for label, value, begin, end in labelled_spans(region):
        if any(low <= begin < high for low, high in spans):
            continue
        line = region.rfind("\n", 0, begin) + 1
        if region[line:begin].lstrip().startswith("|"):
            yield Field(Place.TABLE, label, value, start + begin, start + end)
        else:
            whole, stop_at = _continued(region, value, begin, end, line)
            yield Field(Place.LINE, label, whole, start + begin, start + stop_at)
    for fields, _ in across:
        for label, value, begin in fields:
            yield Field(Place.TABLE, label, value, start + begin, start + begin + len(value))
    cells = list(_HTML_CELL.finditer(region))
    for label_cell, value_cell in zip(cells[::2], cells[1::2], strict=False):
        label = " ".join(_TAG.sub("", label_cell["cell"]).split())
        if is_known(label):
            value = " ".join(_TAG.sub("", value_cell["cell"]).split())
            yield Field(Place.TABLE, label, value, start + value_cell.start("cell"), start + value_cell.end("cell"))


def _continued(region: str, value: str, begin: int, end: int, line: int) -> tuple[str, int]:
    """Return a labelled value with the lines below it that are indented more than its own."""
    own = len(region[line:begin]) - len(region[line:begin].lstrip())
    at = end
    newline = region.find("\n", at)
    at = newline if newline >= 0 and not region[at:newline].strip(" \t\r*_|") else at
    for _ in range(_MORE):
        match = _INDENTED.match(region, at)
        if not match or len(match[0].lstrip("\r\n")) - len(match[0].strip()) <= own:
            break
        value, at = f"{value}\n{match[0].strip()}".lstrip("\n"), match.end()
        end = at
    return value, end


def _head_row_tables(region: str) -> Iterator[tuple[list[tuple[str, str, int]], tuple[int, int]]]:
    """Yield the fields and the span of each table whose first row has the keys and whose third their values."""
    rows = list(_ROW.finditer(region))
    for head, rule, row in zip(rows, rows[1:], rows[2:], strict=False):
        if not _RULE.match(rule["cells"]) or rule.start() - head.end() > 2 or row.start() - rule.end() > 2:
            continue
        labels = [cell[0].strip(_MARKS) for cell in _CELL.finditer(head["cells"])]
        values = list(_CELL.finditer(row["cells"]))
        if len(labels) < 2 or len(labels) != len(values) or not all(map(is_known, labels[:2])):
            continue
        offset = row.start("cells")
        cells = [
            (label, cell[0].strip(), offset + cell.start() + len(cell[0]) - len(cell[0].lstrip()))
            for label, cell in zip(labels, values, strict=True)
        ]
        yield cells, (head.start(), row.end())
