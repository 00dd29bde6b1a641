"""The message of an invitation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord
from discord import ui

from bot.values.challenges import Challenge, ChallengeStatus
from bot.values.statistics import Player
from cogs.kit.answers import Message
from cogs.panels.layout import Accent, message
from cogs.kit.components import button
from cogs.text import rules
from cogs.text.people import joined, name
from cogs.text.table import since

_DMS = (
    "-# *{accept}* also sends your hand by direct message at each turn. *No direct messages* pings you in the "
    "channel instead, now and later: `/gin me preferences` changes it. Your hand "
    "is always one button away at the table."
)


def invitation(shown: Challenge) -> Message:
    """An invitation with its buttons while it is open, and what became of it afterwards."""
    became = _became(shown)
    if became is not None:
        title = f"{name(shown.challenger)}'s challenge"
        return message(Accent.OVER, became, f"-# {rules.line(shown.rules, shown.system)}", title=title)
    return _lobby(shown) if shown.is_lobby else _for_two(shown)


def _became(shown: Challenge) -> str | None:
    challenger = name(shown.challenger)
    others = joined([_mention(player) for player in (*shown.players[1:], *shown.named)]) or "anyone here"
    match shown.status:
        case ChallengeStatus.DRAFT | ChallengeStatus.PENDING:
            return None
        case ChallengeStatus.ACCEPTED:
            return f"{others} {'play' if shown.is_lobby else 'accepted'}. The match is on!"
        case ChallengeStatus.DECLINED:
            return f"{others} declined."
        case ChallengeStatus.WITHDRAWN:
            return f"{challenger} took it back."
        case ChallengeStatus.EXPIRED:
            return "Nobody accepted in time." if len(shown.players) == 1 else "It was not started in time."


def _for_two(shown: Challenge) -> Message:
    subject, opponent = shown.id, shown.opponent
    buttons: list[ui.Item[Any]] = _joining(subject, "Accept")
    if opponent is not None:
        buttons.append(button(subject, 0, "decline", "Decline"))
    buttons += _always(subject)
    whom = "anyone here" if opponent is None else _mention(opponent)
    return message(
        Accent.YOURS,
        f"{name(shown.challenger)} challenges {whom} to gin rummy: {rules.line(shown.rules, shown.system)}.",
        f"It closes {since(shown.expires_at)}.\n{_DMS.format(accept='Accept')}",
        title="A challenge",
        rows=[buttons],
        pings=_ids(shown.named),
    )


def _lobby(shown: Challenge) -> Message:
    subject, least, most = shown.id, shown.seats[0], shown.seats[-1]
    many = str(most) if least == most else f"{least} to {most}"
    places = [f"**In:** {joined([name(player) for player in shown.players])}"]
    if shown.named:
        places.append(f"**Kept for:** {joined([_mention(player) for player in shown.named])}")
    if shown.free:
        places.append(f"**Open to anyone:** {shown.free} place{'' if shown.free == 1 else 's'}")
    if shown.teams:
        places.append("**Teams:** " + " against ".join(joined([name(one) for one in team]) for team in shown.teams))
    has_place = bool(shown.free or shown.named)
    buttons: list[ui.Item[Any]] = _joining(subject, "Join") if has_place else []
    if shown.named:
        buttons.append(button(subject, 0, "decline", "Decline"))
    if len(shown.players) > 1:
        buttons.append(button(subject, 0, "leave_lobby", "Leave"))
    last: list[ui.Item[Any]] = []
    if shown.can_start:
        style = discord.ButtonStyle.secondary if has_place else discord.ButtonStyle.primary
        last.append(button(subject, 0, "start", "Start", style))
    if shown.teams:
        last.append(button(subject, 0, "teams", "Change teams"))
    starts = "can start it now" if shown.can_start else f"starts it once {least} are in"
    how = f"\n{_DMS.format(accept='Join')}" if has_place else ""
    return message(
        Accent.YOURS,
        f"{name(shown.challenger)} opens a table for {many}: {rules.line(shown.rules, shown.system)}.",
        "\n".join(places),
        f"{name(shown.challenger)} {starts}; it closes {since(shown.expires_at)}.{how}",
        title="A table for several",
        rows=[buttons, [*last, *_always(subject)]],
        pings=_ids(shown.named),
    )


def _joining(subject: int, label: str) -> list[ui.Item[Any]]:
    return [
        button(subject, 0, "accept", label, discord.ButtonStyle.success),
        button(subject, 0, "accept_silently", "No direct messages"),
    ]


def _always(subject: int) -> list[ui.Item[Any]]:
    return [button(subject, 0, "withdraw", "Withdraw"), button(subject, 0, "challenge_rules", "Rules")]


def _mention(player: Player) -> str:
    return name(player) if player.id is None else f"<@{player.id}>"


def _ids(players: Iterable[Player]) -> tuple[int, ...]:
    return tuple(player.id for player in players if player.id is not None)
