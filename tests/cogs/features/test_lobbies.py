"""Lobbies in Discord: from a challenge for three or four to the first moves."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Message
from bot.values.clocks import NO_CLOCK_FOR
from tests.cogs.scenes import Scene, clubhouse, hands, labels
from tests.helpers.clock import Clock
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow


async def _opens(scene: Scene, rules: str, **named: object) -> Message:
    """Have North open a table; gives its message."""
    await scene.use(scene.north, "gin challenge", scene.channel, rules=rules, **named)
    return await scene.post("Join")


async def _lobby(scene: Scene) -> Message:
    """The newest message of a lobby, up to date."""
    await scene.quiet()
    return next(post for post in reversed(scene.posts) if "for several" in post.text or "challenge" in post.text)


async def test_three_play_in_rotation(tmp_path: Path) -> None:
    """One is named and one joins by themselves; then the challenger starts: two have hands, the dealer sits out."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        lobby = await _opens(scene, "rotation", opponent=scene.south)
        assert scene.south.pushes == [lobby]
        assert "**Kept for:** <@" in lobby.text
        assert "**Open to anyone:** 1 place" in lobby.text
        early = await scene.ask(scene.north, "lobby start")
        assert early == "Only you have joined, and it takes 3. Wait for more to join."
        joined = await scene.press(scene.south, lobby, "Join")
        assert "You are in. ⁨North⁩ starts the match." in joined.text
        assert labels(joined.message) == ["Leave", "My words …"]
        await scene.press(scene.east, lobby, "Join")
        lobby = await _lobby(scene)
        assert "**In:** ⁨North⁩, ⁨South⁩ and ⁨East⁩" in scene.named(lobby.text)
        assert labels(lobby) == ["Leave", "Start", "Withdraw", "Rules"]
        started = await scene.press(scene.north, lobby, "Start")
        assert "The match is on in" in started.text
        await scene.quiet()
        assert "play. The match is on!" in (await _lobby(scene)).text
        assert "### ⁨North⁩ vs ⁨South⁩ vs ⁨East⁩" in scene.table.text
        assert "and the lowest card deals: ⁨South⁩, who sits out · **rotation** rules to 100" in scene.table.text
        (out,) = scene.south.direct_messages()
        assert "⁨East⁩ and ⁨North⁩ play" in out.text
        assert "You sit this deal out. Waiting for ⁨East⁩" in out.text
        refused = await scene.ask(scene.south, "draw")
        assert "This deal goes on without you, and you play again in the next. It is ⁨East⁩'s turn." in refused
        assert labels(out) == ["Refresh", "My games"]
        assert out.images == []
        assert "It is ⁨East⁩'s turn" in await scene.ask(scene.south, "take")
        await scene.press(scene.east, await scene.turn(scene.east), "Take 2♦")
        await scene.ask(scene.east, "knock", card="Qh")
        await scene.quiet()
        assert "⁨North⁩ **0** – ⁨South⁩ **0** – ⁨East⁩ **58**" in scene.table.text
        assert "Deal 2, dealt by ⁨East⁩, who sits out" in scene.table.text
        await scene.quiet()
        assert "Your hand against ⁨South⁩" in (await scene.turn(scene.north)).text


async def test_four_are_partners_on_two_boards(tmp_path: Path) -> None:
    """All join by button, the teams change, and each board has its table, its hands, and moves of its own."""
    async with clubhouse(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "partners")
        for person in (south, east, west):
            await scene.press(person, lobby, "Join")
        lobby = await _lobby(scene)
        assert "**Teams:** ⁨North⁩ and ⁨East⁩ against ⁨South⁩ and ⁨West⁩" in scene.named(lobby.text)
        changed = await scene.press(north, lobby, "Change teams")
        assert changed.text == "The teams are now ⁨North⁩ and ⁨South⁩ against ⁨East⁩ and ⁨West⁩."
        assert "⁨North⁩ and ⁨West⁩ against ⁨South⁩ and ⁨East⁩" in await scene.ask(north, "lobby teams")
        assert "⁨North⁩ and ⁨East⁩ against" in await scene.ask(north, "lobby teams")
        await scene.press(north, await _lobby(scene), "Start")
        await scene.quiet()
        tables = [post for post in scene.posts if "Score" in labels(post)]
        assert [table.text.splitlines()[0] for table in tables] == [
            f"### ⁨North⁩ and ⁨East⁩ vs ⁨South⁩ and ⁨West⁩ · board {board}" for board in (1, 2)
        ]
        against = {north: "South", south: "North", east: "West", west: "East"}
        for person, opponent in against.items():
            (hand,) = hands(person)
            assert f"Your hand against ⁨{opponent}⁩" in hand.text
            assert len(hand.images) == 1
        movers = [person for person in against if "**Your turn:**" in hands(person)[0].text]
        assert len(movers) == 2
        for mover, table in zip(movers, tables, strict=True):
            await scene.ask(mover, "take")
            await scene.quiet()
            assert f"**⁨{mover.name}⁩** to discard" in table.text
        first, second = movers
        await scene.ask(first, "knock", card="Qh")
        await scene.quiet()
        ended = next(post for post in scene.posts if post.text.startswith("### Deal 1, board 1"))
        assert "A round counts once both of its boards are over." in ended.text
        assert "Your board is over. The round ends once the other board is over too." in await scene.ask(first, "hand")
        assert "You will hear from me when the next round starts" in await scene.ask(first, "draw")
        await scene.ask(second, "knock", card="Qh")
        await scene.quiet()
        assert [post.text.splitlines()[0].rpartition(" · ")[2] for post in scene.posts[-2:]] == ["board 1", "board 2"]
        assert all("Deal 2, board" in post.text for post in scene.posts[-2:])


async def test_a_place_at_a_table_is_kept_declined_left_and_taken(tmp_path: Path) -> None:
    """By name in the challenge and later; declined or left it is open to anyone; who is named later is called."""
    async with clubhouse(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "penalty", opponent=south, second=east)
        assert south.pushes == east.pushes == [lobby]
        assert "You declined ⁨North⁩'s challenge." in (await scene.press(south, lobby, "Decline")).text
        assert "You are in" in await scene.ask(east, "accept")
        assert "I am keeping a place for <@" in await scene.ask(north, "lobby invite", player=west)
        await scene.sandbox.until(lambda: west.pushes)
        former, lobby = lobby, await _lobby(scene)
        assert former.deleted
        assert west.pushes == [lobby]
        assert "**In:** ⁨North⁩ and ⁨East⁩" in scene.named(lobby.text)
        assert "**Open to anyone:** 1 place" in lobby.text
        assert "You left ⁨North⁩'s challenge." in (await scene.press(east, lobby, "Leave")).text
        assert "You have not joined a table that is still open" in await scene.ask(east, "lobby leave")
        assert "You are in" in (await scene.press(west, await _lobby(scene), "Join")).text
        assert "You have already joined" in (await scene.press(west, await _lobby(scene), "Join")).text
        assert "You left" in await scene.ask(west, "lobby leave")
        chosen = (await scene.press(east, await _lobby(scene), "No direct messages")).message
        assert "You are in" in (await scene.press(east, chosen, "Join")).text
        assert "The match is on" in await scene.ask(north, "lobby start")
        await scene.quiet()
        assert "### ⁨North⁩ vs ⁨East⁩" in scene.table.text
        assert "⁨North⁩ **0** – ⁨East⁩ **0** penalty points" in scene.table.text
        assert (len(hands(north)), len(hands(east))) == (1, 0)


async def test_the_challenger_is_called_once_the_match_can_start(tmp_path: Path) -> None:
    """Once everyone is in, a new post notifies the challenger, though not for somebody who joins again and again."""
    async with clubhouse(tmp_path) as scene:
        north, south, east = scene.north, scene.south, scene.east
        lobby = await _opens(scene, "rotation", opponent=south, second=east)
        await scene.press(south, lobby, "Join")
        await scene.quiet()
        assert north.pushes == []
        for times in (1, 2, 2):
            await scene.press(east, await _lobby(scene), "Join")
            full = await _lobby(scene)
            assert "Everyone is in. ⁨North⁩ can start it now" in scene.named(full.text)
            assert len(north.pushes) == times
            assert "You left" in (await scene.press(east, full, "Leave")).text
        assert north.pushes[0].deleted
        assert len(south.pushes) == len(east.pushes) == 1


async def test_a_table_is_the_challengers_own(tmp_path: Path) -> None:
    """Others may neither start nor change it, and are told what they can do."""
    async with clubhouse(tmp_path) as scene:
        north, south, east, west = scene.north, scene.south, scene.east, scene.west
        lobby = await _opens(scene, "rotation")
        assert "This is your own table" in (await scene.press(north, lobby, "Join")).text
        assert "`/gin withdraw` closes it" in await scene.ask(north, "lobby leave")
        assert "These rules have no teams" in await scene.ask(north, "lobby teams")
        for person in (south, east):
            await scene.press(person, lobby, "Join")
        lobby = await _lobby(scene)
        for person, label in ((west, "Leave"), (south, "Start"), (south, "Withdraw")):
            told = scene.named((await scene.press(person, lobby, label)).text)
            assert "This is ⁨North⁩'s table" in told
            assert "only ⁨North⁩ can start, change or withdraw it" in told
        assert "This is your own table" in (await scene.press(north, lobby, "Leave")).text
        assert "These rules have no teams" in await scene.ask(north, "lobby teams")
        assert "Your table has no free place" in await scene.ask(north, "lobby invite", player=west)
        assert "Whoever you name has already joined" in await scene.ask(north, "lobby invite", player=south)
        assert "cannot play against yourself" in await scene.ask(north, "lobby invite", player=north)
        for command in ("lobby start", "lobby teams"):
            assert "only whoever opened one can do that" in await scene.ask(west, command)
        assert "only whoever opened one can do that" in await scene.ask(west, "lobby invite", player=south)
        assert "You have not joined a table" in await scene.ask(west, "lobby leave")
        assert "You withdrew your challenge to <@" in await scene.ask(north, "withdraw")
        assert "withdrew it" in (await _lobby(scene)).text
        assert "That challenge was withdrawn" in (await scene.press(south, lobby, "gin:1:0:start", late=True)).text


async def test_of_two_who_take_the_last_place_one_gets_it(tmp_path: Path) -> None:
    """Two join at once: one is in, the other reads that no place is left."""
    async with clubhouse(tmp_path) as scene:
        lobby = await _opens(scene, "rotation", opponent=scene.south)
        await scene.press(scene.south, lobby, "Join")
        components = [await person.press(lobby, "Join") for person in (scene.east, scene.west)]
        told = [press.text for press in await asyncio.gather(*(press.done() for press in components))]
        assert sum("You are in." in text for text in told) == 1
        assert sum("⁨North⁩'s challenge has no place left" in text for text in told) == 1
        assert "**Open to anyone:**" not in (await _lobby(scene)).text


async def test_more_may_not_be_named_than_there_are_places(tmp_path: Path) -> None:
    """Rules for two take one name, rules for three two; the answer says so, and nothing goes out."""
    async with clubhouse(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        told = await scene.ask(scene.north, "challenge", players=3)
        assert "are for 2 players, not for 3. For 3, choose **penalty**, **rotation**" in told
        for rules, told in (("classic", "for you and one opponent"), ("rotation", "for you and up to 2 others")):
            assert told in await scene.ask(scene.north, "challenge", None, **named, rules=rules)
        await scene.quiet()
        assert scene.posts == []


async def test_a_table_in_a_busy_channel_starts_in_a_thread(tmp_path: Path) -> None:
    """A channel holds one match: the second table of a channel is played in a thread on its message."""
    async with clubhouse(tmp_path) as scene:
        told: list[str] = []
        for _ in range(2):
            before = scene.posts
            await scene.use(scene.north, "gin challenge", scene.channel, rules="penalty")
            lobby = await scene.post("Join", but=before)
            await scene.press(scene.south, lobby, "Join")
            told.append((await scene.press(scene.north, await _lobby(scene), "Start")).text)
            await scene.quiet()
        thread = scene.sandbox.channel("North vs South, match 2")
        assert f"The match is on in <#{thread.id}>" in told[-1]
        assert "### ⁨North⁩ vs ⁨South⁩" in next(iter(scene.posts_in(thread))).text


async def _three_sit_down(scene: Scene) -> None:
    lobby = await _opens(scene, "rotation")
    for person in (scene.south, scene.east):
        await scene.press(person, lobby, "Join")
    await scene.press(scene.north, await _lobby(scene), "Start")
    await scene.quiet()


async def test_someone_who_resigns_among_three_ends_the_match(tmp_path: Path) -> None:
    """It is asked once more with what it means; the others read that there is no result for them."""
    async with clubhouse(tmp_path) as scene:
        await _three_sit_down(scene)
        asked = await scene.use(scene.south, "gin resign", scene.channel)
        assert "You lose, and the others have no result." in asked.text
        await scene.press(scene.south, asked.message, "Resign")
        end = await scene.post("Rematch")
        await scene.quiet()
        assert "⁨South⁩ resigned: the match ends without a winner" in end.text
        assert "There is no result for you" in scene.north.direct_messages()[-1].text
        for person, told in (
            (scene.south, "if everyone agrees"),
            (scene.north, "if everyone agrees"),
            (scene.east, "is on!"),
        ):
            assert told in (await scene.press(person, end, "Rematch")).text


async def test_three_call_a_match_off_together(tmp_path: Path) -> None:
    """It takes all of them, and each is told so."""
    async with clubhouse(tmp_path) as scene:
        await _three_sit_down(scene)
        for person in (scene.north, scene.south, scene.east):
            panel = (await scene.use(person, "gin resign", scene.channel)).message
            told = (await scene.press(person, panel, "Call off")).text
            assert ("was called off" if person is scene.east else "It ends once everyone agrees") in told


async def test_three_pause_a_match_and_continue_together(tmp_path: Path) -> None:
    """Both take all of them; whoever has agreed can take that back, and the last one's answer leads to the thread."""
    async with clubhouse(tmp_path) as scene:
        await _three_sit_down(scene)
        north, south, east = scene.north, scene.south, scene.east
        for person in (north, south, east):
            panel = (await scene.use(person, "gin resign", scene.channel)).message
            told = (await scene.press(person, panel, "Pause")).text
            assert ("The match is paused" if person is east else "It pauses once everyone agrees.") in told
        await scene.quiet()
        table = scene.table
        for person in (north, south):
            asked = await scene.press(person, table, "Continue")
            assert "It goes on once everyone agrees." in asked.text
        assert "You and ⁨North⁩ would like to go on with the match." in asked.text
        await scene.press(south, asked.message, "Withdraw the offer")
        await scene.quiet()
        assert "⁨North⁩ would like to go on with the match." in table.text
        await scene.press(south, table, "Continue")
        going_on = await scene.press(east, table, "Continue")
        thread = next(one for one in east.channels() if one.thread is not None)
        assert f"The match goes on in <#{thread.id}>." in going_on.text
        await scene.quiet()
        assert [labels(one)[0] for one in scene.posts_in(thread)] == ["My hand"]


async def test_a_silent_one_of_three_can_be_left(tmp_path: Path) -> None:
    """After a week without a move their seat is claimed; those who end the match have no result."""
    clock = Clock()
    async with clubhouse(tmp_path, clock=clock) as scene:
        await _three_sit_down(scene)
        await scene.later(clock, NO_CLOCK_FOR)
        panel = (await scene.use(scene.south, "gin resign", scene.channel)).message
        asked = await scene.press(scene.south, panel, "Claim the seat")
        assert "⁨East⁩ lost on time" in asked.text
        told = (await scene.press(scene.south, asked.message, "End the match")).text
        assert "There is no result for you in your match against ⁨North⁩ and ⁨East⁩. ⁨East⁩ lost on time." in told
        assert "⁨East⁩ lost on time: the match ends without a winner" in (await scene.post("Rematch")).text


async def test_computers_take_places_at_a_table(tmp_path: Path) -> None:
    """The challenger adds them by a menu or a command; they play at the table, and everybody sees their moves."""
    async with clubhouse(tmp_path) as scene:
        lobby = await _opens(scene, "rotation")
        refused = await scene.press(scene.south, lobby, "Computers")
        assert "only <@" in refused.text
        asked = await scene.press(scene.north, lobby, "Computers")
        assert "0 computers in, 2 places free. With a computer, the match would be casual" in asked.text
        (menu,) = asked.message.selects
        await scene.choose(scene.north, asked.message, menu.custom_id, "novice")
        assert (
            "1 computer in, 1 place free. The match is casual: it does not count in the standings."
            in asked.message.text
        )
        added = await scene.ask(scene.north, "lobby computer", level="expert")
        assert "2 computers in, no place is free" in added
        lobby = await _lobby(scene)
        assert "**In:** ⁨North⁩, Computer 1 and Computer 2" in scene.named(lobby.text)
        assert "The match is casual" in lobby.text
        assert labels(lobby) == ["Start", "Computers", "Withdraw", "Rules"]
        await scene.press(scene.north, lobby, "Start")
        await scene.quiet()
        assert "### ⁨North⁩ vs ⁨Computer 1⁩ vs ⁨Computer 2⁩" in scene.table.text
        assert any(f"**⁨{name}⁩**" in scene.table.text for name in ("North", "Computer 1", "Computer 2"))


async def test_the_owner_of_a_full_table_reads_what_to_do(tmp_path: Path) -> None:
    """Whom places are kept for, and whether *Start* can begin without them; with everyone in, that it can."""
    async with clubhouse(tmp_path) as scene:

        async def refused(lobby: Message) -> tuple[str, bool]:
            told = scene.named(await scene.ask(scene.north, "lobby computer"))
            await scene.quiet()
            return told, "Start" in labels(lobby)

        kept = "The places left at your table are kept for ⁨South⁩ and ⁨East⁩, so none is free for anyone else. "
        lobby = await _opens(scene, "rotation", opponent=scene.south, second=scene.east)
        wait = "A place is free again once somebody declines it; `/gin withdraw` closes the table."
        assert await refused(lobby) == (kept + wait, False)
        assert scene.named(await scene.ask(scene.north, "lobby invite", player=scene.west)) == kept + wait
        for person in (scene.south, scene.east):
            await scene.press(person, lobby, "Join")
        lobby = await _lobby(scene)
        assert await refused(lobby) == ("Your table has no free place. *Start* begins the match.", True)
        await scene.press(scene.north, lobby, "Withdraw")
        lobby = await _opens(scene, "penalty", opponent=scene.south, second=scene.east)
        await scene.press(scene.west, lobby, "Join")
        assert await refused(await _lobby(scene)) == (f"{kept}*Start* begins the match without them.", True)


async def test_a_challenge_says_that_it_is_casual(tmp_path: Path) -> None:
    """So does the score sheet in the end."""
    async with clubhouse(tmp_path, *[GIN_AT_ONCE] * 3) as scene:
        challenge = await scene.invite(scene.north, scene.south, casual=True, target=10)
        assert "The match is casual: it does not count in the standings." in challenge.text
        await scene.press(scene.south, challenge, "Accept")
        await scene.ask(scene.north, "take")
        assert "casual" in (await scene.use(scene.north, "gin resign", scene.channel)).text
        await scene.ask(scene.north, "gin")
        assert "Casual · " in (await scene.post("Rematch")).text
