"""The message with a review."""

from __future__ import annotations

from dataclasses import replace

from bot.engine.deals.moves import DRAW, TAKE, Seat
from bot.model.people import Preferences
from bot.model.reviews import Mistake, Reviewed
from bot.opponent.review.reviews import Review, Verdict
from cogs.showdowns import review_text as texts
from cogs.showdowns.review_panel import review
from tests.cogs.samples import (
    advised,
    button_labels,
    hand_of,
    long_match,
    match_info_of,
    opened_pictures,
    showdowns_of,
    text_of,
    weak_hand_match,
)

COSTLY_VERDICT = Verdict(0, advised(DRAW, 0), advised(TAKE, 4, 31), 0.5)
HAND_TEXT = "\nMelds: 9♥ 10♥ J♥\nDeadwood: "


def reviewed(*verdicts: Verdict) -> Reviewed:
    """Return a review of a deal with these choices."""
    match, view = long_match(1), hand_of(weak_hand_match(), 0).view
    deal = showdowns_of(match)[0].view
    mistakes = tuple(Mistake(deal, view, verdict) for verdict in verdicts if verdict.points_lost)
    return Reviewed(
        match_info_of(match),
        Seat(0),
        (deal,),
        (Review(verdicts, 1, 2, 3, 4),),
        mistakes,
        whole_match=False,
        reviewable=1,
    )


async def test_hands_are_pictures_with_a_text_fallback() -> None:
    """Each mistake has a picture of the hand; the fallback, if Discord refuses pictures, shows the hands as text."""
    async with opened_pictures() as pictures:
        shown = await review(reviewed(COSTLY_VERDICT, COSTLY_VERDICT), Preferences(), pictures)
    assert len(shown.attached) == 2
    assert HAND_TEXT not in text_of(shown)
    assert shown.in_words is not None
    words = shown.in_words()
    assert words.attached == ()
    assert text_of(words).count(HAND_TEXT) == 2


async def test_without_pictures_hands_are_text() -> None:
    """With pictures off, the hand is text below each mistake, and the rest of the review is complete."""
    shown = reviewed(COSTLY_VERDICT)
    async with opened_pictures() as pictures:
        panel = await review(shown, Preferences(pictures=False), pictures, shown_by="North")
    text = text_of(panel)
    assert (panel.attached, panel.in_words) == ((), None)
    assert text.startswith("### Review of ⁨North⁩'s choices\n-# Deal 1: ")
    parts = [texts.summary(shown), texts.result(shown), "**The costliest choice**", "**1. Turn 1: ", HAND_TEXT]
    parts += [texts.FOOTNOTE, "-# Shown by ⁨North⁩"]
    assert [text.index(part) for part in parts] == sorted(text.index(part) for part in parts)


async def test_a_review_without_mistakes() -> None:
    """A review without mistakes praises the player, unless the deal offered no choice."""
    async with opened_pictures() as pictures:
        faultless = await review(
            reviewed(Verdict(0, COSTLY_VERDICT.best, COSTLY_VERDICT.best, 0)), Preferences(), pictures
        )
        nothing = await review(reviewed(), Preferences(), pictures)
    assert "Well played!" in text_of(faultless)
    assert "Well played!" not in text_of(nothing)
    assert "before there was a choice to make" in text_of(nothing)
    assert faultless.attached == nothing.attached == ()


async def test_the_review_of_a_deal_leads_to_further_deals() -> None:
    """The review of a deal leads to the review of the whole match if the player can review more than that deal."""
    shown = [replace(reviewed(COSTLY_VERDICT), reviewable=count) for count in (1, 2)]
    async with opened_pictures() as pictures:
        panels = [await review(each, Preferences(), pictures) for each in shown]
    assert ["Whole match" in button_labels(panel) for panel in panels] == [False, True]
