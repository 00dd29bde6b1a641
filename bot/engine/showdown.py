"""How a deal ends: the melds laid down, the lay-offs, and the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards import Card, Hand
from bot.engine.melds import Arrangement, Meld, arrangements, best_arrangement, least_deadwood
from bot.engine.moves import Seat
from bot.engine.rules import Rules


class Kind(StrEnum):
    """How a deal ended."""

    KNOCK = "knock"
    GIN = "gin"
    UNDERCUT = "undercut"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class LayOff:
    """A card laid off on a meld; the meld is named as it was first laid down. Text: `8s>5s6s7s`."""

    card: Card
    meld: Meld

    def __str__(self) -> str:
        return f"{self.card}>{self.meld}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a deal ended. All tuples are in the deal's order of play.

    `hands` are the arrangements laid down, without the cards laid off; `deadwood` is what counts, after lay-offs.
    `points` are `difference` and `bonus` together, and go to the winner. A void deal has neither knocker nor winner,
    and no deadwood.
    """

    kind: Kind
    knocker: Seat | None = None
    winner: Seat | None = None
    hands: tuple[Arrangement, ...] = ()
    lay_offs: tuple[LayOff, ...] = ()
    deadwood: tuple[int, ...] = ()
    difference: int = 0
    bonus: int = 0

    @property
    def points(self) -> int:
        """What the winner scores."""
        return self.difference + self.bonus


@dataclass(frozen=True, slots=True)
class Defence:
    """How the opponent of a knocker answers: own melds, lay-offs, and what neither takes."""

    arrangement: Arrangement
    lay_offs: tuple[LayOff, ...]


def best_defence(hand: Hand, melds: Sequence[Meld]) -> Defence:
    """The melds and lay-offs that together leave the opponent the least deadwood.

    A card may be worth more on the knocker's melds than in the opponent's own, so both are weighed at once, exactly.
    Among equals: the fewest lay-offs, then the smallest printed form.
    """
    ways = list(_ways_to_lay_off(hand, tuple(melds)))
    least = min(least_deadwood(rest) for _, rest in ways)
    defences = [
        Defence(arrangement, lay_offs)
        for lay_offs, rest in ways
        if least_deadwood(rest) == least
        for arrangement in arrangements(rest, least)
    ]
    return min(defences, key=lambda way: (len(way.lay_offs), way.arrangement.text, [str(one) for one in way.lay_offs]))


def _ways_to_lay_off(hand: Hand, melds: tuple[Meld, ...]) -> Iterator[tuple[tuple[LayOff, ...], Hand]]:
    """Every choice of cards to lay off on the melds, each with the hand that is left; the first lays off nothing."""
    if not melds:
        yield (), hand
        return
    meld, others = melds[0], melds[1:]
    for added in _additions(hand, meld):
        for lay_offs, rest in _ways_to_lay_off(hand.without(added), others):
            yield (*(LayOff(card, meld) for card in added), *lay_offs), rest


def _additions(hand: Hand, meld: Meld) -> Iterator[tuple[Card, ...]]:
    """Every group of cards that the meld takes: a set its fourth card, a run cards at either end, in chains."""
    if not meld.is_run:
        yield ()
        yield from ((card,) for card in meld.takes if card in hand)
        return
    first, last = meld.cards[0], meld.cards[-1]
    below = _chain(hand, first, -1)
    above = _chain(hand, last, +1)
    for down in range(len(below) + 1):
        for up in range(len(above) + 1):
            yield below[:down] + above[:up]


def _chain(hand: Hand, end: Card, step: int) -> tuple[Card, ...]:
    chain: list[Card] = []
    rank = end.rank + step
    while 1 <= rank <= 13 and (card := Card.of(rank, end.suit)) in hand:
        chain.append(card)
        rank += step
    return tuple(chain)


def settle(rules: Rules, seats: Sequence[Seat], hands: Sequence[Hand], knocker: int, laid: Arrangement) -> Outcome:
    """What the deal scores once a player has knocked or gone gin.

    Args:
        rules: the bonuses.
        seats: in order of play.
        hands: the hands, in the same order; the knocker's without the discard.
        knocker: the knocker's place in that order.
        laid: the knocker's arrangement.
    """
    other = 1 - knocker
    gin = not laid.unmatched
    defence = Defence(best_arrangement(hands[other]), ()) if gin else best_defence(hands[other], laid.melds)
    against = defence.arrangement.deadwood
    if gin:
        kind, winner, bonus = Kind.GIN, knocker, rules.gin_bonus
    elif against <= laid.deadwood:
        kind, winner, bonus = Kind.UNDERCUT, other, rules.undercut_bonus
    else:
        kind, winner, bonus = Kind.KNOCK, knocker, 0
    arranged = (laid, defence.arrangement) if knocker == 0 else (defence.arrangement, laid)
    return Outcome(
        kind=kind,
        knocker=seats[knocker],
        winner=seats[winner],
        hands=arranged,
        lay_offs=defence.lay_offs,
        deadwood=(arranged[0].deadwood, arranged[1].deadwood),
        difference=abs(against - laid.deadwood),
        bonus=bonus,
    )
