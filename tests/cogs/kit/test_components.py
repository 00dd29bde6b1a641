"""Buttons and menus always work or explain why not: outdated ones, unknown ones, and after a restart."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.play.refusals import Stale
from bot.sandbox import Modal
from bot.values.ids import MatchId, PersonId
from bot.values.matches import MatchStatus
from bot.values.people import Push
from cogs.kit.actions import Action, Subject
from cogs.kit.answers import Interaction
from cogs.kit.components import ComponentEvent, ComponentHandlers, button, dialog, menu
from cogs.text.hand import over as over_text
from cogs.text.refusals import OLD_BUTTON
from cogs.text.showdown import NO_DEAL
from tests.cogs.scenes import TO_DISCARD, Scene, at_table, buttons, hands
from tests.helpers.components import actions_of, find_button, moves_shown
from tests.helpers.living import bot_on, sandbox_of, start_match
from tests.helpers.shufflers import GIN_AT_ONCE, KNOCK_AT_ONCE, RiggedShuffler


async def test_a_button_of_an_older_state_shows_the_present_one(tmp_path: Path) -> None:
    """A click on a button that was just replaced makes no move; the hand then shows the current state."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        hand = await scene.turn(scene.north)
        take = find_button(hand, Action.TAKE)
        assert take is not None
        await scene.press(scene.north, hand, Action.PASS)
        stale = await scene.press_late(scene.north, hand, take)
        assert isinstance(scene.error(stale), Stale)
        assert stale.message is hand
        assert buttons(hand) == [Action.REFRESH_HAND, Action.GAMES]
        await scene.quiet()
        assert moves_shown(scene.table) == 1


@pytest.mark.nightly
async def test_an_ephemeral_hand_of_long_ago_comes_up_to_date(tmp_path: Path) -> None:
    """A private hand that the bot could not update makes no wrong move, and a click updates it."""
    async with at_table(tmp_path, KNOCK_AT_ONCE) as scene:
        old = (await scene.use(scene.north, "gin hand", scene.channel)).message
        await scene.ask(scene.north, "pass")
        await scene.ask(scene.south, "pass")
        scene.sandbox.world.clock.advance(3600)
        assert isinstance(scene.error(await scene.press(scene.north, old, Action.TAKE)), Stale)
        assert buttons(old) == [Action.DRAW]


@pytest.mark.nightly
async def test_a_button_of_another_match_speaks_of_that_match(tmp_path: Path) -> None:
    """A button acts on its own match, not on the channel's: after a rematch the old one says that its match is over."""
    async with at_table(tmp_path, GIN_AT_ONCE, target=10) as scene:
        hand = await scene.turn(scene.north)
        take = str(find_button(hand, Action.TAKE))
        await scene.ask(scene.north, "take")
        await scene.ask(scene.north, "gin")
        end = await scene.post(Action.REMATCH)
        for person in (scene.north, scene.south):
            await scene.press(person, end, Action.REMATCH)
        await scene.post(Action.SHOW_SCORE)
        over = await scene.press_late(scene.north, hands(scene.north)[0] if hand.deleted else hand, take)
        assert over_text(await scene.alive.app.lookup.hand(PersonId(scene.north.id), MatchId(1))) in over.text


async def test_a_button_of_unknown_make_is_answered(tmp_path: Path) -> None:
    """A custom id of an older version or in an unknown format gets one answer, which leads to a working table."""
    async with at_table(tmp_path) as scene:
        for custom_id in ("old:table:7", "gin:1:0:dance", "gin:1:0:choose:dance", "gin", "gin:1:x:draw"):
            table = scene.table
            row = {"type": 2, "custom_id": custom_id, "label": "Old", "style": 2, "id": 99}
            table.past_components[custom_id] = [{"type": 1, "id": 98, "components": [row]}]
            answer = await scene.press_late(scene.north, table, custom_id)
            await scene.quiet()
            assert answer.text == OLD_BUTTON
            assert len(answer.messages) == 1


@pytest.mark.thorough
async def test_a_dialog_of_unknown_make_is_answered(tmp_path: Path) -> None:
    """A dialog that an older version opened gets an answer too."""
    async with at_table(tmp_path) as scene:
        opened = await scene.press(scene.north, scene.table, Action.SHOW_SCORE)
        dialog = Modal("old", "Old", [], opened)
        assert (await (await scene.north.submit(dialog, {})).done()).text == OLD_BUTTON


@pytest.mark.thorough
async def test_everything_works_after_a_restart(tmp_path: Path) -> None:
    """A new process on the same database serves every old button, and does not register the commands again."""
    url = f"sqlite:///{tmp_path / 'deadwood.db'}"
    async with sandbox_of() as sandbox:
        async with bot_on(sandbox, url, shuffler=RiggedShuffler(KNOCK_AT_ONCE)) as alive:
            await start_match(alive, target=100)
            scene = Scene(alive)
            invitation = await scene.invite(scene.east)
            hand = await scene.turn(scene.north)
            preferences = (await scene.use(scene.south, "gin me preferences", scene.channel)).message
            await scene.quiet()
        async with bot_on(sandbox, url) as alive:
            scene = Scene(alive)
            await scene.press(scene.north, hand, Action.TAKE)
            assert actions_of(hand) >= TO_DISCARD
            await scene.change(scene.south, preferences, Action.PREFER_PUSH, "none")
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
def test_a_custom_id_holds_all_that_is_known(
    subject: int | Subject, version: int, action: Action, argument: str | None
) -> None:
    """The custom id of a button or menu contains its subject, version, action and argument."""
    made = (
        button(subject, version, action, "Label", argument=argument),
        menu(subject, version, action, "Menu", [], argument=argument),
    )
    for component in made:
        assert len(str(component.custom_id)) <= 100
        assert ComponentEvent.parse(str(component.custom_id)) == ComponentEvent(str(subject), version, action, argument)


async def test_what_is_typed_in_a_dialog_comes_back_as_a_value() -> None:
    """Text from a dialog is marked as typed, unlike a menu's choice. A dialog without text has no value."""
    events: list[ComponentEvent] = []

    async def handler(_: object, event: ComponentEvent) -> None:
        events.append(event)

    async def nothing(*_: object) -> None: ...

    components = ComponentHandlers(nothing)
    components.register({Action.PREFER_TIME_ZONE: handler})
    made = dialog(
        Subject.SELF, Action.PREFER_TIME_ZONE, "Title", "Label", about="About", placeholder="Paris", longest=9
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
    """A custom id is known if its action has a handler, as a button or as a menu."""

    async def nothing(*_: object) -> None: ...

    components = ComponentHandlers(nothing)
    components.register({Action.DRAW: nothing})
    known = ("gin:1:2:draw", "gin:1:2:choose:draw", "gin:which:0:draw:Kd")
    unknown = ("gin:1:2:fly", "gin:1:2:choose:fly", "gin:1:draw", "gin:1:2:draw:a:b", "")
    uses = [SimpleNamespace(id=number, data={"custom_id": one}) for number, one in enumerate((*known, *unknown))]
    assert [await components.handle(cast(Interaction, use)) for use in uses] == [True] * 3 + [False] * 5
