"""Bodies of jobs that are submitted: one by one, and many at once."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NotRequired, Required, TypedDict

from .contract import Job, queue_of
from .errors import ProoflineError, mapping
from .jsontext import encode
from .times import Duration, instant, milliseconds
from .transport import Transport

MOST = 10_000
"""Jobs of one bulk request."""


_AS_GIVEN = (
    "priority",
    "group",
    "metadata",
    "approval",
    "budget",
    "receipt",
    "unique",
    "depends_on",
    "on_failure",
    "webhook",
)


class JobRequest(TypedDict):
    """One job of :meth:`Client.bulk`, as the arguments of :meth:`Client.submit`."""

    queue: Required[str | Job[Any, Any]]
    payload: Required[Any]
    idempotency_key: NotRequired[str]
    run_at: NotRequired[datetime | str]
    delay: NotRequired[Duration]
    expires_at: NotRequired[datetime | str]
    priority: NotRequired[int]
    group: NotRequired[str]
    metadata: NotRequired[Mapping[str, Any]]
    approval: NotRequired[bool | Mapping[str, Any]]
    budget: NotRequired[Mapping[str, float]]
    receipt: NotRequired[bool]
    unique: NotRequired[Mapping[str, str]]
    depends_on: NotRequired[Sequence[str]]
    on_failure: NotRequired[str]
    webhook: NotRequired[Mapping[str, str]]
    version: NotRequired[int]


@dataclass(frozen=True)
class BulkAnswer:
    """The fate of one job of a bulk. ``index`` counts all of them from 0; either ``id`` or ``error`` is there.

    ``created`` is False where the key had a job already, also one of a try whose answer was lost.
    """

    index: int
    id: str | None
    created: bool
    error: ProoflineError | None


def job_body(request: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The queue of a job and what the API takes of it, without its idempotency key.

    :raises TypeError: for a name that is not known
    :raises ValueError: for a time that is none
    """
    unknown = sorted(request.keys() - JobRequest.__annotations__.keys())
    if unknown or "queue" not in request or "payload" not in request:
        names = ", ".join(JobRequest.__annotations__)
        got = ", ".join(unknown) or "no queue or no payload"
        raise TypeError(f"job: expected queue, payload and, of {names}, others; got {got}.")
    queue, own = queue_of(request["queue"])
    given = {name: value for name, value in request.items() if value is not None}
    body: dict[str, Any] = {"payload": request["payload"]}
    if given.get("version", own) is not None:
        body["version"] = given.get("version", own)
    if "delay" in given:
        body["delay_ms"] = milliseconds(given["delay"], "delay")
    for name in ("run_at", "expires_at"):
        if name in given:
            body[name] = instant(given[name], name)
    body |= {name: given[name] for name in _AS_GIVEN if name in given}
    return queue, body


def submit_many(transport: Transport, jobs: Iterable[JobRequest], atomic: bool, size: int) -> Iterator[BulkAnswer]:
    """Submits jobs in slices, each sent when the answers of the one before have been taken.

    :raises ValueError: for a size out of bounds, or more than one slice where all or nothing is asked for
    """
    if not 1 <= size <= MOST:
        raise ValueError(f"slice_size: expected 1 to {MOST}, got {size}.")
    rest = iter(jobs)
    begin = 0
    lines = [_line(one) for one in islice(rest, size)]
    following = [_line(one) for one in islice(rest, 1)]
    if atomic and following:
        raise ValueError(f"jobs: expected at most {size} where all or nothing is asked for, got more.")
    while lines:
        yield from _send(transport, lines, begin, atomic)
        begin += len(lines)
        lines = [*following, *(_line(one) for one in islice(rest, size - len(following)))]
        following = []


def _line(request: JobRequest) -> bytes:
    queue, body = job_body(request)
    # a key of our own where the caller has none: a slice that is sent again makes no job twice
    key = request.get("idempotency_key") or str(uuid.uuid4())
    return encode({"queue": queue, "idempotency_key": key, **body}, "job")


def _send(transport: Transport, lines: list[bytes], begin: int, atomic: bool) -> Iterator[BulkAnswer]:
    path = f"/v1/jobs/bulk{'?atomic=true' if atomic else ''}"
    headers = {"accept": "application/x-ndjson"}
    answer = transport.call("POST", path, b"\n".join(lines), headers=headers, content_type="application/x-ndjson")
    answers = [json.loads(line) for line in answer.body.splitlines() if line.strip()]
    if len(answers) != len(lines):
        raise ProoflineError("unexpected_answer", f"expected {len(lines)} answers, got {len(answers)}.", retryable=True)
    for one in answers:
        yield _answer(one, begin)


def _answer(line: Mapping[str, Any], begin: int) -> BulkAnswer:
    index = begin + int(line["index"])
    error = line.get("error")
    if error is None:
        return BulkAnswer(index, line["id"], bool(line["created"]), None)
    refusal = ProoflineError(error["code"], error["message"], details=mapping(error.get("details")))
    return BulkAnswer(index, None, False, refusal)
