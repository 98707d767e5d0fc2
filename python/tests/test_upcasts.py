"""Payloads of older versions, made new."""

from __future__ import annotations

from typing import Any, TypedDict

from proofline import Context, define_job
from tests.support import ANY, ServerCase


class Sizes(TypedDict):
    sizes: list[int]


def run(ctx: Context[Sizes]) -> list[Any]:
    return [ctx.version, ctx.payload["sizes"]]


newest = define_job(
    "acme.try-it",
    payload=Sizes,
    version=3,
    upcasts={1: lambda size: [size], 2: lambda sizes: {"sizes": sizes}},
)(run)


class Upcasts(ServerCase):
    def test_a_worker_takes_older_versions_and_makes_their_payloads_new_one_version_at_a_time(self) -> None:
        payloads: dict[int, Any] = {1: 7, 2: [7, 8], 3: {"sizes": [9]}}
        with self.working(newest):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handles = [self.client.submit("acme.try-it", one, version=version) for version, one in payloads.items()]
            self.assertEqual([one.result(30) for one in handles], [[1, [7]], [2, [7, 8]], [3, [9]]])
        self.assertEqual(self.server.seen("POST", "/v1/workers$")[0].json()["queues"][0]["versions"], [1, 2, 3])

    def test_a_job_beside_its_older_version_takes_the_newer_ones_alone(self) -> None:
        old = define_job("acme.try-it", payload=ANY)(lambda ctx: ["old", ctx.payload])
        new = define_job("acme.try-it", payload=Sizes, version=3, upcasts={2: lambda sizes: {"sizes": sizes}})(run)
        with self.working(new, old):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handles = [self.client.submit("acme.try-it", [1], version=version) for version in (1, 2)]
            self.assertEqual([one.result(30) for one in handles], [["old", [1]], [2, [1]]])

    def test_error_a_payload_that_cannot_be_made_new_fails_its_job_at_once(self) -> None:
        def renew(old: Any) -> Any:
            raise RuntimeError(f"no sizes in {old}")

        job = define_job("acme.try-it", payload=Sizes, version=2, upcasts={1: renew})(run)
        with self.working(job):
            self.until(lambda: self.server.fleet.registered, "a worker")
            handle = self.client.submit("acme.try-it", "x", version=1)
            handle.wait(30)
        ended = self.job(handle)
        said = "The payload of acme.try-it@1 could not be made one of acme.try-it@2: RuntimeError: no sizes in x"
        self.assertEqual(
            (ended.state, ended.attempt, ended.error), ("failed", 1, {"code": "invalid_payload", "message": said})
        )

    def test_error_upcasts_with_a_gap_and_a_version_that_is_taken_twice(self) -> None:
        for version, upcasts, said in (
            (3, {1: list}, "upcasts of acme.try-it@3: expected one from each of 2, got 1"),
            (3, {2: list, 3: list}, "expected one from each of 2, 1, got 3, 2"),
            (1, {0: list}, "expected one from each of no version, got 0"),
        ):
            with self.subTest(said), self.assertRaisesRegex(ValueError, said):
                define_job("acme.try-it", payload=ANY, version=version, upcasts=upcasts)
        old = define_job("acme.try-it", payload=ANY, version=2)(run)
        with self.assertRaisesRegex(ValueError, "got acme.try-it@3, acme.try-it@2, acme.try-it@1, acme.try-it@2"):
            with self.working(newest, old):
                pass
