"""Moves in Discord: by command, by button, by menu."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cogs.kit.actions import Action
from tests.cogs.scenes import TO_DISCARD, at_table, hands, labels, ways
from tests.helpers.components import actions_of
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE, UNDERCUT_AT_ONCE


@pytest.mark.slow
async def test_every_move_is_a_command_and_a_wrong_one_says_what_may_be_done(tmp_path: Path) -> None:
    """From the upcard to the first discard: each says what was done, each refusal what to do, and where the hand is."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = scene.north, scene.south
        assert "take the **2♦** with `/gin take`, or `/gin pass`" in await scene.ask(north, "draw")
        assert "You need a new card to go gin: take" in await scene.ask(north, "gin")
        assert "It is ⁨North⁩'s turn" in await scene.ask(south, "pass")
        link = f"[Your hand](https://discord.com/channels/@me/{north.dm.id}) is in our direct messages."
        assert await scene.ask(north, "pass") == f"You passed. {link}"
        assert "You passed." in await scene.ask(south, "pass")
        assert "Everybody passed the upcard" in await scene.ask(north, "take")
        assert "A turn starts with a card" in await scene.ask(north, "discard", card="Qh")
        assert "You need a new card to go gin: `/gin draw`" in await scene.ask(north, "gin")
        drawn = await scene.use(north, "gin draw", scene.channel)
        assert drawn.message.ephemeral
        assert re.match(r"You drew \w+[♣♦♥♠]\. ", drawn.text)
        await scene.quiet()
        assert "**Your turn:** discard a card, or knock" in (await scene.turn(north)).text
        assert "You have already drawn" in await scene.ask(north, "draw")
        assert "You do not hold **2♥**" in await scene.ask(north, "discard", card="2h")
        for nonsense in ("banana", "queen", ""):
            assert "I cannot read that as one card" in await scene.ask(north, "discard", card=nonsense)
        refused = await scene.ask(north, "knock", card="K♣")
        assert "a knock may leave 10 at most. You can knock with **" in refused
        assert "leaving " in refused
        assert "You do not have gin yet" in await scene.ask(north, "gin")
        assert "You discarded Q♥." in await scene.ask(north, "discard", card="Q♥")
        assert "You took Q♥." in await scene.ask(south, "take")
        await scene.quiet()
        assert "⁨South⁩ took Q♥" in scene.table.text
        assert "You took **Q♥** from the pile this turn" in await scene.ask(south, "discard", card="qh")
        assert "You discarded 10♥." in await scene.ask(south, "discard", card="10h")


@pytest.mark.slow
async def test_cards_complete_with_what_they_leave(tmp_path: Path) -> None:
    """While typing, the cards that may go are offered, best first; a knock offers only what it may leave."""
    async with at_table(tmp_path, UNDERCUT_AT_ONCE) as scene:
        north = scene.north

        async def offered(command: str, typed: str) -> list[str]:
            asked = await north.complete(f"gin {command}", scene.channel, option="card", value=typed)
            return [choice["name"] for choice in (await asked.answer()).choices]

        assert await offered("discard", "") == []
        await scene.ask(north, "take")
        every = await offered("discard", "")
        assert every[0] == "Q♥, leaving 9"
        assert len(every) == 10
        assert await offered("discard", "kc") == await offered("discard", "K♣")
        for typed in ("", "q", "Q♥", "queen of h"):
            assert await offered("knock", typed) == ["✊ discarding Q♥, leaving 9"]
        for typed in ("k", "K♣", "9", "x", "queen of s"):
            assert await offered("knock", typed) == []
        asked = await scene.east.complete("gin knock", scene.channel, option="card", value="")
        assert (await asked.answer()).choices == []


@pytest.mark.slow
async def test_a_hand_offers_what_the_phase_allows(tmp_path: Path) -> None:
    """Take and pass, draw, then the cards; all in one message that each click brings up to date."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = scene.north, scene.south
        hand = await scene.turn(north)
        assert labels(hand) == ["Take 2♦", "Pass"]
        assert labels(await scene.hand(south)) == ["Refresh", "My games"]
        await scene.press(north, hand, "Pass")
        assert labels(hand) == ["Refresh", "My games"]
        await scene.quiet()
        await scene.press(south, await scene.turn(south), "Pass")
        await scene.quiet()
        hand = await scene.turn(north)
        assert labels(hand) == ["Draw"]
        await scene.press(north, hand, "Draw")
        assert actions_of(hand) >= TO_DISCARD
        await scene.play(north, hand, Action.DISCARD, "Qh")
        assert labels(await scene.turn(south)) == ["Draw", "Take Q♥"]
        assert "⁨North⁩ drew from the stock and discarded Q♥" in (await scene.hand(south)).text
        await scene.quiet()
        assert len(hands(north)) == len(hands(south)) == 1
        assert north.direct_messages() == hands(north)


@pytest.mark.slow
async def test_gin_knock_and_undercut_are_shown_to_all(tmp_path: Path) -> None:
    """Each end of a deal is a lasting post with both hands, the lay-offs and the reckoning; the next deal follows."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, UNDERCUT_AT_ONCE, GIN_AT_ONCE, target=150) as scene:
        north, south = scene.north, scene.south
        await scene.press(north, await scene.turn(north), "Take 2♦")
        await scene.play(north, await scene.turn(north), Action.KNOCK, "Qh")
        await scene.quiet()
        hand = await scene.turn(south)
        assert "Deal 1" in hand.text
        await scene.press(south, hand, "Take 9♠")
        await scene.play(south, await scene.turn(south), Action.KNOCK, "Qh")
        await scene.quiet()
        await scene.press(north, await scene.turn(north), "Take K♠")
        hand = await scene.turn(north)
        assert ways(hand)[0] == "Gin!"
        await scene.press(north, hand, "Gin!")
        end = await scene.post("Rematch")
        shown = [post for post in scene.posts if post.text.startswith("### Deal ")]
        assert [post.text.splitlines()[0] for post in shown] == [
            "### Deal 1: ⁨North⁩ wins by knocking, 58 points",
            "### Deal 2: ⁨North⁩ undercuts, 28 points",
            "### Deal 3: ⁨North⁩ goes gin, 85 points",
        ]
        assert "⁨North⁩ scores 60 − 2 = **58**" in shown[0].text
        assert "Laid off: 7♦ on" in shown[1].text
        assert "+ 25 for the undercut" in shown[1].text
        assert "⁨North⁩ scores 60 + 25 for the gin = **85**" in shown[2].text
        assert all(len(post.images) == 1 and post.images[0].alt for post in shown)
        await scene.quiet()
        assert "You **won** your match" in north.direct_messages()[-1].text
        over = await scene.press(south, end, "Rematch")
        assert "You have offered a rematch" in over.text


@pytest.mark.slow
async def test_the_panel_of_my_hand_works_without_direct_messages(tmp_path: Path) -> None:
    """With closed direct messages a whole turn is played in one ephemeral panel, which no one else sees."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        panel = (await scene.press(scene.north, scene.table, "My hand")).message
        assert panel.ephemeral
        await scene.press(scene.north, panel, "Take 2♦")
        assert actions_of(panel) >= TO_DISCARD
        await scene.play(scene.north, panel, Action.DISCARD, "Qh")
        assert labels(panel) == ["Refresh", "My games"]
        assert panel not in scene.south.sees(scene.channel)
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "discard", card="2h")
        refreshed = await scene.press(scene.north, panel, "Refresh")
        assert refreshed.message is panel
        assert "Your turn" in panel.text


@pytest.mark.slow
async def test_a_command_outside_the_channel_means_the_only_match_or_asks(tmp_path: Path) -> None:
    """In a direct message the only match is meant; with two, a private menu asks, and the choice makes the move."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        assert "you are not playing anywhere else" in await scene.ask(scene.east, "draw", corner)
        assert "You are not playing in ⁨North⁩ vs ⁨South⁩" in await scene.ask(scene.east, "draw")
        assert "Your hand against ⁨South⁩" in await scene.ask(north, "hand", north.dm)
        await scene.press(scene.east, await scene.invite(north, scene.east, corner), "Accept")
        for command, expected in (
            ("hand", "take the **2♦** or pass"),
            ("take", "discard a card"),
            ("resign", "How do you want to leave"),
            ("score", "No deal is over yet"),
            ("table", "I'm reposting the table"),
        ):
            which = await scene.use(north, f"gin {command}", north.dm)
            (menu,) = which.message.selects
            assert [option.description for option in menu.options] == [
                "#games, classic rules to 100",
                "#quiet-corner, classic rules to 100",
            ]
            second = next(option.value for option in menu.options if "East" in option.label)
            chosen = await scene.choose(north, which.message, "Choose a match …", second)
            assert expected in chosen.text
            assert "⁨East⁩" in chosen.text or f"<#{corner.id}>" in chosen.text
        which = await scene.use(north, "gin discard", north.dm, card="Qh")
        await scene.choose(north, which.message, "Choose a match …", second)
        assert "Waiting for ⁨East⁩" in await scene.ask(north, "hand", corner)
