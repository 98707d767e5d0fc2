"""A worker that says how far its jobs are, so that a test can end it, or them, in the midst."""

import time

import proofline


@proofline.job("acme.survive-crash", payload={"type": "object"}, title="Survives the end of its worker")
def survive(ctx: proofline.Context[object]) -> dict[str, int]:
    first = ctx.step("first", lambda: ctx.attempt)
    if ctx.attempt == 1:
        wait_until_stopped(ctx)
    return {"first": first, "attempt": ctx.attempt}


@proofline.job("acme.be-cancelled", payload={"type": "object"}, title="Goes on until it is cancelled")
def be_cancelled(ctx: proofline.Context[object]) -> None:
    wait_until_stopped(ctx)


def wait_until_stopped(ctx: proofline.Context[object]) -> None:
    print("begun", flush=True)
    try:
        while True:
            ctx.raise_if_cancelled()
            time.sleep(0.01)
    except proofline.Cancelled as cancelled:
        print(f"stopped: {cancelled.reason}", flush=True)
        raise


proofline.serve([survive, be_cancelled])
