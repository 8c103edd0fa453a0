"""What a decision or convention governs: the files and names that it decides on, what it rules out, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from autology.text.adr.mentioned_paths import find_mentions
from autology.text.adr.sections import ALTERNATIVES, DECISION, parts
from autology.text.language.rule_kinds import LITERAL, UNTOUCHED, Rule, detail
from autology.text.language.ruling_out import forbids_edits, ruled_out, values
from autology.text.language.sentences import sentences
from autology.text.markdown.blocks import without_blocks
from autology.text.markdown.sections import ParsedText

FILE, SCOPE, SYMBOL, RECORD, WORDS, TEXT = "file", "scope", "symbol", "record", "words", "text"
"""The kinds of terms besides those of `rule_kinds`: a file that is decided on, or merely referenced; a name of code
that is decided on; the file of the text itself; the words of the decision; the hash of the text."""

MAX_RULES = 60
"""Rules of one text; the maximum in the records of three projects is 31."""
READ = 20_000
"""Characters of a text that are searched for rules; the longest of 120 real records has 41,000, mostly appendix."""
POINTED = 25
"""Characters between a word that points elsewhere and its path: `see the page on it in docs/x.md`."""
_DECIDED_WORDS = 600
"""Characters of the words of a decision that are stored."""

_CODE = re.compile(r"`([^`\n]{2,80})`")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\))?\Z")
_DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|_|\w[.-]\w|::|\(\)|[A-Za-z]\d")
_PASSING = re.compile(
    r"(?i)\b(?:see|see also|compare|cf\.?|e\.g\.|for example|for instance|such as|like|as in|stays? as (?:it|they)"
    r"|was|were|used to|formerly|until then|old|unlike|described|documented|measured|shown|counted)\b"
)


def rules(title: str, content: str, references: Iterable[str], path: str = "") -> tuple[Rule, ...]:
    """Return what the accepted decision or the convention *title* governs, at most `MAX_RULES` rules.

    A reference counts unless the text only mentions it in passing; *path* is the record that the text came from.
    """
    own = [(TEXT, text_hash(title, content), "")]
    content = without_blocks(content[:READ])
    apart = parts(content)
    decided = f"{title}.\n{apart[DECISION]}"
    refused = list(ruled_out(title, decided, apart[ALTERNATIVES]))
    files = list(_files(title, content, apart, references, path))
    own += [(kind, term, "") for kind, term in files]
    if forbids_edits(title):
        own += [(UNTOUCHED, term, detail(reason=title)) for _, term in files]
    passed = {term for _, term, _ in (*refused, *own)}
    literal = frozenset(details.partition("\t")[0] for kind, _, details in refused if kind == LITERAL)
    passed |= {text.removesuffix("()") for text in literal}
    own += [(SYMBOL, name, "") for name in _symbols(decided) if passed.isdisjoint((name, name.lower()))]
    own += values(apart[DECISION], literal)
    words = " ".join(dict.fromkeys(re.findall(r"[A-Za-z_]\w{3,}|\b[A-Z]{3}\b", decided)))
    own.append((WORDS, "", words[:_DECIDED_WORDS]))
    return tuple(dict.fromkeys([*own, *refused]))[:MAX_RULES]


def text_hash(title: str, content: str) -> str:
    """Return the hash of a note's text, by its words: wrapping a line does not change it."""
    from hashlib import sha256

    return sha256(" ".join(f"{title}\n{content}".split()).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _files(
    title: str, content: str, apart: Mapping[str, str], references: Iterable[str], path: str
) -> Iterator[tuple[str, str]]:
    """Yield the files and folders that are decided on, and those that are referenced, without passing mentions."""
    decided = f"{title}\n{apart[DECISION]}"
    for reference in references:
        if reference == path:
            continue
        if any(_is_decided_on(sentence, reference) for sentence in sentences(decided)):
            yield FILE, reference
        elif reference not in content:
            yield SCOPE, reference
    page = ParsedText.of(apart[DECISION])
    for mention in find_mentions(page, ""):
        written = mention in apart[DECISION] and "/" in mention.strip("/")
        if written and any(_is_decided_on(sentence, mention) for sentence in sentences(apart[DECISION])):
            yield FILE, mention


def _is_decided_on(sentence: str, path: str) -> bool:
    """Whether *sentence* decides on *path* and does not just point to it."""
    at = sentence.find(path)
    if at < 0:
        return False
    passing = [match.end() for match in _PASSING.finditer(sentence, 0, at)]
    return not passing or at - passing[-1] > POINTED


def _symbols(decided: str) -> Iterator[str]:
    for match in _CODE.finditer(decided):
        written = match[1]
        if not _SYMBOL.match(written) or not _DISTINCT.search(written):
            continue
        name = written.removesuffix("()").replace("::", ".")
        yield name
        first, _, rest = name.partition(".")
        if rest and len(first) > 3 and _DISTINCT.search(first):
            yield first
