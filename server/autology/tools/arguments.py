"""What a tool takes: checked strictly, and described to the model without what it need not read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Schema = dict[str, Any]
T = TypeVar("T")

REFERENCES = 200
"""The files that a node may name."""
RELATIONS = 200
"""The relations that one capture may ask for."""
COUNTABLE = 10**9
"""What no count reaches; beyond it integers fit neither an index nor a message."""
ITEMS = 10_000
"""Items of an array that are looked at: what is longer was never meant, and costs seconds."""


class Arguments(BaseModel):
    """A tool's arguments: nothing is converted, nothing unknown is let pass."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _NotNull:
    """Refuses null, so that an argument is either given or left out."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        assert schema["type"] == "nullable"
        inner: CoreSchema = schema["schema"]
        return inner


class FirstOnly:
    """Ends at an array's first wrong item, or when it has far too many: either is one error."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        assert schema["type"] == "list"
        assert "items_schema" in schema
        return core_schema.list_schema(schema["items_schema"], max_length=ITEMS, strict=True, fail_fast=True)


def _countable(value: int) -> int:
    if abs(value) > COUNTABLE:
        raise PydanticCustomError("too_large", "is too large")
    return value


Maybe = Annotated[T | None, _NotNull()]
"""A value that may be left out; None then."""
Text = Annotated[str, Field(min_length=1)]
"""A string that says something."""
Texts = Annotated[list[str], FirstOnly()]
"""An array of strings."""
Count = Annotated[int, AfterValidator(_countable)]
"""A whole number of things."""


def one_of(values: Iterable[object]) -> Schema:
    """Return what a schema says of a string that is one of *values*; the core refuses others in its own words."""
    return {"enum": [str(value) for value in values]}


def schema_of(model: type[Arguments]) -> Schema:
    """Return the JSON schema of a tool's arguments, complete in one piece."""
    schema = model.model_json_schema(schema_generator=_Plain)
    whole: Schema = _inlined(schema, schema.pop("$defs", {}))
    return whole


class _Plain(GenerateJsonSchema):
    """Leaves out titles that repeat the names, and defaults that say nothing."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the same for all
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        described = super().model_schema(schema)
        return {key: value for key, value in described.items() if key not in ("title", "description")}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Schema:
        if schema.get("default") in (None, "", []):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def _inlined(value: Any, parts: Mapping[str, Schema]) -> Any:
    """*value* with references to *parts* replaced by them: not every client follows references."""
    if isinstance(value, list):
        return [_inlined(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        told = {name: item for name, item in value.items() if name != "$ref"}
        return {**_inlined(parts[value["$ref"].rpartition("/")[2]], parts), **told}
    return {key: _inlined(item, parts) for key, item in value.items()}
