"""Buttons and menus always work or explain why not, even if they are outdated or unknown, or after a restart."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Push
from bot.play.refusals import Stale
from bot.sandbox import Modal
from cogs.actions import Action, Subject
from cogs.delivery.refusals import OLD_BUTTON
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, ComponentHandlers, button, dialog, menu
from cogs.showdowns.showdown_text import NO_DEAL
from cogs.turns.hand_text import match_result as over_text
from tests.cogs.scenes import DISCARD_ACTIONS, Scene, buttons, hands, open_match_scene
from tests.helpers.components import actions_of, find_button, moves_shown
from tests.helpers.living import bot_on, sandbox_of, start_match
from tests.helpers.shufflers import IMMEDIATE_GIN, IMMEDIATE_KNOCK, RiggedShuffler


async def test_an_outdated_button_shows_the_current_state(tmp_path: Path) -> None:
    """A click on a button that was just replaced makes no move; the hand then shows the current state."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        hand = await scene.wait_for_turn(scene.north)
        take = find_button(hand, Action.TAKE)
        assert take is not None
        await scene.press(scene.north, hand, Action.PASS)
        stale = await scene.press_late(scene.north, hand, take)
        assert isinstance(scene.error(stale), Stale)
        assert stale.message is hand
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.wait_until_idle()
        assert moves_shown(scene.table) == 1


@pytest.mark.nightly
async def test_an_old_private_hand_is_updated(tmp_path: Path) -> None:
    """A button in an outdated private hand makes no move, but updates the hand."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK) as scene:
        old = (await scene.use(scene.north, "gin hand", scene.channel)).message
        # The bot can no longer update the message by itself.
        scene.sandbox.world.clock.advance(3600)
        await scene.press(scene.north, await scene.wait_for_turn(scene.north), Action.PASS)
        await scene.ask(scene.south, "pass")
        await scene.wait_until_idle()
        assert Action.TAKE in buttons(old)
        assert isinstance(scene.error(await scene.press(scene.north, old, Action.TAKE)), Stale)
        assert buttons(old) == [Action.DRAW]


@pytest.mark.nightly
async def test_a_button_acts_on_its_own_match(tmp_path: Path) -> None:
    """A button acts on its own match, not the channel's: during a rematch, an old button says that its match ended."""
    async with open_match_scene(tmp_path, IMMEDIATE_GIN, target=10) as scene:
        hand = await scene.wait_for_turn(scene.north)
        take = str(find_button(hand, Action.TAKE))
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        for person in (scene.north, scene.south):
            await scene.wait_until_idle()
            await scene.press(person, await scene.wait_for_post(Action.REMATCH), Action.REMATCH)
        await scene.wait_for_post(Action.SHOW_SCORE)
        over = await scene.press_late(scene.north, hands(scene.north)[0] if hand.deleted else hand, take)
        assert over_text(await scene.bot.app.lookup.hand(PersonId(scene.north.id), MatchId(1))) in over.text


async def test_an_unknown_custom_id_is_answered(tmp_path: Path) -> None:
    """A button with an unknown or invalid custom id gets one answer, which says that the button is old."""
    async with open_match_scene(tmp_path) as scene:
        for custom_id in ("old:table:7", "gin:1:0:dance", "gin:1:0:choose:dance", "gin", "gin:1:x:draw"):
            table = scene.table
            row = {"type": 2, "custom_id": custom_id, "label": "Old", "style": 2, "id": 99}
            table.past_components[custom_id] = [{"type": 1, "id": 98, "components": [row]}]
            answer = await scene.press_late(scene.north, table, custom_id)
            await scene.wait_until_idle()
            assert answer.text == OLD_BUTTON
            assert len(answer.messages) == 1


@pytest.mark.thorough
async def test_an_unknown_dialog_is_answered(tmp_path: Path) -> None:
    """A dialog that an older version of the bot opened gets the same answer as an old button."""
    async with open_match_scene(tmp_path) as scene:
        opened = await scene.press(scene.north, scene.table, Action.SHOW_SCORE)
        dialog = Modal("old", "Old", [], opened)
        assert (await (await scene.north.submit(dialog, {})).done()).text == OLD_BUTTON


@pytest.mark.nightly
async def test_everything_works_after_a_restart(tmp_path: Path) -> None:
    """A new process on the same database serves every old button, and does not register the commands again."""
    url = f"sqlite:///{tmp_path / 'deadwood.db'}"
    async with sandbox_of() as sandbox:
        async with bot_on(sandbox, url, shuffler=RiggedShuffler(IMMEDIATE_KNOCK)) as alive:
            await start_match(alive, target=100)
            scene = Scene(alive)
            invitation = await scene.invite(scene.east)
            hand = await scene.wait_for_turn(scene.north)
            preferences = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
            await scene.wait_until_idle()
        async with bot_on(sandbox, url) as alive:
            scene = Scene(alive)
            await scene.press(scene.north, hand, Action.TAKE)
            assert actions_of(hand) >= DISCARD_ACTIONS
            await scene.change_setting(scene.south, preferences, Action.PREFER_PUSH, "none")
            assert (await alive.app.people.preferences(PersonId(scene.south.id))).push is Push.NONE
            await scene.press(scene.south, invitation, Action.ACCEPT)
            assert (await alive.app.lookup.info(MatchId(2))).seat_of(PersonId(scene.south.id)) is not None
            score = (await scene.press(scene.east, scene.table, Action.SHOW_SCORE)).text
            assert NO_DEAL[MatchStatus.RUNNING] in score
        assert sandbox.journal.routes["PUT /applications/{application_id}/commands"] == 1


@pytest.mark.parametrize(
    ("subject", "version", "action", "argument"),
    [(12, 3, Action.DISCARD, None), (Subject.CHOSEN, 0, Action.DRAW, "Kd"), (Subject.SELF, 0, Action.PROFILE, "")],
)
def test_a_custom_id_round_trips(subject: int | Subject, version: int, action: Action, argument: str | None) -> None:
    """The custom id of a button or menu contains its subject, version, action and argument."""
    components = (
        button(subject, version, action, "Label", argument=argument),
        menu(subject, version, action, "Menu", [], argument=argument),
    )
    for component in components:
        assert len(component["custom_id"]) <= 100
        assert ComponentEvent.parse(component["custom_id"]) == ComponentEvent(str(subject), version, action, argument)


async def test_dialog_text_is_a_typed_value() -> None:
    """Text from a dialog is marked as typed, unlike a menu's choice. A dialog without text has no value."""
    events: list[ComponentEvent] = []

    async def handler(_: object, event: ComponentEvent) -> None:
        events.append(event)

    async def nothing(*_: object) -> None: ...

    components = ComponentHandlers(nothing)
    components.register({Action.PREFER_TIME_ZONE: handler})
    made = dialog(
        Subject.SELF, Action.PREFER_TIME_ZONE, "Title", "Label", description="About", placeholder="Paris", max_length=9
    )
    typed = {"type": 18, "component": {"type": 4, "custom_id": "text", "value": "Rome"}}
    for data in (
        {"components": [{"type": 10}, typed]},
        {"components": [{"type": 18, "component": {"type": 3, "values": ["Rome"]}}]},
        {"values": ["Rome"]},
    ):
        use = SimpleNamespace(id=1, data={"custom_id": made.custom_id, **data})
        assert await components.handle(cast(Interaction, use))
    assert [(event.typed, event.values) for event in events] == [(True, ("Rome",)), (True, ()), (False, ("Rome",))]


async def test_only_actions_with_a_handler_are_known() -> None:
    """A button or menu is handled only if its custom id is valid and its action has a handler."""

    async def nothing(*_: object) -> None: ...

    components = ComponentHandlers(nothing)
    components.register({Action.DRAW: nothing})
    known = ("gin:1:2:draw", "gin:1:2:choose:draw", "gin:which:0:draw:Kd")
    unknown = ("gin:1:2:fly", "gin:1:2:choose:fly", "gin:1:draw", "gin:1:2:draw:a:b", "")
    uses = [
        SimpleNamespace(id=number, data={"custom_id": custom_id}) for number, custom_id in enumerate((*known, *unknown))
    ]
    assert [await components.handle(cast(Interaction, use)) for use in uses] == [True] * 3 + [False] * 5
