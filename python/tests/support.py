"""A server and a client for each test, and workers beside it."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import proofline
from proofline.worker.serve import serve
from tests.server.server import Server
from tests.server.world import Job

ANY: dict[str, Any] = {}
"""A payload that may be anything."""


def job(run: Any, **options: Any) -> proofline.Job[Any, Any]:
    """A job of the queue acme.try-it."""
    return proofline.define_job("acme.try-it", payload=ANY, **options)(run)


class ServerCase(unittest.TestCase):
    """A test with a server of its own. What it waits for must come; nothing is measured."""

    def setUp(self) -> None:
        self.server = Server()
        self.addCleanup(self.server.close)
        self.client = self.new_client()

    def new_client(self, **options: Any) -> proofline.Client:
        client = proofline.Client(self.server.url, "key-1", **options)
        self.addCleanup(client.close)
        return client

    def queue(self, name: str = "acme.try-it") -> str:
        """A queue that is registered without a worker."""
        self.server.world.register(name, 1, {"title": name, "payload": {}, "result": {}})
        return name

    def job(self, handle: proofline.JobHandle) -> Job:
        """A job as the server knows it."""
        return self.server.world.job(handle.id)

    def until(self, look: Any, what: str) -> Any:
        """Waits until the server knows something, and gives it."""
        return self.server.world.until(look, what)

    @contextmanager
    def working(self, *jobs: proofline.Job[Any, Any], **options: Any) -> Iterator[threading.Event]:
        """A worker in a thread; ends with the block, or when the event is set that the block gets."""
        stop = threading.Event()
        failures: list[BaseException] = []

        def work() -> None:
            try:
                serve(jobs, client=self.client, stop=stop, **options)
            except BaseException as error:
                failures.append(error)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield stop
        finally:
            stop.set()
            thread.join(30)
        self.assertFalse(thread.is_alive(), "the worker did not end")
        if failures:
            raise failures[0]
