"""Texts of refusals that several features share, and of requests that Discord refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.model.discord_codes import Code
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo, MatchStatus
from bot.play import refusals as why
from cogs.words.names import joined, name, place, versus, versus_at_first

_ALLOW_BY_AUTOMOD: Final = (
    "Someone who manages the server can exempt my role or this channel in **Server Settings**, **AutoMod**."
)
FAULT: Final = (
    "Something went wrong, but nothing was lost. Check whether it worked before you try again. If it keeps "
    "happening, tell the host"
)
OUTCOME_NOT_SHOWN: Final = (
    "That worked, but I couldn't show it: `/gin hand` and the channel do. If it keeps happening, tell the host"
)
SAVED_BEFORE_OUTAGE: Final = "That worked, but I can't reach my records to show it. Please look again in a minute."
ONE_AT_A_TIME: Final = "I'm still answering your last request. Please try again in a moment."
STILL_WORKING: Final = "I'm still working on your last request. It will be ready soon."
INTERRUPTED: Final = "I'm being restarted. Please try again in a minute."
NO_DIALOG: Final = "That took too long. Please press the button again."
VERY_BUSY: Final = "I'm very busy right now. Please try again in a few seconds."
OLD_BUTTON: Final = "This button is too old. `/gin table` brings the table back."
COMMANDS_CHANGED: Final = "My commands have changed. Reload Discord (Ctrl+R), or try again in a minute."
NOT_HERE: Final = "I can't find anyone with that name here. Choose from the list."
SLOW_DOWN: Final = "Discord is slowing me down. Your move is safe; `/gin hand` shows it in a moment."
ONLY_IN_SERVERS: Final = "This only works in a server."
WHICH_MATCH: Final = "Which match do you mean?"
CANNOT_PLAY_HERE: Final = "They can't see this channel or can't write in it. Challenge them in another channel."
NO_BOTS: Final = (
    "Other bots can't play. `/gin practice start` is for playing the computer; *Computers* adds one to a table."
)
CHANNEL_DELETED: Final = "This match's channel was deleted. Use `/gin table` in another channel to continue there."
CHANNEL_GONE: Final = "That match's channel is gone, so there is no rematch. `/gin play` starts a new match."
_REFUSED: Final[Mapping[Code, tuple[str, str]]] = {
    Code.SLOW_MODE: (
        "slow mode is on",
        "Someone who manages the channel can turn slow mode off, or give me **Bypass Slowmode**.",
    ),
    Code.CHANNEL_WRITE_LIMIT: ("too many messages are being sent in the channel", "Please wait a few minutes."),
    Code.SERVER_WRITE_LIMIT: ("too many messages are being sent on the server", "Please wait a few minutes."),
    Code.FORUM_NEEDS_POST: ("the post has no first message yet", "The author of the post can write that message."),
    Code.NO_ACCESS: ("I can't see the channel", "Someone who manages the server can give me **View Channel** there."),
    Code.NOT_A_TEXT_CHANNEL: ("this kind of channel takes no messages", "Use a text channel."),
    Code.NO_PERMISSION: (
        "I'm missing a permission or am in time-out",
        "Someone who manages the server can change that; `/gin-admin check` lists what I need.",
    ),
    Code.THREAD_ARCHIVED: ("the thread is closed", "Someone who may write there can open it again."),
    Code.THREAD_LOCKED: ("the thread is locked", "A moderator can unlock it."),
    Code.AUTOMOD: ("AutoMod blocked it", _ALLOW_BY_AUTOMOD),
    Code.AUTOMOD_TITLE: ("AutoMod blocked it", _ALLOW_BY_AUTOMOD),
    Code.HARMFUL_LINK: (
        "its filter for harmful links blocked it",
        "A name in it may look like a link: change that name and try again.",
    ),
}
"""The reasons why Discord refuses messages, and the remedies."""
_NO_THREAD: Final[Mapping[why.NoThreadReason | None, tuple[str, str]]] = {
    None: ("There is room for one match in a channel.", "Use another channel."),
    why.NoThreadReason.IN_THREAD: ("There is room for one match in a thread.", "Use another thread or channel."),
    why.NoThreadReason.IN_POST: ("There is room for one match in a post.", "Use another post or channel."),
    why.NoThreadReason.IN_VOICE: ("There is room for one match in a voice channel.", "Use a text channel."),
    why.NoThreadReason.WRONG_KIND: ("Discord opens no threads in this kind of channel.", "Use a text channel."),
    why.NoThreadReason.BOT_MAY_NOT: (
        "I can't open a thread.",
        "Someone who manages the server can let me create public threads and write in them.",
    ),
    why.NoThreadReason.PERSON_MAY_NOT: ("You can't write in threads there.", "Use another channel."),
    why.NoThreadReason.TOO_MANY: (
        "The server has as many active threads as Discord allows.",
        "Someone who manages it can close some.",
    ),
    why.NoThreadReason.TOO_MANY_PEOPLE: ("Discord allows no more people in the thread.", "Use another channel."),
    why.NoThreadReason.MODERATION: (
        "AutoMod blocked the thread's name.",
        "Someone who manages the server can exempt my role from that AutoMod rule.",
    ),
    why.NoThreadReason.NO_MESSAGE: ("The message for the thread is gone.", "Use another channel."),
    why.NoThreadReason.TROUBLE: ("Discord couldn't open a thread.", "Please try again in a minute."),
}
"""The reasons why a second match cannot have a thread, and the remedies."""
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.Unavailable: "I can't reach my records, so that didn't count. Please try again in a minute.",
    why.OutcomeUnknown: (
        "I lost the connection while saving that, so it may or may not have counted. `/gin hand` shows your cards: "
        "check before you try again."
    ),
    why.Stopping: "I'm being restarted, so that didn't count. Please try again in a minute.",
    why.WhichMatch: WHICH_MATCH,
    why.MatchOver: "The match {match} is over. `/gin rematch` offers another.",
    why.NotOver: "{match} is still running. Ask again once it is over.",
    why.Damaged: "I can't read {match} any more. Call it off; it won't count.",
    why.Frozen: (
        "{match} is paused because I was removed from its server. It goes on if I'm invited back within 30 days."
    ),
}


def text(refusal: why.Refusal, person_id: PersonId) -> str | None:
    """Return the text of a refusal, addressed to the person who asked; None if another module explains it."""
    match refusal:
        case why.ChannelBusy(match, reason):
            return " ".join((_running_text(match), *_NO_THREAD[reason]))
        case why.NoMatch(in_channel=True):
            return "You aren't playing here. Start a match with `/gin play`."
        case why.NoMatch():
            return "I can't find that match. `/gin games` lists yours."
        case why.NotSeated(match) if match.former_seat_of(person_id) is not None:
            return (
                f"You lost on time in {versus_at_first(match)}, and a computer took your seat. "
                "Only those who stayed can do that."
            )
        case why.NotSeated(match) if match.seat_of(person_id) is not None:
            return "Someone from that match has left, so there is no rematch. `/gin play` starts a new match."
        case why.NotSeated(match):
            only = f"only {joined([name(player) for player in match.players])} can do that"
            do = "aren't playing" if match.status is MatchStatus.RUNNING else "didn't play"
            return f"You {do} in {versus(match)}: {only}. `/gin games` lists your own matches."
        case why.WrongChannel(channels):
            return f"On this server, gin rummy is played in {joined([f'<#{channel}>' for channel in channels])}."
        case _:
            return fill(_TEXTS, refusal)


def may_not_show(what: str) -> str:
    """Explain why a replay, review or audit cannot be shared."""
    return f"You can show {what} to everyone only in the match's channel, if you can write there."


def may_not_write(channel_id: int) -> str:
    """Explain that the bot posts nothing for a person in a channel where that person may not write."""
    return f"You can't write in <#{channel_id}>, so I post nothing there for you. Use another channel."


def refused_in(channel_id: int, code: Code) -> str:
    """Return the reason why Discord refused the last message in a channel, and the remedy."""
    cause, remedy = _REFUSED[code]
    return f"Discord refused my last message in <#{channel_id}>: {cause}. {remedy}"


def refused_answer(code: Code, *, saved: bool) -> str:
    """Return the reason why Discord refused an answer, and the remedy. If a move was `saved`, say that it counts."""
    cause, remedy = _REFUSED[code]
    return f"{'That worked. ' if saved else ''}Discord refused my answer here: {cause}. {remedy}"


def cannot_post_table(channel_id: int | None, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post a table in a channel."""
    missing = joined([f"**{label}**" for label in labels])
    return (
        f"I can't post a table in <#{channel_id}>: I'm missing {missing} there. "
        "Someone who manages the server can change that; `/gin-admin check` lists what I need."
    )


def no_room_to_continue(busy: why.ChannelBusy) -> str:
    """Return the reason why a paused match cannot resume, and when it can."""
    cause, remedy = _NO_THREAD[busy.reason]
    helps = "" if remedy.startswith("Use ") else f" {remedy}"
    return f"{_running_text(busy.match)} {cause} Continue once that match is over.{helps}"


def _running_text(match: MatchInfo) -> str:
    return f"{versus(match)} is running in {place(match)}."


def fill(texts: Mapping[type[why.Refusal], str], refusal: why.Refusal) -> str | None:
    """Return the text in `texts` for this kind of refusal, with the placeholders filled in; None if there is no text.

    `{match}` is replaced by the players, `{place}` by the channel, and `{refusal.…}` by an attribute of the refusal.
    """
    template = texts.get(type(refusal))
    if template is None:
        return None
    match = getattr(refusal, "match", None)
    about = {} if match is None else {"match": versus(match), "place": place(match)}
    return template.format(refusal=refusal, **about)
