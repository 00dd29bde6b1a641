"""Makes the computers' moves when it is their turn, and retries after failures."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.engine.deals.moves import Seat
from bot.engine.matches.actions import Play
from bot.engine.matches.match import apply
from bot.model.ids import MatchId, PersonId
from bot.model.matches import Advice, OwnHand
from bot.opponent.play.observation import past_deals, position_of
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Units, shielded
from bot.play.matches.match_writer import MatchChanged, MatchService, MatchWriter
from bot.play.matches.thinker import Thinker, ThinkerError
from bot.play.refusals import MatchOver, NoAdvice, NotInDaily, NotPractice, NotYourTurn, Refusal, Unavailable
from bot.store import computer_turns
from bot.store.database import Lane

log = structlog.get_logger(__name__)

MAX_MATCHES: Final = 64
"""Maximum number of matches in which computers move simultaneously."""
ANSWER_WAIT: Final = 5.0
"""Maximum time that the answer to a player's move waits for the computers' moves, in seconds."""
FIRST_PAUSE: Final = 5.0
"""First pause before a computer that could not move retries, in seconds. The pause doubles with each further failure,
except while the database is unavailable."""
MAX_PAUSE: Final = 300.0
"""Maximum pause before a computer that could not move retries, in seconds."""
SEARCH_INTERVAL: Final = 30.0
"""Interval between database searches for computers' turns, in seconds. The searches are a fallback: usually, the commit
that begins a computer's turn reports it."""


@dataclass(frozen=True, slots=True)
class _Pause:
    """A pause before a retry, in seconds, and its end by the event loop's clock."""

    seconds: float
    until: float


class Computers(MatchService):
    """Makes the moves of the computers in all matches."""

    def __init__(self, units: Units, writer: MatchWriter, thinker: Thinker) -> None:
        super().__init__(units, writer)
        self._thinker = thinker
        self._tasks: dict[MatchId, asyncio.Task[LoadedMatch | None]] = {}
        self._pauses: dict[MatchId, _Pause] = {}
        """For each match in which the computers' last attempt to move failed, the pause before the next attempt."""
        self._stopped = False

    async def run(self) -> None:
        """Make the computers' moves whenever it is their turn, until cancelled."""
        try:
            while True:
                with contextlib.suppress(Unavailable):
                    for match_id in await self._due():
                        await self._start_in(match_id)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SEARCH_INTERVAL):
                        while (called := await self._units.computer_turns.get()) is not None:
                            await self._start_in(called)
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop all computers. Callers that are waiting for computers' moves get an answer without these moves."""
        self._stopped = True
        for task in self._tasks.values():
            task.cancel()

    @property
    def is_idle(self) -> bool:
        """True if no computer is about to move."""
        return not self._tasks and self._units.computer_turns.empty()

    async def answer(self, person_id: PersonId, hand: OwnHand) -> OwnHand:
        """Return a player's hand after the computers' moves, or the unchanged hand if the moves take long."""
        if not hand.awaits_computer:
            return hand
        # Try twice: an earlier task might be about to end without having seen the player's move.
        for _ in range(2):
            loaded = await self._wait_for_moves(hand.match.id)
            if loaded is None:
                break
            if loaded.info.version > hand.match.version:
                seat = loaded.seat_of(person_id)
                new_hand = loaded.hand(seat, self._units.clock())
                # After the computers' moves, it is usually the person's turn, and no database query is needed.
                if not new_hand.view.is_to_act:
                    with contextlib.suppress(Unavailable):
                        async with self._units.read() as unit:
                            new_hand = loaded.hand(seat, unit.now)
                return replace(new_hand, returned_from_holiday=hand.returned_from_holiday)
        return hand

    async def advise(self, person_id: PersonId, match_id: MatchId) -> Advice:
        """Return advice for a player in a practice match.

        Raise `NoMatch`, `NotSeated`, `MatchOver`, `NotInDaily`, `NotPractice`, `NotYourTurn` or `NoAdvice`.
        """
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            seat = loaded.seat_of(person_id)
            hand = loaded.hand(seat, unit.now)
        if not loaded.is_running:
            raise MatchOver(loaded.info)
        if loaded.info.day is not None:
            raise NotInDaily(loaded.info)
        if not loaded.info.is_practice:
            raise NotPractice(loaded.info)
        if seat not in loaded.to_act:
            raise NotYourTurn(hand)
        try:
            position = position_of(loaded.state, seat, past_deals(loaded.state))
            # With the seed of the match's reviews, a review agrees with the hint.
            moves = await self._thinker.advise(position, seed=loaded.info.seed)
        except ThinkerError as error:
            log.warning("no advice could be given", error=str(error))
            raise NoAdvice from None
        return Advice(hand, moves)

    async def _due(self) -> Sequence[MatchId]:
        """Return the matches in the database in which it is a computer's turn, except those that wait for a retry."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due = await computer_turns.due_matches(unit.transaction, self._units.share.shards, self._tasks)
        return [match_id for match_id in due if match_id not in self._pauses]

    async def _start_in(self, match_id: MatchId) -> None:
        """Start the computers' moves in a match. Wait first while computers are moving in `MAX_MATCHES` matches."""
        if self._stopped:
            return
        while len(self._tasks) >= MAX_MATCHES:
            await asyncio.wait(self._tasks.values(), return_when=asyncio.FIRST_COMPLETED)
        self._task_for(match_id)

    def _task_for(self, match_id: MatchId) -> asyncio.Task[LoadedMatch | None]:
        """Return the task that makes the computers' moves in a match, started if necessary. Its result is the match."""
        task = self._tasks.get(match_id)
        if task is None:
            task = self._tasks[match_id] = asyncio.create_task(self._play(match_id))
            task.add_done_callback(lambda _: self._tasks.pop(match_id))
        return task

    async def _wait_for_moves(self, match_id: MatchId) -> LoadedMatch | None:
        """Return a match after its computers' moves; None if they cannot move or take longer than `ANSWER_WAIT`."""
        if self._stopped:
            return None
        task = self._task_for(match_id)
        await asyncio.wait({task}, timeout=ANSWER_WAIT)
        return task.result() if task.done() and not task.cancelled() else None

    async def _play(self, match_id: MatchId) -> LoadedMatch | None:
        """Make the computers' moves in a match until it is a person's turn. Return the match; None on failure."""
        try:
            loaded = self._units.cache.latest(match_id)
            if loaded is None or not loaded.computers_to_act:
                loaded = await self._load(match_id)
            while loaded.computers_to_act:
                try:
                    loaded = await self._write(loaded, await self._choose_moves(loaded))
                except MatchChanged:
                    loaded = await self._load(match_id)
            self._pauses.pop(match_id, None)
            return loaded
        except (Unavailable, ThinkerError) as error:
            log.warning("a computer cannot move", match=match_id, error=str(error) or type(error).__name__)
            self._pause(match_id, FIRST_PAUSE if isinstance(error, Unavailable) else MAX_PAUSE)
        except Refusal as error:
            log.warning("a computer is not allowed to move", match=match_id, error=type(error).__name__)
            self._pauses.pop(match_id, None)
        except Exception:
            log.exception("a computer failed", match=match_id)
            self._pause(match_id, MAX_PAUSE)
        return None

    def _pause(self, match_id: MatchId, max_pause: float) -> None:
        """Schedule a retry after a pause, twice as long as the previous one but at most `max_pause` seconds."""
        loop, previous = asyncio.get_running_loop(), self._pauses.get(match_id)
        if previous is not None and previous.until > loop.time():
            # This attempt came before the scheduled retry, because somebody looked at the match. The retry remains
            # scheduled.
            return
        seconds = FIRST_PAUSE if previous is None else min(2 * previous.seconds, max_pause)
        self._pauses[match_id] = _Pause(seconds, loop.time() + seconds)
        loop.call_later(seconds, self._units.computer_turns.put_nowait, match_id)

    async def _load(self, match_id: MatchId) -> LoadedMatch:
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await unit.load(match_id)

    async def _choose_moves(self, loaded: LoadedMatch) -> list[Play]:
        """Return the computers' moves until a person must move, cards must be shuffled, or the deal ends."""
        state, plays, past = loaded.state, list[Play](), past_deals(loaded.state)
        while len(state.finished) == len(past) and state.awaits is None:
            seats = loaded.info.computer_seats(state.to_act)
            if not seats:
                break
            seat = seats[0]
            level = loaded.info.players[seat].computer
            assert level is not None
            move = await self._thinker.move(position_of(state, seat, past), level, seed=loaded.info.seed)
            plays.append(Play(seat, move))
            state = apply(state, plays[-1])
        return plays

    @shielded
    async def _write(self, seen: LoadedMatch, plays: list[Play]) -> LoadedMatch:
        """Save moves, and return the match after them. Raise `MatchChanged` if the match has changed since `seen`."""
        async with self._units.write() as unit:
            loaded = await unit.load_running(seen.info.id)
            # The match that was seen may come from the cache. Paused computers have nothing to do.
            if loaded.info.version != seen.info.version or loaded.state != seen.state or not loaded.computers_to_act:
                raise MatchChanged(seen.info.id)
            people = [seat for seat, player in enumerate(loaded.info.players) if player.id is not None]
            # The answer to a person's move updates their hand. Before the first move, there is no such answer.
            has_moves = bool(loaded.state.finished) or any(deal.history for deal in loaded.state.playing)
            clicked_by = Seat(people[0]) if len(people) == 1 and has_moves else None
            return await self._writer.advance(unit, loaded, plays, clicked_by=clicked_by)
