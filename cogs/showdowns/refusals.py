"""Texts of refused replays and reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.model.ids import PersonId
from bot.model.matches import MatchStatus
from bot.play import refusals as why
from cogs.delivery.refusals import fill
from cogs.words.names import versus

MANY_REVIEWS: Final = "I am reviewing for very many people at once. Please try again in a few minutes."
SLOW_REVIEW: Final = "This takes more time than Discord gives me. Ask again: what is done so far is kept."
UNREADABLE_DEAL: Final = "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board."
UNREADABLE_DEAL_OR_ALL: Final = (
    "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board, or `all` for the whole "
    "match."
)
_NO_REPLAY: Final[Mapping[why.NoReplayReason, str]] = {
    why.NoReplayReason.NONE_YET: "No deal of {match} has reached a showdown yet. Ask again after the first.",
    why.NoReplayReason.NONE: (
        "{match} ended before any deal reached a showdown, so there is nothing to {do}. `/gin rematch` plays again."
    ),
    why.NoReplayReason.IN_PLAY: "That deal is still in play. You can {do_it} once all hands are laid down.",
    why.NoReplayReason.BROKEN_OFF: "That deal was broken off before a showdown, so there is nothing to {do}.",
    why.NoReplayReason.VOID: "That deal was void: nobody laid a hand down, so there is nothing to {do}.",
    why.NoReplayReason.UNKNOWN: "{match} has no such deal. Choose from the list that opens as you type.",
}
"""The texts for deals that cannot be replayed or reviewed. `{do}` and `{do_it}` stand for replaying or reviewing."""
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.NoReview: "I cannot review anything just now. Please ask again in a minute.",
    why.NoDealFinished: "You have not finished a deal yet. `/gin practice start` begins one at once.",
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text for a refused replay or review, addressed to the person who asked; None for other refusals."""
    match refusal:
        case why.NotReviewable(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="review", do_it="have it reviewed")
        case why.NoReplay(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="replay", do_it="watch it")
        case why.NotInDeal(match, whole_match=False):
            return "You sat that deal out, so there is nothing of yours to review. Choose another from the list."
        case why.NotInDeal(match) if match.status is MatchStatus.RUNNING:
            return "You have sat out every deal so far. Ask again once a deal of yours is over."
        case why.NotInDeal(match):
            return f"You sat out every deal of {versus(match)}, so there is nothing of yours to review."
        case _:
            return fill(_TEXTS, refusal)
