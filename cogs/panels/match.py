"""The messages of a match: the public table, a player's own hand, the showdown, the end, and the ping."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.engine.moves import Verb
from bot.play.values import EndPost, MatchStatus, OwnHand, Ping, ShowdownPost, Table, Wish
from cogs.answers import Message
from cogs.panels.layout import Accent, Row, message, note
from cogs.pictures import Pictures
from cogs.presses import button, menu
from cogs.words import game, refusals
from cogs.words.people import joined, name, versus

PRIMARY = discord.ButtonStyle.primary
SUCCESS = discord.ButtonStyle.success
DANGER = discord.ButtonStyle.danger


async def table(shown: Table, pictures: Pictures) -> Message:
    """The public table: nothing in it depends on a hidden card."""
    card, view = shown.card, shown.view
    buttons: Row = [
        button(card.id, card.version, "hand", "My hand", PRIMARY),
        button(card.id, card.version, "score", "Score"),
        button(card.id, card.version, "rules", "Rules"),
    ]
    return message(
        Accent.WAITING,
        game.turn(shown),
        f"{game.scores(card, view)}\n{game.piles(view)}\n-# {game.dealt(shown)} · {game.rules_name(view.rules)}",
        game.recent(card, view),
        game.wishes(card),
        title=versus(card),
        picture=await pictures.table(shown),
        rows=[buttons],
    )


async def hand(shown: OwnHand, pictures: Pictures, *, said: str | None = None, refused: bool = False) -> Message:
    """A player's own hand with all they may do; `said` comes first where there is something to say."""
    card, view = shown.card, shown.view
    rivals = joined([name(player) for player in card.opponents(view.seat)])
    if card.status is not MatchStatus.RUNNING:
        return note(game.over(shown), Accent.OVER)
    state = Accent.TROUBLE if refused else Accent.YOURS if view.to_act else Accent.WAITING
    return message(
        state,
        said,
        game.last_deal(shown),
        game.your_turn(shown),
        game.arrangement(view.arrangement),
        f"{game.piles(view.public)}\n{game.scores(card, view.public)}",
        game.recent(card, view.public, turns_told=2),
        game.wishes(card, view.seat),
        refusals.CHANNEL_GONE if card.homeless else None,
        title=f"Your hand against {rivals} · <#{card.channel_id}>",
        picture=await pictures.hand(shown),
        rows=_actions(shown),
    )


def _actions(shown: OwnHand) -> list[Row]:
    """What the hand's owner may do now."""
    card, view = shown.card, shown.view
    match, version = card.id, card.version
    rows: list[Row] = []
    verbs = {move.verb for move in view.moves}
    first: list[ui.Item[Any]] = []
    top = view.public.top
    take = f"Take {top.symbol}" if top is not None else "Take"
    if Verb.PASS in verbs:
        first = [button(match, version, "take", take, PRIMARY), button(match, version, "pass", "Pass")]
    elif Verb.DRAW in verbs:
        first = [button(match, version, "draw", "Draw from the stock", PRIMARY)]
        first += [button(match, version, "take", take)] if Verb.TAKE in verbs else []
    elif view.can_go_gin:
        first = [button(match, version, "gin", "Gin!", SUCCESS)]
    knocks = [choice for choice in view.choices if choice.knocks]
    discards = [choice for choice in view.choices if choice.allowed]
    if knocks:
        options = [
            discord.SelectOption(
                label=f"Knock, discarding {one.card.symbol}, leaving {one.leaves}", value=one.card.text
            )
            for one in sorted(knocks, key=lambda one: one.leaves)
        ]
        rows.append([menu(match, version, "knock", "Knock, discarding …", options)])
    if discards:
        options = [
            discord.SelectOption(label=f"{one.card.symbol}, leaving {one.leaves}", value=one.card.text)
            for one in sorted(discards, key=lambda one: one.leaves)
        ]
        rows.insert(0, [menu(match, version, "discard", "Discard …", options)])
    if not view.to_act:
        first = [button(match, version, "refresh", "Refresh")]
        if shown.may_claim:
            first += [button(match, version, "claim", "Claim the match", SUCCESS)]
    if card.wishes[view.seat] is Wish.CANCEL:
        first += [button(match, version, "keep", "Take the offer back")]
    elif any(wish is Wish.CANCEL for wish in card.wishes):
        first += [
            button(match, version, "call_off", "Call the match off"),
            button(match, version, "keep", "Keep playing"),
        ]
    return [first, *rows]


async def showdown(post: ShowdownPost, pictures: Pictures) -> Message:
    """How a deal ended, for good."""
    return message(
        Accent.OVER,
        game.showdown(post),
        game.running_score(post),
        title=game.showdown_title(post),
        picture=await pictures.showdown(post),
    )


def end(post: EndPost) -> Message:
    """The end of a match: the score sheet, and another match if both like."""
    card = post.card
    wishing = [name(player) for player, wish in zip(card.players, card.wishes, strict=True) if wish is Wish.REMATCH]
    known = all(player.id is not None for player in card.players)
    agreed = len(wishing) == len(card.players)
    hopes = "The rematch begins." if agreed else f"{joined(wishing)} would like a rematch." if wishing else None
    again: Row = [] if agreed or not known else [button(card.id, card.version, "rematch", "Rematch", PRIMARY)]
    return message(Accent.OVER, *_sheet(post), hopes, title=game.end_title(post), rows=[again])


def score(post: EndPost) -> Message:
    """The score sheet so far."""
    return message(Accent.WAITING, *_sheet(post), title=game.end_title(post))


def _sheet(post: EndPost) -> tuple[str, ...]:
    if not post.deals:
        none = "No deal is over yet." if post.card.status is MatchStatus.RUNNING else "No deal was finished."
        return (none, f"-# {game.rules_line(post.view.rules)}")
    return (game.sheet_key(post.card), game.score_sheet(post), f"-# {game.rules_line(post.view.rules)}")


def ping(call: Ping) -> Message:
    """A call to the player whose turn it is; removed when the turn is over."""
    card = call.card
    rivals = joined([name(player) for player in card.opponents(call.seat)])
    buttons: Row = [button(card.id, card.version, "hand", "My hand", PRIMARY)]
    return message(
        Accent.YOURS, f"<@{call.person_id}>, it is your turn against {rivals}.", rows=[buttons], pings=(call.person_id,)
    )


def leaving(shown: OwnHand) -> Message:
    """Resigning, asked once more, with the kinder ways out beside it."""
    card = shown.card
    rivals = joined([name(player) for player in card.opponents(shown.view.seat)])
    buttons: list[ui.Item[Any]] = [
        button(card.id, card.version, "resign", "Resign", DANGER),
        button(card.id, card.version, "call_off", "Offer to call it off"),
        button(card.id, card.version, "keep", "Keep playing"),
    ]
    if shown.may_claim:
        buttons.insert(0, button(card.id, card.version, "claim", "Claim the match", SUCCESS))
    return note(
        f"Resign your match against {rivals}? They win it then, and the deal in play is not scored. "
        "If you both agree to call it off, it counts for nobody.",
        Accent.TROUBLE,
        [buttons],
    )
