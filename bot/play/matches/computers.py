"""Computers: they make their moves as soon as it is their turn, and again after whatever kept them from it."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from typing import Final, Protocol

import structlog

from bot.engine.actions import Play
from bot.engine.match import apply
from bot.engine.moves import Move, Seat
from bot.opponent.advice import Advised
from bot.opponent.levels import Level
from bot.opponent.position import Position
from bot.opponent.seeing import past_deals, position_of
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import Units
from bot.play.matches.match_writer import MatchService, MatchWriter, MovedOn
from bot.play.refusals import MatchOver, NoAdvice, NotPractice, NotYourTurn, Refusal, Unavailable
from bot.store import computer_turns
from bot.store.database import Lane, shielded
from bot.values.ids import MatchId, PersonId
from bot.values.matches import Advice, OwnHand

log = structlog.get_logger(__name__)

AT_ONCE: Final = 64
"""The matches in which computers play at a time."""
SETTLES_WITHIN: Final = 5.0
"""Seconds that the answer to a move waits for the computers to move."""
TRIED_AGAIN_AFTER: Final = timedelta(seconds=5)
LONGEST_WAIT: Final = timedelta(minutes=1)
"""A clock that was set may hide what is due for so long."""


class ThinkerError(Exception):
    """The computer player could not answer."""


class Thinker(Protocol):
    """Where the computer player thinks."""

    async def move(self, position: Position, level: Level, seed: int) -> Move:
        """Return the move of a level in a position. Raise `ThinkerError`."""
        ...

    async def advise(self, position: Position) -> tuple[Advised, ...]:
        """Return the moves of a position, the best first. Raise `ThinkerError`."""
        ...


class Computers(MatchService):
    """The computers in all matches."""

    def __init__(self, units: Units, writer: MatchWriter, thinker: Thinker | None) -> None:
        super().__init__(units, writer)
        self._thinker = thinker
        self._playing: dict[MatchId, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Let computers move whenever it is their turn, until this is cancelled."""
        try:
            while True:
                pause = LONGEST_WAIT
                with contextlib.suppress(Unavailable):
                    pause = await self._begin_due()
                with contextlib.suppress(TimeoutError):
                    # Not `wait_for`: before Python 3.12 it loses a cancellation that comes together with the event.
                    async with asyncio.timeout(pause.total_seconds()):
                        await self._units.computers_called.wait()
                self._units.computers_called.clear()
        finally:
            for task in self._playing.values():
                task.cancel()

    @property
    def idle(self) -> bool:
        """True if no computer is about to move."""
        return not self._playing and not self._units.computers_called.is_set()

    async def answer(self, person_id: PersonId, hand: OwnHand) -> OwnHand:
        """Return a player's hand once computers have moved, or as it is if that takes long."""
        if not hand.awaits_computer:
            return hand
        task = self._play_in(hand.match.id)
        await asyncio.wait({task}, timeout=SETTLES_WITHIN)
        async with self._units.read() as unit:
            loaded = await unit.load(hand.match.id)
            return loaded.hand(loaded.seat_of(person_id), unit.now)

    async def advise(self, person_id: PersonId, match_id: MatchId) -> Advice:
        """Return what a player is to be advised who practises.

        Raise `NoMatch`, `NotSeated`, `MatchOver`, `NotPractice`, `NotYourTurn` or `NoAdvice`.
        """
        async with self._units.read() as unit:
            loaded = await unit.load(match_id)
            seat, hand = loaded.seat_of(person_id), loaded.hand(loaded.seat_of(person_id), unit.now)
        if not loaded.running:
            raise MatchOver(loaded.info)
        if not loaded.info.practice:
            raise NotPractice(loaded.info)
        if seat not in loaded.to_act:
            raise NotYourTurn(hand)
        if self._thinker is None:
            raise NoAdvice
        try:
            moves = await self._thinker.advise(position_of(loaded.state, seat, past_deals(loaded.state)))
        except ThinkerError as error:
            log.warning("no advice could be given", error=str(error))
            raise NoAdvice from None
        return Advice(hand, moves)

    async def _begin_due(self) -> timedelta:
        """Begin what is due, and return how long there is nothing more."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            due = await computer_turns.due(unit.transaction, unit.now, self._playing)
            for match_id in due[: max(AT_ONCE - len(self._playing), 0)]:
                self._play_in(match_id)
            if len(self._playing) >= AT_ONCE:
                return LONGEST_WAIT
            following = await computer_turns.next_due(unit.transaction, self._playing)
            return LONGEST_WAIT if following is None else max(timedelta(), min(following - unit.now, LONGEST_WAIT))

    def _play_in(self, match_id: MatchId) -> asyncio.Task[None]:
        """Let computers move in a match, if they do not already."""
        task = self._playing.get(match_id)
        if task is None:
            task = self._playing[match_id] = asyncio.create_task(self._play(match_id))
            task.add_done_callback(lambda _: self._done(match_id))
        return task

    def _done(self, match_id: MatchId) -> None:
        del self._playing[match_id]
        # More may be due than may be played at once, or it has been put off.
        self._units.computers_called.set()

    async def _play(self, match_id: MatchId) -> None:
        """Let computers move in a match until a person is to act."""
        try:
            while await self._step(match_id):
                pass
        except Unavailable:
            await asyncio.sleep(TRIED_AGAIN_AFTER.total_seconds())
        except (Refusal, ThinkerError) as error:
            log.warning("a computer cannot move", match=match_id, error=type(error).__name__)
            with contextlib.suppress(Unavailable):
                await self._put_off(match_id)

    async def _step(self, match_id: MatchId) -> bool:
        """Let computers move until a person or chance is to act. Return False if none of them is to act now."""
        async with self._units.read(Lane.BACKGROUND) as unit:
            loaded = await unit.load(match_id)
        if not loaded.computers_to_act:
            return False
        plays = await self._think(loaded)
        with contextlib.suppress(MovedOn):
            await self._write(match_id, loaded.info.version, plays)
        return True

    async def _think(self, loaded: LoadedMatch) -> list[Play]:
        """Return the moves of computers until somebody else or chance is to act, or a deal is over."""
        if self._thinker is None:
            raise ThinkerError("there is nobody to think")
        state, plays, past = loaded.state, list[Play](), past_deals(loaded.state)
        while len(state.finished) == len(past) and state.awaits is None:
            seat = next((one for one in state.to_act if loaded.info.players[one].computer is not None), None)
            if seat is None:
                break
            level = loaded.info.players[seat].computer
            assert level is not None
            move = await self._thinker.move(position_of(state, seat, past), level, seed=loaded.info.id)
            plays.append(Play(seat, move))
            state = apply(state, plays[-1])
        return plays

    @shielded
    async def _write(self, match_id: MatchId, version: int, plays: list[Play]) -> None:
        async with self._units.write() as unit:
            loaded = await unit.load_running(match_id)
            if loaded.info.version != version:
                raise MovedOn(match_id)
            people = [seat for seat, player in enumerate(loaded.info.players) if player.id is not None]
            clicked_by = Seat(people[0]) if len(people) == 1 else None
            await self._writer.advance(unit, loaded, plays, clicked_by=clicked_by)

    @shielded
    async def _put_off(self, match_id: MatchId) -> None:
        async with self._units.write() as unit:
            loaded = await unit.load(match_id)
            if loaded.computers_to_act:
                await computer_turns.put(unit.transaction, match_id, unit.now + TRIED_AGAIN_AFTER)
            else:
                await computer_turns.remove(unit.transaction, match_id)
