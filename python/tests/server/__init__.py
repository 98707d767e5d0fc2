"""A server that speaks the protocol in memory, and fails as it is told to."""
