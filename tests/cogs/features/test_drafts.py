"""Rules of a challenge are changed one by one before it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from bot.engine.rules import Rules
from bot.play import refusals as why
from bot.sandbox import Message, NotOfferedError
from bot.values.challenges import ChallengeStatus
from bot.values.ids import PersonId
from bot.values.people import Challengers
from cogs.kit.actions import Action
from cogs.support.access import CACHED_FOR
from cogs.support.choosing import NO_CHALLENGE
from cogs.text import clocks, refusals
from cogs.text import rules as rules_text
from tests.cogs.scenes import Scene, buttons, clubhouse, menus, person_of, private_thread
from tests.helpers.components import find_menu
from tests.helpers.forgery import click
from tests.helpers.table import prefer

_MENUS: Final = [Action.DRAFT_RULES, Action.DRAFT_OPTION, Action.DRAFT_OPTION, Action.DRAFT_CLOCK]


async def _draft(scene: Scene, **options: object) -> Message:
    """Have North begin a challenge with `options`, and return its panel."""
    return (await scene.use(scene.north, "gin challenge", scene.channel, options=True, **options)).message


def _offered(panel: Message, action: Action, argument: str | None = None) -> Sequence[str]:
    menu = find_menu(panel, action, argument)
    assert menu is not None
    return menu.values


async def _change(scene: Scene, panel: Message, option: str, value: str) -> None:
    await scene.choose(scene.north, panel, Action.DRAFT_OPTION, option)
    await scene.choose(scene.north, panel, Action.DRAFT_VALUE, value)


async def test_a_preset_a_knob_and_a_value_are_chosen_and_sent(tmp_path: Path) -> None:
    """The panel and the challenge show the chosen rules, and nothing is posted before *Send the challenge*."""
    async with clubhouse(tmp_path) as scene:
        north, south = scene.north, scene.south
        panel = await _draft(scene, opponent=south, target=60)
        assert panel.ephemeral
        assert menus(panel) == _MENUS
        assert buttons(panel) == [Action.DRAFT_SEND, Action.CHALLENGE_RULES, Action.DRAFT_DROP]
        assert (await scene.challenge()).rules == Rules.parse("classic target=60")
        assert scene.posts == []
        await scene.choose(north, panel, Action.DRAFT_RULES, "oklahoma")
        await scene.choose(north, panel, Action.DRAFT_OPTION, "spade_doubles")
        assert menus(panel) == [*_MENUS[:2], Action.DRAFT_VALUE, *_MENUS[2:]]
        await scene.choose(north, panel, Action.DRAFT_VALUE, "on")
        await _change(scene, panel, "target", "50")
        chosen = Rules.parse("oklahoma spade_doubles=on target=50")
        line = rules_text.line(chosen)
        assert line in panel.text
        assert f"`{rules_text.written(chosen)}`" in panel.text
        sent = await scene.press(north, panel, Action.DRAFT_SEND)
        assert sent.message is panel
        assert line in panel.text
        invitation = await scene.post(Action.ACCEPT)
        assert line in invitation.text
        assert south.pushes == [invitation]
        challenge = await scene.challenge()
        assert (challenge.rules, challenge.status) == (chosen, ChallengeStatus.PENDING)


@pytest.mark.thorough
async def test_rules_are_explained_from_the_draft_to_the_table(tmp_path: Path) -> None:
    """The draft, the invitation and the table show the same rules page, and the match uses these rules."""
    async with clubhouse(tmp_path) as scene:
        rules = "oklahoma spade_doubles=on target=50"
        panel = await _draft(scene, opponent=scene.south, rules=rules)
        page = (await scene.press(scene.north, panel, Action.CHALLENGE_RULES)).text
        assert rules_text.explained(Rules.parse(rules)) in page
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        invitation = await scene.post(Action.ACCEPT)
        assert (await scene.press(scene.east, invitation, Action.CHALLENGE_RULES)).text == page
        await scene.press(scene.south, invitation, Action.ACCEPT)
        await scene.quiet()
        assert (await scene.match()).rules == Rules.parse(rules)
        assert rules_text.name(Rules.parse(rules)) in scene.table.text
        assert (await scene.press(scene.east, scene.table, Action.SHOW_RULES)).text == page


@pytest.mark.thorough
async def test_what_makes_no_sense_is_never_offered(tmp_path: Path) -> None:
    """An option that depends on another appears and disappears with it; values that exclude each other do too."""
    async with clubhouse(tmp_path) as scene:
        north, panel = scene.north, await _draft(scene)
        assert "spade_doubles" not in _offered(panel, Action.DRAFT_OPTION)
        await _change(scene, panel, "knock_limit", "upcard")
        assert {"oklahoma_ace", "spade_doubles"} <= {*_offered(panel, Action.DRAFT_OPTION)}
        await _change(scene, panel, "spade_doubles", "on")
        assert "knock_limit" not in _offered(panel, Action.DRAFT_OPTION)
        await scene.choose(north, panel, Action.DRAFT_OPTION, "target")
        assert "none" not in _offered(panel, Action.DRAFT_VALUE)
        await _change(scene, panel, "deals", "5")
        await scene.choose(north, panel, Action.DRAFT_OPTION, "target")
        assert "none" in _offered(panel, Action.DRAFT_VALUE)
        await scene.choose(north, panel, Action.DRAFT_RULES, "quick")
        assert "lay_off_mode" not in _offered(panel, Action.DRAFT_OPTION)
        await scene.choose(north, panel, Action.DRAFT_RULES, "penalty")
        assert not {"line_bonus", "game_bonus", "shutout"} & {*_offered(panel, Action.DRAFT_OPTION, "scoring")}
        with pytest.raises(NotOfferedError):
            await scene.choose(north, panel, Action.DRAFT_OPTION, "line_bonus", argument="scoring")


async def test_a_value_that_came_too_late_is_refused(tmp_path: Path) -> None:
    """An outdated option in an old menu, or a clock that does not exist, is refused and the draft does not change."""
    async with clubhouse(tmp_path) as scene:
        north, panel = scene.north, await _draft(scene, rules="oklahoma")
        await scene.choose(north, panel, Action.DRAFT_RULES, "classic")
        late = await click(north, panel, Action.DRAFT_VALUE, 1, argument="spade_doubles", values=["on"])
        assert scene.refusal(late) is why.UnknownRules
        never = await click(north, panel, Action.DRAFT_CLOCK, 1, values=["tomorrow"])
        assert scene.refusal(never) is why.UnknownClock
        draft = await scene.challenge()
        assert (draft.rules, str(draft.clock)) == (Rules(), "none")


@pytest.mark.thorough
async def test_a_draft_is_nobody_elses(tmp_path: Path) -> None:
    """Others cannot see or change a draft. A new draft replaces it, and one that was dropped or sent is closed."""
    async with clubhouse(tmp_path) as scene:
        north, first = scene.north, await _draft(scene)
        assert first not in scene.east.sees(scene.channel)
        assert await scene.ask(scene.south, "accept") == NO_CHALLENGE[Action.ACCEPT]
        assert await scene.ask(north, "withdraw") == NO_CHALLENGE[Action.WITHDRAW]
        for action in (Action.DRAFT_SEND, Action.DRAFT_DROP):
            forged = await click(scene.east, first, action, 1)
            assert forged.text == refusals.text(why.NoChallenge(), PersonId(scene.east.id))
        second = await _draft(scene)
        assert scene.refusal(await scene.press(north, first, Action.DRAFT_SEND)) is why.NoChallenge
        assert buttons((await scene.press(north, second, Action.DRAFT_DROP)).message) == []
        third = await _draft(scene)
        await scene.press(north, third, Action.DRAFT_SEND)
        late = await click(north, third, Action.DRAFT_RULES, 3, values=["strict"])
        assert scene.refusal(late) is why.ChallengeClosed
        await scene.quiet()
        # The commitment and the invitation.
        assert len(scene.posts) == 2


@pytest.mark.thorough
async def test_a_draft_for_several_keeps_to_rules_with_places_enough(tmp_path: Path) -> None:
    """With three people named, rules for three players are refused; rules for four can be chosen and are used."""
    async with clubhouse(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        panel = await _draft(scene, rules="partners", **named)
        refused = scene.error(await scene.choose(scene.north, panel, Action.DRAFT_RULES, "rotation"))
        assert isinstance(refused, why.TooManyNamed)
        assert refused.most == 2
        await scene.choose(scene.north, panel, Action.DRAFT_RULES, "penalty")
        await _change(scene, panel, "lay_off_mode", "manual")
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        lobby = await scene.post(Action.ACCEPT)
        assert (await scene.challenge()).rules == Rules.parse("penalty lay_off_mode=manual")
        assert rules_text.line(Rules.parse("penalty lay_off_mode=manual")) in lobby.text
        assert [person.pushes for person in (scene.south, scene.east, scene.west)] == [[lobby]] * 3


@pytest.mark.thorough
async def test_a_draft_is_sent_to_nobody_who_stopped_taking_challenges(tmp_path: Path) -> None:
    """A draft is refused if its opponent has stopped accepting challenges since it was begun."""
    async with clubhouse(tmp_path) as scene:
        panel = await _draft(scene, opponent=scene.south)
        await prefer(scene.alive.app, person_of(scene.south), challengers=Challengers.NOBODY)
        assert scene.refusal(await scene.press(scene.north, panel, Action.DRAFT_SEND)) is why.NotWelcome
        await scene.quiet()
        assert scene.south.pushes == []


@pytest.mark.thorough
async def test_a_draft_is_sent_to_nobody_who_lost_the_channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A draft does not bring someone back into a private thread from which they were removed."""
    now = 0.0
    world, thread = private_thread()
    async with clubhouse(tmp_path, world=world) as scene:
        monkeypatch.setattr(scene.alive.client.access, "_clock", lambda: now)
        panel = (await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, options=True)).message
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        now += CACHED_FOR
        refused = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert refused.text == refusals.CANNOT_PLAY_HERE
        await scene.quiet()
        assert thread not in scene.south.channels()


@pytest.mark.thorough
async def test_a_clock_is_chosen_in_a_draft(tmp_path: Path) -> None:
    """The menu has the usual clocks and the typed one; the chosen clock is shown and used for the challenge."""
    async with clubhouse(tmp_path) as scene:

        async def told() -> str:
            return str(clocks.of_match((await scene.challenge()).clock))

        panel = await _draft(scene, opponent=scene.south, clock="7m+5s")
        assert await told() in panel.text
        assert "7m+5s" in _offered(panel, Action.DRAFT_CLOCK)
        await scene.choose(scene.north, panel, Action.DRAFT_CLOCK, "2d flag")
        assert await told() in panel.text
        assert "7m+5s" not in _offered(panel, Action.DRAFT_CLOCK)
        await scene.choose(scene.north, panel, Action.DRAFT_RULES, "straight")
        sent = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert str((await scene.challenge()).clock) == "2d flag"
        assert await told() in sent.text
        assert await told() in (await scene.post(Action.ACCEPT)).text
        late = await click(scene.north, panel, Action.DRAFT_CLOCK, 1, values=["none"])
        assert scene.refusal(late) is why.ChallengeClosed


# The texts of this feature.
@pytest.mark.thorough
async def test_a_draft_says_what_it_is_for(tmp_path: Path) -> None:
    """The panel names the opponent, and shows how to type the rules."""
    async with clubhouse(tmp_path) as scene:
        panel = await _draft(scene, opponent=scene.south, rules="oklahoma spade_doubles=on target=50")
        title, whom, typed = panel.text.splitlines()
        assert title == "### Your challenge, before it is sent"
        line = "**oklahoma** rules (changed) to 50 · the upcard sets the knock limit, a spade doubles"
        assert whom == f"For <@{scene.south.id}>: {line}."
        written = "`oklahoma spade_doubles=on target=50`"
        assert typed == f"-# Written out: {written}. `/gin challenge rules:` takes this too, with any numbers."
        dropped = await scene.press(scene.north, panel, Action.DRAFT_DROP)
        assert dropped.text == "Your challenge was not sent."
