"""Moves: checks them against the current match, writes them to the log, and returns the hand after them.

Between two deals, a player first sees the showdown, and then continues with the next deal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import DONE, Move, Seat, Verb, knock
from bot.engine.errors import IllegalMove
from bot.engine.matches.match import Play, apply, canonical_action
from bot.engine.matches.views import seat_view
from bot.model.ids import ChannelId, InteractionId, MatchId, PersonId
from bot.model.matches import OwnHand, PicturedHand, Shortcut
from bot.model.people import DEFAULT_PREFERENCES, Preferences
from bot.play.loading.arranged_hands import arranged_cards
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork, require_no_vacancy, require_not_frozen, shielded
from bot.play.matches.holidays import end_holiday_before_move
from bot.play.matches.lookup import find_match
from bot.play.matches.match_writer import MatchChanged, MatchService
from bot.play.outbox.changes import Change, enqueue_hand
from bot.play.refusals import DayOver, Illegal, MatchOver, NotYourTurn, Paused, Refusal, Stale
from bot.store import matches


class Turns(MatchService):
    """Makes moves in running matches."""

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
            interaction_id: the interaction that caused the move. The call is idempotent for each interaction.
            version: the version that the person saw, if known. Changes on other boards do not matter.
            in_own_message: True if the player clicked in their own hand message. The answer updates that message.
            prepare: called with the new hand while the move is being saved, so that its picture is drawn in parallel.
                It must not show anything before `move` returns: saving can fail.
        """
        try:
            with self._units.about_to_move(person_id):
                async with self._units.write() as unit:
                    loaded = await unit.load(match_id)
                    seat = loaded.seat_of(person_id)
                    if not loaded.is_running:
                        raise MatchOver(loaded.info)
                    require_not_frozen(loaded)
                    if version is not None and not loaded.version_for(seat) <= version <= loaded.info.version:
                        raise Stale(loaded.hand(seat, unit.now))
                    clicked_by = seat if in_own_message else None
                    return await self._make_move(unit, loaded, seat, move, interaction_id, prepare, clicked_by)
        except (Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)

    @shielded
    async def command(
        self,
        person_id: PersonId,
        channel_id: ChannelId | None,
        move: Move | Shortcut | Callable[[Preferences], Move],
        interaction_id: InteractionId,
        *,
        prepare: Callable[[OwnHand], None] | None = None,
    ) -> OwnHand:
        """Make a move in the match that a command in a channel is about, and return the hand after it. See `move`.

        `move` can be a function that reads the move, given the player's preferences. It is only called on the player's
        turn, and its errors are raised.

        Also raise `NoMatch`, `WhichMatch` or `NotSeated` like `Lookup.find`, or `Frozen`, `Paused`, `Vacant`,
        `NotYourTurn` or `Illegal`.
        """
        try:
            with self._units.about_to_move(person_id):
                async with self._units.write() as unit:
                    row = await find_match(unit, person_id, channel_id, to_move=True)
                    loaded = require_not_frozen(await unit.restore(row))
                    seat = loaded.seat_of(person_id)
                    return await self._make_move(unit, loaded, seat, move, interaction_id, prepare)
        except (Refusal, MatchChanged) as reason:
            return await self._hand_after_retry(person_id, interaction_id, reason)

    def foresee(self, person_id: PersonId, match_id: MatchId, move: Move | Shortcut) -> PicturedHand | None:
        """Predict a player's hand after a move, without the database. Return None if the match is not in the cache.

        Also return None for a move that ends the deal or that a computer answers. A prediction can be wrong: use it to
        draw a picture early, and compare it with the hand that `move` returns before anyone sees the picture.
        """
        loaded = self._units.cache.latest(match_id)
        return None if loaded is None else _foresee(loaded, person_id, move)

    def foresee_command(
        self,
        person_id: PersonId,
        channel_id: ChannelId | None,
        move: Move | Shortcut | Callable[[Preferences], Move | None],
    ) -> PicturedHand | None:
        """Predict a player's hand after the move of a command, like `foresee`. `move` returns None if it is unreadable.

        Also return None if the person plays no match in this channel, or several.
        """
        known = self._units.cache.latest_of(person_id, channel_id)
        if len(known) != 1:
            return None
        [loaded] = known
        person = loaded.row.seats[loaded.seat_of(person_id)].person
        preferences = DEFAULT_PREFERENCES if person is None else person.preferences
        read = move(preferences) if callable(move) else move
        return None if read is None else _foresee(loaded, person_id, read)

    @shielded
    async def next_deal(
        self,
        person_id: PersonId,
        match_id: MatchId,
        number: int,
        board: int | None = None,
        *,
        in_own_message: bool = False,
        prepare: Callable[[OwnHand], None] | None = None,
    ) -> OwnHand:
        """Save that a player has seen the showdown of a deal, and return their hand. See `move`.

        Raise `NoMatch` or `NotSeated`.
        """
        async with self._units.write() as unit:
            loaded = await unit.load(match_id)
            seat, seen = loaded.seat_of(person_id), loaded.finished_number(number, board)
            if loaded.is_running and loaded.row.seats[seat].seen_deal < seen:
                matches.change_some_seats(unit.transaction, match_id, [seat], seen_deal=seen)
                loaded = await self._writer.revise(unit, loaded, Change(boards=()))
                enqueue_hand(unit, loaded, seat, clicked=in_own_message)
            hand = loaded.hand(seat, unit.now)
            if prepare is not None:
                prepare(hand)
            return hand

    async def _make_move(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        seat: Seat,
        move: Move | Shortcut | Callable[[Preferences], Move],
        interaction_id: InteractionId,
        prepare: Callable[[OwnHand], None] | None,
        clicked_by: Seat | None = None,
    ) -> OwnHand:
        # Build the hand only on demand: most moves do not need it, and it takes as long as the move itself.
        current_hand = partial(loaded.hand, seat, unit.now)
        if loaded.info.is_paused:
            raise Paused(loaded.info)
        if loaded.info.day is not None and not loaded.info.is_sealed(unit.now):
            raise DayOver(loaded.info)
        require_no_vacancy(loaded)
        if seat not in loaded.to_act:
            raise NotYourTurn(current_hand())
        if callable(move):
            person = loaded.row.seats[seat].person
            move = move(DEFAULT_PREFERENCES if person is None else person.preferences)
        loaded, came_back = await end_holiday_before_move(unit, self._writer, loaded, seat, clicked_by)
        plays = [
            canonical_action(loaded.state, Play(seat, engine_move)) for engine_move in _engine_moves(current_hand, move)
        ]
        try:
            after = await self._writer.advance(unit, loaded, plays, interaction_id, clicked_by=clicked_by)
        except IllegalMove as error:
            raise Illegal(current_hand(), error.code, move.card if isinstance(move, Move) else None) from None
        hand = replace(after.hand(seat, unit.now), returned_from_holiday=came_back)
        if prepare is not None:
            prepare(hand)
        return hand


def _foresee(loaded: LoadedMatch, person_id: PersonId, move: Move | Shortcut) -> PicturedHand | None:
    """Predict a player's hand after a move within a deal. Return None for other moves."""
    seat, state = loaded.info.seat_of(person_id), loaded.state
    if not isinstance(move, Move) or move.verb not in (Verb.PASS, Verb.TAKE, Verb.DRAW, Verb.DISCARD):
        return None
    if seat is None or seat not in loaded.to_act or loaded.info.is_paused:
        return None
    try:
        after = apply(state, canonical_action(state, Play(seat, move)))
    except IllegalMove:
        return None
    person = loaded.row.seats[seat].person
    ends_deal = len(after.finished) > len(state.finished) or after.awaits is not None
    if person is None or ends_deal or loaded.info.computer_seats(after.to_act):
        return None
    return PicturedHand(seat_view(after, seat), person.preferences, arranged_cards(after, loaded.row.seats[seat]))


def _engine_moves(current_hand: Callable[[], OwnHand], move: Move | Shortcut) -> list[Move]:
    """Return the engine's moves for a player's move or shortcut. Raise `Illegal` if a shortcut is not possible."""
    match move:
        case Shortcut.GIN:
            return [_gin_move(current_hand())]
        case Shortcut.LAY_OFF_ALL:
            return _best_layoffs(current_hand())
        case Move(Verb.LAY_OFF, Card() as card, None):
            return [_best_layoff(current_hand(), card)]
        case Move():
            return [move]


def _gin_move(hand: OwnHand) -> Move:
    """Return the knock that leaves no deadwood. Raise `Illegal` if there is none."""
    for choice in hand.view.discard_choices:
        if choice.can_knock and choice.deadwood == 0:
            return knock(choice.card)
    raise Illegal(hand, "no-gin", None)


def _best_layoffs(hand: OwnHand) -> list[Move]:
    """Return the layoffs that leave the least deadwood, then `DONE`. Raise `Illegal` if there is no knock to answer."""
    if hand.view.best_response is None:
        raise Illegal(hand, "no-lay-off", None)
    return [*(Move(Verb.LAY_OFF, lay_off.card, (lay_off.meld,)) for lay_off in hand.view.best_response.lay_offs), DONE]


def _best_layoff(hand: OwnHand, card: Card) -> Move:
    """Return the layoff of a card on the meld chosen in `best_response`, or else on the first that accepts the card."""
    best = hand.view.best_response.lay_offs if hand.view.best_response is not None else ()
    for choice in (*best, *hand.view.lay_offs):
        if choice.card == card:
            return Move(Verb.LAY_OFF, card, (choice.meld,))
    return Move(Verb.LAY_OFF, card)
