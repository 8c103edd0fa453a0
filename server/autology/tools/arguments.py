"""Tool arguments: strictly validated, with a schema that omits parts the model does not need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

Schema = dict[str, Any]
T = TypeVar("T")

MAX_COUNT = 10**9
"""Upper limit of any count; larger integers fit neither the index nor a message."""
MAX_ITEMS = 10_000
"""Maximum items of an array: a longer one is a mistake, and validating it would take seconds."""


class Arguments(BaseModel):
    """Base class of tool arguments: no type conversion, no unknown fields."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class _NotNull:
    """Rejects null: an argument has a value or is omitted."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        assert schema["type"] == "nullable"
        inner: CoreSchema = schema["schema"]
        return inner


class FirstOnly:
    """Stops at an array's first invalid item, or if it is far too long: either is reported as one error."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        assert schema["type"] == "list"
        assert "items_schema" in schema
        return core_schema.list_schema(schema["items_schema"], max_length=MAX_ITEMS, strict=True, fail_fast=True)


def _bounded(value: int) -> int:
    if abs(value) > MAX_COUNT:
        raise PydanticCustomError("too_large", "is too large")
    return value


Maybe = Annotated[T | None, _NotNull()]
"""An optional value; None if omitted."""
Text = Annotated[str, Field(min_length=1)]
"""A string that is not empty."""
Texts = Annotated[list[str], FirstOnly()]
"""An array of strings."""
Count = Annotated[int, AfterValidator(_bounded)]
"""A bounded whole number."""


def field(description: str | None, default: Any = ..., /, enum: Iterable[object] = (), **schema: Any) -> Any:
    """Return a field whose values *schema* describes; the core checks them, with its own messages.

    Every request to the model contains the schema, so it has no limit that only a mistake exceeds, and no
    *description* that repeats the name.
    """
    extra = {**schema, **one_of(enum)} if enum else schema
    return Field(default, description=description, json_schema_extra=extra or None)


def one_of(values: Iterable[object]) -> Schema:
    """Return the schema of a string that is one of *values*; the core rejects others with its own message."""
    return {"enum": [str(value) for value in values]}


def schema_of(model: type[Arguments]) -> Schema:
    """Return the JSON schema of a tool's arguments, without references."""
    schema = model.model_json_schema(schema_generator=_ShortSchema)
    inlined: Schema = _inlined(schema, schema.pop("$defs", {}))
    return inlined


def needed(model: type[Arguments]) -> Schema:
    """Return the JSON schema of the required arguments alone; it allows any others."""
    schema = schema_of(model)
    required: list[str] = schema["required"]
    properties = {name: {"type": schema["properties"][name]["type"]} for name in required}
    return {"type": "object", "properties": properties, "required": required}


_OMITTED = ("title", "description", "additionalProperties")


class _ShortSchema(GenerateJsonSchema):
    """Omits titles that repeat the names, and what the model can do without.

    That is empty defaults and default counts, and what errors name: unknown fields, and sizes that only a mistake has.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - the same for all fields
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> Schema:
        described = super().model_schema(schema)
        return {key: value for key, value in described.items() if key not in _OMITTED}

    def str_schema(self, schema: core_schema.StringSchema) -> Schema:
        return {key: value for key, value in super().str_schema(schema).items() if key != "minLength"}

    def list_schema(self, schema: core_schema.ListSchema) -> Schema:
        return {key: value for key, value in super().list_schema(schema).items() if key != "maxItems"}

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> Schema:
        default = schema.get("default")
        if not default or isinstance(default, Arguments) or type(default) in (int, float):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def _inlined(value: Any, parts: Mapping[str, Schema]) -> Any:
    """Return *value* with references to *parts* inlined: not every client resolves references."""
    if isinstance(value, list):
        return [_inlined(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        siblings = {name: item for name, item in value.items() if name != "$ref"}
        return {**_inlined(parts[value["$ref"].rpartition("/")[2]], parts), **siblings}
    # The first of the values is the default unless another one is named.
    is_first = "enum" in value and value["enum"][:1] == [value.get("default")]
    return {key: _inlined(item, parts) for key, item in value.items() if not (is_first and key == "default")}
