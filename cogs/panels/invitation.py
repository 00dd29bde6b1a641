"""The message of an invitation."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.play.values import ChallengeStatus, Invitation
from cogs.answers import Message
from cogs.panels.layout import Accent, message
from cogs.presses import button
from cogs.words.game import rules_line, since
from cogs.words.people import name

_DMS = (
    "-# *Accept* also sends your hand by direct message at each turn. *No direct messages* accepts without, now and "
    "later: `/gin me preferences` changes it. Your hand is always one button away at the table."
)


def invitation(shown: Invitation) -> Message:
    """An invitation with its buttons while it is open, and what became of it afterwards."""
    challenger = name(shown.challenger)
    opponent = "anyone here" if shown.opponent is None else f"<@{shown.opponent.id}>"
    became = {
        ChallengeStatus.PENDING: None,
        ChallengeStatus.ACCEPTED: f"{opponent} accepted. The match is on!",
        ChallengeStatus.DECLINED: f"{opponent} declined.",
        ChallengeStatus.WITHDRAWN: f"{challenger} took it back.",
        ChallengeStatus.EXPIRED: "Nobody accepted in time.",
    }[shown.status]
    if became is not None:
        return message(Accent.OVER, became, f"-# {rules_line(shown.rules)}", title=f"{challenger}'s challenge")
    subject = shown.id
    buttons: list[ui.Item[Any]] = [
        button(subject, 0, "accept", "Accept", discord.ButtonStyle.success),
        button(subject, 0, "accept_silently", "No direct messages"),
    ]
    if shown.opponent is not None:
        buttons.append(button(subject, 0, "decline", "Decline"))
    buttons.append(button(subject, 0, "withdraw", "Withdraw"))
    return message(
        Accent.YOURS,
        f"{challenger} challenges {opponent} to gin rummy: {rules_line(shown.rules)}.",
        f"It closes {since(shown.expires_at)}.\n{_DMS}",
        title="A challenge",
        rows=[buttons],
        pings=() if shown.opponent is None or shown.opponent.id is None else (shown.opponent.id,),
    )
