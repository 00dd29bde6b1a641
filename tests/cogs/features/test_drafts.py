"""Single rules changed before a challenge goes out."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sandbox import Message, NotOfferedError
from bot.values.people import Challengers
from cogs.kit.actions import Action
from cogs.support.access import CACHED_FOR
from tests.cogs.scenes import Scene, clubhouse, labels, menus, person_of, private_thread
from tests.helpers.forgery import click
from tests.helpers.table import prefer

pytestmark = pytest.mark.slow

_PRESET, _PLAY, _SCORING = "Rules …", "Change how it is played …", "Change how it is scored …"
_CLOCK = "Clock …"


async def _draft(scene: Scene, **options: object) -> Message:
    """Have North begin a challenge with a look at the options."""
    return (await scene.use(scene.north, "gin challenge", scene.channel, options=True, **options)).message


def _offered(panel: Message, menu: str) -> list[str]:
    return [option.value for select in panel.selects if select.placeholder == menu for option in select.options]


async def test_a_preset_a_knob_and_a_value_are_chosen_and_sent(tmp_path: Path) -> None:
    """Challenge, table and *Rules* say what was chosen, in the panel's own words, and the match is played by it."""
    async with clubhouse(tmp_path) as scene:
        north, south = scene.north, scene.south
        panel = await _draft(scene, opponent=south, target=60)
        assert panel.ephemeral
        assert menus(panel) == [_PRESET, _PLAY, _SCORING, _CLOCK]
        assert labels(panel) == ["Send the challenge", "Rules", "Discard it"]
        assert "**classic** rules to 60 · the usual rules." in panel.text
        await scene.quiet()
        assert scene.posts == []
        await scene.choose(north, panel, _PRESET, "oklahoma")
        await scene.choose(north, panel, _PLAY, "spade_doubles")
        assert menus(panel) == [_PRESET, _PLAY, "Spade as the upcard …", _SCORING, _CLOCK]
        await scene.choose(north, panel, "Spade as the upcard …", "on")
        await scene.choose(north, panel, _SCORING, "target")
        await scene.choose(north, panel, "Target …", "50")
        line = "**oklahoma** rules (changed) to 50 · the upcard sets the knock limit, a spade doubles"
        assert f"{line}." in panel.text
        assert "`oklahoma spade_doubles=on target=50`" in panel.text
        assert line in (await scene.press(north, panel, "Rules")).text
        sent = await scene.press(north, panel, "Send the challenge")
        assert f"was sent: {line}." in sent.text
        assert sent.message is panel
        invitation = await scene.post("Accept")
        assert line in invitation.text
        assert south.pushes == [invitation]
        rules = (await scene.press(scene.east, invitation, "Rules")).text
        assert f"{line}\n### Different from classic" in rules
        assert "If the first upcard is a spade, everything the deal scores is doubled." in rules
        await scene.press(south, invitation, "Accept")
        await scene.quiet()
        assert "**oklahoma** rules (changed) to 50" in scene.table.text
        assert (await scene.press(scene.east, scene.table, "Rules")).text == rules


async def test_what_makes_no_sense_is_never_offered(tmp_path: Path) -> None:
    """A knob that needs another comes with it and goes with it, and so do values that forbid each other."""
    async with clubhouse(tmp_path) as scene:
        north, panel = scene.north, await _draft(scene)
        assert "spade_doubles" not in _offered(panel, _PLAY)
        await scene.choose(north, panel, _PLAY, "knock_limit")
        await scene.choose(north, panel, "Knock limit …", "upcard")
        assert {"oklahoma_ace", "spade_doubles"} <= {*_offered(panel, _PLAY)}
        await scene.choose(north, panel, _PLAY, "spade_doubles")
        await scene.choose(north, panel, "Spade as the upcard …", "on")
        assert "knock_limit" not in _offered(panel, _PLAY)
        await scene.choose(north, panel, _SCORING, "target")
        assert "none" not in _offered(panel, "Target …")
        await scene.choose(north, panel, _SCORING, "deals")
        await scene.choose(north, panel, "Number of deals …", "5")
        await scene.choose(north, panel, _SCORING, "target")
        assert "none" in _offered(panel, "Target …")
        await scene.choose(north, panel, _PRESET, "quick")
        assert "lay_off_mode" not in _offered(panel, _PLAY)
        await scene.choose(north, panel, _PRESET, "penalty")
        assert not {"line_bonus", "game_bonus", "shutout"} & {*_offered(panel, _SCORING)}
        with pytest.raises(NotOfferedError):
            await north.choose(panel, _SCORING, "line_bonus")


async def test_a_value_that_came_too_late_is_refused(tmp_path: Path) -> None:
    """A menu of an older state may hold what makes no sense now: the draft stays as it is, and the answer says why."""
    async with clubhouse(tmp_path) as scene:
        north, panel = scene.north, await _draft(scene, rules="oklahoma")
        await scene.choose(north, panel, _PLAY, "spade_doubles")
        await scene.choose(north, panel, _PRESET, "classic")
        late = "gin:1:0:choose:draft_value:spade_doubles"
        told = await (await north.choose(panel, late, "on", late=True)).done()
        assert "spade_doubles=on needs knock_limit=upcard" in told.text
        assert "**classic** rules to 100 · the usual rules" in panel.text


async def test_a_draft_is_nobody_elses(tmp_path: Path) -> None:
    """Others neither see nor change it; a new one takes its place, and what was dropped or sent changes no more."""
    async with clubhouse(tmp_path) as scene:
        north, first = scene.north, await _draft(scene)
        assert first not in scene.east.sees(scene.channel)
        assert "no challenge on this server that you can accept" in await scene.ask(scene.south, "accept")
        assert "You have no open challenge to withdraw" in await scene.ask(north, "withdraw")
        for verb in ("draft_send", "draft_drop"):
            with pytest.raises(NotOfferedError):
                await scene.east.press(first, f"gin:1:0:{verb}")
        second = await _draft(scene)
        assert "There is no such challenge" in (await scene.press(north, first, "Send the challenge")).text
        assert "was not sent" in (await scene.press(north, second, "Discard it")).text
        third = await _draft(scene)
        custom_id = next(str(select.custom_id) for select in third.selects if select.placeholder == _PRESET)
        await scene.press(north, third, "Send the challenge")
        late = await (await north.choose(third, custom_id, "strict", late=True)).done()
        assert "That challenge has already been sent" in late.text
        await scene.quiet()
        commitment, _ = scene.posts
        assert commitment.text.startswith("🔒")


async def test_a_draft_for_several_keeps_to_rules_with_places_enough(tmp_path: Path) -> None:
    """With three named only rules for four can be used; the lobby that goes out is by them."""
    async with clubhouse(tmp_path) as scene:
        named = {"opponent": scene.south, "second": scene.east, "third": scene.west}
        panel = await _draft(scene, rules="partners", **named)
        refused = await scene.choose(scene.north, panel, _PRESET, "rotation")
        assert "These rules are for you and up to 2 others" in refused.text
        await scene.choose(scene.north, panel, _PRESET, "penalty")
        await scene.choose(scene.north, panel, _PLAY, "lay_off_mode")
        await scene.choose(scene.north, panel, "Who chooses lay-offs …", "manual")
        await scene.press(scene.north, panel, "Send the challenge")
        lobby = await scene.post("Join")
        assert "opens a table for 2 to 4: **penalty** rules (changed) to 100" in lobby.text
        assert "lay-offs by hand" in lobby.text
        assert [person.pushes for person in (scene.south, scene.east, scene.west)] == [[lobby]] * 3


async def test_a_draft_is_sent_to_nobody_who_stopped_taking_challenges(tmp_path: Path) -> None:
    """What its opponent chose after it was begun holds when it is sent."""
    async with clubhouse(tmp_path) as scene:
        panel = await _draft(scene, opponent=scene.south)
        await prefer(scene.alive.app, person_of(scene.south), challengers=Challengers.NOBODY)
        refused = await scene.press(scene.north, panel, "Send the challenge")
        assert "not taking challenges right now" in refused.text
        await scene.quiet()
        assert scene.south.pushes == []


async def test_a_draft_is_sent_to_nobody_who_lost_the_channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whom somebody removed from a private thread is not brought back there by a draft that names them."""
    now = 0.0
    world, thread = private_thread()
    async with clubhouse(tmp_path, world=world) as scene:
        monkeypatch.setattr(scene.alive.client.access, "_clock", lambda: now)
        panel = (await scene.use(scene.north, "gin challenge", thread, opponent=scene.south, options=True)).message
        scene.sandbox.moderation.remove_from_thread(thread, scene.south.user)
        now += CACHED_FOR
        assert "cannot see this channel" in (await scene.press(scene.north, panel, "Send the challenge")).text
        await scene.quiet()
        assert thread not in scene.south.channels()


async def test_a_clock_is_chosen_in_a_draft(tmp_path: Path) -> None:
    """The menu has the usual ones and the one that was typed, which are both sent with the challenge."""
    async with clubhouse(tmp_path) as scene:
        panel = await _draft(scene, opponent=scene.south, clock="7m+5s")
        assert "Clock: 7 minutes each, and 5 seconds more per turn." in panel.text
        assert "7m+5s" in _offered(panel, _CLOCK)
        await scene.choose(scene.north, panel, _CLOCK, "2d flag")
        assert "Clock: 2 days per turn. Whoever has no time left loses." in panel.text
        assert "7m+5s" not in _offered(panel, _CLOCK)
        await scene.choose(scene.north, panel, _PRESET, "straight")
        sent = await scene.press(scene.north, panel, "Send the challenge")
        assert "Clock: 2 days per turn." in sent.text
        assert "Clock: 2 days per turn." in (await scene.post("Accept")).text
        late = await click(scene.north, panel, Action.DRAFT_CLOCK, 1, values=["none"])
        assert "That challenge has already been sent" in late.text


async def test_a_clock_that_was_never_offered_is_refused(tmp_path: Path) -> None:
    """What a menu does not have changes no draft."""
    async with clubhouse(tmp_path) as scene:
        panel = await _draft(scene)
        made = await click(scene.north, panel, Action.DRAFT_CLOCK, 1, values=["tomorrow"])
        assert "There is no clock called **⁨tomorrow⁩**." in made.text
        assert "Clock:" not in panel.text
