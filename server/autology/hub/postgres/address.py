"""The address of a server: a parsed DSN, never shown with its password, encrypted unless on this machine."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote

from autology.model.errors import ValidationError

if TYPE_CHECKING:
    import ssl

FIELD = "hub_dsn"
EXAMPLE = "As in postgresql://ada@db.example.org/autology, the password in it or in PGPASSWORD."
_FORM = re.compile(r"([A-Za-z][\w+.-]*)://([^/?#\s]*)([^?#\s]*)(?:\?([^#\s]*))?\Z")
"""Scheme, user and hosts, path, query. Not urlsplit: since 2025 it refuses several hosts with one in brackets."""
_OPTIONS = ("sslmode", "sslrootcert", "target_session_attrs", "connect_timeout", "application_name", "replicas")
_MODES = ("disable", "require", "verify-full")


@dataclass(frozen=True, slots=True)
class Address:
    """The hosts of a server, tried in order, the login, and read replicas."""

    hosts: tuple[tuple[str, int], ...]
    database: str
    user: str
    password: str | None = field(default=None, repr=False)
    mode: str = ""
    roots: str | None = None
    writable: bool = True
    replicas: tuple[tuple[str, int], ...] = ()

    @property
    def name(self) -> str:
        """Its name in messages, without user and password."""
        return f"{','.join(_host_and_port(*host) for host in self.hosts)}/{self.database}"

    @property
    def place(self) -> str:
        """The name under which a space refers to it: that of its first host."""
        return f"{_host_and_port(*self.hosts[0])}/{self.database}"

    def has_host(self, place: str) -> bool:
        """Whether *place* is one of its hosts."""
        return any(f"{_host_and_port(*host)}/{self.database}" == place for host in self.hosts)

    def encrypts(self, host: str) -> bool:
        """Whether connections to *host* are encrypted: unless it is this machine, or as sslmode says."""
        return self.mode != "disable" if self.mode else not is_local(host)

    def ssl_context(self, host: str) -> ssl.SSLContext | None:
        """Return the TLS context for *host*, which verifies its certificate; None for an unencrypted connection."""
        if not self.encrypts(host):
            return None
        import ssl

        try:
            context = ssl.create_default_context(cafile=self.roots)
        except OSError as error:
            raise ValidationError(
                FIELD, f"sslrootcert cannot be read: {error}", "Give a file of certificates."
            ) from None
        if self.mode == "require":
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


def parse_dsn(dsn: str, environ: dict[str, str] | None = None) -> Address:
    """Parse *dsn*; a password that it lacks is taken from PGPASSWORD in *environ*.

    Raises:
        ValidationError: it cannot be parsed. The message never contains it.
    """
    match = _FORM.match(dsn.strip())
    if not match or match[2].count("[") != match[2].count("]"):
        raise ValidationError(FIELD, "cannot be parsed as an address", EXAMPLE)
    scheme, netloc, path, query = (part or "" for part in match.groups())
    if scheme not in ("postgresql", "postgres"):
        raise ValidationError(FIELD, "does not begin with postgresql://", EXAMPLE)
    options = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(set(options) - {*_OPTIONS, "host", "port", "user", "password"}):
        raise ValidationError(FIELD, f"has an unknown option: {unknown[0][:40]}", f"Known: {', '.join(_OPTIONS)}.")
    mode = options.get("sslmode", "")
    if mode and mode not in _MODES:
        raise ValidationError(FIELD, "has an unknown sslmode", f"Known: {', '.join(_MODES)}.")
    login, _, hosts = netloc.rpartition("@")
    user, _, dsn_password = login.partition(":")
    user = unquote(user) or options.get("user", "")
    if not user:
        raise ValidationError(FIELD, "names no user", EXAMPLE)
    password = unquote(dsn_password) or options.get("password") or (environ or {}).get("PGPASSWORD") or None
    attributes = options.get("target_session_attrs", "read-write")
    return Address(
        hosts=_hosts(hosts or options.get("host", "")),
        database=unquote(path.lstrip("/")) or user,
        user=user,
        password=password,
        mode=mode,
        roots=options.get("sslrootcert"),
        writable=attributes not in ("any", "standby", "prefer-standby", "read-only"),
        replicas=_hosts(options["replicas"]) if options.get("replicas") else (),
    )


def is_local(host: str) -> bool:
    """Whether *host* is this machine: a socket's folder, or a loopback address."""
    if host.startswith("/") or host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _hosts(text: str) -> tuple[tuple[str, int], ...]:
    hosts = []
    for part in text.split(",") if text else ["localhost"]:
        host, port = _split_host(unquote(part))
        if not port.isdigit() or not 0 < int(port) < 65_536:
            raise ValidationError(FIELD, "has an invalid port", EXAMPLE)
        hosts.append((host, int(port)))
    return tuple(hosts)


def _split_host(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return host, rest.lstrip(":") or "5432"
    host, _, port = text.partition(":")
    return host or "localhost", port or "5432"


def _host_and_port(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
