"""The words that are drawn in pictures. Players are called by their marks; what a picture says as a whole is `alt`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.deal import Phase
from bot.engine.moves import Seat, Verb
from bot.engine.rules import Rules
from bot.engine.scoring import Score
from bot.engine.showdown import OutcomeKind
from bot.engine.views import PublicView, SeatView, ShowdownView
from cardart import facts

MELDS: Final = "Melds"
DEADWOOD: Final = "Deadwood"
YOUR_DEADWOOD: Final = "Your hand, deadwood"
KNOCKED_WITH: Final = "Knocked with"
YOU_KNOCKED_WITH: Final = "You knocked with"
NOW: Final = "now"
LOWEST_WINS: Final = "lowest wins"
VOIDS_APART: Final = "voids apart"
DEAL: Final = "Deal"
BOARD: Final = "Board"
KNOCK_AT: Final = "Knock at"
ONLY: Final = "Only"
GIN: Final = "gin"
GIN_ONLY: Final = "Gin only"
DEALER: Final = "D"
_TO_DO: Final = {
    Phase.OFFER: "to take or pass",
    Phase.DRAW: "to draw",
    Phase.DISCARD: "to discard",
    Phase.LAY_OFF: "to lay off",
    Phase.WALL: "to go out or pass",
}
SITS_OUT: Final = "sits out"
KNOCKS: Final = "knocks"
FACE_UP: Final = "face up"
COUNTS_DOUBLE: Final = "double"
SCORE: Final = "Score"
PENALTY: Final = "Penalty"
TEAM: Final = "Team"
GAMES: Final = "Games"
TOTAL: Final = "Total"
POINTS: Final = "Points"
LINES: Final = "Lines"
GAME_BONUS: Final = "Game"
SHUTOUT: Final = "Shutout"
ROUND: Final = "Round"
ROUNDS: Final = "Rounds"
EVEN: Final = "even"
PAD: Final = "Gin Rummy"
SHEET: Final = "Score sheet"
DRAWN: Final = "A drawn match"
RESIGNED: Final = "resigned"
NOBODY: Final = "nobody wins"
BOXES: Final = "Boxes"
WON: Final = "won"
NO_POINTS: Final = "no points"
VOID: Final = "Void deal"
LOST: Final = "lost"
MATCHES: Final = "Matches"
MATCHES_A_WEEK: Final = "Matches per week"
PLAYERS_A_WEEK: Final = "Players per week"
PER_WEEK: Final = "Matches and players of each week"
NEITHER: Final = "neither"
STREAK: Final = "Best streak"
NET: Final = "Net points"
OVER_TIME: Final = "Net points over time"
DEALS_WON: Final = "Deals won"
WAYS: Final = ("knock", "gin", "undercut")
"""How deals are won."""
MOST_OFTEN: Final = "Most often against"
BANNERS: Final = {
    OutcomeKind.KNOCK: "Knock",
    OutcomeKind.GIN: "Gin!",
    OutcomeKind.BIG_GIN: "Big gin!",
    OutcomeKind.UNDERCUT: "Undercut!",
    OutcomeKind.TIE: "Tie",
}
DEALT: Final = "The cards are dealt"
RESHUFFLED: Final = "The stock is reshuffled"
DID: Final = {
    Verb.PASS: "passes",
    Verb.TAKE: "takes",
    Verb.DRAW: "draws",
    Verb.DISCARD: "discards",
    Verb.KNOCK: KNOCKS,
    Verb.BIG_GIN: "goes big gin",
    Verb.MELD: "lays melds down",
    Verb.LAY_OFF: "lays off",
    Verb.DONE: "is done",
    Verb.RESIGN: "resigns",
}
"""What a player does with an action."""
PRIMER: Final = (
    ("5h6h7h", True, "Run", "3+ in a row, one suit"),
    ("QsQdQc", True, "Set", "3 or 4 of a rank"),
    ("9cAd", False, "Deadwood", "the rest: 10 points"),
)
"""The groups of the primer: cards, whether they are a meld, their name and what it means."""


def signed(number: int) -> str:
    """What was gained, with a plus, or lost, with a minus."""
    return f"{number:+}" if number else "0"


def last(number: int) -> str:
    """So many of the last matches."""
    return f"Last {number}" if number > 1 else "Last match"


def of(number: int) -> str:
    """What a number is a part of."""
    return f"of {number}"


def against(won: int, lost: int) -> str:
    """How it went against somebody."""
    return f"{won} {WON}, {lost} {LOST}"


def count(number: int, one: str, more: str | None = None) -> str:
    """So many of something."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def limit(knock_limit: int) -> str:
    """The knock limit in a few letters."""
    return f"{KNOCK_AT} {knock_limit}" if knock_limit else GIN_ONLY


def goal(rules: Rules) -> tuple[str, str, tuple[str, ...]]:
    """When the match ends: a label, how many points or deals, and more lines where there is more to it."""
    penalty = rules.format == "penalty"
    lowest = (LOWEST_WINS,) if penalty else ()
    deals = "" if rules.deals is None else count(rules.deals, "deal")
    if rules.target is None:
        return "Ends after", deals, (VOIDS_APART, *lowest)
    return "Ends at" if penalty else "Play to", str(rules.target), (*((f"or {deals}",) if deals else ()), *lowest)


def deal(view: PublicView | ShowdownView) -> str:
    """Which deal it is, and on which board where there are several."""
    board = f", {BOARD.lower()} {view.board}" if view.boards > 1 else ""
    return f"{DEAL} {view.number}{board}"


def ends(rules: Rules) -> str:
    """When the match ends, in one line."""
    label, number, more = goal(rules)
    return f"{label.lower()} {number}" + "".join(f" {line}" if line.startswith("or") else f", {line}" for line in more)


def played(view: PublicView) -> str:
    """The deal and the goal in one line."""
    doubled = (COUNTS_DOUBLE,) if facts.counts_double(view) else ()
    return " · ".join((deal(view), ends(view.rules), *doubled))


def score_label(rules: Rules, score: Score) -> str:
    """What the numbers beside a player are."""
    if rules.format == "penalty":
        return PENALTY
    if score.over:
        return TOTAL
    return GAMES if score.columns else TEAM if rules.format == "partners" else SCORE


def game(place: int) -> str:
    """One of three games that are played at once."""
    return f"Game {place + 1}"


def points(numbers: Iterable[int]) -> str:
    """What a side stands at, in one game or in each of three."""
    return "/".join(map(str, numbers))


def side(seats: Iterable[Seat], marks: Sequence[str]) -> str:
    """Who scores together: `S`, or `S+E` for a team."""
    return "+".join(marks[seat] for seat in seats)


def hand_state(view: SeatView) -> str:
    """What the hand's owner may do about ending the deal, else the limit."""
    if view.can_go_big_gin:
        return "You have big gin!"
    if view.can_go_gin:
        return "You have gin!"
    if any(choice.knocks for choice in view.discard_choices):
        return "You may knock"
    if view.to_act and view.public.phase is Phase.WALL:
        return "You can go out" if facts.can_take(view) else "You can only pass"
    return limit_of(view.public)


def limit_of(view: PublicView) -> str:
    """The knock limit, and whether the deal counts double, in a few letters."""
    return limit(view.knock_limit) + (", double" if facts.counts_double(view) else "")


def at_best(deadwood: int) -> str:
    """What the best discard leaves."""
    return f"at best {deadwood}"


def answer_state(view: SeatView) -> str:
    """What laying off comes to for the hand's owner, or that others are at it."""
    if view.best_response is None:
        return "Others lay off"
    if view.best_response.lay_offs:
        return f"{view.best_response.arrangement.deadwood} left at best"
    return "Lay nothing off" if view.lay_offs else "Nothing fits"


def to_do(view: PublicView) -> str:
    """What the player to act is to do."""
    return _TO_DO[view.phase]


def table_state(view: PublicView, marks: Sequence[str]) -> str:
    """Whose turn it is, or how the match ended."""
    if view.turn is not None:
        return f"{marks[view.turn]} {to_do(view)}"
    if view.resigned is not None:
        result = "" if view.score.winner is None else f": {winner(view.score, view.sides, marks)}"
        return f"{marks[view.resigned]} resigned{result}"
    if view.score.over:
        return f"The match is over: {winner(view.score, view.sides, marks)}"
    if view.phase is Phase.RESHUFFLE:
        return RESHUFFLED
    return "The deal is over" if view.boards == 1 else "Waiting for the other board"


def winner(score: Score, sides: Sequence[Sequence[Seat]], marks: Sequence[str]) -> str:
    """Who won a game that is over."""
    return "drawn" if score.winner is None else f"{side(sides[score.winner], marks)} {WON}"


def result(view: PublicView) -> list[tuple[tuple[Seat, ...], str]]:
    """How a match that is over ended: who did what, one after the other."""
    score = view.score
    told = [] if view.resigned is None else [((view.resigned,), RESIGNED)]
    if score.winner is None:
        return [*told, ((), NOBODY)] if told else [((), DRAWN)]
    by = "" if view.resigned is not None else margin(view.rules, score)
    return [*told, (view.sides[score.winner], f"{WON}{by}")]


def margin(rules: Rules, score: Score) -> str:
    """By how much a match was won, to be put after the words for that; its winner may have less than another."""
    by = abs(score.margin or 0)
    behind = rules.format != "penalty" and (score.margin or 0) < 0
    return f", {by} behind" if behind else f" by {by}" if by else ", equal totals"


def instead_of_cards(view: PublicView, seat: Seat) -> str | None:
    """What is said of a player who holds no cards face down; None for who does."""
    if seat not in view.order:
        return SITS_OUT
    knock = facts.open_knock(view)
    return FACE_UP if knock is not None and knock.seat == seat else None


def knocks_with(deadwood: int) -> str:
    """How a knocker knocks."""
    return f"{KNOCKS} with {deadwood}"


def out(view: ShowdownView) -> str:
    """How a deal was ended by a player."""
    gin = {OutcomeKind.GIN: "goes gin", OutcomeKind.BIG_GIN: "goes big gin"}
    knocker = view.outcome.knocker
    return gin.get(view.outcome.kind) or (KNOCKS if knocker is None else knocks_with(view.deadwood(knocker)))


def how(kind: OutcomeKind) -> str:
    """How a deal ended, in a word or two."""
    return kind.value.replace("_", " ")


def went(view: ShowdownView, seat: Seat) -> str:
    """What a seat did at the end of the deal."""
    kind = view.outcome.kind
    if seat not in view.seats:
        return SITS_OUT
    if seat == view.outcome.knocker:
        return out(view)
    if kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN):
        return "is caught"
    laid = sum(one.seat == seat for one in view.outcome.lay_offs)
    if kind is OutcomeKind.UNDERCUT and seat == view.outcome.winner:
        return f"lays off {laid}, undercuts" if laid else "undercuts"
    return f"lays off {count(laid, 'card')}" if laid else "lays nothing off"


def seat_facts(view: ShowdownView, seat: Seat) -> list[tuple[str, str]]:
    """What is told of each seat of a showdown, labelled, from the right to the left."""
    score = facts.points(view.rules, view.score, facts.side_of(seat, view.sides))
    label = score_label(view.rules, view.score)
    told = [(label if view.score.over or view.score.columns else f"{label} {NOW}", points(score))]
    if seat == view.outcome.winner and view.outcome.boxes > 1:
        told.append((BOXES, f"+{view.outcome.boxes}"))
    return told


def earned(view: ShowdownView) -> list[tuple[Seat | None, str]]:
    """Who gets how many points: the winner, or everyone who is charged penalty points; None where nobody is."""
    if view.charged:
        charged = dict(view.charged)
        return [(seat, f"+{charged[seat]}") for seat in facts.from_knocker(view) if seat in charged]
    return [(view.outcome.winner, reckoning(view))]


def reckoning(view: ShowdownView) -> str:
    """How the winner's points came about: `+15`, `2 + 25 = 27`, or `(2 + 25) x 2 = 54`."""
    outcome = view.outcome
    if outcome.winner is None:
        return NO_POINTS
    added = f"{outcome.difference} + {outcome.bonus}" if outcome.bonus else str(outcome.difference)
    if outcome.factor > 1:
        return f"{f'({added})' if outcome.bonus else added} x {outcome.factor} = {outcome.points}"
    return f"{added} = {outcome.points}" if outcome.bonus else f"+{added}"


def void_because(view: ShowdownView, marks: Sequence[str]) -> tuple[str, ...]:
    """Why a void deal is void, and what comes next, in lines."""
    rules = view.rules
    if rules.last_discard == "may_go_out":
        why = ("Two cards are left in the stock, and", "nobody went out with the last discard.")
    else:
        why = ("Two cards are left in the stock,", "and nobody went out.")
    if view.boards > 1:
        then = "This board counts nothing."
    elif rules.void_redeal == "same_dealer":
        then = f"No points, and {marks[view.dealer]} deals again."
    else:
        then = "No points, and the deal passes on."
    return *why, then, "The hands stay hidden."
