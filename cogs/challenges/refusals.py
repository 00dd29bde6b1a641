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
    ChallengeStatus.DRAFT: "hasn't been sent yet",
    ChallengeStatus.PENDING: "has already been sent",
    ChallengeStatus.ACCEPTED: "has already been accepted",
    ChallengeStatus.DECLINED: "was declined",
    ChallengeStatus.WITHDRAWN: "was withdrawn",
    ChallengeStatus.EXPIRED: "has expired",
}
_YOUR_OWN: Final = "Start your own match with `/gin play`."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.MatchRunning: "{match} is still running. Ask for a rematch when it's over.",
    why.RematchBegun: "The rematch of {match} has started. Find it with `/gin games`.",
    why.NotWithYourself: ("You can't play against yourself. Challenge someone else, or leave the opponent out."),
    why.NotWelcome: (
        "<@{refusal.opponent_id}> isn't taking challenges right now. Challenge someone else, or open your challenge to "
        "anyone."
    ),
    why.NoChallenge: "I can't find that challenge. Start a match with `/gin play`.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal about challenges or rematches, written for `person_id`; None for other refusals."""
    match refusal:
        case why.UnknownClock(text):
            return (
                f"I don't know the clock **{safe(text)}**. Try `none`, a time per turn such as `2d` or `2d flag`, or "
                "a live clock such as `10m+20s`."
            )
        case why.TooManyChallenges(pending):
            return f"You already have {len(pending)} open challenges. Withdraw one with `/gin withdraw`."
        case why.TooManyNamed(most):
            people = "one opponent" if most == 1 else f"up to {most} others"
            return f"These rules are for you and {people}. Name fewer people, or choose other rules."
        case why.WrongNumber(wanted, allowed, fitting):
            theirs = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            named = joined([bold(name) for name in fitting], "or")
            others = f" For {wanted} players, choose {named} in *rules*." if fitting else ""
            return f"These rules are for {theirs} players, not for {wanted}.{others}"
        case why.NoPlaceLeft(challenge) if challenge.challenger.id == person_id:
            return _own_table_is_full(challenge)
        case why.NoPlaceLeft(challenge) if challenge.named:
            kept = joined([mention(player) for player in challenge.named])
            return f"The last places at {mention(challenge.challenger)}'s table are kept for {kept}. {_YOUR_OWN}"
        case why.NoPlaceLeft(challenge):
            return f"{name(challenge.challenger)}'s table is full. {_YOUR_OWN}"
        case why.AlreadyOffered(offers):
            command = "accept" if offers.challenges else "rematch"
            return f"They've already made you an offer. Accept it with `/gin {command}`."
        case why.NoTeams():
            return "These rules have no teams."
        case why.NotEnoughPlayers(challenge):
            there = len(challenge.players)
            joined_so_far = "Only you have joined" if there == 1 else f"{there} players have joined"
            return f"{joined_so_far}. The match needs {challenge.seats[0]} to start."
        case why.ChallengeClosed(challenge):
            return f"That challenge {_CLOSED[challenge.status]}."
        case why.AlreadyIn(challenge):
            if challenge.challenger.id == person_id:
                return "They've already joined. Press *Start* once enough players are in."
            return "You're already in. Press *Leave* to give up your place."
        case why.NotForYou(challenge):
            return _not_for_you(challenge, person_id)
        case _:
            return fill(_TEXTS, refusal)


def _own_table_is_full(challenge: Challenge) -> str:
    if not challenge.named:
        return "Your table is full. Press *Start*."
    kept = joined([mention(player) for player in challenge.named])
    start = "Press *Start* to begin without them." if challenge.can_start else None
    return f"The last places at your table are kept for {kept}. {start or 'Close the table with `/gin withdraw`.'}"


def _not_for_you(challenge: Challenge, person_id: PersonId) -> str:
    if challenge.challenger.id == person_id and challenge.is_lobby:
        return (
            "This is your own table. You can press *Start* once enough players are in, or *Withdraw* to close the "
            "table."
        )
    if challenge.challenger.id == person_id:
        return "You can't accept your own challenge. Withdraw it with `/gin withdraw`."
    challenger = mention(challenge.challenger)
    if challenge.is_lobby:
        whose = f"Only {challenger} can start, change or close this table."
        you_can = "Press *Leave* to give up your place." if person_id in challenge.joined_ids else "You can join."
        return f"{whose} {you_can}"
    if challenge.opponent is not None and challenge.opponent.id == person_id:
        return f"{challenger} challenged you: press *Accept* or *Decline*."
    opponent = "someone else" if challenge.opponent is None else mention(challenge.opponent)
    return f"Only {opponent} can accept {challenger}'s challenge. {_YOUR_OWN}"
