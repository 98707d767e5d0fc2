"""One attempt of a job: its function is run, and its end reported."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Mapping
from typing import Any

from ..contract import Job
from ..errors import ProoflineError
from ..jsontext import described, encode, sendable
from .context import Context
from .endings import Refused, Suspended
from .reports import Reply, Reports
from .stop import DRAIN, Stop

log = logging.getLogger("proofline")

EndReport = Mapping[str, Any]

_TRACE = 16_000
"""Last characters of a stack that are sent as a log line."""


def run_attempt(job: Job[Any, Any], handed: Mapping[str, Any], reports: Reports, stop: Stop) -> None:
    """Runs an attempt that was handed out, and reports how it ended; nothing where it is not this worker's any more."""
    envelope = {"job": handed["id"], "attempt": handed["attempt"], "token": handed["token"]}

    def send(report: EndReport) -> Reply:
        return reports.ask({**envelope, **report}, lambda: stop.set("lost"))

    report = _end_of(job, handed, reports, stop)
    if report is None:
        return
    reply = send(report)
    if reply["status"] == "refused" and report["type"] != "failed":
        log.warning("%s of %s %s was refused: %s", report["type"], job.name, handed["id"], reply["message"])
        details = {"path": reply["path"]} if "path" in reply else None
        reply = send(_failed(reply["code"], reply["message"], details, retryable=False))
    if reply["status"] != "accepted":
        log.info("the end of %s %s is %s: %s", job.name, handed["id"], reply["status"], reply["message"])


def _end_of(job: Job[Any, Any], handed: Mapping[str, Any], reports: Reports, stop: Stop) -> EndReport | None:
    try:
        context: Context[Any] = Context(job, handed, reports, stop)
    # an upcast is code of the job, which may throw whatever it likes
    except Exception as error:
        return _failed("invalid_payload", _misfit(job, handed["version"], error), None, retryable=False)
    try:
        result = job.run(context)
        context.finish()
    # whatever a job throws ends its attempt, and no other one
    except BaseException as error:
        return _unfinished(context, error, stop)
    try:
        encode(result, "result")
    except TypeError as error:
        return _failed("invalid_result", str(error), None, retryable=False)
    return {"type": "succeeded", "result": result}


def _misfit(job: Job[Any, Any], version: int, error: Exception) -> str:
    if version == job.version:
        return f"The payload does not fit the type that {job.name}@{job.version} has for it: {error}"
    why = f"{type(error).__name__}: {error}"
    return f"The payload of {job.name}@{version} could not be made one of {job.name}@{job.version}: {why}"


def _unfinished(context: Context[Any], error: BaseException, stop: Stop) -> EndReport | None:
    ending = context.ending or error
    if stop.is_set():
        return {"type": "released"} if stop.reason == DRAIN else None
    if ending is not error:
        # a clean-up failed on the way out, which changes nothing of why the run ended
        _log_stack(context, error)
    if isinstance(ending, Suspended):
        return {"type": "suspended", "on": ending.on, "after": ending.after}
    if isinstance(ending, Refused):
        return _failed(ending.code, ending.message, ending.details, retryable=False)
    _log_stack(context, ending)
    if isinstance(ending, ProoflineError):
        return _failed(ending.code, ending.message, ending.details, retryable=ending.retryable)
    return _failed(None, f"{type(ending).__name__}: {ending}", None, retryable=True)


def _log_stack(context: Context[Any], error: BaseException) -> None:
    stack = "".join(traceback.format_exception(error))[-_TRACE:]
    context.log.error(f"{type(error).__name__}: {error}"[:1_000], stack=sendable(stack))


def _failed(code: str | None, message: str, details: Mapping[str, Any] | None, *, retryable: bool) -> EndReport:
    error: dict[str, Any] = {"message": described(message)}
    # a code that the API does not take must not hide the failure
    if code is not None and re.fullmatch(r"[a-z][a-z0-9_]{0,63}", code):
        error["code"] = code
    if details:
        try:
            encode(details, "details")
            error["details"] = details
        except TypeError as unsendable:
            error["message"] = described(f"{message} ({unsendable})")
    return {"type": "failed", "error": error, "retryable": retryable}
