"""Matches that are simulated on the engine, with the position of whoever is to act."""

from __future__ import annotations

from random import Random

from bot.engine.actions import Action, Awaiting, Cut, Play, Reshuffle, Shuffle
from bot.engine.cards import DECK
from bot.engine.deal import Deal, Phase
from bot.engine.lay_offs import remaining_hand
from bot.engine.match import Match, apply, legal, new_match
from bot.engine.moves import Move, Seat, Verb
from bot.engine.rules import Rules
from bot.engine.showdown import VOID
from bot.engine.views import KnockView, PublicMove
from bot.opponent.position import PastDeal, Position


class Table:
    """A match in play. Its cards come from a seed: the n-th deal has the same deck whoever plays and however."""

    def __init__(self, rules: Rules, seats: int, seed: str) -> None:
        """Deal the first deal of a match."""
        self.match: Match = new_match(rules, seats)
        self.past: tuple[PastDeal, ...] = ()
        self._seed = seed
        self._histories: dict[int, tuple[PublicMove, ...]] = {}
        self._go_on()

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act; none once the match is over."""
        return self.match.to_act

    def play(self, seat: Seat, move: Move) -> None:
        """Play a move of a seat that is to act. Raise `IllegalMove` as `bot.engine.match.apply` does."""
        deal = self.match.deal_of(seat)
        card = deal.discards[-1] if move.verb is Verb.TAKE and deal.discards else move.card
        self.match = apply(self.match, Play(seat, move))
        history = (*self._histories[deal.board], PublicMove(seat, move.verb, card))
        self._histories[deal.board] = history
        ended = self.match.finished[-1] if self.match.finished else None
        if ended is not None and (ended.number, ended.board) == (deal.number, deal.board):
            self.past = (*self.past, _past(ended, history))
        self._go_on()

    def position(self, seat: Seat) -> Position:
        """Return the position of a seat that is to act, as `Position.of` makes it of the seat's view."""
        match, deal = self.match, self.match.deal_of(seat)
        sizes = {one: len(hand) for one, hand in zip(deal.seats, deal.hands, strict=True)}
        knock = deal.knock if deal.phase is Phase.LAY_OFF else None
        return Position(
            rules=match.rules,
            number=deal.number,
            seats=deal.seats,
            seat=seat,
            side=next(place for place, seats in enumerate(match.sides) if seat in seats),
            score=match.score.scores,
            phase=deal.phase,
            hand=remaining_hand(deal, deal.turn),
            new_card=deal.new_card,
            upcard=deal.upcard,
            discards=deal.discards,
            stock=len(deal.stock),
            hand_sizes=tuple(sizes.get(Seat(one), 0) for one in range(match.seats)),
            knock_limit=deal.knock_limit,
            knock=None if knock is None else KnockView(deal.seats[knock.place], knock.laid, knock.lay_offs),
            history=self._histories[deal.board],
            past=self.past,
            moves=legal(match, seat),
        )

    def _go_on(self) -> None:
        """Cut, deal and reshuffle as long as the match awaits that."""
        while (awaited := self.match.awaits) is not None:
            action = self._chance(awaited)
            self.match = apply(self.match, action)
            if isinstance(action, Shuffle):
                self._histories[action.board] = ()

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
        seating = match.seatings(dealer)[0]
        deck = self._random(seating.number, seating.board).sample(DECK, len(DECK))
        return Shuffle(seating.number, seating.dealer, tuple(deck), seating.seats, seating.board)

    def _random(self, *about: object) -> Random:
        return Random("/".join(map(str, (self._seed, *about))))


def _past(deal: Deal, history: tuple[PublicMove, ...]) -> PastDeal:
    outcome = deal.outcome or VOID
    return PastDeal(deal.number, deal.seats, outcome.kind, outcome.knocker, outcome.winner, outcome.deadwood, history)
