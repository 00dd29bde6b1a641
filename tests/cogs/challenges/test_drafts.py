"""Drafts: changing a challenge's rules, option by option, before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from bot.engine.rules import Rules
from bot.model.challenges import ChallengeStatus
from bot.model.ids import PersonId
from bot.model.people import Challengers
from bot.play import refusals as why
from bot.sandbox import Message, NotOfferedError
from cogs import refusals
from cogs.actions import Action
from cogs.delivery.access import CACHE_SECONDS
from cogs.delivery.choosing import NO_CHALLENGE
from cogs.delivery.refusals import CANNOT_PLAY_HERE
from cogs.words import clocks
from cogs.words import rules as rules_text
from tests.cogs.scenes import Scene, buttons, menus, open_scene, person_of, world_with_private_thread
from tests.helpers.components import find_menu
from tests.helpers.forgery import click
from tests.helpers.table import prefer

_MENUS: Final = [Action.DRAFT_RULES, Action.DRAFT_OPTION, Action.DRAFT_OPTION, Action.DRAFT_CLOCK]


async def _begin_draft(scene: Scene, **options: object) -> Message:
    """Have North begin a draft with `/gin challenge`, and return its panel."""
    return (await scene.use(scene.north, "gin challenge", scene.channel, options=True, **options)).message


def _menu_values(panel: Message, action: Action, argument: str | None = None) -> Sequence[str]:
    menu = find_menu(panel, action, argument)
    assert menu is not None
    return menu.values


async def _change_option(scene: Scene, panel: Message, option: str, value: str) -> None:
    await scene.choose(scene.north, panel, Action.DRAFT_OPTION, option)
    await scene.choose(scene.north, panel, Action.DRAFT_VALUE, value)


async def test_a_preset_and_options_are_chosen_and_sent(tmp_path: Path) -> None:
    """The panel and the challenge show the chosen rules, and nothing is posted before *Send the challenge*."""
    async with open_scene(tmp_path) as scene:
        north, south = scene.north, scene.south
        panel = await _begin_draft(scene, opponent=south, target=60)
        assert panel.ephemeral
        assert menus(panel) == _MENUS
        assert buttons(panel) == [Action.DRAFT_SEND, Action.CHALLENGE_RULES, Action.DRAFT_DROP]
        assert (await scene.challenge()).rules == Rules.parse("classic target=60")
        assert scene.posts == []
        await scene.choose(north, panel, Action.DRAFT_RULES, "oklahoma")
        await scene.choose(north, panel, Action.DRAFT_OPTION, "spade_doubles")
        assert menus(panel) == [*_MENUS[:2], Action.DRAFT_VALUE, *_MENUS[2:]]
        await scene.choose(north, panel, Action.DRAFT_VALUE, "on")
        await _change_option(scene, panel, "target", "50")
        chosen = Rules.parse("oklahoma spade_doubles=on target=50")
        line = rules_text.line(chosen)
        assert line in panel.text
        assert f"rules: {rules_text.written(chosen)}`" in panel.text
        sent = await scene.press(north, panel, Action.DRAFT_SEND)
        assert sent.message is panel
        assert line in panel.text
        invitation = await scene.wait_for_post(Action.ACCEPT)
        assert line in invitation.text
        assert south.pushes == [invitation]
        challenge = await scene.challenge()
        assert (challenge.rules, challenge.status) == (chosen, ChallengeStatus.PENDING)


@pytest.mark.thorough
async def test_rules_are_explained_from_the_draft_to_the_table(tmp_path: Path) -> None:
    """The draft, the invitation and the table show the same rules page, and the match uses these rules."""
    async with open_scene(tmp_path) as scene:
        rules = "oklahoma spade_doubles=on target=50"
        panel = await _begin_draft(scene, opponent=scene.south, rules=rules)
        page = (await scene.press(scene.north, panel, Action.CHALLENGE_RULES)).text
        assert rules_text.explained(Rules.parse(rules)) in page
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        invitation = await scene.wait_for_post(Action.ACCEPT)
        more = (await scene.press(scene.east, invitation, Action.CHALLENGE_MORE)).message
        assert (await scene.press(scene.east, more, Action.CHALLENGE_RULES)).text == page
        await scene.press(scene.south, invitation, Action.ACCEPT)
        await scene.wait_until_idle()
        assert (await scene.match()).rules == Rules.parse(rules)
        last_moves = await scene.press(scene.east, scene.table, Action.LAST_MOVES)
        assert rules_text.name(Rules.parse(rules)) in last_moves.text
        assert (await scene.press(scene.east, scene.table, Action.SHOW_RULES)).text == page


@pytest.mark.thorough
async def test_only_sensible_options_are_offered(tmp_path: Path) -> None:
    """A draft offers only options that have an effect, and values that fit, under the rules chosen so far."""
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _begin_draft(scene)
        assert "spade_doubles" not in _menu_values(panel, Action.DRAFT_OPTION)
        await _change_option(scene, panel, "knock_limit", "upcard")
        assert {"oklahoma_ace", "spade_doubles"} <= {*_menu_values(panel, Action.DRAFT_OPTION)}
        await _change_option(scene, panel, "spade_doubles", "on")
        assert "knock_limit" not in _menu_values(panel, Action.DRAFT_OPTION)
        await scene.choose(north, panel, Action.DRAFT_OPTION, "target")
        assert "none" not in _menu_values(panel, Action.DRAFT_VALUE)
        await _change_option(scene, panel, "deals", "5")
        await scene.choose(north, panel, Action.DRAFT_OPTION, "target")
        assert "none" in _menu_values(panel, Action.DRAFT_VALUE)
        await scene.choose(north, panel, Action.DRAFT_RULES, "quick")
        assert "lay_off_mode" not in _menu_values(panel, Action.DRAFT_OPTION)
        await scene.choose(north, panel, Action.DRAFT_RULES, "penalty")
        assert not {"line_bonus", "game_bonus", "shutout"} & {*_menu_values(panel, Action.DRAFT_OPTION, "scoring")}
        with pytest.raises(NotOfferedError):
            await scene.choose(north, panel, Action.DRAFT_OPTION, "line_bonus", argument="scoring")


async def test_an_outdated_value_is_refused(tmp_path: Path) -> None:
    """A value that the draft no longer offers, or a forged clock, is refused, and the draft does not change."""
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _begin_draft(scene, rules="oklahoma")
        await scene.choose(north, panel, Action.DRAFT_RULES, "classic")
        late = await click(north, panel, Action.DRAFT_VALUE, 1, argument="spade_doubles", values=["on"])
        assert scene.error_type(late) is why.UnknownRules
        never = await click(north, panel, Action.DRAFT_CLOCK, 1, values=["tomorrow"])
        assert scene.error_type(never) is why.UnknownClock
        draft = await scene.challenge()
        assert (draft.rules, str(draft.clock)) == (Rules(), "none")


@pytest.mark.thorough
async def test_a_draft_belongs_to_its_challenger(tmp_path: Path) -> None:
    """Only the challenger can see and change a draft. It is closed once sent, dropped, or replaced by a new one."""
    async with open_scene(tmp_path) as scene:
        north, first = scene.north, await _begin_draft(scene)
        assert first not in scene.east.sees(scene.channel)
        assert await scene.ask(scene.south, "accept") == NO_CHALLENGE[Action.ACCEPT]
        assert await scene.ask(north, "withdraw") == NO_CHALLENGE[Action.WITHDRAW]
        for action in (Action.DRAFT_SEND, Action.DRAFT_DROP):
            forged = await click(scene.east, first, action, 1)
            assert forged.text == refusals.text(why.NoChallenge(), PersonId(scene.east.id))
        second = await _begin_draft(scene)
        assert scene.error_type(await scene.press(north, first, Action.DRAFT_SEND)) is why.NoChallenge
        assert buttons((await scene.press(north, second, Action.DRAFT_DROP)).message) == []
        third = await _begin_draft(scene)
        await scene.press(north, third, Action.DRAFT_SEND)
        late = await click(north, third, Action.DRAFT_RULES, 3, values=["strict"])
        assert scene.error_type(late) is why.ChallengeClosed
        await scene.wait_until_idle()
        # Of the three drafts only the third was sent, so the only posts are its commitment and its invitation.
        assert len(scene.posts) == 2


@pytest.mark.thorough
async def test_a_draft_requires_rules_with_enough_seats(tmp_path: Path) -> None:
    """With three opponents named, rules for three players are refused, and rules for four players are accepted."""
    async with open_scene(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        panel = await _begin_draft(scene, rules="partners", **named)
        refused = scene.error(await scene.choose(scene.north, panel, Action.DRAFT_RULES, "rotation"))
        assert isinstance(refused, why.TooManyNamed)
        assert refused.maximum == 2
        await scene.choose(scene.north, panel, Action.DRAFT_RULES, "penalty")
        await _change_option(scene, panel, "lay_off_mode", "manual")
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        lobby = await scene.wait_for_post(Action.ACCEPT)
        assert (await scene.challenge()).rules == Rules.parse("penalty lay_off_mode=manual")
        assert rules_text.line(Rules.parse("penalty lay_off_mode=manual")) in lobby.text
        assert [person.pushes for person in (scene.south, scene.east, scene.west)] == [[lobby]] * 3


@pytest.mark.thorough
async def test_a_draft_respects_new_preferences(tmp_path: Path) -> None:
    """A draft cannot be sent if the opponent has stopped accepting challenges since the draft was begun."""
    async with open_scene(tmp_path) as scene:
        panel = await _begin_draft(scene, opponent=scene.south)
        await prefer(scene.bot.app, person_of(scene.south), challengers=Challengers.NOBODY)
        assert scene.error_type(await scene.press(scene.north, panel, Action.DRAFT_SEND)) is why.NotWelcome
        await scene.wait_until_idle()
        assert scene.south.pushes == []


@pytest.mark.thorough
async def test_a_draft_does_not_reach_removed_thread_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft cannot be sent to someone who was removed from the private thread after the draft was begun."""
    now = 0.0
    world, thread = world_with_private_thread()
    async with open_scene(tmp_path, world=world) as scene:
        monkeypatch.setattr(scene.bot.client.access, "_clock", lambda: now)
        panel = (await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, options=True)).message
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        now += CACHE_SECONDS
        refused = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert refused.text == CANNOT_PLAY_HERE
        await scene.wait_until_idle()
        assert thread not in scene.south.channels()


@pytest.mark.thorough
async def test_a_clock_is_chosen_in_a_draft(tmp_path: Path) -> None:
    """The menu has the usual clocks and the typed one; the chosen clock is shown and used for the challenge."""
    async with open_scene(tmp_path) as scene:

        async def clock_line() -> str:
            return str(clocks.of_match((await scene.challenge()).clock))

        panel = await _begin_draft(scene, opponent=scene.south, clock="7m+5s")
        assert await clock_line() in panel.text
        assert "7m+5s" in _menu_values(panel, Action.DRAFT_CLOCK)
        await scene.choose(scene.north, panel, Action.DRAFT_CLOCK, "2d flag")
        assert await clock_line() in panel.text
        assert "7m+5s" not in _menu_values(panel, Action.DRAFT_CLOCK)
        await scene.choose(scene.north, panel, Action.DRAFT_RULES, "straight")
        sent = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert str((await scene.challenge()).clock) == "2d flag"
        assert await clock_line() in sent.text
        invitation = await scene.wait_for_post(Action.ACCEPT)
        assert clocks.short((await scene.challenge()).clock).capitalize() in invitation.text
        assert await clock_line() in (await scene.press(scene.south, invitation, Action.CHALLENGE_MORE)).text
        late = await click(scene.north, panel, Action.DRAFT_CLOCK, 1, values=["none"])
        assert scene.error_type(late) is why.ChallengeClosed


# The test below compares the exact wording of a draft's panel.
@pytest.mark.thorough
async def test_a_draft_has_opponent_and_rules(tmp_path: Path) -> None:
    """A draft's panel names the opponent and the rules, and shows the text to type for these rules in a command."""
    async with open_scene(tmp_path) as scene:
        panel = await _begin_draft(scene, opponent=scene.south, rules="oklahoma spade_doubles=on target=50")
        title, opponent_line, typed = panel.text.splitlines()
        assert title == "### Your challenge"
        line = (
            "**Oklahoma** (changed), first to 50 · the upcard sets the knock limit, a spade upcard doubles the points"
        )
        assert opponent_line == f"For <@{scene.south.id}>: {line}"
        assert typed.endswith("`/gin challenge rules: oklahoma spade_doubles=on target=50`")
        dropped = await scene.press(scene.north, panel, Action.DRAFT_DROP)
        assert dropped.text == "Cancelled."
