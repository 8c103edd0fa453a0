"""A hub's address: read, encrypted off this machine, and its password shown nowhere."""

from __future__ import annotations

import dataclasses
import logging
import ssl
from pathlib import Path

import pytest

from autology import settings
from autology.hub import dsn_file
from autology.hub.model import Space
from autology.hub.postgres.address import Address, parse_dsn
from autology.hub.postgres.hub import PostgresHub
from autology.model.errors import ValidationError

SECRET = "hunter2-very-secret"
DSN = f"postgresql://ada:{SECRET}@db.example.org/autology"


def test_an_address_is_parsed_into_its_parts() -> None:
    made = parse_dsn("postgresql://ada%40x:p%2Fw@one.example.org,[2001:db8::1]:5433/team?target_session_attrs=any")
    assert made.hosts == (("one.example.org", 5432), ("2001:db8::1", 5433))
    assert (made.user, made.password, made.database, made.writable) == ("ada@x", "p/w", "team", False)
    assert parse_dsn("postgres://ada@h").database == "ada"
    assert parse_dsn("postgresql://ada@h/x", {"PGPASSWORD": "from outside"}).password == "from outside"
    assert parse_dsn("postgresql:///x?host=/run/postgresql&user=ada").hosts == (("/run/postgresql", 5432),)


@pytest.mark.parametrize(
    ("host", "encrypted"),
    [("db.example.org", True), ("10.0.0.7", True), ("localhost", False), ("127.0.0.1", False), ("[::1]", False)],
)
def test_connections_to_other_machines_are_encrypted_by_default(host: str, encrypted: bool) -> None:
    made = parse_dsn(f"postgresql://ada@{host}/x")
    assert made.encrypts(made.hosts[0][0]) is encrypted
    off = parse_dsn(f"postgresql://ada@{host}/x?sslmode=disable")
    assert not off.encrypts(off.hosts[0][0])


def test_the_servers_certificate_is_verified() -> None:
    context = parse_dsn(DSN).ssl_context("db.example.org")
    assert context is not None
    assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)


@pytest.mark.parametrize(
    "dsn",
    [
        f"mysql://ada:{SECRET}@h/x",
        f"postgresql://ada:{SECRET}@h:port/x",
        f"postgresql://ada:{SECRET}@h/x?sslmode=perhaps",
        f"postgresql://ada:{SECRET}@h/x?strange=1",
        f"postgresql://:{SECRET}@h/x",
        f"ada:{SECRET}@h",
        f"postgresql://ada:{SECRET}@[h/x",
    ],
)
def test_an_invalid_address_is_refused_without_quoting_it(dsn: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_dsn(dsn)
    assert SECRET not in str(refused.value)
    assert "postgresql://" in str(refused.value) or "Known:" in str(refused.value)


def test_the_password_of_an_address_is_never_shown(caplog: pytest.LogCaptureFixture) -> None:
    made = parse_dsn(DSN)
    logging.getLogger("x").warning("%s %r", made, made)
    assert SECRET not in f"{made} {made!r} {made.name} {caplog.text}"
    result = dataclasses.replace(settings.Settings(), hub_dsn=settings.Secret(DSN))
    assert SECRET not in f"{result} {result!r}"
    assert dataclasses.fields(Address)


# ---- where it is told ------------------------------------------------------------------------------------


def test_the_environment_can_set_the_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUTOLOGY_HUB_DSN", DSN)
    assert settings.load(str(tmp_path)).hub_dsn == DSN


@pytest.mark.parametrize("line", ["dsn: postgresql://eve@evil.example.org/x", "dsn_file: /etc/passwd", "deadline: 60"])
def test_a_repository_cannot_set_the_address(tmp_path: Path, line: str) -> None:
    (tmp_path / ".autology").mkdir()
    (tmp_path / ".autology" / "config.yaml").write_text(f"hub:\n  {line}\n", encoding="utf-8")
    result = settings.load(str(tmp_path))
    assert (result.hub_dsn, result.hub_dsn_file, result.hub_deadline) == ("", "", 5.0)
    assert any("only the user may set it" in why for why in result.ignored)
    assert not any("evil" in why for why in result.ignored)


def test_the_users_settings_can_set_the_address_only_if_private(tmp_path: Path, home: Path) -> None:
    own = home / "config" / "config.yaml"
    own.parent.mkdir()
    own.write_text(f"hub:\n  dsn: {DSN}\n", encoding="utf-8")
    own.chmod(0o644)
    result = settings.load(str(tmp_path))
    assert result.hub_dsn == ""
    assert any("other users can read this file" in why for why in result.ignored)
    assert not any(SECRET in why for why in result.ignored)
    own.chmod(0o600)
    assert settings.load(str(tmp_path)).hub_dsn == DSN


def test_a_file_of_addresses_is_its_owners_alone(tmp_path: Path) -> None:
    file = tmp_path / "hub"
    file.write_text(
        f"# ours\nacme/* = {DSN}\n* = postgresql://ada@other.example.org/x?sslmode=require\n", encoding="utf-8"
    )
    file.chmod(0o640)
    with pytest.raises(ValidationError, match="chmod 600"):
        dsn_file.dsns("", str(file))
    file.chmod(0o600)
    assert [pattern for pattern, _ in dsn_file.dsns("", str(file))] == ["acme/*", "*"]
    assert dsn_file.dsns("", str(file))[0][1] == DSN
    file.write_text("", encoding="utf-8")
    with pytest.raises(ValidationError, match="contains no address"):
        dsn_file.dsns("", str(file))
    with pytest.raises(ValidationError, match="cannot be read"):
        dsn_file.dsns("", str(tmp_path / "nowhere"))
    assert dsn_file.dsns("", "") == []
    file.write_text(f"{DSN}\n", encoding="utf-8")
    assert dsn_file.dsns("", str(file)) == [("*", DSN)]


def test_an_invalid_port_is_named_as_such() -> None:
    with pytest.raises(ValidationError, match="has an invalid port"):
        parse_dsn("postgresql://ada@db.example.org:70000/x")


def test_a_space_without_a_server_is_refused_before_anything_is_sent() -> None:
    hub = PostgresHub([("acme/*", parse_dsn("postgresql://ada@db.example.org/x"))], Space("other", "x"))
    with pytest.raises(ValidationError, match="no server is configured for the space other/x"):
        hub.versions()
