"""Ending a deal: knocks with chosen melds, big gin, the wall, and manual layoffs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.engine.deals.moves import DRAW, PASS, discard
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.model.ids import MatchId, PersonId
from bot.model.matches import Showdown
from bot.play.refusals import NotYourTurn, Refusal
from bot.sandbox import Message
from cardart.text.card_names import ENGLISH
from cogs.actions import Action
from cogs.delivery.errors import UserError
from cogs.showdowns import showdown_text
from cogs.turns.refusals import unreadable_card
from tests.cogs.scenes import DISCARD_ACTIONS, Scene, buttons, buttons_without_cards, open_match_scene, person_of
from tests.engine.decks import GIN_HAND, POOR_HAND, deck
from tests.helpers.components import actions_of, controls
from tests.helpers.shufflers import IMMEDIATE_KNOCK
from tests.helpers.table import interaction

MATCH = MatchId(1)

LAYOFFS_DECK = deck(f"{GIN_HAND} Qh", "4c 7d 8d Ks 2h 4h 6h 8h Th Jh", "2d")
"""North can knock with 2 deadwood. South can lay off 4c, Ks, 7d and then 8d, and so reduce deadwood from 59 to 30."""

NO_LAYOFF_DECK = deck(f"{GIN_HAND} Qh", POOR_HAND, "2d")
HARMFUL_LAYOFF_DECK = deck(f"{GIN_HAND} Qh", "7d 7h 7c 2h 4h 5s 9h Th 9s Jc", "2d")
"""North can knock with 2 deadwood. Of South's cards only 7d can be laid off, and that breaks up three sevens."""

BIG_GIN_DECK = deck(f"{GIN_HAND} 7d", POOR_HAND, "Ks")
"""With the upcard, all eleven cards of North are melded."""

WALL_DECK = deck(POOR_HAND, f"{GIN_HAND} Qh", "2d")
"""South can knock in any turn, even at the wall, when two cards are left in the stock."""

LAYOFF_BUTTONS = [Action.LAY_OFF, Action.LAY_OFF, Action.LAY_OFF, Action.LAY_OFF_ALL, Action.ASK_FIRST]
"""The actions of a hand's buttons when three cards can be laid off."""


async def _north_knocks(scene: Scene) -> Message:
    """Have North knock, and return South's hand, in which South can lay off."""
    await scene.ask(scene.north, "take")
    await scene.ask(scene.north, "knock", card="Qh")
    await scene.wait_until_idle()
    return await scene.wait_for_turn(scene.south)


async def _last_outcome(scene: Scene) -> Outcome:
    """Wait until the bot is idle, check that the last deal's showdown and details are shown, and return its outcome."""
    await scene.wait_until_idle()
    summary = await scene.bot.app.lookup.summary(MATCH)
    view = summary.deals[-1]
    post = next(post for post in reversed(scene.posts) if showdown_text.title(view, summary.match) in post.text)
    assert showdown_text.hands(Showdown(summary.match, view)) in (await scene.details(post)).text
    return view.outcome


async def _last_win(scene: Scene) -> tuple[int | None, OutcomeKind, int]:
    """Return the winner's id, the kind of outcome and the points of the last deal."""
    outcome = await _last_outcome(scene)
    assert outcome.winner is not None
    match = await scene.bot.app.lookup.info(MATCH)
    return match.players[outcome.winner].id, outcome.kind, outcome.points


def _is_unreadable(error: Refusal | str | None) -> bool:
    """Return True if a text was refused because it is not a card."""
    return isinstance(error, UserError) and error.text == unreadable_card(ENGLISH)


@pytest.mark.nightly
async def test_cards_are_laid_off_one_by_one(tmp_path: Path) -> None:
    """Each card that fits a meld has a button. A layoff adds buttons for cards that fit only after it."""
    async with open_match_scene(tmp_path, LAYOFFS_DECK, rules="standard") as scene:
        north, south = scene.north, scene.south
        hand = await _north_knocks(scene)
        assert buttons(hand) == LAYOFF_BUTTONS
        shown = await scene.use(north, "gin hand", scene.channel)
        assert buttons(shown.message) == [Action.REFRESH_HAND, Action.GAMES]
        assert isinstance(await scene.refusal_of(north, "layoff", cards="all"), NotYourTurn)
        await scene.press(south, hand, Action.LAY_OFF, "7d>4d5d6d")
        await scene.wait_until_idle()
        assert "7♦ on 4♦ 5♦ 6♦ by South" in str(scene.table.images[0].alt)
        hand = await scene.wait_for_turn(south)
        assert buttons(hand) == LAYOFF_BUTTONS
        await scene.press(south, hand, Action.LAY_OFF, "8d>4d5d6d")
        await scene.press(south, await scene.wait_for_turn(south), Action.ASK_FIRST)
        assert "2 cards" in hand.text
        await scene.press(south, hand, Action.FINISH_LAYING_OFF)
        assert [str(lay_off) for lay_off in (await _last_outcome(scene)).lay_offs] == ["7d>4d5d6d", "8d>4d5d6d"]
        assert await _last_win(scene) == (north.id, OutcomeKind.KNOCK, 52)


@pytest.mark.thorough
async def test_one_press_lays_off_every_helpful_card(tmp_path: Path) -> None:
    """One button lays off all cards that lower the deadwood, and ends the deal."""
    async with open_match_scene(tmp_path, LAYOFFS_DECK, rules="standard") as scene:
        hand = await _north_knocks(scene)
        await scene.press(scene.south, hand, Action.LAY_OFF_ALL)
        assert len((await _last_outcome(scene)).lay_offs) == 4
        assert await _last_win(scene) == (scene.north.id, OutcomeKind.KNOCK, 38)


@pytest.mark.nightly
async def test_lay_offs_may_be_declined(tmp_path: Path) -> None:
    """A player may decline to lay off cards even if that costs points, but must confirm it."""
    async with open_match_scene(tmp_path, LAYOFFS_DECK, rules="standard") as scene:
        hand = await _north_knocks(scene)
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        assert buttons(hand) == [Action.REFRESH_HAND, Action.FINISH_LAYING_OFF]
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        assert buttons(hand) == LAYOFF_BUTTONS
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert (await _last_outcome(scene)).lay_offs == ()
        assert await _last_win(scene) == (scene.north.id, OutcomeKind.KNOCK, 67)


@pytest.mark.thorough
async def test_a_harmful_layoff_asks_first(tmp_path: Path) -> None:
    """If a layoff would only add deadwood, its button asks first, and the question names the cost."""
    async with open_match_scene(tmp_path, HARMFUL_LAYOFF_DECK, rules="standard") as scene:
        hand = await _north_knocks(scene)
        disabled = [control.action for control in controls(hand, disabled=True) if control not in [*controls(hand)]]
        assert disabled[-1] is Action.LAY_OFF_ALL
        assert buttons(hand) == [Action.ASK_FIRST, Action.FINISH_LAYING_OFF]
        assert "14 deadwood" not in hand.text
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        assert "14 deadwood" in hand.text
        await scene.press(scene.south, hand, Action.REFRESH_HAND)
        await scene.press(scene.south, hand, Action.ASK_FIRST)
        await scene.press(scene.south, hand, Action.LAY_OFF)
        await scene.wait_until_idle()
        assert "7♦ on 4♦ 5♦ 6♦ by South" in str(scene.table.images[0].alt)
        hand = await scene.wait_for_turn(scene.south)
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert await _last_win(scene) == (scene.north.id, OutcomeKind.KNOCK, 61)


@pytest.mark.nightly
async def test_without_a_layoff_one_press_finishes(tmp_path: Path) -> None:
    """If no card can be laid off, the only button finishes the deal."""
    async with open_match_scene(tmp_path, NO_LAYOFF_DECK, rules="standard") as scene:
        hand = await _north_knocks(scene)
        assert buttons(hand) == [Action.FINISH_LAYING_OFF]
        await scene.press(scene.south, hand, Action.FINISH_LAYING_OFF)
        assert await _last_win(scene) == (scene.north.id, OutcomeKind.KNOCK, 58)


@pytest.mark.nightly
async def test_layoffs_by_command_and_completion(tmp_path: Path) -> None:
    """Completions for *all*, *nothing* and each card name the points that they save; other input is refused.

    *nothing* finishes, and keeps the cards already laid off.
    """
    async with open_match_scene(tmp_path, LAYOFFS_DECK, LAYOFFS_DECK, rules="standard") as scene:
        north, south = scene.north, scene.south

        async def completions(typed: str) -> list[tuple[str, str]]:
            asked = await south.complete("gin layoff", scene.channel, option="cards", value=typed)
            return [(choice["name"], choice["value"]) for choice in (await asked.answer()).choices]

        assert await completions("") == []
        await scene.ask(north, "take")
        assert await scene.refusal_of(north, "layoff", cards="all") == "no-lay-off"
        assert await scene.refusal_of(north, "layoff", cards="4c") == "drawn"
        await scene.ask(north, "knock", card="Qh")
        assert [value for _, value in await completions("")][:3] == ["all", "nothing", "4c>Ac2c3c"]
        assert [value for _, value in await completions("K♠")] == ["Ks>KcKdKh"]
        ((king, _),) = await completions("king")
        assert "10" in king
        for command in ("draw", "take", "gin", "big"):
            assert await scene.refusal_of(south, command) in ("lay-off-first", "no-gin")
        assert await scene.refusal_of(south, "layoff", cards="Jh") == "lay-off"
        for nonsense in ("banana", "7d 8d", "7d>banana"):
            assert _is_unreadable(await scene.refusal_of(south, "layoff", cards=nonsense))
        for cards, laid_off in (("king of spades", "K♠"), ("7d>4d5d6d", "7♦")):
            answer = await scene.use(south, "gin layoff", scene.channel, cards=cards)
            assert laid_off in str(answer.message.images[0].alt).partition("Laid off")[2]
        await scene.wait_until_idle()
        assert "K♠ on K♣ K♦ K♥ by South" in str(scene.table.images[0].alt)
        await scene.ask(south, "layoff", cards="all")
        assert await _last_win(scene) == (north.id, OutcomeKind.KNOCK, 38)
        await scene.ask(south, "take")
        await scene.ask(south, "knock", card="Qh")
        await scene.ask(north, "layoff", cards="Nothing")
        assert await _last_win(scene) == (south.id, OutcomeKind.KNOCK, 67)


@pytest.mark.thorough
async def test_big_gin_by_button_and_command(tmp_path: Path) -> None:
    """With eleven melded cards, a button and a command declare big gin; ordinary gin with a discard is offered too."""
    async with open_match_scene(
        tmp_path, BIG_GIN_DECK, BIG_GIN_DECK, IMMEDIATE_KNOCK, rules="big", target=1000
    ) as scene:
        north, south = scene.north, scene.south
        assert await scene.refusal_of(north, "big") == "offer"
        await scene.press(north, await scene.wait_for_turn(north), Action.TAKE)
        hand = await scene.wait_for_turn(north)
        assert buttons_without_cards(hand)[:2] == [Action.BIG_GIN, Action.GIN]
        await scene.press(north, hand, Action.BIG_GIN)
        assert await _last_win(scene) == (north.id, OutcomeKind.BIG_GIN, 91)
        assert (await _last_outcome(scene)).bonus == 31
        await scene.ask(south, "take")
        await scene.ask(south, "big")
        assert await _last_win(scene) == (south.id, OutcomeKind.BIG_GIN, 91)
        await scene.ask(north, "take")
        assert await scene.refusal_of(north, "big") == "not-big-gin"


@pytest.mark.thorough
async def test_big_gin_is_refused_if_the_rules_lack_it(tmp_path: Path) -> None:
    """Without big gin in the rules, eleven melded cards are only gin, and `/gin big` is refused."""
    async with open_match_scene(tmp_path, BIG_GIN_DECK) as scene:
        await scene.ask(scene.north, "take")
        await scene.wait_until_idle()
        assert Action.GIN in buttons(await scene.wait_for_turn(scene.north))
        assert await scene.refusal_of(scene.north, "big") == "no-big-gin"


@pytest.mark.thorough
async def test_a_knock_with_chosen_melds(tmp_path: Path) -> None:
    """The question and the command list each way to knock with its deadwood; the showdown uses the chosen melds."""
    async with open_match_scene(tmp_path, IMMEDIATE_KNOCK, IMMEDIATE_KNOCK) as scene:
        worse = "Qh 4d5d6d/KcKdKh"
        for person in (scene.north, scene.south):
            await scene.ask(person, "take")
            await scene.wait_until_idle()
            hand = await scene.wait_for_turn(person)
            assert actions_of(hand) >= DISCARD_ACTIONS
            await scene.press(person, hand, Action.OTHER_KNOCKS)
            chosen = hand.selects[0].options[1]
            assert chosen.value == worse
            assert "Q♥" in chosen.label
            assert "8" in chosen.label
            if person is scene.south:
                asked = await person.complete("gin knock", scene.channel, option="melds", value="", card="Qh")
                offered = (await asked.answer()).choices
                assert [(way["name"], way["value"]) for way in offered][1] == (chosen.label, worse)
                asked = await person.complete("gin knock", scene.channel, option="melds", value="", card="Kc")
                assert (await asked.answer()).choices == []
                assert await scene.refusal_of(person, "knock", card="Qh", melds="Qh 2h3h4h") == "melds"
                assert _is_unreadable(await scene.refusal_of(person, "knock", card="Qh", melds="banana"))
                await scene.ask(person, "knock", card="Qh", melds=worse)
            else:
                await scene.choose(person, hand, Action.KNOCK_WITH_MELDS, worse)
            outcome = await _last_outcome(scene)
            assert outcome.winner is not None
            assert "/".join(str(meld) for meld in outcome.hands[0].melds) == "4d5d6d/KcKdKh"
            assert outcome.deadwood[0] == 8
            assert await _last_win(scene) == (person.id, OutcomeKind.KNOCK, 52)


async def _play_to_the_wall(scene: Scene) -> None:
    """Have both players pass, then draw and discard the drawn card until two cards are left and it is South's turn."""
    turns = scene.bot.app.turns
    people = (person_of(scene.north), person_of(scene.south))
    for person in people:
        await turns.move(person.id, MATCH, PASS, interaction())
    for number in range(29):
        person = people[number % 2]
        hand = await turns.move(person.id, MATCH, DRAW, interaction())
        assert hand.view.new_card is not None
        await turns.move(person.id, MATCH, discard(hand.view.new_card), interaction())
    await scene.wait_until_idle()


@pytest.mark.nightly
async def test_at_the_wall_the_discard_is_only_for_going_out(tmp_path: Path) -> None:
    """At the wall (two cards left in the stock), the last discard may be taken only to go out."""
    async with open_match_scene(tmp_path, WALL_DECK, rules="tournament") as scene:
        south = scene.south
        await _play_to_the_wall(scene)
        hand = await scene.wait_for_turn(south)
        assert buttons(hand) == [Action.TAKE, Action.PASS]
        for command, code in (("draw", "wall"), ("gin", "no-gin")):
            assert await scene.refusal_of(south, command) == code
        await scene.press(south, hand, Action.TAKE)
        hand = await scene.wait_for_turn(south)
        assert Action.DISCARD not in actions_of(hand)
        assert await scene.refusal_of(south, "discard", card="Qh") == "wall"
        await scene.press(south, hand, Action.KNOCK)
        winner, kind, _ = await _last_win(scene)
        assert (winner, kind) == (south.id, OutcomeKind.KNOCK)


@pytest.mark.nightly
async def test_passing_at_the_wall_voids_the_deal(tmp_path: Path) -> None:
    """A pass at the wall scores nothing, and the same player deals again."""
    async with open_match_scene(tmp_path, WALL_DECK, rules="tournament") as scene:
        await _play_to_the_wall(scene)
        await scene.ask(scene.south, "pass")
        outcome = await _last_outcome(scene)
        assert (outcome.kind, outcome.is_too_long) == (OutcomeKind.VOID, False)
        hand = await scene.bot.app.lookup.hand(PersonId(scene.south.id), MATCH)
        assert (hand.view.public.number, hand.view.public.dealer) == (2, hand.view.seat)
