"""Verification: the commitment of a match, and data to check that its cards follow from the commitment."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat
from bot.engine.fairness.audit import SeedKind, audit
from bot.engine.fairness.fair import HOUSE_TEXT, NOT_POSTED_TEXT, player_seed
from bot.engine.matches.actions import Chance, Cut, PlayerSeed, Reveal, Shuffle
from bot.model.fairness import DealEvent, EventKind, Fairness, Promise, SeatSeed
from bot.model.ids import MatchId
from bot.model.verification import VerifiedDeal, known_texts
from bot.play.commitments import default_text
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service
from bot.play.matches.match_records import SharedRecord, actions_by_deal, open_record
from bot.play.refusals import NoReplay, NoReplayReason, NotVerifiable
from bot.store import chains, matches, player_words
from bot.store.chains import ChainRow
from bot.store.database import Lane
from bot.store.player_words import WordsRow

_DealKey = tuple[int, int]
"""The number and the board of a deal."""

_FIRST_DEAL: Final[_DealKey] = (1, 1)
"""The first deal. The cut at the start of the match belongs to it."""


class Verification(Service):
    """Data to verify the deals of a match. Anyone who can see the match's channel may request them."""

    async def deal(self, match_id: MatchId, number: int | None = None, board: int | None = None) -> VerifiedDeal:
        """Return the data to verify a deal, by default the last one that can be checked.

        Without `board`, `number` means the deal on the first board. Raise `NoMatch` or `NotVerifiable`, or `NoReplay`
        if the deal does not exist.
        """
        async with self._units.read(Lane.LONG) as unit:
            loaded = await unit.load_open(match_id)
            chain = await chains.of_match(unit.transaction, match_id)
            if chain is None:
                raise NotVerifiable(loaded.info)
            texts = await matches.actions(unit.transaction, match_id)
            words = await player_words.of_chain(unit.transaction, chain.id)
        return await asyncio.to_thread(_verified, loaded, chain, texts, words, number, board)


def _verified(
    loaded: LoadedMatch,
    chain: ChainRow,
    texts: Sequence[str],
    words: Sequence[WordsRow],
    number: int | None,
    board: int | None,
) -> VerifiedDeal:
    actions = actions_by_deal(texts)
    shared = open_record(loaded, actions, chain)
    record, deal_key = shared.record, _choose_deal(loaded, shared, number, board)
    given = _seeds(loaded, chain, [action for action, _ in actions if isinstance(action, PlayerSeed)], words)
    recorded = Counter[int](action.seat for action in record.actions if isinstance(action, PlayerSeed))
    commit = chain.commitment if loaded.info.fairness is Fairness.VERIFIABLE else None
    audited = audit(record, commit, known_texts(given, recorded))
    reveals = {action.event: action.seed for action in record.actions if isinstance(action, Reveal)}
    chances = [(action, of_deal) for action, of_deal in actions if isinstance(action, Chance)]
    counting = {given_seed.seat: given_seed for given_seed in given if (given_seed.counts_from or 0) <= deal_key[0]}
    return VerifiedDeal(
        match=loaded.public_info(),
        promise=Promise(chain.commitment, chain.channel_id, chain.message_id, chain.posted_at),
        number=deal_key[0],
        board=deal_key[1],
        seeds=tuple(counting[seat] for seat in sorted(counting)),
        all_seeds=given,
        events=tuple(
            _event(action, reveals)
            for action, of_deal in chances
            if (_FIRST_DEAL if isinstance(action, Cut) else of_deal) == deal_key
        ),
        unrecorded_events=len(chances) - len(audited.checked) - len(audited.sealed),
        record=str(record),
        audit=audited,
    )


def _choose_deal(loaded: LoadedMatch, shared: SharedRecord, number: int | None, board: int | None) -> _DealKey:
    """Return the deal to verify. Raise `NoReplay` if no deal has this number and board."""
    deals = (*loaded.state.finished, *loaded.state.playing)
    if number is None:
        recorded = shared.deals
        last = [deal for deal in deals if (deal.number, deal.board) in recorded] or deals
        return last[-1].number, last[-1].board
    boards = [deal.board for deal in deals if deal.number == number and board in (None, deal.board)]
    if not boards:
        raise NoReplay(loaded.info, NoReplayReason.UNKNOWN)
    return number, min(boards)


def _event(action: Chance, seeds: Mapping[int, bytes]) -> DealEvent:
    """Return the public view of a cut or shuffle. Its cards are hidden while its seed is secret."""
    assert action.event is not None
    seed = seeds.get(action.event)
    kind, cards = _kind_and_cards(action)
    return DealEvent(action.event, kind, None if seed is None else cards, seed)


def _kind_and_cards(action: Chance) -> tuple[EventKind, tuple[Card, ...]]:
    if isinstance(action, Cut):
        return EventKind.CUT, action.cards
    if isinstance(action, Shuffle):
        return EventKind.DECK, action.deck
    return EventKind.RESHUFFLE, action.cards


def _seeds(
    loaded: LoadedMatch, chain: ChainRow, actions: Sequence[PlayerSeed], words: Sequence[WordsRow]
) -> tuple[SeatSeed, ...]:
    """Return the player seeds in a log, each with the text that it was made from."""
    by_seat: dict[Seat, list[WordsRow]] = {}
    for row in words:
        seat = loaded.info.seat_of(row.person_id)
        if seat is None:
            seat = loaded.info.former_seat_of(row.person_id)
        if seat is not None:
            by_seat.setdefault(seat, []).append(row)
    texts = {SeedKind.MESSAGE: default_text(chain), SeedKind.NONE: NOT_POSTED_TEXT, SeedKind.HOUSE: HOUSE_TEXT}
    seeds = list[SeatSeed]()
    for action in actions:
        row = next((candidate for candidate in by_seat.get(action.seat, ()) if _is_from(candidate, action)), None)
        kind = SeedKind.WORDS if row is not None else _kind_without_words(loaded, chain, action)
        text = texts.get(kind) if row is None else row.text
        early = row is not None and row.early
        seeds.append(SeatSeed(action.seat, action.seed, kind, text, action.counts_from, early))
    return tuple(seeds)


def _is_from(row: WordsRow, action: PlayerSeed) -> bool:
    return row.counts_from == action.counts_from and player_seed(row.text) == action.seed


def _kind_without_words(loaded: LoadedMatch, chain: ChainRow, action: PlayerSeed) -> SeedKind:
    """Return the kind of a player seed for which no words are stored (they might have been deleted)."""
    is_computers = loaded.info.computer_seats([action.seat]) and action.seat not in loaded.state.replaced_seats
    if is_computers or loaded.info.day is not None:
        return SeedKind.HOUSE
    if chain.message_id is not None and action.seed == player_seed(default_text(chain)):
        return SeedKind.MESSAGE
    return SeedKind.NONE if action.seed == player_seed(NOT_POSTED_TEXT) else SeedKind.WORDS
