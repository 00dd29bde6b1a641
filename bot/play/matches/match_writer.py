"""Writes changes of matches in a unit of work: actions in the log, with cuts and shuffles, and message updates."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from bot.engine.deals.deal import Deal
from bot.engine.deals.moves import RESIGN, Move, Seat
from bot.engine.deals.showdown import OutcomeKind
from bot.engine.matches.actions import TakeBack
from bot.engine.matches.match import Action, Match, Play, new_match
from bot.engine.matches.views import has_open_draw
from bot.model.clocks import TimeChange
from bot.model.daily import PLAYER, DailyScore
from bot.model.fairness import Fairness
from bot.model.ids import ChannelId, InteractionId, MatchId, PersonId
from bot.model.matches import MatchInfo, MatchStatus, OwnHand, Proposal, Terms
from bot.model.outbox import MessageKind
from bot.model.statistics import Category, Player, SeatResult
from bot.play import commitments
from bot.play.clocks.turn_time import time_after_return
from bot.play.loading.daily_streaks import with_streak
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.standing_orders import orders_after
from bot.play.loading.unit_of_work import Service, UnitOfWork, Units, require_not_frozen
from bot.play.matches.following import Steps, reveal_all, with_automatic_actions
from bot.play.matches.ordered_moves import ordered_move
from bot.play.matches.passing_time import new_turn_columns, update_clocks
from bot.play.matches.shuffler import Shuffler
from bot.play.outbox.changes import Change, enqueue_match, withdraw_reminders
from bot.play.outbox.daily_reminders import withdraw_daily_reminder
from bot.play.outbox.offers import forget_pings_among
from bot.play.records.entering import enter_match
from bot.play.refusals import ChannelBusy, OutcomeUnknown, Refusal, Stale, Unavailable
from bot.play.standing.counting import count_finished
from bot.play.standing.ratings import places
from bot.store import chains, clocks, daily, guilds, matches, outbox, people
from bot.store.chains import ChainRow
from bot.store.rows import ASKED_TOO_LATE, MatchRow


class MatchChanged(Exception):  # noqa: N818 - the transaction is rolled back, and the person sees the present state
    """The log has grown since the match was loaded, or already contains an action of the same interaction."""

    def __init__(self, match_id: MatchId) -> None:
        super().__init__()
        self.match_id = match_id


class MatchWriter:
    """Changes matches. Each method runs inside a unit of work."""

    def __init__(self, shuffler: Shuffler) -> None:
        self._shuffler = shuffler

    async def start(
        self,
        unit: UnitOfWork,
        terms: Terms,
        players: Sequence[Player],
        channel_id: ChannelId | None = None,
        interaction_id: InteractionId | None = None,
        *,
        chain: ChainRow | None = None,
        card_channel_id: ChannelId | None = None,
        day: date | None = None,
    ) -> LoadedMatch:
        """Begin a match with the given terms, including the cut and the first deal.

        `players` are in the order of seats. `channel_id` is the channel to play in, if it is not the one in the terms.
        `card_channel_id` is the channel for the match's card, if it is played in a thread of its own.
        `interaction_id` is the interaction that began the match. `chain` is the committed hash chain; None if the match
        is not verifiable. A try at the deal of a `day` uses the hash chain of that deal. Raise `ChannelBusy` or
        `Frozen`.
        """
        if channel_id is not None:
            terms = replace(terms, channel_id=channel_id)
        category = Category.of(terms.rules)
        fairness = commitments.fairness_of(chain) if day is None else Fairness.VERIFIABLE
        match_id = await matches.create(
            unit.transaction, terms, category, players, unit.now, fairness, card_channel_id, day
        )
        if match_id is None:
            assert terms.channel_id is not None
            running_match = await matches.running_in(unit.transaction, terms.channel_id)
            assert running_match is not None
            raise ChannelBusy(running_match.info)
        people.touch(unit.transaction, [player.id for player in players if player.id is not None])
        await forget_pings_among(unit, players)
        row = await matches.load(unit.transaction, match_id)
        assert row is not None
        loaded = require_not_frozen(LoadedMatch(row, new_match(terms.rules, len(players))))
        if day is not None:
            seeds = commitments.house_seeds(len(players))
        else:
            seeds = () if chain is None else await commitments.begin_match_chain(unit, chain, match_id, players)
        return await self.advance(unit, loaded, seeds, interaction_id)

    async def advance(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        actions: Sequence[Action],
        interaction_id: InteractionId | None = None,
        *,
        clicked_by: Seat | None = None,
        ended_by: Collection[Seat] | None = None,
    ) -> LoadedMatch:
        """Apply actions, the automatic actions and ordered moves after them, and update the messages.

        All of them are written to the log. If the match's hash chain is used up or its log is full, call the match off.

        `interaction_id` is the interaction that caused the actions. `clicked_by` is the seat of the player who clicked
        in their own hand message, if any. If the actions end the match, everyone is notified except the seats in
        `ended_by`, by default the seats that acted.

        Raises:
            IllegalMove: the rules do not allow an action. Nothing was written.
            MatchChanged: the match has changed since it was loaded. The unit of work cannot be completed.
        """
        before, version, loaded_before = loaded.state, loaded.info.version, loaded
        steps, turns, loaded = await self._play(unit, loaded, actions)
        after = turns[-1]
        texts = [str(action) for action, _ in steps]
        is_computers_turn = bool(loaded.info.computer_seats(after.to_act))
        changed = _changed_deals(before, after)
        drawn = [deal for deal in changed if any(_has_only_drawn(earlier, deal) for earlier in before.playing)]
        is_hidden = bool(changed) and drawn == list(changed)
        moved_at = loaded.info.moved_at if is_hidden else unit.now
        info = replace(loaded.info, version=version + len(steps), revision=loaded.info.revision + 1, moved_at=moved_at)
        newly_to_act = {seat for earlier, later in pairwise(turns) for seat in _seats_with_new_turn(earlier, later)}
        began = tuple(seat for seat in after.to_act if seat in newly_to_act)
        passed = newly_to_act.difference(before.to_act, after.to_act)
        acted = [action.seat for action in actions if isinstance(action, Play)]
        loaded = replace(loaded, row=replace(loaded.row, info=info), state=after)
        loaded, times = update_clocks(loaded_before, loaded, acted, began, unit.now, passed=passed, is_hidden=is_hidden)
        matches.append(
            unit.transaction,
            info.id,
            version,
            texts,
            interaction_id,
            unit.now,
            changed=MatchChanged(info.id),
            moved_at=moved_at,
            computer_is_due=is_computers_turn,
            to_act=loaded.to_act,
            turn_at=loaded.info.turn_at,
            time_due_at=loaded.row.time_due_at,
        )
        unit.moves += len(acted)
        unit.deals += len(after.finished) - len(before.finished)
        if is_computers_turn:
            unit.computer_turns.append(info.id)
        for seat, values in times.items():
            matches.change_some_seats(unit.transaction, info.id, [seat], **values)
            if seat in loaded.to_act and loaded_before.row.seats[seat].stopped_at is not None:
                await record_return(unit, loaded_before, seat)
        loaded = _note_seen_deals(unit, loaded, acted, len(before.finished))
        info = loaded.info
        # After a draw, the line about it stays: without it, the buttons would slide under the player's thumb.
        if acted and not is_hidden and (declined := info.seats_proposing(Proposal.DECLINED)):
            matches.change_some_seats(unit.transaction, info.id, declined, proposal=None)
            info = replace(info, proposals=(None,) * len(info.proposals))
        told = [seat for seat in acted if loaded.row.seats[seat].asked_back == ASKED_TOO_LATE]
        loaded = _change_seats(unit, loaded, told, asked_back=None)
        seen = [seat for deal in changed if deal not in drawn for seat in deal.seats]
        if asking := [seat for seat in info.seats_proposing(Proposal.TAKE_BACK) if seat in seen]:
            await matches.change_seats(unit.transaction, info.id, proposal=None)
            # A request that another player's move ends does not count, whether or not it could have been granted: so
            # its maker cannot tell when the next card was drawn.
            overtaken = [] if any(isinstance(action, TakeBack) for action in actions) else asking
            loaded = _change_seats(unit, loaded, overtaken, asked_back=ASKED_TOO_LATE)
            info = replace(info, proposals=(None,) * len(info.proposals))
        for deal_number in range(len(before.finished) + 1, len(after.finished) + 1):
            ended_at_step = next(
                number for number, (_, match) in enumerate(steps, 1) if len(match.finished) == deal_number
            )
            outcome = after.finished[deal_number - 1].outcome
            if outcome is not None and info.day is None:
                await matches.add_deal(
                    unit.transaction, info.id, deal_number, outcome, version + ended_at_step, unit.now
                )
        if after.score.is_over:
            results = [seat_result(after, seat) for seat in range(after.seats)]
            await matches.finish(unit.transaction, info.id, results, unit.now)
            open_ends = {"paused_at": None, "vacant_seat": None, "vacant_at": None}
            no_proposals = (None,) * len(info.proposals)
            info = replace(info, status=MatchStatus.FINISHED, ended_at=unit.now, proposals=no_proposals, **open_ends)
            if info.guild_id is not None:
                changes = await count_finished(unit.transaction, info.guild_id, info.id, places(after), unit.now)
                info = replace(info, ratings=changes)
            if info.guild_id is not None and interaction_id is not None:
                loaded = replace(loaded, offers_daily=await guilds.offer_daily(unit.transaction, info.guild_id))
            await enter_match(unit, info, after, results)
            if info.day is not None and (score := DailyScore.of(after)) is not None:
                await daily.save_score(unit.transaction, info.id, score)
                if (person := loaded.row.seats[PLAYER].person) is not None:
                    await withdraw_daily_reminder(unit, person.id)
                loaded = await with_streak(unit.transaction, loaded)
            if after.seeds is not None:
                await chains.delete_secrets(unit.transaction, info.id)
        row, boards = replace(loaded.row, info=info), after.format.boards
        row = _save_board_versions(unit, row, loaded_before.info, changed, acted, boards, is_hidden=is_hidden)
        loaded = replace(loaded, row=row)
        unit.saved.append(loaded)
        has_dealt = len(after.finished) > len(before.finished)
        change = Change(
            boards=tuple(dict.fromkeys(deal.board for deal in changed if deal not in drawn)),
            drew=tuple(deal.seats[deal.turn] for deal in drawn),
            # A player whose turn begins again in the same deal sees that in the answer to their move.
            new_turns=tuple(seat for seat in began if has_dealt or seat not in acted) if loaded.is_running else (),
            ended_deals=tuple(range(len(before.finished) + 1, len(after.finished) + 1)),
            clicked_by=clicked_by,
        )
        if loaded.is_running:
            await enqueue_match(unit, loaded, change)
        else:
            ended_by = acted if ended_by is None else ended_by
            await enqueue_match(unit, loaded, _notifying_others(loaded, ended_by, change))
            await _silence_pending_hands(unit, loaded, ended_by)
        await withdraw_reminders(unit, loaded_before, acted if loaded.is_running else loaded_before.to_act)
        if after.awaits is not None:
            return await self.cancel(unit, loaded, by=None)
        return loaded

    async def _play(
        self, unit: UnitOfWork, loaded: LoadedMatch, actions: Sequence[Action]
    ) -> tuple[Steps, Sequence[Match], LoadedMatch]:
        """Return all steps after some actions, and the states between which turns pass, beginning with the first.

        A player who ordered a move for their next turn makes it as soon as that turn begins. Also return the match with
        the remaining orders; its state does not change.
        """
        steps, turns, match_id, length = Steps(), [loaded.state], loaded.info.id, loaded.info.version
        ordered: Play | None = None
        # A deal on each of several boards can begin at once, and each of them with an ordered move.
        began = set[Seat]()
        while True:
            steps += await with_automatic_actions(
                unit.transaction, self._shuffler, match_id, turns[-1], actions, log_length=length + len(steps)
            )
            turns.append(steps[-1][1])
            if ordered is not None:
                orders = orders_after(turns[-2], turns[-1], loaded.row.seats[ordered.seat], ordered)
                matches.change_some_seats(unit.transaction, match_id, [ordered.seat], orders=orders)
                loaded = loaded.with_seat(ordered.seat, orders=orders)
            began = {*began, *_seats_with_new_turn(*turns[-2:])}.intersection(turns[-1].to_act)
            ordered = None if loaded.info.is_halted else _ordered_play(loaded.row, turns[-1], sorted(began))
            if ordered is None:
                return steps, turns, loaded
            began.remove(ordered.seat)
            actions = [ordered]

    async def forfeit(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        seat: Seat,
        move: Move = RESIGN,
        interaction_id: InteractionId | None = None,
        *,
        by: Seat | None,
    ) -> LoadedMatch:
        """Make a seat of a running match resign or lose on time. `by` is the seat whose player caused this, if any."""
        ended_by = () if by is None else (by,)
        return await self.advance(unit, loaded, [Play(seat, move)], interaction_id, ended_by=ended_by)

    async def cancel(self, unit: UnitOfWork, loaded: LoadedMatch, *, by: Seat | None) -> LoadedMatch:
        """Cancel a running match, so that it does not count. `by` is the seat whose player caused this, if any.

        Raise `MatchChanged` like `advance`.
        """
        loaded_before, ended_by = loaded, () if by is None else (by,)
        loaded = await self._reveal_all(unit, loaded)
        await matches.change_seats(unit.transaction, loaded.info.id, proposal=None)
        loaded = await self.revise(
            unit,
            loaded,
            _notifying_others(loaded, ended_by, Change()),
            status=MatchStatus.CANCELLED,
            ended_at=unit.now,
            computer_due_at=None,
            to_act=0,
            paused_at=None,
            vacant_seat=None,
            vacant_at=None,
        )
        await _silence_pending_hands(unit, loaded, ended_by)
        await withdraw_reminders(unit, loaded_before, loaded_before.to_act)
        return loaded

    async def _reveal_all(self, unit: UnitOfWork, loaded: LoadedMatch) -> LoadedMatch:
        """Write the remaining secret seeds of a called-off match to the log, and delete its hash chain."""
        match_id, version = loaded.info.id, loaded.info.version
        if loaded.state.seeds is None:
            return loaded
        steps = await reveal_all(unit.transaction, match_id, loaded.state)
        await chains.delete_secrets(unit.transaction, match_id)
        if not steps:
            return loaded
        texts = [str(action) for action, _ in steps]
        matches.append(unit.transaction, match_id, version, texts, None, unit.now, changed=MatchChanged(match_id))
        return replace(loaded, state=steps[-1][1])

    async def restart_turns(
        self,
        unit: UnitOfWork,
        loaded: LoadedMatch,
        left: Mapping[Seat, timedelta | None],
        change: Change | None = None,
        **values: object,
    ) -> LoadedMatch:
        """Restart the turns of some seats with the given time left, and change columns of the match."""
        has_boards = loaded.state.format.boards > 1
        for seat, time_left in left.items():
            began: dict[str, Any] = {"turn_at": unit.now} if has_boards else {}
            matches.change_some_seats(unit.transaction, loaded.info.id, [seat], **new_turn_columns(time_left), **began)
        if not has_boards:
            values["turn_at"] = unit.now
        return await self.revise(unit, loaded, change, **values)

    async def revise(
        self, unit: UnitOfWork, loaded: LoadedMatch, change: Change | None = None, **values: object
    ) -> LoadedMatch:
        """Change columns of a match, but not its log; update its messages and its next due time."""
        await matches.revise(unit.transaction, loaded.info.id, **values)
        row = await matches.load(unit.transaction, loaded.info.id)
        assert row is not None
        loaded = replace(loaded, row=row)
        due_at = loaded.next_due(unit.now)
        if due_at != row.time_due_at:
            await clocks.save_due_time(unit.transaction, loaded.info.id, due_at)
            loaded = replace(loaded, row=replace(row, time_due_at=due_at))
        unit.saved.append(loaded)
        await enqueue_match(unit, loaded, change or Change())
        return loaded


def _changed_deals(before: Match, after: Match) -> tuple[Deal, ...]:
    """Return the deals that changed, began or ended."""
    deals = (*after.finished[len(before.finished) :], *after.playing)
    return tuple(deal for deal in deals if not any(deal is earlier for earlier in before.playing))


def _ordered_play(row: MatchRow, match: Match, seats: Sequence[Seat]) -> Play | None:
    """Return the move that the player of one of these seats ordered for their turn, which has just begun, if any."""
    moves = ((seat, ordered_move(match, row.seats[seat])) for seat in seats)
    return next((Play(seat, move) for seat, move in moves if move is not None), None)


def _seats_with_new_turn(before: Match, after: Match) -> tuple[Seat, ...]:
    """Return the seats whose turn began."""
    known = {(deal.number, deal.board) for deal in before.playing}
    newly_dealt = {deal.to_act for deal in after.playing if (deal.number, deal.board) not in known}
    return tuple(seat for seat in after.to_act if seat in newly_dealt or seat not in before.to_act)


def _has_only_drawn(before: Deal, after: Deal) -> bool:
    """Return True if only a draw from the stock is between two states of a deal. Others see it with the discard."""
    return before.seating is after.seating and has_open_draw(after) and before.history == after.history[:-1]


def _notifying_others(loaded: LoadedMatch, ended_by: Collection[Seat], change: Change) -> Change:
    """Return the end of a match as a change that notifies everyone except the seats that ended it."""
    called = tuple(Seat(seat) for seat in range(loaded.state.seats) if seat not in ended_by)
    return replace(change, notified=called)


async def record_return(unit: UnitOfWork, stopped: LoadedMatch, seat: Seat) -> timedelta | None:
    """Record that a player's stopped clock runs again. Return its time, as `time_after_return` does.

    `stopped` is the match with the stopped clock.
    """
    clock, time = stopped.info.clock, stopped.turn_time(seat, unit.now)
    if time is None:
        return None
    left = time_after_return(clock, time.allowance)
    span = (left or clock.full_time) - time.allowance
    await clocks.add_change(unit.transaction, stopped.info.id, seat, TimeChange.SEEN, span, unit.now)
    return left


def _note_seen_deals(unit: UnitOfWork, loaded: LoadedMatch, acted: Collection[Seat], deals: int) -> LoadedMatch:
    """Save that players who moved in a deal need not see the showdowns of the `deals` before it any more."""
    behind = [Seat(row.seat) for row in loaded.row.seats if row.seat in acted and row.person and row.seen_deal < deals]
    return _change_seats(unit, loaded, behind, seen_deal=deals)


def _change_seats(unit: UnitOfWork, loaded: LoadedMatch, seats: Sequence[Seat], **values: Any) -> LoadedMatch:
    """Save the same values for some seats. Return the changed match."""
    if seats:
        matches.change_some_seats(unit.transaction, loaded.info.id, seats, **values)
    for seat in seats:
        loaded = loaded.with_seat(seat, **values)
    return loaded


async def _silence_pending_hands(unit: UnitOfWork, loaded: LoadedMatch, ended_by: Collection[Seat]) -> None:
    """Keep hands that are not posted yet from notifying the players who ended the match."""
    await outbox.cancel_reposts(unit.transaction, loaded.info, MessageKind.HAND, ended_by, unit.now)


def _save_board_versions(
    unit: UnitOfWork,
    row: MatchRow,
    info_before: MatchInfo,
    changed: Sequence[Deal],
    acted: Collection[Seat],
    boards: int,
    *,
    is_hidden: bool,
) -> MatchRow:
    """Save the version that the match had when each seat's board last changed. Return the updated match row.

    If there is a single board, this version is stored only while it differs from the match's current version. The two
    differ after new player seeds, which are added to the log but change no board. A draw that is hidden from others
    does not change the time. It adds one to the board's version, even if the other board has changed since: others see
    the version before the draw.
    """
    seats = {seat.seat for seat in row.seats}
    with_version = {seat.seat for seat in row.seats if seat.version is not None}
    values: dict[str, Any] = {"version": row.info.version, "moved_at": row.info.moved_at}
    if boards > 1:
        seats = {seat for deal in changed for seat in deal.seats}
        if is_hidden:
            versions = {row.seats[seat].version for seat in seats}
            values = {"version": max(version or info_before.version for version in versions) + 1}
    elif not changed and not acted:
        seats, values = seats - with_version, {"version": info_before.version, "moved_at": info_before.moved_at}
    else:
        seats, values = with_version, {"version": None, "moved_at": None}
    if not seats:
        return row
    matches.change_some_seats(unit.transaction, row.info.id, seats, **values)
    return replace(row, seats=tuple(replace(seat, **values) if seat.seat in seats else seat for seat in row.seats))


def seat_result(match: Match, seat: int) -> SeatResult:
    """Return the result of a seat of a finished match, for the leaderboard.

    A deal counts as won or lost for the seats that played it, unless it has no winner. Points are the points of the won
    deals or, under penalty rules, the penalty points. If a forfeit leaves the others without a result, only the player
    who forfeited has lost. A seat that a computer took over has lost, however the match ends.
    """
    score, penalty = match.score, Category.of(match.rules) is Category.PENALTY
    outcomes = [deal.outcome for deal in match.finished if deal.outcome is not None and seat in deal.seats]
    won = [outcome for outcome in outcomes if outcome.winner == seat]
    lost = [outcome for outcome in outcomes if outcome.winner not in (None, seat)]
    has_won = None if score.winner is None else seat in match.sides[score.winner]
    has_forfeited = match.forfeit is not None and match.forfeit.seat == seat
    was_replaced = seat in match.replaced_seats
    return SeatResult(
        won=False if was_replaced or (has_won is None and has_forfeited) else has_won,
        drawn=score.winner is None and match.forfeit is None and not was_replaced,
        deals_won=len(won),
        deals_lost=len(lost),
        points=score.scores[seat] if penalty else sum(outcome.points for outcome in won),
        gins=sum(outcome.kind in (OutcomeKind.GIN, OutcomeKind.BIG_GIN) for outcome in won),
        undercuts=sum(outcome.kind is OutcomeKind.UNDERCUT for outcome in won),
    )


class MatchService(Service):
    """Base class of services that change matches."""

    def __init__(self, units: Units, writer: MatchWriter) -> None:
        super().__init__(units)
        self._writer = writer

    async def _hand_after_retry(
        self, person_id: PersonId, interaction_id: InteractionId, reason: Refusal | MatchChanged
    ) -> OwnHand:
        """Return the current hand if an interaction was refused only because it had already changed a match.

        This makes retries harmless. Otherwise raise the refusal, or `Stale` if the match has changed since it was
        loaded.
        """
        try:
            async with self._units.read() as unit:
                changed = await matches.by_interaction(unit.transaction, interaction_id)
                if changed is None and isinstance(reason, Refusal):
                    raise reason
                match_id = reason.match_id if isinstance(reason, MatchChanged) else changed
                assert match_id is not None
                loaded = await unit.load(match_id)
                hand = loaded.hand(loaded.seat_of(person_id), unit.now)
        except Unavailable:
            # The change may have been saved even if the database cannot be read now.
            if isinstance(reason, OutcomeUnknown):
                raise reason from None
            raise
        if changed is None:
            raise Stale(hand)
        return hand
