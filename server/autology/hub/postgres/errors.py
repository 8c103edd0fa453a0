"""Maps errors of the server and of the connection to ours, each with the next step."""

from __future__ import annotations

from pg8000.exceptions import DatabaseError, InterfaceError

from autology.model.errors import HubAwayError, HubError, HubMovedError, HubRefusedError

MOVED, MOVING = "AU001", "AU002"
"""Our own SQLSTATEs: another server hosts the space, and the space is being moved."""
_REFUSED = ("28", "42501")
_AWAY = ("08", "57P", "53300", "25006")
_FULL = ("53100", "53200", "53400", "58030")
_MISSING = ("42P01", "3F000", "42883", "42704", "42703")


def hub_error(place: str, error: DatabaseError) -> HubError:
    """Return the error that the server at *place* reported as one of ours."""
    fields = _fields(error)
    sqlstate, message = str(fields.get("C", "")), _message(error)
    if sqlstate == MOVED:
        return HubMovedError(place, message)
    if sqlstate == MOVING:
        return HubAwayError(place, "that space is read-only while it is being migrated to another server")
    if sqlstate.startswith(_REFUSED):
        return HubRefusedError(place, message, "Ask an admin of the space: `autology hub grant`.")
    # A panicking server restarts, and may have committed the transaction before.
    if sqlstate.startswith(_AWAY) or fields.get("V", fields.get("S")) == "PANIC":
        return HubAwayError(place, message)
    if sqlstate.startswith(_FULL) or message.startswith("could not extend file"):
        step = "Nothing was stored; it is sent again once there is room."
        return HubError(place, f"has no space left ({message})", step)
    if sqlstate.startswith(_MISSING):
        step = "Run `autology hub migrate` as the database owner."
        return HubError(place, f"is not set up for this version ({message})", step)
    return HubError(place, message)


def connection_error(place: str, error: Exception) -> HubError:
    """Return our error for a server at *place* that cannot be reached."""
    if isinstance(error, InterfaceError) and "password" in str(error):
        step = "Put the password into the file that hub_dsn_file names, or into PGPASSWORD."
        return HubRefusedError(place, "asks for a password and none is known", step)
    cause = error.__cause__ if error.__cause__ is not None else error
    short = " ".join(str(cause).split())[:160] or type(error).__name__
    if "SSL" in str(error) or "CERTIFICATE" in str(error).upper():
        step = "Give sslrootcert= for a certificate of your own; sslmode=disable only within a network you trust."
        return HubRefusedError(place, f"TLS handshake failed ({short})", step)
    return HubAwayError(place, f"cannot be reached ({short})")


def is_unavailable(error: DatabaseError) -> bool:
    """Whether the server is starting, stopping, full of connections or otherwise unavailable for now."""
    return str(_fields(error).get("C", "")).startswith(_AWAY)


def _fields(error: DatabaseError) -> dict[str, object]:
    """Return the fields of the server's error message by their protocol letters."""
    fields = error.args[0] if error.args else {}
    return fields if isinstance(fields, dict) else {}


def _message(error: DatabaseError) -> str:
    fields = error.args[0] if error.args else {}
    text = str(fields.get("M", "")) if isinstance(fields, dict) else str(fields)
    return " ".join(text.split())[:300] or "refused"
