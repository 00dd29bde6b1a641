"""The message with a review."""

from __future__ import annotations

from bot.engine.moves import DRAW, TAKE, Seat
from bot.opponent.reviews import Review, Verdict
from bot.values.people import Preferences
from bot.values.reviews import Mistake, Reviewed
from cogs.panels.review import review
from cogs.text import reviews as texts
from tests.cogs.text.samples import (
    advised,
    hand_of,
    info_of,
    long_match,
    opened_pictures,
    scattered,
    showdowns_of,
    text_of,
)

LOST = Verdict(0, advised(DRAW, 0), advised(TAKE, 4, 31), 0.5)
HAND = "\nMelds: 9♥ 10♥ J♥\nDeadwood: "


def reviewed(*verdicts: Verdict) -> Reviewed:
    """Return a review of a deal with these choices."""
    match, view = long_match(1), hand_of(scattered(), 0).view
    deal = showdowns_of(match)[0].view
    mistakes = tuple(Mistake(deal, view, one) for one in verdicts if one.lost)
    return Reviewed(info_of(match), Seat(0), (deal,), (Review(verdicts, 1, 2, 3, 4),), mistakes, whole_match=False)


async def test_pictures_take_the_place_of_words() -> None:
    """Each mistake has a picture of the hand; the fallback without pictures shows the hands as text."""
    async with opened_pictures() as pictures:
        shown = await review(reviewed(LOST, LOST), Preferences(), pictures)
    assert len(shown.attached) == 2
    assert HAND not in text_of(shown)
    assert shown.in_words is not None
    words = shown.in_words()
    assert words.attached == ()
    assert text_of(words).count(HAND) == 2


async def test_without_pictures_the_hand_is_in_words() -> None:
    """The hand is shown as text below the move and the better move, with the rest of the review."""
    shown = reviewed(LOST)
    async with opened_pictures() as pictures:
        panel = await review(shown, Preferences(pictures=False), pictures, shown_by="North")
    text = text_of(panel)
    assert (panel.attached, panel.in_words) == ((), None)
    assert text.startswith("### Review · ⁨North⁩ in Deal 1: ")
    told = [texts.summary(shown), texts.result(shown), "**The costliest choice**", "**1. Turn 1: ", HAND]
    told += [texts.FOOTNOTE, "-# Shown by ⁨North⁩"]
    assert [text.index(one) for one in told] == sorted(text.index(one) for one in told)


async def test_a_review_without_mistakes() -> None:
    """It praises the player, unless the deal offered no choice."""
    async with opened_pictures() as pictures:
        faultless = await review(reviewed(Verdict(0, LOST.best, LOST.best, 0)), Preferences(), pictures)
        nothing = await review(reviewed(), Preferences(), pictures)
    assert "Well played!" in text_of(faultless)
    assert "Well played!" not in text_of(nothing)
    assert "before there was anything to choose" in text_of(nothing)
    assert faultless.attached == nothing.attached == ()
