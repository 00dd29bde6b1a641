"""Discards taken back by consent."""

from __future__ import annotations

import pytest

from bot.engine.deals.moves import Verb
from bot.engine.deals.phase import Phase
from bot.model.ids import MatchId
from bot.model.matches import OwnHand, Proposal
from bot.model.orders import Orders
from bot.model.outbox import MessageKind
from bot.model.people import Person
from bot.play.application import Application
from bot.play.outbox.changes import CLICK_ANSWER_DELAY
from bot.play.refusals import CannotTakeBack, MatchOver, NoOffer, NotSeated, Paused
from bot.store import matches
from bot.store.database import Database
from tests.engine.decks import deck
from tests.helpers.clock import Clock
from tests.helpers.messages import FakeCourier
from tests.helpers.shufflers import RiggedShuffler
from tests.helpers.table import EAST, NORTH, SOUTH, Players, interaction, prefer

DECKS = [deck("Ac 2c 3c 4d 5d 6d Kc Kd Jh Qs", "2h 4h 6h 7h Th 2s 5s 7s 9s Jd", "3d", stock="Qd 8c 3h Tc")] * 5
"""North acts first, and South needs neither the queen nor the jack."""


@pytest.fixture
def app(database: Database, clock: Clock) -> Application:
    return Application(database, shuffler=RiggedShuffler(*DECKS), clock=clock)


async def hand_of(app: Application, person: Person, match_id: MatchId) -> OwnHand:
    return await app.lookup.hand(person.id, match_id)


async def ask(app: Application, person: Person, match_id: MatchId, *, is_answer: bool = False) -> OwnHand:
    return await app.taking_back.take_back(person.id, match_id, interaction(), is_answer=is_answer)


async def discarded(app: Application, players: Players, *, allowed: bool = True) -> MatchId:
    """Begin a match in which North discards the queen, and South allows others to ask."""
    await prefer(app, SOUTH, take_backs=allowed)
    match = await players.begin()
    await players.move(match.id, "take", "x Qs")
    return match.id


async def test_a_discard_returns_once_the_opponent_agrees(
    app: Application, players: Players, database: Database
) -> None:
    """After the opponent agrees, the player holds the card and can discard another. The log has both actions."""
    match_id = await discarded(app, players)
    assert (await hand_of(app, NORTH, match_id)).may_take_back
    asked = await ask(app, NORTH, match_id)
    assert (asked.match.open_proposal, asked.may_take_back) == (Proposal.TAKE_BACK, False)
    agreed = await ask(app, SOUTH, match_id, is_answer=True)
    assert (agreed.view.is_to_act, agreed.match.open_proposal) == (False, None)
    hand = await hand_of(app, NORTH, match_id)
    assert "Qs" in map(str, hand.view.hand)
    assert len(hand.view.hand) == 11
    await players.move(match_id, "x Jh")
    assert not (await hand_of(app, NORTH, match_id)).may_take_back
    async with database.read() as transaction:
        texts = await matches.actions(transaction, match_id)
    assert list(texts)[-4:] == ["0 take", "0 x Qs", "back 0", "0 x Jh"]


async def test_opponents_must_allow_to_be_asked(app: Application, players: Players) -> None:
    """By default, nobody can be asked. Computers are never asked."""
    match_id = await discarded(app, players, allowed=False)
    assert not (await hand_of(app, NORTH, match_id)).may_take_back
    with pytest.raises(CannotTakeBack):
        await ask(app, NORTH, match_id)


async def test_nobody_can_tell_whether_the_opponent_has_drawn(app: Application, players: Players) -> None:
    """A player can ask while the opponent has secretly drawn, by themselves or by order. Then only the answer fails."""
    for order in (Orders(), Orders(draws=True)):
        await prefer(app, SOUTH, take_backs=True)
        match = await players.begin()
        waiting = await hand_of(app, SOUTH, match.id)
        await app.orders.give(SOUTH.id, match.id, order, waiting.next_turn)
        await players.move(match.id, "take", "x Qs")
        if not order.draws:
            await players.move(match.id, "draw")
        assert (await hand_of(app, NORTH, match.id)).may_take_back
        await ask(app, NORTH, match.id)
        with pytest.raises(CannotTakeBack) as refused:
            await ask(app, SOUTH, match.id, is_answer=True)
        assert refused.value.has_drawn
        assert (await hand_of(app, NORTH, match.id)).match.open_proposal is Proposal.TAKE_BACK
        await players.move(match.id, "x Jd")
        assert (await hand_of(app, NORTH, match.id)).match.open_proposal is None
        await app.endings.resign(NORTH.id, match.id, interaction())


@pytest.mark.parametrize("withdraws", [False, True])
async def test_a_hopeless_request_does_not_count(app: Application, players: Players, withdraws: bool) -> None:
    """If the opponent moves and does not answer, the player can ask again, but only after the next discard.

    A withdrawn request counts: otherwise the player could tell whether the opponent has drawn.
    """
    match_id = await discarded(app, players)
    await players.move(match_id, "draw")
    await ask(app, NORTH, match_id)
    if withdraws:
        hand = await app.endings.decline(NORTH.id, match_id)
        assert not hand.may_take_back
    await players.move(match_id, "x Jd", "draw", "x 8c")
    assert (await hand_of(app, NORTH, match_id)).may_take_back is not withdraws
    exported = await app.exports.export(NORTH.id)
    assert exported["matches"][0]["asked_back"] == (1 if withdraws else None)


@pytest.mark.parametrize("draws", [False, True])
async def test_a_player_learns_that_a_request_was_too_late(app: Application, players: Players, draws: bool) -> None:
    """After the opponent's discard, and until the player's next move, their hand says that they asked too late.

    It does not tell whether the opponent had drawn before the request.
    """
    match_id = await discarded(app, players)
    if draws:
        await players.move(match_id, "draw")
    await ask(app, NORTH, match_id)
    if not draws:
        await players.move(match_id, "draw")
    assert not (await hand_of(app, NORTH, match_id)).asked_too_late
    await players.move(match_id, "x Jd")
    assert (await hand_of(app, NORTH, match_id)).asked_too_late
    await players.move(match_id, "draw")
    assert not (await hand_of(app, NORTH, match_id)).asked_too_late


@pytest.mark.parametrize("draws", [False, True])
async def test_shuffle_words_do_not_reveal_a_draw(app: Application, players: Players, draws: bool) -> None:
    """Words that are given during a request neither end it nor show whether the opponent has drawn."""
    match_id = await discarded(app, players)
    if draws:
        await players.move(match_id, "draw")
    await ask(app, NORTH, match_id)
    await app.words.give(NORTH.id, match_id, "blue boats", interaction())
    hand = await hand_of(app, NORTH, match_id)
    assert (hand.match.open_proposal, hand.may_take_back) == (Proposal.TAKE_BACK, False)


async def test_with_three_players_only_the_next_one_can_be_too_late(app: Application) -> None:
    """A player who does not play next can agree, even if the next player has secretly drawn."""
    for person in (NORTH, SOUTH, EAST):
        await prefer(app, person, take_backs=True)
    table = Players(app, (NORTH, SOUTH, EAST))
    match = await table.begin("rotation")
    await table.move(match.id, "take", "x Qs", "draw")
    deal = (await app.lookup.table(match.id)).view
    asker, other = deal.history[-1].seat, next(seat for seat in range(3) if seat not in deal.seats)
    people = [player.id for player in match.players if player.id is not None]
    assert deal.turn is not None
    await app.taking_back.take_back(people[asker], match.id, interaction())
    await app.taking_back.take_back(people[other], match.id, interaction(), is_answer=True)
    with pytest.raises(CannotTakeBack):
        await app.taking_back.take_back(people[deal.turn], match.id, interaction(), is_answer=True)


@pytest.mark.thorough
async def test_a_discard_before_a_reshuffle_stays(app: Application, players: Players) -> None:
    """Nobody can ask for the discard before a reshuffle, whether or not the next player has drawn since."""
    for person in (NORTH, SOUTH):
        await prefer(app, person, take_backs=True)
    match = await players.begin("penalty")

    async def take_turn() -> OwnHand:
        drawn = await players.move(match.id, "draw")
        card = next(choice.card for choice in drawn.view.discard_choices if choice.is_allowed)
        return await players.move(match.id, f"x {card}")

    hand = await take_turn()
    while len(hand.view.public.discards) > 1:
        assert hand.may_take_back
        hand = await take_turn()
    asker = players.people[hand.view.seat]
    assert not hand.may_take_back
    await players.move(match.id, "draw")
    assert not (await hand_of(app, asker, match.id)).may_take_back
    with pytest.raises(CannotTakeBack):
        await ask(app, asker, match.id)


async def test_everybody_sees_that_a_discard_was_taken_back(app: Application, players: Players) -> None:
    """The public view names the seats that have taken a discard back in the deal."""
    match_id = await discarded(app, players)
    assert (await app.lookup.table(match_id)).view.taken_back == ()
    await ask(app, NORTH, match_id)
    await ask(app, SOUTH, match_id, is_answer=True)
    assert (await app.lookup.table(match_id)).view.taken_back == (0,)


async def test_a_draw_stays_known_after_its_discard_was_taken_back(app: Application, players: Players) -> None:
    """Everybody has seen the draw, so the table still shows it, and the other player cannot ask in turn."""
    match_id = await discarded(app, players)
    await prefer(app, NORTH, take_backs=True)
    await players.move(match_id, "draw", "x Jd")
    await ask(app, SOUTH, match_id)
    await ask(app, NORTH, match_id, is_answer=True)
    table = (await app.lookup.table(match_id)).view
    assert (table.phase, table.hand_sizes, table.history[-1].verb) == (Phase.DISCARD, (10, 11), Verb.DRAW)
    assert not (await hand_of(app, NORTH, match_id)).may_take_back
    await players.move(match_id, "x 2h", "draw")
    table = (await app.lookup.table(match_id)).view
    assert (table.phase, table.hand_sizes) == (Phase.DRAW, (10, 10))


@pytest.mark.parametrize("move", ["take", "draw"])
async def test_a_request_ends_with_the_opponents_move(app: Application, players: Players, move: str) -> None:
    """A request is withdrawn when the opponent takes the card, or discards after drawing."""
    match_id = await discarded(app, players)
    await ask(app, NORTH, match_id)
    await players.move(match_id, move)
    if move == "draw":
        await players.move(match_id, "x Jd")
    assert (await hand_of(app, NORTH, match_id)).match.open_proposal is None
    with pytest.raises(NoOffer):
        await ask(app, SOUTH, match_id, is_answer=True)


@pytest.mark.parametrize("in_own_message", [False, True])
async def test_the_answer_to_a_click_is_not_overwritten_at_once(
    app: Application, players: Players, courier: FakeCourier, clock: Clock, in_own_message: bool
) -> None:
    """If a player withdraws a request in their own hand message, the answer stays there for a few seconds."""
    await players.open_dms(NORTH, SOUTH)
    match_id = await discarded(app, players)
    await ask(app, NORTH, match_id)
    await courier.deliver()
    await app.endings.decline(NORTH.id, match_id, in_own_message=in_own_message)
    assert (await courier.deliver()).count(("edit", MessageKind.HAND)) == 2 - in_own_message
    clock.pass_by(CLICK_ANSWER_DELAY)
    assert (await courier.deliver()).count(("edit", MessageKind.HAND)) == in_own_message


async def test_a_declined_request_is_not_repeated(app: Application, players: Players) -> None:
    """After the opponent declines, the player cannot ask again in this deal."""
    match_id = await discarded(app, players)
    await ask(app, NORTH, match_id)
    await app.endings.decline(SOUTH.id, match_id)
    for moves in ((), ("draw", "x Jd", "draw", "x 8c")):
        for move in moves:
            await players.move(match_id, move)
        with pytest.raises(CannotTakeBack):
            await ask(app, NORTH, match_id)


async def test_only_a_discard_can_be_taken_back(app: Application, players: Players) -> None:
    """Nobody can ask before a discard, about another player's discard, in a pause, or after the match."""
    await prefer(app, SOUTH, take_backs=True)
    match = await players.begin()
    for person, error in ((NORTH, CannotTakeBack), (EAST, NotSeated)):
        with pytest.raises(error):
            await ask(app, person, match.id)
    await prefer(app, NORTH, take_backs=True)
    await players.move(match.id, "take", "x Qs")
    with pytest.raises(CannotTakeBack):
        await ask(app, SOUTH, match.id)
    for person in (NORTH, SOUTH):
        await app.pauses.pause(person.id, match.id)
    with pytest.raises(Paused):
        await ask(app, NORTH, match.id)
    await app.endings.resign(NORTH.id, match.id, interaction())
    with pytest.raises(MatchOver):
        await ask(app, NORTH, match.id)
