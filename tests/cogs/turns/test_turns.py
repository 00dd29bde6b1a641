"""Moves in Discord, by command, button and menu."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.deals.showdown import OutcomeKind
from bot.model.ids import MatchId, PersonId
from bot.model.matches import Showdown
from bot.play.refusals import NoMatch, NotSeated, NotYourTurn
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.delivery.errors import UserError
from cogs.showdowns import showdown_text as showdown
from cogs.turns import hand_text
from cogs.turns.refusals import unreadable_card
from tests.cogs.scenes import (
    DISCARD_ACTIONS,
    buttons,
    buttons_without_cards,
    hands,
    menus,
    open_match_scene,
    shows_hand,
)
from tests.helpers.components import actions_of, find_button, moves_shown
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, IMMEDIATE_UNDERCUT


@pytest.mark.nightly
async def test_every_move_is_a_command(tmp_path: Path) -> None:
    """The answer to a move by command is the hand after it; illegal moves are refused with their code."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north, south = scene.north, scene.south
        assert await scene.refusal_of(north, "draw") == "offer"
        assert await scene.refusal_of(north, "gin") == "no-gin"
        assert isinstance(await scene.refusal_of(south, "pass"), NotYourTurn)
        assert isinstance(await scene.refusal_of(south, "discard", card="banana"), NotYourTurn)
        passed = await scene.use(north, "gin pass", scene.channel)
        assert passed.message.ephemeral
        assert shows_hand(passed.message)
        assert buttons(passed.message) == [Action.REFRESH_HAND, Action.GAMES]
        assert await scene.refusal_of(south, "pass") is None
        assert await scene.refusal_of(north, "take") == "refused"
        assert await scene.refusal_of(north, "discard", card="Qh") == "draw-first"
        assert await scene.refusal_of(north, "gin") == "no-gin"
        drawn = await scene.use(north, "gin draw", scene.channel)
        assert drawn.message.ephemeral
        assert actions_of(drawn.message) >= DISCARD_ACTIONS
        new_card = (await scene.bot.app.lookup.hand(PersonId(north.id), MatchId(1))).view.new_card
        assert new_card is not None
        assert ENGLISH.short(new_card) in str(drawn.message.images[0].alt)
        await scene.wait_until_idle()
        assert actions_of(await scene.wait_for_turn(north)) >= DISCARD_ACTIONS
        assert await scene.refusal_of(north, "draw") == "drawn"
        assert await scene.refusal_of(north, "discard", card="2h") == "not-in-hand"
        for nonsense in ("banana", "queen", ""):
            refused = await scene.refusal_of(north, "discard", card=nonsense)
            assert isinstance(refused, UserError)
            assert refused.text == unreadable_card(ENGLISH)
        assert await scene.refusal_of(north, "knock", card="K♣") == "too-much"
        assert await scene.refusal_of(north, "gin") == "no-gin"
        assert "Q♥" in await scene.ask(north, "discard", card="Q♥")
        assert "Q♥" in await scene.ask(south, "take")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 5
        assert await scene.refusal_of(south, "discard", card="qh") == "just-taken"
        assert "10♥" in await scene.ask(south, "discard", card="10h")
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 6


@pytest.mark.thorough
async def test_card_completions_have_deadwood(tmp_path: Path) -> None:
    """Completions list discards with the deadwood left, best first; for a knock, only discards that allow knocking."""
    async with open_match_scene(tmp_path, IMMEDIATE_UNDERCUT) as scene:
        north = scene.north

        async def offered(command: str, typed: str) -> list[str]:
            asked = await north.complete(f"gin {command}", scene.channel, option="card", value=typed)
            return [choice["name"] for choice in (await asked.answer()).choices]

        assert await offered("discard", "") == []
        await scene.ask(north, "take")
        every = await offered("discard", "")
        assert every[0] == "Q♥, leaving 9 deadwood"
        assert len(every) == 10
        assert await offered("discard", "kc") == await offered("discard", "K♣")
        for typed in ("", "q", "Q♥", "queen of h"):
            assert await offered("knock", typed) == ["✊ discarding Q♥, leaving 9 deadwood"]
        for typed in ("k", "K♣", "9", "x", "queen of s"):
            assert await offered("knock", typed) == []
        asked = await scene.east.complete("gin knock", scene.channel, option="card", value="")
        assert (await asked.answer()).choices == []


async def test_a_turn_is_played_by_buttons(tmp_path: Path) -> None:
    """A player takes and discards in one message, which can be refreshed; then it is the opponent's turn."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        hand = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        await scene.press(scene.north, hand, Action.TAKE)
        assert actions_of(hand) >= DISCARD_ACTIONS
        await scene.press(scene.north, hand, Action.DISCARD, "Qh")
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        assert (await scene.press(scene.north, hand, Action.REFRESH_HAND)).message is hand
        theirs = await scene.press(scene.south, scene.table, Action.SHOW_HAND)
        assert buttons(theirs.message) == [Action.DRAW, Action.TAKE]


@pytest.mark.thorough
async def test_a_hand_offers_what_the_phase_allows(tmp_path: Path) -> None:
    """The hand offers take and pass, then draw, then discards, all in one message that is updated."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north, south = scene.north, scene.south
        hand = await scene.wait_for_turn(north)
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        assert buttons(await scene.wait_for_hand(south)) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.press(north, hand, Action.PASS)
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.wait_until_idle()
        await scene.press(south, await scene.wait_for_turn(south), Action.PASS)
        await scene.wait_until_idle()
        hand = await scene.wait_for_turn(north)
        assert buttons(hand) == [Action.DRAW]
        await scene.press(north, hand, Action.DRAW)
        assert actions_of(hand) >= DISCARD_ACTIONS
        await scene.press(north, hand, Action.DISCARD, "Qh")
        assert buttons(await scene.wait_for_turn(south)) == [Action.DRAW, Action.TAKE]
        assert moves_shown(await scene.wait_for_hand(south)) == 4
        await scene.wait_until_idle()
        assert len(hands(north)) == len(hands(south)) == 1
        assert north.direct_messages() == hands(north)


@pytest.mark.nightly
async def test_gin_knock_and_undercut_are_shown_to_all(tmp_path: Path) -> None:
    """Each deal's showdown is posted with its result, and stays when the next deal begins; the last one ends the match.

    *Details* shows its hands, layoffs and points to anyone.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_UNDERCUT, IMMEDIATE_GIN, target=150) as scene:
        north, south = scene.north, scene.south
        await scene.press(north, await scene.wait_for_turn(north), Action.TAKE)
        await scene.press(north, await scene.wait_for_turn(north), Action.KNOCK, "Qh")
        await scene.wait_until_idle()
        hand = await scene.next_deal(south)
        await scene.press(south, hand, Action.TAKE)
        await scene.press(south, await scene.wait_for_turn(south), Action.KNOCK, "Qh")
        await scene.wait_until_idle()
        await scene.next_deal(north)
        await scene.press(north, await scene.next_deal(north), Action.TAKE)
        hand = await scene.wait_for_turn(north)
        assert buttons_without_cards(hand)[0] == Action.GIN
        await scene.press(north, hand, Action.GIN)
        end = await scene.wait_for_post(Action.REMATCH)
        shown = [post for post in scene.posts if Action.SHOWDOWN_DETAILS in buttons(post)]
        assert shown[-1] is end
        summary = await scene.bot.app.lookup.summary(MatchId(1))
        outcomes = [view.outcome for view in summary.deals]
        assert [(outcome.kind, outcome.winner, outcome.points) for outcome in outcomes] == [
            (OutcomeKind.KNOCK, 0, 58),
            (OutcomeKind.UNDERCUT, 0, 28),
            (OutcomeKind.GIN, 0, 85),
        ]
        assert [lay_off.card.text for lay_off in outcomes[1].lay_offs] == ["7d"]
        for post, view in zip(shown, summary.deals, strict=True):
            assert showdown.title(view, summary.match) in post.text
            assert showdown.hands(Showdown(summary.match, view)) in (await scene.details(post)).text
            assert len(post.images) == 1
            assert post.images[0].alt
        await scene.wait_until_idle()
        hand = await scene.bot.app.lookup.hand(PersonId(north.id), MatchId(1))
        assert hand_text.match_result(hand) in north.direct_messages()[-1].text
        answer = await scene.press(south, end, Action.REMATCH)
        assert Action.WITHDRAW_REMATCH in buttons(answer.message)


@pytest.mark.thorough
async def test_the_panel_of_my_hand_works_without_direct_messages(tmp_path: Path) -> None:
    """Without direct messages, a whole turn is played in one private message in the channel."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False) as scene:
        panel = (await scene.press(scene.north, scene.table, Action.SHOW_HAND)).message
        assert panel.ephemeral
        await scene.press(scene.north, panel, Action.TAKE)
        assert actions_of(panel) >= DISCARD_ACTIONS
        await scene.press(scene.north, panel, Action.DISCARD, "Qh")
        assert buttons(panel) == [Action.REFRESH_HAND, Action.GAMES]
        refresh = find_button(panel, Action.REFRESH_HAND)
        assert refresh is not None
        assert panel not in scene.south.sees(scene.channel)
        await scene.ask(scene.south, "take")
        await scene.ask(scene.south, "discard", card="2h")
        refreshed = await scene.press_late(scene.north, panel, refresh)
        assert refreshed.message is panel
        assert buttons(panel) == [Action.DRAW, Action.TAKE]


@pytest.mark.thorough
async def test_outside_the_channel_a_command_finds_the_match(tmp_path: Path) -> None:
    """In direct messages the command acts on the only match; with several, a private menu asks for one."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        north, corner = scene.north, scene.sandbox.channel("quiet-corner")
        assert isinstance(await scene.refusal_of(scene.east, "draw", corner), NoMatch)
        assert isinstance(await scene.refusal_of(scene.east, "draw"), NotSeated)
        assert buttons((await scene.use(north, "gin hand", north.dm)).message) == [Action.TAKE, Action.PASS]
        await scene.press(scene.east, await scene.invite(north, scene.east, corner), Action.ACCEPT)
        for command, expected in (
            ("hand", Action.PASS),
            ("take", Action.DISCARD),
            ("resign", Action.RESIGN),
            ("table", None),
            ("gin-stats score", None),
        ):
            which = await scene.use(north, command if " " in command else f"gin {command}", north.dm)
            (menu,) = which.message.selects
            descriptions = [str(option.description) for option in menu.options]
            assert ["#games" in description for description in descriptions] == [True, False]
            assert ["#quiet-corner" in description for description in descriptions] == [False, True]
            assert all("deal 1, 0–0" in description for description in descriptions)
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
