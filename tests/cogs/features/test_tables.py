"""Looking at a match: the table, the hand, the score and the list of matches."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from bot.play.refusals import NoMatch, NotSeated
from bot.sandbox import MEMBER_DEFAULTS, Channel, Drop, Interaction, Permission, Person, member_overwrite
from bot.values.appearance import Appearance
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus
from cogs.features import tables
from cogs.kit.actions import Action
from cogs.panels.match import sheet_facts
from cogs.support.errors import UserError
from cogs.text import hand as hand_text
from cogs.text import refusals, showdown
from cogs.text.rules import explained
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, hands, person_of
from tests.helpers.clock import Clock
from tests.helpers.components import controls, moves_shown
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.table import interaction, prefer
from tests.helpers.waiting import eventually
from tests.helpers.worlds import stopped_world

MATCH = MatchId(1)


def _reposting(channel: Channel) -> str:
    """Return the answer that the table is posted again in a channel."""
    return tables.REPOSTING.format(place=f"<#{channel.id}>")


async def _line_of(scene: Scene, person: Person) -> str:
    """Return the line about the match in a person's list of matches."""
    return hand_text.turn_line(await scene.alive.app.lookup.hand(PersonId(person.id), MATCH))


async def _knock(scene: Scene) -> None:
    """Have North take the upcard and knock, which ends the first deal."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "knock", card="Qh")
    await scene.quiet()


async def test_the_table_tells_everything_that_everyone_may_know(tmp_path: Path) -> None:
    """The table has a picture, the same facts as text, the turn and the cut, but no card of a hand."""
    # The texts of this feature.
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        text, (image,) = scene.table.text, scene.table.images
        assert "**⁨North⁩** to take the **2♦** or pass; dealt <t:" in text
        assert "⁨North⁩ **0** – ⁨South⁩ **0**" in text
        assert "Stock **31** · top of the pile **2♦** · knock with 10 or less" in text
        assert "the cut was ⁨North⁩ K♦ and ⁨South⁩ A♣, and the lower card deals: ⁨South⁩" in text
        assert "Stock: 31 cards face down" in str(image.alt)
        assert not any(card in text + str(image.alt) for card in ("Q♥", "K♥", "10♠", "4♥"))
        assert [one.action for one in controls(scene.table)] == [
            Action.SHOW_HAND,
            Action.SHOW_SCORE,
            Action.SHOW_RULES,
            Action.LAST_MOVES,
            Action.LEAVE_MATCH,
        ]


@pytest.mark.thorough
async def test_the_table_is_one_message_brought_up_to_date(tmp_path: Path) -> None:
    """Moves edit the existing message; there is never a second table. *Last moves* shows them privately."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.sandbox.until(lambda: moves_shown(table) == 2)
        assert "Q♥" in table.text
        assert len(scene.tables) == 1
        told = await scene.press(scene.east, table, Action.LAST_MOVES)
        assert told.message.ephemeral
        last = told.text.splitlines()[-1]
        assert "2♦" in last
        assert "Q♥" in last
        assert buttons(told.message) == []


@pytest.mark.thorough
async def test_an_old_table_is_posted_afresh(tmp_path: Path) -> None:
    """An hour after the last post, the next move posts the table again; `/gin table` does so immediately."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        first = scene.table
        await scene.age(clock, timedelta(minutes=61))
        await scene.ask(scene.north, "take")
        await scene.sandbox.until(lambda: first.deleted and len(scene.tables) == 1)
        second = scene.table
        assert await scene.ask(scene.east, "table") == _reposting(scene.channel)
        await scene.sandbox.until(lambda: second.deleted and len(scene.tables) == 1)
        assert await scene.ask(scene.north, "table", scene.north.dm) == _reposting(scene.channel)


@pytest.mark.nightly
async def test_a_deleted_table_comes_back_at_most_once_a_minute(tmp_path: Path) -> None:
    """The next move reposts a deleted table; if it is deleted again, the bot waits a minute."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        await scene.age(clock, timedelta(minutes=2))
        scene.sandbox.moderation.delete_message(scene.table)
        await scene.ask(scene.north, "take")
        back = await scene.post(Action.SHOW_SCORE)
        await scene.quiet()
        scene.sandbox.moderation.delete_message(back)
        await scene.ask(scene.north, "discard", card="Qh")
        await scene.quiet()
        assert scene.sandbox.journal.refusals[10008] == 2
        assert len(scene.tables) == 0
        await scene.age(clock, timedelta(minutes=1))
        assert moves_shown(await scene.post(Action.SHOW_SCORE)) == 2


@pytest.mark.thorough
async def test_the_showdown_is_above_the_table_and_where_the_hand_is(tmp_path: Path) -> None:
    """The new table is posted below the showdown and the old one is deleted.

    Early in the next deal, a hand has a button that shows the last showdown with its replay.
    """
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        before = scene.table
        assert Action.LAST_SHOWDOWN not in buttons(hands(scene.north)[-1])
        await _knock(scene)
        assert before.deleted
        assert scene.posts[-1] is scene.table
        summary = await scene.alive.app.lookup.summary(MATCH)
        assert showdown.title(summary.deals[0], summary.match) in scene.posts[-2].text
        assert moves_shown(scene.table) == moves_shown(await scene.turn(scene.south))
        assert summary.view.number == 2
        public = scene.posts[-2]
        for person in (scene.north, scene.south):
            shown = await scene.press(person, hands(person)[-1], Action.LAST_SHOWDOWN)
            assert shown.text == public.text
            assert len(shown.message.images) == 1
            assert buttons(shown.message) == [Action.REPLAY, Action.REVIEW, Action.VERIFY]
        await prefer(scene.alive.app, person_of(scene.south), pictures=False)
        assert (await scene.press(scene.south, hands(scene.south)[-1], Action.LAST_SHOWDOWN)).message.images == []


async def test_anyone_may_look_and_only_players_have_a_hand(tmp_path: Path) -> None:
    """A spectator can see the score and the rules privately, but *My hand* is refused."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        summary = await scene.alive.app.lookup.summary(MATCH)

        async def by_press(action: Action) -> Interaction:
            answer = await scene.press(scene.east, scene.table, action)
            assert answer.message.ephemeral
            return answer

        async def by_command(command: str) -> Interaction:
            return await scene.use(scene.east, f"gin {command}", scene.channel)

        for score in (await by_press(Action.SHOW_SCORE), await by_command("score")):
            assert all(fact in score.text for fact in sheet_facts(summary))
        for rules in (await by_press(Action.SHOW_RULES), await by_command("rules")):
            assert explained(summary.match.rules) in rules.text
        for hand in (await by_press(Action.SHOW_HAND), await by_command("hand")):
            assert isinstance(scene.error(hand), NotSeated)


@pytest.mark.thorough
async def test_games_lists_ones_matches(tmp_path: Path) -> None:
    """Without a match it says how to begin one; otherwise each line has the opponent, the turn and a link."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        assert await scene.ask(scene.east, "games") == tables.NO_MATCHES
        await scene.invite(scene.north, scene.east)
        assert await scene.ask(scene.east, "games") == tables.CHALLENGED
        told = await scene.ask(scene.north, "games", scene.north.dm)
        assert await _line_of(scene, scene.north) in told
        assert f"/{scene.channel.id}/{scene.table.id})" in told
        waiting = await _line_of(scene, scene.south)
        assert waiting in await scene.ask(scene.south, "games")
        assert waiting not in told


@pytest.mark.thorough
async def test_my_games_lead_to_everything_else(tmp_path: Path) -> None:
    """*My games*, and each page opened from it, is a new message. Direct messages offer no server pages."""
    pages = [
        Action.LEADERBOARD,
        Action.PROFILE,
        Action.HISTORY,
        Action.SERVER_RECORDS,
        Action.OPEN_PREFERENCE,
    ]
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
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
async def test_a_match_whose_channel_is_deleted_moves_elsewhere(tmp_path: Path) -> None:
    """The match continues; hand and list say how to move it, and `/gin table` in another channel moves it there."""
    world = stopped_world()
    users = [user for user in world.users.values() if user.display_name in ("North", "South")]
    world.add_channel(world.add_guild("Elsewhere", users), "away")
    async with at_table(tmp_path, KNOCK_AT_ONCE, world=world) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        scene.sandbox.moderation.delete_channel(scene.channel)
        await scene.quiet()
        assert tables.MOVED_BY_TABLE in await scene.ask(north, "games", corner)
        assert refusals.CHANNEL_DELETED in await scene.ask(north, "hand", corner)
        await scene.ask(north, "take", corner)
        for place in (north.dm, scene.sandbox.channel("away")):
            refused = scene.error(await scene.use(north, "gin table", place))
            assert isinstance(refused, UserError)
            assert refused.text == refusals.CHANNEL_DELETED
        assert await scene.ask(north, "table", corner) == _reposting(corner)
        table = await scene.post(Action.SHOW_SCORE, corner)
        assert moves_shown(table) == 1
        assert refusals.CHANNEL_DELETED not in await scene.ask(north, "hand", corner)


@pytest.mark.nightly
async def test_a_match_whose_thread_is_deleted_moves_too(tmp_path: Path) -> None:
    """If its thread is deleted, the match says so, and `/gin table` in another channel moves it there."""
    async with clubhouse(tmp_path) as scene:
        thread = scene.sandbox.moderation.create_thread(scene.channel, "evening", scene.north.user)
        await scene.press(scene.south, await scene.invite(scene.north, scene.south, thread), Action.ACCEPT)
        await scene.post(Action.SHOW_SCORE, thread)
        scene.sandbox.moderation.delete_channel(thread)
        await scene.quiet()
        assert tables.MOVED_BY_TABLE in await scene.ask(scene.south, "games")
        assert await scene.ask(scene.south, "table") == _reposting(scene.channel)
        await scene.post(Action.SHOW_SCORE)
        assert (await scene.match()).channel_id == scene.channel.id


@pytest.mark.thorough
async def test_a_table_that_may_not_be_posted_says_what_is_missing(tmp_path: Path) -> None:
    """If the bot may not write, `/gin table` says so and the hand can be played; later the table is posted again."""
    clock = Clock()
    async with at_table(tmp_path, KNOCK_AT_ONCE, clock=clock) as scene:
        bot = scene.sandbox.world.bot
        scene.sandbox.moderation.set_overwrites(scene.channel, member_overwrite(bot, deny=Permission.SEND_MESSAGES))
        await scene.age(clock, timedelta(hours=2))
        missing = refusals.missing_permissions(scene.channel.id, ["Send Messages"])
        assert await scene.ask(scene.south, "table") == missing
        assert scene.error(await scene.use(scene.north, "gin take", scene.channel)) is None
        await scene.quiet()
        assert scene.sandbox.journal.refusals[50013]
        scene.sandbox.moderation.set_overwrites(scene.channel)
        await scene.age(clock, timedelta(hours=1))
        await scene.sandbox.until(lambda: moves_shown(scene.table) == 1 and len(scene.tables) == 1)


@pytest.mark.nightly
async def test_a_match_survives_that_the_bot_is_kicked_and_invited_again(tmp_path: Path) -> None:
    """After a kick the match is frozen, an outage changes nothing, and a new invitation resumes the match."""
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
        assert scene.error(await scene.use(scene.north, "gin discard", scene.channel, card="Qh")) is None
        await scene.quiet()
        assert moves_shown(scene.table) == 2
        scene.sandbox.moderation.remove_bot(guild)
        await scene.quiet()
        clock.pass_by(timedelta(days=31))
        await scene.alive.app.guilds.purge()
        assert await scene.ask(scene.north, "games", scene.north.dm) == tables.NO_MATCHES


@pytest.mark.nightly
async def test_a_server_that_removed_the_bot_while_it_was_away_is_gone(tmp_path: Path) -> None:
    """If the bot was removed while offline, it forgets the server and later purges its matches."""
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
        assert await scene.ask(scene.north, "games", scene.north.dm) == tables.NO_MATCHES


@pytest.mark.thorough
async def test_the_table_is_gone_when_the_match_is_over(tmp_path: Path) -> None:
    """The last message is the result; a late press on a button of the table is answered."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        table = scene.table
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post(Action.REMATCH)
        await scene.sandbox.until(lambda: table.deleted)
        summary = await scene.alive.app.lookup.summary(MATCH)
        assert (summary.match.status, summary.view.score.margin) == (MatchStatus.FINISHED, 205)
        for told in (end.text, await scene.ask(scene.south, "score")):
            assert showdown.end_title(summary) in told
            assert all(fact in told for fact in sheet_facts(summary))
        for person, command in ((scene.north, "hand"), (scene.east, "score")):
            assert isinstance(scene.error(await scene.use(person, f"gin {command}", scene.channel)), NoMatch)


@pytest.mark.thorough
async def test_the_score_is_a_picture_in_the_look_of_who_asks(tmp_path: Path) -> None:
    """The answer uses the person's theme, with the deals in the alt text; the result uses the server's theme.

    Outside the match's channel, the answer names the channel.
    """
    async with at_table(tmp_path, KNOCK_AT_ONCE, target=150) as scene:
        await _knock(scene)
        (plain,) = (await scene.use(scene.north, "gin score", scene.channel)).message.images
        (pressed,) = (await scene.press(scene.north, scene.table, Action.SHOW_SCORE)).message.images
        assert "+58 = 58" in str(plain.alt)
        assert pressed.content == plain.content
        elsewhere = await scene.ask(scene.south, "score", scene.south.dm)
        assert elsewhere.endswith(f"<#{scene.channel.id}>")
        assert str(scene.channel.id) not in await scene.ask(scene.south, "score")
        await prefer(scene.alive.app, person_of(scene.north), appearance=Appearance(theme="dark"))
        (dark,) = (await scene.use(scene.north, "gin score", scene.channel)).message.images
        assert dark.alt == plain.alt
        assert dark.content != plain.content
        await scene.alive.app.endings.resign(person_of(scene.south).id, MATCH, interaction())
        (end,) = (await scene.post(Action.REMATCH)).images
        assert end.alt not in (plain.alt, None)


async def test_there_is_a_hand_only_with_a_match(tmp_path: Path) -> None:
    """Without a match, each command about one says so and how to begin."""
    async with clubhouse(tmp_path) as scene:
        for command in ("hand", "table", "score", "draw", "resign"):
            assert isinstance(scene.error(await scene.use(scene.north, f"gin {command}", scene.channel)), NoMatch)
