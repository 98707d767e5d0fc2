"""The protocol over HTTP, with faults on purpose."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

from .fleet import Fleet
from .world import TERMINAL, Refusal, World

Headers = Mapping[str, str]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Headers
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Reply:
    """An answer; as a fault: the answer instead of what the API would do."""

    status: int
    body: Any = None
    headers: Headers = field(default_factory=dict)


@dataclass(frozen=True)
class Drop:
    """The connection is cut; with ``handled`` after the API has done what was asked for."""

    handled: bool = False


@dataclass(frozen=True)
class HangUp:
    """The answer is whole, and the connection closed behind it without a word."""


@dataclass(frozen=True)
class Cut:
    """A stream is cut in the midst of the event behind so many whole ones."""

    events: int


Fault = Reply | Drop | HangUp | Cut


class Server:
    """The API at ``url``. Requests that have come are in ``requests``."""

    def __init__(self) -> None:
        self.world = World()
        self.fleet = Fleet(self.world)
        self.requests: list[Request] = []
        self._faults: list[tuple[str, str, Fault]] = []
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"server_of": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def fail(self, method: str, path: str, *faults: Fault) -> None:
        """Meets the next requests of a method and a path (an expression) with faults, one each."""
        with self._lock:
            self._faults += [(method, path, fault) for fault in faults]

    def fault_of(self, request: Request) -> Fault | None:
        with self._lock:
            for index, (method, path, fault) in enumerate(self._faults):
                if method == request.method and re.search(path, request.path):
                    del self._faults[index]
                    return fault
        return None

    def seen(self, method: str, path: str) -> list[Request]:
        """The requests of a method and a path (an expression)."""
        with self.world.changed:
            return [one for one in self.requests if one.method == method and re.search(path, one.path)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_of: Server

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle_any(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, body)
        with self.server_of.world.changed:
            self.server_of.requests.append(request)
            self.server_of.world.changed.notify_all()
        fault = self.server_of.fault_of(request)
        if isinstance(fault, Drop) and not fault.handled:
            self._cut()
            return
        if re.fullmatch(r"/v1/jobs/[^/]+/events", request.path) and not isinstance(fault, Reply):
            self._stream(request, fault.events if isinstance(fault, Cut) else None)
            return
        reply = fault if isinstance(fault, Reply) else self._reply(request)
        if isinstance(fault, Drop):
            self._cut()
            return
        self._send(reply)
        self.close_connection = isinstance(fault, HangUp)

    do_GET = do_POST = do_PUT = do_DELETE = handle_any

    def _reply(self, request: Request) -> Reply:
        if request.headers.get("authorization") != "Bearer key-1":
            return _problem(Refusal(401, "unauthorized", "expected a key, got none that is known."))
        for method, pattern, handle in _routes:
            match = re.fullmatch(pattern, request.path)
            if match and method == request.method:
                try:
                    return handle(self.server_of, request, *match.groups())
                except Refusal as refusal:
                    return _problem(refusal)
        return _problem(Refusal(404, "not_found", f"expected a path of this API, got {request.path}."))

    def _send(self, reply: Reply) -> None:
        text = (
            reply.body
            if isinstance(reply.body, bytes)
            else b""
            if reply.body is None
            else json.dumps(reply.body).encode()
        )
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _cut(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _stream(self, request: Request, most: int | None) -> None:
        world = self.server_of.world
        job = world.job(request.path.split("/")[3])
        seen = int(request.headers.get("last-event-id", "e.0").split(".")[1])
        if seen == len(job.events) and job.state in TERMINAL:
            self._send(Reply(204))
            return
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self._chunk("retry: 10\n\n:\n\n")
        while seen == 0 or job.events[seen - 1]["type"] not in TERMINAL:
            event = world.until(lambda: job.events[seen:][:1], "the next event")[0]
            text = f"id: {event['id']}\nevent: {event['type']}\ndata: {json.dumps(event)}\n\n"
            if most == 0:
                self._chunk(text[: len(text) // 2])
                self._cut()
                return
            self._chunk(text)
            seen += 1
            most = None if most is None else most - 1
        self._chunk("")

    def _chunk(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _problem(refusal: Refusal) -> Reply:
    return Reply(refusal.status, refusal.problem, {"content-type": "application/problem+json"})


def _register(server: Server, request: Request, name: str) -> Reply:
    body = request.json()
    return Reply(201, server.world.register(name, body["version"], body["contract"]))


def _submit(server: Server, request: Request, queue: str) -> Reply:
    job, _ = server.world.submit(queue, request.json(), request.headers.get("idempotency-key"))
    headers = {"x-job-id": job.id}
    if job.state == "succeeded":
        return Reply(200, job.result, headers)
    if job.state in TERMINAL:
        problem = {"status": 503, "code": job.error["code"], "detail": job.error["message"]}
        return Reply(503, problem, {**headers, "retry-after": "1"})
    return Reply(202, job.view(), {**headers, "location": f"/v1/jobs/{job.id}"})


def _bulk(server: Server, request: Request, query: str) -> Reply:
    def answer(index: int, line: bytes) -> dict[str, Any]:
        body = json.loads(line)
        try:
            job, created = server.world.submit(body["queue"], body, body["idempotency_key"])
        except Refusal as refusal:
            return {"index": index, "error": {"code": refusal.problem["code"], "message": str(refusal)}}
        return {"index": index, "id": job.id, "created": created}

    lines = [json.dumps(answer(index, line)) for index, line in enumerate(request.body.split(b"\n"))]
    return Reply(200, "\n".join(lines).encode(), {"content-type": "application/x-ndjson"})


def _read(server: Server, request: Request, id: str) -> Reply:
    return Reply(200, server.world.job(id).view())


def _cancel(server: Server, request: Request, id: str) -> Reply:
    server.world.cancel(server.world.job(id))
    return _read(server, request, id)


def _signal(server: Server, request: Request, id: str, name: str) -> Reply:
    key = request.headers["idempotency-key"]
    accepted = server.world.signal(server.world.job(id), unquote(name), request.json()["payload"], key)
    return Reply(202, {"job_id": id, "name": unquote(name), "accepted": accepted})


def _enter(server: Server, request: Request) -> Reply:
    return Reply(201, server.fleet.register(request.json()))


def _poll(server: Server, request: Request, id: str) -> Reply:
    return Reply(200, server.fleet.poll(id, request.json()))


def _report(server: Server, request: Request, id: str) -> Reply:
    return Reply(200, server.fleet.report(id, request.json()["reports"]))


def _leave(server: Server, request: Request, id: str) -> Reply:
    server.fleet.leave(id)
    return Reply(204)


_routes: list[tuple[str, str, Callable[..., Reply]]] = [
    ("PUT", r"/v1/queues/([^/]+)", _register),
    ("POST", r"/v1/queues/([^/]+)/jobs", _submit),
    ("POST", r"/v1/jobs/bulk(\?atomic=true)?", _bulk),
    ("GET", r"/v1/jobs/([^/]+)", _read),
    ("DELETE", r"/v1/jobs/([^/]+)", _cancel),
    ("POST", r"/v1/jobs/([^/]+)/signals/([^/]+)", _signal),
    ("POST", r"/v1/workers", _enter),
    ("POST", r"/v1/workers/([^/]+)/poll", _poll),
    ("POST", r"/v1/workers/([^/]+)/report", _report),
    ("DELETE", r"/v1/workers/([^/]+)", _leave),
]
