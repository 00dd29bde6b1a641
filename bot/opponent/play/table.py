"""Matches simulated on the engine, with the positions of the players to move."""

from __future__ import annotations

from random import Random

from bot.engine.cards.cards import DECK
from bot.engine.deals.moves import Move, Seat
from bot.engine.matches.actions import Action, Awaiting, Cut, Play, Reshuffle, Shuffle
from bot.engine.matches.match import Match, apply, new_match
from bot.engine.rules import Rules
from bot.opponent.play.observation import past_deals, position_of
from bot.opponent.play.position import PastDeal, Position


class Table:
    """A match in play. Its cards come from a seed: the n-th deal has the same deck regardless of the play."""

    def __init__(self, rules: Rules, seats: int, seed: str) -> None:
        self.match: Match = new_match(rules, seats)
        self.past: tuple[PastDeal, ...] = ()
        self._seed = seed
        self._apply_chance()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats whose turn it is; none after the match."""
        return self.match.to_act

    def play(self, seat: Seat, move: Move) -> None:
        """Play a move of a seat whose turn it is. Raise `IllegalMove` as `bot.engine.matches.match.apply` does."""
        finished = len(self.match.finished)
        self.match = apply(self.match, Play(seat, move))
        self.past = (*self.past, *past_deals(self.match, finished))
        self._apply_chance()

    def position(self, seat: Seat) -> Position:
        """Return the game position from the view of a seat whose turn it is."""
        return position_of(self.match, seat, self.past)

    def _apply_chance(self) -> None:
        """Cut, deal and reshuffle as long as the match awaits a chance action."""
        while (awaited := self.match.awaits) is not None:
            self.match = apply(self.match, self._chance(awaited))

    def _chance(self, awaited: Awaiting) -> Action:
        match = self.match
        if awaited is Awaiting.CUT:
            return Cut(tuple(self._random("cut").sample(DECK, match.seats)))
        if awaited is Awaiting.RESHUFFLE and match.reshuffling is not None:
            deal = match.reshuffling
            pile = deal.discards[:-1]
            return Reshuffle(tuple(self._random(deal.number, len(deal.deck)).sample(pile, len(pile))))
        first = match.first_dealer
        dealer = Seat(self._random("dealer").randrange(match.seats)) if first is None else first
        seating = match.due_deals_for(dealer)[0]
        deck = self._random(seating.number, seating.board).sample(DECK, len(DECK))
        return Shuffle(seating.number, seating.dealer, tuple(deck), seating.seats, seating.board)

    def _random(self, *seed_parts: object) -> Random:
        return Random("/".join(map(str, (self._seed, *seed_parts))))
