"""Durations and instants, as callers write them and as the API takes them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TypeAlias

Duration: TypeAlias = int | float | str | timedelta
"""Seconds, a timedelta, or a number with a unit: ``"500ms"``, ``"30s"``, ``"2m"``, ``"1h"``, ``"7d"``."""

_UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def milliseconds(value: Duration, what: str) -> int:
    """Whole milliseconds of a duration.

    :raises ValueError: for a negative one, or a text that is not a duration
    :raises TypeError: for another type
    """
    ms = _milliseconds(value, what)
    if not 0 <= ms < float("inf"):
        raise ValueError(f"{what}: expected a duration of 0 or more, got {value!r}.")
    return round(ms)


def _milliseconds(value: Duration, what: str) -> float:
    if isinstance(value, timedelta):
        return value.total_seconds() * 1_000
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value * 1_000
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected seconds, a timedelta or a text such as '2m', got a {type(value).__name__}.")
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(ms|s|m|h|d)", value)
    if match is None:
        raise ValueError(f"{what}: expected a number and one of ms, s, m, h, d, such as '2m', got {value!r}.")
    return float(match[1]) * _UNITS[match[2]]


def instant(value: datetime | str, what: str) -> str:
    """RFC 3339 text of an instant; a text passes as it is.

    :raises ValueError: for a datetime without a time zone, which names no instant
    """
    if isinstance(value, str):
        return value
    if value.tzinfo is None:
        raise ValueError(
            f"{what}: expected a datetime with a time zone, such as datetime.now(timezone.utc), got {value}."
        )
    return value.isoformat()
