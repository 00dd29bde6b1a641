"""Refusals carry data for the person who asked. This data is never printed in a log."""

from __future__ import annotations

import inspect

import pytest

from bot.play import refusals
from bot.play.application import Application
from bot.play.refusals import NotYourTurn, Refusal
from tests.helpers.table import SOUTH, Players

REASONS = [refusal for _, refusal in inspect.getmembers(refusals, inspect.isclass) if issubclass(refusal, Refusal)]


@pytest.mark.parametrize("reason", REASONS)
def test_a_refusal_prints_only_its_name(reason: type[Refusal]) -> None:
    """A refusal prints only its name, with `str`, with `repr` and in f-strings. It is hashable."""
    refusal = reason.__new__(reason)
    assert repr(refusal) == str(refusal) == f"{refusal}" == reason.__name__
    assert len({refusal, reason.__new__(reason)}) == 2


async def test_a_hand_in_a_refusal_is_not_printed(app: Application, players: Players) -> None:
    """A refusal that carries a hand prints none of its cards."""
    match = await players.begin()
    hand = await app.lookup.hand(SOUTH.id, match.id)
    assert repr(NotYourTurn(hand)) == "NotYourTurn"
