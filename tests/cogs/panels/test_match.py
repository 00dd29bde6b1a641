"""The messages of a match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.engine.moves import Seat
from bot.engine.rules import Rules
from bot.engine.views import PublicView, SeatView, ShowdownView
from bot.values.appearance import Appearance, HandOrder
from bot.values.matches import MatchInfo, OwnHand, Ping, Showdown, Table
from cardart.text.card_names import NAMES
from cardart.text.queries import sitting_out, visible_seats
from cogs.kit.answers import Message
from cogs.panels.match import hand, leaving, ping, showdown, table
from cogs.panels.pictures import Pictures
from tests.cardart.views import any_of, public_views, seat_views, showdown_views
from tests.cogs.text.samples import MOST, NOW, PEOPLE, begun, buttons, card_for, card_of, hand_of, length, words

_CARD: Final = re.compile(r"(?:\w+)[♣♦♥♠]")
_NUMBER: Final = re.compile(r"\b\d+\b(?![♣♦♥♠])")
_NO_FACTS: Final = re.compile(r"<[^>]+>|\(\d\)")
"""Mentions and times, and the numbers of melds, which are there to refer to them."""

looks = st.sampled_from([Appearance(language=language) for language in NAMES])


def test_a_call_names_who_is_at_the_board() -> None:
    """Of three, who sits the deal out is not named; nor is anyone where the call is about an offer alone."""
    card = card_for(begun("rotation", 3))
    call = Ping(card, Seat(1), 10**18 + 1, to_act=True, against=(Seat(2),))
    assert words(ping(call)) == f"<@{10**18 + 1}>, it is your turn against ⁨East⁩."
    assert "against" not in words(ping(replace(call, to_act=False)))


@pytest.mark.parametrize(
    ("rules", "seats", "label"),
    [("classic", 2, "Claim the match"), ("partners", 4, "Claim the match"), ("rotation", 3, "End the match")],
)
def test_who_is_kept_waiting_has_a_way_out(rules: str, seats: int, label: str) -> None:
    """It wins the match where there are two sides; among three nobody wins then, so it is not called that."""
    shown = hand_of(begun(rules, seats), 0)
    assert label not in buttons(leaving(shown))
    assert label in buttons(leaving(replace(shown, may_claim=True)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(any_of(public_views), looks)
def test_the_words_of_a_table_say_all_that_its_picture_shows(view: PublicView, look: Appearance) -> None:
    """Every card and number of the alt text, and every player, in any phase of any format; and it fits."""
    card = _card(view, look)
    with _drawing() as pictures:
        shown = asyncio.run(table(Table(card, view, NOW), pictures))
    assert _facts(_alt(shown)) <= _facts(words(shown))
    assert all(PEOPLE[seat] in words(shown) for seat in visible_seats(view))
    assert length(shown) < MOST / 2


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(any_of(showdown_views), looks)
def test_the_words_of_a_showdown_say_all_that_its_picture_shows(view: ShowdownView, look: Appearance) -> None:
    """The hands and the lay-offs, the points, and the score, of who sat out too; only sums are told otherwise."""
    card = _card(view, look)
    with _drawing() as pictures:
        shown = asyncio.run(showdown(Showdown(card, view), pictures))
    *hands, score = _alt(shown).split(". ")
    assert {*_CARD.findall(". ".join(hands)), *_NUMBER.findall(score)} <= _facts(words(shown))
    assert view.outcome.winner is None or f"**{view.outcome.points}**" in words(shown)
    assert all(PEOPLE[seat] in words(shown) for seat in range(len(card.players)))
    out = [] if view.outcome.knocker is None else sitting_out(view)
    assert all(f"{PEOPLE[seat]}⁩ sits out" in words(shown) for seat in out)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(any_of(seat_views), looks, st.sampled_from(HandOrder))
def test_who_plays_without_pictures_reads_all_that_they_show(
    view: SeatView, look: Appearance, order: HandOrder
) -> None:
    """The same message without its picture: no file, and each card and number of the picture in words; it fits."""
    own = OwnHand(_card(view.public, Appearance()), view, NOW, may_claim=False, last=None, look=look, order=order)
    with _drawing() as pictures:
        drawn = asyncio.run(hand(own, pictures))
        told = asyncio.run(hand(replace(own, pictures=False), pictures))
    assert told.attached == ()
    assert _facts(_alt(drawn)) <= _facts(words(told))
    short = NAMES[look.language].short
    assert view.new_card is None or re.search(f"You (drew|took) {short(view.new_card)}", words(told))
    for choice in view.discard_choices:
        assert (f"{short(choice.card)} (leaving {choice.leaves})" in words(told)) == choice.knocks
    assert length(told) < MOST / 2


@contextmanager
def _drawing() -> Generator[Pictures]:
    pictures = Pictures()
    try:
        yield pictures
    finally:
        pictures.close()


def _card(view: PublicView | ShowdownView, look: Appearance) -> MatchInfo:
    """The match of a view, on a server with a look."""
    seats = sum(map(len, view.sides))
    return replace(card_of(*PEOPLE[:seats], rules=Rules.parse(str(view.rules))), look=look)


def _alt(shown: Message) -> str:
    (picture,) = shown.attached
    return picture.alt or ""


def _facts(text: str) -> set[str]:
    """The cards and numbers that a text names."""
    plain = _NO_FACTS.sub("", text)
    return {*_CARD.findall(plain), *_NUMBER.findall(plain)}
