"""The offer of a rematch: a message of its own, which pings once and disappears with the offer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.model.matches import MatchInfo, MatchSummary, OwnHand, Proposal, RematchOffer
from bot.model.outbox import MessageKind
from bot.model.people import Push
from bot.play.application import Application
from bot.play.outbox.offers import MAX_PINGS, PING_PERIOD
from bot.play.outbox.outbox import Work
from bot.play.refusals import RematchBegun
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, NORTH, SOUTH, THREAD, Players, dm_of, prefer

REMATCH, END, HAND, PING = MessageKind.REMATCH, MessageKind.END, MessageKind.HAND, MessageKind.PING
SHORT = "classic target=10"
THREE_PLAYERS = "winner_stays target=10"


async def ended(players: Players, courier: FakeCourier, rules: str = SHORT) -> MatchInfo:
    """Play a match to its end, and deliver everything."""
    match = await players.begin(rules)
    while (await players.app.lookup.info(match.id)).ended_at is None:
        await players.win(match.id)
    await courier.deliver()
    return match


def offers(courier: FakeCourier) -> list[RematchOffer]:
    """Return the posted offers."""
    shown = [message.shown.content for message in courier.of_kind(REMATCH)]
    return [content for content in shown if isinstance(content, RematchOffer)]


async def test_an_offer_is_one_message_that_pings(app: Application, players: Players, courier: FakeCourier) -> None:
    """The offer is posted below the end, which is edited. It pings the other player, and replaces their last ping."""
    match = await ended(players, courier)
    assert offers(courier) == []
    assert [message.shown.person_id for message in courier.of_kind(PING)] == [SOUTH.id]
    offering = await app.endings.rematch(NORTH.id, match.id)
    done = await courier.deliver()
    assert done.count(("post", REMATCH)) == done.count(("edit", END)) == 1
    assert offers(courier) == [RematchOffer(offering, (SOUTH.id,), (SOUTH.id,))]
    (message,) = courier.of_kind(REMATCH, CHANNEL)
    assert message.notifies
    assert courier.of_kind(PING) == []
    (end,) = courier.of_kind(END)
    assert isinstance(end.shown.content, MatchSummary)
    assert end.shown.content.match.open_proposal is Proposal.REMATCH
    await app.endings.rematch(NORTH.id, match.id)
    assert ("post", REMATCH) not in await courier.deliver()
    assert courier.of_kind(REMATCH) == [message]
    assert await app.outbox.work() == Work()


@pytest.mark.parametrize(
    ("push", "reachable", "pinged"),
    [
        (Push.DM, True, False),
        (Push.DM, False, True),
        (Push.BOTH, True, True),
        (Push.CHANNEL, True, True),
        (Push.CHANNEL, False, True),
        (Push.NONE, True, False),
        (Push.NONE, False, False),
    ],
)
async def test_an_offer_pings_as_preferred(
    app: Application, players: Players, courier: FakeCourier, push: Push, reachable: bool, pinged: bool
) -> None:
    """The offer names the other player, and pings them if pings are their way to be notified. Hands notify the rest."""
    await prefer(app, SOUTH, push=push)
    await players.open_dms(NORTH, *([SOUTH] if reachable else []))
    match = await ended(players, courier)
    before = {message.id for message in courier.of_kind(HAND)}
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    (offer,) = offers(courier)
    assert (offer.asked, offer.pinged) == ((SOUTH.id,), (SOUTH.id,) if pinged else ())
    by_dm = [message for message in courier.of_kind(HAND, dm_of(SOUTH)) if message.id not in before]
    assert bool(by_dm) == (reachable and push in (Push.DM, Push.BOTH))
    assert all(message.notifies for message in by_dm)
    assert courier.of_kind(PING) == []


async def test_offers_beyond_the_limit_ping_nobody(
    app: Application, players: Players, courier: FakeCourier, clock: Clock
) -> None:
    """Repeated offers ping only within the rate limit; later offers are silent posts."""
    match = await ended(players, courier)
    pinged: list[int] = []
    for _ in range(MAX_PINGS + 1):
        clock.pass_by(timedelta(minutes=1))
        await app.endings.rematch(NORTH.id, match.id)
        await courier.deliver()
        (offer,) = offers(courier)
        pinged.append(len(offer.pinged))
        await app.endings.withdraw_rematch(NORTH.id, match.id)
        await courier.deliver()
        assert offers(courier) == []
    assert pinged == [1] * MAX_PINGS + [0]
    clock.pass_by(PING_PERIOD)
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    assert [offer.pinged for offer in offers(courier)] == [(SOUTH.id,)]


@pytest.mark.parametrize("answer", ["decline", "withdraw", "accept"])
async def test_an_answered_offer_is_removed(
    app: Application, players: Players, courier: FakeCourier, answer: str
) -> None:
    """The offer disappears when it is withdrawn or accepted, and says so when it is declined; the end stays."""
    match = await ended(players, courier)
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    match answer:
        case "decline":
            await app.endings.decline_rematch(SOUTH.id, match.id)
        case "withdraw":
            await app.endings.withdraw_rematch(NORTH.id, match.id)
        case _:
            await app.endings.rematch(SOUTH.id, match.id)
    done = await courier.deliver()
    assert done.count(("edit" if answer == "decline" else "remove", REMATCH)) == 1
    assert ("edit", END) in done
    assert [(offer.asked, offer.pinged) for offer in offers(courier)] == ([((), ())] if answer == "decline" else [])
    (end,) = courier.of_kind(END)
    assert isinstance(end.shown.content, MatchSummary)
    shown, now = end.shown.content.match, await app.lookup.info(match.id)
    assert (shown.proposals, shown.has_rematch) == (now.proposals, answer == "accept")
    if answer == "accept":
        with pytest.raises(RematchBegun):
            await app.endings.rematch(NORTH.id, match.id)


async def test_an_offer_that_was_answered_at_once_is_not_posted(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """An offer that is withdrawn before its message was posted leaves no message."""
    match = await ended(players, courier)
    await app.endings.rematch(NORTH.id, match.id)
    await app.endings.withdraw_rematch(NORTH.id, match.id)
    assert ("post", REMATCH) not in await courier.deliver()
    assert await app.outbox.work() == Work()


async def test_each_offer_is_a_new_message(app: Application, players: Players, courier: FakeCourier) -> None:
    """After a declined offer, an offer by the other player is posted again, and pings the first one."""
    match = await ended(players, courier)
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    (first,) = courier.of_kind(REMATCH)
    await app.endings.decline_rematch(SOUTH.id, match.id)
    await courier.deliver()
    await app.endings.rematch(SOUTH.id, match.id)
    await courier.deliver()
    (second,) = courier.of_kind(REMATCH)
    assert second.id != first.id
    assert [(offer.asked, offer.pinged) for offer in offers(courier)] == [((NORTH.id,), (NORTH.id,))]


async def test_a_deleted_offer_does_not_ping_again(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """In a match of three, each agreement edits the offer. If it was deleted, its new post pings nobody."""
    match = await ended(Players(app, (NORTH, SOUTH, EAST)), courier, THREE_PLAYERS)
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    (message,) = courier.of_kind(REMATCH)
    assert [(offer.asked, offer.pinged) for offer in offers(courier)] == [((SOUTH.id, EAST.id), (SOUTH.id, EAST.id))]
    clock.pass_by(timedelta(minutes=1))
    courier.messages.pop(message.id)
    await app.endings.rematch(SOUTH.id, match.id)
    await courier.deliver()
    (again,) = courier.of_kind(REMATCH)
    assert again.shown.was_deleted
    assert [offer.asked for offer in offers(courier)] == [(EAST.id,)]
    clock.pass_by(timedelta(minutes=1))
    await app.endings.rematch(EAST.id, match.id)
    await courier.deliver()
    assert courier.of_kind(REMATCH) == []


async def test_an_agreement_edits_the_offer(app: Application, courier: FakeCourier, clock: Clock) -> None:
    """In a match of three, the second player's agreement edits the offer, which then asks only the third."""
    match = await ended(Players(app, (NORTH, SOUTH, EAST)), courier, THREE_PLAYERS)
    for person, asked in ((NORTH, (SOUTH.id, EAST.id)), (SOUTH, (EAST.id,))):
        clock.pass_by(timedelta(minutes=1))
        await app.endings.rematch(person.id, match.id)
        done = await courier.deliver()
        assert (("post" if person is NORTH else "edit"), REMATCH) in done
        assert [offer.asked for offer in offers(courier)] == [asked]


async def test_an_offer_in_a_thread_is_posted_there(app: Application, courier: FakeCourier) -> None:
    """The offer is posted where the match was played."""
    match = await Players(app).begin_in_thread(rules=SHORT)
    await Players(app).win(match.id)
    await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    assert [message.channel_id for message in courier.of_kind(REMATCH)] == [THREAD]


async def test_hands_show_the_offer(app: Application, players: Players, courier: FakeCourier) -> None:
    """Both direct messages with the end of the match show the offer too; the proposer's is only edited."""
    await players.open_dms(NORTH, SOUTH)
    match = await ended(players, courier)
    (own,) = courier.of_kind(HAND, dm_of(NORTH))
    offering = await app.endings.rematch(NORTH.id, match.id)
    await courier.deliver()
    assert courier.of_kind(HAND, dm_of(NORTH)) == [own]
    for person in players.people:
        (hand,) = courier.of_kind(HAND, dm_of(person))
        assert isinstance(hand.shown.content, OwnHand)
        assert hand.shown.content.match == offering


async def test_a_forgotten_person_is_not_asked(app: Application, players: Players, courier: FakeCourier) -> None:
    """An offer is not posted if the person that it asks was forgotten before."""
    match = await ended(players, courier)
    await app.endings.rematch(NORTH.id, match.id)
    await app.people.forget(SOUTH.id)
    await courier.deliver()
    assert courier.of_kind(REMATCH) == []
    assert await app.outbox.work() == Work()
