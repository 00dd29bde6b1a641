"""A finished match as one of its players sees it, and the buttons for a rematch."""

from __future__ import annotations

from discord import ButtonStyle

from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, Proposal, Showdown
from cogs.actions import Action
from cogs.delivery.pictures import Pictures
from cogs.fairness.verification_panel import verify_button
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Row, message
from cogs.kit.messages import Message
from cogs.showdowns import replay_text as replay
from cogs.showdowns import showdown_text as showdown
from cogs.standings.versus_panel import versus_button
from cogs.turns import hand_text as texts
from cogs.turns.games_panel import games_button, next_button
from cogs.words.names import opponents, place


async def finished_match(shown: OwnHand, pictures: Pictures, notice: str | None = None) -> Message:
    """Return the end of a match for one of its players, with the last showdown and buttons for a rematch."""
    match, seat = shown.match, shown.view.seat
    last = _final_showdown(shown)
    panel = message(
        Accent.YOURS if may_answer(match, seat) else Accent.OVER,
        texts.match_result(shown),
        texts.made_casual(match),
        *(() if last is None else (f"**{showdown.title(last.view, match)}**", showdown.hands(last))),
        None if last is None else showdown.running_score(last),
        texts.rematch(match, seat),
        title=f"Your match against {opponents(match, seat)} is over · {place(match)}",
        notice=notice,
        picture=await pictures.showdown(last) if last is not None and shown.preferences.pictures else None,
        rows=[
            [*rematch_buttons(match, seat), *([verify_button(match)] if last is None else deal_buttons(last))],
            [
                versus_button(match),
                # Only practice matches need this button: other matches have their score sheets in their channels.
                button(match.id, match.version, Action.SHOW_SCORE, "Score sheet") if match.is_practice else None,
                # This button is secondary, because the one for the rematch is primary.
                next_button(shown, ButtonStyle.secondary),
                games_button(),
            ],
        ],
    )
    return panel.showing(match.id, match.revision)


def _final_showdown(shown: OwnHand) -> Showdown | None:
    """Return the showdown that ended a match; None if the match ended without a showdown."""
    ended = shown.match.status is MatchStatus.FINISHED and shown.view.public.forfeit is None
    return shown.last_showdown if ended else None


def may_answer(match: MatchInfo, seat: Seat) -> bool:
    """Return True if this seat can answer an offer of a rematch."""
    agreeing = match.seats_proposing(Proposal.REMATCH)
    return match.can_have_rematch and bool(agreeing) and seat not in agreeing


def rematch_buttons(match: MatchInfo, seat: Seat | None = None) -> Row:
    """Return the buttons for a rematch: for the player in `seat`, or for a public message."""
    agreeing = match.seats_proposing(Proposal.REMATCH)
    if not match.can_have_rematch:
        return []
    if seat in agreeing:
        return [withdraw_button(match)]
    rematch = button(match.id, match.version, Action.REMATCH, "Rematch", ButtonStyle.primary)
    decline = button(match.id, match.version, Action.DECLINE_REMATCH, "Decline")
    return [rematch, decline if agreeing else None]


def withdraw_button(match: MatchInfo) -> Item:
    """Return the button that withdraws an offer of a rematch."""
    return button(match.id, match.version, Action.WITHDRAW_REMATCH, "Withdraw the offer")


def deal_buttons(shown: Showdown) -> list[Item]:
    """Return the buttons for a deal's replay, review and verification.

    A void deal has no review. It has a replay only if the match reveals the hands of all deals in the end.
    """
    match, number = shown.match, replay.deal_number(shown.view)
    is_void = shown.view.outcome.kind is OutcomeKind.VOID
    buttons = [
        None
        if is_void and not match.fairness.reveals_hands
        else button(match.id, match.version, Action.REPLAY, "Replay", argument=number),
        None if is_void else button(match.id, match.version, Action.REVIEW, "Review", argument=number),
        verify_button(match, number),
    ]
    return [way for way in buttons if way is not None]
