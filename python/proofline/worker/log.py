"""Log lines of a job."""

from __future__ import annotations

from typing import Any, Protocol

from ..jsontext import sendable

_LONGEST = 10_000
"""Characters of a line that the API takes."""
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
        if _LEVELS.index(level) >= self._least:
            self._tell("log", level=level, message=sendable(message)[:_LONGEST], **({"data": data} if data else {}))
