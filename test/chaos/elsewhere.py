"""A worker of the chaos test: each job keeps a step, makes an effect outside, sleeps, and adds up what it has kept."""

import json
import os
import sys
import urllib.request

from proofline import job, serve

PAYLOAD = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


def send(call) -> str:
    """Calls the provider, which takes keys; it refuses some calls, and loses the answers to others."""
    body = json.dumps({"key": call.key, "kind": "idempotent"}).encode()
    with urllib.request.urlopen(
        urllib.request.Request(os.environ["CHAOS_PROVIDER_URL"], body), timeout=10
    ) as answer:
        return json.load(answer)["id"]


@job("chaos.elsewhere", payload=PAYLOAD, result={}, attempts=1000, backoff="50ms", timeout="20s")
def elsewhere(ctx):
    doubled = ctx.step("double", lambda: ctx.payload["n"] * 2)
    sent = ctx.effect("send", {"n": ctx.payload["n"]}, send, kind="idempotent")
    ctx.sleep("rest", 0.2)
    last = ctx.step("add", lambda: doubled + 1)
    return {"sum": last, "sent": sent}


print("ready", flush=True)
sys.stdin.close()
serve([elsewhere], capacity=8)
