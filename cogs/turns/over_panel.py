"""A finished match as one of its players sees it, and the buttons for a rematch."""

from __future__ import annotations

from discord import ButtonStyle

from bot.engine.deals.moves import Seat
from bot.engine.matches.views import PublicView
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, Proposal, Showdown
from bot.model.statistics import Player
from cogs.actions import Action
from cogs.fairness.verification_panel import verify_button
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Picture, Row, message, with_picture
from cogs.kit.messages import Message
from cogs.showdowns import showdown_text as showdown
from cogs.standings.versus_panel import versus_button
from cogs.turns import hand_text as texts
from cogs.turns.block_button import block_button
from cogs.turns.games_panel import games_button, next_button
from cogs.turns.showdown_panel import details_button, review_button
from cogs.words.daily import OFFER
from cogs.words.names import place


def finished_match(shown: OwnHand, picture: Picture | None, notice: str | None = None) -> Message:
    """Return the end of a match for one of its players, with the last showdown and buttons for a rematch."""
    match, seat, last = shown.match, shown.view.seat, final_showdown(shown)

    def compose(picture: Picture | None) -> Message:
        panel = message(
            Accent.YOURS if may_answer(match, seat) else Accent.OVER,
            None if match.is_practice else f"-# {place(match)}",
            texts.made_casual(match),
            None if last is None else f"**{showdown.title(last.view, match)}**",
            None if last is None or picture is not None else showdown.hands(last),
            None if last is None or picture is not None else showdown.running_score(last),
            showdown.ratings(match),
            texts.rematch(match, seat),
            title=texts.match_result(shown),
            notice=notice,
            picture=picture,
            details=[OFFER if shown.offers_daily else None],
            rows=[
                [*rematch_buttons(match, seat), *look_back_buttons(match, last, has_sheet=shown.finished_deals > 0)],
                # The second button is secondary, because the one for the rematch is primary.
                [
                    versus_button(match),
                    next_button(shown, ButtonStyle.secondary),
                    games_button(),
                    block_button(proposer(match)) if may_answer(match, seat) else None,
                ],
            ],
        )
        return panel.showing(match.id, match.revision)

    return with_picture(compose, picture)


def final_showdown(shown: OwnHand) -> Showdown | None:
    """Return the showdown with which a match ended, in the player's own look; None if it ended without one."""
    return shown.last_showdown if ended_with_showdown(shown.match, shown.view.public) else None


def ended_with_showdown(match: MatchInfo, view: PublicView) -> bool:
    """Return True if a match ended with the showdown of its last deal, and False if it was forfeited or called off."""
    return match.status is MatchStatus.FINISHED and view.forfeit is None


def look_back_buttons(match: MatchInfo, last: Showdown | None, *, has_sheet: bool) -> Row:
    """Return the buttons for the last deal of a match and for its score sheet.

    `last` is the showdown that ended the match, if one did. `has_sheet` is True if any deal was finished.
    """
    score = button(match.id, match.version, Action.SHOW_SCORE, "Score sheet") if has_sheet else None
    if last is None:
        return [score, verify_button(match)]
    return [review_button(last), score, details_button(last)]


def may_answer(match: MatchInfo, seat: Seat) -> bool:
    """Return True if this seat can answer an offer of a rematch."""
    agreeing = match.seats_proposing(Proposal.REMATCH)
    return match.can_have_rematch and bool(agreeing) and seat not in agreeing


def proposer(match: MatchInfo) -> Player:
    """Return a player who proposes a rematch. Raise `IndexError` if nobody does."""
    return match.players[match.seats_proposing(Proposal.REMATCH)[0]]


def rematch_buttons(match: MatchInfo, seat: Seat | None = None) -> Row:
    """Return the buttons for a rematch: for the player in `seat`, or for a public message."""
    agreeing = match.seats_proposing(Proposal.REMATCH)
    if not match.can_have_rematch:
        return []
    if seat in agreeing:
        return [withdraw_button(match)]
    label, style = ("Accept", ButtonStyle.success) if agreeing else ("Rematch", ButtonStyle.primary)
    rematch = button(match.id, match.version, Action.REMATCH, label, style)
    decline = button(match.id, match.version, Action.DECLINE_REMATCH, "Decline")
    return [rematch, decline if agreeing else None]


def withdraw_button(match: MatchInfo) -> Item:
    """Return the button that withdraws an offer of a rematch."""
    return button(match.id, match.version, Action.WITHDRAW_REMATCH, "Withdraw offer")
