"""Ports for programs that tests start."""

import socket


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]
