"""A person's own preferences and data."""

from __future__ import annotations

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest

from bot.play.people.people import PersonalSettings
from bot.play.refusals import NotWelcome, UnknownTimeZone, UnreadableHour
from bot.sandbox import Button, Interaction, Message, Person, Refuse, ServerError
from bot.values.appearance import Appearance, HandOrder
from bot.values.ids import PersonId
from bot.values.matches import MatchStatus
from bot.values.people import Challengers, Preferences, Push, Reminders, ShowsProfileTo
from bot.values.statistics import Player
from cogs.features import me
from cogs.features.me import TRIED
from cogs.kit.actions import Action
from cogs.kit.admission import MOST_AT_ONCE
from cogs.kit.answers import Answer
from cogs.kit.components import MENU_SIZE
from cogs.panels.settings import PREFERENCES
from cogs.support import long_work
from cogs.text import clocks
from cogs.text.refusals import NO_DIALOG, OLD_BUTTON, STILL_WORKING, VERY_BUSY
from tests.cogs.scenes import Scene, at_table, buttons, clubhouse, hands, menus
from tests.helpers.components import discard_buttons, find_button
from tests.helpers.exports import read_export
from tests.helpers.forgery import click
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE
from tests.helpers.worlds import stopped_world

_HAND, _PUSH, _WHO = Action.PREFER_HAND, Action.PREFER_PUSH, Action.PREFER_CHALLENGERS
_LOOK, _ORDER, _NAMES = Action.PREFER_APPEARANCE, Action.PREFER_ORDER, Action.PREFER_LANGUAGE
_QUIET = Action.PREFER_QUIET_HOURS


def hold_exports(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Block exports until the event is set."""
    released, exports = asyncio.Event(), scene.alive.app.exports
    real = exports.export

    async def export(*arguments: Any) -> dict[str, Any]:
        await released.wait()
        return await real(*arguments)

    monkeypatch.setattr(exports, "export", export)
    return released


async def preferences(scene: Scene) -> Preferences:
    """Return North's preferences."""
    return await scene.alive.app.people.preferences(PersonId(scene.north.id))


async def test_preferences_show_what_is_chosen_and_change_in_place(tmp_path: Path) -> None:
    """Each preference has a line, and a menu opens it in the same private message; *Back* changes nothing."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        before = panel.text
        assert menus(panel) == [Action.OPEN_PREFERENCE]
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _PUSH)
        assert menus(panel) == [_PUSH]
        await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        assert panel.text == before
        for menu, value in ((_PUSH, "both"), (Action.PREFER_REMINDERS, "daily")):
            assert (await scene.change(scene.north, panel, menu, value)).message is panel
        assert await preferences(scene) == Preferences(push=Push.BOTH, reminders=Reminders.DAILY)
        # The texts of this feature.
        assert "**My hand:** by direct message\n**My turn:** a direct message\n**Challenges:** from anyone" in before
        assert "**Saved.**" in panel.text
        assert "**My turn:** a direct message and a ping" in panel.text
        assert "**Reminders:** every day" in panel.text


@pytest.mark.thorough
async def test_every_preference_is_opened_changed_and_kept(tmp_path: Path) -> None:
    """Each preference's menu shows the current value; a menu in an old message still changes it."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        now = {
            _HAND: "no",
            _PUSH: "both",
            _WHO: "nobody",
            _LOOK: "dark-four",
            _ORDER: "suit",
            _NAMES: "nl",
            Action.PREFER_PROFILE: "played",
            Action.PREFER_CONFIRMATIONS: "no",
            Action.PREFER_REMINDERS: "off",
            Action.PREFER_NUDGES: "no",
        }
        assert now.keys() == PREFERENCES.keys()
        for menu, value in now.items():
            await scene.change(scene.north, panel, menu, value)
            await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, menu)
            assert menus(panel) == [menu]
            assert [one.value for one in panel.selects[0].options if one.default] == [value]
            await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        assert await preferences(scene) == Preferences(
            hand_by_dm=False,
            push=Push.BOTH,
            challengers=Challengers.NOBODY,
            appearance=Appearance("dark", four_colours=True, language="nl"),
            hand_order=HandOrder.SUIT,
            confirmations=False,
            reminders=Reminders.OFF,
            nudges=False,
            shows_profile_to=ShowsProfileTo.PLAYED,
        )
        shown = panel.text.splitlines()
        for one in PREFERENCES.values():
            assert f"**{one.name}:** {one.labels[one.value(await preferences(scene))]}" in shown
        assert (await scene.use(scene.north, "gin me preferences", scene.channel)).text in panel.text
        await click(scene.north, panel, _ORDER, "me", values=["rank"])
        assert (await preferences(scene)).hand_order is HandOrder.RANK


@pytest.mark.thorough
async def test_a_hand_comes_and_goes_with_the_preference(tmp_path: Path) -> None:
    """Switched off, the hand is deleted from the direct messages; switched on, it is sent immediately."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, _HAND, "no")
        await scene.sandbox.until(lambda: not hands(scene.south))
        await scene.change(scene.south, panel, _HAND, "yes")
        assert len(await scene.sandbox.until(lambda: hands(scene.south))) == 1


@pytest.mark.thorough
async def test_a_hand_is_drawn_in_its_owners_look(tmp_path: Path) -> None:
    """A new theme redraws the player's hand, but neither the opponent's hand nor the table.

    With pictures off, the hand and the help are text; a theme chosen later draws them again.
    """
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north = scene.north

        def drawn() -> list[bytes]:
            return [image.content for message in (*hands(north), *hands(scene.south)) for image in message.images]

        before, table = drawn(), scene.table.images[0].content
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change(north, panel, _LOOK, "dark-four")
        await scene.sandbox.until(lambda: drawn()[0] != before[0])
        await scene.quiet()
        assert drawn()[1:] == before[1:]
        assert scene.table.images[0].content == table
        await scene.change(north, panel, _LOOK, "none")
        await scene.sandbox.until(lambda: not hands(north)[0].attachments)
        assert "A♣ 2♣ 3♣" in hands(north)[0].text
        for command in ("hand", "help"):
            assert not (await scene.use(north, f"gin {command}", scene.channel)).message.attachments
        assert drawn() == before[1:]
        assert scene.table.images
        await scene.change(north, panel, _LOOK, "dark-two")
        await scene.sandbox.until(lambda: hands(north)[0].images)
        assert (await scene.use(north, "gin help", scene.channel)).message.images


@pytest.mark.thorough
async def test_a_hand_is_sorted_and_named_as_its_owner_likes(tmp_path: Path) -> None:
    """Order and card names change the text, alt text, buttons and menus of that player's hand only."""
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
        sorted_by_rank = ["Ac", "2c", "3c", "4d", "5d", "6d", "Qh", "Kc", "Kd", "Kh"]
        assert [str(card) for card in discard_buttons(hand)][:10] == sorted_by_rank
        labels = [one.item.label for one in discard_buttons(hand).values() if isinstance(one.item, Button)]
        assert "D♥" in labels
        assert "*Karo-König*" in await scene.ask(north, "discard", card="Herz")
        assert "**D♠**" in await scene.ask(north, "discard", card="Pik-Dame")
        await scene.ask(north, "discard", card="herz dame")
        await scene.quiet()
        assert "Q♥" in scene.table.text
        assert "D♥" in (await scene.hand(north)).text


@pytest.mark.thorough
async def test_cards_complete_in_the_persons_language(tmp_path: Path) -> None:
    """Cards are completed by names and letters in the person's language, and in English."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change(north, panel, _NAMES, "fr")
        await scene.ask(north, "take")
        for typed in ("dame", "D♥", "dame de cœ", "queen", "qh"):
            asked = await north.complete("gin discard", scene.channel, option="card", value=typed)
            offered = [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]
            assert offered == [("D♥, leaving 2", "Qh")]


@pytest.mark.thorough
async def test_direct_messages_are_tried_at_once(tmp_path: Path) -> None:
    """*Try again now* says if it worked; if it did, the warning is gone and the hand is sent automatically.

    Switching the hand to direct messages tries them too.
    """
    async with at_table(tmp_path, KNOCK_AT_ONCE, open_dms=False, pressed=True) as scene:
        panels = [
            (await scene.use(one, "gin me preferences", scene.channel)).message for one in (scene.north, scene.south)
        ]
        assert [buttons(panel) for panel in panels] == [[Action.TRY_DMS]] * 2
        scene.north.user.open_dms = True
        await scene.change(scene.north, panels[0], _HAND, "yes")
        assert buttons(panels[0]) == []
        assert len(await scene.sandbox.until(lambda: hands(scene.north))) == 1
        panel = panels[1]
        assert TRIED[False] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        scene.sandbox.faults.requests(ServerError(503), on="POST /users/@me/channels", times=9)
        scene.sandbox.faults.requests(ServerError(503), on=f"POST /channels/{scene.south.dm.id}/messages", times=9)
        scene.south.user.open_dms = True
        assert TRIED[None] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        scene.sandbox.faults.clear()
        assert TRIED[True] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        assert buttons(panel) == []
        await scene.sandbox.until(lambda: hands(scene.south))


@pytest.mark.thorough
async def test_who_may_challenge_is_kept(tmp_path: Path) -> None:
    """With *nobody*, or *people I played with*, challenges by other people are refused."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change(scene.south, panel, _WHO, "played")

        async def refusal(person: Person) -> BaseException | None:
            return scene.error(await scene.use(person, "gin challenge", scene.channel, opponent=scene.south))

        assert isinstance(await refusal(scene.east), NotWelcome)
        assert await refusal(scene.north) is None
        await scene.change(scene.south, panel, _WHO, "nobody")
        assert isinstance(await refusal(scene.north), NotWelcome)
        await scene.quiet()
        assert Action.ACCEPT in buttons(scene.south.pushes[-1])


async def test_an_export_is_a_file_without_the_others_cards(tmp_path: Path) -> None:
    """The file has the person's own hand of the deal in play, not the opponent's, and nobody else can see it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        assert buttons(panel) == [Action.EXPORT, Action.FORGET]
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        (file,) = exported.messages[-1].attachments
        assert file.filename == "deadwood.zip"
        kept = read_export([file.content])
        assert kept["person"]["id"] == scene.north.id
        (match,) = kept["matches"]
        assert "Qh" in match["deal_in_play"]["hand"]
        assert not any(card in json.dumps(kept) for card in ("Th", "8s", "4h"))
        assert exported.messages[-1] not in scene.south.sees(scene.channel)


@pytest.mark.thorough
async def test_a_large_export_comes_in_parts_and_says_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An export above Discord's file size is sent in several files, which together contain everything."""
    monkeypatch.setattr(me, "TELL_EVERY", 0.0)
    monkeypatch.setattr(me, "LARGEST_FILE", me.ARCHIVE_SLACK + 1)
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        edits = list[str]()
        scene.sandbox.journal.observers.append(lambda request: edits.append(str(request.payload)))
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        await scene.sandbox.until(lambda: len(exported.messages) == 2)
        parts = exported.messages
        assert any("1 of 1" in edit for edit in edits)
        assert [file.filename for part in parts for file in part.attachments] == ["deadwood-1.zip", "deadwood-2.zip"]
        kept = read_export([part.attachments[0].content for part in parts])
        assert kept["person"]["id"] == scene.north.id
        assert len(kept["matches"]) == 1


@pytest.mark.nightly
async def test_an_export_that_cannot_say_how_far_it_is_still_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Discord refuses the progress message, the file is still sent and no exception is left unhandled."""
    monkeypatch.setattr(me, "TELL_EVERY", 0.0)
    unheard = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(context))
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        refused = scene.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback", times=1)
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        assert refused.hits == 1
        assert exported.messages[-1].attachments
    gc.collect()
    assert unheard == []


async def export(person: Person, panel: Message) -> Interaction:
    """Have a person press *Export*, without waiting for the answer."""
    custom_id = find_button(panel, Action.EXPORT)
    assert custom_id is not None
    return await person.press(panel, custom_id)


@pytest.mark.thorough
async def test_one_person_exports_once_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """During an export the same person gets no second export, profile or replay; others are not affected."""
    async with at_table(tmp_path, KNOCK_AT_ONCE, KNOCK_AT_ONCE) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        released = hold_exports(scene, monkeypatch)
        panels = [(await scene.use(one, "gin me privacy", scene.channel)).message for one in (scene.north, scene.south)]
        first = await export(scene.north, panels[0])
        assert (await scene.press(scene.north, panels[0], Action.EXPORT)).text == STILL_WORKING
        other_work = ("gin-stats profile", "gin replay")
        for command in other_work:
            assert (await scene.use(scene.north, command, scene.channel)).text == STILL_WORKING
        other = await export(scene.south, panels[1])
        released.set()
        for one in (first, other):
            assert (await one.done()).messages[-1].attachments
        for command in other_work:
            assert scene.error(await scene.use(scene.north, command, scene.channel)) is None


@pytest.mark.thorough
async def test_many_who_export_do_not_keep_others_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Long work has a limit for all people, so that it cannot use up all answers in progress."""
    assert long_work.MOST_WAITING < MOST_AT_ONCE / 2
    async with clubhouse(tmp_path) as scene:
        monkeypatch.setattr(scene.alive.client.long_work, "_most_waiting", 1)
        released = hold_exports(scene, monkeypatch)
        panels = [(await scene.use(one, "gin me privacy", scene.channel)).message for one in (scene.north, scene.south)]
        first = await export(scene.north, panels[0])
        assert (await scene.press(scene.south, panels[1], Action.EXPORT)).text == VERY_BUSY
        released.set()
        await first.done()
        assert (await scene.press(scene.south, panels[1], Action.EXPORT)).messages[-1].attachments


async def test_whoever_is_forgotten_starts_afresh(tmp_path: Path) -> None:
    """After *Forget me*, nothing about the person is stored and their preferences are the defaults."""
    async with clubhouse(tmp_path) as scene:
        person_id, exports = PersonId(scene.north.id), scene.alive.app.exports
        await scene.change(scene.north, (await scene.use(scene.north, "gin me preferences")).message, _PUSH, "both")
        assert (await exports.export(person_id))["person"]["id"] == person_id
        panel = (await scene.use(scene.north, "gin me privacy")).message
        for action in (Action.FORGET, Action.FORGET_NOW):
            await scene.press(scene.north, panel, action)
        assert (await exports.export(person_id))["person"] is None
        assert await preferences(scene) == Preferences()


@pytest.mark.thorough
async def test_forgetting_is_asked_once_more_and_leaves_an_empty_seat(tmp_path: Path) -> None:
    """*Keep everything* keeps it; *Forget me* resigns and removes the hands, the name and the leaderboard row."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        first = panel.text
        await scene.press(scene.north, panel, Action.FORGET)
        assert buttons(panel) == [Action.FORGET_NOW, Action.PRIVACY]
        await scene.press(scene.north, panel, Action.PRIVACY)
        assert panel.text == first
        await scene.press(scene.north, panel, Action.FORGET)
        await scene.press(scene.north, panel, Action.FORGET_NOW)
        await scene.quiet()
        assert hands(scene.north) == []
        match = await scene.match()
        assert (match.status, match.players[0]) == (MatchStatus.FINISHED, Player(None, None))
        assert not any(Action.REMATCH in buttons(post) for post in scene.posts)
        assert not any("⁨North⁩" in post.text for post in scene.posts)
        assert "⁨North⁩" not in await scene.ask(scene.south, "leaderboard")


@pytest.mark.nightly
async def test_a_name_that_somebody_uses_on_one_server_stays_there(tmp_path: Path) -> None:
    """A server nickname is never used on other servers, which show the account's name."""
    world = stopped_world()
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
    """Return the completions for North of an option of `/gin me preferences`."""
    offered = await scene.north.complete("gin me preferences", option=option, value=typed)
    return [choice["value"] for choice in (await offered.answer()).choices]


NONE = (None, None)


async def quiet(scene: Scene) -> tuple[object, ...]:
    """Return North's time zone, and the begin and end of quiet hours in minutes after midnight."""
    now = (await preferences(scene)).quiet
    return now.time_zone, now.quiet_from, now.quiet_to


@pytest.mark.thorough
async def test_quiet_hours_are_given_with_completion(tmp_path: Path) -> None:
    """Zones and hours are completed while typing; a given option keeps the others; `off` ends quiet hours."""
    async with clubhouse(tmp_path) as scene:
        assert await _completed(scene, "time_zone", "new york") == ["America/New_York"]
        assert await _completed(scene, "time_zone", "Zürich") == ["Europe/Zurich"]
        assert (await _completed(scene, "time_zone", "EST"))[0] == "America/New_York"
        assert await _completed(scene, "quiet_from", "2") == ["20:00", "21:00", "22:00", "23:00", "2:00"]
        assert (await _completed(scene, "quiet_to", ""))[0] == "off"
        assert await _completed(scene, "quiet_to", "o") == ["off"]
        for option, value, hours in (
            ("time_zone", "America/New_York", (22 * 60, 8 * 60)),
            ("quiet_to", "7:30", (22 * 60, 7 * 60 + 30)),
            ("quiet_from", "23", (23 * 60, 7 * 60 + 30)),
            ("quiet_from", "off", NONE),
            ("quiet_from", "21:00", (21 * 60, 8 * 60)),
        ):
            shown = (await scene.use(scene.north, "gin me preferences", **{option: value})).text
            assert await quiet(scene) == ("America/New_York", *hours)
            assert clocks.quiet_hours((await preferences(scene)).quiet) in shown


@pytest.mark.thorough
async def test_quiet_hours_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """An unknown zone or hour is refused and nothing changes."""
    async with clubhouse(tmp_path) as scene:
        for options, reason in (
            ({"time_zone": "Atlantis"}, UnknownTimeZone),
            ({"quiet_from": "25"}, UnreadableHour),
            ({"time_zone": "Europe/Paris", "quiet_to": "noon"}, UnreadableHour),
        ):
            assert isinstance(scene.error(await scene.use(scene.north, "gin me preferences", **options)), reason)
        assert await quiet(scene) == (None, *NONE)


async def _type_time_zone(scene: Scene, panel: Message, typed: str) -> Interaction:
    """Have North press the button for a time zone and type one."""
    dialog = (await scene.press(scene.north, panel, Action.ASK_TIME_ZONE)).modal
    return await (await scene.north.submit(dialog, {"A large city near you": typed})).done()


async def test_quiet_hours_are_set_among_the_preferences(tmp_path: Path) -> None:
    """The zone is typed in a dialog; then the same message has a menu for each end, and *No quiet hours*."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        assert panel.selects == []
        assert buttons(panel) == [Action.ASK_TIME_ZONE, Action.OPEN_PREFERENCE]
        assert (await _type_time_zone(scene, panel, "paris")).message is panel
        assert await quiet(scene) == ("Europe/Paris", 22 * 60, 8 * 60)
        begin, end = panel.selects
        assert [option.value for option in begin.options[:2]] == ["off", "18:00"]
        assert "8:00" not in [option.value for option in begin.options]
        assert "22:00" not in [option.value for option in end.options]
        for argument, hour, hours in (
            ("begin", "23:00", (23 * 60, 8 * 60)),
            ("end", "7:00", (23 * 60, 7 * 60)),
            ("begin", "off", NONE),
            (None, "21:00", (21 * 60, 8 * 60)),
        ):
            await scene.choose(scene.north, panel, _QUIET, hour, argument=argument)
            assert await quiet(scene) == ("Europe/Paris", *hours)
            assert clocks.quiet_hours((await preferences(scene)).quiet) in panel.text
            assert len(panel.selects) == (1 if hour == "off" else 2)


@pytest.mark.thorough
async def test_a_time_zone_is_chosen_among_those_that_fit(tmp_path: Path) -> None:
    """Several matching zones become a menu; an unknown one is refused and changes nothing."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        refused = await _type_time_zone(scene, panel, "Atlantis")
        assert isinstance(scene.error(refused), UnknownTimeZone)
        assert refused.message is not panel
        await _type_time_zone(scene, panel, "PST")
        assert panel.selects[0].options[0].value == "America/Los_Angeles"
        await _type_time_zone(scene, panel, "america")
        assert len(panel.selects[0].options) == MENU_SIZE
        await _type_time_zone(scene, panel, " ")
        assert len(panel.selects[0].options) == MENU_SIZE
        assert await quiet(scene) == (None, *NONE)
        for typed, zone in (
            ("los ang", "America/Los_Angeles"),
            ("UTC+1", "Europe/Berlin"),
            ("Istanbul", "Europe/Istanbul"),
            ("são paulo", "America/Sao_Paulo"),
        ):
            await _type_time_zone(scene, panel, typed)
            if menus(panel) == [Action.PREFER_TIME_ZONE]:
                await scene.choose(scene.north, panel, Action.PREFER_TIME_ZONE, zone)
            assert await quiet(scene) == (zone, 22 * 60, 8 * 60)


@pytest.mark.thorough
async def test_half_hours_that_a_command_set_are_told_and_kept(tmp_path: Path) -> None:
    """The menus have whole hours; half hours are shown, and changing one end keeps the other."""
    async with clubhouse(tmp_path) as scene:
        options = {"time_zone": "Europe/Paris", "quiet_from": "22:30", "quiet_to": "7:30"}
        panel = (await scene.use(scene.north, "gin me preferences", **options)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        assert menus(panel) == [_QUIET, _QUIET]
        await scene.choose(scene.north, panel, _QUIET, "9:00", argument="end")
        assert await quiet(scene) == ("Europe/Paris", 22 * 60 + 30, 9 * 60)
        assert clocks.quiet_hours((await preferences(scene)).quiet) in panel.text


@pytest.mark.thorough
async def test_hours_and_time_zones_that_no_menu_offers_are_unknown(tmp_path: Path) -> None:
    """Forged values are answered like old buttons, and nothing is saved."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        hours, zone = _QUIET, Action.PREFER_TIME_ZONE
        for action, argument, value in (
            (hours, "begin", "24:00"),
            (hours, "end", "off"),
            (hours, None, "22:00"),
            (zone, None, "paris"),
            (Action.TAKE_HOLIDAY, None, "15"),
        ):
            made = await click(scene.north, panel, action, "me", argument=argument, values=[value])
            assert made.text == OLD_BUTTON
        settings = await scene.alive.app.people.settings(PersonId(scene.north.id))
        assert settings == PersonalSettings(Preferences(), settings.dm_works)


@pytest.mark.thorough
async def test_a_dialog_that_comes_too_late_is_asked_for_again(tmp_path: Path) -> None:
    """Discord accepts a dialog only as a first response, so after a deferral the answer asks for another press."""
    async with clubhouse(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        admit = scene.alive.client.admit

        async def deferring(interaction: Any) -> bool:
            await Answer.to(interaction).defer()
            return await admit(interaction)

        scene.alive.client.admit = deferring
        late = await scene.press(scene.north, panel, Action.ASK_TIME_ZONE)
        await scene.sandbox.until(lambda: late.followups)
        assert late.followups[0].text == NO_DIALOG
