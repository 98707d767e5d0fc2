"""Tests of the library against a small server that speaks the protocol in memory."""

import logging

# what goes wrong in these tests is meant to
logging.getLogger("proofline").addHandler(logging.NullHandler())
logging.getLogger("proofline").propagate = False
