"""Many jobs at once."""

from __future__ import annotations

import json
import unittest
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from proofline import BulkAnswer, JobRequest, ProoflineError
from tests.server.server import Drop, Reply
from tests.support import ServerCase


class Bulk(ServerCase):
    def requests(self, number: int) -> Iterator[JobRequest]:
        queue = self.queue()
        return ({"queue": queue, "payload": n} for n in range(number))

    def payloads(self, answers: list[BulkAnswer]) -> list[Any]:
        return [self.server.world.jobs[one.id or ""].body["payload"] for one in answers]

    def test_slices_of_at_most_10000_are_answered_in_order(self) -> None:
        answers = list(self.client.bulk(self.requests(20_001)))
        self.assertEqual([one.index for one in answers], list(range(20_001)))
        self.assertEqual(self.payloads(answers), list(range(20_001)))
        sizes = [one.body.count(b"\n") + 1 for one in self.server.seen("POST", "bulk")]
        self.assertEqual(sizes, [10_000, 10_000, 1])
        self.assertEqual(self.server.requests[0].headers["content-type"], "application/x-ndjson")

    def test_an_endless_iterable_is_read_slice_by_slice(self) -> None:
        queue = self.queue()
        endless: Iterator[JobRequest] = ({"queue": queue, "payload": n} for n in count())
        self.assertEqual(self.payloads(list(islice(self.client.bulk(endless, slice_size=3), 4))), [0, 1, 2, 3])
        self.assertEqual(len(self.server.seen("POST", "bulk")), 2)

    def test_a_slice_whose_answer_was_lost_makes_no_job_twice(self) -> None:
        self.server.fail("POST", "bulk", Drop(handled=True))
        answers = list(self.client.bulk(self.requests(5)))
        self.assertEqual(len(self.server.world.jobs), 5)
        self.assertEqual(self.payloads(answers), [0, 1, 2, 3, 4])
        self.assertEqual({one.created for one in answers}, {False})

    def test_a_job_that_is_refused_leaves_the_others(self) -> None:
        jobs: list[JobRequest] = [
            {"queue": self.queue(), "payload": 1, "idempotency_key": "k", "delay": 2, "group": "g"},
            {"queue": "acme.unknown", "payload": 2},
        ]
        good, bad = self.client.bulk(jobs)
        self.assertEqual((good.index, good.created, good.error), (0, True, None))
        self.assertEqual((bad.index, bad.id, bad.created), (1, None, False))
        self.assertIsInstance(bad.error, ProoflineError)
        self.assertEqual(bad.error and bad.error.code, "not_found")
        first = json.loads(self.server.requests[0].body.splitlines()[0])
        self.assertEqual(
            first, {"queue": "acme.try-it", "payload": 1, "idempotency_key": "k", "delay_ms": 2_000, "group": "g"}
        )

    def test_all_or_nothing_is_one_slice(self) -> None:
        self.assertEqual(len(list(self.client.bulk(self.requests(3), atomic=True))), 3)
        self.assertEqual(self.server.requests[0].path, "/v1/jobs/bulk?atomic=true")
        with self.assertRaisesRegex(
            ValueError, "^jobs: expected at most 2 where all or nothing is asked for, got more"
        ):
            list(self.client.bulk(self.requests(3), atomic=True, slice_size=2))
        self.assertEqual(len(self.server.requests), 1)
        self.assertEqual(list(self.client.bulk([])), [])

    def test_error_a_name_that_is_not_known(self) -> None:
        wrong: Any = [{"queue": "acme.a", "payload": 1, "prio": 3}]
        with self.assertRaisesRegex(TypeError, "^job: expected queue, payload and, of queue, .*; got prio."):
            list(self.client.bulk(wrong))
        with self.assertRaisesRegex(TypeError, "got no queue or no payload"):
            list(self.client.bulk([{"queue": "acme.a"}]))  # type: ignore[typeddict-item]
        with self.assertRaisesRegex(ValueError, "^slice_size: expected 1 to 10000, got 10001"):
            list(self.client.bulk([], slice_size=10_001))

    def test_error_answers_that_are_missing_are_noticed(self) -> None:
        self.server.fail("POST", "bulk", Reply(200, b'{"index":0,"id":"x","created":true}\n'))
        with self.assertRaisesRegex(ProoflineError, "expected 2 answers, got 1"):
            list(self.client.bulk(self.requests(2)))


if __name__ == "__main__":
    unittest.main()
