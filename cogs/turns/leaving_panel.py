"""The question of how to leave a match, and the message about a match that cannot be read."""

from __future__ import annotations

from typing import Final

from discord import ButtonStyle

from bot.model.matches import MatchInfo, OwnHand, Proposal
from cogs.actions import Action
from cogs.fairness.verification_text import hands_open
from cogs.kit.components import button
from cogs.kit.layout import Accent, WithButton, message
from cogs.kit.messages import Message
from cogs.turns import hand_text as texts
from cogs.turns.match_options import claim_button, proposal_button
from cogs.words.table import side_scores

DAMAGED: Final = "damaged"
"""The argument of the button that calls off a match whose record cannot be read."""


def leaving_question(shown: OwnHand) -> Message:
    """Return the question of how to leave a match, with the consequences of each option."""
    match, seat = shown.match, shown.view.seat
    alone, claim = match.is_alone(seat), claim_button(shown)
    resign = button(match.id, match.version, Action.RESIGN, "Resign", ButtonStyle.danger)
    standing = f"-# Deal {shown.view.public.number} · {side_scores(match, shown.view.public)}"
    question = message(
        Accent.TROUBLE,
        f"**{texts.leaving(match, seat)}**\n{standing}",
        None if claim is None else WithButton(texts.claiming(shown), claim),
        texts.pausing(shown)
        if alone or match.is_paused
        else WithButton(texts.pausing(shown), proposal_button(shown, Proposal.PAUSE)),
        None if alone else WithButton(texts.calling_off(shown), proposal_button(shown, Proposal.CANCEL)),
        WithButton(texts.resigning(shown), resign),
        hands_open(match),
        rows=[[button(match.id, match.version, Action.STAY, "Keep playing")]],
    )
    return question.showing(match.id, match.revision)


def damaged(match: MatchInfo, text: str) -> Message:
    """Return the message about a match whose record cannot be read, with the button to call it off."""
    end = button(match.id, match.version, Action.CALL_OFF, "Call the match off", argument=DAMAGED)
    return message(Accent.TROUBLE, text, rows=[[end]])
