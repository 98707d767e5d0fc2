"""Log lines of a job."""

from __future__ import annotations

import json
import logging
import threading
from typing import Any, Protocol

from ..jsontext import sendable

_LONGEST = 10_000
"""Characters of a line that the API takes."""
_KEPT = 1_000
"""Characters of a line that are kept."""
_KEPT_DATA = 2_000
"""Characters of the data of a line, as JSON, that are kept."""

_own = logging.getLogger("proofline")
_said = threading.Event()
"""Set once this process has warned of a long line."""
_LEVELS = ("debug", "info", "warn", "error")


class Tell(Protocol):
    def __call__(self, type: str, **fields: Any) -> None: ...


class Log:
    """Writes lines to the log of a job, beside those of its other attempts. Each takes data by name, as JSON.

    :param least: level below which lines are not sent; all are by default
    """

    def __init__(self, tell: Tell, least: str | None) -> None:
        self._tell = tell
        self._least = _LEVELS.index(least) if least in _LEVELS else 0

    def debug(self, message: str, **data: Any) -> None:
        self._write("debug", message, data)

    def info(self, message: str, **data: Any) -> None:
        self._write("info", message, data)

    def warning(self, message: str, **data: Any) -> None:
        self._write("warn", message, data)

    def error(self, message: str, **data: Any) -> None:
        self._write("error", message, data)

    def _write(self, level: str, message: str, data: dict[str, Any]) -> None:
        if _LEVELS.index(level) < self._least:
            return
        self._tell("log", level=level, message=_within(sendable(message)), **({"data": data} if data else {}))
        # what cannot be sent was refused by now
        if not _said.is_set() and (len(message) > _KEPT or (data and len(json.dumps(data, default=str)) > _KEPT_DATA)):
            _said.set()
            _own.warning(
                "a line of a job is longer than what is kept of it: %d characters, and %d of its data as JSON; "
                "this is said once: %s",
                _KEPT,
                _KEPT_DATA,
                message[:80],
            )


def _within(message: str) -> str:
    """A line within the bounds of a report; a longer one ends with the number of characters that it lacks."""
    if len(message) <= _LONGEST:
        return message
    kept = message[: _LONGEST - 40]
    return f"{kept}… ({len(message) - len(kept):,} characters more)"
