"""Composing the messages that the courier delivers."""

from __future__ import annotations

from bot.model.challenges import Challenge
from bot.model.daily_posts import DailyPost, DailySummary
from bot.model.daily_reminders import DailyReminder
from bot.model.fairness import Commitment
from bot.model.matches import Card, LostSeat, MatchSummary, OwnHand, Ping, RematchOffer, Reminder, Showdown, Table
from bot.model.outbox import Content
from bot.model.seasons import SeasonResult
from cogs.challenges.challenge_panel import challenge as challenge_panel
from cogs.daily import daily_post_panel as daily
from cogs.daily.daily_panel import daily_reminder
from cogs.delivery.pictures import Pictures
from cogs.fairness.verification_panel import commitment
from cogs.kit.messages import Message
from cogs.standings.season_panel import season as season_panel
from cogs.tables import table_panel as panels
from cogs.tables.reminder_panel import reminder
from cogs.turns.hands import Hands
from cogs.turns.showdown_panel import showdown


async def compose(content: Content, pictures: Pictures, hands: Hands) -> Message:
    """Return the Discord message that shows the content of an outbox message."""
    match content:
        case Table():
            return await panels.table(content, pictures)
        case Card():
            return panels.card(content)
        case OwnHand():
            return await hands.compose(content)
        case LostSeat(match):
            return panels.lost_seat(match)
        case Showdown():
            return await showdown(content, pictures)
        case MatchSummary():
            return await panels.end(content, pictures)
        case RematchOffer():
            return panels.rematch_offer(content)
        case Ping():
            return panels.ping(content)
        case Reminder():
            return reminder(content)
        case DailyReminder():
            return daily_reminder(content)
        case Commitment():
            return commitment(content)
        case Challenge():
            return challenge_panel(content)
        case SeasonResult():
            return await season_panel(content, pictures)
        case DailyPost():
            return daily.post(content)
        case DailySummary():
            return await daily.result(content, pictures)
