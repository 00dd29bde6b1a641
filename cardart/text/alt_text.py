"""Alt texts of the pictures: everything that they show, in words.

Cards are written as in the pictures: `7♥`, `D♦`. `language` is the language code of the card names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from bot.engine.cards.cards import Card, parse_cards
from bot.engine.cards.melds import Arrangement, Meld
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import LayOff, OutcomeKind
from bot.engine.matches import facts
from bot.engine.matches.replay import ReplayView
from bot.engine.matches.views import KnockView, PublicView, SeatView, ShowdownView
from bot.model import words
from bot.model.appearance import Appearance, CardOrder
from bot.model.daily import DailyCalendar, DailyPodium
from bot.model.daily_standings import DailyBoard, DailyPeriod, DailyStanding
from bot.model.history import Ending, Versus
from bot.model.ids import PersonId
from bot.model.seasons import Awarded, Podium
from bot.model.standings import Order, Ranked
from bot.model.statistics import Activity, Category, Profile
from cardart.text import daily as daily_text
from cardart.text import phrases, queries
from cardart.text import podium as podium_text
from cardart.text import standings as standings_text
from cardart.text.card_names import CardNames, card_names
from cardart.text.daily_standings import broken_ties, finished, pinned, streak, subtitle
from cardart.text.scorecard import ScoreLine, Sums, games_total, shortened_lines
from cardart.text.seasons import champion_text

_MAX_LENGTH: Final = 1024
"""Discord's limit for alt texts, in characters."""


def primer(language: str) -> str:
    """Describe an example run, set and deadwood, and the points of cards."""
    names = card_names(language)
    run, same, rest = (names.short_row(parse_cards(cards)) for cards, *_ in phrases.PRIMER_GROUPS)
    return (
        f"Three groups of cards. {run}: a run, three or more cards in a row in one suit. {same}: a set, three or four "
        f"cards of one rank. {rest}: deadwood, the cards that aren't in a meld, 9 + 1 = 10 points. "
        f"{phrases.card_points(names.letters)}."
    )


def themes(current: str, cards: Iterable[Card], appearance: Appearance) -> str:
    """Describe the picture of all themes: the cards shown in each, and the look of each. `current` is in use."""
    colours = "four" if appearance.four_colours else "two"
    row = card_names(appearance.language).short_row(cards)
    shown = f"The card back of each theme, and {row} with suits in {colours} colours"
    looks = (
        f"{name.capitalize()}{f' ({phrases.CURRENT_THEME})' if name == current else ''}: {look}"
        for name, look in phrases.THEME_LOOKS.items()
    )
    return _sentences([shown, *looks])


def hand(view: SeatView, language: str, order: CardOrder) -> str:
    """Describe a hand: the cards row by row, the new card, melds, deadwood, the piles, and the possible moves."""
    names = card_names(language)
    drawn = [f"New card: {names.short(view.new_card)}"] if view.new_card else []
    state = phrases.hand_state(view)
    state_part = [state.rstrip("!")] if state else []
    knocks = ", ".join(
        f"{names.short(choice.card)} leaves {choice.deadwood}" for choice in view.discard_choices if choice.can_knock
    )
    knock_part = [f"Knocking with {knocks}"] if knocks else []
    least_deadwood = facts.least_deadwood_left(view)
    best_note = "" if least_deadwood is None else f", {phrases.least_deadwood_text(least_deadwood)}"
    arranged = _capitalized(_arrangement_text(view.arrangement, names, spelled_out=False)) + best_note
    position_parts = [*_hand_rows(view, names, order), *drawn, arranged, *_piles_parts(view.public, names)]
    return _sentences([*position_parts, *state_part, *knock_part, _knock_limit_text(view.public)])


def _hand_rows(view: SeatView, names: CardNames, order: CardOrder) -> list[str]:
    """Return a text for each row of the hand, without the new card. `(laid off)` replaces each card laid off."""
    slots = [card for card in queries.hand_in_order(view, order) if card is not view.new_card]
    rows = [slots[start : start + queries.CARDS_PER_ROW] for start in range(0, len(slots), queries.CARDS_PER_ROW)]
    row_texts = [" ".join(names.short(card) if card in view.hand else "(laid off)" for card in row) for row in rows]
    return [f"Your hand: {row_texts[0]}", *(f"Second row: {row}" for row in row_texts[1:])] if row_texts else []


def _piles_parts(view: PublicView, names: CardNames) -> list[str]:
    """Return the top of the discard pile, and the number of cards in the stock."""
    top = "The discard pile is empty" if view.top is None else f"Top of the discard pile: {names.short(view.top)}"
    return [top, f"Stock: {words.count(view.stock, 'card')}"]


def lay_off(view: SeatView, knock: KnockView, language: str, order: CardOrder) -> str:
    """Describe the picture of a hand while a knock is being answered."""
    names = card_names(language)
    laid_off = [f"Laid off so far: {_lay_offs_text(knock.lay_offs, names)}"] if knock.lay_offs else []
    state = phrases.lay_off_state(view)
    if view.seat == knock.seat:
        knock_text = (
            f"{phrases.YOU_KNOCKED_WITH} {knock.arrangement.deadwood}: {_arrangement_text(knock.arrangement, names)}"
        )
        return _sentences([knock_text, *laid_off, state])
    melds = "; ".join(f"({number}) {_meld_text(meld, names)}" for number, meld in enumerate(knock.arrangement.melds, 1))
    melds = melds or "no melds"
    melds += f"; deadwood {names.short_row(knock.arrangement.unmatched)}" if knock.arrangement.unmatched else ""
    fit_texts = [
        f"{names.short(lay_off.card)} on ({knock.arrangement.melds.index(lay_off.meld) + 1})"
        for lay_off in view.lay_offs
    ]
    fit_part = [f"You can lay off {', '.join(fit_texts)}"] if fit_texts else []
    best = facts.best_lay_offs(view)
    state += f". Lay off {names.short_row(choice.card for choice in best)}" if best else ""
    arranged = _capitalized(_arrangement_text(view.arrangement, names, spelled_out=False))
    hand_parts = [*_hand_rows(view, names, order), arranged, *_piles_parts(view.public, names)]
    return _sentences(
        [f"{phrases.KNOCKED_WITH} {knock.arrangement.deadwood}: {melds}", *laid_off, *hand_parts, *fit_part, state]
    )


def named(describe: Callable[[Sequence[str]], str], names: Sequence[str], monograms: Sequence[str]) -> str:
    """Return a description with the players' names, or with their monograms if names would make it too long.

    `describe` is called with the names or the monograms.
    """
    text = describe(names)
    return text if len(text) <= _MAX_LENGTH else describe(monograms)


def table(view: PublicView, monograms: Sequence[str], shown: Sequence[Card], language: str) -> str:
    """Describe the table. `shown` are the visible discards, top last."""
    names, knock = card_names(language), facts.open_knock(view)
    parts = [f"{phrases.deal_name(view)}, {phrases.goal_line(view.rules)}", phrases.table_state(view, monograms)]
    is_over = facts.is_match_over(view)
    if not is_over:
        parts.append(f"{phrases.STOCK}: {words.count(view.stock, 'card')} face down")
    if knock is None:
        parts += [] if is_over else [_discards_text(view, shown, names)]
    else:
        knock_text = phrases.knocks_with(knock.arrangement.deadwood)
        parts.append(f"{monograms[knock.seat]} {knock_text}: {_arrangement_text(knock.arrangement, names)}")
        parts += [f"Laid off so far: {_lay_offs_text(knock.lay_offs, names, monograms)}"] if knock.lay_offs else []
    parts += [_player_text(view, seat, monograms, names) for seat in facts.seats_at_table(view)]
    if not view.score.is_over:
        parts += [
            f"{phrases.game_name(index)} is over: {phrases.winner_text(game, view.sides, monograms)}"
            for index, game in enumerate(view.score.columns)
            if game.is_over
        ]
    return _sentences(parts if is_over else [*parts, _knock_limit_text(view)])


def showdown(view: ShowdownView, monograms: Sequence[str], language: str) -> str:
    """Describe the showdown of a deal, or explain why the deal is void."""
    names, deal = card_names(language), phrases.deal_name(view)
    sides = [phrases.side_name(seats, monograms) for seats in view.sides]
    points = [phrases.side_points(view, index) for index in range(len(view.sides))]
    score = f"{phrases.score_label(view)}: {_values_by_side(sides, points)}"
    sums = phrases.final_sums(view)
    score += "".join(f". {sides[index]}: {added}" for index, added in sums)
    if view.score.is_over:
        winner = [] if view.score.winner is None else [sides[view.score.winner]]
        score += f". {' '.join((*winner, phrases.match_headline(view)))}"
    if view.outcome.kind is OutcomeKind.VOID and not view.outcome.hands:
        return f"{deal}: {phrases.VOID.lower()}. {phrases.void_explanation(view, monograms)} {score}."
    seats = facts.knocker_first(view)
    hands = [
        f"{_seat_outcome_text(view, seat, monograms, names)}: {_arrangement_text(view.hand(seat), names)}"
        for seat in seats
    ]
    out = [f"{monograms[seat]} {phrases.SITS_OUT}" for seat in facts.sitting_out(view)]
    return _sentences([deal, *hands, *out, _points_text(view, monograms), score])


def replay(view: ReplayView, monograms: Sequence[str], language: str) -> str:
    """Describe a replay animation: the hands dealt, the number of actions, and the outcome.

    The actions are not listed, because the text of the message lists them.
    """
    showdown_view, names = view.showdown, card_names(language)
    hands = zip(showdown_view.seats, view.moments[0].hands, strict=True)
    dealt = [f"{monograms[seat]} is dealt {names.short_row(hand.cards)}" for seat, hand in hands]
    outcome_parts = [
        _seat_outcome_text(showdown_view, seat, monograms, names) for seat in facts.knocker_first(showdown_view)
    ]
    actions = words.count(view.action_count, "action")
    title = f"{phrases.deal_name(showdown_view)}: an animated replay of {actions}, with all hands face up"
    return _sentences([title, *dealt, *outcome_parts, _points_text(showdown_view, monograms)])


def replay_step(view: ReplayView, step: int, monograms: Sequence[str], language: str) -> str:
    """Describe a deal after `step` actions, with all hands face up. The step after the last action is the showdown."""
    names, showdown_view = card_names(language), view.showdown
    if step > view.action_count:
        return showdown(showdown_view, monograms, language)
    moment = view.moments[step]
    action_text = phrases.DEALT if step == 0 else phrases.RESHUFFLED
    if moment.move is not None:
        card = "" if moment.move.card is None else f" {names.short(moment.move.card)}"
        verb = phrases.ACTION_VERBS[moment.move.verb]
        if moment.move.verb is Verb.KNOCK:
            verb = f"{phrases.knock_or_gin(showdown_view)}, {phrases.ACTION_VERBS[Verb.DISCARD]}"
        action_text = f"{monograms[moment.move.seat]} {verb}{card}"
    hands: list[str] = []
    for seat, hand in zip(showdown_view.seats, moment.hands, strict=True):
        hand_text = _arrangement_text(hand, names)
        if moment.new_card is not None and moment.move is not None and moment.move.seat == seat:
            rest = f"; unmatched {names.short_row(hand.unmatched)}" if hand.unmatched else ""
            deadwood_text = f"{phrases.DEADWOOD.lower()} {moment.least_left} {phrases.AFTER_DISCARD}"
            hand_text = f"{_melds_text(hand, names)}{rest}; new card {names.short(moment.new_card)}; {deadwood_text}"
        hands.append(f"{monograms[seat]}: {hand_text}")
    laid_off = [f"Laid off so far: {_lay_offs_text(moment.lay_offs, names, monograms)}"] if moment.lay_offs else []
    top = (
        f"Discard pile: {names.short(moment.discards[-1])} on top, {words.count(len(moment.discards), 'card')} in all"
        if moment.discards
        else "Discard pile: empty"
    )
    stock = f"Stock: {words.count(moment.stock, 'card')}"
    return _sentences(
        ["".join(phrases.deal_step(showdown_view, step, view.action_count)), action_text, *hands, *laid_off, stock, top]
    )


def score_sheet(view: PublicView, lines: Sequence[ScoreLine], sums: Sums, monograms: Sequence[str]) -> str:
    """Describe the scorecard. Older deals are summed up until the text fits Discord's limit."""
    head = f"Score sheet, {phrases.goal_line(view.rules)}"
    sides = [phrases.side_name(seats, monograms) for seats in view.sides]
    sum_texts = [f"{row.name}: {_values_by_side(sides, row.numbers)}" for row in sums[0]]
    if len(sums) > 1:
        games = [[f"{row.name.lower()} {_values_by_side(sides, row.numbers)}" for row in game] for game in sums]
        sum_texts = [f"{phrases.game_name(index)}: {'; '.join(game)}" for index, game in enumerate(games)]
        all_games = games_total(view.score)
        sum_texts.append(f"{all_games.name}: {_values_by_side(sides, all_games.numbers)}")
    if view.score.is_over or len(sums) == 1:
        results = phrases.match_result(view) if view.score.is_over else phrases.match_lead(view)
        sum_texts.append(", ".join(f"{phrases.side_name(seats, monograms)} {text}".strip() for seats, text in results))
    attempts = (
        _sentences(
            [
                head,
                *(_score_line_text(line, sides, monograms) for line in shortened_lines(lines, max_deals)),
                *sum_texts,
            ]
        )
        for max_deals in range(len(lines), 0, -1)
    )
    return next(text for text in attempts if len(text) <= _MAX_LENGTH)


def _score_line_text(line: ScoreLine, sides: Sequence[str], monograms: Sequence[str]) -> str:
    """Return the text of one line of the scorecard."""
    if line.kind == "earlier":
        totals = ["/".join(map(str, games)) for games in zip(*line.totals, strict=True)]
        return f"{line.label}: {_values_by_side(sides, totals)}"
    entries: list[str] = []
    for side_index, side in enumerate(sides):
        added = [(game, points[side_index]) for game, points in enumerate(line.added) if points[side_index] is not None]
        for game, points in added[:1]:
            lines = words.count(line.boxes[game][side_index], "line")
            extra = f" ({lines})" if line.boxes[game][side_index] > 1 else ""
            entries.append(f"{side} {points}" if line.kind == "board" else f"{side} +{points}{extra}")
        if len(line.added) > 1:
            entries += [f"{phrases.game_name(game).lower()} {line.totals[game][side_index]}" for game, _ in added]
        elif added and line.kind != "board":
            entries[-1] += f" = {line.totals[0][side_index]}"
    outcome_text = f"{line.label} {line.outcome_name}".strip()
    if line.deal and line.deal.penalty_points and line.deal.outcome.winner is not None:
        outcome_text += f" by {monograms[line.deal.outcome.winner]}"
    return f"{outcome_text}: {', '.join(entries) or phrases.NO_POINTS}"


def podium(name: str, category: str, podium: Podium, superlatives: Sequence[Awarded]) -> str:
    """Describe a season's podium: the season's name and category, the person and value at each place, the awards."""
    places = [
        f"{row.place}. {row.standing.name}: {podium_text.won(row.standing)}, {phrases.not_won(row.standing.results)}"
        for row in podium.rows
    ]
    most = [
        f"{podium_text.SUPERLATIVE_TITLES[holders[0].award]}: "
        f"{podium_text.people_named([holder.name for holder in holders])}, "
        f"{podium_text.superlative_value(holders[0])}{podium_text.each(holders)}"
        for holders in podium_text.shared_awards(superlatives)
    ]
    return _sentences([f"{name}, {category}", *places, *most])


def daily_podium(shown: DailyPodium) -> str:
    """Describe the podium of a deal of the day: the person and the result at each place, and how all deals ended."""
    places = [
        f"{row.place}. {row.player.name}: {words.signed(row.score.points)} {daily_text.points_unit(row.score)}, "
        f"{daily_text.ending_and_turns(row.score)}"
        for row in shown.rows[: podium_text.MAX_ON_STEPS]
    ]
    endings = shown.endings
    wins = [f"{way} {deals}" for way, deals in zip(phrases.WINS_BY, endings.wins, strict=True) if deals]
    others = ((phrases.LOST, endings.lost), (phrases.NOT_FINISHED, endings.unfinished))
    ways = [f"{phrases.WON_BY} {', '.join(wins)}"] if wins else []
    ways += [f"{way} {deals}" for way, deals in others if deals]
    beat = f"{sum(endings.wins)} of {endings.players} {daily_text.beat_the_computer(endings.players)}"
    notes = [phrases.FEWER_TURNS_FIRST] if daily_text.is_tie_broken(shown) else []
    title = f"{daily_text.podium_title(shown)}, {daily_text.podium_subtitle(shown)}"
    return _sentences([title, *places, *notes, f"{beat}: {'; '.join(ways)}"])


def daily_calendar(shown: DailyCalendar, name: str | None) -> str:
    """Describe a person's calendar: the numbers about all days, and the result of each day, by month."""
    facts = ", ".join(f"{name} {value}" for name, value in daily_text.calendar_facts(shown))
    months = [f"{month} {days}" for month, days in daily_text.days_by_month(shown)]
    invitation = () if shown.streak else daily_text.streak_words(shown)
    title, period = daily_text.calendar_title(name), daily_text.period(shown)
    return _sentences([title, _capitalized(facts.lower()), *invitation, period, *months])


def standings(shown: Sequence[Ranked], order: Order, category: Category, own_id: PersonId | None) -> str:
    """Describe standings: the sort order, each row's movement and numbers, and the place of the person `own_id`.

    If it fits Discord's limit, each row also has the numbers that the picture does not show.
    """
    title = standings_text.standings_title(order, category)
    compared = any(standings_text.movement_text(row.movement) for row in shown)
    own_place = [f"Your place: {row.place}" for row in shown if row.standing.person_id == own_id]

    def describe(*, in_full: bool) -> str:
        lines = [_standing_text(row, order, category, in_full=in_full) for row in shown]
        movements = ["Up, down and new: in the last 7 days"] if compared and in_full else []
        return _sentences([title, *lines, *movements, *own_place])

    in_full = describe(in_full=True)
    return in_full if len(in_full) <= _MAX_LENGTH else describe(in_full=False)


def _standing_text(row: Ranked, order: Order, category: Category, *, in_full: bool) -> str:
    """Return a row of the standings: its numbers in the picture or, `in_full`, all numbers."""
    person, results = row.standing, row.standing.results
    head = ", ".join(filter(None, (f"{row.place}. {person.name}", standings_text.movement_text(row.movement))))
    numbers = [
        words.count(results.decided_matches, "match", "matches"),
        f"{person.won} {phrases.WON} ({phrases.percentage(results.win_percentage)})",
    ]
    score = standings_text.score_text(person, order, category)
    if in_full:
        # In the order by wins, the score is among the details.
        scores = [] if order is Order.WINS else [score]
        numbers += [phrases.not_won(results), *scores, *standings_text.details(person, order, category)]
    else:
        numbers.append(score)
    return f"{head}: {', '.join(numbers)}"


def daily_standings(shown: DailyBoard, own_id: PersonId | None) -> str:
    """Describe standings in the deals of the day: each row's numbers, the place of the person `own_id`, and ties.

    If it fits Discord's limit, each row also has the person's streak, and the row of another page is there, too.
    """
    title = f"{phrases.DAILY_STANDINGS}: {subtitle(shown)}"
    own, period = (None if own_id is None else shown.own), shown.period
    elsewhere = pinned(shown, own_id)
    all_rows = (*shown.rows, *([] if elsewhere is None else [elsewhere]))
    ends = [*([] if own is None else [f"Your place: {own.place:,}"]), broken_ties(shown, own_id)]

    def describe(rows: Sequence[DailyStanding], *, with_streaks: bool) -> str:
        lines = [_daily_standing(row, period, with_streak=with_streaks) for row in rows]
        return _sentences([title, *lines, *filter(None, ends)])

    texts = (
        describe(all_rows, with_streaks=True),
        describe(all_rows, with_streaks=False),
        describe(shown.rows, with_streaks=False),
    )
    return next(text for text in texts if len(text) <= _MAX_LENGTH or text is texts[-1])


def _daily_standing(row: DailyStanding, period: DailyPeriod, *, with_streak: bool) -> str:
    total = row.total
    numbers = (
        words.signed(total.points),
        words.count(total.turns, "turn"),
        finished(total, period),
        streak(row.streak) if with_streak else "",
    )
    return f"{row.place}. {total.player.name}: {', '.join(filter(None, numbers))}"


def profile(shown: Profile, names: Sequence[str]) -> str:
    """Describe a person's profile, including the results of the last matches.

    `names` are of the person, and of the rival if there is one.
    """
    played, net, results = shown.played_matches, queries.cumulative_net(shown), shown.results
    share = "" if results.win_percentage is None else f" ({results.win_percentage}%)"
    titles = [champion_text(shown.titles, 1)] if shown.titles else []
    rank = list[str]()
    if shown.rank is not None and shown.rank.rating.is_settled:
        place = "" if shown.rank.place is None else f", {phrases.place_name(shown.rank.place)} of {shown.rank.people:,}"
        rank = [f"{phrases.RATING} {shown.rank.rating}{place}"]
    matches = (
        f"{words.count(results.decided_matches, 'match', 'matches')}, "
        f"{results.won} {phrases.WON}{share}, {phrases.not_won(results)}"
    )
    first_part, *parts = [*titles, *rank, matches, f"{phrases.STREAK} {shown.streak}"]
    parts.insert(0, f"{names[0]}: {first_part}")
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    dates = last if first == last else f"{first} to {last}"
    low, high, end = map(words.signed, (min(net), max(net), net[-1]))
    net_text = f"{phrases.NET} {dates}: lowest {low}, highest {high}, at the end {end}"
    parts.append(net_text if len(played) > 1 else f"{phrases.NET} {end}")
    parts.append(f"{'Penalty points' if shown.category is Category.PENALTY else phrases.POINTS} {shown.points}")
    ways = ", ".join(f"{deals} {way}" for way, deals in zip(phrases.WINS_BY, queries.wins_by_kind(shown), strict=True))
    parts.append(f"{phrases.DEALS_WON}: {shown.deals_won} of {shown.deals_won + shown.deals_lost}; {ways}")
    parts.append(phrases.last_results(played))
    if shown.rival is not None:
        met = words.count(shown.rival.matches, "match", "matches")
        results_against = phrases.win_loss(shown.rival.won, shown.rival.lost)
        parts.append(f"{phrases.MOST_OFTEN} {names[1]}: {met}, {results_against}")
    return _sentences(parts)


def versus(shown: Versus, names: Sequence[str], max_matches: int) -> str:
    """Describe the matches between two people, and list the last `max_matches` of them.

    `names` are the names or the monograms of both people.
    """
    first, second = names
    won = shown.count(Ending.FIRST), shown.count(Ending.SECOND)
    in_all = phrases.matches_in_all(len(shown.meetings), len(shown.meetings) - sum(won))
    neither = phrases.won_by_neither(shown)
    parts = [f"{first} against {second}: {in_all}{f' ({neither})' if neither else ''}"]
    parts.append(f"{phrases.WON.capitalize()} {_values_by_side(names, won)}")
    if shown.current_streak is not None and shown.current_streak[1] > 1:
        winner, number = shown.current_streak
        parts.append(f"{names[winner]} {phrases.in_a_row(number)}")
    points = phrases.points_name(shown.category)
    averages = [phrases.per_match(number, len(shown.meetings)) for number in shown.points]
    whose = phrases.whose_points(shown.category)
    facts = (
        (f"{points}{whose}", shown.points),
        (f"{points} {phrases.PER_MATCH}", averages),
        (phrases.GINS, shown.gins),
        (phrases.STREAK, shown.longest_streaks),
    )
    parts += [f"{name} {_values_by_side(names, values)}" for name, values in facts]
    last = shown.meetings[: -max_matches - 1 : -1]
    match_texts = [
        f"{phrases.short_date(meeting.ended_at.date())} {meeting.points[0]}–{meeting.points[1]} "
        + (
            phrases.MATCH_ENDINGS[meeting.ending]
            or f"{first if meeting.ending is Ending.FIRST else second} {phrases.WON}"
        )
        for meeting in last
    ]
    parts.append(f"{phrases.last_meetings_title(shown.category, len(last))}: {', '.join(match_texts)}")
    return _sentences(parts)


def activity(shown: Activity) -> str:
    """Describe a server's activity: totals, the busiest day or week, and each with a match.

    A single day or week, which its title says is not over, has a date and totals.
    """
    matches, deals = words.count(shown.matches, "match", "matches"), words.count(shown.deals, "deal")
    totals = f"{matches}, {deals}, {words.count(shown.players, 'player')}"
    if len(shown.spans) == 1:
        begins = shown.spans[0].begins
        date_text = f"{phrases.weekday(begins)} {phrases.short_date(begins)}"
        return _sentences([f"{phrases.spans_title(shown)}, {'' if shown.is_daily else 'since '}{date_text}: {totals}"])
    parts = [f"{phrases.spans_title(shown)}: {totals}"]
    if shown.busiest is not None:
        name, value = phrases.busiest_text(shown)
        parts.append(f"{name} {value}")
    each = "; ".join(
        f"{phrases.weekday(span.begins) + ' ' if shown.is_daily else ''}{phrases.short_date(span.begins, year=False)}: "
        f"{span.matches}, {span.players}"
        for span in shown.spans
        if span.matches
    )
    first, last = (phrases.short_date(span.begins) for span in (shown.spans[0], shown.spans[-1]))
    name = phrases.by_span(f"{phrases.MATCHES} and {phrases.PLAYERS.lower()}", shown)
    none = "" if all(span.matches for span in shown.spans) else "; otherwise none"
    parts.append(f"{name}, {first} to {last}: {each}{none}")
    parts.append(f"The current {'day' if shown.is_daily else 'week'} isn't over yet")
    return _sentences(parts)


def _values_by_side(sides: Sequence[str], values: Iterable[object]) -> str:
    return ", ".join(f"{side} {value}" for side, value in zip(sides, values, strict=True))


def _sentences(parts: Iterable[str]) -> str:
    return ". ".join(parts) + "."


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _seat_outcome_text(view: ShowdownView, seat: Seat, monograms: Sequence[str], names: CardNames) -> str:
    """Return how the deal ended for a seat, with the card that it discarded or the cards that it laid off."""
    ended = f"{monograms[seat]} {phrases.seat_outcome(view, seat)}"
    if seat == view.outcome.knocker:
        return f"{ended}, discarding {names.short(view.discard)}" if view.discard else ended
    laid_off = _lay_offs_text((lay_off for lay_off in view.outcome.lay_offs if lay_off.seat == seat), names)
    return f"{ended} ({laid_off})" if laid_off else ended


def _points_text(view: ShowdownView, monograms: Sequence[str]) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        outcome_text = "A tie" if outcome.kind is OutcomeKind.TIE else phrases.OUTCOME_TITLES[outcome.kind]
        return f"{outcome_text}, {phrases.NO_POINTS}"
    winner = monograms[outcome.winner]
    if view.penalty_points:
        charged = ", ".join(f"{monograms[seat]} {added}" for seat, added in phrases.charge_sums(view).items())
        return f"{winner} wins the deal; penalty points: {charged}"
    lines = f", {words.count(outcome.boxes, 'line')}" if outcome.boxes > 1 else ""
    return f"{winner} scores {phrases.points_sum(view)}{lines}"


def _player_text(view: PublicView, seat: Seat, monograms: Sequence[str], names: CardNames) -> str:
    side, card_count = facts.side_index(seat, view.sides), facts.face_down_count(view, seat)
    holds = phrases.cards_replacement(view, seat) or f"{words.count(card_count, 'card')} face down"
    label, points = phrases.score_label(view).lower(), phrases.side_points(view, side)
    partners = [other for other in view.sides[side] if other != seat]
    partners_text = f" with {phrases.side_name(partners, monograms)}" if partners else ""
    dealer = ", dealer" if seat == view.dealer else ""
    turn = [] if facts.is_match_over(view) else phrases.last_turn(view, seat)
    moves = [f"{text} {names.short_row(cards)}".rstrip() for text, cards in turn]
    turn_text = f"; {', '.join(moves)}" if moves else ""
    return f"{monograms[seat]}: {holds}, {label} {points}{partners_text}{dealer}{turn_text}"


def _meld_text(meld: Meld, names: CardNames) -> str:
    return f"{'run' if meld.is_run else 'set'} {names.short_row(facts.meld_in_order(meld.cards))}"


def _melds_text(arrangement: Arrangement, names: CardNames) -> str:
    return "; ".join(_meld_text(meld, names) for meld in arrangement.melds) or "no melds"


def _arrangement_text(arrangement: Arrangement, names: CardNames, *, spelled_out: bool = True) -> str:
    """Return the melds and the deadwood of a hand, including the deadwood cards if `spelled_out`."""
    melds = _melds_text(arrangement, names)
    if not arrangement.unmatched:
        return f"{melds}; no deadwood"
    cards = f": {names.short_row(arrangement.unmatched)}" if spelled_out else ""
    return f"{melds}; deadwood {arrangement.deadwood}{cards}"


def _lay_offs_text(lay_offs: Iterable[LayOff], names: CardNames, monograms: Sequence[str] | None = None) -> str:
    texts: list[str] = []
    for lay_off in lay_offs:
        seat_text = f" by {monograms[lay_off.seat]}" if monograms else ""
        texts.append(
            f"{names.short(lay_off.card)} on {names.short_row(facts.meld_in_order(lay_off.meld.cards))}{seat_text}"
        )
    return "; ".join(texts)


def _discards_text(view: PublicView, shown: Sequence[Card], names: CardNames) -> str:
    if not shown:
        return "Discard pile: empty"
    below_text = f", under it {names.short_row(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    total_text = f", {words.count(len(view.discards), 'card')} in all" if len(view.discards) > len(shown) else ""
    return f"Discard pile: {names.short(shown[-1])} on top{below_text}{total_text}"


def _knock_limit_text(view: PublicView) -> str:
    limit = f"Knock with {view.knock_limit} or less" if view.knock_limit else "Gin only"
    return f"{limit}; the deal counts double" if facts.counts_double(view) else limit
