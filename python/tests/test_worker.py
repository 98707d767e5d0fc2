"""A worker: the jobs that it takes, and the ends that it reports."""

from __future__ import annotations

import threading
import unittest
from dataclasses import dataclass
from typing import Any

from proofline import Context, JobError, define_job
from proofline.worker.log import _said as long_lines
from tests.support import ServerCase, job


@dataclass
class Size:
    width: int


class Run(ServerCase):
    def test_jobs_run_with_what_was_handed_out(self) -> None:
        seen: list[Any] = []

        @define_job("acme.try-it", payload=Size, version=1)
        def measure(ctx: Context[Size]) -> dict[str, int]:
            seen.extend((ctx.payload, ctx.queue, ctx.version, ctx.attempt, ctx.failures, ctx.trace))
            self.assertLess(ctx.created_at, ctx.deadline)
            return {"area": ctx.payload.width**2}

        with self.working(measure, name="one", capacity=2):
            self.until(lambda: self.server.fleet.registered, "a worker")
            self.assertEqual(self.client.submit(measure, Size(3)).result(30), {"area": 9})
        self.assertEqual(seen, [Size(3), "acme.try-it", 1, 1, 0, None])
        entered = self.server.seen("POST", "/v1/workers$")[0].json()
        self.assertEqual(
            entered,
            {"queues": [{"name": "acme.try-it", "versions": [1]}], "capacity": 2, "name": "one", "sdk": "python/0.1.0"},
        )
        self.assertEqual(self.server.fleet.left, self.server.fleet.registered)

    def test_as_many_jobs_run_at_once_as_there_are_hands(self) -> None:
        together = threading.Barrier(3, timeout=30)
        running: list[str] = []
        most: list[int] = []

        def work(ctx: Context[Any]) -> bool:
            running.append(ctx.id)
            most.append(len(running))
            together.wait()
            running.remove(ctx.id)
            return True

        run = job(work)
        with self.working(run, capacity=3):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handles = [self.client.submit(run, n) for n in range(6)]
            self.assertEqual([one.result(30) for one in handles], [True] * 6)
        self.assertEqual(max(most), 3)
        self.assertEqual(max(poll["credits"] for poll in self.server.fleet.polls), 3)

    def test_a_worker_without_a_hand_free_is_quiet_and_asks_again_as_soon_as_it_has_one(self) -> None:
        # so long that nothing comes of a beat alone
        self.server.fleet.leases |= {"lease_ms": 200_000, "beat_ms": 100_000}
        begun, go = threading.Event(), threading.Event()

        def work(ctx: Context[Any]) -> int:
            begun.set()
            go.wait(30)
            return int(ctx.payload)

        with self.working(job(work), capacity=1) as stop:
            first = self.client.submit(self.queue(), 0)
            self.assertTrue(begun.wait(30))
            others = [self.client.submit(self.queue(), n) for n in range(1, 50)]
            self.assertLessEqual(len(self.server.fleet.polls), 2)
            go.set()
            self.assertEqual([one.result(30) for one in (first, *others)], list(range(50)))
            # the open poll ends with a job: what the worker is told in the meantime it heeds behind that
            stop.set()
            self.client.submit(self.queue(), 50)

    def test_versions_of_a_queue_run_side_by_side(self) -> None:
        old, new = job(lambda ctx: "old"), job(lambda ctx: "new", version=2)
        with self.working(new, old):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handles = [self.client.submit(one, 1) for one in (old, new)]
            self.assertEqual([one.result(30) for one in handles], ["old", "new"])
        self.assertEqual(self.server.seen("POST", "/v1/workers$")[0].json()["queues"][0]["versions"], [1, 2])

    def test_progress_and_logs_are_sent_in_their_order_and_below_the_level_not_at_all(self) -> None:
        def run(ctx: Context[Any]) -> None:
            for n in range(3):
                ctx.progress({"done": n})
                ctx.log.info("a line", n=n)
            ctx.log.debug("small")
            ctx.log.warning("odd")

        handed = self.server.world.handed
        self.server.world.handed = lambda job: {**handed(job), "log_level": "info"}  # type: ignore[method-assign]
        with self.working(job(run)):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", 1)
            handle.wait(30)
        self.assertEqual(self.job(handle).progress, [{"done": n} for n in range(3)])
        lines = [(one["level"], one["message"], one.get("data")) for one in self.job(handle).logs]
        self.assertEqual(lines, [*(("info", "a line", {"n": n}) for n in range(3)), ("warn", "odd", None)])

    def test_a_line_longer_than_is_kept_says_so_once_on_the_log_of_the_worker_and_what_it_lacks(self) -> None:
        def run(ctx: Context[Any]) -> None:
            ctx.log.info("x" * 1_000, text="short")
            ctx.log.info("y" * 10_001)
            ctx.log.info("z", text="z" * 2_000)

        long_lines.clear()
        with self.assertLogs("proofline", "WARNING") as own, self.working(job(run)):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", 1)
            handle.wait(30)
        lines = [one["message"] for one in self.job(handle).logs]
        self.assertEqual(lines, ["x" * 1_000, "y" * 9_960 + "… (41 characters more)", "z"])
        said = [line for line in own.output if "longer than what is kept of it" in line]
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], "1000 characters, and 2000 .*: y{80}$")


class Fail(ServerCase):
    def failure(self, run: Any, **options: Any) -> Any:
        with self.working(job(run, **options)):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", options and {"height": 1})
            handle.wait(30)
        return self.job(handle)

    def test_an_exception_fails_an_attempt_and_is_logged_with_its_stack(self) -> None:
        def run(ctx: Context[Any]) -> None:
            raise LookupError("no such picture")

        ended = self.failure(run)
        self.assertEqual((ended.attempt, ended.error["message"]), (3, "LookupError: no such picture"))
        self.assertEqual(ended.logs[0]["level"], "error")
        self.assertIn("in run\n", ended.logs[0]["data"]["stack"])

    def test_an_exit_of_a_job_ends_its_attempt_and_not_the_worker(self) -> None:
        def run(ctx: Context[Any]) -> str:
            if ctx.failures == 0:
                raise SystemExit(3)
            return "here"

        self.assertEqual(self.failure(run).result, "here")

    def test_a_job_says_how_it_fails(self) -> None:
        def run(ctx: Context[Any]) -> None:
            raise JobError("There is no image.", code="no_image", details={"url": "x"}, retryable=False)

        ended = self.failure(run)
        expected = {"code": "no_image", "message": "There is no image.", "details": {"url": "x"}}
        self.assertEqual((ended.attempt, ended.error), (1, expected))

    def test_details_that_cannot_be_sent_do_not_hide_the_failure(self) -> None:
        def run(ctx: Context[Any]) -> None:
            raise JobError("Bad \udcff.", details={"at": object()}, retryable=False)

        self.assertRegex(
            self.failure(run).error["message"], r"^Bad \?\. \(details: expected a value that JSON can hold"
        )

    def test_error_a_result_that_cannot_be_sent_or_does_not_fit(self) -> None:
        for result in ({1, 2}, "misfit"):
            ended = self.failure(lambda ctx: result)
            self.assertEqual((ended.attempt, ended.error["code"]), (1, "invalid_result"))

    def test_error_a_payload_that_does_not_fit_its_type(self) -> None:
        with self.working(define_job("acme.try-it", payload=Size)(lambda ctx: None)):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", {"height": 1})
            handle.wait(30)
        self.assertEqual((self.job(handle).attempt, self.job(handle).error["code"]), (1, "invalid_payload"))


if __name__ == "__main__":
    unittest.main()
