"""Cards: the message of a challenge becomes the card of its match, which is played in a thread."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import select

from bot.model.challenges import ChallengeStatus
from bot.model.ids import ChallengeId, ChannelId
from bot.model.matches import Card, MatchInfo, MatchStatus
from bot.model.outbox import MessageKind, OutboxMessage, PostedMessage
from bot.model.people import Person
from bot.play.application import Application
from bot.play.outbox.outbox import Failed, Outcome, WasMissing, WasPosted, WasRemoved, WasShown, WasTooOld, Work
from bot.store import tables
from bot.store.database import Database
from tests.helpers.databases import fetch
from tests.helpers.messages import FakeCourier
from tests.helpers.table import CHANNEL, EAST, GUILD, NORTH, SOUTH, THREAD, Players, interaction, place

CARD, CHALLENGE, COMMITMENT = MessageKind.CARD, MessageKind.CHALLENGE, MessageKind.COMMITMENT
TABLE, PING, SHOWDOWN, END = MessageKind.TABLE, MessageKind.PING, MessageKind.SHOWDOWN, MessageKind.END


async def accepted(app: Application, courier: FakeCourier, rules: str = "classic") -> MatchInfo:
    """Start a match in a thread of `CHANNEL`, after its challenge was posted there."""
    challenge = await app.challenges.issue(NORTH, [SOUTH.id], place(), interaction(), rules=rules)
    assert await courier.deliver() == [("post", CHALLENGE), ("post", COMMITMENT)]
    _, match = await app.challenges.accept(SOUTH, challenge.id, THREAD)
    assert match is not None
    return match


async def lobby_in_thread(app: Application, courier: FakeCourier) -> tuple[OutboxMessage, MatchInfo]:
    """Start the match of a lobby in a thread. Return a message of the lobby that was due before, and the match."""
    lobby = await app.challenges.issue(NORTH, [SOUTH.id, EAST.id], place(), interaction(), rules="rotation")
    await courier.deliver()
    for person in (SOUTH, EAST):
        await app.challenges.accept(person, lobby.id)
    due = [message for message in await courier.due() if message.kind is CHALLENGE]
    _, match = await app.lobbies.start(NORTH.id, lobby.id, THREAD)
    (message,) = due
    return message, match


def failed(message: OutboxMessage) -> Outcome:
    """Return the outcome of a delivery that must be retried much later."""
    return Failed(message, "503", timedelta(hours=1))


def cards(courier: FakeCourier) -> list[Card]:
    """Return the contents of the posted cards."""
    shown = [message.shown.content for message in courier.of_kind(CARD, CHANNEL)]
    return [content for content in shown if isinstance(content, Card)]


async def test_a_challenge_becomes_the_card_of_its_match(app: Application, courier: FakeCourier) -> None:
    """The posted challenge is edited into the card. Everything else is posted in the thread."""
    match = await accepted(app, courier)
    (message,) = courier.of_kind(CHALLENGE)
    assert (match.channel_id, match.card_channel_id) == (THREAD, CHANNEL)
    assert await courier.deliver() == [("edit", CARD), ("post", TABLE), ("post", PING)]
    assert [posted.id for posted in courier.of_kind(CARD, CHANNEL)] == [message.id]
    assert courier.of_kind(CHALLENGE) == []
    assert cards(courier) == [Card(match, (await app.lookup.table(match.id)).view)]
    assert await app.outbox.find(CARD, match.id) == PostedMessage(CHANNEL, message.id)
    assert {posted.channel_id for posted in (*courier.of_kind(TABLE), *courier.of_kind(PING))} == {THREAD}
    assert await app.outbox.work() == Work()


async def test_a_challenge_that_was_not_posted_leaves_a_card(app: Application, courier: FakeCourier) -> None:
    """If a match begins before the message of its challenge was posted, its card is posted instead, silently."""
    match = await Players(app).begin_in_thread()
    await courier.deliver()
    assert courier.of_kind(CHALLENGE) == []
    assert [card.match.id for card in cards(courier)] == [match.id]
    assert [posted.notifies for posted in courier.of_kind(CARD)] == [False]


async def test_a_card_changes_once_a_deal(app: Application, courier: FakeCourier) -> None:
    """The card is edited when a deal or the match ends, and by nothing else."""
    match, players = await accepted(app, courier, "classic target=150"), Players(app)
    await courier.deliver()
    await players.move(match.id, "take")
    assert CARD not in [kind for _, kind in await courier.deliver()]
    await app.endings.call_off(NORTH.id, match.id)
    await app.endings.decline(SOUTH.id, match.id)
    assert CARD not in [kind for _, kind in await courier.deliver()]
    await players.move(match.id, "gin")
    assert (await courier.deliver()).count(("edit", CARD)) == 1
    assert [card.view.score.scores for card in cards(courier)] == [(85, 0)]
    for _ in range(2):
        await players.win(match.id)
    assert (await courier.deliver()).count(("edit", CARD)) == 1
    (card,) = cards(courier)
    assert (card.match.status, card.view.score.scores) == (MatchStatus.FINISHED, (170, 85))


@pytest.mark.parametrize("cancelled", [False, True])
async def test_a_card_shows_an_early_end(app: Application, courier: FakeCourier, cancelled: bool) -> None:
    """The card is also edited if the match ends without a showdown."""
    match = await accepted(app, courier)
    await courier.deliver()
    if cancelled:
        await app.endings.cancel(match.id, GUILD, NORTH.id)
    else:
        await app.endings.resign(NORTH.id, match.id, interaction())
    assert ("edit", CARD) in await courier.deliver()
    assert [card.match.status for card in cards(courier)] == [(await app.lookup.info(match.id)).status]


async def test_a_match_in_the_channel_has_no_card(app: Application, players: Players, courier: FakeCourier) -> None:
    """A match in the channel of its challenge has no card: the challenge says that it was accepted."""
    match = await players.begin()
    assert match.card_channel_id is None
    await courier.deliver()
    (message,) = courier.of_kind(CHALLENGE, CHANNEL)
    assert message.shown.content == await app.challenges.get(ChallengeId(1))
    await players.win(match.id)
    await courier.deliver()
    assert courier.of_kind(CARD) == []


async def test_a_rematch_in_the_thread_has_a_card_of_its_own(app: Application, courier: FakeCourier) -> None:
    """A rematch stays in the thread. Its new card is in the same channel as the old one, which keeps the result."""
    match = await accepted(app, courier, "classic target=10")
    await Players(app).win(match.id)
    await courier.deliver()
    for person in (NORTH, SOUTH):
        rematch = await app.endings.rematch(person.id, match.id)
    assert (rematch.channel_id, rematch.card_channel_id) == (THREAD, CHANNEL)
    assert ("post", CARD) in await courier.deliver()
    assert [card.match.id for card in cards(courier)] == [match.id, rematch.id]


@pytest.mark.parametrize("outcome", [WasShown, WasMissing, WasTooOld, WasRemoved, failed])
async def test_a_delivery_of_the_challenge_does_not_count_for_the_card(
    app: Application, courier: FakeCourier, outcome: Callable[[OutboxMessage], Outcome]
) -> None:
    """If a lobby's message is being delivered while it becomes a card, the outcome changes nothing about the card."""
    late, match = await lobby_in_thread(app, courier)
    (challenge,) = courier.of_kind(CHALLENGE)
    await app.outbox.record([outcome(late)])
    assert await app.outbox.find(CARD, match.id) == PostedMessage(CHANNEL, challenge.id)
    assert ("edit", CARD) in await courier.deliver()
    assert [posted.id for posted in courier.of_kind(CARD)] == [challenge.id]
    assert courier.of_kind(CHALLENGE) == []
    assert await app.outbox.work() == Work()


async def test_a_late_post_of_the_challenge_is_removed(app: Application, courier: FakeCourier) -> None:
    """If a lobby is being posted again while it becomes a card, the new post is removed: the thread has the old one."""
    late, match = await lobby_in_thread(app, courier)
    (challenge,) = courier.of_kind(CHALLENGE)
    stray = courier.post(late, CHANNEL)
    await app.outbox.record([WasPosted(late, PostedMessage(CHANNEL, stray.id))])
    assert await app.outbox.find(CARD, match.id) == PostedMessage(CHANNEL, challenge.id)
    done = await courier.deliver()
    assert ("edit", CARD) in done
    assert ("remove", CHALLENGE) in done
    assert stray.id not in courier.messages
    assert [posted.id for posted in courier.of_kind(CARD)] == [challenge.id]
    assert await app.outbox.work() == Work()


async def test_a_deleted_card_is_posted_again(app: Application, courier: FakeCourier) -> None:
    """If somebody deletes the card, it is posted again, with the same match, after the next deal."""
    match = await accepted(app, courier)
    await courier.deliver()
    courier.messages.pop(courier.of_kind(CARD)[0].id)
    await Players(app).win(match.id)
    assert ("post", CARD) in await courier.deliver()
    assert [card.match.id for card in cards(courier)] == [match.id]


async def test_one_row_remembers_a_challenge_and_its_card(
    app: Application, courier: FakeCourier, database: Database
) -> None:
    """The challenge's row in the outbox becomes the card's row, with fresh revisions, and the challenge is accepted."""
    match = await accepted(app, courier)
    row = tables.outbox_message.c
    query = select(row.kind, row.subject_id, row.wanted_revision, row.shown_revision, row.repost_revision)
    assert await fetch(database, query.where(row.kind.in_([CARD, CHALLENGE]))) == [
        (CARD, match.id, match.revision, 0, 0)
    ]
    challenge = tables.challenge.c
    assert await fetch(database, select(challenge.status, challenge.match_id)) == [(ChallengeStatus.ACCEPTED, match.id)]


async def test_cards_of_several_threads_share_a_channel(app: Application, courier: FakeCourier) -> None:
    """Several matches can run in threads of one channel, each with its own card."""
    people: list[tuple[Person, Person]] = [(NORTH, SOUTH), (NORTH, EAST)]
    matches = [
        await Players(app, pair).begin_in_thread(ChannelId(THREAD + number)) for number, pair in enumerate(people)
    ]
    await courier.deliver()
    assert [card.match.id for card in cards(courier)] == [match.id for match in matches]
