"""Looking at a match: the table, the hand, the score and the list of matches."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.appearance import Appearance
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.play.refusals import NoMatch, NotSeated
from bot.sandbox import MEMBER_DEFAULTS, Channel, Drop, Interaction, Permission, Person, member_overwrite
from cogs.actions import Action
from cogs.delivery.errors import UserError
from cogs.delivery.refusals import CHANNEL_DELETED, cannot_post_table
from cogs.showdowns import showdown_text as showdown
from cogs.tables import tables
from cogs.tables.table_panel import sheet_facts
from cogs.turns import hand_text
from cogs.words.rules import explained
from tests.cogs.scenes import Scene, buttons, hands, open_match_scene, open_scene, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls, moves_shown
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.table import interaction, prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world

MATCH = MatchId(1)


def _reposting(channel: Channel) -> str:
    """Return the answer which says that the table is posted again in a channel."""
    return tables.REPOSTING.format(place=f"<#{channel.id}>")


async def _list_line(scene: Scene, person: Person) -> str:
    """Return the line about the match in a person's list of matches."""
    return hand_text.turn_line(await scene.bot.app.lookup.hand(PersonId(person.id), MATCH))


async def _knock(scene: Scene) -> None:
    """Have North take the upcard and knock, which ends the first deal."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "knock", card="Qh")
    await scene.wait_until_idle()


async def test_the_table_has_all_public_facts(tmp_path: Path) -> None:
    """The table has a picture, and the turn and the score as text. *Last moves* has all facts as text.

    Neither has cards of either hand.
    """
    # This test compares the exact wording.
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        text, (image,) = scene.table.text, scene.table.images
        assert "**⁨North⁩** to take the **2♦** or pass; dealt <t:" in text
        assert "⁨North⁩ **0** – ⁨South⁩ **0**" in text
        assert "Stock" not in text
        assert "Stock: 31 cards face down" in str(image.alt)
        in_words = (await scene.press(scene.east, scene.table, Action.LAST_MOVES)).text
        assert "Stock **31** · top of the pile **2♦** · knock with 10 or less" in in_words
        assert "⁨North⁩ cut K♦ and ⁨South⁩ cut A♣; ⁨South⁩ has the lowest card and deals" in in_words
        assert not any(card in text + str(image.alt) + in_words for card in ("Q♥", "K♥", "10♠", "4♥"))
        assert [control.action for control in controls(scene.table)] == [
            Action.SHOW_HAND,
            Action.SHOW_SCORE,
            Action.SHOW_RULES,
            Action.LAST_MOVES,
            Action.LEAVE_MATCH,
        ]


@pytest.mark.thorough
async def test_moves_edit_the_table(tmp_path: Path) -> None:
    """Each move edits the table's message instead of posting another. *Last moves* shows the moves privately."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.sandbox.until(lambda: moves_shown(table) == 2)
        assert "Q♥" in str(table.images[0].alt)
        assert len(scene.tables) == 1
        last_moves = await scene.press(scene.east, table, Action.LAST_MOVES)
        assert last_moves.message.ephemeral
        last = last_moves.text.splitlines()[-1]
        assert "2♦" in last
        assert "Q♥" in last
        assert buttons(last_moves.message) == []


@pytest.mark.thorough
async def test_an_old_table_is_reposted(tmp_path: Path) -> None:
    """An hour after the last post, the next move posts the table again; `/gin table` does so immediately."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        first = scene.table
        await scene.advance(clock, timedelta(minutes=61))
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: first.deleted and len(scene.tables) == 1)
        second = scene.table
        assert await scene.ask(scene.east, "table") == _reposting(scene.channel)
        await scene.sandbox.until(lambda: second.deleted and len(scene.tables) == 1)
        assert await scene.ask(scene.north, "table", scene.north.dm) == _reposting(scene.channel)


@pytest.mark.nightly
async def test_a_deleted_table_is_reposted_once_a_minute(tmp_path: Path) -> None:
    """The next move reposts a deleted table; if it is deleted again, the bot waits a minute."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        await scene.advance(clock, timedelta(minutes=2))
        scene.sandbox.moderation.delete_message(scene.table)
        await scene.ask(scene.north, "take")
        back = await scene.wait_for_post(Action.SHOW_SCORE)
        await scene.wait_until_idle()
        scene.sandbox.moderation.delete_message(back)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals[10008] == 2
        assert len(scene.tables) == 0
        await scene.advance(clock, timedelta(minutes=1))
        assert moves_shown(await scene.wait_for_post(Action.SHOW_SCORE)) == 2


@pytest.mark.thorough
async def test_the_showdown_is_above_the_table_and_in_hands(tmp_path: Path) -> None:
    """The new table is posted below the showdown and the old one is deleted.

    Early in the next deal, a hand has a button that shows the details of the last showdown with its replay.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        before = scene.table
        assert Action.LAST_SHOWDOWN not in buttons(hands(scene.north)[-1])
        await _knock(scene)
        assert before.deleted
        assert scene.posts[-1] is scene.table
        summary = await scene.bot.app.lookup.summary(MATCH)
        assert showdown.title(summary.deals[0], summary.match) in scene.posts[-2].text
        assert moves_shown(scene.table) == moves_shown(await scene.next_deal(scene.south))
        assert summary.view.number == 2
        details = await scene.details(scene.posts[-2])
        await scene.next_deal(scene.north)
        for person in (scene.north, scene.south):
            shown = await scene.press(person, hands(person)[-1], Action.LAST_SHOWDOWN)
            assert shown.text == details.text
            assert len(shown.message.images) == 1
            assert buttons(shown.message) == [Action.REPLAY, Action.REVIEW, Action.VERIFY]
        await prefer(scene.bot.app, person_of(scene.south), pictures=False)
        assert (await scene.press(scene.south, hands(scene.south)[-1], Action.LAST_SHOWDOWN)).message.images == []


async def test_spectators_see_the_score_but_no_hand(tmp_path: Path) -> None:
    """A spectator can see the score and the rules privately, but is refused a hand."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        summary = await scene.bot.app.lookup.summary(MATCH)

        async def by_press(action: Action) -> Interaction:
            answer = await scene.press(scene.east, scene.table, action)
            assert answer.message.ephemeral
            return answer

        async def by_command(command: str) -> Interaction:
            return await scene.use(scene.east, command, scene.channel)

        for score in (await by_press(Action.SHOW_SCORE), await by_command("gin-stats score")):
            assert all(fact in score.text for fact in sheet_facts(summary))
        for rules in (await by_press(Action.SHOW_RULES), await by_command("gin rules")):
            assert explained(summary.match.rules) in rules.text
        for hand in (await by_press(Action.SHOW_HAND), await by_command("gin hand")):
            assert isinstance(scene.error(hand), NotSeated)


@pytest.mark.thorough
async def test_games_lists_own_matches(tmp_path: Path) -> None:
    """`/gin games` lists the person's matches with a link, or says how to begin one. Each player has their own list."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        assert await scene.ask(scene.east, "games") == tables.NO_MATCHES
        await scene.invite(scene.north, scene.east)
        assert await scene.ask(scene.east, "games") == tables.CHALLENGED
        reply = await scene.ask(scene.north, "games", scene.north.dm)
        assert await _list_line(scene, scene.north) in reply
        assert f"/{scene.channel.id}/{scene.table.id})" in reply
        waiting = await _list_line(scene, scene.south)
        assert waiting in await scene.ask(scene.south, "games")
        assert waiting not in reply


@pytest.mark.thorough
async def test_my_games_link_to_other_pages(tmp_path: Path) -> None:
    """*My games*, and each page opened from it, is a new message. In direct messages, server pages are not offered."""
    pages = [
        Action.LEADERBOARD,
        Action.PROFILE,
        Action.HISTORY,
        Action.SERVER_RECORDS,
        Action.OPEN_PREFERENCE,
    ]
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        hand = (await scene.press(scene.south, scene.table, Action.SHOW_HAND)).message
        games = (await scene.press(scene.south, hand, Action.GAMES)).message
        assert games is not hand
        assert games.ephemeral
        assert buttons(games) == pages
        opened = list[str]()
        for action in pages:
            shown = await scene.press(scene.south, games, action)
            assert shown.message is not games
            assert shown.message.ephemeral
            assert scene.error(shown) is None
            opened.append(shown.text)
        assert len({*opened}) == len(pages)
        assert buttons(games) == pages
        chosen = await scene.choose(scene.south, games, Action.SHOW_HAND, "1")
        assert Action.REFRESH_HAND in buttons(chosen.message)
        alone = (await scene.use(scene.east, "gin games", scene.east.dm)).message
        assert buttons(alone) == [Action.HISTORY, Action.OPEN_PREFERENCE]
        past = await scene.press(scene.east, alone, Action.HISTORY)
        assert past.text not in opened


@pytest.mark.thorough
async def test_a_match_moves_from_a_deleted_channel(tmp_path: Path) -> None:
    """If its channel is deleted, a match continues; `/gin table` in another channel of the server moves it there."""
    world = stopped_world()
    users = [user for user in world.users.values() if user.display_name in ("North", "South")]
    world.add_channel(world.add_guild("Elsewhere", users), "away")
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, world=world) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.wait_until_idle()
        assert tables.MOVED_BY_TABLE in await scene.ask(north, "games", corner)
        assert CHANNEL_DELETED in await scene.ask(north, "hand", corner)
        await scene.ask(north, "take", corner)
        for place in (north.dm, scene.sandbox.channel("away")):
            refused = scene.error(await scene.use(north, "gin table", place))
            assert isinstance(refused, UserError)
            assert refused.text == CHANNEL_DELETED
        assert await scene.ask(north, "table", corner) == _reposting(corner)
        table = await scene.wait_for_post(Action.SHOW_SCORE, corner)
        assert moves_shown(table) == 1
        assert CHANNEL_DELETED not in await scene.ask(north, "hand", corner)


@pytest.mark.thorough
async def test_a_match_moves_from_a_deleted_thread(tmp_path: Path) -> None:
    """If a match's thread is deleted, its texts say so, and `/gin table` in another channel moves the match there."""
    async with open_scene(tmp_path) as scene:
        thread = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south, thread), Action.ACCEPT)
        await scene.wait_for_post(Action.SHOW_SCORE, thread)
        scene.sandbox.moderation.delete_channel(thread)
        await scene.wait_until_idle()
        assert tables.MOVED_BY_TABLE in await scene.ask(scene.south, "games")
        assert await scene.ask(scene.south, "table") == _reposting(scene.channel)
        await scene.wait_for_post(Action.SHOW_SCORE)
        assert (await scene.match()).channel_id == scene.channel.id


@pytest.mark.thorough
async def test_a_table_names_missing_permissions(tmp_path: Path) -> None:
    """Without permission to post, `/gin table` names it and moves still work; with permission, the table is posted."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.SEND_MESSAGES))
        await scene.advance(clock, timedelta(hours=2))
        missing = cannot_post_table(scene.channel.id, ["Send Messages"])
        assert await scene.ask(scene.south, "table") == missing
        assert scene.error(await scene.use(scene.north, "gin take", scene.channel)) is None
        await scene.wait_until_idle()
        assert scene.sandbox.journal.refusals[50013]
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.advance(clock, timedelta(hours=1))
        await scene.sandbox.until(lambda: moves_shown(scene.table) == 1 and len(scene.tables) == 1)


@pytest.mark.thorough
async def test_a_match_survives_a_kick_and_a_new_invitation(tmp_path: Path) -> None:
    """A match survives a server outage, and 29 days without the bot on the server; after 31 days it is purged."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        guild = next(iter(scene.sandbox.world.guilds.values()))
        scene.sandbox.moderation.begin_outage(guild)
        scene.sandbox.moderation.end_outage(guild)
        await scene.ask(scene.north, "take")
        scene.sandbox.moderation.remove_bot(guild)
        await scene.wait_until_idle()
        await scene.bot.app.guilds.purge()
        clock.pass_by(timedelta(days=29))
        scene.sandbox.moderation.add_bot(guild, MEMBER_DEFAULTS)
        await scene.wait_until_idle()
        clock.pass_by(timedelta(days=29))
        await scene.bot.app.guilds.purge()
        assert scene.error(await scene.use(scene.north, "gin discard", scene.channel, card="Qh")) is None
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 2
        scene.sandbox.moderation.remove_bot(guild)
        await scene.wait_until_idle()
        clock.pass_by(timedelta(days=31))
        await scene.bot.app.guilds.purge()
        assert await scene.ask(scene.north, "games", scene.north.dm) == tables.NO_MATCHES


@pytest.mark.nightly
async def test_a_removal_while_offline_is_noticed(tmp_path: Path) -> None:
    """If the bot was removed from a server while offline, it notices this, and later purges the server's matches."""
    clock = Clock()
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, clock=clock) as scene:
        guild, gateway = scene.channel.guild, scene.sandbox.gateway
        assert guild is not None
        scene.sandbox.faults.events(Drop(), on="GUILD_DELETE")
        scene.sandbox.moderation.remove_bot(guild)
        await gateway.invalidate(resumable=False)
        await scene.sandbox.until(lambda: gateway.identifies == 2 and gateway.complete)
        await eventually(lambda: bool(scene.bot.client.connections.ready))
        await scene.wait_until_idle()
        assert scene.bot.client.get_guild(guild.id) is None
        clock.pass_by(timedelta(days=31))
        await scene.bot.app.guilds.purge()
        assert await scene.ask(scene.north, "games", scene.north.dm) == tables.NO_MATCHES


@pytest.mark.thorough
async def test_the_table_is_deleted_after_the_match(tmp_path: Path) -> None:
    """After a match, its table is deleted; the result says who won, and the players' score sheet has all deals."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.wait_for_post(Action.REMATCH)
        await scene.sandbox.until(lambda: table.deleted)
        summary = await scene.bot.app.lookup.summary(MATCH)
        assert (summary.match.status, summary.view.score.margin) == (MatchStatus.FINISHED, 205)
        await prefer(scene.bot.app, person_of(scene.south), pictures=False)
        pressed = await scene.press(scene.south, end, Action.SHOW_SCORE)
        asked = await scene.use(scene.south, "gin-stats score", scene.channel)
        for told in (pressed.text, asked.text):
            assert showdown.end_title(summary) in told
            assert all(fact in told for fact in sheet_facts(summary))
        assert showdown.end_title(summary) in end.text
        for person, command in ((scene.north, "gin hand"), (scene.east, "gin-stats score")):
            assert isinstance(scene.error(await scene.use(person, command, scene.channel)), NoMatch)


@pytest.mark.thorough
async def test_the_score_picture_uses_the_viewers_theme(tmp_path: Path) -> None:
    """`/gin-stats score` uses the viewer's theme and has the deals in the alt text; the result uses the server's theme.

    Outside the match's channel, the answer names the channel.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, target=150) as scene:
        await _knock(scene)
        (plain,) = (await scene.use(scene.north, "gin-stats score", scene.channel)).message.images
        (pressed,) = (await scene.press(scene.north, scene.table, Action.SHOW_SCORE)).message.images
        assert "+58 = 58" in str(plain.alt)
        assert pressed.content == plain.content
        elsewhere = (await scene.use(scene.south, "gin-stats score", scene.south.dm)).text
        assert elsewhere.endswith(f"<#{scene.channel.id}>")
        assert str(scene.channel.id) not in (await scene.use(scene.south, "gin-stats score", scene.channel)).text
        await prefer(scene.bot.app, person_of(scene.north), appearance=Appearance(theme="dark"))
        (dark,) = (await scene.use(scene.north, "gin-stats score", scene.channel)).message.images
        assert dark.alt == plain.alt
        assert dark.content != plain.content
        await scene.bot.app.endings.resign(person_of(scene.south).id, MATCH, interaction())
        (end,) = (await scene.wait_for_post(Action.REMATCH)).images
        assert end.alt not in (plain.alt, None)


async def test_commands_without_a_match_say_how_to_begin(tmp_path: Path) -> None:
    """Without a match, commands about a match say so, and how to begin one."""
    async with open_scene(tmp_path) as scene:
        for command in ("gin hand", "gin table", "gin-stats score", "gin draw", "gin resign"):
            assert isinstance(scene.error(await scene.use(scene.north, command, scene.channel)), NoMatch)
