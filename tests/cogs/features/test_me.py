"""One's own preferences and data."""

from __future__ import annotations

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest

from bot.sandbox import Interaction, Message, Refuse, ServerError, World
from cogs.features import me
from cogs.kit.actions import Action
from cogs.kit.admission import MOST_AT_ONCE
from cogs.kit.answers import Answer
from cogs.kit.components import MENU_SIZE
from cogs.panels.settings import CHANGE
from cogs.support import long_work
from cogs.text.refusals import NO_DIALOG, OLD_BUTTON, STILL_WORKING, VERY_BUSY
from tests.cogs.scenes import Scene, at_table, clubhouse, hands, labels, menus
from tests.helpers.exports import read_export
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE

pytestmark = pytest.mark.slow

_HAND, _PUSH, _WHO = Action.PREFER_HAND, Action.PREFER_PUSH, Action.PREFER_CHALLENGERS
_LOOK, _ORDER, _NAMES = Action.PREFER_APPEARANCE, Action.PREFER_ORDER, Action.PREFER_LANGUAGE


def hold_exports(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let exports go on only once the event is set."""
    released, exports = asyncio.Event(), scene.alive.app.exports
    real = exports.export

    async def export(*arguments: Any) -> dict[str, Any]:
        await released.wait()
        return await real(*arguments)

    monkeypatch.setattr(exports, "export", export)
    return released


async def test_preferences_show_what_is_chosen_and_change_in_place(tmp_path: Path) -> None:
    """A line for each, and one menu that opens one of them in the same private message; *Back* changes nothing."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        before = panel.text
        assert "**My hand:** by direct message\n**My turn:** a direct message\n**Challenges:** from anyone" in before
        assert len(panel.selects) == 1
        for menu in (_HAND, _PUSH, _WHO, _LOOK, _ORDER, _NAMES):
            await scene.choose(scene.north, panel, CHANGE, menu)
            assert len(panel.selects) == 1
            await scene.press(scene.north, panel, "Back")
            assert panel.text == before
        now = {_HAND: "no", _PUSH: "both", _WHO: "nobody", _LOOK: "dark-four", _ORDER: "suit", _NAMES: "nl"}
        for menu, value in now.items():
            assert (await scene.change(scene.north, panel, menu, value)).message is panel
            assert "**Saved.**" in panel.text
        for line in (
            "**My hand:** only when I ask",
            "**Pictures:** dark, suits in four colours",
            "**Order of my hand:** by suit",
            "**Names of cards:** Nederlands, A H V B",
        ):
            assert line in panel.text
        await scene.choose(scene.north, panel, CHANGE, _LOOK)
        assert panel.text == "### Your preferences · Pictures\nNow: dark, suits in four colours"
        assert [one.value for menu in panel.selects for one in menu.options if one.default] == ["dark-four"]
        again = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        assert "**Order of my hand:** by suit" in again.text


async def test_an_old_menu_of_preferences_still_works(tmp_path: Path) -> None:
    """A message from when each preference had its own menu changes it, and becomes a new one."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        made = await click(scene.north, panel, Action.PREFER_ORDER, "me", values=["rank"])
        assert "**Order of my hand:** by rank" in made.text


async def test_a_hand_comes_and_goes_with_the_preference(tmp_path: Path) -> None:
    """Switched off, the hand is taken out of the direct messages; switched on, it comes at once."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, _HAND, "no")
        await scene.sandbox.until(lambda: not hands(scene.south))
        await scene.change(scene.south, panel, _HAND, "yes")
        assert len(await scene.sandbox.until(lambda: hands(scene.south))) == 1


async def test_a_hand_is_drawn_in_its_owners_look(tmp_path: Path) -> None:
    """The choice reaches the hand that is there already; the table and the other's hand stay as they are."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.quiet()
        before = {person.name: hands(person)[0].images[0].content for person in (scene.north, scene.south)}
        table = scene.table.images[0].content
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.change(scene.north, panel, _LOOK, "dark-four")
        await scene.sandbox.until(lambda: hands(scene.north)[0].images[0].content != before["North"])
        await scene.quiet()
        assert hands(scene.south)[0].images[0].content == before["South"]
        assert scene.table.images[0].content == table


async def test_who_wants_no_pictures_has_none(tmp_path: Path) -> None:
    """The hand that is there loses its picture, the help comes without; both come back with a look that is chosen."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        await scene.quiet()
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change(north, panel, _LOOK, "none")
        assert "**Pictures:** none, text only" in panel.text
        await scene.sandbox.until(lambda: not hands(north)[0].attachments)
        assert "Melds: A♣ 2♣ 3♣" in hands(north)[0].text
        for command in ("hand", "help"):
            assert not (await scene.use(north, f"gin {command}", scene.channel)).message.attachments
        assert hands(scene.south)[0].images
        assert scene.table.images
        await scene.change(north, panel, _LOOK, "dark-two")
        await scene.sandbox.until(lambda: hands(north)[0].images)
        assert (await scene.use(north, "gin help", scene.channel)).message.images


async def test_a_hand_is_sorted_and_named_as_its_owner_likes(tmp_path: Path) -> None:
    """In words, in the picture's own words, on buttons and in menus; the other's and the table's are as they were."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change(north, panel, _ORDER, "rank")
        await scene.change(north, panel, _NAMES, "de")
        await scene.ask(north, "take")
        await scene.quiet()
        hand = await scene.turn(north)
        assert (hand.images[0].alt or "").startswith(
            "Your hand: A♣ 2♣ 3♣ 4♦ 5♦. Second row: 6♦ D♥ K♣ K♦ K♥. New card: 2♦. Run"
        )
        assert labels(hand)[:10] == ["A♣", "2♣", "3♣", "4♦", "5♦", "6♦", "D♥", "K♣", "K♦", "K♥"]
        assert "such as `Kd` for K♦ or `10h` for 10♥, or its name, such as *Karo-König*" in await scene.ask(
            north, "discard", card="Herz"
        )
        assert "You do not hold **D♠**" in await scene.ask(north, "discard", card="Pik-Dame")
        assert "You discarded D♥." in await scene.ask(north, "discard", card="herz dame")
        await scene.quiet()
        assert "⁨North⁩ took 2♦ and discarded Q♥" in scene.table.text
        assert labels(await scene.turn(scene.south)) == ["Draw", "Take Q♥"]
        assert "discarded D♥" in (await scene.hand(north)).text


async def test_cards_complete_in_the_persons_language(tmp_path: Path) -> None:
    """By the letters and names that they know, and by the English ones still."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change(north, panel, _NAMES, "fr")
        await scene.ask(north, "take")
        for typed in ("dame", "D♥", "dame de cœ", "queen", "qh"):
            asked = await north.complete("gin discard", scene.channel, option="card", value=typed)
            offered = [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]
            assert offered == [("D♥, leaving 2", "Qh")]


async def test_who_opens_their_direct_messages_says_so(tmp_path: Path) -> None:
    """Closed at first, opened since: choosing the hand by direct message brings it, and the panel complains no more."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        assert "I cannot send you direct messages" in panel.text
        scene.south.user.open_dms = True
        await scene.change(scene.south, panel, _HAND, "yes")
        assert "I cannot send you direct messages" not in panel.text
        assert len(await scene.sandbox.until(lambda: hands(scene.south))) == 1


async def test_direct_messages_are_tried_at_once(tmp_path: Path) -> None:
    """*Try again now* says whether it worked, and goes with the complaint; the hand then comes by itself."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        assert "Discord still lets me send you none" in (await scene.press(scene.south, panel, "Try again now")).text
        scene.sandbox.faults.requests(ServerError(503), on="POST /users/@me/channels", times=9)
        scene.sandbox.faults.requests(ServerError(503), on=f"POST /channels/{scene.south.dm.id}/messages", times=9)
        scene.south.user.open_dms = True
        assert "Discord did not say" in (await scene.press(scene.south, panel, "Try again now")).text
        scene.sandbox.faults.clear()
        assert "That worked" in (await scene.press(scene.south, panel, "Try again now")).text
        assert labels(panel) == []
        assert "Direct messages work" in scene.south.direct_messages()[0].text
        await scene.sandbox.until(lambda: hands(scene.south))


async def test_who_may_challenge_is_kept(tmp_path: Path) -> None:
    """Nobody, or only people one has played with: others are refused, and told what else they may do."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, _WHO, "played")
        refused = await scene.ask(scene.east, "challenge", opponent=scene.south)
        assert f"<@{scene.south.id}> is not taking challenges right now" in refused
        assert "was sent" in await scene.ask(scene.north, "challenge", opponent=scene.south)
        await scene.change(scene.south, panel, _WHO, "nobody")
        assert "is not taking challenges right now" in await scene.ask(scene.north, "challenge", opponent=scene.south)
        await scene.quiet()
        assert scene.south.pushes[-1].text.startswith("### A challenge")


async def test_an_export_is_a_file_without_the_others_cards(tmp_path: Path) -> None:
    """The file holds the own hand of the deal in play and not the other's, and nobody else sees it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        assert labels(panel) == ["Export", "Forget me"]
        exported = await scene.press(scene.north, panel, "Export")
        (file,) = exported.messages[-1].attachments
        assert file.filename == "deadwood.zip"
        kept = read_export([file.content])
        assert kept["person"]["id"] == scene.north.id
        (match,) = kept["matches"]
        assert "Qh" in match["deal_in_play"]["hand"]
        assert not any(card in json.dumps(kept) for card in ("Th", "8s", "4h"))
        assert exported.messages[-1] not in scene.south.sees(scene.channel)


async def test_a_large_export_comes_in_parts_and_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What Discord would not take as one file comes as several, and together they hold everything."""
    monkeypatch.setattr(me, "TELL_EVERY", 0.0)
    monkeypatch.setattr(me, "LARGEST_FILE", me.ARCHIVE_SLACK + 1)
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        edits = list[str]()
        scene.sandbox.journal.observers.append(lambda request: edits.append(str(request.payload)))
        exported = await scene.press(scene.north, panel, "Export")
        await scene.sandbox.until(lambda: len(exported.messages) == 2)
        parts = exported.messages
        assert ["Part 1 of 2" in parts[0].text, "Part 2 of 2" in parts[1].text] == [True, True]
        assert any("1 of 1 matches so far" in edit for edit in edits)
        kept = read_export([part.attachments[0].content for part in parts])
        assert kept["person"]["id"] == scene.north.id
        assert len(kept["matches"]) == 1


async def test_an_export_that_cannot_say_how_far_it_is_still_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord refuses the line about it: the file comes all the same, and no error is left for nobody to hear of."""
    monkeypatch.setattr(me, "TELL_EVERY", 0.0)
    unheard = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        refused = scene.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback", times=1)
        exported = await (await scene.north.press(panel, "Export")).done()
        assert refused.hits == 1
        assert exported.messages[-1].attachments
    gc.collect()
    assert unheard == []


async def test_one_person_exports_once_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second export is refused until the first is there; somebody else's is not."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        released = hold_exports(scene, monkeypatch)
        panels = [(await scene.use(one, "gin me privacy", scene.channel)).message for one in (scene.north, scene.south)]
        first = await scene.north.press(panels[0], "Export")
        assert (await scene.press(scene.north, panels[0], "Export")).text == STILL_WORKING
        other = await scene.south.press(panels[1], "Export")
        released.set()
        for one in (first, other):
            assert (await one.done()).messages[-1].attachments


@pytest.mark.parametrize("command", ["gin-stats profile", "gin replay"])
async def test_other_long_work_waits_for_its_turn_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Somebody who exports has neither a profile nor a replay drawn meanwhile."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        released = hold_exports(scene, monkeypatch)
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        exporting = await scene.north.press(panel, "Export")
        assert (await scene.use(scene.north, command, scene.channel)).text == STILL_WORKING
        released.set()
        await exporting.done()
        assert (await scene.use(scene.north, command, scene.channel)).text != STILL_WORKING


async def test_many_who_export_do_not_keep_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a bound, those who ask for long work are told to try again: else they would take all answers at once."""
    assert long_work.MOST_WAITING < MOST_AT_ONCE / 2
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        monkeypatch.setattr(scene.alive.client.long_work, "_most_waiting", 1)
        released = hold_exports(scene, monkeypatch)
        panels = [(await scene.use(one, "gin me privacy", scene.channel)).message for one in (scene.north, scene.south)]
        first = await scene.north.press(panels[0], "Export")
        assert (await scene.press(scene.south, panels[1], "Export")).text == VERY_BUSY
        released.set()
        await first.done()
        assert (await scene.press(scene.south, panels[1], "Export")).messages[-1].attachments


async def test_forgetting_is_asked_once_more_and_leaves_an_empty_seat(tmp_path: Path) -> None:
    """*Keep everything* keeps it; *Forget me* resigns, removes the hands, the name and the place on the leaderboard."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        await scene.press(scene.north, panel, "Forget me")
        assert "This cannot be undone" in panel.text
        await scene.press(scene.north, panel, "Keep everything")
        assert "What I keep about you" in panel.text
        await scene.press(scene.north, panel, "Forget me")
        told = await scene.press(scene.north, panel, "Forget me")
        assert "I have forgotten you. 1 running match was resigned" in told.text
        end = await scene.sandbox.until(lambda: [post for post in scene.posts if "resigned" in post.text])
        assert "⁨South⁩ wins: someone who left resigned" in end[-1].text
        assert "Rematch" not in labels(end[-1])
        await scene.sandbox.until(lambda: not hands(scene.north))
        assert "⁨North⁩" not in await scene.ask(scene.south, "leaderboard")
        exported = await scene.use(scene.north, "gin me privacy", scene.channel)
        file = (await scene.press(scene.north, exported.message, "Export")).messages[-1].attachments[0]
        assert read_export([file.content])["person"] is None


async def test_a_name_that_somebody_uses_on_one_server_stays_there(tmp_path: Path) -> None:
    """Whatever they do there, other servers show the name of their account."""
    world = World.default()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people["South"], people["North"]])
    kitchen = world.add_channel(family, "kitchen")
    family.members[people["North"].id].nick = "Jane"
    async with at_table(tmp_path, GIN_AT_ONCE, world=world) as scene:
        await scene.ask(scene.north, "pass")
        await scene.ask(scene.north, "challenge", kitchen)
        await scene.use(scene.north, "gin-stats profile", kitchen)
        await scene.ask(scene.south, "pass")
        await scene.quiet()
        assert "Jane" not in scene.table.text
        assert "\u2068North\u2069" in scene.table.text


async def _completed(scene: Scene, option: str, typed: str) -> list[str]:
    """Return what is offered to North for an option of the preferences."""
    offered = await scene.north.complete("gin me preferences", option=option, value=typed)
    return [choice["value"] for choice in (await offered.answer()).choices]


async def test_reminders_and_nudges_are_preferences(tmp_path: Path) -> None:
    """Each has its line and its menu, like the others."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        assert "**Reminders:** before my time is up\n**Nudges:** from those who wait for me" in panel.text
        for action, value in ((Action.PREFER_REMINDERS, "off"), (Action.PREFER_NUDGES, "no")):
            await scene.change(scene.north, panel, action, value)
        assert "**Reminders:** never\n**Nudges:** from nobody" in panel.text
        await scene.change(scene.north, panel, Action.PREFER_REMINDERS, "daily")
        assert "**Reminders:** every day" in panel.text


async def test_quiet_hours_are_given_with_completion(tmp_path: Path) -> None:
    """Zones and hours are offered as one types; a part that is given keeps the rest; `off` ends them."""
    async with clubhouse(tmp_path) as scene:

        async def told(**options: Any) -> str:
            return (await scene.use(scene.north, "gin me preferences", **options)).text

        assert "**Quiet hours:** none" in await told()
        assert await _completed(scene, "time_zone", "new york") == ["America/New_York"]
        assert await _completed(scene, "time_zone", "Zürich") == ["Europe/Zurich"]
        assert (await _completed(scene, "time_zone", "EST"))[0] == "America/New_York"
        assert await _completed(scene, "quiet_from", "2") == ["20:00", "21:00", "22:00", "23:00", "2:00"]
        assert (await _completed(scene, "quiet_to", ""))[0] == "off"
        assert await _completed(scene, "quiet_to", "o") == ["off"]
        chosen = await told(time_zone="America/New_York")
        assert "**Saved.**" in chosen
        assert "**Quiet hours:** 22:00 to 8:00, America/New_York" in chosen
        assert "**Quiet hours:** 22:00 to 7:30, America/New_York" in await told(quiet_to="7:30")
        assert "**Quiet hours:** 23:00 to 7:30, America/New_York" in await told(quiet_from="23")
        assert "**Quiet hours:** none" in await told(quiet_from="off")
        assert "**Quiet hours:** 21:00 to 8:00, America/New_York" in await told(quiet_from="21:00")


async def test_quiet_hours_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """The answer says what was meant, and how to write it; nothing changes."""
    async with clubhouse(tmp_path) as scene:
        refused: dict[str, dict[str, Any]] = {
            "There is no time zone called **⁨Atlantis⁩**": {"time_zone": "Atlantis"},
            "I cannot read ⁨25⁩ as a time of day. Write it like `22:00` or `7:30`.": {"quiet_from": "25"},
            "I cannot read ⁨noon⁩ as a time of day.": {"time_zone": "Europe/Paris", "quiet_to": "noon"},
        }
        for text, options in refused.items():
            assert text in (await scene.use(scene.north, "gin me preferences", **options)).text
        assert "**Quiet hours:** none" in (await scene.use(scene.north, "gin me preferences")).text


async def _type_time_zone(scene: Scene, panel: Message, label: str, typed: str) -> Interaction:
    """Let North press the button for a time zone and type one."""
    dialog = (await scene.press(scene.north, panel, label)).modal
    return await (await scene.north.submit(dialog, {"A large city near you": typed})).done()


async def test_quiet_hours_are_set_among_the_preferences(tmp_path: Path) -> None:
    """First the time zone, typed in a dialog; then a menu for each end, in the same message; and *No quiet hours*."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, CHANGE, "Quiet hours")
        assert "choose your time zone first" in panel.text
        assert panel.selects == []
        assert labels(panel) == ["Choose your time zone", "Back"]
        typed = await _type_time_zone(scene, panel, "Choose your time zone", "paris")
        assert typed.message is panel
        assert "**Saved.**" in panel.text
        assert "Now: 22:00 to 8:00, Europe/Paris" in panel.text
        begin, end = panel.selects
        assert [option.label for option in begin.options[:2]] == ["No quiet hours", "From 18:00"]
        assert "8:00" not in [option.value for option in begin.options]
        assert "Until 22:00" not in [option.label for option in end.options]
        await scene.choose(scene.north, panel, "From 22:00 …", "From 23:00")
        assert "Now: 23:00 to 8:00, Europe/Paris" in panel.text
        await scene.choose(scene.north, panel, "Until 8:00 …", "Until 7:00")
        assert "Now: 23:00 to 7:00, Europe/Paris" in panel.text
        await scene.choose(scene.north, panel, "From 23:00 …", "No quiet hours")
        assert "Now: none\nTime zone: Europe/Paris" in panel.text
        assert len(panel.selects) == 1
        await scene.choose(scene.north, panel, "From …", "From 21:00")
        await scene.press(scene.north, panel, "Back")
        assert "**Quiet hours:** 21:00 to 8:00, Europe/Paris" in panel.text


async def test_a_time_zone_is_chosen_among_those_that_fit(tmp_path: Path) -> None:
    """Several that have what was typed are a menu; none is refused as the command refuses it, and changes nothing."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        await scene.choose(scene.north, panel, CHANGE, "Quiet hours")
        refused = await _type_time_zone(scene, panel, "Choose your time zone", "Atlantis")
        assert "There is no time zone called **⁨Atlantis⁩**. Type another large city near you" in refused.text
        assert refused.message is not panel
        await _type_time_zone(scene, panel, "Choose your time zone", "PST")
        assert "These time zones fit **⁨PST⁩**." in panel.text
        assert panel.selects[0].options[0].value == "America/Los_Angeles"
        await _type_time_zone(scene, panel, "Type again", "america")
        assert "There are more: type more of the name" in panel.text
        assert len(panel.selects[0].options) == MENU_SIZE
        await _type_time_zone(scene, panel, "Type again", " ")
        assert "choose" not in panel.text
        await _type_time_zone(scene, panel, "Type again", "los ang")
        assert "Now: 22:00 to 8:00, America/Los_Angeles" in panel.text
        await _type_time_zone(scene, panel, "Change time zone", "UTC+1")
        await scene.choose(scene.north, panel, "Your time zone …", "Europe/Berlin")
        assert "Now: 22:00 to 8:00, Europe/Berlin" in panel.text
        await _type_time_zone(scene, panel, "Change time zone", "Istanbul")
        assert "Now: 22:00 to 8:00, Europe/Istanbul" in panel.text
        await _type_time_zone(scene, panel, "Change time zone", "são paulo")
        assert "Now: 22:00 to 8:00, America/Sao_Paulo" in panel.text


async def test_half_hours_that_a_command_set_are_told_and_kept(tmp_path: Path) -> None:
    """The menu has whole hours; it says what is set beside them, and the other end can be changed alone."""
    async with clubhouse(tmp_path) as scene:
        options = {"time_zone": "Europe/Paris", "quiet_from": "22:30", "quiet_to": "7:30"}
        panel = (await scene.use(scene.north, "gin me preferences", **options)).message
        await scene.choose(scene.north, panel, CHANGE, "Quiet hours")
        assert menus(panel) == ["From 22:30 …", "Until 7:30 …"]
        await scene.choose(scene.north, panel, "Until 7:30 …", "Until 9:00")
        assert "Now: 22:30 to 9:00, Europe/Paris" in panel.text


async def test_hours_and_time_zones_that_no_menu_offers_are_unknown(tmp_path: Path) -> None:
    """They are answered like old buttons, and nothing is saved."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        hours, zone = Action.PREFER_QUIET_HOURS, Action.PREFER_TIME_ZONE
        for action, argument, value in (
            (hours, "begin", "24:00"),
            (hours, "end", "off"),
            (hours, None, "22:00"),
            (zone, None, "paris"),
            (Action.TAKE_HOLIDAY, None, "15"),
        ):
            made = await click(scene.north, panel, action, "me", argument=argument, values=[value])
            assert made.text == OLD_BUTTON
        assert "**Quiet hours:** none\n**Holiday:** none" in (await scene.use(scene.north, "gin me preferences")).text


async def test_a_dialog_that_comes_too_late_is_asked_for_again(tmp_path: Path) -> None:
    """Discord takes a dialog as a first response only: whoever has been deferred is told to press again."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        await scene.choose(scene.north, panel, CHANGE, "Quiet hours")
        admit = scene.alive.client.admit

        async def deferring(interaction: Any) -> bool:
            await Answer.to(interaction).defer()
            return await admit(interaction)

        scene.alive.client.admit = deferring
        late = await scene.press(scene.north, panel, "Choose your time zone")
        await scene.sandbox.until(lambda: late.followups)
        assert late.followups[0].text == NO_DIALOG
