"""How much a text looks like a record: points for what it states about itself and for its sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from autology.text.adr.sections import parts_named, section_name
from autology.text.adr.statuses import lines, standing
from autology.text.records.field_labels import EVIDENCE, key_of, normal
from autology.text.records.outline import Outline, Place

_STRONG = re.compile(
    r"(?:unresolved|open|unanswered|outstanding) (?:questions?|issues?)|drawbacks?|prior art|(?:guide"
    r"|reference)[- ]level(?: .*)?"
    r"|detailed design|(?:\w+ )?alternatives(?: .*)?|considered options|decision(?:s| drivers| outcome)?|non[- ]goals?"
    r"|goals? (?:and|&|/) non[- ]goals?|(?:backwards?|forwards?|source|abi|binary)[- ]compatibility.*|effect on .*"
    r"|rationale(?: and .*| & .*)?|implementation (?:history|plan)|graduation criteria|proposed \w+(?: .*)?"
    r"|problem description|risks and mitigations?|reference implementation|rejected (?:ideas|alternatives).*"
    r"|how to teach this|how we teach this|design rationale|user stories|future (?:possibilities|work|directions?)"
    r"|consequences?|path to active|acceptance criteria|test plan|security (?:implications|considerations)"
    r"|prerequisites? (?:and|for) .*|positive consequences|costs?(?: and drawbacks)?|effects? and interactions"
)
_WEAK = re.compile(
    r"abstract|(?:simple |executive )?summary|goals?|proposal|specification|design|implementation|background"
    r"|copyright|compatibility|scope|test cases|problem(?: statement)?|context(?: and problem statement)?|stakeholders"
    r"|motivations?(?: .*)?|solution|use cases|explanation|(?:primary )?assignees?|milestones|work items|dependencies"
    r"|deciders|[\w ]+ impact|impact on .*"
)
_MEETING = re.compile(
    r"attendees|attendance|present|agenda|minutes|action items|participants|invited|links$|previous meeting"
    r"|q&a.*|apologies"
)
_CHANGELOG = re.compile(
    r"(?:version )?v?\d+\.\d+(?:\.\d+)?\S*(?: .*)?|unreleased|bug ?fixes|fixed|added|new features|breaking"
    r" changes|(?:minor|patch|major) changes"
)
_KINDS = ("type", "kind", "doc type", "document type", "content type", "typ", "dokumenttyp")
_OTHER_KIND = re.compile(
    r"(?:status |project |research |incident )?reports?|journals?|logs?|logbook|diary|guides?|how[- ]?to|tutorials?"
    r"|references?|manual|handbook|(?:meeting )?notes?|meetings?|minutes|road ?map|tasks?|to-?do|check ?list|playbook"
    r"|run ?book|blog|(?:blog )?posts?|articles?|news|pages?|research|faq|glossary|index|overview|change ?log"
    r"|release notes?|explanation|documentation|docs?|post-?mortem|retrospective"
    r"|berichte?|anleitung(?:en)?|handbuch|protokolle?|notiz(?:en)?|tagebuch|aufgaben?"
    r"|rapports?|guide d.*|informes?|guías?"
)
"""The kinds of text that are neither decisions nor proposals, as a text names its own."""
_LIFE_OF_A_PAGE = re.compile(
    r"[\W_]*(?:active|archived?|closed|completed?|done|draft|final(?:i[sz]ed)?|finished|in[ _-]progress|ongoing|open"
    r"|outdated|planned|published|reviewed|to-?do|up[ _-]to[ _-]date|wip)[\W_]*",
    re.IGNORECASE,
)
"""Statuses that any document may have: they do not speak of a decision."""
_POST_KEYS = frozenset(
    "layout slug permalink categories category sidebar position sidebar label weight hide table of contents".split()
)
_INSTALMENT = re.compile(
    r"[\W_]*(?:chapter|day|epic|exercise|lab|lesson|milestone|module|part|phase|sprint|stage|step|story|task|tutorial"
    r"|unit|week)[ #-]{1,2}\d",
    re.IGNORECASE,
)
"""The title of a part of a course, a series of posts, or a plan."""
_SELF = re.compile(
    r"\b(?:this|the present) (?:(?:adr|cfp|cip|eep|eip|jep|kep|nep|otep|pep|rep|rfc|rfd|tep)"
    r"|(?:design |enhancement )?proposal|decision record)(?![\w-])",
    re.IGNORECASE,
)
"""What a record calls itself in its text: ``This RFC proposes …``."""
STATUS, PAGE_STATUS, KEY, STRONG, WEAK, TITLE, SELF = 2.0, 0.5, 0.5, 1.5, 0.5, 1.5, 1.5
MOST_KEYS, MOST_SECTIONS = 2.0, 5.0
PENALTY = 4.0
ENOUGH, ENOUGH_NUMBERED, ENOUGH_HINTED = 3.0, 2.0, 1.0
"""Points of a record: by its text alone; with a number in its name; in a folder named for records as well."""
LITTLE = -2.0
"""Points below which a text is something else, even in a series of records: a page of a site loses up to two."""
FEW_WORDS = 4
_PLURAL = re.compile(r"\(s\)(?!\w)")
_MENTION = re.compile(r"[\W_]*([a-z]{2,12})[\s_#-]{0,2}0*(\d{1,6})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The *points* of a text, whether it states a status, and what it shares with siblings."""

    points: float
    has_status: bool
    traits: frozenset[str]


def weigh(outline: Outline, number: int | None, text: str) -> Evidence:
    """Return the evidence for a text's being a record, in its *outline* and its beginning at least; *number* is the
    one in its name."""
    keys: set[str] = set()
    traits: set[str] = set()
    has_status = is_other_kind = False
    status_points = 0.0
    post = 0
    for field in outline.fields:
        key = key_of(field.label)
        label = normal(field.label)
        if key:
            traits.add(f"{field.place.value}:{label}")
        if key == "status" and _states(field.value, field.place):
            has_status = True
            status_points = max(status_points, PAGE_STATUS if _LIFE_OF_A_PAGE.fullmatch(field.value) else STATUS)
        elif key in EVIDENCE and key != "status" and field.place is not Place.SECTION:
            keys.add(key)
        elif label in ("feature name", "number", "id") or (
            label.isalpha() and len(label) <= FEW_WORDS and _is_number(field.value, number)
        ):
            keys.add("number")
        if label in _KINDS and field.place is not Place.SECTION:
            is_other_kind |= bool(_OTHER_KIND.fullmatch(field.value.strip().lower()))
        post += field.place is Place.FRONTMATTER and label in _POST_KEYS
    worths = [(_worth(heading.title), heading.title) for heading in outline.headings]
    sections = sum(max(worth, 0.0) for worth, _ in worths)
    against = sum(worth < 0 for worth, _ in worths)
    traits |= {f"section:{section_name(title)}" for worth, title in worths if worth > 0}
    points = min(len(keys) * KEY, MOST_KEYS) + min(sections, MOST_SECTIONS) + status_points
    points += _of_title(_titles(outline), number)
    points += SELF * bool(_SELF.search(text))
    if against >= 2 and against * STRONG > sections:
        points -= PENALTY
    if is_other_kind:
        points -= PENALTY + status_points
    if post and not has_status:
        points -= post
    return Evidence(points, has_status, frozenset(traits))


def _titles(outline: Outline) -> list[str]:
    """Return what may be a record's title: a field, the first heading."""
    fields = [field.value for field in outline.fields if key_of(field.label) == "title"]
    return fields[:1] + [heading.title for heading in outline.headings[:1]]


def _of_title(titles: Sequence[str], number: int | None) -> float:
    """Return the points of a title that begins with a name and the *number* of the file; negative for ``Part 3``."""
    if any(map(_INSTALMENT.match, titles)):
        return -PENALTY
    firsts = map(_MENTION.match, titles)
    return TITLE * (number is not None and any(int(first[2]) == number for first in firsts if first))


def _states(value: str, place: Place) -> bool:
    """Whether *value* states a status: a known word, or another short one."""
    stands = standing(lines(value) if place is Place.SECTION else [value[:500]])
    return stands is not None and (stands.status is not None or len(stands.words.split()) <= FEW_WORDS)


def _is_number(value: str, number: int | None) -> bool:
    digits = re.fullmatch(r"\D{0,8}?0*(\d{1,6})", value.strip())
    return digits is not None and (number is None or int(digits[1]) == number)


@lru_cache(maxsize=16_384)
def _worth(title: str) -> float:
    """Return the points of a section; negative for those of minutes and changelogs."""
    name = _PLURAL.sub("s", section_name(title))
    if _MEETING.fullmatch(name) or _CHANGELOG.fullmatch(name):
        return -1.0
    if _STRONG.fullmatch(name):
        return STRONG
    if _WEAK.fullmatch(name):
        return 1.0 if name.startswith("motivation") else WEAK
    parts = parts_named(name, is_title=True)
    return STRONG if parts & {"Decision", "Consequences", "Alternatives"} else WEAK if parts else 0.0
