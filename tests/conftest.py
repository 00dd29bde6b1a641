"""What holds for every test."""

import os

import pytest
import structlog


def pytest_configure() -> None:
    """Show what is logged plainly: the locals that structlog would print of an error here are whole matches."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are processors: much of the time a test waits for sockets and a disk."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest, the proofs: whoever is done first takes the next test, so that all end together."""
    items.sort(key=lambda item: "proof" not in item.path.parts)
