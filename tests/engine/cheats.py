"""Records of hosts that cheat, each in a different way, and an honest record."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.engine.deals.moves import Seat, Verb
from bot.engine.fairness import verify
from bot.engine.fairness.fair import Chain, Event, player_seed
from bot.engine.matches.actions import Action, Awaiting, Chance, Cut, Play, PlayerSeed, Reshuffle, Reveal, Shuffle
from bot.engine.matches.chance import event_of, next_chance_action
from bot.engine.matches.match import legal
from bot.engine.records.record import Record
from bot.engine.rules import Rules
from tests.engine.fair_matches import FairMatch, Table

CHAIN: Final = Chain.ending_with(b"the chain that everybody saw the commitment of")
WORDS: Final = ("north", "süd ♠", "east = [1]; ", "")
DUEL: Final = Rules.parse("classic target=none deals=4")
PARTNERS: Final = Rules.parse("partners stock_out=reshuffle target=none deals=2")

_OTHER_CHAIN: Final = Chain.ending_with(b"another")


def new_table(rules: Rules = DUEL, seats: int = 2, chain: Chain = CHAIN) -> Table:
    """Return a new verifiable match whose seats have given their shuffle words."""
    return Table(rules, WORDS[:seats], chain)


@cache
def honest_match(rules: Rules = DUEL, seats: int = 2, seed: int = 1, **options: Any) -> FairMatch:
    """Return a finished match with an honest host, in which seat 0 changed its shuffle words during deal 2."""
    table, rng = new_table(rules, seats), Random(seed)
    table.play(rng, 1, **options)
    table.apply_chance()
    table.give_words(Seat(0), "changed")
    table.play(rng, **options)
    return table.fair_match


@dataclass(frozen=True)
class Forgery:
    """A cheating host's record, with the published commitment and the words that the players really gave."""

    record: Record
    words: Mapping[int, Sequence[str]]
    commit: bytes = CHAIN.commitment

    @staticmethod
    def of(match: FairMatch, **changes: Any) -> Forgery:
        """Return a forgery: a match's record with these changes and the real commitment, and the match's real words."""
        return Forgery(replace(match.record, commit=CHAIN.commitment, **changes), match.words)


class CheatingTable(Table):
    """A match whose host may change each event before it is applied. Later moves are legal with the changed cards."""

    def __init__(self, cheat: Callable[[Table, Chance], Chance], rules: Rules = DUEL, seats: int = 2) -> None:
        self.cheat = cheat
        super().__init__(rules, WORDS[:seats], CHAIN)

    def next_chance(self, awaits: Awaiting) -> Chance:
        """Return the next event, which the host may have changed."""
        return self.cheat(self, super().next_chance(awaits))


def seed_swapped() -> Forgery:
    """The host draws another server seed for deal 2 after learning the words, and reveals it as the real one."""
    false = b"a seed that deals better cards  "

    def cheat(table: Table, action: Chance) -> Chance:
        if action.event == 3:
            return next_chance_action(table.match, Awaiting.DECK, event_of(table.match, false))
        return action

    table = CheatingTable(cheat)
    table.play(Random(1))
    actions = [
        Reveal(3, false) if isinstance(action, Reveal) and action.event == 3 else action for action in table.actions
    ]
    return Forgery.of(table.fair_match, actions=tuple(actions))


def card_swapped(event: int, rules: Rules = DUEL, seats: int = 2) -> Forgery:
    """The host swaps two cards of one event: the cut, a deal or a reshuffle."""

    def cheat(_: Table, action: Chance) -> Chance:
        return with_cards(action, _swapped) if action.event == event else action

    table = CheatingTable(cheat, rules, seats)
    table.play(Random(1), patient=seats == 4)
    return Forgery.of(table.fair_match)


def _swapped(cards: tuple[Any, ...]) -> tuple[Any, ...]:
    return cards[1], cards[0], *cards[2:]


def with_cards(action: Chance, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Chance:
    """Return a cut, deal or reshuffle after changing its cards with a function."""
    if isinstance(action, Shuffle):
        return replace(action, deck=change(action.deck))
    return replace(action, cards=change(action.cards))


def _skipping(table: Table, action: Chance) -> Chance:
    """Skip event 3: if it is due, return a deal with the cards and the number of event 4."""
    if action.event != 3:
        return action
    assert table.match.seeds is not None
    skipped = replace(table.match, seeds=replace(table.match.seeds, newest_event=3))
    return next_chance_action(skipped, Awaiting.DECK, event_of(skipped, CHAIN.seed(4)))


def event_skipped() -> Forgery:
    """The host dislikes the cards of event 3 and deals event 4 instead."""
    table = CheatingTable(_skipping)
    table.play(Random(1))
    return Forgery.of(table.fair_match)


def skipped_as_a_deal() -> Forgery:
    """Like `event_skipped`, but the record presents event 3 as a deal on a board that does not exist."""
    return _skipped_as(lambda actions, event: replace(_newest_deal(actions), deck=event.deck(), board=2, event=3))


def skipped_as_a_reshuffle() -> Forgery:
    """Like `event_skipped`, but the record presents event 3 as a reshuffle, which the rules do not allow."""

    def reshuffle(actions: Sequence[Action], event: Event) -> Reshuffle:
        thrown = [
            action.move.card for action in actions if isinstance(action, Play) and action.move.verb is Verb.DISCARD
        ]
        pile = [_newest_deal(actions).deck[20], *filter(None, thrown)]
        return Reshuffle(event.stock(pile[:-1]), 3)

    return _skipped_as(reshuffle)


def _skipped_as(another: Callable[[Sequence[Action], Event], Chance]) -> Forgery:
    """Return a forgery: the host skips event 3, but the record presents it as the action that `another` returns."""
    table = CheatingTable(_skipping)
    table.play(Random(1), 1, patient=True)
    table.play(Random(1))
    event = Event(3, CHAIN.seed(3), tuple(map(player_seed, WORDS[:2])))
    index = next(
        place for place, action in enumerate(table.actions) if isinstance(action, Shuffle) and action.event == 4
    )
    before = table.actions[:index]
    return Forgery.of(table.fair_match, actions=(*before, another(before, event), *table.actions[index:]))


def _newest_deal(actions: Sequence[Action]) -> Shuffle:
    return [action for action in actions if isinstance(action, Shuffle)][-1]


def event_left_out() -> Forgery:
    """The host deals event 3, omits it from the record, and renumbers all later events."""

    def cheat(table: Table, action: Chance) -> Chance:
        assert action.event is not None
        awaits = table.match.awaits
        if action.event < 3 or awaits is None:
            return action
        return next_chance_action(table.match, awaits, event_of(table.match, CHAIN.seed(action.event + 1)))

    table = CheatingTable(cheat)
    table.play(Random(1))
    actions = [
        Reveal(action.event, CHAIN.seed(action.event + 1))
        if isinstance(action, Reveal) and action.event > 2
        else action
        for action in table.actions
    ]
    return Forgery.of(table.fair_match, actions=tuple(actions))


def words_not_given() -> Forgery:
    """The record's seed of seat 1 is not the hash of the words that this seat gave."""
    table = Table(DUEL, (WORDS[0], "words that suit the host"), CHAIN)
    table.play(Random(1))
    return replace(Forgery.of(table.fair_match), words={0: [WORDS[0]], 1: [WORDS[1]]})


def change_not_given() -> Forgery:
    """From deal 3 on, the record uses words that seat 0 never gave."""
    return replace(Forgery.of(honest_match()), words={0: [WORDS[0]], 1: [WORDS[1]]})


def change_left_out() -> Forgery:
    """The record omits that seat 0 changed its shuffle words during deal 2."""
    table = new_table()
    table.play(Random(1))
    return replace(Forgery.of(table.fair_match), words={0: [WORDS[0], "changed"], 1: [WORDS[1]]})


def change_of_another_deal() -> Forgery:
    """The record delays new words of seat 0: they count from deal 3 instead of deal 2."""
    table = new_table()
    table.play(Random(1), 1)
    assert table.match.seeds is not None
    late = PlayerSeed(Seat(0), player_seed("changed"), 3)
    seeds = table.match.seeds.with_seed(late)
    table.match = replace(table.match, seeds=seeds)
    table.actions.append(late)
    table.texts[0].append("changed")
    table.play(Random(2))
    return Forgery.of(table.fair_match)


def wrong_link() -> Forgery:
    """One revealed server seed does not hash to the previous one."""
    actions = [
        Reveal(3, bytes(32)) if isinstance(action, Reveal) and action.event == 3 else action
        for action in honest_match().actions
    ]
    return Forgery.of(honest_match(), actions=tuple(actions))


def whole_record_forged() -> Forgery:
    """The whole record uses another hash chain and that chain's commitment, so it is self-consistent."""
    table = new_table(chain=_OTHER_CHAIN)
    table.play(Random(1))
    return Forgery(table.fair_match.record, table.fair_match.words)


def forged_under_the_commitment() -> Forgery:
    """The whole record uses another hash chain, but claims the published commitment."""
    table = new_table(chain=_OTHER_CHAIN)
    table.play(Random(1))
    return Forgery.of(table.fair_match)


def reveals_out_of_order() -> Forgery:
    """The seed of the first deal is revealed before the seed of the cut."""
    match = honest_match()
    reveals = [place for place, action in enumerate(match.actions) if isinstance(action, Reveal)][:2]
    actions = list(match.actions)
    actions[reveals[0]], actions[reveals[1]] = actions[reveals[1]], actions[reveals[0]]
    return Forgery.of(match, actions=tuple(actions))


def reveal_too_early() -> Forgery:
    """The seed of a deal is revealed before its cards are dealt."""
    match = honest_match()
    reveals = [action for action in match.actions if isinstance(action, Reveal)]
    others = [action for action in match.actions if not isinstance(action, Reveal)]
    index = next(place for place, action in enumerate(others) if isinstance(action, Shuffle) and action.number == 4)
    return Forgery.of(match, actions=(*others[:index], *reveals[:5], *others[index:], *reveals[5:]))


def boards_swapped() -> Forgery:
    """In the first round, the deals of the two boards swap their event numbers, and with them their cards."""

    def cheat(table: Table, action: Chance) -> Chance:
        if not isinstance(action, Shuffle) or action.number > 1:
            return action
        assert table.match.seeds is not None
        number = 4 - action.board
        event = replace(table.match.seeds.next_event(CHAIN.seed(number), 1), number=number)
        return replace(action, deck=event.deck(), event=number)

    table = CheatingTable(cheat, PARTNERS, 4)
    table.play(Random(1))
    return Forgery.of(table.fair_match)


def no_cut() -> Forgery:
    """The record has no cut, although its rules require one, so the host chose the first dealer."""
    table = new_table(Rules.parse("classic target=none deals=4 first_dealer=challenger"))
    table.play(Random(1))
    return Forgery.of(table.fair_match, rules=DUEL)


def reshuffles_swapped() -> Forgery:
    """Two reshuffles of one deal swap their event numbers, and with them their cards."""

    def cheat(table: Table, action: Chance) -> Chance:
        number = {3: 4, 5: 3}.get(action.event or 0)
        if not isinstance(action, Reshuffle) or number is None:
            return action
        waiting, seeds = table.match.reshuffling, table.match.seeds
        assert waiting is not None
        assert seeds is not None
        event = replace(seeds.next_event(CHAIN.seed(number), 1), number=number)
        return Reshuffle(event.stock(waiting.discards[:-1]), number)

    table, rng = CheatingTable(cheat, Rules.parse("classic stock_out=reshuffle target=none deals=2")), Random(1)
    while sum(isinstance(action, Reshuffle) for action in table.actions) < 2:
        if not table.apply_chance():
            seat = table.match.to_act[0]
            going_on = [move for move in legal(table.match, seat) if move.verb in (Verb.PASS, Verb.DRAW, Verb.DISCARD)]
            table.do(Play(seat, rng.choice(going_on)))
    table.play(rng)
    return Forgery.of(table.fair_match)


CHEATS: Final[Mapping[str, tuple[Callable[[], Forgery], str]]] = {
    "seed swapped": (seed_swapped, "its seed does not lead to that of event 2"),
    "card swapped in a deck": (lambda: card_swapped(3), "the cards are not what the seeds give"),
    "card swapped in the cut": (lambda: card_swapped(1), "the cards are not what the seeds give"),
    "card swapped in a stock": (lambda: card_swapped(4, PARTNERS, 4), "the cards are not what the seeds give"),
    "event skipped": (event_skipped, "an event is missing: 3"),
    "event skipped as a deal": (skipped_as_a_deal, "the event is out of order"),
    "event skipped as a reshuffle": (skipped_as_a_reshuffle, "the record cannot be replayed"),
    "event left out": (event_left_out, "its seed does not lead to that of event 2"),
    "words not given": (words_not_given, "seed 1 of seat 1 is not what was given"),
    "change not given": (change_not_given, "seed 2 of seat 0 is not what was given"),
    "change left out": (change_left_out, "seed 2 of seat 0 is not what was given"),
    "change of another deal": (change_of_another_deal, "a seed counts from the wrong deal"),
    "wrong link": (wrong_link, "its seed does not lead to that of event 2"),
    "whole record forged": (whole_record_forged, "the commitment differs from the given one"),
    "forged under the commitment": (forged_under_the_commitment, "its seed does not lead to the commitment"),
    "reveals out of order": (reveals_out_of_order, "seeds are revealed in the order of their events, once"),
    "reveal too early": (reveal_too_early, "a seed is revealed before its event"),
    "boards swapped": (boards_swapped, "the event is out of order"),
    "no cut": (no_cut, "the event is out of order"),
    "reshuffles swapped": (reshuffles_swapped, "the event comes after a later one"),
}
"""Each way to cheat: the function that makes the forgery, and the fault that an audit reports."""


def _edited_record(
    pattern: str, replacement: str | Callable[[re.Match[str]], str], match: FairMatch | None = None
) -> str:
    """Return the text of an honest match's record after a regular expression substitution."""
    text = str(Forgery.of(match or honest_match()).record)
    changed = re.sub(pattern, replacement, text)
    assert changed != text
    return changed


def _forged_with_commitment(commitment: str) -> str:
    """Return a forged record that claims this commitment, but reveals its own chain's commitment as seed 0."""
    forged = whole_record_forged()
    assert forged.record.commit is not None
    claim = str(replace(forged.record, commit=bytes.fromhex(commitment)))
    return f"{claim}reveal 0 {forged.record.commit.hex()}\n"


def _last_deal_rewritten(form: Callable[[str], str]) -> str:
    """Return a record whose last deal has two swapped cards and no reveal. `form` rewrites that deal's lines."""
    lines = str(card_swapped(5).record).splitlines()
    lines = [line for line in lines if not line.startswith("reveal 5")]
    (index,) = (place for place, line in enumerate(lines) if line.startswith("deal 4"))
    lines[index - 1 : index + 1] = form(f"{lines[index - 1]}\n{lines[index]}").split("\n")
    return "\n".join((*lines, ""))


def _dealt_with_seeds(seats: int) -> str:
    """Return a duel's record whose cards were made from the seeds of this many seats instead of two."""
    seeds = tuple(player_seed(word) for word in WORDS[:seats])
    cut, deal = (Event(number, CHAIN.seed(number), seeds) for number in (1, 2))
    actions = (
        *(PlayerSeed(Seat(seat), seed) for seat, seed in enumerate(seeds)),
        *(Cut(cut.cut(seats), 1), Shuffle(1, Seat(0), deal.deck(), event=2)),
        *(Reveal(shuffle.number, shuffle.seed) for shuffle in (cut, deal)),
    )
    return str(replace(Forgery.of(honest_match()).record, actions=actions, result=None))


DISGUISES: Final[Mapping[str, Callable[[], str]]] = {
    "a seed for the commitment": lambda: _forged_with_commitment(CHAIN.commitment.hex()),
    "a deal behind spaces": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\n  deal")),
    "a deal behind a tab": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\n\tdeal")),
    "a deal in capitals": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\nDEAL")),
    "a deal in a line of moves": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\n0 pass deal")),
    "a deal in the line of a reveal": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", " deal")),
    "a capital deal in the line of a reveal": lambda: _last_deal_rewritten(
        lambda lines: lines.replace("\ndeal", " Deal")
    ),
    "a deal in a comment": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\n; deal")),
    "a deal in a comment below a reveal": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "; deal")),
    "a deal in a comment with two lines": lambda: _last_deal_rewritten(
        lambda lines: lines.replace("\ndeal", "\n;\u2028deal")
    ),
    "a deal behind a carriage return": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\rdeal")),
    "a deal behind a form feed": lambda: _last_deal_rewritten(lambda lines: lines.replace("\ndeal", "\n\fdeal")),
    "a deal behind a space without width": lambda: _last_deal_rewritten(
        lambda lines: lines.replace("\ndeal", "\n\u200bdeal")
    ),
    "a deal in a header": lambda: _last_deal_rewritten(
        lambda lines: lines.replace("\ndeal", '\n[Date "2026-11-21"]\ndeal')
    ),
    "a deal that is not played": lambda: _edited_record(r"\ndeal 4 .*", ""),
    "a cut in another order": lambda: _edited_record("cut 0=(..) 1=(..)", r"cut 1=\1 0=\2"),
    "a cut with other digits": lambda: _edited_record("cut 0=(..) 1=(..)", "cut \uff10=\\2 1=\\1"),
    "a reshuffle that lacks a card": lambda: _edited_record(
        r"(\nstock \w+)(..)( event=\d+)\n", r"\1\3 0 x \2\n", honest_match(PARTNERS, 4, patient=True)
    ),
    "a reshuffle that is left out": lambda: _edited_record("\nreveal 5", "\n0 draw" * 40 + "\nreveal 5"),
    "a deck in capitals": lambda: _edited_record(
        r" deck=\w+", lambda deck: f" deck={deck[0][6:].upper()} of{deck[0][1:]}"
    ),
    "no seeds of players": lambda: _dealt_with_seeds(0),
    "the seed of a seat that nobody has": lambda: _dealt_with_seeds(3),
    "a deck that is there twice": lambda: _edited_record(r" deck=(..)(..)(\w+)", r" deck=\2\1\3\g<0>"),
}
"""Forged records by name. A checker that skips lines it does not understand could accept them as honest."""


def result_taken_back() -> str:
    """Return a record that ends with a second result, `*`, as if the match had not ended.

    Its last deal has two swapped cards and no reveal.
    """
    return f'{_last_deal_rewritten(str)}[Result "*"]\n'


def script_answer(record: Record | str, commit: bytes | None, words: Mapping[int, Sequence[str]]) -> str:
    """Return the answer of verify.py about a record, or `unreadable` if it refuses the record."""
    given_texts = [(seat, text) for seat, texts in words.items() for text in texts]
    try:
        return verify.check(str(record), None if commit is None else commit.hex(), given_texts)[0]
    except (LookupError, ValueError):
        return "unreadable"


def arguments(forgery: Forgery, folder: Path) -> list[str]:
    """Write a forged record to a file. Return the arguments with which the engine or verify.py checks it."""
    file = folder / "record.gin"
    file.write_text(str(forgery.record), encoding="utf-8")
    words = [f"--words={seat}={text}" for seat, texts in forgery.words.items() for text in texts]
    return [str(file), f"--commit={forgery.commit.hex()}", *words]
