"""Moves in Discord, by command, button and menu."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.showdown import OutcomeKind
from bot.play.refusals import NoMatch, NotSeated, NotYourTurn
from bot.values.ids import MatchId, PersonId
from bot.values.matches import Showdown
from cardart.text.card_names import ENGLISH
from cogs.kit.actions import Action
from cogs.support.errors import UserError
from cogs.text import hand as hand_text
from cogs.text import showdown
from cogs.text.refusals import unreadable_card
from tests.cogs.scenes import TO_DISCARD, at_table, buttons, hands, menus, ways
from tests.helpers.components import actions_of, moves_shown
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE, UNDERCUT_AT_ONCE


@pytest.mark.thorough
async def test_every_move_is_a_command_and_a_wrong_one_says_what_may_be_done(tmp_path: Path) -> None:
    """The answer to a move names the move and links to the hand; illegal moves are refused with their code."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = scene.north, scene.south
        assert await scene.refused(north, "draw") == "offer"
        assert await scene.refused(north, "gin") == "no-gin"
        assert isinstance(await scene.refused(south, "pass"), NotYourTurn)
        # The texts of this feature.
        link = f"[Your hand](https://discord.com/channels/@me/{north.dm.id}) is in our direct messages."
        assert await scene.ask(north, "pass") == f"You passed. {link}"
        assert await scene.refused(south, "pass") is None
        assert await scene.refused(north, "take") == "refused"
        assert await scene.refused(north, "discard", card="Qh") == "draw-first"
        assert await scene.refused(north, "gin") == "no-gin"
        drawn = await scene.use(north, "gin draw", scene.channel)
        assert drawn.message.ephemeral
        new_card = (await scene.alive.app.lookup.hand(PersonId(north.id), MatchId(1))).view.new_card
        assert new_card is not None
        assert ENGLISH.short(new_card) in drawn.text
        await scene.quiet()
        assert actions_of(await scene.turn(north)) >= TO_DISCARD
        assert await scene.refused(north, "draw") == "drawn"
        assert await scene.refused(north, "discard", card="2h") == "not-in-hand"
        for nonsense in ("banana", "queen", ""):
            refused = await scene.refused(north, "discard", card=nonsense)
            assert isinstance(refused, UserError)
            assert refused.text == unreadable_card(ENGLISH)
        assert await scene.refused(north, "knock", card="K♣") == "too-much"
        assert await scene.refused(north, "gin") == "no-gin"
        assert "Q♥" in await scene.ask(north, "discard", card="Q♥")
        assert "Q♥" in await scene.ask(south, "take")
        await scene.quiet()
        assert moves_shown(scene.table) == 5
        assert await scene.refused(south, "discard", card="qh") == "just-taken"
        assert "10♥" in await scene.ask(south, "discard", card="10h")
        await scene.quiet()
        assert moves_shown(scene.table) == 6


@pytest.mark.thorough
async def test_cards_complete_with_what_they_leave(tmp_path: Path) -> None:
    """Completions list possible discards with their deadwood, best first; for a knock, only cards that allow it."""
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


async def test_a_turn_is_played_by_buttons(tmp_path: Path) -> None:
    """A player takes and discards in one message, which can be refreshed; then it is the opponent's turn."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        hand = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        await scene.press(scene.north, hand, Action.TAKE)
        assert actions_of(hand) >= TO_DISCARD
        await scene.press(scene.north, hand, Action.DISCARD, "Qh")
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        assert (await scene.press(scene.north, hand, Action.REFRESH_HAND)).message is hand
        theirs = await scene.press(scene.south, scene.table, Action.SHOW_HAND)
        assert buttons(theirs.message) == [Action.DRAW, Action.TAKE]


@pytest.mark.thorough
async def test_a_hand_offers_what_the_phase_allows(tmp_path: Path) -> None:
    """The hand offers take and pass, then draw, then discards, all in one message that each click updates."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north, south = scene.north, scene.south
        hand = await scene.turn(north)
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        assert buttons(await scene.hand(south)) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.press(north, hand, Action.PASS)
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.quiet()
        await scene.press(south, await scene.turn(south), Action.PASS)
        await scene.quiet()
        hand = await scene.turn(north)
        assert buttons(hand) == [Action.DRAW]
        await scene.press(north, hand, Action.DRAW)
        assert actions_of(hand) >= TO_DISCARD
        await scene.press(north, hand, Action.DISCARD, "Qh")
        assert buttons(await scene.turn(south)) == [Action.DRAW, Action.TAKE]
        assert moves_shown(await scene.hand(south)) == 4
        await scene.quiet()
        assert len(hands(north)) == len(hands(south)) == 1
        assert north.direct_messages() == hands(north)


@pytest.mark.thorough
async def test_gin_knock_and_undercut_are_shown_to_all(tmp_path: Path) -> None:
    """Each showdown is posted with hands, layoffs and points, and stays; the next deal follows."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, UNDERCUT_AT_ONCE, GIN_AT_ONCE, target=150) as scene:
        north, south = scene.north, scene.south
        await scene.press(north, await scene.turn(north), Action.TAKE)
        await scene.press(north, await scene.turn(north), Action.KNOCK, "Qh")
        await scene.quiet()
        hand = await scene.turn(south)
        await scene.press(south, hand, Action.TAKE)
        await scene.press(south, await scene.turn(south), Action.KNOCK, "Qh")
        await scene.quiet()
        await scene.press(north, await scene.turn(north), Action.TAKE)
        hand = await scene.turn(north)
        assert ways(hand)[0] == Action.GIN
        await scene.press(north, hand, Action.GIN)
        end = await scene.post(Action.REMATCH)
        shown = [post for post in scene.posts if Action.REVIEW in buttons(post)]
        summary = await scene.alive.app.lookup.summary(MatchId(1))
        outcomes = [view.outcome for view in summary.deals]
        assert [(one.kind, one.winner, one.points) for one in outcomes] == [
            (OutcomeKind.KNOCK, 0, 58),
            (OutcomeKind.UNDERCUT, 0, 28),
            (OutcomeKind.GIN, 0, 85),
        ]
        assert [one.card.text for one in outcomes[1].lay_offs] == ["7d"]
        for post, view in zip(shown, summary.deals, strict=True):
            assert showdown.title(view, summary.match) in post.text
            assert showdown.hands(Showdown(summary.match, view)) in post.text
            assert len(post.images) == 1
            assert post.images[0].alt
        await scene.quiet()
        hand = await scene.alive.app.lookup.hand(PersonId(north.id), MatchId(1))
        assert hand_text.over(hand) in north.direct_messages()[-1].text
        over = await scene.press(south, end, Action.REMATCH)
        assert Action.WITHDRAW_REMATCH in buttons(over.message)


@pytest.mark.thorough
async def test_the_panel_of_my_hand_works_without_direct_messages(tmp_path: Path) -> None:
    """Without direct messages, a whole turn is played in one private message in the channel."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        panel = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        assert panel.ephemeral
        await scene.press(scene.north, panel, Action.TAKE)
        assert actions_of(panel) >= TO_DISCARD
        await scene.press(scene.north, panel, Action.DISCARD, "Qh")
        assert buttons(panel) == [Action.REFRESH_HAND, Action.GAMES]
        assert panel not in scene.south.sees(scene.channel)
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "discard", card="2h")
        refreshed = await scene.press(scene.north, panel, Action.REFRESH_HAND)
        assert refreshed.message is panel
        assert buttons(panel) == [Action.DRAW, Action.TAKE]


@pytest.mark.thorough
async def test_a_command_outside_the_channel_means_the_only_match_or_asks(tmp_path: Path) -> None:
    """In direct messages the command acts on the only match; with several, a private menu asks for one."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        assert isinstance(await scene.refused(scene.east, "draw", corner), NoMatch)
        assert isinstance(await scene.refused(scene.east, "draw"), NotSeated)
        assert buttons((await scene.use(north, "gin hand", north.dm)).message) == [Action.TAKE, Action.PASS]
        await scene.press(scene.east, await scene.invite(north, scene.east, corner), Action.ACCEPT)
        for command, expected in (
            ("hand", Action.PASS),
            ("take", Action.DISCARD),
            ("resign", Action.RESIGN),
            ("score", None),
            ("table", None),
        ):
            which = await scene.use(north, f"gin {command}", north.dm)
            (menu,) = which.message.selects
            descriptions = [str(option.description) for option in menu.options]
            assert ["#games" in one for one in descriptions] == [True, False]
            assert ["#quiet-corner" in one for one in descriptions] == [False, True]
            second = next(option.value for option in menu.options if "East" in option.label)
            chosen = await scene.choose(north, which.message, menus(which.message)[0], second)
            assert scene.error(chosen) is None
            assert expected is None or expected in actions_of(chosen.message)
            assert "⁨East⁩" in chosen.text or f"<#{corner.id}>" in chosen.text
        which = await scene.use(north, "gin discard", north.dm, card="Qh")
        await scene.choose(north, which.message, Action.DISCARD, second)
        waiting = await scene.use(north, "gin hand", corner)
        assert buttons(waiting.message)[0] is Action.REFRESH_HAND
        assert Action.NEXT_MATCH in buttons(waiting.message)
