"""Whether a value is likely to be a secret: random, chosen by a person, or a mere placeholder."""

from __future__ import annotations

from autology.text import Patterns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LOOKED_AT = 200
"""Characters of a value that are examined."""

_WORDS = frozenset(
    "password passwd pass pwd secret token user username admin root postgres mysql guest test testing none null true"
    " false string required optional number boolean bytes object key apikey api_key bearer basic hidden masked".split()
)
_FILLER = r"your|xxxx|\*{4}|\.{4}|_{4}|placeholder|change-?_?me|redacted|123456789|abcdefghij|qwertyuiop"
_EXPRESSIONS = {
    "filler": _FILLER,
    "elsewhere": r"replace|insert|todo|fixme|not-?a?-?real|undefined|environ|getenv|(?:secrets|process|config|settings"
    r"|self|this|args)\.|(?:vault|ssm|arn|file|keychain|env):|op://|ref\+|secretsmanager|\$\{|\{\{|\$\(|<%|" + _FILLER,
    # A reference to the secret: $NAME, ${NAME}, %NAME%, <name>, [name], @NAME@, !Ref Name.
    "pointer": r"\$[A-Za-z_][\w.]*\Z|\$?\{.*\}\Z|%[A-Za-z_]\w*%\Z|%[sdvr]\Z|<[^<>]*>\Z|\[[^\]]*\]\Z|@\w+@\Z"
    r"|@[./~]|![A-Z]\w+|[#:][A-Za-z_-]+\Z",
    # Words of examples only, alone.
    "example": r"(?<![a-z0-9])(?:examples?|dummy|fake|sample|mock|foobar|my)(?![a-z0-9])",
    "changes": r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])|[A-Z](?=[a-z])",
    # A name or a path in a program: user.password, settings/auth.py, get_token2.
    "code": r"[A-Za-z_$][A-Za-z_]{0,40}+[0-9]{0,2}+"
    r"(?:(?:\.|::|->|/|-)[A-Za-z_$][A-Za-z_]{0,40}+[0-9]{0,2}+){0,8}[.:;,]?",
    "word": r"[A-Z][a-z]{3}",
    "parts": r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+",
    "technique": r"(?:base\d+|sha-?\d+|md5|utf-?\d+|argon2(?:id|[id])?|pbkdf2|aes|rsa|x509|oauth2|http\d?|v\d)"
    r"(?![a-z0-9])|(?:rfc|iso|cve|es|rs|hs|ps|ed|curve|secp|chacha|blake|aes|issue|port|tls|ipv|sha|hmac)[-_]?\d",
    # v1.2.3, 2024-01-02T10:00, 12px, app-v2.1.0, file.py:12: a version, a time or a size by its form.
    "named": r"v?\d+(?:[.:/_-]\d+)+(?:[-+.TZ][\w.:+-]*)?|[a-z]+(?:[._-][a-z]+)*(?:[._-]v?\d+|v?\d{1,2})(?:\.\d+)*"
    r"(?:\.[a-z]{1,4})?(?::\d+)?"
    r"|\d+[a-z]{1,12}|[A-Za-z]+\d{0,2}(?:_[A-Za-z]+\d{0,2})+",
    # OAuth2Client, getUser2Name
    "camel": r"(?:[A-Z]{1,5}|[A-Z]?[a-z]{3,20}|[0-9]{1,2}){2,10}",
    # name@1.2.3, ann@example.com
    "package": r"@\^?~?v?\d+(?:\.|\Z)|@[\w-]+\.[a-z]",
    "sign": r"[A-Za-z0-9][!#$%^&*?~+@]|[!$^&*?~@][A-Za-z0-9]",
    "wordy": r"(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?:[A-Za-z][a-z]{2,14}[._-]?){1,4}[0-9]{2,5}[!#?*$.]?",
    "dotted": r"(?!com|org|net|io|www|dev)[a-z]{3,12}(?:\.[a-z]{3,12}){3,7}(?<!\.com|\.org|\.net|html|\.php"
    r"|\.log|\.txt)",
    "prose": r"https?:|\w\(|[<>{}=\[\]`|]|->|\b\d+-(?:char|bit|byte|digit)",
    "uuid": r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
}
_SAYING = frozenset(
    "a an the this that these it its is are was were be been has have had must may can could should would will shall"
    " do does not no none of for from to in on at by with without as or and but if when where how what which who whose"
    " why than your you my our their his her we they he she user users name names field fields value values"
    " text string strings"
    " enter type typed input please forgot forgotten reset change changed changes new old current confirm repeat again"
    " wrong invalid incorrect missing required optional default min max minimum maximum least most between length long"
    " short weak strong char chars character characters letter letters digit digits number numbers symbol symbols"
    " word words random secure secret secrets password passwords passphrase pass token tokens key keys auth hash hashed"
    " encrypted encrypt encrypts decrypt decrypts encryption manager policy login logged sign vault keychain env"
    " environment variable file files path stored saved kept see used use uses using set sets get gets given same"
    " only always never also per each every all any some one two three four day days hour hours minute minutes year"
    " years expire expires expired rotate rotated bits bit bytes byte base64 hex uuid example note true false null"
    " error failed failure ok yes generated generate database db server client api account admin config option"
    " options method function argument parameter prompt prompts shown hidden masked visible empty blank copy paste"
    " sent send ask asks via email mail link support before after during then else".split()
)
"""Words of sentences about passwords, and hardly of a passphrase."""
_PATTERNS = Patterns(_EXPRESSIONS)


def placeholder(value: str) -> bool:
    """Whether *value* is a placeholder for a secret."""
    low = value[:LOOKED_AT].lower()
    return (
        low in _WORDS
        or len(set(low)) <= 3
        or _PATTERNS["elsewhere"].search(low) is not None
        or (value[0] in "$%<[@!{#:" and _PATTERNS["pointer"].match(value[:LOOKED_AT]) is not None)
        or _PATTERNS["example"].search(low) is not None
    )


def filler(value: str) -> bool:
    """Whether *value* is filler text for a secret: xxxx, ****, 123456789."""
    low = value[:LOOKED_AT].lower()
    return len(set(low)) <= 3 or _PATTERNS["filler"].search(low) is not None


def random(value: str, least: int) -> bool:
    """Whether *value* is long and mixed enough to be random."""
    if len(value) < least or len(set(value[:LOOKED_AT])) < 8:
        return False
    if value.isdigit():
        return len(value) >= 20
    if value.isalpha():
        # Letters only: random ones are capital as often as not, a person's at the beginning of words.
        head = value[:LOOKED_AT]
        return len(value) >= 20 and 0.3 < sum(map(str.isupper, head)) / len(head) < 0.7 and not _spoken(value)
    # Random text switches often between letters and digits; names and dates once or twice.
    head = value[:LOOKED_AT]
    return len(_PATTERNS["changes"].findall(head)) >= max(4, len(head) // 8) and not (code(value) or _spoken(value))


def chosen(value: str, literal: bool) -> bool:
    """Whether *value* may be a password that a person chose; *literal*: it cannot be a variable's name."""
    if " " in value or value[0] in "/~." or not (literal or not code(value)):
        return False
    head = value[:LOOKED_AT]
    kinds = (str.islower, str.isupper, str.isdigit)
    mixed = [any(map(kind, head)) for kind in kinds] + [not head.isalnum()]
    return sum(mixed) >= 2 and (mixed[2] or (mixed[3] and not code(value)))


def strong(value: str) -> bool:
    """Whether *value* can hardly be a word of a sentence: digits among letters, or punctuation with them."""
    if len(value) < 6 or not chosen(value, literal=True) or technique(value):
        return False
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and not value[0].isdigit()


def sure(value: str) -> bool:
    """Whether *value* is a secret even in an unspecific sentence: strong, not a name, a path or a date."""
    if len(value) < 8 or len(value) > 200 or placeholder(value) or code(value) or "://" in value or value[0] in "/~.-":
        return False
    if not chosen(value, literal=True) or technique(value) or uuid(value):
        return False
    if not any(map(str.isdigit, value)) or sum(map(str.isalpha, value)) < 3 or _PATTERNS["named"].fullmatch(value):
        return False
    return random(value, 8) or value[0].isalpha() or len(_PATTERNS["changes"].findall(value)) >= 3


def hard(value: str) -> bool:
    """Whether *value* is a password anywhere near a word for one: letters of both cases alternating with digits, or
    punctuation, and not like code, versions, addresses or paths."""
    if not 8 <= len(value) <= 64 or not value.isascii() or value[0] in "#@-+~/.%&=$^" or value[-1] in "([{=":
        return False
    if any(map(value.__contains__, "=/\\<>{}()[]|:")) or not any(map(str.isdigit, value)):
        return False
    if sum(map(str.isalpha, value)) < 3 or placeholder(value) or code(value) or technique(value) or uuid(value):
        return False
    if _PATTERNS["named"].fullmatch(value.lower()) or _PATTERNS["package"].search(value):
        return False
    if _PATTERNS["camel"].fullmatch(value):
        return False
    changes = len(_PATTERNS["changes"].findall(value))
    signed = _PATTERNS["sign"].search(value) is not None
    cased = any(map(str.isupper, value)) and any(map(str.islower, value))
    return signed or (cased and changes >= 3 and not _spoken(value))


def wordy(value: str) -> bool:
    """Whether *value* is like people's passwords: a capital among letters, two digits, perhaps a sign: Maple42."""
    return _PATTERNS["wordy"].fullmatch(value) is not None and not placeholder(value) and not technique(value)


def jumbled(value: str) -> bool:
    """Whether *value* is letters only, with capitals as in no word: BLCOpwTHQUmF."""
    if not (8 <= len(value) <= LOOKED_AT and value.isascii() and value.isalpha()) or value.isupper():
        return False
    return len(_PATTERNS["parts"].findall(value)) * 3.2 > len(value) and len(_PATTERNS["changes"].findall(value)) >= 3


def passphrase(value: str, least: int = 4) -> bool:
    """Whether *value* is *least* or more words without a meaning together: correct horse battery staple."""
    if _PATTERNS["dotted"].fullmatch(value):
        value = value.replace(".", " ")
    if " " not in value and "_" in value:
        value = value.replace("_", " ")
    words = value.split(" ") if " " in value else value.split("-")
    if not least <= len(words) <= 24 or not all(2 <= len(word) <= 14 and word.isalpha() for word in words):
        return False
    return all(word.islower() for word in words[1:]) and _SAYING.isdisjoint(word.lower() for word in words)


def unlikely_words(words: Sequence[str]) -> int:
    """Return how many of *words*, from the first on, say nothing together: lower case, none that sentences need."""
    count = 0
    for word in words:
        if not (3 <= len(word) <= 12 and word.isascii() and word.isalpha() and word.islower()) or word in _SAYING:
            break
        count += 1
    return count


def odd(value: str) -> bool:
    """Whether *value* is words, numbers and signs unlike an instruction: green tea, 7 cups!"""
    words = [word.strip(".,;:!?\"'()").lower() for word in value.split()]
    if not 2 <= len(words) <= 10 or len(value) > 80 or not any(map(str.isdigit, value)):
        return False
    return _SAYING.isdisjoint(words) and not placeholder(value) and _PATTERNS["prose"].search(value) is None


def technique(value: str) -> bool:
    """Whether *value* names an algorithm, a standard or an issue number: argon2id, RFC7519."""
    return _PATTERNS["technique"].match(value.lower()) is not None


def code(value: str) -> bool:
    """Whether *value* is a name or a path in a program."""
    return len(value) <= 400 and _PATTERNS["code"].fullmatch(value) is not None


def _spoken(value: str) -> bool:
    """Whether *value* consists of words and numbers of some length: Ed25519PrivateKey."""
    last = value.rpartition(".")[2] if value[:1].isalpha() else value
    if len(last) >= 40 or not _PATTERNS["word"].search(last):
        return False
    return len(_PATTERNS["parts"].findall(last)) * 3.2 <= len(last)


def uuid(value: str) -> bool:
    """Whether *value* is a UUID: usually an identifier, seldom a secret."""
    return len(value) == 36 and _PATTERNS["uuid"].fullmatch(value) is not None
