"""Workers in trouble: lost answers, lost leases, cancelled jobs, refusals, and the end of a worker."""

from __future__ import annotations

import os
import signal
import threading
import unittest
from typing import Any

from proofline import Cancelled, Context, ProoflineError, define_job
from proofline.worker.serve import serve
from tests.server.server import Drop, Reply
from tests.support import ServerCase, job


class Trouble(ServerCase):
    def test_reports_whose_answers_are_lost_are_sent_again_and_count_once(self) -> None:
        runs: list[int] = []
        run = job(lambda ctx: runs.append(ctx.attempt))
        self.server.fail("POST", "/report$", Drop(handled=True), Drop(), Reply(503, b""), Reply(500, b""))
        self.server.fail("POST", "/poll$", Drop(), Reply(429, b"", {"retry-after": "0"}), Reply(503, b""))
        with self.working(run):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit(run, 1)
            handle.wait(30)
        self.assertEqual((self.job(handle).state, runs), ("succeeded", [1]))

    def test_a_report_that_a_whole_batch_is_refused_for_fails_alone(self) -> None:
        both = threading.Barrier(2, timeout=30)

        def run(ctx: Context[Any]) -> Any:
            both.wait()
            return ctx.payload

        refusal = Reply(413, {"code": "payload_too_large", "detail": "Too large."})
        with self.working(job(run)):
            self.until(lambda: self.server.fleet.registered, "a worker")
            # the first end waits for its answer while the others gather behind it
            self.server.fail("POST", "/report$", refusal)
            handles = [self.client.submit("acme.try-it", n) for n in range(2)]
            for one in handles:
                one.wait(30)
        states = sorted(self.job(one).state for one in handles)
        self.assertIn(states, (["failed", "succeeded"], ["succeeded", "succeeded"]))
        failed = [self.job(one).error["code"] for one in handles if self.job(one).state == "failed"]
        self.assertEqual(failed, ["payload_too_large"] * len(failed))

    def test_a_lease_that_is_lost_stops_the_jobs_and_the_worker_registers_again(self) -> None:
        stopped: list[str] = []
        begun = threading.Event()

        def run(ctx: Context[Any]) -> str:
            if ctx.attempt > 1:
                return "again"
            begun.set()
            try:
                while True:
                    ctx.raise_if_cancelled()
            except Cancelled as cancelled:
                stopped.append(cancelled.reason)
                raise

        fleet = self.server.fleet
        with self.working(job(run)):
            self.until(lambda: fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", 1)
            self.assertTrue(begun.wait(30))
            self.server.fail("POST", "/v1/workers$", Drop(), Reply(503, b""))
            fleet.lose(fleet.registered[0])
            self.assertEqual(handle.result(30), "again")
        self.assertEqual((stopped, len(fleet.registered)), (["lost"], 2))

    def test_a_worker_whose_beats_are_not_answered_gives_up_its_lease_by_itself(self) -> None:
        self.server.fleet.leases["lease_ms"] = 50
        stopped = threading.Event()
        begun = threading.Event()

        def run(ctx: Context[Any]) -> str:
            if ctx.attempt == 1:
                begun.set()
                while not ctx.cancelled:
                    pass
                stopped.set()
            return "done"

        fleet = self.server.fleet
        with self.working(job(run)):
            self.until(lambda: fleet.registered, "a worker")
            self.client.submit("acme.try-it", 1)
            self.assertTrue(begun.wait(30))
            self.server.fail("POST", "/poll$", *[Reply(503, b"")] * 1_000)
            self.assertTrue(stopped.wait(30))
            self.until(lambda: len(fleet.registered) > 1, "another registration")

    def test_a_job_that_is_cancelled_is_stopped_also_while_all_hands_are_full(self) -> None:
        begun, ended = threading.Event(), threading.Event()

        def run(ctx: Context[Any]) -> None:
            begun.set()
            while not ctx.cancelled:
                pass
            ended.set()

        for capacity in (1, 2):
            begun.clear()
            ended.clear()
            with self.working(job(run), capacity=capacity):
                handle = self.client.submit(self.queue(), 1)
                self.assertTrue(begun.wait(30))
                handle.cancel()
                self.assertTrue(ended.wait(30))
            self.assertEqual(self.job(handle).state, "cancelled")

    def test_a_job_that_does_not_heed_its_flag_keeps_its_hand_and_is_said_to_be_in_hand_no_more(self) -> None:
        begun, go = threading.Event(), threading.Event()

        def run(ctx: Context[Any]) -> None:
            begun.set()
            go.wait(30)

        fleet = self.server.fleet
        with self.working(job(run), capacity=1):
            handle = self.client.submit(self.queue(), 1)
            self.assertTrue(begun.wait(30))
            self.until(lambda: fleet.polls[-1]["jobs"], "a beat with the job in hand")
            handle.cancel()
            self.until(lambda: not fleet.polls[-1]["jobs"], "a beat without it")
            self.assertEqual(fleet.polls[-1]["credits"], 0)
            go.set()
            self.until(lambda: fleet.polls[-1]["credits"], "a free hand")

    def test_a_stale_answer_stops_a_job_at_its_next_step(self) -> None:
        steps: list[str] = []

        def run(ctx: Context[Any]) -> None:
            steps.append("first")
            self.server.world.cancel(self.server.world.job(ctx.id))
            try:
                ctx.step("a", lambda: 1)
            except Exception:
                steps.append("swallowed")
            steps.append("behind")

        with self.working(job(run)):
            handle = self.client.submit(self.queue(), 1)
            handle.wait(30)
        self.assertEqual((self.job(handle).state, steps), ("cancelled", ["first"]))

    def test_a_job_of_a_version_that_is_not_taken_goes_back(self) -> None:
        handed = self.server.world.handed
        self.server.world.handed = lambda job: {**handed(job), "version": 9}  # type: ignore[method-assign]
        with self.working(job(lambda ctx: None)):
            handle = self.client.submit(self.queue(), 1)
            released = lambda: [one for one in self.job(handle).events if one["type"] == "released"]
            self.until(released, "a release")

    def test_error_a_key_that_is_revoked_ends_the_worker(self) -> None:
        revoked = Reply(401, {"code": "unauthorized", "detail": "The key was revoked."})
        with (
            self.assertRaisesRegex(ProoflineError, "^unauthorized: The key was revoked."),
            self.working(job(lambda ctx: None)),
        ):
            self.until(lambda: self.server.fleet.registered, "a worker")
            self.server.fail("POST", "/poll$", revoked)
            self.until(lambda: revoked not in [fault for _, _, fault in self.server._faults], "the refusal")

    def test_error_a_contract_that_is_refused_ends_it_before_it_begins(self) -> None:
        self.client.register(job(lambda ctx: None))
        narrower = define_job("acme.try-it", payload={"type": "string"})(lambda ctx: None)
        with self.assertRaisesRegex(ProoflineError, "^incompatible_contract"):
            serve([narrower], client=self.client)
        with self.working(narrower, register_queues=False):
            self.until(lambda: self.server.fleet.registered, "a worker")

    def test_error_jobs_that_cannot_be_served(self) -> None:
        one = job(lambda ctx: None)
        with self.assertRaisesRegex(ValueError, "^jobs: expected at least one, .*, got none"):
            serve([], client=self.client)
        with self.assertRaisesRegex(ValueError, "got acme.try-it@1, acme.try-it@1"):
            serve([one, one], client=self.client)
        with self.assertRaisesRegex(ValueError, "^capacity: expected 1 to 1000, got 0"):
            serve([one], capacity=0, client=self.client)


class Drain(ServerCase):
    def test_a_worker_that_ends_takes_no_more_and_waits_for_what_it_has(self) -> None:
        begun, go = threading.Event(), threading.Event()

        def run(ctx: Context[Any]) -> str:
            begun.set()
            go.wait(30)
            return "done"

        with self.working(job(run)) as stop:
            first = self.client.submit(self.queue(), 1)
            self.assertTrue(begun.wait(30))
            stop.set()
            polls = len(self.server.seen("POST", "/poll$"))
            self.until(lambda: len(self.server.seen("POST", "/poll$")) > polls + 2, "beats while it drains")
            second = self.client.submit(self.queue(), 2)
            go.set()
            self.assertEqual(first.result(30), "done")
        self.assertEqual(self.job(second).state, "queued")
        self.assertEqual(len(self.server.fleet.left), 1)

    def test_a_job_that_does_not_end_in_time_goes_back(self) -> None:
        begun = threading.Event()
        reasons: list[str] = []

        def run(ctx: Context[Any]) -> None:
            begun.set()
            try:
                while True:
                    ctx.raise_if_cancelled()
            except Cancelled as cancelled:
                reasons.append(cancelled.reason)
                raise

        with self.working(job(run), drain=0) as stop:
            handle = self.client.submit(self.queue(), 1)
            self.assertTrue(begun.wait(30))
            stop.set()
        self.assertEqual((reasons, self.job(handle).state), (["drain"], "queued"))
        self.assertEqual((self.job(handle).events[-1]["type"], self.job(handle).failures), ("released", 0))
        # said by the job itself, before the worker left
        self.assertEqual([one["type"] for batch in self.server.fleet.reports for one in batch], ["released"])

    def test_signals_end_a_worker_in_the_main_thread_and_a_second_one_at_once(self) -> None:
        def run(ctx: Context[Any]) -> None:
            while True:
                ctx.raise_if_cancelled()

        def send_signals() -> None:
            self.until(lambda: self.job(handle).state == "running", "the begin of the job")
            os.kill(os.getpid(), signal.SIGTERM)
            polls = len(self.server.seen("POST", "/poll$"))
            self.until(lambda: len(self.server.seen("POST", "/poll$")) > polls + 2, "beats while it drains")
            os.kill(os.getpid(), signal.SIGINT)

        before = [signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)]
        handle = self.client.submit(self.queue(), 1)
        sender = threading.Thread(target=send_signals)
        sender.start()
        serve([job(run)], client=self.client, drain=3_600)
        sender.join()
        self.assertEqual(self.job(handle).events[-1]["type"], "released")
        self.assertEqual([signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)], before)


if __name__ == "__main__":
    unittest.main()
