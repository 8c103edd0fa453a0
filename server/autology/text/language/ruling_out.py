"""What a text rules out: names, calls, imports, literal code, commands, files, and where; and the values that it sets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from autology.text.language import ruled_commands
from autology.text.language.sentences import sentences

NAME, CALL, IMPORT = "name", "call", "import"
LITERAL, COMMAND, UNTOUCHED, VALUE = "literal", "command", "untouched", "value"
"""The kinds: what was ruled out, recognised anywhere, by its use, or only by an import; code as it is written; a
command; a file or folder that is not edited by hand; a value that was decided on."""

Rule = tuple[str, str, str]
"""A term's kind, the term, and its details: see :func:`detail`."""

TESTS = "@tests"
"""Stands for tests among the places of a rule."""
LONGEST_REASON = 160
"""Characters of a sentence that are shown as a reason."""

_ITEM_TEXT = r"`[^`\n]{2,80}`"
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
_DISTINCT = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}|_|\w[.-]\w|::|\(\)|[A-Za-z]\d")
_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*+]|\d{1,2}[.)])[ \t]+(?:\[.\][ \t]+)?(?P<text>.*)")
_WRAPPED = re.compile(r"(?<=\S)[ \t]*\n[ \t]*(?=[^\s\-*+>#|\d])")
_CLAUSES = re.compile(r";|,?\s+(?:and|but)\s+(?=(?:do not|don't|never|no|avoid)\b)")
_HEAD_END = re.compile(r"[:;(]|[.,](?=\s|\Z)|\s[-–—]\s|\bbecause\b|\binstead\b")
_FIRST = re.compile(
    r"(?!\w{4,}ing\b|\w{3,}ed\b)(?:[\w.+-]+\s*\Z|[A-Z][\w.+-]*\s+(?:[A-Za-z]+\s*\Z|(?:with|over|via|from|for|as|on|and|or|plus|was|is|would)\b))"
)
"""A heading that begins with a name: nothing else, or one more word, or a verb with the thing."""
_DOING = re.compile(r"\w{4,}ing\Z|\w{3,}ed\Z")
_TERM = re.compile(r"`(?P<code>[^`\n]{2,60})`|(?P<word>[A-Za-z][\w.+#-]*\w)")
_ASIDE = re.compile(r"\([^()]*\)")

_VERBS = (
    r"use|using|used|call|calling|import|importing|imports|add|adding|write|writing|install|introduce|invoke|access|pass"
    r"|reach for|rely on|depend on|log|deploy|build|commit|push|touch|bring back|go back to|return|throw|raise"
)
_RUNNING = r"run|runs|running|execute|executing|type|push|commit|deploy|install|ausführen|lancer|exécuter|ejecutar|运行|执行"
_FOREIGN_USE = (
    r"utiliser|appeler|importer|lancer|exécuter|usar|utilizar|llamar a|importar|ejecutar|verwenden|benutzen"
)
_AGAINST = re.compile(
    r"(?i)(?:\b(?:(?P<verb>not|never|no longer|nobody|no one|do not|nie|niemals|nicht|(?:ne )?jamais|ne pas|nunca)"
    r"|(?P<bare>no|instead of|rather than|over|avoid|neglected|rejected|dropped|against|without|forbid|ban"
    r"|kein(?:e[nmrs]?)?|statt|anstatt|anstelle von|verzichten auf|au lieu d[e']|plutôt que|pas de|éviter"
    r"|en lugar de|en vez de|evitar|sin usar))\s+|(?P<short>n't)\s+|(?P<cjk>不要|禁止|不使用|不用|避免|而不是|严禁|不得|请勿)\s*)"
    rf"(?P<use>\b(?:{_VERBS}|{_RUNNING}|calls|{_FOREIGN_USE})\s+|使用\s*|用\s*|运行\s*|调用\s*)?"
    r"(?:(?:the|any|bare|plain|raw|direct|inline|a|an|to|with|from|more|new|stdlib|standard|built-in|le|la|de|el|den|die|das)\s+){0,3}"
    rf"(?P<what>{_ITEM_TEXT}|[A-Za-z][\w.+-]*\w)"
    rf"(?P<more>(?:\s*(?:,|\bor\b|\bnor\b|\band\b|\boder\b|\bund\b|\bou\b|\bni\b|\bo\b|、|或|和)\s*(?:(?:the|stdlib|a|any|inline|raw)\s+){{0,3}}"
    rf"(?:{_ITEM_TEXT}|[A-Za-z][\w.]+(?=\s+(?:module|package|library)\b))){{0,4}})"
)
_GONE = re.compile(
    rf"(?P<first>(?:{_ITEM_TEXT}\s*(?:,|and|or|und|et|y|、|和)\s*){{0,4}})(?P<what>{_ITEM_TEXT}|\b[A-Z][\w.+-]*\w)\s*"
    r"(?:[^`.;:\n]{0,30}?\s)??(?:goes\b|(?:is|are|was|were|will be)\s+"
    r"(?:not (?:used|allowed|wanted|permitted|acceptable)|never (?:used|called|imported|run)|no longer|rejected|forbidden"
    r"|banned|deprecated|ruled out|discarded|dropped|removed|replaced|prohibited|off limits)"
    r"|(?:must|may|should|shall|can)\s?not be (?:used|called|imported|run|added|written)"
    r"|(?:ist|sind) (?:verboten|nicht erlaubt|tabu)|darf nicht|dürfen nicht|wird nicht (?:mehr )?(?:verwendet|benutzt)"
    r"|nicht (?:mehr )?(?:verwenden|benutzen|aufrufen|ausführen)|(?:est|sont) (?:interdite?s?|proscrite?s?|bannie?s?)"
    r"|ne doi(?:t|vent) pas|n'est (?:pas|plus) (?:utilisé|autorisé|permis)|está(?:n)? prohibid[oa]s?"
    r"|no se (?:usa|utiliza|permite|debe)|(?:は|を)?\s*(?:使わない|使用しない|使わず|禁止|使ってはいけない|使用禁止|実行しない)"
    r"|(?:被)?禁止|不(?:允许|能|可|得|要)?使用)"
)
_ONLY_IN = re.compile(
    rf"(?i)(?P<what>{_ITEM_TEXT})(?P<gap>[^`.;:\n]{{0,40}}?)\b(?:only|nur|uniquement|seulement|solo)\s+"
    r"(?:(?:be|ever|allowed|permitted|used|read|imported|called|run|welcome|fine|erlaubt)\s+)*(?:in|inside|within|under|by|from|dans|en)\s+"
    rf"(?:the\s+)?(?P<place>{_ITEM_TEXT}|[\w.-]+(?:/[\w.-]+)*/|tests?\b)"
)
_FOR_TESTS = re.compile(rf"(?i)(?P<what>{_ITEM_TEXT})\s+(?:is|are)\s+(?:only\s+)?for\s+(?P<place>tests?)\b")
_ONLY_ONE = re.compile(
    rf"(?i)\b(?:only|nothing but|nobody but|no one but|nur|seul|sólo|solo)\s+(?:the\s+)?(?P<place>{_ITEM_TEXT})[^`.;:\n]{{0,20}}?\s"
    r"(?:imports?|uses?|calls?|talks? to|reads?|knows?|touch(?:es)?|access(?:es)?|importiert|importe|importa|speaks? to)\s+"
    rf"(?:the\s+)?(?P<what>{_ITEM_TEXT}|[A-Z][\w.+-]*\w)"
)
_COMMAND_ONLY = re.compile(
    rf"(?i)(?P<what>{_ITEM_TEXT})[^`.;:\n]{{0,30}}?\b(?:only|nur|uniquement|solo)\s+(?:be\s+)?(?:run\s+)?(?:by|in|through|from|via|on)\b"
    rf"|\b(?:only|nur)\s+(?:the\s+)?(?:ci|pipeline|[\w-]+ pipeline|release (?:job|manager)|bot)[^`.;:\n]{{0,20}}?\s(?:runs?|calls?|does)\s+(?P<other>{_ITEM_TEXT})"
)
_PLACE = re.compile(
    r"(?i)(?P<lead>\b(?:only in|allowed in|except(?: (?:in|for|under|from))?|outside(?: of)?|apart from(?: in)?"
    r"|other than(?: in)?|besides|unless (?:in|under)|but not in|außerhalb(?: von)?|außer in|sauf dans|hors de|fuera de|excepto en"
    r"|in|inside|within|under|below|unter|innerhalb(?: von)?|dans|sous|dentro de|en)\b|在|除了)\s*"
    r"(?:(?:the|our|any|all|files?|modules?|code|anything|in|under|of|dem|der)\s+)*"
    r"(?P<place>`[^`\n]{2,60}`|[\w.-]+(?:/[\w.*-]+)*/(?=[\s.,;:)]|\Z)|tests?\b|production code\b)"
    r"(?P<more>(?:\s*(?:,|\band\b|\bor\b|\bund\b|\bet\b|\by\b|、)\s*(?:in\s+|under\s+)?`[^`\n]{2,60}`){0,4})"
)
_NOT_THERE = re.compile(r"(?i)only|allowed|except|outside|apart|other|besides|unless|but not|außer|sauf|hors|fuera|除")
_LANGUAGE = re.compile(
    r"\b[Ii]n (?:our |the |all )?(?P<name>Go|Rust|Python|TypeScript|JavaScript|Java|Ruby|Kotlin|Swift|PHP)"
    r" (?:code|files?|sources?|modules?|services?)\b"
)
_ENDINGS = {
    "Go": "*.go",
    "Rust": "*.rs",
    "Python": "*.py",
    "TypeScript": "*.ts *.tsx",
    "JavaScript": "*.js *.jsx *.mjs",
    "Java": "*.java",
    "Ruby": "*.rb",
    "Kotlin": "*.kt",
    "Swift": "*.swift",
    "PHP": "*.php",
}
_PATH = re.compile(r"\.?[\w@*][\w.@*{},-]*(?:/[\w.@*{},-]+)*/?\Z")
_EDITING = re.compile(
    r"(?i)\b(?:never|not|nobody|nothing|no one|nie|niemals|nicht|niemand|jamais|nunca|nadie)\b[^.;\n]{0,60}?"
    r"\b(?:hand-)?(?:edit(?:s|ed)?|chang(?:e|es|ed)|modif(?:y|ies|ied)|touch(?:es|ed)?|bearbeitet?|ändern|geändert|modifi\w+|edit\w+)\b"
    r"|n't\s+(?:edit|change|modify|touch)\b|\bimmutable\b|\bunveränderlich\b|不要(?:手动)?(?:修改|编辑)|(?:編集|変更)しない"
)
_ASSIGNMENT = re.compile(
    r"(?P<name>[A-Za-z_][\w.-]*)\s*[:=]\s*(?P<value>['\"][^'\"]*['\"]|-?\d[\w.:]*|true|false|null|none|on|off|[\w./-]+:[\w.-]+)\s*[;,]?\Z",
    re.IGNORECASE,
)
_SQL = frozenset("OFFSET SELECT DELETE TRUNCATE DROP CASCADE TRIGGER UNION HAVING ILIKE LIKE NOLOCK MERGE RETURNING".split())
_CALLABLE = frozenset(
    "print println printf eval exec sleep panic unwrap goto alert float input setTimeout assert any abort exit".split()
)
"""Functions that are ruled out by their bare names: "never print in `src/`"."""
_CHOOSES = re.compile(
    r"(?i)\b(?:uses?|chose|chosen|choose|picked|adopt(?:ed)?|selected|go(?:ing)? with|went with|opted for)\b"
)
_CHOSEN = re.compile(r"(?i)\bchosen option:?\s*[\"“']?(?P<what>[^\"”'\n]{2,60})")
_IN_TEXTS = re.compile(r"(?i)(?:\s+(?:or|and|nor)\s+[\w -]{2,30}?)?\s+in\s+(?:the\s+|our\s+)?(?:logs?|messages?|urls?|comments?|docs)\b")
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


def detail(text: str = "", places: str = "", reason: str = "") -> str:
    """Return a rule's details: its *text* as written, the *places* where it holds (`!`: where not), and its sentence."""
    return f"{text}\t{places}\t{' '.join(reason.split())[:LONGEST_REASON]}"


def ruled_out(title: str, decided: str, alternatives: str) -> Iterator[Rule]:
    """Yield what the text rules out: by its sentences, then by its alternatives."""
    refused: dict[tuple[str, ...], Rule] = {}
    terms: set[str] = set()
    for sentence in sentences(_WRAPPED.sub(" ", decided)):
        for clause in _CLAUSES.split(sentence):
            for kind, term, details in _of_clause(clause, title, sentence):
                known_as = kind if kind in (COMMAND, UNTOUCHED) else ""
                refused.setdefault((known_as, term, details.partition("\t")[0]), (kind, term, details))
                terms.add(term)
    for match in _GONE.finditer(alternatives):
        for term, kind in _terms(match["what"].strip("`"), quoted=match["what"].startswith("`")):
            refused.setdefault(("", term, ""), (kind, term, detail(reason=match[0])))
            terms.add(term)
    yield from refused.values()
    yield from _alternatives(title, decided, alternatives, terms)


def values(decided: str, refused: frozenset[str]) -> Iterator[Rule]:
    """Yield the values that the text sets: `timeout = 10`; *refused* are pieces of code that it rules out."""
    for sentence in sentences(_WRAPPED.sub(" ", decided)):
        for code in _QUOTED.findall(sentence):
            match = _ASSIGNMENT.match(code.strip())
            if match and code not in refused:
                key = match["name"].rpartition(".")[2]
                yield VALUE, key, detail(f"{key}={match['value']}", reason=sentence)


def _of_clause(clause: str, title: str, sentence: str) -> Iterator[Rule]:
    """Yield the rules of one clause."""
    own = list(_exclusive(clause))
    if own:
        for what, place in own:
            yield from _rules_for(what, clause, f"!{place}", sentence, runs=False, after="")
        return
    places = _places(clause, sentence)
    untouched = _untouched(clause)
    if untouched:
        for path in untouched:
            yield UNTOUCHED, path, detail(reason=sentence)
        return
    for match in _COMMAND_ONLY.finditer(clause):
        what = match["what"] or match["other"]
        if command := ruled_commands.command_of(what.strip("`"), quoted=True, runs=True, after="", clause=clause):
            yield COMMAND, command[0], detail(command[1], reason=sentence)
    for name, words in ruled_commands.otherwise(clause, title):
        yield COMMAND, name, detail(words, reason=sentence)
    for match in _AGAINST.finditer(clause):
        yield from _of_negation(match, clause, places, sentence)
    for match in _GONE.finditer(clause):
        for what in (*(f"`{code}`" for code in _QUOTED.findall(match["first"])), match["what"]):
            yield from _rules_for(what, clause, places, sentence, runs=False, after="")


def forbids_edits(title: str) -> bool:
    """Whether the *title* of a note says that its files are not edited: "Migrations are never changed"."""
    return _EDITING.search(title) is not None


def _untouched(clause: str) -> list[str]:
    """Return the paths that a clause says are not edited: "nobody edits `gen/` by hand: run `make gen`"."""
    for part in clause.split(": "):
        codes = _QUOTED.findall(part)
        if codes and _EDITING.search(part) and all("/" in code and _PATH.match(code) for code in codes):
            return codes
    return []


def _of_negation(match: re.Match[str], clause: str, places: str, sentence: str) -> Iterator[Rule]:
    what, verb, bare = match["what"], match["verb"] or match["short"] or match["cjk"], (match["bare"] or "").lower()
    if bare == "without" and re.search(r"(?i)\b(?:not|never|no|nobody)\b|n't", clause[: match.start()]):
        return  # what must not be left out
    if f"`{what.strip('`')}`" != what and _IN_TEXTS.match(clause, match.end("what")):
        return  # no card numbers in logs
    runs = bool(re.match(rf"(?i)(?:{_RUNNING})\b", (match["use"] or "").strip()))
    end = match.end("what")
    if what.startswith("`") or not _is_not_a_name(match, clause):
        yield from _rules_for(what, clause, places, sentence, runs=runs, after=clause[end:])
    elif verb and (what in _CALLABLE or _is_command(what, clause[end:])):
        yield from _rules_for(what, clause, places, sentence, runs=runs, after=clause[end:])
    for item in re.findall(rf"{_ITEM_TEXT}|[A-Za-z][\w.]+(?=\s|\Z)", match["more"] or ""):
        if item.startswith("`") or clause[end:].find(f"{item} ") >= 0 and item not in _OPENERS | {"stdlib", "inline", "raw"}:
            yield from _rules_for(item, clause, places, sentence, runs=runs, after="")


def _is_command(word: str, after: str) -> bool:
    return ruled_commands.command_of(word, quoted=False, runs=True, after=after, clause="") is not None


def _is_not_a_name(match: re.Match[str], text: str) -> bool:
    """Whether the words after a negation are not a name: `never edited`, `no lines that`."""
    name = match["what"]
    if not (name.isalpha() and name.islower()):
        return False
    if (match["verb"] or match["short"]) and not match["use"]:
        return True
    rest = text[match.end("what") :]
    if name in _CALLABLE or match["more"]:
        return False
    return rest[:1] not in ("", ",", ".", ";", ":", ")", "\n")


def _rules_for(what: str, clause: str, places: str, sentence: str, *, runs: bool, after: str) -> Iterator[Rule]:
    """Yield the rules against *what*, a word or code in backticks."""
    written, quoted = what.strip("`").strip(), what.startswith("`")
    command = ruled_commands.command_of(written, quoted=quoted, runs=runs, after=after, clause=clause)
    if command:
        yield COMMAND, command[0], detail(command[1], reason=sentence)
        if command[1] or not ruled_commands.is_library(command[0]):
            return
    if quoted and _is_literal(written):
        if written.endswith("()") and re.match(r"\s+without\b", after):
            written = f"{written[:-1]} )"  # without arguments
        yield LITERAL, _key(written), detail(written, places, sentence)
        return
    if not quoted and written in _SQL:
        yield LITERAL, written.lower(), detail(written, places, sentence)
        return
    if not quoted and written in _CALLABLE:
        yield CALL, written.lower(), detail("", places, sentence)
        return
    for term, kind in _terms(written, quoted=quoted):
        yield kind, term, detail("", places, sentence)


def _is_literal(written: str) -> bool:
    """Whether code is matched as it is written, rather than by its name."""
    if written.upper() == written and written in _SQL:
        return True
    return not re.fullmatch(r"[@\w][\w+#-]*", written) and bool(_key(written))


def _key(written: str) -> str:
    """Return the word by which literal code is looked up: its last name, in lower case."""
    words = re.findall(r"[A-Za-z_$][\w$]*", re.sub(r"'[^']*'|\"[^\"]*\"", "", written)) or re.findall(r"[A-Za-z_$][\w$]*", written)
    return words[-1].lower() if words else ""


def _exclusive(clause: str) -> Iterator[tuple[str, str]]:
    """Yield (item, the only place where it may be)."""
    for pattern in (_ONLY_IN, _FOR_TESTS, _ONLY_ONE):
        for match in pattern.finditer(clause):
            place = match["place"].strip("`")
            place = TESTS if place.lower() in ("test", "tests") else place
            if (place == TESTS or ("/" in place or "." in place)) and (place == TESTS or _PATH.match(place)):
                yield match["what"], place


def _places(clause: str, sentence: str) -> str:
    """Return where a clause's rules hold: folders and files, those with `!` are exempt."""
    found: dict[str, None] = {}
    for match in _PLACE.finditer(clause):
        mark = "!" if _NOT_THERE.match(match["lead"]) else ""
        for place in (match["place"], *(f"`{code}`" for code in _QUOTED.findall(match["more"]))):
            name = place.strip("`")
            if name.lower() in ("test", "tests") and not place.startswith("`"):
                found[f"{mark}{TESTS}"] = None
            elif name.lower() == "production code":
                found[f"!{TESTS}"] = None
            elif _PATH.match(name) and (len(name) > 2) and not name.endswith("()"):
                found[f"{mark}{name}"] = None
    if language := _LANGUAGE.search(sentence):
        found |= dict.fromkeys(_ENDINGS[language["name"]].split())
    return " ".join(found)


def _alternatives(title: str, decided: str, alternatives: str, ruled: set[str]) -> Iterator[Rule]:
    """Yield the names of the alternatives that were not chosen."""
    chosen = " ".join(s for s in sentences(decided) if _CHOOSES.search(s) and not _GONE.search(s))
    words = _words(f"{title} {chosen}")
    chosen_words = {word for name in words for word in (name.lower(), _plain(name))} - ruled
    chosen_words |= {_plain(word) for chosen in _CHOSEN.finditer(decided) for word in _words(chosen["what"])}
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
    if code and _is_literal(code[1]) and not ruled_commands.command_of(code[1], quoted=True, runs=False, after="", clause=""):
        yield _key(code[1]), LITERAL, code[1]
        return
    for at, match in enumerate(_TERM.finditer(head[:80])):
        written = match["code"] or match["word"]
        if at == 0 and match.start() <= 1 and written.split()[0] in ruled_commands.TOOLS:
            name, _, rest = written.partition(" ")
            if match["code"] or head.strip() == written:
                yield name, COMMAND, rest
        if match["code"]:
            yield from ((term, kind, "") for term, kind in _terms(match["code"], quoted=True))
        elif _DISTINCT.search(match["word"]) or (at and match["word"][0].isupper()):
            yield from ((term, kind, "") for term, kind in _terms(match["word"], quoted=False))
        elif not at and not match.start() and _FIRST.match(head):
            word = _plain(match["word"])
            if len(word) > 3 and word not in _OPENERS and word not in _EVERYWHERE:
                yield word, IMPORT, ""


def _terms(written: str, *, quoted: bool) -> Iterator[tuple[str, str]]:
    """Yield the forms of the name *written*."""
    if quoted and (written.endswith("()") or "." in written.strip(".") or "/" in written):
        yield written.lower(), NAME
        return
    term = _plain(written)
    short_name = len(term) == 2 and written.isupper() and term not in _EVERYWHERE
    if len(term) < 3 and not short_name:
        return
    if not quoted and (term in _OPENERS or term in _EVERYWHERE or _DOING.match(term)):
        return
    if short_name:
        yield term, IMPORT
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
