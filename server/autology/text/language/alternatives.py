"""What the alternatives of a decision rule out: their names, as those that were not chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.language import ruled_commands
from autology.text.language.code_names import DISTINCT, EVERYWHERE, OPENERS, is_literal, key, plain, terms
from autology.text.language.rule_kinds import COMMAND, IMPORT, LITERAL, Rule, detail
from autology.text.language.ruling_phrases import GONE
from autology.text.language.sentences import sentences

_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,2}[.)])[ \t]+(?:\[.\][ \t]+)?(?P<text>.*)")
_HEAD_END = re.compile(r"[:;(]|[.,](?=\s|\Z)|\s[-–—]\s|\bbecause\b|\binstead\b")
_FIRST = re.compile(
    r"(?!\w{4,}ing\b|\w{3,}ed\b)(?:[\w.+-]+\s*\Z|[A-Z][\w.+-]*\s+(?:[A-Za-z]+\s*\Z|(?:with|over|via|from|for|as|on|and|or|plus|was|is|would)\b))"
)
"""A heading that begins with a name: nothing else, or one more word, or a verb with the thing."""
_TERM = re.compile(r"`(?P<code>[^`\n]{2,60})`|(?P<word>[A-Za-z][\w.+#-]*\w)")
_ASIDE = re.compile(r"\([^()]*\)")
_CHOOSES = re.compile(
    r"(?i)\b(?:uses?|chose|chosen|choose|picked|adopt(?:ed)?|selected|go(?:ing)? with|went with|opted for)\b"
)
_CHOSEN = re.compile(r"(?i)\bchosen option:?\s*[\"“']?(?P<what>[^\"”'\n]{2,60})")


def not_chosen(title: str, decided: str, alternatives: str, ruled: set[str]) -> Iterator[Rule]:
    """Yield the names of the alternatives that were not chosen."""
    chosen = " ".join(s for s in sentences(decided) if _CHOOSES.search(s) and not GONE.search(s))
    words = _words(f"{title} {chosen}")
    chosen_words = {word for name in words for word in (name.lower(), plain(name))} - ruled
    chosen_words |= {plain(word) for chosen in _CHOSEN.finditer(decided) for word in _words(chosen["what"])}
    for item in _items(alternatives):
        if re.search(r"(?i)\bchosen\b|\bselected\b|\bgewählt\b|\bretenu\b|\belegid[oa]\b", _head(item)[1]):
            continue
        for term, kind, text in _heading_names(item):
            if term not in chosen_words and (text or term not in ruled):
                yield kind, term, detail(text, reason=item)


def _items(alternatives: str) -> Iterator[str]:
    """Yield the alternatives: items of a list, or sentences without one, or single names if these only enumerate."""
    lines = alternatives.splitlines()
    listed = [match["text"] for line in lines if (match := _LIST_ITEM.match(line))]
    if listed:
        yield from listed
        return
    for sentence in sentences(alternatives):
        names = [name.strip(" .") for name in re.split(r",|\band\b|\bor\b", _ASIDE.sub("", sentence))]
        yield from names if len(names) > 1 and all(0 < len(name.split()) <= 2 for name in names) else [sentence]


def _head(item: str) -> tuple[str, str]:
    """Return the heading of an alternative, and a little of what follows it."""
    plain = item.replace("**", "").replace("__", "").strip(" \"'“”")
    end = _HEAD_END.search(plain, 2)
    head = plain[: end.start()] if end else plain
    return head, plain[len(head) : len(head) + 12]


def _heading_names(item: str) -> Iterator[tuple[str, str, str]]:
    """Yield (term, kind, text) of the names of an alternative: those in its heading, and its first word."""
    head, _ = _head(item)
    code = re.match(r"`([^`\n]{2,60})`", item.replace("**", "").strip(" \"'“”"))
    if (
        code
        and is_literal(code[1])
        and not ruled_commands.command_of(code[1], quoted=True, runs=False, after="", clause="")
    ):
        yield key(code[1]), LITERAL, code[1]
        return
    for at, match in enumerate(_TERM.finditer(head[:80])):
        written = match["code"] or match["word"]
        if at == 0 and match.start() <= 1 and written.split()[0] in ruled_commands.TOOLS:
            name, _, rest = written.partition(" ")
            if match["code"] or head.strip() == written:
                yield name, COMMAND, rest
        if match["code"]:
            yield from ((term, kind, "") for term, kind in terms(match["code"], quoted=True))
        elif DISTINCT.search(match["word"]) or (at and match["word"][0].isupper()):
            yield from ((term, kind, "") for term, kind in terms(match["word"], quoted=False))
        elif not at and not match.start() and _FIRST.match(head):
            word = plain(match["word"])
            if len(word) > 3 and word not in OPENERS and word not in EVERYWHERE:
                yield word, IMPORT, ""


def _words(text: str) -> set[str]:
    return {match["code"] or match["word"] for match in _TERM.finditer(text)}
