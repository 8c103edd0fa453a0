"""The relation between two records, from the words between them.

A record supersedes another when it says so about the whole of it. The text between the verb and the name decides:
"supersedes ADR-15", "replaces our earlier decision in ADR 15" do; "supersedes some aspects of ADR-15", "supersedes the
caching part of ADR-15", "partially supersedes ADR-15" and "supersedes ADR-15 in part" do not: the older record is still
in force, and the two are merely related. "supersedes the value stored in ADR-6" is about a value; "ADR-17 supersedes
ADR-15", in a third record, about others; "may supersede ADR-15" is hypothetical.
"""

from __future__ import annotations

import re
from enum import StrEnum

from autology.text.adr.dates import DATE

REACH = 300
"""Characters before a record's name in which the relating words are searched."""
MOST_WORDS = 4
"""Words before a "superseded by" that still make it a note on the record: ``Accepted 2019, superseded by``."""


class LinkKind(StrEnum):
    """The relation of the record to the one it mentions."""

    SUPERSEDES = "supersedes"
    SUPERSEDED_BY = "superseded_by"
    AMENDS = "amends"
    AMENDED_BY = "amended_by"
    RELATES_TO = "relates_to"


_SUPERSEDED = r"super[sc]e+de?d"
# Between a passive verb and its "by": a date, an adverb, a bracket.
_ADVERB = r"(?:in|on|since|as of|and|now|entirely|completely|fully|wholly|largely)\b"
_BETWEEN = rf"(?:\W|{DATE}|{_ADVERB}|\d{{4}}\b){{0,12}}"
_VERB = re.compile(
    rf"(?<![\w-])(?:"
    rf"(?P<superseded_by>(?:{_SUPERSEDED}|replaced|overridden|obsoleted|deprecated){_BETWEEN}\bby\b"
    rf"|deprecated\W+in\W+favou?r\W+of\b|{_SUPERSEDED}\W{{0,4}}(?:see\b|:|→|->|\())"
    rf"|(?P<amended_by>(?:amended|modified|updated|extended|clarified|refined){_BETWEEN}\bby\b)"
    rf"|(?P<supersedes>super[sc]e+de?(?:s|d)?|super[sc]e+ding|obsoletes?)"
    rf"|(?P<amends>amends?|amending)"
    rf"|(?P<replaces>replaces?|replacing|overrides?)"
    rf"|(?P<changes>modifies|updates|extends|clarifies|refines)"
    rf")(?!\w)",
    re.IGNORECASE,
)
STEM = re.compile(r"super[sc]|replac|obsolet|overrid|deprecat|amend|modif|updat|exten|clarif|refin", re.IGNORECASE)
"""Where a verb that relates two records can begin: without one before it, a name is merely mentioned."""
_OTHER_VERBS = {"replaces": LinkKind.SUPERSEDES, "changes": LinkKind.AMENDS}
"""Verbs that count only with another subject than the rest."""
# What may stand between the verb and the record's name.
_FILLER = re.compile(
    r"(?:[^\w]|\b(?:the|our|all|both|of|in|by|see|following|earlier|previous|prior|old|older|existing"
    r"|original|new|newer|later"
    r"|entirely|completely|fully|wholly|decisions?|records?|architectur(?:e|al)|adrs?|rfcs?|oteps?|proposals?"
    r"|documents?|number|no)\b"
    rf"|{DATE})*\Z",
    re.IGNORECASE,
)
# Before the verb: only a part, or not (yet) true.
_QUALIFIED = re.compile(
    r"(?:\b(?:not|never|without|rather than|instead of"
    r"|may|might|could|would|should|cannot|can|if|unless|until|when|once|whether|eventually"
    r"|partial(?:ly)?|partly|in part|parts? of|some of|aspects? of|sections? of|will be|to be|proposes? to"
    r"|plans? to|planned to|wants? to)|n[’']t)\b(?:\W+\w+){0,2}\W*\Z",
    re.IGNORECASE,
)
_PART_OF_IT = re.compile(
    r"[\])*_`\"]*(?:[’']s?\s+[\w*_`\"]"
    r"|,?[\s*_`(]{0,4}(?:§|(?:(?:decision|section|clause|item|point|paragraph|batch|phase|rule|step|article|option"
    r"|requirement)s?[ -]){1,2}(?:§|\d|(?-i:[A-Z])\b))"
    r"|\W{1,3}(?:in part|partially|partly|only|regarding|concerning"
    r"|with (?:respect|regard)s? to|insofar|in so far|as far as|when it comes to|for the)\b"
    r"|[^.;:,()\n]{1,60}\bplaceholder\b)",
    re.IGNORECASE,
)
"""After the name: only a part of it, or something that had its number before."""
_AUXILIARY = (
    r"(?:is|was|are|were|has|have|had|been|being|gets?|got|now|then|also|thus|completely|entirely|fully"
    r"|wholly"
    r"|thereby|hereby|therefore|formally|later|subsequently|explicitly|effectively|essentially|simply|will)"
)
_AUXILIARIES = re.compile(rf"(?:\W|\b{_AUXILIARY}\b)*\Z", re.IGNORECASE)
_TRAILING_AUXILIARY = re.compile(rf"(?<!\w){_AUXILIARY}\W+\Z", re.IGNORECASE)
_OTHERS = re.compile(rf"[\s,]*+(?:(?:which|that|who)\b)?(?:\s|\b{_AUXILIARY}\b)*\Z", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:which|that|who)\s*\Z", re.IGNORECASE)
_THIS = re.compile(r"\b(?:this(?:\s+\w+){0,3}|we|here)\W*\Z", re.IGNORECASE)
# A clause of its own: after a status, a mark, an "and".
_CLAUSE = re.compile(
    r"(?:\b(?:status|accepted|approved|adopted|decided|proposed|rejected|deprecated|and|but|note)\b"
    r"|[|:;,.(–—/\d])\W*\Z",
    re.IGNORECASE,
)
_IT = re.compile(r"\bit\s*\Z", re.IGNORECASE)
_AND = re.compile(r"[\s,;&/]*(?:(?:and|or|as well as|both|plus|then)\b)?[\s,]*(?:the\s+)?\Z", re.IGNORECASE)
_BY_THIS = re.compile(
    rf"[\])*_`\"]*\s+(?:{_AUXILIARY}\s+){{0,4}}(?:{_SUPERSEDED}|replaced|obsoleted)\s+by\s+this\b",
    re.IGNORECASE,
)
REPLACES_THIS = re.compile(
    rf"[\])*_`\"]*\s+(?:{_AUXILIARY}\s+){{0,4}}(?:super[sc]e+de?[sd]|replace[sd]|obsolete[sd])\s+"
    r"(?:(?:all|the (?:whole|contents?|text)) of\s+)?this\s+"
    r"(?:proposal|record|decision|document|adr|rfc|spec(?:ification)?|design)\b",
    re.IGNORECASE,
)
"""What follows another record's name where the text says that it replaces this one."""
_HEADING = re.compile(
    r"\W*(?:(?P<by>(?:superseded|replaced|amended)\s+by)|(?P<verb>supersedes|replaces|amends))\W*\Z",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(r":[\s*_]*\Z")


def kind_of(before: str, after: str, *, first: bool, others: bool) -> LinkKind:
    """Return the relation to the record mentioned between *before* and *after*.

    *before* starts where the sentence does (*first*) or after the previous record it mentions; *others* says whether
    that previous record is not the one that contains the text.
    """
    if _BY_THIS.match(after):
        return LinkKind.SUPERSEDES
    if REPLACES_THIS.match(after):
        return LinkKind.SUPERSEDED_BY
    verb = _last_verb(before)
    if verb is None or _PART_OF_IT.match(after) or not _FILLER.match(before, verb.end()):
        return LinkKind.RELATES_TO
    subject = before[: verb.start()]
    if (
        _QUALIFIED.search(subject[-80:])
        or _RELATIVE.search(subject)
        or (not first and others and _OTHERS.match(subject))
    ):
        return LinkKind.RELATES_TO
    group = verb.lastgroup or ""
    # "supersedes" before a record's name is about records; the other verbs need this record as their subject.
    if group == "supersedes" and not verb[0].lower().endswith("d"):
        return LinkKind.SUPERSEDES
    if not _is_this(subject, group):
        return LinkKind.RELATES_TO
    return _OTHER_VERBS.get(group) or LinkKind(group)


def is_in_part(after: str) -> bool:
    """Whether the words *after* a record's name say that only a part of it is meant."""
    return _PART_OF_IT.match(after) is not None


def continues(between: str) -> bool:
    """Whether the text *between* two names only lists them: a comma, an "and"."""
    return len(between) <= REACH and bool(_AND.match(between))


def kind_of_heading(title: str) -> LinkKind | None:
    """Return the relation of the records listed under a heading of *title*, if it names one: ``Supersedes``."""
    match = _HEADING.match(title)
    if not match:
        return None
    word = (match["by"] or match["verb"]).lower()
    if match["by"]:
        return LinkKind.AMENDED_BY if word.startswith("amended") else LinkKind.SUPERSEDED_BY
    return LinkKind.AMENDS if word == "amends" else LinkKind.SUPERSEDES


def kind_of_lead_in(sentence: str) -> LinkKind | None:
    """Return the relation of the records in the list after *sentence*, if it names one: ``This supersedes:``."""
    if not _LEAD_IN.search(sentence):
        return None
    kind = kind_of(sentence, "", first=True, others=False)
    return None if kind is LinkKind.RELATES_TO else kind


def _last_verb(before: str) -> re.Match[str] | None:
    return max(_VERB.finditer(before), key=lambda verb: verb.start(), default=None)


def _is_this(subject: str, verb: str) -> bool:
    """Whether the *subject* of a verb of the group *verb* is the record that contains the text."""
    bare = subject
    for _ in range(4):
        bare = _TRAILING_AUXILIARY.sub("", bare)
    if _THIS.search(bare):
        return True
    if verb == "supersedes":
        return bool(_IT.search(bare))
    if _AUXILIARIES.match(subject):
        return True
    if verb.endswith("_by"):
        return bool(_CLAUSE.search(bare)) and len(bare.split()) <= MOST_WORDS
    return bool(_CLAUSE.search(bare) or _IT.search(bare))
