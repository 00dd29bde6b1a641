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
    "Ask a server manager to exempt my role or this channel in **Server Settings** > **AutoMod**."
)
FAULT: Final = "Something went wrong, but nothing was lost. Check whether your request worked before you try again."
OUTCOME_NOT_SHOWN: Final = "That worked, but I couldn't show you the result. Look in the channel, or use `/gin hand`."
SAVED_BEFORE_OUTAGE: Final = "That worked, but I can't show you the result yet. Please look again in a minute."
ONE_AT_A_TIME: Final = "I'm still answering your last request. Please try again in a moment."
STILL_WORKING: Final = "I'm still working on your last request. It will be ready soon."
INTERRUPTED: Final = "I'm being restarted. Please try again in a minute."
NO_DIALOG: Final = "That took too long. Please press the button again."
VERY_BUSY: Final = "I'm very busy right now. Please try again in a few seconds."
OLD_BUTTON: Final = "This button has expired. Repost the table with `/gin table`."
COMMANDS_CHANGED: Final = "My commands have changed. Reload Discord (Ctrl+R), or try again in a minute."
NOT_HERE: Final = "I can't find anyone with that name here. Choose from the list."
SLOW_DOWN: Final = "Discord is slowing me down. Your move is saved. Look again with `/gin hand` in a moment."
ONLY_IN_SERVERS: Final = "This only works on a server."
WHICH_MATCH: Final = "Which match do you mean?"
CANNOT_PLAY_HERE: Final = "That player can't see this channel, or can't write in it. Challenge them in another channel."
NO_BOTS: Final = (
    "Other bots can't play. To play the computer, use `/gin practice start`. To add a computer to your table, use "
    "`/gin lobby computer`."
)
CHANNEL_DELETED: Final = "This match's channel was deleted. Use `/gin table` in another channel to continue there."
CHANNEL_GONE: Final = (
    "That match's channel was deleted, so you can't have a rematch. Start a new match with `/gin play`."
)
_REFUSED: Final[Mapping[Code, tuple[str, str]]] = {
    Code.SLOW_MODE: (
        "slow mode is on",
        "Ask a server manager to turn slow mode off, or to give me **Bypass Slowmode**.",
    ),
    Code.CHANNEL_WRITE_LIMIT: ("too many messages are being sent in the channel", "Please wait a few minutes."),
    Code.SERVER_WRITE_LIMIT: ("too many messages are being sent on the server", "Please wait a few minutes."),
    Code.FORUM_NEEDS_POST: ("the forum post is still empty", "The post's author has to write the first message."),
    Code.NO_ACCESS: ("I can't see the channel", "Ask a server manager to give me the **View Channel** permission."),
    Code.NOT_A_TEXT_CHANNEL: ("nobody can write in this kind of channel", "Use a text channel."),
    Code.NO_PERMISSION: (
        "I'm missing a permission, or I'm timed out",
        "A server manager can use `/gin-admin check` to see what I need.",
    ),
    Code.THREAD_ARCHIVED: ("the thread is closed", "Anyone who can write in the thread can reopen it."),
    Code.THREAD_LOCKED: ("the thread is locked", "A moderator can unlock the thread."),
    Code.AUTOMOD: ("AutoMod blocked the message", _ALLOW_BY_AUTOMOD),
    Code.AUTOMOD_TITLE: ("AutoMod blocked the message", _ALLOW_BY_AUTOMOD),
    Code.HARMFUL_LINK: (
        "the message seemed to contain a harmful link",
        "A name in the message may look like a link: change that name and try again.",
    ),
}
"""The reasons why Discord refuses messages, and the remedies."""
_NO_THREAD: Final[Mapping[why.NoThreadReason | None, tuple[str, str]]] = {
    None: ("Only one match can run in a channel.", "Use another channel."),
    why.NoThreadReason.IN_THREAD: ("Only one match can run in a thread.", "Use another thread or channel."),
    why.NoThreadReason.IN_POST: ("Only one match can run in a forum post.", "Use another forum post or channel."),
    why.NoThreadReason.IN_VOICE: ("Only one match can run in a voice channel.", "Use a text channel."),
    why.NoThreadReason.WRONG_KIND: ("Discord doesn't allow threads in this kind of channel.", "Use a text channel."),
    why.NoThreadReason.BOT_MAY_NOT: (
        "I can't create a thread.",
        "Ask a server manager to let me create public threads and post in them.",
    ),
    why.NoThreadReason.PERSON_MAY_NOT: ("You can't write in the channel's threads.", "Use another channel."),
    why.NoThreadReason.TOO_MANY: (
        "The server already has as many active threads as Discord allows.",
        "Ask a server manager to close some threads.",
    ),
    why.NoThreadReason.TOO_MANY_PEOPLE: ("The thread is full.", "Use another channel."),
    why.NoThreadReason.MODERATION: (
        "AutoMod blocked the thread's name.",
        "Ask a server manager to exempt my role from the AutoMod rule that blocked the name.",
    ),
    why.NoThreadReason.NO_MESSAGE: ("The thread's first message was deleted.", "Use another channel."),
    why.NoThreadReason.TROUBLE: ("Discord couldn't create a thread.", "Please try again in a minute."),
}
"""The reasons why a second match cannot have a thread, and the remedies."""
_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.Unavailable: "I can't reach my database, so I couldn't do that. Please try again in a minute.",
    why.OutcomeUnknown: (
        "I lost the connection while saving, so I don't know if your request was saved. Check your hand with "
        "`/gin hand` before you try again."
    ),
    why.Stopping: "I'm being restarted, so I couldn't do that. Please try again in a minute.",
    why.WhichMatch: WHICH_MATCH,
    why.MatchOver: "{match} is over. Offer a rematch with `/gin rematch`.",
    why.NotOver: "{match} is still running. Ask again once it's over.",
    why.Damaged: "The record of {match} is damaged. Call the match off; it won't count.",
    why.Frozen: (
        "{match} is paused because I was removed from its server. It resumes if I'm invited back within 30 days."
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
            return "I can't find that match. See your matches with `/gin games`."
        case why.NotSeated(match) if match.former_seat_of(person_id) is not None:
            return (
                f"You lost on time in {versus_at_first(match)}, and a computer took your seat. "
                "Only the remaining players can do that."
            )
        case why.NotSeated(match) if match.seat_of(person_id) is not None:
            return (
                "A player of that match has deleted their data, so you can't have a rematch. "
                "Start a new match with `/gin play`."
            )
        case why.NotSeated(match):
            only = f"only {joined([name(player) for player in match.players])} can do that"
            you_did_not = "You aren't playing" if match.status is MatchStatus.RUNNING else "You didn't play"
            return f"{you_did_not} in {versus(match)}: {only}. See your own matches with `/gin games`."
        case why.WrongChannel(channels):
            allowed = joined([f"<#{channel}>" for channel in channels], "or")
            return f"On this server, you can play gin rummy only in {allowed}."
        case _:
            return fill(_TEXTS, refusal)


def may_not_show(what: str) -> str:
    """Explain why a replay, review or audit cannot be shared."""
    return f"You can show {what} to everyone only in the match's channel, and only if you can write there."


def may_not_write(channel_id: int) -> str:
    """Explain that the bot posts nothing for a person in a channel where that person may not write."""
    return f"You can't write in <#{channel_id}>, so I can't post there for you. Use another channel."


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
        "A server manager can use `/gin-admin check` to see what I need."
    )


def no_room_to_continue(busy: why.ChannelBusy) -> str:
    """Return the reason why a paused match cannot resume, and when it can."""
    cause, remedy = _NO_THREAD[busy.reason]
    helps = "" if remedy.startswith("Use ") else f" {remedy}"
    return f"{_running_text(busy.match)} {cause} You can continue your own match once the other match is over.{helps}"


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
