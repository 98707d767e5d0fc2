"""Stories of steps, told by a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from proofline import Context, Job, JobHandle, define_job
from tests.support import ANY, ServerCase

Run = Callable[[Context[Any]], Any]


def story(run: Run) -> Job[Any, Any]:
    return define_job("acme.tell-story", payload=ANY)(run)


class StoryCase(ServerCase):
    """A test of one story. ``calls`` are the names of what has run."""

    def setUp(self) -> None:
        super().setUp()
        self.calls: list[str] = []

    def call(self, name: str, value: Any = None) -> Callable[[], Any]:
        """A function of a step that says that it ran."""

        def run() -> Any:
            self.calls.append(name)
            return value

        return run

    def tell(self, run: Run, *, steps: tuple[tuple[str, str, int, Any], ...] = ()) -> JobHandle:
        """Runs a story to its end, behind steps (name, kind, after, value) that an earlier run has done."""
        handle = self.submit(run, steps)
        with self.working(story(run)):
            handle.wait(30)
        return handle

    def submit(self, run: Run, steps: tuple[tuple[str, str, int, Any], ...] = ()) -> JobHandle:
        self.client.register(story(run))
        handle = self.client.submit("acme.tell-story", {})
        for one in steps:
            self.server.world.add_step(self.job(handle), *one)
        return handle

    def failure(self, run: Run, *, steps: tuple[tuple[str, str, int, Any], ...] = ()) -> Mapping[str, Any]:
        """The error of a story that fails for good at once."""
        handle = self.tell(run, steps=steps)
        job = self.job(handle)
        self.assertEqual((job.state, job.attempt), ("failed", 1))
        error: Mapping[str, Any] = job.error
        return error
