"""Candidates for the classifier: words of mixed characters, and codes of digits."""

from __future__ import annotations

from itertools import pairwise

from autology.text import Patterns
from autology.text.secrets.value_tests import jumbled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    Span = tuple[int, int]

BRIEF = 1_200
"""Characters of the longest text in which every word is examined; in a longer one, words with digits and more are."""
LEAST, LEAST_LONG, MOST = 6, 8, 128
"""Characters of a candidate: at least, at least in a long text, and at most."""
DIGITS, GROUPED_DIGITS = 4, 3
"""Digits of the shortest code of digits, and of groups of four characters together."""
CUT = 400
"""Characters after which a longer word is cut."""
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&*+-./:=?@\\^_~"
_APART = bytes(code if code in _LETTERS + b"0123456789" else 32 for code in range(256))
"""Maps every byte that is in no word of `tokens` to a space."""
_SHAPE = bytes(
    48 if chr(code).isdigit() else 120 if chr(code).isalpha() else 45 if code in b"_-" else 32 for code in range(128)
) + bytes(128)
"""Maps every digit to 0, every letter to x and the rest of a word to a dash."""
_MASK = bytes(48 if code in b"0123456789" else 120 if code in _LETTERS else 32 for code in range(256))
_VOWELS = frozenset("aeiouyAEIOUY")
_HARD = frozenset("!#$%&*?@^~")
_BEFORE, _AFTER = "*_:=.+?&,-", ".:,?\\"
"""Punctuation that is stripped from the beginning and the end of a word."""
_AFTER_IN_ASCII = _AFTER.encode()
_TOKEN = 4
"""Characters of the shortest of `tokens`."""
_EXPRESSIONS = {
    "token": rf"[!#$%&*+\-./0-9:=?@A-Z\\^_a-z~]{{{_TOKEN},{CUT}}}",
    "digits": r"(?<![\w.,/:+-])[*#A-Z]?\d{3,8}(?:[ -]\d{2,8}){0,8}[*#]?(?![\w/:]|[.,]\d|-\w|%)",
    "groups": r"(?<![\w-])[0-9A-Za-z]{4}(?: [0-9A-Za-z]{4}){1,7}(?![\w-]| \w{4}\b)",
    "hyphens": r"([A-Za-z]{4,6})(?:-[A-Za-z]{4,6}){1,7}",
    "split": r"[=:/@&?%\\|]+|->",
    # NAME=…, --name=…, name:…: only what follows is a candidate.
    "assigned": r"-{0,2}[A-Za-z_$][\w.-]*(?:=(?!=?\Z)|:(?!//)).",
    "base64": r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z0-9+/_-]{24,}={0,2}",
    # UUIDs, dates, versions, regular expressions, words with a number, tickets, algorithms.
    "harmless": r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\d[\d.:/_TZ+-]*[A-Za-z]{0,3}"
    r"|.{0,2}(?:A-Za-z|0-9).*|[a-z]+[-._]?\d{1,2}|[A-Z]+[-._]?\d{1,3}|[A-Z]{2,8}-\d+"
    r"|(?i:sha|rfc|base|utf|aes|hkdf|iso|x|httpx)[-_]?\d{1,4}\b.*|\d{1,4}-?[a-z]{3,12}"
    r"|[A-Za-z]*(?:OAuth2|[Bb]ase64|[Ss]ha\d{1,3}|SHA\d{1,3}|Ed25519|[Xx]509|[Uu]tf8|[Ii]nt\d\d|[Ff]loat\d\d)[A-Za-z]*",
    "words": r"(?<![a-z0-9])[a-z]{4,}(?![a-z0-9])",
    "hash": r"[0-9a-f]{7,}|0x[0-9A-Fa-f]+|.*\.[a-z]{1,5}(?:[#:].*)?|.*@\d[\d.]*",
    "mark": r"\[redacted:[a-z0-9-]{1,40}\]",
    "public": r"-----BEGIN (?:[A-Z ]{0,20}PUBLIC KEY[A-Z ]{0,20}|CERTIFICATE[A-Z ]{0,20}|PGP (?:MESSAGE|SIGNATURE))"
    r"-----[^-]{0,20000}|;base64,[A-Za-z0-9+/=]*",
}
_DIGIT = rb"0(?:0*x|(?<=x0))"
PATTERNS = Patterns(_EXPRESSIONS)
_of_bytes: list[re.Pattern[bytes]] = []


def candidates(text: str, near: Sequence[Span] | None = None) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of words in *text* that are not natural language, each with `token`, `digits` or `groups`.

    In a long text, only those in the spans *near*, if given.
    """
    text = without_public(text)
    if len(text) <= BRIEF:
        for start, stop in tokens(text):
            for first, last in parts(text, start, stop):
                yield first, last, "token"
        yield from digits(text)
        return
    for start, stop in _with_digits(text, [(0, len(text))] if near is None else near):
        for first, last in parts(text, start, stop):
            if last - first >= LEAST_LONG and not _named(text[first:last]):
                yield first, last, "token"


def without_public(text: str) -> str:
    """Return *text* with spaces for what is public: certificates, public keys and images."""
    if "-----BEGIN" in text or ";base64," in text:
        return PATTERNS["public"].sub(lambda match: " " * len(match[0]), text)
    return text


def words(text: str) -> list[bytes]:
    """Return what stands between the characters of *text* that are in no word, each of which has one byte here."""
    return text.encode("utf-8", "surrogatepass").translate(_APART).split(b" ")


def is_plain(word: bytes) -> bool:
    """Whether a *word* of `words` is in none of `tokens`, as most are: this is seen in a fifth of their time."""
    value = word.rstrip(_AFTER_IN_ASCII)
    return len(word) < _TOKEN or (value.isalpha() and (value.islower() or value.istitle()))


def tokens(text: str) -> Iterator[Span]:
    """Yield the spans of the words of a brief text, without plain ones."""
    for match in PATTERNS["token"].finditer(text):
        value = match[0].rstrip(_AFTER)
        if not value.isalpha() or not (value.islower() or value.istitle()):
            yield match.span()


def digits(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the spans of codes of digits, and of groups of four characters, in a brief text."""
    if text.isascii():
        shapes = text.encode("ascii").translate(_SHAPE)
        if (count := shapes.count(b"0")) < GROUPED_DIGITS:
            return  # most texts
        codes = _codes(text, shapes) if count >= DIGITS else iter(())
        has_groups = _may_have_groups(shapes)
    else:
        codes, has_groups = PATTERNS["digits"].finditer(text), True
    for match in codes:
        if sum(map(str.isdigit, match[0])) >= DIGITS:
            yield (*match.span(), "digits")
    for match in PATTERNS["groups"].finditer(text) if has_groups else ():
        if _grouped(match[0]):
            yield (*match.span(), "groups")


def _codes(text: str, shapes: bytes) -> Iterator[re.Match[str]]:
    """Yield the codes of digits in *text*, whose *shapes* are known: each has three digits first or a sign before."""
    done = 0
    at = shapes.find(b"000")
    while at >= 0:
        match = PATTERNS["digits"].match(text, at - 1) if at > done else None
        if match := match or PATTERNS["digits"].match(text, at):
            yield match
            done = match.end()
        else:
            done = at + len(shapes[at : at + CUT]) - len(shapes[at : at + CUT].lstrip(b"0"))
        at = shapes.find(b"000", done)


def _may_have_groups(shapes: bytes) -> bool:
    """Whether there are two words of four characters side by side, one of them with a digit."""
    if not any(len(shape) == 4 and b"0" in shape and b"-" not in shape for shape in set(shapes.split())):
        return False
    fours = [len(shape) == 4 and (1 + (b"0" in shape)) for shape in shapes.split(b" ")]
    return any(one and other and one + other > 2 for one, other in pairwise(fours))


def _with_digits(text: str, near: Sequence[Span]) -> Iterator[Span]:
    """Yield the words of a long text with a digit next to another character, which is what is searched."""
    if not _of_bytes:
        import re

        _of_bytes.append(re.compile(_DIGIT))
    mask = text.encode("latin-1", "replace").translate(_MASK)
    search = _of_bytes[0].search
    harmless = PATTERNS["harmless"].fullmatch
    done = 0
    for first, last in near:
        match = search(mask, max(first, done), last)
        while match:
            at = match.start()
            start, done = mask.rfind(b" ", 0, at) + 1, mask.find(b" ", at)
            done = len(mask) if done < 0 else done
            # Paths and addresses are frequent in a long text; rules cover those that are assigned to a name.
            if (
                LEAST_LONG <= done - start <= 400
                and text.find("/", start, done) < 0
                and not harmless(text, start, done)
            ):
                for token in PATTERNS["token"].finditer(text[start:done]):
                    yield start + token.start(), start + token.end()
            match = search(mask, done, last)


def parts(text: str, start: int, stop: int) -> Iterator[Span]:
    """Yield the candidates in a word: the whole, what follows its first separator, and the parts between separators.

    They depend on the word alone, unless it is as long as the longest of `tokens`, which may be cut.
    """
    start, stop = _stripped(text, start, stop)
    value = text[start:stop]
    if len(value) < LEAST:
        return
    address = "://" in value
    spans = set()
    if not address and not PATTERNS["assigned"].match(value) and _odd(value):
        spans.add((start, stop))
    cut = PATTERNS["split"].search(value)
    if cut and not (len(value) >= 24 and PATTERNS["base64"].fullmatch(value)):
        edges = [start]
        for sign in PATTERNS["split"].finditer(text, start, stop):
            edges += sign.span()
        edges.append(stop)
        between = list(zip(edges[::2], edges[1::2], strict=True))
        if not address:
            between.append((start + cut.end(), stop))
        spans |= {
            span
            for span in (_stripped(text, *part) for part in between if part[1] - part[0] >= LEAST)
            if _odd(text[slice(*span)])
        }
    elif value[0] == "p" and text[start - 1 : start] == "-" and _odd(value[1:]):
        spans.add((start + 1, stop))
    yield from sorted(spans)


def _stripped(text: str, start: int, stop: int) -> Span:
    while start < stop and text[start] in _BEFORE:
        start += 1
    while stop > start and text[stop - 1] in _AFTER:
        stop -= 1
    if text[start - 1 : start] in ("*", "_"):
        while stop > start and text[stop - 1] in "*_":
            stop -= 1
    return start, stop


def _odd(value: str) -> bool:
    """Whether *value* mixes letters with digits or punctuation, or has capitals as no name has."""
    if not LEAST <= len(value) <= MOST or value.isdigit():
        return False
    if any(map(str.isdigit, value)):
        return any(map(str.isalpha, value)) and PATTERNS["harmless"].fullmatch(value) is None
    if value.isalpha():
        return jumbled(value)
    if PATTERNS["hyphens"].fullmatch(value):
        return _drawn(value.split("-"))
    return not _HARD.isdisjoint(value[1:]) and any(map(str.isalpha, value))


def _drawn(parts: list[str]) -> bool:
    """Whether *parts* have one length and are not all words: one has no vowel, or capitals inside."""
    if len({len(part) for part in parts}) > 1:
        return False
    words = (part.islower() or part.isupper() or part.istitle() for part in parts)
    return not all(words) or any(_VOWELS.isdisjoint(part) for part in parts)


def _named(value: str) -> bool:
    """Whether *value* is a name of words and numbers, a path or a hash, which are frequent in a long text."""
    if value.islower() and _HARD.isdisjoint(value) and PATTERNS["words"].search(value):
        return True
    return PATTERNS["hash"].fullmatch(value) is not None


def _grouped(value: str) -> bool:
    """Whether groups of four characters have letters and enough digits, in half of the groups or more."""
    parts = value.split(" ")
    digits = [sum(map(str.isdigit, part)) for part in parts]
    return sum(digits) >= GROUPED_DIGITS and sum(map(bool, digits)) * 2 >= len(parts) and any(map(str.isalpha, value))
