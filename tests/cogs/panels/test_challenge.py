"""The message of an invitation."""

from __future__ import annotations

import pytest
from cogs.panels.invitation import invitation

from bot.engine.rules import PRESETS, Rules
from bot.values.challenges import ChallengeStatus
from cogs.text import rules
from tests.cogs.text.samples import LONGEST, MOST, buttons, invited, length, words

_ALWAYS = ["Withdraw", "Rules"]


@pytest.mark.parametrize("status", ChallengeStatus)
@pytest.mark.parametrize("system", ["classic", "rotation"])
def test_an_invitation_says_what_became_of_it(status: ChallengeStatus, system: str) -> None:
    """Buttons and a ping only while it is open; afterwards one sentence, and the rules still."""
    shown = invitation(invited("North", named=("South",), rules=system, status=status))
    is_open = status in (ChallengeStatus.PENDING, ChallengeStatus.DRAFT)
    assert bool(buttons(shown)) == bool(shown.pings) == is_open
    assert rules.line(Rules.parse(system)) in words(shown)
    told = {
        ChallengeStatus.ACCEPTED: "The match is on!",
        ChallengeStatus.DECLINED: "declined.",
        ChallengeStatus.WITHDRAWN: "⁨North⁩ took it back.",
        ChallengeStatus.EXPIRED: "Nobody accepted in time.",
    }
    assert told.get(status, "It closes" if system == "classic" else "it closes") in words(shown)


def test_a_lobby_that_nobody_started_says_so() -> None:
    """Where somebody had joined it is the start that was missing; where all played, they are named."""
    late = invitation(invited("North", "South", rules="rotation", status=ChallengeStatus.EXPIRED))
    assert "It was not started in time." in words(late)
    on = invitation(invited("North", "South", "East", rules="rotation", status=ChallengeStatus.ACCEPTED))
    assert f"<@{10**18 + 1}> and <@{10**18 + 2}> play. The match is on!" in words(on)


def test_a_challenge_of_two_is_to_somebody_or_to_anyone() -> None:
    """By name it can be declined, and pings that person alone; open to anyone it pings nobody."""
    named, free = invitation(invited("North", named=("South",))), invitation(invited("North"))
    assert buttons(named) == ["Accept", "No direct messages", "Decline", *_ALWAYS]
    assert buttons(free) == ["Accept", "No direct messages", *_ALWAYS]
    assert (named.pings, free.pings) == ((10**18 + 1,), ())
    assert f"⁨North⁩ challenges <@{10**18 + 1}> to gin rummy" in words(named)
    assert "⁨North⁩ challenges anyone here to gin rummy" in words(free)


def test_a_lobby_tells_who_is_in_and_who_may_come() -> None:
    """Those who joined, places kept by name and places for anyone; *Start* once there are enough, teams for four."""
    empty = invitation(invited("North", rules="penalty"))
    assert "⁨North⁩ opens a table for 2 to 4: **penalty** rules" in words(empty)
    assert "**In:** ⁨North⁩\n**Open to anyone:** 3 places" in words(empty)
    assert buttons(empty) == ["Join", "No direct messages", *_ALWAYS]
    some = invitation(invited("North", "South", named=("East",), rules="penalty"))
    kept = f"**In:** ⁨North⁩ and ⁨South⁩\n**Kept for:** <@{10**18 + 2}>\n**Open to anyone:** 1 place"
    assert kept in words(some)
    assert buttons(some) == ["Join", "No direct messages", "Decline", "Leave", "Start", *_ALWAYS]
    three = invitation(invited("North", "South", "East", rules="partners"))
    assert "Start" not in buttons(three)
    full = invitation(invited("North", "South", "East", "West", rules="partners"))
    assert "**Teams:** ⁨North⁩ and ⁨East⁩ against ⁨South⁩ and ⁨West⁩" in words(full)
    assert buttons(full) == ["Leave", "Start", "Change teams", *_ALWAYS]
    waiting = ["⁨North⁩ starts it once 2 are in", "⁨North⁩ can start it now", "⁨North⁩ starts it once 4 are in"]
    for lobby, told in zip((empty, some, three), waiting, strict=True):
        assert told in words(lobby)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_invitation_fits(preset: str) -> None:
    """The longest names and any preset: within one message, with the rules in one line."""
    seats = invited("North", rules=preset).seats[-1]
    for names, named in (((LONGEST,) * seats, ()), ((LONGEST,), (LONGEST,) * (seats - 1))):
        shown = invitation(invited(*names, named=named, rules=preset))
        assert length(shown) < MOST / 2
        assert rules.line(Rules.parse(preset)) in words(shown)
