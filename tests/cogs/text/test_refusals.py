"""What is said when something cannot be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bot.engine.laying
import pytest

import bot.engine.phases
import bot.play.matches.turns
from bot.engine.cards import Card
from bot.engine.rules import PRESETS
from bot.engine.views import Phase
from bot.play import refusals as why
from bot.values.appearance import Appearance
from bot.values.challenges import ChallengeStatus
from cogs.text import refusals as texts
from tests.cogs.text.samples import MOST, NOW, card_of, hand_of, invited, until

CARD = card_of("North", "South")
HAND = hand_of(until("004-score-sheet", Phase.DISCARD), 0)
CODES = sorted(
    {
        code
        for module in (bot.engine.phases, bot.engine.laying, bot.play.turns)
        for code in re.findall(r'(?:return|Illegal\(hand,) "([a-z-]+)",', Path(str(module.__file__)).read_text("utf-8"))
    }
    - {"over", "stock"}
)
"""Every reason for which the engine or the services refuse a move, but for those that no player can meet."""


def _lobby(**changes: object) -> Iterator[why.Refusal]:
    for rules in ("rotation", "partners", "penalty"):
        lobby = invited("North", "East", named=("South",), rules=rules)
        yield why.NotForYou(lobby)
        yield why.NoPlaceLeft(lobby)
        yield why.AlreadyIn(lobby)
        yield why.NotEnoughPlayers(lobby)


REASONS: tuple[why.Refusal, ...] = (
    why.NoMatch(here=True),
    why.NoMatch(here=False),
    why.WhichMatch((CARD, CARD)),
    why.NotSeated(CARD),
    why.NotYourTurn(HAND),
    why.NotYourTurn(hand_of(until("004-score-sheet", Phase.DISCARD), 1)),
    why.Stale(HAND),
    why.MatchOver(CARD),
    why.MatchRunning(CARD),
    *(why.NoReplay(CARD, one) for one in why.NoReplayReason),
    why.RematchBegun(CARD),
    why.TooSoon(CARD, NOW),
    why.Frozen(CARD),
    why.ChannelBusy(CARD),
    why.WrongChannel((1, 2)),
    why.NotWithYourself(),
    why.TooManyChallenges((invited("North"),) * 5),
    why.NotWelcome(1),
    why.NoChallenge(),
    *(why.ChallengeClosed(invited("North", status=status)) for status in ChallengeStatus),
    why.NotForYou(invited("North")),
    why.NotForYou(invited("North", named=("South",))),
    why.TooManyNamed(1),
    why.TooManyNamed(3),
    *_lobby(),
    why.UnknownRules("nothing"),
    why.UnknownRules("nothing " * 2000, tuple(PRESETS)),
    why.NotOffered("strict", ("classic", "Friday night")),
    why.WrongRulesName("strict", taken=True),
    why.WrongRulesName("?", taken=False),
    why.TooManyHouseRules(25),
    *(why.Illegal(HAND, code, card) for code in CODES for card in (None, Card.parse("Kd"))),
)


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: type(reason).__name__)
def test_every_refusal_has_words_that_say_what_to_do_next(reason: why.Refusal) -> None:
    """Each reason is worded, names no class or field, fits into a message, and is no error of ours."""
    for person_id in (10**18, 7):
        told = texts.text(reason, person_id)
        assert texts.BROKEN not in told
        assert "The rules do not allow that now" not in told
        assert type(reason).__name__ not in told
        assert told.endswith((".", "?"))
        assert len(told) < MOST


def test_no_refusal_is_left_out() -> None:
    """The reasons above are all there are."""
    there = {one for one in why.Refusal.__subclasses__() if one.__module__ == why.__name__}
    assert {type(reason) for reason in REASONS} == there
    assert {"too-much", "lay-off", "not-big-gin", "wall", "no-gin", "no-lay-off"} < set(CODES)


def test_a_refusal_speaks_to_who_was_refused() -> None:
    """One's own challenge is one's own; of another's the challenger and those it is for are named."""
    named, open_to_all = invited("North", named=("South",)), invited("North")
    assert texts.text(why.NotForYou(named), 10**18).startswith("This is your own challenge")
    assert "⁨North⁩'s challenge: ⁨South⁩ may accept it" in texts.text(why.NotForYou(named), 7)
    assert "anybody else may accept it" in texts.text(why.NotForYou(open_to_all), 7)
    lobby = invited("North", "South", "East", rules="rotation")
    assert "⁨North⁩ alone starts it" in texts.text(why.NotForYou(lobby), 7)
    assert "These rules have no teams" in texts.text(why.NotEnoughPlayers(lobby), 10**18)
    assert "1 are in" not in texts.text(why.NotEnoughPlayers(invited("North", rules="rotation")), 10**18)


def test_the_wall_is_told_from_both_sides() -> None:
    """Before the last discard is taken: only to go out; after it: go out now."""
    wall = hand_of(until("knobs/last_discard-may_go_out", Phase.WALL), 0)
    assert "take the **4♣** only to knock" in texts.text(why.Illegal(wall, "wall", None), 7)
    assert "you took the last discard" in texts.text(why.Illegal(HAND, "wall", None), 7)


def test_a_knock_with_too_much_says_how_much() -> None:
    """The card's own figure and the limit, where the card is in the hand."""
    choice = HAND.view.discard_choices[0]
    told = texts.text(why.Illegal(HAND, "too-much", choice.card), 7)
    assert f"Discarding **{choice.card.symbol}** leaves {choice.leaves}, and a knock may leave 10 at most" in told
    polish = replace(HAND, look=Appearance(language="pl"))
    assert "You do not hold **D♥**" in texts.text(why.Illegal(polish, "not-in-hand", Card.parse("Qh")), 7)
    public = replace(HAND.view.public, knock_limit=0)
    none = replace(HAND, view=replace(HAND.view, public=public))
    assert "and only gin goes out in this deal" in texts.text(why.Illegal(none, "too-much", choice.card), 7)
