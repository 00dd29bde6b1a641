"""The messages about challenges."""

from __future__ import annotations

from typing import Final

import discord
from discord import ButtonStyle

from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import PersonId
from bot.model.matches import REMATCH_TIMEOUT, MatchInfo, MatchKind, Proposal
from bot.model.words import count
from bot.play.refusals import AlreadyOffered
from cogs.actions import Action
from cogs.challenges.levels import LEVELS
from cogs.fairness.verification_panel import words_button
from cogs.kit.components import button, menu
from cogs.kit.layout import Accent, Item, message
from cogs.kit.messages import Message
from cogs.turns.block_button import block_button
from cogs.words import clocks, rules
from cogs.words.names import joined, mention
from cogs.words.table import relative_time

_GETS_DMS: Final = "I'll DM you your hand each turn. Press *No DMs* if you don't want that."
_GETS_NO_DMS: Final = "I'll ping you on your turn. Press *My hand* to see your hand."
MAX_OFFERS: Final = 5
"""Maximum number of offers in one message: a row has room for five buttons."""
CASUAL: Final = "This is a casual match, so it doesn't count."
_WOULD_BE_CASUAL: Final = "Matches with a computer are casual and don't count."
NO_DMS: Final = (
    "No more DMs with your hand, in any match. I'll ping you on your turn: press *My hand* to see your hand."
)
_DMS: Final = "From now on, I'll DM you your hand each turn."


def challenge(shown: Challenge) -> Message:
    """Return the message of a challenge: with buttons while it is open, and with the outcome afterwards."""
    outcome = _outcome(shown)
    if outcome is not None:
        return message(Accent.OVER, f"{outcome}\n-# {rules.short_line(shown.rules, shown.ruleset)}")
    return _lobby(shown) if shown.is_lobby else _two_player_challenge(shown)


def _outcome(shown: Challenge) -> str | None:
    challenger = mention(shown.challenger)
    others = joined([mention(player) for player in (*shown.players[1:], *shown.named)]) or "anyone here"
    match shown.status:
        case ChallengeStatus.DRAFT | ChallengeStatus.PENDING:
            return None
        case ChallengeStatus.ACCEPTED:
            if shown.is_lobby:
                return f"{joined([mention(player) for player in shown.players])} are playing."
            return f"{others} accepted {challenger}'s challenge."
        case ChallengeStatus.DECLINED:
            return f"{others} declined {challenger}'s challenge."
        case ChallengeStatus.WITHDRAWN:
            return f"{challenger} withdrew the challenge."
        case ChallengeStatus.EXPIRED:
            if len(shown.players) == 1:
                return f"{challenger}'s challenge expired."
            return f"{challenger}'s table expired."


def _two_player_challenge(shown: Challenge) -> Message:
    challenged = "anyone here" if shown.opponent is None else mention(shown.opponent)
    played = rules.line(shown.rules, shown.ruleset)
    return message(
        Accent.YOURS,
        f"{mention(shown.challenger)} challenges {challenged}: {played}\n{_terms(shown)}",
        rows=[[_join_button(shown, "Accept"), _decline_button(shown), _more_button(shown)]],
        pings=shown.pinged,
    )


def _terms(shown: Challenge) -> str:
    """Return a small line with the clock, the kind and the end of a challenge."""
    kind = "casual" if shown.is_casual else "rated"
    return f"-# {clocks.short(shown.clock).capitalize()} · {kind} · expires {relative_time(shown.expires_at)}"


def _lobby(shown: Challenge) -> Message:
    challenger, min_seats, max_seats = mention(shown.challenger), shown.seats[0], shown.seats[-1]
    how_many = str(max_seats) if min_seats == max_seats else f"{min_seats} to {max_seats}"
    has_place = bool(shown.open_places or shown.named)
    pinged_challenger = [player.id for player in shown.players[:1] if shown.awaits_start and player.id is not None]
    start_style = ButtonStyle.secondary if has_place else ButtonStyle.primary
    start = button(shown.id, 0, Action.START_LOBBY, "Start", start_style) if shown.can_start else None
    return message(
        Accent.YOURS,
        f"{challenger} opened a table for {how_many} players: "
        f"{rules.line(shown.rules, shown.ruleset)}\n{_terms(shown)}",
        "\n".join(_lobby_lines(shown)),
        rows=[[_join_button(shown, "Join") if has_place else None, _decline_button(shown), start, _more_button(shown)]],
        pings=(*shown.pinged, *pinged_challenger),
    )


def more(shown: Challenge, person_id: PersonId, *, may_accept: bool, gets_dms: bool) -> Message:
    """Return a person's other options for a challenge, in private: its rules, own words, messages, and leaving it."""
    verb = _verb(shown)
    is_author, is_in = person_id == shown.challenger.id, any(player.id == person_id for player in shown.players)
    plays = is_in or may_accept
    in_own_words = button(shown.id, 0, Action.ACCEPT_WITH_WORDS, f"{verb} with shuffle words …")
    no_dms = button(shown.id, 0, Action.STOP_DMS, "No DMs")
    dms = no_dms if gets_dms else button(shown.id, 0, Action.WANT_DMS, "Hands by DM")
    return message(
        Accent.WAITING,
        clocks.of_match(shown.clock),
        CASUAL if shown.is_casual else None,
        (_GETS_DMS if gets_dms else _GETS_NO_DMS) if plays else None,
        _starts(shown) if shown.is_lobby else None,
        title=f"{mention(shown.challenger)}'s challenge",
        rows=[
            [
                button(shown.id, 0, Action.CHALLENGE_RULES, "Rules"),
                in_own_words if may_accept and shown.committed else None,
                words_button(shown) if is_in else None,
                dms if plays else None,
            ],
            [
                button(shown.id, 0, Action.CHANGE_TEAMS, "Change teams") if is_author and shown.teams else None,
                computers_button(shown) if is_author else None,
                button(shown.id, 0, Action.LEAVE_LOBBY, "Leave") if is_in and not is_author else None,
                button(shown.id, 0, Action.WITHDRAW, "Withdraw") if is_author else None,
                block_button(shown.challenger) if plays and not is_author else None,
            ],
        ],
    )


def computers_button(shown: Challenge) -> Item | None:
    """Return the challenger's button for a lobby's computers; None if no computer can be added or removed."""
    if not shown.is_lobby or not (shown.open_places or shown.computers):
        return None
    return button(shown.id, 0, Action.COMPUTERS, "Computers")


def _starts(shown: Challenge) -> str:
    """Say who starts the match of a lobby, and when."""
    challenger = mention(shown.challenger)
    if shown.can_start:
        return f"{challenger} can start the match now."
    return f"{challenger} can start the match once {shown.seats[0]} players have joined."


def _verb(shown: Challenge) -> str:
    return "Join" if shown.is_lobby else "Accept"


def computers(shown: Challenge) -> Message:
    """Return the message about a lobby's computers, with a menu to add one and a button to remove one."""
    places = "the table is full" if not shown.open_places else f"{count(shown.open_places, 'seat')} open"
    playing = f"{count(len(shown.computers), 'computer')} added, {places}."
    levels = [
        discord.SelectOption(label=f"{level.capitalize()} computer", description=text, value=level)
        for level, text in LEVELS.items()
    ]
    add = menu(shown.id, 0, Action.ADD_COMPUTER, "Add a computer …", levels)
    remove = button(shown.id, 0, Action.REMOVE_COMPUTER, "Remove one")
    return message(
        Accent.YOURS,
        f"{playing} {CASUAL if shown.is_casual else _WOULD_BE_CASUAL}",
        title="Computers",
        rows=[[add] if shown.open_places else [], [remove] if shown.computers else []],
    )


def about_dms(shown: Challenge, *, wanted: bool, may_accept: bool) -> Message:
    """Confirm a choice about direct messages, with buttons to undo it and, if possible, to accept the challenge."""
    chosen = _DMS if wanted else NO_DMS
    turn_back = (
        button(shown.id, 0, Action.STOP_DMS, "No DMs")
        if wanted
        else button(shown.id, 0, Action.WANT_DMS, "DMs after all")
    )
    accept = _join_button(shown, _verb(shown)) if may_accept else None
    return message(Accent.YOURS if may_accept else Accent.WAITING, chosen, rows=[[accept, turn_back]])


def standing_offers(refusal: AlreadyOffered, anyway: Item, here: int | None) -> Message:
    """Return the message with the offers that a person can accept. The button `anyway` makes the person's own offer.

    `here` is the channel in which the person reads the message.
    """
    challenges, rematches = refusal.offers.challenges, refusal.offers.rematches
    facts = [
        *(_describe_challenge(challenge, here) for challenge in challenges),
        *(_describe_rematch(rematch) for rematch in rematches),
    ][:MAX_OFFERS]
    has_several = len(facts) > 1
    if has_several:
        facts = [f"**{number}.** {fact}" for number, fact in enumerate(facts, 1)]
    labels = [f"Accept theirs ({number})" if has_several else "Accept theirs" for number in range(1, len(facts) + 1)]
    # With several offers, do not highlight the button of any of them.
    style = ButtonStyle.secondary if has_several else ButtonStyle.success
    draft = None if refusal.draft is None else str(refusal.draft.id)
    offered = [(challenge.id, 0, Action.ACCEPT, Action.CHALLENGE_RULES) for challenge in challenges]
    offered += [(rematch.id, rematch.version, Action.REMATCH, Action.SHOW_RULES) for rematch in rematches]
    accept = [
        button(subject, version, action, label, style, argument=draft)
        for (subject, version, action, _), label in zip(offered, labels, strict=False)
    ]
    subject, version, _, explain = offered[0]
    rules_button = None if has_several else button(subject, version, explain, "Rules")
    rows = [accept, [rules_button, anyway]]
    return message(Accent.YOURS, *facts, title="You already have an offer", rows=rows)


def _describe_challenge(shown: Challenge, here: int | None) -> str:
    """Describe a challenge to the person who may accept it."""
    does = "has saved a seat for you at a table" if shown.is_lobby else "has challenged you"
    where = "" if shown.channel_id == here else f" in <#{shown.channel_id}>"
    lines = (
        f"{mention(shown.challenger)} {does}{where}: {rules.line(shown.rules, shown.ruleset)}.",
        clocks.of_match(shown.clock),
        CASUAL if shown.is_casual else None,
        f"The challenge expires {relative_time(shown.expires_at)}.",
    )
    return "\n".join(filter(None, lines))


def _describe_rematch(match: MatchInfo) -> str:
    """Describe an offer of a rematch to the person who may accept it."""
    seat, *_ = match.seats_proposing(Proposal.REMATCH)
    lines = (
        f"{mention(match.players[seat])} offers you a rematch: {rules.line(match.rules, match.ruleset)}.",
        clocks.of_match(match.clock),
        CASUAL if match.kind is MatchKind.CASUAL else None,
        f"The offer expires {relative_time(match.moved_at + REMATCH_TIMEOUT)}.",
    )
    return "\n".join(filter(None, lines))


def _lobby_lines(shown: Challenge) -> list[str]:
    """Return lines with the players who joined, the reserved places, the open places, and the teams."""
    lines = [f"**Joined:** {joined([mention(player) for player in shown.players])}"]
    if shown.named:
        lines.append(f"**Seats saved for:** {joined([mention(player) for player in shown.named])}")
    if shown.open_places:
        lines.append(f"**Open to anyone:** {count(shown.open_places, 'seat')}")
    if shown.teams:
        lines.append(
            "**Teams:** " + " against ".join(joined([mention(player) for player in team]) for team in shown.teams)
        )
    return lines


def _join_button(shown: Challenge, label: str) -> Item:
    return button(shown.id, 0, Action.ACCEPT, label, ButtonStyle.success)


def _decline_button(shown: Challenge) -> Item | None:
    return button(shown.id, 0, Action.DECLINE, "Decline") if shown.named else None


def _more_button(shown: Challenge) -> Item:
    return button(shown.id, 0, Action.CHALLENGE_MORE, "More …")
