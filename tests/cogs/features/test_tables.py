"""Looking at a match: the table, the hand, the score, the list of one's matches."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.sandbox import MEMBER_DEFAULTS, Drop, Permission, World, member_overwrite
from bot.values.appearance import Appearance
from bot.values.ids import MatchId, PersonId
from bot.values.people import Person
from tests.cogs.scenes import Scene, at_table, clubhouse, hands, labels, person_of
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import interaction
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.slow


def _tables(scene: Scene) -> int:
    return sum("Score" in labels(post) for post in scene.posts)


async def test_the_table_tells_everything_that_everyone_may_know(tmp_path: Path) -> None:
    """Picture with words for it, the same facts as text, whose turn since when, the cut; and no card of a hand."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        text, (image,) = scene.table.text, scene.table.images
        assert "**⁨North⁩** to take the **2♦** or pass; dealt <t:" in text
        assert "⁨North⁩ **0** – ⁨South⁩ **0**" in text
        assert "Stock **31** · top of the pile **2♦** · knock with 10 or less" in text
        assert "the cut was ⁨North⁩ K♦ and ⁨South⁩ A♣, and the lower card deals: ⁨South⁩" in text
        assert "Stock: 31 cards face down" in str(image.alt)
        assert not any(card in text + str(image.alt) for card in ("Q♥", "K♥", "10♠", "4♥"))
        assert [button.label for button in scene.table.buttons] == [
            "My hand",
            "Score",
            "Rules",
            "Last moves",
            "Pause or leave",
        ]


async def test_the_table_is_one_message_brought_up_to_date(tmp_path: Path) -> None:
    """Moves edit the message that is there, with the last actions in words; there is never a second one."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.sandbox.until(lambda: "⁨North⁩ took 2♦ and discarded Q♥" in table.text)
        assert "**⁨South⁩** to draw" in table.text
        assert _tables(scene) == 1
        told = await scene.press(scene.east, table, "Last moves")
        assert told.message.ephemeral
        assert told.text.startswith("### Last moves · ⁨North⁩ vs ⁨South⁩\n-# Deal 1: the cut was")
        assert told.text.endswith("the upcard was 2♦\n1. ⁨North⁩ took 2♦ and discarded Q♥")
        assert labels(told.message) == []


async def test_an_old_table_is_posted_afresh(tmp_path: Path) -> None:
    """When the message is an hour old, the next move posts a new one and removes it; so does `/gin table`, at once."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        first = scene.table
        await scene.age(clock, timedelta(minutes=61))
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: first.deleted and _tables(scene) == 1)
        second = scene.table
        assert "I'm reposting the table" in await scene.ask(scene.east, "table")
        await scene.sandbox.until(lambda: second.deleted and _tables(scene) == 1)
        assert "I'm reposting the table" in await scene.ask(scene.north, "table", scene.north.dm)


async def test_a_deleted_table_comes_back_at_most_once_a_minute(tmp_path: Path) -> None:
    """A moderator deletes it: the next move posts it again; deleted again, it stays away for a minute."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.age(clock, timedelta(minutes=2))
        scene.sandbox.moderation.delete_message(scene.table)
        await scene.ask(scene.north, "take")
        back = await scene.post("Score")
        await scene.quiet()
        scene.sandbox.moderation.delete_message(back)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.quiet()
        assert scene.sandbox.journal.refusals[10008] == 2
        assert _tables(scene) == 0
        await scene.age(clock, timedelta(minutes=1))
        assert "**⁨South⁩** to draw" in (await scene.post("Score")).text


async def test_the_table_follows_a_showdown(tmp_path: Path) -> None:
    """After a deal the table stands below the showdown, and the old one is gone."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        before = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.sandbox.until(lambda: before.deleted)
        assert scene.posts[-1] is scene.table
        assert "### Deal 1" in scene.posts[-2].text
        assert "Deal 2, dealt by ⁨North⁩" in scene.table.text


async def test_the_showdown_is_where_the_hand_is(tmp_path: Path) -> None:
    """While the next deal has hardly begun, a hand has a button that shows how the last one ended, with its replay."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.ask(scene.north, "take")
        assert "Showdown" not in labels(hands(scene.north)[-1])
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.quiet()
        public = scene.posts[-2]
        for person in (scene.north, scene.south):
            shown = await scene.press(person, hands(person)[-1], "Showdown")
            assert shown.text == public.text
            assert len(shown.message.images) == 1
            assert labels(shown.message) == ["Replay", "Review", "Verify"]
        south = Person(PersonId(scene.south.id), scene.south.name)
        await scene.alive.app.people.change_preferences(south, lambda preferred: replace(preferred, pictures=False))
        assert (await scene.press(scene.south, hands(scene.south)[-1], "Showdown")).message.images == []


async def test_anyone_may_look_and_only_players_have_a_hand(tmp_path: Path) -> None:
    """A spectator sees score and rules privately; *My hand* tells them kindly that they do not play."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        for label, expected in (
            ("My hand", "You are not playing in ⁨North⁩ vs ⁨South⁩"),
            ("Score", "No deal is over yet"),
            ("Rules", "You may knock if your deadwood is **10** or less"),
        ):
            answer = await scene.press(scene.east, scene.table, label)
            assert expected in answer.text
            assert answer.message.ephemeral
        for command, expected in (
            ("score", "No deal is over"),
            ("rules", "Each player is dealt ten cards"),
            ("hand", "You are not playing"),
        ):
            assert expected in await scene.ask(scene.east, command)
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        elsewhere = await scene.ask(scene.south, "score", scene.south.dm)
        assert "+58 = 58" in elsewhere
        assert elsewhere.endswith(f"The match in <#{scene.channel.id}>")
        assert "The match in" not in await scene.ask(scene.south, "score")


async def test_games_lists_ones_matches(tmp_path: Path) -> None:
    """Without a match it says how to begin one; else each line names channel, opponent, turn and the way there."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        assert "Start one with `/gin challenge`" in await scene.ask(scene.east, "games")
        await scene.invite(scene.north, scene.east)
        assert "`/gin accept` shows it" in await scene.ask(scene.east, "games")
        told = await scene.ask(scene.north, "games", scene.north.dm)
        assert f"<#{scene.channel.id}> against ⁨South⁩: **your turn**, deal 1, dealt <t:" in told
        assert f"/{scene.channel.id}/{scene.table.id})" in told
        assert "waiting, deal 1, dealt" in await scene.ask(scene.south, "games")


async def test_my_games_lead_to_everything_else(tmp_path: Path) -> None:
    """*My games* and what is opened from there are messages of their own; in direct messages, what is a server's is not
    offered."""
    pages = {
        "Leaderboard": "### Leaderboard",
        "My profile": "You have not finished a match here yet.",
        "Past matches": "You have not finished a match on this server yet.",
        "Records": "records",
        "Preferences": "preferences",
    }
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        hand = (await scene.press(scene.south, scene.table, "My hand")).message
        games = (await scene.press(scene.south, hand, "My games")).message
        assert games is not hand
        assert games.ephemeral
        assert labels(games) == [*pages]
        for label, title in pages.items():
            shown = await scene.press(scene.south, games, label)
            assert shown.message is not games
            assert shown.message.ephemeral
            assert title in shown.text
        assert labels(games) == [*pages]
        chosen = await scene.choose(scene.south, games, "Go to a match …", "1")
        assert "Waiting for ⁨North⁩" in chosen.text
        alone = (await scene.use(scene.east, "gin games", scene.east.dm)).message
        assert labels(alone) == ["Past matches", "Preferences"]
        past = await scene.press(scene.east, alone, "Past matches")
        assert "You have not finished a match yet." in past.text


async def test_a_match_whose_channel_is_deleted_moves_elsewhere(tmp_path: Path) -> None:
    """The match goes on; hand and list say how to move it, and `/gin table` elsewhere on that server does."""
    world = World.default()
    users = [user for user in world.users.values() if user.display_name in ("North", "South")]
    world.add_channel(world.add_guild("Elsewhere", users), "away")
    async with at_table(tmp_path, KNOCK_AT_ONCE, world=world) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        assert "its channel was deleted" in await scene.ask(north, "games", corner)
        assert "This match's channel was deleted" in await scene.ask(north, "hand", corner)
        await scene.ask(north, "take", corner)
        for place in (north.dm, scene.sandbox.channel("away")):
            assert "another channel of the same server" in await scene.ask(north, "table", place)
        assert f"reposting the table in <#{corner.id}>" in await scene.ask(north, "table", corner)
        table = await scene.post("Score", corner)
        assert "⁨North⁩ took 2♦" in table.text
        assert "was deleted" not in await scene.ask(north, "hand", corner)


async def test_a_match_whose_thread_is_deleted_moves_too(tmp_path: Path) -> None:
    """A thread may go as a channel may: its match says so, and moves to where a player asks for the table."""
    async with clubhouse(tmp_path) as scene:
        thread = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south, thread), "Accept")
        await scene.post("Score", thread)
        scene.sandbox.moderation.delete_channel(thread)
        await scene.quiet()
        assert "its channel was deleted" in await scene.ask(scene.south, "games")
        assert f"reposting the table in <#{scene.channel.id}>" in await scene.ask(scene.south, "table")
        assert "⁨North⁩ vs ⁨South⁩" in (await scene.post("Score")).text


async def test_a_table_that_may_not_be_posted_says_what_is_missing(tmp_path: Path) -> None:
    """A permission goes amid a match: `/gin table` names it, the hand stays playable, and the table returns with it."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.SEND_MESSAGES))
        await scene.age(clock, timedelta(hours=2))
        assert "I am missing **Send Messages**" in await scene.ask(scene.south, "table")
        assert "You took 2♦." in await scene.ask(scene.north, "take")
        await scene.quiet()
        assert scene.sandbox.journal.refusals[50013]
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.age(clock, timedelta(hours=1))
        await scene.sandbox.until(lambda: "⁨North⁩ took 2♦" in scene.table.text and _tables(scene) == 1)


async def test_a_match_survives_that_the_bot_is_kicked_and_invited_again(tmp_path: Path) -> None:
    """GUILD_DELETE freezes the match, an outage does nothing, and a new invitation brings the match back."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.begin_outage(guild)
        scene.sandbox.moderation.end_outage(guild)
        await scene.ask(scene.north, "take")
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        await scene.alive.app.guilds.purge()
        clock.pass_by(timedelta(days=29))
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.quiet()
        clock.pass_by(timedelta(days=29))
        await scene.alive.app.guilds.purge()
        assert "You discarded Q♥." in await scene.ask(scene.north, "discard", card="Qh")
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        clock.pass_by(timedelta(days=31))
        await scene.alive.app.guilds.purge()
        assert "You have no running matches" in await scene.ask(scene.north, "games", scene.north.dm)


async def test_a_server_that_removed_the_bot_while_it_was_away_is_gone(tmp_path: Path) -> None:
    """A bot that learns it from the list of its servers alone forgets the server, and later removes its matches."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        guild, gateway = scene.channel.guild, scene.sandbox.gateway
        assert guild is not None
        scene.sandbox.faults.events(Drop(), on="GUILD_DELETE")
        scene.sandbox.moderation.remove_bot(guild)
        await gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: gateway.identifies == 2 and gateway.complete)
        await eventually(lambda: bool(scene.alive.client.connections.ready))
        await scene.quiet()
        assert scene.alive.client.get_guild(guild.id) is None
        clock.pass_by(timedelta(days=31))
        await scene.alive.app.guilds.purge()
        assert "You have no running matches" in await scene.ask(scene.north, "games", scene.north.dm)


async def test_the_table_is_gone_when_the_match_is_over(tmp_path: Path) -> None:
    """The last message is the score sheet; a button of the table that crossed it on its way is answered."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post("Rematch")
        await scene.sandbox.until(lambda: table.deleted)
        assert "⁨North⁩ wins the match by 205" in end.text
        assert "\nGame" in end.text
        assert "There is no match here" in await scene.ask(scene.north, "hand")
        assert "⁨North⁩ wins the match by 205" in await scene.ask(scene.south, "score")
        assert "There is no match here" in await scene.ask(scene.east, "score")


async def test_the_score_is_a_picture_in_the_look_of_who_asks(tmp_path: Path) -> None:
    """By command and by button it has the deals in its words; the end of the match has it as the server likes it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=150) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        await scene.post("Score")
        (plain,) = (await scene.use(scene.north, "gin score", scene.channel)).message.images
        (pressed,) = (await scene.press(scene.north, scene.table, "Score")).message.images
        assert plain.alt == "Score sheet, play to 150. 1 knock: N +58 = 58. Points: N 58, S 0. N leads by 58."
        assert pressed.content == plain.content
        await scene.alive.app.people.change_preferences(
            person_of(scene.north), lambda now: replace(now, appearance=Appearance(theme="dark"))
        )
        (dark,) = (await scene.use(scene.north, "gin score", scene.channel)).message.images
        assert dark.alt == plain.alt
        assert dark.content != plain.content
        await scene.alive.app.endings.resign(person_of(scene.south).id, MatchId(1), interaction())
        (end,) = (await scene.post("Rematch")).images
        assert str(end.alt).endswith("S resigned, N won.")


async def test_there_is_a_hand_only_with_a_match(tmp_path: Path) -> None:
    """Without a match each command about one says so and how to begin."""
    async with clubhouse(tmp_path) as scene:
        for command in ("hand", "table", "score", "draw", "resign"):
            assert "Start one with `/gin challenge`" in await scene.ask(scene.north, command)
