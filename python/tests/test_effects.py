"""Effects outside: once, or said to be unknown."""

from __future__ import annotations

import unittest
from typing import Any, Literal

from proofline import Context, EffectCall, EffectRefused, JobHandle, Outcome, define_job
from tests.server.world import Job
from tests.support import ANY, ServerCase


class Effects(ServerCase):
    def setUp(self) -> None:
        super().setUp()
        self.sent: list[EffectCall] = []

    def charge(self, ctx: Context[Any], kind: Literal["idempotent", "neither"], amount: int = 5) -> Any:
        def send(call: EffectCall) -> Outcome:
            self.sent.append(call)
            return Outcome({"paid": call.request["amount"]}, external_id="ch_1", cost_usd=0.05)

        return ctx.effect("charge", {"amount": amount}, send, kind=kind)

    def run_job(self, run: Any, before: dict[str, Any] | None = None) -> tuple[JobHandle, Job]:
        """Runs a job to its end, behind an effect of an earlier attempt."""
        job = define_job("acme.charge-card", payload=ANY)(run)
        self.client.register(job)
        handle = self.client.submit(job, {})
        if before is not None:
            self.job(handle).effects["charge"] = before
        with self.working(job):
            handle.wait(30)
        return handle, self.job(handle)

    def test_an_effect_is_made_once_and_its_outcome_given_to_a_later_attempt(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            outcome = self.charge(ctx, "neither")
            ctx.sleep("rest", 0)
            return outcome

        handle, job = self.run_job(run)
        self.assertEqual(handle.result(30), {"paid": 5})
        self.assertEqual(self.sent, [EffectCall(f"{handle.id}.charge", {"amount": 5})])
        made = job.effects["charge"]
        self.assertEqual((made["state"], made["external_id"], made["cost_usd"]), ("done", "ch_1", 0.05))
        self.assertEqual(job.steps[0]["after"], 0)

    def test_an_outcome_that_another_attempt_has_told_first_is_the_one_of_the_effect(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            def send(call: EffectCall) -> Any:
                effects = self.job(self.client.handle(ctx.id)).effects
                effects["charge"] = {**effects["charge"], "state": "done", "outcome": {"paid": 1}}
                return {"paid": 2}

            return ctx.effect("charge", {"amount": 5}, send, kind="idempotent")

        handle, _ = self.run_job(run)
        self.assertEqual(handle.result(30), {"paid": 1})

    def test_an_idempotent_effect_of_unknown_outcome_is_made_again_with_its_key(self) -> None:
        handle, _ = self.run_job(
            lambda ctx: self.charge(ctx, "idempotent"), {"state": "intended", "request": {"amount": 5}}
        )
        self.assertEqual(handle.result(30), {"paid": 5})
        self.assertEqual([one.key for one in self.sent], [f"{handle.id}.charge"])

    def test_error_another_effect_of_unknown_outcome_is_never_sent_again(self) -> None:
        for state in ("intended", "unknown"):
            _, job = self.run_job(lambda ctx: self.charge(ctx, "neither"), {"state": state, "request": {"amount": 5}})
            self.assertEqual((job.error["code"], job.attempt, self.sent), ("outcome_unknown", 1, []))
            self.assertEqual(job.effects["charge"]["state"], "unknown")

    def test_an_effect_that_was_refused_is_tried_again(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            def send(call: EffectCall) -> str:
                if ctx.failures == 0:
                    raise EffectRefused("The bank is closed.", code="bank_closed")
                return "paid"

            return ctx.effect("charge", {}, send)

        handle, job = self.run_job(run)
        self.assertEqual(handle.result(30), "paid")
        (retry,) = [one["data"] for one in job.events if one["type"] == "retrying"]
        self.assertEqual((retry["code"], retry["message"]), ("bank_closed", "The bank is closed."))

    def test_error_an_effect_that_breaks_off_is_unknown_to_the_next_attempt(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            def send(call: EffectCall) -> None:
                self.sent.append(call)
                raise ConnectionResetError("in the midst")

            return ctx.effect("charge", {}, send)

        _, job = self.run_job(run)
        self.assertEqual((job.error["code"], job.attempt, len(self.sent)), ("outcome_unknown", 2, 1))

    def test_an_outcome_that_a_lost_lease_kept_back_is_reported_by_the_next_registration(self) -> None:
        world, fleet = self.server.world, self.server.fleet

        def run(ctx: Context[Any]) -> Any:
            def send(call: EffectCall) -> str:
                self.sent.append(call)
                fleet.lose(fleet.registered[0])
                # given to nobody until the outcome is there
                self.job(handle).state = "held"
                self.until(lambda: len(fleet.registered) > 1, "another registration")
                return "paid"

            return ctx.effect("charge", {}, send)

        job = define_job("acme.charge-card", payload=ANY)(run)
        self.client.register(job)
        handle = self.client.submit(job, {})
        with self.working(job):
            self.until(lambda: self.job(handle).effects.get("charge", {}).get("state") == "done", "the outcome")
            world.release(self.job(handle))
            self.assertEqual(handle.result(30), "paid")
        self.assertEqual((len(self.sent), self.job(handle).attempt), (1, 2))

    def test_error_another_request_under_the_name(self) -> None:
        _, job = self.run_job(
            lambda ctx: self.charge(ctx, "idempotent", amount=6),
            {"state": "done", "request": {"amount": 5}, "outcome": 1},
        )
        self.assertEqual((job.error["code"], self.sent), ("state_conflict", []))

    def test_error_a_name_that_a_step_has(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            ctx.step("charge", lambda: 1)
            return self.charge(ctx, "neither")

        _, job = self.run_job(run)
        self.assertEqual((job.error["code"], self.sent), ("step_repeated", []))

    def test_error_a_cost_that_is_none(self) -> None:
        def run(ctx: Context[Any]) -> Any:
            return ctx.effect("pay", {}, lambda _: Outcome("paid", cost_usd=-1))

        handle, job = self.run_job(run)
        self.assertEqual(handle.wait(30)["state"], "failed")
        self.assertEqual((job.effects["pay"]["state"], "cost_usd" in job.effects["pay"]), ("done", False))


if __name__ == "__main__":
    unittest.main()
