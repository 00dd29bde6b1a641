"""Matches in memory: a shortcut only, since the database confirms a match's version at each use."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from bot.engine.match import Match, apply_all, new_match
from bot.engine.record import parse_actions
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.stored_rules import stored_rules
from bot.store import matches
from bot.store.database import Transaction
from bot.store.rows import MatchRow
from bot.values.ids import MatchId

_CAPACITY: Final = 512


class MatchCache:
    """The states of matches that were recently used, each with its version."""

    def __init__(self) -> None:
        self._states: OrderedDict[MatchId, tuple[int, Match]] = OrderedDict()

    async def restore(self, transaction: Transaction, row: MatchRow) -> LoadedMatch:
        """Return the match of a row: replayed from its log, unless this version is cached."""
        cached = self._states.get(row.id)
        if cached is not None and cached[0] == row.version:
            self._states.move_to_end(row.id)
            return LoadedMatch(row, cached[1])
        actions = parse_actions("\n".join(await matches.actions(transaction, row.id)))
        loaded = LoadedMatch(row, apply_all(new_match(stored_rules(row.rules), len(row.seats)), actions))
        self.save(loaded)
        return loaded

    def save(self, loaded: LoadedMatch) -> None:
        """Cache a state that is committed."""
        self._states[loaded.row.id] = loaded.row.version, loaded.state
        self._states.move_to_end(loaded.row.id)
        if len(self._states) > _CAPACITY:
            self._states.popitem(last=False)
