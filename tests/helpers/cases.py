"""Cases of parametrised tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest
from _pytest.mark.structures import ParameterSet


def slow_after(quick: int, cases: Iterable[Any]) -> list[Any]:
    """Mark all cases but the first few as slow. A case is what `pytest.mark.parametrize` takes."""
    marked: list[Any] = []
    for number, case in enumerate(cases):
        if number < quick:
            marked.append(case)
        elif isinstance(case, ParameterSet):
            marked.append(pytest.param(*case.values, marks=[*case.marks, pytest.mark.slow], id=case.id))
        else:
            values = cast(Iterable[Any], case) if isinstance(case, tuple) else (case,)
            marked.append(pytest.param(*values, marks=pytest.mark.slow))
    return marked
