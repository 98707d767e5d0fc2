"""Requests to the API over kept connections, with bounded retries."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from .backoff import pause, retry_after_of
from .errors import ProoflineError, error_of

VERSION = "0.1.0"
LOST = (OSError, http.client.HTTPException)
"""Exceptions of a connection that could not be made, or was lost."""

_LONGEST_RETRY_AFTER = 60.0
"""Seconds: where the API asks for more, its answer goes to the caller instead."""


@dataclass(frozen=True)
class Answer:
    """A whole answer. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body as JSON; None where there is none.

        :raises ProoflineError: ``unexpected_answer`` for a body that is not JSON
        """
        try:
            return json.loads(self.body) if self.body else None
        except ValueError as error:
            raise error_of(self.status, self.body, "answer") from error


class Stream:
    """An answer that is read as it comes; with an error status it is read already."""

    def __init__(self, connection: http.client.HTTPConnection, sock: socket.socket, what: str) -> None:
        self._connection = connection
        self._response = connection.getresponse()
        self._socket = sock
        self.status = self._response.status
        self.headers = _headers(self._response)
        self.error: ProoflineError | None = None
        if self.status >= 300:
            after = retry_after_of(self.headers.get("retry-after"))
            self.error = error_of(self.status, self._response.read(), what, after)
            self.close()

    def chunks(self, timeout: Callable[[], float]) -> Iterator[bytes]:
        """Bytes as they arrive, until the server ends the answer.

        :param timeout: gives the seconds that the next bytes may take
        :raises TimeoutError: when they take longer
        """
        while True:
            self._socket.settimeout(timeout())
            data = self._response.read1(65_536)
            if not data:
                return
            yield data

    def close(self) -> None:
        self._response.close()
        self._connection.close()


class _Tried(Protocol):
    @property
    def status(self) -> int: ...
    @property
    def headers(self) -> Mapping[str, str]: ...


T = TypeVar("T", bound=_Tried)


class Transport:
    """Requests to one API with one key. Safe to use from several threads."""

    def __init__(self, url: str, key: str, *, timeout: float, retries: int) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url: expected an address that starts with https:// or http://, got {url!r}.")
        if not key.isascii() or not key.isprintable() or " " in key:
            raise ValueError("key: expected visible ASCII characters, got others.")
        self.url = url
        self.timeout = timeout
        self._retries = retries
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._headers = {"authorization": f"Bearer {key}", "user-agent": f"proofline-python/{VERSION}"}
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def call(self, method: str, path: str, body: bytes | None = None, **options: Any) -> Answer:
        """Sends a request as :meth:`exchange` does.

        :raises ProoflineError: for an answer that is not one of success, too
        """
        answer = self.exchange(method, path, body, **options)
        if answer.status >= 300:
            raise self.refusal(answer, method, path)
        return answer

    def exchange(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
        timeout: float | None = None,
        retries: int | None = None,
    ) -> Answer:
        """Sends a request and reads its answer, whatever its status is.

        A lost connection, 429 and 503 are tried again, except an answer about a job that was accepted. Every request
        must therefore be safe to repeat.

        :raises ProoflineError: ``unavailable`` where no answer came
        """
        typed = {"content-type": content_type} if body is not None else {}
        sent = {**self._headers, "accept": "application/json", **typed, **(headers or {})}
        seconds = self.timeout if timeout is None else timeout
        return self._retried(lambda: self._once(method, path, body, sent, seconds), retries)

    def stream(self, path: str, headers: Mapping[str, str], timeout: float, until: float | None = None) -> Stream:
        """Opens a stream of server-sent events.

        :param timeout: seconds until its head has come
        :param until: nothing is tried again after this, by ``time.monotonic()``
        :raises ProoflineError: for a refusal, or where no answer came
        """
        sent = {**self._headers, "accept": "text/event-stream", **headers}

        def once() -> Stream:
            connection = self._connect(timeout)
            try:
                connection.request("GET", self._prefix + path, headers=sent)
                # the response takes the socket over, but bounds of time are set on the socket
                return Stream(connection, connection.sock, f"GET {path}")
            except BaseException:
                connection.close()
                raise

        stream = self._retried(once, until=until)
        if stream.error is not None:
            raise stream.error
        return stream

    def refusal(self, answer: Answer, method: str, path: str) -> ProoflineError:
        """The error that an answer stands for."""
        after = retry_after_of(answer.headers.get("retry-after"))
        return error_of(answer.status, answer.body, f"{method} {path}", after)

    def close(self) -> None:
        """Closes the connections that no request uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _retried(self, once: Callable[[], T], retries: int | None = None, until: float | None = None) -> T:
        most = self._retries if retries is None else retries
        failures = 0
        while True:
            failures += 1
            is_last = failures > most or (until is not None and time.monotonic() >= until)
            after: float | None = None
            try:
                answer = once()
            except LOST as error:
                if is_last:
                    raise self._no_answer(error) from error
            else:
                after = retry_after_of(answer.headers.get("retry-after"))
                is_job = "x-job-id" in answer.headers
                if answer.status not in (429, 503) or is_job or is_last or (after or 0) > _LONGEST_RETRY_AFTER:
                    return answer
            time.sleep(pause(failures, after))

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], timeout: float) -> Answer:
        connection = self._take(timeout)
        is_kept = connection is not None
        connection = connection or self._connect(timeout)
        try:
            connection.request(method, self._prefix + path, body=body, headers=dict(headers))
            response = connection.getresponse()
            answer = Answer(response.status, _headers(response), response.read())
        except LOST as error:
            connection.close()
            # the server has closed a connection that was kept too long: no failure of this request
            if is_kept and not isinstance(error, TimeoutError):
                self.close()
                return self._once(method, path, body, headers, timeout)
            raise
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None:
            with self._lock:
                self._idle.append(connection)
        return answer

    def _take(self, timeout: float) -> http.client.HTTPConnection | None:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        if connection is not None and connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)

    def _no_answer(self, error: BaseException) -> ProoflineError:
        why = str(error) or type(error).__name__
        return ProoflineError("unavailable", f"expected an API at {self.url}, got no answer ({why}).")


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
