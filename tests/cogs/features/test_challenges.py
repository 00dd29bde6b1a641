"""Challenges in Discord."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.sandbox import Delay, Member, Message, Permission, World, member_overwrite
from bot.values.challenges import EXPIRES_AFTER
from bot.values.ids import PersonId
from cogs.kit.actions import Action
from cogs.kit.answers import DEFER_AFTER
from cogs.text.refusals import CHANNEL_GONE
from tests.cogs.scenes import Scene, at_table, clubhouse, hands, labels, latest
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

_VIEW = Permission.VIEW_CHANNEL


def _south(world: World) -> int:
    return next(user.id for user in world.users.values() if user.display_name == "South")


def _bot_without(permission: Permission) -> World:
    world = World.default()
    world.channels[_games(world)].overwrites.append(member_overwrite(world.bot, deny=permission))
    return world


def _games(world: World) -> int:
    return next(channel.id for channel in world.channels.values() if channel.name == "games")


async def test_a_challenge_accepted_sets_a_table_and_sends_both_hands(tmp_path: Path) -> None:
    """Once the opponent accepts, the channel has a table and each player a hand by direct message."""
    async with clubhouse(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south, target=10)
        assert scene.south.pushes == [invitation]
        assert "to 10" in invitation.text
        accepted = await scene.press(scene.south, invitation, "Accept")
        assert "The match is on" in accepted.text
        assert "Your hand against" in accepted.text
        await scene.quiet()
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text
        assert len(hands(scene.north)) == len(hands(scene.south)) == 1
        assert "The match is on!" in invitation.text
        assert not invitation.buttons


async def test_of_two_who_accept_an_open_challenge_one_gets_it_and_the_other_is_told(tmp_path: Path) -> None:
    """Two accept at once: one match begins, with one of them; the other reads that it is taken, and what to do."""
    async with clubhouse(tmp_path) as scene:
        invitation = await scene.invite(scene.north)
        assert "anyone here" in invitation.text
        assert "Decline" not in labels(invitation)
        components = [await person.press(invitation, "Accept") for person in (scene.south, scene.east)]
        told = [(await press.done()).text for press in components]
        assert sum("The match is on" in text for text in told) == 1
        assert sum("has already been accepted" in text and "/gin challenge" in text for text in told) == 1
        await scene.quiet()
        assert sum("Score" in labels(message) for message in scene.posts) == 1


async def test_declining_and_withdrawing_close_an_invitation(tmp_path: Path) -> None:
    """The opponent declines and the challenger withdraws, by button and by command; the message says what became."""
    async with clubhouse(tmp_path) as scene:
        declined = await scene.invite(scene.north, scene.south)
        answer = await scene.press(scene.south, declined, "Decline")
        assert "You declined" in answer.text
        assert answer.message.ephemeral
        by_command = await scene.invite(scene.north, scene.south)
        assert "You declined" in await scene.ask(scene.south, "decline")
        withdrawn = await scene.invite(scene.north, scene.south)
        told = (await scene.press(scene.north, withdrawn, "Withdraw")).text
        assert f"You withdrew your challenge to <@{scene.south.id}>." in told
        again = await scene.invite(scene.north)
        assert "You withdrew your challenge to anyone here." in await scene.ask(scene.north, "withdraw")
        await scene.quiet()
        assert "declined." in declined.text
        assert "declined." in by_command.text
        assert "withdrew it" in withdrawn.text
        assert "withdrew it" in again.text
        late = await scene.press(scene.south, withdrawn, "gin:3:0:accept", late=True)
        assert "That challenge was withdrawn" in late.text


async def test_nobody_answers_for_another(tmp_path: Path) -> None:
    """A press on a button that is not one's own changes nothing, and is answered privately with whose it is."""
    async with clubhouse(tmp_path) as scene:
        named, open_to_all = await scene.invite(scene.north, scene.south), await scene.invite(scene.north)
        for person, invitation, label in (
            (scene.east, named, "Accept"),
            (scene.east, named, "Decline"),
            (scene.south, named, "Withdraw"),
            (scene.north, named, "Accept"),
            (scene.north, open_to_all, "Accept"),
            (scene.east, open_to_all, "Withdraw"),
        ):
            answer = await scene.press(person, invitation, label)
            whose = "your own" if person is scene.north else "⁨North⁩'s"
            assert f"This is {whose} challenge" in scene.named(answer.text)
            assert answer.message.ephemeral
        await scene.quiet()
        assert "Accept" in labels(named)
        assert "Accept" in labels(open_to_all)


async def test_a_challenge_that_cannot_be_is_refused_kindly(tmp_path: Path) -> None:
    """Oneself, a bot, a stranger, unknown rules, a direct message: a private answer says why and what to do instead."""
    world = World.default()
    robot = world.add_user("Robot", bot=True)
    stranger = world.add_user("Stranger")
    guild = next(iter(world.guilds.values()))
    world.add_channel(guild, "back-room", overwrites=[member_overwrite(world.users[_south(world)], deny=_VIEW)])
    guild.members[robot.id] = Member(robot)
    async with clubhouse(tmp_path, world=world) as scene:
        north, back_room = scene.north, scene.sandbox.channel("back-room")
        assert "name no opponent to let anyone accept" in await scene.ask(north, "challenge", opponent=north)
        assert "Other bots cannot play" in await scene.ask(north, "challenge", opponent=robot)
        assert "Other bots cannot play" in await scene.ask(north, "challenge", opponent=world.bot)
        assert "cannot find anyone with that name" in await scene.ask(north, "challenge", opponent=stranger)
        assert "cannot see this channel" in await scene.ask(north, "challenge", back_room, opponent=scene.south)
        unknown = await scene.ask(north, "challenge", rules="x" * 6000)
        assert "The choices are **classic**" in unknown
        assert "I cannot play with those rules" in await scene.ask(north, "challenge", rules="classic cards_dealt=7")
        for command in ("challenge", "accept", "decline", "leaderboard"):
            assert "only works in a server" in await scene.ask(north, command, north.dm)
        assert "only works in a server" in await scene.ask(north, "challenge", north.dm, opponent=world.bot)
        assert "no challenge on this server that you can accept" in await scene.ask(north, "accept")
        assert "Nobody on this server has challenged you by name" in await scene.ask(north, "decline")
        assert "You have no open challenge to withdraw" in await scene.ask(north, "withdraw")
        await scene.quiet()
        assert scene.posts == []


async def test_missing_permissions_are_named_before_a_challenge(tmp_path: Path) -> None:
    """Where the bot may not set a table it says which permission it lacks, and no invitation goes out."""
    async with clubhouse(tmp_path, world=_bot_without(Permission.ATTACH_FILES | Permission.SEND_MESSAGES)) as scene:
        told = await scene.ask(scene.north, "challenge", opponent=scene.south)
        assert "**Send Messages** and **Attach Files**" in told
        await scene.quiet()
        assert scene.posts == []


async def test_rules_and_target_can_be_chosen(tmp_path: Path) -> None:
    """The rules complete to what can be played, and an invitation names what was chosen."""
    async with clubhouse(tmp_path) as scene:
        offered = await scene.north.complete("gin challenge", scene.channel, option="rules", value="st")
        found = [choice["value"] for choice in (await offered.answer()).choices]
        assert found == ["standard", "strict", "straight", "strict_rotation", "winner_stays", "strict_partners"]
        assert "**straight** rules to 30" in (await scene.invite(scene.north, rules="straight", target=30)).text


async def test_a_sixth_challenge_waits(tmp_path: Path) -> None:
    """Five invitations may wait; the sixth is refused with the way to take one back, which asks which one."""
    async with clubhouse(tmp_path) as scene:
        for _ in range(5):
            await scene.invite(scene.north)
        assert "`/gin withdraw` withdraws one" in await scene.ask(scene.north, "challenge")
        which = await scene.use(scene.north, "gin withdraw", scene.channel)
        (menu,) = which.message.selects
        assert len(menu.options) == 5
        assert all("#games" in str(option.description) for option in menu.options)
        chosen = await scene.choose(scene.north, which.message, str(menu.placeholder), menu.options[0].value)
        assert "You withdrew your challenge to anyone here." in chosen.text
        assert "was sent" in await scene.ask(scene.north, "challenge")


async def test_the_list_of_matches_tells_of_open_challenges(tmp_path: Path) -> None:
    """Without a running match it says what there is to accept or to withdraw."""
    async with clubhouse(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        assert "an open challenge of yours: `/gin withdraw`" in await scene.ask(scene.north, "games")
        assert "a challenge that you can accept: `/gin accept`" in await scene.ask(scene.south, "games")
        assert await scene.ask(scene.east, "games") == (
            "You have no running matches. Start one with `/gin challenge`, or with `/gin practice start` against a "
            "computer, at once and in private."
        )


async def test_people_who_were_only_challenged_can_be_told_apart(tmp_path: Path) -> None:
    """Nothing is kept of them, so the question mentions them, numbered like the menu; who asks is "you"."""
    async with clubhouse(tmp_path) as scene:
        await scene.invite(scene.north, scene.south)
        await scene.invite(scene.north, scene.east)
        await scene.invite(scene.west, scene.south)
        which = await scene.use(scene.north, "gin withdraw", scene.channel)
        assert which.text.splitlines()[1:3] == [
            f"1. You challenge <@{scene.south.id}>",
            f"2. You challenge <@{scene.east.id}>",
        ]
        (menu,) = which.message.selects
        assert [option.label for option in menu.options] == ["1. You challenge someone", "2. You challenge someone"]
        chosen = await scene.choose(scene.north, which.message, str(menu.placeholder), menu.options[1].value)
        assert f"You withdrew your challenge to <@{scene.east.id}>." in chosen.text
        which = await scene.use(scene.south, "gin decline", scene.channel)
        (menu,) = which.message.selects
        assert [option.label for option in menu.options] == ["North challenges you", "West challenges you"]


async def test_a_command_asks_which_invitation_is_meant(tmp_path: Path) -> None:
    """With several to answer, `/gin accept` asks, and the choice begins that match."""
    async with clubhouse(tmp_path) as scene:
        await scene.invite(scene.north, scene.south, target=10)
        await scene.invite(scene.north, scene.south, rules="classic knock_limit=7 gin_bonus=50", target=30)
        await scene.invite(scene.east, scene.south, target=20)
        which = await scene.use(scene.south, "gin accept", scene.channel)
        (menu,) = which.message.selects
        of_north = [str(option.description) for option in menu.options if "North" in option.label]
        assert of_north == [
            "classic rules to 10, made just now, #games · the usual rules",
            "classic rules (changed) to 30, made just now, #games · knock with 7 or less, gin 50",
        ]
        of_east = next(option.value for option in menu.options if "East" in option.label)
        accepted = await scene.choose(scene.south, which.message, "Choose a challenge …", of_east)
        await scene.quiet()
        assert "Your hand against ⁨East⁩" in accepted.text
        assert "⁨East⁩ vs ⁨South⁩" in scene.table.text


async def test_an_invitation_expires_after_a_day(tmp_path: Path) -> None:
    """After a day its buttons answer that it is too old, and its message says that nobody accepted."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        await scene.age(clock, EXPIRES_AFTER - timedelta(minutes=1))
        assert await scene.alive.app.challenges.own(PersonId(scene.north.id))
        await scene.age(clock, timedelta(minutes=2))
        assert "has expired" in (await scene.press(scene.south, invitation, "Accept")).text
        await scene.alive.app.challenges.expire()
        await scene.quiet()
        assert any("Nobody accepted in time" in message.text for message in scene.posts)
        assert invitation in scene.posts
        assert not invitation.buttons


async def test_wanting_no_direct_messages_accepts_nothing(tmp_path: Path) -> None:
    """*No direct messages* is kept and has a way back. After *Accept* no hand is sent, and the channel calls."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        invitation = await scene.invite(scene.south, scene.north)
        own = await scene.press(scene.south, invitation, "No direct messages")
        assert labels(own.message) == ["By direct message after all"]
        await scene.press(scene.south, own.message, "By direct message after all")
        chosen = (await scene.press(scene.north, invitation, "No direct messages")).message
        assert "*My hand* at the table shows your hand" in chosen.text
        assert labels(chosen) == ["Accept", "By direct message after all"]
        await scene.press(scene.north, chosen, "By direct message after all")
        assert labels(chosen) == ["Accept", "No direct messages"]
        await scene.press(scene.north, chosen, "No direct messages")
        await scene.quiet()
        assert "Accept" in labels(invitation)
        accepted = await scene.press(scene.north, chosen, "Accept")
        await scene.quiet()
        assert "Your hand against" in accepted.messages[-1].text
        assert "The match is on" in chosen.text
        assert scene.north.direct_messages() == []
        assert len(hands(scene.south)) == 1
        preferences = await scene.use(scene.north, "gin me preferences", scene.channel)
        assert "**My hand:** only when I ask" in preferences.message.text
        late = await scene.press(scene.east, invitation, "gin:1:0:accept_silently", late=True)
        assert labels(late.message) == ["By direct message after all"]


async def test_the_first_hand_is_below_the_table(tmp_path: Path) -> None:
    """After *Accept* and after a rematch. A table that is late, or never comes, holds the hand up a second only."""
    async with clubhouse(tmp_path, GIN_AT_ONCE) as scene:
        accepted = await scene.press(scene.south, await scene.invite(scene.north, scene.south, target=10), "Accept")
        seen = scene.south.sees(scene.channel)
        assert seen[-1] is accepted.message
        assert "Score" in labels(seen[-2])
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post("Rematch")
        scene.sandbox.faults.requests(Delay(5), on=f"POST /channels/{scene.channel.id}/messages", times=1)
        for person in (scene.north, scene.south):
            begun = await scene.press(person, end, "Rematch")
        assert begun.latency is not None
        assert begun.latency < DEFER_AFTER
        assert "Your hand against" in begun.text


async def test_a_challenge_in_a_busy_channel_opens_a_thread_of_its_own(tmp_path: Path) -> None:
    """Where the bot may open threads the second match of a channel is played in one, on its invitation."""
    async with at_table(tmp_path) as scene:
        invitation = await scene.invite(scene.east, scene.north)
        accepted = await scene.press(scene.north, invitation, "Accept")
        thread = scene.sandbox.channel("East vs North")
        assert f"The match is on in <#{thread.id}>" in accepted.text
        await scene.quiet()
        assert "⁨East⁩ vs ⁨North⁩" in latest(scene.east.sees(thread), "Score").text
        assert "⁨North⁩ vs ⁨South⁩" in scene.table.text
        assert "A thread has room for one match" in await scene.ask(
            scene.south, "challenge", thread, opponent=scene.east
        )


async def test_a_busy_channel_without_threads_says_where_the_match_runs(tmp_path: Path) -> None:
    """Where no thread may be opened, neither a challenge nor an acceptance goes through, and the answer says why."""
    world = _bot_without(Permission.CREATE_PUBLIC_THREADS)
    async with clubhouse(tmp_path, world=world) as scene:
        first, second = await scene.invite(scene.north), await scene.invite(scene.east)
        assert "The match is on" in (await scene.press(scene.south, first, "Accept")).text
        told = (await scene.press(scene.south, second, "Accept")).text
        assert f"⁨North⁩ vs ⁨South⁩ is running in <#{scene.channel.id}>" in told
        assert "let me create public threads" in await scene.ask(scene.east, "challenge", opponent=scene.north)


async def test_a_challenge_belongs_where_the_managers_say(tmp_path: Path) -> None:
    """With channels chosen by the managers, a challenge elsewhere is sent there; a thread belongs to its channel."""
    async with clubhouse(tmp_path) as scene:
        settings = await scene.use(scene.north, "gin-admin settings", scene.channel)
        await scene.change(scene.north, settings.message, Action.SET_CHANNELS, scene.sandbox.channel("quiet-corner"))
        told = await scene.ask(scene.north, "challenge", opponent=scene.south)
        corner = scene.sandbox.channel("quiet-corner")
        assert f"played in <#{corner.id}>" in told
        thread = scene.sandbox.moderation.create_thread(corner, "evening", scene.north.user)
        assert "was sent" in await scene.ask(scene.north, "challenge", thread, opponent=scene.south)


async def _finish(scene: Scene) -> Message:
    """Have North go gin at once, which ends a short match."""
    await scene.press(scene.north, await scene.turn(scene.north), "Take K♠")
    await scene.press(scene.north, await scene.turn(scene.north), "Gin!")
    return await scene.post("Rematch")


async def test_a_rematch_begins_once_both_agree(tmp_path: Path) -> None:
    """The first wish shows at the score sheet, the second begins a match from anywhere; spectators are refused."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        assert "No match has ended in this channel yet" in await scene.ask(scene.north, "rematch")
        assert "You have not played a match to its end" in await scene.ask(scene.north, "rematch", scene.north.dm)
        end = await _finish(scene)
        assert "You did not play in" in (await scene.press(scene.east, end, "Rematch")).text
        assert "starts if the other player agrees" in (await scene.press(scene.north, end, "Rematch")).text
        await scene.quiet()
        assert "⁨North⁩ would like a rematch" in end.text
        assert "The rematch is on!" in await scene.ask(scene.south, "rematch", scene.south.dm)
        await scene.quiet()
        assert "The rematch is on!" in end.text
        assert "to 10" in scene.table.text
        again = await scene.press(scene.north, end, "gin:1:8:rematch", late=True)
        assert "has already begun" in again.text


async def test_a_private_message_offers_no_rematch_that_has_begun(tmp_path: Path) -> None:
    """Whoever presses *Rematch* there later than all have agreed reads that it is on, and the button is gone."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10, open_dms=False) as scene:
        hand = (await scene.press(scene.north, scene.table, "My hand")).message
        await scene.press(scene.north, hand, "Take K♠")
        await scene.press(scene.north, hand, "Gin!")
        end = await scene.post("Rematch")
        for person in (scene.north, scene.south):
            await scene.press(person, end, "Rematch")
        await scene.quiet()
        assert "Rematch" in labels(hand)
        again = await scene.press(scene.north, hand, "Rematch")
        assert again.message is hand
        assert "The rematch is on!" in hand.text
        assert labels(hand) == ["Replay", "Review", "Verify", "Versus", "Next match (1)", "My games"]


async def test_a_rematch_needs_the_channel_of_the_match(tmp_path: Path) -> None:
    """Once that was deleted, nothing begins and nobody is asked, whether the match was over before or after."""
    async with at_table(tmp_path, GIN_AT_ONCE, KNOCK_AT_ONCE, target=10) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        await _finish(scene)
        await scene.quiet()
        await scene.press(scene.south, await scene.invite(north, scene.south, corner), "Accept")
        await scene.quiet()
        (over,) = [message for message in north.direct_messages() if "Rematch" in labels(message)]
        for channel in (scene.channel, corner):
            scene.sandbox.moderation.delete_channel(channel)
        await scene.quiet()
        refused = await scene.press(north, over, "Rematch")
        assert refused.text == CHANNEL_GONE
        asked = await scene.use(scene.south, "gin resign", scene.south.dm)
        await scene.press(scene.south, asked.message, "Resign")
        await scene.quiet()
        for person in (north, scene.south):
            pushes = len(person.pushes)
            assert await scene.ask(person, "rematch", person.dm) == CHANNEL_GONE
            await scene.quiet()
            assert len(person.pushes) == pushes
            assert await scene.alive.app.lookup.hands(PersonId(person.id)) == ()


async def test_a_rematch_in_a_busy_channel_gets_a_thread(tmp_path: Path) -> None:
    """When the channel is taken meanwhile, the rematch is played in a thread on the score sheet."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        end = await _finish(scene)
        await scene.press(scene.east, await scene.invite(scene.south), "Accept")
        await scene.press(scene.north, end, "Rematch")
        begun = await scene.press(scene.south, end, "Rematch")
        assert "The rematch is on!" in begun.text
        assert f"<#{scene.sandbox.channel('North vs South, match 2').id}>" in begun.text


async def test_a_challenge_carries_no_match_twice_when_accepted_twice(tmp_path: Path) -> None:
    """A double click on *Accept* begins one match, and both clicks are answered."""
    async with clubhouse(tmp_path) as scene:
        invitation = await scene.invite(scene.north, scene.south)
        components = [await scene.south.press(invitation, "Accept") for _ in range(2)]
        told = await asyncio.gather(*(press.done() for press in components))
        assert sum("The match is on" in press.text for press in told) == 1
        assert sum("has already been accepted" in press.text for press in told) == 1


async def _clocks(scene: Scene, typed: str) -> dict[str, str]:
    """Return the clocks that are offered for what North has typed, with what the list says of each."""
    offered = await scene.north.complete("gin challenge", scene.channel, option="clock", value=typed)
    return {choice["value"]: choice["name"] for choice in (await offered.answer()).choices}


async def test_a_clock_is_completed_as_it_is_typed(tmp_path: Path) -> None:
    """The usual ones come by themselves, any live one that can be read is offered, and nonsense is not."""
    async with clubhouse(tmp_path) as scene:
        offered = await _clocks(scene, "")
        assert list(offered)[:4] == ["none", "12h", "1d", "2d"]
        assert offered["2d"] == "2d: 2 days per turn, then the match may be claimed"
        assert offered["2d flag"] == "2d flag: 2 days per turn, then lost"
        assert list(await _clocks(scene, "2D")) == ["2d", "2d flag"]
        assert await _clocks(scene, "7m+5s") == {
            "7m+5s": "7m+5s: 7 minutes each, and 5 seconds more per turn, then the match may be claimed"
        }
        assert await _clocks(scene, "3m flag") == {"3m+0s flag": "3m+0s flag: 3 minutes each, then lost"}
        assert await _clocks(scene, "soon") == {}
        for nonsense in ("soon", "5d", "999m+5s", "10m+999s", "none flag", "2d maybe", "<@1> **x**"):
            told = await scene.ask(scene.north, "challenge", opponent=scene.south, clock=nonsense)
            assert told.startswith("There is no clock called"), nonsense
            assert "**x**" not in told
        await scene.quiet()
        assert scene.posts == []


async def test_a_challenge_says_its_clock_and_a_rematch_keeps_it(tmp_path: Path) -> None:
    """Both who challenge and who are challenged read the same line; the match and the next one are played by it."""
    async with clubhouse(tmp_path, GIN_AT_ONCE, GIN_AT_ONCE) as scene:
        sent = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, clock=" 10M+20s flag")
        line = "Clock: 10 minutes each, and 20 seconds more per turn. Whoever has no time left loses."
        assert sent.text.splitlines()[-1] == line
        invitation = await scene.post("Accept")
        assert line in invitation.text
        await scene.press(scene.south, invitation, "Accept")
        await scene.quiet()
        assert "⁨South⁩ has 10 minutes left." in scene.table.text
        leaving = (await scene.use(scene.north, "gin resign", scene.channel)).message
        await scene.press(scene.north, leaving, "Resign")
        end = await scene.post("Rematch")
        await scene.press(scene.south, end, "Rematch")
        await scene.press(scene.north, end, "Rematch")
        await scene.quiet()
        assert "⁨South⁩ has 10 minutes left." in scene.table.text


async def test_a_table_for_several_says_its_clock(tmp_path: Path) -> None:
    """Whoever thinks of joining knows how long a turn may take."""
    async with clubhouse(tmp_path) as scene:
        await scene.use(scene.north, "gin challenge", scene.channel, rules="rotation", clock="12h")
        lobby = await scene.post("Join")
        claimed = "Once a player's time is up, those who wait may end the match, and that player loses."
        assert f"Clock: 12 hours per turn. {claimed}" in lobby.text
