import proofline


@proofline.job(
    "acme.welcome-customer",
    payload={"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    result={"type": "object", "properties": {"sent": {"type": "string"}}, "required": ["sent"]},
)
def welcome_customer(ctx):
    def write():
        print(f"writing to {ctx.payload['name']}", flush=True)
        return f"Welcome, {ctx.payload['name']}!"

    def send(call):
        print(f"sending under {call.key}", flush=True)
        return {"sent": call.request["text"]}

    text = ctx.step("write", write)
    ctx.progress({"percent": 50})
    ctx.sleep("think it over", "5s")
    return ctx.effect("send", {"text": text}, send)
