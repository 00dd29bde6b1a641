"""Makes the computers' moves when it is their turn, and retries after failures."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from bot.engine.actions import Play
from bot.engine.match import apply
from bot.engine.moves import Seat
from bot.opponent.seeing import past_deals, position_of
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Units, shielded
from bot.play.matches.match_writer import MatchService, MatchWriter, MovedOn
from bot.play.matches.thinker import Thinker, ThinkerError
from bot.play.refusals import MatchOver, NoAdvice, NotPractice, NotYourTurn, Refusal, Unavailable
from bot.store import computer_turns
from bot.store.database import Lane
from bot.values.ids import MatchId, PersonId
from bot.values.matches import Advice, OwnHand

log = structlog.get_logger(__name__)

AT_ONCE: Final = 64
"""Maximum number of matches in which computers move simultaneously."""
SETTLES_WITHIN: Final = 5.0
"""Maximum time for which the answer to a move waits for the computers' moves, in seconds."""
TRIED_AGAIN_AFTER: Final = 5.0
"""Pause before a computer that could not move retries, in seconds. It doubles with each failure to think."""
LONGEST_PAUSE: Final = 300.0
"""Maximum of that pause, in seconds."""
LOOKS_EVERY: Final = 30.0
"""Interval between database searches for computers' turns, in seconds. Usually a commit reports the turn."""


@dataclass(frozen=True, slots=True)
class _Pause:
    """A pause before a retry, in seconds, and its end by the event loop's clock."""

    seconds: float
    until: float


class Computers(MatchService):
    """The computers in all matches."""

    def __init__(self, units: Units, writer: MatchWriter, thinker: Thinker) -> None:
        super().__init__(units, writer)
        self._thinker = thinker
        self._playing: dict[MatchId, asyncio.Task[LoadedMatch | None]] = {}
        self._pauses: dict[MatchId, _Pause] = {}
        """The matches in which the last attempt to move failed."""
        self._stopped = False

    async def run(self) -> None:
        """Make the computers' moves whenever it is their turn, until cancelled."""
        try:
            while True:
                with contextlib.suppress(Unavailable):
                    for match_id in await self._due():
                        await self._begin(match_id)
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOKS_EVERY):
                        while (called := await self._units.computers_called.get()) is not None:
                            await self._begin(called)
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop all computers. Callers that wait for their moves get an answer without them."""
        self._stopped = True
        for task in self._playing.values():
            task.cancel()

    @property
    def idle(self) -> bool:
        """True if no computer is about to move."""
        return not self._playing and self._units.computers_called.empty()

    async def answer(self, person_id: PersonId, hand: OwnHand) -> OwnHand:
        """Return a player's hand after the computers' moves, or the unchanged hand if they take long."""
        if not hand.awaits_computer:
            return hand
        # A first task may be about to end without having seen the last move.
        for _ in range(2):
            loaded = await self._settled(hand.match.id)
            if loaded is None:
                break
            if loaded.info.version > hand.match.version:
                seat = loaded.seat_of(person_id)
                moved = loaded.hand(seat, self._units.clock())
                # Usually it is their turn now, and no database query is needed.
                if not moved.view.to_act:
                    with contextlib.suppress(Unavailable):
                        async with self._units.read() as unit:
                            moved = await unit.hand(loaded, seat)
                return replace(moved, came_back=hand.came_back)
        return hand

    async def advise(self, person_id: PersonId, match_id: MatchId) -> Advice:
        """Return advice for a player in a practice match.

        Raise `NoMatch`, `NotSeated`, `MatchOver`, `NotPractice`, `NotYourTurn` or `NoAdvice`.
        """
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            seat = loaded.seat_of(person_id)
            hand = loaded.hand(seat, unit.now)
        if not loaded.running:
            raise MatchOver(loaded.info)
        if not loaded.info.practice:
            raise NotPractice(loaded.info)
        if seat not in loaded.to_act:
            raise NotYourTurn(hand)
        try:
            moves = await self._thinker.advise(position_of(loaded.state, seat, past_deals(loaded.state)))
        except ThinkerError as error:
            log.warning("no advice could be given", error=str(error))
            raise NoAdvice from None
        return Advice(hand, moves)

    async def _due(self) -> Sequence[MatchId]:
        """Return the matches in which it is a computer's turn, including turns from before the start, except pauses."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due = await computer_turns.due(unit.transaction, self._units.share.shards, self._playing)
        return [match_id for match_id in due if match_id not in self._pauses]

    async def _begin(self, match_id: MatchId) -> None:
        """Start to make the computers' moves in a match, once fewer than `AT_ONCE` tasks are running."""
        if self._stopped:
            return
        while len(self._playing) >= AT_ONCE:
            await asyncio.wait(self._playing.values(), return_when=asyncio.FIRST_COMPLETED)
        self._play_in(match_id)

    def _play_in(self, match_id: MatchId) -> asyncio.Task[LoadedMatch | None]:
        """Return the task that makes the computers' moves in a match; start it if necessary. It returns the match."""
        task = self._playing.get(match_id)
        if task is None:
            task = self._playing[match_id] = asyncio.create_task(self._play(match_id))
            task.add_done_callback(lambda _: self._playing.pop(match_id))
        return task

    async def _settled(self, match_id: MatchId) -> LoadedMatch | None:
        """Return a match after its computers' moves; None if they cannot move or take long."""
        if self._stopped:
            return None
        task = self._play_in(match_id)
        await asyncio.wait({task}, timeout=SETTLES_WITHIN)
        return task.result() if task.done() and not task.cancelled() else None

    async def _play(self, match_id: MatchId) -> LoadedMatch | None:
        """Make the computers' moves in a match until it is a person's turn. Return the match; None on failure."""
        try:
            loaded = await self._load(match_id)
            while loaded.computers_to_act:
                try:
                    loaded = await self._write(loaded, await self._think(loaded))
                except MovedOn:
                    loaded = await self._load(match_id)
            self._pauses.pop(match_id, None)
            return loaded
        except (Unavailable, ThinkerError) as error:
            log.warning("a computer cannot move", match=match_id, error=str(error) or type(error).__name__)
            self._pause(match_id, TRIED_AGAIN_AFTER if isinstance(error, Unavailable) else LONGEST_PAUSE)
        except Refusal as error:
            log.warning("a computer may not move", match=match_id, error=type(error).__name__)
            self._pauses.pop(match_id, None)
        except Exception:
            log.exception("a computer failed", match=match_id)
            self._pause(match_id, LONGEST_PAUSE)
        return None

    def _pause(self, match_id: MatchId, longest: float) -> None:
        """Schedule a retry in a match after a pause, twice as long as the previous one."""
        loop, before = asyncio.get_running_loop(), self._pauses.get(match_id)
        if before is not None and before.until > loop.time():
            # This attempt came early, because somebody looked at the match. The scheduled retry remains.
            return
        seconds = TRIED_AGAIN_AFTER if before is None else min(2 * before.seconds, longest)
        self._pauses[match_id] = _Pause(seconds, loop.time() + seconds)
        loop.call_later(seconds, self._units.computers_called.put_nowait, match_id)

    async def _load(self, match_id: MatchId) -> LoadedMatch:
        async with self._units.read(Lane.BACKGROUND) as unit:
            return await unit.load(match_id)

    async def _think(self, loaded: LoadedMatch) -> list[Play]:
        """Return the computers' moves until it is the turn of a person or of chance, or until the deal ends."""
        state, plays, past = loaded.state, list[Play](), past_deals(loaded.state)
        while len(state.finished) == len(past) and state.awaits is None:
            seats = loaded.info.computers_among(state.to_act)
            if not seats:
                break
            seat = seats[0]
            level = loaded.info.players[seat].computer
            assert level is not None
            move = await self._thinker.move(position_of(state, seat, past), level, seed=loaded.info.id)
            plays.append(Play(seat, move))
            state = apply(state, plays[-1])
        return plays

    @shielded
    async def _write(self, seen: LoadedMatch, plays: list[Play]) -> LoadedMatch:
        """Save moves, and return the match after them. Raise `MovedOn` if it has changed since `seen` was loaded."""
        async with self._units.write() as unit:
            loaded = await unit.load_running(seen.info.id)
            if loaded.info.version != seen.info.version:
                raise MovedOn(seen.info.id)
            people = [seat for seat, player in enumerate(loaded.info.players) if player.id is not None]
            clicked_by = Seat(people[0]) if len(people) == 1 else None
            return await self._writer.advance(unit, loaded, plays, clicked_by=clicked_by)
