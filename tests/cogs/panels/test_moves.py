"""The buttons of a hand, and its questions, offer every legal move, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from discord import ui

from bot.engine.cards import Card
from bot.engine.match import Match, Play, apply, legal, new_match
from bot.engine.moves import TAKE, Move, Seat, Verb
from bot.engine.record import Record
from bot.engine.rules import PRESETS
from bot.engine.views import Phase
from bot.values.matches import OwnHand
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.kit.components import ComponentEvent
from cogs.kit.emojis import Emojis
from cogs.panels import moves as panels
from cogs.panels import questions
from cogs.panels.layout import Row
from cogs.panels.moves import ways_to_knock
from tests.cogs.text.samples import RECORDS, hand_of, just_dealt, recorded_until
from tests.helpers.shufflers import KNOCK_AT_ONCE

_WITHOUT_CARD = {
    Action.DRAW: Verb.DRAW,
    Action.TAKE: Verb.TAKE,
    Action.PASS: Verb.PASS,
    Action.BIG_GIN: Verb.BIG_GIN,
    Action.FINISH_LAYING_OFF: Verb.DONE,
}
_WITH_CARD = {
    Action.DISCARD: Verb.DISCARD,
    Action.KNOCK: Verb.KNOCK,
    Action.KNOCK_WITH_MELDS: Verb.KNOCK,
    Action.LAY_OFF: Verb.LAY_OFF,
}


def _action(item: ui.Button[Any] | ui.Select[Any]) -> tuple[Action, str | None]:
    event = ComponentEvent.parse(str(item.custom_id))
    assert event is not None
    return event.action, event.argument


def _used(rows: Sequence[Row]) -> tuple[set[str], set[Action]]:
    """Return the moves in notation that rows of buttons and menus make, and the other actions of those."""
    moves: set[str] = set()
    others: set[Action] = set()
    for row in rows:
        assert len(row) <= (1 if isinstance(row[0], ui.Select) else 5)
    for item in (item for row in rows for item in row):
        if isinstance(item, ui.Button) and not item.disabled:
            action, argument = _action(item)
            assert item.label is not None
            assert 0 < len(item.label) <= 80
            if action in _WITHOUT_CARD:
                moves.add(str(Move(_WITHOUT_CARD[action])))
            elif action in _WITH_CARD:
                moves.add(f"{_WITH_CARD[action]} {argument}")
            else:
                others.add(action)
        elif isinstance(item, ui.Select):
            options = item.options
            assert 0 < len(options) <= 25
            assert len({option.value for option in options}) == len(options)
            assert all(0 < len(option.label) <= 100 for option in options)
            assert all(0 < len(option.description or "") <= 100 for option in options)
            moves |= {f"{_WITH_CARD[_action(item)[0]]} {option.value}" for option in options}
    return moves, others


def _offered(hand: OwnHand) -> tuple[set[str], set[Action]]:
    """Return the moves in notation that a hand and its questions offer, and the actions that stand for several."""
    rows = panels.rows(hand, Emojis())
    moves, others = _used(rows)
    asked = [questions.knocks(hand)] if Action.OTHER_KNOCKS in others else []
    for item in (item for row in rows for item in row):
        if isinstance(item, ui.Button) and not item.disabled:
            match _action(item):
                case Action.ASK_FIRST, str(notation):
                    asked.append(questions.before(hand, Move.parse(notation)))
                case Action.WHERE_TO_LAY_OFF, str(notation):
                    asked.append(questions.melds_for(hand, Card.parse(notation)))
                case _:
                    pass
    for question in asked:
        assert question is not None
        moves |= _used(question.rows)[0]
    return moves, others


def _gin_cards(hand: OwnHand) -> list[Card]:
    """Return the discards with which a hand goes gin."""
    return [choice.card for choice in hand.view.discard_choices if choice.knocks and choice.leaves == 0]


def _check(match: Match) -> None:
    """Check that each legal move is offered, except melds other than the best ones in an answer to a knock."""
    for seat in range(match.seats):
        try:
            hand = hand_of(match, seat)
        except LookupError:
            continue
        offered, others = _offered(hand)
        allowed = {str(move) for move in legal(match, hand.view.seat)}
        without_melds = {text for text in offered if text.startswith("k ") and len(text.split()) == 2}
        assert offered - without_melds <= allowed
        knocks = {text for text in allowed if text.startswith("k ")}
        by_shortcut = {str(card) for card in _gin_cards(hand)[:1]}
        assert {text.split()[1] for text in without_melds} | by_shortcut == {text.split()[1] for text in knocks}
        assert {text for text in allowed - offered if text[0] not in "km"} == set()
        assert (Action.GIN in others) == hand.view.can_go_gin
        has_lay_offs = bool(hand.view.best_response and hand.view.best_response.lay_offs)
        assert (Action.LAY_OFF_ALL in others) == has_lay_offs


def _check_record(name: str, every: int) -> None:
    """Check every n-th position of a record."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, record.replay().seats)
    for place, action in enumerate(record.actions):
        match = apply(match, action)
        if place % every == 0 and match.playing:
            _check(match)


@pytest.mark.parametrize("preset", ["big", "strict", "tournament", "partners", "penalty"])
def test_exactly_the_legal_moves_are_offered(preset: str) -> None:
    """At many points of whole matches, each button or option is a legal move, and each legal move has one."""
    _check_record(f"preset-{preset}", 9)


@pytest.mark.nightly
@pytest.mark.parametrize("preset", PRESETS)
def test_exactly_the_legal_moves_are_offered_throughout(preset: str) -> None:
    """The same holds for every preset, at each position of its record."""
    _check_record(f"preset-{preset}", 1)


def test_ways_to_knock_are_listed_only_if_there_are_several() -> None:
    """Each has its melds and what it leaves, with the least deadwood first."""
    dealt = just_dealt("classic", deck=KNOCK_AT_ONCE)
    match = apply(dealt, Play(Seat(0), TAKE))
    assert [option.label for option in ways_to_knock(hand_of(match, 0).view, ENGLISH)] == [
        "discarding Q♥: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 2",
        "discarding Q♥: 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 8",
    ]
    single = recorded_until("004-score-sheet", Phase.DISCARD)
    assert ways_to_knock(hand_of(single, 0).view, ENGLISH) == []
