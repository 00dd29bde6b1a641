"""Vacant seats as text: the question to the other players, and its result."""

from __future__ import annotations

from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.matches import MadeCasual, MatchInfo, MatchKind, Proposal
from cogs.words.names import joined, name, place, side

CLOCKS_STOPPED: Final = "Only computers are waiting, so the clocks are stopped."


def question(match: MatchInfo, own: Seat | None = None) -> str:
    """Return the question about a vacant seat, addressed to the player in seat `own`, or to everyone if None."""
    assert match.vacant_seat is not None
    lost, agreed = name(match.players[match.vacant_seat]), match.seats_proposing(Proposal.REPLACE)
    if own == match.vacant_seat:
        return "You lost on time. The others decide whether a computer takes your seat."
    if own in agreed:
        return f"You agreed to play on with a computer instead of {lost}. The match resumes if everyone agrees."
    casual = " and becomes casual" if match.kind is MatchKind.STANDARD else ""
    asked = f"**{lost} lost on time.** Play on with a computer? If everyone agrees, the match resumes{casual}."
    asked = f"{asked} Otherwise, the match ends within 24 hours."
    return f"{asked} {side(match, agreed)} agreed." if agreed else asked


def played_on(match: MatchInfo) -> str | None:
    """Return a line with the people whose seats computers took over; None if there are none."""
    left = _leavers(match)
    if not left:
        return None
    return f"{'A computer' if len(left) == 1 else 'Computers'} took over from {joined(left)}."


def playing_on(match: MatchInfo) -> str | None:
    """Return a small line about computers in a running match; None if there is nothing to say.

    It names the people whose seats computers play. It also says if the match became casual, and if time is
    stopped because only computers are waiting.
    """
    left, told = _leavers(match), list[str]()
    if left:
        told.append(f"{'A computer plays' if len(left) == 1 else 'Computers play'} for {joined(left)}.")
    if match.made_casual is MadeCasual.COMPUTER:
        told.append("The match is casual.")
    if match.clock.time is not None and not any(match.has_time(Seat(seat)) for seat in range(len(match.players))):
        told.append(CLOCKS_STOPPED)
    return f"-# {' '.join(told)}" if told else None


def taken_over(match: MatchInfo) -> str:
    """Tell a player that a computer took over their seat."""
    return f"You lost on time in {place(match)}. A computer took your seat."


def _leavers(match: MatchInfo) -> list[str]:
    return [name(player) for player in match.leavers if player is not None]
