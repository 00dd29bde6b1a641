"""Whole matches played by a seed, to their end: what the reckoning and the proof of the knobs are fed with."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bot.engine.cards import DECK
from bot.engine.deal import Deal, Phase
from bot.engine.match import Action, Chance, Cut, Match, Play, Restock, Shuffle, apply, legal, new_match
from bot.engine.melds import least_deadwood
from bot.engine.moves import Move, Seat, Verb
from bot.engine.record import Record
from bot.engine.rules import Rules


def played(rules: Rules, seats: int, seed: int, *, eager: float = 0.8) -> Record:
    """The record of a match to its end; `eager` is how likely a player goes out who can."""
    *_, (actions, match) = steps(rules, seats, seed, eager=eager)
    return Record(match.rules, actions, tuple(f"Player {seat}" for seat in range(seats)), result=match.score.totals)


def steps(rules: Rules, seats: int, seed: int, *, eager: float = 0.8) -> Iterator[tuple[tuple[Action, ...], Match]]:
    """The match before its first action and after each, with the actions so far."""
    rng, match = random.Random(seed), new_match(rules, seats)
    actions: tuple[Action, ...] = ()
    while True:
        yield actions, match
        if match.awaits is None and not match.to_act:
            return
        action = _chance(match, rng) if match.awaits is not None else _choice(match, rng, eager)
        actions, match = (*actions, action), apply(match, action)


def _chance(match: Match, rng: random.Random) -> Action:
    """What the table brings: a cut, a deck for the next deal, or the discards in a new order."""
    if match.awaits is Chance.CUT:
        return Cut(tuple(rng.sample(DECK, match.seats)))
    if match.awaits is Chance.STOCK:
        waiting = next(deal for deal in match.playing if deal.phase is Phase.RESHUFFLE)
        pile = waiting.discards[:-1]
        return Restock(tuple(rng.sample(pile, len(pile))))
    first = match.first_dealer
    seating = match.seatings(Seat(rng.randrange(match.seats)) if first is None else first)[0]
    seats = seating.seats if match.format.says_seats else None
    return Shuffle(seating.number, seating.dealer, tuple(rng.sample(DECK, len(DECK))), seats, seating.board)


def _choice(match: Match, rng: random.Random, eager: float) -> Play:
    """A move of one of those to act: out where it can be, else towards less deadwood, now and then any at all."""
    seat = rng.choice(match.to_act)
    moves, deal = legal(match, seat), match.deal_of(seat)
    out = [move for move in moves if move.verb in (Verb.KNOCK, Verb.BIG_GIN)]
    discards = [move for move in moves if move.verb is Verb.DISCARD]
    if out and (not discards or rng.random() < eager):
        return Play(seat, rng.choice(out[-3:] if out[-1].verb is Verb.BIG_GIN else out))
    if discards:
        return Play(seat, _least(deal, discards, rng))
    if deal.phase is Phase.LAY_OFF:
        laid = [move for move in moves if move.verb is Verb.LAY_OFF]
        return Play(seat, rng.choice(laid if laid and rng.random() < 0.7 else moves))
    if moves[-1].verb is Verb.TAKE and (deal.phase is Phase.WALL or _improves(deal)) and rng.random() < 0.9:
        return Play(seat, moves[-1])
    return Play(seat, moves[0] if rng.random() < 0.9 else rng.choice(moves))


def _least(deal: Deal, discards: list[Move], rng: random.Random) -> Move:
    """One of the two discards that leave least."""
    hand, aces = deal.hands[deal.turn], deal.rules.aces

    def left(move: Move) -> int:
        return 0 if move.card is None else least_deadwood(hand - move.card, aces)

    return rng.choice(sorted(rng.sample(discards, len(discards)), key=left)[: rng.choice((1, 1, 1, 2))])


def _improves(deal: Deal) -> bool:
    """Whether the top discard makes a hand better by more than a low card would."""
    hand, card, aces = deal.hands[deal.turn], deal.discards[-1], deal.rules.aces
    return least_deadwood(hand + card, aces) <= least_deadwood(hand, aces)
