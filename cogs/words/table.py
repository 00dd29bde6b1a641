"""A table as text: the lines below its picture, and everything in the picture for people who do not see it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import LayOff
from bot.engine.matches.facts import counts_double, face_down_count, open_knock, seats_at_table
from bot.engine.matches.views import PublicMove, PublicView, ShowdownView
from bot.model.matches import MatchInfo, Table
from bot.model.words import count
from cardart.text import daily, phrases
from cardart.text.card_names import CardNames, card_names
from cardart.text.phrases import NEXT_ACTIONS, side_points
from cogs.words import rules, vacancies
from cogs.words.cards import laid_off, melds, moved
from cogs.words.names import all_players, joined, name, name_then, names_with_monograms, side, versus

RECENT_TURNS: Final = 4
TURNS_ON_PAGE: Final = 20
"""Maximum number of turns on a page. A turn has up to 140 characters, mostly the name; a message holds 4,000."""
MAX_DISCARDS: Final = 4
"""Number of discards shown in the text, as in the picture."""

VERBS: Final = {
    Verb.PASS: "passed",
    Verb.TAKE: "took",
    Verb.DRAW: "drew from the stock",
    Verb.DISCARD: "discarded",
    Verb.KNOCK: "knocked with",
    Verb.BIG_GIN: "went big gin",
    Verb.MELD: "laid melds down",
    Verb.LAY_OFF: "laid off",
    Verb.DONE: "finished laying off",
    Verb.RESIGN: "resigned",
    Verb.TIME: "lost on time",
}

IN_THREAD: Final = "The match that was paused here has resumed in this thread."


def relative_time(moment: datetime) -> str:
    """Return a Discord timestamp that shows a relative time, such as "3 minutes ago"."""
    return f"<t:{int(moment.timestamp())}:R>"


def ago(span: timedelta) -> str:
    """Format a relative time for menus, which do not show Discord timestamps: `just now`, `3 minutes ago`."""
    minutes = max(0, int(span.total_seconds())) // 60
    for length, unit in ((24 * 60, "day"), (60, "hour"), (1, "minute")):
        if minutes >= length:
            return f"{count(minutes // length, unit)} ago"
    return "just now"


def title(table: Table) -> str:
    """Return the players, and the number of the board if the table has several."""
    match, view = table.match, table.view
    return versus(match) + (f" · board {view.board}" if view.boards > 1 else "")


def scores(match: MatchInfo, view: PublicView) -> str:
    """Return each side's score (for each game if three games are scored at once) and the winners of finished games."""
    kind = " penalty points" if view.rules.format == "penalty" else ""
    return "\n".join((side_scores(match, view) + kind, *games_over(match, view)))


def state(view: PublicView) -> str:
    """Return the deal and the score of a match for a menu: `deal 3, 6–10`."""
    points = "–".join(str(side_points(view, side)) for side in range(len(view.score.scores)))
    return f"deal {view.number}, {points}"


def games_over(match: MatchInfo, view: PublicView | ShowdownView) -> list[str]:
    """Return a line with the winner of each game that is over before the others."""
    return [
        f"-# Game {number} is over: "
        + ("drawn" if game.winner is None else f"{side(match, match.sides[game.winner])} won")
        for number, game in enumerate(view.score.columns, 1)
        if game.is_over and not view.score.is_over
    ]


def side_scores(match: MatchInfo, view: PublicView | ShowdownView) -> str:
    """Return each side's score as pictures show it. If three games are scored at once, show each: `40/12/0`."""
    return " – ".join(f"{side(match, seats)} **{side_points(view, place)}**" for place, seats in enumerate(match.sides))


def turn(table: Table) -> str:
    """Return the player whose turn it is, their options, and the time of the last move."""
    match, view = table.match, table.view
    if view.turn is None:
        if view.score.is_over or view.forfeit is not None:
            return "The match is over."
        if match.is_paused:
            return f"**Paused.** The match resumes once {all_players(match)} press *Continue*."
        if match.vacant_seat is not None:
            return vacancies.question(match)
        return "This board is finished. The round ends when the other board finishes."
    can_do = _can_do(match, view, card_names(match.appearance.language))
    return f"**{name(match.players[view.turn])}** {can_do}; {last_move(view, table.moved_at)}"


def last_move(view: PublicView, moved_at: datetime) -> str:
    """Return the time of a deal's last move or, before the first move, the time when the cards were dealt."""
    return f"{'last move' if view.history else 'dealt'} {relative_time(moved_at)}"


def _can_do(match: MatchInfo, view: PublicView, names: CardNames) -> str:
    match view.phase:
        case Phase.OFFER:
            return f"to take the {top(view, names)} or pass"
        case Phase.WALL:
            return f"to go out with the {top(view, names)}, or pass"
        case Phase.LAY_OFF if view.knock is not None:
            return f"to lay off on {name(match.players[view.knock.seat])}'s melds"
        case phase:
            return NEXT_ACTIONS[phase]


def top(view: PublicView, names: CardNames) -> str:
    """Return the top card of the discard pile in bold."""
    return "nothing" if view.top is None else f"**{names.short(view.top)}**"


def piles(view: PublicView, names: CardNames) -> str:
    """Return the stock, the last discards and the knock limit."""
    pile = f"top of the pile {top(view, names)}" if view.top is not None else "the discard pile is empty"
    under = view.discards[-MAX_DISCARDS:-1][::-1]
    pile += f", under it {names.short_row(under)}" if under else ""
    pile += f", {len(view.discards)} in all" if len(view.discards) > MAX_DISCARDS else ""
    limit = f"knock with {view.knock_limit} or less" if view.knock_limit else "gin only"
    doubled = "; the deal counts double" if counts_double(view) else ""
    return f"Stock **{view.stock}** · {pile} · {limit}{doubled}"


def knock(match: MatchInfo, view: PublicView, names: CardNames) -> str | None:
    """Return the knocker's hand and the lay-offs so far, while the knock is being answered; else None."""
    shown = open_knock(view)
    if shown is None:
        return None
    laid, several = shown.arrangement, len(view.seats) > 2
    text = f"**{name(match.players[shown.seat])}** knocked with {laid.deadwood}: {melds(laid.melds, names)}"
    text += f", deadwood {names.short_row(laid.unmatched)}" if laid.unmatched else ""
    lay_offs = joined(
        [
            laid_off(lay_off, names) + (f" by {_who_laid_off(match, view, lay_off)}" if several else "")
            for lay_off in shown.lay_offs
        ]
    )
    return f"{text}\nLaid off: {lay_offs}" if lay_offs else text


def _who_laid_off(match: MatchInfo, view: PublicView, lay_off: LayOff) -> str:
    moved = PublicMove(lay_off.seat, Verb.LAY_OFF, lay_off.card)
    return name_then(match, view, lay_off.seat, view.history.index(moved) if moved in view.history else math.inf)


def cards_in_hand(table: Table) -> str:
    """Return each player's name and monogram, with the number of face-down cards or the words `sits out`."""
    match, view, shown = table.match, table.view, open_knock(table.view)
    parts, players = list[str](), names_with_monograms(match)
    for seat in seats_at_table(view):
        if seat in view.seats and (shown is None or shown.seat != seat):
            parts.append(f"{players[seat]} {face_down_count(view, seat)}")
        elif seat not in view.seats and seat != view.dealer:
            parts.append(f"{players[seat]} sits out")
    return f"Cards in hand: {', '.join(parts)}"


def details(table: Table, names: CardNames) -> str:
    """Return the facts that a table leaves to its picture, a knock, the piles and the sizes of hands, and the rules."""
    match, view = table.match, table.view
    small = f"-# {cards_in_hand(table)}\n-# {rules.name(match.rules, match.ruleset)}"
    return "\n".join(filter(None, (knock(match, view, names), piles(view, names), small)))


def deal_name(match: MatchInfo, view: PublicView | ShowdownView) -> str:
    """Return the name of a deal: `Deal 3`, or `Daily 214` for a deal of the day."""
    return phrases.deal_name(view) if match.day is None else daily.name(match.day)


def dealt(table: Table) -> str:
    """Return the number of the deal and the dealer; for the first deal also the cards that were cut for the deal."""
    match, view = table.match, table.view
    dealer = name_then(match, view, view.dealer)
    out = "" if view.dealer in view.seats else ", who sits out"
    if view.number > 1 or view.cut is None:
        return f"{deal_name(match, view)}, dealt by {dealer}{out}"
    names = card_names(match.appearance.language)
    cuts = [f"{name_then(match, view, Seat(seat))} cut {names.short(card)}" for seat, card in enumerate(view.cut)]
    lowest = f"{dealer}'s team" if len(match.sides) < len(match.players) else dealer
    then = ", deals and sits out" if out else " and deals"
    return f"{deal_name(match, view)}: {joined(cuts)}; {lowest} has the lowest card{then}"


def recent_turns(match: MatchInfo, view: PublicView, names: CardNames) -> str:
    """Return the last `RECENT_TURNS` turns, newest last."""
    return _lines(_turns(match, view)[-RECENT_TURNS:], names)


def turns_before(match: MatchInfo, view: PublicView, names: CardNames, seat: Seat) -> str:
    """Return the other players' turns since a seat's last turn; if there are none, the latest turn of the deal."""
    turns = _turns(match, view)
    if view.turn == seat and turns and turns[-1].seat == seat:
        # Leave out the player's own current turn, which they know.
        turns.pop()
    last = max((index for index, turn in enumerate(turns) if turn.seat == seat), default=-1)
    return _lines(turns[last + 1 :] or turns[-1:], names)


def taken_back(match: MatchInfo, view: PublicView, own: Seat | None = None) -> str | None:
    """Say which players have taken a discard back in a deal, addressed to the seat `own`; None if nobody has."""
    who = joined(["you" if seat == own else name_then(match, view, seat) for seat in view.taken_back])
    return f"-# {who[0].upper()}{who[1:]} took a discard back in this deal." if who else None


@dataclass(frozen=True, slots=True)
class _Turn:
    """The moves of a turn and its player's name. If a computer takes over the seat during a turn, the turn is split."""

    seat: Seat
    who: str
    moves: list[PublicMove]


def _turns(match: MatchInfo, view: PublicView) -> list[_Turn]:
    turns = list[_Turn]()
    for index, move in enumerate(view.history):
        who = name_then(match, view, move.seat, index)
        if not turns or (turns[-1].seat, turns[-1].who) != (move.seat, who):
            turns.append(_Turn(move.seat, who, []))
        turns[-1].moves.append(move)
    return turns


def _lines(turns: Sequence[_Turn], names: CardNames) -> str:
    return "\n".join(f"-# {_turn_text(turn, names)}" for turn in turns)


def _turn_text(turn: _Turn, names: CardNames) -> str:
    """Format a turn as everyone saw it: `⁨North⁩ drew from the stock and discarded K♦`."""
    return f"{turn.who} {joined([moved(move, VERBS, names) for move in turn.moves])}"


def history_pages(match: MatchInfo, view: PublicView, names: CardNames) -> list[str]:
    """Return all turns of a deal as numbered lines, on pages that fit in a message. There is at least one page.

    The last page has at least the last `RECENT_TURNS` turns, even if the page before has some of them too.
    """
    turns = [f"{number}. {_turn_text(turn, names)}" for number, turn in enumerate(_turns(match, view), 1)]
    recent = max(0, len(turns) - RECENT_TURNS)
    pages = [
        "\n".join(turns[min(first, recent) : first + TURNS_ON_PAGE]) for first in range(0, len(turns), TURNS_ON_PAGE)
    ]
    return pages or ["Nobody has made a move in this deal yet."]
