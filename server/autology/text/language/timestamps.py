"""Timestamps as text: ISO 8601 in UTC with a ``Z``, whatever the author wrote."""

from __future__ import annotations

from datetime import UTC, datetime


def stamp(moment: datetime) -> str:
    """Return *moment* as ``2026-02-08T10:00:00Z``; a naive one is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def parse_stamp(text: str) -> str:
    """Return the moment that *text* names, as :func:`stamp` writes it.

    Accepts ISO 8601 with or without a zone, with a space for the ``T``, and bare dates (midnight UTC).

    Raises:
        ValueError: *text* is not a time.
    """
    plain = text.strip()
    try:
        return stamp(datetime.fromisoformat(plain))
    except ValueError:
        pass
    # YAML writes '2001-12-14 21:59:43.10 -5', with a space before a short zone.
    joined = "".join(plain.replace(" ", "T", 1).split())
    head, sign, zone = joined[:19], joined[19:20], joined[20:]
    if sign in ("+", "-") and zone.isdigit() and len(zone) <= 2:
        return stamp(datetime.fromisoformat(f"{head}{sign}{zone:0>2}:00"))
    return stamp(datetime.fromisoformat(joined))


def moment(text: str) -> datetime:
    """Return the aware datetime of a stamp."""
    return datetime.fromisoformat(text)
