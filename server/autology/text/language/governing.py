"""What a decision or convention governs: the files and names that it decides on, and what it ruled out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from autology.text.adr.mentions import find_mentions
from autology.text.adr.sections import ALTERNATIVES, DECISION, parts
from autology.text.language.sentences import sentences
from autology.text.markdown.blocks import without_blocks
from autology.text.markdown.sections import ParsedText

FILE, SCOPE, SYMBOL, RECORD = "file", "scope", "symbol", "record"
NAME, CALL, IMPORT = "name", "call", "import"
"""The kinds of terms: a file that is decided on, or merely referenced; a name of code that is decided on; the file of
the text itself; what was ruled out, recognised anywhere, by its use, or only by an import."""

Rule = tuple[str, str]
"""A term's kind, and the term."""

MAX_RULES = 60
"""Rules of one text; the maximum in the records of three projects is 31."""
READ = 20_000
"""Characters of a text that are searched for rules; the longest of 120 real records has 41,000, mostly appendix."""
POINTED = 25
"""Characters between a word that points elsewhere and its path: `see the page on it in docs/x.md`."""

_CODE = re.compile(r"`([^`\n]{2,80})`")
_QUOTED = re.compile(r"`[^`\n]{2,80}`")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\))?\Z")
_DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|_|\w[.-]\w|::|\(\)|[A-Za-z]\d")
_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,2}[.)])[ \t]+(?:\[.\][ \t]+)?(?P<text>.*)")
_HEAD_END = re.compile(r"[:;(]|[.,](?=\s|\Z)|\s[-–—]\s|\bbecause\b|\binstead\b")
_FIRST = re.compile(
    r"(?!\w{4,}ing\b|\w{3,}ed\b)(?:[\w.+-]+\s*\Z|[A-Z][\w.+-]*\s+(?:[A-Za-z]+\s*\Z|(?:with|over|via|from|for|as|on|and|or|plus|was|is|would)\b))"
)
"""A heading that begins with a name: nothing else, or one more word, or a verb with the thing."""
_DOING = re.compile(r"\w{4,}ing\Z|\w{3,}ed\Z")
_TERM = re.compile(r"`(?P<code>[^`\n]{2,60})`|(?P<word>[A-Za-z][\w.+#-]*\w)")
_ASIDE = re.compile(r"\([^()]*\)")
_AGAINST = re.compile(
    r"(?i)(?:\b(?:(?P<verb>not|never|no longer)|no|instead of|rather than|over|avoid|neglected|rejected|dropped|against"
    r"|without)|(?P<short>n't))\s+(?P<use>(?:use|using|call|calling|import|importing|add|adding|write)\s+)?"
    r"(?:(?:the|any|bare|plain|a|an|to|with|from|more)\s+){0,2}"
    r"(?P<what>`[^`\n]{2,60}`|[A-Za-z][\w.+-]*\w)(?P<more>(?:\s*(?:,|\bor\b|\bnor\b|\band\b)\s*`[^`\n]{2,60}`){0,4})"
)
_GONE = re.compile(
    r"(?P<what>`[^`\n]{2,60}`|\b[A-Z][\w.+-]*\w)\s+(?:goes\b|(?:is|are|was|were|will be)\s+"
    r"(?:not (?:used|allowed|wanted)|no longer|rejected|forbidden|banned|deprecated|ruled out|discarded|dropped|removed"
    r"|replaced))"
)
_CHOOSES = re.compile(
    r"(?i)\b(?:uses?|chose|chosen|choose|picked|adopt(?:ed)?|selected|go(?:ing)? with|went with|opted for)\b"
)
_CHOSEN = re.compile(r"(?i)\bchosen option:?\s*[\"“']?(?P<what>[^\"”'\n]{2,60})")
_PASSING = re.compile(
    r"(?i)\b(?:see|see also|compare|cf\.?|e\.g\.|for example|for instance|such as|like|as in|stays? as (?:it|they)"
    r"|was|were|used to|formerly|until then|old|unlike|described|documented|measured|shown|counted)\b"
)
_OPENERS = frozenset(
    "a an the no none one two each every all some any more less keep use using do doing make making stay leave nothing"
    " something same another other both either plain simple fixed full only just our we it its they their this that"
    " what how why when where there here with without through over by for from to in on at as of and or not never"
    " considered rejected chosen option options alternative alternatives good bad neutral because pros cons yes".split()
)
_EVERYWHERE = frozenset(
    "json http https xml api rest sql csv yaml toml html css url uri id db orm cli ui os io tcp udp ip utf ascii cpu"
    " ram true false null none self this".split()
)
"""Names that are common in any code."""


def rules(title: str, content: str, references: Iterable[str], path: str = "") -> tuple[Rule, ...]:
    """Return what the accepted decision or the convention *title* governs, at most `MAX_RULES` rules.

    A reference counts unless the text only mentions it in passing; *path* is the record that the text came from.
    """
    content = without_blocks(content[:READ])
    apart = parts(content)
    decided = f"{title}.\n{apart[DECISION]}"
    ruled_out = dict(_ruled_out(title, decided, apart[ALTERNATIVES]))
    terms = list(_files(title, content, apart, references, path))
    passed = {*ruled_out, *(term for _, term in terms)}
    terms += [(SYMBOL, name) for name in _symbols(decided) if passed.isdisjoint((name, name.lower()))]
    terms += [(kind, term) for term, kind in ruled_out.items()]
    return tuple(dict.fromkeys(terms))[:MAX_RULES]


def _files(title: str, content: str, apart: Mapping[str, str], references: Iterable[str], path: str) -> Iterator[Rule]:
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


def _ruled_out(title: str, decided: str, alternatives: str) -> Iterator[tuple[str, str]]:
    """Yield (term, kind) of what was decided against, in lower case."""
    refused: dict[str, str] = {}
    for match in (*_AGAINST.finditer(decided), *_GONE.finditer(decided), *_GONE.finditer(alternatives)):
        groups = match.groupdict()
        if _is_not_a_name(match, decided):
            continue
        for term in (match["what"], *_QUOTED.findall(groups.get("more") or "")):
            refused.update(_terms(term.strip("`"), quoted=term.startswith("`")))
    chosen = " ".join(s for s in sentences(decided) if _CHOOSES.search(s) and not _GONE.search(s))
    words = _words(f"{title} {chosen}")
    chosen_words = {word for name in words for word in (name.lower(), _plain(name))} - refused.keys()
    chosen_words |= {_plain(word) for chosen in _CHOSEN.finditer(decided) for word in _words(chosen["what"])}
    for item in _items(alternatives):
        for term, kind in _heading_names(item):
            if term not in chosen_words:
                refused.setdefault(term, kind)
    yield from refused.items()


def _is_not_a_name(match: re.Match[str], text: str) -> bool:
    """Whether the words after a negation are not a name: `never edited`, `no lines that`."""
    name, groups = match["what"], match.groupdict()
    if not (name.isalpha() and name.islower()):
        return False
    verb = (groups.get("verb") or groups.get("short")) and not groups.get("use")
    return bool(verb) or text[match.end() : match.end() + 1] not in ("", ",", ".", ";", ":", ")", "\n")


def _items(alternatives: str) -> Iterator[str]:
    """Yield the alternatives: items of a list, or sentences without one, or single names if these only enumerate."""
    lines = alternatives.splitlines()
    listed = [match["text"] for line in lines if (match := _ITEM.match(line))]
    if listed:
        yield from listed
        return
    for sentence in sentences(alternatives):
        names = [name.strip(" .") for name in re.split(r",|\band\b|\bor\b", _ASIDE.sub("", sentence))]
        yield from names if len(names) > 1 and all(0 < len(name.split()) <= 2 for name in names) else [sentence]


def _heading_names(item: str) -> Iterator[tuple[str, str]]:
    """Yield the names of an alternative: those in its heading, and its first word."""
    plain = item.replace("**", "").replace("__", "").strip(" \"'“”")
    end = _HEAD_END.search(plain, 2)
    head = plain[: end.start()] if end else plain
    for at, match in enumerate(_TERM.finditer(head[:80])):
        if match["code"]:
            yield from _terms(match["code"], quoted=True)
        elif _DISTINCT.search(match["word"]) or (at and match["word"][0].isupper()):
            yield from _terms(match["word"], quoted=False)
        elif not at and not match.start() and _FIRST.match(head):
            word = _plain(match["word"])
            if len(word) > 3 and word not in _OPENERS and word not in _EVERYWHERE:
                yield word, IMPORT


def _terms(written: str, *, quoted: bool) -> Iterator[tuple[str, str]]:
    """Yield the forms of the name *written*."""
    if quoted and (written.endswith("()") or "." in written.strip(".") or "/" in written):
        yield written.lower(), NAME
        return
    term = _plain(written)
    if len(term) < 3 or term in _OPENERS or (not quoted and (term in _EVERYWHERE or _DOING.match(term))):
        return
    distinct = bool(_DISTINCT.search(written))
    yield term, NAME if distinct else CALL if quoted else IMPORT
    short = term.removesuffix("js").removesuffix("db")
    if distinct and short != term and len(short) > 4:
        yield short, NAME if term.endswith("db") else IMPORT


def _words(text: str) -> set[str]:
    return {match["code"] or match["word"] for match in _TERM.finditer(text)}


def _plain(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())
