"""People: preferences, direct messages, and forgetting."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from time import perf_counter
from typing import Any

import pytest
from sqlalchemy import select, update
from structlog.testing import capture_logs

from bot.model.appearance import Appearance, HandOrder
from bot.model.challenges import Challenge, ChallengeStatus
from bot.model.ids import PersonId
from bot.model.matches import MatchStatus, OwnHand
from bot.model.outbox import MessageKind
from bot.model.people import Challengers, Person, Preferences, Push
from bot.model.statistics import Player
from bot.play.application import Application
from bot.play.dm_channels import DM_RETRY_INTERVAL, DmState
from bot.play.people.people import NAME_CACHE_SECONDS, PersonalSettings
from bot.play.refusals import ChallengeClosed, MatchOver, NoChallenge, Unavailable
from bot.store import erasures, tables
from bot.store.database import Database
from tests.helpers.cases import nightly_after
from tests.helpers.clock import Clock
from tests.helpers.databases import execute, fetch, file_of
from tests.helpers.host_faults import locked
from tests.helpers.messages import FakeCourier
from tests.helpers.table import (
    EAST,
    ELSEWHERE,
    GUILD,
    NORTH,
    SOUTH,
    WEST,
    Players,
    dm_of,
    interaction,
    place,
    prefer,
)
from tests.store.test_health import shorten_lock_timeout


async def test_preferences_are_stored_separately(app: Application) -> None:
    """A preference stays until it is changed, and changing one keeps the others."""
    assert await app.people.preferences(NORTH.id) == Preferences()
    await prefer(app, NORTH, push=Push.BOTH)
    await prefer(app, NORTH, hand_by_dm=False)
    assert await prefer(app, NORTH) == PersonalSettings(Preferences(False, Push.BOTH), None)
    chosen = await prefer(app, NORTH, hand_by_dm=True, push=Push.NONE, challengers=Challengers.PLAYED)
    assert chosen.preferences == Preferences(True, Push.NONE, Challengers.PLAYED)
    assert chosen == await app.people.settings(NORTH.id)
    dark = Appearance("dark", True, "de")
    chosen = await prefer(app, NORTH, appearance=dark, hand_order=HandOrder.SUIT, pictures=False)
    assert chosen.preferences == Preferences(True, Push.NONE, Challengers.PLAYED, dark, HandOrder.SUIT, False)
    assert chosen.preferences == await app.people.preferences(NORTH.id)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "choice",
    nightly_after(
        1,
        [
            {"appearance": Appearance("dark")},
            {"appearance": Appearance(four_colours=True)},
            {"appearance": Appearance(language="sv")},
            {"hand_order": HandOrder.RANK},
            {"pictures": False},
        ],
    ),
)
async def test_hands_follow_preferences(
    app: Application, players: Players, courier: FakeCourier, choice: dict[str, Any]
) -> None:
    """If a person changes how hands look, their own hand is updated; other people's hands are not."""
    for person in (NORTH, SOUTH):
        await players.open_dms(person)
    match = await players.begin()
    await courier.deliver()
    before = await app.lookup.hand(NORTH.id, match.id)
    await prefer(app, NORTH, **choice)
    hands = [await app.lookup.hand(person.id, match.id) for person in (NORTH, SOUTH)]
    chosen = await app.people.preferences(NORTH.id)
    shown = [(hand.preferences.appearance, hand.preferences.hand_order, hand.preferences.pictures) for hand in hands]
    assert shown == [(chosen.appearance, chosen.hand_order, chosen.pictures), (Appearance(), HandOrder.MELDS, True)]
    assert shown[0] != (before.preferences.appearance, before.preferences.hand_order, before.preferences.pictures)
    (message,) = await courier.due()
    assert isinstance(message.content, OwnHand)
    assert (message.kind, message.content.view.seat, message.content.preferences.appearance) == (
        MessageKind.HAND,
        0,
        chosen.appearance,
    )


async def test_choices_that_no_longer_exist(app: Application, players: Players, database: Database) -> None:
    """If a stored order of hands no longer exists, hands are sorted by melds. An unknown theme or language is kept."""
    match = await players.begin()
    unknown_values = update(tables.person).values(hand_order="colour", theme="plaid", language="tlh")
    await execute(database, unknown_values)
    assert (await app.people.preferences(NORTH.id)).hand_order is HandOrder.MELDS
    hand = await app.lookup.hand(NORTH.id, match.id)
    assert (hand.preferences.hand_order, hand.preferences.appearance) == (
        HandOrder.MELDS,
        Appearance("plaid", False, "tlh"),
    )


async def test_opening_direct_messages(app: Application, clock: Clock) -> None:
    """For a person who wants direct messages, the bot may open a missing channel, but not for a day after a refusal."""
    people = app.people
    assert await people.dm_state(NORTH.id) == DmState(may_open=True, is_known=False)
    await people.save_person(NORTH)
    assert await people.dm_state(NORTH.id) == DmState(may_open=True, is_known=True)
    await people.save_dm_opened(NORTH.id, dm_of(NORTH))
    assert not (await people.dm_state(NORTH.id)).may_open
    assert (await people.settings(NORTH.id)).dm_works
    await people.save_dm_closed(NORTH.id)
    assert (await people.settings(NORTH.id)).dm_works is False
    clock.pass_by(DM_RETRY_INTERVAL - timedelta(seconds=1))
    assert not (await people.dm_state(NORTH.id)).may_open
    clock.pass_by(timedelta(seconds=1))
    assert (await people.dm_state(NORTH.id)).may_open
    await prefer(app, NORTH, hand_by_dm=False)
    assert not (await people.dm_state(NORTH.id)).may_open


async def test_opening_direct_messages_with_a_new_person(app: Application) -> None:
    """A person who was not stored yet is stored with their channel, or with the refusal of direct messages."""
    await app.people.save_dm_opened(NORTH.id, dm_of(NORTH), NORTH)
    await app.people.save_dm_closed(SOUTH.id, SOUTH)
    for person, works in ((NORTH, True), (SOUTH, False)):
        assert (await app.exports.export(person.id))["person"]["name"] == person.name
        assert (await app.people.settings(person.id)).dm_works is works


async def test_a_failed_opening_counts_as_refused(app: Application, clock: Clock) -> None:
    """If a direct message channel could not be opened, this counts as a refusal."""
    await prefer(app, NORTH)
    await app.people.save_dm_closed(NORTH.id)
    assert not (await app.people.dm_state(NORTH.id)).may_open
    clock.pass_by(DM_RETRY_INTERVAL)
    assert (await app.people.dm_state(NORTH.id)).may_open


async def test_a_refusal_with_a_future_time_does_not_last_longer(app: Application, clock: Clock) -> None:
    """A refusal of direct messages that was stored while the clock was ahead is ignored once the clock is set back."""
    await prefer(app, NORTH)
    clock.pass_by(timedelta(days=1))
    await app.people.save_dm_closed(NORTH.id)
    clock.pass_by(timedelta(days=-1))
    assert (await app.people.dm_state(NORTH.id)).may_open


@pytest.mark.thorough
async def test_direct_messages_can_be_tried_again_on_request(
    app: Application, players: Players, courier: FakeCourier
) -> None:
    """If a person requests it, direct messages are tried again at once, in the known channel or a new one."""
    await prefer(app, SOUTH, push=Push.CHANNEL)
    await app.people.save_dm_closed(SOUTH.id)
    assert not (await app.people.dm_state(SOUTH.id)).may_open
    assert (await prefer(app, SOUTH, retry_dms=True)).dm_works is None
    assert (await app.people.dm_state(SOUTH.id)).may_open
    await players.open_dms(SOUTH)
    await app.outbox.save_dm_refused(SOUTH.id)
    await players.begin()
    await courier.deliver()
    assert not courier.of_kind(MessageKind.HAND, dm_of(SOUTH))
    await prefer(app, SOUTH, challengers=Challengers.PLAYED)
    assert (await app.people.settings(SOUTH.id)).dm_works is False
    assert (await prefer(app, SOUTH, retry_dms=True)).dm_works
    await courier.deliver()
    assert courier.of_kind(MessageKind.HAND, dm_of(SOUTH))


async def test_names_of_known_people_are_kept_up_to_date(app: Application, players: Players) -> None:
    """A known person's new name is shown in their matches immediately; strangers' names are not stored."""
    match = await players.begin()
    await app.people.save_name(Person(NORTH.id, "Polaris"))
    await app.people.save_name(EAST)
    assert (await app.lookup.table(match.id)).match.players[0] == Player(NORTH.id, "Polaris")
    assert (await app.exports.export(EAST.id))["person"] is None
    await app.people.save_name(NORTH)
    assert (await app.lookup.table(match.id)).match.players[0].name == "North"


async def test_only_a_changed_name_is_saved_before_an_answer(app: Application, players: Players) -> None:
    """A name is saved early only if it differs from the one that was last saved here."""
    match = await players.begin()

    async def name() -> str | None:
        return (await app.lookup.table(match.id)).match.players[0].name

    await app.people.save_changed_name(Person(NORTH.id, "Polaris"))
    assert await name() == "North"
    await app.people.save_name(NORTH)
    await app.people.save_changed_name(Person(NORTH.id, "Polaris"))
    assert await name() == "Polaris"


async def test_avatars_follow_their_people(app: Application, players: Players) -> None:
    """A match shows its players' current avatars, except of those who hide theirs; hidden avatars are not stored."""
    match = await players.begin()

    async def avatars() -> list[str | None]:
        return [player.avatar for player in (await app.lookup.table(match.id)).match.players]

    with_face = replace(NORTH, avatar="1f")
    await app.people.save_name(with_face)
    await app.people.save_name(replace(SOUTH, avatar="2f"))
    assert await avatars() == ["1f", "2f"]
    await app.people.save_name(replace(SOUTH, avatar=None))
    assert await avatars() == ["1f", None]
    await prefer(app, with_face, shows_avatar=False)
    assert await avatars() == [None, None]
    for seen in (app.people.save_name, app.people.save_person):
        await seen(replace(NORTH, avatar="3f"))
        assert (await app.exports.export(NORTH.id))["person"]["avatar"] is None
    await prefer(app, with_face, shows_avatar=True)
    assert await avatars() == ["1f", None]


@pytest.mark.sqlite
async def test_a_name_that_could_not_be_saved_is_saved_later(
    app: Application, players: Players, database: Database
) -> None:
    """A name that could not be saved is saved at the next attempt."""
    match = await players.begin()
    await shorten_lock_timeout(database)
    polaris = Person(NORTH.id, "Polaris")
    with locked(file_of(database)), pytest.raises(Unavailable):
        await app.people.save_name(polaris)
    await app.people.save_name(polaris)
    assert (await app.lookup.table(match.id)).match.players[0].name == "Polaris"


@pytest.mark.sqlite
async def test_sqlite_saves_a_name_once(
    app: Application, players: Players, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite a saved name is never saved again, because no other process can change it."""
    await players.begin()
    await app.people.save_name(Person(NORTH.id, "Polaris"))
    monkeypatch.setattr("time.monotonic", lambda: perf_counter() + NAME_CACHE_SECONDS)
    await shorten_lock_timeout(database)
    with locked(file_of(database)):
        await app.people.save_name(Person(NORTH.id, "Polaris"))


async def test_forgetting_resigns_running_matches(app: Application, players: Players) -> None:
    """Forgetting a person resigns their running matches and empties their seats."""
    first = await players.begin()
    second = await Players(app, (EAST, SOUTH)).begin(channel_id=ELSEWHERE)
    assert await app.people.forget(SOUTH.id) == 2
    for match, person in ((first, NORTH), (second, EAST)):
        table = await app.lookup.table(match.id)
        assert (table.match.status, table.view.score.winner) == (MatchStatus.FINISHED, 0)
        assert table.match.players == (Player(person.id, person.name), Player(None, None))
        with pytest.raises(MatchOver):
            await app.endings.resign(person.id, match.id, interaction())
    assert await app.lookup.hands(SOUTH.id) == ()
    assert await app.people.forget(SOUTH.id) == 0


@pytest.mark.thorough
async def test_forgetting_removes_every_trace(
    app: Application, players: Players, database: Database, courier: FakeCourier
) -> None:
    """After a person is forgotten, no row has their id or name; their challenges and hands are deleted."""
    person = Person(PersonId(2**62 + 987_654_321), "Nobody Else's Name")
    pair = Players(app, (person, NORTH))
    await pair.open_dms(person, NORTH)
    finished = await pair.begin("classic target=10")
    await courier.deliver()
    await pair.win(finished.id)
    await app.endings.rematch(person.id, finished.id)
    await pair.begin()
    await prefer(app, person, daily_hour=12)
    await app.daily_reminders.request_due()
    from_them = await app.challenges.issue(person, [EAST.id], place(), interaction())
    to_them = await app.challenges.issue(WEST, [person.id], place(), interaction())
    await courier.deliver()
    assert len(courier.of_kind(MessageKind.HAND, dm_of(person))) == 2
    assert len(courier.of_kind(MessageKind.CHALLENGE)) == 4
    await app.people.forget(person.id)
    await courier.deliver()
    (left,) = courier.of_kind(MessageKind.HAND, dm_of(person))
    assert isinstance(left.shown.content, OwnHand)
    assert left.shown.content.match.id == finished.id
    shown = [message.shown.content for message in courier.of_kind(MessageKind.CHALLENGE)]
    assert {challenge.id for challenge in shown if isinstance(challenge, Challenge)}.isdisjoint(
        {from_them.id, to_them.id}
    )
    for challenge in (from_them, to_them):
        with pytest.raises(NoChallenge):
            await app.challenges.accept(EAST, challenge.id)
    all_rows = json.dumps([
        list(row)
        for table in tables.metadata.sorted_tables
        for row in await fetch(database, select(table))
    ], default=str)  # fmt: skip
    assert str(person.id) not in all_rows
    assert str(dm_of(person)) not in all_rows
    assert person.name not in all_rows
    lists = "challenges pings words lessons blocked holidays records daily streaks standings awards matches"
    nothing: dict[str, object] = {"person": None, **{part: [] for part in lists.split()}}
    assert await app.exports.export(person.id) == nothing


@pytest.mark.thorough
async def test_a_forgotten_person_can_come_back(app: Application, players: Players) -> None:
    """A forgotten person who comes back is new, without preferences or matches."""
    match = await players.begin("classic target=10")
    await players.win(match.id)
    await prefer(app, SOUTH, challengers=Challengers.NOBODY)
    await app.people.forget(SOUTH.id)
    await app.people.save_name(SOUTH)
    new_match = await players.begin("classic target=10")
    assert new_match.players == (Player(NORTH.id, NORTH.name), Player(SOUTH.id, SOUTH.name))
    assert (await app.exports.export(SOUTH.id))["matches"][0]["id"] == new_match.id


async def test_a_channel_opened_after_forgetting_is_not_stored(app: Application) -> None:
    """A direct message channel opened after its person was forgotten is not stored."""
    await app.people.save_person(SOUTH)
    await app.people.forget(SOUTH.id)
    await app.people.save_dm_opened(SOUTH.id, dm_of(SOUTH))
    assert (await app.exports.export(SOUTH.id))["person"] is None
    assert (await app.people.settings(SOUTH.id)).dm_works is None


@pytest.mark.both_databases
async def test_forgetting_leaves_no_erasure_pending(app: Application, players: Players, database: Database) -> None:
    """On SQLite and PostgreSQL, forgetting a person completes the erasure from files and leaves none pending."""
    await players.begin()
    with capture_logs() as lines:
        await app.people.forget(NORTH.id)
    assert [line["event"] for line in lines if line["log_level"] == "warning"] == []
    async with database.read() as transaction:
        assert await erasures.pending_request(transaction) is None


async def test_challenges_of_forgotten_people_are_gone(app: Application) -> None:
    """A forgotten person's challenges are gone and their ids are not reused."""
    challenge = await app.challenges.issue(NORTH, [], place(), interaction())
    await app.people.forget(NORTH.id)
    assert await app.challenges.open_to(SOUTH.id, GUILD) == ()
    other = await app.challenges.issue(EAST, [], place(), interaction())
    assert other.id > challenge.id
    with pytest.raises(NoChallenge):
        await app.challenges.accept(SOUTH, challenge.id)
    accepted, _ = await app.challenges.accept(SOUTH, other.id)
    assert accepted.status is ChallengeStatus.ACCEPTED
    with pytest.raises(ChallengeClosed):
        await app.challenges.accept(NORTH, other.id)
