"""Random verifiable matches in which shuffle words change. The matches end in different ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from bot.engine.deals.moves import RESIGN, Move, Seat, Verb, discard
from bot.engine.errors import IllegalMove, RulesError
from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, Chain, counts_from, player_seed
from bot.engine.matches.actions import Action, Awaiting, Chance, Play, PlayerSeed, Reveal, TakeBack
from bot.engine.matches.chance import event_of, next_chance_action
from bot.engine.matches.match import Match, apply, legal, new_match
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from tests.engine.decks import TABLES, random_move

CHANNEL: Final = 1190000000000000001
NAMES: Final = ("North", "East", "South", "West")

_VARIATIONS: Final = ("", "stock_out=reshuffle", "first_dealer=random", "first_dealer=challenger", "deals=2")
_KNOCK_VERBS: Final = (Verb.KNOCK, Verb.BIG_GIN)


@dataclass(frozen=True)
class FairMatch:
    """A verifiable match: its hash chain, each seat's shuffle words, its log, and its final state."""

    chain: Chain
    texts: tuple[tuple[str, ...], ...]
    actions: tuple[Action, ...]
    match: Match
    message: int

    @property
    def words(self) -> Mapping[int, Sequence[str]]:
        """Each seat's shuffle words, in the form that `audit` takes."""
        return dict(enumerate(self.texts))

    @property
    def record(self) -> Record:
        """The match's record, with the result if the match is over."""
        result = self.match.score.totals if self.match.score.is_over else ()
        names, message = NAMES[: self.match.seats], (CHANNEL, self.message)
        commit = self.chain.commitment
        return Record(self.match.rules, self.actions, names, None, result, commit, message)


class Table:
    """A verifiable match in play, whose log can be extended by hand."""

    def __init__(self, rules: Rules, texts: Sequence[str], chain: Chain, message: int = 1190000000000000002) -> None:
        self.chain, self.message = chain, message
        self.match = new_match(rules, len(texts))
        self.actions: list[Action] = []
        self.texts: list[list[str]] = [[] for _ in texts]
        for seat, text in enumerate(texts):
            self.give_words(Seat(seat), text)

    def do(self, action: Action) -> None:
        self.match = apply(self.match, action)
        self.actions.append(action)

    def give_words(self, seat: Seat, text: str) -> None:
        """Let a seat give or change its shuffle words."""
        seeds = self.match.seeds
        first = (
            None
            if seeds is None or not seeds.newest_event
            else counts_from(seat, self.match.seats, self.match.newest_deal)
        )
        self.do(PlayerSeed(seat, player_seed(text), first))
        self.texts[seat].append(text)

    def reveal(self) -> None:
        """Reveal all server seeds that may be revealed now."""
        for event in self.match.revealable_events:
            self.do(Reveal(event, self.chain.seed(event)))

    def apply_chance(self) -> bool:
        """Apply the next cut, deal or reshuffle. Return False if the match awaits none of them."""
        awaits = self.match.awaits
        if awaits is None:
            return False
        self.do(self.next_chance(awaits))
        return True

    def next_chance(self, awaits: Awaiting) -> Chance:
        """Return the next cut, deal or reshuffle, with its cards."""
        seeds = self.match.seeds
        assert seeds is not None
        return next_chance_action(self.match, awaits, event_of(self.match, self.chain.seed(seeds.newest_event + 1)))

    def play(self, rng: Random, deals: int | None = None, *, patient: bool = False) -> None:
        """Play to the end, or until this many deals have been played."""
        while not self.match.score.is_over:
            self.reveal()
            if self.match.awaits in (Awaiting.CUT, Awaiting.DECK) and self.match.newest_deal == deals:
                return
            if not self.apply_chance():
                seat = rng.choice(self.match.to_act)
                self.do(Play(seat, (patient_move if patient else random_move)(self.match, seat, rng)))
        self.reveal()

    @property
    def fair_match(self) -> FairMatch:
        """The match so far."""
        texts = tuple(map(tuple, self.texts))
        return FairMatch(self.chain, texts, tuple(self.actions), self.match, self.message)


def random_fair_match(rules: Rules, seats: int, seed: object, deals: int = 2) -> FairMatch:
    """Return a random match of at most this many deals.

    It stops between two deals or in the middle of a deal, ends by a resignation, or is called off. In some matches,
    players take discards back.
    """
    rng = Random(f"{seed}")
    message = rng.randrange(1 << 60, 1 << 63)
    table = Table(
        rules, [_random_text(rng, message) for _ in range(seats)], Chain.ending_with(rng.randbytes(32)), message
    )
    end, patient = rng.choice(("deal", "move", "resign", "call off")), rng.random() < 0.2
    takes_back = rng.random() < 0.2
    while not table.match.score.is_over:
        table.reveal()
        if table.match.cut and rng.random() < 0.03:
            table.give_words(Seat(rng.randrange(seats)), _random_text(rng, message))
        due = table.match.awaits
        if due in (Awaiting.CUT, Awaiting.DECK) and table.match.newest_deal == deals:
            break
        if table.apply_chance():
            continue
        if table.match.newest_deal == deals and end != "deal" and rng.random() < 0.1:
            if end == "resign":
                table.do(Play(Seat(rng.randrange(seats)), RESIGN))
            break
        seat = rng.choice(table.match.to_act)
        table.do(Play(seat, patient_move(table.match, seat, rng) if patient else random_move(table.match, seat, rng)))
        if takes_back and rng.random() < 0.2:
            with suppress(IllegalMove):
                table.do(TakeBack(seat))
    table.reveal()
    seeds = table.match.seeds
    if end == "call off" and seeds is not None and seeds.sealed:
        table.do(Reveal(seeds.newest_event, table.chain.seed(seeds.newest_event)))
    return table.fair_match


def random_fair_matches(number: int, seed: int = 0) -> Iterator[FairMatch]:
    """Yield this many random matches, cycling through all presets and numbers of players."""
    for index in range(number):
        preset, seats = TABLES[index % len(TABLES)]
        yield random_fair_match(_varied(preset, seats, Random(f"{seed} {index}")), seats, (seed, index))


def _varied(preset: str, seats: int, rng: Random) -> Rules:
    """Return rules of a preset with a low target, and possibly with an option that affects events."""
    for _ in range(10):
        try:
            rules = Rules.parse(f"{preset} target=40 {rng.choice(_VARIATIONS)}")
            new_match(rules, seats)
        except RulesError:
            continue
        return rules
    return Rules.parse(preset)


def _random_text(rng: Random, message: int) -> str:
    words = rng.choice(("north wind", "süd ♠", "", "a b=c; [d]", "١٢٣ 🂡")) + str(rng.randrange(1000))
    return rng.choice((words, words, str(message), HOUSE_TEXT, NOT_POSTED_TEXT))


def patient_move(match: Match, seat: Seat, rng: Random) -> Move:
    """Return a move that prolongs the deal, so that the stock runs out. After a reshuffle, return a random move."""
    deal = match.deal_of(seat)
    if len(deal.deck) > 52:
        return random_move(match, seat, rng)
    moves = legal(match, seat)
    return rng.choice([move for move in moves if move.verb not in (*_KNOCK_VERBS, Verb.TAKE)] or moves)


def unfinished_match(rules: str = "classic target=1000") -> Match:
    """Return a match in which deal 1 was void, because the stock ran out, and seat 0 resigned in deal 2."""
    table = Table(Rules.parse(rules), ("north", "south"), Chain.ending_with(bytes(32)))
    while table.match.newest_deal < 2 or len(table.match.playing[0].history) < 5:
        table.reveal()
        if table.apply_chance():
            continue
        seat = table.match.to_act[0]
        moves, drawn_card = legal(table.match, seat), table.match.playing[0].new_card
        thrown = None if drawn_card is None else discard(drawn_card)
        usual = (move for move in moves if move.verb in (Verb.PASS, Verb.DRAW))
        table.do(Play(seat, thrown if thrown in moves else next(usual)))
    table.do(Play(Seat(0), RESIGN))
    table.reveal()
    return table.match
