import proofline


@proofline.job(
    "acme.do-something",
    payload={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
)
def do_something(ctx):
    length = ctx.step("measure", lambda: len(ctx.payload["text"]))
    return {"length": length}
