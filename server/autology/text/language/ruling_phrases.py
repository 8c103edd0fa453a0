"""The phrases by which a sentence rules something out, and where: in English, and in five other languages."""

from __future__ import annotations

import re

ITEM_TEXT = r"`[^`\n]{2,80}`"
VERBS = (
    r"use|using|used|call|calling|import|importing|imports|add|adding|write|writing|install|introduce|invoke|access|pass"
    r"|reach for|rely on|depend on|log|deploy|build|commit|push|touch|bring back|go back to|return|throw|raise"
)
RUNNING = (
    r"run|runs|running|execute|executing|type|push|commit|deploy|install|ausführen|lancer|exécuter|ejecutar|运行|执行"
)
FOREIGN_USE = r"utiliser|appeler|importer|lancer|exécuter|usar|utilizar|llamar a|importar|ejecutar|verwenden|benutzen"
AGAINST = re.compile(
    r"(?i)(?:\b(?:(?P<verb>not|never|no longer|nobody|no one|do not|nie|niemals|nicht|(?:ne )?jamais|ne pas|nunca)"
    r"|(?P<bare>no|instead of|rather than|over|avoid|neglected|rejected|dropped|against|without|forbid|ban"
    r"|kein(?:e[nmrs]?)?|statt|anstatt|anstelle von|verzichten auf|au lieu d[e']|plutôt que|pas de|éviter"
    r"|en lugar de|en vez de|evitar|sin usar))\s+"
    r"|(?P<short>n't)\s+|(?P<cjk>不要|禁止|不使用|不用|避免|而不是|严禁|不得|请勿)\s*)"
    rf"(?P<use>\b(?:{VERBS}|{RUNNING}|calls|{FOREIGN_USE})\s+|使用\s*|用\s*|运行\s*|调用\s*)?"
    r"(?:(?:the|any|bare|plain|raw|direct|inline|a|an|to|with|from|more|new|stdlib|standard|built-in|le|la|de|el|den|die|das)\s+){0,3}"
    rf"(?P<what>{ITEM_TEXT}|[A-Za-z][\w.+-]*\w)(?P<noun>\s+(?:module|package|library)\b)?"
    rf"(?P<more>(?:\s*(?:,|\bor\b|\bnor\b|\band\b|\boder\b|\bund\b|\bou\b|\bni\b|\bo\b|、|或|和)\s*(?:(?:the|stdlib|a|any|inline|raw)\s+){{0,3}}"
    rf"(?:{ITEM_TEXT}|[A-Za-z][\w.]+(?=\s+(?:module|package|library)\b))){{0,4}})"
)
TAKES_NAMES = re.compile(r"(?i)(?:us|call|import|install|add|introduc|reach|rely|depend|bring|go back)")
"""Verbs whose object may be a name without backticks: "never use lodash", but not "never commit secrets"."""
GONE = re.compile(
    rf"(?P<first>(?:{ITEM_TEXT}\s*(?:,|and|or|und|et|y|、|和)\s*){{0,4}})(?P<what>{ITEM_TEXT}|\b[A-Z][\w.+-]*\w)\s*"
    r"(?:[^`.;:\n]{0,30}?\s)??(?:goes\b|(?:is|are|was|were|will be)\s+"
    r"(?:not (?:used|allowed|wanted|permitted|acceptable)"
    r"|never (?:used|called|imported|run)|no longer|rejected|forbidden"
    r"|banned|deprecated|ruled out|discarded|dropped|removed|replaced|prohibited|off limits)"
    r"|(?:must|may|should|shall|can)\s?not be (?:used|called|imported|run|added|written)"
    r"|(?:ist|sind) (?:verboten|nicht erlaubt|tabu)|darf nicht|dürfen nicht|wird nicht (?:mehr )?(?:verwendet|benutzt)"
    r"|nicht (?:mehr )?(?:verwenden|benutzen|aufrufen|ausführen)|(?:est|sont) (?:interdite?s?|proscrite?s?|bannie?s?)"
    r"|ne doi(?:t|vent) pas|n'est (?:pas|plus) (?:utilisé|autorisé|permis)|está(?:n)? prohibid[oa]s?"
    r"|no se (?:usa|utiliza|permite|debe)|(?:は|を)?\s*"
    r"(?:使わない|使用しない|使わず|禁止|使ってはいけない|使用禁止|実行しない)"
    r"|(?:被)?禁止|不(?:允许|能|可|得|要)?使用)"
)
ONLY_IN = re.compile(
    rf"(?i)(?P<what>{ITEM_TEXT})(?P<gap>[^`.;:\n]{{0,40}}?)\b(?:only|nur|uniquement|seulement|solo)\s+"
    r"(?:(?:be|ever|allowed|permitted|used|read|imported|called|run|welcome|fine|erlaubt)\s+)*(?:in|inside|within|under|by|from|dans|en)\s+"
    rf"(?:the\s+)?(?P<place>{ITEM_TEXT}|[\w.-]+(?:/[\w.-]+)*/|tests?\b)"
)
FOR_TESTS = re.compile(rf"(?i)(?P<what>{ITEM_TEXT})\s+(?:is|are)\s+(?:only\s+)?for\s+(?P<place>tests?)\b")
ONLY_ONE = re.compile(
    rf"(?i)\b(?:only|nothing but|nobody but|no one but|nur|seul|sólo|solo)\s+(?:the\s+)?"
    rf"(?P<place>{ITEM_TEXT})[^`.;:\n]{{0,20}}?\s"
    r"(?:imports?|uses?|calls?|talks? to|reads?|knows?|touch(?:es)?|access(?:es)?"
    r"|importiert|importe|importa|speaks? to)\s+"
    rf"(?:the\s+)?(?P<what>{ITEM_TEXT}|[A-Z][\w.+-]*\w)"
)
COMMAND_ONLY = re.compile(
    rf"(?i)(?P<what>{ITEM_TEXT})[^`.;:\n]{{0,30}}?\b(?:only|nur|uniquement|solo)\s+(?:be\s+)?(?:run\s+)?(?:by|in|through|from|via|on)\b"
    rf"|\b(?:only|nur)\s+(?:the\s+)?(?:ci|pipeline|[\w-]+ pipeline|release (?:job|manager)|bot)"
    rf"[^`.;:\n]{{0,20}}?\s(?:runs?|calls?|does)\s+(?P<other>{ITEM_TEXT})"
)
PLACE = re.compile(
    r"(?i)(?P<lead>\b(?:only in|allowed in|except(?: (?:in|for|under|from))?|outside(?: of)?|apart from(?: in)?"
    r"|other than(?: in)?|besides|unless (?:in|under)|but not in|außerhalb(?: von)?|außer in"
    r"|sauf dans|hors de|fuera de|excepto en"
    r"|in|inside|within|under|below|unter|innerhalb(?: von)?|dans|sous|dentro de|en)\b|在|除了)\s*"
    r"(?:(?:the|our|any|all|files?|modules?|code|anything|in|under|of|dem|der)\s+)*"
    r"(?P<place>`[^`\n]{2,60}`|[\w.-]+(?:/[\w.*-]+)*/(?=[\s.,;:)]|\Z)|tests?\b|production code\b)"
    r"(?P<more>(?:\s*(?:,|\band\b|\bor\b|\bund\b|\bet\b|\by\b|、)\s*(?:in\s+|under\s+)?`[^`\n]{2,60}`){0,4})"
)
NOT_THERE = re.compile(r"(?i)only|allowed|except|outside|apart|other|besides|unless|but not|außer|sauf|hors|fuera|除")
EDITING = re.compile(
    r"(?i)\b(?:never|not|nobody|nothing|no one|nie|niemals|nicht|niemand|jamais|nunca|nadie)\b[^.;\n]{0,60}?"
    r"\b(?:hand-)?(?:edit(?:s|ed)?|chang(?:e|es|ed)|modif(?:y|ies|ied)|touch(?:es|ed)?|bearbeitet?|ändern|geändert|modifi\w+|edit\w+)\b"
    r"|n't\s+(?:edit|change|modify|touch)\b|\bimmutable\b|\bunveränderlich\b|不要(?:手动)?(?:修改|编辑)|(?:編集|変更)しない"
)
