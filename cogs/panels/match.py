"""The messages of a match: the public table, a player's own hand, the showdown, the end, and the ping."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.engine.moves import Seat
from bot.engine.showdown import Kind
from bot.values.matches import MatchInfo, MatchStatus, MatchSummary, OwnHand, Ping, Proposal, REMATCH_OPEN_FOR, Showdown, Table
from bot.values.people import Preferences
from cardart.names import names_of
from cogs.kit.answers import Message
from cogs.panels import moves
from cogs.panels.layout import Accent, Row, message, note
from cogs.panels.pictures import Pictures
from cogs.kit.components import button
from cogs.text import hand as hand_text
from cogs.text import refusals
from cogs.text import replay as replay_text
from cogs.text import rules as rules_text
from cogs.text import showdown as showdown_text
from cogs.text import table as table_text
from cogs.text.people import joined, marks, name, sheet_key
from cogs.text.sheet import score_sheet
from cogs.text.table import since

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
        table_text.turn(shown),
        table_text.knock(card, view, names),
        f"{table_text.scores(card, view)}\n{table_text.piles(view, names)}\n"
        f"-# {table_text.dealt(shown)} · {rules_text.name(view.rules, card.system)}\n"
        f"-# {table_text.holdings(shown)}",
        table_text.recent(card, view, names),
        hand_text.proposals(card),
        title=table_text.title(shown),
        picture=await pictures.table(shown),
        rows=[buttons],
    )


async def hand(shown: OwnHand, pictures: Pictures, *, said: str | None = None, refused: bool = False) -> Message:
    """A player's own hand with all they may do; `said` comes first where there is something to say."""
    card, view, names = shown.card, shown.view, names_of(shown.look.language)
    if card.status is not MatchStatus.RUNNING:
        return note(hand_text.over(shown), Accent.OVER)
    drawn = shown.pictures and not view.sits_out
    state = Accent.TROUBLE if refused else Accent.YOURS if view.to_act else Accent.WAITING
    return message(
        state,
        hand_text.last_deal(shown),
        hand_text.your_turn(shown),
        table_text.knock(card, view.public, names),
        hand_text.held(shown),
        hand_text.spelled_out(shown),
        f"{table_text.piles(view.public, names)}\n{table_text.scores(card, view.public)}",
        table_text.recent(card, view.public, names, turns_told=2),
        hand_text.proposals(card, view.seat),
        refusals.CHANNEL_GONE if card.channel_deleted else None,
        title=f"{hand_text.title(shown)} · <#{card.channel_id}>",
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
    if Proposal.CANCEL in card.proposals:
        buttons += _agreeing(card, view.seat)
    return buttons


def _claim(card: MatchInfo) -> ui.Item[Any]:
    """The way out for somebody who is kept waiting: they win where there are two sides, else nobody does."""
    label = "Claim the match" if len(card.sides) == 2 else "End the match"
    return button(card.id, card.version, "claim", label, SUCCESS)


async def showdown(post: Showdown, pictures: Pictures) -> Message:
    """How a deal ended, for good."""
    return message(
        Accent.OVER,
        showdown_text.told(post),
        showdown_text.running_score(post),
        title=showdown_text.title(post),
        picture=await pictures.showdown(post),
        rows=[_replay(post)],
    )


def _replay(post: Showdown) -> Row:
    """The way to a deal's replay; a void one has none."""
    card, view = post.card, post.view
    if view.outcome.kind is Kind.VOID:
        return []
    return [button(card.id, card.version, "replay", "Replay", argument=replay_text.place(view))]


async def end(post: MatchSummary, pictures: Pictures) -> Message:
    """The end of a match: the score sheet, and another match if all like."""
    card = post.card
    wishing = _hoping(card)
    known = all(player.id is not None for player in card.players)
    agreed = len(wishing) == len(card.players)
    hopes = "The rematch begins." if agreed else None
    if wishing and not agreed:
        hopes = f"{joined(wishing)} would like a rematch; the offer ends {since(card.moved_at + REMATCH_OPEN_FOR)}."
    again: Row = [] if agreed or not known else [button(card.id, card.version, "rematch", "Rematch", PRIMARY)]
    picture = await pictures.pad(post, card.look)
    title = showdown_text.end_title(post)
    return message(Accent.OVER, *_sheet(post), hopes, title=title, picture=picture, rows=[again])


async def score(post: MatchSummary, chosen: Preferences, pictures: Pictures) -> Message:
    """The score sheet so far, as whom it is for chose to see it."""
    title = showdown_text.end_title(post)
    picture = await pictures.pad(post, chosen.look) if chosen.pictures else None
    return message(Accent.WAITING, *_sheet(post), title=title, picture=picture)


def _sheet(post: MatchSummary) -> tuple[str, ...]:
    rules = f"-# {rules_text.line(post.view.rules, post.card.system)}"
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
    offer = hand_text.proposals(card, call.seat) if Proposal.CANCEL in card.proposals else None
    if offer:
        buttons += _agreeing(card, call.seat)
    against = joined([name(card.players[seat]) for seat in call.against])
    told = f"{person}, it is your turn against {against}." if call.to_act else f"{person}:"
    return message(Accent.YOURS, " ".join(filter(None, (told, offer))), rows=[buttons], pings=(call.person_id,))


def _hoping(card: MatchInfo) -> list[str]:
    """Who would like a rematch."""
    return [name(player) for player, wish in zip(card.players, card.proposals, strict=True) if wish is Proposal.REMATCH]


def _agreeing(card: MatchInfo, seat: Seat) -> list[ui.Item[Any]]:
    """The buttons beside an offer to call the match off: one's own, or another's."""
    if card.proposals[seat] is Proposal.CANCEL:
        return [button(card.id, card.version, "keep", "Take the offer back")]
    return [
        button(card.id, card.version, "call_off", "Call the match off"),
        button(card.id, card.version, "keep", "Keep playing"),
    ]


def leaving(shown: OwnHand) -> Message:
    """Resigning, asked once more, with the kinder ways out beside it."""
    card = shown.card
    offered = any(wish is Proposal.CANCEL for seat, wish in enumerate(card.proposals) if seat != shown.view.seat)
    buttons: list[ui.Item[Any]] = [
        button(card.id, card.version, "resign", "Resign", DANGER),
        button(card.id, card.version, "call_off", "Call it off" if offered else "NamedRules to call it off"),
        button(card.id, card.version, "stay", "Keep playing"),
    ]
    if shown.may_claim:
        buttons.insert(0, _claim(card))
    return note(hand_text.leaving(shown), Accent.TROUBLE, [buttons])
