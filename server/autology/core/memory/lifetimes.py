"""How long a memory is kept, by its kind or by the caller's wish."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from autology.model.errors import ValidationError
from autology.model.memory import Kind
from autology.model.options import LIFETIMES
from autology.text.language.timestamps import moment, parse_stamp, stamp

_LONG = {Kind.ENTITY, Kind.RELATION, Kind.OBSERVATION, Kind.DECISION, Kind.SECTION, Kind.RELEASE}


def policy_of(kind: Kind) -> str:
    """Return the policy of a kind that asks for no other."""
    if kind is Kind.PR_CONTEXT:
        return "short"
    return "long" if kind in _LONG else "default"


def check_policy(policy: str) -> str:
    """Return *policy* if there is one of that name; ValidationError otherwise."""
    if policy not in LIFETIMES:
        fits = f"Use one of: {', '.join(LIFETIMES)}."
        raise ValidationError("ttl_policy", f"'{policy[:40]}' is no lifetime", fits)
    return policy


def expires_at(kind: Kind, policy: str | None, since: str, data: Mapping[str, object]) -> str | None:
    """Return when an item that counts from *since* expires, as a stamp; None for never.

    What is known of a merged pull request is kept from its merge on, if nothing else was asked for.
    """
    begin = since
    if policy is None and kind is Kind.PR_CONTEXT and data.get("status") == "merged":
        begin = _stamp_in(data, "merged_at") or since
    days = LIFETIMES[policy or policy_of(kind)]
    return None if days is None else stamp(moment(begin) + timedelta(days=days))


def _stamp_in(data: Mapping[str, object], name: str) -> str | None:
    try:
        return parse_stamp(str(data[name]))
    except (KeyError, ValueError, OverflowError):
        return None
