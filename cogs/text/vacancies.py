"""Vacant seats in messages: the question to the other players, and its result."""

from __future__ import annotations

from bot.engine.moves import Seat
from bot.values.matches import MatchInfo, Proposal
from cogs.text.people import joined, name, side


def question(match: MatchInfo, own: Seat | None = None) -> str:
    """Return the question about a vacant seat, addressed to everyone or to one seat."""
    assert match.vacant_seat is not None
    lost, agreed = name(match.players[match.vacant_seat]), match.proposing(Proposal.REPLACE)
    if own == match.vacant_seat:
        return "You lost on time. The others are deciding whether a computer plays on for you."
    if own in agreed:
        return f"You agreed to play on with a computer for {lost}. The match continues if everyone agrees."
    asked = f"**{lost} lost on time.** Play on with a computer? If everyone agrees, the match continues as casual."
    asked = f"{asked} Otherwise it ends, after 24 hours at the latest."
    return f"{asked} {side(match, agreed)} agreed." if agreed else asked


def played_on(match: MatchInfo) -> str | None:
    """Return a line that names the people whose seats computers took over; None if there are none."""
    left = [name(player) for player in match.leavers if player is not None]
    if not left:
        return None
    return f"{'A computer' if len(left) == 1 else 'Computers'} played on for {joined(left)}."
