"""Texts of refused challenges and rematches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import PersonId
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.names import joined, mention, name, safe
from cogs.words.rules import bold

NO_OFFER: Final = "That rematch offer is no longer open. Press *Rematch* to make a new one."
NO_MATCH_HERE: Final = "No match has ended in this channel yet. Start one with `/gin play`."
NO_MATCH_BEFORE: Final = "You haven't finished a match yet. Start one with `/gin play` on a server."
UNKNOWN_LEVEL: Final = "Choose novice, casual, strong or expert."
_CLOSED: Final[Mapping[ChallengeStatus, str]] = {
    ChallengeStatus.DRAFT: "That challenge hasn't been sent yet.",
    ChallengeStatus.PENDING: "That challenge has already been sent.",
    ChallengeStatus.ACCEPTED: "That challenge has already been accepted.",
    ChallengeStatus.DECLINED: "That challenge was declined.",
    ChallengeStatus.WITHDRAWN: "That challenge was withdrawn.",
    ChallengeStatus.EXPIRED: "That challenge has expired.",
}
_YOUR_OWN: Final = "Start your own match with `/gin play`."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.MatchRunning: "{match} is still running. Ask for a rematch when it's over.",
    why.RematchBegun: "The rematch of {match} has started. Find it with `/gin games`.",
    why.NotWithYourself: "You can't play against yourself. Challenge someone else, or let anyone accept.",
    why.NotWelcome: (
        "<@{refusal.opponent_id}> isn't taking challenges right now. Challenge someone else, or let anyone accept."
    ),
    why.NoChallenge: "I can't find that challenge. Start a match with `/gin play`.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal about challenges or rematches, written for `person_id`; None for other refusals."""
    match refusal:
        case why.UnknownClock(text):
            return (
                f"I don't know the clock **{safe(text)}**. Try `2d` for two days per turn, "
                "`10m+20s` for a live clock, or `none`."
            )
        case why.TooManyChallenges(pending):
            return f"You already have {len(pending)} open challenges. Withdraw one with `/gin withdraw`."
        case why.TooManyNamed(most):
            people = "one opponent" if most == 1 else f"{most} opponents"
            return f"These rules allow only {people}. Challenge fewer people, or choose other rules."
        case why.WrongNumber(wanted, allowed, fitting):
            theirs = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            named = joined([bold(name) for name in fitting], "or")
            others = f" For {wanted} players, choose {named}." if fitting else ""
            return f"These rules are for {theirs} players, not {wanted}.{others}"
        case why.NoPlaceLeft(challenge) if challenge.challenger.id == person_id:
            return _own_table_is_full(challenge)
        case why.NoPlaceLeft(challenge) if challenge.named:
            whose = f"{mention(challenge.challenger)}'s"
            return f"{_saved_seats(challenge, whose)} {_YOUR_OWN}"
        case why.NoPlaceLeft(challenge):
            return f"{name(challenge.challenger)}'s table is full. {_YOUR_OWN}"
        case why.AlreadyOffered(offers):
            if offers.challenges:
                return "You've already been challenged. Accept with `/gin accept`."
            return "You've already been offered a rematch. Accept with `/gin rematch`."
        case why.NoTeams():
            return "These rules have no teams."
        case why.NotEnoughPlayers(challenge):
            there = len(challenge.players)
            joined_so_far = "Only you have joined" if there == 1 else f"{there} players have joined"
            return f"{joined_so_far}. The match needs at least {challenge.seats[0]} players."
        case why.ChallengeClosed(challenge):
            return _CLOSED[challenge.status]
        case why.AlreadyIn(challenge):
            if challenge.challenger.id == person_id:
                return "That player has already joined."
            return "You've already joined. Press *Leave* to give up your seat."
        case why.NotForYou(challenge):
            return _not_for_you(challenge, person_id)
        case _:
            return fill(_TEXTS, refusal)


def _own_table_is_full(challenge: Challenge) -> str:
    if not challenge.named:
        return "Your table is full. Press *Start*."
    start = "Press *Start* to begin without waiting." if challenge.can_start else None
    return f"{_saved_seats(challenge, 'your')} {start or 'Close the table with `/gin withdraw`.'}"


def _saved_seats(challenge: Challenge, whose: str) -> str:
    """Say that the last seats at a table are saved for the people who were named."""
    seats = "seat" if len(challenge.named) == 1 else "seats"
    is_saved = "is saved" if len(challenge.named) == 1 else "are saved"
    return (
        f"The last {seats} at {whose} table {is_saved} for {joined([mention(player) for player in challenge.named])}."
    )


def _not_for_you(challenge: Challenge, person_id: PersonId) -> str:
    if challenge.challenger.id == person_id and challenge.is_lobby:
        return (
            "This is your own table. Press *Start* once enough players have joined, or *Withdraw* to close the table."
        )
    if challenge.challenger.id == person_id:
        return "You can't answer your own challenge. Withdraw it with `/gin withdraw`."
    challenger = mention(challenge.challenger)
    if challenge.is_lobby:
        whose = f"Only {challenger} can start, change or close this table."
        you_can = "Press *Leave* to give up your seat." if person_id in challenge.joined_ids else "You can join."
        return f"{whose} {you_can}"
    if challenge.opponent is not None and challenge.opponent.id == person_id:
        return f"{challenger} challenged you: press *Accept* or *Decline*."
    opponent = "someone else" if challenge.opponent is None else mention(challenge.opponent)
    return f"Only {opponent} can answer {challenger}'s challenge. {_YOUR_OWN}"
