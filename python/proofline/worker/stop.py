"""The flag that stops a run."""

from __future__ import annotations

import threading

DRAIN = "drain"
"""Reason of a worker that ends: the job goes back, and loses no attempt."""


class Stop:
    """Flag of a run that is to stop, with its reason."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.reason = ""

    def set(self, reason: str) -> None:
        """Stops the run; the first reason stays."""
        if not self._event.is_set():
            self.reason = reason
            self._event.set()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout: float) -> bool:
        """Waits for the flag, at most so many seconds; True where it is set."""
        return self._event.wait(timeout)
