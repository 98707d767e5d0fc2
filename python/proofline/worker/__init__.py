"""The worker: one job at a time in each of its threads, over HTTP."""
