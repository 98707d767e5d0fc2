"""A program for type checkers alone: what they must find out of a user's code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict, assert_type

import proofline


class Picture(TypedDict):
    width: int


@dataclass
class Size:
    width: int


@proofline.job("acme.a", payload=Picture)
def of_typed_dict(ctx: proofline.Context[Picture]) -> str:
    assert_type(ctx.payload["width"], int)
    assert_type(ctx.step("a", lambda: 1), int)
    assert_type(ctx.effect("b", {}, lambda call: call.key), str)
    return "a"


@proofline.define_job("acme.b", payload=Size, result=Size, timeout="2m")
def of_dataclass(ctx: proofline.Context[Size]) -> Size:
    assert_type(ctx.payload.width, int)
    return ctx.payload


@proofline.job("acme.c", payload={"type": "object"})
def of_schema(ctx: proofline.Context[Any]) -> None:
    assert_type(ctx.submit(of_dataclass, Size(1), name="child"), proofline.Child)


assert_type(of_typed_dict, proofline.Job[Picture, str])
assert_type(of_dataclass, proofline.Job[Size, Size])
assert_type(of_schema, proofline.Job[Any, None])
