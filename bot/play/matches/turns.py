"""Moves: checks them against the current match, writes them to the log, and returns the hand after them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.engine.cards import Card
from bot.engine.errors import IllegalMove
from bot.engine.match import Play, canonical_action
from bot.engine.moves import DONE, Move, Seat, Verb, knock
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, require_occupied, require_thawed, shielded
from bot.play.matches.holidays import come_back
from bot.play.matches.lookup import find_match
from bot.play.matches.match_writer import MatchService, MovedOn
from bot.play.refusals import Illegal, MatchOver, NotYourTurn, Paused, Refusal, Stale
from bot.values.ids import ChannelId, InteractionId, MatchId, PersonId
from bot.values.matches import OwnHand, Shortcut


class Turns(MatchService):
    """Moves in running matches."""

    @shielded
    async def move(
        self,
        person_id: PersonId,
        match_id: MatchId,
        move: Move | Shortcut,
        interaction_id: InteractionId,
        *,
        version: int | None = None,
        in_own_message: bool = False,
        prepare: Callable[[OwnHand], None] | None = None,
    ) -> OwnHand:
        """Make a move, and return the hand after it.

        Raise `NoMatch`, `NotSeated`, `MatchOver`, `Frozen`, `Paused`, `Vacant`, `Stale`, `NotYourTurn` or `Illegal`.

        Args:
            move: a knock without melds uses the default arrangement; a layoff without a meld goes on the best meld.
            interaction_id: the interaction that caused it. The call is idempotent for each interaction. version: the
            version that the person saw, if known. Changes on other boards do not matter. in_own_message: True if the
            player's own hand message was clicked. The answer updates that message. prepare: called with the new hand
            while the move is being saved, so that its picture can be drawn in parallel.
                Nothing may be shown before `move` returns: saving may fail.
        """
        try:
            with self._units.about_to_move(person_id):
                async with self._units.write() as unit:
                    loaded = await unit.load(match_id)
                    seat = loaded.seat_of(person_id)
                    if not loaded.running:
                        raise MatchOver(loaded.info)
                    require_thawed(loaded)
                    if version is not None and not loaded.changed_at(seat)[0] <= version <= loaded.info.version:
                        raise Stale(loaded.hand(seat, unit.now))
                    clicked_by = seat if in_own_message else None
                    return await self._make(unit, loaded, seat, move, interaction_id, prepare, clicked_by)
        except (Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)

    @shielded
    async def command(
        self,
        person_id: PersonId,
        channel_id: ChannelId | None,
        move: Move | Shortcut,
        interaction_id: InteractionId,
        *,
        prepare: Callable[[OwnHand], None] | None = None,
    ) -> OwnHand:
        """Make a move in the match that a command in a channel is about, and return the hand after it. See `move`.

        Raise `NoMatch`, `WhichMatch` or `NotSeated` like `Lookup.find`, or `Frozen`, `Paused`, `Vacant`, `NotYourTurn`
        or `Illegal`.
        """
        try:
            with self._units.about_to_move(person_id):
                async with self._units.write() as unit:
                    loaded = require_thawed(await unit.restore(await find_match(unit, person_id, channel_id)))
                    seat = loaded.seat_of(person_id)
                    return await self._make(unit, loaded, seat, move, interaction_id, prepare)
        except (Refusal, MovedOn) as reason:
            return await self._answer_again(person_id, interaction_id, reason)

    async def _make(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        seat: Seat,
        move: Move | Shortcut,
        interaction_id: InteractionId,
        prepare: Callable[[OwnHand], None] | None,
        clicked_by: Seat | None = None,
    ) -> OwnHand:
        # Build the view only on demand: most moves do not need it, and it takes as long as the move itself.
        look = partial(loaded.hand, seat, unit.now)
        if loaded.info.paused:
            raise Paused(loaded.info)
        require_occupied(loaded)
        if seat not in loaded.to_act:
            raise NotYourTurn(look())
        loaded, came_back = await come_back(unit, self._writer, loaded, seat, clicked_by)
        plays = [canonical_action(loaded.state, Play(seat, one)) for one in _engine_moves(look, move)]
        try:
            after = await self._writer.advance(unit, loaded, plays, interaction_id, clicked_by=clicked_by)
        except IllegalMove as error:
            raise Illegal(look(), error.code, move.card if isinstance(move, Move) else None) from None
        hand = replace(await unit.hand(after, seat), came_back=came_back)
        if prepare is not None:
            prepare(hand)
        return hand


def _engine_moves(look: Callable[[], OwnHand], move: Move | Shortcut) -> list[Move]:
    """Return the engine's moves for a request. Raise `Illegal`."""
    match move:
        case Shortcut.GIN:
            return [_gin(look())]
        case Shortcut.LAY_OFF_ALL:
            return _lay_off_all(look())
        case Move(Verb.LAY_OFF, Card() as card, None):
            return [_lay_off(look(), card)]
        case Move():
            return [move]


def _gin(hand: OwnHand) -> Move:
    """Return the knock that leaves no deadwood. Raise `Illegal`."""
    for choice in hand.view.discard_choices:
        if choice.knocks and choice.leaves == 0:
            return knock(choice.card)
    raise Illegal(hand, "no-gin", None)


def _lay_off_all(hand: OwnHand) -> list[Move]:
    """Return the layoffs that leave the least deadwood, and the move that ends the answer. Raise `Illegal`."""
    if hand.view.best_response is None:
        raise Illegal(hand, "no-lay-off", None)
    return [*(Move(Verb.LAY_OFF, one.card, (one.meld,)) for one in hand.view.best_response.lay_offs), DONE]


def _lay_off(hand: OwnHand, card: Card) -> Move:
    """Return the layoff of a card on the best meld, or on the first that accepts it."""
    best = hand.view.best_response.lay_offs if hand.view.best_response is not None else ()
    for choice in (*best, *hand.view.lay_offs):
        if choice.card == card:
            return Move(Verb.LAY_OFF, card, (choice.meld,))
    return Move(Verb.LAY_OFF, card)
