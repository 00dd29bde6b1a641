"""The showdown of a deal where its players look: in direct messages, private answers and practice."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bot.model.ids import ChannelId, MatchId, PersonId
from bot.sandbox import Message, Person
from cogs.actions import Action
from cogs.showdowns.showdown_text import title
from cogs.turns.hand_text import YOUR_HAND
from tests.cogs.scenes import Scene, buttons, hands, open_match_scene, open_scene, person_of
from tests.engine.decks import deck_of
from tests.helpers.components import MOVES, find_button
from tests.helpers.databases import new_database, share_compiled_sql, without_fsync
from tests.helpers.forgery import click
from tests.helpers.living import bot_on, sandbox_of
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, Deck, RiggedShuffler
from tests.helpers.table import Players, prefer
from tests.helpers.thinkers import use_local_thinker

MATCH: Final = MatchId(1)

IMMEDIATE_GIN_FOR_THREE: Final = deck_of(
    "Ac 2c 3c 4d 5d 6d Qh", "2h 4h 6h 8h Th 2s 4s", "3h 5h 7h 9h 6s 8s Ts", upcard="7d"
)
"""Deck for three at one table: the first player can take the upcard and go gin by discarding the queen of hearts."""


def is_showdown(message: Message) -> bool:
    """Return True if a message shows a showdown and the way to the next deal, but no moves."""
    return Action.NEXT_DEAL in buttons(message) and MOVES.isdisjoint(buttons(message))


async def title_of(scene: Scene, deal: int, match_id: MatchId = MATCH) -> str:
    """Return the title of a finished deal."""
    summary = await scene.bot.app.lookup.summary(match_id)
    return title(summary.deals[deal - 1], summary.match)


async def knock(scene: Scene) -> None:
    """Have North take the upcard and knock, through the services."""
    players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
    await players.move(MATCH, "take", "k Qh")
    await scene.wait_until_idle()


def newest_private(scene: Scene, person: Person) -> Message:
    """Return the newest private answer that a person sees in the channel."""
    return [message for message in person.sees(scene.channel) if message.ephemeral][-1]


async def test_direct_messages_show_the_showdown_first(tmp_path: Path) -> None:
    """At the end of a deal, both direct messages show the showdown alone, and the hand there after *Next deal*."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await knock(scene)
        for person in (scene.north, scene.south):
            shown = hands(person)[-1]
            assert is_showdown(shown)
            assert len(shown.images) == 1
            assert await title_of(scene, 1) in shown.text
            assert YOUR_HAND not in shown.text
            await scene.press(person, shown, Action.NEXT_DEAL)
            await scene.wait_until_idle()
            assert hands(person)[-1] is shown
            assert not is_showdown(shown)
            assert YOUR_HAND in shown.text
        assert not MOVES.isdisjoint(buttons(hands(scene.south)[-1]))


async def test_a_private_hand_shows_the_showdown_at_once(tmp_path: Path) -> None:
    """A private answer with a hand shows the showdown as soon as another player ends the deal."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        mine = (await scene.press(scene.south, scene.table, Action.SHOW_HAND)).message
        await knock(scene)
        assert is_showdown(mine)
        assert await title_of(scene, 1) in mine.text
        await scene.press(scene.south, mine, Action.NEXT_DEAL)
        assert not MOVES.isdisjoint(buttons(mine))


async def test_a_ping_leads_to_the_showdown(tmp_path: Path) -> None:
    """The ping for the first turn after a deal has the deal's result, and its button shows the showdown first."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        await knock(scene)
        call = scene.posts[-1]
        assert f"<@{scene.south.id}>" in call.text
        assert await title_of(scene, 1) in call.text
        assert is_showdown((await scene.press(scene.south, call, Action.SHOW_HAND)).message)


async def test_a_private_hand_shows_the_turn_at_once(tmp_path: Path) -> None:
    """A private answer with a hand shows the player's moves as soon as it is their turn."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        mine = (await scene.press(scene.south, scene.table, Action.SHOW_HAND)).message
        assert MOVES.isdisjoint(buttons(mine))
        players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
        await players.move(MATCH, "take", "x Qh")
        await scene.wait_until_idle()
        assert not MOVES.isdisjoint(buttons(mine))


async def test_the_mover_sees_the_showdown_as_the_answer(tmp_path: Path) -> None:
    """The answer to the move that ends a deal is the showdown, for a press and for a command."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        mine = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        await scene.press(scene.north, mine, Action.TAKE)
        answer = await scene.use(scene.north, "gin knock", scene.channel, card="Qh")
        assert is_showdown(answer.message)


async def test_a_command_continues_with_the_next_deal(tmp_path: Path) -> None:
    """A move by command is answered with the hand, and brings a direct message with the showdown up to date."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await knock(scene)
        answer = await scene.use(scene.south, "gin pass", scene.channel)
        assert answer.message.ephemeral
        assert not is_showdown(answer.message)
        await scene.wait_until_idle()
        assert not is_showdown(hands(scene.south)[-1])
        assert is_showdown(hands(scene.north)[-1])


async def test_a_hand_by_command_shows_the_showdown_first(tmp_path: Path) -> None:
    """`/gin hand` shows the showdown until the player has continued, even in another message."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await knock(scene)
        answer = await scene.use(scene.north, "gin hand", scene.channel)
        assert is_showdown(answer.message)
        await scene.press(scene.north, answer.message, Action.NEXT_DEAL)
        await scene.wait_until_idle()
        assert not is_showdown(hands(scene.north)[-1])


async def test_a_second_press_changes_nothing(tmp_path: Path) -> None:
    """A second press of *Next deal* shows the hand again, and does not skip a later showdown."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_GIN) as scene:
        await knock(scene)
        shown = hands(scene.north)[-1]
        next_deal = find_button(shown, Action.NEXT_DEAL)
        assert next_deal is not None
        await scene.press(scene.north, shown, Action.NEXT_DEAL)
        before = await scene.match()
        await scene.press_late(scene.north, shown, next_deal)
        assert (await scene.match()).revision == before.revision
        assert not is_showdown(shown)
        await Players(scene.bot.app, (person_of(scene.north), person_of(scene.south))).win(MATCH)
        await scene.wait_until_idle()
        later = hands(scene.north)[-1]
        await click(scene.north, later, Action.NEXT_DEAL, MATCH, argument="1")
        assert is_showdown(later)
        assert await title_of(scene, 2) in later.text


async def test_without_pictures_the_showdown_is_in_words(tmp_path: Path) -> None:
    """A player without pictures sees all hands of the showdown in words."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        await prefer(scene.bot.app, person_of(scene.north), pictures=False)
        await knock(scene)
        shown = hands(scene.north)[-1]
        assert is_showdown(shown)
        assert shown.images == []
        assert "Deadwood" in shown.text


async def test_practice_shows_the_showdown_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In practice, each showdown is shown once, even if the computer wins a deal before the player moves."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path, IMMEDIATE_GIN, IMMEDIATE_GIN) as scene:
        await scene.use(scene.north, "gin practice start", scene.north.dm)
        hand = await scene.wait_for_turn(scene.north)
        await scene.press(scene.north, hand, Action.TAKE)
        await scene.press(scene.north, hand, Action.GIN)
        await scene.wait_until_idle()
        shown = hands(scene.north)[-1]
        match = (await scene.bot.app.lookup.hands(PersonId(scene.north.id)))[0].match
        assert len((await scene.bot.app.lookup.summary(match.id)).deals) == 2
        assert await title_of(scene, 1, match.id) in shown.text
        await scene.press(scene.north, shown, Action.NEXT_DEAL)
        assert is_showdown(shown)
        assert await title_of(scene, 2, match.id) in shown.text
        await scene.press(scene.north, shown, Action.NEXT_DEAL)
        assert not is_showdown(shown)


@pytest.mark.parametrize(
    ("rules", "count", "deck"),
    [("rotation", 3, IMMEDIATE_GIN), ("penalty", 3, IMMEDIATE_GIN_FOR_THREE), ("partners", 4, IMMEDIATE_GIN)],
)
async def test_every_player_at_a_larger_table_sees_the_showdown(
    tmp_path: Path, rules: str, count: int, deck: Deck
) -> None:
    """With three or four players, everyone whose deal ended sees its showdown, and so does a player who sits out."""
    async with open_scene(tmp_path, deck) as scene:
        people = (scene.north, scene.south, scene.east, scene.west)[:count]
        players = Players(scene.bot.app, tuple(map(person_of, people)))
        match = await players.begin(rules, ChannelId(scene.channel.id), scene.guild_id)
        seats = (await scene.bot.app.lookup.table(match.id)).view.seats
        await players.win(match.id)
        for seat, person in enumerate(people):
            hand = await scene.bot.app.lookup.hand(PersonId(person.id), match.id)
            assert (hand.unseen_deal is not None) == (rules != "partners" or seat in seats)


async def test_a_restart_does_not_skip_a_showdown(tmp_path: Path) -> None:
    """A player who has not continued before a restart sees the showdown after it."""
    url = new_database(tmp_path / "deadwood.db")
    with without_fsync(), share_compiled_sql():
        async with sandbox_of() as sandbox:
            async with bot_on(sandbox, url, shuffler=RiggedShuffler(IMMEDIATE_KNOCK)) as alive:
                scene = Scene(alive)
                players = Players(alive.app, (person_of(scene.north), person_of(scene.south)))
                match = await players.begin("classic", ChannelId(scene.channel.id), scene.guild_id)
                await players.move(match.id, "take", "k Qh")
                await alive.idle()
            async with bot_on(sandbox, url) as alive:
                scene = Scene(alive)
                await sandbox.until(lambda: scene.north.commands(scene.channel))
                shown = (await scene.use(scene.south, "gin hand", scene.channel)).message
                assert is_showdown(shown)
                assert await title_of(scene, 1) in shown.text
