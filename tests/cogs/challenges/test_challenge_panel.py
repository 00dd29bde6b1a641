"""The message of a challenge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.rules import PRESETS, Rules
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import Clock
from bot.model.ids import ChallengeId, PersonId
from bot.model.offers import StandingOffers
from bot.model.statistics import Player
from bot.opponent.play.levels import Level
from bot.play.refusals import AlreadyOffered
from cogs.actions import Action
from cogs.challenges.challenge_panel import CASUAL, challenge, computers, more, standing_offers
from cogs.kit.components import ComponentEvent, button
from cogs.kit.messages import Message
from cogs.words import clocks, rules
from cogs.words.table import relative_time
from tests.cogs.samples import (
    LONGEST_NAME,
    MESSAGE_LIMIT,
    NOW,
    button_labels,
    challenge_by,
    length,
    match_between,
    person_id,
    text_of,
)
from tests.helpers.message_parts import buttons_in, menus_in

_NORTH, _SOUTH, _EAST, _WEST = map(person_id, range(4))


def _actions(shown: Message) -> list[Action]:
    """Return the actions of a message's buttons."""
    events = (ComponentEvent.parse(button.custom_id or "") for button in buttons_in(shown))
    return [event.action for event in events if event is not None]


def _more_actions(shown: Challenge, reader: PersonId, *, may_accept: bool = False) -> list[Action]:
    """Return the actions of the buttons of *More …* for a person who gets direct messages."""
    return _actions(more(shown, reader, may_accept=may_accept, gets_dms=True))


@pytest.mark.parametrize("status", ChallengeStatus)
@pytest.mark.parametrize("preset", ["classic", "rotation"])
def test_a_closed_challenge_states_its_outcome(status: ChallengeStatus, preset: str) -> None:
    """Only an open challenge has buttons and a ping. A closed one states its outcome. Both show the rules."""
    shown = challenge(challenge_by("North", named=("South",), rules=preset, status=status))
    is_open = status in (ChallengeStatus.PENDING, ChallengeStatus.DRAFT)
    assert bool(button_labels(shown)) == bool(shown.pings) == is_open
    assert rules.name(Rules.parse(preset)) in text_of(shown)
    accepted = f"<@{_NORTH}> are playing." if preset == "rotation" else f"<@{_SOUTH}> accepted <@{_NORTH}>'s challenge."
    outcomes = {
        ChallengeStatus.ACCEPTED: accepted,
        ChallengeStatus.DECLINED: f"<@{_SOUTH}> declined <@{_NORTH}>'s challenge.",
        ChallengeStatus.WITHDRAWN: f"<@{_NORTH}> withdrew the challenge.",
        ChallengeStatus.EXPIRED: f"<@{_NORTH}>'s challenge expired.",
    }
    assert outcomes.get(status, f"expires {relative_time(NOW)}") in text_of(shown)


def test_a_closed_lobby_says_whether_it_was_started() -> None:
    """An expired lobby that players had joined says that it was not started. A started lobby names all players."""
    expired = challenge(challenge_by("North", "South", rules="rotation", status=ChallengeStatus.EXPIRED))
    assert f"<@{_NORTH}>'s table expired." in text_of(expired)
    started = challenge(challenge_by("North", "South", "East", rules="rotation", status=ChallengeStatus.ACCEPTED))
    assert f"<@{_NORTH}>, <@{_SOUTH}> and <@{_EAST}> are playing." in text_of(started)


def test_a_challenge_for_two_is_for_a_person_or_for_anyone() -> None:
    """A challenge to a person can be declined and pings only that person; one open to anyone pings no one."""
    named, open_to_all = challenge(challenge_by("North", named=("South",))), challenge(challenge_by("North"))
    assert button_labels(named) == ["Accept", "Decline", "More …"]
    assert button_labels(open_to_all) == ["Accept", "More …"]
    assert (named.pings, open_to_all.pings) == ((_SOUTH,), ())
    assert f"<@{_NORTH}> challenges <@{_SOUTH}>: " in text_of(named)
    assert f"<@{_NORTH}> challenges anyone here: " in text_of(open_to_all)


@pytest.mark.parametrize("preset", ["classic", "rotation"])
def test_a_challenge_shows_its_terms(preset: str) -> None:
    """An open challenge says in one line how long a turn may take, whether it is rated, and when it closes."""
    rated = challenge_by("North", rules=preset)
    closes = f"expires {relative_time(rated.expires_at)}"
    assert f"{clocks.short(rated.clock).capitalize()} · rated · {closes}" in text_of(challenge(rated))
    clock = Clock.parse("10m+20s")
    casual = replace(rated, casual=True, clock=clock)
    assert f"{clocks.short(clock).capitalize()} · casual · {closes}" in text_of(challenge(casual))
    explained = text_of(more(casual, _SOUTH, may_accept=True, gets_dms=True))
    assert CASUAL in explained
    assert str(clocks.of_match(clock)) in explained
    assert CASUAL not in text_of(more(rated, _SOUTH, may_accept=True, gets_dms=True))


def test_own_words_are_offered_with_a_commitment() -> None:
    """If a challenge has a commitment, players can give their own words for the shuffle when they accept."""
    duel, lobby = challenge_by("North", named=("South",)), challenge_by("North", rules="penalty")
    for shown, label in ((duel, "Accept"), (lobby, "Join")):
        committed = replace(shown, committed=True)
        assert Action.ACCEPT_WITH_WORDS not in _more_actions(shown, _SOUTH, may_accept=True)
        assert Action.ACCEPT_WITH_WORDS not in _more_actions(committed, _SOUTH)
        offered = more(committed, _SOUTH, may_accept=True, gets_dms=True)
        assert Action.ACCEPT_WITH_WORDS in _actions(offered)
        assert f"{label} with shuffle words …" in button_labels(offered)
        assert Action.CHALLENGE_WORDS not in _actions(offered)


def test_more_of_a_challenge_depends_on_the_reader() -> None:
    """*More …* lets the challenger withdraw, the challenged person add words or block, and everyone read the rules."""
    shown = replace(challenge_by("North", named=("South",)), committed=True)
    assert _more_actions(shown, _NORTH) == [
        Action.CHALLENGE_RULES,
        Action.CHALLENGE_WORDS,
        Action.STOP_DMS,
        Action.WITHDRAW,
    ]
    assert _more_actions(shown, _SOUTH, may_accept=True) == [
        Action.CHALLENGE_RULES,
        Action.ACCEPT_WITH_WORDS,
        Action.STOP_DMS,
        Action.BLOCK,
    ]
    assert _more_actions(shown, _EAST) == [Action.CHALLENGE_RULES]
    without_dms = more(shown, _NORTH, may_accept=False, gets_dms=False)
    assert Action.WANT_DMS in _actions(without_dms)


def test_more_of_a_lobby_depends_on_the_reader() -> None:
    """*More …* of a lobby lets the challenger manage it, and players who joined leave it; others can do neither."""
    full = replace(challenge_by("North", "South", "East", "West", rules="partners"), committed=True)
    assert _more_actions(full, _NORTH) == [
        Action.CHALLENGE_RULES,
        Action.CHALLENGE_WORDS,
        Action.STOP_DMS,
        Action.CHANGE_TEAMS,
        Action.WITHDRAW,
    ]
    for player in (_SOUTH, _EAST, _WEST):
        assert _more_actions(full, player) == [
            Action.CHALLENGE_RULES,
            Action.CHALLENGE_WORDS,
            Action.STOP_DMS,
            Action.LEAVE_LOBBY,
            Action.BLOCK,
        ]
    some = challenge_by("North", "South", rules="penalty")
    assert _more_actions(some, _NORTH) == [
        Action.CHALLENGE_RULES,
        Action.STOP_DMS,
        Action.COMPUTERS,
        Action.WITHDRAW,
    ]
    assert _more_actions(some, _SOUTH) == [Action.CHALLENGE_RULES, Action.STOP_DMS, Action.LEAVE_LOBBY, Action.BLOCK]
    assert _more_actions(some, _EAST, may_accept=True) == [Action.CHALLENGE_RULES, Action.STOP_DMS, Action.BLOCK]


def test_a_lobby_lists_its_seats() -> None:
    """A lobby lists players, reserved seats and open seats. *Start* appears when enough players have joined."""
    empty = challenge_by("North", rules="penalty")
    assert f"<@{_NORTH}> opened a table for 2 to 4 players: **Penalty**" in text_of(challenge(empty))
    assert f"**Joined:** <@{_NORTH}>\n**Open to anyone:** 3 seats" in text_of(challenge(empty))
    assert button_labels(challenge(empty)) == ["Join", "More …"]
    exact = challenge(replace(challenge_by("North", rules="penalty"), exact_players=3))
    assert f"<@{_NORTH}> opened a table for 3 players: **Penalty**, " in text_of(exact)
    some = challenge_by("North", "South", named=("East",), rules="penalty")
    seats = f"**Joined:** <@{_NORTH}> and <@{_SOUTH}>\n**Seats saved for:** <@{_EAST}>\n"
    seats += "**Open to anyone:** 1 seat"
    assert seats in text_of(challenge(some))
    assert button_labels(challenge(some)) == ["Join", "Decline", "Start", "More …"]
    three = challenge_by("North", "South", "East", rules="partners")
    assert "Start" not in button_labels(challenge(three))
    full = challenge(challenge_by("North", "South", "East", "West", rules="partners"))
    assert f"**Teams:** <@{_NORTH}> and <@{_EAST}> against <@{_SOUTH}> and <@{_WEST}>" in text_of(full)
    assert button_labels(full) == ["Start", "More …"]
    for shown, starts in (
        (empty, f"<@{_NORTH}> can start the match once 2 players have joined."),
        (some, f"<@{_NORTH}> can start the match now."),
        (three, f"<@{_NORTH}> can start the match once 4 players have joined."),
    ):
        assert starts in text_of(more(shown, _SOUTH, may_accept=False, gets_dms=True))


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
        "Matches with a computer are casual and don't count.",
        CASUAL,
    )
    assert warning in text_of(computers(lobby))
    with_one = replace(
        lobby, players=(*lobby.players, Player(None, "Computer", Level.CASUAL)), computers=(Level.CASUAL,)
    )
    for shown in (with_one, replace(lobby, casual=True)):
        assert warning not in text_of(computers(shown))
        assert notice in text_of(computers(shown))
    (menu,) = menus_in(computers(lobby))
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
