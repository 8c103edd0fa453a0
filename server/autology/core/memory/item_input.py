"""Reading an item from a caller: checked field by field, its secrets redacted."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches

from autology.core.memory import scopes
from autology.model.argument_limits import LIFETIMES
from autology.model.errors import ValidationError
from autology.model.memory import DEDUPES, MERGES, Kind, Scope, check_content, check_id, kind
from autology.model.node import normal_tags, respelled_tags
from autology.text.redaction import redact, secrets_in

FIELDS_LIMIT = 80_000
"""Maximum characters of `data` and `metadata` as JSON: with YAML's indentation they fit the limit of a file's
frontmatter."""
DEPTH = 12
"""Maximum nesting of these; the kinds' own fields nest four deep."""
KEY_LIMIT = 200
DIGITS = 1_000
"""Maximum bits of a whole number."""
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")
_REDACTED = re.compile(r"\[redacted:[a-z0-9_ -]+\]")


@dataclass(frozen=True, slots=True)
class ItemInput:
    """An item to store; None stands for an omitted field. *redacted* are the kinds of the redacted secrets."""

    id: str | None = None
    kind: Kind | None = None
    content: str | None = None
    scope: Scope | None = None
    data: Mapping[str, object] | None = None
    metadata: Mapping[str, object] | None = None
    tags: tuple[str, ...] | None = None
    ttl_policy: str | None = None
    idempotency_key: str | None = None
    dedupe: str | None = None
    merge: str = MERGES[0]
    delete: bool = False
    redacted: tuple[str, ...] = ()
    respelled: Mapping[str, str] = field(default_factory=dict)


def read_item(value: object) -> ItemInput:
    """Return *value*, one item of a call in JSON, as an item.

    Raises:
        ValidationError: a field does not fit; it is named.
    """
    if not isinstance(value, Mapping):
        raise ValidationError("item", "is no object", "Give {kind, content}, and what else it has.")
    for name in value:
        if name not in _READERS:
            near = get_close_matches(str(name)[:40], _READERS, 1)
            fits = f"Did you mean {near[0]}?" if near else "Put what is your own into metadata."
            raise ValidationError(str(name)[:40], "is no field of an item", fits)
    secrets: list[str] = []
    fields = {name: _READERS[name](part, secrets) for name, part in value.items() if part is not None}
    respelled = respelled_tags(_clean(str(tag), []) for tag in value.get("tags") or ())
    item = ItemInput(**fields, redacted=tuple(dict.fromkeys(secrets)), respelled=respelled)  # type: ignore[arg-type]
    if item.content is not None and not _REDACTED.sub("", item.content).strip():
        raise ValidationError("content", "holds nothing but secrets or what is private", "Say what is to be kept.")
    return item


def claimed(value: object) -> tuple[str | None, str | None]:
    """Return the kind and id in *value*, as far as they are text, for messages."""
    if not isinstance(value, Mapping):
        return None, None
    claims = (value.get("kind"), value.get("id"))
    kind_, id = (redact(claim[:100])[0] if isinstance(claim, str) else None for claim in claims)
    return kind_, id


def _fields(name: str, value: object, secrets: list[str]) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise ValidationError(name, "is no object", "Give {name: value, ...}.")
    _check_json(value, name, 0)
    size = len(json.dumps(value, ensure_ascii=False))
    if size > FIELDS_LIMIT:
        fits = f"Keep it under {FIELDS_LIMIT:,}: what is long belongs into content."
        raise ValidationError(name, f"has {size:,} characters", fits)
    cleaned = _cleaned(value, secrets)
    assert isinstance(cleaned, dict)
    return cleaned


def _check_json(value: object, where: str, depth: int) -> None:
    """Accept a JSON value that a text file can contain; otherwise ValidationError names the place."""
    shown = where if len(where) <= 100 else f"{where[:99]}…"
    if depth > DEPTH:
        raise ValidationError(shown, f"nests deeper than {DEPTH}", "Flatten it.")
    if isinstance(value, Mapping):
        for name, inner in value.items():
            _check_scalar(name, shown)
            if not name.strip():
                raise ValidationError(shown, "has a field without a name", "Name it.")
            _check_json(inner, f"{where}.{name}", depth + 1)
    elif isinstance(value, list | tuple):
        for at, inner in enumerate(value):
            _check_json(inner, f"{where}[{at}]", depth + 1)
    else:
        _check_scalar(value, shown)


def _check_scalar(value: object, shown: str) -> None:
    if isinstance(value, str) and (match := _UNSTORABLE.search(value)):
        raise ValidationError(shown, f"holds U+{ord(match[0]):04X}", "Remove it: text files cannot carry it.")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValidationError(shown, f"is {value}", "Give a number, or leave it out.")
    if isinstance(value, int) and value.bit_length() > DIGITS:
        raise ValidationError(shown, "is too large", "Give it as text.")


def _clean(text: str, secrets: list[str]) -> str:
    cleaned, findings = redact(text)
    secrets += [finding.kind for finding in findings]
    return cleaned


def _cleaned(value: object, secrets: list[str], name: str = "") -> object:
    """Return *value* with all texts redacted; a secret is also recognised by its field's name."""
    if isinstance(value, str):
        cleaned = _clean(value, secrets)
        if cleaned == value and name and (findings := secrets_in(f'"{name}": "{value}"')):
            secrets.append(findings[0].kind)
            return f"[redacted:{findings[0].kind}]"
        return cleaned
    if isinstance(value, Mapping):
        return {_clean(str(key), secrets): _cleaned(inner, secrets, str(key)) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(inner, secrets, name) for inner in value]
    return value


def _id(value: object, _: list[str]) -> str:
    if not isinstance(value, str):
        raise ValidationError("id", "is no text", "Give the item's id, or leave it out: a new item gets one.")
    if secrets_in(value):
        raise ValidationError("id", "looks like a secret", "Give another one, or leave it out.")
    return check_id(value)


def _tags(value: object, secrets: list[str]) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not all(isinstance(tag, str) for tag in value):
        raise ValidationError("tags", "is no list of words", 'Give ["word", ...].')
    for tag in value:
        _check_json(tag, "tags", 0)
    return normal_tags([_clean(tag, secrets) for tag in value])


def _key(value: object, _: list[str]) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > KEY_LIMIT:
        raise ValidationError("idempotency_key", "does not fit", f"Give a text of 1-{KEY_LIMIT} characters.")
    _check_json(value, "idempotency_key", 0)
    if secrets_in(value):
        raise ValidationError("idempotency_key", "looks like a secret", "Give another one.")
    return value


def one_of(name: str, value: object, words: Sequence[str]) -> str:
    """Return *value* if it is one of *words*; ValidationError otherwise."""
    if not isinstance(value, str) or value not in words:
        raise ValidationError(name, f"'{str(value)[:40]}' does not fit", f"Use one of: {', '.join(words)}.")
    return value


def _delete(value: object, _: list[str]) -> bool:
    if not isinstance(value, bool):
        raise ValidationError("delete", "is neither true nor false", "Give true to move the item to the trash.")
    return value


_READERS: Mapping[str, Callable[[object, list[str]], object]] = {
    "id": _id,
    "kind": lambda value, _: kind(value),
    "content": lambda value, secrets: _clean(check_content(value), secrets),
    "scope": lambda value, _: scopes.scope(value),
    "data": lambda value, secrets: _fields("data", value, secrets),
    "metadata": lambda value, secrets: _fields("metadata", value, secrets),
    "tags": _tags,
    "ttl_policy": lambda value, _: one_of("ttl_policy", value, tuple(LIFETIMES)),
    "idempotency_key": _key,
    "dedupe": lambda value, _: one_of("dedupe", value, DEDUPES),
    "merge": lambda value, _: one_of("merge", value, MERGES),
    "delete": _delete,
}
