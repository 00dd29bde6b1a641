"""The messages of a match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards import Card
from bot.engine.moves import Seat, Verb
from bot.engine.rules import Rules
from bot.engine.views import Phase, PublicMove, PublicView, SeatView, ShowdownView, public_view, showdown_view
from bot.values.appearance import Appearance, HandOrder
from bot.values.clocks import Clock, TimeLeft
from bot.values.fairness import Fairness
from bot.values.matches import MatchInfo, MatchStatus, OwnHand, Ping, Proposal, Showdown, Table
from bot.values.people import Preferences
from cardart.text.card_names import NAMES as CARD_NAMES
from cardart.text.queries import sitting_out, visible_seats
from cogs.kit.messages import Message
from cogs.panels.hand import hand, leaving
from cogs.panels.last_moves import last_moves
from cogs.panels.match import end, ping, showdown, table
from cogs.panels.pictures import Pictures
from cogs.text import hand as hand_text
from tests.cardart.views import any_of, public_views, seat_views, showdown_views
from tests.cogs.text.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NAMES,
    NOW,
    button_labels,
    hand_of,
    info_of,
    just_dealt,
    length,
    match_between,
    opened_pictures,
    person_id,
    recorded,
    recorded_until,
    summary_of,
    table_of,
    text_of,
)

_CARD: Final = re.compile(r"(?:\w+)[♣♦♥♠]")
_NUMBER: Final = re.compile(r"\b\d+\b(?![♣♦♥♠])")
_NO_FACTS: Final = re.compile(r"<[^>]+>|\(\d\)")
"""Mentions, times, and the numbers of melds, which are only labels."""

appearances = st.sampled_from([Appearance(language=language) for language in CARD_NAMES])


def test_a_ping_names_the_opponents_at_the_board() -> None:
    """A ping names the opponents at the table, not the player who sits out; if it is not their turn, no one."""
    match = info_of(just_dealt("rotation", 3))
    call = Ping(match, Seat(1), person_id(1), to_act=True, opponents=(Seat(2),))
    assert text_of(ping(call)) == f"<@{person_id(1)}>, it is your turn. You play against ⁨East⁩."
    assert "against" not in text_of(ping(replace(call, to_act=False)))


def test_a_ping_says_that_a_match_is_over() -> None:
    """It says if the match finished or was called off, names all opponents, and has no buttons."""
    for status, how in ((MatchStatus.FINISHED, "is over"), (MatchStatus.CANCELLED, "was called off")):
        match = info_of(just_dealt("rotation", 3), status)
        told = ping(Ping(match, Seat(1), person_id(1), to_act=False, opponents=(Seat(2),), over=True))
        assert text_of(told) == f"<@{person_id(1)}>, your match {how}. You played against ⁨North⁩ and ⁨East⁩."
        assert button_labels(told) == []


@pytest.mark.parametrize(
    ("rules", "seats", "label"),
    [("classic", 2, "Claim the match"), ("partners", 4, "Claim the seat"), ("rotation", 3, "Claim the seat")],
)
def test_a_player_who_is_kept_waiting_can_claim(rules: str, seats: int, label: str) -> None:
    """With two players, the claim wins the match. With more, it claims the seat, and the others decide what happens."""
    shown = hand_of(just_dealt(rules, seats), 0)
    assert label not in button_labels(leaving(shown))
    assert label in button_labels(leaving(replace(shown, may_claim=True)))


def test_who_waits_for_another_board_may_claim_and_give_time_too() -> None:
    """A player who has finished their own board can claim and give time like other players."""
    shown = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 1)
    done = replace(shown.view, public=replace(shown.view.public, turn=None, phase=Phase.DONE), moves=())
    match = replace(shown.match, clock=Clock.parse("2d"))
    waiting = replace(shown, match=match, view=done, awaited=Seat(0), times={Seat(0): TimeLeft(timedelta(), NOW)})
    claiming = _drawn(lambda pictures: hand(replace(waiting, may_claim=True), pictures))
    assert button_labels(claiming)[:2] == ["Refresh", "Give a day"]
    assert {"Claim the match", "Call the match off"} < {*button_labels(claiming)}
    assert "Give a day" not in button_labels(_drawn(lambda pictures: hand(replace(waiting, awaited=None), pictures)))


def test_a_hand_with_every_way_there_is_fits_into_a_message() -> None:
    """A hand with the longest names, an offer, a claim and another waiting match fits Discord's limits."""
    shown = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 1)
    proposals = (Proposal.PAUSE, None)
    match = match_between(LONGEST_NAME, LONGEST_NAME, proposals=proposals)
    match = replace(match, clock=Clock.parse("10m+20s"))
    times = {Seat(0): TimeLeft(timedelta(), NOW), Seat(1): TimeLeft(timedelta(minutes=9), None)}
    full = replace(
        shown, match=match, times=times, awaited=Seat(0), may_claim=True, may_nudge=True, waiting_elsewhere=3
    )
    made = _drawn(lambda pictures: hand(full, pictures))
    assert length(made) < MESSAGE_LIMIT
    assert len([*made.layout.walk_children()]) <= 40
    assert {"Next match (3)", "Nudge", "Give 5 minutes", "Pause the match", "Keep playing"} < {*button_labels(made)}


@pytest.mark.parametrize("phase", [Phase.OFFER, Phase.DISCARD, Phase.LAY_OFF])
def test_a_paused_table_shows_where_the_deal_stands(phase: Phase) -> None:
    """The picture says that the match is paused, shows no turn, and keeps a knock that awaits its layoff."""
    shown = table_of(recorded_until("options/lay_off_mode-manual", phase))
    paused = replace(shown, match=replace(shown.match, paused_at=NOW), view=replace(shown.view, turn=None))
    made = _drawn(lambda pictures: table(paused, pictures))
    alt = _alt(made)
    assert "Paused." in alt
    assert ("knocks with 8" in alt) == ("knocked with 8" in text_of(made)) == (phase is Phase.LAY_OFF)
    assert "over" not in alt
    assert button_labels(made)[-1] == "Continue"


def test_a_ping_about_a_claim_says_why_and_what_is_offered() -> None:
    """With a clock the opponent has no time left; without one the player was kept waiting. An offer adds buttons."""
    call = Ping(match_between("A", "B"), Seat(1), person_id(1), to_act=False, opponents=(Seat(0),), claims=True)
    hand_has = "*My hand* has the buttons for what you can do."
    week = f"<@{person_id(1)}>, you have been kept waiting for a week. {hand_has}"
    assert text_of(ping(call)) == week
    timed = replace(call, match=replace(call.match, clock=Clock.parse("2d"), proposals=(Proposal.CANCEL, None)))
    assert text_of(ping(timed)) == (
        f"<@{person_id(1)}>, you wait for somebody who has no time left. {hand_has} ⁨A⁩ would like to call the match off."
    )
    assert button_labels(ping(timed)) == ["My hand", "Call the match off", "Keep playing"]


@pytest.mark.thorough
@given(any_of(public_views), appearances)
def test_the_text_of_a_table_says_all_that_its_picture_shows(view: PublicView, appearance: Appearance) -> None:
    """In every phase and format, the text has every card, number and player of the alt text, and fits."""
    match = _info(view, appearance)
    shown = _drawn(lambda pictures: table(Table(match, view, NOW), pictures))
    assert _facts(_alt(shown)) <= _facts(text_of(shown))
    assert all(NAMES[seat] in text_of(shown) for seat in visible_seats(view))
    assert length(shown) < MESSAGE_LIMIT / 2


@pytest.mark.thorough
@given(any_of(showdown_views), appearances)
def test_the_text_of_a_showdown_says_all_that_its_picture_shows(view: ShowdownView, appearance: Appearance) -> None:
    """The text has the hands, layoffs, points and score, also of players who sit out; only sums are reworded."""
    match = _info(view, appearance)
    shown = _drawn(lambda pictures: showdown(Showdown(match, view), pictures))
    *hands, score = _alt(shown).split(". ")
    assert {*_CARD.findall(". ".join(hands)), *_NUMBER.findall(score)} <= _facts(text_of(shown))
    assert view.outcome.winner is None or f"**{view.outcome.points}**" in text_of(shown)
    assert all(NAMES[seat] in text_of(shown) for seat in range(len(match.players)))
    out = [] if view.outcome.knocker is None else sitting_out(view)
    assert all(f"{NAMES[seat]}⁩ sits out" in text_of(shown) for seat in out)


@pytest.mark.thorough
@given(any_of(seat_views), appearances, st.sampled_from(HandOrder))
def test_a_hand_without_its_picture_says_all_that_the_picture_shows(
    view: SeatView, appearance: Appearance, order: HandOrder
) -> None:
    """The message has no file; its text has every card and number of the picture, and fits."""
    preferences = Preferences(appearance=appearance, hand_order=order)
    own = OwnHand(_info(view.public, Appearance()), view, NOW, may_claim=False, last_deal=None, preferences=preferences)
    no_pictures = replace(own, preferences=replace(preferences, pictures=False))
    drawn = _drawn(lambda pictures: hand(own, pictures))
    text_alone = _drawn(lambda pictures: hand(no_pictures, pictures))
    assert text_alone.attached == ()
    text = text_of(text_alone)
    assert _facts(_alt(drawn)) <= _facts(text)
    short = CARD_NAMES[appearance.language].short
    assert view.new_card is None or re.search(f"You (drew|took) {short(view.new_card)}", text)
    for choice in view.discard_choices:
        assert (f"{short(choice.card)} (leaving {choice.leaves})" in text) == choice.knocks
    assert length(text_alone) < MESSAGE_LIMIT / 2


def _drawn(make: Callable[[Pictures], Awaitable[Message]]) -> Message:
    """Return a message that was made with pictures."""

    async def draw() -> Message:
        async with opened_pictures() as pictures:
            return await make(pictures)

    return asyncio.run(draw())


def _info(view: PublicView | ShowdownView, appearance: Appearance) -> MatchInfo:
    """Return a match for a view, on a server with this appearance."""
    seats = sum(map(len, view.sides))
    return replace(match_between(*NAMES[:seats], rules=Rules.parse(str(view.rules))), appearance=appearance)


def _alt(shown: Message) -> str:
    (picture,) = shown.attached
    return picture.alt or ""


def _facts(text: str) -> set[str]:
    """Return the cards and numbers in a text."""
    plain = _NO_FACTS.sub("", text)
    return {*_CARD.findall(plain), *_NUMBER.findall(plain)}


def test_all_moves_of_a_deal_are_on_pages_that_fit() -> None:
    """Every turn has a numbered line on one page. The last page comes first; buttons open the others."""
    state = just_dealt("classic")
    info = match_between(LONGEST_NAME, f"2{LONGEST_NAME[1:]}")
    history = (
        PublicMove(Seat(turn % 2), verb, Card.parse("Td") if verb is Verb.DISCARD else None)
        for turn in range(60)
        for verb in (Verb.DRAW, Verb.DISCARD)
    )
    shown = Table(info, replace(public_view(state), history=tuple(history)), NOW)
    pages = [last_moves(shown, Preferences(), page) for page in range(3)]
    assert [button_labels(page) for page in pages] == [["Later"], ["Earlier", "Later"], ["Earlier"]]
    assert (
        text_of(last_moves(shown, Preferences())) == text_of(pages[-1]) == text_of(last_moves(shown, Preferences(), 9))
    )
    assert max(map(length, pages)) <= MESSAGE_LIMIT
    lines = [line for page in pages for line in text_of(page).splitlines() if re.match(r"\d+\. ", line)]
    assert [int(line.partition(".")[0]) for line in lines] == list(range(1, 61))
    assert all(line.endswith("drew from the stock and discarded 10♦") for line in lines)
    none = replace(shown, view=replace(shown.view, history=()))
    assert text_of(last_moves(none, Preferences())).endswith("Nobody has made a move in this deal yet.")


def test_what_only_its_owner_saw_is_in_no_history() -> None:
    """A card drawn from the stock is not named."""
    match = recorded_until("004-score-sheet", Phase.DISCARD)
    shown = Table(info_of(match), public_view(match), NOW)
    drawn = hand_of(match, match.to_act[0]).view.new_card
    text = text_of(last_moves(shown, Preferences()))
    assert drawn is not None
    assert (drawn.symbol in text) == (shown.view.history[-1].verb is Verb.TAKE)


def _fair(match: MatchInfo) -> MatchInfo:
    return replace(match, fairness=Fairness.VERIFIABLE)


@pytest.mark.parametrize(("preset", "seats"), [("classic", 2), ("partners", 4)])
def test_whoever_ends_a_match_early_reads_that_hands_become_visible(preset: str, seats: int) -> None:
    """Resigning and calling off warn that all hands become visible, unless they stay hidden in that match."""
    told = "Once the match is over, everybody can see all hands, as after every deal."
    shown = hand_of(just_dealt(preset, seats), 0)
    assert told not in text_of(leaving(shown))
    fair = replace(shown, match=_fair(shown.match))
    assert told in text_of(leaving(fair))
    proposals = (None, Proposal.CANCEL, *(None,) * (seats - 2))
    offered = replace(fair.match, proposals=proposals)
    assert told in (hand_text.proposals(offered, Seat(0)) or "")
    paused = replace(offered, proposals=(None, Proposal.PAUSE, *(None,) * (seats - 2)))
    assert told not in (hand_text.proposals(paused, Seat(0)) or "")


async def test_a_showdown_leads_to_what_can_be_seen_of_its_deal() -> None:
    """A void deal has a replay only if its seeds are public, and never a review."""
    done, void = (
        Showdown(info_of(match), showdown_view(match, 1))
        for match in (recorded("004-score-sheet"), recorded("void-deal"))
    )
    assert button_labels(await showdown(done, None)) == ["Replay", "Review"]
    assert button_labels(await showdown(void, None)) == []
    for shown, ways in ((done, ["Replay", "Review", "Verify"]), (void, ["Replay", "Verify"])):
        fair = replace(shown, match=_fair(shown.match))
        assert button_labels(await showdown(fair, None)) == ways
        assert "-# This deal can be checked." in text_of(await showdown(fair, None))


@pytest.mark.thorough
async def test_a_match_that_used_up_its_shuffles_says_so() -> None:
    """A match that was called off because its shuffles are used up says so."""
    summary = summary_of(recorded("004-score-sheet"))
    async with opened_pictures() as pictures:
        assert "has been used" not in text_of(await end(summary, pictures))
        assert "has been used" in text_of(await end(replace(summary, seeds_used_up=True), pictures))
