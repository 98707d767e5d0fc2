"""Ends of a run from inside, and errors that a job may raise or meet.

The endings are no ``Exception``, so that ``except Exception`` in a job lets them through; ``finally`` and ``with``
work as ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import ProoflineError


class Ending(BaseException):
    """Ends the run of a job from inside."""


class Cancelled(Ending):
    """The job is not this worker's any more. ``reason``: ``cancelled``, ``timeout``, ``lost`` or ``drain``."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The job was stopped: {reason}.")
        self.reason = reason


class Suspended(Ending):
    """The job waits: for a time, a signal or another job. ``on`` and ``after`` are what is reported."""

    def __init__(self, on: Mapping[str, Any], after: int) -> None:
        super().__init__(f"The job waits for the {on['kind']} {on['name']}.")
        self.on = on
        self.after = after


class Refused(Ending):
    """The job fails for good: its story does not hold, or the API refuses what it asks for."""

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class JobError(ProoflineError):
    """Raised by a job to say how it fails; any other exception fails an attempt, too, and may be retried."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "job_failed",
        details: Mapping[str, Any] | None = None,
        retryable: bool = True,
    ) -> None:
        super().__init__(code, message, details=details, retryable=retryable)


class InvalidValue(JobError):
    """A value that JSON cannot hold was given to a step, a child, a signal or a line: no other attempt helps."""

    def __init__(self, error: TypeError) -> None:
        super().__init__(str(error), code="invalid_value", retryable=False)


class EffectRefused(JobError):
    """Raised by the function of an effect where the other system has certainly done nothing: it may be tried again."""


class WaitTimedOut(JobError):
    """The signal did not come in time."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The signal {name} did not come in time.", code="wait_timed_out", retryable=False)
        self.name = name


class ChildFailed(JobError):
    """A child ended without a result. ``state`` is its state, ``error`` its error as the API shows it."""

    def __init__(self, name: str, child: str, state: str, error: Mapping[str, Any] | None) -> None:
        how = "was cancelled" if state == "cancelled" else state
        why = f": {error.get('message')}" if error else "."
        super().__init__(
            f"The child {name} {how}{why}",
            code="child_failed",
            details={"child": child, "state": state, "error": error},
            retryable=False,
        )
        self.child = child
        self.state = state
        self.error = error
