"""A brute-force reference for one deal, under every rule option.

It follows the wording of the rules, works on text, and imports nothing of the code under test. Rules are a mapping from
each option's name to its value in notation. Players are indices in the order of play: player 0 moves first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

RANKS = "A23456789TJQK"
DECK = tuple(rank + suit for rank in RANKS for suit in "cdhs")
RUN_SEQUENCES = {"low": RANKS, "high_low": RANKS + "A", "round_the_corner": RANKS + RANKS}
"""The sequences of ranks that runs are part of, for each value of the rule option `aces`."""

Rules = Mapping[str, str]
Cards = tuple[str, ...]
MeldedHand = tuple[tuple[Cards, ...], Cards]
"""A hand as disjoint melds and the remaining cards."""


def order(card: str) -> int:
    """Return the index of a card by rank, then suit."""
    return DECK.index(card)


def sorted_cards(cards: Cards) -> Cards:
    """Return the cards by rank, then suit."""
    return tuple(sorted(cards, key=order))


def print_melds(melds: tuple[Cards, ...]) -> str:
    """Return melds in notation, sorted by first card, each with its cards sorted by rank, then suit."""
    ordered = sorted((sorted_cards(meld) for meld in melds), key=lambda meld: order(meld[0]))
    return "/".join("".join(meld) for meld in ordered) or "-"


def points(cards: Cards, aces: str = "low") -> int:
    """Return the deadwood points of cards: court cards 10, ace 1, or 15 if runs go round the corner."""
    ace = 15 if aces == "round_the_corner" else 1
    return sum(ace if card[0] == "A" else min(RANKS.index(card[0]) + 1, 10) for card in cards)


@lru_cache(maxsize=100_000)
def is_meld(cards: Cards, aces: str = "low") -> bool:
    """Return True if the cards are a set or a run."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(cards) < 3:
        return False
    if len(ranks) == 1:
        return len(suits) == len(cards)
    line = RUN_SEQUENCES[aces]
    sequences = [set(line[start : start + len(cards)]) for start in range(len(line) - len(cards) + 1)]
    return len(suits) == 1 and len(ranks) == len(cards) and ranks in sequences


@lru_cache(maxsize=2_000)
def ways_to_meld(hand: Cards, aces: str = "low") -> tuple[MeldedHand, ...]:
    """Return every set of disjoint melds of a hand, each with the remaining cards.

    The hand is sorted by rank, then suit.
    """
    if not hand:
        return (((), ()),)
    first, others = hand[0], hand[1:]
    ways = [(melds, (first, *left)) for melds, left in ways_to_meld(others, aces)]
    for position in (0, 1):
        related = [card for card in others if card[position] == first[position]]
        for size in range(2, len(related) + 1):
            for group in combinations(related, size):
                if is_meld((first, *group), aces):
                    rest = tuple(card for card in others if card not in group)
                    ways += [(((first, *group), *melds), left) for melds, left in ways_to_meld(rest, aces)]
    return tuple(ways)


def least_deadwood(hand: Cards, aces: str = "low") -> int:
    """Return the least deadwood over all ways to meld."""
    return min(points(left, aces) for _, left in ways_to_meld(sorted_cards(hand), aces))


def default_melding(hand: Cards, aces: str) -> MeldedHand:
    """Return the melds of a hand that count if a player names none, and the remaining cards.

    These melds leave the least deadwood. Ties are broken by the fewest other cards that could be laid off, then by the
    text that sorts first.
    """

    def rank(way: MeldedHand) -> tuple[int, int, str]:
        melds, left = way
        outside = [card for card in DECK if card not in hand]
        possible_lay_offs = [card for card in outside if any(is_meld((*meld, card), aces) for meld in melds)]
        return points(left, aces), len(possible_lay_offs), print_melds(melds)

    return min(ways_to_meld(hand, aces), key=rank)


def lay_offs(hand: Cards, melds: tuple[Cards, ...], now: tuple[Cards, ...], rules: Rules) -> list[dict[str, int]]:
    """Return every choice of cards to lay off, each card with the index of its meld.

    `melds` are the knocker's melds, and `now` the same melds with the cards already laid off. If lay-offs may not build
    on lay-offs, only `melds` count.
    """
    ways: list[dict[str, int]] = [{}]
    for way in ways:
        for card in hand:
            for index, meld in enumerate(now if rules["lay_off_chain"] == "on" else melds):
                mine = (
                    tuple(card_laid_off for card_laid_off in way if way[card_laid_off] == index)
                    if rules["lay_off_chain"] == "on"
                    else ()
                )
                if card not in way and is_meld((*meld, *mine, card), rules["aces"]):
                    extended = {**way, card: index}
                    if extended not in ways:
                        ways.append(extended)
    return ways


def least_after_lay_offs(hand: Cards, melds: tuple[Cards, ...], rules: Rules) -> int:
    """Return an opponent's least deadwood after any choice of own melds and any lay-offs on the knocker's melds."""
    ways = lay_offs(hand, melds, melds, rules)
    return min(least_deadwood(tuple(card for card in hand if card not in way), rules["aces"]) for way in ways)


class Deal:
    """A deal between two or more players.

    `kind` is the kind of outcome, None during play. After the deal, `winner` is a player or None, `deadwood` is by
    player, `points` are the winner's points in a deal of two players, `boxes` is the number of line bonuses, and
    `charges` has each player's penalty points in the penalty game.
    """

    def __init__(self, deck: Cards, rules: Rules, players: int) -> None:
        dealt = int(rules["cards_dealt"]) * players
        self.rules, self.players, self.aces = rules, players, rules["aces"]
        self.hands = [list(deck[place:dealt:players]) for place in range(players)]
        self.upcard, self.pile, self.stock = deck[dealt], [deck[dealt]], list(deck[dealt + 1 :])
        self.turn, self.passes, self.phase = 0, 0, "draw" if rules["opening"] == "free" else "offer"
        self.taken_card = self.drawn_card = ""
        self.turns = 0
        self.knocker = 0
        self.melds: tuple[Cards, ...] = ()
        self.extended_melds: list[Cards] = []
        self.chosen_melds: tuple[Cards, ...] | None = None
        self.kind: str | None = None
        self.winner: int | None = None
        self.deadwood: list[int] = []
        self.points = self.boxes = 0
        self.charges = [0] * players

    @property
    def knock_limit(self) -> int:
        """The maximum deadwood for a knock."""
        if self.rules["knock_limit"] != "upcard":
            return int(self.rules["knock_limit"])
        if self.upcard[0] == "A":
            return 0 if self.rules["oklahoma_ace"] == "gin_only" else 1
        return points((self.upcard,))

    def legal(self) -> set[str]:
        """Return the current player's moves in canonical notation; none while a reshuffle is due or after the deal."""
        match self.phase:
            case "offer":
                return {"pass", "take"}
            case "draw":
                refused = self.passes == self.players and self.rules["opening"] == "offer"
                return {"draw"} if refused else {"draw", "take"}
            case "wall":
                taken = sorted_cards((*self.hands[self.turn], self.pile[-1]))
                barred = set[str]() if self.rules["discard_drawn"] == "free" else {self.pile[-1]}
                return {"pass", "take"} if self._ways_out(taken, barred) else {"pass"}
            case "discard" | "out":
                hand, barred = sorted_cards(tuple(self.hands[self.turn])), self._barred()
                discards = {f"x {card}" for card in hand if card not in barred}
                return self._ways_out(hand, barred) | (discards if self.phase == "discard" else set())
            case "answer":
                own = (
                    []
                    if self.chosen_melds is not None
                    else [melds for melds, _ in ways_to_meld(self._hand(), self.aces)]
                )
                return {"done"} | {f"m {print_melds(melds)}" for melds in own} | set(self._single_lay_offs())
            case _:
                return set()

    def play(self, move: str) -> None:
        """Make a legal move. A knock, or a choice of melds (`m`), gets the default melds if it names none."""
        verb, *rest = move.split()
        hand = self.hands[self.turn]
        if verb == "pass":
            self.passes += 1
            if self.phase == "wall":
                self.phase, self.kind = "over", "void"
            elif self.passes == self.players:
                self.phase = "draw"
            self.turn = self._next()
        elif verb in ("take", "draw"):
            self.taken_card = self.pile.pop() if verb == "take" else ""
            self.drawn_card = self.stock.pop(0) if verb == "draw" else ""
            hand.append(self.taken_card or self.drawn_card)
            self.passes, self.phase = 0, "out" if self.phase == "wall" else "discard"
        elif verb in ("x", "k"):
            assert rest[0] not in self._barred(), move
            hand.remove(rest[0])
            self.pile.append(rest[0])
            if verb == "k":
                self._knock(
                    move, parse_melds(rest[1]) if rest[1:] else default_melding(sorted_cards(tuple(hand)), self.aces)[0]
                )
            else:
                self._end_turn()
        elif verb == "big":
            assert self.rules["big_gin_bonus"] != "off", move
            self._knock(move, default_melding(sorted_cards(tuple(hand)), self.aces)[0])
        elif verb == "m":
            self.chosen_melds = parse_melds(rest[0]) if rest else default_melding(self._hand(), self.aces)[0]
        elif verb == "l":
            assert move in self._single_lay_offs(), move
            card, _, meld = rest[0].partition(">")
            self._lay_off(card, self.melds.index(parse_melds(meld)[0]))
        else:
            assert verb == "done", move
            self._end_response(
                self.chosen_melds if self.chosen_melds is not None else default_melding(self._hand(), self.aces)[0]
            )

    def reshuffle(self, cards: Cards) -> None:
        """Move all discards except the top one to the bottom of the stock. `cards` has their new order."""
        assert self.phase == "stock"
        assert sorted(cards) == sorted(self.pile[:-1])
        self.stock += cards
        self.pile, self.phase = self.pile[-1:], "draw"

    def _next(self) -> int:
        return (self.turn + 1) % self.players

    def _barred(self) -> set[str]:
        """Return the cards that may not be discarded this turn."""
        return {"free": set[str](), "not_from_pile": {self.taken_card}, "never": {self.taken_card, self.drawn_card}}[
            self.rules["discard_drawn"]
        ]

    def _ways_out(self, hand: Cards, barred: set[str]) -> set[str]:
        """Return every knock, gin and big gin with a hand that includes the new card."""
        ways: set[str] = set()
        for card in (card for card in hand if card not in barred):
            rest = tuple(other for other in hand if other != card)
            for melds, left in ways_to_meld(rest, self.aces):
                if points(left, self.aces) <= self.knock_limit:
                    ways.add(f"k {card} {print_melds(melds)}")
        if self.rules["big_gin_bonus"] != "off" and any(not left for _, left in ways_to_meld(hand, self.aces)):
            ways.add("big")
        return ways

    def _end_turn(self) -> None:
        """End a turn after a plain discard: continue, or handle a used-up stock or the turn limit."""
        assert self.phase == "discard"
        self.phase, self.turn = "draw", self._next()
        self.turns += 1
        if len(self.stock) <= 2:
            if self.rules["stock_out"] == "reshuffle":
                self.phase = "stock"
            elif self.rules["last_discard"] == "may_go_out":
                self.phase = "wall"
            else:
                self.phase, self.kind = "over", "void"
        if self.turns == 100 * self.players and self.phase in ("draw", "stock"):
            self.phase, self.kind = "over", "void"

    def _unmatched(self, index: int, melds: tuple[Cards, ...]) -> Cards:
        """Return the cards of a player's hand outside these melds. All melds must be in the hand."""
        melded = [card for meld in melds for card in meld]
        assert all(is_meld(sorted_cards(meld), self.aces) for meld in melds), melds
        left = list(self.hands[index])
        for card in melded:
            left.remove(card)
        return tuple(left)

    def _knock(self, move: str, melds: tuple[Cards, ...]) -> None:
        self.deadwood = [0] * self.players
        self.knocker, self.melds, self.extended_melds = self.turn, melds, list(melds)
        left = self._unmatched(self.turn, melds)
        self.deadwood[self.turn] = points(left, self.aces)
        assert self.deadwood[self.turn] <= (0 if move == "big" else self.knock_limit), move
        self.phase, self.turn = "answer", self._next()
        if left and self.rules["lay_off"] == "on" and self.rules["lay_off_mode"] == "manual":
            return
        while self.turn != self.knocker:
            hand = self._hand()
            if left and self.rules["lay_off"] == "on":
                chosen = min(lay_offs(hand, self.melds, tuple(self.extended_melds), self.rules), key=self._rank)
                for card, place in chosen.items():
                    self._lay_off(card, place)
            self._end_response(default_melding(self._hand(), self.aces)[0])
        assert self.phase == "over"

    def _rank(self, laid: dict[str, int]) -> tuple[int, int, str, list[str]]:
        """Return a sort key for lay-offs: least deadwood, then the fewest lay-offs, then melds and lay-offs as text.

        The text makes a difference only if a third player lays off later.
        """
        rest = tuple(card for card in self._hand() if card not in laid)
        least = least_deadwood(rest, self.aces)
        melds = default_melding(rest, self.aces)[0]
        return (
            least,
            len(laid),
            print_melds(melds),
            sorted(f"{card}>{self.melds[place]}" for card, place in laid.items()),
        )

    def _hand(self) -> Cards:
        return sorted_cards(tuple(self.hands[self.turn]))

    def _single_lay_offs(self) -> Iterator[str]:
        free = self._unmatched(self.turn, self.chosen_melds or ())
        for place, meld in enumerate(self.melds):
            for card in free:
                onto = self.extended_melds[place] if self.rules["lay_off_chain"] == "on" else meld
                if is_meld((*onto, card), self.aces):
                    yield f"l {card}>{print_melds((meld,))}"

    def _lay_off(self, card: str, place: int) -> None:
        self.hands[self.turn].remove(card)
        self.extended_melds[place] = (*self.extended_melds[place], card)

    def _end_response(self, own: tuple[Cards, ...]) -> None:
        """End the current player's response: the next one responds, or the deal is over."""
        self.deadwood[self.turn] = points(self._unmatched(self.turn, own), self.aces)
        self.chosen_melds, self.turn = None, self._next()
        if self.turn == self.knocker:
            self.phase = "over"
            self._settle(len(self._unmatched(self.knocker, self.melds)))

    def _settle(self, unmatched: int) -> None:
        """Determine how the deal ended, the winner, and the points, charges and lines."""
        others = [(self.knocker + step) % self.players for step in range(1, self.players)]
        knocker_deadwood = self.deadwood[self.knocker]
        least_deadwood_of_others = min(self.deadwood[place] for place in others)
        undercutter = next(place for place in others if self.deadwood[place] == least_deadwood_of_others)
        undercut = least_deadwood_of_others < knocker_deadwood or (
            least_deadwood_of_others == knocker_deadwood and self.rules["undercut_on_tie"] == "on"
        )
        factor = 2 if self.rules["spade_doubles"] == "on" and self.upcard[1] == "s" else 1
        extra_boxes = 0
        if not unmatched:
            big = len(self.hands[self.knocker]) > int(self.rules["cards_dealt"])
            self.kind, self.winner, extra_boxes = "big_gin" if big else "gin", self.knocker, 2
            bonus = int(self.rules["big_gin_bonus" if big else "gin_bonus"])
            self.points = bonus + least_deadwood_of_others
            for index in others:
                self.charges[index] = bonus + self.deadwood[index]
        elif undercut:
            self.kind, self.winner, extra_boxes = "undercut", undercutter, 1
            self.points = int(self.rules["undercut_bonus"]) + knocker_deadwood - least_deadwood_of_others
            for index in range(self.players):
                self.charges[index] = self.deadwood[index] - least_deadwood_of_others
            self.charges[self.knocker] += int(self.rules["undercut_bonus"])
        elif all(self.deadwood[place] == knocker_deadwood for place in others):
            self.kind = "tie"
        else:
            self.kind, self.winner = "knock", self.knocker
            self.points = least_deadwood_of_others - knocker_deadwood
            for index in others:
                self.charges[index] = self.deadwood[index] - knocker_deadwood
        self.points *= factor
        self.charges = [charge * factor for charge in self.charges]
        if self.winner is not None:
            self.boxes = 1 + (extra_boxes * factor if self.rules["oklahoma_boxes"] == "on" else 0)


def parse_melds(text: str) -> tuple[Cards, ...]:
    return tuple(
        tuple(meld[start : start + 2] for start in range(0, len(meld), 2)) for meld in text.split("/") if meld != "-"
    )
