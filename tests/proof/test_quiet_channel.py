"""A quiet channel: the height of the messages that a match leaves there, as a phone shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bot.model.guilds import MatchHome
from bot.model.ids import MatchId, PersonId
from bot.model.matches import MatchStatus
from bot.model.people import Person
from cogs.actions import Action
from cogs.showdowns.showdown_text import end_title
from tests.cogs.scenes import buttons, open_scene, person_of
from tests.helpers.living import running_bot, start_match
from tests.helpers.shufflers import IMMEDIATE_KNOCK, RiggedShuffler
from tests.helpers.table import Players
from tests.sandbox.page.screens import Tabs, visit

pytestmark = [pytest.mark.thorough]

PHONE: Final = {"width": 390, "height": 844}
MAX_HEIGHT: Final = 2800
"""Maximum height of the messages of a six-deal match in its channel, in CSS pixels. It was about 5,000."""
MATCH: Final = MatchId(1)
DEALS: Final = 6
# A transaction that is repeated after a conflict deals again, so there are more decks than deals.
DECKS: Final = [IMMEDIATE_KNOCK] * 2 * DEALS
_HEIGHT: Final = """() => {
    const boxes = [...document.querySelectorAll(".message")].map(message => message.getBoundingClientRect());
    return boxes.at(-1).bottom - boxes[0].top;
}"""


@pytest.mark.asyncio(loop_scope="session")
async def test_a_match_leaves_little_in_its_channel(tmp_path: Path, tabs: Tabs) -> None:
    """After a match of six deals in a channel, its messages fit into three and a half screens of a phone."""
    async with running_bot(tmp_path, shuffler=RiggedShuffler(*DECKS)) as alive:
        await start_match(alive, rules="classic deals=6 target=none")
        people = tuple(Person(PersonId(alive.person(name).id), name) for name in ("North", "South"))
        players = Players(alive.app, people)
        for _ in range(DEALS):
            await players.move(MATCH, "take", "k Qh")
            await alive.idle()
        assert (await alive.app.lookup.info(MATCH)).status is MatchStatus.FINISHED
        page = await visit(tabs, alive.sandbox, PHONE)
        await page.get_by_role("radio", name="East").click()
        await page.get_by_role("button", name="Channels").click()
        await page.locator(".channel", has_text="games").click()
        await page.locator(".message").last.wait_for()
        await page.wait_for_function("[...document.images].every(image => image.complete && image.naturalHeight)")
        height = await page.evaluate(_HEIGHT)
        assert height <= MAX_HEIGHT


async def test_a_match_in_a_thread_leaves_a_seal_and_a_card(tmp_path: Path) -> None:
    """After a match in a thread, the channel has only the seal and one card, which says who won."""
    async with open_scene(tmp_path, *DECKS, match_home=MatchHome.THREAD) as scene:
        invitation = await scene.invite(scene.north, scene.south, rules="classic deals=6 target=none")
        await scene.press(scene.south, invitation, Action.ACCEPT)
        players = Players(scene.bot.app, (person_of(scene.north), person_of(scene.south)))
        for _ in range(DEALS):
            await players.move(MATCH, "take", "k Qh")
            await scene.wait_until_idle()
        card, seal = scene.posts
        assert buttons(seal) == [Action.HOW_VERIFIED]
        assert card is invitation
        assert end_title(await scene.bot.app.lookup.summary(MATCH)) in card.text
