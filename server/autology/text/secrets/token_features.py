"""The features of a word by itself: its kinds of characters, how often they change, how word-like it is."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets.value_tests import placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

TokenFeatures = tuple[tuple[str, ...], str]
"""The features of a word, and its class."""

_SIGNS = "!#$%&*?@^~+"
_SHAPE = str.maketrans(
    {
        **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "a"),
        **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A"),
        **dict.fromkeys("0123456789", "0"),
        **dict.fromkeys(_SIGNS, "!"),
        "\\": "/",
    }
)
_LENGTHS = (6, 8, 10, 12, 16, 20, 24, 32, 40, 64)
_FORMS = {
    "uuid": r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z",
    "date": r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:T.*)?\Z",
    "time": r"\d{1,2}:\d\d",
    "ip": r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/\d+)?\Z",
    "version": r"\^?~?v?\d+(?:\.\d+)+(?:[-+.]?[A-Za-z][\w.+-]*)?\Z",
    "email": r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z",
    "host": r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?(?:/.*)?\Z",
    "file": r"[\w./-]+\.[a-z][a-z0-9]{0,4}(?::\d+)*\Z",
    "ticket": r"[A-Z]{2,8}-\d+\Z",
    "hex": r"[0-9a-f]{7,}\Z|[0-9A-F]{7,}\Z|0x[0-9a-fA-F]+\Z",
    "snake": r"[A-Za-z]+[0-9]{0,3}(?:[_.-][A-Za-z]+[0-9]{0,3})+\Z",
    "numbered": r"[A-Za-z]+(?:[_-][A-Za-z0-9.]+)*[_.-]?v?[0-9]+(?:\.[0-9]+)*\Z",
    "camel": r"[A-Za-z]?[a-z]+[0-9]{0,2}(?:[A-Z][a-z]+[0-9]{0,2})+\Z",
    "short": r"[A-Za-z]{1,4}[0-9]{1,4}\Z",
    "word number": r"[a-z]+[0-9]{1,3}\Z",
    "name number": r"[A-Z][a-z]+[0-9]{1,4}\Z",
    "unit": r"[0-9]+[A-Za-z]{1,10}\Z",
    "hash": r"sha\d+[-:]|md5|h1:|\$\d|AAAA|pk_|SHA256",
    "technique": r"(?i:sha|aes|rsa|md|utf|base|argon|pbkdf|ed|x|oauth|rfc|iso|http|tls|curve|secp|es|rs|hs|ipv|py"
    r"|python|cve|rtx|gpt|llama|s|w|k|p|win)-?\d",
}
_PLAIN = frozenset("date time ip version email host file ticket snake camel short unit technique numbered".split())
"""Formats that are seldom a secret's."""
_HOLDING = ("test", "key", "token", "user", "http", "www", "id", "api", "com", "auth", "pass", "secret")
_HASHES = frozenset((7, 8, 32, 40, 64, 128))
_PATTERNS = Patterns(
    {**_FORMS, "runs": r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", "changes": r"\d(?=\D)|\D(?=\d)|[a-z](?=[A-Z])"}
)


def squeezed(value: str) -> str:
    """Return the shape of *value* in a, A, 0 and punctuation, each run of one reduced to one character."""
    shape = value.translate(_SHAPE)
    return "".join([sign for sign, before in zip(shape, " " + shape, strict=False) if sign != before])


def token_features(value: str, kind: str, surprise: Callable[[str], float]) -> TokenFeatures:
    """Return the features of *value* and its class; *surprise* returns how unlike a word a run of letters is."""
    if kind == "digits":
        return _of_digits(value)
    if kind == "groups":
        shape = squeezed(value.replace(" ", ""))[:6]
        kinds = f"{any(map(str.isdigit, value)):d}{any(map(str.isupper, value)):d}{any(map(str.islower, value)):d}"
        return (f"tgn{value.count(' ')}", f"tgs{shape}", f"tgk{kinds}"), "g"
    return _of_letters(value, surprise)


def _of_digits(value: str) -> TokenFeatures:
    digits = sum(map(str.isdigit, value))
    features = [f"tdn{digits}", f"tds{squeezed(value)[:8]}", f"tdl{len(value)}"]
    if digits == 4 and value[:2] in ("19", "20"):
        features.append("tdyear")
    if len(set(value)) <= 2:
        features.append("tdfew")
    if value.endswith("00"):
        features.append("tdround")
    if value[0] == "0":
        features.append("tdzero")
    return tuple(features), "g" if " " in value or "-" in value else "d"


def _of_letters(value: str, surprise: Callable[[str], float]) -> TokenFeatures:
    size = len(value)
    shape = squeezed(value)
    digits = sum(map(str.isdigit, value))
    hard = sorted({sign for sign in value if sign in _SIGNS})
    kind = _kind(value, digits, hard)
    runs = [(len(run), surprise(run)) for run in _PATTERNS["runs"].findall(value)]
    letters = sum(length for length, _ in runs) or 1
    mean = sum(length * bits for length, bits in runs) / letters
    changes = len(_PATTERNS["changes"].findall(value)) / size
    longest = max([length for length, bits in runs if bits < 4.2], default=0)
    spoken = int(sum(length for length, bits in runs if bits < 4.2 and length >= 3) / size * 5)
    strange, changing = min(9, int(mean * 1.2)), min(6, int(changes * 12))
    sized = sum(size >= length for length in _LENGTHS)
    forms = [form for form in _FORMS if _PATTERNS[form].match(value)]
    last_digits = value[len(value.rstrip("0123456789")) :]
    features = [f"tk{kind}", f"ts{shape[:10]}", f"tl{sized}", f"tb{strange}", f"tc{changing}", f"tw{spoken}"]
    features += [f"tkb{kind}{strange}", f"tkl{kind}{sized}", f"tkw{kind}{spoken}", f"tkc{kind}{changing}"]
    features += [
        f"tbwc{strange}{spoken}{changing}",
        f"te{shape[:1]}{shape[-1:]}",
        f"te3{shape[-4:]}",
        f"te0{shape[:4]}",
    ]
    features += [f"tlong{min(longest, 10)}", f"ttail{min(len(last_digits), 6)}", f"tdigits{int(digits / size * 6)}"]
    features += [f"thard{sign}" for sign in hard] + [f"tpath{sign}" for sign in "/:=\\" if sign in value]
    if hard:
        features.append(f"thards{min(3, sum(map(value.count, hard)))}")
    if len(last_digits) == 4 and last_digits[:2] in ("19", "20"):
        features.append("tyear")
    for form in forms or ("none",):
        features += [f"tf{form}", f"tf{form}{sized}"]
    if placeholder(value):
        features.append("tplaceholder")
    if "hex" in forms and size in _HASHES:
        features.append(f"thash{size}")
    low = value.lower()
    features += [f"thas{part}" for part in _HOLDING if part in low]
    token_class = _class(size, forms, hard, changes, mean, digits)
    features.append(f"tclass{token_class}")
    return tuple(features), token_class


def _kind(value: str, digits: int, hard: list[str]) -> str:
    """Return which kinds of characters *value* has."""
    kinds = (
        (any(map(str.islower, value)), "l"),
        (any(map(str.isupper, value)), "U"),
        (digits, "d"),
        (hard, "!"),
        (any(map(value.__contains__, "-_.")), "-"),
        (any(map(value.__contains__, "/:=\\")), "/"),
    )
    return "".join(letter for held, letter in kinds if held)


def _class(size: int, forms: list[str], hard: list[str], changes: float, mean: float, digits: int) -> str:
    """Return the class of a word: a hash, generated, of a harmless format, chosen by a person, or another."""
    if "uuid" in forms or "hex" in forms:
        return "x"
    if size >= 20 and changes > 0.15:
        return "M"
    if not hard and not _PLAIN.isdisjoint(forms):
        return "i"
    if changes > 0.2 or mean > 4.5:
        return "m"
    return "s" if hard else "w" if digits else "o"
