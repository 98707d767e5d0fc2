"""A worker: registers, takes jobs, runs them, and drains."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..client import Client
from ..contract import Job
from ..jsontext import encode
from ..transport import VERSION
from .attempt import run_attempt
from .hands import Hands
from .lease import Lease, LeaseLost, Registrar
from .stop import DRAIN

log = logging.getLogger("proofline")

Jobs = Mapping[tuple[str, int], Job[Any, Any]]


@dataclass(frozen=True)
class _End:
    """The end of a worker: ``is_near`` from the first signal on, ``is_here`` once jobs are waited for no more."""

    is_near: Callable[[], bool]
    is_here: Callable[[], bool]


def serve(
    jobs: Sequence[Job[Any, Any]],
    *,
    capacity: int = 4,
    client: Client | None = None,
    name: str | None = None,
    drain: float = 25.0,
    register_queues: bool = True,
    stop: threading.Event | None = None,
) -> None:
    """Runs jobs until SIGTERM or SIGINT, or until ``stop`` is set; then takes no more and waits for those in hand.

    Registers the contracts, then itself, and goes on under a new registration where the API lost the old one.
    Signals are only heeded in the main thread. A second one ends the waiting at once.

    :param capacity: jobs at once, each in a thread; 1 to 1000
    :param name: seen in lists of workers; host and process by default
    :param drain: seconds that jobs in hand have to end; those that do not go back, and lose no attempt
    :param register_queues: False where the key may not, or others have done it
    :raises ProoflineError: where the API refuses a contract or the worker, or did not answer from the start
    :raises ValueError: for no job, or two of one version
    """
    known = _by_version(jobs)
    if not 1 <= capacity <= 1_000:
        raise ValueError(f"capacity: expected 1 to 1000, got {capacity}.")
    with _signals() as seen, nullcontext(client) if client else Client() as own:
        end = _end(lambda: len(seen) > 0 or (stop is not None and stop.is_set()), lambda: len(seen) > 1, drain)
        if register_queues:
            for job in jobs:
                own.register(job)
        body = encode({"queues": _queues(known), "capacity": capacity, **_introduction(name)}, "worker")
        hands = Hands(capacity)
        registrar = Registrar(own.transport, body, end.is_near)
        lease: Lease | None = registrar.first()
        while lease:
            log.info("worker %s takes %s", lease.worker, ", ".join(f"{queue}@{version}" for queue, version in known))
            try:
                _hold(lease, known, hands, end)
                lease.leave()
                break
            except LeaseLost as lost:
                log.warning("the lease of %s is lost: %s", lease.worker, lost)
            finally:
                hands.stop_all("lost")
                lease.reports.close()
            lease = registrar.again()


def _hold(lease: Lease, jobs: Jobs, hands: Hands, end: _End) -> None:
    """Takes jobs under one lease until the worker is to end, and then waits for those in hand.

    :raises LeaseLost: when others have the jobs
    """
    while not end.is_near():
        if lease.reports.is_closed:
            raise LeaseLost("its reports are not taken any more")
        if hands.free == 0:
            # no poll without a hand free is left open: it would not see the next one that becomes free
            hands.wait(lambda: hands.free > 0, lease.beat / 2)
        credits = hands.free
        for handed in lease.poll(hands, credits, lease.longest_wait if credits else 0.0):
            _begin(lease, jobs, hands, handed)
    while not hands.is_empty and not end.is_here():
        lease.poll(hands, 0, 0.0)
        hands.wait(lambda: hands.is_empty, lease.beat / 2)
    hands.stop_all(DRAIN)
    # those that heed their flag say that they are released, or have ended after all
    hands.wait(lambda: hands.is_empty, lease.beat)


def _begin(lease: Lease, jobs: Jobs, hands: Hands, handed: Mapping[str, Any]) -> None:
    job = jobs.get((handed["queue"], handed["version"]))
    if job is None:
        log.error("got a job of %s@%s, which this worker does not take", handed["queue"], handed["version"])
        given_back = {"job": handed["id"], "attempt": handed["attempt"], "token": handed["token"], "type": "released"}
        lease.reports.tell(given_back, lambda: None)
        return
    hands.take(handed["id"], handed["attempt"], partial(run_attempt, job, handed, lease.reports))


def _by_version(jobs: Sequence[Job[Any, Any]]) -> Jobs:
    taken = [(job.name, version, job) for job in jobs for version in job.versions]
    known = {(name, version): job for name, version, job in taken}
    if not jobs or len(known) < len(taken):
        got = ", ".join(f"{name}@{version}" for name, version, _ in taken) or "none"
        raise ValueError(f"jobs: expected at least one, each of another queue or version, got {got}.")
    return known


def _queues(jobs: Jobs) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for name, _ in jobs)
    return [{"name": name, "versions": sorted(version for one, version in jobs if one == name)} for name in names]


def _introduction(name: str | None) -> dict[str, str]:
    return {"name": (name or f"{socket.gethostname()}-{os.getpid()}")[:100], "sdk": f"python/{VERSION}"}


def _end(is_asked: Callable[[], bool], is_forced: Callable[[], bool], drain: float) -> _End:
    since: list[float] = []

    def is_near() -> bool:
        if is_asked() and not since:
            since.append(time.monotonic())
        return bool(since)

    def is_here() -> bool:
        return is_forced() or (is_near() and time.monotonic() - since[0] >= drain)

    return _End(is_near, is_here)


@contextmanager
def _signals() -> Generator[list[int], None, None]:
    """The signals that have come; a handler takes no lock, since the main thread may hold it."""
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before = {one: signal.signal(one, lambda number, _: seen.append(number)) for one in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield seen
    finally:
        for one, handler in before.items():
            signal.signal(one, handler or signal.SIG_DFL)
