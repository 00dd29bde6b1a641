"""Limits: endless deals are void, older logs replay as they were played, and every record can be read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final, cast

import pytest
from hypothesis import given

from bot.engine.actions import Action, Awaiting, Cut, Play, PlayerSeed, Replace, Reshuffle, Reveal, Shuffle
from bot.engine.audit import audit
from bot.engine.cards import DECK, parse_cards
from bot.engine.deal import Phase
from bot.engine.errors import IllegalMove, RecordError
from bot.engine.fair import CHAIN_LENGTH, SEED_BYTES, Chain, counts_from, player_seed
from bot.engine.limits import (
    MAX_ACTIONS,
    MAX_BYTES,
    MAX_CHANGES,
    MAX_ROUND,
    MAX_TURNS,
    is_full,
)
from bot.engine.match import Match, apply, apply_all, apply_log, legal, new_match, without_limit
from bot.engine.moves import DRAW, PASS, RESIGN, TAKE, Move, Seat, Verb, discard
from bot.engine.record import Record, replay
from bot.engine.replay import moves_made, replay_view
from bot.engine.rules import Rules
from bot.engine.showdown import TOO_LONG
from bot.engine.to_json import match_to_json
from bot.engine.views import showdown_view
from tests.engine.decks import GIN_HAND, POOR_HAND, TABLES, deck, random_action, shuffled
from tests.engine.fair_matches import NAMES, Table
from tests.engine.strategies import seeds
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.examples import examples
from tests.reference.scores import reference_json

CHAIN: Final = Chain.ending_with(b"limits")
DEAL: Final = Shuffle(1, Seat(1), deck(f"{GIN_HAND} Qh", POOR_HAND, "Ks"))
BOARDS: Final[list[Action]] = [
    Cut(parse_cards("Kd 7h 9s Qs")),
    replace(DEAL, seats=(Seat(0), Seat(1))),
    replace(DEAL, dealer=Seat(3), seats=(Seat(2), Seat(3)), board=2),
]
"""The first round of partners."""


def go_round(match: Match, turns: int) -> list[Action]:
    """Return turns in which each player takes the previous player's discard and discards another card."""
    actions: list[Action] = []
    for _ in range(turns):
        seat, top = match.to_act[0], match.playing[0].discards[-1]
        actions.append(Play(seat, TAKE))
        match = apply(match, actions[-1])
        thrown = [move for move in legal(match, seat) if move.verb is Verb.DISCARD]
        barred = match.playing[0].barred is not None
        actions.append(Play(seat, thrown[0] if barred else discard(top)))
        match = apply(match, actions[-1])
    return actions


def begun(rules: str, seats: int, seed: int = 1) -> Match:
    """Return a match whose first deal is in play and whose first player may take a card."""
    match, rng = new_match(Rules.parse(rules), seats), Random(seed)
    while not match.to_act:
        match = apply(match, random_action(match, rng))
    return match


def drawn(match: Match) -> list[Action]:
    """Return a turn in which the next player draws from the stock and discards that card."""
    seat = match.to_act[0]
    card = match.playing[0].stock[0]
    return [Play(seat, DRAW), Play(seat, discard(card))]


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("free_discard", 2), ("classic", 2), ("penalty", 2), ("penalty", 3), ("penalty", 4), ("rotation", 3)],
)
@pytest.mark.parametrize("drawn_before", [0, 1, 3])
def test_a_deal_is_void_after_a_hundred_turns_each(rules: str, seats: int, drawn_before: int) -> None:
    """The discard of each player's hundredth turn ends the deal. No player scores, and the same player deals again."""
    match = begun(f"{rules} discard_drawn=free" if drawn_before else rules, seats)
    players = len(match.playing[0].seats)
    if drawn_before and match.rules.opening == "offer":
        match = apply_all(match, [Play(seat, PASS) for seat in match.playing[0].seats])
    for _ in range(drawn_before):
        match = apply_all(match, drawn(match))
    last = apply_all(match, go_round(match, MAX_TURNS * players - 1 - drawn_before))
    assert last.to_act
    assert last.finished == ()
    over = apply_all(last, go_round(last, 1))
    (deal,) = over.finished
    assert (deal.too_long, deal.phase, over.to_act, over.awaits) == (True, Phase.DONE, (), Awaiting.DECK)
    assert (match_to_json(over)["deals"][0]["kind"], over.score.scores) == ("void", (0,) * seats)
    assert over.due[0].dealer == deal.dealer or match.rules.format == "rotation"
    assert showdown_view(over, 1).outcome == TOO_LONG


def test_the_deal_passes_on_if_the_rules_say_so() -> None:
    """A deal that was too long is redealt like any void deal."""
    match = apply(new_match(Rules.parse("free_discard void_redeal=deal_passes"), 2), DEAL)
    assert apply_all(match, go_round(match, 2 * MAX_TURNS)).due[0].dealer == 0


@pytest.mark.parametrize("move", ["k Qh", "k 9s"])
def test_whoever_goes_out_in_the_last_turn_scores(move: str) -> None:
    """A knock or gin in the last turn counts."""
    hand = f"{GIN_HAND} Qh" if move == "k Qh" else f"{GIN_HAND} 9s"
    match = apply(new_match(Rules.parse("free_discard"), 2), replace(DEAL, deck=deck(POOR_HAND, hand, "Ks")))
    match = apply_all(match, go_round(match, 2 * MAX_TURNS - 1))
    match = apply_all(match, [Play(Seat(1), TAKE), Play(Seat(1), Move.parse(move))])
    assert not match.finished[0].too_long
    assert match.finished[0].outcome is not None
    assert match.finished[0].outcome.winner == 1


def test_the_other_board_plays_on() -> None:
    """Each board of partners has its own count, and the round ends with the last board."""
    match = apply_all(new_match(Rules.parse("partners discard_drawn=free"), 4), BOARDS)
    match = apply_all(match, go_round(match, 2 * MAX_TURNS))
    assert (match.finished[0].too_long, len(match.playing), match.awaits) == (True, 1, None)
    match = apply_all(match, go_round(match, 2 * MAX_TURNS))
    assert ([deal.too_long for deal in match.finished], match.due[0].number) == ([True] * 2, 2)


def until_void(match: Match, rng: Random) -> tuple[Match, list[Action]]:
    """Play a deal in which all players draw and discard the drawn card, until it is over."""
    actions = list[Action]()
    while not match.finished:
        if match.reshuffling is not None:
            actions.append(random_action(match, rng))
            match = apply(match, actions[-1])
            continue
        seat = match.to_act[0]
        turn = [Play(seat, PASS)] if PASS in legal(match, seat) else drawn(match)
        match = apply_all(match, turn)
        actions += turn
    return match, actions


@pytest.mark.parametrize(
    ("rules", "seats"),
    [("classic stock_out=reshuffle", 2), ("penalty", 3), ("penalty", 4), ("penalty cards_dealt=10", 4)],
)
def test_a_stock_is_not_reshuffled_for_ever(rules: str, seats: int) -> None:
    """The deal is void after a hundred turns each, even if the stock is reshuffled."""
    match, actions = until_void(begun(rules, seats), Random(2))
    assert match.finished[0].too_long
    assert sum(isinstance(one, Reshuffle) for one in actions) <= 44
    draws = sum(isinstance(one, Play) and one.move == DRAW for one in actions)
    assert draws == MAX_TURNS * len(match.finished[0].seats)


def test_a_used_up_stock_alone_is_no_limit() -> None:
    """A deal that is void because of its used-up stock is not too long."""
    match, _ = until_void(begun("classic", 2), Random(2))
    assert not match.finished[0].too_long


OLD: Final = f'[Record "1"]\n[Rules "free_discard"]\n{DEAL}\n'
TURN: Final = "0 take 0 x Ks\n1 take 1 x Ks\n"


@pytest.mark.parametrize("rounds", nightly_after(4, [99, 100, 101, 250, 2499]))
def test_a_log_from_before_the_limit_goes_on(rounds: int) -> None:
    """In an old log, a deal beyond the limit continues, unless the log ends exactly at the limit."""
    match = replay(OLD + TURN * rounds)
    is_at_limit = rounds % MAX_TURNS == 0
    assert (len(match.finished), len(match.playing)) == (int(is_at_limit), int(not is_at_limit))
    gin = OLD + TURN * rounds + "0 take 0 k Qh"
    after = replay(gin)
    assert (len(after.finished[0].history), after.score.scores) == (4 * rounds + 2, (85, 0))
    assert Record.parse(gin).version == 1
    assert sum(1 for _ in moves_made(after.finished[0])) == 4 * rounds + 2


def test_a_deal_of_an_old_log_has_a_replay() -> None:
    """The replay shows every move, including those after the limit."""
    assert len(replay_view(replay(OLD + TURN * 110 + "0 take 0 k Qh"), 1).moments) == 443


def test_a_running_match_whose_log_ends_at_the_limit_goes_on() -> None:
    """A log that ends at the limit without the next deck is old, so its deal continues."""
    match = apply_log(new_match(Rules.parse("free_discard"), 2), Record.parse(OLD + TURN * MAX_TURNS).actions)
    assert match.awaits is Awaiting.DECK
    again = without_limit(match)
    assert (again.to_act, again.finished, again.awaits) == ((0,), (), None)
    assert without_limit(again) == again


def test_a_match_in_play_does_not_go_on() -> None:
    """In a running match, a move in a deal that was too long is illegal."""
    match = replay(OLD + TURN * MAX_TURNS)
    with pytest.raises(IllegalMove, match="the cards are not dealt"):
        apply(match, Play(Seat(0), TAKE))


@pytest.mark.parametrize("move", ["1 take", "0 draw 0 draw", "0 x Ks", "0 pass", "stock 4c9d"])
def test_a_log_goes_on_by_the_rules(move: str) -> None:
    """In an old log, only a legal move by the next player continues the deal."""
    with pytest.raises(RecordError):
        replay(OLD + TURN * MAX_TURNS + move)


def test_an_old_deal_ends_after_as_many_turns_again() -> None:
    """A deal that was over the limit when it was introduced ends after another hundred turns each."""
    match = replay(OLD + TURN * (MAX_TURNS + 1))
    over = apply_all(match, go_round(match, 2 * MAX_TURNS - 2))
    assert (over.finished[0].too_long, len(over.finished[0].history)) == (True, 4 * 2 * MAX_TURNS)


def test_an_old_log_reshuffles_on() -> None:
    """If the last turn also used up the stock, an old log continues with its reshuffle."""
    match = begun("penalty cards_dealt=10 discard_drawn=free", 4)
    turns, draws = MAX_TURNS * 4, 49 - 4 * 10
    assert draws < turns
    first = apply_all(match, before := go_round(match, turns - draws))
    over, after = until_void(first, Random(2))
    assert over.finished[0].too_long
    assert over.finished[0].stock_used_up
    waiting = without_limit(over)
    assert waiting.reshuffling is not None
    more = Reshuffle(waiting.reshuffling.discards[:-1])
    assert apply_log(match, [*before, *after, more]) == apply(waiting, more)


@pytest.mark.parametrize("other_first", [True, False])
def test_an_old_round_of_two_boards_goes_on(other_first: bool) -> None:
    """A board of an old log that continues has the score from before its round, even if that round seemed finished."""
    head = '[Record "1"]\n[Rules "partners discard_drawn=free target=10"]\n'
    turn = TAKE, discard(DEAL.deck[20])
    old = [Play(Seat(seat), move) for _ in range(MAX_TURNS) for seat in (0, 1) for move in turn]
    gin = [Play(Seat(2), TAKE), Play(Seat(2), Move.parse("k Qh"))]
    out = [Play(Seat(0), TAKE), Play(Seat(0), Move.parse("k Qh"))]
    actions: list[Action] = [*BOARDS, *((*gin, *old) if other_first else (*old, *gin)), *out]
    match = apply_log(new_match(Rules.parse("partners discard_drawn=free target=10"), 4), actions)
    assert match.score.over
    assert match.score.scores == (170, 0)
    assert [deal.too_long for deal in match.finished] == [False, False]
    assert replay(head + "\n".join(map(str, actions))).score == match.score


@pytest.mark.parametrize(("rounds", "version"), [(99, 1), (100, 4), (101, 1)])
def test_a_deal_that_was_too_long_needs_version_4(rounds: int, version: int) -> None:
    """Only a record with a deal that was too long needs version 4: older programs would continue the deal."""
    record = Record.parse(OLD + TURN * rounds)
    assert record.version == version
    again = Record.parse(str(record))
    assert (again, again.replay()) == (record, record.replay())


def test_a_seat_changes_its_words_ten_times_for_a_deal_at_most() -> None:
    """A seat may change its words ten times for one deal. The other seats have their own count."""
    table = Table(Rules.parse("classic"), ["a", "b"], CHAIN)
    while table.chance():
        pass
    for number in range(MAX_CHANGES):
        table.give(Seat(0), f"{number}")
    with pytest.raises(IllegalMove, match=f"a seat gives {MAX_CHANGES} seeds for one deal at most"):
        table.give(Seat(0), "once more")
    table.give(Seat(1), "mine")
    table.play(Random(1), deals=1)
    table.chance()
    table.give(Seat(0), "once more")
    assert audit(table.fair_match.record, CHAIN.commitment, {0: table.texts[0][:12]}).answer != "wrong"


def test_all_seats_change_their_words_so_often_in_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match has at most as many seeds as an audit reads."""
    monkeypatch.setattr("bot.engine.seeds.MAX_SEEDS", 4)
    table = Table(Rules.parse("classic"), ["a", "b"], CHAIN)
    while table.chance():
        pass
    for seat in (Seat(0), Seat(1)):
        table.give(seat, "new")
    with pytest.raises(IllegalMove, match="in a match"):
        table.give(Seat(0), "newer")


def test_a_full_log_leaves_room_for_a_round() -> None:
    """A log that is not full has room for the longest round. A match of a thousand typical rounds is not full."""
    last = next(number for number in count(0, 1000) if is_full(number))
    assert last - 1000 + MAX_ROUND <= MAX_ACTIONS
    assert not is_full(1000 * 2 * 98)


def test_the_longest_actions_fit_into_the_bytes_of_a_record() -> None:
    """A seed is the longest repeatable action, and each deal has moves that compensate for its deck."""
    seed = str(PlayerSeed(Seat(3), bytes(SEED_BYTES), CHAIN_LENGTH + 1)) + "\n"
    reveal = str(Reveal(CHAIN_LENGTH, bytes(SEED_BYTES))) + "\n"
    stock = str(Reshuffle(DECK[:29], CHAIN_LENGTH)) + "\n"
    seats = (Seat(0), Seat(1), Seat(2), Seat(3))
    dealt = str(Shuffle(CHAIN_LENGTH, Seat(3), DECK, seats, 2, CHAIN_LENGTH)) + "\n"
    out = "3 take 3 k Qh AcAdAhAs/2c2d2h2s/3c3d3h3s\n"
    longest = max(len(seed), len(reveal), len(stock))
    assert len(dealt) + len(out) <= 3 * longest
    headers = 10_000
    assert MAX_ACTIONS * longest + headers <= MAX_BYTES


Chooser = Callable[[Table, Random], Action]


def always_take(table: Table, rng: Random) -> Action:
    """Take from the pile if legal, and discard the same card."""
    return first_of(table, rng, TAKE)


def always_draw(table: Table, rng: Random) -> Action:
    """Draw if legal, and discard the drawn card."""
    return first_of(table, rng, PASS, DRAW)


def first_of(table: Table, rng: Random, *wanted: Move) -> Action:
    """Return the first of these moves that is legal, else the discard of the new card, else any move."""
    seat = rng.choice(table.match.to_act)
    moves, new = legal(table.match, seat), table.match.deal_of(seat).new_card
    wanted = wanted if new is None else (discard(new),)
    return Play(seat, next((move for move in wanted if move in moves), rng.choice(moves)))


def at_random(table: Table, rng: Random) -> Action:
    """Play any legal move."""
    seat = rng.choice(table.match.to_act)
    return Play(seat, rng.choice(legal(table.match, seat)))


def change_words(table: Table, rng: Random) -> Action:
    """Change words whenever it is legal, otherwise take."""
    match = table.match
    assert match.seeds is not None
    for seat in map(Seat, range(match.seats)):
        first = counts_from(seat, match.seats, match.dealt)
        if seat not in match.replaced and match.seeds.may_change(seat, first):
            words, texts = f"{rng.random()}", cast(list[str], table.texts[seat])
            texts.append(words)
            return PlayerSeed(seat, player_seed(words), first)
    return always_take(table, rng)


def give_up(table: Table, rng: Random) -> Action:
    """Let computers take over, then resign."""
    match = table.match
    left = [Seat(seat) for seat in range(match.seats) if seat not in match.replaced]
    if match.seats > 2 and len(left) > 1 and rng.random() < 0.5:
        return Replace(rng.choice(left))
    return Play(rng.choice(left), RESIGN) if rng.random() < 0.2 else always_take(table, rng)


CHOOSERS: Final[tuple[Chooser, ...]] = (always_take, always_draw, at_random, change_words, give_up)
ENDLESS: Final = [one for one in TABLES if one[0] in ("free_discard", "penalty", "partners", "strict")]
PLAYED: Final = [
    (choose, *table, (number + place // 2) % 2 == 0)
    for number, choose in enumerate(CHOOSERS)
    for place, table in enumerate(ENDLESS)
]
"""All ways to play, with each of these rules. Half of them reshuffle."""


@pytest.mark.parametrize(
    ("choose", "preset", "seats", "reshuffle"),
    [
        *thorough_after(3, PLAYED[::5]),
        *nightly_after(0, [(*one[:3], reshuffle) for one in PLAYED for reshuffle in (False, True)]),
    ],
)
def test_whatever_is_played_prints_a_record_that_can_be_read(
    choose: Chooser, preset: str, seats: int, reshuffle: bool
) -> None:
    """Endless play is stopped, and its record can be read, replayed and audited."""
    more = " stock_out=reshuffle last_discard=void" if reshuffle else ""
    table = Table(Rules.parse(f"{preset} discard_drawn=free{more}"), NAMES[:seats], CHAIN)
    rng = Random(f"{choose.__name__} {preset} {seats}")
    moves = 0
    while not table.match.score.over and table.match.dealt < 4:
        table.reveal()
        if not table.chance():
            table.do(choose(table, rng))
        moves += 1
        assert moves < 4 * MAX_ROUND
    table.reveal()
    fair = table.fair_match
    text = str(fair.record)
    match = replay(text)
    assert match_to_json(match) == match_to_json(table.match)
    assert match_to_json(match) == reference_json(text)
    found = audit(Record.parse(text), CHAIN.commitment, fair.words)
    assert (found.answer, found.differences) == ("ok", ())


@pytest.mark.thorough
@examples(3, at_night=130)
@given(seed=seeds)
def test_random_takers_agree_with_the_reference(seed: int) -> None:
    """Engine and reference end the same deals if players almost always take."""
    rng = Random(seed)
    match, actions = new_match(Rules.parse("free_discard target=none deals=1 knock_limit=0"), 2), list[Action]()
    while not match.score.over and match.dealt < 6:
        if match.awaits is Awaiting.DECK and match.dealt:
            seating = match.due[0]
            action: Action = Shuffle(seating.number, seating.dealer, shuffled(rng))
        elif match.awaits is not None:
            action = random_action(match, rng)
        else:
            seat = match.to_act[0]
            moves = legal(match, seat)
            action = Play(seat, TAKE if TAKE in moves and rng.random() < 0.97 else rng.choice(moves))
        match = apply(match, action)
        actions.append(action)
    text = str(Record(match.rules, tuple(actions), NAMES[:2]))
    assert match_to_json(replay(text)) == reference_json(text) == match_to_json(match)
