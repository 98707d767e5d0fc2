"""The API for programs that submit jobs."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any
from urllib.parse import quote

from .contract import Job
from .flows import FlowHandle, FlowNode, node_body
from .handle import JobHandle
from .jsontext import encode
from .submission import MOST, BulkAnswer, JobRequest, job_body, submit_many
from .times import Duration
from .transport import Transport


class Client:
    """One API and one key of it. Safe to use from several threads; closed by ``close()`` or a ``with`` block.

    Requests that meet a lost connection, 429 or 503 are sent again, at most ``retries`` times, with pauses that grow
    and never before the time that the API names. Nothing is done twice by that.

    :param url: address of the API; the variable PROOFLINE_URL by default
    :param key: the variable PROOFLINE_KEY by default
    :param timeout: seconds that one answer may take
    :raises ValueError: where the address or the key is missing, or is none
    """

    def __init__(
        self, url: str | None = None, key: str | None = None, *, timeout: float = 30.0, retries: int = 5
    ) -> None:
        self.transport = Transport(
            _setting(url, "PROOFLINE_URL", "the address of a Proofline API"),
            _setting(key, "PROOFLINE_KEY", "a key of that API"),
            timeout=timeout,
            retries=retries,
        )

    def submit(
        self,
        queue: str | Job[Any, Any],
        payload: Any,
        *,
        idempotency_key: str | None = None,
        run_at: datetime | str | None = None,
        delay: Duration | None = None,
        expires_at: datetime | str | None = None,
        priority: int | None = None,
        group: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        approval: bool | Mapping[str, Any] | None = None,
        budget: Mapping[str, float] | None = None,
        receipt: bool | None = None,
        unique: Mapping[str, str] | None = None,
        depends_on: Sequence[str] | None = None,
        on_failure: str | None = None,
        webhook: Mapping[str, str] | None = None,
        version: int | None = None,
    ) -> JobHandle:
        """Submits a job. When this returns, the job is stored.

        The same owner and ``idempotency_key`` give the same job again; without one the request gets a key of its own.

        :param queue: its name, or a job of this program, whose version is then meant
        :param payload: any JSON; dataclasses too
        :param approval: a person has to allow it before it runs: ``{"why": …}``, or True
        :param budget: dollars that are reserved before it runs: ``{"job_usd": …}``
        :param receipt: whether its end is sealed and anchored; as its contract has it without
        :param webhook: receiver of its end: ``{"url": …}``, or ``{"endpoint": …}``, one of your endpoints
        :param unique: makes it the only one of its key: ``{"key": …, "while": "unfinished", "conflict": "return"}``
        :param depends_on: ids of jobs that have to end before it begins
        :param on_failure: where one of those does not succeed: ``fail`` it, the default, or ``continue``
        :raises ProoflineError: ``invalid_payload``, ``idempotency_conflict``, ``not_found`` and others
        :raises TypeError: for a payload that JSON cannot hold
        :raises ValueError: for a time that is none
        """
        name, body = job_body(
            {
                "queue": queue,
                "payload": payload,
                "run_at": run_at,
                "delay": delay,
                "expires_at": expires_at,
                "priority": priority,
                "group": group,
                "metadata": metadata,
                "approval": approval,
                "budget": budget,
                "receipt": receipt,
                "unique": unique,
                "depends_on": depends_on,
                "on_failure": on_failure,
                "webhook": webhook,
                "version": version,
            }
        )
        path = f"/v1/queues/{quote(name, safe='')}/jobs"
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4()), "prefer": "respond-async"}
        answer = self.transport.exchange("POST", path, encode(body, "job"), headers=headers)
        # the answer of a job that has ended is its result or its failure: submitted it is all the same
        id = answer.headers.get("x-job-id") or (answer.json()["id"] if answer.status == 202 else None)
        if id is None:
            raise self.transport.refusal(answer, "POST", path)
        return self.handle(id)

    def bulk(self, jobs: Iterable[JobRequest], *, atomic: bool = False, slice_size: int = MOST) -> Iterator[BulkAnswer]:
        """Submits many jobs of any queues; gives an answer a job, in their order.

        Jobs are read, sent and answered in slices, so an endless iterable is fine; nothing is sent before the first
        answer is asked for.

        :param atomic: all or nothing, of at most one slice
        :param slice_size: jobs of one request, at most 10,000
        :raises ProoflineError: where a whole slice is refused
        :raises TypeError: for a job that cannot be read
        """
        return submit_many(self.transport, jobs, atomic, slice_size)

    def submit_flow(
        self,
        nodes: Iterable[FlowNode],
        *,
        name: str | None = None,
        result: Any = None,
        metadata: Mapping[str, Any] | None = None,
        webhook: Mapping[str, str] | None = None,
        idempotency_key: str | None = None,
    ) -> FlowHandle:
        """Submits jobs that follow each other: all of them, or nothing.

        The same owner and ``idempotency_key`` give the same flow again; without one the request gets a key of its own.

        :param name: your own name for it
        :param result: its result, with references to nodes; without it those of the nodes that no other depends on
        :param webhook: receiver that is told of its end
        :raises ProoflineError: ``invalid_request`` with the place of what is wrong, ``not_found`` and others
        :raises TypeError: for a node that cannot be read, or that JSON cannot hold
        """
        given = {"name": name, "result": result, "metadata": metadata, "webhook": webhook}
        body: dict[str, Any] = {"nodes": [node_body(node) for node in nodes]}
        body |= {key: value for key, value in given.items() if value is not None}
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        answer = self.transport.call("POST", "/v1/flows", encode(body, "flow"), headers=headers)
        return self.flow_handle(answer.json()["id"])

    def register(self, job: Job[Any, Any]) -> dict[str, Any]:
        """Registers the contract of a job, or changes it in a way that every payload it took still fits.

        :returns: the version as the API shows it
        :raises ProoflineError: ``incompatible_contract`` with ``details["next"]``, the version to register it as;
            ``invalid_contract`` with ``details["path"]``; ``forbidden``
        """
        body = encode({"version": job.version, "contract": job.contract}, f"contract of {job.name}")
        answer: dict[str, Any] = self.transport.call("PUT", f"/v1/queues/{quote(job.name, safe='')}", body).json()
        return answer

    def handle(self, id: str) -> JobHandle:
        """A job that was submitted before, by its id."""
        return JobHandle(self.transport, id)

    def flow_handle(self, id: str) -> FlowHandle:
        """A flow that was submitted before, by its id."""
        return FlowHandle(self.transport, id)

    def close(self) -> None:
        """Closes the connections that no request uses."""
        self.transport.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _setting(value: str | None, variable: str, meaning: str) -> str:
    # an empty variable counts as not set
    found = value or os.environ.get(variable)
    if not found:
        raise ValueError(f"{variable}: expected {meaning}, got nothing; set it, or give it to Client.")
    return found
