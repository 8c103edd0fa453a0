"""Which texts beside a collection's records are records, too: by its numbering, its form, or a second form."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from autology.core.records.collection import Texts
from autology.core.records.grouping import FEWEST, Candidate, FormedGroup, hint, is_named_for_records, outlined
from autology.core.records.record_likeness import ENOUGH, LITTLE, Evidence, weigh
from autology.text.records.file_names import parsed

MOST_NUMBERED = 0.5
"""Share of the siblings that must be numbered for a number to be enough."""
SHARED_TRAITS = 0.4
"""Share of the collection's own traits that an unnumbered text needs to be one of its records."""
MOST_FORMED = 0.6
"""Share of the texts with the form from which the others in a folder that is named for records are records, too. With
it, and with the folders inside such a one, 46 more of 1,093 records in 59 repositories come in, and one other text."""
SECOND_FORM = 0.5
"""Shared traits (Jaccard) of two texts of a second form: policies among specifications share 0.5 to 1."""
SURE = 4.5
"""Points of a text that in a folder named for records is one even if its form is its own: sections of three kinds."""
_GUIDE = re.compile(
    r"(?:\A|[-_. ])(?:agenda|faq|glossary|guid(?:e|es|eline|elines)|how[-_ ]to|index|introduction|list|notes|overview"
    r"|process|questions|review|roadmap|status|style|summary|workflow)(?:\Z|[-_. ])"
)
"""Names of texts about the collection, or for those who write its records."""
FEWEST_TRAITS = 3
"""Traits of a form from which texts that have them are written by a template."""


@dataclass(frozen=True, slots=True)
class _Form:
    """What the texts of a collection have in common: the *shared* traits, and the points that are *enough*."""

    shared: frozenset[str]
    enough: float
    stating: bool

    def has(self, evidence: Evidence) -> bool:
        own = len(evidence.traits & self.shared) >= SHARED_TRAITS * len(self.shared) if self.shared else True
        return own and evidence.points >= (ENOUGH if self.stating and not evidence.has_status else self.enough)


def membership(group: FormedGroup, texts: Texts) -> Callable[[Candidate], bool]:
    """Return the test for being a record of *group*: its numbering is enough if most have one, else its form.

    A text whose head is not enough is read as a whole: a long introduction hides the sections that it shares.
    """
    live = [candidate for candidate in group.candidates if not candidate.left_out]
    numbered = sum(candidate.numbered for candidate in live)
    by_number = numbered >= MOST_NUMBERED * len(live) and numbered > 1
    stating = sum(candidate.evidence.has_status for candidate in live) >= MOST_NUMBERED * len(live)
    named = bool(hint(group.folder))
    enough = ENOUGH - 1 if named or stating else ENOUGH
    form = _Form(_shared(candidate.evidence for candidate in live), enough, stating)

    @lru_cache(maxsize=1)
    def read_whole() -> tuple[Mapping[str, Evidence], _Form]:
        whole = _whole(live, texts)
        return whole, _Form(_shared(whole.values()), enough, stating)

    formed = sum(form.has(candidate.evidence) for candidate in live)
    of_records = (
        {group.folder, *(one.unit.folder for one in live)}
        if formed >= MOST_FORMED * len(live) and formed > FEWEST
        else ()
    )

    def by_folder(candidate: Candidate) -> bool:
        """Whether a text lies in a folder that is named for records, most of which have the form and no number."""
        unit = candidate.unit
        return (
            not (by_number or unit.is_folder)
            and unit.folder in of_records
            and (is_named_for_records(unit.folder) or (group.for_records and unit.folder != ""))
            and not _GUIDE.search(unit.stem.lower())
        )

    def is_record(candidate: Candidate) -> bool:
        if group.wanted:
            return True
        if candidate.numbered and by_number:
            return candidate.evidence.points > LITTLE
        if form.has(candidate.evidence):
            return True
        if by_folder(candidate):
            return candidate.evidence.points > LITTLE
        return not by_number and _by_whole_text(candidate, *read_whole(), named=named)

    return is_record


def _by_whole_text(candidate: Candidate, whole: Mapping[str, Evidence], form: _Form, *, named: bool) -> bool:
    """Whether a text is a record by all of its sections: those of the collection, or of a second template."""
    evidence = whole.get(candidate.unit.path)
    if evidence is None:
        return False
    if form.has(evidence):
        return True
    if form.stating or evidence.points < form.enough:
        return False
    return (named and evidence.points >= SURE) or _has_siblings(evidence, whole.values())


def _shared(evidence: Iterable[Evidence]) -> frozenset[str]:
    """Return the traits that most texts share."""
    every = list(evidence)
    traits: Counter[str] = Counter()
    for one in every:
        traits.update(one.traits)
    return frozenset(trait for trait, count in traits.items() if count >= MOST_NUMBERED * len(every))


def _whole(candidates: Sequence[Candidate], texts: Texts) -> Mapping[str, Evidence]:
    """Return the evidence in the whole texts of *candidates*, by path."""
    results: dict[str, Evidence] = {}
    for candidate in candidates:
        text = texts.text(candidate.unit.path)
        if text is not None:
            outline = outlined(text, candidate.unit, texts)
            results[candidate.unit.path] = weigh(outline, parsed(candidate.unit.stem).number, text)
    return results


def _has_siblings(evidence: Evidence, others: Iterable[Evidence]) -> bool:
    """Whether enough texts, this one included, have the form of *evidence*: they are written by one template."""
    own = evidence.traits
    if len(own) < FEWEST_TRAITS:
        return False
    alike = (one for one in others if len(own & one.traits) >= SECOND_FORM * len(own | one.traits))
    return len(list(islice(alike, FEWEST))) == FEWEST
