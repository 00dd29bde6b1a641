"""The end of a try at the deal of the day, without cards: these stay sealed until the day is over."""

from __future__ import annotations

from discord import ButtonStyle

from bot.model.daily import DailyScore, end_of, was_called_off
from bot.model.ids import MatchId
from bot.model.matches import MatchStatus, OwnHand
from cardart.text.daily_standings import days_in_a_row
from cogs.actions import Action, Subject
from cogs.kit.components import button
from cogs.kit.layout import Accent, Item, Row, message
from cogs.kit.messages import Message
from cogs.turns.games_panel import games_button, next_button
from cogs.words import daily as texts
from cogs.words.clocks import date_of


def finished_try(
    shown: OwnHand, notice: str | None = None, *, can_share: bool = True, in_server: bool = False
) -> Message:
    """Return the result of a try, with a button to share it and, on a server, one for the server's standings."""
    match, score = shown.match, shown.daily_score
    assert match.day is not None
    share = button(match.id, match.version, Action.SHARE_DAILY, "Share") if can_share and score is not None else None
    standings = button(Subject.MENU, 0, Action.DAILY_STANDINGS, "Standings") if in_server else None
    if match.status is MatchStatus.CANCELLED:
        is_called_off = was_called_off(match.day, match.ended_at)
        then = texts.unfinished(was_called_off=is_called_off, was_down=shown.was_down, price=shown.daily_price)
        # The deal of a day on which a try was called off cannot be played again.
        later = [] if is_called_off else [open_button(), *look_back_buttons(match.id, score)]
    else:
        then = f"-# You can see all cards from {date_of(end_of(match.day))}."
        later = look_back_buttons(match.id, score)
    panel = message(
        Accent.OVER,
        None if score is None else texts.ending(score),
        days_in_a_row(shown.daily_streak),
        texts.COUNTS_NOWHERE if shown.counts_nowhere and not in_server else None,
        then,
        title=texts.headline(match.day, score, shown.daily_price),
        notice=notice,
        rows=[later, [share, calendar_button(), standings, next_button(shown), games_button()]],
    )
    return panel.showing(match.id, match.revision)


def open_button(style: ButtonStyle = ButtonStyle.secondary, *, has_begun: bool = False) -> Item:
    """Return the button that shows today's deal, with the commitment to its cards, or the person's try at it."""
    label = "Continue today's deal" if has_begun else "Play today's deal"
    return button(Subject.MENU, 0, Action.DAILY, label, style)


def look_back_buttons(match_id: MatchId, score: DailyScore | None) -> Row:
    """Return the buttons that look back at a past deal. A review needs a showdown."""
    actions = {Action.REPLAY: "Replay", Action.REVIEW: "Review", Action.VERIFY: "Verify"}
    return [
        button(match_id, 0, action, label)
        for action, label in actions.items()
        if action is not Action.REVIEW or score is not None
    ]


def calendar_button() -> Item:
    """Return the button for a person's own calendar."""
    return button(Subject.MENU, 0, Action.DAILY_CALENDAR, "Calendar")
