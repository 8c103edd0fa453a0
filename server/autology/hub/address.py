"""Where a hub is: a DSN read into its parts, never shown with its password, and encrypted off this machine."""

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
"""Scheme, hosts with what stands before them, path, query."""
_OPTIONS = ("sslmode", "sslrootcert", "target_session_attrs", "connect_timeout", "application_name", "replicas")
_MODES = ("disable", "require", "verify-full")


@dataclass(frozen=True, slots=True)
class Address:
    """A hub's hosts, tried in order, whom to be there, and replicas that may answer what is only read."""

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
        """What it is called in messages: no password, no user."""
        return f"{','.join(_shown(*host) for host in self.hosts)}/{self.database}"

    @property
    def place(self) -> str:
        """What a server is called where a space is said to lie there: that of its first host."""
        return f"{_shown(*self.hosts[0])}/{self.database}"

    def is_at(self, place: str) -> bool:
        """Whether *place* is one of its hosts."""
        return any(f"{_shown(*host)}/{self.database}" == place for host in self.hosts)

    def encrypts(self, host: str) -> bool:
        """Whether what is said with *host* is encrypted: always, but on this machine or where the DSN says not to."""
        return self.mode != "disable" if self.mode else not is_here(host)

    def tls(self, host: str) -> ssl.SSLContext | None:
        """Return what encrypts the talk with *host*, and makes sure that it is that host."""
        if not self.encrypts(host):
            return None
        import ssl

        try:
            made = ssl.create_default_context(cafile=self.roots)
        except OSError as error:
            raise ValidationError(
                FIELD, f"sslrootcert cannot be read: {error}", "Give a file of certificates."
            ) from None
        if self.mode == "require":
            made.check_hostname = False
            made.verify_mode = ssl.CERT_NONE
        return made


def read(dsn: str, environ: dict[str, str] | None = None) -> Address:
    """Return what *dsn* says; a password that it lacks is taken from PGPASSWORD in *environ*.

    Raises:
        ValidationError: it says nothing that can be used. The message never repeats it.
    """
    # Not urlsplit: Pythons of 2025 and later refuse several hosts of which one stands in brackets.
    match = _FORM.match(dsn.strip())
    if not match or match[2].count("[") != match[2].count("]"):
        raise ValidationError(FIELD, "cannot be read as an address", EXAMPLE)
    scheme, netloc, path, query = (part or "" for part in match.groups())
    if scheme not in ("postgresql", "postgres"):
        raise ValidationError(FIELD, "does not begin with postgresql://", EXAMPLE)
    options = dict(parse_qsl(query, keep_blank_values=True))
    if unknown := sorted(set(options) - {*_OPTIONS, "host", "port", "user", "password"}):
        raise ValidationError(
            FIELD, f"has an option that is not known: {unknown[0][:40]}", f"Known: {', '.join(_OPTIONS)}."
        )
    mode = options.get("sslmode", "")
    if mode and mode not in _MODES:
        raise ValidationError(FIELD, "has an sslmode that is not known", f"Known: {', '.join(_MODES)}.")
    who, _, where = netloc.rpartition("@")
    user, _, password = who.partition(":")
    user = unquote(user) or options.get("user", "")
    if not user:
        raise ValidationError(FIELD, "names no user", EXAMPLE)
    known = unquote(password) or options.get("password") or (environ or {}).get("PGPASSWORD") or None
    attributes = options.get("target_session_attrs", "read-write")
    return Address(
        hosts=_hosts(where or options.get("host", "")),
        database=unquote(path.lstrip("/")) or user,
        user=user,
        password=known,
        mode=mode,
        roots=options.get("sslrootcert"),
        writable=attributes not in ("any", "standby", "prefer-standby", "read-only"),
        replicas=_hosts(options["replicas"]) if options.get("replicas") else (),
    )


def is_here(host: str) -> bool:
    """Whether *host* is this very machine: a socket's folder, or a loopback address."""
    if host.startswith("/") or host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _hosts(text: str) -> tuple[tuple[str, int], ...]:
    found = []
    for one in text.split(",") if text else ["localhost"]:
        host, port = _host(unquote(one))
        if not port.isdigit() or not 0 < int(port) < 65_536:
            raise ValidationError(FIELD, "has a port that is none", EXAMPLE)
        found.append((host, int(port)))
    return tuple(found)


def _host(text: str) -> tuple[str, str]:
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        return host, rest.lstrip(":") or "5432"
    host, _, port = text.partition(":")
    return host or "localhost", port or "5432"


def _shown(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
