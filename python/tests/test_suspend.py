"""Waits of a story: for a time, a signal, a child."""

from __future__ import annotations

import unittest
from datetime import UTC, datetime
from typing import Any

from proofline import ChildFailed, Context, WaitTimedOut, define_job
from proofline.worker.endings import Suspended
from tests.story_case import StoryCase, story
from tests.support import ANY


class Suspend(StoryCase):
    def test_a_sleep_ends_the_attempt_and_goes_on_behind_it(self) -> None:
        until = datetime(2030, 1, 1, tzinfo=UTC)

        def run(ctx: Context[Any]) -> str:
            ctx.step("before", self.call("before"))
            ctx.sleep("night", until)
            ctx.sleep("minute", "1m")
            ctx.step("behind", self.call("behind"))
            return "awake"

        handle = self.tell(run)
        self.assertEqual((handle.result(30), self.calls), ("awake", ["before", "behind"]))
        waits = [one["data"] for one in self.job(handle).events if one["type"] == "waiting"]
        self.assertEqual(waits[0], {"kind": "sleep", "name": "night", "until": until.isoformat(), "after": 1})
        self.assertGreater(datetime.fromisoformat(waits[1]["until"]), datetime.now(UTC))
        self.assertEqual((self.job(handle).attempt, self.job(handle).failures), (3, 0))

    def test_except_exception_does_not_swallow_a_suspension_and_finally_runs(self) -> None:
        def run(ctx: Context[Any]) -> str:
            try:
                ctx.sleep("night", 1)
            except Exception:
                self.calls.append("swallowed")
            finally:
                self.calls.append("finally")
            return "awake"

        self.assertEqual(self.tell(run).result(30), "awake")
        self.assertEqual(self.calls, ["finally", "finally"])

    def test_a_suspension_that_is_swallowed_all_the_same_suspends(self) -> None:
        def run(ctx: Context[Any]) -> str:
            try:
                ctx.sleep("night", 1)
            except Suspended:
                self.calls.append("swallowed")
            return str(ctx.step("behind", self.call("behind", "awake")))

        self.assertEqual(self.tell(run).result(30), "awake")
        self.assertEqual(self.calls, ["swallowed", "behind"])

    def test_a_clean_up_that_fails_does_not_keep_a_job_from_waiting(self) -> None:
        def run(ctx: Context[Any]) -> str:
            try:
                ctx.sleep("night", 1)
            finally:
                if ctx.attempt == 1:
                    raise OSError("the file is gone")
            return "awake"

        handle = self.tell(run)
        self.assertEqual((handle.result(30), self.job(handle).failures), ("awake", 0))
        self.assertEqual(self.job(handle).logs[0]["message"], "OSError: the file is gone")

    def test_a_signal_is_waited_for_or_may_have_come_before(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            return [ctx.wait_for("early"), ctx.wait_for("late", timeout="1d")]

        handle = self.submit(run)
        handle.signal("early", {"n": 1})
        with self.working(story(run)):
            waits = self.until(
                lambda: (self.job(handle).waits_on or {}).get("name") == "late" and self.job(handle).waits_on, "a wait"
            )
            self.assertEqual(waits["timeout_ms"], 86_400_000)
            handle.signal("late")
            self.assertEqual(handle.result(30), [{"n": 1}, None])

    def test_error_a_signal_that_does_not_come_in_time(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            try:
                ctx.wait_for("first", timeout=1)
            except WaitTimedOut as late:
                self.calls.append(late.name)
            return ctx.wait_for("second", timeout=1)

        handle = self.submit(run)
        with self.working(story(run)):
            for name in ("first", "second"):
                self.until(lambda: (self.job(handle).waits_on or {}).get("name") == name, f"the wait for {name}")
                self.server.world.resume(self.job(handle), {"timed_out": True})
            handle.wait(30)
        job = self.job(handle)
        self.assertEqual(
            (job.error["code"], job.error["message"]), ("wait_timed_out", "The signal second did not come in time.")
        )
        self.assertEqual(self.calls, ["first", "first"])


class Children(StoryCase):
    def test_a_child_is_made_once_and_its_result_waited_for(self) -> None:
        child = define_job("acme.be-small", payload=ANY)(lambda ctx: ctx.payload["n"] * 2)

        def run(ctx: Context[Any]) -> Any:
            made = [ctx.submit(child, {"n": n}, name=f"child-{n}", priority=1, delay="1s") for n in (1, 2)]
            if ctx.failures == 0:
                raise RuntimeError("the first attempt fails")
            return [ctx.result(one) for one in (*made, made[0])]

        self.client.register(child)
        handle = self.submit(run)
        with self.working(story(run), child):
            self.assertEqual(handle.result(30), [2, 4, 2])
        self.assertEqual(len(self.server.world.jobs), 3)
        steps = [(one["name"], one["kind"], one["after"]) for one in self.job(handle).steps]
        self.assertEqual(
            steps,
            [
                ("child-1", "child", 0),
                ("child-2", "child", 1),
                ("child-1.result", "result", 2),
                ("child-2.result", "result", 3),
            ],
        )
        sent = [one for batch in self.server.fleet.reports for one in batch if one["type"] == "submit"]
        self.assertEqual([(one["version"], one["priority"], one["delay_ms"]) for one in sent], [(1, 1, 1_000)] * 2)

    def test_error_a_child_that_fails(self) -> None:
        self.queue("acme.be-small")

        def run(ctx: Context[Any]) -> Any:
            made = ctx.submit("acme.be-small", 1, name="child")
            try:
                ctx.result(made)
            except ChildFailed as failed:
                self.calls.append(failed.state)
                raise

        handle = self.submit(run)
        with self.working(story(run)):
            on = self.until(lambda: self.job(handle).waits_on, "the wait for the child")
            self.client.handle(on["child"]).cancel()
            handle.wait(30)
        error = self.job(handle).error
        self.assertEqual((error["code"], self.calls), ("child_failed", ["cancelled"]))
        self.assertEqual(error["details"]["error"]["code"], "cancelled")
        self.assertEqual(error["message"], "The child child was cancelled: It was cancelled.")


if __name__ == "__main__":
    unittest.main()
