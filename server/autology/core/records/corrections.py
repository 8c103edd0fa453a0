"""Corrections of inferred conventions in the project's configuration.

Under ``records``, by folder::

    records:
      docs/adr:
        status: section Status
        states: {provisional: accepted}
        sections: [Context, Decision]
      examples/adr: false
"""

from __future__ import annotations

from collections.abc import Mapping

from autology.core.records.collection import FIELDS, Correction, Location
from autology.model.errors import ValidationError
from autology.model.node import DecisionStatus
from autology.text.records.outline import Place

_OFF = ("false", "off", "no")
_ON = ("true", "on", "yes")


def corrections(records: object) -> tuple[list[Correction], list[str]]:
    """Return the corrections in the value of ``records``, and the problems of those that are not valid.

    The whole may be ``false``, which switches the recognition of records off, a folder, or a list of folders.
    """
    if isinstance(records, list):
        return [Correction(_folder(str(name))) for name in records if str(name).strip()], []
    if isinstance(records, str) and records.strip():
        adopt = _switch(records)
        return [Correction(_folder(records)) if adopt is None else Correction("", adopt)], []
    if not isinstance(records, Mapping):
        return [], [
            f"records: '{str(records)[:40]}' is not valid: give a list of folders, a mapping by folder, or false"
        ]
    valid: list[Correction] = []
    problems: list[str] = []
    for name, value in records.items():
        folder = _folder(str(name))
        try:
            valid.append(_correction(folder, value))
        except ValidationError as error:
            problems.append(f"records: {folder}: {error.message}")
            valid.append(Correction(folder))  # one wrong field makes no record disappear
    return valid, problems


def _folder(name: str) -> str:
    """Return a folder as it is named in the configuration; "" is the project's root."""
    folder = name.strip().replace("\\", "/").removeprefix("./").strip("/")
    return "" if folder == "." else folder


def _correction(folder: str, value: object) -> Correction:
    if isinstance(value, str):
        adopt = _switch(value)
        if adopt is None:
            raise ValidationError("adopt", f"'{value[:40]}' is not valid", "Give true or false.")
        return Correction(folder, adopt)
    if not isinstance(value, Mapping):
        raise ValidationError("folder", "is not a mapping", f"Give fields such as {', '.join(FIELDS[:4])}.")
    places: dict[str, Location] = {}
    for key, arguments in value.items():
        if key in FIELDS:
            places[key] = location(str(arguments))
        elif key not in ("adopt", "states", "sections"):
            raise ValidationError(
                str(key), "is not a field of records", f"Use one of: {', '.join(FIELDS)}, states, sections."
            )
    arguments = value.get("sections")
    return Correction(
        folder,
        _switch(str(value["adopt"])) if "adopt" in value else None,
        places,
        _states(value.get("states")),
        None if arguments is None else tuple(map(str, arguments)) if isinstance(arguments, list) else (),
    )


def location(words: str) -> Location:
    """Return the location that *words* name: a place, then the key there, as ``labelled line Status``."""
    for place in sorted(Place, key=lambda place: -len(place.value)):
        if words == place.value or words.startswith(f"{place.value} "):
            return Location(place, words[len(place.value) :].strip())
    raise ValidationError("place", f"'{words[:40]}' is not one", f"Begin with one of: {', '.join(Place)}.")


def _states(value: object) -> Mapping[str, DecisionStatus]:
    states: dict[str, DecisionStatus] = {}
    for word, meaning in value.items() if isinstance(value, Mapping) else ():
        try:
            states[str(word).lower()] = DecisionStatus(str(meaning))
        except ValueError:
            step = f"Use one of: {', '.join(DecisionStatus)}."
            raise ValidationError("states", f"'{str(meaning)[:40]}' is not a status", step) from None
    return states


def _switch(word: str) -> bool | None:
    lowered = word.strip().lower()
    return False if lowered in _OFF else True if lowered in _ON else None
