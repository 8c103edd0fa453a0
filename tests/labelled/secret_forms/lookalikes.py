"""What looks like a secret and is none."""

from __future__ import annotations

import base64
from random import Random

from tests.labelled.secret_forms.kinds import B64, DIGITS, HEX, LOWER, UPPER, URL, Maker, base64_of, draw, mixed, uuid

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def _ipv6(rng: Random) -> str:
    return ":".join(draw(rng, 4, HEX) for _ in range(8))


def _phone(rng: Random) -> str:
    return f"+{rng.randrange(1, 99)} {draw(rng, 3, DIGITS)} {draw(rng, 3, DIGITS)} {draw(rng, 4, DIGITS)}"


def _identifier(rng: Random) -> str:
    words = "resolve parse build merge index fetch update remote cached session worker handler stream".split()
    return "_".join(rng.sample(words, 5))


def _camel(rng: Random) -> str:
    words = "Resolve Parse Build Merge Index Fetch Update Remote Cached Session Worker Handler Stream".split()
    return "".join(rng.sample(words, 5))


def _test_name(rng: Random) -> str:
    return f"test_{_identifier(rng)}_{rng.randrange(100)}"


def _path(rng: Random) -> str:
    return "/".join(_identifier(rng).split("_")) + f"/v{rng.randrange(9)}/main_{rng.randrange(99)}.py"


def _colours(rng: Random) -> str:
    return " ".join(f"#{draw(rng, 6, HEX)}" for _ in range(6))


def _png(rng: Random) -> str:
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + rng.randbytes(400)).decode()


def _fingerprint(rng: Random) -> str:
    return ":".join(draw(rng, 2, HEX) for _ in range(20))


def _minified(rng: Random) -> str:
    body = "".join(
        f"{a}.{b}={a}[{c}]||function({d}){{return {d}.{b}({c})}},"
        for a, b, c, d in (rng.sample(LOWER, 4) for _ in range(12))
    )
    return f"!function(e,t){{{body}}}(this);"


def _public_key(rng: Random) -> str:
    lines = "\n".join(draw(rng, 64, B64) for _ in range(5))
    return f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----"


def _certificate(rng: Random) -> str:
    lines = "\n".join(draw(rng, 64, B64) for _ in range(12))
    return f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----"


def _fixed(*texts: str) -> Maker:
    return lambda rng: rng.choice(texts)


_sha1, _sha256, _sha512, _md5 = mixed(40, HEX), mixed(64, HEX), mixed(128, HEX), mixed(32, HEX)
_PLACEHOLDERS = _fixed(
    "YOUR_API_KEY",
    "your-api-key-here",
    "<your-token>",
    "xxxxxxxxxxxxxxxxxxxx",
    "****************",
    "changeme",
    "REPLACE_ME",
    "<REDACTED>",
    "example-token-123",
    "placeholder",
    "TODO",
    "${API_KEY}",
    "{{ api_key }}",
    "insert-your-key-here",
    "my-secret-token",
    "dummy-key-12345",
    "fake_token_for_tests",
    "sk-xxxxxxxxxxxxxxxxxxxx",
    "1234567890abcdef1234",
    "abcdefghijklmnopqrstuvwxyz",
    "00000000000000000000",
)
_POINTERS = _fixed(
    "${DB_PASSWORD}",
    "$DB_PASSWORD",
    "%DB_PASSWORD%",
    "{{ .Values.password }}",
    'os.environ["DB_PASSWORD"]',
    "process.env.DB_PASSWORD",
    "config.get('db.password')",
    "getpass.getpass()",
    "ENV['DB_PASSWORD']",
    "${{ secrets.DB_PASSWORD }}",
    "settings.DB_PASSWORD",
    "vault:secret/data/app#password",
    "<password>",
    "null",
    "op://vault/app/password",
    "var.db_password",
    'System.getenv("DB_PASSWORD")',
    "self._password",
    "args.password",
    "!Ref DbPassword",
    "aws_secretsmanager_secret.db.arn",
)

LOOKALIKES: tuple[tuple[str, Maker], ...] = (
    # ---- hashes and checksums
    ("commit {}", _sha1),
    ("Merge commit '{}' into main", _sha1),
    ("git checkout {}", _sha1),
    ("https://github.com/acme/app/commit/{}", _sha1),
    ("index 3f2a91c..{} 100644", mixed(7, HEX)),
    ("sha256:{}", _sha256),
    ("image: registry.example.com/app@sha256:{}", _sha256),
    ("{}  dist/app.tar.gz", _sha256),
    ("SHA512 ({}) = app.zip", _sha512),
    ("md5sum: {}", _md5),
    ('ETag: "{}"', _md5),
    ('checksum = "{}"', _sha256),
    ('"integrity": "sha512-{}"', lambda rng: base64_of(rng, 64)),
    ("integrity sha512-{}", lambda rng: base64_of(rng, 64)),
    ("h1:{}", lambda rng: base64_of(rng, 32)),
    ("github.com/acme/lib v1.2.3 h1:{}", lambda rng: base64_of(rng, 32)),
    ('    "--hash=sha256:{}"', _sha256),
    ('{{ file = "lib-1.0.whl", hash = "sha256:{}" }}', _sha256),
    ('resolved "https://registry.yarnpkg.com/lib/-/lib-1.0.0.tgz#{}"', _sha1),
    ("Content-MD5: {}", lambda rng: base64_of(rng, 16)),
    ("script-src 'sha256-{}'", lambda rng: base64_of(rng, 32)),
    ("nonce-{}", lambda rng: base64_of(rng, 16)),
    ("cache-key: node-modules-{}", _sha256),
    ("cache_key={}", _md5),
    ("key: ${{{{ runner.os }}}}-pip-{}", _sha256),
    ("password_hash = '{}'", _sha256),
    ("token_sha256: {}", _sha256),
    ("api_key_fingerprint: {}", _md5),
    ("Docker-Content-Digest: sha256:{}", _sha256),
    ("tree {}\nparent 000", _sha1),
    ("blob_sha: {}", _sha1),
    ('rev = "{}"', _sha1),
    ("FROM python@sha256:{}", _sha256),
    ("uses: actions/checkout@{}", _sha1),
    ("build-id: {}", _sha1),
    ("trace_id={} span_id=00f067aa0ba902b7", mixed(32, HEX)),
    ("x-request-id: {}", uuid),
    ("traceparent: 00-{}-00f067aa0ba902b7-01", mixed(32, HEX)),
    # ---- identifiers
    ("id: {}", uuid),
    ('"sessionId": "{}"', uuid),
    ("session_id={}", uuid),
    ("token_id: {}", uuid),
    ('tenant_id = "{}"', uuid),
    ("AZURE_CLIENT_ID={}", uuid),
    ("secret_id: {}", uuid),
    ("urn:uuid:{}", uuid),
    ("ulid: {}", mixed(26, _CROCKFORD)),
    ("order 01{} was shipped", mixed(24, _CROCKFORD)),
    ("_id: ObjectId('{}')", mixed(24, HEX)),
    ("arn:aws:secretsmanager:eu-west-1:123456789012:secret:app/db-{}", mixed(6)),
    ("arn:aws:iam::123456789012:role/{}", _identifier),
    ("AWS account {}", mixed(12, DIGITS)),
    ("msg_{}", mixed(24)),
    ("toolu_{}", mixed(24)),
    ("req_{}", mixed(24)),
    ("cus_{}", mixed(14)),
    ("pk_test_{}", mixed(24)),
    ("price_1{}", mixed(23)),
    ("acct_1{}", mixed(15)),
    ("UA-{}-1", mixed(8, DIGITS)),
    ("video https://www.youtube.com/watch?v={}", mixed(11, URL)),
    ("https://docs.google.com/document/d/{}/edit", mixed(44, URL)),
    ("call {} for help", _phone),
    ("card ending in {}", mixed(4, DIGITS)),
    ("at {} the server answered", mixed(13, DIGITS)),
    ("inet6 {}/64", _ipv6),
    ("colours: {}", _colours),
    ("isbn 978{}", mixed(10, DIGITS)),
    ("version 1.2.3+{}", mixed(12, HEX)),
    ("libfoo.so.{}", mixed(8, DIGITS)),
    # ---- names in code
    ("def {}():", _test_name),
    ("tests/unit/test_app.py::{} PASSED", _test_name),
    ("class {}Factory:", _camel),
    ("{}(request)", _camel),
    ("open('{}')", _path),
    ("at {}:120:14", _path),
    ("token = {}(request)", _camel),
    ("token = self.{}(request)", _identifier),
    ("secret = load_{}()", _identifier),
    ("password = form.{}.data", _identifier),
    ("api_key = settings.{}", _identifier),
    ("accessToken: {};", _camel),
    ("private readonly token: {} = inject()", _camel),
    ("from app.{} import token", _identifier),
    ("SECRET_KEY = env('{}')", _identifier),
    ("secretKeyRef: {{name: {}, key: password}}", lambda rng: _identifier(rng).replace("_", "-")),
    ("secretName: {}", lambda rng: _identifier(rng).replace("_", "-")),
    ("token_url: https://login.example.com/{}/token", _identifier),
    ("KEY_{} = 5", lambda rng: _identifier(rng).upper()),
    ("key: {}", lambda rng: _identifier(rng).replace("_", "-")),
    ("primary_key={}", _identifier),
    ("sort_key: {}", _identifier),
    ("keyboard: {}", _identifier),
    ("monkeypatch.setenv('TOKEN', '{}')", _fixed("abc", "test", "t", "dummy", "x" * 12)),
    ("if password == '': # {}", _identifier),
    ("function {0}(e,t){{return e.token===t.token}}".replace("{0}", "{}"), mixed(2, LOWER)),
    ("{}", _minified),
    (
        "sourceMappingURL=data:application/json;base64,{}",
        lambda rng: base64.b64encode(
            b'{"version":3,"sources":["'
            + _path(rng).encode()
            + b'"],"mappings":"AAAA'
            + draw(rng, 200).encode()
            + b'"}'
        ).decode(),
    ),
    # ---- base64 and keys that anybody may have
    ("![logo](data:image/png;base64,{})", _png),
    ("src: url(data:font/woff2;base64,{})", lambda rng: base64_of(rng, 500)),
    ('"data": "{}"', lambda rng: base64_of(rng, 300)),
    ("{}", _public_key),
    ("{}", _certificate),
    ("ssh-rsa {} dev@host", lambda rng: "AAAAB3NzaC1yc2EAAAADAQABAAABgQ" + draw(rng, 340, B64)),
    ("ssh-ed25519 {} dev@host", lambda rng: "AAAAC3NzaC1lZDI1NTE5AAAAI" + draw(rng, 43, B64)),
    ("SHA256:{} dev@host (ED25519)", lambda rng: base64_of(rng, 32).rstrip("=")),
    ("fingerprint: {}", _fingerprint),
    ("MD5:{}", _fingerprint),
    ("gpg: key {} imported", mixed(16, HEX)),
    ("Signed-off-by key {}", mixed(40, UPPER[:6] + DIGITS)),
    ("age1{}", mixed(58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")),
    ("public_key: {}", lambda rng: base64_of(rng, 32)),
    ("VAPID_PUBLIC_KEY={}", mixed(87, URL)),
    ('pubkey = "{}"', mixed(64, HEX)),
    ("known_hosts: |1|{}|", lambda rng: base64_of(rng, 20)),
    # ---- placeholders and pointers
    ("API_KEY={}", _PLACEHOLDERS),
    ('api_key: "{}"', _PLACEHOLDERS),
    ("export TOKEN={}", _PLACEHOLDERS),
    ("Authorization: Bearer {}", _PLACEHOLDERS),
    ("curl -H 'X-Api-Key: {}' https://api.example.com", _PLACEHOLDERS),
    ("tool --token {}", _PLACEHOLDERS),
    ("secret: {}", _PLACEHOLDERS),
    ("client_secret={}", _PLACEHOLDERS),
    ("password={}", _POINTERS),
    ("password: {}", _POINTERS),
    ("DB_PASSWORD={}", _POINTERS),
    ("--password {}", _POINTERS),
    ("connect(password={})", _POINTERS),
    ("postgres://app:{}@db/app", _fixed("password", "${PW}", "<password>", "$PASS", "xxxx", "****", "secret", "pass")),
    ("sk-ant-{}", _fixed("...", "xxxxxxxxxxxxxxxxxxxx", "<your key>", "api03-...")),
    ("ghp_{}", _fixed("x" * 36, "...", "<token>", "*" * 36, "abc123")),
    ("AKIA{}", _fixed("...", "XXXXXXXXXXXXXXXX", "<id>")),
    ("xoxb-{}", _fixed("your-token", "...", "xxxx-xxxx-xxxx")),
    # ---- prose
    ("The token {} is wrong, it should be a number.", _fixed("type", "count", "limit", "budget", "stream")),
    ("The password policy requires {} characters and one digit.", mixed(2, "123456789")),
    ("password is required for {}", _identifier),
    ("the password is hashed with {}", _fixed("bcrypt", "argon2id", "scrypt", "PBKDF2-SHA256")),
    ("Passwords are kept in the {}", _fixed("keychain", "vault", "secret manager")),
    ("your password is too short ({} characters)", mixed(1, "1234567")),
    ("password must be changed every {} days", mixed(2, "123456789")),
    ("secret santa on 2024-12-{}", _fixed("01", "24", "12")),
    ("max_tokens: {}", mixed(5, "123456789")),
    ("tokens used: {}/200000", mixed(5, "123456789")),
    ("total_tokens={} prompt_tokens=812", mixed(4, "123456789")),
    ("12 passed, {} skipped in 3.2s", mixed(2, "123456789")),
    ("pass: {}", _fixed("true", "12/12", "all tests", "no-op", "2nd pass")),
    ("Compass bearing {} degrees", mixed(3, "123456789")),
    ("bearer {}", _fixed("authentication", "token-authentication", "scheme", "tokens-and-cookies")),
    ("basic {}", _fixed("authentication", "functionality", "understanding", "error-handling")),
    ("Basic {} is enough for a start", _fixed("configuration", "internationalization", "instrumentation")),
    ("token: {}", _fixed("2024-01-02T10:00:00Z", "string", "Optional[str]", "required", "v1.2.3-beta.4")),
    ("credentials: {}", _fixed("same-origin", "include", "omit", "true")),
    ("auth: {}", _fixed("none", "oauth2", "required", "basic")),
    ("the author is {}", _camel),
    ("rsync -p {} host:", _path),
    ("ssh -p {} deploy@host", mixed(4, "123456789")),
    ("mkdir -p {}", _path),
    ("docker run -p {}:80 app", mixed(4, "123456789")),
    ("cp -a {} /tmp/", _path),
    ("tar -a {}", _path),
    ("grep -u {} file", _identifier),
    ("curl -u {} https://api.example.com", _fixed("admin", "$USER:$PASS", "user:password", "<user>:<token>")),
    ("Cookie: theme={}; lang=en", _fixed("dark", "light-high-contrast")),
    ("git@github.com:acme/{}.git", _identifier),
    ("mailto:dev+{}@example.com", mixed(6, LOWER)),
    ("http://localhost:8080/{}@2x.png", _identifier),
    ("https://example.com/@scope/{}@1.2.3/dist", _identifier),
    ("docs at https://example.com/{}#access-token", _path),
    ("{}", lambda rng: "lorem ipsum " + " ".join(_identifier(rng).split("_"))),
    ("kubectl get secret {} -o yaml", lambda rng: _identifier(rng).replace("_", "-")),
    ("gh secret set {}", lambda rng: _identifier(rng).upper()),
    ("DEBUG {} keys=12 hits=3", _identifier),
    ("ALTER USER app WITH PASSWORD :{}", _identifier),
    ('<input type="password" name="{}">', _identifier),
    ("label: Password, hint: {}", _identifier),
    ('{{"type": "password", "title": "{}"}}', _camel),
    ("PASSWORD_RESET_TIMEOUT={}", mixed(5, "123456789")),
    ("TOKEN_LIFETIME={}", mixed(5, "123456789")),
    ("secrets.token_hex({})", mixed(2, "123456789")),
    ("hf_hub_download(repo_id='acme/{}')", _identifier),
    ("sk-learn-{}", _fixed("contrib-py-earth-pipeline", "compatible-estimators-list")),
    ("npm_config_{}", _identifier),
    ("cio{}", _fixed("pportunity-cost-analysis", "n-of-many-things")),
    ("risk-{}", lambda rng: _identifier(rng).replace("_", "-")),
    ("task-{}", uuid),
    ("desk-{}", mixed(20, HEX)),
)
"""Frames with what stands in them; a redactor leaves all of it as it is."""
