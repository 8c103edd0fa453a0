"""Private keys: armoured, complete or truncated, with any line prefixes; and without armour."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets import Secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


KIND = "private-key"
_LONGEST = 20_000
"""Characters of the longest private key: RSA of 16,384 bits has 13,000."""
_SHORTEST_LINE = 40
"""Minimum characters of base64 in a line of a key, except its last: PEM has 64 or 70, some tools write 48."""
_EXPRESSIONS = {
    "armour": r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    "close": r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    "letters": r"[A-Za-z0-9+/=]{16}",
    "newline": r"\r?\n|(?:\\{1,4}r)?\\{1,4}n",
    "run": r"[A-Za-z0-9+/]{1,20000}+={0,3}",
    # What else armour holds: Proc-Type: 4,ENCRYPTED, DEK-Info: AES-128-CBC,…, Comment: …
    "head": r"\b(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset)\b",
    "word": r"[A-Za-z]{2,}",
    "lines": r"private-lines:[ \t]{0,3}(\d{1,4})\r?\n",
}
_PATTERNS = Patterns(_EXPRESSIONS)


def armoured(text: str, low: str) -> Iterator[Secret]:
    """Yield the private keys in *text* by their armour; a truncated one extends as far as its lines do."""
    at = text.find("-----BEGIN ")
    end = 0  # of the armour: looked up once for all headers before it
    while at >= 0:
        head = _PATTERNS["armour"].match(text, at)
        stop = head.end() if head else at + 11
        # The marker lines alone occur in programs that parse keys.
        close = text.find("-----", stop, stop + 400) if head else -1
        if head and _PATTERNS["letters"].search(text, stop, close if close >= 0 else stop + 400):
            if 0 <= end < stop:
                end = text.find("-----END ", stop)
            stop = _end(text, stop, end)
            yield (KIND, at, stop)
        at = text.find("-----BEGIN ", stop)
    yield from _without_header(text)
    if "private-lines:" in low:
        stop = 0
        for match in _PATTERNS["lines"].finditer(low):
            if match.start() >= stop:
                lines = text[match.end() : match.end() + _LONGEST].split("\n", int(match[1]))[: int(match[1])]
                stop = match.end() + len("\n".join(lines))
                yield (KIND, match.end(), stop)


def _end(text: str, start: int, end: int) -> int:
    """Return the end of the key whose header ends at *start*; the next footer of any armour is at *end*."""
    footer = _PATTERNS["close"].match(text, end) if 0 <= end - start < _LONGEST else None
    if footer and text.find("-----BEGIN ", start, end) < 0:
        return footer.end()
    return continued(text, start)


def continued(text: str, start: int) -> int:
    """Return the end of the last line of a key that continues at *start*."""
    stop, limit = start, min(len(text), start + _LONGEST)
    at = start
    while at < limit:
        newline = _PATTERNS["newline"].search(text, at, limit)
        end = newline.start() if newline else limit
        after = newline.end() if newline else limit
        line = text[at:end]
        if (run := _run(line)) and len(run) >= _SHORTEST_LINE:
            stop = at + line.rindex(run) + len(run)
        elif run and stop > start and _last(line, run):
            return at + line.rindex(run) + len(run)
        elif not _passes(line) and at > start:
            return stop
        at = after
    return stop


def _without_header(text: str) -> Iterator[Secret]:
    """Yield the keys whose header is missing: the lines of base64 above a footer."""
    at = text.find("-----END ")
    done = 0
    while at >= 0:
        close = _PATTERNS["close"].match(text, at)
        if close and "-----BEGIN " not in text[max(done, at - _LONGEST) : at]:
            start = _first_line(text, max(done, at - _LONGEST), at)
            if start < at:
                yield (KIND, start, close.end())
        done = at + 9
        at = text.find("-----END ", done)


def _first_line(text: str, least: int, stop: int) -> int:
    lines = text[least:stop].split("\n")
    start = at = stop - len(lines[-1])
    for line in reversed(lines[:-1]):
        at -= len(line) + 1
        run = _run(line)
        if run and (len(run) >= _SHORTEST_LINE or (start == stop - len(lines[-1]) and _last(line, run))):
            start = at + line.rindex(run)
        else:
            break
    return start if start < stop - len(lines[-1]) else stop


def _run(line: str) -> str:
    """Return the longest run of base64 in *line*."""
    return max(_PATTERNS["run"].findall(line), key=len, default="")


def _last(line: str, run: str) -> bool:
    """Whether *line* may be the last line of a key: *run*, with at most the prefix and suffix of every line."""
    rest = line.replace(run, "", 1)
    return (
        len(run) >= 4
        and len(rest) <= 40
        and not _PATTERNS["word"].search(rest)
        and (run.endswith("=") or not run.isalpha() or len(run) >= 16)
    )


def _passes(line: str) -> bool:
    """Whether *line* may be between the lines of a key: empty except for bars and numbers, or one of its headers."""
    return len(line) <= 60 and (not _PATTERNS["word"].search(line) or _PATTERNS["head"].search(line) is not None)
