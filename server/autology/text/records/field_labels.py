"""The labels under which records state things, in nine languages: one name for each thing."""

from __future__ import annotations

import re
from functools import lru_cache

_WORDS = {
    "status": "status|state|stage|standing|decision status|current status|proposal status|rfc status|adr status"
    "|statut|état|estado|situação|situacion|situación|stato|stand|zustand|статус|состояние|状态|狀態|ステータス|状態|상태",
    "title": "title|titel|titre|título|titulo|titolo|название|заголовок|标题|標題|タイトル|제목",
    "name": "name|feature name|feature|proposal name|rfc name|subject",
    "date": "date|created|created on|created at|created date|date created|creation date|creation|start date|started"
    "|date started|date proposed|proposed on|proposed date|date of decision|decision date|date of creation|submitted"
    "|submission date|submitted on|date submitted|decided|decided on|date decided|rfc date|adr date|drafted"
    "|published|published on|publication date|datum|entscheidungsdatum|erstellt|erstellt am|fecha|fecha de creación"
    "|fecha de decisión|data|data da decisão|data de criação|date de création|date de la décision|дата|дата создания"
    "|дата принятия|日期|创建日期|決定日|日付|作成日|날짜|작성일|결정일",
    "decided": "since|accepted on|accepted|approved on|date accepted|date approved|approval date|acceptance date"
    "|date ratified|ratified",
    "updated": "updated|updated on|last updated|last update|last modified|modified|date updated|update date|revised"
    "|last revised|last edited|release date|aktualisiert|actualizado|atualizado|обновлено|更新日期|更新日",
    "history": "changelog|change log|change history|revision history|document history|version history|history"
    "|änderungshistorie|historique|historial de cambios|変更履歴|变更记录|修订记录",
    "authors": "author|authors|co author|co authors|written by|rfc author|rfc authors|proposal author|proposal authors"
    "|owner|owners|champion|champions|proposer|proposers|proposed by|submitter|submitted by|editor|editors|creator"
    "|created by|lead author|main author|autor|autoren|autorin|verfasser|autores|autora|auteur|auteurs|автор|авторы"
    "|作者|著者|起草者|작성자|저자",
    "deciders": "decider|deciders|decision maker|decision makers|decided by|approver|approvers|approved by|driver"
    "|entscheider|décideurs|decisores|решающие|决策者|決定者|의사결정자",
    "supersedes": "supersedes|superseded adrs|superceeds|supercedes|superseeds|replaces|obsoletes|overrides|supplants"
    "|ersetzt|remplace|reemplaza|reemplaza a|sustituye|sustituye a|substitui|sostituisce|заменяет|取代|替代|置き換え"
    "|대체",
    "superseded_by": "superseded by|superceded by|superseeded by|replaced by|obsoleted by|replacement"
    "|successor|moved to"
    "|overridden by|ersetzt durch|abgelöst durch|remplacé par|remplacée par|reemplazado por|reemplazada por"
    "|sustituido por|sustituida por|substituído por|substituída por|sostituito da|заменено|заменён|заменен"
    "|被取代|被替代"
    "|代替|대체됨",
    "depends_on": "requires|required|depends on|depends|dependency|dependencies|needs|prerequisite|prerequisites"
    "|hängt ab von|erfordert|requiere|depende de|requer|dépend de|требует|зависит от|依赖|依存",
    "relates_to": "related|related to|relates to|relates|related adrs|related adr|related decisions|related records"
    "|related rfcs|related rfc|related proposals|see also|amends|amended by|extends|extended by|updates|updated by"
    "|refines|refined by|clarifies|modifies|previous proposal|previous proposals|links|verwandt|relacionado"
    "|relacionados|relacionada|lié à|связано|связанные|相关|関連|관련",
    "type": "type|category|kind|class|layer|track|proposal type|rfc type|typ|tipo|тип|类型|種類",
    "discussion": "discussion|discussions|discussions to|discussed at|discussion at|discussion thread|discourse"
    "|discussion url|post history|comments uri|comments summary|forum|pitch|pitches|review|reviews|review thread"
    "|feedback|votes?|resolution|bdfl delegate|pep delegate|delegate",
    "change": "pr|prs|rfc pr|pull request|pull requests|issue|issues|rust issue|tracking issue|tracking"
    "|ticket|ticket url"
    "|bug|bugs|tracking link|related issues|related issue|github issue|spec pull request|cnb pull request|cnb issue"
    "|implementation|implementation pr|reference implementation|implemented|implemented in|implementor|implementers"
    "|prototype|related components|upcoming feature flag|feature flag",
    "people": "reviewer|reviewers|shepherd|shepherds|shepherd team|shepherd leader|review manager|review"
    " managers|sponsor"
    "|sponsors|core sponsor|stakeholders|consulted|informed|contributors|co champion|team|teams|relevant teams"
    "|owning team|working group|participants|responsible|approval|signatories|rfc team",
    "details": "content type|version|tags|tag|labels|license|license code|target|target version|target"
    " release|swift version"
    "|python version|revision|revisions|decision notes|technical story|impact|scope|area|areas|priority|superset",
}
_KEYS = {name: key for key, words in _WORDS.items() for name in words.split("|")}
_MARKS = re.compile(r"[*_`\"'<>\[\]]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAPS = re.compile(r"[\s_/-]+")
_PLURAL = re.compile(r"\((?:s|es)\)")

DATES = ("date", "decided", "updated")
"""Keys of a date, the best first: when a record was made, decided, changed."""
EVIDENCE = frozenset(_WORDS) - {"title", "name", "details", "updated", "type", "history"}
"""Keys that documents other than records rarely have together."""
RELATIONS = ("supersedes", "superseded_by", "depends_on", "relates_to")


def normal(label: str) -> str:
    """Return a *label* in lower case, words joined by blanks, no mark-up: ``supersededBy`` as ``superseded by``."""
    plain = _PLURAL.sub("", _MARKS.sub(" ", label))
    return _GAPS.sub(" ", _CAMEL.sub(" ", plain)).strip(" :.：").lower()


@lru_cache(maxsize=8_192)
def key_of(label: str) -> str:
    """Return the name of what *label* stands for, as ``status``; "" if unknown."""
    return _KEYS.get(normal(label), "")


def is_known(label: str) -> bool:
    """Whether *label* is one under which records state things."""
    return bool(key_of(label))
