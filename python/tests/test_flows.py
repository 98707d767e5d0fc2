"""Flows: what is sent for them, and what a handle of one does."""

from __future__ import annotations

import unittest
from datetime import timedelta

from proofline import FlowNode, ProoflineError, define_job
from tests.server.server import Drop, Reply
from tests.support import ServerCase

FLOW = {"id": "f-1", "state": "queued", "nodes": []}


class Flows(ServerCase):
    def test_everything_that_is_given_is_sent_as_the_api_has_it(self) -> None:
        @define_job("acme.resize-image", payload={}, version=2)
        def resize(ctx: object) -> None: ...

        self.server.fail("POST", "/v1/flows$", Reply(202, FLOW))
        nodes: list[FlowNode] = [
            {"name": "list", "queue": "acme.list-images", "payload": {"shop": 1}, "version": 3},
            {
                "name": "resize",
                "queue": resize,
                "for_each": {"$from": "list", "path": "/urls"},
                "payload": {"url": {"$item": ""}},
                "depends_on": ["list"],
                "on_failure": "continue",
                "delay": timedelta(seconds=1.5),
                "group": "acme",
                "priority": 0,
            },
        ]
        flow = self.client.submit_flow(
            nodes,
            name="gallery",
            result={"$from": "resize"},
            metadata={"ticket": 7},
            webhook={"url": "https://acme.example/told"},
            idempotency_key="k-1",
        )
        (request,) = self.server.seen("POST", "/v1/flows$")
        self.assertEqual(request.headers["idempotency-key"], "k-1")
        self.assertEqual(
            request.json(),
            {
                "name": "gallery",
                "result": {"$from": "resize"},
                "metadata": {"ticket": 7},
                "webhook": {"url": "https://acme.example/told"},
                "nodes": [
                    {"name": "list", "queue": "acme.list-images", "payload": {"shop": 1}, "version": 3},
                    {
                        "name": "resize",
                        "queue": "acme.resize-image",
                        "version": 2,
                        "payload": {"url": {"$item": ""}},
                        "for_each": {"$from": "list", "path": "/urls"},
                        "depends_on": ["list"],
                        "on_failure": "continue",
                        "options": {"delay_ms": 1_500, "group": "acme", "priority": 0},
                    },
                ],
            },
        )
        self.assertEqual((flow.id, repr(flow)), ("f-1", "FlowHandle('f-1')"))

    def test_a_lost_answer_is_asked_for_again_under_the_same_key(self) -> None:
        self.server.fail("POST", "/v1/flows$", Drop(), Reply(202, FLOW))
        self.client.submit_flow([{"name": "one", "queue": "acme.try-it", "payload": 1}])
        sent = self.server.seen("POST", "/v1/flows$")
        self.assertEqual(len(sent), 2)
        self.assertEqual(len({one.headers["idempotency-key"] for one in sent}), 1)

    def test_a_handle_reads_cancels_and_redrives(self) -> None:
        flow = self.client.flow_handle("f-1")
        self.server.fail("GET", "/v1/flows/f-1$", Reply(200, FLOW))
        self.server.fail("DELETE", "/v1/flows/f-1$", Reply(200, {**FLOW, "state": "cancelled"}))
        self.server.fail("POST", "/v1/flows/f-1/redrive$", Reply(200, FLOW))
        self.assertEqual(flow.flow(), FLOW)
        self.assertEqual(flow.cancel()["state"], "cancelled")
        self.assertEqual(flow.redrive()["state"], "queued")

    def test_refusals_name_the_place(self) -> None:
        problem = {"code": "invalid_request", "detail": "body.nodes.0.queue: expected yours."}
        self.server.fail("POST", "/v1/flows$", Reply(400, problem))
        with self.assertRaisesRegex(ProoflineError, "body.nodes.0.queue"):
            self.client.submit_flow([{"name": "one", "queue": "acme.try-it", "payload": 1}])

    def test_a_node_that_cannot_be_read_is_refused_before_anything_is_sent(self) -> None:
        with self.assertRaisesRegex(TypeError, "got none called payload"):
            self.client.submit_flow([{"name": "one", "queue": "acme.try-it"}])  # type: ignore[typeddict-item]
        with self.assertRaisesRegex(TypeError, "got colour"):
            self.client.submit_flow([{"name": "a", "queue": "b.c", "payload": 1, "colour": 2}])  # type: ignore[typeddict-unknown-key]
        self.assertEqual(self.server.requests, [])


if __name__ == "__main__":
    unittest.main()
