"""The messages of a match: the public table, a player's own hand, the showdown, the end, and the ping."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.engine.moves import Seat
from bot.engine.showdown import OutcomeKind
from bot.play.values import (
    OFFER_STANDS,
    EndPost,
    MatchCard,
    MatchStatus,
    OwnHand,
    Ping,
    Preferences,
    ShowdownPost,
    Table,
    Wish,
)
from cardart.names import names_of
from cogs.answers import Message
from cogs.panels import moves
from cogs.panels.layout import Accent, Row, message, note
from cogs.pictures import Pictures
from cogs.presses import button
from cogs.words import hand as hand_words
from cogs.words import refusals
from cogs.words import replay as replay_words
from cogs.words import rules as rules_words
from cogs.words import showdown as showdown_words
from cogs.words import table as table_words
from cogs.words.people import joined, marks, name, sheet_key
from cogs.words.sheet import score_sheet
from cogs.words.table import since

PRIMARY = discord.ButtonStyle.primary
SUCCESS = discord.ButtonStyle.success
DANGER = discord.ButtonStyle.danger


async def table(shown: Table, pictures: Pictures) -> Message:
    """The public table: nothing in it depends on a hidden card."""
    card, view, names = shown.card, shown.view, names_of(shown.card.look.language)
    buttons: Row = [
        button(card.id, card.version, "hand", "My hand", PRIMARY),
        button(card.id, card.version, "score", "Score"),
        button(card.id, card.version, "rules", "Rules"),
    ]
    return message(
        Accent.WAITING,
        table_words.turn(shown),
        table_words.knock(card, view, names),
        f"{table_words.scores(card, view)}\n{table_words.piles(view, names)}\n"
        f"-# {table_words.dealt(shown)} · {rules_words.name(view.rules, card.system)}\n"
        f"-# {table_words.holdings(shown)}",
        table_words.recent(card, view, names),
        hand_words.wishes(card),
        title=table_words.title(shown),
        picture=await pictures.table(shown),
        rows=[buttons],
    )


async def hand(shown: OwnHand, pictures: Pictures, *, said: str | None = None, refused: bool = False) -> Message:
    """A player's own hand with all they may do; `said` comes first where there is something to say."""
    card, view, names = shown.card, shown.view, names_of(shown.look.language)
    if card.status is not MatchStatus.RUNNING:
        return note(hand_words.over(shown), Accent.OVER)
    drawn = shown.pictures and not view.sits_out
    state = Accent.TROUBLE if refused else Accent.YOURS if view.to_act else Accent.WAITING
    return message(
        state,
        hand_words.last_deal(shown),
        hand_words.your_turn(shown),
        table_words.knock(card, view.public, names),
        hand_words.held(shown),
        hand_words.spelled_out(shown),
        f"{table_words.piles(view.public, names)}\n{table_words.scores(card, view.public)}",
        table_words.recent(card, view.public, names, turns_told=2),
        hand_words.wishes(card, view.seat),
        refusals.CHANNEL_GONE if card.homeless else None,
        title=f"{hand_words.title(shown)} · <#{card.channel_id}>",
        said=said,
        picture=await pictures.hand(shown) if drawn else None,
        rows=[[*moves.buttons(shown), *_about_the_match(shown)], *moves.menus(shown)],
    )


def _about_the_match(shown: OwnHand) -> Row:
    """What the hand's owner may do beside moving."""
    card, view = shown.card, shown.view
    buttons: list[ui.Item[Any]] = []
    if not view.to_act:
        buttons.append(button(card.id, card.version, "refresh", "Refresh"))
    if shown.may_claim:
        buttons.append(_claim(card))
    if Wish.CANCEL in card.wishes:
        buttons += _agreeing(card, view.seat)
    return buttons


def _claim(card: MatchCard) -> ui.Item[Any]:
    """The way out for somebody who is kept waiting: they win where there are two sides, else nobody does."""
    label = "Claim the match" if len(card.sides) == 2 else "End the match"
    return button(card.id, card.version, "claim", label, SUCCESS)


async def showdown(post: ShowdownPost, pictures: Pictures) -> Message:
    """How a deal ended, for good."""
    return message(
        Accent.OVER,
        showdown_words.told(post),
        showdown_words.running_score(post),
        title=showdown_words.title(post),
        picture=await pictures.showdown(post),
        rows=[_replay(post)],
    )


def _replay(post: ShowdownPost) -> Row:
    """The way to a deal's replay; a void one has none."""
    card, view = post.card, post.view
    if view.outcome.kind is OutcomeKind.VOID:
        return []
    return [button(card.id, card.version, "replay", "Replay", argument=replay_words.place(view))]


async def end(post: EndPost, pictures: Pictures) -> Message:
    """The end of a match: the score sheet, and another match if all like."""
    card = post.card
    wishing = _hoping(card)
    known = all(player.id is not None for player in card.players)
    agreed = len(wishing) == len(card.players)
    hopes = "The rematch begins." if agreed else None
    if wishing and not agreed:
        hopes = f"{joined(wishing)} would like a rematch; the offer ends {since(card.moved_at + OFFER_STANDS)}."
    again: Row = [] if agreed or not known else [button(card.id, card.version, "rematch", "Rematch", PRIMARY)]
    picture = await pictures.pad(post, card.look)
    title = showdown_words.end_title(post)
    return message(Accent.OVER, *_sheet(post), hopes, title=title, picture=picture, rows=[again])


async def score(post: EndPost, chosen: Preferences, pictures: Pictures) -> Message:
    """The score sheet so far, as whom it is for chose to see it."""
    title = showdown_words.end_title(post)
    picture = await pictures.pad(post, chosen.look) if chosen.pictures else None
    return message(Accent.WAITING, *_sheet(post), title=title, picture=picture)


def _sheet(post: EndPost) -> tuple[str, ...]:
    rules = f"-# {rules_words.line(post.view.rules, post.card.system)}"
    if not post.deals:
        return ("No deal is over yet." if post.card.status is MatchStatus.RUNNING else "No deal was finished.", rules)
    sheet = score_sheet(marks(post.card), post.card.sides, post.deals, post.view.score)
    return (sheet_key(post.card), sheet, rules)


def ping(call: Ping) -> Message:
    """A call to a player whose turn it is, or whom another offers something; removed when that is over."""
    card, person = call.card, f"<@{call.person_id}>"
    if card.status is not MatchStatus.RUNNING:
        offer = f"{person}: {joined(_hoping(card))} would like a rematch."
        again: Row = [button(card.id, card.version, "rematch", "Rematch", PRIMARY)]
        return message(Accent.YOURS, offer, rows=[again], pings=(call.person_id,))
    buttons: list[ui.Item[Any]] = [button(card.id, card.version, "hand", "My hand", PRIMARY)]
    offer = hand_words.wishes(card, call.seat) if Wish.CANCEL in card.wishes else None
    if offer:
        buttons += _agreeing(card, call.seat)
    against = joined([name(card.players[seat]) for seat in call.against])
    told = f"{person}, it is your turn against {against}." if call.to_act else f"{person}:"
    return message(Accent.YOURS, " ".join(filter(None, (told, offer))), rows=[buttons], pings=(call.person_id,))


def _hoping(card: MatchCard) -> list[str]:
    """Who would like a rematch."""
    return [name(player) for player, wish in zip(card.players, card.wishes, strict=True) if wish is Wish.REMATCH]


def _agreeing(card: MatchCard, seat: Seat) -> list[ui.Item[Any]]:
    """The buttons beside an offer to call the match off: one's own, or another's."""
    if card.wishes[seat] is Wish.CANCEL:
        return [button(card.id, card.version, "keep", "Take the offer back")]
    return [
        button(card.id, card.version, "call_off", "Call the match off"),
        button(card.id, card.version, "keep", "Keep playing"),
    ]


def leaving(shown: OwnHand) -> Message:
    """Resigning, asked once more, with the kinder ways out beside it."""
    card = shown.card
    offered = any(wish is Wish.CANCEL for seat, wish in enumerate(card.wishes) if seat != shown.view.seat)
    buttons: list[ui.Item[Any]] = [
        button(card.id, card.version, "resign", "Resign", DANGER),
        button(card.id, card.version, "call_off", "Call it off" if offered else "Offer to call it off"),
        button(card.id, card.version, "stay", "Keep playing"),
    ]
    if shown.may_claim:
        buttons.insert(0, _claim(card))
    return note(hand_words.leaving(shown), Accent.TROUBLE, [buttons])
