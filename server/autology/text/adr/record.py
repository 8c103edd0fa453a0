"""A decision record as its project keeps it, parsed so that its text can be reconstructed exactly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from autology.model.node import TITLE_LIMIT, DecisionStatus
from autology.text.adr.dates import find_date
from autology.text.adr.fields import RecordFront, badges, labelled, read_front, words
from autology.text.adr.folders import could_be_record, in_record_folder
from autology.text.adr.links import RecordLink, find_links
from autology.text.adr.mentioned_paths import find_mentions
from autology.text.adr.plain import cut, plain
from autology.text.adr.restated import may_state_status
from autology.text.adr.sections import headed_parts, missing_parts, parts_named, section_name, y_parts
from autology.text.adr.statuses import Standing, lines, standing
from autology.text.adr.titles import file_name, heading_title, name_title
from autology.text.markdown.sections import ParsedText, Section

_BLANKS = re.compile(r"(?:[ \t]*[\r\n])*(?:[ \t]+\Z)?")
_STATUS_TITLE = re.compile(r"(?:decision )?(?:status|state)(?:\s*[:–—-]\s*(?P<words>.*))?\Z", re.DOTALL)
_DATE_TITLE = re.compile(r"(?:decision )?date\b", re.IGNORECASE)
_STATUS_WORD = re.compile(r"(?:proposed|accepted|approved|rejected|declined|deprecated|super[sc]e+de?d)\Z")
_DATE_LABELS = ("date", "decision date", "date decided", "decided", "decided on", "created", "creation date")
_TAG_LABELS = ("tags", "tag", "categories", "category")
# A template's placeholder for a title: {short title}, [title], NUMBER. TITLE, <title>.
_PLACEHOLDER = re.compile(
    r"\s*(?:[{<\[][^{}<>\[\]]*[}>\]]|(?:NUMBER|N+|X+|0+)?\W*TITLE|(?:short |your )?title(?: here)?)\W*\Z"
    r"|.*\btemplate\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
_SECTIONS_NOT_TITLES = re.compile(
    r"(?:table of )?contents\Z|toc\Z|links\Z|notes?\Z|references\Z|more information\Z|date\b|deciders?\Z"
)


@dataclass(frozen=True, slots=True)
class Record:
    """A decision record, or a file that may be one (*is_record*).

    ``original(frontmatter, lead, content)`` is the file's text again.
    """

    path: str
    """The path of its file, from the project's root, with ``/``."""
    title: str
    """1 to 100 characters, without its number; cut after a word, with ``…``, when longer."""
    full_title: str
    number: int | None
    content: str
    """The markdown after the title's heading; all of it if that is not first, or had to be cut."""
    lead: str
    """The exact text removed before the content: the heading with the blank lines around it."""
    frontmatter: str
    """The exact frontmatter block with its fences."""
    date: str | None
    """The record's own date, as ``2019-01-21``."""
    decision_status: DecisionStatus
    """Its status; accepted if it states none, proposed if an unknown one."""
    stated_status: str | None
    """The status as written."""
    tags: tuple[str, ...]
    """As written."""
    is_record: bool
    links: tuple[RecordLink, ...]
    mentions: tuple[str, ...]
    """Paths that it mentions besides other records, whether they exist or not."""
    missing: tuple[str, ...]
    """Which of Context, Decision, Alternatives and Consequences it lacks."""


def parse(text: str, path: str) -> Record:
    """Parse the decision record in *text*, the file at *path*.

    Any text gives a record; ``is_record`` says whether it is meant as one.
    """
    front = read_front(text)
    page = ParsedText.of(front.body)
    heading = _title_heading(page.sections)
    full_title, number = _title(heading, front, path)
    title = cut(full_title, TITLE_LIMIT)
    lead = _lead(page.text, heading) if title == full_title and heading and plain(heading.title) else ""
    content = page.behind(len(lead))
    about = list(_about(page, heading))
    stands = standing(_statements(page, front, about))
    links = find_links(content, path, number, front)
    linked = {link.target for link in links}
    return Record(
        path=path,
        title=title,
        full_title=full_title,
        number=number,
        content=content.text,
        lead=lead,
        frontmatter=front.text,
        date=_date(page, front, about, stands),
        decision_status=_decision_status(stands),
        stated_status=stands.words if stands else None,
        tags=_tags(front, about),
        is_record=_is_record(content, path, full_title, stands is not None),
        links=links,
        mentions=tuple(mention for mention in find_mentions(content, path) if mention not in linked),
        missing=missing_parts(content),
    )


def stated_status(text: str) -> DecisionStatus | None:
    """Return the status that *text* states for itself, as records do; None if it states none.

    In frontmatter, a labelled line before the first section, or a Status section. Unknown words count as proposed.
    """
    if not may_state_status(text):
        return None
    front = read_front(text)
    page = ParsedText.of(front.body)
    stands = standing(_statements(page, front, list(_about(page, _title_heading(page.sections)))))
    return _decision_status(stands) if stands else None


def original(frontmatter: str, lead: str, content: str) -> str:
    """Return the text of the file whose record has this *frontmatter*, *lead* and *content*."""
    return frontmatter + lead + content


def _title_heading(headings: tuple[Section, ...]) -> Section | None:
    """Return the heading that is the title: the first, or the first of level 1, that is not a section's."""
    titles = (section for at, section in enumerate(headings) if at == 0 or section.level == 1)
    return next((section for section in titles if not _names_a_section(section.title)), None)


def _names_a_section(title: str) -> bool:
    name = section_name(title)
    return bool(_STATUS_TITLE.match(name) or _SECTIONS_NOT_TITLES.match(name) or parts_named(name, is_title=True))


def _title(heading: Section | None, front: RecordFront, path: str) -> tuple[str, int | None]:
    if heading and plain(heading.title):
        return heading_title(heading.title, path)
    for value in words(front.first("title", "name")):
        title, number = heading_title(value, path)
        if title:
            return title, number
    return name_title(path), file_name(path).number


def _lead(body: str, heading: Section) -> str:
    """Return *body* up to the beginning of its content, "" if more than blank lines precede *heading*."""
    if body[: heading.start].strip("\ufeff \t\r\n"):
        return ""
    blanks = _BLANKS.match(body, heading.body)
    return body[: blanks.end() if blanks else heading.body]


def _about(page: ParsedText, heading: Section | None) -> Iterator[tuple[str, str]]:
    """Yield (label, value) of the record's metadata before its first section."""
    first = page.sections[0].start if page.sections else len(page.prose)
    yield from labelled(page.prose[:first])
    if heading:
        yield from labelled(page.prose[heading.body : heading.stop])


def _statements(page: ParsedText, front: RecordFront, about: list[tuple[str, str]]) -> Iterator[str]:
    """Yield each statement of the record on its status, the most authoritative first."""
    yield from words(front.first("status", "state", "decision_status"))
    yield from (value for label, value in about if label in ("status", "state", "decision status"))
    for section in page.sections:
        title = _STATUS_TITLE.match(section_name(section.title))
        if title:
            yield (title["words"] or "")[:100]
            body = page.prose[section.body : section.stop]
            yield from (words for _, words in badges(body))
            yield from lines(body)
            break
    yield from (f"{label}: {value}" for label, value in about if _STATUS_WORD.match(label))


def _decision_status(stands: Standing | None) -> DecisionStatus:
    if stands is None:
        return DecisionStatus.ACCEPTED
    # An unknown word must not freeze the text, as acceptance would.
    return stands.status or DecisionStatus.PROPOSED


def _date(page: ParsedText, front: RecordFront, about: list[tuple[str, str]], stands: Standing | None) -> str | None:
    """Return the date of the record: its own, else that of its status (unless one that ended it)."""
    dated = (section for section in page.sections if _DATE_TITLE.match(section_name(section.title)))
    statements = (
        *words(front.first("date", "decided", "created", "decision_date")),
        *(value for wanted in _DATE_LABELS for label, value in about if label == wanted),
        *(page.prose[section.start : section.stop][:300] for section in dated),
    )
    ended = (DecisionStatus.SUPERSEDED, DecisionStatus.DEPRECATED)
    of_status = stands.day if stands and stands.status not in ended else None
    return next(filter(None, map(find_date, statements)), of_status)


def _tags(front: RecordFront, about: list[tuple[str, str]]) -> tuple[str, ...]:
    """Return the record's tags: its frontmatter's, else those of a labelled line; separated by commas."""
    values = [value for key in ("tags", "tag", "categories", "category") for value in words(front.says.get(key))]
    values = values or [plain(value) for label, value in about if label in _TAG_LABELS]
    tags = (tag.strip().lstrip("#") for value in values for tag in value.split(","))
    return tuple(dict.fromkeys(tag for tag in tags if tag))


def _is_record(content: ParsedText, path: str, title: str, has_status: bool) -> bool:
    """Whether a text has a decision record's form.

    A numbered file in a folder of records; or a numbered one with two of the four parts; or a decision with another
    part or a status; or a Y-statement. Not a README, index, guide or template.
    """
    if not could_be_record(path) or _PLACEHOLDER.match(title):
        return False
    numbered = file_name(path).number is not None
    if numbered and in_record_folder(path):
        return True
    parts = headed_parts(content)
    if len(parts) > 1 and (numbered or "Decision" in parts):
        return True
    return ("Decision" in parts and has_status) or bool(y_parts(content))
