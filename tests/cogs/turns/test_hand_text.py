"""The texts of a hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import LOSE_ON_TIME, RESIGN, TAKE, Seat
from bot.engine.deals.phase import Phase
from bot.engine.matches.match import Play, apply
from bot.engine.matches.views import LayOffChoice, seat_view
from bot.model.appearance import Appearance, HandOrder
from bot.model.clocks import Clock, TimeLeft
from bot.model.matches import MadeCasual, MatchKind, MatchStatus, Proposal
from bot.model.people import Preferences
from bot.model.statistics import computers
from bot.opponent.play.levels import Level
from cardart.text.card_names import ENGLISH
from cogs.turns import hand_text as texts
from cogs.words import cards, names
from tests.cardart.views import answering_views, at_the_wall
from tests.cogs.samples import (
    MESSAGE_LIMIT,
    NOW,
    hand_of,
    just_dealt,
    match_between,
    recorded,
    recorded_until,
    showdowns_of,
)
from tests.helpers.shufflers import IMMEDIATE_KNOCK

_SHEET_RECORD = "004-score-sheet"
_NO_PICTURES = Preferences(pictures=False)


@pytest.mark.parametrize(
    ("record", "phase", "seat", "expected"),
    [
        (_SHEET_RECORD, Phase.OFFER, 0, "**Your turn:** take the **9♠** or pass."),
        (_SHEET_RECORD, Phase.OFFER, 1, "Waiting for ⁨North⁩. Press *Refresh* to update."),
        (_SHEET_RECORD, Phase.DRAW, 0, "**Your turn:** everyone passed the upcard, so draw from the stock."),
        ("preset-big", Phase.DRAW, 1, "**Your turn:** draw from the stock or take the **10♠**."),
        ("preset-penalty", Phase.DRAW, 2, "**Your turn:** draw from the stock or take the **9♠**."),
        (_SHEET_RECORD, Phase.DISCARD, 0, "**Your turn:** discard a card."),
        ("options/last_discard-may_go_out", Phase.WALL, 0, "the stock has run out: go out with the **4♣**"),
        (
            "options/lay_off_mode-manual",
            Phase.LAY_OFF,
            1,
            "**Your turn:** no card fits ⁨North⁩'s melds, so press *Show my hand*.",
        ),
        ("options/lay_off_mode-manual", Phase.LAY_OFF, 0, "Waiting for ⁨South⁩"),
        ("options/format-rotation", Phase.OFFER, 2, "You're sitting this deal out. Waiting for ⁨North⁩"),
        (
            "options/format-partners",
            Phase.DONE,
            0,
            "You're done for this round. It ends when the other board finishes.",
        ),
    ],
)
def test_the_text_names_the_possible_moves(record: str, phase: Phase, seat: int, expected: str) -> None:
    """The text names the possible moves or the player to wait for, or says that the other board is not over yet."""
    assert expected in texts.turn_state(hand_of(recorded_until(record, phase), seat), ENGLISH)


def test_at_the_wall_the_text_says_if_the_player_can_go_out() -> None:
    """When the stock is used up, the text says if the player can go out with the last discard or must pass."""
    helpless = replace(hand_of(just_dealt("classic"), 0), view=seat_view(at_the_wall(), Seat(1)))
    assert "the stock has run out and you can't go out with the" in texts.turn_state(helpless, ENGLISH)
    able = replace(helpless, view=seat_view(at_the_wall("tournament knock_limit=100"), Seat(1)))
    assert "run out: go out with the **" in texts.turn_state(able, ENGLISH)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (HandOrder.MELDS, "Melds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: 2♦ D♥ (**12**)"),
        (
            HandOrder.SUIT,
            "Hand: A♣ 2♣ 3♣ K♣ K♦ K♥ 4♦ 5♦ 6♦ D♥ 2♦\nMelds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: **12**",
        ),
        (
            HandOrder.RANK,
            "Hand: A♣ 2♣ 3♣ 4♦ 5♦ 6♦ D♥ K♣ K♦ K♥ 2♦\nMelds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: **12**",
        ),
    ],
)
def test_a_hand_is_sorted_by_preference(order: HandOrder, expected: str) -> None:
    """Sorted by melds, a hand lists the melds and the deadwood. By suit or rank, it begins as the buttons do."""
    match = apply(just_dealt("classic", deck=IMMEDIATE_KNOCK), Play(Seat(0), TAKE))
    preferences = Preferences(hand_order=order, appearance=Appearance(language="de"))
    assert texts.cards(replace(hand_of(match, 0), preferences=preferences)) == expected


def test_a_player_who_sits_out_has_no_cards() -> None:
    """A player who sits out gets no text about cards."""
    assert texts.cards(hand_of(recorded_until("options/format-rotation", Phase.OFFER), 2)) is None


@pytest.mark.thorough
def test_without_pictures_the_text_lists_knocks_and_lay_offs() -> None:
    """The text lists each possible knock with its deadwood, and each layoff with its meld and the points it saves."""
    match = apply(just_dealt("classic", deck=IMMEDIATE_KNOCK), Play(Seat(0), TAKE))
    hand = hand_of(match, 0)
    french = Preferences(appearance=Appearance(language="fr"))
    assert texts.knocks_and_lay_offs(replace(hand, preferences=french)) == "Knock with: D♥ (leaving 2)"
    answer = replace(hand_of(recorded_until("options/lay_off_mode-manual", Phase.LAY_OFF), 1), preferences=_NO_PICTURES)
    assert texts.knocks_and_lay_offs(answer) == "None of your cards fits the knocker's melds."
    views = [view for view in answering_views() if view.best_response and view.lay_offs]
    for answering in (
        next(view for view in views if bool(view.best_response and view.best_response.lay_offs) == fits)
        for fits in (1, 0)
    ):
        text = texts.knocks_and_lay_offs(replace(answer, view=answering)) or ""
        assert text.startswith(
            f"Lay off: {cards.laid_off(answering.lay_offs[0], ENGLISH)} ({cards.saving(answering.lay_offs[0])})"
        )
        best = answering.best_response.lay_offs if answering.best_response else ()
        assert f"\nBest: {ENGLISH.short_row(lay_off.card for lay_off in best) or 'nothing'}, leaving " in text
    needed = LayOffChoice(Card.parse("9s"), views[0].lay_offs[0].meld, -18)
    assert cards.saving(needed) == "costing 18"


def test_gin_and_big_gin_are_announced() -> None:
    """The text says if the player has gin or big gin."""
    gin = recorded_until("gin-on-the-upcard", Phase.DISCARD)
    assert "you have gin!" in texts.turn_state(hand_of(gin, gin.to_act[0]), ENGLISH)
    big = recorded_until("options/big_gin_bonus-31", Phase.DISCARD)
    view = hand_of(big, big.to_act[0])
    assert ("you have big gin!" in texts.turn_state(view, ENGLISH)) == view.view.can_go_big_gin


@pytest.mark.parametrize(
    ("record", "seat", "expected"),
    [
        (_SHEET_RECORD, 0, "Your hand against ⁨South⁩"),
        ("options/format-partners", 0, "Your hand against ⁨South⁩"),
        ("preset-penalty", 1, "Your hand against ⁨East⁩ and ⁨North⁩"),
        ("options/format-rotation", 2, "⁨North⁩ and ⁨South⁩ play"),
        ("options/format-rotation", 0, "Your hand against ⁨South⁩"),
    ],
)
def test_the_title_names_the_opponents_at_the_board(record: str, seat: int, expected: str) -> None:
    """A hand's title names the opponents at its board; for a player who sits out, it names those who play."""
    assert texts.title(hand_of(recorded_until(record, Phase.DRAW), seat)) == expected


def test_the_title_names_the_only_computer_by_its_level() -> None:
    """A hand's title calls the only computer of its level `the strong computer`, as sentences do."""
    hand = hand_of(recorded_until(_SHEET_RECORD, Phase.DRAW), 0)
    (computer,) = computers([Level.STRONG])
    match = replace(hand.match, players=(hand.match.players[0], computer))
    assert texts.title(replace(hand, match=match)) == "Your hand against the strong computer"
    assert names.opponents(match, Seat(0)) == "the strong computer"


def test_the_last_deal_is_mentioned_while_the_next_one_is_new() -> None:
    """A line in the hand has the last deal's result, until more than three moves were made in the next deal."""
    hand = replace(
        hand_of(recorded_until(_SHEET_RECORD, Phase.OFFER), 0), last_deal=showdowns_of(recorded(_SHEET_RECORD))[0].view
    )
    expected = "-# Deal 1: ⁨North⁩ wins by knocking, 15 points."
    assert texts.last_deal(hand) == expected
    assert texts.last_deal(replace(hand, last_deal=None)) is None
    later = replace(hand.view.public, history=hand_of(recorded(_SHEET_RECORD), 0).view.public.history)
    assert len(later.history) > texts.NEW_DEAL_MOVES
    assert texts.last_deal(replace(hand, view=replace(hand.view, public=later))) is None


@pytest.mark.parametrize(
    ("record", "by_seat"),
    [
        (_SHEET_RECORD, ("You won your match against ⁨South⁩ by 204.", "You lost your match against ⁨North⁩ by 204.")),
        (
            "preset-partners",
            (
                "You lost your match against ⁨South⁩ and ⁨West⁩ by 182.",
                "You won your match against ⁨North⁩ and ⁨East⁩ by 182.",
            ),
        ),
        (
            "preset-penalty",
            (
                "⁨South⁩ won by 45. You came 3rd of 3.",
                "You won your match against ⁨North⁩ and ⁨East⁩.",
                "⁨South⁩ won by 45. You came 2nd of 3.",
            ),
        ),
    ],
)
def test_the_text_states_the_result_of_a_match(record: str, by_seat: tuple[str, ...]) -> None:
    """The text says if the player's side won and by how much, or which of three places it came in."""
    for seat, expected in enumerate(by_seat):
        assert texts.match_result(hand_of(recorded(record), seat, MatchStatus.FINISHED)) == expected


def test_equal_losers_share_a_place() -> None:
    """Two losers with equal scores share the second place."""
    hand = hand_of(recorded("preset-penalty"), 0, MatchStatus.FINISHED)
    score = replace(hand.view.public.score, scores=(57, 12, 57), deals_won=(1, 2, 1))
    tied = replace(hand, view=replace(hand.view, public=replace(hand.view.public, score=score)))
    assert texts.match_result(tied).endswith("You shared 2nd place of 3.")


@pytest.mark.parametrize(
    ("record", "by_seat"),
    [
        (_SHEET_RECORD, ("You lost your match against ⁨South⁩. You resigned.", "You won your match against ⁨North⁩.")),
        (
            "preset-rotation",
            (
                "You lost your match against ⁨South⁩ and ⁨East⁩. You resigned.",
                "Your match against ⁨North⁩ and ⁨East⁩ ended without a winner. ⁨North⁩ resigned.",
            ),
        ),
        (
            "preset-partners",
            (
                "You lost your match against ⁨South⁩ and ⁨West⁩. You resigned.",
                "You won your match against ⁨North⁩ and ⁨East⁩. ⁨North⁩ resigned.",
                "You lost your match against ⁨South⁩ and ⁨West⁩. ⁨North⁩ resigned.",
            ),
        ),
    ],
)
def test_the_text_states_the_result_of_a_resignation(record: str, by_seat: tuple[str, ...]) -> None:
    """The text says who resigned, and if the other side wins or the match has no result."""
    before = just_dealt("partners", 4) if record == "preset-partners" else recorded_until(record, Phase.DISCARD)
    match = apply(before, Play(Seat(0), RESIGN))
    for seat, expected in enumerate(by_seat):
        assert texts.match_result(hand_of(match, seat, MatchStatus.FINISHED)).startswith(expected)


def test_a_match_without_a_finished_deal_does_not_count() -> None:
    """Each player's text says that a match ended before its first deal doesn't count; practice never does anyway."""
    match, uncounted = apply(just_dealt("classic"), Play(Seat(0), RESIGN)), "No deal was finished, so it doesn't count."
    for seat in (0, 1):
        hand = hand_of(match, seat, MatchStatus.FINISHED)
        assert texts.match_result(hand).endswith(uncounted)
        assert uncounted not in texts.match_result(replace(hand, finished_deals=1))
        assert uncounted not in texts.match_result(replace(hand, match=replace(hand.match, kind=MatchKind.PRACTICE)))


def test_the_text_names_the_loser_on_time() -> None:
    """The loser reads that they lost on time, and the opponent that they won."""
    match = apply(just_dealt("classic"), Play(Seat(0), LOSE_ON_TIME))
    own, other = (texts.match_result(hand_of(match, seat, MatchStatus.FINISHED)) for seat in (0, 1))
    assert own.startswith("You lost your match against ⁨South⁩. You lost on time.")
    assert other.startswith("You won your match against ⁨North⁩. ⁨North⁩ lost on time.")


def test_a_match_that_was_called_off_does_not_count() -> None:
    """The text says that the match was called off and does not count."""
    text = texts.match_result(hand_of(recorded_until(_SHEET_RECORD, Phase.DISCARD), 1, MatchStatus.CANCELLED))
    assert text == "Your match against ⁨North⁩ was called off. It doesn't count."


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (_SHEET_RECORD, "You lose, and ⁨South⁩ wins."),
        ("preset-partners", "Your team loses."),
        ("preset-penalty", "You lose. The match ends without a winner."),
    ],
)
def test_the_question_about_resigning_names_the_consequence(record: str, expected: str) -> None:
    """The question about resigning says in each format what a resignation leads to."""
    assert expected in texts.resigning(hand_of(recorded_until(record, Phase.DISCARD), 0))


def test_offers_to_call_the_match_off_are_named() -> None:
    """An offer is worded differently for the player who made it. Without an offer there is no text."""
    cancel = Proposal.CANCEL
    assert texts.proposals(match_between("A", "B")) is None
    offer = "⁨A⁩ would like to call the match off."
    for_all = texts.proposals(match_between("A", "B", proposals=(cancel, None)))
    assert for_all == f"{offer} Press *My hand* to answer."
    assert texts.proposals(match_between("A", "B", proposals=(cancel, None)), Seat(1)) == offer
    own = texts.proposals(match_between("A", "B", proposals=(cancel, None)), Seat(0))
    assert own == "You offered to call the match off. The match ends once ⁨B⁩ agrees."
    three = match_between("A", "B", "C", rules="rotation", proposals=(cancel, cancel, None))
    both = "You and ⁨B⁩ would like to call the match off. The match ends once everyone agrees."
    assert texts.proposals(three, Seat(0)) == both
    assert texts.proposals(three, Seat(2)) == "⁨A⁩ and ⁨B⁩ would like to call the match off."


def test_a_line_in_the_list_of_matches() -> None:
    """A line in the list has the channel, the opponents, whose turn it is, the deal, and the time of the last move."""
    match = just_dealt("partners", 4)
    lines = [texts.turn_line(hand_of(match, seat)) for seat in range(4)]
    assert lines[0] == (f"<#{10**18}> against ⁨South⁩ and ⁨West⁩: **your turn**, deal 1, dealt <t:1795262400:R>")
    assert ["**your turn**" in line for line in lines] == [True, False, True, False]
    assert "against ⁨North⁩ and ⁨East⁩: waiting, deal 1" in lines[3]


def test_a_line_in_the_list_of_matches_has_the_deadline() -> None:
    """A line in the list says whose turn it is, and then that player's deadline."""
    match, at = just_dealt("classic", 2), f"<t:{int(NOW.timestamp())}:R>"
    shown = hand_of(match, 0)
    own = replace(shown, match=replace(shown.match, clock=Clock.parse("2d")))
    shown = hand_of(match, 1)
    waiting = replace(shown, match=own.match, awaited_seat=Seat(0))
    running, used_up, still = TimeLeft(timedelta(1), NOW), TimeLeft(timedelta(), NOW), TimeLeft(timedelta(1), None)
    for hand, time, text in (
        (own, running, f"**your turn**, your time runs out {at}, deal 1"),
        (own, used_up, "**your turn**, your time is up, deal 1"),
        (own, still, "**your turn**, deal 1"),
        (waiting, running, f"waiting, their time runs out {at}, deal 1"),
        (waiting, used_up, "waiting, **their time is up**, deal 1"),
    ):
        assert text in texts.turn_line(replace(hand, times_left={Seat(0): time}))


def test_a_list_of_matches_fits_into_a_message() -> None:
    """A list too long for a message is shortened. If any matches are missing, the list ends with their number."""
    assert texts.turn_list(["- one", "- two"], 2) == "### Your matches\n- one\n- two"
    assert texts.turn_list(["- one", "- two"], 5).endswith("- two\n… and 3 more")
    long = texts.turn_list(["- " + "x" * 500] * 10, 12)
    assert len(long) < MESSAGE_LIMIT
    assert long.endswith("x\n… and 5 more")


def test_resigning_before_a_deal_is_over_does_not_count() -> None:
    """Before the end of deal 1, and in casual matches, the text about resigning says that the match does not count."""
    first, uncounted = hand_of(recorded_until("004-score-sheet", Phase.DISCARD), 0), "doesn't count."
    assert f"No deal is over yet, so the match {uncounted}" in texts.resigning(first)
    later = replace(first, finished_deals=1)
    assert uncounted not in texts.resigning(later)
    casual = replace(later, match=replace(later.match, kind=MatchKind.CASUAL))
    assert f"so it {uncounted}" in texts.resigning(casual)


def test_pausing_and_calling_off_say_when_they_happen() -> None:
    """The text says if the match pauses or ends immediately, or only once the others agree.

    A player who can claim the match may call it off immediately.
    """
    off, pause = "It won't count.", "A pause stops all clocks."
    for own in (0, 1):
        hand = hand_of(just_dealt("classic"), own)
        match, other = hand.match, "⁨South⁩" if own == 0 else "⁨North⁩"
        assert texts.calling_off(hand) == f"The match ends once {other} agrees. {off}"
        assert texts.pausing(hand) == f"The match pauses once {other} agrees. {pause}"
        offered = replace(hand, match=replace(match, proposals=(Proposal.PAUSE, None)))
        when = "once ⁨South⁩ agrees" if own == 0 else "at once"
        assert texts.pausing(offered) == f"The match pauses {when}. {pause}"
        assert texts.calling_off(replace(hand, may_claim=True)) == f"The match ends at once. {off}"
        assert texts.pausing(replace(hand, match=replace(match, paused_at=NOW))) == "The match is already paused."
    assert "once everyone agrees" in texts.calling_off(hand_of(just_dealt("rotation", 3), 0))


def test_a_claim_states_its_reason_and_result() -> None:
    """A claim's text has its reason (used-up time or a week of waiting) and its result: a win, or a joint decision."""
    waiting = replace(hand_of(just_dealt("classic"), 1), awaited_seat=Seat(0))
    assert texts.claiming(waiting) == "You've been waiting for a week. You win the match."
    timed = replace(waiting, match=replace(waiting.match, clock=Clock.parse("2d")))
    assert texts.claiming(timed) == "⁨North⁩ has no time left. You win the match."
    three = texts.claiming(hand_of(just_dealt("rotation", 3), 2))
    assert three.endswith("whether a computer takes the seat.")


def test_offers_of_a_rematch_are_named() -> None:
    """The text names the player who offers or declined a rematch, and its rules, or says that the rematch begins."""
    offered, declined = Proposal.REMATCH, Proposal.DECLINED
    match, rules = match_between("A", "B", rules="low target=50", proposals=(offered, None)), "**Low**, first to 50"
    assert texts.rematch(match_between("A", "B")) is None
    for own in (None, Seat(1)):
        assert str(texts.rematch(match, own)).startswith(f"⁨A⁩ would like a rematch: {rules}. The offer expires <t:")
    own_offer = f"You offered a rematch: {rules}. It starts if ⁨B⁩ agrees. The offer expires <t:"
    assert str(texts.rematch(match, Seat(0))).startswith(own_offer)
    assert texts.rematch(match_between("A", "B", proposals=(offered, offered))) == "The rematch has started!"
    match = match_between("A", "B", proposals=(None, declined))
    assert texts.rematch(match, Seat(0)) == "⁨B⁩ declined the rematch."
    assert texts.rematch(match, Seat(1)) == "You declined the rematch."


def test_a_match_that_became_casual_says_why() -> None:
    """A line says why a match became casual: an opponent could have removed the player who left the server."""
    match = match_between("A", "B")
    assert texts.made_casual(match) is None
    casual = replace(match, made_casual=MadeCasual.REMOVER)
    assert texts.made_casual(casual) == f"-# {texts.MADE_CASUAL[MadeCasual.REMOVER]}"
