import proofline
from jobs import welcome_customer

with proofline.Client() as client:
    job = client.submit(welcome_customer, {"name": "Ada"})
    for event in job.events():
        print(event.type, event.data, flush=True)
    print(job.result())
