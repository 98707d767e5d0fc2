"""Queues, jobs and what becomes of them, in memory."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

TERMINAL = ("succeeded", "failed", "cancelled")


class Refusal(Exception):
    """A problem that the API answers with."""

    def __init__(self, status: int, code: str, detail: str, **details: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.problem = {"type": f"urn:proofline:error:{code}", "title": code, "status": status, "code": code}
        self.problem |= {"detail": detail, "request_id": "r-1", **({"details": details} if details else {})}


def now() -> str:
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")


@dataclass
class Job:
    """A job with everything that is known of it. ``waits_on`` is what it was suspended on."""

    id: str
    queue: str
    version: int
    body: Mapping[str, Any]
    state: str = "queued"
    attempt: int = 0
    failures: int = 0
    result: Any = None
    error: Any = None
    token: str = ""
    worker: str = ""
    settled: tuple[str, dict[str, Any]] | None = None
    waits_on: Mapping[str, Any] | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    effects: dict[str, dict[str, Any]] = field(default_factory=dict)
    children: dict[str, str] = field(default_factory=dict)
    signals: dict[str, Any] = field(default_factory=dict)
    signal_keys: set[str] = field(default_factory=set)
    logs: list[dict[str, Any]] = field(default_factory=list)
    progress: list[Any] = field(default_factory=list)

    def view(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "queue": self.queue,
            "state": self.state,
            "attempt": self.attempt,
            "failures": self.failures,
            "payload": self.body["payload"],
            "result": self.result,
            "error": self.error,
        }


class World:
    """State of the API. Every change is made, and waited for, under ``changed``."""

    def __init__(self) -> None:
        self.changed = threading.Condition(threading.RLock())
        self.queues: dict[str, dict[int, Any]] = {}
        self.jobs: dict[str, Job] = {}
        self.keys: dict[tuple[str, str], str] = {}

    def until(self, look: Callable[[], Any], what: str) -> Any:
        """Waits until something is there, and gives it."""
        with self.changed:
            if not self.changed.wait_for(look, 30):
                raise AssertionError(f"{what} never came")
            return look()

    def job(self, id: str) -> Job:
        with self.changed:
            if id not in self.jobs:
                raise Refusal(404, "not_found", f"expected a job, got {id}.")
            return self.jobs[id]

    def register(self, name: str, version: int, contract: Any) -> dict[str, Any]:
        with self.changed:
            known = self.queues.setdefault(name, {})
            if version in known and known[version]["payload"] != contract["payload"]:
                raise Refusal(
                    409,
                    "incompatible_contract",
                    f"Register it as version {version + 1}.",
                    path="/payload",
                    next=version + 1,
                )
            known[version] = contract
            return {"name": name, "version": version, "contract": contract, "digest": "d"}

    def submit(self, queue: str, body: Mapping[str, Any], key: str | None) -> tuple[Job, bool]:
        """The job of a key, or a new one; and whether it is new."""
        with self.changed:
            if queue not in self.queues:
                raise Refusal(404, "not_found", f"expected a queue that is registered, got {queue}.")
            if key is not None and (queue, key) in self.keys:
                return self.jobs[self.keys[queue, key]], False
            job = Job(str(uuid.uuid4()), queue, body.get("version", max(self.queues[queue])), body)
            self.jobs[job.id] = job
            if key is not None:
                self.keys[queue, key] = job.id
            self.add_event(job, "queued")
            return job, True

    def add_event(self, job: Job, type: str, data: Any = None) -> None:
        with self.changed:
            job.events.append({"id": f"e.{len(job.events) + 1}", "type": type, "at": now(), "data": data})
            self.changed.notify_all()

    def end(self, job: Job, state: str, result: Any = None, error: Any = None) -> None:
        with self.changed:
            job.state, job.result, job.error = state, result, error
            self.add_event(job, state, error)
            for one in self.jobs.values():
                if one.waits_on and one.waits_on.get("child") == job.id:
                    self.resume(one, self.ended(job))

    def ended(self, job: Job) -> dict[str, Any]:
        return {"state": job.state, "result": job.result, "error": job.error}

    def resume(self, job: Job, value: Any) -> None:
        """Ends a wait: the job has one more step, and is queued again."""
        with self.changed:
            on = job.waits_on
            assert on is not None, f"{job.id} waits for nothing"
            self.add_step(job, on["name"], on["kind"], on["after"], value)
            job.waits_on = None
            job.state = "queued"
            self.add_event(job, "queued")

    def add_step(self, job: Job, name: str, kind: str, after: int, value: Any) -> dict[str, Any]:
        found = next((one for one in job.steps if one["name"] == name), None)
        if found is None:
            found = {"name": name, "n": len(job.steps) + 1, "kind": kind, "after": after, "value": value}
            job.steps.append(found)
        return found

    def signal(self, job: Job, name: str, payload: Any, key: str) -> bool:
        with self.changed:
            if key in job.signal_keys:
                return False
            job.signal_keys.add(key)
            job.signals[name] = payload
            if job.waits_on and (job.waits_on["kind"], job.waits_on["name"]) == ("signal", name):
                self.resume(job, {"payload": payload})
            return True

    def cancel(self, job: Job) -> None:
        with self.changed:
            if job.state in TERMINAL:
                raise Refusal(409, "state_conflict", f"The job has ended: {job.state}.")
            self.end(job, "cancelled", error={"code": "cancelled", "message": "It was cancelled."})

    def release(self, job: Job, *, lost: bool = False) -> None:
        """Takes a job from its worker: given back, or given up for lost."""
        with self.changed:
            job.state, job.worker = "queued", ""
            self.add_event(job, "retrying" if lost else "released")

    def handed(self, job: Job) -> dict[str, Any]:
        deadline = datetime.now(UTC) + timedelta(minutes=1)
        return {
            "id": job.id,
            "queue": job.queue,
            "version": job.version,
            "attempt": job.attempt,
            "token": job.token,
            "payload": job.body["payload"],
            "created_at": now(),
            "deadline": deadline.isoformat().replace("+00:00", "Z"),
            "failures": job.failures,
            "steps": list(job.steps),
            "trace": None,
        }
