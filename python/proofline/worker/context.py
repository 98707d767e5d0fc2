"""The view that the function of a job has of its run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NoReturn, TypeVar

from ..contract import Job, queue_of
from ..jsontext import plain
from ..schema import value_of
from ..times import Duration, instant, milliseconds
from .effects import EffectCall, Kind, run_effect
from .endings import Cancelled, ChildFailed, Ending, InvalidValue, Refused, Suspended, WaitTimedOut
from .log import Log
from .reports import Reply, Reports
from .stop import Stop
from .story import StoredStep, Story

P = TypeVar("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Child:
    """A job that this job has submitted."""

    name: str
    id: str


class Context(Generic[P]):
    """One run of a job. Its methods are called from the thread of the job, one after the other."""

    def __init__(self, job: Job[P, Any], handed: Mapping[str, Any], reports: Reports, stop: Stop) -> None:
        self.payload: P = value_of(job.payload, job.upcast(handed["payload"], handed["version"]))
        self.id: str = handed["id"]
        self.queue: str = handed["queue"]
        self.version: int = handed["version"]
        self.attempt: int = handed["attempt"]
        self.failures: int = handed["failures"]
        self.created_at = datetime.fromisoformat(handed["created_at"])
        self.deadline = datetime.fromisoformat(handed["deadline"])
        self.trace: str | None = handed.get("trace")
        self.log = Log(self._tell, handed.get("log_level"))
        self._token = handed["token"]
        self._reports = reports
        self._stop = stop
        self._story = Story(handed.get("steps", ()))
        self._results: dict[str, Any] = {}
        self.ending: Ending | None = None
        """Kept, so that a function that swallows it does not go on; for the worker."""

    @property
    def cancelled(self) -> bool:
        """True once the job was cancelled, ran out of time, or was given to another worker: its work is void."""
        return self._stop.is_set()

    def raise_if_cancelled(self) -> None:
        """Ends the run where its work is void. Long computations call this now and then."""
        if self.cancelled:
            self.end(Cancelled(self._stop.reason))

    def step(self, name: str, run: Callable[[], T]) -> T:
        """The value of ``run``, which is kept before the job goes on: a later attempt gets it without a run.

        The value is what JSON makes of it, at the first attempt as at a later one: a tuple is a list.

        :raises InvalidValue: for a value that is not plain JSON
        """
        stored = self._ask("step", name)
        if stored is not None:
            value: T = stored.value
            return value
        after = self._story.ended
        self._story.begin(name)
        try:
            value = _plain(run(), f"step {name}")
        finally:
            self._story.end()
        # the function swallowed the end of the run: what it gives then is not kept
        if self.ending is not None:
            raise self.ending
        kept: T = self._report("step", name=name, after=after, value=value).get("value", value)
        return kept

    def effect(self, name: str, request: Any, run: Callable[[EffectCall], T], *, kind: Kind = "neither") -> T:
        """Does something outside, once: the intent is stored before, the outcome after.

        ``run`` gets a call with ``request`` and ``key``, which is the same at every try. Where an earlier attempt ended
        between the two, an ``idempotent`` effect runs again with its key; another one fails the job with
        ``outcome_unknown``. Raise EffectRefused in it where the other system has certainly done nothing.

        :param request: the same at every attempt, as JSON
        :raises InvalidValue: for an outcome that is not plain JSON; it stays unknown
        """
        self._guarded(lambda: self._story.claim(name))
        self._story.begin(name)
        try:
            outcome: T = run_effect(self._report, self.end, name, request, run, kind)
            return outcome
        finally:
            self._story.end_effect()

    def sleep(self, name: str, until: Duration | datetime) -> None:
        """Suspends the job for a time or until a time; meanwhile it holds no worker. Seconds, ``"2h"``, a datetime."""
        text = self._time(lambda: instant(until if isinstance(until, datetime) else _after(until, name), f"sleep {name}"))
        if self._ask("sleep", name) is None:
            self._suspend({"kind": "sleep", "name": name, "until": text})

    def wait_for(self, name: str, *, timeout: Duration | None = None) -> Any:
        """The payload of the signal of this name; suspends the job until it has come.

        :raises WaitTimedOut: after the timeout
        """
        bound = {} if timeout is None else {"timeout_ms": self._length(timeout, f"timeout of {name}")}
        stored = self._ask("signal", name)
        if stored is None:
            self._suspend({"kind": "signal", "name": name, **bound})
        if stored.value.get("timed_out"):
            raise WaitTimedOut(name)
        return stored.value.get("payload")

    def submit(
        self,
        queue: str | Job[Any, Any],
        payload: Any,
        *,
        name: str,
        version: int | None = None,
        delay: Duration | None = None,
        priority: int | None = None,
        metadata: Mapping[str, Any] | None = None,
        unique: Mapping[str, str] | None = None,
    ) -> Child:
        """Submits a child, once, by a name that is unique in the job. :meth:`result` waits for it."""
        target, own = queue_of(queue)
        stored = self._ask("child", name)
        if stored is not None:
            return Child(name, stored.value["job"])
        optional = {
            "version": own if version is None else version,
            "delay_ms": None if delay is None else self._length(delay, f"delay of {name}"),
            "priority": priority,
            "metadata": metadata,
            "unique": unique,
        }
        given = {key: value for key, value in optional.items() if value is not None}
        reply = self._report("submit", name=name, after=self._story.ended, queue=target, payload=payload, **given)
        self._story.end()
        return Child(name, reply["child"])

    def result(self, child: Child) -> Any:
        """The result of a child; suspends the job until it is there.

        :raises ChildFailed: where the child failed or was cancelled
        """
        # a name of its own: that of the child is taken by its submission
        name = f"{child.name}.result"
        self._guarded(lambda: self._story.assert_outside(name))
        if child.id not in self._results:
            stored = self._ask("result", name)
            if stored is None:
                self._suspend({"kind": "result", "name": name, "child": child.id})
            self._results[child.id] = stored.value
        ended = self._results[child.id]
        if ended["state"] != "succeeded":
            raise ChildFailed(child.name, child.id, ended["state"], ended.get("error"))
        return ended["result"]

    def progress(self, data: Any, *, key: str = "progress") -> None:
        """Shows how far the job is to those who follow it; the newest of a key counts, none is stored."""
        self.raise_if_cancelled()
        self._tell("progress", data=data, key=key)

    def finish(self) -> None:
        """Checks a run whose function has returned; for the worker.

        :raises Ending: the one that the function has swallowed, or ``steps_diverged``
        """
        if self.ending is not None:
            raise self.ending
        self._story.finish()

    def end(self, ending: Ending) -> NoReturn:
        """Ends the run; every later call of a method ends it again, where the function has swallowed this."""
        self.ending = self.ending or ending
        raise self.ending

    def settle(self, type: str, **fields: Any) -> Reply:
        """Reports the end of the run and gives the answer as it is; for the worker."""
        return self._reports.ask(self._envelope(type, fields), self._on_stale)

    def _ask(self, kind: str, name: str) -> StoredStep | None:
        """The stored step; None where it has to be done now."""
        stored = self._guarded(lambda: self._story.ask(kind, name))
        if stored is not None:
            self._story.end()
        return stored

    def _guarded(self, look: Callable[[], T]) -> T:
        if self.ending is not None:
            raise self.ending
        self.raise_if_cancelled()
        try:
            return look()
        except Refused as refused:
            self.end(refused)

    def _length(self, duration: Duration, what: str) -> int:
        return self._time(lambda: milliseconds(duration, what))

    def _time(self, read: Callable[[], T]) -> T:
        """A time that the job has given; ends the run for good where it is none, which no other attempt mends."""
        try:
            return read()
        except (TypeError, ValueError, OverflowError) as error:
            self.end(Refused("invalid_time", str(error)))

    def _suspend(self, on: Mapping[str, Any]) -> NoReturn:
        self.end(Suspended(on, self._story.ended))

    def _report(self, type: str, **fields: Any) -> Reply:
        report = self._envelope(type, fields)
        try:
            reply = self._reports.ask(report, self._on_stale)
        except TypeError as error:
            raise InvalidValue(error) from error
        if reply["status"] == "stale":
            self.end(Cancelled(self._stop.reason))
        if reply["status"] == "refused":
            details = {"path": reply["path"]} if "path" in reply else None
            self.end(Refused(reply["code"], reply["message"], details))
        return reply

    def _tell(self, type: str, **fields: Any) -> None:
        try:
            self._reports.tell(self._envelope(type, fields), self._on_stale)
        except TypeError as error:
            raise InvalidValue(error) from error

    def _envelope(self, type: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        return {"type": type, "job": self.id, "attempt": self.attempt, "token": self._token, **fields}

    def _on_stale(self) -> None:
        self._stop.set("lost")


def _plain(value: Any, what: str) -> Any:
    try:
        return plain(value, what)
    except TypeError as error:
        raise InvalidValue(error) from error


def _after(duration: Duration, name: str) -> datetime:
    return datetime.now(UTC) + timedelta(milliseconds=milliseconds(duration, f"sleep {name}"))
