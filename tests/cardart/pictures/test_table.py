"""The picture of a table shows only public information."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given
from PIL import Image

from bot.engine.cards.cards import Card, Hand
from bot.engine.deals.moves import Seat, Verb
from bot.engine.deals.phase import Phase
from bot.engine.matches.scoring import Score
from bot.engine.matches.views import Forfeit, PublicMove, PublicView, public_view
from bot.engine.rules import Rules
from bot.model.appearance import DEFAULT_APPEARANCE
from cardart import Picture, Portrait, draw_table
from cardart.deck.cards import LARGE
from cardart.drawing.canvas import LABEL_CAP, WIDTH
from cardart.drawing.painting import tag
from cardart.drawing.palette import BLACK, GOLD, MIST, SEAT_COLOURS
from cardart.parts.badges import badge
from cardart.parts.card_chips import card_chip
from tests.cardart.card_reader import count_patch, find_patch, pixel_colour, read_cards, visible_cards
from tests.cardart.views import (
    MONOGRAMS,
    PORTRAITS,
    SYSTEMS,
    answering_tables,
    any_view,
    at_the_wall,
    hidden_card_pairs,
    match_after,
    public_views,
)
from tests.gallery.gallery import APPEARANCES
from tests.gallery.sample_avatars import sample_avatar
from tests.helpers.cases import thorough_after
from tests.helpers.examples import examples


def with_scores(view: PublicView, *scores: int, over: bool = False) -> PublicView:
    """Return the view with these scores."""
    return replace(view, score=replace(view.score, scores=scores, is_over=over))


def knock_cards(view: PublicView) -> list[Card]:
    """Return the cards that a knock shows, including lay-offs, sorted."""
    assert view.knock is not None
    melds = [card for meld in view.knock.arrangement.melds for card in meld.cards]
    return sorted([*melds, *view.knock.arrangement.unmatched, *(lay_off.card for lay_off in view.knock.lay_offs)])


def shown_counts(picture: Picture, *counts: int) -> list[int]:
    """Return how many wide panels show each of these numbers of face-down cards."""
    labels = [tag(str(count), LABEL_CAP, MIST, BLACK).image for count in counts]
    return [count_patch(picture, label.crop((10, 4, label.width - 10, label.height - 4))) for label in labels]


@pytest.mark.thorough
@examples(6)
@given(any_view(public_views))
def test_the_picture_shows_only_public_cards(view: PublicView) -> None:
    """Under any rules, only up to four discards or an open knock are visible. The PNG file has at most 30 KB."""
    picture = draw_table(view, PORTRAITS)
    shown = () if view.score.is_over else view.discards[-4:]
    assert visible_cards(picture) == (knock_cards(view) if view.phase is Phase.LAY_OFF else sorted(shown))
    assert len(picture.content) <= 30 * 1024
    assert len(picture.alt) <= 1024


@pytest.mark.parametrize("sizes", [(10, 11), (7, 8, 7), (7, 7, 7, 8), (0, 10, 11)])
def test_each_player_has_the_number_of_their_cards(sizes: tuple[int, ...]) -> None:
    """The numbers of cards of two to four hands are in the picture and in the alt text."""
    order = tuple(Seat(seat) for seat, size in enumerate(sizes) if size)
    each = tuple((Seat(seat),) for seat in range(len(sizes)))
    view = with_scores(replace(public_views(0)[9], hand_sizes=sizes, seats=order, sides=each), *(0,) * len(sizes))
    picture = draw_table(view, PORTRAITS)
    assert [int(size) for size in re.findall(r"(\d+) cards face down, ", picture.alt)] == [
        size for size in sizes if size
    ]
    for seat in order:
        fewer = tuple(size - (other == seat) for other, size in enumerate(sizes))
        assert draw_table(replace(view, hand_sizes=fewer), PORTRAITS).content != picture.content


def test_hidden_cards_change_neither_a_byte_nor_a_word() -> None:
    """Deals that differ only in hidden cards have identical pictures and alt texts."""
    drawn = ("pass", "pass", "draw")
    first = match_after(
        "classic", "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts", *drawn, upcard="7c", stock="Ah"
    )
    other = match_after(
        "classic", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts", "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", *drawn, upcard="7c", stock="Qd Jd"
    )
    assert first.playing[0].hands != other.playing[0].hands
    assert draw_table(public_view(first), PORTRAITS) == draw_table(public_view(other), PORTRAITS)


@pytest.mark.parametrize(("rules", "seats"), thorough_after(2, SYSTEMS))
def test_no_hidden_card_can_be_found_in_a_public_picture(rules: str, seats: int) -> None:
    """In every format, and in any appearance, hidden cards change neither the file nor the alt text."""
    pairs = hidden_card_pairs(1, rules, seats)
    assert len(pairs) > 5
    for number, (table, otherwise) in enumerate(pairs[:: max(1, len(pairs) // 3)]):
        appearance = APPEARANCES[(number + seats) % len(APPEARANCES)]
        assert draw_table(table, PORTRAITS, appearance) == draw_table(otherwise, PORTRAITS, appearance)


def test_a_different_upcard_changes_the_picture() -> None:
    """A different upcard makes a different picture, so the tests of hidden cards would notice a visible card."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    one, other = (draw_table(public_view(match_after("classic", *hands, upcard=up)), PORTRAITS) for up in ("7c", "7d"))
    assert one.content != other.content
    assert one.alt != other.alt


@pytest.mark.parametrize(
    "change",
    [{"turn": Seat(1)}, {"dealer": Seat(0)}, {"stock": 12}, {"number": 7}, {"knock_limit": 0}, {"hand_sizes": (9, 10)}],
)
def test_every_fact_is_in_the_picture_and_in_the_words(change: dict[str, object]) -> None:
    """Turn, dealer, stock, deal, knock limit and hand sizes each change the picture and the alt text."""
    view = replace(public_views(0)[0], turn=Seat(0), dealer=Seat(1))
    before, after = draw_table(view, PORTRAITS), draw_table(replace(view, **change), PORTRAITS)
    assert before.content != after.content
    assert before.alt != after.alt


def test_the_alt_text_has_every_fact() -> None:
    """The alt text has the deal, the turn, the piles, the players, the score and the knock limit."""
    pile = tuple(Hand.parse("2d 3c 7h 9s Kd"))
    score = replace(public_views(0)[0].score, scores=(37, 61))
    view = replace(public_views(0)[0], turn=Seat(0), dealer=Seat(1), stock=16, discards=pile, score=score, number=4)
    assert draw_table(view, PORTRAITS).alt == (
        "Deal 4, play to 40. S to take or pass. Stock: 16 cards face down. Discard pile: K♦ on top, under it 9♠ 7♥ 3♣, "
        "5 cards in all. S: 10 cards face down, score 37. N: 10 cards face down, score 61, dealer. "
        "Knock with 10 or less."
    )


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (("pass",), "S: 10 cards face down, score 0; passed. "),
        (("take",), "S: 11 cards face down, score 0; took 7♣. "),
        (("take", "x 9s"), "S: 10 cards face down, score 0; took 7♣, discarded 9♠. "),
        (("take", "x 9s", "draw", "x Td"), "score 0, dealer; drew, discarded 10♦. "),
        (("pass", "pass", "draw"), "S: 10 cards face down, score 0; passed. "),
    ],
)
def test_the_last_turn_is_in_the_picture_and_in_the_words(moves: tuple[str, ...], said: str) -> None:
    """The alt text has each player's last turn, and the picture has a chip for each of its cards."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Td"
    view = public_view(match_after("classic", *hands, *[move.replace("Ts", "8s") for move in moves], stock="Qd"))
    picture = draw_table(view, PORTRAITS)
    assert said in picture.alt
    assert picture.content != draw_table(replace(view, history=()), PORTRAITS).content
    (_, _, listed) = said.rpartition("; ")
    for card in re.findall(r"\w+[♣♦♥♠]", listed):
        chip = card_chip(Card.parse(card.translate(str.maketrans("♣♦♥♠", "cdhs"))), DEFAULT_APPEARANCE, 18).image
        assert count_patch(picture, chip.crop((4, 4, chip.width - 4, chip.height - 4))) == 1


def test_many_lay_offs_of_a_turn_are_counted() -> None:
    """A turn lists up to three lay-offs. More are only counted, so that the line fits."""
    view = next(view for view in answering_tables() if view.turn is not None)
    assert view.turn is not None
    laid_off = [PublicMove(view.turn, Verb.LAY_OFF, card) for card in Hand.parse("2c 3d 4h 5s")]
    texts = [draw_table(replace(view, history=tuple(laid_off[:number])), PORTRAITS).alt for number in (3, 4)]
    assert "; laid off 2♣ 3♦ 4♥. " in texts[0]
    assert "; laid off 4 cards. " in texts[1]


@pytest.mark.parametrize("name", ["W" * 35, "i" * 35, "\u674e\u660e", "Ann \U0001f0cf", "\u05e9\u05dc\u05d5\u05dd"])
@pytest.mark.parametrize(("rules", "seats"), thorough_after(1, [SYSTEMS[place] for place in (0, 4, 9, 11)]))
def test_any_name_fits(name: str, rules: str, seats: int) -> None:
    """Names of any length and script change neither the size of the picture nor anything to the right of them."""
    view = replace(public_views(0, rules, seats)[0], turn=None, phase=Phase.RESHUFFLE)
    portraits = [Portrait(mark, name, sample_avatar("cat")) for mark in MONOGRAMS]
    picture, plain = draw_table(view, portraits), draw_table(view, [replace(shown, name="Bo") for shown in portraits])
    assert picture.size == plain.size
    assert name in picture.alt
    assert len(picture.alt) <= 1024
    assert visible_cards(picture) == visible_cards(plain)
    for x in range(WIDTH - 60, WIDTH):
        assert pixel_colour(picture, x, 60) == pixel_colour(plain, x, 60)


def test_long_names_give_way_to_monograms_in_the_alt_text() -> None:
    """If the alt text would be too long with names, it has monograms."""
    view = answering_tables()[0]
    alt = draw_table(view, [Portrait(mark, "W" * 300) for mark in MONOGRAMS]).alt
    assert alt == draw_table(view, PORTRAITS).alt


def test_the_alt_text_has_the_result_of_the_match() -> None:
    """After a match, the alt text names the winner and any resignation, and has the totals with all bonuses."""
    over = public_views(0)[-1]
    score = over.score
    assert score.winner is not None
    alt = draw_table(over, PORTRAITS).alt
    assert f"The match is over: {MONOGRAMS[score.winner]} won" in alt
    assert all(f", total {total}" in alt for total in score.totals)
    assert "N resigned: " in draw_table(replace(over, forfeit=Forfeit(Seat(1), on_time=False)), PORTRAITS).alt


def test_a_forfeit_among_three_has_no_winner() -> None:
    """If several players remain after a forfeit, the match has no winner."""
    view = public_views(0, "rotation target=40", 3)[4]
    gone = replace(
        view,
        turn=None,
        phase=Phase.DONE,
        forfeit=Forfeit(Seat(2), on_time=True),
        score=replace(view.score, is_over=True),
    )
    alt = draw_table(gone, PORTRAITS).alt
    assert "E2 lost on time. " in alt
    assert "won" not in alt


@pytest.mark.parametrize("system", thorough_after(3, (pytest.param(system) for system in SYSTEMS)))
def test_players_sit_in_turn_around_the_table(system: tuple[str, int]) -> None:
    """Seats go clockwise from the lower left: 0, then 1 and 2 above, then 3. The first team sits below."""
    view = public_views(0, *system)[0]
    at: dict[int, tuple[int, int]] = {}
    for seat in sorted(view.seats) if view.boards > 1 else range(len(view.hand_sizes)):
        marks = [badge(Seat(seat), MONOGRAMS[seat], side).image.crop((28, 28, 60, 60)) for side in (84, 92)]
        (at[seat],) = [place for mark in marks for place in find_patch(draw_table(view, PORTRAITS), mark)]
    above = [seat for seat, (_, y) in at.items() if y < 200]
    below = [seat for seat in at if seat not in above]
    assert set(above) == {seat for seat in at if seat in ((1, 3) if view.boards > 1 else (1, 2))}
    assert above == sorted(above, key=lambda seat: at[seat])
    assert below == sorted(below, key=lambda seat: at[seat])


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system[1] == 3 and "penalty" not in system[0]])
def test_a_dealer_who_sits_out_has_no_cards(system: tuple[str, int]) -> None:
    """A dealer who sits out has a place with a note and their score, but no cards."""
    view = public_views(0, *system)[0]
    out = next(seat for seat in range(3) if seat not in view.seats)
    picture = draw_table(view, PORTRAITS)
    assert f"{MONOGRAMS[out]}: sits out, score 0, dealer." in picture.alt
    assert picture.alt.count("10 cards face down") == 2
    assert picture.content != draw_table(replace(view, seats=(*view.seats, Seat(out))), PORTRAITS).content


def test_a_board_of_partners_shows_its_two_players_and_their_teams() -> None:
    """A partners board shows only its own two players, each with the team's score and a badge of their partner."""
    view = next(view for view in public_views(0, "partners target=40", 4) if view.board == 2)
    view = with_scores(replace(view, number=3, dealer=view.seats[1], turn=view.seats[0]), 61, 85)
    picture = draw_table(view, PORTRAITS)
    assert "Deal 3, board 2, play to 40." in picture.alt
    assert [seat % 2 for seat in view.seats] in ([0, 1], [1, 0])
    for seat in view.seats:
        mate = (seat + 2) % 4
        assert f"{MONOGRAMS[seat]}: 10 cards face down, team {(61, 85)[seat % 2]} with {MONOGRAMS[mate]}" in picture.alt
        assert f"{MONOGRAMS[mate]}: " not in picture.alt
        assert count_patch(picture, badge(Seat(mate), MONOGRAMS[mate], 56).image.crop((16, 16, 40, 40))) == 1
    assert shown_counts(picture, 10) == [2]
    assert picture.content != draw_table(replace(view, board=1), PORTRAITS).content


def test_a_board_that_is_over_waits_for_the_other() -> None:
    """While the other board of a round is unfinished, the alt text says that this board is waiting."""
    view = next(
        view for view in public_views(0, "partners target=40", 4) if view.phase is Phase.DONE and not view.score.is_over
    )
    assert "Waiting for the other board" in draw_table(view, PORTRAITS).alt


def test_a_team_wins_together() -> None:
    """At the end of a match of partners, both winners are named."""
    over = public_views(0, "partners target=40", 4)[-1]
    assert over.score.winner is not None
    assert f"The match is over: {('S+E2', 'N+W')[over.score.winner]} won." in draw_table(over, PORTRAITS).alt


def test_penalty_points_have_their_own_label() -> None:
    """If the lowest score wins, the alt text says "penalty" instead of "score", and "ends at" before the target."""
    view = with_scores(public_views(0, "penalty target=40", 3)[0], 12, 35, 8)
    plain = replace(view, rules=Rules())
    alt = draw_table(view, PORTRAITS).alt
    assert "ends at 40" in alt
    assert all(
        f"{mark}: 7 cards face down, penalty {points}" in alt
        for mark, points in zip(MONOGRAMS, (12, 35, 8), strict=False)
    )
    assert "score" not in alt
    assert draw_table(view, PORTRAITS).content != draw_table(plain, PORTRAITS).content


def test_hollywood_shows_each_game_and_who_won_those_that_are_over() -> None:
    """Each side has three scores, one for each Hollywood game. A finished game shows its winner."""
    views = public_views(0, "hollywood target=40", 2)
    view = next(view for view in views if view.score.columns[0].is_over and not view.score.is_over)
    games = view.score.columns
    alt = draw_table(view, PORTRAITS).alt
    for side, mark in enumerate(MONOGRAMS[:2]):
        assert f"{mark}: 10 cards face down, games {'/'.join(str(game.scores[side]) for game in games)}" in alt
    assert games[0].winner is not None
    assert f"Game 1 is over: {MONOGRAMS[games[0].winner]} won." in alt
    assert "Game 3 is over" not in alt
    swapped = replace(view, score=replace(view.score, columns=(replace(games[0], winner=None), *games[1:])))
    assert draw_table(swapped, PORTRAITS).content != draw_table(view, PORTRAITS).content


def test_lines_that_are_credited_at_once_count_on_the_table() -> None:
    """Scores include line bonuses during the match only if the rules credit them at once."""
    none = (0, 0)
    score = Score((30, 12), (1, 1), (10, 10), none, none, is_over=False, winner=None, margin=None)
    for credit, first in (("at_once", 40), ("at_end", 30)):
        rules = Rules.parse(f"classic line_bonus=10 line_credit={credit}")
        alt = draw_table(replace(public_views(0)[0], score=score, rules=rules), PORTRAITS).alt
        assert f"S: 10 cards face down, score {first}" in alt


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("classic", "play to 100"),
        ("research target=none deals=5", "ends after 5 deals, plus voids"),
        ("classic deals=1", "play to 100 or 1 deal"),
        ("penalty deals=20", "ends at 100 or 20 deals, lowest wins"),
    ],
)
def test_the_end_condition_is_shown(rules: str, said: str) -> None:
    """The alt text states the end condition of a match: a target, a number of deals, or both."""
    view = public_views(0)[0]
    plain, other = (
        draw_table(replace(view, rules=table_rules), PORTRAITS) for table_rules in (view.rules, Rules.parse(rules))
    )
    assert f", {said}. " in other.alt
    assert plain.content != other.content


def test_doubling_is_shown() -> None:
    """With `spade_doubles`, the table says that the deal counts double if and only if the upcard is a spade."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    spade, heart = (public_view(match_after("oklahoma spade_doubles=on", *hands, upcard=up)) for up in ("7s", "7h"))
    assert "Knock with 7 or less; the deal counts double." in draw_table(spade, PORTRAITS).alt
    assert draw_table(heart, PORTRAITS).alt.endswith("Knock with 7 or less.")
    assert draw_table(replace(spade, upcard=heart.upcard), PORTRAITS).content != draw_table(spade, PORTRAITS).content


def test_the_wall_and_the_reshuffle_are_in_the_alt_text() -> None:
    """The alt text says that the player at the wall can go out or pass, and that the stock is being reshuffled."""
    assert "N to go out or pass. Stock: 2 cards face down." in draw_table(public_view(at_the_wall()), PORTRAITS).alt
    views = public_views(1, "penalty target=10 knock_limit=0", 3)
    shuffled = next(view for view in views if view.phase is Phase.RESHUFFLE)
    assert "The stock is reshuffled. Stock: 2 cards face down." in draw_table(shuffled, PORTRAITS).alt


@pytest.mark.nightly
def test_a_knock_that_is_answered_lies_open() -> None:
    """The knocker's cards are face up with framed lay-offs. All other hands are face down."""
    some = [view for view in answering_tables() if view.knock is not None and view.knock.lay_offs][:10] + list(
        answering_tables()[:2]
    )
    assert {lay_off.seat for view in some if view.knock for lay_off in view.knock.lay_offs} > {Seat(0)}
    for view in some:
        assert view.knock is not None
        picture = draw_table(view, PORTRAITS)
        seen = read_cards(picture)
        assert sorted(card.card for card in seen) == knock_cards(view)
        closed = re.findall(r"(\d+) cards? face down, ", picture.alt)
        assert sum(map(int, closed)) == sum(view.hand_sizes) - view.hand_sizes[view.knock.seat] - len(
            view.knock.lay_offs
        )
        at = {card.card: card for card in seen}
        for choice in view.knock.lay_offs:
            assert pixel_colour(picture, at[choice.card].x + 16, at[choice.card].y - 3) == SEAT_COLOURS[choice.seat]
            assert all(0 < at[card].y - at[choice.card].y < LARGE.height // 4 for card in choice.meld.cards)


def test_the_alt_text_has_a_knock_that_is_being_answered() -> None:
    """The alt text has the knock, the lay-offs, the turn, and the number of cards in other hands."""
    first, other = "4s 5s 6s 9c 9d 9h Jc Jd Jh 2c", "7s 8s 9s Ac Ad 3h 4h Kc Qd 6d"
    moves = "pass", "pass", "draw", "k Kh", "l 9s>9c9d9h"
    match = match_after("standard", first, other, *moves, stock="Kh")
    assert draw_table(public_view(match), PORTRAITS).alt == (
        "Deal 1, play to 100. N to lay off. Stock: 30 cards face down. "
        "S knocks with 2: run 4♠ 5♠ 6♠; set 9♣ 9♦ 9♥; set J♣ J♦ J♥; deadwood 2: 2♣. "
        "Laid off so far: 9♠ on 9♣ 9♦ 9♥ by N. "
        "S: knocks with 2, score 0; drew, knocked, discarding K♥. "
        "N: 9 cards face down, score 0, dealer; laid off 9♠. Knock with 10 or less."
    )


def test_the_size_matches_the_png() -> None:
    """A picture's `size` is the size of the image in its PNG file, at most 1,100 pixels wide."""
    picture = draw_table(public_views(0)[0], PORTRAITS)
    with Image.open(BytesIO(picture.content)) as image:
        assert image.size == picture.size
        assert image.mode == "P"
        assert image.width <= 1100


def test_piles_on_offer_are_marked() -> None:
    """A gold ring marks each pile that can be drawn from: the upcard, the stock after both pass, later both piles."""
    hands = "Ac 2c 3c 4d 5d 6d Kc Kd Kh 9s", "2h 4h 6h 8h Th 2s 4s 6s 8s Ts"
    rings: list[tuple[bool, bool]] = []
    for moves in ((), ("pass", "pass"), ("pass", "pass", "draw", "x 9s")):
        picture = draw_table(public_view(match_after("classic", *hands, *moves, stock="Qd")), PORTRAITS)
        top = max(read_cards(picture), key=lambda card: card.x)
        stock = [pixel_colour(picture, 300, top.y - 3 - lift) for lift in range(0, 13, 3)]
        rings.append((GOLD in stock, pixel_colour(picture, top.x + 40, top.y - 3) == GOLD))
    assert rings == [(False, True), (True, False), (True, True)]


def test_the_end_of_a_match_marks_its_winner_and_hides_no_cards() -> None:
    """Once a match is over, the table has no face-down cards, and only the winner's place has a gold edge."""
    over = public_views(0)[-1]
    picture = draw_table(over, PORTRAITS)
    assert "face down" not in picture.alt
    winner, loser = (over.sides[over.score.winner or 0][0], over.sides[1 - (over.score.winner or 0)][0])
    assert f"{MONOGRAMS[winner]}: won, total" in picture.alt
    assert f"{MONOGRAMS[loser]}: lost, total" in picture.alt
    edges = [pixel_colour(picture, 400, y) == GOLD for y in (21, picture.size[1] - 22)]
    assert sorted(edges) == [False, True]
