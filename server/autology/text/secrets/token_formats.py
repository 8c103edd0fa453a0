"""Keys and tokens that are recognised by their format, mostly a prefix chosen by the issuer.

Each is searched only in the long words of a text, and only if such a word has its prefix; patterns that are never
needed are not even compiled. A rule whose prefix is common in code requires a random rest as well.
"""

from __future__ import annotations

from bisect import bisect_right

from autology.text import Patterns
from autology.text.secrets import Secret
from autology.text.secrets.value_tests import filler, random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_AZ, _HEX, _URL, _B64 = "[A-Za-z0-9]", "[0-9a-f]", "[A-Za-z0-9_-]", "[A-Za-z0-9+/]"
_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_END = r"(?![A-Za-z0-9_+/=])"
_DONE = r"(?![A-Za-z0-9_-])"

_RULES: tuple[tuple[str, str, str], ...] = (
    # kind, possible prefixes, what must follow
    ("aws-access-key", "AKIA ASIA ABIA ACCA A3T", rf"(?<![+/].{{4}})[A-Z0-9]{{16,17}}{_END}"),
    # Keys without armour: DER in base64, by its first numbers and names; PEM in base64 once more.
    ("private-key", "MII", rf"{_B64}{{1,4}}(?:IBAAKC|IBADANBgkqhkiG9w0BAQEFAASC){_B64}{{20,20000}}={{0,2}}"),
    ("private-key", "MHcCAQEE MHQCAQEE MIGkAgEBBD MIGHAgEAMB MC4CAQAwBQYDK2VwBCIE", rf"{_B64}{{20,2000}}={{0,2}}"),
    ("private-key", "b3BlbnNzaC1rZXktdjE", rf"{_B64}{{20,20000}}={{0,2}}"),
    (
        "private-key",
        "LS0tLS1CRUdJTi",
        rf"(?:BQUklWQVRF|BSU0EgUFJJ|BFQyBQUklW|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ|BQR1AgUFJJ){_B64}{{20,40000}}={{0,2}}",
    ),
    ("docker-credentials", "eyJhdXRocyI", rf"{_B64}{{20,20000}}={{0,2}}"),
    ("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", rf"{_B64}{{60,4000}}={{0,2}}"),
    ("aws-bedrock-key", "ABSK", rf"{_B64}{{100,300}}={{0,2}}"),
    ("aws-bedrock-key", "bedrock-api-key-", rf"{_B64}{{100,4000}}={{0,2}}"),
    ("aws-mws-token", "amzn.mws.", _UUID),
    ("gcp-api-key", "AIza", rf"{_URL}{{35}}{_DONE}"),
    ("gcp-oauth-token", "ya29.", r"[A-Za-z0-9_.-]{20,2000}"),
    ("gcp-client-secret", "GOCSPX-", rf"{_URL}{{20,60}}"),
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_AZ}{{36,255}}"),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{22,255}"),
    (
        "gitlab-token",
        "glpat- glptt- gldt- glrt- glrtr- glcbt- glimt- glft- glffct- glsoat- glagent- gloas- glwt-",
        r"[A-Za-z0-9_.-]{20,320}",
    ),
    ("gitlab-token", "GR1348941", rf"{_URL}{{20,60}}"),
    (
        "slack-token",
        "xoxb- xoxa- xoxp- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe. xapp-",
        r"[A-Za-z0-9.%/+-]{10,250}",
    ),
    ("telegram-token", "api.telegram.org/bot", rf"[0-9]{{8,10}}:{_URL}{{30,40}}"),
    ("calendar-secret", "private-", rf"{_HEX}{{32}}{_DONE}"),
    ("rpc-key", "infura.io/v3/", rf"{_HEX}{{32}}"),
    ("rpc-key", "g.alchemy.com/v2/", rf"{_URL}{{32}}"),
    ("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,120}"),
    (
        "discord-webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        rf"[0-9]{{15,22}}/{_URL}{{30,120}}",
    ),
    ("teams-webhook", "webhook.office.com/webhookb2/", r"[A-Za-z0-9@/-]{60,300}"),
    ("ifttt-key", "maker.ifttt.com/", rf"trigger/[\w-]{{1,60}}/(?:json/)?with/key/{_URL}{{20,60}}"),
    ("pagerduty-key", "events.pagerduty.com/integration/", rf"{_HEX}{{32}}"),
    ("zapier-webhook", "hooks.zapier.com/hooks/catch/", r"[0-9]{4,12}/[a-z0-9]{5,20}"),
    (
        "stripe-key",
        "sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_ sk_org_live_ sk_org_test_",
        rf"{_AZ}{{10,120}}{_END}",
    ),
    ("stripe-webhook-secret", "whsec_", r"[A-Za-z0-9+/=]{24,120}"),
    ("anthropic-key", "sk-ant-", rf"{_URL}{{20,300}}"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None- sess-", rf"{_URL}{{20,300}}"),
    ("openrouter-key", "sk-or-v1-", rf"{_HEX}{{48,80}}"),
    ("langfuse-key", "sk-lf-", _UUID),
    ("openai-key", "?sk-", rf"{_AZ}{{20,64}}{_DONE}"),
    ("groq-key", "gsk_", rf"{_AZ}{{40,80}}"),
    ("xai-key", "xai-", rf"{_AZ}{{60,100}}"),
    ("perplexity-key", "pplx-", rf"{_AZ}{{40,80}}"),
    ("replicate-token", "r8_", rf"{_AZ}{{37}}{_END}"),
    ("huggingface-token", "hf_ api_org_", rf"{_AZ}{{30,60}}{_END}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_", rf"{_HEX}{{32}}_{_HEX}{{10}}{_END}"),
    ("tavily-key", "tvly-", rf"{_URL}{{24,60}}"),
    ("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,90}"),
    ("together-key", "tgp_v1_", rf"{_URL}{{30,60}}"),
    ("voyage-key", "?pa-", rf"{_URL}{{43}}{_DONE}"),
    ("fireworks-key", "?fw_", rf"{_AZ}{{22,48}}{_END}"),
    ("firecrawl-key", "?fc-", rf"{_HEX}{{32}}{_DONE}"),
    ("e2b-key", "e2b_", rf"{_HEX}{{40}}{_END}"),
    ("nvidia-key", "nvapi-", rf"{_URL}{{50,80}}"),
    ("elevenlabs-key", "sk_", rf"{_HEX}{{48}}{_END}"),
    ("npm-token", "npm_", rf"{_AZ}{{36}}{_END}"),
    ("pypi-token", "pypi-AgE", rf"{_URL}{{40,1000}}"),
    ("rubygems-key", "rubygems_", rf"{_HEX}{{48}}{_END}"),
    ("crates-io-token", "?cio", rf"{_AZ}{{32}}{_END}"),
    ("nuget-key", "?oy2", rf"[a-z0-9]{{43}}{_END}"),
    ("clojars-token", "CLOJARS_", rf"{_AZ}{{60}}{_END}"),
    ("docker-token", "dckr_pat_ dckr_oat_", rf"{_URL}{{24,60}}"),
    ("artifactory-key", "?AKCp", rf"{_AZ}{{60,80}}{_END}"),
    ("artifactory-token", "?cmVmd", rf"{_AZ}{{59}}{_END}"),
    ("twilio-key", "?SK", rf"{_HEX}{{32}}{_END}"),
    ("sendgrid-key", "SG.", rf"{_URL}{{20,24}}\.{_URL}{{39,50}}"),
    ("mailgun-key", "?key-", rf"{_HEX}{{32}}{_DONE}"),
    ("brevo-key", "xkeysib- xsmtpsib-", rf"{_HEX}{{64}}-{_AZ}{{16}}"),
    ("resend-key", "?re_", rf"{_AZ}{{8}}_{_AZ}{{20,30}}{_END}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", rf"{_HEX}{{64}}{_END}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shpit_", rf"[A-Fa-f0-9]{{32}}{_END}"),
    ("square-token", "sq0atp- sq0csp-", rf"{_URL}{{22,60}}"),
    ("square-token", "?EAAA", rf"{_URL}{{60}}{_DONE}"),
    ("facebook-token", "?EAA", rf"{_AZ}{{100,400}}{_END}"),
    ("databricks-token", "dapi", rf"{_HEX}{{32}}(?:-[0-9])?{_END}"),
    ("vault-token", "hvs. hvb. hvr.", rf"{_URL}{{24,300}}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9_.-]{40,60}"),
    ("infisical-token", "?st.", rf"{_HEX}{{24}}\.{_HEX}{{32}}\.{_HEX}{{32}}"),
    ("1password-key", "?A3-", r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}" + _DONE),
    ("1password-token", "ops_eyJ", rf"{_B64}{{200,2000}}={{0,3}}"),
    ("age-key", "AGE-SECRET-KEY-1", rf"[A-Z0-9]{{58}}{_END}"),
    ("linear-key", "lin_api_ lin_oauth_", rf"{_AZ}{{32,80}}"),
    ("notion-token", "ntn_ secret_", rf"{_AZ}{{43,50}}{_END}"),
    ("figma-token", "figd_", rf"{_URL}{{40,60}}"),
    ("airtable-token", "?pat", rf"{_AZ}{{14}}\.{_HEX}{{64}}{_END}"),
    ("harness-token", "pat. sat.", rf"{_URL}{{22}}\.{_AZ}{{24}}\.{_AZ}{{20}}{_END}"),
    ("atlassian-token", "ATATT3 ATCTT3 ATSTT3", r"[A-Za-z0-9_=-]{60,300}"),
    ("bitbucket-password", "?ATBB", rf"{_AZ}{{32}}{_END}"),
    ("bitbucket-token", "BBDC-", r"[A-Za-z0-9+/@_-]{40,50}"),
    ("grafana-token", "glsa_ glc_", r"[A-Za-z0-9_+/=]{32,400}"),
    ("grafana-key", "eyJrIjoi", rf"{_AZ}{{70,400}}={{0,3}}"),
    ("newrelic-key", "NRAK- NRII- NRIQ- NRRA- NRSP-", r"[A-Za-z0-9_-]{27,42}" + _END),
    ("newrelic-key", "NRJS-", rf"{_HEX}{{19}}{_END}"),
    ("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_", r"[A-Za-z0-9_+/=]{40,400}"),
    ("sonar-token", "?squ_ ?sqp_ ?sqa_", rf"{_HEX}{{40}}{_END}"),
    ("sourcegraph-token", "sgp_ slk_", rf"(?:(?:[a-fA-F0-9]{{16}}|local)_)?[a-fA-F0-9]{{40,64}}{_END}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s16.", rf"{_AZ}{{24}}\.{_AZ}{{64}}"),
    ("datadog-key", "ddapi_ ddapp_ ddpat_ ddsat_", rf"{_AZ}{{32,80}}"),
    ("postman-key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    ("posthog-key", "phx_ phs_", rf"{_AZ}{{40,60}}{_END}"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{32,70}"),
    ("supabase-key", "sbp_ sb_secret_", rf"{_URL}{{20,60}}"),
    ("neon-key", "napi_", r"[a-z0-9]{40,80}" + _END),
    ("netlify-token", "nfp_ nfc_ nfo_ nfu_ nfb_", rf"{_AZ}{{36}}{_END}"),
    ("render-key", "rnd_", rf"{_AZ}{{28,40}}{_END}"),
    ("fly-token", "fo1_", rf"{_URL}{{43}}{_DONE}"),
    ("fly-token", "fm2_ fm1r_ fm1a_", rf"{_B64}{{100,3000}}={{0,3}}"),
    ("tailscale-key", "tskey-", rf"[a-z]{{2,12}}-{_AZ}{{10,24}}-{_AZ}{{20,60}}"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", rf"{_URL}{{24,80}}"),
    ("pulumi-token", "?pul-", rf"{_HEX}{{40}}{_DONE}"),
    ("prefect-key", "pnu_ pnb_", rf"{_AZ}{{36}}{_END}"),
    ("buildkite-token", "bkua_ bkpt_ bkat_", rf"{_AZ}{{36,60}}{_END}"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", rf"{_AZ}{{20,24}}_{_HEX}{{40}}{_END}"),
    ("alibaba-key", "?LTAI", rf"{_AZ}{{12,26}}{_END}"),
    ("tencent-key", "?AKID", rf"{_AZ}{{32}}{_END}"),
    ("yandex-key", "AQVN", rf"{_URL}{{35,38}}{_DONE}"),
    ("yandex-token", "?t1.", rf"{_URL}{{20,200}}={{0,2}}\.{_URL}{{86}}={{0,2}}"),
    ("octopus-key", "?API-", rf"[A-Z0-9]{{26,34}}{_DONE}"),
    ("openshift-token", "sha256~", rf"{_URL}{{43}}{_DONE}"),
    ("heroku-key", "HRKU-AA HRKU-", rf"{_URL}{{36,60}}"),
    ("launchdarkly-key", "sdk- api- mob-", _UUID + _DONE),
    ("adobe-secret", "p8e-", rf"[A-Za-z0-9_-]{{32}}{_DONE}"),
    ("clickhouse-key", "?4b1d", rf"{_AZ}{{38}}{_END}"),
    ("contentful-token", "CFPAT-", rf"{_URL}{{43}}{_DONE}"),
    ("defined-networking-token", "dnkey-", rf"{_URL}{{26}}-{_URL}{{52}}"),
    ("duffel-token", "duffel_live_ duffel_test_", r"[A-Za-z0-9_=-]{43}"),
    ("easypost-key", "EZAK EZTK", rf"{_AZ}{{54}}{_END}"),
    ("flutterwave-key", "FLWSECK_TEST- FLWSECK-", r"[A-Za-z0-9]{12,40}(?:-X)?"),
    ("frameio-token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
    ("gocardless-token", "?live_", rf"{_URL}{{40}}{_DONE}"),
    ("infracost-key", "?ico-", rf"{_AZ}{{32}}{_DONE}"),
    ("intra42-secret", "s-s4t2ud- s-s4t2af-", rf"{_HEX}{{64}}{_END}"),
    ("mapbox-secret", "?sk.", rf"{_AZ}{{60,110}}\.{_AZ}{{22}}{_END}"),
    ("plaid-token", "access-sandbox- access-development- access-production-", _UUID),
    ("readme-key", "rdme_", rf"[a-z0-9]{{70}}{_END}"),
    ("scalingo-token", "tk-us-", rf"{_URL}{{48}}{_DONE}"),
    ("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", rf"{_AZ}{{16}}{_END}"),
    ("shippo-token", "shippo_live_ shippo_test_", rf"{_HEX}{{40}}{_END}"),
    ("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,70}"),
    ("cloudflare-key", "?v1.0-", rf"{_HEX}{{24}}-{_HEX}{{146}}"),
    ("azure-devops-token", "?AZDO", rf"{_AZ}{{20,80}}{_END}"),
    ("paddle-key", "pdl_live_apikey_ pdl_sdbx_apikey_", r"[A-Za-z0-9_]{40,80}"),
    ("razorpay-key", "rzp_live_ rzp_test_", rf"{_AZ}{{14,24}}{_END}"),
    ("jwt", "eyJhbGciOi eyJ0eXAiOi", rf"{_URL}{{8,300}}+\.eyJ{_URL}{{4,8000}}+\.{_URL}{{8,2000}}"),
    (
        "jwt",  # signed, or encrypted: three parts or five
        "eyJ",
        (
            rf"{_URL}{{8,8000}}\.(?:eyJ{_URL}{{4,8000}}|{_URL}{{0,2000}}\.{_URL}{{8,2000}}\.{_URL}{{8,20000}})"
            rf"\.{_URL}{{8,2000}}"
        ),
    ),
)

# Formats with their distinctive string in the middle or at the end: that string, and the token pattern.
_INNER: tuple[tuple[str, str, str], ...] = (
    ("telegram-token", ":AA", rf"(?<![A-Za-z0-9_-])[0-9]{{8,10}}:AA{_URL}{{33}}{_DONE}"),
    (
        "azure-client-secret",
        "Q~",
        r"(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3,4}Q~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])",
    ),
    ("azure-key", "+ASt", rf"(?<![A-Za-z0-9+/]){_B64}{{76}}\+ASt{_B64}{{5,6}}={{0,2}}{_END}"),
    ("azure-key", "ACDb", rf"(?<![A-Za-z0-9+/]){_B64}{{76}}ACDb{_B64}{{5,6}}={{0,2}}{_END}"),
    ("azure-key", "AzFu", rf"(?<![A-Za-z0-9_-]){_URL}{{44}}AzFu{_URL}{{4,8}}={{0,2}}{_END}"),
    ("azure-key", "AzSe", rf"(?<![A-Za-z0-9]){_AZ}{{42}}AzSe[A-D]{_AZ}{{5}}{_END}"),
    ("terraform-token", ".atlasv1.", rf"(?<![A-Za-z0-9]){_AZ}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,80}}"),
    ("gcp-refresh-token", "1//0", rf"(?<![A-Za-z0-9/])1//0{_URL}{{40,200}}"),
    ("mailchimp-key", "-us", rf"(?<![0-9A-Za-z]){_HEX}{{32}}-us[0-9]{{1,2}}{_DONE}"),
    ("asana-token", "/", rf"[12](?<![0-9A-Za-z/][12])/[0-9]{{13,20}}(?:/[0-9]{{13,20}})?:{_HEX}{{32}}{_END}"),
    ("maxmind-key", "_mmk", rf"(?<![A-Za-z0-9_]){_AZ}{{6}}_{_AZ}{{29}}_mmk"),
    ("discord-token", ".", rf"[MNO](?<![A-Za-z0-9_.-][MNO]){_URL}{{23,27}}\.{_URL}{{6}}\.{_URL}{{27,40}}{_DONE}"),
)

_GLUED = tuple(
    "ghp_ gho_ ghs_ ghu_ ghr_ github_pat_ glpat- xoxb- xoxp- xapp- sk_live_ sk_test_ rk_live_ whsec_ sk-ant- sk-proj-"
    " AKIA ASIA AIza npm_ hf_ dop_v1_ SG. shpat_ pypi-AgE ya29. GOCSPX- dckr_pat_ lin_api_ hvs. sk-or-v1- glsa_ figd_"
    " ntn_ rubygems_ AGE-SECRET-KEY-1 PMAK- tskey- gsk_ sq0atp- NRAK- eyJhbGciOi eyJ0eXAiOi".split()
)
"""Prefixes that are searched inside a word, too, if a random value follows."""
_PIECE = 8
"""Characters of a random piece of a word: of 36 with a sign in 16 of them all but one in 10,000 have one as long."""
_LONE = r"(?<![^ =:])(?=(?:[A-Za-z+/_-]{0,24}[0-9]{1,9}[A-Za-z]){2})([A-Za-z0-9+/_-]{16,200}+={0,2})(?= |\Z)"
"""A possibly random word, alone or after a name."""
_INNER_LEAST = 36
"""Characters of the shortest of them."""
_WRAPPED = (
    r"(?:=?\\?\r?\n[ \t]*|[\"'][ \t]*(?:[+\\.&_]"
    r"|\\n)?[ \t]*\r?\n[ \t]*(?:[+.][ \t]*)?[\"'])([A-Za-z0-9_+/=.-]{4,4000}+)"
)
"""Joins the parts of a token: a backslash or a soft line break of mail, strings one below the other."""
_FOLDED = r"\r?\n[ \t>|#]{0,20}([A-Za-z0-9_+/=.-]{8,4000}+)[ \t]*(?=\r?\n|\Z)"
_WIDTH = 60
"""Characters of the shortest line that a terminal or a mail wraps."""
_HEAD = 3
"""Characters by which a rule is looked up."""


def _by_head() -> dict[str, list[tuple[str, str, str, bool]]]:
    rules: dict[str, list[tuple[str, str, str, bool]]] = {}
    for kind, beginnings, rest in _RULES:
        for prefix in beginnings.split():
            beginning = prefix.removeprefix("?")
            word = beginning.translate(_TABLE).split()[0]
            rule = (kind, beginning, rest, prefix[0] == "?")
            if len(word) >= _HEAD or not beginning[-1].isalnum():
                heads = [word[:_HEAD]]
            else:  # two characters with the rest joined to them
                heads = [word + letter for letter in "0123456789abcdef"]
            for head in heads:
                rules.setdefault(head, []).append(rule)
    return rules


_TABLE = str.maketrans(dict.fromkeys("_-+/=.~:%|@", " "))
_BY_HEAD = _by_head()
_HEADS = frozenset(_BY_HEAD)
_PATTERNS = Patterns()
_BY_BEGINNING = {
    beginning: [rule for rules in _BY_HEAD.values() for rule in rules if rule[1] == beginning] for beginning in _GLUED
}


def shaped(text: str, words: Sequence[tuple[int, int]]) -> Iterator[Secret]:
    """Yield the keys and tokens among the long *words* of *text*, given by their positions."""
    joined = " ".join([text[start:stop] for start, stop in words])
    long = any(stop - start >= _INNER_LEAST for start, stop in words)
    pieces = joined.translate(_TABLE).split()
    heads = {piece[:_HEAD] for piece in pieces} & _HEADS
    # If no piece has a digit among its letters, none is random.
    mixed = bool([0 for piece in pieces if len(piece) >= _PIECE and not piece.isalpha() and not piece.isdigit()])
    lone = list(_PATTERNS[_LONE].finditer(joined)) if mixed else ()
    glued = [beginning for beginning in _GLUED if beginning in joined] if mixed else ()
    long = long and mixed
    if not heads and not long and not lone and not glued:
        return
    starts = [0]
    for start, stop in words[:-1]:
        starts.append(starts[-1] + stop - start + 1)

    def shift(at: int) -> int:
        word = bisect_right(starts, at) - 1
        return words[word][0] - starts[word]

    if glued and "\n" in text:
        yield from _halved(text, joined, glued, shift)
    for kind, start, stop in (*_begun(joined, heads), *(_inner(joined) if long else ()), *_midst(joined, glued)):
        move = shift(start)
        yield kind, start + move, _to_the_end(text, kind, start + move, stop + move)
    if lone:
        from autology.text.secrets.neighbours import beside

        moved = ((match.start(1), match.end(1), shift(match.start(1))) for match in lone)
        yield from beside(text, ((start + move, stop + move) for start, stop, move in moved))


def _to_the_end(text: str, kind: str, start: int, stop: int) -> int:
    """Return the end of a token in wrapped lines: with a sign that says so, or at the width of a terminal."""
    if kind == "private-key":
        from autology.text.secrets.private_keys import continued

        return continued(text, stop)
    while text[stop : stop + 1] in ("\\", '"', "'", "\n", "\r", "="):
        line = text.rfind("\n", 0, start) + 1
        marked = text[stop] != "\n" and text[stop] != "\r"
        more = _PATTERNS[_WRAPPED if marked else _FOLDED].match(text, stop)
        if not more or (not marked and (stop - line < _WIDTH or not random(more[1], 8))):
            break
        start, stop = more.span(1)
    return stop


def _begun(joined: str, heads: set[str]) -> Iterator[Secret]:
    for kind, beginning, rest, doubted in sorted({rule for head in heads for rule in _BY_HEAD[head]}):
        if beginning not in joined:
            continue
        literal = beginning.replace(".", r"\.")
        # The distinctive string first: a search for it is fast, and the rest is only matched there. A letter, a digit,
        # a dash or an underscore before it means that it is the middle of something else.
        for match in _PATTERNS[rf"{literal}(?<![A-Za-z0-9_+-]{literal}){rest}"].finditer(joined):
            body = match[0][len(beginning) :]
            if not filler(body) and (not doubted or random(body, 12)):
                yield kind, match.start(), match.end()


def _midst(joined: str, glued: Iterable[str]) -> Iterator[Secret]:
    """Tokens joined to a word before or after them."""
    for beginning in glued:
        for kind, _, rest, _ in _BY_BEGINNING[beginning]:
            literal = beginning.replace(".", r"\.")
            bare = rest.removesuffix(_END).removesuffix(_DONE).replace(r"(?<![+/].{4})", "")
            end = "(?![A-Z0-9])" if beginning in ("AKIA", "ASIA") else ""
            for match in _PATTERNS[f"{literal}{bare}{end}"].finditer(joined):
                body = match[0][len(beginning) :]
                if not filler(body) and random(body[:100], 12):
                    yield kind, match.start(), match.end()


def _halved(text: str, joined: str, glued: Sequence[str], shift: Callable[[int], int]) -> Iterator[Secret]:
    """Tokens broken at the end of a line, whose rest is alone on the next."""
    for beginning in glued:
        literal = beginning.replace(".", r"\.")
        for match in _PATTERNS[rf"{literal}(?<![A-Za-z0-9_+-]{literal})[A-Za-z0-9_.-]{{2,250}}+(?= |\Z)"].finditer(
            joined
        ):
            move = shift(match.start())
            more = _PATTERNS[_FOLDED].match(text, match.end() + move)
            if not more:
                continue
            token = match[0] + more[1]
            for kind, _, rest, _ in _BY_BEGINNING[beginning]:
                if _PATTERNS[literal + rest].match(token) and random(token[len(beginning) :], 12):
                    yield kind, match.start() + move, more.end(1)


def _inner(joined: str) -> Iterator[Secret]:
    for kind, letters, token in _INNER:
        if letters in joined:
            for match in _PATTERNS[token].finditer(joined):
                if not filler(match[0][-_INNER_LEAST // 2 :]):
                    yield kind, match.start(), match.end()
