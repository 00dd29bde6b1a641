"""Helpers for the engine's tests: rigged decks, deals played from text, and random play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from bot.engine.cards.cards import DECK, Card, Hand, parse_cards
from bot.engine.cards.melds import Arrangement, best_arrangement, least_deadwood, melds_in, points
from bot.engine.deals.deal import Deal, Seating, start_deal
from bot.engine.deals.moves import LOSE_ON_TIME, RESIGN, Move, Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.deals.phases import play
from bot.engine.deals.showdown import Outcome, Response, best_response, settle
from bot.engine.matches.formats import FORMATS
from bot.engine.matches.match import Action, Awaiting, Cut, Match, Play, Reshuffle, Shuffle, apply, legal, new_match
from bot.engine.rules import PRESETS, Rules

FIRST, DEALER = Seat(0), Seat(1)

TABLES = [(preset, seats) for preset in PRESETS for seats in FORMATS[Rules.parse(preset).format].seats]
"""Every preset, with each number of players that it allows."""

GIN_HAND = "Ac 2c 3c 4d 5d 6d Kc Kd Kh"
"""Nine cards in three melds. With a tenth card that extends one of the melds, the hand is gin."""

POOR_HAND = "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
"""Ten cards without a meld, worth 60 points."""


def deck_of(*hands: str, upcard: str, stock: str = "") -> tuple[Card, ...]:
    """Return a deck that deals these hands in order of play, then the upcard, the given stock, and the other cards."""
    dealt = [parse_cards(hand) for hand in hands]
    assert len({len(hand) for hand in dealt}) == 1
    chosen = (*chain.from_iterable(zip(*dealt, strict=True)), Card.parse(upcard), *parse_cards(stock))
    assert len(set(chosen)) == len(chosen)
    return (*chosen, *(card for card in DECK if card not in chosen))


def deck(first: str, dealer: str, upcard: str, stock: str = "") -> tuple[Card, ...]:
    """Return a deck that deals two players these hands of ten cards."""
    return deck_of(first, dealer, upcard=upcard, stock=stock)


def deal(first: str, dealer: str, upcard: str, stock: str = "", rules: Rules | None = None) -> Deal:
    """Return a deal with a rigged deck. Seat 0 acts first, seat 1 is the dealer."""
    return start_deal(rules or Rules(), Seating(1, (FIRST, DEALER), DEALER, 1), deck(first, dealer, upcard, stock))


def table(*hands: str, upcard: str, stock: str = "", rules: str = "penalty") -> Deal:
    """Return a deal of the penalty game with these hands. Seats act in numerical order, starting with seat 0."""
    agreed = replace(Rules.parse(rules), cards_dealt=10 if len(hands) == 2 else 7)
    seats = tuple(Seat(seat) for seat in range(len(hands)))
    return start_deal(agreed, Seating(1, seats, seats[-1], 1), deck_of(*hands, upcard=upcard, stock=stock))


def played(before: Deal, *moves: str) -> Deal:
    """Return the deal after moves, given in notation."""
    for move in moves:
        before = play(before, Move.parse(move))
    return before


def outcome(after: Deal) -> Outcome:
    """Return the outcome of a finished deal."""
    assert after.outcome is not None
    return after.outcome


def arrangement(melds: str, unmatched: str = "", rules: Rules | None = None) -> Arrangement:
    """Return an arrangement from melds and unmatched cards, given as text."""
    aces = (rules or Rules()).aces
    found = melds_in(Hand.parse(melds.replace("/", "")), aces)
    chosen = tuple(meld for meld in found if str(meld) in melds.split("/"))
    loose = tuple(Hand.parse(unmatched))
    return Arrangement(chosen, loose, points(loose, aces))


def knock_outcome(knocker: Arrangement, opponent: str, rules: Rules | None = None, upcard: str = "Ks") -> Outcome:
    """Return the outcome if seat 0 knocks with this arrangement and the opponent makes the best response to it."""
    agreed, hand = rules or Rules(), Hand.parse(opponent)
    answer = Response(best_arrangement(hand, agreed.aces))
    if knocker.unmatched and agreed.lay_off:
        answer = best_response(hand, knocker.melds, DEALER, aces=agreed.aces, chain=agreed.lay_off_chain)
    return settle(agreed, (FIRST, DEALER), 0, (Response(knocker), answer), Card.parse(upcard))


def shuffled(rng: random.Random) -> tuple[Card, ...]:
    return tuple(rng.sample(DECK, len(DECK)))


def random_move(match: Match, seat: Seat, rng: random.Random) -> Move:
    """Return a random move that tends to end the deal soon: it knocks often, and otherwise lowers the deadwood."""
    moves, before, aces = legal(match, seat), match.deal_of(seat), match.rules.aces
    hand = before.hands[before.turn]
    knocks = [move for move in moves if move.verb in (Verb.KNOCK, Verb.BIG_GIN)]
    if knocks and rng.random() < 0.7:
        return rng.choice(knocks)
    take = [move for move in moves if move.verb is Verb.TAKE]
    if take and before.phase is not Phase.WALL:
        grown = hand + before.discards[-1]
        if min(least_deadwood(grown - card, aces) for card in hand) < least_deadwood(hand, aces):
            return take[0]
    discards = [
        (least_deadwood(hand - move.card, aces), str(move), move)
        for move in moves
        if move.verb is Verb.DISCARD and move.card
    ]
    return rng.choice([move for _, _, move in sorted(discards)[:2]] or moves)


def random_action(match: Match, rng: random.Random) -> Action:
    """Return a possible next action of a running match: a cut, deck or reshuffle if one is due, or a seat's move."""
    if match.awaits is Awaiting.RESHUFFLE:
        (waiting,) = (deal for deal in match.playing if deal.phase is Phase.RESHUFFLE)
        return Reshuffle(tuple(rng.sample(waiting.discards[:-1], len(waiting.discards) - 1)))
    if match.awaits is Awaiting.CUT:
        return Cut(tuple(rng.sample(DECK, match.seats)))
    if match.awaits is Awaiting.DECK and not (match.to_act and rng.random() < 0.5):
        first = Seat(rng.randrange(match.seats)) if match.first_dealer is None else match.first_dealer
        seating = rng.choice(match.due_deals_for(first))
        seats = seating.seats if match.format.names_seats else None
        return Shuffle(seating.number, seating.dealer, shuffled(rng), seats, seating.board)
    seat = rng.choice(match.to_act)
    return Play(seat, random_move(match, seat, rng))


def random_actions(
    seed: int, rules: Rules | None = None, resign_probability: float = 0.0, seats: int = 2
) -> Iterator[tuple[Match, Action, Match]]:
    """Play a random match. Yield the match before each action, the action, and the match after it.

    `resign_probability` is the probability at each action that a seat resigns or loses on time instead.
    """
    rng = random.Random(seed)
    match = new_match(rules or Rules(target=40), seats)
    while match.to_act or match.awaits is not None:
        action = random_action(match, rng)
        if rng.random() < resign_probability:
            action = Play(Seat(rng.randrange(seats)), RESIGN)
            if match.to_act and rng.random() < 0.5:
                action = Play(rng.choice(match.to_act), LOSE_ON_TIME)
        after = apply(match, action)
        yield match, action, after
        match = after


def random_finished_match(
    seed: int, rules: Rules, seats: int = 2, resign_probability: float = 0.0
) -> tuple[list[Action], Match]:
    """Return the actions of a random match and its final state."""
    actions: list[Action] = []
    match = new_match(rules, seats)
    for _, action, after in random_actions(seed, rules, resign_probability, seats):
        actions.append(action)
        match = after
    return actions, match
