"""The deal of the day, played by commands and presses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model.daily import UNFINISHED_AT_MOST, day_at, end_of
from bot.model.discord_codes import Code
from bot.model.ids import ChannelId, MatchId, PersonId
from bot.play.daily.days import CLOSING_DELAY
from bot.play.refusals import NotInDaily, Sealed
from bot.sandbox import Message, Person, Refuse
from bot.store import daily
from cogs.actions import Action
from cogs.delivery.refusals import refused_answer
from cogs.fairness.verification_text import LOOK_AHEAD
from cogs.words.daily import (
    CALLED_OFF,
    COUNTS_ELSEWHERE,
    COUNTS_NOWHERE,
    PRICE_OF_STOPPING,
    SHARED,
    WAS_DOWN,
    headline,
    name,
)
from tests.cogs.scenes import Scene, buttons, open_scene
from tests.helpers.clock import Clock
from tests.helpers.components import MOVES
from tests.helpers.daily_players import DAY
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN
from tests.helpers.table import change_settings
from tests.helpers.thinkers import use_local_thinker


@pytest.fixture(autouse=True)
def immediate_computers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have computers answer immediately, even if the machine is busy."""
    use_local_thinker(monkeypatch)


async def start(scene: Scene, person: Person | None = None) -> Message:
    """Have a person begin their try on the server, and return the hand, which is sent by direct message."""
    person = person or scene.north
    invitation = (await scene.use(person, "gin daily", scene.channel)).message
    await scene.press(person, invitation, Action.START_DAILY)
    return await scene.wait_for_turn(person)


async def go_gin(scene: Scene, hand: Message, person: Person | None = None) -> Message:
    """Go gin in the first turn, and return the message, which then shows the result."""
    person = person or scene.north
    await scene.press(person, hand, Action.TAKE)
    await scene.press(person, hand, Action.GIN)
    return hand


def links(message: Message) -> list[str]:
    """Return the addresses that the buttons of a message open."""
    return [button.url for button in message.buttons if button.url is not None]


async def test_a_try_is_played_by_presses(tmp_path: Path, clock: Clock) -> None:
    """The command shows the commitment before the try begins; in the end, the result has no picture and no cards."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
        assert invitation.ephemeral
        today = await scene.bot.app.daily_tries.today(PersonId(scene.north.id))
        assert today.deal.commitment.hex() in invitation.text
        await scene.press(scene.north, invitation, Action.START_DAILY)
        hand = await scene.wait_for_turn(scene.north)
        assert not MOVES.isdisjoint(buttons(hand))
        assert Action.HINT not in buttons(hand)
        await go_gin(scene, hand)
        assert hand.images == []
        assert Action.SHARE_DAILY in buttons(hand)
        assert Action.REMATCH not in buttons(hand)
        await scene.wait_until_idle()
        assert scene.posts == []


async def test_the_invitation_explains_what_is_fair(tmp_path: Path, clock: Clock) -> None:
    """*How?* below the commitment says that a second account can look ahead."""
    async with open_scene(tmp_path, clock=clock) as scene:
        invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
        assert LOOK_AHEAD in (await scene.press(scene.north, invitation, Action.HOW_VERIFIED)).text


async def test_the_command_shows_the_result_after_the_try(tmp_path: Path, clock: Clock) -> None:
    """After a finished try, the command shows its result, and no second try."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await go_gin(scene, await start(scene))
        shown = (await scene.use(scene.north, "gin daily", scene.channel)).message
        assert Action.SHARE_DAILY in buttons(shown)
        assert Action.START_DAILY not in buttons(shown)


async def test_a_result_from_elsewhere_says_that_it_does_not_count(tmp_path: Path, clock: Clock) -> None:
    """Nobody can choose where a result counts after they have seen it, and the answer on another server says so."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        invitation = (await scene.use(scene.north, "gin daily", scene.north.dm)).message
        await scene.press(scene.north, invitation, Action.START_DAILY)
        await go_gin(scene, await scene.wait_for_turn(scene.north))
        assert COUNTS_ELSEWHERE in (await scene.use(scene.north, "gin daily", scene.channel)).message.text
        assert COUNTS_ELSEWHERE not in (await scene.use(scene.north, "gin daily", scene.north.dm)).message.text
        day = day_at(clock.now)
        async with scene.bot.database.read() as transaction:
            assert await daily.results(transaction, scene.guild_id, day, day) == ()


async def test_direct_messages_link_to_the_servers_of_the_last_try(tmp_path: Path, clock: Clock) -> None:
    """In direct messages, where a result counts nowhere, the invitation has links to places where it would count."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        first = (await scene.use(scene.north, "gin daily", scene.north.dm)).message
        assert links(first) == []
        await go_gin(scene, await start(scene))
        await scene.advance(clock, DAY)
        await change_settings(scene.bot.app, scene.guild_id, daily_channel=ChannelId(scene.channel.id))
        there = (await scene.use(scene.north, "gin daily", scene.north.dm)).message
        assert links(there) == [f"https://discord.com/channels/{scene.guild_id}/{scene.channel.id}"]
        here = (await scene.use(scene.north, "gin daily", scene.channel)).message
        assert links(here) == []


async def test_a_try_in_direct_messages_says_that_it_counts_nowhere(tmp_path: Path, clock: Clock) -> None:
    """The end of a try says if it was opened on no server, and on a server only that it does not count there."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN, clock=clock) as scene:
        invitation = (await scene.use(scene.north, "gin daily", scene.north.dm)).message
        await scene.press(scene.north, invitation, Action.START_DAILY)
        assert COUNTS_NOWHERE in (await go_gin(scene, await scene.wait_for_turn(scene.north))).text
        assert COUNTS_NOWHERE not in (await scene.use(scene.north, "gin daily", scene.channel)).message.text
        await start(scene, scene.south)
        shown = await go_gin(scene, await scene.wait_for_turn(scene.south), scene.south)
        assert COUNTS_NOWHERE not in shown.text


async def test_an_unfinished_hand_says_what_it_counts_as(tmp_path: Path, clock: Clock) -> None:
    """Once its day is closed, the hand of an unfinished try has the points that it counts as."""
    async with open_scene(tmp_path, clock=clock) as scene:
        await scene.advance(clock, end_of(day_at(clock.now)) - clock.now)
        await start(scene)
        day, shown = day_at(clock.now), list[Message]()
        for span, price in ((DAY, None), (CLOSING_DELAY, UNFINISHED_AT_MOST)):
            await scene.advance(clock, span)
            await scene.bot.app.daily_deals.close_past()
            await scene.wait_until_idle()
            shown += scene.north.direct_messages()
            assert f"### {headline(day, None, price)}\n" in shown[-1].text
        assert shown[0].id == shown[1].id


async def test_a_result_can_be_shared_without_cards(tmp_path: Path, clock: Clock) -> None:
    """*Share* posts one line with a button for others; a second press is no longer possible."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await go_gin(scene, await start(scene))
        shown = (await scene.use(scene.north, "gin daily", scene.channel)).message
        await scene.press(scene.north, shown, Action.SHARE_DAILY)
        await scene.wait_until_idle()
        (post,) = scene.posts
        own = (await scene.bot.app.daily_tries.today(PersonId(scene.north.id))).own
        assert own is not None
        assert headline(own.day, own.score) in post.text
        assert post.images == []
        assert Action.SHARE_DAILY not in buttons(shown)
        answer = (await scene.press(scene.south, post, Action.DAILY)).message
        assert answer.ephemeral
        assert Action.START_DAILY in buttons(answer)


async def test_a_result_that_cannot_be_shared_is_not_called_shared(tmp_path: Path, clock: Clock) -> None:
    """If Discord refuses the post, the person reads why, and can try again."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await go_gin(scene, await start(scene))
        shown = (await scene.use(scene.north, "gin daily", scene.channel)).message
        scene.sandbox.faults.requests(Refuse(Code.NO_PERMISSION), on="POST /webhooks/*", times=1)
        await scene.press(scene.north, shown, Action.SHARE_DAILY)
        await scene.wait_until_idle()
        reason = refused_answer(Code.NO_PERMISSION, saved=False)
        assert reason in [message.text for message in scene.north.sees(scene.channel)]
        assert SHARED not in shown.text
        assert scene.posts == []
        await scene.press(scene.north, shown, Action.SHARE_DAILY)
        await scene.wait_until_idle()
        assert SHARED in shown.text
        assert len(scene.posts) == 1


async def test_sharing_in_direct_messages_offers_a_line_to_copy(tmp_path: Path, clock: Clock) -> None:
    """In direct messages, *Share* answers with the line, because nobody else is there."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        hand = await go_gin(scene, await start(scene))
        answer = await scene.press(scene.north, hand, Action.SHARE_DAILY)
        own = (await scene.bot.app.daily_tries.today(PersonId(scene.north.id))).own
        assert own is not None
        assert headline(own.day, own.score) in answer.text
        assert scene.posts == []


async def test_a_try_that_was_called_off_says_so(tmp_path: Path, clock: Clock) -> None:
    """After a restored backup, the hand says that the try was called off, and leads to no deal, as there is none."""
    async with open_scene(tmp_path, clock=clock) as scene:
        hand = await start(scene)
        await scene.bot.app.restoring.call_off()
        await scene.wait_until_idle()
        assert CALLED_OFF in hand.text
        assert Action.DAILY not in buttons(hand)


async def test_an_unfinished_try_says_how_it_counts(tmp_path: Path, clock: Clock) -> None:
    """After the end of the day, the hand names the price, unless the bot was down for half of the day."""
    async with open_scene(tmp_path, *[IMMEDIATE_GIN] * 3, clock=clock) as scene:
        for told in (WAS_DOWN, PRICE_OF_STOPPING):  # The bot was not there for half of the first day.
            await start(scene)
            for _ in range(2):  # People act first on every other day.
                await scene.bot.app.daily_deals.begin_today()
                await scene.advance(clock, DAY)
                await scene.bot.app.daily_deals.close_past()
            await scene.wait_until_idle()
            ended = scene.north.direct_messages()[-1]
            assert [told in ended.text, CALLED_OFF in ended.text] == [True, False]
            assert {Action.DAILY, Action.REPLAY, Action.VERIFY} <= {*buttons(ended)}


@pytest.mark.thorough
async def test_the_past_deal_can_be_replayed_the_next_day(tmp_path: Path, clock: Clock) -> None:
    """On the next day, the invitation leads to the replay of the last try, which is named like its deal."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        await go_gin(scene, await start(scene))
        day = day_at(clock.now)
        clock.now = end_of(day)
        invitation = (await scene.use(scene.north, "gin daily", scene.channel)).message
        replay = (await scene.press(scene.north, invitation, Action.REPLAY)).message
        assert replay.images
        assert name(day) in replay.text


@pytest.mark.parametrize(
    "action", [Action.REPLAY, Action.REVIEW, Action.VERIFY, Action.SHOW_SCORE, Action.SHOWDOWN_DETAILS]
)
async def test_forged_looks_at_a_sealed_deal_are_refused(tmp_path: Path, clock: Clock, action: Action) -> None:
    """A forged press on a button of finished matches reveals nothing about the deal of the day."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        hand = await go_gin(scene, await start(scene))
        interaction = await click(scene.north, hand, action, 1)
        assert isinstance(scene.errors[interaction.id], Sealed)
        assert interaction.message.images == []


async def test_a_try_cannot_be_resigned(tmp_path: Path, clock: Clock) -> None:
    """A try cannot be resigned, and the answer says that it can be left."""
    async with open_scene(tmp_path, IMMEDIATE_GIN, clock=clock) as scene:
        hand = await start(scene)
        interaction = await click(scene.north, hand, Action.RESIGN, 1)
        assert isinstance(scene.errors[interaction.id], NotInDaily)
        assert (await scene.match(1)).id == MatchId(1)
