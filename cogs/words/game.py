"""The game in words: everything a picture shows is said here too, so that one can play by text alone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.engine.cards import Card
from bot.engine.melds import Arrangement
from bot.engine.moves import Seat, Verb
from bot.engine.rules import Rules
from bot.engine.showdown import Kind
from bot.engine.views import Happening, Phase, PublicView, ShowdownView
from bot.play.values import EndPost, MatchCard, MatchStatus, OwnHand, ShowdownPost, Table, Wish
from cogs.words.people import joined, marks, name, versus

RECENT = 4
"""So many turns of the past are told at the table."""

FRESH = 3
"""After so many actions of a deal nobody needs to be told of the one before."""

MOST_DEALS = 40
"""So many deals stand on a score sheet one by one, after a line that sums up those before: a message has a limit."""


def cards(of: Iterable[Card]) -> str:
    """Cards as people write them: `4♣ 4♦ 4♥`."""
    return " ".join(card.symbol for card in of)


def since(moment: datetime) -> str:
    """A time that each reader's own Discord turns into "3 minutes ago"."""
    return f"<t:{int(moment.timestamp())}:R>"


def rules_name(rules: Rules) -> str:
    """The rules by their name, and what they go to."""
    ends = [f"to {rules.target}"] if rules.target is not None else []
    ends += [f"{rules.deals} deals"] if rules.deals is not None else []
    return f"**{rules.preset}** rules {joined(ends)}"


def rules_line(rules: Rules) -> str:
    """The rules in one line: their name, what they go to, and how they differ from the usual ones."""
    return f"{rules_name(rules)} · {differences(rules)}"


def differences(rules: Rules) -> str:
    """What sets rules apart from the usual ones, in a few words."""
    usual = Rules()
    told = [
        ("gin only, no knocking" if rules.knock_limit == 0 else f"knock with {rules.knock_limit} or less", True),
        (f"gin {rules.gin_bonus}", rules.gin_bonus != usual.gin_bonus),
        (f"undercut {rules.undercut_bonus}", rules.undercut_bonus != usual.undercut_bonus),
        (f"match {rules.game_bonus}", rules.game_bonus != usual.game_bonus),
        (f"each deal won {rules.line_bonus}", rules.line_bonus != usual.line_bonus),
    ]
    return ", ".join(words for words, said in told if said)


def scores(card: MatchCard, view: PublicView) -> str:
    """The score at a glance."""
    return " – ".join(
        f"{name(player)} **{points}**" for player, points in zip(card.players, view.score.scores, strict=True)
    )


def turn(table: Table) -> str:
    """Whose turn it is, to do what, and since when."""
    view = table.view
    if view.turn is None:
        return "The match is over."
    to_do = {
        Phase.OFFER: f"to take the {top(view)} or pass",
        Phase.DRAW: "to draw",
        Phase.DISCARD: "to discard",
        Phase.DONE: "",
    }
    return f"**{name(table.card.players[view.turn])}** {to_do[view.phase]}, since {since(table.card.moved_at)}"


def top(view: PublicView) -> str:
    """The card that may be taken."""
    return "nothing" if view.top is None else f"**{view.top.symbol}**"


def piles(view: PublicView) -> str:
    """The stock, the discard pile and what a knock may leave."""
    pile = f"top of the pile {top(view)}" if view.top is not None else "the pile is empty"
    limit = f"knock with {view.knock_limit} or less" if view.knock_limit else "gin only"
    return f"Stock **{view.stock}** · {pile} · {limit}"


def dealt(table: Table) -> str:
    """Who dealt, and how that came about for the first deal."""
    card, view = table.card, table.view
    dealer = name(card.players[view.dealer])
    if view.number > 1 or view.cut is None:
        return f"Deal {view.number}, dealt by {dealer}"
    drew = joined([f"{name(player)} {cut.symbol}" for player, cut in zip(card.players, view.cut, strict=True)])
    return f"Deal 1: the cut was {drew}, and the lower card deals: {dealer}"


def recent(card: MatchCard, view: PublicView, turns_told: int = RECENT) -> str:
    """The last few turns, newest last."""
    turns: list[list[Happening]] = []
    for happening in view.happenings:
        if turns and turns[-1][0].seat == happening.seat:
            turns[-1].append(happening)
        else:
            turns.append([happening])
    return "\n".join(f"-# {_told(card, steps)}" for steps in turns[-turns_told:])


def _told(card: MatchCard, steps: list[Happening]) -> str:
    return f"{name(card.players[steps[0].seat])} {joined([_did(step) for step in steps])}"


def _did(step: Happening) -> str:
    shown = "" if step.card is None else f" {step.card.symbol}"
    match step.verb:
        case Verb.PASS:
            return "passed"
        case Verb.TAKE:
            return f"took{shown}"
        case Verb.DRAW:
            return "drew from the stock"
        case Verb.DISCARD:
            return f"discarded{shown}"
        case Verb.KNOCK:
            return f"knocked with{shown}"
        case _:
            return step.verb


def arrangement(laid: Arrangement) -> str:
    """A hand laid out: its melds, its deadwood and the points of it."""
    melds = " / ".join(cards(meld.cards) for meld in laid.melds) or "none"
    left = f"{cards(laid.unmatched)} (**{laid.deadwood}**)" if laid.unmatched else "none"
    return f"Melds: {melds}\nDeadwood: {left}"


def your_turn(hand: OwnHand) -> str:
    """What the owner of a hand may do now, or whom they wait for."""
    view, card = hand.view, hand.card
    public = view.public
    if card.status is not MatchStatus.RUNNING or public.turn is None:
        return "This match is over."
    if not view.to_act:
        return f"Waiting for {name(card.players[public.turn])}, since {since(card.moved_at)}."
    if public.phase is Phase.OFFER:
        return f"**Your turn:** take the {top(public)} or pass."
    if public.phase is Phase.DRAW:
        can_take = any(move.verb is Verb.TAKE for move in view.moves)
        pile = f" or take the {top(public)}" if can_take else ": both passed the upcard"
        return f"**Your turn:** draw from the stock{pile}."
    got = "took" if public.happenings[-1].verb is Verb.TAKE else "drew"
    fresh = f" You {got} {view.fresh.symbol}." if view.fresh is not None else ""
    if view.can_go_gin:
        return f"**Your turn:** you have gin!{fresh}"
    knocks = [choice for choice in view.choices if choice.knocks]
    knock = f", or knock, leaving {min(choice.leaves for choice in knocks)}" if knocks else ""
    return f"**Your turn:** discard a card{knock}.{fresh}"


def wishes(card: MatchCard, own: Seat | None = None) -> str | None:
    """Who offers to call the match off, as everyone or one seat is told; None where nobody does."""
    who = [seat for seat, wish in enumerate(card.wishes) if wish is Wish.CANCEL]
    if own in who:
        return "You offer to call the match off. It ends once the other agrees."
    return f"{joined([name(card.players[seat]) for seat in who])} would like to call the match off." if who else None


def over(hand: OwnHand) -> str:
    """How a match ended, as its player is told."""
    card, seat, score = hand.card, hand.view.seat, hand.view.public.score
    rivals = joined([name(player) for player in card.opponents(seat)])
    where = f"The score sheet is in <#{card.channel_id}>."
    if card.status is MatchStatus.CANCELLED:
        return f"Your match against {rivals} was called off. It counts for nobody."
    if score.winner is None:
        return f"Your match against {rivals} is drawn. {where}"
    resigned = hand.view.public.resigned
    who = "" if resigned is None else "You" if resigned == seat else name(card.players[resigned])
    how = f" {who} resigned." if who else ""
    result = "You **won**" if score.winner == seat else "You lost"
    by = f" by {score.margin}" if resigned is None else ""
    return f"{result} your match against {rivals}{by}.{how} {where}"


def showdown_title(post: ShowdownPost) -> str:
    """How a deal ended, in a few words."""
    return _ended(post.view, post.card)


def last_deal(hand: OwnHand) -> str | None:
    """How the deal before ended, while the one in play has hardly begun."""
    if hand.last is None or len(hand.view.public.happenings) > FRESH:
        return None
    return f"-# {_ended(hand.last, hand.card)}. The showdown is in <#{hand.card.channel_id}>."


def _ended(view: ShowdownView, card: MatchCard) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        return f"Deal {view.number}: void, nobody scores"
    winner = name(card.players[outcome.winner])
    how = {Kind.KNOCK: "wins by knocking", Kind.GIN: "goes gin", Kind.UNDERCUT: "undercuts"}[outcome.kind]
    return f"Deal {view.number}: {winner} {how}, {outcome.points} points"


def showdown(post: ShowdownPost) -> str:
    """Both hands, the lay-offs, and how the points came about."""
    view, card = post.view, post.card
    outcome = view.outcome
    if outcome.knocker is None:
        return "Two cards are left in the stock and nobody went out. The same player deals again."
    parts: list[str] = []
    for seat in sorted(view.seats, key=lambda seat: seat != outcome.knocker):
        knocked = f" discards {view.discard.symbol}" if seat == outcome.knocker and view.discard else ""
        part = f"**{name(card.players[seat])}**{knocked}\n{arrangement(view.hand(seat))}"
        if outcome.lay_offs and seat != outcome.knocker:
            laid_off = [f"{one.card.symbol} on {cards(one.meld.cards)}" for one in outcome.lay_offs]
            part += f"\nLaid off: {joined(laid_off)}"
        parts.append(part)
    return "\n\n".join((*parts, _reckoning(view, card)))


def _reckoning(view: ShowdownView, card: MatchCard) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        return "Nobody scores."
    high, low = max(outcome.deadwood), min(outcome.deadwood)
    bonus = {Kind.GIN: "gin", Kind.UNDERCUT: "undercut"}.get(outcome.kind)
    more = f" + {outcome.bonus} for the {bonus}" if bonus and outcome.bonus else ""
    difference = f"{high} − {low}" if low else f"{high}"
    sum_ = f" = **{outcome.points}**" if low or more else ""
    return f"{name(card.players[outcome.winner])} scores {difference}{more}{sum_}"


def running_score(post: ShowdownPost) -> str:
    """The score after a deal."""
    return "Score: " + " – ".join(
        f"{name(player)} **{points}**" for player, points in zip(post.card.players, post.view.score.scores, strict=True)
    )


def end_title(post: EndPost) -> str:
    """How a match ended."""
    card, score = post.card, post.view.score
    if card.status is MatchStatus.CANCELLED:
        return f"{versus(card)}: called off, nothing counts"
    if card.status is MatchStatus.RUNNING:
        return f"{versus(card)}: the score"
    if score.winner is None:
        return f"{versus(card)}: a drawn match"
    winner = name(card.players[score.winner])
    if post.view.resigned is not None:
        return f"{winner} wins: {name(card.players[post.view.resigned])} resigned"
    return f"{winner} wins the match by {score.margin}"


def score_sheet(post: EndPost) -> str:
    """Every deal and every bonus, as on the pad: a monospaced table."""
    score, seats = post.view.score, range(len(post.card.players))
    rows: list[tuple[str, list[str]]] = []
    totals = [0 for _ in seats]
    for deal in post.deals:
        cells = ["" for _ in seats]
        winner = deal.outcome.winner
        if winner is not None:
            totals[winner] += deal.outcome.points
            cells[winner] = f"+{deal.outcome.points} = {totals[winner]}"
        rows.append((f"{deal.number} {deal.outcome.kind.value}", cells))
        if deal.number == len(post.deals) - MOST_DEALS:
            rows = [(f"1–{deal.number}", [f"= {points}" for points in totals])]
    rows.append(("Points", [str(points) for points in score.scores]))
    if score.over:
        for label, bonus in (("Game", score.game), ("Lines", score.line), ("Shutout", score.shutout)):
            if any(bonus):
                rows.append((label, [f"+{points}" for points in bonus]))
        rows.append(("Total", [str(points) for points in score.totals]))
    return table_of([("", list(marks(post.card))), *rows])


def table_of(rows: list[tuple[str, list[str]]]) -> str:
    """Rows as a monospaced block: labels to the left, numbers to the right."""
    first = max(len(label) for label, _ in rows)
    widths = [max(len(cells[column]) for _, cells in rows) for column in range(len(rows[0][1]))]
    lines = [
        " ".join((label.ljust(first), *(cell.rjust(width) for cell, width in zip(cells, widths, strict=True)))).rstrip()
        for label, cells in rows
    ]
    return "```\n" + "\n".join(lines) + "\n```"


def sheet_key(card: MatchCard) -> str:
    """Who is who in the columns of a score sheet."""
    return " · ".join(f"**{mark}** {name(player)}" for mark, player in zip(marks(card), card.players, strict=True))


def turn_of(hand: OwnHand) -> str:
    """One line of the list of a person's matches."""
    public = hand.view.public
    rivals = joined([name(player) for player in hand.card.opponents(hand.view.seat)])
    state = "**your turn**" if hand.view.to_act else "waiting"
    return (
        f"<#{hand.card.channel_id}> against {rivals}: {state} since {since(hand.card.moved_at)}, deal {public.number}"
    )
