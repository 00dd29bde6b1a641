"""A hand's buttons and questions offer exactly the legal moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

import pytest

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import TAKE, Move, Seat, Verb, discard
from bot.engine.deals.phase import Phase
from bot.engine.matches.match import Match, Play, apply, legal, new_match
from bot.engine.records.record import Record
from bot.engine.rules import PRESETS
from bot.model.matches import OwnHand
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.kit.components import ComponentEvent
from cogs.kit.json_components import BUTTON, MENUS, Component
from cogs.kit.layout import Row
from cogs.turns import moves, questions
from cogs.turns.moves import ways_to_knock
from cogs.words.emojis import Emojis
from tests.cogs.samples import RECORDS, hand_of, just_dealt, recorded_until
from tests.engine.decks import deck
from tests.helpers.cases import nightly_after
from tests.helpers.message_parts import as_menu
from tests.helpers.shufflers import IMMEDIATE_KNOCK

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


def _action(item: Component) -> tuple[Action, str | None]:
    event = ComponentEvent.parse(item["custom_id"])
    assert event is not None
    return event.action, event.argument


def _items(rows: Iterable[Row]) -> Iterator[Component]:
    """Yield the enabled buttons and the menus in some rows."""
    return (item for row in rows for item in row if item is not None and not item.get("disabled"))


def _moves_of(rows: Sequence[Row]) -> tuple[set[str], set[Action]]:
    """Return the moves, in notation, and the other actions of buttons and menus. Also check Discord's limits."""
    moves_found: set[str] = set()
    others: set[Action] = set()
    for row in rows:
        assert len(row) <= (1 if row[0] is not None and row[0]["type"] in MENUS else 5)
    for item in _items(rows):
        action, argument = _action(item)
        if item["type"] == BUTTON:
            assert 0 < len(item["label"]) <= 80
            if action in _WITHOUT_CARD:
                moves_found.add(str(Move(_WITHOUT_CARD[action])))
            elif action in _WITH_CARD:
                moves_found.add(f"{_WITH_CARD[action]} {argument}")
            else:
                others.add(action)
        else:
            options = as_menu(item).options
            assert 0 < len(options) <= 25
            assert len({option.value for option in options}) == len(options)
            assert all(0 < len(option.label) <= 100 for option in options)
            assert all(0 < len(option.description or "") <= 100 for option in options)
            moves_found |= {f"{_WITH_CARD[action]} {option.value}" for option in options}
    return moves_found, others


def _questions(hand: OwnHand) -> Iterator[questions.Question]:
    """Yield the questions to which the buttons of a hand lead."""
    for item in _items(moves.rows(hand, Emojis())):
        if item["type"] == BUTTON:
            question: questions.Question | None = None
            match _action(item):
                case Action.ASK_FIRST, str(notation):
                    question = questions.confirmation(hand, Move.parse(notation))
                case Action.WHERE_TO_LAY_OFF, str(notation):
                    question = questions.where_to_lay_off(hand, Card.parse(notation))
                case Action.OTHER_KNOCKS, _:
                    question = questions.knocks(hand)
                case _:
                    continue
            assert question is not None
            yield question


def _all_moves_of(hand: OwnHand) -> tuple[set[str], set[Action]]:
    """Return a hand's moves in notation, offered directly or in questions, and the other actions of its buttons."""
    direct_moves, others = _moves_of(moves.rows(hand, Emojis()))
    return direct_moves.union(*(_moves_of(question.rows)[0] for question in _questions(hand))), others


def _gin_cards(hand: OwnHand) -> list[Card]:
    """Return the discards that make a hand gin."""
    return [choice.card for choice in hand.view.discard_choices if choice.can_knock and choice.deadwood == 0]


def _check_legal_moves(match: Match) -> None:
    """Check that exactly the legal moves are offered, though possibly not with every arrangement of melds."""
    for seat in range(match.seats):
        try:
            hand = hand_of(match, seat)
        except LookupError:
            continue
        offered, others = _all_moves_of(hand)
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


def _check_record(name: str, step: int) -> None:
    """Check the offered moves in every `step`-th position of a record."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, record.replay().seats)
    for index, action in enumerate(record.actions):
        match = apply(match, action)
        if index % step == 0 and match.playing:
            _check_legal_moves(match)


@pytest.mark.parametrize("preset", ["big", "strict", "tournament", "partners", "penalty"])
def test_exactly_the_legal_moves_are_offered(preset: str) -> None:
    """At many points of whole matches, the buttons and menus offer all legal moves and no others."""
    _check_record(f"preset-{preset}", 9)


@pytest.mark.nightly
@pytest.mark.parametrize("preset", PRESETS)
def test_exactly_the_legal_moves_are_offered_throughout(preset: str) -> None:
    """For every preset, the offered moves are exactly the legal moves in every position of a match."""
    _check_record(f"preset-{preset}", 1)


def test_ways_to_knock_are_listed_only_if_there_are_several() -> None:
    """If there are several ways to knock, each shows its melds and deadwood, with the lowest deadwood first."""
    dealt = just_dealt("classic", deck=IMMEDIATE_KNOCK)
    match = apply(dealt, Play(Seat(0), TAKE))
    assert [option.label for option in ways_to_knock(hand_of(match, 0).view, ENGLISH)] == [
        "Discarding Q♥: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 2 deadwood",
        "Discarding Q♥: 4♦ 5♦ 6♦ / K♣ K♦ K♥, leaving 8 deadwood",
    ]
    single = recorded_until("004-score-sheet", Phase.DISCARD)
    assert ways_to_knock(hand_of(single, 0).view, ENGLISH) == []


_SAME_ACTION: Final = {Action.WHERE_TO_LAY_OFF: Action.LAY_OFF}
"""Actions treated as the same: a button that asks where to lay off a card counts as a button that lays it off."""


def _grid(rows: Sequence[Row]) -> dict[tuple[int, int], tuple[Action, str]]:
    """Return the action and card of each enabled button or menu, by row and column."""
    grid: dict[tuple[int, int], tuple[Action, str]] = {}
    for row, items in enumerate(rows):
        for column, item in enumerate(items):
            if item is not None and not item.get("disabled"):
                action, argument = _action(item)
                verb, _, card = (argument or "").partition(" ")
                if action is Action.ASK_FIRST:
                    action = Action.DISCARD if card else Action.FINISH_LAYING_OFF
                grid[row, column] = _SAME_ACTION.get(action, action), (card or verb).partition(">")[0]
    return grid


def _states_after(match: Match, seat: Seat) -> Iterator[Sequence[Row]]:
    """Yield the rows of buttons that can be shown after a press: those of a question, or those after a move."""
    hand = hand_of(match, seat)
    for question in _questions(hand):
        yield [*moves.rows(hand, Emojis(), asking=True), *question.rows]
    for move in legal(match, seat):
        after = apply(match, Play(seat, move))
        if after.playing:
            yield moves.rows(hand_of(after, seat), Emojis())


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    nightly_after(
        1, ["options/lay_off_mode-manual", "preset-tournament", "preset-big", "preset-penalty", "preset-partners"]
    ),
)
def test_a_double_press_does_nothing_else(name: str) -> None:
    """A second press at the same place does the same as the first, or there is no enabled button there any more."""
    record = Record.parse((RECORDS / f"{name}.gin").read_text(encoding="utf-8"))
    match = new_match(record.rules, record.replay().seats)
    states = 0
    for action in record.actions:
        match = apply(match, action)
        for seat in match.to_act if match.playing else ():
            before = _grid(moves.rows(hand_of(match, seat), Emojis()))
            for rows in _states_after(match, seat):
                after = _grid(rows)
                clashes = {
                    at: (before[at], after[at]) for at in before.keys() & after.keys() if before[at] != after[at]
                }
                assert clashes == {}, match
                states += 1
    assert states > 10


def _after_drawing(hand: str, drawn: str) -> OwnHand:
    """Return seat 0's hand of these ten cards after it has drawn a card."""
    upcard, *others = (card for card in DECK if card.text not in f"{hand} {drawn}")
    match = just_dealt("classic", deck=deck(hand, " ".join(map(str, others[:10])), str(upcard), stock=drawn))
    for seat, verb in ((0, Verb.PASS), (1, Verb.PASS), (0, Verb.DRAW)):
        match = apply(match, Play(Seat(seat), Move(verb)))
    return hand_of(match, 0)


def _asking(hand: OwnHand) -> str:
    """Return the cards whose buttons ask before a discard, in notation."""
    pressed = [_action(item) for item in _items(moves.rows(hand, Emojis())) if item["type"] == BUTTON]
    return " ".join(sorted(str(argument).split()[1] for action, argument in pressed if action is Action.ASK_FIRST))


@pytest.mark.parametrize(
    ("hand", "drawn", "expected"),
    [
        ("Qc Qd Qh Qs 4c 4d 4s 7d 5h 2h", "As", "4c 4d 4s"),
        ("Qc Qd Qh 4c 4d 4s 7d 5h 2h As", "Kd", "4c 4d 4s Qc Qd Qh"),
        ("Qc Qd Qh 4c 4d 4s 7d Td 8h As", "Kd", "4c 4d 4s Qc Qd Qh"),
        ("Ac 2c 3c 5d 5h 5s 6d 8h Ts Jh", "7c", "2c 3c 5d 5h 5s Ac"),
        ("Ac 2c 3c 3d 6d 8h 8s Ts Qh Qs", "Ks", "2c 3c Ac"),
        ("Ac 2c 3c 6c 6h 5d 5s 4h 4d 2s", "Ah", "2c Ac"),
        ("5d 5h 5s 6d 7d 2c 8h Tc Jh 2s", "Ks", "5d"),
        ("Ac Ad Ah 4c 5c 6c Qc Qd Qh 2s", "5s", "4c 5c 6c Ac Ad Ah Qc Qd Qh"),
    ],
)
def test_a_discard_that_breaks_a_meld_for_nothing_asks_first(hand: str, drawn: str, expected: str) -> None:
    """A discard that breaks a meld asks first if the player can knock, or if it leaves ten more than the best one."""
    assert _asking(_after_drawing(hand, drawn)) == expected


def test_the_question_before_a_meld_is_broken_compares_the_discard_with_the_best_one() -> None:
    """The question names the deadwood after this discard and after the best one. Other discards and players who turned
    questions off are not asked."""
    hand = _after_drawing("Qc Qd Qh Qs 4c 4d 4s 7d 5h 2h", "As")
    question = questions.confirmation(hand, discard(Card.parse("4d")))
    assert question is not None
    assert re.findall(r"\d+", question.text.partition("?")[2].replace("4♦", "")) == ["23", "8"]
    assert questions.confirmation(hand, discard(Card.parse("Qh"))) is None
    assert _asking(replace(hand, preferences=replace(hand.preferences, confirmations=False))) == ""
