"""The picture of a showdown shows all hands, with lay-offs on their melds."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from PIL import Image

from bot.engine.cards.cards import DECK, Card
from bot.engine.deals.moves import Seat
from bot.engine.deals.showdown import TOO_LONG, VOID, Outcome, OutcomeKind
from bot.engine.matches.views import ShowdownView, showdown_view
from bot.engine.rules import Rules
from bot.model.appearance import Appearance
from cardart import Picture, draw_showdown
from cardart.deck.cards import LARGE
from cardart.drawing.canvas import MARGIN, WIDTH
from cardart.drawing.palette import RED, SEAT_COLOURS
from cardart.drawing.themes import THEMES
from cardart.parts.badges import badge
from cardart.pictures import showdown
from tests.cardart.card_reader import count_patch, decoded_rgb, pixel_colour, read_cards, visible_cards
from tests.cardart.views import MONOGRAMS, PORTRAITS, any_view, at_the_wall, match_after, showdown_of, showdown_views
from tests.engine.decks import DEALER, FIRST, GIN_HAND, POOR_HAND, arrangement, knock_outcome
from tests.gallery.gallery import APPEARANCES
from tests.gallery.sample_avatars import sample_avatar
from tests.gallery.sample_scorecards import scored
from tests.gallery.sample_views import score
from tests.gallery.sample_views import showdown as sample_showdown
from tests.helpers.cases import nightly_after, thorough_after
from tests.helpers.examples import examples

_NAMES = ("Southpaw", "Northstar", "Easterly", "Western")


def shown_cards(view: ShowdownView) -> list[Card]:
    """Return all cards that a showdown shows, sorted."""
    hands = view.outcome.hands
    melded = [card for hand in hands for meld in hand.melds for card in meld.cards]
    loose = [card for hand in hands for card in hand.unmatched]
    return sorted([*melded, *loose, *(lay_off.card for lay_off in view.outcome.lay_offs)])


def showdown_with_outcome(outcome: Outcome, rules: str = "classic") -> ShowdownView:
    """Return a showdown of two players with this outcome."""
    return replace(showdown_of(OutcomeKind.KNOCK), seats=(FIRST, DEALER), outcome=outcome, rules=Rules.parse(rules))


def count_badges(picture: Picture, seat: Seat, side: int = showdown.PORTRAIT_SIDE) -> int:
    """Return how often a player's badge of this size is in a picture."""
    middle = (side // 4, side // 4, 3 * side // 4, 3 * side // 4)
    return count_patch(picture, badge(seat, MONOGRAMS[seat], side).image.crop(middle))


def showdown_of_four(kind: OutcomeKind) -> ShowdownView:
    """Return a showdown of four players with this outcome, and with two lay-offs unless it is gin."""
    return showdown_of(kind, 0 if kind is OutcomeKind.GIN else 2, ("penalty target=40", 4))


@pytest.mark.nightly
@examples(5)
@given(any_view(showdown_views))
def test_all_hands_are_shown_and_no_other_card(view: ShowdownView) -> None:
    """Under any rules every card of all hands appears once, the file is small enough, and the alt text fits."""
    picture = draw_showdown(view, PORTRAITS)
    size = view.rules.cards_dealt if len(view.seats) == 2 else 7
    assert visible_cards(picture) == shown_cards(view)
    assert len(visible_cards(picture)) == (0 if view.outcome.kind is OutcomeKind.VOID else size * len(view.seats))
    assert len(picture.content) <= max(40, 12 * len(view.seats)) * 1024
    max_ratio = 0.85 if view.score.is_over else 0.75 if len(view.seats) == 4 else 0.6
    assert picture.size[1] <= max_ratio * picture.size[0]
    assert len(picture.alt) <= 1024


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [OutcomeKind.KNOCK, OutcomeKind.UNDERCUT])
def test_cards_laid_off_lie_raised_on_their_meld(kind: OutcomeKind) -> None:
    """A card laid off is higher than its meld, and overlaps it or another card laid off on the same meld."""
    view = showdown_of(kind, lay_offs=2)
    at = {card.card: card for card in read_cards(draw_showdown(view, PORTRAITS))}
    for lay_off in view.outcome.lay_offs:
        place, meld = at[lay_off.card], [at[card] for card in lay_off.meld.cards]
        beside = [
            *meld,
            *(at[other.card] for other in view.outcome.lay_offs if other.meld == lay_off.meld and other != lay_off),
        ]
        assert all(0 < card.y - place.y < LARGE.height // 4 for card in meld)
        assert min(abs(card.x - place.x) for card in beside) < LARGE.width


def test_only_cards_laid_off_are_raised() -> None:
    """Without lay-offs each hand lies in a level row."""
    view = showdown_of(OutcomeKind.GIN)
    assert len({card.y for card in read_cards(draw_showdown(view, PORTRAITS))}) == 2


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [OutcomeKind.KNOCK, OutcomeKind.UNDERCUT, OutcomeKind.GIN])
def test_four_hands_lie_in_turn_each_with_its_own_lay_offs(kind: OutcomeKind) -> None:
    """The knocker's hand comes first, the others follow in turn, and lay-offs have frames in their player's colour."""
    view = showdown_of_four(kind)
    picture = draw_showdown(view, PORTRAITS)
    at = {card.card: card for card in read_cards(picture)}
    assert visible_cards(picture) == shown_cards(view)
    tops = {
        seat: min(at[card].y for card in view.hand(seat).unmatched or [shown_cards(view)[0]]) for seat in view.seats
    }
    start = view.seats.index(view.outcome.knocker or FIRST)
    turn = view.seats[start:] + view.seats[:start]
    assert sorted(turn[1:], key=lambda seat: tops[seat]) == list(turn[1:])
    for lay_off in view.outcome.lay_offs:
        assert pixel_colour(picture, at[lay_off.card].x + 20, at[lay_off.card].y - 3) == SEAT_COLOURS[lay_off.seat]
        assert all(0 < at[card].y - at[lay_off.card].y < LARGE.height // 4 for card in lay_off.meld.cards)


@pytest.mark.thorough
def test_every_charge_is_shown_with_its_player() -> None:
    """Everyone's penalty points, including the bonus for an undercut, and the new totals are in the picture."""
    for kind in (OutcomeKind.KNOCK, OutcomeKind.UNDERCUT, OutcomeKind.GIN):
        view = showdown_of_four(kind)
        picture = draw_showdown(view, PORTRAITS)
        assert view.outcome.winner is not None
        charged = dict(view.penalty_points)
        assert f"{MONOGRAMS[view.outcome.winner]} wins the deal; penalty points: " in picture.alt
        told = picture.alt.partition("penalty points: ")[2].partition(".")[0].split(", ")
        sums = {mark: added for mark, _, added in (text.partition(" ") for text in told)}
        assert sums.keys() == {MONOGRAMS[seat] for seat in charged}
        for seat, points in charged.items():
            added, *result = sums[MONOGRAMS[seat]].split(" = ")
            assert sum(map(int, added.replace("− ", "-").replace("+ ", "").split())) == points
            assert result in ([str(points)], [])
        sums = ", ".join(f"{mark} {points}" for mark, points in zip(MONOGRAMS, view.score.scores, strict=True))
        assert f"Penalty: {sums}." in picture.alt
        for seat in view.seats:
            assert count_badges(picture, seat) == 1
            won_match = view.score.winner is not None and seat in view.sides[view.score.winner]
            larger = count_badges(picture, seat, showdown.BANNER_PORTRAIT_SIDE)
            assert larger == (seat == view.outcome.winner) + won_match


@pytest.mark.thorough
def test_only_the_winner_undercuts() -> None:
    """If several opponents answer a knock, the alt text says `undercuts` only about the winner."""
    view = showdown_of_four(OutcomeKind.UNDERCUT)
    alt = draw_showdown(view, PORTRAITS).alt
    assert alt.count("undercuts") == 1
    assert view.outcome.winner is not None
    assert "undercuts" in alt.split(f". {MONOGRAMS[view.outcome.winner]} ", 1)[1].split(". ")[0]


def test_a_tie_shows_the_hands_and_no_points() -> None:
    """If the rules do not count equal deadwood as an undercut, both hands are shown, and nobody scores."""
    outcome = knock_outcome(arrangement("4d5d6d/AhAcAs", "9c"), "Ks Kh Kc 9d 2c 3c 4c", Rules.parse("strict"))
    assert outcome.kind is OutcomeKind.TIE
    view = showdown_with_outcome(outcome, "strict")
    picture = draw_showdown(view, PORTRAITS)
    assert visible_cards(picture) == shown_cards(view)
    assert ". A tie, no points. Score: " in picture.alt
    knock = draw_showdown(replace(view, outcome=replace(outcome, kind=OutcomeKind.KNOCK)), PORTRAITS)
    assert picture.content != knock.content


def test_big_gin_shows_eleven_cards_and_no_discard() -> None:
    """A player with big gin discards nothing and lays down eleven cards."""
    match = match_after("big", f"{GIN_HAND} Ks", POOR_HAND, "pass", "pass", "draw", "big", stock="7d")
    view = showdown_view(match, 1)
    picture = draw_showdown(view, PORTRAITS)
    assert visible_cards(picture) == shown_cards(view)
    assert len(shown_cards(view)) == 21
    assert "Deal 1. S goes big gin: run" in picture.alt
    assert "N is caught: " in picture.alt
    assert "S scores 60 + 31 = 91. " in picture.alt


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rules", "upcard", "said"),
    [
        ("oklahoma", "7s", "S scores 60 + 25 = 85. "),
        ("oklahoma spade_doubles=on", "7h", "S scores 60 + 25 = 85. "),
        ("oklahoma spade_doubles=on", "7s", "S scores (60 + 25) × 2 = 170. "),
        ("oklahoma spade_doubles=on gin_bonus=0", "7s", "S scores 60 × 2 = 120. "),
        ("oklahoma oklahoma_boxes=on", "7h", "S scores 60 + 25 = 85, 3 lines. "),
        ("oklahoma spade_doubles=on oklahoma_boxes=on", "7s", "S scores (60 + 25) × 2 = 170, 5 lines. "),
    ],
)
def test_doubling_and_extra_boxes_are_shown(rules: str, upcard: str, said: str) -> None:
    """The sum shows whether a spade as upcard doubles the deal. Boxes are mentioned if there is more than one."""
    view = showdown_with_outcome(
        knock_outcome(arrangement("Ac2c3c/4d5d6d/KcKdKhKs"), POOR_HAND, Rules.parse(rules), upcard), rules
    )
    picture = draw_showdown(view, PORTRAITS)
    assert said in picture.alt
    plain = draw_showdown(replace(view, outcome=replace(view.outcome, boxes=1)), PORTRAITS)
    assert (picture.content == plain.content) == ("lines" not in said)


@pytest.mark.thorough
def test_runs_round_the_corner_lie_in_their_order() -> None:
    """A run round the corner, with cards laid off at its end, is drawn in the order of the run."""
    rules = Rules.parse("round_the_corner")
    outcome = knock_outcome(arrangement("AsQsKs/4d5d6d/8c8d8h", "2c", rules), "2s 3s 7h 9d Tc Jc 4h 6h Jd 9h", rules)
    view = showdown_with_outcome(outcome, "round_the_corner")
    picture, run = draw_showdown(view, PORTRAITS), ["Q♠", "K♠", "A♠", "2♠", "3♠"]
    across = sorted(read_cards(picture), key=lambda card: card.x)
    assert {lay_off.card.symbol for lay_off in outcome.lay_offs} == {"2♠", "3♠"}
    assert [item.card.symbol for item in across if item.card.symbol in run] == run
    assert visible_cards(picture) == shown_cards(view)
    assert "run Q♠ K♠ A♠; " in picture.alt


def test_a_board_of_partners_is_named_with_the_teams_scores() -> None:
    """The board's number and both teams' scores are shown, and nobody is said to sit out."""
    view = next(view for view in showdown_views(0, "partners target=40", 4) if view.board == 2)
    picture = draw_showdown(view, PORTRAITS)
    first, second = view.score.totals if view.score.is_over else view.score.scores
    assert picture.alt.startswith(f"Deal {view.number}, board 2. ")
    assert picture.alt.endswith(f": S+E2 {first}, N+W {second}.")
    assert "sits out" not in picture.alt
    assert picture.content != draw_showdown(replace(view, board=1), PORTRAITS).content


def test_a_player_who_sat_out_is_shown_with_their_score() -> None:
    """The player who sat out is shown in the last line, with a badge and a score."""
    view = showdown_views(0, "rotation target=40", 3)[0]
    out = next(Seat(seat) for seat in range(3) if seat not in view.seats)
    picture = draw_showdown(view, PORTRAITS)
    assert f"{MONOGRAMS[out]} sits out. " in picture.alt
    assert count_badges(picture, out) == 1


def test_three_games_have_separate_scores_until_the_end() -> None:
    """In Hollywood each side has three scores, and one total once the match is over."""
    *_, before, last = showdown_views(0, "hollywood target=40", 2)
    games = ["/".join(str(game.scores[side]) for game in before.score.columns) for side in range(2)]
    assert draw_showdown(before, PORTRAITS).alt.endswith(f"Games: S {games[0]}, N {games[1]}.")
    assert f"Total: S {last.score.totals[0]}, N {last.score.totals[1]}. " in draw_showdown(last, PORTRAITS).alt


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ("classic", "Two cards are left in the stock, and nobody went out. No points, and N deals again."),
        ("classic void_redeal=deal_passes", "nobody went out. No points, and the next player deals."),
        ("tournament", "nobody took the last discard to go out. No points, and N deals again."),
    ],
)
def test_a_void_deal_says_why_and_who_deals_next_and_shows_no_card(rules: str, said: str) -> None:
    """A void deal shows no cards. The alt text has the reason, the next dealer and the score."""
    match = at_the_wall(rules)
    if not match.finished:
        match = at_the_wall(rules, "pass")
    picture = draw_showdown(showdown_view(match, 1), PORTRAITS)
    assert visible_cards(picture) == []
    assert picture.alt.startswith("Deal 1: void deal. ")
    assert said in picture.alt
    assert picture.alt.endswith("All hands stay hidden. Score: S 0, N 0.")


def test_a_deal_that_was_too_long_says_so() -> None:
    """After a deal that was too long, picture and alt text state another reason than the cards left in the stock."""
    view = showdown_view(at_the_wall("classic"), 1)
    usual, long = (draw_showdown(replace(view, outcome=outcome), PORTRAITS) for outcome in (VOID, TOO_LONG))
    assert visible_cards(long) == []
    assert "Each player had 100 turns, and nobody went out. No points, and N deals again." in long.alt
    assert usual.content != long.content


@pytest.mark.parametrize(
    ("rules", "seats", "said", "score"),
    [
        ("partners", 4, "Nobody scores on this board.", "Team: S+E2 0, N+W 0."),
        ("winner_stays", 3, "No points, and {} deals again.", "Score: S 0, N 0, E2 0."),
        ("rotation", 3, "No points, and {} deals again.", "Score: S 0, N 0, E2 0."),
    ],
)
def test_a_void_deal_of_three_or_four_has_everyones_score(rules: str, seats: int, said: str, score: str) -> None:
    """A void deal shows everyone's score and the player who deals again.

    In partnership play, the alt text says instead that the board scores nothing.
    """
    first = showdown_views(0, f"{rules} target=40", seats)[0]
    nothing = replace(first.score, scores=(0,) * len(first.sides), is_over=False)
    view = replace(first, outcome=VOID, discard=None, score=nothing)
    picture = draw_showdown(view, PORTRAITS)
    assert visible_cards(picture) == []
    assert said.format(MONOGRAMS[view.dealer]) in picture.alt
    assert picture.alt.endswith(score)
    for seat in range(seats):
        assert count_badges(picture, Seat(seat)) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("kind", "said"),
    [(OutcomeKind.KNOCK, "knocks with"), (OutcomeKind.GIN, "goes gin"), (OutcomeKind.UNDERCUT, "undercuts")],
)
def test_the_alt_text_has_the_outcome_and_the_points(kind: OutcomeKind, said: str) -> None:
    """The alt text has the outcome, every card, the deadwood of both hands, the points and the score."""
    view = showdown_of(kind, lay_offs=0 if kind is OutcomeKind.GIN else 1)
    alt = draw_showdown(view, PORTRAITS).alt
    outcome = view.outcome
    assert outcome.winner is not None
    assert said in alt
    assert all(card.symbol in alt for card in shown_cards(view))
    assert all(f"{lay_off.card.symbol} on {lay_off.meld.cards[0].symbol}" in alt for lay_off in outcome.lay_offs)
    assert all(f"deadwood {points}:" in alt for points in outcome.deadwood if points)
    assert f"{MONOGRAMS[outcome.winner]} scores " in alt
    label, numbers = ("Total", view.score.totals) if view.score.is_over else ("Score", view.score.scores)
    assert f"{outcome.points}. {label}: S {numbers[0]}, N {numbers[1]}." in alt


@pytest.mark.parametrize("theme", THEMES)
def test_many_cards_laid_off_lie_in_one_row(theme: str) -> None:
    """With ten lay-offs, all cards lie in one row, and every card is still visible."""
    look = Appearance(theme)
    view = showdown_with_outcome(
        knock_outcome(arrangement("3c4c5c/7d8d9d/TsJsQs", "Ah"), "Ac 2c 6c 7c 5d 6d Td Jd 8s 9s")
    )
    picture = draw_showdown(view, PORTRAITS, look)
    assert len(view.outcome.lay_offs) == 10
    assert visible_cards(picture, look) == shown_cards(view)
    assert len({card.y for card in read_cards(picture, look)}) == 2
    assert len(picture.content) <= 40 * 1024


def test_the_last_showdown_adds_up() -> None:
    """At the end of a match the picture has a line with each side's bonuses, and the alt text spells them out."""
    _, deals = scored("classic", "0 knock 60,1 knock 20,0 knock 50")
    knock = showdown_of(OutcomeKind.KNOCK)
    before, last = (draw_showdown(replace(knock, score=deal.score), PORTRAITS) for deal in deals[-2:])
    assert last.size[1] > before.size[1]
    assert "S: 110 + 100 for the match + 40 for 2 deals won (20 each) = 250. " in last.alt
    assert last.alt.endswith("N: 20 + 20 for 1 deal won = 40. S wins the match.")
    assert " = " not in before.alt.partition("Score: ")[2]


def test_deadwood_is_underlined() -> None:
    """A red bar hides the lower part of each deadwood card."""
    view = showdown_of(OutcomeKind.KNOCK, lay_offs=1)
    picture = draw_showdown(view, PORTRAITS)
    at = {card.card: card for card in read_cards(picture)}
    for hand in view.outcome.hands:
        for card in hand.unmatched:
            below = [pixel_colour(picture, at[card].x + 20, at[card].y + high) for high in range(40, 120)]
            assert below.count(THEMES["classic"].colours[RED]) >= 5


def test_the_longest_sum_fits() -> None:
    """Even the longest sum with all bonuses does not touch the margin of the picture."""
    view = showdown_of(OutcomeKind.KNOCK)
    rules = Rules.parse("hollywood shutout=double_deals line_bonus=1000 game_bonus=1000")
    points = ((9999, 9999),) * 4
    score = replace(view.score, is_over=True)
    score = replace(score, scores=points[0], line=(99_000, 99_000), game=points[0], shutout=points[0])
    picture = draw_showdown(replace(view, rules=rules, score=replace(score, columns=(score,) * 3)), PORTRAITS)
    with Image.open(BytesIO(picture.content)) as image:
        beside = image.convert("RGB").crop((WIDTH - MARGIN, image.height - 160, WIDTH - MARGIN + 4, image.height - 60))
    assert max(max(channel) for channel in beside.getextrema() if isinstance(channel, tuple)) < 160


def hands_that_fit(rng: Random, players: int) -> list[str]:
    """Return hands in turn. The first hand has melds; often, the others have many cards that fit them."""
    size, melds = 10 if players == 2 else 7, list[Card]()
    while len(melds) + 3 <= size:
        first, length = rng.choice(DECK), rng.choice((3, 3, 4))
        run = [card for card in DECK if card.suit is first.suit and 0 <= card.rank - first.rank < length]
        meld = rng.choice((run, run, [card for card in DECK if card.rank is first.rank][:length]))
        if len(meld) == length <= size - len(melds) and not set(meld) & set(melds):
            melds += meld
    free = rng.sample([card for card in DECK if card not in melds], len(DECK) - len(melds))
    others, suits = free[size - len(melds) :], {card.suit for card in melds}
    if rng.random() < 0.7:
        others.sort(key=lambda card: card.suit not in suits)
    hands = [[*melds, *free][:size], *(others[seat * size : (seat + 1) * size] for seat in range(players - 1))]
    return [" ".join(map(str, hand)) for hand in hands]


@pytest.mark.nightly
@pytest.mark.parametrize("showdowns", nightly_after(1, [8, 40]))
@pytest.mark.parametrize(
    ("rules", "players", "seats", "ratio"),
    [
        ("classic", 2, (0, 1), 0.6),
        ("rotation", 3, (0, 1), 0.6),
        ("partners", 4, (0, 3), 0.6),
        ("penalty", 3, (2, 0, 1), 0.6),
        ("penalty", 4, (2, 3, 0, 1), 0.75),
    ],
)
def test_a_showdown_is_low(rules: str, players: int, seats: tuple[int, ...], ratio: float, showdowns: int) -> None:
    """A picture is at most 0.6 times as high as it is wide, with four hands 0.75, and at the end of a match 0.85."""
    rng = Random(rules + str(players))
    scores = (29, 40) if rules == "partners" else (29, 40, 61, 8)[:players]
    for number in range(showdowns):
        look = APPEARANCES[number % len(APPEARANCES)]
        view = sample_showdown(*hands_that_fit(rng, len(seats)), rules=rules, seats=seats, score=score(*scores))
        picture = draw_showdown(view, PORTRAITS, look)
        assert visible_cards(picture, look) == shown_cards(view)
        assert picture.size[1] <= ratio * picture.size[0]
        bonus = (0,) * len(scores) if rules == "penalty" else (100,) * len(scores)
        over = replace(view.score, is_over=True, winner=0, line=bonus, game=bonus, shutout=bonus)
        last = draw_showdown(replace(view, score=over), PORTRAITS, look)
        assert picture.size[1] < last.size[1] <= 0.85 * last.size[0]


@pytest.mark.parametrize("outcome", [VOID, TOO_LONG])
def test_a_void_deal_is_low(outcome: Outcome) -> None:
    """The picture of a void deal is at most half as high as it is wide."""
    picture = draw_showdown(showdown_with_outcome(outcome), PORTRAITS)
    assert picture.size[1] <= 0.5 * picture.size[0]


def test_the_reason_of_a_void_deal_fits() -> None:
    """Even the longest line does not touch the margin of the picture."""
    view = showdown_with_outcome(VOID, "tournament")
    image = decoded_rgb(draw_showdown(view, PORTRAITS))
    beside = image.crop((WIDTH - MARGIN - 10, 90, WIDTH - MARGIN - 4, 220))
    assert beside.getcolors() == [(beside.width * beside.height, beside.getpixel((0, 0)))]


def test_names_are_in_the_picture_and_in_the_words() -> None:
    """Each hand has its player's name, and the alt text has names in place of monograms."""
    view = showdown_of(OutcomeKind.KNOCK)
    plain = draw_showdown(view, PORTRAITS)
    named = draw_showdown(view, [replace(shown, name=name) for shown, name in zip(PORTRAITS, _NAMES, strict=True)])
    assert named.content != plain.content
    assert all(f"{name} " in named.alt for name in _NAMES[: len(view.seats)])
    assert draw_showdown(view, [replace(shown, name="W" * 300) for shown in PORTRAITS]).alt == plain.alt


@pytest.mark.parametrize("name", ["W" * 35, "李明", "Ann 🃏", "i" * 35])
@pytest.mark.parametrize(("rules", "seats"), thorough_after(1, [("classic", 2), ("penalty", 4), ("partners", 4)]))
def test_faces_and_names_hide_nothing(name: str, rules: str, seats: int) -> None:
    """With avatars and names of any length, all cards and the size of the picture stay the same."""
    faces = [replace(shown, name=name, avatar=sample_avatar("cat")) for shown in PORTRAITS]
    for view in showdown_views(1, rules, seats)[:2]:
        plain, drawn = draw_showdown(view, PORTRAITS), draw_showdown(view, faces)
        assert drawn.size == plain.size
        assert read_cards(drawn) == read_cards(plain)
        assert len(drawn.alt) <= 1024
