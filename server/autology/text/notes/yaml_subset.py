"""YAML: our own subset parsed directly, anything else with PyYAML, scalars written so that both agree."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

Value: TypeAlias = "str | list[Value] | dict[str, Value]"
"""A frontmatter value: text, lists and mappings; every scalar is the text its author wrote."""

DEPTH_LIMIT = 20
"""The maximum nesting of frontmatter; a note's is two or three deep, a bomb's is thousands."""

# A plain scalar that YAML reads as the same text, whatever follows it on the line.
_PART = r"[^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff:#]*"
_PLAIN = re.compile(rf"[A-Za-z0-9_./(]{_PART}(?::(?=[^\s#:]){_PART})*\Z")
_KEY_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_.-]*):(?: (.*))?\Z")
# A flow list, as people and Obsidian write tags: words without special meaning in any YAML.
_FLOW = re.compile(r"\[[A-Za-z0-9_][A-Za-z0-9_./-]*(?:, [A-Za-z0-9_][A-Za-z0-9_./-]*)*\]\Z")
_ESCAPED = re.compile(r"[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_NO_LINES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
# Words that other YAML 1.1 readers would not read as text.
_HALF = re.compile(r"[\ud800-\udfff]")
_RESERVED = frozenset("true false yes no on off null y n ~".split())
_NUMBER_LIKE = re.compile(
    r"[-+]?(?:0x[0-9a-fA-F_]+|0[oO]?[0-7_]+|[0-9][0-9_,]*(?::[0-9]+)*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?"
    r"|\.[0-9_]+(?:[eE][-+]?[0-9]+)?|\.(?:inf|Inf|INF|nan|NaN|NAN))\Z"
    r"|\d{4}-\d\d?-\d\d?(?:[Tt ].*)?\Z"
)


class Unquoted(str):
    """Text written without quotes: a timestamp, which YAML readers may parse as one."""

    __slots__ = ()


class YamlError(ValueError):
    """Text that is not a YAML mapping that we support; the message says where."""


def load_mapping(text: str, above: int = 1) -> dict[str, Value]:
    """Return the mapping in *text*, its scalars as text; it begins *above* lines into its file.

    Raises:
        YamlError: it is not a mapping, repeats a key, nests too deeply or uses aliases.
    """
    mapping = _read_subset(text)
    return _storable(text, _read_any(text, above=above) if mapping is None else mapping)


def load_typed(text: str) -> dict[str, object]:
    """Return the mapping in *text*, plain numbers, ``true``, ``false`` and ``null`` as typed values.

    A number is only typed if writing it again gives the same text: ``1.10`` and ``007`` stay text.

    Raises:
        YamlError: as :func:`load_mapping` does.
    """
    fast = _read_subset(text)
    if fast is not None and not any(_looks_typed(value) for value in fast.values()):
        return dict(fast)
    return _storable(text, _read_any(text, typed=True))


def _storable(text: str, mapping: dict[str, Any]) -> dict[str, Any]:
    """Return *mapping*, read from *text*; refuse half a character, which text files cannot store."""
    if "\\" in text and _HALF.search(json.dumps(mapping, ensure_ascii=False, default=str)):
        raise YamlError("contains half a character (a \\ud800 to \\udfff escape), which text files cannot store")
    return mapping


def plain_value(text: str) -> object:
    """Return the number, truth value or None that plain *text* stands for, else *text*."""
    if text in _WORDS:
        return _WORDS[text]
    if text and (text[0] in "-0123456789"):
        try:
            value = json.loads(text)
        except ValueError:
            return text
        if type(value) in (int, float) and json.dumps(value) == text:
            return value
    return text


_WORDS: dict[str, object] = {"true": True, "false": False, "null": None}


def _looks_typed(value: Value) -> bool:
    if isinstance(value, str):
        return plain_value(value) is not value
    return any(_looks_typed(item) for item in (value.values() if isinstance(value, dict) else value))


def typed(value: object) -> object:
    """Return *value*, a JSON value, in the form in which :func:`entry` writes it for :func:`load_typed`."""
    if value is None or isinstance(value, bool | int | float):
        return Unquoted(json.dumps(value))
    if isinstance(value, Mapping):
        return {str(key): typed(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [typed(item) for item in value]
    return value


def scalar(text: str) -> str:
    """Return *text* as a YAML scalar on one line, plain if it is unambiguous."""
    plain = _PLAIN.match(text) and not text.endswith((" ", ":")) and text.lower() not in _RESERVED
    if plain and not _NUMBER_LIKE.match(text):
        return text
    return _quoted(text)


def entry(key: str, value: object, newline: str = "\n") -> str:
    """Return ``key: value`` as frontmatter lines, each ended by *newline*."""
    return "".join(line + newline for line in _entry_lines(key, value, ""))


def _entry_lines(key: str, value: object, indent: str) -> list[str]:
    name = key if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", key) and key.lower() not in _RESERVED else _quoted(key)
    if isinstance(value, Mapping):
        if not value:
            return [f"{indent}{name}: {{}}"]
        inner = [line for k, v in value.items() for line in _entry_lines(str(k), v, indent + "  ")]
        return [f"{indent}{name}:", *inner]
    if isinstance(value, Sequence) and not isinstance(value, str):
        if not value:
            return [f"{indent}{name}: []"]
        return [f"{indent}{name}:", *(line for item in value for line in _item_lines(item, indent + "  "))]
    return [f"{indent}{name}: {_written(value)}"]


def _written(value: object) -> str:
    return str(value) if isinstance(value, Unquoted | int | float) else scalar(str(value))


def _item_lines(item: object, indent: str) -> list[str]:
    if isinstance(item, Mapping) and item:
        lines = [line for k, v in item.items() for line in _entry_lines(str(k), v, indent + "  ")]
        return [f"{indent}- {lines[0].lstrip()}", *lines[1:]]
    if isinstance(item, Mapping):
        return [f"{indent}- {{}}"]
    if isinstance(item, Sequence) and not isinstance(item, str):
        return [f"{indent}- {_flow(item)}"]  # a list in a list
    return [f"{indent}- {_written(item)}"]


def _flow(value: object) -> str:
    """*value* on one line, as JSON."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return str(value) if isinstance(value, Unquoted | int | float) else _quoted(str(value))


def _quoted(text: str) -> str:
    return _ESCAPED.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(text, ensure_ascii=False))


# The subset: `key: scalar`, `key: []`, `key: [word, word]`, `key:` over `  k: scalar`, over `  - scalar` or over
# `  - k: scalar` with `    k: scalar`.


def _read_subset(text: str) -> dict[str, Value] | None:
    """Return *text* parsed if it is in the form that we write, else None."""
    result: dict[str, Value] = {}
    if _NO_LINES.search(text):  # str.splitlines splits at some of these, YAML does not
        return None
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        match = _KEY_LINE.match(lines[at])
        if not match or match[1] in result:
            return None
        at += 1
        value: Value | None
        if match[2] is None:
            stop = at
            while stop < len(lines) and lines[stop].startswith(" "):
                stop += 1
            value = _read_below(lines[at:stop])
            at = stop
        elif match[2] == "[]":
            value = []
        elif _FLOW.match(match[2]):
            value = list(match[2][1:-1].split(", "))
        else:
            value = _read_scalar(match[2])
        if value is None:
            return None
        result[match[1]] = value
    return result


def _read_below(lines: Sequence[str]) -> Value | None:
    """Return the value in the indented *lines* below a key."""
    if not lines:
        return ""
    return _read_pairs(lines, "  ") if _KEY_LINE.match(lines[0], 2) else _read_items(lines)


def _read_pairs(lines: Sequence[str], indent: str) -> dict[str, Value] | None:
    pairs: dict[str, Value] = {}
    for line in lines:
        pair = _KEY_LINE.match(line, len(indent)) if line.startswith(indent) else None
        value = _read_scalar(pair[2] or "") if pair else None
        if pair is None or value is None or pair[1] in pairs:
            return None
        pairs[pair[1]] = value
    return pairs


def _read_items(lines: Sequence[str]) -> list[Value] | None:
    items: list[Value] = []
    for line in lines:
        if line.startswith("  - "):
            pair = _KEY_LINE.match(line, 4)
            value = _read_scalar(pair[2] or "") if pair else _read_scalar(line[4:])
            if value is None:
                return None
            items.append({pair[1]: value} if pair else value)
        else:
            pair = _KEY_LINE.match(line, 4) if line.startswith("    ") else None
            value = _read_scalar(pair[2] or "") if pair else None
            last = items[-1] if items else None
            if pair is None or value is None or not isinstance(last, dict) or pair[1] in last:
                return None
            last[pair[1]] = value
    return items


def _read_scalar(text: str) -> str | None:
    if _PLAIN.match(text) and text[-1] != " ":
        return text
    if text.startswith('"') and text.endswith('"') and len(text) > 1:
        try:
            value = json.loads(text)
        except ValueError:
            return None
        return value if isinstance(value, str) else None
    if text.startswith("'") and text.endswith("'") and len(text) > 1:  # other tools write titles and timestamps so
        inner = text[1:-1]
        return None if "'" in inner.replace("''", "") else inner.replace("''", "'")
    return None


def _read_any(text: str, typed: bool = False, above: int = 1) -> dict[str, Any]:
    import yaml

    # In pure Python, so that everyone reads the same: the executable has no compiled YAML.
    loader = (
        type("TypedLoader", (yaml.BaseLoader,), {"construct_scalar": _construct_scalar}) if typed else yaml.BaseLoader
    )
    try:
        _refuse_bombs(yaml, text, loader)
        # BaseLoader constructs text, lists and mappings only: no tag can have side effects.
        value = yaml.load(text, Loader=loader)  # noqa: S506
    except yaml.YAMLError as error:
        raise YamlError(_where(error, above)) from None
    except RecursionError:
        raise YamlError("nests too deeply") from None
    except ValueError as error:
        raise error if isinstance(error, YamlError) else YamlError(str(error)) from None
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise YamlError("is not a mapping of keys to values")
    return {str(key): item for key, item in value.items()} if not typed else _text_keys(value)


def _construct_scalar(_loader: object, node: Any) -> object:
    return plain_value(node.value) if not node.style else node.value


def _text_keys(value: Any) -> Any:
    """*value* with every key as it was written."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(key): _text_keys(item) for key, item in value.items()}
    return [_text_keys(item) for item in value] if isinstance(value, list) else value


def _refuse_bombs(yaml: object, text: str, loader: object) -> None:
    depth = 0
    keys: set[str] = set()
    expects_key = True
    for event in yaml.parse(text, Loader=loader):  # type: ignore[attr-defined]
        kind = type(event).__name__
        if kind == "AliasEvent":
            raise YamlError("uses aliases (*name), which are not supported; write the value out")
        if depth == 1:
            if expects_key and kind == "ScalarEvent":
                if event.value in keys:
                    raise YamlError(f"has the key '{event.value[:40]}' twice")
                keys.add(event.value)
            if kind in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
                expects_key = not expects_key
        depth += kind in ("MappingStartEvent", "SequenceStartEvent")
        depth -= kind in ("MappingEndEvent", "SequenceEndEvent")
        if depth > DEPTH_LIMIT:
            raise YamlError("nests too deeply")


def _where(error: Exception, above: int) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    return f"{problem} (line {mark.line + 1 + above})" if mark is not None else str(problem)
