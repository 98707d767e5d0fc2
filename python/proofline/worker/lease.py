"""One registration of a worker: it lasts as long as its polls arrive."""

from __future__ import annotations

import logging
import time
from typing import Any
from collections.abc import Callable, Mapping

from ..backoff import pause
from ..errors import ProoflineError
from ..jsontext import encode
from ..transport import Transport
from .hands import Hands
from .reports import Reports

log = logging.getLogger("proofline")

_LONGEST_PAUSE = 2.0


class LeaseLost(Exception):
    """The API does not know this worker any more, or may not: its jobs are given to others."""


class Lease:
    """A registration, with the reports that are sent under it. Times are in seconds."""

    def __init__(self, transport: Transport, answer: Mapping[str, Any]) -> None:
        self._transport = transport
        self._path = f"/v1/workers/{answer['worker']}"
        self._length = answer["lease_ms"] / 1_000
        self._heard = time.monotonic()
        self._failures = 0
        self.worker: str = answer["worker"]
        self.beat: float = answer["beat_ms"] / 1_000
        # a poll is a beat, so none may be open for longer than one
        self.longest_wait: float = min(answer["wait_ms"] / 1_000, self.beat)
        self.reports = Reports(transport, self.worker)

    def poll(self, hands: Hands, credits: int, wait: float) -> list[Mapping[str, Any]]:
        """Tells that this worker lives, stops what is to stop, and gives the jobs that were handed out.

        :raises LeaseLost: where the API says so, or was not heard for as long as a lease lasts
        :raises ProoflineError: where it refuses the worker for good
        """
        sent = time.monotonic()
        body = encode({"credits": credits, "wait_ms": round(wait * 1_000), "jobs": hands.held()}, "poll")
        try:
            poll = self._transport.call(
                "POST", f"{self._path}/poll", body, timeout=wait + self._length, retries=0
            ).json()
        except ProoflineError as error:
            self._bear(error)
            return []
        self._heard, self._failures = sent, 0
        for one in poll["stop"]:
            hands.stop(one["id"], one["attempt"], one["reason"])
        jobs: list[Mapping[str, Any]] = poll["jobs"]
        return jobs

    def leave(self) -> None:
        """Ends the registration: what is in hand goes back, and loses no attempt."""
        self.reports.close()
        try:
            self._transport.call("DELETE", self._path)
        except ProoflineError as error:
            log.warning("leaving failed, so the lease of %s ends by itself: %s", self.worker, error)

    def _bear(self, error: ProoflineError) -> None:
        """Waits after a poll that failed."""
        if error.status == 404:
            raise LeaseLost(error.message) from error
        if not is_passing(error):
            raise error
        if time.monotonic() - self._heard > self._length:
            raise LeaseLost(f"no beat was answered for {self._length:g} s: {error.message}") from error
        self._failures += 1
        time.sleep(min(pause(self._failures, error.retry_after), self.beat))


def register(transport: Transport, body: bytes, is_ending: Callable[[], bool], is_first: bool) -> Lease | None:
    """Registers a worker; a later time it is tried until it succeeds, or the worker is to end (None).

    :raises ProoflineError: where it is refused, and the first time also where no API answers
    """
    if is_first:
        return Lease(transport, transport.call("POST", "/v1/workers", body).json())
    failures = 0
    while not is_ending():
        try:
            return Lease(transport, transport.call("POST", "/v1/workers", body, retries=0).json())
        except ProoflineError as error:
            if not is_passing(error):
                raise
            failures += 1
            time.sleep(min(pause(failures, error.retry_after), _LONGEST_PAUSE))
    return None


def is_passing(error: ProoflineError) -> bool:
    """Tells an API that is away or busy from one that refuses."""
    return error.status is None or error.status == 429 or error.status >= 500
