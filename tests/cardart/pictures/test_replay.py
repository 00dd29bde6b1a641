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

from bot.engine.cards.cards import Card
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.showdown import Outcome, OutcomeKind
from bot.engine.matches.replay import Moment, ReplayView, replay_view
from bot.model.appearance import DEFAULT_APPEARANCE, Appearance
from cardart.drawing.canvas import Picture
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, SEAT_COLOURS
from cardart.parts.badges import badge
from cardart.parts.card_chips import card_chip
from cardart.parts.card_rows import RING_WIDTH
from cardart.parts.table_layout import VISIBLE_DISCARDS
from cardart.pictures.replay import (
    MAX_ACTIONS,
    MAX_MILLISECONDS,
    draw_replay,
    draw_step,
    frame_durations,
    frames,
)
from cardart.text import phrases
from tests.cardart.card_reader import count_patch, find_patch, pixel_colour, read_cards, visible_cards
from tests.cardart.views import DUEL, MONOGRAMS, PORTRAITS, any_view, replay_views, replays_of
from tests.engine.fair_matches import unfinished_match
from tests.gallery.sample_avatars import sample_avatar
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples

MEGABYTE = 1024 * 1024


@cache
def longest_replay() -> ReplayView:
    """Return the longest replay with at most `MAX_ACTIONS` actions from a few seeded matches.

    The rules of these matches require gin and reshuffle the discards, which makes deals long.
    """
    rules = "straight stock_out=reshuffle target=none deals=5"
    views = [view for seed in range(8) for view in replay_views(seed, rules)]
    return max((view for view in views if view.action_count <= MAX_ACTIONS), key=lambda view: view.action_count)


def first_and_last_moments(view: ReplayView) -> ReplayView:
    """Return the replay with only its first three and its last two moments."""
    return ReplayView((*view.moments[:3], *view.moments[-2:]), view.showdown)


def frame_picture(view: ReplayView, place: int, appearance: Appearance = DEFAULT_APPEARANCE) -> Picture:
    """Return one frame of a replay's animation as a picture. Frame -1 is the showdown."""
    return draw_step(view, place % (view.action_count + 2), PORTRAITS, appearance)


def badge_centre(seat: Seat) -> Image.Image:
    """Return an image of the centre of a player's badge."""
    return badge(seat, MONOGRAMS[seat], 42).image.crop((12, 12, 30, 30))


def expected_cards(moment: Moment) -> list[Card]:
    """Return all cards that the frame of this moment should show, sorted."""
    hands = [card for hand in moment.hands for card in hand.cards]
    taken = moment.move is not None and moment.move.verb is Verb.TAKE
    discards = moment.discards[1 - VISIBLE_DISCARDS if taken else -VISIBLE_DISCARDS :]
    return sorted([*hands, *(lay_off.card for lay_off in moment.lay_offs), *discards])


any_replay = any_view(replay_views)


def test_a_deal_may_be_broken_off_before_anybody_acts() -> None:
    """A deal that is broken off before the first action has two frames: the cards as dealt, and the end."""
    whole = replay_views(0)[0]
    dealt = whole.moments[0]
    outcome = Outcome(OutcomeKind.BROKEN_OFF, hands=dealt.hands, deadwood=tuple(hand.deadwood for hand in dealt.hands))
    showdown = replace(whole.showdown, outcome=outcome, discard=None)
    view = ReplayView((dealt,), showdown)
    assert len(list(frames(view, PORTRAITS))) == 2
    assert "Broken off" in frame_picture(view, -1).alt


@pytest.mark.nightly
@examples(5)
@given(any_replay, st.data())
def test_every_frame_shows_exactly_its_cards(view: ReplayView, data: st.DataObject) -> None:
    """Each frame shows each card of all hands and of the last discards once, and no other card."""
    place = data.draw(st.integers(0, view.action_count))
    moment = view.moments[place]
    if not moment.lay_offs:  # With lay-offs, cards can be too small to recognize.
        assert visible_cards(frame_picture(view, place)) == expected_cards(moment)


@pytest.mark.thorough
def test_the_end_shows_the_hands_laid_down() -> None:
    """The last frame has every card of the showdown. Lay-offs are raised and framed in their player's colour."""
    view = next(view for seed in range(20) for view in replay_views(seed) if view.showdown.outcome.lay_offs)
    outcome, picture = view.showdown.outcome, frame_picture(view, -1)
    laid = [card for hand in outcome.hands for card in hand.cards] + [lay_off.card for lay_off in outcome.lay_offs]
    assert visible_cards(picture) == sorted([*laid, *view.moments[-1].discards[-VISIBLE_DISCARDS:]])
    at = {card.card: card for card in read_cards(picture)}
    for lay_off in outcome.lay_offs:
        (lift,) = {at[card].y - at[lay_off.card].y for card in lay_off.meld.cards}
        assert lift > 0
        assert (
            pixel_colour(picture, at[lay_off.card].x + 20, at[lay_off.card].y - RING_WIDTH + 2)
            == SEAT_COLOURS[lay_off.seat]
        )


@pytest.mark.nightly
@pytest.mark.parametrize("rules", [DUEL, "oklahoma target=60 spade_doubles=on oklahoma_boxes=on"])
def test_the_end_of_an_undercut_is_legible(rules: str) -> None:
    """The label of an undercut is never covered, however long the sum next to it is."""
    first, *others = islice(replays_of(OutcomeKind.UNDERCUT, rules), 3)
    for view in (first, max(others, key=lambda view: len(phrases.points_sum(view.showdown)))):
        tags = [tag(phrases.OUTCOME_TITLES[OutcomeKind.UNDERCUT], cap, GOLD, BLACK).image for cap in (26, 23, 20, 17)]
        inner = [tag.crop((8, 8, tag.width - 8, tag.height - 8)) for tag in tags]
        picture = frame_picture(view, -1)
        assert sum(count_patch(picture, tag) for tag in inner) == 1


@pytest.mark.thorough
@examples(4, nightly=100)
@given(any_replay)
def test_every_action_has_its_time(view: ReplayView) -> None:
    """Every frame is shown for at least 0.2 seconds, the end longest, and the animation is not too long."""
    milliseconds = frame_durations(view)
    assert len(milliseconds) == view.action_count + 2
    assert sum(milliseconds) <= MAX_MILLISECONDS
    assert min(milliseconds) >= 200
    assert milliseconds[-1] == max(milliseconds) >= 4_000


@pytest.mark.thorough
@pytest.mark.nightly
def test_the_longest_deal_is_short_and_small_enough() -> None:
    """A very long deal takes at most 90 seconds, and its file fits the upload limit of every server."""
    view = longest_replay()
    assert view.action_count > 150
    made = draw_replay(view, PORTRAITS)
    with Image.open(BytesIO(made.content)) as image:
        assert getattr(image, "n_frames", 1) == view.action_count + 2
    assert sum(frame_durations(view)) <= MAX_MILLISECONDS == 90_000
    assert len(made.content) <= 8 * MEGABYTE


def test_a_deal_too_long_is_not_drawn() -> None:
    """Drawing the replay of a deal with more than `MAX_ACTIONS` actions raises an error."""
    view = replay_views(0)[0]
    moments = (*view.moments, *[view.moments[-1]] * (MAX_ACTIONS + 1 - view.action_count))
    with pytest.raises(ValueError, match="too long to draw"):
        draw_replay(ReplayView(moments, view.showdown), PORTRAITS)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "seats"), thorough_after(1, [(DUEL, 2), ("penalty target=40", 3), ("penalty target=40", 4)])
)
def test_only_cards_move(rules: str, seats: int) -> None:
    """All frames have the same size, and every badge keeps its position."""
    view = replay_views(0, rules, seats)[0]
    pictures = [frame_picture(view, place) for place in (0, view.action_count // 2, -1)]
    assert len({picture.size for picture in pictures}) == 1
    for seat in view.showdown.seats:
        (home,) = find_patch(pictures[0], badge_centre(seat))
        assert all(home in find_patch(picture, badge_centre(seat)) for picture in pictures)


@pytest.mark.nightly
def test_no_card_moves_without_cause() -> None:
    """The cards of a hand that does not change keep their positions."""
    view = replay_views(0, "penalty target=40", 3)[0]
    shown = [{card.card: (card.x, card.y) for card in read_cards(frame_picture(view, place))} for place in range(12)]
    for (before, then), (after, now) in pairwise(zip(view.moments, shown, strict=False)):
        for hand, same in zip(before.hands, after.hands, strict=True):
            if hand == same:
                assert [then[card] for card in hand.cards] == [now[card] for card in hand.cards]


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seats"), [("rotation target=40", 3), ("partners target=40", 4)])
def test_two_players_sit_face_to_face(rules: str, seats: int) -> None:
    """In a deal of two, one player is above the piles and the other below. No other player is visible."""
    for view in replay_views(0, rules, seats)[:4]:
        picture = frame_picture(view, 0)
        found = {seat: find_patch(picture, badge_centre(Seat(seat))) for seat in range(seats)}
        assert {seat for seat, there in found.items() if there} == set(view.showdown.seats)
        assert len({top for there in found.values() for _, top in there}) == 2


@pytest.mark.thorough
def test_the_moved_card_is_framed_and_named() -> None:
    """The card that was moved has a frame in its player's colour, and the caption shows the player and the card."""
    view = replay_views(0)[0]
    verbs = {moment.move.verb: place for place, moment in enumerate(view.moments) if moment.move}
    for verb in (Verb.DRAW, Verb.TAKE, Verb.DISCARD):
        if verb not in verbs:
            continue
        happening, picture = view.moments[verbs[verb]].move, frame_picture(view, verbs[verb])
        assert happening is not None
        assert happening.card is not None
        at = {card.card: card for card in read_cards(picture)}
        x, y = at[happening.card].x + 20, at[happening.card].y - RING_WIDTH + 2
        assert pixel_colour(picture, x, y) == SEAT_COLOURS[happening.seat]
        assert count_patch(picture, card_chip(happening.card, DEFAULT_APPEARANCE, 26).image.crop((8, 8, 40, 40))) == 1
        assert count_patch(picture, badge_centre(happening.seat)) == 2


@pytest.mark.thorough
@examples(2, nightly=50)
@given(any_replay)
def test_the_alt_text_has_the_players_and_the_result(view: ReplayView) -> None:
    """The alt text has the players' cards, the number of actions and the result, and is short enough."""
    made = draw_replay(ReplayView((view.moments[0], *view.moments[-2:]), view.showdown), PORTRAITS)
    over = view.showdown
    assert len(made.alt) <= 1024
    assert made.alt.startswith(f"Deal {over.number}")
    assert "animated replay of 2 actions" in made.alt
    for seat, hand in zip(over.seats, view.moments[0].hands, strict=True):
        assert f"{MONOGRAMS[seat]} is dealt {' '.join(card.symbol for card in hand.cards)}" in made.alt
    assert ("no points" if over.outcome.winner is None else MONOGRAMS[over.outcome.winner]) in made.alt


@pytest.mark.thorough
def test_the_animation_has_the_drawn_frames() -> None:
    """Every frame of the encoded animation has exactly the pixels that were drawn."""
    view = first_and_last_moments(replay_views(0)[0])
    with Image.open(BytesIO(draw_replay(view, PORTRAITS).content)) as image:
        for place, (drawn, _) in enumerate(frames(view, PORTRAITS)):
            image.seek(place)
            assert image.convert("RGB").tobytes() == drawn.convert("RGB").tobytes()


@pytest.mark.thorough
def test_a_step_is_a_frame_of_the_animation() -> None:
    """Each step is a frame of the animation, and its alt text has the move, every hand and the piles."""
    view = first_and_last_moments(replay_views(0, DUEL)[0])
    shown = [frame for frame, _ in frames(view, PORTRAITS)]
    for step in (0, 1, view.action_count, view.action_count + 1):
        drawn = draw_step(view, step, PORTRAITS)
        with Image.open(BytesIO(drawn.content)) as picture:
            assert picture.convert("RGB").tobytes() == shown[step].convert("RGB").tobytes()
        assert len(drawn.alt) <= 1024
        assert len(drawn.content) <= 40 * 1024
    first = draw_step(view, 1, PORTRAITS)
    assert f"Deal {view.showdown.number}, step 1 of {view.action_count}. " in first.alt
    assert all(card.symbol in first.alt for hand in view.moments[1].hands for card in hand.cards)
    drawn = next(step for step, moment in enumerate(view.moments) if moment.new_card)
    told = f"; deadwood {view.moments[drawn].least_left} after the best discard"
    assert told in draw_step(view, drawn, PORTRAITS).alt
    with pytest.raises(ValueError, match="no step"):
        draw_step(view, view.action_count + 2, PORTRAITS)


@pytest.mark.parametrize("name", ["W" * 35, "李明", "Bo"])
def test_names_are_shown_and_hide_nothing(name: str) -> None:
    """With names of any length, all cards stay in their places. The alt text has monograms, which its message explains.

    Avatars are not shown.
    """
    view = first_and_last_moments(replay_views(0, DUEL)[0])
    named = [replace(shown, name=name) for shown in PORTRAITS]
    faces = [replace(shown, avatar=sample_avatar("cat")) for shown in named]
    for step in (1, view.action_count + 1):
        plain, drawn = draw_step(view, step, PORTRAITS), draw_step(view, step, named)
        assert read_cards(drawn) == read_cards(plain)
        assert drawn.alt == plain.alt
        assert drawn.content != plain.content or name == "李明"
        assert draw_step(view, step, faces).content == drawn.content


@pytest.mark.parametrize("number", [1, 2])
def test_a_deal_without_a_showdown_ends_with_the_hands_as_they_were(number: int) -> None:
    """If a deal has no showdown, the last frame shows every card that players held."""
    view = replay_view(unfinished_match(), number)
    shown = visible_cards(frame_picture(view, -1))
    held = {card for hand in view.showdown.outcome.hands for card in hand.cards}
    assert held <= {*shown}
