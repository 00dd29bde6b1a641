"""A process that draws pictures for another one: it reads calls from its input, and writes pictures to its output.

`python -m cardart` runs it.

A frame is the length of the rest, in four bytes, and a pickled value. The first frame from this process says that it is
ready. Then each call, a function and its arguments, is answered with a `Drawn`, in the order of the calls. Only the
process that started this one can write to its input, so unpickling is safe.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

from cardart.drawing.canvas import Picture

LENGTH_BYTES: Final = 4
"""Number of bytes at the start of a frame."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture, or the error with which drawing it failed, and the time that it took in seconds."""

    picture: Picture | None
    error: Exception | None
    seconds: float


def frame(value: object) -> bytes:
    """Return a value in the form in which it is sent."""
    content = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return len(content).to_bytes(LENGTH_BYTES) + content


def serve(calls: BinaryIO, answers: BinaryIO) -> None:
    """Draw pictures until there are no more calls."""
    _write(answers, frame(None))
    while length := calls.read(LENGTH_BYTES):
        draw, arguments = pickle.loads(calls.read(int.from_bytes(length)))
        _write(answers, _answer(draw, arguments))


def _answer(draw: Callable[..., Picture], arguments: tuple[Any, ...]) -> bytes:
    started_at = time.perf_counter()
    try:
        drawn = Drawn(draw(*arguments), None, time.perf_counter() - started_at)
    except Exception as error:
        drawn = Drawn(None, error, time.perf_counter() - started_at)
    try:
        return frame(drawn)
    except Exception as error:
        return frame(Drawn(None, RuntimeError(f"{type(error).__name__}: {drawn.error}"), drawn.seconds))


def _write(answers: BinaryIO, content: bytes) -> None:
    answers.write(content)
    answers.flush()
