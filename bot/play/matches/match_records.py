"""Public records of matches.

Only `open_record` decides which actions of a log are shown, so that all records of a match agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from bot.engine.deals.moves import FORFEITS
from bot.engine.errors import GinError
from bot.engine.matches.actions import Action, Play, Replace, Shuffle
from bot.engine.matches.match import Match
from bot.engine.records.record import Record, parse_actions, with_deals
from bot.model.ids import MatchId
from bot.model.matches import MatchInfo
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Service
from bot.play.refusals import NotOver
from bot.store import chains, matches
from bot.store.chains import ChainRow
from bot.store.database import Lane

ActionInDeal = tuple[Action, tuple[int, int]]
"""An action, with the number and board of its deal."""


@dataclass(frozen=True, slots=True)
class SharedRecord:
    """The public record of a match, without names.

    Deals whose cards are not all public are omitted. If the match is running, or its result does not follow from the
    public deals alone, the record ends before the first omitted deal, whose number is `ends_before_deal`. In that case,
    all boards of that deal are omitted: events are numbered across boards, so a single board could not be verified.
    """

    match: MatchInfo
    record: Record
    ends_before_deal: int | None

    @property
    def deals(self) -> set[tuple[int, int]]:
        """The number and the board of each deal in the record."""
        return {(action.number, action.board) for action in self.record.actions if isinstance(action, Shuffle)}


class MatchRecords(Service):
    """Records of finished matches."""

    async def record(self, match_id: MatchId) -> SharedRecord:
        """Return the record of a match. Raise `NoMatch` or `NotOver`."""
        async with self._units.read(Lane.LONG) as unit:
            loaded = await unit.load_open(match_id)
            if loaded.is_running:
                raise NotOver(loaded.info)
            texts = await matches.actions(unit.transaction, match_id)
            chain = await chains.of_match(unit.transaction, match_id)
        return open_record(loaded, actions_by_deal(texts), chain)


def actions_by_deal(texts: Sequence[str]) -> list[ActionInDeal]:
    """Return the actions of a log, each with its deal."""
    return [(action, (number, board)) for action, (_, number, board) in with_deals(parse_actions("\n".join(texts)))]


def _hidden_deals(state: Match) -> set[tuple[int, int]]:
    return {(deal.number, deal.board) for deal in (*state.finished, *state.playing) if not state.is_open(deal)}


def _belongs_to_match(action: Action) -> bool:
    """Return True for a takeover or a forfeit: it belongs to the match, not to the deal during which it happened."""
    return isinstance(action, Replace) or (isinstance(action, Play) and action.move.verb in FORFEITS)


def open_record(loaded: LoadedMatch, actions: Sequence[ActionInDeal], chain: ChainRow | None) -> SharedRecord:
    """Return the record of a running or finished match, with every action of its log that is public.

    These are the actions of public deals, and the reveals and player seeds between a public deal and the deal after
    it. A player seed given during a deal belongs to that deal. `chain` is the match's hash chain; None if the match has
    no commitment.
    """
    info, hidden = loaded.info, _hidden_deals(loaded.state)
    full_record = _record_without(loaded, actions, chain, hidden)
    if not hidden or (loaded.state.score.is_over and _replays(full_record)):
        return SharedRecord(info, full_record, None)
    # The record must end before the first round with a hidden deal: all later rounds depend on the cards of that deal.
    first = min(number for number, _ in hidden)
    public_actions = takewhile(lambda placed: placed[1][0] < first, actions)
    return SharedRecord(
        info, replace(full_record, actions=tuple(action for action, _ in public_actions), result=()), first
    )


def _record_without(
    loaded: LoadedMatch, actions: Sequence[ActionInDeal], chain: ChainRow | None, hidden: set[tuple[int, int]]
) -> Record:
    """Return the record of a match without its hidden deals."""
    info, score = loaded.info, loaded.state.score
    commit = message = None
    if chain is not None:
        commit = chain.commitment
        message = None if chain.channel_id is None or chain.message_id is None else (chain.channel_id, chain.message_id)
    return Record(
        info.rules,
        tuple(action for action, deal in actions if deal not in hidden or _belongs_to_match(action)),
        ("",) * len(info.players),  # The record contains no names.
        info.started_at.date(),
        score.totals if score.is_over else (),
        commit,
        message,
    )


def _replays(record: Record) -> bool:
    try:
        record.replay()
    except GinError:
        return False
    return True
