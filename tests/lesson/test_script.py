"""The script of the lesson, as the engine plays it."""

from __future__ import annotations

from bot.engine.cards import parse_cards
from bot.engine.showdown import OutcomeKind
from bot.lesson.lesson import LEARNER, OPPONENT, positions
from bot.lesson.script import DEALS, READ_ON, Topic


def test_every_topic_has_one_step() -> None:
    """The steps teach each topic once, in the order of the topics."""
    assert [step.topic for prepared in DEALS for step in prepared.steps] == list(Topic)


def test_a_newcomer_finds_the_cards_of_a_deal() -> None:
    """Each deal has two hands of ten cards, and no card twice."""
    for prepared in DEALS:
        hands = [parse_cards(hand) for hand in (prepared.learner, prepared.opponent)]
        told = [*hands[0], *hands[1], *parse_cards(f"{prepared.upcard} {prepared.stock}")]
        assert [len(hand) for hand in hands] == [10, 10]
        assert len(set(told)) == len(told)


def test_every_move_is_legal_and_the_learners() -> None:
    """The engine plays every step. Steps with a move are on the learner's turn; the others show a finished deal."""
    steps = positions()
    assert [position.topic for position in steps] == list(Topic)
    for position in steps[1:]:
        assert position.hand.to_act == (position.press != READ_ON)
        assert (position.showdown is not None) == (position.press == READ_ON)


def test_the_deals_end_as_the_lesson_tells() -> None:
    """The deals end with a knock, gin, a knock by the opponent, and an undercut that wins the match to 100."""
    showdowns = [position.showdown for position in positions() if position.showdown is not None]
    told = [(one.outcome.kind, one.outcome.winner, one.outcome.points, one.score.over) for one in showdowns]
    assert told == [
        (OutcomeKind.KNOCK, LEARNER, 16, False),
        (OutcomeKind.GIN, LEARNER, 61, False),
        (OutcomeKind.KNOCK, OPPONENT, 11, False),
        (OutcomeKind.UNDERCUT, LEARNER, 31, True),
    ]
    assert showdowns[-1].score.scores == (108, 11)


def test_lay_offs_are_shown_by_hand_and_at_once() -> None:
    """The opponent lays off on the learner's knock; the learner lays off one card, the rest, and all cards."""
    showdowns = [position.showdown for position in positions() if position.showdown is not None]
    laid_off = [[(one.seat, str(one)) for one in showdown.outcome.lay_offs] for showdown in showdowns]
    assert laid_off == [
        [(OPPONENT, "8h>5h6h7h")],
        [],
        [(LEARNER, "8s>5s6s7s"), (LEARNER, "Jh>JcJdJs")],
        [(LEARNER, "7d>4d5d6d"), (LEARNER, "Kh>ThJhQh")],
    ]
