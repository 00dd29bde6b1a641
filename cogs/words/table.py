"""A table in words: all that its picture shows, so that one can play by text alone."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import Final

from bot.engine.moves import Verb
from bot.engine.scoring import Score
from bot.engine.views import Phase, PublicMove, PublicView
from bot.play.values import MatchCard, Table
from cardart.facts import counts_double, face_down, open_knock, points, stations
from cardart.names import Names, names_of
from cogs.words.cards import laid_off, melds
from cogs.words.people import joined, marked, name, side, versus

RECENT: Final = 4
"""So many turns of the past are told at the table."""

DISCARDS: Final = 4
"""So many cards of the discard pile are told, as many as its picture shows."""


def since(moment: datetime) -> str:
    """A time that each reader's own Discord turns into "3 minutes ago"."""
    return f"<t:{int(moment.timestamp())}:R>"


def title(table: Table) -> str:
    """Who plays; at one of several boards, which."""
    card, view = table.card, table.view
    return versus(card) + (f" · board {view.board}" if view.boards > 1 else "")


def scores(card: MatchCard, view: PublicView) -> str:
    """The score at a glance: of each side, of each game where three are played at once, and which of these are over."""
    kind = " penalty points" if view.rules.format == "penalty" else ""
    over = [
        f"-# Game {number} is over: {'drawn' if game.winner is None else f'{side(card, card.sides[game.winner])} won'}"
        for number, game in enumerate(view.score.columns, 1)
        if game.over and not view.score.over
    ]
    return "\n".join((standing(card, view.score) + kind, *over))


def standing(card: MatchCard, score: Score) -> str:
    """What each side stands at, as the pictures have it: of each game where three are played at once."""
    return " – ".join(
        f"{side(card, seats)} **{'/'.join(map(str, points(card.rules, score, place)))}**"
        for place, seats in enumerate(card.sides)
    )


def turn(table: Table) -> str:
    """Whose turn it is, to do what, and since when."""
    card, view = table.card, table.view
    if view.turn is None:
        if view.score.over or view.resigned is not None:
            return "The match is over."
        return "This board is over. The round ends once the other board is over too."
    to_do = _to_do(card, view, names_of(card.look.language))
    return f"**{name(card.players[view.turn])}** {to_do}, since {since(table.moved_at)}"


def _to_do(card: MatchCard, view: PublicView, names: Names) -> str:
    match view.phase:
        case Phase.OFFER:
            return f"to take the {top(view, names)} or pass"
        case Phase.DRAW:
            return "to draw"
        case Phase.WALL:
            return f"to go out with the {top(view, names)}, or pass"
        case Phase.LAY_OFF if view.knock is not None:
            return f"to lay off on {name(card.players[view.knock.seat])}'s melds"
        case _:
            return "to discard"


def top(view: PublicView, names: Names) -> str:
    """The card that may be taken."""
    return "nothing" if view.top is None else f"**{names.short(view.top)}**"


def piles(view: PublicView, names: Names) -> str:
    """The stock, the last discards and what a knock may leave."""
    pile = f"top of the pile {top(view, names)}" if view.top is not None else "the pile is empty"
    under = view.discards[-DISCARDS:-1][::-1]
    pile += f", under it {names.row(under)}" if under else ""
    pile += f", {len(view.discards)} in all" if len(view.discards) > DISCARDS else ""
    limit = f"knock with {view.knock_limit} or less" if view.knock_limit else "gin only"
    doubled = ", a spade doubles" if counts_double(view) else ""
    return f"Stock **{view.stock}** · {pile} · {limit}{doubled}"


def knock(card: MatchCard, view: PublicView, names: Names) -> str | None:
    """What a knocker laid down and what was laid off on it, while it is being answered; among several, by whom."""
    shown = open_knock(view)
    if shown is None:
        return None
    laid, several = shown.laid, len(view.order) > 2
    told = f"**{name(card.players[shown.seat])}** knocked with {laid.deadwood}: {melds(laid.melds, names)}"
    told += f", deadwood {names.row(laid.unmatched)}" if laid.unmatched else ""
    off = joined(
        [laid_off(one, names) + (f" by {name(card.players[one.seat])}" if several else "") for one in shown.lay_offs]
    )
    return f"{told}\nLaid off: {off}" if off else told


def holdings(table: Table) -> str:
    """How many cards each player holds face down, by the marks of the picture too, and who sits out and deals not."""
    card, view, shown = table.card, table.view, open_knock(table.view)
    told, named = list[str](), marked(card)
    for seat in stations(view):
        if seat in view.order and (shown is None or shown.seat != seat):
            told.append(f"{named[seat]} {face_down(view, seat)}")
        elif seat not in view.order and seat != view.dealer:
            told.append(f"{named[seat]} sits out")
    return f"Cards in hand: {', '.join(told)}"


def dealt(table: Table) -> str:
    """Who dealt, how that came about for the first deal, and who sits out."""
    card, view = table.card, table.view
    dealer = name(card.players[view.dealer])
    out = "" if view.dealer in view.order else ", who sits out"
    board = f", board {view.board}" if view.boards > 1 else ""
    if view.number > 1 or view.cut is None:
        return f"Deal {view.number}{board}, dealt by {dealer}{out}"
    names = names_of(card.look.language)
    drew = joined([f"{name(player)} {names.short(cut)}" for player, cut in zip(card.players, view.cut, strict=True)])
    cut = f"Deal 1{board}: the cut was {drew}, and the"
    if len(card.sides) < len(card.players):
        return f"{cut} side with the lowest card deals, here {dealer}"
    return f"{cut} {'lower' if len(card.players) == 2 else 'lowest'} card deals: {dealer}{out}"


def recent(card: MatchCard, view: PublicView, names: Names, turns_told: int = RECENT) -> str:
    """The last few turns, newest last."""
    turns = [list(steps) for _, steps in groupby(view.history, key=lambda step: step.seat)]
    return "\n".join(f"-# {_told(card, steps, names)}" for steps in turns[-turns_told:])


def _told(card: MatchCard, steps: list[PublicMove], names: Names) -> str:
    return f"{name(card.players[steps[0].seat])} {joined([_did(step, names) for step in steps])}"


def _did(step: PublicMove, names: Names) -> str:
    shown = "" if step.card is None else f" {names.short(step.card)}"
    return {
        Verb.PASS: "passed",
        Verb.TAKE: f"took{shown}",
        Verb.DRAW: "drew from the stock",
        Verb.DISCARD: f"discarded{shown}",
        Verb.KNOCK: f"knocked with{shown}",
        Verb.BIG_GIN: "went big gin",
        Verb.MELD: "laid melds down",
        Verb.LAY_OFF: f"laid off{shown}",
        Verb.DONE: "was done",
        Verb.RESIGN: "resigned",
    }[step.verb]
