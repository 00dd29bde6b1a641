"""Marks for the cases of parametrised tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest
from _pytest.mark.structures import ParameterSet


def thorough_after(quick: int, cases: Iterable[Any]) -> list[Any]:
    """Return cases for `pytest.mark.parametrize`. The first `quick` cases stay unmarked, all others are `thorough`."""
    return _marked_after(quick, cases, pytest.mark.thorough)


def nightly_after(daily: int, cases: Iterable[Any]) -> list[Any]:
    """Return cases for `pytest.mark.parametrize`. The first `daily` cases stay unmarked, all others are `nightly`."""
    return _marked_after(daily, cases, pytest.mark.nightly)


def _marked_after(first: int, cases: Iterable[Any], mark: pytest.MarkDecorator) -> list[Any]:
    marked: list[Any] = []
    for number, case in enumerate(cases):
        if number < first:
            marked.append(case)
        elif isinstance(case, ParameterSet):
            marked.append(pytest.param(*case.values, marks=[*case.marks, mark], id=case.id))
        else:
            values = cast(Iterable[Any], case) if isinstance(case, tuple) else (case,)
            marked.append(pytest.param(*values, marks=mark))
    return marked
