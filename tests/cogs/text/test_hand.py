"""A hand in texts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.cards import Card
from bot.engine.match import Play, apply
from bot.engine.moves import RESIGN, TAKE, Seat
from bot.engine.views import LayOffChoice, Phase, seat_view
from bot.values.appearance import Appearance, HandOrder
from bot.values.matches import MatchStatus, Proposal
from cardart.text.card_names import ENGLISH
from cogs.text import cards
from cogs.text import hand as texts
from tests.cardart.views import answering, at_the_wall
from tests.cogs.text.samples import begun, card_of, hand_of, recorded, showdowns_of, until
from tests.helpers.shufflers import KNOCK_AT_ONCE

_SHEET = "004-score-sheet"


@pytest.mark.parametrize(
    ("record", "phase", "seat", "told"),
    [
        (_SHEET, Phase.OFFER, 0, "**Your turn:** take the **9♠** or pass."),
        (_SHEET, Phase.OFFER, 1, "Waiting for ⁨North⁩, since <t:1795262400:R>."),
        (_SHEET, Phase.DRAW, 0, "**Your turn:** draw from the stock: all passed the upcard."),
        (_SHEET, Phase.DISCARD, 0, "**Your turn:** discard a card. You drew 5♣."),
        ("knobs/last_discard-may_go_out", Phase.WALL, 0, "the stock is used up. Take the **4♣** to knock or go gin"),
        ("knobs/lay_off_mode-manual", Phase.LAY_OFF, 1, "⁨North⁩ knocked with 8. Lay cards off, all at once"),
        ("knobs/lay_off_mode-manual", Phase.LAY_OFF, 0, "Waiting for ⁨South⁩"),
        ("knobs/format-rotation", Phase.OFFER, 2, "You sit this deal out. Waiting for ⁨North⁩"),
        (
            "knobs/format-partners",
            Phase.DONE,
            0,
            "Your board is over. The round ends once the other board is over too.",
        ),
    ],
)
def test_what_the_owner_may_do(record: str, phase: Phase, seat: int, told: str) -> None:
    """In each phase what may be done, or whom one waits for, be it at another board."""
    assert told in texts.your_turn(hand_of(until(record, phase), seat))


def test_at_the_wall_one_reads_whether_one_can_go_out() -> None:
    """Who cannot is told to pass."""
    helpless = replace(hand_of(begun("classic"), 0), view=seat_view(at_the_wall(), Seat(1)))
    assert "the stock is used up, and you cannot go out with the" in texts.your_turn(helpless)
    able = replace(helpless, view=seat_view(at_the_wall("tournament knock_limit=100"), Seat(1)))
    assert "to knock or go gin with it, or pass." in texts.your_turn(able)


@pytest.mark.parametrize(
    ("order", "told"),
    [
        (HandOrder.MELDS, "Melds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: 2♦ D♥ (**12**)"),
        (
            HandOrder.SUIT,
            "Hand: A♣ 2♣ 3♣ K♣ 2♦ 4♦ 5♦ 6♦ K♦ D♥ K♥\nMelds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: **12**",
        ),
        (
            HandOrder.RANK,
            "Hand: A♣ 2♣ 2♦ 3♣ 4♦ 5♦ 6♦ D♥ K♣ K♦ K♥\nMelds: A♣ 2♣ 3♣ / 4♦ 5♦ 6♦ / K♣ K♦ K♥\nDeadwood: **12**",
        ),
    ],
)
def test_a_hand_is_told_in_the_order_of_its_owner(order: HandOrder, told: str) -> None:
    """By melds with the deadwood apart; by suit or rank all cards first, and then what they come to."""
    match = apply(begun("classic", deck=KNOCK_AT_ONCE), Play(Seat(0), TAKE))
    assert texts.held(replace(hand_of(match, 0), order=order, look=Appearance(language="de"))) == told


def test_who_sits_out_holds_nothing() -> None:
    """There are no cards to tell of."""
    assert texts.held(hand_of(until("knobs/format-rotation", Phase.OFFER), 2)) is None


def test_without_pictures_what_to_knock_and_lay_off_with_is_spelled_out() -> None:
    """What each card leaves or saves, and where it fits; nothing more beside a picture."""
    match = apply(begun("classic", deck=KNOCK_AT_ONCE), Play(Seat(0), TAKE))
    hand = replace(hand_of(match, 0), look=Appearance(language="fr"))
    assert texts.spelled_out(hand) is None
    assert texts.spelled_out(replace(hand, pictures=False)) == "You may knock with: D♥ (leaving 2)"
    answer = replace(hand_of(until("knobs/lay_off_mode-manual", Phase.LAY_OFF), 1), pictures=False)
    assert texts.spelled_out(answer) == "None of your cards fits."
    views = [view for view in answering() if view.best_response and view.lay_offs]
    for one in (
        next(view for view in views if bool(view.best_response and view.best_response.lay_offs) == fits)
        for fits in (1, 0)
    ):
        told = texts.spelled_out(replace(answer, view=one)) or ""
        assert told.startswith(
            f"You may lay off: {cards.laid_off(one.lay_offs[0], ENGLISH)} ({cards.saving(one.lay_offs[0])})"
        )
        best = one.defence.lay_offs if one.defence else ()
        assert told.endswith(f"\nBest: {ENGLISH.row(lay_off.card for lay_off in best) or 'nothing'}")
    needed = LayOffChoice(Card.parse("9s"), views[0].lay_offs[0].meld, -18)
    assert cards.saving(needed) == "costing 18"


def test_gin_and_big_gin_are_seen() -> None:
    """Whoever has gin is told so before anything else."""
    gin = until("gin-on-the-upcard", Phase.DISCARD)
    assert "you have gin! You took" in texts.your_turn(hand_of(gin, gin.to_act[0]))
    big = until("knobs/big_gin_bonus-31", Phase.DISCARD)
    view = hand_of(big, big.to_act[0])
    assert ("you have big gin!" in texts.your_turn(view)) == view.view.can_go_big_gin


def test_a_hand_is_against_those_at_its_board() -> None:
    """The opponent of a duel and of a board, the others of a table; who sits out reads who plays."""
    for record, seat, told in (
        (_SHEET, 0, "Your hand against ⁨South⁩"),
        ("knobs/format-partners", 0, "Your hand against ⁨South⁩"),
        ("preset-penalty", 1, "Your hand against ⁨East⁩ and ⁨North⁩"),
        ("knobs/format-rotation", 2, "⁨North⁩ and ⁨South⁩ play"),
        ("knobs/format-rotation", 0, "Your hand against ⁨South⁩"),
    ):
        assert texts.title(hand_of(until(record, Phase.OFFER), seat)) == told


def test_the_deal_before_is_told_while_the_next_is_young() -> None:
    """One small line with the way to the showdown, until three moves were made."""
    hand = replace(hand_of(until(_SHEET, Phase.OFFER), 0), last=showdowns_of(recorded(_SHEET))[0].view)
    told = f"-# Deal 1: ⁨North⁩ wins by knocking, 15 points. The showdown is in <#{10**18}>."
    assert texts.last_deal(hand) == told
    assert texts.last_deal(replace(hand, last=None)) is None
    many = replace(hand.view.public, history=hand_of(recorded(_SHEET), 0).view.public.history)
    assert len(many.history) > texts.FRESH
    assert texts.last_deal(replace(hand, view=replace(hand.view, public=many))) is None


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (_SHEET, ("You **won** your match against ⁨South⁩ by 204.", "You lost your match against ⁨North⁩ by 204.")),
        (
            "preset-partners",
            (
                "You lost your match against ⁨South⁩ and ⁨West⁩ by 182.",
                "You **won** your match against ⁨North⁩ and ⁨East⁩ by 182.",
            ),
        ),
        (
            "preset-penalty",
            ("You lost your match against ⁨South⁩ and ⁨East⁩.", "You **won** your match against ⁨North⁩ and ⁨East⁩."),
        ),
    ],
)
def test_how_the_match_ended_for_its_owner(record: str, told: tuple[str, ...]) -> None:
    """Won or lost with one's side, by how much, and where the score sheet is."""
    for seat, expected in enumerate(told):
        shown = texts.over(hand_of(recorded(record), seat, MatchStatus.FINISHED))
        assert shown == f"{expected} How it ended stands in <#{10**18}>."


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (_SHEET, ("You lost your match against ⁨South⁩. You resigned.", "You **won** your match against ⁨North⁩.")),
        (
            "preset-rotation",
            (
                "You lost your match against ⁨South⁩ and ⁨East⁩. You resigned.",
                "There is no result for you in your match against ⁨North⁩ and ⁨East⁩. ⁨North⁩ resigned.",
            ),
        ),
        (
            "preset-partners",
            (
                "You lost your match against ⁨South⁩ and ⁨West⁩. You resigned.",
                "You **won** your match against ⁨North⁩ and ⁨East⁩. ⁨North⁩ resigned.",
                "You lost your match against ⁨South⁩ and ⁨West⁩. ⁨North⁩ resigned.",
            ),
        ),
    ],
)
def test_how_a_resigned_match_ended_for_its_owner(record: str, told: tuple[str, ...]) -> None:
    """Who resigned, and what it means for each: the other side wins, or there is no result."""
    before = begun("partners", 4) if record == "preset-partners" else until(record, Phase.DISCARD)
    match = apply(before, Play(Seat(0), RESIGN))
    for seat, expected in enumerate(told):
        assert texts.over(hand_of(match, seat, MatchStatus.FINISHED)).startswith(expected)


def test_a_match_called_off_counts_for_nobody() -> None:
    """Whoever reads of it."""
    told = texts.over(hand_of(until(_SHEET, Phase.DISCARD), 1, MatchStatus.CANCELLED))
    assert told == "Your match against ⁨North⁩ was called off. It counts for nobody."


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (_SHEET, "They win it then"),
        ("preset-partners", "Your team loses it then"),
        ("preset-penalty", "The match ends then: a loss for you, and no result for the others"),
    ],
)
def test_what_resigning_would_mean(record: str, told: str) -> None:
    """Before it is done, by the format."""
    assert told in texts.leaving(hand_of(until(record, Phase.DISCARD), 0))


def test_who_would_call_the_match_off() -> None:
    """One's own offer, and the others' by name; nothing where nobody offers."""
    cancel = Proposal.CANCEL
    assert texts.proposals(card_of("A", "B")) is None
    assert texts.proposals(card_of("A", "B", proposals=(cancel, None))) == "⁨A⁩ would like to call the match off."
    own = texts.proposals(card_of("A", "B", proposals=(cancel, None)), Seat(0))
    assert own == "You offer to call the match off. It ends once the other agrees."
    three = card_of("A", "B", "C", rules="rotation", proposals=(cancel, cancel, None))
    assert texts.proposals(three, Seat(0)) == "You offer to call the match off. It ends once all agree."
    assert texts.proposals(three) == "⁨A⁩ and ⁨B⁩ would like to call the match off."


def test_a_line_of_the_list_of_matches() -> None:
    """Where, against whom, whose turn since when, and which deal."""
    match = begun("partners", 4)
    told = [texts.turn_of(hand_of(match, seat)) for seat in range(4)]
    assert told[0] == f"<#{10**18}> against ⁨South⁩ and ⁨West⁩: **your turn** since <t:1795262400:R>, deal 1"
    assert ["**your turn** since" in line for line in told] == [True, False, True, False]
    assert "against ⁨North⁩ and ⁨East⁩: waiting since" in told[3]
