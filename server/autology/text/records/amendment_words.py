"""What a record says of changes between it and another one that replace neither: ``Amended by ADR-9``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from autology.model.relation_words import ACTIVE, IN_PART, IN_PART_BY, PASSIVE
from autology.text.adr.link_kinds import LinkKind
from autology.text.adr.links import RecordLink, find_links
from autology.text.markdown.sections import ParsedText
from autology.text.records.mentions import NO_FRONT, definitions_in, linked_paragraphs

_STEMS = {"amend": "amends", "exten": "extends", "updat": "updates", "clarif": "clarifies", "refin": "refines"}
_STEMS |= {"modif": "modifies"}
_BY = {active: passive for passive, active in PASSIVE.items()}
_CHANGING = re.compile(rf"\b({'|'.join(_STEMS)})\w*", re.IGNORECASE)
_PARTLY = r"(?:in part|partly|partially)"
_REPLACED = r"(?:super[sc]e+ded|replaced|obsoleted)"
_REPLACES = r"(?:super[sc]e+des|replaces|obsoletes)"
_PARAGRAPH = re.compile(rf"{_CHANGING.pattern}|\b{_PARTLY}\b|\bparts? of\b", re.IGNORECASE)
# Only of the record itself: "ADR-7 partly replaces ADR-3", in a third record, is about others.
_ITSELF = (
    r"\W*(?:(?:status|accepted|this|it|we|(?:adr|rfc|record|decision|proposal|document)\b|also|and|now|thus|therefore"
    r"|is|was|has|been)\W+)*"
)
_IN_PART = (
    (re.compile(rf"{_ITSELF}{_PARTLY}\s+{_REPLACES}\b", re.IGNORECASE), IN_PART),
    (re.compile(rf"{_ITSELF}{_REPLACES}\s+(?:{_PARTLY}|(?:a )?parts?\s+of)\b", re.IGNORECASE), IN_PART),
    (re.compile(rf"{_ITSELF}{_REPLACES}\s+.{{1,200}}\b{_PARTLY}\W*\Z", re.IGNORECASE), IN_PART),
    (re.compile(rf"{_ITSELF}{_PARTLY}\s+{_REPLACED}\s+by\b", re.IGNORECASE), IN_PART_BY),
    (re.compile(rf"{_ITSELF}{_REPLACED}\s+{_PARTLY}\s+by\b", re.IGNORECASE), IN_PART_BY),
    (re.compile(rf"{_ITSELF}{_REPLACED}\s+by\s+.{{1,200}}\b{_PARTLY}\W*\Z", re.IGNORECASE), IN_PART_BY),
)


@dataclass(frozen=True, slots=True)
class Change:
    """The *wording* of a change, and the other record: a link's target or ``#<number>``."""

    wording: str
    target: str


def changes(text: str, prefixes: frozenset[str], number: int | None) -> Iterator[Change]:
    """Yield what *text*, of the record with that *number*, says of changes that replace no record as a whole."""
    for paragraph in linked_paragraphs(text, prefixes, _PARAGRAPH):
        shown = f"{paragraph}\n\n{definitions_in(text)}"
        links = find_links(ParsedText.of(shown), "", number, NO_FRONT)
        sentences = Counter(link.text for link in links)
        for link in links:
            if wording := _wording(link, is_alone=sentences[link.text] == 1):
                yield Change(wording, link.target)


def wording_of_label(label: str) -> str:
    """Return the wording that the *label* of a field is, in lower case; "" if it is none."""
    return label if label in ACTIVE or label in PASSIVE else ""


def _wording(link: RecordLink, *, is_alone: bool) -> str:
    if link.kind in (LinkKind.AMENDS, LinkKind.AMENDED_BY):
        verbs = {_STEMS[match[1].lower()] for match in _CHANGING.finditer(link.text)}
        verb = verbs.pop() if len(verbs) == 1 else ""
        return _BY[verb] if verb and link.kind == LinkKind.AMENDED_BY else verb
    if link.kind == LinkKind.RELATES_TO and is_alone:
        return next((wording for pattern, wording in _IN_PART if pattern.match(link.text)), "")
    return ""
