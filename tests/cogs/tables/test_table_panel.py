"""The messages of a match."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

import pytest
from discord import ButtonStyle
from hypothesis import given
from hypothesis import strategies as st

from bot.engine.cards.cards import Card as PlayingCard
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches.facts import seats_at_table, sitting_out
from bot.engine.matches.views import PublicMove, PublicView, SeatView, ShowdownView, public_view, showdown_view
from bot.engine.rules import Rules
from bot.model.appearance import Appearance, HandOrder
from bot.model.clocks import Clock, TimeLeft
from bot.model.fairness import Fairness
from bot.model.matches import Card, MatchInfo, MatchStatus, OwnHand, Ping, Proposal, RematchOffer, Showdown, Table
from bot.model.people import Preferences
from cardart.text.card_names import NAMES as CARD_NAMES
from cogs.delivery.pictures import Pictures
from cogs.kit.messages import Message
from cogs.tables.table_panel import card, end, ping, rematch_offer, table
from cogs.turns import hand_text
from cogs.turns.hand_panel import hand
from cogs.turns.last_moves_panel import last_moves
from cogs.turns.leaving_panel import leaving_question
from cogs.turns.over_panel import rematch_buttons
from cogs.turns.showdown_panel import details, showdown
from cogs.words.table import TURNS_ON_PAGE, side_scores
from tests.cardart.views import any_view, public_views, seat_views, showdown_views
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NAMES,
    NOW,
    button_labels,
    hand_of,
    just_dealt,
    length,
    match_between,
    match_info_of,
    opened_pictures,
    person_id,
    recorded,
    recorded_until,
    showdowns_of,
    summary_of,
    table_of,
    text_of,
)
from tests.gallery.sample_views import knock
from tests.helpers.message_parts import as_button, parts

_CARD: Final = re.compile(r"(?:\w+)[♣♦♥♠]")
_NUMBER: Final = re.compile(r"\b\d+\b(?![♣♦♥♠])")
_IGNORED_NUMBERS: Final = re.compile(r"<[^>]+>|\(\d\)")
"""Regular expression for numbers that `_facts` ignores: in mentions and timestamps, and in labels of melds."""

appearances = st.sampled_from([Appearance(language=language) for language in CARD_NAMES])


def test_a_ping_names_the_opponents_at_the_table() -> None:
    """A turn ping names the opponents at the table, not a player who sits out; an offer ping has no such list."""
    match = match_info_of(just_dealt("rotation", 3))
    call = Ping(match, Seat(1), person_id(1), is_turn=True, opponents=(Seat(2),))
    assert text_of(ping(call)) == f"<@{person_id(1)}>, it's your turn. You're playing against ⁨East⁩."
    assert "against" not in text_of(ping(replace(call, is_turn=False)))


def test_a_card_says_rated_only_while_the_match_runs() -> None:
    """The card of a running match says *rated*. One that is over might not count, so it does not say so."""
    match = recorded("004-score-sheet")
    told = {
        status: text_of(card(Card(match_info_of(match, status), public_view(match))))
        for status in (MatchStatus.RUNNING, MatchStatus.FINISHED, MatchStatus.CANCELLED)
    }
    assert [status for status, text in told.items() if "rated" in text] == [MatchStatus.RUNNING]


def test_a_ping_says_that_a_match_is_over() -> None:
    """A ping after a match says if it finished or was called off, names all opponents, and has no buttons."""
    for status, how in ((MatchStatus.FINISHED, "is over"), (MatchStatus.CANCELLED, "was called off")):
        match = match_info_of(just_dealt("rotation", 3), status)
        told = ping(Ping(match, Seat(1), person_id(1), is_turn=False, opponents=(Seat(2),), is_over=True))
        assert text_of(told) == f"<@{person_id(1)}>, your match {how}. You played against ⁨North⁩ and ⁨East⁩."
        assert button_labels(told) == []


@pytest.mark.parametrize(
    ("rules", "seats", "label"),
    [("classic", 2, "Claim the match"), ("partners", 4, "Claim the seat"), ("rotation", 3, "Claim the seat")],
)
def test_a_player_who_is_kept_waiting_can_claim(rules: str, seats: int, label: str) -> None:
    """With two players, a player who is kept waiting can claim the match; with more, only the awaited player's seat."""
    shown = hand_of(just_dealt(rules, seats), 0)
    assert label not in button_labels(leaving_question(shown))
    assert label in button_labels(leaving_question(replace(shown, may_claim=True)))


def test_a_player_whose_board_is_over_can_claim_and_give_time() -> None:
    """A player whose own board is over can claim the match, or give more time to the player on the other board."""
    shown = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 1)
    done = replace(shown.view, public=replace(shown.view.public, turn=None, phase=Phase.DONE), moves=())
    match = replace(shown.match, clock=Clock.parse("2d"))
    waiting = replace(
        shown, match=match, view=done, awaited_seat=Seat(0), times_left={Seat(0): TimeLeft(timedelta(), NOW)}
    )
    claiming = _with_pictures(lambda pictures: hand(replace(waiting, may_claim=True), pictures))
    assert button_labels(claiming)[:2] == ["Refresh", "Give a day"]
    assert {"Claim the match", "Call it off"} < {*button_labels(claiming)}
    assert "Give a day" not in button_labels(
        _with_pictures(lambda pictures: hand(replace(waiting, awaited_seat=None), pictures))
    )


def test_a_hand_with_every_button_fits_a_message() -> None:
    """A hand with the longest names, an offer, a claim and another waiting match fits Discord's limits."""
    shown = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 1)
    proposals = (Proposal.PAUSE, None)
    match = match_between(LONGEST_NAME, LONGEST_NAME, proposals=proposals)
    match = replace(match, clock=Clock.parse("10m+20s"))
    times = {Seat(0): TimeLeft(timedelta(), NOW), Seat(1): TimeLeft(timedelta(minutes=9), None)}
    full = replace(
        shown, match=match, times_left=times, awaited_seat=Seat(0), may_claim=True, may_nudge=True, other_turns=3
    )
    made = _with_pictures(lambda pictures: hand(full, pictures))
    assert length(made) < MESSAGE_LIMIT
    assert len(parts(made)) <= 40
    assert {"Next match (3)", "Nudge", "Give 5 minutes", "Pause the match", "Keep playing"} < {*button_labels(made)}


def test_a_daily_hand_has_no_showdown() -> None:
    """In the deal of the day, the hand after a deal that nobody won leads to the last moves, not to that showdown."""
    shown = hand_of(recorded_until("004-score-sheet", Phase.OFFER), 0)
    shown = replace(shown, last_deal=showdowns_of(recorded("004-score-sheet"))[0].view, finished_deals=1)
    daily = replace(shown, match=replace(shown.match, day=date(2026, 12, 1)), last_deal=None)
    made = [_with_pictures(lambda pictures, each=each: hand(each, pictures)) for each in (shown, daily)]
    assert ["Showdown" in button_labels(panel) for panel in made] == [True, False]


@pytest.mark.parametrize("phase", [Phase.OFFER, Phase.DISCARD, Phase.LAY_OFF])
def test_a_paused_table_shows_the_deal(phase: Phase) -> None:
    """The picture of a paused table says *paused*, and still shows a knock to which the opponent has not replied."""
    shown = table_of(recorded_until("options/lay_off_mode-manual", phase))
    paused = replace(shown, match=replace(shown.match, paused_at=NOW), view=replace(shown.view, turn=None))
    made = _with_pictures(lambda pictures: table(paused, pictures))
    alt = _alt_text(made)
    assert "Paused." in alt
    assert ("knocks with 8" in alt) == ("knocked with 8" in text_of(made.without_files())) == (phase is Phase.LAY_OFF)
    assert "over" not in alt
    assert button_labels(made)[-1] == "Continue"


def test_a_ping_about_a_claim_gives_the_reason_and_offers() -> None:
    """A ping about a claim says that time ran out or that a week has passed, and shows an open offer."""
    call = Ping(match_between("A", "B"), Seat(1), person_id(1), is_turn=False, opponents=(Seat(0),), may_claim=True)
    hand_has = "Press *My hand* to see what you can do."
    week = f"<@{person_id(1)}>, you've been waiting for a week. {hand_has}"
    assert text_of(ping(call)) == week
    timed = replace(call, match=replace(call.match, clock=Clock.parse("2d"), proposals=(Proposal.CANCEL, None)))
    assert text_of(ping(timed)) == (
        f"<@{person_id(1)}>, your opponent has no time left. {hand_has} ⁨A⁩ would like to call the match off."
    )
    assert button_labels(ping(timed)) == ["My hand", "Call it off", "Keep playing"]


def test_a_rematch_offer_can_be_accepted_like_a_challenge() -> None:
    """An offer of a rematch begins with the mentions, and its *Accept* is green; *Rematch* without an offer is not."""
    match = match_between("North", "South", status=MatchStatus.FINISHED, proposals=(Proposal.REMATCH, None))
    offer = rematch_offer(RematchOffer(match, (person_id(1),), (person_id(1),)))
    assert text_of(offer) == f"<@{person_id(1)}>\n{hand_text.rematch(match)}"
    accept, decline = rematch_buttons(match)
    rematch, none = rematch_buttons(replace(match, proposals=(None, None)))
    assert [as_button(item).style for item in (accept, decline, rematch) if item is not None] == [
        ButtonStyle.success,
        ButtonStyle.secondary,
        ButtonStyle.primary,
    ]
    assert none is None


def test_a_rematch_offer_names_its_rules_once() -> None:
    """An offer of a rematch and a ping about it name the rules once."""
    match = match_between("North", "South", status=MatchStatus.FINISHED, proposals=(Proposal.REMATCH, None))
    call = Ping(match, Seat(1), person_id(1), is_turn=False, opponents=(Seat(0),))
    for shown in (rematch_offer(RematchOffer(match, (person_id(1),), ())), ping(call)):
        assert text_of(shown).count("**Classic**, first to 100") == 1


@pytest.mark.thorough
@given(any_view(public_views), appearances)
def test_a_tables_text_has_every_fact_of_its_picture(view: PublicView, appearance: Appearance) -> None:
    """In every phase and format, the table in words has every card and number of the picture, and names the players.

    So have the few lines below the picture together with *Last moves*, for people who do not see the picture.
    """
    match = _match_info(view, appearance)
    drawn = _with_pictures(lambda pictures: table(Table(match, view, NOW), pictures))
    in_words = drawn.without_files()
    assert _facts(_alt_text(drawn)) <= _facts(text_of(in_words))
    assert all(NAMES[seat] in text_of(in_words) for seat in seats_at_table(view))
    assert length(in_words) < MESSAGE_LIMIT / 2
    moves = last_moves(Table(match, view, NOW), Preferences(appearance=appearance))
    assert _facts(_alt_text(drawn)) <= _facts(f"{text_of(drawn)}\n{text_of(moves)}")


@pytest.mark.nightly
@given(any_view(showdown_views), appearances)
def test_a_showdowns_text_has_every_fact_of_its_picture(view: ShowdownView, appearance: Appearance) -> None:
    """A showdown's details have all cards and scores of its picture's alt text, and name the players who sit out.

    So does the public showdown if its picture is refused.
    """
    match = _match_info(view, appearance)
    public = _with_pictures(lambda pictures: showdown(Showdown(match, view), pictures))
    in_full = _with_pictures(lambda pictures: details(Showdown(match, view), pictures))
    *hands, score = _alt_text(in_full).split(". ")
    assert _alt_text(public) == _alt_text(in_full)
    for text in (text_of(in_full), text_of(public.without_files())):
        assert {*_CARD.findall(". ".join(hands)), *_NUMBER.findall(score)} <= _facts(text)
        assert view.outcome.winner is None or f"**{view.outcome.points}**" in text
        assert all(NAMES[seat] in text for seat in range(len(match.players)))
        out = [] if view.outcome.knocker is None else sitting_out(view)
        assert all(f"{NAMES[seat]}⁩ sits out" in text for seat in out)
    assert all(NAMES[seat] in text_of(public) for seat in range(len(match.players)))
    assert set(_NUMBER.findall(score)) <= _facts(text_of(public))


@pytest.mark.thorough
@given(any_view(seat_views), appearances, st.sampled_from(HandOrder))
def test_a_hands_text_has_every_fact_of_its_picture(view: SeatView, appearance: Appearance, order: HandOrder) -> None:
    """With pictures off, a hand has no file, and its text has every card and number of the picture."""
    preferences = Preferences(appearance=appearance, hand_order=order)
    own = OwnHand(
        _match_info(view.public, Appearance()), view, NOW, may_claim=False, last_deal=None, preferences=preferences
    )
    no_pictures = replace(own, preferences=replace(preferences, pictures=False))
    drawn = _with_pictures(lambda pictures: hand(own, pictures))
    text_alone = _with_pictures(lambda pictures: hand(no_pictures, pictures))
    assert text_alone.attached == ()
    text = text_of(text_alone)
    assert _facts(_alt_text(drawn)) <= _facts(text)
    short = CARD_NAMES[appearance.language].short
    assert view.new_card is None or re.search(f"You (drew|took) {short(view.new_card)}", text)
    for choice in view.discard_choices:
        assert (f"{short(choice.card)} (leaving {choice.deadwood})" in text) == choice.can_knock
    assert length(text_alone) < MESSAGE_LIMIT / 2


def _with_pictures(make: Callable[[Pictures], Awaitable[Message]]) -> Message:
    """Make a message with pictures, and return it."""

    async def draw() -> Message:
        async with opened_pictures() as pictures:
            return await make(pictures)

    return asyncio.run(draw())


def _match_info(view: PublicView | ShowdownView, appearance: Appearance) -> MatchInfo:
    """Return a `MatchInfo` for the match of a view, on a server with this appearance."""
    seats = sum(map(len, view.sides))
    return replace(match_between(*NAMES[:seats], rules=Rules.parse(str(view.rules))), appearance=appearance)


def _alt_text(shown: Message) -> str:
    (picture,) = shown.attached
    return picture.alt or ""


def _facts(text: str) -> set[str]:
    """Return the cards and numbers in a text."""
    plain = _IGNORED_NUMBERS.sub("", text)
    return {*_CARD.findall(plain), *_NUMBER.findall(plain)}


def test_all_moves_of_a_deal_are_on_pages_that_fit() -> None:
    """Every turn has a numbered line on one of the pages. The last page is shown first; buttons open the others."""
    state = just_dealt("classic")
    info = match_between(LONGEST_NAME, f"2{LONGEST_NAME[1:]}")
    history = (
        PublicMove(Seat(turn % 2), verb, PlayingCard.parse("Td") if verb is Verb.DISCARD else None)
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


@pytest.mark.parametrize(
    ("turns", "first"), [(3, 1), (TURNS_ON_PAGE, 1), (TURNS_ON_PAGE + 1, 18), (TURNS_ON_PAGE + 5, TURNS_ON_PAGE + 1)]
)
def test_the_last_page_of_moves_has_the_last_turn_of_every_player(turns: int, first: int) -> None:
    """The last page of *Last moves* has the last four turns, as the table has, even just after a page was full."""
    shown = table_of(just_dealt("penalty", 4))
    history = tuple(PublicMove(Seat(turn % 4), Verb.DRAW, None) for turn in range(turns))
    text = text_of(last_moves(replace(shown, view=replace(shown.view, history=history)), Preferences()))
    assert [int(number) for number in re.findall(r"(?m)^(\d+)\. ", text)] == list(range(first, turns + 1))


def test_a_page_of_moves_fits_below_a_knock_at_a_table_of_four() -> None:
    """A full page of *Last moves* also fits with four of the longest names, a knock, and six lay-offs."""
    info = match_between(*[LONGEST_NAME] * 4, rules=Rules.parse("penalty"))
    knocked = knock(
        0, "7c 7d 7h 4s 5s 6s Ac", "1:3s>4s5s6s 2:7s>4s5s6s 3:8s>4s5s6s 1:2s>4s5s6s 2:As>4s5s6s 3:9s>4s5s6s"
    )
    moves = ((Verb.DRAW, None), (Verb.DISCARD, PlayingCard.parse("Td")))
    history = (PublicMove(Seat(turn % 4), verb, card) for turn in range(40) for verb, card in moves)
    dealt = public_view(just_dealt("penalty", 4))
    view = replace(dealt, phase=Phase.LAY_OFF, knock=knocked, history=tuple(history))
    shown = last_moves(Table(info, view, NOW), Preferences())
    assert text_of(shown).count(" on 4♠ 5♠ 6♠ by ") == 6
    assert len(re.findall(r"(?m)^\d+\. ", text_of(shown))) == TURNS_ON_PAGE
    assert length(shown) <= MESSAGE_LIMIT


def test_leaving_a_match_shows_its_state() -> None:
    """The question of how to leave shows the deal and the score, so that nobody leaves the wrong match."""
    match = recorded("004-score-sheet")
    shown = hand_of(match, 0)
    text = text_of(leaving_question(shown))
    assert f"Deal {shown.view.public.number}" in text
    assert side_scores(shown.match, shown.view.public) in text


def test_the_history_hides_drawn_cards() -> None:
    """*Last moves* does not name a card that was drawn from the stock."""
    match = recorded_until("004-score-sheet", Phase.DISCARD)
    shown = Table(match_info_of(match), public_view(match), NOW)
    drawn = hand_of(match, match.to_act[0]).view.new_card
    text = text_of(last_moves(shown, Preferences()))
    assert drawn is not None
    assert (drawn.symbol in text) == (shown.view.history[-1].verb is Verb.TAKE)


def _verifiable(match: MatchInfo) -> MatchInfo:
    return replace(match, fairness=Fairness.VERIFIABLE)


@pytest.mark.parametrize(("preset", "seats"), [("classic", 2), ("partners", 4)])
def test_ending_early_warns_that_hands_become_visible(preset: str, seats: int) -> None:
    """In a verifiable match, resigning and calling off warn that all hands become visible; pausing does not."""
    told = "Once the match has ended, everyone can see all hands."
    shown = hand_of(just_dealt(preset, seats), 0)
    assert told not in text_of(leaving_question(shown))
    fair = replace(shown, match=_verifiable(shown.match))
    assert told in text_of(leaving_question(fair))
    proposals = (None, Proposal.CANCEL, *(None,) * (seats - 2))
    offered = replace(fair.match, proposals=proposals)
    assert told in (hand_text.proposals(offered, Seat(0)) or "")
    paused = replace(offered, proposals=(None, Proposal.PAUSE, *(None,) * (seats - 2)))
    assert told not in (hand_text.proposals(paused, Seat(0)) or "")


async def test_a_showdown_has_buttons_for_replay_and_review() -> None:
    """The public showdown has only *Details*, unless its picture is refused. The details have the other buttons.

    A scored deal has *Replay* and *Review*; a void deal has only *Replay*, and only if its seeds are public.
    """
    done, void = (
        Showdown(match_info_of(match), showdown_view(match, 1))
        for match in (recorded("004-score-sheet"), recorded("void-deal"))
    )
    assert button_labels(await details(done, None)) == ["Replay", "Review"]
    assert button_labels(await details(void, None)) == []
    async with opened_pictures() as pictures:
        for shown, ways in ((done, ["Replay", "Review", "Verify"]), (void, ["Replay", "Verify"])):
            fair = replace(shown, match=_verifiable(shown.match))
            in_full, public = await details(fair, None), await showdown(fair, pictures)
            assert button_labels(in_full) == button_labels(public.without_files()) == ways
            assert button_labels(public) == ["Details"]
            assert "-# You can check this deal." in text_of(in_full)


@pytest.mark.thorough
async def test_a_match_that_used_up_its_shuffles_says_so() -> None:
    """A match that was called off because its shuffles are used up says so."""
    summary = summary_of(recorded("004-score-sheet"))
    async with opened_pictures() as pictures:
        assert "has used up" not in text_of(await end(summary, pictures))
        assert "has used up" in text_of(await end(replace(summary, seeds_used_up=True), pictures))
