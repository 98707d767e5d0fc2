"""A job that was submitted."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from .errors import JobFailed
from .events import Event, follow_job
from .jsontext import encode
from .transport import Transport


class JobHandle:
    """A job of the API, by its id."""

    def __init__(self, transport: Transport, id: str) -> None:
        self._transport = transport
        self.id = id
        self._path = f"/v1/jobs/{quote(id, safe='')}"

    def __repr__(self) -> str:
        return f"JobHandle({self.id!r})"

    def job(self) -> dict[str, Any]:
        """The job as it is now: ``state``, ``result``, ``error``, ``attempt`` and more."""
        job: dict[str, Any] = self._transport.call("GET", self._path).json()
        return job

    def wait(self, timeout: float | None = None) -> dict[str, Any]:
        """Waits for the end of the job, and gives it as it is then.

        :param timeout: seconds; None waits as long as it takes
        :raises TimeoutError: when it takes longer; the job goes on
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        for _ in follow_job(self._transport, f"{self._path}/events", deadline):
            pass
        return self.job()

    def result(self, timeout: float | None = None) -> Any:
        """Waits for the end of the job, and gives its result.

        :raises JobFailed: where it failed or was cancelled
        :raises TimeoutError: as :meth:`wait`
        """
        job = self.wait(timeout)
        if job["state"] != "succeeded":
            raise JobFailed(job)
        return job["result"]

    def cancel(self) -> dict[str, Any]:
        """Cancels the job, and gives it as it is then.

        :raises ProoflineError: ``state_conflict`` where it has ended
        """
        job: dict[str, Any] = self._transport.call("DELETE", self._path).json()
        return job

    def events(self) -> Iterator[Event]:
        """The events of the job from its first to its last, as they happen; goes on after a cut without a gap."""
        return follow_job(self._transport, f"{self._path}/events")

    def signal(self, name: str, payload: Any = None, *, idempotency_key: str | None = None) -> bool:
        """Sends a signal that the job waits for, or will. False where the job has it already, by its key.

        :raises TypeError: for a payload that JSON cannot hold
        """
        key = idempotency_key or str(uuid.uuid4())
        path = f"{self._path}/signals/{quote(name, safe='')}"
        body = encode({"payload": payload}, f"payload of the signal {name}")
        answer = self._transport.call("POST", path, body, headers={"idempotency-key": key}).json()
        return bool(answer["accepted"])
