"""A file's text as shown to a model: markers for secrets and invisible characters, and their replacement.

Markers are numbered: a second secret of a kind is ``[redacted:kind 2]``, so an edited text with markers identifies the
bytes for each, wherever they were moved.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from autology.text import Patterns
from autology.text.language.plural import counted
from autology.text.redaction import secrets_in
from autology.text.sanitising import hidden

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_MARKER = r"\[(?:redacted|hidden):[^\[\]\r\n]{1,80}\]"
_patterns = Patterns()
REMEMBERED = 4_096
"""Texts without markers that are remembered, by their hash, 100 bytes each: a note is shown again and again."""
_unmarked: set[bytes] = set()


class Marked(NamedTuple):
    """The text with markers, the counts of secrets and hidden runs, and what each marker stands for."""

    text: str
    secrets: int
    hidden: int
    originals: Mapping[str, str]


class UnknownMarkerError(ValueError):
    """A text contains a marker that stands for nothing in the file; the message is that marker."""


def marked(text: str) -> Marked:
    """Return *text* with markers in place of its secrets and invisible characters."""
    key = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if key in _unmarked:
        return Marked(text, 0, 0, {})
    secrets = secrets_in(text)
    if not secrets and not hidden(text):
        if len(_unmarked) >= REMEMBERED:
            _unmarked.clear()
        _unmarked.add(key)
        return Marked(text, 0, 0, {})
    spans = [(finding.start, finding.stop, f"redacted:{finding.kind}") for finding in secrets]
    for start, stop in hidden(text):
        if not any(a <= start < b for a, b, _ in spans[: len(secrets)]):
            spans.append((start, stop, _named(text[start:stop])))
    literal = set(_patterns[_MARKER].findall(text))
    markers: dict[tuple[str, str], str] = {}
    parts: list[str] = []
    at = 0
    for start, stop, name in sorted(spans):
        if start < at:
            continue
        original = text[start:stop]
        marker = markers.get((name, original))
        if marker is None:
            marker = markers[name, original] = _free(name, literal.union(markers.values()))
        parts += [text[at:start], marker]
        at = stop
    parts.append(text[at:])
    originals = {marker: original for (_, original), marker in markers.items()}
    return Marked("".join(parts), len(secrets), len(spans) - len(secrets), originals)


def unmarked(content: str, was: str) -> tuple[str, tuple[str, ...]]:
    """Return *content* with its markers replaced by their text in *was*, new secrets redacted, and the kinds of those.

    Raises:
        UnknownMarkerError: it has a marker that stands for nothing in *was*, though others do.
    """
    originals: Mapping[str, str] = marked(was).originals
    literal = set(_patterns[_MARKER].findall(was))
    markers = set(originals.values())
    spans = []
    for match in _patterns[_MARKER].finditer(content):
        if match[0] in originals:
            spans.append((*match.span(), originals[match[0]]))
        elif originals and match[0] not in literal:
            raise UnknownMarkerError(match[0])
    kinds = []
    for finding in secrets_in(content):
        overlaps = any(start < finding.stop and finding.start < stop for start, stop, _ in spans)
        if overlaps or content[finding.start : finding.stop] in markers:
            continue
        spans.append((finding.start, finding.stop, f"[redacted:{finding.kind}]"))
        kinds.append(finding.kind)
    parts: list[str] = []
    at = 0
    for start, stop, put in sorted(spans):
        parts += [content[at:start], put]
        at = stop
    return "".join([*parts, content[at:]]), tuple(kinds)


def note_on(shown: Marked) -> str:
    """Return a note that explains the markers of *shown*; "" if there are none."""
    if not shown.originals:
        return ""
    secrets = counted(shown.secrets, "secret") if shown.secrets else ""
    hidden = f"{counted(shown.hidden, 'run')} of hidden characters" if shown.hidden else ""
    runs = " and ".join(filter(None, (secrets, hidden)))
    return (
        f"{runs} of the file are shown as markers in brackets: {', '.join(list(shown.originals)[:5])}. "
        "Keep the markers when you edit the text: the file keeps what they stand for."
    )


def _named(run: str) -> str:
    more = f" and {len(run) - 1} more" if len(run) > 1 else ""
    return f"hidden:U+{ord(run[0]):04X}{more}"


def _free(name: str, taken: set[str]) -> str:
    marker, number = f"[{name}]", 1
    while marker in taken:
        number += 1
        marker = f"[{name} {number}]"
    return marker
