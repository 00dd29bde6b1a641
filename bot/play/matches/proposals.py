"""Proposals that all players must agree to: to call a match off, to pause it, to go on, to play again."""

from __future__ import annotations

from bot.engine.moves import Seat
from bot.play.loading.loaded_match import LoadedMatch
from bot.play.loading.unit_of_work import UnitOfWork
from bot.play.matches.match_writer import MatchWriter
from bot.play.outbox.changes import Change
from bot.play.outbox.offers import grant_pings
from bot.store import matches
from bot.values.matches import Proposal


async def propose(
    unit: UnitOfWork,
    writer: MatchWriter,
    loaded: LoadedMatch,
    seat: Seat,
    proposal: Proposal,
    *,
    quiet: bool = False,
    lapsed: bool = False,
    **values: object,
) -> LoadedMatch:
    """Save what a seat proposes, with other columns of the match. Nobody is left to be `asked` once all agree.

    If it is the first to propose this, whatever else was proposed is forgotten, and the others are notified, though not
    without limit, unless it is to be `quiet`. What was proposed before does not count if it has `lapsed`.
    """
    match_id, proposer = loaded.info.id, loaded.info.players[seat].id
    agreeing = [] if lapsed else loaded.info.proposing(proposal)
    others = [player.id for player in loaded.info.players if player.id is not None and player.id != proposer]
    asked = () if quiet or agreeing else others
    asks = () if proposer is None else await grant_pings(unit, proposer, asked)
    if not agreeing:
        await matches.change_seats(unit.transaction, match_id, proposal=None)
    own: dict[str, object] = {"proposal": proposal}
    if proposal is Proposal.CONTINUE and loaded.row.seats[seat].continue_asked_at is None:
        own["continue_asked_at"] = unit.now
    await matches.change_seats(unit.transaction, match_id, [seat], **own)
    return await writer.revise(unit, loaded, Change(asks=frozenset(asks)), **values)


async def decline(unit: UnitOfWork, writer: MatchWriter, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Take back what a seat proposes, or decline what others propose."""
    match_id, proposed = loaded.info.id, loaded.info.proposed
    if proposed is not None and loaded.info.proposals[seat] is proposed:
        withdrawn: dict[str, object] = {"proposal": None}
        if proposed is Proposal.CONTINUE:
            withdrawn["continue_asked_at"] = None
        await matches.change_seats(unit.transaction, match_id, [seat], **withdrawn)
    elif proposed is not None:
        await matches.change_seats(unit.transaction, match_id, proposal=None)
        await matches.change_seats(unit.transaction, match_id, [seat], proposal=Proposal.DECLINED)
    return await writer.revise(unit, loaded, Change(asks=frozenset()))
