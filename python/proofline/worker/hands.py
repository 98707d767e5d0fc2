"""Jobs in hand, each in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from .stop import Stop


@dataclass(frozen=True)
class _Hand:
    job: str
    attempt: int
    stop: Stop


class Hands:
    """At most ``capacity`` jobs at once. A thread cannot be ended: a job that does not heed its flag keeps its hand."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._taken: list[_Hand] = []
        self._changed = threading.Condition()

    def take(self, job: str, attempt: int, run: Callable[[Stop], None]) -> None:
        """Runs a job in a thread; its hand is free when ``run`` has returned.

        An attempt that is in hand already is not run twice: an answer of the API was lost, and it handed out the same.
        """
        hand = _Hand(job, attempt, Stop())
        with self._changed:
            if any((one.job, one.attempt) == (job, attempt) for one in self._taken):
                return
            for one in self._taken:
                if one.job == job:
                    one.stop.set("lost")
            self._taken.append(hand)

        def work() -> None:
            try:
                run(hand.stop)
            finally:
                with self._changed:
                    self._taken.remove(hand)
                    self._changed.notify_all()

        # a daemon: a job that does not end must not keep the process
        threading.Thread(target=work, name=f"proofline-{job}", daemon=True).start()

    @property
    def free(self) -> int:
        with self._changed:
            return max(0, self._capacity - len(self._taken))

    @property
    def is_empty(self) -> bool:
        with self._changed:
            return not self._taken

    def held(self) -> list[dict[str, object]]:
        """The attempts in hand that have not been told to stop, as a poll says them."""
        with self._changed:
            return [{"id": one.job, "attempt": one.attempt} for one in self._taken if not one.stop.is_set()]

    def stop(self, job: str, attempt: int, reason: str) -> None:
        """Tells an attempt to stop."""
        with self._changed:
            for one in self._taken:
                if (one.job, one.attempt) == (job, attempt):
                    one.stop.set(reason)

    def stop_all(self, reason: str) -> None:
        """Tells every job to stop."""
        with self._changed:
            for one in self._taken:
                one.stop.set(reason)

    def wait(self, is_done: Callable[[], bool], seconds: float) -> bool:
        """Waits until something holds, which is looked at when a hand becomes free; False when the time is over."""
        with self._changed:
            return self._changed.wait_for(is_done, seconds)
