"""Localised copies of texts: what they are copies of, by their paths; whether a question is in their language."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SCRIPTS = {
    "zh": r"[\u3400-\u9fff]",
    "ja": r"[\u3040-\u30ff]",
    "ko": r"[\uac00-\ud7af]",
    "ru": r"[\u0400-\u04ff]",
    "uk": r"[\u0400-\u04ff]",
    "ar": r"[\u0600-\u06ff]",
    "fa": r"[\u0600-\u06ff]",
    "he": r"[\u0590-\u05ff]",
    "hi": r"[\u0900-\u097f]",
    "bn": r"[\u0980-\u09ff]",
    "th": r"[\u0e00-\u0e7f]",
    "el": r"[\u0370-\u03ff]",
}
_COMMON = {
    "fr": "le la les des une du est et dans pour avec sur pas que qui comment pourquoi quand où nous quel quelle",
    "de": "der die das den dem des ein eine und ist nicht mit für auf von zu wie warum wann wo wir werden wird man",
    "es": "el la los las una del es en y con para por que qué cómo como cuándo dónde no se su",
    "pt": "o os as um uma do da dos das é em e com para por que como quando onde não se seu",
    "it": "il lo la gli le un una del della è e con per che come quando dove non si",
    "nl": "de het een van en is niet met voor op hoe waarom wanneer waar wij worden",
    "pl": "i w na z do nie jest jak dlaczego kiedy gdzie się oraz dla",
    "tr": "ve bir bu için ile nasıl neden ne nerede değil",
    "vi": "và của là không cho với như thế nào khi các",
    "id": "dan yang di untuk dengan tidak bagaimana kapan dari ini",
    "cs": "a v na s je jak proč kdy kde se není pro",
    "sv": "och är en ett den det inte med för på hur varför när",
}
"""The commonest words of questions, of which two are needed: one may be a word of another language."""
_OTHERS = ("da", "fi", "no", "nb", "hu", "ro", "ca", "sk", "bg", "sr", "hr", "lt", "si", "ta", "ne", "mn", "ms", "tl")
_ALIASES = {"cn": "zh", "tw": "zh", "jp": "ja", "kr": "ko", "br": "pt", "ua": "uk", "cz": "cs", "gr": "el"}
_CODES = frozenset((*_SCRIPTS, *_COMMON, *_OTHERS, *_ALIASES))
_CODE = re.compile(r"(?P<code>[a-z]{2})(?:[-_](?:[a-z]{2}|hans|hant|\d{3}))?\Z", re.IGNORECASE)
_SUFFIX = re.compile(r"(?P<base>.+?)[-_.](?P<code>[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant|\d{3}))?)\Z", re.IGNORECASE)
_MAIN = ("en", "en-US", "en-us", "en_US")
_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 2


def originals(path: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the language that *path* names, and where the text that it is a copy of may lie; None if it names none.

    English is the main language. A name may end in letters that are a language's by chance:
    only if one of the other texts exists is it a copy.
    """
    *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    if (match := _SUFFIX.match(stem)) and (language := _language(match["code"])):
        main = "/".join((*folders, f"{match['base']}{dot}{ending}"))
        return language, (main, *_in_english(folders, match, dot + ending))
    for at, folder in enumerate(folders):
        if language := _language(folder):
            before, after = folders[:at], [*folders[at + 1 :], name]
            others = ([*before, main, *after] for main in _MAIN)
            return language, ("/".join([*before, *after]), *map("/".join, others))
    return None


def is_in(query: str, language: str) -> bool:
    """Whether *query* is in *language*, or in one with the same script."""
    if script := _SCRIPTS.get(language):
        return bool(re.search(script, query)) or (language == "ja" and bool(re.search(_SCRIPTS["zh"], query)))
    common = _COMMON.get(language, "").split()
    return sum(word.lower() in common for word in _WORD.findall(query)) >= _ENOUGH


def _language(text: str) -> str | None:
    match = _CODE.match(text)
    code = match["code"].lower() if match else ""
    return _ALIASES.get(code, code) if code in _CODES else None


def _in_english(folders: list[str], match: re.Match[str], ending: str) -> Iterator[str]:
    for main in _MAIN:
        mark = match[0][len(match["base"])]
        yield "/".join((*folders, f"{match['base']}{mark}{main}{ending}"))
