"""Contracts: options, durations, and schemas from types."""

from __future__ import annotations

import dataclasses
import enum
import unittest
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Literal, NotRequired, TypedDict, Union

from proofline import define_job, job
from proofline.schema import schema_of, value_of
from proofline.times import milliseconds


class Crop(TypedDict):
    """Nested."""

    left: int
    top: NotRequired[int]


class Picture(TypedDict):
    url: str
    width: int
    scale: float
    sharpen: bool
    format: Literal["png", "webp"]
    crops: list[Crop]
    tags: dict[str, str]
    title: str | None
    mode: NotRequired[Literal["fit"] | None]
    extra: NotRequired[Any]


@dataclasses.dataclass
class Item:
    name: str
    count: int = 1


@dataclasses.dataclass
class Order:
    items: list[Item]
    gift: Item | None = None
    by_name: dict[str, Item] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Tree:
    children: list[Tree]


@dataclasses.dataclass
class Counted:
    size: int = dataclasses.field(init=False)


class Pairs(TypedDict):
    sizes: list[tuple[int, int]]


class Colour(enum.Enum):
    RED = "red"


class Schemas(unittest.TestCase):
    def test_a_typed_dict(self) -> None:
        crop = {
            "type": "object",
            "properties": {"left": {"type": "integer"}, "top": {"type": "integer"}},
            "additionalProperties": False,
            "required": ["left"],
        }
        self.assertEqual(
            schema_of(Picture, "payload"),
            {
                "type": "object",
                "properties": {
                    "url": {"type": "string"},
                    "width": {"type": "integer"},
                    "scale": {"type": "number"},
                    "sharpen": {"type": "boolean"},
                    "format": {"enum": ["png", "webp"]},
                    "crops": {"type": "array", "items": crop},
                    "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                    "title": {"type": ["string", "null"]},
                    "mode": {"enum": ["fit", None]},
                    "extra": {},
                },
                "additionalProperties": False,
                "required": ["url", "width", "scale", "sharpen", "format", "crops", "tags", "title"],
            },
        )

    def test_a_dataclass_and_its_values(self) -> None:
        schema = schema_of(Order, "payload")
        self.assertEqual(schema["required"], ["items"])
        self.assertEqual(schema["properties"]["gift"]["type"], ["object", "null"])
        self.assertEqual(schema["properties"]["gift"]["required"], ["name"])
        value = {"items": [{"name": "a"}], "gift": None, "by_name": {"b": {"name": "b", "count": 2}}}
        self.assertEqual(value_of(Order, value), Order([Item("a")], None, {"b": Item("b", 2)}))
        self.assertEqual(value_of(Order, {"items": [], "gift": {"name": "g"}}), Order([], Item("g")))

    def test_values_of_other_types_stay(self) -> None:
        for source, value in ((Crop, {"left": 1}), ({"type": "object"}, {"a": [1]}), (list, [1]), (int, 3)):
            self.assertEqual(value_of(source, value), value)
        with self.assertRaises(TypeError):
            value_of(Item, {"nome": "a"})

    def test_a_schema_is_taken_as_it_is(self) -> None:
        self.assertEqual(
            schema_of({"type": "object", "minProperties": 1}, "payload"), {"type": "object", "minProperties": 1}
        )

    def test_error_a_type_without_a_schema_is_named_with_its_place(self) -> None:
        cases: list[tuple[object, str]] = [
            (
                datetime,
                r"^payload: expected str, int, .* or a dataclass, got datetime; write its JSON Schema instead\.",
            ),
            (list[set[int]], r"^payload\[\]: .* got set"),
            (dict[int, str], r"^payload: .* got dict"),
            (dict[str, bytes], r"^payload\{\}: .* got bytes"),
            (Union[str, int], r"^payload: .* got (Union|typing\.Union\[str, int\]|str \| int)"),
            (Colour, r"^payload: .* got Colour"),
            (None, r"^payload: .* got None"),
            (Tree, r"^payload\.children\[\]: expected a type that ends, got Tree within itself"),
            (Counted, r"^payload\.size: expected a field that the constructor takes"),
        ]
        for source, sentence in cases:
            with self.subTest(source=source), self.assertRaisesRegex(TypeError, sentence):
                schema_of(source, "payload")
        with self.assertRaisesRegex(TypeError, r"^payload\.sizes\[\]: .* got tuple"):
            schema_of(Pairs, "payload")
        # a class of a function, whose annotations are texts here, is not found by name
        with self.assertRaisesRegex(TypeError, r"^payload: expected types that the module of Local knows"):
            schema_of(local_class(), "payload")


def local_class() -> object:
    class Inner(TypedDict):
        a: int

    class Local(TypedDict):
        inner: Inner

    return Local


class Define(unittest.TestCase):
    def test_what_is_given_is_in_the_contract_and_nothing_else(self) -> None:
        @job("acme.a", payload={"type": "object"})
        def plain(ctx: object) -> None:
            """Does a.

            At length.
            """

        self.assertEqual(plain.contract, {"title": "Does a.", "payload": {"type": "object"}, "result": {}})
        self.assertEqual((plain.name, plain.version), ("acme.a", 1))
        nothing: Callable[[Any], None] = lambda ctx: None
        full = define_job(
            "acme.b",
            payload=Item,
            result=Item,
            progress={"type": "number"},
            title="B",
            version=4,
            attempts=5,
            backoff=0.25,
            backoff_cap="1m",
            timeout=timedelta(hours=1),
            priority=7,
            retention={"count": 10},
            replaceable=True,
            receipt=True,
            approval={"why": "It is shown to customers."},
            budget={"job_usd": 0.5},
        )(nothing)
        item = schema_of(Item, "payload")
        self.assertEqual(
            full.contract,
            {
                "title": "B",
                "payload": item,
                "result": item,
                "progress": {"type": "number"},
                "attempts": 5,
                "backoff_ms": 250,
                "backoff_cap_ms": 60_000,
                "timeout_ms": 3_600_000,
                "priority": 7,
                "retention": {"count": 10},
                "replaceable": True,
                "receipt": True,
                "approval": {"why": "It is shown to customers."},
                "budget": {"job_usd": 0.5},
            },
        )
        self.assertEqual(full.version, 4)
        self.assertEqual(define_job("acme.c", payload={})(nothing).contract["title"], "acme.c")

    def test_a_job_can_be_called_as_its_function(self) -> None:
        run: Callable[[Any], Any] = lambda ctx: ctx + 1
        context: Any = 1
        self.assertEqual(define_job("acme.a", payload={})(run)(context), 2)

    def test_error_an_option_that_is_not_known(self) -> None:
        with self.assertRaisesRegex(TypeError, "^job: expected result, progress, .*, got retries."):
            define_job("acme.a", payload={}, retries=3)  # type: ignore[call-overload]


class Durations(unittest.TestCase):
    def test_units(self) -> None:
        for value, ms in ((0, 0), (1.5, 1_500), ("500ms", 500), ("30s", 30_000), ("1.5 m", 90_000), ("2h", 7_200_000)):
            self.assertEqual(milliseconds(value, "x"), ms)
        self.assertEqual(milliseconds("7d", "x"), milliseconds(timedelta(days=7), "x"))

    def test_error_what_is_not_a_duration(self) -> None:
        for wrong in ("", "2", "m", "-1s", -1, float("nan"), float("inf"), timedelta(seconds=-1)):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, "^x: expected a "):
                milliseconds(wrong, "x")
        others: list[Any] = [None, True, []]
        for other in others:
            with self.subTest(wrong=other), self.assertRaisesRegex(TypeError, "^x: expected seconds"):
                milliseconds(other, "x")


if __name__ == "__main__":
    unittest.main()
