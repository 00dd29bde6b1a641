"""The message of a challenge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.rules import PRESETS, Rules
from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChallengeId
from bot.model.offers import StandingOffers
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from bot.play.refusals import AlreadyOffered
from cogs.actions import Action
from cogs.challenges.challenge_panel import challenge, computers, standing_offers
from cogs.kit.components import button
from cogs.words import rules
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    button_labels,
    challenge_by,
    length,
    match_between,
    menus,
    person_id,
    text_of,
)

_COMMON_BUTTONS = ["Withdraw", "Rules"]


@pytest.mark.parametrize("status", ChallengeStatus)
@pytest.mark.parametrize("preset", ["classic", "rotation"])
def test_a_closed_challenge_states_its_outcome(status: ChallengeStatus, preset: str) -> None:
    """Only an open challenge has buttons and a ping. A closed one states its outcome. Both show the rules."""
    shown = challenge(challenge_by("North", named=("South",), rules=preset, status=status))
    is_open = status in (ChallengeStatus.PENDING, ChallengeStatus.DRAFT)
    assert bool(button_labels(shown)) == bool(shown.pings) == is_open
    assert rules.line(Rules.parse(preset)) in text_of(shown)
    outcomes = {
        ChallengeStatus.ACCEPTED: "The match is on!",
        ChallengeStatus.DECLINED: "declined.",
        ChallengeStatus.WITHDRAWN: f"<@{person_id(0)}> withdrew it.",
        ChallengeStatus.EXPIRED: "Nobody accepted in time.",
    }
    assert outcomes.get(status, "It closes" if preset == "classic" else "it closes") in text_of(shown)


def test_a_closed_lobby_says_whether_it_was_started() -> None:
    """An expired lobby that players had joined says that it was not started. A started lobby names all players."""
    expired = challenge(challenge_by("North", "South", rules="rotation", status=ChallengeStatus.EXPIRED))
    assert "It was not started in time." in text_of(expired)
    started = challenge(challenge_by("North", "South", "East", rules="rotation", status=ChallengeStatus.ACCEPTED))
    assert f"<@{person_id(0)}>, <@{person_id(1)}> and <@{person_id(2)}> play. The match is on!" in text_of(started)


def test_a_challenge_for_two_is_for_a_person_or_for_anyone() -> None:
    """A challenge to a person can be declined and pings only that person; one open to anyone pings no one."""
    named, open_to_all = challenge(challenge_by("North", named=("South",))), challenge(challenge_by("North"))
    assert button_labels(named) == ["Accept", "Decline", *_COMMON_BUTTONS, "No direct messages"]
    assert button_labels(open_to_all) == ["Accept", *_COMMON_BUTTONS, "No direct messages"]
    assert (named.pings, open_to_all.pings) == ((person_id(1),), ())
    assert f"<@{person_id(0)}> challenges <@{person_id(1)}> to gin rummy" in text_of(named)
    assert f"<@{person_id(0)}> challenges anyone here to gin rummy" in text_of(open_to_all)


def test_own_words_are_offered_with_a_commitment() -> None:
    """If a challenge has a commitment, players can give their own words for the shuffle when they accept."""
    duel, lobby = challenge_by("North", named=("South",)), challenge_by("North", rules="penalty")
    for shown, label in ((duel, "Accept"), (lobby, "Join")):
        assert f"{label} with my own words …" not in button_labels(challenge(shown))
        labels = button_labels(challenge(replace(shown, committed=True)))
        assert labels[:2] == [label, f"{label} with my own words …"]


def test_a_lobby_lists_its_seats() -> None:
    """A lobby lists players, reserved seats and open seats. *Start* appears when enough players have joined."""
    empty = challenge(challenge_by("North", rules="penalty"))
    assert f"<@{person_id(0)}> opens a table for 2 to 4: **penalty** rules" in text_of(empty)
    assert f"**In:** <@{person_id(0)}>\n**Open to anyone:** 3 places" in text_of(empty)
    assert button_labels(empty) == ["Join", "Computers", *_COMMON_BUTTONS, "No direct messages"]
    three = challenge(replace(challenge_by("North", rules="penalty"), exact_players=3))
    assert f"<@{person_id(0)}> opens a table for 3: **penalty** rules" in text_of(three)
    some = challenge(challenge_by("North", "South", named=("East",), rules="penalty"))
    places = f"**In:** <@{person_id(0)}> and <@{person_id(1)}>\n**Kept for:** <@{person_id(2)}>\n"
    places += "**Open to anyone:** 1 place"
    assert places in text_of(some)
    assert button_labels(some) == [
        "Join",
        "Leave",
        "Start",
        "Computers",
        "Decline",
        *_COMMON_BUTTONS,
        "No direct messages",
    ]
    three = challenge(challenge_by("North", "South", "East", rules="partners"))
    assert "Start" not in button_labels(three)
    full = challenge(challenge_by("North", "South", "East", "West", rules="partners"))
    first, second, third, fourth = (f"<@{person_id(seat)}>" for seat in range(4))
    assert f"**Teams:** {first} and {third} against {second} and {fourth}" in text_of(full)
    assert button_labels(full) == ["Leave", "Start", "Change teams", *_COMMON_BUTTONS]
    assert f"<@{person_id(0)}> can start it once 2 players are in" in text_of(empty)
    assert f"<@{person_id(0)}> can start it now" in text_of(some)
    assert f"<@{person_id(0)}> can start it once 4 players are in" in text_of(three)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_challenge_fits(preset: str) -> None:
    """With any preset and the longest names, a challenge fits a message and has the rules in one line."""
    seats = challenge_by("North", rules=preset).seats[-1]
    for names, named in (((LONGEST_NAME,) * seats, ()), ((LONGEST_NAME,), (LONGEST_NAME,) * (seats - 1))):
        shown = challenge(challenge_by(*names, named=named, rules=preset))
        assert length(shown) < MESSAGE_LIMIT / 2
        assert rules.line(Rules.parse(preset)) in text_of(shown)


def test_a_computer_makes_a_match_casual() -> None:
    """The menu for adding computers says that a computer would make the match casual, or that it is casual already."""
    lobby = challenge_by("North", rules="penalty")
    warning, notice = (
        "With a computer, the match would be casual: it would not count in the standings.",
        "The match is casual",
    )
    assert warning in text_of(computers(lobby))
    with_one = replace(
        lobby, players=(*lobby.players, Player(None, "Computer", Level.CASUAL)), computers=(Level.CASUAL,)
    )
    for shown in (with_one, replace(lobby, casual=True)):
        assert warning not in text_of(computers(shown))
        assert notice in text_of(computers(shown))
    (menu,) = menus(computers(lobby))
    assert [option.label for option in menu.options] == [
        "Novice computer",
        "Casual computer",
        "Strong computer",
        "Expert computer",
    ]


def test_many_standing_offers_fit() -> None:
    """If the opponent has made many offers, the first five have numbered buttons, followed by *Challenge anyway*."""
    challenge = challenge_by("North", named=("South",))
    offers = StandingOffers(tuple(replace(challenge, id=ChallengeId(number)) for number in range(1, 8)))
    anyway = button(9, 0, Action.DRAFT_SEND, "Challenge anyway", argument=offers.digest)
    shown = standing_offers(AlreadyOffered(offers, None, offers.digest), anyway, challenge.channel_id)
    assert button_labels(shown) == [*(f"Accept theirs ({number})" for number in range(1, 6)), "Challenge anyway"]


def test_different_offers_have_different_marks() -> None:
    """Different sets of offers have different digests of 16 characters, which fit in a button's custom id."""
    first, second = (replace(challenge_by("North"), id=ChallengeId(number)) for number in (1, 2))
    match = match_between("North", "South")
    offers = [
        StandingOffers(),
        StandingOffers((first,)),
        StandingOffers((second,)),
        StandingOffers((first, second)),
        StandingOffers((), (match,)),
        StandingOffers((first,), (match,)),
    ]
    assert len({offer.digest for offer in offers}) == len(offers)
    assert {len(offer.digest) for offer in offers} == {16}
