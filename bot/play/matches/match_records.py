"""Records of matches, for people: without cards that nobody laid down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from bot.engine.actions import Action, Play
from bot.engine.errors import GinError
from bot.engine.match import Match
from bot.engine.moves import FORFEITS
from bot.engine.record import Record, deals_of, parse_actions
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service
from bot.play.refusals import NotOver
from bot.store import chains, matches
from bot.store.chains import ChainRow
from bot.store.database import Lane
from bot.values.ids import MatchId
from bot.values.matches import MatchInfo

_Placed = tuple[Action, tuple[int, int]]
"""An action with the number and the board of the deal it belongs to."""


@dataclass(frozen=True, slots=True)
class SharedRecord:
    """The record of a match that is over, without names.

    If it would not lead to the match's result without the cards that nobody laid down, it ends before the deal
    `until`.
    """

    match: MatchInfo
    record: Record
    until: int | None


class MatchRecords(Service):
    """Records of matches that are over."""

    async def record(self, match_id: MatchId) -> SharedRecord:
        """Return the record of a match. Raise `NoMatch` or `NotOver`."""
        async with self._units.read(Lane.LONG) as unit:
            loaded = await unit.load(match_id)
            if loaded.running:
                raise NotOver(loaded.info)
            texts = await matches.actions(unit.transaction, match_id)
            chain = await chains.of_match(unit.transaction, match_id)
        return open_record(loaded, texts, chain)


def shown_actions(state: Match, texts: Sequence[str]) -> tuple[Action, ...]:
    """Return the actions of a log without deals whose cards are not all open."""
    hidden = _hidden(state)
    # A forfeit is no part of the deal that it breaks off.
    return tuple(action for action, deal in _placed(texts) if deal not in hidden or _is_forfeit(action))


def _placed(texts: Sequence[str]) -> Iterator[_Placed]:
    for action, (_, number, board) in deals_of(parse_actions("\n".join(texts))):
        yield action, (number, board)


def _hidden(state: Match) -> set[tuple[int, int]]:
    return {(deal.number, deal.board) for deal in (*state.finished, *state.playing) if not state.is_open(deal)}


def _is_forfeit(action: Action) -> bool:
    return isinstance(action, Play) and action.move.verb in FORFEITS


def record_of(loaded: LoadedMatch, texts: Sequence[str], chain: ChainRow | None) -> Record:
    """Return the record of a match, without names, of a log without deals whose cards are not all open.

    `chain` is what was committed to, None if nothing was.
    """
    info, score = loaded.info, loaded.state.score
    commit = message = None
    if chain is not None:
        commit = chain.commitment
        message = None if chain.channel_id is None or chain.message_id is None else (chain.channel_id, chain.message_id)
    return Record(
        info.rules,
        shown_actions(loaded.state, texts),
        ("",) * len(info.players),  # So that it says how many play.
        info.started_at.date(),
        score.totals if score.over else (),
        commit,
        message,
    )


def open_record(loaded: LoadedMatch, texts: Sequence[str], chain: ChainRow | None) -> SharedRecord:
    """Return the record of a match and its log, as far as its cards are open."""
    info, whole, hidden = loaded.info, record_of(loaded, texts, chain), _hidden(loaded.state)
    if not hidden or (loaded.state.score.over and _replays(whole)):
        return SharedRecord(info, whole, None)
    # No deal of the round may be left out: the next one follows from all.
    first = min(number for number, _ in hidden)
    shown = takewhile(lambda placed: placed[1][0] < first, _placed(texts))
    return SharedRecord(info, replace(whole, actions=tuple(action for action, _ in shown), result=()), first)


def _replays(record: Record) -> bool:
    try:
        record.replay()
    except GinError:
        return False
    return True
