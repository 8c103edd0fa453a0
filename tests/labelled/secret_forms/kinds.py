"""Secrets in the formats that services give them, drawn anew from a seed.

Nothing here is anybody's, and no value is written out: a scanner that reads this file finds only parts.
"""

from __future__ import annotations

import base64
import json
import string
from collections.abc import Callable
from random import Random

Maker = Callable[[Random], str]

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
HEX = "0123456789abcdef"
ALNUM = LOWER + UPPER + DIGITS
URL = ALNUM + "-_"
B64 = ALNUM + "+/"
BASE32 = UPPER + "234567"


def draw(rng: Random, length: int, letters: str = ALNUM) -> str:
    return "".join(rng.choices(letters, k=length))


def uuid(rng: Random) -> str:
    text = draw(rng, 32, HEX)
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def base64_of(rng: Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def jwt(rng: Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    head = part({"alg": rng.choice(["HS256", "RS256", "ES256"]), "typ": "JWT"})
    body = part({"sub": draw(rng, 10, DIGITS), "iat": rng.randrange(10**9, 2 * 10**9), "scope": "read"})
    return f"{head}.{body}.{draw(rng, 43, URL)}"


def armoured(rng: Random, label: str, lines: int, ending: str = "") -> str:
    body = "\n".join(draw(rng, 64, B64) for _ in range(lines)) + "\n" + draw(rng, 30, B64) + "==" + ending
    return f"-----BEGIN {label}-----\n{body}\n-----END {label}-----"


def _prefixed(prefix: str, length: int, letters: str = ALNUM, ending: str = "") -> Maker:
    return lambda rng: prefix + draw(rng, length, letters) + ending


def _google_refresh(rng: Random) -> str:
    return "1/" + "/0" + draw(rng, 1, LOWER) + draw(rng, 60, URL)


def _discord_bot(rng: Random) -> str:
    return f"{rng.choice('MNO')}{draw(rng, 25, URL)}.{draw(rng, 6, URL)}.{draw(rng, 38, URL)}"


SHAPED: dict[str, Maker] = {
    "aws access key": _prefixed("AKIA", 16, BASE32),
    "aws temporary key": _prefixed("ASIA", 16, BASE32),
    "aws session token": lambda rng: "IQoJb3JpZ2lu" + "X2Vj" + draw(rng, 300, B64) + "==",
    "aws bedrock key": lambda rng: "ABSK" + base64.b64encode(b"BedrockAPIKey-" + draw(rng, 80).encode()).decode(),
    "gcp api key": _prefixed("AIza" + "Sy", 33, URL),
    "gcp oauth token": _prefixed("ya29" + ".a0", 120, URL),
    "gcp client secret": _prefixed("GOCSPX" + "-", 28, URL),
    "gcp refresh token": _google_refresh,
    "azure client secret": lambda rng: draw(rng, 3) + draw(rng, 1, DIGITS) + "Q" + "~" + draw(rng, 34, URL + "."),
    "azure storage key": lambda rng: draw(rng, 76, B64) + "+ASt" + draw(rng, 6, ALNUM) + "==",
    "github token": _prefixed("ghp" + "_", 36),
    "github oauth token": _prefixed("gho" + "_", 36),
    "github app token": _prefixed("ghs" + "_", 36),
    "github fine-grained token": lambda rng: "github" + "_pat_" + draw(rng, 22) + "_" + draw(rng, 59),
    "gitlab token": _prefixed("glpat" + "-", 20, URL),
    "gitlab routable token": lambda rng: "glpat" + "-" + draw(rng, 27, URL) + ".01." + draw(rng, 9, LOWER + DIGITS),
    "gitlab trigger token": _prefixed("glptt" + "-", 40, HEX),
    "gitlab runner token": _prefixed("glrt" + "-", 20, URL),
    "slack bot token": lambda rng: "xoxb" + f"-{draw(rng, 12, DIGITS)}-{draw(rng, 13, DIGITS)}-{draw(rng, 24)}",
    "slack user token": lambda rng: (
        "xoxp" + f"-{draw(rng, 12, DIGITS)}-{draw(rng, 12, DIGITS)}-{draw(rng, 13, DIGITS)}-{draw(rng, 32, HEX)}"
    ),
    "slack app token": lambda rng: (
        "xapp" + f"-1-A{draw(rng, 10, UPPER + DIGITS)}-{draw(rng, 13, DIGITS)}-{draw(rng, 64, HEX)}"
    ),
    "slack webhook": lambda rng: (
        "https://hooks.slack"
        f".com/services/T{draw(rng, 10, UPPER + DIGITS)}/B{draw(rng, 10, UPPER + DIGITS)}/{draw(rng, 24)}"
    ),
    "discord bot token": _discord_bot,
    "discord webhook": lambda rng: (
        "https://discord" + f".com/api/webhooks/{draw(rng, 19, DIGITS)}/{draw(rng, 68, URL)}"
    ),
    "telegram token": lambda rng: f"{draw(rng, 10, '123456789')}:AA{draw(rng, 33, URL)}",
    "stripe live key": _prefixed("sk" + "_live_", 24),
    "stripe long key": _prefixed("sk" + "_live_51", 97),
    "stripe restricted key": _prefixed("rk" + "_test_", 24),
    "stripe webhook secret": _prefixed("whsec" + "_", 32),
    "anthropic key": _prefixed("sk-ant" + "-api03-", 93, URL, "AA"),
    "anthropic oauth token": _prefixed("sk-ant" + "-oat01-", 93, URL, "AA"),
    "openai key": lambda rng: "sk-" + draw(rng, 20) + "T3Blbk" + "FJ" + draw(rng, 20),
    "openai project key": lambda rng: "sk-proj" + "-" + draw(rng, 74, URL) + "T3Blbk" + "FJ" + draw(rng, 74, URL),
    "openrouter key": _prefixed("sk-or" + "-v1-", 64, HEX),
    "deepseek key": _prefixed("sk" + "-", 32, HEX),
    "groq key": _prefixed("gsk" + "_", 52),
    "perplexity key": _prefixed("pplx" + "-", 48),
    "xai key": _prefixed("xai" + "-", 80),
    "replicate token": _prefixed("r8" + "_", 37),
    "hugging face token": _prefixed("hf" + "_", 34, LOWER + UPPER),
    "langsmith key": lambda rng: "lsv2" + f"_pt_{draw(rng, 32, HEX)}_{draw(rng, 10, HEX)}",
    "tavily key": _prefixed("tvly" + "-dev-", 32),
    "pinecone key": lambda rng: "pcsk" + f"_{draw(rng, 6)}_{draw(rng, 63)}",
    "npm token": _prefixed("npm" + "_", 36),
    "pypi token": _prefixed("pypi-" + "AgEIcHlwaS5vcmc", 130, URL),
    "rubygems key": _prefixed("rubygems" + "_", 48, HEX),
    "crates.io token": _prefixed("cio", 32),
    "nuget key": _prefixed("oy2", 43, LOWER + DIGITS),
    "docker token": _prefixed("dckr" + "_pat_", 27, URL),
    "clojars token": _prefixed("CLOJARS" + "_", 60, HEX),
    "twilio key": _prefixed("SK", 32, HEX),
    "sendgrid key": lambda rng: "SG" + f".{draw(rng, 22, URL)}.{draw(rng, 43, URL)}",
    "mailgun key": _prefixed("key" + "-", 32, HEX),
    "mailchimp key": lambda rng: draw(rng, 32, HEX) + "-us" + str(rng.randrange(10, 30)),
    "brevo key": lambda rng: "xkeysib" + f"-{draw(rng, 64, HEX)}-{draw(rng, 16)}",
    "resend key": lambda rng: "re" + f"_{draw(rng, 8)}_{draw(rng, 24)}",
    "digitalocean token": _prefixed("dop" + "_v1_", 64, HEX),
    "databricks token": _prefixed("dapi", 32, HEX),
    "shopify token": _prefixed("shpat" + "_", 32, HEX),
    "shopify secret": _prefixed("shpss" + "_", 32, HEX),
    "square token": _prefixed("sq0atp" + "-", 22, URL),
    "vault token": _prefixed("hvs" + ".", 95, URL),
    "terraform token": lambda rng: f"{draw(rng, 14)}.atlas" + f"v1.{draw(rng, 67, URL)}",
    "doppler token": _prefixed("dp" + ".pt.", 43),
    "pulumi token": _prefixed("pul" + "-", 40, HEX),
    "linear key": _prefixed("lin" + "_api_", 40),
    "notion token": lambda rng: "ntn" + f"_{draw(rng, 11, DIGITS)}{draw(rng, 35)}",
    "figma token": _prefixed("figd" + "_", 40, URL),
    "airtable token": lambda rng: "pat" + f"{draw(rng, 14)}.{draw(rng, 64, HEX)}",
    "atlassian token": _prefixed("ATATT" + "3xFfGF0", 180, URL, "=" + "4A2B1C0D"),
    "bitbucket password": _prefixed("ATBB", 32),
    "asana token": lambda rng: f"2/{draw(rng, 16, '123456789')}/{draw(rng, 16, '123456789')}:{draw(rng, 32, HEX)}",
    "grafana token": lambda rng: "glsa" + f"_{draw(rng, 32)}_{draw(rng, 8, HEX)}",
    "new relic key": _prefixed("NRAK" + "-", 27, UPPER + DIGITS),
    "sentry user token": _prefixed("sntryu" + "_", 64, HEX),
    "sonar token": _prefixed("squ" + "_", 40, HEX),
    "dynatrace token": lambda rng: "dt0c01" + f".{draw(rng, 24, UPPER + DIGITS)}.{draw(rng, 64, UPPER + DIGITS)}",
    "postman key": lambda rng: "PMAK" + f"-{draw(rng, 24, HEX)}-{draw(rng, 34, HEX)}",
    "posthog key": _prefixed("phx" + "_", 43),
    "planetscale password": _prefixed("pscale" + "_pw_", 43, URL),
    "supabase key": _prefixed("sbp" + "_", 40, HEX),
    "netlify token": _prefixed("nfp" + "_", 36),
    "fly.io token": lambda rng: "fm2" + f"_{draw(rng, 160, B64)}==",
    "tailscale key": lambda rng: "tskey" + f"-auth-k{draw(rng, 10)}CNTRL-{draw(rng, 32)}",
    "buildkite token": _prefixed("bkua" + "_", 40, HEX),
    "circleci token": lambda rng: "CCIPAT" + f"_{draw(rng, 22)}_{draw(rng, 40, HEX)}",
    "1password key": lambda rng: "A3" + "-" + "-".join(draw(rng, size, UPPER + DIGITS) for size in (6, 6, 5, 5, 5, 5)),
    "age key": _prefixed("AGE-SECRET" + "-KEY-1", 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "alibaba key": _prefixed("LTAI", 20),
    "yandex key": _prefixed("AQVN", 36, URL),
    "facebook token": _prefixed("EAAC", 160),
    "octopus key": _prefixed("API" + "-", 26, UPPER + DIGITS),
    "openshift token": _prefixed("sha256" + "~", 43, URL),
    "heroku key": _prefixed("HRKU" + "-AA", 58, URL),
    "launchdarkly key": lambda rng: "sdk" + f"-{uuid(rng)}",
    "teams webhook": lambda rng: (
        f"https://acme.webhook.office.com/webhookb2/{uuid(rng)}@{uuid(rng)}"
        f"/IncomingWebhook/{draw(rng, 32, HEX)}/{uuid(rng)}"
    ),
    "jwt": jwt,
}
"""Kinds that show what they are, wherever they stand."""

ARMOURED: dict[str, Maker] = {
    "rsa private key": lambda rng: armoured(rng, "RSA PRIVATE" + " KEY", 12),
    "large rsa private key": lambda rng: armoured(rng, "RSA PRIVATE" + " KEY", 50),
    "pkcs8 private key": lambda rng: armoured(rng, "PRIVATE" + " KEY", 8),
    "encrypted private key": lambda rng: armoured(rng, "ENCRYPTED PRIVATE" + " KEY", 8),
    "ec private key": lambda rng: armoured(rng, "EC PRIVATE" + " KEY", 3),
    "openssh private key": lambda rng: armoured(rng, "OPENSSH PRIVATE" + " KEY", 6),
    "pgp private key": lambda rng: armoured(rng, "PGP PRIVATE" + " KEY BLOCK", 14, "\n=" + draw(rng, 4, B64)),
}
"""Keys of several lines."""


def mixed(length: int, letters: str = ALNUM) -> Maker:
    """A value that a machine made, without a mark of its own."""
    return lambda rng: draw(rng, length, letters)


_WORDS = "falcon winter copper garden rocket marble thunder velvet harbor pickle".split()


def chosen(rng: Random) -> str:
    """A password that a person chose: a word or two, digits, a sign."""
    one, two = rng.sample(_WORDS, 2)
    year, digit, sign = rng.randrange(1970, 2030), rng.randrange(10), rng.choice("!@#$%&*?")
    forms = (
        f"{one.capitalize()}{year}{sign}",
        f"{one}{sign}{two}{digit}",
        f"{one.replace('a', '4').replace('e', '3').replace('o', '0')}{digit}{digit}",
        f"{one}-{two}-{rng.randrange(10, 99)}",
        f"{draw(rng, 4, LOWER)}{year}{draw(rng, 2, UPPER)}",
        f"{draw(rng, 12, ALNUM + '!#%^*_-+')}7x",
    )
    return rng.choice(forms)


def plain_word(rng: Random) -> str:
    """A password of letters alone."""
    return "".join(rng.sample(_WORDS, 2))
