"""The steps of one run of a job, beside those that earlier runs have done.

Steps run one after the other. So a step that is asked for but not stored, while a stored one that began at that point
or before has not been asked for, shows that the code was changed under the job.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .endings import Refused


@dataclass(frozen=True)
class StoredStep:
    """A step that an earlier run has done. ``after``: number of steps that had ended when it began."""

    name: str
    n: int
    kind: str
    after: int
    value: Any


class Story:
    """Steps of one run. ``ended`` counts those that have ended in it, by a value or an exception."""

    def __init__(self, stored: Iterable[Mapping[str, Any]]) -> None:
        steps = [StoredStep(one["name"], one["n"], one["kind"], one["after"], one["value"]) for one in stored]
        self._stored = {one.name: one for one in sorted(steps, key=lambda one: one.n)}
        self._asked: set[str] = set()
        self._open: str | None = None
        self.ended = 0

    def claim(self, name: str) -> None:
        """Takes a name for a step or an effect of this run.

        :raises Refused: ``step_repeated``, or ``step_nested`` inside another one
        """
        self.assert_outside(name)
        if name in self._asked:
            raise Refused(
                "step_repeated",
                f"The step {name} was asked for twice: names of steps are unique in a job, so number those of a loop.",
            )
        self._asked.add(name)

    def assert_outside(self, name: str) -> None:
        """Checks that no function of a step or an effect runs now.

        :raises Refused: ``step_nested``
        """
        if self._open is not None:
            raise Refused(
                "step_nested",
                f"The step {name} was asked for inside {self._open}: no step holds another one, "
                "so ask for it before or behind.",
                {"name": name, "inside": self._open},
            )

    def ask(self, kind: str, name: str) -> StoredStep | None:
        """Asks for a step: the stored one, or None where it has to be done now.

        :raises Refused: ``steps_diverged``, and as :meth:`claim`
        """
        self.claim(name)
        step = self._stored.get(name)
        if step is not None and step.kind != kind:
            raise _diverged(
                f"The step {name} was done as a {step.kind} by an earlier release and this one asks for a {kind}."
            )
        if step is None:
            self._assert_on_course(name)
        return step

    def begin(self, name: str) -> None:
        """Says that the function of a step or an effect runs from now on."""
        self._open = name

    def end(self) -> None:
        """Says that a step has ended."""
        self._open = None
        self.ended += 1

    def end_effect(self) -> None:
        """Says that the function of an effect has ended; effects are stored elsewhere, and not counted."""
        self._open = None

    def finish(self) -> None:
        """Checks a run that ends with a result.

        :raises Refused: ``steps_diverged`` where it has not asked for a stored step
        """
        missed = self._missed()
        if missed:
            raise _diverged(f"The step {missed[0].name} was done by an earlier release and this one ends without it.")

    def _assert_on_course(self, name: str) -> None:
        missed = [one for one in self._missed() if one.after <= self.ended]
        if missed:
            raise _diverged(
                f"The step {missed[0].name} was done by an earlier release and this one asks for {name} at its place."
            )

    def _missed(self) -> list[StoredStep]:
        return [one for one in self._stored.values() if one.name not in self._asked]


def _diverged(what: str) -> Refused:
    return Refused(
        "steps_diverged",
        f"{what} Keep the steps of jobs that are under way in their order, or register a new version of the queue.",
    )
