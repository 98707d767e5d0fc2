"""Streams: how they are read, and how they go on after a cut."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Iterable

from proofline import ProoflineError
from proofline.events import Message, read_messages
from tests.server.server import Cut, Drop, Reply
from tests.server.world import now
from tests.support import ServerCase


class Follow(ServerCase):
    def test_a_stream_that_is_cut_goes_on_behind_the_last_event_seen(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        job = self.job(handle)
        for n in range(5):
            self.server.world.add_event(job, "progress", n)
        self.server.world.end(job, "succeeded")
        self.server.fail("GET", "/events$", Cut(0), Cut(3), Drop(), Cut(2))
        events = list(handle.events())
        self.assertEqual([one.id for one in events], [f"e.{n}" for n in range(1, 8)])
        self.assertEqual([one.type for one in events], ["queued", *["progress"] * 5, "succeeded"])
        self.assertEqual([one.data for one in events[1:6]], [0, 1, 2, 3, 4])
        cursors = [one.headers.get("last-event-id") for one in self.server.seen("GET", "/events$")]
        self.assertEqual(cursors, [None, None, "e.3", "e.3", "e.5"])

    def test_events_come_as_they_happen(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        events = handle.events()
        self.assertEqual(next(events).type, "queued")
        end = threading.Thread(target=self.server.world.end, args=(self.job(handle), "cancelled"))
        end.start()
        self.assertEqual([one.type for one in events], ["cancelled"])
        end.join()

    def test_204_behind_the_last_event_ends_the_stream(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        self.server.fail("GET", "/events$", Cut(1), Reply(204))
        self.server.world.add_event(self.job(handle), "started")
        self.assertEqual([one.type for one in handle.events()], ["queued"])

    def test_a_reset_to_a_job_that_has_ended_ends_the_stream(self) -> None:
        handle = self.client.submit(self.queue(), 1)
        job = self.job(handle)
        self.server.world.add_event(job, "reset", {"reason": "slow"})
        self.server.world.add_event(job, "reset", {"reason": "gap", "snapshot": {"state": "failed"}})
        self.assertEqual([one.type for one in handle.events()], ["queued", "reset", "reset"])

    def test_error_a_job_that_is_not_there(self) -> None:
        self.server.fail("GET", "/events$", Reply(404, {"code": "not_found", "detail": "No such job."}))
        with self.assertRaisesRegex(ProoflineError, "^not_found: No such job."):
            list(self.client.handle("x").events())

    def test_error_an_api_that_does_not_come_back(self) -> None:
        handle = self.new_client(retries=1).submit(self.queue(), 1)
        self.server.fail("GET", "/events$", Drop(), Drop())
        with self.assertRaisesRegex(ProoflineError, "^unavailable: "):
            list(handle.events())


class Read(unittest.TestCase):
    def read(self, *chunks: bytes) -> list[Message]:
        return list(read_messages(chunks))

    def test_fields_comments_and_ends_of_lines(self) -> None:
        text = ":hello\nid: e.1\nevent: queued\ndata: {\ndata:}\n\nretry: 50\n\nevent: nothing\n\n"
        expected = [Message("e.1", "{\n}", None), Message(None, None, 50)]
        for end in ("\n", "\r\n", "\r"):
            with self.subTest(end=end):
                self.assertEqual(self.read(text.replace("\n", end).encode()), expected)

    def test_any_chunks_give_the_same(self) -> None:
        text = 'id: e.1\r\ndata: "é\U0001f600"\r\n\r\ndata: 2\r\n\r\n'.encode()
        expected = [Message("e.1", '"é\U0001f600"', None), Message(None, "2", None)]
        for size in range(1, len(text)):
            chunks: Iterable[bytes] = [text[at : at + size] for at in range(0, len(text), size)]
            self.assertEqual(self.read(*chunks), expected, size)

    def test_what_was_cut_off_is_no_message(self) -> None:
        self.assertEqual(self.read(f"data: {now()}\n".encode()), [])


if __name__ == "__main__":
    unittest.main()
