"""A decision's status, from the words that a record uses for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from autology.model.node import DecisionStatus
from autology.text.adr.dates import DATE, find_date
from autology.text.adr.plain import plain

_WORDS = {
    DecisionStatus.PROPOSED: (
        r"propos(?:ed|al|ing)|(?:pre-?|early[ -])?draft(?:ed|ing)?|wip|work in progress|pending|open|idea|ideation"
        r"|on hold|deferred|postponed|parked|planned|planning|exploring|implementable|previewing|demonstrated|stalled"
        r"|(?:under|in|for|ready for|awaiting|needs?|scheduled for|active|public|first|second)[ -]"
        r"(?:public )?(?:review|discussion|decision|approval|revision|consideration|feedback|comments?|voting|vote)"
        r"|review(?:ing|s)?|rfc|returned for revision|returned|last call|(?:final )?comment(?:ing)? period|fcp"
        r"|request for comments|discussion|discussing|undecided|in[ -]progress|provisional|not yet"
        r"|(?:not|never) (?:yet )?implemented|implementing|to be \w+|tbd|todo|submitted|candidate"
        r"|vorgeschlagen|vorschlag|entwurf|in (?:diskussion|prüfung)|zurückgestellt"
        r"|proposée?|brouillon|en (?:discussion|cours|attente|revue)|reportée?"
        r"|propuest[ao]|borrador|en (?:discusión|revisión|curso)|pendiente|aplazad[ao]"
        r"|propost[ao]|rascunho|em (?:discussão|revisão|análise|andamento)|bozza|in (?:discussione|revisione)"
        r"|предложен[оаы]?|черновик|на (?:рассмотрении|обсуждении)|в обсуждении|отложен[оаы]?"
        r"|提案中?|提议中?|提議中?|草案|草稿|待定|讨论中|討論中|审核中|評審中|评审中|ドラフト|下書き|検討中|レビュー中|保留"
        r"|제안됨?|초안|검토 ?중|논의 ?중|보류"
    ),
    DecisionStatus.ACCEPTED: (
        r"accept(?:ed|ance)?|app?ro+ved?|adopted|agreed|decided|implemented|imlpemented"
        r"|implementation(?=\W*\Z)"
        r"|ready for (?:implementation|release)|final(?:i[sz]ed)?(?! comment)|done|landed|living|merged"
        r"|released|shipped|activated|launched|rolled out"
        r"|active(?! (?:review|discussion|voting))|ratified|in (?:effect|force|use)|current|enacted"
        r"|completed?|confirmed"
        r"|committed|published?|resolved|recommended|delivered|deployed|stable|valid"
        r"|akzeptiert|angenommen|beschlossen|entschieden|genehmigt|umgesetzt|gültig"
        r"|acceptée?|adoptée?|validée?|approuvée?|décidée?|implémentée?"
        r"|aceptad[ao]|aprobad[ao]|adoptad[ao]|implementad[ao]|decidid[ao]|vigente"
        r"|aceit[ao]|aprovad[ao]|adotad[ao]|accettat[ao]|approvat[ao]"
        r"|принят[оаы]?|утвержд[её]н[оаы]?|одобрен[оаы]?|реализован[оаы]?|действует"
        r"|已?接受|已?采纳|已?採納|已?批准|已?通过|已?通過|已?实施|已?實施|已?实现|已完成|已?生效|已决定"
        r"|承認(?:済み?)?|採用(?:済み?)?|受理|採択|決定(?:済み?)?|実装済み?|有効|승인됨?|수락됨?|채택됨?|결정됨?|구현됨?|확정"
    ),
    DecisionStatus.REJECTED: (
        r"reject(?:ed)?|declined?|denied|refused|withdrawn?|abandoned|cancell?ed|dropped|discarded|expired|discontinued"
        r"|dismissed|vetoed"
        r"|turned down|not (?:accepted|approved|adopted|agreed)|won[’']?t (?:do|fix)"
        r"|abgelehnt|verworfen|zurückgezogen|rejetée?|refusée?|abandonnée?|retirée?"
        r"|rechazad[ao]|descartad[ao]|retirad[ao]|rejeitad[ao]|recusad[ao]|abandonad[ao]|rifiutat[ao]|respint[ao]"
        r"|отклон[её]н[оаы]?|отвергнут[оаы]?|отозван[оаы]?|已?拒绝|已?拒絕|已?否决|已?否決|已?撤回|已?放弃|却下|不採用|撤回|取り下げ"
        r"|거부됨?|기각됨?|반려됨?|철회됨?"
    ),
    DecisionStatus.DEPRECATED: (
        r"deprecated?|obsoleted?|retired|outdated|no longer|sunset|archived|reversed|reverted|revoked|stagnant|removed"
        r"|rolled back"
        r"|inactive|veraltet|überholt|dépréciée?|obsolète|obsolet[ao]|deprecad[ao]|depreciad[ao]|deprecat[ao]"
        r"|устарел[оаи]?|устаревш(?:ее|ий|ая)|已?废弃|已?廢棄|已?弃用|已?棄用|已?过时|非推奨|廃止|폐기됨?|사용 ?중단|더"
        r" 이상"
    ),
    DecisionStatus.SUPERSEDED: (
        r"sup[eo]r[sc]e+de?d|(?:replaced|overridden|obsoleted)(?=\W+(?:in\W+|on\W+)?by\b|\W*\Z)"
        r"|ersetzt|abgelöst|remplacée?|reemplazad[ao]|sustituid[ao]|substituíd[ao]|sostituit[ao]|superad[ao]"
        r"|замен[её]н[оаы]?|已?被?取代|已?被?替代|已?被?替换|置き換え(?:られた|済み)?|差し替え|대체됨?"
    ),
}
# The longest form first if two begin at one place: "not accepted", "obsoleted" before "obsolete".
_STATUS = re.compile(
    r"(?<![\w-])(?:"
    + "|".join(rf"(?P<{status.value}>{_WORDS[status]})" for status in reversed(DecisionStatus))
    + r")(?!\w)",
    re.IGNORECASE,
)
# Only a part of it, or not yet: it is still in force.
_STILL_STANDS = re.compile(
    r"(?:partial(?:ly)?|partly|in part|not|never|(?:will|to|may|might|would|could|should) be|soon)"
    r"\W+(?:\w+\W+)?\Z",
    re.IGNORECASE,
)
_PARTLY_AFTER = re.compile(r"\W*(?:in part|partially|partly)\b", re.IGNORECASE)
_OF_ANOTHER = re.compile(r"\W+by\W+this\b", re.IGNORECASE)
_STRUCK = re.compile(r"~~[^~\n]{1,300}~~|<(?:s|del)>[^<\n]{1,300}</(?:s|del)>")
_UNCHECKED = re.compile(r"[-*+][ \t]+\[ \]")
_ITEM = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[xX]\][ \t]*)?")
_ARROW = re.compile(r"→|⇒|-+>|=+>")
_NOTHING = re.compile(r"[\W_]*(?:status|todo: .*|n/?a|none|unknown)?[\W_]*\Z", re.IGNORECASE)
_SLUG = re.compile(r"(?!non[-_])\w+(?:[-_]\w+)+\Z", re.IGNORECASE)
"""A status written as one word: ``ready-for-release``, ``in_review``."""
_LABEL = re.compile(r"(?:current[ \t]+)?status[ \t]*[:=][ \t]*", re.IGNORECASE)
REACH = 60
"""Characters from the beginning of a line in which a status is searched; reasons follow."""
EXPLAINED = 4
"""Lines with statuses, none of them dated, of a section that explains what the different ones mean."""
CHOICES = 3
"""Different statuses in one line from which it is a template's list of choices."""
LONGEST_STATED = 200
LONGEST_SECTION = 10_000
"""Characters read of a Status section; the longest of the 120 real ones of the trials has 386."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A record's own status: its *words*, their meaning, and since when."""

    words: str
    status: DecisionStatus | None
    day: str | None


def standing(statements: Iterable[str]) -> Standing | None:
    """Return the decision's status by its *statements*, the most authoritative first.

    Being superseded outweighs everything, as it comes last and is often only added. Else the latest dated statement
    counts if there are several (a history), else the first meaningful one. None without a statement, or with only a
    template's list of choices.
    """
    read = [statement for line in statements if (statement := _read(line))]
    meaningful = [statement for statement in read if statement.status]
    several = len({statement.status for statement in meaningful}) >= CHOICES
    if len(meaningful) >= EXPLAINED and several and not any(statement.day for statement in meaningful):
        return None
    if not meaningful:
        return read[0] if read else None
    superseded = next((statement for statement in meaningful if statement.status is DecisionStatus.SUPERSEDED), None)
    if superseded:
        return superseded
    if len(meaningful) > 1 and all(statement.day for statement in meaningful):
        return max(meaningful, key=lambda statement: statement.day or "")
    return meaningful[0]


def lines(section: str) -> Iterator[str]:
    """Yield the lines of a Status section that can state one: without blank lines and unticked boxes."""
    for line in section[:LONGEST_SECTION].splitlines():
        item = line.strip()
        if item and not _UNCHECKED.match(item):
            yield item[:1000]


def meanings(text: str) -> Iterator[DecisionStatus]:
    """Yield each status that the words of *text* name."""
    return (status for status, _ in _meanings(text))


def _read(line: str) -> Standing | None:
    text = _LABEL.sub("", plain(_ITEM.sub("", _STRUCK.sub("", line), count=1), LONGEST_STATED), count=1)
    text = _ARROW.split(text)[-1].strip(" |\"'")
    if _NOTHING.match(text) or text.startswith("{"):
        return None
    meanings = list(_meanings(re.sub("[-_]", " ", text) if _SLUG.match(text) else text))
    if len({status for status, _ in meanings}) >= CHOICES and not find_date(text):
        return None
    early = [status for status, at in meanings if at <= REACH]
    status = DecisionStatus.SUPERSEDED if DecisionStatus.SUPERSEDED in early else next(iter(early), None)
    return Standing(text, status, find_date(text))


def _meanings(text: str) -> Iterator[tuple[DecisionStatus, int]]:
    """Yield each status in *text* with its position, not counting dates as distance."""
    undated = re.sub(DATE, "", text, flags=re.IGNORECASE)
    for match in _STATUS.finditer(undated):
        status = DecisionStatus(match.lastgroup or "")
        if status is DecisionStatus.SUPERSEDED and _stands(undated, match):
            continue
        yield status, match.start()


def _stands(text: str, match: re.Match[str]) -> bool:
    """Whether the supersession in *match* leaves the decision in force: in part, in future, or another record's."""
    before, after = (
        text[max(0, match.start() - REACH) : match.start()],
        text[match.end() : match.end() + REACH],
    )
    return bool(_STILL_STANDS.search(before) or _PARTLY_AFTER.match(after) or _OF_ANOTHER.match(after))
