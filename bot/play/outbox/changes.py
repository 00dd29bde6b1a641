"""Requests for messages, saved in the transaction that changes a match, a challenge or a preference.

Each row describes the wanted state of one message, so a burst of changes becomes one edit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.engine.deals.moves import Seat
from bot.model.challenges import Challenge
from bot.model.ids import ChainId, GuildId, PersonId
from bot.model.matches import MatchInfo, Proposal
from bot.model.outbox import REMINDER_KINDS, MessageKind, PostedMessage
from bot.model.people import Push
from bot.play.loading.loaded_match import LoadedMatch, hand_channel
from bot.play.loading.unit_of_work import UnitOfWork
from bot.store import matches, outbox
from bot.store.rows import OutboxRow, PersonRow, WantedMessage

CLICK_ANSWER_DELAY: Final = timedelta(seconds=5)
"""Delay before the courier updates a hand message in which the player clicked. Usually, the answer to the click updates
it first."""


COMMITMENT_DELAY: Final = timedelta(seconds=2)
"""Maximum time that a commitment waits for its challenge's message to be posted, because people read that first."""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a match, as far as it affects the match's messages."""

    boards: tuple[int, ...] | None = None
    """The boards whose tables look different; None for all of them."""
    drew: tuple[Seat, ...] = ()
    """The seats that drew from the stock, which only they see, on boards that look the same as before."""
    new_turns: tuple[Seat, ...] = ()
    """The seats whose turn begins."""
    ended_deals: tuple[int, ...] = ()
    """The numbers of deals that ended, in order of ending."""
    clicked_by: Seat | None = None
    """The seat of the player who clicked in their own hand message, if any."""
    notified: tuple[Seat, ...] = ()
    """The seats to notify although it is not their turn: a clock has run out, or the match is over."""
    repost_table: bool = False
    """True if the tables should be posted again rather than edited, as at the end of a deal."""
    asked_people: frozenset[PersonId] | None = None
    """The people to notify that they are asked about a proposal or a vacant seat.

    Empty if nobody must be notified, for example after an answer; None if the change is not about such a question.
    """


def posted_message(row: OutboxRow) -> PostedMessage | None:
    """Return the location of a message; None if it is not posted."""
    if row.channel_id is None or row.message_id is None:
        return None
    return PostedMessage(row.channel_id, row.message_id)


async def enqueue_match(unit: UnitOfWork, loaded: LoadedMatch, change: Change) -> None:
    """Request all messages that a change of a match requires. `loaded` is the match after the change."""
    vacant = loaded.info.vacant_seat
    # Pings with the question about a vacant seat stay until it is answered, even if the change is about something else.
    asks, asked = (
        change.asked_people or frozenset(),
        () if change.asked_people is None and vacant is None else loaded.seats_to_answer,
    )
    notified = tuple(seat for seat in asked if loaded.info.players[seat].id in asks)
    wanted = list(_wanted_messages(loaded, change, notified, unit.now))
    pinged = [Seat(message.part) for message in wanted if message.kind is MessageKind.PING]
    # After a match, the offer of a rematch has a message of its own, which replaces the pings of those who are asked.
    kept_pings = (*asked, *pinged) if loaded.is_running else tuple(pinged)
    kept_pings = kept_pings if vacant is None else (*kept_pings, vacant)
    wanted += _obsolete_pings(loaded, kept_pings, unit.now)
    outbox.request(unit.transaction, wanted)
    if not loaded.is_running and change.asked_people is not None:
        await _enqueue_rematch_offer(unit, loaded, pings=bool(change.asked_people))
    # In a practice match, computers move immediately. The courier is woken after their moves.
    if wanted and not (loaded.info.is_practice and loaded.computers_to_act):
        unit.guilds_with_messages.add(loaded.info.guild_id)


async def _enqueue_rematch_offer(unit: UnitOfWork, loaded: LoadedMatch, *, pings: bool) -> None:
    """Request the message with the offer of a rematch that is open or was declined, or else its deletion.

    With `pings`, post it as a new message, which notifies people.
    """
    if loaded.info.offers_rematch or loaded.info.seats_proposing(Proposal.DECLINED):
        outbox.request(unit.transaction, [_want(loaded.info, MessageKind.REMATCH, unit.now, repost=pings)])
    else:
        await outbox.request_removal(unit.transaction, loaded.info, MessageKind.REMATCH, 0, unit.now)


async def enqueue_hands(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request messages with a person's hands if they get them by direct message; otherwise, request their deletion."""
    running = await matches.running_of(unit.transaction, person_id)
    await matches.lock_matches(unit.transaction, [row.info.id for row in running])
    for row in running:
        seat = next(seat for seat in row.seats if seat.person is not None and seat.person.id == person_id)
        await matches.revise(unit.transaction, row.info.id)
        revised = replace(row.info, revision=row.info.revision + 1)
        if hand_channel(seat.person) is not None:
            outbox.request(unit.transaction, [_want(revised, MessageKind.HAND, unit.now, seat.seat)])
        else:
            await outbox.request_removal(unit.transaction, revised, MessageKind.HAND, seat.seat, unit.now)
        unit.guilds_with_messages.add(row.info.guild_id)


def enqueue_hand(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat, *, clicked: bool) -> None:
    """Update the message with a player's hand, if they get it by direct message. See `Change.clicked_by`."""
    if hand_channel(loaded.row.seats[seat].person) is not None:
        due_at = unit.now + CLICK_ANSWER_DELAY if clicked else unit.now
        outbox.request(unit.transaction, [_want(loaded.info, MessageKind.HAND, due_at, seat)])
        unit.guilds_with_messages.add(loaded.info.guild_id)


async def enqueue_lost_seat(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> None:
    """Update the hand message of a player, if it exists, to say that a computer took over their seat."""
    message = await outbox.find(unit.transaction, MessageKind.HAND, loaded.info.id, seat)
    if message is not None and not message.removed:
        outbox.request(unit.transaction, [_want(loaded.info, MessageKind.HAND, unit.now, seat)])


async def enqueue_pings(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request a ping to a person in each running match that waits for them. See `enqueue_ping`."""
    for loaded in await unit.restore_readable(await matches.running_of(unit.transaction, person_id)):
        enqueue_ping(unit, loaded, person_id)


async def enqueue_reminder(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> LoadedMatch:
    """Remind a player through their usual channels that it is their turn: one message covers all their matches.

    Return the match with its new revision.
    """
    person = loaded.row.seats[seat].person
    if person is None:
        return loaded
    by_dm, push = hand_channel(person) is not None, person.preferences.push
    if by_dm and push in (Push.DM, Push.BOTH):
        await outbox.request_repost(unit.transaction, MessageKind.REMINDER, person.id, unit.now)
    if is_pinged(person):
        await matches.revise(unit.transaction, loaded.info.id)
        info = replace(loaded.info, revision=loaded.info.revision + 1)
        loaded = replace(loaded, row=replace(loaded.row, info=info))
        outbox.request(unit.transaction, [_want(info, MessageKind.PING, unit.now, seat, repost=True)])
    unit.guilds_with_messages.update((None, loaded.info.guild_id))
    return loaded


async def withdraw_reminders(unit: UnitOfWork, loaded_before: LoadedMatch, seats: Iterable[Seat]) -> None:
    """Remove a match from the reminders of players who were reminded of their turns in it."""
    for seat in seats:
        row = loaded_before.row.seats[seat]
        if row.reminded_at is not None and row.person is not None:
            await outbox.request_edit(unit.transaction, MessageKind.REMINDER, row.person.id, unit.now)
            unit.guilds_with_messages.add(None)


async def update_reminder(unit: UnitOfWork, loaded: LoadedMatch, seat: Seat) -> None:
    """Request an update of a player's reminders, because the remaining time that they show has changed."""
    row = loaded.row.seats[seat]
    if row.reminded_at is not None and row.person is not None:
        await outbox.request_edit(unit.transaction, MessageKind.REMINDER, row.person.id, unit.now)
        if row.pinged:
            outbox.request(unit.transaction, [_want(loaded.info, MessageKind.PING, unit.now, seat)])
        unit.guilds_with_messages.update((None, loaded.info.guild_id))


def enqueue_ping(unit: UnitOfWork, loaded: LoadedMatch, person_id: PersonId, *, always: bool = False) -> None:
    """Request a ping to a player if it is their turn, an offer waits for them, or they may call the match off.

    With `always`, request it in any case.
    """
    seat = loaded.seat_of(person_id)
    if always or seat in (*loaded.to_act, *loaded.seats_to_answer) or loaded.may_call_off(seat, unit.now):
        outbox.request(unit.transaction, [_want(loaded.info, MessageKind.PING, unit.now, seat, repost=True)])
        unit.guilds_with_messages.add(loaded.info.guild_id)


def enqueue_challenge(unit: UnitOfWork, challenge: Challenge, *, repost: bool = False) -> None:
    """Request a challenge's message. Posting it again notifies the named people."""
    outbox.request(unit.transaction, [_want(challenge, MessageKind.CHALLENGE, unit.now, repost=repost)])
    unit.guilds_with_messages.add(challenge.guild_id)


def enqueue_commitment(
    unit: UnitOfWork, chain_id: ChainId, guild_id: GuildId | None, *, after_challenge: bool = False
) -> None:
    """Request the message with the commitment of a hash chain. It is posted once and never changes.

    With `after_challenge`, it is sent after the message of its challenge.
    """
    due_at = unit.now + COMMITMENT_DELAY if after_challenge else unit.now
    wanted = WantedMessage(MessageKind.COMMITMENT, chain_id, 0, guild_id, 1, 0, removed=False, due_at=due_at)
    outbox.request(unit.transaction, [wanted])
    unit.guilds_with_messages.add(guild_id)


async def send_commitment(unit: UnitOfWork, chain_id: ChainId) -> None:
    """Send a commitment without waiting for the message of its challenge, because the match has begun."""
    await outbox.make_due_earlier(unit.transaction, MessageKind.COMMITMENT, chain_id, unit.now)


async def turn_into_card(unit: UnitOfWork, challenge: Challenge, match: MatchInfo) -> None:
    """Turn the message of a challenge into the card of its match, which began in a thread."""
    await outbox.hand_over(unit.transaction, MessageKind.CHALLENGE, challenge.id, MessageKind.CARD, match.id)
    enqueue_card(unit, match)


def enqueue_card(unit: UnitOfWork, match: MatchInfo) -> None:
    """Request the card of a match in the parent channel of its thread."""
    outbox.request(unit.transaction, [_want(match, MessageKind.CARD, unit.now)])
    unit.guilds_with_messages.add(match.guild_id)


async def discard_challenge(unit: UnitOfWork, challenge: Challenge) -> None:
    """Request the deletion of the message of a challenge that was removed."""
    message = await outbox.find(unit.transaction, MessageKind.CHALLENGE, challenge.id)
    if message is None:
        return
    if (posted := posted_message(message)) is not None:
        await outbox.add_stale(unit.transaction, challenge.guild_id, posted, unit.now)
    await outbox.remove(unit.transaction, message.id)
    unit.guilds_with_messages.add(challenge.guild_id)


async def discard_reminders(unit: UnitOfWork, person_id: PersonId) -> None:
    """Request the deletion of the reminders of a person who is being forgotten, and of the reminders' rows."""
    for kind in REMINDER_KINDS:
        message = await outbox.find(unit.transaction, kind, person_id)
        if message is None:
            continue
        if posted_message(message) is None:
            await outbox.remove(unit.transaction, message.id)
        else:
            await outbox.request_edit(unit.transaction, kind, person_id, unit.now)
        unit.guilds_with_messages.add(None)


def _wanted_messages(
    loaded: LoadedMatch, change: Change, asked: tuple[Seat, ...], now: datetime
) -> Iterator[WantedMessage]:
    match, all_boards = loaded.info, range(1, loaded.state.format.boards + 1)
    boards = all_boards if change.boards is None or not loaded.is_running else change.boards
    if not match.is_practice:
        yield from _wanted_channel_messages(loaded, change, boards, now)
    for seat in loaded.row.seats:
        person, is_asked = seat.person, seat.seat in asked
        is_notified = is_asked or seat.seat in (*change.new_turns, *change.notified)
        looks_different = seat.seat in change.drew or loaded.state.deal_of(Seat(seat.seat)).board in boards
        if person is None or not looks_different:
            continue
        # A player whose opponents are all computers needs no notification: computers move immediately.
        is_notified = is_notified and not match.is_alone(Seat(seat.seat))
        if hand_channel(person) is not None:
            # A new direct message notifies the person of their turn. An edited one does not.
            repost = is_notified and person.preferences.push in (Push.DM, Push.BOTH)
            answered = change.clicked_by == seat.seat and not repost
            due_at = now + CLICK_ANSWER_DELAY if answered else now
            yield _want(match, MessageKind.HAND, due_at, seat.seat, repost=repost)
        if not loaded.is_running and is_asked:
            # The offer of a rematch has a message of its own, which pings people.
            continue
        if is_notified and is_pinged(person):
            yield _want(match, MessageKind.PING, now, seat.seat, repost=True)
        elif seat.pinged and change.asked_people is not None and seat.seat in (*loaded.to_act, *loaded.seats_to_answer):
            # Update the earlier ping, so that it shows the proposal, with buttons to answer.
            yield _want(match, MessageKind.PING, now, seat.seat)


def is_pinged(person: PersonRow) -> bool:
    """Return True if a person chose pings, or chose direct messages but cannot be reached by them."""
    push = person.preferences.push
    return push in (Push.CHANNEL, Push.BOTH) or (push is Push.DM and hand_channel(person) is None)


def _wanted_channel_messages(
    loaded: LoadedMatch, change: Change, boards: Iterable[int], now: datetime
) -> Iterator[WantedMessage]:
    match = loaded.info
    if match.card_channel_id is not None and (change.ended_deals or not loaded.is_running):
        yield _want(match, MessageKind.CARD, now)
    for number in change.ended_deals:
        if number != loaded.final_deal:
            yield _want(match, MessageKind.SHOWDOWN, now, number, repost=True)
    if not loaded.is_running:
        # It includes the showdown of the deal that ended the match.
        yield _want(match, MessageKind.END, now)
    for board in boards:
        repost = loaded.is_running and (bool(change.ended_deals) or change.repost_table)
        table = _want(match, MessageKind.TABLE, now, board - 1, repost=repost)
        yield table if loaded.is_running else replace(table, removed=True)


def _obsolete_pings(loaded: LoadedMatch, kept: tuple[Seat, ...], now: datetime) -> Iterator[WantedMessage]:
    """Yield requests to remove the pings of all seats except those in `kept` and those whose turn it is."""
    for seat in loaded.row.seats:
        if seat.pinged and seat.seat not in (*loaded.to_act, *kept):
            yield replace(_want(loaded.info, MessageKind.PING, now, seat.seat), removed=True)


def _want(
    subject: MatchInfo | Challenge, kind: MessageKind, due_at: datetime, part: int = 0, *, repost: bool = False
) -> WantedMessage:
    revision, reposted = subject.revision, subject.revision if repost else 0
    return WantedMessage(kind, subject.id, part, subject.guild_id, revision, reposted, removed=False, due_at=due_at)
