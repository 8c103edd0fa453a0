"""Secrets are taken out, and nothing else is."""

from __future__ import annotations

import base64
import hashlib
import random
import string
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autology.text.redaction import redact, secrets_in, without

_ALNUM = string.ascii_letters + string.digits


def _made(length: int, letters: str = _ALNUM, seed: int = 1) -> str:
    """A value such as a machine makes; put together here so that no scanner takes this file for a leak."""
    return "".join(random.Random(f"{seed}{length}{letters}").choices(letters, k=length))


_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + "234567"
_JWT = f"eyJ{_made(33)}.eyJ{_made(60)}.{_made(43, _ALNUM + '-_')}"
_PEM = (
    "-----BEGIN {0}PRIVATE KEY-----\n"
    + "\n".join(_made(64, _ALNUM + "+/", i) for i in range(4))
    + "\n-----END {0}PRIVATE KEY-----"
)

SECRETS = [
    ("aws-access-key", "AKIA" + _made(16, _UPPER)),
    ("aws-access-key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("aws-access-key", "ASIA" + _made(16, _UPPER)),
    ("gcp-api-key", "AIza" + _made(35, _ALNUM + "-_")),
    ("gcp-oauth-token", "ya29." + _made(60)),
    ("gcp-client-secret", "GOCSPX-" + _made(28)),
    ("github-token", "ghp_" + _made(36)),
    ("github-token", "gho_" + _made(36)),
    ("github-token", "ghs_" + _made(36)),
    ("github-token", "github_pat_" + _made(22) + "_" + _made(59)),
    ("gitlab-token", "glpat-" + _made(20)),
    ("slack-token", "xoxb-" + _made(12, string.digits) + "-" + _made(24)),
    ("slack-webhook", "hooks.slack.com/services/T" + _made(8) + "/B" + _made(8) + "/" + _made(24)),
    ("stripe-key", "sk_live_" + _made(24)),
    ("stripe-key", "rk_test_" + _made(24)),
    ("openai-key", "sk-proj-" + _made(48)),
    ("openai-key", "sk-" + _made(48)),
    ("anthropic-key", "sk-ant-api03-" + _made(90, _ALNUM + "-_")),
    ("npm-token", "npm_" + _made(36)),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + _made(80)),
    ("huggingface-token", "hf_" + _made(34)),
    ("sendgrid-key", "SG." + _made(22) + "." + _made(43)),
    ("digitalocean-token", "dop_v1_" + _made(64, _HEX)),
    ("jwt", _JWT),
    ("private-key", _PEM.format("RSA ")),
    ("private-key", _PEM.format("OPENSSH ")),
    ("private-key", _PEM.format("")),
    ("private-key", _PEM.format("EC ").replace("\n", "\\n")),
    ("telegram-token", "123456789:AA" + _made(33, _ALNUM + "-_")),
    ("azure-client-secret", "abc8Q~" + _made(34)),
]


@pytest.mark.parametrize(
    "frame", ["{}", "the key is {} .", "KEY={}\nNEXT=1", '"{}"', "({})", "a\n{}\nb", "`{}`,", "x: {}"]
)
@pytest.mark.parametrize(("kind", "secret"), SECRETS)
def test_a_known_shape_is_found_wherever_it_stands(kind: str, secret: str, frame: str) -> None:
    text, findings = redact(frame.format(secret))
    assert text == frame.format(f"[redacted:{kind}]")
    assert [finding.kind for finding in findings] == [kind]


NAMED = [
    ("AWS_SECRET_ACCESS_KEY={}", "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY"),
    ("export API_KEY={}", _made(32)),
    ("API_KEY = '{}'", _made(32)),
    ("api-key: {}", _made(24)),
    ('"apiKey": "{}",', _made(20)),
    ("'client_secret': '{}'", _made(40)),
    ("SECRET_KEY={}", _made(64, _HEX)),
    ("const token: string = `{}`;", _made(40)),
    ('const apiKey: string = "{}";', _made(40)),
    ('token = "{}"', _made(24, string.ascii_lowercase + string.digits)),
    ("GITHUB_TOKEN: {}", _made(40, _HEX)),
    ('env["SLACK_TOKEN"] = "{}"', _made(30)),
    ("X-Api-Key: {}", _made(32)),
    ("tool --token {} run", _made(32)),
    ("tool --api-key={}", _made(32)),
    ("DB_PASSWORD={}", "hunter2"),
    ("DB_PASS={}", "hunter2!"),
    ("password: {}", "Tr0ub4dor&3"),
    ('"password": "{}"', "hunter2"),
    ("mysql --password={} db", "s3cr3t-pw!"),
    ("passphrase = '{}'", "corr3ct-Horse"),
    ("pwd={};", "p4ss-w0rd!x"),
    ('{{\\"api_key\\": \\"{}\\"}}', _made(32)),
    ("postgres://app:{}@db.example.com/app", "hunter2"),
    ("mongodb+srv://u:{}@c.mongodb.net", "p@ss:w0rd"),
    ("redis://:{}@localhost:6379", "s0mething"),
    ("https://{}@github.com/o/r.git", _made(40)),
    ("Authorization: Bearer {}", _made(40, _ALNUM + "-._")),
    ("curl -H 'authorization: bearer {}'", _made(32)),
    ("Authorization: Basic {}", base64.b64encode(b"user:pa55word-of-them").decode()),
    ("DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};", base64.b64encode(bytes(range(64))).decode()),
    ("https://x.blob.core.windows.net/c?sv=2020&sig={}", _made(43) + "%3D"),
    ('"password": "{}', "cut0ff-value"),
    ("before <private>{}</private> after", "what nobody is to know"),
]


@pytest.mark.parametrize(("frame", "secret"), NAMED)
def test_values_labelled_as_secret_by_name_or_context_are_redacted(frame: str, secret: str) -> None:
    text, findings = redact(frame.format(secret))
    assert secret not in text
    assert "[redacted:" in text
    assert findings
    begin = frame.format(secret)[: findings[0].start]
    assert text.startswith(begin)


PRIVATE = [
    "before <private>{}</private> after",
    "before <PRIVATE>{}</Private> after",
    "<private reason='x'>\n{}\n</private>",
    "<private>{}",
    "before\n\n<private>\n{}\n\nand on",
    "<private>a <private>b</private> {}</private> after",
    "<private>a <private>b</private> {}",
]


@pytest.mark.parametrize("frame", PRIVATE)
def test_private_sections_are_redacted_whether_closed_or_not(frame: str) -> None:
    text, findings = redact(frame.format("nobody is to know"))
    assert "nobody" not in text
    assert [finding.kind for finding in findings] == ["private"]


def test_an_unclosed_private_tag_redacts_its_paragraph() -> None:
    text, _ = redact("Put <private> around it; nobody keeps that.\n\nThe rest stays.")
    assert text == "Put [redacted:private]\n\nThe rest stays."


@pytest.mark.parametrize(("kind", "secret"), SECRETS)
def test_a_secret_is_found_among_long_words_that_were_harmless_before(kind: str, secret: str) -> None:
    path = "docs/decisions/keep-the-index"
    assert redact(f"see {path} and ghp_is_a_prefix_of_tokens") == (f"see {path} and ghp_is_a_prefix_of_tokens", ())
    assert kind in [finding.kind for finding in redact(f"see {path}\n{secret}\n{path}")[1]]


def test_a_part_of_a_text_holds_nothing_of_a_secret_that_reaches_into_it() -> None:
    text = f"before {_PEM.format('RSA ')} after"
    content = secrets_in(text)
    parts = [without(text, content, at, at + 50) for at in range(0, len(text), 50)]
    assert "".join(parts).replace("[redacted:private-key]", "") == "before  after"
    assert parts[2] == "[redacted:private-key]"


HARMLESS = [
    f"commit {hashlib.sha1(b'x').hexdigest()}",
    f"sha256:{hashlib.sha256(b'x').hexdigest()}",
    f"md5 {hashlib.md5(b'x').hexdigest()} file",
    "id: 550e8400-e29b-41d4-a716-446655440000",
    "session_token_id = 550e8400-e29b-41d4-a716-446655440000",
    f'"integrity": "sha512-{base64.b64encode(hashlib.sha512(b"x").digest()).decode()}"',
    f'hash = "sha256:{hashlib.sha256(b"y").hexdigest()}"',
    f"token_hash: {hashlib.sha256(b'y').hexdigest()}",
    f"![x](data:image/png;base64,{base64.b64encode(random.Random(7).randbytes(20_000)).decode()})",
    "TOKEN=<your-token>",
    "TOKEN=your-token-goes-here-1234",
    "PASSWORD=changeme",
    "PASSWORD=${DB_PASSWORD}",
    "PASSWORD=$DB_PASSWORD",
    "password: {{ vault_password }}",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx",
    "API_KEY=************",
    "api_key: 'YOUR_API_KEY_2'",
    "sk-ant-xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "postgres://user:password@localhost/db",
    "postgres://user:${PASSWORD}@localhost/db",
    "postgres://<user>:<password>@localhost/db",
    "https://example.com:8080/path@2x.png",
    "git@github.com:owner/repository.git",
    'secret = os.environ["SECRET"]',
    "token = self.tokens.next_token2()",
    "const token = getAccessTokenFromRequestHeader(request)",
    "password = getpass.getpass()",
    "def login(user: str, password: str) -> Token:",
    "password: Optional[str] = None",
    "The token is kept in the keychain, the password never.",
    "Use a password manager; tokens: 128000 of 200000 used, token budget: 8192",
    "tokenizer = 'bert-base-uncased-v2'",
    "passed: 12/15 tests-ok",
    "bypass: cache-v2-warm",
    "PWD=/home/dev/project1",
    "secretName: my-app-secret-v2",
    "secret: my-app-secret-v2",
    "token: 2024-01-02T10:00:00Z",
    "token_endpoint: https://login.example.com/oauth2/v2.0/token",
    "max_tokens=4096",
    "next_page_token: null",
    "password_hash = bcrypt.hashpw(password, salt12)",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl dev@host",
    "bearer of good news and bearer tokens are described here",
    "basic authentication-and-authorization",
    "src/autology/text/redact.py::test_tokens2",
    "risk-assessment-document-number-twelve",
    "the <private> tag",
    "put it between `<private>` and its end",
    "secret sharing, secretary=Jane, compass=north-by-northwest2",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_texts_without_secrets_are_unchanged(text: str) -> None:
    assert redact(text) == (text, ())


def test_a_lock_file_stays_as_it_is() -> None:
    lines = [
        f'{{"resolved": "https://registry.npmjs.org/p/-/p-{i}.tgz", "integrity": "sha512-'
        f'{base64.b64encode(hashlib.sha512(bytes([i])).digest()).decode()}",'
        f' "h": "{hashlib.sha256(bytes([i])).hexdigest()}"}}'
        for i in range(200)
    ]
    text = "\n".join(lines)
    assert redact(text) == (text, ())


def test_findings_say_where_in_the_text_that_was_given() -> None:
    first, second = "ghp_" + _made(36), "npm_" + _made(36)
    text, findings = redact(f"a {first} b {second} c")
    assert text == "a [redacted:github-token] b [redacted:npm-token] c"
    assert [f"a {first} b {second} c"[f.start : f.stop] for f in findings] == [first, second]


def test_letters_that_change_their_length_in_lower_case_move_nothing() -> None:
    secret = _made(32)
    text, _ = redact(f"İİİ İstanbul API_KEY={secret} ΣΑΣ")
    assert text == "İİİ İstanbul API_KEY=[redacted:secret] ΣΑΣ"


def test_a_truncated_private_key_is_redacted_to_its_end() -> None:
    text, _ = redact(_PEM.format("RSA ")[:150])
    assert text == "[redacted:private-key]"


@given(st.text(max_size=300))
def test_any_text_without_names_or_shapes_settles_at_once(text: str) -> None:
    once, _ = redact(text)
    assert redact(once)[0] == once


@given(
    st.lists(
        st.sampled_from([secret for _, secret in SECRETS] + ["=", "token=", "password: ", "x", "--token"]), max_size=8
    )
)
def test_redacting_twice_is_redacting_once(parts: list[str]) -> None:
    once, _ = redact(" ".join(parts))
    assert redact(once) == (once, ())


def test_a_label_before_a_redacted_secret_is_not_redacted() -> None:
    once, _ = redact("password:  token= AKIAQ6OWJNPIQ7K7DM4W")
    assert once == "password:  token= [redacted:aws-access-key]"
    assert redact(once) == (once, ())


HOSTILE = [
    *(
        "AKIA",
        "eyJ",
        "eyJaaaaaaaaaaaa.",
        " eyJaaaaaaaa.eyJaaaa.a",
        "://",
        "://a:a",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
    ),
    *(
        "-----BEGIN ",
        "pass",
        "password",
        "password=",
        "token='",
        'token="a',
        "token=abcdefgh ",
        "token: ",
        "secret",
        "secret_",
    ),
    *(
        "bearer ",
        "bearer aaaaaaaaaaaa1b2c3d4e",
        ":AA",
        "Q~",
        "sk-",
        "a",
        "A1b2",
        "\\",
        '"',
        "=",
        "İ",
        "<private>",
        "sig=",
        "-token ",
    ),
    "API_KEY=a1B2c3D4e5F6g7H8 ",
    *("mysql ", "mysql -p ", "login -p ", "curl -u a:", "sshpass -p ", "redis-cli ", "echo a |", "localhost:5432:a:b:"),
    *("<password>", 'set_password("', "password is ", "password\n value: ", "'token', '", 'password \\"', "pw "),
    *("kind: secret\n", "kind: Secret\ndata:\n  a: ", "data:\n a: b\n", "cookie: a=b;", "authorization: "),
    *(
        "credentials: a/",
        "key-",
        "-key ",
        "my_key: ",
        "token->",
        "secret(",
        "auth ",
        "a:b@",
        "?sig=",
        "&sig=" + "a" * 29,
    ),
    *("a.b.", "M.", "1/2/", "xoxb-1234567890-", "sk_live_", "hf_", "x" * 50 + " ", "<private ", "</private>"),
    *("-----END ", "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n"),
    *("-----END PRIVATE KEY-----\n", "key private-lines: 9999\n", "MIIEAIBAAKC", "LS0tLS1CRUdJTiBS", "eyJhbGciOi"),
    *("password: |\n  ", "a,password\n1,2\n", "| password |\n|---|\n", "<tr><th>password</th></tr>", "password</b><i>"),
    *(
        "insert into t (password) values ('a1b2c3d4'),",
        "a, password = 'x', ",
        "auth=('a','b',",
        '"token": {',
        "token, ",
    ),
    *(
        "password for the a ",
        'the password is "a b ',
        "password: a b c d ",
        "パスワードは",
        "пароль: ",
        "&lt;password&gt;",
    ),
    *(
        "recovery codes 1a2b3c ",
        "seed phrase: abc def ",
        "totp abcd ",
        "setup key abcd ",
        "$6$aaaa$",
        "a:b1c2d3e4@",
        "a@b.c:",
    ),
    *(
        "identified by '",
        "chpasswd a:b1c2d3e4 ",
        "htpasswd -b a b ",
        "curl -b a=",
        "| sudo -s <<< ",
        "wifi:s:p:",
        "pass:",
    ),
    *(
        "a1B2c3D4e5F6g7H8i9J0k1L2 # ",
        "sid=a1B2c3D4e5F6g7H8i9J0k1L2;",
        "[redacted:aws-access-key] ",
        "xghp_1a2B3c4D5e6F7g8H",
    ),
    *("a\u200bb", "\u200b", "ｐ", "\x1b[", "a\\\nb", "a1B2c3D4=\n"),
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    # A pattern that goes over its text again for each place in it takes minutes here; a linear one, a second or two.
    text = unit * (1_000_000 // len(unit))
    began = time.process_time()
    redact(text)
    assert time.process_time() - began < 20
