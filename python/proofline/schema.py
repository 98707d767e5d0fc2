"""JSON Schemas from types, and values of those types from JSON."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import (
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from .jsontext import object_of

Schema = Mapping[str, Any]

_PLAIN: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    list: {"type": "array"},
    dict: {"type": "object"},
    Any: {},
}

_KNOWN = "str, int, float, bool, list, dict, Any, Optional, Literal, a TypedDict or a dataclass"


def schema_of(source: object, what: str) -> Schema:
    """The JSON Schema of a payload or a result: itself where it is one, else derived from a type.

    :param what: path of the type, for the error
    :raises TypeError: for a type that no schema is derived from
    """
    own = object_of(source)
    if own is not None:
        return own
    return _derive(source, what, ())


def value_of(source: object, value: Any) -> Any:
    """A value of JSON as the type says: objects of dataclasses are made, everything else stays.

    :raises TypeError: for an object that does not fit its dataclass
    """
    origin, args = get_origin(source), get_args(source)
    if value is None or isinstance(source, Mapping):
        return value
    if origin in (Union, types.UnionType):
        return value_of(_without_none(args)[0], value)
    if origin is list:
        return [value_of(args[0], item) for item in value]
    if origin is dict:
        return {name: value_of(args[1], item) for name, item in value.items()}
    if is_typeddict(source):
        hints = get_type_hints(source)
        return {name: value_of(hints.get(name), item) for name, item in value.items()}
    if isinstance(source, type) and dataclasses.is_dataclass(source):
        hints = get_type_hints(source)
        return source(**{name: value_of(hints.get(name), item) for name, item in value.items()})
    return value


def _derive(source: Any, what: str, inside: tuple[object, ...]) -> Schema:
    name: object = getattr(source, "__name__", source)
    if isinstance(source, type) and source in inside:
        raise TypeError(f"{what}: expected a type that ends, got {name} within itself; write its JSON Schema.")
    origin, args = get_origin(source), get_args(source)
    if origin is None and _is_plain(source):
        return _PLAIN[source]
    if origin in (Union, types.UnionType) and len(_without_none(args)) == 1:
        return _nullable(_derive(_without_none(args)[0], what, inside))
    if origin is Literal:
        return {"enum": list(args)}
    if origin is list:
        return {"type": "array", "items": _derive(args[0], f"{what}[]", inside)}
    if origin is dict and args[0] is str:
        return {"type": "object", "additionalProperties": _derive(args[1], f"{what}{{}}", inside)}
    if is_typeddict(source):
        return _object(source, what, inside, _required_keys)
    if isinstance(source, type) and dataclasses.is_dataclass(source):
        _assert_constructed(source, what)
        return _object(source, what, inside, _required_fields)
    raise TypeError(f"{what}: expected {_KNOWN}, got {name}; write its JSON Schema instead.")


def _object(source: Any, what: str, inside: tuple[object, ...], required: Callable[[Any], set[str]]) -> Schema:
    try:
        hints = get_type_hints(source)
        needed = required(source)
    except NameError as error:
        raise TypeError(f"{what}: expected types that the module of {source.__name__} knows, got {error}.") from error
    properties = {name: _derive(hint, f"{what}.{name}", (*inside, source)) for name, hint in hints.items()}
    names = [name for name in properties if name in needed]
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return {**schema, "required": names} if names else schema


def _required_keys(source: Any) -> set[str]:
    """Names that a TypedDict must have. Where annotations are texts, it does not know itself which are NotRequired."""
    hints = get_type_hints(source, include_extras=True)
    keys: frozenset[str] = source.__required_keys__
    marked = {name: get_origin(hint) for name, hint in hints.items() if get_origin(hint) in (Required, NotRequired)}
    return {name for name in hints if (marked[name] is Required if name in marked else name in keys)}


def _required_fields(source: Any) -> set[str]:
    missing = dataclasses.MISSING
    return {one.name for one in dataclasses.fields(source) if one.default is missing and one.default_factory is missing}


def _assert_constructed(source: Any, what: str) -> None:
    for field in dataclasses.fields(source):
        if not field.init:
            raise TypeError(
                f"{what}.{field.name}: expected a field that the constructor takes, got one with init=False."
            )


def _nullable(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    # not anyOf: two of those cannot be compared when a later contract is registered
    return {**schema, "type": [schema["type"], "null"]} if "type" in schema else schema


def _without_none(args: tuple[Any, ...]) -> list[Any]:
    return [one for one in args if one is not type(None)]


def _is_plain(source: object) -> bool:
    try:
        return source in _PLAIN
    except TypeError:
        return False
