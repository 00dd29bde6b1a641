"""The wizard of `/gin play`: it leads to a challenge, to all options of a draft, or to practice with the computer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bot.engine.rules import PRESETS, Rules
from bot.model.challenges import ChallengeStatus
from bot.model.ids import PersonId
from bot.model.matches import MatchInfo, MatchKind
from bot.opponent.play.levels import Level
from bot.play import refusals as why
from bot.sandbox import Channel, Member, Message
from bot.sandbox.world.components import walk
from cogs.actions import Action
from cogs.challenges.challenges import COMPUTER_INSTEAD
from cogs.challenges.play import BY_THESE_RULES, NOT_YOURSELF
from cogs.challenges.play_panel import MORE, PLAYER_COUNTS, TARGETS
from cogs.challenges.wizard_feature import IN_DIRECT_MESSAGES
from cogs.delivery.choosing import NO_OWN_TABLE
from cogs.delivery.refusals import NO_BOTS
from cogs.words import rules as rules_text
from tests.cogs.scenes import Scene, buttons, menus, open_scene
from tests.helpers.components import find_menu
from tests.helpers.forgery import click
from tests.helpers.table import change_settings
from tests.helpers.thinkers import use_local_thinker
from tests.helpers.worlds import stopped_world

_MENUS: Final = [Action.PLAY_WITH, Action.PLAY_COUNT, Action.PLAY_TARGET, Action.PLAY_RULES, Action.PLAY_CLOCK]
_BUTTONS: Final = [Action.DRAFT_SEND, Action.PLAY_COMPUTER, Action.DRAFT_DROP]


async def _open_wizard(scene: Scene, command: str = "gin play", channel: Channel | None = None) -> Message:
    """Have North open the wizard, and return its message."""
    return (await scene.use(scene.north, command, channel or scene.channel)).message


def _values(message: Message, action: Action) -> tuple[str, ...]:
    """Return the values that a menu offers."""
    menu = find_menu(message, action)
    assert menu is not None
    return menu.values


async def _practice_match(scene: Scene) -> MatchInfo:
    """Return North's only match, which must be practice."""
    await scene.wait_for_turn(scene.north)
    (match,) = await scene.matches_of(scene.north)
    assert match.kind is MatchKind.PRACTICE
    return match


async def test_every_menu_changes_the_draft(tmp_path: Path) -> None:
    """Each menu of the wizard changes the draft, which the wizard shows; nothing is posted."""
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _open_wizard(scene)
        assert panel.ephemeral
        assert (menus(panel), buttons(panel)) == (_MENUS, _BUTTONS)
        assert _values(panel, Action.PLAY_COUNT) == tuple(map(str, PLAYER_COUNTS))
        assert _values(panel, Action.PLAY_TARGET) == tuple(map(str, TARGETS))
        await scene.choose(north, panel, Action.PLAY_TARGET, "50")
        # Other rules keep a chosen target.
        await scene.choose(north, panel, Action.PLAY_RULES, "straight")
        await scene.choose(north, panel, Action.PLAY_CLOCK, "12h")
        await scene.choose(north, panel, Action.PLAY_WITH, scene.south)
        draft = await scene.challenge()
        assert (draft.rules, draft.ruleset) == (Rules.parse("straight target=50"), "straight")
        assert (str(draft.clock), draft.named_ids) == ("12h", {scene.south.id})
        assert rules_text.line(draft.rules, draft.ruleset) in panel.text
        await scene.choose(north, panel, Action.PLAY_WITH)
        assert (await scene.challenge()).named == ()
        await scene.choose(north, panel, Action.PLAY_COUNT, "3")
        assert [*(await scene.challenge()).seats] == [3]
        await scene.choose(north, panel, Action.PLAY_COUNT, "2")
        draft = await scene.challenge()
        assert [*draft.seats] == [2]
        assert rules_text.line(draft.rules, draft.ruleset) in panel.text
        assert (menus(panel), buttons(panel)) == (_MENUS, _BUTTONS)
        assert draft.status is ChallengeStatus.DRAFT
        await scene.wait_until_idle()
        assert scene.posts == []


async def test_the_wizard_sends_a_challenge(tmp_path: Path) -> None:
    """*Challenge* sends the challenge to the chosen person, by the chosen rules; *Cancel* sends nothing."""
    async with open_scene(tmp_path) as scene:
        dropped = await _open_wizard(scene)
        await scene.press(scene.north, dropped, Action.DRAFT_DROP)
        assert buttons(dropped) == menus(dropped) == []
        panel = await _open_wizard(scene)
        await scene.choose(scene.north, panel, Action.PLAY_WITH, scene.south)
        await scene.choose(scene.north, panel, Action.PLAY_TARGET, "10")
        sent = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert sent.message is panel
        invitation = await scene.wait_for_post(Action.ACCEPT)
        assert scene.south.pushes == [invitation]
        challenge = await scene.challenge(2)
        assert (challenge.status, challenge.rules) == (ChallengeStatus.PENDING, Rules.parse("classic target=10"))
        await scene.press(scene.south, invitation, Action.ACCEPT)
        match = await scene.match()
        assert ([player.name for player in match.players], match.rules) == (["North", "South"], challenge.rules)


async def test_three_guests_lead_to_rules_for_four(tmp_path: Path) -> None:
    """If more people are chosen than the rules have places for, the draft changes to rules for that many players."""
    async with open_scene(tmp_path) as scene:
        panel = await _open_wizard(scene)
        guests = (scene.south, scene.east, scene.west)
        await scene.choose(scene.north, panel, Action.PLAY_WITH, *guests[:2])
        assert [*(await scene.challenge()).seats] == [3]
        await scene.choose(scene.north, panel, Action.PLAY_WITH, *guests)
        draft = await scene.challenge()
        assert ([*draft.seats], draft.named_ids) == ([4], {guest.id for guest in guests})
        assert rules_text.line(draft.rules, draft.ruleset) in panel.text
        for_four = [name for name in PRESETS if name in _values(panel, Action.PLAY_RULES)]
        assert for_four == ["penalty", "partners", "strict_partners"]
        fewer = await scene.choose(scene.north, panel, Action.PLAY_COUNT, "3")
        assert scene.error_type(fewer) is why.TooManyNamed
        sent = await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert Action.COMPUTERS not in buttons(sent.message)
        lobby = await scene.wait_for_post(Action.ACCEPT)
        assert [guest.pushes for guest in guests] == [[lobby]] * 3


async def test_the_sent_challenge_offers_computers_for_free_seats(tmp_path: Path) -> None:
    """The challenger's private answer has *Computers* if the table has free seats, and leads to the menu of levels."""
    async with open_scene(tmp_path) as scene:
        panel = await _open_wizard(scene)
        await scene.choose(scene.north, panel, Action.PLAY_COUNT, "4")
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        assert Action.COMPUTERS in buttons(panel)
        await scene.press(scene.north, panel, Action.COMPUTERS)
        assert menus(panel) == [Action.ADD_COMPUTER]


async def test_nobody_plays_with_other_bots(tmp_path: Path) -> None:
    """Another bot is refused as an opponent, and the draft keeps its guests."""
    world = stopped_world()
    robot = world.add_user("Robot", bot=True)
    next(iter(world.guilds.values())).members[robot.id] = Member(robot)
    async with open_scene(tmp_path, world=world) as scene:
        panel = await _open_wizard(scene)
        await scene.choose(scene.north, panel, Action.PLAY_WITH, scene.south)
        assert (await scene.choose(scene.north, panel, Action.PLAY_WITH, robot)).text == NO_BOTS
        assert (await scene.choose(scene.north, panel, Action.PLAY_WITH, scene.east, robot)).text == NO_BOTS
        assert (await scene.challenge()).named_ids == {scene.south.id}


async def test_oneself_is_dropped_from_the_opponents(tmp_path: Path) -> None:
    """A person who chooses themselves is left out and told so; the other choices stay, and the menu shows them."""
    async with open_scene(tmp_path) as scene:
        panel = await _open_wizard(scene)
        for chosen, kept in (((scene.north,), ()), ((scene.north, scene.south), (scene.south,))):
            await scene.choose(scene.north, panel, Action.PLAY_WITH, *chosen)
            assert NOT_YOURSELF in panel.text
            assert (await scene.challenge()).named_ids == {person.id for person in kept}
            shown = [
                int(value["id"]) for _, item in walk(panel.components) for value in item.get("default_values") or ()
            ]
            assert shown == [person.id for person in kept]
        await scene.choose(scene.north, panel, Action.PLAY_WITH, scene.south)
        assert NOT_YOURSELF not in panel.text


@pytest.mark.parametrize("by_menu", [False, True])
async def test_the_wizard_leads_to_practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_menu: bool) -> None:
    """*Play the computer*, or the bot itself as the opponent, begins practice by the chosen rules and level."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _open_wizard(scene)
        await scene.choose(north, panel, Action.PLAY_RULES, "straight")
        await scene.choose(north, panel, Action.PLAY_TARGET, "50")
        if by_menu:
            await scene.choose(north, panel, Action.PLAY_WITH, scene.sandbox.world.bot)
        else:
            await scene.press(north, panel, Action.PLAY_COMPUTER)
            await scene.press(north, panel, Action.PLAY_BACK)
            assert menus(panel) == _MENUS
            await scene.press(north, panel, Action.PLAY_COMPUTER)
        assert BY_THESE_RULES in panel.text
        assert menus(panel) == [Action.PRACTISE_LEVEL]
        await scene.choose(north, panel, Action.PRACTISE_LEVEL, Level.STRONG)
        match = await _practice_match(scene)
        assert (match.ruleset, match.rules) == ("straight", Rules.parse("straight target=50"))
        assert match.players[1].computer is Level.STRONG
        await scene.wait_until_idle()
        assert scene.posts == []
        with pytest.raises(why.NoChallenge):
            await scene.challenge()


async def test_house_rules_are_practised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Practice keeps the name of house rules, also where the server offers few presets, and a changed target."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path) as scene:
        await scene.bot.app.rulebook.save(scene.guild_id, "Friday night", "oklahoma spade_doubles=on target=150")
        await change_settings(scene.bot.app, scene.guild_id, offered=("classic",))
        north, panel = scene.north, await _open_wizard(scene)
        await scene.choose(north, panel, Action.PLAY_RULES, "Friday night")
        await scene.choose(north, panel, Action.PLAY_TARGET, "50")
        await scene.press(north, panel, Action.PLAY_COMPUTER)
        await scene.choose(north, panel, Action.PRACTISE_LEVEL, Level.NOVICE)
        match = await _practice_match(scene)
        assert (match.ruleset, match.rules) == ("Friday night", Rules.parse("oklahoma spade_doubles=on target=50"))


async def test_challenging_the_bot_leads_to_practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`/gin challenge` with the bot as an opponent posts nothing and offers its levels instead."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path) as scene:
        bot = scene.sandbox.world.bot
        asked = await scene.use(scene.north, "gin challenge", scene.channel, opponent=scene.south, second=bot)
        assert COMPUTER_INSTEAD in asked.text
        asked = await scene.use(scene.north, "gin challenge", scene.channel, opponent=bot)
        assert asked.message.ephemeral
        assert COMPUTER_INSTEAD in asked.text
        await scene.choose(scene.north, asked.message, Action.PRACTISE_LEVEL, Level.EXPERT)
        match = await _practice_match(scene)
        assert (match.rules, match.players[1].computer) == (Rules(), Level.EXPERT)
        await scene.wait_until_idle()
        assert scene.posts == []
        assert await scene.bot.app.challenges.own(PersonId(scene.north.id)) == ()


async def test_in_direct_messages_there_is_only_the_computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`/gin play` in direct messages offers the levels of the computer, and choosing one begins practice."""
    use_local_thinker(monkeypatch)
    async with open_scene(tmp_path) as scene:
        panel = await _open_wizard(scene, channel=scene.north.dm)
        assert IN_DIRECT_MESSAGES in panel.text
        assert (menus(panel), buttons(panel)) == ([Action.PRACTISE_LEVEL], [])
        await scene.choose(scene.north, panel, Action.PRACTISE_LEVEL, Level.CASUAL)
        match = await _practice_match(scene)
        assert (match.rules, match.players[1].computer) == (Rules(), Level.CASUAL)


async def test_more_rules_open_the_draft(tmp_path: Path) -> None:
    """*More …* in the menu of rules opens the draft with all rules and options, and keeps the choices so far."""
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _open_wizard(scene)
        await scene.choose(north, panel, Action.PLAY_TARGET, "50")
        assert _values(panel, Action.PLAY_RULES)[-1] == MORE
        await scene.choose(north, panel, Action.PLAY_RULES, MORE)
        assert {Action.DRAFT_RULES, Action.DRAFT_OPTION, Action.DRAFT_CLOCK} == {*menus(panel)}
        assert buttons(panel) == [Action.DRAFT_SEND, Action.CHALLENGE_RULES, Action.DRAFT_DROP]
        draft = await scene.challenge()
        assert draft.rules == Rules.parse("classic target=50")
        assert rules_text.line(draft.rules, draft.ruleset) in panel.text


async def test_starting_a_lobby_without_one_opens_the_wizard(tmp_path: Path) -> None:
    """`/gin lobby start` without a lobby opens the wizard for three; in direct messages it is refused."""
    async with open_scene(tmp_path) as scene:
        assert await scene.ask(scene.north, "lobby start", scene.north.dm) == NO_OWN_TABLE
        panel = await _open_wizard(scene, "gin lobby start")
        assert (menus(panel), buttons(panel)) == (_MENUS, _BUTTONS)
        assert [*(await scene.challenge()).seats] == [3]
        await scene.press(scene.north, panel, Action.DRAFT_SEND)
        await scene.wait_for_post(Action.ACCEPT)
        assert (await scene.challenge()).is_lobby


async def test_the_button_in_the_help_opens_the_wizard(tmp_path: Path) -> None:
    """*Play* below the help opens the wizard in a new message, and the help stays."""
    async with open_scene(tmp_path) as scene:
        shown = (await scene.use(scene.north, "gin help", scene.channel)).message
        opened = await scene.press(scene.north, shown, Action.PLAY)
        assert opened.message is not shown
        assert menus(opened.message) == _MENUS
        assert Action.PLAY in buttons(shown)


async def test_forged_choices_are_refused(tmp_path: Path) -> None:
    """Only the person who opened a wizard can use it, and values that it never offered change nothing."""
    async with open_scene(tmp_path) as scene:
        north, panel = scene.north, await _open_wizard(scene)
        before = await scene.challenge()
        for action, value in (
            (Action.PLAY_WITH, str(scene.south.id)),
            (Action.PLAY_COUNT, "3"),
            (Action.PLAY_TARGET, "50"),
            (Action.PLAY_RULES, "straight"),
            (Action.PLAY_RULES, MORE),
            (Action.PLAY_CLOCK, "12h"),
            (Action.PLAY_COMPUTER, ""),
            (Action.PRACTISE_LEVEL, Level.NOVICE),
        ):
            stolen = await click(scene.east, panel, action, 1, values=[value])
            assert scene.error_type(stolen) in (why.NoChallenge, why.NotForYou)
        for action, value in ((Action.PLAY_COUNT, "5"), (Action.PLAY_TARGET, "7"), (Action.PLAY_TARGET, "none")):
            await click(north, panel, action, 1, values=[value])
        assert scene.error_type(await click(north, panel, Action.PLAY_RULES, 1, values=["chess"])) is why.UnknownRules
        assert scene.error_type(await click(north, panel, Action.PLAY_CLOCK, 1, values=["soon"])) is why.UnknownClock
        assert await scene.challenge() == before
        assert await scene.matches_of(scene.east) == []


async def test_the_wizard_respects_chosen_channels(tmp_path: Path) -> None:
    """Outside the channels that managers chose, the wizard is refused, like a challenge."""
    async with open_scene(tmp_path) as scene:
        corner = scene.sandbox.channel("quiet-corner")
        await change_settings(scene.bot.app, scene.guild_id, channels=(corner.id,))
        refused = await scene.use(scene.north, "gin play", scene.channel)
        assert scene.error_type(refused) is why.WrongChannel
        assert menus(await _open_wizard(scene, channel=corner)) == _MENUS
