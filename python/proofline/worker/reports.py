"""Reports of one registration: collected, sent in batches, in their order, until they are answered."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from ..backoff import pause
from ..errors import ProoflineError
from ..jsontext import encode
from ..transport import Transport

log = logging.getLogger("proofline")

Reply = Mapping[str, Any]

_MOST = 1_000
"""Reports of one request."""
_BYTES = 1_000_000
"""Bytes after which a request takes no more reports; a larger one goes alone."""
_WAITING = 2_000
"""Unsent reports beyond which a job that logs has to wait."""

_PATIENCE = 8
"""Answers of an internal error after which the reports are taken for its cause."""

_STALE: Reply = {"status": "stale", "message": "The registration of this worker has ended."}


@dataclass(frozen=True)
class Report:
    """A report to be sent; ``is_outcome`` where it says what an effect has done."""

    text: bytes
    is_outcome: bool
    on_stale: Callable[[], None]
    answer: Future[Reply] | None


def _report(report: Mapping[str, Any], on_stale: Callable[[], None], answer: Future[Reply] | None) -> Report:
    return Report(encode(report, str(report["type"])), report["type"] == "effect_done", on_stale, answer)


class _Closed(Exception):
    """Nothing is sent any more."""


class Reports:
    """Sends reports of one registration, for the threads of its jobs; ``is_closed`` once it sends no more.

    :param orphans: takes the outcomes of effects that are not answered by then. They count whoever reports them, so the
        next registration does: see :meth:`adopt`
    """

    def __init__(self, transport: Transport, worker: str, orphans: deque[Report]) -> None:
        self._transport = transport
        self._orphans = orphans
        self._path = f"/v1/workers/{worker}/report"
        self._unsent: deque[Report] = deque()
        self._changed = threading.Condition()
        self.is_closed = False
        threading.Thread(target=self._run, name="proofline-reports", daemon=True).start()

    def ask(self, report: Mapping[str, Any], on_stale: Callable[[], None]) -> Reply:
        """Sends a report and waits for its answer: ``accepted``, ``refused``, or ``stale``, also once this is closed.

        :raises TypeError: for a report that JSON cannot hold
        """
        answer: Future[Reply] = Future()
        self._put(_report(report, on_stale, answer))
        return answer.result()

    def tell(self, report: Mapping[str, Any], on_stale: Callable[[], None]) -> None:
        """Sends a report later; waits only where very many are unsent.

        :raises TypeError: for a report that JSON cannot hold
        """
        one = _report(report, on_stale, None)
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or len(self._unsent) < _WAITING)
        self._put(one)

    def adopt(self) -> None:
        """Sends the outcomes that earlier registrations have left."""
        for _ in range(len(self._orphans)):
            self._put(self._orphans.popleft())

    def close(self) -> None:
        """Ends the sending; what is not answered by now is stale."""
        with self._changed:
            self.is_closed = True
            unsent, self._unsent = list(self._unsent), deque()
            self._changed.notify_all()
        self._give_up(unsent)

    def _put(self, report: Report) -> None:
        with self._changed:
            if not self.is_closed:
                self._unsent.append(report)
                self._changed.notify_all()
                return
        self._give_up([report])

    def _give_up(self, reports: Sequence[Report]) -> None:
        outcomes = [one for one in reports if one.is_outcome]
        self._orphans.extend(replace(one, on_stale=lambda: None, answer=None) for one in outcomes)
        _answer(reports, [_STALE] * len(reports))

    def _run(self) -> None:
        batch: list[Report] = []
        try:
            while batch := self._next():
                _answer(batch, self._send(batch))
        except _Closed:
            self._give_up(batch)
        except Exception:
            log.exception("reports to Proofline ended; the worker registers again")
            self._give_up([one for one in batch if one.answer is None or not one.answer.done()])
        finally:
            self.close()

    def _next(self) -> list[Report]:
        """The reports of the next request; none once this is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed or bool(self._unsent))
            batch: list[Report] = []
            size = 0
            while self._unsent and len(batch) < _MOST:
                size += len(self._unsent[0].text)
                if batch and size > _BYTES:
                    break
                batch.append(self._unsent.popleft())
            self._changed.notify_all()
            return batch

    def _send(self, batch: Sequence[Report]) -> list[Reply]:
        body = b'{"reports":[' + b",".join(one.text for one in batch) + b"]}"
        failures = 0
        while not self.is_closed:
            try:
                answers: list[Reply] = self._transport.call("POST", self._path, body, retries=0).json()["answers"]
                return answers
            except ProoflineError as error:
                failures += 1
                if error.status in (401, 403, 404, 410):
                    self.close()
                elif _is_fault_of_reports(error.status, failures):
                    return self._split(batch, error)
                else:
                    self._rest(pause(failures, error.retry_after, longest=2.0))
        raise _Closed

    def _split(self, batch: Sequence[Report], error: ProoflineError) -> list[Reply]:
        """Sends the halves of a request that was refused whole, down to the one report that it was refused for."""
        if len(batch) == 1:
            return [{"status": "refused", "code": error.code, "message": error.message}]
        middle = len(batch) // 2
        return [*self._send(batch[:middle]), *self._send(batch[middle:])]

    def _rest(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed, seconds)


def _is_fault_of_reports(status: int | None, failures: int) -> bool:
    """Tells a request that fails by what is in it from an API that is busy or away."""
    if status is None or status in (429, 502, 503, 504):
        return False
    return status < 500 or failures >= _PATIENCE


def _answer(batch: Sequence[Report], answers: Sequence[Reply]) -> None:
    for one, answer in zip(batch, answers, strict=True):
        if answer["status"] == "stale":
            one.on_stale()
        if one.answer is not None:
            one.answer.set_result(answer)
        elif answer["status"] == "refused":
            log.warning("a report was refused: %s", answer["message"])
