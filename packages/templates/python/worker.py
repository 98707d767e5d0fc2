import proofline
from jobs import jobs

proofline.serve(jobs)
