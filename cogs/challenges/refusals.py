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

NO_OFFER: Final = "There is no offer of a rematch to decline any more. *Rematch* makes one."
NO_MATCH_HERE: Final = "No match has ended in this channel yet. `/gin challenge` starts one."
NO_MATCH_BEFORE: Final = "You have not played a match to its end yet. `/gin challenge` starts one on a server."
UNKNOWN_LEVEL: Final = "There is no such level. Choose from the list: novice, casual, strong or expert."
_CLOSED: Final[Mapping[ChallengeStatus, str]] = {
    ChallengeStatus.DRAFT: "has not been sent yet",
    ChallengeStatus.PENDING: "has already been sent",
    ChallengeStatus.ACCEPTED: "has already been accepted",
    ChallengeStatus.DECLINED: "was declined",
    ChallengeStatus.WITHDRAWN: "was withdrawn",
    ChallengeStatus.EXPIRED: "has expired",
}
_YOUR_OWN: Final = "`/gin challenge` makes your own."
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.MatchRunning: "{match} is still running. A rematch can follow once it is over.",
    why.RematchBegun: "The rematch of {match} has already begun. `/gin games` shows where.",
    why.NotWithYourself: (
        "You cannot play against yourself. Challenge someone else, or name no opponent to let anyone accept."
    ),
    why.NotWelcome: (
        "<@{refusal.opponent_id}> is not taking challenges right now. Leave the place open, or challenge someone else."
    ),
    why.AlreadyOffered: (
        "They have already made you an offer: `/gin accept` accepts a challenge, and `/gin rematch` a rematch."
    ),
    why.NoChallenge: "There is no such challenge. `/gin challenge` makes one.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal about challenges or rematches, written for `person_id`; None for other refusals."""
    match refusal:
        case why.UnknownClock(text):
            return (
                f"There is no clock called **{safe(text)}**. Choose from the list that opens as you type: `none`, a "
                "time per turn such as `2d`, or a live clock such as `10m+20s`; `2d flag` ends the match automatically."
            )
        case why.TooManyChallenges(pending):
            return f"You have {len(pending)} open challenges, which is the limit. `/gin withdraw` withdraws one."
        case why.TooManyNamed(most):
            people = "one opponent" if most == 1 else f"up to {most} others"
            return f"These rules are for you and {people}. Name fewer, or choose rules for more players."
        case why.WrongNumber(wanted, allowed, fitting):
            theirs = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            named = joined([bold(name) for name in fitting], "or")
            others = f" For {wanted}, choose {named} in *rules*." if fitting else ""
            return f"These rules are for {theirs} players, not for {wanted}.{others}"
        case why.NoPlaceLeft(challenge) if challenge.challenger.id == person_id:
            return _own_table_is_full(challenge)
        case why.NoPlaceLeft(challenge) if challenge.named:
            kept = joined([mention(player) for player in challenge.named])
            return f"The places left at {mention(challenge.challenger)}'s table are kept for {kept}. {_YOUR_OWN}"
        case why.NoPlaceLeft(challenge):
            return f"{name(challenge.challenger)}'s challenge has no place left. {_YOUR_OWN}"
        case why.NoTeams():
            return "These rules have no teams: everyone plays for themselves."
        case why.NotEnoughPlayers(challenge):
            there = len(challenge.players)
            joined_so_far = "Only you have joined" if there == 1 else f"{there} players have joined"
            return f"{joined_so_far}, and it takes {challenge.seats[0]}. Wait for more to join."
        case why.ChallengeClosed(challenge):
            return f"That challenge {_CLOSED[challenge.status]}. `/gin challenge` makes a new one."
        case why.AlreadyIn(challenge):
            if challenge.challenger.id == person_id:
                return "Whoever you name has already joined. *Start* begins the match once enough players have joined."
            return "You have already joined. *Leave* gives up your place."
        case why.NotForYou(challenge):
            return _not_for_you(challenge, person_id)
        case _:
            return fill(_TEXTS, refusal)


def _own_table_is_full(challenge: Challenge) -> str:
    if not challenge.named:
        return "Your table has no free place. *Start* begins the match."
    kept = joined([mention(player) for player in challenge.named])
    start = "*Start* begins the match without them." if challenge.can_start else None
    wait = "A place is free again once somebody declines it; `/gin withdraw` closes the table."
    return f"The places left at your table are kept for {kept}, so none is free for anyone else. {start or wait}"


def _not_for_you(challenge: Challenge, person_id: PersonId) -> str:
    if challenge.challenger.id == person_id and challenge.is_lobby:
        return "This is your own table: *Start* appears once enough have joined, and *Withdraw* closes it."
    if challenge.challenger.id == person_id:
        return "This is your own challenge, for someone else to answer. `/gin withdraw` withdraws it."
    challenger = mention(challenge.challenger)
    if challenge.is_lobby:
        whose = f"This is {challenger}'s table, and only {challenger} can start, change or withdraw it."
        if person_id in challenge.joined_ids:
            return f"{whose} *Leave* gives up your place."
        return f"{whose} *Join* takes a place. Only a place that is kept for you can be declined."
    if challenge.opponent is not None and challenge.opponent.id == person_id:
        return f"This is {challenger}'s challenge to you: *Accept* or *Decline* answers it."
    opponent = "anyone else" if challenge.opponent is None else mention(challenge.opponent)
    return (
        f"This is {challenger}'s challenge: {opponent} can accept it, and only {challenger} can withdraw it. "
        f"{_YOUR_OWN}"
    )
