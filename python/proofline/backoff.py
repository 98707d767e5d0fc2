"""Pauses between tries."""

from __future__ import annotations

import random
import time
from datetime import UTC
from email.utils import parsedate_to_datetime

FIRST = 0.2
"""Seconds: the longest pause after the first failure; doubled with each."""


def pause(failures: int, retry_after: float | None = None, longest: float = 10.0) -> float:
    """Seconds before the next try: exponential with full jitter, and never before the time that the API named.

    :param failures: failed tries so far, from 1
    """
    step: float = min(longest, FIRST * 2 ** min(failures - 1, 16))
    return (retry_after or 0.0) + random.uniform(0, step)


def retry_after_of(header: str | None) -> float | None:
    """Seconds that a Retry-After header names, as a number or a date; None for anything else."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return None
    at = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, at.timestamp() - time.time())
