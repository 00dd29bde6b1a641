"""Texts of refused replays and reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.ids import PersonId
from bot.model.matches import MatchStatus
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.names import versus

MANY_REVIEWS: Final = "I'm busy with other reviews. Please try again in a few minutes."
SLOW_REVIEW: Final = (
    "This review is taking longer than Discord allows. Please ask again, and I'll carry on where I stopped."
)
UNREADABLE_DEAL: Final = "Enter a deal number such as `3`, or `3.2` for deal 3 on board 2."
UNREADABLE_DEAL_OR_ALL: Final = (
    "Enter a deal number (such as `3`, or `3.2` for deal 3 on board 2), or `all` for the whole match."
)
_NO_REPLAY: Final[Mapping[why.NoReplayReason, str]] = {
    why.NoReplayReason.NONE_YET: "No deal of {match} is over yet.",
    why.NoReplayReason.NONE: ("{match} ended before its first showdown, so there's nothing to {do}."),
    why.NoReplayReason.IN_PLAY: "That deal is still in play. You can {do_it} once it's over.",
    why.NoReplayReason.BROKEN_OFF: "That deal ended without a showdown, so there's nothing to {do}.",
    why.NoReplayReason.VOID: "That deal was void, so there's nothing to {do}.",
    why.NoReplayReason.UNKNOWN: "{match} has no such deal. Choose from the list.",
}
"""The texts for deals that cannot be replayed or reviewed. `{do}` and `{do_it}` stand for replaying or reviewing."""
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NoReview: "I can't review deals right now. Please try again in a minute.",
    why.NoDealFinished: "You haven't finished a deal yet. Play one with `/gin practice start`.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refused replay or review, addressed to the person who asked; None for other refusals."""
    match refusal:
        case why.NotReviewable(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="review", do_it="have it reviewed")
        case why.NoReplay(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="replay", do_it="watch it")
        case why.NotInDeal(match, whole_match=False):
            return "You sat that deal out. Choose another deal from the list."
        case why.NotInDeal(match) if match.status is MatchStatus.RUNNING:
            return "You've sat out every deal so far."
        case why.NotInDeal(match):
            return f"You sat out every deal of {versus(match)}."
        case _:
            return fill(_TEXTS, refusal)
