"""Schemas of structs with everything that the structs' docs say: JSON Schema 2020-12."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct
from msgspec import inspect as shapes
from msgspec.structs import FieldInfo, fields

from runner.schema.fields import FieldDoc, docs_of

Schema: TypeAlias = dict[str, Any]
Examples: TypeAlias = Mapping[tuple[type[Struct], str], Any]

_PYTHON_NAME = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")


def components(
    types: Iterable[Any], examples: Examples, ref_template: str
) -> tuple[list[Schema], dict[str, Schema]]:
    """The schema of each of `types`, and by name those of all structs that they refer to.

    examples: of fields whose docs have none. ref_template: of a reference, with `{name}`.
    Raises LookupError, naming the field, where a field has no docs or no example.
    """
    types = list(types)
    tops, named = msgspec.json.schema_components(types, ref_template=ref_template)
    for struct in structs_in(types):
        _annotate(struct, named[name_of(struct, named)], examples)
    return [_plain(top) for top in tops], {name: _plain(named[name]) for name in sorted(named)}


def name_of(struct: type[Struct], named: Mapping[str, Schema]) -> str:
    """What a struct is called in `named`: its name, or the whole of it where two are alike."""
    short = struct.__name__
    return short if short in named else f"{struct.__module__}.{struct.__qualname__}"


def structs_in(types: Iterable[Any]) -> list[type[Struct]]:
    """Every struct that `types` are made of, each once."""
    found: dict[type[Struct], None] = {}

    def walk(shape: Any) -> None:
        if isinstance(shape, shapes.StructType):
            if shape.cls in found:
                return
            found[shape.cls] = None
            for field in shape.fields:
                walk(field.type)
        elif isinstance(shape, shapes.Metadata):
            walk(shape.type)
        elif isinstance(shape, shapes.UnionType):
            for inner in shape.types:
                walk(inner)
        elif isinstance(shape, shapes.TupleType):
            for inner in shape.item_types:
                walk(inner)
        elif isinstance(shape, shapes.CollectionType):
            walk(shape.item_type)
        elif isinstance(shape, shapes.DictType):
            walk(shape.value_type)

    for each in types:
        walk(shapes.type_info(each))
    return list(found)


def example_of(struct: type[Struct], examples: Examples) -> dict[str, Any]:
    """An example of a whole struct, as JSON, made of those of its fields."""
    config = struct.__struct_config__
    whole: dict[str, Any] = {}
    if config.tag is not None:
        whole[str(config.tag_field)] = config.tag
    for field in fields(struct):
        whole[field.encode_name] = _example(struct, field, examples)
    return whole


def _annotate(struct: type[Struct], schema: Schema, examples: Examples) -> None:
    """Put descriptions, units and examples into the schema of a struct."""
    names = {field.name: field.encode_name for field in fields(struct)}

    def wire_names(text: str) -> str:
        """Python's names of fields as they are on the wire."""
        return _PYTHON_NAME.sub(lambda found: f"`{names.get(found[1], found[1])}`", text)

    schema["description"] = wire_names(schema.get("description", ""))
    properties = schema["properties"]
    for field in fields(struct):
        doc = _doc(struct, field)
        inner = properties[field.encode_name]
        # What a reference says of itself stands beside it, not instead of it.
        inner["description"] = wire_names(doc.text)
        if doc.unit is not None:
            inner["x-unit"] = doc.unit
        inner["examples"] = [_example(struct, field, examples)]
    config = struct.__struct_config__
    if config.tag is not None:
        inner = properties[config.tag_field]
        inner["description"] = "Tells which one of several this is."
        inner["examples"] = [config.tag]


def _doc(struct: type[Struct], field: FieldInfo) -> FieldDoc:
    try:
        return docs_of(struct)[field.name]
    except KeyError:
        raise LookupError(
            f"{struct.__module__}.{struct.__name__}.{field.name}: no docstring below it"
        ) from None


def _example(struct: type[Struct], field: FieldInfo, examples: Examples) -> Any:
    doc = _doc(struct, field)
    if doc.example is not UNSET:
        return doc.example
    if (struct, field.name) not in examples and field.type is bool:
        return True
    try:
        return examples[struct, field.name]
    except KeyError:
        raise LookupError(
            f"{struct.__module__}.{struct.__name__}.{field.name}: no example in its docstring, "
            f"and no match showed one"
        ) from None


def _plain(value: Any) -> Any:
    """Without what OpenAPI alone knows: `discriminator`, which `anyOf` and tags already say."""
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items() if key != "discriminator"}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value
