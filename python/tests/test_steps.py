"""Durable steps: run once, replayed, diverged."""

from __future__ import annotations

import unittest
from datetime import datetime
from typing import Any

from proofline import Child, Context
from tests.story_case import Run, StoryCase


class Steps(StoryCase):
    def test_a_step_runs_once_whatever_becomes_of_its_attempt(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            first = ctx.step("first", self.call("first", (1, 2)))
            if ctx.attempt == 1:
                raise RuntimeError("the first attempt fails")
            return {"first": first, "second": ctx.step("second", self.call("second", {"a": None}))}

        handle = self.tell(run)
        self.assertEqual(handle.result(30), {"first": [1, 2], "second": {"a": None}})
        self.assertEqual(self.calls, ["first", "second"])
        self.assertEqual(
            [(one["name"], one["kind"], one["after"]) for one in self.job(handle).steps],
            [("first", "step", 0), ("second", "step", 1)],
        )

    def test_a_value_is_the_same_at_the_first_attempt_as_at_a_later_one(self) -> None:
        seen: list[Any] = []

        def run(ctx: Context[Any]) -> None:
            seen.append(ctx.step("a", lambda: {1: (2,)}))
            ctx.sleep("rest", 0)

        self.tell(run)
        self.assertEqual(seen, [{"1": [2]}, {"1": [2]}])

    def test_a_step_that_fails_is_not_kept_and_may_be_caught(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            def fail() -> None:
                self.calls.append("fail")
                raise OSError("no")

            try:
                ctx.step("a", fail)
            except OSError:
                value = ctx.step("b", self.call("b", 7))
            ctx.sleep("rest", 0)
            return value

        self.assertEqual(self.tell(run).result(30), 7)
        self.assertEqual(self.calls, ["fail", "b", "fail"])

    def test_error_a_value_that_cannot_be_kept(self) -> None:
        error = self.failure(lambda ctx: ctx.step("a", lambda: {1, 2}))
        self.assertEqual(error["code"], "invalid_value")
        self.assertRegex(error["message"], "^step a: expected a value that JSON can hold")
        uses: list[Run] = [
            lambda ctx: ctx.step("a", lambda: [2**53]),
            lambda ctx: ctx.submit("acme.tell-story", {"n": -(2**70)}, name="a"),
            lambda ctx: ctx.progress({1}),
            lambda ctx: ctx.log.info("a line", at={1}),
            lambda ctx: ctx.submit("acme.tell-story", {1}, name="a"),
            lambda ctx: ctx.effect("a", {1}, lambda call: self.call("never")()),
            lambda ctx: ctx.effect("a", 1, lambda call: {1}),
        ]
        for use in uses:
            self.assertEqual(self.failure(use)["code"], "invalid_value")
        self.assertEqual(self.calls, [])

    def test_a_whole_number_is_kept_to_the_last_digit_or_refused(self) -> None:
        self.assertEqual(self.tell(lambda ctx: [2**53 - 1, 1 - 2**53, "x" * 3 + str(2**70), 1e300]).result(30)[0], 2**53 - 1)
        error = self.failure(lambda ctx: {"n": 2**70})
        self.assertEqual(
            (error["code"], error["message"]),
            (
                "invalid_result",
                "result: expected whole numbers within ±9007199254740991, beyond which they are not kept to the last "
                "digit, got 1180591620717411303424: send it as text.",
            ),
        )

    def test_error_a_step_that_is_too_large_fails_for_good(self) -> None:
        self.assertEqual(self.failure(lambda ctx: ctx.step("a", lambda: "x" * 1_000_001))["code"], "step_too_large")

    def test_error_a_name_that_is_used_twice(self) -> None:
        def run(ctx: Context[Any]) -> None:
            for _ in range(2):
                try:
                    ctx.step("a", self.call("a"))
                except Exception:
                    self.calls.append("swallowed")

        error = self.failure(run)
        self.assertEqual((error["code"], self.calls), ("step_repeated", ["a"]))
        self.assertIn("The step a was asked for twice", error["message"])

    def test_error_a_step_inside_another(self) -> None:
        def run(ctx: Context[Any]) -> None:
            ctx.step("outer", lambda: ctx.step("inner", self.call("inner")))

        error = self.failure(run)
        self.assertEqual((error["code"], self.calls), ("step_nested", []))
        self.assertEqual(
            error["message"],
            "The step inner was asked for inside outer: no step holds another one, so ask for it before or behind.",
        )

    def test_error_a_wait_a_child_or_an_effect_inside_a_step_whatever_becomes_of_the_error(self) -> None:
        def within(inner: Run) -> Run:
            def run(ctx: Context[Any]) -> None:
                def outer() -> None:
                    try:
                        inner(ctx)
                    except BaseException:
                        self.calls.append("swallowed")

                ctx.step("outer", outer)

            return run

        uses: list[Run] = [
            lambda ctx: ctx.sleep("inner", 1),
            lambda ctx: ctx.wait_for("inner"),
            lambda ctx: ctx.submit("acme.tell-story", 1, name="inner"),
            lambda ctx: ctx.effect("inner", 1, lambda call: 1),
            lambda ctx: ctx.result(Child("part", "8a8b1f0e-5b0c-4a4e-9a53-0a1b2c3d4e5f")),
        ]
        for use in uses:
            self.assertEqual(self.failure(within(use))["code"], "step_nested")
        self.assertEqual(self.calls, ["swallowed"] * len(uses))

    def test_error_a_time_that_is_none_fails_for_good(self) -> None:
        uses: list[tuple[Run, str]] = [
            (lambda ctx: ctx.sleep("a", "soon"), "^sleep a: expected a number and one of ms"),
            (lambda ctx: ctx.sleep("a", -1), "^sleep a: expected a duration of 0 or more"),
            (lambda ctx: ctx.sleep("a", datetime(2030, 1, 1)), "^sleep a: expected a datetime with a time zone"),
            (lambda ctx: ctx.wait_for("a", timeout="x"), "^timeout of a: expected a number"),
        ]
        for use, said in uses:
            error = self.failure(use)
            self.assertEqual(error["code"], "invalid_time")
            self.assertRegex(error["message"], said)


class Diverged(StoryCase):
    def test_error_another_step_at_the_place_of_one_that_was_done(self) -> None:
        def run(ctx: Context[Any]) -> None:
            ctx.step("a", self.call("a"))
            ctx.step("new", self.call("new"))

        error = self.failure(run, steps=(("a", "step", 0, 1), ("old", "step", 1, 2)))
        self.assertEqual((error["code"], self.calls), ("steps_diverged", []))
        self.assertIn(
            "The step old was done by an earlier release and this one asks for new at its place", error["message"]
        )

    def test_error_a_step_that_became_another_kind(self) -> None:
        error = self.failure(lambda ctx: ctx.sleep("a", 1), steps=(("a", "step", 0, 1),))
        self.assertEqual(error["code"], "steps_diverged")
        self.assertIn("was done as a step by an earlier release and this one asks for a sleep", error["message"])

    def test_error_an_end_before_a_step_that_was_done(self) -> None:
        error = self.failure(
            lambda ctx: ctx.step("a", self.call("a")), steps=(("a", "step", 0, 1), ("b", "step", 1, 2))
        )
        self.assertEqual(error["code"], "steps_diverged")
        self.assertIn("The step b was done by an earlier release and this one ends without it", error["message"])

    def test_a_step_behind_all_that_was_done_is_no_divergence(self) -> None:
        def run(ctx: Context[Any]) -> list[Any]:
            return [ctx.step("a", self.call("a")), ctx.step("b", self.call("b")), ctx.step("c", self.call("c", 3))]

        handle = self.tell(run, steps=(("a", "step", 0, 1), ("b", "step", 1, 2)))
        self.assertEqual((handle.result(30), self.calls), ([1, 2, 3], ["c"]))


if __name__ == "__main__":
    unittest.main()
