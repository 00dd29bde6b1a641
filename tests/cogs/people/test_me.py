"""A person's own preferences and data."""

from __future__ import annotations

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest

from bot.model.appearance import Appearance, HandOrder
from bot.model.ids import PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Challengers, Preferences, Push, Reminders, ShowsProfileTo
from bot.model.statistics import Player
from bot.play.people.people import PersonalSettings
from bot.play.refusals import NotWelcome, UnknownTimeZone, UnreadableHour
from bot.sandbox import Button, Interaction, Message, Person, Refuse, ServerError
from cardart import draw_themes
from cogs.actions import Action
from cogs.delivery import long_work
from cogs.delivery.refusals import NO_DIALOG, OLD_BUTTON, STILL_WORKING, VERY_BUSY
from cogs.kit.admission import MAX_ANSWERS
from cogs.kit.answers import Answer
from cogs.kit.components import MENU_SIZE
from cogs.people import me
from cogs.people.me import DM_TEST_ANSWERS
from cogs.people.preferences_panel import NO_PICTURES, PREFERENCES
from cogs.words import clocks
from tests.cogs.scenes import Scene, buttons, hands, menus, open_match_scene, open_scene
from tests.helpers.components import discard_buttons, find_button
from tests.helpers.exports import read_export
from tests.helpers.forgery import click
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK
from tests.helpers.worlds import stopped_world

_HAND, _PUSH, _CHALLENGERS = Action.PREFER_HAND, Action.PREFER_PUSH, Action.PREFER_CHALLENGERS
_APPEARANCE, _ORDER, _LANGUAGE = Action.PREFER_APPEARANCE, Action.PREFER_ORDER, Action.PREFER_LANGUAGE
_QUIET = Action.PREFER_QUIET_HOURS


def block_exports(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Block exports until the returned event is set."""
    released, exports = asyncio.Event(), scene.bot.app.exports
    real = exports.export

    async def export(*arguments: Any) -> dict[str, Any]:
        await released.wait()
        return await real(*arguments)

    monkeypatch.setattr(exports, "export", export)
    return released


async def preferences(scene: Scene) -> Preferences:
    """Return North's preferences."""
    return await scene.bot.app.people.preferences(PersonId(scene.north.id))


async def test_preferences_are_shown_and_changed_in_place(tmp_path: Path) -> None:
    """Each preference has a line. Preferences are opened and changed in the same message; *Back* changes nothing."""
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        before = panel.text
        assert menus(panel) == [Action.OPEN_PREFERENCE]
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _PUSH)
        assert menus(panel) == [_PUSH]
        await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        assert panel.text == before
        for menu, value in ((_PUSH, "both"), (Action.PREFER_REMINDERS, "daily")):
            assert (await scene.change_setting(scene.north, panel, menu, value)).message is panel
        assert await preferences(scene) == Preferences(push=Push.BOTH, reminders=Reminders.DAILY)
        # Check the exact wording of the panel before and after the changes.
        assert "**My hand:** by DM\n**My turn:** a DM\n**Challenges:** from anyone" in before
        assert "**Saved.**" in panel.text
        assert "**My turn:** a DM and a ping" in panel.text
        assert "**Reminders:** every day" in panel.text


@pytest.mark.nightly
async def test_all_themes_are_shown_while_choosing_one(tmp_path: Path) -> None:
    """A picture of all themes is shown only with the menu of themes, and only to people who want pictures.

    Choosing a theme keeps the menu open and moves its mark, and *Back* leads to the preferences.
    """
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        assert not panel.images
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _APPEARANCE)
        assert [image.alt for image in panel.images] == [draw_themes(Appearance()).alt]
        dark = draw_themes(Appearance("dark", four_colours=True)).alt
        for value, shown in (("dark-four", [dark]), (NO_PICTURES, [])):
            await scene.choose(scene.north, panel, _APPEARANCE, value)
            assert [image.alt for image in panel.images] == shown
            assert [option.value for option in panel.selects[0].options if option.default] == [value]
        await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        assert menus(panel) == [Action.OPEN_PREFERENCE]


@pytest.mark.nightly
async def test_every_preference_can_be_changed(tmp_path: Path) -> None:
    """Every preference can be changed, and its menu then shows the new value; menus in old messages still work."""
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        now = {
            _HAND: "no",
            _PUSH: "both",
            _CHALLENGERS: "nobody",
            _APPEARANCE: "dark-four",
            _ORDER: "suit",
            _LANGUAGE: "nl",
            Action.PREFER_PROFILE: "played",
            Action.PREFER_AVATAR: "no",
            Action.PREFER_CONFIRMATIONS: "no",
            Action.PREFER_DRAWING: "yes",
            Action.PREFER_REMINDERS: "off",
            Action.PREFER_NUDGES: "no",
            Action.PREFER_DAILY: "18:00",
            Action.PREFER_TAKE_BACKS: "yes",
        }
        assert now.keys() == PREFERENCES.keys()
        for menu, value in now.items():
            await scene.change_setting(scene.north, panel, menu, value)
            if menus(panel) != [menu]:
                await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, menu)
            assert [option.value for option in panel.selects[0].options if option.default] == [value]
            await scene.press(scene.north, panel, Action.OPEN_PREFERENCE)
        assert await preferences(scene) == Preferences(
            hand_by_dm=False,
            push=Push.BOTH,
            challengers=Challengers.NOBODY,
            appearance=Appearance("dark", four_colours=True, language="nl"),
            hand_order=HandOrder.SUIT,
            confirmations=False,
            draws_for_me=True,
            reminders=Reminders.OFF,
            nudges=False,
            daily_hour=18,
            take_backs=True,
            shows_profile_to=ShowsProfileTo.PLAYED,
            shows_avatar=False,
        )
        shown = panel.text.splitlines()
        for preference in PREFERENCES.values():
            line = f"**{preference.name}:** {preference.labels[preference.value(await preferences(scene))]}"
            assert [text for text in shown if text.startswith(line)]
        assert (await scene.use(scene.north, "gin me preferences", scene.channel)).text in panel.text
        await click(scene.north, panel, _ORDER, "me", values=["rank"])
        assert (await preferences(scene)).hand_order is HandOrder.RANK


@pytest.mark.thorough
async def test_hands_by_direct_message_can_be_switched_off(tmp_path: Path) -> None:
    """Hands by direct message can be switched off, which deletes the player's hand, and on, which sends a new one."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change_setting(scene.south, panel, _HAND, "no")
        await scene.sandbox.until(lambda: not hands(scene.south))
        await scene.change_setting(scene.south, panel, _HAND, "yes")
        assert len(await scene.sandbox.until(lambda: hands(scene.south))) == 1


@pytest.mark.nightly
async def test_a_hand_uses_its_owners_theme(tmp_path: Path) -> None:
    """A new theme redraws the player's hand, but neither the opponent's hand nor the table.

    With pictures off, the player's hand and the help are text. Choosing a theme turns pictures on again.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north = scene.north

        def drawn() -> list[bytes]:
            return [image.content for message in (*hands(north), *hands(scene.south)) for image in message.images]

        before, table = drawn(), scene.table.images[0].content
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change_setting(north, panel, _APPEARANCE, "dark-four")
        await scene.sandbox.until(lambda: drawn()[0] != before[0])
        await scene.wait_until_idle()
        assert drawn()[1:] == before[1:]
        assert scene.table.images[0].content == table
        await scene.change_setting(north, panel, _APPEARANCE, "none")
        await scene.sandbox.until(lambda: not hands(north)[0].attachments)
        assert "A♣ 2♣ 3♣" in hands(north)[0].text
        for command in ("hand", "help"):
            assert not (await scene.use(north, f"gin {command}", scene.channel)).message.attachments
        assert drawn() == before[1:]
        assert scene.table.images
        await scene.change_setting(north, panel, _APPEARANCE, "dark-two")
        await scene.sandbox.until(lambda: hands(north)[0].images)
        assert (await scene.use(north, "gin help", scene.channel)).message.images


@pytest.mark.thorough
async def test_a_hand_uses_its_owners_order_and_language(tmp_path: Path) -> None:
    """Order and card names change the text, alt text, buttons and menus of that player's hand only."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change_setting(north, panel, _ORDER, "rank")
        await scene.change_setting(north, panel, _LANGUAGE, "de")
        await scene.ask(north, "take")
        await scene.wait_until_idle()
        hand = await scene.wait_for_turn(north)
        assert (hand.images[0].alt or "").startswith(
            "Your hand: A♣ 2♣ 3♣ 4♦ 5♦. Second row: 6♦ D♥ K♣ K♦ K♥. New card: 2♦. Run"
        )
        sorted_by_rank = ["Ac", "2c", "3c", "4d", "5d", "6d", "Qh", "Kc", "Kd", "Kh"]
        assert [str(card) for card in discard_buttons(hand)][:10] == sorted_by_rank
        labels = [
            discard_button.item.label
            for discard_button in discard_buttons(hand).values()
            if isinstance(discard_button.item, Button)
        ]
        assert "D♥" in labels
        assert "*Karo-König*" in await scene.ask(north, "discard", card="Herz")
        assert "D♠" in await scene.ask(north, "discard", card="Pik-Dame")
        await scene.ask(north, "discard", card="herz dame")
        await scene.wait_until_idle()
        described = str(scene.table.images[0].alt)
        assert "Q♥" in described
        assert "D♥" not in described
        assert "D♥" in (await scene.wait_for_hand(north)).text
        for person, queen in ((north, "D♥"), (scene.south, "Q♥")):
            last_moves = await scene.press(person, scene.table, Action.LAST_MOVES)
            assert f"top of the pile **{queen}**" in last_moves.text


@pytest.mark.thorough
async def test_cards_complete_in_the_persons_language(tmp_path: Path) -> None:
    """Cards are completed by names and letters in the person's language, and in English."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        north = scene.north
        panel = (await scene.use(north, "gin me preferences", scene.channel)).message
        await scene.change_setting(north, panel, _LANGUAGE, "fr")
        await scene.ask(north, "take")
        for typed in ("dame", "D♥", "dame de cœ", "queen", "qh"):
            asked = await north.complete("gin discard", scene.channel, option="card", value=typed)
            offered = [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]
            assert offered == [("D♥, leaving 2 deadwood", "Qh")]


@pytest.mark.thorough
async def test_direct_messages_can_be_tried_immediately(tmp_path: Path) -> None:
    """*Try again now* says if direct messages work; if they do, the button disappears and the hand is sent.

    The bot also tries when the player chooses in the preferences to get the hand by direct message.
    """
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, open_dms=False, by_buttons=True) as scene:
        panels = [
            (await scene.use(player, "gin me preferences", scene.channel)).message
            for player in (scene.north, scene.south)
        ]
        assert [buttons(panel) for panel in panels] == [[Action.TRY_DMS]] * 2
        scene.north.user.open_dms = True
        await scene.change_setting(scene.north, panels[0], _HAND, "yes")
        assert buttons(panels[0]) == []
        assert len(await scene.sandbox.until(lambda: hands(scene.north))) == 1
        panel = panels[1]
        assert DM_TEST_ANSWERS[False] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        scene.sandbox.faults.requests(ServerError(503), on="POST /users/@me/channels", times=9)
        scene.sandbox.faults.requests(ServerError(503), on=f"POST /channels/{scene.south.dm.id}/messages", times=9)
        scene.south.user.open_dms = True
        assert DM_TEST_ANSWERS[None] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        scene.sandbox.faults.clear()
        assert DM_TEST_ANSWERS[True] in (await scene.press(scene.south, panel, Action.TRY_DMS)).text
        assert buttons(panel) == []
        await scene.sandbox.until(lambda: hands(scene.south))


@pytest.mark.thorough
async def test_challengers_can_be_restricted(tmp_path: Path) -> None:
    """A player can accept challenges from nobody, or only from people they played with; other people are refused."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        panel = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
        await scene.change_setting(scene.south, panel, _CHALLENGERS, "played")

        async def refusal(person: Person) -> BaseException | None:
            return scene.error(await scene.use(person, "gin challenge", scene.channel, opponent=scene.south))

        assert isinstance(await refusal(scene.east), NotWelcome)
        assert await refusal(scene.north) is None
        await scene.change_setting(scene.south, panel, _CHALLENGERS, "nobody")
        assert isinstance(await refusal(scene.north), NotWelcome)
        await scene.wait_until_idle()
        assert Action.ACCEPT in buttons(scene.south.pushes[-1])


async def test_an_export_does_not_contain_the_opponents_cards(tmp_path: Path) -> None:
    """An export has the person's own hand in the current deal, but not the opponent's; nobody else can see the file."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        assert buttons(panel) == [Action.EXPORT, Action.FORGET]
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        (file,) = exported.messages[-1].attachments
        assert file.filename == "deadwood.zip"
        contents = read_export([file.content])
        assert contents["person"]["id"] == scene.north.id
        (match,) = contents["matches"]
        assert "Qh" in match["deal_in_play"]["hand"]
        assert not any(card in json.dumps(contents) for card in ("Th", "8s", "4h"))
        assert exported.messages[-1] not in scene.south.sees(scene.channel)


@pytest.mark.thorough
async def test_a_large_export_is_split_and_shows_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export above Discord's size limit shows progress and is sent as several files that contain everything."""
    monkeypatch.setattr(me, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(me, "MAX_ARCHIVE_SIZE", me.ARCHIVE_SLACK + 1)
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        edits = list[str]()
        scene.sandbox.journal.observers.append(lambda request: edits.append(str(request.payload)))
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        await scene.sandbox.until(lambda: len(exported.messages) == 2)
        parts = exported.messages
        assert any("1 of 1" in edit for edit in edits)
        assert [file.filename for part in parts for file in part.attachments] == ["deadwood-1.zip", "deadwood-2.zip"]
        contents = read_export([part.attachments[0].content for part in parts])
        assert contents["person"]["id"] == scene.north.id
        assert len(contents["matches"]) == 1


@pytest.mark.thorough
async def test_an_export_works_without_progress_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If Discord refuses the progress message, the file is still sent and no exception is left unhandled."""
    monkeypatch.setattr(me, "PROGRESS_INTERVAL", 0.0)
    unhandled = list[object]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unhandled.append(context))
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        refused = scene.sandbox.faults.requests(Refuse(50035), on="POST /interactions/*/callback", times=1)
        exported = await scene.press(scene.north, panel, Action.EXPORT)
        assert refused.hits == 1
        assert exported.messages[-1].attachments
    gc.collect()
    assert unhandled == []


async def press_export(person: Person, panel: Message) -> Interaction:
    """Have a person press *Export*, without waiting for the answer."""
    custom_id = find_button(panel, Action.EXPORT)
    assert custom_id is not None
    return await person.press(panel, custom_id)


@pytest.mark.thorough
async def test_one_person_exports_once_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """During an export, the same person's other slow requests, such as replays, are refused, but not other people's."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "knock", card="Qh")
        released = block_exports(scene, monkeypatch)
        panels = [
            (await scene.use(player, "gin me privacy", scene.channel)).message for player in (scene.north, scene.south)
        ]
        first = await press_export(scene.north, panels[0])
        assert (await scene.press(scene.north, panels[0], Action.EXPORT)).text == STILL_WORKING
        other_work = ("gin-stats profile", "gin-deal replay")
        for command in other_work:
            assert (await scene.use(scene.north, command, scene.channel)).text == STILL_WORKING
        other = await press_export(scene.south, panels[1])
        released.set()
        for press in (first, other):
            assert (await press.done()).messages[-1].attachments
        for command in other_work:
            assert scene.error(await scene.use(scene.north, command, scene.channel)) is None


@pytest.mark.thorough
async def test_long_work_has_a_limit_for_all_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a limited number of people can have long work, such as exports, in progress; others are refused."""
    assert long_work.MAX_PEOPLE < MAX_ANSWERS / 2
    async with open_scene(tmp_path) as scene:
        monkeypatch.setattr(scene.bot.client.long_work, "_max_people", 1)
        released = block_exports(scene, monkeypatch)
        panels = [
            (await scene.use(player, "gin me privacy", scene.channel)).message for player in (scene.north, scene.south)
        ]
        first = await press_export(scene.north, panels[0])
        assert (await scene.press(scene.south, panels[1], Action.EXPORT)).text == VERY_BUSY
        released.set()
        await first.done()
        assert (await scene.press(scene.south, panels[1], Action.EXPORT)).messages[-1].attachments


async def test_forget_me_deletes_everything(tmp_path: Path) -> None:
    """After *Forget me*, nothing about the person is stored and their preferences are the defaults."""
    async with open_scene(tmp_path) as scene:
        person_id, exports = PersonId(scene.north.id), scene.bot.app.exports
        await scene.change_setting(
            scene.north, (await scene.use(scene.north, "gin me preferences")).message, _PUSH, "both"
        )
        assert (await exports.export(person_id))["person"]["id"] == person_id
        panel = (await scene.use(scene.north, "gin me privacy")).message
        for action in (Action.FORGET, Action.FORGET_NOW):
            await scene.press(scene.north, panel, action)
        assert (await exports.export(person_id))["person"] is None
        assert await preferences(scene) == Preferences()


@pytest.mark.thorough
async def test_forgetting_asks_first_and_leaves_an_empty_seat(tmp_path: Path) -> None:
    """*Forget me* asks first; it then resigns the match and removes the person's hands, name and leaderboard row."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        panel = (await scene.use(scene.north, "gin me privacy", scene.channel)).message
        first = panel.text
        await scene.press(scene.north, panel, Action.FORGET)
        assert buttons(panel) == [Action.FORGET_NOW, Action.PRIVACY]
        await scene.press(scene.north, panel, Action.PRIVACY)
        assert panel.text == first
        await scene.press(scene.north, panel, Action.FORGET)
        await scene.press(scene.north, panel, Action.FORGET_NOW)
        await scene.wait_until_idle()
        assert hands(scene.north) == []
        match = await scene.match()
        assert (match.status, match.players[0]) == (MatchStatus.FINISHED, Player(None, None))
        assert not any(Action.REMATCH in buttons(post) for post in scene.posts)
        assert not any("⁨North⁩" in post.text for post in scene.posts)
        board = (await scene.use(scene.south, "gin leaderboard", scene.channel)).message
        assert "North" not in "\n".join((board.text, *(str(image.alt) for image in board.images)))


@pytest.mark.nightly
async def test_nicknames_stay_on_their_server(tmp_path: Path) -> None:
    """A server nickname is never used on other servers, which show the account's name."""
    world = stopped_world()
    people = {user.display_name: user for user in world.users.values()}
    family = world.add_guild("Family", [people["South"], people["North"]])
    kitchen = world.add_channel(family, "kitchen")
    family.members[people["North"].id].nick = "Jane"
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, world=world) as scene:
        await scene.ask(scene.north, "pass")
        await scene.ask(scene.north, "challenge", kitchen)
        await scene.use(scene.north, "gin-stats profile", kitchen)
        await scene.ask(scene.south, "pass")
        await scene.wait_until_idle()
        assert "Jane" not in scene.table.text
        assert "\u2068North\u2069" in scene.table.text


async def _completed(scene: Scene, option: str, typed: str) -> list[str]:
    """Return the completions that North gets for an option of `/gin me preferences`."""
    offered = await scene.north.complete("gin me preferences", option=option, value=typed)
    return [choice["value"] for choice in (await offered.answer()).choices]


NO_HOURS = (None, None)


async def quiet_hours(scene: Scene) -> tuple[object, ...]:
    """Return North's time zone, and the start and end of their quiet hours in minutes after midnight."""
    now = (await preferences(scene)).quiet
    return now.time_zone, now.quiet_from, now.quiet_to


@pytest.mark.thorough
async def test_quiet_hours_are_given_with_completion(tmp_path: Path) -> None:
    """Zones and hours are completed while typing; setting one option keeps the others; `off` ends quiet hours."""
    async with open_scene(tmp_path) as scene:
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
            ("quiet_from", "off", NO_HOURS),
            ("quiet_from", "21:00", (21 * 60, 8 * 60)),
        ):
            shown = (await scene.use(scene.north, "gin me preferences", **{option: value})).text
            assert await quiet_hours(scene) == ("America/New_York", *hours)
            assert clocks.quiet_hours((await preferences(scene)).quiet) in shown


@pytest.mark.thorough
async def test_quiet_hours_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    """An unknown time zone or hour is refused, and nothing changes."""
    async with open_scene(tmp_path) as scene:
        for options, reason in (
            ({"time_zone": "Atlantis"}, UnknownTimeZone),
            ({"quiet_from": "25"}, UnreadableHour),
            ({"time_zone": "Europe/Paris", "quiet_to": "noon"}, UnreadableHour),
        ):
            assert isinstance(scene.error(await scene.use(scene.north, "gin me preferences", **options)), reason)
        assert await quiet_hours(scene) == (None, *NO_HOURS)


async def _type_time_zone(scene: Scene, panel: Message, typed: str) -> Interaction:
    """Have North press the button for a time zone and type one."""
    dialog = (await scene.press(scene.north, panel, Action.ASK_TIME_ZONE)).modal
    return await (await scene.north.submit(dialog, {"A large city in your time zone": typed})).done()


async def test_quiet_hours_are_set_among_the_preferences(tmp_path: Path) -> None:
    """The time zone is typed in a dialog; then the panel has menus for the start and the end of quiet hours."""
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences", scene.channel)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        assert panel.selects == []
        assert buttons(panel) == [Action.ASK_TIME_ZONE, Action.OPEN_PREFERENCE]
        assert (await _type_time_zone(scene, panel, "paris")).message is panel
        assert await quiet_hours(scene) == ("Europe/Paris", 22 * 60, 8 * 60)
        begin, end = panel.selects
        assert [option.value for option in begin.options[:2]] == ["off", "18:00"]
        assert "8:00" not in [option.value for option in begin.options]
        assert "22:00" not in [option.value for option in end.options]
        for argument, hour, hours in (
            ("begin", "23:00", (23 * 60, 8 * 60)),
            ("end", "7:00", (23 * 60, 7 * 60)),
            ("begin", "off", NO_HOURS),
            (None, "21:00", (21 * 60, 8 * 60)),
        ):
            await scene.choose(scene.north, panel, _QUIET, hour, argument=argument)
            assert await quiet_hours(scene) == ("Europe/Paris", *hours)
            assert clocks.quiet_hours((await preferences(scene)).quiet) in panel.text
            assert len(panel.selects) == (1 if hour == "off" else 2)


@pytest.mark.thorough
async def test_a_time_zone_is_chosen_among_those_that_fit(tmp_path: Path) -> None:
    """If several time zones match the typed text, a menu lists them; an unknown one is refused and changes nothing."""
    async with open_scene(tmp_path) as scene:
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
        assert await quiet_hours(scene) == (None, *NO_HOURS)
        for typed, zone in (
            ("los ang", "America/Los_Angeles"),
            ("UTC+1", "Europe/Berlin"),
            ("Istanbul", "Europe/Istanbul"),
            ("são paulo", "America/Sao_Paulo"),
        ):
            await _type_time_zone(scene, panel, typed)
            if menus(panel) == [Action.PREFER_TIME_ZONE]:
                await scene.choose(scene.north, panel, Action.PREFER_TIME_ZONE, zone)
            assert await quiet_hours(scene) == (zone, 22 * 60, 8 * 60)


@pytest.mark.thorough
async def test_half_hours_set_by_command_are_kept(tmp_path: Path) -> None:
    """Menus for quiet hours offer only whole hours, but keep and show a time such as 22:30 that was set by command."""
    async with open_scene(tmp_path) as scene:
        options = {"time_zone": "Europe/Paris", "quiet_from": "22:30", "quiet_to": "7:30"}
        panel = (await scene.use(scene.north, "gin me preferences", **options)).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        assert menus(panel) == [_QUIET, _QUIET]
        await scene.choose(scene.north, panel, _QUIET, "9:00", argument="end")
        assert await quiet_hours(scene) == ("Europe/Paris", 22 * 60 + 30, 9 * 60)
        assert clocks.quiet_hours((await preferences(scene)).quiet) in panel.text


@pytest.mark.thorough
async def test_forged_hours_and_time_zones_are_refused(tmp_path: Path) -> None:
    """Forged hours, time zones and holidays get the reply for outdated buttons, and nothing is saved."""
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        hours, zone = _QUIET, Action.PREFER_TIME_ZONE
        for action, argument, value in (
            (hours, "begin", "24:00"),
            (hours, "end", "off"),
            (hours, None, "22:00"),
            (zone, None, "paris"),
            (Action.TAKE_HOLIDAY, None, "15"),
        ):
            answer = await click(scene.north, panel, action, "me", argument=argument, values=[value])
            assert answer.text == OLD_BUTTON
        settings = await scene.bot.app.people.settings(PersonId(scene.north.id))
        assert settings == PersonalSettings(Preferences(), settings.dm_works)


@pytest.mark.thorough
async def test_a_dialog_after_a_deferral_asks_for_another_press(tmp_path: Path) -> None:
    """Discord accepts a dialog only as a first response, so after a deferral the answer asks for another press."""
    async with open_scene(tmp_path) as scene:
        panel = (await scene.use(scene.north, "gin me preferences")).message
        await scene.choose(scene.north, panel, Action.OPEN_PREFERENCE, _QUIET)
        admit = scene.bot.client.answering.admit

        async def deferring(interaction: Any) -> bool:
            await Answer.to(interaction).defer()
            return await admit(interaction)

        scene.bot.client.answering.admit = deferring
        late = await scene.press(scene.north, panel, Action.ASK_TIME_ZONE)
        await scene.sandbox.until(lambda: late.followups)
        assert late.followups[0].text == NO_DIALOG
