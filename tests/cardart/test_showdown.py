"""A showdown's picture lays both hands down, with the lay-offs where they belong."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from bot.engine.cards import Card
from bot.engine.showdown import Kind, Outcome
from bot.engine.views import ShowdownView
from cardart import draw_showdown
from cardart.cards import HEIGHT, WIDTH
from tests.cardart.reader import cards, read
from tests.cardart.views import MARKS, any_of, showdown_of, showdown_views
from tests.engine.decks import DEALER, FIRST, knocked, laid


def shown(view: ShowdownView) -> list[Card]:
    """All cards that a showdown lays open."""
    hands = view.outcome.hands
    melded = [card for hand in hands for meld in hand.melds for card in meld.cards]
    loose = [card for hand in hands for card in hand.unmatched]
    return sorted([*melded, *loose, *(one.card for one in view.outcome.lay_offs)])


@settings(max_examples=10, deadline=None)
@given(any_of(showdown_views))
def test_both_hands_are_read_back_and_no_other_card(view: ShowdownView) -> None:
    """All twenty cards are there once, in at most 40 KB and with words short enough for Discord."""
    picture = draw_showdown(view, MARKS)
    assert cards(picture) == shown(view)
    assert len(cards(picture)) == (0 if view.outcome.kind is Kind.VOID else 20)
    assert len(picture.png) <= 40 * 1024
    assert len(picture.alt) <= 1024


@pytest.mark.parametrize("kind", [Kind.KNOCK, Kind.UNDERCUT])
def test_cards_laid_off_lie_raised_on_their_meld(kind: Kind) -> None:
    """A card laid off is higher than its meld's cards and overlaps the meld or another card laid off on it."""
    view = showdown_of(kind, lay_offs=2)
    at = {one.card: one for one in read(draw_showdown(view, MARKS))}
    for one in view.outcome.lay_offs:
        place, meld = at[one.card], [at[card] for card in one.meld.cards]
        beside = [
            *meld,
            *(at[other.card] for other in view.outcome.lay_offs if other.meld == one.meld and other != one),
        ]
        assert all(0 < card.y - place.y < HEIGHT // 4 for card in meld)
        assert min(abs(card.x - place.x) for card in beside) < WIDTH


def test_only_cards_laid_off_are_raised() -> None:
    """Without lay-offs each hand lies in level rows."""
    view = showdown_of(Kind.GIN)
    assert len({one.y for one in read(draw_showdown(view, MARKS))}) == 2


def test_a_void_deal_says_so_and_shows_no_card() -> None:
    """A void deal has its own picture and words, with the score but without a hand."""
    view = replace(showdown_of(Kind.KNOCK), outcome=Outcome(Kind.VOID), discard=None)
    picture = draw_showdown(view, MARKS)
    assert cards(picture) == []
    assert "void deal" in picture.alt
    assert "Score: S " in picture.alt


@pytest.mark.parametrize(
    ("kind", "said"), [(Kind.KNOCK, "knocks with"), (Kind.GIN, "goes gin"), (Kind.UNDERCUT, "undercuts")]
)
def test_the_words_say_how_it_ended_and_what_it_scored(kind: Kind, said: str) -> None:
    """The alt text names the end, every card, both deadwoods, the points and the score."""
    view = showdown_of(kind, lay_offs=0 if kind is Kind.GIN else 1)
    alt = draw_showdown(view, MARKS).alt
    outcome = view.outcome
    assert outcome.winner is not None
    assert said in alt
    assert all(card.symbol in alt for card in shown(view))
    assert all(f"{one.card.symbol} on {one.meld.cards[0].symbol}" in alt for one in outcome.lay_offs)
    assert all(f"deadwood {points}:" in alt for points in outcome.deadwood if points)
    assert f"{MARKS[outcome.winner]} scores " in alt
    assert f"{outcome.points}. Score: S {view.score.scores[0]}, N {view.score.scores[1]}." in alt


def test_many_cards_laid_off_begin_another_row() -> None:
    """Six cards laid off take the knocker's hand into a second row, and all can still be read."""
    outcome = knocked(laid("5d6d7d/8s9sTs/QcQdQh", "Ac"), "2d 3d 4d 8d 9d 6s 7s Js Qs Kh")
    view = replace(showdown_of(Kind.KNOCK), seats=(FIRST, DEALER), outcome=outcome)
    picture = draw_showdown(view, MARKS)
    assert len(outcome.lay_offs) == 6
    assert cards(picture) == shown(view)
    assert picture.size[1] > draw_showdown(showdown_of(Kind.GIN), MARKS).size[1]
    assert len(picture.png) <= 40 * 1024
