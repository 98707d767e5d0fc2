"""Workers of the world: registered, polling, reporting."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .world import TERMINAL, Job, Refusal, World

Reply = dict[str, Any]
ATTEMPTS = 3


@dataclass
class Worker:
    """A registration: what it said, and the queues and versions that it takes."""

    body: Mapping[str, Any]
    takes: set[tuple[str, int]]


class Fleet:
    """The workers. ``leases`` are what a registration is answered with, in milliseconds."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.workers: dict[str, Worker] = {}
        self.registered: list[str] = []
        self.left: list[str] = []
        self.leases = {"lease_ms": 5_000, "beat_ms": 100, "wait_ms": 20_000}
        self.polls: list[Mapping[str, Any]] = []
        self.reports: list[list[Mapping[str, Any]]] = []

    def register(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with self.world.changed:
            id = str(uuid.uuid4())
            takes = {(one["name"], version) for one in body["queues"] for version in one["versions"]}
            self.workers[id] = Worker(body, takes)
            self.registered.append(id)
            self.world.changed.notify_all()
            return {"worker": id, **self.leases, "queues": body["queues"]}

    def lose(self, id: str) -> None:
        """Forgets a worker whose lease has ended, and gives its jobs to others."""
        with self.world.changed:
            del self.workers[id]
            self._give_back(id, lost=True)
            self.world.changed.notify_all()

    def leave(self, id: str) -> None:
        with self.world.changed:
            self._known(id)
            del self.workers[id]
            self.left.append(id)
            self._give_back(id, lost=False)
            self.world.changed.notify_all()

    def poll(self, id: str, body: Mapping[str, Any]) -> dict[str, Any]:
        world = self.world
        end = time.monotonic() + body.get("wait_ms", 0) / 1_000
        with world.changed:
            worker = self._known(id)
            self.polls.append(body)
            while True:
                self._known(id)
                jobs = self._hand_out(id, worker, body["credits"])
                stop = [one for one in map(self._stopped(id), body["jobs"]) if one]
                left = end - time.monotonic()
                if jobs or stop or left <= 0:
                    world.changed.notify_all()
                    return {"jobs": jobs, "stop": stop}
                world.changed.wait(left)

    def report(self, id: str, reports: list[Mapping[str, Any]]) -> dict[str, Any]:
        with self.world.changed:
            self._known(id)
            self.reports.append(reports)
            answers = [self._answer(id, one) for one in reports]
            self.world.changed.notify_all()
            return {"answers": answers}

    def _known(self, id: str) -> Worker:
        if id not in self.workers:
            raise Refusal(404, "not_found", "expected a worker with a lease, got one without.")
        return self.workers[id]

    def _give_back(self, id: str, lost: bool) -> None:
        for job in self.world.jobs.values():
            if job.worker == id and job.state == "running":
                self.world.release(job, lost=lost)

    def _hand_out(self, id: str, worker: Worker, credits: int) -> list[dict[str, Any]]:
        due = [
            job
            for job in self.world.jobs.values()
            if job.state == "queued" and (job.queue, job.version) in worker.takes
        ]
        for job in due[:credits]:
            job.state, job.worker, job.token, job.settled = "running", id, str(uuid.uuid4()), None
            job.attempt += 1
            self.world.add_event(job, "started")
        return [self.world.handed(job) for job in due[:credits]]

    def _stopped(self, id: str) -> Callable[[Mapping[str, Any]], dict[str, Any] | None]:
        def look(held: Mapping[str, Any]) -> dict[str, Any] | None:
            job = self.world.jobs[held["id"]]
            if (job.worker, job.attempt, job.state) == (id, held["attempt"], "running"):
                return None
            if job.settled is not None and job.state != "cancelled":
                return None
            return {**held, "reason": "cancelled" if job.state == "cancelled" else "lost"}

        return look

    def _answer(self, id: str, report: Mapping[str, Any]) -> Reply:
        job = self.world.jobs[report["job"]]
        if job.settled is not None and job.settled[0] == report["token"]:
            return job.settled[1]
        if (job.worker, job.attempt, job.token, job.state) != (id, report["attempt"], report["token"], "running"):
            if report["type"] == "effect_done" and report["attempt"] <= job.attempt:
                _handlers["effect_done"](self.world, job, report)
            return {"status": "stale", "message": "The job is not yours any more."}
        try:
            reply = {"status": "accepted", **_handlers[report["type"]](self.world, job, report)}
        except Refusal as refusal:
            return {"status": "refused", "code": refusal.problem["code"], "message": str(refusal)}
        if report["type"] in _final:
            job.settled = (report["token"], reply)
        return reply


def _progress(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    job.progress.append(report["data"])
    return {}


def _log(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    job.logs.append({key: report[key] for key in ("level", "message", "data") if key in report})
    return {}


def _step(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    if len(str(report["value"])) > 1_000_000:
        raise Refusal(422, "step_too_large", "expected a step of at most 1 MiB, got a larger one.")
    return {"value": world.add_step(job, report["name"], "step", report["after"], report["value"])["value"]}


def _intended(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    effect = job.effects.get(report["name"])
    key = f"{job.id}.{report['name']}"
    if effect is None:
        job.effects[report["name"]] = {"state": "intended", "request": report["request"]}
        return {"effect": {"state": "fresh", "key": key}}
    if effect["request"] != report["request"]:
        raise Refusal(409, "state_conflict", f"The effect {report['name']} was meant with another request.")
    states = {"intended": "again", "failed": "again", "done": "done", "unknown": "unknown"}
    return {"effect": {**effect, "state": states[effect["state"]], "key": key}}


def _ended_effect(state: str) -> Callable[[World, Job, Mapping[str, Any]], Reply]:
    def end(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
        first = job.effects[report["name"]]
        if first["state"] == "done" and first["outcome"] != report.get("outcome"):
            key = f"{job.id}.{report['name']}"
            return {"effect": {"state": "done", "key": key, "outcome": first["outcome"]}}
        known = {key: report[key] for key in ("outcome", "external_id", "cost_usd") if key in report}
        job.effects[report["name"]] |= {"state": state, **known}
        if state == "failed":
            del job.effects[report["name"]]
        return {}

    return end


def _submit(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    if report["name"] not in job.children:
        child, _ = world.submit(report["queue"], report, None)
        job.children[report["name"]] = child.id
        world.add_step(job, report["name"], "child", report["after"], {"job": child.id})
    return {"child": job.children[report["name"]]}


def _suspended(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    on = {**report["on"], "after": report["after"]}
    job.state, job.waits_on = "waiting", on
    world.add_event(job, "waiting", on)
    if on["kind"] == "sleep":
        # nights pass at once here
        world.resume(job, None)
    elif on["kind"] == "signal" and on["name"] in job.signals:
        world.resume(job, {"payload": job.signals[on["name"]]})
    elif on["kind"] == "result" and world.jobs[on["child"]].state in TERMINAL:
        world.resume(job, world.ended(world.jobs[on["child"]]))
    return {}


def _succeeded(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    if report["result"] == "misfit":
        raise Refusal(422, "invalid_result", "expected a result of the contract, got another.")
    world.end(job, "succeeded", report["result"])
    return {}


def _failed(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    job.failures += 1
    if report["retryable"] and job.failures < ATTEMPTS:
        job.state, job.error = "queued", report["error"]
        world.add_event(job, "retrying", report["error"])
    else:
        world.end(job, "failed", error={"code": "job_failed", **report["error"]})
    return {}


def _released(world: World, job: Job, report: Mapping[str, Any]) -> Reply:
    world.release(job)
    return {}


_final = {"suspended", "succeeded", "failed", "released"}
_handlers: Mapping[str, Callable[[World, Job, Mapping[str, Any]], Reply]] = {
    "progress": _progress,
    "log": _log,
    "step": _step,
    "effect_intended": _intended,
    "effect_done": _ended_effect("done"),
    "effect_failed": _ended_effect("failed"),
    "effect_unknown": _ended_effect("unknown"),
    "submit": _submit,
    "suspended": _suspended,
    "succeeded": _succeeded,
    "failed": _failed,
    "released": _released,
}
