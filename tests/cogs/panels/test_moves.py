"""The buttons and menus of a hand: all that is legal, and nothing else."""

from __future__ import annotations

import pytest
from discord import ui

from bot.engine.match import Match, Play, apply, legal, new_match
from bot.engine.moves import TAKE, Move, Seat, Verb
from bot.engine.record import Record
from bot.engine.rules import PRESETS
from bot.engine.views import Phase
from bot.values.matches import OwnHand
from cardart.text.card_names import ENGLISH
from cogs.kit.components import Button, Menu
from cogs.panels import moves as panels
from cogs.panels.moves import ways_to_knock
from tests.cogs.text.samples import RECORDS, begun, hand_of, until
from tests.helpers.shufflers import KNOCK_AT_ONCE

_SIMPLE = {
    "draw": Verb.DRAW,
    "take": Verb.TAKE,
    "pass": Verb.PASS,
    "big": Verb.BIG_GIN,
    "done": Verb.DONE,
}
_CHOSEN = {"discard": Verb.DISCARD, "knock": Verb.KNOCK, "knock_as": Verb.KNOCK, "layoff": Verb.LAY_OFF}


def _pressed(hand: OwnHand) -> tuple[set[str], set[str]]:
    """What the buttons and menus of a hand offer: moves in notation, and verbs that stand for several moves."""
    moves: set[str] = set()
    others: set[str] = set()
    for item in panels.buttons(hand):
        assert isinstance(item, Button)
        verb = item.press.verb
        if verb in _SIMPLE:
            moves.add(str(Move(_SIMPLE[verb])))
        else:
            others.add(verb)
    for item in (item for row in panels.menus(hand) for item in row):
        assert isinstance(item, Menu)
        assert isinstance(item.item, ui.Select)
        options = item.item.options
        assert 0 < len(options) <= 25
        assert len({option.value for option in options}) == len(options)
        assert all(0 < len(option.label) <= 100 for option in options)
        assert all(0 < len(option.description or "") <= 100 for option in options)
        moves |= {f"{_CHOSEN[item.press.verb]} {option.value}" for option in options}
    return moves, others


def _check(match: Match) -> None:
    """Every legal move can be made by a press, but for other melds than the best in an answer to a knock."""
    for seat in range(match.seats):
        try:
            hand = hand_of(match, seat)
        except LookupError:
            continue
        offered, others = _pressed(hand)
        allowed = {str(move) for move in legal(match, hand.view.seat)}
        short = {text for text in offered if text.startswith("k ") and len(text.split()) == 2}
        assert offered - short <= allowed
        knocks = {text for text in allowed if text.startswith("k ")}
        assert {text.split()[1] for text in short} == {text.split()[1] for text in knocks}
        assert {text for text in allowed - offered if text[0] not in "km"} == set()
        assert ("gin" in others) == hand.view.can_go_gin
        assert ("layoff_all" in others) == bool(hand.view.best_response and hand.view.best_response.lay_offs)


def _play(record: str, every: int) -> None:
    """Look at every so many positions of a record."""
    read = Record.parse((RECORDS / f"{record}.gin").read_text(encoding="utf-8"))
    match = new_match(read.rules, read.seats)
    for place, action in enumerate(read.actions):
        match = apply(match, action)
        if place % every == 0 and match.playing:
            _check(match)


@pytest.mark.parametrize("preset", ["big", "strict", "tournament", "partners", "penalty"])
def test_what_is_offered_is_what_is_legal(preset: str) -> None:
    """At points of whole matches: each press is a legal move, and each legal move has its press."""
    _play(f"preset-{preset}", 9)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_what_is_offered_is_what_is_legal_all_along(preset: str) -> None:
    """The same for every preset, at each of its record's positions."""
    _play(f"preset-{preset}", 1)


def test_the_ways_to_knock_are_those_that_differ() -> None:
    """Only discards that leave several ways are listed, least deadwood first, with the melds and what they leave."""
    dealt = begun("classic", deck=KNOCK_AT_ONCE)
    match = apply(dealt, Play(Seat(0), TAKE))
    assert [pick.label for pick in ways_to_knock(hand_of(match, 0).view, ENGLISH)] == [
        "discarding Q♥: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 2",
        "discarding Q♥: 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 8",
    ]
    only = until("004-score-sheet", Phase.DISCARD)
    assert ways_to_knock(hand_of(only, 0).view, ENGLISH) == []
