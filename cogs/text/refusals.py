"""Texts of refusals: friendly, and with the next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from textwrap import shorten
from typing import Final

from bot.engine.cards import Card, Rank, Suit
from bot.engine.fair import MAX_WORDS_LENGTH
from bot.engine.views import Phase
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.clocks import TimeLeft
from bot.model.discord_codes import Code
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo, MatchStatus, OwnHand
from bot.model.names import search_key
from bot.play import refusals as why
from cardart.text.card_names import CardNames, card_names
from cardart.text.phrases import count
from cardart.text.queries import knock_choices
from cogs.text import vacancies
from cogs.text.clocks import date_of
from cogs.text.hand import paused
from cogs.text.people import joined, mention, name, place, safe, versus, versus_at_first
from cogs.text.rules import bold
from cogs.text.table import relative_time, top

_ALLOW_BY_AUTOMOD: Final = (
    "Someone who manages the server can allow me: in **Server Settings**, **AutoMod**, exempt my role or this channel "
    "from the rule."
)
FAULT = (
    "Something went wrong on my side, but nothing was lost. Check whether your action worked before you try again; if "
    "this keeps happening, tell the host"
)
OUTCOME_NOT_SHOWN = (
    "What you did counts, but I could not show you the outcome. `/gin hand` and the channel show it; if this "
    "keeps happening, tell the host"
)
SAVED_BEFORE_OUTAGE = (
    "What you did counts, but I cannot reach my records at the moment to show you the outcome. Please look again in a "
    "minute."
)
ONE_AT_A_TIME = "I am still answering what you asked before. Please try again in a moment."
STILL_WORKING = "I am still working on your last request. It will be ready soon."
INTERRUPTED = "I am being restarted and had to break this off. Please ask for it again in a minute."
NO_DIALOG = "I was too slow for Discord to open that. Please press the button again."
VERY_BUSY = "Very many people are asking me at once. Please try again in a few seconds."
MANY_REVIEWS = "I am reviewing for very many people at once. Please try again in a few minutes."
SLOW_REVIEW = "This takes more time than Discord gives me. Ask again: what is done so far is kept."
OLD_BUTTON = "This button is too old to work. `/gin table` brings the table back."
NO_OFFER = "There is no offer of a rematch to decline any more. *Rematch* makes one."
NO_MATCH_HERE = "No match has ended in this channel yet. `/gin challenge` starts one."
NO_MATCH_BEFORE = "You have not played a match to its end yet. `/gin challenge` starts one on a server."
CHANNEL_DELETED = (
    "This match's channel was deleted. Use `/gin table` in another channel of the same server to continue there."
)
CHANNEL_GONE = (
    "I cannot find that match's channel any more, so it has no rematch. `/gin challenge` in another channel starts a "
    "new match."
)
NO_TABLE = "A practice match has no table in a channel. `/gin hand` shows it to you."
COMMANDS_CHANGED = (
    "My commands have changed since Discord loaded them for you. Reload Discord (Ctrl+R), or try again in a minute."
)
NOT_HERE = "I cannot find anyone with that name on this server. Choose from the list that opens as you type."
SLOW_DOWN = "Discord is asking me to slow down. Your move is safe; `/gin hand` shows it in a moment."
ONLY_IN_SERVERS = "This only works in a server. Use it in the channel where you play."
CANNOT_PLAY_HERE = (
    "That person cannot see this channel, or may not write in it, so they could not play. Challenge them elsewhere."
)
NO_BOTS = (
    "Other bots cannot play. `/gin practice start` starts a match against a computer, and *Computers* adds one to a "
    "table for more than two players."
)
BOTS_HAVE_NONE = "Bots have no results. Choose a person, or leave the option out to see your own."
UNKNOWN_LEVEL = "There is no such level. Choose from the list: novice, casual, strong or expert."
UNREADABLE_DEAL = "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board."
UNREADABLE_DEAL_OR_ALL = (
    "I cannot read that deal. Write its number, such as `3`, or `3.2` for its second board, or `all` for the whole "
    "match."
)
ALREADY_ENDED = "That match is already over. `/gin-admin end` lists the ones that are still running."
MANAGERS_ONLY = "Only people with the **Manage Server** permission can do that. Ask one of them."

MAX_REASON: Final = 300
"""Maximum length of a reason, which can quote user input that is longer than a message."""


_TEXTS: Final[Mapping[type[why.Refusal], str]] = {
    why.Unavailable: "I cannot reach my records at the moment, so that did not count. Please try again in a minute.",
    why.OutcomeUnknown: (
        "I lost the connection to my records while I was saving that, so it may or may not have counted. Check before "
        "you try again: `/gin hand` shows your cards."
    ),
    why.Stopping: "I am being restarted, so that did not count. Please try again in a minute.",
    why.WhichMatch: "You are playing several matches. Which one do you mean?",
    why.Stale: "The match has moved on since then. Here is how it stands now.",
    why.BackAtTable: "They can play again, so their time runs now.",
    why.MatchOver: "The match {match} is over. `/gin rematch` offers another.",
    why.MatchRunning: "{match} is still running. A rematch can follow once it is over.",
    why.Damaged: "I cannot read {match} any more, so nobody can play on. Call it off: it does not count.",
    why.NotOver: "{match} is still running. Ask again once it is over.",
    why.ProfileHidden: (
        "<@{refusal.person_id}> shows results only to people they have played with. Play a match together "
        "(`/gin challenge`), then ask again."
    ),
    why.RematchBegun: "The rematch of {match} has already begun. `/gin games` shows where.",
    why.Frozen: (
        "The server of {match} removed me, so the match is paused. It goes on if someone there invites me back within "
        "thirty days."
    ),
    why.NoPractice: "You have no practice match. `/gin practice start` begins one.",
    why.NotPractice: "Hints are for practice. After the deal, `/gin-deal review` tells what each choice cost.",
    why.NoAdvice: "I cannot think of anything just now. Please ask again in a minute; it is still your turn.",
    why.NoDealFinished: "You have not finished a deal yet. `/gin practice start` begins one at once.",
    why.NoReview: "I cannot review anything just now. Please ask again in a minute.",
    why.NotWithYourself: (
        "You cannot play against yourself. Challenge someone else, or name no opponent to let anyone accept."
    ),
    why.NotWelcome: (
        "<@{refusal.opponent_id}> is not taking challenges right now. Leave the place open, or challenge someone else."
    ),
    why.NotVerifiable: (
        "{match} was agreed on before my deals could be checked, so there is nothing to verify, and it takes no words. "
        "Every new match can be checked."
    ),
    why.NotCommitted: (
        "That challenge was made before my deals could be checked, so it takes no words. *Accept* still begins the "
        "match; every new challenge takes words."
    ),
    why.TooManyWords: (
        "You have changed your words very often in this deal of {match}. Please wait for the next deal; your last ones "
        "count."
    ),
    why.NoOffer: "Nobody offers that in {match} any more. *Pause or leave* under the table has what you can offer.",
    why.AlreadyOffered: (
        "They have already made you an offer: `/gin accept` accepts a challenge, and `/gin rematch` a rematch."
    ),
    why.NoChallenge: "There is no such challenge. `/gin challenge` makes one.",
    why.TooManyHouseRules: (
        "This server has {refusal.maximum} house rules, which is the limit. `/gin-admin rules remove` makes room."
    ),
}
"""The texts of refusals that need no logic. `{match}` is replaced by the names of the players, and `{place}` by the
channel."""

_REFUSED: Final[Mapping[Code, tuple[str, str]]] = {
    Code.SLOW_MODE: (
        "slow mode is on",
        "Someone who manages the channel can turn slow mode off, or give me **Bypass Slowmode**.",
    ),
    Code.CHANNEL_WRITE_LIMIT: ("too many messages are being sent in the channel", "Please wait a few minutes."),
    Code.SERVER_WRITE_LIMIT: ("too many messages are being sent on the server", "Please wait a few minutes."),
    Code.FORUM_NEEDS_POST: ("the post has no first message yet", "The author of the post can write that message."),
    Code.NO_ACCESS: ("I cannot see the channel", "Someone who manages the server can give me **View Channel** there."),
    Code.NOT_A_TEXT_CHANNEL: ("this kind of channel takes no messages", "Use a text channel."),
    Code.NO_PERMISSION: (
        "I am missing a permission or am in time-out",
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
    None: ("A channel has room for one match.", "Use another channel."),
    why.NoThreadReason.IN_THREAD: ("A thread has room for one match.", "Use another thread or channel."),
    why.NoThreadReason.IN_POST: ("A post has room for one match.", "Use another post or channel."),
    why.NoThreadReason.IN_VOICE: ("The chat of a voice channel has room for one match.", "Use a text channel."),
    why.NoThreadReason.WRONG_KIND: ("Discord opens no threads in this kind of channel.", "Use a text channel."),
    why.NoThreadReason.BOT_MAY_NOT: (
        "I am not allowed to open a thread.",
        "Someone who manages the server can let me create public threads there and send messages in them.",
    ),
    why.NoThreadReason.PERSON_MAY_NOT: ("You may not write in threads there.", "Use another channel."),
    why.NoThreadReason.TOO_MANY: (
        "The server has as many active threads as Discord allows.",
        "Someone who manages it can close some.",
    ),
    why.NoThreadReason.TOO_MANY_PEOPLE: ("Discord allows no more people in the thread.", "Use another channel."),
    why.NoThreadReason.MODERATION: (
        "AutoMod blocked the thread's name.",
        "Someone who manages the server can exempt my role from that AutoMod rule.",
    ),
    why.NoThreadReason.NO_MESSAGE: ("The message on which the thread would open is gone.", "Use another channel."),
    why.NoThreadReason.TROUBLE: ("Discord could not open a thread just now.", "Please try again in a minute."),
}
"""The reasons why a second match cannot have a thread, and the remedies."""

_NO_NUDGE: Final = {
    why.NudgeRefusal.TOO_SOON: "You can nudge somebody who has kept you waiting for a day, and then once a day.",
    why.NudgeRefusal.UNWANTED: "They would rather not be nudged. They may still get reminders from me.",
    why.NudgeRefusal.AWAY: "Their time stands still at the moment, so they cannot be nudged.",
}
_UNFIT_WORDS: Final = {
    why.WordsProblem.EMPTY: "You typed no words. Type anything that nobody would guess.",
    why.WordsProblem.TOO_LONG: f"Those words are too long. They may have {MAX_WORDS_LENGTH} characters.",
    why.WordsProblem.UNREADABLE: "Those words have characters that cannot be seen. Type them again, in one line.",
}
_NO_REPLAY: Final[Mapping[why.NoReplayReason, str]] = {
    why.NoReplayReason.NONE_YET: "No deal of {match} has reached a showdown yet. Ask again after the first.",
    why.NoReplayReason.NONE: (
        "{match} ended before any deal reached a showdown, so there is nothing to {do}. `/gin rematch` plays again."
    ),
    why.NoReplayReason.IN_PLAY: "That deal is still in play. You can {do_it} once all hands are laid down.",
    why.NoReplayReason.BROKEN_OFF: "That deal was broken off before a showdown, so there is nothing to {do}.",
    why.NoReplayReason.VOID: "That deal was void: nobody laid a hand down, so there is nothing to {do}.",
    why.NoReplayReason.UNKNOWN: "{match} has no such deal. Choose from the list that opens as you type.",
}
"""The texts for deals that cannot be replayed or reviewed. `{do}` and `{do_it}` are filled with the verb."""

_CLOSED: Final[Mapping[ChallengeStatus, str]] = {
    ChallengeStatus.DRAFT: "has not been sent yet",
    ChallengeStatus.PENDING: "has already been sent",
    ChallengeStatus.ACCEPTED: "has already been accepted",
    ChallengeStatus.DECLINED: "was declined",
    ChallengeStatus.WITHDRAWN: "was withdrawn",
    ChallengeStatus.EXPIRED: "has expired",
}

_YOUR_OWN: Final = "`/gin challenge` makes your own."
_ANSWER_FIRST: Final = "Answer the knock first: `/gin layoff` lays off a card, *all* or *nothing*."
_ONLY_TO_GO_OUT: Final = (
    "The stock is used up: you may take the {top} only to knock or go gin with it. Otherwise use `/gin pass`."
)
_ILLEGAL_IN_PHASE: Final[Mapping[tuple[str, Phase], str]] = {
    ("wall", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.WALL): _ONLY_TO_GO_OUT,
    ("no-gin", Phase.LAY_OFF): _ANSWER_FIRST,
    ("no-gin", Phase.OFFER): "You need a new card to go gin: take the {top} with `/gin take`, or `/gin pass`.",
    ("no-gin", Phase.DRAW): (
        "You need a new card to go gin: `/gin draw` from the stock, or `/gin take` the top of the pile."
    ),
}
_ILLEGAL: Final[Mapping[str, str]] = {
    "offer": "The deal starts with the upcard: take the {top} with `/gin take`, or `/gin pass`.",
    "refused": "Everybody passed the upcard, so the first card comes from the stock: `/gin draw`.",
    "draw-first": "A turn starts with a card: `/gin draw` from the stock, or `/gin take` the top of the pile.",
    "drawn": "You have already drawn. Now discard a card, or knock or go gin if you can.",
    "not-in-hand": "You do not hold {card}. Choose a card from your hand.",
    "just-drawn": "You drew {card} this turn, so you cannot discard it yet. Discard another card.",
    "just-taken": "You took {card} from the pile this turn, so you cannot discard it yet. Discard another card.",
    "wall": "The stock is used up, and you took the last discard, so you must knock or go gin.",
    "no-big-gin": "These rules have no big gin. `/gin gin` discards one card and goes gin.",
    "not-big-gin": "That is not big gin: all eleven cards must be in melds. Discard a card instead.",
    "lay-off-first": _ANSWER_FIRST,
    "laid-off": "You have laid off {card} already. Choose another card, *all* or *nothing*.",
    "own-meld": "{card} is part of a meld that you chose to lay down. Choose another card, *all* or *nothing*.",
    "lay-off": "{card} fits none of the knocker's melds as they are now. Choose another card, *all* or *nothing*.",
    "no-lay-off": "There is no knock to answer. You can lay off cards after an opponent knocks.",
    "melds": "Your hand cannot be laid down like that. Choose from the list that opens as you type.",
}
"""The texts for illegal moves by code. `{card}` is replaced by the card of the move, `{top}` by the last discard."""


def default_must_be_offered(name: str) -> str:
    """Say that a server cannot stop offering its default rules."""
    return f"{bold(name)} are the default rules, so they stay on offer. Choose other default rules first."


def unreadable_card(names: CardNames) -> str:
    """Say that a text is not a card, and explain how to write one."""
    king, ten = Card.of(Rank.KING, Suit.DIAMONDS), Card.of(Rank.TEN, Suit.HEARTS)
    return (
        f"I cannot read that as one card. Write its rank and suit, such as `Kd` for {names.short(king)} or `10h` for "
        f"{names.short(ten)}, or its name, such as *{names.full(king)}*; or choose from the list that opens as you "
        "type."
    )


def may_not_show(what: str) -> str:
    """Explain why a replay, review or audit cannot be shared."""
    return f"You can only show {what} to everyone in its match's channel, and only if you may write there."


def may_not_write(channel_id: int) -> str:
    """Explain that the bot posts nothing for a person in a channel where that person may not write."""
    return (
        f"You may not write in <#{channel_id}>, so I post nothing there for you. Use a channel where you may, or ask "
        "someone who manages the server."
    )


def cannot_post_results(channel_id: int, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post a season's result in a channel."""
    return f"But I am missing {joined(labels)} in <#{channel_id}>, so give me that before a season ends."


def refused_in(channel_id: int, code: Code) -> str:
    """Return the reason why Discord refused the last message in a channel, and the remedy."""
    cause, remedy = _REFUSED[code]
    return f"Discord refused my last message in <#{channel_id}>: {cause}. {remedy}"


def refused_answer(code: Code, *, saved: bool) -> str:
    """Return the reason why Discord refused an answer, and the remedy. If a move was `saved`, say that it counts."""
    cause, remedy = _REFUSED[code]
    return f"{'What you did counts. ' if saved else ''}Discord refused my answer here: {cause}. {remedy}"


def missing_permissions(channel_id: int | None, labels: Sequence[str]) -> str:
    """Say which permissions the bot lacks to post a table in a channel."""
    missing = joined([f"**{label}**" for label in labels])
    return (
        f"I cannot post a table in <#{channel_id}>: I am missing {missing} there. "
        "Someone who manages the server can change that; `/gin-admin check` lists what I need."
    )


def no_room_to_continue(busy: why.ChannelBusy) -> str:
    """Return the reason why a paused match cannot resume, and when it can."""
    cause, remedy = _NO_THREAD[busy.reason]
    helps = "" if remedy.startswith("Use ") else f" {remedy}"
    return f"{_running_text(busy.match)} {cause} Continue once that match is over.{helps}"


def _running_text(match: MatchInfo) -> str:
    return f"{versus(match)} is running in {place(match)}."


def text(refusal: why.Refusal, person_id: PersonId) -> str:
    """Return the text of a refusal and the next step, addressed to the person who asked."""
    if type(refusal) in _TEXTS:
        match = getattr(refusal, "match", None)
        about = {} if match is None else {"match": versus(match), "place": place(match)}
        return _TEXTS[type(refusal)].format(refusal=refusal, **about)
    match refusal:
        case why.ChannelBusy(match, reason):
            return " ".join((_running_text(match), *_NO_THREAD[reason]))
        case why.NoMatch(in_channel=True):
            return "There is no match here, and you are not playing anywhere else. Start one with `/gin challenge`."
        case why.NoMatch():
            return "There is no such match, or you cannot see its channel. `/gin games` lists yours."
        case why.NotSeated(match) if match.former_seat_of(person_id) is not None:
            return (
                f"You lost on time in {versus_at_first(match)}, and a computer took over your seat. "
                "Only those who stayed can do that."
            )
        case why.NotSeated(match) if match.seat_of(person_id) is not None:
            return (
                "Someone who played in that match has left, so it has no rematch. `/gin challenge` starts a new match."
            )
        case why.NotSeated(match):
            only = f"only {joined([name(player) for player in match.players])} can do that"
            do = "are not playing" if match.status is MatchStatus.RUNNING else "did not play"
            return f"You {do} in {versus(match)}: {only}. `/gin games` lists your own matches."
        case why.NotYourTurn(hand):
            return _whose_turn(hand)
        case why.Illegal():
            return _illegal(refusal)
        case why.NotReviewable(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="review", do_it="have it reviewed")
        case why.NoReplay(match, reason):
            return _NO_REPLAY[reason].format(match=versus(match), do="replay", do_it="watch it")
        case why.NotInDeal(match, whole_match=False):
            return "You sat that deal out, so there is nothing of yours to review. Choose another from the list."
        case why.NotInDeal(match) if match.status is MatchStatus.RUNNING:
            return "You have sat out every deal so far. Ask again once a deal of yours is over."
        case why.NotInDeal(match):
            return f"You sat out every deal of {versus(match)}, so there is nothing of yours to review."
        case why.TooSoon(match, time):
            return _too_soon(match, time)
        case why.Paused(match):
            return paused(match)
        case why.Vacant(match):
            return vacancies.question(match, match.seat_of(person_id))
        case why.NotVacant():
            return "The others have decided: the match goes on with a computer."
        case why.NotPaused():
            return "This match is not paused. `/gin hand` shows where it stands."
        case why.NoTimeToGive():
            return "There is nobody to give time to: you are not waiting for anyone, or the match has no clock."
        case why.TooMuchTime():
            return "They have so much time left already that I cannot add more."
        case why.NoNudge(_, reason):
            return _NO_NUDGE[reason]
        case why.InvalidWords(reason):
            return _UNFIT_WORDS[reason]
        case why.TooLongAway(most, left):
            return _too_long_away(most, left)
        case why.NotAway():
            return "You are not away, so everything goes on as usual. `/gin me away` begins a holiday."
        case why.UnknownTimeZone(zone, likely) if likely:
            cities = joined([f"*{zone.rpartition('/')[2].replace('_', ' ')}*" for zone in likely], "or")
            asked = f"I know no time zone called **{safe(zone)}**. Did you mean {cities}?"
            return f"{asked} Choose from what I offer as you type."
        case why.UnknownTimeZone(zone):
            return (
                f"There is no time zone called **{safe(zone)}**. Type another large city near you, such as *Paris* or "
                "*New York*, and choose from what I offer."
            )
        case why.UnreadableHour(text):
            return f"I cannot read {safe(text)} as a time of day. Write it like `22:00` or `7:30`."
        case why.UnknownClock(text):
            return (
                f"There is no clock called **{safe(text)}**. Choose from the list that opens as you type: `none`, a "
                "time per turn such as `2d`, or a live clock such as `10m+20s`; `2d flag` ends the match automatically."
            )
        case why.WrongChannel(channels):
            return f"Gin rummy is played in {joined([f'<#{channel}>' for channel in channels])} on this server."
        case why.TooManyChallenges(pending):
            return f"You have {len(pending)} open challenges, which is the limit. `/gin withdraw` withdraws one."
        case why.TooMuchPractice(matches):
            return (
                f"You are practising {len(matches)} matches already, which is the limit. `/gin games` lists them, and "
                "`/gin resign` ends one."
            )
        case why.TooManyNamed(most):
            people = "one opponent" if most == 1 else f"up to {most} others"
            return f"These rules are for you and {people}. Name fewer, or choose rules for more players."
        case why.WrongNumber(wanted, allowed, fitting):
            theirs = f"{allowed[0]}" if len(allowed) == 1 else f"{allowed[0]} to {allowed[-1]}"
            named = joined([bold(name) for name in fitting], "or")
            others = f" For {wanted}, choose {named} in *rules*." if fitting else ""
            return f"These rules are for {theirs} players, not for {wanted}.{others}"
        case why.NoPlaceLeft(challenge) if challenge.challenger.id == person_id:
            return _own_table_is_full(challenge)
        case why.NoPlaceLeft(challenge) if challenge.named:
            kept = joined([mention(player) for player in challenge.named])
            return f"The places left at {mention(challenge.challenger)}'s table are kept for {kept}. {_YOUR_OWN}"
        case why.NoPlaceLeft(challenge):
            return f"{name(challenge.challenger)}'s challenge has no place left. {_YOUR_OWN}"
        case why.NoTeams():
            return "These rules have no teams: everyone plays for themselves."
        case why.NotEnoughPlayers(challenge):
            there = len(challenge.players)
            joined_so_far = "Only you have joined" if there == 1 else f"{there} players have joined"
            return f"{joined_so_far}, and it takes {challenge.seats[0]}. Wait for more to join."
        case why.ChallengeClosed(challenge):
            return f"That challenge {_CLOSED[challenge.status]}. `/gin challenge` makes a new one."
        case why.AlreadyIn(challenge):
            if challenge.challenger.id == person_id:
                return "Whoever you name has already joined. *Start* begins the match once enough players have joined."
            return "You have already joined. *Leave* gives up your place."
        case why.NotForYou(challenge):
            return _not_for_you(challenge, person_id)
        case why.UnknownRules(reason, offered, asked):
            short = shorten(reason, MAX_REASON, placeholder=" …")
            rest = "" if short == reason else " With *options*, `/gin challenge` shows every option."
            stop = "" if rest else "."
            offers = _suggestion(asked, offered) + _offered_text(offered)
            return f"I cannot play with those rules: {short}{stop}{rest}{offers}"
        case why.NotOffered(asked, offered):
            return f"This server does not offer {bold(asked)}.{_offered_text(offered)}"
        case why.WrongRulesName(taken=True):
            return "That name is, or looks like, the name of built-in rules or of a leaderboard. Choose another one."
        case why.WrongRulesName():
            return (
                "A name has 1 to 32 letters and digits of any alphabet, with spaces, hyphens, apostrophes and common "
                "punctuation, and starts with a letter or digit: such as *Mum's rules*."
            )
        case _:
            return f"{FAULT}."


def _own_table_is_full(challenge: Challenge) -> str:
    if not challenge.named:
        return "Your table has no free place. *Start* begins the match."
    kept = joined([mention(player) for player in challenge.named])
    start = "*Start* begins the match without them." if challenge.can_start else None
    wait = "A place is free again once somebody declines it; `/gin withdraw` closes the table."
    return f"The places left at your table are kept for {kept}, so none is free for anyone else. {start or wait}"


def _not_for_you(challenge: Challenge, person_id: PersonId) -> str:
    if challenge.challenger.id == person_id and challenge.is_lobby:
        return "This is your own table: *Start* appears once enough have joined, and *Withdraw* closes it."
    if challenge.challenger.id == person_id:
        return "This is your own challenge, for someone else to answer. `/gin withdraw` withdraws it."
    challenger = mention(challenge.challenger)
    if challenge.is_lobby:
        whose = f"This is {challenger}'s table, and only {challenger} can start, change or withdraw it."
        if person_id in challenge.joined_ids:
            return f"{whose} *Leave* gives up your place."
        return f"{whose} *Join* takes a place. Only a place that is kept for you can be declined."
    if challenge.opponent is not None and challenge.opponent.id == person_id:
        return f"This is {challenger}'s challenge to you: *Accept* or *Decline* answers it."
    opponent = "anyone else" if challenge.opponent is None else mention(challenge.opponent)
    return (
        f"This is {challenger}'s challenge: {opponent} can accept it, and only {challenger} can withdraw it. "
        f"{_YOUR_OWN}"
    )


def _suggestion(asked: str, names: tuple[str, ...]) -> str:
    """Return a suggestion for a misspelled name, if there is one."""
    by_key = {search_key(name): name for name in names}
    near = get_close_matches(search_key(asked), by_key, 1)
    return f" Did you mean {bold(by_key[near[0]])}?" if near else ""


def _offered_text(names: tuple[str, ...]) -> str:
    return f" The choices are {joined([bold(name) for name in names])}." if names else ""


def _whose_turn(hand: OwnHand) -> str:
    turn = hand.view.public.turn
    if hand.view.is_to_act:
        return "There is nobody to wait for: it is your turn."
    if turn is None:
        return "Your board is over. You will hear from me when the next round starts."
    theirs = f"It is {name(hand.match.players[turn])}'s turn."
    if hand.view.sits_out:
        return f"This deal goes on without you, and you play again in the next. {theirs}"
    return f"{theirs} You will hear from me when it is yours."


def _illegal(refusal: why.Illegal) -> str:
    view, code, card = refusal.hand.view, refusal.code, refusal.card
    public, names = view.public, card_names(refusal.hand.preferences.appearance.language)
    shown = "that card" if card is None else f"**{names.short(card)}**"
    template = _ILLEGAL_IN_PHASE.get((code, public.phase)) or _ILLEGAL.get(code)
    if template is not None:
        text = template.format(card=shown, top=top(public, names))
        return text[0].upper() + text[1:]
    match code:
        case "too-much":
            leaves = next((f"{choice.deadwood}" for choice in view.discard_choices if choice.card == card), "too much")
            most = f"a knock may leave {public.knock_limit} at most"
            limit = most if public.knock_limit else "in this deal you can only go out with gin"
            return f"Discarding {shown} leaves {leaves}, but {limit}. {_possible_knocks(refusal.hand)}"
        case "no-gin":
            instead = _possible_knocks(refusal.hand)
            return f"You do not have gin yet: whatever you discard, some deadwood is left. {instead}"
        case _:
            return "The rules do not allow that now. Your hand shows what you may do."


def _too_soon(match: MatchInfo, time: TimeLeft | None) -> str:
    """Explain why a player cannot claim a match yet, and from when they can, if that is known."""
    if time is None:
        return "You are not waiting for any person here, so nobody's time can run out."
    if time.call_off_at is not None:
        since = date_of(time.call_off_at)
        return f"They cannot reach the table, so they do not lose. You may call the match off from {since}."
    if time.ends_at is None:
        return "You cannot claim this match yet: the other player's time stands still at the moment."
    why_then = "after a week without a move" if match.clock.time is None else "if they have not moved by then"
    return f"You can claim this match {relative_time(time.ends_at)}, {why_then}."


def _too_long_away(most: int, left: int) -> str:
    """Say that a holiday is too long, with the maximum length and the days that are left in the year."""
    if most <= 0:
        return (
            "You have used all 30 days of holiday that you have in a year. *Pause or leave* under a table pauses a "
            "single match."
        )
    return f"A holiday can last 1 to {most} days now: you have {count(left, 'day')} left of the 30 in a year."


def _possible_knocks(hand: OwnHand) -> str:
    """Return the cards with which a hand can knock, best first, or say that it can only discard."""
    names = card_names(hand.preferences.appearance.language)
    knocks = knock_choices(hand.view)
    if not knocks:
        go_out = "knock" if hand.view.public.knock_limit else "go gin"
        return f"No card lets you {go_out} yet: discard one instead."
    cards = [f"**{names.short(knock.card)}** (leaving {knock.deadwood})" for knock in knocks]
    return f"You can knock with {joined(cards, 'or')}, or discard a card."
