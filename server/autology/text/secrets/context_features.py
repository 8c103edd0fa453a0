"""The features of a word's context: words such as "password", punctuation, the lines above and below."""

from __future__ import annotations

from autology.text import Patterns
from autology.text.secrets.token_features import squeezed

TYPE_CHECKING = False
if TYPE_CHECKING:
    pass

_WORDS = {
    "pass": "pass pwd| |pw| pwds| |pws| _pw| mdp mot~de~pass contrase senha парол hasło haslo heslo kennwort wachtwoord"
    " lösenord losenord adgangskod salasana şifre sifre jelszó jelszo パスワード 密码 密碼 口令 비밀번호 암호 |clave"
    " mật~khẩu كلمة סיסמ पासवर्ड รหัส κωδικ",
    "key": "key| keys| secret token |cred schlüssel clé chave ключ секрет токен 密钥 令牌 キー トークン |psk| |salt"
    " pepper |seed mnemonic wallet xprv hmac encrypt decrypt unseal fernet keystore |jwt| luks protect enrol licen",
    "code": "|pin| |puk| |code otp 2fa mfa totp recovery backup~code unlock keypad alarm |door |gate| garage locker|"
    " |safe| combination voicemail |код codice código türcode pincode vault passcode pairing disarm |opens| verif sperr"
    " one-time einmal",
    "user": "log~in log-in login logged~in logon sign~in signing~in |user |account |accounts| |acct zugang anmeld admin"
    " |root| |auth benutzer usuario usuário utente utilisateur identifi логин inloggen gebruiker konto bearer cookie"
    " session |sid| sudo curl ssh basic rcon |rdp| remote member isql kinit",
    "wifi": "wifi wi-fi wlan ssid hotspot |wpa wireless vpn",
}
"""Cue words near secrets, by category; a bar stands for a word boundary, a tilde for a space."""
_NOT = ("passed", "passes", "passing", "passive", "passion", "passage", "passenger", "passport", "passen")
_CUES: list[tuple[str, bool, str, bool, bool]] = []
_ABOVE, _LINE, _AFTER = 120, 160, 100
"""Characters of a line that are examined."""
_MARKS = "->*#|`+ \t$.)0123456789"
_EXPRESSIONS = {"word": r"[^\W\d_]+", "camel": r"(?<=[a-z])(?=[A-Z])", "signs": r"\w+"}
_PATTERNS = Patterns(_EXPRESSIONS)


def context_features(text: str, low: str, start: int, stop: int, token_class: str) -> list[str] | None:
    """Return the features of the context of the word from *start* to *stop*; None without a cue word nearby."""
    line = max(low.rfind("\n", max(0, start - _LINE), start) + 1, start - _LINE, 0)
    end = _end(low, stop, _AFTER)
    above = max(low.rfind("\n", max(0, line - _LINE), max(0, line - 1)) + 1, line - _LINE, 0)
    higher = max(low.rfind("\n", max(0, above - _ABOVE), max(0, above - 1)) + 1, above - _ABOVE, 0)
    below = _end(low, min(len(low), end + 1), _AFTER - 10)
    near = _cues_in(low, higher, below)
    if not near:
        return None
    before, after = low[line:start], low[stop:end]
    features = _edges(before, after, token_class)
    features += _words(text[line:start], text[stop:end], text[above : max(above, line - 1)], token_class)
    features += _cue_features(near, (above, line, start, stop, end), before, token_class)
    words = before.split()
    features.append("pt" + squeezed(text[line:start].rsplit(maxsplit=1)[-1])[:8] if words else "pt^")
    if "@" in before[-60:]:
        features.append("mail" + token_class)
    if before.count(".") >= 3 and any(part.count(".") == 3 and part[0].isdigit() for part in words):
        features.append("ip" + token_class)
    head = before.lstrip()
    features.append("st" + "".join(map(_plain, head[:2])))
    features.append(f"code{min(5, sum(map((before + after).count, '(){};=<>[]')))}{token_class}")
    features.append(f"in{min((len(before) - len(head)) // 2, 4)}")
    return features


def _end(low: str, at: int, limit: int) -> int:
    end = low.find("\n", at, at + limit)
    return end if end >= 0 else min(len(low), at + limit)


def _plain(sign: str) -> str:
    return "a" if sign.isalpha() else "0" if sign.isdigit() else sign


def _edges(before: str, after: str, token_class: str) -> list[str]:
    """Return the features of the punctuation on both sides."""
    bare = before.rstrip()
    gap = len(before) - len(bare)
    last, second = _plain(bare[-1:]) if bare else "^", _plain(bare[-2:-1]) if len(bare) > 1 else ""
    follow, next_ = _plain(after[:1]) if after else "$", _plain(after[1:2]) if len(after) > 1 else ""
    alone = not bare.strip(_MARKS) and not after.strip("|`' \t\r\\,;")
    return [
        f"p{last}{min(gap, 2)}",
        f"pp{second}{last}{min(gap, 1)}",
        f"n{follow}",
        f"nn{follow}{next_}",
        f"pn{last}{follow}",
        f"ps{last}{token_class}",
        f"ns{follow}{token_class}",
        f"al{alone:d}{token_class}",
    ]


def _words(before: str, after: str, above: str, token_class: str) -> list[str]:
    """Return the features of the words before and after on the line, and of those on the line above."""
    features = []
    words = _spelled(before)[-6:][::-1]
    for distance, word in enumerate(words):
        features += ["b" + word[:12], f"b5{word[:5]}{token_class}"]
        if distance < 3:
            features.append(f"b{min(distance, 1)}{word[:7]}")
    follow = _spelled(after)[:5]
    features += ["a" + word[:7] for word in follow]
    if follow:
        features.append("a0" + follow[0][:7])
    upper = _spelled(above)[-8:]
    features += ["u" + word[:7] for word in upper]
    if not words:
        features += ["uu" + word[:7] for word in upper[-3:]]
    return [*features, f"nb{min(len(words), 4)}", f"na{min(len(follow), 4)}"]


def _spelled(part: str) -> list[str]:
    return _PATTERNS["word"].findall(_PATTERNS["camel"].sub(" ", part).lower())


def _cue_features(
    near: list[tuple[int, int, str]], edges: tuple[int, int, int, int, int], before: str, token_class: str
) -> list[str]:
    """Return the features of the cue words: on the line before and after, above and below."""
    above, line, start, stop, end = edges
    ahead = [(at, last, name) for at, last, name in near if at >= line and last <= start]
    behind = {name for at, _, name in near if stop <= at < end}
    upper = {name for at, _, name in near if above <= at < line}
    higher = {name for at, _, name in near if at < above}
    lower = {name for at, _, name in near if at >= end}
    features = [f"ta{name}{token_class}" for name in behind] + [
        f"tu{name}{token_class}{bool(ahead):d}" for name in upper
    ]
    features += [f"tv{name}{token_class}{bool(ahead or upper):d}" for name in higher]
    features += [f"td{name}{token_class}{bool(ahead or upper):d}" for name in lower]
    if not (ahead or behind or upper):
        features.append("tnone" + token_class)
    if not ahead:
        return [*features, "tb0" + token_class]
    for name, last in {name: last for _, last, name in ahead}.items():
        away = sum(start - last > limit for limit in (2, 8, 20, 45))
        features += [f"tb{name}{away}", f"tb{name}{away}{token_class}"]
    last, name = ahead[-1][1:]
    between = before[last - line :]
    signs = "".join(dict.fromkeys(_PATTERNS["signs"].sub("w", between)))
    features += [f"T{name}{token_class}", f"tw{signs[-8:]}{name}", f"tn{min(4, len(between.split()))}{token_class}"]
    return features + ["tm" + word[:7] for word in _spelled(between)[:6]]


def _cues_in(low: str, start: int, stop: int) -> list[tuple[int, int, str]]:
    """Return the positions and categories of the cue words from *start* to *stop*, in order."""
    cues = []
    plain = low[start:stop].isascii()
    for word, ascii_, name, begins, ends in _cues():
        if plain and not ascii_:
            continue
        at = low.find(word, start, stop)
        while at >= 0:
            last = at + len(word)
            inside = (begins and at and low[at - 1].isalnum()) or (ends and low[last : last + 1].isalpha())
            if not inside and not (word == "pass" and low.startswith(_NOT, at)):
                cues.append((at, last, name))
            at = low.find(word, last, stop)
    return sorted(cues)


def _cues() -> list[tuple[str, bool, str, bool, bool]]:
    """Return the cue words: whether in ASCII, the category, whether a boundary must precede and follow."""
    if not _CUES:
        for name, words in _WORDS.items():
            for word in words.split():
                plain = word.strip("|").replace("~", " ")
                _CUES.append((plain, plain.isascii(), name, word[0] == "|", word[-1] == "|"))
    return _CUES
