"""JSON as it is sent and kept."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast


def encode(value: object, what: str) -> bytes:
    """JSON of a value, in UTF-8; dataclasses as objects.

    :param what: name of the value, for the error
    :raises TypeError: for what JSON cannot hold, numbers that are not finite among it, and for whole numbers beyond 2^53
    """
    return _text(value, what, _fields).encode()


def plain(value: Any, what: str) -> Any:
    """A value as it comes back from JSON: tuples are lists, keys are texts.

    :raises TypeError: as for :func:`encode`; dataclasses, too, which would come back as another type
    """
    return json.loads(_text(value, what, _none))


def sendable(text: str) -> str:
    """A text that can be sent and stored: without halves of surrogate pairs, and without NUL."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def described(message: str) -> str:
    """The sentence of a failure, within the bounds of the API."""
    return sendable(message)[:4_000] or "No reason was given."


def object_of(value: object) -> Mapping[str, Any] | None:
    """A value where it is an object of JSON; None for any other."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None


def _text(value: object, what: str, default: Callable[[object], Any]) -> str:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"), default=default)
        # half of a surrogate pair is no text
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise TypeError(f"{what}: expected a value that JSON can hold, got one that it cannot: {error}.") from error
    # most texts have no such number: they are not read again
    if _LONG.search(text):
        json.loads(text, parse_int=lambda digits: _exact(digits, what))
    return text


_LONG = re.compile(r"\d{16}")
_MOST = 2**53 - 1
"""Greatest whole number that every reader of JSON keeps to the last digit."""


def _exact(digits: str, what: str) -> int:
    number = int(digits)
    if abs(number) <= _MOST:
        return number
    raise TypeError(
        f"{what}: expected whole numbers within ±{_MOST}, beyond which they are not kept to the last digit, "
        f"got {digits}: send it as text."
    )


def _fields(value: object) -> dict[str, Any]:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return _none(value)


def _none(value: object) -> dict[str, Any]:
    raise TypeError(f"no JSON for a {type(value).__name__}")
