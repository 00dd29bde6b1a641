"""The end of a deal: the melds laid down, the lay-offs, and the points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.engine.cards.cards import Card, Hand, Suit
from bot.engine.cards.melds import Aces, Arrangement, Meld, arrangements, least_deadwood, points
from bot.engine.deals.moves import Seat
from bot.engine.rules import Rules


class OutcomeKind(StrEnum):
    """How a deal ended."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big_gin"
    UNDERCUT = "undercut"
    TIE = "tie"
    VOID = "void"
    BROKEN_OFF = "broken_off"
    """The match ended in the middle of the deal. Only replays have this kind."""

    @property
    def is_unfinished(self) -> bool:
        """True if no hand was laid down."""
        return self in (OutcomeKind.VOID, OutcomeKind.BROKEN_OFF)


@dataclass(frozen=True, slots=True)
class LayOff:
    """A card that a seat laid off on a meld. Text: `8s>5s6s7s`.

    `meld` is the meld as it was first laid down, without other cards laid off on it.
    """

    card: Card
    meld: Meld
    seat: Seat

    def __str__(self) -> str:
        return f"{self.card}>{self.meld}"


def extended(meld: Meld, lay_offs: tuple[LayOff, ...]) -> Meld:
    """Return a meld together with the cards laid off on it."""
    cards = [lay_off.card for lay_off in lay_offs if lay_off.meld == meld]
    return Meld(tuple(sorted((*meld.cards, *cards)))) if cards else meld


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a deal. All tuples are in the deal's order of play.

    `hands` are the arrangements laid down, without cards laid off, and `deadwood` the final deadwood, after lay-offs. A
    deal between two is worth `points` to its winner: `difference` and `bonus` together, times `factor`. `boxes` is the
    number of line bonuses. A void or tied deal has no winner; a void one has no knocker and no deadwood either. A void
    deal `is_too_long` if it reached the turn limit.
    """

    kind: OutcomeKind
    knocker: Seat | None = None
    winner: Seat | None = None
    hands: tuple[Arrangement, ...] = ()
    lay_offs: tuple[LayOff, ...] = ()
    deadwood: tuple[int, ...] = ()
    difference: int = 0
    bonus: int = 0
    factor: int = 1
    boxes: int = 0
    is_too_long: bool = False

    @property
    def points(self) -> int:
        """The winner's points."""
        return (self.difference + self.bonus) * self.factor


VOID = Outcome(OutcomeKind.VOID)
TOO_LONG = Outcome(OutcomeKind.VOID, is_too_long=True)


@dataclass(frozen=True, slots=True)
class Response:
    """An opponent's response to a knock: their own melds, their lay-offs, and the remaining cards."""

    arrangement: Arrangement
    lay_offs: tuple[LayOff, ...] = ()


def best_response(
    hand: Hand,
    melds: Sequence[Meld],
    seat: Seat,
    grown: Sequence[Meld] | None = None,
    *,
    own: tuple[Meld, ...] | None = None,
    aces: Aces = "low",
    chain: bool = True,
) -> Response:
    """Return the melds and lay-offs that together leave an opponent the least deadwood.

    A card can save more on the knocker's melds than in the opponent's own, so the search covers both together and is
    exact. Ties go to the fewest lay-offs, then to the first in alphabetical order of the notation.

    `melds` are the knocker's melds as first laid down. `grown` are the same melds with the cards already laid off on
    them (None if there are none). `own` are the opponent's melds if already chosen. With `chain`, a card may be laid
    off next to another card laid off.
    """
    free = hand if own is None else hand.without(card for meld in own for card in meld.cards)
    choices = list(_ways_to_lay_off(free, tuple(zip(melds, grown or melds, strict=True)), seat, aces, chain))

    def deadwood(rest: Hand) -> int:
        return least_deadwood(rest, aces) if own is None else points(rest, aces)

    least = min(deadwood(rest) for _, rest in choices)
    responses = [
        Response(arrangement, lay_offs)
        for lay_offs, rest in choices
        if deadwood(rest) == least
        for arrangement in (arrangements(rest, least, aces) if own is None else [Arrangement.of(own, rest, aces)])
    ]
    return min(
        responses,
        key=lambda response: (
            len(response.lay_offs),
            response.arrangement.text,
            [str(lay_off) for lay_off in response.lay_offs],
        ),
    )


def _ways_to_lay_off(
    hand: Hand, melds: tuple[tuple[Meld, Meld], ...], seat: Seat, aces: Aces, chain: bool
) -> Iterator[tuple[tuple[LayOff, ...], Hand]]:
    """Yield every choice of cards to lay off on the melds, with the remaining hand."""
    if not melds:
        yield (), hand
        return
    (named, grown), others = melds[0], melds[1:]
    for added in (grown if chain else named).extensions(hand, aces, chain=chain):
        for lay_offs, rest in _ways_to_lay_off(hand.without(added), others, seat, aces, chain):
            yield (*(LayOff(card, named, seat) for card in added), *lay_offs), rest


def settle(rules: Rules, seats: Sequence[Seat], knocker: int, responses: Sequence[Response], upcard: Card) -> Outcome:
    """Return the outcome of a deal after everyone has responded to a knock or gin.

    `seats` and `responses` are in order of play, and `knocker` is an index into them; the knocker's response is the
    hand laid down. `upcard` is the first card turned up, which can double the points.
    """
    laid = responses[knocker].arrangement
    is_gin = not laid.unmatched
    is_big_gin = is_gin and sum(len(meld.cards) for meld in laid.melds) > rules.cards_dealt
    deadwood = [response.arrangement.deadwood for response in responses]
    opponents = [(knocker + step) % len(seats) for step in range(1, len(seats))]
    best_opponent = min(opponents, key=lambda index: deadwood[index])
    lead = deadwood[best_opponent] - laid.deadwood
    bonus = extra_boxes = 0
    winner: int | None = knocker
    if is_gin:
        kind, extra_boxes = (OutcomeKind.BIG_GIN if is_big_gin else OutcomeKind.GIN), 2
        bonus = (rules.big_gin_bonus or 0) if is_big_gin else rules.gin_bonus
    elif lead < 0 or (lead == 0 and rules.undercut_on_tie):
        kind, winner, bonus, extra_boxes = OutcomeKind.UNDERCUT, best_opponent, rules.undercut_bonus, 1
    elif all(deadwood[index] == laid.deadwood for index in opponents):
        kind, winner = OutcomeKind.TIE, None
    else:
        kind = OutcomeKind.KNOCK
    factor = 2 if rules.spade_doubles and upcard.suit is Suit.SPADES else 1
    return Outcome(
        kind=kind,
        knocker=seats[knocker],
        winner=None if winner is None else seats[winner],
        hands=tuple(response.arrangement for response in responses),
        lay_offs=tuple(lay_off for response in responses for lay_off in response.lay_offs),
        deadwood=tuple(deadwood),
        difference=abs(lead),
        bonus=bonus,
        factor=factor,
        boxes=0 if winner is None else 1 + (extra_boxes * factor if rules.oklahoma_boxes else 0),
    )
