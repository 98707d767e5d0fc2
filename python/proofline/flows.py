"""Flows: jobs that follow each other, as they are submitted and followed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, Required, TypedDict
from urllib.parse import quote

from .contract import Job, queue_of
from .handle import JobHandle
from .times import Duration, milliseconds
from .transport import Transport

_AS_GIVEN = ("depends_on", "on_failure", "for_each")
_OPTIONS = ("priority", "group", "metadata", "approval", "budget", "receipt")


class FlowNode(TypedDict):
    """Jobs of one queue, and what they wait for.

    The payload may hold ``{"$from": node, "path": pointer}`` for the result of another node, and in a fan-out
    ``{"$item": pointer}`` for the item.
    """

    name: Required[str]
    queue: Required[str | Job[Any, Any]]
    payload: Required[Any]
    version: NotRequired[int]
    depends_on: NotRequired[Sequence[str]]
    """Nodes that have to end before it begins, beside those that it refers to."""
    on_failure: NotRequired[str]
    """Effect of its failure: ``fail`` the flow, the default, ``continue``, or ``skip`` the nodes behind it."""
    for_each: NotRequired[Mapping[str, str]]
    """Array in the result of a node, ``{"$from": node, "path": pointer}``: one job an item, up to 100,000."""
    priority: NotRequired[int]
    group: NotRequired[str]
    delay: NotRequired[Duration]
    metadata: NotRequired[Mapping[str, Any]]
    approval: NotRequired[bool | Mapping[str, Any]]
    budget: NotRequired[Mapping[str, float]]
    receipt: NotRequired[bool]


class FlowHandle(JobHandle):
    """A flow of the API, by its id. It is a job, whose end and result are those of the flow."""

    def __init__(self, transport: Transport, id: str) -> None:
        super().__init__(transport, id)
        self._flow_path = f"/v1/flows/{quote(id, safe='')}"

    def __repr__(self) -> str:
        return f"FlowHandle({self.id!r})"

    def flow(self) -> dict[str, Any]:
        """The flow as it is now: ``state``, ``result``, ``error``, and ``nodes`` with counts of their jobs."""
        flow: dict[str, Any] = self._transport.call("GET", self._flow_path).json()
        return flow

    def cancel(self) -> dict[str, Any]:
        """Cancels the flow with all of its jobs that have not ended, and gives it as it is then.

        :raises ProoflineError: ``state_conflict`` where it has ended
        """
        flow: dict[str, Any] = self._transport.call("DELETE", self._flow_path).json()
        return flow

    def redrive(self) -> dict[str, Any]:
        """Runs the rest of a flow again that failed or was cancelled; what succeeded is kept.

        :raises ProoflineError: ``state_conflict`` where it has not ended, or has succeeded
        """
        flow: dict[str, Any] = self._transport.call("POST", f"{self._flow_path}/redrive").json()
        return flow


def node_body(node: Mapping[str, Any]) -> dict[str, Any]:
    """A node as the API takes it.

    :raises TypeError: for a name that is not known
    :raises ValueError: for a duration that is none
    """
    unknown = sorted(node.keys() - FlowNode.__annotations__.keys())
    missing = sorted({"name", "queue", "payload"} - node.keys())
    if unknown or missing:
        names = ", ".join(FlowNode.__annotations__)
        got = ", ".join(unknown) or f"none called {', '.join(missing)}"
        raise TypeError(f"node: expected name, queue and payload and, of {names}, others; got {got}.")
    queue, own = queue_of(node["queue"])
    given = {name: value for name, value in node.items() if value is not None}
    body: dict[str, Any] = {"name": node["name"], "queue": queue, "payload": node["payload"]}
    if given.get("version", own) is not None:
        body["version"] = given.get("version", own)
    body |= {name: given[name] for name in _AS_GIVEN if name in given}
    options: dict[str, Any] = {name: given[name] for name in _OPTIONS if name in given}
    if "delay" in given:
        options["delay_ms"] = milliseconds(given["delay"], "delay")
    if options:
        body["options"] = options
    return body
