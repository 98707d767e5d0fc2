"""Durable jobs on Proofline: submit them, and work on them."""

from .client import Client
from .contract import Job, define_job, job
from .errors import JobFailed, ProoflineError
from .events import Event
from .flows import FlowHandle, FlowNode
from .handle import JobHandle
from .submission import BulkAnswer, JobRequest
from .transport import VERSION as __version__
from .worker.context import Child, Context
from .worker.effects import EffectCall, Outcome
from .worker.endings import Cancelled, ChildFailed, EffectRefused, InvalidValue, JobError, WaitTimedOut
from .worker.serve import serve

__all__ = [
    "BulkAnswer",
    "Cancelled",
    "Child",
    "ChildFailed",
    "Client",
    "Context",
    "EffectCall",
    "EffectRefused",
    "Event",
    "FlowHandle",
    "FlowNode",
    "InvalidValue",
    "Job",
    "JobError",
    "JobFailed",
    "JobHandle",
    "JobRequest",
    "Outcome",
    "ProoflineError",
    "WaitTimedOut",
    "__version__",
    "define_job",
    "job",
    "serve",
]
