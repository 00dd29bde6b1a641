"""Texts drawn in pictures. `alt_text` describes whole pictures.

Players appear as monograms or, where there is room, as names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.limits import MAX_TURNS_PER_PLAYER
from bot.engine.matches import facts
from bot.engine.matches.scoring import Score
from bot.engine.matches.views import Forfeit, PublicView, SeatView, ShowdownView
from bot.engine.rules import Rules
from bot.model.history import Ending, Versus
from bot.model.statistics import Activity, Category, PlayedMatch, Results
from bot.model.words import count, signed

DEADWOOD: Final = "Deadwood"
AFTER_DISCARD: Final = "after the best discard"
"""The note after the deadwood of a hand that still has to discard."""
YOUR_HAND_DEADWOOD: Final = "Your hand, deadwood"
KNOCKED_WITH: Final = "Knocked with"
YOU_KNOCKED_WITH: Final = "You knocked with"
DEAL: Final = "Deal"
BOARD: Final = "Board"
STOCK: Final = "Stock"
DISCARDS: Final = "Discards"
KNOCK_AT: Final = "Knock at"
ONLY: Final = "Only"
GIN: Final = "gin"
DEALER: Final = "D"
NEXT_ACTIONS: Final = {
    Phase.OFFER: "to take or pass",
    Phase.DRAW: "to draw",
    Phase.DISCARD: "to discard",
    Phase.LAY_OFF: "to lay off",
    Phase.WALL: "to go out or pass",
}
SITS_OUT: Final = "sits out"
KNOCKS: Final = "knocks"
COUNTS_DOUBLE: Final = "double"
TOTAL: Final = "Total"
POINTS: Final = "Points"
LINES: Final = "Lines"
GAME_BONUS: Final = "Game"
SHUTOUT: Final = "Shutout"
EVEN: Final = "even"
WITHOUT_BONUSES: Final = "Without bonuses"
TITLE: Final = "Gin Rummy"
WON: Final = "won"
DRAWN_MATCH: Final = "A drawn match"
NOBODY_WINS: Final = "nobody wins"
NO_WINNER: Final = "no winner"
NO_POINTS: Final = "no points"
VOID: Final = "Void deal"
WINS_DEAL: Final = "wins the deal"
LOST: Final = "lost"
NOT_FINISHED: Final = "not finished"
LATEST: Final = "latest"
MATCHES: Final = "Matches"
DEALS: Final = "Deals"
PLAYERS: Final = "Players"
NEITHER: Final = "neither"
STREAK: Final = "Best streak"
GINS: Final = "Gins"
PER_MATCH: Final = "per match"
SHARE_WON: Final = "Won %"
LATEST_FIRST: Final = "latest first"
MATCH_ENDINGS: Final = {
    Ending.FIRST: None,
    Ending.SECOND: None,
    Ending.DRAWN: "drawn",
    Ending.OTHERS: "others won",
    Ending.NONE: "no result",
}
"""Result texts for a match between two people, by ending; None for endings in which one of the two people won."""
NET: Final = "Net points"
MOST_WON: Final = "Most matches won"
MOST_POINTS: Final = "Most points"
BEST_NET: Final = "Best net points"
HIGHEST_RATING: Final = "Highest rating"
"""Titles of the standings: `MOST_WON`, `MOST_POINTS`, `BEST_NET` (for penalty points) and `HIGHEST_RATING`."""
RATING: Final = "Rating"
YOU: Final = "you"
"""The mark of the viewer's own row in the standings."""
NEW: Final = "new"
"""The mark of a person who had no place in the standings a week ago."""
LAST_SEVEN_DAYS: Final = "Last 7 days"
"""The heading of the movements in the standings, after the arrows."""
UNNAMED: Final = "Player"
"""The stand-in for a name that the font cannot write, if the name of the account is unknown. The text below the picture
has the name."""
NET_OVER_TIME: Final = "Net points over time"
DEALS_WON: Final = "Deals won"
DAILY_DEALS: Final = "Daily deals"
DAILY_STANDINGS: Final = "Daily standings"
TODAY: Final = "today"
MISSED: Final = "missed"
NO_DEAL: Final = "no deal"
POINTS_WON: Final = "points won"
STREAK_DAYS: Final = "streak"
FINISHED_IN_A_ROW: Final = ("finished", "in a row")
NO_STREAK_YET: Final = ("No streak yet", "Finish today's deal to start one")
NO_STREAK_NOW: Final = ("No streak now", "Start one today")
DEAL_OF_THE_DAY: Final = "Gin rummy deal of the day"
FEWER_TURNS_FIRST: Final = "Fewer turns break ties"
THEN_FEWER_UNFINISHED: Final = "then fewer unfinished deals"
WINS_BY: Final = ("knock", "gin", "undercut")
WON_BY: Final = "won by"
"""Ways to win a deal."""
MOST_OFTEN: Final = "Most often against"
MAX_RECENT_MATCHES: Final = 12
"""Maximum number of recent matches in a profile."""
OUTCOME_TITLES: Final = {
    OutcomeKind.KNOCK: "Knock",
    OutcomeKind.GIN: "Gin!",
    OutcomeKind.BIG_GIN: "Big gin!",
    OutcomeKind.UNDERCUT: "Undercut!",
    OutcomeKind.TIE: "Tie",
    OutcomeKind.VOID: VOID,
    OutcomeKind.BROKEN_OFF: "Broken off",
}
_CHOICE_NAMES: Final = {Verb.DRAW: "draw", Verb.TAKE: "take", Verb.PASS: "pass"}
"""Names of the moves that can start a turn, for `hand_state`."""
DEALT: Final = "The cards are dealt"
PAUSED: Final = "Paused"
RESHUFFLED: Final = "The stock is reshuffled"
ACTION_VERBS: Final = {
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
    Verb.TIME: "loses on time",
}
"""Verbs for the actions, written after a player's badge or monogram."""
PAST_VERBS: Final = {
    Verb.PASS: "passed",
    Verb.TAKE: "took",
    Verb.DRAW: "drew",
    Verb.DISCARD: "discarded",
    Verb.KNOCK: "knocked, discarding",
    Verb.BIG_GIN: "went big gin",
    Verb.MELD: "laid melds down",
    Verb.RESIGN: "resigned",
    Verb.TIME: "lost on time",
}
"""Verbs for the moves of a turn in the past."""
_MAX_LISTED_LAY_OFFS: Final = 3
"""Maximum number of lay-offs of a turn that are listed. More of them are only counted."""
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
CURRENT_THEME: Final = "current"
"""The mark of the theme that is in use, among all themes."""
THEME_LOOKS: Final = {
    "classic": "green felt, blue lattice",
    "dark": "grey felt, dark cards, tree rings",
    "bold": "navy felt, large indices, red back with a diamond",
    "midnight": "violet felt, moon and stars",
    "burgundy": "wine-red felt, quatrefoils",
    "deco": "black felt with gold, two suns",
    "parchment": "brown table, yellowed cards, green back with a rosette",
    "lagoon": "turquoise felt, waves",
}
"""The table, the cards and the back of each theme, in words."""
PRIMER_GROUPS: Final = (
    ("5h6h7h", True, "Run", ("3+ in a row", "of one suit")),
    ("QcQdQs", True, "Set", ("3 or 4", "of one rank")),
    ("9cAd", False, "Deadwood", ("all the rest", "9 + 1 = 10")),
)
"""The groups of the primer: cards, True if they are a meld, name, and explanation in two lines."""


def card_points(letters: Sequence[str]) -> str:
    """Return the points of all cards, with their letters: `A = 1 · 2–10 = face value · J, Q, K = 10`."""
    ace, *courts = letters
    return f"{ace} = 1 · 2–10 = face value · {', '.join(courts)} = 10"


def short_date(day: date, *, year: bool = True) -> str:
    """Return a short date, with or without the year: `3 Nov 2026`, `3 Nov`."""
    return f"{day.day} {_MONTHS[day.month - 1]}" + (f" {day.year}" if year else "")


def dates(first: date, last: date) -> str:
    """Return a period of days as shortly as possible: `20–26 Nov 2026`, `19 Oct – 29 Nov 2026`, `1 Nov 2026`."""
    if first == last:
        return short_date(last)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{short_date(last)}"
    return f"{short_date(first, year=first.year != last.year)} – {short_date(last)}"


def players(number: int) -> str:
    """Return a number of players: `1,204 players`."""
    return f"{number:,} {'player' if number == 1 else 'players'}"


def month(day: date) -> str:
    """Return the short name of a date's month: `Nov`."""
    return _MONTHS[day.month - 1]


def weekday(day: date) -> str:
    """Return the short name of a date's weekday: `Tue`."""
    return _WEEKDAYS[day.weekday()]


def spans_title(activity: Activity) -> str:
    """Return the title of a server's activity, with the number of days or weeks."""
    number = len(activity.spans)
    if number == 1:
        return current_span(activity).capitalize()
    return f"The last {number} {'days' if activity.is_daily else 'weeks'}"


def current_span(activity: Activity) -> str:
    """Return the name of the last day or week, which is not over."""
    return "today so far" if activity.is_daily else "this week so far"


def spans_note(activity: Activity) -> str:
    """Return the note next to the title of a server's activity: `since Mon 7 Sep (UTC)`, or the date of a single day.

    It has no end, because the last week is known by its first day only.
    """
    first = activity.spans[0].begins
    is_one_day = activity.is_daily and len(activity.spans) == 1
    return f"{'' if is_one_day else 'since '}{weekday(first)} {short_date(first, year=False)} (UTC)"


def by_span(name: str, activity: Activity) -> str:
    """Return the title of a chart of numbers by day or week: `Matches per day`."""
    return f"{name} per {'day' if activity.is_daily else 'week'}"


def busiest_text(activity: Activity, *, short: bool = False) -> tuple[str, str]:
    """Return the name and the date of the busiest day or week, of at least two: `Busiest day`, `Tue 10 Nov`.

    If `short`, the date of a day is as below a chart, without the month: `Tue 10`.
    """
    assert activity.busiest is not None
    day = activity.busiest.begins
    date_text = short_date(day, year=False)
    if not activity.is_daily:
        return "Busiest week", date_text
    return "Busiest day", f"{weekday(day)} {day.day if short else date_text}"


def place_name(place: int) -> str:
    """Return the name of a place in the standings: `place 12`."""
    return f"place {place:,}"


def short_number(number: int) -> str:
    """Return a number below a million in at most five characters, not counting a minus sign: `980`, `−9,800`, `35k`."""
    thousands = abs(number) // 1000
    digits = f"{abs(number):,}" if thousands < 10 else f"{thousands:,}k"
    return f"−{digits}" if number < 0 else digits


def shortest_number(number: int) -> str:
    """Return a non-negative number, rounded to thousands from 10,000 up: `980`, `1,080`, `35k`."""
    return f"{number:,}" if number < 10_000 else f"{(number + 500) // 1000:,}k"


def total(number: int) -> str:
    """Return a non-negative total in at most six characters if it is below a million: `980`, `83,160`, `350k`."""
    return f"{number:,}" if number < 100_000 else short_number(number)


def signed_short(number: int) -> str:
    """Return a number with its sign, shortened to thousands if it has more than six digits."""
    return signed(number) if abs(number) < 1_000_000 else ("+" if number > 0 else "") + short_number(number)


def percentage(share: int | None) -> str:
    """Return the percentage of matches won; a dash if no match has a result."""
    return "–" if share is None else f"{share}%"


def last_matches_title(number: int) -> str:
    """Return the heading of a list of the last `number` matches."""
    return f"Last {number}" if number > 1 else "Last match"


def last_results(played: Sequence[PlayedMatch]) -> str:
    """Return the results of a person's last matches, oldest first: `Last 3: won, lost, neither`."""
    result_words, recent = {True: WON, False: LOST, None: NEITHER}, played[-MAX_RECENT_MATCHES:]
    return f"{last_matches_title(len(recent))}: {', '.join(result_words[match.won] for match in recent)}"


def points_name(category: Category) -> str:
    """Return the name of the points that lists of matches show: without the bonuses at the end of a match."""
    return "Penalty points" if category is Category.PENALTY else "Points from deals"


def whose_points(category: Category) -> str:
    """Return the words that follow the name of points if they are not a person's own: ` of each team`."""
    return " of each team" if category is Category.TEAMS else ""


def deal_points(points: Sequence[int], category: Category) -> str:
    """Return each side's points from the deals of a match: `61 – 21 deal points`, `40 – 104 penalty points`."""
    return f"{' – '.join(map(str, points))} {'penalty points' if category is Category.PENALTY else 'deal points'}"


def last_meetings_title(category: Category, number: int) -> str:
    """Return the heading of a list of the last `number` matches between two people, with their points."""
    name = points_name(category)
    return f"{last_matches_title(number)} · {name[0].lower()}{name[1:]}"


def per_match(points: int, matches: int) -> str:
    """Return the average number of points in a match: `84.0`."""
    return f"{points / matches:,.1f}"


def in_a_row(number: int) -> str:
    """Return the length of a current winning streak, to follow the winner: `won 3 in a row`."""
    return f"{WON} {number} in a row"


def matches_in_all(number: int, not_won: int) -> str:
    """Return the number of matches between two people, and the number that neither of them won."""
    others = f", {not_won:,} won by neither" if not_won else ""
    return f"{number:,} {'match' if number == 1 else 'matches'}{others}"


def result_and_date(match: PlayedMatch) -> str:
    """Return the result and date of a match: `won, 3 Nov 2026`."""
    result = {True: WON, False: LOST, None: NEITHER}[match.won]
    return f"{result}, {short_date(match.ended_at.date())}"


def not_won(results: Results) -> str:
    """Return the number of losses, and the numbers of draws and of matches without a result if there are any."""
    drawn = f", {results.drawn} drawn" if results.drawn else ""
    undecided = results.matches - results.decided_matches
    without_result = f", {undecided} more without a result" if undecided else ""
    return f"{results.lost} {LOST}{drawn}{without_result}"


def won_by_neither(versus: Versus) -> str:
    """Return how matches ended that neither of two people won: `1 drawn, 2 won by others`. Empty if there are none."""
    endings = ((Ending.DRAWN, "drawn"), (Ending.OTHERS, "won by others"), (Ending.NONE, "without a result"))
    return ", ".join(f"{number} {told}" for ending, told in endings if (number := versus.count(ending)))


def win_loss(won: int, lost: int) -> str:
    """Return the numbers of wins and losses: `3 won, 1 lost`."""
    return f"{won:,} {WON}, {lost:,} {LOST}"


def goal(rules: Rules) -> tuple[str, str, tuple[str, ...]]:
    """Return the end condition of a match in parts: `Play to`, `100`, and further lines such as `or 10 deals`."""
    penalty = rules.format == "penalty"
    lowest = ("lowest wins",) if penalty else ()
    deals = "" if rules.deals is None else count(rules.deals, "deal")
    if rules.target is None:
        return "Ends after", deals, ("plus voids", *lowest)
    return "Ends at" if penalty else "Play to", str(rules.target), (*((f"or {deals}",) if deals else ()), *lowest)


def deal_name(view: PublicView | ShowdownView) -> str:
    """Return the number of a deal, and of its board if there are several: `Deal 2, board 1`."""
    board = f", {BOARD.lower()} {view.board}" if view.boards > 1 else ""
    return f"{DEAL} {view.number}{board}"


def deal_step(view: ShowdownView, step: int, actions: int) -> tuple[str, ...]:
    """Return the deal and the step in three parts: `Deal 5, step `, `9`, ` of 10`.

    Before the first action and at the showdown, return only the deal.
    """
    deal = deal_name(view)
    return (f"{deal}, step ", str(step), f" of {actions}") if 1 <= step <= actions else (deal,)


def goal_line(rules: Rules) -> str:
    """Return the end condition of a match in one line."""
    label, number, further_lines = goal(rules)
    return f"{label.lower()} {number}" + "".join(
        f" {line}" if line.startswith("or") else f", {line}" for line in further_lines
    )


def deal_and_goal(view: PublicView | ShowdownView) -> str:
    """Return the deal and the end condition of the match in one line."""
    return f"{deal_name(view)} · {goal_line(view.rules)}"


def score_label(view: PublicView | ShowdownView) -> str:
    """Return the label of a player's points."""
    if view.rules.format == "penalty":
        return "Penalty"
    if view.score.is_over:
        return TOTAL
    return "Games" if view.score.columns else "Team" if view.rules.format == "partners" else "Score"


def game_name(index: int) -> str:
    """Return the name of one of three games that are played at the same time, by its index."""
    return f"Game {index + 1}"


def side_points(view: PublicView | ShowdownView, side: int) -> str:
    """Return a side's points, or its points in each of three games: `40`, `40/12/0`."""
    return "/".join(map(str, facts.side_points(view.rules, view.score, side)))


def side_name(seats: Iterable[Seat], monograms: Sequence[str]) -> str:
    """Return the monograms of a side: `S`, or `S+E` for a team."""
    return "+".join(monograms[seat] for seat in seats)


def hand_state(view: SeatView) -> str | None:
    """Return how the hand's owner can end the deal, or else how they can get a card; None if they can do neither."""
    if view.can_go_big_gin:
        return "You have big gin!"
    if view.can_go_gin:
        return "You have gin!"
    if facts.knock_choices(view):
        return "You can knock"
    if view.is_to_act and view.public.phase is Phase.WALL:
        return "You can go out" if facts.can_take(view) else "You can only pass"
    verbs = {move.verb for move in view.moves}
    return " or ".join(name for verb, name in _CHOICE_NAMES.items() if verb in verbs).capitalize() or None


def least_deadwood_text(deadwood: int) -> str:
    """Return a note on the least deadwood that a discard leaves: `at best 9`."""
    return f"at best {deadwood}"


def knock_label(deadwood: int) -> str:
    """Return the label of a card to discard for a knock: `Knock 6`, or `Gin` if it leaves no deadwood."""
    return f"Knock {deadwood}" if deadwood else "Gin"


def limit_and_doubling(view: PublicView) -> str:
    """Return the knock limit, with a note if the deal counts double."""
    limit = f"{KNOCK_AT} {view.knock_limit}" if view.knock_limit else "Gin only"
    return limit + (", double" if facts.counts_double(view) else "")


def lay_off_state(view: SeatView) -> str:
    """Return a note on laying off after a knock.

    The note gives the deadwood after the best lay-offs, advises against laying off, says that no card fits, or says
    that it is not this player's turn.
    """
    if view.best_response is None:
        return "Others lay off"
    if view.best_response.lay_offs:
        return f"Best lay-offs leave {view.best_response.arrangement.deadwood} deadwood"
    return "Lay off nothing" if view.lay_offs else "Nothing fits"


def table_state(view: PublicView, monograms: Sequence[str]) -> str:
    """Return whose turn it is, why no player can act, or how the match ended."""
    if view.turn is not None:
        return f"{monograms[view.turn]} {NEXT_ACTIONS[view.phase]}"
    if view.forfeit is not None:
        result = "" if view.score.winner is None else f": {winner_text(view.score, view.sides, monograms)}"
        return f"{monograms[view.forfeit.seat]} {forfeit_text(view.forfeit)}{result}"
    if view.score.is_over:
        return f"The match is over: {winner_text(view.score, view.sides, monograms)}"
    if view.phase is Phase.RESHUFFLE:
        return RESHUFFLED
    if view.phase is not Phase.DONE:
        return PAUSED
    return "The deal is over" if view.boards == 1 else "Waiting for the other board"


def match_end(view: PublicView, names: Sequence[str]) -> str:
    """Return the result of a finished match: `S wins the match`, `N resigned: S won`, `N resigned: nobody wins`."""
    if view.forfeit is not None:
        result = NOBODY_WINS if view.score.winner is None else winner_text(view.score, view.sides, names)
        return f"{names[view.forfeit.seat]} {forfeit_text(view.forfeit)}: {result}"
    if view.score.winner is None:
        return DRAWN_MATCH
    seats = view.sides[view.score.winner]
    return f"{side_name(seats, names)} {'wins' if len(seats) == 1 else 'win'} the match"


def winner_text(score: Score, sides: Sequence[Sequence[Seat]], monograms: Sequence[str]) -> str:
    """Return the winner of a finished game or match: `S won`, or `drawn`."""
    return "drawn" if score.winner is None else f"{side_name(sides[score.winner], monograms)} {WON}"


def forfeit_text(forfeit: Forfeit) -> str:
    """Return how a player forfeited: `lost on time` or `resigned`."""
    return "lost on time" if forfeit.on_time else "resigned"


def match_result(view: PublicView) -> list[tuple[tuple[Seat, ...], str]]:
    """Return the result of a finished match as pairs: seats whose badges are shown, and the text after their badges."""
    score = view.score
    result = [] if view.forfeit is None else [((view.forfeit.seat,), forfeit_text(view.forfeit))]
    if score.winner is None:
        return [*result, ((), NOBODY_WINS)] if result else [((), DRAWN_MATCH)]
    margin_text = "" if view.forfeit is not None else winning_margin(view.rules, score)
    return [*result, (view.sides[score.winner], f"{WON}{margin_text}")]


def match_lead(view: PublicView) -> list[tuple[tuple[Seat, ...], str]]:
    """Return the leader of an unfinished match of one game, in the format of `match_result`."""
    points = [sum(facts.side_points(view.rules, view.score, side)) for side in range(len(view.sides))]
    first, second = sorted(points, reverse=view.rules.format != "penalty")[:2]
    if first == second:
        return [((), "Nobody leads")]
    return [(view.sides[points.index(first)], f"leads by {abs(first - second)}")]


def winning_margin(rules: Rules, score: Score) -> str:
    """Return the winning margin, to follow `won`: ` by 12`; ` with 12 fewer points` if another side has more."""
    by = abs(score.margin or 0)
    is_behind = rules.format != "penalty" and (score.margin or 0) < 0
    return f" with {count(by, 'fewer point')}" if is_behind else f" by {by}" if by else ", equal totals"


def _side_result(score: Score, side: int) -> str:
    """Return a side's result in a finished game or match."""
    return "drawn" if score.winner is None else WON if score.winner == side else LOST


def cards_replacement(view: PublicView, seat: Seat) -> str | None:
    """Return the text in place of a player's cards, such as a knock or a result; None if the cards lie face down."""
    if facts.is_match_over(view):
        forfeit, side = view.forfeit, facts.side_index(seat, view.sides)
        if forfeit is not None and forfeit.seat == seat:
            return forfeit_text(forfeit)
        return NO_WINNER if forfeit is not None and view.score.winner is None else _side_result(view.score, side)
    if seat not in view.seats:
        return SITS_OUT
    knock = facts.open_knock(view)
    return knocks_with(knock.arrangement.deadwood) if knock is not None and knock.seat == seat else None


def last_turn(view: PublicView, seat: Seat) -> list[tuple[str, tuple[Card, ...]]]:
    """Return a seat's last turn as texts, each with the cards that follow it: `took` 7♠, `discarded` K♦."""
    moves = facts.last_turn(view, seat)
    laid_off = tuple(move.card for move in moves if move.verb is Verb.LAY_OFF and move.card is not None)
    if laid_off:
        listed = len(laid_off) <= _MAX_LISTED_LAY_OFFS
        return [("laid off", laid_off)] if listed else [(f"laid off {count(len(laid_off), 'card')}", ())]
    if any(move.verb is Verb.DONE for move in moves):
        return [("laid off nothing", ())]
    return [(PAST_VERBS[move.verb], () if move.card is None else (move.card,)) for move in moves]


def knocks_with(deadwood: int) -> str:
    return f"{KNOCKS} with {deadwood}"


def knock_or_gin(view: ShowdownView) -> str:
    """Return how the knocker ended the deal: `goes gin`, `knocks with 5`."""
    gin = {OutcomeKind.GIN: "goes gin", OutcomeKind.BIG_GIN: "goes big gin"}
    knocker = view.outcome.knocker
    return gin.get(view.outcome.kind) or (KNOCKS if knocker is None else knocks_with(view.deadwood(knocker)))


def seat_outcome(view: ShowdownView, seat: Seat) -> str:
    """Return how the deal ended for a seat: `knocks with 5`, `lays off 2 cards`, `undercuts`."""
    kind = view.outcome.kind
    if seat not in view.seats:
        return SITS_OUT
    if kind.is_unfinished:
        return "held"
    if seat == view.outcome.knocker:
        return knock_or_gin(view)
    if kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN):
        return "is caught"
    laid_off_count = sum(lay_off.seat == seat for lay_off in view.outcome.lay_offs)
    if kind is OutcomeKind.UNDERCUT and seat == view.outcome.winner:
        return f"lays off {laid_off_count}, undercuts" if laid_off_count else "undercuts"
    return f"lays off {count(laid_off_count, 'card')}" if laid_off_count else "lays off nothing"


def seat_standing(view: ShowdownView, seat: Seat) -> list[tuple[str, str]]:
    """Return labels and values for a seat in the showdown, in drawing order from right to left."""
    label, points = score_label(view), side_points(view, facts.side_index(seat, view.sides))
    standing = [(label if view.score.is_over or view.score.columns else f"{label} now", points)]
    if seat == view.outcome.winner and view.outcome.boxes > 1:
        standing.append((LINES, f"+{view.outcome.boxes}"))
    return standing


def match_headline(view: ShowdownView) -> str:
    """Return the headline of a finished match, to follow the winner's badge if there is one."""
    return DRAWN_MATCH if view.score.winner is None else "wins the match"


def final_totals(view: ShowdownView) -> str:
    """Return the totals of a finished match, the winner's first: `335 : 131`."""
    first = view.score.winner or 0
    totals = view.score.totals
    return " : ".join(map(str, (totals[first], *totals[:first], *totals[first + 1 :])))


def final_sums(view: ShowdownView, *, short: bool = False) -> list[tuple[int, str]]:
    """Return the sums of the sides that earned bonuses in a finished match, as pairs of side index and text.

    `105 + 100 for the match + 60 for 3 deals won (20 each) = 265`, or `105 + 100 match + 3 × 20 deals won = 265` if
    `short`.
    """
    score, sums = view.score, list[tuple[int, str]]()
    if not score.is_over:
        return sums
    bonus_name = "games" if score.columns else "match"
    for side in range(len(view.sides)):
        terms = [] if not score.game[side] else [f"{score.game[side]} {'' if short else 'for the '}{bonus_name}"]
        terms += [] if not score.line[side] else [_line_bonus(view, score.line[side], short=short)]
        terms += [] if not score.shutout[side] else [f"{score.shutout[side]} {'' if short else 'for the '}shutout"]
        if terms:
            sums.append((side, f"{' + '.join((str(score.scores[side]), *terms))} = {score.totals[side]}"))
    return sums


def _line_bonus(view: ShowdownView, points: int, *, short: bool) -> str:
    """Return the line bonus as a text.

    It counts "deals won" if each deal is worth exactly one line, and "lines" otherwise.
    """
    each = view.rules.line_bonus
    number = points // each
    is_one_line_per_deal = view.boards == 1 and not view.score.columns and not view.rules.oklahoma_boxes
    noun = (
        ("deal won" if number == 1 else "deals won") if is_one_line_per_deal else ("line" if number == 1 else "lines")
    )
    if short:
        return f"{points} {noun}" if number == 1 else f"{number} × {each} {noun}"
    return f"{points} for {number} {noun}" + (f" ({each} each)" if number > 1 else "")


def points_earned(view: ShowdownView) -> list[tuple[Seat | None, str]]:
    """Return pairs of seat and points for the winner, or for everyone charged penalty points.

    The seat is None if nobody won.
    """
    if view.penalty_points:
        return [(seat, f"+{charged}") for seat, charged in _charged_seats(view)]
    return [(view.outcome.winner, points_sum(view))]


def _charged_seats(view: ShowdownView) -> list[tuple[Seat, int]]:
    """Return each charged seat with its penalty points, in playing order from the knocker on."""
    charged = dict(view.penalty_points)
    return [(seat, charged[seat]) for seat in facts.knocker_first(view) if seat in charged]


def charge_sums(view: ShowdownView) -> dict[Seat, str]:
    """Return the calculation of each seat's penalty points: `37 − 9 = 28`."""
    outcome = view.outcome
    if outcome.winner is None:
        return {}
    winner_deadwood, sums = view.deadwood(outcome.winner), dict[Seat, str]()
    for seat, charged in _charged_seats(view):
        bonus = charged // outcome.factor - view.deadwood(seat) + winner_deadwood
        sums[seat] = _deadwood_sum(view.deadwood(seat), winner_deadwood, bonus, outcome.factor, charged)
    return sums


def points_sum(view: ShowdownView) -> str:
    """Return the calculation of the winner's points: `20 − 5 = 15`, `10 − 8 + 25 = 27`, or `(10 − 8 + 25) × 2 = 54`."""
    outcome = view.outcome
    if outcome.winner is None:
        return NO_POINTS
    winner_deadwood = view.deadwood(outcome.winner)
    return _deadwood_sum(
        winner_deadwood + outcome.difference, winner_deadwood, outcome.bonus, outcome.factor, outcome.points
    )


def _deadwood_sum(loser_deadwood: int, winner_deadwood: int, bonus: int, factor: int, points: int) -> str:
    """Return the calculation of points from deadwood and bonus; only the points if there is nothing to calculate."""
    terms = f"{loser_deadwood} − {winner_deadwood}" if winner_deadwood else str(loser_deadwood)
    terms += f" + {bonus}" if bonus else ""
    if factor > 1:
        return f"{terms if terms.isdecimal() else f'({terms})'} × {factor} = {points}"
    return terms if terms == str(points) else f"{terms} = {points}"


def void_explanation(view: ShowdownView, monograms: Sequence[str]) -> str:
    """Return sentences that explain why a deal is void and how the match continues."""
    rules = view.rules
    if view.outcome.is_too_long:
        reason = f"Each player had {MAX_TURNS_PER_PLAYER} turns, and nobody went out."
    elif rules.last_discard == "may_go_out":
        reason = "Two cards are left in the stock, and nobody took the last discard to go out."
    else:
        reason = "Two cards are left in the stock, and nobody went out."
    if view.boards > 1:
        consequence = "Nobody scores on this board."
    elif rules.void_redeal == "same_dealer":
        consequence = f"No points, and {monograms[view.dealer]} deals again."
    else:
        consequence = "No points, and the next player deals."
    return f"{reason} {consequence} All hands stay hidden."


def void_notes(view: ShowdownView, names: Sequence[str]) -> tuple[str, str, str]:
    """Return in three short lines why a deal is void, and how the match continues."""
    rules = view.rules
    if view.outcome.is_too_long:
        reason = f"Each player had {MAX_TURNS_PER_PLAYER} turns"
    elif rules.last_discard == "may_go_out":
        reason = "Nobody took the last discard"
    else:
        reason = "Two cards are left in the stock"
    if view.boards > 1:
        return "Nobody went out", reason, "Nobody scores on this board"
    is_same = rules.void_redeal == "same_dealer"
    return "Nobody went out", reason, f"{names[view.dealer]} deals again" if is_same else "The next player deals"
