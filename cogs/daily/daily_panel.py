"""The message from which a person starts their try at the deal of the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from discord import ButtonStyle

from bot.model.daily import DailyDeal, DailyServer, DailyTry, end_of
from bot.model.daily_reminders import DailyReminder
from bot.model.ids import GuildId
from bot.play.daily.tries import OwnDaily
from cardart.text.daily_standings import days_in_a_row
from cogs.actions import Action, Subject
from cogs.fairness import verification_text
from cogs.fairness.verification_panel import how_button
from cogs.kit.components import button, link
from cogs.kit.layout import Accent, Item, Row, WithButton, line, message, note
from cogs.kit.messages import Message
from cogs.turns.daily_panel import calendar_button, look_back_buttons, open_button
from cogs.words import daily as texts
from cogs.words.clocks import date_of
from cogs.words.names import shortened

MAX_LINKS: Final = 3
"""Maximum number of links to servers in an invitation."""
MAX_LABEL: Final = 80
"""Maximum length of a button's label: https://discord.com/developers/docs/components/reference."""


def invitation(shown: OwnDaily, server_names: Mapping[GuildId, str], *, in_server: bool) -> Message:
    """Return the invitation to play today's deal, with the commitment to its cards, and the streak to continue.

    It is shown `in_server`, where the result counts then, or in direct messages. There it has links to the person's
    servers with these names.
    """
    return message(
        Accent.YOURS,
        "One deal of gin rummy against the strong computer, with the same cards for everyone. You have one try, and "
        f"can stop and come back until {date_of(shown.ends_at)}. If nobody wins the deal, you get new cards.",
        f"{texts.COUNTS_HERE if in_server else texts.COUNTS_ON_SERVERS} {texts.PRICE_OF_STOPPING}",
        None if shown.earlier is None else _last_time(shown.earlier),
        _streak(shown.streak),
        sealed(shown.deal),
        title=texts.name(shown.deal.day),
        rows=[
            _server_links(shown.servers, server_names),
            [_play_button(shown.deal), None if shown.earlier is None else calendar_button()],
            [] if shown.earlier is None else look_back_buttons(shown.earlier.match_id, shown.earlier.score),
        ],
    )


def _server_links(servers: Sequence[DailyServer], names: Mapping[GuildId, str]) -> Row:
    """Return a link to the place of each server's posts, or to the server if it has none."""
    links: list[Item] = []
    for server in servers[:MAX_LINKS]:
        if (name := names.get(server.guild_id)) is not None:
            place = server.guild_id if server.channel_id is None else f"{server.guild_id}/{server.channel_id}"
            links.append(link(shortened(f"Go to {name}", MAX_LABEL), f"https://discord.com/channels/{place}"))
    return links


def _play_button(deal: DailyDeal) -> Item:
    """Return the button that begins a try at a deal. It must stand below the commitment to the deal's cards."""
    return button(Subject.MENU, 0, Action.START_DAILY, "Play", ButtonStyle.success, argument=deal.day.isoformat())


def sealed(deal: DailyDeal) -> WithButton:
    """Return the commitment to the cards of a deal."""
    return WithButton(verification_text.commitment(deal.commitment), how_button(daily=True))


def shared(headline: str, player: str) -> Message:
    """Return a result that a person shows to everybody in a channel."""
    return line(f"{player} · {headline}", open_button())


def daily_reminder(shown: DailyReminder) -> Message:
    """Return the reminder of a day's deal, with the streak to continue."""
    stop = button(Subject.SELF, 0, Action.STOP_DAILY, "Stop reminders")
    waiting = f"{texts.name(shown.day)} {'is not finished' if shown.has_begun else 'is waiting'}."
    ends = f"You can play it until {date_of(end_of(shown.day))}."
    text = " ".join(filter(None, (waiting, ends, _streak(shown.streak))))
    return note(text, Accent.YOURS, open_button(ButtonStyle.success, has_begun=shown.has_begun), stop)


def reminders_stopped() -> Message:
    """Confirm that the person is not reminded any more."""
    return note("I won't remind you anymore. To change that, use `/gin me preferences`.", Accent.WAITING, open_button())


def _streak(length: int) -> str | None:
    """Name a person's streak, which today's deal continues; None if it is too short."""
    streak = days_in_a_row(length)
    return None if streak is None else f"{streak}: play to keep it up."


def _last_time(earlier: DailyTry) -> str:
    return f"Last time: {texts.headline(earlier.day, earlier.score, earlier.price)}"
