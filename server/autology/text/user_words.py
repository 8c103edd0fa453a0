"""A user's own words in a prompt, without what was pasted, quoted or generated."""

from __future__ import annotations

from itertools import islice

from autology.text import Patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_READ = 100_000
"""Characters of a prompt that are examined."""
_LONGEST = 8_000
"""Characters of own words in which quotations are recognised."""
_SOME = 20_000
"""Characters in which quotations and errors are searched."""
_LINE = 240
"""Characters taken of a line that names an error."""
_SIGNS = ("error", "exception", "err!", "fatal", "fault", "panicked", "failed", "refused", "denied", "blocked")
"""Every line that names an error has one of these; searching them is faster than compiling the pattern."""
_ENDING = 8
"""Characters of a file's extension."""
_ERRORS = 3
"""Lines taken that name an error: what follows is the traceback."""
_LIST = 6
"""Items of a list from which it is a document, not a request."""

# Compiled on first use: a prompt that is skipped needs none of them.
_EXPRESSIONS = {
    "machine": r"<(?:[a-z]+[-_][a-z_-]+)>",
    "log": r"(?i)(?:\[?\d{4}-\d\d-\d\d[t ]\d\d:|\[?\d\d:\d\d:\d\d|\[[\w. -]{2,20}\]"
    r"|(?:npm|yarn|pnpm|hint|note|help|warning|info|error|debug|trace|fatal|remote|caused by|make|cargo|e|w)\b"
    r"[^ ]{0,24}(?: err!| warn)?[:!\]]|npm (?:err|warn)|(?:\w+\.)*\w*(?:error|exception)\b:"
    r'|file ".*", line|traceback \(|during handling|the above exception|-->|\$ |>>> |\+\+\+ |--- |@@ |[|+] |\d+ \|'
    r"|=+ |at [\w.$<>]+ ?\(|[\w./-]+\.\w{1,5}:\d+|given |when .* i |then |scenario|feature:)",
    "story": r"(?i)user story\b|as an? \w[\w -]{0,30},? i (?:want|need|can|would)\b",
    "quote": r"`[^`\n]*`|\"[^\"\n]{2,}\"|“[^”\n]{0,500}”|«[^»\n]{0,500}»|(?<!\w)'[^'\n]{2,}'(?!\w)",
    # A text to work on follows.
    "given": r"(?is)\b(?:blog post|text|paragraph|sentence|comment|message|email|ticket|docs?|docstring|story|readme"
    r"|announcement)\b(?:[^.:\n]|\.\w){0,40}:\s.*",
    "inside": r"`([^`\n]{2,120})`|\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)",
    "error": r"\b(?:\w{1,60}\.){0,8}\w{0,60}(?:Error|Exception|ERR!|ERROR|FATAL|FAILED)(?!\w).*|Segmentation fault.*"
    r"|\b(?:error|fatal|panicked|failed|refused|denied|blocked)\b[^:]{0,30}:.*",
    "sentence": r"(?<=[.!?;])\s+|\n|\s[-–—]\s",
    "word": r"[^\W_][\w'’]*(?:[-./:][^\W_][\w'’]*)*",
}
_patterns = Patterns(_EXPRESSIONS)
_MARKS_APART = str.maketrans(dict.fromkeys("',()!;:", " "))
_PUNCTUATION = frozenset(":[$>+-@|(=")
_HAS_DIGIT = frozenset("0123456789")


def by_machine(prompt: str) -> bool:
    """Whether the client or a program wrote *prompt*, or it is a command to the client."""
    start = prompt.lstrip()[:200]
    if start.startswith(("/", "!", "[Request interrupted", "Caveat: ")):
        return True
    return start.startswith("<") and _patterns["machine"].match(start) is not None


def own_words(prompt: str) -> str:
    """Return the person's own words in *prompt*: without pasted code, quotations, logs and lists."""
    lines: list[str] = []
    fence = ""
    listed = 0
    in_document = False
    for line in prompt[:_READ].splitlines():
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
            continue
        in_document = bool(bare) and (in_document or bare.startswith("#"))
        if fence or in_document or not bare or _is_pasted(line, bare):
            continue
        listed = listed + 1 if _is_item(bare) else 0
        if listed == _LIST:
            del lines[1 - _LIST :]
        if listed < _LIST:
            lines.append(bare)
    own = "\n".join(lines).replace("’", "'")
    if len(own) > _LONGEST:
        return own  # a document, whatever it quotes
    if _has_quote(own):
        own = _patterns["quote"].sub(" ", own)
    return (_patterns["given"].sub(" ", own) if ":" in own else own).strip()


def named_inside(prompt: str) -> Iterator[str]:
    """Yield what *prompt* quotes within a line, and the first lines that name an error."""
    head = prompt[:_SOME]
    if _has_quote(head):
        for match in _patterns["inside"].finditer(head):
            yield next(part for part in match.groups() if part)
    yield from errors(prompt)


def errors(prompt: str) -> list[str]:
    """Return the first lines of *prompt* that name an error, from its name on."""
    lower = prompt[:_SOME].lower()
    if not any(sign in lower for sign in _SIGNS):
        return []
    matches = (_patterns["error"].search(line[:_LINE]) for line in prompt[:_SOME].splitlines())
    return [match[0] for match in islice(filter(None, matches), _ERRORS)]


def logged(prompt: str) -> list[str]:
    """Return the first lines of a log in *prompt*, without words that hold a digit, if none names an error."""
    if "\n" not in prompt[:_SOME] or errors(prompt):
        return []
    lines = (line.strip() for line in prompt[:_SOME].splitlines())
    log = islice((bare for bare in lines if bare and _is_logged(bare)), _ERRORS)
    return [" ".join(word for word in bare[:_LINE].split() if not _HAS_DIGIT.intersection(word)) for bare in log]


def sentences(lower: str) -> Iterator[list[str]]:
    """Yield the words of each sentence, without punctuation except the question mark; "didn't" is "didnt"."""
    for sentence in _patterns["sentence"].split(lower):
        plain = sentence.replace("n't", "nt").replace("?", " ? ").replace(". ", " ").translate(_MARKS_APART)
        if words := plain.removesuffix(".").split():
            yield words


def plain_words(lower: str) -> Iterator[str]:
    """Yield every word that :func:`sentences` yields, without sentences, and perhaps more."""
    return iter(lower.replace("n't", "nt").replace("?", " ").replace(".", " ").translate(_MARKS_APART).split())


def words_of(text: str) -> list[str]:
    """Return the words of *text*, in order; a path, an option or a dotted name is one."""
    return [word for word in _patterns["word"].findall(text) if len(word) > 1 or not word.isascii()]


def files_in(words: Iterable[str]) -> list[str]:
    """Return those of *words* that name files: `src/upload.ts`, `upload.ts`, not `v1.2`, `e.g` or `and/or`."""
    names = (word.rstrip("/.").partition(":")[0] for word in words)
    return list(dict.fromkeys(word for word in names if _is_file(word)))


def _is_file(word: str) -> bool:
    name = word.rpartition("/")[2]
    stem, dot, ending = name.rpartition(".")
    return (
        bool(dot)
        and len(stem) > ("/" not in word)
        and 1 <= len(ending) <= _ENDING
        and ending.isalnum()
        and not ending[0].isdigit()
    )


def _is_pasted(line: str, bare: str) -> bool:
    if bare[0] in ">#|<{}" or line.startswith(("    ", "\t")):
        return True
    # Compiling a pattern takes longer than checking whether it is needed.
    if bare[:11].lower().startswith(("as a", "user story")) and _patterns["story"].match(bare):
        return True
    return _is_logged(bare)


def _is_logged(bare: str) -> bool:
    return not _PUNCTUATION.isdisjoint(bare) and _patterns["log"].match(bare) is not None


def _is_item(bare: str) -> bool:
    return bare[0] in "-*•" or (bare[0].isdigit() and bare.lstrip("0123456789")[:1] in (".", ")"))


def _has_quote(text: str) -> bool:
    return any(mark in text for mark in "`\"'“«")
