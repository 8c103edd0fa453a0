"""Secrets are found in the forms that people and programs write them in, and texts like these without any stay."""

from __future__ import annotations

import string
from random import Random

import pytest

from autology.text.redaction import redact

_ALNUM = string.ascii_letters + string.digits
_B64 = _ALNUM + "+/"


def _made(length: int, letters: str = _ALNUM, seed: int = 1) -> str:
    return "".join(Random(f"{seed}{length}{letters}").choices(letters, k=length))


CHOSEN, WORDY, TOKEN = "Winter" + "2024!x", "spruce" + "7781", _made(36)
AWS_ID, AWS = "AKIA" + _made(16, string.ascii_uppercase + "234567"), _made(40, _B64)
GITHUB = "ghp_" + _made(36)
LINES = [_made(64, _B64, seed) for seed in range(4)]
BEGIN, END = "-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----"

FURNITURE = {
    "plain": "{}",
    "quoted": "> {}",
    "commented": "# {}",
    "in a comment of C": "// {}",
    "in a block comment": " * {}",
    "boxed": "│ {} │",
    "in a table": "| {} |",
    "numbered by cat": "     3\t{}",
    "numbered by a tool": "   12→{}",
    "found by grep": "key.pem:3:{}",
    "in strings": '"{}\\n" +',
    "in a difference": "+{}",
    "in a log": "2024-01-01 10:00:00 INFO {}",
    "in HTML": "<!-- {} -->",
}


@pytest.mark.parametrize("frame", FURNITURE.values(), ids=FURNITURE.keys())
@pytest.mark.parametrize("end", ["", END])
def test_every_line_of_a_private_key_is_redacted_with_or_without_its_end_marker(frame: str, end: str) -> None:
    lines = [frame.format(line) for line in (BEGIN, *LINES, *([end] if end else []))]
    text, findings = redact("the key:\n" + "\n".join(lines) + "\n\nThen deploy it.\n")
    assert not any(line in text for line in LINES)
    assert text.endswith("\n\nThen deploy it.\n")
    assert [finding.kind for finding in findings] == ["private-key"]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([*LINES, END]),
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ" + "\n".join(LINES),
        "client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo" + LINES[0] + "\n  " + "\n  ".join(LINES[1:]),
        "PuTTY-User-Key-File-3: x\nPrivate-Lines: 4\n" + "\n".join(LINES) + "\nPrivate-MAC: 0\n",
        f"private_key: |\n  {LINES[0]}\n  {LINES[1]}\n  {LINES[2]}\n  {LINES[3]}\nnext: x\n",
    ],
)
def test_key_lines_without_begin_and_end_are_redacted(text: str) -> None:
    assert not any(line in redact(text)[0] for line in LINES)


PASSWORDS = [
    # blocks, wrapped lines, tables, lists
    *("password: |\n  {}\nuser: x\n", "db:\n  password: >-\n    {}\n  user: x\n", "credentials: |\n  admin\n  {}\n"),
    *("| user | password |\n|---|---|\n| ann | {} |\n", "| password | {} |\n", "user,password\nann,{}\n"),
    *("user;passwort;rolle\nann;{};admin\n", "user\tpassword\nann\t{}\n", " id | password\n----+-----\n 1 | {}\n"),
    "<table><tr><th>User</th><th>Password</th></tr><tr><td>ann</td><td>{}</td></tr></table>",
    *(
        "auth=('ann', '{}')",
        'HTTPBasicAuth("ann", "{}")',
        'user, password = "ann", "{}"',
        "PAIRS = passwords([('a', '{}')])",
    ),
    *("&lt;password&gt;{}&lt;/password&gt;", "<dt>Password</dt><dd>{}</dd>", "│ Password: {} │"),
    # commands and statements
    *(
        "echo 'root:{}' | chpasswd",
        "chpasswd <<EOF\nroot:{}\nEOF",
        "htpasswd -b file ann {}",
        "ldapsearch -x -w {} -b dc=x",
    ),
    *("CREATE USER app IDENTIFIED BY '{}';", "ALTER ROLE app WITH PASSWORD '{}';", "echo '{}' | sudo -S ls"),
    *("INSERT INTO users (name, password) VALUES ('ann', '{}');", "ENV DB_PASSWORD {}", "ARG DB_PASS={}"),
    *("smbclient //srv/x -U ann%{}", "sqlcmd -S db -U sa -P '{}'", "7z a -p{} x.7z d", "WIFI:T:WPA;S:net;P:{};;"),
    *("app:{}@tcp(db:3306)/x", "*:*:*:postgres:{}", "ann@example.com:{}\nbob@example.com:{}\n", "root:{}\n"),
    # sentences
    *("Root pass on the NAS: {}. Keep it.", "login with ann/{} works", "use {} as the password", "the wifi key is {}"),
    "jenkins: use the following password to proceed to installation:\n\n{}\n\nIt is also in a file.",
    # other languages and letters
    *(
        "パスワード： {}",
        "パスワードは {} です",
        "密码是「{}」，请修改。",
        "пароль: {}",
        "пароль от базы: {}",
        "Passwort: {}",
    ),
    *("das Passwort lautet {}", "contraseña: {}", "La contraseña del wifi es {}.", "mot de passe : {}", "senha: {}"),
    *(
        "A senha do banco é {}, usuário app.",
        "Kennwort: {}",
        "Wachtwoord voor de NAS: {}",
        "hasło: {}",
        "كلمة المرور: {}",
    ),
    *("הסיסמה: {}", "पासवर्ड: {}", "비밀번호: {}", "ｐａｓｓｗｏｒｄ：{}", "pass\u200bword: {}"),
]


@pytest.mark.parametrize("frame", PASSWORDS)
@pytest.mark.parametrize("secret", [CHOSEN, WORDY])
def test_a_password_is_found_in_the_forms_that_people_write(frame: str, secret: str) -> None:
    text, findings = redact(frame.replace("{}", secret))
    assert secret not in text
    assert findings
    assert redact(text)[0] == text


TOKENS = [
    *("client_key_data: {}", "private_key_data: {}", "ssh_private_key_b64: {}", '"ssh_private_key_b64" : "{}"'),
    *("aws configure set aws_secret_access_key {}", "npm config set //registry.npmjs.org/:_authToken {}"),
    *(
        "ENV API_TOKEN {}\n",
        'ENV SECRET_KEY "{}"',
        "api_token: |\n  {}\n",
        "| API token | {} |",
        "user,api_key\nann,{}\n",
    ),
    *(
        'variable "hub_token" {\n  type = string\n  default = "{}"\n}',
        '"api_token": {"sensitive": true, "value": "{}"}',
    ),
    *(
        "ok so the client secret they mailed us is {} and that is it",
        "- value: {}  # API_SECRET",
        "访问令牌：{}（请勿外传）",
    ),
    *(
        "openssl rand -base64 27\n{}\n",
        'secret = """{}"""',
        'export TOKEN=\\\\\\"{}\\\\\\"',
        "токен: {}",
        "deploy key: {}",
    ),
]


@pytest.mark.parametrize("frame", TOKENS)
def test_a_token_is_found_in_the_forms_that_programs_write(frame: str) -> None:
    text, findings = redact(frame.replace("{}", TOKEN))
    assert TOKEN not in text
    assert findings
    assert redact(text)[0] == text


@pytest.mark.parametrize("before", [AWS_ID, "[redacted:aws-access-key]"])
@pytest.mark.parametrize("between", [" / ", "\n", ",", " and the secret "])
def test_the_secret_beside_an_access_key_goes_though_nothing_names_it(before: str, between: str) -> None:
    assert AWS not in redact(f"{before}{between}{AWS}")[0]


@pytest.mark.parametrize("frame", ["token{}", "Tokenis{}.", "my_{}", "_{}_", "**{}**", "x{}thanks"])
def test_a_token_that_is_grown_together_with_a_word_is_found(frame: str) -> None:
    assert GITHUB not in redact(frame.format(GITHUB))[0]


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\x1b[0m", "\U000e0041", "\\\n", "\\\n    "]
)
def test_a_token_split_by_invisible_characters_is_redacted(hidden: str) -> None:
    for at in (2, 12, 30):
        text, findings = redact(f"token {GITHUB[:at]}{hidden}{GITHUB[at:]} .")
        assert text == "token [redacted:github-token] ."
        assert len(findings) == 1


def test_redacted_spans_are_exact_despite_hidden_and_full_width_characters() -> None:
    text = f"ｐａｓｓｗｏｒｄ：{CHOSEN} and a\u200bb, token {GITHUB[:9]}\u200b{GITHUB[9:]}, end"
    assert redact(text)[0] == "ｐａｓｓｗｏｒｄ：[redacted:password] and a\u200bb, token [redacted:github-token], end"


PHRASES = [
    ("passphrase: {}", "correct horse battery staple"),
    ("the passphrase is {}", "correct horse battery staple"),
    ("BORG_PASSPHRASE='{}' borg list", "circus kitten helmet whistle saddle comet"),
    ("LUKS passphrase for the laptop: {}", "Quiver cricket gecko cherry"),
    ("restic passphrase = {}", "lagoon-nectar-jacket-planet-stapler"),
    ('The admin password is "{}" with the apostrophe.', "Grandma's 3rd cat: Whiskers?"),
    ("password: {}", "thistle loves green tea, 7 cups!"),
    (
        "Wallet recovery phrase:\n{}",
        "pebble thunder rocket mitten harbor ocean olive arctic button ember walnut saddle",
    ),
]


@pytest.mark.parametrize(("frame", "secret"), PHRASES)
def test_a_password_of_several_words_goes_whole(frame: str, secret: str) -> None:
    text, _ = redact(frame.format(secret))
    assert not any(word in text for word in secret.split() if len(word) > 4)


CODES = [
    ("GitHub recovery codes\n  1. {}\n  2. {}\n", ("a11b0-371ed", "34207-1fdb3")),
    ("backup codes: {} {}", ("25345040", "59613278")),
    ("My 2FA backup code is {}, use it once.", ("3hxz-dh7e-o3w8",)),
    ("Scan failed? Enter this setup key by hand: {}", ("VYBL GEX4 EYD3 BNFF NNSG WGMM",)),
    ('"mfa": {{"type": "totp", "seed": "{}"}}', ("MPEX4M2JL7LFZVCMDGZFCUB6C3",)),
    ("ann:{}:19700:0:99999:7:::", ("$6$eZG8CIUbIy8gBw3G$1JUkrMViakTgypKbMcPu2r0sf.XbsXVjOJ",)),
]


@pytest.mark.parametrize(("frame", "secrets"), CODES)
def test_codes_seeds_and_hashes_of_passwords_go(frame: str, secrets: tuple[str, ...]) -> None:
    text, _ = redact(frame.format(*secrets))
    assert not any(secret in text for secret in secrets)


HARMLESS = [
    "--- PASS: TestTokenRefresh/expired_token (0.02s)\n--- PASS: TestTokenRefresh/valid_token (0.01s)",
    "パスワードは12文字以上にしてください。",
    "| Feature | Token | Session |\n|---|---|---|\n| Stateless | Yes | No |\n| Since | v2.1.0 | OAuth2 |",
    "| Option | Password | Default |\n|---|---|---|\n| --foo | argon2id | 12 |",
    "token, auth and key, all three\nare, as said, in the vault",
    "names = (\n    password,\n    channel_binding,\n    gs2_header,\n)",
    "return console.input(prompt, password=password, stream=stream)",
    "'PASSWORD',\n    'BASE64-DECODE',\n    'PUT-INT64',\n    'V6FRAME',",
    "Telemetry schemas are identified by Schema URL2 and a version.",
    'password: "Enter your new password (8 characters)"',
    "password: must be at least 8 characters and 1 digit",
    "passphrase: optional string used to decrypt the 2nd key",
    "# password: |\n#   what the user types, at least 8 characters\n",
    "private_key = Ed25519PrivateKey.from_private_bytes(data)",
    "The recovery code path retries 3 times; see code 4041 in errors.md",
    "seed: 42\nseed phrase support is planned for 2025",
    "the backup code runs every 24 hours",
    "user@example.com: see line 12",
    "git@github.com:owner/repo2.git and image@sha256:" + _made(64, "0123456789abcdef"),
    "docker run redis:7.2-alpine node:20-alpine3.19",
    "the password reset link is https://example.com/reset?step=2",
    "API key rotation: every 90days, see RFC7519",
    "cache key: " + _made(40, "0123456789abcdef"),
    "The keyboard shortcut key is Ctrl2Shift",
    f"{_made(40, '0123456789abcdef')}  dist/app-1.2.tar.gz\n{_made(40, '0123456789abcdef', 2)}  dist/app-1.3.tar.gz",
    "Lesezeichen: Passwort vergessen? Kennwort zurücksetzen in 2 Schritten",
    "密码至少需要8个字符。",
    "令牌桶算法限制为每秒100个请求",
    "⚠️ keep the token out of logs ✔️ 2 checks",
    "cat <<EOF | tee -a log\\\nmore text here\\\nend of it\nEOF",
    "print('%-20s' % name, \\\n      value)",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_texts_like_these_without_a_secret_stay(text: str) -> None:
    assert redact(text) == (text, ())
