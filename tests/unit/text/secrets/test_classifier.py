"""Secrets in forms that no rule knows are found by a score of the word and what stands around it, and little else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autology.text.redaction import redact, secrets_in
from autology.text.secrets.candidates import PATTERNS, digits, parts, tokens
from autology.text.secrets.classifier import BITS, TRIGRAMS, FeatureWeights, in_brief, scored, shipped_weights

SERVER = Path(__file__).resolve().parents[4] / "server"
CHOSEN, MADE, CODE = "Lantern" + "?Birch508", "q7Xw" + "9LrTz2Kd", "70" + "4193"

FORMS = [
    ("we moved; for the intranet take jlee and {} until Monday, then log in with your card", CHOSEN),
    ("Intranet login\njlee\n{}\n", MADE),
    ("NAS (10.2.3.4): jlee >> {} >> admin rights", CHOSEN),
    ("bash: kinit jlee <<< {}", CHOSEN),
    ("the archive unlocks with {}, I sent the link before", CHOSEN),
    ("I reset your account, use {} for the first login", MADE),
    ("scan the badge, then the door wants {} as its code", CODE),
    ("isql -U jlee -P {} -S db3.lan", MADE),
    ("BMC 10.8.1.4 ADMIN {}", CHOSEN),
    ("rabbitmqctl add_user jlee {}", MADE),
    ("- [ ] rotate {} (root on db3)", CHOSEN),
    ("GitHub recovery codes\nq4x7m-81kdz\nw92hs-p5t0c\nz63nb-k8v1r\nh50rf-y2j7d\n", "z63nb-k8v1r"),
]


@pytest.mark.parametrize(("form", "secret"), FORMS)
def test_a_secret_in_a_form_that_no_rule_knows_goes(form: str, secret: str) -> None:
    assert secret not in redact(form.format(secret))[0]


def test_some_forms_of_secrets_are_matched_by_no_rule() -> None:
    texts = [(form.format(secret), secret) for form, secret in FORMS]
    known = [secrets_in(text, scores=False) for text, _ in texts]
    assert sum(not result for result in known) >= 5


HARMLESS = [
    "jlee fixed the login in 4f2a91c0, see OPS-4711 and build 20931 (token refresh, v2.14.3)",
    "The user 48213 signed in from 10.2.3.4:52144 at 2024-05-01 10:22:33",
    "pod/auth-7d9f8b6c54-x2k9p 1/1 Running, login-v2 next",
    "the password is checked with argon2id and SHA512, see RFC7519 and OAuth2",
    "request 3f2a91c0-11d4-4c1e-9a77-0d5a6c1b2e3f failed: wrong password",
    "key fingerprint SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDaHQ3dAAKmZyGnT1A jlee@db3",
    "PublicKey = 7GxnirN9xXTwV3ElltOH78Yh86tdz1J/0PywcdNHj9w=\nEndpoint = vpn.example.com:51820",
    "room 4711, exit code 137, zip code 10115, 4096 bits, door 12",
    "const useToken2 = createTokenProvider(loginOptions2, base64Of);",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_harmless_words_near_a_word_for_a_secret_are_kept(text: str) -> None:
    assert redact(text) == (text, ())


def test_in_this_project_s_own_code_and_guides_scores_alter_less_than_one_word_in_100_kb() -> None:
    files = [*(SERVER / "autology" / "core").rglob("*.py"), *(SERVER.parent / "docs").rglob("*.md")]
    altered, size = [], 0
    for file in files:
        text = file.read_text(encoding="utf-8")
        size += len(text)
        altered += [
            text[result.start : result.stop] for result in set(secrets_in(text)) - set(secrets_in(text, scores=False))
        ]
    assert size > 300_000
    assert len(altered) < size / 100_000, altered


def test_redacted_spans_do_not_overlap() -> None:
    text = f"login jlee:{MADE} password={CHOSEN}"
    content = redact(text)[1]
    assert all(one.stop <= two.start for one, two in pairwise(content))


def test_redacting_twice_changes_nothing_more_beside_a_marker() -> None:
    for form, secret in FORMS:
        once = redact(form.format(secret))[0]
        assert redact(once)[0] == once


def test_a_list_of_secrets_goes_on_as_it_began() -> None:
    codes = ["q4x7m-81kdz", "w92hs-p5t0c", "z63nb-k8v1r", "h50rf-y2j7d", "m83gt-c4q6w", "b17zk-n9s2x", "t64jv-f0h8p"]
    text = redact("GitHub recovery codes\n" + "\n".join(codes) + "\n")[0]
    assert not any(code in text for code in codes)


@pytest.mark.parametrize(
    "unit",
    [
        "login x1y2z3 ",
        "pw A1b2C3d4E5 ",
        "a1=b2:c3/d4@",
        "code 4711 ",
        "1a" * 300 + " ",
        "user-a_1.",
        "key 1.a\n",
        "9-a",
    ],
)
def test_hostile_text_costs_no_more_than_its_length(unit: str) -> None:
    text = "password\n" + unit * (400_000 // len(unit))
    began = time.process_time()
    list(scored(text, text.lower(), ("password", "login", "pw", "code", "key", "user"), ()))
    assert time.process_time() - began < 2.0


def test_the_table_is_whole_and_small() -> None:
    assert len(shipped_weights().trigrams) == TRIGRAMS
    assert len(shipped_weights().weights) == 1 << BITS
    assert shipped_weights().gate < 0
    assert (SERVER / "autology" / "text" / "secrets" / "scored.bin").stat().st_size < 60_000


def test_random_letters_score_more_surprising_than_words() -> None:
    surprise = shipped_weights().surprise
    assert surprise("window") < surprise("Fenster") < surprise("xqzvkw")


def test_a_table_adds_up_what_it_is_asked_for_and_keeps_few_words() -> None:
    zero = FeatureWeights(b"scored 0 1 -1 0\n" + bytes(TRIGRAMS) + bytes([1]) * (1 << BITS))
    assert zero.total(["a", "b", "b"]) == 2
    for number in range(5_000):
        zero.word(f"word{number}x", "token")
    assert len(zero._words) <= 4_096


def _loaded(text: str, path: Path) -> tuple[str, set[str]]:
    code = (
        "import sys\nfrom autology.text.redaction import redact\n"
        "sys.stdout.write(redact(sys.argv[1])[0])\nsys.stderr.write(' '.join(sys.modules))"
    )
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(
        [sys.executable, "-c", code, text], env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout, {name for name in done.stderr.split() if name.startswith("autology.")}


@pytest.mark.parametrize("text", ["Use SQLite for the index", "the password is kept in the vault", "log in and see"])
def test_the_secret_scorer_is_not_loaded_for_harmless_text(text: str) -> None:
    assert "autology.text.secrets.classifier" not in _loaded(text, SERVER)[1]


def test_the_table_is_read_from_an_archive_too(tmp_path: Path) -> None:
    made = tmp_path / "made.pyz"
    with zipfile.ZipFile(made, "w") as archive:
        for file in [*(SERVER / "autology" / "text").rglob("*.py"), *(SERVER / "autology" / "text").rglob("*.bin")]:
            archive.write(file, f"hooks-src/{file.relative_to(SERVER).as_posix()}")
        archive.writestr("hooks-src/autology/__init__.py", "")
    form, secret = FORMS[0]
    text, modules = _loaded(form.format(secret), made / "hooks-src")
    assert "autology.text.secrets.classifier" in modules
    assert secret not in text


_TOKEN_TEXTS = st.text(alphabet="abcDEF019!#$%&*+-./:=?@\\^_~ \n\t,;()'\"|", max_size=120)


@given(_TOKEN_TEXTS)
@example("plain words, Titled ones. and ... x.... a1b2? MiXed")
@example("a1b2" * 120)
def test_the_words_of_an_ascii_text_are_those_that_its_pattern_matches(text: str) -> None:
    beyond = f"{text} é"  # its words are matched
    assert [*tokens(text)] == [*tokens(beyond)]


@pytest.mark.parametrize("text", ["", "no digits", "1 2", "one 12ab 3c4d two", "code 4711", "٣٣٣٣ digits", "12 and 3"])
def test_codes_of_digits_are_found_in_texts_with_few_digits(text: str) -> None:
    assert [*digits(text)] == [*digits(f"{text}  é")]


NUMBERED = st.lists(st.sampled_from([*"0123 AZa*#-.,:/_%é\n", "0815", "12 34", " 1234 ab12 ", "999"]), max_size=40)


@given(NUMBERED.map("".join))
@example("call *4711# or 12345678 90")
@example("9x1234 0000000000000 1234")
def test_codes_of_digits_are_what_their_pattern_finds_in_the_whole_text(text: str) -> None:
    spans = [match.span() for match in PATTERNS["digits"].finditer(text) if sum(map(str.isdigit, match[0])) >= 4]
    assert [(start, stop) for start, stop, kind in digits(text) if kind == "digits"] == spans
    groups = [match.span() for match in PATTERNS["groups"].finditer(text) if sum(map(str.isdigit, match[0])) >= 3]
    assert {(start, stop) for start, stop, kind in digits(text) if kind == "groups"} <= set(groups)


WRITTEN = st.lists(st.sampled_from([*" aZ9!_*-=:/?.,é—", "pA5s!w0rd", "tR0ub4dor", "x" * 401, "*_", "-p", "\ud800"]))


@given(WRITTEN.map("".join))
def test_candidates_of_a_brief_text_are_those_of_its_words_wherever_these_stand(text: str) -> None:
    weights = shipped_weights()
    expected = [
        (first, last, *weights.word(text[first:last], "token"))
        for start, stop in tokens(text)
        for first, last in parts(text, start, stop)
        if weights.word(text[first:last], "token")[0] >= weights.gate
    ]
    for _ in range(2):  # the second time, its words are known
        assert [found for found in in_brief(text, weights) if found[3] not in "dg"] == expected
