"""What holds for every test."""

import structlog


def pytest_configure() -> None:
    """Show what is logged plainly: the locals that structlog would print of an error here are whole matches."""
    plain = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[structlog.processors.add_log_level, plain])
