"""The animation of a deal shows every action, and every card in its position."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from itertools import islice, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.engine.cards import Card
from bot.engine.moves import Seat, Verb
from bot.engine.replay import Moment, ReplayView, replay_view
from bot.engine.showdown import Outcome, OutcomeKind
from bot.values.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import Picture
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, SEAT_COLOURS
from cardart.parts.badges import badge
from cardart.parts.card_rows import RING
from cardart.parts.table_layout import PEEKING
from cardart.pictures.replay import LONGEST, MOST_ACTIONS, card_chip, draw_replay, draw_step, frames, times
from cardart.text import phrases
from tests.cardart.card_reader import cards, colour, count, places, read
from tests.cardart.views import DUEL, MONOGRAMS, any_of, replay_views, replays_of
from tests.engine.fair_matches import unfinished
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

MEGABYTE = 1024 * 1024


@cache
def longest() -> ReplayView:
    """Return the longest drawable deal of a few seeds, under rules that require gin and reshuffle the stock."""
    rules = "straight stock_out=reshuffle target=none deals=5"
    views = [view for seed in range(8) for view in replay_views(seed, rules)]
    return max((view for view in views if view.actions <= MOST_ACTIONS), key=lambda view: view.actions)


def shortened(view: ReplayView) -> ReplayView:
    """Return a replay with only the first and last moments."""
    return ReplayView((*view.moments[:3], *view.moments[-2:]), view.showdown)


def still(view: ReplayView, place: int, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Return one frame as a picture; -1 is the showdown."""
    return draw_step(view, place % (view.actions + 2), MONOGRAMS, appearance)


def mark(seat: Seat) -> Image.Image:
    """Return the centre of a player's badge."""
    return badge(seat, MONOGRAMS[seat], 42).image.crop((12, 12, 30, 30))


def seen(moment: Moment) -> list[Card]:
    """Return every card that a frame should show."""
    hands = [card for hand in moment.hands for card in hand.cards]
    taken = moment.move is not None and moment.move.verb is Verb.TAKE
    discards = moment.discards[1 - PEEKING if taken else -PEEKING :]
    return sorted([*hands, *(one.card for one in moment.lay_offs), *discards])


any_replay = any_of(replay_views)


def test_a_deal_may_be_broken_off_before_anybody_acts() -> None:
    """A deal that is broken off before the first action has two frames: the cards as dealt, and the end."""
    whole = replay_views(0)[0]
    dealt = whole.moments[0]
    outcome = Outcome(OutcomeKind.BROKEN_OFF, hands=dealt.hands, deadwood=tuple(one.deadwood for one in dealt.hands))
    showdown = replace(whole.showdown, outcome=outcome, discard=None)
    view = ReplayView((dealt,), showdown)
    assert len(list(frames(view, MONOGRAMS))) == 2
    assert "Broken off" in still(view, -1).alt


@pytest.mark.thorough
@examples(5)
@given(any_replay, st.data())
def test_every_card_face_up_is_read_back(view: ReplayView, data: st.DataObject) -> None:
    """Each frame shows all hands, the card just drawn and the last discards once, and no other card."""
    place = data.draw(st.integers(0, view.actions))
    moment = view.moments[place]
    if not moment.lay_offs:  # Lay-offs can need smaller cards than the reader can recognize.
        assert cards(still(view, place)) == seen(moment)


@pytest.mark.thorough
def test_the_end_shows_the_hands_laid_down() -> None:
    """The last frame has every card of the showdown. Lay-offs are raised and framed in their player's colour."""
    view = next(view for seed in range(20) for view in replay_views(seed) if view.showdown.outcome.lay_offs)
    outcome, picture = view.showdown.outcome, still(view, -1)
    laid = [card for hand in outcome.hands for card in hand.cards] + [one.card for one in outcome.lay_offs]
    assert cards(picture) == sorted([*laid, *view.moments[-1].discards[-PEEKING:]])
    at = {one.card: one for one in read(picture)}
    for one in outcome.lay_offs:
        (lift,) = {at[card].y - at[one.card].y for card in one.meld.cards}
        assert lift > 0
        assert colour(picture, at[one.card].x + 20, at[one.card].y - RING + 2) == SEAT_COLOURS[one.seat]


@pytest.mark.thorough
@pytest.mark.parametrize("rules", [DUEL, "oklahoma target=60 spade_doubles=on oklahoma_boxes=on"])
def test_the_end_of_an_undercut_is_legible(rules: str) -> None:
    """The label of an undercut is never covered, however long the sum next to it is."""
    first, *others = islice(replays_of(OutcomeKind.UNDERCUT, rules), 3)
    for view in (first, max(others, key=lambda view: len(phrases.points_sum(view.showdown)))):
        tags = [tag(phrases.OUTCOME_TITLES[OutcomeKind.UNDERCUT], cap, GOLD, BLACK).image for cap in (26, 23, 20, 17)]
        inner = [one.crop((8, 8, one.width - 8, one.height - 8)) for one in tags]
        picture = still(view, -1)
        assert sum(count(picture, one) for one in inner) == 1


@pytest.mark.thorough
@examples(4, at_night=100)
@given(any_replay)
def test_every_action_has_its_time(view: ReplayView) -> None:
    """The start, each action and the end are shown long enough, and the whole animation is short enough."""
    milliseconds = times(view)
    assert len(milliseconds) == view.actions + 2
    assert sum(milliseconds) <= LONGEST
    assert min(milliseconds) >= 200
    assert milliseconds[-1] == max(milliseconds) >= 4_000


@pytest.mark.thorough
@pytest.mark.nightly
def test_the_longest_deal_is_short_and_small_enough() -> None:
    """A very long deal takes at most 90 seconds, and its file fits the upload limit of every server."""
    view = longest()
    assert view.actions > 150
    made = draw_replay(view, MONOGRAMS)
    with Image.open(BytesIO(made.content)) as image:
        assert getattr(image, "n_frames", 1) == view.actions + 2
    assert sum(times(view)) <= LONGEST == 90_000
    assert len(made.content) <= 8 * MEGABYTE


def test_a_deal_too_long_is_not_drawn() -> None:
    """Drawing a deal with too many actions raises an error."""
    view = replay_views(0)[0]
    moments = (*view.moments, *[view.moments[-1]] * (MOST_ACTIONS + 1 - view.actions))
    with pytest.raises(ValueError, match="too long to draw"):
        draw_replay(ReplayView(moments, view.showdown), MONOGRAMS)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "seats"), thorough_after(1, [(DUEL, 2), ("penalty target=40", 3), ("penalty target=40", 4)])
)
def test_nothing_but_cards_moves(rules: str, seats: int) -> None:
    """All frames have the same size, and every badge keeps its position."""
    view = replay_views(0, rules, seats)[0]
    pictures = [still(view, place) for place in (0, view.actions // 2, -1)]
    assert len({picture.size for picture in pictures}) == 1
    for seat in view.showdown.seats:
        (home,) = places(pictures[0], mark(seat))
        assert all(home in places(picture, mark(seat)) for picture in pictures)


@pytest.mark.thorough
def test_no_card_moves_without_cause() -> None:
    """The cards of a hand that does not change keep their positions."""
    view = replay_views(0, "penalty target=40", 3)[0]
    shown = [{one.card: (one.x, one.y) for one in read(still(view, place))} for place in range(12)]
    for (before, then), (after, now) in pairwise(zip(view.moments, shown, strict=False)):
        for hand, same in zip(before.hands, after.hands, strict=True):
            if hand == same:
                assert [then[card] for card in hand.cards] == [now[card] for card in hand.cards]


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seats"), [("rotation target=40", 3), ("partners target=40", 4)])
def test_two_players_sit_face_to_face(rules: str, seats: int) -> None:
    """One of the two players is above the piles and the other below. No other player is visible."""
    for view in replay_views(0, rules, seats)[:4]:
        picture = still(view, 0)
        found = {seat: places(picture, mark(Seat(seat))) for seat in range(seats)}
        assert {seat for seat, there in found.items() if there} == set(view.showdown.seats)
        assert len({top for there in found.values() for _, top in there}) == 2


@pytest.mark.thorough
def test_what_was_moved_is_marked_and_named() -> None:
    """The card that was moved has a frame in its player's colour, and the caption shows the player and the card."""
    view = replay_views(0)[0]
    verbs = {moment.move.verb: place for place, moment in enumerate(view.moments) if moment.move}
    for verb in (Verb.DRAW, Verb.TAKE, Verb.DISCARD):
        if verb not in verbs:
            continue
        happening, picture = view.moments[verbs[verb]].move, still(view, verbs[verb])
        assert happening is not None
        assert happening.card is not None
        at = {one.card: one for one in read(picture)}
        x, y = at[happening.card].x + 20, at[happening.card].y - RING + 2
        assert colour(picture, x, y) == SEAT_COLOURS[happening.seat]
        assert count(picture, card_chip(happening.card, DEFAULT_APPEARANCE).image.crop((8, 8, 40, 40))) == 1
        assert count(picture, mark(happening.seat)) == 2


@pytest.mark.thorough
@examples(2, at_night=50)
@given(any_replay)
def test_the_words_tell_who_played_and_how_it_ended(view: ReplayView) -> None:
    """The alt text has the players' cards, the number of actions and the result, and is short enough."""
    made = draw_replay(ReplayView((view.moments[0], *view.moments[-2:]), view.showdown), MONOGRAMS)
    over = view.showdown
    assert len(made.alt) <= 1024
    assert made.alt.startswith(f"Deal {over.number}")
    assert "replayed as an animation of 2 actions" in made.alt
    for seat, hand in zip(over.seats, view.moments[0].hands, strict=True):
        assert f"{MONOGRAMS[seat]} is dealt {' '.join(card.symbol for card in hand.cards)}" in made.alt
    assert ("no points" if over.outcome.winner is None else MONOGRAMS[over.outcome.winner]) in made.alt


@pytest.mark.thorough
def test_what_is_played_is_what_was_drawn() -> None:
    """Every frame of the encoded animation has exactly the pixels that were drawn."""
    view = shortened(replay_views(0)[0])
    with Image.open(BytesIO(draw_replay(view, MONOGRAMS).content)) as image:
        for place, (drawn, _) in enumerate(frames(view, MONOGRAMS)):
            image.seek(place)
            assert image.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


@pytest.mark.thorough
def test_a_step_is_a_frame_of_the_animation() -> None:
    """Each step is a frame of the animation, and its alt text has the move, every hand and the piles."""
    view = shortened(replay_views(0, DUEL)[0])
    shown = [frame for frame, _ in frames(view, MONOGRAMS)]
    for step in (0, 1, view.actions, view.actions + 1):
        drawn = draw_step(view, step, MONOGRAMS)
        with Image.open(BytesIO(drawn.content)) as one:
            assert one.convert("RGB").tobytes() == shown[step].convert("RGB").tobytes()
        assert len(drawn.alt) <= 1024
        assert len(drawn.content) <= 40 * 1024
    first = draw_step(view, 1, MONOGRAMS)
    assert f"Deal {view.showdown.number}, step 1 of {view.actions}. " in first.alt
    assert all(card.symbol in first.alt for hand in view.moments[1].hands for card in hand.cards)
    drawn = next(step for step, moment in enumerate(view.moments) if moment.new_card)
    told = f"; deadwood {view.moments[drawn].least_left} after the best discard"
    assert told in draw_step(view, drawn, MONOGRAMS).alt
    with pytest.raises(ValueError, match="no step"):
        draw_step(view, view.actions + 2, MONOGRAMS)


@pytest.mark.parametrize("number", [1, 2])
def test_a_deal_without_a_showdown_ends_with_the_hands_as_they_were(number: int) -> None:
    """If a deal has no showdown, the last frame shows every card that players held."""
    view = replay_view(unfinished(), number)
    shown = cards(still(view, -1))
    held = {card for hand in view.showdown.outcome.hands for card in hand.cards}
    assert held <= {*shown}
