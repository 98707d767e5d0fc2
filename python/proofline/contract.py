"""Jobs: a name, a contract, and the function that does the work."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar, Unpack, overload

from .schema import Schema, schema_of
from .times import Duration, milliseconds

if TYPE_CHECKING:
    from .worker.context import Context

P = TypeVar("P")
R = TypeVar("R")

Upcasts = Mapping[int, Callable[[Any], Any]]
"""Functions by version: each makes a payload of that version one of the next."""


@dataclass(frozen=True)
class Job(Generic[P, R]):
    """One version of a queue and the function that runs its jobs. ``contract`` is what is registered."""

    name: str
    version: int
    contract: Mapping[str, Any]
    run: Callable[[Context[P]], R]
    payload: object = field(default=None, repr=False)
    """Type or schema that the payload was given as."""
    upcasts: Upcasts = field(default_factory=dict, repr=False)

    @property
    def versions(self) -> list[int]:
        """Versions whose jobs it runs, the newest first."""
        return [self.version, *sorted(self.upcasts, reverse=True)]

    def upcast(self, payload: Any, version: int) -> Any:
        """A payload of a version as this version has it, made new one version at a time."""
        for older in range(version, self.version):
            payload = self.upcasts[older](payload)
        return payload

    def __call__(self, context: Context[P]) -> R:
        return self.run(context)


class Options(TypedDict, total=False):
    """Parts of a contract beside name and payload. What is left out has the default of the API."""

    result: type[Any] | Schema
    progress: type[Any] | Schema
    title: str
    """The first line of the function's docstring by default."""
    version: int
    upcasts: Upcasts
    """Payloads of older versions that this job takes, too: all from some version on, up to the one before its own."""
    attempts: int
    backoff: Duration
    """The pause after the first failure, doubled with each."""
    backoff_cap: Duration
    timeout: Duration
    """The longest run of one attempt. A longer story sleeps or waits in between."""
    priority: int
    """0 runs first, 1000 last."""
    retention: Mapping[str, int]
    """``ms``, ``count`` or both: the greatest age and number of its jobs that have ended."""
    replaceable: bool
    receipt: bool
    """True where the end of each job is sealed and anchored."""
    approval: Mapping[str, Any]
    """Decision by a person that each job waits for: ``why``, and ``areas`` and ``decide_within_s`` where wanted."""
    budget: Mapping[str, float]
    """Money that is reserved before each job runs: ``job_usd``, and ``month_usd`` where wanted."""
    unique: Mapping[str, Any]
    """Makes each job the only one of its ``key``, JSON pointers into the payload; with ``while`` and ``conflict``."""


_AS_GIVEN = ("attempts", "priority", "retention", "replaceable", "receipt", "approval", "budget", "unique")


@overload
def define_job(
    name: str, *, payload: type[P], **options: Unpack[Options]
) -> Callable[[Callable[[Context[P]], R]], Job[P, R]]: ...


@overload
def define_job(
    name: str, *, payload: Schema, **options: Unpack[Options]
) -> Callable[[Callable[[Context[Any]], R]], Job[Any, R]]: ...


def define_job(
    name: str, *, payload: object, **options: Unpack[Options]
) -> Callable[[Callable[[Context[Any]], R]], Job[Any, R]]:
    """Makes a job of a function that takes a context: ``define_job(name, payload=…)(run)``, or as a decorator.

    ``payload``, ``result`` and ``progress`` are JSON Schemas, or types that schemas are derived from: a TypedDict, a
    dataclass, and what they are made of. :class:`Options` lists the others.

    :param name: ``<namespace>.<verb-noun>``, such as ``acme.resize-image``
    :raises TypeError: for a type that no schema is derived from, or an option that is not known
    :raises ValueError: for a text that is not a duration, or a gap among the upcasts
    """
    given: Mapping[str, Any] = {**options}
    unknown = sorted(options.keys() - Options.__annotations__.keys())
    if unknown:
        raise TypeError(f"job: expected {', '.join(Options.__annotations__)}, got {', '.join(unknown)}.")
    contract: dict[str, Any] = {
        "payload": schema_of(payload, "payload"),
        "result": schema_of(options.get("result", {}), "result"),
        **({"progress": schema_of(options["progress"], "progress")} if "progress" in options else {}),
        **{f"{key}_ms": milliseconds(given[key], key) for key in ("backoff", "backoff_cap", "timeout") if key in given},
        **{key: given[key] for key in _AS_GIVEN if key in given},
    }

    version = options.get("version", 1)
    upcasts = _without_gap(name, version, options.get("upcasts", {}))

    def decorate(run: Callable[[Context[Any]], R]) -> Job[Any, R]:
        described = (inspect.getdoc(run) or name).splitlines()[0]
        title = options.get("title", described[:200])
        return Job(name, version, {"title": title, **contract}, run, payload, upcasts)

    return decorate


job = define_job


def _without_gap(name: str, version: int, upcasts: Upcasts) -> Upcasts:
    older = sorted(upcasts, reverse=True)
    expected = [version - 1 - index for index in range(len(older))]
    if older != expected or (older and older[-1] < 1):
        wanted = ", ".join(str(one) for one in expected if one > 0) or "no version"
        got = ", ".join(str(one) for one in older)
        raise ValueError(f"upcasts of {name}@{version}: expected one from each of {wanted}, got {got}.")
    return upcasts


def queue_of(queue: str | Job[Any, Any]) -> tuple[str, int | None]:
    """Name and version of a queue that is given by name or as a job; without a version for a name."""
    return (queue.name, queue.version) if isinstance(queue, Job) else (queue, None)
