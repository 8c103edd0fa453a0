"""Which of a decision's four parts a text has: Context, Decision, Alternatives, Consequences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from autology.text.markdown.blocks import DEFINITION, HEADING_LINE, LINE_START, heading_title, without_blocks
from autology.text.markdown.sections import ParsedText, extent

PARTS = ("Context", "Decision", "Alternatives", "Consequences")
"""The parts of a complete decision, in reading order."""
OTHER = ""
"""The text in none of the parts: what precedes them, status, links."""
CONTEXT, DECISION, ALTERNATIVES, CONSEQUENCES = PARTS
_PRECEDENCE = (ALTERNATIVES, DECISION, CONSEQUENCES, CONTEXT)
"""Which part a heading opens that names several: the first of these."""
_LABELLED_LINE = re.compile(
    r"[ \t>]*(?:[-*+][ \t]+)?(?:\*\*|__)?(?P<label>[A-Za-z][A-Za-z ]{2,40}?)(?::(?:\*\*|__)?|(?:\*\*|__):?)"
)
LONGEST_HEADING = 8
"""Words of a heading that names a part; a longer one is a sentence."""
Y_REACH = 3_000
"""Characters of a complete Y-statement: one long sentence, or a paragraph of several."""

_NAMES = {
    "Context": r"contexts?|(?:business |technical )?background|(?:the )?problem(?: statement"
    r"| description| space)?|kontext|ausgangslage"
    r"|motivations?|forces|situation|(?:the )?issue|rationale|purpose|why|introduction"
    r"|problemstellung|contexte|problématique|contexto|problema|contesto|контекст|проблема|背景|上下文|语境|问题|問題|動機"
    r"|コンテキスト|状況|課題|맥락|배경|컨텍스트|문제",
    "Decision": r"decisions?(?: outcome| made| taken)?|(?:decision )?outcome|(?:proposed |chosen "
    r"|the )?solution"
    r"|proposal|chosen (?:option|alternative|approach)|resolution|explanation|recommendation|conclusion"
    r"|(?:detailed )?design|what we decided|entscheidung|lösung|décision|décision retenue|decisión|decisão|decisione"
    r"|решение|принятое решение|决策|决定|決策|決定(?:事項|内容)?|결정",
    "Alternatives": r"(?:\w+ )?alternatives|alternative (?:\w+ )?(?:designs?|options?|solutions?)"
    r"|(?:\w+ )?options"
    r"|(?:option|alternative) (?:\d+|[a-z])|pros and cons|prior art|positions|choices|approaches considered"
    r"|comparison|evaluation|alternativen|optionen|(?:\w+ )?alternativas|opciones(?: \w+)?|opções(?: \w+)?"
    r"|alternativ[ei]|alternatives (?:envisagées|considérées)|альтернативы|рассмотренные варианты|варианты"
    r"|备选方案|替代方案|备选|選択肢|検討した選択肢|代替案|比較|대안|고려한 (?:대안|옵션)",
    "Consequences": r"(?:\w+ )?consequences?|implications?|(?:expected )?impacts?|trade-?offs?"
    r"|trade offs?|results?"
    r"|pros(?: and cons)?|cons|risks?|drawbacks|downsides|benefits|effects|ramifications|advantages"
    r"|disadvantages|konsequenzen|folgen|auswirkungen|conséquences|consecuencias|consequências|conseguenze"
    r"|последствия|результат|后果|影响|影響|结果|結果|帰結|결과|영향",
}
_BEGINS = {part: re.compile(rf"(?:our |the )?(?:{names})(?!\w)", re.IGNORECASE) for part, names in _NAMES.items()}
# "Rationale and alternatives", "Decision and consequences", "Pros and cons of the options".
_CONTAINS = {
    "Context": re.compile(r"\b(?:context|problem statement)\b", re.IGNORECASE),
    "Decision": re.compile(r"\b(?:and|&|/) (?:the )?(?:decision|solution|proposal)\b", re.IGNORECASE),
    "Alternatives": re.compile(r"\b(?:alternatives|options|prior art|pros and cons)\b", re.IGNORECASE),
    "Consequences": re.compile(r"\b(?:consequences|implications|trade-?offs|drawbacks|risks)\b", re.IGNORECASE),
}
# "Decision drivers" are criteria, "decision makers" people, "context diagram" a picture.
_OTHERWISE = re.compile(
    r"decision[- ](?:drivers?|makers?|date|status|criteria|record|log|id)|deciders?"
    r"|issue tracker|(?:\w+[- ])?(?:configuration|command[- ]line|cli|build|runtime|config) options",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"(?:\d+(?:\.\d+)*[.):]?|[IVX]+\.|[a-z][.)])\s+")
_DECORATION = re.compile(r"[*_`~#\[\]{}]|<[^<>]{0,200}>")
_LABEL = re.compile(
    LINE_START + r"[ \t>]*+(?:[-*+][ \t]++)?(?:(?P<marks>\*\*|__)(?P<bold>[^*_\r\n]{2,60})(?P=marks)[ \t]*:?"
    r"|(?P<plain>[A-Za-z][A-Za-z \t-]{1,40}):(?=[ \t\r\n]))"
    r"(?P<rest>[^\r\n]*)"
)
_NOTHING_YET = r"\b(?:tbd|todo|tba|to be (?:done|decided|determined|written))\b:?|\{[^{}]{0,2000}\}"
_EMPTY = re.compile(rf"(?:[\s.…_*-]++|{_NOTHING_YET})*\Z", re.IGNORECASE)
_DEFINITION = re.compile(DEFINITION + r"[^\r\n]*")

_Y_OPENING = re.compile(r"\bin (?:the )?context of\b", re.IGNORECASE)
_Y_CONCERN = re.compile(r"\bfac(?:ing|ed with)\b", re.IGNORECASE)
_Y_PARTS = {
    "Decision": re.compile(
        r"\b(?:decid(?:ed|e)|cho(?:se|ose)|opt(?:ed)?|select(?:ed)?|pick(?:ed)?|went)\b", re.IGNORECASE
    ),
    "Alternatives": re.compile(
        r"\b(?:neglect(?:ed|ing)?|reject(?:ed|ing)|discard(?:ed|ing)|against|instead of|rather than"
        r"|and not|over)\b",
        re.IGNORECASE,
    ),
    "Consequences": re.compile(r"\b(?:to achieve|accept(?:ing|ed)?(?: that)?)\b", re.IGNORECASE),
}


def parts(content: str) -> Mapping[str, str]:
    """Return the text of each part by its name in `PARTS`, and the rest under `OTHER`.

    Headings are left out, except that a heading below alternatives becomes a list item. A text without parts is a
    decision as a whole.
    """
    texts: dict[str, list[str]] = {part: [] for part in (*PARTS, OTHER)}
    part, level, divided, labelled = OTHER, 0, False, False
    for line, prose in zip(content.split("\n"), without_blocks(content).split("\n"), strict=True):
        if heading := HEADING_LINE.match(prose):
            depth, title = len(heading["hashes"]), heading_title(heading["title"])
            named = _named(title, is_title=False)
            if named:
                part, level, divided = named, depth, True
            elif depth <= level or labelled:
                part, level = OTHER, depth
            else:
                texts[part].append(f"- {title}")
            labelled = False
            continue
        if label := _LABELLED_LINE.match(prose):
            named = _named(label["label"], is_title="*" not in label[0])
            if named:
                part, level, divided, labelled = named, 0, True, True
                # `Chosen option: "x"` is a label and the first words of the decision.
                texts[part].append(line if part == DECISION else line[label.end() :])
                continue
        if labelled and not line.strip():
            part, labelled = OTHER, False
        texts[part].append(line)
    if not divided:
        return {**dict.fromkeys((*PARTS, OTHER), ""), DECISION: content}
    return {name: "\n".join(lines) for name, lines in texts.items()}


def missing_sections(content: str) -> tuple[str, ...]:
    """Return which of PARTS *content* lacks.

    A part is present as a non-empty section under one of its many names, as a labelled paragraph (``**Decision:** …``),
    or as its piece of a Y-statement ("In the context of …, facing …, we decided for … and neglected …, to achieve …,
    accepting …"). A heading over nothing, or over "TBD", does not count.
    """
    return missing_parts(ParsedText.of(content))


def empty_sections(content: str) -> tuple[str, ...]:
    """Return which of the :func:`missing_sections` of *content* have a heading, over nothing or over "TBD"."""
    page = ParsedText.of(content)
    headed: set[str] = set()
    for index, section in enumerate(page.sections):
        headed |= parts_named(section.title, is_title=index == 0 and section.level == 1)
    return tuple(part for part in missing_parts(page) if part in headed)


def missing_parts(page: ParsedText) -> tuple[str, ...]:
    """Return which of PARTS *page* lacks; see :func:`missing_sections`."""
    present = headed_parts(page) | y_parts(page)
    return tuple(part for part in PARTS if part not in present)


def headed_parts(page: ParsedText) -> set[str]:
    """Return which of PARTS have a section or a labelled paragraph of their own."""
    present: set[str] = set()
    for index, section in enumerate(page.sections):
        parts = parts_named(section.title, is_title=index == 0 and section.level == 1)
        if not present.issuperset(parts) and not _is_empty(page, section.body, extent(page.sections, index)):
            present.update(parts)
    for label in _labels(page.prose):
        present.update(parts_named(label, is_title=True))
    return present


def y_parts(page: ParsedText) -> set[str]:
    """Return which of PARTS the Y-statement contains; empty without one."""
    openings = [*(match.start() for match in _Y_OPENING.finditer(page.prose)), len(page.prose)]
    for start, following in pairwise(openings):
        statement = _DECORATION.sub("", page.prose[start : min(following, start + Y_REACH)])
        if not _Y_CONCERN.search(statement):
            continue
        present = {part for part, words in _Y_PARTS.items() if words.search(statement)}
        if "Decision" in present and len(present) > 1:
            return {"Context", *present}
    return set()


def section_name(title: str) -> str:
    """Return a heading's *title* in lower case, without numbering, mark-up and final colon."""
    words = " ".join(_DECORATION.sub("", title[:300]).split())
    numbering = _NUMBERING.match(words)
    return words[numbering.end() if numbering else 0 :].rstrip(" :.").lower()


def parts_named(title: str, *, is_title: bool) -> set[str]:
    """Return the parts that a section under *title* contains; the title of a whole text must match exactly."""
    name = section_name(title)
    if not name or len(name.split()) > LONGEST_HEADING or _OTHERWISE.match(name):
        return set()
    if is_title:
        return {part for part, names in _BEGINS.items() if names.fullmatch(name)}
    return {part for part in PARTS if _BEGINS[part].match(name) or _CONTAINS[part].search(name)}


def _labels(prose: str) -> Iterator[str]:
    """Yield the labels in *prose* that have text: ``**Context**`` on its own line, ``Decision: …``."""
    for match in _LABEL.finditer(prose):
        label, rest = match["bold"] or match["plain"], match["rest"].strip()
        if match["bold"] and rest and not match[0][: -len(match["rest"])].rstrip(" *_").endswith(":"):
            continue
        following = prose[match.end() : match.end() + 200].lstrip()
        if (rest or (following and following[0] != "#")) and not _EMPTY.match(rest or following):
            yield label


def _is_empty(page: ParsedText, start: int, stop: int) -> bool:
    """Whether a section is empty: headings, comments, link definitions and "TBD" do not count."""
    if "```" in page.text[start:stop] or "~~~" in page.text[start:stop]:
        return False
    return bool(_EMPTY.match(_DEFINITION.sub("", HEADING_LINE.sub("", page.prose[start:stop]))))


def _named(title: str, *, is_title: bool) -> str:
    named = parts_named(title, is_title=is_title)
    return next((part for part in _PRECEDENCE if part in named), "")
