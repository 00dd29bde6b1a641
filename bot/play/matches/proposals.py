"""Proposals that need all players' agreement: to call a match off, to pause it, to resume it, or to play again."""

from __future__ import annotations

from bot.engine.deals.moves import Seat
from bot.model.matches import Proposal
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.changes import Change
from bot.play.outbox.offers import grant_pings
from bot.play.refusals import NotInDaily
from bot.store import matches


async def propose(
    unit: UnitOfWork,
    writer: MatchWriter,
    loaded: LoadedMatch,
    seat: Seat,
    proposal: Proposal,
    *,
    quiet: bool = False,
    has_lapsed: bool = False,
    **values: object,
) -> LoadedMatch:
    """Save a seat's proposal, and change the given columns of the match. Return the match.

    Once all agree, the match's `seats_to_answer` is empty. The first proposal of this kind replaces proposals of other
    kinds, and notifies the other players, within a rate limit, unless `quiet` is True. With `has_lapsed`, earlier
    proposals of this kind have expired and do not count. Raise `NotInDaily`.
    """
    if loaded.info.day is not None:
        raise NotInDaily(loaded.info)
    match_id, proposer = loaded.info.id, loaded.info.players[seat].id
    agreeing = [] if has_lapsed else loaded.info.seats_proposing(proposal)
    others = [player.id for player in loaded.info.players if player.id is not None and player.id != proposer]
    others_to_notify = () if quiet or agreeing else others
    notified = () if proposer is None else await grant_pings(unit, proposer, others_to_notify)
    if not agreeing:
        await matches.change_seats(unit.transaction, match_id, proposal=None)
    own: dict[str, object] = {"proposal": proposal}
    if proposal is Proposal.CONTINUE and loaded.row.seats[seat].continue_asked_at is None:
        own["continue_asked_at"] = unit.now
    matches.change_some_seats(unit.transaction, match_id, [seat], **own)
    return await writer.revise(unit, loaded, Change(asked_people=frozenset(notified)), **values)


async def decline(
    unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat, *, in_own_message: bool = False
) -> LoadedMatch:
    """Withdraw a seat's proposal, or decline the proposal of others.

    With `in_own_message`, the player clicked in their own hand message, which the answer updates.
    """
    match_id, proposed = loaded.info.id, loaded.info.open_proposal
    if proposed is not None and loaded.info.proposals[seat] is proposed:
        withdrawn: dict[str, object] = {"proposal": None}
        if proposed is Proposal.CONTINUE:
            withdrawn["continue_asked_at"] = None
        matches.change_some_seats(unit.transaction, match_id, [seat], **withdrawn)
    elif proposed is not None:
        await matches.change_seats(unit.transaction, match_id, proposal=None)
        matches.change_some_seats(unit.transaction, match_id, [seat], proposal=Proposal.DECLINED)
    change = Change(asked_people=frozenset(), clicked_by=seat if in_own_message else None)
    return await writer.revise(unit, loaded, change)
