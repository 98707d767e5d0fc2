"""Server-sent events, across lost connections."""

from __future__ import annotations

import codecs
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .jsontext import object_of
from .transport import LOST, Transport

TERMINAL = frozenset({"succeeded", "failed", "cancelled"})
"""Final states of a job, and the events that end its stream."""

_QUIET = 60.0
"""Seconds without a sign of life after which a connection is given up; servers show one every 15 s."""


@dataclass(frozen=True)
class Event:
    """One thing that happened to a job. ``id`` is the cursor behind it; None where it moves none."""

    id: str | None
    type: str
    at: str
    data: Any


@dataclass(frozen=True)
class Message:
    """One block of a stream; ``retry`` is in milliseconds."""

    id: str | None
    data: str | None
    retry: int | None


def read_messages(chunks: Iterable[bytes]) -> Iterator[Message]:
    """The blocks of a stream of server-sent events; one that was cut off is left out."""
    fields: dict[str, list[str]] = {}
    for line in _lines(chunks):
        if line:
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
            continue
        retry = fields.get("retry", [""])[-1]
        data = fields.get("data")
        if data is not None or retry:
            ids = fields.get("id")
            yield Message(
                ids[-1] if ids else None,
                "\n".join(data) if data is not None else None,
                int(retry) if retry.isdecimal() else None,
            )
        fields = {}


def _lines(chunks: Iterable[bytes]) -> Iterator[str]:
    decode = codecs.getincrementaldecoder("utf-8")("replace").decode
    rest = ""
    for chunk in chunks:
        # a carriage return at the end may be half of a line's end
        text = rest + decode(chunk)
        held = "\r" if text.endswith("\r") else ""
        lines = text.removesuffix(held).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rest = lines.pop() + held
        yield from lines


def follow_job(transport: Transport, path: str, deadline: float | None = None) -> Iterator[Event]:
    """The events of a job, from the first to the one that ends it; goes on behind the last one seen after a cut.

    :param deadline: by ``time.monotonic()``
    :raises TimeoutError: at the deadline
    :raises ProoflineError: for a refusal, or where the API does not answer
    """
    cursor: str | None = None
    pause = 1.0
    while True:
        headers = {} if cursor is None else {"last-event-id": cursor}
        stream = transport.stream(path, headers, min(transport.timeout, _left(deadline)), deadline)
        try:
            if stream.status == 204:
                return
            for message in read_messages(stream.chunks(lambda: min(_QUIET, _left(deadline)))):
                pause = pause if message.retry is None else message.retry / 1_000
                if message.data is None:
                    continue
                event = _event(message)
                cursor = event.id or cursor
                yield event
                if _is_last(event):
                    return
        except LOST:
            # a cut; past the deadline the next look at the time ends it
            pass
        finally:
            stream.close()
        time.sleep(min(pause, _left(deadline)))


def _left(deadline: float | None) -> float:
    """Seconds until a deadline.

    :raises TimeoutError: when it has passed
    """
    if deadline is None:
        return float(_QUIET)
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("expected the end of the job in time, got none; it goes on.")
    return left


def _event(message: Message) -> Event:
    body = json.loads(message.data or "{}")
    return Event(message.id, body["type"], body["at"], body.get("data"))


def _is_last(event: Event) -> bool:
    if event.type in TERMINAL:
        return True
    reset = object_of(event.data) if event.type == "reset" else None
    snapshot = object_of(reset.get("snapshot")) if reset else None
    return snapshot is not None and snapshot.get("state") in TERMINAL
