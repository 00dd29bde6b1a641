"""The steps that the engine creates from the script."""

from __future__ import annotations

import pytest

from bot.engine.deals.phase import Phase
from bot.engine.errors import IllegalMove
from bot.lesson import lesson
from bot.lesson.lesson import positions
from bot.lesson.script import DEALS, PreparedDeal, Step, Topic


def test_a_step_has_only_the_learners_view() -> None:
    """A step has only the learner's view: ten or eleven cards, and the knocker's melds if a knock is being answered."""
    sizes = {position.topic: len(position.hand.hand) for position in positions()}
    assert (sizes[Topic.MELDS], sizes[Topic.DEADWOOD], sizes[Topic.STOCK], sizes[Topic.GIN]) == (10, 11, 10, 11)
    for position in positions():
        assert position.hand.seat == lesson.LEARNER
        assert (position.hand.public.knock is not None) == (position.hand.public.phase is Phase.LAY_OFF)


def test_the_score_runs_through_all_deals() -> None:
    """All deals belong to one match with a running score, and the dealers alternate."""
    views = {position.hand.public.number: position.hand.public for position in positions() if not position.showdown}
    assert [public.dealer for public in views.values()] == [1, 0, 1, 0]
    assert [public.score.scores for public in views.values()] == [(0, 0), (16, 0), (77, 0), (77, 11)]


@pytest.mark.parametrize(("press", "then"), [("x 2c", ""), ("gin", "draw, x Kh"), ("take", "draw")])
def test_an_illegal_script_is_refused(monkeypatch: pytest.MonkeyPatch, press: str, then: str) -> None:
    """A discard without a draw, gin that is not held, and a move out of turn are refused."""
    first = DEALS[0]
    steps = (Step(Topic.UPCARD, press, then), Step(Topic.MELDS))
    wrong = PreparedDeal(first.learner, first.opponent, first.upcard, first.stock, first.before, steps)
    monkeypatch.setattr(lesson, "DEALS", (wrong,))
    with pytest.raises(IllegalMove):
        positions.__wrapped__()
