"""One registration of a worker: it lasts as long as its polls arrive."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from ..backoff import pause
from ..errors import ProoflineError
from ..jsontext import encode
from ..transport import Transport
from .hands import Hands
from .reports import Report, Reports

log = logging.getLogger("proofline")

_LONGEST_PAUSE = 2.0


class LeaseLost(Exception):
    """The API does not know this worker any more, or may not: its jobs are given to others."""


class Lease:
    """A registration, with the reports that are sent under it. Times are in seconds."""

    def __init__(self, transport: Transport, answer: Mapping[str, Any], orphans: deque[Report]) -> None:
        self._transport = transport
        self._path = f"/v1/workers/{answer['worker']}"
        self._length = answer["lease_ms"] / 1_000
        self._heard = time.monotonic()
        self._failures = 0
        self.worker: str = answer["worker"]
        self.beat: float = answer["beat_ms"] / 1_000
        # a poll is a beat, so none may be open for longer than one
        self.longest_wait: float = min(answer["wait_ms"] / 1_000, self.beat)
        self.reports = Reports(transport, self.worker, orphans)

    def poll(self, hands: Hands, credits: int, wait: float) -> list[Mapping[str, Any]]:
        """Tells that this worker lives, stops what is to stop, and gives the jobs that were handed out.

        :raises LeaseLost: where the API says so, or was not heard for as long as a lease lasts
        :raises ProoflineError: where it refuses the worker for good
        """
        self.reports.adopt()
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
        # 410 comes from a gateway that remembers the worker
        if error.status in (404, 410):
            raise LeaseLost(error.message) from error
        if not is_passing(error):
            raise error
        if time.monotonic() - self._heard > self._length:
            raise LeaseLost(f"no beat was answered for {self._length:g} s: {error.message}") from error
        self._failures += 1
        time.sleep(min(pause(self._failures, error.retry_after), self.beat))


class Registrar:
    """Registers a worker, again and again.

    :param body: what it says of itself
    :param is_ending: tells that it is to end
    """

    def __init__(self, transport: Transport, body: bytes, is_ending: Callable[[], bool]) -> None:
        self._transport = transport
        self._body = body
        self._is_ending = is_ending
        self._orphans: deque[Report] = deque()

    def first(self) -> Lease:
        """Registers.

        :raises ProoflineError: where the API refuses, or does not answer
        """
        return Lease(self._transport, self._transport.call("POST", "/v1/workers", self._body).json(), self._orphans)

    def again(self) -> Lease | None:
        """Registers as soon as the API is there; None where the worker is to end before.

        :raises ProoflineError: where the API refuses
        """
        failures = 0
        while not self._is_ending():
            try:
                answer = self._transport.call("POST", "/v1/workers", self._body, retries=0).json()
                return Lease(self._transport, answer, self._orphans)
            except ProoflineError as error:
                if not is_passing(error):
                    raise
                failures += 1
                time.sleep(min(pause(failures, error.retry_after), _LONGEST_PAUSE))
        return None


def is_passing(error: ProoflineError) -> bool:
    """Tells an API that is away or busy from one that refuses."""
    return error.status is None or error.status == 429 or error.status >= 500
