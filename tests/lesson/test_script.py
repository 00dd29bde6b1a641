"""The script of the lesson, as the engine plays it."""

from __future__ import annotations

from bot.engine.cards.cards import parse_cards
from bot.engine.deals.showdown import OutcomeKind
from bot.lesson.lesson import LEARNER, OPPONENT, positions
from bot.lesson.script import CONTINUE, DEALS, Topic


def test_every_topic_has_one_step() -> None:
    """The steps teach each topic once, in the order of the topics."""
    assert [step.topic for prepared in DEALS for step in prepared.steps] == list(Topic)


def test_each_deal_has_two_hands_and_no_duplicates() -> None:
    """Each deal has two hands of ten cards, and no card twice."""
    for prepared in DEALS:
        hands = [parse_cards(hand) for hand in (prepared.learner, prepared.opponent)]
        cards = [*hands[0], *hands[1], *parse_cards(f"{prepared.upcard} {prepared.stock}")]
        assert [len(hand) for hand in hands] == [10, 10]
        assert len(set(cards)) == len(cards)


def test_moves_are_legal_and_the_learners() -> None:
    """The engine accepts the moves of every step.

    In every step after the first, either it is the learner's turn or the deal is finished.
    """
    steps = positions()
    assert [position.topic for position in steps] == list(Topic)
    for position in steps[1:]:
        assert position.hand.is_to_act == (position.press != CONTINUE)
        assert (position.showdown is not None) == (position.press == CONTINUE)


def test_outcomes_of_the_deals() -> None:
    """The deals end with a knock, gin, a knock by the opponent, and an undercut that wins the match to 100."""
    showdowns = [position.showdown for position in positions() if position.showdown is not None]
    outcomes = [
        (showdown.outcome.kind, showdown.outcome.winner, showdown.outcome.points, showdown.score.is_over)
        for showdown in showdowns
    ]
    assert outcomes == [
        (OutcomeKind.KNOCK, LEARNER, 16, False),
        (OutcomeKind.GIN, LEARNER, 61, False),
        (OutcomeKind.KNOCK, OPPONENT, 11, False),
        (OutcomeKind.UNDERCUT, LEARNER, 31, True),
    ]
    assert showdowns[-1].score.scores == (108, 11)


def test_lay_offs() -> None:
    """The opponent lays off a card in the first deal.

    In the third deal, the learner lays off one card by hand and one with the button. In the fourth, the button lays off
    both cards.
    """
    showdowns = [position.showdown for position in positions() if position.showdown is not None]
    laid_off = [[(lay_off.seat, str(lay_off)) for lay_off in showdown.outcome.lay_offs] for showdown in showdowns]
    assert laid_off == [
        [(OPPONENT, "8h>5h6h7h")],
        [],
        [(LEARNER, "8s>5s6s7s"), (LEARNER, "Jh>JcJdJs")],
        [(LEARNER, "7d>4d5d6d"), (LEARNER, "Kh>ThJhQh")],
    ]
