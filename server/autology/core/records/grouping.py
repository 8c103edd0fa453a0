"""Which groups of siblings are collections of records, and which of them belong together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autology.core.records.collection import Correction, LeftOut, Reason, Texts, cached
from autology.core.records.record_likeness import ENOUGH, ENOUGH_HINTED, ENOUGH_NUMBERED, LITTLE, Evidence, weigh
from autology.core.records.units import Group, Unit, is_template
from autology.text.adr.statuses import standing
from autology.text.records import reading
from autology.text.records.blocks import yaml_fields
from autology.text.records.field_labels import key_of
from autology.text.records.file_names import Name, parsed, prefix_of, shared_prefixes
from autology.text.records.outline import Outline, Place, form_of

HEAD = 6_000
"""Bytes read to recognise a record: header and first sections of 97 % of the records in the sampled collections."""
SAMPLE = 5
"""Heads read first of a group that its folder's name does not recommend."""
FEWEST = 3
"""Siblings that make a collection; one is enough in a folder named for decisions."""
MOST = 0.5
"""Share of siblings that must have the form."""
SOME = 0.2
"""Share of a sample from which all are read."""
TOGETHER = 0.6
"""Share of all texts below a folder that must have the form for its groups to be one collection."""
ALIKE = 0.2
"""Shared traits (Jaccard) of two groups of one collection."""
_DECISIONS = frozenset(
    "adr adrs madr decision decisions decision-record decision-records decision-log decisionlog architecture-decisions"
    " architecture-decision-records architectural-decisions design-decisions decisiones decisões"
    " entscheidungen décisions"
    " решения 决策 決定".split()
)
_PROPOSALS = frozenset(
    "rfc rfcs rfd rfds proposal proposals enhancement enhancements improvement-proposals keps teps peps neps eips bips"
    " jeps meps cips oteps specs design designs design-docs design-doc design-proposals propositions vorschläge text"
    " propuestas propostas предложения 提案".split()
)
_PARTS_OF_A_PLAN = frozenset("epic lesson milestone phase sprint stage step story task ticket week".split())
"""What is numbered in plans and courses."""
_VAGUE = ("text", "design", "designs", "specs")
"""Names of folders that hold records, but not of a collection of one."""
_PURPOSE = re.compile(
    r"(?<![\w-])(?:rfcs?|rfds?|adrs|requests? for (?:comments?|discussion)|(?:decision|design) records"
    r"|design doc(?:ument)?s"
    r"|(?:(?:enhancement|improvement)[ -])?proposals|(?:architectur(?:e|al)|design) decisions)(?![\w-])",
    re.IGNORECASE,
)
"""What the title of a README calls a repository that is for records."""
SERIES = 0.8
"""Share of numbered texts from which a folder of a repository for records holds records, whatever their form: chosen,
folders that had been missed for their form have 0.94 to 1."""
_CHOICES = re.compile(r"\w+(?: \w+)?\s*[|/,]\s*\w+(?: \w+)?\s*[|/,]\s*\w+")
_MOVED = re.compile(
    r"\b(?:moved (?:to|into|here)|ha(?:s|ve) been (?:moved|renamed|merged)|relocated|redirect"
    r"|now (?:lives|maintained))",
    re.IGNORECASE,
)
_FILLED_IN = re.compile(r"<[^<>]*(?i:title)[^<>]*>\W*\Z|\{[^{}]*\}\W*\Z|\[[^\[\]]*(?i:\btitle\b)[^\[\]]*\]\W*\Z")
_PLACEHOLDER = re.compile(
    r"[\W_]*(?:(?:[A-Za-z]+[-_ #]{0,2})?(?:N{2,}|X{2,}|0{3,}|NUMBER|<[^<>]*>)[\s:.–-]*(?:<.*>|\{.*\}|\[.*\]"
    r"|[\w ]*(?i:title)[\w ]*)?"
    r"|<.*>|\{.*\}|\[.*\btitle\b.*\]|(?i:(?:(?:your|short|the|proposal|feature|record|rfc|adr) )*title(?:"
    r" here| of .*)?)"
    r"|.*\b[Tt]emplate|(?i:placeholder(?: (?:spec|rfc|adr|kep|proposal|record|decision|document|file|text))?))\W*\Z"
)
_COPIED = re.compile(r"[\W_]*[A-Za-z]+[-_ #]{0,2}0*(\d+)\W+template\W*\Z", re.IGNORECASE)
"""The title of a template with its own number, which authors forget to change: ``CFP-003: Template``."""
_VARIABLE = re.compile(r"\{\{[^{}\n]+\}\}|\{[A-Z][A-Z0-9_]{2,}\}|<%.*%>|\$\{\w+\}|%[A-Z][A-Z_]{2,}%|__[A-Z][A-Z_]+__")
"""What a generator fills in: nobody writes that as the date or state of a record."""
_FILLED = ("status", "date", "decided", "updated")
SHORTEST = 500
"""Characters of a text below which a notice that it moved is all that it says."""


@dataclass(slots=True)
class Candidate:
    """A unit with the outline of its head and what that shows."""

    unit: Unit
    outline: Outline
    evidence: Evidence
    numbered: bool
    left_out: Reason | None = None


@dataclass(slots=True)
class FormedGroup:
    """A collection's *candidates* below *folder*, with what was left out and what explains it."""

    folder: str
    candidates: list[Candidate] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    guides: list[str] = field(default_factory=list)
    traits: frozenset[str] = frozenset()
    wanted: bool = False
    """Whether the configuration adopts all of it."""
    for_records: bool = False
    """Whether the project is one for records."""


def collections(groups: Mapping[str, Group], texts: Texts, corrections: Sequence[Correction]) -> list[FormedGroup]:
    """Return the collections among *groups*, by folder."""
    switches = {one.folder: one.adopt for one in corrections if one.adopt is not None}
    for_records = _is_for_records(groups.get(""), texts)
    accepted: list[FormedGroup] = []
    fragments: list[FormedGroup] = []
    totals: dict[str, int] = {}
    for folder, group in sorted(groups.items()):
        totals[folder] = len(group.units)
        wanted = _switch(folder, switches)
        if not group.units or wanted is False:
            continue
        candidates = _looked_at(group, texts, wanted=bool(wanted) or for_records)
        if not candidates:
            continue
        verdict = _verdict(folder, candidates, wanted=bool(wanted))
        if not verdict and (for_records or _keeps_records(group)) and _is_series(folder, candidates):
            verdict = True
        if verdict is None and _is_part_of_named(folder, candidates, for_records=for_records):
            verdict = False
        if verdict is not None:
            (accepted if verdict else fragments).append(_formed_group(group, candidates, bool(wanted), for_records))
    fragments = _without_attachments(fragments, accepted)
    merged = _merged(accepted, fragments, totals)
    taken = {candidate.unit.folder for formed in merged for candidate in formed.candidates}
    for formed in merged:
        _join_numbered(formed, groups, texts, taken)
    _count_once(merged)
    return [formed for formed in merged if any(not candidate.left_out for candidate in formed.candidates)]


def _is_for_records(root: Group | None, texts: Texts) -> bool:
    """Whether the README of the project's *root* says in its title that the project is for records."""
    readmes = [path for path in root.guides if path.lower().startswith("readme.")] if root else []
    text = texts.head(readmes[0], HEAD) if readmes else None
    outline: Outline | None = cached(texts, reading.read, text, form_of(readmes[0]) or "text") if text else None
    return outline is not None and any(_PURPOSE.search(heading.title) for heading in outline.headings[:1])


def _is_part_of_named(folder: str, candidates: Sequence[Candidate], *, for_records: bool) -> bool:
    """Whether *folder* lies in one that is named for records, or in a project that is, and some texts have the form."""
    if not folder or not (for_records or is_named_for_records(folder.rpartition("/")[0])):
        return False
    live = [candidate for candidate in candidates if candidate.left_out is None]
    return sum(_has_form(candidate, "proposal") for candidate in live) >= SOME * max(1, len(live))


def _keeps_records(group: Group) -> bool:
    """Whether a folder is named for records, and holds their template if it may as well hold other texts."""
    if not hint(group.folder):
        return False
    return group.folder.rpartition("/")[2].lower() not in _VAGUE or any(map(is_template, group.guides))


def _is_series(folder: str, candidates: Sequence[Candidate]) -> bool:
    """Whether nearly all texts in *folder* are numbered, some could be records, and none is part of one."""
    live = [candidate for candidate in candidates if candidate.left_out is None]
    numbered = sum(candidate.numbered for candidate in live)
    shown = sum(candidate.evidence.points > LITTLE for candidate in live)
    within = any(parsed(part).number is not None for part in folder.split("/"))
    return numbered >= max(FEWEST, SERIES * len(live)) and shown >= SOME * len(live) and not within


def hint(folder: str) -> str:
    """Return ``decision`` or ``proposal`` if *folder* is named for such records, else "" ."""
    name = folder.rpartition("/")[2].lower().replace("_", "-").replace(" ", "-")
    words = set(name.split("-"))
    if name in _DECISIONS or words & {"adr", "adrs", "decisions"}:
        return "decision"
    return "proposal" if name in _PROPOSALS or words & {"rfc", "rfcs", "proposals", "enhancements"} else ""


def is_named_for_records(folder: str) -> bool:
    """Whether *folder*, or one above it, is named for records and nothing else."""
    return any(hint(part) and part.lower() not in _VAGUE for part in folder.split("/"))


def _switch(folder: str, switches: Mapping[str, bool]) -> bool | None:
    """Return whether the configuration adopts *folder*, by its nearest entry; None if it says nothing."""
    parts = folder.split("/")
    for depth in range(len(parts), -1, -1):
        name = "/".join(parts[:depth])
        if name in switches:
            return switches[name]
    return None


def _looked_at(group: Group, texts: Texts, wanted: bool) -> list[Candidate]:
    """Return the units of *group* with their outlines; none if a sample shows that they are something else."""
    prefixes = shared_prefixes(unit.stem for unit in group.units)
    dated = _mostly_dated(group.units)
    numbered = [_is_numbered(unit, prefixes) or (dated and parsed(unit.stem).date is not None) for unit in group.units]
    promising = wanted or bool(hint(group.folder))
    if not promising and len(group.units) > SAMPLE:
        step = len(group.units) / SAMPLE
        sample = [int(at * step) for at in range(SAMPLE)]
        shown = [_candidate(group.units[at], numbered[at], texts) for at in sample]
        if sum(bool(one and _has_form(one, "")) for one in shown) < SOME * SAMPLE:
            return []
    looked = (_candidate(unit, is_numbered, texts) for unit, is_numbered in zip(group.units, numbered, strict=True))
    return [candidate for candidate in looked if candidate]


def _is_numbered(unit: Unit, prefixes: frozenset[str]) -> bool:
    """Whether a name has the number of a record, as its siblings have."""
    name = parsed(unit.stem)
    return not _is_of_plan(name) and name.number is not None and (name.date is not None or prefix_of(name) in prefixes)


def _is_of_plan(name: Name) -> bool:
    """Whether a name is numbered as part of a plan: ``task-3``."""
    return name.prefix in _PARTS_OF_A_PLAN


def _mostly_dated(units: Sequence[Unit]) -> bool:
    """Whether most of *units* are named by a date; so are posts: it is not evidence by itself."""
    return sum(parsed(unit.stem).date is not None for unit in units) >= TOGETHER * len(units)


def _candidate(unit: Unit, numbered: bool, texts: Texts) -> Candidate | None:
    text = texts.head(unit.path, HEAD)
    if text is None:
        return None
    outline = outlined(text, unit, texts)
    name = parsed(unit.stem)
    number = None if _is_of_plan(name) else name.number
    candidate = Candidate(unit, outline, weigh(outline, number, text), numbered)
    candidate.left_out = _disguised(text, outline, name)
    return candidate


def outlined(text: str, unit: Unit, texts: Texts) -> Outline:
    """Return the outline of a unit's *text*, with the fields of its sidecar first."""
    outline: Outline = cached(texts, reading.read, text, form_of(unit.path) or "text")
    if unit.sidecar and (beside := texts.text(unit.sidecar)) is not None:
        fields = tuple(yaml_fields(beside, 0, len(beside), Place.SIDECAR))
        return Outline(outline.form, (*fields, *outline.fields), outline.headings, outline.length)
    return outline


def _disguised(text: str, outline: Outline, name: Name) -> Reason | None:
    """Return why the text of a file of that *name* is not a record: a stub or a template."""
    if len(text) < SHORTEST and _MOVED.search(text) and len(outline.headings) < 3 and len(outline.fields) < 4:
        return Reason.STUB
    status = next((entry for entry in outline.fields if entry.label.lower() in ("status", "state")), None)
    if status and status.value.strip("*_ ").lower() == "moved":
        return Reason.STUB
    if any(key_of(entry.label) in _FILLED and _VARIABLE.search(entry.value[:200]) for entry in outline.fields):
        return Reason.TEMPLATE
    title = next((entry.value for entry in outline.fields if entry.label.lower() == "title"), "")
    shown = title or (outline.headings[0].title if outline.headings else "")
    choices = status is not None and bool(_CHOICES.search(status.value[:120])) and "[" not in status.value[:1]
    is_copied = (first := _COPIED.match(shown)) is not None and int(first[1]) not in (0, name.number)
    is_dated = name.date is not None and name.words != ""  # a template has no date of its own
    is_placeholder = _PLACEHOLDER.match(shown) is not None and not (is_copied or is_dated)
    if shown and (_FILLED_IN.match(shown) or (is_placeholder and (choices or not _dated(outline)))):
        return Reason.TEMPLATE
    if choices and status is not None and name.number == 0 and standing([status.value]) is None:
        return Reason.TEMPLATE
    return None


def _dated(outline: Outline) -> bool:
    return any(
        "date" in entry.label.lower() or entry.label.lower() == "created"
        for entry in outline.fields
        if re.search(r"\d{4}", entry.value)
    )


def _has_form(candidate: Candidate, named: str) -> bool:
    enough = (
        ENOUGH_HINTED if named and candidate.numbered else ENOUGH_NUMBERED if named or candidate.numbered else ENOUGH
    )
    return candidate.left_out is None and candidate.evidence.points >= enough


def _verdict(folder: str, candidates: Sequence[Candidate], wanted: bool) -> bool | None:
    """Return True for a collection, False for siblings too few to be one by themselves, None for something else."""
    named = hint(folder)
    live = [candidate for candidate in candidates if candidate.left_out is None]
    formed = sum(_has_form(candidate, named) for candidate in live)
    if wanted:
        return True if live else None
    if not formed or formed < MOST * len(live) - 0.001:
        numbered = [candidate for candidate in live if candidate.numbered]
        shown = sum(_has_form(candidate, named) for candidate in numbered)
        if not (len(numbered) >= FEWEST and shown >= FEWEST and shown >= TOGETHER * len(numbered)):
            return None
    if len(live) >= FEWEST and formed >= FEWEST:
        return True
    sure = any(candidate.evidence.points >= ENOUGH for candidate in live)
    return bool(named) and sure and folder.rpartition("/")[2].lower() not in _VAGUE


def _formed_group(group: Group, candidates: Sequence[Candidate], wanted: bool, for_records: bool) -> FormedGroup:
    traits: Counter[str] = Counter()
    for candidate in candidates:
        traits.update(candidate.evidence.traits)
    shared = frozenset(trait for trait, count in traits.items() if count * 3 >= len(candidates))
    left_out, guides = list(group.left_out), list(group.guides)
    return FormedGroup(group.folder, list(candidates), left_out, guides, shared, wanted, for_records)


def _without_attachments(fragments: list[FormedGroup], accepted: Sequence[FormedGroup]) -> list[FormedGroup]:
    """Return *fragments* without those that lie in a folder that is itself a record: they are its attachments."""
    own = {one.unit.id_path for formed in accepted for one in formed.candidates if one.unit.is_folder}
    return [formed for formed in fragments if formed.folder not in own and not own & set(_ancestors(formed.folder))]


def _merged(accepted: list[FormedGroup], fragments: list[FormedGroup], totals: Mapping[str, int]) -> list[FormedGroup]:
    """Return the collections: groups below one folder whose texts mostly have the form and alike traits are one."""
    by_folder = {formed.folder: formed for formed in (*accepted, *fragments)}
    roots = {**_shared_roots(accepted, by_folder, totals), **_of_states(by_folder)}
    results: dict[str, FormedGroup] = {}
    taken: set[str] = set()
    for formed in accepted:
        root = roots.get(formed.folder, formed.folder)
        whole = results.get(root)
        if whole is None:
            results[root] = replace(formed, folder=root)
            taken.add(formed.folder)
        elif _alike(whole.traits, formed.traits):
            _add(whole, formed)
            taken.add(formed.folder)
    for formed in accepted:
        if formed.folder not in taken:
            results[formed.folder] = formed
    for formed in fragments:
        homes = [one for one in results.values() if _near(formed.folder, one) and _part_of(one, formed)]
        if homes:
            _add(max(homes, key=lambda one: len(one.folder)), formed)
    return _joined(sorted(results.values(), key=lambda whole: whole.folder))


def _count_once(wholes: Sequence[FormedGroup]) -> None:
    """Leave a text to the first collection that has it, as the main text of its folder if it is one."""
    read: set[str] = set()
    for whole in wholes:
        ordered = sorted(whole.candidates, key=lambda candidate: not candidate.unit.is_folder)
        texts = {candidate.unit.path: candidate for candidate in reversed(ordered) if candidate.unit.path not in read}
        whole.candidates = [one for one in whole.candidates if texts.get(one.unit.path) is one]
        read.update(texts)


def _joined(wholes: Iterable[FormedGroup]) -> list[FormedGroup]:
    """Return *wholes*, those of one folder as one if the folders of their records are named for the same or nothing."""
    results: dict[tuple[str, frozenset[str]], FormedGroup] = {}
    for whole in wholes:
        named = frozenset(hint(candidate.unit.folder) for candidate in whole.candidates)
        if former := results.get((whole.folder, named)):
            _add(former, whole)
        else:
            results[whole.folder, named] = whole
    return list(results.values())


def _shared_roots(
    accepted: Sequence[FormedGroup], by_folder: Mapping[str, FormedGroup], totals: Mapping[str, int]
) -> dict[str, str]:
    """Return, by folder, the outermost folder above it of whose texts most have the form."""
    counts = {formed.folder: _formed(formed) for formed in by_folder.values()}
    roots: dict[str, str] = {}
    for formed in accepted:
        for ancestor in _ancestors(formed.folder):
            below = _below(ancestor, totals)
            inside = [folder for folder in below if folder in by_folder]
            total = sum(totals[folder] for folder in below)
            if len(inside) > 1 and sum(counts[folder] for folder in inside) >= TOGETHER * total:
                roots[formed.folder] = ancestor
                break
    return roots


def _of_states(by_folder: Mapping[str, FormedGroup]) -> dict[str, str]:
    """Return the common parent of the folders that are named for states, as accepted/ and withdrawn/, by folder."""
    siblings: dict[tuple[str, str], list[str]] = {}
    for folder in by_folder:
        parent, _, name = folder.rpartition("/")
        words = re.split(r"[-_ ]", name)
        stated = next((at for at in range(len(words)) if _is_state(" ".join(words[at:]))), None)
        if stated is not None:
            siblings.setdefault((parent, "-".join(words[:stated])), []).append(folder)
    return {folder: parent for (parent, _), folders in siblings.items() if len(folders) > 1 for folder in folders}


def _is_state(words: str) -> bool:
    stands = standing([words])
    return stands is not None and stands.status is not None and hint(words) == "" and len(words.split()) <= 2


def _join_numbered(whole: FormedGroup, groups: Mapping[str, Group], texts: Texts, taken: set[str]) -> None:
    """Add the groups below a numbered collection whose files continue its numbering, whatever their form; none of the
    *taken* folders, to which the added ones are added."""
    prefixes = shared_prefixes(candidate.unit.stem for candidate in whole.candidates if candidate.numbered)
    numbers = {(candidate.unit.stem, parsed(candidate.unit.stem).number) for candidate in whole.candidates}
    known = {number for _, number in numbers}
    if (
        not prefixes
        or not whole.folder
        or sum(one.numbered for one in whole.candidates) < TOGETHER * len(whole.candidates)
    ):
        return
    for folder, group in groups.items():
        if folder in taken or not folder.startswith(f"{whole.folder}/") or not group.units:
            continue
        continuing = [
            unit for unit in group.units if _is_numbered(unit, prefixes) and parsed(unit.stem).number not in known
        ]
        if len(continuing) >= TOGETHER * len(group.units) and parsed(folder.rpartition("/")[2]).number is None:
            looked = (_candidate(unit, _is_numbered(unit, prefixes), texts) for unit in group.units)
            whole.candidates += [one for one in looked if one]
            whole.left_out += group.left_out
            whole.guides += group.guides
            taken.add(folder)


def _near(folder: str, whole: FormedGroup) -> bool:
    """Whether *folder* lies in the collection, or is a sibling of its only folder."""
    inside = folder.startswith(f"{whole.folder}/") if whole.folder else True
    parent = whole.folder.rpartition("/")[0]
    return inside or (bool(parent) and folder.rpartition("/")[0] == parent)


def _add(whole: FormedGroup, part: FormedGroup) -> None:
    if whole.folder not in ("", part.folder) and not part.folder.startswith(f"{whole.folder}/"):
        whole.folder = whole.folder.rpartition("/")[0]
    whole.candidates = [*whole.candidates, *part.candidates]
    whole.left_out = [*whole.left_out, *part.left_out]
    whole.guides = [*whole.guides, *part.guides]


def _formed(formed: FormedGroup) -> int:
    named = hint(formed.folder)
    return sum(_has_form(candidate, named) for candidate in formed.candidates)


def _alike(some: frozenset[str], others: frozenset[str]) -> bool:
    return len(some & others) >= ALIKE * len(some | others) if some and others else False


def _part_of(whole: FormedGroup, part: FormedGroup) -> bool:
    """Whether siblings too few to be a collection have the form of *whole*, or the beginning of it: heads are short."""
    if _alike(whole.traits, part.traits):
        return True
    return part.folder.startswith(f"{whole.folder}/") and len(part.traits) >= 2 and part.traits <= whole.traits


def _ancestors(folder: str) -> list[str]:
    """Return the folders above *folder*, the outermost first, without the project's root."""
    parts = folder.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts))]


def _below(ancestor: str, totals: Mapping[str, int]) -> list[str]:
    return [folder for folder in totals if folder == ancestor or folder.startswith(f"{ancestor}/")]


def members(formed: FormedGroup, is_record: Callable[[Candidate], bool]) -> tuple[list[Candidate], list[LeftOut]]:
    """Return the candidates that are records, and the others with the reason."""
    records: list[Candidate] = []
    left: list[LeftOut] = list(formed.left_out)
    for candidate in formed.candidates:
        if candidate.left_out:
            left.append(LeftOut(candidate.unit.path, candidate.left_out))
        elif is_record(candidate):
            records.append(candidate)
        else:
            left.append(LeftOut(candidate.unit.path, Reason.FORM))
    return records, left
