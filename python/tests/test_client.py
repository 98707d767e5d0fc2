"""Submitting, reading, cancelling; refusals, and answers that do not come."""

from __future__ import annotations

import os
import socket
import unittest
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest import mock

from proofline import Client, JobFailed, ProoflineError, define_job
from tests.server.server import Drop, HangUp, Reply
from tests.support import ServerCase

BUSY = Reply(429, {"code": "rate_limited", "detail": "Too many.", "request_id": "r-9"}, {"retry-after": "0"})


class Submit(ServerCase):
    def test_everything_that_is_given_is_sent(self) -> None:
        queue = self.queue()
        due = datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC)
        handle = self.client.submit(
            queue,
            {"a": [1, "é"]},
            idempotency_key="k-1",
            run_at=due,
            delay="2m",
            expires_at="2031-01-01T00:00:00Z",
            priority=3,
            group="acme",
            metadata={"ticket": 7},
            version=1,
        )
        (request,) = self.server.seen("POST", f"/v1/queues/{queue}/jobs")
        self.assertEqual(
            request.json(),
            {
                "payload": {"a": [1, "é"]},
                "version": 1,
                "delay_ms": 120_000,
                "run_at": "2030-01-02T03:04:05+00:00",
                "expires_at": "2031-01-01T00:00:00Z",
                "priority": 3,
                "group": "acme",
                "metadata": {"ticket": 7},
            },
        )
        self.assertEqual(request.headers["idempotency-key"], "k-1")
        self.assertEqual(request.headers["prefer"], "respond-async")
        self.assertEqual(handle.job()["payload"], {"a": [1, "é"]})
        self.assertIn(handle.id, repr(handle))

    def test_a_job_of_this_program_stands_for_its_queue_and_version_and_dataclasses_for_objects(self) -> None:
        @dataclass
        class Size:
            width: int

        @define_job("acme.resize-image", payload={}, version=2)
        def resize(ctx: object) -> None: ...

        self.server.world.register("acme.resize-image", 2, resize.contract)
        self.client.submit(resize, {"sizes": [Size(3)]}, delay=timedelta(seconds=1.5))
        (request,) = self.server.seen("POST", "/jobs$")
        self.assertEqual(request.json(), {"payload": {"sizes": [{"width": 3}]}, "version": 2, "delay_ms": 1_500})

    def test_every_submit_carries_a_key_so_that_a_lost_answer_makes_no_second_job(self) -> None:
        queue = self.queue()
        self.server.fail("POST", "/jobs$", Drop(handled=True), Drop())
        handle = self.client.submit(queue, 1)
        self.assertEqual(list(self.server.world.jobs), [handle.id])
        sent = self.server.seen("POST", "/jobs$")
        self.assertEqual(len(sent), 3)
        self.assertEqual(len({one.headers["idempotency-key"] for one in sent}), 1)

    def test_a_key_gives_the_same_job_again(self) -> None:
        queue = self.queue()
        first = self.client.submit(queue, 1, idempotency_key="k")
        self.assertEqual(self.client.submit(queue, 1, idempotency_key="k").id, first.id)
        self.assertNotEqual(self.client.submit(queue, 1).id, first.id)

    def test_a_key_of_a_job_that_has_ended_gives_the_job_whatever_became_of_it(self) -> None:
        queue = self.queue()
        for key, state in (("good", "succeeded"), ("bad", "failed")):
            handle = self.client.submit(queue, 1, idempotency_key=key)
            error = {"code": "providers_exhausted", "message": "Nothing left."} if state == "failed" else None
            self.server.world.end(self.job(handle), state, "done", error)
            self.assertEqual(self.client.submit(queue, 1, idempotency_key=key).id, handle.id)
        # the failure of a job is no failure of the request: it is not sent again
        self.assertEqual(len(self.server.seen("POST", "/jobs$")), 4)

    def test_what_cannot_be_sent_is_said_before_anything_is(self) -> None:
        for payload in ({"when": datetime.now()}, float("nan"), "\ud800"):
            with self.assertRaisesRegex(TypeError, "^job: expected a value that JSON can hold, got one"):
                self.client.submit("acme.a", payload)
        with self.assertRaisesRegex(ValueError, "^run_at: expected a datetime with a time zone"):
            self.client.submit("acme.a", 1, run_at=datetime(2030, 1, 1))
        with self.assertRaisesRegex(ValueError, "^delay: expected a number and one of ms, s, m, h, d"):
            self.client.submit("acme.a", 1, delay="soon")
        self.assertEqual(self.server.requests, [])


class Answers(ServerCase):
    def test_429_and_503_are_tried_again(self) -> None:
        queue = self.queue()
        self.server.fail(
            "POST", "/jobs$", BUSY, Reply(503, b"<html>", {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"})
        )
        self.client.submit(queue, 1)
        self.assertEqual(len(self.server.seen("POST", "/jobs$")), 3)

    def test_error_what_goes_on_being_refused_is_given_up(self) -> None:
        client = self.new_client(retries=2)
        self.server.fail("POST", "/jobs$", *[BUSY] * 3)
        with self.assertRaises(ProoflineError) as caught:
            client.submit("acme.a", 1)
        self.assertEqual(len(self.server.seen("POST", "/jobs$")), 3)
        error = caught.exception
        self.assertEqual((error.code, error.status, error.message), ("rate_limited", 429, "Too many."))
        self.assertEqual((error.retryable, error.retry_after, error.request_id), (True, 0, "r-9"))

    def test_error_a_pause_that_is_too_long_is_left_to_the_caller(self) -> None:
        self.server.fail("POST", "/jobs$", Reply(429, {"code": "quota_exceeded"}, {"retry-after": "3600"}))
        with self.assertRaisesRegex(ProoflineError, "quota_exceeded"):
            self.client.submit("acme.a", 1)
        self.assertEqual(len(self.server.requests), 1)

    def test_error_a_problem_is_an_exception_with_all_that_it_says(self) -> None:
        problem = {
            "status": 422,
            "code": "invalid_payload",
            "detail": "width: expected at least 1, got 0.",
            "details": {"path": "/width"},
            "errors": [{"field": "body.payload.width"}],
        }
        self.server.fail("POST", "/jobs$", Reply(422, problem))
        with self.assertRaises(ProoflineError) as caught:
            self.client.submit("acme.a", {"width": 0})
        error = caught.exception
        self.assertEqual(str(error), "invalid_payload: width: expected at least 1, got 0.")
        self.assertEqual(error.details, {"path": "/width", "errors": [{"field": "body.payload.width"}]})
        self.assertFalse(error.retryable)

    def test_error_an_answer_of_something_else_is_quoted(self) -> None:
        for status, retryable in ((502, True), (302, False)):
            self.server.fail("GET", "/v1/jobs/", Reply(status, b"<html>gateway</html>"))
            with self.assertRaisesRegex(ProoflineError, "got status .* and '<html>gateway</html>'") as caught:
                self.client.handle("x").job()
            self.assertEqual(caught.exception.retryable, retryable)

    def test_error_a_wrong_key_is_said(self) -> None:
        with self.assertRaisesRegex(ProoflineError, "^unauthorized: "):
            with Client(self.server.url, "other") as stranger:
                stranger.submit("acme.a", 1)

    def test_a_connection_that_the_server_has_closed_meanwhile_costs_no_try(self) -> None:
        queue = self.queue()
        client = self.new_client(retries=0)
        self.server.fail("POST", "/jobs$", HangUp(), HangUp())
        self.assertEqual(len({client.submit(queue, 1).id for _ in range(3)}), 3)

    def test_error_an_api_that_is_not_there(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        client = Client(f"http://127.0.0.1:{port}", "key-1", retries=1)
        with self.assertRaisesRegex(
            ProoflineError, f"^unavailable: expected an API at http://127.0.0.1:{port}"
        ) as caught:
            client.submit("acme.a", 1)
        self.assertEqual((caught.exception.status, caught.exception.retryable), (None, True))


class Register(ServerCase):
    def test_a_contract_is_registered_under_its_version(self) -> None:
        @define_job("acme.resize-image", payload={"type": "object"}, version=3, title="Resizes")
        def resize(ctx: object) -> None: ...

        self.assertEqual(self.client.register(resize)["version"], 3)
        self.assertEqual(self.server.world.queues["acme.resize-image"][3]["title"], "Resizes")

    def test_error_a_narrower_contract_names_the_next_version(self) -> None:
        run = define_job("acme.a", payload={"type": "object"})
        self.client.register(run(lambda ctx: None))
        with self.assertRaises(ProoflineError) as caught:
            self.client.register(define_job("acme.a", payload={"type": "string"})(lambda ctx: None))
        self.assertEqual((caught.exception.code, caught.exception.details["next"]), ("incompatible_contract", 2))


class Handle(ServerCase):
    def test_result_of_a_job_that_succeeds(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        self.server.world.end(self.job(handle), "succeeded", {"ok": True})
        self.assertEqual(handle.result(30), {"ok": True})

    def test_error_a_job_that_failed_or_was_cancelled_has_no_result(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        error = {"code": "no_image", "message": "There is no image.", "details": {"url": "x"}}
        self.server.world.end(self.job(handle), "failed", error=error)
        with self.assertRaises(JobFailed) as caught:
            handle.result(30)
        self.assertEqual((caught.exception.code, caught.exception.message), ("no_image", "There is no image."))
        self.assertEqual((caught.exception.details, caught.exception.job["state"]), ({"url": "x"}, "failed"))
        other = self.client.submit(self.queue(), 1)
        self.assertEqual(other.cancel()["state"], "cancelled")
        with self.assertRaisesRegex(JobFailed, "^cancelled: "):
            self.client.handle(other.id).result(30)
        with self.assertRaisesRegex(ProoflineError, "^state_conflict"):
            other.cancel()

    def test_error_a_wait_ends_in_time(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        with self.assertRaisesRegex(TimeoutError, "expected the end of the job in time"):
            handle.wait(0.05)

    def test_a_signal_is_taken_once_by_its_key(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        self.server.fail("POST", "/signals/", Drop())
        self.assertTrue(handle.signal("go ahead/now", {"by": "ada"}, idempotency_key="k"))
        self.assertFalse(handle.signal("go ahead/now", {"by": "ada"}, idempotency_key="k"))
        self.assertEqual(self.job(handle).signals, {"go ahead/now": {"by": "ada"}})
        # one without a key gets one, so that a lost answer makes no second signal
        self.server.fail("POST", "/signals/", Drop(handled=True))
        self.assertFalse(handle.signal("other"))
        self.assertEqual(len(self.job(handle).signal_keys), 2)


class Settings(unittest.TestCase):
    def test_address_and_key_come_from_the_environment(self) -> None:
        with mock.patch.dict(os.environ, {"PROOFLINE_URL": "http://127.0.0.1:1/api/", "PROOFLINE_KEY": "k"}):
            self.assertEqual(Client().transport.url, "http://127.0.0.1:1/api/")

    def test_error_what_is_missing_or_wrong_is_said(self) -> None:
        with mock.patch.dict(os.environ, {"PROOFLINE_URL": "", "PROOFLINE_KEY": ""}):
            with self.assertRaisesRegex(ValueError, "^PROOFLINE_URL: expected the address"):
                Client()
            with self.assertRaisesRegex(ValueError, "^PROOFLINE_KEY: expected a key"):
                Client("http://127.0.0.1:1")
        with self.assertRaisesRegex(ValueError, "^url: expected an address that starts with"):
            Client("127.0.0.1:4000", "k")
        with self.assertRaisesRegex(ValueError, "^key: expected visible ASCII"):
            Client("http://127.0.0.1:1", "a\nb")


if __name__ == "__main__":
    unittest.main()
