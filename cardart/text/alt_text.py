"""Alt texts of the pictures: everything that they show, in words.

Cards are written as in the pictures: `7♥`, `D♦`. `language` is the language code of the card names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.engine.cards import Card, parse_cards
from bot.engine.melds import Arrangement, Meld
from bot.engine.moves import Seat
from bot.engine.replay import ReplayView
from bot.engine.showdown import LayOff, OutcomeKind
from bot.engine.views import KnockView, PublicView, SeatView, ShowdownView
from bot.values.appearance import HandOrder
from bot.values.history import Ending, Versus
from bot.values.ids import PersonId
from bot.values.seasons import Awarded, Podium
from bot.values.standings import Order, Ranked
from bot.values.statistics import Category, Profile, Week
from cardart.text import phrases, queries
from cardart.text import podium as podium_text
from cardart.text import standings as standings_text
from cardart.text.card_names import Names, names_of
from cardart.text.scorecard import ScoreLine, Sums, shortened, together
from cardart.text.seasons import champion

_LONGEST: Final = 1024
"""Discord's limit for alt texts, in characters."""


def primer(language: str) -> str:
    """Describe an example run, set and deadwood, and the points of ace and court cards."""
    names = names_of(language)
    run, same, rest = (names.row(parse_cards(cards)) for cards, *_ in phrases.PRIMER)
    return (
        f"Three groups of cards. {run}: a run, three or more cards in a row in one suit. {same}: a set, three or four "
        f"cards of one rank. {rest}: deadwood, the cards in no meld, 9 + 1 = 10 points. "
        f"{phrases.card_points(names.letters)}."
    )


def hand(view: SeatView, language: str, order: HandOrder) -> str:
    """Describe a hand: the cards row by row, the new card, melds, deadwood, the piles, and the possible moves."""
    names = names_of(language)
    drawn = [f"New card: {names.short(view.new_card)}"] if view.new_card else []
    state = phrases.hand_state(view)
    may = [state.rstrip("!")] if state else []
    knocks = ", ".join(f"{names.short(one.card)} leaves {one.leaves}" for one in view.discard_choices if one.knocks)
    knock = [f"Knocking with {knocks}"] if knocks else []
    least = queries.least_left(view)
    better = "" if least is None else f", {phrases.at_best(least)}"
    arranged = _capital(_arranged(view.arrangement, names, spelled_out=False)) + better
    where = [*_slots(view, names, order), *drawn, arranged, *_piles(view.public, names)]
    return _sentences([*where, *may, *knock, _limit(view.public)])


def _slots(view: SeatView, names: Names, order: HandOrder) -> list[str]:
    """Return a text for each row of the hand, without the new card. Cards that were laid off read `(laid off)`."""
    slots = [card for card in queries.hand_in_order(view, order) if card is not view.new_card]
    rows = [slots[start : start + queries.IN_A_ROW] for start in range(0, len(slots), queries.IN_A_ROW)]
    told = [" ".join(names.short(card) if card in view.hand else "(laid off)" for card in row) for row in rows]
    return [f"Your hand: {told[0]}", *(f"Second row: {row}" for row in told[1:])] if told else []


def _piles(view: PublicView, names: Names) -> list[str]:
    """Return the top of the discard pile, and the number of cards in the stock."""
    top = "The discard pile is empty" if view.top is None else f"Top of the discard pile: {names.short(view.top)}"
    return [top, f"Stock: {phrases.count(view.stock, 'card')}"]


def lay_off(view: SeatView, knock: KnockView, language: str, order: HandOrder) -> str:
    """Describe the picture of a hand while a knock is being answered."""
    names = names_of(language)
    laid_off = [f"Laid off so far: {_lay_offs(knock.lay_offs, names)}"] if knock.lay_offs else []
    state = phrases.lay_off_state(view)
    if view.seat == knock.seat:
        own = f"{phrases.YOU_KNOCKED_WITH} {knock.laid.deadwood}: {_arranged(knock.laid, names)}"
        return _sentences([own, *laid_off, state])
    melds = "; ".join(f"({number}) {_meld(meld, names)}" for number, meld in enumerate(knock.laid.melds, 1))
    melds = melds or "no melds"
    melds += f"; deadwood {names.row(knock.laid.unmatched)}" if knock.laid.unmatched else ""
    fits = [f"{names.short(one.card)} on ({knock.laid.melds.index(one.meld) + 1})" for one in view.lay_offs]
    may = [f"You may lay off {', '.join(fits)}"] if fits else []
    best = queries.best_lay_offs(view)
    state += f": {names.row(one.card for one in best)}" if best else ""
    arranged = _capital(_arranged(view.arrangement, names, spelled_out=False))
    held = [*_slots(view, names, order), arranged, *_piles(view.public, names)]
    return _sentences([f"{phrases.KNOCKED_WITH} {knock.laid.deadwood}: {melds}", *laid_off, *held, *may, state])


def table(view: PublicView, monograms: Sequence[str], shown: Sequence[Card], language: str) -> str:
    """Describe the table. `shown` are the visible discards, top last."""
    names, knock = names_of(language), queries.open_knock(view)
    parts = [f"{phrases.deal_name(view)}, {phrases.goal_line(view.rules)}", phrases.table_state(view, monograms)]
    over = queries.is_over(view)
    if not over:
        parts.append(f"{phrases.STOCK}: {phrases.count(view.stock, 'card')} face down")
    if knock is None:
        parts += [] if over else [_pile(view, shown, names)]
    else:
        how = phrases.knocks_with(knock.laid.deadwood)
        parts.append(f"{monograms[knock.seat]} {how}: {_arranged(knock.laid, names)}")
        parts += [f"Laid off so far: {_lay_offs(knock.lay_offs, names, monograms)}"] if knock.lay_offs else []
    parts += [_player(view, seat, monograms) for seat in queries.visible_seats(view)]
    if not view.score.over:
        parts += [
            f"{phrases.game_name(place)} is over: {phrases.winner_text(game, view.sides, monograms)}"
            for place, game in enumerate(view.score.columns)
            if game.over
        ]
    return _sentences(parts if over else [*parts, _limit(view)])


def showdown(view: ShowdownView, monograms: Sequence[str], language: str) -> str:
    """Describe the showdown of a deal, or explain why the deal is void."""
    names, deal = names_of(language), phrases.deal_name(view)
    sides = [phrases.side_name(seats, monograms) for seats in view.sides]
    points = [phrases.side_points(view, place) for place in range(len(view.sides))]
    score = f"{phrases.score_label(view)}: {_by_side(sides, points)}"
    sums = phrases.final_sums(view)
    score += "".join(f". {sides[place]}: {added}" for place, added in sums)
    if view.score.over:
        winner = [] if view.score.winner is None else [sides[view.score.winner]]
        score += f". {' '.join((*winner, phrases.match_headline(view)))}"
    if view.outcome.kind is OutcomeKind.VOID and not view.outcome.hands:
        return f"{deal}: {phrases.VOID.lower()}. {' '.join(phrases.void_explanation(view, monograms))} {score}."
    seats = queries.knocker_first(view)
    hands = [f"{_ended(view, seat, monograms, names)}: {_arranged(view.hand(seat), names)}" for seat in seats]
    out = [f"{monograms[seat]} {phrases.SITS_OUT}" for seat in queries.sitting_out(view)]
    return _sentences([deal, *hands, *out, _won(view, monograms), score])


def replay(view: ReplayView, monograms: Sequence[str], language: str) -> str:
    """Describe a replay animation: the hands dealt, the number of actions, and the outcome.

    The actions are not listed, because the text of the message lists them.
    """
    over, names = view.showdown, names_of(language)
    hands = zip(over.seats, view.moments[0].hands, strict=True)
    dealt = [f"{monograms[seat]} is dealt {names.row(hand.cards)}" for seat, hand in hands]
    ends = [_ended(over, seat, monograms, names) for seat in queries.knocker_first(over)]
    actions = phrases.count(view.actions, "action")
    title = f"{phrases.deal_name(over)}, replayed as an animation of {actions}, all hands face up"
    return _sentences([title, *dealt, *ends, _won(over, monograms)])


def replay_step(view: ReplayView, step: int, monograms: Sequence[str], language: str) -> str:
    """Describe a deal after `step` actions, with all hands face up. One step after the last action is the showdown."""
    names, over = names_of(language), view.showdown
    if step > view.actions:
        return showdown(over, monograms, language)
    moment = view.moments[step]
    told = phrases.DEALT if step == 0 else phrases.RESHUFFLED
    if moment.move is not None:
        card = "" if moment.move.card is None else f" {names.short(moment.move.card)}"
        told = f"{monograms[moment.move.seat]} {phrases.ACTION_VERBS[moment.move.verb]}{card}"
    hands: list[str] = []
    for seat, hand in zip(over.seats, moment.hands, strict=True):
        told_hand = _arranged(hand, names)
        if moment.new_card is not None and moment.move is not None and moment.move.seat == seat:
            rest = f"; unmatched {names.row(hand.unmatched)}" if hand.unmatched else ""
            left = f"{phrases.DEADWOOD.lower()} {moment.least_left} {phrases.AFTER_DISCARD}"
            told_hand = f"{_melds(hand, names)}{rest}; new {names.short(moment.new_card)}; {left}"
        hands.append(f"{monograms[seat]}: {told_hand}")
    laid_off = [f"Laid off so far: {_lay_offs(moment.lay_offs, names, monograms)}"] if moment.lay_offs else []
    top = f"Discard pile: {names.short(moment.discards[-1])} on top" if moment.discards else "Discard pile: empty"
    top += f", {phrases.count(len(moment.discards), 'card')} in all" if moment.discards else ""
    stock = f"Stock: {phrases.count(moment.stock, 'card')}"
    return _sentences(["".join(phrases.deal_step(over, step, view.actions)), told, *hands, *laid_off, stock, top])


def score_sheet(view: PublicView, lines: Sequence[ScoreLine], below: Sums, monograms: Sequence[str]) -> str:
    """Describe the scorecard. Older deals are summed up until the text fits Discord's limit."""
    head = f"Score sheet, {phrases.goal_line(view.rules)}"
    sides = [phrases.side_name(seats, monograms) for seats in view.sides]
    foot = [f"{one.name}: {_by_side(sides, one.numbers)}" for one in below[0]]
    if len(below) > 1:
        games = [[f"{one.name.lower()} {_by_side(sides, one.numbers)}" for one in game] for game in below]
        foot = [f"{phrases.game_name(place)}: {'; '.join(game)}" for place, game in enumerate(games)]
        all_games = together(view.score)
        foot.append(f"{all_games.name}: {_by_side(sides, all_games.numbers)}")
    if view.score.over or len(below) == 1:
        results = phrases.match_result(view) if view.score.over else phrases.lead(view)
        foot.append(", ".join(f"{phrases.side_name(seats, monograms)} {text}".strip() for seats, text in results))
    attempts = (
        _sentences([head, *(_entered(line, sides, monograms) for line in shortened(lines, most)), *foot])
        for most in range(len(lines), 0, -1)
    )
    return next(text for text in attempts if len(text) <= _LONGEST)


def _entered(line: ScoreLine, sides: Sequence[str], monograms: Sequence[str]) -> str:
    """Return the text of one line of the scorecard."""
    if line.what == "earlier":
        totals = ["/".join(map(str, games)) for games in zip(*line.totals, strict=True)]
        return f"{line.label}: {_by_side(sides, totals)}"
    entries: list[str] = []
    for place, side in enumerate(sides):
        added = [(game, points[place]) for game, points in enumerate(line.added) if points[place] is not None]
        for game, points in added[:1]:
            lines = phrases.count(line.boxes[game][place], "line")
            extra = f" ({lines})" if line.boxes[game][place] > 1 else ""
            entries.append(f"{side} {points}" if line.what == "board" else f"{side} +{points}{extra}")
        if len(line.added) > 1:
            entries += [f"{phrases.game_name(game).lower()} {line.totals[game][place]}" for game, _ in added]
        elif added and line.what != "board":
            entries[-1] += f" = {line.totals[0][place]}"
    how = f"{line.label} {line.how}".strip()
    if line.deal and line.deal.charged and line.deal.outcome.winner is not None:
        how += f" by {monograms[line.deal.outcome.winner]}"
    return f"{how}: {', '.join(entries) or phrases.NO_POINTS}"


def podium(name: str, category: str, podium: Podium, superlatives: Sequence[Awarded]) -> str:
    """Describe the podium of a season: its name and category, each place with its number, and the superlatives."""
    places = [
        f"{row.place}. {row.standing.name}: {podium_text.words(row.standing, podium.order)}" for row in podium.rows
    ]
    most = [f"{podium_text.SUPERLATIVES[one.award]}: {one.name}, {podium_text.most(one)}" for one in superlatives]
    return _sentences([f"{name}, {category}", *places, *most])


def standings(shown: Sequence[Ranked], order: Order, category: Category, own: PersonId | None) -> str:
    """Describe standings: the sort order, the numbers of each row, and the place of the person `own` if shown."""
    lines = [
        f"{row.place}. {one.name}: {phrases.count(one.results.decided, 'match', 'matches')}, {one.won} {phrases.WON} "
        f"({phrases.percentage(one.results.share)}), {standings_text.last_words(one, order, category)}"
        for row in shown
        for one in (row.standing,)
    ]
    yours = [f"Your place: {row.place}" for row in shown if row.standing.person_id == own]
    return _sentences([standings_text.title(order, category), *lines, *yours])


def profile(shown: Profile, monograms: Sequence[str], recent: int) -> str:
    """Describe a person's profile, including the results of the `recent` last matches."""
    played, net, results = shown.played, queries.running_net(shown), shown.results
    share = [] if results.share is None else [f"Won {results.share}%"]
    titles = [champion(shown.titles, 1)] if shown.titles else []
    rank = [] if shown.rank is None else [f"{phrases.RATING} {shown.rank.rating}{phrases.place_of(shown.rank)}"]
    matches = phrases.count(results.decided, "match", "matches")
    parts = [*titles, *rank, matches, *share, f"{phrases.STREAK} {shown.streak}"]
    first, last = (phrases.short_date(match.ended_at.date()) for match in (played[0], played[-1]))
    when = last if first == last else f"{first} to {last}"
    low, high, end = map(phrases.signed, (min(net), max(net), net[-1]))
    course = f"{when}: lowest {low}, highest {high}, at the end {end}" if len(played) > 1 else end
    parts.append(f"{phrases.NET} {course}")
    ways = ", ".join(f"{deals} {way}" for way, deals in zip(phrases.WINS_BY, queries.wins_by_way(shown), strict=True))
    parts.append(f"{phrases.DEALS_WON}: {shown.deals_won} of {shown.deals_won + shown.deals_lost}; {ways}")
    result_words = {True: phrases.WON, False: phrases.LOST, None: phrases.NEITHER}
    lately = [result_words[match.won] for match in played[-recent:]]
    parts.append(f"{phrases.last_matches(len(lately))}: {', '.join(lately)}")
    if shown.rival is not None:
        parts.append(f"{phrases.MOST_OFTEN} {monograms[1]}: {phrases.win_loss(shown.rival.won, shown.rival.lost)}")
    return _sentences(parts)


def versus(shown: Versus, monograms: Sequence[str], most: int) -> str:
    """Describe the matches between two people, including each of the `most` last matches."""
    first, second = monograms
    won = shown.count(Ending.FIRST), shown.count(Ending.SECOND)
    parts = [f"{first} against {second}: {phrases.matches_in_all(len(shown.meetings), len(shown.meetings) - sum(won))}"]
    told = (
        (phrases.WON.capitalize(), won),
        (phrases.points_kind(shown.category), shown.points),
        (phrases.GINS, shown.gins),
        (phrases.STREAK, shown.streaks),
    )
    parts += [f"{name} {_by_side(monograms, values)}" for name, values in told]
    last = shown.meetings[: -most - 1 : -1]
    listed = [
        f"{phrases.short_date(one.ended_at.date())} {one.points[0]}–{one.points[1]} "
        + (phrases.ENDINGS[one.ending] or f"{first if one.ending is Ending.FIRST else second} {phrases.WON}")
        for one in last
    ]
    parts.append(f"{phrases.last_matches(len(last))}: {', '.join(listed)}")
    return _sentences(parts)


def activity(weeks: Sequence[Week]) -> str:
    """Describe the matches and players of each week on a server."""
    busy = [week for week in weeks if week.matches]
    parts = [f"{phrases.short_date(week.begins, year=False)}: {week.matches}, {week.players}" for week in busy]
    first, last = (phrases.short_date(week.begins) for week in (weeks[0], weeks[-1]))
    total = phrases.in_all(sum(week.matches for week in weeks))
    most = phrases.at_most(max(week.players for week in weeks))
    summed = f"Matches and players per week, {first} to {last}: matches {total}, players {most}"
    return f"{summed}. {'; '.join(parts)}; otherwise none. The last week is not over."


def _by_side(sides: Sequence[str], values: Iterable[object]) -> str:
    return ", ".join(f"{side} {value}" for side, value in zip(sides, values, strict=True))


def _sentences(parts: Iterable[str]) -> str:
    return ". ".join(parts) + "."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _ended(view: ShowdownView, seat: Seat, monograms: Sequence[str], names: Names) -> str:
    """Return how the deal ended for a seat, with the card that it discarded or the cards that it laid off."""
    ended = f"{monograms[seat]} {phrases.seat_outcome(view, seat)}"
    if seat == view.outcome.knocker:
        return f"{ended}, discarding {names.short(view.discard)}" if view.discard else ended
    laid_off = _lay_offs((one for one in view.outcome.lay_offs if one.seat == seat), names)
    return f"{ended} ({laid_off})" if laid_off else ended


def _won(view: ShowdownView, monograms: Sequence[str]) -> str:
    outcome = view.outcome
    if outcome.winner is None:
        told = "A tie" if outcome.kind is OutcomeKind.TIE else phrases.OUTCOME_TITLES[outcome.kind]
        return f"{told}, {phrases.NO_POINTS}"
    winner = monograms[outcome.winner]
    if view.charged:
        charged = ", ".join(f"{monograms[seat]} {added}" for seat, added in phrases.charge_sums(view).items())
        return f"{winner} wins the deal; penalty points: {charged}"
    lines = f", {phrases.count(outcome.boxes, 'line')}" if outcome.boxes > 1 else ""
    return f"{winner} scores {phrases.points_sum(view)}{lines}"


def _player(view: PublicView, seat: Seat, monograms: Sequence[str]) -> str:
    place, held = queries.side_of(seat, view.sides), queries.cards_face_down(view, seat)
    holds = phrases.instead_of_cards(view, seat) or f"{phrases.count(held, 'card')} face down"
    label, points = phrases.score_label(view).lower(), phrases.side_points(view, place)
    partners = [other for other in view.sides[place] if other != seat]
    beside = f" with {phrases.side_name(partners, monograms)}" if partners else ""
    dealer = ", dealer" if seat == view.dealer else ""
    return f"{monograms[seat]}: {holds}, {label} {points}{beside}{dealer}"


def _meld(meld: Meld, names: Names) -> str:
    return f"{'run' if meld.is_run else 'set'} {names.row(queries.in_order(meld.cards))}"


def _melds(arrangement: Arrangement, names: Names) -> str:
    return "; ".join(_meld(meld, names) for meld in arrangement.melds) or "no melds"


def _arranged(arrangement: Arrangement, names: Names, *, spelled_out: bool = True) -> str:
    """Return the melds and the deadwood of a hand, including the deadwood cards if `spelled_out`."""
    melds = _melds(arrangement, names)
    if not arrangement.unmatched:
        return f"{melds}; no deadwood"
    cards = f": {names.row(arrangement.unmatched)}" if spelled_out else ""
    return f"{melds}; deadwood {arrangement.deadwood}{cards}"


def _lay_offs(lay_offs: Iterable[LayOff], names: Names, monograms: Sequence[str] | None = None) -> str:
    told: list[str] = []
    for one in lay_offs:
        who = f" by {monograms[one.seat]}" if monograms else ""
        told.append(f"{names.short(one.card)} on {names.row(queries.in_order(one.meld.cards))}{who}")
    return "; ".join(told)


def _pile(view: PublicView, shown: Sequence[Card], names: Names) -> str:
    if not shown:
        return "Discard pile: empty"
    under = f", under it {names.row(reversed(shown[:-1]))}" if len(shown) > 1 else ""
    more = f", {phrases.count(len(view.discards), 'card')} in all" if len(view.discards) > len(shown) else ""
    return f"Discard pile: {names.short(shown[-1])} on top{under}{more}"


def _limit(view: PublicView) -> str:
    limit = f"Knock with {view.knock_limit} or less" if view.knock_limit else "Gin only"
    return f"{limit}, and the deal counts double" if queries.counts_double(view) else limit
