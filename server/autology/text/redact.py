"""Finding secrets in text and taking them out, before the text is kept or shown.

Known shapes of keys and tokens are found wherever they stand; anything else only where it is
given to a name that says so (``API_KEY=…``, ``"password": "…"``) or stands where passwords
do (``://user:…@host``, ``Authorization: …``). Hashes, UUIDs, images, checksums of lock files
and placeholders are nobody's secret and stay.

Linear in the text: each shape begins with letters that are searched for first, what follows
is bounded or consumed, and a shape whose letters do not occur is not even compiled.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

Finding = namedtuple("Finding", ("kind", "start", "stop"))
"""One secret: its kind, and where it stood in the text that was given."""

_END = r"(?![A-Za-z0-9_+/=])"

# kind, the letters it begins with (as they stand), what must follow. A letter, a digit, a dash or an underscore
# before them means that they are the middle of something else.
_SHAPES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("aws-access-key", ("AKIA", "ASIA", "ABIA", "ACCA"), r"(?<![+/].{4})[A-Z0-9]{16}(?![A-Za-z0-9+/=_])"),
    ("gcp-api-key", ("AIza",), r"[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("gcp-oauth-token", ("ya29.",), r"[A-Za-z0-9_.-]{20,2000}"),
    ("gcp-client-secret", ("GOCSPX-",), r"[A-Za-z0-9_-]{20,60}"),
    ("github-token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"[A-Za-z0-9]{36,255}"),
    ("github-token", ("github_pat_",), r"[A-Za-z0-9_]{22,255}"),
    (
        "gitlab-token",
        ("glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glimt-", "glft-", "glsoat-", "glagent-", "gloas-"),
        r"[A-Za-z0-9_.-]{20,300}",
    ),
    ("gitlab-token", ("GR1348941",), r"[A-Za-z0-9_-]{20,60}"),
    ("slack-token", ("xoxb-", "xoxa-", "xoxp-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xapp-"), r"[A-Za-z0-9.-]{10,250}"),
    ("slack-webhook", ("hooks.slack.com/",), r"(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,120}"),
    (
        "discord-webhook",
        ("discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
        r"[0-9]{15,22}/[A-Za-z0-9_-]{30,120}",
    ),
    (
        "stripe-key",
        ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"),
        r"[A-Za-z0-9]{10,120}" + _END,
    ),
    ("stripe-webhook-secret", ("whsec_",), r"[A-Za-z0-9+/=]{24,120}"),
    ("anthropic-key", ("sk-ant-",), r"[A-Za-z0-9_-]{20,300}"),
    ("openai-key", ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"), r"[A-Za-z0-9_-]{20,300}"),
    ("openai-key", ("sk-",), r"[A-Za-z0-9]{20,64}(?![A-Za-z0-9_-])"),
    ("openrouter-key", ("sk-or-v1-",), r"[0-9a-f]{48,80}"),
    ("groq-key", ("gsk_",), r"[A-Za-z0-9]{40,80}"),
    ("xai-key", ("xai-",), r"[A-Za-z0-9]{60,100}"),
    ("perplexity-key", ("pplx-",), r"[A-Za-z0-9]{40,80}"),
    ("replicate-token", ("r8_",), r"[A-Za-z0-9]{37}" + _END),
    ("huggingface-token", ("hf_", "api_org_"), r"[A-Za-z0-9]{30,60}" + _END),
    ("npm-token", ("npm_",), r"[A-Za-z0-9]{36}" + _END),
    ("pypi-token", ("pypi-AgE",), r"[A-Za-z0-9_-]{40,1000}"),
    ("rubygems-key", ("rubygems_",), r"[0-9a-f]{48}" + _END),
    ("crates-io-token", ("cio",), r"[A-Za-z0-9]{32}" + _END),
    ("docker-token", ("dckr_pat_", "dckr_oat_"), r"[A-Za-z0-9_-]{24,60}"),
    ("digitalocean-token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"[0-9a-f]{64}" + _END),
    ("sendgrid-key", ("SG.",), r"[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}"),
    ("shopify-token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"[A-Fa-f0-9]{32}" + _END),
    ("databricks-token", ("dapi",), r"[0-9a-f]{32}(?:-[0-9])?" + _END),
    ("vault-token", ("hvs.", "hvb.", "hvr."), r"[A-Za-z0-9_-]{24,300}"),
    ("terraform-token", (".atlasv1.",), r"[A-Za-z0-9_=-]{60,80}"),
    ("doppler-token", ("dp.pt.", "dp.st.", "dp.ct.", "dp.sa."), r"[A-Za-z0-9_.-]{40,60}"),
    ("linear-key", ("lin_api_", "lin_oauth_"), r"[A-Za-z0-9]{32,80}"),
    ("notion-token", ("ntn_", "secret_"), r"[A-Za-z0-9]{43,50}" + _END),
    ("figma-token", ("figd_",), r"[A-Za-z0-9_-]{40,60}"),
    ("grafana-token", ("glsa_", "glc_"), r"[A-Za-z0-9_+/=]{32,400}"),
    ("sentry-token", ("sntrys_", "sntryu_"), r"[A-Za-z0-9_+/=]{40,400}"),
    ("newrelic-key", ("NRAK-",), r"[A-Z0-9]{27}" + _END),
    ("postman-key", ("PMAK-",), r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("planetscale-token", ("pscale_tkn_", "pscale_pw_", "pscale_oauth_"), r"[A-Za-z0-9_.=-]{32,70}"),
    ("supabase-key", ("sbp_", "sb_secret_"), r"[A-Za-z0-9_-]{20,60}"),
    ("azure-storage-key", ("AccountKey=", "SharedAccessKey="), r"[A-Za-z0-9+/]{40,90}={0,2}"),
    ("age-key", ("AGE-SECRET-KEY-1",), r"[A-Z0-9]{58}" + _END),
    ("jwt", ("eyJ",), r"[A-Za-z0-9_-]{8,8000}\.eyJ[A-Za-z0-9_-]{4,8000}\.[A-Za-z0-9_-]{8,2000}"),
    ("telegram-token", (":AA",), r"[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
    ("azure-client-secret", ("Q~",), r"[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])"),
)
# Letters that begin inside the secret: how much of what stands before belongs to it.
_BEFORE = {
    ":AA": r"[0-9]{8,10}",
    "Q~": r"[A-Za-z0-9_.~-]{4}",
    ".atlasv1.": r"[A-Za-z0-9]{14}",
}

# Names that say that what they are given is secret. Lower case; the search is in lower case.
_NAMES = tuple(
    "secret token passw pwd pass passphrase api_key apikey api-key access_key access-key accesskey private_key"
    " privatekey private-key auth_key authkey encryption_key encryptionkey signing_key signingkey master_key masterkey"
    " credential sig=".split()
)
# What was taken out before is a value like any: without it the name before would be given the next best thing.
_BARE = r"(?P<bare>\[redacted:[a-z-]{1,40}+\]|[^\s\"'`,;<>(){}\[\]]{LEAST,4096}+)"
_VALUE = (
    r"(?P<tail>[a-z0-9_.-]{0,40}+)(?:\\?[\"'`])?\]?[ \t]{0,8}+"
    r"(?:=>|:=|==?|:(?:[ \t]{0,3}[a-z_.\[\]|?]{1,30}+[ \t]{0,3}=(?![=>]))?)[ \t]{0,8}+"
    r"(?:\\?[\"'`](?P<quoted>[^\"'`\r\n]{LEAST,4096}+)|" + _BARE + ")"
)
_FLAG = (
    r"(?P<tail>[a-z0-9-]{0,20}+)[ \t]{1,4}+"
    r"(?:[\"'](?P<quoted>[^\"'`\r\n]{LEAST,4096}+)|" + _BARE + ")"
)
# A name that goes on like this names something about the secret, not the secret.
_ABOUT = frozenset(
    "hash digest sha1 sha256 sha512 md5 id ids name names file path dir url uri type count counts limit length len size"
    " expiry expires in expiration ttl field label hint policy arn ref regex pattern usage budget version header format"
    " endpoint kind scope scopes placeholder provider prefix fingerprint checksum env at age".split()
)
_FILLERS = ("your", "xxxx", "****", "....", "____", "placeholder", "changeme", "change-me", "change_me", "redacted")
_POINTERS = tuple(
    "replace insert todo fixme notreal not-a-real undefined environ getenv secrets. process. config. settings. self."
    " this. vault: op:// ssm: arn: file: ref+ keychain: env:".split()
)
_WORDS = frozenset(
    "password passwd pass pwd secret token user username admin root postgres mysql guest test testing none null true"
    " false string required optional number boolean bytes object key apikey api_key bearer basic".split()
)
_PASSWORDS = frozenset(["passw", "pwd", "pass", "passphrase"])
_CHANGES = r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])|[a-z](?=[A-Z])|[A-Z](?=[a-z])"
_PART = r"[A-Za-z_$][A-Za-z_]{0,40}+[0-9]{0,2}+"
_NAMES_AND_PATHS = rf"{_PART}(?:(?:\.|::|->|/|-){_PART}){{0,8}}[.:;,]?"
_HEX = frozenset("0123456789abcdefABCDEF")

_CAREFUL = 5_000
"""Candidates that are looked at closely. Where there are more the text is a dump, and all of them are taken out."""

_compiled: dict[str, re.Pattern[str]] = {}


def redact(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Return *text* with each secret replaced by ``[redacted:<kind>]``, and what was found, in order."""
    found = _settled(text)
    if not found:
        return text, ()
    parts = []
    at = 0
    for finding in found:
        parts += [text[at : finding.start], f"[redacted:{finding.kind}]"]
        at = finding.stop
    parts.append(text[at:])
    return "".join(parts), tuple(found)


def _settled(text: str) -> list[Finding]:
    """Return the findings in order; of two that overlap, the one that begins first, then the longer."""
    low = _lowered(text)
    found = [
        *_private(low),
        *_key_blocks(text),
        *_shapes(text),
        *_addresses(text),
        *_headers(text, low),
        *_named(text, low),
    ]
    found.sort(key=lambda finding: (finding.start, -finding.stop))
    settled: list[Finding] = []
    stop = 0
    for finding in found:
        if finding.start >= stop:
            settled.append(finding)
            stop = finding.stop
    return settled


def _lowered(text: str) -> str:
    """Return *text* in lower case, letter under letter: the one letter that grows is left out."""
    return (text if text.isascii() else text.replace("\u0130", "I")).lower()


def _private(low: str) -> Iterator[Finding]:
    """What a person marked as private: `<private>…</private>`."""
    at = low.find("<private>")
    while at >= 0:
        end = low.find("</private>", at)
        if end < 0:
            return
        end += len("</private>")
        yield Finding("private", at, end)
        at = low.find("<private>", end)


def _key_blocks(text: str) -> Iterator[Finding]:
    """Private keys in their armour; one that is cut off reaches as far as its letters do."""
    at = text.find("-----BEGIN ")
    closed = True
    while at >= 0:
        head = _pattern(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----").match(text, at)
        stop = at + 11
        if head:
            end = text.find("-----END ", head.end()) if closed else -1
            closed = end >= 0
            if closed:
                tail = _pattern(r"-----END [A-Z0-9 ]{0,40}-----").match(text, end)
                stop = tail.end() if tail else end
            else:
                body = _pattern(r"[A-Za-z0-9+/=\s\\]*+").match(text, head.end())
                stop = body.end() if body else head.end()
            yield Finding("private-key", at, stop)
        at = text.find("-----BEGIN ", stop)


def _shapes(text: str) -> Iterator[Finding]:
    careful = _CAREFUL
    for kind, beginnings, rest in _SHAPES:
        for beginning in beginnings:
            if beginning not in text:
                continue
            before = _BEFORE.get(beginning, "")
            literal = beginning.replace(".", r"\.")
            # The letters first: a search for them is quick, and only where they stand is the rest looked at.
            at = rf"(?<![A-Za-z0-9_+-]{literal})" if not before else ""
            for match in _pattern(literal + at + rest).finditer(text):
                start = match.start()
                if before:
                    room = text[max(0, start - 24) : start]
                    lead = _pattern(rf"(?:^|[^A-Za-z0-9_.~-])({before})\Z").search(room)
                    if not lead:
                        continue
                    start -= len(lead[1])
                careful -= 1
                if careful < 0 or not _filler(match[0][len(beginning) :]):
                    yield Finding(kind, start, match.end())


def _addresses(text: str) -> Iterator[Finding]:
    """Passwords in connection strings, and tokens that stand for a user."""
    if "://" not in text or "@" not in text:
        return
    for match in _pattern(r"://([^\s/:@\"'`<>\[\]]{0,128})(?::([^\s/\"'`<>]{1,256}))?@").finditer(text):
        user, password = match[1], match[2]
        if password is not None:
            if not _placeholder(password) and password.lower() not in _WORDS:
                yield Finding("password-in-url", match.start(2), match.end(2))
        elif len(user) >= 20 and _random(user, 16):
            yield Finding("token-in-url", match.start(1), match.end(1))


def _headers(text: str, low: str) -> Iterator[Finding]:
    careful = _CAREFUL
    for word, kind in (("bearer ", "bearer-token"), ("basic ", "basic-credentials")):
        if word in low:
            for match in _pattern(word + r"[ ]{0,3}([a-z0-9._~+/=-]{12,4000}+)").finditer(low):
                start, stop = match.span(1)
                careful -= 1
                if careful < 0 or (_random(text[start:stop], 12) and not _placeholder(text[start:stop])):
                    yield Finding(kind, start, stop)


def _named(text: str, low: str) -> Iterator[Finding]:
    careful = _CAREFUL
    for name in _NAMES:
        if name not in low:
            continue
        if name == "sig=":
            yield from _signatures(low)
            continue
        least = "6" if name in _PASSWORDS else "12"
        forms = [name + _VALUE.replace("LEAST", least)]
        if f"-{name}" in low:
            forms.append(rf"{name}(?<=-{name}){_FLAG}".replace("LEAST", least))
        for form in forms:
            for match in _pattern(form).finditer(low):
                careful -= 1
                if careful < 0:
                    yield Finding("secret", *match.span(match.lastgroup or 0))
                elif finding := _given(text, name, match):
                    yield finding


def _signatures(low: str) -> Iterator[Finding]:
    for match in _pattern(r"sig=([a-z0-9%+/]{43,90}(?:%3d|=){0,2})").finditer(low):
        if low[match.start() - 1 : match.start()] in ("?", "&", ";"):
            yield Finding("signature", match.start(1), match.end(1))


def _given(text: str, name: str, match: re.Match[str]) -> Finding | None:
    """Return the finding if what the name is given looks like a secret."""
    quoted = match["quoted"] is not None
    start, stop = match.span("quoted" if quoted else "bare")
    value = text[start:stop]
    if not quoted:
        value = value.rstrip(".:\\")
        stop = start + len(value)
    if len(value) < 6 or _placeholder(value) or (not quoted and text[stop : stop + 1] in ("(", "[")):
        return None
    if _is_about(name, match["tail"], text[match.start() - 1 : match.start()]):
        return None
    if name in _PASSWORDS:
        shouted = text[match.start() : match.start() + len(name)].isupper()
        return Finding("password", start, stop) if _chosen(value, quoted or shouted) else None
    if not _random(value, 12) or (_uuid(value) and not name.startswith(("secret", "api"))):
        return None
    return Finding("secret", start, stop)


def _is_about(name: str, tail: str, before: str) -> bool:
    """Whether the whole name means something else than the secret: `token_count`, `bypass`, `passed`."""
    if name == "pass" and (before.isalpha() or tail[:1].isalpha()):
        return True
    return tail.strip("_.-").replace("-", "_").replace(".", "_").rpartition("_")[2] in _ABOUT


def _placeholder(value: str) -> bool:
    """Whether *value* stands where a secret would, without being one."""
    low = value[:80].lower()
    return value[0] in "$<{%[*" or low in _WORDS or _filler(value) or any(word in low for word in _POINTERS)


def _filler(value: str) -> bool:
    low = value[:80].lower()
    return len(set(low)) <= 3 or any(word in low for word in _FILLERS)


def _random(value: str, least: int) -> bool:
    """Whether *value* is long and mixed enough to be made by a machine."""
    if len(value) < least or len(set(value)) < 8:
        return False
    if value.isdigit():
        return len(value) >= 20
    if value.isalpha():
        # Letters alone: a machine takes capitals as often as not, a person at the beginning of words.
        return len(value) >= 20 and 0.3 < sum(map(str.isupper, value[:200])) / len(value[:200]) < 0.7
    # A machine goes to and fro between letters and digits; names and dates do so once or twice.
    return len(_pattern(_CHANGES).findall(value[:200])) >= max(4, len(value[:200]) // 8) and not _code(value)


def _chosen(value: str, literal: bool) -> bool:
    """Whether *value* may be a password that a person chose; *literal*: it can be no variable's name."""
    if " " in value.strip() or value[0] in "/~." or not (literal or not _code(value)):
        return False
    kinds = (str.islower, str.isupper, str.isdigit)
    mixed = [any(map(kind, value)) for kind in kinds] + [not value.isalnum()]
    return sum(mixed) >= 2 and (mixed[2] or (mixed[3] and not _code(value)))


def _code(value: str) -> bool:
    """Whether *value* is a name or a path in a program (`user.password`, `settings/auth.py`, `get_token2`)."""
    return _pattern(_NAMES_AND_PATHS).fullmatch(value) is not None


def _uuid(value: str) -> bool:
    return len(value) == 36 and value.count("-") == 4 and _HEX.issuperset(value.replace("-", ""))


def _pattern(text: str) -> re.Pattern[str]:
    pattern = _compiled.get(text)
    if pattern is None:
        import re

        pattern = _compiled[text] = re.compile(text)
    return pattern
