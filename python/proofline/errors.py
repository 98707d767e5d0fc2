"""Errors of the API as exceptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .jsontext import object_of

RETRYABLE_CODES = frozenset(
    {
        "internal",
        "job_timeout",
        "provider_failed",
        "providers_exhausted",
        "quota_exceeded",
        "rate_limited",
        "stale_claim",
        "storage_full",
        "thread_failed",
        "unavailable",
    }
)
"""Codes after which the same request may succeed later."""

_TRANSIENT_STATUSES = frozenset({408, 429, 502, 503, 504})


class ProoflineError(Exception):
    """A refusal of the API, a job that failed, or an API that does not answer.

    ``status`` is the HTTP status; None where there was no answer, or where a job failed. ``retryable`` says that the
    same thing may succeed later. ``retry_after`` is in seconds, where the API named a time.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        details: Mapping[str, Any] | None = None,
        retryable: bool | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.details: Mapping[str, Any] = details or {}
        self.retryable = code in RETRYABLE_CODES if retryable is None else retryable
        self.request_id = request_id
        self.retry_after = retry_after


class JobFailed(ProoflineError):
    """The end of a job without a result. ``job`` is the job as the API shows it."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        error: Mapping[str, Any] = job.get("error") or {}
        state = str(job.get("state"))
        super().__init__(
            str(error.get("code") or state),
            str(error.get("message") or f"The job {job.get('id')} ended {state}."),
            details=mapping(error.get("details")),
        )
        self.job = job


def mapping(value: object) -> dict[str, Any]:
    """Details of an error as a dict, whatever JSON they are."""
    if value is None:
        return {}
    found = object_of(value)
    return {"details": value} if found is None else dict(found)


def error_of(status: int, body: bytes, what: str, retry_after: float | None = None) -> ProoflineError:
    """The error that an answer stands for: its problem details, or a sentence about another text.

    :param what: method and path of the request
    """
    problem = _problem(body)
    if problem is None:
        retryable = status in _TRANSIENT_STATUSES
        return ProoflineError(
            "unavailable" if retryable else "unexpected_answer",
            f"{what}: expected an answer of the Proofline API, got status {status} and {_excerpt(body)}.",
            status=status,
            retryable=retryable,
            retry_after=retry_after,
        )
    details = mapping(problem.get("details"))
    if "errors" in problem:
        details["errors"] = problem["errors"]
    return ProoflineError(
        problem["code"],
        str(problem.get("detail") or problem.get("title") or problem["code"]),
        status=status,
        details=details,
        request_id=problem.get("request_id"),
        retry_after=retry_after,
    )


def _problem(body: bytes) -> Mapping[str, Any] | None:
    try:
        value = object_of(json.loads(body))
    except ValueError:
        return None
    return value if value is not None and isinstance(value.get("code"), str) else None


def _excerpt(body: bytes) -> str:
    text = body[:200].decode("utf-8", "replace").strip()
    return repr(text) if text else "no text"
