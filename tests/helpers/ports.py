"""Ports for programs that tests start."""

import socket


def free_port() -> int:
    """Return a port that is free on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
